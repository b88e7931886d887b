package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

const (
	defaultRecall = 0.95
	// trials is the number of samples that decide when to stop, and the number of
	// others from which the recall is then estimated.
	trials = 128
	// smallest is the number of samples below which an exact search is as fast.
	smallest = 4000
	// crowd is the share 1/crowd of the samples that are worth an exact search as
	// neighbours.
	crowd = 16
	// trees is the number of trees from which the search starts.
	trees = 6
	// leafLimit is the largest number of samples of a leaf, for few neighbours.
	leafLimit = 60
	// rounds bounds the number of rounds.
	rounds = 12
)

// Index holds what an approximate search has learnt about samples: it finds the
// neighbours of new points among them, see [Index.Query]. It keeps the matrix that it
// was made from, and beside it 4 bytes per value and 8 per neighbour.
type Index struct {
	m     *measure
	first []int32 // of every set of equal samples
	twins *twins  // nil without such sets
	frame *frame
	rows  distance.Rows // the first ones, in the order of the first tree
	order []int32       // their numbers among the first ones
	lists *descent      // the neighbours of each, until the index is linked
	adj   []int32       // places of the neighbours of each, either way
	start []int32
	marks []int32 // places from which the search for a new point begins
	seed  uint64
	want  float64
}

// NewIndex searches for the k nearest neighbours of every sample as [Search] does by
// the method Approximate, and returns what it has learnt with the result. The index
// is nil where the search was exact, as [Search] says.
func NewIndex(ctx context.Context, x *mat.Dense, k int, opt SearchOptions) (*Index, *Neighbors, error) {
	opt.Method = Approximate
	m, err := opt.check(x, k)
	if err != nil {
		return nil, nil, err
	}
	ix, nb, err := approximate(ctx, m, k, opt)
	if ix != nil {
		ix.link(k)
	}
	return ix, nb, err
}

// approximate searches, and returns an index that is yet to be linked.
func approximate(ctx context.Context, m *measure, k int, opt SearchOptions) (*Index, *Neighbors, error) {
	n, d := m.x.Dims()
	if n < smallest || d <= treeDim || k > n/crowd {
		nb, err := exact(ctx, m, k, Exact)
		return nil, nb, err
	}
	ix := &Index{m: m, seed: opt.Seed, want: cmp.Or(opt.Recall, defaultRecall)}
	ix.first, ix.twins = findTwins(m.x)
	if n := len(ix.first); n < smallest || k > n/crowd {
		nb, err := ix.few(ctx, k)
		return nil, nb, err
	}
	recall, err := ix.learn(ctx, k)
	if err == errCoarse {
		nb, err := exact(ctx, m, k, Exact)
		return nil, nb, err
	}
	if err != nil {
		return nil, nil, err
	}
	nb := ix.spread(k, func(p int, a int32, list []candidate) []candidate {
		return ix.exactly(m, ix.first[a], ix.lists.of(int32(p)), k, list)
	})
	nb.Method, nb.Recall = Approximate, recall
	return ix, nb, ctx.Err()
}

// link prepares for new points: it keeps the links in both directions instead of the
// lists, and draws the places where a search begins.
func (ix *Index) link(k int) {
	ix.adj, ix.start, _ = ix.lists.adjacency(k, k)
	ix.lists = nil
	rng := rand.New(rand.NewPCG(ix.seed, 0x6d61726b))
	for _, p := range rng.Perm(ix.rows.N)[:int(4*math.Sqrt(float64(ix.rows.N)))] {
		ix.marks = append(ix.marks, int32(p))
	}
}

