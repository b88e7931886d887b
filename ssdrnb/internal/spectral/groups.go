package spectral

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Groups describes a subspace on which the denominator B of a trace ratio is small. It is spanned
// by Z, the normalised indicators of groups of rows, which are eigenvectors of B with the same
// small eigenvalue. For a graph Laplacian plus a ridge, the groups are the components of the graph.
type Groups struct {
	Count  int      // number of groups
	Of     []int    // group of each row
	Value  float64  // the eigenvalue: B·Z = Value·Z
	Coarse Operator // ZᵀAZ, of order Count; used only on the complement of the constant vector
	// DiagA and DiagB are the diagonals of A and B. Twice their largest entries must bound ‖A‖ and
	// ‖B‖, which is the case for Laplacians.
	DiagA, DiagB []float64
	// Regions, if not nil, are regions of the graph of B, whose components must be the groups.
	// Condensed is B condensed to the regions (see [regions.Regions.Condense]); it may leave out a
	// multiple of the identity that B contains. Both speed up the first basis and the corrections.
	Regions   *regions.Regions
	Condensed *sparse.CSR
}

// OperatorTraceRatioOptions are the settings of [TraceRatioOf].
type OperatorTraceRatioOptions struct {
	// Solver is the solver for the small projected problems.
	Solver Solver
	// Tolerance is the largest residual of the result, relative to the eigengap or to 2 % of the
	// largest entry of DiagA, whichever is larger; 0 means 1e-9.
	Tolerance float64
	// MaxSteps is the largest number of steps; 0 means 300.
	MaxSteps int
	// Progress, if not nil, is called after each step with the step number and MaxSteps.
	Progress func(step, most int)
}

// TraceRatioOf maximises tr(WᵀAW)/tr(WᵀBW) over n×d matrices W with WᵀW = I and Wᵀ1 = 0. A and B
// are symmetric operators, with B ⪰ 0, and have the constant vector as an eigenvector. Unlike
// [TraceRatio], it forms no n×n matrices. The groups g describe where B is small.
//
// A subspace grows by block Davidson steps. Within the subspace, the trace-ratio problem is small
// and solved exactly. Let W be its solution, λ its ratio, and θ the Ritz value of a column w of W.
// The residual (A − λB)w − θw is multiplied by an approximate inverse of θ − A + λB and added to
// the subspace. Every subspace contains the previous solution, so λ only increases. No step starts
// from scratch, unlike the eigendecompositions of [ITR].
//
// History has one entry per step. It holds the λ before the step, which is 0 at first, and a lower
// bound of g(λ); see [TraceRatio]. The bound is computed in the subspace of the step and decreases
// to 0. Values holds the first d + 1 eigenvalues, or fewer if there are fewer. Upper is +Inf, and
// Lower is 0.
//
// After MaxSteps, or if rounding errors prevent a small residual, the result is the last solution,
// which has the largest ratio so far, and the error wraps [ErrNotConverged]. With any other error,
// the result is nil. This error wraps [ErrUnbounded] if the denominator vanishes on d dimensions of
// the subspace, and otherwise [ErrOption], [ErrNotFinite], [ErrNotConverged] or the error of ctx.
func TraceRatioOf(ctx context.Context, a, b Operator, g *Groups, d int, opt OperatorTraceRatioOptions) (*TraceRatioResult, error) {
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-9
	}
	if opt.MaxSteps == 0 {
		opt.MaxSteps = 300
	}
	s, err := newLevels(ctx, a, b, g, d, opt)
	if err != nil {
		return nil, err
	}
	return s.iterate()
}

