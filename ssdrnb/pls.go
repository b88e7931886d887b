package ssdrnb

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// PLS returns the builder of partial least squares. It uses a numeric target
// ([data.Data.WithTarget]) or, without a target, labels as class indicators (PLS-DA).
// [Model.Values] has one share for each dimension: the share of the variance of the target or
// indicators that the dimension explains.
//
// Source: Wold, Sjöström, Eriksson, "PLS-regression: a basic tool of chemometrics",
// Chemometrics and Intelligent Laboratory Systems 58, 2001; Barker, Rayens, Journal of
// Chemometrics 17, 2003 (classes).
//
// Objective: find successive directions w that maximise the covariance |YᵀXw| under |w| = 1. X
// holds the samples with known values or labels, one per row, and Y their targets or indicators,
// both centred. Before each direction, the components t = Xw of the earlier directions are
// projected out of X.
//
// Solution: NIPALS. w is the first left singular vector of XᵀY, and X is deflated by t·tᵀX/tᵀt.
// With the directions V and the loadings P, W = V(PᵀV)⁻¹ maps the samples to the components, which
// are uncorrelated over the samples in X.
//
// Cost: O(nD² + D³) time for the span of the samples and O(mDd) for the m samples in X.
//
// Defaults: dims 2, pca 1.
//
// Fails: with at least as many features as known values, the directions fit chance correlations
// (for a numeric target the report warns). Only linear gradients are found. Features in larger
// units have more weight: standardise first.
func PLS() *PLSBuilder { return newPLS(Spec{method: pls}) }

var pls = register(Method{
	Name: "PLS", Func: "PLS", Title: "partial least squares", Paper: "Wold, Sjöström, Eriksson 2001",
	Supervision: Supervised, Shape: Linear, Uses: FromLabelsOrTarget, Nested: true, gapless: true,
	Params: list(dimsOption.with(2), pcaOption.with(1)),
	fit:    fitPLS,
})

func fitPLS(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	if err := j.begin("components"); err != nil {
		return nil, err
	}
	rows, y := responses(j)
	x := samples.Pick(s.z, rows)
	m, r := x.Dims()
	known, response := "labelled samples", "class indicators"
	if fitsTarget(j) {
		known, response = "samples with known values", "known values"
	}
	reason := "the " + known + " span no more dimensions"
	if r < m-1 && r < dimsOption.of(j) {
		reason = j.ends(s, reason)
	}
	d := j.limit(min(m-1, r), reason)
	w, values := discriminant.PartialLeastSquares(samples.Minus(x, samples.Means(x)), y, d)
	if len(values) == 0 {
		if !fitsTarget(j) {
			return nil, j.fault("labels", nil, fmt.Errorf("%w: the features have no covariance with the classes", ErrNeedsLabels), "label more samples, or give other features")
		}
		return nil, j.fault("target", nil, fmt.Errorf("%w: the features have no covariance with the known values", ErrNeedsTarget), "give more values with Data.WithTarget, or other features")
	}
	if len(values) < d {
		j.limit(len(values), "further dimensions explain no more of the variance of the "+response)
	}
	return s.solution(w, values), nil
}

// responses returns the row numbers of the samples with known values or labels, and their centred
// responses y. y has one row for each of these samples. Its columns are the target, or one
// indicator per class.
func responses(j *job) (rows []int, y *mat.Dense) {
	if fitsTarget(j) {
		known, mean := targetOf(j.data.Target()), targetMean(j.data)
		y = mat.NewDense(len(known.Rows), 1, nil)
		for k, v := range known.Values {
			y.Set(k, 0, v-mean)
		}
		return known.Rows, y
	}
	classes := j.data.Classes()
	rows = j.labelledRows()
	y = mat.NewDense(len(rows), len(classes), nil)
	for k, i := range rows {
		if l := j.data.Labels[i]; l != data.Unlabelled {
			y.Set(k, slices.Index(classes, l), 1)
		}
	}
	return rows, samples.Minus(y, samples.Means(y))
}
