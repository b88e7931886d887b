package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Operator is a symmetric matrix accessible only through products. Solvers call Apply from one
// goroutine at a time.
type Operator interface {
	// Dim returns the order n.
	Dim() int
	// Apply sets dst = A·x. dst and x are n×b and share no memory.
	Apply(dst, x *mat.Dense)
}

// explicit is an operator that can be converted to a sparse matrix, which a factorisation needs.
type explicit interface {
	Operator
	matrix() (*sparse.CSR, error)
}

// rowBlock is the number of rows that a worker processes at a time.
const rowBlock = 1024

// Sparse returns the operator of a symmetric sparse matrix m. Solvers may factorise it. The error
// wraps [ErrOption] if m is not symmetric up to rounding, and [ErrNotFinite] if an entry is not
// finite.
func Sparse(m *sparse.CSR) (Operator, error) {
	for k, v := range m.Val {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: entry %d of the sparse matrix is %v", ErrNotFinite, k, v)
		}
	}
	if !m.IsSymmetric(1e-12) {
		return nil, fmt.Errorf("%w: the %d×%d sparse matrix is not symmetric", ErrOption, m.Rows, m.Cols)
	}
	return sparseOperator{m}, nil
}

type sparseOperator struct{ m *sparse.CSR }

func (o sparseOperator) Dim() int                     { return o.m.Rows }
func (o sparseOperator) Apply(dst, x *mat.Dense)      { o.m.MulTo(dst, x) }
func (o sparseOperator) matrix() (*sparse.CSR, error) { return o.m, nil }

// Gram returns the operator mᵀm, applied as two products. Its small eigenvalues keep digits that
// forming mᵀm would lose. For m = I − W, with reconstruction weights W, it is the alignment matrix
// of LLE. Solvers may form and factorise it.
func Gram(m *sparse.CSR) Operator { return &gramOperator{m: m, t: m.T()} }

type gramOperator struct{ m, t *sparse.CSR }

func (o *gramOperator) Dim() int { return o.m.Cols }

func (o *gramOperator) Apply(dst, x *mat.Dense) {
	_, b := x.Dims()
	mx := mat.NewDense(o.m.Rows, b, nil)
	o.m.MulTo(mx, x)
	o.t.MulTo(dst, mx)
}

func (o *gramOperator) matrix() (*sparse.CSR, error) { return sparse.Mul(o.t, o.m) }

// Func returns an operator of order n that calls apply. apply must set dst = A·x for a symmetric A
// and n×b matrices.
func Func(n int, apply func(dst, x *mat.Dense)) Operator { return funcOperator{n, apply} }

type funcOperator struct {
	n     int
	apply func(dst, x *mat.Dense)
}

func (o funcOperator) Dim() int                { return o.n }
func (o funcOperator) Apply(dst, x *mat.Dense) { o.apply(dst, x) }
