package sparse

import (
	"math"
	"slices"
)

// Symbolic is the analysis of a symmetric pattern, without its values: the order of
// elimination, the supernodes, and what the factor will cost. It serves every matrix
// with that pattern.
//
// A supernode is a run of columns of the factor with the same rows below it, up
// to a few explicit zeros; its entries are one dense panel.
type Symbolic struct {
	// Fill is the number of entries of the factor, including the zeros in panels.
	Fill float64
	// Flops is the number of operations that a factorisation takes.
	Flops float64

	n       int
	perm    []int32   // perm[new] = old
	inverse []int32   // inverse[old] = new
	start   []int32   // supernode s has columns start[s] to start[s+1]−1
	rows    [][]int32 // rows of supernode s below its columns, ascending
	parent  []int32   // of a supernode; −1 for a root
	first   []int32   // first supernode of the subtree that ends at s
}

// Analyze chooses the order of elimination by approximate minimum degree (Amestoy,
// Davis, Duff 1996) and predicts the fill and the operations of a Cholesky
// factorisation. Only the pattern of m counts, which must be symmetric; stored zeros
// belong to it. If limit > 0 and the factorisation takes more operations than that,
// Analyze stops early with an error that wraps [ErrFill], before it has spent much on
// a graph without small separators.
func Analyze(m *CSR, limit float64) (*Symbolic, error) {
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

// SolveFlops returns the number of operations of one solve per right-hand side.
func (s *Symbolic) SolveFlops() float64 { return 4 * s.Fill }

// Bytes returns the memory that the factor takes at most.
func (s *Symbolic) Bytes() float64 {
	total := 0.0
	for k := range s.parent {
		total += 8 * float64(s.width(k)) * float64(s.height(k))
	}
	return math.Ceil(total)
}
