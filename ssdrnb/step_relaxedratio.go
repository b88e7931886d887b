package ssdrnb

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The trace ratio of TR-FSDA for the option value [RelaxedAll]: the relaxed embedding F replaces
// XᵀW in all terms, as in the code by the authors of TR-FSDA. The solution λ* is the largest λ for
// which there are W with WᵀW = I and F such that
//
//	tr(FᵀL_bF) − λ(tr(FᵀL_tF) + α·tr(FᵀLF) + t|XᵀW − F|² + r|W|²) = 0,  t = αβ.
//
// Here r is the ridge. L_t = L_b + L_w centres the labelled samples, and L_w each of their classes.
// U is the diagonal matrix that selects the l labelled samples, u their indicator vector, and u_k
// the indicator vector of the l_k labelled samples of class k. Then
//
//	L_t − L_b/λ = U − (1 − 1/λ)·uuᵀ/l − (1/λ)·Σ u_k u_kᵀ/l_k.
//
// The part that depends on λ has rank c + 1 for c classes. The optimal F is F = t(R −
// C·D(λ)·Cᵀ)⁻¹XᵀW with R = αL + U + tI. The columns of C are u/√l and u_k/√l_k, and D(λ) is the
// diagonal matrix of 1 − 1/λ and, for each class, 1/λ. With this F, the left-hand side of the
// equation is −λ times
//
//	tr WᵀQ(λ)W,  Q(λ) = t·X(R − tI)R⁻¹Xᵀ − t²·Bᵀ(D(λ)⁻¹ − CᵀR⁻¹C)⁻¹B + rI,  B = CᵀR⁻¹Xᵀ,
//
// so λ* is the λ for which the d smallest eigenvalues of Q sum to 0. The linear system with R is
// the same for all λ. Each λ requires one eigenproblem in the span.

// relaxedRatio is the trace-ratio problem of TR-FSDA described above, in the coordinates of the
// span. In the shapes below, r is the rank of the span.
type relaxedRatio struct {
	span    *span
	weight  float64       // t
	smooth  *mat.SymDense // t·X(R − tI)R⁻¹Xᵀ + rI
	cross   *mat.Dense    // B, (c+1)×r
	inner   *mat.SymDense // CᵀR⁻¹C
	solved  *mat.Dense    // R⁻¹C, n×(c+1)
	applied *mat.Dense    // R⁻¹Xᵀ, n×r
	columns *mat.Dense    // C, n×(c+1)
}

// relaxedRatioOf prepares the problem. Fits that differ only in β or the ridge share the result of
// relaxedStep.
func relaxedRatioOf(j *job, s *span, sc *discriminant.Scatter, w *sparse.CSR) (*relaxedRatio, error) {
	_, r := s.z.Dims()
	given, err := shared(j.work, relaxedStep{s, sc, w, alphaOption.of(j)})
	if err != nil {
		return nil, err
	}
	p := &relaxedRatio{span: s, weight: alphaOption.of(j) * betaOption.of(j), columns: given.columns}
	term, err := given.fitted.Filtered(j.ctx, p.weight)
	if err != nil {
		return nil, err
	}
	term.ScaleSym(p.weight, term)
	p.smooth = dense.AddRidge(term, ridgeOf(j, sc))
	if p.solved, err = given.fitted.Solve(j.ctx, p.weight, p.columns); err != nil {
		return nil, err
	}
	if p.applied, err = given.fitted.Solve(j.ctx, p.weight, s.z); err != nil {
		return nil, err
	}
	p.cross = mat.NewDense(len(sc.Classes)+1, r, nil)
	p.cross.Mul(p.solved.T(), s.z)
	p.inner = dense.SymmetricProduct(p.columns, p.solved)
	return p, j.begin("trace ratio")
}

// relaxedStep computes the matrix C and the resolvent of αL + U, which solves the systems with R
// for any t.
type relaxedStep struct {
	span    *span
	scatter *discriminant.Scatter
	graph   *sparse.CSR
	alpha   float64
}

type relaxedSystem struct {
	fitted  *discriminant.Resolvent // resolvent of αL + U
	columns *mat.Dense
}

func (s relaxedStep) run(w *work) (*relaxedSystem, error) {
	n, l := w.data.Len(), float64(w.data.NumLabelled())
	labelled, columns := make([]float64, n), mat.NewDense(n, len(s.scatter.Classes)+1, nil)
	for i, label := range w.data.Labels {
		if label != data.Unlabelled {
			k := slices.Index(s.scatter.Classes, label)
			labelled[i] = 1
			columns.Set(i, 0, 1/math.Sqrt(l))
			columns.Set(i, k+1, 1/math.Sqrt(float64(s.scatter.Counts[k])))
		}
	}
	a, err := sparse.Add(s.alpha, graph.Laplacian(s.graph), 1, sparse.Diagonal(labelled))
	if err != nil {
		return nil, err
	}
	fitted, err := discriminant.NewResolvent(a, s.span.z)
	return &relaxedSystem{fitted, columns}, err
}

