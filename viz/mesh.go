package viz

import (
	"fmt"
	"image/color"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// surface is a function over a grid of two options.
type surface struct {
	what   string
	values [][]float64 // values[iy][ix]; NaN where there is none
}

// meshSet is surfaces over the same grid, with one scale of values.
type meshSet struct {
	x, y     []string // labels of the grid lines
	names    [2]string
	surfaces []surface
	lo, hi   float64
}

// Mesh draws the scores of a sweep over two options as surfaces that the mouse turns;
// hovering shows the cell, in all surfaces. If the sweep has test scores, they are beside
// those of the unlabelled samples, on the same scale. The static picture is heat maps with the
// numbers. Grid lines are evenly spaced, whatever the values of the options. A vertex is a
// setting of the options and no sample, so that a mesh shows nothing of what is selected in
// other figures; draw the embeddings of some settings by [Compare] or [Multiples] for that.
func Mesh(r *ssdrnb.SweepResult) Figure {
	if r == nil || len(r.Axes) != 2 {
		return failed("mesh", fmt.Errorf("viz: a mesh needs a sweep over two options; call two of Linear, Log10 and List on ssdrnb.Sweep"))
	}
	a, b := r.Axes[0], r.Axes[1]
	if len(a.Values) > maxBars || len(b.Values) > maxBars || len(a.Values)*len(b.Values) > bounds.Cells {
		return failed("mesh", fmt.Errorf("viz: %d × %d cells; give Linear or Log10 larger steps, for at most %d each way and %d in all", len(a.Values), len(b.Values), maxBars, bounds.Cells))
	}
	s := &meshSet{names: [2]string{a.Name, b.Name}, lo: math.Inf(1), hi: math.Inf(-1)}
	for i := range a.Values {
		s.x = append(s.x, a.Label(i))
	}
	for j := range b.Values {
		s.y = append(s.y, b.Label(j))
	}
	if len(s.x) < 2 || len(s.y) < 2 {
		return failed("mesh", fmt.Errorf("viz: a mesh needs at least two values of each option; widen the sweep"))
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
			a.Name, s.x[best/len(s.y)], b.Name, s.y[best%len(s.y)]))
	}
	if s.surfaces == nil {
		err := fmt.Errorf("the samples to score are missing")
		if len(r.Unlabelled) > 0 && r.Unlabelled[0].Err != nil {
			err = r.Unlabelled[0].Err
		}
		return failed("mesh", fmt.Errorf("viz: no cell of the sweep has a score: %w", err))
	}
	f := Figure{kind: "mesh", gl: true, title: r.Spec.Method().Name + ": " + s.surfaces[0].what,
		text: lines(text), option: s.option, static: s.static}
	width := 700
	if len(s.surfaces) > 1 {
		f.title, width = r.Spec.Method().Name+": accuracy", 960
	}
	return f.sized(layout3D(len(s.surfaces), 72), width)
}

