package ssdrnb_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Methods that learn from few labelled samples and many unlabelled ones.

// Nine labels estimate the scatter within classes poorly; 169 unlabelled wines show the directions
// that hardly change between neighbours.
func ExampleSDA() {
	wine := datasets.Wine().Standardize().KeepLabels(3).Seed(1)
	for _, method := range []ssdrnb.Estimator{ssdrnb.LDA(), ssdrnb.SDA().Manifold(1)} {
		accuracy, _ := method.Spec().MustFit(wine).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: %.2f\n", method, accuracy)
	}
	// Output:
	// LDA(): 0.84
	// SDA(manifold=1): 0.93
}

// The iteration for λ, from the report: g reaches 0 at the best ratio λ.
func ExampleTRSDA() {
	model := ssdrnb.TRSDA().Dims(1).MustFit(datasets.Iris().KeepLabels(10).Seed(1))
	n, d := model.Embedding().Dims()
	trace := model.Report().Traces[0]
	lambda, _ := model.Report().Fact("λ*")
	fmt.Println(n, d, len(trace.Lambda) > 3, lambda == trace.Lambda[len(trace.Lambda)-1])
	// Output: 150 1 true true
}

// Beta penalises deviations of the embedding from its smooth counterpart: the larger it is, the
// lower the best ratio.
func ExampleTRFSDA() {
	wine := datasets.Wine().Standardize().KeepLabels(10).Seed(1)
	for _, beta := range []float64{0.01, 1, 100} {
		model := ssdrnb.TRFSDA().Alpha(10).Beta(beta).MustFit(wine)
		lambda, _ := model.Report().Fact("λ*")
		fmt.Printf("beta %v: λ* = %.3f\n", beta, lambda)
	}
	// Output:
	// beta 0.01: λ* = 0.614
	// beta 1: λ* = 0.146
	// beta 100: λ* = 0.077
}

// At the best ratio λ* of TR-SDA the trace difference is 0: with the weights found by TR-SDA, SSMMC
// solves the same problem.
func ExampleSSMMC() {
	wine := datasets.Wine().Standardize().KeepLabels(10).Seed(1)
	ratio := ssdrnb.TRSDA().Ridge(0).PCA(1).MustFit(wine)
	lambda, _ := ratio.Report().Fact("λ*")
	manifold, _ := ratio.Report().Fact("λ_m")
	margin := ssdrnb.SSMMC().WithinWeight(lambda).Manifold(lambda * manifold).Balance(ssdrnb.Absolute).MustFit(wine)
	fmt.Println("values sum to 0:", math.Abs(floats.Sum(margin.Values())) < 1e-6*lambda)
	fmt.Println("same embedding:", mat.EqualApprox(ratio.Embedding(), margin.Embedding(), 1e-6))
	// Output:
	// values sum to 0: true
	// same embedding: true
}

// SSLDA is SDA on a PCA subspace, without a ridge.
func ExampleSSLDA() {
	wine := datasets.Wine().Standardize().KeepLabels(10).Seed(1)
	a := ssdrnb.SSLDA().MustFit(wine)
	b := ssdrnb.SDA().Neighbors(5).Affinity(ssdrnb.Binary).Ridge(0).PCA(0.98).MustFit(wine)
	fmt.Println(mat.EqualApprox(a.Embedding(), b.Embedding(), 1e-8))
	// Output: true
}

// Two labels per class give no reliable direction. Paths through the unlabelled samples, each rated
// by its worst edge, predict the class of a sample.
func ExampleSSDA() {
	clouds := datasets.Gaussians3D(1).KeepLabels(2).Seed(1)
	for _, method := range []ssdrnb.Estimator{ssdrnb.LDA().Dims(1), ssdrnb.SSDA().Dims(1)} {
		accuracy, _ := method.Spec().MustFit(clouds).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: %.2f\n", method, accuracy)
	}
	// Output:
	// LDA(dims=1): 0.81
	// SSDA(dims=1): 1.00
}

// DLA uses only the labelled samples, here two per class; SDLA also keeps unlabelled neighbours
// together. With weight 0 SDLA equals DLA.
func ExampleSDLA() {
	clouds := datasets.Gaussians3D(1).KeepLabels(2).Seed(1)
	for _, weight := range []float64{0, 1} {
		accuracy, _ := ssdrnb.SDLA().Dims(1).PatchWeight(weight).MustFit(clouds).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("weight %v: %.2f\n", weight, accuracy)
	}
	// Output:
	// weight 0: 0.74
	// weight 1: 1.00
}

// The products in MMP depend on the origin: without centring, the first direction is close to the
// mean.
func ExampleMMP() {
	iris := datasets.Iris().KeepLabels(5).Seed(1)
	for _, centre := range []bool{true, false} {
		accuracy, _ := ssdrnb.MMP().Dims(1).Center(centre).MustFit(iris).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("centred %v: %.2f\n", centre, accuracy)
	}
	// Output:
	// centred true: 0.96
	// centred false: 0.36
}

