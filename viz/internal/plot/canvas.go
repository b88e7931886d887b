package plot

import (
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
)

// Canvas is a picture to draw on, in one of several file formats.
type Canvas interface {
	// Fill paints the inside of a shape.
	Fill(Path, color.Color)
	// Stroke paints the outline of a shape.
	Stroke(Path, Line)
	// Text writes a line of text. Its baseline begins at the given point.
	Text(at Point, style Text, text string)
	// Image draws a picture in a rectangle.
	Image(Rectangle, image.Image)
	// WriteTo writes the file.
	io.WriterTo
}

// Text is the style of text. Size is the font size, and Rotation is in radians, counterclockwise.
// Edge is an outline of the letters. Half of its width is outside of the letters. An Edge of width
// 0 is invisible.
type Text struct {
	Color    color.Color
	Edge     Line
	Size     float64
	Bold     bool
	X        XAlign
	Y        YAlign
	Rotation float64
}

// XAlign is the horizontal alignment of text.
type XAlign int

// Left text begins at the anchor point, Middle text is centred on it, and Right text ends at it.
const (
	Left XAlign = iota
	Middle
	Right
)

// YAlign is the vertical alignment of text.
type YAlign int

// Above text is above the anchor point, Halfway text is centred on it, and Below text is below it.
const (
	Above YAlign = iota
	Halfway
	Below
)

// capital is the height of capital letters. ascent and descent are the largest extents of letters
// above and below the baseline. All are in em.
const (
	capital = 0.72
	ascent  = 0.81
	descent = 0.21
)

func (t Text) face() *face {
	if t.Bold {
		return bold()
	}
	return regular()
}

// Width returns the width of a line of text.
func (t Text) Width(text string) float64 {
	sum := 0.0
	for _, l := range t.letters(text) {
		sum += l.advance()
	}
	return t.Size * sum
}

// offset returns the vector from the anchor point of text to the start of its baseline, without
// rotation.
func (t Text) offset(text string) Point {
	return Point{-t.Width(text) * float64(t.X) / 2, t.Size * [...]float64{0.095, -capital / 2, -ascent}[t.Y]}
}

// Rectangle returns the extent of a line of text anchored at the origin, without rotation.
func (t Text) Rectangle(text string) Rectangle {
	from := t.offset(text)
	return Rectangle{from.Add(Point{0, -descent * t.Size}), from.Add(Point{t.Width(text), ascent * t.Size})}
}

// Area is a canvas with a rectangle on it, in which a plot or a legend symbol is drawn.
type Area struct {
	Canvas
	Rectangle
}

// StrokeLines draws straight lines between points. A line of width 0 is invisible.
func (a Area) StrokeLines(style Line, points ...Point) {
	if len(points) > 1 && style.Width > 0 {
		a.Stroke(Path{Points: points}, style)
	}
}

// FillPolygon paints the inside of a polygon.
func (a Area) FillPolygon(c color.Color, points ...Point) {
	if len(points) > 2 {
		a.Fill(Path{Points: points, Closed: true}, c)
	}
}

// FillText writes a line of text at a point with the alignment of its style.
func (a Area) FillText(style Text, at Point, text string) {
	if text == "" {
		return
	}
	by := style.offset(text)
	sin, cos := math.Sincos(style.Rotation)
	a.Text(at.Add(Point{cos*by.X - sin*by.Y, sin*by.X + cos*by.Y}), style, text)
}

// Shape is the shape of a glyph.
type Shape int

// The shapes of glyphs.
const (
	Circle Shape = iota
	Triangle
	Box
	Diamond
)

// Glyph is a symbol that marks a point. If Ring is not 0, only an outline of width Ring is drawn.
// Edge is a line around the glyph. Width 0 hides the edge.
type Glyph struct {
	Color  color.Color
	Radius float64
	Shape  Shape
	Ring   float64
	Edge   Line
}

// path returns the outline of a glyph at a point.
func (g Glyph) path(at Point) Path {
	var corners []Point
	r := g.Radius
	switch g.Shape {
	case Triangle:
		r *= 1.25
		corners = []Point{{0, r}, {-0.866 * r, -r / 2}, {0.866 * r, -r / 2}}
	case Box:
		r *= 0.854
		corners = []Point{{-r, -r}, {r, -r}, {r, r}, {-r, r}}
	case Diamond:
		r *= 1.2
		corners = []Point{{-r, 0}, {0, r}, {r, 0}, {0, -r}}
	default:
		return Path{Points: []Point{at}, Radius: r}
	}
	for k := range corners {
		corners[k] = corners[k].Add(at)
	}
	return Path{Points: corners, Closed: true}
}

// DrawGlyph marks a point.
func (a Area) DrawGlyph(g Glyph, at Point) {
	if g.Ring > 0 {
		a.Stroke(g.path(at), Line{Color: g.Color, Width: g.Ring})
	} else {
		a.Fill(g.path(at), g.Color)
	}
	if g.Edge.Width > 0 {
		a.Stroke(g.path(at), g.Edge)
	}
}

// Scaled returns a picture resized to the given size, at least one pixel in each direction.
// Shrinking averages pixels, and enlarging interpolates between them.
func Scaled(img image.Image, width, height int) *image.RGBA {
	width, height = max(width, 1), max(height, 1)
	r := img.Bounds()
	// tent describes how one pixel of the result is computed along an axis, as a weighted mean of
	// source pixels. It contains the index of the first source pixel, and the weights of this and
	// the following ones.
	type tent struct {
		first   int
		weights []float64
	}
	tents := func(from, to int) []tent {
		out := make([]tent, to)
		ratio := float64(from) / float64(to)
		reach := max(ratio, 1)
		for k := range out {
			middle := (float64(k)+0.5)*ratio - 0.5
			first, last := max(int(math.Ceil(middle-reach)), 0), min(int(math.Floor(middle+reach)), from-1)
			sum := 0.0
			out[k].first = first
			for i := first; i <= last; i++ {
				w := max(1-math.Abs(float64(i)-middle)/reach, 1e-9)
				out[k].weights = append(out[k].weights, w)
				sum += w
			}
			for i := range out[k].weights {
				out[k].weights[i] /= sum
			}
		}
		return out
	}
	columns, rows := tents(r.Dx(), width), tents(r.Dy(), height)
	// narrow is the source after its rows have been scaled to the width of the result. Each pixel
	// has red, green, blue and opacity.
	narrow := make([][4]float64, width*r.Dy())
	line := image.NewRGBA(image.Rect(0, 0, r.Dx(), 1))
	for y := range r.Dy() {
		draw.Draw(line, line.Rect, img, image.Pt(r.Min.X, r.Min.Y+y), draw.Src)
		for x, t := range columns {
			for i, w := range t.weights {
				for c, v := range line.Pix[4*(t.first+i):][:4] {
					narrow[y*width+x][c] += w * float64(v)
				}
			}
		}
	}
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y, t := range rows {
		for x := range width {
			var sum [4]float64
			for i, w := range t.weights {
				for c, v := range narrow[(t.first+i)*width+x] {
					sum[c] += w * v
				}
			}
			for c, v := range sum {
				out.Pix[y*out.Stride+4*x+c] = uint8(v + 0.5)
			}
		}
	}
	return out
}
