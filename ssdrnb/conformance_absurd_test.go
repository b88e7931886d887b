package ssdrnb_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Unreasonable requests: every option at its bounds and at absurd values, data in units of 1e±120,
// as many dimensions as available. Each outcome is an error that keeps the contract of
// [ssdrnb.Error], or a finite model that warns of its faults and does not change when it is saved
// and loaded. The values to try come from the registry.

// sentinelErrors are the errors that callers test for.
var sentinelErrors = []error{
	ssdrnb.ErrOption, ssdrnb.ErrNeedsLabels, ssdrnb.ErrNeedsPairs, ssdrnb.ErrData, ssdrnb.ErrCancelled, ssdrnb.ErrNumerical, ssdrnb.ErrNoTransform,
}

// dataParts are the names, besides options, that an error may refer to.
var dataParts = []string{"data", "samples", "features", "labels", "pairs", "anchors", "start"}

// absurdities returns values of p to try: its bounds and values far beyond any use.
func absurdities(p ssdrnb.Param, d *data.Data) []any {
	var out []any
	switch p.Kind {
	case ssdrnb.BoolParam:
		return []any{true, false, "true", nil}
	case ssdrnb.ChoiceParam:
		for _, c := range p.Choices {
			out = append(out, c)
		}
		return append(out, "", "no such choice", 1, nil)
	case ssdrnb.IntParam:
		for _, v := range []float64{p.Min, p.Max} {
			out = append(out, int(v))
		}
		n := d.Len()
		out = append(out, math.MinInt, -1, 0, 1, 2, d.Dim(), d.Dim()+1, n/2, n-2, n-1, n, n+1, 1000, 1<<20, math.MaxInt32, math.MaxInt)
	default:
		out = append(out, p.Min, p.Max, math.Inf(-1), math.Inf(1), math.NaN(), -1e300, -1.0, -1e-300, 0.0, 5e-324, 1e-300, 1e-160, 1e-80, 1e-12,
			0.5, 1.0, 1e12, 1e80, 1e160, 1e300, math.MaxFloat64)
	}
	var unique []any
	for _, v := range out {
		if !slices.Contains(unique, v) {
			unique = append(unique, v)
		}
	}
	return unique
}

// timesUnit returns d with its samples multiplied by f.
func timesUnit(d *data.Data, f float64) *data.Data {
	out := *d
	out.X = mat.DenseCopyOf(d.X)
	out.X.Scale(f, out.X)
	return &out
}

// quick limits the iterations of methods that follow a gradient.
func quick(m *ssdrnb.Method) ssdrnb.Spec { return brief(m, 2, 3) }

// attempt fits s to d within a second, which an absurd number of steps may use up, and checks the
// outcome.
func attempt(t *testing.T, s ssdrnb.Spec, d *data.Data, what string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	model, err := s.FitContext(ctx, d)
	if err != nil {
		wantContract(t, s, what, err)
	}
	if model != nil {
		wantSensible(t, model, d, what)
	}
	return err
}

// wantContract checks that the error of a fit of s keeps the promises in the documentation of
// [ssdrnb.Error].
func wantContract(t *testing.T, s ssdrnb.Spec, what string, err error) {
	t.Helper()
	var e *ssdrnb.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: error of type %T: %v", what, err, err)
		return
	}
	if e.Method != s.Method().Name || e.Remedy == "" || e.Err == nil {
		t.Errorf("%s: error without method, remedy or cause: %v", what, err)
	}
	if !slices.ContainsFunc(sentinelErrors, func(s error) bool { return errors.Is(err, s) }) {
		t.Errorf("%s: error without a sentinel: %v", what, err)
	}
	if errors.Is(err, ssdrnb.ErrCancelled) {
		return
	}
	if _, ok := s.Method().Param(e.Param); !ok && !slices.Contains(dataParts, e.Param) {
		t.Errorf("%s: error names %q, neither an option nor a part of the data: %v", what, e.Param, err)
	}
}

