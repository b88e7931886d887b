package decompose

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

// maxLanes is the largest number of lanes, the groups of rows whose products are computed in
// parallel.
const maxLanes = 8

// laneCount returns the number of lanes for order j. It depends only on j, because the lanes
// determine the order of summation.
func laneCount(j int) int { return min(maxLanes, max(1, j/128)) }

// laneStart returns the first row of a lane. Lanes cover equal areas of the lower triangle and
// whole groups of four rows.
func laneStart(lane, lanes, j int) int {
	if lane == lanes {
		return j
	}
	return int(float64(j)*math.Sqrt(float64(lane)/float64(lanes))) &^ 3
}

// symv sets r.lanes[lane] to the contribution of the lane's rows to A·v, where A is the leading
// block of order j. Each row of the lower triangle is read once and used twice, as a row and as a
// column of A.
func (r *reduction) symv(lane, lanes, j int, v []float64) {
	n, y := r.n, r.lanes[lane]
	start, end := laneStart(lane, lanes, j), laneStart(lane+1, lanes, j)
	clear(y[:end])
	i := start
	for ; i+4 <= end; i += 4 {
		rows := r.a[i*n:]
		s := (*[4]float64)(v[i:])
		var t [4]float64
		if i > 0 {
			kernel.SymV(rows, n, v[:i], y[:i], s, &t)
		}
		// The 4×4 block on the diagonal.
		for p := range 4 {
			row := rows[p*n+i:]
			for c := range p {
				t[p] += row[c] * s[c]
				t[c] += row[c] * s[p]
			}
			t[p] += row[p] * s[p]
		}
		for p := range 4 {
			y[i+p] = t[p]
		}
	}
	for ; i < end; i++ {
		row := r.a[i*n : i*n+i+1]
		y[i] = kernel.Dot(v[:i+1], row)
		kernel.Axpy(v[i], row[:i], y[:i])
	}
}

// sum sets entries lo … hi-1 of w to the sum of all lanes.
func (r *reduction) sum(lanes, j int, w []float64, lo, hi int) {
	clear(w[lo:hi])
	for lane := range lanes {
		// A lane has no entries after its last row.
		if end := min(hi, laneStart(lane+1, lanes, j)); end > lo {
			for i, v := range r.lanes[lane][lo:end] {
				w[lo+i] += v
			}
		}
	}
}
