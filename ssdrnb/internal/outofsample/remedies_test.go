package outofsample

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 1, 1, 2, 2})
	placed := func(unit float64) error {
		_, err := DecodePlaced(map[string]*mat.Dense{"samples": x, "embedding": mat.NewDense(3, 1, []float64{0, 1, 2}), "rule": mat.NewDense(1, 8, []float64{1, unit, 1, 1, 1, 1, 1, 1})})
		return err
	}
	polynomial := KernelSamples{Kernel: kernels.Kernel{Name: kernels.Polynomial, Scale: 1, Degree: 3}, Middle: []float64{1, 1}, X: x, K: 2}
	embedded := func(v float64) error {
		_, err := polynomial.Mapping(mat.NewDense(3, 1, []float64{0, 1, 2}), 0).Apply(mat.NewDense(1, 2, []float64{v, 0}))
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"a new point that is too large", embedded(1e120), "prepare new points like the training data, and check them for outliers", func() error { return embedded(10) }},
		{"a unit of −1", placed(-1), "its first seven numbers must be positive and finite", func() error { return placed(1) }},
		{"an infinite unit", placed(math.Inf(1)), "its first seven numbers must be positive and finite", func() error { return placed(1) }},
	})
}
