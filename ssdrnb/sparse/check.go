package sparse

import (
	"fmt"
	"math"
	"slices"
)

// Dims returns the number of rows and columns.
func (m *CSR) Dims() (rows, cols int) { return m.Rows, m.Cols }

// Check returns an error unless the fields form a valid matrix: consistent lengths, columns in
// range and strictly ascending within each row, and finite values. Matrices returned by this
// package are valid; call Check for matrices assembled by hand or read from a file. Errors wrap
// [ErrShape], [ErrIndex] or [ErrNotFinite].
func (m *CSR) Check() error {
	switch {
	case m.Rows < 0 || m.Cols < 0 || m.Cols > math.MaxInt32:
		return fmt.Errorf("%w: the matrix is %d×%d, but neither number may be negative, and the number of columns must be at most %d", ErrShape, m.Rows, m.Cols, math.MaxInt32)
	case len(m.RowPtr) != m.Rows+1:
		return fmt.Errorf("%w: the length of RowPtr is %d, but must be the number of rows plus 1, %d", ErrShape, len(m.RowPtr), m.Rows+1)
	case len(m.ColInd) != len(m.Val):
		return fmt.Errorf("%w: the lengths of ColInd and Val are %d and %d, but must be equal", ErrShape, len(m.ColInd), len(m.Val))
	case m.RowPtr[0] != 0 || m.RowPtr[m.Rows] != len(m.Val):
		return fmt.Errorf("%w: RowPtr runs from %d to %d instead of 0 to %d", ErrShape, m.RowPtr[0], m.RowPtr[m.Rows], len(m.Val))
	}
	for i := range m.Rows {
		if m.RowPtr[i+1] < m.RowPtr[i] || m.RowPtr[i+1] > len(m.Val) {
			return fmt.Errorf("%w: row %d begins at entry %d and ends at %d, but must end between its beginning and %d", ErrShape, i, m.RowPtr[i], m.RowPtr[i+1], len(m.Val))
		}
		last := int32(-1)
		cols, vals := m.Row(i)
		for k, j := range cols {
			switch {
			case j < 0 || int(j) >= m.Cols:
				return fmt.Errorf("%w: column %d in row %d lies outside of the %d×%d matrix", ErrIndex, j, i, m.Rows, m.Cols)
			case j <= last:
				return fmt.Errorf("%w: column %d follows column %d in row %d; columns must ascend", ErrIndex, j, last, i)
			case math.IsNaN(vals[k]) || math.IsInf(vals[k], 0):
				return fmt.Errorf("%w: entry (%d, %d) is %v", ErrNotFinite, i, j, vals[k])
			}
			last = j
		}
	}
	return nil
}

// IsSymmetric reports whether the matrix is square and equals its transpose up to tol·max|value|.
// tol = 0 requires exact equality.
func (m *CSR) IsSymmetric(tol float64) bool {
	if m.Rows != m.Cols {
		return false
	}
	largest := 0.0
	for _, v := range m.Val {
		largest = max(largest, math.Abs(v))
	}
	if math.IsNaN(largest) || math.IsInf(largest, 1) {
		return false
	}
	near := func(x, y float64) bool { return math.Abs(x-y) <= tol*largest }
	// Row by row, the loop visits the entries to the right of the diagonal. Their mirror images in
	// a row j are therefore visited in storage order. next[j] is the first entry of row j that has
	// not been visited yet.
	next := slices.Clone(m.RowPtr[:m.Rows])
	skip := func(j int, before int32) bool {
		for ; next[j] < m.RowPtr[j+1] && m.ColInd[next[j]] < before; next[j]++ {
			if !near(m.Val[next[j]], 0) { // the mirror image is not stored
				return false
			}
		}
		return true
	}
	for i := range m.Rows {
		if !skip(i, int32(i)) {
			return false
		}
		cols, vals := m.Row(i)
		for k, j := range cols {
			if int(j) <= i {
				continue
			}
			if !skip(int(j), int32(i)) {
				return false
			}
			opposite := 0.0
			if at := next[j]; at < m.RowPtr[j+1] && int(m.ColInd[at]) == i {
				opposite = m.Val[at]
				next[j]++
			}
			if !near(vals[k], opposite) {
				return false
			}
		}
	}
	return true
}
