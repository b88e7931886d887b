package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

// lapackEngine is gonum's LAPACK with the current engine's symmetric
// eigen-decomposition; its other routines run on the engine's products.
type lapackEngine struct{ lapackgonum.Implementation }

// smallEigen is the order below which gonum's code is as fast as any.
const smallEigen = 24

// Dsyev computes the eigenvalues, rising, and with lapack.EVCompute the
// eigenvectors, as columns of a, of the symmetric matrix in the triangle uplo.
func (l lapackEngine) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) bool {
	if lwork == -1 || n < smallEigen || len(a) < (n-1)*lda+n || len(w) < n {
		return l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	z := make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			v := a[i*lda+j]
			if uplo == blas.Lower {
				v = a[j*lda+i]
			}
			z[i*n+j], z[j*n+i] = v, v
		}
	}
	vectors := jobz == lapack.EVCompute
	if eigenFinite(n, z, w[:n], vectors) != nil {
		return false
	}
	if vectors {
		for k := range n {
			for i, v := range z[k*n : (k+1)*n] {
				a[i*lda+k] = v
			}
		}
	}
	return true
}
