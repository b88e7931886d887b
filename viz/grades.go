package viz

import (
	"image/color"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// grade is a line below the panels that says what sizes or opacities show: marks from the
// lowest to the highest value with their numbers.
type grade struct {
	Name      string    `json:"name"`
	Names     []string  `json:"names"`  // the numbers
	Diameters []float64 `json:"values"` // in pixels
	Opacities []float64 `json:"range"`
}

// gradeHeight is the height of such a line in pixels.
const gradeHeight = 24

// grades are the lines of what the panel's sizes and opacities show.
func (p *panel) grades() []grade {
	var out []grade
	if p.many() {
		return nil
	}
	for _, a := range []*aspect{p.sizes, p.opacities} {
		if a == nil {
			continue
		}
		g := grade{Name: a.name}
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

// between is the number at a share of the way from the first to the second.
func between(ends [2]float64, share float64) float64 { return ends[0] + share*(ends[1]-ends[0]) }

// grades draws the lines below the panels of a figure. The rules are those of the script.
func (c *canvas) grades(f Figure, all []grade) {
	for k, g := range all {
		x, y := f.layout.Left, float64(f.height)-f.layout.Foot+gradeHeight*(float64(k)+0.5)
		style := texts(12, titleInk, plot.Left, plot.Halfway)
		room := float64(f.width) - x - 4
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

// wide is the width of a text in pixels.
func wide(style plot.Text, text string) float64 { return style.Width(text) / plot.Inch * dpi }
