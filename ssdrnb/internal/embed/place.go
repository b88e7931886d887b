package embed

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/moves"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Place adds new samples to a layout whose samples are fixed. Row i of `to` (m×n, from [FuzzyTo])
// holds the edge weights from new sample i to the samples at positions y (n×d). A new sample starts
// at the weighted mean of these positions and follows the stochastic gradients of [Layout],
// starting with a quarter of the learning rate. If opt.Epochs is 0, there are 100 passes. A row
// without weights is an error.
//
// Each new sample is placed independently of the others. When ctx ends, Place returns the positions
// so far with the error of ctx; samples not yet placed are at their initial positions.
func Place(ctx context.Context, to *sparse.CSR, y *mat.Dense, opt Options) (*mat.Dense, error) {
	if err := checkPositions(y, to.Cols); err != nil {
		return nil, err
	}
	out, err := meansBy(to, y)
	if err != nil {
		return nil, err
	}
	if opt.Epochs == 0 {
		opt.Epochs = 100
	}
	n, d := y.Dims()
	if opt, err = opt.withDefaults(n); err != nil {
		return nil, err
	}
	f, rest := newForces(opt), mat.DenseCopyOf(y).RawMatrix().Data
	par.Blocks(to.Rows, 16, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			cols, vals := to.Row(i)
			most := 0.0
			for _, v := range vals {
				most = max(most, v)
			}
			at := out.RawRowView(i)
			s := newStream(opt.Seed, 0, 0) // the same for all new samples
			due := make([]float64, len(cols))
			for k := range due {
				due[k] = s.share()
			}
			for epoch := range opt.Epochs {
				alpha := opt.LearningRate / 4 * (1 - float64(epoch)/float64(opt.Epochs))
				for k, j := range cols {
					for due[k] += vals[k] / most; due[k] >= 1; due[k]-- {
						follow(at, rest[int(j)*d:][:d], f.Pull, alpha)
						for range opt.Negatives {
							o := s.index(n)
							follow(at, rest[o*d:][:d], f.Push, alpha)
						}
					}
				}
			}
		}
	})
	return out, ctx.Err()
}

// follow moves the position `at` by alpha times the force of a sample at `other`. The force is the
// difference of the positions times a factor from the table, clamped as in [moves.Move].
func follow(at, other []float64, force *moves.Table, alpha float64) {
	if q := samples.SquaredDistance(at, other); q > 0 {
		g := force.At(q)
		for k, v := range other {
			at[k] += alpha * min(max(g*(at[k]-v), -moves.Longest), moves.Longest)
		}
	}
}

// meansBy returns the weighted mean of the positions y (n×d) for each row of weights in `to` (m×n).
// A row without weights is an error.
func meansBy(to *sparse.CSR, y *mat.Dense) (*mat.Dense, error) {
	n, d := y.Dims()
	if to.Cols != n {
		return nil, fmt.Errorf("%w: the weights are for %d samples, but %d samples have positions", ErrShape, to.Cols, n)
	}
	if to.Rows == 0 {
		return nil, fmt.Errorf("%w: there are no new samples to place", ErrShape)
	}
	out := mat.NewDense(to.Rows, d, nil)
	sums := to.RowSums()
	for i, s := range sums {
		if !(s > 0) {
			return nil, fmt.Errorf("%w: the weights of new sample %d sum to %v, but the sum must be positive", ErrOption, i, s)
		}
	}
	to.MulTo(out, y)
	for i := range to.Rows {
		row := out.RawRowView(i)
		for j := range row {
			row[j] /= sums[i]
		}
	}
	return out, nil
}
