package viz

import (
	"fmt"
	"image/color"
)

// palette holds the colours of the classes: the set of Okabe and Ito, which readers
// with common colour-vision deficiencies can distinguish, without black, which vanishes
// in the dark theme, and with three more. From the eleventh class on, colours repeat
// with another symbol.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0xb5, 0xa6, 0x00, 0xff}, {0x7a, 0x5c, 0x99, 0xff},
	{0x8c, 0x8c, 0x8c, 0xff}, {0x6b, 0x8e, 0x5a, 0xff},
}

// noClass is the colour of samples whose class is not known.
var noClass = color.NRGBA{0x9a, 0x9a, 0x9a, 0xff}

var symbols = []string{"circle", "triangle", "rect", "diamond"}

// classColor returns the colour of the k-th class.
func classColor(k int) color.NRGBA { return palette[k%len(palette)] }

// classSymbol returns the ECharts symbol of the k-th class.
func classSymbol(k int) string { return symbols[k/len(palette)%len(symbols)] }

func css(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// viridis runs from low to high for meshes and heat maps.
var viridis = []color.NRGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x41, 0x44, 0x87, 0xff}, {0x2a, 0x78, 0x8e, 0xff},
	{0x22, 0xa8, 0x84, 0xff}, {0x7a, 0xd1, 0x51, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// diverging runs from blue through a neutral middle to orange; readers with any common
// colour vision can distinguish the two ends.
var diverging = []color.NRGBA{
	{0x08, 0x4a, 0x91, 0xff}, {0x4a, 0x98, 0xc9, 0xff}, {0xf2, 0xf0, 0xeb, 0xff}, {0xf0, 0x9c, 0x4f, 0xff}, {0xa8, 0x45, 0x08, 0xff},
}

// greys runs from black to white.
var greys = []color.NRGBA{{0, 0, 0, 0xff}, {0xff, 0xff, 0xff, 0xff}}

// ramp returns the colour at t in [0, 1].
func ramp(t float64) color.NRGBA { return between(viridis, t) }

// between returns the colour at t in [0, 1] of evenly spaced stops.
func between(stops []color.NRGBA, t float64) color.NRGBA {
	t = min(max(t, 0), 1) * float64(len(stops)-1)
	k := min(int(t), len(stops)-2)
	f := t - float64(k)
	a, b := stops[k], stops[k+1]
	mix := func(x, y uint8) uint8 { return uint8(float64(x)*(1-f) + float64(y)*f + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// levels are 256 colours from the first to the last stop.
func levels(stops []color.NRGBA) color.Palette {
	out := make(color.Palette, 256)
	for k := range out {
		out[k] = between(stops, float64(k)/255)
	}
	return out
}

// plotInk is the colour of text and strokes in static pictures, which are white.
var plotInk = color.NRGBA{0x33, 0x33, 0x33, 0xff}

// faded converts a colour code of the script for a static picture, with an opacity.
func faded(code string, opacity float64) color.NRGBA {
	c := plotInk
	if code != ink {
		fmt.Sscanf(code, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	}
	c.A = uint8(255 * opacity)
	return c
}
