// Package guide implements semi-supervised neighbour embedding. It propagates the labels and pairs
// of a few samples along a neighbour graph to the other samples, and changes the weights of the
// graph accordingly. Package embed then computes the layout.
//
// [Poisson] and [Agreement.Guide] process labels; [Propagate] and [PairField.Guide] process pairs;
// [Weights] processes both. [Embed] computes an unsupervised layout, changes the weights of the
// graph, and computes its layout again. [Unfold] changes the weights first, computes one layout,
// and continues with t-SNE. Both accept pins (samples with known coordinates). Graphs are symmetric
// sparse.CSR of order n with weights ≥ 0 and without self-loops. Results do not depend on the
// number of processors.
package guide

import (
	"errors"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("guide: argument out of range")
	// ErrShape means that sizes do not match.
	ErrShape = errors.New("guide: sizes disagree")
	// ErrLabels means that no sample is labelled, or that a label is not a valid class.
	ErrLabels = walks.ErrLabels
	// ErrNotConverged means that an iteration did not reach its tolerance.
	ErrNotConverged = walks.ErrNotConverged
)

// rowBlock is the number of rows that a worker processes at a time.
const rowBlock = 512

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

func checkGuidance(g float64) error {
	if !(g >= 0 && g <= 1) {
		return fmt.Errorf("%w: guidance = %v; it must lie between 0 and 1", ErrOption, g)
	}
	return nil
}