// learn finds lists of at least k neighbours for the first one of every set, and
// returns their recall, estimated.
func (ix *Index) learn(ctx context.Context, k int) (float64, error) {
	rng := rand.New(rand.NewPCG(ix.seed, 0x6e656172))
	f := newFrame(ix.m, ix.first, rng)
	ix.frame = f
	_, features := ix.m.x.Dims()
	var low distance.Rows // what the trees and the first rounds see
	if features > wide {
		if err := f.components(ctx, ix.m, ix.first, rng); err != nil {
			return 0, err
		}
		low = f.project(ix.m, ix.first)
	} else {
		low = f.rows(ix.m, ix.first, distance.Rows{})
	}
	// Samples of a leaf stand side by side from here on: neighbours share the cache.
	leaf := max(leafLimit, 3*k/2)
	tree, err := grow(ctx, low, leaf, rng.Uint64())
	if err != nil {
		return 0, err
	}
	ix.order = tree.order
	named := make([]int32, low.N)
	for p, a := range ix.order {
		named[p] = ix.first[a]
	}
	tree.order = make([]int32, low.N)
	for p := range tree.order {
		tree.order[p] = int32(p)
	}
	if features > wide {
		low = permuted(low, ix.order)
		ix.rows = f.rows(ix.m, named, distance.Rows{})
	} else {
		low = f.rows(ix.m, named, low)
		ix.rows = low
	}
	chosen := rng.Perm(low.N)[:2*trials]
	truth, err := ix.truth(ctx, low, chosen, k)
	if err != nil {
		return 0, err
	}
	if ix.coarse(truth, chosen, k) {
		return 0, errCoarse
	}
	bars := make([]float32, len(chosen)) // squared distances of the k-th neighbours
	for c := range bars {
		bars[c] = truth[c*k+k-1].square()
	}

	reach := max(15, min(k, 30))
	back := reach * 2 / 3
	d := newDescent(low, max(20, k+k/3))
	if features > wide {
		d = newDescent(low, max(32, k+k/2))
	}
	for more := trees; ; {
		if err := d.join(ctx, tree); err != nil {
			return 0, err
		}
		if more--; more == 0 {
			break
		}
		if tree, err = grow(ctx, low, leaf, rng.Uint64()); err != nil {
			return 0, err
		}
	}
	if features > wide {
		for range rounds {
			changed, err := d.round(ctx, reach, back)
			if err != nil {
				return 0, err
			}
			if float64(changed) < 0.05*float64(k)*float64(low.N) {
				break
			}
		}
		d = d.raise(ix.rows, reach, max(20, k+k/3))
	}
	// A little more than is asked for, as the trials err.
	enough := ix.want + (1-ix.want)/8
	for range rounds {
		if d.share(chosen[:trials], bars, k) >= enough {
			break
		}
		changed, err := d.round(ctx, reach, back)
		if err != nil {
			return 0, err
		}
		if float64(changed) < 0.002*float64(k)*float64(low.N) {
			if d.share(chosen[:trials], bars, k) >= ix.want || reach >= 2*max(15, k) {
				break
			}
			// The rounds have come to rest too early: look farther.
			reach, back = reach*3/2, back*3/2
			d = d.widened(max(d.width, reach))
		}
	}
	d.next, d.low, ix.lists = nil, distance.Rows{}, d
	if err := d.complete(ctx, k); err != nil {
		return 0, err
	}
	return d.share(chosen[trials:], bars[trials:], k), nil
}

// permuted returns the rows in another order.
func permuted(x distance.Rows, order []int32) distance.Rows {
	out := distance.Rows{N: x.N, Stride: x.Stride, Data: make([]float32, len(x.Data))}
	par.Blocks(x.N, 1024, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			copy(out.Row(p), x.Row(int(order[p])))
		}
	})
	return out
}

