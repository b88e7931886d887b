package viz_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// iterated is a solver's history as an argument of a figure.
type iterated struct{ report *ssdrnb.Report }

func (m iterated) Report() *ssdrnb.Report { return m.report }

func history(lambda, g []float64) iterated {
	return iterated{&ssdrnb.Report{Method: "M", Traces: []ssdrnb.Trace{{Name: "solver", Lambda: lambda, G: g}}}}
}

// table returns an n×columns matrix with the entries value(i, j).
func table(n, columns int, value func(i, j int) float64) *mat.Dense {
	x := mat.NewDense(n, columns, nil)
	for i := range n {
		for j := range columns {
			x.Set(i, j, value(i, j))
		}
	}
	return x
}

// sets are data that are hard to draw. They are not validated, as fields can be set by hand.
func sets() map[string]*data.Data {
	wave := func(i, j int) float64 { return math.Sin(float64(3*i + 7*j)) }
	labels := func(n int, label func(i int) int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = label(i)
		}
		return out
	}
	out := map[string]*data.Data{
		"an ID as label":     {X: table(50, 3, wave), Labels: labels(50, func(i int) int { return 1e10 + 7*i })},
		"the largest label":  {X: table(3, 2, wave), Labels: []int{math.MaxInt, 0, -1}},
		"10,000 categories":  {X: table(10_000, 2, wave), Truth: labels(10_000, func(i int) int { return i }), Labels: labels(10_000, func(i int) int { return max(i%5-1, -1) })},
		"labels below -1":    {X: table(4, 2, wave), Labels: []int{-2, math.MinInt, 0, 1}},
		"too few labels":     {X: table(4, 2, wave), Labels: []int{1}, Truth: []int{0, 1}},
		"one sample":         {X: table(1, 2, wave)},
		"equal samples":      {X: table(9, 2, func(i, j int) float64 { return 3 })},
		"image of no size":   {X: table(4, 4, wave), Image: data.Image{Height: 0, Width: 4}},
		"image below zero":   {X: table(4, 4, wave), Image: data.Image{Height: -2, Width: -2}},
		"image too large":    {X: table(4, 4, wave), Image: data.Image{Height: 1 << 32, Width: 1 << 32}},
		"image of no pixels": {X: table(4, 4, func(i, j int) float64 { return 1e308 * wave(i, j) }), Image: data.Image{Height: 2, Width: 2}},
		"nothing":            {X: &mat.Dense{}},
		"no matrix":          {},
	}
	for name, value := range map[string]func(i, j int) float64{
		"an offset that dwarfs":  func(i, j int) float64 { return 1.7e18 + 256*float64(i*(1+j)) },
		"an offset and nothing":  func(i, j int) float64 { return 1.7e18 },
		"an offset below zero":   func(i, j int) float64 { return -1e9 + wave(i, j) },
		"rounding around one":    func(i, j int) float64 { return 1 + 1e-16*float64(i%3) },
		"the largest numbers":    func(i, j int) float64 { return 1e308 * math.Copysign(1, wave(i, j)) },
		"large numbers":          func(i, j int) float64 { return 1e300 * wave(i, j) },
		"small numbers":          func(i, j int) float64 { return 1e-300 * wave(i, j) },
		"the smallest numbers":   func(i, j int) float64 { return 5e-324 * float64(i) },
		"one axis without range": func(i, j int) float64 { return float64(i * j) },
		"one axis that dwarfs":   func(i, j int) float64 { return math.Pow(1e150, float64(j)) * wave(i, j) },
		"NaN":                    func(i, j int) float64 { return math.NaN() },
		"-Inf":                   func(i, j int) float64 { return math.Inf(-1) },
	} {
		out[name] = &data.Data{X: table(20, 2, value), Labels: labels(20, func(i int) int { return i%3 - 1 })}
		out[name+", one feature"] = &data.Data{X: table(20, 1, value)}
		out[name+", three features"] = &data.Data{X: table(20, 3, value)}
	}
	return out
}

