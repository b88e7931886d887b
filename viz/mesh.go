package viz

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// surface is a function over a grid of two options.
type surface struct {
	name   string
	values [][]float64 // values[iy][ix] for the iy-th value of the y option and the ix-th of the x option; NaN if missing
}

// meshSet contains surfaces over the same grid, with a common value scale.
type meshSet struct {
	plan
	x, y     []string // labels of the grid lines, the values of the two options
	names    [2]string
	surfaces []surface
	lo, hi   float64 // ends of the value scale: the lowest and the highest score, or a range around the scores if all are equal
}

// Mesh draws the scores of a sweep over two options as surfaces that can be rotated with the mouse.
// The hover card of a cell shows its scores in all surfaces. Scores on test samples are shown
// beside the scores on unlabelled samples, on the same scale. The static picture consists of heat
// maps with numbers. Grid lines are evenly spaced, regardless of the values of the options.
//
// A point of a surface is a pair of option values, not a sample, so a mesh shows no selections. To
// see selections, draw the embeddings for some option values with [Compare] or [Multiples].
func Mesh(r *ssdrnb.SweepResult) Figure {
	if r == nil || len(r.Axes) != 2 {
		return failed("mesh", fmt.Errorf("viz: Mesh: the sweep does not have two options; give exactly two with Linear, Log10 or List of ssdrnb.Sweep"))
	}
	a, b := r.Axes[0], r.Axes[1]
	if len(a.Values) > maxBars || len(b.Values) > maxBars || len(a.Values)*len(b.Values) > bounds.Cells {
		return failed("mesh", fmt.Errorf("viz: Mesh: the sweep has %d × %d cells; give Linear or Log10 larger steps, or List fewer values, for at most %d each way and %d in all", len(a.Values), len(b.Values), maxBars, bounds.Cells))
	}
	s := &meshSet{names: [2]string{a.Name, b.Name}, lo: math.Inf(1), hi: math.Inf(-1)}
	for i := range a.Values {
		s.x = append(s.x, gridLabel(a, i))
	}
	for j := range b.Values {
		s.y = append(s.y, gridLabel(b, j))
	}
	for _, axis := range r.Axes {
		if n := len(axis.Values); n < 2 {
			return failed("mesh", fmt.Errorf("viz: Mesh: the option %q of the sweep has %s; widen its range to at least two values", axis.Name, nouns.Count(n, "value")))
		}
	}
	var text []string
	for _, part := range []struct {
		cells []ssdrnb.Cell
		what  string
	}{{r.Unlabelled, "accuracy on unlabelled samples"}, {r.Test, "accuracy on test samples"}} {
		if len(part.cells) != len(s.x)*len(s.y) || !s.add(part.cells, part.what) {
			continue
		}
		best := r.Best(part.cells)
		text = append(text, fmt.Sprintf("%s: %d × %d cells, best %.3f at %s %s, %s %s", part.what, len(s.x), len(s.y), part.cells[best].Mean(),
			a.Name, a.Label(best/len(s.y)), b.Name, b.Label(best%len(s.y))))
	}
	if s.surfaces == nil {
		err := fmt.Errorf("there are no samples to score; give data with true classes")
		if len(r.Unlabelled) > 0 && r.Unlabelled[0].Err != nil {
			err = r.Unlabelled[0].Err
		}
		return failed("mesh", fmt.Errorf("viz: Mesh: no cell of the sweep has a score: %w", err))
	}
	if nearlyEqual(s.lo, s.hi) {
		lo, hi := extent(s.lo, s.hi)
		if 0 <= s.lo && s.hi <= 1 { // the scores may be shares, so the scale stays within [0, 1]
			lo, hi = max(lo, 0), min(hi, 1)
		}
		s.lo, s.hi = lo, hi
	}
	s.gl, s.text = true, lines(text)
	title, width := s.surfaces[0].name, 700
	if len(s.surfaces) > 1 {
		title, width = "accuracy", 960
	}
	s.arrange(layout3D(len(s.surfaces), 72), width)
	return Figure{kind: "mesh", title: r.Spec.Method().Name + ": " + title, drawing: s}
}

// gridLabel returns the label of value i of a swept option. A number has two significant digits if
// it differs from its neighbours by a factor of at least 1.5, and four digits otherwise.
func gridLabel(a ssdrnb.Axis, i int) string {
	short := func(k int) string {
		if v, ok := a.Values[k].(float64); ok && a.Label(k) != "auto" {
			two, _ := strconv.ParseFloat(fmt.Sprintf("%.1e", v), 64)
			return factorLabel(two)
		}
		return a.Label(k)
	}
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(a.Values) {
			continue
		}
		v, one := a.Values[i].(float64)
		w, other := a.Values[k].(float64)
		if !one || !other || !(v > 0 && w > 0) || max(v/w, w/v) < 1.5 {
			return a.Label(i)
		}
	}
	return short(i)
}

// add appends the surface of the given cells with the given name. If no cell has a score, add
// appends nothing and returns false.
func (s *meshSet) add(cells []ssdrnb.Cell, what string) bool {
	one, some := surface{name: what}, false
	for j := range s.y {
		row := make([]float64, len(s.x))
		for i := range row {
			row[i] = cells[i*len(s.y)+j].Mean()
			if !math.IsNaN(row[i]) {
				s.lo, s.hi, some = min(s.lo, row[i]), max(s.hi, row[i]), true
			}
		}
		one.values = append(one.values, row)
	}
	if some {
		s.surfaces = append(s.surfaces, one)
	}
	return some
}

