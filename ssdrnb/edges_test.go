package ssdrnb_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Methods at the limits of float64: results are usable, or an error or a warning reports that they
// are not.

// inUnits returns d with its samples multiplied by f.
func inUnits(d *data.Data, f float64) *data.Data {
	c := *d
	c.X = mat.DenseCopyOf(d.X)
	c.X.Scale(f, c.X)
	return &c
}

// usable reports whether the distances of the rows of y are finite.
func usable(y *mat.Dense) bool {
	n, _ := y.Dims()
	d := distances(y)
	for i := range n {
		for _, v := range d.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// TestNewSamplesFarOut embeds and classifies samples of all magnitudes by models of data of all
// magnitudes.
func TestNewSamplesFarOut(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	for _, m := range ssdrnb.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			labelsPerClass = 8
			if m.Func == "NLDA" {
				labelsPerClass = 2
			}
			d := blobs(6, 17)
			spec := brief(m, 2, 5)
			for _, unit := range []float64{1e-120, 1, 1e120} {
				fitted := inUnits(d, unit)
				model, err := spec.Fit(fitted)
				if err != nil {
					wantTyped(t, m, fmt.Sprintf("data times %g", unit), err)
					continue
				}
				for _, f := range []float64{1, 1e100, 1e150, 1e180, 1e300} {
					if unit*f > 1e300 {
						continue
					}
					what := fmt.Sprintf("data times %g, new samples times %g more", unit, f)
					y, err := model.Transform(inUnits(fitted, f).X)
					if errors.Is(err, ssdrnb.ErrNoTransform) {
						continue
					}
					if err == nil && !usable(y) {
						t.Errorf("%s: neither usable nor an error", what)
					}
					if err != nil {
						wantTyped(t, m, what, err)
						if !errors.Is(err, ssdrnb.ErrData) && !errors.Is(err, ssdrnb.ErrNumerical) {
							t.Errorf("%s: got %v", what, err)
						}
					}
					if f == 1 && err != nil {
						t.Errorf("%s: %v", what, err)
					}
					if _, predictErr := model.Predict(inUnits(fitted, f).X); (predictErr == nil) != (err == nil) {
						t.Errorf("%s: Predict gives %v, Transform %v", what, predictErr, err)
					}
					toClasses, distErr := model.ClassDistances(inUnits(fitted, f).X)
					if (distErr == nil) != (err == nil) {
						t.Errorf("%s: ClassDistances gives %v, Transform %v", what, distErr, err)
					}
					if distErr == nil && data.CheckFinite(toClasses) != nil {
						t.Errorf("%s: ClassDistances gives %v", what, data.CheckFinite(toClasses))
					}
				}
			}
		})
	}
}

// The landmark formula multiplies squared distances by coordinates. The product may overflow
// although the result is small.
func TestIsomapFindsItsSamplesInAnyUnit(t *testing.T) {
	for _, unit := range []float64{1e-120, 1, 1e120} {
		d := inUnits(blobs(6, 18), unit)
		model, err := ssdrnb.Isomap().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		y, err := model.Transform(d.X)
		if err != nil {
			t.Fatal(err)
		}
		if scale := mat.Max(y); !mat.EqualApprox(y, model.Embedding(), 1e-6*scale) {
			t.Errorf("data times %g: training samples leave their embedding", unit)
		}
	}
	d := blobs(6, 18)
	model, err := ssdrnb.SIsomap().Width(1e-300).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	if y, err := model.Transform(d.X); err == nil && !usable(y) || err != nil && !errors.Is(err, ssdrnb.ErrNumerical) {
		t.Errorf("S-Isomap of width 1e-300: %v", err)
	}
}

