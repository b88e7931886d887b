package graph

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// link is an entry of a neighbour list. From the highest bit down, it holds the squared distance
// (or the value of another norm), the index of the neighbour, and a bit that is 1 in new entries,
// which no round has followed yet. Distances are not negative, so links compare as numbers in the
// order (distance, index).
type link uint64

func newLink(square float32, index int32) link {
	return link(math.Float32bits(square))<<32 | link(index)<<1 | 1
}

// noLink marks an empty entry of a list. It follows all other links, and its distance is NaN.
const noLink = link(math.MaxUint64)

func (l link) index() int32    { return int32(uint32(l) >> 1) }
func (l link) square() float32 { return math.Float32frombits(uint32(l >> 32)) }
func (l link) fresh() bool     { return l&1 != 0 }

// insert inserts l into a sorted list, drops the last entry and returns true. It does nothing and
// returns false if l does not precede the last entry or is already in the list.
func insert(list []link, l link) bool {
	p := len(list) - 1
	if l >= list[p] {
		return false
	}
	for ; p > 0 && list[p-1] > l; p-- {
	}
	if p > 0 && list[p-1]|1 == l|1 || list[p]|1 == l|1 {
		return false
	}
	copy(list[p+1:], list[p:len(list)-1])
	list[p] = l
	return true
}

// descent holds neighbour lists that are improved by neighbour descent: in each round, a sample is
// compared with the neighbours of its neighbours.
type descent struct {
	x       compared
	low     bound
	width   int     // entries per list
	current []link  // the lists, width entries each, nearest first
	next    []link  // the lists that the current round writes
	adj     []int32 // result of adjacency, kept to reuse its memory
}

// bound holds projections of the samples. Squared distances between projections are lower bounds of
// those between the samples. There are no projections if features is 0.
type bound struct {
	distance.Rows
	features int // number of features before the projection
}

func newDescent(x compared, width int) *descent {
	n := x.Len()
	d := &descent{x: x, width: width, current: make([]link, n*width), next: make([]link, n*width)}
	for a := range d.current {
		d.current[a] = noLink
	}
	return d
}

func (d *descent) listOf(i int32) []link { return d.current[int(i)*d.width : (int(i)+1)*d.width] }

// join compares the samples of every leaf with each other and updates their lists.
func (d *descent) join(ctx context.Context, l leaves) error {
	par.Blocks(len(l.start)-1, 16, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		var squares []float32
		for a := lo; a < hi; a++ {
			leaf := l.order[l.start[a]:l.start[a+1]]
			squares = append(squares[:0], make([]float32, len(leaf))...)
			for s, i := range leaf {
				rest := leaf[s+1:]
				d.x.Compare(i, rest, squares)
				mine := d.listOf(i)
				for t, j := range rest {
					if key := newLink(squares[t], j); key < mine[d.width-1] {
						insert(mine, key)
					}
					if key := newLink(squares[t], i); key < d.listOf(j)[d.width-1] {
						insert(d.listOf(j), key)
					}
				}
			}
		}
	})
	return ctx.Err()
}

// scratch is the workspace of one worker in a round.
type scratch struct {
	seen, cand []int32
	squares    []float32
}

// round compares every sample with the neighbours of its neighbours. For each sample it follows
// links to the nearest `reach` neighbours and up to `back` reverse links. It returns the number of
// new entries in the lists.
func (d *descent) round(ctx context.Context, reach, back int) (int, error) {
	n := d.x.Len()
	adj, start, mid := d.adjacency(reach, back)
	pool := sync.Pool{New: func() any { return &scratch{seen: make([]int32, n)} }}
	var changed atomic.Int64
	par.Blocks(n, 2048, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		w := pool.Get().(*scratch)
		defer pool.Put(w)
		seen, cand, squares := w.seen, w.cand, w.squares
		count := 0
		for u := lo; u < hi; u++ {
			list := d.next[u*d.width : (u+1)*d.width]
			copy(list, d.listOf(int32(u)))
			stamp := int32(u + 1)
			seen[u] = stamp
			for a, l := range list {
				if l == noLink {
					break
				}
				seen[l.index()] = stamp
				list[a] = l &^ 1
			}
			cand = cand[:0]
			for a := start[u]; a < start[u+1]; a++ {
				v := adj[a]
				end := start[v+1]
				if a >= mid[u] {
					end = mid[v]
				}
				for _, m := range adj[start[v]:end] {
					if seen[m] != stamp {
						seen[m] = stamp
						cand = append(cand, m)
					}
				}
			}
			if len(cand) == 0 {
				continue
			}
			squares = append(squares[:0], make([]float32, len(cand))...)
			if d.low.features > 0 {
				d.low.Compare(int32(u), cand, squares)
				limit := roundedUp(list[d.width-1].square(), d.low.features)
				kept := 0
				for a, s := range squares {
					if s <= limit {
						cand[kept] = cand[a]
						kept++
					}
				}
				cand = cand[:kept]
			}
			d.x.Compare(int32(u), cand, squares)
			for a, w := range cand {
				if key := newLink(squares[a], w); key < list[d.width-1] && insert(list, key) {
					count++
				}
			}
		}
		w.cand, w.squares = cand, squares
		changed.Add(int64(count))
	})
	d.current, d.next = d.next, d.current
	return int(changed.Load()), ctx.Err()
}