// option implements [charter].
func (s *meshSet) option(on sheet) (chart.Option, any) {
	captions := make([]string, len(s.surfaces))
	option := &chart.Space[chart.Axes3D]{}
	var series []chart.Series
	step := niceStep(s.hi - s.lo)
	for k, one := range s.surfaces {
		points := make([][]any, 0, len(s.x)*len(s.y))
		for j, row := range one.values {
			for i, v := range row {
				if math.IsNaN(v) {
					points = append(points, []any{i, j, "-"})
					continue
				}
				points = append(points, []any{i, j, round(v, s.hi-s.lo)})
			}
		}
		series = append(series, &chart.Surface{Name: one.name, Type: types.ChartSurface3D, Data: points, Grid3DIndex: &k,
			DataShape: [2]int{len(s.y), len(s.x)}, Shading: "color",
			Wireframe: chart.Wireframe{Show: true, LineStyle: chart.WireStyle{Color: "rgba(0,0,0,0.35)", Width: 1}}})
		x, y := axis3D(s.names[0], 0, float64(len(s.x)-1)), axis3D(s.names[1], 0, float64(len(s.y)-1))
		// The z axis has no name, because the title of the figure contains it.
		z := axis3D("", math.Floor(s.lo/step)*step, math.Ceil(s.hi/step)*step)
		x.Interval, y.Interval, z.Interval = float64((len(s.x)+6)/8), float64((len(s.y)+6)/8), step // at most nine grid lines in x and y
		for _, axis := range []*chart.Axis3D{x, y, z} {
			axis.Grid3DIndex = &k
		}
		option.XAxis3D, option.YAxis3D, option.ZAxis3D = append(option.XAxis3D, x), append(option.YAxis3D, y), append(option.ZAxis3D, z)
		option.Grid3D = append(option.Grid3D, box3D(110, 110, 70, 195, 25, 35))
		if len(s.surfaces) > 1 {
			captions[k] = one.name
		}
	}
	option.Common = common(on.title, captions, series)
	option.VisualMap = []*chart.VisualMap{{Show: opts.Bool(true), Dimension: 2, Min: round(s.lo, s.hi-s.lo), Max: round(s.hi, s.hi-s.lo), Right: 8, Top: "middle",
		Calculable: opts.Bool(true), Precision: 3, InRange: chart.InRange{Color: mapped(viridis, css)}}}
	return option, &chart.Grid{X: s.x, Y: s.y, Names: s.names}
}

// static implements [drawing] with heat maps. Cells that are large enough contain their score.
func (s *meshSet) static(on sheet) *canvas {
	c := newCanvas(on)
	for k, one := range s.surfaces {
		b := &c.boxes[k] // layout3D reserves no space for axis labels
		*b = box{b.x + 74, b.y, b.w - 84, b.h - 52}
		p := newPlot(s.names[0], s.names[1])
		if len(s.surfaces) > 1 {
			c.caption(k, one.name)
		}
		style := p.X.TickText
		p.X.Ticks = ticks(spaced(s.x, b.w/float64(len(s.x)), func(label string) float64 { return wide(style, label) + factorGap }))
		p.Y.Ticks = ticks(spaced(s.y, b.h/float64(len(s.y)), func(string) float64 { return factorHeight * 0.75 }))
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -.5, float64(len(s.x))-.5, -.5, float64(len(s.y))-.5
		fits := b.w/float64(len(s.x)) > 34 && b.h/float64(len(s.y)) > 13
		s.heat(p, one, fits)
		area := c.plot(k, p)
		if k == len(s.surfaces)-1 {
			staticBar(area, s.lo, s.hi, viridis)
		}
	}
	return c
}

// heat adds the cells of a surface to a plot. If numbered is true, it also writes the score into
// each cell. Each cell extends slightly under the cells that are painted later, because
// antialiasing would otherwise leave bright seams.
func (s *meshSet) heat(p *plot.Plot, one surface, numbered bool) {
	known := func(i, j int) bool { return i < len(s.x) && j < len(s.y) && !math.IsNaN(one.values[j][i]) }
	for j, row := range one.values {
		for i, v := range row {
			if math.IsNaN(v) {
				continue
			}
			x, y := float64(i), float64(j)
			right, upper := x+.5, y+.5
			if known(i+1, j) {
				right += .1
			}
			if known(i, j+1) && (known(i+1, j+1) || !known(i+1, j)) {
				upper += .1
			}
			p.Add(plot.Polygon{Points: []plot.Point{{X: x - .5, Y: y - .5}, {X: right, Y: y - .5}, {X: right, Y: upper}, {X: x - .5, Y: upper}}, Color: ramp(s.share(v))})
			if numbered {
				shade := color.Black
				if s.share(v) < 0.6 {
					shade = color.White // text on dark cells is white
				}
				p.Add(plot.Label{At: plot.Point{X: x, Y: y}, Text: texts(12, shade, plot.Middle, plot.Halfway), Name: fmt.Sprintf("%.3f", v)})
			}
		}
	}
}

// share returns the position of a score on the value scale, in [0, 1].
func (s *meshSet) share(v float64) float64 { return (v - s.lo) / (s.hi - s.lo) }