// A figure of any input is finite JSON and an image, within bounds, or reports an error.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	figures := map[string]func() viz.Figure{}
	for name, d := range sets() {
		if onceOnly() && d.Len() >= 10_000 {
			continue
		}
		s := viz.Samples(d)
		n := d.Len()
		chain := mat.NewDense(max(n, 1), max(n, 1), nil)
		if n > 1 {
			chain = mat.NewDense(min(n, 50), min(n, 50), nil)
			chain.Set(0, 1, 1)
		}
		figures["Embedding of "+name] = func() viz.Figure { return viz.Embedding(s) }
		figures["Distortion of "+name] = func() viz.Figure { return viz.Distortion(s) }
		figures["Loadings of "+name] = func() viz.Figure { return viz.Loadings(s) }
		figures["Styles of "+name] = func() viz.Figure {
			var first []float64
			for i := range n {
				first = append(first, d.X.At(i, 0))
			}
			return viz.Compare(s).Color(first).PointSize(first).Opacity(first).Labels().Density().Arrows(3)
		}
		if strings.HasSuffix(name, "features") && !strings.HasPrefix(name, "an offset") {
			continue
		}
		figures["Compare of "+name] = func() viz.Figure { return viz.Compare(s, s) }
		figures["Multiples of "+name] = func() viz.Figure {
			return viz.Multiples(viz.Group{Title: "a", Models: []viz.Embedded{s, s}})
		}
		figures["GraphLinks on "+name] = func() viz.Figure { return viz.GraphLinks(s, viz.Graph{Weights: chain}) }
		figures["PairLinks on "+name] = func() viz.Figure {
			with := *d
			with.Pairs = data.Pairs{Must: []data.Pair{{I: 0, J: 1}}}
			return viz.PairLinks(viz.Samples(&with))
		}
		figures["Adjacency over "+name] = func() viz.Figure { return viz.Adjacency(d, viz.Graph{Weights: chain}) }
		figures["Field around "+name] = func() viz.Figure {
			return viz.Field(viz.Around(s).Value("v", 3, 2, func(*mat.Dense) []float64 { return []float64{0, 1, 2, 3, 4, 5} }),
				viz.Around(s).Class(3, 1, func(*mat.Dense) []int { return []int{0, 1e10, math.MaxInt} }))
		}
		figures["Boundaries in "+name] = func() viz.Figure {
			m, err := ssdrnb.PCA().Fit(d)
			if err != nil {
				return viz.Boundaries(nil)
			}
			return viz.Boundaries(m)
		}
	}
	numbers := map[string][]float64{
		"one": {1}, "equal": {2, 2, 2}, "an offset": {1.7e18, 1.7e18 + 256, 1.7e18 + 512}, "an offset and nothing": {1.7e18, 1.7e18},
		"a small offset": {2000, 2000.5, 2001}, "rounding": {1, 1 + 1e-16, 1 + 4e-16}, "largest": {-1e308, 1e308}, "large": {-1e300, 1e300}, "all sizes": {5e-324, 1e-10, 1e300},
		"factors": {1e-300, 1, 1e300}, "smallest": {5e-324, 1e-323, 1.5e-323}, "NaN": {1, math.NaN()}, "Inf": {1, math.Inf(1)}, "none": {},
		"zero": {0, 0}, "below zero": {-3, -2, -1e-12},
	}
	for name, v := range numbers {
		count := make([]float64, len(v))
		for i := range count {
			count[i] = float64(i)
		}
		groups := make([]string, len(v))
		spread := make([]float64, len(v))
		for i := range spread {
			spread[i] = math.Abs(v[i])
		}
		figures["Curves at "+name] = func() viz.Figure { return viz.Curves("x", "y", viz.Curve{X: v, Mean: count}) }
		figures["Curves of "+name] = func() viz.Figure { return viz.Curves("x", "y", viz.Curve{X: count, Mean: v, Spread: spread}) }
		figures["Bars of "+name] = func() viz.Figure {
			return viz.Bars("y", groups, viz.BarSeries{Name: "a", Mean: v}, viz.BarSeries{Name: "b", Mean: v, Spread: spread})
		}
		figures["Convergence of "+name] = func() viz.Figure { return viz.Convergence(history(v, v)) }
		figures["Convergence of no g, "+name] = func() viz.Figure { return viz.Convergence(history(v, nil)) }
		if len(v) == 0 {
			continue
		}
		figures["Cone of "+name] = func() viz.Figure { return viz.Cone([3]float64{v[0], v[len(v)-1], v[len(v)/2]}) }
		figures["Field of "+name] = func() viz.Figure {
			return viz.Field(viz.Plane{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Values: [][]float64{v}}, viz.Plane{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Values: [][]float64{v}, Palette: viz.Diverging})
		}
		figures["Field over "+name] = func() viz.Figure {
			return viz.Field(viz.Plane{X: [2]float64{v[0], v[len(v)-1]}, Y: [2]float64{0, 1}, Values: [][]float64{{1, 2}}})
		}
		figures["Path through "+name] = func() viz.Figure {
			return viz.Field(viz.Plane{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Values: [][]float64{{1, 2}}, Path: table(2, 2, func(i, j int) float64 { return v[i*(len(v)-1)] })})
		}
		figures["Adjacency of "+name] = func() viz.Figure {
			return viz.Adjacency(five(), viz.Graph{Weights: table(5, 5, func(i, j int) float64 { return v[(i+j)%len(v)] })})
		}
		figures["Thumbnails of "+name] = func() viz.Figure {
			return viz.Pictures(viz.Thumbnails(table(1, len(v), func(i, j int) float64 { return v[j] }), data.Image{Height: 1, Width: len(v)}, 0))
		}
	}
	d := datasets.Iris()
	iris := viz.Samples(d)
	many := make([]string, 10_000)
	for k := range many {
		many[k] = fmt.Sprint("method ", k)
	}
	ids := func(rows, columns int) [][]int {
		out := make([][]int, rows)
		for r := range out {
			out[r] = make([]int, columns)
			for c := range out[r] {
				out[r][c] = 1e10 + r*columns + c
			}
		}
		return out
	}
	var noMatrix *mat.Dense
	if !onceOnly() {
		figures["Field of 10⁶ classes"] = func() viz.Figure {
			return viz.Field(viz.Plane{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Classes: ids(1000, 1000)})
		}
		figures["Regions of 10⁵ classes"] = func() viz.Figure { return viz.Pictures(viz.Regions(ids(300, 400))) }
	}
	figures["Field of too many cells"] = func() viz.Figure {
		return viz.Field(viz.Around(iris).Value("v", 1e9, 1e9, func(*mat.Dense) []float64 { return nil }))
	}
	figures["10,000 series of bars"] = func() viz.Figure {
		var all []viz.BarSeries
		for _, name := range many {
			all = append(all, viz.BarSeries{Name: name, Mean: []float64{1}})
		}
		return viz.Bars("y", []string{"a"}, all...)
	}
	figures["10,000 groups of bars"] = func() viz.Figure { return viz.Bars("y", many, viz.BarSeries{Mean: make([]float64, len(many))}) }
	figures["1,000 groups of bars"] = func() viz.Figure { return viz.Bars("y", many[:1000], viz.BarSeries{Mean: make([]float64, 1000)}) }
	figures["10,000 curves"] = func() viz.Figure {
		var all []viz.Curve
		for _, name := range many {
			all = append(all, viz.Curve{Name: name, X: []float64{1, 2}, Mean: []float64{1, 2}})
		}
		return viz.Curves("x", "y", all...)
	}
	figures["500 curves"] = func() viz.Figure {
		var all []viz.Curve
		for _, name := range many[:500] {
			all = append(all, viz.Curve{Name: name, X: []float64{1, 2}, Mean: []float64{1, 2}})
		}
		return viz.Curves("x", "y", all...)
	}
	figures["a curve of 10⁶ points"] = func() viz.Figure {
		return viz.Curves("x", "y", viz.Curve{X: make([]float64, 1e6), Mean: make([]float64, 1e6)})
	}
	figures["10,000 panels"] = func() viz.Figure { return viz.Compare(make([]viz.Embedded, 10_000)...) }
	figures["10,000 multiples"] = func() viz.Figure { return viz.Multiples(viz.Group{Models: make([]viz.Embedded, 10_000)}) }
	figures["10,000 groups"] = func() viz.Figure { return viz.Multiples(make([]viz.Group, 10_000)...) }
	figures["10,000 planes"] = func() viz.Figure { return viz.Field(make([]viz.Plane, 10_000)...) }
	figures["10,000 pictures"] = func() viz.Figure { return viz.Pictures(make([]viz.Picture, 10_000)...) }
	figures["10,000 graphs"] = func() viz.Figure { return viz.Adjacency(d, make([]viz.Graph, 10_000)...) }
	figures["10,000 boundaries"] = func() viz.Figure { return viz.Boundaries(make([]*ssdrnb.Model, 10_000)...) }
	figures["10,000 curve panels"] = func() viz.Figure { return viz.CurvePanels("x", "y", make([]viz.CurvePanel, 10_000)...) }
	figures["10,000 vectors"] = func() viz.Figure { return viz.Cone(make([][3]float64, 10_000)...) }
	figures["an image without end"] = func() viz.Figure { return viz.Pictures(viz.Picture{Image: image.NewUniform(color.Black)}) }
	figures["scribbles on it"] = func() viz.Figure {
		return viz.Pictures(viz.Scribbles(image.NewUniform(color.Black), [][]int{{0}}))
	}
	figures["a line of pixels"] = func() viz.Figure {
		return viz.Pictures(viz.Picture{Image: image.NewGray(image.Rect(0, 0, 100_000, 1))})
	}
	figures["a column of pixels"] = func() viz.Figure {
		return viz.Pictures(viz.Picture{Image: image.NewGray(image.Rect(0, 0, 1, 100_000))})
	}
	figures["an image of no size"] = func() viz.Figure { return viz.Pictures(viz.Picture{Image: image.NewGray(image.Rectangle{})}) }
	figures["thumbnails below zero"] = func() viz.Figure {
		return viz.Pictures(viz.Thumbnails(mat.NewDense(1, 4, nil), data.Image{Height: -2, Width: -2}, 1))
	}
	figures["a graph of nil"] = func() viz.Figure { return viz.Adjacency(d, viz.Graph{Weights: noMatrix}) }
	figures["an unlabelled 3 × 0 matrix"] = func() viz.Figure { return viz.Embedding(viz.Samples(data.New(&mat.Dense{}, nil))) }
	figures["no report"] = func() viz.Figure { return viz.Convergence(iterated{}) }
	figures["an iteration of 10⁵ steps"] = func() viz.Figure { return viz.Convergence(history(make([]float64, 100_001), nil)) }
	figures["an empty sweep"] = func() viz.Figure { return viz.Mesh(&ssdrnb.SweepResult{}) }
	figures["a sweep of two empty axes"] = func() viz.Figure { return viz.Mesh(&ssdrnb.SweepResult{Axes: make([]ssdrnb.Axis, 2)}) }

	for k, name := range slices.Sorted(maps.Keys(figures)) { // a test without --all takes every third of them
		if onceOnly() && k%3 > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f := figures[name]()
			if f.Err() != nil {
				if len(f.Err().Error()) > 500 || len(f.Err().Error()) < 15 {
					t.Errorf("the error has %d bytes", len(f.Err().Error()))
				}
				return
			}
			bundle, err := f.Bundle()
			if err != nil {
				t.Fatalf("no reason before, then %v", err)
			}
			if size := len(bundle["text/html"].(string)); size > 6<<20 {
				t.Errorf("%d bytes of HTML", size)
			}
			if _, data, _ := viztest.Split(bundle["text/html"].(string)); bundle["application/vnd.ssdrnb.figure.v1+json"] != nil {
				fits(t, data)
			}
			drawing := filepath.Join(t.TempDir(), "figure.svg")
			if err := f.Save(drawing); err != nil {
				t.Fatal(err)
			}
			if svg, err := os.ReadFile(drawing); err != nil || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("the SVG file has a coordinate that is not finite, %v", err)
			}
			if size := len(f.Text()); size > 1<<20 {
				t.Errorf("%d bytes of text", size)
			}
			picture, err := png.DecodeConfig(bytes.NewReader(bundle["image/png"].([]byte)))
			if err != nil || picture.Width > 3000 || picture.Height > 9000 {
				t.Errorf("an image of %d × %d, %v", picture.Width, picture.Height, err)
			}
		})
	}
}

