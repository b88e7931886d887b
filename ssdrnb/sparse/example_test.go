package sparse_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Smoothing on a path of three samples: (L + I)·x = b for its Laplacian L.
func ExampleNewSolver() {
	l, err := sparse.FromTriplets(3, 3, []sparse.Triplet{
		{Row: 0, Col: 0, Value: 1}, {Row: 0, Col: 1, Value: -1},
		{Row: 1, Col: 0, Value: -1}, {Row: 1, Col: 1, Value: 2}, {Row: 1, Col: 2, Value: -1},
		{Row: 2, Col: 1, Value: -1}, {Row: 2, Col: 2, Value: 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := sparse.Add(1, l, 1, sparse.Identity(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sparse.NewSolver(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := mat.NewDense(3, 1, nil)
	if err := s.SolveTo(context.Background(), x, mat.NewDense(3, 1, []float64{8, 0, 0})); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", mat.Col(nil, 0, x))
	// Output: [5.00 2.00 1.00]
}
