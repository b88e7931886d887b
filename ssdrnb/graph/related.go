package graph

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Nearest neighbours among samples given by their distances, and among sparse rows.

// NearestOf returns the k nearest neighbours of each of n samples, 1 ≤ k < n. x holds the n×n
// distances, which must be finite and not negative. The result is exact.
func NearestOf(ctx context.Context, x *mat.SymDense, k int) (*Neighbors, error) {
	ctx = par.Context(ctx)
	if x == nil {
		return nil, errNil
	}
	n := x.SymmetricDim()
	if k < 1 || k >= n {
		return nil, wrongK(k, nouns.Count(n, "sample"), n-1)
	}
	out := exactNeighbors(n, k, Brute)
	par.Blocks(n, 64, func(lo, hi int) {
		list := make([]candidate, k)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			have := 0
			for j := range n {
				if j != i {
					have = enter(list, have, candidate{x.At(i, j), int32(j)})
				}
			}
			index, dist := out.Of(i)
			for a, c := range list {
				index[a], dist[a] = c.index, c.low
			}
		}
	})
	return out, ctx.Err()
}

// QueryOf returns the k nearest of n samples for each of m queries, 1 ≤ k ≤ n. Row i of x (m×n)
// holds the distances from query i to the samples, which must be finite and not negative.
func QueryOf(ctx context.Context, x *mat.Dense, k int) (*Neighbors, error) {
	ctx = par.Context(ctx)
	if x == nil {
		return nil, errNil
	}
	m, n := x.Dims()
	if k < 1 || k > n {
		return nil, wrongK(k, nouns.Count(n, "sample"), n)
	}
	out := exactNeighbors(m, k, Brute)
	return out, inBlocks(m, 64, func(lo, hi int) error {
		list := make([]candidate, k)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			have := 0
			for j, v := range x.RawRowView(i) {
				if !(v >= 0) || math.IsInf(v, 1) {
					return advice.Errorf("give finite distances ≥ 0 to the training samples", "%w: row %d has the distance %v from sample %d", ErrOption, i, v, j)
				}
				have = enter(list, have, candidate{v, int32(j)})
			}
			index, dist := out.Of(i)
			for a, c := range list {
				index[a], dist[a] = c.index, c.low
			}
		}
		return ctx.Err()
	})
}

// ConnectBy is [Connect] for samples given by their distances x (n×n).
func ConnectBy(ctx context.Context, x mat.Symmetric, lengths *sparse.CSR) (*sparse.CSR, []Bridge, error) {
	ctx = par.Context(ctx)
	if err := givenGraph(lengths); err != nil {
		return nil, nil, err
	}
	if x == nil {
		return nil, nil, errNil
	}
	n := x.SymmetricDim()
	if lengths.Rows != n || lengths.Cols != n {
		return nil, nil, fmt.Errorf("%w: the graph is %d×%d, but there are %d samples", ErrOption, lengths.Rows, lengths.Cols, n)
	}
	return joinComponents(lengths, func(lengths *sparse.CSR, of []int, count int) ([]Bridge, error) {
		best := make(choice, count)
		for i := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for j := range i {
				if of[i] != of[j] {
					best.offer(of[i], i, j, x.At(i, j))
					best.offer(of[j], i, j, x.At(i, j))
				}
			}
		}
		return best.edges(), nil
	})
}

