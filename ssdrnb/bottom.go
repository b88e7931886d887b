package ssdrnb

import (
	"context"
	"errors"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// bottomOf returns the d smallest eigenpairs, ascending, of a positive semidefinite operator
// of the samples x, but the trivial one: the first basis vector of null, on which the
// operator vanishes. norm bounds its eigenvalues.
func bottomOf(j *job, m spectral.Operator, norm float64, null spectral.Null, x *mat.Dense, d int) (*spectral.Pairs, error) {
	options := spectral.Options{Tolerance: 1e-12, Null: null, Along: x}
	pairs, err := spectral.BottomNontrivial(j.ctx, m, d, options)
	if errors.Is(err, spectral.ErrNotConverged) {
		// The inverse of a matrix with another null vector has nothing but that vector
		// to rounding; filters see past it.
		options.Method, options.Tolerance = spectral.Chebyshev, 1e-10
		pairs, err = spectral.BottomNontrivial(j.ctx, m, d, options)
	}
	if err != nil {
		return nil, err
	}
	judge(j, pairs, norm)
	return pairs, nil
}

// judge records the eigengap, and warns of an embedding that is not unique. Computed
// null values may be negative by rounding.
func judge(j *job, pairs *spectral.Pairs, norm float64) {
	for k, v := range pairs.Values {
		pairs.Values[k] = max(v, 0)
	}
	j.gap(pairs.Gap)
	if pairs.Gap <= 1e-13*norm {
		j.warn("the eigenvalues %d and %d of the embedding are equal up to rounding: other embeddings are as good", len(pairs.Values), len(pairs.Values)+1)
	}
}

// maxFactor bounds the memory of a factor, in bytes.
const maxFactor = 3 << 30

// solveDirect returns the solution x of m·x = right for a symmetric positive definite m, by a
// factorisation: alignment matrices are too badly conditioned for iterations.
func solveDirect(ctx context.Context, m *sparse.CSR, right *mat.Dense) (*mat.Dense, error) {
	solver, err := sparse.NewDirect(ctx, m, maxFactor)
	if err != nil {
		return nil, err
	}
	rows, cols := right.Dims()
	x := mat.NewDense(rows, cols, nil)
	return x, solver.SolveTo(ctx, x, right)
}

// continued sets the rows of y that are free to what minimises tr(yᵀMy).
func continued(ctx context.Context, m *sparse.CSR, y *mat.Dense, free []int) error {
	var right mat.Dense
	right.CloneFrom(y)
	m.MulTo(&right, y)
	inner, err := m.Select(free, free)
	if err != nil {
		return err
	}
	x, err := solveDirect(ctx, inner, dense.Pick(&right, free))
	if err != nil {
		return err
	}
	for k, i := range free {
		for c, v := range x.RawRowView(k) {
			y.Set(i, c, -v)
		}
	}
	return nil
}
