package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

var (
	// ErrNotPositive says that a matrix to factorise is not positive definite.
	ErrNotPositive = errors.New("sparse: matrix is not positive definite")
	// ErrFill says that a factorisation would take more than the caller allows.
	ErrFill = errors.New("sparse: the factor would take too much")
)

// Cholesky is the factor of P·A·Pᵀ = UᵀU for the order P of a [Symbolic].
type Cholesky struct {
	symbolic *Symbolic
	panel    [][]float64 // of each supernode, width×height by rows, upper triangle first
	plan     plan
	// Rows of supernode k from number inside[k] on lie outside of its subtree of
	// the plan, at the places outside[k] among the rows below the subtree's root.
	inside  []int32
	outside [][]int32
	tallest int // height of the tallest panel
}

// Factorize returns the factor of m + shift·I, whose pattern must be that of the
// analysis: with the panels of the supernodes as dense blocks, from the leaves of
// the elimination tree to its roots, each handing what it subtracts from the rest
// on to its parent (multifrontal method, Duff and Reid 1983). Subtrees are shared
// among the processors; the factor does not depend on their number.
//
// A pivot that is not positive gives an error that wraps [ErrNotPositive], an
// entry that is not finite one that wraps [ErrNotFinite]. Only symmetric matrices
// make sense; the entries on one side of the diagonal are read, which side is the
// order's choice.
func (s *Symbolic) Factorize(ctx context.Context, m *CSR, shift float64) (*Cholesky, error) {
	if m.Rows != s.n || m.Cols != s.n {
		return nil, fmt.Errorf("%w: a %d×%d matrix for the analysis of order %d", ErrShape, m.Rows, m.Cols, s.n)
	}
	for k, v := range m.Val {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: entry %d is %v", ErrNotFinite, k, v)
		}
	}
	c := &Cholesky{symbolic: s, panel: make([][]float64, len(s.parent)), plan: s.plan()}
	f := &factorization{Cholesky: c, ctx: ctx, m: m, shift: shift, update: make([][]float64, len(s.parent)), of: s.children()}
	failed := make([]error, len(c.plan.trees))
	par.Blocks(len(c.plan.trees), 1, func(lo, _ int) {
		t := c.plan.trees[lo]
		failed[lo] = f.run(c.plan.members(s, t))
	})
	if err := errors.Join(failed...); err != nil {
		return nil, slices.MinFunc(slices.DeleteFunc(failed, func(e error) bool { return e == nil }), comparePivots)
	}
	if err := f.run(c.plan.top); err != nil {
		return nil, err
	}
	c.locate()
	return c, nil
}

// comparePivots puts the failure of the lowest column first, so that the error
// does not depend on which subtree failed first.
func comparePivots(a, b error) int {
	column := func(e error) int {
		var p *pivotError
		if errors.As(e, &p) {
			return p.column
		}
		return -1
	}
	return column(a) - column(b)
}

// pivotError is a pivot that is not positive.
type pivotError struct {
	column int
	pivot  float64
}

func (e *pivotError) Error() string {
	return fmt.Sprintf("%v: row %d leaves the pivot %g; the matrix needs a larger shift", ErrNotPositive, e.column, e.pivot)
}

func (e *pivotError) Unwrap() error { return ErrNotPositive }

// factorization is a factorisation at work.
type factorization struct {
	*Cholesky
	ctx    context.Context
	m      *CSR
	shift  float64
	update [][]float64 // what a supernode hands on, upper triangle of its rows
	of     [][]int32   // children
}

// worker holds what one goroutine needs: where each row is in the current front,
// and updates to use again.
type worker struct {
	local []int32
	free  [][]float64
}

// take returns cleared memory of n entries.
func (w *worker) take(n int) []float64 {
	for k := len(w.free) - 1; k >= max(0, len(w.free)-4); k-- {
		if b := w.free[k]; cap(b) >= n {
			w.free = slices.Delete(w.free, k, k+1)
			b = b[:n]
			clear(b)
			return b
		}
	}
	return make([]float64, n, n+n/4)
}

// run eliminates supernodes in rising order.
func (f *factorization) run(list []int32) error {
	w := &worker{local: make([]int32, f.symbolic.n)}
	for at, k := range list {
		if at%256 == 0 {
			if err := f.ctx.Err(); err != nil {
				return err
			}
		}
		if err := f.eliminate(int(k), w); err != nil {
			return err
		}
	}
	return nil
}