// truth returns the links of the chosen places to their k neighbours, by looking at all
// samples. Where low has the samples in the span of some components,
// only those are looked at in full that are near in it.
func (ix *Index) truth(ctx context.Context, low distance.Rows, chosen []int, k int) ([]link, error) {
	n := low.N
	projected := ix.frame.basis.N > 0
	lists := make([]link, len(chosen)*k)
	for a := range lists {
		lists[a] = none
	}
	const size = 512
	par.Blocks(len(chosen), 16, func(from, to int) {
		index, near := make([]int32, size), make([]int32, 0, size)
		squares := make([]float32, size)
		for lo := 0; lo < n; lo += size {
			if ctx.Err() != nil {
				return
			}
			index = index[:min(size, n-lo)]
			for a := range index {
				index[a] = int32(lo + a)
			}
			for c := from; c < to; c++ {
				p, list := chosen[c], lists[c*k:(c+1)*k]
				look := index
				low.Squares(low.Row(p), index, squares)
				if projected {
					look = near[:0]
					limit := roundedUp(list[k-1].square(), ix.rows.Stride)
					for a, s := range squares[:len(index)] {
						if s <= limit {
							look = append(look, index[a])
						}
					}
					ix.rows.Squares(ix.rows.Row(p), look, squares)
				}
				for a, i := range look {
					if key := newLink(squares[a], i); key < list[k-1] && int(i) != p {
						insert(list, key)
					}
				}
			}
		}
	})
	return lists, ctx.Err()
}

// errCoarse says that single precision cannot tell neighbours apart.
var errCoarse = errors.New("graph: single precision does not suffice")

// coarse says whether many distances to the true neighbours of the chosen places are
// wrong by a percent or more, as between groups whose distance is millions of times
// their size.
func (ix *Index) coarse(lists []link, chosen []int, k int) bool {
	wrong := 0
	index, squares := make([]int32, k), make([]float64, k)
	for c, p := range chosen {
		for a, l := range lists[c*k : (c+1)*k] {
			index[a] = ix.first[ix.order[l.index()]]
		}
		ix.m.squares(ix.first[ix.order[p]], ix.m, index, squares)
		for a, s := range squares {
			single := float64(lists[c*k+a].square()) / ix.frame.unit / ix.frame.unit
			if math.Abs(single-s) > 0.02*s {
				wrong++
			}
		}
	}
	return wrong*20 > len(lists)
}

// few searches exactly where only few samples are different.
func (ix *Index) few(ctx context.Context, k int) (*Neighbors, error) {
	kept := mat.NewDense(len(ix.first), ix.m.x.RawMatrix().Cols, nil)
	for a, i := range ix.first {
		ix.m.read(i, kept.RawRowView(a))
	}
	others := min(k, len(ix.first)-1)
	lists := &Neighbors{}
	if others > 0 {
		var err error
		if lists, err = bruteAll(ctx, kept, others); err != nil {
			return nil, err
		}
	}
	nb := ix.spread(k, func(_ int, a int32, list []candidate) []candidate {
		if others > 0 {
			index, dist := lists.Of(int(a))
			for b, j := range index {
				list = append(list, candidate{dist[b] * dist[b], j})
			}
		}
		return list
	})
	nb.Method, nb.Recall = Brute, 1
	return nb, ctx.Err()
}

// exactly appends the sets of a sorted list of places with their distances from
// sample i of m: the first k, and those that rounding might have put behind them.
func (ix *Index) exactly(m *measure, i int32, links []link, k int, list []candidate) []candidate {
	links = links[:slices.IndexFunc(append(links[:len(links):len(links)], none), func(l link) bool { return l == none })]
	index := make([]int32, 0, len(links))
	for a, l := range links {
		if a >= k && l.square() > links[k-1].square()*(1+1e-5) {
			break
		}
		set := ix.order[l.index()]
		list = append(list, candidate{0, set})
		index = append(index, ix.first[set])
	}
	squares := make([]float64, len(index))
	m.squares(i, ix.m, index, squares)
	for a, s := range squares {
		list[len(list)-len(squares)+a].low = s
	}
	return list
}

