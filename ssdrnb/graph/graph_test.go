package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

var ctx = context.Background()

func ExampleSearch() {
	x := mat.NewDense(5, 1, []float64{0, 1, 3, 3, 10})
	nb, err := graph.Search(ctx, x, 2, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range nb.Len() {
		index, dist := nb.Of(i)
		fmt.Println(i, index, dist)
	}
	// Output:
	// 0 [1 2] [1 3]
	// 1 [0 2] [1 2]
	// 2 [3 1] [0 2]
	// 3 [2 1] [0 2]
	// 4 [2 3] [7 7]
}

// brute searches by the definition.
func brute(x *mat.Dense, k int) [][]int32 {
	n, _ := x.Dims()
	out := make([][]int32, n)
	for i := range n {
		type other struct {
			d float64
			j int32
		}
		var all []other
		for j := range n {
			if j == i {
				continue
			}
			d := 0.0
			for c, v := range x.RawRowView(j) {
				d += (v - x.At(i, c)) * (v - x.At(i, c))
			}
			all = append(all, other{d, int32(j)})
		}
		slices.SortFunc(all, func(a, b other) int {
			if a.d != b.d {
				if a.d < b.d {
					return -1
				}
				return 1
			}
			return int(a.j - b.j)
		})
		for _, o := range all[:k] {
			out[i] = append(out[i], o.j)
		}
	}
	return out
}

// cloud returns n normal samples. With grid they are rounded to integers, so there are many ties
// and duplicates.
func cloud(rng *rand.Rand, n, d int, grid bool) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			v := rng.NormFloat64()
			if grid {
				v = math.Round(v)
			}
			x.Set(i, j, v)
		}
	}
	return x
}

func compareKNN(t *testing.T, x *mat.Dense, k int) {
	t.Helper()
	nb, err := graph.Search(ctx, x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range brute(x, k) {
		if got, _ := nb.Of(i); !slices.Equal(got, want) {
			t.Fatalf("neighbours of %d: got %v, want %v", i, got, want)
		}
	}
}

func TestKNNIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 60 {
		n, d := 2+rng.IntN(300), 1+rng.IntN(12)
		compareKNN(t, cloud(rng, n, d, round%2 == 0), 1+rng.IntN(n-1))
	}
	// Far from the origin the fast distances lose digits; the result must not.
	x := cloud(rng, 1500, 3, false)
	for i := range 1500 {
		for j, v := range x.RawRowView(i) {
			x.Set(i, j, 1e7+v)
		}
	}
	compareKNN(t, x, 7)
	compareKNN(t, mat.NewDense(90, 4, nil), 5) // all samples coincide
}

