package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func recommend(t *testing.T, d *data.Data) *ssdrnb.Recommendation {
	t.Helper()
	r, err := ssdrnb.Recommend(t.Context(), d, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The ranking is descending and finite, has a justification, and its first method fits.
func TestRecommend(t *testing.T) {
	d := datasets.Wine().Standardize().Take(16).KeepLabels(6)
	r := recommend(t, d)
	if r.Labels != 18 || r.Hidden < 5 || !(r.Sure > 0 && r.Sure <= 1) || len(r.Ranked) < 20 {
		t.Errorf("%d labels, %d hidden, sure %v, %d methods", r.Labels, r.Hidden, r.Sure, len(r.Ranked))
	}
	tried := 0
	for k, one := range r.Ranked {
		ahead := 1e-12
		if k > 0 && r.Ranked[k-1].Spec.Method().Name == "S2NE" { // the benchmark's favourite has a lead
			ahead += 0.05
		}
		if k > 0 && one.Err == nil && one.Accuracy > r.Ranked[k-1].Accuracy+ahead {
			t.Errorf("%s is ranked below %s", one.Spec, r.Ranked[k-1].Spec)
		}
		if math.IsNaN(one.Accuracy) || math.IsNaN(one.Error) || math.IsNaN(one.Prior) || one.Accuracy < 0 || one.Accuracy > 1 {
			t.Errorf("%s: accuracy %v ± %v, prior %v", one.Spec, one.Accuracy, one.Error, one.Prior)
		}
		if one.Fits > 0 {
			tried++
		}
	}
	if tried < 5 {
		t.Errorf("only %d methods were fitted", tried)
	}
	m, err := r.Best().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ssdrnb.NearestNeighbor(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s: %.3f of the hidden labels", r, r.Best(), got)
	if !strings.Contains(r.String(), r.Best().Method().Name) || !strings.Contains(r.String(), "hidden") {
		t.Error(r)
	}
}

// The recommendation does not read hidden labels.
func TestRecommendIsBlind(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().Take(14).KeepLabels(5)
	other := *d
	other.Truth = slices.Clone(d.Labels)
	a, b := recommend(t, d), recommend(t, &other)
	for k := range a.Ranked {
		if a.Ranked[k].Spec.String() != b.Ranked[k].Spec.String() || a.Ranked[k].Accuracy != b.Ranked[k].Accuracy {
			t.Fatalf("place %d: %v with the truth, %v without", k, a.Ranked[k], b.Ranked[k])
		}
	}
}

// With one label per class none can be hidden: the ranking uses the benchmark alone, and reports
// this.
func TestRecommendWithOneLabel(t *testing.T) {
	r := recommend(t, datasets.Iris().KeepLabels(1))
	if r.Hidden != 0 || !strings.Contains(r.String(), "the benchmark alone") {
		t.Error(r)
	}
	for _, one := range r.Ranked {
		if math.Abs(one.Accuracy-one.Prior) > 1e-12 {
			t.Errorf("%s: %v is not the prior %v", one.Spec, one.Accuracy, one.Prior)
		}
	}
}

// On data made for one of two methods that method is found: no linear map unfolds a ring within a
// ring.
func TestRecommendFindsStructure(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	r := recommend(t, datasets.HalfCircles(3).Take(30).KeepLabels(6))
	place := func(name string) int {
		return slices.IndexFunc(r.Ranked, func(one ssdrnb.Recommended) bool { return one.Spec.Method().Name == name })
	}
	if place("S2NE") > place("PCA") {
		t.Error(r)
	}
}

// related returns d with distances instead of features.
func related(d *data.Data) *data.Data {
	return data.FromDistances(mat.NewSymDense(d.Len(), distances(d.X).RawMatrix().Data)).WithClasses(d.Truth)
}

func TestRecommendRefuses(t *testing.T) {
	d := datasets.Iris()
	near, err := graph.Search(t.Context(), d.X, 9, graph.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ended, stop := context.WithCancel(context.Background())
	stop()
	for name, c := range map[string]struct {
		ctx    context.Context
		d      *data.Data
		budget time.Duration
		want   error
	}{
		"no data":          {t.Context(), nil, 0, ssdrnb.ErrData},
		"failed data":      {t.Context(), data.Failed("x", errors.New("y")), 0, ssdrnb.ErrData},
		"invalid data":     {t.Context(), &data.Data{X: d.X, Labels: []int{0, 1}}, 0, ssdrnb.ErrData},
		"distances":        {t.Context(), related(d), 0, ssdrnb.ErrData},
		"neighbours":       {t.Context(), data.FromNeighbors(9, near.Index, near.Dist).WithClasses(d.Truth), 0, ssdrnb.ErrData},
		"sparse rows":      {t.Context(), data.NewSparse(sparse.FromDense(d.X), d.Truth), 0, ssdrnb.ErrData},
		"negative budget":  {t.Context(), d.KeepLabels(5), -1, ssdrnb.ErrOption},
		"no labels":        {t.Context(), d.HideLabels(), 0, ssdrnb.ErrNeedsLabels},
		"one class":        {t.Context(), d.Only(1), 0, ssdrnb.ErrNeedsLabels},
		"equal samples":    {t.Context(), ssdrnb.NewData(mat.NewDense(90, 5, nil), byThirds(90)).KeepLabels(4), time.Minute, ssdrnb.ErrData},
		"an ended context": {ended, d.KeepLabels(5), 0, ssdrnb.ErrCancelled},
	} {
		r, err := ssdrnb.Recommend(c.ctx, c.d, c.budget)
		var typed *ssdrnb.Error
		if r != nil || !errors.Is(err, c.want) || !errors.As(err, &typed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The models have the order of the ranking, each has a line of code, and a zero value gives errors.
func TestRecommendedModels(t *testing.T) {
	d := datasets.Iris().KeepLabels(1)
	r := recommend(t, d)
	models, err := r.Models(t.Context(), 3)
	if err != nil || len(models) != 3 {
		t.Fatal(len(models), err)
	}
	if n, _ := models[0].Embedding().Dims(); n != d.Len() || models[0].Method() != r.Best().Method().Name {
		t.Errorf("%s of %d samples", models[0].Method(), n)
	}
	one := ssdrnb.Recommended{Spec: ssdrnb.New("S2NE").With("dims", 3)}
	if got := one.Code(); got != `ssdrnb.New("S2NE").With("dims", 3).Fit(data)` {
		t.Error(got)
	}
	var none ssdrnb.Recommendation
	if none.Best().Err() == nil || !strings.Contains(none.String(), "no methods") {
		t.Errorf("%v, %q", none.Best().Err(), none.String())
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		r    *ssdrnb.Recommendation
		ctx  context.Context
		n    int
		want error
	}{
		"no recommendation": {nil, t.Context(), 1, ssdrnb.ErrData},
		"an empty one":      {&none, t.Context(), 1, ssdrnb.ErrData},
		"no model":          {r, t.Context(), 0, ssdrnb.ErrOption},
		"an ended context":  {r, ended, 1, ssdrnb.ErrCancelled},
	} {
		if m, err := c.r.Models(c.ctx, c.n); m != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// byThirds returns the labels 0, 1 and 2 of three groups of samples.
func byThirds(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 3 * i / n
	}
	return out
}
