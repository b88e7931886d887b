package contrast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// share is the share of regions whose |δ| does not exceed [Usual].
const share = 0.9

// Regions are neighbourhoods in an embedding: several sizes around each of several centres.
type Regions struct {
	sizes []int     // ascending
	rows  [][]int32 // samples by distance from each centre; the region of size s has the first s of them
}

// NewRegions returns, for each centre and size, the samples nearest to the centre in y. The centre
// itself is a candidate, at distance 0. Among samples at the same distance, those with lower
// indices come first.
func NewRegions(y *mat.Dense, sizes, centres []int) *Regions {
	r := &Regions{slices.Compact(slices.Sorted(slices.Values(sizes))), make([][]int32, len(centres))}
	par.Blocks(len(centres), 1, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			r.rows[b] = nearest(y, r.sizes, centres[b], nil)
		}
	})
	return r
}

// Apart returns a second region for each region of r. It consists of the `size` samples outside the
// first region that are nearest in y to the next centre. For the regions around the last centre,
// the next centre is the first. All regions of r must have the same size.
func (r *Regions) Apart(y *mat.Dense, size int, centres []int) *Regions {
	n, _ := y.Dims()
	out := &Regions{[]int{size}, make([][]int32, len(r.rows))}
	par.Blocks(len(r.rows), 1, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			taken := make([]bool, n)
			for _, i := range r.rows[b] {
				taken[i] = true
			}
			out.rows[b] = nearest(y, out.sizes, centres[(b+1)%len(centres)], taken)
		}
	})
	return out
}

// far is a sample with its squared distance from a centre.
type far struct {
	distance float64
	row      int32
}

func (a far) before(b far) bool {
	return a.distance < b.distance || a.distance == b.distance && a.row < b.row
}

// nearest returns the rows nearest to a centre. For each k, the first sizes[k] of them are the
// sizes[k] nearest, in any order. sizes must ascend. `taken` marks the rows to leave out; nil marks
// none.
func nearest(y *mat.Dense, sizes []int, centre int, taken []bool) []int32 {
	n, _ := y.Dims()
	at := y.RawRowView(centre)
	all := make([]far, 0, n)
	for i := range n {
		if taken != nil && taken[i] {
			continue
		}
		d := 0.0
		for k, v := range y.RawRowView(i) {
			d += float64((v - at[k]) * (v - at[k])) // prevents fused operations, which round differently
		}
		all = append(all, far{d, int32(i)})
	}
	part := all
	for _, size := range slices.Backward(sizes) {
		selectFirst(part, size)
		part = part[:min(size, len(part))]
	}
	rows := make([]int32, min(sizes[len(sizes)-1], len(all)))
	for k := range rows {
		rows[k] = all[k].row
	}
	return rows
}

// selectFirst moves the k smallest entries of the slice to the front.
func selectFirst(all []far, k int) {
	for lo, hi := 0, len(all)-1; lo < hi; {
		// The pivot is the median of the first, middle and last entry, so that sorted entries do
		// not take quadratic time.
		mid := lo + (hi-lo)/2
		if all[mid].before(all[lo]) {
			all[mid], all[lo] = all[lo], all[mid]
		}
		if all[hi].before(all[lo]) {
			all[hi], all[lo] = all[lo], all[hi]
		}
		if all[hi].before(all[mid]) {
			all[hi], all[mid] = all[mid], all[hi]
		}
		pivot := all[mid]
		i, j := lo, hi
		for i <= j {
			for all[i].before(pivot) {
				i++
			}
			for pivot.before(all[j]) {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k > i:
			lo = i
		default:
			return
		}
	}
}

// Size returns the index of a size among the sizes of the regions, or −1.
func (r *Regions) Size(size int) int { return slices.Index(r.sizes, size) }

func (r *Regions) table() [][]float64 {
	out := make([][]float64, len(r.sizes))
	for k := range out {
		out[k] = make([]float64, len(r.rows))
	}
	return out
}

// Regions returns δ of each region against all other rows, indexed by size, then centre.
func (c *Column) Regions(r *Regions) [][]float64 {
	deltas := r.table()
	for b, rows := range r.rows {
		sum, in, at := uint64(0), 0, 0
		for k, size := range r.sizes {
			for _, i := range rows[at:size] {
				t := c.twice[i]
				sum += uint64(t)
				if t > 0 {
					in++
				}
			}
			at = size
			deltas[k][b], _ = deltaOf(sum, in, len(c.sorted)-in)
		}
	}
	return deltas
}

// Gaps returns the share of missing values in each region minus the share outside it, indexed as in
// [Column.Regions].
func (c *Column) Gaps(r *Regions) [][]float64 {
	return gaps(r, len(c.twice), len(c.twice)-len(c.sorted), func(row int32) bool { return c.twice[row] == 0 })
}

// Gaps returns the share of missing values in each region minus the share outside it, indexed as in
// [Column.Regions].
func (c *Texts) Gaps(r *Regions) [][]float64 {
	return gaps(r, len(c.Of), len(c.Of)-c.present, func(row int32) bool { return c.Of[row] < 0 })
}

// gaps returns the result of [Column.Gaps]. n is the number of rows, `all` is the number of rows
// with a missing value, and the function `is` reports whether the value of a row is missing.
func gaps(r *Regions, n, all int, is func(row int32) bool) [][]float64 {
	deltas := r.table()
	if all == 0 {
		return deltas
	}
	for b, rows := range r.rows {
		in, at := 0, 0
		for k, size := range r.sizes {
			for _, i := range rows[at:size] {
				if is(i) {
					in++
				}
			}
			at = size
			deltas[k][b] = missing(size-in, size) - missing(n-size-(all-in), n-size)
		}
	}
	return deltas
}

// Regions returns δ of each value of the column, indexed by value, then size, then centre.
func (c *Texts) Regions(r *Regions) [][][]float64 {
	deltas := make([][][]float64, len(c.Values))
	all := make([]int, len(c.Values)+1)
	for v := range deltas {
		deltas[v] = r.table()
	}
	for _, v := range c.Of {
		if v >= 0 {
			all[v]++
		}
	}
	own := make([]int, len(all))
	for b, rows := range r.rows {
		clear(own)
		in, at := 0, 0
		for k, size := range r.sizes {
			for _, i := range rows[at:size] {
				if v := c.Of[i]; v >= 0 {
					own[v]++
					in++
				}
			}
			at = size
			for v := range deltas {
				if deltas[v][k][b] = math.NaN(); in > 0 && in < c.present {
					deltas[v][k][b] = float64(own[v])/float64(in) - float64(all[v]-own[v])/float64(c.present-in)
				}
			}
		}
	}
	return deltas
}

// Between returns δ of each region of r against the region of `others` with the same centre. r and
// `others` must each have a single size.
func (c *Column) Between(r, others *Regions) []float64 {
	sides := make([]uint8, len(c.twice))
	out := make([]float64, len(r.rows))
	for b, rows := range r.rows {
		out[b] = c.delta(rows, others.rows[b], sides)
	}
	return out
}

// Usual returns the 90 % quantile of |δ| over regions. It overwrites deltas; NaN counts as 0.
func Usual(deltas []float64) float64 {
	for b, v := range deltas {
		if math.IsNaN(v) {
			deltas[b] = 0
		}
		deltas[b] = math.Abs(deltas[b])
	}
	slices.Sort(deltas)
	return deltas[int(math.Ceil(share*float64(len(deltas))))-1]
}

// Unusual reports whether |δ| exceeds usual, a result of [Usual].
func Unusual(delta, usual float64) bool { return math.Abs(delta) > usual+1e-12 }
