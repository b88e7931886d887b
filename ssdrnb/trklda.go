package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

// TRKLDA returns the builder of trace ratio kernel discriminant analysis. The
// report has s, α, λ* and the history of λ_t and g(λ_t). Values are the
// eigenvalues of A − λ*B, descending; they sum to 0.
//
// Source: Zhao, Zhang, Chow, Pattern Recognition 2012, eqs. 22–24, Tables 3 and 4.
//
// Objective: maximise tr(VᵀR·L_b·RᵀV)/tr(Vᵀ(R·L_w·Rᵀ + αI)V) under VᵀV = I, the
// columns of R being the labelled samples in coordinates with RᵀR = K. A sample
// is embedded as VᵀR.
//
// Solution: as for [TRLDA] in these coordinates: pivoted Cholesky K = RᵀR, centred, and the
// leading directions of the result. New points need their kernel with the pivots only.
//
// Cost: O(nr² + r³) time and O(nr) memory for the rank r of the factor, 5–8 eigen-decompositions
// in the directions left by Cut.
//
// Defaults: dims 2, RBF kernel with s the median distance, rank 1000, cut 1e-3,
// solver ITR, ridge tr(K·L_w)/n.
//
// Fails: unlabelled samples only shape the kernel's directions. A small s, Cut and ridge together
// separate any labelled samples without generalising.
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
