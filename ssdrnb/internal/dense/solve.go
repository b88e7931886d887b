package dense

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

// SolvePositive returns m⁻¹·b for a symmetric m whose eigenvalues are positive and, up to rounding,
// at least `floor`. It uses a Cholesky factorisation with one refinement step. If m is too
// ill-conditioned, it uses an eigendecomposition and raises small eigenvalues to `floor` or to the
// rounding error of the largest eigenvalue, whichever is larger.
func SolvePositive(m *mat.SymDense, floor float64, b *mat.Dense) (*mat.Dense, error) {
	var chol mat.Cholesky
	if chol.Factorize(m) {
		var x, rest, step mat.Dense
		if chol.SolveTo(&x, b) == nil {
			rest.Mul(m, &x)
			rest.Sub(b, &rest)
			if chol.SolveTo(&step, &rest) == nil {
				x.Add(&x, &step)
			}
			return &x, nil
		}
	}
	values, vectors, err := blas.EigenSym(m)
	if err != nil {
		return nil, err
	}
	floor = max(floor, values[len(values)-1]*0x1p-52)
	var t, x mat.Dense
	t.Mul(vectors.T(), b)
	for k, v := range values {
		row := t.RawRowView(k)
		for i := range row {
			row[i] /= max(v, floor)
		}
	}
	x.Mul(vectors, &t)
	return &x, nil
}
