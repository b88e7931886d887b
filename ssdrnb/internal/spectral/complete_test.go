package spectral

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The proof must fail for each set of eigenpairs that lacks one of the largest.
func TestComplete(t *testing.T) {
	const n = 90
	rng := rand.New(rand.NewPCG(3, 1))
	for _, bulk := range []float64{0.01, 1} { // the Frobenius norm is decisive for the first only
		a := mat.NewSymDense(n, nil)
		for i := range n {
			a.SetSym(i, i, bulk*rng.Float64())
		}
		for i, v := range []float64{9, 8, 8, 7, -12} {
			a.SetSym(i, i, v)
		}
		l := &lanczos{a: a, n: n, size: frobenius(a)}
		for _, c := range []struct {
			axes []int // of the eigenvectors claimed to be the largest
			want bool
		}{
			{[]int{0, 1, 2, 3}, true},
			{[]int{0, 1, 3}, false}, // one of the two eigenvalues 8 is missing
			{[]int{0, 2, 3}, false},
			{[]int{1, 2, 3}, false},
			{[]int{0, 1, 2}, true}, // both eigenvalues 8 are present
			{[]int{0, 1}, true},    // one eigenvalue 8 is enough to show the gap
			{[]int{1, 3}, false},
		} {
			values, vectors := []float64{}, mat.NewDense(n, len(c.axes), nil)
			for k, i := range c.axes {
				values = append(values, a.At(i, i))
				vectors.Set(i, k, 1)
			}
			if got := l.complete(values, vectors); got != c.want {
				t.Errorf("bulk up to %g, axes %v: %v, want %v", bulk, c.axes, got, c.want)
			}
		}
	}
}
