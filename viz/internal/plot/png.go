package plot

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
)

// Pixels is a canvas of pixels.
type Pixels struct {
	*image.RGBA
	scale  float64 // pixels per point
	raster vector.Rasterizer
	Lacking
}

// NewPixels returns a white canvas of the given width and height in points, with dpi pixels per
// inch.
func NewPixels(width, height, dpi float64) *Pixels {
	scale := dpi / Inch
	p := &Pixels{RGBA: image.NewRGBA(image.Rect(0, 0, int(width*scale+0.5), int(height*scale+0.5))), scale: scale}
	draw.Draw(p.RGBA, p.Rect, image.White, image.Point{}, draw.Src)
	return p
}

// WriteTo writes a PNG file.
func (p *Pixels) WriteTo(w io.Writer) (int64, error) {
	c := counter{w: w}
	err := png.Encode(&c, p.RGBA)
	return c.written, err
}

// counter is a writer that counts the bytes written to it.
type counter struct {
	w       io.Writer
	written int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.written += int64(n)
	return n, err
}

// pixel converts a point to pixel coordinates, measured from the upper left corner.
func (p *Pixels) pixel(at Point) Point {
	return Point{at.X * p.scale, float64(p.Rect.Max.Y) - at.Y*p.scale}
}

// whole returns the centre of the pixel that contains a point, in points. If equal glyphs are drawn
// at pixel centres, their pixels are identical. This halves the size of a file with many glyphs.
func (p *Pixels) whole(at Point) Point {
	q := p.pixel(at)
	by := Point{math.Floor(q.X) + 0.5 - q.X, q.Y - math.Floor(q.Y) - 0.5}
	return Point{at.X + by.X/p.scale, at.Y + by.Y/p.scale}
}

// polygons paints the inside of polygons with coordinates in pixels. A polygon inside another one
// is a hole if its orientation is opposite.
func (p *Pixels) polygons(shapes [][]Point, c color.Color) {
	box := p.box(shapes)
	const small, band = 64, 8
	if box.Dx() <= small || box.Dy() <= small {
		p.paint(shapes, box, c)
		return
	}
	// The rasterizer takes time proportional to the area of the bounding box, and a slanted line
	// covers little of its bounding box. Shapes are therefore painted in bands of a few rows, which
	// have smaller bounding boxes.
	for y := box.Min.Y; y < box.Max.Y; y += band {
		rows := Rectangle{Point{float64(box.Min.X) - 1e6, float64(y)}, Point{float64(box.Max.X) + 1e6, float64(y + band)}}
		var parts [][]Point
		for _, s := range shapes {
			if part := clipPolygon(rows, s); part != nil {
				parts = append(parts, part)
			}
		}
		p.paint(parts, p.box(parts).Intersect(image.Rect(box.Min.X, y, box.Max.X, min(y+band, box.Max.Y))), c)
	}
}

// box returns the bounding box of shapes in pixels.
func (p *Pixels) box(shapes [][]Point) image.Rectangle {
	lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, s := range shapes {
		for _, at := range s {
			lo, hi = Point{min(lo.X, at.X), min(lo.Y, at.Y)}, Point{max(hi.X, at.X), max(hi.Y, at.Y)}
		}
	}
	size := p.Rect.Max
	pixel := func(v float64, most int) int { return int(math.Floor(min(max(v, -1), float64(most)))) }
	return image.Rectangle{Min: image.Pt(pixel(lo.X, size.X), pixel(lo.Y, size.Y)), Max: image.Pt(pixel(hi.X, size.X)+1, pixel(hi.Y, size.Y)+1)}.Intersect(p.Rect)
}

// paint paints shapes inside a rectangle of pixels.
func (p *Pixels) paint(shapes [][]Point, box image.Rectangle, c color.Color) {
	if box.Empty() {
		return
	}
	p.raster.Reset(box.Dx(), box.Dy())
	for _, s := range shapes {
		for k, at := range s {
			x, y := float32(at.X-float64(box.Min.X)), float32(at.Y-float64(box.Min.Y))
			if k == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	p.raster.Draw(p.RGBA, box, image.NewUniform(c), image.Point{})
}

// flat converts a shape to a polygon or polyline in pixels. Circles become polygons.
func (p *Pixels) flat(path Path) []Point {
	if path.Radius > 0 {
		return circle(p.pixel(path.Points[0]), path.Radius*p.scale)
	}
	out := make([]Point, len(path.Points), len(path.Points)+1)
	for k, at := range path.Points {
		out[k] = p.pixel(at)
	}
	return out
}

// circle returns a polygon inscribed in a circle. It deviates from the circle by less than a third
// of a pixel.
func circle(middle Point, radius float64) []Point {
	out := make([]Point, 8+4*int(math.Sqrt(radius)))
	for k := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(len(out)))
		out[k] = Point{middle.X + radius*cos, middle.Y + radius*sin}
	}
	return out
}

