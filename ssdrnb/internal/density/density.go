// Package density finds groups of samples that are denser than the space between them, and selects
// among them by stability, labels and pairs. It implements HDBSCAN* (Campello, Moulavi, Zimek,
// Sander, ACM TKDD 2015) on a neighbour graph, with the mixture of stability and constraints from
// FOSC (Campello, Moulavi, Zimek, Sander, Data Mining and Knowledge Discovery 2013). [Join] merges
// groups that are connected by labels and pairs.
//
// There are no random numbers, and all merges at the same weight happen at once. Results therefore
// depend neither on the order of edges of equal weight nor on the number of processors.
package density

import (
	"cmp"
	"context"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/disjoint"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Noise is the cluster number of samples in no cluster.
const Noise = -1

// Edge is an edge between samples I < J.
type Edge struct {
	Weight float64
	I, J   int32
}

// Compare is a total order of edges: by weight, then by indices.
func (e Edge) Compare(f Edge) int {
	return cmp.Or(cmp.Compare(e.Weight, f.Weight), cmp.Compare(e.I, f.I), cmp.Compare(e.J, f.J))
}

// Core returns the core distance of each sample: the distance to its m-th nearest other sample.
// `distance` holds the distances to k ≥ m neighbours per sample, nearest first.
func Core(distance []float64, k, m int) []float64 {
	core := make([]float64, len(distance)/k)
	for i := range core {
		core[i] = distance[i*k+m-1]
	}
	return core
}

// Floor returns the edge weight below which all densities count as equal. The density of an edge is
// the reciprocal of its weight. Floor is a tenth of the median of the positive core distances, or 1
// if there are none.
func Floor(core []float64) float64 {
	var some []float64
	for _, c := range core {
		if c > 0 {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return 1
	}
	slices.Sort(some)
	return 0.1 * (some[(len(some)-1)/2]/2 + some[len(some)/2]/2)
}

// Forest returns the minimum spanning forest of a neighbour graph whose edges are weighted by
// mutual reachability distances. `index` and `distance` hold k neighbours per sample. The edges of
// the forest are sorted by weight, then by indices.
func Forest(index []int32, distance, core []float64, k int) []Edge {
	n := len(core)
	// Take each edge once: from the end with the lower index i, or from the other end j if j is not
	// among the listed neighbours of i.
	edges, weights := make([]Edge, 0, len(index)), make([]float64, 0, len(index))
	for i := range n {
		for a := i * k; a < (i+1)*k; a++ {
			j := int(index[a])
			if j < i && slices.Contains(index[j*k:(j+1)*k], int32(i)) {
				continue
			}
			w := max(distance[a], core[i], core[j])
			edges, weights = append(edges, Edge{w, int32(min(i, j)), int32(max(i, j))}), append(weights, w)
		}
	}
	s, forest := disjoint.New(n), make([]Edge, 0, n)
	sorted := order.Floats(weights)
	var tied []Edge
	for lo := 0; lo < len(sorted) && len(forest) < n-1; {
		w := weights[sorted[lo]]
		tied = tied[:0]
		for ; lo < len(sorted) && weights[sorted[lo]] == w; lo++ {
			tied = append(tied, edges[sorted[lo]])
		}
		if len(tied) > 1 {
			slices.SortFunc(tied, Edge.Compare)
		}
		for _, e := range tied {
			if s.Union(e.I, e.J) {
				forest = append(forest, e)
			}
		}
	}
	return forest
}

// bridgeBlock is the number of samples that a worker takes at a time.
const bridgeBlock = 64

// Bridges returns the edges of smallest mutual reachability distance that join the components of a
// forest, in rounds of Borůvka's algorithm. In a round, every component except the largest (the
// first of them if several are largest) takes its lightest edge to another component. The function
// `between` returns the distance between two samples and must be safe for concurrent use. A round
// computes O(m·n) distances for m samples outside the largest component.
func Bridges(ctx context.Context, forest []Edge, core []float64, between func(i, j int) float64) ([]Edge, error) {
	n := len(core)
	s := disjoint.New(n)
	for _, e := range forest {
		s.Union(e.I, e.J)
	}
	var bridges []Edge
	for len(forest)+len(bridges) < n-1 {
		size, largest := make([]int, n), int32(0)
		for i := range n {
			size[s.Find(int32(i))]++
		}
		for r := range size {
			if size[r] > size[largest] {
				largest = int32(r)
			}
		}
		// For each block of samples, find the lightest outgoing edge of each component, except the
		// largest, that has samples in the block.
		roots := make([]int32, n)
		for i := range roots {
			roots[i] = s.Find(int32(i))
		}
		least := make([]map[int32]Edge, (n+bridgeBlock-1)/bridgeBlock)
		par.Blocks(n, bridgeBlock, func(lo, hi int) {
			best := map[int32]Edge{}
			for i := lo; i < hi && ctx.Err() == nil; i++ {
				r := roots[i]
				if r == largest {
					continue
				}
				b, ok := best[r]
				for j, other := range roots {
					if other == r {
						continue
					}
					e := Edge{max(between(i, j), core[i], core[j]), int32(min(i, j)), int32(max(i, j))}
					if !ok || e.Compare(b) < 0 {
						b, ok = e, true
					}
				}
				best[r] = b
			}
			least[lo/bridgeBlock] = best
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best := map[int32]Edge{}
		for _, part := range least {
			for r, e := range part {
				if b, ok := best[r]; !ok || e.Compare(b) < 0 {
					best[r] = e
				}
			}
		}
		var found []Edge
		for _, e := range best {
			found = append(found, e)
		}
		slices.SortFunc(found, Edge.Compare)
		for _, e := range found {
			if s.Union(e.I, e.J) {
				bridges = append(bridges, e)
			}
		}
	}
	return bridges, nil
}

// Tree is the condensed cluster tree of HDBSCAN*. Parent, Birth, Stability, Size and First have one
// entry per cluster. Cluster 0 is the root and contains all samples; parents precede their
// children. The parent of the root is −1. Birth is the density, the reciprocal edge weight, at
// which a cluster appears. Stability sums, over the samples of a cluster, the density at which the
// sample leaves it or enters one of its children, minus Birth.
type Tree struct {
	Parent           []int
	Birth, Stability []float64
	Size             []int
	// First is the first sample of each cluster.
	First []int
	// Of is the smallest cluster in the tree that contains each sample. Leaves is the density at
	// which the sample leaves that cluster.
	Of     []int
	Leaves []float64
}

// Condense returns the condensed tree of a spanning tree of n samples, given by its edges in any
// order. smallest is the minimum size of a cluster, and floor is a result of [Floor].
func Condense(edges []Edge, n, smallest int, floor float64) *Tree {
	edges = slices.SortedFunc(slices.Values(edges), Edge.Compare)
	// The nodes of the dendrogram are its leaves 0 … n−1, then one node for each set created by
	// merging all edges of one weight.
	type node struct {
		kids        []int32
		size, first int32
		weight      float64
	}
	nodes := make([]node, n, 2*n)
	top := make([]int32, n) // dendrogram node of each set in s, indexed by the root of the set
	for i := range n {
		nodes[i] = node{size: 1, first: int32(i)}
		top[i] = int32(i)
	}
	s := disjoint.New(n)
	for lo := 0; lo < len(edges); {
		hi := lo + 1
		for hi < len(edges) && edges[hi].Weight == edges[lo].Weight {
			hi++
		}
		var roots []int32
		for _, e := range edges[lo:hi] {
			roots = append(roots, s.Find(e.I), s.Find(e.J))
		}
		slices.Sort(roots)
		roots = slices.Compact(roots)
		for _, e := range edges[lo:hi] {
			s.Union(e.I, e.J)
		}
		made := map[int32]int32{}
		for _, r := range roots {
			to := s.Find(r)
			id, ok := made[to]
			if !ok {
				id = int32(len(nodes))
				made[to] = id
				nodes = append(nodes, node{first: int32(n), weight: edges[lo].Weight})
			}
			kid := top[r]
			nodes[id].kids = append(nodes[id].kids, kid)
			nodes[id].size += nodes[kid].size
			nodes[id].first = min(nodes[id].first, nodes[kid].first)
		}
		for to, id := range made {
			top[to] = id
		}
		lo = hi
	}
	t := &Tree{Parent: []int{-1}, Birth: []float64{0}, Size: []int{n}, First: []int{0}, Of: make([]int, n), Leaves: make([]float64, n)}
	type place struct {
		node    int32
		cluster int
	}
	stack := []place{{int32(len(nodes) - 1), 0}}
	var below []int32
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int(p.node) < n {
			continue
		}
		x := nodes[p.node]
		density := 1 / max(x.weight, floor)
		var large []int32
		for _, kid := range x.kids {
			if int(nodes[kid].size) >= smallest {
				large = append(large, kid)
				continue
			}
			for below = append(below[:0], kid); len(below) > 0; {
				v := below[len(below)-1]
				below = below[:len(below)-1]
				if int(v) < n {
					t.Of[v], t.Leaves[v] = p.cluster, density
				} else {
					below = append(below, nodes[v].kids...)
				}
			}
		}
		if len(large) == 1 {
			stack = append(stack, place{large[0], p.cluster})
			continue
		}
		slices.SortFunc(large, func(a, b int32) int { return cmp.Compare(nodes[a].first, nodes[b].first) })
		for _, kid := range large {
			stack = append(stack, place{kid, len(t.Parent)})
			t.Parent, t.Birth = append(t.Parent, p.cluster), append(t.Birth, density)
			t.Size, t.First = append(t.Size, int(nodes[kid].size)), append(t.First, int(nodes[kid].first))
		}
	}
	t.Stability = make([]float64, len(t.Parent))
	for i, c := range t.Of {
		t.Stability[c] += t.Leaves[i] - t.Birth[c]
	}
	for c := 1; c < len(t.Parent); c++ {
		p := t.Parent[c]
		t.Stability[p] += float64(t.Size[c]) * (t.Birth[c] - t.Birth[p])
	}
	return t
}
