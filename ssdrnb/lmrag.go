package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
)

// LMRAG returns the builder of linear manifold regularisation with an adaptive graph. The embedding
// has one dimension for each class, in the order of the labels. [Model.Graph] is the learned n×n
// graph S, whose rows are distributions: their entries are non-negative and sum to 1. The report
// has the weights γ and λ of the objective (λ from the last iteration) and the number of components
// of the graph. A trace has λ and the number of components in each iteration, and the objective
// after each step.
//
// Source: Xiong, Nie, Han, "Linear manifold regularization with adaptive graph for
// semi-supervised dimensionality reduction", IJCAI 2017, eq. 7 and Algorithm 1.
//
// Objective: minimise Σ|Wᵀx_i − Wᵀx_j|²s_ij + γ|S|² + β|W|² + αΣ|Wᵀx_i + b − y_i|² + 2λ·tr(FᵀLF)
// over W, b, the graph S, and F (n×c) with orthonormal columns. The sum weighted by α runs over the
// labelled samples with class indicators y_i. L is the Laplacian of (S + Sᵀ)/2. The last term
// drives the graph to c components, one for each class.
//
// Solution: alternates F (eigenvectors of L), W and b (a linear system, eq. 10) and S (projections
// on the simplex, eq. 13). The initial graph is that of eq. 15, and γ keeps its initial value.
// There are at most 30 iterations; W and the graph of the last iteration are returned.
//
// Cost: a search for neighbours; each iteration takes O(nkr + nr² + r³) in the span of rank r ≤
// min(D, n−1), and the c smallest eigenpairs of an n×n Laplacian with 2nk entries.
//
// Defaults: neighbors 5, alpha 10, beta 0.1, candidates local, lambda γ, adjust
// double or halve, iterations 30, refit false, pca 1.
//
// Fails: only candidate edges can join components again after the S step has separated them. The
// report warns if the graph keeps too many components. γ is in squared units of all features, but
// the squared distances in the S step are those of the projection. With many features γ is
// therefore too large, and the first graphs use all their candidates. The option value
// [ProjectedCandidates] reproduces the numbers in the paper better on three of four data sets in
// notebooks/REPRODUCTION.md, but the objective may rise with it. The embedding has one dimension
// per class and approximates the indicators.
func LMRAG() *LMRAGBuilder { return newLMRAG(Spec{method: lmrag}) }

// Refit(on): The algorithm in the paper returns the W and b from which the last graph was
// computed.
var refitOption = boolOption{Name: "refit", Setter: "Refit", Default: false, Doc: "whether W and b are computed once more from the last graph"}

var lmrag = register(Method{
	Name: "LMRAG", Func: "LMRAG", Title: "linear manifold regularisation with adaptive graph", Paper: "Xiong, Nie, Han 2017",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels,
	Params: list(neighborsOption.with(5), searchOptions,
		alphaOption.with(10).withDoc("weight α of the labels"), betaOption.with(0.1).withDoc("weight β of |W|², in squared units of the data"),
		adaptiveOptions, refitOption, pcaOption.with(1)),
	fit: fitLMRAG,
})

func fitLMRAG(j *job) (*solution, error) {
	a, r, err := alternate(j)
	if a == nil {
		return nil, err
	}
	if refitOption.of(j) && err == nil {
		if _, _, err := r.project(dense.Quadratic(a.State.Laplacian, r.span.z)); err != nil {
			return nil, err
		}
	}
	sol := r.span.regression(r.w, r.bias)
	sol.graph = a.State.S
	return sol, err
}

// alternate runs the alternating optimisation. It returns the alternation in its last state, and
// the W step with the last W and b. If the context ends, it returns these and the error, or only
// the error if no iteration was completed.
func alternate(j *job) (*adaptive.Alternation, *labelledStep, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, nil, err
	}
	if err := j.begin("graph"); err != nil {
		return nil, nil, err
	}
	sc := scatterOf(j, s)
	a, err := adapt(j, s, len(sc.Classes))
	if err != nil {
		return nil, nil, err
	}
	r := &labelledStep{span: s, scatter: sc, labels: j.data.Labels, total: sc.Total(), targets: sc.Targets(),
		alpha: alphaOption.of(j), beta: betaOption.of(j)}
	a.Project = r.project
	usable, err := runAlternation(j, a)
	if !usable {
		return nil, nil, err
	}
	return a, r, err
}

// labelledStep is the W step of LMRAG (eq. 10), computed in the span of the samples. For β > 0 the
// columns of W lie in the span, so the result is exact for any number of features.
type labelledStep struct {
	span        *span
	scatter     *discriminant.Scatter
	labels      []int
	total       *mat.SymDense // X·H·Xᵀ, r×r in the span of rank r
	targets     *mat.Dense    // X·H·Yᵀ, r×c
	alpha, beta float64

	w    *mat.Dense // r×c, the last solution
	bias []float64
}

// project solves (2X·L·Xᵀ + αX·H·Xᵀ + βI)W = αX·H·Yᵀ. `smooth` is X·L·Xᵀ. project returns the
// projected samples y and the cost, which is the sum of the terms of the objective that do not
// depend on the graph.
func (r *labelledStep) project(smooth *mat.SymDense) (y *mat.Dense, cost float64, err error) {
	m := mat.NewSymDense(smooth.SymmetricDim(), nil)
	m.ScaleSym(2, smooth)
	m = dense.AddRidge(dense.Plus(m, r.alpha, r.total), r.beta)
	var right mat.Dense
	right.Scale(r.alpha, r.targets)
	if r.w, err = dense.SolvePositive(m, r.beta, &right); err != nil {
		return nil, 0, err
	}
	r.bias = r.scatter.Intercept(r.w)
	y = new(mat.Dense)
	y.Mul(r.span.z, r.w)
	dense.AddRow(y, r.bias)
	return y, r.beta*dense.Inner(r.w, r.w) + r.alpha*r.scatter.Misfit(y, r.labels), nil
}
