package ssdrnb

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Estimator is a method with its options. Sweeps, comparisons and controls accept any Estimator;
// every builder implements it.
type Estimator interface {
	// Spec returns the method and its options.
	Spec() Spec
	// FitContext fits a model; see [Spec.FitContext].
	FitContext(ctx context.Context, d *data.Data) (*Model, error)
}

// SpecOf returns the spec of an estimator. If e is nil or a nil pointer, the Spec has an error.
func SpecOf(e Estimator) Spec {
	if v := reflect.ValueOf(e); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return Spec{method: &Method{Name: "nil"}, err: &Error{Method: "nil", Err: fmt.Errorf("%w: the method is nil", ErrOption), Remedy: "give a builder, such as PCA()"}}
	}
	return e.Spec()
}

// Spec is a method with the options that were set: the untyped form of a builder. It is a value;
// With returns a changed copy. Create a Spec with [New] or a builder: the zero value has no method,
// and its Err returns an error.
type Spec struct {
	method *Method
	set    map[string]any // only options that were set; immutable
	fresh  bool           // ignore cached results of earlier fits
	err    error          // first invalid option
}

// Spec returns s itself, so that a Spec implements [Estimator].
func (s Spec) Spec() Spec { return s.named() }

// Method returns the description of the method. For the zero value the description has no options.
func (s Spec) Method() *Method { return s.named().method }

// Err returns the error of the first invalid option, or of a missing method. Fit returns the same
// error.
func (s Spec) Err() error { return s.named().err }

// noMethod is the method of the zero value.
var noMethod = &Method{Name: "Spec"}

// named returns s. For the zero value it returns a Spec with an error.
func (s Spec) named() Spec {
	if s.method == nil {
		s.method = noMethod
		s.err = &Error{Method: noMethod.Name, Param: "method", Err: fmt.Errorf("%w: the zero value of Spec has no method", ErrOption),
			Remedy: "use a builder such as UMAP(), or New with the name of a method"}
	}
	return s
}

// With returns a copy in which the option with the given name has the value v. Fit returns an error
// for an unknown name, a wrong type or a value out of range.
func (s Spec) With(name string, v any) Spec {
	if s = s.named(); s.err != nil {
		return s
	}
	p, ok := s.method.Param(name)
	if !ok {
		names := make([]string, len(s.method.Params))
		for i, q := range s.method.Params {
			names[i] = q.Name
		}
		s.err = &Error{Method: s.method.Name, Param: name, Value: v,
			Err:    fmt.Errorf("%w: no such option", ErrOption),
			Remedy: "its options are " + strings.Join(names, ", ")}
		return s
	}
	value, err := p.check(v)
	if err != nil {
		if f, ok := number(v); ok && f == Auto {
			v = "auto"
		}
		s.err = &Error{Method: s.method.Name, Param: name, Value: v, Err: err, Remedy: p.Doc}
		return s
	}
	s.set = maps.Clone(s.set)
	if s.set == nil {
		s.set = map[string]any{}
	}
	s.set[name] = value
	return s
}

// Value returns the value of an option: the default if the option was not set, and nil if the
// method has no such option.
func (s Spec) Value(name string) any {
	if v, ok := s.set[name]; ok {
		return v
	}
	if p, ok := s.Method().Param(name); ok {
		return p.Default
	}
	return nil
}

// unitless reports whether the result is independent of the units of the features.
func (s Spec) unitless() bool { return s.method.unitless != nil && s.method.unitless(s) }

// Changed returns the names of the options that differ from their defaults, in
// the order of the documentation.
func (s Spec) Changed() []string {
	var out []string
	for _, p := range s.Method().Params {
		if v, ok := s.set[p.Name]; ok && v != p.Default {
			out = append(out, p.Name)
		}
	}
	return out
}

// String returns the name of the method and the options that differ from their defaults, such as
// "TR-SDA(neighbors=5)".
func (s Spec) String() string {
	var parts []string
	for _, name := range s.Changed() {
		parts = append(parts, name+"="+s.method.param(name).format(s.Value(name)))
	}
	return s.Method().Name + "(" + strings.Join(parts, ", ") + ")"
}

// key returns the name of the method and the values of all options as text, in a fixed order. Two
// Specs with equal keys fit equal models to equal data.
func (s Spec) key() string {
	var parts []string
	for _, p := range s.method.Params {
		parts = append(parts, fmt.Sprintf("%s=%v", p.Name, s.Value(p.Name)))
	}
	sort.Strings(parts)
	return s.method.Name + "|" + strings.Join(slices.Compact(parts), "|")
}
