package graph

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// maxGeodesics is the largest number of distances that [Geodesics] and [LandmarkGeodesics] store.
// They take 4 GiB, and suffice for all pairs of n = 23,170 samples.
const maxGeodesics = 1 << 29

// Geodesics returns the length of the shortest path between any two samples of a symmetric graph of
// edge lengths. The result is n×n and symmetric, with 0 on the diagonal and +Inf where no path
// exists. unreachable is the number of pairs i < j without a path; see [Connect].
//
// Samples joined by edges of length 0, such as equal samples, have bitwise equal distances to all
// other samples, so that ties are broken by index. The length of any other path is summed from the
// sample with the lower index, because rounding depends on the direction.
//
// Dijkstra's algorithm runs from every sample on all processors. It takes O(n·m·log n) operations
// for m edges, and O(n) workspace per processor besides the result. For more than 2²⁹ distances (n
// > 23,170) the error wraps [ErrMemory]. For a length that is negative or not finite, the error
// wraps [ErrOption].
func Geodesics(ctx context.Context, lengths *sparse.CSR) (d *mat.SymDense, unreachable int, err error) {
	ctx = par.Context(ctx)
	if err := givenGraph(lengths); err != nil {
		return nil, 0, err
	}
	n := lengths.Rows
	if err := checkLengths(lengths, n, fmt.Sprintf("keep at most %.0f samples", math.Sqrt(maxGeodesics))); err != nil {
		return nil, 0, err
	}
	if n == 0 {
		return &mat.SymDense{}, 0, nil
	}
	first, sources := joinedAtZero(lengths)
	size := make([]int, n) // number of samples joined to each source at distance 0, including itself
	for _, f := range first {
		size[f]++
	}
	data := make([]float64, n*n)
	unreached := make([]int, len(sources))
	err = fromSources(ctx, lengths, len(sources), func(a int) int { return sources[a] }, func(a int, dist []float64) {
		s := sources[a]
		copy(data[s*n+s:(s+1)*n], dist[s:])
		for _, other := range sources[a+1:] {
			if math.IsInf(dist[other], 1) {
				unreached[a] += size[s] * size[other]
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	if len(sources) < n {
		par.Blocks(n, 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for j := i + 1; j < n; j++ {
					a, b := min(first[i], first[j]), max(first[i], first[j])
					if a != i || b != j { // entries between two sources are already set
						data[i*n+j] = data[a*n+b]
					}
				}
			}
		})
	}
	// Fill the lower triangle tile by tile, for callers that read the raw rows.
	const tile = 64
	par.Blocks(n, tile, func(lo, hi int) {
		for at := 0; at <= lo; at += tile {
			for i := lo; i < hi; i++ {
				for j := at; j < min(at+tile, i); j++ {
					data[i*n+j] = data[j*n+i]
				}
			}
		}
	})
	for _, u := range unreached {
		unreachable += u
	}
	return mat.NewSymDense(n, data), unreachable, nil
}

// joinedAtZero returns, for each sample, the lowest-indexed sample connected with it by edges of
// length 0. For a sample without such an edge, it is the sample itself. joinedAtZero also returns
// the list of these lowest-indexed samples.
func joinedAtZero(lengths *sparse.CSR) (first, sources []int) {
	_, first = componentsBy([]*sparse.CSR{lengths}, func(v float64) bool { return v == 0 })
	for i, c := range first {
		if c == len(sources) {
			sources = append(sources, i)
		}
		first[i] = sources[c]
	}
	return first, sources
}

// LandmarkGeodesics returns the length of the shortest path from each of m sources to every one of
// n samples. The result is m×n, with +Inf where no path exists. sources holds sample indices.
// unreachable is the number of infinite entries. An empty list of sources, or a source that is not
// a sample, gives [ErrOption]. See [Geodesics] for other errors.
func LandmarkGeodesics(ctx context.Context, lengths *sparse.CSR, sources []int) (d *mat.Dense, unreachable int, err error) {
	ctx = par.Context(ctx)
	if err := givenGraph(lengths); err != nil {
		return nil, 0, err
	}
	n, m := lengths.Rows, len(sources)
	if err := checkLengths(lengths, m, fmt.Sprintf("use at most %d landmarks", maxGeodesics/max(n, 1))); err != nil {
		return nil, 0, err
	}
	for _, s := range sources {
		if s < 0 || s >= n {
			return nil, 0, fmt.Errorf("%w: source %d is not a sample from 0 to %d", ErrOption, s, n-1)
		}
	}
	if m == 0 {
		return nil, 0, fmt.Errorf("%w: the list of sources is empty, but must contain a sample", ErrOption)
	}
	d = mat.NewDense(m, n, nil)
	unreached := make([]int, m)
	err = fromSources(ctx, lengths, m, func(a int) int { return sources[a] }, func(a int, dist []float64) {
		copy(d.RawRowView(a), dist)
		for _, v := range dist {
			if math.IsInf(v, 1) {
				unreached[a]++
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	for _, u := range unreached {
		unreachable += u
	}
	return d, unreachable, nil
}

// checkLengths checks the edge lengths of a graph and the size of the result. `remedy` is advice
// for a result that is too large.
func checkLengths(g *sparse.CSR, sources int, remedy string) error {
	n := g.Rows
	if g.Cols != n {
		return fmt.Errorf("%w: the graph is a %d×%d matrix, but must be square", ErrOption, n, g.Cols)
	}
	if n > 0 && sources > maxGeodesics/n {
		return advice.Errorf(remedy, "%w: %d×%d distances take %.0f GiB", ErrMemory, sources, n, float64(sources)*float64(n)/(1<<27))
	}
	for i := range n {
		cols, vals := g.Row(i)
		for k, v := range vals {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("%w: the edge from %d to %d has length %v; lengths must be finite and ≥ 0", ErrOption, i, cols[k], v)
			}
		}
	}
	return nil
}

// fromSources calls done(a, dist) for a = 0..m-1 from several goroutines. dist holds the distances
// from source(a) and is overwritten after the call.
func fromSources(ctx context.Context, g *sparse.CSR, m int, source func(a int) int, done func(a int, dist []float64)) error {
	edges := make([]arc, g.NNZ())
	for k, v := range g.Val {
		edges[k] = arc{v, g.ColInd[k]}
	}
	pool := sync.Pool{New: func() any { return newDijkstra(g.Rows) }}
	par.Blocks(m, 4, func(lo, hi int) {
		w := pool.Get().(*dijkstra)
		defer pool.Put(w)
		for a := lo; a < hi && ctx.Err() == nil; a++ {
			w.run(g.RowPtr, edges, source(a))
			done(a, w.dist)
		}
	})
	return ctx.Err()
}

// arc is an edge. Its end and its length share a cache line.
type arc struct {
	length float64
	to     int32
}
