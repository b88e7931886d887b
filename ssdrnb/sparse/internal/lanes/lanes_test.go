package lanes

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	row := func() (r Row) {
		for e := range r {
			r[e] = rng.NormFloat64()
		}
		return r
	}
	for n := range 23 {
		u, v := make([]float64, n), make([]float64, n)
		sum, want := make([]Row, n+1), make([]Row, n+1) // the last one must not be touched
		for r := range n {
			u[r], v[r] = rng.NormFloat64(), rng.NormFloat64()
		}
		for r := range sum {
			sum[r] = row()
		}
		copy(want, sum)
		y, z := row(), row()
		y2, z2 := y, z
		Add(sum[:n], u, v, &y, &z)
		addGo(want[:n], u, v, &y, &z)
		near(t, sum, want)
		Take(&y, &z, u, v, sum[:n])
		takeGo(&y2, &z2, u, v, sum[:n])
		near(t, []Row{y, z}, []Row{y2, z2})
		// Rows of 8 numbers, 11 apart, some of them left out.
		x, index := make([]float64, 11*3*n+8), make([]int32, n)
		for k := range x {
			x[k] = rng.NormFloat64()
		}
		for r := range index {
			index[r] = int32(3*r + rng.IntN(3))
		}
		var a, b Wide
		Gather(&a, index, u, x, 11)
		gatherGo(&b, index, u, x, 11)
		near(t, []Row{Row(a[:4]), Row(a[4:])}, []Row{Row(b[:4]), Row(b[4:])})
	}
}

func near(t *testing.T, got, want []Row) {
	t.Helper()
	for r := range want {
		for e, w := range want[r] {
			if !(math.Abs(got[r][e]-w) < 1e-13) {
				t.Fatalf("row %d of %d, lane %d: %g, want %g", r, len(want), e, got[r][e], w)
			}
		}
	}
}
