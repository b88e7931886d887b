package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Operator is a symmetric matrix that is known by its products. Solvers call Apply
// from one goroutine at a time.
type Operator interface {
	// Dim returns the order n.
	Dim() int
	// Apply sets dst = A·x for n×b matrices that share no memory.
	Apply(dst, x *mat.Dense)
}

// explicit is an operator whose matrix can be written down as a sparse one, which a
// factorisation needs.
type explicit interface {
	Operator
	matrix() (*sparse.CSR, error)
}

// rowBlock is the number of rows that a worker takes at a time.
const rowBlock = 1024

// Sparse returns the operator of a symmetric sparse matrix. Solvers may factorise it.
// The error wraps [ErrOption] unless m is symmetric up to rounding, [ErrNotFinite]
// if an entry is not finite.
func Sparse(m *sparse.CSR) (Operator, error) {
	for k, v := range m.Val {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: entry %d of the sparse matrix is %v", ErrNotFinite, k, v)
		}
	}
	if !m.IsSymmetric(1e-12) {
		return nil, fmt.Errorf("%w: the sparse matrix of %d×%d is not symmetric", ErrOption, m.Rows, m.Cols)
	}
	return sparseOperator{m}, nil
}

type sparseOperator struct{ m *sparse.CSR }

func (o sparseOperator) Dim() int                     { return o.m.Rows }
func (o sparseOperator) Apply(dst, x *mat.Dense)      { o.m.MulTo(dst, x) }
func (o sparseOperator) matrix() (*sparse.CSR, error) { return o.m, nil }

// Diagonal returns the operator of diag(d).
func Diagonal(d []float64) Operator { return sparseOperator{sparse.Diagonal(d)} }

// Identity returns the operator that changes nothing.
func Identity(n int) Operator { return sparseOperator{sparse.Identity(n)} }

// Gram returns the operator mᵀm, applied as two products: small eigenvalues keep
// digits that the matrix mᵀm would lose. Of I − W it is the alignment matrix of
// LLE. Solvers may form and factorise it.
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

// Symmetric returns the operator of a dense symmetric matrix.
func Symmetric(a *mat.SymDense) Operator { return symmetricOperator{a} }

type symmetricOperator struct{ a *mat.SymDense }

func (o symmetricOperator) Dim() int { return o.a.SymmetricDim() }

func (o symmetricOperator) Apply(dst, x *mat.Dense) { multiplySymmetric(dst, o.a, x) }

// Term is a multiple of an operator in a [Sum].
type Term struct {
	Factor   float64
	Operator Operator
}

// Sum returns Σ factor·operator. All must have the same order.
func Sum(terms ...Term) (Operator, error) {
	if len(terms) == 0 {
		return nil, fmt.Errorf("%w: a sum of no operators", ErrOption)
	}
	n := terms[0].Operator.Dim()
	for _, t := range terms {
		if t.Operator.Dim() != n {
			return nil, fmt.Errorf("%w: operators of order %d and %d", ErrOption, n, t.Operator.Dim())
		}
	}
	s := &sumOperator{terms}
	for _, t := range terms {
		if _, ok := t.Operator.(explicit); !ok {
			return s, nil
		}
	}
	return explicitSum{s}, nil
}

type sumOperator struct{ terms []Term }

func (o *sumOperator) Dim() int { return o.terms[0].Operator.Dim() }

func (o *sumOperator) Apply(dst, x *mat.Dense) {
	n, b := x.Dims()
	var part *mat.Dense
	for k, t := range o.terms {
		if k == 0 {
			t.Operator.Apply(dst, x)
			if t.Factor != 1 {
				dst.Scale(t.Factor, dst)
			}
			continue
		}
		if part == nil {
			part = mat.NewDense(n, b, nil)
		}
		t.Operator.Apply(part, x)
		addScaled(dst, t.Factor, part)
	}
}

// explicitSum is a sum of operators with matrices.
type explicitSum struct{ *sumOperator }

func (o explicitSum) matrix() (*sparse.CSR, error) {
	var total *sparse.CSR
	for _, t := range o.terms {
		m, err := t.Operator.(explicit).matrix()
		if err != nil {
			return nil, err
		}
		if total == nil {
			total = m.Scale(t.Factor)
			continue
		}
		if total, err = sparse.Add(1, total, t.Factor, m); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// Shift returns a + sigma·I.
func Shift(a Operator, sigma float64) Operator {
	s, err := Sum(Term{1, a}, Term{sigma, Identity(a.Dim())})
	if err != nil { // orders agree
		panic(err)
	}
	return s
}

// LowRank returns the operator u·s·uᵀ for an n×r matrix u and a symmetric s of
// order r; a nil s stands for I. The n×n matrix is never formed.
func LowRank(u *mat.Dense, s mat.Symmetric) (Operator, error) {
	_, r := u.Dims()
	if s != nil && s.SymmetricDim() != r {
		return nil, fmt.Errorf("%w: a middle factor of order %d for %d columns", ErrOption, s.SymmetricDim(), r)
	}
	return &lowRank{u, s}, nil
}

type lowRank struct {
	u *mat.Dense
	s mat.Symmetric
}

func (o *lowRank) Dim() int { n, _ := o.u.Dims(); return n }

func (o *lowRank) Apply(dst, x *mat.Dense) {
	var ux, sux mat.Dense
	ux.Mul(o.u.T(), x)
	if o.s == nil {
		dst.Mul(o.u, &ux)
		return
	}
	sux.Mul(o.s, &ux)
	dst.Mul(o.u, &sux)
}

// Centering returns I − 11ᵀ/n: of it, tr(YᵀCY) is the total scatter of Y.
func Centering(n int) Operator { return centering(n) }

type centering int

func (o centering) Dim() int { return int(o) }

func (o centering) Apply(dst, x *mat.Dense) {
	dst.Copy(x)
	Constant(int(o)).Project(dst)
}

// Func returns an operator of order n that calls apply, which must set dst = A·x for
// a symmetric A and n×b matrices.
func Func(n int, apply func(dst, x *mat.Dense)) Operator { return funcOperator{n, apply} }

type funcOperator struct {
	n     int
	apply func(dst, x *mat.Dense)
}

func (o funcOperator) Dim() int                { return o.n }
func (o funcOperator) Apply(dst, x *mat.Dense) { o.apply(dst, x) }

// addScaled adds f·x to dst.
func addScaled(dst *mat.Dense, f float64, x *mat.Dense) {
	d, s := dst.RawMatrix(), x.RawMatrix()
	par.Blocks(d.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := d.Data[i*d.Stride:][:d.Cols], s.Data[i*s.Stride:][:d.Cols]
			for c, v := range from {
				to[c] += f * v
			}
		}
	})
}
