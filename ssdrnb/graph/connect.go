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

// Bridge is an edge between samples I < J that was added to connect a graph.
type Bridge struct {
	I, J   int
	Length float64
}

// Connect adds edges to a graph of edge lengths until it is connected. In each round, it adds the
// shortest edge from every component to another component (Borůvka 1926). The added edges are a
// minimum spanning tree of the components. Among edges of equal length, Connect takes the one with
// the lower indices.
//
// x contains the samples, one per row. Connect returns the connected graph and, in the order of
// their indices, the bridges, so that the caller can report them. There are no bridges if the graph
// is already connected.
//
// Each round takes O(mnD) operations for n samples, m of them outside the largest component,
// with D features. There are at most log₂(components) rounds.
func Connect(ctx context.Context, x *mat.Dense, lengths *sparse.CSR) (*sparse.CSR, []Bridge, error) {
	ctx = par.Context(ctx)
	return connect(ctx, x, lengths, shortest)
}

// ConnectNearly is [Connect] without the O(n²) scan. An added edge is not always the shortest: it
// is the best result of many local searches, which start at evenly spaced samples of every
// component. Each search ends when moving an end of the edge to a neighbour no longer shortens the
// edge. The result is deterministic.
//
// A round takes O(mkD) operations for m starts and k candidate ends of edges, with D features.
// There are at most 64 starts per component, and about 16,000 starts and 16,000 ends in total.
func ConnectNearly(ctx context.Context, x *mat.Dense, lengths *sparse.CSR) (*sparse.CSR, []Bridge, error) {
	ctx = par.Context(ctx)
	return connect(ctx, x, lengths, short)
}

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
	if err := checkSize(x, samplesSide); err != nil {
		return nil, nil, err
	}
	return joinComponents(lengths, func(lengths *sparse.CSR, of []int, count int) ([]Bridge, error) {
		return round(ctx, x, lengths, of, count)
	})
}

// joinComponents adds the edges returned by the callback `round` until only one component is left.
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

// before reports whether b precedes c in the order of lengths, then of indices. No two different
// bridges are equal in this order, so a round cannot close a cycle.
func (b Bridge) before(c Bridge) bool {
	return cmp.Or(cmp.Compare(b.Length, c.Length), byIndices(b, c)) < 0
}

// choice holds the best edge found so far for each component.
type choice []*Bridge

func (best choice) offer(c, i, j int, length float64) {
	b := Bridge{min(i, j), max(i, j), length}
	if best[c] == nil || b.before(*best[c]) {
		best[c] = &b
	}
}

// edges returns the chosen edges without duplicates: two components may choose the same edge.
func (best choice) edges() []Bridge {
	list := make([]Bridge, 0, len(best))
	for _, b := range best {
		list = append(list, *b)
	}
	slices.SortFunc(list, byIndices)
	return slices.Compact(list)
}

// shortest returns, for each component, the shortest edge to another component, without
// duplicates.
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
	var in, out []int // samples inside and outside the largest component
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
	// The shortest edge from the largest component to another one ends at a sample outside the
	// largest.
	if nearest, err = bruteQuery(ctx, samples.Pick(x, in), queries, nil, nil, 1); err != nil {
		return nil, err
	}
	for a, i := range out {
		best.offer(largest, i, in[nearest.Index[a]], nearest.Dist[a])
	}
	return best.edges(), nil
}

// startsOfOne limits the starts of one component in a round of [ConnectNearly]. startsOfAll limits
// the starts, and also the ends, of all components together. Every component has at least one of
// each.
const (
	startsOfOne = 64
	startsOfAll = 1 << 14
)

// short returns, for each component, a short edge to another component, without duplicates. In each
// component, evenly spaced samples are chosen as starts and as ends of edges. Each start is first
// joined to the nearest end in another component. One end of the edge at a time then moves to a
// neighbour, as long as this shortens the edge. The result is offered to the components of both
// ends, so that the chosen edges close no cycle.
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

// shortened returns the result of a local search from the edge (i, j): its ends move along the
// graph as long as each step shortens the edge.
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

// evenly returns count evenly spaced members, or all members if there are fewer.
func evenly(members []int, count int) []int {
	count = min(count, len(members))
	list := make([]int, count)
	for a := range list {
		list[a] = members[a*len(members)/count]
	}
	return list
}

// picked returns the component of each of the given rows.
func picked(of, rows []int) []int {
	list := make([]int, len(rows))
	for a, i := range rows {
		list[a] = of[i]
	}
	return list
}

// withEdges returns the graph with the given edges added. None of them may be in the graph already.
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
