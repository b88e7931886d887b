package graph

import (
	"fmt"
	"math"
	"sort"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Laplacian returns L = diag(W·1) − W of a symmetric affinity matrix without
// self-loops. Its diagonal is stored, zeros included.
func Laplacian(w *sparse.CSR) *sparse.CSR {
	return laplacian(w, w.RowSums(), func(_, _ int, v float64) float64 { return -v })
}

// NormalizedLaplacian returns D^(−1/2)·L·D^(−1/2) = I − D^(−1/2)·W·D^(−1/2),
// D = diag(W·1), which is symmetric with eigenvalues between 0 and 2. The row of a
// sample without edges is 0. A negative degree is an error.
func NormalizedLaplacian(w *sparse.CSR) (*sparse.CSR, error) {
	inverse, diagonal, err := degrees(w)
	if err != nil {
		return nil, err
	}
	for i, v := range inverse {
		inverse[i] = math.Sqrt(v)
	}
	return laplacian(w, diagonal, func(i, j int, v float64) float64 { return -v * inverse[i] * inverse[j] }), nil
}

// RandomWalkLaplacian returns D⁻¹·L = I − D⁻¹·W, whose rows sum to 0. The row of a
// sample without edges is 0. A negative degree is an error.
func RandomWalkLaplacian(w *sparse.CSR) (*sparse.CSR, error) {
	inverse, diagonal, err := degrees(w)
	if err != nil {
		return nil, err
	}
	return laplacian(w, diagonal, func(i, _ int, v float64) float64 { return -v * inverse[i] }), nil
}

// degrees returns 1/d and 1 for every sample with a degree d > 0, 0 and 0 without.
func degrees(w *sparse.CSR) (inverse, diagonal []float64, err error) {
	inverse, diagonal = w.RowSums(), make([]float64, w.Rows)
	for i, d := range inverse {
		switch {
		case d > 0:
			inverse[i], diagonal[i] = 1/d, 1
		case d < 0 || math.IsNaN(d):
			return nil, nil, fmt.Errorf("%w: the weights of sample %d sum to %v; a Laplacian needs weights ≥ 0", ErrOption, i, d)
		}
	}
	return inverse, diagonal, nil
}

// laplacian puts the diagonal among the off-diagonal entries that of makes of w's;
// a self-loop of w counts in the degree and is subtracted on the diagonal.
func laplacian(w *sparse.CSR, diagonal []float64, of func(i, j int, v float64) float64) *sparse.CSR {
	l := &sparse.CSR{Rows: w.Rows, Cols: w.Cols, RowPtr: make([]int, w.Rows+1),
		ColInd: make([]int32, 0, w.NNZ()+w.Rows), Val: make([]float64, 0, w.NNZ()+w.Rows)}
	for i := range w.Rows {
		cols, vals := w.Row(i)
		before := sort.Search(len(cols), func(k int) bool { return int(cols[k]) >= i })
		at := len(l.Val) + before
		for k, j := range cols {
			if k == before {
				l.ColInd, l.Val = append(l.ColInd, int32(i)), append(l.Val, diagonal[i])
				if int(j) == i {
					l.Val[at] += of(i, i, vals[k])
					continue
				}
			}
			l.ColInd, l.Val = append(l.ColInd, j), append(l.Val, of(i, int(j), vals[k]))
		}
		if before == len(cols) {
			l.ColInd, l.Val = append(l.ColInd, int32(i)), append(l.Val, diagonal[i])
		}
		l.RowPtr[i+1] = len(l.Val)
	}
	return l
}
