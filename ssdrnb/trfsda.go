package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// TRFSDA returns the builder of trace ratio based flexible semi-supervised discriminant analysis.
// The report has the maximum ratio λ* and the history of λ_t and g(λ_t), see [TRLDA].
// [Model.Values] are the eigenvalues of A − λ*B, descending, where A is the matrix of the numerator
// and B that of the denominator. These values sum to 0.
//
// Source: Huang, Xu, Nie, TNNLS 2012, in the variant with which Xiong, Nie, Han (IJCAI 2017)
// compare their method. The criterion follows the abstract; the positions of the weights are our
// interpretation. The option "relaxed" selects whether a free embedding F replaces XᵀW only in the
// manifold term, or in all terms as in the code by the authors.
//
// Objective: maximise the ratio of tr(WᵀS_bW) to the sum tr(WᵀS_tW) + α(tr(FᵀLF) + β|XᵀW − F|²)
// over F and over W with WᵀW = I. S_b and S_t are scatters of the labelled samples, and L is the
// Laplacian of the neighbourhood graph of all samples. The last term penalises deviations of the
// embedding from the smooth F. If all terms are relaxed, the scatters are also computed from F, and
// the ridge is part of the denominator.
//
// Solution: for a given W, the best F is β(L + βI)⁻¹XᵀW. With this F, the criterion becomes a trace
// ratio of W with the denominator S_t + αX·βL(L + βI)⁻¹·Xᵀ + a ridge. For a large β the method
// equals TR-SDA, for both values of the option "relaxed".
//
// Cost: for up to 1000 samples, one eigendecomposition of order n serves all α and β, and each β
// takes O(nr²). For more samples, or if affinities differ by factors above 1e6, each β requires a
// sparse Cholesky factor of order n and r solves. The trace ratio takes 5–8 decompositions of order
// r ≤ min(D, n−1). If all terms are relaxed, each α requires a new decomposition or factor, and
// about 20 decompositions of order r follow.
//
// Defaults: dims 2, neighbors 5, self-tuning affinity, alpha 0.1, beta 1, relaxed
// manifold, solver ITR, ridge 1e-3·tr(S_w)/D, pca 0.98.
//
// Fails: directions of tiny variance attract the solution, and a large alpha hurts if graph edges
// connect classes, as in [TRSDA]. For graphs of high intrinsic dimension the Cholesky factor is
// dense.
func TRFSDA() *TRFSDABuilder { return newTRFSDA(Spec{method: trfsda}) }

// Relaxed(terms)
var relaxedOption = &choiceOption[Relaxed]{choice{Name: "relaxed", Setter: "Relaxed", Default: RelaxedManifold, Choices: choices(RelaxedManifold, RelaxedAll), Doc: "terms in which F replaces the embedding"}}

var trfsda = register(Method{
	Name: "TR-FSDA", Func: "TRFSDA", Title: "trace ratio based flexible semi-supervised discriminant analysis", Paper: "Huang, Xu, Nie 2012",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Orthonormal: true,
	Params: list(dimsOption.with(2), neighborsOption.with(5), searchOptions, metricOption, affinityOption.with(SelfTuning), widthOption,
		alphaOption.with(0.1).withDoc("weight α of the flexible manifold term"),
		betaOption.with(1).withDoc("weight β of the distance between embedding and F; for large values they coincide"),
		relaxedOption, solverOption, ridgeOption, ridgeScaleOption.with(1e-3), pcaOption.with(0.98)),
	ratio: ratioTRFSDA,
})

// Relaxed selects the terms of the objective of [TRFSDA] in which F replaces the embedding XᵀW.
type Relaxed string

// Values of [Relaxed].
const (
	// RelaxedManifold uses F in the manifold term only.
	RelaxedManifold Relaxed = "manifold"
	// RelaxedAll also uses F in the scatters. The option "solver" is then ignored.
	RelaxedAll Relaxed = "all"
)

func ratioTRFSDA(j *job) (ratioProblem, error) {
	s, w, err := graphOf(j, spanOf)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	if relaxedOption.of(j) == RelaxedAll {
		return relaxedRatioOf(j, s, sc, w)
	}
	l, err := shared(j.work, laplacianResolventStep{s, w})
	if err != nil {
		return nil, err
	}
	term, err := shared(j.work, flexibleStep{l, betaOption.of(j)})
	if err != nil {
		return nil, err
	}
	return traceRatio(j, s, sc.Between, dense.AddRidge(dense.Plus(sc.Total(), alphaOption.of(j), term), ridgeOf(j, sc)))
}

// laplacianResolventStep computes the resolvent of the graph Laplacian L, which solves systems with
// L + βI for any β.
type laplacianResolventStep struct {
	span  *span
	graph *sparse.CSR
}

func (s laplacianResolventStep) run(*work) (*discriminant.Resolvent, error) {
	return discriminant.NewResolvent(graph.Laplacian(s.graph), s.span.z)
}

// flexibleStep computes X·βL(L + βI)⁻¹·Xᵀ.
type flexibleStep struct {
	l    *discriminant.Resolvent
	beta float64
}

func (s flexibleStep) run(w *work) (*mat.SymDense, error) {
	term, err := s.l.Filtered(w.ctx, s.beta)
	if err != nil {
		return nil, err
	}
	term.ScaleSym(s.beta, term)
	return term, nil
}
