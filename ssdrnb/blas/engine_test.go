package blas

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// engines runs a test with every engine of this machine and restores the one that
// ran before. A machine that is said to have OpenBLAS must have it.
func engines(t *testing.T, f func(t *testing.T)) {
	was := Name()
	defer func() {
		if err := Use(was); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{OpenBLAS, AVX2, Gonum} {
		t.Run(name, func(t *testing.T) {
			if err := Use(name); err != nil {
				if name == OpenBLAS && os.Getenv("SSDRNB_REQUIRE_OPENBLAS") != "" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			f(t)
		})
	}
}

func filled(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = rng.NormFloat64()
	}
	return out
}

// same compares whole buffers, the parts between rows included.
func same(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > tol*(1+math.Abs(want[i])) || math.IsNaN(got[i]) != math.IsNaN(want[i]) {
			t.Errorf("%s: entry %d is %v, gonum has %v", what, i, got[i], want[i])
			return
		}
	}
}

// TestLevel3 compares every routine of an engine with gonum's: all shapes,
// transposes and triangles, strides beyond the width, factors 0, 1 and other.
func TestLevel3(t *testing.T) {
	engines(t, func(t *testing.T) {
		e, ref := current.Load().blas, blasgonum.Implementation{}
		rng := rand.New(rand.NewPCG(1, 2))
		sizes := []int{0, 1, 3, 4, 5, 12, 13, 17, 64, 65, 97, 200, 301}
		trans := []blas.Transpose{blas.NoTrans, blas.Trans}
		uplos := []blas.Uplo{blas.Upper, blas.Lower}
		for round := range 400 {
			m, n, k := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
			alpha, beta := []float64{1, 0, -0.7}[rng.IntN(3)], []float64{1, 0, 1.3}[rng.IntN(3)]
			ta, tb, ul := trans[rng.IntN(2)], trans[rng.IntN(2)], uplos[rng.IntN(2)]
			side := []blas.Side{blas.Left, blas.Right}[rng.IntN(2)]
			diag := []blas.Diag{blas.NonUnit, blas.Unit}[rng.IntN(2)]
			wide := max(m, n, k, 1) + rng.IntN(4)
			a, b, c := filled(rng, wide*wide), filled(rng, wide*wide), filled(rng, wide*wide)
			what := fmt.Sprintf("round %d: m %d n %d k %d lda %d alpha %v beta %v %c%c%c%c%c", round, m, n, k, wide, alpha, beta, ta, tb, ul, side, diag)
			got, want := slices.Clone(c), slices.Clone(c)
			e.Dgemm(ta, tb, m, n, k, alpha, a, wide, b, wide, beta, got, wide)
			ref.Dgemm(ta, tb, m, n, k, alpha, a, wide, b, wide, beta, want, wide)
			same(t, "Dgemm "+what, got, want, 1e-11)
			got, want = slices.Clone(c), slices.Clone(c)
			e.Dsyrk(ul, ta, n, k, alpha, a, wide, beta, got, wide)
			ref.Dsyrk(ul, ta, n, k, alpha, a, wide, beta, want, wide)
			same(t, "Dsyrk "+what, got, want, 1e-11)
			got, want = slices.Clone(c), slices.Clone(c)
			e.Dsyr2k(ul, ta, n, k, alpha, a, wide, b, wide, beta, got, wide)
			ref.Dsyr2k(ul, ta, n, k, alpha, a, wide, b, wide, beta, want, wide)
			same(t, "Dsyr2k "+what, got, want, 1e-11)
			got, want = slices.Clone(c), slices.Clone(c)
			e.Dsymm(side, ul, m, n, alpha, a, wide, b, wide, beta, got, wide)
			ref.Dsymm(side, ul, m, n, alpha, a, wide, b, wide, beta, want, wide)
			same(t, "Dsymm "+what, got, want, 1e-11)
			x, y := filled(rng, wide), filled(rng, wide)
			y2 := slices.Clone(y)
			e.Dsymv(ul, n, alpha, a, wide, x, 1, beta, y, 1)
			ref.Dsymv(ul, n, alpha, a, wide, x, 1, beta, y2, 1)
			same(t, "Dsymv "+what, y, y2, 1e-11)
			for i := range wide { // a triangle that is far from singular
				for j := range wide {
					a[i*wide+j] /= float64(wide)
				}
				a[i*wide+i] = 2
			}
			got, want = slices.Clone(c), slices.Clone(c)
			e.Dtrsm(side, ul, ta, diag, m, n, alpha, a, wide, got, wide)
			ref.Dtrsm(side, ul, ta, diag, m, n, alpha, a, wide, want, wide)
			same(t, "Dtrsm "+what, got, want, 1e-11)
			got, want = slices.Clone(c), slices.Clone(c)
			e.Dtrmm(side, ul, ta, diag, m, n, alpha, a, wide, got, wide)
			ref.Dtrmm(side, ul, ta, diag, m, n, alpha, a, wide, want, wide)
			same(t, "Dtrmm "+what, got, want, 1e-11)
		}
	})
}

