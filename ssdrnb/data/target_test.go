package data

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func withPrices(n int) *Data {
	x, price, labels := mat.NewDense(n, 1, nil), make([]float64, n), make([]int, n)
	for i := range n {
		x.Set(i, 0, float64(i))
		price[i], labels[i] = float64(10*i), i%2
	}
	return New(x, labels).WithTarget("price", price)
}

// keptOf checks that known and hidden rows together are all rows, and returns the known ones.
func keptOf(t *testing.T, d *Data) []int {
	t.Helper()
	if d.Err() != nil {
		t.Fatal(d.Err())
	}
	hidden := d.HiddenTarget()
	for i, v := range d.Target().Values {
		want := 10 * d.X.At(i, 0)
		if known := !math.IsNaN(v); known && (v != want || !math.IsNaN(hidden[i])) || !known && hidden[i] != want {
			t.Fatalf("row %d: known %v, hidden %v, want %v", i, v, hidden[i], want)
		}
	}
	return d.Target().Known()
}

func TestKeepTarget(t *testing.T) {
	d := withPrices(40)
	if rows := keptOf(t, d); len(rows) != 40 {
		t.Errorf("%d known at first", len(rows))
	}
	kept := d.KeepTarget(0.25)
	rows := keptOf(t, kept)
	if len(rows) != 10 || !slices.Equal(rows, keptOf(t, d.KeepTarget(0.25))) {
		t.Errorf("kept %v", rows)
	}
	if again := keptOf(t, kept.Seed(1)); len(again) != 10 || slices.Equal(again, rows) {
		t.Errorf("another seed kept %v", again)
	}
	if len(keptOf(t, kept.KeepTarget(0.5))) != 20 || len(keptOf(t, d.KeepTarget(1e-9))) != 1 {
		t.Error("the share is one of all values, and leaves one")
	}
	part := kept.Subset(rows)
	if len(keptOf(t, part)) != 10 || part.Len() != 10 {
		t.Errorf("a subset has %v", part.Target())
	}
	train, test := kept.Split(0.5)
	if len(keptOf(t, train)) != 5 || len(keptOf(t, test)) != 0 {
		t.Errorf("split: %d and %d", len(keptOf(t, train)), len(keptOf(t, test)))
	}
	if train, test = d.Split(0.5); len(keptOf(t, train)) != 20 || len(keptOf(t, test)) != 20 {
		t.Error("a split without KeepTarget hides values")
	}
	if back := kept.WithDraw(kept.Draw()); len(keptOf(t, back.Seed(3))) != 10 {
		t.Error("the draw is lost")
	}
	if labels := kept.KeepLabels(2).Seed(4); len(keptOf(t, labels)) != 10 || labels.NumLabelled() != 4 {
		t.Error("labels and target are kept together")
	}
}

func TestTargets(t *testing.T) {
	d := withPrices(3)
	two := d.WithTarget("size", []float64{1, math.NaN(), 3})
	if two.Target().Name != "size" || two.UseTarget("price").Target().Name != "price" || len(two.Targets) != 2 || len(d.Targets) != 1 {
		t.Errorf("%+v", two.Targets)
	}
	if three := two.WithTarget("price", []float64{7, 8, 9}); len(three.Targets) != 2 || three.Target().Values[0] != 7 || two.TargetNamed("price").Values[0] != 0 {
		t.Errorf("%+v", three.Targets)
	}
	values := []float64{1, 2, 3}
	if copied := d.WithTarget("size", values); func() bool { values[0] = 9; return copied.Target().Values[0] != 1 }() {
		t.Error("the values are not copied")
	}
	for want, got := range map[error]*Data{
		ErrNotFinite: d.WithTarget("price", []float64{1, math.Inf(-1), 2}), ErrShape: d.WithTarget("price", []float64{1}), ErrOption: d.WithTarget("", values),
	} {
		if !errors.Is(got.Err(), want) {
			t.Errorf("%v, want %v", got.Err(), want)
		}
	}
	plain := New(d.X, nil)
	for _, got := range []*Data{d.UseTarget("cost"), plain.UseTarget("price"), plain.KeepTarget(0.5), d.KeepTarget(0), d.KeepTarget(math.NaN()), plain.WithDraw(Draw{Target: 0.5}), d.WithDraw(Draw{Target: 2})} {
		if !errors.Is(got.Err(), ErrOption) {
			t.Error(got.Err())
		}
	}
	if plain.Target() != nil || plain.HiddenTarget() != nil || (*Data)(nil).Target() != nil || plain.Target().Known() != nil {
		t.Error("a target where there is none")
	}
}
