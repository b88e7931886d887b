// Package outofsample implements the rules by which models embed new points. Each rule is saved as
// named arrays.
package outofsample

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Map embeds new points. Each kind of map can be saved as named arrays.
type Map interface {
	Kind() string
	// Apply returns the m×d embedding of the m×D matrix x, where D is Features().
	Apply(x *mat.Dense) (*mat.Dense, error)
	Features() int
	Arrays() map[string]*mat.Dense
}

// Nested is a map that can be restricted to the first d dimensions of its embedding.
type Nested interface{ First(d int) Map }

// withMetric adds the metric of a rule to its arrays, unless the metric is Euclidean.
func withMetric(m graph.Metric, arrays map[string]*mat.Dense) map[string]*mat.Dense {
	if m != graph.Euclidean {
		arrays["metric"] = mat.NewDense(1, 1, []float64{float64(m)})
	}
	return arrays
}

// decodeMetric returns the metric added by withMetric.
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

// sampleArrays decodes the training samples x (n×D), their embedding y (n×d) and the parameters of
// a rule. `numbers` is the number of parameters. The first parameter is the number of neighbours,
// from 1 to n.
func sampleArrays(a map[string]*mat.Dense, numbers int) (x, y *mat.Dense, rule []float64, err error) {
	x, y = a["samples"], a["embedding"]
	if x == nil || y == nil || a["rule"] == nil {
		return nil, nil, nil, errors.New("samples, embedding or rule is missing")
	}
	n, _ := x.Dims()
	if m, _ := y.Dims(); m != n {
		return nil, nil, nil, fmt.Errorf("there are %d samples, but the embedding has %d rows", n, m)
	}
	rule, err = decodeRule(a, n, numbers)
	return x, y, rule, err
}

// decodeRule decodes the parameters of a rule for n samples; see sampleArrays.
func decodeRule(a map[string]*mat.Dense, n, numbers int) ([]float64, error) {
	if a["rule"] == nil {
		return nil, errors.New("the rule is missing")
	}
	rule := a["rule"].RawMatrix().Data
	if len(rule) != numbers {
		return nil, fmt.Errorf("the rule has %d numbers instead of %d", len(rule), numbers)
	}
	if _, err := Wholes(mat.NewDense(1, 1, rule[:1]), 1, n); err != nil {
		return nil, fmt.Errorf("the number of neighbours of a point: %w", err)
	}
	return rule, nil
}
