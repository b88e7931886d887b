package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

var (
	// ErrNotPositive means that a matrix to factorise is not positive definite.
	ErrNotPositive = errors.New("sparse: matrix is not positive definite")
	// ErrFill means that a factor would take more operations or memory than the caller
	// allows.
	ErrFill = errors.New("sparse: the factor would be too large")
)

// Cholesky is the factor U of P·A·Pᵀ = UᵀU for the order P of a [Symbolic].
type Cholesky struct {
	symbolic *Symbolic
	// panel holds the panel of each supernode: width×height in row-major order, with an upper
	// triangle in the first width columns. Each diagonal entry is replaced by its inverse.
	panel [][]float64
	plan  plan
	// The first inside[k] rows below supernode k belong to the plan's subtree that contains k. The
	// other rows below k are also rows below the root of this subtree, and outside[k] holds their
	// indices in the root's list of rows.
	inside  []int32
	outside [][]int32
	tallest int // height of the tallest panel
	spaces  sync.Pool
}

// Factorize returns the factor of m + shift·I. m must have the analysed pattern. The panels of the
// supernodes are dense blocks, processed from the leaves of the elimination tree to its roots. Each
// supernode passes the update of the rows below it to its parent (multifrontal method, Duff and
// Reid 1983). Subtrees are distributed over the processors; the factor does not depend on the
// number of processors.
//
// If a pivot is not positive, the error wraps [ErrNotPositive]; if an entry is not finite, it wraps
// [ErrNotFinite]. m must be symmetric: only one entry of each mirrored pair is read, and the
// elimination order determines which.
func (s *Symbolic) Factorize(ctx context.Context, m *CSR, shift float64) (*Cholesky, error) {
	ctx = par.Context(ctx)
	if m.Rows != s.n || m.Cols != s.n {
		return nil, fmt.Errorf("%w: the matrix is %d×%d, but the analysed order is %d", ErrShape, m.Rows, m.Cols, s.n)
	}
	for k, v := range m.Val {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: stored entry %d is %v", ErrNotFinite, k, v)
		}
	}
	c := &Cholesky{symbolic: s, panel: make([][]float64, len(s.parent)), plan: s.plan()}
	entries := 0
	for k := range s.parent {
		entries += s.width(k) * s.height(k)
	}
	panels := make([]float64, entries)
	for k := range s.parent {
		size := s.width(k) * s.height(k)
		c.panel[k], panels = panels[:size:size], panels[size:]
	}
	f := &factorization{Cholesky: c, ctx: ctx, m: m, shift: shift, update: make([][]float64, len(s.parent)), children: s.children()}
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

// comparePivots orders errors by column, so that the returned error does not depend on which
// subtree failed first.
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

// pivotError reports a pivot that is not positive.
type pivotError struct {
	column int
	pivot  float64
}

func (e *pivotError) Error() string {
	return fmt.Sprintf("%v: row %d has the pivot %g; shift the diagonal further", ErrNotPositive, e.column, e.pivot)
}

func (e *pivotError) Unwrap() error { return ErrNotPositive }

type factorization struct {
	*Cholesky
	ctx      context.Context
	m        *CSR
	shift    float64
	update   [][]float64 // update of the rows below each supernode, as an upper triangle
	children [][]int32   // children of each supernode

	workers sync.Pool
}

// run eliminates supernodes in ascending order.
func (f *factorization) run(list []int32) error {
	w, ok := f.workers.Get().(*worker)
	if !ok {
		w = &worker{local: make([]int32, f.symbolic.n)}
	}
	defer f.workers.Put(w)
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
