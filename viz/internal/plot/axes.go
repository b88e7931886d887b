package plot

import (
	"image"
	"image/color"
	"math"
)

// Tick is a mark on an axis. Ticks without a label are shorter than ticks with one.
type Tick struct {
	Value float64
	Label string
}

// Ticker returns the ticks of an axis from lo to hi.
type Ticker interface{ Ticks(lo, hi float64) []Tick }

// Ticks is a [Ticker] with the same ticks for all ranges.
type Ticks []Tick

// Ticks implements [Ticker].
func (t Ticks) Ticks(lo, hi float64) []Tick { return t }

// Axis is the horizontal or vertical axis of a plot.
type Axis struct {
	Min, Max float64
	Log      bool // logarithmic; requires positive Min and Max
	Name     string
	NameText Text
	Line     Line
	Ticks    Ticker
	TickText Text    // rotated labels of the horizontal axis end at their tick
	TickLine Line    // Line.Width 0 hides the ticks
	Length   float64 // length of a labelled tick; other ticks are half as long
}

// position returns the position of a value on the axis, 0 at Min and 1 at Max.
func (a *Axis) position(v float64) float64 {
	if a.Log { // the ratio of two values may overflow
		return (math.Log(v) - math.Log(a.Min)) / (math.Log(a.Max) - math.Log(a.Min))
	}
	return (v - a.Min) / (a.Max - a.Min)
}

// Layer is a part of a plot that is drawn in the coordinates of its axes, such as lines or points.
type Layer interface{ Draw(Area, *Plot) }

// Plot contains layers on two axes. If Bare is true, the axes are invisible.
type Plot struct {
	X, Y   Axis
	Bare   bool
	layers []Layer
}

// Add adds layers above the existing ones.
func (p *Plot) Add(layers ...Layer) { p.layers = append(p.layers, layers...) }

// Place converts a data point to its position in an area of the picture.
func (p *Plot) Place(a Area, v Point) Point {
	size := a.Size()
	return Point{a.Min.X + size.X*p.X.position(v.X), a.Min.Y + size.Y*p.Y.position(v.Y)}
}

func (p *Plot) places(a Area, values []Point) []Point {
	out := make([]Point, len(values))
	for k, v := range values {
		out[k] = p.Place(a, v)
	}
	return out
}

// Draw draws the layers in the area a, and the axes to the left of a and below it.
func (p *Plot) Draw(a Area) {
	if !p.Bare {
		p.drawX(a)
		p.drawY(a)
	}
	for _, l := range p.layers {
		l.Draw(a, p)
	}
}

// gap is the distance between a tick and its label.
const gap = 3

func (p *Plot) drawX(a Area) {
	y := a.Min.Y
	below := y
	for _, t := range p.X.Ticks.Ticks(p.X.Min, p.X.Max) {
		x := p.Place(a, Point{t.Value, p.Y.Min}).X
		if !a.contains(Point{x, a.Min.Y}) {
			continue
		}
		end := p.X.tick(a, t, Point{x, y}, Point{0, -1})
		style := p.X.TickText
		style.X, style.Y = Middle, Below
		if style.Rotation != 0 {
			style.X, style.Y = Right, Halfway
		}
		a.FillText(style, Point{x, end.Y - gap + 0.08*style.Size}, t.Label)
		below = min(below, end.Y-gap-style.Size)
	}
	a.StrokeLines(p.X.Line, a.Min, Point{a.Max.X, y})
	style := p.X.NameText
	style.X, style.Y = Middle, Below
	a.FillText(style, Point{a.Center().X, below - gap}, p.X.Name)
}

func (p *Plot) drawY(a Area) {
	x := a.Min.X
	left := x
	for _, t := range p.Y.Ticks.Ticks(p.Y.Min, p.Y.Max) {
		y := p.Place(a, Point{p.X.Min, t.Value}).Y
		if !a.contains(Point{a.Min.X, y}) {
			continue
		}
		end := p.Y.tick(a, t, Point{x, y}, Point{-1, 0})
		style := p.Y.TickText
		style.X, style.Y = Right, Halfway
		a.FillText(style, Point{end.X - gap, y}, t.Label)
		left = min(left, end.X-gap-style.Width(t.Label))
	}
	a.StrokeLines(p.Y.Line, a.Min, Point{x, a.Max.Y})
	style := p.Y.NameText
	style.X, style.Y, style.Rotation = Middle, Above, math.Pi/2
	a.FillText(style, Point{left - gap, a.Center().Y}, p.Y.Name)
}

