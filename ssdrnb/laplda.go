package ssdrnb

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// LapLDA returns the builder of Laplacian linear discriminant analysis. [Model.Values] are the
// variances of the dimensions of the embedding over all n samples (with the divisor n − 1), in
// descending order.
//
// Source: Chen, Ye, Li, CVPR 2007, as restated in the paper on [TRSDA]: the loss covers the
// labelled samples, the Laplacian all samples.
//
// Objective: minimise ‖Y − X_lᵀW‖² + λ₁·tr(WᵀX·L_m·XᵀW) + λ₂‖W‖². X_l holds the l labelled samples,
// centred, and L_m is the Laplacian of the neighbourhood graph of all samples. Y_ik = √(l/l_k) −
// √(l_k/l) if k is the class of sample i, otherwise −√(l_k/l), where l_k is the size of class k.
//
// Solution: W = (S_t + λ₁·X·L_m·Xᵀ + λ₂I)⁻¹·X_l·Y, with c columns and rank c − 1. W is rotated to
// the principal axes of the embedding of all samples, and the leading axes are kept. The rotation
// preserves distances.
//
// Cost: a search for neighbours, and O(nkD + nD² + D³) for the rest.
//
// Defaults: dims 2, neighbors 8, heat affinity with t = (half the median distance)², manifold 0.1
// (balance relative), ridge (λ₂) 1e-3·tr(S_w)/D, pca 1.
//
// Fails: there are at most c − 1 directions, and a large manifold weight hurts where graph edges
// connect classes, as in [SDA]. LapLDA and SDA project to the same subspace but scale it
// differently, although the paper calls them equivalent.
func LapLDA() *LapLDABuilder { return newLapLDA(Spec{method: laplda}) }

var laplda = register(Method{
	Name: "Lap-LDA", Func: "LapLDA", Title: "Laplacian linear discriminant analysis", Paper: "Chen, Ye, Li 2007",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2), neighborsOption.with(8), searchOptions, metricOption, affinityOption.with(Heat), widthOption, manifoldOptions(0.1),
		ridgeOption, ridgeScaleOption.with(1e-3), pcaOption.with(1)),
	fit: fitLapLDA,
})

func fitLapLDA(j *job) (*solution, error) {
	s, m, err := manifoldOf(j, spanOf)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	lambda := manifoldWeight(j, sc, m)
	if err := j.begin("least squares"); err != nil {
		return nil, err
	}
	// One decomposition is shared by all ridges.
	spectrum, err := shared(j.work, spectrumStep{scatter: sc, total: true, term: m.term, weight: lambda})
	if err != nil {
		return nil, err
	}
	alpha := ridgeOf(j, sc)
	floor := 1e-12 * (spectrum.Values[len(spectrum.Values)-1] + alpha)
	inverse := func(value float64) float64 {
		if value+alpha <= floor {
			return 0 // no labelled sample varies in this direction: the least-norm solution is 0
		}
		return 1 / (value + alpha)
	}
	// X_l is centred, so column k of X_l·Y is √(l·l_k)(μ_k − μ).
	labelled := 0
	for _, count := range sc.Counts {
		labelled += count
	}
	w := spectrum.Apply(inverse, mat.DenseCopyOf(sc.Centers.T()))
	w.Scale(math.Sqrt(float64(labelled)), w)

	n, r := s.z.Dims()
	d := j.ofClasses(s, min(len(sc.Classes)-1, r), len(sc.Classes))
	var y mat.Dense
	y.Mul(s.z, w) // z is centred, so y is too
	spread := mat.NewSymDense(len(sc.Classes), nil)
	spread.SymOuterK(1/float64(n-1), y.T())
	axes, err := spectral.Top(spread, d)
	if err != nil {
		return nil, err
	}
	j.distinct(d, axes.Gap, axes.Values[0])
	var turned mat.Dense
	turned.Mul(w, axes.Vectors)
	return s.solution(&turned, axes.Values), nil
}
