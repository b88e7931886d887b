package ssdrnb

// An option is declared once, with the type of its value: what the registry lists, what
// a setter sets and what a fit reads. These are four types and not a generic one, whose
// methods every cell of a notebook would compile anew: setters are compiled where their
// builder is used.
type (
	intOption    Param
	floatOption  Param
	choiceOption Param
	boolOption   Param
)

// setting is an option with the value that a setter gives it.
type setting struct {
	name  string
	value any
}

func (o intOption) to(v int) setting       { return setting{o.Name, v} }
func (o floatOption) to(v float64) setting { return setting{o.Name, v} }
func (o choiceOption) to(v string) setting { return setting{o.Name, v} }
func (o boolOption) to(v bool) setting     { return setting{o.Name, v} }

// set returns the builder with an option set. Inlined, it would be compiled for each
// setter of a builder in every cell.
//
//go:noinline
func set[Builder any](c *core[Builder], s setting) Builder { return c.with(s.name, s.value) }

// of returns the value in the fit j.
func (o intOption) of(j *job) int       { return j.option(o.Name).(int) }
func (o floatOption) of(j *job) float64 { return j.option(o.Name).(float64) }
func (o choiceOption) of(j *job) string { return j.option(o.Name).(string) }
func (o boolOption) of(j *job) bool     { return j.option(o.Name).(bool) }

// option returns the value of an option that the method has to declare.
func (j *job) option(name string) any {
	j.spec.method.param(name)
	j.read[name] = true
	return j.value(name)
}

// value is Spec.Value, unless the samples are too few for a default.
func (j *job) value(name string) any {
	if v, ok := j.lowered[name]; ok {
		return v
	}
	return j.spec.Value(name)
}

// auto reports whether the fit asks for the automatic value.
func (o intOption) auto(j *job) bool   { return j.spec.method.param(o.Name).isAuto(o.of(j)) }
func (o floatOption) auto(j *job) bool { return j.spec.method.param(o.Name).isAuto(o.of(j)) }

// has reports whether the method declares the option of a name.
func (m *Method) has(name string) bool {
	_, ok := m.Param(name)
	return ok
}

// with returns the option with another default, for a method's list.
func (o intOption) with(def int) intOption {
	o.Default = def
	return o
}

func (o floatOption) with(def float64) floatOption {
	o.Default = def
	return o
}

func (o choiceOption) with(def string) choiceOption {
	o.Default = def
	return o
}

// as returns the option with another description, for a method's list.
func (o intOption) as(doc string) intOption {
	o.Doc = doc
	return o
}

func (o floatOption) as(doc string) floatOption {
	o.Doc = doc
	return o
}

// automatic returns the option with [Auto] as its default, which means meaning.
func (o floatOption) automatic(meaning string) floatOption {
	o.Default, o.Auto = float64(Auto), meaning
	return o
}

// declaration is an option, or several, in the list of a method.
type declaration interface{ params() []Param }

func (o intOption) params() []Param    { return kind(IntParam, Param(o)) }
func (o floatOption) params() []Param  { return kind(FloatParam, Param(o)) }
func (o choiceOption) params() []Param { return kind(ChoiceParam, Param(o)) }
func (o boolOption) params() []Param   { return kind(BoolParam, Param(o)) }

func kind(k ParamKind, p Param) []Param {
	p.Kind = k
	return []Param{p}
}

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
