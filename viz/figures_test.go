package viz_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// series returns the series of a payload.
func series(p map[string]any) []map[string]any {
	var out []map[string]any
	for _, s := range p["option"].(map[string]any)["series"].([]any) {
		out = append(out, s.(map[string]any))
	}
	return out
}

// refused checks that each figure has an error with each of the words, and cannot be drawn.
func refused(t *testing.T, figures map[string]viz.Figure) {
	t.Helper()
	for words, f := range figures {
		if f.Err() == nil {
			t.Errorf("%s: no error", words)
			continue
		}
		for _, w := range strings.Split(words, ", ") {
			if !strings.Contains(f.Err().Error(), w) {
				t.Errorf("%q lacks %q", f.Err(), w)
			}
		}
		if _, err := f.Bundle(); err == nil {
			t.Errorf("%s: a bundle without a figure", words)
		}
		if !strings.Contains(f.Text(), "not drawn") {
			t.Errorf("%s: text %q", words, f.Text())
		}
	}
}

// harmless checks that no text becomes HTML; make returns a figure with the text.
func harmless(t *testing.T, make func(evil string) viz.Figure) {
	t.Helper()
	page, err := make(`</script><script>alert(1)</script><img src=x onerror=alert(1)>`).Page("")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") {
		t.Error("a name has become HTML")
	}
}

