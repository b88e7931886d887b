package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// The chain equals its two methods applied one after the other.
func TestThen(t *testing.T) {
	d := blobs(6, 1)
	first, second := ssdrnb.TRSDA().Dims(3).Manifold(0.5), ssdrnb.S2NE().Neighbors(8).Iterations(20)
	chain := ssdrnb.Then(first, second)
	m, err := chain.Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	inner := mustFit(t, first.Spec(), d)
	reduced := *d
	reduced.X = inner.Embedding()
	outer := mustFit(t, second.Spec(), &reduced)
	if !mat.Equal(m.Embedding(), outer.Embedding()) {
		t.Error("another embedding than that of the two methods one by one")
	}
	z, err := inner.Transform(d.X)
	if err != nil {
		t.Fatal(err)
	}
	want, err := outer.Transform(z)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Transform(d.X)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got, want) {
		t.Error("another transform than that of the two methods one by one")
	}
	if m.Method() != "TR-SDA then S2NE" || chain.String() != "TR-SDA then S2NE(neighbors=8, iterations=20, TR-SDA dims=3, TR-SDA manifold=0.5)" {
		t.Errorf("%s is written %s", m.Method(), chain)
	}
	stages := map[string]bool{}
	for _, s := range m.Report().Stages {
		stages[s.Name] = true
	}
	if !stages["TR-SDA trace ratio"] || !stages["layout"] {
		t.Errorf("stages %v", stages)
	}
	if _, ok := m.Report().Fact("TR-SDA λ*"); !ok {
		t.Errorf("facts %v", m.Report().Facts)
	}
	back := reloaded(t, m)
	if again, err := back.Transform(d.X); err != nil || !mat.Equal(again, got) || back.Spec().String() != chain.String() {
		t.Errorf("%s after saving: %v", back.Spec(), err)
	}
}

// New finds combined methods in any case.
func TestThenByName(t *testing.T) {
	want := "PCA then LDA then UMAP()"
	for _, name := range []string{"PCA then LDA then UMAP", "pca then lda then umap", "Pca Then Lda THEN Umap"} {
		if s := ssdrnb.New(name); s.Err() != nil || s.String() != want {
			t.Errorf("%s: %s, %v", name, s, s.Err())
		}
	}
}

// The stack and the error do not grow with the number of names.
func TestThenOfManyNames(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const many = 100_000
	for _, name := range []string{"PCA then ", "unknown then ", " then ", "PCA then LDA then ", "unknown"} {
		s := ssdrnb.New(strings.Repeat(name, many) + "UMAP")
		if err := s.Err(); !errors.Is(err, ssdrnb.ErrOption) || len(err.Error()) > 1000 {
			t.Errorf("%s…: %.1000v", name, err)
		}
	}
}

// A combination of all methods that can be combined has a name.
func TestThenOfAll(t *testing.T) {
	name := "UMAP"
	for _, m := range ssdrnb.Methods() {
		if m.Shape != ssdrnb.Nonlinear {
			name = m.Name + " then " + name
		}
	}
	if s := ssdrnb.New(name); s.Err() != nil || s.Method().Name != name {
		t.Errorf("%s: %v", name, s.Err())
	}
}

// A sweep over a chain can vary the options of both methods.
func TestThenSwept(t *testing.T) {
	chain := ssdrnb.Then(ssdrnb.PCA().Dims(4), ssdrnb.UMAP().Iterations(5))
	grid, err := ssdrnb.Sweep(chain, blobs(6, 2)).List("PCA dims", 2, 4).List("neighbors", 4, 8).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(grid.Unlabelled) != 4 || grid.Unlabelled[0].Mean() == 0 {
		t.Errorf("%d cells", len(grid.Unlabelled))
	}
}

