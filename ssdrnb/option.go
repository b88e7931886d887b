package ssdrnb

// option is an option declared once, with the type of its value: what the registry
// lists, what a setter sets and what a fit reads.
type option[T int | float64 | string | bool] struct{ Param }

// declare returns the option that p describes; its Kind follows from T.
func declare[T int | float64 | string | bool](p Param) option[T] {
	var zero T
	switch any(zero).(type) {
	case int:
		p.Kind = IntParam
	case float64:
		p.Kind = FloatParam
	case string:
		p.Kind = ChoiceParam
	case bool:
		p.Kind = BoolParam
	}
	return option[T]{p}
}

// with returns the option with another default, for a method's list.
func (o option[T]) with(def T) option[T] {
	o.Default = def
	return o
}

// as returns the option with another description, for a method's list.
func (o option[T]) as(doc string) option[T] {
	o.Doc = doc
	return o
}

// automatic returns the option with [Auto] as its default, which means meaning.
func (o option[T]) automatic(meaning string) option[T] {
	o.Default, o.Auto = float64(Auto), meaning
	return o
}

// of returns the value in the fit j.
func (o option[T]) of(j *job) T {
	j.spec.method.param(o.Name)
	j.read[o.Name] = true
	return j.spec.Value(o.Name).(T)
}

// auto reports whether the fit asks for the automatic value.
func (o option[T]) auto(j *job) bool {
	return j.spec.method.param(o.Name).isAuto(o.of(j))
}

// in reports whether the method declares the option.
func (o option[T]) in(m *Method) bool {
	_, ok := m.Param(o.Name)
	return ok
}

// set returns the spec with the option set to v.
func (o option[T]) set(s Spec, v T) Spec { return s.With(o.Name, v) }

// set returns the builder with the option set to v.
func set[Builder any, T int | float64 | string | bool](c *core[Builder], o option[T], v T) Builder {
	return c.with(o.Name, v)
}

// declaration is an option, or several, in the list of a method.
type declaration interface{ params() []Param }

func (p Param) params() []Param { return []Param{p} }

// options lists the options of a method in the order of its documentation.
type options []Param

func (l options) params() []Param { return l }

// list puts declarations together.
func list(parts ...declaration) options {
	var out options
	for _, p := range parts {
		out = append(out, p.params()...)
	}
	return out
}
