package main

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func main() {
	d := datasets.Digits().KeepLabels(20).Seed(1)
	for _, dims := range []int{2, 3, 9} {
		r := ssdrnb.Sweep(ssdrnb.TRSDA().Dims(dims), d).List("pca", 0.9, 0.95, 0.98, 0.99).List("manifold", 0.1, 1.0, 10.0).List("ridge", -1.0, 1e3, 1e4, 3e4, 1e5).Train(0.7).Splits(3).MustRun()
		for i, c := range r.Unlabelled {
			fmt.Printf("%d %v %.3f %.3f\n", dims, r.At(i), c.Mean(), r.Test[i].Mean())
		}
		fmt.Println("BEST", dims, r.At(r.Best(r.Unlabelled)), r.Unlabelled[r.Best(r.Unlabelled)].Mean())
	}
}
