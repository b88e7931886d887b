package viz

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// Distances returns a copy that shows how far samples are from each other in the data, over all
// features. A button of the figure colours all samples by their distance to the sample under the
// pointer or to the sample selected with the arrow keys. On a light page, dark means near: a pale
// sample in the same cluster is distant in the data, and a dark sample in another cluster is a
// neighbour that the embedding has separated. On a dark page, the scale is reversed.
//
// Source: Ovchinnikova, Anders, "Exploring dimension-reduced embeddings with Sleepwalk", Genome
// Research 30, 2020.
//
// The distances are Euclidean. They are computed from at most 31 principal components (15 for more
// than 5,000 samples) and from the length of each sample's residual. Residuals of different samples
// are assumed to be orthogonal. Each coordinate is stored in one byte. Distances supports up to
// 20,000 samples in two dimensions. It works only with the notebook extension, which install.sh
// installs, and in exported pages.
func (f Figure) Distances() Figure {
	return f.restyled("Distances", func(s *style) { s.distances = distant })
}

// A sample has mostSpread coordinates if there are up to manySpread samples, and fewSpread
// coordinates if there are more. Each coordinate takes one byte.
const (
	mostSpread, fewSpread = 32, 16
	manySpread            = 5000
)

// distant sets the positions of each panel's samples in the data space. The page computes distances
// from these positions.
func distant(panels []*panel) error {
	for _, p := range panels {
		switch {
		case p.data.Dim() == 0:
			return fmt.Errorf("viz: Distances: the samples of %s have no features; draw a model of data with features", p.name)
		case p.n > manySamples:
			return fmt.Errorf("viz: Distances: %s has %d samples, but a page colours at most %d at once; draw a subset with Data.Subset", p.name, p.n, manySamples)
		}
	}
	known, err := ofData("Distances", panels, placesOf)
	for _, p := range panels {
		p.places = known[p.data]
	}
	return err
}

// placesOf returns the positions of samples in the data space, with one byte per coordinate.
func placesOf(d *data.Data) (*chart.Places, error) {
	dims := mostSpread
	if d.Len() > manySpread {
		dims = fewSpread
	}
	reduced := d.PCA(float64(min(dims-1, d.Dim())))
	if err := reduced.Err(); err != nil {
		return nil, err
	}
	z := reduced.X
	n, k := z.Dims()
	left := residualLengths(d, z)
	most := max(mat.Max(z), -mat.Min(z), slices.Max(left))
	unit := max(most/127, math.SmallestNonzeroFloat64) // the quotient is 0 for some subnormal numbers
	of := make([]byte, 0, n*(k+1))
	for i := range n {
		for _, v := range append(z.RawRowView(i)[:k:k], left[i]) {
			of = append(of, byte(128+math.Round(v/unit)))
		}
	}
	return &chart.Places{Dims: k + 1, Unit: unit, Of: base64.StdEncoding.EncodeToString(of)}, nil
}

// residualLengths returns, for each sample, the length of its residual: the part of the centred
// sample that the principal components z do not represent.
func residualLengths(d *data.Data, z *mat.Dense) []float64 {
	n, k := z.Dims()
	left := make([]float64, n)
	if d.X == nil || d.Dim() <= k {
		return left
	}
	// Squares of large numbers overflow, and squares of small numbers underflow. All numbers are
	// therefore divided by the largest power of two that does not exceed the largest absolute
	// value.
	_, exponent := math.Frexp(max(mat.Max(d.X), -mat.Min(d.X)))
	scale := math.Ldexp(1, exponent-1)
	mean := make([]float64, d.Dim())
	for i := range n {
		for j, v := range d.X.RawRowView(i) {
			mean[j] += v / scale / float64(n)
		}
	}
	for i := range n {
		square := 0.0
		for j, v := range d.X.RawRowView(i) {
			square += (v/scale - mean[j]) * (v/scale - mean[j])
		}
		for _, v := range z.RawRowView(i) {
			square -= v / scale * (v / scale)
		}
		if square > 0 {
			left[i] = math.Sqrt(square) * scale
		}
	}
	return left
}

// addPlaces adds the positions of samples in the data space to out. Panels with the same data share
// one entry.
func addPlaces(out *chart.Samples, panels []*panel) {
	for k, p := range panels {
		if p != nil && p.places != nil {
			out.Panels[k].Places = findOrAppend(&out.Places, p.places)
		}
	}
}
