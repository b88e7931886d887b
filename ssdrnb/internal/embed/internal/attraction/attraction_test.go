package attraction

import (
	"math"
	"math/rand/v2"
	"testing"
)

// example returns a row of count entries among n samples.
func example(n, count int, rng *rand.Rand) (cols []int32, p, at []float64) {
	at = make([]float64, 2*n)
	for k := range at {
		at[k] = rng.NormFloat64() * math.Exp(4*rng.NormFloat64())
	}
	for range count {
		cols, p = append(cols, int32(rng.IntN(n))), append(p, rng.Float64()*math.Exp(3*rng.NormFloat64()))
	}
	return cols, p, at
}

// Assembly and Go give bitwise equal sums for each number of entries.
func TestInPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for count := range 70 {
		cols, p, at := example(50, count, rng)
		for i := range 50 {
			a, b := at[2*i], at[2*i+1]
			u, v := InPlane(a, b, cols, p, at)
			wantU, wantV := plane(0, 0, a, b, cols, p, at)
			if u != wantU || v != wantV {
				t.Fatalf("%d entries: (%v, %v), but (%v, %v) in Go", count, u, v, wantU, wantV)
			}
		}
	}
}

// Two samples at distance 2 with affinity 1 attract each other by 2/(1 + 2²).
func TestClosedForm(t *testing.T) {
	at := []float64{1, 3, 1, 1}
	for _, count := range []int{1, 4, 6} { // the same entry count times
		cols, p := make([]int32, count), make([]float64, count)
		for k := range cols {
			cols[k], p[k] = 1, 1/float64(count)
		}
		u, v := InPlane(1, 3, cols, p, at)
		if u != 0 || math.Abs(v-0.4) > 1e-15 {
			t.Errorf("%d entries: (%v, %v), not (0, 0.4)", count, u, v)
		}
	}
}

func BenchmarkInPlane(b *testing.B) {
	const n, count = 70000, 128
	cols, p, at := example(n, count, rand.New(rand.NewPCG(3, 4)))
	for b.Loop() {
		InPlane(at[0], at[1], cols, p, at)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/entry")
}
