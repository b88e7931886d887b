package decompose

import (
	"math"
	"math/rand/v2"
	"testing"

	blasgonum "gonum.org/v1/gonum/blas/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/level3"
)

// check tests residual, orthogonality and order of the rows of q as eigenvectors.
func check(t *testing.T, name string, n int, a, values, rows []float64, il, iu int) {
	t.Helper()
	norm := 0.0
	for _, v := range a {
		norm = max(norm, math.Abs(v))
	}
	k := iu - il
	var b blasgonum.Implementation
	av := make([]float64, k*n)
	b.Dgemm('N', 'N', k, n, n, 1, rows, n, a, n, 0, av, n)
	gram := make([]float64, k*k)
	b.Dgemm('N', 'T', k, k, n, 1, rows, n, rows, n, 0, gram, k)
	tol := 4e-15 * float64(n+10)
	for i := range k {
		for j := range n {
			if r := math.Abs(av[i*n+j] - values[il+i]*rows[i*n+j]); !(r <= tol*norm) {
				t.Fatalf("%s: residual %g of eigenvalue %d = %g, norm %g", name, r, il+i, values[il+i], norm)
			}
		}
		for j := range k {
			want := 0.0
			if i == j {
				want = 1
			}
			if r := math.Abs(gram[i*k+j] - want); !(r <= tol) {
				t.Fatalf("%s: eigenvectors %d and %d: product off by %g", name, il+i, il+j, r)
			}
		}
	}
	for i := 1; i < n; i++ {
		if values[i] < values[i-1] {
			t.Fatalf("%s: eigenvalues %d and %d fall", name, i-1, i)
		}
	}
}

func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	b := level3.Implementation{}
	for _, n := range []int{1, 2, 3, 5, 17, 32, 33, 40, 64, 65, 100, 129, 200, 333, 500} {
		a := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				a[i*n+j] = rng.NormFloat64()
				a[j*n+i] = a[i*n+j]
			}
		}
		values := make([]float64, n)
		rows, err := Vectors(b, n, append([]float64(nil), a...), values, 0, n)
		if err != nil {
			t.Fatal(n, err)
		}
		check(t, "random", n, a, values, rows, 0, n)
		il := rng.IntN(n)
		iu := il + 1 + rng.IntN(n-il)
		some := make([]float64, n)
		rows, err = Vectors(b, n, append([]float64(nil), a...), some, il, iu)
		if err != nil {
			t.Fatal(n, err)
		}
		check(t, "part", n, a, some, rows, il, iu)
		alone := make([]float64, n)
		if err := Values(b, n, append([]float64(nil), a...), alone); err != nil {
			t.Fatal(n, err)
		}
		for i, v := range alone {
			if math.Abs(v-values[i]) > 1e-13*float64(n) || some[i] != values[i] {
				t.Fatalf("n = %d: value %d is %g alone, %g with all vectors, %g with some", n, i, v, values[i], some[i])
			}
		}
	}
}

func benchmark(b *testing.B, n, d int) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			a[i*n+j] = rng.NormFloat64()
		}
	}
	c, values := make([]float64, n*n), make([]float64, n)
	for b.Loop() {
		copy(c, a)
		if _, err := Vectors(level3.Implementation{}, n, c, values, n-d, n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReduce1024(b *testing.B) {
	const n = 1024
	rng := rand.New(rand.NewPCG(1, 1))
	a := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			a[i*n+j] = rng.NormFloat64()
		}
	}
	c, d, e, tau := make([]float64, n*n), make([]float64, n), make([]float64, n), make([]float64, n)
	for b.Loop() {
		copy(c, a)
		reduce(level3.Implementation{}, n, c, d, e, tau)
	}
}

func BenchmarkAll512(b *testing.B)      { benchmark(b, 512, 512) }
func BenchmarkAll1024(b *testing.B)     { benchmark(b, 1024, 1024) }
func BenchmarkTop50of1024(b *testing.B) { benchmark(b, 1024, 50) }
