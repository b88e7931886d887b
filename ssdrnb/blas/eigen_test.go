package blas

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// orthogonal returns a random orthogonal n×n matrix.
func orthogonal(rng *rand.Rand, n int) *mat.Dense {
	var qr mat.QR
	qr.Factorize(mat.NewDense(n, n, filled(rng, n*n)))
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

// withSpectrum returns a symmetric matrix with the given eigenvalues.
func withSpectrum(rng *rand.Rand, n int, value func(i int) float64) *mat.SymDense {
	q := orthogonal(rng, n)
	var s, full mat.Dense
	s.Apply(func(_, j int, v float64) float64 { return v * value(j) }, q)
	full.Mul(&s, q.T())
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, full.At(i, j)/2+full.At(j, i)/2)
		}
	}
	return out
}

// symmetricCase is a matrix with its eigenvalues, ascending, if they are known.
type symmetricCase struct {
	a      *mat.SymDense
	values []float64
}

// symmetricCases are matrices with known or awkward eigenvalues.
var symmetricCases = sync.OnceValue(func() map[string]symmetricCase {
	rng := rand.New(rand.NewPCG(4, 5))
	known := func(n int, value func(i int) float64) symmetricCase {
		values := make([]float64, n)
		for i := range values {
			values[i] = value(i)
		}
		c := symmetricCase{a: withSpectrum(rng, n, func(i int) float64 { return values[i] })}
		slices.Sort(values)
		c.values = values
		return c
	}
	random := func(n int) symmetricCase {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, rng.NormFloat64())
			}
		}
		return symmetricCase{a: a}
	}
	banded := func(n int, diagonal, beside func(i int) float64) symmetricCase {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			a.SetSym(i, i, diagonal(i))
			if i > 0 {
				a.SetSym(i-1, i, beside(i))
			}
		}
		return symmetricCase{a: a}
	}
	second := banded(300, func(int) float64 { return 2 }, func(int) float64 { return -1 })
	for i := range 300 { // 2 − 2 cos(kπ/(n+1))
		second.values = append(second.values, 4*math.Pow(math.Sin(float64(i+1)*math.Pi/602), 2))
	}
	one := func(int) float64 { return 1 }
	scaled := func(c symmetricCase, s float64) symmetricCase {
		c.a.ScaleSym(s, c.a)
		for i := range c.values {
			c.values[i] *= s
		}
		return c
	}
	graph := mat.NewSymDense(200, nil) // the Laplacian of 20 rings: 20 zeros
	for i := range 200 {
		j := i/10*10 + (i+1)%10
		graph.SetSym(i, i, 2)
		graph.SetSym(i, j, -1)
	}
	return map[string]symmetricCase{
		"order 1": random(1), "order 2": random(2), "order 3": random(3), "order 15": random(15), "order 16": random(16), "order 31": random(31),
		"order 33": random(33), "order 65": random(65), "order 161": random(161), "order 200": random(200), "order 301": random(301),
		"zero":            {mat.NewSymDense(50, nil), make([]float64, 50)},
		"diagonal":        banded(70, func(i int) float64 { return float64(i*37%70) - 30 }, func(int) float64 { return 0 }),
		"same diagonal":   banded(170, func(i int) float64 { return float64(i % 7) }, func(int) float64 { return 0 }),
		"Wilkinson":       banded(151, func(i int) float64 { return math.Abs(float64(i) - 75) }, one),
		"glued Wilkinson": banded(210, func(i int) float64 { return math.Abs(float64(i%21) - 10) }, func(i int) float64 { return map[bool]float64{true: 1e-11, false: 1}[i%21 == 0] }),
		"difference":      second,
		"rings":           {a: graph},
		"one value":       known(80, func(int) float64 { return 3 }),
		"two values":      known(120, func(i int) float64 { return float64(i % 2) }),
		"nearly equal":    known(190, func(i int) float64 { return 1 + 1e-14*float64(i) }),
		"clusters":        known(240, func(i int) float64 { return float64(i/60) + 1e-10*float64(i%3) }),
		"graded":          known(200, func(i int) float64 { return math.Pow(10, -float64(i)/13) }),
		"graded rows":     banded(180, func(i int) float64 { return math.Pow(10, -float64(i)/12) }, func(i int) float64 { return math.Pow(10, -float64(i)/12) / 3 }),
		"ascending rows":  banded(180, func(i int) float64 { return math.Pow(10, float64(i)/12) }, func(i int) float64 { return math.Pow(10, float64(i)/12) / 9 }),
		"rank one":        known(100, func(i int) float64 { return max(0, 1-float64(i)) }),
		"mixed signs":     known(175, func(i int) float64 { return float64(i) - 87 }),
		"huge":            scaled(known(60, func(i int) float64 { return float64(i) }), 1e300),
		"tiny":            scaled(known(60, func(i int) float64 { return float64(i) }), 1e-300),
		"subnormal":       scaled(random(40), 1e-310),
	}
})

