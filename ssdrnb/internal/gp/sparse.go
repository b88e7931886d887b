package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// Approximation determines how the likelihood uses inducing points.
type Approximation string

// The approximations. Each takes O(nm²) operations for m inducing points.
const (
	// FITC keeps the exact variances and approximates covariances through the inducing points. In
	// [Sparse], Λ = θ_rbf·I − diag(Q) + θ_white·I.
	FITC Approximation = "fitc"
	// VFE is the lower bound of Titsias. In [Sparse], Λ = θ_white·I, and the bound subtracts a
	// multiple of the variance that the inducing points do not explain.
	VFE Approximation = "vfe"
)

// inducingJitter is added to the diagonal of K_uu, relative to θ_rbf.
const inducingJitter = 1e-6

// Sparse is the likelihood of a GP-LVM with inducing positions U. The covariance is Σ = Q + Λ with
// Q = K_fu·K_uu⁻¹·K_uf and a diagonal Λ; see [FITC] and [VFE]. K_uu is the kernel matrix of the
// inducing positions (m×m). K_uf is the kernel matrix between the inducing positions and the
// samples (m×n). V is L_u⁻¹K_uf for the Cholesky factor L_u of K_uu, and B is I + VΛ⁻¹Vᵀ. No matrix
// larger than m×n is formed. A Sparse holds workspace and must not be shared between goroutines.
type Sparse struct {
	kernel        Kernel
	approximation Approximation
	features      int
	y             *mat.Dense // n×min(n, D), with the same YYᵀ as the data

	x, u                *mat.Dense
	t                   Theta
	fresh               bool
	kuu, suu, lu        *mat.Dense // K_uu with jitter, its derivative (see Kernel.fill), and L_u; m×m
	kuf, suf, v, scaled *mat.Dense // K_uf, its derivative, V and VΛ⁻¹; m×n
	lb                  *mat.Dense // Cholesky factor of B, m×m
	noise, rest         []float64  // diagonals of Λ and of θ_rbf·I − Q
	e, ey               *mat.Dense // E = B⁻¹VΛ⁻¹, m×n, and E·y, m×min(n, D)
}

// NewSparse returns the given approximation of the likelihood of y (n×D, mean zero) under the
// kernel.
func NewSparse(y *mat.Dense, kernel Kernel, how Approximation) (*Sparse, error) {
	kernel, err := kernel.check()
	if err != nil {
		return nil, err
	}
	if how != FITC && how != VFE {
		return nil, fmt.Errorf("%w: the approximation is %q, but must be %q or %q", ErrOption, how, FITC, VFE)
	}
	_, features := y.Dims()
	s := &Sparse{kernel: kernel, approximation: how, features: features}
	s.y, err = compress(y)
	return s, err
}

// LogLikelihood returns the approximation of ln p(Y|x, t) with the inducing positions u, or −Inf if
// a factorisation fails or a coordinate exceeds 1e8 in magnitude. x must have one row per sample;
// otherwise LogLikelihood panics, as gonum does.
func (s *Sparse) LogLikelihood(x, u *mat.Dense, t Theta) float64 { return s.logLikelihood(x, u, t) }

// Gradient returns the gradient with respect to the positions, the inducing positions and t, at the
// point of the last call of LogLikelihood. If that call returned −Inf, or if Gradient was already
// called after it, the gradient is zero.
func (s *Sparse) Gradient() (gx, gu *mat.Dense, gt Theta) {
	gx, gu = new(mat.Dense), new(mat.Dense)
	gx.ReuseAs(s.x.Dims())
	gu.ReuseAs(s.u.Dims())
	s.gradient(gx, gu, &gt)
	return gx, gu, gt
}

func (s *Sparse) prepare(x, u *mat.Dense) {
	n, d := x.Dims()
	m, _ := u.Dims()
	if rows, _ := s.y.Dims(); rows != n {
		panic(mat.ErrShape)
	}
	if s.x == nil || s.x.RawMatrix().Cols != d || s.u.RawMatrix().Rows != m {
		s.x, s.u = mat.NewDense(n, d, nil), mat.NewDense(m, d, nil)
		s.kuu, s.suu, s.lu, s.lb = mat.NewDense(m, m, nil), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		s.kuf, s.suf, s.v, s.scaled, s.e = mat.NewDense(m, n, nil), mat.NewDense(m, n, nil), mat.NewDense(m, n, nil), mat.NewDense(m, n, nil), mat.NewDense(m, n, nil)
		_, k := s.y.Dims()
		s.ey = mat.NewDense(m, k, nil)
		s.noise, s.rest = make([]float64, n), make([]float64, n)
	}
	s.x.Copy(x)
	s.u.Copy(u)
}

