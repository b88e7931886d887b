package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// TRLDA returns the builder of trace ratio linear discriminant analysis. The report has the maximum
// ratio λ* and the history of λ_t and g(λ_t), see below. [Model.Values] are the eigenvalues of S_b
// − λ*(S_w + αI), descending; they sum to 0.
//
// Source: Zhao, Zhang, Chow, Pattern Recognition 2012, eqs. 5–7; Wang et al.,
// CVPR 2007; Jia, Nie, Zhang, TNN 2009.
//
// Objective: maximise tr(WᵀS_b W)/tr(Wᵀ(S_w + αI)W) under WᵀW = I. S_b and S_w are the
// between-class and within-class scatter of the labelled samples, and α is the ridge. The usual LDA
// maximises a ratio trace, tr((Wᵀ(S_w + αI)W)⁻¹WᵀS_b W), instead of this trace ratio.
//
// Solution: let g(λ) be the sum of the d largest eigenvalues of S_b − λ(S_w + αI). The maximum
// ratio λ* is the root of g, and W consists of the corresponding eigenvectors at λ*. The solver
// computes a sequence λ_t that converges to λ*.
//
// Cost: O(nD²) and 5–8 eigendecompositions of order D in the span of the samples.
//
// Defaults: dims 2, solver ITR, ridge 0.1·tr(S_w)/D, pca 0.9 but no fewer than 10
// directions (see TR-SDA).
//
// Fails: unlabelled samples are unused; directions beyond c − 1 lower the ratio; directions of tiny
// variance attract the solution (see the option PCA). With Ridge(0), a singular denominator makes
// the ratio unbounded; the result is then the same as for [NLDA].
func TRLDA() *TRLDABuilder { return newTRLDA(Spec{method: trlda}) }

var trlda = register(Method{
	Name: "TR-LDA", Func: "TRLDA", Title: "trace ratio linear discriminant analysis", Paper: "Wang et al. 2007; Zhao, Zhang, Chow 2012",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Orthonormal: true,
	Params: list(dimsOption.with(2), solverOption, ridgeOption, ridgeScaleOption.with(0.1), automaticPCAOption),
	ratio:  ratioTRLDA,
})

func ratioTRLDA(j *job) (ratioProblem, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	return traceRatio(j, s, sc.Between, dense.AddRidge(sc.Within, ridgeOf(j, sc)))
}

// Solver is the algorithm that maximises a trace ratio.
type Solver string

// Values of [Solver].
const (
	// ITR repeatedly replaces λ by the trace ratio of the d top eigenvectors for this λ. This is
	// Newton's method on the function g of [TRLDA] (Wang et al. 2007).
	ITR Solver = "ITR"
	// ITRScore replaces λ by the better of two ratios: that of ITR, and that of the d eigenvectors
	// with the largest individual ratios (Zhao, Zhang, Chow 2012, Table 1).
	ITRScore Solver = "ITR-Score"
	// itrScoreAsPrinted always uses the second of the two ratios of ITRScore, as printed in the
	// paper. It can converge to a wrong value, and is only for demonstration.
	itrScoreAsPrinted Solver = "ITR-Score as printed"
	// FastTraceRatio replaces λ by the largest ratio of any d of the eigenvectors (Jia, Nie, Zhang
	// 2009).
	FastTraceRatio Solver = "fast"
	// Bisection halves an interval around λ* according to the sign of g (Guo et al. 2003).
	Bisection Solver = "bisection"
)

var solvers = map[Solver]spectral.Solver{
	ITR: spectral.ITR, ITRScore: spectral.ITRScore, itrScoreAsPrinted: spectral.ITRScoreLiteral,
	FastTraceRatio: spectral.Fast, Bisection: spectral.Bisect,
}

// Solver(name): All algorithms converge to the same λ*.
var solverOption = &choiceOption[Solver]{choice{Name: "solver", Setter: "Solver", Default: ITR,
	Choices: choices(ITR, ITRScore, itrScoreAsPrinted, FastTraceRatio, Bisection), Doc: "algorithm that finds λ*"}}
