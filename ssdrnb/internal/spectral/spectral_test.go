package spectral_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

var ctx = context.Background()

func ExampleTraceRatio() {
	a := mat.NewSymDense(3, []float64{4, 0, 0, 0, 2, 0, 0, 0, 1})
	b := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 4})
	r, err := spectral.TraceRatio(context.Background(), a, b, 2, spectral.TraceRatioOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("λ* = %.3f, g(λ*) = %.0f\n", r.Lambda, math.Abs(r.Values[0]+r.Values[1]))
	// Output: λ* = 3.000, g(λ*) = 0
}

// pair returns a random symmetric A ⪰ 0 of some rank and a B ≻ 0.
func pair(rng *rand.Rand, n int) (a, b *mat.SymDense) {
	gram := func(rank int, floor float64) *mat.SymDense {
		g := mat.NewDense(n, rank, nil)
		for i := range n {
			for j := range rank {
				g.Set(i, j, rng.NormFloat64()*math.Pow(4, float64(i)/float64(n)))
			}
		}
		s := mat.NewSymDense(n, nil)
		s.SymOuterK(1, g)
		for i := range n {
			s.SetSym(i, i, s.At(i, i)+floor)
		}
		return s
	}
	return gram(1+rng.IntN(n), 0), gram(n, 0.1)
}

func TestSolversAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for round := range 80 {
		n := 2 + rng.IntN(12)
		a, b := pair(rng, n)
		d := 1 + rng.IntN(n)
		star := math.NaN()
		for _, solver := range []spectral.Solver{spectral.ITR, spectral.ITRScore, spectral.Fast, spectral.Bisect} {
			r, err := spectral.TraceRatio(ctx, a, b, d, spectral.TraceRatioOptions{Solver: solver})
			if err != nil {
				t.Fatalf("round %d, solver %d: %v", round, solver, err)
			}
			if math.IsNaN(star) {
				star = r.Lambda
			}
			if math.Abs(r.Lambda-star) > 1e-9*star {
				t.Errorf("round %d, solver %d: λ* = %v, ITR has %v", round, solver, r.Lambda, star)
			}
			// W is orthonormal, attains λ*, and g(λ*) = 0.
			var gram, wa, wb mat.Dense
			gram.Mul(r.W.T(), r.W)
			wa.Product(r.W.T(), a, r.W)
			wb.Product(r.W.T(), b, r.W)
			for i := range d {
				gram.Set(i, i, gram.At(i, i)-1)
			}
			if mat.Norm(&gram, 2) > 1e-10 {
				t.Errorf("round %d: W is not orthonormal", round)
			}
			if ratio := mat.Trace(&wa) / mat.Trace(&wb); r.Unique && math.Abs(ratio-star) > 1e-8*star {
				t.Errorf("round %d: W attains %v of %v", round, ratio, star)
			}
			if star < r.Lower-1e-9*star || star > r.Upper+1e-9*star {
				t.Errorf("round %d: λ* = %v outside [%v, %v]", round, star, r.Lower, r.Upper)
			}
			for k := 1; k < len(r.History) && solver != spectral.Bisect; k++ {
				if r.History[k].Lambda < r.History[k-1].Lambda {
					t.Errorf("round %d, solver %d: λ falls from %v to %v", round, solver, r.History[k-1].Lambda, r.History[k].Lambda)
				}
			}
		}
		if d == 1 { // trace ratio = ratio trace
			if p, err := spectral.GeneralizedTop(a, b, 1); err != nil || math.Abs(p.Values[0]-star) > 1e-8*star {
				t.Errorf("round %d: generalised eigenvalue %v, trace ratio %v", round, p.Values, star)
			}
		}
	}
}

func TestUnboundedAndNullSpace(t *testing.T) {
	a := mat.NewSymDense(4, []float64{3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 7, 0, 0, 0, 0, 1})
	b := mat.NewSymDense(4, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1})
	if _, err := spectral.TraceRatio(ctx, a, b, 2, spectral.TraceRatioOptions{}); !errors.Is(err, spectral.ErrUnbounded) {
		t.Errorf("two null directions, d = 2: got %v", err)
	}
	if _, err := spectral.TraceRatio(ctx, a, b, 3, spectral.TraceRatioOptions{}); err != nil {
		t.Errorf("two null directions, d = 3: got %v", err)
	}
	p, err := spectral.NullSpaceTop(a, b, 2)
	if err != nil || p.Values[0] != 3 || p.Values[1] != 2 {
		t.Errorf("null space: %+v, %v", p, err)
	}
	if p, err := spectral.NullSpaceTop(a, b, 3); err != nil || len(p.Values) != 2 {
		t.Errorf("more dimensions than the null space has: got %+v, %v", p, err)
	}
	if _, err := spectral.NullSpaceTop(a, b, 0); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("no dimensions: got %v", err)
	}
	if _, err := spectral.NullSpaceTop(b, a, 1); !errors.Is(err, spectral.ErrRegular) {
		t.Errorf("a regular matrix: got %v", err)
	}
}

