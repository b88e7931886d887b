package outofsample

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Graph decodes a graph of n samples from its CSR arrays.
func Graph(ptr, cols, vals *mat.Dense, n int) (*sparse.CSR, error) {
	g := &sparse.CSR{Rows: n, Cols: n, Val: vals.RawMatrix().Data}
	var err error
	if g.RowPtr, err = Wholes(ptr, 0, len(g.Val)); err != nil {
		return nil, fmt.Errorf("the rows of the graph: %w", err)
	}
	columns, err := Wholes(cols, 0, n-1)
	if err != nil {
		return nil, fmt.Errorf("the links of the graph: %w", err)
	}
	g.ColInd = make([]int32, len(columns))
	for k, c := range columns {
		g.ColInd[k] = int32(c)
	}
	return g, g.Check()
}

// Wholes converts an array to integers. An entry that is not an integer from `least` to `most` is
// an error.
func Wholes(a *mat.Dense, least, most int) ([]int, error) {
	values := a.RawMatrix().Data
	out := make([]int, len(values))
	for i, x := range values {
		if x != math.Trunc(x) || !(x >= float64(least) && x <= float64(most)) {
			return nil, fmt.Errorf("number %d is %v, not a whole number from %d to %d", i, x, least, most)
		}
		out[i] = int(x)
	}
	return out, nil
}
