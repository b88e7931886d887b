package margins_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/margins"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// line has two classes on a line, with a copy of the first sample and an unlabelled sample.
func line() *data.Data {
	return data.New(mat.NewDense(7, 1, []float64{0, 0, 1, 3, 7, 20, 2}), []int{0, 0, 0, 1, 1, 1, data.Unlabelled})
}

// neighbors returns the k nearest labelled samples of each labelled sample, from its own class or
// from other classes.
func neighbors(t *testing.T, d *data.Data, k int, same bool) []margins.Near {
	t.Helper()
	out := make([]margins.Near, d.Len())
	for _, class := range d.Classes() {
		var from, to []int
		for i, l := range d.Labels {
			switch {
			case l == class:
				from = append(from, i)
				if same {
					to = append(to, i)
				}
			case l != data.Unlabelled && !same:
				to = append(to, i)
			}
		}
		pick := func(rows []int) *mat.Dense {
			x := mat.NewDense(len(rows), d.Dim(), nil)
			for a, i := range rows {
				x.SetRow(a, d.X.RawRowView(i))
			}
			return x
		}
		err := margins.Nearest(context.Background(), len(to), k, 1e-9, from, to, out, func(k int) (*graph.Neighbors, error) {
			return graph.Query(context.Background(), pick(to), pick(from), k, graph.Euclidean)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Copies of a sample are not its neighbours; others take their place.
func TestNearest(t *testing.T) {
	d := line()
	same, other := neighbors(t, d, 1, true), neighbors(t, d, 2, false)
	for i, want := range [][]int{{2}, {2}, {0}, {4}, {3}, {4}, nil} {
		if !slices.Equal(same[i].Index, want) {
			t.Errorf("the neighbours of sample %d in its class are %v, want %v", i, same[i].Index, want)
		}
	}
	if want := []float64{3, 7}; !slices.Equal(other[0].Index, []int{3, 4}) || !slices.Equal(other[0].Dist, want) {
		t.Errorf("the neighbours of sample 0 in other classes are %v at %v", other[0].Index, other[0].Dist)
	}
}

// The shortest pairs are listed separately for each class, so the same pair occurs in both orders.
func TestMarginalPairs(t *testing.T) {
	d := line()
	pairs := margins.MarginalPairs(d, neighbors(t, d, 3, false), 2)
	want := []sparse.Triplet{{Row: 2, Col: 3, Value: 2}, {Row: 0, Col: 3, Value: 3}, {Row: 3, Col: 2, Value: 2}, {Row: 3, Col: 0, Value: 3}}
	if !slices.Equal(pairs, want) {
		t.Errorf("%v, want %v", pairs, want)
	}
}

// ZᵀLZ of an alignment is the sum over its pairs.
func TestAlignment(t *testing.T) {
	z := mat.NewDense(4, 2, []float64{1, 0, 3, 1, -2, 5, 0, 4})
	sum := func(pairs []sparse.Triplet) *mat.SymDense {
		out := mat.NewSymDense(2, nil)
		for _, p := range pairs {
			var d mat.VecDense
			d.SubVec(z.RowView(p.Row), z.RowView(p.Col))
			out.SymRankOne(out, p.Value, &d)
		}
		return out
	}
	pairs := margins.Near{Index: []int{1, 2}}.Add([]sparse.Triplet{{Row: 1, Col: 0, Value: 2.5}, {Row: 3, Col: 2, Value: -0.5}}, 0, 1.5)
	l, err := margins.Alignment(4, pairs)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := dense.Quadratic(l, z), sum(pairs); !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
	ones := mat.NewDense(4, 1, []float64{1, 1, 1, 1})
	if v := dense.Quadratic(l, ones).At(0, 0); math.Abs(v) > 1e-12 {
		t.Errorf("the constant has %v", v)
	}
	if l, err = margins.BinaryAlignment(4, pairs); err != nil {
		t.Fatal(err)
	}
	once := []sparse.Triplet{{Row: 0, Col: 1, Value: 1}, {Row: 0, Col: 2, Value: 1}, {Row: 2, Col: 3, Value: 1}}
	if got, want := dense.Quadratic(l, z), sum(once); !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("binary: %v, want %v", got, want)
	}
}
