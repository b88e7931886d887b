package graph

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// maxDiffused is the largest number of values that [Diffuse] returns. They take 4 GiB.
const maxDiffused = 1 << 29

// Diffuse propagates labels along a graph for a number of steps. In each step, a sample's value
// becomes the mean of its neighbours' values in the previous step, weighted by the edges. Labelled
// samples and samples without neighbours keep their values.
//
// w is the n×n matrix of edge weights, finite and ≥ 0. labels holds the class of each sample,
// numbered from 0; a negative number means unknown. The result is n×c for classes up to c − 1: row
// i holds the share of each class in sample i. The row of a labelled sample is 1 at its class. The
// row of an unlabelled sample is zero until a label reaches it. Rows sum to at most 1.
//
// After many steps the values approach the harmonic functions of Zhu, Ghahramani, Lafferty (2003):
// value (i, k) is the probability that a random walk from sample i meets class k first. Samples in
// a component without a label keep zeros. A step takes O(m·c) operations if w has m stored entries.
//
// Errors wrap [ErrOption], [ErrMemory] for more than 2²⁹ values, or the error of ctx.
func Diffuse(ctx context.Context, w *sparse.CSR, labels []int, steps int) (*mat.Dense, error) {
	ctx = par.Context(ctx)
	if err := givenGraph(w); err != nil {
		return nil, err
	}
	n := w.Rows
	switch {
	case w.Cols != n:
		return nil, fmt.Errorf("%w: the graph is a %d×%d matrix, but must be square", ErrOption, n, w.Cols)
	case len(labels) != n:
		return nil, fmt.Errorf("%w: %s for %s; give one for each sample, −1 if unknown", ErrOption, nouns.Count(len(labels), "label"), nouns.Count(n, "sample"))
	case steps < 0:
		return nil, fmt.Errorf("%w: %d steps; give 0 or more", ErrOption, steps)
	}
	last := -1
	for _, c := range labels {
		last = max(last, c)
	}
	if last < 0 {
		return nil, fmt.Errorf("%w: no sample has a label; give at least one sample a class number of 0 or more", ErrOption)
	}
	if last >= maxDiffused/n {
		return nil, advice.Errorf("number the classes from 0 without gaps", "%w: the class numbers go up to %d, too many for %d samples", ErrMemory, last, n)
	}
	mean, err := means(w, labels)
	if err != nil {
		return nil, err
	}
	now, next := mat.NewDense(n, last+1, nil), mat.NewDense(n, last+1, nil)
	for i, c := range labels {
		if c >= 0 {
			now.Set(i, c, 1)
		}
	}
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mean.MulTo(next, now)
		now, next = next, now
	}
	return now, ctx.Err()
}

// means returns the transition matrix of a step of [Diffuse]. Its rows sum to 1. Rows of labelled
// samples and of samples without neighbours are 1 on the diagonal and 0 elsewhere.
func means(w *sparse.CSR, labels []int) (*sparse.CSR, error) {
	m := &sparse.CSR{Rows: w.Rows, Cols: w.Cols, RowPtr: make([]int, w.Rows+1),
		ColInd: make([]int32, 0, w.NNZ()), Val: make([]float64, 0, w.NNZ())}
	for i := range w.Rows {
		cols, vals := w.Row(i)
		largest := 0.0
		for k, v := range vals {
			if !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("%w: the edge from %d to %d has weight %v; weights must be finite and ≥ 0", ErrOption, i, cols[k], v)
			}
			largest = max(largest, v)
		}
		if labels[i] >= 0 || largest == 0 {
			m.ColInd, m.Val = append(m.ColInd, int32(i)), append(m.Val, 1)
			m.RowPtr[i+1] = len(m.Val)
			continue
		}
		sum := 0.0
		for _, v := range vals {
			sum += v / largest
		}
		for k, v := range vals {
			m.ColInd, m.Val = append(m.ColInd, cols[k]), append(m.Val, v/largest/sum)
		}
		m.RowPtr[i+1] = len(m.Val)
	}
	return m, nil
}
