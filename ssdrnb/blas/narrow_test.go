package blas

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSymMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{1, 2, 3, 4, 5, 7, 64, 130, 513, 1030} {
		for _, p := range []int{1, 2, 5, 11} {
			a, x := mat.NewSymDense(n, nil), mat.NewDense(n, p, nil)
			for i := range n {
				for j := i; j < n; j++ {
					a.SetSym(i, j, rng.NormFloat64())
				}
				for k := range p {
					x.Set(i, k, rng.NormFloat64())
				}
			}
			// The lower triangle must not be read.
			raw := a.RawSymmetric()
			for i := range n {
				for j := range i {
					raw.Data[i*raw.Stride+j] = 1e300
				}
			}
			wide := mat.NewDense(n, p+3, nil)
			got := wide.Slice(0, n, 1, p+1).(*mat.Dense)
			SymMul(got, a, x)
			for i := range n {
				for k := range p {
					want := 0.0
					for j := range n {
						want += a.At(i, j) * x.At(j, k)
					}
					if diff := got.At(i, k) - want; !(max(diff, -diff) < 1e-11) {
						t.Fatalf("n = %d, p = %d: entry (%d, %d) is %v, want %v", n, p, i, k, got.At(i, k), want)
					}
				}
			}
			again := mat.NewDense(n, p, nil)
			old := runtime.GOMAXPROCS(1)
			SymMul(again, a, x)
			runtime.GOMAXPROCS(old)
			if !mat.Equal(got, again) {
				t.Errorf("n = %d, p = %d: one processor gives other bits", n, p)
			}
		}
	}
}

func BenchmarkSymMul(b *testing.B) {
	for _, n := range []int{1024, 5000} {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, float64(i^j))
			}
		}
		for _, p := range []int{1, 4, 8, 12} {
			x, dst := mat.NewDense(n, p, nil), mat.NewDense(n, p, nil)
			b.Run(fmt.Sprintf("%d/%d", n, p), func(b *testing.B) {
				for b.Loop() {
					SymMul(dst, a, x)
				}
			})
		}
	}
}