// A regression onto class codes, rotated to its principal axes: the values are the variances along
// them.
func ExampleLapLDA() {
	model := ssdrnb.LapLDA().Manifold(1).MustFit(datasets.Wine().Standardize().KeepLabels(3).Seed(1))
	y := model.Embedding()
	for k, value := range model.Values() {
		fmt.Println(math.Abs(stat.Variance(mat.Col(nil, k, y), nil)-value) < 1e-9*value)
	}
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%.2f of the hidden labels\n", accuracy)
	// Output:
	// true
	// true
	// 0.93 of the hidden labels
}

// With the heat affinity the diversity at the edge of the neighbourhoods can outweigh all other
// terms: the denominator becomes indefinite, and the report warns. A small ridge does not prevent
// this; the default ridge does. Binary weights have no diversity.
func ExampleSSDL() {
	wine := datasets.Wine().Standardize().KeepLabels(3).Seed(1)
	for _, b := range []*ssdrnb.SSDLBuilder{ssdrnb.SSDL().Beta(0.01), ssdrnb.SSDL(), ssdrnb.SSDL().Affinity(ssdrnb.Binary)} {
		model := b.MustFit(wine)
		accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: warnings %d, %.1f of the hidden labels\n", b, len(model.Report().Warnings), accuracy)
	}
	// Output:
	// SSDL(beta=0.01): warnings 1, 0.3 of the hidden labels
	// SSDL(): warnings 1, 0.9 of the hidden labels
	// SSDL(affinity=binary): warnings 0, 0.9 of the hidden labels
}

// The embedding approximates the class indicators: one dimension per class, and the coordinates of
// each sample sum to 1.
func ExampleLapRLS() {
	model := ssdrnb.LapRLS().MustFit(datasets.Wine().Standardize().KeepLabels(5).Seed(1))
	first := model.Embedding().RawRowView(0)
	fmt.Printf("%d coordinates of sum %.3f\n", len(first), floats.Sum(first))
	// Output: 3 coordinates of sum 1.000
}

// Labels spread along the graph to the other training samples. A linear map, fitted at the same
// time, extends them to new samples.
func ExampleFME() {
	train, test := datasets.Wine().Standardize().KeepLabels(3).Seed(1).Split(0.7)
	model := ssdrnb.FME().MustFit(train)
	hidden, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	unseen, _ := model.Score(ssdrnb.NearestNeighbor, test)
	fmt.Printf("%.2f of the hidden labels, %.2f of unseen samples\n", hidden, unseen)
	// Output: 0.95 of the hidden labels, 0.94 of unseen samples
}

// LMRAG learns the graph together with the projection, and drives it to one component per class.
func ExampleLMRAG() {
	model := ssdrnb.LMRAG().MustFit(datasets.Wine().Scale01().KeepLabels(5).Seed(1))
	components, _ := model.Report().Fact("graph components")
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%v components, %.2f of the hidden labels\n", components, accuracy)
	// Output: 3 components, 0.97 of the hidden labels
}

// The metric is space-like between samples that are kept apart and time-like between samples that
// are pulled together. The model also suggests samples to label next.
func ExampleS3RMM() {
	wine := datasets.Wine().Standardize().KeepLabels(5).Seed(1)
	model := ssdrnb.S3RMM().MustFit(wine)
	apart, together := 0, 0
	for _, g := range model.Graph().Val {
		if g > 0 {
			apart++
		} else {
			together++
		}
	}
	fmt.Println("both kinds:", apart > 0 && together > 0)
	ask, err := model.Suggest(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range ask {
		fmt.Println("label is unknown:", wine.Labels[i] == data.Unlabelled)
	}
	// Output:
	// both kinds: true
	// label is unknown: true
	// label is unknown: true
	// label is unknown: true
}

// Two half-circles with few labels: the kernel makes the map nonlinear, and the unlabelled samples
// lead along the arcs.
func ExampleKSDA() {
	moons := datasets.TwoMoons(1).KeepLabels(2).Seed(3)
	for _, method := range []ssdrnb.Estimator{ssdrnb.KLDA().Dims(1).Scale(0.5), ssdrnb.KSDA().Dims(1).Scale(0.5)} {
		accuracy, _ := method.Spec().MustFit(moons).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: %.2f\n", method, accuracy)
	}
	// Output:
	// KLDA(dims=1, scale=0.5): 0.74
	// KSDA(dims=1, scale=0.5): 1.00
}

// Two labels per half-circle suffice if the kernel is narrow and neighbours lead along the arcs.
func ExampleTRKSDA() {
	moons := datasets.TwoMoons(1).KeepLabels(2).Seed(3)
	model := ssdrnb.TRKSDA().Dims(1).Scale(0.5).MustFit(moons)
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%.2f\n", accuracy)
	// Output: 1.00
}

// With the linear kernel and no truncation it equals S3RMM. Another kernel makes the map nonlinear;
// the metric stays the same.
func ExampleKS3RMM() {
	iris := datasets.Iris().KeepLabels(5).Seed(1)
	a := ssdrnb.KS3RMM().Kernel(ssdrnb.LinearKernel).Cut(0).MustFit(iris)
	b := ssdrnb.S3RMM().MustFit(iris)
	fmt.Println(floats.EqualApprox(a.Values(), b.Values(), 1e-8))
	// Output: true
}
