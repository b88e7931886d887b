package graph_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// TestExtent compares with a scan of all pairs.
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