// add appends the surface of the cells, and returns false where none has a score.
func (s *meshSet) add(cells []ssdrnb.Cell, what string) bool {
	one, some := surface{what: what}, false
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

func (s *meshSet) option(f Figure) (map[string]any, map[string]any) {
	option := f.chart()
	captions := make([]string, len(s.surfaces))
	var series, grids, xs, ys, zs []any
	step := niceStep(s.hi - s.lo)
	for k, one := range s.surfaces {
		points := make([][]any, 0, len(s.x)*len(s.y))
		for j, row := range one.values {
			for i, v := range row {
				if math.IsNaN(v) {
					points = append(points, []any{i, j, "-"})
					continue
				}
				points = append(points, []any{i, j, round(v, 1)})
			}
		}
		// Without AddSeries of go-echarts, which gives a surface the type of a scatter
		// and so draws dots.
		series = append(series, map[string]any{"name": one.what, "type": surface3D, "data": points, "grid3DIndex": k,
			"dataShape": []int{len(s.y), len(s.x)}, "shading": "color",
			"wireframe": map[string]any{"show": true, "lineStyle": map[string]any{"color": "rgba(0,0,0,0.35)", "width": 1}}})
		x, y := axis3D(s.names[0], 0, float64(len(s.x)-1)), axis3D(s.names[1], 0, float64(len(s.y)-1))
		z := axis3D("", math.Floor(s.lo/step)*step, math.Ceil(s.hi/step)*step)             // the title says what it is
		x["interval"], y["interval"], z["interval"] = (len(s.x)+6)/8, (len(s.y)+6)/8, step // at most nine lines each way
		for _, axis := range []map[string]any{x, y, z} {
			axis["grid3DIndex"] = k
		}
		xs, ys, zs = append(xs, x), append(ys, y), append(zs, z)
		grids = append(grids, map[string]any{"boxWidth": 110, "boxDepth": 110, "boxHeight": 70, "viewControl": camera(195, 25, 35)})
		if len(s.surfaces) > 1 {
			captions[k] = one.what
		}
	}
	colors := make([]string, len(viridis))
	for k, c := range viridis {
		colors[k] = css(c)
	}
	option["visualMap"] = []any{map[string]any{"show": true, "dimension": 2, "min": round(s.lo, 1), "max": round(s.hi, 1), "right": 8, "top": "middle",
		"calculable": true, "precision": 3, "inRange": map[string]any{"color": colors}}}
	option["title"], option["series"], option["grid3D"] = f.titles(option, captions), series, grids
	option["xAxis3D"], option["yAxis3D"], option["zAxis3D"] = xs, ys, zs
	option["legend"] = map[string]any{"show": false}
	option["animation"] = false
	return option, map[string]any{"x": s.x, "y": s.y, "names": s.names}
}

// label3D is a text style for 3-D axes. Their labels are cut to the line height,
// which ECharts takes from the width of a Chinese character: half the height of
// the text where no font has it. So the height is always given. They begin where ticks end;
// the script moves them from there.
func label3D(size int) map[string]any {
	return map[string]any{"fontSize": size, "lineHeight": size + 6, "margin": 4, "color": ink}
}

// axis3D is an axis of numbers in the colours of the theme, which echarts-gl
// itself does not follow.
func axis3D(name string, lo, hi float64) map[string]any {
	return shifted(map[string]any{"type": "value", "name": name, "min": round(lo, hi-lo), "max": round(hi, hi-lo), "nameGap": 4,
		"axisLabel": label3D(11), "nameTextStyle": label3D(13),
		"axisLine": map[string]any{"lineStyle": map[string]any{"color": ink, "width": 1.5}}, "axisTick": map[string]any{"length": 4},
		"splitLine":   map[string]any{"lineStyle": map[string]any{"color": faint}},
		"axisPointer": map[string]any{"lineStyle": map[string]any{"color": ink}, "label": map[string]any{"textStyle": map[string]any{"color": ink}}}}, lo, hi)
}

// niceStep divides a range into three to eight steps of 1, 2 or 5 times a power
// of ten.
func niceStep(span float64) float64 {
	if !(span > 0) {
		return 0.01
	}
	p := math.Pow(10, math.Floor(math.Log10(span/3)))
	for _, f := range []float64{1, 2, 5} {
		if span/(f*p) <= 6+1e-9 {
			return f * p
		}
	}
	return 10 * p
}

// static draws heat maps, with the number in each cell that is large enough.
func (s *meshSet) static(f Figure) *canvas {
	c := newCanvas(f)
	for k, one := range s.surfaces {
		b := &c.boxes[k] // the chart's box needs no space for labels
		*b = box{b.x + 74, b.y, b.w - 84, b.h - 52}
		p := newPlot(s.names[0], s.names[1])
		if len(s.surfaces) > 1 {
			c.caption(k, one.what)
		}
		p.X.Ticks, p.Y.Ticks = ticks(s.x), ticks(s.y)
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

// heat adds the cells of a surface to a plot, with their numbers if asked to. Each goes on a
// little below those that are painted after it, because between two edges at the same place
// smoothing would leave a bright seam.
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
			p.Add(plot.Polygon{Points: []plot.Point{{X: x - .5, Y: y - .5}, {X: right, Y: y - .5}, {X: right, Y: upper}, {X: x - .5, Y: upper}}, Color: ramp(s.at(v))})
			if numbered {
				shade := color.Black
				if s.at(v) < 0.6 {
					shade = color.White // dark cells
				}
				p.Add(plot.Label{At: plot.Point{X: x, Y: y}, Text: texts(12, shade, plot.Middle, plot.Halfway), Name: fmt.Sprintf("%.3f", v)})
			}
		}
	}
}

// at is the position of a score between the lowest and the highest.
func (s *meshSet) at(v float64) float64 {
	if s.hi == s.lo {
		return 0.5
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// ticks places the labels at the grid lines.
func ticks(labels []string) plot.Ticks {
	out := make(plot.Ticks, len(labels))
	for k, l := range labels {
		out[k] = plot.Tick{Value: float64(k), Label: l}
	}
	return out
}
