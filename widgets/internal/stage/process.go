package stage

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Process is a Gaussian process with the kernel height·exp(−‖a−b‖²/(2ℓ²)), where ℓ is the length
// scale. It is conditioned on measurements, all with the same noise variance. [BandSpec] and
// [MapSpec] use it.
//
// Source: Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006, Algorithm 2.1.
type Process struct {
	x       *mat.Dense // n×d, nil without measurements
	height  float64
	length  float64
	chol    mat.Cholesky // Cholesky factor of the covariance K
	weights *mat.Dense   // n×q, K⁻¹Y for the measurements Y
}

// processJitter keeps the covariance positive definite for measurements without noise.
const processJitter = 1e-10

// NewProcess returns a process over one feature, of height 1, conditioned on measurements y at the
// places x. noise is the standard deviation of the measurement errors.
func NewProcess(x, y []float64, length, noise float64) (*Process, error) {
	n := len(x)
	if n == 0 {
		return &Process{height: 1, length: length}, nil
	}
	return conditioned(mat.NewDense(n, 1, slices.Clone(x)), mat.NewDense(n, 1, slices.Clone(y)), 1, length, noise*noise+processJitter)
}

// conditioned returns a process conditioned on the rows of y, which are measured at the rows of x.
// y is n×q, x is n×d, and noise is a variance. The process keeps a reference to x.
func conditioned(x, y *mat.Dense, height, length, noise float64) (*Process, error) {
	n, q := y.Dims()
	p := &Process{x: x, height: height, length: length, weights: mat.NewDense(n, q, nil)}
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			k.SetSym(i, j, p.kernel(x.RawRowView(i), x.RawRowView(j)))
		}
		k.SetSym(i, i, height+noise)
	}
	if !p.chol.Factorize(k) {
		return nil, fmt.Errorf("the covariance of %d measurements is not positive definite", n)
	}
	return p, p.chol.SolveTo(p.weights, y)
}

func (p *Process) kernel(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		d := (v - b[j]) / p.length
		sum += d * d
	}
	return p.height * math.Exp(-sum/2)
}

// At returns the mean and the standard deviation of a process over one feature at a place.
func (p *Process) At(at float64) (mean, deviation float64) {
	m, deviation := p.predict([]float64{at})
	if m == nil {
		return 0, deviation
	}
	return m[0], deviation
}

// predict returns the means of the q measured values at a place, and their common standard
// deviation. Without measurements, mean is nil.
func (p *Process) predict(at []float64) (mean []float64, deviation float64) {
	if p.x == nil {
		return nil, math.Sqrt(p.height)
	}
	n, q := p.weights.Dims()
	k := mat.NewVecDense(n, nil)
	for i := range n {
		k.SetVec(i, p.kernel(at, p.x.RawRowView(i)))
	}
	m := mat.NewVecDense(q, nil)
	m.MulVec(p.weights.T(), k)
	var v mat.VecDense
	if err := p.chol.SolveVecTo(&v, k); err != nil {
		return m.RawVector().Data, math.NaN() // not reached: conditioned rejects an ill-conditioned covariance
	}
	return m.RawVector().Data, math.Sqrt(max(0, p.height-mat.Dot(k, &v)))
}
