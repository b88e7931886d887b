//go:build (linux || darwin) && (amd64 || arm64) && !noopenblas

package blas

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
)

// Constants of CBLAS.
const (
	rowMajor                 = 101
	cblasNoTrans, cblasTrans = 111, 112
	cblasUpper, cblasLower   = 121, 122
	cblasNonUnit, cblasUnit  = 131, 132
	cblasLeft, cblasRight    = 141, 142
)

// libraryFloat64 uses the library for level 3 and Go code for levels 1 and 2: a call into the
// library costs half a microsecond, and memory-bound operations gain nothing from the library.
// Small problems also stay in Go, and so do calls with invalid arguments, on which gonum panics but
// the library would crash.
type libraryFloat64 struct{ goblas.Level2 }

var _ blas.Float64 = libraryFloat64{}

// smallProduct is the number of multiplications below which Go code is equally fast.
const smallProduct = 16 * 16 * 16

// worth reports whether a problem is large enough for the library and its sizes fit into 32-bit
// integers.
func worth(m, n, k int, strides ...int) bool {
	for _, s := range strides {
		if s > math.MaxInt32 {
			return false
		}
	}
	return m > 0 && n > 0 && k > 0 && float64(m)*float64(n)*float64(k) >= smallProduct &&
		max(m, n, k) <= math.MaxInt32
}

func (l libraryFloat64) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if !worth(m, n, k, lda, ldb, ldc) || !goblas.ValidTrans(ta, tb) || !goblas.Fits(ta == blas.NoTrans, m, k, a, lda) ||
		!goblas.Fits(tb == blas.NoTrans, k, n, b, ldb) || !goblas.Fits(true, m, n, c, ldc) {
		l.Level2.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	lib.dgemm(rowMajor, trans(ta), trans(tb), int32(m), int32(n), int32(k), alpha, pointer(a), int32(lda), pointer(b), int32(ldb), beta, pointer(c), int32(ldc))
}

func (l libraryFloat64) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if !worth(n, n, k, lda, ldc) || !goblas.ValidTrans(t) || !goblas.ValidUplo(ul) || !goblas.Fits(t == blas.NoTrans, n, k, a, lda) || !goblas.Fits(true, n, n, c, ldc) {
		l.Level2.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	lib.dsyrk(rowMajor, uplo(ul), trans(t), int32(n), int32(k), alpha, pointer(a), int32(lda), beta, pointer(c), int32(ldc))
}

func (l libraryFloat64) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	plain := t == blas.NoTrans
	if !worth(n, n, k, lda, ldb, ldc) || !goblas.ValidTrans(t) || !goblas.ValidUplo(ul) || !goblas.Fits(plain, n, k, a, lda) || !goblas.Fits(plain, n, k, b, ldb) || !goblas.Fits(true, n, n, c, ldc) {
		l.Level2.Dsyr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	lib.dsyr2k(rowMajor, uplo(ul), trans(t), int32(n), int32(k), alpha, pointer(a), int32(lda), pointer(b), int32(ldb), beta, pointer(c), int32(ldc))
}

func (l libraryFloat64) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	order := triangleOrder(s, m, n)
	if !worth(m, n, order, lda, ldb, ldc) || !goblas.ValidSide(s) || !goblas.ValidUplo(ul) || !goblas.Fits(true, order, order, a, lda) || !goblas.Fits(true, m, n, b, ldb) || !goblas.Fits(true, m, n, c, ldc) {
		l.Level2.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	lib.dsymm(rowMajor, side(s), uplo(ul), int32(m), int32(n), alpha, pointer(a), int32(lda), pointer(b), int32(ldb), beta, pointer(c), int32(ldc))
}

func (l libraryFloat64) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if !triangularFits(s, ul, t, d, m, n, a, lda, b, ldb) {
		l.Level2.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	lib.dtrsm(rowMajor, side(s), uplo(ul), trans(t), unit(d), int32(m), int32(n), alpha, pointer(a), int32(lda), pointer(b), int32(ldb))
}

func (l libraryFloat64) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if !triangularFits(s, ul, t, d, m, n, a, lda, b, ldb) {
		l.Level2.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	lib.dtrmm(rowMajor, side(s), uplo(ul), trans(t), unit(d), int32(m), int32(n), alpha, pointer(a), int32(lda), pointer(b), int32(ldb))
}

func triangularFits(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) bool {
	order := triangleOrder(s, m, n)
	return worth(m, n, order, lda, ldb) && goblas.ValidSide(s) && goblas.ValidUplo(ul) && goblas.ValidTrans(t) && (d == blas.Unit || d == blas.NonUnit) &&
		goblas.Fits(true, order, order, a, lda) && goblas.Fits(true, m, n, b, ldb)
}

// triangleOrder returns the order of the triangular or symmetric factor.
func triangleOrder(s blas.Side, m, n int) int {
	if s == blas.Left {
		return m
	}
	return n
}

// choice returns `yes` if a equals b, and `no` otherwise. It converts gonum's letters to the
// constants of CBLAS.
func choice[T comparable](a, b T, yes, no int32) int32 {
	if a == b {
		return yes
	}
	return no
}

func trans(t blas.Transpose) int32 { return choice(t, blas.NoTrans, cblasNoTrans, cblasTrans) }
func uplo(ul blas.Uplo) int32      { return choice(ul, blas.Upper, cblasUpper, cblasLower) }
func unit(d blas.Diag) int32       { return choice(d, blas.NonUnit, cblasNonUnit, cblasUnit) }
func side(s blas.Side) int32       { return choice(s, blas.Left, cblasLeft, cblasRight) }