// wantSensible checks that a model is finite, that a warning reports a collapse, and that the model
// survives saving.
func wantSensible(t *testing.T, m *ssdrnb.Model, d *data.Data, what string) {
	t.Helper()
	y := m.Embedding()
	if n, k := y.Dims(); n != d.Len() || k < 1 || k != m.Dims() {
		t.Errorf("%s: an embedding of %d×%d for %d samples", what, n, k, d.Len())
	}
	if err := data.CheckFinite(y); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	r := m.Report()
	for _, f := range r.Facts {
		if math.IsNaN(f.Value) {
			t.Errorf("%s: the fact %q is %v", what, f.Name, f.Value)
		}
	}
	if c := constantDimensions(y); c != "" && len(r.Warnings) == 0 {
		t.Errorf("%s: %s, and no warning reports it", what, c)
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := m.Save(path); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	back, err := ssdrnb.Load(path)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !mat.Equal(back.Embedding(), y) || back.String() != m.String() || !slices.Equal(back.Values(), m.Values()) {
		t.Errorf("%s: the model that was loaded is another", what)
	}
	// Training samples, and points between two of them.
	x := mat.NewDense(4, d.Dim(), nil)
	for i := range 4 {
		for k := range d.Dim() {
			x.Set(i, k, d.X.At(i, k)/2+d.X.At(i*(i%2)*3, k)/2)
		}
	}
	want, err := m.Transform(x)
	got, again := back.Transform(x)
	switch {
	case (err == nil) != (again == nil):
		t.Errorf("%s: Transform gives %v, after loading %v", what, err, again)
	case err != nil:
		if err.Error() != again.Error() {
			t.Errorf("%s: Transform gives %v, after loading %v", what, err, again)
		}
		var e *ssdrnb.Error
		if !errors.As(err, &e) || e.Param != "Transform" || e.Remedy == "" || !errors.Is(err, ssdrnb.ErrNoTransform) && !errors.Is(err, ssdrnb.ErrNumerical) {
			t.Errorf("%s: Transform: %v", what, err)
		}
	case data.CheckFinite(want) != nil:
		t.Errorf("%s: Transform: %v", what, data.CheckFinite(want))
	case !mat.Equal(got, want):
		t.Errorf("%s: Transform differs after loading", what)
	}
}

// constantDimensions names the dimensions of y that are constant to rounding, or returns "" if
// there are none.
func constantDimensions(y *mat.Dense) string {
	n, k := y.Dims()
	constant := 0
	for c := range k {
		least, most := y.At(0, c), y.At(0, c)
		for i := range n {
			least, most = min(least, y.At(i, c)), max(most, y.At(i, c))
		}
		if most/2-least/2 <= 1e-13*max(math.Abs(least), math.Abs(most)) { // halved, as a difference may overflow
			constant++
		}
	}
	if constant == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d dimensions are constant", constant, k)
}

func TestConformanceAbsurd(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	for _, m := range ssdrnb.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			labelsPerClass = 8
			if m.Func == "NLDA" {
				labelsPerClass = 2
			}
			d := blobsOf(11, 6, 21)
			t.Run("options", func(t *testing.T) {
				t.Parallel()
				testAbsurdOptions(t, m, d)
			})
			t.Run("units", func(t *testing.T) {
				t.Parallel()
				testAbsurdUnits(t, m, d)
			})
			t.Run("dims", func(t *testing.T) {
				t.Parallel()
				testAbsurdDims(t, m)
			})
		})
	}
}

// testAbsurdOptions sets one option at a time. As the fit with the defaults succeeds, a failure is
// due to that option alone.
func testAbsurdOptions(t *testing.T, m *ssdrnb.Method, d *data.Data) {
	base := quick(m)
	model, err := base.Fit(d)
	if err != nil {
		t.Fatalf("the defaults: %v", err)
	}
	wantSensible(t, model, d, "the defaults")
	for _, p := range m.Params {
		values := absurdities(p, d)
		if onceOnly() {
			values = values[:2]
		}
		for _, v := range values {
			what := fmt.Sprintf("%s = %v", p.Name, v)
			err := attempt(t, base.With(p.Name, v), d, what)
			var e *ssdrnb.Error
			if errors.As(err, &e) && !errors.Is(err, ssdrnb.ErrCancelled) && e.Param != p.Name {
				t.Errorf("%s: the error names %q: %v", what, e.Param, err)
			}
		}
	}
}

// testAbsurdUnits fits data whose squares are near the ends of float64.
func testAbsurdUnits(t *testing.T, m *ssdrnb.Method, d *data.Data) {
	units := []float64{1e-120, 1e120, 1e-140, 1e-60, 1e60, 1e140}
	if onceOnly() {
		units = units[:2]
	}
	for _, f := range units {
		attempt(t, quick(m), timesUnit(d, f), fmt.Sprintf("data times %g", f))
	}
	mixed := *d
	mixed.X = mat.DenseCopyOf(d.X)
	for i := range d.Len() {
		mixed.X.Set(i, 0, mixed.X.At(i, 0)*1e120)
		mixed.X.Set(i, 1, mixed.X.At(i, 1)*1e-120)
	}
	attempt(t, quick(m), &mixed, "features of 1e120 and 1e-120")
}

// testAbsurdDims requests as many dimensions as available, with fewer features than samples and
// with more.
func testAbsurdDims(t *testing.T, m *ssdrnb.Method) {
	if _, ok := m.Param("dims"); !ok {
		t.Skip("has no option for it")
	}
	for _, features := range []int{6, 40} {
		d := blobsOf(11, features, 22)
		n := d.Len()
		dims := []int{n - 1, features, 1, 5, 6, 7, n - 2, n, features - 1, features + 1}
		if onceOnly() {
			dims = dims[:2]
		}
		for _, k := range dims {
			attempt(t, quick(m).With("dims", k), d, fmt.Sprintf("%d dimensions of %d samples with %d features", k, n, features))
		}
	}
}

// onceOnly reports whether repetitions are left out. They run if SSDRNB_TEST_ALL is set, as by
// ./install.sh test --all, and never with -short.
func onceOnly() bool { return testing.Short() || os.Getenv("SSDRNB_TEST_ALL") == "" }
