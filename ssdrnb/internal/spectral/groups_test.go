package spectral_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// tied returns A, a Laplacian between groups of rows, B, a Laplacian within them plus ridge·I, and
// the known structure of the groups.
func tied(n, count int, ridge float64) (a, b *sparse.CSR, g *spectral.Groups) {
	rng := rand.New(rand.NewPCG(4, uint64(n)))
	between, within, inside := []sparse.Triplet{}, []sparse.Triplet{}, []sparse.Triplet{}
	laplacian := func(to *[]sparse.Triplet, i, j int, v float64) {
		*to = append(*to, sparse.Triplet{Row: i, Col: i, Value: v}, sparse.Triplet{Row: j, Col: j, Value: v},
			sparse.Triplet{Row: i, Col: j, Value: -v}, sparse.Triplet{Row: j, Col: i, Value: -v})
	}
	g = &spectral.Groups{Count: count, Of: make([]int, n), Value: ridge}
	size := make([]float64, count)
	for i := range n {
		g.Of[i] = i % count
		size[i%count]++
		within = append(within, sparse.Triplet{Row: i, Col: i, Value: ridge})
	}
	for i := range n {
		if i >= count {
			laplacian(&within, i, i-count, 1+rng.Float64())
			laplacian(&within, i, i%count+count*rng.IntN(i/count), 1)
		}
		if j := rng.IntN(n); j%count != i%count {
			laplacian(&between, i, j, rng.Float64())
		}
	}
	build := func(n int, list []sparse.Triplet) *sparse.CSR {
		m, err := sparse.FromTriplets(n, n, list)
		if err != nil {
			panic(err)
		}
		return m
	}
	a, b = build(n, between), build(n, within)
	for _, t := range between {
		p, q := g.Of[t.Row], g.Of[t.Col]
		inside = append(inside, sparse.Triplet{Row: p, Col: q, Value: t.Value / math.Sqrt(size[p]*size[q])})
	}
	h := build(count, inside)
	g.Coarse = spectral.Func(count, h.MulTo)
	g.DiagA, g.DiagB = a.Diag(), b.Diag()
	return a, b, g
}

// TraceRatioOf with groups must agree with full decompositions orthogonal to the constant vector.
func TestTraceRatioOfGroups(t *testing.T) {
	for _, c := range []struct {
		n, count, d int
		ridge       float64
	}{{200, 5, 3, 1e-3}, {240, 4, 6, 1e-4}, {150, 40, 4, 1e-2}, {120, 1, 2, 0.1}} {
		a, b, g := tied(c.n, c.count, c.ridge)
		if c.count == 1 { // without pairs between groups any A will do
			a, g.Coarse = b, spectral.Func(1, func(dst, x *mat.Dense) { dst.Zero() })
			g.DiagA = b.Diag()
		}
		steps := 0
		got, err := spectral.TraceRatioOf(ctx, spectral.Func(c.n, a.MulTo), spectral.Func(c.n, b.MulTo), g, c.d,
			spectral.OperatorTraceRatioOptions{Progress: func(int, int) { steps++ }})
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		// An orthonormal basis of the complement of the constant vector.
		rng, basis := rand.New(rand.NewPCG(1, 1)), mat.NewDense(c.n, c.n-1, nil)
		for i := range c.n {
			for k := range c.n - 1 {
				basis.Set(i, k, rng.NormFloat64())
			}
		}
		spectral.Constant(c.n).Project(basis)
		basis = spectral.Orthonormal(basis)
		dense := func(m *sparse.CSR) *mat.SymDense {
			full := mat.NewSymDense(c.n, nil)
			for i := range c.n {
				cols, vals := m.Row(i)
				for k, j := range cols {
					full.SetSym(i, int(j), vals[k])
				}
			}
			return spectral.Restrict(full, basis)
		}
		want, err := spectral.TraceRatio(ctx, dense(a), dense(b), c.d, spectral.TraceRatioOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got.Lambda-want.Lambda) <= 1e-9*want.Lambda) {
			t.Errorf("%v: λ* = %.15g, want %.15g", c, got.Lambda, want.Lambda)
		}
		for k := range c.d {
			if !(math.Abs(got.Values[k]-want.Values[k]) <= 1e-6*math.Abs(want.Values[0])+1e-9) {
				t.Errorf("%v: value %d is %g, want %g", c, k, got.Values[k], want.Values[k])
			}
		}
		for k := 1; k < len(got.History); k++ {
			if got.History[k].Lambda < got.History[k-1].Lambda*(1-1e-12) {
				t.Errorf("%v: λ falls in step %d", c, k)
			}
		}
		if steps != len(got.History) {
			t.Errorf("%v: %d steps were reported, %d are in the history", c, steps, len(got.History))
		}
	}
}

