package ssdrnb

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// expectation returns a method with the mean 0.1 and the spread 0.2 in the benchmark.
func expectation(name string, loadings ...float64) *tried {
	return &tried{prior: prior{method: name, advantage: []float64{0.1, 0.1, 0.1}, spread: []float64{0.2, 0.2, 0.2}, loadings: loadings}}
}

// observe adds the outcomes 1 and 0 for samples, 1 for each so many.
func observe(o *outcomes, samples, every int) {
	for i := range samples {
		v := 0.0
		if i%every == 0 {
			v = 1
		}
		o.add(i, 20, v)
	}
}

// TestBelief compares beliefs with their closed form for one outcome: a related method follows, an
// unrelated one does not.
func TestBelief(t *testing.T) {
	seen, related, other := expectation("seen", 0.9, 0), expectation("related", 0.8, 0), expectation("other", 0, 0.9)
	r := &recommender{perClass: 5, kept: 5, methods: []*tried{seen, related, other}}
	before := r.belief()
	for i, want := range []float64{priorBase[1], 0.1, 0.1, 0.1} {
		if math.Abs(before.mean[i]-want) > 1e-12 {
			t.Errorf("without outcomes, mean %d is %v, want %v", i, before.mean[i], want)
		}
	}
	observe(&seen.differences, 20, 4)
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

// TestBeliefOfMany compares a belief for the features and two methods, one with fewer samples, with
// the formula by an explicit inverse. Methods in another order have the same results.
func TestBeliefOfMany(t *testing.T) {
	a, b, c := expectation("a", 0.9, 0), expectation("b", 0.6, 0.6), expectation("c", -0.5, 0.7)
	r := &recommender{perClass: 5, kept: 3, methods: []*tried{a, b, c}}
	observe(&r.plain, 20, 2)
	observe(&a.differences, 20, 4)
	observe(&c.differences, 5, 3)
	got := r.belief()

	prior := mat.NewDense(4, 4, []float64{
		0.04, 0, 0, 0,
		0, 0.04, 0.04 * 0.54, 0.04 * -0.45,
		0, 0.04 * 0.54, 0.04, 0.04 * (0.42 - 0.3),
		0, 0.04 * -0.45, 0.04 * (0.42 - 0.3), 0.04})
	pick := mat.NewDense(3, 4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1})
	va, vc := (5+0.5-20*0.0625)/400, (2+0.5-5*0.16)/25
	v0 := 0.25 / 20
	half := math.Sqrt(5.0 / 20)
	errors := mat.NewDense(3, 3, []float64{
		v0, -0.4 * math.Sqrt(v0*va), -0.4 * half * math.Sqrt(v0*vc),
		-0.4 * math.Sqrt(v0*va), va, 0.5 * half * math.Sqrt(va*vc),
		-0.4 * half * math.Sqrt(v0*vc), 0.5 * half * math.Sqrt(va*vc), vc})
	expected := mat.NewVecDense(4, []float64{priorBase[1], 0.1, 0.1, 0.1})
	// The accuracy in the features is lower with three labels per class.
	outcome := mat.NewVecDense(3, []float64{0.5 + priorBase[1] - interpolated(priorBase, 3), 0.25, 0.4})
	var sum, inverse, gain, shift, gap, mean, loss mat.Dense
	sum.Product(pick, prior, pick.T())
	sum.Add(&sum, errors)
	if err := inverse.Inverse(&sum); err != nil {
		t.Fatal(err)
	}
	gain.Product(prior, pick.T(), &inverse)
	gap.Mul(pick, expected)
	gap.Sub(outcome, &gap)
	shift.Mul(&gain, &gap)
	mean.Add(expected, &shift)
	loss.Product(&gain, pick, prior)
	for i := range 4 {
		if want := mean.At(i, 0); math.Abs(got.mean[i]-want) > 1e-12 {
			t.Errorf("mean %d is %v, want %v", i, got.mean[i], want)
		}
		for j := range 4 {
			if want := prior.At(i, j) - loss.At(i, j); math.Abs(got.covariance.At(i, j)-want) > 1e-12 {
				t.Errorf("covariance %d, %d is %v, want %v", i, j, got.covariance.At(i, j), want)
			}
		}
	}

	slices.Reverse(r.methods)
	turned := r.belief()
	for i, k := range []int{0, 3, 2, 1} {
		if math.Abs(turned.mean[k]-got.mean[i]) > 1e-12 || math.Abs(turned.covariance.At(k, k)-got.covariance.At(i, i)) > 1e-12 {
			t.Errorf("in another order, method %d has %v, %v, want %v, %v", i, turned.mean[k], turned.covariance.At(k, k), got.mean[i], got.covariance.At(i, i))
		}
	}
}

// TestAlong interpolates between numbers of labels and takes values at them even beside gaps.
func TestAlong(t *testing.T) {
	values := []float64{math.NaN(), 1, 3}
	for labels, want := range map[float64]float64{5: 1, 10: 2, 20: 3, 100: 3, 1: math.NaN(), 2: math.NaN()} {
		if got := interpolated(values, labels); math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("at %v labels %v, want %v", labels, got, want)
		}
	}
}

// TestPriors has finite expectations wherever a method has an advantage.
func TestPriors(t *testing.T) {
	for _, p := range priors {
		for k, v := range p.advantage {
			if math.IsNaN(v) != math.IsNaN(p.spread[k]) {
				t.Errorf("%s: advantage %v, spread %v", p.method, v, p.spread[k])
			}
		}
		if norm := p.loadings[0]*p.loadings[0] + p.loadings[1]*p.loadings[1]; len(p.loadings) != 2 || !(norm <= 0.91) {
			t.Errorf("%s: loadings %v", p.method, p.loadings)
		}
	}
}
