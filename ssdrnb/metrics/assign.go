package metrics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Assign solves the assignment problem: it pairs rows with columns one to one so that the total
// cost of the pairs is minimal. For r rows and c columns, all rows are paired if r ≤ c, and all
// columns otherwise. columns[i] is the column of row i, or -1 if row i is left over. Costs may be
// negative; to maximise, negate them.
//
// It uses the method of Kuhn (1955) and Munkres (1957) with shortest augmenting paths, in O(r²c)
// operations for r ≤ c. If several assignments are optimal, the choice among them is deterministic.
func Assign(cost *mat.Dense) (columns []int, total float64, err error) {
	if err := given(cost); err != nil {
		return nil, 0, err
	}
	r, c := cost.Dims()
	for i := range r {
		for j, v := range cost.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, 0, fmt.Errorf("%w: cost[%d][%d] = %v, but costs must be finite", ErrNotFinite, i, j, v)
			}
		}
	}
	columns = make([]int, r)
	if r <= c {
		for j, i := range augment(cost, r, c) {
			if i >= 0 {
				columns[i] = j
			}
		}
	} else {
		copy(columns, augment(cost.T(), c, r))
	}
	for i, j := range columns {
		if j >= 0 {
			total += cost.At(i, j)
		}
	}
	return columns, total, nil
}

// augment pairs all r ≤ c rows and returns the row of every column, or -1 for an unpaired column.
// Rows are added one by one. For each row, Dijkstra's algorithm finds the shortest path to a free
// column in the reduced costs cost − u − v, and the pairs along this path are exchanged. The
// potentials u (of rows) and v (of columns) keep all reduced costs ≥ 0.
func augment(cost mat.Matrix, r, c int) []int {
	u, v := make([]float64, r), make([]float64, c)
	row := make([]int, c)
	for j := range row {
		row[j] = -1
	}
	least, from, done := make([]float64, c), make([]int, c), make([]bool, c)
	for start := range r {
		for j := range c {
			least[j], from[j], done[j] = math.Inf(1), -1, false
		}
		at, last := start, -1 // the row to leave next, and the last column of the path
		for {
			delta, next := math.Inf(1), -1
			for j := range c {
				if done[j] {
					continue
				}
				if d := cost.At(at, j) - u[at] - v[j]; d < least[j] {
					least[j], from[j] = d, last
				}
				if least[j] < delta {
					delta, next = least[j], j
				}
			}
			u[start] += delta
			for j := range c {
				if done[j] {
					u[row[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			done[next], last = true, next
			if row[next] < 0 {
				break
			}
			at = row[next]
		}
		for j := last; ; {
			back := from[j]
			if back < 0 {
				row[j] = start
				break
			}
			row[j] = row[back]
			j = back
		}
	}
	return row
}
