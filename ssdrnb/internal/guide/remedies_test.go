package guide

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	ctx := context.Background()
	pair := func(weight float64) *sparse.CSR {
		return &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{weight, weight}}
	}
	agreement := func(least float64) error { _, err := NewAgreement(mat.NewDense(1, 1, []float64{1}), least); return err }
	propagate := func(alpha, tolerance float64) error {
		_, err := Propagate(ctx, pair(1), data.Pairs{Must: []data.Pair{{I: 0, J: 1}}}, alpha, tolerance, pair(1))
		return err
	}
	poisson := func(weight, carry, tolerance float64) error {
		_, err := Poisson(ctx, pair(weight), []int{0, 1}, 2, carry, tolerance)
		return err
	}
	feature := func(strength float64) error {
		_, err := NewFeature(pair(1), mat.NewDense(2, 1, []float64{0, 1}), []float64{0, 1}, strength)
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"no share is kept", agreement(0), "it must be above 0 and at most 1", func() error { return errors.Join(agreement(1e-3), agreement(1)) }},
		{"a negative weight", poisson(-1, 1, 1e-6), "weights must be finite and ≥ 0", func() error { return poisson(0, 1, 1e-6) }},
		{"a guidance of 2", checkGuidance(2), "it must lie between 0 and 1", func() error { return errors.Join(checkGuidance(0), checkGuidance(1)) }},
		{"an α of 1", propagate(1, 1e-6), "both must lie between 0 and 1", func() error { return propagate(0.99, 1e-6) }},
		{"a tolerance of 1", poisson(1, 1, 1), "it must lie between 0 and 1", func() error { return poisson(1, 1, 0.1) }},
		{"a carry of 0", poisson(1, 0, 1e-6), "it must be above 0 and at most 1", func() error { return errors.Join(poisson(1, 0.5, 1e-6), poisson(1, 1, 1e-6)) }},
		{"an infinite strength", feature(math.Inf(1)), "it must be finite and at least 0", func() error { return errors.Join(feature(0), feature(1e6)) }},
	})
}
