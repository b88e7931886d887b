package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// TraceRatioPath solves the trace-ratio problem for several dimensions at once:
// result k is that of [TraceRatio] for dims[k], with the Values of the first
// max(dims)+1 eigenvectors. The solver is ITR.
//
// The eigenvectors at one λ give a ratio for every d, and each is a lower bound of
// λ*(d). So every decomposition advances all dimensions, and a dimension starts
// where its neighbour ended: two or three decompositions each instead of five to
// eight, of max(dims)+1 eigenpairs.
//
// A dimension for which the ratio is unbounded has a nil result and an error that
// wraps [ErrUnbounded] in errs, and so have all smaller ones.
func TraceRatioPath(ctx context.Context, a, b *mat.SymDense, dims []int) (results []*TraceRatioResult, errs []error, err error) {
	n := a.SymmetricDim()
	if b.SymmetricDim() != n {
		return nil, nil, fmt.Errorf("%w: matrices of order %d and %d", ErrOption, n, b.SymmetricDim())
	}
	most := 0
	for _, d := range dims {
		if d < 1 || d > n {
			return nil, nil, fmt.Errorf("%w: %d dimensions of %d", ErrOption, d, n)
		}
		most = max(most, d)
	}
	p := &path{ctx: ctx, a: a, b: b, pairs: min(n, most+1), lower: make([]float64, most+1)}
	if err := p.bounds(); err != nil {
		return nil, nil, err
	}
	results, errs = make([]*TraceRatioResult, len(dims)), make([]error, len(dims))
	order := make([]int, len(dims))
	for k := range order {
		order[k] = k
	}
	// From the largest d on: λ*(d) does not fall as d does, so the ratio attained at
	// the larger one is below the root of the next.
	slices.SortStableFunc(order, func(i, j int) int { return dims[j] - dims[i] })
	for _, k := range order {
		if results[k], err = p.solve(dims[k]); err != nil {
			if p.unbounded(dims[k]) {
				errs[k], err = err, nil
				continue
			}
			return nil, nil, err
		}
	}
	return results, errs, nil
}

// path is a family of trace-ratio problems being solved.
type path struct {
	ctx            context.Context
	a, b           *mat.SymDense
	pairs          int       // eigenpairs wanted of each A − λB
	lower          []float64 // a ratio attained in d dimensions
	start          float64   // tr(A)/tr(B)
	va, vb         []float64 // eigenvalues of A and B, rising
	last           *spectrum // the last decomposition
	scaleA, scaleB float64
}

// bounds prepares what decides boundedness and the tolerance.
func (p *path) bounds() error {
	for _, m := range []*mat.SymDense{p.a, p.b} {
		if err := finite(m); err != nil {
			return err
		}
	}
	var err error
	if p.va, err = blas.EigenValuesSym(p.a); err != nil {
		return err
	}
	if p.vb, err = blas.EigenValuesSym(p.b); err != nil {
		return err
	}
	n := len(p.va)
	p.scaleA, p.scaleB = max(math.Abs(p.va[0]), math.Abs(p.va[n-1])), p.vb[n-1]
	p.start = mat.Trace(p.a) / mat.Trace(p.b)
	for d := range p.lower {
		p.lower[d] = p.start
	}
	return nil
}

// unbounded reports whether the denominator vanishes on d dimensions.
func (p *path) unbounded(d int) bool {
	return vanishing(p.vb) >= d
}

// at decomposes A − λB and lets every dimension learn from it.
func (p *path) at(lambda float64) (*spectrum, error) {
	if p.last != nil && p.last.lambda == lambda {
		return p.last, nil
	}
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	n := p.a.SymmetricDim()
	m := mat.NewSymDense(n, nil)
	to, from, sub := m.RawSymmetric(), p.a.RawSymmetric(), p.b.RawSymmetric()
	for i := range n {
		row, x, y := to.Data[i*to.Stride:], from.Data[i*from.Stride:], sub.Data[i*sub.Stride:]
		for j := i; j < n; j++ {
			row[j] = x[j] - lambda*y[j]
		}
	}
	top, err := Top(m, p.pairs)
	if err != nil {
		return nil, err
	}
	s := &spectrum{lambda: lambda, values: top.Values, vectors: top.Vectors}
	var bw mat.Dense
	bw.Mul(p.b, s.vectors)
	den := make([]float64, p.pairs)
	for i := range n {
		w, x := s.vectors.RawRowView(i), bw.RawRowView(i)
		for k := range den {
			den[k] += w[k] * x[k]
		}
	}
	num, below := 0.0, 0.0
	for d := 1; d < len(p.lower); d++ {
		num += s.values[d-1] + lambda*den[d-1]
		below += den[d-1]
		if below > 0 {
			p.lower[d] = max(p.lower[d], num/below)
		}
	}
	p.last = s
	return s, nil
}

// solve runs Newton's method for d dimensions from the best ratio known.
func (p *path) solve(d int) (*TraceRatioResult, error) {
	if p.unbounded(d) {
		return nil, advice.Errorf("add a ridge or take the null-space solution", "%w: the denominator vanishes on %d dimensions", ErrUnbounded, d)
	}
	r := &TraceRatioResult{Lower: p.start, Upper: upperBound(p.va, p.vb, d), Gap: math.Inf(1)}
	n := len(p.va)
	const tolerance, most = 1e-12, 100
	for step := range most {
		lambda := p.lower[d]
		s, err := p.at(lambda)
		if err != nil {
			return nil, err
		}
		s.g = 0
		for _, v := range s.values[:d] {
			s.g += v
		}
		pick := "eig"
		if step == 0 {
			pick = "start"
		}
		r.History = append(r.History, Step{lambda, s.g, pick})
		if p.lower[d]-lambda > tolerance*max(p.scaleA/p.scaleB, math.Abs(lambda)) {
			continue
		}
		scale := p.scaleA + math.Abs(lambda)*p.scaleB
		if math.Abs(s.g) > 1e-8*scale {
			return nil, fmt.Errorf("%w: g(%g) = %g where ‖A‖ + λ‖B‖ = %g", ErrNotConverged, lambda, s.g, scale)
		}
		r.Lambda, r.Values = lambda, s.values
		r.W = mat.DenseCopyOf(s.vectors.Slice(0, n, 0, d))
		if d < len(s.values) {
			r.Gap = s.values[d-1] - s.values[d]
		}
		r.Unique = r.Gap > 1e-10*scale
		return r, nil
	}
	return nil, fmt.Errorf("%w: trace ratio in %d dimensions after %d steps", ErrNotConverged, d, most)
}
