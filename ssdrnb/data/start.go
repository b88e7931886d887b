package data

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// WithStart returns a copy in which neighbour embeddings (S2NE, UMAP, t-SNE) start from the
// positions y (n×dims) and ignore the option "start". Typical positions come from another method,
// or from an earlier embedding that should change little. They are centred and scaled by one factor
// for all columns, so their unit does not matter. Random noise separates equal positions. Its
// magnitude is a ten-thousandth of the layout's width, or for t-SNE a hundredth of the layout's
// standard deviation. If y is nil, the positions are removed.
//
// The first steps of a layout are large. To stay near an earlier embedding, set LearningRate(0.1)
// for S2NE and UMAP, or EarlyExaggeration(1) for t-SNE.
//
// y is copied. It must contain one row of finite numbers per sample. The fit also checks that y has
// one column per dimension of the embedding and at least two different rows.
func (d *Data) WithStart(y *mat.Dense) *Data {
	if d.Err() != nil {
		return d
	}
	if y == nil {
		c := d.with("")
		c.Start = nil
		return c
	}
	if y.IsEmpty() {
		return d.fail(advice.Errorf("give one row of positions for each sample", "%w: WithStart: the matrix of positions is empty", ErrShape))
	}
	c := d.with("initial positions are given")
	c.Start = mat.DenseCopyOf(y)
	c.err = checkStart(c.Start, d.Len())
	return c
}

// checkStart returns an error unless y is nil or contains n rows of finite numbers.
func checkStart(y *mat.Dense, n int) error {
	if y == nil {
		return nil
	}
	if rows, _ := y.Dims(); rows != n {
		return advice.Errorf("give one row of positions for each sample", "%w: initial positions of %s for %s", ErrShape, nouns.Count(rows, "sample"), nouns.Count(n, "row"))
	}
	for i := range n {
		for k, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return advice.Errorf("give finite positions", "%w: coordinate %d of the initial position of sample %d = %v", ErrNotFinite, k, i, v)
			}
		}
	}
	return nil
}
