package samples

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The mean of a constant column is its constant, although the sum of the column rounds.
func TestMeansOfConstantColumns(t *testing.T) {
	constants := []float64{0.1, -0.7, 1e-300, 1e300, 0, 3}
	for n := 1; n < 40; n++ {
		x := mat.NewDense(n, len(constants)+1, nil)
		for i := range n {
			x.SetRow(i, append(slices.Clone(constants), float64(i+1)))
		}
		if got := Means(x); !slices.Equal(got[:len(constants)], constants) {
			t.Errorf("%d rows: the means are %v", n, got)
		}
		want := []int{0, 1, 2, 3, 4, 5}
		if n == 1 {
			want = append(want, 6)
		}
		if got := Constants(x); !slices.Equal(got, want) {
			t.Errorf("%d rows: the constant columns are %v", n, got)
		}
	}
}
