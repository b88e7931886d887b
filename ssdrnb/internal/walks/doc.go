// Package walks uses random walks on a neighbour graph to infer, from a few labels, the class
// probabilities of the other samples ([Opinions]), the samples to label next ([Suggest]), and the
// labels that other labels contradict ([Opinion.Verdicts]). It also propagates numbers ([Carrier]).
//
// All functions use the matrix G = (D − αW)⁻¹ for the weights W, their row sums D and the carry α <
// 1, the probability that a walk continues. G_ij·d_j is the expected number of visits to j of a
// walk that begins at i. [Solver] applies G or, for α = 1, a pseudo-inverse of the Laplacian D − W.
//
// Graphs are symmetric sparse.CSR of order n with weights ≥ 0 and without self-loops; a sample
// without edges has d = 1. Labels are classes 0 … c−1, or −1 where unknown. Results do not depend
// on the number of processors.
package walks

import (
	"errors"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrShape means that sizes do not match.
	ErrShape = errors.New("walks: sizes disagree")
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("walks: argument out of range")
	// ErrLabels means that no sample is labelled, or that a label is not a valid class.
	ErrLabels = errors.New("walks: unsuitable labels")
	// ErrNotConverged means that an iteration did not reach its tolerance.
	ErrNotConverged = errors.New("not converged")
)

// check returns an error unless w is square with finite weights ≥ 0, and labels holds a class or −1
// for each sample.
func check(w *sparse.CSR, labels []int, classes int) error {
	if w.Rows != w.Cols || len(labels) != w.Rows {
		return fmt.Errorf("%w: the graph is %d×%d, but there are %d labels", ErrShape, w.Rows, w.Cols, len(labels))
	}
	for k, v := range w.Val {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: entry %d of the weights is %v; weights must be finite and ≥ 0", ErrOption, k, v)
		}
	}
	for i, l := range labels {
		if l < -1 || l >= classes {
			return fmt.Errorf("%w: the label of sample %d is %d, but must be a class from 0 to %d, or −1", ErrLabels, i, l, classes-1)
		}
	}
	return nil
}
