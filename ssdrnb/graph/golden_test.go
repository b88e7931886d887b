package graph_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// cases is the folder of the reference cases, shared with the tests of the methods.
var cases = filepath.Join("..", "testdata", "golden")

func mustKNN(t *testing.T, x *mat.Dense, k int) *graph.Neighbors {
	t.Helper()
	nb, err := graph.Search(ctx, x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestGoldenNeighboursAndPairs(t *testing.T) {
	type reference struct {
		Input struct {
			X      [][]float64
			Labels []int
			K      int
		}
		Output struct {
			Neighbours [][]int32
			Edges      int `json:"n_edges"`
			ML, CL     [][2]int
		}
	}
	golden.EachIn(t, cases, "graph_*", func(t *testing.T, g *reference) {
		x := golden.Dense(g.Input.X)
		for _, method := range []graph.Method{graph.Brute, graph.Tree} {
			nb, err := graph.Search(ctx, x, g.Input.K, graph.SearchOptions{Method: method})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range g.Output.Neighbours {
				if got, _ := nb.Of(i); !slices.Equal(got, want) {
					t.Errorf("by %v: neighbours of %d are %v, want %v", method, i, got, want)
				}
			}
			w, err := nb.Graph(graph.Or, graph.Binary())
			if err != nil {
				t.Fatal(err)
			}
			if w.NNZ() != 2*g.Output.Edges {
				t.Errorf("%d entries, want %d edges", w.NNZ(), g.Output.Edges)
			}
			p, err := pairing.LabelledPairs(w, g.Input.Labels)
			if err != nil {
				t.Fatal(err)
			}
			for what, part := range map[string]struct {
				n    int
				at   func(k int) [2]int
				want [][2]int
			}{
				"must":   {len(p.Must), func(k int) [2]int { return [2]int{p.Must[k].I, p.Must[k].J} }, g.Output.ML},
				"cannot": {len(p.Cannot), func(k int) [2]int { return [2]int{p.Cannot[k].I, p.Cannot[k].J} }, g.Output.CL},
			} {
				if part.n != len(part.want) {
					t.Fatalf("%d %s-link pairs, want %d", part.n, what, len(part.want))
				}
				for k, want := range part.want {
					if part.at(k) != want {
						t.Errorf("%s-link pair %d is %v, want %v", what, k, part.at(k), want)
					}
				}
			}
		}
	})
}

func TestGoldenSelfTuning(t *testing.T) {
	type reference struct {
		Input struct {
			X [][]float64 `json:"X_rows"`
			K int
		}
		Output struct {
			W      [][3]float64
			Degree []float64
		}
	}
	golden.EachIn(t, cases, "selftuning_*", func(t *testing.T, g *reference) {
		w, err := mustKNN(t, golden.Dense(g.Input.X), g.Input.K).Graph(graph.Or, graph.SelfTuning())
		if err != nil {
			t.Fatal(err)
		}
		want := g.Output.W
		if len(want)*2 == w.NNZ() { // one triangle
			for _, e := range g.Output.W {
				want = append(want, [3]float64{e[1], e[0], e[2]})
			}
		}
		golden.Entries(t, "W", w, want, 1e-12)
		for i, d := range w.RowSums() {
			if math.Abs(d-g.Output.Degree[i]) > 1e-11 {
				t.Errorf("degree %d is %v, want %v", i, d, g.Output.Degree[i])
			}
		}
	})
}

func TestGoldenReconstruction(t *testing.T) {
	type reference struct {
		Input struct {
			X   [][]float64
			K   int
			Reg float64
		}
		Output struct{ Delta [][3]float64 }
	}
	golden.EachIn(t, cases, "lle_*", func(t *testing.T, g *reference) {
		x := golden.Dense(g.Input.X)
		delta, err := align.Reconstruct(ctx, x, mustKNN(t, x, g.Input.K).Directed(), g.Input.Reg)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entries(t, "Delta", delta, g.Output.Delta, 1e-9)

		// The linear kernel has the same local Gram matrices.
		var kernel mat.SymDense
		kernel.SymOuterK(1, x)
		again, err := align.ReconstructKernel(ctx, &kernel, mustKNN(t, x, g.Input.K).Directed(), g.Input.Reg)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entries(t, "Delta by the linear kernel", again, g.Output.Delta, 1e-7)
	})
}

func TestGoldenReconstructionOfDuplicates(t *testing.T) {
	type reference struct {
		Input struct {
			X   [][]float64
			K   int
			Reg float64
			ML  [][2]int
		}
		Output struct {
			Delta    [][3]float64
			Diagonal []float64 `json:"LML_diagonal"`
		}
	}
	golden.EachIn(t, cases, "s2lle_duplicates_*", func(t *testing.T, g *reference) {
		x := golden.Dense(g.Input.X)
		n, _ := x.Dims()
		var must []sparse.Triplet
		for _, p := range g.Input.ML {
			must = append(must, sparse.Triplet{Row: p[0], Col: p[1], Value: 1}, sparse.Triplet{Row: p[1], Col: p[0], Value: 1})
		}
		pairs, err := sparse.FromTriplets(n, n, must)
		if err != nil {
			t.Fatal(err)
		}
		var links []sparse.Triplet
		nb := mustKNN(t, x, g.Input.K)
		for i := range n {
			index, _ := nb.Of(i)
			for _, j := range index {
				if pairs.At(i, int(j)) != 0 {
					links = append(links, sparse.Triplet{Row: i, Col: int(j), Value: 1})
				}
			}
		}
		kept, err := sparse.FromTriplets(n, n, links)
		if err != nil {
			t.Fatal(err)
		}
		delta, err := align.Reconstruct(ctx, x, kept, g.Input.Reg)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entries(t, "Delta", delta, g.Output.Delta, 1e-12)
		// W = Δ + Δᵀ − ΔᵀΔ; the diagonal of L has its degrees.
		product, err := sparse.Mul(delta.T(), delta)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := delta.Symmetrize(sparse.Sum)
		if err != nil {
			t.Fatal(err)
		}
		w, err := sparse.Add(1, sum, -1, product)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range g.Output.Diagonal {
			got := 0.0
			cols, vals := w.Row(i)
			for k, j := range cols {
				if int(j) != i {
					got += vals[k]
				}
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("degree %d: got %v, want %v", i, got, want)
			}
		}
	})
}

func TestGoldenGeodesics(t *testing.T) {
	type reference struct {
		Input struct {
			X [][]float64
			K int
		}
		Output struct {
			Row []float64 `json:"geodesic_row0"`
			Sum float64   `json:"geodesic_sum"`
		}
	}
	golden.EachIn(t, cases, "isomap_*", func(t *testing.T, g *reference) {
		lengths, err := mustKNN(t, golden.Dense(g.Input.X), g.Input.K).Lengths(graph.Or)
		if err != nil {
			t.Fatal(err)
		}
		d, unreachable, err := graph.Geodesics(ctx, lengths)
		if err != nil || unreachable != 0 {
			t.Fatalf("%d unreachable, %v", unreachable, err)
		}
		for j, want := range g.Output.Row {
			if math.Abs(d.At(0, j)-want) > 1e-10*max(1, want) {
				t.Errorf("from 0 to %d: got %v, want %v", j, d.At(0, j), want)
			}
		}
		if sum := mat.Sum(d); math.Abs(sum-g.Output.Sum) > 1e-10*g.Output.Sum {
			t.Errorf("sum: got %v, want %v", sum, g.Output.Sum)
		}
	})
}

func TestGoldenConnected(t *testing.T) {
	type reference struct {
		X        [][]float64
		Sigma    float64
		Geodesic [][]float64
		Affinity [][]float64
	}
	golden.EachIn(t, cases, "s3rmm_disconnected*", func(t *testing.T, g *reference) {
		x := golden.Dense(g.X)
		nb := mustKNN(t, x, 5)
		lengths, err := nb.Lengths(graph.Or)
		if err != nil {
			t.Fatal(err)
		}
		joined, bridges, err := graph.Connect(ctx, x, lengths)
		if err != nil || len(bridges) != 1 {
			t.Fatalf("%d bridges, %v", len(bridges), err)
		}
		d, unreachable, err := graph.Geodesics(ctx, joined)
		if err != nil || unreachable != 0 {
			t.Fatalf("%d unreachable, %v", unreachable, err)
		}
		a, err := nb.Graph(graph.Or, graph.Heat(2*g.Sigma*g.Sigma))
		if err != nil {
			t.Fatal(err)
		}
		for i := range g.Geodesic {
			for j, want := range g.Geodesic[i] {
				if math.Abs(d.At(i, j)-want) > 1e-8*max(1, want) {
					t.Fatalf("geodesic %d, %d: got %v, want %v", i, j, d.At(i, j), want)
				}
				if want := g.Affinity[i][j]; math.Abs(a.At(i, j)-want) > 1e-8 {
					t.Fatalf("affinity %d, %d: got %v, want %v", i, j, a.At(i, j), want)
				}
			}
		}
	})
}
