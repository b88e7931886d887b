package graph

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Symmetry says when two samples are linked.
type Symmetry int

// The two rules.
const (
	// Or links i and j if either is among the other's k nearest.
	Or Symmetry = iota
	// And links them if each is among the other's.
	And
)

// Weights is a rule for the weight of an edge; make one with [Binary], [Heat] or
// [SelfTuning].
type Weights struct {
	name string
	of   func(d, si, sj float64) float64 // si, sj: distance to the k-th neighbour
}

// Binary weighs every edge 1.
func Binary() Weights {
	return Weights{"binary", func(_, _, _ float64) float64 { return 1 }}
}

// Heat weighs an edge of length d by exp(−d²/t), t > 0. Papers write t as σ², 2σ²
// or t itself.
func Heat(t float64) Weights {
	return Weights{fmt.Sprintf("heat with t = %g", t), func(d, _, _ float64) float64 { return math.Exp(-d * d / t) }}
}

// SelfTuning weighs an edge by exp(−d²/(sᵢsⱼ)), sᵢ being the distance from sample
// i to its k-th neighbour (Zelnik-Manor, Perona 2004). An edge between duplicates
// weighs 1.
func SelfTuning() Weights {
	return Weights{"self-tuning", func(d, si, sj float64) float64 {
		if d == 0 {
			return 1
		}
		return math.Exp(-d * d / (si * sj))
	}}
}

// Graph returns the symmetric affinity matrix of the neighbourhood graph: n×n,
// without self-loops, rows sorted by column. If the weights of all edges of a
// sample underflow to 0 it returns an error that wraps [ErrUnderflow]: the
// sample would silently leave the graph.
func (nb *Neighbors) Graph(sym Symmetry, w Weights) (*sparse.CSR, error) {
	n, k := nb.Len(), nb.K
	type edge struct {
		to int32
		d  float64
	}
	lists := make([][]edge, n)
	for i := range n {
		index, dist := nb.Of(i)
		for a, j := range index {
			lists[i] = append(lists[i], edge{j, dist[a]})
		}
	}
	has := func(i int, j int32) bool {
		index, _ := nb.Of(i)
		return slices.Contains(index, j)
	}
	for i := range n {
		index, dist := nb.Of(i)
		for a, j := range index {
			if !has(int(j), int32(i)) && sym == Or {
				lists[j] = append(lists[j], edge{int32(i), dist[a]})
			}
		}
	}
	m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	for i, list := range lists {
		slices.SortFunc(list, func(a, b edge) int { return int(a.to) - int(b.to) })
		si := nb.Dist[i*k+k-1]
		sum, edges := 0.0, 0
		for _, e := range list {
			if sym == And && !has(int(e.to), int32(i)) {
				continue
			}
			edges++
			if v := w.of(e.d, si, nb.Dist[int(e.to)*k+k-1]); v > 0 {
				m.ColInd, m.Val = append(m.ColInd, e.to), append(m.Val, v)
				sum += v
			}
		}
		if edges > 0 && !(sum > 0) {
			return nil, fmt.Errorf("%w: every weight of sample %d is 0 with %s; widen t or scale the features", ErrUnderflow, i, w.name)
		}
		m.RowPtr[i+1] = len(m.Val)
	}
	return m, nil
}

// Laplacian returns L = diag(W·1) − W of a symmetric affinity matrix without
// self-loops.
func Laplacian(w *sparse.CSR) *sparse.CSR {
	degree := w.RowSums()
	l := &sparse.CSR{Rows: w.Rows, Cols: w.Cols, RowPtr: make([]int, w.Rows+1),
		ColInd: make([]int32, 0, w.NNZ()+w.Rows), Val: make([]float64, 0, w.NNZ()+w.Rows)}
	for i := range w.Rows {
		cols, vals := w.Row(i)
		placed := false
		for k, j := range cols {
			if !placed && int(j) > i {
				l.ColInd, l.Val = append(l.ColInd, int32(i)), append(l.Val, degree[i])
				placed = true
			}
			l.ColInd, l.Val = append(l.ColInd, j), append(l.Val, -vals[k])
		}
		if !placed {
			l.ColInd, l.Val = append(l.ColInd, int32(i)), append(l.Val, degree[i])
		}
		l.RowPtr[i+1] = len(l.Val)
	}
	return l
}

// Components numbers the connected components of a symmetric graph in the order
// of their first sample, and returns their number and the component of each
// sample.
func Components(w *sparse.CSR) (count int, of []int) {
	of = make([]int, w.Rows)
	for i := range of {
		of[i] = -1
	}
	var stack []int
	for i := range of {
		if of[i] >= 0 {
			continue
		}
		of[i] = count
		stack = append(stack[:0], i)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			cols, _ := w.Row(v)
			for _, j := range cols {
				if of[j] < 0 {
					of[j] = count
					stack = append(stack, int(j))
				}
			}
		}
		count++
	}
	return count, of
}
