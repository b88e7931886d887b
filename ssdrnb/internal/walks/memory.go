package walks

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Memory caches Lanczos coefficients for each labelled sample l. They yield the diagonal entry G_ll
// of G = (D − αW)⁻¹ for any α. Memory saves time in repeated calls of [Opinions] on the same
// graph while labels are added one by one. It is safe for concurrent use.
//
// With A = D^−½WD^−½, G_ll·d_l is the first entry of (I − αT)⁻¹, where T is the tridiagonal matrix
// of the Lanczos process of A from sample l. T does not depend on α. The leading k×k part of T
// gives the same estimate of G_ll as k steps of conjugate gradients (Golub, Meurant, "Matrices,
// Moments and Quadrature", 1994), see [Solver.Diagonal]. A new label therefore needs one Lanczos
// process, and a few operations per coefficient whenever α changes.
//
// Memory is not used for graphs with a coarse level, see [Solver].
type Memory struct {
	graph *sparse.CSR
	root  []float64 // d_i^−½ for the degrees d_i

	mu        sync.Mutex
	processes map[int]*process
}

// process holds the coefficients of a Lanczos process.
type process struct {
	diagonal, offDiagonal []float64 // diagonal[k] is T_k,k, and offDiagonal[k] is T_k,k+1 = T_k+1,k
	exact                 bool      // the process has ended: T is complete
}

// NewMemory returns an empty memory for the graph w.
func NewMemory(w *sparse.CSR) *Memory {
	root := Degrees(w)
	for i, d := range root {
		root[i] = 1 / math.Sqrt(d)
	}
	return &Memory{graph: w, root: root, processes: map[int]*process{}}
}

// diagonal returns the diagonal entries G_ll of G = (D − αW)⁻¹ for the given samples l and α =
// carry < 1, with the accuracy of [Solver.Diagonal]. It runs the Lanczos processes that are missing
// or too short.
func (m *Memory) diagonal(ctx context.Context, samples []int, carry, tol float64) ([]float64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var open []int
	for _, l := range samples {
		p := m.processes[l]
		if p == nil {
			open = append(open, l)
		} else if _, done := p.energy(carry, tol); !done {
			open = append(open, l) // run the process again: a larger carry or a smaller tolerance needs more steps
		}
	}
	for lo := 0; lo < len(open); lo += solveColumns {
		if err := m.begin(ctx, open[lo:min(lo+solveColumns, len(open))], carry, tol); err != nil {
			return nil, err
		}
	}
	out := make([]float64, len(samples))
	var late error
	for k, l := range samples {
		e, done := m.processes[l].energy(carry, tol)
		if !done {
			late = ErrNotConverged
		}
		out[k] = e * m.root[l] * m.root[l]
	}
	return out, late
}

// energy returns the first entry of (I − carry·T)⁻¹. done reports whether the last steps changed it
// by at most the relative tolerance tol, or T is complete.
func (p *process) energy(carry, tol float64) (energy float64, done bool) {
	var gains [lookBack]float64
	z, pivot := 1.0, 0.0
	for k, a := range p.diagonal {
		if k == 0 {
			pivot = 1 - carry*a
		} else {
			b := carry * p.offDiagonal[k-1]
			z *= b / pivot
			pivot = 1 - carry*a - b*b/pivot
		}
		gain := z * z / pivot
		energy += gain
		gains[k%lookBack] = gain
		latest := 0.0
		for _, g := range gains {
			latest += g
		}
		if k+1 >= lookBack && latest <= tol*energy {
			return energy, true
		}
	}
	return energy, p.exact
}

// begin runs the Lanczos process of each sample from its first step until process.energy is
// accurate, for at most 10,000 steps, and stores it in processes.
func (m *Memory) begin(ctx context.Context, samples []int, carry, tol float64) error {
	const most = 10_000
	n, c := len(m.root), len(samples)
	q, last := mat.NewDense(n, c, nil), mat.NewDense(n, c, nil)
	in, next := mat.NewDense(n, c, nil), mat.NewDense(n, c, nil)
	found, open := make([]process, c), c
	norm, diagonal := make([]float64, c), make([]float64, c)
	for k, l := range samples {
		q.Set(l, k, 1)
	}
	for step := 0; open > 0 && step < most; step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, r := range m.root {
			out := in.RawRowView(i)
			for k, v := range q.RawRowView(i) {
				out[k] = r * v
			}
		}
		m.graph.MulTo(next, in)
		clear(diagonal)
		for i, r := range m.root {
			row, now := next.RawRowView(i), q.RawRowView(i)
			for k := range row {
				row[k] *= r
				diagonal[k] += float64(row[k] * now[k])
			}
		}
		before := append([]float64(nil), norm...)
		clear(norm)
		for i := range n {
			row, now, past := next.RawRowView(i), q.RawRowView(i), last.RawRowView(i)
			for k := range row {
				row[k] -= float64(diagonal[k]*now[k]) + float64(before[k]*past[k])
				norm[k] += float64(row[k] * row[k])
			}
		}
		open = 0
		for k := range found {
			p := &found[k]
			if p.exact {
				norm[k] = 0
				continue
			}
			norm[k] = math.Sqrt(norm[k])
			p.diagonal = append(p.diagonal, diagonal[k])
			if p.exact = !(norm[k] > 1e-12); p.exact { // the Krylov space is invariant, so T is complete
				norm[k] = 0
				continue
			}
			if _, done := p.energy(carry, tol); !done {
				open++
			}
			p.offDiagonal = append(p.offDiagonal, norm[k])
		}
		for i := range n {
			row := next.RawRowView(i)
			for k, b := range norm {
				if b > 0 {
					row[k] /= b
				} else {
					row[k] = 0
				}
			}
		}
		last, q, next = q, next, last
	}
	for k, l := range samples {
		m.processes[l] = &found[k]
	}
	return nil
}
