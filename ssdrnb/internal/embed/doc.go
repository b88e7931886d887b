// Package embed computes layouts of neighbour graphs in few dimensions: the cross-entropy layout of
// UMAP and the layout of t-SNE, with their initial positions.
//
// UMAP (McInnes, Healy, Melville 2018) consists of [Fuzzy], optionally [UseLabels], then
// [FitCurve], initial positions by [Spectral] and [Spread], and [Layout]. [Place] adds new samples
// to a finished layout. t-SNE (van der Maaten, Hinton 2008) consists of [Perplexity], initial
// positions, and [TSNE]; [PlaceTSNE] adds new samples to its layout.
//
// Graphs are symmetric sparse.CSR of order n with weights ≥ 0 and without self-loops; positions are
// n×d matrices. The same seed gives bitwise equal positions on any number of processors. Parallel
// tasks share no samples and use separate random numbers, and the division into tasks depends only
// on the number of samples.
//
// Slow functions take a context. When it ends, functions that move samples return the positions so
// far with the error of the context.
package embed

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("embed: argument out of range")
	// ErrShape means that sizes do not match.
	ErrShape = errors.New("embed: sizes disagree")
	// ErrNotFinite means that a value is NaN or infinite.
	ErrNotFinite = errors.New("embed: value is not finite")
)

// checkGraph returns an error unless w is square with finite weights ≥ 0. It does not check
// symmetry, because that would cost as much as a transpose.
func checkGraph(w *sparse.CSR) error {
	if w.Rows != w.Cols {
		return fmt.Errorf("%w: the graph is a %d×%d matrix, but must be square", ErrShape, w.Rows, w.Cols)
	}
	for k, v := range w.Val {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: entry %d of the weights is %v; weights must be finite and ≥ 0", ErrOption, k, v)
		}
	}
	return nil
}

// checkPositions returns an error unless y has the given number of rows, at least one column, and
// finite values.
func checkPositions(y *mat.Dense, rows int) error {
	n, d := y.Dims()
	if n != rows || d < 1 {
		return fmt.Errorf("%w: the positions are %d×%d, but must have %d rows and at least one column", ErrShape, n, d, rows)
	}
	for i := range n {
		for j, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: coordinate %d of position %d is %v", ErrNotFinite, j, i, v)
			}
		}
	}
	return nil
}
