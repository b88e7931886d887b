package gp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Posterior is the predictive distribution of a fitted model. At a position x with k = θ_rbf·κ(x,
// inputs), the mean is Weightsᵀk. The variance of the latent function is θ_rbf − kᵀ·Reduction·k,
// the same for all features.
type Posterior struct {
	Kernel    Kernel
	Theta     Theta
	Jitter    float64    // ε of the exact model, otherwise 0
	Inputs    *mat.Dense // m×d, the latent positions or the inducing points
	Weights   *mat.Dense // m×D; K⁻¹Y for the exact model
	Reduction *mat.Dense // m×m, symmetric; K⁻¹ for the exact model
}

// Noise returns θ_white + ε, the variance of an observation around the function.
func (p *Posterior) Noise() float64 {
	_, _, noise := p.Theta.Values()
	return noise + p.Jitter
}

// check returns an error unless the sizes of x (q×d), Inputs, Weights and Reduction match.
func (p *Posterior) check(x *mat.Dense) error {
	_, d := x.Dims()
	m, want := p.Inputs.Dims()
	rows, _ := p.Weights.Dims()
	if r, c := p.Reduction.Dims(); d != want || rows != m || r != m || c != m {
		return fmt.Errorf("%w: the positions have %d dimensions and the inputs %d, but these must be equal, and %d inputs have %d rows of weights and a %d×%d reduction, of which each size must be the number of inputs", ErrShape, d, want, m, rows, r, c)
	}
	return nil
}

// Predict returns the mean (q×D) and the variance of the function at the rows of x (q×d). The
// variance of an observation is larger by [Posterior.Noise]. Far from all inputs, the mean tends to
// zero and the variance to θ_rbf.
func (p *Posterior) Predict(x *mat.Dense) (mean *mat.Dense, variance []float64, err error) {
	if err := p.check(x); err != nil {
		return nil, nil, err
	}
	q, _ := x.Dims()
	_, features := p.Weights.Dims()
	mean, variance = mat.NewDense(q, features, nil), make([]float64, q)
	parallel(q, func(i int) {
		at := p.workspace()
		variance[i] = at.predict(x.RawRowView(i))
		copy(mean.RawRowView(i), at.mean)
	})
	return mean, variance, nil
}

// LogDensity returns ln N(y | mean(x), (v(x) + θ_white + ε)I) (eq. 16), where v is the variance of
// the latent function.
func (p *Posterior) LogDensity(x, y []float64) float64 { return p.workspace().density(x, y, nil) }

// LogDensityGradient returns the gradient of [Posterior.LogDensity] with respect to x.
func (p *Posterior) LogDensityGradient(x, y []float64) []float64 {
	g := make([]float64, len(x))
	p.workspace().density(x, y, g)
	return g
}

// Locate finds, for each row of y (q×D), the position that maximises its density. The search starts
// at the position in the same row of the matrix start (q×d). The density has several maxima; the
// starting position and the optimiser determine which one is found. Locate returns the positions
// and their log densities.
func (p *Posterior) Locate(ctx context.Context, y, start *mat.Dense, minimize Minimize) (*mat.Dense, []float64, error) {
	if err := p.check(start); err != nil {
		return nil, nil, err
	}
	q, features := y.Dims()
	if r, _ := start.Dims(); r != q {
		return nil, nil, fmt.Errorf("%w: start has %d rows, but y has %d", ErrShape, r, q)
	}
	if _, want := p.Weights.Dims(); features != want {
		return nil, nil, fmt.Errorf("%w: rows have %d features, but the model has %d", ErrShape, features, want)
	}
	x, density := mat.DenseCopyOf(start), make([]float64, q)
	opt := Options{Steps: 500, Gradient: 1e-9, Change: 1e-14}
	parallel(q, func(i int) {
		at := p.workspace()
		// minimize can only return the error of ctx, which is returned below.
		r, _ := minimize(ctx, func(w, g []float64) float64 {
			v := -at.density(w, y.RawRowView(i), g)
			for k := range g {
				g[k] = -g[k]
			}
			return v
		}, x.RawRowView(i), opt)
		copy(x.RawRowView(i), r.W)
		density[i] = -r.Value
	})
	return x, density, ctx.Err()
}

// place is workspace for evaluating a [Posterior] at one position at a time.
type place struct {
	p              *Posterior
	k, slope, b    []float64
	mean, residual []float64
}

func (p *Posterior) workspace() *place {
	m, features := p.Weights.Dims()
	return &place{p: p, k: make([]float64, m), slope: make([]float64, m), b: make([]float64, m),
		mean: make([]float64, features), residual: make([]float64, features)}
}

// predict computes the mean at x and returns the variance of the function there.
func (w *place) predict(x []float64) float64 {
	signal, gamma, _ := w.p.Theta.Values()
	for i := range w.k {
		k, s := w.p.Kernel.at(gamma * samples.SquaredDistance(x, w.p.Inputs.RawRowView(i)))
		w.k[i], w.slope[i] = signal*k, signal*s
	}
	k, b := vector(w.k), vector(w.b)
	blas64.Gemv('T', 1, w.p.Weights.RawMatrix(), k, 0, vector(w.mean))
	blas64.Gemv('N', 1, w.p.Reduction.RawMatrix(), k, 0, b)
	return max(signal-blas64.Dot(k, b), 0)
}

// density returns ln N(y|μ, vI) for the mean μ at x and the variance v of an observation there.
// Unless g is nil, it sets g to the gradient with respect to x.
func (w *place) density(x, y, g []float64) float64 {
	_, gamma, _ := w.p.Theta.Values()
	v := w.predict(x) + w.p.Noise()
	squares := 0.0
	for k, m := range w.mean {
		w.residual[k] = y[k] - m
		squares += w.residual[k] * w.residual[k]
	}
	features := float64(len(y))
	value := -features/2*math.Log(2*math.Pi*v) - squares/(2*v)
	if g == nil {
		return value
	}
	// ∂/∂k = Weights·e/v + (−D/(2v) + ‖e‖²/(2v²))·(−2b) with e = y − μ and b = Reduction·k. ∂k/∂x
	// follows from the slope of the kernel.
	pull := w.b
	blas64.Gemv('N', 1/v, w.p.Weights.RawMatrix(), vector(w.residual), features/v-squares/(v*v), vector(pull))
	clear(g)
	for i, s := range w.slope {
		for k, a := range w.p.Inputs.RawRowView(i) {
			g[k] += 2 * gamma * pull[i] * s * (x[k] - a)
		}
	}
	return value
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }
