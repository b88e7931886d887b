package outofsample

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Chain embeds a point by one rule, and the result by another.
type Chain struct{ First, Second Map }

// then separates the kinds of the two rules in model files, and ofFirst is the prefix of the first
// rule's array names.
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

// Arrays returns the arrays of the second rule, and the arrays of the first under prefixed names.
func (m *Chain) Arrays() map[string]*mat.Dense {
	out := m.Second.Arrays()
	prefix := prefixOf(m.Second.Kind())
	for name, a := range m.First.Arrays() {
		out[prefix+name] = a
	}
	if p, ok := m.First.(Positioned); ok {
		out[prefix+"embedding"] = p.Positions()
	}
	return out
}

// Positioned is a rule that is decoded with the embedding of its model. As the first of a
// chain it has another embedding than the model.
type Positioned interface{ Positions() *mat.Dense }

// nextSamples names the samples of the next rule of a chain, for a rule that shares them; no file
// has an array of this name.
const nextSamples = "samples/next"

// prefixOf returns the prefix of array names of a rule that precedes a rule of this kind. It grows
// with the number of rules that follow, so that the names of all arrays differ.
func prefixOf(kind string) string { return strings.Repeat(ofFirst, 1+strings.Count(kind, then)) }

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
	// The first rule gives as many coordinates as the second has features; most decoders need only
	// this number from its embedding.
	of := map[string]*mat.Dense{"embedding": mat.NewDense(1, second.Features(), nil)}
	for name, array := range a {
		if name, yes := strings.CutPrefix(name, prefixOf(rest)); yes {
			of[name] = array
		}
	}
	of[nextSamples] = a["samples"]
	first, err := Decode(one, of, decoders)
	if err != nil {
		return nil, err
	}
	return &Chain{first, second}, nil
}
