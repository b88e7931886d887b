package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// MMP returns the builder of maximum margin projections. [Model.Values] are the generalised
// eigenvalues τ, descending. The directions a satisfy aᵀ(X·D_w·Xᵀ + μI)a = 1, with the ridge μ.
//
// Source: He, Cai, Han, TKDE 2008, as restated in the paper on [S2LAE].
//
// Objective: maximise aᵀX(αL_b + (1−α)W_w)Xᵀa under aᵀX·D_w·Xᵀa = 1. L_b is the Laplacian of the
// graph W_b, which links neighbours of different classes with weight 1. The graph W_w links all
// samples of one class with weight γ. It also links two neighbours with weight 1 if either is
// unlabelled. D_w is the diagonal matrix of the degrees of W_w.
//
// Solution: X(αL_b + (1−α)W_w)Xᵀa = τ(X·D_w·Xᵀ + μI)a with the largest τ. The class blocks of W_w
// are computed from class sums, so no dense n×n matrix is formed.
//
// Cost: a search for neighbours, O(nkD + nD² + D³) for the rest.
//
// Defaults: dims 2, neighbors 12, between 0.5, same class 50 (the authors' values), ridge
// 1e-3·tr(S_w)/D, center true, pca 1.
//
// Fails: X·W_w·Xᵀ depends on the origin. The samples are centred by default, although the paper does
// not mention it: otherwise the first direction is roughly the mean of the samples and separates
// nothing.
func MMP() *MMPBuilder { return newMMP(Spec{method: mmp}) }

// Between(alpha)
var betweenOption = floatOption{Name: "between", Setter: "Between", Default: 0.5, Min: 0, Max: 1, Doc: "share α of the between-class term in the objective"}

// SameClass(gamma)
var sameClassOption = floatOption{Name: "same class", Setter: "SameClass", Default: 50.0, Min: 0, Max: huge, Log: true, Doc: "weight γ of a link between samples of one class"}

// Center(yes): Without centring, the result depends on the origin of the data, and PCA is not
// applied.
var centerOption = boolOption{Name: "center", Setter: "Center", Default: true, Doc: "whether the samples are centred at their mean"}

var mmp = register(Method{
	Name: "MMP", Func: "MMP", Title: "maximum margin projections", Paper: "He, Cai, Han 2008",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels,
	Params: list(dimsOption.with(2), neighborsOption.with(12), searchOptions, betweenOption, sameClassOption, centerOption, ridgeOption,
		ridgeScaleOption.with(1e-3), pcaOption.with(1)),
	fit: fitMMP,
})

func fitMMP(j *job) (*solution, error) {
	s := uncentred(j.x())
	if centerOption.of(j) {
		var err error
		if s, err = spanOf(j); err != nil {
			return nil, err
		}
	}
	sc := scatterOf(j, s)
	if err := j.begin("graph"); err != nil {
		return nil, err
	}
	nb, err := neighborsOf(j, j.x(), neighborsOption.of(j))
	if err != nil {
		return nil, err
	}
	g, err := nb.Graph(graph.Or, graph.Binary())
	if err != nil {
		return nil, err
	}
	between, within, err := discriminant.MarginGraphs(g, j.data.Labels)
	if err != nil {
		return nil, err
	}
	alpha, gamma := betweenOption.of(j), sameClassOption.of(j)
	links, degrees := discriminant.SameClass(s.z, j.data.Labels, sc.Classes)
	_, r := s.z.Dims()
	numerator := dense.Plus(mat.NewSymDense(r, nil), alpha, dense.Quadratic(graph.Laplacian(between), s.z))
	numerator = dense.Plus(numerator, 1-alpha, dense.Plus(dense.Quadratic(within, s.z), gamma, links))
	for i, d := range within.RowSums() {
		degrees[i] = d + gamma*degrees[i]
	}
	denominator := dense.AddRidge(dense.Quadratic(sparse.Diagonal(degrees), s.z), ridgeOf(j, sc))
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	d := j.spanned(s, r)
	pairs, err := spectral.GeneralizedTop(numerator, denominator, d)
	if err != nil {
		return nil, err
	}
	j.regular(s, len(pairs.Values), d)
	return s.solution(pairs.Vectors, pairs.Values), nil
}

// uncentred returns a span that consists of the samples themselves: all features, with origin 0.
func uncentred(x *mat.Dense) *span {
	_, features := x.Dims()
	return &span{mean: make([]float64, features), basis: dense.Identity(features, features), z: x}
}
