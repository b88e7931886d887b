package ssdrnb

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// ratioProblem is a trace ratio whose matrices have been computed.
type ratioProblem interface {
	solve(*job) (*solution, error)
	// path returns a solution for each number of dimensions in dims.
	path(j *job, dims []int) ([]*solution, error)
}

// ratio is the problem of maximising tr(VᵀAV)/tr(VᵀBV) under VᵀV = I. It leaves out the directions
// of the span in which both A and B vanish.
type ratio struct {
	span  *span
	a, b  *mat.SymDense
	basis *mat.Dense // basis of the remaining directions; nil if all remain
}

// traceRatio prepares the maximisation of tr(VᵀAV)/tr(VᵀBV) under VᵀV = I. The arguments a and b
// are A and B in the coordinates of the span.
func traceRatio(j *job, s *span, a, b *mat.SymDense) (*ratio, error) {
	if err := j.begin("trace ratio"); err != nil {
		return nil, err
	}
	basis, a, b, err := discriminant.InCommonRange(a, b)
	if err != nil {
		return nil, err
	}
	return &ratio{s, a, b, basis}, nil
}

// solve maximises the ratio with the algorithm set by the option "solver", and records λ*, the
// eigengap and the history. If the ratio is unbounded, it returns the solution of nullSpace.
func (p *ratio) solve(j *job) (*solution, error) {
	d := j.compared(p.span, p.a.SymmetricDim())
	result, err := spectral.TraceRatio(j.ctx, p.a, p.b, d, spectral.TraceRatioOptions{Solver: solvers[solverOption.of(j)]})
	if errors.Is(err, spectral.ErrUnbounded) {
		return p.unbounded(j, d)
	}
	if err != nil {
		return nil, err
	}
	return p.solution(j, d, result), nil
}

func (p *ratio) path(j *job, dims []int) ([]*solution, error) {
	limited := make([]int, len(dims))
	for i, d := range dims {
		limited[i] = min(d, p.a.SymmetricDim())
	}
	var results []*spectral.TraceRatioResult
	var errs []error
	if solverOption.of(j) == ITR {
		var err error
		if results, errs, err = spectral.TraceRatioPath(j.ctx, p.a, p.b, limited); err != nil {
			return nil, err
		}
	}
	return eachDimension(j, dims, func(i int) (*solution, error) {
		switch {
		case results == nil:
			return p.solve(j)
		case errs[i] != nil:
			return p.unbounded(j, j.compared(p.span, limited[i]))
		}
		return p.solution(j, j.compared(p.span, limited[i]), results[i]), nil
	})
}

// eachDimension calls solve(i) with the option "dims" set to dims[i], for each i. Each call uses a
// separate copy of the job's report.
func eachDimension(j *job, dims []int, solve func(i int) (*solution, error)) ([]*solution, error) {
	out, common, spec := make([]*solution, len(dims)), j.report, j.spec
	defer func() { j.report, j.spec = common, spec }()
	for i, d := range dims {
		j.report, j.spec = common.copy(), spec.With(dimsOption.Name, d)
		var err error
		if out[i], err = solve(i); err != nil {
			return nil, err
		}
		out[i].report = j.report
	}
	return out, nil
}

// unbounded warns that the denominator vanishes in d or more directions, and returns the solution
// of nullSpace.
func (p *ratio) unbounded(j *job, d int) (*solution, error) {
	remedy := j.regularise()
	if j.spec.method.has(structureOption.Name) {
		remedy = "raise Structure"
		// The vectors that are constant on each component have no reconstruction error, whatever
		// its weight.
		if parts, _ := j.report.Fact("graph components"); parts > 1 {
			remedy = "raise Neighbors, or keep fewer directions with PCA"
		}
	}
	j.warn("the denominator vanishes on %d or more dimensions, where the ratio is unbounded: the null-space solution was used; %s to avoid this", d, remedy)
	return nullSpace(j, p.span, p.basis, p.a, p.b)
}

// solution records the result of the solver and converts it to the solution of the fit.
func (p *ratio) solution(j *job, d int, result *spectral.TraceRatioResult) *solution {
	j.fact("λ*", result.Lambda)
	j.gap(result.Gap)
	if !result.Unique {
		j.warn("eigenvalues %d and %d at λ* coincide: the projection is not unique", d, d+1)
	}
	j.trace(string(solverOption.of(j)), result)
	return p.span.solution(dense.Lift(p.basis, result.W), result.Values[:d])
}

// trace records the history of a trace-ratio solver.
func (w *work) trace(name string, result *spectral.TraceRatioResult) {
	t := Trace{Name: name}
	for _, h := range result.History {
		t.Lambda, t.G = append(t.Lambda, h.Lambda), append(t.G, h.G)
	}
	w.report.Traces = append(w.report.Traces, t)
}

// nullSpace maximises tr(VᵀAV) under VᵀV = I within the null space of B. This is the criterion of
// null-space LDA. The solution is the limit, for α → 0, of the solution for the trace ratio of A
// and B + αI. The arguments basis, a and b must be results of discriminant.InCommonRange.
func nullSpace(j *job, s *span, basis *mat.Dense, a, b *mat.SymDense) (*solution, error) {
	pairs, err := spectral.NullSpaceTop(a, b, dimsOption.of(j))
	if err != nil {
		return nil, err
	}
	j.limit(len(pairs.Values), "the null space of the denominator has no more dimensions")
	j.distinct(len(pairs.Values), pairs.Gap, mat.Norm(a, 2))
	return s.solution(dense.Lift(basis, pairs.Vectors), pairs.Values), nil
}
