package graph

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// candidate is a sample that may be a neighbour.
type candidate struct {
	low   float64 // lower bound of the squared distance in a [race]; elsewhere the value to rank by
	index int32
}

// race selects the k nearest neighbours of one query from bounds on the squared distances. A sample
// drops out when its lower bound exceeds the k-th smallest upper bound, because then k others are
// certainly nearer. Rounding errors therefore exclude no true neighbour. finish ranks the remaining
// samples by exact distance.
type race struct {
	x      *mat.Dense
	q      []float64 // the query
	k      int
	limit  float64   // k-th smallest upper bound
	upper  []float64 // the k smallest upper bounds, a max-heap
	found  []candidate
	group  int   // group of the query
	groups []int // groups of the samples; nil if no sample is excluded
}

// newRaces returns n races for the k nearest rows of x, one race for each of the rows lo to lo+n−1
// of q. The buffers of the races are parts of two arrays.
func newRaces(x, q *mat.Dense, lo, n, k int) []race {
	size := 2*k + 24
	uppers, found := make([]float64, n*k), make([]candidate, n*size)
	races := make([]race, n)
	for i := range races {
		races[i] = race{x: x, q: q.RawRowView(lo + i), k: k, limit: math.Inf(1),
			upper: uppers[i*k : i*k : (i+1)*k], found: found[i*size : i*size : (i+1)*size]}
	}
	return races
}

// row adds the samples with the indices at, at+1, …, but leaves out the sample with the index
// `skip`. prods holds −2q·x for the query q and each of these samples x; qlow and qhigh are the
// bounds of |q|², see [points]. Most samples are too far away: one addition and one comparison
// reject them.
func (r *race) row(prods []float64, qlow, qhigh float64, p *points, at, skip int) {
	low := p.low[at:][:len(prods)]
	limit := r.limit - qlow
	for c, v := range prods {
		if v+low[c] > limit || at+c == skip {
			continue
		}
		r.add(int32(at+c), v+low[c]+qlow, v+p.high[at+c]+qhigh)
		limit = r.limit - qlow
	}
}

// columns adds the samples lo, …, lo+rows-1 to the races of the queries with the indices at+from,
// …, at+to-1. races[c] is the race of query at+c. Row i of buffer holds −2 times the inner products
// of sample lo+i and the queries at, at+1, ….
func columns(races []race, p *points, buffer []float64, lo, rows, at, from, to int) {
	limit := make([]float64, to-from)
	low, high := p.low[at+from:at+to], p.high[at+from:at+to]
	for c := range limit {
		limit[c] = races[from+c].limit - low[c]
	}
	for i := range rows {
		qlow := p.low[lo+i]
		prods := buffer[i*sampleBlock+from:][:len(limit)]
		for c, v := range prods {
			if v+qlow > limit[c] {
				continue
			}
			r := &races[from+c]
			r.add(int32(lo+i), v+qlow+low[c], v+p.high[lo+i]+high[c])
			limit[c] = r.limit - low[c]
		}
	}
}

// add adds a sample with the bounds of its squared distance.
func (r *race) add(index int32, low, high float64) {
	if r.groups != nil && r.groups[index] == r.group {
		return
	}
	if len(r.found) == cap(r.found) {
		r.found = slices.DeleteFunc(r.found, func(c candidate) bool { return c.low > r.limit })
		if 2*len(r.found) > r.k+cap(r.found) {
			r.settle()
		}
	}
	r.found = append(r.found, candidate{low, index})
	if len(r.upper) < r.k {
		r.upper = append(r.upper, high)
		up(r.upper)
	} else if high < r.upper[0] {
		r.upper[0] = high
		down(r.upper)
	}
	if len(r.upper) == r.k {
		r.limit = r.upper[0]
	}
}

// settle keeps only the k samples that are nearest so far by (distance, index), in this order. Their
// bounds become their exact squared distances. This keeps the race small if the bounds of many
// samples overlap, for example because these samples are equal.
func (r *race) settle() {
	kept := r.found[:0]
	for _, c := range r.found {
		if c.low <= r.limit {
			kept = append(kept, candidate{samples.SquaredDistance(r.x.RawRowView(int(c.index)), r.q), c.index})
		}
	}
	sortCandidates(kept)
	r.found = kept[:r.k]
	for i, c := range r.found {
		r.upper[r.k-1-i] = c.low // the largest first, so that this is a heap
	}
	r.limit = r.upper[0]
}

// finish writes the k nearest samples, ordered by (distance, index), to index and dist.
func (r *race) finish(index []int32, dist []float64) {
	r.settle()
	for i, c := range r.found {
		index[i], dist[i] = c.index, math.Sqrt(c.low)
	}
}

// up restores the max-heap after an append.
func up(h []float64) {
	for i := len(h) - 1; i > 0; {
		p := (i - 1) / 2
		if h[p] >= h[i] {
			return
		}
		h[p], h[i] = h[i], h[p]
		i = p
	}
}

// down restores the max-heap after its root was replaced.
func down(h []float64) {
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1] > h[c] {
			c++
		}
		if h[i] >= h[c] {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
