package blas_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

// The two largest eigenvalues of a symmetric matrix, in ascending order.
func ExampleEigenSymRange() {
	a := mat.NewSymDense(3, []float64{
		2, 1, 0,
		1, 2, 0,
		0, 0, 5,
	})
	values, vectors, err := blas.EigenSymRange(a, 1, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, cols := vectors.Dims()
	fmt.Printf("%.3f, vectors %d×%d\n", values, rows, cols)
	// Output: [3.000 5.000], vectors 3×2
}
