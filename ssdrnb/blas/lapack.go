package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
)

// lapackEngine is gonum's LAPACK, except that the current engine computes the decompositions. The
// remaining routines are gonum's and multiply matrices with the current engine. Invalid and trivial
// calls are passed to gonum's code.
type lapackEngine struct{ lapack.Float64 }

// newLapack returns a lapackEngine that uses gonum's LAPACK for all other routines.
func newLapack() lapackEngine { return lapackEngine{lapackgonum.Implementation{}} }

var _ lapack.Float64 = lapackEngine{}

// smallEigen is the order below which gonum's code is as fast as any other.
const smallEigen = 16

// Dsyev computes the eigenvalues, in ascending order, of the symmetric matrix in the triangle uplo.
// With lapack.EVCompute it also computes the eigenvectors as columns of a. It returns false for a
// matrix with a NaN or an infinity, or if the iteration does not converge.
func (l lapackEngine) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) bool {
	if lwork == -1 || n < smallEigen || lda < n || len(a) < (n-1)*lda+n || len(w) < n || len(work) < lwork || lwork < 3*n-1 ||
		(uplo != blas.Upper && uplo != blas.Lower) || (jobz != lapack.EVNone && jobz != lapack.EVCompute) {
		return l.Float64.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	lower := make([]float64, n*n)
	if uplo == blas.Upper {
		goblas.Transpose(n, n, a, lda, lower, n)
	} else {
		for i := range n {
			copy(lower[i*n:i*n+i+1], a[i*lda:])
		}
	}
	if checkFinite(n, n, lower, n, true) != nil {
		return false
	}
	e := current.Load()
	if jobz == lapack.EVNone {
		return e.eigenValues(n, lower, w) == nil
	}
	rows, err := e.eigenVectors(n, lower, w, 0, n)
	if err != nil {
		return false
	}
	goblas.Transpose(n, n, rows, n, a, lda)
	return true
}
