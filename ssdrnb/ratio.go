package ssdrnb

import (
	"errors"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The trace ratio over embeddings, and over projections of the samples.

// denseEmbedding is the number of samples up to which the ratio is solved by full
// eigen-decompositions of order n − 1.
const denseEmbedding = 500

// embedConstrained solves the problem for free coordinates by the option "criterion" and
// returns them, n×d, with their eigenvalues.
func embedConstrained(j *job, p *embedding) (y *mat.Dense, values []float64, err error) {
	if criterionOption.of(j) == RatioTrace {
		return embedByRatioTrace(j, p)
	}
	if err := j.begin("trace ratio"); err != nil {
		return nil, nil, err
	}
	d := dimsOption.of(j)
	r, y, err := embeddingRatio(j, p, d)
	if errors.Is(err, spectral.ErrUnbounded) {
		return nil, nil, j.faultAmong(nil, "ridge", fmt.Errorf("%w: %w: the denominator all but vanishes on %d dimensions", ErrOption, spectral.ErrUnbounded, d), "raise Ridge, 1e-3 in the paper")
	}
	if err != nil {
		return nil, nil, err
	}
	j.fact("λ*", r.Lambda)
	j.gap(r.Gap)
	numerator, denominator := p.parts(y)
	j.fact("numerator", numerator)
	j.fact("denominator", denominator)
	if !r.Unique {
		j.warn("the eigenvalues %d and %d at λ* coincide: λ* is what it is, but other embeddings are as good", d, d+1)
	}
	j.trace(solverOption.of(j), r)
	return y, r.Values[:d], nil
}

// denseRatioTrace is the number of samples up to which the ratio trace is offered: it
// takes matrices of order n.
const denseRatioTrace = 5000

// embedByRatioTrace embeds by the generalised eigenvectors Ay = τBy with the largest τ. The
// report has the trace ratio of the space that they span, at most λ*.
func embedByRatioTrace(j *job, p *embedding) (y *mat.Dense, values []float64, err error) {
	if err := j.begin("ratio trace"); err != nil {
		return nil, nil, err
	}
	if n := p.must.Rows; n > denseRatioTrace {
		return nil, nil, j.fault("criterion", RatioTrace, fmt.Errorf("%w: it takes matrices of order %d, the limit is %d", ErrOption, n, denseRatioTrace), "take the trace ratio, or fewer samples")
	}
	a, b, err := p.dense()
	if err != nil {
		return nil, nil, err
	}
	pairs, err := spectral.GeneralizedTop(centredForm(a), centredForm(b), dimsOption.of(j))
	if err != nil {
		return nil, nil, err
	}
	y = uncompressed(pairs.Vectors)
	numerator, denominator := p.parts(spectral.Orthonormal(y))
	j.fact("trace ratio of the span", numerator/denominator)
	return y, pairs.Values, nil
}

// embeddingRatio returns the solved problem and the embedding.
func embeddingRatio(j *job, p *embedding, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	if n := p.must.Rows; n > denseEmbedding {
		if solver := solverOption.of(j); solver == ITRScoreAsPrinted {
			return nil, nil, j.fault("solver", solver, fmt.Errorf("%w: it needs all eigenvectors, which are computed for up to %d samples, not %d", ErrOption, denseEmbedding, n), "take ITR, or fewer samples")
		}
		return largeRatio(j, p, d)
	}
	return smallRatio(j, p, d)
}

// smallRatio solves the problem by full eigen-decompositions.
func smallRatio(j *job, p *embedding, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	a, b, err := p.dense()
	if err != nil {
		return nil, nil, err
	}
	r, err := spectral.TraceRatio(j.ctx, centredForm(a), centredForm(b), d,
		spectral.TraceRatioOptions{Solver: solvers[solverOption.of(j)], StartSet: true})
	if err != nil {
		return nil, nil, err
	}
	return r, uncompressed(r.W), nil
}

// projectConstrained solves the ratio over projections of the samples.
func projectConstrained(j *job, p *embedding) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	_, order := s.z.Dims()
	a := mat.NewSymDense(order, nil)
	a.SymOuterK(p.ell, s.z.T()) // z is centred
	a = dense.Plus(a, 1-p.ell, dense.Quadratic(p.cannot, s.z))
	b := dense.Quadratic(p.must, s.z)
	if p.residual != nil {
		b = dense.Plus(b, 1, dense.SquaredNorms(p.residual, s.z))
	}
	b = dense.AddRidge(b, p.mu)
	if criterionOption.of(j) == RatioTrace {
		if err := j.begin("ratio trace"); err != nil {
			return nil, err
		}
		pairs, err := spectral.GeneralizedTop(a, b, j.limit(order, "the samples span no more"))
		if err != nil {
			return nil, err
		}
		return s.solution(pairs.Vectors, pairs.Values), nil
	}
	r, err := traceRatio(j, s, a, b)
	if err != nil {
		return nil, err
	}
	return r.solve(j)
}

