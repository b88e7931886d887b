package viz

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Embedded is what [Embedding] draws; *ssdrnb.Model implements it.
type Embedded interface {
	// Method names the picture.
	Method() string
	// Embedding has one sample per row.
	Embedding() *mat.Dense
	// Data has labels, true classes and, for thumbnails, pictures.
	Data() *data.Data
}

// Embedding draws the samples in the model's first two dimensions, or in the first
// three if it has three or more. Colour and symbol show the true class where it is
// known and the label elsewhere; labelled samples have a ring and a stronger colour.
// The legend hides and shows classes; hovering shows the sample, its class and its
// picture. The axes have equal scales. Up to 100,000 samples can be drawn.
func Embedding(m Embedded) Figure {
	if err := drawable(m); err != nil {
		return failed("embedding", err)
	}
	if _, d := m.Embedding().Dims(); d >= 3 {
		return embedding3D(m)
	}
	f := Compare(m)
	f.title = title(m)
	return f
}

// Compare draws embeddings side by side in two dimensions, see [Embedding]. It takes
// models or a slice of them, viz.Compare(models...). Models together with [Samples] are
// named as what they have in common: viz.Compare[viz.Embedded](model, samples).
func Compare[E Embedded](models ...E) Figure {
	if len(models) == 0 {
		return failed("embedding", errAbsent)
	}
	if err := crowded(len(models), maxPanels); err != nil {
		return failed("embedding", err)
	}
	panels := make([]*panel, len(models))
	var text strings.Builder
	total := 0
	for k, m := range models {
		if err := drawable(m); err != nil {
			return failed("embedding", err)
		}
		panels[k] = newCropped(m)
		if total += panels[k].n; panels[k].n > maxPoints || total > maxTotal {
			return failed("embedding", errSamples(total))
		}
		fmt.Fprintf(&text, "%s: %d samples in %s\n", panels[k].name, panels[k].n, dimensions(panels[k].d))
	}
	width := 960
	if len(models) == 1 {
		width = 700
	}
	return Figure{kind: "embedding", title: "Embeddings", text: text.String(), notes: append(undrawn(panels), warned(models...)...),
		option: func(f Figure) (map[string]any, map[string]any) { return optionPanels(f, panels) },
		static: func(f Figure) (*canvas, error) { return staticPanels(f, panels) }}.sized(panelLayout(panels), width)
}

// undrawn are the lines below panels about what they do not show.
func undrawn(panels []*panel) []string {
	out := present(manyClasses(panels...), partOf(2, panels...))
	for _, p := range panels {
		of := ""
		if len(panels) > 1 {
			of = p.name + ": "
		}
		if p.outside > 0 {
			out = append(out, fmt.Sprintf("%s%d of %d samples are far away from the others and outside of the picture.", of, p.outside, p.n))
		}
	}
	return out
}

