package ssdrnb

// KLDA returns the builder of kernel discriminant analysis. [Model.Values] are the generalised
// eigenvalues τ, descending.
//
// Source: Mika et al., NNSP 1999; Baudat, Anouar, Neural Computation 2000; in the variant used for
// comparison in the paper on [TRSDA].
//
// Objective: the same as for LDA, tr((Vᵀ(S_w + αI)V)⁻¹ VᵀS_bV), with the columns of R as samples.
// RᵀR is the kernel matrix K.
//
// Solution: S_b v = τ (S_w + αI) v with the largest τ, in the coordinates R. In terms of K this is
// K·L_b·K a = τ (K·L_w·K + αK) a with v = Ra, S_b = R·L_b·Rᵀ and S_w = R·L_w·Rᵀ.
//
// Cost: O(nr² + r³) time and O(nr) memory, where r is the rank of R.
//
// Defaults: dims 2, RBF kernel with s the median distance, rank 1000, cut 1e-3,
// within S_w, denominator norm, ridge tr(K·L_w)/n.
//
// Fails: there are at most c − 1 directions for c classes, and unlabelled samples affect only the
// coordinates R. A small scale s together with a small cut and ridge overfits, as in [TRKLDA].
func KLDA() *KLDABuilder { return newKLDA(Spec{method: klda}) }

var klda = register(Method{
	Name: "KLDA", Func: "KLDA", Title: "kernel discriminant analysis", Paper: "Mika et al. 1999; Baudat, Anouar 2000",
	Supervision: Supervised, Shape: Kernel, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2), kernelOptions, kernelRidgeOption, ridgeScaleOption.with(1), withinOption.with(WithinScatter),
		normOption, factorOptions),
	fit: fitKLDA,
})

func fitKLDA(j *job) (*solution, error) {
	s, err := kernelSpanOf(j)
	if err != nil {
		return nil, err
	}
	return ratioTrace(j, s, scatterOf(j, s), nil)
}
