package viz

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// Decoder is an embedding with a probabilistic mapping from latent positions to the data.
// *ssdrnb.Model implements Decoder, but its Decode returns an error unless the method is a Gaussian
// process latent variable model.
type Decoder interface {
	Embedded
	// Decode returns the predicted distribution of the data at z, a matrix of latent positions
	// (positions × dimensions).
	Decode(z *mat.Dense) (*ssdrnb.Decoding, error)
}

// longestSide is the number of grid cells along the longer side of the plane that [Uncertainty]
// returns.
const longestSide = 96

// Uncertainty returns a plane over a two-dimensional latent space. Its values are the standard
// deviations of the predicted data, in units of the scaled features. They are small near the
// samples and approach the prior's standard deviation far away. [Field] draws the plane with the
// samples on top.
func Uncertainty(m Decoder) Plane {
	if err := planar(m); err != nil {
		return Plane{err: err}
	}
	p := Around(m)
	unit := max(p.X[1]-p.X[0], p.Y[1]-p.Y[0]) / longestSide
	columns, rows := int(math.Ceil((p.X[1]-p.X[0])/unit)), int(math.Ceil((p.Y[1]-p.Y[0])/unit))
	var failure error
	p = p.Value("standard deviation of the predicted features", max(columns, 1), max(rows, 1), func(points *mat.Dense) []float64 {
		d, err := m.Decode(points)
		if err != nil {
			failure = err
			return nil
		}
		return mapped(d.Function, math.Sqrt)
	})
	p.Title, p.err = m.Method(), failure
	return p
}

// planar returns an error if m is not a two-dimensional embedding.
func planar(m Embedded) error {
	if err := drawable(m); err != nil {
		return err
	}
	if _, d := m.Embedding().Dims(); d != 2 {
		return fmt.Errorf("the latent space has %s; fit with Dims(2)", dimensions(d))
	}
	return nil
}

// PathThrough returns positions that are evenly spaced along a path of straight lines. The path
// joins the given samples in the given order. The result is a matrix with a row for each position
// and a column for each dimension. The argument count is the number of positions, from 2 to
// 100,000. PathThrough returns nil if m cannot be drawn, if count is out of range, if fewer than
// two samples are given, or if a sample does not exist.
func PathThrough(m Embedded, count int, samples ...int) *mat.Dense {
	if drawable(m) != nil || count < 2 || count > maxPoints || len(samples) < 2 {
		return nil
	}
	y := m.Embedding()
	n, d := y.Dims()
	// lengths[k] is the length of the path from the first sample to the k-th.
	lengths := make([]float64, len(samples))
	for k, i := range samples {
		if i < 0 || i >= n {
			return nil
		}
		if k > 0 {
			var step mat.VecDense
			step.SubVec(y.RowView(i), y.RowView(samples[k-1]))
			lengths[k] = lengths[k-1] + mat.Norm(&step, 2)
		}
	}
	out := mat.NewDense(count, d, nil)
	k := 1
	for r := range count {
		at := lengths[len(samples)-1] * float64(r) / float64(count-1)
		for k < len(samples)-1 && lengths[k] < at {
			k++
		}
		share := 0.0
		if leg := lengths[k] - lengths[k-1]; leg > 0 {
			share = min((at-lengths[k-1])/leg, 1)
		}
		for c := range d {
			out.Set(r, c, (1-share)*y.At(samples[k-1], c)+share*y.At(samples[k], c))
		}
	}
	return out
}

// Inverter is an embedding that can map any of its positions back to the space of the data.
// *ssdrnb.Model implements Inverter for each method.
type Inverter interface {
	Embedded
	// Inverse returns one row of features for each row of z. The matrix z has a row for each
	// position and a column for each dimension.
	Inverse(z *mat.Dense) (*ssdrnb.Inversion, error)
}

// Inverted uses [ssdrnb.Model.Inverse] to compute an image for each row of path. It arranges the
// images in the given number of columns, see [Thumbnails]. path has a row for each position and a
// column for each dimension; [PathThrough] returns such a path. The data must be images. The
// caption contains the number of positions that are far from all samples of the embedding.
func Inverted(m Inverter, path *mat.Dense, columns int) Picture {
	if err := drawable(m); err != nil {
		return Picture{err: err}
	}
	if path == nil {
		return Picture{err: errPath}
	}
	inverse, err := m.Inverse(path)
	if err != nil {
		return Picture{err: err}
	}
	n, _ := path.Dims()
	caption := fmt.Sprintf("%s: %s along a path", m.Method(), nouns.Count(n, "image"))
	if out := len(inverse.Outside); out > 0 {
		caption += fmt.Sprintf(", %d of them far from all samples", out)
	}
	return Thumbnails(inverse.X, m.Data().Image, columns).Captioned(caption)
}

var errPath = errors.New("the path is nil; give PathThrough at least two samples that exist, and 2 to 100000 positions")

// Decoded predicts an image for each row of path. It arranges the images in the given number of
// columns, see [Thumbnails]. path has a row for each latent position and a column for each
// dimension; [PathThrough] returns such a path. The data must be images. For methods other than
// Gaussian process latent variable models, use [Inverted].
func Decoded(m Decoder, path *mat.Dense, columns int) Picture {
	if err := drawable(m); err != nil {
		return Picture{err: err}
	}
	if path == nil {
		return Picture{err: errPath}
	}
	d, err := m.Decode(path)
	if err != nil {
		return Picture{err: err}
	}
	n, _ := path.Dims()
	return Thumbnails(d.Mean, m.Data().Image, columns).Captioned(fmt.Sprintf("%s: %s decoded along a path", m.Method(), nouns.Count(n, "image")))
}

// pathSeries draws the path of a plane in a panel of a field.
func pathSeries(panel int, p Plane) *chart.Line {
	n, _ := p.Path.Dims()
	points := make([][]float64, n)
	for k := range points {
		points[k] = []float64{round(p.Path.At(k, 0), p.X[1]-p.X[0]), round(p.Path.At(k, 1), p.Y[1]-p.Y[0])}
	}
	return &chart.Line{Type: "line", XAxisIndex: panel, YAxisIndex: panel, Data: points, Silent: true, Z: 4, Symbol: "circle", SymbolSize: 6,
		LineStyle: &opts.LineStyle{Color: "#000", Width: 2}, ItemStyle: &opts.ItemStyle{Color: "#fff", BorderColor: "#000", BorderWidth: 1.5}}
}

func staticPath(to *plot.Plot, path *mat.Dense) {
	n, _ := path.Dims()
	points := make([]plot.Point, n)
	for k := range points {
		points[k] = plot.Point{X: path.At(k, 0), Y: path.At(k, 1)}
	}
	disc := func(radius float64, c color.Color) plot.Scatter {
		return plot.Scatter{Points: points, Glyph: plot.Glyph{Color: c, Radius: radius, Shape: plot.Circle}}
	}
	to.Add(plot.Polyline{Points: points, Line: plot.Line{Color: color.Black, Width: 1.5}}, disc(2.8, color.Black), disc(1.7, color.White))
}
