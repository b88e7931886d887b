// Package sparse implements matrices in compressed sparse row (CSR) form with the operations that
// neighbourhood graphs need: sums, products, transposes, and the solution of symmetric positive
// definite systems. [NewSolver] chooses between a sparse Cholesky factorisation and conjugate
// gradients by cost.
//
// Results do not depend on GOMAXPROCS. Errors wrap a sentinel of this package or the error of the
// context.
package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrShape means that sizes do not match.
	ErrShape = errors.New("sparse: sizes disagree")
	// ErrIndex means that an entry is outside the matrix or out of order.
	ErrIndex = errors.New("sparse: index out of range")
	// ErrNotFinite means that a value is NaN or infinite.
	ErrNotFinite = errors.New("sparse: value is not finite")
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("sparse: argument out of range")
)

// CSR is a Rows×Cols matrix. The columns of row i are ColInd[RowPtr[i]:RowPtr[i+1]], in ascending
// order; Val holds their values at the same indices. Column indices are int32, so that an entry
// takes 12 bytes.
type CSR struct {
	Rows, Cols int
	RowPtr     []int
	ColInd     []int32
	Val        []float64
}

// Triplet is one entry of a matrix.
type Triplet struct {
	Row, Col int
	Value    float64
}

// FromTriplets returns the rows×cols matrix with the given entries. Entries at the same position
// are added in the given order.
func FromTriplets(rows, cols int, entries []Triplet) (*CSR, error) {
	if rows < 0 || cols < 0 || cols > math.MaxInt32 {
		return nil, fmt.Errorf("%w: the matrix is %d×%d, but neither number may be negative, and the number of columns must be at most %d", ErrShape, rows, cols, math.MaxInt32)
	}
	m := &CSR{Rows: rows, Cols: cols, RowPtr: make([]int, rows+1)}
	for _, e := range entries {
		if e.Row < 0 || e.Row >= rows || e.Col < 0 || e.Col >= cols {
			return nil, fmt.Errorf("%w: entry (%d, %d) lies outside of the %d×%d matrix", ErrIndex, e.Row, e.Col, rows, cols)
		}
		m.RowPtr[e.Row+1]++
	}
	for i := range rows {
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	// A counting sort by row preserves the given order within each row.
	at := slices.Clone(m.RowPtr[:rows])
	byRow := make([]Triplet, len(entries))
	for _, e := range entries {
		byRow[at[e.Row]] = e
		at[e.Row]++
	}
	m.ColInd = make([]int32, 0, len(entries))
	m.Val = make([]float64, 0, len(entries))
	start := 0
	for i := range rows {
		row := byRow[start:m.RowPtr[i+1]]
		start = m.RowPtr[i+1]
		slices.SortStableFunc(row, func(a, b Triplet) int { return a.Col - b.Col })
		first := len(m.ColInd)
		for _, e := range row {
			if k := len(m.ColInd); k > first && int(m.ColInd[k-1]) == e.Col {
				m.Val[k-1] += e.Value
				continue
			}
			m.ColInd = append(m.ColInd, int32(e.Col))
			m.Val = append(m.Val, e.Value)
		}
		m.RowPtr[i+1] = len(m.ColInd)
	}
	return m, nil
}

// Diagonal returns the square matrix with d on its diagonal.
func Diagonal(d []float64) *CSR {
	m := &CSR{Rows: len(d), Cols: len(d), RowPtr: make([]int, len(d)+1), ColInd: make([]int32, len(d)), Val: slices.Clone(d)}
	for i := range d {
		m.RowPtr[i+1], m.ColInd[i] = i+1, int32(i)
	}
	return m
}

// NNZ returns the number of stored entries.
func (m *CSR) NNZ() int { return len(m.Val) }

// Row returns the columns and values of row i; treat both as read-only.
func (m *CSR) Row(i int) (cols []int32, vals []float64) {
	lo, hi := m.RowPtr[i], m.RowPtr[i+1]
	return m.ColInd[lo:hi], m.Val[lo:hi]
}

// At returns the entry at row i and column j. It returns 0 if the entry is not stored or outside
// the matrix.
func (m *CSR) At(i, j int) float64 {
	if i < 0 || i >= m.Rows || j < 0 || j >= m.Cols {
		return 0
	}
	cols, vals := m.Row(i)
	if k, ok := slices.BinarySearch(cols, int32(j)); ok {
		return vals[k]
	}
	return 0
}

// RowSums returns the sum of each row. For an affinity matrix, these are the degrees.
func (m *CSR) RowSums() []float64 {
	out := make([]float64, m.Rows)
	for i := range out {
		_, vals := m.Row(i)
		for _, v := range vals {
			out[i] += v
		}
	}
	return out
}

// T returns the transpose.
func (m *CSR) T() *CSR {
	t := &CSR{Rows: m.Cols, Cols: m.Rows, RowPtr: make([]int, m.Cols+1), ColInd: make([]int32, m.NNZ()), Val: make([]float64, m.NNZ())}
	for _, j := range m.ColInd {
		t.RowPtr[j+1]++
	}
	for j := range m.Cols {
		t.RowPtr[j+1] += t.RowPtr[j]
	}
	at := slices.Clone(t.RowPtr[:m.Cols])
	for i := range m.Rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			t.ColInd[at[j]], t.Val[at[j]] = int32(i), vals[k]
			at[j]++
		}
	}
	return t
}

// Dense returns the dense matrix. If there are no rows or no columns, this is gonum's empty matrix.
func (m *CSR) Dense() *mat.Dense {
	if m.Rows == 0 || m.Cols == 0 {
		return &mat.Dense{}
	}
	d := mat.NewDense(m.Rows, m.Cols, nil)
	for i := range m.Rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			d.Set(i, int(j), vals[k])
		}
	}
	return d
}

// FromDense returns the sparse matrix of the nonzero entries of x.
func FromDense(x *mat.Dense) *CSR {
	n, d := x.Dims()
	m := &CSR{Rows: n, Cols: d, RowPtr: make([]int, n+1)}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				m.ColInd, m.Val = append(m.ColInd, int32(j)), append(m.Val, v)
			}
		}
		m.RowPtr[i+1] = len(m.Val)
	}
	return m
}
