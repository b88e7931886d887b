package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// mostExponent is the value in the documentation of [graph.Weights].
const mostExponent = 36

// weighed returns the edge lengths of the k-nearest-neighbour graph of the rows of x, its weights
// and the lone samples.
func weighed(t *testing.T, x *mat.Dense, k int, w graph.Weights) (lengths, m *sparse.CSR, lone []int) {
	t.Helper()
	nb, err := graph.Search(ctx, x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	if lengths, err = nb.Lengths(graph.Or); err != nil {
		t.Fatal(err)
	}
	if m, err = graph.Weigh(lengths, w, nb.Scales()); err != nil {
		t.Fatal(err)
	}
	if lone, err = graph.Lone(lengths, w, nb.Scales()); err != nil {
		t.Fatal(err)
	}
	return lengths, m, lone
}

// The largest weight of a lone sample is exp(−36); its other weights fall off with the width that
// this implies. All other weights follow the rule to the last bit.
func TestLoneSampleKeepsItsEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	x := cloud(rng, 60, 3, false)
	for _, far := range []float64{1e2, 1e4, 1e8, 1e100} {
		x.SetRow(7, []float64{far, 0, 0})
		lengths, m, lone := weighed(t, x, 5, graph.Heat(2))
		if !slices.Equal(lone, []int{7}) {
			t.Fatalf("at %g: lone samples %v", far, lone)
		}
		for i := range 60 {
			cols, d := lengths.Row(i)
			nearest := slices.Min(d)
			for k, j := range cols {
				want := math.Exp(-d[k] * d[k] / 2)
				if i == 7 {
					want = math.Exp(-mostExponent * (d[k] / nearest) * (d[k] / nearest))
				}
				switch got := m.At(i, int(j)); {
				case i == 7 && math.Abs(got-want) > 1e-12*want:
					t.Errorf("at %g: weight of (%d, %d) is %g, want %g", far, i, j, got, want)
				case i != 7 && j != 7 && got != want:
					t.Errorf("at %g: weight of (%d, %d) is %g, another than %g", far, i, j, got, want)
				}
			}
		}
		if !m.IsSymmetric(0) {
			t.Errorf("at %g: the weights are not symmetric", far)
		}
	}
}

// As a sample moves away, its weight falls by the rule until the sample gets its own width, and is
// constant from there on, without a jump.
func TestLoneWeightIsContinuous(t *testing.T) {
	for _, c := range []struct {
		rule     graph.Weights
		exponent func(d float64) float64
	}{
		{graph.Heat(1), func(d float64) float64 { return d * d }},
		{graph.SelfTuning(), func(d float64) float64 { return d }}, // scales 1 and d
	} {
		for d := 1.01; d < 60; d += 0.013 {
			_, m, lone := weighed(t, mat.NewDense(5, 1, []float64{0, 1, 2, 3, 3 + d}), 1, c.rule)
			e := c.exponent(d)
			want := math.Exp(-min(e, mostExponent))
			if got := m.At(3, 4); math.Abs(got-want) > 1e-11*want {
				t.Errorf("%v, distance %g: weight %g, want %g", c.rule, d, got, want)
			}
			if (len(lone) > 0) != (e > mostExponent) {
				t.Errorf("%v, distance %g: lone samples %v", c.rule, d, lone)
			}
		}
	}
}

// ragged returns samples of which many are lone: a heavy tail and duplicates.
func ragged(rng *rand.Rand, n int) *mat.Dense {
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		for j := range 2 {
			x.Set(i, j, math.Exp(3*rng.NormFloat64()))
		}
		if i%4 == 1 {
			x.SetRow(i, []float64{1, 1})
		}
	}
	x.SetRow(2, []float64{1, 1.001}) // all its neighbours are duplicates
	return x
}

