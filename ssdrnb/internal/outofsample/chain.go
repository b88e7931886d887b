package outofsample

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Chain embeds a point by one rule and then embeds the result by another.
type Chain struct{ First, Second Map }

// kindSeparator separates the kinds of the two rules in model files, and ofFirst is the prefix of
// the first rule's array names.
const kindSeparator, ofFirst = " then ", "first_"

// Kind returns the kinds of both rules, separated by " then ".
func (m *Chain) Kind() string { return m.First.Kind() + kindSeparator + m.Second.Kind() }

// Features returns the number of features of a point.
func (m *Chain) Features() int { return m.First.Features() }

// Dense returns the training samples of the first rule, or nil if it does not hold them.
func (m *Chain) Dense() *mat.Dense {
	if s, ok := m.First.(interface{ Dense() *mat.Dense }); ok {
		return s.Dense()
	}
	return nil
}

// Apply embeds the rows of x.
func (m *Chain) Apply(x *mat.Dense) (*mat.Dense, error) {
	y, err := m.First.Apply(x)
	if err != nil {
		return nil, err
	}
	return m.Second.Apply(y)
}

// Arrays returns the arrays of the second rule, and those of the first rule with prefixed names.
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

// Positioned is a rule whose decoder needs the embedding of the training samples by this rule.
// Positions returns this n×d embedding. The last rule's embedding is in every model file, and
// [Chain.Arrays] adds the embedding by the first rule of a chain if that first rule is Positioned.
type Positioned interface{ Positions() *mat.Dense }

// nextSamples is the name under which [Decode] passes the samples of the second rule of a chain to
// the decoder of the first rule, because both rules may use the same samples. No file contains an
// array of this name.
const nextSamples = "samples/next"

// prefixOf returns the prefix of the array names of a chain's first rule, given the kind of its
// second rule. It repeats ofFirst once for each rule after the first, so that all names differ.
func prefixOf(kind string) string {
	return strings.Repeat(ofFirst, 1+strings.Count(kind, kindSeparator))
}

// Decode returns the rule of the given kind stored in the arrays of a model file. decoders holds
// the decoders of the kinds that are not chains.
func Decode(kind string, a map[string]*mat.Dense, decoders map[string]func(map[string]*mat.Dense) (Map, error)) (Map, error) {
	kinds := strings.Split(kind, kindSeparator)
	last := len(kinds) - 1
	m, err := decodeSingle(kinds[last], a, decoders)
	if err != nil {
		return nil, err
	}
	prefix := ""
	// Each kind needs arrays of its own, so the loop ends at the first rule that the file lacks,
	// however many kinds there are.
	for _, one := range slices.Backward(kinds[:last]) {
		prefix += ofFirst
		// The first rule returns as many coordinates as the second rule expects features. Most
		// decoders need only this number from the embedding, so a single row of zeros stands in for
		// the first rule's embedding.
		of := map[string]*mat.Dense{"embedding": mat.NewDense(1, m.Features(), nil)}
		for name, array := range a {
			if name, yes := strings.CutPrefix(name, prefix); yes {
				of[name] = array
			}
		}
		of[nextSamples] = a["samples"]
		first, err := decodeSingle(one, of, decoders)
		if err != nil {
			return nil, err
		}
		m = &Chain{first, m}
	}
	return m, nil
}

// decodeSingle is Decode for a kind that is not a chain.
func decodeSingle(kind string, a map[string]*mat.Dense, decoders map[string]func(map[string]*mat.Dense) (Map, error)) (Map, error) {
	decode := decoders[kind]
	if decode == nil {
		return nil, fmt.Errorf("unknown mapping %.40q", kind)
	}
	return decode(a)
}
