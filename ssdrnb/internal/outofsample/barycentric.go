package outofsample

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Barycentric writes a new point as a weighted mean of its k nearest training samples. The
// embedding of the point is the mean of their embeddings with the same weights (Saul, Roweis 2003).
type Barycentric struct {
	Samples
	Distances *mat.SymDense // n×n distances of the samples if they have no features; otherwise nil
	Y         *mat.Dense    // n×d embedding of the samples
	K         int
	Reg       float64
}

// Kind returns the name of the rule in model files.
func (m *Barycentric) Kind() string { return "barycentric" }

// Apply embeds the rows of q. q must have [Samples.Features] columns.
func (m *Barycentric) Apply(q *mat.Dense) (*mat.Dense, error) {
	ctx := context.Background()
	near, err := m.Near(ctx, q, m.K)
	if err != nil {
		return nil, err
	}
	var w *sparse.CSR
	if m.Distances != nil {
		w, err = align.BarycentricOf(ctx, m.Distances, q, near, m.Reg)
	} else {
		w, err = align.Barycentric(ctx, m.X, q, near, m.Reg)
	}
	if err != nil {
		return nil, err
	}
	rows, _ := q.Dims()
	_, d := m.Y.Dims()
	out := mat.NewDense(rows, d, nil)
	w.MulTo(out, m.Y)
	return out, nil
}

// Arrays returns the arrays of the rule for a model file.
func (m *Barycentric) Arrays() map[string]*mat.Dense {
	a := m.arrays(map[string]*mat.Dense{"rule": mat.NewDense(1, 2, []float64{float64(m.K), m.Reg})})
	if m.Distances != nil {
		a["distances"] = mat.DenseCopyOf(m.Distances)
	}
	return a
}

// DecodeBarycentric returns the rule stored in the arrays of a model file.
func DecodeBarycentric(a map[string]*mat.Dense) (Map, error) {
	s, y, rule, err := decodeSamples(a, 2)
	if err != nil {
		return nil, err
	}
	m := &Barycentric{Samples: s, Y: y, K: int(rule[0]), Reg: rule[1]}
	if !(m.Reg > 0) {
		return nil, fmt.Errorf("the regularization is %g, but must be positive", m.Reg)
	}
	switch d := a["distances"]; {
	case s.Rows != nil || (s.X == nil) != (d != nil):
		return nil, errors.New("the samples must be given either by dense features or by distances")
	case d != nil:
		if r, c := d.Dims(); r != s.N || c != s.N {
			return nil, fmt.Errorf("the distances are %d×%d, but there are %d samples", r, c, s.N)
		}
		m.Distances = mat.NewSymDense(s.N, nil)
		for i := range s.N {
			for j := i; j < s.N; j++ {
				m.Distances.SetSym(i, j, d.At(i, j))
			}
		}
	}
	return m, nil
}