// All classes present are counted, whatever their numbers, and a sentence states if there are too
// many for a legend.
func TestManyClasses(t *testing.T) {
	all := sets()
	id := viz.Embedding(viz.Samples(all["an ID as label"]))
	if got := len(kinds(payload(t, id))); got != 50 {
		t.Errorf("50 labels make %d series", got)
	}
	if !strings.Contains(id.Text(), "There are 50 classes: colours and symbols repeat after 40.") {
		t.Errorf("50 classes: %s", id.Text())
	}
	if few := viz.Embedding(viz.Samples(datasets.Digits())); strings.Contains(few.Text(), "classes") {
		t.Errorf("10 classes: %s", few.Text())
	}
	if testing.Short() {
		return // the rest takes seconds
	}
	s := viz.Samples(all["10,000 categories"])
	for name, f := range map[string]viz.Figure{
		"embedding": viz.Embedding(s), "multiples": viz.Multiples(viz.Group{Models: []viz.Embedded{s}}),
		"adjacency": viz.Adjacency(all["10,000 categories"], viz.Graph{Weights: five10k{}}), "field": viz.Field(viz.Around(s).Class(1, 1, func(*mat.Dense) []int { return []int{3} })),
	} {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(name, err)
		}
		for _, form := range []string{f.Text(), bundle["text/html"].(string)} {
			if !strings.Contains(form, "10000 classes") {
				t.Errorf("%s: nothing is said about 10,000 classes", name)
			}
		}
	}
	p := payload(t, viz.Embedding(s))
	names := map[any]bool{}
	points := 0
	for _, s := range series(p) {
		names[s["name"]] = true
		points += len(s["data"].([]any))
	}
	if len(names) != 201 || !names["more classes"] || points != 10_000 {
		t.Errorf("%d names for %d points", len(names), points)
	}
	if len(kinds(p)) > 500 {
		t.Errorf("%d series", len(kinds(p)))
	}
	one := p["extra"].(map[string]any)["panels"].([]any)[0].(map[string]any)
	if got := one["names"].([]any)[int(one["of"].([]any)[7777].(float64))]; got != "7777" {
		t.Errorf("sample 7777 is of %v", got)
	}
}

