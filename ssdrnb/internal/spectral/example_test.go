package spectral_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// An eigenpair of a large matrix of which only products are available: a diagonal minus a rank-one
// term, n numbers each.
func ExampleBottomOf() {
	const n = 2000
	m := spectral.Func(n, func(dst, x *mat.Dense) {

		_, cols := x.Dims()
		for j := range cols {
			sum := mat.Sum(x.ColView(j))
			for i := range n {
				dst.Set(i, j, float64(i)/n*x.At(i, j)-0.01*sum)
			}
		}
	})
	pairs, err := spectral.BottomOf(context.Background(), m, 1, spectral.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", pairs.Values)
	// Output: [-19.504]
}
