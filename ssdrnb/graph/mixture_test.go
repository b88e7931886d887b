package graph_test

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// mixture draws n samples from 100 normal distributions in 10 dimensions, of random
// centres and spreads, and maps them to the given number of features by a random
// smooth function, sums of 64 hyperbolic tangents; a little noise is added. Every
// sample has random numbers of its own.
func mixture(n, features int, seed uint64) *mat.Dense {
	const components, inner, units = 100, 10, 64
	rng := rand.New(rand.NewPCG(seed, 0x6d6978))
	normal := func(count int, scale float64) []float64 {
		v := make([]float64, count)
		for i := range v {
			v[i] = scale * rng.NormFloat64()
		}
		return v
	}
	centres, spreads := normal(components*inner, 2), normal(components*inner, 0.5)
	first, second := normal(units*inner, 0.2), normal(features*units, 0.125)
	x := mat.NewDense(n, features, nil)
	par.Blocks(n, 1024, func(lo, hi int) {
		z, h := make([]float64, inner), make([]float64, units)
		for i := lo; i < hi; i++ {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			c := rng.IntN(components)
			for j := range z {
				z[j] = centres[c*inner+j] + spreads[c*inner+j]*rng.NormFloat64()
			}
			for u := range h {
				s := 0.0
				for j, v := range z {
					s += first[u*inner+j] * v
				}
				h[u] = math.Tanh(s)
			}
			row := x.RawRowView(i)
			for j := range row {
				for u, v := range h {
					row[j] += second[j*units+u] * v
				}
				row[j] += 0.01 * rng.NormFloat64()
			}
		}
	})
	return x
}
