package ssdrnb_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
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

// Suggestions for other labels are those of separate calls, and their errors too.
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

// Opinions of a series are those of separate calls on data with these labels, and what they
// find suspicious too, for several callers at once.
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
