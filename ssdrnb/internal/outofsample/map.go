// Package outofsample has the rules by which models embed new points, each saved as named arrays.
package outofsample

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Map embeds new points. Each kind saves itself as named arrays.
type Map interface {
	Kind() string
	// apply returns the m×d embedding of the m×D matrix x, D being features().
	Apply(x *mat.Dense) (*mat.Dense, error)
	Features() int
	Arrays() map[string]*mat.Dense
}

// Nested is a mapping whose first d outputs are a mapping too.
type Nested interface{ First(d int) Map }

// withMetric adds the metric of a rule to its arrays, unless it is the Euclidean one.
func withMetric(m graph.Metric, arrays map[string]*mat.Dense) map[string]*mat.Dense {
	if m != graph.Euclidean {
		arrays["metric"] = mat.NewDense(1, 1, []float64{float64(m)})
	}
	return arrays
}

// decodeMetric reads the metric that withMetric added.
func decodeMetric(a map[string]*mat.Dense) (graph.Metric, error) {
	if a["metric"] == nil {
		return graph.Euclidean, nil
	}
	m, err := Wholes(a["metric"], int(graph.Euclidean), int(graph.LastMetric))
	if err != nil || len(m) != 1 {
		return 0, fmt.Errorf("unknown metric %v", a["metric"].RawMatrix().Data)
	}
	return graph.Metric(m[0]), nil
}

// sampleArrays returns the training samples, their embedding and the given number of
// numbers of a rule. The first is the number of neighbours, a whole number from 1 to the
// number of samples.
func sampleArrays(a map[string]*mat.Dense, numbers int) (x, y *mat.Dense, rule []float64, err error) {
	x, y = a["samples"], a["embedding"]
	if x == nil || y == nil || a["rule"] == nil {
		return nil, nil, nil, errors.New("samples, embedding or rule is missing")
	}
	n, _ := x.Dims()
	if m, _ := y.Dims(); m != n {
		return nil, nil, nil, fmt.Errorf("%d samples but an embedding of %d", n, m)
	}
	rule, err = decodeRule(a, n, numbers)
	return x, y, rule, err
}

// decodeRule returns the numbers of a rule over n samples.
func decodeRule(a map[string]*mat.Dense, n, numbers int) ([]float64, error) {
	if a["rule"] == nil {
		return nil, errors.New("the rule is missing")
	}
	rule := a["rule"].RawMatrix().Data
	if len(rule) != numbers {
		return nil, fmt.Errorf("a rule of %d numbers, want %d", len(rule), numbers)
	}
	if _, err := Wholes(mat.NewDense(1, 1, rule[:1]), 1, n); err != nil {
		return nil, fmt.Errorf("the neighbours of a point: %w", err)
	}
	return rule, nil
}
