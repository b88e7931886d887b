package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// BarSeries contains the bars of one colour, one bar for each group.
type BarSeries struct {
	// Name is the series' name in the legend.
	Name string
	// Mean has one entry per group. If an entry is NaN, the group has no bar of this series.
	Mean []float64
	// Spread contains half the length of each mean's error bar, such as the standard deviation of
	// the averaged values. It is nil if there are no error bars.
	Spread []float64
}

// Bars draws grouped bars with error bars. The x axis shows the groups, for example data sets. Each
// group contains one bar per series, for example per method. The y axis includes zero. A click on a
// legend entry hides or shows its series. Hovering shows mean ± spread. Group names are rotated if
// they would overlap.
func Bars(y string, groups []string, series ...BarSeries) Figure {
	s, err := newBars(y, groups, series)
	if err != nil {
		return failed("bars", err)
	}
	return Figure{kind: "bars", title: y, drawing: s}
}

func newBars(y string, groups []string, series []BarSeries) (*barSet, error) {
	s := &barSet{y: cut(y), groups: look.Names(groups), series: slices.Clone(series)}
	for k, name := range look.Names(s.names()) {
		b := &s.series[k]
		b.Name, b.Mean, b.Spread = name, slices.Clone(b.Mean), slices.Clone(b.Spread)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.legend = legendWidth(s.names())
	s.angle, s.shown = s.rotate(), s.labelStep()
	s.text = s.table()
	s.arrange(s.layoutFor(400/float64(len(groups))), min(max(90+s.legend+len(groups)*(18*len(series)+16), 700), widest)) // reserves space for group names on a page 400 pixels wide
	return s, nil
}

// layoutFor returns the layout for groups of the given width in pixels.
func (s *barSet) layoutFor(group float64) layout {
	l := layout{Count: 1, Most: 1, High: 330, Head: titleHeight, Above: captioned(), Below: 30 + s.labelDrop(), Left: s.labelReach(group), Right: 14, Legend: float64(s.legend), Ratio: []float64{1}}
	if s.rows > 0 {
		l.Legend, l.Foot = 0, keyHeight*float64(s.rows)
	}
	return l
}

// fitted implements [fitter]. Group names are rotated as far as necessary to avoid overlap. If a
// rotation by 90 degrees is not enough, some names are omitted. In a narrow figure the legend is
// below the bars, as in the page.
func (s *barSet) fitted(width int) drawing {
	const line = 15 // minimum distance between rotated names, in pixels
	t := *s
	if width < narrowest {
		t.rows = len(rowsOf(t.names(), float64(width)))
	}
	longest := s.longest() + 6
	l := t.layoutFor(float64(width))
	var group float64
	least := 0
	for range 6 { // space for rotated names narrows the groups, which may require a steeper angle
		group = max(float64(width)-l.Left-l.Right-l.Legend, 20) / float64(len(s.groups))
		for _, t.angle = range []int{0, 30, 45, 60, 90} {
			if t.angle < least {
				continue
			}
			if t.angle == 0 && longest <= group || group*math.Sin(t.turn()) >= line {
				break
			}
		}
		l, least = t.layoutFor(group), t.angle
	}
	t.shown = 1
	if t.angle == 90 {
		t.shown = int(math.Ceil(line / group))
	}
	t.arrange(l, width)
	return &t
}

// turn returns the rotation angle of the group names in radians.
func (s *barSet) turn() float64 { return float64(s.angle) * math.Pi / 180 }

const maxBars = bounds.Bars

type barSet struct {
	plan
	y      string
	groups []string
	series []BarSeries
	lo, hi float64 // ends of the y axis
	legend int     // width of the legend in pixels

	angle int // rotation of group names, in degrees
	shown int // every shown-th group name is shown
	rows  int // number of rows of the legend below the bars; 0 if the legend is beside the bars
}

// check returns an error if the bars cannot be drawn. It also sets the ends of the y axis.
func (s *barSet) check() error {
	if len(s.groups) == 0 || len(s.series) == 0 {
		return fmt.Errorf("viz: Bars: %s and %d series; give at least one of each", thereAre(len(s.groups), "group"), len(s.series))
	}
	if len(s.series) > bounds.Groups {
		return fmt.Errorf("viz: Bars: there are %d series, but at most %d are allowed; draw fewer, or make them groups", len(s.series), bounds.Groups)
	}
	if len(s.groups) > maxBars/len(s.series) {
		return fmt.Errorf("viz: Bars: %s in each of %d groups, but at most %d in all are allowed; draw fewer", thereAre(len(s.series), "bar"), len(s.groups), maxBars)
	}
	some := false
	for k, b := range s.series {
		if len(b.Mean) != len(s.groups) || b.Spread != nil && len(b.Spread) != len(s.groups) {
			return fmt.Errorf("viz: Bars: series %q has %s and %s for %s; give one mean per group, and one spread per group or no spreads", b.Name, nouns.Count(len(b.Mean), "mean"), nouns.Count(len(b.Spread), "spread"), nouns.Count(len(s.groups), "group"))
		}
		if slices.ContainsFunc(s.series[:k], func(o BarSeries) bool { return o.Name == b.Name }) {
			return fmt.Errorf("viz: Bars: two series are called %q; give each its own name", b.Name)
		}
		for g, v := range b.Mean {
			if math.IsNaN(v) {
				continue
			}
			e := b.spread(g)
			if !(math.Abs(v) <= maxNumber && e >= 0 && e <= maxNumber) {
				return fmt.Errorf("viz: Bars: series %q is %v ± %v in group %q; give finite numbers up to %g and spreads of 0 or more, or NaN as the mean to draw no bar", b.Name, v, e, s.groups[g], maxNumber)
			}
			some = true
			s.lo, s.hi = min(s.lo, v-e), max(s.hi, v+e)
		}
	}
	if !some {
		return fmt.Errorf("viz: Bars: no mean is a number; give at least one")
	}
	// If no mean is negative, error bars do not extend the axis below zero. If all means are
	// between 0 and 1, error bars extend the axis above one only as far as necessary.
	lowest, highest := s.means()
	if s.lo < 0 && lowest >= 0 {
		s.lo = 0
	}
	reach := s.hi
	s.lo, s.hi = extent(s.lo, s.hi)
	if reach > 1 && highest <= 1 && s.lo >= 0 {
		s.hi = reach + 0.01*(reach-s.lo)
	}
	return nil
}

func (s *barSet) means() (lowest, highest float64) {
	lowest, highest = math.Inf(1), math.Inf(-1)
	for _, b := range s.series {
		for _, v := range b.Mean {
			if !math.IsNaN(v) {
				lowest, highest = min(lowest, v), max(highest, v)
			}
		}
	}
	return lowest, highest
}

// spread returns half the length of the error bar of group g, or 0 if there are no error bars.
func (b BarSeries) spread(g int) float64 {
	if b.Spread == nil {
		return 0
	}
	return b.Spread[g]
}

func (s *barSet) table() string {
	var parts []string
	for g, name := range s.groups {
		var cells []string
		for _, b := range s.series {
			cell := b.Name + " –"
			if !math.IsNaN(b.Mean[g]) {
				cell = fmt.Sprintf("%s %s", b.Name, brief(b.Mean[g], s.hi-s.lo, 4))
				if b.Spread != nil {
					cell += fmt.Sprintf(" ± %.2g", b.Spread[g])
				}
			}
			cells = append(cells, cell)
		}
		parts = append(parts, name+": "+strings.Join(cells, ", "))
	}
	return lines(parts)
}

// hatch returns the pattern of the bars of the k-th series as an ECharts symbol name, or "" for
// none. From the eleventh series on, patterns distinguish bars of the same colour.
func hatch(k int) string {
	if k < len(palette) {
		return ""
	}
	return []string{"rect", "triangle", "circle"}[(k/len(palette)-1)%3]
}

// option implements [charter].
func (s *barSet) option(on sheet) (chart.Option, any) {
	var series, errors []chart.Series
	extra := &chart.Spreads{Spread: make([][]*float64, len(s.series)), Short: abridged(s.names(), s.legend-56)}
	for k, b := range s.series {
		values, whiskers := make([]any, len(b.Mean)), [][3]float64{}
		spreads := make([]*float64, len(b.Mean))
		for g, v := range b.Mean {
			if math.IsNaN(v) {
				values[g] = "-"
				continue
			}
			values[g] = round(v, s.hi-s.lo)
			if b.Spread != nil {
				spreads[g] = new(round(b.Spread[g], s.hi-s.lo))
				whiskers = append(whiskers, [3]float64{float64(g), round(v-b.Spread[g], s.hi-s.lo), round(v+b.Spread[g], s.hi-s.lo)})
			}
		}
		extra.Spread[k] = spreads
		series = append(series, &chart.Bar{Name: b.Name, Type: "bar", Data: values, BarGap: "8%", BarCategoryGap: "22%", ItemStyle: chart.BarStyle{Color: css(classColor(k)), Decal: hatch(k)}})
		errors = append(errors, &chart.Spread{Name: b.Name, Type: "custom", Draw: "whiskers", Beside: len(s.series), Data: whiskers,
			Encode: opts.Encode{X: 0, Y: []int{1, 2}}, Clip: true, Silent: true, Z: 5, ItemStyle: &opts.ItemStyle{Color: ink, Opacity: opts.Float(0.9)}})
	}
	gap, _ := nameGap(s.lo, s.hi, curveGap, 0)
	y := valueAxis(0, s.y, s.lo, s.hi, gap)
	y.AxisLabel.ShowMaxLabel = opts.Bool(niceStep(s.hi-s.lo)*math.Round(s.hi/niceStep(s.hi-s.lo)) == s.hi)
	x := &chart.Categories{Type: "category", Data: s.groups, AxisLine: axisEdge()}
	x.AxisLabel.Interval, x.AxisLabel.Rotate, x.AxisLabel.Truncated = s.labelStep()-1, s.rotate(), chart.Truncated{Width: longestName + 10, Overflow: "truncate"}
	option := &chart.Plane[*chart.Categories, *chart.Axis]{Common: common(on.title, nil, append(series, errors...)), XAxis: x, YAxis: y}
	option.Legend = methodLegend(s.legend)
	return option, extra
}

func (s *barSet) names() []string {
	return mapped(s.series, func(b BarSeries) string { return b.Name })
}

// rotate returns the rotation of group names in degrees: 30 if a name is too wide for its group,
// and 0 otherwise.
func (s *barSet) rotate() int {
	for _, g := range s.groups {
		if 7*len([]rune(g)) > max(18*len(s.series)+10, 360/len(s.groups)) {
			return 30
		}
	}
	return 0
}

// labelStep returns the step k for the chart: it shows every k-th group name.
func (s *barSet) labelStep() int { return len(s.groups)/60 + 1 }

// longestName is the maximum width of a group name in pixels. Longer names are cut.
const longestName = 200

// nameWidth returns the width of a group name in pixels.
func nameWidth(name string) float64 {
	return min(texts(12, axisInk, plot.Left, plot.Below).Width(name)*dpi/plot.Inch, longestName)
}

// longest returns the width of the longest group name in pixels.
func (s *barSet) longest() (width float64) {
	for _, g := range s.groups {
		width = max(width, nameWidth(g))
	}
	return width
}

// labelDrop returns the height in pixels of rotated group names. It is 0 without rotation.
func (s *barSet) labelDrop() float64 {
	if s.angle == 0 {
		return 0
	}
	return s.longest() * math.Sin(s.turn())
}

// labelReach returns the width in pixels of the space to the left of the bars, for groups of the
// given width in pixels. It contains the labels of the y axis and the beginnings of rotated group
// names, which extend to the left from the middle of their group.
func (s *barSet) labelReach(group float64) float64 {
	_, reach := nameGap(s.lo, s.hi, curveGap, 62)
	if s.angle > 0 {
		for k, g := range s.groups {
			reach = max(reach, math.Cos(s.turn())*nameWidth(g)+8-(float64(k)+0.5)*group)
		}
	}
	return reach
}

// static implements [drawing].
func (s *barSet) static(on sheet) *canvas {
	c := newCanvas(on)
	var legend legend
	p := newPlot("", "")
	grid(p)
	// The unit of the x axis is one group. The bars of a group fill 0.78 of this unit.
	slot := 0.78 / float64(len(s.series))
	for k, b := range s.series {
		swatch := &bars{left: func(g int) float64 { return float64(g) - 0.39 + slot*float64(k) }, width: slot * 0.92, series: b, k: k}
		p.Add(swatch)
		legend.add(b.Name, swatch)
	}
	names := shorter(s.groups, texts(12, axisInk, plot.Left, plot.Below), longestName)
	for g := range names {
		if g%s.shown != 0 {
			names[g] = ""
		}
	}
	p.X.Ticks = ticks(names)
	numbers(&p.Y, s.y, s.lo, s.hi, valueTicks{})
	p.X.TickLine.Width = 0
	p.X.TickText.Rotation = s.turn()
	p.X.Min, p.X.Max = -0.5, float64(len(s.groups))-0.5
	if s.rows > 0 {
		c.rows(legend, float64(on.width), float64(on.height)-on.layout.Foot)
	} else {
		c.column(legend)
	}
	c.plot(0, p)
	return c
}

// bars draws the bars and error bars of one series.
type bars struct {
	left   func(g int) float64 // x of the left edge of the bar of group g
	width  float64
	series BarSeries
	k      int
}

// Draw implements [plot.Layer].
func (b *bars) Draw(c plot.Area, p *plot.Plot) {
	stroke := plot.Line{Color: plotInk, Width: 0.8}
	for g, v := range b.series.Mean {
		if math.IsNaN(v) {
			continue
		}
		bar := plot.Rectangle{Min: p.Place(c, plot.Point{X: b.left(g), Y: max(0, p.Y.Min)}), Max: p.Place(c, plot.Point{X: b.left(g) + b.width, Y: v})}
		b.fill(c, bar)
		if b.series.Spread == nil {
			continue
		}
		middle := b.left(g) + b.width/2
		lo, hi := p.Place(c, plot.Point{X: middle, Y: max(v-b.series.Spread[g], p.Y.Min)}), p.Place(c, plot.Point{X: middle, Y: min(v+b.series.Spread[g], p.Y.Max)})
		c.StrokeLines(stroke, lo, hi)
		cap := plot.Point{X: min(bar.Size().X/4, pixels(4))}
		for _, end := range []plot.Point{lo, hi} {
			c.StrokeLines(stroke, end.Add(plot.Point{X: -cap.X}), end.Add(cap))
		}
	}
}

// fill paints a bar. From the eleventh series on, it adds a line pattern.
func (b *bars) fill(c plot.Area, r plot.Rectangle) {
	lo, hi := min(r.Min.Y, r.Max.Y), max(r.Min.Y, r.Max.Y)
	c.FillPolygon(classColor(b.k), r.Corners()...)
	if b.k < len(palette) {
		return
	}
	for y := lo + 2; y < hi; y += 4 {
		c.StrokeLines(plot.Line{Color: plotInk, Width: 0.6}, plot.Point{X: r.Min.X, Y: y}, plot.Point{X: r.Max.X, Y: y})
	}
}

// Thumbnail draws the series' key into a legend.
func (b *bars) Thumbnail(c plot.Area) { b.fill(c, c.Rectangle) }