// spread turns the neighbours of sets into those of samples: lists appends the nearest
// other sets of set a, at place p, with their squared distances. The members of the set
// itself come first, at distance 0.
func (ix *Index) spread(k int, lists func(p int, a int32, list []candidate) []candidate) *Neighbors {
	n, _ := ix.m.x.Dims()
	out := &Neighbors{K: k, Index: make([]int32, n*k), Dist: make([]float64, n*k)}
	par.Blocks(len(ix.first), 64, func(lo, hi int) {
		var sets, list []candidate
		for p := lo; p < hi; p++ {
			a := int32(p)
			if ix.order != nil {
				a = ix.order[p] // what one needs is in the cache for the next
			}
			sets = lists(p, a, sets[:0])
			sortCandidates(sets)
			list = ix.members(sets, k, list[:0])
			own := ix.first[a : a+1]
			if ix.twins != nil {
				own = ix.twins.of(a)
			}
			for at, i := range own {
				index, dist := out.Index[int(i)*k:(int(i)+1)*k], out.Dist[int(i)*k:(int(i)+1)*k]
				p := 0
				for b := 0; b < len(own) && p < k; b++ {
					if b != at {
						index[p] = own[b]
						p++
					}
				}
				for _, c := range list[:k-p] {
					index[p], dist[p] = c.index, ix.m.metric.distance(c.low)
					p++
				}
			}
		}
	})
	return out
}

// members appends the members of sorted sets, at least k where there are as many; those
// at the same distance are in order of their indices.
func (ix *Index) members(sets []candidate, k int, list []candidate) []candidate {
	for a, c := range sets {
		if len(list) >= k && c.low > sets[a-1].low {
			break
		}
		if ix.twins == nil {
			list = append(list, candidate{c.low, ix.first[c.index]})
			continue
		}
		for _, i := range ix.twins.of(c.index)[:min(k, len(ix.twins.of(c.index)))] {
			list = append(list, candidate{c.low, i})
		}
	}
	sortCandidates(list)
	return list
}

// Query finds the k nearest of the samples for every row of q, which has as many
// columns. It walks along the links of the graph (Malkov, Yashunin 2018, on one layer)
// from the nearest of some samples, and remembers as many nearest ones on its way as
// the recall of the index takes, which it measures on some of the queries. The result
// reports its recall, estimated on others, or on the same where there are few. A point
// millions of times farther from the samples than they are from each other is beyond
// what single precision tells apart.
func (ix *Index) Query(ctx context.Context, q *mat.Dense, k int) (*Neighbors, error) {
	n, d := ix.m.x.Dims()
	if k < 1 || k > len(ix.first) {
		return nil, fmt.Errorf("%w: k = %d neighbours among %d samples, of which %d are different; k must lie between 1 and %d", ErrOption, k, n, len(ix.first), len(ix.first))
	}
	count, c := q.Dims()
	if c != d {
		return nil, fmt.Errorf("%w: queries have %d columns, samples %d", ErrOption, c, d)
	}
	m, err := newMeasure(q, ix.m.metric)
	if err != nil {
		return nil, err
	}
	every := make([]int32, count)
	for i := range every {
		every[i] = int32(i)
	}
	rng := rand.New(rand.NewPCG(ix.seed, 0x7175657279))
	chosen := rng.Perm(count)[:min(count, 2*trials)]
	tried := make([]int32, len(chosen))
	for a, i := range chosen {
		tried[a] = int32(i)
	}
	bars, err := ix.queryBars(ctx, m, tried, k)
	if err != nil {
		return nil, err
	}
	learn := len(tried)
	if learn == 2*trials {
		learn = trials
	}
	beam := max(32, 2*k)
	for ; ; beam *= 2 {
		lists, err := ix.walk(ctx, m, tried[:learn], k, beam)
		if err != nil {
			return nil, err
		}
		if beam >= len(ix.first) || beam >= 64*max(16, k) || within(lists, bars, k) >= ix.want {
			break
		}
	}
	lists, err := ix.walk(ctx, m, every, k, beam)
	if err != nil {
		return nil, err
	}
	out := &Neighbors{K: k, Index: make([]int32, count*k), Dist: make([]float64, count*k), Method: Approximate}
	par.Blocks(count, 64, func(lo, hi int) {
		var sets, list []candidate
		for i := lo; i < hi; i++ {
			sets = ix.exactly(m, int32(i), lists[i], k, sets[:0])
			sortCandidates(sets)
			list = ix.members(sets, k, list[:0])
			for p, c := range list[:k] {
				out.Index[i*k+p], out.Dist[i*k+p] = c.index, m.metric.distance(c.low)
			}
		}
	})
	honest := make([][]link, 0, trials)
	for _, i := range tried[len(tried)-learn:] {
		honest = append(honest, lists[i])
	}
	out.Recall = within(honest, bars[len(tried)-learn:], k)
	return out, ctx.Err()
}

