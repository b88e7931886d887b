package guide

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// PairField holds must-links and cannot-links propagated to the edges of a graph.
type PairField struct {
	// F has the sparsity pattern of the graph. F_ij is positive if the pairs imply that i and j
	// belong to the same class, and negative if they imply different classes. If i and j are a pair
	// themselves, this pair contributes at least 1 to the magnitude of F_ij. Contributions of
	// several pairs add up.
	F *sparse.CSR
}

// pairBlock is the number of pairs propagated at a time. It limits the linear systems to 256
// right-hand sides, one per end of a pair.
const pairBlock = 128

// Propagate propagates must-links (+1) and cannot-links (−1) along the graph w to the edges of the
// graphs in `on`, which have the same samples: F_ij = Σ ±(h_ia·h_jb + h_ib·h_ja) over the pairs (a,
// b). h_ia is the probability that a walk from i along w reaches a, if the walk stops with
// probability 1−α before each step. α in (0, 1) determines how far pairs propagate; tol is the
// relative residual at which the iteration ends.
//
// Up to scale, this is exhaustive constraint propagation (Lu, Peng 2013): F = P·Z·P with P =
// (1−α)(I − αS)⁻¹, S = D^(−1/2)·W·D^(−1/2) and Z the matrix of the pairs. In that method, the
// weight of a pair depends on the degrees of its samples and on how often walks return to them;
// here all pairs have equal weight.
//
// Propagate solves at most two linear systems per pair and takes O(nnz(on)·m) further operations
// for m pairs. It returns a field for each graph in `on`.
func Propagate(ctx context.Context, w *sparse.CSR, pairs data.Pairs, alpha, tol float64, on ...*sparse.CSR) ([]*PairField, error) {
	n := w.Rows
	for _, g := range append([]*sparse.CSR{w}, on...) {
		if err := checkGraph(g); err != nil {
			return nil, err
		}
		if g.Rows != n {
			return nil, fmt.Errorf("%w: pairs propagate along a graph of %d samples, but to the edges of a graph of %d", ErrShape, n, g.Rows)
		}
	}
	if err := pairs.Check(n); err != nil {
		return nil, err
	}
	if !(alpha > 0 && alpha < 1) || !(tol > 0 && tol < 1) {
		return nil, fmt.Errorf("%w: α = %v, tolerance = %v; both must lie between 0 and 1", ErrOption, alpha, tol)
	}
	fields := make([]*PairField, len(on))
	for k, g := range on {
		fields[k] = &PairField{F: g.Clone()}
		clear(fields[k].F.Val)
	}
	solver, err := walks.NewSolver(ctx, w, walks.Degrees(w), alpha)
	if err != nil {
		return nil, err
	}
	for block := range slices.Chunk(distinct(pairs), pairBlock) {
		column := make(map[int]int)
		columnOf := func(i int) int {
			c, ok := column[i]
			if !ok {
				c = len(column)
				column[i] = c
			}
			return c
		}
		ends := make([][2]int, len(block))
		for k, q := range block {
			ends[k] = [2]int{columnOf(q.I), columnOf(q.J)}
		}
		h, err := hits(ctx, solver, n, column, tol)
		if err != nil {
			return nil, err
		}
		par.Blocks(n, 64, func(lo, hi int) {
			row := make([]float64, len(column)) // row i of H·Z, where H holds h_ia and Z the signs of the pairs
			for i := lo; i < hi; i++ {
				clear(row)
				come := h.RawRowView(i)
				for k, q := range block {
					a, b := ends[k][0], ends[k][1]
					row[a] += q.sign * come[b]
					row[b] += q.sign * come[a]
				}
				for _, f := range fields {
					cols, vals := f.F.Row(i)
					for k, j := range cols {
						vals[k] += dot(row, h.RawRowView(int(j)))
					}
				}
			}
		})
	}
	return fields, nil
}

// signed is a pair with the sign +1 for a must-link and −1 for a cannot-link.
type signed struct {
	data.Pair
	sign float64
}

// distinct returns the pairs, each with the smaller index first and without duplicates.
func distinct(pairs data.Pairs) []signed {
	all := make([]signed, 0, pairs.Len())
	for _, q := range pairs.Must {
		all = append(all, signed{q.Ordered(), 1})
	}
	for _, q := range pairs.Cannot {
		all = append(all, signed{q.Ordered(), -1})
	}
	slices.SortFunc(all, func(a, b signed) int { return cmp.Or(a.I-b.I, a.J-b.J) })
	return slices.Compact(all)
}