// Reordering the samples reorders the graph. Every sample has a weight that is not negligible.
// Duplicates, whose scale is 0, do not affect their neighbours' weights.
func TestLoneSamplesInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const n, k = 90, 4
	for _, rule := range []graph.Weights{graph.Binary(), graph.Heat(0.01), graph.Heat(1), graph.SelfTuning()} {
		for round := range 5 {
			t.Run(fmt.Sprintf("%v %d", rule, round), func(t *testing.T) {
				x := ragged(rng, n)
				_, m, lone := weighed(t, x, k, rule)
				if rule.String() != "binary" && len(lone) == 0 || rule.String() == "binary" && lone != nil {
					t.Errorf("lone samples %v", lone)
				}
				order := rng.Perm(n)
				y := mat.NewDense(n, 2, nil)
				for a, i := range order {
					y.SetRow(a, x.RawRowView(i))
				}
				_, other, otherLone := weighed(t, y, k, rule)
				for a, i := range order {
					if slices.Contains(otherLone, a) != slices.Contains(lone, i) && i%4 != 1 {
						t.Errorf("sample %d is lone in only one of the two orders", i)
					}
					largest := 0.0
					_, vals := m.Row(i)
					for _, v := range vals {
						largest = max(largest, v)
					}
					if largest < math.Exp(-mostExponent)*(1-1e-12) {
						t.Errorf("the largest weight of sample %d is %g", i, largest)
					}
					for b, j := range order {
						if i%4 == 1 || j%4 == 1 { // ties are broken by index: equal samples get other neighbours
							continue
						}
						if got, want := other.At(a, b), m.At(i, j); got != want {
							t.Errorf("weight of (%d, %d) is %g in another order, %g in the first", i, j, got, want)
						}
					}
				}
				if !m.IsSymmetric(0) {
					t.Error("the weights are not symmetric")
				}
			})
		}
	}
}

// Self-tuning weights do not depend on the unit of the distances, even if their squares underflow.
func TestSelfTuningHasNoUnit(t *testing.T) {
	for _, c := range []struct{ d, si, sj, want float64 }{
		{1, 2, 3, math.Exp(-1. / 6)}, {0, 1, 2, 1}, {0, 0, 0, 1}, {1, 0, 2, 0}, {3, 0.5, 1e30, math.Exp(-1.8e-29)},
	} {
		for _, unit := range []float64{1, 1e-120, 1e-170, 1e-300, 1e100} {
			// Edges of length 0 to a third sample keep both ends from being lone.
			lengths := &sparse.CSR{Rows: 3, Cols: 3, RowPtr: []int{0, 2, 4, 6}, ColInd: []int32{1, 2, 0, 2, 0, 1},
				Val: []float64{c.d * unit, 0, c.d * unit, 0, 0, 0}}
			m, err := graph.Weigh(lengths, graph.SelfTuning(), []float64{c.si * unit, c.sj * unit, 1})
			if err != nil {
				t.Fatal(err)
			}
			if got := m.At(0, 1); !(math.Abs(got-c.want) <= 1e-14) {
				t.Errorf("distance %v, scales %v and %v, times %v: weight %v, want %v", c.d, c.si, c.sj, unit, got, c.want)
			}
		}
	}
}

// A new point is weighed by the rule for samples.
func TestWeightsOfPoint(t *testing.T) {
	for _, c := range []struct {
		rule   graph.Weights
		d      []float64
		own    float64
		scales []float64
		want   []float64
	}{
		{graph.Binary(), []float64{1, 1e9}, 0, nil, []float64{1, 1}},
		{graph.Heat(2), []float64{1, 2}, 0, nil, []float64{math.Exp(-0.5), math.Exp(-2)}},
		{graph.Heat(1), []float64{1e9, 2e9}, 0, nil, []float64{math.Exp(-36), math.Exp(-144)}},
		{graph.SelfTuning(), []float64{1, 2}, 2, []float64{1, 4}, []float64{math.Exp(-0.5), math.Exp(-0.5)}},
		{graph.SelfTuning(), []float64{100, 200}, 200, []float64{1, 1}, []float64{math.Exp(-36), math.Exp(-144)}},
		{graph.SelfTuning(), []float64{1, 2}, 2, []float64{0, 0}, []float64{math.Exp(-36), math.Exp(-144)}},
	} {
		got, err := c.rule.OfPoint(c.d, c.own, c.scales)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got {
			if math.Abs(v-c.want[k]) > 1e-13*c.want[k] {
				t.Errorf("%v, distances %v: weight %d is %g, want %g", c.rule, c.d, k, v, c.want[k])
			}
		}
	}
	if _, err := graph.SelfTuning().OfPoint([]float64{1}, 1, nil); err == nil {
		t.Error("self-tuning weights without scales")
	}
}
