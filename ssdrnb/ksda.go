package ssdrnb

// KSDA returns the builder of kernel semi-supervised discriminant analysis. [Model.Values] are the
// generalised eigenvalues τ, descending.
//
// Source: Cai, He, Han, ICCV 2007, Section 5, in the variant used for comparison in the paper on
// [TRSDA].
//
// Objective: the same as for SDA, with the columns of R as samples. RᵀR is the kernel matrix K.
//
// Solution: S_b v = τ (S + λ_m·R·L_m·Rᵀ + αI) v with the largest τ. In terms of K this is Cai's
// K·L_b·K a = τ (K(L + λ_m·L_m)K + αK) a with v = Ra, S_b = R·L_b·Rᵀ and S = R·L·Rᵀ. S is S_w or
// S_t, as set by the option "within"; L is then L_w or L_t. L_m is the Laplacian of the
// neighbourhood graph.
//
// Cost: the same as for KLDA, plus a search for neighbours and O(nkr) for the manifold term.
//
// Defaults: dims 2, RBF kernel with s the median distance, rank 1000, cut 1e-3, neighbors 8, heat
// affinity with t = (half the median distance)², manifold 1 relative to tr(K·L_w)/tr(K·L_m), within
// S_w, denominator norm, ridge tr(K·L_w)/n.
//
// Fails: there are at most c − 1 directions for c classes. A large manifold weight hurts where
// graph edges connect classes, as in [SDA]. A small scale s together with a small cut and ridge
// overfits. With dims 1 the method equals [TRKSDA].
func KSDA() *KSDABuilder { return newKSDA(Spec{method: ksda}) }

var ksda = register(Method{
	Name: "KSDA", Func: "KSDA", Title: "kernel semi-supervised discriminant analysis", Paper: "Cai, He, Han 2007",
	Supervision: SemiSupervised, Shape: Kernel, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2), kernelOptions, neighborsOption.with(8), searchOptions, metricOption, affinityOption.with(Heat), widthOption,
		manifoldOptions(1), kernelRidgeOption, ridgeScaleOption.with(1), withinOption.with(WithinScatter), normOption,
		factorOptions),
	fit: fitKSDA,
})

func fitKSDA(j *job) (*solution, error) {
	s, m, err := manifoldOf(j, kernelSpanOf)
	if err != nil {
		return nil, err
	}
	return ratioTrace(j, s, scatterOf(j, s), m)
}
