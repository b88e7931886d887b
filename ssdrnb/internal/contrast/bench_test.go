package contrast

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// One group of 7,000 of 70,000 samples of 50 features, with 100 regions of a picture.
func BenchmarkGroup(b *testing.B) {
	const n, size, features = 70_000, 7_000, 50
	rng := rand.New(rand.NewPCG(1, 1))
	y := mat.NewDense(n, 2, nil)
	columns := make([][]float64, features)
	for j := range columns {
		columns[j] = make([]float64, n)
		for i := range n {
			columns[j][i] = rng.NormFloat64()
		}
	}
	for i := range n {
		y.SetRow(i, []float64{columns[0][i], columns[1][i]})
	}
	var in, out []int
	for i := range n {
		if i < size {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	for b.Loop() {
		regions := Regions(y, size, rng.Perm(n)[:100])
		par.Blocks(features, 1, func(lo, hi int) {
			for j := lo; j < hi; j++ {
				Numbers(columns[j], in, out)
				r := Rank(columns[j])
				for _, rows := range regions {
					r.Delta(rows)
				}
			}
		})
	}
}
