package riemann_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// A local tensor is null: Σ g·d² = 0, with negative components within the class.
func TestLocalTensor(t *testing.T) {
	same, other := []float64{1, 2, 0.5}, []float64{3, 4}
	pull, push := riemann.LocalTensor(same, other)
	sum, total := 0.0, 0.0
	for k, d := range same {
		if pull[k] >= 0 {
			t.Errorf("component %v of the same class", pull[k])
		}
		sum += pull[k] * d * d
	}
	for k, d := range other {
		sum, total = sum+push[k]*d*d, total+push[k]
	}
	if math.Abs(sum) > 1e-14 || math.Abs(total-1) > 1e-14 {
		t.Errorf("Σ g·d² = %v, the components of other classes sum to %v", sum, total)
	}
	if pull, push = riemann.LocalTensor([]float64{2}, nil); push != nil || pull[0] != -0.25 {
		t.Errorf("without other classes: %v and %v", pull, push)
	}
}

// Strict agreement keeps the smaller of two components of one sign; the average keeps both.
func TestAgree(t *testing.T) {
	m, err := sparse.FromTriplets(3, 3, []sparse.Triplet{{Row: 0, Col: 1, Value: 4}, {Row: 1, Col: 0, Value: 2},
		{Row: 0, Col: 2, Value: -1}, {Row: 2, Col: 0, Value: -3}, {Row: 1, Col: 2, Value: 5}, {Row: 2, Col: 1, Value: -6}})
	if err != nil {
		t.Fatal(err)
	}
	for strict, want := range map[bool][3]float64{true: {0.75 * 2, 0.25 * -1, 0}, false: {0.75 * 3, 0.25 * -2, 0.75*2.5 - 0.25*3}} {
		g, err := riemann.Agree(m, 0.25, strict)
		if err != nil {
			t.Fatal(err)
		}
		for k, at := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			if a, b := g.At(at[0], at[1]), g.At(at[1], at[0]); a != b || math.Abs(a-want[k]) > 1e-15 {
				t.Errorf("strict %v: %v and %v at %v, want %v", strict, a, b, at, want[k])
			}
		}
	}
	positive, negative := riemann.Signed(m, 1), riemann.Signed(m, -1)
	if positive.NNZ() != 3 || negative.NNZ() != 3 || positive.At(2, 1) != 0 || negative.At(2, 1) != -6 {
		t.Errorf("%v and %v", positive, negative)
	}
}

func TestStraight(t *testing.T) {
	d := riemann.Straight(mat.NewDense(3, 2, []float64{0, 0, 3, 4, 0, 4}))
	if want := mat.NewSymDense(3, []float64{0, 5, 4, 5, 0, 3, 4, 3, 0}); !mat.Equal(d, want) {
		t.Errorf("%v", mat.Formatted(d))
	}
	if v := riemann.MeanPositive(d); v != 4 {
		t.Errorf("mean %v, want 4", v)
	}
	if v := riemann.MeanPositive(riemann.Straight(mat.NewDense(2, 1, nil))); v != 0 {
		t.Errorf("mean of equal samples %v", v)
	}
}

// learner returns the learner of two noisy groups with a few labelled samples.
func learner(t *testing.T, rules riemann.Rules) *riemann.Learner {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	x, labels := mat.NewDense(30, 2, nil), slices.Repeat([]int{data.Unlabelled}, 30)
	for i := range 30 {
		x.SetRow(i, []float64{4*float64(i%2) + rng.NormFloat64(), rng.NormFloat64()})
		if i < 8 {
			labels[i] = i % 2
		}
	}
	nb, err := graph.Search(t.Context(), x, 5, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	w, err := nb.Graph(graph.Or, graph.Heat(1))
	if err != nil {
		t.Fatal(err)
	}
	return riemann.NewLearner(t.Context(), data.New(x, labels), riemann.NewGeometry(riemann.Straight(x), w), rules)
}

// Every tensor is null, whatever the margin, and the threshold drops components.
func TestLearn(t *testing.T) {
	for _, margin := range []string{riemann.NormalizedMargin, riemann.AverageMargin, riemann.AlignmentMargin, riemann.ScatterMargin} {
		rules := riemann.Rules{K1: 2, K2: 3, Margin: margin, Beta: 0.5, LambdaL: 0.01, LambdaU: 10}
		whole, done := learner(t, rules), 0
		g, nullity, err := whole.Learn(func(k, of int) {
			if k < done || of != 30 {
				t.Errorf("progress %d of %d after %d", k, of, done)
			}
			done = k
		})
		if err != nil {
			t.Fatal(err)
		}
		if nullity > 1e-10 || done != 30 {
			t.Errorf("%s: nullity %g after %d samples", margin, nullity, done)
		}
		for _, i := range whole.Labelled {
			if whole.IsLabelled[i] != (i < 8) || len(whole.Same[i]) != 2 || len(whole.Other[i]) != 3 {
				t.Errorf("%s: sample %d has the neighbours %v and %v", margin, i, whole.Same[i], whole.Other[i])
			}
			for _, k := range whole.Same[i] {
				if k%2 != i%2 || g.At(i, k) >= 0 && margin == riemann.NormalizedMargin {
					t.Errorf("%s: component %v of samples %d and %d of one class", margin, g.At(i, k), i, k)
				}
			}
		}
		rules.Threshold = 0.3
		few, _, err := learner(t, rules).Learn(func(int, int) {})
		if err != nil || few.NNZ() >= g.NNZ() {
			t.Errorf("%s: %d components above the threshold of %d, %v", margin, few.NNZ(), g.NNZ(), err)
		}
	}
}

// The first suggestion has the largest gain by the definition.
func TestSuggest(t *testing.T) {
	l := learner(t, riemann.Rules{})
	doubts := make([]float64, 30)
	doubts[20] = 5
	got := l.Suggest(doubts)
	if len(got) != 22 {
		t.Fatalf("%d suggestions for 22 unlabelled samples", len(got))
	}
	sorted := slices.Sorted(slices.Values(got))
	if !slices.Equal(sorted, l.Unlabelled) {
		t.Errorf("suggested %v", got)
	}
	best, most := -1, -1.0
	for _, u := range l.Unlabelled {
		gain := 0.0
		for v, d := range l.Row(u) {
			reach := math.Inf(1)
			for _, i := range l.Labelled {
				reach = min(reach, l.Row(i)[v])
			}
			gain += (1 + doubts[v]) * max(0, reach*reach-d*d)
		}
		if gain > most {
			best, most = u, gain
		}
	}
	if got[0] != best {
		t.Errorf("suggests %d first, the largest gain has %d", got[0], best)
	}
}
