package align

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// ClosedGroups returns the closed groups of a directed graph: the strongly connected components
// without an edge to another component. Groups are numbered in the order of their first sample.
// `of` holds the group of each sample, or −1 for a sample in no group; from such a sample, some
// path leads to a group. Every stored entry is an edge. A sample without edges is a group of its
// own.
//
// If the entries of each row sum to 1, as the weights of LLE do, the eigenvalue 1 of w has one
// eigenvector per closed group.
func ClosedGroups(w *sparse.CSR) (count int, of []int) {
	// Tarjan's algorithm (1972) without recursion.
	const unseen = -2
	n := w.Rows
	order, low, at := slices.Repeat([]int{unseen}, n), make([]int, n), slices.Clone(w.RowPtr[:n])
	part := slices.Repeat([]int{-1}, n) // strongly connected component
	var open, path []int
	seen, parts := 0, 0
	for root := range n {
		if order[root] != unseen {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if order[v] == unseen {
				order[v], low[v] = seen, seen
				seen++
				open = append(open, v)
			}
			if at[v] < w.RowPtr[v+1] {
				next := int(w.ColInd[at[v]])
				at[v]++
				if order[next] == unseen {
					path = append(path, next)
				} else if part[next] < 0 {
					low[v] = min(low[v], order[next])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[v])
			}
			if low[v] < order[v] {
				continue
			}
			for last := -1; last != v; {
				last = open[len(open)-1]
				open, part[last] = open[:len(open)-1], parts
			}
			parts++
		}
	}
	leads := make([]bool, parts)
	for i := range n {
		cols, _ := w.Row(i)
		for _, j := range cols {
			leads[part[i]] = leads[part[i]] || part[j] != part[i]
		}
	}
	of, number := make([]int, n), slices.Repeat([]int{-1}, parts)
	for i, p := range part {
		if !leads[p] && number[p] < 0 {
			number[p] = count
			count++
		}
		of[i] = number[p]
	}
	return count, of
}
