package spectral

import "gonum.org/v1/gonum/mat"

// Method is a way to the eigenpairs of an operator.
type Method int

// The methods.
const (
	// Auto factorises a sparse operator where the predicted cost of that is below
	// the cost of filtering, and filters otherwise.
	Auto Method = iota
	// Chebyshev is block Lanczos on a Chebyshev polynomial of the operator: products
	// only.
	Chebyshev
	// ShiftInvert is block Lanczos on the inverse of the shifted operator by a sparse
	// Cholesky factor: for eigenvalues that crowd at the lower end.
	ShiftInvert
)

// Options are the settings of the iterative solvers; the zero value is a good
// choice.
type Options struct {
	// Tolerance is the largest residual ‖A·v − τ·v‖ of a result as a share of the
	// spectral radius of A. 0 means 1e-10.
	Tolerance float64
	// MaxProducts bounds the columns that the operator is applied to; 0 means
	// 200,000.
	MaxProducts int
	// Method forces a way; Auto chooses.
	Method Method
	// MaxBytes bounds the memory of a factor; 0 means 1 GiB.
	MaxBytes float64
	// Null is a subspace to leave out, such as a known null space: with P the
	// projection on its complement, the result holds eigenpairs of P·A·P there.
	Null Null
	// Along, n×D or nil, says which vectors of a null space of [Components] or [Span]
	// come out of [BottomNontrivial] first: those along which these data vary most.
	Along *mat.Dense
	// Start is an n×b block to start from, such as the solution of a similar problem;
	// nil for random numbers from Seed.
	Start *mat.Dense
	Seed  uint64

	invariant bool // A maps the complement of Null to itself
}

func (o Options) withDefaults() Options {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.MaxProducts == 0 {
		o.MaxProducts = 200_000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 30
	}
	return o
}
