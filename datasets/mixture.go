package datasets

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// mixtureGroups is the number of normal distributions of [Mixture].
const mixtureGroups = 100

// Mixture returns large test data with a known structure: n samples of 100 groups near a curved
// 10-dimensional surface in feature space. Each group is a normal distribution in 10 dimensions
// with its own centre and spreads. For each feature, a sum of 64 hyperbolic tangents with random
// coefficients maps these dimensions to the feature, and noise of standard deviation 0.01 is added.
// The label of a sample is its group. Sample i depends only on seed, i and the number of features,
// so that a larger n appends samples.
func Mixture(n, features int, seed uint64) *data.Data {
	const inner, units = 10, 64
	if n < 1 || features < 1 {
		return data.Failed("mixture", advice.Errorf("ask for at least one sample and one feature", "%w: Mixture: there cannot be %s with %s", data.ErrOption, nouns.Count(n, "sample"), nouns.Count(features, "feature")))
	}
	rng := random(seed, 0x6d6978)
	normal := func(count int, scale float64) []float64 {
		v := make([]float64, count)
		for i := range v {
			v[i] = scale * rng.NormFloat64()
		}
		return v
	}
	centres, spreads := normal(mixtureGroups*inner, 2), normal(mixtureGroups*inner, 0.5)
	first, second := normal(units*inner, 0.2), normal(features*units, 0.125)
	x, labels := mat.NewDense(n, features, nil), make([]int, n)
	rows := func(lo, hi int) {
		var z [inner]float64
		var h [units]float64
		source := rand.NewPCG(0, 0)
		rng := rand.New(source)
		for i := lo; i < hi; i++ {
			source.Seed(seed, uint64(i))
			c := rng.IntN(mixtureGroups)
			labels[i] = c
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
				s := 0.0
				for u, v := range second[j*units : (j+1)*units] {
					s += h[u] * v
				}
				row[j] = s + 0.01*rng.NormFloat64()
			}
		}
	}
	var all sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for p := range parts {
		all.Go(func() { rows(n*p/parts, n*(p+1)/parts) })
	}
	all.Wait()
	d := data.New(x, labels)
	d.Name = "mixture"
	return d
}
