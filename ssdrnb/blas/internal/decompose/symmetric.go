// Package decompose computes spectral decompositions of dense matrices. A symmetric matrix is
// reduced to a tridiagonal matrix T by blocked Householder reflections. T is decomposed by divide
// and conquer, and the reflectors are applied to its eigenvectors in blocks. A general matrix is
// reduced to a bidiagonal matrix and then treated in the same way. Nearly all of the work consists
// of matrix products and one pass over the matrix per column, on all processors.
//
// Results do not depend on the number of processors if the products passed in do not.
package decompose

import (
	"errors"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// ErrNoConvergence means that the iteration on a tridiagonal or bidiagonal matrix failed.
var ErrNoConvergence = errors.New("the QL or QR iteration did not converge")

// Values computes the eigenvalues, in ascending order, of the symmetric n×n matrix in the lower
// triangle of a. It destroys a. All entries must be finite.
func Values(products blas.Float64, n int, a, values []float64) error {
	if n == 0 {
		return nil
	}
	scale := rescale(n, a)
	e, tau := make([]float64, n), make([]float64, n)
	reduce(products, n, a, values, e, tau)
	if !(lapackgonum.Implementation{}).Dsterf(n, values, e[:n-1]) {
		return ErrNoConvergence
	}
	for i := range values[:n] {
		values[i] /= scale
	}
	return nil
}

// Vectors computes eigenvalues il to iu-1, in ascending order, of the symmetric n×n matrix in the
// lower triangle of a. It returns their orthonormal eigenvectors as the rows of an (iu-il)×n matrix
// and destroys a. Only eigenvalues in the range are certain to be set. All entries must be finite.
func Vectors(products blas.Float64, n int, a, values []float64, il, iu int) ([]float64, error) {
	if n == 0 {
		return nil, nil
	}
	scale := rescale(n, a)
	e, tau := make([]float64, n), make([]float64, n)
	reduce(products, n, a, values, e, tau)
	var rows []float64
	some, found := []float64(nil), false
	if n >= fewOrder && iu-il <= n/fewShare {
		some, rows, found = selectedPairs(n, values, e, il, iu)
	}
	if found {
		copy(values[il:iu], some)
	} else {
		var err error
		if rows, err = tridiagonal(products, n, values, e, il, iu); err != nil {
			return nil, err
		}
	}
	restore(products, n, a, tau, rows, iu-il)
	for i := range values[:n] {
		values[i] /= scale
	}
	return rows, nil
}

// Tridiagonal returns eigenvalues il to iu-1, in ascending order, of the symmetric tridiagonal
// matrix with diagonal d and off-diagonal e, and orthonormal eigenvectors as the rows of an
// (iu-il)×n matrix. d and e are not changed.
func Tridiagonal(products blas.Float64, d, e []float64, il, iu int) (values, rows []float64, err error) {
	n := len(d)
	if values, rows, ok := selectedPairs(n, d, e, il, iu); ok {
		return values, rows, nil
	}
	values = slices.Clone(d)
	rows, err = tridiagonal(products, n, values, append(slices.Clone(e[:n-1]), 0), il, iu)
	return values[il:iu], rows, err
}

// At order fewOrder and above, Vectors computes eigenpairs one by one if at most 1/fewShare of them
// are requested.
const (
	fewOrder = 128
	fewShare = 16
)

// rescale multiplies the lower triangle by a power of two that brings its largest entry close to 1,
// so that squares neither overflow nor underflow. It returns this power.
func rescale(n int, a []float64) float64 {
	var mutex sync.Mutex
	largest := 0.0
	par.Blocks(n, 64, func(lo, hi int) {
		top := 0.0
		for i := lo; i < hi; i++ {
			for _, v := range a[i*n : i*n+i+1] {
				top = max(top, math.Abs(v))
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		largest = max(largest, top)
	})
	if largest == 0 || largest > 1e-3 && largest < 1e3 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	scale := math.Ldexp(1, min(1000, -exponent)) // 2¹⁰⁷⁴ would overflow
	for i := range n {
		row := a[i*n : i*n+i+1]
		for j := range row {
			row[j] *= scale
		}
	}
	return scale
}