// hits returns the n×m probabilities that a walk from each of n samples reaches each of m samples.
// column maps each of the m samples to its column of the result. The column of sample a is column a
// of G = (D − αW)⁻¹ divided by G_aa, because a walk that reaches a continues like a walk that
// starts at a.
func hits(ctx context.Context, solver *walks.Solver, n int, column map[int]int, tol float64) (*mat.Dense, error) {
	b := mat.NewDense(n, len(column), nil)
	for i, c := range column {
		b.Set(i, c, 1)
	}
	h, err := solver.Solve(ctx, b, tol)
	if err != nil {
		return nil, err
	}
	own := make([]float64, len(column))
	for i, c := range column {
		own[c] = h.At(i, c)
	}
	for i := range n {
		row := h.RawRowView(i)
		for c := range row {
			row[c] /= own[c]
		}
	}
	return h, nil
}

// Guide returns the graph w with changed weights. guidance is in [0, 1]; 0 leaves w unchanged.
// `most` holds the largest edge weight of each sample; nil means 1. Let f = guidance·F with F
// clipped to [−1, 1], and let t be the smaller entry of `most` at the two ends of an edge. If f <
// 0, the weight v becomes (1+f)·v. Otherwise it becomes t − (1−f)(t−v), or stays v if v ≥ t.
func (f *PairField) Guide(w *sparse.CSR, guidance float64, most []float64) (*sparse.CSR, error) {
	if err := checkGuidance(guidance); err != nil {
		return nil, err
	}
	if !slices.Equal(w.RowPtr, f.F.RowPtr) || !slices.Equal(w.ColInd, f.F.ColInd) {
		return nil, fmt.Errorf("%w: the pairs were propagated to the edges of another graph", ErrShape)
	}
	out := w.Clone()
	// F is symmetric only up to rounding, so the upper triangle decides.
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := out.Row(i)
			_, signs := f.F.Row(i)
			for k, j := range cols {
				s := signs[k]
				if int(j) < i {
					s = f.F.At(int(j), i)
				}
				top := 1.0
				if most != nil {
					top = min(most[i], most[j])
				}
				switch s = guidance * max(-1, min(1, s)); {
				case s < 0:
					vals[k] *= 1 + s
				case vals[k] < top:
					vals[k] = top - float64((1-s)*(top-vals[k]))
				}
			}
		}
	})
	return out, nil
}

// Conflicts returns the pairs that contradict labels (−1 where unknown) or other pairs: must-links
// between different labels, and cannot-links between samples that are joined by a chain of
// must-links and equal labels.
func Conflicts(labels []int, pairs data.Pairs) []data.Pair {
	parent := make(map[int]int)
	find := func(i int) int {
		for {
			p, ok := parent[i]
			if !ok {
				return i
			}
			i = p
		}
	}
	label := func(i int) int {
		if labels == nil {
			return -1
		}
		return labels[i]
	}
	// Each class is represented by an additional sample: class c has the number −1 − c.
	group := func(i int) int {
		if l := label(i); l >= 0 {
			return find(-1 - l)
		}
		return find(i)
	}
	var out []data.Pair
	for _, q := range pairs.Must {
		if a, b := label(q.I), label(q.J); a >= 0 && b >= 0 {
			if a != b {
				out = append(out, q)
			}
			continue // a contradiction must not join classes
		}
		if a, b := group(q.I), group(q.J); a != b {
			parent[max(a, b)] = min(a, b)
		}
	}
	for _, q := range pairs.Cannot {
		if group(q.I) == group(q.J) {
			out = append(out, q)
		}
	}
	return out
}

// Kept counts the pairs that an embedding satisfies. A must-link is satisfied if its ends are among
// each other's nearest 5 % of samples, and a cannot-link if they are not.
type Kept struct{ Must, Cannot int }

// countKept counts the pairs satisfied at the positions y (n×d); see [Kept]. It takes O(n·d)
// operations per pair.
func countKept(y *mat.Dense, pairs data.Pairs) (Kept, error) {
	n, _ := y.Dims()
	if err := pairs.Check(n); err != nil {
		return Kept{}, err
	}
	near := max(1, int(math.Ceil(0.05*float64(n-1))))
	together := func(q data.Pair) bool {
		for _, e := range [][2]int{{q.I, q.J}, {q.J, q.I}} {
			from, to := y.RawRowView(e[0]), y.RawRowView(e[1])
			limit, nearer := samples.SquaredDistance(from, to), 0
			for k := range n {
				if k != e[0] && samples.SquaredDistance(from, y.RawRowView(k)) < limit {
					nearer++
				}
			}
			if nearer >= near {
				return false
			}
		}
		return true
	}
	all := slices.Concat(pairs.Must, pairs.Cannot)
	is := make([]bool, len(all))
	par.Blocks(len(all), 8, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			is[k] = together(all[k])
		}
	})
	var kept Kept
	for k, together := range is {
		switch {
		case k < len(pairs.Must) && together:
			kept.Must++
		case k >= len(pairs.Must) && !together:
			kept.Cannot++
		}
	}
	return kept, nil
}