// pixels decodes the image of a series.
func pixels(t *testing.T, s map[string]any) image.Image {
	t.Helper()
	kind, code, _ := strings.Cut(s["image"].(string), ",")
	if kind != "data:image/png;base64" {
		t.Fatalf("the image is %s", kind)
	}
	raw, err := base64.StdEncoding.DecodeString(code)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func rgba(c color.Color) string {
	v := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprint(v.R, v.G, v.B, v.A)
}

func TestCurves(t *testing.T) {
	a := viz.Curve{Name: "TR-SDA", X: []float64{1, 2, 4}, Mean: []float64{0.5, 0.7, 0.8}, Spread: []float64{0.1, 0.05, 0.02}}
	b := viz.Curve{Name: "SDA", X: []float64{1, 2}, Mean: []float64{0.4, 0.6}}
	f := viz.CurvePanels("dimension", "accuracy", viz.CurvePanel{Title: "3 labelled", Curves: []viz.Curve{a, b}}, viz.CurvePanel{Title: "5 labelled", Curves: []viz.Curve{b}})
	p := payload(t, f)
	if got := fmt.Sprint(kinds(p)); got != "[line line line custom]" {
		t.Fatalf("series %s", got)
	}
	all := series(p)
	if got := fmt.Sprint(all[0]["data"], all[1]["data"]); got != "[[1 0.5 0.1] [2 0.7 0.05] [4 0.8 0.02]] [[1 0.4] [2 0.6]]" {
		t.Errorf("points %s", got)
	}
	if got := fmt.Sprintln(all[3]["draw"], all[3]["name"], all[3]["data"]); got != "band TR-SDA [[1 0.4 0.6] [2 0.65 0.75] [4 0.78 0.82]]\n" {
		t.Errorf("band %s", got)
	}
	// A method looks the same in every panel, and panels have equal y axes.
	if fmt.Sprint(all[1]["itemStyle"]) != fmt.Sprint(all[2]["itemStyle"]) || all[2]["xAxisIndex"] != 1.0 {
		t.Errorf("SDA differs between the panels: %v, %v", all[1], all[2])
	}
	option := p["option"].(map[string]any)
	for _, name := range []string{"xAxis", "yAxis"} {
		axes := option[name].([]any)
		one, two := axes[0].(map[string]any), axes[1].(map[string]any)
		if name == "yAxis" && (one["min"] != two["min"] || one["max"] != two["max"]) || one["name"] == "" {
			t.Errorf("%s: %v, %v", name, one, two)
		}
	}
	if !strings.Contains(f.Text(), "3 labelled, TR-SDA: highest accuracy = 0.8 ± 0.02, at dimension = 4") {
		t.Errorf("text %q", f.Text())
	}
	// Many curves are distinguishable; their spreads are drawn as whiskers.
	var many []viz.Curve
	for k := range 20 {
		c := a
		c.Name = fmt.Sprint("method ", k)
		many = append(many, c)
	}
	looks := map[string]bool{}
	for _, s := range series(payload(t, viz.Curves("λ", "accuracy", many...))) {
		if s["type"] == "line" {
			looks[fmt.Sprint(s["itemStyle"], s["lineStyle"])] = true
		} else if s["draw"] != "whiskers" {
			t.Errorf("spread drawn as %v", s["draw"])
		}
	}
	if len(looks) != 20 {
		t.Errorf("20 curves have %d looks", len(looks))
	}
	for kind, x := range map[string][]float64{"log": {0.001, 0.1, 10}, "value": {1, 50, 100}} {
		option := payload(t, viz.Curves("x", "y", viz.Curve{Name: "c", X: x, Mean: x}))["option"].(map[string]any)
		if got := option["xAxis"].([]any)[0].(map[string]any)["type"]; got != kind {
			t.Errorf("x at %v: axis of type %v", x, got)
		}
	}
	harmless(t, func(evil string) viz.Figure {
		return viz.CurvePanels(evil, evil, viz.CurvePanel{Title: evil, Curves: []viz.Curve{{Name: evil, X: []float64{1}, Mean: []float64{1}}}})
	})
	one := []float64{1}
	refused(t, map[string]viz.Figure{
		"there are no points":                     viz.Curves("x", "y"),
		"there are no points, at least one point": viz.Curves("x", "y", viz.Curve{Name: "empty"}),
		"1 x value, 2 means":                      viz.Curves("x", "y", viz.Curve{X: one, Mean: []float64{1, 2}}),
		"1 mean and 0 spreads":                    viz.Curves("x", "y", viz.Curve{X: one, Mean: one, Spread: []float64{}}),
		"NaN, leave out":                          viz.Curves("x", "y", viz.Curve{X: one, Mean: []float64{math.NaN()}}),
		"Inf":                                     viz.Curves("x", "y", viz.Curve{X: []float64{math.Inf(1)}, Mean: one}),
		"the spread of point 0 is -1, 0 or more":  viz.Curves("x", "y", viz.Curve{X: one, Mean: one, Spread: []float64{-1}}),
		`two curves are called "c", give each its own name`: viz.Curves("x", "y", viz.Curve{Name: "c", X: one, Mean: one}, viz.Curve{Name: "c", X: one, Mean: one}),
	})
}

func TestBars(t *testing.T) {
	groups := []string{"Iris", "Wine"}
	f := viz.Bars("accuracy", groups,
		viz.BarSeries{Name: "TR-SDA", Mean: []float64{0.9, math.NaN()}, Spread: []float64{0.02, 0}},
		viz.BarSeries{Name: "SDA", Mean: []float64{0.8, 0.7}})
	p := payload(t, f)
	if got := fmt.Sprint(kinds(p)); got != "[bar bar custom custom]" {
		t.Fatalf("series %s", got)
	}
	all := series(p)
	if got := fmt.Sprint(all[0]["data"], all[1]["data"], all[2]["data"], all[2]["beside"]); got != "[0.9 -] [0.8 0.7] [[0 0.88 0.92]] 2" {
		t.Errorf("bars %s", got)
	}
	if got := fmt.Sprint(p["extra"].(map[string]any)["spread"]); got != "[[0.02 <nil>] [<nil> <nil>]]" {
		t.Errorf("spreads %s", got)
	}
	if axis := p["option"].(map[string]any)["yAxis"].(map[string]any); axis["min"] != 0.0 {
		t.Errorf("bars start at %v", axis["min"])
	}
	if want := "Iris: TR-SDA 0.9 ± 0.02, SDA 0.8\nWine: TR-SDA –, SDA 0.7"; !strings.Contains(f.Text(), want) {
		t.Errorf("text %q", f.Text())
	}
	below := payload(t, viz.Bars("y", []string{"a"}, viz.BarSeries{Mean: []float64{-2}}, viz.BarSeries{Name: "b", Mean: []float64{1}}))
	if axis := below["option"].(map[string]any)["yAxis"].(map[string]any); axis["min"].(float64) > -2 {
		t.Errorf("a bar of −2 leaves the axis from %v", axis["min"])
	}
	share := payload(t, viz.Bars("accuracy", []string{"a"}, viz.BarSeries{Mean: []float64{0.95}, Spread: []float64{0.1}}))
	if axis := share["option"].(map[string]any)["yAxis"].(map[string]any); axis["max"].(float64) < 1.05 || axis["max"].(float64) > 1.1 {
		t.Errorf("the error bar of a share, up to 1.05, takes the axis to %v", axis["max"])
	}
	harmless(t, func(evil string) viz.Figure {
		return viz.Bars(evil, []string{evil}, viz.BarSeries{Name: evil, Mean: []float64{1}})
	})
	refused(t, map[string]viz.Figure{
		"0 groups":            viz.Bars("y", nil),
		"0 series":            viz.Bars("y", groups),
		"1 mean, 2 groups":    viz.Bars("y", groups, viz.BarSeries{Mean: []float64{1}}),
		"no mean is a number": viz.Bars("y", groups, viz.BarSeries{Mean: []float64{math.NaN(), math.NaN()}}),
		"Inf, Wine":           viz.Bars("y", groups, viz.BarSeries{Mean: []float64{1, math.Inf(1)}}),
		"± NaN":               viz.Bars("y", groups, viz.BarSeries{Mean: []float64{1, 1}, Spread: []float64{0, math.NaN()}}),
		"two series":          viz.Bars("y", groups, viz.BarSeries{Mean: []float64{1, 1}}, viz.BarSeries{Mean: []float64{1, 1}}),
	})
}

func TestField(t *testing.T) {
	d := datasets.TwoMoons(1).KeepLabels(2)
	s := viz.Samples(d)
	plane := viz.Around(s)
	for i := range d.Len() {
		if x, y := d.X.At(i, 0), d.X.At(i, 1); x <= plane.X[0] || x >= plane.X[1] || y <= plane.Y[0] || y >= plane.Y[1] {
			t.Fatalf("sample %d is outside the plane", i)
		}
	}
	// x increases to the right and y upwards; rows of the image are counted from the top.
	unit := viz.Plane{X: [2]float64{0, 4}, Y: [2]float64{0, 2}, Palette: viz.Gray}
	var centres *mat.Dense
	unit.Value("v", 2, 2, func(points *mat.Dense) []float64 { centres = points; return nil })
	if got := mat.Formatted(centres); fmt.Sprintf("%v", got) != fmt.Sprintf("%v", mat.Formatted(mat.NewDense(4, 2, []float64{1, .5, 3, .5, 1, 1.5, 3, 1.5}))) {
		t.Errorf("points\n%v", got)
	}
	slope := unit.Value("height", 2, 2, func(p *mat.Dense) []float64 {
		n, _ := p.Dims()
		out := make([]float64, n)
		for i := range out {
			out[i] = p.At(i, 0) + 10*p.At(i, 1)
		}
		return out
	})
	p := payload(t, viz.Field(slope))
	img := pixels(t, series(p)[0])
	if got := rgba(img.At(0, 1)) + ", " + rgba(img.At(1, 0)); got != "0 0 0 255, 255 255 255 255" {
		t.Errorf("lowest and highest value are %s", got)
	}
	if got := fmt.Sprint(series(p)[0]["data"]); got != "[[0 0 4 2]]" {
		t.Errorf("the image is at %s", got)
	}
	// Zero is white on the diverging palette, although all values have one sign.
	zero := viz.Plane{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Values: [][]float64{{0, -3}}, Palette: viz.Diverging}
	if r, g, b, _ := pixels(t, series(payload(t, viz.Field(zero)))[0]).At(0, 0).RGBA(); min(r, g, b)>>8 < 0xe0 {
		t.Errorf("zero is %x %x %x", r>>8, g>>8, b>>8)
	}
	regions := plane.Class(40, 30, func(p *mat.Dense) []int {
		n, _ := p.Dims()
		out := make([]int, n)
		for i := range out {
			if p.At(i, 1) < 0.3 {
				out[i] = 1
			}
		}
		return out
	})
	f := viz.Field(slope, regions)
	p = payload(t, f)
	// One image each, then labelled and unlabelled samples of two classes, then two legend entries.
	if got := fmt.Sprint(kinds(p)); got != "[custom custom scatter scatter scatter scatter scatter scatter]" {
		t.Errorf("series %s", got)
	}
	if bars := p["option"].(map[string]any)["visualMap"].([]any); len(bars) != 1 {
		t.Errorf("%d colour bars", len(bars))
	}
	if e := p["extra"].(map[string]any)["panels"].([]any); e[0] != nil || strings.Count(e[1].(map[string]any)["labelled"].(string), "1") != 4 {
		t.Errorf("extra %v", e)
	}
	// Equal scales: the script keeps the aspect ratio of the panels.
	place := p["layout"].(map[string]any)
	for k, ratio := range place["ratio"].([]any) {
		one := []viz.Plane{slope, regions}[k]
		if want := (one.Y[1] - one.Y[0]) / (one.X[1] - one.X[0]); place["kept"] != true || math.Abs(ratio.(float64)-want) > 1e-9 {
			t.Errorf("panel %d: height over width is %v, want %g", k, ratio, want)
		}
	}
	harmless(t, func(evil string) viz.Figure {
		evilData := *d
		evilData.Name, evilData.ClassNames, evilData.FeatureNames = evil, []string{evil}, []string{evil, evil}
		one := slope
		one.Title, one.Measure, one.Samples = evil, evil, viz.Samples(&evilData)
		return viz.Field(one, one)
	})
	// A grid of 300 × 300 values takes at most one byte per cell.
	large := plane.Value("v", 300, 300, func(p *mat.Dense) []float64 {
		n, _ := p.Dims()
		out := make([]float64, n)
		for i := range out {
			out[i] = math.Sin(p.At(i, 0)) * p.At(i, 1)
		}
		return out
	})
	if got := len(pixelsURI(payload(t, viz.Field(large)))); got > 300*300*4/3 {
		t.Errorf("the image takes %d bytes", got)
	}
	nothing := func(*mat.Dense) []float64 { return []float64{0} }
	bad := func(change func(*viz.Plane)) viz.Figure {
		one := slope
		change(&one)
		return viz.Field(one)
	}
	refused(t, map[string]viz.Figure{
		"no plane":                     viz.Field(),
		"both values and classes":      viz.Field(plane),
		"range from 1 to 1":            bad(func(p *viz.Plane) { p.X = [2]float64{1, 1} }),
		"lengths 1e-20 and 1e+299":     bad(func(p *viz.Plane) { p.X, p.Y = [2]float64{0, 1e-20}, [2]float64{0, 1e299} }),
		"lengths 1e+299 and 1e-20":     bad(func(p *viz.Plane) { p.X, p.Y = [2]float64{0, 1e299}, [2]float64{0, 1e-20} }),
		"range from NaN":               bad(func(p *viz.Plane) { p.Y = [2]float64{math.NaN(), 1} }),
		"row 0, column 1, NaN":         bad(func(p *viz.Plane) { p.Values = [][]float64{{0, math.NaN()}} }),
		"row 1 has 1 cell":             bad(func(p *viz.Plane) { p.Values = [][]float64{{0, 1}, {2}} }),
		"0 × 0 cells":                  bad(func(p *viz.Plane) { p.Values = [][]float64{} }),
		"row 0 has no cells":           bad(func(p *viz.Plane) { p.Values = [][]float64{{}} }),
		"column 0 is -2":               bad(func(p *viz.Plane) { p.Values, p.Classes = nil, [][]int{{-2}} }),
		"equal length":                 viz.Field(unit.Value("short", 2, 2, func(*mat.Dense) []float64 { return []float64{1} })),
		"0 × 2 cells":                  viz.Field(unit.Value("none", 0, 2, func(*mat.Dense) []float64 { return nil })),
		"samples have 1 dimension":     bad(func(p *viz.Plane) { p.Samples = viz.Samples(data.New(mat.NewDense(2, 1, nil), nil)) }),
		"plane 1 of 1, samples have 1": viz.Field(viz.Around(viz.Samples(data.New(mat.NewDense(2, 1, nil), nil))).Value("v", 1, 1, nothing)),
		"plane 1 of 1, no model":       viz.Field(viz.Around(nil).Value("v", 1, 1, nothing)),
		"is lost, plane":               viz.Field(viz.Around(viz.Samples(data.Failed("x", errors.New("the file is lost")))).Value("v", 1, 1, nothing)),
		"plane 2 of 2, both values":    viz.Field(slope, viz.Around(nil)),
	})
}

// A figure contains the values at the time of the call, although it is drawn later.
func TestFiguresKeepTheirValues(t *testing.T) {
	t.Parallel()
	list := func() []float64 { return []float64{1, 2, 4} }
	mean, spread, x, bars, deviations, notes := list(), list(), list(), list(), list(), []string{"first"}
	values, sizes, classes, path := [][]float64{{1, 2, 4}}, list(), [][]int{{0, 1, 1}}, mat.NewDense(3, 2, []float64{0, 0, 1, 1, 2, 1})
	chosen, color, names, weights := []int{0, 1}, []string{"a", "b", "b"}, []string{"a", "b"}, mat.NewDense(3, 3, []float64{0, 1, 0, 1, 0, 0, 0, 0, 0})
	vectors, groups := [][3]float64{{1, 2, 3}}, []string{"a", "b", "c"}
	d := data.New(mat.NewDense(3, 2, []float64{0, 0, 1, 1, 2, 1}), nil)
	s := viz.Samples(d)
	models := []viz.Embedded{s, s}
	plane := viz.Plane{X: [2]float64{0, 2}, Y: [2]float64{0, 2}, Path: path}
	filled, tinted := plane, plane
	filled.Values, tinted.Classes = values, classes
	graph := viz.Graph{Weights: weights}
	figures := map[string]viz.Figure{
		"Curves":     viz.Curves("x", "y", viz.Curve{Name: "a", X: x, Mean: mean, Spread: spread}),
		"Bars":       viz.Bars("y", groups, viz.BarSeries{Name: "s", Mean: bars, Spread: deviations}),
		"Multiples":  viz.Multiples(viz.Group{Models: models, Notes: notes}),
		"Field":      viz.Field(filled, tinted),
		"Regions":    viz.Pictures(viz.Regions(classes, names...)),
		"Scribbles":  viz.Pictures(viz.Scribbles(image.NewGray(image.Rect(0, 0, 3, 1)), classes, names...)),
		"Adjacency":  viz.Adjacency(d, graph),
		"GraphLinks": viz.GraphLinks(s, graph, chosen...),
		"Compare":    viz.Compare(models...).Color(color).PointSize(sizes).Only(chosen...).Highlight(chosen...),
		"Cone":       viz.Cone(vectors...),
	}
	region := viz.Regions(classes, names...)
	drawn := func() map[string]string {
		out := map[string]string{}
		for name, f := range figures {
			picture, err := f.PNG()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			out[name] = string(picture) + f.Text()
		}
		return out
	}
	before := drawn()
	for _, v := range [][]float64{mean, spread, x, bars, deviations, values[0], sizes} {
		v[1] = 300
	}
	classes[0][1], chosen[1], color[1], names[1], notes[0], groups[1], vectors[0][1], models[1] = 7, 2, "z", "z", "z", "z", 9, viz.Samples(datasets.Iris())
	path.Set(1, 1, 0.5)
	weights.Set(1, 2, -1)
	for name, after := range drawn() {
		if after != before[name] {
			t.Errorf("%s has changed", name)
		}
	}
	// Another picture changes the ranks of the classes, and the regions are painted again.
	other := viz.Regions([][]int{{5}})
	if saved(t, viz.Pictures(region, other)) != saved(t, viz.Pictures(viz.Regions([][]int{{0, 1, 1}}, "a", "b"), other)) {
		t.Error("Regions beside others has changed")
	}
}

// A cloud in three dimensions has the same box at all scales.
func TestCloudScales(t *testing.T) {
	t.Parallel()
	box := func(scale float64) string {
		x := mat.NewDense(8, 3, nil)
		for i := range 8 {
			x.SetRow(i, []float64{scale * float64(i%2), scale * 2 * float64(i/2%2), scale * 9 * float64(i/4)})
		}
		grid := payload(t, viz.Embedding(viz.Samples(data.New(x, nil))))["option"].(map[string]any)["grid3D"].([]any)[0].(map[string]any)
		return fmt.Sprint(grid["boxWidth"], grid["boxDepth"], grid["boxHeight"])
	}
	want := box(1)
	for _, scale := range []float64{1e-280, 1e-120, 1e-100, 1e100, 1e110, 1e290} {
		if got := box(scale); got != want {
			t.Errorf("at scale %g the sides of the box are %s, want %s", scale, got, want)
		}
	}
}

func pixelsURI(p map[string]any) string { return series(p)[0]["image"].(string) }

// A figure that cannot be drawn reports the reason; failed data have their own error.
func TestNothingToDraw(t *testing.T) {
	nan := mat.NewDense(3, 2, nil)
	nan.Set(1, 1, math.NaN())
	refused(t, map[string]viz.Figure{
		"no model":       viz.Embedding(nil),
		"no model to":    viz.Compare(viz.Samples(datasets.Iris()), nil),
		"nil":            viz.Embedding(viz.Samples(nil)),
		"lost":           viz.Compare(viz.Samples(data.Failed("x", errors.New("lost")))),
		"X[1][1] = NaN":  viz.Embedding(viz.Samples(&data.Data{X: nan})),
		"a file is gone": viz.Field(viz.Plane{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Values: [][]float64{{1}}, Samples: viz.Samples(data.Failed("x", errors.New("a file is gone")))}),
	})
	if got := viz.Embedding(viz.Samples(datasets.TwoMoons(1))).Text(); !strings.HasPrefix(got, "two moons\n") {
		t.Errorf("text %q", got)
	}
}

func TestPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	img := image.NewRGBA(image.Rect(5, 5, 25, 15))
	for y := range 10 {
		for x := range 20 {
			img.Set(5+x, 5+y, color.RGBA{uint8(12 * x), uint8(25 * y), 90, 255})
		}
	}
	marks := make([][]int, 10)
	for y := range marks {
		marks[y] = make([]int, 20)
		for x := range marks[y] {
			marks[y][x] = -1
		}
	}
	marks[0][0], marks[9][19] = 0, 3
	digits := datasets.Digits()
	sheet := viz.Thumbnails(digits.X.Slice(0, 6, 0, 64), digits.Image, 3)
	f := viz.Pictures(viz.Picture{Image: img, Caption: "original"}, viz.Scribbles(img, marks, "sky").Captioned("marked"), viz.Regions(marks, "sky"), sheet)
	p := payload(t, f)
	if got := fmt.Sprint(kinds(p)); got != "[custom custom custom custom scatter scatter]" {
		t.Fatalf("series %s", got)
	}
	all := series(p)
	if all[4]["name"] != "sky" || all[5]["name"] != "3" {
		t.Errorf("legend %v, %v", all[4]["name"], all[5]["name"])
	}
	// Enlarged by integer factors; a marked pixel has its class's colour, other pixels the image's,
	// and nothing is drawn where a segmentation has no class.
	marked, regions := pixels(t, all[1]), pixels(t, all[2])
	if w := marked.Bounds().Dx(); w%20 != 0 || w < 200 {
		t.Errorf("20 pixels are drawn on %d", w)
	}
	k := marked.Bounds().Dx() / 20
	if got := rgba(marked.At(0, 0)) + "; " + rgba(marked.At(k, 0)) + "; " + rgba(regions.At(k, 0)); got != "0 114 178 255; 12 0 90 255; 0 0 0 0" {
		t.Errorf("pixels %s", got)
	}
	if rgba(img.At(5, 5)) != "0 0 90 255" {
		t.Error("the scribbles have changed the image below")
	}
	if size := sheet.Image.Bounds().Size(); size != image.Pt(3*9-1, 2*9-1) {
		t.Errorf("a sheet of 3 × 2 digits has %v pixels", size)
	}
	if !strings.Contains(f.Text(), "original, 20 × 10 pixels") {
		t.Errorf("text %q", f.Text())
	}
	// A photograph is stored at its drawn size.
	photo := image.NewRGBA(image.Rect(0, 0, 1600, 1200))
	for i := range photo.Pix {
		photo.Pix[i] = uint8(i * i >> 7)
		if i%4 == 3 {
			photo.Pix[i] = 255
		}
	}
	if uri := pixelsURI(payload(t, viz.Pictures(viz.Picture{Image: photo}))); !strings.HasPrefix(uri, "data:image/jpeg") || len(uri) > 300<<10 {
		t.Errorf("a photograph takes %d bytes of %.20s", len(uri), uri)
	}
	harmless(t, func(evil string) viz.Figure { return viz.Pictures(viz.Regions(marks, evil).Captioned(evil), sheet) })
	bad := mat.NewDense(1, 4, []float64{0, 1, math.NaN(), 2})
	shape := data.Image{Height: 2, Width: 2}
	refused(t, map[string]viz.Figure{
		"no picture":                       viz.Pictures(),
		"picture 2 of 2, no pixel":         viz.Pictures(sheet, viz.Picture{}),
		"the segmentation has no":          viz.Pictures(viz.Regions(nil)),
		"no image below":                   viz.Pictures(viz.Scribbles(nil, marks)),
		"1 row of classes, 20 × 10":        viz.Pictures(viz.Scribbles(img, marks[:1])),
		"row 0 has 3 classes":              viz.Pictures(viz.Scribbles(img, append([][]int{{0, 0, 0}}, marks[1:]...))),
		"row 1 has 1 class":                viz.Pictures(viz.Regions([][]int{{0, 0}, {0}})),
		"row 0, column 0 is -2":            viz.Pictures(viz.Regions([][]int{{-2}})),
		"picture 1 of 1: the image has no": viz.Pictures(viz.Regions([][]int{{}})),
		"pixel 2 of image 0, NaN":          viz.Pictures(viz.Thumbnails(bad, shape, 1)),
		"cannot be images of 3 × 2 pixels": viz.Pictures(viz.Thumbnails(bad, data.Image{Height: 2, Width: 3}, 1)),
		"the shape of the thumbnails":      viz.Pictures(viz.Thumbnails(nil, shape, 1)),
		"-1 columns":                       viz.Pictures(viz.Thumbnails(bad, shape, -1)),
		"more than a sheet, draw fewer":    viz.Pictures(viz.Thumbnails(mat.NewDense(2000, 64*64, nil), data.Image{Height: 64, Width: 64}, 0)),
	})
}

