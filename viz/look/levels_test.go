package look

import (
	"math"
	"slices"
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
	for name, values := range map[string][]float64{"equal": {1, 1, 1, 1, 1, 1}, "unknown": {nan, nan, nan, nan, nan, nan}} {
		if _, ok := OfTarget(d.WithTarget("dose", values)); ok {
			t.Errorf("%s values have colours", name)
		}
	}
	if _, ok := OfTarget(all.WithLabels([]int{0, 1, 0, 1, 0, 1})); ok {
		t.Error("a target has colours where there are labels")
	}
	wide, ok := OfTarget(d.WithTarget("dose", []float64{-math.MaxFloat64 / 2, math.MaxFloat64 / 2, 0, 0, 0, 0}))
	if !ok || wide.Of[0] != 0 || wide.Of[1] != 7 || wide.Of[2] != 4 {
		t.Errorf("wide values have levels %v", wide.Of)
	}
}
