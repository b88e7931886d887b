package ssdrnb

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

// The core of the discriminant methods, as Table 4 of Zhao, Zhang, Chow (Pattern
// Recognition 2012) puts them together. With coordinates R of the samples all of
// them compare VᵀR·M₁·RᵀV with VᵀR·M₂·RᵀV, and the new points are Y = VᵀR:
//
//	ratio of traces   trace of ratio   M₁    M₂              R
//	TR-LDA            LDA              L_b   L_w             X
//	TR-SDA            SDA              L_b   L_w + λ_m·L_m   X
//	TR-KLDA           KLDA             L_b   L_w             RᵀR = K
//	TR-KSDA           KSDA             L_b   L_w + λ_m·L_m   RᵀR = K
//
// Each method's registration names its row: discriminative(R, M₂, criterion). The
// ridge αI is added to the second matrix once, wherever it appears.

// coordinates gives the samples the coordinates R in which a method is linear.
type coordinates func(*job) (*span, error)

var (
	inFeatures coordinates = (*job).span       // R = X, in the basis of its span
	inKernel   coordinates = (*job).kernelSpan // RᵀR = K, centred and cut
)

// denominator says what M₂ is made of.
type denominator int

const (
	withinClasses denominator = iota // L_w
	withManifold                     // L_w + λ_m·L_m
)

// terms are the matrices of a row of the table, in the coordinates R.
type terms struct {
	*span
	*scatter               // S_b = R·L_b·Rᵀ and S_w = R·L_w·Rᵀ
	manifold *mat.SymDense // λ_m·R·L_m·Rᵀ; nil where M₂ has no such term
}

// criterion turns the terms into directions.
type criterion func(*job, *terms) (*solution, error)

// discriminative returns the fit of a row of the table.
func discriminative(r coordinates, m2 denominator, c criterion) func(*job) (*solution, error) {
	return func(j *job) (*solution, error) {
		t, err := j.terms(r, m2)
		if err != nil {
			return nil, err
		}
		return c(j, t)
	}
}

// terms computes the matrices of a row.
func (j *job) terms(r coordinates, m2 denominator) (*terms, error) {
	if err := j.stage("span"); err != nil {
		return nil, err
	}
	s, err := r(j)
	if err != nil {
		return nil, err
	}
	t := &terms{span: s, scatter: j.scatter(s)}
	if m2 == withinClasses {
		return t, nil
	}
	if err := j.stage("graph"); err != nil {
		return nil, err
	}
	w, err := j.neighbourhood(s)
	if err != nil {
		return nil, err
	}
	laplacian := graph.Laplacian(w)
	term := quadratic(laplacian, s.z)
	level := mat.Trace(term)
	if s.kernel != nil {
		level = roughness(w, s.kernel.factor.f)
	}
	zero := mat.NewSymDense(term.SymmetricDim(), nil)
	t.manifold = plus(zero, j.manifoldWeight(t.scatter, level), term)
	return t, nil
}

// traceRatio is the criterion tr(VᵀS_bV)/tr(Vᵀ(S_w + M + αI)V) under VᵀV = I.
func traceRatio(j *job, t *terms) (*solution, error) {
	b := addRidge(t.within, j.ridge(t.scatter))
	if t.manifold != nil {
		b = plus(b, 1, t.manifold)
	}
	return j.traceRatio(t.span, t.between, b)
}

// ratioTrace is the criterion tr((Vᵀ(S + M + αI)V)⁻¹ VᵀS_bV).
func ratioTrace(j *job, t *terms) (*solution, error) {
	return j.discriminant(t.span, t.scatter, t.manifold)
}