// five10k is a graph of 10,000 samples with one edge.
type five10k struct{}

func (five10k) Dims() (int, int) { return 10_000, 10_000 }
func (five10k) At(i, j int) float64 {
	if i == 3 && j == 9_000 {
		return 1
	}
	return 0
}

// Points that differ only in late digits stay distinct in the chart, and the axis states the offset
// of its labels.
func TestOffset(t *testing.T) {
	x := table(11, 2, func(i, j int) float64 { return 1.7e9 + float64(i)/10 })
	option := payload(t, viz.Embedding(viz.Samples(&data.Data{X: x})))["option"].(map[string]any)
	axis := option["xAxis"].([]any)[0].(map[string]any)
	if from := axis["from"]; from != 1.7e9 || axis["name"] != "dimension 1 (offset 1700000000)" {
		t.Errorf("the axis counts from %v, %v", from, axis["name"])
	}
	places := map[any]bool{}
	for _, p := range option["series"].([]any)[0].(map[string]any)["data"].([]any) {
		places[p.([]any)[0]] = true
	}
	if len(places) != 11 {
		t.Errorf("11 points at %d places", len(places))
	}
	plain := payload(t, viz.Embedding(viz.Samples(datasets.TwoMoons(1))))["option"].(map[string]any)["xAxis"].([]any)[0].(map[string]any)
	if plain["from"] != nil || plain["name"] != "dimension 1" {
		t.Errorf("an axis of centimetres counts from %v: %v", plain["from"], plain["name"])
	}
}

