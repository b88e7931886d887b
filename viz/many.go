package viz

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// ECharts would be slow with many points, and the last class would cover the others. The page's
// script therefore paints many samples itself, from positions with two bytes per coordinate. It
// paints a density image, in which each pixel has the mean colour of its samples. After zooming in
// it paints points. The extension and exported pages use WebGL if it is available. Browsers allow
// few WebGL contexts, so a page has only one. In all other cases the script paints on the CPU.

// manySamples is the maximum number of samples of a panel that ECharts draws.
const manySamples = 20_000

// painted reports whether the page's script, rather than ECharts, paints the samples.
func (p *panel) painted() bool { return p.paintable && len(p.rows) > manySamples }

// manyNotes returns the lines that explain the sizes and opacities of painted samples. If the style
// asks for Density, another line says that it has no effect.
func manyNotes(panels ...*panel) []string {
	at := slices.IndexFunc(panels, func(p *panel) bool { return p.painted() })
	if at < 0 {
		return nil
	}
	var out []string
	p := panels[at]
	if a := p.sizes; a != nil {
		ends := a.ends()
		out = append(out, fmt.Sprintf("Sizes show %s, from %s (%v pixels) to %s (%v pixels) after zooming in. The overview draws smaller points.", a.name, ends[0], diameters[0], ends[1], diameters[1]))
	}
	if a := p.opacities; a != nil {
		ends := a.ends()
		out = append(out, fmt.Sprintf("Opacities show %s, from %s (palest) to %s (opaque).", a.name, ends[0], ends[1]))
	}
	if p.style.density {
		out = append(out, "With more than 20,000 samples, Density has no effect, because the figure already shows the density, in the colours of the samples.")
	}
	return out
}

// Painted samples have up to three layers: the samples that are not highlighted, the other samples
// and, above both, the labelled samples as points with rings. The static picture draws the second
// layer as points if it contains few highlighted samples. After zooming in, the page draws every
// layer as points.
const (
	mostRings = 3000   // maximum number of labelled samples for the third layer; if there are more, they are in the second
	mostDots  = 10_000 // maximum number of samples of a layer that are drawn as points
)

// ringsAbove reports whether labelled samples are drawn above the others.
func (p *panel) ringsAbove() bool {
	_, ringed := p.emphasised()
	return ringed <= mostRings
}

// emphasised returns the number of samples that are not faded, and how many of them have a ring.
func (p *panel) emphasised() (count, ringed int) {
	p.each(func(g group, labelled int) {
		if !g.faded {
			count += len(g.rows[labelled])
		}
		if labelled == 1 {
			ringed += len(g.rows[1])
		}
	})
	return count, ringed
}

// dotted returns a function that reports whether the static picture draws samples of a group as
// points. If labelled is 1, these are the samples with a ring; if it is 0, they are the others.
func (p *panel) dotted() func(g group, labelled int) bool {
	count, ringed := p.emphasised()
	return func(g group, labelled int) bool {
		return labelled == 1 && ringed <= mostRings || p.highlighted != nil && !g.faded && count <= mostDots
	}
}

// mostBroad is the maximum number of samples in a panel for which each sample covers 2×2 pixels.
// With more samples, each covers one pixel.
const mostBroad = 300_000

// If the style sets sizes, a sample covers 1 to mostCover pixels in each direction, or 1 to
// mostCover/2 in panels with more than mostBroad samples. It extends at most coverBefore pixels to
// the left of its position and above it.
const (
	mostCover   = 6
	coverBefore = 2
)

// fifths returns the diameter of sample i in fifths of a pixel. ok is false if the style sets no
// size.
func (p *panel) fifths(i int) (size uint8, ok bool) {
	diameter := p.size
	switch {
	case p.sizes != nil:
		diameter = interpolate(diameters, p.sizes.share(p.sizes.valueOrLow(p.k, i)))
	case p.style.size == nil:
		return 0, false
	}
	return uint8(5*diameter + 0.5), true
}

