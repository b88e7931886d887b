package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

// TRKLDA returns the builder of trace ratio kernel discriminant analysis. The report has the kernel
// scale s, the ridge α, the maximum ratio λ* and the history of λ_t and g(λ_t), see [TRLDA].
// [Model.Values] are the eigenvalues of A − λ*B, descending, where A is the matrix of the numerator
// and B that of the denominator. These values sum to 0.
//
// Source: Zhao, Zhang, Chow, Pattern Recognition 2012, eqs. 22–24, Tables 3 and 4.
//
// Objective: maximise tr(VᵀR·L_b·RᵀV)/tr(Vᵀ(R·L_w·Rᵀ + αI)V) under VᵀV = I. The columns of R are
// the labelled samples in coordinates with RᵀR = K, the kernel matrix. R·L_b·Rᵀ and R·L_w·Rᵀ are
// the between-class and within-class scatter in these coordinates, and α is the ridge. A sample is
// embedded as VᵀR.
//
// Solution: as for [TRLDA] in these coordinates. R is the pivoted Cholesky factor of K = RᵀR,
// centred and reduced to its leading directions. A new point requires its kernel values with the
// pivot samples only.
//
// Cost: O(nr² + r³) time and O(nr) memory for the rank r of the factor, and 5–8 eigendecompositions
// whose order is the number of directions that the option "cut" keeps.
//
// Defaults: dims 2, RBF kernel whose scale s is the median distance, rank 1000, cut 1e-3, solver
// ITR, ridge tr(K·L_w)/n.
//
// Fails: unlabelled samples affect only the kernel directions. A small scale s together with a
// small cut and ridge separates any labelled samples without generalising.
func TRKLDA() *TRKLDABuilder { return newTRKLDA(Spec{method: trklda}) }

var trklda = register(Method{
	Name: "TR-KLDA", Func: "TRKLDA", Title: "trace ratio kernel discriminant analysis", Paper: "Zhao, Zhang, Chow 2012",
	Supervision: Supervised, Shape: Kernel, Uses: FromLabels,
	Params: list(dimsOption.with(2), kernelOptions, solverOption, kernelRidgeOption, ridgeScaleOption.with(1), factorOptions),
	ratio:  ratioTRKLDA,
})

func ratioTRKLDA(j *job) (ratioProblem, error) {
	s, err := kernelSpanOf(j)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	return traceRatio(j, s, sc.Between, dense.AddRidge(sc.Within, ridgeOf(j, sc)))
}
