package ssdrnb

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// geodesic embeds a new point by its geodesic distances to all training samples, the
// shortest over its k nearest: y = −½(YΛ⁻¹)ᵀ(δ² − m), m the column means of the squared
// distances (Bengio et al. 2004; de Silva, Tenenbaum 2003). A training sample falls
// on its embedding.
type geodesic struct {
	x, y   *mat.Dense
	k      int
	unit   float64     // length of an edge to a new point per Euclidean distance
	graph  *sparse.CSR // lengths
	middle []float64   // m, n
	values []float64   // Λ, d
}

func (m *geodesic) kind() string { return "geodesic" }

func (m *geodesic) features() int { _, c := m.x.Dims(); return c }

func (m *geodesic) apply(q *mat.Dense) (*mat.Dense, error) {
	rows, _ := q.Dims()
	n, d := m.y.Dims()
	near, err := graph.Query(context.Background(), m.x, q, m.k)
	if err != nil {
		return nil, err
	}
	// YΛ⁻¹ first: the product of a squared distance and a coordinate may overflow.
	scaled := mat.NewDense(n, d, nil)
	scaled.Apply(func(_, c int, v float64) float64 { return v / m.values[c] }, m.y)
	out := mat.NewDense(rows, d, nil)
	const block = 256
	for lo := 0; lo < rows; lo += block {
		hi := min(lo+block, rows)
		// New points are sources only: their edges lead to the samples, not back.
		g := &sparse.CSR{Rows: n + hi - lo, Cols: n + hi - lo, RowPtr: append([]int(nil), m.graph.RowPtr...),
			ColInd: append([]int32(nil), m.graph.ColInd...), Val: append([]float64(nil), m.graph.Val...)}
		sources := make([]int, hi-lo)
		for i := lo; i < hi; i++ {
			index, dist := near.Of(i)
			for a, j := range index {
				g.ColInd, g.Val = append(g.ColInd, j), append(g.Val, dist[a]*m.unit)
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
				b := -(v*v - m.middle[j]) / 2
				for c, y := range scaled.RawRowView(j) {
					row[c] += b * y
				}
			}
		}
	}
	return out, nil
}

func (m *geodesic) arrays() map[string]*mat.Dense {
	ptr, cols := make([]float64, len(m.graph.RowPtr)), make([]float64, len(m.graph.ColInd))
	for i, v := range m.graph.RowPtr {
		ptr[i] = float64(v)
	}
	for i, v := range m.graph.ColInd {
		cols[i] = float64(v)
	}
	row := func(v []float64) *mat.Dense { return mat.NewDense(1, len(v), v) }
	return map[string]*mat.Dense{"samples": m.x, "rule": row([]float64{float64(m.k), m.unit}), "middle": row(m.middle), "lambda": row(m.values),
		"graph_ptr": row(ptr), "graph_columns": row(cols), "graph_lengths": row(m.graph.Val)}
}

func decodeGeodesic(a map[string]*mat.Dense) (mapping, error) {
	x, y, rule, err := sampleArrays(a, 2)
	if err != nil {
		return nil, err
	}
	n, d := y.Dims()
	for name, want := range map[string]int{"middle": n, "lambda": d, "graph_ptr": n + 1, "graph_columns": -1, "graph_lengths": -1} {
		if a[name] == nil {
			return nil, fmt.Errorf("%s is missing", name)
		}
		if got := len(a[name].RawMatrix().Data); want >= 0 && got != want {
			return nil, fmt.Errorf("%s has %d numbers, want %d", name, got, want)
		}
	}
	g := &sparse.CSR{Rows: n, Cols: n, RowPtr: ints(a["graph_ptr"]), Val: a["graph_lengths"].RawMatrix().Data}
	for _, c := range a["graph_columns"].RawMatrix().Data {
		g.ColInd = append(g.ColInd, int32(c))
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	if !(rule[0] >= 1 && rule[0] <= float64(n) && rule[1] > 0) {
		return nil, errors.New("the rule does not fit the samples")
	}
	return &geodesic{x: x, y: y, k: int(rule[0]), unit: rule[1], graph: g,
		middle: a["middle"].RawMatrix().Data, values: a["lambda"].RawMatrix().Data}, nil
}