// covers returns the number of pixels that sample i covers in each direction.
func (p *panel) covers(i int) int {
	size, ok := p.fifths(i)
	usual, unit, most := 2, 15, mostCover
	if len(p.rows) > mostBroad {
		usual, unit, most = 1, 30, mostCover/2
	}
	if !ok {
		return usual
	}
	return min(max((2*int(size)+unit)/(2*unit), 1), most)
}

// weight returns the opacity of sample i in steps of 1/255.
func (p *panel) weight(i int) uint8 {
	g := group{faded: p.highlighted != nil && !p.highlighted[i]}
	share := p.pale(g, 1)
	if p.opacities != nil && !g.faded {
		share = interpolate(opacities, p.opacities.share(p.opacities.valueOrLow(p.k, i)))
	}
	return uint8(255*share + 0.5)
}

// positions is the number of steps between the ends of the drawn range of a coordinate.
const positions = math.MaxUint16

// packed returns the drawn samples in the form that the page's script paints.
func (p *panel) packed() *chart.Many {
	series := make([]int, p.n)
	count := 0
	p.each(func(g group, labelled int) {
		for _, i := range g.rows[labelled] {
			series[i] = count
		}
		count++
	})
	var rows, x, y, of, values, sizes, pale []byte
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
		if size, ok := p.fifths(i); ok && (p.sizes != nil || sizes == nil) {
			sizes = append(sizes, size)
		}
		if p.opacities != nil || p.highlighted != nil || p.opacity > 0 && pale == nil {
			pale = append(pale, p.weight(i))
		}
	}
	text := base64.StdEncoding.EncodeToString
	out := &chart.Many{Count: drawn, X: text(x), Y: text(y), Of: text(of), From: p.lo, To: p.hi, Faded: p.groups[0].faded, Above: p.ringsAbove(), Sizes: text(sizes), Opacities: text(pale)}
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

// crowd draws a layer of many samples into a static picture: either the faded groups or the others.
// It follows the same rules as the page.
type crowd struct {
	*panel
	faded bool
}

// Draw implements [plot.Layer].
func (p crowd) Draw(c plot.Area, to *plot.Plot) {
	size := c.Max.Add(plot.Point{X: -c.Min.X, Y: -c.Min.Y})
	w, h := int(size.X/plot.Inch*dpi), int(size.Y/plot.Inch*dpi)
	if w < 1 || h < 1 {
		return
	}
	type cell struct{ weight, r, g, b float64 }
	wide := w + mostCover // width of a row of pixels, with a margin for samples at the edges
	cells := make([]cell, wide*(h+mostCover))
	seen, taken := 0.0, 0
	dotted := p.dotted()
	p.each(func(g group, labelled int) {
		if g.faded != p.faded || dotted(g, labelled) {
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
			weight := float64(p.weight(i)) / 255
			side := p.covers(i)
			first := coverBefore - (side-1)/2
			for v := range side {
				row := cells[(y+first+v)*wide+x+first:][:side]
				for q := range row {
					one := &row[q]
					if one.weight == 0 {
						taken++
					}
					seen += weight
					one.weight += weight
					one.r, one.g, one.b = one.r+weight*float64(tone.R), one.g+weight*float64(tone.G), one.b+weight*float64(tone.B)
				}
			}
		}
	})
	if taken == 0 {
		return
	}
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			if one := cells[(y+coverBefore)*wide+x+coverBefore]; one.weight > 0 {
				picture.SetNRGBA(x, y, color.NRGBA{uint8(one.r / one.weight), uint8(one.g / one.weight), uint8(one.b / one.weight), uint8(255*shade(one.weight, seen/float64(taken)) + 0.5)})
			}
		}
	}
	c.Canvas.Image(plot.Rectangle{Min: c.Min, Max: c.Max}, picture)
}

// shade returns the opacity of a pixel from the total weight of its samples. The weight of a sample
// is 1, or less if the sample is pale. The opacity is 0.3 for weight 1, and less for smaller
// weights. Above 1 it increases with the logarithm of the weight, to 1 at eight times the mean
// weight of occupied pixels.
func shade(weight, mean float64) float64 {
	if weight < 1 {
		return 0.3 * math.Sqrt(weight)
	}
	return min(0.3+0.7*math.Log(weight)/math.Log(max(8*mean, 2)), 1)
}
