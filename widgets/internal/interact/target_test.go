package interact

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Targets travel with the known and the hidden values, and with their draw.
func TestTargetOnTheWire(t *testing.T) {
	d := data.New(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), nil).WithTarget("size", []float64{9, math.NaN(), 7, 6}).
		WithTarget("price", []float64{10, 20, 30, 40}).KeepTarget(0.5)
	got, err := dataToWire(d).data()
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got.Target().Values, got.HiddenTarget(), got.TargetNamed("size").Values, got.Draw()) != fmt.Sprint(d.Target().Values, d.HiddenTarget(), d.TargetNamed("size").Values, d.Draw()) {
		t.Errorf("%+v, want %+v", got.Targets, d.Targets)
	}
	lying := dataToWire(d)
	lying.Targets = append(lying.Targets, "more")
	if _, err := lying.data(); err == nil {
		t.Error("a target without values is taken")
	}
}
