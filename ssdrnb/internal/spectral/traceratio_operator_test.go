package spectral_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// graphOf returns the 0/1 affinity of random edges within, or between, groups of
// consecutive samples.
func graphOf(rng *rand.Rand, n, groups, edges int, within bool) *sparse.CSR {
	var list []sparse.Triplet
	size := (n + groups - 1) / groups
	for len(list) < 2*edges {
		i, j := rng.IntN(n), rng.IntN(n)
		if within {
			j = i/size*size + rng.IntN(size)
		}
		if i == j || j >= n || (i/size == j/size) != within {
			continue
		}
		list = append(list, sparse.Triplet{Row: i, Col: j, Value: 1}, sparse.Triplet{Row: j, Col: i, Value: 1})
	}
	m, err := sparse.FromTriplets(n, n, list)
	if err != nil {
		panic(err)
	}
	return m
}

// laplacianOf returns diag(w·1) − w + ridge·I.
func laplacianOf(w *sparse.CSR, ridge float64) *sparse.CSR {
	d := w.RowSums()
	for i := range d {
		d[i] += ridge
	}
	l, err := sparse.Add(1, sparse.Diagonal(d), -1, w)
	if err != nil {
		panic(err)
	}
	return l
}

// compressed returns the dense form of an operator on the complement of 1, in the
// basis of Helmert.
func compressed(o spectral.Operator) *mat.SymDense {
	n := o.Dim()
	h := mat.NewDense(n, n-1, nil)
	for j := 1; j < n; j++ {
		f := 1 / math.Sqrt(float64(j*(j+1)))
		for i := range j {
			h.Set(i, j-1, f)
		}
		h.Set(j, j-1, -float64(j)*f)
	}
	ah, full := mat.NewDense(n, n-1, nil), new(mat.Dense)
	o.Apply(ah, h)
	full.Mul(h.T(), ah)
	s := mat.NewSymDense(n-1, nil)
	for i := range n - 1 {
		for j := i; j < n-1; j++ {
			s.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return s
}

// pairProblem is a problem like that of S2LAE: A from a global term and cannot-links,
// B from must-links and a ridge.
func pairProblem(t testing.TB, n int, sparseA bool) (a, b spectral.Operator) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 4))
	cannot, must := graphOf(rng, n, 12, 3*n, false), graphOf(rng, n, 12, 4*n, true)
	lc, err := spectral.Sparse(laplacianOf(cannot, 0))
	if err != nil {
		t.Fatal(err)
	}
	global := spectral.Centering(n)
	if sparseA { // the same off the constant vector
		global = spectral.Identity(n)
	}
	if a, err = spectral.Sum(spectral.Term{Factor: 0.5, Operator: global}, spectral.Term{Factor: 0.5, Operator: lc}); err != nil {
		t.Fatal(err)
	}
	if b, err = spectral.Sparse(laplacianOf(must, 1e-3)); err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestTraceRatioOfAgainstDense(t *testing.T) {
	for _, c := range []struct {
		n, d    int
		sparseA bool
	}{{60, 2, true}, {60, 40, false}, {300, 2, true}, {300, 2, false}, {300, 7, true}, {360, 3, false}} {
		a, b := pairProblem(t, c.n, c.sparseA)
		want, err := spectral.TraceRatio(ctx, compressed(a), compressed(b), c.d, spectral.TraceRatioOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opt := spectral.OperatorTraceRatioOptions{Null: spectral.Constant(c.n)}
		got, err := spectral.TraceRatioOf(ctx, a, b, c.d, opt)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if math.Abs(got.Lambda-want.Lambda) > 1e-9*want.Lambda {
			t.Errorf("%+v: λ* = %.15g, dense %.15g", c, got.Lambda, want.Lambda)
		}
		for k := range c.d {
			if math.Abs(got.Values[k]-want.Values[k]) > 1e-6*(1+math.Abs(want.Values[0])) {
				t.Errorf("%+v: eigenvalue %d of A − λB is %g, dense %g", c, k, got.Values[k], want.Values[k])
			}
		}
		for k := 1; k < len(got.History); k++ {
			if got.History[k].Lambda < got.History[k-1].Lambda*(1-1e-12) {
				t.Errorf("%+v: λ falls from %v to %v", c, got.History[k-1].Lambda, got.History[k].Lambda)
			}
		}
		for k, h := range got.History {
			if h.G < -1e-7*(1+math.Abs(want.Values[0])) {
				t.Errorf("%+v: g(λ_%d) = %g below 0", c, k, h.G)
			}
		}
		var gram mat.Dense
		gram.Mul(got.W.T(), got.W)
		for i := range c.d {
			gram.Set(i, i, gram.At(i, i)-1)
		}
		if mat.Norm(&gram, 2) > 1e-10 {
			t.Errorf("%+v: W is not orthonormal", c)
		}
		for j := range c.d {
			if s := mat.Sum(got.W.ColView(j)); math.Abs(s) > 1e-8 {
				t.Errorf("%+v: column %d sums to %g", c, j, s)
			}
		}
		// A warm start at the solution is done at once.
		opt.W0 = got.W
		warm, err := spectral.TraceRatioOf(ctx, a, b, c.d, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(warm.History) > max(2, len(got.History)-2) && c.n > 100 {
			t.Errorf("%+v: %d steps from the solution, %d from nothing", c, len(warm.History), len(got.History))
		}
	}
}

// TestTraceRatioOfCoarse gives the components of the denominator's graph, which is
// where the solution nearly lies.
func TestTraceRatioOfCoarse(t *testing.T) {
	const n, d = 900, 3
	a, b := pairProblem(t, n, false)
	var list []sparse.Triplet
	for i := range n {
		list = append(list, sparse.Triplet{Row: i, Col: i / 75, Value: 1 / math.Sqrt(75)})
	}
	z, err := sparse.FromTriplets(n, 12, list)
	if err != nil {
		t.Fatal(err)
	}
	opt := spectral.OperatorTraceRatioOptions{Null: spectral.Constant(n)}
	blind, err := spectral.TraceRatioOf(ctx, a, b, d, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Coarse = z
	r, err := spectral.TraceRatioOf(ctx, a, b, d, opt)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Lambda-blind.Lambda) > 1e-10*blind.Lambda {
		t.Errorf("λ* = %.15g from the coarse start, %.15g from nothing", r.Lambda, blind.Lambda)
	}
	if r.Lower < 0.9*r.Lambda || len(r.History) >= len(blind.History) {
		t.Errorf("the coarse start has λ = %g of %g and takes %d steps, a blind one %d", r.Lower, r.Lambda, len(r.History), len(blind.History))
	}
}

func TestTraceRatioOfRefuses(t *testing.T) {
	n := 400
	a, _ := pairProblem(t, n, true)
	rng := rand.New(rand.NewPCG(1, 4))
	must := graphOf(rng, n, 12, 4*n, true)
	singular, err := spectral.Sparse(laplacianOf(must, 0))
	if err != nil {
		t.Fatal(err)
	}
	// 12 components: the denominator vanishes on 11 dimensions off the constant.
	opt := spectral.OperatorTraceRatioOptions{Null: spectral.Constant(n)}
	if _, err := spectral.TraceRatioOf(ctx, a, singular, 2, opt); !errors.Is(err, spectral.ErrUnbounded) {
		t.Errorf("a denominator that vanishes: got %v", err)
	}
	if _, err := spectral.TraceRatioOf(ctx, a, spectral.Identity(n+1), 2, opt); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("orders that differ: got %v", err)
	}
	if _, err := spectral.TraceRatioOf(ctx, a, singular, n, opt); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("d = n with a vector left out: got %v", err)
	}
	_, b := pairProblem(t, n, true)
	opt.MaxSteps = 2
	opt.Tolerance = 1e-14
	if _, err := spectral.TraceRatioOf(ctx, a, b, 2, opt); !errors.Is(err, spectral.ErrNotConverged) {
		t.Errorf("two steps: got %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := spectral.TraceRatioOf(stopped, a, b, 2, opt); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}
