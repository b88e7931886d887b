package ssdrnb_test

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Methods that learn from pairs of samples, or from samples with known positions.

// Forty must-link and forty cannot-link pairs of wines, without a single label.
func ExampleSSDR() {
	wine := datasets.Wine().Standardize()
	pairs, err := data.DrawPairs(wine.Truth, 40, 40, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, method := range []ssdrnb.Estimator{ssdrnb.PCA().Dims(1), ssdrnb.SSDR().Dims(1)} {
		y := method.Spec().MustFit(wine.HideLabels().WithPairs(pairs)).Embedding()
		nearest, _ := metrics.LeaveOneOut(y, wine.Truth)
		agreement, _ := metrics.ClusterAccuracy(wine.Truth, nearest)
		fmt.Printf("%v: %.2f\n", method, agreement)
	}
	// Output:
	// PCA(dims=1): 0.79
	// SSDR(dims=1): 0.87
}

// Without cannot-links there is nothing to keep apart. The error has the remedy.
func ExampleSSML() {
	wine := datasets.Wine().Standardize().HideLabels()
	_, err := ssdrnb.SSML().Fit(wine.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 1}}}))
	fmt.Println(errors.Is(err, ssdrnb.ErrNeedsPairs))
	fmt.Println(err)
	// Output:
	// true
	// SSML: pairs: pairs needed: without cannot-link pairs there is no distance to maximise; give cannot-link pairs
}

// CS1 selects features instead of mixing them, and the model names them.
func ExampleCS1() {
	iris := datasets.Iris().KeepLabels(5).Seed(1)
	model := ssdrnb.CS1().Dims(2).MustFit(iris)
	for k := range model.Dims() {
		feature, _ := model.Report().Fact(fmt.Sprintf("feature %d", k+1))
		fmt.Println(iris.FeatureNames[int(feature)])
	}
	// Output:
	// petal length (cm)
	// petal width (cm)
}

// A difference of sums depends on the units of the features: features with large numbers dominate
// unless they are standardised.
func ExampleCS2() {
	wine := datasets.Wine().KeepLabels(5).Seed(1)
	for _, on := range []bool{true, false} {
		feature, _ := ssdrnb.CS2().Dims(1).Cannot(1).Standardize(on).MustFit(wine).Report().Fact("feature 1")
		fmt.Println(wine.FeatureNames[int(feature)])
	}
	// Output:
	// flavanoids
	// proline
}

// Marginal manifolds: samples of one class attract each other and classes repel. New digits are
// placed among their neighbours.
func ExampleS2LAE() {
	train, test := datasets.Digits().Only(0, 1, 2, 3, 4).Take(40).Split(0.5)
	model := ssdrnb.S2LAE().MustFit(train)
	components, _ := model.Report().Fact("must-link components")
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, test)
	fmt.Printf("%v components, %.1f of %d test digits\n", components, accuracy, test.Len())
	// Output: 5 components, 0.9 of 100 test digits
}

// Linearized computes the best linear map instead: the separation is weaker, but the model has a
// projection.
func ExampleS2LLE() {
	train, test := datasets.Wine().Standardize().Split(0.5)
	model := ssdrnb.S2LLE().Linearized(true).MustFit(train)
	w, _, err := model.Projection()
	if err != nil {
		fmt.Println(err)
		return
	}
	features, dims := w.Dims()
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, test)
	fmt.Printf("%d×%d, %.1f of %d test samples\n", features, dims, accuracy, test.Len())
	// Output: 13×2, 0.9 of 88 test samples
}

// User-given pairs without labels, weighted by the kernel. The method as published gives no
// position to a sample without pairs; by default its neighbours do.
func ExampleKS2LAE() {
	wine := datasets.Wine().Standardize()
	pairs, err := data.DrawPairs(wine.Truth, 150, 150, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := ssdrnb.KS2LAE().UnlabelledWeight(0).MustFit(wine.HideLabels().WithPairs(pairs)).Report()
	must, _ := report.Fact("must-link pairs")
	fmt.Println(must)
	fmt.Println(report.Warnings[0])
	// Output:
	// 150
	// 6 samples are in no pair, so the trace ratio does not determine their positions; UnlabelledWeight(0.1) ties them to their neighbours
}

// Samples are reconstructed from neighbours: a must-link between distant samples has no effect
// here.
func ExampleKS2LLE() {
	wine := datasets.Wine().Standardize()
	pairs, err := data.DrawPairs(wine.Truth, 150, 150, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := ssdrnb.KS2LLE().UnlabelledWeight(0.1).MustFit(wine.HideLabels().WithPairs(pairs)).Report()
	fmt.Println(report.Warnings[0])
	// Output: 116 of 150 must-link pairs join samples that are not neighbours, and are ignored; raise Neighbors
}

// Pairs shape the latent space. Back constraints extend their effect to samples without pairs.
func ExampleSSGPLVM() {
	iris := datasets.Iris().Take(15)
	pairs, err := data.DrawPairs(iris.Truth, 30, 30, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	y := ssdrnb.SSGPLVM().Rounds(5).Back(true).MustFit(iris.HideLabels().WithPairs(pairs)).Embedding()
	mean := func(pairs []data.Pair) float64 {
		sum := 0.0
		for _, p := range pairs {
			sum += math.Hypot(y.At(p.I, 0)-y.At(p.J, 0), y.At(p.I, 1)-y.At(p.J, 1)) / float64(len(pairs))
		}
		return sum
	}
	fmt.Println("cannot-linked samples are three times as far apart:", mean(pairs.Cannot) > 3*mean(pairs.Must))
	// Output: cannot-linked samples are three times as far apart: true
}

// For twenty of a thousand samples of a rolled-up sheet, which is 89 long, the position on the
// sheet is known. The others are inferred.
func ExampleSSLLE() {
	roll := datasets.SwissRoll(1000, 1)
	sheet := mat.NewDense(roll.Len(), 2, nil) // arc length, height
	for i := range roll.Len() {
		t := math.Hypot(roll.X.At(i, 0), roll.X.At(i, 2))
		sheet.SetRow(i, []float64{(t*math.Hypot(1, t) + math.Asinh(t)) / 2, roll.X.At(i, 1)})
	}
	rows, known := make([]int, 20), mat.NewDense(20, 2, nil)
	for k := range rows {
		rows[k] = 50 * k
		known.SetRow(k, sheet.RawRowView(rows[k]))
	}
	y, off := ssdrnb.SSLLE().MustFit(roll.WithAnchors(rows, known)).Embedding(), 0.0
	for i := range roll.Len() {
		off += floats.Distance(y.RawRowView(i), sheet.RawRowView(i), 2) / float64(roll.Len())
	}
	fmt.Printf("off by %.1f on average\n", off)
	// Output: off by 0.9 on average
}

// Arc length is known at the two ends of a spiral. The arc length of all points follows, as
// tangents give the distance from each point to the next.
func ExampleSSLTSA() {
	const n = 200
	x, length := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		t := 2 + 8*float64(i)/n
		x.SetRow(i, []float64{t * math.Cos(t), t * math.Sin(t)})
		length[i] = (t*math.Hypot(1, t) + math.Asinh(t)) / 2
	}
	ends := mat.NewDense(2, 1, []float64{length[0], length[n-1]})
	spiral := ssdrnb.NewData(x, nil).WithAnchors([]int{0, n - 1}, ends)
	y := ssdrnb.SSLTSA().Dims(1).Neighbors(8).MustFit(spiral).Embedding()
	fmt.Printf("middle: %.1f of %.1f\n", y.At(n/2, 0), length[n/2])
	// Output: middle: 19.5 of 19.5
}
