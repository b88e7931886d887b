package graph

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Components numbers the connected components of a symmetric graph in the order
// of their first sample, and returns their number and the component of each
// sample. Every stored entry is an edge, whatever its value.
func Components(w *sparse.CSR) (count int, of []int) {
	return ComponentsAbove(w, -1)
}

// ComponentsAbove is [Components] with the entries whose value exceeds threshold,
// which must not be NaN, as the edges.
func ComponentsAbove(w *sparse.CSR, threshold float64) (count int, of []int) {
	of = make([]int, w.Rows)
	for i := range of {
		of[i] = -1
	}
	var stack []int
	for i := range of {
		if of[i] >= 0 {
			continue
		}
		of[i] = count
		stack = append(stack[:0], i)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			cols, vals := w.Row(v)
			for k, j := range cols {
				if of[j] < 0 && vals[k] > threshold {
					of[j] = count
					stack = append(stack, int(j))
				}
			}
		}
		count++
	}
	return count, of
}

// CheckConnected returns an error that wraps [ErrDisconnected] and tells the number
// and the sizes of the components unless the graph is connected.
func CheckConnected(w *sparse.CSR) error {
	count, of := Components(w)
	if count <= 1 {
		return nil
	}
	size := make([]int, count)
	largest := 0
	for _, c := range of {
		size[c]++
		largest = max(largest, size[c])
	}
	return fmt.Errorf("%w: %d components, the largest has %d of %d samples; take more neighbours, keep the largest component, or connect them", ErrDisconnected, count, largest, len(of))
}
