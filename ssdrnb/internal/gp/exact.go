package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	engine "github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// evidence is the likelihood of the data as a function of latent positions x, inducing positions u
// (nil if there are none) and kernel parameters.
type evidence interface {
	// logLikelihood returns ln p, or −Inf if the covariance is not positive definite.
	logLikelihood(x, u *mat.Dense, t Theta) float64
	// gradient sets gx, gu and gt to the gradient at the point of the last call of logLikelihood,
	// or to 0 if that call returned −Inf. It overwrites the factors that logLikelihood computed, so
	// logLikelihood must be called again before the next call of gradient.
	gradient(gx, gu *mat.Dense, gt *Theta)
	posterior(y, x, u *mat.Dense, t Theta) (*Posterior, error)
}

// Exact is the likelihood of a GP-LVM,
//
//	ln p(Y|X, θ) = −(Dn/2) ln 2π − (D/2) ln|K| − ½ tr(K⁻¹YYᵀ),
//
// with K = θ_rbf·κ + (θ_white + ε)I. The jitter ε is part of the model: it bounds the likelihood
// where samples coincide. An evaluation with gradient takes O(n³ + n²(D + d)) operations and memory
// for three n×n matrices. An Exact holds workspace and must not be shared between goroutines.
type Exact struct {
	kernel   Kernel
	jitter   float64
	features int        // D
	y        *mat.Dense // n×min(n, D), with the same YYᵀ as the data

	x             *mat.Dense // copy of the positions of the last evaluation, with a column of ones
	t             Theta
	value         float64
	fresh         bool       // whether the matrix a holds the factor of K at (x, t)
	a             *mat.Dense // K, then its factor, then the gradient with respect to K
	signal, slope *mat.Dense // θ_rbf·κ and θ_rbf·dκ/ds, below the diagonal
	v, b          *mat.Dense // L⁻¹Y and K⁻¹Y for the Cholesky factor L of K
	qx            *mat.Dense // Q·[X 1] for Q = G∘slope and the gradient G with respect to K
}

// NewExact returns the likelihood of y (n×D, mean zero) under the kernel with the jitter ε ≥ 0.
func NewExact(y *mat.Dense, kernel Kernel, jitter float64) (*Exact, error) {
	kernel, err := kernel.check()
	if err != nil {
		return nil, err
	}
	if !(jitter >= 0) || math.IsInf(jitter, 0) {
		return nil, fmt.Errorf("%w: the jitter is %v, but must be finite and at least 0", ErrOption, jitter)
	}
	n, features := y.Dims()
	e := &Exact{kernel: kernel, jitter: jitter, features: features, value: math.Inf(-1)}
	if e.y, err = compress(y); err != nil {
		return nil, err
	}
	_, k := e.y.Dims()
	e.a, e.signal, e.slope = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	e.v, e.b = mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	return e, nil
}

// compress returns a matrix of at most n columns with the same YYᵀ. The likelihood depends on YYᵀ
// alone.
func compress(y *mat.Dense) (*mat.Dense, error) {
	n, features := y.Dims()
	if features <= n {
		return y, nil
	}
	u, values, _, err := engine.SVDThin(y)
	if err != nil {
		return nil, err
	}
	for i := range n {
		row := u.RawRowView(i)
		for k, s := range values {
			row[k] *= s
		}
	}
	return u, nil
}

// LogLikelihood returns ln p(Y|x, t), or −Inf if K is not positive definite or a coordinate exceeds
// 1e8 in magnitude. x must have one row per sample; otherwise LogLikelihood panics, as gonum does.
func (e *Exact) LogLikelihood(x *mat.Dense, t Theta) float64 { return e.logLikelihood(x, nil, t) }

// Gradient returns the gradient of ln p with respect to the positions and to t, at the point of the
// last call of LogLikelihood. It overwrites the factor of K that this call computed. If the call
// returned −Inf, or if Gradient was already called after it, the gradient is zero.
func (e *Exact) Gradient() (gx *mat.Dense, gt Theta) {
	n, d := e.x.Dims()
	gx = mat.NewDense(n, d-1, nil)
	e.gradient(gx, nil, &gt)
	return gx, gt
}

func (e *Exact) logLikelihood(x, _ *mat.Dense, t Theta) float64 {
	n, d := x.Dims()
	if rows, _ := e.a.Dims(); rows != n {
		panic(mat.ErrShape)
	}
	if e.x == nil || e.x.RawMatrix().Cols != d+1 {
		e.x, e.qx = mat.NewDense(n, d+1, nil), mat.NewDense(n, d+1, nil)
	}
	for i := range n {
		row := e.x.RawRowView(i)
		copy(row, x.RawRowView(i))
		row[d] = 1
	}
	e.t, e.value, e.fresh = t, math.Inf(-1), false
	if tooFar(x) {
		return e.value
	}
	e.assemble(d)
	if !factorise(e.a) {
		return e.value
	}
	e.fresh = true
	logDet := 0.0
	for i := range n {
		logDet += 2 * math.Log(e.a.At(i, i))
	}
	e.v.Copy(e.y)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(e.a), e.v.RawMatrix())
	e.value = -float64(e.features)/2*(float64(n)*math.Log(2*math.Pi)+logDet) - dense.Inner(e.v, e.v)/2
	return e.value
}

