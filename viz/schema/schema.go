// Package schema describes the data that a notebook may contain for figures and widgets: the type
// and the bounds of each key. In an untrusted notebook, the extension draws only data that match
// the description. Other data cannot be the output of viz.
//
// The description of figures is derived from the types and tags of package viz/chart, and from
// package viz/bounds, which contains the bounds that viz checks its own figures against. [Figures]
// lists the kinds of figure, and [Widgets] describes the widgets. [JSON] writes the description as
// a JSON Schema, which the extension loads. After a change,
//
//	go generate ./viz/schema
//
// writes viz/extension/schema.json.
//
// The package is exported only because packages of several top-level folders share it.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
)

//go:generate go test -run TestGenerated -update .

// Type is the type of a value: [Number], [Integer], [Choice], [Text], [Flag], [Null], [Const],
// [Array], [Tuple], [Object], [Map] or [Any].
type Type interface {
	// write appends the JSON Schema of the type, and adds named objects to defs.
	write(b *bytes.Buffer, defs map[string]*Object)
	// check returns an error if v does not match the type. v is a value decoded by encoding/json,
	// and the argument at is its path.
	check(v any, at string) error
}

// Number is a finite number from Min to Max.
type Number struct{ Min, Max float64 }

// Integer is an integer from Min to Max.
type Integer struct{ Min, Max int }

// Choice is one of several strings.
type Choice []string

// Text is a string of at most Max UTF-16 units. The field Only is the set of allowed characters,
// written as in the brackets of a regular expression, or "" for no restriction. The field Like is a
// regular expression that the string must match, or ""; it is meant for short strings.
type Text struct {
	Max        int
	Only, Like string
}

// Flag is a boolean.
type Flag struct{}

// Null is null.
type Null struct{}

// Const is a constant as encoding/json writes it.
type Const struct{ Value any }

// Array is a list of at most Max items. If Total is not 0, it bounds the sum of the lengths of the
// items. The length of an object is the length of the list with the key "data".
type Array struct {
	Of         Type
	Max, Total int
}

// Tuple is a list with one item of each type.
type Tuple []Type

// Object is an object with the given keys, which are checked in this order. All keys are required
// except those in Optional. No other keys are allowed. If Steps is not 0, it bounds the number of
// steps of an axis, (max − min) / interval. Then min must be less than max, because ECharts would
// widen an axis without length and thereby add steps.
type Object struct {
	Name     string // name of the definition in the schema, or "" to write the object inline
	Keys     []Key
	Optional []Key
	Steps    int
}

// Key is a key of an object and the type of its value.
type Key struct {
	Name string
	Type Type
}

// Map is an object with at most Max keys of at most 200 UTF-16 units each. Keys with a special
// meaning in JavaScript are not allowed.
type Map struct {
	Of  Type
	Max int
}

// Any is one of several types. If these types are objects that differ in the value of one key, this
// key must be the first of each.
type Any []Type

// reserved lists the keys that have a special meaning in every JavaScript object.
var reserved = []string{"__proto__", "constructor", "prototype"}

func refuse(at, format string, args ...any) error {
	return fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // strings are always encodable
	return strings.TrimSpace(b.String())
}

func (t Number) write(b *bytes.Buffer, _ map[string]*Object) {
	fmt.Fprintf(b, `{"type":"number","minimum":%v,"maximum":%v}`, t.Min, t.Max)
}

func (t Number) check(v any, at string) error {
	if f, ok := v.(float64); !ok || !(f >= t.Min && f <= t.Max) {
		return refuse(at, "%.40v is not a number from %v to %v", v, t.Min, t.Max)
	}
	return nil
}

func (t Integer) write(b *bytes.Buffer, _ map[string]*Object) {
	fmt.Fprintf(b, `{"type":"integer","minimum":%d,"maximum":%d}`, t.Min, t.Max)
}

func (t Integer) check(v any, at string) error {
	if f, ok := v.(float64); !ok || f != math.Trunc(f) || !(f >= float64(t.Min) && f <= float64(t.Max)) {
		return refuse(at, "%.40v is not an integer from %d to %d", v, t.Min, t.Max)
	}
	return nil
}

func (t Choice) write(b *bytes.Buffer, _ map[string]*Object) {
	b.WriteString(`{"enum":[`)
	for k, one := range t {
		if k > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(one))
	}
	b.WriteString("]}")
}

func (t Choice) check(v any, at string) error {
	if s, ok := v.(string); !ok || !slices.Contains(t, s) {
		return refuse(at, "%.40v is not one of %q", v, []string(t))
	}
	return nil
}

