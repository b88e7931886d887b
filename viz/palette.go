package viz

import (
	"fmt"
	"image/color"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

var (
	palette = look.Palette
	symbols = look.Symbols
	viridis = look.Viridis
)

// staticGlyphs[i] is the static counterpart of symbols[i].
var staticGlyphs = []plot.Shape{plot.Circle, plot.Triangle, plot.Box, plot.Diamond}

// white is the colour of a light page.
var white = color.NRGBA{0xff, 0xff, 0xff, 0xff}

// edgeWidth is the outline width in pixels of points that contrast little with the page.
const edgeWidth = 0.5

func classColor(k int) color.NRGBA { return look.Color(k) }

func classSymbol(k int) string { return look.Symbol(k) }

func css(c color.NRGBA) string { return look.CSS(c) }

// ramp returns the colour at t in [0, 1] on the Viridis scale.
func ramp(t float64) color.NRGBA { return look.Between(viridis, t) }

// diverging is a scale from blue through a neutral middle to orange. Readers with common
// colour-vision deficiencies can distinguish the two ends.
var diverging = []color.NRGBA{
	{0x08, 0x4a, 0x91, 0xff}, {0x4a, 0x98, 0xc9, 0xff}, {0xf2, 0xf0, 0xeb, 0xff}, {0xf0, 0x9c, 0x4f, 0xff}, {0xa8, 0x45, 0x08, 0xff},
}

var greys = []color.NRGBA{{0, 0, 0, 0xff}, {0xff, 0xff, 0xff, 0xff}}

// levels returns a table of 256 evenly spaced colours on the scale with the given stops.
func levels(stops []color.NRGBA) color.Palette {
	out := make(color.Palette, 256)
	for k := range out {
		out[k] = look.Between(stops, float64(k)/255)
	}
	return out
}

// plotInk is the colour of text and strokes in static pictures.
var plotInk = color.NRGBA{0x33, 0x33, 0x33, 0xff}

// faded converts a colour code of the page to a colour with the given opacity for a static picture.
// code is [chart.Ink] or has the form #rrggbb.
func faded(code string, opacity float64) color.NRGBA {
	c := plotInk
	if code != ink {
		fmt.Sscanf(code, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	}
	c.A = uint8(255 * opacity)
	return c
}
