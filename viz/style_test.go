package viz_test

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// scales returns the colour, size and opacity scales of a payload.
func scales(p map[string]any) []map[string]any {
	var out []map[string]any
	bars, _ := p["option"].(map[string]any)["visualMap"].([]any)
	for _, b := range bars {
		out = append(out, b.(map[string]any))
	}
	return out
}

// points counts the points of each series by its name.
func points(p map[string]any) map[string]int {
	out := map[string]int{}
	for _, s := range series(p) {
		out[s["name"].(string)] += len(s["data"].([]any))
	}
	return out
}

// cards returns the values in the hover cards of the k-th panel, besides the class.
func cards(p map[string]any, k int) map[string]map[string]any {
	out := map[string]map[string]any{}
	facts, _ := p["extra"].(map[string]any)["panels"].([]any)[k].(map[string]any)["facts"].([]any)
	for _, f := range facts {
		one := f.(map[string]any)
		out[one["name"].(string)] = one
	}
	return out
}

// The labels at the ends of a scale differ, and are no longer than necessary; a single value is
// named.
func TestEndsOfScale(t *testing.T) {
	for want, ends := range map[string][2]float64{
		"1000 to 1000.177": {1000, 1000.177}, "0.123 to 117": {0.123456, 117.4}, "0 to 29999": {0, 29999}, "1987 to 2023": {1987, 2023},
		"-1.2e-07 to 0": {-1.2e-7, 0}, "1e+09 to 2.5e+09": {1e9, 2.5e9}, "1000000000 to 1000000001": {1e9, 1e9 + 1},
	} {
		f := viz.Embedding(viz.Samples(datasets.Iris().Subset([]int{0, 60}))).Color(ends[:])
		if !strings.Contains(f.Text(), "values from "+want+"\n") {
			t.Errorf("the scale from %v to %v reads %s", ends[0], ends[1], f.Text())
		}
	}
	if f := viz.Embedding(viz.Samples(datasets.Iris())).Color(slices.Repeat([]float64{5}, 150)); !strings.Contains(f.Text(), "The value is 5 for all samples") {
		t.Errorf("one value reads %s", f.Text())
	}
}

// A feature has a colour scale, and every point its value.
func TestColorByFeature(t *testing.T) {
	d := datasets.Iris().KeepLabels(5)
	m := ssdrnb.PCA().MustFit(d)
	feature := d.FeatureNames[3]
	f := viz.Embedding(m).Title("kept").Size(600, 500).Color(feature)
	p := payload(t, f)
	bars := scales(p)
	if len(bars) != 1 || bars[0]["dimension"] != 2.0 || bars[0]["min"] != 0.1 || bars[0]["max"] != 2.5 {
		t.Fatalf("scales %v", bars)
	}
	if got := fmt.Sprint(bars[0]["seriesIndex"], points(p)); got != fmt.Sprintf("[0 1] map[%s:150]", feature) {
		t.Errorf("series and points %s", got)
	}
	for _, s := range series(p) {
		for _, v := range s["data"].([]any) {
			if point := v.([]any); len(point) != 4 || point[2] != d.X.At(int(point[3].(float64)), 3) {
				t.Fatalf("point %v", point)
			}
		}
	}
	if p["height"] != 500.0 || p["option"].(map[string]any)["title"].([]any)[0].(map[string]any)["text"] != "kept" {
		t.Error("Title and Size are lost")
	}
	if card := cards(p, 0)[feature]; card["at"] != 2.0 {
		t.Errorf("hover card %v", card)
	}
	if !strings.Contains(f.Text(), "colour: "+feature+" from 0.1 to 2.5") {
		t.Errorf("in words %s", f.Text())
	}
	if got := points(payload(t, f.Color(nil))); got["setosa"] != 50 {
		t.Errorf("without values %v", got)
	}
	deep := payload(t, viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(d)).Color(feature).PointSize(feature))
	if bars := scales(deep); len(bars) != 2 || bars[0]["dimension"] != 3.0 || bars[1]["dimension"] != 4.0 {
		t.Errorf("scales in three dimensions %v", bars)
	}
}

