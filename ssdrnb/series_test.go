package ssdrnb_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// A series gives the models of separate fits, whatever was fitted before.
func TestSeries(t *testing.T) {
	d := datasets.Wine().KeepLabels(5).Seed(1)
	s := ssdrnb.NewSeries(d)
	for _, e := range []ssdrnb.Estimator{ssdrnb.TRSDA(), ssdrnb.TRSDA().Neighbors(4), ssdrnb.TRSDA().Manifold(2), ssdrnb.SDA(), ssdrnb.TRSDA().Manifold(2), ssdrnb.TRSDA().PCA(0.9),
		ssdrnb.TRSDA().Neighbors(1), ssdrnb.TRSDA().Neighbors(17), ssdrnb.TRSDA().Neighbors(177), ssdrnb.LAE().Neighbors(5), ssdrnb.LAE().Neighbors(6), ssdrnb.LAE().Neighbors(40)} {
		got, err := s.FitContext(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.FitContext(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Embedding(), want.Embedding()) {
			t.Errorf("%v: the series' embedding is not that of a fit of its own", e)
		}
	}
	if _, err := s.FitContext(context.Background(), ssdrnb.TRSDA().Neighbors(0)); err == nil {
		t.Error("a bad option is fitted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.FitContext(ctx, ssdrnb.TRSDA().Neighbors(11)); err == nil {
		t.Error("a cancelled fit succeeds")
	}
	if _, err := s.FitContext(context.Background(), ssdrnb.TRSDA().Neighbors(11)); err != nil {
		t.Errorf("after a cancelled fit: %v", err)
	}
}

// Suggestions for other labels, and their errors, equal those of separate calls.
func TestSeriesSuggests(t *testing.T) {
	d := datasets.Wine().Standardize()
	s := ssdrnb.NewSeries(d)
	for seed := range uint64(3) {
		labels := d.KeepLabels(4).Seed(seed).Labels
		want, err := ssdrnb.Suggest(t.Context(), d.WithLabels(labels), 4)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Suggest(t.Context(), labels, 4); err != nil || !slices.Equal(got, want) {
			t.Errorf("seed %d: %v (%v), want %v", seed, got, err, want)
		}
	}
	if _, err := s.Suggest(t.Context(), []int{1}, 4); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("too few labels: %v", err)
	}
}

// Opinions and suspicions of a series equal those of separate calls on data with these labels, also
// with concurrent callers.
func TestSeriesHasOpinions(t *testing.T) {
	d := datasets.Digits().Take(40).KeepLabels(6).Seed(1)
	s := ssdrnb.NewSeries(d.HideLabels())
	for _, labels := range [][]int{d.Labels, datasets.Digits().Take(40).KeepLabels(3).Seed(2).Labels} {
		got, err := s.Opinions(t.Context(), labels)
		if err != nil {
			t.Fatal(err)
		}
		alone := d.HideLabels().WithLabels(labels)
		want, err := ssdrnb.Opinions(t.Context(), alone)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Probabilities(), want.Probabilities()) || !slices.Equal(got.Predicted(), want.Predicted()) {
			t.Error("the probabilities differ from those of separate opinions")
		}
		suspicions, err := ssdrnb.Suspicions(t.Context(), alone)
		if err != nil {
			t.Fatal(err)
		}
		tables := make(chan *ssdrnb.SuspicionTable)
		for range 3 {
			go func() {
				table, err := got.Suspicions(t.Context())
				if err != nil {
					t.Error(err)
				}
				tables <- table
			}()
		}
		for range 3 {
			if table := <-tables; table.String() != suspicions.String() {
				t.Errorf("suspicious are\n%v, want\n%v", table, suspicions)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o, err := s.Opinions(t.Context(), d.Labels)
	if err != nil {
		t.Fatal(err)
	}
	var e *ssdrnb.Error
	if _, err := o.Suspicions(ctx); err != nil && (!errors.Is(err, ssdrnb.ErrCancelled) || !errors.As(err, &e) || e.Remedy == "") {
		t.Errorf("cancelled: %v", err)
	}
}

// An embedding that follows labels given one by one predicts as many hidden ones as a new fit, and
// preserves neighbourhoods as well. Hidden labels have no effect.
func TestSeriesFollows(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	all := datasets.Digits()
	rows := make([]int, 0, 450)
	for i := 0; i < all.Len(); i += 4 {
		rows = append(rows, i)
	}
	d := all.Subset(rows)
	bare := d.HideLabels()
	first, err := ssdrnb.S2NE().FitContext(t.Context(), bare)
	if err != nil {
		t.Fatal(err)
	}
	given := d.KeepLabels(2).Seed(1)
	follow := func(d *data.Data) *mat.Dense {
		s, y := ssdrnb.NewSeries(d), first.Embedding()
		labels := slices.Repeat([]int{data.Unlabelled}, d.Len())
		for i, l := range given.Labels {
			if l == data.Unlabelled {
				continue
			}
			labels[i] = l
			o, err := s.Opinions(t.Context(), labels)
			if err != nil {
				t.Fatal(err)
			}
			if y, err = s.Follow(t.Context(), o, y); err != nil {
				t.Fatal(err)
			}
		}
		return y
	}
	y := follow(bare)
	fitted, err := ssdrnb.S2NE().FitContext(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	rate := func(y *mat.Dense) (hit, trust float64) {
		near, err := graph.Search(t.Context(), y, 5, graph.SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Len() {
			index, _ := near.Of(i)
			for _, j := range index {
				if d.Truth[i] == d.Truth[j] {
					hit += 1 / float64(5*d.Len())
				}
			}
		}
		trust, err = metrics.Trustworthiness(t.Context(), d.X, y, 5)
		if err != nil {
			t.Fatal(err)
		}
		return hit, trust
	}
	hit, trust := rate(y)
	wantHit, wantTrust := rate(fitted.Embedding())
	t.Logf("neighbours of the same class %.3f, of a new fit %.3f; trustworthiness %.3f, %.3f", hit, wantHit, trust, wantTrust)
	if hit < wantHit-0.01 || trust < wantTrust-0.01 {
		t.Errorf("neighbours of the same class %.3f, of a new fit %.3f; trustworthiness %.3f, %.3f", hit, wantHit, trust, wantTrust)
	}
	other := *bare
	other.Truth = slices.Clone(bare.Truth)
	slices.Reverse(other.Truth)
	if !mat.Equal(follow(&other), y) {
		t.Error("hidden labels change the embedding")
	}

	s := ssdrnb.NewSeries(bare)
	o, err := s.Opinions(t.Context(), given.Labels)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if y, err := s.Follow(ctx, o, y); y != nil || !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("after the end: %v", err)
	}
	tiny := mat.DenseCopyOf(y)
	tiny.Scale(1e-6, tiny)
	if y, err := s.Follow(t.Context(), o, tiny); err != nil || mat.Norm(y, 2) < 1 {
		t.Errorf("from positions on another scale: %v", err)
	}
	for name, start := range map[string]*mat.Dense{"none": nil, "of others": mat.NewDense(3, 2, nil), "equal": mat.NewDense(d.Len(), 2, nil), "of a space": mat.NewDense(d.Len(), 3, nil)} {
		if _, err := s.Follow(t.Context(), o, start); err == nil {
			t.Errorf("positions, %s, are taken", name)
		}
	}
	if _, err := s.Follow(t.Context(), nil, y); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("without opinions: %v", err)
	}
	if _, err := ssdrnb.NewSeries(datasets.Wine()).Follow(t.Context(), o, y); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("with opinions on others: %v", err)
	}
}
