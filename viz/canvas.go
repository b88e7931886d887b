package viz

import (
	"image/color"
	"image/png"
	"io"
	"math"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// canvas is a static picture under construction.
type canvas struct {
	out   vg.Canvas   // of pixels, or of a vector format
	dc    draw.Canvas // the whole picture
	boxes []box       // the panels' places
	right float64     // the border of the panels, where the legend begins
	high  bool        // the legend begins at the top, because something stands below it
}

// dpi makes one point of gonum/plot three quarters of a pixel of the page.
const dpi = 96

func pixels(px float64) vg.Length { return vg.Length(px) * vg.Inch / dpi }

// Colours and sizes of the static picture are those of the chart on a light page.
var (
	axisInk  = color.NRGBA{0x6e, 0x70, 0x79, 0xff}
	titleInk = color.NRGBA{0x46, 0x46, 0x46, 0xff}
	gridInk  = color.NRGBA{0xe0, 0xe6, 0xf1, 0xc0}
	frameInk = color.NRGBA{0xcc, 0xcc, 0xcc, 0xff}
)

// sans is the typeface of static pictures, of a size in pixels.
func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: pixels(size)}
}

// texts is the style of text of a size in pixels.
func texts(size float64, shade color.Color, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{Color: shade, Font: sans(size), XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// newCanvas returns a canvas, white unless it is of a vector format, with the figure's title above its panels.
func newCanvas(f Figure) *canvas {
	w, h := pixels(float64(f.width)), pixels(float64(f.height))
	c := &canvas{right: float64(f.width)}
	scale := vg.Length(f.millimeters) * vg.Millimeter / w
	switch f.vector {
	case "":
		c.out = vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	case ".svg":
		c.out = vgsvg.New(w*scale, h*scale)
	case ".pdf":
		c.out = pdf{vgpdf.New(w*scale, h*scale)}
	}
	if f.vector != "" {
		c.out.Scale(float64(scale), float64(scale))
	}
	c.dc = draw.Canvas{Canvas: c.out, Rectangle: vg.Rectangle{Max: vg.Point{X: w, Y: h}}}
	middle := c.right / 2
	if l := f.layout; l != nil {
		c.boxes = f.boxes()
		c.right -= l.Legend
		middle = (l.Left + c.right - l.Right) / 2
	}
	style := texts(14, titleInk, draw.XCenter, draw.YTop)
	style.Font.Weight = stdfont.WeightBold
	c.dc.FillText(style, c.at(middle, 6), f.title)
	return c
}

// at turns pixels from the top left corner into a place of the canvas.
func (c *canvas) at(x, y float64) vg.Point {
	return vg.Point{X: c.dc.Min.X + pixels(x), Y: c.dc.Max.Y - pixels(y)}
}

// rectangle is the part of the canvas that a box covers.
func (c *canvas) rectangle(b box) vg.Rectangle {
	lower, upper := c.at(b.x, b.y+b.h), c.at(b.x+b.w, b.y)
	return vg.Rectangle{Min: lower, Max: upper}
}

// caption writes a line centred above panel k.
func (c *canvas) caption(k int, text string) {
	b := c.boxes[k]
	c.dc.FillText(texts(12, titleInk, draw.XCenter, draw.YTop), c.at(b.x+b.w/2, b.y-20), short(text, int(b.w)+72))
}

// plot draws p with its data area in the place of panel k, and a frame around it.
func (c *canvas) plot(k int, p *plot.Plot) draw.Canvas {
	want := c.rectangle(c.boxes[k])
	at := draw.Canvas{Canvas: c.dc.Canvas, Rectangle: want}
	for range 2 { // labels lie outside of the data area
		in := p.DataCanvas(at)
		at.Min = at.Min.Add(want.Min.Sub(in.Min))
		at.Max = at.Max.Add(want.Max.Sub(in.Max))
	}
	p.Draw(at)
	in := draw.Canvas{Canvas: c.dc.Canvas, Rectangle: want}
	frame := []vg.Point{{X: want.Min.X, Y: want.Max.Y}, want.Max, {X: want.Max.X, Y: want.Min.Y}}
	if p.X.Width == 0 { // there are no axes
		frame = append(frame, want.Min, frame[0])
	}
	c.dc.StrokeLines(draw.LineStyle{Color: frameInk, Width: pixels(1)}, frame)
	return in
}

func (c *canvas) encode(w io.Writer) error {
	if file, ok := c.out.(io.WriterTo); ok { // of a vector format
		_, err := file.WriteTo(w)
		return err
	}
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, reduced(c.out.(*vgimg.Canvas).Image()))
}

// newPlot returns a plot with axis names. Its axes lie at the edge of the panel.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding, a.Color, a.Width = 0, axisInk, pixels(1)
		a.Tick.LineStyle.Color, a.Tick.LineStyle.Width, a.Tick.Length = axisInk, pixels(1), pixels(4)
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = sans(12), axisInk
		a.Tick.Label.Font, a.Tick.Label.Color = sans(12), axisInk
		a.Tick.Marker = valueTicks{}
	}
	return p
}

// grid adds the lines of the ticks to a plot, below everything else.
func grid(p *plot.Plot) {
	lines := plotter.NewGrid()
	lines.Vertical = draw.LineStyle{Color: gridInk, Width: pixels(1)}
	lines.Horizontal = lines.Vertical
	p.Add(lines)
}

// round rounds v to what a screen can show: 1/10,000 of the scale.
func round(v, scale float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(scale))-4)
	r := math.Round(v/step) * step
	// Shortest decimal of the rounded number, not 0.30000000000000004.
	digits := math.Pow(10, math.Max(0, -math.Floor(math.Log10(step))))
	r = math.Round(r*digits)/digits + 0 // never −0
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return v // the scale is zero, or its steps overflow
	}
	return r
}