// SearchSparse returns the k nearest rows of x for each row of q by the Euclidean, cosine or
// Jaccard metric. If q is x, a row is not its own neighbour, and k < x.Rows; otherwise k ≤ x.Rows.
//
// The search is exact. An inverted index of x first gives the inner products of a row of q with all
// rows of x, up to rounding. SearchSparse then recomputes the distances that may be among the k
// smallest, using the differences of the entries. The products take O(Σ_j nnz(column j of
// q)·nnz(column j of x)) operations, and their comparison takes O(q.Rows·x.Rows).
func SearchSparse(ctx context.Context, x, q *sparse.CSR, k int, metric Metric) (*Neighbors, error) {
	ctx = par.Context(ctx)
	if x == nil || q == nil {
		return nil, errNil
	}
	n, most := x.Rows, x.Rows
	if q == x {
		most--
	}
	switch {
	case k < 1 || k > most:
		return nil, wrongK(k, nouns.Count(n, "sparse row"), most)
	case x.Cols != q.Cols:
		return nil, fmt.Errorf("%w: queries have %d columns, but the samples have %d", ErrOption, q.Cols, x.Cols)
	case metric != Euclidean && metric != Cosine && metric != Jaccard:
		return nil, advice.Errorf("use the Euclidean, cosine or Jaccard metric, or reduce the features with PCA first", "%w: the %v distance is not available for sparse rows", ErrOption, metric)
	}
	a, err := sparseImage(x, metric, samplesSide)
	if err != nil {
		return nil, err
	}
	b := a
	if q != x {
		if b, err = sparseImage(q, metric, queriesSide); err != nil {
			return nil, err
		}
	}
	columns := a.rows.T()
	out := exactNeighbors(q.Rows, k, Brute)
	par.Blocks(q.Rows, 64, func(lo, hi int) {
		products, highest, list := make([]float64, n), make([]candidate, k), make([]candidate, k)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			clear(products)
			cols, values := b.rows.Row(i)
			for e, j := range cols {
				rows, others := columns.Row(int(j))
				for f, r := range rows {
					products[r] += float64(values[e] * others[f])
				}
			}
			slack := productError(max(len(cols), a.longestRow))
			have := 0
			for r, p := range products {
				if q == x && r == i {
					continue
				}
				products[r] = a.rankingDistance(p, b.size[i], a.size[r])
				have = enter(highest, have, candidate{products[r] + slack*a.scale(b.size[i], a.size[r]), int32(r)})
			}
			have = 0
			for r, ranked := range products {
				if q == x && r == i || ranked-slack*a.scale(b.size[i], a.size[r]) > highest[k-1].low {
					continue
				}
				have = enter(list, have, candidate{a.exactly(b.rows, i, r, ranked), int32(r)})
			}
			index, dist := out.Of(i)
			for c, l := range list {
				index[c], dist[c] = l.index, l.low
			}
		}
	})
	return out, ctx.Err()
}

// image holds sparse rows transformed for a metric.
type image struct {
	metric     Metric
	rows       *sparse.CSR
	size       []float64 // for Euclidean the squared length of each row, for Jaccard its number of nonzero entries
	longestRow int       // largest number of entries of a row
}

// sparseImage prepares the rows of x for a metric. It scales them to length 1 for Cosine, and sets
// their entries to 1 for Jaccard. `of` is the name of x in error messages.
func sparseImage(x *sparse.CSR, metric Metric, of side) (*image, error) {
	m := &image{metric: metric, rows: x, size: make([]float64, x.Rows)}
	if metric != Euclidean {
		m.rows = &sparse.CSR{Rows: x.Rows, Cols: x.Cols, RowPtr: x.RowPtr, ColInd: x.ColInd, Val: slices.Clone(x.Val)}
	}
	for i := range x.Rows {
		_, values := m.rows.Row(i)
		m.longestRow = max(m.longestRow, len(values))
		switch metric {
		case Cosine:
			most := 0.0
			for _, v := range values {
				most = max(most, math.Abs(v))
			}
			floats.Scale(samples.Unit(most), values)
		case Jaccard:
			for e, v := range values {
				if v != 0 {
					values[e] = 1
				}
			}
		}
		for _, v := range values {
			m.size[i] += float64(v * v)
		}
		if !(m.size[i] < largest) {
			return nil, advice.Errorf("scale the features first", "%w: %s %d has values whose squares overflow", ErrNotFinite, of.row(), i)
		}
		if metric == Cosine {
			if m.size[i] == 0 {
				return nil, advice.Errorf("remove the row, or use the Euclidean metric", "%w: %s %d is a row of zeros, for which the %v distance is undefined", ErrNotFinite, of.row(), i, metric)
			}
			length := math.Sqrt(m.size[i])
			for e := range values {
				values[e] /= length
			}
		}
	}
	return m, nil
}

