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

// rounding is the largest relative size of a rounding error. The text form of a figure omits
// smaller spreads, and [Loadings] draws smaller weights as 0.
const rounding = 1e-12

// Curve is a line of [Curves]: the mean of a quantity at each x.
type Curve struct {
	// Name is the line's name in the legend.
	Name string
	// X and Mean have one entry per point. The line joins the points in this order.
	X, Mean []float64
	// Spread is the standard deviation at each point, or nil for none.
	Spread []float64
}

// CurvePanel is one of several coordinate systems side by side, see [CurvePanels].
type CurvePanel struct {
	Title  string
	Curves []Curve
}

// Curves draws a quantity against x for several methods. Spreads are drawn as bands for up to four
// curves, and as error bars for more curves and for single points. A click on a legend entry hides
// or shows its curve. Hovering shows mean ± spread. Up to 60 curves can be distinguished by colour,
// dash pattern or symbol. The x axis is logarithmic if the points are spaced geometrically.
func Curves(x, y string, curves ...Curve) Figure {
	return CurvePanels(x, y, CurvePanel{Curves: curves})
}

// CurvePanels draws several [Curves] side by side, at most three in a row. The panels have the same
// range of y and share one legend. Curves with the same name have the same style in all panels.
func CurvePanels(x, y string, panels ...CurvePanel) Figure {
	s, err := newCurveSet(cut(x), cut(y), panels)
	if err != nil {
		return failed("curves", err)
	}
	return Figure{kind: "curves", title: s.y + " against " + s.x, drawing: s}
}

func (s *curveSet) place() {
	l := layout{Count: len(s.panels), Most: 3, Least: 240, High: 300, Head: titleHeight, Above: captioned(captions(s.panels)...), Below: 52, Right: 16, Legend: float64(legendWidth(s.names))}
	_, l.Left = nameGap(s.loY, s.hiY, curveGap, 64)
	l.Gap = l.Left - 6
	for range s.panels {
		l.Ratio = append(l.Ratio, 0.75)
	}
	width := 960
	if len(s.panels) == 1 {
		width = 800
		// A longer legend needs a taller panel beside it.
		l.High = max(360, min(21*float64(len(s.names))-20, 1900))
	}
	s.arrange(l, width)
}

// curveGap is the minimum distance in pixels from the y axis to its name.
const curveGap = 44

const maxCurves = bounds.Curves

type curveSet struct {
	plan
	x, y       string
	panels     []CurvePanel
	names      []string     // distinct names, in order of appearance
	spans      [][2]float64 // range of x in each panel
	loY, hiY   float64
	open       [2]bool // whether the y axis extends beyond its lowest label (index 0) and beyond its highest label (index 1)
	log, whole bool    // log: the x axis is logarithmic; whole: all x are integers
}

