package viz

import (
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Many samples would be slow as points of a chart, and the last class would cover the others. The
// page therefore paints them itself, from positions of two bytes per coordinate: as a density in
// the mean colours of the classes, and as points after zooming in. WebGL is not used: browsers
// allow few WebGL canvases per page, and a loop over a million samples takes the time of a frame.

// manySamples is the largest number of samples of a panel that ECharts draws.
const manySamples = 20_000

// many reports whether the page paints the samples itself.
func (p *panel) many() bool { return p.paintable && len(p.rows) > manySamples }

// manyNote returns the line about values that painted samples do not show, or "".
func manyNote(panels ...*panel) string {
	for _, p := range panels {
		if p.many() && (p.sizes != nil || p.opacities != nil || len(p.facts) > 0 || p.style.density) {
			return "Above 20,000 samples only colour encodes values: PointSize, Opacity, Hover and Density have no effect."
		}
	}
	return ""
}

// mostRings is the largest number of labelled samples that are drawn as points with rings above
// painted samples.
const mostRings = 3000

// ringsAbove reports whether labelled samples are drawn above the others.
func (p *panel) ringsAbove() bool {
	count := 0
	p.each(func(g group, labelled int) {
		if labelled == 1 {
			count += len(g.rows[1])
		}
	})
	return count <= mostRings
}

// mostBroad is the largest number of samples that cover 2×2 pixels each.
const mostBroad = 300_000

// positions is the number of steps between the ends of a packed axis.
const positions = math.MaxUint16

// packed returns the drawn samples as the page unpacks them.
func (p *panel) packed() *chart.Many {
	series := make([]int, p.n)
	count := 0
	p.each(func(g group, labelled int) {
		for _, i := range g.rows[labelled] {
			series[i] = count
		}
		count++
	})
	var rows, x, y, of, values []byte
	all := len(p.rows) == p.n
	two := func(to []byte, v, lo, hi float64) []byte {
		share := 0.0
		if hi > lo {
			share = (v - lo) / (hi - lo)
		}
		return binary.LittleEndian.AppendUint16(to, uint16(positions*share+0.5))
	}
	drawn := 0
	for _, i := range p.rows {
		if !p.shows(i) {
			all = false
			continue
		}
		drawn++
		rows = binary.LittleEndian.AppendUint32(rows, uint32(i))
		x = two(x, p.at(i, 0), p.lo[0], p.hi[0])
		y = two(y, p.at(i, 1), p.lo[1], p.hi[1])
		if count > math.MaxUint8 {
			of = binary.LittleEndian.AppendUint16(of, uint16(series[i]))
		} else {
			of = append(of, uint8(series[i]))
		}
		if p.scaled() {
			if v := p.colors.columns[p.k].number[i]; math.IsNaN(v) {
				values = binary.LittleEndian.AppendUint16(values, positions)
			} else {
				values = binary.LittleEndian.AppendUint16(values, uint16((positions-1)*p.colors.share(v)+0.5))
			}
		}
	}
	text := base64.StdEncoding.EncodeToString
	out := &chart.Many{Count: drawn, X: text(x), Y: text(y), Of: text(of), From: p.lo, To: p.hi, Above: p.ringsAbove()}
	if !all {
		out.Rows = text(rows)
	}
	if values != nil {
		for _, c := range levels(p.style.palette.stops()) {
			out.Stops = append(out.Stops, css(color.NRGBAModel.Convert(c).(color.NRGBA)))
		}
		out.Values, out.Range = text(values), &[2]float64{p.colors.lo, p.colors.hi}
	}
	return out
}

// crowd draws many samples into a static picture by the rules of the page.
type crowd struct{ *panel }

// Draw implements [plot.Layer].
func (p crowd) Draw(c plot.Area, to *plot.Plot) {
	size := c.Max.Add(plot.Point{X: -c.Min.X, Y: -c.Min.Y})
	w, h := int(size.X/plot.Inch*dpi), int(size.Y/plot.Inch*dpi)
	if w < 1 || h < 1 {
		return
	}
	type cell struct{ count, r, g, b float64 }
	wide := w + 1 // with a margin for samples that cover 2×2 pixels
	cells := make([]cell, wide*(h+1))
	covered := []int{0}
	if len(p.rows) <= mostBroad {
		covered = []int{0, 1, wide, wide + 1}
	}
	seen, taken := 0, 0
	above := p.ringsAbove()
	p.each(func(g group, labelled int) {
		if labelled == 1 && above {
			return
		}
		for _, i := range g.rows[labelled] {
			if !p.shows(i) {
				continue
			}
			at := to.Place(c, plot.Point{X: p.at(i, 0), Y: p.at(i, 1)})
			x, y := int((at.X-c.Min.X)/size.X*float64(w)), int((c.Max.Y-at.Y)/size.Y*float64(h))
			if x < 0 || y < 0 || x >= w || y >= h {
				continue
			}
			tone := g.tone
			if g.scaled {
				tone = look.Between(p.style.palette.stops(), p.colors.share(p.colors.columns[p.k].number[i]))
			}
			for _, k := range covered {
				one := &cells[y*wide+x+k]
				if one.count == 0 {
					taken++
				}
				seen++
				one.count++
				one.r, one.g, one.b = one.r+float64(tone.R), one.g+float64(tone.G), one.b+float64(tone.B)
			}
		}
	})
	if seen == 0 {
		return
	}
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			if one := cells[y*wide+x]; one.count > 0 {
				picture.SetNRGBA(x, y, color.NRGBA{uint8(one.r / one.count), uint8(one.g / one.count), uint8(one.b / one.count), uint8(255 * shade(one.count, float64(seen)/float64(taken)))})
			}
		}
	}
	c.Canvas.Image(plot.Rectangle{Min: c.Min, Max: c.Max}, picture)
}

// shade returns the opacity of a pixel from its number of samples: 0.3 for one sample, then
// increasing with the logarithm to 1 at eight times the mean over occupied pixels.
func shade(count, mean float64) float64 {
	return min(0.3+0.7*math.Log(count)/math.Log(max(8*mean, 2)), 1)
}
