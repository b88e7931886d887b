package sparse

import (
	"fmt"
	"math"
	"slices"
)

// Symbolic is the analysis of a symmetric pattern before its numbers count: the
// order of elimination, the supernodes, and what the factor will cost. It serves
// every matrix with that pattern.
//
// A supernode is a run of columns of the factor with the same rows below it, up
// to a few explicit zeros; its entries are one dense panel.
type Symbolic struct {
	// Fill is the number of entries of the factor, the zeros in panels included.
	Fill float64
	// Flops is the number of operations that a factorisation takes.
	Flops float64

	n       int
	perm    []int32   // perm[new] = old
	inverse []int32   // inverse[old] = new
	start   []int32   // supernode s has columns start[s] to start[s+1]−1
	rows    [][]int32 // rows of supernode s below its columns, rising
	parent  []int32   // of a supernode; −1 for a root
	first   []int32   // first supernode of the subtree that ends at s
}

// Analyze chooses the order of elimination by [MinimumDegree] and predicts the
// fill and the operations of a Cholesky factorisation. If limit > 0 and more
// operations than that are needed it stops early with [ErrFill]: on a graph
// without small separators the order itself is then cheap to give up.
func Analyze(m *CSR, limit float64) (*Symbolic, error) {
	order, flops, err := minimumDegree(m, limit)
	if err != nil {
		return nil, err
	}
	if order == nil {
		return nil, fmt.Errorf("%w: more than %.3g operations, the limit is %.3g", ErrFill, flops, limit)
	}
	s := &Symbolic{n: m.Rows, perm: order, inverse: make([]int32, m.Rows)}
	s.number()
	tree := s.tree(m)
	// Children directly before their parents: columns with equal rows are then
	// neighbours, and every subtree is a range.
	post := postorder(tree)
	s.perm = compose(order, post)
	s.number()
	tree = relabel(tree, post)
	counts := s.counts(m, tree)
	s.supernodes(tree, counts)
	s.patterns(m)
	s.cost()
	return s, nil
}

// Dim returns the order of the matrix.
func (s *Symbolic) Dim() int { return s.n }

func (s *Symbolic) number() {
	for k, old := range s.perm {
		s.inverse[old] = int32(k)
	}
}

func compose(order, then []int32) []int32 {
	out := make([]int32, len(order))
	for k, j := range then {
		out[k] = order[j]
	}
	return out
}

// relabel returns the tree with node post[k] as node k.
func relabel(parent, post []int32) []int32 {
	to, out := make([]int32, len(post)), make([]int32, len(post))
	for k, j := range post {
		to[j] = int32(k)
	}
	for k, j := range post {
		out[k] = -1
		if p := parent[j]; p >= 0 {
			out[k] = to[p]
		}
	}
	return out
}

// tree returns the elimination tree (Liu 1990): the parent of column j is the
// first row below the diagonal of column j of the factor.
func (s *Symbolic) tree(m *CSR) []int32 {
	parent, ancestor := slices.Repeat([]int32{-1}, s.n), slices.Repeat([]int32{-1}, s.n)
	for i := range int32(s.n) {
		cols, _ := m.Row(int(s.perm[i]))
		for _, old := range cols {
			for k := s.inverse[old]; k >= 0 && k < i; {
				next := ancestor[k]
				ancestor[k] = i
				if next < 0 {
					parent[k] = i
				}
				k = next
			}
		}
	}
	return parent
}

// postorder lists the nodes of a forest, children before parents.
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

// counts returns the entries of each column of the factor, diagonal included: row
// i has an entry in column k for each k on a path of the tree from a column of
// row i of the matrix up to i.
func (s *Symbolic) counts(m *CSR, parent []int32) []int32 {
	count, seen := slices.Repeat([]int32{1}, s.n), slices.Repeat([]int32{-1}, s.n)
	for i := range int32(s.n) {
		seen[i] = i
		cols, _ := m.Row(int(s.perm[i]))
		for _, old := range cols {
			for k := s.inverse[old]; k < i && seen[k] != i; k = parent[k] {
				seen[k] = i
				count[k]++
			}
		}
	}
	return count
}

// SolveFlops is the number of operations that one solve takes per right-hand side.
func (s *Symbolic) SolveFlops() float64 { return 4 * s.Fill }

// Bytes is the memory that the factor takes, at most.
func (s *Symbolic) Bytes() float64 {
	total := 0.0
	for k := range s.parent {
		total += 8 * float64(s.width(k)) * float64(s.height(k))
	}
	return math.Ceil(total)
}
