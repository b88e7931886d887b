package viz

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// surface is a function over a grid of two options.
type surface struct {
	x, y   []string // labels of the grid lines
	names  [3]string
	values [][]float64 // values[iy][ix]; NaN where there is none
	lo, hi float64
}

// Mesh draws the scores of a sweep over two options as a surface that turns with
// the mouse; hovering shows the cell. The static twin is a heat map with the
// numbers. Test scores are drawn where the sweep has them, and those of the
// unlabelled samples otherwise. Grid lines are evenly spaced whatever the values.
func Mesh(r *ssdrnb.SweepResult) Figure {
	if r == nil || len(r.Axes) != 2 {
		return failed("mesh", fmt.Errorf("viz: a mesh needs a sweep over two options"))
	}
	cells, what := r.Unlabelled, "accuracy on unlabelled samples"
	if r.Test != nil {
		cells, what = r.Test, "accuracy on test samples"
	}
	a, b := r.Axes[0], r.Axes[1]
	s := &surface{names: [3]string{a.Name, b.Name, what}, lo: math.Inf(1), hi: math.Inf(-1)}
	for i := range a.Values {
		s.x = append(s.x, a.Label(i))
	}
	for j := range b.Values {
		s.y = append(s.y, b.Label(j))
		row := make([]float64, len(a.Values))
		for i := range row {
			row[i] = cells[i*len(b.Values)+j].Mean()
			if !math.IsNaN(row[i]) {
				s.lo, s.hi = min(s.lo, row[i]), max(s.hi, row[i])
			}
		}
		s.values = append(s.values, row)
	}
	if len(s.x) < 2 || len(s.y) < 2 {
		return failed("mesh", fmt.Errorf("viz: a mesh needs at least two values of each option"))
	}
	if math.IsInf(s.lo, 0) {
		return failed("mesh", fmt.Errorf("viz: no cell of the sweep has a score: %v", cells[0].Err))
	}
	best := r.Best(cells)
	return Figure{kind: "mesh", gl: true, title: r.Spec.Method().Name + ": " + what, width: 680, height: 520,
		text:   fmt.Sprintf("%d × %d cells, best %.3f at %v\n", len(s.x), len(s.y), cells[best].Mean(), r.At(best)),
		option: s.option, static: s.static}
}

func (s *surface) option(f Figure) (map[string]any, map[string]any) {
	chart := charts.NewSurface3D()
	chart.SetGlobalOptions(
		charts.WithTitleOpts(opts.Title{Title: f.title, Left: "center", Top: "4", TitleStyle: &opts.TextStyle{FontSize: 14}}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	points := make([][]any, 0, len(s.x)*len(s.y))
	for j, row := range s.values {
		for i, v := range row {
			if math.IsNaN(v) {
				points = append(points, []any{i, j, "-"})
				continue
			}
			points = append(points, []any{i, j, round(v, 1)})
		}
	}
	// AddSeries would make dots of it: go-echarts gives a surface's series the type
	// of a scatter.
	chart.MultiSeries = charts.MultiSeries{{Name: s.names[2], Type: types.ChartSurface3D, Data: points}}
	option := chart.JSON()
	series := []any{map[string]any{"name": s.names[2], "type": types.ChartSurface3D, "data": points,
		"dataShape": []int{len(s.y), len(s.x)}, "shading": "color",
		"wireframe": map[string]any{"show": true, "lineStyle": map[string]any{"color": "rgba(0,0,0,0.35)", "width": 1}}}}
	option["series"] = series
	axis := func(name string, labels []string) map[string]any {
		return map[string]any{"type": "value", "name": name, "min": 0, "max": len(labels) - 1, "interval": 1, "nameGap": 28,
			"axisLabel": label3D(11), "nameTextStyle": label3D(13)}
	}
	option["xAxis3D"], option["yAxis3D"] = axis(s.names[0], s.x), axis(s.names[1], s.y)
	step := niceStep(s.hi - s.lo)
	option["zAxis3D"] = map[string]any{"type": "value", "name": "accuracy", "interval": step,
		"min": round(math.Floor(s.lo/step)*step, 0.1), "max": round(math.Ceil(s.hi/step)*step, 0.1),
		"nameGap": 26, "axisLabel": label3D(11), "nameTextStyle": label3D(13)}
	colors := make([]string, len(viridis))
	for k, c := range viridis {
		colors[k] = css(c)
	}
	option["visualMap"] = map[string]any{"show": true, "dimension": 2, "min": round(s.lo, 1), "max": round(s.hi, 1), "right": 8, "top": "middle",
		"calculable": true, "precision": 3, "inRange": map[string]any{"color": colors}}
	option["grid3D"] = map[string]any{"boxWidth": 110, "boxDepth": 110, "boxHeight": 70, "left": "-3%",
		"viewControl": map[string]any{"distance": 230, "alpha": 25, "beta": 35}}
	option["legend"] = map[string]any{"show": false}
	option["animation"] = false
	return option, map[string]any{"x": s.x, "y": s.y, "names": s.names}
}

// label3D is a text style for 3-D axes. Their labels are cut to the line height,
// which ECharts takes from the width of a Chinese character: half the height of
// the text where no font has it. So the height is always given.
func label3D(size int) map[string]any {
	return map[string]any{"fontSize": size, "lineHeight": size + 6, "margin": 10}
}

// niceStep divides a range into three to eight steps of 1, 2 or 5 times a power
// of ten.
func niceStep(span float64) float64 {
	if !(span > 0) {
		return 0.01
	}
	p := math.Pow(10, math.Floor(math.Log10(span/3)))
	for _, f := range []float64{1, 2, 5} {
		if span/(f*p) <= 6 {
			return f * p
		}
	}
	return 10 * p
}

// static draws the heat map with the number in each cell.
func (s *surface) static(f Figure) (*canvas, error) {
	c := newCanvas(f)
	p := newPlot("", s.names[0], s.names[1])
	var labels plotter.XYLabels
	for j, row := range s.values {
		for i, v := range row {
			x, y := float64(i), float64(j)
			cell, err := plotter.NewPolygon(plotter.XYs{{X: x - .5, Y: y - .5}, {X: x + .5, Y: y - .5}, {X: x + .5, Y: y + .5}, {X: x - .5, Y: y + .5}})
			if err != nil {
				return nil, err
			}
			cell.LineStyle.Width = 0
			if math.IsNaN(v) {
				continue
			}
			t := 0.5
			if s.hi > s.lo {
				t = (v - s.lo) / (s.hi - s.lo)
			}
			cell.Color = ramp(t)
			p.Add(cell)
			labels.XYs = append(labels.XYs, plotter.XY{X: x, Y: y})
			labels.Labels = append(labels.Labels, fmt.Sprintf("%.3f", v))
		}
	}
	numbers, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for k := range numbers.TextStyle {
		numbers.TextStyle[k].Font.Size = 9
		numbers.TextStyle[k].XAlign, numbers.TextStyle[k].YAlign = text.XCenter, text.YCenter
		numbers.TextStyle[k].Color = cellText(labels.XYs[k], s)
	}
	p.Add(numbers)
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(s.x), ticks(s.y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -.5, float64(len(s.x))-.5, -.5, float64(len(s.y))-.5
	c.dc = draw.Crop(c.dc, 0, -vg.Length(6), 0, 0)
	c.tiles(p)
	return c, nil
}

// ticks places the labels at the grid lines.
func ticks(labels []string) plot.ConstantTicks {
	out := make(plot.ConstantTicks, len(labels))
	for k, l := range labels {
		out[k] = plot.Tick{Value: float64(k), Label: l}
	}
	return out
}
