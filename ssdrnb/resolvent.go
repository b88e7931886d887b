package ssdrnb

import (
	"context"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// resolvent solves systems with A + tI for a sparse positive semidefinite A of order
// n and any t > 0, and forms zᵀA(A + tI)⁻¹z: what is left of a graph once the values
// on it are eliminated. Up to spectralSamples the spectrum of A serves all t; beyond,
// where its O(n³) time and n² memory are too much, each t takes a sparse Cholesky
// factor, and all share the order of elimination.
type resolvent struct {
	a        *sparse.CSR
	z        *mat.Dense         // n×p
	spectrum *spectral.Spectrum // nil for the sparse way
	turned   *mat.Dense         // Qᵀz in the basis Q of the eigenvectors
	symbolic *sparse.Symbolic
}

// spectralSamples is the order up to which a spectrum is computed. A sweep of 49
// cells wins by it up to about that order, a single fit loses little.
const spectralSamples = 1000

func newResolvent(a *sparse.CSR, z *mat.Dense) (r *resolvent, err error) {
	r = &resolvent{a: a, z: z}
	if a.Rows > spectralSamples {
		r.symbolic, err = sparse.Analyze(a, 0)
		return r, err
	}
	if r.spectrum, err = spectral.Decompose(dense.FromSparse(a)); err != nil {
		return nil, err
	}
	r.spectrum = r.spectrum.Clip() // of rounding
	r.turned = new(mat.Dense)
	r.turned.Mul(r.spectrum.Vectors.T(), z)
	return r, nil
}

// solve returns (A + tI)⁻¹b.
func (r *resolvent) solve(ctx context.Context, t float64, b *mat.Dense) (*mat.Dense, error) {
	if r.spectrum != nil {
		return r.spectrum.Apply(func(v float64) float64 { return 1 / (v + t) }, b), nil
	}
	factor, err := r.symbolic.Factorize(ctx, r.a, t)
	if err != nil {
		return nil, err
	}
	n, p := b.Dims()
	x := mat.NewDense(n, p, nil)
	factor.SolveTo(x, b)
	return x, nil
}

// filtered returns zᵀA(A + tI)⁻¹z. A is applied last: z − t(A + tI)⁻¹z would lose what
// a large t leaves.
func (r *resolvent) filtered(ctx context.Context, t float64) (*mat.SymDense, error) {
	if r.spectrum != nil {
		return r.spectrum.Congruence(func(v float64) float64 { return v / (v + t) }, r.turned), nil
	}
	x, err := r.solve(ctx, t, r.z)
	if err != nil {
		return nil, err
	}
	n, p := x.Dims()
	ax := mat.NewDense(n, p, nil)
	r.a.MulTo(ax, x)
	return dense.SymmetricProduct(r.z, ax), nil
}
