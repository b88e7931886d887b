package ssdrnb

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// The trace ratio of pair constraints. It is maximised over free coordinates of the samples, or
// over linear projections of the samples.

// denseEmbedding is the number of samples n up to which the ratio is maximised by full
// eigendecompositions of order n − 1.
const denseEmbedding = 500

// constrained fits S2LAE or S2LLE. It maximises the ratio over free coordinates, or over
// projections if the option "linearized" is set.
func constrained(j *job, problem func(*job) (*pairing.Problem, error)) (*solution, error) {
	p, err := problem(j)
	if err != nil {
		return nil, err
	}
	if linearizedOption.of(j) {
		return projectConstrained(j, p)
	}
	y, values, err := embedConstrained(j, p)
	if err != nil {
		return nil, err
	}
	return embedded(y, values, barycentreOf(j, y)), nil
}

// embedConstrained solves the problem for free coordinates, with the criterion set by the option
// "criterion". It returns the n×d matrix of the coordinates, and their eigenvalues.
func embedConstrained(j *job, p *pairing.Problem) (y *mat.Dense, values []float64, err error) {
	if criterionOption.of(j) == RatioTrace {
		return embedByRatioTrace(j, p)
	}
	if err := j.begin("trace ratio"); err != nil {
		return nil, nil, err
	}
	d := dimsOption.of(j)
	r, y, err := embeddingRatio(j, p, d)
	if errors.Is(err, spectral.ErrUnbounded) {
		return nil, nil, j.faultAmong(nil, "ridge", fmt.Errorf("%w: %w: the denominator nearly vanishes on %s", ErrOption, spectral.ErrUnbounded, nouns.Count(d, "dimension")), "raise Ridge; the paper uses 1e-3")
	}
	if err != nil {
		return nil, nil, err
	}
	j.fact("λ*", r.Lambda)
	j.gap(r.Gap)
	if !r.Unique {
		j.warn("eigenvalues %d and %d at λ* coincide: λ* is unique, but the embedding is not", d, d+1)
	}
	j.trace(string(solverOption.of(j)), r)
	return y, r.Values[:d], nil
}

// denseRatioTrace is the maximum number of samples for the ratio trace, which requires matrices of
// order n.
const denseRatioTrace = 5000

// embedByRatioTrace returns the embedding that consists of the generalised eigenvectors of Ay = τBy
// with the largest τ. The report has the trace ratio of their span, which is at most the maximum
// λ*.
func embedByRatioTrace(j *job, p *pairing.Problem) (y *mat.Dense, values []float64, err error) {
	if err := j.begin("ratio trace"); err != nil {
		return nil, nil, err
	}
	if n := p.Must.Rows; n > denseRatioTrace {
		return nil, nil, j.fault("criterion", RatioTrace, fmt.Errorf("%w: the ratio trace needs matrices of order %d, but the limit is %d", ErrOption, n, denseRatioTrace), "set Criterion(TraceRatio), or fit fewer samples")
	}
	a, b, err := p.Dense()
	if err != nil {
		return nil, nil, err
	}
	pairs, err := spectral.GeneralizedTop(pairing.CentredForm(a), pairing.CentredForm(b), dimsOption.of(j))
	if err != nil {
		return nil, nil, err
	}
	y = pairing.Uncompressed(pairs.Vectors)
	numerator, denominator := p.Parts(spectral.Orthonormal(y))
	j.fact("trace ratio of the span", numerator/denominator)
	return y, pairs.Values, nil
}

// embeddingRatio maximises the trace ratio and returns the result and the n×d embedding.
func embeddingRatio(j *job, p *pairing.Problem, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	if n := p.Must.Rows; n > denseEmbedding {
		if solver := solverOption.of(j); solver == itrScoreAsPrinted {
			return nil, nil, j.fault("solver", solver, fmt.Errorf("%w: this solver needs all eigenvectors, which are computed for at most %d samples, not %d", ErrOption, denseEmbedding, n), "set Solver(ITR), or fit fewer samples")
		}
		return largeRatio(j, p, d)
	}
	return smallRatio(j, p, d)
}

// smallRatio implements embeddingRatio by full eigendecompositions.
func smallRatio(j *job, p *pairing.Problem, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	a, b, err := p.Dense()
	if err != nil {
		return nil, nil, err
	}
	r, err := spectral.TraceRatio(j.ctx, pairing.CentredForm(a), pairing.CentredForm(b), d,
		spectral.TraceRatioOptions{Solver: solvers[solverOption.of(j)], StartSet: true})
	if err != nil {
		return nil, nil, err
	}
	y := pairing.Uncompressed(r.W)
	reportParts(j, p, y)
	return r, y, nil
}

// reportParts records the numerator and the denominator of the trace ratio for the coordinates y.
func reportParts(j *job, p *pairing.Problem, y *mat.Dense) {
	numerator, denominator := p.Parts(y)
	j.fact("numerator", numerator)
	j.fact("denominator", denominator)
}

// projectConstrained maximises the ratio over projections of the samples, with the criterion set by
// the option "criterion".
func projectConstrained(j *job, p *pairing.Problem) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	_, order := s.z.Dims()
	total := mat.NewSymDense(order, nil)
	total.SymOuterK(1, s.z.T()) // zᵀz = zᵀ(I − 11ᵀ/n)z, because z is centred
	a := dense.Plus(mat.NewSymDense(order, nil), p.Ell, total)
	a = dense.Plus(a, 1-p.Ell, dense.Quadratic(p.Cannot, s.z))
	b := s.smooth(j.work, p.Must)
	if p.Residual != nil {
		b = dense.Plus(b, 1, dense.SquaredNorms(p.Residual, s.z))
	}
	b = dense.Plus(b, p.Mu, total)
	if criterionOption.of(j) == RatioTrace {
		if err := j.begin("ratio trace"); err != nil {
			return nil, err
		}
		d := j.spanned(s, order)
		pairs, err := spectral.GeneralizedTop(a, b, d)
		if err != nil {
			return nil, err
		}
		j.regular(s, len(pairs.Values), d)
		return s.solution(pairs.Vectors, pairs.Values), nil
	}
	r, err := traceRatio(j, s, a, b)
	if err != nil {
		return nil, err
	}
	return r.solve(j)
}
