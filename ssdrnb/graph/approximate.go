package graph

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

const (
	defaultRecall = 0.95
	// trials is the number of samples whose neighbours are computed exactly, to decide when the
	// search stops. The recall of the result is estimated from the same number of other samples.
	trials = 128
	// smallest is the number of samples below which an exact search is at least as fast.
	smallest = 4000
	// crowd limits k: if k exceeds 1/crowd of the samples, an exact search is at least as fast.
	crowd = 16
	// trees is the number of random-projection trees that the search starts from. If the rounds
	// converge too early, the search adds the same number again.
	trees = 6
	// leafLimit is the largest number of samples in a leaf of a tree for k ≤ 40. For larger k, the
	// limit is 1.5·k.
	leafLimit = 60
	// rounds is the largest number of rounds of the descent. A search that starts in the span of
	// the principal components may take as many rounds there, before the rounds in all features.
	rounds = 12
)

// index is the state of an approximate search. The search runs on the first sample of every set of
// equal samples. The place of such a sample is its position in the leaves of the first tree.
type index struct {
	m     *measure
	first []int32 // the first sample of every set of equal samples
	twins *twins  // nil if no two samples are equal
	frame *frame
	rows  compared // the first samples, by place
	order []int32  // for each place, the index into first
	lists *descent // neighbour lists of the first samples; samples and neighbours are given by place
	seed  uint64
	want  float64
}

// collected is the number of values (samples × features) above which the garbage collector runs
// after a search. In single precision, these values take 1/8 GiB.
const collected = 1 << 25

// approximate searches by neighbour descent, or exactly where an exact search is at least as fast.
func approximate(ctx context.Context, m *measure, k int, opt SearchOptions) (*Neighbors, error) {
	n, d := m.x.Dims()
	if n < smallest || m.norm == distance.Square && d <= treeDim || k > n/crowd {
		return exact(ctx, m, k, Exact)
	}
	ix := &index{m: m, seed: opt.Seed, want: cmp.Or(opt.Recall, defaultRecall)}
	ix.first, ix.twins = findTwins(m.x)
	if n := len(ix.first); n < smallest || k > n/crowd {
		return ix.bruteForce(ctx, k)
	}
	recall, err := ix.learn(ctx, k)
	if err == errCoarse {
		return exact(ctx, m, k, Exact)
	}
	if err != nil {
		return nil, err
	}
	nb := ix.spread(k, func(p int, a int32, list []candidate) []candidate {
		return ix.exactly(int32(p), ix.first[a], k, list)
	})
	nb.Method, nb.Recall = Approximate, recall
	if n*d > collected {
		// The lists and the copies of the samples take as much memory as the samples themselves.
		// Without this collection the next step would allocate its memory in addition to theirs.
		runtime.GC()
	}
	return nb, ctx.Err()
}

