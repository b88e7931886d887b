package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
)

// SSDA returns the builder of semi-supervised discriminant analysis with robust path-based
// similarity. The options Manifold and Balance set the weight of the term S_u of the objective.
// [Model.Values] are the generalised eigenvalues τ, descending. With the default norm, wᵀBw = 1 for
// the denominator B.
//
// Source: Zhang, Yeung, CVPR 2008, as described in the paper on [S3RMM]: LDA with a term for the
// similarity between unlabelled samples and class centres, and a ridge. We could not check the
// weighting in the original. The path similarity below is exact, but its use in S_u is our
// interpretation.
//
// Objective: maximise tr((Wᵀ(S + λ_m·S_u + αI)W)⁻¹ WᵀS_b W), where S_u = Σ_k Σ_u s(k, u)(x_u −
// μ_k)(x_u − μ_k)ᵀ over the classes k with means μ_k and the unlabelled samples u. s(k, u) is the
// mean similarity between u and the labelled samples of class k. The similarity of an edge is
// a_i·a_j·exp(−d_ij²/t). The similarity of a path is the smallest similarity of its edges, and the
// similarity of two samples is the largest similarity of the paths between them. The robustness a_i
// keeps outliers from bridging classes. It is the sum of exp(−d²/t) over the nearest neighbours of
// i, relative to the largest such sum.
//
// Solution: the most similar paths lie in the maximum spanning tree of the complete graph. Then S_b
// w = τ (S + λ_m·S_u + αI)w with the largest τ, where S is S_w or S_t.
//
// Cost: O(n²D) time and O(n) memory for the tree (Prim), O(l·n) for the paths from the l labelled
// samples, plus the cost of LDA.
//
// Defaults: dims 2, neighbors 5, width t = (half the median distance)², manifold 0.1 (balance
// relative), ridge 1e-3·tr(S_w)/D, within S_w, denominator norm, pca 1.
//
// Fails: if classes touch, the most similar paths cross from one class to the other. If all samples
// are labelled, S_u is 0, and the options neighbors, width, manifold and balance have no effect.
func SSDA() *SSDABuilder { return newSSDA(Spec{method: ssda}) }

// Neighbors(k)
var ssdaNeighborsOption = intOption{Name: "neighbors", Setter: "Neighbors", Default: 5, Min: 1, Max: many,
	Doc: "number of nearest neighbours from which the robustness of a sample is computed, below the number of samples"}

var ssda = register(Method{
	Name: "SSDA", Func: "SSDA", Title: "semi-supervised discriminant analysis with robust path-based similarity", Paper: "Zhang, Yeung 2008",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2), ssdaNeighborsOption, widthOption, manifoldOptions(0.1), ridgeOption,
		ridgeScaleOption.with(1e-3), withinOption.with(WithinScatter), normOption, pcaOption.with(1)),
	fit: fitSSDA,
})

func fitSSDA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	if j.data.NumLabelled() == j.data.Len() || manifoldOption.of(j) == 0 {
		return ratioTrace(j, s, scatterOf(j, s), nil)
	}
	if err := j.begin("paths"); err != nil {
		return nil, err
	}
	points := s.points(j.x())
	t, err := widthOf(j, points)
	if err != nil {
		return nil, err
	}
	nb, err := searchFor(j, pointsOf{x: points, search: searchOf(j)}, ssdaNeighborsOption.of(j))
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	m, err := shared(j.work, pathStep{points, nb, t, s, sc})
	if err != nil {
		return nil, err
	}
	return ratioTrace(j, s, sc, m)
}

// pathStep computes the term S_u of [SSDA].
type pathStep struct {
	points    *mat.Dense
	neighbors *graph.Neighbors
	width     float64
	span      *span
	scatter   *discriminant.Scatter
}

func (s pathStep) run(w *work) (*penalty, error) {
	tree, err := discriminant.RobustTree(w.ctx, s.points, discriminant.Robustness(s.neighbors, s.width), s.width)
	if err != nil {
		return nil, err
	}
	term := discriminant.UnlabelledScatter(s.span.z, w.data.Labels, s.scatter.Classes, tree)
	m := &penalty{term: term, level: mat.Trace(term)}
	if w.data.NumLabelled() < w.data.Len() {
		m.vanishes = "all unlabelled samples lie at the means of their classes"
	}
	return m, nil
}
