package graph

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Components returns the number of connected components of a symmetric graph and the component of
// each sample. Components are numbered in the order of their first sample. Every stored entry is an
// edge, whatever its value. If several graphs of the same samples are given, their edges are
// combined. A nil graph has no samples and no edges.
func Components(w ...*sparse.CSR) (count int, of []int) {
	return componentsBy(w, func(float64) bool { return true })
}

// ComponentsAbove is [Components], except that only the entries above the threshold are edges. The
// threshold must not be NaN.
func ComponentsAbove(w *sparse.CSR, threshold float64) (count int, of []int) {
	return componentsBy([]*sparse.CSR{w}, func(v float64) bool { return v > threshold })
}

// componentsBy is [Components], except that only the entries for which the callback `edge` returns
// true are edges.
func componentsBy(w []*sparse.CSR, edge func(v float64) bool) (count int, of []int) {
	w = slices.DeleteFunc(slices.Clone(w), func(m *sparse.CSR) bool { return m == nil })
	if len(w) == 0 {
		return 0, nil
	}
	of = make([]int, w[0].Rows)
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
			for _, m := range w {
				cols, vals := m.Row(v)
				for k, j := range cols {
					if of[j] < 0 && edge(vals[k]) {
						of[j] = count
						stack = append(stack, int(j))
					}
				}
			}
		}
		count++
	}
	return count, of
}
