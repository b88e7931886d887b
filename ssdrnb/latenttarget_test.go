package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// petals are 75 flowers without their petal width, which is given for each fifth as a target.
func petals() (d *data.Data, width []float64) {
	iris := datasets.Iris().Standardize().Take(25)
	n := iris.Len()
	x, known := mat.NewDense(n, 3, nil), make([]float64, n)
	for i := range n {
		copy(x.RawRowView(i), iris.X.RawRowView(i)[:3])
		width = append(width, 10+2*iris.X.At(i, 3))
		if known[i] = math.NaN(); i%5 == 0 {
			known[i] = width[i]
		}
	}
	return data.New(x, nil).WithTarget("width", known), width
}

// TestTargetOfLatentVariables predicts a target with SSGP-LVM: in its units, better than by its
// mean, and also after Load. With zero copies the target has no effect.
func TestTargetOfLatentVariables(t *testing.T) {
	d, width := petals()
	b := ssdrnb.SSGPLVM().Back(true).Rounds(5)
	m := b.MustFit(d)
	values, variances, reached := m.Carried()
	if len(values) != d.Len() {
		t.Fatalf("%d values are carried", len(values))
	}
	misfit, spread, inside := 0.0, 0.0, 0
	for i, v := range values {
		misfit += (v - width[i]) * (v - width[i])
		spread += (width[i] - 10) * (width[i] - 10)
		if !(variances[i] > 0) || !reached[i] {
			t.Fatalf("sample %d: %v ± %v, %v", i, v, variances[i], reached[i])
		}
		if math.Abs(v-width[i]) <= 2*math.Sqrt(variances[i]) {
			inside++
		}
	}
	if r2 := 1 - misfit/spread; r2 < 0.6 {
		t.Errorf("R² of the carried values is %.2f", r2)
	}
	if share := float64(inside) / float64(len(values)); share < 0.5 { // the noise fits the features
		t.Errorf("%.2f of the values are within two standard deviations", share)
	}
	file := filepath.Join(t.TempDir(), "m.npz")
	if err := m.Save(file); err != nil {
		t.Fatal(err)
	}
	again, err := ssdrnb.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if back, _, _ := again.Carried(); len(back) != len(values) || back[3] != values[3] {
		t.Error("the carried values are not in the file")
	}
	none := b.TargetCopies(0).MustFit(d)
	if v, _, _ := none.Carried(); v != nil {
		t.Error("zero copies carry a target")
	}
	if plain := b.MustFit(data.New(d.X, nil)); !mat.Equal(plain.Embedding(), none.Embedding()) {
		t.Error("zero copies of a target move the embedding")
	}
	if mat.Equal(m.Embedding(), none.Embedding()) {
		t.Error("one copy of a target does not move the embedding")
	}
}

// TestTargetOfInterruptedFit: an interrupted fit predicts the target with its best positions, and does
// not ask for more rounds.
func TestTargetOfInterruptedFit(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer ssdrnb.Observe(func(e ssdrnb.Event) {
		if e.Stage == "positions" {
			cancel()
		}
	})()
	d, _ := petals()
	m, err := ssdrnb.SSGPLVM().Back(true).FitContext(ctx, d)
	if !errors.Is(err, ssdrnb.ErrCancelled) || m == nil {
		t.Fatalf("model %v, error %v", m, err)
	}
	if values, _, _ := m.Carried(); len(values) != d.Len() {
		t.Errorf("%d values are carried", len(values))
	}
	if err := advicetest.Warning(m.Report().Warnings, "raise Rounds"); err != nil {
		t.Error(err)
	}
}

// TestUnitOfTarget: if the unit of the target differs too much from that of the features, the fit is
// refused; otherwise the variances are positive and finite, and the model can be loaded.
func TestUnitOfTarget(t *testing.T) {
	d, _ := petals()
	for _, scaling := range []ssdrnb.Scaling{ssdrnb.Unscaled, ssdrnb.GlobalScale} {
		for _, power := range []float64{-140, -60, 0, 60, 140} {
			values := slices.Clone(d.Target().Values)
			for i := range values {
				values[i] *= math.Pow(10, power)
			}
			scaled := inUnits(d, math.Pow(10, -power/4)).WithTarget("width", values)
			m, err := ssdrnb.SSGPLVM().Back(true).Scaling(scaling).Rounds(1).Steps(1).Fit(scaled)
			if scaling == ssdrnb.Unscaled && math.Abs(power) > 100 {
				if !errors.Is(err, ssdrnb.ErrData) {
					t.Errorf("%s, 1e%g: %v", scaling, power, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, 1e%g: %v", scaling, power, err)
				continue
			}
			_, variances, _ := m.Carried()
			if least := slices.Min(variances); !(least > 0) || math.IsInf(slices.Max(variances), 1) {
				t.Errorf("%s, 1e%g: variances from %g to %g", scaling, power, least, slices.Max(variances))
			}
			reloaded(t, m)
		}
	}
}

// TestTargetOfLatentVariablesTells checks the warnings about unusable targets and missing back
// constraints.
func TestTargetOfLatentVariablesTells(t *testing.T) {
	d, _ := petals()
	same, unknown := make([]float64, d.Len()), make([]float64, d.Len())
	for i := range same {
		same[i], unknown[i] = math.NaN(), math.NaN()
		if i < 9 {
			same[i] = 7
		}
	}
	for want, c := range map[string]struct {
		b      *ssdrnb.SSGPLVMBuilder
		target []float64
		used   bool
	}{
		"set Back(true)":                  {ssdrnb.SSGPLVM(), d.Target().Values, true},
		"are all equal":                   {ssdrnb.SSGPLVM().Back(true), same, false},
		"no value of the target \"w\" is": {ssdrnb.SSGPLVM().Back(true), unknown, false},
	} {
		m := c.b.Rounds(1).Steps(3).MustFit(data.New(d.X, nil).WithTarget("w", c.target))
		if told := strings.Join(m.Report().Warnings, "\n"); !strings.Contains(told, want) {
			t.Errorf("warnings %q, want %q", told, want)
		}
		if v, _, _ := m.Carried(); (v != nil) != c.used {
			t.Errorf("%s: carried %v", want, v)
		}
	}
}
