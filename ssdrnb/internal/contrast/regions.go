package contrast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// share of the regions that what is usual bounds.
const share = 0.9

// Regions returns for each centre the size samples nearest to it in y, itself included, by
// squared distance, then row. The rows of a region are in no order.
func Regions(y *mat.Dense, size int, centres []int) [][]int {
	out := make([][]int, len(centres))
	par.Blocks(len(centres), 1, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			out[b] = nearest(y, size, centres[b], nil)
		}
	})
	return out
}

// Apart returns for each region one of size samples around the centre of the next, without
// those of the region itself.
func Apart(y *mat.Dense, size int, centres []int, regions [][]int) [][]int {
	n, _ := y.Dims()
	out := make([][]int, len(regions))
	for b, region := range regions {
		taken := make([]bool, n)
		for _, i := range region {
			taken[i] = true
		}
		out[b] = nearest(y, size, centres[(b+1)%len(centres)], taken)
	}
	return out
}

func nearest(y *mat.Dense, size, centre int, taken []bool) []int {
	n, _ := y.Dims()
	at := y.RawRowView(centre)
	distance := make([]float64, n)
	rows := make([]int, 0, n)
	for i := range n {
		if taken != nil && taken[i] {
			continue
		}
		for k, v := range y.RawRowView(i) {
			distance[i] += (v - at[k]) * (v - at[k])
		}
		rows = append(rows, i)
	}
	size = min(size, len(rows))
	selectFirst(rows, size, func(a, b int) bool {
		return distance[a] < distance[b] || distance[a] == distance[b] && a < b
	})
	return rows[:size:size]
}

// selectFirst moves the first k rows of a total order to the front.
func selectFirst(rows []int, k int, less func(a, b int) bool) {
	for lo, hi := 0, len(rows)-1; lo < hi; {
		// The middle of three as pivot keeps ordered rows from taking quadratic time.
		mid := lo + (hi-lo)/2
		if less(rows[mid], rows[lo]) {
			rows[mid], rows[lo] = rows[lo], rows[mid]
		}
		if less(rows[hi], rows[lo]) {
			rows[hi], rows[lo] = rows[lo], rows[hi]
		}
		if less(rows[hi], rows[mid]) {
			rows[hi], rows[mid] = rows[mid], rows[hi]
		}
		pivot := rows[mid]
		i, j := lo, hi
		for i <= j {
			for less(rows[i], pivot) {
				i++
			}
			for less(pivot, rows[j]) {
				j--
			}
			if i <= j {
				rows[i], rows[j] = rows[j], rows[i]
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

// Usual returns the |δ| that nine of ten regions stay below, from that of each, which it
// sorts; NaN counts as 0.
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

// Unusual is whether |δ| is above what is usual.
func Unusual(delta, usual float64) bool { return math.Abs(delta) > usual+1e-12 }
