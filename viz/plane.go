package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Palette is a colour scale.
type Palette int

const (
	// Viridis runs from dark blue to yellow.
	Viridis Palette = iota
	// Gray runs from black to white.
	Gray
	// Diverging is a scale from blue through white to orange. White is at zero, and the range is
	// symmetric about zero.
	Diverging
)

func (p Palette) stops() []color.NRGBA {
	switch p {
	case Gray:
		return greys
	case Diverging:
		return diverging
	}
	return viridis
}

// Plane is a function over a rectangle, for [Field]. [Around] returns a Plane without values.
type Plane struct {
	Title string
	// X is the range from left to right, and Y is the range from bottom to top.
	X, Y [2]float64
	// Values[r][c] is the value in a cell of a regular grid. Row 0 is at the bottom.
	Values [][]float64
	// Classes[r][c] is the class of a cell, for planes without Values; −1 means no class.
	Classes [][]int
	// Measure is the name of the quantity in Values.
	Measure string
	Palette Palette
	// Samples are drawn on top of the plane; nil for none.
	Samples Embedded
	// Path is drawn as a line above the samples. It is a matrix with one row per position and two
	// columns, or nil for no path.
	Path *mat.Dense

	err error
}

// Around returns a plane around the first two dimensions of the samples, with a margin of 10 % on
// each side. [Plane.Value] and [Plane.Class] fill the plane.
func Around(m Embedded) Plane {
	if absent(m) {
		return Plane{Samples: (*ssdrnb.Model)(nil)} // Field reports that there is no model
	}
	p := Plane{Samples: m}
	if m.Embedding() == nil {
		return p
	}
	y := m.Embedding()
	n, d := y.Dims()
	for k, to := range []*[2]float64{&p.X, &p.Y} {
		if n == 0 || k >= d {
			continue
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range n {
			lo, hi = min(lo, y.At(i, k)), max(hi, y.At(i, k))
		}
		to[0], to[1] = padded(lo, hi, 0.1)
	}
	return p
}

// points returns the cell centres of a grid as a matrix with one row per cell and two columns. The
// cells are ordered by grid row, from the lowest up, and within a grid row from left to right.
// points returns nil unless columns and rows are from 1 to 1,000.
func (p Plane) points(columns, rows int) *mat.Dense {
	if gridError(columns, rows) != nil {
		return nil
	}
	out := mat.NewDense(columns*rows, 2, nil)
	for r := range rows {
		for c := range columns {
			out.SetRow(r*columns+c, []float64{
				p.X[0] + (float64(c)+0.5)/float64(columns)*(p.X[1]-p.X[0]),
				p.Y[0] + (float64(r)+0.5)/float64(rows)*(p.Y[1]-p.Y[0])})
		}
	}
	// If the samples are drawn in the space of their features, the coordinates are scaled features.
	// Mark them as scaled, so that a model does not scale them again.
	if s := p.Samples; !absent(s) && s.Data() != nil && s.Embedding() == s.Data().X {
		out = s.Data().Scaling().Applied(out)
	}
	return out
}

// Value returns a copy with the values of f on a grid. columns and rows are from 1 to 1,000. Value
// calls f once, with a matrix of all cell centres, one row per cell and two columns. f returns one
// value per cell.
func (p Plane) Value(measure string, columns, rows int, f func(points *mat.Dense) []float64) Plane {
	p.Measure, p.Classes, p.err = measure, nil, gridError(columns, rows)
	p.Values = folded(p.points(columns, rows), columns, rows, f)
	return p
}

// Class returns a copy with the classes of f on a grid. columns and rows are from 1 to 1,000. Class
// calls f once, with a matrix of all cell centres, one row per cell and two columns. f returns one
// class per cell.
func (p Plane) Class(columns, rows int, f func(points *mat.Dense) []int) Plane {
	p.Values, p.err = nil, gridError(columns, rows)
	p.Classes = folded(p.points(columns, rows), columns, rows, f)
	return p
}

// folded calls f and divides the values that it returns into the rows of the grid. If their number
// is wrong, [Field] reports an error.
func folded[T any](points *mat.Dense, columns, rows int, f func(points *mat.Dense) []T) [][]T {
	if points == nil {
		return nil
	}
	flat := f(points)
	if len(flat) != columns*rows {
		return [][]T{flat, nil}
	}
	return slices.Collect(slices.Chunk(flat, columns))
}

// maxCells bounds the number of columns and the number of rows of a plane. A panel on a screen has
// fewer pixels in each direction.
const maxCells = 1000

// gridError returns an error unless columns and rows are from 1 to maxCells.
func gridError(columns, rows int) error {
	if min(columns, rows) < 1 || max(columns, rows) > maxCells {
		return fmt.Errorf("the grid has %d × %d cells; give 1 to %d each way", columns, rows, maxCells)
	}
	return nil
}

// check returns an error if the plane cannot be drawn.
func (p Plane) check() error {
	if p.err != nil {
		return p.err
	}
	if (p.Values == nil) == (p.Classes == nil) {
		return fmt.Errorf("the plane has both values and classes, or neither; fill it with either Value or Class")
	}
	if p.Samples != nil {
		if err := drawable(p.Samples); err != nil {
			return err
		}
		if _, d := p.Samples.Embedding().Dims(); d < 2 {
			return fmt.Errorf("the samples have %s; give an embedding with at least two", dimensions(d))
		}
	}
	for _, r := range [][2]float64{p.X, p.Y} {
		if !(r[0] < r[1]) || nearlyEqual(r[0], r[1]) || moderate("", r[0], r[1]) != nil {
			return fmt.Errorf("the range from %v to %v is empty or too large; give finite ranges from low to high", r[0], r[1])
		}
	}
	if ratio := (p.Y[1] - p.Y[0]) / (p.X[1] - p.X[0]); !(ratio >= 1/maxNumber && ratio <= maxNumber) {
		return fmt.Errorf("the ranges of X and Y have the lengths %g and %g, too different for one scale; give ranges of similar lengths", p.X[1]-p.X[0], p.Y[1]-p.Y[0])
	}
	rows, columns := max(len(p.Values), len(p.Classes)), 0
	for r := range rows {
		n := 0
		if p.Values != nil {
			n = len(p.Values[r])
			for c, v := range p.Values[r] {
				if !(math.Abs(v) <= maxNumber) {
					return fmt.Errorf("the value in row %d, column %d is %v; give finite values up to %g", r, c, v, maxNumber)
				}
			}
		} else {
			n = len(p.Classes[r])
			for c, k := range p.Classes[r] {
				if k < data.Unlabelled {
					return fmt.Errorf("the class in row %d, column %d is %d; give classes from 0, or -1 for no class", r, c, k)
				}
			}
		}
		if r == 0 {
			columns = n
		}
		if n == 0 {
			return fmt.Errorf("row %d has no cells; give rows of equal length with at least one cell", r)
		}
		if n != columns {
			return fmt.Errorf("row %d has %s, but row 0 has %d; give rows of equal length", r, nouns.Count(n, "cell"), columns)
		}
	}
	if err := gridError(columns, rows); err != nil {
		return err
	}
	if p.Path != nil {
		if n, d := p.Path.Dims(); d != 2 || n > maxPoints {
			return fmt.Errorf("the path has %s and %s; give two dimensions and at most %d positions", dimensions(d), nouns.Count(n, "position"), maxPoints)
		}
		if err := data.CheckFinite(p.Path); err != nil {
			return err
		}
		return moderate("the path", mat.Max(p.Path), mat.Min(p.Path))
	}
	return nil
}
