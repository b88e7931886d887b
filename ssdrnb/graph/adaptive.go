package graph

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Adaptive is a graph whose rows are distributions over neighbours, as the adaptive
// graph of LMRAG (Xiong, Nie, Han 2017).
type Adaptive struct {
	// S has the distribution of sample i in row i: not negative, sum 1, nothing on
	// the diagonal, in general not symmetric. Zeros are not stored.
	S *sparse.CSR
	// GammaOf has γᵢ for every sample, half of the scale at which exactly its k
	// nearest get a weight, in squared units of the features.
	GammaOf []float64
	// Gamma is their mean, the γ of the objective.
	Gamma float64
}

// Symmetric returns (S + Sᵀ)/2, whose Laplacian the method uses.
func (a *Adaptive) Symmetric() (*sparse.CSR, error) { return a.S.Symmetrize(sparse.Average) }

// InitialAdaptive returns the graph in which every sample gives weights to its k
// nearest by equation 15: with squared distances z(1) ≤ z(2) ≤ …
//
//	s(j) = (z(k+1) − z(j)) / (k·z(k+1) − Σ z(m)),   γᵢ = (k·z(k+1) − Σ z(m))/2,
//
// where the sums run over m ≤ k. nb has k+1 neighbours of every sample, k ≥ 1. If all
// k+1 are equally far, the weights are 1/k and γᵢ = 0; if that holds for all samples,
// there is no scale, and the error wraps [ErrCoincide].
func InitialAdaptive(nb *Neighbors) (*Adaptive, error) {
	n, k := nb.Len(), nb.K-1
	if k < 1 {
		return nil, fmt.Errorf("%w: the initial graph with k neighbours needs lists of k+1 ≥ 2 neighbours, not %d", ErrOption, nb.K)
	}
	a := &Adaptive{S: &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}, GammaOf: make([]float64, n)}
	cols, vals := make([]int32, k), make([]float64, k)
	for i := range n {
		index, dist := nb.Of(i)
		copy(cols, index[:k])
		far := dist[k] * dist[k]
		sum := 0.0
		for m, d := range dist[:k] {
			vals[m] = far - d*d
			sum += vals[m]
		}
		a.GammaOf[i] = sum / 2
		for m := range vals {
			if sum > 0 {
				vals[m] /= sum
			} else {
				vals[m] = 1 / float64(k)
			}
		}
		a.setRow(i, cols, vals)
	}
	for _, g := range a.GammaOf {
		a.Gamma += g / float64(n)
	}
	if !(a.Gamma > 0) {
		return nil, fmt.Errorf("%w: the %d nearest neighbours of every sample are equally far, so γ = 0", ErrCoincide, k+1)
	}
	if math.IsInf(a.Gamma, 1) {
		return nil, advice.Errorf("scale the features", "%w: γ overflows", ErrNotFinite)
	}
	return a, nil
}

// setRow appends row i, given in any order, after row i−1; zeros are dropped.
func (a *Adaptive) setRow(i int, cols []int32, vals []float64) {
	sortByColumn(cols, vals)
	for k, v := range vals {
		if v > 0 {
			a.S.ColInd, a.S.Val = append(a.S.ColInd, cols[k]), append(a.S.Val, v)
		}
	}
	a.S.RowPtr[i+1] = len(a.S.Val)
}

// AdaptiveLocal returns the graph S of equation 12 over fixed candidates: row i is
// the projection of −|zᵢ − zⱼ|²/(2γ) on the simplex, where j runs over the columns that
// row i of candidates stores. A row without candidates stays empty.
//
// z has one sample per row. For LMRAG it is [X·W, √λ·F], whose squared distances
// are |Wᵀxᵢ − Wᵀxⱼ|² + λ|fᵢ − fⱼ|². γ > 0.
func AdaptiveLocal(ctx context.Context, z *mat.Dense, candidates *sparse.CSR, gamma float64) (*sparse.CSR, error) {
	ctx = par.Context(ctx)
	if err := givenGraph(candidates); err != nil {
		return nil, err
	}
	if err := given(z); err != nil {
		return nil, err
	}
	n, _ := z.Dims()
	if candidates.Rows != n || candidates.Cols != n {
		return nil, fmt.Errorf("%w: the candidates are %d×%d for %d samples", ErrOption, candidates.Rows, candidates.Cols, n)
	}
	return adapt(ctx, z, gamma, func(i int, w *adaptRow) {
		cols, _ := candidates.Row(i)
		for _, j := range cols {
			if int(j) != i {
				w.list = append(w.list, candidate{samples.SquaredDistance(z.RawRowView(int(j)), z.RawRowView(i)), j})
			}
		}
	})
}

