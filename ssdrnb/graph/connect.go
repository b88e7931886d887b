package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Bridge is an edge that was added to connect a graph; I < J.
type Bridge struct {
	I, J   int
	Length float64
}

// Connect returns the graph of lengths with the edges that join its components: in
// rounds, every component gets its shortest edge to another one, until one
// component is left (Borůvka 1926; section 5 of the semi-Riemannian method's
// notes). They are the components' minimum spanning tree. At equal length the edge
// with the lower indices is taken.
//
// x has the samples, one per row. The bridges are returned in the order of their
// indices, so that the caller can warn; there are none if the graph was connected.
//
// It takes O(mnD) operations in each of at most log₂(components) rounds, m being
// the number of samples outside the largest component.
func Connect(ctx context.Context, x *mat.Dense, lengths *sparse.CSR) (*sparse.CSR, []Bridge, error) {
	n, _ := x.Dims()
	if lengths.Rows != n || lengths.Cols != n {
		return nil, nil, fmt.Errorf("%w: a graph of %d×%d for %d samples", ErrOption, lengths.Rows, lengths.Cols, n)
	}
	if n == 0 {
		return lengths, nil, nil
	}
	if err := checkSize(x); err != nil {
		return nil, nil, err
	}
	var bridges []Bridge
	for {
		count, of := Components(lengths)
		if count <= 1 {
			slices.SortFunc(bridges, byIndices)
			return lengths, bridges, nil
		}
		round, err := shortest(ctx, x, of, count)
		if err != nil {
			return nil, nil, err
		}
		bridges = append(bridges, round...)
		if lengths, err = withEdges(lengths, round); err != nil {
			return nil, nil, err
		}
	}
}

func byIndices(a, b Bridge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) }

// before orders bridges totally, so that a round cannot close a cycle.
func (b Bridge) before(c Bridge) bool {
	return cmp.Or(cmp.Compare(b.Length, c.Length), byIndices(b, c)) < 0
}

// shortest returns the shortest edge of every component to another one, each once.
func shortest(ctx context.Context, x *mat.Dense, of []int, count int) ([]Bridge, error) {
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
	best := make([]*Bridge, count)
	offer := func(c, i, j int, length float64) {
		b := Bridge{min(i, j), max(i, j), length}
		if best[c] == nil || b.before(*best[c]) {
			best[c] = &b
		}
	}
	queries := samples.Pick(x, out)
	own := make([]int, len(out))
	for a, i := range out {
		own[a] = of[i]
	}
	nearest, err := bruteQuery(ctx, x, queries, of, own, 1)
	if err != nil {
		return nil, err
	}
	for a, i := range out {
		offer(of[i], i, int(nearest.Index[a]), nearest.Dist[a])
	}
	// The largest component's edge ends at one of the samples outside.
	if nearest, err = bruteQuery(ctx, samples.Pick(x, in), queries, nil, nil, 1); err != nil {
		return nil, err
	}
	for a, i := range out {
		offer(largest, i, in[nearest.Index[a]], nearest.Dist[a])
	}
	list := make([]Bridge, 0, count)
	for _, b := range best {
		list = append(list, *b)
	}
	slices.SortFunc(list, byIndices)
	return slices.Compact(list), nil // two components may choose the same edge
}

// withEdges returns the graph with additional edges, none of which it has yet.
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
