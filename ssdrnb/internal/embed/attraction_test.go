package embed

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The curve passes every sample once. In a uniform square, most steps along it are short: of the
// order of the distance between neighbours, 1/√n.
func TestAlongCurve(t *testing.T) {
	const n = 4000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 2, 3} {
		y := make([]float64, n*d)
		for k := range y {
			y[k] = rng.Float64()
		}
		order := alongCurve(y, d)
		if sorted := slices.Sorted(slices.Values(order)); sorted[0] != 0 || sorted[n-1] != n-1 || len(slices.Compact(sorted)) != n {
			t.Fatalf("%d dimensions: the order is not a permutation", d)
		}
		steps := make([]float64, n-1)
		for r := range steps {
			for c := range min(d, 2) {
				steps[r] = math.Hypot(steps[r], y[int(order[r])*d+c]-y[int(order[r+1])*d+c])
			}
		}
		slices.Sort(steps)
		if most := 3 * math.Pow(n, -1/float64(min(d, 2))); steps[n/2] > most {
			t.Errorf("%d dimensions: half of the steps are longer than %v, but n^(-1/d) is a third of %v", d, steps[n/2], most)
		}
	}
	if order := alongCurve(make([]float64, 6), 2); !slices.Equal(order, []int32{0, 1, 2}) {
		t.Errorf("three samples at one place are in the order %v", order)
	}
}

// The order in memory has no effect on the sums, not even on their last digits.
func TestAttraction(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(3, 4))
	var entries []sparse.Triplet
	for i := range n {
		for range 20 {
			entries = append(entries, sparse.Triplet{Row: i, Col: rng.IntN(n), Value: 1 + rng.Float64()})
		}
	}
	p, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range p.Val {
		sum += v
	}
	most := slices.Max(p.Val) / sum
	for _, d := range []int{1, 2, 3} {
		y := make([]float64, n*d)
		for k := range y {
			y[k] = 10 * rng.NormFloat64()
		}
		a := newAttraction(p, sum, y, d)
		for k := range y { // the order remains when samples move
			y[k] += rng.NormFloat64()
		}
		a.follow(y)
		_, exponent := math.Frexp(most)
		force, want := make([]float64, d), make([]float64, d)
		for r, i := range a.held {
			a.pulled(force, r)
			clear(want)
			cols, vals := p.Row(int(i))
			yi := y[int(i)*d:][:d]
			for k, j := range cols {
				yj := y[int(j)*d:][:d]
				f := Rounded(vals[k]*(1/sum), math.Ldexp(1, exponent-30)) / (1 + samples.SquaredDistance(yi, yj))
				for c, v := range yi {
					want[c] += float64(f * (v - yj[c]))
				}
			}
			for c, v := range want { // InPlane adds the terms of 1 + d² in another order
				if math.Abs(force[c]-v) > 1e-15 || d != 2 && force[c] != v {
					t.Fatalf("%d dimensions, sample %d: force %v, not %v", d, i, force, want)
				}
			}
		}
	}
}