// Positions far from all samples decode to the mean. Positions that are not finite, or too far for
// float64 distances, are errors.
func TestDecodeFarOut(t *testing.T) {
	d := blobs(6, 19)
	model, err := ssdrnb.GPLVM().Rounds(2).Steps(5).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{1e10, 1e160, 1e300, math.NaN(), math.Inf(1)} {
		out, err := model.Decode(mat.NewDense(1, 2, []float64{v, -v}))
		if err != nil {
			if !errors.Is(err, ssdrnb.ErrData) && !errors.Is(err, ssdrnb.ErrNumerical) {
				t.Errorf("position %g: got %v", v, err)
			}
			continue
		}
		if data.CheckFinite(out.Mean) != nil || !(out.Function[0] >= 0) || !(out.Observation[0] >= 0) || math.IsInf(out.Observation[0], 0) {
			t.Errorf("position %g: mean %v, variances %v, %v", v, out.Mean.RawRowView(0), out.Function, out.Observation)
		}
	}
}

// collapsed returns the warning of the check of solutions.
func collapsed(m *ssdrnb.Model) string {
	for _, w := range m.Report().Warnings {
		if strings.Contains(w, "coincide at one point") || strings.Contains(w, "distinct dimension") {
			return w
		}
	}
	return ""
}

