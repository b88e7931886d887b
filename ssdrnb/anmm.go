package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/margins"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// ANMM returns the builder of average neighbourhood margin maximisation. Values
// are the eigenvalues of S − C, descending; negative ones mean that a direction
// spreads the classes more than it separates them.
//
// Source: Wang, Zhang, CVPR 2007; semi-Riemannian paper eqs. 1 and 2.
//
// Objective: maximise Σ_i (mean of ‖Wᵀ(x_i − x_j)‖² over the heterogeneous
// neighbourhood − the same over the homogeneous one) under WᵀW = I.
//
// Solution: the top eigenvectors of S − C, the scatter of the heterogeneous minus the scatter of
// the homogeneous differences.
//
// Cost: O(l²D) for the neighbours of l labelled samples, O(l(k1 + k2)D + D³).
//
// Defaults: dims 2, homogeneous 10, heterogeneous 10, pca 1.
//
// Fails: far neighbours outweigh near ones (see SRDA); one labelled sample per
// class leaves nothing to pull together; unlabelled samples are unused.
func ANMM() *ANMMBuilder { return newANMM(Spec{method: anmm}) }

var anmm = register(Method{
	Name: "ANMM", Func: "ANMM", Title: "average neighbourhood margin maximisation", Paper: "Wang, Zhang 2007",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), marginOptions(10, 10), pcaOption.with(1)),
	fit:    fitANMM,
})

func fitANMM(j *job) (*solution, error) {
	s, err := labelledSpanOf(j)
	if err != nil {
		return nil, err
	}
	nb, err := classNeighbors(j, s, -1)
	if err != nil {
		return nil, err
	}
	var pairs []sparse.Triplet
	for i := range nb.Same {
		pairs = nb.Other[i].Add(pairs, i, 1/float64(len(nb.Other[i].Index)))
		pairs = nb.Same[i].Add(pairs, i, -1/float64(len(nb.Same[i].Index)))
	}
	return margin(j, s, pairs)
}

// margin maximises Σ t·‖Vᵀ(z_i − z_j)‖² over weighted pairs, under VᵀV = I.
func margin(j *job, s *span, pairs []sparse.Triplet) (*solution, error) {
	n, _ := s.z.Dims()
	l, err := margins.Alignment(n, pairs)
	if err != nil {
		return nil, err
	}
	return difference(j, s, dense.Quadratic(l, s.z))
}
