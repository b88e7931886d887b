package viz

import (
	"fmt"
	"image/color"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// embedding3D draws the first three dimensions; the static picture shows the first two.
func embedding3D(m Embedded) Figure {
	p := newPanel(m)
	if p.n > maxPoints {
		return failed("embedding", errSamples(p.n))
	}
	text := fmt.Sprintf("%s: %d samples in %s", p.name, p.n, dimensions(p.d))
	if p.d > 3 {
		text += ", the first three are drawn"
	}
	return Figure{kind: "embedding", gl: true, title: title(m), width: 640, height: 560,
		text: text + "\n", note: sentences(manyClasses(p), partOf(3, p)),
		option: func(f Figure) (map[string]any, map[string]any) { return option3D(f, p) },
		static: func(f Figure) (*canvas, error) { return staticPanels(f, []*panel{p}) }}
}

func option3D(f Figure, p *panel) (map[string]any, map[string]any) {
	chart := charts.NewScatter3D()
	chart.SetGlobalOptions(
		charts.WithTitleOpts(opts.Title{Title: f.title, Left: "center", Top: "4", TitleStyle: &opts.TextStyle{FontSize: 14}}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	chart.MultiSeries = p.series(0)
	for k := range chart.MultiSeries {
		chart.MultiSeries[k].Type = "scatter3D"
	}
	option := chart.JSON()
	// Equal scales: the box has the proportions of the data.
	box := [3]float64{}
	most := 0.0
	for k, name := range []string{"xAxis3D", "yAxis3D", "zAxis3D"} {
		lo, hi := extent(p.span(k))
		box[k] = hi - lo
		most = max(most, box[k])
		option[name] = axis3D(p.axis(k), lo, hi)
	}
	option["zAxis3D"].(map[string]any)["nameGap"] = 20 // it is at the border
	side := func(k int) float64 { return round(max(100*box[k]/most, 20), 100) }
	// echarts-gl's y axis points into the page; its box calls that the depth.
	option["grid3D"] = map[string]any{"boxWidth": side(0), "boxDepth": side(1), "boxHeight": side(2), "left": "-2%",
		"viewControl": map[string]any{"distance": 245, "autoRotate": false, "center": []int{0, -8, 0}}}
	option["legend"], option["animation"] = classLegend(classColumn([]*panel{p})), false
	return option, extras([]*panel{p})
}

// staticPanels draws the first two dimensions of each panel.
func staticPanels(f Figure, panels []*panel) (*canvas, error) {
	c := newCanvas(f)
	var legend legend
	legend.classes(panels...)
	c.column(legend, classColumn(panels))
	across, down := tiling(len(panels), 4)
	for k, p := range panels {
		name := p.name
		if len(panels) == 1 {
			name = ""
		}
		to, at := newPlot(name, "", ""), c.tile(k, across, down)
		p.static(to)
		p.frame(to, at, p.axis(0), p.axis(1))
		to.Draw(at)
	}
	return c, nil
}

// frame sets the axes of a plot so that its scales are equal on this canvas.
func (p *panel) frame(to *plot.Plot, at draw.Canvas, x, y string) {
	var lo, hi [2]float64
	// The space that axis labels need depends on the ranges.
	for range 3 {
		size := to.DataCanvas(at).Size()
		lo, hi = p.bounds(max(float64(size.X), 1), max(float64(size.Y), 1))
		numbers(&to.X, x, lo[0], hi[0], valueTicks{})
		numbers(&to.Y, y, lo[1], hi[1], valueTicks{})
	}
	to.X.Tick.Marker = valueTicks{room: to.DataCanvas(at).Size().X}
}

// places returns the first two coordinates of samples.
func (p *panel) places(rows []int) plotter.XYs {
	out := make(plotter.XYs, len(rows))
	for r, i := range rows {
		out[r] = plotter.XY{X: p.at(i, 0), Y: p.at(i, 1)}
	}
	return out
}

func (p *panel) static(to *plot.Plot) {
	mark := p.ringed()
	for labelled := range 2 {
		for _, g := range p.groups {
			if g.rows[labelled] == nil {
				continue
			}
			points, shade := p.places(g.rows[labelled]), p.tone(g.class)
			if labelled == 0 {
				shade.A = 0x80
			}
			s := &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: shade, Radius: 2, Shape: p.glyph(g.class)}}
			to.Add(s)
			if labelled == 1 {
				s.GlyphStyle.Radius += vg.Length(mark.growth) / 5
				to.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: color.Gray{0x22}, Radius: s.GlyphStyle.Radius + 0.4, Shape: ring{vg.Points(0.8 * float64(mark.width))}}})
			}
		}
	}
}

// classes adds the panels' classes to a legend.
func (l *legend) classes(panels ...*panel) {
	named := map[string]bool{}
	width := classColumn(panels)
	for _, p := range panels {
		for _, g := range p.groups {
			if !named[g.name] {
				named[g.name] = true
				l.add(short(g.name, width), &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: p.tone(g.class), Radius: 3, Shape: p.glyph(g.class)}})
			}
		}
	}
}
