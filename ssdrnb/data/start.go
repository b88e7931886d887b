package data

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// WithStart returns a copy in which neighbour embeddings (S2NE, UMAP, t-SNE) begin at the
// positions y, n×dims, instead of where their option start says: the picture of another
// method, or an earlier one that is to stay as it was when samples change. Positions are
// centred and scaled by one factor for all columns, so their unit does not matter; equal
// ones are set apart by a ten-thousandth of the picture or so. nil takes positions away.
//
// First steps go far: to keep an earlier picture, set LearningRate(0.1) of S2NE and UMAP,
// EarlyExaggeration(1) of t-SNE.
//
// y is copied. One row per sample and finite numbers are asked for here; the fit asks for
// as many columns as the embedding has, and for two different rows at least.
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
		return d.fail(advice.Errorf("give one row of positions for each sample", "%w: WithStart: the positions of %d rows are empty", ErrShape, d.Len()))
	}
	c := d.with("initial positions are given")
	c.Start = mat.DenseCopyOf(y)
	c.err = checkStart(c.Start, d.Len())
	return c
}

// checkStart returns an error unless y is nil or has finite positions of n samples.
func checkStart(y *mat.Dense, n int) error {
	if y == nil {
		return nil
	}
	if rows, _ := y.Dims(); rows != n {
		return advice.Errorf("give one row of positions for each sample", "%w: initial positions of %d samples for %d rows", ErrShape, rows, n)
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
