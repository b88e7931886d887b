package viz_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Classes must be distinguishable: by colour and symbol, and by name in any script.

// clouds are n well separated samples of the given classes in turn.
func clouds(n int, classes ...int) *data.Data {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		k := i % len(classes)
		y[i] = classes[k]
		x.SetRow(i, []float64{float64(k%7)*9 + r.NormFloat64(), float64(k/7)*9 + float64(k%2)*4 + r.NormFloat64()})
	}
	return data.New(x, y)
}

// saved returns the figure as an SVG file.
func saved(t *testing.T, f viz.Figure) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "figure.svg")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// words returns the texts of an SVG file.
func words(svg string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`<text [^>]*>([^<]*)</text>`).FindAllStringSubmatch(svg, -1) {
		out = append(out, m[1])
	}
	return out
}

// Classes numbered 0, 100, 200 or 1980 to 2020 have distinct colours, in files and in the page,
// also in figures of parts side by side.
func TestColoursOfNumberedClasses(t *testing.T) {
	for _, classes := range [][]int{{0, 100, 200}, {1980, 1990, 2000, 2010, 2020}, {20230101, 20230111, 20230121, 20230131}} {
		d := clouds(60, classes...)
		each := 60 / len(classes)
		f := viz.Embedding(viz.Samples(d)).Symbols(false)
		marks := map[string]int{}
		for _, m := range regexp.MustCompile(`<circle [^>]*fill="(#[0-9a-f]{6})"`).FindAllStringSubmatch(saved(t, f), -1) {
			marks[m[1]]++
		}
		if len(marks) != len(classes) {
			t.Errorf("%v have the colours %v", classes, marks)
		}
		for tone, count := range marks {
			if count != each+1 { // with the legend
				t.Errorf("%v: %d marks are %s, want %d", classes, count, tone, each+1)
			}
		}
		inPage := map[any]bool{}
		for _, s := range series(payload(t, viz.Embedding(viz.Samples(d)))) {
			inPage[s["itemStyle"].(map[string]any)["color"]] = true
		}
		if len(inPage) != len(classes) {
			t.Errorf("%v have %d colours in the page", classes, len(inPage))
		}
	}
	// A class looks the same in all panels, in the whole and in a part.
	d := clouds(60, 1980, 1990, 2000, 2010, 2020)
	tones := map[any]map[any]bool{}
	for _, f := range []viz.Figure{viz.Compare(viz.Samples(d), viz.Samples(d.Only(2000, 2020))), viz.Embedding(viz.Samples(d.Only(2020))), viz.Embedding(viz.Samples(d)).Only(3, 4)} {
		for _, s := range series(payload(t, f)) {
			if tones[s["name"]] == nil {
				tones[s["name"]] = map[any]bool{}
			}
			tones[s["name"]][s["itemStyle"].(map[string]any)["color"]] = true
		}
	}
	for name, all := range tones {
		if len(all) != 1 {
			t.Errorf("class %v has the colours %v", name, all)
		}
	}
	// The same holds for two files of one data set.
	a, b := clouds(20, 0, 1), clouds(20, 1, 2)
	names := map[any]any{}
	for _, s := range series(payload(t, viz.Compare(viz.Samples(a), viz.Samples(b)))) {
		tone := s["itemStyle"].(map[string]any)["color"]
		if was := names[s["name"]]; was != nil && was != tone {
			t.Errorf("class %v is %v and %v", s["name"], was, tone)
		}
		names[s["name"]] = tone
	}
}

