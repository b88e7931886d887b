package outofsample

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Chain embeds a point by one rule, and what that gives by another.
type Chain struct{ First, Second Map }

// then is between the kinds of the two rules in model files, and ofFirst before the names
// of the first one's arrays.
const then, ofFirst = " then ", "first_"

// Kind names both rules.
func (m *Chain) Kind() string { return m.First.Kind() + then + m.Second.Kind() }

// Features returns the number of features of a point.
func (m *Chain) Features() int { return m.First.Features() }

// Apply embeds the rows of x.
func (m *Chain) Apply(x *mat.Dense) (*mat.Dense, error) {
	y, err := m.First.Apply(x)
	if err != nil {
		return nil, err
	}
	return m.Second.Apply(y)
}

// Arrays are those of the second rule, and those of the first under names of their own.
func (m *Chain) Arrays() map[string]*mat.Dense {
	out := m.Second.Arrays()
	for name, a := range m.First.Arrays() {
		out[ofFirst+name] = a
	}
	return out
}

// Decode makes the rule of a kind from the arrays of a model file, by the decoders of the
// simple kinds.
func Decode(kind string, a map[string]*mat.Dense, decoders map[string]func(map[string]*mat.Dense) (Map, error)) (Map, error) {
	one, rest, chained := strings.Cut(kind, then)
	if !chained {
		decode := decoders[kind]
		if decode == nil {
			return nil, fmt.Errorf("unknown mapping %q", kind)
		}
		return decode(a)
	}
	second, err := Decode(rest, a, decoders)
	if err != nil {
		return nil, err
	}
	// The first rule gives as many coordinates as the second takes features.
	of := map[string]*mat.Dense{"embedding": mat.NewDense(1, second.Features(), nil)}
	for name, array := range a {
		if name, yes := strings.CutPrefix(name, ofFirst); yes {
			of[name] = array
		}
	}
	first, err := Decode(one, of, decoders)
	if err != nil {
		return nil, err
	}
	return &Chain{first, second}, nil
}