func (t Text) write(b *bytes.Buffer, _ map[string]*Object) {
	fmt.Fprintf(b, `{"type":"string","maxLength":%d`, t.Max)
	if t.Like != "" {
		fmt.Fprintf(b, `,"pattern":%s`, quote(t.Like))
	}
	if t.Only != "" { // faster than matching a pattern against a whole long string
		fmt.Fprintf(b, `,"not":{"pattern":%s}`, quote("[^"+t.Only+"]"))
	}
	b.WriteByte('}')
}

func (t Text) check(v any, at string) error {
	s, ok := v.(string)
	if !ok || len(s) > t.Max && len(utf16.Encode([]rune(s))) > t.Max {
		return refuse(at, "%.40v is not a string of at most %d characters", v, t.Max)
	}
	if t.Like != "" && !regexp.MustCompile(t.Like).MatchString(s) || t.Only != "" && regexp.MustCompile("[^"+t.Only+"]").MatchString(s) {
		return refuse(at, "%.40q does not have the required form", s)
	}
	return nil
}

func (Flag) write(b *bytes.Buffer, _ map[string]*Object) { b.WriteString(`{"type":"boolean"}`) }

func (Flag) check(v any, at string) error {
	if _, ok := v.(bool); !ok {
		return refuse(at, "%.40v is neither true nor false", v)
	}
	return nil
}

func (Null) write(b *bytes.Buffer, _ map[string]*Object) { b.WriteString(`{"type":"null"}`) }

func (Null) check(v any, at string) error {
	if v != nil {
		return refuse(at, "%.40v is not null", v)
	}
	return nil
}

func (t Const) text() string {
	raw, err := json.Marshal(t.Value)
	if err != nil {
		panic(err) // Const is only used with constants of this package
	}
	return string(raw)
}

func (t Const) write(b *bytes.Buffer, _ map[string]*Object) {
	fmt.Fprintf(b, `{"const":%s}`, t.text())
}

func (t Const) check(v any, at string) error {
	if raw, err := json.Marshal(v); err != nil || string(raw) != t.text() {
		return refuse(at, "%.40v is not %s", v, t.text())
	}
	return nil
}

func (t Array) write(b *bytes.Buffer, defs map[string]*Object) {
	b.WriteString(`{"type":"array","items":`)
	t.Of.write(b, defs)
	fmt.Fprintf(b, `,"maxItems":%d`, t.Max)
	if t.Total > 0 {
		fmt.Fprintf(b, `,"maxTotal":%d`, t.Total)
	}
	b.WriteByte('}')
}

func (t Array) check(v any, at string) error {
	list, ok := v.([]any)
	if !ok || len(list) > t.Max {
		return refuse(at, "it is not a list of at most %d items", t.Max)
	}
	total := 0
	for k, one := range list {
		if err := t.Of.check(one, fmt.Sprintf("%s[%d]", at, k)); err != nil {
			return err
		}
		total += length(one)
	}
	if t.Total > 0 && total > t.Total {
		return refuse(at, "its items have %d values, more than %d", total, t.Total)
	}
	return nil
}

func (t Tuple) write(b *bytes.Buffer, defs map[string]*Object) {
	b.WriteString(`{"type":"array","prefixItems":[`)
	for k, one := range t {
		if k > 0 {
			b.WriteByte(',')
		}
		one.write(b, defs)
	}
	fmt.Fprintf(b, `],"minItems":%d,"maxItems":%d}`, len(t), len(t))
}

func (t Tuple) check(v any, at string) error {
	list, ok := v.([]any)
	if !ok || len(list) != len(t) {
		return refuse(at, "it is not a list of %d items", len(t))
	}
	for k, one := range t {
		if err := one.check(list[k], fmt.Sprintf("%s[%d]", at, k)); err != nil {
			return err
		}
	}
	return nil
}

// length returns the length of a list or string. For an object, it returns the length of the list
// with the key "data".
func length(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case string:
		return len(v)
	case map[string]any:
		if list, ok := v["data"].([]any); ok {
			return len(list)
		}
	}
	return 0
}

func (t *Object) write(b *bytes.Buffer, defs map[string]*Object) {
	if t.Name != "" && defs[t.Name] != t {
		defs[t.Name] = t
	}
	if t.Name != "" {
		fmt.Fprintf(b, `{"$ref":%s}`, quote("#/$defs/"+t.Name))
		return
	}
	t.define(b, defs)
}

// define writes the definition of the object.
func (t *Object) define(b *bytes.Buffer, defs map[string]*Object) {
	b.WriteString(`{"type":"object","properties":{`)
	for k, key := range append(slices.Clone(t.Keys), t.Optional...) {
		if k > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(key.Name) + ":")
		key.Type.write(b, defs)
	}
	b.WriteString(`},"required":[`)
	for k, key := range t.Keys {
		if k > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(key.Name))
	}
	b.WriteString(`],"additionalProperties":false`)
	if t.Steps > 0 {
		fmt.Fprintf(b, `,"maxSteps":%d`, t.Steps)
	}
	b.WriteByte('}')
}

