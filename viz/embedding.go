package viz

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
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
// Classes have colours and symbols by their order among all classes of the data set, see
// [data.Data.AllClasses], and a point has an edge if its colour is pale on the page.
// The legend hides and shows classes; hovering shows the sample, its class and its
// picture. The axes have equal scales. Up to 1,000,000 samples can be drawn, in three
// dimensions 100,000; more than 20,000 in the plane are painted as a density, and as points
// near by.
func Embedding(m Embedded) Figure {
	if err := drawable(m); err != nil {
		return failed("embedding", err)
	}
	if _, d := m.Embedding().Dims(); d >= 3 {
		return embedding3D(m, style{}, keptOf([]Embedded{m}))
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
	all := make([]Embedded, len(models))
	for k, m := range models {
		if err := drawable(m); err != nil {
			return failed("embedding", err)
		}
		all[k] = m
	}
	return compared(all, style{}, keptOf(all))
}

// compared draws embeddings side by side in a style, with a line of how much of the
// neighbourhoods they keep.
func compared(models []Embedded, s style, kept func() string) Figure {
	panels, err := newPaintable(models, s)
	if err != nil {
		return failed("embedding", err)
	}
	f := comparison(panels)
	f.kept = kept
	f.style, f.again = s, func(s style) Figure { return compared(models, s, kept) }
	return f
}

// comparison is a figure of panels side by side.
func comparison(panels []*panel) Figure {
	var text strings.Builder
	models := make([]Embedded, len(panels))
	for k, p := range panels {
		models[k], p.outside = p.model, p.crop()
		fmt.Fprintf(&text, "%s: %s in %s\n", p.name, counted(len(p.rows), "sample"), dimensions(p.d))
	}
	text.WriteString(panels[0].shown())
	width := 960
	if len(panels) == 1 {
		width = 700
	}
	return Figure{kind: "embedding", title: "Embeddings", text: text.String(), notes: append(undrawn(panels), warned(models...)...),
		option: func(f Figure) (map[string]any, map[string]any) { return optionPanels(f, panels) },
		static: func(f Figure) *canvas { return staticPanels(f, panels) }}.sized(panelLayout(panels), width)
}

// undrawn are the lines below panels about what they do not show.
func undrawn(panels []*panel) []string {
	out := append(present(manyClasses(panels...), partOf(2, panels...), manyNote(panels...)), styled(panels...)...)
	for _, p := range panels {
		of := ""
		if len(panels) > 1 {
			of = p.name + ": "
		}
		if p.outside > 0 {
			out = append(out, fmt.Sprintf("%s%d of %d samples are far away from the others and outside of the picture.", of, p.outside, len(p.rows)))
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

// The numbers of points that a page holds in one panel, and in all, and of samples where it
// paints them.
const (
	maxPoints = bounds.Points
	maxTotal  = 4 * maxPoints
	maxMany   = bounds.Many
	maxManyIn = 2 * maxMany
)

func errSamples(n, each, all int) error {
	return fmt.Errorf("viz: %d samples are more than a page can hold, %d in a panel and %d in all; draw a subset", n, each, all)
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
	model    Embedded
	n, d     int
	y        *mat.Dense
	classes  []int    // that occur, ascending
	names    []string // of the classes
	of       []int    // position in classes of each sample
	legend   []look.Group
	ranks    look.Ranks // of the classes, shared by all panels of a figure
	labelled []bool
	data     *data.Data

	style                    style
	rows                     []int   // the samples that are drawn, ascending
	groups                   []group // of these
	only, highlighted        []bool  // nil for all, and for none
	facts                    []column
	loadings                 *loadings   // nil without arrows
	k                        int         // place in the columns of the aspects
	colors, sizes, opacities *aspect     // nil where the style has none
	size                     float64     // of a point, in pixels
	opacity                  float64     // of a point
	lo, hi                   [2]float64  // what is drawn of the first two dimensions
	outside                  int         // samples outside of that
	deep                     bool        // the chart has three dimensions
	paintable                bool        // the page may paint the samples, see many
	paper                    color.NRGBA // of a static picture, white by default
	room                     float64     // of a static picture, in pixels; 0 where it is not known
}

// group is the samples that share an entry of the legend, and look alike unless their
// colours show values.
type group struct {
	name   string
	tone   color.NRGBA
	symbol int      // in symbols
	rows   [2][]int // the samples without a visible label, and those with one
	scaled bool     // colours show values
	faded  bool     // these are not highlighted
	absent bool     // their value is not known
}

// maxClasses bounds the classes that a legend names.
const maxClasses = look.MaxClasses

// manyClasses is the sentence below panels whose classes are not all named.
func manyClasses(panels ...*panel) string {
	most := 0
	for _, p := range panels {
		if p != nil && p.colors == nil {
			known := len(p.classes)
			if slices.Contains(p.classes, data.Unlabelled) {
				known--
			}
			most = max(most, known)
		}
	}
	return cutLegend(most)
}

// cutLegend is the sentence below a figure with that many classes, "" if the legend
// names all.
func cutLegend(classes int) string {
	if classes <= look.Looks {
		return ""
	} else if classes <= maxClasses {
		return fmt.Sprintf("There are %d classes: colours and symbols repeat after %d.", classes, look.Looks)
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

// newPanel prepares an embedding in the usual style.
func newPanel(m Embedded) *panel {
	n, d := m.Embedding().Dims()
	p := &panel{name: cut(m.Method()), model: m, n: n, d: d, y: m.Embedding(), data: m.Data(), size: 7, paper: white}
	if n > 2000 {
		p.size = 4
	}
	p.classify(look.ClassesOf(p.data, n))
	p.rows = make([]int, n)
	for i := range p.rows {
		p.rows[i] = i
	}
	p.settle()
	return p
}

// classify gives the samples their classes.
func (p *panel) classify(c look.Classes) {
	p.of, p.labelled, p.classes, p.names, p.legend, p.ranks = c.Of, c.Labelled, c.Classes, c.Names, c.Groups, c.Ranks
}

// shareRanks makes a class look the same in all panels of a figure.
func shareRanks(panels []*panel) {
	var whole, there []int
	met := map[*data.Data]bool{}
	for _, p := range panels {
		if !met[p.data] {
			met[p.data] = true
			whole, there = append(whole, p.data.AllClasses()...), append(there, p.classes...)
		}
	}
	if len(met) < 2 {
		return
	}
	ranks := look.NewRanks(whole, there)
	for _, p := range panels {
		p.classify(look.ClassesIn(ranks, p.data, p.n))
		p.regroup()
	}
}

// settle divides the samples into groups and finds what is drawn.
func (p *panel) settle() {
	p.regroup()
	for k := range 2 {
		p.lo[k], p.hi[k] = p.span(k)
	}
}

// newCropped is a panel without the samples far away from the others, see crop.
func newCropped(m Embedded) *panel {
	p := newPanel(m)
	p.outside = p.crop()
	return p
}

// newPanels prepares embeddings in a style, or says why they cannot be drawn.
func newPanels(models []Embedded, s style) ([]*panel, error) {
	return newPanelsUpTo(maxPoints, maxTotal, models, s)
}

// newPaintable is newPanels for those of which the page paints many samples: nothing opaque
// lies below them.
func newPaintable(models []Embedded, s style) ([]*panel, error) {
	panels, err := newPanelsUpTo(maxMany, maxManyIn, models, s)
	points := 0 // that ECharts draws
	for _, p := range panels {
		if p.paintable = true; !p.many() {
			points += len(p.rows)
		}
	}
	if err == nil && points > maxTotal {
		err = errSamples(points, maxPoints, maxTotal)
	}
	return panels, err
}

// newPanelsUpTo is newPanels with its own bounds of the samples in a panel and in all.
func newPanelsUpTo(each, all int, models []Embedded, s style) ([]*panel, error) {
	panels, total := make([]*panel, len(models)), 0
	for k, m := range models {
		n, _ := m.Embedding().Dims()
		if total += n; n > each || total > all {
			return nil, errSamples(total, each, all)
		}
		panels[k] = newPanel(m)
		panels[k].k = k
	}
	shareRanks(panels)
	return panels, dress(s, panels)
}

// regroup divides the samples that are drawn into groups.
func (p *panel) regroup() {
	p.groups = nil
	var place func(i int) int // of a sample in the groups
	switch c := p.colors; {
	case c == nil:
		in := make([]int, p.n)
		for k, g := range p.legend {
			p.groups = append(p.groups, group{name: g.Name, tone: p.tone(g.Class), symbol: p.symbol(g.Class)})
			for _, rows := range g.Rows {
				for _, i := range rows {
					in[i] = k
				}
			}
		}
		place = func(i int) int { return in[i] }
	case c.keys == nil:
		p.groups = []group{{name: c.name, scaled: true}, {name: notKnown, tone: look.NoClass, absent: true}}
		place = func(i int) int {
			if math.IsNaN(c.columns[p.k].number[i]) {
				return 1
			}
			return 0
		}
	default:
		for _, one := range c.keys {
			p.groups = append(p.groups, group{name: one.name, tone: classColor(one.look), symbol: look.Shape(one.look, p.style.eachSymbol())})
		}
		p.groups = append(p.groups, group{name: "others", tone: look.NoClass}, group{name: notKnown, tone: look.NoClass, absent: true})
		of := c.columns[p.k]
		place = func(i int) int {
			if of.of[i] < 0 {
				return len(c.keys) + 1
			} else if k, ok := c.at[of.keys[of.of[i]].name]; ok {
				return k
			}
			return len(c.keys)
		}
	}
	rest := group{name: "not highlighted", tone: look.NoClass, faded: true}
	for _, i := range p.rows {
		if p.highlighted != nil && !p.highlighted[i] {
			rest.rows[0] = append(rest.rows[0], i)
			continue
		}
		labelled := 0
		if p.labelled[i] {
			labelled = 1
		}
		g := &p.groups[place(i)]
		g.rows[labelled] = append(g.rows[labelled], i)
	}
	// Those below come first.
	p.groups = slices.DeleteFunc(append([]group{rest}, p.groups...), func(g group) bool { return g.rows[0] == nil && g.rows[1] == nil })
}

// notKnown is the legend's entry for the samples without a value.
const notKnown = "not known"

// keys are the entries of the legend.
func (p *panel) keys() []string {
	var out []string
	for _, g := range p.groups {
		if !g.scaled && !slices.Contains(out, g.name) {
			out = append(out, g.name)
		}
	}
	return out
}

// shown says in words what colours, sizes and opacities show.
func (p *panel) shown() string {
	return p.colors.text("colour") + p.sizes.text("size") + p.opacities.text("opacity")
}

// styled are the lines below panels about what their colours, sizes and opacities do not
// show, and about arrows.
func styled(panels ...*panel) []string {
	one := panels[0]
	out := slices.Concat(one.colors.notes("grey"), one.sizes.notes("smallest"), one.opacities.notes("palest"))
	if one.loadings != nil {
		out = append(out, "Arrows show weights per standard deviation of a feature, on a scale of their own.")
	}
	for _, p := range panels {
		if p.loadings != nil && p.loadings.note != "" && !slices.Contains(out, p.loadings.note) {
			out = append(out, p.loadings.note)
		}
	}
	return out
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
	for _, i := range p.rows {
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
	n := len(p.rows)
	values := make([]float64, n)
	for k := range 2 {
		if k >= p.d || n < 50 {
			continue
		}
		for r, i := range p.rows {
			values[r] = p.at(i, k)
		}
		slices.Sort(values)
		low, high := values[int(tail*float64(n))], values[n-1-int(tail*float64(n))]
		reach := (high - low) / 2
		low, high = max(low-reach, p.lo[k]), min(high+reach, p.hi[k])
		if !same(low, high) && p.hi[k]-p.lo[k] > emptyBut*(high-low) {
			p.lo[k], p.hi[k] = low, high
		}
	}
	for _, i := range p.rows {
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
		names := p.keys()
		if p.scaled() {
			names = append(names, p.colors.name)
			if p.colors.columns[0].dates != nil {
				ends := p.colors.ends()
				names = append(names, ends[:]...)
			}
		}
		width = max(width, legendWidth(names))
	}
	return min(width, 200)
}

// panelLayout places panels with equal scales.
func panelLayout(panels []*panel) layout {
	l := layout{Count: len(panels), Most: 4, Least: 200, High: 340, Head: titleHeight, Above: captionHeight, Below: 48, Left: 58, Gap: 62, Right: 12, Legend: float64(classColumn(panels)), Foot: gradeHeight * float64(len(panels[0].grades()))}
	switch {
	case len(panels) == 1:
		l.High, l.Above = 520, captioned()
	case len(panels) > 6:
		l.Least = 140
	}
	for _, p := range panels {
		if p.style.bare {
			l.Left, l.Gap, l.Below = 14, 16, 12
		} else {
			wide := p.tickWidth()
			l.Left, l.Gap = max(l.Left, 26+wide), max(l.Gap, 30+wide)
		}
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
	captions := make([]string, len(panels))
	var xs, ys, below, points, above []any
	for k, p := range panels {
		lo, hi := p.ranges()
		axis := func(dim int, gap int) map[string]any {
			a := valueAxis(k, p.axis(dim), lo[dim], hi[dim], gap)
			a["axisLabel"] = endless()
			if p.style.bare {
				a["show"] = false
			}
			if p.many() { // lines would be above the samples
				a["splitLine"] = map[string]any{"show": false}
			}
			return a
		}
		xs, ys = append(xs, axis(0, 26)), append(ys, axis(1, max(40, int(10+p.tickWidth()))))
		if len(panels) > 1 {
			captions[k] = p.name
		}
		below, above = append(below, p.below(k)...), append(above, p.above(k)...)
		for _, s := range p.series(k) {
			if len(panels) > 6 {
				s.SymbolSize = s.SymbolSize.(float64) - 2
			}
			points = append(points, s)
		}
	}
	option := f.chart()
	option["series"] = slices.Concat(below, points, above)
	option["xAxis"], option["yAxis"] = xs, ys
	option["title"] = f.titles(option, captions)
	option["legend"], option["animation"] = legendOf(panels), false
	option["dataZoom"] = zoom(len(panels))
	scales(option, panels, len(below))
	return option, extras(panels)
}

// scaled reports whether the colours show numbers.
func (p *panel) scaled() bool { return p.colors != nil && p.colors.keys == nil }

// legendOf is the legend of the groups, hidden where a bar of colours takes its place.
func legendOf(panels []*panel) map[string]any {
	legend := classLegend(classColumn(panels))
	for _, p := range panels {
		if slices.ContainsFunc(p.groups, func(g group) bool { return g.symbol > 0 }) {
			legend["itemWidth"] = 14 // wider symbols would not look like those of the points
		}
	}
	switch one := panels[0]; {
	case one.scaled():
		legend["show"] = false
	case one.colors != nil: // in the order of the categories, whichever of them are labelled
		var names []string
		for _, p := range panels {
			for _, name := range p.keys() {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		legend["data"] = names
	}
	return legend
}

// scales are the ECharts components that make values colours, sizes and opacities. Points
// have these values behind their coordinates, and are the series from first on.
func scales(option map[string]any, panels []*panel, first int) {
	var out []any
	one := panels[0]
	at := one.coordinates()
	var series, all []int
	for _, p := range panels {
		p.each(func(g group, labelled int) {
			if all = append(all, first+len(all)); g.scaled {
				series = append(series, all[len(all)-1])
			}
		})
	}
	if c := one.colors; one.scaled() {
		ends := c.ends()
		bar := colorBar(0, 0, c.lo, c.hi, one.style.palette.stops())
		delete(bar, "panel")
		bar["seriesIndex"], bar["dimension"], bar["text"], bar["itemWidth"] = series, at, []string{ends[1], ends[0]}, 14
		option["title"] = append(option["title"].([]any), map[string]any{"scale": true, "text": short(c.name, (classColumn(panels)-26)/6), "textStyle": map[string]any{"fontSize": 12, "fontWeight": "normal"}})
		out = append(out, bar)
		at++
	}
	for _, v := range []struct {
		of     *aspect
		visual string
		ends   [2]float64
	}{{one.sizes, "symbolSize", diameters}, {one.opacities, "opacity", opacities}} {
		if v.of != nil {
			out = append(out, map[string]any{"type": "continuous", "show": false, "seriesIndex": all, "dimension": at, "min": v.of.lo, "max": v.of.hi, "hoverLink": false,
				"inRange": map[string]any{v.visual: v.ends}})
			at++
		}
	}
	if out != nil {
		option["visualMap"] = out
	}
}

// The diameters in pixels and the opacities of the smallest and the largest value.
var (
	diameters = [2]float64{3, 18}
	opacities = [2]float64{0.1, 1}
)

// coordinates is the number of dimensions that the panel's chart has.
func (p *panel) coordinates() int {
	if p.deep {
		return 3
	}
	return 2
}

// each calls f with the groups in the order in which they are drawn: unlabelled samples
// below labelled ones.
func (p *panel) each(f func(g group, labelled int)) {
	for labelled := range 2 {
		for _, g := range p.groups {
			if g.rows[labelled] != nil {
				f(g, labelled)
			}
		}
	}
}

// series makes two series per group, unlabelled below labelled; they share the group's
// name and so its entry in the legend.
func (p *panel) series(grid int) []chartSeries {
	var out []chartSeries
	scale := make([]float64, p.coordinates())
	for k := range scale {
		lo, hi := p.span(k)
		if k < 2 {
			lo, hi = p.lo[k], p.hi[k]
		}
		scale[k] = hi - lo
	}
	mark := p.ringed()
	p.each(func(g group, labelled int) {
		rows := g.rows[labelled]
		if p.many() {
			rows = nil // the script has them from packed
		}
		points := make([][]any, len(rows))
		for r, i := range rows {
			point := make([]any, 0, len(scale)+4)
			for k := range scale {
				point = append(point, round(p.at(i, k), scale[k]))
			}
			if p.scaled() {
				if v := p.colors.columns[p.k].number[i]; math.IsNaN(v) {
					point = append(point, nil)
				} else {
					point = append(point, round(v, p.colors.hi-p.colors.lo))
				}
			}
			for _, a := range []*aspect{p.sizes, p.opacities} {
				if a != nil {
					point = append(point, round(a.least(p.k, i), a.hi-a.lo))
				}
			}
			points[r] = append(point, i)
		}
		s := chartSeries{Name: g.name, Type: "scatter", XAxisIndex: grid, YAxisIndex: grid,
			Symbol: symbols[g.symbol], SymbolSize: p.size, Data: points,
			ItemStyle: &opts.ItemStyle{Color: css(g.tone), Opacity: opts.Float(float32(p.pale(g, 0.45)))}}
		if g.scaled { // the ends of a scale are hard to see on a dark or a white page
			s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = "#888", 0.5
		} else if edge, pale := look.Edge(g.tone, white); pale && !g.faded { // of a dark page, all have the contrast
			s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = css(edge), edgeWidth
		}
		if labelled == 1 {
			s.SymbolSize = p.size + float64(mark.growth)
			s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = ink, mark.width
			if p.opacity == 0 && p.colors == nil {
				s.ItemStyle.Opacity = opts.Float(1)
			}
		}
		out = append(out, s)
	})
	return out
}

// white is the colour of a light page.
var white = color.NRGBA{0xff, 0xff, 0xff, 0xff}

// edgeWidth is the width in pixels of the outline of points whose colour has little contrast
// to the page.
const edgeWidth = 0.5

// pale is the opacity of the points of a group without a ring, which is usual where
// nothing else is said.
func (p *panel) pale(g group, usual float64) float64 {
	switch {
	case g.faded:
		return 0.2
	case p.opacity > 0:
		return p.opacity
	case g.scaled || p.highlighted != nil:
		return 0.85
	}
	return usual
}

// ringMark is the ring around labelled samples.
type ringMark struct {
	growth int     // of the symbol, in pixels
	width  float32 // of the ring, in pixels
}

// ringed returns the ring: thinner where many samples are labelled, or where they would fill
// much of a small picture, because broad rings cover the colours of their neighbours. Where
// colours show values, labelled samples are no larger than others.
func (p *panel) ringed() ringMark {
	const disc, small = 55, 90_000 // pixels of a sample with a broad ring, and of a small picture
	covered := 0.06                // share of the picture that samples with broad rings may cover
	if p.room < small {
		covered = 0.02
	}
	count := 0
	for _, i := range p.rows {
		if p.labelled[i] {
			count++
		}
	}
	switch {
	case p.colors != nil && count <= 300:
		return ringMark{0, 0.8}
	case p.colors != nil:
		return ringMark{0, 0.5}
	case count > 300 || p.room > 0 && disc*float64(count) > covered*p.room:
		return ringMark{1, 0.5}
	}
	return ringMark{3, 1.4}
}

// tone is the colour of the c-th class; samples without a class are grey.
func (p *panel) tone(c int) color.NRGBA { return p.ranks.Color(p.classes[c]) }

// symbol is the place in symbols of the c-th class's symbol.
func (p *panel) symbol(c int) int { return p.ranks.Shape(p.classes[c], p.style.eachSymbol()) }

// extras is what the script needs, panel by panel: which samples are labelled, which they
// are, and which sheet has their pictures. Sheets are large, so panels of the same matrix share
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
		one := map[string]any{"labelled": p.marks(), "sheet": sheet, "samples": p.identity()}
		if len(p.classes) > maxClasses || p.colors != nil || p.highlighted != nil { // the name of a series is not always the class
			one["of"], one["names"] = p.of, carded(p.names)
		}
		if p.many() {
			one["many"] = p.packed()
		} else if facts := p.cards(); facts != nil {
			one["facts"] = facts
		}
		all[k] = one
	}
	many := slices.ContainsFunc(panels, func(p *panel) bool { return p != nil && p.many() })
	out := map[string]any{"panels": all, "sheets": sheets, "legend": legendSubject(panels), "many": many}
	var keys []string
	for _, p := range panels {
		if p != nil {
			keys = append(keys, p.keys()...)
		}
	}
	if keys != nil {
		if short := abridged(keys, classColumn(slices.DeleteFunc(slices.Clone(panels), func(p *panel) bool { return p == nil }))-48); short != nil {
			out["short"] = short
		}
	}
	if k := slices.IndexFunc(panels, func(p *panel) bool { return p != nil }); k >= 0 {
		if g := panels[k].grades(); g != nil {
			out["grades"] = g
		}
	}
	return out
}

// legendSubject says what the legend lists: figures of the same samples switch its entries
// off together where they list the same.
func legendSubject(panels []*panel) string {
	for _, p := range panels {
		if p != nil && p.colors != nil {
			return "values " + p.colors.name
		}
	}
	return "classes"
}

// carded shortens names for a hover card.
func carded(names []string) []string {
	return upTo(40, names)
}

// cards are the values in the hover cards besides the class: what colours, sizes and
// opacities show, and what is asked for. A column of the points is given by its place
// there, and others by their values.
func (p *panel) cards() []any {
	var out []any
	named := map[string]bool{}
	add := func(c column, at int) {
		if named[c.name] {
			return
		}
		named[c.name] = true
		one := map[string]any{"name": short(c.name, 40)}
		switch {
		case c.dates != nil:
			of := categorical(c.name, c.dates, cmp.Compare[string], given, itself)
			names := make([]string, len(of.keys))
			for k, one := range of.keys {
				names[k] = one.name
			}
			one["of"], one["names"] = of.of, names
		case at > 0:
			one["at"] = at
		case c.number != nil:
			values := make([]any, p.n) // nil where not known
			for _, i := range p.rows {
				if v := c.number[i]; !math.IsNaN(v) {
					values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
				}
			}
			one["values"] = values
		default:
			names := make([]string, len(c.keys))
			for k, one := range c.keys {
				names[k] = one.name
			}
			one["of"], one["names"] = c.of, carded(names)
		}
		out = append(out, one)
	}
	for k, a := range []*aspect{p.colors, p.sizes, p.opacities} {
		if a == nil {
			continue
		}
		at := 0
		if k == 0 && a.keys == nil {
			at = p.coordinates()
		}
		add(a.columns[p.k], at)
	}
	for _, c := range p.facts {
		add(c, 0)
	}
	return out
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
