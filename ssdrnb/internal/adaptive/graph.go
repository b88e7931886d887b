package adaptive

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Graph is a graph whose rows are distributions over neighbours (Xiong, Nie, Han 2017).
type Graph struct {
	// S holds the distribution of sample i in row i. Its entries are not negative, each row sums to
	// 1, the diagonal is 0, and in general S is not symmetric. Zeros are not stored.
	S *sparse.CSR
	// GammaOf holds γᵢ of equation 15 for each sample: with γ = γᵢ, exactly the k nearest
	// neighbours of sample i get a positive weight. Its unit is the squared unit of the features.
	GammaOf []float64
	// Gamma is the mean of GammaOf, the γ of the objective.
	Gamma float64
}

// Symmetric returns (S + Sᵀ)/2, whose Laplacian the method uses.
func (g *Graph) Symmetric() (*sparse.CSR, error) { return g.S.Symmetrize(sparse.Average) }

// Initial returns the graph in which every sample assigns weights to its k nearest neighbours by
// equation 15. With squared distances z(1) ≤ z(2) ≤ …,
//
//	s(j) = (z(k+1) − z(j)) / (k·z(k+1) − Σ z(m)),   γᵢ = (k·z(k+1) − Σ z(m))/2,
//
// where the sums run over m ≤ k. nb lists k+1 neighbours of every sample, k ≥ 1. If all k+1
// distances of a sample are equal, its weights are 1/k and γᵢ = 0. If this holds for all samples,
// the mean γ is 0, and the error wraps [graph.ErrCoincide]. Other errors wrap [graph.ErrOption] for
// k < 1, and [graph.ErrNotFinite] if γ overflows.
func Initial(nb *graph.Neighbors) (*Graph, error) {
	n, k := nb.Len(), nb.K-1
	if k < 1 {
		return nil, fmt.Errorf("%w: the initial graph with k ≥ 1 neighbours needs lists of k+1 neighbours, but the given lists have %d", graph.ErrOption, nb.K)
	}
	g := &Graph{GammaOf: make([]float64, n)}
	rows := make([][]entry, n)
	for i := range n {
		index, dist := nb.Of(i)
		far := dist[k] * dist[k]
		sum := 0.0
		for m, d := range dist[:k] {
			rows[i] = append(rows[i], entry{index[m], far - d*d})
			sum += rows[i][m].value
		}
		g.GammaOf[i] = sum / 2
		for m := range rows[i] {
			if sum > 0 {
				rows[i][m].value /= sum
			} else {
				rows[i][m].value = 1 / float64(k)
			}
		}
	}
	for _, gamma := range g.GammaOf {
		g.Gamma += gamma / float64(n)
	}
	if !(g.Gamma > 0) {
		return nil, advice.Errorf("raise Neighbors, or remove duplicate samples", "%w, or the %d nearest neighbours of every sample are equally far away, so γ = 0", graph.ErrCoincide, k+1)
	}
	if math.IsInf(g.Gamma, 1) {
		return nil, advice.Errorf("scale the features", "%w: γ overflows", graph.ErrNotFinite)
	}
	g.S = assemble(rows)
	return g, nil
}

// Local returns the graph S of equation 12 over fixed candidates. Row i is the projection of −|zᵢ −
// zⱼ|²/(2γ) onto the simplex, where j runs over the columns stored in row i of the n×n matrix
// `candidates`. A row without candidates stays empty.
//
// z contains one sample per row. For LMRAG, z is [X·W, √λ·F], whose squared distances are |Wᵀxᵢ −
// Wᵀxⱼ|² + λ|fᵢ − fⱼ|². γ > 0.
func Local(ctx context.Context, z *mat.Dense, candidates *sparse.CSR, gamma float64) (*sparse.CSR, error) {
	return adapt(ctx, z, gamma, func(i int, add func(j int)) {
		cols, _ := candidates.Row(i)
		for _, j := range cols {
			add(int(j))
		}
	})
}

// Nearest is [Local] with the k nearest rows of z as the candidates of each row, 1 ≤ k < n.
func Nearest(ctx context.Context, z *mat.Dense, k int, gamma float64) (*sparse.CSR, error) {
	nb, err := graph.Search(ctx, z, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, err
	}
	return Local(ctx, z, nb.Directed(), gamma)
}