// Every figure can have the smallest size that Size allows, in landscape format.
func TestSmallSizes(t *testing.T) {
	d := datasets.Iris().KeepLabels(5)
	s := viz.Samples(d.Only(0, 1))
	one := []float64{1}
	for name, f := range map[string]viz.Figure{
		"curves":    viz.Curves("x", "y", viz.Curve{Name: "c", X: one, Mean: one, Spread: one}),
		"bars":      viz.Bars("y", []string{"a group with a long name"}, viz.BarSeries{Name: "b", Mean: one}),
		"field":     viz.Field(viz.Around(s).Value("v", 2, 2, func(*mat.Dense) []float64 { return make([]float64, 4) })),
		"pictures":  viz.Pictures(viz.Regions([][]int{{0, 1}}), viz.Regions([][]int{{0}, {1}})),
		"adjacency": viz.Adjacency(five(), viz.Graph{Weights: weights(t)}, viz.Graph{Weights: weights(t)}),
		"links":     viz.GraphLinks(viz.Samples(five()), viz.Graph{Weights: weights(t)}),
		"compare":   viz.Compare(s, s, s, s, s),
		"cone":      viz.Cone(),
	} {
		for _, size := range [][2]int{{0, 0}, {300, 240}, {2000, 200}} {
			if _, err := f.Size(size[0], size[1]).Bundle(); err != nil {
				t.Errorf("%s of %v: %v", name, size, err)
			}
		}
	}
}