// traceRatio maximises tr(VᵀAV)/tr(VᵀBV) under VᵀV = I by the option "solver",
// and records λ*, the eigengap and the history. An unbounded ratio is met by the
// null-space solution.
func (j *job) traceRatio(s *span, a, b *mat.SymDense) (*solution, error) {
	if err := j.stage("trace ratio"); err != nil {
		return nil, err
	}
	basis, a, b, err := inCommonRange(a, b)
	if err != nil {
		return nil, err
	}
	d := j.limit(a.SymmetricDim(), "the samples that count span no more")
	result, err := spectral.TraceRatio(j.ctx, a, b, d, spectral.TraceRatioOptions{Solver: solvers[j.choice("solver")]})
	if errors.Is(err, spectral.ErrUnbounded) {
		j.report.warn("the denominator vanishes on a subspace of %d or more dimensions, where the ratio is unbounded: null-space solution taken; set Ridge to avoid it", d)
		return j.nullSpace(s, basis, a, b)
	}
	if err != nil {
		return nil, err
	}
	j.fact("λ*", result.Lambda)
	j.gap(result.Gap)
	if !result.Unique {
		j.report.warn("the eigenvalues d and d+1 at λ* coincide: another plane has the same ratio")
	}
	trace := Trace{Name: j.choice("solver")}
	for _, h := range result.History {
		trace.Lambda, trace.G = append(trace.Lambda, h.Lambda), append(trace.G, h.G)
	}
	j.report.Traces = append(j.report.Traces, trace)
	return s.solution(lift(basis, result.W), result.Values[:d]), nil
}

// gap records the distance of eigenvalues d and d+1: where it is 0 another
// subspace does as well. There is none if every direction was taken.
func (j *job) gap(gap float64) {
	if !math.IsInf(gap, 0) {
		j.fact("eigengap", gap)
	}
}

// inCommonRange restricts A and B to the directions in which they do not both
// vanish. The others, in which all samples that count have the same value, cost a
// ratio nothing: it would take them in place of genuine discriminants. basis is
// nil where there are none.
func inCommonRange(a, b *mat.SymDense) (basis *mat.Dense, ra, rb *mat.SymDense, err error) {
	if basis, err = spectral.CommonRange(a, b); err != nil || basis == nil {
		return nil, a, b, err
	}
	return basis, spectral.Restrict(a, basis), spectral.Restrict(b, basis), nil
}

// nullSpace maximises tr(VᵀAV) under VᵀV = I within the null space of B: what the
// trace ratio of A and B + αI tends to for α → 0, and null-space LDA. A and B are
// those that inCommonRange returns.
func (j *job) nullSpace(s *span, basis *mat.Dense, a, b *mat.SymDense) (*solution, error) {
	pairs, err := spectral.NullSpaceTop(a, b, j.int("dims"))
	if err != nil {
		return nil, err
	}
	j.limit(len(pairs.Values), "the null space of the denominator has no more")
	j.gap(pairs.Gap)
	return s.solution(lift(basis, pairs.Vectors), pairs.Values), nil
}

// discriminant solves S_b v = τ (S + M + αI) v, S being S_w or S_t by the option
// "within" and M a manifold term, nil where there is none.
func (j *job) discriminant(s *span, sc *scatter, manifold *mat.SymDense) (*solution, error) {
	if err := j.stage("eigenvectors"); err != nil {
		return nil, err
	}
	denominator := sc.within
	if j.choice("within") == TotalScatter {
		denominator = sc.total()
	}
	if manifold != nil {
		denominator = plus(denominator, 1, manifold)
	}
	alpha := j.ridge(sc)
	if mat.Trace(denominator) == 0 && alpha == 0 {
		return nil, j.fault("labels", nil, fmt.Errorf("%w: one labelled sample per class leaves the within-class scatter 0", ErrNeedsLabels),
			"label two samples of a class, set Ridge, or use TRLDA, which has a rule for this")
	}
	d := j.limit(min(len(sc.classes)-1, sc.within.SymmetricDim()), describe(len(sc.classes)))
	pairs, err := spectral.GeneralizedTop(sc.between, addRidge(denominator, alpha), d)
	if err != nil {
		return nil, err
	}
	j.gap(pairs.Gap)
	return s.solution(pairs.Vectors, pairs.Values), nil
}

// lift returns basis·v, or v where there is no basis.
func lift(basis, v *mat.Dense) *mat.Dense {
	if basis == nil {
		return v
	}
	var out mat.Dense
	out.Mul(basis, v)
	return &out
}
