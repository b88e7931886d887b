package order

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -1, 1}
	for _, n := range []int{0, 1, 2, short - 1, short, short + 1, 5000} {
		for name, draw := range map[string]func() float64{
			"normal":  rng.NormFloat64,
			"ties":    func() float64 { return float64(rng.IntN(7) - 3) },
			"special": func() float64 { return special[rng.IntN(len(special))] },
			"wide":    func() float64 { return math.Float64frombits(rng.Uint64()) },
			"equal":   func() float64 { return 3 },
		} {
			values := make([]float64, n)
			for i := range values {
				values[i] = draw()
			}
			var want []int32
			for i, v := range values {
				if !math.IsNaN(v) {
					want = append(want, int32(i))
				}
			}
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(values[a], values[b]) })
			if got := Floats(values); !slices.Equal(got, want) {
				t.Errorf("%s, %d values: %v, want %v", name, n, got[:min(len(got), 20)], want[:min(len(want), 20)])
			}
		}
	}
}

func BenchmarkFloats(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 70_000)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	for b.Loop() {
		Floats(values)
	}
}
