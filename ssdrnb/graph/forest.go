package graph

import (
	"context"
	"math/rand/v2"
	"sync"
)

// leaves holds the leaves of a random-projection tree: leaf a contains the samples
// order[start[a]:start[a+1]].
type leaves struct {
	order []int32
	start []int32
}

// compared holds samples in a form that allows fast comparison: [distance.Rows] or [distance.Sets].
type compared interface {
	Len() int
	// Compare sets out[a] to the value of the [distance.Norm] between samples i and index[a].
	Compare(i int32, index []int32, out []float32)
	// Between sets out[a] to a number that exceeds the returned threshold if sample index[a] is
	// nearer to p than to q.
	Between(p, q int32, index []int32, out []float32) (threshold float32)
}

// grow builds a random-projection tree. It divides the samples of a node half-way between two
// random samples, until each leaf contains at most the given number of samples (Dasgupta, Freund
// 2008; Dong et al. 2011).
func grow(ctx context.Context, x compared, size int, seed uint64) (leaves, error) {
	n := x.Len()
	g := &grower{ctx: ctx, x: x, size: size, order: make([]int32, n), values: make([]float32, n), ends: make([]bool, n+1)}
	for i := range g.order {
		g.order[i] = int32(i)
	}
	g.split(0, n, seed)
	g.wait.Wait()
	l := leaves{order: g.order}
	g.ends[0] = true
	for i, end := range g.ends {
		if end {
			l.start = append(l.start, int32(i))
		}
	}
	return l, ctx.Err()
}

type grower struct {
	ctx    context.Context
	x      compared
	size   int
	order  []int32
	values []float32 // results of Between for the entries of `order`
	ends   []bool    // whether a leaf ends before a position in `order`
	wait   sync.WaitGroup
}

const (
	// parallelMin is the node size above which the two halves are split in parallel.
	parallelMin = 8192
	// lopsided is the smallest share of samples that the smaller half may have. Below this share,
	// the node is split at the median instead.
	lopsided = 0.1
)

// split divides the node order[lo:hi]. Its random numbers depend only on the node's seed.
func (g *grower) split(lo, hi int, seed uint64) {
	n := hi - lo
	if n <= g.size || g.ctx.Err() != nil {
		g.ends[hi] = true
		return
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	order, at := g.order[lo:hi], g.values[lo:hi]
	a := rng.IntN(n)
	b := rng.IntN(n - 1)
	if b >= a {
		b++
	}
	half := g.x.Between(order[a], order[b], order, at)
	mid := halve(order, at, half)
	if m := min(mid, n-mid); float64(m) < lopsided*float64(n) {
		mid = n / 2
		list := make([]candidate, n)
		for s, i := range order {
			list[s] = candidate{float64(at[s]), i}
		}
		partition(list, mid, func(c candidate) float64 { return c.low })
		for s, c := range list {
			order[s] = c.index
		}
	}
	left, right := rng.Uint64(), rng.Uint64()
	if n > parallelMin {
		g.wait.Go(func() { g.split(lo, lo+mid, left) })
	} else {
		g.split(lo, lo+mid, left)
	}
	g.split(lo+mid, hi, right)
}

// halve moves the samples whose value in `at` is below the threshold to the front, and returns
// their number.
func halve(order []int32, at []float32, threshold float32) int {
	i, j := 0, len(order)
	for i < j {
		if at[i] < threshold {
			i++
			continue
		}
		j--
		order[i], order[j] = order[j], order[i]
		at[i], at[j] = at[j], at[i]
	}
	return i
}
