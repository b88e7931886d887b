package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// SRDA returns the builder of semi-Riemannian discriminant analysis. [Model.Values] are the
// eigenvalues of X·L_G·Xᵀ, descending. They may be negative.
//
// Source: Zhao, Lin, Tang, CVPR 2008, as restated in Appendix A of the paper on [S3RMM]. It is not
// the spectral regression discriminant analysis of Cai, He, Han with the same initials.
//
// Objective: maximise ½Σ_ij g_ji‖Wᵀ(x_j − x_i)‖² under WᵀW = I. The metric tensor at x_i has the
// entries g_ji. For x_j in the heterogeneous neighbourhood Ň the entry is 1/(s·d_ji²), where s is
// the sum of 1/d_ji² over Ň. In the homogeneous neighbourhood N̂ it is −|Ň|/(|N̂|·s·d_ji²), so that
// Σ_j g_ji d_ji² = 0. Negative entries are then multiplied by γ and positive ones by 1 − γ.
//
// Solution: the top eigenvectors of X·L_G·Xᵀ, where L_G is the Laplacian of (G + Gᵀ)/2 and G has
// the entries g_ji.
//
// Cost: as for [ANMM].
//
// Defaults: dims 2, homogeneous 3, heterogeneous 20, gamma 0.5, pca 1.
//
// Fails: if each class has one labelled sample, there are no homogeneous neighbours. Unlabelled
// samples are not used. Both also hold for [ANMM]. A duplicate of a sample is not counted as its
// neighbour: the weight 1/d_ji² would be infinite, and no projection can separate the two.
func SRDA() *SRDABuilder { return newSRDA(Spec{method: srda}) }

var srda = register(Method{
	Name: "SRDA", Func: "SRDA", Title: "semi-Riemannian discriminant analysis", Paper: "Zhao, Lin, Tang 2008",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), marginOptions(3, 20), gammaOption.with(0.5), pcaOption.with(1)),
	fit:    fitSRDA,
})

func fitSRDA(j *job) (*solution, error) {
	s, err := labelledSpanOf(j)
	if err != nil {
		return nil, err
	}
	// typical is the mean squared distance between two samples: twice the total variance.
	typical := 0.0
	for _, v := range s.variance {
		typical += 2 * v
	}
	nb, err := classNeighbors(j, s, riemann.SameSpot*math.Sqrt(typical))
	if err != nil {
		return nil, err
	}
	gamma := gammaOption.of(j)
	var pairs []sparse.Triplet
	for i := range nb.Same {
		pull, push := riemann.LocalTensor(nb.Same[i].Dist, nb.Other[i].Dist)
		for k, g := range pull {
			pairs = append(pairs, sparse.Triplet{Row: i, Col: nb.Same[i].Index[k], Value: gamma / 2 * g})
		}
		for k, g := range push {
			pairs = append(pairs, sparse.Triplet{Row: i, Col: nb.Other[i].Index[k], Value: (1 - gamma) / 2 * g})
		}
	}
	return margin(j, s, pairs)
}
