package ssdrnb

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// FitPath fits the method for several dimensions at once and returns one model per entry of dims,
// in that order. The models equal those of separate fits. If [Method.Nested] is true, a model with
// fewer dimensions consists of the first columns of the largest model. The fits of a trace-ratio
// method share matrices and decompositions. In both cases the cost is little more than that of one
// fit. Other methods are fitted separately for each dimension. The models are not cached. A method
// without the option dims, such as [FME] with one dimension for each class, is fitted once and
// reduced by [Model.Reduce]. See [Spec.FitContext] for errors.
func (s Spec) FitPath(ctx context.Context, d *data.Data, dims ...int) ([]*Model, error) {
	ctx = par.Context(ctx)
	return s.named().fitPath(ctx, d, dims, newCache())
}

// fitPath is FitPath with the cache st of intermediate results, which it shares with other fits to
// the same data.
func (s Spec) fitPath(ctx context.Context, d *data.Data, dims []int, st *cache) ([]*Model, error) {
	if s.err == nil && len(dims) == 0 {
		s.err = &Error{Method: s.method.Name, Param: "dims", Err: fmt.Errorf("%w: the list of dimensions is empty", ErrOption), Remedy: "give at least one"}
	}
	if s.err != nil {
		return nil, s.err
	}
	models := make([]*Model, len(dims))
	if !s.method.has(dimsOption.Name) {
		j := newJob(ctx, s, d, st)
		err := j.check()
		if err == nil {
			models[0], err = j.fit()
		}
		if err != nil {
			return nil, err
		}
		whole := models[0]
		for i, k := range dims {
			if models[i], err = whole.Reduce(k); err != nil {
				return nil, err
			}
		}
		return models, nil
	}
	for _, k := range dims {
		if s = s.With("dims", k); s.err != nil {
			return nil, s.err
		}
	}
	fit := func(k int) (*job, error) {
		j := newJob(ctx, s.With("dims", k), d, st)
		return j, j.check()
	}
	if s.method.ratio == nil && !s.method.Nested {
		for i, k := range dims {
			j, err := fit(k)
			if err != nil {
				return nil, err
			}
			if models[i], err = j.fit(); err != nil {
				return nil, err
			}
		}
		return models, nil
	}
	j, err := fit(slices.Max(dims))
	if err != nil {
		return nil, err
	}
	if s.method.Nested {
		whole, err := j.fit()
		if err != nil {
			return nil, err
		}
		for i, k := range dims {
			models[i] = whole.first(k)
		}
		return models, nil
	}
	j.start()
	j.warnOfData()
	p, err := s.method.ratio(j)
	var solutions []*solution
	if err == nil {
		solutions, err = p.path(j, dims)
	}
	j.stop()
	for i := range solutions {
		if err != nil {
			break
		}
		one := solutions[i]
		err = one.check(one.report)
		one.report.Stages, one.report.Params["dims"] = j.report.Stages, dims[i]
		j.warnOfUnused(one.report)
		models[i] = &Model{spec: s.With("dims", dims[i]), data: d, y: one.y, values: one.values, mapping: one.mapping, graph: one.graph, report: one.report}
		if err == nil {
			models[i].describe()
		}
	}
	if err != nil {
		return nil, j.explain(err)
	}
	return models, nil
}

// first returns the model restricted to its first d dimensions, or to all of them if it has fewer.
// The result shares its arrays with m.
func (m *Model) first(d int) *Model {
	n, has := m.y.Dims()
	out := *m
	out.spec = m.spec.With("dims", d)
	out.report = m.report.copy()
	out.report.Params["dims"] = d
	out.report.Warnings, out.report.warned = nil, nil
	for _, w := range m.report.warned {
		switch {
		case w.kind == plainWarning, w.kind == nearParts, (w.kind == collapse || w.kind == tied) && d >= has:
			out.report.add(w)
		case w.kind == missingDimensions && d > w.dims:
			out.report.warnMissing(w.dims, d, w.reason)
		}
	}
	if d >= has {
		return &out
	}
	out.y = m.y.Slice(0, n, 0, d).(*mat.Dense)
	if m.values != nil {
		out.values = m.values[:d]
		if !m.spec.method.gapless {
			gap := math.Abs(m.values[d-1] - m.values[d])
			out.report.setFact(eigengap, gap)
			out.report.warnTied(d, gap)
		}
		if share, ok := out.report.Fact(varianceShare); ok { // only models whose values are variances have this fact
			out.report.setFact(varianceShare, share*floats.Sum(out.values)/floats.Sum(m.values))
		}
	}
	if r, ok := m.mapping.(outofsample.Nested); ok {
		out.mapping = r.First(d)
	}
	out.describe()
	return &out
}

// copy returns a copy of the report that can be changed without changing r.
func (r *Report) copy() *Report {
	out := *r
	out.Params = map[string]any{}
	maps.Copy(out.Params, r.Params)
	out.Stages, out.Traces = slices.Clone(r.Stages), slices.Clone(r.Traces)
	out.Facts, out.Warnings, out.warned = slices.Clone(r.Facts), slices.Clone(r.Warnings), slices.Clone(r.warned)
	return &out
}
