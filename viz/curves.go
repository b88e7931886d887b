package viz

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Curve is one line of [Curves]: the mean of a quantity at each x.
type Curve struct {
	// Name is the line's name in the legend.
	Name string
	// X and Mean have one entry per point; the line joins them in this order.
	X, Mean []float64
	// Spread is the standard deviation at each point, or nil for none.
	Spread []float64
}

// CurvePanel is one of several axes side by side, see [CurvePanels].
type CurvePanel struct {
	Title  string
	Curves []Curve
}

// Curves draws a quantity against x for several methods. The spread is a tinted band
// for up to four curves and error bars for more. The legend hides and shows a curve;
// hovering shows mean ± spread. Colour, dashes and symbol together distinguish 60
// curves. The x axis is logarithmic if the points are spaced by factors.
func Curves(x, y string, curves ...Curve) Figure {
	return CurvePanels(x, y, CurvePanel{Curves: curves})
}

// CurvePanels draws several [Curves] side by side, at most three in a row, with equal y
// axes and one legend: a curve of the same name looks the same in every panel.
func CurvePanels(x, y string, panels ...CurvePanel) Figure {
	s, err := newCurveSet(cut(x), cut(y), panels)
	if err != nil {
		return failed("curves", err)
	}
	l := layout{Count: len(panels), Most: 3, Least: 240, High: 300, Head: titleHeight, Above: captioned(captions(panels)...), Below: 52, Left: 64, Gap: 58, Right: 16, Legend: float64(legendWidth(s.names))}
	for range panels {
		l.Ratio = append(l.Ratio, 0.75)
	}
	width := 960
	if len(panels) == 1 {
		width = 800
		// A longer list of curves is beside a higher panel.
		l.High = max(360, min(21*float64(len(s.names))-20, 1900))
	}
	return Figure{kind: "curves", title: s.y + " against " + s.x, text: s.text(),
		option: s.option, static: s.static}.sized(l, width)
}

// maxCurves bounds the curves of a figure: far more than a reader can distinguish.
const maxCurves = bounds.Curves

// curveSet is the checked input of a figure of curves.
type curveSet struct {
	x, y       string
	panels     []CurvePanel
	names      []string     // distinct, in order of appearance
	spans      [][2]float64 // of x in each panel
	loY, hiY   float64
	open       [2]bool // whether the y axis goes on beyond its last number, below and above
	log, whole bool    // of the x axis
}