func (s *Sparse) logLikelihood(x, u *mat.Dense, t Theta) float64 {
	s.prepare(x, u)
	s.t, s.fresh = t, false
	failed := math.Inf(-1)
	if tooFar(x) || tooFar(u) {
		return failed
	}
	signal, _, noise := t.Values()
	m, n := s.kuf.Dims()
	s.kernel.fill(s.kuu, s.suu, s.u, s.u, t)
	for i := range m {
		s.kuu.Set(i, i, signal*(1+inducingJitter))
	}
	s.lu.Copy(s.kuu)
	s.kernel.fill(s.kuf, s.suf, s.u, s.x, t)
	if !factorise(s.lu) {
		return failed
	}
	s.v.Copy(s.kuf)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(s.lu), s.v.RawMatrix())
	for i := range s.rest {
		s.rest[i] = signal
	}
	for k := range m {
		for i, v := range s.v.RawRowView(k) {
			s.rest[i] -= v * v
		}
	}
	logDet, unexplained := 0.0, 0.0
	for i, rest := range s.rest {
		s.rest[i] = max(rest, 0) // negative only by rounding
		s.noise[i] = noise
		if s.approximation == FITC {
			s.noise[i] += s.rest[i]
		}
		unexplained += s.rest[i]
		logDet += math.Log(s.noise[i])
	}
	for k := range m {
		scaled := s.scaled.RawRowView(k)
		for i, v := range s.v.RawRowView(k) {
			scaled[i] = v / s.noise[i]
		}
	}
	s.lb.Mul(s.scaled, s.v.T())
	for k := range m {
		s.lb.Set(k, k, s.lb.At(k, k)+1)
	}
	if !factorise(s.lb) {
		return failed
	}
	for k := range m {
		logDet += 2 * math.Log(s.lb.At(k, k))
	}
	// tr(Σ⁻¹YYᵀ) = ‖Λ^{−½}Y‖² − ‖L_B⁻¹VΛ⁻¹Y‖².
	quadratic := 0.0
	for i := range n {
		for _, v := range s.y.RawRowView(i) {
			quadratic += v * v / s.noise[i]
		}
	}
	s.ey.Mul(s.scaled, s.y)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(s.lb), s.ey.RawMatrix())
	quadratic -= dense.Inner(s.ey, s.ey)
	value := -float64(s.features)/2*(float64(n)*math.Log(2*math.Pi)+logDet) - quadratic/2
	if s.approximation == VFE {
		value -= float64(s.features) / (2 * noise) * unexplained
	}
	if math.IsNaN(value) {
		return failed
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(s.lb), s.ey.RawMatrix())
	s.fresh = true
	return value
}