// levels solves a trace-ratio problem with [Groups].
//
// With a small ridge, the solution λ* is about 10³ to 10⁵. A − λ*B then has eigenvalues down to
// −10⁶, but the wanted eigenvalues lie within 1 of each other, so that a Krylov method does not
// converge. The cause of the wide spectrum is known: on the complement of Z, λB outweighs A. The
// problem is therefore solved on two levels. The top eigenvectors of the coarse matrix H = ZᵀAZ
// form the first basis. Each step solves the small trace-ratio problem within the basis exactly. It
// then extends the basis by two corrections for each residual, one in the complement of Z and one
// in the span of Z. Both are computed by a few steps of conjugate gradients (a block Davidson
// method with Jacobi–Davidson corrections).
type levels struct {
	ctx         context.Context
	a, b        Operator
	g           *Groups
	opt         OperatorTraceRatioOptions
	n, d        int
	wide        int        // number of columns corrected per step: d + 1, the last one for the gap
	mostColumns int        // largest number of columns of the basis before it is reduced
	scale       [2]float64 // bounds of ‖A‖ and ‖B‖

	z, ones Null       // span of the groups' indicators, and of the constant vector
	norm    []float64  // 1/√size of each group
	middle  []float64  // √(size/n): Z·middle is the constant vector of norm 1
	top     *mat.Dense // top eigenvectors of H, orthogonal to middle; nil for none

	q      *mat.Dense    // basis; its memory has room for more columns
	qa, qb *mat.SymDense // QᵀAQ and QᵀBQ

	coarseLevel *regions.Level // coarse level of the graph of B; nil until needed, or if there are no regions
	corrections int            // number of corrections on the fine level so far
}

// level is the solution of the trace-ratio problem within the current basis.
type level struct {
	lambda float64
	values []float64  // the largest Ritz values of A − λB, descending
	v      *mat.Dense // Ritz vectors of the first `wide` values, or fewer
	gap    float64    // distance from Ritz value d to the next; +Inf if there are only d
}

// basisMemory limits the number of entries of the basis, rows times columns. For very many samples,
// the basis exceeds this limit, because 3·(d + 11) columns are always allowed.
const basisMemory = 30_000_000

