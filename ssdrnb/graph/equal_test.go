package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// repeated returns n samples, nearly all of which equal one point; the others are random, and some
// of them are at equal distances from this point.
func repeated(n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(6, uint64(d)))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = 0.1
		}
		switch rng.IntN(20) {
		case 0:
			row[0] = 0.1 + float64(rng.IntN(2))
		case 1:
			for j := range row {
				row[j] = rng.NormFloat64()
			}
		}
	}
	return x
}

// Exact searches list the lowest indices among many equal samples.
func TestEqualSamplesInOrder(t *testing.T) {
	const n, k = 700, 20
	for _, d := range []int{1, 3, 9} {
		x := repeated(n, d)
		for _, how := range []Method{Tree, Brute} {
			nb, err := Search(context.Background(), x, k, SearchOptions{Method: how})
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				var all []candidate
				for j := range n {
					if j != i {
						all = append(all, candidate{samples.SquaredDistance(x.RawRowView(i), x.RawRowView(j)), int32(j)})
					}
				}
				sortCandidates(all)
				index, dist := nb.Of(i)
				for a, c := range all[:k] {
					if index[a] != c.index || dist[a] != math.Sqrt(c.low) {
						t.Fatalf("%v, %d features: neighbour %d of %d is %d at %v, want %d at %v", how, d, a, i, index[a], dist[a], c.index, math.Sqrt(c.low))
					}
				}
			}
		}
	}
}

// A point that occurs n times costs a search O(k) operations, instead of O(n): the tree does not
// split equal samples and orders them by index, and a race keeps O(k) of them.
func TestEqualSamplesCostLittle(t *testing.T) {
	const n, d, k = 5000, 3, 10
	x := repeated(n, d)
	tr := newTree(x)
	sample := func(i int) []float64 { return tr.data[i*d : (i+1)*d] }
	leaves := 0
	for _, nd := range tr.nodes {
		whole := true
		for i := nd.lo; i < nd.hi; i++ {
			whole = whole && slices.Equal(sample(i), sample(nd.lo))
		}
		switch {
		case nd.right != 0 && whole:
			t.Fatalf("a node of %d equal samples is split", nd.hi-nd.lo)
		case nd.right == 0 && nd.hi-nd.lo > leafSize:
			leaves++
			if !whole || !slices.IsSorted(tr.order[nd.lo:nd.hi]) {
				t.Errorf("a leaf of %d samples, equal: %v, sorted: %v", nd.hi-nd.lo, whole, slices.IsSorted(tr.order[nd.lo:nd.hi]))
			}
		}
	}
	if leaves == 0 || leaves > 100 {
		t.Errorf("%d leaves of equal samples", leaves)
	}
	w := tr.walk(k)
	w.run(make([]float64, d), -1, make([]int32, k), make([]float64, k))
	if added := w.add(w.best[k-1].low, w.best[k-1].index+1); added {
		t.Error("a sample as far as the k-th neighbour, with a higher index, is added")
	}

	r := newRaces(x, x, 0, 1, k)[0]
	buffer := cap(r.found)
	for j := range n {
		square := samples.SquaredDistance(x.RawRowView(0), x.RawRowView(j))
		r.add(int32(j), square-1e-9, square+1e-9)
		if cap(r.found) != buffer {
			t.Fatalf("a race for %d neighbours keeps %d samples", k, len(r.found))
		}
	}
}

// An approximate search that falls back to an exact one, because few samples differ, has the result
// of an exact search for each kind of metric: the same distances, and the lowest indices among
// samples at equal distance. Under the cosine distance, proportional samples are at equal distance.
func TestFallbackIsExact(t *testing.T) {
	const n, d, k = smallest, treeDim + 1, 12
	rng := rand.New(rand.NewPCG(8, 1))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		length := float64(int(1) << rng.IntN(3))
		for j := range d {
			x.Set(i, j, length*float64(1+rng.IntN(2)))
		}
	}
	for _, m := range []Metric{Euclidean, Cosine, Manhattan, Hamming, Gower} {
		exact, err := Search(context.Background(), x, k, SearchOptions{Metric: m, Method: Exact})
		if err != nil {
			t.Fatal(err)
		}
		near, err := Search(context.Background(), x, k, SearchOptions{Metric: m, Method: Approximate})
		if err != nil {
			t.Fatal(err)
		}
		if near.Method != Brute || near.Recall != 1 {
			t.Fatalf("%v: searched by %v with recall %v", m, near.Method, near.Recall)
		}
		if !slices.Equal(near.Index, exact.Index) {
			t.Errorf("%v: other neighbours than of an exact search", m)
		}
		for a, v := range exact.Dist {
			if near.Dist[a] != v && (m.norm() != distance.Square || math.Abs(near.Dist[a]-v) > 1e-15) {
				t.Fatalf("%v: distance %v, want %v", m, near.Dist[a], v)
			}
		}
	}
}