// gradient sets gx, gu and gt to the gradient of the log-likelihood at the last point. ∂/∂M denotes
// the derivative of the log-likelihood with respect to M. Let G = ∂/∂Σ for a fixed Λ, and let A =
// K_uu⁻¹K_uf. The log-likelihood also depends on diag(Q) through Λ (FITC) or through the subtracted
// variance (VFE). Let h be the vector of the derivatives that this dependence contributes. Then
// ∂/∂K_uf = 2A(G + diag h) and ∂/∂K_uu = −A(G + diag h)Aᵀ.
func (s *Sparse) gradient(gx, gu *mat.Dense, gt *Theta) {
	gx.Zero()
	gu.Zero()
	*gt = Theta{}
	if !s.fresh {
		return
	}
	s.fresh = false
	signal, gamma, noise := s.t.Values()
	m, n := s.kuf.Dims()
	features := float64(s.features)

	e := s.e
	e.Copy(s.scaled)
	s.solve(s.lb, e)
	var b, a, ab, am mat.Dense
	b.Mul(s.v.T(), s.ey) // Σ⁻¹Y = Λ⁻¹(Y − VᵀEY)
	for i := range n {
		row, y := b.RawRowView(i), s.y.RawRowView(i)
		for k := range row {
			row[k] = (y[k] - row[k]) / s.noise[i]
		}
	}
	a.CloneFrom(s.v)
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(s.lu), a.RawMatrix())
	ab.CloneFrom(s.ey) // A·Σ⁻¹Y = L_u⁻ᵀEY
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(s.lu), ab.RawMatrix())
	own := make([]float64, n) // G_ii
	for i := range n {
		for _, v := range b.RawRowView(i) {
			own[i] += v * v / 2
		}
		own[i] -= features / 2 / s.noise[i]
	}
	for k := range m {
		v := s.v.RawRowView(k)
		for i, w := range e.RawRowView(k) {
			own[i] += features / 2 * v[i] * w / s.noise[i]
		}
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(s.lu), e.RawMatrix()) // A·Σ⁻¹
	am.Mul(&ab, b.T())
	for k := range m {
		row, ak, ek := am.RawRowView(k), a.RawRowView(k), e.RawRowView(k)
		for i := range row {
			diagonal := -own[i]
			if s.approximation == VFE {
				diagonal = features / (2 * noise)
			}
			row[i] = (row[i]-features*ek[i])/2 + diagonal*ak[i]
		}
	}
	var guu mat.Dense
	guu.Mul(&am, a.T())
	guu.Scale(-1, &guu)
	am.Scale(2, &am) // ∂/∂K_uf

	gt[Signal] = dense.Inner(&am, s.kuf) + dense.Inner(&guu, s.kuu)
	for i, g := range own {
		gt[Noise] += noise * g
		if s.approximation == FITC {
			gt[Signal] += signal * g
		} else {
			gt[Signal] -= signal * features / (2 * noise)
			gt[Noise] += features / (2 * noise) * s.rest[i]
		}
	}
	// Let R = (∂/∂K_uf∘suf)ᵀ (n×m) and P = ∂/∂K_uu∘suu. Then ∂/∂X = 2γ(diag(R1)X − RU), and
	// ∂/∂U = 2γ(diag(Rᵀ1)U − RᵀX) + 4γ(diag(P1)U − PU).
	am.MulElem(&am, s.suf)
	guu.MulElem(&guu, s.suu)
	pull(gx, s.x, am.T(), s.u, 2*gamma)
	pull(gu, s.u, &am, s.x, 2*gamma)
	pull(gu, s.u, &guu, s.u, 4*gamma)
	// Scaling X and U by c is equivalent to scaling γ by c², so both enter scaleGradient.
	gt[Gamma] = scaleGradient(stacked(s.x, s.u), stacked(gx, gu))
	s.t.free(gt)
}

// pull adds c(diag(Q1)A − QB) to g.
func pull(g, a *mat.Dense, q mat.Matrix, b *mat.Dense, c float64) {
	n, d := b.Dims()
	withOnes := mat.NewDense(n, d+1, nil)
	for i := range n {
		copy(withOnes.RawRowView(i), b.RawRowView(i))
		withOnes.Set(i, d, 1)
	}
	var qb mat.Dense
	qb.Mul(q, withOnes)
	rows, _ := a.Dims()
	for i := range rows {
		to, from, sum := g.RawRowView(i), a.RawRowView(i), qb.RawRowView(i)
		for k := range to {
			to[k] += c * (sum[d]*from[k] - sum[k])
		}
	}
}

// stacked appends the rows of b to the rows of a.
func stacked(a, b *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Stack(a, b)
	return &out
}

// solve replaces b by (LLᵀ)⁻¹b for the lower triangular l = L.
func (s *Sparse) solve(l, b *mat.Dense) {
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(l), b.RawMatrix())
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(l), b.RawMatrix())
}

// posterior returns the predictive distribution at x and t given y. Posterior.Weights is
// L_u⁻ᵀB⁻¹VΛ⁻¹Y, and Posterior.Reduction is L_u⁻ᵀ(I − B⁻¹)L_u⁻¹.
func (s *Sparse) posterior(y, x, u *mat.Dense, t Theta) (*Posterior, error) {
	if math.IsInf(s.logLikelihood(x, u, t), -1) {
		return nil, ErrSingular
	}
	m, _ := u.Dims()
	var weights mat.Dense
	weights.Mul(s.scaled, y)
	s.solve(s.lb, &weights)
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(s.lu), weights.RawMatrix())
	// With F = L_u⁻¹ and H = L_B⁻¹L_u⁻¹, Reduction is FᵀF − HᵀH.
	f := mat.NewDense(m, m, nil)
	for k := range m {
		f.Set(k, k, 1)
	}
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(s.lu), f.RawMatrix())
	h := mat.DenseCopyOf(f)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(s.lb), h.RawMatrix())
	var reduction, second mat.Dense
	reduction.Mul(f.T(), f)
	second.Mul(h.T(), h)
	reduction.Sub(&reduction, &second)
	return &Posterior{Kernel: s.kernel, Theta: t, Inputs: mat.DenseCopyOf(u), Weights: &weights, Reduction: &reduction}, nil
}
