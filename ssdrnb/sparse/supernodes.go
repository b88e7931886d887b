package sparse

import "slices"

// supernodes orders the pivots of an elimination so that each pivot directly follows its
// descendants. Pivot q is a child of pivot p if the element of p covers the element of q. Every
// subtree of the elimination tree is then a contiguous range. A pivot is merged with its parent
// into a supernode if the parent follows directly and the supernode then contains few zeros.
func (s *Symbolic) supernodes(q *quotient) {
	number := make([]int32, s.n) // position of each pivot in q.pivots
	for k, p := range q.pivots {
		number[p] = int32(k)
	}
	parent := make([]int32, len(q.pivots))
	for k, p := range q.pivots {
		parent[k] = -1
		if above := q.parent[p]; above >= 0 {
			parent[k] = number[above]
		}
	}
	type group struct {
		first, width, below int32 // below counts the rows below the columns
		lowest, highest     int32 // first and last pivot, as positions in q.pivots
		zeros               float64
	}
	// A supernode may be merged with its parent if it is the last child, which directly precedes
	// the parent. The stack holds all supernodes so far; the last one may still be merged with its
	// parent.
	var stack []group
	for _, k := range postorder(parent) {
		p := q.pivots[k]
		g := group{first: int32(len(s.perm)), width: q.weight[p], below: q.degree[p], lowest: k, highest: k}
		s.perm = q.rows(p, s.perm)
		for len(stack) > 0 {
			c := stack[len(stack)-1]
			if parent[c.highest] != g.lowest {
				break
			}
			// The rows below the child are among the rows of the parent's panel. The columns of the
			// child get zeros in the remaining rows of this panel.
			extra := c.zeros + g.zeros + float64(c.width)*float64(g.width+g.below-c.below)
			width := c.width + g.width
			total := float64(width) * (float64(width+1)/2 + float64(g.below))
			if !worth(width, extra/total) {
				break
			}
			g = group{first: c.first, width: width, below: g.below, lowest: c.lowest, highest: g.highest, zeros: extra}
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, g)
	}
	s.start = make([]int32, 0, len(stack)+1)
	of := make([]int32, len(q.pivots)) // the supernode of each pivot
	for k, g := range stack {
		s.start = append(s.start, g.first)
		of[g.highest] = int32(k)
		for j := g.lowest; j != g.highest; j = parent[j] {
			of[j] = int32(k)
		}
	}
	s.start = append(s.start, int32(s.n))
	s.parent = make([]int32, len(stack))
	for k, g := range stack {
		s.parent[k] = -1
		if p := parent[g.highest]; p >= 0 {
			s.parent[k] = of[p]
		}
	}
	s.first = make([]int32, len(stack))
	for k := range s.first {
		s.first[k] = int32(k)
	}
	for k := range s.first {
		if p := s.parent[k]; p >= 0 {
			s.first[p] = min(s.first[p], s.first[k])
		}
	}
}

// worth reports whether a supernode of this width may contain this share of zeros. A narrow
// supernode may contain a larger share, because short loops cost more than operations with zeros.
func worth(width int32, zeros float64) bool {
	switch {
	case width <= 4:
		return true
	case width <= 16:
		return zeros < 0.6
	case width <= 48:
		return zeros < 0.15
	}
	return zeros < 0.05
}

// patterns finds the rows below the columns of each supernode: the rows after these columns in
// which the matrix or a child of the supernode has entries.
func (s *Symbolic) patterns(m *CSR) {
	count := len(s.parent)
	s.rows = make([][]int32, count)
	children := make([][]int32, count)
	seen := slices.Repeat([]int32{-1}, s.n)
	var found []int32
	for k := range int32(count) {
		end := s.start[k+1]
		found = found[:0]
		add := func(i int32) {
			if i >= end && seen[i] != k {
				seen[i] = k
				found = append(found, i)
			}
		}
		for j := s.start[k]; j < end; j++ {
			cols, _ := m.Row(int(s.perm[j]))
			for _, old := range cols {
				add(s.inverse[old])
			}
		}
		for _, c := range children[k] {
			for _, i := range s.rows[c] {
				add(i)
			}
		}
		slices.Sort(found)
		s.rows[k] = slices.Clone(found)
		if p := s.parent[k]; p >= 0 {
			children[p] = append(children[p], k)
		}
	}
}

// cost predicts fill and operations from the sizes of the panels.
func (s *Symbolic) cost() {
	for k := range s.parent {
		s.Fill += s.entries(k)
		s.Flops += s.operations(k)
	}
}

// width returns the number of columns of supernode k. height returns the number of rows of its
// panel, which is the width plus the number of rows below.
func (s *Symbolic) width(k int) int { return int(s.start[k+1] - s.start[k]) }

func (s *Symbolic) height(k int) int { return s.width(k) + len(s.rows[k]) }

func (s *Symbolic) entries(k int) float64 {
	w, h := float64(s.width(k)), float64(s.height(k))
	return w*h - w*(w-1)/2
}

// operations returns Σ (h − c)² over the columns c of a panel of height h.
func (s *Symbolic) operations(k int) float64 {
	w, h := float64(s.width(k)), float64(s.height(k))
	return w*h*h - h*w*(w-1) + (w-1)*w*(2*w-1)/6
}
