package sparse

import (
	"fmt"
	"math"
	"slices"
)

// Symbolic is the analysis of a symmetric sparsity pattern: the elimination order, the supernodes,
// and the predicted cost of the factor. It does not depend on values and serves every matrix with
// this pattern.
//
// A supernode is a run of consecutive columns of the factor that have entries in the same rows
// below them, up to a few explicit zeros. Its entries form a dense panel.
type Symbolic struct {
	// Fill is the number of entries of the factor, including the zeros in the panels.
	Fill float64
	// Flops is the number of operations that a factorisation takes.
	Flops float64

	n       int
	perm    []int32   // perm[new] = old
	inverse []int32   // inverse[old] = new
	start   []int32   // supernode s has columns start[s] to start[s+1]−1
	rows    [][]int32 // rows of supernode s below its columns, ascending
	parent  []int32   // parent of each supernode; −1 for a root
	first   []int32   // first supernode of the subtree with root s
}

// Analyze chooses the elimination order by approximate minimum degree (Amestoy, Davis, Duff 1996)
// and predicts the fill and the number of operations of a Cholesky factorisation. Only the sparsity
// pattern of m matters. The pattern must be symmetric; it includes stored zeros. If limit > 0 and
// the factorisation would take more operations than limit, Analyze stops early with an error that
// wraps [ErrFill]. On a large graph, it stops before it computes the order if a rough estimate of
// the operations exceeds limit.
func Analyze(m *CSR, limit float64) (*Symbolic, error) {
	if limit > 0 && m.Rows >= largeOrder && m.Rows == m.Cols {
		if flops := separators(m); flops > limit {
			return nil, fmt.Errorf("%w: the factor needs about %.3g operations, but the limit is %.3g", ErrFill, flops, limit)
		}
	}
	q, err := minimumDegree(m, limit)
	if err != nil {
		return nil, err
	}
	s := &Symbolic{n: m.Rows, perm: make([]int32, 0, m.Rows), inverse: make([]int32, m.Rows)}
	s.supernodes(q)
	for k, old := range s.perm {
		s.inverse[old] = int32(k)
	}
	s.patterns(m)
	s.cost()
	return s, nil
}

// largeOrder is the smallest number of rows for which Analyze estimates the operations before it
// computes an elimination order. For 100,000 samples on a surface, computing the order takes 0.6 s.
// In ten dimensions it takes 5 s, and the factor is too large in any case.
const largeOrder = 20_000

// separators returns a rough lower estimate of the operations of a factorisation: s³/3 for each
// component, where s is the size of its separator. If a level of a breadth-first search is removed,
// no path connects the rows before it and the rows after it. s is estimated as a quarter of the
// size of the largest level in a search from a peripheral row. This is only a hint, because a tree
// can have large levels and small separators.
func separators(m *CSR) float64 {
	seen := make([]int32, m.Rows) // last search that reached each row
	queue := make([]int32, 0, m.Rows)
	search := int32(0)
	breadthFirst := func(from int32) (last int32, widest int) {
		search++
		queue, seen[from] = append(queue[:0], from), search
		for lo, hi := 0, 1; lo < hi; lo, hi = hi, len(queue) {
			widest = max(widest, hi-lo)
			for _, i := range queue[lo:hi] {
				cols, _ := m.Row(int(i))
				for _, j := range cols {
					if seen[j] != search {
						seen[j] = search
						queue = append(queue, j)
					}
				}
			}
		}
		return queue[len(queue)-1], widest
	}
	total := 0.0
	for i := range m.Rows {
		if seen[i] == 0 {
			last, _ := breadthFirst(int32(i))
			_, widest := breadthFirst(last)
			total += math.Pow(float64(widest)/4, 3) / 3
		}
	}
	return total
}

// postorder returns the nodes of a forest in postorder: children before parents.
func postorder(parent []int32) []int32 {
	n := len(parent)
	child, sibling := slices.Repeat([]int32{-1}, n), make([]int32, n)
	roots := int32(-1)
	for j := int32(n) - 1; j >= 0; j-- {
		if p := parent[j]; p >= 0 {
			sibling[j], child[p] = child[p], j
		} else {
			sibling[j], roots = roots, j
		}
	}
	out, stack := make([]int32, 0, n), []int32{}
	for r := roots; r >= 0; r = sibling[r] {
		stack = append(stack, r)
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			if c := child[j]; c >= 0 {
				child[j] = sibling[c]
				stack = append(stack, c)
				continue
			}
			stack = stack[:len(stack)-1]
			out = append(out, j)
		}
	}
	return out
}

// SolveFlops returns the number of operations that a solve takes for each right-hand side.
func (s *Symbolic) SolveFlops() float64 { return 4 * s.Fill }

// Bytes returns an upper bound on the memory of the factor.
func (s *Symbolic) Bytes() float64 {
	total := 0.0
	for k := range s.parent {
		total += 8 * float64(s.width(k)) * float64(s.height(k))
	}
	return math.Ceil(total)
}