// A name may be a long text: figures show its first 200 characters.
func TestLongNames(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	long := strings.Repeat("ψ", 1<<20)
	d := *datasets.TwoMoons(1)
	d.Name, d.ClassNames, d.FeatureNames = long, []string{long, "x" + long}, []string{long, long}
	s := viz.Samples(&d)
	model := ssdrnb.PCA().MustFit(&d)
	one := []float64{1, 2}
	trace := history(one, one)
	trace.report.Traces[0].Name = long
	weights := mat.NewDense(d.Len(), d.Len(), nil)
	weights.Set(0, 1, 1)
	pairs := d
	pairs.Pairs = data.Pairs{Must: []data.Pair{{I: 0, J: 1}}}
	plane := viz.Around(s).Value(long, 2, 1, func(*mat.Dense) []float64 { return one })
	plane.Title = long
	regions := viz.Around(s).Class(2, 1, func(*mat.Dense) []int { return []int{0, 1} })
	for name, f := range map[string]viz.Figure{
		"embedding": viz.Embedding(s), "model": viz.Embedding(model), "compare": viz.Compare[viz.Embedded](s, model), "multiples": viz.Multiples(viz.Group{Title: long, Models: []viz.Embedded{s}, Notes: []string{long}}),
		"links": viz.GraphLinks(s, viz.Graph{Name: long, Weights: weights}), "pairs": viz.PairLinks(viz.Samples(&pairs)), "adjacency": viz.Adjacency(&d, viz.Graph{Name: long, Weights: weights}),
		"boundaries": viz.Boundaries(model), "field": viz.Field(plane, regions), "single field": viz.Field(plane), "uncaptioned field": viz.Field(regions, regions), "title": viz.Cone().Title(long),
		"curves":      viz.CurvePanels(long, long, viz.CurvePanel{Title: long, Curves: []viz.Curve{{Name: long, X: one, Mean: one}}}),
		"bars":        viz.Bars(long, []string{long, long}, viz.BarSeries{Name: long, Mean: one}),
		"pictures":    viz.Pictures(viz.Regions([][]int{{0, 1}}, long, long).Captioned(long), viz.Regions([][]int{{0, 1}}, long).Captioned(long)),
		"picture":     viz.Pictures(viz.Regions([][]int{{0}}, long).Captioned(long)),
		"convergence": viz.Convergence(trace),
		"two curves":  viz.Curves(long, long, viz.Curve{Name: long, X: one, Mean: one}, viz.Curve{Name: long, X: one, Mean: one}),
		"two bars":    viz.Bars(long, []string{long}, viz.BarSeries{Name: long, Mean: one[:1]}, viz.BarSeries{Name: long, Mean: one[:1]}),
		"bad graph":   viz.Adjacency(&d, viz.Graph{Name: long}),
	} {
		if got := len(f.Text()); got > 8<<10 || !utf8.ValidString(f.Text()) {
			t.Errorf("%s: %d bytes of text", name, got)
		}
		if f.Err() != nil {
			if !strings.HasPrefix(name, "two") && !strings.HasPrefix(name, "bad") {
				t.Errorf("%s: %v", name, f.Err())
			}
			continue
		}
		page, err := f.Page("")
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > 400<<10 {
			t.Errorf("%s: a page of %d bytes", name, len(page))
		}
		if !strings.Contains(page, "ψ…") && name != "multiples" { // a static image alone
			t.Errorf("%s: no name is cut", name)
		}
		if strings.Contains(page, strings.Repeat("ψ", 200)) {
			t.Errorf("%s: a name of 200 characters and more", name)
		}
	}
}

// onceOnly reports whether repetitions are left out. They run if SSDRNB_TEST_ALL is set, as by
// ./install.sh test --all, and never with -short.
func onceOnly() bool { return testing.Short() || os.Getenv("SSDRNB_TEST_ALL") == "" }
