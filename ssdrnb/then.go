package ssdrnb

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// Then combines two methods. The first, a linear or kernel map, reduces the dimension of the
// samples. The second, an embedding such as [S2NE] or [TSNE], lays out the result. Both use the
// same labels, pairs, known coordinates and targets.
//
//	model, err := ssdrnb.Then(ssdrnb.TRSDA().Dims(20), ssdrnb.S2NE()).Fit(digits)
//
// The result is a method like any other: it is fitted, cached, saved and swept as a whole, and
// Transform applies both parts. Options of the first method get its name as a prefix, such as
// "TR-SDA neighbors". Options of the second method keep their names. [Model.Values] and
// [Model.Graph] are those of the second method. The report has the stages of both methods. If the
// first method is nonlinear, or the second is linear or a kernel method, Fit returns an error.
func Then(first, second Estimator) Spec {
	a, b := SpecOf(first), SpecOf(second)
	for _, s := range []Spec{a, b} {
		if s.err != nil {
			return s
		}
	}
	m, err := chained(a.method, b.method)
	s := Spec{method: m, fresh: a.fresh || b.fresh, err: err}
	for name, v := range b.set {
		s = s.With(name, v)
	}
	for name, v := range a.set {
		s = s.With(prefixOf(a.method)+name, v)
	}
	return s
}

// chain separates the names of two combined methods.
const chain = " then "

var chainPattern = regexp.MustCompile("(?i)" + chain)

// prefixOf returns the prefix of the options of the first method.
func prefixOf(first *Method) string { return first.Name + " " }

func chained(first, second *Method) (*Method, error) {
	m := &Method{
		Name: first.Name + chain + second.Name, Func: "Then", Title: first.Title + chain + second.Title, Paper: first.Paper + "; " + second.Paper,
		Supervision: second.Supervision, Shape: second.Shape, Uses: second.Uses,
		Selects: first.Selects, Descends: first.Descends || second.Descends, Random: first.Random || second.Random,
		takes: first.takes, first: first, second: second, fit: fitChain,
		Params: list(options(second.Params)),
	}
	if first.Supervision != Unsupervised && second.Supervision != SemiSupervised {
		m.Supervision = first.Supervision
	}
	if first.Uses != NoKnowledge {
		m.Uses = first.Uses
	}
	for _, p := range first.Params {
		p.Name = prefixOf(first) + p.Name
		if _, ok := second.Param(p.Name); ok {
			return m, &Error{Method: m.Name, Err: fmt.Errorf("%w: two options would have the name %s", ErrOption, p.Name), Remedy: "use a different method in one of the two places"}
		}
		m.Params = append(m.Params, p)
	}
	if first.Shape == Nonlinear || second.Shape != Nonlinear {
		return m, &Error{Method: m.Name, Err: fmt.Errorf("%w: the first method must be linear or a kernel method, the second nonlinear; they are %s and %s", ErrOption, first.Shape, second.Shape),
			Remedy: "use for example Then(PCA().Dims(50), TSNE())"}
	}
	return m, nil
}

// part is a method with its options, alone or as a part of combined methods. In combined methods,
// the names of its options begin with the field prefix.
type part struct {
	Spec
	prefix string
}

// first and second return the two parts of combined methods.
func (s Spec) first() part  { return s.part(s.method.first, prefixOf(s.method.first)) }
func (s Spec) second() part { return s.part(s.method.second, "") }

func (s Spec) part(m *Method, prefix string) part {
	p := part{Spec{method: m, fresh: s.fresh}, prefix}
	for _, o := range m.Params {
		if v, ok := s.set[prefix+o.Name]; ok {
			p.Spec = p.With(o.Name, v)
		}
	}
	return p
}

// parts returns the combined methods in order, or s if it is a single method.
func (s Spec) parts() []part {
	if s.method.first == nil {
		return []part{{s, ""}}
	}
	return append([]part{s.first()}, s.second().parts()...)
}

// fitChain fits the first method, and then the second method to the embedding of the first.
func fitChain(j *job) (*solution, error) {
	inner, err := fitPart(j, j.spec.first(), j.data, j.cache)
	if err != nil {
		return nil, err
	}
	reduced := *j.data
	reduced.X, reduced.Rows, reduced.Image, reduced.FeatureNames = inner.y, nil, data.Image{}, nil
	outer, err := fitPart(j, j.spec.second(), &reduced, newCache())
	if outer != nil && outer.mapping != nil {
		outer.mapping = &outofsample.Chain{First: inner.mapping, Second: outer.mapping}
	}
	return outer, err
}

// fitPart fits p, one of two combined methods, and appends its report to the report of j.
func fitPart(j *job, p part, d *data.Data, c *cache) (*solution, error) {
	part, prefix := newJob(j.ctx, p.Spec, d, c), p.prefix
	if err := part.check(); err != nil {
		return nil, j.ofPart(err, prefix)
	}
	part.start()
	part.warnOfTarget()
	sol, err := p.method.run(part)
	part.stop()
	for name, v := range part.report.Params { // these values include lowered defaults
		j.report.Params[prefix+name] = v
	}
	for name := range part.read {
		j.read[prefix+name] = true
	}
	for _, stage := range part.report.Stages {
		stage.Name = prefix + stage.Name
		j.report.Stages = append(j.report.Stages, stage)
	}
	for _, f := range part.report.Facts {
		j.fact(prefix+f.Name, f.Value)
	}
	j.report.Traces = append(j.report.Traces, part.report.Traces...)
	for _, w := range part.report.warned {
		w.text = prefix + w.text
		if w.option != "" {
			w.option = prefix + w.option
		}
		j.report.add(w)
	}
	if err == nil {
		err = sol.check(part.report)
	}
	if err != nil {
		err = j.ofPart(part.explain(err), prefix)
	}
	if err != nil && (prefix != "" || j.ctx.Err() == nil) {
		return nil, err // an embedding is returned only if ctx ended during the second method
	}
	return sol, err
}

// ofPart converts an error of a combined method into an error of j. It prefixes the option name.
func (j *job) ofPart(err error, prefix string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	whole := *e
	whole.Method = j.method
	if _, ok := j.spec.method.Param(prefix + e.Param); ok {
		whole.Param = prefix + e.Param
	}
	return &whole
}
