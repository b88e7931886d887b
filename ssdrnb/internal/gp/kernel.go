package gp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrShape means that the sizes of two arguments do not match.
	ErrShape = errors.New("gp: sizes disagree")
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("gp: argument out of range")
	// ErrCoincide means that all latent positions are the same.
	ErrCoincide = errors.New("gp: all latent positions coincide")
	// ErrFar means that a coordinate of a latent position exceeds 1e8 in magnitude.
	ErrFar = errors.New("gp: a latent position is more than 1e8 from the origin")
	// ErrSingular means that a covariance, or the kernel matrix of back constraints, is not
	// positive definite. [Fit] first tries larger jitters.
	ErrSingular = errors.New("gp: covariance is not positive definite")
	// ErrOverflow means that the objective overflows at the start, because a weight is too large.
	ErrOverflow = errors.New("gp: the objective overflows")
)

// Theta holds the logarithms of the kernel's parameters: the signal variance θ_rbf, the inverse
// squared length scale γ, and the noise variance θ_white. The zero value is the usual starting
// point, at which all parameters are 1.
type Theta [3]float64

// Indices into a Theta.
const (
	Signal = iota
	Gamma
	Noise
)

// logLimit bounds the logarithms, so that parameters lie between 1e-6 and 1e6. Beyond these limits,
// functions of Theta are constant.
var logLimit = math.Log(1e6)

// Values returns θ_rbf, γ and θ_white.
func (t Theta) Values() (signal, gamma, noise float64) {
	at := func(k int) float64 { return math.Exp(min(max(t[k], -logLimit), logLimit)) }
	return at(Signal), at(Gamma), at(Noise)
}

// Limited returns the indices of the parameters at or beyond a limit, in ascending order.
func (t Theta) Limited() []int {
	var out []int
	for k, v := range t {
		if math.Abs(v) >= logLimit {
			out = append(out, k)
		}
	}
	return out
}

// free sets to 0 the entries of the gradient g for those parameters of t that are beyond the
// limits.
func (t Theta) free(g *Theta) {
	for k, v := range t {
		if math.Abs(v) > logLimit {
			g[k] = 0
		}
	}
}

// Kernel is a stationary kernel k(x, x′) = θ_rbf·κ(s) with s = γ‖x − x′‖².
type Kernel string

// The kernels.
const (
	// RBF is κ = exp(−s/2), infinitely smooth.
	RBF Kernel = "rbf"
	// Matern52 is κ = (1 + √(5s) + 5s/3)·exp(−√(5s)), twice differentiable.
	Matern52 Kernel = "matern-5/2"
	// Matern32 is κ = (1 + √(3s))·exp(−√(3s)), once differentiable.
	Matern32 Kernel = "matern-3/2"
)

// Kernels lists the kernels.
var Kernels = []Kernel{RBF, Matern52, Matern32}

// check returns k, with the zero value replaced by RBF. It returns an error for an unknown kernel.
func (k Kernel) check() (Kernel, error) {
	switch k {
	case "":
		return RBF, nil
	case RBF, Matern52, Matern32:
		return k, nil
	}
	return k, fmt.Errorf("%w: the kernel is %q, but must be one of %q", ErrOption, k, Kernels)
}

// at returns κ(s) and dκ/ds.
func (k Kernel) at(s float64) (value, slope float64) {
	if s > 1e6 { // the exponentials underflow, and the polynomials may overflow
		return 0, 0
	}
	switch k {
	case Matern52:
		r := math.Sqrt(5 * s)
		e := math.Exp(-r)
		return (1 + r + 5*s/3) * e, -5.0 / 6 * (1 + r) * e
	case Matern32:
		r := math.Sqrt(3 * s)
		e := math.Exp(-r)
		return (1 + r) * e, -1.5 * e
	}
	e := math.Exp(-s / 2)
	return e, -e / 2
}

// Covariance returns the matrix of θ_rbf·κ between the rows of a and the rows of b, without noise.
func (k Kernel) Covariance(a, b *mat.Dense, t Theta) *mat.Dense {
	rows, _ := a.Dims()
	cols, _ := b.Dims()
	c := mat.NewDense(rows, cols, nil)
	k.fill(c, nil, a, b, t)
	return c
}

// fill sets value to θ_rbf·κ and slope to θ_rbf·dκ/ds. slope may be nil.
func (k Kernel) fill(value, slope, a, b *mat.Dense, t Theta) {
	signal, gamma, _ := t.Values()
	rows, cols := value.Dims()
	parallel(rows, func(i int) {
		x, v := a.RawRowView(i), value.RawRowView(i)
		var s []float64
		if slope != nil {
			s = slope.RawRowView(i)
		}
		for j := range cols {
			kv, ks := k.at(gamma * samples.SquaredDistance(x, b.RawRowView(j)))
			v[j] = signal * kv
			if s != nil {
				s[j] = signal * ks
			}
		}
	})
}
