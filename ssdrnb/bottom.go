package ssdrnb

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

// bottom returns the d smallest eigenpairs, rising, of the symmetric positive
// semidefinite m among the vectors orthogonal to the unit vector null, for which
// m·null = 0. The null vector is moved beyond the spectrum, not dropped as the
// first one found: in a null space of several dimensions it has no place of its
// own.
func (j *job) bottom(m *sparse.CSR, null []float64, d int) (*spectral.Pairs, error) {
	radius := 0.0
	for i := range m.Rows {
		sum := 0.0
		_, vals := m.Row(i)
		for _, v := range vals {
			sum += math.Abs(v)
		}
		radius = max(radius, sum)
	}
	n := m.Rows
	shifted := mat.NewSymDense(n, nil)
	for i := range n {
		cols, vals := m.Row(i)
		for k, c := range cols {
			if int(c) >= i {
				shifted.SetSym(i, int(c), vals[k])
			}
		}
		for c := i; c < n; c++ {
			shifted.SetSym(i, c, shifted.At(i, c)+2*radius*null[i]*null[c])
		}
	}
	values, vectors, err := blas.EigenSymRange(shifted, 0, min(d+1, n))
	if err != nil {
		return nil, err
	}
	p := &spectral.Pairs{Values: values[:d:d], Vectors: mat.DenseCopyOf(vectors.Slice(0, n, 0, d)), Gap: math.Inf(1)}
	for k := range p.Values {
		p.Values[k] = max(p.Values[k], 0)
	}
	if d < n-1 {
		p.Gap = values[d] - p.Values[d-1]
		j.fact("eigengap", p.Gap)
		if p.Gap <= 1e-12*radius {
			j.report.warn("the eigenvalues %d and %d of the embedding are equal: other embeddings are as good", d, d+1)
		}
	}
	spectral.FixSigns(p.Vectors)
	return p, nil
}

// solve returns the solution x of m·x = right for a symmetric positive definite m.
func (j *job) solve(m *sparse.CSR, right *mat.Dense) (*mat.Dense, error) {
	dense := mat.NewSymDense(m.Rows, nil)
	for i := range m.Rows {
		cols, vals := m.Row(i)
		for k, c := range cols {
			if int(c) >= i {
				dense.SetSym(i, int(c), vals[k])
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(dense) {
		return nil, fmt.Errorf("%w: the system of the unknown coordinates is singular; know more of them, or set Confidence", ErrNumerical)
	}
	var x mat.Dense
	err := chol.SolveTo(&x, right)
	var condition mat.Condition
	if errors.As(err, &condition) {
		j.report.warn("the unknown coordinates are poorly determined: condition %.1e", float64(condition))
		err = nil
	}
	return &x, err
}
