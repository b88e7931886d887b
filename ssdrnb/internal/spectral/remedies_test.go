package spectral

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Following the advice of each error gives a solution.
func TestRemedies(t *testing.T) {
	whiten := func(ridge float64) error {
		b := mat.NewSymDense(2, nil)
		b.SetSym(0, 0, ridge)
		b.SetSym(1, 1, ridge)
		_, err := Whiten(b)
		return err
	}
	ratio := func(ridge float64) error {
		a, b := mat.NewSymDense(2, []float64{2, 0, 0, 1}), mat.NewSymDense(2, []float64{ridge, 0, 0, 1 + ridge})
		_, err := TraceRatio(context.Background(), a, b, 1, TraceRatioOptions{})
		return err
	}
	affinity := func(weight float64) error {
		w := &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{weight, weight}}
		_, err := newLaplacian(w, Plain)
		return err
	}
	components := func(vector []float64) error {
		_, err := Components(1, []int{0, 0}, append([]float64{}, vector...))
		return err
	}
	cases := []advicetest.Case{
		{"a matrix of zeros", whiten(0), "set Ridge above 0", func() error { return whiten(1e-9) }},
		{"a denominator with a null space", ratio(0), "set Ridge above 0", func() error { return ratio(1e-3) }},
		{"a vector of no length", components(nil), "give at least one component, and a vector with one entry per sample", func() error { return components([]float64{1, 1}) }},
		{"a negative weight", affinity(-1), "a Laplacian needs finite weights ≥ 0", func() error { return affinity(0) }},
	}
	advicetest.Everywhere(t, []string{"."}, map[string]string{
		"groups.go: newLevels": "the methods give operators of one order; a guard",
	}, cases)
	advicetest.Agree(t, cases)
}