// Full is [Local] with all other samples as candidates. It takes O(n²) operations per feature, and
// O(n) memory per worker besides the result. It sorts only the samples that are near enough to get
// a weight.
func Full(ctx context.Context, z *mat.Dense, gamma float64) (*sparse.CSR, error) {
	n, _ := z.Dims()
	return adapt(ctx, z, gamma, func(_ int, add func(j int)) {
		for j := range n {
			add(j)
		}
	})
}

// entry is a value of a row, with the index of its column: a squared distance, a cost or a weight,
// depending on the step of the projection.
type entry struct {
	index int32
	value float64
}

// adapt returns the graph of [Local]. The function `candidates` calls `add` for each candidate of
// row i; adapt ignores i itself.
func adapt(ctx context.Context, z *mat.Dense, gamma float64, candidates func(i int, add func(j int))) (*sparse.CSR, error) {
	n, _ := z.Dims()
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return nil, fmt.Errorf("%w: γ = %v; it must be positive and finite", graph.ErrOption, gamma)
	}
	rows, undefined := make([][]entry, n), make([]bool, n)
	pool := sync.Pool{New: func() any { return new([]entry) }}
	par.Blocks(n, 16, func(lo, hi int) {
		work := pool.Get().(*[]entry)
		defer pool.Put(work)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			list := (*work)[:0]
			candidates(i, func(j int) {
				if j != i {
					d := samples.SquaredDistance(z.RawRowView(j), z.RawRowView(i))
					undefined[i] = undefined[i] || math.IsNaN(d) || math.IsInf(d, 1)
					list = append(list, entry{int32(j), d})
				}
			})
			*work = list
			if !undefined[i] {
				rows[i] = project(list, gamma)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if i := slices.Index(undefined, true); i >= 0 {
		return nil, fmt.Errorf("%w: squared distances from sample %d overflow or are undefined", graph.ErrNotFinite, i)
	}
	return assemble(rows), nil
}

// project returns the positive weights of a row: the projection of −value/(2·gamma) onto the
// simplex. list holds the squared distances of the row and is overwritten.
func project(list []entry, gamma float64) []entry {
	if len(list) == 0 {
		return nil
	}
	least := list[0].value
	for _, c := range list {
		least = min(least, c.value)
	}
	// The cost of a candidate is (value − least)/(2γ), and its weight is max(0, −cost − θ) for the
	// threshold θ. The weights sum to 1, so the largest weight, −θ, is at most 1, and candidates
	// with a cost of at least 1 get no weight. Only the other candidates are sorted.
	near := list[:0]
	for _, c := range list {
		if cost := (c.value - least) / (2 * gamma); cost < 1 {
			near = append(near, entry{c.index, cost})
		}
	}
	slices.SortFunc(near, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.index, b.index))
	})
	theta := threshold(near)
	var out []entry
	for _, c := range near {
		v := -c.value - theta
		if v <= 0 {
			break
		}
		out = append(out, entry{c.index, v})
	}
	return slices.Clip(out)
}

// threshold returns the threshold θ of the simplex projection of the values −cost. costs must
// ascend from 0. The slice may omit costs of at least 1, which get no weight.
func threshold(costs []entry) float64 {
	sum, theta := 0.0, 0.0
	for j, c := range costs {
		sum -= c.value
		t := (sum - 1) / float64(j+1)
		if -c.value-t <= 0 {
			break
		}
		theta = t
	}
	return theta
}

// assemble returns the matrix with the given rows. It sorts each row by column and drops entries
// that are not positive.
func assemble(rows [][]entry) *sparse.CSR {
	n := len(rows)
	s := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	for i, row := range rows {
		slices.SortFunc(row, func(a, b entry) int { return cmp.Compare(a.index, b.index) })
		for _, e := range row {
			if e.value > 0 {
				s.ColInd, s.Val = append(s.ColInd, e.index), append(s.Val, e.value)
			}
		}
		s.RowPtr[i+1] = len(s.Val)
	}
	return s
}
