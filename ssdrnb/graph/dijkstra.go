package graph

import "math"

// dijkstra is the workspace of one search. Its heap has four children per node; a sample moves up
// in the heap when a shorter path to it is found.
type dijkstra struct {
	dist  []float64
	place []int32 // position of each sample in the heap, or unseen or settled
	heap  []entry
}

type entry struct {
	dist   float64
	sample int32
}

const (
	unseen  = -1 // not reached yet
	settled = -2 // removed from the heap, with its final distance
)

func newDijkstra(n int) *dijkstra {
	return &dijkstra{dist: make([]float64, n), place: make([]int32, n), heap: make([]entry, 0, n)}
}

// run sets dist to the length of the shortest path from the source to each sample, or +Inf if no
// path exists. The edges of sample i are arcs[ptr[i]:ptr[i+1]].
func (w *dijkstra) run(ptr []int, arcs []arc, source int) {
	for i := range w.dist {
		w.dist[i], w.place[i] = math.Inf(1), unseen
	}
	w.dist[source] = 0
	w.heap = append(w.heap[:0], entry{0, int32(source)})
	for len(w.heap) > 0 {
		top := w.pop()
		for _, e := range arcs[ptr[top.sample]:ptr[top.sample+1]] {
			d := top.dist + e.length
			// The condition also rejects settled samples: their distances never exceed d.
			if d >= w.dist[e.to] {
				continue
			}
			w.dist[e.to] = d
			at := int(w.place[e.to])
			if at == unseen {
				at = len(w.heap)
				w.heap = append(w.heap, entry{})
			}
			w.up(at, entry{d, e.to})
		}
	}
}

// up stores e at the given position of the heap and moves it up.
func (w *dijkstra) up(at int, e entry) {
	for at > 0 {
		parent := (at - 1) / 4
		p := w.heap[parent]
		if p.dist <= e.dist {
			break
		}
		w.heap[at] = p
		w.place[p.sample] = int32(at)
		at = parent
	}
	w.heap[at] = e
	w.place[e.sample] = int32(at)
}

// pop removes the nearest sample from the heap and returns it.
func (w *dijkstra) pop() entry {
	top := w.heap[0]
	w.place[top.sample] = settled
	last := len(w.heap) - 1
	e := w.heap[last]
	w.heap = w.heap[:last]
	h := w.heap
	if last == 0 {
		return top
	}
	at := 0
	for {
		first := 4*at + 1
		if first >= last {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, last); c++ {
			if h[c].dist < h[least].dist {
				least = c
			}
		}
		if h[least].dist >= e.dist {
			break
		}
		h[at] = h[least]
		w.place[h[at].sample] = int32(at)
		at = least
	}
	h[at] = e
	w.place[e.sample] = int32(at)
	return top
}
