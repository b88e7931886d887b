package ssdrnb

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// countSearches returns the number of searches for neighbours since the last call.
func countSearches(t *testing.T) func() int {
	t.Helper()
	count := 0
	searchNeighbors = func(ctx context.Context, x *mat.Dense, k int, opt graph.SearchOptions) (*graph.Neighbors, error) {
		count++
		return graph.Search(ctx, x, k, opt)
	}
	costlySearch = func(n, d int) bool { return n > 4000 }
	forgetNeighbors()
	t.Cleanup(func() {
		searchNeighbors, costlySearch = graph.Search, graph.Costly
		forgetNeighbors()
	})
	return func() int {
		defer func() { count = 0 }()
		return count
	}
}

// costly are data with some labels whose search is cached. They are large enough for an approximate
// search.
func costly() *data.Data { return datasets.Mixture(4100, 12, 1).KeepLabels(5).Seed(1) }

func TestCheapSearchesAreNotRemembered(t *testing.T) {
	searches := countSearches(t)
	d := datasets.Mixture(300, 12, 1)
	LPP().MustFit(d)
	LPP().MustFit(d)
	if n := searches(); n != 2 {
		t.Errorf("%d searches for two fits", n)
	}
	for _, c := range []struct {
		n, d int
		want bool
	}{{70_000, 784, true}, {1_000_000, 3, false}, {2000, 50, false}, {20_000, 50, true}} {
		if graph.Costly(c.n, c.d) != c.want {
			t.Errorf("%d samples of %d features: costly %v", c.n, c.d, !c.want)
		}
	}
}

func TestNeighborsAreSearchedOnce(t *testing.T) {
	searches := countSearches(t)
	d := costly()
	first := LPP().Affinity(Binary).Neighbors(12).MustFit(d)
	if n := searches(); n != 1 {
		t.Fatalf("%d searches for one fit", n)
	}
	// Another method, fewer neighbours, an equal copy of the samples.
	again := *d
	again.X = mat.DenseCopyOf(d.X)
	second := SDA().Affinity(Binary).Neighbors(7).MustFit(&again)
	if n := searches(); n != 0 {
		t.Errorf("%d searches for a second method on the same samples", n)
	}
	SDA().Affinity(Binary).Neighbors(7).Fresh().MustFit(d)
	if n := searches(); n != 1 {
		t.Errorf("%d searches for a fresh fit", n)
	}
	forgetNeighbors()
	if own := SDA().Affinity(Binary).Neighbors(7).MustFit(d); !mat.Equal(own.Embedding(), second.Embedding()) {
		t.Error("the heads of exact lists are not those of a search for fewer")
	}
	searches()
	other := costly()
	other.X.Set(17, 3, other.X.At(17, 3)+1e-12)
	for what, fit := range map[string]func() *Model{
		"more neighbours": func() *Model { return LPP().Affinity(Binary).Neighbors(13).MustFit(d) },
		"another search":  func() *Model { return LPP().Affinity(Binary).Neighbors(5).Search(ApproximateSearch).MustFit(d) },
		"another metric":  func() *Model { return LPP().Affinity(Binary).Neighbors(5).Metric(Cosine).MustFit(d) },
		"another sample":  func() *Model { return LPP().Affinity(Binary).Neighbors(5).MustFit(other) },
	} {
		fit()
		if n := searches(); n != 1 {
			t.Errorf("%s: %d searches", what, n)
		}
	}
	if !mat.Equal(first.Embedding(), LPP().Affinity(Binary).Neighbors(12).MustFit(d).Embedding()) || searches() != 0 {
		t.Error("the first fit, once more: another embedding, or another search")
	}
}

func TestNeighborsAreRememberedOnDisk(t *testing.T) {
	searches := countSearches(t)
	dir := t.TempDir()
	t.Setenv("SSDRNB_CACHE", dir)
	if err := Remember(true); err != nil {
		t.Fatal(err)
	}
	defer Remember(false)
	d := costly()
	fit := func(k int) *Model {
		forgetNeighbors() // as in the process of the next cell
		return LPP().Affinity(Binary).Neighbors(k).Search(ApproximateSearch).MustFit(d)
	}
	fit(12)
	recall, ok := fit(9).Report().Fact("recall of the approximate search")
	if n := searches(); n != 1 || !ok || recall < 0.9 {
		t.Fatalf("%d searches, recall %v of the remembered neighbours", n, recall)
	}
	fits := 2
	paths, err := filepath.Glob(filepath.Join(dir, "fits", "*.npz"))
	if err != nil || len(paths) != fits+1 {
		t.Fatalf("%d files (%v)", len(paths), err)
	}
	// After damage to a file the search is repeated and the file replaced. The file of neighbours
	// is the largest.
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	path := slices.MaxFunc(paths, func(a, b string) int { return int(size(a) - size(b)) })
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for k, damaged := range [][]byte{nil, whole[:len(whole)/2], append(slices.Clone(whole[:len(whole)/3]), make([]byte, len(whole)-len(whole)/3)...)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		fit(8 - k)
		if n := searches(); n != 1 {
			t.Errorf("damage %d: %d searches", k, n)
		}
		if now, err := os.ReadFile(path); err != nil || len(now) == len(damaged) {
			t.Errorf("damage %d: the file was not replaced (%v)", k, err)
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Forget(); err != nil {
		t.Fatal(err)
	}
	if LPP().Affinity(Binary).Neighbors(12).Search(ApproximateSearch).MustFit(d); searches() != 1 {
		t.Error("Forget left the neighbours")
	}
}

// Cached neighbours beyond the limit of a process are dropped, the oldest first.
func TestNeighborsOfAProcessAreBounded(t *testing.T) {
	forgetNeighbors()
	defer forgetNeighbors()
	third := &graph.Neighbors{K: 1, Index: make([]int32, neighborsLimit/12/3)}
	for _, key := range []string{"a", "b", "c"} {
		rememberNeighbors(key, third)
	}
	recallNeighbors("a", 1)
	rememberNeighbors("d", third)
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if got := recallNeighbors(key, 1) != nil; got != want {
			t.Errorf("%s remembered: %v", key, got)
		}
	}
}

// Methods without the option "search" use exact neighbours, and join the components of many samples
// by the shortest edges.
func TestComponentsOfManySamples(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n = exactBridges + 2
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i+i/(n/2)*100))
	}
	nb, err := graph.Search(t.Context(), x, 2, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec Spec
		want string
	}{{SIsomap().Spec(), "the shortest"}, {Isomap().Spec(), "nearly the shortest"}, {Isomap().Search(ExactSearch).Spec(), "the shortest"}} {
		bridges, name, err := joined(newJob(t.Context(), c.spec, data.New(x, nil), newCache()), x, lengths)
		if err != nil {
			t.Fatalf("%v: %v", c.spec, err)
		}
		if len(bridges) != 1 || bridges[0].I != n/2-1 || bridges[0].J != n/2 || name != c.want {
			t.Errorf("%v: %v, %s; want one edge, %s", c.spec, bridges, name, c.want)
		}
	}
}
