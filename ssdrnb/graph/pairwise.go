package graph

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// compare returns the value of the norm n for the images a and b (see [imageMap]); n must not be
// Square. All processors give the same bits: the sums contain no products, so no multiplication can
// be fused with an addition.
func compare(n distance.Norm, a, b []float64) float64 {
	b = b[:len(a)]
	switch n {
	case distance.Sum:
		var s [4]float64
		j := 0
		for ; j+4 <= len(a); j += 4 {
			s[0] += math.Abs(a[j] - b[j])
			s[1] += math.Abs(a[j+1] - b[j+1])
			s[2] += math.Abs(a[j+2] - b[j+2])
			s[3] += math.Abs(a[j+3] - b[j+3])
		}
		for ; j < len(a); j++ {
			s[0] += math.Abs(a[j] - b[j])
		}
		return s[0] + s[1] + (s[2] + s[3])
	case distance.Most:
		top := 0.0
		for j, v := range a {
			if d := math.Abs(v - b[j]); d > top {
				top = d
			}
		}
		return top
	case distance.Differ:
		count := 0
		for j, v := range a {
			if v != b[j] {
				count++
			}
		}
		return float64(count)
	}
	both, either := 0, 0
	for j, v := range a {
		w := b[j]
		if v != 0 || w != 0 {
			either++
			if v != 0 && w != 0 {
				both++
			}
		}
	}
	return distance.Apart(both, either)
}

// pairwise returns the k samples of m nearest to each query of q. It compares all pairs, and is
// used for norms without a faster exact search. If self is set, q must be m, and a sample is not
// its own neighbour.
func (m *measure) pairwise(ctx context.Context, q *measure, k int, self bool) (*Neighbors, error) {
	n, _ := m.x.Dims()
	queries, _ := q.x.Dims()
	out := exactNeighbors(queries, k, Brute)
	const block, tile = 16, 64
	par.Blocks(queries, block, func(lo, hi int) {
		best := make([]candidate, 0, (hi-lo)*k)
		size := make([]int, hi-lo)
		best = best[:cap(best)]
		for at := 0; at < n; at += tile {
			if ctx.Err() != nil {
				return
			}
			for i := lo; i < hi; i++ {
				row, list, have := q.x.RawRowView(i), best[(i-lo)*k:(i-lo+1)*k], size[i-lo]
				for j := at; j < min(n, at+tile); j++ {
					if self && i == j {
						continue
					}
					have = enter(list, have, candidate{compare(m.norm, row, m.x.RawRowView(j)), int32(j)})
				}
				size[i-lo] = have
			}
		}
		for i := lo; i < hi; i++ {
			index, dist := out.Of(i)
			for a, c := range best[(i-lo)*k : (i-lo+1)*k] {
				index[a], dist[a] = c.index, m.distance(c.low)
			}
		}
	})
	return out, ctx.Err()
}

// enter inserts a candidate into a sorted list whose first `have` entries are the nearest so far,
// and returns the new number of entries. Candidates must arrive in the order of their indices, so
// that ties are ordered by index.
func enter(list []candidate, have int, c candidate) int {
	if have < len(list) {
		have++
	} else if !(c.low < list[have-1].low) {
		return have
	}
	p := have - 1
	for ; p > 0 && c.low < list[p-1].low; p-- {
		list[p] = list[p-1]
	}
	list[p] = c
	return have
}

// mostPairwise is the largest number of samples for which [HalfMedian] computes all distances one
// by one. From a larger set it draws this many samples.
const mostPairwise = 2000

// medianPairwise returns the median and the mean of the distances between all pairs of samples.
func (m *measure) medianPairwise(ctx context.Context) (median, mean float64, err error) {
	n, _ := m.x.Dims()
	all := make([]float64, n*(n-1)/2)
	par.Blocks(n, 16, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i++ {
			for j := range i {
				all[i*(i-1)/2+j] = m.distance(compare(m.norm, m.x.RawRowView(i), m.x.RawRowView(j)))
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	median, mean = middle(all)
	return median, mean, nil
}

// middle returns the median and the mean of a list of distances. It sorts the list.
func middle(all []float64) (median, mean float64) {
	for _, d := range all {
		mean += d / float64(len(all))
	}
	slices.Sort(all)
	half := len(all) / 2
	if len(all)%2 == 1 {
		return all[half], mean
	}
	return all[half-1]/2 + all[half]/2, mean
}

// checkQueries returns an error unless 1 ≤ k ≤ n for the n rows of x, and q has as many columns as
// x.
func checkQueries(x, q *mat.Dense, k int) error {
	n, d := x.Dims()
	if k < 1 || k > n {
		return wrongK(k, nouns.Count(n, "sample"), n)
	}
	if _, c := q.Dims(); c != d {
		return fmt.Errorf("%w: queries have %d columns, but the samples have %d", ErrOption, c, d)
	}
	return nil
}