func TestMultiples(t *testing.T) {
	d := datasets.Iris()
	pca, lda := ssdrnb.PCA().MustFit(d), ssdrnb.LDA().Dims(1).MustFit(d)
	var many []viz.Embedded
	for range 9 {
		many = append(many, pca)
	}
	one, two := viz.Multiples(viz.Group{Title: "a", Models: []viz.Embedded{pca, lda}, Notes: []string{"first"}}), viz.Multiples(viz.Group{Title: "nine", Models: many}, viz.Group{Title: "one", Models: many[:1]})
	height := func(f viz.Figure) int {
		raw, err := f.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return img.Bounds().Dy()
	}
	if a, b := height(one), height(two); b <= 2*a {
		t.Errorf("three rows under two headings are %d pixels high, one row is %d", b, a)
	}
	if got := two.Text(); !strings.Contains(got, "nine: PCA, PCA") || !strings.Contains(got, "one: PCA\n") {
		t.Errorf("in words: %s", got)
	}
	for _, bad := range []viz.Figure{viz.Multiples(), viz.Multiples(viz.Group{Title: "empty"}), viz.Multiples(viz.Group{Models: []viz.Embedded{nil}})} {
		if bad.Err() == nil {
			t.Error("nothing is drawn without an error")
		}
	}
}