// newCurveSet checks and arranges curves.
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
			return nil, fmt.Errorf("viz: Curves: there are %d curves, but at most %d are allowed; draw fewer", len(all), maxCurves)
		}
		for k := range p.Curves {
			c := p.Curves[k]
			c.Name, c.X, c.Mean, c.Spread = names[0], slices.Clone(c.X), slices.Clone(c.Mean), slices.Clone(c.Spread)
			p.Curves[k], names = c, names[1:]
			if err := c.check(); err != nil {
				return nil, fmt.Errorf("viz: Curves: curve %q: %w", c.Name, err)
			}
			if slices.ContainsFunc(p.Curves[:k], func(o Curve) bool { return o.Name == c.Name }) {
				return nil, fmt.Errorf("viz: Curves: two curves are called %q; give each its own name", c.Name)
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
		return nil, fmt.Errorf("viz: Curves: there are %d points, but at most %d are allowed; draw fewer, such as every tenth point", len(at), maxPoints)
	}
	if at == nil {
		return nil, fmt.Errorf("viz: Curves: there are no points to draw; give at least one curve with at least one point")
	}
	if least >= 0 { // the axis extends below zero only for a negative mean
		s.loY = max(s.loY, 0)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	s.log = byFactors(at)
	for k, span := range s.spans {
		if span[0] > span[1] {
			span = [2]float64{at[0], at[len(at)-1]} // the panel has no points: use the range of all panels
		}
		switch {
		case s.log && nearlyEqual(span[0], span[1]):
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
	s.text = s.highest()
	s.place()
	return s, nil
}

// check returns an error if the curve cannot be drawn.
func (c Curve) check() error {
	if len(c.Mean) != len(c.X) || c.Spread != nil && len(c.Spread) != len(c.X) {
		return fmt.Errorf("%s, %s and %s; give one of each per point", thereAre(len(c.X), "x value"), nouns.Count(len(c.Mean), "mean"), nouns.Count(len(c.Spread), "spread"))
	}
	for i := range c.X {
		for _, v := range []float64{c.X[i], c.Mean[i], c.spread(i)} {
			if !(math.Abs(v) <= maxNumber) {
				return fmt.Errorf("point %d is (%v, %v ± %v); leave out points without a value, and rescale numbers beyond %g", i, c.X[i], c.Mean[i], c.spread(i), maxNumber)
			}
		}
		if c.spread(i) < 0 {
			return fmt.Errorf("the spread of point %d is %v; give a standard deviation of 0 or more", i, c.spread(i))
		}
	}
	return nil
}

// spread returns the standard deviation at point i, or 0 if the curve has no spread.
func (c Curve) spread(i int) float64 {
	if c.Spread == nil {
		return 0
	}
	return c.Spread[i]
}

// byFactors reports whether ascending values are spaced geometrically. This requires at least three
// values, none below smallestEnd. The largest must be at least 50 times the smallest. The ratios of
// successive values must vary less than their differences.
func byFactors(at []float64) bool {
	if len(at) < 3 || at[0] < smallestEnd || at[len(at)-1] < 50*at[0] {
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

// style returns the colour index, the dash style and the symbol of the named curve.
func (s *curveSet) style(name string) (k int, dash string, symbol string) {
	k = slices.Index(s.names, name)
	return k, dashes[k/len(palette)%len(dashes)], symbols[k%len(symbols)]
}

// bands reports whether the spreads of a curve are drawn as a band instead of error bars. More than
// four bands would hide each other, and a band at a single x would have no area.
func (s *curveSet) bands(c Curve) bool {
	return len(s.names) <= 4 && len(c.X) > 0 && slices.Min(c.X) < slices.Max(c.X)
}

// highest returns a line of text for each curve, with its highest value.
func (s *curveSet) highest() string {
	var parts []string
	for k, p := range s.panels {
		for _, c := range p.Curves {
			if len(c.X) == 0 {
				continue
			}
			top := slices.Max(c.Mean)
			highest := brief(top, s.hiY-s.loY, 4)
			var ties []int // the points whose value is written like the highest one
			for i, v := range c.Mean {
				// The function brief is slow, so call it only for values near the highest. Values
				// that it formats alike differ by at most a thousandth.
				if v == top || top-v <= 2e-3*math.Abs(top) && brief(v, s.hiY-s.loY, 4) == highest {
					ties = append(ties, i)
				}
			}
			first := ties[0]
			at := equation(s.x, brief(c.X[first], s.spans[k][1]-s.spans[k][0], 4))
			switch {
			case len(ties) == 1:
				if c.spread(first) > rounding*math.Abs(top) {
					highest += fmt.Sprintf(" ± %.2g", c.spread(first))
				}
				at = "at " + at
			case len(ties) == len(c.X)-first && slices.IsSorted(c.X):
				at = "from " + at + " on"
			default:
				at = "at " + at + " and others"
			}
			line := fmt.Sprintf("%s: highest %s, %s", c.Name, equation(s.y, highest), at)
			if p.Title != "" {
				line = p.Title + ", " + line
			}
			parts = append(parts, line)
		}
	}
	return lines(parts)
}

// equation returns text such as "dose = 3 mg" for the axis "dose, mg", or "error = 3 %" for the
// axis "error in %".
func equation(axis, value string) string {
	quantity, unit, ok := strings.Cut(axis, ", ")
	if !ok {
		if quantity, ok = strings.CutSuffix(axis, " in %"); ok {
			unit = "%"
		}
	}
	if ok {
		value += " " + unit
	}
	return quantity + " = " + value
}

// option implements [charter].
func (s *curveSet) option(on sheet) (chart.Option, any) {
	width := legendWidth(s.names)
	option := &chart.Panels{DataZoom: zoom(len(s.panels))}
	var series, spreads []chart.Series
	for k, p := range s.panels {
		for _, c := range p.Curves {
			n, dash, symbol := s.style(c.Name)
			points := make([][]float64, len(c.X))
			for i := range c.X {
				points[i] = []float64{c.X[i], round(c.Mean[i], s.hiY-s.loY)}
				if c.Spread != nil {
					points[i] = append(points[i], round(c.spread(i), s.hiY-s.loY))
				}
			}
			if c.Spread != nil {
				spreads = append(spreads, s.spreads(k, n, c))
			}
			series = append(series, &chart.Line{Name: c.Name, Type: "line", XAxisIndex: k, YAxisIndex: k, Data: points,
				Symbol: symbol, SymbolSize: 7, LineStyle: &opts.LineStyle{Type: dash, Width: 2}, ItemStyle: &opts.ItemStyle{Color: css(classColor(n))}})
		}
		x := valueAxis(k, s.x, s.spans[k][0], s.spans[k][1], 28)
		switch {
		case s.log:
			x.Type = "log"
		case s.whole:
			x.MinInterval = 1
		}
		x.AxisLabel = endless()
		if s.log { // exact ends, because rounded ones could cut off points
			x.Min, x.Max = s.spans[k][0], s.spans[k][1]
			logarithmic(x, on.boxes()[k].w, false)
		}
		gap, _ := nameGap(s.loY, s.hiY, curveGap, 0)
		y := valueAxis(k, s.y, s.loY, s.hiY, gap)
		y.Outer = true
		y.AxisLabel = &chart.AxisLabel{ShowMinLabel: opts.Bool(!s.open[0]), ShowMaxLabel: opts.Bool(!s.open[1]), HideOverlap: true}
		option.XAxis, option.YAxis = append(option.XAxis, x), append(option.YAxis, y)
	}
	option.Common = common(on.title, captions(s.panels), append(series, spreads...))
	option.Legend = methodLegend(width)
	return option, &chart.Abscissa{X: s.x, Short: abridged(s.names, width-56)}
}

func captions(panels []CurvePanel) []string {
	return mapped(panels, func(p CurvePanel) string { return p.Title })
}

// spreads returns a band or error bars from mean − spread to mean + spread, in the k-th colour.
func (s *curveSet) spreads(panel, k int, c Curve) *chart.Spread {
	points := make([][3]float64, len(c.X))
	for i := range c.X {
		points[i] = [3]float64{c.X[i], round(c.Mean[i]-c.Spread[i], s.hiY-s.loY), round(c.Mean[i]+c.Spread[i], s.hiY-s.loY)}
	}
	draw, opacity := "whiskers", float32(0.6)
	if s.bands(c) {
		draw, opacity = "band", 0.18
	}
	return &chart.Spread{Name: c.Name, Type: "custom", Draw: draw, XAxisIndex: panel, YAxisIndex: panel, Data: points,
		Encode: opts.Encode{X: 0, Y: []int{1, 2}}, Clip: true, Silent: true, Z: 1, ItemStyle: &opts.ItemStyle{Color: css(classColor(k)), Opacity: opts.Float(opacity)}}
}

// static implements [drawing].
func (s *curveSet) static(on sheet) *canvas {
	c := newCanvas(on)
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
		numbers(&plots[k].X, s.x, s.spans[k][0], s.spans[k][1], valueTicks{whole: s.whole, length: pixels(c.boxes[k].w)})
		if s.log {
			plots[k].X.Log, plots[k].X.Ticks = true, factorTicks{length: pixels(c.boxes[k].w)}
		}
		numbers(&plots[k].Y, s.y, s.loY, s.hiY, valueTicks{})
		if c.boxes[k].x > on.layout.Left {
			plots[k].Y.Name = "" // only the first panel of a row shows the name
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

// staticDashes[i] is the static counterpart of dashes[i].
var staticDashes = [][]float64{nil, {5, 3}, {1, 2}}

// staticCurve adds a curve to a plot and returns its key for the legend.
func (s *curveSet) staticCurve(to *plot.Plot, c Curve) plot.Key {
	k, _, _ := s.style(c.Name)
	points := make([]plot.Point, len(c.X))
	for i := range c.X {
		points[i] = plot.Point{X: c.X[i], Y: c.Mean[i]}
	}
	tint := classColor(k)
	if c.Spread != nil && s.bands(c) {
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

// Thumbnail implements [plot.Key].
func (k key) Thumbnail(a plot.Area) {
	k.line.Thumbnail(a)
	k.marks.Thumbnail(a)
}
