package viz_test

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Outside a notebook, Show prints the text form of a figure, as in the outputs of these examples.
// Bundle returns the interactive and the static figure.

func Example() {
	digits := datasets.Digits().Only(0, 1).KeepLabels(5)
	model := ssdrnb.TRSDA().MustFit(digits)
	viz.Embedding(model).Title("Zeros and ones").Show()
	// Output:
	// Zeros and ones
	// TR-SDA: 360 samples in 2 dimensions
	// Neighbours kept in the embedding: 22 % of the 15 nearest in the data.
}

// A three-dimensional model has a 3-D plot.
func ExampleEmbedding() {
	figure := viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(datasets.Iris())).Size(600, 450)
	bundle, err := figure.Bundle()
	fmt.Println(len(bundle), "forms, error", err)
	figure.Show()
	// Output:
	// 4 forms, error <nil>
	// PCA of iris
	// PCA: 150 samples in 3 dimensions
	// Neighbours kept in the embedding: 93 % of the 15 nearest in the data.
}

// Several methods on the same samples.
func ExampleCompare() {
	wine := datasets.Wine().Standardize().KeepLabels(5)
	viz.Compare(ssdrnb.PCA().MustFit(wine), ssdrnb.SDA().MustFit(wine)).Show()
	// Output:
	// Embeddings
	// PCA: 178 samples in 2 dimensions
	// SDA: 178 samples in 2 dimensions
	// Neighbours kept in the embedding, of the 15 nearest in the data: PCA 46 %, SDA 36 %.
	// PCA and SDA have on average 32 % of the 15 nearest neighbours of a sample in common (by chance 8.5 %). 87 % of the samples have fewer than half in common. Procrustes residual 0.26: the share of the variance by which the two maps differ after rotation and scaling.
}

// The ratio over the iterations of the solver.
func ExampleConvergence() {
	wine := datasets.Wine().Standardize().KeepLabels(5)
	figure := viz.Convergence(ssdrnb.TRSDA().MustFit(wine))
	fmt.Println(strings.Contains(figure.Text(), "TR-SDA by ITR"), figure.Err())
	// Output: true <nil>
}

// A sweep over two options is shown as a surface.
func ExampleMesh() {
	wine := datasets.Wine().Standardize().KeepLabels(5)
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), wine).List("neighbors", 4, 8, 12).Log10("manifold", -2, 1, 1).MustRun()
	viz.Mesh(sweep).Show()
	// Output:
	// SDA: accuracy on unlabelled samples
	// accuracy on unlabelled samples: 3 × 4 cells, best 0.859 at neighbors 12, manifold 1
}

// Accuracy over the number of dimensions, with the spread over draws of the labels.
func ExampleCurves() {
	wine := datasets.Wine().Standardize().KeepLabels(5)
	comparison := ssdrnb.Compare(wine, ssdrnb.PCA(), ssdrnb.SDA()).Dims(1, 2).Splits(4).MustRun()
	var curves []viz.Curve
	for _, c := range comparison.Curves {
		line := viz.Curve{Name: c.Spec.Method().Name}
		for k, cell := range c.Unlabelled {
			line.X = append(line.X, float64(comparison.Dims[k]))
			line.Mean = append(line.Mean, cell.Mean())
			line.Spread = append(line.Spread, cell.Std())
		}
		curves = append(curves, line)
	}
	figure := viz.Curves("dimensions", "accuracy on the hidden labels", curves...).Title("Wine")
	fmt.Println(figure.Err(), len(curves))
	// Output: <nil> 2
}

// Panels with equal axes for several data sets.
func ExampleCurvePanels() {
	rising := viz.Curve{Name: "SDA", X: []float64{1, 2, 3}, Mean: []float64{0.5, 0.8, 0.9}}
	flat := viz.Curve{Name: "SDA", X: []float64{1, 2, 3}, Mean: []float64{0.9, 0.9, 0.9}}
	viz.CurvePanels("dimensions", "accuracy", viz.CurvePanel{Title: "digits", Curves: []viz.Curve{rising}},
		viz.CurvePanel{Title: "wine", Curves: []viz.Curve{flat}}).Show()
	// Output:
	// accuracy against dimensions
	// digits, SDA: highest accuracy = 0.9, at dimensions = 3
	// wine, SDA: highest accuracy = 0.9, from dimensions = 1 on
}

// A bar for each method in each group.
func ExampleBars() {
	viz.Bars("accuracy", []string{"digits", "wine"},
		viz.BarSeries{Name: "PCA", Mean: []float64{0.6, 0.7}}, viz.BarSeries{Name: "SDA", Mean: []float64{0.7, 0.9}}).Show()
	// Output:
	// accuracy
	// digits: PCA 0.6, SDA 0.7
	// wine: PCA 0.7, SDA 0.9
}

// The learned graph of LMRAG on the embedding: the links of two samples.
func ExampleGraphLinks() {
	model := ssdrnb.LMRAG().MustFit(datasets.Wine().Scale01().KeepLabels(5))
	viz.GraphLinks(model, viz.Graph{Name: "learned", Weights: model.Graph()}, 0, 1).Show()
	// Output:
	// learned, drawn on LMRAG of wine
	// LMRAG: 178 samples in 3 dimensions
	// learned: 10 edges
	// Only the first two are drawn: LMRAG has 3 dimensions.
}

