package ssdrnb

import "reflect"

// An option is declared once, with the type of its value. The registry lists the declaration, go
// generate creates the setter from it, and a fit reads the option through it. The comment on the
// declaration begins with the setter and its parameter, such as "Manifold(weight)"; after a colon
// it may continue the description in Doc. An option without a Setter can be set only by With, and
// serves only to reproduce a paper.
type (
	intOption   Param
	floatOption Param
	boolOption  Param
	// choice is the part of choiceOption without a type parameter. Its code is linked only once,
	// which matters because every notebook cell links all options.
	choice                  Param
	choiceOption[T ~string] struct{ choice }
)

// of returns the value of the option in the fit j.
func (o intOption) of(j *job) int       { return j.option(o.Name).(int) }
func (o floatOption) of(j *job) float64 { return j.option(o.Name).(float64) }
func (o *choiceOption[T]) of(j *job) T  { return T(j.option(o.Name).(string)) }
func (o boolOption) of(j *job) bool     { return j.option(o.Name).(bool) }

// option returns the value of the option with the given name, which the method must declare, and
// records that the fit has read it.
func (j *job) option(name string) any {
	j.spec.method.param(name)
	j.read[name] = true
	return j.value(name)
}

// value returns the value of the option in the Spec. If the default was lowered because there are
// too few samples, it returns the lowered default.
func (j *job) value(name string) any {
	if v, ok := j.lowered[name]; ok {
		return v
	}
	return j.spec.Value(name)
}

// auto reports whether the option has the value [Auto].
func (o intOption) auto(j *job) bool   { return j.spec.method.param(o.Name).isAuto(o.of(j)) }
func (o floatOption) auto(j *job) bool { return j.spec.method.param(o.Name).isAuto(o.of(j)) }

// has reports whether the method declares an option with the given name.
func (m *Method) has(name string) bool {
	_, ok := m.Param(name)
	return ok
}

// If the following functions were inlined in the option lists of the methods, every program would
// grow by 80 kB.

// with returns a copy of the option with another default, for the option list of a method.
//
//go:noinline
func (o intOption) with(def int) intOption {
	o.Default = def
	return o
}

//go:noinline
func (o floatOption) with(def float64) floatOption {
	o.Default = def
	return o
}

//go:noinline
func (o *choiceOption[T]) with(def T) *choiceOption[T] {
	return &choiceOption[T]{o.choice.with(string(def))}
}

//go:noinline
func (o choice) with(def string) choice {
	o.Default = def
	return o
}

// withDoc returns a copy of the option with another description, for the option list of a method.
//
//go:noinline
func (o intOption) withDoc(doc string) intOption {
	o.Doc = doc
	return o
}

//go:noinline
func (o floatOption) withDoc(doc string) floatOption {
	o.Doc = doc
	return o
}

// automatic returns a copy of the option with the default [Auto]. The argument "meaning" describes
// the value that [Auto] stands for.
//
//go:noinline
func (o floatOption) automatic(meaning string) floatOption {
	o.Default, o.Auto = float64(Auto), meaning
	return o
}

// declaration is an element of the option list of a method: one option, or a list of several.
type declaration interface{ params() []Param }

func (o intOption) params() []Param   { return kind(IntParam, Param(o)) }
func (o floatOption) params() []Param { return kind(FloatParam, Param(o)) }
func (o *choice) params() []Param {
	p := Param(*o)
	p.Default = reflect.ValueOf(p.Default).String() // convert from the type of the choices to string
	return kind(ChoiceParam, p)
}

func (o boolOption) params() []Param { return kind(BoolParam, Param(o)) }

// choices returns the given values of a choiceOption as strings.
//
//go:noinline
func choices[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

func kind(k ParamKind, p Param) []Param {
	p.Kind = k
	return []Param{p}
}

// options lists the options of a method in the order of their documentation.
type options []Param

func (l options) params() []Param { return l }

// list concatenates declarations.
func list(parts ...declaration) options {
	var out options
	for _, p := range parts {
		out = append(out, p.params()...)
	}
	return out
}