// TestCollapseIsWarnedOf fits data whose samples end on one point.
func TestCollapseIsWarnedOf(t *testing.T) {
	d := blobs(6, 20)
	rows := []int{0, 7, 14, 21, 28, 35}
	same := mat.NewDense(len(rows), 2, nil)
	for k := range rows {
		same.SetRow(k, []float64{3, -1})
	}
	line := mat.NewDense(len(rows), 2, nil)
	for k := range rows {
		line.SetRow(k, []float64{float64(k), 2 * float64(k)})
	}
	for name, c := range map[string]struct {
		e      ssdrnb.Estimator
		d      *data.Data
		remedy string
	}{
		"FME, small units":          {ssdrnb.FME(), inUnits(d, 1e-41), "standardise the features"},
		"LapRLS, small units":       {ssdrnb.LapRLS(), inUnits(d, 1e-41), "standardise the features"},
		"LMRAG, small units":        {ssdrnb.LMRAG(), inUnits(d, 1e-41), "standardise the features"},
		"FME, heavy":                {ssdrnb.FME().Mu(1e300), d, "mu"},
		"FME, labels without":       {ssdrnb.FME().LabelWeight(1e-300), d, "label weight"},
		"FME, detached":             {ssdrnb.FME().Gamma(1e-300), d, "gamma"},
		"LapRLS, heavy":             {ssdrnb.LapRLS().Ambient(1e300), d, "ambient"},
		"LapRLS, smooth":            {ssdrnb.LapRLS().Intrinsic(1e300), d, "intrinsic"},
		"LMRAG, heavy":              {ssdrnb.LMRAG().Beta(1e300), d, "beta"},
		"SS-LLE, equal anchors":     {ssdrnb.SSLLE(), d.WithAnchors(rows, same), "known"},
		"SS-LTSA, equal anchors":    {ssdrnb.SSLTSA(), d.WithAnchors(rows, same), "known"},
		"SS-LLE, anchors on a line": {ssdrnb.SSLLE(), d.WithAnchors(rows, line), "known"},
	} {
		model, err := c.e.Spec().Fit(c.d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		w := collapsed(model)
		if !strings.Contains(w, "; ") || !strings.Contains(w, c.remedy) {
			t.Errorf("%s: warnings %q", name, model.Report().Warnings)
		}
		if want := "coincide at one point"; !strings.Contains(name, "line") && !strings.Contains(w, want) {
			t.Errorf("%s: warning %q", name, w)
		}
	}
}

// Two copies of the best feature are both chosen, so the plane degenerates to a line.
func TestRepeatedDimensionsAreWarnedOf(t *testing.T) {
	d := blobs(6, 21)
	x := mat.NewDense(d.Len(), 12, nil)
	for i := range d.Len() {
		x.SetRow(i, append(append([]float64(nil), d.X.RawRowView(i)...), d.X.RawRowView(i)...))
	}
	twice := *d
	twice.X = x
	models, err := ssdrnb.CS1().FitPath(context.Background(), &twice, 1, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{"", "1 distinct dimension of 2", "2 distinct dimensions of 4"} {
		if got := collapsed(models[k]); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("model %d: warning %q, want %q", k, got, want)
		}
	}
}

// No method warns of good results.
func TestNothingIsWarnedOfWithoutCollapse(t *testing.T) {
	for _, m := range ssdrnb.Methods() {
		labelsPerClass = 8
		if m.Func == "NLDA" {
			labelsPerClass = 2
		}
		d := blobs(6, 22)
		spec := brief(m, 2, 5)
		if _, ok := m.Param("dims"); ok {
			spec = spec.With("dims", 3)
		}
		model, err := spec.Fit(d)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if w := collapsed(model); w != "" {
			t.Errorf("%s: %s", m.Name, w)
		}
	}
}

// The zero value of Spec has no method: nothing panics, and every fit returns an error with a
// remedy.
func TestZeroSpec(t *testing.T) {
	var zero ssdrnb.Spec
	iris := datasets.Iris().KeepLabels(5)
	ctx := context.Background()
	if zero.Method() == nil || zero.Value("dims") != nil || zero.Changed() != nil || zero.String() != "Spec()" {
		t.Errorf("method %v, %v, %q", zero.Method(), zero.Changed(), zero)
	}
	for what, fit := range map[string]func() error{
		"Err":        zero.Err,
		"With":       func() error { return zero.With("dims", 2).Err() },
		"Spec":       func() error { return zero.Spec().Err() },
		"Fit":        func() error { _, err := zero.Fit(iris); return err },
		"FitContext": func() error { _, err := zero.Fresh().FitContext(ctx, iris); return err },
		"FitPath":    func() error { _, err := zero.FitPath(ctx, iris, 1, 2); return err },
		"no dims":    func() error { _, err := zero.FitPath(ctx, iris); return err },
		"Then":       func() error { _, err := ssdrnb.Then(zero, ssdrnb.UMAP()).Fit(iris); return err },
		"then":       func() error { _, err := ssdrnb.Then(ssdrnb.PCA(), zero).Fit(iris); return err },
		"Sweep":      func() error { _, err := ssdrnb.Sweep(zero, iris).List("dims", 1, 2).Run(ctx); return err },
		"Series":     func() error { _, err := ssdrnb.NewSeries(iris).FitContext(ctx, zero); return err },
		"MustFit": func() (err error) {
			defer func() { err, _ = recover().(error) }()
			zero.MustFit(iris)
			return nil
		},
	} {
		var e *ssdrnb.Error
		if err := fit(); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrOption) || e.Param != "method" || !strings.Contains(e.Remedy, "New") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestEqualScores: if features beyond those chosen have the same score as the last of them, the
// report warns that the choice is arbitrary.
func TestEqualScores(t *testing.T) {
	d := datasets.Wine()
	x := mat.DenseCopyOf(d.X)
	for i := range d.Len() {
		x.Set(i, 12, x.At(i, 0)) // the first feature again
	}
	twice := data.New(x, d.Truth)
	for _, c := range []struct {
		s    ssdrnb.Spec
		d    *data.Data
		want bool
	}{
		{ssdrnb.CS1().Spec(), d.KeepLabels(1).Seed(1), true},
		{ssdrnb.CS2().Spec(), d.KeepLabels(1).Seed(1), false},
		{ssdrnb.CS1().Spec(), d.KeepLabels(3).Seed(1), false},
		{ssdrnb.CS1().Dims(13).Spec(), d.KeepLabels(1).Seed(1), false}, // all are chosen
	} {
		if m := mustFit(t, c.s, c.d); warned(m, "only their order decides") != c.want {
			t.Errorf("%v: warnings %q, scores %v", c.s, m.Report().Warnings, m.Values())
		}
	}
	ties := 0
	for dims := 1; dims <= 13; dims++ {
		if m := mustFit(t, ssdrnb.CS1().Dims(dims).Spec(), twice); warned(m, "2 features have the same score") {
			ties++
		}
	}
	if ties != 1 {
		t.Errorf("%d choices between a feature and its copy are reported, want 1", ties)
	}
}
