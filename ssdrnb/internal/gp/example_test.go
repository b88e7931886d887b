package gp_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
)

// The samples lie on a curve in the plane, whose parameter is unknown. From a poor start, Fit finds
// one-dimensional positions of the samples.
func ExampleFit() {
	const n = 30
	y, start := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		t := 4*float64(i)/(n-1) - 2
		y.SetRow(i, []float64{t, math.Sin(t)})
		start.Set(i, 0, t+math.Sin(40*t)/4)
	}
	fitted, err := gp.Fit(context.Background(), y, start, gp.Settings{Rounds: 20, Steps: 20, Jitter: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("better than at the start:", fitted.Objective > fitted.History[0])
	// Output: better than at the start: true
}
