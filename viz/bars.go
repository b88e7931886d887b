package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// BarSeries is the bars of one colour: a value in each group.
type BarSeries struct {
	// Name is the series' name in the legend.
	Name string
	// Mean has one entry per group; NaN leaves the bar out.
	Mean []float64
	// Spread is the standard deviation of each mean, or nil for no error bars.
	Spread []float64
}

// Bars draws grouped bars with error bars: groups along the x axis (data sets), a bar
// of each series in every group (methods). The axis starts at zero. The legend hides
// and shows a series; hovering shows mean ± spread. Names of groups are turned where they do
// not fit side by side.
func Bars(y string, groups []string, series ...BarSeries) Figure {
	s := &barSet{y: cut(y), series: slices.Clone(series)}
	s.groups = look.Names(groups)
	whole := make([]string, len(series))
	for k, b := range series {
		whole[k] = b.Name
	}
	for k, name := range look.Names(whole) {
		s.series[k].Name = name
	}
	if err := s.check(); err != nil {
		return failed("bars", err)
	}
	var names []string
	for _, b := range s.series {
		names = append(names, b.Name)
	}
	s.legend = legendWidth(names)
	s.angle, s.shown = s.rotate(), s.every()
	return Figure{kind: "bars", title: y, text: s.text(), option: s.option, static: s.static, fitted: s.fitted}.
		sized(s.layout(400/float64(len(groups))), min(max(90+s.legend+len(groups)*(18*len(series)+16), 700), widest)) // names of a narrow page
}

// layout places the bars, where a group is so many pixels wide.
func (s *barSet) layout(group float64) layout {
	l := layout{Count: 1, Most: 1, High: 330, Head: titleHeight, Above: captioned(), Below: 30 + s.labelDrop(), Left: s.labelReach(group), Right: 14, Legend: float64(s.legend), Ratio: []float64{1}}
	if s.rows > 0 {
		l.Legend, l.Foot = 0, keyHeight*float64(s.rows)
	}
	return l
}

// fitted arranges the bars for a width in which they are saved: names are turned so far that
// they do not overlap, and left out only where a turn does not help. A narrow figure has its
// legend below, as the script has it.
func (s *barSet) fitted(f Figure, width int) Figure {
	const line = 15 // from one name to the next
	t := *s
	if width < narrowest {
		for _, b := range s.series {
			t.names = append(t.names, b.Name)
		}
		t.rows = len(rowsOf(t.names, float64(width)))
	}
	longest := s.longest() + 6
	l := t.layout(float64(width))
	var group float64
	for range 3 { // names need space at the left, which narrows the groups
		group = max(float64(width)-l.Left-l.Right-l.Legend, 20) / float64(len(s.groups))
		for _, t.angle = range []int{0, 30, 45, 60, 90} {
			if t.angle == 0 && longest <= group || group*math.Sin(t.turn()) >= line {
				break
			}
		}
		l = t.layout(group)
	}
	t.shown = 1
	if t.angle == 90 {
		t.shown = int(math.Ceil(line / group))
	}
	f.static = t.static
	return f.sized(l, width)
}

// turn is the angle of the groups' names.
func (s *barSet) turn() float64 { return float64(s.angle) * math.Pi / 180 }

// maxBars bounds the bars of a figure.
const maxBars = bounds.Bars

// barSet is the checked input of a figure of bars.
type barSet struct {
	y      string
	groups []string
	series []BarSeries
	lo, hi float64
	legend int // width in pixels

	angle int      // of the groups' names in degrees
	shown int      // k if the name of every k-th group is shown
	rows  int      // of the legend where it is below
	names []string // in these rows
}

