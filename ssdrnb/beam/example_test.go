package beam_test

import (
	"context"
	"fmt"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/beam"
)

// A sweep on Prism in this process. In a program for a cluster, main begins with flag.Parse() and
// beam.Init().
func Example() {
	table, err := ssdrnb.Sweep(ssdrnb.LapRLS(), datasets.Wine().Standardize().KeepLabels(5)).
		List("neighbors", 5, 10).
		Log10("ambient", -2, 2, 2).
		Splits(5).
		On(beam.Runner{OpenPort: true}).
		Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(table.Unlabelled), "cells,", table.Unlabelled[0].Count(), "draws each")
	fmt.Println(table.Unlabelled[table.Best(table.Unlabelled)].Mean() > 0.9)
	// Output:
	// 6 cells, 5 draws each
	// true
}
