package graph

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// spread computes the distances between all pairs of rows of x.
type spread struct {
	x *mat.Dense
	p *points
}

// each calls visit until every pair of rows is covered once. One call covers the pairs of row i
// with the rows of index at, …, at+len(prods)−1. All these rows follow row i. prods[k] is −2 times
// the inner product of rows i and at+k of s.p. Several goroutines call visit. unit, in 0..units-1,
// is the accumulator that visit must use: calls with the same unit never run concurrently.
func (s *spread) each(ctx context.Context, visit func(unit, i, at int, prods []float64)) error {
	n, _ := s.x.Dims()
	buffer := make([]float64, queryBlock*sampleBlock)
	for lo := 0; lo < n; lo += queryBlock {
		size := min(queryBlock, n-lo)
		for at := lo; at < n; at += sampleBlock {
			if err := ctx.Err(); err != nil {
				return err
			}
			cols := min(sampleBlock, n-at)
			products(buffer, s.p, lo, size, s.p, at, cols)
			par.Blocks(size, queryBlock/units, func(a, b int) {
				for r := a; r < b; r++ {
					first := max(0, lo+r+1-at)
					if first < cols {
						visit(a*units/queryBlock, lo+r, at+first, buffer[r*sampleBlock+first:r*sampleBlock+cols])
					}
				}
			})
		}
	}
	return nil
}

// units is the number of accumulators that callers of [spread.each] need.
const units = 8

// bins is the number of intervals of the histogram of squared distances.
const bins = 1 << 15

// histogram counts the values in each bin, separately for each unit of [spread.each].
type histogram [units][]int

func newHistogram() *histogram {
	var h histogram
	for u := range h {
		h[u] = make([]int, bins)
	}
	return &h
}

// bin returns the bin that contains the value of the given rank, counted from 0.
func (h *histogram) bin(rank int) int {
	for b := range bins {
		for _, c := range h {
			rank -= c[b]
		}
		if rank < 0 {
			return b
		}
	}
	return bins - 1
}

// median returns the median distance. A first pass counts the lower and upper bounds of all squared
// distances in bins. The median lies between the median of the lower bounds and the median of the
// upper bounds. A second pass counts the pairs that are certainly below this interval, and computes
// the exact distances of the pairs that may lie in it.
func (s *spread) median(ctx context.Context) (float64, error) {
	n, _ := s.x.Dims()
	pairs := n * (n - 1) / 2
	if pairs <= bins { // for few pairs, storing all distances is faster
		all := make([]float64, 0, pairs)
		for i := range n {
			for j := range i {
				all = append(all, samples.SquaredDistance(s.x.RawRowView(i), s.x.RawRowView(j)))
			}
		}
		return medianRoot(all, pairs, 0), nil
	}
	top := s.guess()
	if top == 0 {
		top = 1
	}
	scale := (bins - 1) / (4 * top) // the last bin holds all values above four times the guess
	place := func(v float64) int {  // no min and max: in WebAssembly they are function calls
		if v *= scale; v < bins-1 {
			if v > 0 {
				return int(v)
			}
			return 0
		}
		return bins - 1
	}
	lows, highs := newHistogram(), newHistogram()
	err := s.each(ctx, func(unit, i, at int, prods []float64) {
		cl, ch, low, high := lows[unit], highs[unit], s.p.low[at:], s.p.high[at:]
		for k, v := range prods {
			cl[place(v+s.p.low[i]+low[k])]++
			ch[place(v+s.p.high[i]+high[k])]++
		}
	})
	if err != nil {
		return 0, err
	}
	from, to := math.Inf(-1), math.Inf(1)
	if b := lows.bin((pairs - 1) / 2); b > 0 {
		from = float64(b) / scale * (1 - 1e-12)
	}
	if b := highs.bin(pairs / 2); b < bins-1 {
		to = float64(b+1) / scale * (1 + 1e-12)
	}
	var below [units]int
	var inside []float64
	var lock sync.Mutex
	err = s.each(ctx, func(unit, i, at int, prods []float64) {
		var found []float64
		low, high := s.p.low[at:], s.p.high[at:]
		for k, v := range prods {
			if v+s.p.high[i]+high[k] < from {
				below[unit]++
			} else if v+s.p.low[i]+low[k] <= to {
				found = append(found, samples.SquaredDistance(s.x.RawRowView(at+k), s.x.RawRowView(i)))
			}
		}
		if len(found) > 0 {
			lock.Lock()
			inside = append(inside, found...) // selection does not depend on the order
			lock.Unlock()
		}
	})
	if err != nil {
		return 0, err
	}
	skip := 0
	for _, b := range below {
		skip += b
	}
	return medianRoot(inside, pairs, skip), nil
}

// medianRoot returns the median of the square roots of `count` numbers. `squares` lacks the `skip`
// smallest of these numbers, and may lack some numbers above the median.
func medianRoot(squares []float64, count, skip int) float64 {
	upper := math.Sqrt(selectKth(squares, count/2-skip))
	if count%2 == 1 {
		return upper
	}
	return (math.Sqrt(selectKth(squares, (count-1)/2-skip)) + upper) / 2
}

// guess returns the median squared distance of a few pairs. The bin width of median depends on this
// value, but the result of median does not.
func (s *spread) guess() float64 {
	n, _ := s.x.Dims()
	some := make([]float64, min(4096, n*(n-1)/2))
	for k := range some {
		i := k * 7919 % n
		j := (i + 1 + k*104729%(n-1)) % n
		some[k] = samples.SquaredDistance(s.x.RawRowView(i), s.x.RawRowView(j))
	}
	return selectKth(some, len(some)/2)
}

// mean returns the mean of the exact distances. It adds them in a fixed order.
func (s *spread) mean(ctx context.Context) (float64, error) {
	n, _ := s.x.Dims()
	sums := make([]float64, n)
	par.Blocks(n, 32, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			for j := range i {
				sums[i] += math.Sqrt(samples.SquaredDistance(s.x.RawRowView(j), s.x.RawRowView(i)))
			}
		}
	})
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total / (float64(n) * float64(n-1) / 2), ctx.Err()
}
