package decompose

import (
	"math"
	"math/rand/v2"
	"testing"

	blasgonum "gonum.org/v1/gonum/blas/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
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
	for i := il + 1; i < iu; i++ {
		if values[i] < values[i-1] {
			t.Fatalf("%s: eigenvalues %d and %d are not in ascending order", name, i-1, i)
		}
	}
}

func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	b := goblas.New()
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
			if math.Abs(v-values[i]) > 1e-13*float64(n) || i >= il && i < iu && math.Abs(some[i]-values[i]) > 1e-13*float64(n) {
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
		if _, err := Vectors(goblas.New(), n, c, values, n-d, n); err != nil {
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
		reduce(goblas.New(), n, c, d, e, tau)
	}
}

func BenchmarkAll512(b *testing.B)      { benchmark(b, 512, 512) }
func BenchmarkAll1024(b *testing.B)     { benchmark(b, 1024, 1024) }
func BenchmarkTop50of1024(b *testing.B) { benchmark(b, 1024, 50) }

// A few eigenpairs, including matrices with close or equal eigenvalues.
func TestFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	b := goblas.New()
	const n = 200
	random := func(diagonal func(i int) float64, rank int, weight float64) []float64 {
		a := make([]float64, n*n)
		for i := range n {
			a[i*n+i] = diagonal(i)
		}
		for range rank {
			u := make([]float64, n)
			for i := range u {
				u[i] = rng.NormFloat64()
			}
			for i := range n {
				for j := range n {
					a[i*n+j] += weight * u[i] * u[j]
				}
			}
		}
		return a
	}
	wilkinson := random(func(i int) float64 { return math.Abs(float64(i) - (n-1)/2.0) }, 0, 0)
	for i := range n - 1 {
		wilkinson[i*n+i+1], wilkinson[(i+1)*n+i] = 1, 1
	}
	for name, a := range map[string][]float64{
		"random":        random(func(int) float64 { return 0 }, n, 1),
		"low rank":      random(func(int) float64 { return 1 }, 5, 1),
		"pairs":         random(func(i int) float64 { return float64(i / 2) }, 0, 0),
		"one value":     random(func(int) float64 { return 3 }, 0, 0),
		"twelve orders": random(func(i int) float64 { return math.Pow(10, -12*float64(i)/n) }, 1, 1e-14),
		"Wilkinson":     wilkinson,
		"zero":          make([]float64, n*n),
	} {
		for _, d := range []int{1, 5, n / fewShare} {
			for _, il := range []int{0, n / 2, n - d} {
				values := make([]float64, n)
				rows, err := Vectors(b, n, append([]float64(nil), a...), values, il, il+d)
				if err != nil {
					t.Fatal(name, err)
				}
				check(t, name, n, a, values, rows, il, il+d)
				all := make([]float64, n)
				if err := Values(b, n, append([]float64(nil), a...), all); err != nil {
					t.Fatal(name, err)
				}
				for i := il; i < il+d; i++ {
					if math.Abs(values[i]-all[i]) > 1e-13*n*max(math.Abs(all[0]), math.Abs(all[n-1])) {
						t.Errorf("%s: eigenvalue %d is %g, want %g", name, i, values[i], all[i])
					}
				}
			}
		}
	}
}

// If eigenvalues are well separated, no fallback is needed.
func TestFewAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n = 500
	d, e := make([]float64, n), make([]float64, n)
	for i := range n {
		d[i], e[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	if _, _, ok := selectedPairs(n, d, e, n-11, n); !ok {
		t.Error("inverse iteration failed on a random matrix")
	}
}
