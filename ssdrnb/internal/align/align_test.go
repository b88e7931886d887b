package align_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// With the plain distance, GroupedKNN gives the result of graph.Search, ties and duplicates
// included. With a large extra distance, neighbours of a sample's own group come first.
func TestGroupedKNN(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 17))
	const n = 90
	x, group := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		group[i] = rng.IntN(4) - 1
		x.SetRow(i, []float64{float64(rng.IntN(5)), float64(rng.IntN(5))})
	}
	want, err := graph.Search(context.Background(), x, 9, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	got, err := align.GroupedKNN(context.Background(), x, group, 9, func(d float64, _, _ int) float64 { return d })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist, want.Dist) {
		t.Error("with the plain distance it differs from graph.Search")
	}
	apart, err := align.GroupedKNN(context.Background(), x, group, 9, func(d float64, a, b int) float64 {
		if a != b {
			d += 100
		}
		return d
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		index, dist := apart.Of(i)
		for a, j := range index {
			if (group[j] == group[i]) != (dist[a] < 100) || a > 0 && dist[a] < dist[a-1] || int(j) == i {
				t.Fatalf("neighbours of %d: %v at %v", i, index, dist)
			}
		}
	}
	if _, err := align.GroupedKNN(context.Background(), x, group[1:], 9, nil); !errors.Is(err, graph.ErrOption) {
		t.Errorf("sizes: %v", err)
	}
	if _, err := align.GroupedKNN(context.Background(), x, group, 9, func(_ float64, _, _ int) float64 { return math.NaN() }); !errors.Is(err, graph.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

// TestClosedGroups compares with the definition on random graphs: j is reached from i if some power
// of the adjacency matrix leads there, and the group of i is closed if i is reached from every
// sample that is reached from i.
func TestClosedGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		n := 1 + rng.IntN(12)
		var edges []sparse.Triplet
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			reach[i][i] = true
			for j := range n {
				if rng.Float64() < 1.3/float64(n) {
					edges = append(edges, sparse.Triplet{Row: i, Col: j, Value: 1})
					reach[i][j] = true
				}
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		want, wanted := slices.Repeat([]int{-1}, n), 0
		for i := range n {
			closed := true
			for j := range n {
				closed = closed && (!reach[i][j] || reach[j][i])
			}
			if closed && want[i] < 0 {
				for j := range n {
					if reach[i][j] {
						want[j] = wanted
					}
				}
				wanted++
			}
		}
		w, err := sparse.FromTriplets(n, n, edges)
		if err != nil {
			t.Fatal(err)
		}
		if count, of := align.ClosedGroups(w); count != wanted || !slices.Equal(of, want) {
			t.Fatalf("%d groups %v, want %d %v of %v", count, of, wanted, want, edges)
		}
	}
}

// The free vertex of a path gets the mean of its neighbours, whatever its value was before.
func TestExtend(t *testing.T) {
	m, err := sparse.FromTriplets(3, 3, []sparse.Triplet{{Row: 0, Col: 0, Value: 1}, {Row: 0, Col: 1, Value: -1},
		{Row: 1, Col: 0, Value: -1}, {Row: 1, Col: 1, Value: 2}, {Row: 1, Col: 2, Value: -1}, {Row: 2, Col: 1, Value: -1}, {Row: 2, Col: 2, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []float64{0, 5} {
		y := mat.NewDense(3, 1, []float64{1, before, 4})
		if err := align.Extend(context.Background(), m, y, []int{1}); err != nil {
			t.Fatal(err)
		}
		if got := y.At(1, 0); math.Abs(got-2.5) > 1e-12 || y.At(0, 0) != 1 || y.At(2, 0) != 4 {
			t.Errorf("from %v: %v, want 1, 2.5, 4", before, y.RawMatrix().Data)
		}
	}
}

// TestTangentOffset: a common offset of the samples does not change their tangent, however small
// their spread is. Equal samples have the tangent 0. The samples are multiples of the unit in the
// last place of the offset, so that adding the offset is exact.
func TestTangentOffset(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	members := make([]int32, 13)
	for i := range members {
		members[i] = int32(i)
	}
	for _, features := range []int{1, 3, 30} {
		for _, copies := range []int{1, 5, len(members)} {
			for range 20 {
				x, shifted := mat.NewDense(len(members), features, nil), mat.NewDense(len(members), features, nil)
				for c := range features {
					offset := math.Ldexp(1+rng.Float64()/2, rng.IntN(40)-20)
					unit := math.Nextafter(offset, math.Inf(1)) - offset
					for i := range members {
						if i == 0 || i >= copies {
							x.Set(i, c, unit*float64(rng.IntN(100)))
						} else {
							x.Set(i, c, x.At(0, c))
						}
						shifted.Set(i, c, offset+x.At(i, c))
					}
				}
				want, err := align.Tangent(x, members, 2)
				if err != nil {
					t.Fatal(err)
				}
				got, err := align.Tangent(shifted, members, 2)
				if err != nil {
					t.Fatal(err)
				}
				if !mat.Equal(got, want) {
					t.Errorf("%d copies, %d features: an offset changes the tangent", copies, features)
				}
				if copies == len(members) && mat.Norm(got, 2) != 0 {
					t.Errorf("%d equal samples of %d features have the tangent %v", copies, features, mat.Formatted(got))
				}
			}
		}
	}
}
