package spectral

import "gonum.org/v1/gonum/mat"

// Method is a method for computing eigenpairs of an operator.
type Method int

// The methods.
const (
	// Auto uses ShiftInvert for a sparse operator if the predicted cost is low. Otherwise it uses
	// Chebyshev, and changes to ShiftInvert if Chebyshev takes too long and the Cholesky factor
	// fits into memory.
	Auto Method = iota
	// Chebyshev is block Lanczos, first on the operator itself, then on Chebyshev polynomials of
	// it. It needs only products with the operator.
	Chebyshev
	// ShiftInvert is block Lanczos on the inverse of the shifted operator, with a sparse Cholesky
	// factor. It suits eigenvalues that cluster at the lower end of the spectrum.
	ShiftInvert
)

// Options are the settings of the iterative solvers. The zero value is a good choice.
type Options struct {
	// Tolerance is the largest residual ‖A·v − τ·v‖ of a result, as a share of the spectral radius
	// of A, which the solver estimates. 0 means 1e-10.
	Tolerance float64
	// MaxProducts limits the number of columns to which the operator, or its shifted inverse, is
	// applied; 0 means 200,000. The solver checks it once per restart cycle.
	MaxProducts int
	// Method is the method to use; Auto chooses one.
	Method Method
	// Null is a subspace to exclude, such as a known null space. With P the projection onto its
	// orthogonal complement, the result holds the eigenpairs of P·A·P in this complement.
	Null Null
	// Along (n×D, or nil) holds data by which [BottomNontrivial] orders the vectors of a null space
	// from [Components] or [SpanOf]: vectors along which the data vary most come first.
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
