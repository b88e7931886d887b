package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
)

// SSML returns the builder of semi-supervised metric learning. The report has the maximum ratio λ*
// and the history of the iteration. [Model.Values] are the eigenvalues of A − λ*B, descending,
// where A is the matrix of the numerator and B that of the denominator. These values sum to 0.
//
// Source: based on Baghshah, Shouraki, IJCAI 2009, as restated in the paper on [S2LAE]. We could
// not check the original.
//
// Objective: maximise tr(WᵀS_C W)/tr(Wᵀ(S_M + (η/n)·X·M·Xᵀ)W) under WᵀW = I. S_C and S_M are the
// mean outer products of the differences x_i − x_j over cannot-link and must-link pairs. M = (I −
// Δ)ᵀ(I − Δ) is the matrix of [LLE] for all samples, and η is the option structure.
//
// Solution: as for [TRLDA].
//
// Cost: the same as for [TRLDA], plus a search for neighbours. Pairs implied by labels are summed
// by class, not one by one.
//
// Defaults: dims 2, neighbors 12, structure 1, regularization 1e-3, solver ITR, pca 0.98. If the
// data have no pairs, all pairs of labelled samples are used.
//
// Fails: without cannot-link pairs there is nothing to maximise, and the fit returns an error.
// Directions of tiny variance attract the solution, as in all trace-ratio methods.
func SSML() *SSMLBuilder { return newSSML(Spec{method: ssml}) }

// Structure(eta): The reconstruction error is part of the denominator.
var structureOption = floatOption{Name: "structure", Setter: "Structure", Default: 1.0, Min: 0, Max: huge, Log: true, Doc: "weight η of the mean reconstruction error of the samples by their neighbours"}

var ssml = register(Method{
	Name: "SSML", Func: "SSML", Title: "semi-supervised metric learning", Paper: "after Baghshah, Shouraki 2009",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromBoth, Orthonormal: true,
	Params: list(dimsOption.with(2), nearestOption.with(12), searchOptions, structureOption, regularizationOption, solverOption, pcaOption.with(0.98)),
	ratio:  ratioSSML,
})

func ratioSSML(j *job) (ratioProblem, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	n, directions := s.z.Dims()
	b, structure := mat.NewSymDense(directions, nil), structureOption.of(j)
	if structure > 0 {
		nb, err := nearestNeighbors(j)
		if err != nil {
			return nil, err
		}
		r, err := reconstruction(j, nb)
		if err != nil {
			return nil, err
		}
		b = dense.Plus(b, structure/float64(n), dense.SquaredNorms(r, s.z))
	}
	if err := j.begin("pairs"); err != nil {
		return nil, err
	}
	must, cannot := pairing.Means(j.data, s.z)
	if cannot == nil {
		remedy := "give cannot-link pairs"
		if j.data.Pairs.Len() == 0 { // pairs are implied by the labels
			remedy += ", or label a second class"
		}
		return nil, j.fault("pairs", nil, fmt.Errorf("%w: without cannot-link pairs there is no distance to maximise", ErrNeedsPairs), remedy)
	}
	if must != nil {
		b = dense.Plus(b, 1, must)
	}
	if mat.Trace(b) == 0 {
		return nil, j.fault("structure", structure, fmt.Errorf("%w: the denominator is 0, because neither must-link distances nor reconstruction errors contribute to it", ErrNeedsPairs), "give must-link pairs, or raise Structure")
	}
	return traceRatio(j, s, cannot, b)
}
