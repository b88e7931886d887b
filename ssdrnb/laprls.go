package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// LapRLS returns the builder of linear Laplacian regularised least squares. The embedding has one
// dimension for each class, in the order of the labels; the report has the objective.
//
// Source: Belkin, Niyogi, Sindhwani, JMLR 2006; Sindhwani et al. 2005; Xiong, Nie,
// Han, IJCAI 2017, eq. 1.
//
// Objective: minimise γ_A|W|² + γ_I·tr(WᵀX·L·XᵀW) + (1/l)Σ|Wᵀx_i + b − y_i|² over W and b. The last
// sum runs over the l labelled samples, y_i is the class indicator of sample i, and L is the
// Laplacian of the neighbourhood graph of all samples.
//
// Solution: W = (X·H·Xᵀ/l + γ_A·I + γ_I·X·L·Xᵀ)⁻¹X·H·Yᵀ/l in the span of the samples. H selects and
// centres the labelled samples, and Y has the columns y_i. The bias b makes the residuals of the
// labelled samples sum to 0.
//
// A numeric target ([data.Data.WithTarget]) replaces the labels and their indicators. The first
// dimension of the embedding is then the fitted target, in its units. The second is the first
// principal component of the samples after their projection orthogonal to the first direction.
//
// Cost: a search for neighbours and O(nr² + r³) in the span of rank r ≤ min(D, n−1). All values of
// γ_A share one decomposition.
//
// Defaults: neighbors 5, self-tuning affinity, ambient 0.01, intrinsic 0.1, pca 1.
//
// Fails: where neighbours differ in class. γ_A has the unit of squared features; a large γ_A
// shrinks all projections towards b. The embedding approximates the class indicators, so without a
// numeric target it has one dimension per class.
func LapRLS() *LapRLSBuilder { return newLapRLS(Spec{method: laprls}) }

// Ambient(weight)
var ambientOption = floatOption{Name: "ambient", Setter: "Ambient", Default: 0.01, Min: tiny, Max: huge, Log: true, Doc: "weight γ_A of |W|², in squared units of the data"}

// Intrinsic(weight)
var intrinsicOption = floatOption{Name: "intrinsic", Setter: "Intrinsic", Default: 0.1, Min: 0, Max: huge, Log: true, Doc: "weight γ_I of the smoothness over the graph"}

var laprls = register(Method{
	Name: "LapRLS/L", Func: "LapRLS", Title: "linear Laplacian regularised least squares", Paper: "Belkin, Niyogi, Sindhwani 2006",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabelsOrTarget,
	Params: list(neighborsOption.with(5), searchOptions, metricOption, affinityOption.with(SelfTuning), widthOption, ambientOption, intrinsicOption, pcaOption.with(1)),
	fit:    fitLapRLS,
})

func fitLapRLS(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	m, err := weightedSmoothness(j, s, intrinsicOption.of(j))
	if err != nil {
		return nil, err
	}
	if err := j.begin("regression"); err != nil {
		return nil, err
	}
	if fitsTarget(j) {
		return targetRegression(j, s, m)
	}
	sc := scatterOf(j, s)
	l, intrinsic := float64(j.data.NumLabelled()), intrinsicOption.of(j)
	normal, err := shared(j.work, normalStep{sc, m, intrinsic})
	if err != nil {
		return nil, err
	}
	ambient := ambientOption.of(j)
	w := normal.Apply(func(v float64) float64 { return 1 / (l * (v + ambient)) }, sc.Targets())
	sol := s.regression(w, sc.Intercept(w))
	var lw mat.Dense
	lw.Mul(m.term, w)
	j.fact("objective", ambient*dense.Inner(w, w)+intrinsic*dense.Inner(w, &lw)+sc.Misfit(sol.y, j.data.Labels)/l)
	return sol, nil
}

// normalStep decomposes S_t/l + γ_I·X·L·Xᵀ, the matrix of the normal equations without the ridge.
type normalStep struct {
	scatter   *discriminant.Scatter
	smooth    *penalty
	intrinsic float64
}

func (s normalStep) run(*work) (*spectral.Spectrum, error) {
	zero := mat.NewSymDense(s.smooth.term.SymmetricDim(), nil)
	l := 0
	for _, count := range s.scatter.Counts {
		l += count
	}
	m := dense.Plus(zero, 1/float64(l), s.scatter.Total())
	spectrum, err := spectral.Decompose(dense.Plus(m, s.intrinsic, s.smooth.term))
	if err != nil {
		return nil, err
	}
	return spectrum.Clip(), nil // negative eigenvalues from rounding become 0
}
