// Package mattest provides matrices and comparisons for tests.
package mattest

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Gaussian returns an n×d matrix of standard normal numbers, the same in every call.
func Gaussian(n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(n, d, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = rng.NormFloat64()
	}
	return x
}

// Near fails the test unless each entry of got is within tolerance of want, absolutely or
// relatively.
func Near(t testing.TB, name string, got, want mat.Matrix, tolerance float64) {
	t.Helper()
	if !mat.EqualApprox(got, want, tolerance) {
		t.Errorf("%s:\n%v\nwant\n%v", name, mat.Formatted(got), mat.Formatted(want))
	}
}

// Product returns a·b.
func Product(a, b mat.Matrix) *mat.Dense {
	var c mat.Dense
	c.Mul(a, b)
	return &c
}