func (e *Exact) raise(jitter float64) { e.jitter = jitter }

// assemble computes the kernel and its slope below the diagonal, and K.
func (e *Exact) assemble(d int) {
	signal, gamma, noise := e.t.Values()
	n, _ := e.a.Dims()
	parallel(n, func(i int) {
		x := e.x.RawRowView(i)[:d]
		k, s, a := e.signal.RawRowView(i), e.slope.RawRowView(i), e.a.RawRowView(i)
		for j := range i {
			v, slope := e.kernel.at(gamma * samples.SquaredDistance(x, e.x.RawRowView(j)))
			k[j], s[j], a[j] = signal*v, signal*slope, signal*v
		}
		k[i], s[i], a[i] = signal, 0, signal+noise+e.jitter
	})
}

func (e *Exact) gradient(gx, _ *mat.Dense, gt *Theta) {
	gx.Zero()
	*gt = Theta{}
	if !e.fresh {
		return
	}
	e.fresh = false
	n, d := gx.Dims()
	e.b.Copy(e.v)
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(e.a), e.b.RawMatrix())
	lapack64.Potri(lower(e.a))
	// G = ∂ln p/∂K = ½(BBᵀ − D·K⁻¹).
	blas64.Syrk(blas.NoTrans, 0.5, e.b.RawMatrix(), -float64(e.features)/2, symmetric(e.a))
	gt[Signal] = sumRows(n, func(i int) float64 {
		g, k, s := e.a.RawRowView(i), e.signal.RawRowView(i), e.slope.RawRowView(i)
		sum := 0.0
		for j := range i {
			sum += g[j] * k[j]
			s[j] *= g[j] // Q = G∘slope
		}
		return 2*sum + g[i]*k[i]
	})
	_, gamma, noise := e.t.Values()
	trace := 0.0
	for i := range n {
		trace += e.a.At(i, i)
	}
	gt[Noise] = noise * trace
	// ∂/∂X = 4γ(diag(Q1)X − QX). The column of ones next to X yields Q1 in the same product.
	blas64.Symm(blas.Left, 1, symmetric(e.slope), e.x.RawMatrix(), 0, e.qx.RawMatrix())
	for i := range n {
		x, q, g := e.x.RawRowView(i), e.qx.RawRowView(i), gx.RawRowView(i)
		for k := range d {
			g[k] = 4 * gamma * (q[d]*x[k] - q[k])
		}
	}
	gt[Gamma] = scaleGradient(e.x, gx)
	e.t.free(gt)
}

// scaleGradient returns ∂ln p/∂ln γ, computed from the gradient gx with respect to the positions x.
// Since (X, γ) and (cX, γ/c²) are the same model, the result is ½Σ X∘∂ln p/∂X, with X relative to
// its mean.
func scaleGradient(x, gx *mat.Dense) float64 {
	mean, sum := samples.Means(x), 0.0
	n, _ := gx.Dims()
	for i := range n {
		row := x.RawRowView(i)
		for k, g := range gx.RawRowView(i) {
			sum += (row[k] - mean[k]) * g
		}
	}
	return sum / 2
}

// posterior returns the predictive distribution given the data y, which are not compressed, at the
// positions x and the parameters t.
func (e *Exact) posterior(y, x, _ *mat.Dense, t Theta) (*Posterior, error) {
	if math.IsInf(e.logLikelihood(x, nil, t), -1) {
		return nil, ErrSingular
	}
	weights := mat.DenseCopyOf(y)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(e.a), weights.RawMatrix())
	blas64.Trsm(blas.Left, blas.Trans, 1, lower(e.a), weights.RawMatrix())
	lapack64.Potri(lower(e.a))
	e.fresh = false
	inverse := mat.NewDense(e.a.RawMatrix().Rows, e.a.RawMatrix().Rows, nil)
	mirror(inverse, e.a)
	return &Posterior{Kernel: e.kernel, Theta: t, Jitter: e.jitter, Inputs: mat.DenseCopyOf(x), Weights: weights, Reduction: inverse}, nil
}

// mirror copies the lower triangle of the matrix a to both triangles of dst.
func mirror(dst, a *mat.Dense) {
	n, _ := a.Dims()
	for i := range n {
		for j := range i + 1 {
			v := a.At(i, j)
			dst.Set(i, j, v)
			dst.Set(j, i, v)
		}
	}
}

// factorise overwrites the lower triangle of the matrix a with its Cholesky factor and reports
// whether it succeeded.
func factorise(a *mat.Dense) bool {
	_, ok := lapack64.Potrf(symmetric(a))
	return ok
}

// tooFar reports whether a coordinate is NaN or exceeds 1e8 in magnitude. Sums over positions, as
// in the gradient, would then lose the digits of smaller coordinates.
func tooFar(x *mat.Dense) bool {
	n, _ := x.Dims()
	for i := range n {
		for _, v := range x.RawRowView(i) {
			if !(math.Abs(v) <= 1e8) {
				return true
			}
		}
	}
	return false
}
