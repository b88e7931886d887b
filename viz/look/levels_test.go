package look

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// TestOfTarget colours a target in equal steps, hidden values like known ones, and unknown values
// grey.
func TestOfTarget(t *testing.T) {
	d := data.New(mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), nil)
	if _, ok := OfTarget(d); ok {
		t.Error("no target has colours")
	}
	nan := math.NaN()
	l, ok := OfTarget(d.WithTarget("dose", []float64{0, 8, nan, 3.99, 4, 7.5}))
	if want := []int{0, 7, 8, 3, 4, 7}; !ok || !slices.Equal(l.Of, want) {
		t.Errorf("levels %v, want %v", l.Of, want)
	}
	if l.Names[3] != "3.0 to 4.0" || l.Names[8] != "not known" || len(l.Colors) != 9 || len(l.Symbols) != 9 {
		t.Errorf("legend %q of %d colours", l.Names, len(l.Colors))
	}
	all := d.WithTarget("dose", []float64{0, 8, 2, 3.99, 4, 7.5})
	full, _ := OfTarget(all)
	some, ok := OfTarget(all.KeepTarget(0.5))
	if !ok || !slices.Equal(full.Of, some.Of) {
		t.Errorf("hidden values have levels %v, known ones %v", some.Of, full.Of)
	}
	for name, values := range map[string][]float64{"equal": {1, 1, 1, 1, 1, 1}, "nearly equal": {0, 5e-324, 5e-324, 0, 0, 0}, "unknown": {nan, nan, nan, nan, nan, nan}} {
		if _, ok := OfTarget(d.WithTarget("dose", values)); ok {
			t.Errorf("%s values have colours", name)
		}
	}
	if _, ok := OfTarget(all.WithLabels([]int{0, 1, 0, 1, 0, 1})); ok {
		t.Error("a target has colours where there are labels")
	}
	for _, scale := range []float64{1e-300, 1, 1e10, math.MaxFloat64 / 10, math.MaxFloat64 / 8, math.MaxFloat64 / 4} {
		l, ok := OfTarget(d.WithTarget("dose", []float64{-4 * scale, 4 * scale, 0, -0.5 * scale, 1.5 * scale, 3.5 * scale}))
		if want := []int{0, 7, 4, 3, 5, 7}; !ok || !slices.Equal(l.Of, want) {
			t.Errorf("values of the scale %g have levels %v, want %v", scale, l.Of, want)
		}
		if text := strings.Join(l.Names, " "); strings.Contains(text, "Inf") || strings.Contains(text, "NaN") {
			t.Errorf("values of the scale %g have the legend %q", scale, l.Names)
		}
	}
}
