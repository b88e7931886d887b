package viz

import (
	"fmt"
	"image/color"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
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
	return Figure{kind: "embedding", gl: true, title: title(m), text: text + "\n", notes: notes3D(m, p),
		option: func(f Figure) (map[string]any, map[string]any) { return option3D(f, p) },
		static: func(f Figure) (*canvas, error) { return staticPanels(f, []*panel{p}) }}.sized(layout3D(1, classColumn([]*panel{p})), 700)
}

// notes3D are the lines below a cloud in three dimensions.
func notes3D(m Embedded, p *panel) []string {
	return append(present(manyClasses(p), partOf(3, p)), warned(m)...)
}

// layout3D places boxes in three dimensions.
func layout3D(count, legend int) layout {
	l := layout{Count: count, Most: 2, Least: 330, High: 560, Head: titleHeight, Above: captioned(), Left: 4, Gap: 10, Right: 4, Legend: float64(legend)}
	if count > 1 {
		l.Above, l.High = captionHeight, 420
	}
	for range count {
		l.Ratio = append(l.Ratio, 0.85)
	}
	return l
}

// camera looks from a distance at the middle of a box of 100 units.
func camera(distance, alpha, beta int) map[string]any {
	return map[string]any{"distance": distance, "autoRotate": false, "alpha": alpha, "beta": beta, "center": []int{0, -12, 0}}
}

func option3D(f Figure, p *panel) (map[string]any, map[string]any) {
	chart := charts.NewScatter3D()
	chart.SetGlobalOptions(f.titled()...)
	chart.MultiSeries = p.series(0)
	for k := range chart.MultiSeries {
		chart.MultiSeries[k].Type = "scatter3D"
	}
	option := chart.JSON()
	// Equal scales: the box has the proportions of the data.
	box := [3]float64{}
	most := 0.0
	for k, name := range []string{"xAxis3D", "yAxis3D", "zAxis3D"} {
		lo, hi := p.span(k)
		lo, hi = padded(lo, hi, 0.03)
		box[k] = hi - lo
		most = max(most, box[k])
		axis := axis3D(p.axis(k), lo, hi)
		axis["tight"] = true // its ends are no round numbers
		option[name] = axis
	}
	option["zAxis3D"].(map[string]any)["nameGap"] = 20 // it is at the border
	// The box has the same size whatever its proportions, so that the cloud fills it.
	unit := 100 / math.Cbrt(max(box[0], most/3)*max(box[1], most/3)*max(box[2], most/3))
	side := func(k int) float64 { return round(unit*max(box[k], most/3), 100) }
	// echarts-gl's y axis points into the page; its box calls that the depth.
	option["title"] = []any{option["title"]}
	option["grid3D"] = []any{map[string]any{"boxWidth": side(0), "boxDepth": side(1), "boxHeight": side(2), "viewControl": camera(195, 20, 40)}}
	option["legend"], option["animation"] = classLegend(classColumn([]*panel{p})), false
	return option, extras([]*panel{p})
}

// staticPanels draws the first two dimensions of each panel.
func staticPanels(f Figure, panels []*panel) (*canvas, error) {
	c := newCanvas(f)
	var legend legend
	legend.classes(panels...)
	c.column(legend)
	for k, p := range panels {
		if len(panels) > 1 {
			c.caption(k, p.name)
		}
		if f.gl { // the chart's box needs no space for labels
			b := &c.boxes[k]
			*b = box{b.x + 54, b.y, b.w - 54, b.h - 48}
		}
		to := newPlot("", "")
		grid(to)
		p.static(to)
		p.frame(to, c.boxes[k], p.axis(0), p.axis(1))
		c.plot(k, to)
	}
	return c, nil
}

// frame sets the axes of a plot so that its scales are equal in this place.
func (p *panel) frame(to *plot.Plot, at box, x, y string) {
	lo, hi := p.bounds(at.w, at.h)
	numbers(&to.X, x, lo[0], hi[0], valueTicks{length: pixels(at.w)})
	numbers(&to.Y, y, lo[1], hi[1], valueTicks{})
}

// places returns the first two coordinates of the samples that are drawn.
func (p *panel) places(rows []int) plotter.XYs {
	out := make(plotter.XYs, 0, len(rows))
	for _, i := range rows {
		if p.shows(i) {
			out = append(out, plotter.XY{X: p.at(i, 0), Y: p.at(i, 1)})
		}
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
			if len(points) == 0 {
				continue
			}
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
