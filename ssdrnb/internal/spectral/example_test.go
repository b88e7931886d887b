package spectral_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Few eigenpairs of a large matrix that is known by its products only: here a
// diagonal and a rank-one term, n numbers each.
func ExampleTopOf() {
	const n = 2000
	diagonal, u := make([]float64, n), mat.NewDense(n, 1, nil)
	for i := range n {
		diagonal[i] = float64(i) / n
		u.Set(i, 0, 1)
	}
	rankOne, err := spectral.LowRank(u, mat.NewDiagDense(1, []float64{0.01}))
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, err := spectral.Sum(spectral.Term{Factor: 1, Operator: spectral.Diagonal(diagonal)}, spectral.Term{Factor: 1, Operator: rankOne})
	if err != nil {
		fmt.Println(err)
		return
	}
	pairs, err := spectral.TopOf(context.Background(), sum, 1, spectral.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", pairs.Values)
	// Output: [20.504]
}