// parts returns tr(YᵀAY) and tr(YᵀBY) of centred coordinates.
func (p *embedding) parts(y *mat.Dense) (numerator, denominator float64) {
	n, d := y.Dims()
	ay, by := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	p.multiplyA(ay, y)
	p.multiplyB(by, y)
	for i := range n {
		a, b := ay.RawRowView(i), by.RawRowView(i)
		for k, v := range y.RawRowView(i) {
			numerator += v * a[k]
			denominator += v * b[k]
		}
	}
	return numerator, denominator
}

// multiplyA sets dst = A·x, without the term of rank one on centred columns.
func (p *embedding) multiplyA(dst, x *mat.Dense) {
	p.cannot.MulTo(dst, x)
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for k, v := range x.RawRowView(i) {
			mean[k] += v / float64(n)
		}
	}
	for i := range n {
		row := dst.RawRowView(i)
		for k, v := range x.RawRowView(i) {
			row[k] = p.ell*(v-mean[k]) + (1-p.ell)*row[k]
		}
	}
}

// multiplyB sets dst = B·x.
func (p *embedding) multiplyB(dst, x *mat.Dense) {
	p.must.MulTo(dst, x)
	n, d := x.Dims()
	if p.residual != nil {
		r, back := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
		p.residual.MulTo(r, x)
		p.transposed().MulTo(back, r)
		dst.Add(dst, back)
	}
	for i := range n {
		row := dst.RawRowView(i)
		for k, v := range x.RawRowView(i) {
			row[k] += p.mu * v
		}
	}
}

// transposed returns Rᵀ, computed once.
func (p *embedding) transposed() *sparse.CSR {
	if p.residualT == nil {
		p.residualT = p.residual.T()
	}
	return p.residualT
}

// dense returns A and B, for few samples.
func (p *embedding) dense() (a, b *mat.SymDense, err error) {
	n := p.must.Rows
	a, b = mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	add := func(dst *mat.SymDense, f float64, m *sparse.CSR) {
		for i := range n {
			cols, vals := m.Row(i)
			for k, c := range cols {
				if int(c) >= i {
					dst.SetSym(i, int(c), dst.At(i, int(c))+f*vals[k])
				}
			}
		}
	}
	add(a, 1-p.ell, p.cannot)
	add(b, 1, p.must)
	if p.residual != nil {
		square, err := sparse.Mul(p.transposed(), p.residual)
		if err != nil {
			return nil, nil, err
		}
		add(b, 1, square)
	}
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+p.ell) // −ℓ11ᵀ/n vanishes on centred vectors
		b.SetSym(i, i, b.At(i, i)+p.mu)
	}
	return a, b, nil
}

// mirror returns the unit vector v of the reflection I − 2vvᵀ that exchanges the
// first axis with the constant vector 1/√n.
func mirror(n int) []float64 {
	root := 1 / math.Sqrt(float64(n))
	v, norm := make([]float64, n), 0.0
	for i := range v {
		v[i] = root
	}
	// The sign that does not cancel: −1/√n in place of 1/√n spans the same line.
	v[0] += 1
	for _, x := range v {
		norm += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(norm)
	}
	return v
}

// centredForm returns the (n−1)×(n−1) matrix QᵀmQ for the basis Q of the vectors that
// sum to 0, columns 2 to n of the reflection: an update of rank two.
func centredForm(m *mat.SymDense) *mat.SymDense {
	n := m.SymmetricDim()
	v := mat.NewVecDense(n, mirror(n))
	var mv mat.VecDense
	mv.MulVec(m, v)
	q := mat.Dot(v, &mv)
	out := mat.NewSymDense(n-1, nil)
	for i := 1; i < n; i++ {
		for k := i; k < n; k++ {
			vi, vk := v.AtVec(i), v.AtVec(k)
			out.SetSym(i-1, k-1, m.At(i, k)-2*(vi*mv.AtVec(k)+vk*mv.AtVec(i))+4*q*vi*vk)
		}
	}
	return out
}

// uncompressed returns Q·w.
func uncompressed(w *mat.Dense) *mat.Dense {
	rows, d := w.Dims()
	v := mirror(rows + 1)
	y := mat.NewDense(rows+1, d, nil)
	y.Slice(1, rows+1, 0, d).(*mat.Dense).Copy(w)
	for k := range d {
		dot := 0.0
		for i, vi := range v {
			dot += vi * y.At(i, k)
		}
		for i, vi := range v {
			y.Set(i, k, y.At(i, k)-2*dot*vi)
		}
	}
	return y
}