func FuzzKNN(f *testing.F) {
	f.Add(uint64(1), 10, 2, 3)
	f.Fuzz(func(t *testing.T, seed uint64, n, d, k int) {
		n, d = 2+abs(n)%60, 1+abs(d)%5
		compareKNN(t, cloud(rand.New(rand.NewPCG(seed, 2)), n, d, seed%2 == 0), 1+abs(k)%(n-1))
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

func TestKNNDoesNotDependOnProcessors(t *testing.T) {
	x := cloud(rand.New(rand.NewPCG(3, 1)), 700, 20, false)
	want, err := graph.Search(ctx, x, 9, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		if got, err := graph.Search(ctx, x, 9, graph.SearchOptions{Method: graph.Exact}); err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist, want.Dist) {
			t.Errorf("GOMAXPROCS %d: another result, %v", procs, err)
		}
	}
}

func TestBadArguments(t *testing.T) {
	x := cloud(rand.New(rand.NewPCG(4, 1)), 5, 2, false)
	for _, k := range []int{-1, 0, 5, 99} {
		if _, err := graph.Search(ctx, x, k, graph.SearchOptions{Method: graph.Exact}); !errors.Is(err, graph.ErrOption) {
			t.Errorf("k = %d: got %v", k, err)
		}
	}
	if _, err := graph.Query(ctx, x, mat.NewDense(1, 3, nil), 1, graph.Euclidean); !errors.Is(err, graph.ErrOption) {
		t.Errorf("other columns: got %v", err)
	}
	x.Set(2, 1, math.NaN())
	if _, err := graph.Search(ctx, x, 2, graph.SearchOptions{Method: graph.Exact}); !errors.Is(err, graph.ErrNotFinite) {
		t.Errorf("NaN: got %v", err)
	}
	x.Set(2, 1, 1e200)
	if _, err := graph.Search(ctx, x, 2, graph.SearchOptions{Method: graph.Exact}); !errors.Is(err, graph.ErrNotFinite) {
		t.Errorf("overflow: got %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := graph.Search(stopped, mat.NewDense(9, 2, nil), 2, graph.SearchOptions{Method: graph.Exact}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	if _, err := graph.HalfMedian(ctx, mat.NewDense(9, 2, nil), graph.Euclidean); !errors.Is(err, graph.ErrCoincide) {
		t.Errorf("all equal: got %v", err)
	}
}

func TestGraph(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	x := cloud(rng, 80, 3, false)
	nb, err := graph.Search(ctx, x, 4, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]graph.Weights{"binary": graph.Binary(), "heat": graph.Heat(2), "self-tuning": graph.SelfTuning()} {
		or, err := nb.Graph(graph.Or, w)
		if err != nil {
			t.Fatal(err)
		}
		and, err := nb.Graph(graph.And, w)
		if err != nil {
			t.Fatal(err)
		}
		if and.NNZ() >= or.NNZ() || or.NNZ()+and.NNZ() != 2*80*4 {
			t.Errorf("%s: %d entries by or, %d by and", name, or.NNZ(), and.NNZ())
		}
		d := or.Dense()
		if !mat.Equal(d, d.T()) || mat.Trace(d) != 0 {
			t.Errorf("%s: not symmetric, or with self-loops", name)
		}
		l := graph.Laplacian(or)
		ones := slices.Repeat([]float64{1}, 80)
		out := make([]float64, 80)
		l.MulTo(mat.NewDense(80, 1, out), mat.NewDense(80, 1, ones))
		for i, v := range out {
			if math.Abs(v) > 1e-12 {
				t.Errorf("%s: row %d of L sums to %v", name, i, v)
			}
		}
		// zᵀLz = ½ Σ w_ij (z_i − z_j)²
		z, lz := make([]float64, 80), make([]float64, 80)
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		l.MulTo(mat.NewDense(80, 1, lz), mat.NewDense(80, 1, z))
		got, want := 0.0, 0.0
		for i := range z {
			got += z[i] * lz[i]
			for j := range z {
				want += 0.5 * d.At(i, j) * (z[i] - z[j]) * (z[i] - z[j])
			}
		}
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: zᵀLz = %v, want %v", name, got, want)
		}
	}
}

func TestComponents(t *testing.T) {
	w, err := sparse.FromTriplets(6, 6, []sparse.Triplet{{Row: 0, Col: 3, Value: 1}, {Row: 3, Col: 0, Value: 1}, {Row: 3, Col: 5, Value: 1}, {Row: 5, Col: 3, Value: 1}, {Row: 1, Col: 2, Value: 1}, {Row: 2, Col: 1, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if n, of := graph.Components(w); n != 3 || !slices.Equal(of, []int{0, 1, 1, 0, 2, 0}) {
		t.Errorf("%d components, %v", n, of)
	}
	// An edge counts whatever its value; the edges of a Laplacian are negative.
	if n, of := graph.Components(graph.Laplacian(w.Scale(1e4))); n != 3 || !slices.Equal(of, []int{0, 1, 1, 0, 2, 0}) {
		t.Errorf("of the Laplacian: %d components, %v", n, of)
	}
	more, err := sparse.FromTriplets(6, 6, []sparse.Triplet{{Row: 2, Col: 4, Value: 1}, {Row: 4, Col: 2, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if n, of := graph.Components(more, w); n != 2 || !slices.Equal(of, []int{0, 1, 1, 0, 1, 0}) {
		t.Errorf("of two graphs: %d components, %v", n, of)
	}
}

func TestHalfMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, n := range []int{2, 3, 4, 31, 40, 256, 257, 400} {
		x := cloud(rng, n, 3, n%2 == 0)
		var all []float64
		for i := range n {
			for j := range i {
				d := 0.0
				for c := range 3 {
					d += (x.At(i, c) - x.At(j, c)) * (x.At(i, c) - x.At(j, c))
				}
				all = append(all, math.Sqrt(d))
			}
		}
		slices.Sort(all)
		m := len(all)
		want := (all[(m-1)/2] + all[m/2]) / 4
		if got, err := graph.HalfMedian(ctx, x, graph.Euclidean); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("n = %d: %v, %v, want %v", n, got, err, want)
		}
	}
}

func BenchmarkKNN(b *testing.B) {
	for _, s := range [][2]int{{10000, 50}, {10000, 784}} {
		x := cloud(rand.New(rand.NewPCG(7, 1)), s[0], s[1], false)
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			for b.Loop() {
				if _, err := graph.Search(ctx, x, 10, graph.SearchOptions{Method: graph.Exact}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