// Several embeddings share a scale and categories.
func TestPanelsShareAScale(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	all := datasets.Iris().WithAttribute("site", texts(150, func(i int) string { return string(rune('a' + i/30)) }))
	part := all.Subset(rows(100, 150))
	f := viz.Compare(ssdrnb.PCA().MustFit(all), ssdrnb.PCA().MustFit(part))
	bars := scales(payload(t, f.Color(all.FeatureNames[0]).PointSize(all.FeatureNames[0])))
	if len(bars) != 2 || bars[0]["min"] != 4.3 || fmt.Sprint(bars[0]["seriesIndex"]) != "[0 1]" || fmt.Sprint(bars[1]["inRange"]) != "map[symbolSize:[3 18]]" {
		t.Errorf("scales %v", bars)
	}
	// The points of a panel have two coordinates, whatever the dimension of the embedding.
	mixed := payload(t, viz.Compare(ssdrnb.PCA().MustFit(all), ssdrnb.PCA().Dims(3).MustFit(all)).Color(all.FeatureNames[0]))
	for _, s := range series(mixed) {
		point := s["data"].([]any)[0].([]any)
		if i := int(point[len(point)-1].(float64)); len(point) != 4 || point[2] != all.X.At(i, 0) || scales(mixed)[0]["dimension"] != 2.0 {
			t.Errorf("a point of a panel %v", point)
		}
	}
	looks := map[any]map[string]bool{}
	for _, s := range series(payload(t, f.Color("site"))) {
		name := s["name"]
		if looks[name] == nil {
			looks[name] = map[string]bool{}
		}
		looks[name][fmt.Sprint(s["symbol"], s["itemStyle"].(map[string]any)["color"])] = true
	}
	if len(looks) != 5 || len(looks["d"]) != 1 || len(looks["e"]) != 1 {
		t.Errorf("looks of the categories %v", looks)
	}
}

// Unknown values are grey and counted; a scale covers the bulk of the values.
func TestUnknownAndFarValues(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	values := make([]float64, 150)
	for i := range values {
		values[i] = float64(i % 10)
	}
	values[3], values[77], values[140] = math.NaN(), math.Inf(1), math.Inf(-1)
	values[5], values[6] = 1e6, -1e6
	f := viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())).Color(values)
	p := payload(t, f)
	if got := points(p); got["values"] != 147 || got["not known"] != 3 {
		t.Errorf("points %v", got)
	}
	bar := scales(p)[0]
	if bar["min"] != 0.0 || bar["max"] != 9.0 || !strings.HasPrefix(bar["text"].([]any)[1].(string), "≤") {
		t.Errorf("scale %v", bar)
	}
	for _, want := range []string{"2 of 150 values lie beyond the ends of the scale, 0 and 9", "not known for 3 of the 150 points, which are drawn grey"} {
		if !strings.Contains(f.Text(), want) {
			t.Errorf("no line %q: %s", want, f.Text())
		}
	}
	if bar := scales(payload(t, f.Palette(viz.Diverging)))[0]; bar["min"] != -9.0 || bar["max"] != 9.0 {
		t.Errorf("a scale around zero %v", bar)
	}
	equal := slices.Repeat([]float64{7}, 150)
	if bar := scales(payload(t, f.Color(equal)))[0]; !(bar["min"].(float64) < 7 && bar["max"].(float64) > 7) {
		t.Errorf("a scale of equal values %v", bar)
	}
}

// The line about far values, the ends of the scale and the legend agree, also if the scale is
// centred at zero.
func TestFarValues(t *testing.T) {
	t.Parallel()
	x := mat.NewDense(200, 2, nil)
	values := make([]float64, 200)
	for i := range values {
		x.SetRow(i, []float64{float64(i % 20), float64(i / 20)})
		values[i] = min(-1+float64(i)/40, 3.9)
	}
	f := viz.Embedding(viz.Samples(data.New(x, nil)))
	for name, c := range map[string]struct {
		far     []float64
		palette viz.Palette
		ends    [2]string // "" if no value is beyond the end
		note    string
	}{
		"both sides":          {[]float64{-30, 30}, viz.Viridis, [2]string{"≤", "≥"}, "2 of 200 values lie beyond the ends of the scale"},
		"around zero":         {[]float64{-30, 30}, viz.Diverging, [2]string{"≤", "≥"}, "which are ± the larger absolute value of the 1 % and 99 % quantiles"},
		"high, around zero":   {[]float64{30}, viz.Diverging, [2]string{"", "≥"}, "1 of 200 values lies beyond"},
		"within, around zero": {[]float64{-3.5}, viz.Diverging, [2]string{}, ""},
	} {
		all := slices.Clone(values)
		copy(all, c.far)
		one := f.Color(all).Palette(c.palette)
		text := scales(payload(t, one))[0]["text"].([]any)
		for k, sign := range []string{"≤", "≥"} {
			if end := text[1-k].(string); strings.HasPrefix(end, sign) != (c.ends[k] != "") {
				t.Errorf("%s: an end is %q", name, end)
			}
		}
		if got := one.Text(); !strings.Contains(got, c.note) || strings.Contains(got, "beyond") != (c.note != "") {
			t.Errorf("%s: no line %q: %s", name, c.note, got)
		}
	}
}

