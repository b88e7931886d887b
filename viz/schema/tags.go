package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// objects caches the types of the structs of package chart. With one type per struct, the schema
// defines each of them only once.
var objects sync.Map // maps reflect.Type to *Object

// typeOf returns the type that describes the values of a Go type.
func typeOf(t reflect.Type) Type {
	if most, ok := lengths[t]; ok {
		return list(typeOf(t.Elem()), most)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Bool:
		return Flag{}
	case reflect.Struct:
		if known, ok := objects.Load(t); ok {
			return known.(*Object)
		}
		o := object(t, nil)
		if first := t.Name(); first != "" && !strings.Contains(first, "[") {
			o.Name = strings.ToLower(first[:1]) + first[1:]
		}
		known, _ := objects.LoadOrStore(t, o)
		return known.(*Object)
	}
	panic(fmt.Sprintf("schema: %v needs a tag", t))
}

// object returns the type of a struct. The argument given contains the types of fields that depend
// on the kind of figure, keyed by JSON name.
func object(t reflect.Type, given map[string]Type) *Object {
	if !strings.HasPrefix(t.PkgPath(), "github.com/ssdrnb/") && t.Name() != "" {
		panic(fmt.Sprintf("schema: describe %v in the vocabulary, and name it in a tag", t))
	}
	o := &Object{Steps: steps[t]}
	for k := range t.NumField() {
		f := t.Field(k)
		if f.Anonymous {
			part := object(f.Type, given)
			o.Keys, o.Optional = append(o.Keys, part.Keys...), append(o.Optional, part.Optional...)
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		one, ok := given[key]
		if !ok {
			one = tagged(t.Name()+"."+f.Name, f.Tag.Get("is"), f.Type)
		}
		if slices.Contains(strings.Split(options, ","), "omitempty") {
			o.Optional = append(o.Optional, Key{key, one})
		} else {
			o.Keys = append(o.Keys, Key{key, one})
		}
	}
	return o
}

// tagged returns the type of a field that has the given tag. Package chart documents the tags.
func tagged(field, tag string, t reflect.Type) Type {
	fault := func(format string, args ...any) Type {
		panic(fmt.Sprintf("schema: the tag %q of %s: %s", tag, field, fmt.Sprintf(format, args...)))
	}
	if text, ok := strings.CutPrefix(tag, "="); ok {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return fault("%v", err)
		}
		return Const{v}
	}
	if rest, ok := strings.CutSuffix(tag, "?"); ok {
		return Any{tagged(field, rest, t), Null{}}
	}
	if at := strings.LastIndex(tag, "*"); at >= 0 {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			return fault("%v is not a list", t)
		}
		return list(tagged(field, tag[:at], t.Elem()), limit(field, tag[at+1:]))
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch lo, hi, isRange := strings.Cut(tag, ".."); {
	case tag == "":
		return typeOf(t)
	case vocabulary[tag] != nil:
		return vocabulary[tag]
	case strings.HasPrefix(tag, "<="):
		return Text{Max: limit(field, tag[2:])}
	case strings.Contains(tag, "|"):
		return Choice(strings.Split(tag, "|"))
	case isRange && t.Kind() == reflect.Int:
		return Integer{limit(field, lo), limit(field, hi)}
	case isRange:
		a, err := strconv.ParseFloat(lo, 64)
		if err != nil {
			return fault("%v", err)
		}
		b, err := strconv.ParseFloat(hi, 64)
		if err != nil {
			return fault("%v", err)
		}
		return Number{a, b}
	}
	return fault("there is no such type; add it to the vocabulary")
}

// limit returns the value of text, which is an integer or a name in limits.
func limit(field, text string) int {
	if v, ok := limits[text]; ok {
		return v
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("schema: %s: %q is neither an integer nor one of limits", field, text))
	}
	return v
}
