package ssdrnb

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

// davidson solves the trace ratio of many samples by products alone.
//
// At λ*, some 10³ to 10⁵, A − λB has eigenvalues down to −10⁶ and the wanted ones
// lie within 1 of each other: a Krylov method does not get there. But what makes the
// spectrum wide is known. The normed indicators Z of the must-link components are
// eigenvectors of B with the eigenvalue μ, and on their complement λB outweighs A. So
// the problem is solved on two levels: the top eigenvectors of the coarse matrix
// H = ZᵀAZ start a basis; each step solves the small trace ratio within the basis
// exactly, and adds corrections to the residuals from the complement of Z and from
// the span of Z, each by a few steps of conjugate gradients (a block Davidson method
// with the corrections of Jacobi and Davidson).
type davidson struct {
	*job
	*embedding
	n, d  int
	wide  int // columns corrected in a step: d + 1, the last one for the gap
	most  int // columns of the basis before it is cut back
	scale [2]float64

	coarse *sparse.CSR // ZᵀL_CZ
	norm   []float64   // 1/√size of each component
	middle []float64   // √(size/n): the constant vector is Z·middle
	top    *mat.Dense  // top eigenvectors of H, orthogonal to middle; nil for none

	diagonal [2][]float64 // of A and of B

	q, aq, bq *mat.Dense // basis and its products
}

// step is a solution within the basis.
type step struct {
	lambda float64
	values []float64  // all Ritz values of A − λB, falling
	v      *mat.Dense // Ritz vectors of the first wide, or fewer
	gap    float64
}

const (
	davidsonSteps = 200
	// innerSteps bounds the conjugate gradients, which end at a hundredth of the
	// right-hand side.
	innerSteps     = 200
	innerTolerance = 1e-2
)

// large returns the solved problem and the embedding. Values are the first d + 1.
func (j *job) large(p *embedding, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	s, err := j.newDavidson(p, d)
	if err != nil {
		return nil, nil, err
	}
	result, lambda, best, since := &spectral.TraceRatioResult{}, 0.0, math.Inf(1), 0
	for count := 1; ; count++ {
		at, err := s.solve(lambda, &result.History)
		if err != nil {
			return nil, nil, err
		}
		lambda = at.lambda
		r := s.residual(at)
		worst := 0.0
		for k := range d {
			worst = max(worst, columnNorm(r, k))
		}
		notify(Event{Method: j.spec.method.Name, Stage: j.current, Done: count, Total: davidsonSteps})
		size := s.scale[0] + lambda*s.scale[1]
		small := worst <= max(1e-9*max(at.gap, 1e-2*s.scale[0]), 1e-15*size)
		if since++; worst < best/2 {
			best, since = worst, 0
		}
		// Rounding in products of this size may forbid more.
		stuck := since >= 8 && worst <= 1e-12*size
		if small || stuck || r == nil {
			result.Lambda, result.Gap, result.Values = lambda, at.gap, at.values[:min(d+1, len(at.values))]
			result.Unique = at.gap > 1e-8*s.scale[0]
			j.fact("residual", worst)
			j.fact("Davidson steps", float64(count))
			return result, mat.DenseCopyOf(at.v.Slice(0, s.n, 0, d)), nil
		}
		if count == davidsonSteps {
			return nil, nil, fmt.Errorf("%w: trace ratio after %d steps: λ = %g, residual %g where the eigengap is %g", spectral.ErrNotConverged, count, lambda, worst, at.gap)
		}
		if err := s.extend(at, r); err != nil {
			return nil, nil, err
		}
	}
}

// newDavidson builds the coarse level and the first basis.
func (j *job) newDavidson(p *embedding, d int) (*davidson, error) {
	n := p.must.Rows
	s := &davidson{job: j, embedding: p, n: n, d: d, wide: min(d+1, n-1), most: max(60, 8*(d+1))}
	size := make([]float64, p.groups)
	for _, c := range p.of {
		size[c]++
	}
	for _, v := range size {
		s.norm = append(s.norm, 1/math.Sqrt(v))
		s.middle = append(s.middle, math.Sqrt(v/float64(n)))
	}
	var entries []sparse.Triplet
	for i := range n {
		cols, vals := p.cannot.Row(i)
		for k, c := range cols {
			a, b := p.of[i], p.of[c]
			entries = append(entries, sparse.Triplet{Row: a, Col: b, Value: vals[k] * s.norm[a] * s.norm[b]})
		}
	}
	var err error
	if s.coarse, err = sparse.FromTriplets(p.groups, p.groups, entries); err != nil {
		return nil, err
	}
	s.diagonals()
	start, err := s.start()
	if err != nil {
		return nil, err
	}
	return s, s.add(start)
}