func (s *barSet) check() error {
	if len(s.groups) == 0 || len(s.series) == 0 {
		return fmt.Errorf("viz: bars need at least one group and one series, not %d and %d", len(s.groups), len(s.series))
	}
	if len(s.series) > bounds.Groups {
		return fmt.Errorf("viz: %d series of bars are more than the %d that a figure holds; draw fewer, or make them groups", len(s.series), bounds.Groups)
	}
	if len(s.groups) > maxBars/len(s.series) {
		return fmt.Errorf("viz: %d bars in each of %d groups are more than the %d that a figure holds; draw fewer", len(s.series), len(s.groups), maxBars)
	}
	some := false
	for k, b := range s.series {
		if len(b.Mean) != len(s.groups) || b.Spread != nil && len(b.Spread) != len(s.groups) {
			return fmt.Errorf("viz: bars %q: %d means and %d spreads for %d groups; give one per group", b.Name, len(b.Mean), len(b.Spread), len(s.groups))
		}
		if slices.ContainsFunc(s.series[:k], func(o BarSeries) bool { return o.Name == b.Name }) {
			return fmt.Errorf("viz: two series of bars are called %q; give each its own name", b.Name)
		}
		for g, v := range b.Mean {
			if math.IsNaN(v) {
				continue
			}
			e := b.spread(g)
			if !(math.Abs(v) <= maxNumber && e >= 0 && e <= maxNumber) {
				return fmt.Errorf("viz: bars %q: %v ± %v in group %q; give finite numbers up to %g, or NaN as the mean for no bar", b.Name, v, e, s.groups[g], maxNumber)
			}
			some = true
			s.lo, s.hi = min(s.lo, v-e), max(s.hi, v+e)
		}
	}
	if !some {
		return fmt.Errorf("viz: no bar has a value; at least one mean must be a number")
	}
	// Error bars alone do not extend the axis below zero. Above one they do where all
	// means are shares, but by no more than they need.
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

// means returns the lowest and the highest mean.
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

func (b BarSeries) spread(g int) float64 {
	if b.Spread == nil {
		return 0
	}
	return b.Spread[g]
}

// text is the table of the bars.
func (s *barSet) text() string {
	var parts []string
	for g, name := range s.groups {
		var cells []string
		for _, b := range s.series {
			cell := b.Name + " –"
			if !math.IsNaN(b.Mean[g]) {
				cell = fmt.Sprintf("%s %.4g", b.Name, b.Mean[g])
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

// hatch distinguishes the bars of equal colour, from the eleventh series on: by a pattern of the
// script, named by its symbol.
func hatch(k int) any {
	if k < len(palette) {
		return nil
	}
	return []string{"rect", "triangle", "circle"}[(k/len(palette)-1)%3]
}

func (s *barSet) option(f Figure) (map[string]any, map[string]any) {
	var series, errors []any
	spreads := make([][]any, len(s.series))
	for k, b := range s.series {
		values, whiskers := make([]any, len(b.Mean)), [][3]float64{}
		spreads[k] = make([]any, len(b.Mean))
		for g, v := range b.Mean {
			if math.IsNaN(v) {
				values[g] = "-"
				continue
			}
			values[g] = round(v, s.hi-s.lo)
			if b.Spread != nil {
				spreads[k][g] = round(b.Spread[g], s.hi-s.lo)
				whiskers = append(whiskers, [3]float64{float64(g), round(v-b.Spread[g], s.hi-s.lo), round(v+b.Spread[g], s.hi-s.lo)})
			}
		}
		bar := map[string]any{"color": css(classColor(k))}
		if d := hatch(k); d != nil {
			bar["decal"] = d
		}
		series = append(series, map[string]any{"name": b.Name, "type": "bar", "data": values, "barGap": "8%", "barCategoryGap": "22%", "itemStyle": bar})
		errors = append(errors, map[string]any{"name": b.Name, "type": "custom", "draw": "whiskers", "beside": len(s.series), "data": whiskers,
			"encode": map[string]any{"x": 0, "y": []int{1, 2}}, "clip": true, "silent": true, "z": 5,
			"itemStyle": map[string]any{"color": ink, "opacity": 0.9}})
	}
	option := flat(f, nil, append(series, errors...))
	y := valueAxis(0, s.y, s.lo, s.hi, 44)
	y["axisLabel"].(map[string]any)["showMaxLabel"] = niceStep(s.hi-s.lo)*math.Round(s.hi/niceStep(s.hi-s.lo)) == s.hi
	x := map[string]any{"type": "category", "data": s.groups, "axisTick": map[string]any{"show": false}, "axisLine": axisEdge(),
		"axisLabel": map[string]any{"interval": s.every() - 1, "rotate": s.rotate(), "width": longestName + 10, "overflow": "truncate"}}
	option["xAxis"], option["yAxis"], option["legend"] = x, y, methodLegend(s.legend)
	names := make([]string, len(s.series))
	for k, b := range s.series {
		names[k] = b.Name
	}
	extra := map[string]any{"spread": spreads}
	if short := abridged(names, s.legend-56); short != nil {
		extra["short"] = short
	}
	return option, extra
}

// rotate is the angle in degrees of the groups' names, which are turned if one is too
// long for its group.
func (s *barSet) rotate() int {
	for _, g := range s.groups {
		if 7*len([]rune(g)) > max(18*len(s.series)+10, 360/len(s.groups)) {
			return 30
		}
	}
	return 0
}

// every is k if the name of every k-th group is shown, so that they fit.
func (s *barSet) every() int { return len(s.groups)/60 + 1 }

// longestName is the width in pixels of a group's name, of which more is cut.
const longestName = 200

// nameWidth is the width in pixels of a group's name.
func nameWidth(name string) float64 {
	return min(texts(12, axisInk, plot.Left, plot.Below).Width(name)*dpi/plot.Inch, longestName)
}

// longest is the width in pixels of the longest name of a group.
func (s *barSet) longest() (width float64) {
	for _, g := range s.groups {
		width = max(width, nameWidth(g))
	}
	return width
}

// labelDrop is the height in pixels that turned names need.
func (s *barSet) labelDrop() float64 {
	if s.angle == 0 {
		return 0
	}
	return s.longest() * math.Sin(s.turn())
}

// labelReach is the width in pixels left of the bars: for the axis, and for names of the first
// groups, which end at the middle of their group.
func (s *barSet) labelReach(group float64) float64 {
	reach := 62.0
	if s.angle > 0 {
		for k, g := range s.groups {
			reach = max(reach, math.Cos(s.turn())*nameWidth(g)+8-(float64(k)+0.5)*group)
		}
	}
	return reach
}

func (s *barSet) static(f Figure) *canvas {
	c := newCanvas(f)
	var legend legend
	p := newPlot("", "")
	grid(p)
	// Lengths of the x axis are in groups; the bars fill 0.78 of one.
	slot := 0.78 / float64(len(s.series))
	for k, b := range s.series {
		swatch := &bars{at: func(g int) float64 { return float64(g) - 0.39 + slot*float64(k) }, width: slot * 0.92, series: b, k: k}
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
		legend.names = s.names
		c.rows(legend, float64(f.width), float64(f.height)-f.layout.Foot)
	} else {
		c.column(legend)
	}
	c.plot(0, p)
	return c
}

// bars draws the bars and error bars of one series.
type bars struct {
	at     func(g int) float64 // left edge of the bar of group g
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
		bar := plot.Rectangle{Min: p.Place(c, plot.Point{X: b.at(g), Y: max(0, p.Y.Min)}), Max: p.Place(c, plot.Point{X: b.at(g) + b.width, Y: v})}
		b.fill(c, bar)
		if b.series.Spread == nil {
			continue
		}
		middle := b.at(g) + b.width/2
		lo, hi := p.Place(c, plot.Point{X: middle, Y: max(v-b.series.Spread[g], p.Y.Min)}), p.Place(c, plot.Point{X: middle, Y: min(v+b.series.Spread[g], p.Y.Max)})
		c.StrokeLines(stroke, lo, hi)
		cap := plot.Point{X: min(bar.Size().X/4, pixels(4))}
		for _, end := range []plot.Point{lo, hi} {
			c.StrokeLines(stroke, end.Add(plot.Point{X: -cap.X}), end.Add(cap))
		}
	}
}

// fill paints a bar, hatched from the eleventh series on.
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
