package blas

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

var (
	// ErrNoConvergence says that an eigenvalue iteration failed.
	ErrNoConvergence = errors.New("blas: the eigenvalue iteration did not converge")
	// ErrNotFinite says that a matrix has a NaN or an infinity.
	ErrNotFinite = errors.New("blas: the matrix is not finite")
)

// EigenSym returns all eigenvalues of the symmetric matrix a, rising, and
// orthonormal eigenvectors as the columns of an n×n matrix. a is not changed.
// Both are accurate to about the machine precision times ‖a‖.
func EigenSym(a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	n := a.SymmetricDim()
	z := mat.NewDense(n, n, nil)
	z.Copy(a)
	values = make([]float64, n)
	if err := eigenFinite(n, z.RawMatrix().Data, values, true); err != nil {
		return nil, nil, err
	}
	return values, mat.DenseCopyOf(z.T()), nil
}

// EigenValuesSym returns all eigenvalues of the symmetric matrix a, rising.
func EigenValuesSym(a *mat.SymDense) ([]float64, error) {
	n := a.SymmetricDim()
	z := mat.NewDense(n, n, nil)
	z.Copy(a)
	values := make([]float64, n)
	if err := eigenFinite(n, z.RawMatrix().Data, values, false); err != nil {
		return nil, err
	}
	return values, nil
}

// eigenFinite runs the engine's decomposition on a matrix that it first checks:
// QL iterations on NaN may not end.
func eigenFinite(n int, z, values []float64, vectors bool) error {
	for _, v := range z {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ErrNotFinite
		}
	}
	return current.Load().eigen(n, z, values, vectors)
}

// eigenQL is gonum's decomposition by the QL iteration.
func eigenQL(n int, z, values []float64, vectors bool) error {
	job := lapack.EVNone
	if vectors {
		job = lapack.EVCompute
	}
	var impl lapackgonum.Implementation
	work := make([]float64, 1)
	impl.Dsyev(job, blas.Upper, n, z, n, values, work, -1)
	work = make([]float64, int(work[0]))
	if !impl.Dsyev(job, blas.Upper, n, z, n, values, work, len(work)) {
		return ErrNoConvergence
	}
	transposeSquare(n, z)
	return nil
}

func transposeSquare(n int, z []float64) {
	const block = 32
	for bi := 0; bi < n; bi += block {
		for bj := bi; bj < n; bj += block {
			for i := bi; i < min(bi+block, n); i++ {
				for j := max(bj, i+1); j < min(bj+block, n); j++ {
					z[i*n+j], z[j*n+i] = z[j*n+i], z[i*n+j]
				}
			}
		}
	}
}
