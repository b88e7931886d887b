package spectral_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// rotation returns a random orthogonal matrix.
func rotation(rng *rand.Rand, n int) *mat.Dense {
	g := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

// withEigenvalues returns qᵀ·diag(values)·q.
func withEigenvalues(q *mat.Dense, values []float64) *mat.SymDense {
	n := len(values)
	var half, full mat.Dense
	half.Mul(mat.NewDiagDense(n, values), q)
	full.Mul(q.T(), &half)
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return out
}

// A positive definite denominator has a maximum whatever its norm, up to the condition number at
// which rounding leaves it positive definite.
func TestTraceRatioOfIllConditionedDenominators(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for _, n := range []int{2, 5, 20, 60} {
		for _, condition := range []float64{1e6, 1e11, 1e12, 1e13} {
			for _, norm := range []float64{1e-100, 1, 1e100} {
				what := fmt.Sprintf("order %d, condition %g, norm %g", n, condition, norm)
				q := rotation(rng, n)
				va, vb := make([]float64, n), make([]float64, n)
				for k := range n {
					va[k], vb[k] = 1+float64(k)/float64(n), norm
				}
				vb[0] = norm / condition
				a, b := withEigenvalues(q, va), withEigenvalues(q, vb)
				// Rounding moves every eigenvalue of B by a few ε‖B‖.
				tolerance := 1e-9 + float64(n+16)*condition*0x1p-52
				check := func(name string, r *spectral.TraceRatioResult) {
					t.Helper()
					if want := condition / norm; !(math.Abs(r.Lambda/want-1) < tolerance) {
						t.Errorf("%s, %s: λ* = %g, want %g", what, name, r.Lambda, want)
					}
					dot := 0.0
					for i := range n {
						dot += r.W.At(i, 0) * q.At(0, i)
					}
					if !(math.Abs(dot) > 1-1e-6) {
						t.Errorf("%s, %s: w is %g from the best direction", what, name, 1-math.Abs(dot))
					}
				}
				for name, solver := range map[string]spectral.Solver{"ITR": spectral.ITR, "Fast": spectral.Fast, "Bisect": spectral.Bisect} {
					r, err := spectral.TraceRatio(ctx, a, b, 1, spectral.TraceRatioOptions{Solver: solver})
					if err != nil {
						t.Errorf("%s, %s: %v", what, name, err)
						continue
					}
					check(name, r)
				}
				results, errs, err := spectral.TraceRatioPath(ctx, a, b, []int{1})
				if err != nil || errs[0] != nil {
					t.Errorf("%s, path: %v, %v", what, err, errs)
					continue
				}
				check("path", results[0])
			}
		}
	}
}

// A denominator that vanishes up to rounding has no maximum.
func TestTraceRatioOfSingularDenominators(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, n := range []int{2, 5, 20, 60, 200} {
		for _, null := range []int{1, n / 2} {
			q := rotation(rng, n)
			va, vb := make([]float64, n), make([]float64, n)
			for k := range n {
				va[k], vb[k] = 1+float64(k)/float64(n), 1
				if k < null {
					vb[k] = 0
				}
			}
			a, b := withEigenvalues(q, va), withEigenvalues(q, vb)
			if _, err := spectral.TraceRatio(ctx, a, b, null, spectral.TraceRatioOptions{}); !errors.Is(err, spectral.ErrUnbounded) {
				t.Errorf("order %d, %d null dimensions: got %v", n, null, err)
			}
			if _, err := spectral.TraceRatio(ctx, a, b, null+1, spectral.TraceRatioOptions{}); null+1 <= n && err != nil {
				t.Errorf("order %d, one dimension more than the %d null ones: %v", n, null, err)
			}
		}
	}
}

// λ* has the unit of A over that of B: multiples of either change nothing else.
func TestTraceRatioInOtherUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 15))
	for range 10 {
		n := 3 + rng.IntN(10)
		a, b := pair(rng, n)
		d := 1 + rng.IntN(n-1)
		want, err := spectral.TraceRatio(ctx, a, b, d, spectral.TraceRatioOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []float64{0x1p-80, 0x1p80} {
			var scaled mat.SymDense
			scaled.ScaleSym(f, b)
			for name, solver := range map[string]spectral.Solver{"ITR": spectral.ITR, "ITRScore": spectral.ITRScore, "Fast": spectral.Fast, "Bisect": spectral.Bisect} {
				got, err := spectral.TraceRatio(ctx, a, &scaled, d, spectral.TraceRatioOptions{Solver: solver})
				if err != nil {
					t.Errorf("B times %g, %s: %v", f, name, err)
					continue
				}
				if math.Abs(got.Lambda*f/want.Lambda-1) > 1e-9 {
					t.Errorf("B times %g, %s: λ* = %g, want %g", f, name, got.Lambda, want.Lambda/f)
				}
			}
			results, errs, err := spectral.TraceRatioPath(ctx, a, &scaled, []int{d})
			if err != nil || errs[0] != nil {
				t.Errorf("B times %g, path: %v, %v", f, err, errs)
				continue
			}
			if math.Abs(results[0].Lambda*f/want.Lambda-1) > 1e-9 {
				t.Errorf("B times %g, path: λ* = %g, want %g", f, results[0].Lambda, want.Lambda/f)
			}
		}
	}
}
