package viz

import (
	"fmt"
	"image/color"
	"image/png"
	"io"
	"strings"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// canvas is a static picture under construction. Lengths are in pixels of the page, except in types
// of package plot, which use points.
type canvas struct {
	dc    plot.Area // the whole picture
	boxes []box     // one for each panel
	right float64   // right end of the panels, where the legend begins
	foot  float64   // height of the space below the panels, for lines of text or legend entries
	high  bool      // true if the legend begins at the top, because a colour bar is below it
}

// dpi is the number of page pixels per inch: one point is 4/3 pixels.
const dpi = 96

// pixels converts pixels to points.
func pixels(px float64) float64 { return px * plot.Inch / dpi }

// Colours of the static picture, equal to the colours of the chart on a light page.
var (
	axisInk  = color.NRGBA{0x6e, 0x70, 0x79, 0xff}
	titleInk = color.NRGBA{0x46, 0x46, 0x46, 0xff}
	gridInk  = color.NRGBA{0xe0, 0xe6, 0xf1, 0xc0}
	frameInk = color.NRGBA{0xcc, 0xcc, 0xcc, 0xff}
	ringInk  = color.NRGBA{0x22, 0x22, 0x22, 0xff}
)

// texts returns the style of text with the given font size in pixels.
func texts(size float64, shade color.Color, x plot.XAlign, y plot.YAlign) plot.Text {
	return plot.Text{Color: shade, Size: pixels(size), X: x, Y: y}
}

// newCanvas returns a canvas for a sheet, with the title above the panels. Pixel pictures have a
// white background. Vector pictures have no background unless they are dark.
func newCanvas(on sheet) *canvas {
	w, h := pixels(float64(on.width)), pixels(float64(on.height))
	c := &canvas{right: float64(on.width)}
	c.dc.Max = plot.Point{X: w, Y: h}
	scale := on.millimeters / 25.4 * plot.Inch / w
	switch on.format {
	case "":
		c.dc.Canvas = plot.NewPixels(w, h, dpi)
	case ".svg":
		c.dc.Canvas = plot.NewSVG(w, h, scale)
	case ".pdf":
		c.dc.Canvas = plot.NewPDF(w, h, scale)
	case words:
		c.dc.Canvas = &plot.Words{}
	}
	if on.dark {
		c.dc.FillPolygon(nightGround, c.dc.Corners()...)
		c.dc.Canvas = night{c.dc.Canvas}
	}
	middle := c.right / 2
	if l := on.layout; l != nil {
		c.boxes = on.boxes()
		c.right -= l.Legend
		c.foot = l.Foot
		middle = (l.Left + c.right - l.Right) / 2
	}
	style := texts(14, titleInk, plot.Middle, plot.Below)
	style.Bold = true
	c.dc.FillText(style, c.point(middle, 9), fitting(on.title, style, 2*pixels(min(middle, float64(on.width)-middle)-4)))
	return c
}

// fitting returns the text, cut to the given width in points. A cut text ends with an ellipsis.
func fitting(text string, style plot.Text, width float64) string {
	r := []rune(text)
	for n := len(r) - 1; n > 0 && style.Width(text) > width; n-- {
		text = string(r[:n]) + "…"
	}
	return text
}

// point converts pixels from the upper left corner to a point of the canvas.
func (c *canvas) point(x, y float64) plot.Point {
	return plot.Point{X: c.dc.Min.X + pixels(x), Y: c.dc.Max.Y - pixels(y)}
}

// rectangle returns the part of the canvas that a box covers.
func (c *canvas) rectangle(b box) plot.Rectangle {
	lower, upper := c.point(b.x, b.y+b.h), c.point(b.x+b.w, b.y)
	return plot.Rectangle{Min: lower, Max: upper}
}

// caption writes a line of text centred above panel k.
func (c *canvas) caption(k int, text string) {
	b := c.boxes[k]
	c.dc.FillText(texts(12, titleInk, plot.Middle, plot.Below), c.point(b.x+b.w/2, b.y-20), short(text, (int(b.w)+16)/6))
}

// plot draws p with its axes and a frame in the box of panel k. It returns the area of the box.
func (c *canvas) plot(k int, p *plot.Plot) plot.Area {
	at := plot.Area{Canvas: c.dc.Canvas, Rectangle: c.rectangle(c.boxes[k])}
	p.Draw(at)
	corner := plot.Point{X: at.Min.X, Y: at.Max.Y}
	frame := []plot.Point{corner, at.Max, {X: at.Max.X, Y: at.Min.Y}}
	if p.Bare {
		frame = append(frame, at.Min, corner)
	}
	at.StrokeLines(plot.Line{Color: frameInk, Width: pixels(1)}, frame...)
	return at
}

// words is the format of the text form of a figure. A canvas with this format draws nothing. It
// only records characters without a glyph.
const words = "words"

// drawn returns the canvas of package plot. For a dark background it removes the wrapper [night].
func (c *canvas) drawn() plot.Canvas {
	if n, ok := c.dc.Canvas.(night); ok {
		return n.Canvas
	}
	return c.dc.Canvas
}

// lacks returns a sentence about characters that have no glyph, or that are not joined as their
// script requires. It returns "" if there are no such characters.
func (c *canvas) lacks() string {
	m, ok := c.drawn().(interface {
		Lacks() []rune
		Apart() bool
	})
	switch {
	case !ok:
		return ""
	case len(m.Lacks()) == 0 && m.Apart():
		return "PNG and PDF files draw Indic scripts, Tibetan, Burmese and Khmer letter by letter; the page and SVG files join their letters."
	case len(m.Lacks()) == 0:
		return ""
	}
	const most = 12
	chars, more := m.Lacks(), ""
	if len(chars) > most {
		chars, more = chars[:most], fmt.Sprintf(" and %d more", len(chars)-most)
	}
	return fmt.Sprintf("No font on this computer has the characters %s%s: PNG and PDF files show boxes instead, and the page and SVG files use the reader's fonts. Install a font that has them, such as Noto, or name its folder in SSDRNB_FONTS.",
		strings.Join(strings.Split(string(chars), ""), " "), more)
}

func (c *canvas) encode(w io.Writer) error {
	drawn := c.drawn()
	if picture, ok := drawn.(*plot.Pixels); ok {
		return png.Encode(w, reduced(picture.RGBA)) // the best compression would save few bytes and take 0.1 s more
	}
	_, err := c.dc.WriteTo(w)
	return err
}

// night wraps a canvas for a dark background. It lightens the colours of text and axes, and leaves
// the colours of data unchanged.
type night struct{ plot.Canvas }

var nightGround = color.NRGBA{0x11, 0x11, 0x11, 0xff}

// lit returns the colour of text and axes for a dark background. Other colours are unchanged.
func lit(c color.Color) color.Color {
	ink, ok := c.(color.NRGBA)
	if !ok {
		return c
	}
	for light, dark := range map[color.NRGBA]color.NRGBA{
		plotInk: {0xdd, 0xdd, 0xdd, 0}, axisInk: {0xb9, 0xb8, 0xce, 0}, titleInk: {0xee, 0xee, 0xee, 0}, gridInk: {0x48, 0x47, 0x53, 0}, frameInk: {0x55, 0x55, 0x55, 0},
		ringInk: {0xee, 0xee, 0xee, 0},
	} {
		if ink.R == light.R && ink.G == light.G && ink.B == light.B {
			return color.NRGBA{dark.R, dark.G, dark.B, ink.A}
		}
	}
	return c
}

// Fill implements [plot.Canvas].
func (n night) Fill(p plot.Path, c color.Color) { n.Canvas.Fill(p, lit(c)) }

// Stroke implements [plot.Canvas].
func (n night) Stroke(p plot.Path, l plot.Line) {
	l.Color = lit(l.Color)
	n.Canvas.Stroke(p, l)
}

// Text implements [plot.Canvas].
func (n night) Text(at plot.Point, t plot.Text, text string) {
	if t.Color = lit(t.Color); t.Edge.Width > 0 {
		t.Edge.Color = nightGround
	}
	n.Canvas.Text(at, t, text)
}

func newPlot(x, y string) *plot.Plot {
	return &plot.Plot{X: newAxis(x), Y: newAxis(y)}
}

func newAxis(name string) plot.Axis {
	line, text := plot.Line{Color: axisInk, Width: pixels(1)}, texts(12, axisInk, plot.Middle, plot.Below)
	return plot.Axis{Name: name, NameText: text, Line: line, Ticks: valueTicks{}, TickText: text, TickLine: line, Length: pixels(4)}
}

// grid adds grid lines to a plot, below everything else.
func grid(p *plot.Plot) { p.Add(plot.Grid{Line: plot.Line{Color: gridInk, Width: pixels(1)}}) }
