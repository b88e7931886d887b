package viz_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// proline is a feature of the wines that the others predict, known for a fifth of them.
func proline() *data.Data {
	wine := datasets.Wine().HideLabels()
	n, d := wine.Len(), wine.Dim()
	x := mat.DenseCopyOf(wine.X.Slice(0, n, 0, d-1))
	return data.New(x, nil).Standardize().WithTarget("proline", mat.Col(nil, d-1, wine.X)).KeepTarget(0.2).Seed(1)
}

// Known values have rings, carried values are diamonds with the value carried by the model, and
// hidden values are not shown.
func TestTargetShows(t *testing.T) {
	d := proline()
	guided := ssdrnb.S2NE().Iterations(20).Unfold(20).MustFit(d)
	values, _, _ := guided.Carried()
	p := payload(t, viz.Embedding(guided).Color("proline"))
	known, others := 0, 0
	for _, s := range series(p) {
		for _, at := range s["data"].([]any) {
			point := at.([]any)
			i := int(point[len(point)-1].(float64))
			got, want, symbol := point[2].(float64), values[i], "diamond"
			if v := d.Target().Values[i]; !math.IsNaN(v) {
				want, symbol, known = v, "circle", known+1
			} else {
				others++
			}
			if math.Abs(got-want) > 1 || s["symbol"] != symbol {
				t.Fatalf("sample %d: %v as %v, want %v as %s", i, got, s["symbol"], want, symbol)
			}
			if ring := s["itemStyle"].(map[string]any)["borderWidth"] == 0.8; ring != (symbol == "circle") {
				t.Fatalf("sample %d of %s: a ring is %v", i, symbol, ring)
			}
		}
	}
	if known != 36 || others != d.Len()-36 {
		t.Errorf("%d known and %d carried values", known, others)
	}
	origin := cards(p, 0)["proline is"]
	for i, v := range origin["of"].([]any) {
		if carried := v.(float64) == 1; carried != math.IsNaN(d.Target().Values[i]) {
			t.Fatalf("the card of sample %d has a carried value: %v", i, carried)
		}
	}
	for want, f := range map[string]viz.Figure{
		"proline: 36 values measured (ring), 142 predicted for other samples by S2NE (diamonds). q2 0.": viz.Embedding(guided).Color("proline"),
		"142 predicted for other samples by S2NE. q2 0.":                                                viz.Embedding(guided).PointSize("proline"),
		"proline is not known for 142 of the 178 points":                                                viz.Embedding(ssdrnb.PCA().MustFit(d)).Color("proline"),
		"predicted values are not confirmed":                                                            viz.Embedding(ssdrnb.S2NE().Iterations(5).Unfold(5).MustFit(noise(d))).Color("proline"),
		"not confirmed, but still shape the embedding":                                                  viz.Embedding(ssdrnb.S2NE().Iterations(5).Unfold(5).TargetStrength(1).MustFit(noise(d))).Color("proline"),
		"proline: 36 values measured (ring).":                                                           viz.Embedding(ssdrnb.PCA().MustFit(d)).Color("proline"),
	} {
		if notes := f.Text(); !strings.Contains(notes, want) {
			t.Errorf("no line %q below the figure", want)
		}
	}
	// A target that methods do not use has no carried values.
	both := d.WithTarget("other", slices.Repeat([]float64{1, 2}, d.Len()/2))
	f := viz.Embedding(ssdrnb.S2NE().Iterations(5).Unfold(5).MustFit(both)).Color("proline")
	if notes := f.Text(); !strings.Contains(notes, "proline is not known for 142 of the 178 points") {
		t.Error("carried values of a target that no method read")
	}
}

// noise assigns the known values of a target to other samples.
func noise(d *data.Data) *data.Data {
	values := slices.Clone(d.Target().Values)
	rows := d.Target().Known()
	for k, i := range rows {
		values[i] = float64(k * 11 % 36)
	}
	return d.WithTarget("proline", values)
}

// Each table has a curve and its control.
func TestTargetCurveShows(t *testing.T) {
	table := &ssdrnb.TargetCurveTable{Name: "PLS", Target: "price", Shares: []float64{0.1, 0.5}, R2: [][]float64{{0.2, 0.4}, {0.6, 0.6}}, Shuffled: [][]float64{{-0.2, -0.1}, {-0.1, 0}}}
	other := *table
	other.Name = "PLS, 3 dimensions"
	f := viz.TargetCurve(table, &other)
	var names []string
	for _, s := range series(payload(t, f)) {
		if name := s["name"].(string); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if want := []string{"PLS", "PLS, shuffled", other.Name, other.Name + ", shuffled"}; !slices.Equal(names, want) {
		t.Errorf("curves %q, want %q", names, want)
	}
	if text := f.Text(); !strings.Contains(text, "Hidden values of price") {
		t.Error(text)
	}
	dose := other
	dose.Name, dose.Target = "PLS of doses", "dose"
	if text := viz.TargetCurve(&dose, table, &other).Text(); !strings.Contains(text, "Hidden values of dose, price") {
		t.Error(text)
	}
	for name, f := range map[string]viz.Figure{"nothing": viz.TargetCurve(), "nil": viz.TargetCurve(nil), "equal names": viz.TargetCurve(table, table), "no draws": viz.TargetCurve(&ssdrnb.TargetCurveTable{Shares: []float64{0.1}})} {
		if f.Err() == nil {
			t.Errorf("%s is drawn", name)
		}
	}
}
