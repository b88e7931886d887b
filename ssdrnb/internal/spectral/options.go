package spectral

import "gonum.org/v1/gonum/mat"

// Method is a method to compute eigenpairs of an operator.
type Method int

// The methods.
const (
	// Auto factorises a sparse operator where the predicted cost of that is below
	// the cost of filtering, and filters otherwise.
	Auto Method = iota
	// Chebyshev is block Lanczos on a Chebyshev polynomial of the operator: products
	// only.
	Chebyshev
	// ShiftInvert is block Lanczos on the inverse of the shifted operator by a sparse Cholesky
	// factor, for eigenvalues that cluster at the lower end.
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
	// Method forces a method; Auto chooses one.
	Method Method
	// Null is a subspace to leave out, such as a known null space: with P the
	// projection on its complement, the result holds eigenpairs of P·A·P there.
	Null Null
	// Along, n×D or nil, orders the vectors of a null space of [Components] or [SpanOf] in
	// [BottomNontrivial]: those along which these data vary most come first.
	Along *mat.Dense

	invariant bool       // A maps the complement of Null to itself
	start     *mat.Dense // n×b block to start from; nil for random numbers
}

func (o Options) withDefaults() Options {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.MaxProducts == 0 {
		o.MaxProducts = 200_000
	}
	return o
}
