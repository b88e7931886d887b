package align

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	ctx, x := context.Background(), mat.NewDense(3, 2, []float64{0, 0, 1, 0, 2, 0})
	near := func(k int) error {
		_, err := GroupedKNN(ctx, x, []int{0, 0, 1}, k, func(d float64, _, _ int) float64 { return d })
		return err
	}
	reconstruct := func(reg float64) error {
		links, err := sparse.FromTriplets(3, 3, []sparse.Triplet{{Row: 0, Col: 1, Value: 1}, {Row: 0, Col: 2, Value: 1}, {Row: 1, Col: 0, Value: 1}, {Row: 2, Col: 1, Value: 1}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Reconstruct(ctx, x, links, reg)
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"no neighbours", near(0), "k must lie between 1 and 2", func() error { return near(1) }},
		{"too many neighbours", near(3), "k must lie between 1 and 2", func() error { return near(2) }},
		{"collinear neighbours", reconstruct(0), "give a positive and finite reg", func() error { return reconstruct(1e-3) }},
	})
}
