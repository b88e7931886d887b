package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// The rules by which methods without a map of their own embed new points. They need
// the training samples, which are saved with the model.

// barycentric writes a new point as a weighted mean of its k nearest training
// samples and embeds it as that of their embeddings (Saul, Roweis 2003).
type barycentric struct {
	x, y *mat.Dense // samples n×D, their embedding n×d
	k    int
	reg  float64
}

// barycentreOf returns the rule with the options "neighbors" and "regularization" of
// the method, or 1e-3 where it has none.
func barycentreOf(j *job, y *mat.Dense) mapping {
	m := &barycentric{x: j.x(), y: y, k: neighborsOption.of(j), reg: 1e-3}
	if regularizationOption.in(j.spec.method) {
		m.reg = regularizationOption.of(j)
	}
	return m
}

func (m *barycentric) kind() string { return "barycentric" }

func (m *barycentric) features() int { _, c := m.x.Dims(); return c }

func (m *barycentric) apply(q *mat.Dense) (*mat.Dense, error) {
	ctx := context.Background()
	near, err := graph.Query(ctx, m.x, q, m.k)
	if err != nil {
		return nil, err
	}
	w, err := graph.Barycentric(ctx, m.x, q, near, m.reg)
	if err != nil {
		return nil, err
	}
	rows, _ := q.Dims()
	_, d := m.y.Dims()
	out := mat.NewDense(rows, d, nil)
	w.MulTo(out, m.y)
	return out, nil
}

func (m *barycentric) arrays() map[string]*mat.Dense {
	return map[string]*mat.Dense{"samples": m.x, "rule": mat.NewDense(1, 2, []float64{float64(m.k), m.reg})}
}

func decodeBarycentric(a map[string]*mat.Dense) (mapping, error) {
	x, y, rule, err := sampleArrays(a, 2)
	if err != nil {
		return nil, err
	}
	m := &barycentric{x: x, y: y, k: int(rule[0]), reg: rule[1]}
	if n, _ := x.Dims(); m.k < 1 || m.k > n || !(m.reg > 0) {
		return nil, fmt.Errorf("%d neighbours of %d samples, regularization %g", m.k, n, m.reg)
	}
	return m, nil
}

// sampleArrays returns the training samples, their embedding and the numbers of a
// rule, which must be as many as said.
func sampleArrays(a map[string]*mat.Dense, numbers int) (x, y *mat.Dense, rule []float64, err error) {
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

// nystrom embeds a new point as the mean of the embeddings of its k nearest training
// samples, weighted by the affinity and divided by 1 − τ for each dimension: the
// eigenvector equation y = D⁻¹Wy/(1−τ), read for one more row (Bengio et al. 2004).
type nystrom struct {
	x, y     *mat.Dense
	k        int
	affinity string
	width    float64   // t of the heat affinity
	scale    []float64 // s_i of the self-tuning affinity, n
	values   []float64 // τ, d
}

var affinityNames = []string{Binary, Heat, SelfTuning}

func (m *nystrom) kind() string { return "nystrom" }

func (m *nystrom) features() int { _, c := m.x.Dims(); return c }

func (m *nystrom) apply(q *mat.Dense) (*mat.Dense, error) {
	near, err := graph.Query(context.Background(), m.x, q, m.k)
	if err != nil {
		return nil, err
	}
	rows, _ := q.Dims()
	_, d := m.y.Dims()
	out := mat.NewDense(rows, d, nil)
	for i := range rows {
		index, dist := near.Of(i)
		row, total := out.RawRowView(i), 0.0
		for a, j := range index {
			w := m.weight(dist[a], dist[m.k-1], int(j))
			total += w
			for c, v := range m.y.RawRowView(int(j)) {
				row[c] += w * v
			}
		}
		if total == 0 {
			// Too far from every sample for the affinity to tell: the nearest counts.
			copy(row, m.y.RawRowView(int(index[0])))
			continue
		}
		for c := range row {
			row[c] /= total
			if f := 1 - m.values[c]; math.Abs(f) > 1e-6 {
				row[c] /= f
			}
		}
	}
	return out, nil
}

// weight returns the affinity of a new point, whose k-th neighbour is at far, and
// sample j at distance d.
func (m *nystrom) weight(d, far float64, j int) float64 {
	switch {
	case m.affinity == Heat:
		return math.Exp(-d * d / m.width)
	case m.affinity == SelfTuning && d > 0:
		return math.Exp(-d * d / (far * m.scale[j]))
	}
	return 1
}

func (m *nystrom) arrays() map[string]*mat.Dense {
	out := map[string]*mat.Dense{"samples": m.x, "tau": mat.NewDense(1, len(m.values), m.values),
		"rule": mat.NewDense(1, 3, []float64{float64(m.k), float64(slices.Index(affinityNames, m.affinity)), m.width})}
	if m.scale != nil {
		out["scales"] = mat.NewDense(1, len(m.scale), m.scale)
	}
	return out
}

func decodeNystrom(a map[string]*mat.Dense) (mapping, error) {
	x, y, rule, err := sampleArrays(a, 3)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	_, d := y.Dims()
	if !(rule[0] >= 1 && rule[0] <= float64(n) && rule[1] >= 0 && rule[1] < float64(len(affinityNames))) {
		return nil, fmt.Errorf("the rule %v for %d samples", rule, n)
	}
	m := &nystrom{x: x, y: y, k: int(rule[0]), affinity: affinityNames[int(rule[1])], width: rule[2]}
	if a["tau"] == nil || len(a["tau"].RawMatrix().Data) != d {
		return nil, errors.New("the eigenvalues do not fit the embedding")
	}
	m.values = a["tau"].RawMatrix().Data
	if m.affinity == SelfTuning {
		if a["scales"] == nil || len(a["scales"].RawMatrix().Data) != n {
			return nil, errors.New("the scales do not fit the samples")
		}
		m.scale = a["scales"].RawMatrix().Data
	}
	return m, nil
}
