package metrics

import (
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestLeaveOneOut(t *testing.T) {
	// Rows 0 and 2 are equally far from row 1, rows 3 and 4 coincide.
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 9, 9})
	got, err := LeaveOneOut(x, []int{4, 5, 6, 7, 8})
	if err != nil || !slices.Equal(got, []int{5, 4, 5, 8, 7}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := LeaveOneOut(x, []int{1}); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}
