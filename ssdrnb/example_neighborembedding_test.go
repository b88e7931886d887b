package ssdrnb_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Methods that lay out a neighbour graph.

// UMAP keeps neighbourhoods that no linear map to a plane can keep.
func ExampleUMAP() {
	digits := datasets.Digits().Seed(1).Take(40)
	for _, method := range []ssdrnb.Estimator{ssdrnb.PCA(), ssdrnb.UMAP()} {
		model := method.Spec().MustFit(digits)
		trust, _ := metrics.Trustworthiness(context.Background(), digits.X, model.Embedding(), 5)
		fmt.Printf("%v: trustworthiness %.1f\n", method, trust)
	}
	// Output:
	// PCA(): trustworthiness 0.8
	// UMAP(): trustworthiness 1.0
}

// When samples are added, a layout that starts from the earlier one hardly changes: new samples
// start where the earlier model places them, and steps are short.
func ExampleUMAP_start() {
	digits := datasets.Digits().Seed(1).Take(70)
	var earlier []int
	for i := range digits.Len() {
		if i%5 > 0 {
			earlier = append(earlier, i)
		}
	}
	before := ssdrnb.UMAP().MustFit(digits.Subset(earlier))
	start, err := before.Transform(digits.X)
	if err != nil {
		panic(err)
	}
	for row, i := range earlier {
		start.SetRow(i, before.Embedding().RawRowView(row))
	}
	after := ssdrnb.UMAP().LearningRate(0.1).MustFit(digits.WithStart(start))
	for axis := range 2 {
		var was, is []float64
		for row, i := range earlier {
			was, is = append(was, before.Embedding().At(row, axis)), append(is, after.Embedding().At(i, axis))
		}
		fmt.Println("coordinates go together:", stat.Correlation(was, is, nil) > 0.8)
	}
	// Output:
	// coordinates go together: true
	// coordinates go together: true
}

// The perplexity is the effective number of neighbours; with 60 samples it cannot be 30.
func ExampleTSNE() {
	digits := datasets.Digits().Seed(1).Take(6)
	model := ssdrnb.TSNE().MustFit(digits)
	n, d := model.Embedding().Dims()
	fmt.Println(n, d)
	fmt.Println(model.Report().Warnings[0])
	// Output:
	// 60 2
	// perplexity reduced from 30 to 19.7, a third of the other samples
}

// Two labels per digit, and the coordinates of one sample of each of three digits, guide the
// layout: other samples follow the given coordinates.
func ExampleS2NE() {
	digits := datasets.Digits().Seed(1).Take(40).KeepLabels(2)
	model := ssdrnb.S2NE().MustFit(digits)
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%.1f of the hidden labels\n", accuracy)

	corners := mat.NewDense(3, 2, []float64{0, 0, 100, 0, 0, 100})
	pinned := ssdrnb.S2NE().MustFit(digits.WithAnchors([]int{0, 50, 100}, corners))
	fmt.Println(pinned.Embedding().RawRowView(50))
	// Output:
	// 0.9 of the hidden labels
	// [100 0]
}

// Thirteen measurements are reduced to eight before the layout. The chain is one model, which maps
// new samples through both steps.
func ExampleThen() {
	chain := ssdrnb.Then(ssdrnb.PCA().Dims(8), ssdrnb.S2NE())
	model := chain.MustFit(datasets.Wine().Standardize().KeepLabels(5).Seed(1))
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%s: %d dimensions, more than 0.9 of the hidden labels: %t\n", model.Method(), model.Dims(), accuracy > 0.9)
	// Output: PCA then S2NE: 2 dimensions, more than 0.9 of the hidden labels: true
}
