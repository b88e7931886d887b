package spectral

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// TraceRatioPath solves the trace-ratio problem for several dimensions at once. Up to rounding,
// results[k] is the result of [TraceRatio] for dims[k] with the solver ITR, except that History
// differs and Values holds the first max(dims)+1 eigenvalues.
//
// The eigenvectors at a single λ give a ratio for each d, and each ratio is a lower bound of λ*(d).
// Every decomposition therefore advances all dimensions, and each dimension starts from the best
// ratio found so far. A decomposition computes max(dims)+1 eigenpairs. Two or three decompositions
// per dimension are enough, instead of five to eight.
//
// If the ratio is unbounded for a dimension, this dimension and all smaller ones have a nil result
// and an error in errs that wraps [ErrUnbounded].
func TraceRatioPath(ctx context.Context, a, b *mat.SymDense, dims []int) (results []*TraceRatioResult, errs []error, err error) {
	p, err := newTraceRatio(ctx, a, b, dims)
	if err != nil {
		return nil, nil, err
	}
	attained := make([]float64, p.pairs+1) // attained[d] is the largest ratio attained so far in d dimensions
	for d := range attained {
		attained[d] = p.start
	}
	learn := func(s *spectrum) {
		num, den := 0.0, 0.0
		for d := 1; d < len(attained); d++ {
			num += s.num[d-1]
			den += s.den[d-1]
			if den > 0 {
				attained[d] = max(attained[d], num/den)
			}
		}
	}
	results, errs = make([]*TraceRatioResult, len(dims)), make([]error, len(dims))
	// In descending order of d, λ*(d) does not decrease. The ratio attained for a larger d is
	// therefore a lower bound for the next d.
	for _, k := range order.By(len(dims), func(i, j int) int { return dims[j] - dims[i] }) {
		d := dims[k]
		if errs[k] = p.bounded(d); errs[k] != nil {
			continue
		}
		results[k], err = p.newton(d, attained[d], TraceRatioOptions{Tolerance: 1e-12, MaxSteps: 100}, func(s *spectrum) (float64, string) {
			learn(s)
			return attained[d], "eig"
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return results, errs, nil
}
