// Package kernels implements positive semidefinite kernels of two samples, and low-rank factors of
// their kernel matrices.
package kernels

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Kernel is a positive semidefinite function k of two samples: exp(−‖x − y‖²/s²) for RBF, xᵀy for
// Linear, and (1 + xᵀy/s²)^p for Polynomial.
type Kernel struct {
	Name   string
	Scale  float64 // scale s; unused by the linear kernel
	Degree int     // degree p of the polynomial kernel
}

// value returns k(x, y), given the inner product of x and y and their squared distance.
func (k Kernel) value(dot, dist2 float64) float64 {
	switch k.Name {
	case RBF:
		return math.Exp(-dist2 / k.Scale / k.Scale)
	case Polynomial:
		base, v := 1+dot/k.Scale/k.Scale, 1.0
		for range k.Degree {
			v *= base
		}
		return v
	}
	return dot
}

// Pair returns k(x, y) for two centred samples.
func (k Kernel) Pair(x, y []float64) float64 {
	return k.value(floats.Dot(x, y), samples.SquaredDistance(x, y))
}

// Matrix returns the n×m matrix of k(x_i, y_j) for the rows of two centred matrices x (n×D) and y
// (m×D). A single matrix product computes all inner products. Distances are computed from inner
// products, except between near pairs, where the difference of squares would cancel.
func (k Kernel) Matrix(x, y *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	m, _ := y.Dims()
	out := mat.NewDense(n, m, nil)
	out.Mul(x, y.T())
	norms := make([]float64, m)
	for j := range norms {
		norms[j] = floats.Dot(y.RawRowView(j), y.RawRowView(j))
	}
	par.Blocks(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, xi := out.RawRowView(i), x.RawRowView(i)
			norm := floats.Dot(xi, xi)
			for j, dot := range row {
				dist2 := norm + norms[j] - 2*dot
				if k.Name == RBF && dist2 < 1e-3*(norm+norms[j]) {
					dist2 = samples.SquaredDistance(xi, y.RawRowView(j))
				}
				row[j] = k.value(dot, dist2)
			}
		}
	})
	return out
}

// Array encodes the kernel for a model file: its index in [Names], scale and degree.
func (k Kernel) Array() *mat.Dense {
	return mat.NewDense(1, 3, []float64{float64(slices.Index(Names, k.Name)), k.Scale, float64(k.Degree)})
}

// Names lists the kernels in the order of their indices in saved models.
var Names = []string{RBF, Linear, Polynomial}

// Decode returns the kernel encoded by [Kernel.Array].
func Decode(a *mat.Dense) (Kernel, error) {
	if a == nil || len(a.RawMatrix().Data) != 3 {
		return Kernel{}, errors.New("the array of the kernel is missing or does not have 3 numbers")
	}
	code, scale, degree := a.At(0, 0), a.At(0, 1), a.At(0, 2)
	if !(code >= 0 && code < float64(len(Names)) && degree >= 1 && degree <= MaxDegree) || code != math.Trunc(code) || degree != math.Trunc(degree) {
		return Kernel{}, fmt.Errorf("the index of the kernel is %v and its degree is %v, but the index must be an integer from 0 to %d, and the degree one from 1 to %d", code, degree, len(Names)-1, MaxDegree)
	}
	k := Kernel{Name: Names[int(code)], Scale: scale, Degree: int(degree)}
	if k.Name != Linear && !(scale > 0) {
		return Kernel{}, fmt.Errorf("the scale of the %s kernel is %v, but must be positive", k.Name, scale)
	}
	return k, nil
}

// MaxDegree is the largest degree of the polynomial kernel.
const MaxDegree = 20
