package guide

import (
	"errors"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The edge 2–3 joins two triangles. Labels on both sides, or a cannot-link, weaken this edge more
// than other edges. A must-link creates an edge.
func TestWeights(t *testing.T) {
	var all []sparse.Triplet
	for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}} {
		all = append(all, sparse.Triplet{Row: e[0], Col: e[1], Value: 0.8}, sparse.Triplet{Row: e[1], Col: e[0], Value: 0.8})
	}
	w, err := sparse.FromTriplets(6, 6, all)
	if err != nil {
		t.Fatal(err)
	}
	was := slices.Clone(w.Val)
	guided := func(know Knowledge, guidance float64) *sparse.CSR {
		t.Helper()
		all, err := Weights(t.Context(), []*sparse.CSR{w}, [][]float64{nil}, w, know, Options{Guidance: guidance, Carry: 0.8})
		if err != nil {
			t.Fatal(err)
		}
		g := all.Graphs[0]
		if !g.IsSymmetric(1e-12) || !slices.Equal(w.Val, was) {
			t.Fatal("the graph is not symmetric, or the one given has changed")
		}
		return g
	}
	labels := Knowledge{Labels: []int{0, -1, -1, -1, -1, 1}, Classes: 2}
	cannot := Knowledge{Pairs: data.Pairs{Cannot: []data.Pair{{I: 0, J: 5}}}}
	must := Knowledge{Pairs: data.Pairs{Must: []data.Pair{{I: 0, J: 5}}}}
	for name, know := range map[string]Knowledge{"labels": labels, "cannot-link": cannot} {
		g := guided(know, 1)
		if g.At(2, 3) >= g.At(0, 1) || g.At(2, 3) > 0.75 {
			t.Errorf("%s: the bridge weighs %v, an edge beside it %v", name, g.At(2, 3), g.At(0, 1))
		}
	}
	if g := guided(must, 1); g.At(0, 5) < 0.9 || g.At(2, 3) < 0.8 {
		t.Errorf("must-link: %v between its ends, %v on the bridge", g.At(0, 5), g.At(2, 3))
	}
	for _, know := range []Knowledge{{}, labels, must} {
		g := guided(know, 0)
		for i := range 6 {
			for j := range 6 {
				if g.At(i, j) != w.At(i, j) {
					t.Error("guidance 0 changes the graph")
				}
			}
		}
	}
	if g := guided(Knowledge{Labels: slices.Repeat([]int{-1}, 6)}, 1); g != w {
		t.Error("nothing known changes the graph")
	}
	if _, err := Weights(t.Context(), []*sparse.CSR{w}, [][]float64{nil}, w, labels, Options{Guidance: 2, Carry: 0.8}); !errors.Is(err, ErrOption) {
		t.Errorf("guidance 2: %v", err)
	}
}
