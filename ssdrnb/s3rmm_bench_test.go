package ssdrnb_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// faces returns data of the size of the paper's CMU PIE experiment: 68 persons with 30 images each
// of 32 × 32 pixels, 2 of them labelled (l = 136, m = 1,904). An image is the person's own, lit
// from a direction in a plane, with noise.
func faces() *ssdrnb.Data {
	const persons, pictures, labelled, pixels = 68, 30, 2, 32 * 32
	rng := rand.New(rand.NewPCG(68, 30))
	image := func(scale float64) []float64 {
		out := make([]float64, pixels)
		for k := range out {
			out[k] = scale * rng.NormFloat64()
		}
		return out
	}
	x, labels := mat.NewDense(persons*pictures, pixels, nil), make([]int, persons*pictures)
	for person := range persons {
		own, left, up := image(1), image(0.7), image(0.7)
		for k := range pictures {
			i := person*pictures + k
			row, a, b := image(0.3), rng.NormFloat64(), rng.NormFloat64()
			for p := range row {
				row[p] += own[p] + a*left[p] + b*up[p]
			}
			x.SetRow(i, row)
			if labels[i] = person; k >= labelled {
				labels[i] = -1
			}
		}
	}
	return ssdrnb.NewData(x, labels)
}

// BenchmarkS3RMM fits once at the size and with the neighbourhoods of the paper's largest
// experiment.
func BenchmarkS3RMM(b *testing.B) {
	d, e := faces(), ssdrnb.S3RMM().Dims(67).Homogeneous(1).Heterogeneous(50)
	for b.Loop() {
		if _, err := e.Fit(d); err != nil {
			b.Fatal(err)
		}
	}
}
