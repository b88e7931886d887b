package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func TestSurvey(t *testing.T) {
	train, test := datasets.Wine().Standardize().KeepLabels(5).Seed(1).Split(0.6)
	list := []ssdrnb.Estimator{ssdrnb.PCA(), ssdrnb.LAE(), ssdrnb.S2LAE(), ssdrnb.LDA().Dims(40), ssdrnb.SDA()}
	s, err := ssdrnb.NewSurvey(context.Background(), train, test, list...)
	if err != nil || len(s) != len(list) {
		t.Fatalf("%v, %v", s, err)
	}
	m := ssdrnb.SDA().MustFit(train)
	right, _ := m.Score(ssdrnb.NearestNeighbor, test)
	hidden, _ := m.Score(ssdrnb.NearestNeighbor, nil)
	trust, _ := metrics.Trustworthiness(context.Background(), train.X, m.Embedding(), 10)
	if got := s[4]; got.Test != right || got.Unlabelled != hidden || got.Trustworthiness != trust || got.Time <= 0 {
		t.Errorf("SDA: %+v, want %v, %v, %v", got, right, hidden, trust)
	}
	// Laplacian eigenmaps may have no rule for new points, but never a wrong score.
	if _, err := s[1].Model.Transform(test.X); err != nil != math.IsNaN(s[1].Test) {
		t.Errorf("LAE: transform says %v, the score is %v", err, s[1].Test)
	}
	if got := s[3]; got.Model != nil || !errors.Is(got.Err, ssdrnb.ErrOption) || !math.IsNaN(got.Test) {
		t.Errorf("LDA in 40 dimensions: %+v", got)
	}
	if text := s.String(); !strings.Contains(text, "LDA could not be fitted: LDA: dims = 40") || strings.Count(text, "\n") != 1+len(list) {
		t.Errorf("the survey reads\n%s", text)
	}
	if of := s.Of(ssdrnb.NoKnowledge); len(of) != 2 || of[1].Spec.Method().Name != "LAE" {
		t.Errorf("without labels: %v", of)
	}

	// Data without labels leave what needs none; without test data there is no score.
	s, err = ssdrnb.NewSurvey(context.Background(), train.HideLabels(), nil, ssdrnb.PCA(), ssdrnb.SDA())
	if err != nil || s[0].Err != nil || !errors.Is(s[1].Err, ssdrnb.ErrNeedsLabels) || !math.IsNaN(s[0].Test) || !math.IsNaN(s[0].Unlabelled) {
		t.Errorf("without labels: %v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ssdrnb.NewSurvey(ctx, train, test, list...); !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := ssdrnb.NewSurvey(context.Background(), nil, nil); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("no data: %v", err)
	}
}