// largest returns the largest magnitude in a.
func largest(a mat.Matrix) float64 {
	rows, cols := a.Dims()
	top := 0.0
	for i := range rows {
		for j := range cols {
			top = max(top, math.Abs(a.At(i, j)))
		}
	}
	return top
}

// orthonormalError returns the largest magnitude in VᵀV − I.
func orthonormalError(v *mat.Dense) float64 {
	_, k := v.Dims()
	var gram mat.Dense
	gram.Mul(v.T(), v)
	for i := range k {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return largest(&gram)
}

// checkPairs tests residuals and orthogonality of eigenpairs.
func checkPairs(t *testing.T, name string, a *mat.SymDense, values []float64, vectors *mat.Dense) {
	t.Helper()
	n, k := vectors.Dims()
	if n != a.SymmetricDim() || k != len(values) {
		t.Fatalf("%s: vectors are %d×%d for %d values", name, n, k, len(values))
	}
	norm := largest(a)
	unit := mat.NewDense(n, n, nil) // a, scaled so that the check does not overflow
	if norm > 0 {
		unit.Apply(func(_, _ int, v float64) float64 { return v / norm }, a)
	}
	var av mat.Dense
	av.Mul(unit, vectors)
	tol := 3e-15*float64(n) + 1e-14
	if norm < 1e-300 {
		tol += 1e-323 * float64(n) / norm // the resolution of subnormal numbers
	}
	for j, lambda := range values {
		for i := range n {
			if r := math.Abs(av.At(i, j) - lambda/max(norm, math.SmallestNonzeroFloat64)*vectors.At(i, j)); !(r <= tol) {
				t.Fatalf("%s: residual %g of pair %d in row %d, relative to the largest entry %g", name, r, j, i, norm)
			}
		}
	}
	if off := orthonormalError(vectors); !(off <= 2e-15*float64(n)+1e-14) {
		t.Fatalf("%s: vectors are orthonormal to %g only", name, off)
	}
}

func TestEigenSym(t *testing.T) {
	eachEngine(t, func(t *testing.T, _ *engine) {
		rng := rand.New(rand.NewPCG(9, 9))
		for name, c := range symmetricCases() {
			n := c.a.SymmetricDim()
			before := mat.NewSymDense(n, nil)
			before.CopySym(c.a)
			values, vectors, err := EigenSym(c.a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !mat.Equal(before, c.a) {
				t.Fatalf("%s: the argument was changed", name)
			}
			if !slices.IsSorted(values) {
				t.Errorf("%s: values are not ascending", name)
			}
			checkPairs(t, name, c.a, values, vectors)
			tol := 1e-14 * float64(n) * largest(c.a)
			for i, want := range c.values {
				if d := math.Abs(values[i] - want); !(d <= tol) {
					t.Fatalf("%s: value %d is %v, known to be %v", name, i, values[i], want)
				}
			}
			alone, err := EigenValuesSym(c.a)
			if err != nil {
				t.Fatal(err)
			}
			for i := range alone {
				if d := math.Abs(alone[i] - values[i]); !(d <= tol) {
					t.Fatalf("%s: value %d alone is %v, with vectors %v", name, i, alone[i], values[i])
				}
			}
			il := rng.IntN(n)
			for _, r := range [][2]int{{0, 1}, {n - 1, n}, {n - min(n, 5), n}, {il, il + 1 + rng.IntN(n-il)}} {
				part, some, err := EigenSymRange(c.a, r[0], r[1])
				if err != nil {
					t.Fatal(err)
				}
				checkPairs(t, name, c.a, part, some)
				for i, v := range part {
					if d := math.Abs(v - values[r[0]+i]); !(d <= tol) {
						t.Fatalf("%s: value %d of the range %v is %v, of all %v", name, i, r, v, values[r[0]+i])
					}
				}
			}
			var e mat.EigenSym // gonum/mat uses the engine too
			if !e.Factorize(c.a, true) {
				t.Fatalf("%s: mat.EigenSym failed", name)
			}
			var v mat.Dense
			e.VectorsTo(&v)
			checkPairs(t, name+" through mat.EigenSym", c.a, e.Values(nil), &v)
		}
	})
}

func TestEigenSymErrors(t *testing.T) {
	eachEngine(t, func(t *testing.T, _ *engine) {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, n := range []int{3, 40, 200} {
				a := mat.NewSymDense(n, nil)
				a.SetSym(0, n-1, bad)
				if _, _, err := EigenSym(a); !errors.Is(err, ErrNotFinite) {
					t.Errorf("%v: EigenSym: %v", bad, err)
				}
				if _, err := EigenValuesSym(a); !errors.Is(err, ErrNotFinite) {
					t.Errorf("%v: EigenValuesSym: %v", bad, err)
				}
				if _, _, err := EigenSymRange(a, 0, 1); !errors.Is(err, ErrNotFinite) {
					t.Errorf("%v: EigenSymRange: %v", bad, err)
				}
			}
		}
		a := mat.NewSymDense(40, nil)
		a.SetSym(3, 5, math.NaN())
		var e mat.EigenSym
		if e.Factorize(a, true) {
			t.Error("mat.EigenSym accepts NaN")
		}
		for _, r := range [][2]int{{-1, 2}, {0, 41}, {3, 3}, {5, 4}} {
			if _, _, err := EigenSymRange(a, r[0], r[1]); !errors.Is(err, ErrRange) {
				t.Errorf("range %v: %v", r, err)
			}
		}
		if values, _, err := EigenSym(new(mat.SymDense)); err != nil || len(values) != 0 {
			t.Errorf("empty matrix: %v, %v", values, err)
		}
	})
}

func TestEigenTridiagonal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for _, n := range []int{1, 2, 3, 40, 150} {
		for _, crowded := range []bool{false, true} {
			d, e, a := make([]float64, n), make([]float64, n-1), mat.NewSymDense(n, nil)
			for i := range n {
				d[i] = rng.NormFloat64()
				if crowded {
					d[i] = float64(i % 2)
				}
				a.SetSym(i, i, d[i])
				if i < n-1 {
					e[i] = rng.NormFloat64()
					if crowded {
						e[i] *= float64(i%3) * 1e-9
					}
					a.SetSym(i, i+1, e[i])
				}
			}
			want, err := EigenValuesSym(a)
			if err != nil {
				t.Fatal(err)
			}
			lo := max(0, n-5)
			values, vectors, err := EigenTridiagonal(d, e, lo, n)
			if err != nil {
				t.Fatal(err)
			}
			var av, one mat.Dense
			av.Mul(a, vectors)
			one.Mul(vectors.T(), vectors)
			for k, v := range values {
				if diff := v - want[lo+k]; !(max(diff, -diff) < 1e-13*float64(n)) {
					t.Errorf("n = %d, crowded %v: value %d is %g, want %g", n, crowded, k, v, want[lo+k])
				}
				for i := range n {
					if r := av.At(i, k) - v*vectors.At(i, k); !(max(r, -r) < 1e-13*float64(n)) {
						t.Errorf("n = %d, crowded %v: residual of pair %d is %g", n, crowded, k, r)
					}
				}
				one.Set(k, k, one.At(k, k)-1)
			}
			if off := max(mat.Max(&one), -mat.Min(&one)); !(off < 1e-13*float64(n)) {
				t.Errorf("n = %d, crowded %v: vectors are orthonormal up to %g", n, crowded, off)
			}
		}
	}
	if _, _, err := EigenTridiagonal([]float64{1, 2}, []float64{1, 2}, 0, 1); !errors.Is(err, ErrRange) {
		t.Errorf("too long an off-diagonal gives %v", err)
	}
	if _, _, err := EigenTridiagonal([]float64{1, 2}, []float64{math.NaN()}, 0, 1); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN gives %v", err)
	}
}
