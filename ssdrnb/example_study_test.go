package ssdrnb_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Tools for experiments with a method.

// A fit, and its score on samples that it has not seen.
func Example() {
	train, test := datasets.Digits().KeepLabels(20).Seed(1).Split(0.7)
	model, err := ssdrnb.SDA().Dims(9).Neighbors(8).Fit(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	accuracy, err := model.Score(ssdrnb.NearestNeighbor, test)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Spec())
	fmt.Printf("%.2f of %d test digits\n", accuracy, test.Len())
	// Output:
	// SDA(dims=9)
	// 0.92 of 539 test digits
}

// The scores of a method over a grid of its options.
func ExampleSweep() {
	digits := datasets.Digits().Take(40).KeepLabels(5)
	r := ssdrnb.Sweep(ssdrnb.SDA().Dims(9), digits).List("neighbors", 3, 8).Log10("manifold", -1, 1, 1).MustRun()
	fmt.Println(len(r.Unlabelled), "cells, best at", r.At(r.Best(r.Unlabelled))["neighbors"], "neighbours")
	// Output: 6 cells, best at 3 neighbours
}

// The experiment of the papers: methods on the same draws of labels, over the number of dimensions.
func ExampleCompare() {
	wine := datasets.Wine().Standardize().KeepLabels(3)
	comparison := ssdrnb.Compare(wine, ssdrnb.PCA(), ssdrnb.SDA()).UpTo(4).Splits(5).MustRun()
	for _, c := range comparison.Curves {
		best := c.Best(c.Unlabelled)
		fmt.Printf("%s: %.2f in %d dimensions\n", c.Spec.Method().Name, c.Unlabelled[best].Mean(), comparison.Dims[best])
	}
	// Output:
	// PCA: 0.92 in 2 dimensions
	// SDA: 0.91 in 2 dimensions
}

// The same flowers measured twice, in another order: samples are matched by name.
func ExampleAlign() {
	iris := datasets.Iris()
	names := make([]string, iris.Len())
	order := make([]int, iris.Len())
	for i := range names {
		names[i], order[i] = fmt.Sprint("flower ", i), iris.Len()-1-i
	}
	first := iris.WithAttribute("flower", names)
	second := first.Subset(order[:100])
	a, err := ssdrnb.Align("flower", first, second).Fit()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Shared[0], "flowers occur in both, and move little:", a.Moved[0] < 0.3)
	// Output: 100 flowers occur in both, and move little: true
}

// A method and its options by name, for programs that choose at run time.
func ExampleNew() {
	method := ssdrnb.New("TR-SDA").With("dims", 1).With("neighbors", 5)
	fmt.Println(method, method.Err())
	fmt.Println(method.Method().Paper)
	// Output:
	// TR-SDA(dims=1, neighbors=5) <nil>
	// Zhao, Zhang, Chow 2012
}

// The registry: kernel methods that use labels and unlabelled samples.
func ExampleMethods() {
	for _, m := range ssdrnb.Methods() {
		if m.Shape == ssdrnb.Kernel && m.Supervision == ssdrnb.SemiSupervised && m.Uses == ssdrnb.FromLabels {
			fmt.Println(m.Name, "by", m.Paper)
		}
	}
	// Output:
	// KSDA by Cai, He, Han 2007
	// TR-KSDA by Zhao, Zhang, Chow 2012
}

// Every error names the method, the option, its value and a remedy, and wraps a sentinel.
func ExampleError() {
	_, err := ssdrnb.LAE().Neighbors(150).Fit(datasets.Iris())
	var e *ssdrnb.Error
	fmt.Println(errors.Is(err, ssdrnb.ErrOption), errors.As(err, &e))
	fmt.Println(e.Method, e.Param, e.Value)
	fmt.Println(e.Remedy)
	// Output:
	// true true
	// LAE neighbors 150
	// ask for at most 149
}

// A model is saved as an .npz file, which NumPy can read too.
func ExampleLoad() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	iris, path := datasets.Iris(), filepath.Join(folder, "iris.npz")
	model := ssdrnb.LDA().MustFit(iris)
	if err := model.Save(path); err != nil {
		fmt.Println(err)
		return
	}
	again, err := ssdrnb.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	y, _ := again.Transform(iris.X)
	fmt.Println(again.Spec(), mat.EqualApprox(y, model.Embedding(), 1e-9))
	// Output: LDA() true
}

// New samples need as many features as the training samples.
func ExampleModel_Transform() {
	train, test := datasets.Iris().Split(0.8)
	model := ssdrnb.SDA().MustFit(train)
	y, err := model.Transform(test.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, d := y.Dims()
	fmt.Printf("%d samples in %d dimensions\n", n, d)
	// Output: 30 samples in 2 dimensions
}

// The stages of a fit, reported as they begin.
func ExampleObserve() {
	stop := ssdrnb.Observe(func(e ssdrnb.Event) { fmt.Println(e.Method, e.Stage) })
	defer stop()
	if _, err := ssdrnb.LDA().Fit(datasets.Iris()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// LDA span
	// LDA eigenvectors
	// LDA done
}

// Refitting as a slider does: results that an option does not affect are computed once.
func ExampleNewSeries() {
	series := ssdrnb.NewSeries(datasets.Wine().Standardize().KeepLabels(5))
	for _, weight := range []float64{0.01, 1} {
		model, err := series.FitContext(context.Background(), ssdrnb.SDA().Manifold(weight))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(model.Spec())
	}
	// Output:
	// SDA(manifold=0.01)
	// SDA(manifold=1)
}

// Data in your own matrix: one sample per row, and -1 for an unknown label.
func ExampleNewData() {
	x := mat.NewDense(6, 2, []float64{0, 1, 1, 0, 0, 0, 9, 8, 8, 9, 9, 9})
	mine := ssdrnb.NewData(x, []int{0, -1, -1, 1, -1, -1})
	fmt.Println(mine.Len(), "samples,", mine.NumLabelled(), "labelled")
	// Output: 6 samples, 2 labelled
}
