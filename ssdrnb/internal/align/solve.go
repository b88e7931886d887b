package align

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// maxFactor is the largest size allowed for a Cholesky factor, in bytes.
const maxFactor = 3 << 30

// Solve returns the solution x of m·x = right for a symmetric positive definite m. It factorises m,
// because alignment matrices are too badly conditioned for iterative solvers.
func Solve(ctx context.Context, m *sparse.CSR, right *mat.Dense) (*mat.Dense, error) {
	solver, err := sparse.NewDirect(ctx, m, maxFactor)
	if err != nil {
		return nil, err
	}
	rows, cols := right.Dims()
	x := mat.NewDense(rows, cols, nil)
	return x, solver.SolveTo(ctx, x, right)
}

// Extend overwrites the rows of y listed in `free` so that tr(yᵀmy) is minimal for the symmetric
// matrix m. The other rows stay fixed. If Extend returns an error, the free rows are 0.
func Extend(ctx context.Context, m *sparse.CSR, y *mat.Dense, free []int) error {
	for _, i := range free {
		clear(y.RawRowView(i)) // m·y then holds the contributions of the fixed rows
	}
	var right mat.Dense
	right.CloneFrom(y)
	m.MulTo(&right, y)
	inner, err := m.Select(free, free)
	if err != nil {
		return err
	}
	x, err := Solve(ctx, inner, samples.Pick(&right, free))
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
