package density

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The tree of 70,000 samples on a line with 30 given neighbours each: sort, forest, tree and
// choice.
func BenchmarkTree(b *testing.B) {
	const n, k = 70_000, 30
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(rng.IntN(10))*4 + rng.NormFloat64()
	}
	slices.Sort(x)
	index, distance := make([]int32, 0, n*k), make([]float64, 0, n*k)
	for i := range n {
		for lo, hi := i-1, i+1; lo >= 0 || hi < n; {
			if len(index) == (i+1)*k {
				break
			}
			j := hi
			if hi >= n || lo >= 0 && x[i]-x[lo] <= x[hi]-x[i] {
				j = lo
				lo--
			} else {
				hi++
			}
			index, distance = append(index, int32(j)), append(distance, math.Abs(x[i]-x[j]))
		}
	}
	// In real data, neighbours are far apart in memory.
	place := rng.Perm(n)
	at, far := make([]int32, n*k), make([]float64, n*k)
	for i := range n {
		for a := range k {
			at[place[i]*k+a], far[place[i]*k+a] = int32(place[index[i*k+a]]), distance[i*k+a]
		}
	}
	index, distance = at, far
	for b.Loop() {
		core := Core(distance, k, 5)
		forest := Forest(index, distance, core, k)
		if len(forest) != n-1 {
			b.Fatal("the samples are not connected")
		}
		Condense(forest, n, 10, Floor(core)).Choose(Knowledge{}, 0.5)
	}
}
