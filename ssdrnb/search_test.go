package ssdrnb_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

const recallFact = "recall of the approximate search"

// Every method with the option uses the given search and reports it.
func TestSearchOption(t *testing.T) {
	if testing.Short() {
		t.Skip("package graph tests the search itself")
	}
	d := datasets.Mixture(4200, 12, 2).KeepLabels(3).Seed(1)
	methods := []ssdrnb.Estimator{ssdrnb.LPP(), ssdrnb.UMAP().Iterations(1), ssdrnb.LAE(), ssdrnb.S2LAE(), ssdrnb.LLE(), ssdrnb.TRSDA(), ssdrnb.TSNE().Perplexity(5).EarlyIterations(1).Iterations(1)}
	if onceOnly() {
		methods = methods[:2]
	}
	for _, m := range methods {
		for how, want := range map[ssdrnb.Search]bool{ssdrnb.AutoSearch: false, ssdrnb.ExactSearch: false, ssdrnb.ApproximateSearch: true} {
			s := m.Spec().With("search", how).With("recall", 0.9)
			model, err := s.Fit(d)
			if err != nil {
				t.Fatalf("%v: %v", s, err)
			}
			recall, told := model.Report().Fact(recallFact)
			if told != want || told && recall < 0.85 {
				t.Errorf("%v: recall %v in the report: %v", s, recall, told)
			}
		}
	}
}

// In noise with many features nearest neighbours are hard to find: a warning reports that many were
// missed. For data with structure there is no warning.
func TestMissedNeighborsAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rng := rand.New(rand.NewPCG(5, 1))
	x := mat.NewDense(4200, 200, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
	}
	said := func(d *data.Data) (float64, bool) {
		m, err := ssdrnb.LPP().Search(ssdrnb.ApproximateSearch).Fresh().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		recall, _ := m.Report().Fact(recallFact)
		return recall, slices.ContainsFunc(m.Report().Warnings, func(s string) bool { return strings.Contains(s, "approximate search found") })
	}
	noise := data.New(x, nil)
	if recall, told := said(noise); recall > 0.85 || !told {
		t.Errorf("noise: recall %v, a warning: %v", recall, told)
	}
	m, err := ssdrnb.LPP().Search(ssdrnb.ExactSearch).Fresh().Fit(noise) // as advised
	if err != nil || len(warnings(m, "search found")) > 0 {
		t.Errorf("noise, searched exactly: %v, warnings %q", err, m.Report().Warnings)
	}
	if recall, told := said(datasets.Mixture(4200, 30, 1)); recall < 0.93 || told {
		t.Errorf("groups: recall %v, a warning: %v", recall, told)
	}
}

// The documentation lists the methods with the option: all that search neighbours of all samples,
// whatever their labels.
func TestSearchOptionIsEverywhere(t *testing.T) {
	without := map[string]string{
		"SLLE": "distances depend on labels", "S-Isomap": "distances depend on labels",
		"SSDA":  "paths in the complete graph take as long",
		"S3RMM": "a sixth of the samples are neighbours", "KS3RMM": "a sixth of the samples are neighbours",
	}
	for _, m := range ssdrnb.Methods() {
		_, neighbors := m.Param("neighbors")
		_, perplexity := m.Param("perplexity")
		_, search := m.Param("search")
		_, recall := m.Param("recall")
		_, metric := m.Param("metric")
		if want := (neighbors || perplexity) && without[m.Name] == ""; search != want || recall != want || metric && !search {
			t.Errorf("%s: search %v, recall %v, metric %v", m.Name, search, recall, metric)
		}
	}
}

