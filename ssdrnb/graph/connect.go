package graph

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Bridge is an edge that was added to connect a graph; I < J.
type Bridge struct {
	I, J   int
	Length float64
}

// Connect returns the graph of lengths with the edges that join its components: in rounds, every
// component gets its shortest edge to another one, until one component is left (Borůvka 1926).
// These edges are a minimum spanning tree of the components. At equal length the edge with the
// lower indices is taken.
//
// x has the samples, one per row. The bridges are returned in the order of their
// indices, so that the caller can warn; there are none if the graph was connected.
//
// It takes O(mnD) operations in each of at most log₂(components) rounds, m being
// the number of samples outside the largest component.
func Connect(ctx context.Context, x *mat.Dense, lengths *sparse.CSR) (*sparse.CSR, []Bridge, error) {
	ctx = par.Context(ctx)
	return connect(ctx, x, lengths, shortest)
}

// ConnectNearly is Connect without the O(n²) scan. An added edge is not always the shortest: it is
// the best of many local searches from evenly spread starts, each of which ends when no neighbour
// of the edge's ends shortens it. The result is the same at every call.
//
// It takes O(mkD) operations per round for m starts, at most 64 per component and about
// 16,000 in all, each compared with as many samples.
func ConnectNearly(ctx context.Context, x *mat.Dense, lengths *sparse.CSR) (*sparse.CSR, []Bridge, error) {
	ctx = par.Context(ctx)
	return connect(ctx, x, lengths, short)
}

// connect adds the edges that round finds between components, until one component is left.
func connect(ctx context.Context, x *mat.Dense, lengths *sparse.CSR, round func(ctx context.Context, x *mat.Dense, lengths *sparse.CSR, of []int, count int) ([]Bridge, error)) (*sparse.CSR, []Bridge, error) {
	if err := givenGraph(lengths); err != nil {
		return nil, nil, err
	}
	if err := given(x); err != nil {
		return nil, nil, err
	}
	n, _ := x.Dims()
	if lengths.Rows != n || lengths.Cols != n {
		return nil, nil, fmt.Errorf("%w: the graph is %d×%d, but there are %d samples", ErrOption, lengths.Rows, lengths.Cols, n)
	}
	if n == 0 {
		return lengths, nil, nil
	}
	if err := checkSize(x); err != nil {
		return nil, nil, err
	}
	return joinComponents(lengths, func(lengths *sparse.CSR, of []int, count int) ([]Bridge, error) {
		return round(ctx, x, lengths, of, count)
	})
}

// joinComponents adds the edges of rounds until one component is left.
func joinComponents(lengths *sparse.CSR, round func(lengths *sparse.CSR, of []int, count int) ([]Bridge, error)) (*sparse.CSR, []Bridge, error) {
	var bridges []Bridge
	for {
		count, of := Components(lengths)
		if count <= 1 {
			slices.SortFunc(bridges, byIndices)
			return lengths, bridges, nil
		}
		found, err := round(lengths, of, count)
		if err != nil {
			return nil, nil, err
		}
		bridges = append(bridges, found...)
		if lengths, err = withEdges(lengths, found); err != nil {
			return nil, nil, err
		}
	}
}

func byIndices(a, b Bridge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) }

// before orders bridges totally, so that a round cannot close a cycle.
func (b Bridge) before(c Bridge) bool {
	return cmp.Or(cmp.Compare(b.Length, c.Length), byIndices(b, c)) < 0
}

// choice has the best edge so far of every component.
type choice []*Bridge

func (best choice) offer(c, i, j int, length float64) {
	b := Bridge{min(i, j), max(i, j), length}
	if best[c] == nil || b.before(*best[c]) {
		best[c] = &b
	}
}

// edges returns the edges chosen, each once, as two components may choose the same.
func (best choice) edges() []Bridge {
	list := make([]Bridge, 0, len(best))
	for _, b := range best {
		list = append(list, *b)
	}
	slices.SortFunc(list, byIndices)
	return slices.Compact(list)
}

