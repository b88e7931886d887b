package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func search(t *testing.T, x *mat.Dense, k int, o graph.SearchOptions) *graph.Neighbors {
	t.Helper()
	nb, err := graph.Search(ctx, x, k, o)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// The tree finds the same neighbours as the blocked products.
func TestTreeIsBrute(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, grid := range []bool{false, true} {
		for d := 1; d <= 6; d++ {
			x := cloud(rng, 900, d, grid)
			tree := search(t, x, 8, graph.SearchOptions{Method: graph.Tree})
			brute := search(t, x, 8, graph.SearchOptions{Method: graph.Brute})
			if tree.Method != graph.Tree || brute.Method != graph.Brute {
				t.Fatalf("searched by %v and %v", tree.Method, brute.Method)
			}
			if !slices.Equal(tree.Index, brute.Index) || !slices.Equal(tree.Dist, brute.Dist) {
				t.Errorf("%d features, grid %v: tree and products differ", d, grid)
			}
		}
	}
}

func TestQueryFindsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, d := range []int{2, 9} {
		for _, m := range []int{3, 400} {
			x, q := cloud(rng, 700, d, true), cloud(rng, m, d, true)
			nb, err := graph.Query(ctx, x, q, 4, graph.Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			for i := range m {
				index, dist := nb.Of(i)
				last := -1.0
				for a, j := range index {
					s := 0.0
					for c, v := range q.RawRowView(i) {
						s += (v - x.At(int(j), c)) * (v - x.At(int(j), c))
					}
					if math.Sqrt(s) != dist[a] || dist[a] < last || a > 0 && dist[a] == last && index[a-1] > j {
						t.Fatalf("query %d: neighbour %d at %v", i, j, dist[a])
					}
					last = dist[a]
				}
				for j := range 700 {
					s := 0.0
					for c, v := range q.RawRowView(i) {
						s += (v - x.At(j, c)) * (v - x.At(j, c))
					}
					if math.Sqrt(s) < last && !slices.Contains(index, int32(j)) {
						t.Fatalf("query %d misses %d", i, j)
					}
				}
			}
		}
	}
}

func TestBallIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for _, d := range []int{2, 8} {
		x := cloud(rng, 400, d, true) // distances equal to the radius are included
		g, err := graph.Ball(ctx, x, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		edges := 0
		for i := range 400 {
			for j := range 400 {
				s := 0.0
				for c, v := range x.RawRowView(i) {
					s += (v - x.At(j, c)) * (v - x.At(j, c))
				}
				if i != j && s <= 4 {
					edges++
					if g.At(i, j) != math.Sqrt(s) {
						t.Fatalf("%d–%d: length %v, want %v", i, j, g.At(i, j), math.Sqrt(s))
					}
				}
			}
		}
		if g.NNZ() != edges {
			t.Errorf("%d entries, want %d", g.NNZ(), edges)
		}
	}
}

// floyd computes Geodesics by the Floyd–Warshall algorithm.
func floyd(g *sparse.CSR) [][]float64 {
	d := make([][]float64, g.Rows)
	for i := range d {
		d[i] = make([]float64, g.Rows)
		for j := range d[i] {
			if i != j {
				d[i][j] = math.Inf(1)
			}
		}
		cols, vals := g.Row(i)
		for k, j := range cols {
			d[i][j] = vals[k]
		}
	}
	for k := range d {
		for i := range d {
			for j := range d {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

func TestGeodesicsAreShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	for round := range 6 {
		x := cloud(rng, 120, 2, round%2 == 0)
		nb, err := graph.Search(ctx, x, 2+round, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		g, err := nb.Lengths(graph.Or)
		if err != nil {
			t.Fatal(err)
		}
		want := floyd(g)
		got, unreachable, err := graph.Geodesics(ctx, g)
		if err != nil {
			t.Fatal(err)
		}
		landmarks, _, err := graph.LandmarkGeodesics(ctx, g, []int{5, 17})
		if err != nil {
			t.Fatal(err)
		}
		missing := 0
		for i := range want {
			for j, w := range want[i] {
				if math.IsInf(w, 1) && i < j {
					missing++
				}
				if got.At(i, j) != w && math.Abs(got.At(i, j)-w) > 1e-12*w {
					t.Fatalf("%d–%d: %v, want %v", i, j, got.At(i, j), w)
				}
			}
		}
		if unreachable != missing {
			t.Errorf("%d pairs without a path, want %d", unreachable, missing)
		}
		for a, s := range []int{5, 17} {
			for j, w := range want[s] {
				if v := landmarks.At(a, j); v != w && math.Abs(v-w) > 1e-12*w {
					t.Fatalf("landmark %d–%d: %v, want %v", s, j, v, w)
				}
			}
		}
	}
}

func TestConnectIsMinimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	const clusters, per = 7, 12
	x := mat.NewDense(clusters*per, 2, nil)
	for i := range clusters * per {
		x.Set(i, 0, 50*float64(i%clusters)+rng.NormFloat64())
		x.Set(i, 1, rng.NormFloat64())
	}
	nb, err := graph.Search(ctx, x, 3, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := graph.Components(g)
	joined, bridges, err := graph.Connect(ctx, x, g)
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := graph.Components(joined); after != 1 || len(bridges) != before-1 {
		t.Errorf("%d components became %d by %d bridges", before, after, len(bridges))
	}
	for _, b := range bridges {
		// Clusters form a row: a minimum spanning tree joins only adjacent ones.
		if gap := b.I%clusters - b.J%clusters; gap > 1 || gap < -1 {
			t.Errorf("a bridge from cluster %d to %d", b.I%clusters, b.J%clusters)
		}
	}
}

// TestConnectNearly checks that the edges form a spanning tree of the components that is hardly
// longer than the shortest one, and do not depend on the number of processors.
func TestConnectNearly(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	const clusters, per = 25, 150
	x := cloud(rng, clusters*per, 12, false)
	for i := range clusters * per {
		row := x.RawRowView(i)
		for k := range row { // centres differ between clusters and form no grid
			row[k] = 0.4*row[k] + math.Mod(math.Phi*float64((i%clusters+1)*(k+3)), 1)*8
		}
	}
	nb, err := graph.Search(ctx, x, 6, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	total := func(bridges []graph.Bridge) (sum float64) {
		for _, b := range bridges {
			sum += b.Length
		}
		return sum
	}
	_, exact, err := graph.Connect(ctx, x, g)
	if err != nil {
		t.Fatal(err)
	}
	if len(exact) < clusters-1 {
		t.Fatalf("%d clusters are joined by %d edges", clusters, len(exact))
	}
	joined, near, err := graph.ConnectNearly(ctx, x, g)
	if err != nil {
		t.Fatal(err)
	}
	if count, _ := graph.Components(joined); count != 1 || len(near) != len(exact) {
		t.Errorf("%d components after %d edges, want 1 after %d", count, len(near), len(exact))
	}
	if a, b := total(near), total(exact); a > 1.05*b || a < b-1e-9*b {
		t.Errorf("edges of %.4g in all, the shortest are %.4g", a, b)
	}
	for _, b := range near {
		d := 0.0
		for k, v := range x.RawRowView(b.I) {
			d += (v - x.At(b.J, k)) * (v - x.At(b.J, k))
		}
		if math.Abs(math.Sqrt(d)-b.Length) > 1e-12*b.Length {
			t.Errorf("edge %v is %v long", b, math.Sqrt(d))
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	if _, again, err := graph.ConnectNearly(ctx, x, g); err != nil || !slices.Equal(near, again) {
		t.Errorf("other edges on 5 processors, %v", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, _, err := graph.ConnectNearly(stopped, x, g); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	stopped, stop := context.WithCancel(ctx)
	stop()
	x := cloud(rand.New(rand.NewPCG(1, 1)), 5000, 4, false)
	for _, m := range []graph.Method{graph.Brute, graph.Tree, graph.Approximate} {
		if _, err := graph.Search(stopped, x, 5, graph.SearchOptions{Method: m}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", m, err)
		}
	}
	if _, err := graph.Query(stopped, x, x, 5, graph.Euclidean); !errors.Is(err, context.Canceled) {
		t.Errorf("query: %v", err)
	}
}

// BenchmarkTree shows where the tree becomes faster than the products.
func BenchmarkTree(b *testing.B) {
	for _, n := range []int{500, 5000, 50000} {
		for _, d := range []int{2, 3, 5, 8} {
			x := cloud(rand.New(rand.NewPCG(1, 1)), n, d, false)
			for _, m := range []graph.Method{graph.Tree, graph.Brute} {
				b.Run(fmt.Sprintf("%d×%d/%v", n, d, m), func(b *testing.B) {
					for b.Loop() {
						if _, err := graph.Search(ctx, x, 10, graph.SearchOptions{Method: m}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// The heads of the lists equal the lists of a search for fewer neighbours, ties included.
func TestHead(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(600, 3, nil)
	for i := range 600 {
		for k := range 3 {
			x.Set(i, k, float64(rng.IntN(6))) // many duplicates
		}
	}
	for _, how := range []graph.Method{graph.Brute, graph.Tree} {
		wide := search(t, x, 40, graph.SearchOptions{Method: how})
		for _, k := range []int{1, 7, 39, 40} {
			if !reflect.DeepEqual(wide.Head(k), search(t, x, k, graph.SearchOptions{Method: how})) {
				t.Errorf("%v: the %d nearest of 40 are not those of a search", how, k)
			}
		}
	}
}
