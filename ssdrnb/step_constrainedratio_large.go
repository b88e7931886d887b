package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// ratioSteps bounds the Davidson steps of the trace ratio of many samples.
const ratioSteps = 200

// largeRatio solves the problem by products alone. Values are the first d + 1.
func largeRatio(j *job, p *pairing.Problem, d int) (*spectral.TraceRatioResult, *mat.Dense, error) {
	groups, err := p.Grouping()
	if err != nil {
		return nil, nil, err
	}
	n := p.Must.Rows
	r, err := spectral.TraceRatioOf(j.ctx, spectral.Func(n, p.MultiplyA), spectral.Func(n, p.MultiplyB), d, spectral.OperatorTraceRatioOptions{
		TraceRatioOptions: spectral.TraceRatioOptions{Solver: solvers[solverOption.of(j)], MaxSteps: ratioSteps},
		Groups:            groups,
		Progress: func(step, most int) {
			Notify(Event{Method: j.method, Stage: j.stage, Done: step, Total: most})
		},
	})
	if err != nil {
		return nil, nil, err
	}
	j.fact("residual", r.Residual)
	j.fact("Davidson steps", float64(len(r.History)))
	return r, r.W, nil
}
