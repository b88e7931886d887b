package spectral_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// The path equals the separate solutions, with fewer decompositions.
func TestPathIsTheSeparateSolutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	separate, together := 0, 0
	for round := range 40 {
		n := 2 + rng.IntN(14)
		a, b := pair(rng, n)
		dims := rng.Perm(n)[:1+rng.IntN(n)]
		for k := range dims {
			dims[k]++
		}
		results, errs, err := spectral.TraceRatioPath(ctx, a, b, dims)
		if err != nil {
			t.Fatal(err)
		}
		for k, d := range dims {
			if errs[k] != nil {
				t.Fatalf("round %d, d = %d: %v", round, d, errs[k])
			}
			want, err := spectral.TraceRatio(ctx, a, b, d, spectral.TraceRatioOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := results[k]
			if math.Abs(got.Lambda-want.Lambda) > 1e-9*max(1, math.Abs(want.Lambda)) {
				t.Errorf("round %d, d = %d: λ* = %.15g, want %.15g", round, d, got.Lambda, want.Lambda)
			}
			if got.Unique && want.Unique && got.Gap > 1e-6 {
				var p, q, diff mat.Dense
				p.Mul(got.W, got.W.T())
				q.Mul(want.W, want.W.T())
				diff.Sub(&p, &q)
				if norm := mat.Norm(&diff, 2); norm > 1e-6 {
					t.Errorf("round %d, d = %d: projectors differ by %g", round, d, norm)
				}
			}
			for i := 1; i < len(got.History); i++ {
				if got.History[i].Lambda < got.History[i-1].Lambda {
					t.Errorf("round %d, d = %d: λ falls", round, d)
				}
			}
			separate += len(want.History)
			together += len(got.History)
		}
	}
	if together >= separate {
		t.Errorf("%d steps together, %d separately: nothing is learned from a neighbour", together, separate)
	}
}

func TestPathTellsWhichDimensionsAreUnbounded(t *testing.T) {
	a := mat.NewSymDense(4, []float64{4, 0, 0, 0, 0, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1})
	b := mat.NewSymDense(4, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	results, errs, err := spectral.TraceRatioPath(ctx, a, b, []int{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for k, unbounded := range []bool{true, true, false, false} {
		if errors.Is(errs[k], spectral.ErrUnbounded) != unbounded || (results[k] == nil) != unbounded {
			t.Errorf("d = %d: %v, %v", k+1, results[k], errs[k])
		}
	}
	// In three dimensions: 4 + 3 + 2 over the one direction with a nonzero denominator.
	if math.Abs(results[2].Lambda-9) > 1e-9 {
		t.Errorf("λ* = %v, want 9", results[2].Lambda)
	}
}
