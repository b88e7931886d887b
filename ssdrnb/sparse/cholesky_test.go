package sparse_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// grid returns the Laplacian of a rows×cols grid plus ridge·I.
func grid(rows, cols int, ridge float64) *sparse.CSR {
	n := rows * cols
	var list []sparse.Triplet
	link := func(i, j int) {
		list = append(list, sparse.Triplet{Row: i, Col: j, Value: -1}, sparse.Triplet{Row: j, Col: i, Value: -1},
			sparse.Triplet{Row: i, Col: i, Value: 1}, sparse.Triplet{Row: j, Col: j, Value: 1})
	}
	for i := range n {
		list = append(list, sparse.Triplet{Row: i, Col: i, Value: ridge})
		if i%cols+1 < cols {
			link(i, i+1)
		}
		if i+cols < n {
			link(i, i+cols)
		}
	}
	m, err := sparse.FromTriplets(n, n, list)
	if err != nil {
		panic(err)
	}
	return m
}

// randomPositive returns a diagonally dominant matrix with some hubs.
func randomPositive(rng *rand.Rand, n, links int) *sparse.CSR {
	var list []sparse.Triplet
	sum := make([]float64, n)
	for range links {
		i, j, v := rng.IntN(n), rng.IntN(n), rng.NormFloat64()
		if rng.IntN(4) == 0 {
			i = rng.IntN(1 + n/20)
		}
		if i == j {
			continue
		}
		list = append(list, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
		sum[i] += math.Abs(v)
		sum[j] += math.Abs(v)
	}
	for i, s := range sum {
		list = append(list, sparse.Triplet{Row: i, Col: i, Value: s + 0.1 + rng.Float64()})
	}
	m, err := sparse.FromTriplets(n, n, list)
	if err != nil {
		panic(err)
	}
	return m
}

func factorize(t testing.TB, m *sparse.CSR, shift float64) *sparse.Cholesky {
	t.Helper()
	s, err := sparse.Analyze(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Factorize(context.Background(), m, shift)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkSolve compares the solution of a system with the matrix from which its right-hand side was
// computed.
func checkSolve(t *testing.T, m *sparse.CSR, c *sparse.Cholesky, shift float64, cols int, rng *rand.Rand) {
	t.Helper()
	n := m.Rows
	x, b := mat.NewDense(n, cols, nil), mat.NewDense(n, cols, nil)
	for i := range n {
		for j := range cols {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	m.MulTo(b, x)
	for i := range n {
		for j := range cols {
			b.Set(i, j, b.At(i, j)+shift*x.At(i, j))
		}
	}
	c.SolveTo(b, b)
	b.Sub(b, x)
	if e := mat.Norm(b, math.Inf(1)); e > 1e-8*float64(cols) {
		t.Errorf("order %d, %d columns: the solution is off by %g", n, cols, e)
	}
}

func TestCholeskySolves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for round := range 60 {
		n := 1 + rng.IntN(300)
		m := randomPositive(rng, n, rng.IntN(6*n))
		shift := float64(round%3) * 0.7
		checkSolve(t, m, factorize(t, m, shift), shift, 1+rng.IntN(9), rng)
	}
	for _, size := range [][2]int{{1, 1}, {1, 400}, {30, 30}, {70, 50}} {
		m := grid(size[0], size[1], 1e-3)
		checkSolve(t, m, factorize(t, m, 0), 0, 5, rng)
	}
	// A full matrix is one supernode, a diagonal one has no fill at all.
	full := randomPositive(rng, 90, 20000)
	checkSolve(t, full, factorize(t, full, 0), 0, 4, rng)
	s, err := sparse.Analyze(sparse.Diagonal([]float64{4, 9, 16}), 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.Fill != 3 {
		t.Errorf("the factor of a diagonal matrix of order 3 has %v entries", s.Fill)
	}
}

// Rows with very many entries are eliminated last if there are few of them; otherwise they are
// treated like all others.
func TestCholeskyHubs(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	const n = 900
	for _, hubs := range []int{1, 2, 20, 350} {
		list := make([]sparse.Triplet, 0, n*hubs)
		sum := make([]float64, n)
		link := func(i, j int) {
			if i != j {
				list = append(list, sparse.Triplet{Row: i, Col: j, Value: -1}, sparse.Triplet{Row: j, Col: i, Value: -1})
				sum[i]++
				sum[j]++
			}
		}
		for i := range n {
			link(i, (i+1)%n)
			for h := range hubs {
				if rng.IntN(5) < 3 { // hubs are adjacent neither to all rows nor to each other
					link(i, h*n/hubs)
				}
			}
		}
		for i, v := range sum {
			list = append(list, sparse.Triplet{Row: i, Col: i, Value: v})
		}
		m, err := sparse.FromTriplets(n, n, list)
		if err != nil {
			t.Fatal(err)
		}
		checkSolve(t, m, factorize(t, m, 0.5), 0.5, 3, rng)
	}
}

func TestEliminationOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 40 {
		n := 1 + rng.IntN(200)
		order, err := sparse.EliminationOrder(randomPositive(rng, n, rng.IntN(8*n)))
		if err != nil {
			t.Fatal(err)
		}
		seen := slices.Clone(order)
		slices.Sort(seen)
		for k, i := range seen {
			if int(i) != k {
				t.Fatalf("not a permutation: %v", order)
			}
		}
	}
	// A path, a tree and a star have an elimination order without fill.
	path := grid(1, 5000, 1)
	var list []sparse.Triplet
	for i := range 2000 {
		list = append(list, sparse.Triplet{Row: i, Col: i, Value: 3})
		if p := (i - 1) / 2; i > 0 {
			list = append(list, sparse.Triplet{Row: i, Col: p, Value: -1}, sparse.Triplet{Row: p, Col: i, Value: -1})
		}
	}
	tree, err := sparse.FromTriplets(2000, 2000, list)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*sparse.CSR{"path": path, "tree": tree} {
		s, err := sparse.Analyze(m, 0)
		if err != nil {
			t.Fatal(err)
		}
		// Merged columns may hold a few zeros.
		if entries := float64(2*m.Rows - 1); s.Fill > 2.6*entries {
			t.Errorf("%s: the factor has %v entries, the matrix %v", name, s.Fill, entries)
		}
	}
	// The factor of a square grid of side s has O(s² log s) entries, but s³ in the natural order.
	s, err := sparse.Analyze(grid(100, 100, 1), 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.Fill > 450_000 {
		t.Errorf("grid 100×100: %v entries, the banded factor has 10⁶", s.Fill)
	}
	if _, err := sparse.EliminationOrder(&sparse.CSR{Rows: 2, Cols: 3, RowPtr: make([]int, 3)}); !errors.Is(err, sparse.ErrShape) {
		t.Errorf("2×3: got %v", err)
	}
}

// TestPredictedFill compares the analysis with a dense elimination in the same order.
func TestPredictedFill(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		n := 5 + rng.IntN(60)
		m := randomPositive(rng, n, 2*n)
		order, err := sparse.EliminationOrder(m)
		if err != nil {
			t.Fatal(err)
		}
		filled := make([][]bool, n)
		for i := range filled {
			filled[i] = make([]bool, n)
			for j := range n {
				filled[i][j] = i == j || m.At(int(order[i]), int(order[j])) != 0
			}
		}
		entries := 0
		for k := range n {
			for i := k; i < n; i++ {
				if !filled[i][k] {
					continue
				}
				entries++
				for j := k + 1; j <= i; j++ {
					filled[i][j] = filled[i][j] || filled[j][k]
				}
			}
		}
		s, err := sparse.Analyze(m, 0)
		if err != nil {
			t.Fatal(err)
		}
		if int(s.Fill) < entries || s.Fill > 3*float64(entries)+50 {
			t.Errorf("order %d: %v entries predicted, elimination makes %d", n, s.Fill, entries)
		}
	}
}

func TestCholeskyRefuses(t *testing.T) {
	ctx := context.Background()
	m := grid(20, 20, 0) // singular: a Laplacian
	s, err := sparse.Analyze(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Factorize(ctx, m, -1); !errors.Is(err, sparse.ErrNotPositive) {
		t.Errorf("an indefinite matrix: got %v", err)
	}
	zero := grid(20, 20, 0).Scale(0)
	if _, err := s.Factorize(ctx, zero, 0); !errors.Is(err, sparse.ErrNotPositive) {
		t.Errorf("zero pivots: got %v", err)
	}
	if _, err := s.Factorize(ctx, m, 1e-10); err != nil {
		t.Errorf("a Laplacian just above singular: %v", err)
	}
	sick := m.Clone()
	sick.Val[11] = math.Inf(1)
	if _, err := s.Factorize(ctx, sick, 1); !errors.Is(err, sparse.ErrNotFinite) {
		t.Errorf("an infinite entry: got %v", err)
	}
	if _, err := s.Factorize(ctx, grid(3, 3, 1), 1); !errors.Is(err, sparse.ErrShape) {
		t.Errorf("another order: got %v", err)
	}
	rng := rand.New(rand.NewPCG(4, 3))
	if _, err := sparse.Analyze(randomPositive(rng, 3000, 30000), 1e6); !errors.Is(err, sparse.ErrFill) {
		t.Errorf("a random graph within 10⁶ operations: got %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Factorize(stopped, m, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestCholeskySameBits(t *testing.T) {
	m := grid(80, 60, 0.01)
	rng := rand.New(rand.NewPCG(5, 3))
	b := mat.NewDense(m.Rows, 6, nil)
	for i := range m.Rows {
		for j := range 6 {
			b.Set(i, j, rng.NormFloat64())
		}
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	var first []float64
	for _, procs := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(procs)
		x := mat.NewDense(m.Rows, 6, nil)
		factorize(t, m, 0).SolveTo(x, b)
		if first == nil {
			first = x.RawMatrix().Data
		} else if !slices.Equal(first, x.RawMatrix().Data) {
			t.Errorf("%d processors give other bits than one", procs)
		}
	}
}

func FuzzCholesky(f *testing.F) {
	f.Add(uint64(1), uint(30), uint(90))
	f.Add(uint64(7), uint(1), uint(0))
	f.Fuzz(func(t *testing.T, seed uint64, order, links uint) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + int(order%120)
		m := randomPositive(rng, n, int(links%1000))
		checkSolve(t, m, factorize(t, m, 0.5), 0.5, 3, rng)
	})
}

func BenchmarkCholesky(b *testing.B) {
	m := grid(250, 280, 1e-6)
	x := mat.NewDense(m.Rows, 8, nil)
	x.Set(17, 3, 1)
	b.Run("order", func(b *testing.B) {
		for b.Loop() {
			if _, err := sparse.EliminationOrder(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	s, err := sparse.Analyze(m, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("factorize", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Factorize(context.Background(), m, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	c := factorize(b, m, 0)
	b.Run("solve 8", func(b *testing.B) {
		for b.Loop() {
			c.SolveTo(x, x)
		}
	})
}
