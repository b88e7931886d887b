package viz

import (
	"image/color"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// gradeHeight is the height in pixels of a line that explains sizes or opacities.
const gradeHeight = 24

// grades returns the lines that explain the sizes and opacities of a panel.
func (p *panel) grades() []chart.Grade {
	var out []chart.Grade
	if p.many() {
		return nil
	}
	for _, a := range []*aspect{p.sizes, p.opacities} {
		if a == nil {
			continue
		}
		g := chart.Grade{Name: a.name}
		ends := a.ends()
		texts, shares := []string{ends[0], a.value(a.lo/2 + a.hi/2), ends[1]}, []float64{0, 0.5, 1}
		if a.single != "" {
			texts, shares = []string{a.single}, []float64{0.5}
		}
		for k, share := range shares {
			diameter, opacity := 11.0, 1.0
			if a == p.sizes {
				diameter, opacity = between(diameters, share), 0.6
			} else {
				opacity = between(opacities, share)
			}
			g.Names, g.Diameters, g.Opacities = append(g.Names, texts[k]), append(g.Diameters, diameter), append(g.Opacities, opacity)
		}
		out = append(out, g)
	}
	return out
}

// between interpolates between two numbers.
func between(ends [2]float64, share float64) float64 { return ends[0] + share*(ends[1]-ends[0]) }

// grades draws the lines below the panels by the rules of the page's script.
func (c *canvas) grades(on sheet, all []chart.Grade) {
	for k, g := range all {
		x, y := on.layout.Left, float64(on.height)-on.layout.Foot+gradeHeight*(float64(k)+0.5)
		style := texts(12, titleInk, plot.Left, plot.Halfway)
		room := float64(on.width) - x - 4
		for _, text := range g.Names {
			room -= wide(style, text) + 40
		}
		name := fitting(g.Name, style, pixels(max(room, 40)))
		c.dc.FillText(style, c.at(x, y), name)
		x += wide(style, name) + 12
		for i, text := range g.Names {
			x += 9
			shade := color.NRGBA{axisInk.R, axisInk.G, axisInk.B, uint8(255*g.Opacities[i] + 0.5)}
			c.dc.DrawGlyph(plot.Glyph{Color: shade, Radius: pixels(g.Diameters[i]) / 2}, c.at(x, y))
			x += 13
			c.dc.FillText(style, c.at(x, y), text)
			x += wide(style, text) + 12
		}
	}
}