// eliminate assembles the front of supernode k, factorises its columns and leaves
// what they subtract from the rows below.
func (f *factorization) eliminate(k int, w *worker) error {
	s := f.symbolic
	first, width, height := s.start[k], s.width(k), s.height(k)
	rows := s.rows[k]
	below := len(rows)
	panel := make([]float64, width*height)
	rest := w.take(below * below)
	for j := range width {
		w.local[int(first)+j] = int32(j)
	}
	for j, i := range rows {
		w.local[i] = int32(width + j)
	}
	for j := range width {
		old := s.perm[int(first)+j]
		cols, vals := f.m.Row(int(old))
		row := panel[j*height : (j+1)*height]
		for e, o := range cols {
			if i := s.inverse[o]; i >= first+int32(j) {
				row[w.local[i]] = vals[e]
			}
		}
		row[j] += f.shift
	}
	for _, c := range f.of[k] {
		f.assemble(int(c), panel, rest, width, height, w)
	}
	if err := pivots(panel, width, height); err != nil {
		err.column = int(s.perm[int(first)+err.column])
		return err
	}
	subtract(panel, rest, width, height)
	f.panel[k], f.update[k] = panel, rest
	return nil
}

// assemble adds what child c handed on.
func (f *factorization) assemble(c int, panel, rest []float64, width, height int, w *worker) {
	rows, u := f.symbolic.rows[c], f.update[c]
	n, below := len(rows), height-width
	to := make([]int32, n)
	for a, i := range rows {
		to[a] = w.local[i]
	}
	for a := range n {
		row := u[a*n : (a+1)*n]
		var dst []float64
		base := int32(0)
		if r := int(to[a]); r < width {
			dst = panel[r*height : (r+1)*height]
		} else {
			dst, base = rest[(r-width)*below:(r-width+1)*below], int32(width)
		}
		for b := a; b < n; b++ {
			dst[to[b]-base] += row[b]
		}
	}
	f.update[c] = nil
	w.free = append(w.free, u)
}

// small is the number of multiplications below which plain loops beat the engine.
const small = 1 << 14

// pivots factorises the columns of a front: U₁₁ᵀU₁₁ = A₁₁, U₁₂ = U₁₁⁻ᵀA₁₂.
func pivots(panel []float64, width, height int) *pivotError {
	const block = 32
	for lo := 0; lo < width; lo += block {
		hi := min(lo+block, width)
		if err := eliminateRows(panel, lo, hi, height); err != nil {
			return err
		}
		if hi == width {
			break
		}
		// The rows that follow, right of the diagonal block.
		rows, cols := width-hi, height-hi
		a := blas64.General{Rows: hi - lo, Cols: rows, Stride: height, Data: panel[lo*height+hi:]}
		b := blas64.General{Rows: hi - lo, Cols: cols, Stride: height, Data: panel[lo*height+hi:]}
		c := blas64.General{Rows: rows, Cols: cols, Stride: height, Data: panel[hi*height+hi:]}
		blas64.Gemm(blas.Trans, blas.NoTrans, -1, a, b, 1, c)
	}
	return nil
}

// eliminateRows factorises rows lo to hi−1 of a panel by plain loops.
func eliminateRows(panel []float64, lo, hi, height int) *pivotError {
	for j := lo; j < hi; j++ {
		row := panel[j*height+j : (j+1)*height]
		pivot := row[0]
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return &pivotError{column: j, pivot: pivot}
		}
		root := math.Sqrt(pivot)
		inverse := 1 / root
		row[0] = root
		for c := range row[1:] {
			row[1+c] *= inverse
		}
		for i := j + 1; i < hi; i++ {
			f := row[i-j]
			if f == 0 {
				continue
			}
			dst := panel[i*height+i : (i+1)*height]
			src := row[i-j:][:len(dst)]
			for c := range dst {
				dst[c] -= f * src[c]
			}
		}
	}
	return nil
}

// subtract takes U₁₂ᵀU₁₂ from the upper triangle of rest.
func subtract(panel, rest []float64, width, height int) {
	below := height - width
	if below == 0 {
		return
	}
	if width*below*below >= small {
		u := blas64.General{Rows: width, Cols: below, Stride: height, Data: panel[width:]}
		c := blas64.Symmetric{N: below, Stride: below, Data: rest, Uplo: blas.Upper}
		blas64.Syrk(blas.Trans, -1, u, 1, c)
		return
	}
	j := 0
	for ; j+1 < width; j += 2 {
		p := panel[j*height+width : (j+1)*height]
		q := panel[(j+1)*height+width : (j+2)*height]
		for i := range below {
			f, g := p[i], q[i]
			dst := rest[i*below+i : (i+1)*below]
			x, y := p[i:][:len(dst)], q[i:][:len(dst)]
			for c := range dst {
				dst[c] -= f*x[c] + g*y[c]
			}
		}
	}
	if j < width {
		p := panel[j*height+width : (j+1)*height]
		for i, f := range p {
			dst := rest[i*below+i : (i+1)*below]
			x := p[i:][:len(dst)]
			for c := range dst {
				dst[c] -= f * x[c]
			}
		}
	}
}