// Unknown values of sizes and opacities are counted too.
func TestUnknownSizes(t *testing.T) {
	values := slices.Repeat([]float64{1, 2, 3, 4, 5}, 30)
	values[3], values[77] = math.NaN(), math.Inf(1)
	f := viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris()))
	for name, got := range map[string]viz.Figure{"smallest": f.PointSize(values), "palest": f.Opacity(values)} {
		if want := "not known for 2 of the 150 points, which are drawn " + name; !strings.Contains(got.Text(), want) {
			t.Errorf("no line %q: %s", want, got.Text())
		}
		if _, err := got.Bundle(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Attributes are numeric if all texts are numbers, and otherwise categorical; of very many
// categories the largest are named.
func TestColorByCategories(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n = 10_200
	x := table(n, 2, func(i, j int) float64 { return math.Sin(float64(3*i + 7*j)) })
	d := ssdrnb.NewData(x, nil).
		WithAttribute("number", texts(n, func(i int) string { return []string{"1.5", "?", "-3e2"}[i%3] })).
		WithAttribute("id", texts(n, func(i int) string {
			if i < 200 {
				return fmt.Sprint("large ", i%10)
			}
			return fmt.Sprint("id ", i)
		}))
	f := viz.Embedding(viz.Samples(d))
	if got := points(payload(t, f.Color("number"))); got["number"] != n*2/3 || got["not known"] != n/3 {
		t.Errorf("a column of numbers and gaps: %v", got)
	}
	many := f.Color("id")
	got := points(payload(t, many))
	if len(got) != 21 || got["large 3"] != 20 || got["others"] != 10_000-10 {
		t.Errorf("10,010 categories: %v", got)
	}
	if !strings.Contains(many.Text(), "id has 10010 categories: the 20 largest have a colour, and the others are grey") {
		t.Errorf("in words %s", many.Text())
	}
	for name, values := range map[string]any{
		"[]int": slices.Repeat([]int{2, -1, 10}, n/3), "[]string": slices.Repeat([]string{"2", "", "10"}, n/3),
		"named type": slices.Repeat([]level{2, -1, 10}, n/3),
	} {
		if got := points(payload(t, f.Color(values))); got["2"] != n/3 || got["10"] != n/3 || got["not known"] != n/3 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := points(payload(t, f.Color(slices.Repeat([]bool{true, false}, n/2)))); got["true"] != n/2 || got["false"] != n/2 {
		t.Errorf("[]bool: %v", got)
	}
}

// Digits in the names of categories sort as numbers, in the legend and for the colours.
func TestOrderOfCategories(t *testing.T) {
	const n = 60
	d := ssdrnb.NewData(table(n, 2, func(i, j int) float64 { return math.Sin(float64(3*i + 7*j)) }), nil)
	f := viz.Embedding(viz.Samples(d)).Color(texts(n, func(i int) string { return fmt.Sprint("category ", 12-i%12) }))
	legend := payload(t, f)["option"].(map[string]any)["legend"].(map[string]any)
	var want []string
	for k := range 12 {
		want = append(want, fmt.Sprint("category ", k+1))
	}
	if got := fmt.Sprint(legend["data"]); got != fmt.Sprint(want) {
		t.Errorf("the legend lists %s", got)
	}
}

// Small embeddings keep the colours of their classes, and the error names an alternative.
func TestColorOfMultiples(t *testing.T) {
	pca := ssdrnb.PCA().MustFit(datasets.Iris())
	f := viz.Multiples(viz.Group{Title: "one", Models: []viz.Embedded{pca}}).Color("sepal width (cm)")
	if err := f.Err(); err == nil || !strings.Contains(err.Error(), "Color does not apply") || !strings.Contains(err.Error(), "viz.Compare") {
		t.Errorf("the error is %v", err)
	}
	if err := viz.Compare(pca).Color("sepal width (cm)").Err(); err != nil {
		t.Error(err)
	}
}

type level int8

func texts(n int, text func(i int) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = text(i)
	}
	return out
}

func rows(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

func TestOnlyAndHighlight(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris()
	m := ssdrnb.PCA().MustFit(d)
	whole := payload(t, viz.Embedding(m))
	only := viz.Embedding(m).Only(append(rows(0, 10), 0, 149)...)
	p := payload(t, only)
	if got := fmt.Sprint(points(p)); got != "map[setosa:10 virginica:1]" {
		t.Errorf("points %s", got)
	}
	if !strings.Contains(only.Text(), "PCA: 11 samples") {
		t.Errorf("in words %s", only.Text())
	}
	spread := func(p map[string]any) float64 {
		s := p["layout"].(map[string]any)["spans"].([]any)[0].([]any)
		return s[3].(float64) - s[2].(float64)
	}
	if spread(p) >= spread(whole) {
		t.Errorf("axes of eleven samples reach as far as of all, %g and %g", spread(p), spread(whole))
	}
	// The others are drawn below.
	p = payload(t, viz.Embedding(m).Highlight(60, 61).Color(d.FeatureNames[0]))
	if got := fmt.Sprint(points(p)); got != fmt.Sprintf("map[not highlighted:148 %s:2]", d.FeatureNames[0]) || series(p)[0]["name"] != "not highlighted" {
		t.Errorf("points %s", got)
	}
	if bars := scales(p); fmt.Sprint(bars[0]["seriesIndex"]) != "[1]" {
		t.Errorf("scale of the series %v", bars[0]["seriesIndex"])
	}
}

// Points are smaller in figures with many panels, unless PointSize sets their size.
func TestPointSizeInManyPanels(t *testing.T) {
	t.Parallel()
	s := viz.Samples(datasets.Iris().Subset([]int{0, 1, 2, 50, 51}))
	size := func(f viz.Figure) float64 { return series(payload(t, f))[0]["symbolSize"].(float64) }
	few, many := viz.Compare(s, s), viz.Compare(s, s, s, s, s, s, s)
	if a, b := size(few), size(many); a <= b {
		t.Errorf("points of size %g, and %g in many panels", a, b)
	}
	for _, px := range []float64{1, 2.5, 40} {
		if a, b := size(few.PointSize(px)), size(many.PointSize(px)); a != px || b != px {
			t.Errorf("PointSize(%g): size %g, and %g in many panels", px, a, b)
		}
	}
}

func TestSizeOpacityAndAxes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().KeepLabels(5)
	f := viz.Compare(ssdrnb.PCA().MustFit(d), ssdrnb.LDA().MustFit(d))
	p := payload(t, f.PointSize(11).Opacity(0.3).Axes(false))
	for _, s := range series(p) {
		if size := s["symbolSize"].(float64); size < 11 || size > 14 {
			t.Errorf("size %v", size)
		}
		if o := s["itemStyle"].(map[string]any)["opacity"]; math.Abs(o.(float64)-0.3) > 1e-6 {
			t.Errorf("opacity %v", o)
		}
	}
	for _, a := range p["option"].(map[string]any)["xAxis"].([]any) {
		if a.(map[string]any)["show"] != false {
			t.Error("there are axes")
		}
	}
	bars := scales(payload(t, f.Opacity(d.FeatureNames[2])))
	if len(bars) != 1 || fmt.Sprint(bars[0]["inRange"]) != "map[opacity:[0.1 1]]" || bars[0]["show"] != false || len(bars[0]["seriesIndex"].([]any)) != 12 {
		t.Errorf("opacities %v", bars)
	}
}

// The hover card has the requested values, and the class whatever the colours show.
func TestHover(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().WithAttribute("flower", texts(150, func(i int) string { return fmt.Sprint("flower ", i) }))
	p := payload(t, viz.Embedding(ssdrnb.PCA().MustFit(d)).Hover("flower", d.FeatureNames[1]).Color("flower"))
	got := cards(p, 0)
	flower := got["flower"]
	if len(got) != 2 || flower["names"].([]any)[int(flower["of"].([]any)[42].(float64))] != "flower 42" || got[d.FeatureNames[1]]["values"].([]any)[42] != d.X.At(42, 1) {
		t.Errorf("cards %v", got)
	}
	one := p["extra"].(map[string]any)["panels"].([]any)[0].(map[string]any)
	if one["names"].([]any)[int(one["of"].([]any)[42].(float64))] != "setosa" {
		t.Error("the class is missing")
	}
	harmless(t, func(evil string) viz.Figure {
		d := datasets.Iris().WithAttribute(evil, texts(150, func(i int) string { return evil + fmt.Sprint(i%3) }))
		return viz.Embedding(ssdrnb.PCA().MustFit(d)).Color(evil).Hover(evil)
	})
}

// The notebook extension accepts a figure in any style, also if no value is known, or if no drawn
// sample lies in the panel.
func TestStylesAreAccepted(t *testing.T) {
	t.Parallel()
	const n = 100
	wave := func(i, j int) float64 { return math.Sin(float64(3*i*(j+1) + 7*j)) }
	y := table(n, 2, wave)
	y.Set(0, 0, 1e6) // outside of the panel
	labels := slices.Repeat([]int{data.Unlabelled}, n)
	labels[1], labels[2] = 0, 1
	d := data.New(table(n, 16, wave), labels).WithAttribute("unknown", make([]string, n)).
		WithAttribute("date", texts(n, func(i int) string { return []string{"2026-01-01", ""}[min(i, 1)] }))
	shaped := func(height, width int) viz.Figure {
		return viz.Embedding(placed{d.WithImage(data.Image{Height: height, Width: width}), y})
	}
	square := shaped(4, 4)
	for name, f := range map[string]viz.Figure{
		"Hover": square.Hover("unknown", "date", string(viz.PredictedClass), string(viz.Confidence)), "Labels": square.Labels(), "Density": square.Density(), "Distances": square.Distances(),
		"Thumbnails": square.Thumbnails(), "Contrast": square.Contrast(), "Contrast of rows": shaped(1, 16).Contrast(), "Contrast of columns": shaped(16, 1).Contrast(),
	} {
		for part, f := range map[string]viz.Figure{"all": f, "outside only": f.Only(0), "outside highlighted": f.Highlight(0), "without a date": f.Only(rows(10, 90)...)} {
			t.Run(name+", "+part, func(t *testing.T) {
				bundle, err := f.Bundle()
				if err != nil {
					t.Fatal(err)
				}
				content(t, bundle)
			})
		}
	}
}

// Values of hover cards are bounded like those of colours, in number and in size.
func TestHoverIsBounded(t *testing.T) {
	t.Parallel()
	values := func(exponent int) []string {
		return texts(20, func(i int) string { return fmt.Sprintf("%de%d", i, exponent) })
	}
	x := table(20, 3, func(i, j int) float64 { return float64(i*(j+1)) + 5e304*float64(max(j-1, 0)*i) })
	d := data.New(x, nil).WithAttribute("large", values(305)).WithAttribute("moderate", values(298))
	d.FeatureNames = []string{"a", "b", "far"}
	f := viz.Embedding(placed{d, table(20, 2, func(i, j int) float64 { return float64(i * (2*j - 1)) })})
	refused(t, map[string]viz.Figure{
		"Hover large, 1e+305, rescale":          f.Hover("moderate", "large"),
		"Hover far, 5e+304, rescale":            f.Hover("far"),
		"Hover: there are 10001 names, at most": f.Hover(slices.Repeat([]string{"a"}, 10_001)...),
	})
	if got := cards(payload(t, f.Hover("moderate", "a").Only(rows(0, 9)...)), 0); len(got) != 2 || got["moderate"]["values"].([]any)[3] != 3e298 {
		t.Errorf("cards %v", got)
	}
	payload(t, f.Hover("large").Only(0)) // no drawn sample has a large value
}

// Categories with the names of other groups have their own legend entries and colours.
func TestNamesOfOtherGroups(t *testing.T) {
	t.Parallel()
	const n = 50
	x, kinds := mat.NewDense(n, 2, nil), make([]string, n)
	for i := range n {
		x.SetRow(i, []float64{float64(i % 10), float64(i / 10)})
		kinds[i] = fmt.Sprint("kind ", i)
	}
	copy(kinds, []string{"others", "others", "not known", "not known", "not highlighted", "not highlighted", "", "?"})
	d := data.New(x, nil).WithAttribute("kind", kinds)
	f := viz.Embedding(viz.Samples(d)).Color("kind")
	got := points(payload(t, f.Highlight(rows(0, n-1)...)))
	for name, want := range map[string]int{"others": 2, "(others)": 24, "not known": 2, "(not known)": 2, "not highlighted": 2, "(not highlighted)": 1} {
		if got[name] != want {
			t.Errorf("%d points are %q, want %d: %v", got[name], name, want, got)
		}
	}
	if all := words(saved(t, f.Only(rows(0, 8)...))); !slices.Contains(all, "not known") || !slices.Contains(all, "(not known)") || slices.Contains(all, "(others)") {
		t.Errorf("legend %q", all)
	}
}

// Integers of any size are categories in ascending order.
func TestColorOfIntegers(t *testing.T) {
	t.Parallel()
	f := viz.Embedding(viz.Samples(data.New(mat.NewDense(3, 2, []float64{0, 0, 1, 1, 2, 0}), nil)))
	for want, values := range map[string]any{
		"0, 9223372036854775808, 18446744073709551615": []uint64{math.MaxUint64, 0, math.MaxInt64 + 1},
		"0, 2, 10":         []uint8{10, 2, 0},
		"-2, 3, not known": []int{-1, 3, -2},
	} {
		var names []string
		for _, s := range series(payload(t, f.Color(values))) {
			names = append(names, s["name"].(string))
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("categories %s, want %s", got, want)
		}
	}
}

// The hover card shows each list of values once.
func TestHoverOfLists(t *testing.T) {
	t.Parallel()
	x, up, down := mat.NewDense(5, 2, []float64{0, 0, 1, 1, 2, 0, 3, 1, 4, 0}), []float64{1, 2, math.NaN(), 4, 5}, []float64{5, 4, 3, 2, 1}
	f := viz.Embedding(viz.Samples(data.New(x, nil)))
	for _, c := range []struct {
		f    viz.Figure
		want []string
	}{
		{f.Color(up).PointSize(up), []string{"values"}},
		{f.Color(up).PointSize(down), []string{"values", "values (size)"}},
		{f.Color(up).PointSize(down).Opacity(down), []string{"values", "values (size)"}},
		{f.Color([]string{"a", "b", "a", "b", "a"}).PointSize(down).Opacity(up), []string{"values", "values (opacity)", "values (size)"}},
	} {
		got := cards(payload(t, c.f), 0)
		if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, c.want) {
			t.Errorf("cards %q, want %q", names, c.want)
		}
		if size := got["values (size)"]; size != nil && size["values"].([]any)[1] != 4.0 {
			t.Errorf("sizes %v", size)
		}
	}
}

// Facts of a model agree with the model's own computations.
func TestFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Wine().Standardize().KeepLabels(4)
	m := ssdrnb.LDA().MustFit(d)
	classes, err := m.Predict(d.X)
	if err != nil {
		t.Fatal(err)
	}
	p := payload(t, viz.Embedding(m).Color(viz.PredictedClass).Hover(d.FeatureNames[0]))
	card := cards(p, 0)["predicted class"]
	for i, want := range classes {
		if got := card["names"].([]any)[int(card["of"].([]any)[i].(float64))]; d.Labels[i] == data.Unlabelled && got != d.ClassName(want) {
			t.Errorf("sample %d is of class %v, want %s", i, got, d.ClassName(want))
		}
	}
	// A predicted class has the colour of that class.
	colors := map[any]any{}
	for _, s := range series(payload(t, viz.Embedding(m))) {
		colors[s["name"]] = s["itemStyle"].(map[string]any)["color"]
	}
	for _, s := range series(p) {
		if got := s["itemStyle"].(map[string]any)["color"]; got != colors[s["name"]] {
			t.Errorf("%v is predicted in %v, and its colour is %v", s["name"], got, colors[s["name"]])
		}
	}
	// Two labelled samples at 0 and 4, and others between and on them.
	x := mat.NewDense(5, 2, []float64{0, 0, 4, 0, 2, 0, 1, 0, 0, 0})
	line := data.New(x, []int{0, 1, -1, -1, -1})
	confidence := func(f viz.Figure) map[float64]any {
		out := map[float64]any{}
		for _, s := range series(payload(t, f)) {
			for _, v := range s["data"].([]any) {
				point := v.([]any)
				out[point[3].(float64)] = point[2]
			}
		}
		return out
	}
	got := confidence(viz.Embedding(viz.Samples(line)).Color(viz.Confidence))
	for i, want := range map[float64]any{0: nil, 1: nil, 2: 0.0, 3: 0.66667, 4: 1.0} {
		if have := got[i]; want == nil && have != nil || want != nil && math.Abs(have.(float64)-want.(float64)) > 1e-4 {
			t.Errorf("confidence of sample %g: %v, want %v", i, have, want)
		}
	}
	// Opinions come from the model: numbers for all samples, and classes in their colours.
	guided := ssdrnb.S2NE().Iterations(5).MustFit(d)
	o, err := guided.Opinions()
	if err != nil {
		t.Fatal(err)
	}
	for fact, value := range map[viz.Fact]func(v float64) float64{
		viz.Doubt:       func(v float64) float64 { return v },
		viz.Probability: func(v float64) float64 { return 1 - v },
	} {
		got := confidence(viz.Embedding(guided).Color(fact))
		for i, v := range o.Doubt() {
			if want := value(v); math.Abs(got[float64(i)].(float64)-want) > 1e-4 {
				t.Errorf("%s of sample %d: %v, want %v", fact, i, got[float64(i)], want)
			}
		}
	}
	p = payload(t, viz.Embedding(guided).Color(viz.ProposedClass).PointSize(viz.Doubt).Opacity(viz.Probability).Hover(string(viz.Confidence), d.FeatureNames[0]))
	if cards(p, 0)["confidence"] == nil {
		t.Error("the card has no confidence")
	}
	card = cards(p, 0)["proposed class"]
	for i, want := range o.Predicted() {
		if got := card["names"].([]any)[int(card["of"].([]any)[i].(float64))]; got != d.ClassName(want) {
			t.Errorf("class %v is proposed for sample %d, want %s", got, i, d.ClassName(want))
		}
	}
	for _, s := range series(p) {
		if got := s["itemStyle"].(map[string]any)["color"]; got != colors[s["name"]] {
			t.Errorf("%v is proposed in %v, and its colour is %v", s["name"], got, colors[s["name"]])
		}
	}
	// The squared residuals of a PCA are those of the remaining components.
	pca := ssdrnb.PCA().MustFit(d)
	sum := 0.0
	for _, v := range confidence(viz.Embedding(pca).Color(viz.Residual)) {
		sum += v.(float64) * v.(float64)
	}
	scatter := 0.0
	all := ssdrnb.PCA().Dims(13).MustFit(d)
	for i := range d.Len() {
		for k := 2; k < all.Dims(); k++ {
			scatter += all.Embedding().At(i, k) * all.Embedding().At(i, k)
		}
	}
	if math.Abs(sum-scatter) > 1e-3*scatter || sum == 0 {
		t.Errorf("squares of the residuals %g, of the other components %g", sum, scatter)
	}
}

