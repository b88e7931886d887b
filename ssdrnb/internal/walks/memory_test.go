package walks

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// ring is a graph of two components and a sample without edges.
func ring(t *testing.T, n int) *sparse.CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 3))
	var entries []sparse.Triplet
	join := func(i, j int) {
		v := rng.Float64()
		entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
	}
	for i := range n - 1 {
		if half := n / 2; i+1 != half && i+1 < n-1 {
			join(i, i+1)
			if j := i + 2 + rng.IntN(9); j < half || i >= half && j < n-1 {
				join(i, j)
			}
		}
	}
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A memory finds the diagonal of the inverse for any carry, when labels are added and removed.
func TestMemory(t *testing.T) {
	const n = 300
	w := ring(t, n)
	m, degrees := NewMemory(w), Degrees(w)
	samples := []int{0, 7, 149, 150, 151, 222, n - 2, n - 1}
	for _, step := range []struct {
		carry float64
		count int
	}{{0.999, 1}, {0.99, 2}, {0.9, 5}, {0.5, 8}, {1e-9, 8}, {0.99, 8}, {0.9999, 3}} {
		some := samples[:step.count]
		got, err := m.diagonal(t.Context(), some, step.carry, 1e-9)
		if err != nil {
			t.Fatal(err)
		}
		b := mat.NewDense(n, len(some), nil)
		for c, l := range some {
			b.Set(l, c, 1)
		}
		solver, err := NewSolver(t.Context(), w, degrees, step.carry)
		if err != nil {
			t.Fatal(err)
		}
		x, err := solver.Solve(t.Context(), b, 1e-12)
		if err != nil {
			t.Fatal(err)
		}
		for c, l := range some {
			if want := x.At(l, c); math.Abs(got[c]-want) > 1e-8*want {
				t.Errorf("carry %v: G of %d is %v, want %v", step.carry, l, got[c], want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewMemory(w).diagonal(ctx, samples, 0.99, 1e-9); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// Adding labels one by one gives the opinions and verdicts of calls without a memory.
func TestOpinionsWithMemory(t *testing.T) {
	const n = 300
	w := ring(t, n)
	m, labels := NewMemory(w), make([]int, n)
	for i := range labels {
		labels[i] = -1
	}
	for k, i := range []int{3, 40, 160, 90, 10, 200, 250, 120, 60, n - 1, 40, 3} {
		if labels[i] = k % 3; k > 9 {
			labels[i] = -1 // undone
		}
		given := append([]int(nil), labels...)
		got, err := Opinions(t.Context(), w, given, 3, Options{Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Opinions(t.Context(), w, given, 3, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Checked != want.Checked || math.Abs(got.Sharpness-want.Sharpness) > 1e-3 {
			t.Errorf("%d labels: sharpness %v from %d labels, want %v from %d", k+1, got.Sharpness, got.Checked, want.Sharpness, want.Checked)
		}
		a, err := got.Verdicts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := want.Verdicts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for l := range b {
			if a[l].Checkable != b[l].Checkable || b[l].Checkable && math.Abs(a[l].Suspicion-b[l].Suspicion) > 1e-3 {
				t.Errorf("%d labels: verdict %+v, want %+v", k+1, a[l], b[l])
			}
		}
	}
}
