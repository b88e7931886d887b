package spectral_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// withSpectrum returns a matrix with the eigenvalues f(0), …, f(n−1): a diagonal matrix transformed
// by two reflections.
func withSpectrum(n int, f func(i int) float64) *mat.SymDense {
	rng := rand.New(rand.NewPCG(uint64(n), 12))
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, f(i))
	}
	v, w := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for range 2 {
		for i := range n {
			v.SetVec(i, rng.NormFloat64())
		}
		v.ScaleVec(math.Sqrt2/mat.Norm(v, 2), v)
		w.MulVec(a, v)
		w.AddScaledVec(w, -mat.Dot(v, w)/2, v)
		a.RankTwo(a, -1, v, w)
	}
	return a
}

// Top by products must agree with the reduction, and fall back to it if products cannot separate
// the eigenvalues.
func TestTopByProducts(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n, d = 600, 6
	rng := rand.New(rand.NewPCG(1, 2))
	noise := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			noise.Set(i, j, rng.NormFloat64())
		}
	}
	gram, kernel := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	gram.SymOuterK(1, noise)
	for i := range n {
		for j := i; j < n; j++ {
			sum := 0.0
			for k := range 3 {
				x := noise.At(i, k) - noise.At(j, k)
				sum += x * x
			}
			kernel.SetSym(i, j, math.Exp(-sum/4))
		}
	}
	block := mat.NewSymDense(n, nil) // two equal blocks: every eigenvalue is double
	half := withSpectrum(n/2, func(i int) float64 { return math.Pow(0.9, float64(i)) })
	for i := range n / 2 {
		for j := i; j < n/2; j++ {
			block.SetSym(i, j, half.At(i, j))
			block.SetSym(n/2+i, n/2+j, half.At(i, j))
		}
	}
	for _, c := range []struct {
		name string
		a    *mat.SymDense
		way  string // "Lanczos", "" for the reduction, "any" if rounding decides
	}{
		{"Gram matrix of noise", gram, "Lanczos"},
		{"kernel", kernel, "Lanczos"},
		{"decay", withSpectrum(n, func(i int) float64 { return math.Pow(0.8, float64(i)) }), "Lanczos"},
		{"far below zero", withSpectrum(n, func(i int) float64 { return 1/float64(i+1) - 50*float64(i%2) }), "Lanczos"},
		{"all below zero", withSpectrum(n, func(i int) float64 { return -1 - math.Sqrt(float64(i)) }), "any"},
		{"rank 3", withSpectrum(n, func(i int) float64 { return float64(max(0, 3-i)) }), ""}, // equal zeros
		{"rank 8", withSpectrum(n, func(i int) float64 { return float64(max(0, 8-i)) }), "Lanczos"},
		{"12 orders of magnitude", withSpectrum(n, func(i int) float64 { return math.Pow(10, -12*float64(i)/n) }), "Lanczos"},
		{"largest is triple", withSpectrum(n, func(i int) float64 { return math.Pow(0.8, float64(max(0, i-2))) }), "any"},
		{"last wanted is double", withSpectrum(n, func(i int) float64 { return math.Pow(0.8, float64(i-i/d)) }), "any"},
		{"all double", block, "any"},
		{"double above a bulk", withSpectrum(n, func(i int) float64 {
			if i < 8 {
				return 10 - float64(max(0, i-1))
			}
			return float64(i) / n
		}), "any"},
		{"identity", withSpectrum(n, func(int) float64 { return 1 }), ""},
		{"semicircle", withSpectrum(n, func(i int) float64 { return math.Cos(math.Pi * float64(i) / n) }), ""},
		{"large", withSpectrum(n, func(i int) float64 { return 1e90 * math.Pow(0.8, float64(i)) }), "Lanczos"},
		{"large beyond squares", withSpectrum(n, func(i int) float64 { return 1e120 * math.Pow(0.8, float64(i)) }), ""},
		{"small beyond squares", withSpectrum(n, func(i int) float64 { return 1e-120 * math.Pow(0.8, float64(i)) }), ""},
	} {
		p, err := spectral.Top(c.a, d)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want, err := blas.EigenValuesSym(c.a)
		if err != nil {
			t.Fatal(err)
		}
		size := max(want[n-1], -want[0])
		for k, v := range p.Values {
			if diff := math.Abs(v - want[n-1-k]); !(diff <= 1e-13*n*size) {
				t.Errorf("%s: value %d is %g, want %g", c.name, k, v, want[n-1-k])
			}
			if !(p.Residuals[k] <= 1e-12*size) {
				t.Errorf("%s: residual %d is %g", c.name, k, p.Residuals[k])
			}
		}
		if gap := want[n-d] - want[n-d-1]; !(math.Abs(p.Gap-gap) <= 1e-13*n*size) {
			t.Errorf("%s: gap %g, want %g", c.name, p.Gap, gap)
		}
		var one mat.Dense
		one.Mul(p.Vectors.T(), p.Vectors)
		for i := range d {
			one.Set(i, i, one.At(i, i)-1)
		}
		if off := mat.Max(&one); !(max(off, -mat.Min(&one)) <= 1e-12) {
			t.Errorf("%s: vectors are orthonormal up to %g", c.name, off)
		}
		if c.way != "any" && p.Work.Method != c.way {
			t.Errorf("%s: method %q, want %q", c.name, p.Work.Method, c.way)
		}
		old := runtime.GOMAXPROCS(1)
		again, err := spectral.Top(c.a, d)
		runtime.GOMAXPROCS(old)
		if err != nil || !mat.Equal(again.Vectors, p.Vectors) {
			t.Errorf("%s: one processor gives other bits (%v)", c.name, err)
		}
	}
	gram.SetSym(5, 300, math.NaN())
	if _, err := spectral.Top(gram, d); !errors.Is(err, spectral.ErrNotFinite) {
		t.Errorf("NaN gives %v", err)
	}
}
