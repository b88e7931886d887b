package viz_test

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/viz"
)

// five has samples of the classes b, a, b, a and none.
func five() *data.Data {
	d := data.New(mat.NewDense(5, 2, []float64{0, 0, 1, 0, 2, 1, 3, 1, 4, 3}), []int{1, 0, 1, 0, -1})
	d.ClassNames = []string{"a", "b"}
	return d
}

// weights has the edges 1→3 inside a, 0→2 inside b and 0→1 between the classes.
func weights(t *testing.T) *sparse.CSR {
	t.Helper()
	w, err := sparse.FromTriplets(5, 5, []sparse.Triplet{{Row: 1, Col: 3, Value: 4}, {Row: 0, Col: 2, Value: 2}, {Row: 0, Col: 1, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAdjacency(t *testing.T) {
	w := weights(t)
	f := viz.Adjacency(five(), viz.Graph{Name: "sparse", Weights: w}, viz.Graph{Name: "dense", Weights: w.Dense()})
	p := payload(t, f)
	if got := fmt.Sprint(kinds(p)); got != "[custom lines custom lines]" {
		t.Fatalf("series %s", got)
	}
	// Order: 1 and 3 of class a, 0 and 2 of b, and 4 without a class.
	if got := fmt.Sprint(p["extra"]); got != "map[bounds:[0 2 4 5] middles:[1 3 4.5] names:[a b unlabelled] order:[1 3 0 2 4]]" {
		t.Errorf("extra %s", got)
	}
	img := pixels(t, series(p)[0])
	k := img.Bounds().Dx() / 5
	grey := func(row, col int) uint8 { return color.GrayModel.Convert(img.At(col*k+k/2, row*k+k/2)).(color.Gray).Y }
	for _, c := range []struct {
		row, col int
		want     uint8
	}{{0, 1, 255}, {2, 3, 128}, {2, 0, 64}, {1, 0, 0}, {4, 4, 0}} {
		if got := grey(c.row, c.col); got != c.want {
			t.Errorf("row %d, column %d is %d, want %d", c.row, c.col, got, c.want)
		}
	}
	if series(p)[0]["image"] != series(p)[2]["image"] {
		t.Error("the sparse and the dense form differ")
	}
	if got := fmt.Sprint(series(p)[1]["data"]); got != "[2 0 2 5 0 2 5 2 4 0 4 5 0 4 5 4]" {
		t.Errorf("lines between the classes %s", got)
	}
	if !strings.Contains(f.Text(), "3 non-zero entries, 1 of them between classes") {
		t.Errorf("text %q", f.Text())
	}
	// Signs: positive weights share a hue, zero is near white, negative ones have another hue.
	signed := w.Dense()
	signed.Set(0, 1, -0.01)
	p = payload(t, viz.Adjacency(five(), viz.Graph{Weights: signed, Signs: true}))
	img = pixels(t, series(p)[0])
	k = img.Bounds().Dx() / 5
	at := func(row, col int) string { return rgba(img.At(col*k, row*k)) }
	if at(0, 1) != at(2, 3) || at(2, 0) == at(0, 1) || at(2, 0) == at(4, 4) || at(4, 4) == at(0, 1) {
		t.Errorf("positive %s and %s, negative %s, zero %s", at(0, 1), at(2, 3), at(2, 0), at(4, 4))
	}
	if got := fmt.Sprint(p["option"].(map[string]any)["legend"].(map[string]any)["data"]); got != "[negative zero positive]" {
		t.Errorf("legend %s", got)
	}
	zero := at(4, 4)
	img = pixels(t, series(payload(t, viz.Adjacency(five(), viz.Graph{Weights: mat.NewDense(5, 5, nil), Signs: true})))[0])
	if got := at(0, 1); got != zero {
		t.Errorf("zero is %s in a graph without edges, and %s elsewhere", got, zero)
	}
	// One edge among many samples is still visible, and the image stays small.
	const n = 5000
	big, err := sparse.FromTriplets(n, n, []sparse.Triplet{{Row: 17, Col: n - 1, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p = payload(t, viz.Adjacency(data.New(mat.NewDense(n, 1, nil), make([]int, n)), viz.Graph{Weights: big}))
	if uri := pixelsURI(p); len(uri) > 40<<10 {
		t.Errorf("the image of an empty graph takes %d bytes", len(uri))
	}
	img = pixels(t, series(p)[0])
	side, brightest := img.Bounds().Dx(), uint8(0)
	for x := side - 3; x < side; x++ {
		for y := range 6 {
			brightest = max(brightest, color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y)
		}
	}
	if brightest < 64 {
		t.Errorf("the only edge has brightness %d", brightest)
	}
	harmless(t, func(evil string) viz.Figure {
		d := five()
		d.Name, d.ClassNames = evil, []string{evil, evil}
		return viz.Adjacency(d, viz.Graph{Name: evil, Weights: w})
	})
	nan := mat.NewDense(5, 5, nil)
	nan.Set(3, 2, math.NaN())
	broken := *w
	broken.Val = broken.Val[:1]
	refused(t, map[string]viz.Figure{
		"no graph to draw":                 viz.Adjacency(five()),
		"no data":                          viz.Adjacency(nil, viz.Graph{Weights: w}),
		`graph "x": the weights are nil`:   viz.Adjacency(five(), viz.Graph{Name: "x"}),
		`"typed nil": the weights are nil`: viz.Adjacency(five(), viz.Graph{Name: "typed nil", Weights: (*sparse.CSR)(nil)}),
		"2 × 2 weights for 5 samples":      viz.Adjacency(five(), viz.Graph{Weights: mat.NewDense(2, 2, nil)}),
		"from sample 3 to 2 is NaN":        viz.Adjacency(five(), viz.Graph{Weights: nan}),
		`graph "broken"`:                   viz.Adjacency(five(), viz.Graph{Name: "broken", Weights: &broken}),
		"5 × 3 weights for 5 samples":      viz.Adjacency(five(), viz.Graph{Weights: mat.NewDense(5, 3, nil)}),
	})
}

func TestGraphLinks(t *testing.T) {
	m := viz.Samples(five())
	f := viz.GraphLinks(m, viz.Graph{Name: "graph", Weights: weights(t)})
	p := payload(t, f)
	// Strong, medium and weak edges, then classes a, b and none.
	if got := fmt.Sprint(kinds(p)); got != "[lines lines lines scatter scatter scatter]" && got != "[lines lines lines scatter scatter scatter scatter]" {
		t.Fatalf("series %s", got)
	}
	all := series(p)
	if got := fmt.Sprint(all[0]["data"], all[1]["data"], all[2]["data"]); got != "[1 0 3 1] [0 0 2 1] [0 0 1 0]" {
		t.Errorf("edges %s", got)
	}
	if f.Err() != nil || !strings.Contains(f.Text(), "graph: 3 edges") {
		t.Errorf("text %q", f.Text())
	}
	// A negative weight is dashed; edges of a single sample.
	signed := weights(t).Dense()
	signed.Set(0, 1, -4)
	all = series(payload(t, viz.GraphLinks(m, viz.Graph{Weights: signed}, 0)))
	if got := fmt.Sprint(all[0]["name"], all[0]["data"], all[0]["lineStyle"].(map[string]any)["type"], all[1]["name"], all[1]["data"], all[1]["lineStyle"].(map[string]any)["type"]); got != "positive[0 0 2 1]solidnegative[0 0 1 0]dashed" {
		t.Errorf("edges of sample 0: %s", got)
	}
	none := payload(t, viz.GraphLinks(m, viz.Graph{Weights: mat.NewDense(5, 5, nil)}))
	for _, kind := range kinds(none) {
		if kind != "scatter" {
			t.Errorf("no edge is drawn as %s", kind)
		}
	}
	if testing.Short() {
		return // the rest takes seconds
	}
	// Too many edges: the strongest are drawn, and the text reports this.
	const n = 200
	d := data.New(mat.NewDense(n, 2, nil), nil)
	full := mat.NewDense(n, n, nil)
	for i := range n {
		d.X.SetRow(i, []float64{math.Sin(float64(i)), math.Cos(float64(3 * i))})
		for j := range n {
			full.Set(i, j, 1+float64(i*n+j)/(n*n))
		}
	}
	f = viz.GraphLinks(viz.Samples(d), viz.Graph{Weights: full})
	drawn := 0
	for _, s := range series(payload(t, f)) {
		if s["type"] == "lines" {
			drawn += len(s["data"].([]any)) / 4
		}
	}
	if drawn != 10_000 || !strings.Contains(f.Text(), "19900 edges, of which the 10000 strongest are drawn") {
		t.Errorf("%d edges, text %q", drawn, f.Text())
	}
	refused(t, map[string]viz.Figure{
		"no model":                             viz.GraphLinks(nil, viz.Graph{Weights: full}),
		"200 × 200 weights for 5":              viz.GraphLinks(m, viz.Graph{Weights: full}),
		"sample 5 does not exist, from 0 to 4": viz.GraphLinks(m, viz.Graph{Weights: weights(t)}, 5),
		"the data have no pairs":               viz.PairLinks(m),
		"viz: there is no model":               viz.PairLinks(nil),
	})
}

func TestPairLinks(t *testing.T) {
	d := five().WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 2}}, Cannot: []data.Pair{{I: 0, J: 1}, {I: 2, J: 3}}})
	p := payload(t, viz.PairLinks(viz.Samples(d)))
	all := series(p)
	if got := fmt.Sprint(all[0]["name"], all[0]["data"], all[1]["name"], all[1]["data"]); got != "must-link[0 0 2 1]cannot-link[0 0 1 0 2 1 3 1]" {
		t.Errorf("pairs %s", got)
	}
	if one, two := all[0]["lineStyle"].(map[string]any)["type"], all[1]["lineStyle"].(map[string]any)["type"]; one != "solid" || two != "dashed" {
		t.Errorf("must-link %v, cannot-link %v", one, two)
	}
	harmless(t, func(evil string) viz.Figure {
		d := *d
		d.Name, d.ClassNames = evil, []string{evil}
		return viz.PairLinks(viz.Samples(&d))
	})
}

// A sweep with test samples shows both surfaces on one scale.
func TestMeshes(t *testing.T) {
	d := datasets.Iris().KeepLabels(5)
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), d).Log10("ridge", -1, 1, 1).Log10("manifold", -1, 1, 1)
	both := viz.Mesh(sweep.Train(0.5).MustRun())
	p := payload(t, both)
	if got := fmt.Sprint(kinds(p)); got != "[surface surface]" {
		t.Fatalf("series %s", got)
	}
	option := p["option"].(map[string]any)
	for _, name := range []string{"grid3D", "xAxis3D", "yAxis3D", "zAxis3D"} {
		if got := len(option[name].([]any)); got != 2 {
			t.Errorf("%d of %s", got, name)
		}
	}
	one, two := series(p)[0], series(p)[1]
	if one["grid3DIndex"] != 0.0 || two["grid3DIndex"] != 1.0 || one["name"] == two["name"] || fmt.Sprint(one["data"]) == fmt.Sprint(two["data"]) {
		t.Errorf("surfaces %v and %v", one["name"], two["name"])
	}
	z := option["zAxis3D"].([]any)
	if a, b := z[0].(map[string]any), z[1].(map[string]any); a["min"] != b["min"] || a["max"] != b["max"] {
		t.Errorf("scales %v and %v", a, b)
	}
	if !strings.Contains(both.Text(), "accuracy on unlabelled samples: 3 × 3 cells") || !strings.Contains(both.Text(), "accuracy on test samples: 3 × 3 cells") {
		t.Errorf("text %q", both.Text())
	}
}

func TestCone(t *testing.T) {
	f := viz.Cone([3]float64{3, 4, 5}, [3]float64{3, 4, 5.1}, [3]float64{3, 4, -4.9}, [3]float64{0, 0, -2})
	p := payload(t, f)
	if got := fmt.Sprint(kinds(p)); got != "[surface line3D scatter3D line3D scatter3D line3D line3D scatter3D]" {
		t.Fatalf("series %s", got)
	}
	if !strings.HasSuffix(f.Text(), "1 space-like\n1 null\n2 time-like\n") {
		t.Errorf("text %q", f.Text())
	}
	// Every point of the surface has the interval x² + y² − z² = 0; the points form rings.
	surface := series(p)[0]
	points := surface["data"].([]any)
	if shape := surface["dataShape"].([]any); shape[0].(float64)*shape[1].(float64) != float64(len(points)) {
		t.Errorf("%d points for the shape %v", len(points), shape)
	}
	for _, one := range points {
		v := one.([]any)
		x, y, z := v[0].(float64), v[1].(float64), v[2].(float64)
		if math.Abs(x*x+y*y-z*z) > 0.01 {
			t.Fatalf("%v is not on the cone", v)
		}
	}
	if got := fmt.Sprint(series(p)[2]["data"]); got != "[[3 4 -4.9]]" {
		t.Errorf("space-like %s", got)
	}
	payload(t, viz.Cone())
	refused(t, map[string]viz.Figure{
		"vector 0, NaN": viz.Cone([3]float64{math.NaN(), 0, 0}),
		"vector 1, Inf": viz.Cone([3]float64{1, 0, 0}, [3]float64{0, 0, math.Inf(-1)}),
		"zero":          viz.Cone([3]float64{}),
	})
}

// Matrices with few classes use the space that long names would need, and name all their classes on
// both axes.
func TestAdjacencyFills(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Digits().Only(0, 1, 2, 3, 4).Seed(1).Take(10)
	named := *d
	named.ClassNames = []string{"a class of a long name", "b", "c", "d", "e"}
	graphs := make([]viz.Graph, 3)
	for k := range graphs {
		graphs[k] = viz.Graph{Name: "graph", Weights: ssdrnb.LMRAG().MustFit(d).Graph()}
	}
	left := func(d *ssdrnb.Data) float64 {
		return payload(t, viz.Adjacency(d, graphs...))["layout"].(map[string]any)["left"].(float64)
	}
	if short, long := left(d), left(&named); short > 40 || long < 80 {
		t.Errorf("%v px for names of one digit, %v for a long one", short, long)
	}
	for k, a := range payload(t, viz.Adjacency(d, graphs...))["option"].(map[string]any)["xAxis"].([]any) {
		if n := len(a.(map[string]any)["axisLabel"].(map[string]any)["customValues"].([]any)); n != 5 {
			t.Errorf("x axis %d names %d of 5 classes", k, n)
		}
	}
}
