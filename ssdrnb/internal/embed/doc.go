// Package embed lays out neighbour graphs in few dimensions: the cross-entropy
// layout of UMAP and the layout of t-SNE, with what they start from.
//
// UMAP (McInnes, Healy, Melville 2018) is [Fuzzy], optionally [UseLabels], then
// [FitCurve], initial positions by [Spectral] and [Spread], and [Layout].
// [Place] puts new samples into a finished layout. t-SNE (van der Maaten, Hinton
// 2008) is [Perplexity], initial positions, and [TSNE]; [PlaceTSNE] adds to it.
//
// Graphs are symmetric sparse.CSR of order n with weights ≥ 0 and without self-loops;
// positions are n×d matrices. The same seed gives the same positions, to the last bit,
// on any number of processors: what is computed at the same time has no sample in
// common and random numbers of its own, and how the work is divided depends on the
// number of samples alone.
//
// Functions that take long take a context. When it ends, those that move samples
// return the positions reached, beside the error of the context.
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
	// ErrShape means that sizes do not fit together.
	ErrShape = errors.New("embed: sizes disagree")
	// ErrNotFinite means that a value is NaN or infinite.
	ErrNotFinite = errors.New("embed: value is not finite")
)

// checkGraph reports whether w is a graph as the package comment has it. Symmetry is
// the caller's: checking it would cost as much as a transpose.
func checkGraph(w *sparse.CSR) error {
	if w.Rows != w.Cols {
		return fmt.Errorf("%w: the graph is %d×%d, not square", ErrShape, w.Rows, w.Cols)
	}
	for k, v := range w.Val {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: entry %d of the weights is %v; weights must be finite and ≥ 0", ErrNotFinite, k, v)
		}
	}
	return nil
}

// checkPositions reports whether y has rows rows, a column at least, and finite values.
func checkPositions(y *mat.Dense, rows int) error {
	n, d := y.Dims()
	if n != rows || d < 1 {
		return fmt.Errorf("%w: positions of %d×%d for %d samples", ErrShape, n, d, rows)
	}
	for i := range n {
		for j, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: position [%d][%d] = %v", ErrNotFinite, i, j, v)
			}
		}
	}
	return nil
}
