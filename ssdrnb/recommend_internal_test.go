package ssdrnb

import (
	"math"
	"testing"
)

// TestBelief compares beliefs with their closed form for one outcome: a related method follows, an
// unrelated one does not.
func TestBelief(t *testing.T) {
	expectation := func(name string, loadings ...float64) *tried {
		return &tried{prior: prior{method: name, advantage: []float64{0.1, 0.1, 0.1}, spread: []float64{0.2, 0.2, 0.2}, loadings: loadings}}
	}
	seen, related, other := expectation("seen", 0.9, 0), expectation("related", 0.8, 0), expectation("other", 0, 0.9)
	r := &recommender{perClass: 5, kept: 5, all: []*tried{seen, related, other}}
	before := r.belief()
	for i, want := range []float64{priorBase[1], 0.1, 0.1, 0.1} {
		if math.Abs(before.mean[i]-want) > 1e-12 {
			t.Errorf("without outcomes, mean %d is %v, want %v", i, before.mean[i], want)
		}
	}
	// 20 samples, a quarter of which are right in the embedding alone.
	for i := range 20 {
		v := 0.0
		if i%4 == 0 {
			v = 1
		}
		seen.differences.add(i, 20, v)
	}
	after := r.belief()
	noise := (5 + 0.5 - 20*0.25*0.25) / 400
	gain := (0.25 - 0.1) / (0.04 + noise)
	for i, c := range []float64{0, 0.04, 0.04 * 0.72, 0} {
		if want := before.mean[i] + c*gain; math.Abs(after.mean[i]-want) > 1e-12 {
			t.Errorf("mean %d is %v, want %v", i, after.mean[i], want)
		}
		if want := before.covariance.At(i, i) - c*c/(0.04+noise); math.Abs(after.covariance.At(i, i)-want) > 1e-12 {
			t.Errorf("variance %d is %v, want %v", i, after.covariance.At(i, i), want)
		}
	}
}
