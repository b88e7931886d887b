package outofsample

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
)

// Barycentric writes a new point as a weighted mean of its k nearest training
// samples and embeds it as that of their embeddings (Saul, Roweis 2003).
type Barycentric struct {
	X, Y *mat.Dense // samples n×D, their embedding n×d
	K    int
	Reg  float64
}

// Kind names the rule in model files.
func (m *Barycentric) Kind() string { return "barycentric" }

// Features returns the number of features of a point.
func (m *Barycentric) Features() int { _, c := m.X.Dims(); return c }

// Apply embeds the rows of a matrix with as many columns as Features says.
func (m *Barycentric) Apply(q *mat.Dense) (*mat.Dense, error) {
	ctx := context.Background()
	near, err := graph.Query(ctx, m.X, q, m.K)
	if err != nil {
		return nil, err
	}
	w, err := align.Barycentric(ctx, m.X, q, near, m.Reg)
	if err != nil {
		return nil, err
	}
	rows, _ := q.Dims()
	_, d := m.Y.Dims()
	out := mat.NewDense(rows, d, nil)
	w.MulTo(out, m.Y)
	return out, nil
}

// Arrays returns what a model file keeps of the rule.
func (m *Barycentric) Arrays() map[string]*mat.Dense {
	return map[string]*mat.Dense{"samples": m.X, "rule": mat.NewDense(1, 2, []float64{float64(m.K), m.Reg})}
}

// DecodeBarycentric makes the rule from the arrays of a model file.
func DecodeBarycentric(a map[string]*mat.Dense) (Map, error) {
	x, y, rule, err := SampleArrays(a, 2)
	if err != nil {
		return nil, err
	}
	m := &Barycentric{X: x, Y: y, K: int(rule[0]), Reg: rule[1]}
	if !(m.Reg > 0) {
		return nil, fmt.Errorf("the regularization is %g, want more than 0", m.Reg)
	}
	return m, nil
}
