package sparse_test

import (
	"context"
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Following the advice of each error gives a result.
func TestRemedies(t *testing.T) {
	is := func(_ any, err error) error { return err }
	check := func(rows, cols int, at ...int32) error {
		m := &sparse.CSR{Rows: rows, Cols: cols, RowPtr: make([]int, 2), ColInd: at, Val: make([]float64, len(at))}
		m.RowPtr[1] = len(at)
		return m.Check()
	}
	factor := func(shift float64) error {
		m, err := sparse.FromTriplets(2, 2, []sparse.Triplet{{Row: 0, Col: 0, Value: 1}, {Row: 0, Col: 1, Value: 2}, {Row: 1, Col: 0, Value: 2}, {Row: 1, Col: 1, Value: 1}})
		if err != nil {
			return err
		}
		s, err := sparse.Analyze(m, math.Inf(1))
		if err != nil {
			return err
		}
		return is(s.Factorize(context.Background(), m, shift))
	}
	cases := []advicetest.Case{
		{"columns beyond int32", check(1, math.MaxInt), "the number of columns must be at most 2147483647", func() error { return check(1, math.MaxInt32) }},
		{"columns beyond int32, in triplets", is(sparse.FromTriplets(1, math.MaxInt, nil)), "the number of columns must be at most 2147483647", func() error { return is(sparse.FromTriplets(1, math.MaxInt32, nil)) }},
		{"columns that descend", check(1, 3, 2, 1), "columns must ascend", func() error { return check(1, 3, 1, 2) }},
		{"an unknown rule", is(sparse.Identity(2).Symmetrize(99)), "use Sum, Average, Max, Min, Either or Both", func() error { return is(sparse.Identity(2).Symmetrize(sparse.Max)) }},
		{"an indefinite matrix", factor(0), "shift the diagonal further", func() error { return factor(2) }},
	}
	advicetest.Everywhere(t, []string{"."}, map[string]string{}, cases)
	advicetest.Agree(t, cases)
}