// A class name has one colour in a figure, and different names have different colours, also if data
// sets number their classes differently.
func TestColoursByName(t *testing.T) {
	t.Parallel()
	named := func(names ...string) *data.Data {
		classes := make([]int, len(names))
		for k := range classes {
			classes[k] = k
		}
		d := clouds(30, classes...)
		d.ClassNames = names
		return d
	}
	plane := func(d *data.Data) viz.Plane {
		return viz.Around(viz.Samples(d)).Class(3, 2, func(*mat.Dense) []int { return []int{0, 1, 0, 1, 0, 1} })
	}
	for name, sets := range map[string][2]*data.Data{
		"a class less": {named("bird", "cat", "dog"), named("cat", "dog")},
		"swapped":      {named("ill", "well"), named("well", "ill")},
		"others":       {named("bird", "cat"), named("dog", "cow")},
		"parts":        {clouds(30, 0, 1), clouds(30, 1, 2)},
		"no names":     {named("1", "0"), clouds(30, 0, 1)},
	} {
		a, b := sets[0], sets[1]
		for kind, f := range map[string]viz.Figure{
			"Compare":    viz.Compare(viz.Samples(a), viz.Samples(b)),
			"facts":      viz.Compare(viz.Samples(a), viz.Samples(b)).Color(viz.PredictedClass),
			"Boundaries": viz.Boundaries(ssdrnb.PCA().MustFit(a), ssdrnb.PCA().MustFit(b)),
			"Field":      viz.Field(plane(a), plane(b)),
			"Pictures":   viz.Pictures(viz.Regions([][]int{{0, 1}}, a.ClassNames...), viz.Regions([][]int{{1, 0}}, b.ClassNames...)),
		} {
			tones, names := map[any]any{}, map[any]any{}
			for _, s := range series(payload(t, f)) {
				if s["type"] != "scatter" {
					continue
				}
				tone := s["itemStyle"].(map[string]any)["color"]
				if was := tones[s["name"]]; was != nil && was != tone {
					t.Errorf("%s, %s: %v is %v and %v", name, kind, s["name"], was, tone)
				}
				if was := names[tone]; was != nil && was != s["name"] {
					t.Errorf("%s, %s: %v and %v are %v", name, kind, was, s["name"], tone)
				}
				tones[s["name"]], names[tone] = tone, s["name"]
			}
		}
	}
}

// Regions, samples above them, and images give classes the same colours by rank.
func TestColoursOfRegions(t *testing.T) {
	d := clouds(60, 10, 20, 30)
	p := viz.Around(viz.Samples(d)).Class(8, 8, func(x *mat.Dense) []int {
		n, _ := x.Dims()
		out := make([]int, n)
		for i := range out {
			out[i] = 10 * (1 + i%3)
		}
		return out
	})
	tones := map[any]map[any]bool{}
	for _, s := range series(payload(t, viz.Field(p))) {
		if s["type"] == "scatter" {
			if tones[s["name"]] == nil {
				tones[s["name"]] = map[any]bool{}
			}
			tones[s["name"]][s["itemStyle"].(map[string]any)["color"]] = true
		}
	}
	distinct := map[string]bool{}
	for name, all := range tones {
		distinct[fmt.Sprint(all)] = true
		if len(all) != 1 {
			t.Errorf("class %v has the colours %v", name, all)
		}
	}
	if len(distinct) != 3 {
		t.Errorf("regions and samples have the colours %v", tones)
	}
	// Long names remain different.
	long := strings.Repeat("a", 250)
	shown := map[any]bool{}
	for _, s := range series(payload(t, viz.Pictures(viz.Regions([][]int{{0, 1}}, long+"b", long+"c")))) {
		shown[s["name"]] = true
	}
	if len(shown) != 3 { // with the name of the image, ""
		t.Errorf("two long names are %v", shown)
	}
	// A class has one entry in the legend, also if a picture gives it no name. Pictures without
	// classes have no effect on colours.
	row := [][]int{{0, 1, 2}}
	named := viz.Regions(row, "cat", "dog", "bird")
	photo := viz.Picture{Image: image.NewGray(image.Rect(0, 0, 3, 1))}
	want := legendOf(t, viz.Pictures(named))
	for _, f := range []viz.Figure{viz.Pictures(named, viz.Regions(row)), viz.Pictures(viz.Regions(row), named), viz.Pictures(photo, named, viz.Regions([][]int{{1, 0, 2}}, "dog", "cat", "bird"))} {
		if got := legendOf(t, f); len(want) != 3 || !reflect.DeepEqual(got, want) {
			t.Errorf("the legend is %v instead of %v", got, want)
		}
	}
	one, two := viz.Regions([][]int{{0, 100}}), viz.Regions([][]int{{200, 0}})
	f := viz.Pictures(one, two)
	seen := map[any]bool{}
	for _, s := range series(payload(t, f)) {
		if s["type"] == "scatter" {
			seen[s["itemStyle"].(map[string]any)["color"]] = true
		}
	}
	if len(seen) != 3 || one.Image.At(0, 0) == one.Image.At(1, 0) {
		t.Errorf("three classes of images have %d colours", len(seen))
	}
}

