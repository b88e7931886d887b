package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
)

// HLLE returns the builder of Hessian eigenmaps. The coordinates are orthonormal over all samples
// except those embedded like new points, see Fails. [Model.Values] are the eigenvalues of the
// Hessian functional, ascending.
//
// Source: Donoho, Grimes 2003.
//
// Objective: minimise tr(YᵀMY) under YᵀY = I and Yᵀ1 = 0. tr(YᵀMY) is the sum of the squared norms
// of the Hessians of the coordinates Y. Each Hessian is estimated by least squares in the tangent
// coordinates of a neighbourhood.
//
// Solution: U holds the first d left singular vectors of a centred neighbourhood. A neighbourhood
// is the k neighbours of a sample, without the sample itself. The columns [1, U_a, U_aU_b for a ≤
// b] are made orthonormal, and H is the last d(d+1)/2 of them. M = Σ S_iᵀHHᵀS_i, where S_i selects
// neighbourhood i. Y consists of the eigenvectors 2 to d+1 of M, in ascending order of eigenvalue.
//
// New points: reconstruction weights over the neighbours, the same as for LLE.
//
// Cost: the same as for [LTSA], plus O(nk·d⁴).
//
// Defaults: dims 2, neighbors 12.
//
// Fails: k must exceed d(d+3)/2. A sample that is not a neighbour of any other is embedded like a
// new point (the report warns). The authors' script also divides columns of H by their sums if
// these exceed 0.0001. This has no effect, because the orthogonalisation makes all sums 0 up to
// rounding. The embedding of scikit-learn differs: it also uses the k − 1 − d − d(d+1)/2 columns
// that complete the basis, and so penalises more than the Hessian.
func HLLE() *HLLEBuilder { return newHLLE(Spec{method: hlle}) }

var hlle = register(Method{
	Name: "HLLE", Func: "HLLE", Title: "Hessian locally linear embedding", Paper: "Donoho, Grimes 2003",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, takes: allDistances,
	Params: list(tangentDimsOption.with(2), nearestOption.with(12), searchOptions),
	fit:    fitHLLE,
})

func fitHLLE(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	if err := j.begin("Hessians"); err != nil {
		return nil, err
	}
	d, k := dimsOption.of(j), nb.K
	least := d*(d+3)/2 + 1
	if n := j.data.Len(); n <= least {
		remedy := fmt.Sprintf("give at least %d samples", least+1)
		if d > 1 && n > 3 { // three samples have two neighbours each, too few even for one dimension
			remedy = "ask for fewer dimensions, or " + remedy
		}
		return nil, j.fault("dims", d, fmt.Errorf("%w: a Hessian in %s needs %d neighbours per sample, but there are only %d samples", ErrOption, nouns.Count(d, "dimension"), least, n), remedy)
	}
	if k < least {
		remedy := fmt.Sprintf("ask for at least %d neighbours", least)
		if d > 1 {
			remedy += ", or fewer dimensions"
		}
		return nil, j.faultAmong([]string{"neighbors", "dims"}, "neighbors", fmt.Errorf("%w: a Hessian in %s needs at least %d neighbours", ErrOption, nouns.Count(d, "dimension"), least), remedy)
	}
	if err := checkTangent(j, k); err != nil {
		return nil, err
	}
	links, err := linkedGraph(j, nb)
	if err != nil {
		return nil, err
	}
	free := unchosen(j, links)
	m, err := align.Patches(j.ctx, nb, false, func(members []int32, p *mat.Dense) error {
		u, err := j.tangent(members, d)
		if err != nil {
			return err
		}
		columns := mat.NewDense(k, 1+d+d*(d+1)/2, nil)
		for i := range k {
			row, at := columns.RawRowView(i), 1+d
			row[0] = 1
			copy(row[1:], u.RawRowView(i))
			for a := range d {
				for b := a; b < d; b++ {
					row[at] = row[1+a] * row[1+b]
					at++
				}
			}
		}
		align.Orthonormalize(columns)
		h := columns.Slice(0, k, 1+d, 1+d+d*(d+1)/2)
		p.Mul(h, h.T())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return alignedSolution(j, m, nb, free)
}
