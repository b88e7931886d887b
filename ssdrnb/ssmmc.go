package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

// SSMMC returns the builder of the semi-supervised maximum margin criterion. [Model.Values] are the
// eigenvalues of S_b − λ₁S_w − λ₂·X·L·Xᵀ, descending.
//
// Source: Song, Nie, Zhang, Xiang, Pattern Recognition 2008, as restated in Section 5 of the paper
// on [TRSDA].
//
// Objective: maximise tr Wᵀ(S_b − λ₁S_w − λ₂·X·L·Xᵀ)W under WᵀW = I. S_b and S_w are the
// between-class and within-class scatter of the labelled samples, and L is the Laplacian of the
// neighbourhood graph of all samples.
//
// Solution: the top eigenvectors of the matrix S_b − λ₁S_w − λ₂·X·L·Xᵀ. If λ₁ = λ* and λ₂ = λ*·λ_m,
// where λ* and λ_m are those of TR-SDA without a ridge, the solution is that of TR-SDA, and the top
// eigenvalues sum to 0.
//
// Cost: the same as for MMC, plus a search for neighbours.
//
// Defaults: dims 2, neighbors 8, heat affinity with t = (half the median distance)², within weight
// 1, manifold 0.1 (balance relative), pca 1.
//
// Fails: the difference depends on the relative scales of its terms, as in [MMC]. A large manifold
// weight hurts if graph edges connect classes.
func SSMMC() *SSMMCBuilder { return newSSMMC(Spec{method: ssmmc}) }

// WithinWeight(weight)
var withinWeightOption = floatOption{Name: "within weight", Setter: "WithinWeight", Default: 1.0, Min: 0, Max: huge, Log: true, Doc: "weight λ₁ of the within-class scatter"}

var ssmmc = register(Method{
	Name: "SSMMC", Func: "SSMMC", Title: "semi-supervised maximum margin criterion", Paper: "Song, Nie, Zhang, Xiang 2008",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), neighborsOption.with(8), searchOptions, metricOption, affinityOption.with(Heat), widthOption, withinWeightOption,
		manifoldOptions(0.1), pcaOption.with(1)),
	fit: fitSSMMC,
})

func fitSSMMC(j *job) (*solution, error) {
	s, m, err := manifoldOf(j, spanOf)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	margin := dense.Plus(sc.Between, -withinWeightOption.of(j), sc.Within)
	return difference(j, s, dense.Plus(margin, -manifoldWeight(j, sc, m), m.term))
}
