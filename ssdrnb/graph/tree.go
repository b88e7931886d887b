package graph

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// tree is a k-d tree (Friedman, Bentley, Finkel 1977). Each node is split at the median of its
// widest feature until at most leafSize samples are left or all samples are equal.
type tree struct {
	d     int
	data  []float64 // the samples in the order of the leaves, d numbers each
	order []int32   // indices of the samples in data
	nodes []node
}

// node holds the samples order[lo:hi]; a leaf has no children. If a leaf has more than leafSize
// samples, they are equal and ordered by index.
type node struct {
	lo, hi      int
	left, right int // indices into nodes; 0 for a leaf
	feature     int
	split       float64 // value of this feature at the split: left ≤ split ≤ right
}

const leafSize = 12

func newTree(x *mat.Dense) *tree {
	n, d := x.Dims()
	t := &tree{d: d, order: make([]int32, n), data: make([]float64, 0, n*d)}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.build(x, 0, n)
	for _, i := range t.order {
		t.data = append(t.data, x.RawRowView(int(i))...)
	}
	return t
}

// build appends the subtree of order[lo:hi] to the nodes and returns the index of its root.
func (t *tree) build(x *mat.Dense, lo, hi int) int {
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{lo: lo, hi: hi})
	if hi-lo <= leafSize {
		return at
	}
	feature, width := 0, -1.0
	raw := x.RawMatrix()
	for j := range t.d {
		least, most := math.Inf(1), math.Inf(-1)
		for _, i := range t.order[lo:hi] {
			v := raw.Data[int(i)*raw.Stride+j]
			least, most = min(least, v), max(most, v)
		}
		if most-least > width {
			feature, width = j, most-least
		}
	}
	if width == 0 {
		slices.Sort(t.order[lo:hi])
		return at
	}
	mid := lo + (hi-lo)/2
	partition(t.order[lo:hi], mid-lo, func(i int32) float64 { return raw.Data[int(i)*raw.Stride+feature] })
	split := x.At(int(t.order[mid]), feature)
	left := t.build(x, lo, mid)
	right := t.build(x, mid, hi)
	nd := &t.nodes[at]
	nd.left, nd.right, nd.feature, nd.split = left, right, feature, split
	return at
}

// walk is the search for one query.
type walk struct {
	t           *tree
	q           []float64
	skip        int32
	best        []candidate // the k nearest by (distance, index), or all within radius
	k           int
	radius      float64   // 0 in a search for the k nearest
	squaredGaps []float64 // squared distance from q to the cell (the box of the current node) along each feature
}

// inside is 1 minus a bound on the relative rounding error of a sum of squares.
const inside = 1 - 1e-12

// visit searches the subtree with root `at`. far is a lower bound of the squared distance from the
// query to the cell of this root.
func (w *walk) visit(at int, far float64) {
	nd := &w.t.nodes[at]
	if nd.right == 0 {
		d := w.t.d
		for i := nd.lo; i < nd.hi; i++ {
			if w.t.order[i] == w.skip {
				continue
			}
			if !w.add(samples.SquaredDistance(w.t.data[i*d:(i+1)*d], w.q), w.t.order[i]) && nd.hi-nd.lo > leafSize {
				return // the remaining samples are equally far and have higher indices
			}
		}
		return
	}
	gap := w.q[nd.feature] - nd.split
	near, other := nd.left, nd.right
	if gap > 0 {
		near, other = other, near
	}
	w.visit(near, far)
	old := w.squaredGaps[nd.feature]
	beyond := far
	if g := gap * gap; g > old {
		beyond = far - old + g
		w.squaredGaps[nd.feature] = g
	}
	// Equality counts: the other side may contain a sample at the same distance with a lower
	// index.
	if beyond*inside <= w.limit() {
		w.visit(other, beyond)
	}
	w.squaredGaps[nd.feature] = old
}

// limit returns the squared distance above which samples are rejected.
func (w *walk) limit() float64 {
	switch {
	case w.radius > 0:
		return w.radius * w.radius * (1 + 1e-12)
	case len(w.best) < w.k:
		return math.Inf(1)
	}
	return w.best[w.k-1].low
}

// add inserts a sample into the sorted list `best`, and reports false if it is too far or its index
// is too high. In a search by radius, add appends the sample, and [walk.ball] sorts the list later.
func (w *walk) add(dist float64, index int32) bool {
	if w.radius > 0 {
		s := math.Sqrt(dist)
		if s <= w.radius {
			w.best = append(w.best, candidate{s, index})
		}
		return s <= w.radius
	}
	c := candidate{dist, index}
	if len(w.best) < w.k {
		w.best = append(w.best, c)
	} else if byDistance(c, w.best[w.k-1]) >= 0 {
		return false
	}
	p := len(w.best) - 1
	for ; p > 0 && byDistance(c, w.best[p-1]) < 0; p-- {
		w.best[p] = w.best[p-1]
	}
	w.best[p] = c
	return true
}

// run writes the k samples nearest to q to index and dist. It leaves out the sample with the index
// `skip`.
func (w *walk) run(q []float64, skip int32, index []int32, dist []float64) {
	w.q, w.skip, w.best = q, skip, w.best[:0]
	w.visit(0, 0)
	for a, c := range w.best {
		index[a], dist[a] = c.index, math.Sqrt(c.low)
	}
}

// all returns the k nearest neighbours of every sample among the others.
func (t *tree) all(ctx context.Context, k int) (*Neighbors, error) {
	n := len(t.order)
	out := exactNeighbors(n, k, Tree)
	// Queries follow the order of the leaves, so that consecutive queries share the cache.
	par.Blocks(n, 64, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		w := t.walk(k)
		for p := lo; p < hi; p++ {
			i := int(t.order[p])
			w.run(t.data[p*t.d:(p+1)*t.d], int32(i), out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
		}
	})
	return out, ctx.Err()
}

// query returns the k nearest samples of every row of q.
func (t *tree) query(ctx context.Context, q *mat.Dense, k int) (*Neighbors, error) {
	m, _ := q.Dims()
	out := exactNeighbors(m, k, Tree)
	par.Blocks(m, 64, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		w := t.walk(k)
		for i := lo; i < hi; i++ {
			w.run(q.RawRowView(i), -1, out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
		}
	})
	return out, ctx.Err()
}

func (t *tree) walk(k int) *walk {
	return &walk{t: t, k: k, best: make([]candidate, 0, k), squaredGaps: make([]float64, t.d)}
}

// ball returns the samples at a distance of at most radius from q, ordered by index. It leaves out
// the sample with the index `skip`.
func (w *walk) ball(q []float64, skip int32, radius float64) []candidate {
	w.q, w.skip, w.radius, w.best = q, skip, radius, w.best[:0]
	w.visit(0, 0)
	slices.SortFunc(w.best, func(a, b candidate) int { return int(a.index) - int(b.index) })
	return w.best
}
