package viz

import (
	"image/color"
	"image/png"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// canvas is a static picture under construction: a grid of plots under a title.
type canvas struct {
	img *vgimg.Canvas
	dc  draw.Canvas
}

// dpi makes one point of gonum/plot three quarters of a pixel of the page.
const dpi = 96

func pixels(px int) vg.Length { return vg.Length(px) * vg.Inch / dpi }

// newCanvas returns a white canvas with the figure's title at its top.
func newCanvas(f Figure) *canvas {
	img := vgimg.NewWith(vgimg.UseWH(pixels(f.width), pixels(f.height)), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	c := &canvas{img: img, dc: draw.New(img)}
	style := plot.DefaultTextHandler
	face := draw.TextStyle{Color: color.Gray{0x33}, Font: font.From(plot.DefaultFont, 13), XAlign: draw.XCenter, YAlign: draw.YTop, Handler: style}
	c.dc.FillText(face, vg.Point{X: c.dc.Center().X, Y: c.dc.Max.Y - 6}, f.title)
	c.dc = draw.Crop(c.dc, 6, -10, 6, -28)
	return c
}

// tile is the place of the k-th plot, with across plots in a row.
func (c *canvas) tile(k, across, down int) draw.Canvas {
	return draw.Tiles{Rows: down, Cols: across, PadX: 14, PadY: 8}.At(c.dc, k%across, k/across)
}

// tiles draws plots row by row.
func (c *canvas) tiles(across, down int, plots ...*plot.Plot) {
	for k, p := range plots {
		p.Draw(c.tile(k, across, down))
	}
}

func (c *canvas) encode(w io.Writer) error {
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, reduced(c.img.Image()))
}

// newPlot returns a plot with axis names.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size = 11
	p.X.Tick.Marker, p.Y.Tick.Marker = valueTicks{}, valueTicks{}
	return p
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