// queryBars returns the squared distance of the k-th sample from the chosen rows.
func (ix *Index) queryBars(ctx context.Context, m *measure, chosen []int32, k int) ([]float32, error) {
	bars := make([]float32, len(chosen))
	points := ix.frame.rows(m, chosen, distance.Rows{})
	par.Blocks(len(chosen), 4, func(lo, hi int) {
		list := make([]link, k)
		for c := lo; c < hi && ctx.Err() == nil; c++ {
			scan(ix.rows, points.Row(c), -1, list)
			bars[c] = list[k-1].square()
		}
	})
	return bars, ctx.Err()
}

// scan sets list to the links to the rows nearest to a point, all but skip.
func scan(x distance.Rows, point []float32, skip int, list []link) {
	for a := range list {
		list[a] = none
	}
	var index [512]int32
	var squares [512]float32
	for lo := 0; lo < x.N; lo += len(index) {
		part := index[:min(len(index), x.N-lo)]
		for a := range part {
			part[a] = int32(lo + a)
		}
		x.Squares(point, part, squares[:])
		for a, i := range part {
			if key := newLink(squares[a], i); key < list[len(list)-1] && int(i) != skip {
				insert(list, key)
			}
		}
	}
}

// within returns the share of the first k of each list that are no farther than its
// bar.
func within(lists [][]link, bars []float32, k int) float64 {
	found := 0
	for a, list := range lists {
		for _, l := range list[:k] {
			if l != none && l.square() <= bars[a] {
				found++
			}
		}
	}
	return float64(found) / float64(len(lists)*k)
}

// walk returns the nearest places that a best-first search with a memory of `beam`
// finds for the chosen rows of m, at least k of each.
func (ix *Index) walk(ctx context.Context, m *measure, chosen []int32, k, beam int) ([][]link, error) {
	out := make([][]link, len(chosen))
	keep := min(beam, k+8)
	par.Blocks(len(chosen), 64, func(lo, hi int) {
		seen := make([]int32, ix.rows.N)
		row, point := make([]float64, len(ix.frame.centre)), make([]float32, ix.rows.Stride)
		squares, near := make([]float32, len(ix.marks)), []int32(nil)
		list := make([]link, beam)
		for c := lo; c < hi && ctx.Err() == nil; c++ {
			ix.frame.read(m, chosen[c], row, point)
			for a := range list {
				list[a] = none
			}
			stamp := int32(c - lo + 1)
			look := func(places []int32) {
				if len(squares) < len(places) {
					squares = make([]float32, len(places))
				}
				ix.rows.Squares(point, places, squares)
				for a, p := range places {
					if key := newLink(squares[a], p); key < list[beam-1] {
						insert(list, key)
					}
				}
			}
			look(ix.marks)
			for _, l := range list {
				if l != none {
					seen[l.index()] = stamp
				}
			}
			for {
				// The nearest whose links were not followed yet.
				at := slices.IndexFunc(list, func(l link) bool { return l != none && l.fresh() })
				if at < 0 {
					break
				}
				p := list[at].index()
				list[at] &^= 1
				near = near[:0]
				for _, q := range ix.adj[ix.start[p]:ix.start[p+1]] {
					if seen[q] != stamp {
						seen[q] = stamp
						near = append(near, q)
					}
				}
				look(near)
			}
			if list[k-1] == none { // a few samples without links to the others
				scan(ix.rows, point, -1, list)
			}
			out[c] = slices.Clone(list[:keep])
		}
	})
	return out, ctx.Err()
}
