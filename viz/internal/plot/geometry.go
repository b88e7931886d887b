// Package plot draws static pictures as PNG, SVG or PDF: points, lines, areas, text and images on
// axes. The package is small because it is linked into every notebook cell that draws a figure.
//
// Lengths are in points (1/72 inch). The origin is the lower left corner.
package plot

import (
	"image/color"
	"math"
)

// Inch is an inch in points.
const Inch = 72

// Point is a point of a picture, or a data point of a plot.
type Point struct{ X, Y float64 }

// Add returns the sum of two vectors.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Rectangle is the rectangle between the corners Min and Max.
type Rectangle struct{ Min, Max Point }

// Size returns the width and height.
func (r Rectangle) Size() Point { return Point{r.Max.X - r.Min.X, r.Max.Y - r.Min.Y} }

// Center returns the middle.
func (r Rectangle) Center() Point { return Point{(r.Min.X + r.Max.X) / 2, (r.Min.Y + r.Max.Y) / 2} }

// Add returns the rectangle moved by a vector.
func (r Rectangle) Add(p Point) Rectangle { return Rectangle{r.Min.Add(p), r.Max.Add(p)} }

// Corners returns the corners counterclockwise from the lower left.
func (r Rectangle) Corners() []Point {
	return []Point{r.Min, {r.Max.X, r.Min.Y}, r.Max, {r.Min.X, r.Max.Y}}
}

// contains reports whether a point is inside, with a tolerance for rounding errors.
func (r Rectangle) contains(p Point) bool {
	const slack = 1e-6
	return p.X >= r.Min.X-slack && p.X <= r.Max.X+slack && p.Y >= r.Min.Y-slack && p.Y <= r.Max.Y+slack
}

// Path is a polyline, a polygon, or a circle.
type Path struct {
	Points []Point
	Closed bool
	Radius float64 // radius of a circle around a single point; 0 for lines
}

// Line is the style of lines. Dashes contains alternating lengths of dashes and gaps.
type Line struct {
	Color  color.Color
	Width  float64
	Dashes []float64
}

// clipLine returns the parts of a polyline inside a rectangle.
func clipLine(r Rectangle, points []Point) [][]Point {
	var out [][]Point
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		from, to := 0.0, 1.0
		for _, side := range [][2]float64{{a.X - b.X, a.X - r.Min.X}, {b.X - a.X, r.Max.X - a.X}, {a.Y - b.Y, a.Y - r.Min.Y}, {b.Y - a.Y, r.Max.Y - a.Y}} {
			switch t := side[1] / side[0]; {
			case side[0] == 0 && side[1] < 0:
				to = -1
			case side[0] < 0:
				from = max(from, t)
			case side[0] > 0:
				to = min(to, t)
			}
		}
		if !(from <= to) {
			continue
		}
		between := func(t float64) Point { return Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)} }
		if last := len(out) - 1; from == 0 && last >= 0 && out[last][len(out[last])-1] == a {
			out[last] = append(out[last], between(to))
		} else {
			out = append(out, []Point{between(from), between(to)})
		}
	}
	return out
}

// clipPolygon returns the part of a polygon inside a rectangle.
func clipPolygon(r Rectangle, points []Point) []Point {
	for _, inside := range []func(Point) float64{
		func(p Point) float64 { return p.X - r.Min.X }, func(p Point) float64 { return r.Max.X - p.X },
		func(p Point) float64 { return p.Y - r.Min.Y }, func(p Point) float64 { return r.Max.Y - p.Y }} {
		kept := make([]Point, 0, len(points)+2)
		for k, b := range points {
			a := points[(k+len(points)-1)%len(points)]
			from, to := inside(a), inside(b)
			if (from < 0) != (to < 0) {
				t := from / (from - to)
				kept = append(kept, Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)})
			}
			if to >= 0 {
				kept = append(kept, b)
			}
		}
		points = kept
	}
	if len(points) == 0 {
		return nil
	}
	return points
}

// dashed divides a polyline into its dashes. dashes contains alternating lengths of dashes and
// gaps; if it is empty, the result is the whole polyline.
func dashed(points []Point, dashes []float64) [][]Point {
	total := 0.0
	for _, d := range dashes {
		total += d
	}
	if !(total > 0) || len(points) == 0 {
		return [][]Point{points}
	}
	var out [][]Point
	k, left := 0, dashes[0]
	piece := []Point{points[0]}
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		for at := 0.0; at < length; {
			step := min(left, length-at)
			at, left = at+step, left-step
			here := Point{a.X + at/length*(b.X-a.X), a.Y + at/length*(b.Y-a.Y)}
			if k%2 == 0 {
				piece = append(piece, here)
			}
			if left > 0 {
				continue
			}
			if k%2 == 0 {
				out = append(out, piece)
			}
			k++
			left, piece = dashes[k%len(dashes)], []Point{here}
		}
	}
	if k%2 == 0 && len(piece) > 1 {
		out = append(out, piece)
	}
	return out
}
