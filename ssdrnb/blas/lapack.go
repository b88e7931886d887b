package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/level3"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/symmetric"
)

// lapackEngine is gonum's LAPACK with the current engine's decompositions; its
// other routines run on the engine's products. Calls that gonum's code would refuse
// or answer without work go to it.
type lapackEngine struct{ lapackgonum.Implementation }

var _ lapack.Float64 = lapackEngine{}

// Orders below which gonum's code is as fast as any.
const (
	smallEigen    = 16
	smallCholesky = 64
)

// Dsyev computes the eigenvalues, rising, and with lapack.EVCompute the
// eigenvectors, as columns of a, of the symmetric matrix in the triangle uplo. It
// reports false for a matrix with a NaN or an infinity.
func (l lapackEngine) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) bool {
	if lwork == -1 || n < smallEigen || lda < n || len(a) < (n-1)*lda+n || len(w) < n || len(work) < lwork || lwork < 3*n-1 ||
		(uplo != blas.Upper && uplo != blas.Lower) || (jobz != lapack.EVNone && jobz != lapack.EVCompute) {
		return l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	lower := make([]float64, n*n)
	if uplo == blas.Upper {
		level3.Transpose(n, n, a, lda, lower, n)
	} else {
		for i := range n {
			copy(lower[i*n:i*n+i+1], a[i*lda:])
		}
	}
	if checkFinite(n, n, lower, n, true) != nil {
		return false
	}
	products := current.Load().blas
	if jobz == lapack.EVNone {
		return symmetric.Values(products, n, lower, w) == nil
	}
	rows, err := symmetric.Vectors(products, n, lower, w, 0, n)
	if err != nil {
		return false
	}
	level3.Transpose(n, n, rows, n, a, lda)
	return true
}

// Dpotrf overwrites the triangle ul of the symmetric matrix a with its Cholesky
// factor. It reports false for a matrix that is not positive definite.
func (l lapackEngine) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	if n <= smallCholesky || lda < n || len(a) < (n-1)*lda+n || (ul != blas.Upper && ul != blas.Lower) {
		return l.Implementation.Dpotrf(ul, n, a, lda)
	}
	e := current.Load()
	if e.cholesky != nil {
		return e.cholesky(ul == blas.Upper, n, a, lda)
	}
	return l.halve(e.blas, ul, n, a, lda)
}

// halve factorises the first half, removes it from the second, and factorises that.
func (l lapackEngine) halve(b blas.Float64, ul blas.Uplo, n int, a []float64, lda int) bool {
	if n <= smallCholesky {
		return l.Implementation.Dpotf2(ul, n, a, lda)
	}
	h := n / 2
	if !l.halve(b, ul, h, a, lda) {
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
	return l.halve(b, ul, n-h, second, lda)
}
