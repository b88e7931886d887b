package outofsample

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Geodesic embeds a new point by its geodesic distances δ to all training samples: the lengths of
// the shortest paths through its k nearest samples. The embedding is y = −½(YΛ⁻¹)ᵀ(δ² − m), where m
// holds the column means of the matrix of squared geodesic distances between the training samples
// (Bengio et al. 2004; de Silva, Tenenbaum 2003). A training sample is mapped to its own embedding.
type Geodesic struct {
	Samples
	Y      *mat.Dense
	K      int
	Unit   float64     // length of the edge from a new point to a sample per unit of distance
	Graph  *sparse.CSR // neighbourhood graph of the samples; weights are edge lengths
	Middle []float64   // the n column means m
	Values []float64   // the d eigenvalues Λ
}

// Kind returns the name of the rule in model files.
func (m *Geodesic) Kind() string { return "geodesic" }

// Apply embeds the rows of q. q must have [Samples.Features] columns.
func (m *Geodesic) Apply(q *mat.Dense) (*mat.Dense, error) {
	rows, _ := q.Dims()
	n, d := m.Y.Dims()
	near, err := m.Near(context.Background(), q, m.K)
	if err != nil {
		return nil, err
	}
	// Compute YΛ⁻¹ first: the product of a squared distance and a coordinate may overflow.
	scaled := mat.NewDense(n, d, nil)
	scaled.Apply(func(_, c int, v float64) float64 { return v / m.Values[c] }, m.Y)
	out := mat.NewDense(rows, d, nil)
	const block = 256
	for lo := 0; lo < rows; lo += block {
		hi := min(lo+block, rows)
		// New points are only sources: edges lead from them to the samples, but not back.
		g := &sparse.CSR{Rows: n + hi - lo, Cols: n + hi - lo, RowPtr: append([]int(nil), m.Graph.RowPtr...),
			ColInd: append([]int32(nil), m.Graph.ColInd...), Val: append([]float64(nil), m.Graph.Val...)}
		sources := make([]int, hi-lo)
		for i := lo; i < hi; i++ {
			index, dist := near.Of(i)
			for a, j := range index {
				g.ColInd, g.Val = append(g.ColInd, j), append(g.Val, dist[a]*m.Unit)
			}
			g.RowPtr = append(g.RowPtr, len(g.Val))
			sources[i-lo] = n + i - lo
		}
		delta, _, err := graph.LandmarkGeodesics(context.Background(), g, sources)
		if err != nil {
			return nil, err
		}
		for i := lo; i < hi; i++ {
			row := out.RawRowView(i)
			for j, v := range delta.RawRowView(i - lo)[:n] {
				b := -(v*v - m.Middle[j]) / 2
				for c, y := range scaled.RawRowView(j) {
					row[c] += b * y
				}
			}
		}
	}
	return out, nil
}

// Arrays returns the arrays of the rule for a model file.
func (m *Geodesic) Arrays() map[string]*mat.Dense {
	ptr, cols := make([]float64, len(m.Graph.RowPtr)), make([]float64, len(m.Graph.ColInd))
	for i, v := range m.Graph.RowPtr {
		ptr[i] = float64(v)
	}
	for i, v := range m.Graph.ColInd {
		cols[i] = float64(v)
	}
	row := func(v []float64) *mat.Dense { return mat.NewDense(1, len(v), v) }
	return m.arrays(map[string]*mat.Dense{"rule": row([]float64{float64(m.K), m.Unit}), "middle": row(m.Middle), "lambda": row(m.Values),
		"graph_ptr": row(ptr), "graph_columns": row(cols), "graph_lengths": row(m.Graph.Val)})
}

// DecodeGeodesic returns the rule stored in the arrays of a model file.
func DecodeGeodesic(a map[string]*mat.Dense) (Map, error) {
	s, y, rule, err := decodeSamples(a, 2)
	if err != nil {
		return nil, err
	}
	n, d := y.Dims()
	for name, want := range map[string]int{"middle": n, "lambda": d, "graph_ptr": n + 1, "graph_columns": -1, "graph_lengths": -1} {
		if a[name] == nil {
			return nil, fmt.Errorf("%s is missing", name)
		}
		if got := len(a[name].RawMatrix().Data); want >= 0 && got != want {
			return nil, fmt.Errorf("%s has %d numbers instead of %d", name, got, want)
		}
	}
	g, err := Graph(a["graph_ptr"], a["graph_columns"], a["graph_lengths"], n)
	if err != nil {
		return nil, err
	}
	if !(rule[1] > 0) {
		return nil, fmt.Errorf("the unit of lengths is %v, but must be positive", rule[1])
	}
	values := a["lambda"].RawMatrix().Data
	for c, v := range values {
		if !(v > 0) {
			return nil, fmt.Errorf("value %d of lambda is %v, but must be positive", c, v)
		}
	}
	for k, v := range g.Val {
		if !(v >= 0) {
			return nil, fmt.Errorf("edge %d of the graph has the length %v, but lengths must be at least 0", k, v)
		}
	}
	return &Geodesic{Samples: s, Y: y, K: int(rule[0]), Unit: rule[1], Graph: g, Middle: a["middle"].RawMatrix().Data, Values: values}, nil
}

// Names of the affinities.
const (
	Binary     = "binary"
	Heat       = "heat"
	SelfTuning = "self-tuning"
)
