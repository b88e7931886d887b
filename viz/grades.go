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
	if p.painted() {
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
				diameter, opacity = interpolate(diameters, share), 0.6
			} else {
				opacity = interpolate(opacities, share)
			}
			g.Names, g.Diameters, g.Opacities = append(g.Names, texts[k]), append(g.Diameters, diameter), append(g.Opacities, opacity)
		}
		out = append(out, g)
	}
	return out
}

// interpolate maps a share linearly to a number: 0 to ends[0], and 1 to ends[1].
func interpolate(ends [2]float64, share float64) float64 { return ends[0] + share*(ends[1]-ends[0]) }

// gradeMark is one mark of a line that explains sizes or opacities. center is the middle of the
// mark, and text is the left end of its number, both in pixels from the left edge of the figure.
type gradeMark struct{ center, text float64 }

// gradeMarks arranges the line of g between left and right, in pixels. It returns the marks, and
// the name of the line, cut to the space beside the marks. width measures text in pixels. The page
// applies the same rules, which TestSharedRules checks.
func gradeMarks(g chart.Grade, left, right float64, width func(string) float64) (name string, marks []gradeMark) {
	room := right - left - 4
	for _, text := range g.Names {
		room -= width(text) + 40
	}
	name = g.Name
	runes := []rune(g.Name)
	for n := len(runes) - 1; n > 0 && width(name) > max(room, 40); n-- {
		name = string(runes[:n]) + "…"
	}
	x := left + width(name) + 12
	for _, text := range g.Names {
		marks = append(marks, gradeMark{x + 9, x + 22})
		x += 22 + width(text) + 12
	}
	return name, marks
}

// grades draws the lines that explain sizes and opacities below the panels.
func (c *canvas) grades(on sheet, all []chart.Grade) {
	style := legendText()
	for k, g := range all {
		y := float64(on.height) - on.layout.Foot + gradeHeight*(float64(k)+0.5)
		name, marks := gradeMarks(g, on.layout.Left, float64(on.width), func(text string) float64 { return wide(style, text) })
		c.dc.FillText(style, c.point(on.layout.Left, y), name)
		for i, m := range marks {
			shade := color.NRGBA{axisInk.R, axisInk.G, axisInk.B, uint8(255*g.Opacities[i] + 0.5)}
			c.dc.DrawGlyph(plot.Glyph{Color: shade, Radius: pixels(g.Diameters[i]) / 2}, c.point(m.center, y))
			c.dc.FillText(style, c.point(m.text, y), g.Names[i])
		}
	}
}
