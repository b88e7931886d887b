package experiment_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/experiment"
)

// Following the advice of each error, with the input that caused it, gives a result.
func TestRemedies(t *testing.T) {
	ctx := context.Background()
	iris := datasets.Iris().KeepLabels(5).Seed(1)
	x := mat.NewDense(6, 1, []float64{0, 1, 3, 7, 15, 31})
	twice := mat.NewDense(6, 1, []float64{0, 0, 3, 7, 15, 31})
	decay := func(x *mat.Dense, rows []int, neighbors, ranks int) error {
		_, err := experiment.MeasureDecay(ctx, x, rows, neighbors, ranks)
		return err
	}
	directions := func(ideal []float64, draws ...*data.Data) error {
		_, err := experiment.CompareDirections(ssdrnb.LDA(), ideal, draws...)
		return err
	}
	lines := datasets.TwoLines(1)
	labelling := func(asked ...int) error {
		_, err := experiment.CompareLabelling(ctx, ssdrnb.LDA(), iris, iris, 1, asked...)
		return err
	}
	hidden := func(d *data.Data) error {
		_, err := experiment.CompareLabelling(ctx, ssdrnb.LDA(), d, iris, 1, 3)
		return err
	}
	few := datasets.Iris().Subset([]int{0, 1, 2, 50, 51, 52})
	bare := data.New(few.X, nil)
	trial := func(d *data.Data, must, cannot, draws int, methods ...ssdrnb.Estimator) error {
		_, err := experiment.PairTrial(ctx, d, must, cannot, draws, 1, methods...)
		return err
	}
	pca := ssdrnb.PCA()
	cases := []advicetest.Case{
		{"no matrix", decay(nil, nil, 1, 1), "give at least two samples", func() error { return decay(mat.NewDense(2, 1, []float64{0, 1}), nil, 1, 1) }},
		{"as many ranks as samples", decay(x, nil, 2, 6), "give ranks from 1 to 5", func() error { return decay(x, nil, 2, 5) }},
		{"two ranks of two samples", decay(mat.NewDense(2, 1, []float64{0, 1}), nil, 1, 2), "each of 2 samples has only 1 other; give ranks 1", func() error { return decay(mat.NewDense(2, 1, []float64{0, 1}), nil, 1, 1) }},
		{"a row too many", decay(x, []int{6}, 2, 2), "give at least one row, counted from 0", func() error { return decay(x, []int{5}, 2, 2) }},
		{"too many neighbours", decay(x, nil, 6, 2), "k must lie between 1 and 5", func() error { return decay(x, nil, 5, 2) }},
		{"a duplicate", decay(twice, nil, 2, 5), "give ranks of at most 4", func() error { return decay(twice, nil, 2, 4) }},
		{"equal samples", decay(mat.NewDense(3, 1, []float64{2, 2, 2}), nil, 1, 1), "give samples that differ", func() error { return decay(mat.NewDense(3, 1, []float64{2, 3, 4}), nil, 1, 1) }},
		{"no draws", directions(nil), "give at least one draw", func() error { return directions(nil, lines) }},
		{"an ideal of three features", directions([]float64{0, 1, 0}, lines), "give draws and an ideal direction of the same features", func() error { return directions([]float64{0, 1}, lines) }},
		{"an ideal of length 0", directions([]float64{0, 0}, lines), "give a vector that is finite and not 0", func() error { return directions([]float64{0, 1}, lines) }},
		{"an ideal that is not finite", directions([]float64{math.NaN(), 1}, lines), "give a vector that is finite and not 0", func() error { return directions([]float64{0, 1}, lines) }},
		{"too many labels", labelling(0, 136), "give at least one number from 0 to 135", func() error { return labelling(0, 3) }},
		{"no number of labels", labelling(), "give at least one number from 0 to 135", func() error { return labelling(0) }},
		{"hidden labels that are unknown", hidden(data.New(datasets.Iris().X, iris.Labels)), "give the class of every sample with Data.WithClasses, and hide labels with Data.KeepLabels", func() error { return hidden(iris) }},
		{"no draw", trial(few, 1, 1, 0, pca), "ask for at least one draw", func() error { return trial(few, 1, 1, 1, pca) }},
		{"no method", trial(few, 1, 1, 1), "give at least one, such as ssdrnb.SSGPLVM()", func() error { return trial(few, 1, 1, 1, ssdrnb.SSGPLVM().Rounds(1)) }},
		{"no true classes", trial(bare, 1, 1, 1, pca), "give the class of every sample with Data.WithClasses", func() error { return trial(bare.WithClasses(few.Truth), 1, 1, 1, pca) }},
		{"an unknown class", trial(bare.WithClasses(slices.Concat([]int{-1}, few.Truth[1:])), 1, 1, 1, pca), "give the class of every sample with Data.WithClasses", func() error { return trial(bare.WithClasses(few.Truth), 1, 1, 1, pca) }},
		{"more pairs than there are", trial(few, 7, 1, 1, pca), "draw at most as many pairs as the labels imply", func() error { return trial(few, 6, 9, 1, pca) }},
	}
	advicetest.Everywhere(t, []string{"."}, nil, cases)
	advicetest.Agree(t, cases)
}