// learn finds at least k neighbours for the first sample of every set of equal samples. It returns
// the estimated recall.
func (ix *index) learn(ctx context.Context, k int) (float64, error) {
	rng := rand.New(rand.NewPCG(ix.seed, 0x6e656172))
	f := newFrame(ix.m, ix.first, rng)
	ix.frame = f
	_, features := ix.m.x.Dims()
	// Only for Square is a distance between projections a lower bound on the distance between the
	// samples.
	project := features > wide && ix.m.norm == distance.Square
	var low compared // the samples, projected if project is true
	if project {
		if err := f.components(ctx, ix.m, ix.first, rng); err != nil {
			return 0, err
		}
		low = f.project(ix.m, ix.first)
	} else {
		low = f.samples(ix.m, ix.first, nil)
	}
	n := low.Len()
	// From here on, samples of the same leaf are adjacent in memory, so neighbours share the cache.
	leaf := max(leafLimit, 3*k/2)
	tree, err := grow(ctx, low, leaf, rng.Uint64())
	if err != nil {
		return 0, err
	}
	ix.order = tree.order
	named := make([]int32, n)
	for p, a := range ix.order {
		named[p] = ix.first[a]
	}
	tree.order = make([]int32, n)
	for p := range tree.order {
		tree.order[p] = int32(p)
	}
	var lower bound
	if project {
		near := permuted(low.(distance.Rows), ix.order)
		low, lower = near, bound{near, features}
		ix.rows = f.rows(ix.m, named, distance.Rows{})
	} else {
		low = f.samples(ix.m, named, low)
		ix.rows = low
	}
	chosen := rng.Perm(n)[:2*trials]
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
	if project {
		d = newDescent(low, max(32, k+k/2))
	}
	if err := d.join(ctx, tree); err != nil {
		return 0, err
	}
	plant := func(count int) error {
		for range count {
			tree, err := grow(ctx, low, leaf, rng.Uint64())
			if err != nil {
				return err
			}
			if err := d.join(ctx, tree); err != nil {
				return err
			}
		}
		return nil
	}
	if err := plant(trees - 1); err != nil {
		return 0, err
	}
	if project {
		for range rounds {
			changed, err := d.round(ctx, reach, back)
			if err != nil {
				return 0, err
			}
			if float64(changed) < 0.05*float64(k)*float64(n) {
				break
			}
		}
		d = d.raise(ix.rows, lower, reach, max(20, k+k/3))
	}
	// The target is slightly above the requested recall, because the estimate from the trials has
	// an error.
	enough := ix.want + (1-ix.want)/8
	lacked := math.Inf(1) // shortfall in recall before the last trees were added
	for range rounds {
		if d.share(chosen[:trials], bars, k) >= enough {
			break
		}
		changed, err := d.round(ctx, reach, back)
		if err != nil {
			return 0, err
		}
		if float64(changed) < 0.002*float64(k)*float64(n) {
			lacks := ix.want - d.share(chosen[:trials], bars, k)
			if lacks <= 0 || reach >= 2*max(15, k) {
				break
			}
			// The rounds converged too early. More trees can find neighbours that no chain of links
			// reaches. If the last trees hardly helped, follow more links instead.
			if lacks < 0.75*lacked {
				lacked = lacks
				if err := plant(trees); err != nil {
					return 0, err
				}
				continue
			}
			reach, back = reach*3/2, back*3/2
			d = d.widened(max(d.width, reach))
		}
	}
	d.next, d.low, ix.lists = nil, bound{}, d
	if err := d.complete(ctx, k); err != nil {
		return 0, err
	}
	return d.share(chosen[trials:], bars[trials:], k), nil
}

// permuted returns the rows of x in the given order: row p of the result is row order[p] of x.
func permuted(x distance.Rows, order []int32) distance.Rows {
	out := distance.Rows{N: x.N, Stride: x.Stride, Norm: x.Norm, Data: make([]float32, len(x.Data))}
	par.Blocks(x.N, 1024, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			copy(out.Row(p), x.Row(int(order[p])))
		}
	})
	return out
}