// diagonals sets those of A and B, for the preconditioner, and bounds both norms.
func (s *davidson) diagonals() {
	a, b := s.cannot.Diag(), s.must.Diag()
	if s.embedding.residual != nil {
		for k, c := range s.embedding.residual.ColInd {
			b[c] += s.embedding.residual.Val[k] * s.embedding.residual.Val[k]
		}
	}
	for i := range a {
		a[i] = s.ell + (1-s.ell)*a[i]
		b[i] += s.mu
		// Gershgorin for Laplacians; a reconstruction has norms of this order too.
		s.scale[0], s.scale[1] = max(s.scale[0], 2*a[i]), max(s.scale[1], 2*b[i])
	}
	s.diagonal = [2][]float64{a, b}
}

// start returns the first basis: top coarse vectors, and where the coarse level has
// too few of them the smoothest vectors of the must-link graph.
func (s *davidson) start() (*mat.Dense, error) {
	c := s.groups
	want := min(s.d+10, s.n-1)
	blocks := []*mat.Dense{}
	if p := min(want, c-1); p > 0 {
		h := spectral.Func(c, s.multiplyH)
		pairs, err := spectral.TopOf(s.ctx, h, p, spectral.Options{Tolerance: 1e-9, Null: spectral.Span(mat.NewDense(c, 1, s.middle))})
		if err != nil {
			return nil, fmt.Errorf("coarse level: %w", err)
		}
		s.top = pairs.Vectors
		blocks = append(blocks, s.prolong(s.top))
	}
	if fine := want - min(want, c-1); fine > 0 {
		null, err := spectral.Components(c, s.of, nil)
		if err != nil {
			return nil, err
		}
		// Where A is not constant it draws vectors elsewhere; later steps find that.
		pairs, err := spectral.BottomOf(s.ctx, spectral.Func(s.n, s.multiplyB), min(fine, s.n-c), spectral.Options{Tolerance: 1e-4, Null: null})
		if err != nil {
			return nil, fmt.Errorf("smooth vectors: %w", err)
		}
		blocks = append(blocks, pairs.Vectors)
	}
	return beside(blocks...), nil
}

// multiplyH sets dst = H·y for coarse vectors orthogonal to middle.
func (s *davidson) multiplyH(dst, y *mat.Dense) {
	s.coarse.MulTo(dst, y)
	rows, cols := y.Dims()
	for i := range rows {
		row, src := dst.RawRowView(i), y.RawRowView(i)
		for k := range cols {
			row[k] = s.ell*src[k] + (1-s.ell)*row[k]
		}
	}
}

// prolong returns Z·y.
func (s *davidson) prolong(y *mat.Dense) *mat.Dense {
	_, cols := y.Dims()
	out := mat.NewDense(s.n, cols, nil)
	for i, c := range s.of {
		row := out.RawRowView(i)
		floats.AddScaled(row, s.norm[c], y.RawRowView(c))
	}
	return out
}

// restrict returns Zᵀx.
func (s *davidson) restrict(x *mat.Dense) *mat.Dense {
	_, cols := x.Dims()
	out := mat.NewDense(s.groups, cols, nil)
	for i, c := range s.of {
		floats.AddScaled(out.RawRowView(c), s.norm[c], x.RawRowView(i))
	}
	return out
}

// beside puts matrices side by side.
func beside(blocks ...*mat.Dense) *mat.Dense {
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

// add extends the basis by the columns of x that are new to it.
func (s *davidson) add(x *mat.Dense) error {
	centreColumns(x)
	fresh := independent(s.q, x)
	if fresh == nil {
		return s.ctx.Err()
	}
	_, cols := fresh.Dims()
	a, b := mat.NewDense(s.n, cols, nil), mat.NewDense(s.n, cols, nil)
	s.multiplyA(a, fresh)
	s.multiplyB(b, fresh)
	if s.q == nil {
		s.q, s.aq, s.bq = fresh, a, b
	} else {
		s.q, s.aq, s.bq = beside(s.q, fresh), beside(s.aq, a), beside(s.bq, b)
	}
	return s.ctx.Err()
}

// solve finds the trace ratio within the basis, and cuts the basis back to the Ritz
// vectors where it has grown too wide.
func (s *davidson) solve(lambda float64, history *[]spectral.Step) (*step, error) {
	a, b := projected(s.q, s.aq), projected(s.q, s.bq)
	r, err := spectral.TraceRatio(s.ctx, a, b, s.d, spectral.TraceRatioOptions{Solver: solvers[s.choice("solver")], StartSet: true, Start: lambda})
	if err != nil {
		return nil, err
	}
	// g at the λ of the step before, in the basis of this one.
	*history = append(*history, spectral.Step{Lambda: r.History[0].Lambda, G: r.History[0].G, Pick: "basis"})
	m := a.SymmetricDim()
	keep := min(m, s.d+10)
	all, err := spectral.Top(plus(a, -r.Lambda, b), keep)
	if err != nil {
		return nil, err
	}
	at := &step{lambda: r.Lambda, values: all.Values, gap: math.Inf(1)}
	if s.d < keep {
		at.gap = all.Values[s.d-1] - all.Values[s.d]
	}
	ritz := func(q *mat.Dense) *mat.Dense {
		var out mat.Dense
		out.Mul(q, all.Vectors)
		return &out
	}
	if m > s.most {
		s.q, s.aq, s.bq = ritz(s.q), ritz(s.aq), ritz(s.bq)
		at.v = mat.DenseCopyOf(s.q.Slice(0, s.n, 0, min(s.wide, keep)))
		return at, nil
	}
	at.v = mat.NewDense(s.n, min(s.wide, keep), nil)
	at.v.Mul(s.q, all.Vectors.Slice(0, m, 0, min(s.wide, keep)))
	return at, nil
}

// residual returns (A − λB)V − VΘ, from fresh products.
func (s *davidson) residual(at *step) *mat.Dense {
	_, cols := at.v.Dims()
	r, b := mat.NewDense(s.n, cols, nil), mat.NewDense(s.n, cols, nil)
	s.multiplyA(r, at.v)
	s.multiplyB(b, at.v)
	par.Blocks(s.n, 4096, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, bi, vi := r.RawRowView(i), b.RawRowView(i), at.v.RawRowView(i)
			for k := range row {
				row[k] -= at.lambda*bi[k] + at.values[k]*vi[k]
			}
		}
	})
	centreColumns(r)
	return r
}

