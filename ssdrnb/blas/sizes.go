package blas

import "gonum.org/v1/gonum/blas"

// fits reports whether a holds a rows×cols matrix (or its transpose, if not
// plain) with the stride lda. A library reads where it is told to.
func fits(plain bool, rows, cols int, a []float64, lda int) bool {
	if !plain {
		rows, cols = cols, rows
	}
	return rows > 0 && cols > 0 && lda >= cols && len(a) >= (rows-1)*lda+cols
}

// triangleOrder is the order of the triangular or symmetric factor.
func triangleOrder(s blas.Side, m, n int) int {
	if s == blas.Left {
		return m
	}
	return n
}
