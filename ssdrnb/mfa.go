package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/margins"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// MFA returns the builder of marginal Fisher analysis. [Model.Values] are the generalised
// eigenvalues τ, descending. The directions w satisfy wᵀBw = 1 for the denominator B = X·L·Xᵀ + αI.
//
// Source: Yan et al., TPAMI 2007.
//
// Objective: maximise tr((WᵀX·L·XᵀW)⁻¹ WᵀX·L^p·XᵀW). L is the Laplacian of the intrinsic graph,
// which links two samples of one class if either is among the k1 nearest samples of the other in
// that class. L^p is the Laplacian of the penalty graph. For each class it links the k2 closest
// pairs that consist of a sample inside and a sample outside the class.
//
// Solution: X·L^p·Xᵀw = τ (X·L·Xᵀ + αI)w with the largest τ, where α is the ridge.
//
// Cost: O(l²D) for the neighbours of l labelled samples, then O(l(k1 + k2)D + D³).
//
// Defaults: dims 2, homogeneous k1 = 5, heterogeneous k2 = 20, ridge 0, pca 0.98.
//
// Fails: X·L·Xᵀ is singular where a class has few labelled samples. Without a ridge, directions in
// which it vanishes are dropped, so reduce the dimension by PCA first.
func MFA() *MFABuilder { return newMFA(Spec{method: mfa}) }

// Ridge(alpha)
var mfaRidgeOption = floatOption{Name: "ridge", Setter: "Ridge", Default: 0.0, Min: 0, Max: huge, Log: true,
	Doc: "ridge α ≥ 0 added to the diagonal of the denominator, in squared units of the data"}

var mfa = register(Method{
	Name: "MFA", Func: "MFA", Title: "marginal Fisher analysis", Paper: "Yan et al. 2007",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2),
		homogeneousOption.with(5).withDoc("number k1 of nearest labelled samples of the same class per sample; all if there are fewer"),
		heterogeneousOption.with(20).withDoc("number k2 of shortest pairs between each class and the rest"), mfaRidgeOption,
		pcaOption.with(0.98)),
	fit: fitMFA,
})

func fitMFA(j *job) (*solution, error) {
	s, err := labelledSpanOf(j)
	if err != nil {
		return nil, err
	}
	n, r := s.z.Dims()
	// Each of the k2 closest pairs of a class links a sample to one of its k2 nearest neighbours in
	// other classes, so it suffices to search these neighbours.
	nb, err := classNeighbors(j, s, -1)
	if err != nil {
		return nil, err
	}
	var within []sparse.Triplet
	for i := range nb.Same {
		within = nb.Same[i].Add(within, i, 1)
	}
	if len(within) == 0 {
		return nil, j.fault("labels", nil, fmt.Errorf("%w: every class has only one labelled sample, so the intrinsic graph is empty", ErrNeedsLabels), "label at least two samples of a class")
	}
	intrinsic, err := margins.BinaryAlignment(n, within)
	if err != nil {
		return nil, err
	}
	apart, err := margins.BinaryAlignment(n, margins.MarginalPairs(j.data, nb.Other, heterogeneousOption.of(j)))
	if err != nil {
		return nil, err
	}
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	d := j.spanned(s, r)
	penalty := s.smooth(j.work, apart)
	if mat.Trace(penalty) == 0 {
		return nil, j.fault("heterogeneous", heterogeneousOption.of(j), fmt.Errorf("%w: the nearest samples of different classes coincide, so the penalty graph separates nothing", ErrData), "raise Heterogeneous")
	}
	denominator, ridge := s.smooth(j.work, intrinsic), mfaRidgeOption.of(j)
	if mat.Trace(denominator) == 0 && ridge == 0 {
		return nil, j.fault("homogeneous", homogeneousOption.of(j), fmt.Errorf("%w: every labelled sample coincides with its neighbours of the same class, so the denominator is 0", ErrData), "raise Homogeneous, or set Ridge")
	}
	pairs, err := spectral.GeneralizedTop(penalty, dense.AddRidge(denominator, ridge), d)
	if err != nil {
		return nil, err
	}
	if _, got := pairs.Vectors.Dims(); got < d {
		j.report.warnMissing(got, d, "the intrinsic graph spans no more dimensions; set Ridge")
	}
	j.distinct(len(pairs.Values), pairs.Gap, pairs.Values[0])
	return s.solution(pairs.Vectors, pairs.Values), nil
}
