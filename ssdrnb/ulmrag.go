package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// ULMRAG returns the builder of the unsupervised form of LMRAG. [Model.Graph] is the learned graph,
// whose components are clusters. Each row of its weights is a probability distribution. The weights
// are therefore not symmetric: symmetrise the graph before counting components. [Model.Values] are
// the eigenvalues of X·L·Xᵀ, ascending. The report has the same entries as for [LMRAG].
//
// Source: Xiong, Nie, Han, IJCAI 2017, Section 4, which describes this form in words: without the
// label term, and with WᵀW = I.
//
// Objective: minimise Σ|Wᵀx_i − Wᵀx_j|²s_ij + γ|S|² + 2λ·tr(FᵀLF) over orthonormal W, a graph S
// whose rows are probability distributions, and F with orthonormal columns, one for each requested
// cluster. L is the Laplacian of (S + Sᵀ)/2. The term |W|² of LMRAG is constant here.
//
// Solution: as for [LMRAG], but the W step computes the eigenvectors of X·L·Xᵀ with the d smallest
// eigenvalues.
//
// Cost: as for [LMRAG].
//
// Defaults: dims 2, clusters 2, neighbors 5, candidates local, lambda γ, adjust double
// or halve, iterations 30, pca 0.8 but no fewer directions than dimensions.
//
// Fails: directions of tiny variance add nothing to the objective, so W selects them; only the
// preceding PCA excludes them. With 5 labels per class, the accuracy on 150 digits is 0.41 at the
// default pca 0.8 and 0.28 at pca 0.98, but 0.48 with [PCA]. On 800 digits it is 0.31 and 0.18, but
// 0.54 with [PCA]. On wine with standardised features it is 0.88 and 0.59, but 0.92 with [PCA]. The
// number of clusters must be known.
func ULMRAG() *ULMRAGBuilder { return newULMRAG(Spec{method: ulmrag}) }

// Clusters(c): The maximum is the number of samples.
var clustersOption = intOption{Name: "clusters", Setter: "Clusters", Default: 2, Min: 1, Max: many, Doc: "number c of components that the graph should split into"}

var ulmrag = register(Method{
	Name: "U-LMRAG", Func: "ULMRAG", Title: "unsupervised linear manifold regularisation with adaptive graph", Paper: "Xiong, Nie, Han 2017, Section 4",
	Supervision: Unsupervised, Shape: Linear, Uses: NoKnowledge, Orthonormal: true,
	Params: list(dimsOption.with(2), clustersOption, neighborsOption.with(5), searchOptions, adaptiveOptions, pcaOption.automatic("0.8, but no fewer directions than dims")),
	fit:    fitULMRAG,
})

func fitULMRAG(j *job) (*solution, error) {
	c := clustersOption.of(j)
	if n := j.data.Len(); c > n {
		return nil, j.fault("clusters", c, fmt.Errorf("%w: the data have %s", ErrOption, nouns.Count(n, "sample")), fmt.Sprintf("ask for at most %d", n))
	}
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	if err := j.begin("graph"); err != nil {
		return nil, err
	}
	a, err := adapt(j, s, c)
	if err != nil {
		return nil, err
	}
	_, r := s.z.Dims()
	d := j.spanned(s, r)
	var last *spectral.Pairs
	a.Project = func(smooth *mat.SymDense) (*mat.Dense, float64, error) {
		if last, err = spectral.Bottom(smooth, d); err != nil {
			return nil, 0, err
		}
		var y mat.Dense
		y.Mul(s.z, last.Vectors)
		return &y, 0, nil
	}
	usable, err := runAlternation(j, a)
	if !usable {
		return nil, err
	}
	sol := s.solution(last.Vectors, last.Values)
	sol.graph = a.State.S
	return sol, err
}
