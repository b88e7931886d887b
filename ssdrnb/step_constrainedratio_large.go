package ssdrnb

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// ratioSteps is the maximum number of Davidson steps for the trace ratio of many samples.
const ratioSteps = 200

// manyTolerance is the tolerance of the solver for data sets so large that the preconditioner
// divides them into regions. It is larger than the default, to save some of the slow steps. The
// relative error of a coordinate is about equal to the tolerance.
const manyTolerance = 1e-6

// largeRatio implements embeddingRatio by Davidson steps. They multiply vectors by the matrices A
// and B of the ratio, which are not stored as dense n×n matrices. The result has the first d + 1
// eigenvalues.
func largeRatio(j *job, p *pairing.Problem, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	return ratioWithin(j, p, d, ratioSteps)
}

// ratioWithin implements largeRatio with at most the given number of steps. If the solver has not
// converged by then, ratioWithin warns and returns the best result so far.
func ratioWithin(j *job, p *pairing.Problem, d, steps int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	p, back, err := p.Ordered()
	if err != nil {
		return nil, nil, err
	}
	groups, err := p.Grouping()
	if err != nil {
		return nil, nil, err
	}
	n, tolerance := p.Must.Rows, 0.0
	if groups.Regions != nil {
		tolerance = manyTolerance
	}
	r, err := spectral.TraceRatioOf(j.ctx, spectral.Func(n, p.MultiplyA), spectral.Func(n, p.MultiplyB), groups, d, spectral.OperatorTraceRatioOptions{
		Solver:    solvers[solverOption.of(j)],
		Tolerance: tolerance,
		MaxSteps:  steps,
		Progress:  func(step, most int) { j.progress(step, most, 0) },
	})
	if r != nil && errors.Is(err, spectral.ErrNotConverged) {
		j.warn("the trace ratio did not converge in %d steps: the largest residual is %.2g, the eigengap %.2g; the embedding is the best result so far", len(r.History), r.Residual, r.Gap)
	} else if err != nil {
		return nil, nil, err
	}
	j.fact("residual", r.Residual)
	j.fact("Davidson steps", float64(len(r.History)))
	reportParts(j, p, r.W)
	r.W = back(r.W)
	spectral.FixSigns(r.W)
	return r, r.W, nil
}
