package walks

import (
	"context"
	"errors"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	ctx := context.Background()
	pair := func(weight float64) *sparse.CSR {
		return &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{weight, weight}}
	}
	carrier := func(known int, tolerance float64) error {
		_, err := NewCarrier(ctx, pair(1), known, tolerance)
		return err
	}
	between := func(carry, tolerance float64) error {
		_, err := Between(ctx, pair(1), []int{0, 1}, carry, tolerance)
		return err
	}
	opinions := func(weight float64, opt Options) error {
		_, err := Opinions(ctx, pair(weight), []int{0, -1}, 1, opt)
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"a tolerance of 2", carrier(1, 2), "the tolerance must lie between 0 and 1", func() error { return carrier(1, 1e-6) }},
		{"nothing is known", carrier(0, 0), "the number of known samples between 1 and 2", func() error { return errors.Join(carrier(1, 0), carrier(2, 0)) }},
		{"a carry of 1", between(1, 1e-6), "both must lie between 0 and 1", func() error { return between(0.99, 1e-6) }},
		{"a negative weight", opinions(-1, Options{}), "weights must be finite and ≥ 0", func() error { return opinions(0, Options{}) }},
		{"a tolerance of 1", opinions(1, Options{Tolerance: 1}), "the tolerance must lie between 0 and 1", func() error { return opinions(1, Options{Tolerance: 0.1}) }},
		{"−2 labels to check", opinions(1, Options{Checked: -2}), "the number of labels must be at least −1", func() error {
			return errors.Join(opinions(1, Options{Checked: -1}), opinions(1, Options{Checked: 0}), opinions(1, Options{Checked: 1}))
		}},
	})
}