// Each method of a chain is checked by its own rules.
func TestThenKnowledge(t *testing.T) {
	d := blobs(6, 1)
	values := func(at func(i int) float64) []float64 {
		out := make([]float64, d.Len())
		for i := range out {
			out[i] = at(i)
		}
		return out
	}
	one := values(func(i int) float64 {
		if i == 3 {
			return 1
		}
		return math.NaN()
	})
	for name, given := range map[string]*ssdrnb.Data{
		"labels":        d,
		"target":        d.HideLabels().WithTarget("depth", values(func(i int) float64 { return d.X.At(i, 0) })),
		"both":          d.WithTarget("depth", values(func(i int) float64 { return d.X.At(i, 0) })),
		"one value":     d.WithTarget("depth", one),
		"only one":      d.HideLabels().WithTarget("depth", one),
		"huge, unused":  d.WithTarget("depth", values(func(i int) float64 { return 1e200 * float64(i) })),
		"contradiction": d.WithPairs(ssdrnb.Pairs{Must: []ssdrnb.Pair{{I: 0, J: 1}, {I: 1, J: 2}}, Cannot: []ssdrnb.Pair{{I: 0, J: 2}}}),
		"nothing":       d.HideLabels(),
	} {
		for _, first := range []ssdrnb.Spec{ssdrnb.PCA().Spec(), ssdrnb.LDA().Spec(), ssdrnb.SDA().Slices(3).Spec(), ssdrnb.LapRLS().Spec(), ssdrnb.S3RMM().Spec(), ssdrnb.S3RMM().Slices(4).Spec()} {
			for _, second := range []ssdrnb.Spec{ssdrnb.UMAP().Iterations(1).Spec(), ssdrnb.S2NE().Iterations(1).Unfold(1).Spec()} {
				chain := ssdrnb.Then(first, second)
				got, err := chain.Fit(given)
				a, errA := first.Fit(given)
				b, errB := second.Fit(given)
				if three, err := ssdrnb.Then(ssdrnb.PCA(), chain).Fit(given); err == nil && first.Method().Shape == ssdrnb.Linear && first.Method().Name != "PCA" && len(warnings(three, "replaces the")) != len(warnings(got, "replaces the")) {
					t.Errorf("%s, PCA then %s: warnings %q, without PCA %q", name, chain, three.Report().Warnings, got.Report().Warnings)
				}
				if (err == nil) != (errA == nil && errB == nil) {
					t.Errorf("%s, %s: %v; alone %v and %v", name, chain, err, errA, errB)
				}
				if err != nil || errA != nil || errB != nil {
					continue
				}
				for _, about := range []string{"contradict", "replaces the"} {
					if alone := len(warnings(a, about)) + len(warnings(b, about)); min(alone, 1) != len(warnings(got, about)) {
						t.Errorf("%s, %s: warnings %q; alone %q and %q", name, chain, got.Report().Warnings, a.Report().Warnings, b.Report().Warnings)
					}
				}
			}
		}
	}
}

// A chain passes each method its defaults for few samples, and reports them.
func TestThenFewSamples(t *testing.T) {
	d := blobs(6, 1).Subset([]int{0, 1, 2, 3, 4, 5, 6, 7})
	m, err := ssdrnb.Then(ssdrnb.SDA(), ssdrnb.UMAP().Iterations(1)).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, alone := range map[string]*ssdrnb.Model{"SDA neighbors": ssdrnb.SDA().MustFit(d), "neighbors": ssdrnb.UMAP().Iterations(1).MustFit(d)} {
		if got, want := m.Report().Params[name], alone.Report().Params["neighbors"]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestThenErrors(t *testing.T) {
	d := blobs(6, 1)
	for name, c := range map[string]struct {
		chain ssdrnb.Spec
		says  string
	}{
		"layout first":     {ssdrnb.Then(ssdrnb.UMAP(), ssdrnb.TSNE()), "linear or a kernel method"},
		"linear second":    {ssdrnb.Then(ssdrnb.PCA(), ssdrnb.LDA()), "linear or a kernel method"},
		"bad first option": {ssdrnb.Then(ssdrnb.PCA().Dims(0), ssdrnb.TSNE()), "PCA: dims = 0"},
		"bad later option": {ssdrnb.Then(ssdrnb.PCA(), ssdrnb.TSNE()).With("PCA dims", 0), "PCA then t-SNE: PCA dims = 0"},
		"too many":         {ssdrnb.Then(ssdrnb.PCA().Dims(9), ssdrnb.TSNE()), "PCA then t-SNE: PCA dims = 9"},
		"neighbors":        {ssdrnb.Then(ssdrnb.PCA(), ssdrnb.UMAP().Neighbors(400)), "PCA then UMAP: neighbors = 400"},
		"one twice":        {ssdrnb.Then(ssdrnb.PCA().Dims(3), ssdrnb.Then(ssdrnb.PCA().Dims(2), ssdrnb.UMAP())), "two options would have the name PCA dims"},
		"unknown":          {ssdrnb.New("PCA then XYZ"), "no such method"},
	} {
		if _, err := c.chain.Fit(d); !errors.Is(err, ssdrnb.ErrOption) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