func newLevels(ctx context.Context, a, b Operator, g *Groups, d int, opt OperatorTraceRatioOptions) (*levels, error) {
	n := a.Dim()
	if b.Dim() != n || len(g.Of) != n || len(g.DiagA) != n || len(g.DiagB) != n || g.Coarse == nil || g.Coarse.Dim() != g.Count || d < 1 || d > n-1 {
		return nil, fmt.Errorf("%w: five numbers must be equal: the orders %d and %d of the operators, the %d rows of the groups, and the %d and %d entries of the diagonals; Coarse must be an operator of order %d, and d = %d must lie between 1 and %d", ErrOption, n, b.Dim(), len(g.Of), len(g.DiagA), len(g.DiagB), g.Count, d, n-1)
	}
	size := make([]float64, g.Count)
	for i, c := range g.Of {
		if c < 0 || c >= g.Count {
			return nil, fmt.Errorf("%w: row %d is in group %d, but groups are numbered from 0 to %d", ErrOption, i, c, g.Count-1)
		}
		size[c]++
	}
	for c, v := range size {
		if v == 0 {
			return nil, fmt.Errorf("%w: group %d is empty", ErrOption, c)
		}
	}
	z, err := Components(g.Count, g.Of, nil)
	if err != nil {
		return nil, err
	}
	s := &levels{ctx: ctx, z: z, ones: Constant(n), a: a, b: b, g: g, opt: opt, n: n, d: d, wide: min(d+1, n-1), mostColumns: max(3*(d+11), min(max(60, 8*(d+1)), basisMemory/n))}
	for _, v := range size {
		s.norm = append(s.norm, 1/math.Sqrt(v))
		s.middle = append(s.middle, math.Sqrt(v/float64(n)))
	}
	for i := range n {
		s.scale[0], s.scale[1] = max(s.scale[0], 2*g.DiagA[i]), max(s.scale[1], 2*g.DiagB[i])
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	start, err := s.start()
	if err != nil {
		return nil, err
	}
	return s, s.add(start)
}

// check returns an error if the indicators are not eigenvectors of B, because corrections would
// then be computed in the wrong subspace.
func (s *levels) check() error {
	v, bv := mat.NewDense(s.n, 1, nil), mat.NewDense(s.n, 1, nil)
	for i, c := range s.g.Of {
		_, f := math.Modf(math.Phi * float64(c+1)) // a different number for each group
		v.Set(i, 0, f)
	}
	s.b.Apply(bv, v)
	for i := range s.n {
		if off := bv.At(i, 0) - s.g.Value*v.At(i, 0); math.Abs(off) > 1e-9*s.scale[1] {
			return fmt.Errorf("%w: the groups' indicators are not eigenvectors of the denominator with the eigenvalue %g: row %d differs by %g", ErrOption, s.g.Value, i, off)
		}
	}
	return nil
}

func (s *levels) iterate() (*TraceRatioResult, error) {
	var history []Step
	lambda, best, since := 0.0, math.Inf(1), 0
	for count := 1; ; count++ {
		at, err := s.solve(lambda, &history)
		if err != nil {
			return nil, err
		}
		lambda = at.lambda
		r := s.residual(at)
		worst := 0.0
		for _, v := range dots(r, r)[:s.d] {
			worst = max(worst, math.Sqrt(v))
		}
		if s.opt.Progress != nil {
			s.opt.Progress(count, s.opt.MaxSteps)
		}
		size := s.scale[0] + lambda*s.scale[1]
		small := worst <= max(s.opt.Tolerance*max(at.gap, 1e-2*s.scale[0]), 1e-15*size)
		if since++; worst < best/2 {
			best, since = worst, 0
		}
		// The iteration is stuck if rounding errors in products with large entries prevent further
		// progress.
		stuck := since >= 8 && worst <= 1e-12*size
		switch {
		case math.IsNaN(worst):
			return nil, fmt.Errorf("%w: the residual of the trace ratio is NaN after %d steps", ErrNotFinite, count)
		case (small || stuck) && worst > 1e-2*max(at.gap, 1e-2*s.scale[0]):
			// With a tiny ridge, rounding errors of λB exceed the eigengap.
			return s.finish(at, worst, history), fmt.Errorf("%w: rounding errors ended the trace ratio after %d steps: λ = %g, residual %g, eigengap %g", ErrNotConverged, count, lambda, worst, at.gap)
		case small || stuck:
			return s.finish(at, worst, history), nil
		case count >= s.opt.MaxSteps:
			return s.finish(at, worst, history), fmt.Errorf("%w: the trace ratio did not reach the tolerance in %d steps: λ = %g, residual %g, eigengap %g", ErrNotConverged, count, lambda, worst, at.gap)
		}
		if err := s.extend(at, r); err != nil {
			return nil, err
		}
	}
}

func (s *levels) finish(at *level, worst float64, history []Step) *TraceRatioResult {
	r := &TraceRatioResult{
		Lambda: at.lambda, W: mat.DenseCopyOf(at.v.Slice(0, s.n, 0, s.d)), Values: at.values[:min(s.d+1, len(at.values))],
		History: history, Gap: at.gap, Unique: at.gap > 1e-8*s.scale[0],
		Lower: history[0].Lambda, Upper: math.Inf(1), Residual: worst,
	}
	FixSigns(r.W)
	return r
}

// start returns the first basis: the top eigenvectors of H and, if there are too few, the result of
// smooth.
func (s *levels) start() (*mat.Dense, error) {
	c := s.g.Count
	want := min(s.d+10, s.n-1)
	blocks := []*mat.Dense{}
	if p := min(want, c-1); p > 0 {
		pairs, err := topOf(s.ctx, s.g.Coarse, p, Options{Tolerance: 1e-9, Null: span{mat.NewDense(c, 1, s.middle)}})
		if err != nil {
			return nil, fmt.Errorf("coarse level: %w", err)
		}
		s.top = pairs.Vectors
		blocks = append(blocks, s.prolong(s.top))
	}
	if fine := want - min(want, c-1); fine > 0 {
		smooth, err := s.smooth(min(fine, s.n-c))
		if err != nil {
			return nil, fmt.Errorf("smooth vectors: %w", err)
		}
		blocks = append(blocks, smooth)
	}
	return augmented(blocks...), nil
}

// smooth returns the eigenvectors for the k smallest eigenvalues of B in the complement of the
// groups' indicators. They solve the trace-ratio problem only if A is a multiple of the identity
// there. Later steps correct them, so low accuracy suffices.
func (s *levels) smooth(k int) (*mat.Dense, error) {
	if s.g.Regions != nil && s.g.Regions.Count()-s.g.Count > 2*k {
		return s.smoothRegions(k)
	}
	// [Func] hides the matrix of B, so that BottomOf does not factorise it. This low accuracy is
	// reached faster without a factor.
	pairs, err := BottomOf(s.ctx, Func(s.n, s.b.Apply), k, Options{Tolerance: 1e-4, Null: s.z})
	if err != nil {
		return nil, err
	}
	return pairs.Vectors, nil
}

// smoothRegions is smooth restricted to vectors that are constant on each region. Each region lies
// within a group.
func (s *levels) smoothRegions(k int) (*mat.Dense, error) {
	count := s.g.Regions.Count()
	root, of := make([]float64, count), make([]int, count)
	for c := range count {
		members := s.g.Regions.Members(c)
		root[c], of[c] = math.Sqrt(float64(len(members))), s.g.Of[members[0]]
	}
	scaled := s.g.Condensed.Clone()
	for c := range count {
		cols, vals := scaled.Row(c)
		for e, j := range cols {
			vals[e] /= root[c] * root[j]
		}
	}
	null, err := Components(s.g.Count, of, root)
	if err != nil {
		return nil, err
	}
	op, err := Sparse(scaled)
	if err != nil {
		return nil, err
	}
	pairs, err := BottomOf(s.ctx, op, k, Options{Tolerance: 1e-6, Null: null})
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(s.n, k, nil)
	for c := range count {
		for _, i := range s.g.Regions.Members(c) {
			floats.AddScaled(x.RawRowView(int(i)), 1/root[c], pairs.Vectors.RawRowView(c))
		}
	}
	return x, nil
}

// prolong returns Z·y.
func (s *levels) prolong(y *mat.Dense) *mat.Dense {
	_, cols := y.Dims()
	out := mat.NewDense(s.n, cols, nil)
	for i, c := range s.g.Of {
		floats.AddScaled(out.RawRowView(i), s.norm[c], y.RawRowView(c))
	}
	return out
}

// restrict returns Zᵀx.
func (s *levels) restrict(x *mat.Dense) *mat.Dense {
	_, cols := x.Dims()
	out := mat.NewDense(s.g.Count, cols, nil)
	for i, c := range s.g.Of {
		floats.AddScaled(out.RawRowView(c), s.norm[c], x.RawRowView(i))
	}
	return out
}

// augmented concatenates matrices horizontally.
func augmented(blocks ...*mat.Dense) *mat.Dense {
	rows, cols := 0, 0
	for _, b := range blocks {
		r, c := b.Dims()
		rows, cols = r, cols+c
	}
	out, at := mat.NewDense(rows, cols, nil), 0
	for _, b := range blocks {
		_, c := b.Dims()
		out.Slice(0, rows, at, at+c).(*mat.Dense).Copy(b)
		at += c
	}
	return out
}

// add extends the basis by the columns of x, except those that are linearly dependent.
func (s *levels) add(x *mat.Dense) error {
	s.ones.Project(x)
	fresh := independent(s.q, x, 1e-8)
	if fresh == nil {
		return s.ctx.Err()
	}
	_, cols := fresh.Dims()
	have := 0
	if s.q == nil {
		s.q = mat.NewDense(s.n, max(cols, s.mostColumns+2*s.wide), nil).Slice(0, s.n, 0, cols).(*mat.Dense)
	} else {
		_, have = s.q.Dims()
		s.q = s.q.Grow(0, cols).(*mat.Dense)
	}
	s.q.Slice(0, s.n, have, have+cols).(*mat.Dense).Copy(fresh)
	product := mat.NewDense(s.n, cols, nil)
	s.a.Apply(product, fresh)
	s.qa = bordered(s.qa, tallProduct(s.q, product))
	s.b.Apply(product, fresh)
	s.qb = bordered(s.qb, tallProduct(s.q, product))
	return s.ctx.Err()
}

// bordered returns the symmetric matrix with the leading block m and the last columns `columns`. m
// may be nil.
func bordered(m *mat.SymDense, columns *mat.Dense) *mat.SymDense {
	order, cols := columns.Dims()
	out := mat.NewSymDense(order, nil)
	have := order - cols
	for i := range order {
		for j := i; j < order; j++ {
			switch {
			case j < have:
				out.SetSym(i, j, m.At(i, j))
			case i < have:
				out.SetSym(i, j, columns.At(i, j-have))
			default:
				out.SetSym(i, j, (columns.At(i, j-have)+columns.At(j, i-have))/2)
			}
		}
	}
	return out
}

// solve solves the trace-ratio problem within the basis, starting from lambda, and appends an entry
// to history. If the basis has too many columns, solve then reduces it to Ritz vectors.
func (s *levels) solve(lambda float64, history *[]Step) (*level, error) {
	r, err := TraceRatio(s.ctx, s.qa, s.qb, s.d, TraceRatioOptions{Solver: s.opt.Solver, StartSet: true, Start: lambda})
	if err != nil {
		return nil, err
	}
	before, err := blas.EigenValuesSym(dense.Plus(s.qa, -lambda, s.qb))
	if err != nil {
		return nil, translate(err)
	}
	m := s.qa.SymmetricDim()
	*history = append(*history, Step{Lambda: lambda, G: floats.Sum(before[m-s.d:]), Pick: "basis"})
	keep := min(m, s.d+10)
	all, err := extreme(dense.Plus(s.qa, -r.Lambda, s.qb), keep, true)
	if err != nil {
		return nil, err
	}
	at := &level{lambda: r.Lambda, values: all.Values, gap: math.Inf(1)}
	if s.d < keep {
		at.gap = all.Values[s.d-1] - all.Values[s.d]
	}
	wide := min(s.wide, keep)
	if m > s.mostColumns {
		mulInPlace(s.q, all.Vectors)
		s.q = s.q.Slice(0, s.n, 0, keep).(*mat.Dense)
		s.qa, s.qb = congruence(s.qa, all.Vectors), congruence(s.qb, all.Vectors)
		at.v = mat.DenseCopyOf(s.q.Slice(0, s.n, 0, wide))
		return at, nil
	}
	at.v = turned(s.q, all.Vectors.Slice(0, m, 0, wide).(*mat.Dense))
	return at, nil
}

// residual returns (A − λB)V − VΘ from newly computed products.
func (s *levels) residual(at *level) *mat.Dense {
	_, cols := at.v.Dims()
	r, b := mat.NewDense(s.n, cols, nil), mat.NewDense(s.n, cols, nil)
	s.a.Apply(r, at.v)
	s.b.Apply(b, at.v)
	par.Blocks(s.n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, bi, vi := r.RawRowView(i), b.RawRowView(i), at.v.RawRowView(i)
			for k := range row {
				row[k] -= at.lambda*bi[k] + at.values[k]*vi[k]
			}
		}
	})
	s.ones.Project(r)
	return r
}