// Each class has its own symbol on request, and in files for print.
func TestSymbols(t *testing.T) {
	d := clouds(40, 0, 1, 2, 3)
	kinds := func(f viz.Figure) int {
		out := map[any]bool{}
		for _, s := range series(payload(t, f)) {
			out[s["symbol"]] = true
		}
		return len(out)
	}
	f := viz.Embedding(viz.Samples(d))
	if n := kinds(f); n != 1 {
		t.Errorf("%d symbols without Symbols", n)
	}
	if n := kinds(f.Symbols(true)); n != 4 {
		t.Errorf("%d symbols with Symbols", n)
	}
	if n := kinds(f.Color([]string(slices.Repeat([]string{"a", "b"}, 20))).Symbols(true)); n != 2 {
		t.Errorf("%d symbols of two categories", n)
	}
	circles := func(f viz.Figure) int {
		return len(regexp.MustCompile(`<circle [^>]*fill="#`).FindAllString(saved(t, f), -1))
	}
	if n := circles(f); n != 11 {
		t.Errorf("%d circles in print, want those of one class and its key", n)
	}
	if n := circles(f.Symbols(false)); n != 44 {
		t.Errorf("%d circles in print without symbols", n)
	}
	if n := circles(viz.Multiples(viz.Group{Models: []viz.Embedded{viz.Samples(d)}})); n != 11 {
		t.Errorf("%d circles in a small panel in print, want those of one class and its key", n)
	}
	regions := viz.Around(viz.Samples(d)).Class(4, 4, func(x *mat.Dense) []int { n, _ := x.Dims(); return make([]int, n) })
	if n := circles(viz.Field(regions)); n != 11 {
		t.Errorf("%d circles above regions in print, want those of one class and its key", n)
	}
	refused(t, map[string]viz.Figure{"Symbols, bars": viz.Bars("y", []string{"a"}, viz.BarSeries{Name: "s", Mean: []float64{1}}).Symbols(true)})
}

// Points of pale colours have an outline and others none; on a dark background no point has one.
func TestEdgesOfPalePoints(t *testing.T) {
	d := clouds(40, 0, 1)
	edged := map[any]bool{}
	for _, s := range series(payload(t, viz.Embedding(viz.Samples(d)))) {
		style := s["itemStyle"].(map[string]any)
		edged[s["name"]] = style["borderColor"] != nil
	}
	if edged["0"] || !edged["1"] {
		t.Errorf("edges in the page: %v", edged)
	}
	strokes := func(f viz.Figure) int {
		return len(regexp.MustCompile(`<circle [^>]*stroke=`).FindAllString(saved(t, f.Symbols(false)), -1))
	}
	f := viz.Embedding(viz.Samples(d))
	if n := strokes(f); n != 21 {
		t.Errorf("%d edges, want those of one class and its key", n)
	}
	if n := strokes(f.Dark()); n != 0 {
		t.Errorf("%d edges on a dark ground", n)
	}
}