// A factor beta of 0 must not keep a NaN of the result's former content.
func TestBetaZeroDropsNaN(t *testing.T) {
	engines(t, func(t *testing.T) {
		n := 40
		a, c := filled(rand.New(rand.NewPCG(3, 3)), n*n), slices.Repeat([]float64{math.NaN()}, n*n)
		current.Load().blas.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
		if slices.ContainsFunc(c, math.IsNaN) {
			t.Error("NaN survived")
		}
	})
}

// Sizes that don't fit together must end in gonum's panic, not in a fault.
func TestShortSlicesPanic(t *testing.T) {
	engines(t, func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		a := make([]float64, 100)
		current.Load().blas.Dgemm(blas.NoTrans, blas.NoTrans, 50, 50, 50, 1, a, 50, a, 50, 0, a, 50)
	})
}

// spectra are matrices of known or awkward eigenvalues.
func spectra() map[string]*mat.SymDense {
	rng := rand.New(rand.NewPCG(4, 5))
	build := func(n int, value func(i int) float64) *mat.SymDense {
		g := mat.NewDense(n, n, filled(rng, n*n))
		var qr mat.QR
		qr.Factorize(g)
		var q, s mat.Dense
		qr.QTo(&q)
		s.CloneFrom(&q)
		for j := range n {
			for i := range n {
				s.Set(i, j, q.At(i, j)*value(j))
			}
		}
		var full mat.Dense
		full.Mul(&s, q.T())
		out := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				out.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
			}
		}
		return out
	}
	random := func(n int) *mat.SymDense { return build(n, func(int) float64 { return rng.NormFloat64() }) }
	diagonal := mat.NewSymDense(70, nil)
	for i := range 70 {
		diagonal.SetSym(i, i, float64(i%7))
	}
	tridiagonal := mat.NewSymDense(150, nil) // Wilkinson: pairs that agree to rounding
	for i := range 150 {
		tridiagonal.SetSym(i, i, math.Abs(float64(i)-74.5))
		if i > 0 {
			tridiagonal.SetSym(i-1, i, 1)
		}
	}
	huge := random(60)
	huge.ScaleSym(1e200, huge)
	return map[string]*mat.SymDense{
		"order 1": random(1), "order 2": random(2), "order 23": random(23), "order 33": random(33), "order 65": random(65),
		"order 200": random(200), "order 301": random(301), "zero": mat.NewSymDense(50, nil), "diagonal": diagonal, "Wilkinson": tridiagonal,
		"one value":     build(80, func(int) float64 { return 3 }),
		"two values":    build(120, func(i int) float64 { return float64(i % 2) }),
		"nearly equal":  build(90, func(i int) float64 { return 1 + 1e-14*float64(i) }),
		"graded":        build(100, func(i int) float64 { return math.Pow(10, -float64(i)/7) }),
		"rank one":      build(100, func(i int) float64 { return math.Max(0, 1-float64(i)) }),
		"cluster":       build(140, func(i int) float64 { return float64(i/70) + 1e-10*float64(i%3) }),
		"mixed signs":   build(75, func(i int) float64 { return float64(i) - 37 }),
		"large entries": huge,
	}
}

