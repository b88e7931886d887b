package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func TestSurvey(t *testing.T) {
	train, test := datasets.Wine().Standardize().KeepLabels(5).Seed(1).Split(0.6)
	list := []ssdrnb.Estimator{ssdrnb.PCA(), ssdrnb.LAE(), ssdrnb.S2LAE(), ssdrnb.LDA().Dims(40), ssdrnb.SDA()}
	s, err := ssdrnb.Survey(train, list...).Test(test).Run(t.Context())
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
	// Laplacian eigenmaps may have no rule for new points; exactly then the score is NaN.
	if _, err := s[1].Model.Transform(test.X); err != nil != math.IsNaN(s[1].Test) {
		t.Errorf("LAE: Transform gives %v, the score is %v", err, s[1].Test)
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

	// Without labels only methods that need none remain; without test data there is no score.
	s, err = ssdrnb.Survey(train.HideLabels(), ssdrnb.PCA(), ssdrnb.SDA()).Run(t.Context())
	if err != nil || s[0].Err != nil || !errors.Is(s[1].Err, ssdrnb.ErrNeedsLabels) || !math.IsNaN(s[0].Test) || !math.IsNaN(s[0].Unlabelled) {
		t.Errorf("without labels: %v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ssdrnb.Survey(train, list...).Test(test).Run(ctx); !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := ssdrnb.Survey(nil).Run(t.Context()); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("no data: %v", err)
	}
	if _, err := ssdrnb.Survey(train).Test(ssdrnb.NewData(nil, nil)).Run(t.Context()); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("bad test data: %v", err)
	}
	if _, err := ssdrnb.Survey(train).Dims(0).Run(t.Context()); !errors.Is(err, ssdrnb.ErrOption) {
		t.Errorf("no dimension: %v", err)
	}
}

// fixed are the methods with one dimension per class.
var fixed = []ssdrnb.Estimator{ssdrnb.FME(), ssdrnb.LMRAG(), ssdrnb.LapRLS()}

// A reduced model is the PCA of the embedding, maps new points, and can be saved.
func TestReduce(t *testing.T) {
	train, test := datasets.Wine().Standardize().KeepLabels(5).Seed(1).Split(0.6)
	for _, e := range fixed {
		whole := e.Spec().MustFit(train)
		if whole.Dims() != 3 {
			t.Fatalf("%s has %d dimensions", whole.Method(), whole.Dims())
		}
		m, err := whole.Reduce(2)
		if err != nil {
			t.Fatal(err)
		}
		_, centred := dense.Center(whole.Embedding())
		variances, _, err := dense.Principal(centred)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range train.Len() {
			for _, v := range m.Embedding().RawRowView(i) {
				sum += v * v
			}
		}
		if want := variances[0] + variances[1]; m.Dims() != 2 || math.Abs(sum-want) > 1e-8*want {
			t.Errorf("%s: %d dimensions with the variance %v, want %v", m.Method(), m.Dims(), sum, want)
		}
		y, err := m.Transform(train.X)
		if err != nil || !mat.EqualApprox(y, m.Embedding(), 1e-8*mat.Norm(whole.Embedding(), 2)) {
			t.Errorf("%s: the map leaves the embedding, %v", m.Method(), err)
		}
		read := reloaded(t, m)
		if z, err := read.Transform(test.X); err != nil || z == nil {
			t.Errorf("%s: read back: %v", m.Method(), err)
		} else if now, _ := m.Transform(test.X); !mat.Equal(z, now) {
			t.Errorf("%s: the model that was read embeds otherwise", m.Method())
		}
		if whole.Dims() != 3 {
			t.Errorf("%s: the model itself was reduced", m.Method())
		}
		if same, err := whole.Reduce(9); err != nil || same != whole {
			t.Errorf("%s in 9 dimensions: %v, %v", m.Method(), same, err)
		}
		if _, err := whole.Reduce(0); !errors.Is(err, ssdrnb.ErrOption) {
			t.Errorf("%s in 0 dimensions: %v", m.Method(), err)
		}
	}
	if _, err := ssdrnb.LLE().Dims(3).MustFit(train).Reduce(2); !errors.Is(err, ssdrnb.ErrNotLinear) {
		t.Errorf("LLE: %v", err)
	}
}

// Methods with a fixed dimension are compared in the requested dimension.
func TestEqualDimensions(t *testing.T) {
	train, test := datasets.Digits().KeepLabels(5).Seed(1).SplitPerClass(15, 15)
	both := append([]ssdrnb.Estimator{ssdrnb.LDA()}, fixed...)
	c, err := ssdrnb.Compare(train, both...).Dims(1, 2, 5, 30).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssdrnb.Survey(train, both...).Test(test).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range fixed {
		whole := e.Spec().MustFit(train)
		curve, one := c.Curves[k+1], s[k+1]
		for i, d := range c.Dims {
			m, err := whole.Reduce(d)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := m.Score(ssdrnb.NearestNeighbor, nil)
			if got := curve.Unlabelled[i].Mean(); got != want || m.Dims() != min(d, 10) {
				t.Errorf("%s at %d: %v, want %v in %d dimensions", m.Method(), d, got, want, m.Dims())
			}
		}
		if low, high := curve.Unlabelled[0].Mean(), curve.Unlabelled[3].Mean(); low >= high-0.1 {
			t.Errorf("%s: one dimension scores %v, all ten %v", whole.Method(), low, high)
		}
		if curve.Fixed != 10 || one.Fixed != 10 || one.Model.Dims() != 2 || one.Test >= 0.8 || one.Unlabelled != curve.Unlabelled[1].Mean() {
			t.Errorf("%s: fixed %d and %d, surveyed in %d dimensions, test %v", whole.Method(), curve.Fixed, one.Fixed, one.Model.Dims(), one.Test)
		}
	}
	if c.Curves[0].Fixed != 0 || s[0].Fixed != 0 {
		t.Errorf("LDA has a fixed dimension: %d, %d", c.Curves[0].Fixed, s[0].Fixed)
	}
	if text := c.String(); strings.Count(text, "(has 10; reduced by PCA)") != 3 {
		t.Errorf("the comparison reads\n%s", text)
	}
	if text := s.String(); strings.Count(text, " 2/10 ") != 3 || !strings.Contains(text, "FME, LMRAG, LapRLS/L: one dimension per class") {
		t.Errorf("the survey reads\n%s", text)
	}
	// Embeddings of different dimensions are not compared side by side.
	s, err = ssdrnb.Survey(train, ssdrnb.LDA().Dims(5), ssdrnb.PCA(), ssdrnb.MMC().Dims(5)).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(s.String(), "\n"); !strings.HasPrefix(lines[1], "PCA") || lines[2] != "" || !strings.HasPrefix(lines[3], "LDA") {
		t.Errorf("the survey reads\n%s", s)
	}
	if all, err := ssdrnb.Survey(train, ssdrnb.LDA().Dims(5), ssdrnb.FME()).Dims(3).Run(t.Context()); err != nil || all[0].Model.Dims() != 3 || all[1].Model.Dims() != 3 {
		t.Errorf("in three dimensions: %v, %v", all, err)
	}
}

// A second survey reads the scores from disk; other data have other scores.
func TestRememberedScores(t *testing.T) {
	models := remembering(t)
	train, test := datasets.Wine().Standardize().KeepLabels(5).Seed(1).Split(0.6)
	survey := func(train, test *ssdrnb.Data) ssdrnb.Surveyed {
		s, err := ssdrnb.Survey(train, ssdrnb.SDA()).Test(test).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s[0]
	}
	first := survey(train, test)
	dir := filepath.Dir(models()[0])
	files, err := filepath.Glob(filepath.Join(dir, "*.scores"))
	if err != nil || len(files) != 1 {
		t.Fatalf("remembered scores: %v, %v", files, err)
	}
	again := survey(train, test)
	if again.Test != first.Test || again.Unlabelled != first.Unlabelled || again.Trustworthiness != first.Trustworthiness {
		t.Errorf("again %v, first %v", again, first)
	}
	// They are read from the file.
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	copy(raw[8:], raw[16:24])
	if err := os.WriteFile(files[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := survey(train, test); got.Test != first.Trustworthiness {
		t.Errorf("not read back: %v", got.Test)
	}
	// A truncated file is ignored, and so are files of other samples or classes.
	if err := os.WriteFile(files[0], raw[:20], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := survey(train, test); got.Test != first.Test {
		t.Errorf("after a torn file: %v, want %v", got.Test, first.Test)
	}
	blind := *train
	blind.Truth = train.Labels
	if got := survey(&blind, test); !math.IsNaN(got.Unlabelled) || got.Test != first.Test {
		t.Errorf("without hidden classes: %v, %v", got.Unlabelled, got.Test)
	}
	renamed := *test
	renamed.FeatureNames = slices.Repeat([]string{"other"}, test.Dim())
	if got := survey(train, &renamed); !math.IsNaN(got.Test) || got.Unlabelled != first.Unlabelled {
		t.Errorf("with other features in the test data: %v, %v", got.Test, got.Unlabelled)
	}
	if got := survey(train, test); got.Test != first.Test {
		t.Errorf("with the same features again: %v, want %v", got.Test, first.Test)
	}
	_, unscaled := datasets.Wine().KeepLabels(5).Seed(1).Split(0.6)
	if scaled, not := survey(train, unscaled), survey(train.WithScaling(data.Scaling{}), unscaled); scaled.Test != first.Test || not.Test == first.Test {
		t.Errorf("in original units: %v, and %v if these are not known", scaled.Test, not.Test)
	}
	if got := survey(train, nil); !math.IsNaN(got.Test) || got.Unlabelled != first.Unlabelled {
		t.Errorf("without test data: %v, %v", got.Test, got.Unlabelled)
	}
}

// The columns of the table are aligned, whatever a method uses.
func TestSurveyColumns(t *testing.T) {
	var s ssdrnb.SurveyResult
	model := ssdrnb.PCA().MustFit(datasets.Iris())
	for _, m := range ssdrnb.Methods() {
		s = append(s, ssdrnb.Surveyed{Spec: ssdrnb.New(m.Name), Model: model, Unlabelled: 0.5, Test: 0.5, Trustworthiness: 0.5})
	}
	rows := strings.Split(strings.TrimSpace(s.String()), "\n")
	for _, row := range rows {
		if got, want := utf8.RuneCountInString(row), utf8.RuneCountInString(rows[0]); got != want {
			t.Errorf("%q has %d characters, the head %d", row, got, want)
		}
	}
}

// If all labels are known to the methods, the table advises how to hide some.
func TestSurveyWithoutScores(t *testing.T) {
	own := *datasets.Iris().KeepLabels(10).Seed(1)
	own.Truth = slices.Clone(own.Labels)
	for d, want := range map[*ssdrnb.Data]bool{&own: true, own.Validation(0.3): false, own.HideLabels(): false} {
		table := ssdrnb.Survey(d, ssdrnb.PCA(), ssdrnb.LPP()).MustRun().String()
		if got := strings.Contains(table, "no accuracy:") && strings.Contains(table, "Validation(0.3)"); got != want {
			t.Errorf("advice is %v, want %v:\n%s", got, want, table)
		}
	}
}