// The same graph as a matrix with samples ordered by class: one block per class.
func ExampleAdjacency() {
	wine := datasets.Wine().Scale01().KeepLabels(5)
	viz.Adjacency(wine, viz.Graph{Name: "learned", Weights: ssdrnb.LMRAG().MustFit(wine).Graph()}).Show()
	// Output:
	// Adjacency of wine
	// learned: 178 × 178 weights from 0 to 1, 679 non-zero entries, 23 of them between classes
}

// The pairs given to a method, on its embedding.
func ExamplePairLinks() {
	wine := datasets.Wine().Standardize()
	pairs, err := data.DrawPairs(wine.Truth, 10, 10, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	viz.PairLinks(ssdrnb.SSDR().MustFit(wine.HideLabels().WithPairs(pairs))).Show()
	// Output:
	// Pairs on SSDR of wine
	// SSDR: 178 samples in 2 dimensions
	// 10 must-link and 10 cannot-link pairs
}

// The decision boundary of a one-dimensional map between two half-circles.
func ExampleField() {
	model := ssdrnb.TRKSDA().Dims(1).Scale(0.5).MustFit(datasets.TwoMoons(1).KeepLabels(2).Seed(3))
	classes := func(points *mat.Dense) []int {
		found, err := model.Predict(points)
		if err != nil {
			return make([]int, points.RawMatrix().Rows)
		}
		return found
	}
	viz.Field(viz.Around(viz.Samples(model.Data())).Class(60, 40, classes)).Title("Two moons").Show()
	// Output:
	// Two moons
	// class regions, 60 × 40 cells, 200 samples
}

// The kinds of vectors in a semi-Riemannian metric.
func ExampleCone() {
	viz.Cone([3]float64{1, 0, 1}, [3]float64{0.5, 0, 1}).Show()
	// Output:
	// Space-time interval ds² = x₁² + x₂² − x₃²
	// ds² = x₁² + x₂² − x₃²: positive (space-like) outside of the cone, 0 (null) on it, negative (time-like) inside
	// 0 space-like
	// 1 null
	// 1 time-like
}

// The rows of a matrix as images.
func ExamplePictures() {
	digits := datasets.Digits()
	viz.Pictures(viz.Thumbnails(digits.X.Slice(0, 8, 0, 64), digits.Image, 4)).Show()
	// Output:
	// 8 images
	// 8 images, 35 × 17 pixels
}

// Colours show a feature, sizes another feature, and the hover card an attribute.
func ExampleFigure_Color() {
	wine := datasets.Wine().KeepLabels(5)
	bottles := make([]string, wine.Len())
	for i := range bottles {
		bottles[i] = fmt.Sprint("bottle ", i)
	}
	model := ssdrnb.PCA().MustFit(wine.Standardize().WithAttribute("bottle", bottles))
	viz.Embedding(model).Color("alcohol").PointSize(viz.Residual).Hover("bottle").Show()
	// Output:
	// PCA of wine
	// PCA: 178 samples in 2 dimensions
	// colour: alcohol from 11.03 to 14.83
	// size: residual from 0.889 to 6.02
	// Neighbours kept in the embedding: 46 % of the 15 nearest in the data.
}

// The names of the classes on the map, and the density below them.
func ExampleFigure_Labels() {
	digits := datasets.Digits().Take(50)
	figure := viz.Embedding(ssdrnb.PCA().MustFit(digits)).Labels().Density().Opacity(0.4).Axes(false)
	fmt.Println(figure.Err())
	// Output: <nil>
}

// A single class, and the images of its samples.
func ExampleFigure_Only() {
	digits := datasets.Digits()
	var sevens []int
	for i, class := range digits.Truth {
		if class == 7 {
			sevens = append(sevens, i)
		}
	}
	viz.Embedding(ssdrnb.PCA().MustFit(digits)).Only(sevens...).Thumbnails().Title("Sevens").Show()
	// Output:
	// Sevens
	// PCA: 179 samples in 2 dimensions
	// Neighbours kept in the embedding: 16 % of the 15 nearest in the data (average of 500 samples).
}

// The meaning of the directions of a linear model: the features with the largest weights.
func ExampleLoadings() {
	figure := viz.Loadings(ssdrnb.PCA().MustFit(datasets.Iris()))
	for _, line := range strings.Split(figure.Text(), "\n")[1:3] {
		name, _, _ := strings.Cut(line, ":")
		fmt.Println(name)
	}
	// Output:
	// sepal length (cm)
	// petal length (cm)
}

// Regions where an embedding misleads.
func ExampleDistortion() {
	figure := viz.Distortion(ssdrnb.PCA().MustFit(datasets.Digits().Take(40)))
	fmt.Println(strings.Contains(figure.Text(), "of the 15 nearest neighbours of a sample"), figure.Err())
	// Output: true <nil>
}

// Predicted probabilities against the share of correct predictions.
func ExampleCalibration() {
	letters := datasets.LetterAE().KeepLabels(20).Seed(1)
	opinions, err := ssdrnb.Opinions(context.Background(), letters)
	if err != nil {
		fmt.Println(err)
		return
	}
	figure := viz.Calibration(opinions, letters.Truth)
	fmt.Println(figure.Err())
	// Output: <nil>
}
