package community

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func symmetric(t testing.TB, n int, edges map[[2]int]float64) *sparse.CSR {
	t.Helper()
	var all []sparse.Triplet
	for e, v := range edges {
		all = append(all, sparse.Triplet{Row: e[0], Col: e[1], Value: v}, sparse.Triplet{Row: e[1], Col: e[0], Value: v})
	}
	w, err := sparse.FromTriplets(n, n, all)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Leiden finds the cliques on a ring, each joined to the next by one edge.
func TestLeidenCliques(t *testing.T) {
	const cliques, size = 8, 6
	edges := map[[2]int]float64{}
	for c := range cliques {
		for a := range size {
			for b := range a {
				edges[[2]int{c*size + b, c*size + a}] = 1
			}
		}
		edges[[2]int{c * size, (c+1)%cliques*size + 1}] = 1
	}
	found, err := Leiden(t.Context(), symmetric(t, cliques*size, edges), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range found.Of {
		if c != i/size {
			t.Fatalf("communities %v", found.Of)
		}
	}
	// Each clique has 15 of all 8·16 edges, and 32 of 256 edge ends.
	want := cliques * (15.0/128 - math.Pow(32.0/256, 2))
	if found.Count != cliques || math.Abs(found.Modularity-want) > 1e-12 {
		t.Errorf("%d communities, modularity %v, want %v", found.Count, found.Modularity, want)
	}
}

// planted draws a graph with groups that are denser inside than between.
func planted(t testing.TB, seed uint64, n, groups int, within, between float64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 1))
	edges := map[[2]int]float64{}
	for i := range n {
		for j := range i {
			p := between
			if i%groups == j%groups {
				p = within
			}
			if rng.Float64() < p {
				edges[[2]int{j, i}] = 0.1 + rng.Float64()
			}
		}
	}
	return symmetric(t, n, edges)
}

// Leiden guarantees that communities are connected, that moving a node gains nothing, and that
// merging two communities gains nothing.
func TestLeidenPromises(t *testing.T) {
	for seed := range uint64(20) {
		n, resolution := 60+int(seed)*7, []float64{0.5, 1, 2}[seed%3]
		w := planted(t, seed, n, 2+int(seed)%5, 0.3, 0.05)
		found, err := Leiden(t.Context(), w, resolution)
		if err != nil {
			t.Fatal(err)
		}
		degree, total := w.RowSums(), 0.0
		whole := make([]float64, found.Count)
		for i, d := range degree {
			total += d
			whole[found.Of[i]] += d
		}
		// The weights are rounded.
		rounding := 1e-4
		between := make([][]float64, found.Count)
		for c := range between {
			between[c] = make([]float64, found.Count)
		}
		var inside []sparse.Triplet
		for i := range n {
			to := make([]float64, found.Count)
			cols, vals := w.Row(i)
			for k, j := range cols {
				to[found.Of[j]] += vals[k]
				between[found.Of[i]][found.Of[j]] += vals[k]
				if found.Of[i] == found.Of[j] {
					inside = append(inside, sparse.Triplet{Row: i, Col: int(j), Value: 1})
				}
			}
			own := found.Of[i]
			stay := to[own] - resolution*degree[i]*(whole[own]-degree[i])/total
			for c := range to {
				if c != own && to[c]-resolution*degree[i]*whole[c]/total > stay+rounding {
					t.Errorf("seed %d: node %d gains in community %d", seed, i, c)
				}
			}
			if stay < -rounding {
				t.Errorf("seed %d: node %d gains alone", seed, i)
			}
		}
		modularity := 0.0
		for c := range between {
			modularity += between[c][c]/total - resolution*whole[c]*whole[c]/total/total
			for d := range c {
				if between[c][d]-resolution*whole[c]*whole[d]/total > rounding {
					t.Errorf("seed %d: communities %d and %d gain as one", seed, c, d)
				}
			}
		}
		if again, err := Modularity(w, found.Of, resolution); err != nil || again != found.Modularity {
			t.Errorf("seed %d: modularity %v and %v, %v", seed, again, found.Modularity, err)
		}
		if math.Abs(modularity-found.Modularity) > 1e-5 {
			t.Errorf("seed %d: modularity %v, want %v", seed, found.Modularity, modularity)
		}
		g, err := sparse.FromTriplets(n, n, inside)
		if err != nil {
			t.Fatal(err)
		}
		if parts, _ := graph.ComponentsAbove(g, 0); parts != found.Count {
			t.Errorf("seed %d: %d communities in %d connected parts", seed, found.Count, parts)
		}
	}
}

// Among all partitions of small graphs, none has a modularity far above the one found.
func TestLeidenNearlyBest(t *testing.T) {
	missed := 0
	for seed := range uint64(20) {
		const n = 9
		w := planted(t, 100+seed, n, 3, 0.8, 0.25)
		found, err := Leiden(t.Context(), w, 1)
		if err != nil {
			t.Fatal(err)
		}
		g, _ := networkOf(w, 1)
		best := math.Inf(-1)
		var try func(of []int32, count int32)
		try = func(of []int32, count int32) {
			if len(of) == n {
				best = max(best, g.summary(of).Modularity)
				return
			}
			for c := range count + 1 {
				try(append(of[:len(of):len(of)], c), max(count, c+1))
			}
		}
		try(nil, 0)
		if found.Modularity < best-1e-9 {
			missed++
		}
		if found.Modularity < 0.95*best-1e-9 || found.Modularity > best+1e-9 {
			t.Errorf("seed %d: modularity %v, the best is %v", seed, found.Modularity, best)
		}
	}
	if missed > 4 {
		t.Errorf("the best division was missed in %d of 20 graphs", missed)
	}
}

func TestLeidenEdges(t *testing.T) {
	none, err := Leiden(t.Context(), symmetric(t, 4, nil), 1)
	if err != nil || none.Count != 4 || none.Modularity != 0 {
		t.Errorf("no edges: %+v, %v", none, err)
	}
	for _, resolution := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := Leiden(t.Context(), symmetric(t, 2, nil), resolution); !errors.Is(err, ErrOption) {
			t.Errorf("resolution %v: %v", resolution, err)
		}
	}
	if _, err := Leiden(t.Context(), symmetric(t, 2, map[[2]int]float64{{0, 1}: -1}), 1); !errors.Is(err, ErrOption) {
		t.Errorf("a negative weight: %v", err)
	}
}
