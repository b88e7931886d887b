package stage

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Method is an encoded method: its name and the options that differ from the defaults.
type Method struct {
	Method  string         `json:"method"`
	Options map[string]any `json:"options"`
}

// MethodOf encodes a method.
func MethodOf(s ssdrnb.Spec) Method {
	m := Method{s.Method().Name, map[string]any{}}
	for _, name := range s.Changed() {
		m.Options[name] = s.Value(name)
	}
	return m
}

// Spec returns the method. It fails if the name or an option does not exist.
func (m Method) Spec() (ssdrnb.Spec, error) {
	s := ssdrnb.New(m.Method)
	for name, v := range m.Options {
		s = s.With(name, v)
	}
	return s, s.Err()
}

// Rules of a [BenchMethod] that are not methods of the library.
const (
	RuleRuler  = "ruler"  // the class of the nearest labelled sample in the data
	RuleRumour = "rumour" // label propagation along links to the eight nearest samples
	RuleData   = "data"   // the data unchanged, in the first two features
)

// BenchMethod is a method, or one of the rules.
type BenchMethod struct {
	Name   string  `json:"name"`
	Method *Method `json:"method,omitempty"`
	Rule   string  `json:"rule,omitempty"`
}

// specsOf returns the specs of the methods. It returns an empty spec for each of the allowed rules.
func specsOf(methods []BenchMethod, rules ...string) ([]ssdrnb.Spec, error) {
	all := make([]ssdrnb.Spec, len(methods))
	for k, m := range methods {
		if m.Method != nil {
			var err error
			if all[k], err = m.Method.Spec(); err != nil {
				return nil, err
			}
		} else if !slices.Contains(rules, m.Rule) {
			return nil, fmt.Errorf("%.40q has no method, and its rule %.40q is not one of %q", m.Name, m.Rule, rules)
		}
	}
	return all, nil
}

// tuned returns s with the given options. Names that are not options of s are ignored.
func tuned(s ssdrnb.Spec, set map[string]float64) ssdrnb.Spec {
	for name, v := range set {
		if _, ok := s.Method().Param(name); ok {
			s = s.With(name, v)
		}
	}
	return s
}

// BenchDial is a dial of a BenchSpec or PairsSpec. Words, if any, are shown instead of the values.
type BenchDial struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
	Words  []string  `json:"words,omitempty"`
	Start  int       `json:"start,omitempty"` // initial position
	Doc    string    `json:"doc,omitempty"`
}

// failureText returns the error of a method as a sentence that begins with the name of the method
// on the page. If the error already begins with this name, as most errors of fits do, the name is
// not repeated.
func failureText(name string, err error) string {
	return name + ": " + strings.TrimSuffix(strings.TrimPrefix(err.Error(), name+": "), ".") + "."
}

// settingsOf returns the values of dials at the given positions.
func settingsOf(dials []BenchDial, positions []int) map[string]float64 {
	set := map[string]float64{}
	for k, d := range dials {
		set[d.Name] = d.Values[positions[k]]
	}
	return set
}

// check checks the numbers of values and words, and the initial position.
func (d BenchDial) check() error {
	if n := len(d.Values); n < 2 || n > maxValues || d.Start < 0 || d.Start >= n || len(d.Words) > 0 && len(d.Words) != n {
		return fmt.Errorf("the dial %.40q has %s, %s and the start position %d; give 2 to %d values, one word per value or no words, and a start position that is the index of a value, counted from 0", d.Name, nouns.Count(n, "value"), nouns.Count(len(d.Words), "word"), d.Start, maxValues)
	}
	return nil
}

// whole returns an error unless all values are whole numbers from lo to hi.
func (d BenchDial) whole(lo, hi float64) error {
	for _, v := range d.Values {
		if !(v >= lo && v <= hi) || v != math.Trunc(v) {
			return fmt.Errorf("the value %v of the dial %q is not allowed; give whole numbers from %v to %v", v, d.Name, lo, hi)
		}
	}
	return nil
}

// option reports whether the dial sets an option of a method. It fails if a value is not valid.
func (d BenchDial) option(methods []ssdrnb.Spec) (known bool, err error) {
	for _, m := range methods {
		if _, ok := m.Method().Param(d.Name); !ok {
			continue
		}
		known = true
		for _, v := range d.Values {
			if err := m.With(d.Name, v).Err(); err != nil {
				return true, err
			}
		}
	}
	return known, nil
}

func (d BenchDial) dial() Dial {
	shown := Dial{Name: d.Name, Doc: d.Doc, Values: d.Words, Slider: len(d.Words) == 0}
	if len(d.Words) == 0 {
		for _, v := range d.Values {
			shown.Values = append(shown.Values, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return shown
}

type benchMeter struct {
	meter  Meter
	name   string // name without the method
	method int    // index of the method, −1 for the first visible method
}

// metersOf returns the meters with the given name and the description m. If there are several
// methods, each has a meter with the method in its name. Otherwise there is a single meter, for the
// visible method.
func metersOf(name string, m Meter, each []BenchMethod) (all []benchMeter) {
	if len(each) < 2 {
		m.Name = name
		return []benchMeter{{m, name, -1}}
	}
	for k, one := range each {
		m.Name = one.Name + ": " + name
		all = append(all, benchMeter{m, name, k})
	}
	return all
}