// Names with a common beginning look different in legends, on the map, and in cards.
func TestNamesThatBeginAlike(t *testing.T) {
	d := clouds(90, 0, 1, 2)
	d.ClassNames = []string{"CD4-positive, alpha-beta memory T cell", "CD4-positive, alpha-beta T cell", "CD4-positive, alpha-beta cytotoxic T cell"}
	f := viz.Embedding(viz.Samples(d)).Labels()
	count := map[string]int{}
	for _, w := range words(saved(t, f)) {
		if strings.HasPrefix(w, "CD4") {
			count[w]++
		}
	}
	if len(count) < 3 {
		t.Errorf("names %v", count)
	}
	sum := 0
	for name, n := range count {
		if sum += n; n > 2 { // in the legend and on the map
			t.Errorf("%q occurs %d times", name, n)
		}
	}
	if sum != 6 {
		t.Errorf("%d names, want 3 of the legend and 3 on the map: %v", sum, count)
	}
	p := payload(t, f)
	short, _ := p["extra"].(map[string]any)["short"].([]any)
	cuts := map[any]bool{}
	for _, one := range short {
		cuts[one.([]any)[1]] = true
	}
	if len(short) != 3 || len(cuts) != 3 {
		t.Errorf("the page's legend cuts %v", short)
	}
	seen := map[any]bool{}
	for _, s := range series(p) {
		if s["silent"] == true {
			for _, v := range s["data"].([]any) {
				seen[v.(map[string]any)["name"]] = true
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("names on the map of the page: %v", seen)
	}
	// Categories, curves and bars.
	long := strings.Repeat("same beginning ", 20)
	if text := viz.Embedding(viz.Samples(d)).Color(slices.Repeat([]string{long + "a", long + "b", long + "c"}, 30)).Text(); !strings.Contains(text, "3 categories") {
		t.Errorf("categories: %s", text)
	}
	bars := words(saved(t, viz.Bars("y", []string{long + "1", long + "2"}, viz.BarSeries{Name: long + "x", Mean: []float64{1, 2}}, viz.BarSeries{Name: long + "y", Mean: []float64{1, 2}})))
	count = map[string]int{}
	for _, w := range bars {
		if strings.HasPrefix(w, "same") {
			count[w]++
		}
	}
	if len(count) != 4 {
		t.Errorf("bars name %v", count)
	}
}

// Names in other scripts stay text in SVG files, and characters without a font are reported.
func TestNamesInOtherScripts(t *testing.T) {
	d := clouds(60, 0, 1, 2)
	d.ClassNames = []string{"猫科动物", "🐶 dog", "שלום עולם"}
	f := viz.Embedding(viz.Samples(d)).Labels()
	svg := saved(t, f)
	for _, name := range d.ClassNames {
		if !slices.Contains(words(svg), name) {
			t.Errorf("the SVG file lacks %s", name)
		}
	}
	// A character of the private use area is in no searched font.
	d.ClassNames[1] = "\U0010fabc dog"
	f = viz.Embedding(viz.Samples(d))
	const line = "No font on this computer has the characters"
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for kind, form := range map[string]string{"text": f.Text(), "bundle's text": bundle["text/plain"].(string), "page": bundle["text/html"].(string)} {
		if n := strings.Count(form, line); n != 1 || !strings.Contains(form, "\U0010fabc") {
			t.Errorf("%s: %d lines list characters without a font", kind, n)
		}
	}
	d.ClassNames[1] = "dog"
	d.ClassNames[0] = "Katze, chat, кошка, γάτα"
	if text := viz.Embedding(viz.Samples(d)).Text(); strings.Contains(text, line) {
		t.Errorf("without need: %s", text)
	}
	for _, format := range []string{"figure.png", "figure.pdf"} {
		if err := f.Save(filepath.Join(t.TempDir(), format)); err != nil {
			t.Error(err)
		}
	}
}

// The legend of 150 classes states how many it leaves out; in the page it scrolls.
func TestLegendOfManyClasses(t *testing.T) {
	var classes []int
	for k := range 150 {
		classes = append(classes, 1000+k)
	}
	f := viz.Embedding(viz.Samples(clouds(600, classes...)))
	var named, left int
	for _, w := range words(saved(t, f)) {
		if strings.HasPrefix(w, "1") && len(w) == 4 {
			named++
		}
		fmt.Sscanf(w, "… and %d more", &left)
	}
	if named < 20 || named+left != 150 {
		t.Errorf("%d classes are named, and %d left out", named, left)
	}
	if legend := payload(t, f)["option"].(map[string]any)["legend"].(map[string]any); legend["type"] != "scroll" {
		t.Errorf("the page's legend is of type %v", legend["type"])
	}
	if !strings.Contains(f.Text(), "There are 150 classes") {
		t.Errorf("no line reports that looks repeat: %s", f.Text())
	}
}

// Dates in other zones are shown in UTC, which their name reports.
func TestDatesOfZones(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*3600)
	d := clouds(4, 0, 1)
	times, instants := make([]time.Time, 4), make([]string, 4)
	for i := range times[1:] { // the last is unknown
		times[i] = time.Date(2026, 1, 1+i, 0, 30, 0, 0, zone)
		instants[i] = times[i].Format(time.RFC3339)
	}
	times[3] = time.Time{}.In(zone)
	d = d.WithAttribute("date", instants)
	for name, f := range map[string]viz.Figure{
		"values (UTC)": viz.Embedding(viz.Samples(d)).Color(times), "date (UTC)": viz.Embedding(viz.Samples(d)).Color("date"), "hover": viz.Embedding(viz.Samples(d)).Hover("date"),
	} {
		if text := f.Text(); name != "hover" && !strings.Contains(text, "colour: "+name+" from 2025-12-31 22:30 to 2026-01-02 22:30\n") {
			t.Error(text)
		}
		card := cards(payload(t, f), 0)[strings.Replace(name, "hover", "date (UTC)", 1)]
		if card == nil || card["names"].([]any)[0] != "2025-12-31 22:30:00" {
			t.Errorf("%s: card %v", name, card)
		}
	}
	times[0], times[1], times[2] = times[0].UTC(), times[1].UTC(), times[2].UTC()
	if text := viz.Embedding(viz.Samples(d)).Color(times).Text(); strings.Contains(text, "UTC") {
		t.Error(text)
	}
}

// Dates have a time scale.
func TestColorByDates(t *testing.T) {
	d := clouds(40, 0, 1)
	begin := time.Date(2023, 1, 31, 0, 0, 0, 0, time.UTC)
	texts := map[string][]string{}
	var times []time.Time
	for i := range d.Len() {
		at := begin.AddDate(0, 0, i)
		times = append(times, at)
		for form, layout := range map[string]string{"days": "2006-01-02", "instants": time.RFC3339, "spaced": "2006-01-02 15:04:05", "months": "2006-01"} {
			text := at.Format(layout)
			if i == 7 {
				text = []string{"", "?", "NA"}[len(form)%3]
			}
			texts[form] = append(texts[form], text)
		}
	}
	for form, values := range texts {
		f := viz.Embedding(viz.Samples(d.WithAttribute("date", values))).Color("date").PointSize("date")
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		first, last := "2023-01-31", "2023-03-11"
		if form == "months" {
			first, last = "2023-01-01", "2023-03-01"
		}
		if !strings.Contains(f.Text(), "colour: date from "+first+" to "+last+"\n") || !strings.Contains(f.Text(), "not known for 1 of the 40") {
			t.Errorf("%s: %s", form, f.Text())
		}
		p := payload(t, f)
		if bars := scales(p); bars[0]["max"].(float64)-bars[0]["min"].(float64) < 20*86400 {
			t.Errorf("%s: the scale is %v", form, bars[0])
		}
		card := cards(p, 0)["date"]
		if got := card["names"].([]any)[int(card["of"].([]any)[0].(float64))]; got != first {
			t.Errorf("%s: the card of the first sample has %v", form, got)
		}
		if !slices.Contains(words(saved(t, f)), last) {
			t.Errorf("%s: the bar of colours does not end at %s", form, last)
		}
	}
	if f := viz.Embedding(viz.Samples(d)).Color(times); !strings.Contains(f.Text(), "values from 2023-01-31 to 2023-03-11") {
		t.Errorf("times: %s", f.Text())
	}
	if f := viz.Embedding(viz.Samples(d)).Color(times).Only(0, 1); !strings.Contains(f.Text(), "from 2023-01-31 00:00 to 2023-02-01 00:00") {
		t.Errorf("two days: %s", f.Text())
	}
	mixed := slices.Clone(texts["days"])
	mixed[3] = "spring"
	if f := viz.Embedding(viz.Samples(d.WithAttribute("date", mixed))).Color("date"); !strings.Contains(f.Text(), "categories") {
		t.Errorf("with a word: %s", f.Text())
	}
	no := slices.Clone(texts["days"])
	no[3] = "2023-02-31" // no such day
	if f := viz.Embedding(viz.Samples(d.WithAttribute("date", no))).Color("date"); !strings.Contains(f.Text(), "categories") {
		t.Errorf("with a day that does not exist: %s", f.Text())
	}
}

// A feature is shown in its original units, whatever transformations the data have had.
func TestColorInUnits(t *testing.T) {
	d := datasets.Iris()
	name := d.FeatureNames[2]
	for step, scaled := range map[string]*data.Data{"Standardize": d.Standardize(), "Scale01": d.Scale01(), "both": d.Scale01().Standardize()} {
		f := viz.Embedding(ssdrnb.PCA().MustFit(scaled)).Color(name).Hover(d.FeatureNames[0])
		if !strings.Contains(f.Text(), name+" from 1 to 6.9\n") {
			t.Errorf("%s: %s", step, f.Text())
		}
		if got := cards(payload(t, f), 0)[d.FeatureNames[0]]["values"].([]any)[0]; got != d.X.At(0, 0) {
			t.Errorf("%s: the card has %v", step, got)
		}
	}
}

// Rings are thick if there is room, and thin in small files and if colours show values. In the
// latter case labelled samples are as large and as pale as others.
func TestRingsLeaveRoom(t *testing.T) {
	d := datasets.Iris().KeepLabels(10)
	m := ssdrnb.PCA().MustFit(d)
	rings := func(f viz.Figure) (widest float64, count int) {
		for _, r := range regexp.MustCompile(`<circle [^>]*fill="none" stroke="#222222"[^>]* stroke-width="([0-9.]+)"`).FindAllStringSubmatch(saved(t, f.Symbols(false)), -1) {
			var w float64
			fmt.Sscan(r[1], &w)
			widest, count = max(widest, w), count+1
		}
		return widest, count
	}
	for name, c := range map[string]struct {
		f    viz.Figure
		want float64
	}{"wide": {viz.Embedding(m), 1.12}, "60 mm": {viz.Embedding(m).Width(60), 0.4}, "values": {viz.Embedding(m).Color(d.FeatureNames[0]), 0.64}} {
		if w, n := rings(c.f); n != 30 || w < c.want-0.01 || w > c.want+0.01 {
			t.Errorf("%s: %d rings up to %g wide, want 30 of %g", name, n, w, c.want)
		}
	}
	looks := map[string]bool{}
	for _, s := range series(payload(t, viz.Embedding(m).Color(d.FeatureNames[0]))) {
		looks[fmt.Sprint(s["symbolSize"], s["itemStyle"].(map[string]any)["opacity"])] = true
	}
	if len(looks) != 1 {
		t.Errorf("sizes and opacities of the page: %v", looks)
	}
}

// legendOf returns the names and colours in the legend of pictures, in order.
func legendOf(t *testing.T, f viz.Figure) (entries [][2]any) {
	t.Helper()
	for _, s := range series(payload(t, f)) {
		if s["type"] == "scatter" {
			entries = append(entries, [2]any{s["name"], s["itemStyle"].(map[string]any)["color"]})
		}
	}
	return entries
}