// Cosine distances ignore the lengths of samples, correlation distances their means as well; for
// new points too, and after saving.
func TestMetric(t *testing.T) {
	d := blobs(6, 1)
	scaled := *d
	scaled.X = mat.DenseCopyOf(d.X)
	for i := range d.Len() {
		row := scaled.X.RawRowView(i)
		for j := range row {
			row[j] = math.Ldexp(row[j], i%5-2) // exact
		}
	}
	shifted := *d
	shifted.X = mat.DenseCopyOf(d.X)
	for i := range d.Len() {
		for j := range 6 {
			shifted.X.Set(i, j, d.X.At(i, j)+float64(i%3))
		}
	}
	for _, m := range []ssdrnb.Estimator{ssdrnb.UMAP().Iterations(3), ssdrnb.S2NE().Iterations(3), ssdrnb.TSNE().Start(ssdrnb.SpectralStart).EarlyIterations(2).Iterations(2),
		ssdrnb.LAE(), ssdrnb.LAE().Affinity(ssdrnb.SelfTuning), ssdrnb.LAE().Affinity(ssdrnb.Binary)} {
		cosine := m.Spec().With("metric", ssdrnb.Cosine)
		model, same, euclidean := cosine.MustFit(d), cosine.MustFit(&scaled), m.Spec().MustFit(d)
		if !mat.Equal(model.Embedding(), same.Embedding()) {
			t.Errorf("%v depends on the lengths of samples", cosine)
		}
		if mat.Equal(model.Embedding(), euclidean.Embedding()) {
			t.Errorf("%v is the Euclidean one", cosine)
		}
		loaded := reloaded(t, model)
		var placed []*mat.Dense
		for _, at := range []struct {
			m *ssdrnb.Model
			x *mat.Dense
		}{{model, d.X}, {model, scaled.X}, {loaded, scaled.X}} {
			y, err := at.m.Transform(at.x)
			if err != nil {
				t.Fatalf("%v: %v", cosine, err)
			}
			placed = append(placed, y)
		}
		if !mat.Equal(placed[0], placed[1]) || !mat.Equal(placed[1], placed[2]) {
			t.Errorf("%v: new points depend on their lengths, or on the file", cosine)
		}
		if m.Spec().Method().Name == "S2NE" { // its first layout is sensitive to rounding
			continue
		}
		correlation := m.Spec().With("metric", ssdrnb.Correlation)
		// With few iterations and well separated eigenvalues rounding errors stay small.
		if a, b := correlation.MustFit(d).Embedding(), correlation.MustFit(&shifted).Embedding(); !mat.EqualApprox(a, b, 1e-6*math.Max(1, mat.Max(a))) {
			t.Errorf("%v depends on the levels of samples", correlation)
		}
	}
	// A linear method projects the samples; its graph uses their directions.
	if a, b := ssdrnb.LPP().Metric(ssdrnb.Cosine).MustFit(d), ssdrnb.LPP().MustFit(d); mat.Equal(a.Embedding(), b.Embedding()) {
		t.Error("the graph of LPP does not read the metric")
	}
}

func TestMetricOfASampleWithoutDirection(t *testing.T) {
	d := blobs(6, 1)
	flat := *d
	flat.X = mat.DenseCopyOf(d.X)
	flat.X.SetRow(7, []float64{2, 2, 2, 2, 2, 2})
	zero := *d
	zero.X = mat.DenseCopyOf(d.X)
	zero.X.SetRow(7, make([]float64, 6))
	for _, m := range []ssdrnb.Estimator{ssdrnb.UMAP(), ssdrnb.LAE(), ssdrnb.LPP(), ssdrnb.KSDA()} {
		_, err := m.Spec().With("metric", ssdrnb.Cosine).Fit(&zero)
		_, err2 := m.Spec().With("metric", ssdrnb.Correlation).Fit(&flat)
		for _, err := range []error{err, err2} {
			var e *ssdrnb.Error
			if !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrData) || e.Param != "metric" || e.Remedy == "" {
				t.Errorf("%v: error %v", m.Spec(), err)
			}
		}
		if _, err := m.Spec().With("metric", ssdrnb.Cosine).Fit(&flat); err != nil {
			t.Errorf("%v: %v", m.Spec(), err)
		}
	}
}
