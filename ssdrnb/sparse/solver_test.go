package sparse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// ladder returns the Laplacian of a graph with small separators plus lambda·I.
func ladder(n int, lambda float64) *CSR {
	var entries []Triplet
	for i := range n {
		degree := 0.0
		for _, step := range []int{-2, -1, 1, 2} {
			if k := i + step; k >= 0 && k < n {
				degree += 1 / float64(step*step)
				entries = append(entries, Triplet{i, k, -1 / float64(step*step)})
			}
		}
		entries = append(entries, Triplet{i, i, degree + lambda})
	}
	a, err := FromTriplets(n, n, entries)
	if err != nil {
		panic(err)
	}
	return a
}

// network returns the Laplacian of a random graph, which has no small separators,
// plus lambda·I.
func network(n int, lambda float64, seed uint64) *CSR {
	rng := rand.New(rand.NewPCG(seed, 0))
	var entries []Triplet
	diagonal := make([]float64, n)
	link := func(i, j int) {
		w := rng.Float64()
		entries = append(entries, Triplet{i, j, -w}, Triplet{j, i, -w})
		diagonal[i] += w
		diagonal[j] += w
	}
	for i := 1; i < n; i++ {
		link(i, i-1)
		for range 6 {
			link(i, rng.IntN(i))
		}
	}
	for i, v := range diagonal {
		entries = append(entries, Triplet{i, i, v + lambda})
	}
	a, err := FromTriplets(n, n, entries)
	if err != nil {
		panic(err)
	}
	return a
}

func rightHandSides(n, p int) *mat.Dense {
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	b := mat.NewDense(n, p, nil)
	for i := range n {
		for k := range p {
			b.Set(i, k, rng.NormFloat64())
		}
	}
	b.SetCol(p/2, make([]float64, n)) // a column of zeros
	return b
}

// All methods solve systems of orders below and above the limit between them.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		n      int
		lambda float64
		ladder bool
	}{{1, 0.5, false}, {2, 0.5, false}, {60, 0.01, false}, {denseOrder, 0.1, false},
		{denseOrder + 1, 0.1, false}, {denseOrder + 900, 1e-3, false}, {denseOrder + 1, 1e-6, true}} {
		a, b := network(c.n, c.lambda, 3), rightHandSides(c.n, 37)
		if c.ladder {
			a = ladder(c.n, c.lambda)
		}
		s, err := NewSolver(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		x, ax := mat.NewDense(c.n, 37, nil), mat.NewDense(c.n, 37, nil)
		if err := s.SolveTo(context.Background(), x, b); err != nil {
			t.Fatal(err)
		}
		a.MulTo(ax, x)
		ax.Sub(ax, b)
		if rest := mat.Norm(ax, 2) / mat.Norm(b, 2); rest > 1e-11 {
			t.Errorf("order %d: residual %g", c.n, rest)
		}
		if (s.factor == nil) != (c.n > denseOrder) || (s.sparse != nil) != c.ladder {
			t.Errorf("order %d is solved by the wrong method", c.n)
		}
	}
}

// Conjugate gradients and the factorisation give the same solution.
func TestSolveBothWays(t *testing.T) {
	n := 300
	a, b := network(n, 0.01, 4), rightHandSides(n, 20)
	s, err := NewSolver(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	direct, iterated := mat.NewDense(n, 20, nil), mat.NewDense(n, 20, nil)
	if err := s.SolveTo(context.Background(), direct, b); err != nil {
		t.Fatal(err)
	}
	s.inverse = a.Diag()
	for i, v := range s.inverse {
		s.inverse[i] = 1 / v
	}
	if err := s.iterate(context.Background(), iterated, b); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(direct, iterated, 1e-9*mat.Norm(direct, 2)) {
		t.Error("the two differ")
	}
}

func TestSolveDeterministic(t *testing.T) {
	n := denseOrder + 10
	a, b := network(n, 0.1, 5), rightHandSides(n, 50)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *mat.Dense
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		s, err := NewSolver(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		x := mat.NewDense(n, 50, nil)
		if err := s.SolveTo(context.Background(), x, b); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = x
		} else if !mat.Equal(first, x) {
			t.Error("the result depends on the number of processors")
		}
	}
}

func TestSolveRefuses(t *testing.T) {
	if _, err := NewSolver(context.Background(), &CSR{Rows: 2, Cols: 3, RowPtr: []int{0, 0, 0}}); !errors.Is(err, ErrShape) {
		t.Errorf("not square: %v", err)
	}
	for _, n := range []int{40, denseOrder + 1} {
		for name, lambda := range map[string]float64{"negative": -0.5, "NaN": math.NaN()} {
			a := network(n, lambda, 6)
			s, err := NewSolver(context.Background(), a)
			if err == nil {
				err = s.SolveTo(context.Background(), mat.NewDense(n, 3, nil), rightHandSides(n, 3))
			}
			if !errors.Is(err, ErrNotPositive) && !errors.Is(err, ErrNotFinite) {
				t.Errorf("%s of order %d: %v", name, n, err)
			}
		}
		s, err := NewSolver(context.Background(), network(n, 1, 6))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SolveTo(context.Background(), mat.NewDense(n, 3, nil), mat.NewDense(n, 4, nil)); !errors.Is(err, ErrShape) {
			t.Errorf("widths 3 and 4: %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := s.SolveTo(ctx, mat.NewDense(n, 4, nil), rightHandSides(n, 4)); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

func TestSolveDirect(t *testing.T) {
	const n = 400
	a, b := network(n, 1e-9, 8), rightHandSides(n, 7) // the condition number is about 10¹⁰
	s, err := NewDirect(context.Background(), a, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	x, ax := mat.NewDense(n, 7, nil), mat.NewDense(n, 7, nil)
	if err := s.SolveTo(context.Background(), x, b); err != nil {
		t.Fatal(err)
	}
	a.MulTo(ax, x)
	ax.Sub(ax, b)
	if r := mat.Norm(ax, 2); !(r <= 1e-14*mat.Norm(x, 2)*10) {
		t.Errorf("the residual is %g for a solution of norm %g", r, mat.Norm(x, 2))
	}
	if _, err := NewDirect(context.Background(), a, 1000); !errors.Is(err, ErrFill) {
		t.Errorf("1000 bytes: %v", err)
	}
	if _, err := NewDirect(context.Background(), network(n, -0.5, 8), 1<<30); !errors.Is(err, ErrNotPositive) {
		t.Errorf("indefinite: %v", err)
	}
}
