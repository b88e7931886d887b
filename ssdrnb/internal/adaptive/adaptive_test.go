package adaptive_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// rings returns the directed graph of rings of the given sizes.
func rings(t *testing.T, sizes ...int) *sparse.CSR {
	t.Helper()
	var entries []sparse.Triplet
	n := 0
	for _, size := range sizes {
		for i := range size {
			entries = append(entries, sparse.Triplet{Row: n + i, Col: n + (i+1)%size, Value: 1})
		}
		n += size
	}
	s, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// F is orthonormal, and tr(FᵀLF) is the sum of the smallest eigenvalues of L. For several
// components the columns of F are their indicators, the largest component first.
func TestState(t *testing.T) {
	for _, c := range []struct {
		graph      *sparse.CSR
		components int
		smallest   float64
	}{
		{rings(t, 5, 9, 7), 2, 0},
		{rings(t, 8), 1, 0},
		// A ring of n with weights ½ has the eigenvalues 1 − cos(2πk/n).
		{rings(t, 8), 3, 2 * (1 - math.Cos(2*math.Pi/8))},
	} {
		st, err := adaptive.NewState(t.Context(), c.graph, c.components)
		if err != nil {
			t.Fatal(err)
		}
		var gram mat.Dense
		gram.Mul(st.F.T(), st.F)
		if !mat.EqualApprox(&gram, dense.Identity(c.components, c.components), 1e-12) {
			t.Errorf("FᵀF = %v", mat.Formatted(&gram))
		}
		if v := mat.Trace(dense.Quadratic(st.Laplacian, st.F)); math.Abs(v-c.smallest) > 1e-12 || math.Abs(st.Smallest-c.smallest) > 1e-12 {
			t.Errorf("tr(FᵀLF) = %v, State.Smallest = %v, want %v", v, st.Smallest, c.smallest)
		}
	}
	st, err := adaptive.NewState(t.Context(), rings(t, 5, 9, 7), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 21 {
		want := [2]float64{}
		switch {
		case i >= 14:
			want[1] = 1 / math.Sqrt(7)
		case i >= 5:
			want[0] = 1.0 / 3
		}
		if math.Abs(st.F.At(i, 0)-want[0]) > 1e-15 || math.Abs(st.F.At(i, 1)-want[1]) > 1e-15 {
			t.Errorf("row %d of F is %v, want %v", i, st.F.RawRowView(i), want)
		}
	}
}

// alternation returns an alternation on two groups of samples, without a projection.
func alternation(t *testing.T, where, adjust string) *adaptive.Alternation {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	z := mat.NewDense(24, 2, nil)
	for i := range 24 {
		z.SetRow(i, []float64{6*float64(i%2) + rng.NormFloat64(), rng.NormFloat64()})
	}
	const k, gamma = 6, 2.0
	nb, err := graph.Search(t.Context(), z, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	first, err := adaptive.Local(t.Context(), z, nb.Directed(), gamma)
	if err != nil {
		t.Fatal(err)
	}
	a := &adaptive.Alternation{Ctx: t.Context(), Z: z, Components: 2, Neighbors: k, Candidates: nb.Directed(), Gamma: gamma, Where: where, Adjust: adjust, Iterations: 20,
		Progress: func(int, int, float64) {}, Lambda: 0.5,
		Project: func(*mat.SymDense) (*mat.Dense, float64, error) { return z, 0, nil }}
	if a.State, err = adaptive.NewState(t.Context(), first, 2); err != nil {
		t.Fatal(err)
	}
	return a
}

// At a fixed λ no step raises the objective, and rows of the graph are probability distributions.
func TestObjectiveFalls(t *testing.T) {
	for _, where := range []string{adaptive.LocalCandidates, adaptive.AllCandidates} {
		a := alternation(t, where, adaptive.Keep)
		if err := a.Run(); err != nil {
			t.Fatal(err)
		}
		last := math.Inf(1)
		for k, s := range a.Steps {
			for what, v := range map[string]float64{"F": s.AfterF, "W": s.AfterW} {
				if v > last*(1+1e-12) {
					t.Errorf("%s: the %s step of iteration %d raises J from %v to %v", where, what, k, last, v)
				}
			}
			if s.AfterS > s.AfterW*(1+1e-12) {
				t.Errorf("%s: the S step of iteration %d raises J from %v to %v", where, k, s.AfterW, s.AfterS)
			}
			last = s.AfterS
		}
		for i := range 24 {
			_, vals := a.State.S.Row(i)
			sum := 0.0
			for _, v := range vals {
				if v < 0 {
					t.Errorf("%s: a weight of %v", where, v)
				}
				sum += v
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: the weights of sample %d sum to %v", where, i, sum)
			}
		}
	}
}

// With λ adjusted the graph ends with the requested number of components, which are the groups.
func TestComponents(t *testing.T) {
	for _, adjust := range []string{adaptive.DoubleOrHalve, adaptive.Bracket} {
		a := alternation(t, adaptive.LocalCandidates, adjust)
		if err := a.Run(); err != nil {
			t.Fatal(err)
		}
		if !a.Converged() {
			t.Fatalf("%s: %+v", adjust, a.Steps)
		}
		for i := range 24 {
			cols, vals := a.State.S.Row(i)
			for k, c := range cols {
				if vals[k] > adaptive.ComponentWeight && int(c)%2 != i%2 {
					t.Errorf("%s: samples %d and %d of different groups have the weight %v", adjust, i, c, vals[k])
				}
			}
		}
	}
}

// While the graph has too few components, λ is doubled, however small it is at first. If the number
// of components is impossible, the run ends before λ overflows.
func TestLambdaIsDoubled(t *testing.T) {
	run := func(adjust string, components int, lambda float64) *adaptive.Alternation {
		a := alternation(t, adaptive.LocalCandidates, adjust)
		a.Components, a.Lambda, a.Iterations = components, lambda, 5000
		var err error
		if a.State, err = adaptive.NewState(t.Context(), a.State.S, components); err != nil {
			t.Fatal(err)
		}
		if err := a.Run(); err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, adjust := range []string{adaptive.DoubleOrHalve, adaptive.Bracket} {
		if a := run(adjust, 4, 1e-20); a.Steps[0].Count >= 4 || !a.Converged() {
			t.Errorf("%s: %d components after the first of %d iterations, %d at the end", adjust, a.Steps[0].Count, len(a.Steps), a.Steps[len(a.Steps)-1].Count)
		}
		if a := run(adjust, 13, 1); a.Converged() || len(a.Steps) > 100 { // of 24 samples
			t.Errorf("%s: %d iterations for an impossible number of components", adjust, len(a.Steps))
		}
	}
}
