package viz

import (
	"fmt"
	"image/color"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// embedding3D draws the first three dimensions; the static twin shows the first
// two.
func embedding3D(m Embedded) Figure {
	p := newPanel(m)
	if p.n > maxPoints {
		return failed("embedding", fmt.Errorf("viz: %d samples are more than the %d that a page can hold; draw a subset", p.n, maxPoints))
	}
	return Figure{kind: "embedding", gl: true, title: title(m), width: 640, height: 560,
		text:   fmt.Sprintf("%s: %d samples in %d dimensions, the first three are drawn\n", p.name, p.n, p.d),
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
	for k := range box {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range p.n {
			lo, hi = min(lo, p.at(i, k)), max(hi, p.at(i, k))
		}
		box[k] = max(hi-lo, 1e-12)
		most = max(most, box[k])
	}
	for k, name := range []string{"xAxis3D", "yAxis3D", "zAxis3D"} {
		option[name] = map[string]any{"type": "value", "name": p.axis(k), "scale": true, "nameTextStyle": label3D(12), "axisLabel": label3D(10)}
	}
	side := func(k int) float64 { return round(max(100*box[k]/most, 20), 100) }
	// echarts-gl's y axis runs into the page; its box calls that the depth.
	option["grid3D"] = map[string]any{"boxWidth": side(0), "boxDepth": side(1), "boxHeight": side(2), "left": "-4%",
		"viewControl": map[string]any{"distance": 210, "autoRotate": false}}
	option["legend"], option["animation"] = classLegend, false
	return option, p.extra()
}

// staticPanels draws the first two dimensions of each panel.
func staticPanels(f Figure, panels []*panel) (*canvas, error) {
	c := newCanvas(f)
	plots := make([]*plot.Plot, len(panels))
	for k, p := range panels {
		name := p.name
		if len(panels) == 1 {
			name = ""
		}
		plots[k] = newPlot(name, p.axis(0), p.axis(1))
		if err := p.static(plots[k], k == len(panels)-1); err != nil {
			return nil, err
		}
		w := float64(f.width)/float64(len(panels)) - 60
		lo, hi := p.bounds(w, float64(f.height)-90)
		plots[k].X.Min, plots[k].X.Max, plots[k].Y.Min, plots[k].Y.Max = lo[0], hi[0], lo[1], hi[1]
	}
	c.tiles(plots...)
	return c, nil
}

func (p *panel) static(to *plot.Plot, legend bool) error {
	for _, ringed := range []bool{false, true} {
		for c := range p.classes {
			var points plotter.XYs
			for i := range p.n {
				if p.of[i] == c && p.labelled[i] == ringed {
					points = append(points, plotter.XY{X: p.at(i, 0), Y: p.at(i, 1)})
				}
			}
			if points == nil {
				continue
			}
			shade := p.tone(c)
			if !ringed {
				shade.A = 0x80
			}
			s, err := plotter.NewScatter(points)
			if err != nil {
				return err
			}
			s.GlyphStyle = draw.GlyphStyle{Color: shade, Radius: 2, Shape: p.glyph(c)}
			if ringed {
				s.GlyphStyle.Radius = 2.6
			}
			to.Add(s)
			if ringed {
				rings, err := plotter.NewScatter(points)
				if err != nil {
					return err
				}
				rings.GlyphStyle = draw.GlyphStyle{Color: color.Gray{0x22}, Radius: 3, Shape: ring{}}
				to.Add(rings)
			}
		}
	}
	if !legend {
		return nil
	}
	for c := range p.classes {
		key, err := plotter.NewScatter(plotter.XYs{{X: 0, Y: 0}})
		if err != nil {
			return err
		}
		key.GlyphStyle = draw.GlyphStyle{Color: p.tone(c), Radius: 3, Shape: p.glyph(c)}
		to.Legend.Add(p.names[c], key)
	}
	to.Legend.Top, to.Legend.XOffs, to.Legend.Padding = true, 0, vg.Points(1)
	to.Legend.TextStyle.Font.Size = 8
	return nil
}
