package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

// TRKSDA returns the builder of trace ratio kernel semi-supervised discriminant analysis. The
// report has the kernel scale s, the width σ, the manifold weight λ_m, the ridge α, the maximum
// ratio λ* and the history of λ_t and g(λ_t), see [TRLDA]. [Model.Values] are the eigenvalues of A
// − λ*B, descending, where A is the matrix of the numerator and B that of the denominator. These
// values sum to 0.
//
// Source: Zhao, Zhang, Chow, Pattern Recognition 2012, eqs. 22–24, Tables 3 and 4. The denominator
// is printed as L_b + L_m, but should be L_w + λ_m·L_m.
//
// Objective: maximise tr(VᵀR·L_b·RᵀV)/tr(Vᵀ(R(L_w + λ_m·L_m)Rᵀ + αI)V) under VᵀV = I, in
// coordinates R of the samples with RᵀR = K, the kernel matrix.
//
// Solution: as for [TRSDA] in these coordinates, see [TRKLDA]. L_m is the Laplacian of the
// neighbourhood graph of the original samples, not of their images in the feature space.
//
// Cost: the same as for TR-KLDA, plus a search for neighbours and O(nkr) for the manifold term.
//
// Defaults: dims 2, RBF kernel whose scale s is the median distance, rank 1000, cut 1e-3,
// neighbors 8, heat affinity with t = (half the median distance)², manifold 1 relative to
// tr(K·L_w)/tr(K·L_m), solver ITR, ridge tr(K·L_w)/n.
//
// Fails: a small scale s together with a small cut and ridge overfits, as in [TRKLDA], and a large
// manifold weight hurts if graph edges connect classes. With the linear kernel the method equals
// TR-SDA.
func TRKSDA() *TRKSDABuilder { return newTRKSDA(Spec{method: trksda}) }

var trksda = register(Method{
	Name: "TR-KSDA", Func: "TRKSDA", Title: "trace ratio kernel semi-supervised discriminant analysis", Paper: "Zhao, Zhang, Chow 2012",
	Supervision: SemiSupervised, Shape: Kernel, Uses: FromLabels,
	Params: list(dimsOption.with(2), kernelOptions, neighborsOption.with(8), searchOptions, metricOption, affinityOption.with(Heat), widthOption,
		manifoldOptions(1), solverOption, kernelRidgeOption, ridgeScaleOption.with(1), factorOptions),
	ratio: ratioTRKSDA,
})

func ratioTRKSDA(j *job) (ratioProblem, error) {
	s, m, err := manifoldOf(j, kernelSpanOf)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	b := dense.Plus(sc.Within, manifoldWeight(j, sc, m), m.term)
	return traceRatio(j, s, sc.Between, dense.AddRidge(b, ridgeOf(j, sc)))
}