// at returns the smallest d eigenpairs of Q(λ) and the matrix (D⁻¹ − CᵀR⁻¹C)⁻¹B. It returns nil if
// λ is so small that R − C·D·Cᵀ is not positive definite, in which case F is unbounded.
func (p *relaxedRatio) at(lambda float64, d int) (*spectral.Pairs, *mat.Dense, error) {
	c := p.inner.SymmetricDim()
	first := 0
	if lambda == 1 {
		first = 1 // skip the column u, whose coefficient 1 − 1/λ is 0
	}
	e := mat.NewSymDense(c-first, nil)
	for i := first; i < c; i++ {
		for k := i; k < c; k++ {
			e.SetSym(i-first, k-first, -p.inner.At(i, k))
		}
		inverse := lambda // inverse diagonal of D
		if i == 0 {
			inverse = -lambda / (1 - lambda)
		}
		e.SetSym(i-first, i-first, e.At(i-first, i-first)+inverse)
	}
	spectrum, err := spectral.Decompose(e)
	if err != nil {
		return nil, nil, err
	}
	// R − C·D·Cᵀ is positive definite if and only if D⁻¹ − CᵀR⁻¹C has as many negative eigenvalues
	// as D⁻¹.
	if spectrum.Values[1-first] <= 0 {
		return nil, nil, nil
	}
	_, r := p.cross.Dims()
	cross := p.cross.Slice(first, c, 0, r).(*mat.Dense)
	part := spectrum.Apply(func(v float64) float64 { return 1 / v }, cross)
	pairs, err := spectral.Bottom(dense.Plus(p.smooth, -p.weight*p.weight, dense.SymmetricProduct(cross, part)), d)
	if first == 1 && err == nil {
		padded := mat.NewDense(c, r, nil)
		padded.Slice(1, c, 0, r).(*mat.Dense).Copy(part)
		part = padded
	}
	return pairs, part, err
}

// betweenTrace returns tr(FᵀL_bF) for the optimal F given W. The argument w is W in the coordinates
// of the span, and part is the matrix returned by p.at.
func (p *relaxedRatio) betweenTrace(w, part *mat.Dense) float64 {
	var f, inner, low, sums mat.Dense
	inner.Mul(part, w)
	low.Mul(p.solved, &inner)
	f.Mul(p.applied, w)
	f.Add(&f, &low)
	f.Scale(p.weight, &f)
	sums.Mul(p.columns.T(), &f) // √l_k times the class means
	sum := 0.0
	c, d := sums.Dims()
	for k := range d {
		sum -= sums.At(0, k) * sums.At(0, k)
		for i := 1; i < c; i++ {
			sum += sums.At(i, k) * sums.At(i, k)
		}
	}
	return sum
}

// solve finds λ*. It starts with bisection, until the d smallest eigenvalues of Q(λ) have a sum of
// at most 0. It then repeats the ratio update, which increases λ monotonically to λ*.
func (p *relaxedRatio) solve(j *job) (*solution, error) {
	_, r := p.cross.Dims()
	d := j.compared(p.span, r)
	trace := Trace{Name: "bisection and ratio"}
	low, high := 0.0, 1.0
	lambda := 1.0
	for step := range 200 {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		pairs, part, err := p.at(lambda, d)
		if err != nil {
			return nil, err
		}
		if pairs == nil {
			low = lambda
			lambda = (low + high) / 2
			continue
		}
		g := floats.Sum(pairs.Values)
		trace.Lambda, trace.G = append(trace.Lambda, lambda), append(trace.G, -g)
		if g > 0 && step < 60 {
			high = lambda
			if next := (low + high) / 2; next > low && next < high {
				lambda = next
				continue
			}
		}
		between := p.betweenTrace(pairs.Vectors, part)
		denominator := g + between/lambda
		if !(denominator > 0) {
			return nil, advice.Errorf("set Ridge or RidgeScale above 0", "the denominator of the trace ratio vanishes")
		}
		next := between / denominator
		if math.Abs(next-lambda) <= 1e-12*lambda || next <= lambda {
			j.fact("λ*", lambda)
			j.gap(pairs.Gap)
			j.report.Traces = append(j.report.Traces, trace)
			values := make([]float64, d)
			floats.AddScaled(values, -1, pairs.Values)
			if math.Abs(g) > 1e-6*floats.Norm(values, 1) {
				j.warn("Alpha and Beta are so small that rounding errors limit the trace ratio λ* = %.3g: the eigenvalues do not sum to 0, as they should; raise Alpha or Beta", lambda)
			}
			return p.span.solution(pairs.Vectors, values), nil
		}
		lambda = next
	}
	return nil, advice.Errorf("scale the features alike, or set Ridge", "%w: the trace ratio needs more than 200 steps", spectral.ErrNotConverged)
}

func (p *relaxedRatio) path(j *job, dims []int) ([]*solution, error) {
	return eachDimension(j, dims, func(int) (*solution, error) { return p.solve(j) })
}
