package goblas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

// Implementation is [Level2] with level 3 routines that use the micro-kernel [kernel.GEMM]. Invalid
// arguments are passed on to gonum's code, which rejects them. Small problems use gonum's code too,
// because packing would take too long.
type Implementation struct{ Level2 }

// New returns an Implementation that uses gonum's BLAS for all other routines.
func New() Implementation { return Implementation{NewLevel2()} }

var _ blas.Float64 = Implementation{}

// small is the number of multiplications below which gonum's code is used.
const small = 16 * 16 * 16

// usable reports whether a problem is large enough for a packed product.
func usable(m, n, k int) bool {
	return m > 0 && n > 0 && k > 0 && float64(m)*float64(n)*float64(k) >= small
}

// Fits reports whether a rows×cols matrix with stride ld lies within data. If noTrans is false,
// data holds the transpose of the matrix.
func Fits(noTrans bool, rows, cols int, data []float64, ld int) bool {
	if !noTrans {
		rows, cols = cols, rows
	}
	return rows > 0 && cols > 0 && ld >= cols && len(data) >= (rows-1)*ld+cols
}

// ValidTrans reports whether all arguments are valid values of their type.
func ValidTrans(list ...blas.Transpose) bool {
	for _, t := range list {
		if t != blas.NoTrans && t != blas.Trans && t != blas.ConjTrans {
			return false
		}
	}
	return true
}

// ValidUplo reports whether ul is a valid value of its type.
func ValidUplo(ul blas.Uplo) bool { return ul == blas.Upper || ul == blas.Lower }

// ValidSide reports whether s is a valid value of its type.
func ValidSide(s blas.Side) bool { return s == blas.Left || s == blas.Right }

func general(data []float64, ld int, noTrans bool) factor {
	if noTrans {
		return factor{data, ld, plain}
	}
	return factor{data, ld, transposed}
}

func triangle(ul blas.Uplo) region {
	if ul == blas.Upper {
		return upperPart
	}
	return lowerPart
}

// Dgemm computes C = alpha·op(A)·op(B) + beta·C.
func (e Implementation) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	at, bt := ta == blas.NoTrans, tb == blas.NoTrans
	if !usable(m, n, k) || !ValidTrans(ta, tb) || !Fits(at, m, k, a, lda) || !Fits(bt, k, n, b, ldb) || !Fits(true, m, n, c, ldc) {
		e.Level2.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	product(m, n, k, alpha, general(a, lda, at), general(b, ldb, bt), beta, c, ldc, whole)
}

// Local is [Implementation] with a Dgemm that works only on the calling goroutine.
type Local struct{ Implementation }

// NewLocal returns a Local that uses gonum's BLAS for all other routines.
func NewLocal() Local { return Local{New()} }

// Dgemm computes C = alpha·op(A)·op(B) + beta·C.
func (e Local) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	at, bt := ta == blas.NoTrans, tb == blas.NoTrans
	if !usable(m, n, k) || !ValidTrans(ta, tb) || !Fits(at, m, k, a, lda) || !Fits(bt, k, n, b, ldb) || !Fits(true, m, n, c, ldc) {
		e.Implementation.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	switch {
	case kernel.Fast && bt && n <= skinny && alpha != 0 && at:
		skinnyProduct(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	case kernel.Fast && bt && n <= skinny && alpha != 0:
		skinnyTransposed(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	default:
		productOn(1, m, n, k, alpha, general(a, lda, at), general(b, ldb, bt), beta, c, ldc, whole)
	}
}

// Dsyrk computes the triangle ul of C = alpha·op(A)·op(A)ᵀ + beta·C.
func (e Implementation) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	noTrans := t == blas.NoTrans
	if !usable(n, n, k) || !ValidUplo(ul) || !ValidTrans(t) || !Fits(noTrans, n, k, a, lda) || !Fits(true, n, n, c, ldc) {
		e.Level2.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	product(n, n, k, alpha, general(a, lda, noTrans), general(a, lda, !noTrans), beta, c, ldc, triangle(ul))
}

// Dsyr2k computes the triangle ul of C = alpha·(op(A)·op(B)ᵀ + op(B)·op(A)ᵀ) + beta·C.
func (e Implementation) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	noTrans := t == blas.NoTrans
	if !usable(n, n, k) || !ValidUplo(ul) || !ValidTrans(t) || !Fits(noTrans, n, k, a, lda) || !Fits(noTrans, n, k, b, ldb) || !Fits(true, n, n, c, ldc) {
		e.Level2.Dsyr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	product(n, n, k, alpha, general(a, lda, noTrans), general(b, ldb, !noTrans), beta, c, ldc, triangle(ul))
	product(n, n, k, alpha, general(b, ldb, noTrans), general(a, lda, !noTrans), 1, c, ldc, triangle(ul))
}

// Dsymm computes C = alpha·A·B + beta·C or C = alpha·B·A + beta·C for a symmetric A.
func (e Implementation) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	order := n
	if s == blas.Left {
		order = m
	}
	if !usable(m, n, order) || !ValidSide(s) || !ValidUplo(ul) || !Fits(true, order, order, a, lda) || !Fits(true, m, n, b, ldb) || !Fits(true, m, n, c, ldc) {
		e.Level2.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	sym := factor{a, lda, lower}
	if ul == blas.Upper {
		sym.shape = upper
	}
	other := factor{b, ldb, plain}
	if s == blas.Left {
		product(m, n, order, alpha, sym, other, beta, c, ldc, whole)
	} else {
		product(m, n, order, alpha, other, sym, beta, c, ldc, whole)
	}
}