func TestEigenSym(t *testing.T) {
	matrices := spectra()
	engines(t, func(t *testing.T) {
		for name, a := range matrices {
			n := a.SymmetricDim()
			values, vectors, err := EigenSym(a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !slices.IsSorted(values) {
				t.Errorf("%s: values are not rising", name)
			}
			norm := math.SmallestNonzeroFloat64
			for i := range n {
				for j := range n {
					norm = max(norm, math.Abs(a.At(i, j)))
				}
			}
			var av, gram mat.Dense
			av.Mul(a, vectors)
			gram.Mul(vectors.T(), vectors)
			for i := range n {
				for j := range n {
					if d := math.Abs(av.At(i, j) - values[j]*vectors.At(i, j)); d > 1e-13*float64(n)*norm {
						t.Fatalf("%s: residual %g at (%d, %d), norm %g", name, d, i, j, norm)
					}
					want := 0.0
					if i == j {
						want = 1
					}
					if d := math.Abs(gram.At(i, j) - want); d > 1e-13*float64(n) {
						t.Fatalf("%s: vectors %d and %d have the product %g", name, i, j, gram.At(i, j))
					}
				}
			}
			only, err := EigenValuesSym(a)
			if err != nil {
				t.Fatal(err)
			}
			for i := range only {
				if math.Abs(only[i]-values[i]) > 1e-13*float64(n)*norm {
					t.Fatalf("%s: value %d alone is %v, with vectors %v", name, i, only[i], values[i])
				}
			}
			// gonum/mat uses the engine too.
			var e mat.EigenSym
			if !e.Factorize(a, true) || math.Abs(e.Values(nil)[0]-values[0]) > 1e-13*float64(n)*norm {
				t.Fatalf("%s: mat.EigenSym disagrees", name)
			}
		}
	})
}

func TestEigenSymNotFinite(t *testing.T) {
	engines(t, func(t *testing.T) {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			a := mat.NewSymDense(40, nil)
			a.SetSym(3, 5, bad)
			if _, _, err := EigenSym(a); !errors.Is(err, ErrNotFinite) {
				t.Errorf("%v: got %v", bad, err)
			}
		}
	})
}

func TestUse(t *testing.T) {
	if err := Use("mystery"); !errors.Is(err, ErrNoEngine) {
		t.Errorf("got %v", err)
	}
	if Name() == "" || Detail() == "" {
		t.Error("no engine runs")
	}
}

// Benchmarks of each engine; ratios against a peer come from the bench scripts.
func BenchmarkEngine(b *testing.B) {
	was := Name()
	defer Use(was)
	rng := rand.New(rand.NewPCG(8, 8))
	a1024, a784 := mat.NewDense(1024, 1024, filled(rng, 1<<20)), mat.NewDense(10000, 784, filled(rng, 7840000))
	sym := mat.NewSymDense(1024, nil)
	for i := range 1024 {
		for j := i; j < 1024; j++ {
			sym.SetSym(i, j, rng.NormFloat64())
		}
	}
	half := sym.SliceSym(0, 512).(*mat.SymDense)
	spd := mat.NewSymDense(784, nil)
	spd.SymOuterK(1, a784.T())
	for _, name := range []string{OpenBLAS, AVX2, Gonum} {
		if Use(name) != nil {
			continue
		}
		run := func(what string, f func()) {
			b.Run(name+"/"+what, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
		var c mat.Dense
		run("product1024", func() { c.Mul(a1024, a1024) })
		run("syrk784of10000", func() { spd.SymOuterK(1, a784.T()) })
		run("cholesky784", func() {
			var ch mat.Cholesky
			ch.Factorize(spd)
		})
		run("eigen512", func() { _, _, _ = EigenSym(half) })
		if name != Gonum { // it takes 12 seconds
			run("eigen1024", func() { _, _, _ = EigenSym(sym) })
		}
	}
}