// Several embeddings have a script that links their samples, with positions in two bytes, unless
// there are too many samples.
func TestMultiplesAreLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().KeepLabels(5).Seed(1)
	pca, lda := ssdrnb.PCA().MustFit(d), ssdrnb.LDA().Dims(1).MustFit(d)
	f := viz.Multiples(viz.Group{Title: "a", Models: []viz.Embedded{pca, lda}}, viz.Group{Title: "b", Models: []viz.Embedded{pca}})
	p := payload(t, f)
	panels := p["extra"].(map[string]any)["panels"].([]any)
	samples := func(k int) map[string]any { return panels[k].(map[string]any)["samples"].(map[string]any) }
	if one, again := samples(0), samples(2); one["print"] == "" || fmt.Sprint(one) != fmt.Sprint(again) || one["print"] != identity(t, viz.Compare(pca), 0)["print"] {
		t.Errorf("%v and %v", one, again)
	}
	if n := len(p["looks"].([]any)); n != 1 {
		t.Errorf("%d lists of classes of the same data", n)
	}
	y := pca.Embedding()
	raw, err := base64.StdEncoding.DecodeString(p["points"].([]any)[0].(string))
	if err != nil || len(raw) != 4*150 {
		t.Fatalf("%d bytes: %v", len(raw), err)
	}
	at := func(i int) (x, y float64) {
		return float64(raw[4*i]) + 256*float64(raw[4*i+1]), float64(raw[4*i+2]) + 256*float64(raw[4*i+3])
	}
	// Equal scales: distances in the panel are proportional to those in the embedding, and y points
	// upwards.
	x0, y0 := at(0)
	x1, y1 := at(100)
	unit := (x1 - x0) / (y.At(100, 0) - y.At(0, 0))
	for i := range 150 {
		u, v := at(i)
		if math.Abs(u-x0-unit*(y.At(i, 0)-y.At(0, 0))) > 2 || math.Abs(v-y0+unit*(y.At(i, 1)-y.At(0, 1))) > 2 || unit <= 0 {
			t.Fatalf("sample %d is at (%g, %g), sample 100 at (%g, %g)", i, u, v, x1, y1)
		}
	}
	for name, width := range map[string]float64{"wide": 1072, "narrow": 544} {
		one := p[name].(map[string]any)
		if len(one["tiles"].([]any)) != 3 || one["width"] != width || len(one["keys"].([]any)) != 3 {
			t.Errorf("%s: %v", name, one)
		}
	}
	if sized := payload(t, f.Size(1100, 700))["wide"].(map[string]any); sized["width"] != 1100.0 || sized["height"] != 700.0 {
		t.Errorf("of a given size: %v", sized)
	}
	// A sample far away is not shown.
	far := mat.DenseCopyOf(y)
	far.Set(7, 0, 1e6)
	raw, _ = base64.StdEncoding.DecodeString(payload(t, viz.Multiples(viz.Group{Models: []viz.Embedded{placed{d, far}}}))["points"].([]any)[0].(string))
	if x, y := at(7); x != 65535 || y != 65535 {
		t.Errorf("a sample outside of the panel is at (%g, %g)", x, y)
	}
	many := placed{data.New(mat.NewDense(60_000, 2, nil), nil), mat.NewDense(60_000, 2, nil)}
	for name, f := range map[string]viz.Figure{"120,000 samples": viz.Multiples(viz.Group{Models: []viz.Embedded{many, many}}), "201 panels": viz.Multiples(viz.Group{Models: slices.Repeat([]viz.Embedded{pca}, 201)})} {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		if html := fmt.Sprint(bundle["text/html"]); len(bundle) != 3 || strings.Contains(html, "<script") || !strings.Contains(html, "ssdrnb-figure") {
			t.Errorf("%s: %.200s", name, html)
		}
	}
}