func newCurveSet(x, y string, panels []CurvePanel) (*curveSet, error) {
	if err := crowded(len(panels), maxPanels); err != nil {
		return nil, err
	}
	s := &curveSet{x: x, y: y, loY: math.Inf(1), hiY: math.Inf(-1), whole: true}
	var at []float64
	count, least, most := 0, math.Inf(1), math.Inf(-1)
	var all []string
	for _, p := range panels {
		for _, c := range p.Curves {
			all = append(all, c.Name)
		}
	}
	names := look.Names(all)
	for _, p := range panels {
		p.Title, p.Curves = cut(p.Title), slices.Clone(p.Curves)
		s.panels = append(s.panels, p)
		span := [2]float64{math.Inf(1), math.Inf(-1)}
		if count += len(p.Curves); count > maxCurves {
			return nil, fmt.Errorf("viz: %d curves are more than the %d that a figure holds; draw fewer", count, maxCurves)
		}
		for k := range p.Curves {
			p.Curves[k].Name, names = names[0], names[1:]
			c := p.Curves[k]
			if err := c.check(); err != nil {
				return nil, fmt.Errorf("viz: curve %q: %w", c.Name, err)
			}
			if slices.ContainsFunc(p.Curves[:k], func(o Curve) bool { return o.Name == c.Name }) {
				return nil, fmt.Errorf("viz: two curves are called %q; give each its own name", c.Name)
			}
			if !slices.Contains(s.names, c.Name) {
				s.names = append(s.names, c.Name)
			}
			for i, v := range c.X {
				at, span = append(at, v), [2]float64{min(span[0], v), max(span[1], v)}
				s.whole = s.whole && v == math.Trunc(v)
				least, most = min(least, c.Mean[i]), max(most, c.Mean[i])
				s.loY, s.hiY = min(s.loY, c.Mean[i]-c.spread(i)), max(s.hiY, c.Mean[i]+c.spread(i))
			}
		}
		s.spans = append(s.spans, span)
	}
	if len(at) > maxPoints {
		return nil, fmt.Errorf("viz: %d points are more than the %d that a figure holds; draw every second or so", len(at), maxPoints)
	}
	if at == nil {
		return nil, fmt.Errorf("viz: there is no curve to draw; give at least one with one point")
	}
	if least >= 0 { // a spread alone does not extend the axis below zero
		s.loY = max(s.loY, 0)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	s.log = byFactors(at)
	for k, span := range s.spans {
		if span[0] > span[1] {
			span = [2]float64{at[0], at[len(at)-1]} // a panel without points
		}
		switch {
		case s.log && same(span[0], span[1]):
			span = [2]float64{span[0] / 2, span[1] * 2}
		case s.log:
			span[0], span[1] = widened(span[0], span[1])
		default:
			span[0], span[1] = padded(span[0], span[1], inside)
		}
		s.spans[k] = span
	}
	s.loY, s.hiY = extent(s.loY, s.hiY)
	margin := inside * (s.hiY - s.loY)
	if s.open = [2]bool{least < s.loY+margin, most > s.hiY-margin}; s.open[0] {
		s.loY -= margin
	}
	if s.open[1] {
		s.hiY += margin
	}
	return s, nil
}

func (c Curve) check() error {
	if len(c.Mean) != len(c.X) || c.Spread != nil && len(c.Spread) != len(c.X) {
		return fmt.Errorf("%d x values, %d means and %d spreads; give one of each per point", len(c.X), len(c.Mean), len(c.Spread))
	}
	for i := range c.X {
		for _, v := range []float64{c.X[i], c.Mean[i], c.spread(i)} {
			if !(math.Abs(v) <= maxNumber) {
				return fmt.Errorf("point %d is (%v, %v ± %v); leave out points without a value, and rescale numbers beyond %g", i, c.X[i], c.Mean[i], c.spread(i), maxNumber)
			}
		}
		if c.spread(i) < 0 {
			return fmt.Errorf("the spread of point %d is %v; a standard deviation is not negative", i, c.spread(i))
		}
	}
	return nil
}

func (c Curve) spread(i int) float64 {
	if c.Spread == nil {
		return 0
	}
	return c.Spread[i]
}

// byFactors reports whether increasing values are spaced by factors rather than by
// differences: they span a factor of 50 or more, and their ratios vary less than their
// differences.
func byFactors(at []float64) bool {
	if len(at) < 3 || at[0] <= 0 || at[len(at)-1] < 50*at[0] {
		return false
	}
	unevenness := func(f func(float64) float64) float64 {
		mean := (f(at[len(at)-1]) - f(at[0])) / float64(len(at)-1)
		sum := 0.0
		for i := range at[1:] {
			d := (f(at[i+1])-f(at[i]))/mean - 1
			sum += d * d
		}
		return sum
	}
	return unevenness(math.Log) < unevenness(func(v float64) float64 { return v })
}

// style returns how the curve called name looks in every panel.
func (s *curveSet) style(name string) (k int, dash string, symbol string) {
	k = slices.Index(s.names, name)
	return k, dashes[k/len(palette)%len(dashes)], symbols[k%len(symbols)]
}

// bands reports whether spreads are drawn as bands; more than four would hide each
// other.
func (s *curveSet) bands() bool { return len(s.names) <= 4 }

// text names the best point of each curve.
func (s *curveSet) text() string {
	var parts []string
	for _, p := range s.panels {
		for _, c := range p.Curves {
			if len(c.X) == 0 {
				continue
			}
			best := 0
			for i, v := range c.Mean {
				if v > c.Mean[best] {
					best = i
				}
			}
			line := fmt.Sprintf("%s: highest %.4g", c.Name, c.Mean[best])
			if c.Spread != nil {
				line += fmt.Sprintf(" ± %.2g", c.Spread[best])
			}
			line += fmt.Sprintf(" at %s %.4g", s.x, c.X[best])
			if p.Title != "" {
				line = p.Title + ", " + line
			}
			parts = append(parts, line)
		}
	}
	return lines(parts)
}

func (s *curveSet) option(f Figure) (map[string]any, map[string]any) {
	width := legendWidth(s.names)
	var series, spreads, xs, ys []any
	for k, p := range s.panels {
		for _, c := range p.Curves {
			n, dash, symbol := s.style(c.Name)
			points := make([][]float64, len(c.X))
			for i := range c.X {
				points[i] = []float64{c.X[i], round(c.Mean[i], s.hiY-s.loY), round(c.spread(i), s.hiY-s.loY)}
			}
			if c.Spread != nil {
				spreads = append(spreads, s.spreads(k, n, c))
			} else {
				for i := range points {
					points[i] = points[i][:2]
				}
			}
			series = append(series, chartSeries{Name: c.Name, Type: "line", XAxisIndex: k, YAxisIndex: k, Data: points,
				Symbol: symbol, SymbolSize: 7, LineStyle: &opts.LineStyle{Type: dash, Width: 2}, ItemStyle: &opts.ItemStyle{Color: css(classColor(n))}})
		}
		x := valueAxis(k, s.x, s.spans[k][0], s.spans[k][1], 28)
		switch {
		case s.log:
			x["type"] = "log"
		case s.whole:
			x["minInterval"] = 1
		}
		x["axisLabel"] = endless()
		if s.log { // of a small range none is left of rounded ends
			x["min"], x["max"] = s.spans[k][0], s.spans[k][1]
		}
		y := valueAxis(k, s.y, s.loY, s.hiY, 44)
		y["outer"] = true
		y["axisLabel"] = map[string]any{"showMinLabel": !s.open[0], "showMaxLabel": !s.open[1], "hideOverlap": true}
		xs, ys = append(xs, x), append(ys, y)
	}
	option := flat(f, captions(s.panels), append(series, spreads...))
	option["xAxis"], option["yAxis"], option["dataZoom"], option["legend"] = xs, ys, zoom(len(s.panels)), methodLegend(width)
	extra := map[string]any{"x": s.x}
	if short := abridged(s.names, width-56); short != nil {
		extra["short"] = short
	}
	return option, extra
}

func captions(panels []CurvePanel) []string {
	out := make([]string, len(panels))
	for k, p := range panels {
		out[k] = p.Title
	}
	return out
}

// spreads is a band or whiskers from mean − spread to mean + spread; the script
// draws it.
func (s *curveSet) spreads(panel, k int, c Curve) map[string]any {
	points := make([][3]float64, len(c.X))
	for i := range c.X {
		points[i] = [3]float64{c.X[i], round(c.Mean[i]-c.Spread[i], s.hiY-s.loY), round(c.Mean[i]+c.Spread[i], s.hiY-s.loY)}
	}
	draw, opacity := "whiskers", 0.6
	if s.bands() {
		draw, opacity = "band", 0.18
	}
	return map[string]any{"name": c.Name, "type": "custom", "draw": draw, "xAxisIndex": panel, "yAxisIndex": panel, "data": points,
		"encode": map[string]any{"x": 0, "y": []int{1, 2}}, "clip": true, "silent": true, "z": 1,
		"itemStyle": map[string]any{"color": css(classColor(k)), "opacity": opacity}}
}

func (s *curveSet) static(f Figure) *canvas {
	c := newCanvas(f)
	var legend legend
	keys := map[string]plot.Key{}
	plots := make([]*plot.Plot, len(s.panels))
	for k, p := range s.panels {
		plots[k] = newPlot("", "")
		grid(plots[k])
		for _, curve := range p.Curves {
			if len(curve.X) == 0 {
				continue
			}
			keys[curve.Name] = s.staticCurve(plots[k], curve)
		}
		numbers(&plots[k].X, s.x, s.spans[k][0], s.spans[k][1], valueTicks{whole: s.whole})
		if s.log {
			plots[k].X.Log, plots[k].X.Ticks = true, factorTicks{}
		}
		numbers(&plots[k].Y, s.y, s.loY, s.hiY, valueTicks{})
		if c.boxes[k].x > f.layout.Left {
			plots[k].Y.Name = "" // the first panel of the row has it
		}
	}
	for _, name := range s.names {
		if keys[name] != nil {
			legend.add(name, keys[name])
		}
	}
	c.column(legend)
	for k, p := range plots {
		c.plot(k, p)
		c.caption(k, s.panels[k].Title)
	}
	return c
}

// staticDashes are the dashes of a static line, in the order of dashes.
var staticDashes = [][]float64{nil, {5, 3}, {1, 2}}

// staticCurve adds a curve to a plot and returns its key for the legend.
func (s *curveSet) staticCurve(to *plot.Plot, c Curve) plot.Key {
	k, _, _ := s.style(c.Name)
	points := make([]plot.Point, len(c.X))
	for i := range c.X {
		points[i] = plot.Point{X: c.X[i], Y: c.Mean[i]}
	}
	tint := classColor(k)
	if c.Spread != nil && s.bands() {
		outline := make([]plot.Point, 0, 2*len(c.X))
		for i := range c.X {
			outline = append(outline, plot.Point{X: c.X[i], Y: c.Mean[i] + c.Spread[i]})
		}
		for i := len(c.X) - 1; i >= 0; i-- {
			outline = append(outline, plot.Point{X: c.X[i], Y: c.Mean[i] - c.Spread[i]})
		}
		tint.A = 0x2e
		to.Add(plot.Polygon{Points: outline, Color: tint})
	} else if c.Spread != nil {
		tint.A = 0x99
		to.Add(plot.Whiskers{Points: points, Spread: c.Spread, Cap: 4, Line: plot.Line{Color: tint, Width: 0.5}})
	}
	line := plot.Polyline{Points: points, Line: plot.Line{Color: classColor(k), Width: 1.5, Dashes: staticDashes[k/len(palette)%len(dashes)]}}
	marks := plot.Scatter{Points: points, Glyph: plot.Glyph{Color: classColor(k), Radius: 2.2, Shape: staticGlyphs[k%len(staticGlyphs)]}}
	to.Add(line, marks)
	return key{line, marks}
}

// key draws a line with its symbol into a legend.
type key struct {
	line  plot.Polyline
	marks plot.Scatter
}

func (k key) Thumbnail(a plot.Area) {
	k.line.Thumbnail(a)
	k.marks.Thumbnail(a)
}