// AdaptiveNearest is [AdaptiveLocal] with the k nearest rows of z as the candidates
// of each, 1 ≤ k < n.
func AdaptiveNearest(ctx context.Context, z *mat.Dense, k int, gamma float64) (*sparse.CSR, error) {
	ctx = par.Context(ctx)
	nb, err := KNN(ctx, z, k)
	if err != nil {
		return nil, err
	}
	return AdaptiveLocal(ctx, z, nb.Directed(), gamma)
}

// AdaptiveFull is [AdaptiveLocal] with all others as candidates. It takes O(n²)
// operations for each feature but only O(n) memory besides the result, as it sorts only
// the samples near enough to get a weight.
func AdaptiveFull(ctx context.Context, z *mat.Dense, gamma float64) (*sparse.CSR, error) {
	ctx = par.Context(ctx)
	if err := given(z); err != nil {
		return nil, err
	}
	n, _ := z.Dims()
	return adapt(ctx, z, gamma, func(i int, w *adaptRow) {
		for j := range n {
			if j != i {
				w.list = append(w.list, candidate{samples.SquaredDistance(z.RawRowView(j), z.RawRowView(i)), int32(j)})
			}
		}
	})
}

// adaptRow is the workspace of one row.
type adaptRow struct {
	list  []candidate // squared distances
	costs []float64
}

// adapt projects every row; gather lists its candidates.
func adapt(ctx context.Context, z *mat.Dense, gamma float64, gather func(i int, w *adaptRow)) (*sparse.CSR, error) {
	n, _ := z.Dims()
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return nil, fmt.Errorf("%w: γ = %v; it must be positive and finite", ErrOption, gamma)
	}
	if err := checkSize(z); err != nil {
		return nil, err
	}
	cols, vals := make([][]int32, n), make([][]float64, n)
	pool := sync.Pool{New: func() any { return new(adaptRow) }}
	par.Blocks(n, 16, func(lo, hi int) {
		w := pool.Get().(*adaptRow)
		defer pool.Put(w)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			w.list = w.list[:0]
			gather(i, w)
			cols[i], vals[i] = w.project(gamma)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	for i := range n {
		s.ColInd, s.Val = append(s.ColInd, cols[i]...), append(s.Val, vals[i]...)
		s.RowPtr[i+1] = len(s.Val)
	}
	return s, nil
}

// project returns the entries of the row that are not 0, by column.
func (w *adaptRow) project(gamma float64) (cols []int32, vals []float64) {
	if len(w.list) == 0 {
		return nil, nil
	}
	least := w.list[0].low
	for _, c := range w.list {
		least = min(least, c.low)
	}
	// A weight is at most 1 above the threshold, so a cost above 1 gets none: only the
	// candidates below that are sorted.
	near := w.list[:0]
	for _, c := range w.list {
		if cost := (c.low - least) / (2 * gamma); cost < 1 {
			near = append(near, candidate{cost, c.index})
		}
	}
	sortCandidates(near)
	w.costs = w.costs[:0]
	for _, c := range near {
		w.costs = append(w.costs, c.low)
	}
	theta := threshold(w.costs)
	for _, c := range near {
		v := -c.low - theta
		if v <= 0 {
			break
		}
		cols, vals = append(cols, c.index), append(vals, v)
	}
	cols, vals = slices.Clip(cols), slices.Clip(vals)
	sortByColumn(cols, vals)
	return cols, vals
}

// threshold returns θ for the values −cost, where costs ascend from 0. It stops at
// the first cost that gets no weight; larger costs may be left out.
func threshold(costs []float64) float64 {
	sum, theta := 0.0, 0.0
	for j, c := range costs {
		sum -= c
		t := (sum - 1) / float64(j+1)
		if -c-t <= 0 {
			break
		}
		theta = t
	}
	return theta
}
