package blas

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// withSingular returns a random m×n matrix with the given singular values.
func withSingular(rng *rand.Rand, m, n int, value func(i int) float64) *mat.Dense {
	u, v := orthogonal(rng, m), orthogonal(rng, n)
	s := mat.NewDense(m, n, nil)
	for i := range min(m, n) {
		s.Set(i, i, value(i))
	}
	var a mat.Dense
	a.Mul(u, s)
	a.Mul(&a, v.T())
	return &a
}

func TestSVDThin(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	type svdCase struct {
		a      *mat.Dense
		values func(i int) float64
	}
	random := func(m, n int) svdCase { return svdCase{a: mat.NewDense(m, n, filled(rng, m*n))} }
	known := func(m, n int, value func(i int) float64) svdCase {
		return svdCase{withSingular(rng, m, n, value), value}
	}
	scaled := func(s float64) svdCase {
		c := known(40, 35, func(i int) float64 { return 1 / float64(i+1) })
		c.a.Scale(s, c.a)
		value := c.values
		c.values = func(i int) float64 { return s * value(i) }
		return c
	}
	bidiagonal := mat.NewDense(150, 150, nil)
	for i := range 150 {
		bidiagonal.Set(i, i, 1)
		if i > 0 {
			bidiagonal.Set(i-1, i, 1)
		}
	}
	repeated := mat.NewDense(120, 100, nil)
	for i := range 120 {
		for j := range 100 {
			repeated.Set(i, j, float64((i+j)%3))
		}
	}
	cases := map[string]svdCase{
		"1×1": random(1, 1), "1×5": random(1, 5), "5×1": random(5, 1), "2×2": random(2, 2), "33×33": random(33, 33), "40×70": random(40, 70),
		"70×40": random(70, 40), "129×128": random(129, 128), "200×67": random(200, 67), "301×300": random(301, 300), "300×20": random(300, 20),
		"zero": {mat.NewDense(60, 50, nil), func(int) float64 { return 0 }}, "bidiagonal": {a: bidiagonal}, "rank three": {a: repeated},
		"one value":      known(90, 80, func(int) float64 { return 2 }),
		"rank one":       known(90, 80, func(i int) float64 { return max(0, 1-float64(i)) }),
		"graded":         known(180, 170, func(i int) float64 { return math.Pow(10, -float64(i)/12) }),
		"clusters":       known(160, 150, func(i int) float64 { return float64(3-i/50) + 1e-11*float64(2-i%3) }),
		"nearly equal":   known(130, 120, func(i int) float64 { return 1 - 1e-14*float64(i) }),
		"half vanishing": known(140, 100, func(i int) float64 { return float64(max(0, 50-i)) }),
		"huge":           scaled(1e300), "tiny": scaled(1e-300),
	}
	eachEngine(t, func(t *testing.T, _ *engine) {
		for name, c := range cases {
			m, n := c.a.Dims()
			k := min(m, n)
			before := mat.DenseCopyOf(c.a)
			u, values, v, err := SVDThin(c.a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !mat.Equal(before, c.a) {
				t.Fatalf("%s: the argument was changed", name)
			}
			if ru, cu := u.Dims(); ru != m || cu != k || len(values) != k {
				t.Fatalf("%s: u is %d×%d with %d values", name, ru, cu, len(values))
			}
			if rv, cv := v.Dims(); rv != n || cv != k {
				t.Fatalf("%s: v is %d×%d", name, rv, cv)
			}
			norm := max(largest(c.a), math.SmallestNonzeroFloat64)
			size := 3e-15*float64(max(m, n)) + 1e-14
			unit := mat.NewDense(m, n, nil)
			unit.Apply(func(_, _ int, x float64) float64 { return x / norm }, c.a)
			var us, back mat.Dense
			us.Apply(func(_, j int, x float64) float64 { return x * (values[j] / norm) }, u)
			back.Mul(&us, v.T())
			back.Sub(&back, unit)
			if r := largest(&back); !(r <= size) {
				t.Errorf("%s: u·s·vᵀ differs from a by %g, relative to its largest entry", name, r)
			}
			if off := orthonormalError(u); !(off <= size) {
				t.Errorf("%s: u is orthonormal to %g only", name, off)
			}
			if off := orthonormalError(v); !(off <= size) {
				t.Errorf("%s: v is orthonormal to %g only", name, off)
			}
			if !slices.IsSortedFunc(values, func(a, b float64) int { return cmp.Compare(b, a) }) || values[k-1] < 0 {
				t.Errorf("%s: values are negative or not in descending order: %v", name, values)
			}
			if c.values != nil {
				want := make([]float64, k)
				for i := range want {
					want[i] = -c.values(i)
				}
				slices.Sort(want)
				for i, got := range values {
					if want := -want[i]; !(math.Abs(got-want) <= 3*size*values[0]) {
						t.Errorf("%s: value %d is %v, known to be %v", name, i, got, want)
						break
					}
				}
			}
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			a := mat.NewDense(50, 40, nil)
			a.Set(49, 3, bad)
			if _, _, _, err := SVDThin(a); !errors.Is(err, ErrNotFinite) {
				t.Errorf("%v: %v", bad, err)
			}
		}
	})
}
