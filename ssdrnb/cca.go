package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// CCA returns the builder of canonical correlation analysis between the samples and the codes of
// their classes. [Model.Values] are the squared canonical correlations, descending. The directions
// w satisfy wᵀ(C_xx + αI)w = 1, with the ridge α.
//
// Source: Hotelling 1936; with class codes as in the comparison of methods in the paper on [TRSDA],
// which does not define the codes. Here the code of class k < c is the unit vector e_k, and the
// code of the last class is 0. Any other code of c − 1 columns that separates the classes gives the
// same result.
//
// Objective: find directions in which the labelled samples and their codes have the greatest
// correlation.
//
// Solution: C_xy·C_yy⁻¹·C_yx w = τ (C_xx + αI) w with the largest τ, the squared canonical
// correlations. C_xx, C_xy and C_yy are the scatter matrices of the labelled samples, of these
// samples and their codes, and of the codes. C_xx equals S_t and C_xy·C_yy⁻¹·C_yx equals S_b, so
// without a ridge the directions are those of LDA.
//
// Cost: O(nD² + r³) time, where r ≤ min(D, n−1) is the dimension of the linear span of the samples.
//
// Defaults: dims 2, ridge 1e-3·tr(S_w)/D, pca 1.
//
// Fails: unlabelled samples are unused, as in [LDA]. There are at most c − 1 directions for c
// classes, although the tables of the paper on [TRSDA] list more. With a ridge the result depends
// on the units of the features.
func CCA() *CCABuilder { return newCCA(Spec{method: cca}) }

var cca = register(Method{
	Name: "CCA", Func: "CCA", Title: "canonical correlation analysis with class codes", Paper: "Hotelling 1936",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, unitless: unridged, Nested: true,
	Params: list(dimsOption.with(2), ridgeOption, ridgeScaleOption.with(1e-3), pcaOption.with(1)),
	fit:    fitCCA,
})

func fitCCA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	x, y := discriminant.Coded(s.z, j.data.Labels, sc.Classes)
	_, r := x.Dims()
	_, codes := y.Dims()
	cxx, cyy := mat.NewSymDense(r, nil), mat.NewSymDense(codes, nil)
	cxx.SymOuterK(1, x.T())
	cyy.SymOuterK(1, y.T())
	white, err := spectral.Whiten(cyy)
	if err != nil {
		return nil, err
	}
	var cxy, half mat.Dense
	cxy.Mul(x.T(), y)
	half.Mul(&cxy, white) // C_xy·C_yy^(−½)
	explained := mat.NewSymDense(r, nil)
	explained.SymOuterK(1, &half)
	d := j.ofClasses(s, min(codes, r), len(sc.Classes))
	pairs, err := spectral.GeneralizedTop(explained, dense.AddRidge(cxx, ridgeOf(j, sc)), d)
	if err != nil {
		return nil, err
	}
	j.regular(s, len(pairs.Values), d)
	j.distinct(len(pairs.Values), pairs.Gap, 1)
	return s.solution(pairs.Vectors, pairs.Values), nil
}