// roundedUp returns an upper bound on the computed squared distance between the projections of two
// samples whose squared distance is s. It allows for rounding errors; features is the number of
// features of a sample. If s is NaN, as in an empty link, the bound is +Inf.
func roundedUp(s float32, features int) float32 {
	if s != s {
		return float32(math.Inf(1))
	}
	return s*1.001 + 1e-9*float32(features)
}

// raise returns lists of the given width, filled from the lists of d and sorted by the distances
// between the full samples x instead of between their projections. A link is marked old if the
// rounds have already followed it, that is, if it was among the first `reach` links and already
// old. All other links are marked new.
func (d *descent) raise(x compared, low bound, reach, width int) *descent {
	up := newDescent(x, width)
	up.low = low
	par.Blocks(x.Len(), 256, func(lo, hi int) {
		index, squares := make([]int32, d.width), make([]float32, d.width)
		for u := lo; u < hi; u++ {
			mine := up.listOf(int32(u))
			list := d.listOf(int32(u))
			index = index[:0]
			for _, l := range list {
				if l != noLink {
					index = append(index, l.index())
				}
			}
			x.Compare(int32(u), index, squares)
			for a, i := range index {
				key := newLink(squares[a], i)
				if a < reach && !list[a].fresh() {
					key &^= 1
				}
				if key < mine[width-1] {
					insert(mine, key)
				}
			}
		}
	})
	return up
}

// widened returns the lists of d extended to the given width, with all links marked new.
func (d *descent) widened(width int) *descent {
	wide := newDescent(d.x, width)
	wide.low = d.low
	for u := range d.x.Len() {
		list := wide.listOf(int32(u))
		for a, l := range d.listOf(int32(u)) {
			list[a] = l | 1
		}
	}
	return wide
}

// complete searches exactly for the neighbours of samples that have fewer than k links.
func (d *descent) complete(ctx context.Context, k int) error {
	var short []int32
	for u := range d.x.Len() {
		if d.listOf(int32(u))[k-1] == noLink {
			short = append(short, int32(u))
		}
	}
	par.Blocks(len(short), 1, func(a, _ int) {
		if u := short[a]; ctx.Err() == nil {
			scan(d.x, u, d.listOf(u)[:k])
		}
	})
	return ctx.Err()
}

// scan fills list with links from sample u to its nearest other samples.
func scan(x compared, u int32, list []link) {
	for a := range list {
		list[a] = noLink
	}
	var index [512]int32
	var squares [512]float32
	n := x.Len()
	for lo := 0; lo < n; lo += len(index) {
		part := index[:min(len(index), n-lo)]
		for a := range part {
			part[a] = int32(lo + a)
		}
		x.Compare(u, part, squares[:])
		for a, i := range part {
			if key := newLink(squares[a], i); key < list[len(list)-1] && i != u {
				insert(list, key)
			}
		}
	}
}

// share returns the recall of the chosen samples: the share of the k listed neighbours that are no
// farther than the exact k-th neighbour. bars holds the squared distance of this neighbour for each
// chosen sample.
func (d *descent) share(chosen []int, bars []float32, k int) float64 {
	found := 0
	for a, p := range chosen {
		for _, l := range d.listOf(int32(p))[:k] {
			if l != noLink && l.square() <= bars[a] {
				found++
			}
		}
	}
	return float64(found) / float64(len(chosen)*k)
}

// adjacency returns for each sample u its nearest `reach` neighbours and up to `back` samples that
// list u as a neighbour. Samples joined to u by new links are in adj[start[u]:mid[u]], and samples
// joined to u by old links in adj[mid[u]:start[u+1]].
func (d *descent) adjacency(reach, back int) (adj, start, mid []int32) {
	n := d.x.Len()
	reach = min(reach, d.width)
	fresh, size := make([]int32, n), make([]int32, n)
	rfresh, rsize := make([]int32, n), make([]int32, n)
	for u := range n {
		for _, l := range d.listOf(int32(u))[:reach] {
			if l == noLink {
				break
			}
			v := l.index()
			size[u]++
			fresh[u] += int32(l & 1)
			rsize[v]++
			rfresh[v] += int32(l & 1)
		}
	}
	start, mid = make([]int32, n+1), make([]int32, n)
	next := make([]int32, 2*n) // positions of the next new and old links
	for u := range n {
		// If there are too many reverse links, new links take precedence.
		m := min(rsize[u], int32(back))
		mf := min(rfresh[u], m)
		mid[u] = start[u] + fresh[u] + mf
		start[u+1] = start[u] + size[u] + m
		next[2*u], next[2*u+1] = start[u], mid[u]
	}
	d.adj = slices.Grow(d.adj[:0], int(start[n]))[:start[n]]
	adj = d.adj
	for u := range n {
		for _, l := range d.listOf(int32(u))[:size[u]] {
			p := &next[2*u+1-int(l&1)]
			adj[*p] = l.index()
			*p++
		}
	}
	for u := range n {
		for _, l := range d.listOf(int32(u))[:size[u]] {
			v := l.index()
			p, end := &next[2*v+1-int32(l&1)], start[v+1]
			if l&1 == 1 {
				end = mid[v]
			}
			if *p < end {
				adj[*p] = int32(u)
				*p++
			}
		}
	}
	return adj, start, mid
}
