package graph

import (
	"sort"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Laplacian returns L = diag(W·1) − W of a symmetric affinity matrix W. All diagonal entries are
// stored, including zeros. A self-loop adds to the degree and is subtracted on the diagonal. The
// Laplacian of nil is nil.
func Laplacian(w *sparse.CSR) *sparse.CSR {
	if w == nil {
		return nil
	}
	degree := w.RowSums()
	l := &sparse.CSR{Rows: w.Rows, Cols: w.Cols, RowPtr: make([]int, w.Rows+1),
		ColInd: make([]int32, 0, w.NNZ()+w.Rows), Val: make([]float64, 0, w.NNZ()+w.Rows)}
	for i := range w.Rows {
		cols, vals := w.Row(i)
		before := sort.Search(len(cols), func(k int) bool { return int(cols[k]) >= i })
		for k, j := range cols {
			if k == before {
				l.ColInd, l.Val = append(l.ColInd, int32(i)), append(l.Val, degree[i])
				if int(j) == i {
					l.Val[len(l.Val)-1] -= vals[k]
					continue
				}
			}
			l.ColInd, l.Val = append(l.ColInd, j), append(l.Val, -vals[k])
		}
		if before == len(cols) {
			l.ColInd, l.Val = append(l.ColInd, int32(i)), append(l.Val, degree[i])
		}
		l.RowPtr[i+1] = len(l.Val)
	}
	return l
}
