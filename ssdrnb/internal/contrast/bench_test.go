package contrast

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Ten groups of 70,000 samples with 50 features, with 100 regions of an embedding for each.
func BenchmarkGroups(b *testing.B) {
	const n, features, count = 70_000, 50, 10
	rng := rand.New(rand.NewPCG(1, 1))
	y := mat.NewDense(n, 2, nil)
	all, of := make([]Feature, features), make([]int, n)
	for j := range all {
		all[j].Numbers = make([]float64, n)
		for i := range n {
			all[j].Numbers[i] = rng.NormFloat64()
		}
	}
	for i := range n {
		y.SetRow(i, []float64{all[0].Numbers[i], all[1].Numbers[i]})
		of[i] = min(rng.IntN(count), rng.IntN(count)) // of unequal sizes
	}
	for b.Loop() {
		g := GroupsOf(of, count)
		Compare(all, g)
		Regional(all, NewRegions(y, g.Size, rng.Perm(n)[:100]))
	}
}
