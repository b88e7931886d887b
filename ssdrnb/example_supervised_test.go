package ssdrnb_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Methods that learn from labelled samples only.

// Three classes give two directions, as the report states.
func ExampleLDA() {
	model := ssdrnb.LDA().Dims(3).MustFit(datasets.Iris())
	fmt.Println(model.Dims(), "dimensions")
	fmt.Println(model.Report().Warnings[0])
	// Output:
	// 2 dimensions
	// 2 of the 3 requested dimensions were returned: 3 classes have 2 discriminant directions
}

// The values are the squared correlations between the samples and the class codes: one of the two
// directions is enough to separate the irises.
func ExampleCCA() {
	fmt.Printf("%.3f\n", ssdrnb.CCA().Ridge(0).MustFit(datasets.Iris()).Values())
	// Output: [0.970 0.222]
}

// A negative value belongs to a direction with more spread than separation: dimensions beyond the
// positive values only do harm.
func ExampleMMC() {
	values := ssdrnb.MMC().Dims(13).MustFit(datasets.Wine().Standardize()).Values()
	useful := 0
	for _, v := range values {
		if v > 0 {
			useful++
		}
	}
	fmt.Println(useful, "of", len(values), "directions separate the classes")
	// Output: 2 of 13 directions separate the classes
}

// With fewer labelled samples than features there are directions along which the labelled samples
// of a class do not differ at all.
func ExampleNLDA() {
	digits := datasets.Digits().Take(60).KeepLabels(3).Seed(1)
	model := ssdrnb.NLDA().Dims(9).MustFit(digits)
	y, widest := model.Embedding(), 0.0
	for i, a := range digits.Labels {
		for j, b := range digits.Labels {
			if a >= 0 && a == b {
				widest = math.Max(widest, floats.Distance(y.RawRowView(i), y.RawRowView(j), 2))
			}
		}
	}
	fmt.Println("labelled samples of a class coincide:", widest < 1e-9)
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%.2f of the hidden labels\n", accuracy)
	// Output:
	// labelled samples of a class coincide: true
	// 0.72 of the hidden labels
}

// The trace ratio is not limited to c − 1 directions, and its best value λ* falls as their number
// grows.
func ExampleTRLDA() {
	for _, d := range []int{1, 2, 5} {
		model := ssdrnb.TRLDA().Dims(d).MustFit(datasets.Wine().Standardize())
		lambda, _ := model.Report().Fact("λ*")
		fmt.Printf("%d dimensions: λ* = %.2f\n", model.Dims(), lambda)
	}
	// Output:
	// 1 dimensions: λ* = 6.27
	// 2 dimensions: λ* = 4.82
	// 5 dimensions: λ* = 2.32
}

// One class lies on both sides of the other, so the class means coincide. LDA finds no direction;
// MFA, which uses neighbours, finds the border.
func ExampleMFA() {
	rng := rand.New(rand.NewPCG(1, 1))
	x, class := mat.NewDense(300, 3, nil), make([]int, 300)
	for i := range class {
		side := float64(i%3 - 1) // -1, 0 or 1
		class[i] = (i%3 + 1) % 2
		x.SetRow(i, []float64{4*side + rng.NormFloat64()/2, 3 * rng.NormFloat64(), 3 * rng.NormFloat64()})
	}
	sides := ssdrnb.NewData(x, class).KeepLabels(30).Seed(1)
	for _, method := range []ssdrnb.Estimator{ssdrnb.LDA().Dims(1), ssdrnb.MFA().Dims(1)} {
		accuracy, _ := method.Spec().MustFit(sides).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: %.2f\n", method, accuracy)
	}
	// Output:
	// LDA(dims=1): 0.47
	// MFA(dims=1): 1.00
}

// Gamma weighs closeness within classes against separation between them. A positive value belongs
// to a direction with more separation than spread.
func ExampleSRDA() {
	wine := datasets.Wine().Standardize()
	for _, gamma := range []float64{0, 0.5, 1} {
		positive := 0
		for _, v := range ssdrnb.SRDA().Dims(13).Gamma(gamma).MustFit(wine).Values() {
			if v > 1e-9 {
				positive++
			}
		}
		fmt.Printf("gamma %v: %d of 13 directions\n", gamma, positive)
	}
	// Output:
	// gamma 0: 13 of 13 directions
	// gamma 0.5: 2 of 13 directions
	// gamma 1: 0 of 13 directions
}

// ANMM gives any number of dimensions and needs no inverse, so 30 labelled samples with 64 features
// suffice.
func ExampleANMM() {
	digits := datasets.Digits().Take(60).KeepLabels(3).Seed(1)
	model := ssdrnb.ANMM().Dims(12).Homogeneous(2).MustFit(digits)
	accuracy, _ := model.Score(ssdrnb.NearestNeighbor, nil)
	fmt.Printf("%d dimensions, %.2f of the hidden labels\n", model.Dims(), accuracy)
	// Output: 12 dimensions, 0.80 of the hidden labels
}

