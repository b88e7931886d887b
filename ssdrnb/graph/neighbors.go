package graph

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Neighbors holds the k nearest neighbours of each of n samples.
type Neighbors struct {
	// K is the number of neighbours of each sample.
	K int
	// Index holds the neighbours of sample i in Index[i·K : (i+1)·K], nearest
	// first; at equal distance the lower index comes first.
	Index []int32
	// Dist holds the distances to these neighbours, in the same order, under the metric of the
	// search.
	Dist []float64
	// Method is the search that ran: Brute, Tree or Approximate.
	Method Method
	// Recall is the share of the listed neighbours that are true neighbours. It is 1 for an exact
	// search. For an approximate search, it is estimated from some of the samples.
	Recall float64
}

// exactNeighbors returns n lists of k zero entries, to be filled by an exact search.
func exactNeighbors(n, k int, how Method) *Neighbors {
	return &Neighbors{K: k, Index: make([]int32, n*k), Dist: make([]float64, n*k), Method: how, Recall: 1}
}

// Len returns the number of samples.
func (nb *Neighbors) Len() int { return len(nb.Index) / max(nb.K, 1) }

// Of returns the neighbours of sample i and their distances. Both slices share memory with nb; do
// not change them.
func (nb *Neighbors) Of(i int) (index []int32, dist []float64) {
	return nb.Index[i*nb.K : (i+1)*nb.K], nb.Dist[i*nb.K : (i+1)*nb.K]
}

// Head returns the k nearest neighbours of each sample, 1 ≤ k ≤ nb.K. If nb comes from an exact
// search, the result equals that of a search with k. nb is not changed.
func (nb *Neighbors) Head(k int) *Neighbors {
	if k >= nb.K || k < 1 {
		return nb
	}
	head := &Neighbors{K: k, Method: nb.Method, Recall: nb.Recall}
	for i := range nb.Len() {
		index, dist := nb.Of(i)
		head.Index, head.Dist = append(head.Index, index[:k]...), append(head.Dist, dist[:k]...)
	}
	return head
}

// Directed returns the n×n matrix whose entry (i, j) is the distance from sample i to its neighbour
// j. Distances of 0 are stored. The neighbours must be among the n samples themselves, as after
// [Search].
func (nb *Neighbors) Directed() *sparse.CSR {
	n := nb.Len()
	m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1), ColInd: append([]int32(nil), nb.Index...), Val: append([]float64(nil), nb.Dist...)}
	for i := range n {
		m.RowPtr[i+1] = (i + 1) * nb.K
		sortByColumn(m.Row(i))
	}
	return m
}

// sortByColumn sorts a row by column. It uses insertion sort, because rows are short.
func sortByColumn(cols []int32, vals []float64) {
	for i := 1; i < len(cols); i++ {
		c, v := cols[i], vals[i]
		k := i
		for ; k > 0 && cols[k-1] > c; k-- {
			cols[k], vals[k] = cols[k-1], vals[k-1]
		}
		cols[k], vals[k] = c, v
	}
}

// Method is a way to search for neighbours.
type Method int

// The methods.
const (
	// Auto searches exactly if that takes at most about two seconds on two cores, otherwise
	// approximately.
	Auto Method = iota
	// Exact uses Tree where Tree is faster, otherwise Brute.
	Exact
	// Brute computes all distances, by matrix products. It is exact.
	Brute
	// Tree searches a k-d tree. It is exact and fast for few features.
	Tree
	// Approximate follows neighbours of neighbours; see [Search].
	Approximate
)

