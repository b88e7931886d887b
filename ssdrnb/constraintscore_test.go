package ssdrnb

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The warnings of CS1 state which features have the score +Inf, and why.
func TestWarningsOfInfiniteScores(t *testing.T) {
	d := NewData(mat.NewDense(6, 3, []float64{0, 1, 5, 2, 0, 5, 1, 4, 5, 7, 1, 5, 3, 8, 5, 4, 4, 5}), nil).WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}, {I: 2, J: 3}}})
	both := d.WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}}, Cannot: []Pair{{I: 2, J: 5}}})
	for _, c := range []struct {
		e    Estimator
		d    *Data
		want string
	}{
		{CS1(), d, "there are no cannot-link pairs: the score of every feature is +Inf, so the features were chosen in the order of the data, with constant features last"},
		{CS1().Dims(3), d, "there are no cannot-link pairs: the score of every feature is +Inf, so the features were chosen in the order of the data, with constant features last"},
		{CS1().Dims(3), both, "2 of 3 chosen features have the score +Inf, because they are constant or equal at both ends of every cannot-link"},
		{CS1(), both, "1 of 2 chosen features has the score +Inf, because it is constant or equal at both ends of every cannot-link"},
	} {
		m, err := c.e.Spec().Fit(c.d)
		if err != nil {
			t.Fatalf("%v: %v", c.e.Spec(), err)
		}
		if !slices.Contains(m.Report().Warnings, c.want) {
			t.Errorf("%v: %q, want %q", c.e.Spec(), m.Report().Warnings, c.want)
		}
	}
}

// A constant feature is chosen after those that vary, also if all scores are +Inf.
func TestConstantFeatureLast(t *testing.T) {
	d := NewData(mat.NewDense(4, 3, []float64{5, 0, 1, 5, 2, 0, 5, 1, 4, 5, 7, 1}), nil).WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}}})
	m, err := CS1().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{1, 2} {
		if got, _ := m.Report().Fact(fmt.Sprintf("feature %d", k+1)); got != want {
			t.Errorf("choice %d is feature %g, want %g", k+1, got, want)
		}
	}
}
