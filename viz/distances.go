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

// Distances returns a copy in which a reader sees distances as they are in the data: a button of
// the figure colours all samples by their distance, in all features, to the one under the pointer,
// or to the one that the arrow keys are on. An island whose own samples are pale is torn or far
// apart within, and dark samples elsewhere are neighbours that the picture has parted.
//
// Source: Ovchinnikova, Anders, "Exploring dimension-reduced embeddings with Sleepwalk", Genome
// Research 30, 2020.
//
// The distances are Euclidean. They are those of at most 31 principal components, to which the
// length of what these leave of each sample is added as if it were at right angles, in a byte
// each; above 5,000 samples there are 15. The figure takes up to 20,000 samples of two dimensions,
// and requires the notebook extension of install.sh or an exported page.
func (f Figure) Distances() Figure {
	return f.restyled("Distances", func(s *style) { s.distances = distant })
}

// Numbers in a byte for each sample.
const (
	mostSpread, fewSpread = 32, 16 // up to manySpread samples, and above
	manySpread            = 5000
)

// distant sets the places in the data of the samples of panels.
func distant(panels []*panel) error {
	for _, p := range panels {
		switch {
		case p.data.Dim() == 0:
			return fmt.Errorf("viz: Distances: the samples of %s have no features; draw a model of data with features", p.name)
		case p.n > manySamples:
			return fmt.Errorf("viz: Distances: %d samples are more than the %d that a page colours at once; draw a subset with Data.Subset", p.n, manySamples)
		}
	}
	known, err := ofData("Distances", panels, placesOf)
	for _, p := range panels {
		p.places = known[p.data]
	}
	return err
}

// placesOf returns the places of samples in the data, in a byte for each coordinate.
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
	left := beyond(d, z)
	most := max(mat.Max(z), -mat.Min(z), slices.Max(left))
	unit := most / 127
	of := make([]byte, 0, n*(k+1))
	for i := range n {
		for _, v := range append(z.RawRowView(i)[:k:k], left[i]) {
			of = append(of, byte(128+math.Round(v/unit)))
		}
	}
	return &chart.Places{Dims: k + 1, Unit: unit, Of: base64.StdEncoding.EncodeToString(of)}, nil
}

// beyond returns the length of what the principal components z leave of each sample.
func beyond(d *data.Data, z *mat.Dense) []float64 {
	n, k := z.Dims()
	left := make([]float64, n)
	if d.X == nil || d.Dim() <= k {
		return left
	}
	mean := make([]float64, d.Dim())
	for i := range n {
		for j, v := range d.X.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	for i := range n {
		square := 0.0
		for j, v := range d.X.RawRowView(i) {
			square += (v - mean[j]) * (v - mean[j])
		}
		for _, v := range z.RawRowView(i) {
			square -= v * v
		}
		if square > 0 {
			left[i] = math.Sqrt(square)
		}
	}
	return left
}

// addPlaces adds the places of the samples in the data, once for panels of the same samples.
func addPlaces(out *chart.Samples, panels []*panel) {
	for k, p := range panels {
		if p != nil && p.places != nil {
			out.Panels[k].Places = once(&out.Places, p.places)
		}
	}
}
