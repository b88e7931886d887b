package ssdrnb_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Methods that use no labels.

// The share of the variance of four features that two components keep.
func ExamplePCA() {
	model := ssdrnb.PCA().Dims(2).MustFit(datasets.Iris())
	share, _ := model.Report().Fact("share of variance")
	fmt.Printf("%.4f of the variance\n", share)
	// Output: 0.9777 of the variance
}

// One feature separates two groups; two others merely have larger variance. PCA follows the
// variance, LPP finds the direction that keeps neighbours together.
func ExampleLPP() {
	rng := rand.New(rand.NewPCG(1, 1))
	x, class := mat.NewDense(200, 3, nil), make([]int, 200)
	for i := range class {
		class[i] = i % 2
		for k := range 3 {
			x.Set(i, k, 6*rng.Float64())
		}
		x.Set(i, 0, 2*float64(class[i])+0.2*rng.Float64())
	}
	groups := ssdrnb.NewData(x, class).KeepLabels(5).Seed(1)
	for _, method := range []ssdrnb.Estimator{ssdrnb.PCA().Dims(1), ssdrnb.LPP().Dims(1)} {
		accuracy, _ := method.Spec().MustFit(groups).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: %.2f\n", method, accuracy)
	}
	// Output:
	// PCA(dims=1): 0.57
	// LPP(dims=1): 1.00
}

// The sign of the first coordinate cuts the graph at its weakest place: spectral clustering of two
// interleaved half-circles.
func ExampleLAE() {
	moons := datasets.TwoMoons(1)
	y := ssdrnb.LAE().Dims(1).Neighbors(8).MustFit(moons).Embedding()
	sides := make([]int, moons.Len())
	for i := range sides {
		if y.At(i, 0) > 0 {
			sides[i] = 1
		}
	}
	agreement, _ := metrics.ClusterAccuracy(moons.Truth, sides)
	fmt.Printf("%.2f\n", agreement)
	// Output: 1.00
}

// A rolled-up sheet, unrolled, keeps its neighbourhoods; its best projection onto a plane does not.
func ExampleLLE() {
	roll := datasets.SwissRoll(2000, 1)
	for _, method := range []ssdrnb.Estimator{ssdrnb.PCA(), ssdrnb.LLE()} {
		y := method.Spec().MustFit(roll).Embedding()
		trust, _ := metrics.Trustworthiness(context.Background(), roll.X, y, 10)
		fmt.Printf("%v: trustworthiness %.3f\n", method, trust)
	}
	// Output:
	// PCA(): trustworthiness 0.983
	// LLE(): trustworthiness 0.998
}

// LTSA recovers the arc length of a spiral from the points alone, up to scale and sign.
func ExampleLTSA() {
	const n = 200
	x, length := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		t := 2 + 8*float64(i)/n
		x.SetRow(i, []float64{t * math.Cos(t), t * math.Sin(t)})
		length[i] = (t*math.Hypot(1, t) + math.Asinh(t)) / 2
	}
	y := ssdrnb.LTSA().Dims(1).Neighbors(8).MustFit(ssdrnb.NewData(x, nil)).Embedding()
	found := mat.Col(nil, 0, y)
	fmt.Printf("correlation with the length: %.3f\n", math.Abs(stat.Correlation(found, length, nil)))
	// Output: correlation with the length: 1.000
}

// A rolled-up sheet with a hole: HLLE recovers its two coordinates up to a linear map; LLE does
// not.
func ExampleHLLE() {
	roll := datasets.SwissRoll(1500, 1)
	var rows []int
	for i := range roll.Len() {
		t, height := math.Hypot(roll.X.At(i, 0), roll.X.At(i, 2)), roll.X.At(i, 1)
		if math.Abs(t-10.5) > 2 || math.Abs(height-10.5) > 4 {
			rows = append(rows, i)
		}
	}
	sheet := roll.Subset(rows)
	n := sheet.Len()
	truth := mat.NewDense(n, 3, nil) // 1, arc length, height
	for i := range n {
		t := math.Hypot(sheet.X.At(i, 0), sheet.X.At(i, 2))
		truth.SetRow(i, []float64{1, (t*math.Hypot(1, t) + math.Asinh(t)) / 2, sheet.X.At(i, 1)})
	}
	for _, method := range []ssdrnb.Estimator{ssdrnb.LLE(), ssdrnb.HLLE()} {
		y := method.Spec().MustFit(sheet).Embedding()
		var fit, rest mat.Dense
		if err := fit.Solve(truth, y); err != nil {
			fmt.Println(err)
			return
		}
		rest.Mul(truth, &fit)
		rest.Sub(y, &rest)
		fmt.Printf("%s: %.2f of the embedding is something else\n", method.Spec().Method().Name, mat.Norm(&rest, 2)/mat.Norm(y, 2))
	}
	// Output:
	// LLE: 0.29 of the embedding is something else
	// HLLE: 0.01 of the embedding is something else
}

// Isomap keeps lengths: the sheet is 89 long and 21 high, and still is when unrolled, apart from
// the detours of paths along edges.
func ExampleIsomap() {
	y := ssdrnb.Isomap().Neighbors(7).MustFit(datasets.SwissRoll(1000, 1)).Embedding()
	for k := range 2 {
		column := mat.Col(nil, k, y)
		fmt.Printf("%.0f\n", floats.Max(column)-floats.Min(column))
	}
	// Output:
	// 95
	// 26
}

// The graph is learned together with the projection, until it has as many components as clusters.
func ExampleULMRAG() {
	wine := datasets.Wine().Scale01().HideLabels()
	model := ssdrnb.ULMRAG().Clusters(3).MustFit(wine)
	learned, _ := model.Graph().Symmetrize(sparse.Average) // its rows are probability distributions
	count, of := graph.Components(learned)
	agreement, _ := metrics.ClusterAccuracy(wine.Truth, of)
	fmt.Printf("%d components, %.2f of the samples in that of their class\n", count, agreement)
	// Output: 3 components, 0.91 of the samples in that of their class
}

// A GP-LVM has a predictive variance at every position: it is large where no samples lie.
func ExampleGPLVM() {
	iris := datasets.Iris().Take(15)
	model := ssdrnb.GPLVM().Rounds(5).MustFit(iris)
	y := model.Embedding()
	places := mat.NewDense(2, 2, nil)
	places.SetRow(0, y.RawRowView(0))
	places.SetRow(1, []float64{100, 100})
	at, err := model.Decode(places)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, features := at.Mean.Dims()
	fmt.Println(features, "features, less sure far away:", at.Function[1] > 100*at.Function[0])
	// Output: 4 features, less sure far away: true
}

// The positions are a smooth map of the samples. The map places new samples, and returns a training
// sample to its own position.
func ExampleBCGPLVM() {
	iris := datasets.Iris().Take(15)
	model := ssdrnb.BCGPLVM().Rounds(5).MustFit(iris)
	again, _ := model.Transform(iris.X)
	fmt.Println(mat.EqualApprox(again, model.Embedding(), 1e-9))
	// Output: true
}
