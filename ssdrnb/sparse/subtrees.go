package sparse

import "slices"

// plan divides the elimination tree into independent subtrees and the supernodes above them. It
// does not depend on the number of processors.
type plan struct {
	trees []int32 // root supernodes of the subtrees, ascending
	top   []int32 // supernodes in no subtree, ascending
}

// share is the maximum share of the total work in one subtree.
const share = 1.0 / 12

// plan cuts the tree into subtrees that each take at most [share] of the total work.
func (s *Symbolic) plan() plan {
	var p plan
	count := len(s.parent)
	work := make([]float64, count)
	total := 0.0
	for k := range count {
		// The last two terms estimate the assembly and the bookkeeping.
		own := s.operations(k) + 10*s.entries(k) + 200
		work[k] += own
		total += own
		if q := s.parent[k]; q >= 0 {
			work[q] += work[k]
		}
	}
	inTop := func(k int32) bool { return work[k] > share*total }
	for k := range int32(count) {
		switch q := s.parent[k]; {
		case inTop(k):
			p.top = append(p.top, k)
		case q < 0 || inTop(q):
			p.trees = append(p.trees, k)
		}
	}
	return p
}

// members returns the supernodes of the subtree with root t.
func (p *plan) members(s *Symbolic, t int32) []int32 {
	list := make([]int32, 0, t-s.first[t]+1)
	for k := s.first[t]; k <= t; k++ {
		list = append(list, k)
	}
	return list
}

// children returns the children of each supernode in ascending order.
func (s *Symbolic) children() [][]int32 {
	out := make([][]int32, len(s.parent))
	for k, p := range s.parent {
		if p >= 0 {
			out[p] = append(out[p], int32(k))
		}
	}
	return out
}

// locate sets the fields tallest, inside and outside. For each supernode in a subtree, it finds
// which of the rows below the supernode belong to the same subtree.
func (c *Cholesky) locate() {
	s := c.symbolic
	c.inside, c.outside = make([]int32, len(s.parent)), make([][]int32, len(s.parent))
	place := make([]int32, s.n)
	for k := range s.parent {
		c.tallest = max(c.tallest, s.height(k))
	}
	for _, root := range c.plan.trees {
		end := s.start[root+1]
		for r, i := range s.rows[root] {
			place[i] = int32(r)
		}
		for k := s.first[root]; k <= root; k++ {
			rows := s.rows[k]
			split, _ := slices.BinarySearch(rows, end)
			c.inside[k] = int32(split)
			c.outside[k] = make([]int32, len(rows)-split)
			for r, i := range rows[split:] {
				c.outside[k][r] = place[i]
			}
		}
	}
}
