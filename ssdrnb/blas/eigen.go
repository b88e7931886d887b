package blas

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/decompose"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

var (
	// ErrNoConvergence means that an eigenvalue iteration failed.
	ErrNoConvergence = errors.New("blas: the eigenvalue iteration did not converge")
	// ErrNotFinite means that a matrix contains a NaN or an infinity.
	ErrNotFinite = errors.New("blas: the matrix is not finite")
	// ErrRange means that an index or a shape is out of range.
	ErrRange = errors.New("blas: out of range")
)

// EigenSym returns all eigenvalues of the symmetric n×n matrix a in ascending order, and
// orthonormal eigenvectors as the columns of an n×n matrix. a is not changed.
//
// The method is a blocked Householder reduction to a tridiagonal matrix, followed by divide and
// conquer (Cuppen 1981; Gu, Eisenstat 1995). It uses the engine's matrix products. On processors
// without our kernels, the openblas engine uses its own LAPACK instead. Residuals are within a
// small multiple of n·ε·‖a‖, and orthogonality within a small multiple of n·ε. The absolute error
// of an eigenvalue is about ε·‖a‖, so that small eigenvalues have large relative errors.
//
// The error wraps [ErrNotFinite] or [ErrNoConvergence].
func EigenSym(a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	n := a.SymmetricDim()
	if n == 0 {
		return nil, new(mat.Dense), nil
	}
	return eigenRange(a, 0, n)
}

// EigenSymRange returns eigenvalues il to iu-1 of the symmetric n×n matrix a, in ascending order
// and counted from 0, and their orthonormal eigenvectors as the columns of an n×(iu-il) matrix. The
// range (0, d) gives the d smallest, and (n-d, n) the d largest. For d ≪ n, the cost is about a
// third of that of [EigenSym]. Accuracy and errors are the same. If the range is empty or extends
// beyond n, the error wraps [ErrRange].
func EigenSymRange(a *mat.SymDense, il, iu int) (values []float64, vectors *mat.Dense, err error) {
	n := a.SymmetricDim()
	if il < 0 || iu > n || il >= iu {
		return nil, nil, fmt.Errorf("%w: il = %d and iu = %d for a matrix of order %d; choose 0 ≤ il < iu ≤ %d", ErrRange, il, iu, n, n)
	}
	return eigenRange(a, il, iu)
}

// EigenValuesSym returns all eigenvalues of the symmetric n×n matrix a in ascending order, at about
// a quarter of the cost of [EigenSym]. Accuracy and errors are as for EigenSym.
func EigenValuesSym(a *mat.SymDense) ([]float64, error) {
	n := a.SymmetricDim()
	lower, err := lowerTriangle(a)
	if err != nil {
		return nil, err
	}
	values := make([]float64, n)
	if err := current.Load().eigenValues(n, lower, values); err != nil {
		return nil, fmt.Errorf("%w (order %d)", err, n)
	}
	return values, nil
}

// EigenTridiagonal returns eigenvalues il to iu-1, in ascending order and counted from 0, of a
// symmetric tridiagonal matrix, and their orthonormal eigenvectors as the columns of an n×(iu-il)
// matrix. d holds the n diagonal entries and e the n-1 off-diagonal entries. If only a few pairs
// are requested, each takes O(n) operations. d and e are not changed; their squares must neither
// overflow nor underflow to 0. Accuracy and errors are the same as for [EigenSymRange].
func EigenTridiagonal(d, e []float64, il, iu int) (values []float64, vectors *mat.Dense, err error) {
	n := len(d)
	if il < 0 || iu > n || il >= iu || len(e) != n-1 {
		return nil, nil, fmt.Errorf("%w: eigenvalues %d to %d are requested from a matrix with %d diagonal and %d off-diagonal entries, but 0 ≤ il < iu ≤ %d and %d off-diagonal entries are needed", ErrRange, il, iu-1, n, len(e), n, n-1)
	}
	if err := checkFinite(1, n, d, n, false); err != nil {
		return nil, nil, err
	}
	if n > 1 {
		if err := checkFinite(1, n-1, e, n-1, false); err != nil {
			return nil, nil, err
		}
	}
	values, rows, err := decompose.Tridiagonal(current.Load().inner(), d, e, il, iu)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (order %d)", ErrNoConvergence, n)
	}
	out := make([]float64, n*(iu-il))
	goblas.Transpose(iu-il, n, rows, n, out, iu-il)
	return values, mat.NewDense(n, iu-il, out), nil
}