// tick draws the tick t in the given direction. The argument at is the point where the tick starts.
// tick returns the point where a labelled tick would end, even if t has no label. If ticks are
// hidden, it draws nothing and returns the starting point.
func (a *Axis) tick(to Area, t Tick, at, direction Point) Point {
	if a.TickLine.Width == 0 {
		return at
	}
	end := func(length float64) Point { return at.Add(Point{length * direction.X, length * direction.Y}) }
	length := a.Length
	if t.Label == "" {
		length /= 2
	}
	to.StrokeLines(a.TickLine, at, end(length))
	return end(a.Length)
}

// Key draws the symbol of a legend entry into an area.
type Key interface{ Thumbnail(Area) }

// Grid draws lines at the labelled ticks of both axes.
type Grid struct{ Line }

// Draw implements [Layer].
func (g Grid) Draw(a Area, p *Plot) {
	for _, t := range p.X.Ticks.Ticks(p.X.Min, p.X.Max) {
		if at := p.Place(a, Point{t.Value, p.Y.Min}); a.contains(at) && t.Label != "" {
			a.StrokeLines(g.Line, at, Point{at.X, a.Max.Y})
		}
	}
	for _, t := range p.Y.Ticks.Ticks(p.Y.Min, p.Y.Max) {
		if at := p.Place(a, Point{p.X.Min, t.Value}); a.contains(at) && t.Label != "" {
			a.StrokeLines(g.Line, at, Point{a.Max.X, at.Y})
		}
	}
}

// Polyline joins points by lines.
type Polyline struct {
	Points []Point
	Line
}

// Draw implements [Layer].
func (l Polyline) Draw(a Area, p *Plot) {
	for _, part := range clipLine(a.Rectangle, p.places(a, l.Points)) {
		a.StrokeLines(l.Line, part...)
	}
}

// Thumbnail implements [Key].
func (l Polyline) Thumbnail(a Area) {
	y := a.Center().Y
	a.StrokeLines(l.Line, Point{a.Min.X, y}, Point{a.Max.X, y})
}

// Polygon is a filled polygon.
type Polygon struct {
	Points []Point
	Color  color.Color
}

// Draw implements [Layer].
func (g Polygon) Draw(a Area, p *Plot) {
	a.FillPolygon(g.Color, clipPolygon(a.Rectangle, p.places(a, g.Points))...)
}

// Scatter draws a glyph at each point: Each(k) at point k, or Glyph at all points if Each is nil.
// Points outside of the area are not drawn.
type Scatter struct {
	Points []Point
	Glyph  Glyph
	Each   func(k int) Glyph
}

// Draw implements [Layer].
func (s Scatter) Draw(a Area, p *Plot) {
	for k, at := range p.places(a, s.Points) {
		if !a.contains(at) {
			continue
		}
		if s.Each != nil {
			s.Glyph = s.Each(k)
		}
		if on, ok := a.Canvas.(*Pixels); ok {
			at = on.whole(at)
		}
		a.DrawGlyph(s.Glyph, at)
	}
}

// Thumbnail implements [Key].
func (s Scatter) Thumbnail(a Area) { a.DrawGlyph(s.Glyph, a.Center()) }

// Whiskers are error bars: vertical lines with caps, from Spread below to Spread above each point.
type Whiskers struct {
	Points []Point
	Spread []float64
	Cap    float64 // width of a cap in points
	Line
}

// Draw implements [Layer].
func (w Whiskers) Draw(a Area, p *Plot) {
	for k, v := range w.Points {
		ends := p.places(a, []Point{{v.X, v.Y - w.Spread[k]}, {v.X, v.Y + w.Spread[k]}})
		for _, part := range clipLine(a.Rectangle, ends) {
			a.StrokeLines(w.Line, part...)
		}
		for _, end := range ends {
			if a.contains(end) {
				a.StrokeLines(w.Line, end.Add(Point{-w.Cap / 2, 0}), end.Add(Point{w.Cap / 2, 0}))
			}
		}
	}
}

// Image is a picture that fills the rectangle At, in data coordinates.
type Image struct {
	Picture image.Image
	At      Rectangle
}

// Draw implements [Layer].
func (i Image) Draw(a Area, p *Plot) {
	a.Canvas.Image(Rectangle{p.Place(a, i.At.Min), p.Place(a, i.At.Max)}, i.Picture)
}

// Label is the text Name at the data point At.
type Label struct {
	At   Point
	Text Text
	Name string
}

// Draw implements [Layer].
func (l Label) Draw(a Area, p *Plot) { a.FillText(l.Text, p.Place(a, l.At), l.Name) }
