package ssdrnb

import (
	"errors"
	"fmt"

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
// MMC and SSMMC are the difference of the traces in the rows of TR-LDA and TR-SDA.
// Each method's registration names its row: discriminative(R, M₂, criterion). The
// ridge αI is added to the second matrix once, wherever it appears.

// coordinates gives the samples the coordinates R in which a method is linear.
type coordinates func(*job) (*span, error)

var (
	// R = X, in the basis of its span.
	inFeatures coordinates = (*job).span
	// RᵀR = K, centred and cut.
	inKernel coordinates = func(j *job) (*span, error) { return shared(j, "kernel span", (*job).kernelSpan) }
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
	t.manifold, err = j.manifold(s, t.scatter)
	return t, err
}

// manifold returns the weighted term λ_m·R·L_m·Rᵀ, L_m being the Laplacian of the
// neighbourhood graph over all samples, labelled or not.
func (j *job) manifold(s *span, sc *scatter) (*mat.SymDense, error) {
	return shared(j, "weighted manifold term", func(j *job) (*mat.SymDense, error) {
		m, err := j.smoothness(s)
		if err != nil {
			return nil, err
		}
		zero := mat.NewSymDense(m.term.SymmetricDim(), nil)
		return plus(zero, j.manifoldWeight(sc, m.level), m.term), nil
	}, s, sc)
}

// smoothness is the manifold term R·L_m·Rᵀ and its trace, before any direction of
// a kernel was cut.
type smoothness struct {
	term  *mat.SymDense
	level float64
}

func (j *job) smoothness(s *span) (*smoothness, error) {
	return shared(j, "manifold term", func(j *job) (*smoothness, error) {
		w, err := j.neighbourhood(s)
		if err != nil {
			return nil, err
		}
		m := &smoothness{term: quadratic(graph.Laplacian(w), s.z)}
		m.level = mat.Trace(m.term)
		if s.kernel != nil {
			m.level = roughness(w, s.kernel.factor.f)
		}
		return m, nil
	}, s)
}

// traceRatio is the criterion tr(VᵀS_bV)/tr(Vᵀ(S_w + M + αI)V) under VᵀV = I.
func traceRatio(j *job, t *terms) (*solution, error) {
	p, err := t.ratio(j)
	if err != nil {
		return nil, err
	}
	return p.solve(j)
}

func (t *terms) ratio(j *job) (*ratio, error) {
	b := addRidge(t.within, j.ridge(t.scatter))
	if t.manifold != nil {
		b = plus(b, 1, t.manifold)
	}
	return j.ratio(t.span, t.between, b)
}

// traceRatioPath returns the path of a row whose criterion is traceRatio.
func traceRatioPath(r coordinates, m2 denominator) func(*job, []int) ([]*solution, error) {
	return ratioPath(func(j *job) (*ratio, error) {
		t, err := j.terms(r, m2)
		if err != nil {
			return nil, err
		}
		return t.ratio(j)
	})
}

// ratioTrace is the criterion tr((Vᵀ(S + M + αI)V)⁻¹ VᵀS_bV).
func ratioTrace(j *job, t *terms) (*solution, error) {
	return j.discriminant(t.span, t.scatter, t.manifold)
}

// ratio is a trace-ratio problem in the coordinates of a span, without the
// directions in which A and B both vanish: these cost nothing and would be taken
// for nothing.
type ratio struct {
	span  *span
	a, b  *mat.SymDense
	basis *mat.Dense // of what is left; nil for all
}

// noMore says why a ratio has fewer directions than were asked for.
const noMore = "the samples that count span no more"

// ratio prepares the maximisation of tr(VᵀAV)/tr(VᵀBV) under VᵀV = I.
func (j *job) ratio(s *span, a, b *mat.SymDense) (*ratio, error) {
	if err := j.stage("trace ratio"); err != nil {
		return nil, err
	}
	basis, a, b, err := inCommonRange(a, b)
	if err != nil {
		return nil, err
	}
	return &ratio{s, a, b, basis}, nil
}

// solve finds d directions by the option "solver", and records λ*, the eigengap
// and the history. An unbounded ratio is met by the null-space solution.
func (p *ratio) solve(j *job) (*solution, error) {
	d := j.limit(p.a.SymmetricDim(), noMore)
	result, err := spectral.TraceRatio(j.ctx, p.a, p.b, d, spectral.TraceRatioOptions{Solver: solvers[j.choice("solver")]})
	if errors.Is(err, spectral.ErrUnbounded) {
		return p.unbounded(j, d)
	}
	if err != nil {
		return nil, err
	}
	return p.solution(j, d, result), nil
}

// ratioProblem is a trace ratio that is ready to be solved.
type ratioProblem interface {
	solve(*job) (*solution, error)
	// path is solve for several dimensions.
	path(j *job, dims []int) ([]*solution, error)
}

// ratioFit and ratioPath return the fits of a method that is a trace-ratio problem.
func ratioFit[P ratioProblem](problem func(*job) (P, error)) func(*job) (*solution, error) {
	return func(j *job) (*solution, error) {
		p, err := problem(j)
		if err != nil {
			return nil, err
		}
		return p.solve(j)
	}
}

func ratioPath[P ratioProblem](problem func(*job) (P, error)) func(*job, []int) ([]*solution, error) {
	return func(j *job, dims []int) ([]*solution, error) {
		p, err := problem(j)
		if err != nil {
			return nil, err
		}
		return p.path(j, dims)
	}
}

// each gives every dimension a report of its own, which starts as that of the job.
func (j *job) each(dims []int, solve func(i int) (*solution, error)) ([]*solution, error) {
	out, common, spec := make([]*solution, len(dims)), j.report, j.spec
	defer func() { j.report, j.spec = common, spec }()
	for i, d := range dims {
		j.report, j.spec = common.copy(), spec.With("dims", d)
		var err error
		if out[i], err = solve(i); err != nil {
			return nil, err
		}
		out[i].report = j.report
	}
	return out, nil
}

func (p *ratio) path(j *job, dims []int) ([]*solution, error) {
	limited := make([]int, len(dims))
	for i, d := range dims {
		limited[i] = min(d, p.a.SymmetricDim())
	}
	var results []*spectral.TraceRatioResult
	var errs []error
	if j.choice("solver") == ITR {
		var err error
		if results, errs, err = spectral.TraceRatioPath(j.ctx, p.a, p.b, limited); err != nil {
			return nil, err
		}
	}
	return j.each(dims, func(i int) (*solution, error) {
		switch {
		case results == nil:
			return p.solve(j)
		case errs[i] != nil:
			return p.unbounded(j, j.limit(limited[i], noMore))
		}
		return p.solution(j, j.limit(limited[i], noMore), results[i]), nil
	})
}

// unbounded is the null-space solution.
func (p *ratio) unbounded(j *job, d int) (*solution, error) {
	j.report.warn("the denominator vanishes on a subspace of %d or more dimensions, where the ratio is unbounded: null-space solution taken; set Ridge to avoid it", d)
	return j.nullSpace(p.span, p.basis, p.a, p.b)
}

// solution records a result and turns it into the model's.
func (p *ratio) solution(j *job, d int, result *spectral.TraceRatioResult) *solution {
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
	return p.span.solution(lift(p.basis, result.W), result.Values[:d])
}

// eigengap names the distance of eigenvalues d and d+1 in reports: where it is 0
// another subspace does as well.
const eigengap = "eigengap"

// gap records the eigengap. There is none if every direction was taken.
func (j *job) gap(gap float64) { j.fact(eigengap, gap) }

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
// "within" and M a manifold term, nil where there is none. One decomposition of
// S + M serves all ridges α.
func (j *job) discriminant(s *span, sc *scatter, manifold *mat.SymDense) (*solution, error) {
	if err := j.stage("eigenvectors"); err != nil {
		return nil, err
	}
	alpha := j.ridge(sc)
	denominator, err := shared(j, "spectrum", func(j *job) (*spectral.Spectrum, error) {
		m := sc.within
		if j.choice("within") == TotalScatter {
			m = sc.total()
		}
		if manifold != nil {
			m = plus(m, 1, manifold)
		}
		return spectral.Decompose(m)
	}, sc, manifold)
	if err != nil {
		return nil, err
	}
	if largest := denominator.Values[len(denominator.Values)-1]; largest <= 0 && alpha == 0 {
		return nil, j.fault("labels", nil, fmt.Errorf("%w: one labelled sample per class leaves the within-class scatter 0", ErrNeedsLabels),
			"label two samples of a class, set Ridge, or use TRLDA, which has a rule for this")
	}
	return j.quotient(s, sc, denominator, alpha)
}

// quotient takes the directions of the largest τ of S_b v = τ (M + αI) v, M given
// by its spectrum.
func (j *job) quotient(s *span, sc *scatter, m *spectral.Spectrum, alpha float64) (*solution, error) {
	// There the quotient is infinite, and the largest τ is not looked for there.
	if share := m.Missed(sc.centers, alpha); share > 1e-16 {
		j.report.warn("the denominator vanishes on directions that hold %.2g of the between-class scatter, and these are left out; set Ridge, or use the trace-ratio method, which has a rule for this", share)
	}
	d := j.limit(min(len(sc.classes)-1, len(m.Values)), describe(len(sc.classes)))
	pairs, err := m.QuotientTop(sc.centers, alpha, d)
	if err != nil {
		return nil, err
	}
	if len(pairs.Values) < d {
		j.limit(len(pairs.Values), "the denominator has no greater rank")
	}
	j.gap(pairs.Gap)
	if j.choice("norm") == EuclideanNorm {
		unitColumns(pairs.Vectors)
	}
	return s.solution(pairs.Vectors, pairs.Values), nil
}

// unitColumns scales each column to |w| = 1. No direction of a quotient is 0.
func unitColumns(w *mat.Dense) {
	_, c := w.Dims()
	for k := range c {
		column := w.ColView(k).(*mat.VecDense)
		column.ScaleVec(1/mat.Norm(column, 2), column)
	}
}

// margin is the criterion tr Vᵀ(S_b − λ₁S_w − M)V under VᵀV = I, λ₁ being 1 where
// the method has no option "spread": the trace difference.
func margin(j *job, t *terms) (*solution, error) {
	spread := 1.0
	if _, ok := j.spec.method.Param("spread"); ok {
		spread = j.float("spread")
	}
	m := plus(t.between, -spread, t.within)
	if t.manifold != nil {
		m = plus(m, -1, t.manifold)
	}
	return j.difference(t.span, m)
}

// difference takes the top eigenvectors of m, an indefinite matrix in the span.
func (j *job) difference(s *span, m *mat.SymDense) (*solution, error) {
	if err := j.stage("eigenvectors"); err != nil {
		return nil, err
	}
	d := j.limit(m.SymmetricDim(), "the samples span no more")
	pairs, err := spectral.Top(m, d)
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
