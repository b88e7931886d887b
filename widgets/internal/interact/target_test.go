package interact

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Targets are transferred with the known and the hidden values, and with their draw.
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
		t.Error("a target without values is accepted")
	}
}

// In an explorer of data with a target the guidance changes the embedding, and known values have
// rings.
func TestExplorerOfTarget(t *testing.T) {
	wine := datasets.Wine().HideLabels()
	n, d := wine.Len(), wine.Dim()
	x := data.New(mat.DenseCopyOf(wine.X.Slice(0, n, 0, d-1)), nil).Standardize().WithTarget("proline", mat.Col(nil, d-1, wine.X)).KeepTarget(0.2)
	e, err := explorerOf(shelf{}, ssdrnb.S2NE().Iterations(5).Unfold(5), x).Name("target").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(e.State().(map[string]any)["ringed"]), fmt.Sprint(bits(known(x))); got != want {
		t.Errorf("rings %s, want %s", got, want)
	}
	if values, _, _ := e.model.Carried(); len(values) != n {
		t.Errorf("%d carried values", len(values))
	}
	if levels := e.Setup().(map[string]any)["names"].([]string); len(levels) != 9 || !strings.HasPrefix(levels[0], "proline ") {
		t.Errorf("the legend has %q", levels)
	}
	guided := mat.DenseCopyOf(e.model.Embedding())
	explore(t, e, "set", `{"name":"guidance","value":0}`)
	if mat.Equal(e.model.Embedding(), guided) || e.failure != "" {
		t.Errorf("guidance 0 gives the same embedding: %s", e.failure)
	}
	explore(t, e, "set", `{"name":"guidance","value":1}`)
	if !mat.Equal(e.model.Embedding(), guided) {
		t.Error("guidance 1 does not restore the embedding")
	}
}

func known(d *data.Data) []bool {
	out := make([]bool, d.Len())
	for i, v := range d.Target().Values {
		out[i] = !math.IsNaN(v)
	}
	return out
}
