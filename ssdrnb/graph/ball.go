package graph

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// maxEntries is the largest number of stored entries in a graph that [Ball] builds. They take 1.5
// GiB.
const maxEntries = 1 << 27

// Ball returns the graph that links every two samples at a distance of at most radius > 0. The
// graph is n×n, symmetric and without self-loops. Its entries are the lengths of the edges. Edges
// between duplicates have length 0 and are stored. The search is exact. If a radius gives more than
// 2²⁶ edges, the error wraps [ErrMemory].
func Ball(ctx context.Context, x *mat.Dense, radius float64) (*sparse.CSR, error) {
	ctx = par.Context(ctx)
	if err := given(x); err != nil {
		return nil, err
	}
	return ball(ctx, x, radius, maxEntries)
}

// ball is [Ball] with a limit on the number of stored entries.
func ball(ctx context.Context, x *mat.Dense, radius float64, limit int64) (*sparse.CSR, error) {
	n, d := x.Dims()
	if !(radius > 0) || math.IsInf(radius, 1) {
		return nil, fmt.Errorf("%w: radius = %v; it must be positive and finite", ErrOption, radius)
	}
	p, _, err := newPoints(x)
	if err != nil {
		return nil, err
	}
	var left atomic.Int64 // entries that may still be stored
	left.Store(limit)
	search := bruteBall(x, p, radius, &left)
	if d <= treeDim {
		search = treeBall(x, radius, &left)
	}
	g := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	found := make([][]candidate, queryBlock)
	for lo := 0; lo < n; lo += queryBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(queryBlock, n-lo)
		search(lo, found[:rows])
		if left.Load() < 0 {
			return nil, advice.Errorf("give a smaller radius", "%w: the first %d of %d samples have more than %d edges at radius %g", ErrMemory, lo+rows, n, limit/2, radius)
		}
		for r, list := range found[:rows] {
			for _, c := range list {
				g.ColInd, g.Val = append(g.ColInd, c.index), append(g.Val, c.low)
			}
			g.RowPtr[lo+r+1] = len(g.Val)
		}
	}
	return g, nil
}

// treeBall returns a search by k-d tree. The search sets found[r] to the neighbours of sample lo+r
// within the radius, ordered by index. The low field of a neighbour holds its distance. The search
// subtracts the number of neighbours from `left`, and stops when `left` is negative.
func treeBall(x *mat.Dense, radius float64, left *atomic.Int64) func(lo int, found [][]candidate) {
	t := newTree(x)
	return func(lo int, found [][]candidate) {
		par.Blocks(len(found), 16, func(a, b int) {
			w := t.walk(0)
			for r := a; r < b && left.Load() >= 0; r++ {
				near := w.ball(x.RawRowView(lo+r), int32(lo+r), radius)
				if left.Add(-int64(len(near))) >= 0 {
					found[r] = append(found[r][:0], near...)
				}
			}
		})
	}
}

// bruteBall is [treeBall] with matrix products instead of a tree.
func bruteBall(x *mat.Dense, p *points, radius float64, left *atomic.Int64) func(lo int, found [][]candidate) {
	n, _ := x.Dims()
	buffer := make([]float64, queryBlock*sampleBlock)
	// The bounds enclose the exact squared distance. The slack covers the rounding of its
	// square root, which is compared with the radius.
	square := radius * radius * (1 + 0x1p-50)
	return func(lo int, found [][]candidate) {
		for r := range found {
			found[r] = found[r][:0]
		}
		for at := 0; at < n && left.Load() >= 0; at += sampleBlock {
			cols := min(sampleBlock, n-at)
			products(buffer, p, lo, len(found), p, at, cols)
			par.Blocks(len(found), scanRows, func(a, b int) {
				for r := a; r < b && left.Load() >= 0; r++ {
					i, before := lo+r, len(found[r])
					limit := square - p.low[i]
					for c, v := range buffer[r*sampleBlock:][:cols] {
						if v+p.low[at+c] > limit || at+c == i {
							continue
						}
						if d := math.Sqrt(samples.SquaredDistance(x.RawRowView(at+c), x.RawRowView(i))); d <= radius {
							found[r] = append(found[r], candidate{d, int32(at + c)})
						}
					}
					left.Add(-int64(len(found[r]) - before))
				}
			})
		}
	}
}
