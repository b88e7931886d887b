package guide

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// pack changes the positions y: it moves each component of w as a whole towards the common centre.
// Edges with weights of at most `least` do not join components. pack stops when the centres of the
// components are as close together as in the positions `first`, or when the circles around two
// components touch. Without pack, components would drift far apart: if guidance cuts all edges
// between two of them, only repulsion acts between them. When ctx ends, pack moves nothing and
// returns the error of ctx.
func pack(ctx context.Context, y, first *mat.Dense, w *sparse.CSR, least float64) error {
	count, of := graph.ComponentsAbove(w, least)
	if count == 1 {
		return nil
	}
	n, d := y.Dims()
	size := make([]float64, count)
	for _, c := range of {
		size[c]++
	}
	centres := func(p *mat.Dense) *mat.Dense {
		out := mat.NewDense(count, d, nil)
		for i, c := range of {
			for k, v := range p.RawRowView(i) {
				out.Set(c, k, out.At(c, k)+v/size[c])
			}
		}
		return out
	}
	// extent returns the root mean square distance of the centres from the middle. Each centre is
	// weighted by the size of its component.
	extent := func(centres *mat.Dense, middle []float64) float64 {
		s := 0.0
		for c := range count {
			s += size[c] / float64(n) * samples.SquaredDistance(centres.RawRowView(c), middle)
		}
		return math.Sqrt(s)
	}
	now, before := centres(y), centres(first)
	middle, _ := centre(y)
	was, _ := centre(first)
	reach := extent(now, middle)
	if reach == 0 {
		return nil
	}
	share := min(1, extent(before, was)/reach)
	radius := make([]float64, count)
	for i, c := range of {
		radius[c] = max(radius[c], math.Sqrt(samples.SquaredDistance(y.RawRowView(i), now.RawRowView(c))))
	}
	share, err := touching(ctx, now, radius, share)
	if err != nil || !(share < 1) {
		return err
	}
	for i, c := range of {
		row := y.RawRowView(i)
		for k := range row {
			row[k] -= (1 - share) * (now.At(c, k) - middle[k])
		}
	}
	return nil
}

// touching returns the smallest factor in [least, 1] for which no circles overlap after all
// distances between centres are multiplied by it. If circles overlap already, it returns 1. To
// avoid comparing all pairs, touching sorts the circles along the coordinate in which the centres
// extend most, and compares each circle only with smaller circles within its reach along this
// coordinate.
func touching(ctx context.Context, centres *mat.Dense, radius []float64, least float64) (float64, error) {
	count, d := centres.Dims()
	axis, widest := 0, -1.0
	for k := range d {
		if c := centres.ColView(k); mat.Max(c)-mat.Min(c) > widest {
			axis, widest = k, mat.Max(c)-mat.Min(c)
		}
	}
	along := make([]int, count) // components in ascending order of their centres' coordinate
	for c := range along {
		along[c] = c
	}
	bySize := slices.Clone(along) // largest circle first, so that `share` rises early
	slices.SortStableFunc(along, func(a, b int) int { return cmp.Compare(centres.At(a, axis), centres.At(b, axis)) })
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(radius[b], radius[a]) })
	place, rank := make([]int, count), make([]int, count)
	for k := range count {
		place[along[k]], rank[bySize[k]] = k, k
	}
	share := least
	for _, a := range bySize {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		at := centres.RawRowView(a)
		for _, step := range []int{-1, 1} {
			for k := place[a] + step; k >= 0 && k < count; k += step {
				b := along[k]
				if math.Abs(centres.At(b, axis)-at[axis])*share > 2*radius[a] {
					break
				}
				if rank[b] < rank[a] {
					continue
				}
				if apart := math.Sqrt(samples.SquaredDistance(at, centres.RawRowView(b))); radius[a]+radius[b] > share*apart {
					if share = min(1, (radius[a]+radius[b])/apart); share == 1 {
						return 1, nil
					}
				}
			}
		}
	}
	return share, nil
}
