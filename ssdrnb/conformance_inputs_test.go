package ssdrnb_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// refused checks that an error names an option or a part of the data, and a remedy.
func refused(t *testing.T, what string, err error) {
	t.Helper()
	var e *ssdrnb.Error
	if !errors.As(err, &e) || e.Param == "" || e.Remedy == "" {
		t.Errorf("%s: an error without a part at fault or a remedy: %v", what, err)
	}
}

// survives checks a model by its embedding, and that it is the same after a file, with the
// same places for the given rows.
func survives(t *testing.T, what string, model *ssdrnb.Model, rows *mat.Dense) {
	t.Helper()
	if err := data.CheckFinite(model.Embedding()); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := model.Save(path); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	again, err := ssdrnb.Load(path)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !mat.Equal(model.Embedding(), again.Embedding()) {
		t.Errorf("%s: another embedding after a file", what)
	}
	want, err := model.Transform(rows)
	got, errAgain := again.Transform(rows)
	switch {
	case errors.Is(err, ssdrnb.ErrNoTransform) && errors.Is(errAgain, ssdrnb.ErrNoTransform):
	case err != nil || errAgain != nil:
		t.Errorf("%s: Transform: %v, and after a file %v", what, err, errAgain)
	case !mat.Equal(want, got):
		t.Errorf("%s: Transform gives something else after a file", what)
	}
}

// Every metric of a method gives a model of positive samples that survives a file, or an
// error with a remedy.
func testMetrics(t *testing.T, m *ssdrnb.Method) {
	p, ok := m.Param("metric")
	if !ok {
		return
	}
	d := blobs(6, 12)
	x := mat.DenseCopyOf(d.X)
	x.Apply(func(_, j int, v float64) float64 { // with zeros, and no sample of zeros alone
		return math.Round(4*max(0, v-1)+float64(1+j)*max(0, 1-float64(j))) / 4
	}, x)
	d = data.New(x, d.Labels).WithPairs(d.Pairs)
	for _, metric := range p.Choices {
		model, err := brief(m, 2, 5).With("metric", metric).Fit(d)
		second := slices.Contains(chains, m) // whose metric compares what the first method leaves
		switch haversine := metric == string(ssdrnb.Haversine); {
		case err != nil:
			if refused(t, metric, err); !haversine && !second {
				t.Errorf("%s: %v", metric, err)
			}
			continue
		case haversine && !second:
			t.Errorf("the haversine distance of 6 features is none")
			continue
		}
		survives(t, metric, model, d.X.Slice(0, 3, 0, 6).(*mat.Dense))
	}
}
