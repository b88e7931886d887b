package walks

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// TestCoarse solves for values of clusters joined by single edges, with and without the coarse
// level, and expects the same residual and the same solution from both.
func TestCoarse(t *testing.T) {
	const clusters, size = 30, 400
	rng := rand.New(rand.NewPCG(1, 1))
	var entries []sparse.Triplet
	join := func(i, j int, v float64) {
		entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
	}
	for c := range clusters {
		for i := range size {
			join(c*size+i, c*size+(i+1)%size, 1)
			for range 4 {
				if k := rng.IntN(size); k != i {
					join(c*size+i, c*size+k, rng.Float64())
				}
			}
		}
		if c > 0 && c != 20 { // two components
			join(c*size, (c-1)*size+7, 0.1)
		}
	}
	n := clusters * size
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	b := mat.NewDense(n, 17, nil) // more columns than one block
	for c := range 17 {
		b.Set(rng.IntN(20*size), c, 1)
		i := rng.IntN(20 * size)
		b.Set(i, c, b.At(i, c)-1)
		b.Set(20*size+c, c, 2)
		b.Set(20*size+200+c, c, -2)
	}
	degrees := Degrees(w)
	alphas := []float64{1, 0.999}
	if testing.Short() {
		alphas = alphas[:1]
	}
	for _, alpha := range alphas {
		solver, err := NewSolver(t.Context(), w, degrees, alpha)
		if err != nil || solver.level == nil {
			t.Fatalf("no coarse level: %v", err)
		}
		fine, _, err := (&Solver{graph: w, degrees: degrees, alpha: alpha}).conjugateGradients(t.Context(), b, byResidual, 1e-11)
		if err != nil {
			t.Fatal(err)
		}
		both, err := solver.Solve(t.Context(), b, 1e-9)
		if err != nil {
			t.Fatal(err)
		}
		again, err := solver.Solve(t.Context(), b, 1e-9)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(both, again) {
			t.Error("another solution at the second call")
		}
		product := mat.NewDense(n, 17, nil)
		w.MulTo(product, both)
		for i := range n {
			for c := range 17 {
				residual := degrees[i]*both.At(i, c) - alpha*product.At(i, c) - b.At(i, c)
				if math.Abs(residual) > 1e-6 {
					t.Fatalf("alpha %v: residual %.2g at %d, %d", alpha, residual, i, c)
				}
			}
		}
		// The constants of the components are arbitrary for alpha = 1.
		for _, part := range [][2]int{{0, 20 * size}, {20 * size, n}} {
			for c := range 17 {
				shift := 0.0
				if alpha == 1 {
					for i := part[0]; i < part[1]; i++ {
						shift += (both.At(i, c) - fine.At(i, c)) / float64(part[1]-part[0])
					}
				}
				largest, off := 0.0, 0.0
				for i := part[0]; i < part[1]; i++ {
					largest = max(largest, math.Abs(fine.At(i, c)))
					off = max(off, math.Abs(both.At(i, c)-fine.At(i, c)-shift))
				}
				if off > 1e-5*largest {
					t.Errorf("alpha %v, column %d: solutions differ by %.2g of %.2g", alpha, c, off, largest)
				}
			}
		}
	}
}

// BenchmarkSolve solves for labels in clusters joined by single edges.
func BenchmarkSolve(b *testing.B) {
	const n = 40_000
	rng := rand.New(rand.NewPCG(1, 1))
	var entries []sparse.Triplet
	for i := range n {
		for range 6 {
			j := i/1000*1000 + rng.IntN(1000)
			entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: 1}, sparse.Triplet{Row: j, Col: i, Value: 1})
		}
		if i >= 1000 && i%1000 == 0 {
			entries = append(entries, sparse.Triplet{Row: i, Col: i - 1, Value: 1}, sparse.Triplet{Row: i - 1, Col: i, Value: 1})
		}
	}
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		b.Fatal(err)
	}
	right := mat.NewDense(n, 8, nil)
	for c := range 8 {
		right.Set(c*4500, c, 1)
		right.Set(n-1-c*1500, c, -1)
	}
	degrees := Degrees(w)
	b.Run("coarse", func(b *testing.B) {
		for b.Loop() {
			solver, err := NewSolver(b.Context(), w, degrees, 1)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := solver.Solve(b.Context(), right, 1e-6); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fine", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := (&Solver{graph: w, degrees: degrees, alpha: 1}).conjugateGradients(b.Context(), right, byResidual, 1e-6); err != nil {
				b.Fatal(err)
			}
		}
	})
}
