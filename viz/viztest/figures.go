// Package viztest attacks the notebook extension in tests. It contains a figure of every kind, the
// script of the extension, and harmful data.
//
// It is exported only because the tests of several top-level folders share it.
package viztest

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// solved is a model whose report contains the history of a solver.
type solved struct{ report *ssdrnb.Report }

func (s solved) Report() *ssdrnb.Report { return s.report }

// Figures returns figures of every kind. Together they use all styles that add keys to the data of
// a figure. The name of a figure begins with its kind. The test that attacks these figures fails if
// a kind in package schema is missing.
func Figures() map[string]viz.Figure {
	iris, digits := datasets.Iris().KeepLabels(10), datasets.Digits()
	digits = digits.Subset(rows(120)).KeepLabels(3)
	plain := datasets.TwoMoons(1)
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	pictures := ssdrnb.PCA().MustFit(digits)
	linked := iris.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 2}}, Cannot: []data.Pair{{I: 1, J: 70}}})
	weights := mat.NewDense(iris.Len(), iris.Len(), nil)
	for i := range iris.Len() - 1 {
		weights.Set(i, i+1, 1+float64(i%3))
	}
	crowd := mat.NewDense(21_000, 2, nil)
	for i := range 21_000 {
		crowd.Set(i, 0, math.Sin(float64(i)))
		crowd.Set(i, 1, math.Cos(float64(3*i)))
	}
	counts := make([]float64, 21_000)
	for i := range counts {
		counts[i] = float64(i)
	}
	many := viz.Samples(data.New(crowd, nil))
	plane := viz.Around(pca).Value("height", 12, 9, func(x *mat.Dense) []float64 {
		out := make([]float64, 12*9)
		for k := range out {
			out[k] = x.At(k, 0) + x.At(k, 1)
		}
		return out
	})
	plane.Path = mat.NewDense(2, 2, []float64{0, 0, 1, 1})
	classes := viz.Around(pca).Class(4, 4, func(*mat.Dense) []int { return []int{0, 1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0} })
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), iris).List("neighbors", 3, 5, 8).Log10("manifold", -1, 1, 1).Train(0.7).Splits(2).MustRun()
	trace := solved{&ssdrnb.Report{Method: "M", Traces: []ssdrnb.Trace{{Name: "solver", Lambda: []float64{1, 2, 2.5}, G: []float64{1, 0.1, 1e-9}}}}}
	sheet := image.NewGray(image.Rect(0, 0, 8, 6))
	sheet.SetGray(3, 3, color.Gray{200})
	var bars []viz.BarSeries
	for k := range 12 {
		bars = append(bars, viz.BarSeries{Name: string(rune('a' + k)), Mean: []float64{1, float64(k)}, Spread: []float64{0.1, 0.2}})
	}
	line := func(name string, by float64) viz.Curve {
		return viz.Curve{Name: name, X: []float64{1, 2, 3, 4}, Mean: []float64{by, 2 * by, 3, 4}, Spread: []float64{0.1, 0.1, 0.2, 0.1}}
	}
	var crowded []viz.Curve
	for k := range 6 {
		crowded = append(crowded, line(string(rune('a'+k)), float64(k)))
	}
	offset := mat.NewDense(11, 2, nil)
	for i := range 11 {
		offset.Set(i, 0, 1.7e9+float64(i)/10)
		offset.Set(i, 1, 1e-8*float64(i))
	}
	decorated := viz.Compare(lda, pca).Labels().Density().Arrows(3).Hover("petal width (cm)", "sepal length (cm)")
	clusters, err := ssdrnb.Communities().Find(iris)
	if err != nil {
		panic(err)
	}
	dense, err := ssdrnb.Clusters().Find(iris)
	if err != nil {
		panic(err)
	}
	different := ssdrnb.Contrast(iris, clusters.Rows(0))
	return map[string]viz.Figure{
		"bars of a contrast":      viz.Contrast(different.In(pca)),
		"pictures of a contrast":  viz.Contrast(ssdrnb.Contrast(digits, rows(20))),
		"embedding with names":    viz.Embedding(pca).Named(clusters),
		"embedding with contrast": viz.Embedding(pca).Contrast(),
		"embedding, pixels":       viz.Embedding(pictures).Contrast(),
		"embedding":               viz.Embedding(pca),
		"embeddings with links":   viz.Compare(ssdrnb.PCA().MustFit(numbered(iris, rows(30))), ssdrnb.PCA().MustFit(numbered(iris, rows(20)))).Linked("number"),
		"embedding decorated":     decorated,
		"embedding of pictures":   viz.Embedding(pictures).Thumbnails(),
		"embedding by values":     viz.Embedding(pca).Color("petal width (cm)").PointSize("petal length (cm)").Opacity("sepal length (cm)").Palette(viz.Diverging),
		"embedding by categories": viz.Embedding(pca).Color(viz.PredictedClass).Highlight(rows(40)...).Axes(false),
		"embedding in one":        viz.Embedding(ssdrnb.LDA().Dims(1).MustFit(iris)),
		"embedding of offsets":    viz.Embedding(viz.Samples(data.New(offset, nil))),
		"embedding in three":      viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)).Color("petal width (cm)").PointSize("petal length (cm)"),
		"embedding of many":       viz.Embedding(many).Color(counts),
		"graph of a matrix":       viz.GraphLinks(pca, viz.Graph{Name: "chain", Weights: weights}),
		"graph of pairs":          viz.PairLinks(ssdrnb.PCA().MustFit(linked)),
		"graph of distortion":     viz.Distortion(pca),
		"adjacency":               viz.Adjacency(iris, viz.Graph{Name: "chain", Weights: weights}, viz.Graph{Name: "signs", Weights: weights, Signs: true}),
		"boundaries":              viz.Boundaries(ssdrnb.LDA().MustFit(plain), ssdrnb.PCA().MustFit(plain)),
		"field":                   viz.Field(plane, classes),
		"pictures":                viz.Pictures(viz.Picture{Image: sheet, Caption: "one"}, viz.Regions([][]int{{0, 1}, {1, 0}}, "inside", "outside").Captioned("two")),
		"bars":                    viz.Bars("score", []string{"first", "a group of a rather long name"}, bars...),
		"bars of long names":      viz.Bars("score", []string{"first", "second"}, viz.BarSeries{Name: "a series whose name is too long for the legend", Mean: []float64{1, 2}}, viz.BarSeries{Name: "a series whose name is too long for a row", Mean: []float64{2, 1}}),
		"bars of loadings":        viz.Loadings(pca),
		"curves":                  viz.CurvePanels("x", "y", viz.CurvePanel{Title: "one", Curves: []viz.Curve{line("a", 1), line("b", 2)}}, viz.CurvePanel{Title: "two", Curves: []viz.Curve{line("a", 1)}}),
		"curves of factors":       viz.Curves("x", "y", viz.Curve{Name: "a", X: []float64{1, 10, 100, 1000}, Mean: []float64{1, 2, 3, 4}}),
		"curves with whiskers":    viz.Curves("x", "y", crowded...),
		"convergence":             viz.Convergence(trace),
		"mesh":                    viz.Mesh(sweep),
		"cone":                    viz.Cone([3]float64{1, 2, 0.5}, [3]float64{0, 1, 1}, [3]float64{0, 0, 2}),
		"tree":                    viz.Tree(dense),
		"multiples":               viz.Multiples(viz.Group{Title: "some", Models: []viz.Embedded{pca, lda}}),
	}
}

func rows(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// numbered returns the given rows of d, with the row numbers as an attribute.
func numbered(d *data.Data, rows []int) *data.Data {
	names := make([]string, len(rows))
	for k, i := range rows {
		names[k] = strconv.Itoa(i)
	}
	return d.Subset(rows).WithAttribute("number", names)
}