// shortest returns the shortest edge of every component to another one, each once.
func shortest(ctx context.Context, x *mat.Dense, _ *sparse.CSR, of []int, count int) ([]Bridge, error) {
	size := make([]int, count)
	for _, c := range of {
		size[c]++
	}
	largest := 0
	for c, s := range size {
		if s > size[largest] {
			largest = c
		}
	}
	var in, out []int // samples inside and outside of the largest component
	for i, c := range of {
		if c == largest {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	best := make(choice, count)
	queries := samples.Pick(x, out)
	nearest, err := bruteQuery(ctx, x, queries, of, picked(of, out), 1)
	if err != nil {
		return nil, err
	}
	for a, i := range out {
		best.offer(of[i], i, int(nearest.Index[a]), nearest.Dist[a])
	}
	// The largest component's edge ends at one of the samples outside.
	if nearest, err = bruteQuery(ctx, samples.Pick(x, in), queries, nil, nil, 1); err != nil {
		return nil, err
	}
	for a, i := range out {
		best.offer(largest, i, in[nearest.Index[a]], nearest.Dist[a])
	}
	return best.edges(), nil
}

// Starts of a round of [ConnectNearly]: the most per component, and the most in all unless
// there are more components.
const (
	startsOfOne = 64
	startsOfAll = 1 << 14
)

// short returns a short edge of every component to another one, each once. It starts with
// edges from some samples of a component to the nearest among samples of all others, and
// moves one end at a time to a neighbour while that shortens the edge. Each edge is offered
// to the components of both ends, so that the chosen edges close no cycle.
func short(ctx context.Context, x *mat.Dense, lengths *sparse.CSR, of []int, count int) ([]Bridge, error) {
	members := make([][]int, count)
	for i, c := range of {
		members[c] = append(members[c], i)
	}
	share := (startsOfAll + count - 1) / count
	var starts, ends []int
	for _, m := range members {
		starts = append(starts, evenly(m, min(share, startsOfOne))...)
		ends = append(ends, evenly(m, share)...)
	}
	nearest, err := bruteQuery(ctx, samples.Pick(x, ends), samples.Pick(x, starts), picked(of, ends), picked(of, starts), 1)
	if err != nil {
		return nil, err
	}
	found := make([]Bridge, len(starts))
	par.Blocks(len(starts), 16, func(lo, hi int) {
		for a := lo; a < hi && ctx.Err() == nil; a++ {
			found[a] = shortened(x, lengths, starts[a], ends[nearest.Index[a]])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best := make(choice, count)
	for _, b := range found {
		best.offer(of[b.I], b.I, b.J, b.Length)
		best.offer(of[b.J], b.I, b.J, b.Length)
	}
	return best.edges(), nil
}

// shortened returns the edge from i to j after its ends have moved along the graph while
// each step made it shorter.
func shortened(x *mat.Dense, lengths *sparse.CSR, i, j int) Bridge {
	square := samples.SquaredDistance(x.RawRowView(i), x.RawRowView(j))
	for still := 0; still < 2; i, j = j, i {
		still++
		from := x.RawRowView(i)
		neighbors, _ := lengths.Row(j)
		for _, b := range neighbors {
			if s := samples.SquaredDistance(from, x.RawRowView(int(b))); s < square {
				square, j, still = s, int(b), 0
			}
		}
	}
	return Bridge{i, j, math.Sqrt(square)}
}

// evenly returns at most count of the members, evenly spaced.
func evenly(members []int, count int) []int {
	count = min(count, len(members))
	list := make([]int, count)
	for a := range list {
		list[a] = members[a*len(members)/count]
	}
	return list
}

// picked returns the components of the rows.
func picked(of, rows []int) []int {
	list := make([]int, len(rows))
	for a, i := range rows {
		list[a] = of[i]
	}
	return list
}

// withEdges returns the graph with edges that it does not have yet.
func withEdges(lengths *sparse.CSR, edges []Bridge) (*sparse.CSR, error) {
	var extra []sparse.Triplet
	for _, b := range edges {
		extra = append(extra, sparse.Triplet{Row: b.I, Col: b.J, Value: b.Length}, sparse.Triplet{Row: b.J, Col: b.I, Value: b.Length})
	}
	more, err := sparse.FromTriplets(lengths.Rows, lengths.Cols, extra)
	if err != nil {
		return nil, err
	}
	return sparse.Add(1, lengths, 1, more)
}
