package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/disjoint"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Scores that compare two embeddings of the same samples or rate the groups visible in an
// embedding. For the neighbours shared by two embeddings, see [Reliability], which accepts any two
// matrices.

// Procrustes returns the residual, in [0, 1], after embedding b (n×d) is fitted to embedding a
// (n×d) by translation, rotation, reflection and scaling. It is the remaining sum of squared
// distances divided by the sum of squares of a around its mean. It is 0 for embeddings that differ
// only by these transformations, close to 1 for unrelated embeddings, and symmetric in a and b. For
// embeddings with fewer than two different samples the error wraps [ErrOption].
//
// Source: Gower, "Generalized Procrustes analysis", Psychometrika 40, 1975.
func Procrustes(a, b *mat.Dense) (float64, error) {
	if err := given(a, b); err != nil {
		return 0, err
	}
	n, d := a.Dims()
	if m, e := b.Dims(); m != n || e != d {
		return 0, fmt.Errorf("%w: the embeddings are %d×%d and %d×%d, but must have equal sizes", ErrShape, n, d, m, e)
	}
	unit := func(y *mat.Dense) (*mat.Dense, error) {
		if err := finite(y); err != nil {
			return nil, err
		}
		c := samples.Minus(y, samples.Means(y))
		most := mat.Max(c)
		if most = max(most, -mat.Min(c)); !(most > 0) {
			return nil, fmt.Errorf("%w: all samples of an embedding are equal, but at least two must differ", ErrOption)
		}
		c.Scale(1/most, c)
		c.Scale(1/mat.Norm(c, 2), c)
		return c, nil
	}
	p, err := unit(a)
	if err != nil {
		return 0, err
	}
	q, err := unit(b)
	if err != nil {
		return 0, err
	}
	var product mat.Dense
	product.Mul(p.T(), q)
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDNone) {
		return 0, errors.New("metrics: the singular value decomposition of the product of the two embeddings did not converge")
	}
	sum := 0.0
	for _, s := range svd.Values(nil) {
		sum += s
	}
	return min(max(1-sum*sum, 0), 1), nil
}

// NeighborhoodHit returns, for each sample of an embedding y (n×d), the share, in [0, 1], of its k
// nearest neighbours that have the class of the sample. It also returns the mean of these shares.
// classes holds one class per sample. Samples with a negative class are excluded: their share is
// NaN, and they do not count as neighbours. k must be at least 1 and less than the number of
// samples that are not excluded.
//
// Source: Paulovich, Nonato, Minghim, Levkowitz, "Least square projection", IEEE TVCG 14, 2008.
func NeighborhoodHit(ctx context.Context, y *mat.Dense, classes []int, k int) (mean float64, each []float64, err error) {
	if err := given(y); err != nil {
		return 0, nil, err
	}
	n, _ := y.Dims()
	if len(classes) != n {
		return 0, nil, fmt.Errorf("%w: there are %d samples, but %d classes instead of one per sample", ErrShape, n, len(classes))
	}
	var rows []int
	each = make([]float64, n)
	for i, c := range classes {
		if each[i] = math.NaN(); c >= 0 {
			rows = append(rows, i)
		}
	}
	if k < 1 || k >= len(rows) {
		return 0, nil, fmt.Errorf("%w: k = %d is not between 1 and %d, the number of other samples with a class", ErrOption, k, max(len(rows)-1, 0))
	}
	picked := samples.Pick(y, rows)
	if err := measurable(picked); err != nil {
		return 0, nil, err
	}
	near, err := graph.Search(ctx, picked, k, graph.SearchOptions{})
	if err != nil {
		return 0, nil, err
	}
	for a, i := range rows {
		list, _ := near.Of(a)
		same := 0
		for _, b := range list {
			if classes[rows[b]] == classes[i] {
				same++
			}
		}
		each[i] = float64(same) / float64(k)
		mean += each[i] / float64(len(rows))
	}
	return mean, each, nil
}

const (
	// Two samples are linked only if their distance is at most islandGap times a typical distance:
	// the median distance of a sample to its islandNeighbor-th nearest sample.
	islandNeighbor, islandGap = 5, 4.0
	// islandLinks is the number of nearest samples to which a sample may be linked.
	islandLinks = 15
)

// Islands returns the island of each sample of an embedding y (n×d), and the number of islands. An
// island is a group of samples that white space separates from the others in a figure. Two samples
// are linked if one is among the other's 15 nearest and their distance is at most four times the
// median distance of a sample to its fifth nearest. Islands are the connected components of this
// graph, numbered from 0 in descending order of size. A component of fewer than `least` samples is
// no island: its samples have −1. least ≥ 1; n ≥ 3.
//
// Limits: islands of an embedding need not be groups in the data; compare them with the islands in
// an embedding of noise, and see [Reliability]. The same distance threshold applies to the whole
// embedding, even if its density varies.
func Islands(ctx context.Context, y *mat.Dense, least int) (island []int, count int, err error) {
	if err := given(y); err != nil {
		return nil, 0, err
	}
	n, _ := y.Dims()
	if n < 3 || least < 1 {
		return nil, 0, fmt.Errorf("%w: there are %d samples, and the smallest size of an island is %d; give at least 3 samples and a size of at least 1", ErrOption, n, least)
	}
	if err := measurable(y); err != nil {
		return nil, 0, err
	}
	near, err := graph.Search(ctx, y, min(islandLinks, n-1), graph.SearchOptions{})
	if err != nil {
		return nil, 0, err
	}
	usual := make([]float64, n)
	for i := range usual {
		_, dist := near.Of(i)
		usual[i] = dist[min(islandNeighbor, len(dist))-1]
	}
	slices.Sort(usual)
	gap := islandGap * usual[n/2]
	joined := disjoint.New(n)
	for i := range n {
		list, dist := near.Of(i)
		for k, j := range list {
			if dist[k] <= gap {
				joined.Union(int32(i), j)
			}
		}
	}
	size := make(map[int32]int)
	for i := range n {
		size[joined.Find(int32(i))]++
	}
	var roots []int32 // lowest sample of each island; largest islands first, ties by sample
	for r, s := range size {
		if s >= least {
			roots = append(roots, r)
		}
	}
	slices.SortFunc(roots, func(a, b int32) int { return cmp.Or(size[b]-size[a], int(a-b)) })
	number := make(map[int32]int)
	for k, r := range roots {
		number[r] = k
	}
	island = make([]int, n)
	for i := range island {
		k, ok := number[joined.Find(int32(i))]
		if island[i] = -1; ok {
			island[i] = k
		}
	}
	return island, len(roots), nil
}
