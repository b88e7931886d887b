// Package outofsample has the rules by which models embed new points, each saved as named arrays.
package outofsample

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Map embeds new points. Each kind saves itself as named arrays.
type Map interface {
	Kind() string
	// apply returns the m×d embedding of the m×D matrix x, D being features().
	Apply(x *mat.Dense) (*mat.Dense, error)
	Features() int
	Arrays() map[string]*mat.Dense
}

// Nested is a mapping whose first outputs make a mapping.
type Nested interface{ First(d int) Map }

// SampleArrays returns the training samples, their embedding and the numbers of a
// rule, which must be as many as said.
func SampleArrays(a map[string]*mat.Dense, numbers int) (x, y *mat.Dense, rule []float64, err error) {
	x, y = a["samples"], a["embedding"]
	if x == nil || y == nil || a["rule"] == nil {
		return nil, nil, nil, errors.New("samples, embedding or rule is missing")
	}
	n, _ := x.Dims()
	if m, _ := y.Dims(); m != n {
		return nil, nil, nil, fmt.Errorf("%d samples but an embedding of %d", n, m)
	}
	if rule = a["rule"].RawMatrix().Data; len(rule) != numbers {
		return nil, nil, nil, fmt.Errorf("a rule of %d numbers, want %d", len(rule), numbers)
	}
	return x, y, rule, nil
}
