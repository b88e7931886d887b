package ssdrnb

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/margins"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// ANMM returns the builder of average neighbourhood margin maximisation. [Model.Values] are the
// eigenvalues of the matrix S − C (see Solution), descending. A negative value means that the
// scatter of the classes along that direction exceeds their separation.
//
// Source: Wang, Zhang, CVPR 2007; equations 1 and 2 of the paper on [S3RMM].
//
// Objective: maximise Σ_i (a_i − b_i) under WᵀW = I, where a_i is the mean of ‖Wᵀ(x_i − x_j)‖² over
// the heterogeneous neighbours x_j of x_i, and b_i is the same mean over its homogeneous
// neighbours. The homogeneous neighbours are the nearest labelled samples of the same class, and
// the heterogeneous neighbours are the nearest labelled samples of other classes.
//
// Solution: the top eigenvectors of S − C. S is the scatter of the differences x_i − x_j between
// heterogeneous neighbours, and C is the scatter of the differences between homogeneous neighbours.
//
// Cost: O(l²D) for the neighbours of l labelled samples with D features, then O(l(k1 + k2)D + D³)
// with k1 homogeneous and k2 heterogeneous neighbours.
//
// Defaults: dims 2, homogeneous 10, heterogeneous 10, pca 1.
//
// Fails: distant neighbours outweigh near ones, because distances are squared ([SRDA] avoids this).
// With one labelled sample per class there are no homogeneous neighbours. Unlabelled samples are
// unused.
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

// margin returns the solution whose projection V maximises Σ t·‖Vᵀ(z_i − z_j)‖² under VᵀV = I. The
// sum runs over the pairs (i, j) with weights t. z_i is sample i in the coordinates of the span s.
func margin(j *job, s *span, pairs []sparse.Triplet) (*solution, error) {
	n, _ := s.z.Dims()
	l, err := margins.Alignment(n, pairs)
	if err != nil {
		return nil, err
	}
	m := s.smooth(j.work, l)
	if mat.Norm(m, 2) == 0 {
		reason := allCopies
		if !slices.ContainsFunc(pairs, func(p sparse.Triplet) bool { return p.Value != 0 }) {
			reason = "the weights of all neighbours are 0"
		}
		j.warn("%s, so the criterion is 0 in all directions: the projection is arbitrary", reason)
	}
	return difference(j, s, m)
}
