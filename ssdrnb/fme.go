package ssdrnb

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// FME returns the builder of flexible manifold embedding. The embedding has one dimension for each
// class, in the order of the labels; the report has the objective.
//
// Source: Nie, Xu, Tsang, Zhang, TIP 2010, in the variant used for comparison by Xiong, Nie, Han
// (IJCAI 2017).
//
// Objective: minimise tr(FᵀLF) + tr((F−Y)ᵀU(F−Y)) + μ(|W|² + γ|XᵀW + 1bᵀ − F|²) over the soft
// labels F (n×c), the projection W (D×c) and the bias b (length c). Y holds the class indicators of
// the labelled samples. U is diagonal, with the value u for labelled samples and 0 for others. L is
// the Laplacian of the neighbourhood graph.
//
// Solution: F is eliminated. With t = μγ, C = (U + L)(U + L + tI)⁻¹ and E = (U + L + tI)⁻¹U·Y, W
// and b solve XᵀCX·W + W/γ + XᵀC1·bᵀ = XᵀE and 1ᵀCX·W + 1ᵀC1·bᵀ = 1ᵀE. Then F = E + t(U + L +
// tI)⁻¹(XᵀW + 1bᵀ). This is the joint minimum, equal to the closed form of the paper.
//
// A numeric target ([data.Data.WithTarget]) replaces the labels and Y. The first dimension of the
// embedding is then the fitted target, in its units. The second is the first principal component of
// the samples after their projection orthogonal to the first direction.
//
// Cost: up to 1000 samples, one eigen-decomposition of order n for all μ and γ, then O(nr² + n²c +
// r³) for each pair of μ and γ, with r ≤ min(D, n−1). Above 1000 samples, or if label weight and
// affinities differ by factors above 1e6, each pair of μ and γ needs a sparse Cholesky factor of
// order n and r + 1 solves with it.
//
// Defaults: neighbors 5, self-tuning affinity, mu 0.1, gamma 10, label weight 1, pca 1.
//
// Fails: it is inaccurate where neighbours differ in class. If the data have a high intrinsic
// dimension, the Cholesky factor is dense. Without a target, the embedding XᵀW + 1bᵀ always has one
// dimension per class.
func FME() *FMEBuilder { return newFME(Spec{method: fme}) }

// Mu(weight)
var muOption = floatOption{Name: "mu", Setter: "Mu", Default: 0.1, Min: tiny, Max: huge, Log: true, Doc: "weight μ of the regression: of |W|² and of the squared distance between the regression and F"}

// Gamma(weight)
var fmeGammaOption = floatOption{Name: "gamma", Setter: "Gamma", Default: 10.0, Min: tiny, Max: huge, Log: true, Doc: "weight γ of the squared distance between the regression and F, in inverse squared units of the data"}

// LabelWeight(u): The experiments in the paper use 1; the code by its authors has no fixed value. A
// large u keeps F at the labels regardless of the graph. If μγ is large too, the method becomes
// [LapRLS] with a separate weight of the graph, which helps where neighbours differ in class.
var labelWeightOption = floatOption{Name: "label weight", Setter: "LabelWeight", Default: 1.0, Min: tiny, Max: huge, Log: true, Doc: "weight u of the labels; with a large u the soft labels F equal them"}

var fme = register(Method{
	Name: "FME", Func: "FME", Title: "flexible manifold embedding", Paper: "Nie, Xu, Tsang, Zhang 2010",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabelsOrTarget,
	Params: list(neighborsOption.with(5), searchOptions, metricOption, affinityOption.with(SelfTuning), widthOption, muOption, fmeGammaOption, labelWeightOption,
		pcaOption.with(1)),
	fit: fitFME,
})

func fitFME(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	w, err := neighborGraph(j, s.points(j.x()))
	if err != nil {
		return nil, err
	}
	target := fitsTarget(j)
	p, err := shared(j.work, flexibleLabelsStep{s, w, labelWeightOption.of(j), target})
	if err != nil {
		return nil, err
	}
	if err := j.begin("regression"); err != nil {
		return nil, err
	}
	mu, gamma := muOption.of(j), fmeGammaOption.of(j)
	v, bias, err := p.Regression(j.ctx, mu, gamma)
	if err != nil {
		return nil, err
	}
	sol := s.regression(v, bias)
	f, err := p.SoftLabels(j.ctx, sol.y, mu*gamma)
	if err != nil {
		return nil, err
	}
	j.fact("objective", p.Objective(f, v, sol.y, mu, gamma))
	if target {
		return withSecond(j, s, v, bias[0]+targetMean(j.data))
	}
	return sol, nil
}

// flexibleLabelsStep sets up the linear systems from which F, W and b are computed, see [FME].
type flexibleLabelsStep struct {
	span   *span
	graph  *sparse.CSR
	weight float64 // u, the weight of a labelled sample
	target bool    // the target replaces the labels
}

func (s flexibleLabelsStep) run(w *work) (*discriminant.Flexible, error) {
	z := s.span.z
	n, r := z.Dims()
	classes := w.data.Classes()
	columns := len(classes)
	if s.target {
		columns = 1
	}
	p := &discriminant.Flexible{Laplacian: graph.Laplacian(s.graph), Weights: make([]float64, n), Labels: mat.NewDense(n, columns, nil), Samples: mat.NewDense(n, r+1, nil)}
	if s.target {
		known, mean := targetOf(w.data.Target()), targetMean(w.data)
		for k, i := range known.Rows {
			p.Weights[i] = s.weight
			p.Labels.Set(i, 0, s.weight*(known.Values[k]-mean))
		}
	}
	for i, label := range w.data.Labels {
		if label != data.Unlabelled && !s.target {
			p.Weights[i] = s.weight
			p.Labels.Set(i, slices.Index(classes, label), s.weight)
		}
	}
	m, err := sparse.Add(1, p.Laplacian, 1, sparse.Diagonal(p.Weights))
	if err != nil {
		return nil, err
	}
	p.Samples.Slice(0, n, 0, r).(*mat.Dense).Copy(z)
	for i := range n {
		p.Samples.Set(i, r, 1)
	}
	p.Fitted, err = discriminant.NewResolvent(m, p.Samples)
	return p, err
}