// Each panel of curves has the range of its own points, and its axes have ticks at both ends.
func TestCurvePanelsFill(t *testing.T) {
	curve := func(x ...float64) []viz.Curve {
		mean := make([]float64, len(x))
		for i := range x {
			mean[i] = 0.81 + 0.18*float64(i)/float64(len(x)-1)
		}
		return []viz.Curve{{Name: "one", X: x, Mean: mean}}
	}
	axes := func(f viz.Figure, name string) [][3]any {
		var out [][3]any
		for _, a := range payload(t, f)["option"].(map[string]any)[name].([]any) {
			m := a.(map[string]any)
			out = append(out, [3]any{m["min"], m["max"], m["splitNumber"]})
		}
		return out
	}
	f := viz.CurvePanels("x", "y", viz.CurvePanel{Curves: curve(20, 60, 180)}, viz.CurvePanel{Curves: curve(100, 200)}, viz.CurvePanel{})
	if got, want := fmt.Sprint(axes(f, "xAxis")), "[[15.2 184.8 3] [97 203 5] [14.6 205.4 4]]"; got != want {
		t.Errorf("x axes %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(axes(f, "yAxis")), "[[0.8 1 4] [0.8 1 4] [0.8 1 4]]"; got != want {
		t.Errorf("y axes %s, want %s", got, want)
	}
	f = viz.CurvePanels("x", "y", viz.CurvePanel{Curves: curve(1e-4, 1e-2, 1)}, viz.CurvePanel{Curves: curve(0.1, 10, 1000)})
	if got, want := fmt.Sprintf("%.3g", axes(f, "xAxis")), "[[7.59e-05 1.32 <nil>] [0.0759 1.32e+03 <nil>]]"; got != want {
		t.Errorf("logarithmic x axes %s, want %s", got, want)
	}
	// A share of 0 or 1 does not lie on the frame either, and no tick label is beyond it.
	f = viz.Curves("x", "error", viz.Curve{Name: "one", X: []float64{1, 2}, Mean: []float64{0, 1}})
	if got, want := fmt.Sprint(axes(f, "yAxis")), "[[-0.03 1.03 5]]"; got != want {
		t.Errorf("y axis %s, want %s", got, want)
	}
	if y := payload(t, f)["option"].(map[string]any)["yAxis"].([]any)[0].(map[string]any)["axisLabel"].(map[string]any); y["showMinLabel"] != false || y["showMaxLabel"] != false {
		t.Errorf("the ends of the y axis have numbers: %v", y)
	}
}

// The caption of a single panel is written below a different title, but a repeated one is omitted.
func TestCaptionOfOne(t *testing.T) {
	one := viz.Pictures(viz.Picture{Image: image.NewGray(image.Rect(0, 0, 8, 8)), Caption: "zeros by rank"})
	for title, want := range map[string]int{"": 1, "Within a class": 2} {
		f := one
		if title != "" {
			f = f.Title(title)
		}
		html, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		_, option, _ := viztest.Split(html["text/html"].(string))
		if got := strings.Count(option, "zeros by rank") + strings.Count(option, "Within a class"); got != want {
			t.Errorf("title %q: %d texts, want %d", title, got, want)
		}
	}
}

// A figure without a chart is dark in a dark page.
func TestMultiplesInTheDark(t *testing.T) {
	bundle, err := viz.Multiples(viz.Group{Models: []viz.Embedded{ssdrnb.PCA().MustFit(datasets.Iris())}}).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	html := bundle["text/html"].(string)
	_, rule, _ := strings.Cut(html, "<style>")
	if !strings.Contains(rule, `data-jp-theme-light="false"`) || !strings.Contains(rule, "invert(") || !strings.Contains(html, `data-kind="multiples"`) {
		t.Errorf("no rule for dark pages: %.400s", html)
	}
}

// A narrow page arranges the panels differently; a given size stays.
func TestMultiplesOnANarrowPage(t *testing.T) {
	pca := ssdrnb.PCA().MustFit(datasets.Iris())
	f := viz.Multiples(viz.Group{Models: []viz.Embedded{pca, pca, pca, pca}})
	images := func(f viz.Figure) []string {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`<img class="ssdrnb-\w+" alt="Embeddings. PCA, PCA, PCA, PCA" width="\d+" style="(?:display:none;)?`).FindAllString(bundle["text/html"].(string), -1)
	}
	got := images(f)
	want := []string{`<img class="ssdrnb-narrow" alt="Embeddings. PCA, PCA, PCA, PCA" width="544" style="display:none;`, `<img class="ssdrnb-wide" alt="Embeddings. PCA, PCA, PCA, PCA" width="1072" style="`}
	if !slices.Equal(got, want) {
		t.Errorf("images %q, want %q", got, want)
	}
	if got := images(f.Size(800, 600)); got != nil {
		t.Errorf("a figure of a given size has the images %q", got)
	}
}

// The page and the static picture name the axis of |g(λ)| alike.
func TestAxesOfConvergence(t *testing.T) {
	f := viz.Convergence(history([]float64{1, 2, 3}, []float64{-4, -1, -1e-3}))
	axes := payload(t, f)["option"].(map[string]any)["yAxis"].([]any)
	path := filepath.Join(t.TempDir(), "f.svg")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{"λ", "|g(λ)|"} {
		if name := axes[k].(map[string]any)["name"]; name != want || !strings.Contains(string(file), ">"+want+"<") {
			t.Errorf("axis %d is called %v", k, name)
		}
	}
}