// extend adds corrections of both levels to the basis.
func (s *davidson) extend(at *step, r *mat.Dense) error {
	blocks := []*mat.Dense{s.fine(at, r)}
	if c := s.coarseCorrection(at, r); c != nil {
		blocks = append(blocks, c)
	}
	return s.add(beside(blocks...))
}

// fine solves (θ − A + λB)t = r on the complement of Z, and of V where V lies in it.
func (s *davidson) fine(at *step, r *mat.Dense) *mat.Dense {
	_, cols := r.Dims()
	own := mat.DenseCopyOf(at.v)
	s.complement(own)
	own = independentAbove(nil, own, 0.3)
	project := func(x *mat.Dense) {
		s.complement(x)
		if own != nil {
			var c, part mat.Dense
			c.Mul(own.T(), x)
			part.Mul(own, &c)
			x.Sub(x, &part)
		}
	}
	bx := mat.NewDense(s.n, cols, nil)
	apply := func(dst, x *mat.Dense) {
		s.multiplyA(dst, x)
		s.multiplyB(bx, x)
		par.Blocks(s.n, 4096, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row, bi, xi := dst.RawRowView(i), bx.RawRowView(i), x.RawRowView(i)
				for k := range row {
					row[k] = at.values[k]*xi[k] + at.lambda*bi[k] - row[k]
				}
			}
		})
		project(dst)
	}
	// Jacobi: the diagonal where it is safely positive.
	precondition := func(dst, x *mat.Dense) {
		for i := range s.n {
			row, xi := dst.RawRowView(i), x.RawRowView(i)
			b := at.lambda * s.diagonal[1][i]
			for k := range row {
				row[k] = xi[k] / max(at.values[k]+b-s.diagonal[0][i], 0.1*b, 1e-6*s.scale[0])
			}
		}
		project(dst)
	}
	right := mat.DenseCopyOf(r)
	project(right)
	return conjugateGradients(apply, precondition, right)
}

// coarseCorrection solves (θ + λμ − H)y = Zᵀr on the complement of the d top coarse
// vectors and returns Z·y; nil where the basis holds all coarse vectors.
func (s *davidson) coarseCorrection(at *step, r *mat.Dense) *mat.Dense {
	if s.top == nil || width(s.top) >= s.groups-1 {
		return nil
	}
	known := beside(mat.DenseCopyOf(s.top.Slice(0, s.groups, 0, s.d)), mat.NewDense(s.groups, 1, s.middle))
	project := func(x *mat.Dense) {
		var c, part mat.Dense
		c.Mul(known.T(), x)
		part.Mul(known, &c)
		x.Sub(x, &part)
	}
	apply := func(dst, y *mat.Dense) {
		s.multiplyH(dst, y)
		for i := range s.groups {
			row, yi := dst.RawRowView(i), y.RawRowView(i)
			for k := range row {
				row[k] = (at.values[k]+at.lambda*s.mu)*yi[k] - row[k]
			}
		}
		project(dst)
	}
	right := s.restrict(r)
	project(right)
	return s.prolong(conjugateGradients(apply, func(dst, x *mat.Dense) { dst.Copy(x) }, right))
}

// complement takes the part within the span of Z from every column: components get
// the mean 0.
func (s *davidson) complement(x *mat.Dense) {
	means := s.restrict(x)
	par.Blocks(s.n, 4096, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c := s.of[i]
			floats.AddScaled(x.RawRowView(i), -s.norm[c], means.RawRowView(c))
		}
	})
}
