package spectral_test

import (
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestTmpSymm(t *testing.T) {
	n := 5000
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, 1)
	}
	for _, b := range []int{1, 2, 4, 6, 8, 16} {
		x, y := mat.NewDense(n, b, nil), mat.NewDense(n, b, nil)
		for range 2 {
			w, c := time.Now(), cpu()
			y.Mul(a, x)
			t.Log(b, "symm", time.Since(w), cpu()-c)
		}
		w, c := time.Now(), cpu()
		for j := range b {
			blas64.Symv(1, a.RawSymmetric(), blas64.Vector{N: n, Inc: b, Data: x.RawMatrix().Data[j:]}, 0, blas64.Vector{N: n, Inc: b, Data: y.RawMatrix().Data[j:]})
		}
		t.Log(b, "symv", time.Since(w), cpu()-c)
		g := blas64.General{Rows: n, Cols: n, Stride: n, Data: a.RawSymmetric().Data}
		w, c = time.Now(), cpu()
		for j := range b {
			blas64.Gemv(blas.NoTrans, 1, g, blas64.Vector{N: n, Inc: b, Data: x.RawMatrix().Data[j:]}, 0, blas64.Vector{N: n, Inc: b, Data: y.RawMatrix().Data[j:]})
		}
		t.Log(b, "gemv", time.Since(w), cpu()-c)
	}
}
