package ssdrnb

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Auto selects the documented automatic value of a numeric option that has one. It lies outside the
// range of every option, and far from values that a wrong sign or a sweep step could produce. Such
// values, for example −1, are therefore errors.
const Auto = math.MinInt32

// ParamKind is the type of an option's value.
type ParamKind int

// The kinds of options.
const (
	IntParam    ParamKind = iota // int
	FloatParam                   // float64
	ChoiceParam                  // string, one of Choices; With also accepts a constant such as [Geodesic]
	BoolParam                    // bool
)

// Param describes one option of a method. The tables of the registry, the sweeps and the live
// controls are generated from it.
type Param struct {
	// Name is the key of the option in Sweep and in reports, such as "neighbors".
	Name string
	// Setter is the method of the builder, such as "Neighbors". It is empty for an option that can
	// be set only by [Spec.With], to reproduce a paper.
	Setter string
	// Doc describes the option in a phrase, with the unit of the value if it has one.
	Doc string
	// Kind is the type of the value.
	Kind ParamKind
	// Default is the value used if none is set.
	Default any
	// Min and Max are the inclusive bounds of a numeric value.
	Min, Max float64
	// Log is true if sweeps and sliders should use multiplicative steps.
	Log bool
	// Auto documents the meaning of [Auto]; empty if [Auto] is not allowed.
	Auto string
	// Choices lists the values of a ChoiceParam.
	Choices []string
}

// check converts v to the type of the option, and returns an error if the value is not allowed.
func (p Param) check(v any) (any, error) {
	bad := func(format string, args ...any) (any, error) {
		return nil, fmt.Errorf("%w: %s", ErrOption, fmt.Sprintf(format, args...))
	}
	switch p.Kind {
	case BoolParam:
		if b, ok := v.(bool); ok {
			return b, nil
		}
		return bad("the option takes true or false, not %s", shown(v))
	case ChoiceParam:
		if s := reflect.ValueOf(v); s.Kind() == reflect.String && slices.Contains(p.Choices, s.String()) {
			return s.String(), nil
		}
		return bad("the option takes one of %s, not %s", strings.Join(p.Choices, ", "), shown(v))
	}
	f, ok := number(v)
	switch {
	case p.Kind == IntParam && (!ok || f != math.Trunc(f) || math.IsInf(f, 0)):
		return bad("the option takes a whole number, not %s", shown(v))
	case !ok || math.IsNaN(f) || math.IsInf(f, 0):
		return bad("the option takes a finite number, not %s", shown(v))
	}
	if f == Auto && p.Auto == "" {
		return bad("the option has no automatic value, but must lie in %s", p.rangeText())
	}
	if !p.isAuto(f) && (f < p.Min || f > p.Max) {
		return bad("the value must lie in %s", p.rangeText())
	}
	if p.Kind == IntParam {
		return int(f), nil
	}
	return f, nil
}

// shown formats a value of any type for an error message. Texts are quoted.
func shown(v any) string {
	switch s := reflect.ValueOf(v); {
	case !s.IsValid():
		return "nil"
	case s.Kind() == reflect.String:
		return strconv.Quote(s.String())
	}
	return fmt.Sprint(v)
}

func (p Param) rangeText() string {
	switch p.Kind {
	case ChoiceParam:
		return strings.Join(p.Choices, " | ")
	case BoolParam:
		return "true | false"
	}
	bound := func(f float64) string {
		if p.Kind == IntParam {
			return strconv.Itoa(int(f))
		}
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	s := "[" + bound(p.Min)
	if p.Min == tiny {
		s = "(0"
	}
	if p.Max == huge {
		s += ", ∞)"
	} else {
		s += ", " + bound(p.Max) + "]"
	}
	if p.Auto != "" {
		s += " or Auto"
	}
	return s
}

func (p Param) isAuto(v any) bool {
	f, ok := number(v)
	return ok && p.Auto != "" && f == Auto
}

// stored converts a value of the named option that was read from a file. If the option allows
// [Auto], −1 becomes Auto, because earlier versions stored it as −1.
func (m *Method) stored(name string, v any) any {
	if p, ok := m.Param(name); ok && p.Auto != "" && v == -1.0 {
		return float64(Auto)
	}
	return v
}

// remoteness returns a distance between v and the default; v must differ from the default. The
// distance is used to find the options that may explain a failed fit. For numbers the distance is 1
// plus the absolute value of log|v/default|. In this formula, a default of 0 or [Auto] counts as 1,
// and a value v of 0 counts as 2⁻⁵² times the default. For choices and booleans, and if v is
// [Auto], the distance is 1.
func (p Param) remoteness(v any) float64 {
	a, isNumber := number(v)
	if !isNumber || p.isAuto(v) {
		return 1
	}
	b, _ := number(p.Default)
	if a, b = math.Abs(a), math.Abs(b); b == 0 || p.isAuto(p.Default) {
		b = 1
	}
	if a == 0 {
		a = b * 0x1p-52
	}
	return 1 + math.Abs(math.Log(a)-math.Log(b))
}

func (p Param) format(v any) string {
	if p.isAuto(v) {
		return "auto"
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	return fmt.Sprint(v)
}

// number converts v to float64. The second result is false unless v is an int or a float64.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