// Beta weighs separation against closeness in a patch. With 0 the classes are only contracted.
func ExampleDLA() {
	wine := datasets.Wine().Standardize().KeepLabels(5).Seed(1)
	for _, beta := range []float64{0, 0.5} {
		accuracy, _ := ssdrnb.DLA().Beta(beta).MustFit(wine).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("beta %v: %.2f\n", beta, accuracy)
	}
	// Output:
	// beta 0: 0.66
	// beta 0.5: 0.95
}

// Separation 0 gives LLE. With 1 all neighbours are of the same class, and each class collapses to
// a point; the report warns.
func ExampleSLLE() {
	wine := datasets.Wine().Standardize()
	for _, separation := range []float64{0, 1} {
		model := ssdrnb.SLLE().Separation(separation).MustFit(wine)
		fmt.Println(model.Report().Warnings)
	}
	// Output:
	// []
	// [the neighbourhood graph has 3 components: the coordinates separate the components instead of unfolding them; raise Neighbors]
}

// Samples of one class become close however far apart they are, and samples of two classes become
// distant: labels open gaps that are not in the data.
func ExampleSIsomap() {
	wine := datasets.Wine().Standardize()
	for _, method := range []ssdrnb.Estimator{ssdrnb.Isomap().Disconnected(ssdrnb.Join), ssdrnb.SIsomap()} {
		y := method.Spec().MustFit(wine).Embedding()
		var sum, n [2]float64 // between classes, within
		for i, a := range wine.Labels {
			for j, b := range wine.Labels[:i] {
				kind := 0
				if a == b {
					kind = 1
				}
				sum[kind] += floats.Distance(y.RawRowView(i), y.RawRowView(j), 2)
				n[kind]++
			}
		}
		fmt.Printf("%v: between classes %.1f times as far as within\n", method, sum[0]/n[0]/(sum[1]/n[1]))
	}
	// Output:
	// Isomap(disconnected=join): between classes 3.0 times as far as within
	// S-Isomap(): between classes 6.6 times as far as within
}

// Two interleaved half-circles: no straight line separates them, but a direction in the feature
// space of a kernel does.
func ExampleKLDA() {
	moons := datasets.TwoMoons(1).KeepLabels(20).Seed(1)
	for _, method := range []ssdrnb.Estimator{ssdrnb.LDA().Dims(1), ssdrnb.KLDA().Dims(1).Scale(0.5)} {
		accuracy, _ := method.Spec().MustFit(moons).Score(ssdrnb.NearestNeighbor, nil)
		fmt.Printf("%v: %.2f\n", method, accuracy)
	}
	// Output:
	// LDA(dims=1): 0.86
	// KLDA(dims=1, scale=0.5): 1.00
}

// The kernel matrix is never formed: a factor of few columns replaces it, and new samples need only
// their kernel with the pivots.
func ExampleTRKLDA() {
	train, test := datasets.Digits().Take(40).Split(0.5)
	for _, rank := range []int{20, 200} {
		model := ssdrnb.TRKLDA().Dims(9).Rank(rank).MustFit(train)
		accuracy, _ := model.Score(ssdrnb.NearestNeighbor, test)
		fmt.Printf("rank %d: %.2f of %d test digits\n", rank, accuracy, test.Len())
	}
	// Output:
	// rank 20: 0.91 of 200 test digits
	// rank 200: 0.96 of 200 test digits
}

// PLS finds a direction that predicts a measured value, here the proline of wines, known for a
// fifth of them.
func ExamplePLS() {
	wine := datasets.Wine().HideLabels()
	proline := mat.Col(nil, 12, wine.X)
	rest := mat.DenseCopyOf(wine.X.Slice(0, wine.Len(), 0, 12))
	wines := ssdrnb.NewData(rest, nil).Standardize().WithTarget("proline", proline).KeepTarget(0.2).Seed(1)
	model := ssdrnb.PLS().MustFit(wines)
	r2, _ := model.Score(ssdrnb.TargetR2, nil)
	fmt.Printf("%.1f of the variance of hidden values\n", r2)
	// Output: 0.7 of the variance of hidden values
}

// SPCA finds orthonormal directions on which a measured value depends.
func ExampleSPCA() {
	wine := datasets.Wine().HideLabels()
	proline := mat.Col(nil, 12, wine.X)
	rest := mat.DenseCopyOf(wine.X.Slice(0, wine.Len(), 0, 12))
	wines := ssdrnb.NewData(rest, nil).Standardize().WithTarget("proline", proline).KeepTarget(0.2).Seed(1)
	model := ssdrnb.SPCA().MustFit(wines)
	r2, _ := model.Score(ssdrnb.TargetR2, nil)
	fmt.Printf("%.1f of the variance of hidden values\n", r2)
	// Output: 0.6 of the variance of hidden values
}