// truth returns the exact links from the sample at each chosen place to its k nearest neighbours,
// nearest first: k links per place. If low holds the samples projected onto some principal
// components, full distances are computed only for samples that are near in this projection.
func (ix *index) truth(ctx context.Context, low compared, chosen []int, k int) ([]link, error) {
	n, features := low.Len(), len(ix.frame.centre)
	projected := ix.frame.basis.N > 0
	lists := make([]link, len(chosen)*k)
	for a := range lists {
		lists[a] = noLink
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
				low.Compare(int32(p), index, squares)
				if projected {
					look = near[:0]
					limit := roundedUp(list[k-1].square(), features)
					for a, s := range squares[:len(index)] {
						if s <= limit {
							look = append(look, index[a])
						}
					}
					ix.rows.Compare(int32(p), look, squares)
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

// errCoarse means that single precision cannot distinguish neighbours.
var errCoarse = errors.New("graph: single precision does not suffice")

// coarse reports whether more than 5 % of the distances in `lists` have a relative error above 1 %.
// lists holds the k true neighbours of each chosen place. Such errors occur, for example, if the
// distance between groups is millions of times their size.
func (ix *index) coarse(lists []link, chosen []int, k int) bool {
	wrong := 0
	index, squares := make([]int32, k), make([]float64, k)
	for c, p := range chosen {
		for a, l := range lists[c*k : (c+1)*k] {
			index[a] = ix.first[ix.order[l.index()]]
		}
		ix.m.squares(ix.first[ix.order[p]], ix.m, index, squares)
		for a, s := range squares {
			single := ix.frame.unscaled(float64(lists[c*k+a].square()))
			if math.Abs(single-s) > 0.02*s {
				wrong++
			}
		}
	}
	return wrong*20 > len(lists)
}

// bruteForce searches exactly. It is used if there are few different samples. The result is that of
// an exact search among all samples, up to the rounding of the distances.
func (ix *index) bruteForce(ctx context.Context, k int) (*Neighbors, error) {
	kept := &measure{norm: ix.m.norm, x: mat.NewDense(len(ix.first), ix.m.x.RawMatrix().Cols, nil)}
	for a, i := range ix.first {
		ix.m.read(i, kept.x.RawRowView(a))
	}
	others := min(k, len(ix.first)-1)
	lists := &Neighbors{}
	if others > 0 {
		var err error
		if lists, err = exact(ctx, kept, others, Brute); err != nil {
			return nil, err
		}
	}
	nb := ix.spread(k, func(_ int, a int32, list []candidate) []candidate {
		if others == 0 {
			return list
		}
		index, _ := lists.Of(int(a))
		return ix.measured(ix.first[a], index, list)
	})
	nb.Method, nb.Recall = Brute, 1
	return nb, ctx.Err()
}

// exactly appends to `list` the sets of equal samples that may be among the k nearest to sample i,
// with their exact squared distances. p is the place of sample i. The sets are the first k in the
// neighbour list of p, and those after them whose distance equals the k-th distance up to rounding.
func (ix *index) exactly(p, i int32, k int, list []candidate) []candidate {
	links := ix.lists.listOf(p)
	links = links[:slices.IndexFunc(append(links[:len(links):len(links)], noLink), func(l link) bool { return l == noLink })]
	if sets, ok := ix.rows.(distance.Sets); ok {
		for _, l := range links[:min(k, len(links))] {
			list = append(list, candidate{sets.Value(p, l.index()), ix.order[l.index()]})
		}
		return list
	}
	near := make([]int32, 0, len(links))
	for a, l := range links {
		if a >= k && l.square() > links[k-1].square()*(1+1e-5) {
			break
		}
		near = append(near, ix.order[l.index()])
	}
	return ix.measured(i, near, list)
}

// measured appends the given sets to list, with their exact squared distances from sample i.
func (ix *index) measured(i int32, sets []int32, list []candidate) []candidate {
	index, squares := make([]int32, len(sets)), make([]float64, len(sets))
	for a, set := range sets {
		index[a] = ix.first[set]
	}
	ix.m.squares(i, ix.m, index, squares)
	for a, set := range sets {
		list = append(list, candidate{squares[a], set})
	}
	return list
}

// spread converts the neighbours of sets of equal samples to neighbours of samples. The call
// lists(p, a, list) appends to `list` the other sets nearest to set a, whose place is p, with their
// squared distances.
func (ix *index) spread(k int, lists func(p int, a int32, list []candidate) []candidate) *Neighbors {
	n, _ := ix.m.x.Dims()
	out := &Neighbors{K: k, Index: make([]int32, n*k), Dist: make([]float64, n*k)}
	par.Blocks(len(ix.first), 64, func(lo, hi int) {
		var sets, list []candidate
		for p := lo; p < hi; p++ {
			a := int32(p)
			if ix.order != nil {
				a = ix.order[p] // samples at successive places share a leaf and the cache
			}
			sets = lists(p, a, append(sets[:0], candidate{0, a}))
			sortCandidates(sets)
			list = ix.members(sets, k+1, list[:0]) // k besides the sample itself
			own := ix.first[a : a+1]
			if ix.twins != nil {
				own = ix.twins.members(a)
			}
			for _, i := range own {
				index, dist := out.Of(int(i))
				p := 0
				for _, c := range list {
					if p == k {
						break
					}
					if c.index != i {
						index[p], dist[p] = c.index, ix.m.distance(c.low)
						p++
					}
				}
			}
		}
	})
	return out
}

// members appends the members of the sets, which must be sorted by distance, until `list` holds at
// least k samples or all sets are used. Of several sets at the same distance, it appends all or
// none. Members at the same distance are ordered by index.
func (ix *index) members(sets []candidate, k int, list []candidate) []candidate {
	for a, c := range sets {
		if len(list) >= k && c.low > sets[a-1].low {
			break
		}
		if ix.twins == nil {
			list = append(list, candidate{c.low, ix.first[c.index]})
			continue
		}
		for _, i := range ix.twins.members(c.index)[:min(k, len(ix.twins.members(c.index)))] {
			list = append(list, candidate{c.low, i})
		}
	}
	sortCandidates(list)
	return list
}