// rankingDistance computes the distance of two rows, for ranking, from their inner product and
// their sizes q and x. The Euclidean distance is squared.
func (m *image) rankingDistance(product, q, x float64) float64 {
	switch m.metric {
	case Cosine:
		return 1 - product
	case Jaccard:
		if either := q + x - product; either > 0 {
			return (either - product) / either
		}
		return 0
	}
	return q + x - 2*product
}

// scale returns a number whose product with the factor of [productError] bounds the rounding error
// of [image.rankingDistance]. For Jaccard it is 0, because the sums are integers.
func (m *image) scale(q, x float64) float64 {
	switch m.metric {
	case Cosine:
		return 2 // both rows have length 1
	case Jaccard:
		return 0
	}
	return q + x
}

// exactly returns the distance between row i of q and row r of m. It uses the differences of their
// entries, so that equal rows have distance 0. For Jaccard it returns its argument `ranked`, the
// result of [image.rankingDistance] for these rows, which is already exact.
func (m *image) exactly(q *sparse.CSR, i, r int, ranked float64) float64 {
	if m.metric == Jaccard {
		return ranked
	}
	a, va := q.Row(i)
	b, vb := m.rows.Row(r)
	sum := 0.0
	for len(a) > 0 || len(b) > 0 {
		var d float64
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			d, a, va = va[0], a[1:], va[1:]
		case len(a) == 0 || b[0] < a[0]:
			d, b, vb = vb[0], b[1:], vb[1:]
		default:
			d = va[0] - vb[0]
			a, va, b, vb = a[1:], va[1:], b[1:], vb[1:]
		}
		sum += float64(d * d)
	}
	if m.metric == Cosine {
		return sum / 2
	}
	return math.Sqrt(sum)
}

// HalfMedianOf returns half the median of the distances between all pairs of samples; see
// [HalfMedian].
func HalfMedianOf(x *mat.SymDense) (float64, error) {
	if x == nil {
		return 0, errNil
	}
	n := x.SymmetricDim()
	if n < 2 {
		return 0, tooFew(n)
	}
	all := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for j := range i {
			all = append(all, x.At(i, j))
		}
	}
	median, mean := middle(all)
	if !(mean > 0) {
		return 0, fmt.Errorf("%w: all distances are 0, so no kernel width can be derived from them", ErrCoincide)
	}
	return cmp.Or(median, mean) / 2, nil
}

// Median returns the median distance of the listed neighbours, or their mean distance if the median
// is 0. If all these distances are 0, the error wraps [ErrCoincide].
func (nb *Neighbors) Median() (float64, error) {
	if len(nb.Dist) == 0 {
		return 0, fmt.Errorf("%w: the list of neighbours is empty", ErrOption)
	}
	median, mean := middle(slices.Clone(nb.Dist))
	if !(mean > 0) {
		return 0, fmt.Errorf("%w: all distances are 0, so no kernel width can be derived from them", ErrCoincide)
	}
	return cmp.Or(median, mean), nil
}

// HalfMedianSparse is [HalfMedian] for sparse rows and the metrics of [SearchSparse]. It uses at
// most 2,000 random rows, drawn with a fixed seed.
func HalfMedianSparse(ctx context.Context, x *sparse.CSR, metric Metric) (float64, error) {
	ctx = par.Context(ctx)
	if x == nil {
		return 0, errNil
	}
	if x.Rows < 2 {
		return 0, tooFew(x.Rows)
	}
	if x.Rows > mostPairwise {
		x = sparse.PickRows(x, rand.New(rand.NewPCG(1, 0x6d65)).Perm(x.Rows)[:mostPairwise])
	}
	nb, err := SearchSparse(ctx, x, x, x.Rows-1, metric)
	if err != nil {
		return 0, err
	}
	median, err := nb.Median()
	return median / 2, err
}
