package blas

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

// smallCholesky is the largest order of a matrix that is factorised row by row.
const smallCholesky = 48

// Dpotrf overwrites the triangle ul of the symmetric matrix a with its Cholesky factor. It returns
// false if the matrix is not positive definite.
func (l lapackEngine) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	if n <= 1 || lda < n || len(a) < (n-1)*lda+n || (ul != blas.Upper && ul != blas.Lower) {
		return l.Float64.Dpotrf(ul, n, a, lda)
	}
	e := current.Load()
	if e.cholesky != nil && n > smallCholesky {
		return e.cholesky(ul == blas.Upper, n, a, lda)
	}
	return factorise(e.blas, ul, n, a, lda)
}

// factorise splits the matrix into two halves. It factorises the first half, subtracts its
// contribution from the second half, and factorises the second half.
func factorise(b blas.Float64, ul blas.Uplo, n int, a []float64, lda int) bool {
	if n <= smallCholesky {
		if ul == blas.Upper {
			return factoriseUpper(n, a, lda)
		}
		return factoriseLower(n, a, lda)
	}
	h := n / 2
	if !factorise(b, ul, h, a, lda) {
		return false
	}
	second := a[h*lda+h:]
	if ul == blas.Upper {
		off := a[h:]
		b.Dtrsm(blas.Left, ul, blas.Trans, blas.NonUnit, h, n-h, 1, a, lda, off, lda)
		b.Dsyrk(ul, blas.Trans, n-h, h, -1, off, lda, 1, second, lda)
	} else {
		off := a[h*lda:]
		b.Dtrsm(blas.Right, ul, blas.Trans, blas.NonUnit, n-h, h, 1, a, lda, off, lda)
		b.Dsyrk(ul, blas.NoTrans, n-h, h, -1, off, lda, 1, second, lda)
	}
	return factorise(b, ul, n-h, second, lda)
}

// factoriseUpper computes the factor row by row, and subtracts multiples of each row from the rows
// below it.
func factoriseUpper(n int, a []float64, lda int) bool {
	for i := range n {
		row := a[i*lda+i : i*lda+n]
		if !(row[0] > 0) { // also rejects NaN
			return false
		}
		pivot := math.Sqrt(row[0])
		row[0] = pivot
		for j := range row[1:] {
			row[1+j] /= pivot
		}
		for j := i + 1; j < n; j++ {
			kernel.Axpy(-row[j-i], row[j-i:], a[j*lda+j:])
		}
	}
	return true
}

// factoriseLower computes each row of the factor from those above it.
func factoriseLower(n int, a []float64, lda int) bool {
	for i := range n {
		row := a[i*lda : i*lda+i+1]
		for j := range i {
			row[j] = (row[j] - kernel.Dot(row[:j], a[j*lda:])) / a[j*lda+j]
		}
		v := row[i] - kernel.Dot(row[:i], row)
		if !(v > 0) {
			return false
		}
		row[i] = math.Sqrt(v)
	}
	return true
}

// Dpocon estimates the reciprocal condition number, in the 1-norm, of the symmetric positive
// definite matrix with the given Cholesky factor and 1-norm. gonum's mat.Cholesky calls Dpocon
// after every factorisation. gonum's own Dpocon reads the factor column by column and takes longer
// than the factorisation. It is used only if a solution overflows or an argument is unsuitable.
func (l lapackEngine) Dpocon(ul blas.Uplo, n int, a []float64, lda int, anorm float64, work []float64, iwork []int) float64 {
	if n < 2 || lda < n || len(a) < (n-1)*lda+n || len(work) < 3*n || len(iwork) < n || (ul != blas.Upper && ul != blas.Lower) || !(anorm > 0) || math.IsInf(anorm, 0) {
		return l.Float64.Dpocon(ul, n, a, lda, anorm, work, iwork)
	}
	x, v, isgn := work[:n], work[n:2*n], iwork[:n]
	var save [3]int
	estimate := 0.0
	for kase := 0; ; {
		estimate, kase = lapackgonum.Implementation{}.Dlacn2(n, v, x, isgn, estimate, kase, &save)
		if kase == 0 {
			break
		}
		if ul == blas.Upper {
			solveTransposed(n, a, lda, x)
			solveUpper(n, a, lda, x)
		} else {
			solveLower(n, a, lda, x)
			solveLowerTransposed(n, a, lda, x)
		}
		if top := blas64.Asum(blas64.Vector{N: n, Data: x, Inc: 1}); math.IsNaN(top) || math.IsInf(top, 0) {
			return l.Float64.Dpocon(ul, n, a, lda, anorm, work, iwork)
		}
	}
	if estimate == 0 {
		return 0
	}
	return 1 / estimate / anorm
}

// solveTransposed replaces x by U⁻ᵀx, solveUpper by U⁻¹x, solveLower by L⁻¹x and
// solveLowerTransposed by L⁻ᵀx. All four read the matrix `a` row by row.
func solveTransposed(n int, a []float64, lda int, x []float64) {
	for i := range n {
		x[i] /= a[i*lda+i]
		kernel.Axpy(-x[i], a[i*lda+i+1:i*lda+n], x[i+1:])
	}
}

func solveUpper(n int, a []float64, lda int, x []float64) {
	for i := n - 1; i >= 0; i-- {
		x[i] = (x[i] - kernel.Dot(x[i+1:], a[i*lda+i+1:])) / a[i*lda+i]
	}
}

func solveLower(n int, a []float64, lda int, x []float64) {
	for i := range n {
		x[i] = (x[i] - kernel.Dot(x[:i], a[i*lda:])) / a[i*lda+i]
	}
}

func solveLowerTransposed(n int, a []float64, lda int, x []float64) {
	for i := n - 1; i >= 0; i-- {
		x[i] /= a[i*lda+i]
		kernel.Axpy(-x[i], a[i*lda:i*lda+i], x)
	}
}