func (t *Object) check(v any, at string) error {
	o, ok := v.(map[string]any)
	if !ok {
		return refuse(at, "%.40v is not an object", v)
	}
	known := 0
	for k, key := range append(slices.Clone(t.Keys), t.Optional...) {
		value, has := o[key.Name]
		if !has && k < len(t.Keys) {
			return refuse(at, "it lacks %q", key.Name)
		}
		if !has {
			continue
		}
		known++
		if err := key.Type.check(value, at+"."+key.Name); err != nil {
			return err
		}
	}
	if step, has := o["interval"].(float64); t.Steps > 0 && has {
		if lo, hi := number(o["min"]), number(o["max"]); !(lo < hi && (hi-lo)/step <= float64(t.Steps)) {
			return refuse(at, "its axis has no length, or it has more than %d steps", t.Steps)
		}
	}
	if known < len(o) {
		for name := range o {
			if !slices.ContainsFunc(append(slices.Clone(t.Keys), t.Optional...), func(k Key) bool { return k.Name == name }) {
				return refuse(at, "it has the unknown key %q", name)
			}
		}
	}
	return nil
}

func number(v any) float64 {
	f, _ := v.(float64)
	return f
}

func (t Map) write(b *bytes.Buffer, defs map[string]*Object) {
	b.WriteString(`{"type":"object","additionalProperties":`)
	t.Of.write(b, defs)
	fmt.Fprintf(b, `,"maxProperties":%d,"propertyNames":{"maxLength":200,"not":{"enum":[%s,%s,%s]}}}`, t.Max, quote(reserved[0]), quote(reserved[1]), quote(reserved[2]))
}

func (t Map) check(v any, at string) error {
	o, ok := v.(map[string]any)
	if !ok || len(o) > t.Max {
		return refuse(at, "it is not an object of at most %d keys", t.Max)
	}
	for name, value := range o {
		if len(name) > 200 || slices.Contains(reserved, name) {
			return refuse(at, "it has the forbidden key %.40q", name)
		}
		if err := t.Of.check(value, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func (t Any) write(b *bytes.Buffer, defs map[string]*Object) {
	b.WriteString(`{"anyOf":[`)
	for k, one := range t {
		if k > 0 {
			b.WriteByte(',')
		}
		one.write(b, defs)
	}
	b.WriteString("]}")
}

func (t Any) check(v any, at string) error {
	var deepest error
	for _, one := range t {
		err := one.check(v, at)
		if err == nil {
			return nil
		}
		if deepest == nil || len(err.Error()) > len(deepest.Error()) {
			deepest = err
		}
	}
	return deepest
}

// Check returns an error if the extension would refuse the data of a figure or widget in an
// untrusted notebook.
func Check(kinds map[string]Type, data []byte) error {
	if err := bounds.Fits(data); err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	o, _ := v.(map[string]any)
	name, _ := o["kind"].(string)
	kind := kinds[name]
	if kind == nil {
		return fmt.Errorf("%.40q is not a kind of figure or widget", name)
	}
	return kind.check(v, name)
}

// JSON returns the JSON Schemas of figures and widgets by kind. Shared types are in "$defs". Three
// keywords are added: "maxTotal" (see [Array]), "maxSteps" (see [Object]), and "max", which limits
// the text of the data (see [bounds.Fits]) and the values of a chart.Contrast.
func JSON() []byte {
	defs := map[string]*Object{}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"max\": {\"data\": %d, \"lists\": %d, \"values\": %d, \"quotes\": %d, \"bytes\": %d}", bounds.Data, bounds.Lists, bounds.Values, bounds.Quotes, bounds.Bytes)
	for _, part := range []struct {
		name  string
		kinds map[string]Type
	}{{"figures", Figures()}, {"widgets", Widgets()}} {
		fmt.Fprintf(&b, ",\n%q: {", part.name)
		for k, name := range slices.Sorted(maps.Keys(part.kinds)) {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n %q: ", name)
			part.kinds[name].write(&b, defs)
		}
		b.WriteString("\n}")
	}
	b.WriteString(",\n\"$defs\": {")
	written := map[string]bool{}
	for first := true; len(written) < len(defs); { // a definition may add further definitions
		for _, name := range slices.Sorted(maps.Keys(defs)) {
			if written[name] {
				continue
			}
			written[name] = true
			if !first {
				b.WriteByte(',')
			}
			first = false
			fmt.Fprintf(&b, "\n %q: ", name)
			defs[name].define(&b, defs)
		}
	}
	b.WriteString("\n}\n}\n")
	return b.Bytes()
}
