package graph_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// TestExtent compares with all pairs, one by one.
func TestExtent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	for _, n := range []int{2, 3, 57, 600} {
		x := mat.NewDense(n, 4, nil)
		for i := range n {
			for j := range 4 {
				x.Set(i, j, 1000+rng.NormFloat64())
			}
			if i%7 == 3 {
				x.SetRow(i, x.RawRowView(i-1)) // duplicates
			}
		}
		sum, largest := 0.0, 0.0
		for i := range n {
			for j := range i {
				d := 0.0
				for k, v := range x.RawRowView(i) {
					d += (v - x.At(j, k)) * (v - x.At(j, k))
				}
				sum += math.Sqrt(d)
				largest = max(largest, math.Sqrt(d))
			}
		}
		mean, err := graph.MeanDistance(context.Background(), x)
		if want := sum / float64(n*(n-1)/2); err != nil || math.Abs(mean-want) > 1e-9*want {
			t.Errorf("n = %d: mean %.15g, want %.15g, %v", n, mean, want, err)
		}
		diameter, err := graph.Diameter(context.Background(), x)
		if err != nil || diameter != largest {
			t.Errorf("n = %d: diameter %.17g, want %.17g, %v", n, diameter, largest, err)
		}
	}
	if _, err := graph.Diameter(context.Background(), mat.NewDense(1, 2, nil)); !errors.Is(err, graph.ErrOption) {
		t.Errorf("one sample: %v", err)
	}
}

// TestGroupedKNN: with the plain distance it is KNN, ties and duplicates included, and
// with a large extra distance a sample has neighbours of its own group first.
func TestGroupedKNN(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 17))
	const n = 90
	x, group := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		group[i] = rng.IntN(4) - 1
		x.SetRow(i, []float64{float64(rng.IntN(5)), float64(rng.IntN(5))})
	}
	want, err := graph.KNN(context.Background(), x, 9)
	if err != nil {
		t.Fatal(err)
	}
	got, err := graph.GroupedKNN(context.Background(), x, group, 9, func(d float64, _, _ int) float64 { return d })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist, want.Dist) {
		t.Error("with the plain distance it differs from KNN")
	}
	apart, err := graph.GroupedKNN(context.Background(), x, group, 9, func(d float64, a, b int) float64 {
		if a != b {
			d += 100
		}
		return d
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		index, dist := apart.Of(i)
		for a, j := range index {
			if (group[j] == group[i]) != (dist[a] < 100) || a > 0 && dist[a] < dist[a-1] || int(j) == i {
				t.Fatalf("neighbours of %d: %v at %v", i, index, dist)
			}
		}
	}
	if _, err := graph.GroupedKNN(context.Background(), x, group[1:], 9, nil); !errors.Is(err, graph.ErrOption) {
		t.Errorf("sizes: %v", err)
	}
	if _, err := graph.GroupedKNN(context.Background(), x, group, 9, func(_ float64, _, _ int) float64 { return math.NaN() }); !errors.Is(err, graph.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}
