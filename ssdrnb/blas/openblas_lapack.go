//go:build (linux || darwin) && (amd64 || arm64) && !noopenblas

package blas

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
)

// LAPACK's matrices are column-major. LAPACK therefore reads a row-major matrix as its transpose,
// and each triangle as the opposite triangle.

// libraryCholesky overwrites the upper or the lower triangle of the symmetric n×n
// matrix a with its Cholesky factor. It reports whether a is positive definite.
func libraryCholesky(upper bool, n int, a []float64, lda int) bool {
	uplo := byte('U')
	if upper {
		uplo = 'L'
	}
	size, ld, info := int32(n), int32(lda), int32(0)
	lib.dpotrf(&uplo, &size, pointer(a), &ld, &info, 1)
	if info != 0 {
		return false
	}
	for i := range n { // the library does not reject NaN
		if math.IsNaN(a[i*lda+i]) {
			return false
		}
	}
	return true
}

// libraryEigen computes the eigenvalues, in ascending order, of the symmetric matrix in the lower
// triangle of a, and eigenvectors il to iu-1 as rows. It destroys a. Divide and conquer (dsyevd)
// computes all eigenvectors, or for an empty range only the eigenvalues. Relatively robust
// representations (dsyevr) compute a part of the eigenvectors. For a range that is not empty, only
// the eigenvalues in the range are certain to be set.
//
// If many eigenvalues coincide, dsyevr may find fewer than requested and leave the other rows zero
// without an error. In that case, all eigenpairs are computed. If dsyevr finds none, dstebz writes
// to the integer before its workspace. For this reason, the workspace begins at the second element
// of the slice `integers`.
func libraryEigen(n int, a, values []float64, il, iu int) ([]float64, error) {
	if n > math.MaxInt32/2 {
		return nil, fmt.Errorf("%w: the order %d is too large for LAPACK with 32-bit integers", ErrRange, n)
	}
	uplo, size, info := byte('U'), int32(n), int32(0)
	work, integers, lwork, liwork := make([]float64, 1), make([]int32, 2), int32(-1), int32(-1)
	var rows, again []float64
	found, some := int32(iu-il), []float64(nil)
	var call func()
	if d := iu - il; d == 0 || d == n {
		job := byte('N')
		if d == n {
			job, rows = 'V', a
		}
		call = func() {
			lib.dsyevd(&job, &uplo, &size, pointer(a), &size, pointer(values), pointer(work), &lwork, pointer(integers[1:]), &liwork, &info, 1, 1)
		}
	} else {
		rows = make([]float64, d*n)
		job, by := byte('V'), byte('I')
		first, last := int32(il+1), int32(iu)
		var low, high, tolerance float64
		support := make([]int32, 2*n)
		some, again = make([]float64, n), slices.Clone(a[:n*n])
		call = func() {
			lib.dsyevr(&job, &by, &uplo, &size, pointer(a), &size, &low, &high, &first, &last, &tolerance, &found, pointer(some), pointer(rows), &size, pointer(support), pointer(work), &lwork, pointer(integers[1:]), &liwork, &info, 1, 1, 1)
		}
	}
	if call(); info == 0 {
		lwork, liwork = int32(work[0]), integers[1]
		work, integers = make([]float64, lwork), make([]int32, liwork+1)
		call()
	}
	if info != 0 {
		return nil, fmt.Errorf("%w: the eigensolver of LAPACK returned info = %d", ErrNoConvergence, info)
	}
	if int(found) != iu-il {
		all, err := libraryEigen(n, again, values, 0, n)
		if err != nil {
			return nil, err
		}
		return all[il*n : iu*n], nil
	}
	copy(values[il:iu], some)
	return rows[:n*(iu-il)], nil
}

// librarySVD returns the thin singular value decomposition of the m×n matrix a, which it destroys.
// With k = min(m, n), it returns k values in descending order, the left vectors as the rows of u
// (k×m) and the right vectors as the rows of v (k×n).
func librarySVD(m, n int, a []float64) (u, values, v []float64, err error) {
	if max(m, n) > math.MaxInt32 {
		return nil, nil, nil, fmt.Errorf("%w: the size %d×%d is too large for LAPACK with 32-bit integers", ErrRange, m, n)
	}
	k := min(m, n)
	// LAPACK is faster on a tall column-major matrix. In column-major order, the memory of a is the
	// transpose of a. This transpose is used directly if it is tall; otherwise a is transposed.
	tall := m >= n
	if tall {
		t := make([]float64, m*n)
		goblas.Transpose(m, n, a, n, t, m)
		a = t
	}
	long := max(m, n)
	left, values, right := make([]float64, long*k), make([]float64, k), make([]float64, k*k)
	job, rows, cols, info := byte('S'), int32(long), int32(k), int32(0)
	integers := make([]int32, 8*k)
	work, lwork := make([]float64, 1), int32(-1)
	call := func() {
		lib.dgesdd(&job, &rows, &cols, pointer(a), &rows, pointer(values), pointer(left), &rows, pointer(right), &cols, pointer(work), &lwork, pointer(integers), &info, 1)
	}
	if call(); info == 0 {
		lwork = int32(work[0])
		work = make([]float64, lwork)
		call()
	}
	if info != 0 {
		return nil, nil, nil, fmt.Errorf("%w: dgesdd returned info = %d for a %d×%d matrix", ErrNoConvergence, info, m, n)
	}
	// `left` has max(m, n) rows and k columns in column-major order, so each left vector is a row
	// here. `right` is Vᵀ.
	t := make([]float64, k*k)
	goblas.Transpose(k, k, right, k, t, k)
	if tall {
		return left, values, t, nil
	}
	return t, values, left, nil
}
