package outofsample

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Nystrom embeds a new point as the mean of the embeddings of its k nearest training samples,
// weighted by affinity. Each dimension is divided by 1 − τ, where τ is its eigenvalue, unless
// |1 − τ| ≤ 1e-6. This extends the eigenvector equation y = D⁻¹Wy/(1−τ) by a row for the new point
// (Bengio et al. 2004).
type Nystrom struct {
	Samples
	Y        *mat.Dense
	K        int
	Affinity string
	Width    float64   // width t of the heat affinity
	Scale    []float64 // the n scales s_i of the self-tuning affinity
	Values   []float64 // the d eigenvalues τ
}

// Kind returns the name of the rule in model files.
func (m *Nystrom) Kind() string { return "nystrom" }

// Apply embeds the rows of q. q must have [Samples.Features] columns.
func (m *Nystrom) Apply(q *mat.Dense) (*mat.Dense, error) {
	near, err := m.Near(context.Background(), q, m.K)
	if err != nil {
		return nil, err
	}
	rows, _ := q.Dims()
	_, d := m.Y.Dims()
	out := mat.NewDense(rows, d, nil)
	rule, scales := m.rule(), make([]float64, m.K)
	for i := range rows {
		index, dist := near.Of(i)
		if m.Scale != nil {
			for a, j := range index {
				scales[a] = m.Scale[j]
			}
		}
		weights, err := rule.OfPoint(dist, dist[m.K-1], scales)
		if err != nil {
			return nil, err
		}
		row, total := out.RawRowView(i), 0.0
		for a, j := range index {
			total += weights[a]
			for c, v := range m.Y.RawRowView(int(j)) {
				row[c] += weights[a] * v
			}
		}
		for c := range row {
			row[c] /= total
			if f := 1 - m.Values[c]; math.Abs(f) > 1e-6 {
				row[c] /= f
			}
		}
	}
	return out, nil
}

// rule returns the affinity as a weight function for the neighbours of a new point. Apply passes it
// the distance to the k-th neighbour as the scale of the point.
func (m *Nystrom) rule() graph.Weights {
	switch m.Affinity {
	case Heat:
		return graph.Heat(m.Width)
	case SelfTuning:
		return graph.SelfTuning()
	}
	return graph.Binary()
}

// Arrays returns the arrays of the rule for a model file.
func (m *Nystrom) Arrays() map[string]*mat.Dense {
	out := map[string]*mat.Dense{"tau": mat.NewDense(1, len(m.Values), m.Values),
		"rule": mat.NewDense(1, 3, []float64{float64(m.K), float64(slices.Index(affinityNames, m.Affinity)), m.Width})}
	if m.Scale != nil {
		out["scales"] = mat.NewDense(1, len(m.Scale), m.Scale)
	}
	return m.arrays(out)
}

// affinityNames lists the affinities in the order of their indices in saved models.
var affinityNames = []string{Binary, Heat, SelfTuning}

// DecodeNystrom returns the rule stored in the arrays of a model file.
func DecodeNystrom(a map[string]*mat.Dense) (Map, error) {
	s, y, rule, err := decodeSamples(a, 3)
	if err != nil {
		return nil, err
	}
	_, d := y.Dims()
	if _, err := Wholes(mat.NewDense(1, 1, rule[1:2]), 0, len(affinityNames)-1); err != nil {
		return nil, fmt.Errorf("the index of the affinity: %w", err)
	}
	m := &Nystrom{Samples: s, Y: y, K: int(rule[0]), Affinity: affinityNames[int(rule[1])], Width: rule[2]}
	if a["tau"] == nil || len(a["tau"].RawMatrix().Data) != d {
		return nil, errors.New("the file does not have one eigenvalue per dimension of the embedding")
	}
	m.Values = a["tau"].RawMatrix().Data
	if m.Affinity == SelfTuning {
		if a["scales"] == nil || len(a["scales"].RawMatrix().Data) != s.N {
			return nil, errors.New("the file does not have one scale per sample")
		}
		m.Scale = a["scales"].RawMatrix().Data
	}
	return m, nil
}