// String returns the name in lower case.
func (m Method) String() string {
	switch m {
	case Auto:
		return "auto"
	case Exact:
		return "exact"
	case Brute:
		return "brute"
	case Tree:
		return "tree"
	case Approximate:
		return "approximate"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// SearchOptions are the options of [Search]. The zero value selects Auto, the Euclidean distance
// and a recall of 0.95.
type SearchOptions struct {
	// Method is the search; Auto by default.
	Method Method
	// Metric is Euclidean by default.
	Metric Metric
	// Recall is the target recall of an approximate search, below 1; 0 means 0.95. Exact searches
	// ignore it.
	Recall float64
	// Seed determines the random trees and trial samples of an approximate search.
	Seed uint64
}

// Exact searches use the tree for up to treeDim features and at least treeMin samples. The limits
// come from timings of the tree and of blocked products on two cores, with k = 10 and normally
// distributed samples. Such samples are the worst case for a tree: real data with the same number
// of features lie near a set of lower dimension. See BenchmarkTree.
const (
	treeDim = 5
	treeMin = 500
)

// Search returns the k nearest neighbours of every row of x among the other rows, 1 ≤ k < n. x is
// n×D. A sample is not its own neighbour, but its duplicates are its neighbours, at distance 0.
// Neighbors.Method reports which search ran, and Neighbors.Recall its recall.
//
// An exact search with few features uses a k-d tree, in about O(n log n) time. Otherwise it takes
// O(n²D) operations, nearly all in matrix products. Both need O(nk) memory besides a copy of x and
// blocks of a few megabytes.
//
// An approximate search is a neighbour descent that starts from random-projection trees (Dong,
// Charikar, Li 2011; Dasgupta, Freund 2008). It first compares samples that share a leaf. In each
// round, it then compares every sample with the neighbours of its neighbours, until the requested
// recall is reached. The search measures the recall reached so far on 128 samples, whose exact
// neighbours it computes. It estimates Neighbors.Recall from 128 other samples. Distances are
// compared in single precision and returned in double precision. Above 160 features the descent
// starts in the span of 64 principal components. A set of equal samples is searched as a single
// sample, so that many duplicates do not slow down the search.
//
// An approximate search falls back to an exact one for fewer than 4,000 different samples, for k
// above a sixteenth of their number, or for at most 5 features (with the metrics up to Haversine).
// It also falls back if single precision does not suffice, for example if the distance between
// groups is millions of times their size. Neighbors.Method reports the fallback.
//
// An approximate search needs 4 bytes per value and about 60 bytes per sample and neighbour besides
// x. Search returns no error if it cannot reach the requested recall, for example for normally
// distributed samples with hundreds of features: compare Neighbors.Recall with
// SearchOptions.Recall.
func Search(ctx context.Context, x *mat.Dense, k int, opt SearchOptions) (*Neighbors, error) {
	ctx = par.Context(ctx)
	m, err := opt.check(x, k)
	if err != nil {
		return nil, err
	}
	how := opt.Method
	if how == Auto {
		how = m.choose()
	}
	if how != Approximate {
		return exact(ctx, m, k, how)
	}
	return approximate(ctx, m, k, opt)
}

// affordable is the largest exactWork at which Auto searches exactly. Such a search takes about two
// seconds on two cores.
const affordable = 7e10

// exactWork returns the estimated cost of an exact search among n samples with d features, fitted
// to timings with 6 to 784 features. The overhead per distance equals the cost of 84 features.
func exactWork(n, d int) float64 { return float64(n) * float64(n) * float64(d+84) }

// choose returns the method that Auto uses for n samples with d features.
func choose(n, d int) Method {
	if d <= treeDim || exactWork(n, d) <= affordable {
		return Exact
	}
	return Approximate
}

// slower is the time of an exact search that compares pairs one by one, divided by the time of a
// search by matrix products.
const slower = 12

// choose returns the method that Auto uses for the samples and the metric of m.
func (m *measure) choose() Method {
	n, d := m.x.Dims()
	if m.norm != distance.Square && exactWork(n, d) > affordable/slower {
		return Approximate
	} else if m.norm != distance.Square {
		return Exact
	}
	return choose(n, d)
}

// Costly reports whether an exact search among n samples with d features takes at least a fifth of
// a second, so that its result is worth caching.
func Costly(n, d int) bool {
	return d > treeDim && exactWork(n, d) > affordable/10
}

// check validates the options and returns the samples prepared for the metric.
func (o SearchOptions) check(x *mat.Dense, k int) (*measure, error) {
	if err := given(x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if k < 1 || k >= n {
		return nil, wrongK(k, nouns.Count(n, "sample"), n-1)
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("%w: there are %d samples, but at most %d are possible, because sample indices are int32", ErrOption, n, math.MaxInt32)
	}
	if o.Method < Auto || o.Method > Approximate {
		return nil, fmt.Errorf("%w: the search method is %v, but must be Auto, Exact, Brute, Tree or Approximate", ErrOption, o.Method)
	}
	if o.Metric < Euclidean || o.Metric > LastMetric {
		return nil, advice.Errorf("use one of "+strings.Join(metrics, ", "), "%w: unknown metric %v", ErrOption, o.Metric)
	}
	if o.Recall < 0 || o.Recall >= 1 || math.IsNaN(o.Recall) {
		return nil, advice.Errorf("give a share between 0 and 1, or search exactly", "%w: recall = %v", ErrOption, o.Recall)
	}
	return newMeasure(x, o.Metric)
}

// exact searches exactly: with the method `how` if that is Tree or Brute, otherwise with the faster
// of the two. For Manhattan and the metrics after it, exact ignores `how` and compares all pairs.
func exact(ctx context.Context, m *measure, k int, how Method) (*Neighbors, error) {
	if m.norm != distance.Square {
		return m.pairwise(ctx, m, k, true)
	}
	x := m.dense()
	n, d := x.Dims()
	var nb *Neighbors
	var err error
	if how == Tree || how != Brute && d <= treeDim && n >= treeMin {
		nb, err = newTree(x).all(ctx, k)
	} else {
		nb, err = bruteAll(ctx, x, k)
	}
	if err == nil && m.metric != Euclidean {
		m.convert(nb.Dist)
	}
	return nb, err
}

// Query returns the k nearest rows of x for each row of q, 1 ≤ k ≤ n. x (n×D) and q have equal
// numbers of columns. A row of q that equals a row of x is at distance 0 from it. The search is
// exact. For metrics other than Euclidean, Query may copy x and q. The parameters of a metric, such
// as the covariance matrix of Mahalanobis, are estimated from x.
func Query(ctx context.Context, x, q *mat.Dense, k int, metric Metric) (*Neighbors, error) {
	ctx = par.Context(ctx)
	if err := given(x, q); err != nil {
		return nil, err
	}
	if err := checkQueries(x, q, k); err != nil {
		return nil, err
	}
	if metric == Euclidean {
		return query(ctx, x, q, k)
	}
	m, err := newMeasure(x, metric)
	if err != nil {
		return nil, err
	}
	queries, err := m.queryMeasure(q)
	if err != nil {
		return nil, err
	}
	if m.norm != distance.Square {
		return m.pairwise(ctx, queries, k, false)
	}
	nb, err := query(ctx, m.dense(), queries.dense(), k)
	if err == nil {
		m.convert(nb.Dist)
	}
	return nb, err
}

// query is [Query] with the Euclidean metric and checked arguments.
func query(ctx context.Context, x, q *mat.Dense, k int) (*Neighbors, error) {
	n, d := x.Dims()
	m, _ := q.Dims()
	if d > treeDim || n < treeMin || m < n/16 {
		return bruteQuery(ctx, x, q, nil, nil, k)
	}
	if err := checkSize(x, samplesSide); err != nil {
		return nil, err
	}
	if err := checkSize(q, queriesSide); err != nil {
		return nil, err
	}
	return newTree(x).query(ctx, q, k)
}

// largest is a bound on the squared norm of a sample. Below this bound, the squared distance of two
// samples is finite, and so are the bounds on its rounding error.
const largest = math.MaxFloat64 / 64

var errNil = fmt.Errorf("%w: a matrix is nil", ErrOption)

func given(all ...*mat.Dense) error {
	if slices.Contains(all, nil) {
		return errNil
	}
	return nil
}

// wrongK returns the error for a number k of neighbours that is out of range. `among` counts the
// samples, as in "4 samples", and `most` is the largest possible k.
func wrongK(k int, among string, most int) error {
	bounds := fmt.Sprintf("k must lie between 1 and %d", most)
	switch {
	case most < 1:
		bounds = "give more samples"
	case most == 1:
		bounds = "k must be 1"
	}
	return fmt.Errorf("%w: k = %d for %s; %s", ErrOption, k, among, bounds)
}

// tooFew returns the error for fewer than two samples.
func tooFew(n int) error {
	return fmt.Errorf("%w: %s no pairwise distances; give at least 2", ErrOption, nouns.Number(n, "sample has", "samples have"))
}

func givenGraph(g *sparse.CSR) error {
	if g == nil {
		return fmt.Errorf("%w: the graph is nil", ErrOption)
	}
	return nil
}

// side identifies a matrix of samples or queries in error messages.
type side string

const (
	samplesSide side = "x"
	queriesSide side = "query"
)

// row returns the words that error messages use for a row of this matrix.
func (s side) row() string {
	if s == queriesSide {
		return "query row"
	}
	return "row"
}

// checkSize returns an error unless all squared distances between rows are finite.
func checkSize(x *mat.Dense, of side) error {
	n, _ := x.Dims()
	return inBlocks(n, 1024, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			norm := 0.0
			for _, v := range x.RawRowView(i) {
				norm += v * v
			}
			if !(norm < largest) {
				return notFinite(of, i, x.RawRowView(i))
			}
		}
		return nil
	})
}

// notFinite returns an error for row i of the matrix `of`. The error names the first value that is
// NaN, or else the largest value by magnitude.
func notFinite(of side, i int, row []float64) error {
	worst := 0
	for j, v := range row {
		if math.IsNaN(v) {
			worst = j
			break
		}
		if math.Abs(v) > math.Abs(row[worst]) {
			worst = j
		}
	}
	return advice.Errorf("remove or fill in such values, and scale the features first", "%w: %s[%d][%d] = %v: squared distances overflow or are undefined", ErrNotFinite, of, i, worst, row[worst])
}

// inBlocks is par.Blocks for functions that can fail. It returns the error of the first block that
// failed.
func inBlocks(n, size int, f func(lo, hi int) error) error {
	errs := make([]error, (n+size-1)/size)
	par.Blocks(n, size, func(lo, hi int) { errs[lo/size] = f(lo, hi) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
