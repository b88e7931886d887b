package community

import (
	"context"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	leiden := func(weight, resolution float64) error {
		w := &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{weight, weight}}
		_, err := Leiden(context.Background(), w, resolution)
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"a resolution of 0", leiden(1, 0), "it must be positive and finite", func() error { return leiden(1, 1e-3) }},
		{"a negative weight", leiden(-1, 1), "weights must be finite and at least 0", func() error { return leiden(0, 1) }},
	})
}