func eigenRange(a *mat.SymDense, il, iu int) ([]float64, *mat.Dense, error) {
	n, d := a.SymmetricDim(), iu-il
	lower, err := lowerTriangle(a)
	if err != nil {
		return nil, nil, err
	}
	values := make([]float64, n)
	rows, err := current.Load().eigenVectors(n, lower, values, il, iu)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (order %d)", err, n)
	}
	out := lower // `lower` can be overwritten unless `rows` shares its memory
	if &rows[0] == &lower[0] {
		out = make([]float64, n*d)
	}
	goblas.Transpose(d, n, rows, n, out, d)
	return values[il:iu:iu], mat.NewDense(n, d, out[:n*d]), nil
}

// eigenValues computes the eigenvalues of the symmetric matrix in the lower triangle of a, in
// ascending order. It destroys a.
func (e *engine) eigenValues(n int, a, values []float64) error {
	if e.eigen != nil {
		_, err := e.eigen(n, a, values, 0, 0)
		return err
	}
	if decompose.Values(e.inner(), n, a, values) != nil {
		return ErrNoConvergence
	}
	return nil
}

// eigenVectors computes the eigenvalues of the symmetric matrix in the lower triangle of a, and
// returns eigenvectors il to iu-1 as rows. It destroys a; the rows may share memory with a. Only
// eigenvalues in the range are certain to be set.
func (e *engine) eigenVectors(n int, a, values []float64, il, iu int) ([]float64, error) {
	// With our kernels, our own reduction computes a part of the eigenvectors faster than the
	// library, whose many small products repeatedly wake its threads.
	if e.eigen != nil && (iu-il == n || !kernel.Fast) {
		return e.eigen(n, a, values, il, iu)
	}
	rows, err := decompose.Vectors(e.inner(), n, a, values, il, iu)
	if err != nil {
		return nil, ErrNoConvergence
	}
	return rows, nil
}

// inner returns the BLAS for the products of our own decompositions. The threads of OpenBLAS keep
// running in a busy loop for a while after each call, and slow down the goroutines that run next.
// If products alternate with Go code every few microseconds, our own products are therefore faster.
func (e *engine) inner() blas.Float64 {
	if e.name == OpenBLAS && kernel.Fast {
		return parallel
	}
	return e.blas
}

// lowerTriangle returns the matrix a in n×n storage with the lower triangle filled. It returns an
// error unless all entries are finite.
func lowerTriangle(a *mat.SymDense) ([]float64, error) {
	raw := a.RawSymmetric() // its upper triangle is filled
	lower := make([]float64, raw.N*raw.N)
	goblas.Transpose(raw.N, raw.N, raw.Data, raw.Stride, lower, raw.N)
	return lower, checkFinite(raw.N, raw.N, lower, raw.N, true)
}

// checkFinite returns an error that wraps [ErrNotFinite] for the first NaN or infinite entry of the
// m×n matrix. If triangle is true, it checks only the lower triangle.
func checkFinite(m, n int, a []float64, lda int, triangle bool) error {
	bad := make([]int, m) // 1 + column of the first bad entry of each row, or 0
	par.Blocks(m, 128, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			width := n
			if triangle {
				width = i + 1
			}
			row := a[i*lda : i*lda+width]
			// The sum of v − v is 0 if and only if every v is finite.
			sum := 0.0
			for _, v := range row {
				sum += v - v
			}
			if sum == 0 {
				continue
			}
			for j, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					bad[i] = j + 1
					break
				}
			}
		}
	})
	for i, j := range bad {
		if j > 0 {
			return fmt.Errorf("%w: %v in row %d, column %d", ErrNotFinite, a[i*lda+j-1], i, j-1)
		}
	}
	return nil
}