// The common range drops the directions that both matrices lack, and nothing else.
func TestCommonRange(t *testing.T) {
	q := mat.NewDense(3, 3, []float64{1, 2, 2, 2, 1, -2, 2, -2, 1}) // three times an orthogonal matrix
	part := func(values ...float64) *mat.SymDense {
		m := mat.NewSymDense(3, nil)
		for k, v := range values {
			m.SymRankOne(m, v/9, q.ColView(k))
		}
		return m
	}
	a, b := part(1, 0, 0), part(0, 0, 4)
	basis, err := spectral.CommonRange(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, r := basis.Dims(); r != 2 {
		t.Fatalf("rank %d, want 2", r)
	}
	var out mat.Dense
	if out.Mul(basis.T(), q.ColView(1)); mat.Norm(&out, 2) > 1e-14 {
		t.Error("the basis has a part in the common null space")
	}
	if back := spectral.Restrict(b, basis); math.Abs(mat.Trace(back)-4) > 1e-14 {
		t.Errorf("the trace of the restriction is %v, want 4", mat.Trace(back))
	}
	if basis, err := spectral.CommonRange(part(1, 0, 1e-3), part(0, 1, 0)); basis != nil || err != nil {
		t.Errorf("a regular sum: %v, %v", basis, err)
	}
}

func TestGeneralized(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 30 {
		n := 2 + rng.IntN(20)
		a, b := pair(rng, n)
		d := 1 + rng.IntN(n)
		for _, f := range []func(a, b *mat.SymDense, d int) (*spectral.Pairs, error){spectral.GeneralizedTop, spectral.GeneralizedBottom} {
			p, err := f(a, b, d)
			if err != nil {
				t.Fatal(err)
			}
			var aw, bw, wbw mat.Dense
			aw.Mul(a, p.Vectors)
			bw.Mul(b, p.Vectors)
			wbw.Mul(p.Vectors.T(), &bw)
			for k := range d {
				for i := range n {
					if r := math.Abs(aw.At(i, k) - p.Values[k]*bw.At(i, k)); r > 1e-8*mat.Norm(a, 2) {
						t.Fatalf("residual %g", r)
					}
				}
				if math.Abs(wbw.At(k, k)-1) > 1e-9 {
					t.Fatalf("wᵀBw = %v", wbw.At(k, k))
				}
			}
		}
	}
	// A singular B: its null space is left out.
	b := mat.NewSymDense(3, []float64{1, 0, 0, 0, 2, 0, 0, 0, 0})
	a := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 9})
	p, err := spectral.GeneralizedTop(a, b, 3)
	if err != nil || len(p.Values) != 2 || math.Abs(p.Values[0]-1) > 1e-12 {
		t.Errorf("singular B: %+v, %v", p, err)
	}
	if _, err := spectral.GeneralizedTop(a, mat.NewSymDense(3, nil), 1); !errors.Is(err, spectral.ErrSingular) {
		t.Errorf("B = 0: got %v", err)
	}
}

func TestBadArguments(t *testing.T) {
	a, b := pair(rand.New(rand.NewPCG(3, 9)), 5)
	for _, d := range []int{-1, 0, 6} {
		if _, err := spectral.TraceRatio(ctx, a, b, d, spectral.TraceRatioOptions{}); !errors.Is(err, spectral.ErrOption) {
			t.Errorf("d = %d: got %v", d, err)
		}
		if _, err := spectral.Top(a, d); !errors.Is(err, spectral.ErrOption) {
			t.Errorf("Top %d: got %v", d, err)
		}
	}
	if _, err := spectral.TraceRatio(ctx, a, mat.NewSymDense(4, nil), 1, spectral.TraceRatioOptions{}); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("orders differ: got %v", err)
	}
	bad := mat.NewSymDense(5, nil)
	bad.SetSym(1, 2, math.NaN())
	for _, m := range [][2]*mat.SymDense{{bad, b}, {a, bad}} {
		if _, err := spectral.TraceRatio(ctx, m[0], m[1], 2, spectral.TraceRatioOptions{}); !errors.Is(err, spectral.ErrNotFinite) {
			t.Errorf("NaN: got %v", err)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := spectral.TraceRatio(stopped, a, b, 2, spectral.TraceRatioOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	if _, err := spectral.TraceRatio(ctx, a, b, 2, spectral.TraceRatioOptions{MaxSteps: 1}); !errors.Is(err, spectral.ErrNotConverged) {
		t.Errorf("one step: got %v", err)
	}
}