// The history has the λ before each step, at first 0, and its g. It does not depend on the solver of
// the projected problems.
func TestTraceRatioOfHistory(t *testing.T) {
	a, b, g := tied(200, 5, 1e-3)
	solve := func(solver spectral.Solver) *spectral.TraceRatioResult {
		r, err := spectral.TraceRatioOf(ctx, spectral.Func(200, a.MulTo), spectral.Func(200, b.MulTo), g, 3, spectral.OperatorTraceRatioOptions{Solver: solver})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := solve(spectral.ITR)
	for _, solver := range []spectral.Solver{spectral.ITR, spectral.ITRScore, spectral.Fast, spectral.Bisect} {
		got := solve(solver)
		if len(got.History) != len(want.History) || got.History[0].Lambda != 0 || got.Lower != 0 {
			t.Errorf("solver %d: history %v from %g, want %v", solver, got.History, got.Lower, want.History)
			continue
		}
		for k, s := range got.History {
			if near := 1e-9 * want.Lambda; math.Abs(s.Lambda-want.History[k].Lambda) > near || math.Abs(s.G-want.History[k].G) > near || k > 0 && s.G > got.History[k-1].G+near {
				t.Errorf("solver %d, step %d: λ = %g, g = %g, want %v", solver, k, s.Lambda, s.G, want.History[k])
			}
		}
	}
}

// Regions of the graph may change the number of steps but not the solution.
func TestTraceRatioOfRegions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n, clusters = 10_400, 26
	rng := rand.New(rand.NewPCG(6, 1))
	var within, between []sparse.Triplet
	laplacian := func(to *[]sparse.Triplet, i, j int, v float64) {
		*to = append(*to, sparse.Triplet{Row: i, Col: i, Value: v}, sparse.Triplet{Row: j, Col: j, Value: v},
			sparse.Triplet{Row: i, Col: j, Value: -v}, sparse.Triplet{Row: j, Col: i, Value: -v})
	}
	for i := range n {
		within = append(within, sparse.Triplet{Row: i, Col: i, Value: 1e-3})
		first := i / (n / clusters) * (n / clusters)
		for range 4 {
			if j := first + rng.IntN(n/clusters); j != i {
				laplacian(&within, i, j, 1)
			}
		}
		if i > 0 && i == first {
			laplacian(&within, i, i-1, 1)
		}
		if i%50 == 0 {
			laplacian(&between, i, (i+n/2+rng.IntN(n/4))%n, 1)
		}
	}
	a, err := sparse.FromTriplets(n, n, between)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sparse.FromTriplets(n, n, within)
	if err != nil {
		t.Fatal(err)
	}
	r, err := regions.Grow(b)
	if err != nil || r == nil {
		t.Fatalf("no regions: %v", err)
	}
	condensed, err := r.Condense(b)
	if err != nil {
		t.Fatal(err)
	}
	solve := func(from *regions.Regions) *spectral.TraceRatioResult {
		g := &spectral.Groups{Count: 1, Of: make([]int, n), Value: 1e-3, DiagA: a.Diag(), DiagB: b.Diag(), Regions: from, Condensed: condensed,
			Coarse: spectral.Func(1, func(dst, x *mat.Dense) { dst.Zero() })}
		r, err := spectral.TraceRatioOf(ctx, spectral.Func(n, a.MulTo), spectral.Func(n, b.MulTo), g, 2, spectral.OperatorTraceRatioOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	without, with := solve(nil), solve(r)
	if math.Abs(without.Lambda-with.Lambda) > 1e-9*with.Lambda {
		t.Errorf("λ* is %.15g without regions, %.15g with them", without.Lambda, with.Lambda)
	}
	var cosines mat.Dense
	cosines.Mul(without.W.T(), with.W)
	if off := math.Sqrt(2) - mat.Norm(&cosines, 2); math.Abs(off) > 1e-6 {
		t.Errorf("the spaces differ: ‖WᵀV‖ is %.2g from √2", off)
	}
	if len(with.History) > len(without.History)+2 {
		t.Errorf("%d steps with regions, %d without", len(with.History), len(without.History))
	}
	t.Logf("%d steps with regions, %d without", len(with.History), len(without.History))
}

func TestTraceRatioOfGroupsRefuses(t *testing.T) {
	a, b, g := tied(120, 4, 1e-3)
	solve := func(ctx context.Context, g spectral.Groups, d int) error {
		_, err := spectral.TraceRatioOf(ctx, spectral.Func(120, a.MulTo), spectral.Func(120, b.MulTo), &g, d, spectral.OperatorTraceRatioOptions{})
		return err
	}
	short, outside, empty, bare, apart, other := *g, *g, *g, *g, *g, *g
	short.DiagA = g.DiagA[:10]
	outside.Of = append([]int{9}, g.Of[1:]...)
	empty.Count, empty.Coarse = 5, spectral.Func(5, func(dst, x *mat.Dense) { dst.Copy(x) })
	bare.Coarse = nil
	apart.Of = append([]int{1}, g.Of[1:]...)
	other.Value = 0.5
	for name, g := range map[string]spectral.Groups{"short diagonal": short, "row outside": outside, "empty group": empty, "no coarse operator": bare, "a group in two": apart, "another eigenvalue": other} {
		if err := solve(ctx, g, 2); !errors.Is(err, spectral.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := solve(ctx, *g, 120); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("as many dimensions as rows: %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := solve(stopped, *g, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// With too few steps the last solution is returned with the error.
func TestTraceRatioOfReturnsTheBestSoFar(t *testing.T) {
	a, b, g := tied(240, 4, 1e-4)
	solve := func(steps int) (*spectral.TraceRatioResult, error) {
		return spectral.TraceRatioOf(ctx, spectral.Func(240, a.MulTo), spectral.Func(240, b.MulTo), g, 6, spectral.OperatorTraceRatioOptions{MaxSteps: steps})
	}
	best, err := solve(0)
	if err != nil {
		t.Fatal(err)
	}
	early, err := solve(2)
	if !errors.Is(err, spectral.ErrNotConverged) || early == nil {
		t.Fatalf("two steps: %v, %v", early, err)
	}
	var ab, bb mat.Dense
	ab.Product(early.W.T(), a.Dense(), early.W)
	bb.Product(early.W.T(), b.Dense(), early.W)
	if ratio := mat.Trace(&ab) / mat.Trace(&bb); math.Abs(ratio-early.Lambda) > 1e-9*ratio || early.Lambda > best.Lambda*(1+1e-12) {
		t.Errorf("W attains %v, λ is %v, the maximum %v", ratio, early.Lambda, best.Lambda)
	}
	if len(early.History) != 2 || len(early.Values) != 7 || !(early.Residual > best.Residual) {
		t.Errorf("%d steps, %d values, residual %g; converged %g", len(early.History), len(early.Values), early.Residual, best.Residual)
	}
}
