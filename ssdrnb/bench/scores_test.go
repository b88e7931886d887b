package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// TestEstimatedTrust compares the estimate with the exact value, with all samples drawn and with
// some.
func TestEstimatedTrust(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(400, 6, nil), mat.NewDense(400, 2, nil)
	for i := range 400 {
		for j := range 6 {
			x.Set(i, j, rng.NormFloat64())
		}
		for j := range 2 {
			y.Set(i, j, x.At(i, j)+rng.NormFloat64())
		}
	}
	want, err := metrics.Trustworthiness(context.Background(), x, y, 5)
	if err != nil {
		t.Fatal(err)
	}
	if got := estimatedTrust(x, y, 5, 400); math.Abs(got-want) > 1e-12 {
		t.Errorf("all samples: %v, want %v", got, want)
	}
	if got := estimatedTrust(x, y, 5, 130); got == want || math.Abs(got-want) > 0.05 {
		t.Errorf("130 samples: %v, all: %v", got, want)
	}
}
