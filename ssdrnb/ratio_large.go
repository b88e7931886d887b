package ssdrnb

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// ratioSteps bounds the Davidson steps of the trace ratio of many samples.
const ratioSteps = 200

// largeRatio solves the problem by products alone. Values are the first d + 1.
func largeRatio(j *job, p *embedding, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	return ratioWithin(j, p, d, ratioSteps)
}

// ratioWithin is largeRatio in at most steps steps, after which it warns and returns the
// best so far.
func ratioWithin(j *job, p *embedding, d, steps int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	groups, err := p.grouping()
	if err != nil {
		return nil, nil, err
	}
	n := p.must.Rows
	r, err := spectral.TraceRatioOf(j.ctx, spectral.Func(n, p.multiplyA), spectral.Func(n, p.multiplyB), groups, d, spectral.OperatorTraceRatioOptions{
		Solver:   solvers[solverOption.of(j)],
		MaxSteps: steps,
		Progress: func(step, most int) {
			notify(Event{Method: j.method, Stage: j.stage, Done: step, Total: most})
		},
	})
	if r != nil && errors.Is(err, spectral.ErrNotConverged) {
		j.warn("the trace ratio has not converged in %d steps: the largest residual is %.2g where the eigengap is %.2g; the embedding is the best so far", steps, r.Residual, r.Gap)
	} else if err != nil {
		return nil, nil, err
	}
	j.fact("residual", r.Residual)
	j.fact("Davidson steps", float64(len(r.History)))
	return r, r.W, nil
}

// grouping returns the must-link components: B is μ on the span of their normed
// indicators Z, and A is ℓ + (1 − ℓ)·ZᵀL_CZ there.
func (p *embedding) grouping() (*spectral.Groups, error) {
	n := p.must.Rows
	norm := make([]float64, p.groups)
	for _, c := range p.of {
		norm[c]++
	}
	for c, size := range norm {
		norm[c] = 1 / math.Sqrt(size)
	}
	var entries []sparse.Triplet
	for i := range n {
		cols, vals := p.cannot.Row(i)
		for k, c := range cols {
			a, b := p.of[i], p.of[c]
			entries = append(entries, sparse.Triplet{Row: a, Col: b, Value: vals[k] * norm[a] * norm[b]})
		}
	}
	coarse, err := sparse.FromTriplets(p.groups, p.groups, entries)
	if err != nil {
		return nil, err
	}
	g := &spectral.Groups{Count: p.groups, Of: p.of, Value: p.mu, DiagA: p.cannot.Diag(), DiagB: p.must.Diag()}
	g.Coarse = spectral.Func(p.groups, func(dst, y *mat.Dense) {
		coarse.MulTo(dst, y)
		rows, _ := y.Dims()
		for i := range rows {
			row := dst.RawRowView(i)
			for k, v := range y.RawRowView(i) {
				row[k] = p.ell*v + (1-p.ell)*row[k]
			}
		}
	})
	if p.residual != nil {
		for k, c := range p.residual.ColInd {
			g.DiagB[c] += p.residual.Val[k] * p.residual.Val[k]
		}
	}
	for i, v := range g.DiagA {
		g.DiagA[i] = p.ell + (1-p.ell)*v
		g.DiagB[i] += p.mu
	}
	return g, nil
}