// Styles apply to linked embeddings too, and the error of each wrong value names the fault and the
// remedy.
func TestBadStyles(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().KeepLabels(5)
	m := ssdrnb.PCA().MustFit(d)
	f := viz.Embedding(m)
	weights := mat.NewDense(150, 150, nil)
	weights.Set(0, 100, 1)
	linked := payload(t, viz.GraphLinks(m, viz.Graph{Weights: weights}).Color(d.FeatureNames[0]))
	if bars, all := scales(linked), series(linked); len(bars) != 1 || fmt.Sprint(bars[0]["seriesIndex"]) != "[1 2]" || all[0]["type"] != "lines" || all[1]["type"] != "scatter" {
		t.Errorf("scales of linked samples %v", bars)
	}
	nan := slices.Repeat([]float64{math.NaN()}, 150)
	torn := *d // an attribute set by hand, without the check in WithAttribute
	torn.Attributes = []data.Attribute{{Name: "bottle", Values: []string{"a", "b"}}}
	short := viz.Embedding(viz.Samples(&torn))
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	storeSelection(t, "empty", `{"format":1,"samples":150,"rows":[]}`)
	refused(t, map[string]viz.Figure{
		`Color("petals"), no feature, target or attribute, choose one of, "` + d.FeatureNames[0] + `"`: f.Color("petals"),
		"Color: there are 3 values, PCA has 150 samples, one for each":                                 f.Color([]float64{1, 2, 3}),
		"PointSize: there are 3 values, 150 samples":                                                   f.PointSize([]float64{1, 2, 3}),
		"Opacity: there are 151 values, 150 samples":                                                   f.Opacity(make([]float64, 151)),
		"Color: there are 150 values, 120 samples":                                                     viz.Compare[viz.Embedded](m, viz.Samples(d.Take(40))).Color(make([]float64, 150)),
		`Color("bottle"), 2 values, 150 samples`:                                                       short.Color("bottle"),
		`Hover("bottle"), 2 values, 150 samples`:                                                       short.Hover("bottle"),
		"Only: there are no rows, at least one":                                                        f.Only(viz.Selection("empty").Rows()...),
		"Highlight: there are no rows, at least one":                                                   f.Highlight(viz.Selection("never stored").Rows()...),
		"no known category, at least one":                                                              f.Color(slices.Repeat([]int{-1}, 150)),
		`Color: "values", no known category, drawn samples`:                                            f.Color(append(make([]string, 149), "a")).Only(0, 1),
		"Color: the value has type int, give a name":                                                   f.Color(7),
		"Color: the values have type []struct":                                                         f.Color(make([]struct{}, 150)),
		"no finite number":                                                                             f.Color(nan),
		"PointSize(0), from 1 to 40":                                                                   f.PointSize(0),
		"PointSize(NaN)":                                                                               f.PointSize(math.NaN()),
		"Opacity(1.5), from 0.01 to 1":                                                                 f.Opacity(1.5),
		"PointSize: \"values\" has categories":                                                         f.PointSize(slices.Repeat([]string{"a", "b"}, 75)),
		"Palette(9), not a colour scale, Viridis":                                                      f.Palette(9),
		"Only: there are no rows":                                                                      f.Only(),
		"Highlight: there are no rows":                                                                 f.Highlight(),
		"Only(150), PCA has rows 0 to 149":                                                             f.Only(3, 150),
		"Highlight(-1)":                                                                                f.Highlight(-1),
		`Hover("x"), no feature, target or attribute`:                                                  f.Hover("x"),
		`Color("fame"), no such Fact, Confidence`:                                                      f.Color(viz.Fact("fame")),
		"fewer than two labelled samples":                                                              viz.Embedding(ssdrnb.PCA().MustFit(d.HideLabels())).Color(viz.Confidence),
		"the model has no class probabilities, S2NE":                                                   viz.Compare(viz.Samples(d)).Color(viz.Doubt),
		`Color("probability"), no opinions, ssdrnb.Opinions`:                                           f.Color(viz.Probability),
		"fit a linear one":                                                                             viz.Compare(viz.Samples(d)).Color(viz.Residual),
		"Color does not apply, curves, Embedding":                                                      viz.Curves("x", "y", viz.Curve{X: []float64{1}, Mean: []float64{1}}).Color("a"),
		"the number 1e+308":                                                                            f.Color(slices.Repeat([]float64{1e308, -1e308}, 75)),
		"no model to draw":                                                                             viz.Embedding(nil).Color("a").Only(3),
		"they have no feature names, no target and no attributes at all":                               viz.Embedding(viz.Samples(&data.Data{X: mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 9})})).Color("a"),
	})
}

// A style of the zero Figure does not replace the error of the empty figure.
func TestStylesOfZeroFigure(t *testing.T) {
	want := viz.Figure{}.Err().Error()
	for name, f := range map[string]viz.Figure{"Color": viz.Figure{}.Color(nil), "Only": viz.Figure{}.Only(0), "Arrows": viz.Figure{}.Arrows(2), "Linked": viz.Figure{}.Linked("a")} {
		if err := f.Err(); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Noise of a clustering is called noise, not a cluster that is not known.
func TestNoiseIsNamed(t *testing.T) {
	d := datasets.Wine().Standardize()
	found, err := ssdrnb.Clusters().Find(d)
	if err != nil {
		t.Fatal(err)
	}
	noise := len(found.Rows(-1))
	f := viz.Embedding(ssdrnb.PCA().MustFit(found.AddTo(d))).Color("cluster")
	if got := points(payload(t, f)); noise == 0 || got["noise"] != noise || got["not known"] != 0 {
		t.Errorf("%d samples are noise; the legend has %v", noise, got)
	}
	if want := fmt.Sprintf("%d of the 178 points are noise and drawn grey", noise); !strings.Contains(f.Text(), want) {
		t.Errorf("%q is not in the notes:\n%s", want, f.Text())
	}
}