// warned are the lines below a figure about what the reports of its models warn of.
func warned[E any](models ...E) []string {
	var out []string
	for _, m := range models {
		t, ok := any(m).(Traced)
		if !ok || absent(m) || t.Report() == nil {
			continue
		}
		for _, w := range t.Report().Warnings {
			line := "Warning: " + strings.Join(strings.Fields(w), " ")
			if len(models) > 1 {
				line = t.Report().Method + ": " + line
			}
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// The numbers of samples that a page holds in one panel, and in all.
const (
	maxPoints = 100_000
	maxTotal  = 4 * maxPoints
)

func errSamples(n int) error {
	return fmt.Errorf("viz: %d samples are more than a page can hold, %d in a panel and %d in all; draw a subset", n, maxPoints, maxTotal)
}

// errAbsent is the error for a nil model, which a failed fit returns.
var errAbsent = errors.New("viz: no model to draw; see the error of its Fit")

// absent reports whether m is nil or holds a nil pointer, as after a failed fit.
func absent(m any) bool {
	v := reflect.ValueOf(m)
	return m == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// drawable returns why m cannot be drawn, or nil.
func drawable(m Embedded) error {
	if absent(m) {
		return errAbsent
	}
	if y := m.Embedding(); y != nil && !y.IsEmpty() && m.Data() != nil {
		if err := data.CheckFinite(y); err != nil {
			return err
		}
		return moderate("the embedding", mat.Max(y), mat.Min(y))
	}
	if err := m.Data().Err(); err != nil {
		return fmt.Errorf("viz: %w", err)
	}
	return fmt.Errorf("viz: the model has no embedding to draw")
}

func title(m Embedded) string {
	if name := m.Data().Name; name != "" && name != m.Method() {
		return m.Method() + " of " + name
	}
	return m.Method()
}

// panel is one embedding prepared for drawing.
type panel struct {
	name     string
	n, d     int
	y        *mat.Dense
	classes  []int    // that occur, ascending
	names    []string // of the classes
	of       []int    // position in classes of each sample
	groups   []group
	labelled []bool
	data     *data.Data
	lo, hi   [2]float64 // what is drawn of the first two dimensions
	outside  int        // samples outside of that
}

// group is the samples that look alike and share an entry of the legend: those of one
// class or, beyond the first maxClasses, those of all classes with one look.
type group struct {
	name  string
	class int      // position in classes of one with this look
	rows  [2][]int // the samples without a visible label, and those with one
}

// maxClasses bounds the classes that a legend names.
const maxClasses = look.MaxClasses

// moreClasses is the legend's entry for the classes that it does not name.
const moreClasses = look.MoreClasses

// manyClasses is the sentence below panels whose classes are not all named.
func manyClasses(panels ...*panel) string {
	most := 0
	for _, p := range panels {
		if p != nil {
			most = max(most, len(p.classes))
		}
	}
	return cutLegend(most)
}

// cutLegend is the sentence below a figure with that many classes, "" if the legend
// names all.
func cutLegend(classes int) string {
	if classes <= maxClasses {
		return ""
	}
	return fmt.Sprintf("There are %d classes: colours and symbols repeat, and the legend names the first %d. If the labels differ from sample to sample, they are not classes.", classes, maxClasses)
}

// partOf is the sentence below panels of which some have more dimensions than are drawn.
func partOf(drawn int, panels ...*panel) string {
	var of []string
	for _, p := range panels {
		if p != nil && p.d > drawn {
			of = append(of, fmt.Sprintf("%s has %d dimensions", p.name, p.d))
		}
	}
	if of == nil {
		return ""
	}
	few := []string{2: "two", 3: "three"}[drawn]
	return fmt.Sprintf("Only the first %s are drawn: %s.", few, strings.Join(of, ", "))
}

func newPanel(m Embedded) *panel {
	d := m.Data()
	p := &panel{name: cut(m.Method()), y: m.Embedding(), data: d}
	p.n, p.d = p.y.Dims()
	c := look.ClassesOf(d, p.n)
	p.of, p.labelled, p.classes, p.names = c.Of, c.Labelled, c.Classes, c.Names
	for _, g := range c.Groups {
		p.groups = append(p.groups, group{g.Name, g.Class, g.Rows})
	}
	for k := range 2 {
		p.lo[k], p.hi[k] = p.span(k)
	}
	return p
}

// newCropped is a panel without the samples far away from the others, see crop.
func newCropped(m Embedded) *panel {
	p := newPanel(m)
	p.outside = p.crop()
	return p
}

// keys are the entries of the legend.
func (p *panel) keys() []string {
	if len(p.names) <= maxClasses {
		return p.names
	}
	return append(slices.Clip(p.names[:maxClasses]), moreClasses)
}

// at returns the coordinates of sample i. A single dimension is spread over a second by
// class, so that the points do not cover each other.
func (p *panel) at(i, k int) float64 {
	if k < p.d {
		return p.y.At(i, k)
	}
	return float64(p.of[i]) + 0.6*math.Mod(float64(i)*0.618034, 1)
}

// span returns the smallest and the largest coordinate of a dimension.
func (p *panel) span(k int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range p.n {
		lo, hi = min(lo, p.at(i, k)), max(hi, p.at(i, k))
	}
	return lo, hi
}

// ranges returns the ranges of the axes: what is drawn, with a margin.
func (p *panel) ranges() (lo, hi [2]float64) {
	for k := range 2 {
		lo[k], hi[k] = padded(p.lo[k], p.hi[k], 0.04)
	}
	return lo, hi
}

// bounds returns the ranges, widened to equal scales in a box of width×height.
func (p *panel) bounds(width, height float64) (lo, hi [2]float64) {
	lo, hi = p.ranges()
	if p.d < 2 {
		return lo, hi // the second axis has no scale of its own
	}
	unit := max((hi[0]-lo[0])/width, (hi[1]-lo[1])/height)
	for k, pixels := range [2]float64{width, height} {
		spare := (unit*pixels - (hi[k] - lo[k])) / 2
		lo[k], hi[k] = lo[k]-spare, hi[k]+spare
	}
	return lo, hi
}

// A cloud is cropped if it would fill less than two fifths of its axis because of a few
// samples: at most one in fifty lies beyond the middle part, which reaches over the
// quantiles by half of their distance.
const (
	tail     = 0.01
	emptyBut = 2.5
)

// shows reports whether sample i lies in the ranges that are drawn.
func (p *panel) shows(i int) bool {
	x, y := p.at(i, 0), p.at(i, 1)
	return x >= p.lo[0] && x <= p.hi[0] && y >= p.lo[1] && y <= p.hi[1]
}

// crop narrows the ranges that are drawn, and returns the number of samples outside.
func (p *panel) crop() (outside int) {
	values := make([]float64, p.n)
	for k := range 2 {
		if k >= p.d || p.n < 50 {
			continue
		}
		for i := range values {
			values[i] = p.at(i, k)
		}
		slices.Sort(values)
		low, high := values[int(tail*float64(p.n))], values[p.n-1-int(tail*float64(p.n))]
		reach := (high - low) / 2
		low, high = max(low-reach, p.lo[k]), min(high+reach, p.hi[k])
		if !same(low, high) && p.hi[k]-p.lo[k] > emptyBut*(high-low) {
			p.lo[k], p.hi[k] = low, high
		}
	}
	for i := range p.n {
		if !p.shows(i) {
			outside++
		}
	}
	return outside
}

func (p *panel) axis(k int) string {
	if k < p.d {
		return fmt.Sprintf("dimension %d", k+1)
	}
	return "class (spread)"
}

// classLegend lists the classes at the right, in full colour although most points are
// pale.
func classLegend(width int) map[string]any {
	return map[string]any{"type": "scroll", "orient": "vertical", "right": 4, "top": "middle", "align": "left",
		"itemStyle": map[string]any{"opacity": 1, "borderWidth": 0}, "textStyle": map[string]any{"width": width - 48, "overflow": "truncate"}}
}

// classColumn is the width in pixels of the legend of several panels.
func classColumn(panels []*panel) int {
	width := 118
	for _, p := range panels {
		width = max(width, legendWidth(p.keys()))
	}
	return min(width, 200)
}

// panelLayout places panels with equal scales.
func panelLayout(panels []*panel) layout {
	l := layout{Count: len(panels), Most: 4, Least: 200, High: 340, Head: titleHeight, Above: captionHeight, Below: 48, Left: 58, Gap: 62, Right: 12, Legend: float64(classColumn(panels))}
	switch {
	case len(panels) == 1:
		l.High, l.Above = 520, captioned()
	case len(panels) > 6:
		l.Least = 140
	}
	for _, p := range panels {
		wide := p.tickWidth()
		l.Left, l.Gap = max(l.Left, 26+wide), max(l.Gap, 30+wide)
		if p.d < 2 { // the second axis has no scale of its own
			l.Ratio, l.Spans = append(l.Ratio, 0.7), append(l.Spans, nil)
			continue
		}
		lo, hi := p.ranges()
		l.Ratio = append(l.Ratio, min(max((hi[1]-lo[1])/(hi[0]-lo[0]), 0.6), 1))
		l.Spans = append(l.Spans, []float64{lo[0], hi[0], lo[1], hi[1]})
	}
	return l
}

// tickWidth is the width in pixels of the longest number of the second axis.
func (p *panel) tickWidth() float64 {
	lo, hi := p.ranges()
	longest := 0
	for _, t := range (valueTicks{}).Ticks(lo[1], hi[1]) {
		longest = max(longest, len(t.Label))
	}
	return 6.5 * float64(longest)
}

func optionPanels(f Figure, panels []*panel) (map[string]any, map[string]any) {
	chart := charts.NewScatter()
	chart.SetGlobalOptions(f.titled()...)
	captions := make([]string, len(panels))
	var xs, ys []any
	for k, p := range panels {
		lo, hi := p.ranges()
		axis := func(dim int, gap int) map[string]any {
			a := valueAxis(k, p.axis(dim), lo[dim], hi[dim], gap)
			a["axisLabel"] = map[string]any{"showMinLabel": false, "showMaxLabel": false, "hideOverlap": true}
			return a
		}
		xs, ys = append(xs, axis(0, 26)), append(ys, axis(1, max(40, int(10+p.tickWidth()))))
		if len(panels) > 1 {
			captions[k] = p.name
		}
		for _, s := range p.series(k) {
			if len(panels) > 6 {
				s.SymbolSize = s.SymbolSize.(int) - 2
			}
			chart.MultiSeries = append(chart.MultiSeries, s)
		}
	}
	option := chart.JSON()
	option["xAxis"], option["yAxis"] = xs, ys
	option["title"] = f.titles(option, captions)
	option["legend"], option["animation"] = classLegend(classColumn(panels)), false
	option["dataZoom"] = zoom(len(panels))
	return option, extras(panels)
}

// series makes two series per class, unlabelled below labelled; they share the class's
// name and so its entry in the legend.
func (p *panel) series(grid int) charts.MultiSeries {
	var out charts.MultiSeries
	size := 7
	if p.n > 2000 {
		size = 4
	}
	coordinates := min(max(p.d, 2), 3)
	scale := make([]float64, coordinates)
	for k := range scale {
		lo, hi := p.span(k)
		if k < 2 {
			lo, hi = p.lo[k], p.hi[k]
		}
		scale[k] = hi - lo
	}
	mark := p.ringed()
	for labelled := range 2 {
		for _, g := range p.groups {
			if g.rows[labelled] == nil {
				continue
			}
			points := make([][]float64, len(g.rows[labelled]))
			for r, i := range g.rows[labelled] {
				points[r] = make([]float64, coordinates+1)
				for k := range coordinates {
					points[r][k] = round(p.at(i, k), scale[k])
				}
				points[r][coordinates] = float64(i)
			}
			s := charts.SingleSeries{Name: g.name, Type: "scatter", XAxisIndex: grid, YAxisIndex: grid,
				Symbol: p.symbol(g.class), SymbolSize: size, Data: points,
				ItemStyle: &opts.ItemStyle{Color: css(p.tone(g.class)), Opacity: opts.Float(0.45)}}
			if labelled == 1 {
				s.SymbolSize = size + mark.growth
				s.ItemStyle.Opacity, s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = opts.Float(1), ink, mark.width
			}
			out = append(out, s)
		}
	}
	return out
}

// ringMark is the ring around labelled samples.
type ringMark struct {
	growth int     // of the symbol, in pixels
	width  float32 // of the ring, in pixels
}

// ringed returns the ring: thinner where many samples are labelled, because broad rings
// would cover the colours of their neighbours.
func (p *panel) ringed() ringMark {
	count := 0
	for _, labelled := range p.labelled {
		if labelled {
			count++
		}
	}
	if count > 300 {
		return ringMark{1, 0.5}
	}
	return ringMark{3, 1.4}
}

// tone is the colour of the c-th class. It depends on the class's number, so that a
// class looks the same in every figure; samples without a class are grey.
func (p *panel) tone(c int) color.NRGBA {
	return look.Classes{Classes: p.classes}.Tone(c)
}

func (p *panel) symbol(c int) string {
	return look.Classes{Classes: p.classes}.Symbol(c)
}

func (p *panel) glyph(c int) draw.GlyphDrawer {
	if p.classes[c] == data.Unlabelled {
		return draw.CircleGlyph{}
	}
	return staticGlyphs[p.classes[c]/len(palette)%len(staticGlyphs)]
}

// extras is what the tooltips need, panel by panel: which samples are labelled, and
// which sheet has their pictures. Sheets are large, so panels of the same matrix share
// one. A panel may be nil.
func extras(panels []*panel) map[string]any {
	sheets := []any{}
	type source struct {
		x     *mat.Dense
		image data.Image
	}
	at := map[source]int{}
	all := make([]any, len(panels))
	for k, p := range panels {
		if p == nil {
			continue
		}
		from := source{p.data.X, p.data.Image}
		sheet, known := at[from]
		if !known {
			sheet = len(sheets)
			if t := look.Thumbnails(p.data); t != nil {
				sheets = append(sheets, t)
			} else {
				sheet = -1
			}
			at[from] = sheet
		}
		one := map[string]any{"labelled": p.marks(), "sheet": sheet}
		if len(p.classes) > maxClasses { // the name of a series is not always the class
			names := make([]string, len(p.names))
			for c, name := range p.names {
				names[c] = short(name, 56+6*40)
			}
			one["of"], one["names"] = p.of, names
		}
		all[k] = one
	}
	return map[string]any{"panels": all, "sheets": sheets}
}

// marks writes which samples are labelled as a string of 0 and 1.
func (p *panel) marks() string {
	marks := make([]byte, p.n)
	for i, l := range p.labelled {
		marks[i] = '0'
		if l {
			marks[i] = '1'
		}
	}
	return string(marks)
}