// Fill implements [Canvas].
func (p *Pixels) Fill(path Path, c color.Color) { p.polygons([][]Point{p.flat(path)}, c) }

// Stroke implements [Canvas].
func (p *Pixels) Stroke(path Path, style Line) {
	points := p.flat(path)
	if path.Closed || path.Radius > 0 {
		points = append(points, points[0])
	}
	dashes := make([]float64, len(style.Dashes))
	for k, d := range style.Dashes {
		dashes[k] = d * p.scale
	}
	half := style.Width * p.scale / 2
	var shapes [][]Point
	for _, line := range dashed(points, dashes) {
		shapes = append(shapes, band(line, half)...)
	}
	p.polygons(shapes, style.Color)
}

// band returns the area that a stroke of width 2·half along a polyline covers: one rectangle per
// line segment and one triangle at the outer side of each corner.
func band(line []Point, half float64) [][]Point {
	var out [][]Point
	var before, first Point // normals of the previous and of the first segment, of length half
	corner := func(at, a, b Point) {
		switch turn := a.X*b.Y - a.Y*b.X; {
		case turn > 0:
			out = append(out, []Point{at, {at.X - a.X, at.Y - a.Y}, {at.X - b.X, at.Y - b.Y}})
		case turn < 0:
			out = append(out, []Point{at, at.Add(b), at.Add(a)})
		}
	}
	for k := 1; k < len(line); k++ {
		a, b := line[k-1], line[k]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		if length == 0 {
			continue
		}
		n := Point{-(b.Y - a.Y) / length * half, (b.X - a.X) / length * half}
		out = append(out, []Point{{a.X - n.X, a.Y - n.Y}, {b.X - n.X, b.Y - n.Y}, b.Add(n), a.Add(n)})
		corner(a, before, n)
		if before = n; first == (Point{}) {
			first = n
		}
	}
	if len(line) > 2 && line[0] == line[len(line)-1] {
		corner(line[0], before, first)
	}
	return out
}

// Text implements [Canvas].
func (p *Pixels) Text(at Point, style Text, text string) {
	size := style.Size * p.scale
	sin, cos := math.Sincos(style.Rotation)
	from, x := p.pixel(at), 0.0
	letters := style.letters(text)
	p.note(letters)
	var shapes [][]Point
	for _, l := range letters {
		shapes = append(shapes, l.shapes(func(v Point) Point {
			u, w := size*(v.X+x), size*v.Y
			return Point{from.X + cos*u - sin*w, from.Y - sin*u - cos*w}
		})...)
		x += l.advance()
	}
	if style.Edge.Width > 0 {
		var edge [][]Point
		for _, s := range shapes {
			edge = append(edge, band(append(s, s[0]), style.Edge.Width*p.scale/2)...)
		}
		p.polygons(edge, style.Edge.Color)
	}
	p.polygons(shapes, style.Color)
}

// curve converts a contour of a glyph to a polygon. The function place converts points of the
// contour to the coordinates of the result.
func curve(contour []vertex, place func(Point) Point) []Point {
	between := func(a, b Point) Point { return Point{(a.X + b.X) / 2, (a.Y + b.Y) / 2} }
	n := len(contour)
	last := contour[n-1]
	from := last.Point // start of the first line or parabola
	if !last.onCurve {
		from = between(last.Point, contour[0].Point)
		if contour[0].onCurve {
			from = contour[0].Point
		}
	}
	out := []Point{place(from)}
	for k, v := range contour {
		if v.onCurve {
			from = v.Point
			out = append(out, place(from))
			continue
		}
		to := contour[(k+1)%n]
		end := to.Point
		if !to.onCurve {
			end = between(v.Point, to.Point)
		}
		const steps = 4
		for s := 1; s <= steps; s++ {
			t := float64(s) / steps
			a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
			out = append(out, place(Point{a*from.X + b*v.X + c*end.X, a*from.Y + b*v.Y + c*end.Y}))
		}
		from = end
	}
	return out
}

// Image implements [Canvas].
func (p *Pixels) Image(r Rectangle, img image.Image) {
	upper, lower := p.pixel(Point{r.Min.X, r.Max.Y}), p.pixel(Point{r.Max.X, r.Min.Y})
	at := image.Rect(int(math.Round(upper.X)), int(math.Round(upper.Y)), int(math.Round(lower.X)), int(math.Round(lower.Y)))
	if at.Empty() || img.Bounds().Empty() {
		return
	}
	draw.Draw(p.RGBA, at, Scaled(img, at.Dx(), at.Dy()), image.Point{}, draw.Over)
}
