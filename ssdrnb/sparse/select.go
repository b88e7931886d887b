package sparse

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Select returns the matrix of the given rows and columns, in the given order. Columns must not
// repeat. Errors wrap [ErrIndex].
func (m *CSR) Select(rows, cols []int) (*CSR, error) {
	to := slices.Repeat([]int32{-1}, m.Cols)
	for k, j := range cols {
		if j < 0 || j >= m.Cols || to[j] >= 0 {
			return nil, fmt.Errorf("%w: column %d is given twice, or out of range for %d columns", ErrIndex, j, m.Cols)
		}
		to[j] = int32(k)
	}
	s := &CSR{Rows: len(rows), Cols: len(cols), RowPtr: make([]int, len(rows)+1)}
	for k, i := range rows {
		if i < 0 || i >= m.Rows {
			return nil, fmt.Errorf("%w: row %d is out of range for %d rows", ErrIndex, i, m.Rows)
		}
		old, vals := m.Row(i)
		for e, j := range old {
			if to[j] >= 0 {
				s.ColInd, s.Val = append(s.ColInd, to[j]), append(s.Val, vals[e])
			}
		}
		s.RowPtr[k+1] = len(s.Val)
		sortRow(s.ColInd[s.RowPtr[k]:], s.Val[s.RowPtr[k]:])
	}
	return s, nil
}

func sortRow(cols []int32, vals []float64) {
	if slices.IsSorted(cols) {
		return
	}
	order := make([]int, len(cols))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return int(cols[a]) - int(cols[b]) })
	oldCols, oldVals := slices.Clone(cols), slices.Clone(vals)
	for k, o := range order {
		cols[k], vals[k] = oldCols[o], oldVals[o]
	}
}

// Mul returns the product a·b as a sparse matrix, row by row (Gustavson 1978). It takes O(Σ nnz(row
// j of b)) operations, summed over the stored entries a_ij. Rows are distributed over the
// processors.
func Mul(a, b *CSR) (*CSR, error) {
	if a.Cols != b.Rows {
		return nil, fmt.Errorf("%w: cannot multiply %d×%d by %d×%d", ErrShape, a.Rows, a.Cols, b.Rows, b.Cols)
	}
	blocks := (a.Rows + rowBlock - 1) / rowBlock
	parts := make([]CSR, blocks)
	pool := sync.Pool{New: func() any {
		return &accumulator{sum: make([]float64, b.Cols), row: slices.Repeat([]int{-1}, b.Cols)}
	}}
	m := &CSR{Rows: a.Rows, Cols: b.Cols, RowPtr: make([]int, a.Rows+1)}
	par.Blocks(a.Rows, rowBlock, func(lo, hi int) {
		acc := pool.Get().(*accumulator)
		defer pool.Put(acc)
		part := &parts[lo/rowBlock]
		for i := lo; i < hi; i++ {
			acc.add(i, a, b)
			slices.Sort(acc.cols)
			for _, j := range acc.cols {
				part.ColInd, part.Val = append(part.ColInd, j), append(part.Val, acc.sum[j])
			}
			m.RowPtr[i+1] = len(acc.cols)
		}
	})
	for i := range a.Rows {
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	m.ColInd, m.Val = make([]int32, 0, m.RowPtr[a.Rows]), make([]float64, 0, m.RowPtr[a.Rows])
	for _, p := range parts {
		m.ColInd, m.Val = append(m.ColInd, p.ColInd...), append(m.Val, p.Val...)
	}
	return m, nil
}

// accumulator sums one row of a product.
type accumulator struct {
	sum  []float64
	row  []int // for each column, the last row of the product with an entry there
	cols []int32
}

// add computes row i of a·b: its columns in cols, unsorted, and their values in sum.
func (acc *accumulator) add(i int, a, b *CSR) {
	acc.cols = acc.cols[:0]
	ac, av := a.Row(i)
	for k, l := range ac {
		bc, bv := b.Row(int(l))
		for e, j := range bc {
			if acc.row[j] != i {
				acc.row[j], acc.sum[j] = i, 0
				acc.cols = append(acc.cols, j)
			}
			acc.sum[j] += av[k] * bv[e]
		}
	}
}
