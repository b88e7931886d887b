package spectral

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// LaplacianForm is one of the eigenproblems of a graph with affinity W, degrees
// D = diag(W·1) and Laplacian L = D − W.
type LaplacianForm int

// The forms. In D^(−1/2) and on the right-hand side, a sample without edges has degree 1.
const (
	// Plain is L·v = τ·v, vᵀv = 1.
	Plain LaplacianForm = iota
	// Normalized is D^(−1/2)·L·D^(−1/2)·v = τ·v, vᵀv = 1.
	Normalized
	// RandomWalk is L·u = τ·D·u, uᵀDu = 1, the problem of Laplacian eigenmaps. Its vectors are u =
	// D^(−1/2)·v for the vectors v of Normalized.
	RandomWalk
)

// LaplacianBottom returns the d smallest eigenvalues of the Laplacian of a symmetric affinity
// matrix w ≥ 0, in ascending order, and their eigenvectors. It leaves out the trivial pair: the
// eigenvalue 0 with the constant vector, or with D^½·1 for [Normalized].
//
// For a graph of c components, the eigenvalue 0 has multiplicity c. The first c−1 returned pairs
// belong to this eigenvalue. Their vectors are constant on components, times D^½ for [Normalized],
// and are given in closed form; see [BottomNontrivial]. Only the other pairs are computed by
// iteration. Pairs.Null is c.
//
// Errors wrap [ErrOption] if w is not symmetric or has negative or non-finite entries, if d is not
// between 1 and n−1, if form is unknown, if opt.Null is not nil, or if opt.Along does not have n
// rows. They wrap [ErrNotConverged] if an iteration failed.
func LaplacianBottom(ctx context.Context, w *sparse.CSR, d int, form LaplacianForm, opt Options) (*Pairs, error) {
	if opt.Null != nil {
		return nil, fmt.Errorf("%w: opt.Null must be nil, because LaplacianBottom computes the null space", ErrOption)
	}
	if d < 1 || d > w.Rows-1 {
		return nil, fmt.Errorf("%w: %d eigenvectors are requested, but the number must lie between 1 and %d, one less than the number of samples", ErrOption, d, w.Rows-1)
	}
	if form < Plain || form > RandomWalk {
		return nil, fmt.Errorf("%w: the form %d is none of Plain, Normalized, RandomWalk", ErrOption, form)
	}
	g, err := newLaplacian(w, form)
	if err != nil {
		return nil, err
	}
	opt.Null, opt.invariant = g.null, true
	p, err := BottomNontrivial(ctx, sparseOperator{g.matrix}, d, opt)
	if err != nil {
		return nil, err
	}
	if form == RandomWalk {
		g.toRandomWalk(p)
	}
	FixSigns(p.Vectors)
	return p, nil
}

// laplacian is the matrix of a Laplacian eigenproblem with its null space.
type laplacian struct {
	matrix *sparse.CSR
	null   Null
	root   []float64 // square roots of the degrees, 1 for samples without edges; nil for Plain
}

func newLaplacian(w *sparse.CSR, form LaplacianForm) (*laplacian, error) {
	for k, v := range w.Val {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%w: entry %d of the affinity is %v; a Laplacian needs finite weights ≥ 0", ErrOption, k, v)
		}
	}
	asymmetric := fmt.Errorf("%w: the %d×%d affinity matrix is not symmetric", ErrOption, w.Rows, w.Cols)
	if w.Rows != w.Cols {
		return nil, asymmetric
	}
	// The sequential passes over the rows run concurrently with build.
	var symmetric bool
	var count int
	var of []int
	var beside sync.WaitGroup
	beside.Go(func() {
		if symmetric = w.IsSymmetric(1e-12); symmetric {
			count, of = graph.ComponentsAbove(w, 0)
		}
	})
	g := &laplacian{matrix: &sparse.CSR{Rows: w.Rows, Cols: w.Rows, RowPtr: make([]int, w.Rows+1)}}
	g.build(w, form)
	beside.Wait()
	if !symmetric {
		return nil, asymmetric
	}
	var err error
	g.null, err = Components(count, of, g.root)
	return g, err
}

// build assembles the matrix. Self-loops cancel in D − W. They are left out, so that they add no
// rounding errors to the row sums of D − W, which are 0.
func (g *laplacian) build(w *sparse.CSR, form LaplacianForm) {
	m, degrees, scale := g.matrix, make([]float64, w.Rows), constant(w.Rows)
	if form != Plain {
		g.root = make([]float64, w.Rows)
	}
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := w.Row(i)
			loop, entries := 0.0, 1 // the diagonal
			for k, j := range cols {
				if int(j) == i {
					loop = vals[k]
				} else if vals[k] != 0 {
					degrees[i] += vals[k]
					entries++
				}
			}
			m.RowPtr[i+1] = entries
			if form != Plain {
				g.root[i] = 1
				if degrees[i]+loop > 0 {
					g.root[i] = math.Sqrt(degrees[i] + loop)
				}
				scale[i] = 1 / g.root[i]
			}
		}
	})
	for i := range w.Rows {
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	m.ColInd, m.Val = make([]int32, m.RowPtr[w.Rows]), make([]float64, m.RowPtr[w.Rows])
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := w.Row(i)
			at := m.RowPtr[i]
			put := func(j int32, v float64) {
				m.ColInd[at], m.Val[at] = j, v
				at++
			}
			k := 0
			for ; k < len(cols) && int(cols[k]) < i; k++ {
				if vals[k] != 0 {
					put(cols[k], -vals[k]*scale[i]*scale[cols[k]])
				}
			}
			put(int32(i), degrees[i]*scale[i]*scale[i])
			for ; k < len(cols); k++ {
				if vals[k] != 0 && int(cols[k]) != i {
					put(cols[k], -vals[k]*scale[i]*scale[cols[k]])
				}
			}
		}
	})
}

// toRandomWalk transforms vectors of the normalised problem into vectors of L·u = τ·D·u.
func (g *laplacian) toRandomWalk(p *Pairs) {
	rows, cols := p.Vectors.Dims()
	for i := range rows {
		row := p.Vectors.RawRowView(i)
		for j := range cols {
			row[j] /= g.root[i]
		}
	}
	// ‖Lu − τDu‖ = ‖D^½·(residual of v)‖ is at most the largest root times the residual of v.
	largest := 0.0
	for _, r := range g.root {
		largest = max(largest, r)
	}
	for j := range p.Residuals {
		p.Residuals[j] *= largest
	}
}
