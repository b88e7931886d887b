package lesson

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// patience is the time within which a call of an answer must return.
var patience = 3 * time.Second

type trial struct {
	tests []Test
	stuck bool // a call did not return
}

// test runs one test. run returns a sentence about the first case that fails, or "" if no case
// fails.
func (t *trial) test(what string, run func() string) {
	if !t.stuck {
		t.tests = append(t.tests, Test{What: what, Wrong: run()})
	}
}

// argument is an argument of a call, with a copy made before the call.
type argument struct {
	name        string
	value, copy any
}

// arg returns an argument with a copy of its value. If the call does not return in time, it may
// still change the value, so only the copy is safe to read.
func arg[T any](name string, value T) argument {
	return argument{name, value, clone(reflect.ValueOf(value)).Interface()}
}

// clone copies slices and maps at any depth.
func clone(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(clone(v.Index(i)))
		}
		return c
	case reflect.Map:
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			c.SetMapIndex(k, clone(v.MapIndex(k)))
		}
		return c
	}
	return v
}

func copied[T any](v T) T { return clone(reflect.ValueOf(v)).Interface().(T) }

// ask calls f, which calls the answer with the given arguments. It returns the result, and a
// sentence if there is no result or if an argument has changed.
func ask[T any](t *trial, f func() T, args ...argument) (T, string) {
	type outcome struct {
		value T
		wrong string
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{wrong: "Your function ended its goroutine and returned nothing."}
		defer func() {
			if p := recover(); p != nil {
				o.wrong = "Your function panicked: " + clipped(fmt.Sprint(p)) + "."
			}
			done <- o
		}()
		o.value = f()
		o.wrong = ""
	}()
	clock := time.NewTimer(patience)
	defer clock.Stop()
	var o outcome
	select {
	case o = <-done:
	case <-clock.C:
		t.stuck = true
		var none T
		return none, fmt.Sprintf("Your function has not returned after %v%s. Look for a loop that does not end.", patience, argumentText(args))
	}
	if o.wrong != "" {
		return o.value, strings.TrimSuffix(o.wrong, ".") + argumentText(args) + "."
	}
	for _, a := range args {
		if !reflect.DeepEqual(a.value, a.copy) {
			return o.value, fmt.Sprintf("Your function, called%s, changes %s, which belongs to the caller. Work on a copy.", argumentText([]argument{a}), a.name)
		}
	}
	return o.value, ""
}

// argumentText describes the arguments of a call, as they were before the call.
func argumentText(args []argument) string {
	var parts []string
	for _, a := range args {
		parts = append(parts, a.name+" "+told(a.copy))
	}
	if len(parts) == 0 {
		return ""
	}
	return " for " + strings.Join(parts, ", ")
}

// longest is the maximum number of characters of a value or text in a message.
const longest = 160

// told formats a value for a reader: numbers with four significant digits, and long lists and maps
// by their length.
func told(v any) string {
	text := written(reflect.ValueOf(v))
	if len(text) <= longest {
		return text
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Slice:
		return fmt.Sprintf("[list of %d entries]", r.Len())
	case reflect.Map:
		return fmt.Sprintf("[map of %d entries]", r.Len())
	}
	return clipped(text)
}

func written(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, written(v.Index(i)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Map:
		return strings.TrimPrefix(fmt.Sprint(v.Interface()), "map")
	case reflect.Float64:
		return fmt.Sprintf("%.4g", v.Float())
	case reflect.String:
		return fmt.Sprintf("%.60q", v.String())
	}
	return fmt.Sprint(v.Interface())
}

// clipped shortens a text from an answer and puts it on one line.
func clipped(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longest {
		return string(r[:longest]) + " …"
	}
	return text
}

// nearlyEqual reports whether two numbers are finite, and equal up to rounding errors.
func nearlyEqual(a, b float64) bool {
	difference := math.Abs(a - b)
	return difference <= 1e-9*max(1, math.Abs(a), math.Abs(b)) && !math.IsInf(difference, 0)
}
