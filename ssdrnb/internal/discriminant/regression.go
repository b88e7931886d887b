package discriminant

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Resolvent solves systems with A + tI for a sparse positive semidefinite A of order n and any t >
// 0. It also computes zᵀA(A + tI)⁻¹z for the n×p matrix z. For a vector w, t·wᵀ(zᵀA(A + tI)⁻¹z)w is
// the minimum of fᵀAf + t|f − zw|² over f. Up to order SpectralSamples, it computes the spectrum of
// A once for all t, in O(n³) time and O(n²) memory. Above that, it computes a sparse Cholesky
// factor for each t and reuses the elimination order. It also does so if the entries on the
// diagonal of A differ by factors above 1e6. The rounding errors of all eigenvalues are
// proportional to the largest eigenvalue, so small eigenvalues would then be inaccurate.
type Resolvent struct {
	A        *sparse.CSR
	Z        *mat.Dense         // n×p
	spectrum *spectral.Spectrum // nil if sparse factors are used
	turned   *mat.Dense         // Qᵀz in the basis Q of the eigenvectors
	Symbolic *sparse.Symbolic
}

// Solve returns (A + tI)⁻¹b.
func (r *Resolvent) Solve(ctx context.Context, t float64, b *mat.Dense) (*mat.Dense, error) {
	if r.spectrum != nil {
		return r.spectrum.Apply(func(v float64) float64 { return 1 / (v + t) }, b), nil
	}
	factor, err := r.Symbolic.Factorize(ctx, r.A, t)
	if err != nil {
		return nil, err
	}
	n, p := b.Dims()
	x := mat.NewDense(n, p, nil)
	factor.SolveTo(x, b)
	return x, nil
}

// Filtered returns zᵀA(A + tI)⁻¹z. It multiplies by A last, because z − t(A + tI)⁻¹z would lose
// digits by cancellation for large t. For small t, (A + tI)⁻¹z has large constant parts on the
// components of A that are Laplacians, such as those without a label in FME. A maps constants on
// such a component to 0, so the mean of z on each of them is subtracted first.
func (r *Resolvent) Filtered(ctx context.Context, t float64) (*mat.SymDense, error) {
	if r.spectrum != nil {
		return r.spectrum.Congruence(func(v float64) float64 { return v / (v + t) }, r.turned), nil
	}
	z := r.Z
	if rows := laplacians(r.A); len(rows) > 0 {
		z = mat.DenseCopyOf(z)
		for _, part := range rows {
			means := samples.Means(samples.Pick(z, part))
			for _, i := range part {
				floats.Sub(z.RawRowView(i), means)
			}
		}
	}
	x, err := r.Solve(ctx, t, z)
	if err != nil {
		return nil, err
	}
	n, p := x.Dims()
	ax := mat.NewDense(n, p, nil)
	r.A.MulTo(ax, x)
	return dense.SymmetricProduct(z, ax), nil
}

// laplacians returns the connected components of the graph of `a` in which all rows of `a` sum to
// 0, up to rounding errors. Each component is given as the list of its rows.
func laplacians(a *sparse.CSR) [][]int {
	count, of := graph.Components(a)
	parts, shifted := make([][]int, count), make([]bool, count)
	for i, k := range of {
		cols, vals := a.Row(i)
		sum := math.Abs(floats.Sum(vals))
		shifted[k] = shifted[k] || sum > 0x1p-52*float64(len(cols))*a.At(i, i)
		parts[k] = append(parts[k], i)
	}
	out := parts[:0]
	for k, part := range parts {
		if !shifted[k] {
			out = append(out, part)
		}
	}
	return out
}

// Flexible holds those matrices of flexible manifold embedding (FME) that do not depend on the
// weights μ and γ. FME minimises tr(FᵀLF) + tr((F−Y)ᵀU(F−Y)) + μ(|W|² + γ|X·W + 1bᵀ − F|²) over the
// soft labels F (n×c), W (r×c) and b. Samples are the rows of X, and Y (n×c) holds the class
// indicators of the labelled samples.
type Flexible struct {
	Laplacian *sparse.CSR // L, n×n
	Weights   []float64   // the diagonal of U: 0 for unlabelled samples
	Labels    *mat.Dense  // U·Y, n×c
	Samples   *mat.Dense  // [X, 1], n×(r+1)
	Fitted    *Resolvent  // resolvent of U + L, with Samples as Z
}

// Regression returns W (r×c) and b at the joint minimum, for the given μ and γ.
func (p *Flexible) Regression(ctx context.Context, mu, gamma float64) (w *mat.Dense, bias []float64, err error) {
	t := mu * gamma
	m, err := p.Fitted.Filtered(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	e, err := p.Fitted.Solve(ctx, t, p.Labels)
	if err != nil {
		return nil, nil, err
	}
	var right mat.Dense
	right.Mul(p.Samples.T(), e)
	q := m.SymmetricDim()
	for i := range q - 1 {
		m.SetSym(i, i, m.At(i, i)+1/gamma)
	}
	x, err := dense.SolvePositive(m, 0, &right)
	if err != nil {
		return nil, nil, err
	}
	_, c := x.Dims()
	return mat.DenseCopyOf(x.Slice(0, q-1, 0, c)), mat.Row(nil, q-1, x), nil
}

// SoftLabels returns F = (U + L + tI)⁻¹(U·Y + t·y) for the fitted values y = X·W + 1bᵀ and t = μγ.
func (p *Flexible) SoftLabels(ctx context.Context, y *mat.Dense, t float64) (*mat.Dense, error) {
	var right mat.Dense
	right.Scale(t, y)
	right.Add(&right, p.Labels)
	return p.Fitted.Solve(ctx, t, &right)
}

// Objective returns the objective at F and W. y holds the fitted values X·W + 1bᵀ.
func (p *Flexible) Objective(f, w, y *mat.Dense, mu, gamma float64) float64 {
	n, c := f.Dims()
	lf := mat.NewDense(n, c, nil)
	p.Laplacian.MulTo(lf, f)
	var apart mat.Dense
	apart.Sub(y, f)
	sum := dense.Inner(f, lf) + mu*(dense.Inner(w, w)+gamma*dense.Inner(&apart, &apart))
	for i, u := range p.Weights {
		if u == 0 {
			continue // the sample is unlabelled
		}
		for k, v := range f.RawRowView(i) {
			e := v - p.Labels.At(i, k)/u
			sum += u * e * e
		}
	}
	return sum
}

// SpectralSamples is the largest order for which a spectrum is computed. Up to about this order,
// the spectrum makes a sweep over 49 combinations of options faster, and costs little for a single
// fit.
const SpectralSamples = 1000

// NewResolvent prepares the resolvent of the symmetric positive semidefinite matrix a. z (n×p) is
// the matrix for [Resolvent.Filtered].
func NewResolvent(a *sparse.CSR, z *mat.Dense) (r *Resolvent, err error) {
	r = &Resolvent{A: a, Z: z}
	if diagonal := a.Diag(); a.Rows > SpectralSamples || slices.Max(diagonal) > 1e6*slices.Min(diagonal) {
		r.Symbolic, err = sparse.Analyze(a, 0)
		return r, err
	}
	if r.spectrum, err = spectral.Decompose(dense.FromSparse(a)); err != nil {
		return nil, err
	}
	r.spectrum = r.spectrum.Clip() // removes negative eigenvalues due to rounding
	r.turned = new(mat.Dense)
	r.turned.Mul(r.spectrum.Vectors.T(), z)
	return r, nil
}
