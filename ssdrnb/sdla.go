package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/sparse"

// SDLA returns the builder of semi-supervised discriminative locality alignment.
// [Model.Values] are the eigenvalues of −X·L·Xᵀ, descending.
//
// Source: Zhang, Tao, Li, Yang, TKDE 2009, in the variant used for comparison in the paper on
// [S3RMM]. The text of the original was not checked.
//
// Objective: minimise the objective of DLA over the labelled samples, plus a weight times Σ ‖Wᵀ(x_i
// − x_j)‖² over all samples i and their nearest neighbours j, under WᵀW = I.
//
// Solution: the bottom eigenvectors of X·L·Xᵀ, where L is the Laplacian of the weighted pairs in
// the objective. A pair of mutual neighbours is counted twice.
//
// Cost: the same as for DLA, plus a search for neighbours.
//
// Defaults: as for DLA, neighbors 5, patch weight 0.1, pca 1. With patch weight 0 the method equals
// DLA in the span of all samples.
//
// Fails: unlabelled samples only pull neighbours together. They do not help if graph edges connect
// classes, or if neighbours are equally close in every direction.
func SDLA() *SDLABuilder { return newSDLA(Spec{method: sdla}) }

// PatchWeight(weight)
var patchWeightOption = floatOption{Name: "patch weight", Setter: "PatchWeight", Default: 0.1, Min: 0, Max: huge, Log: true,
	Doc: "weight of the term over all samples and their neighbours"}

var sdla = register(Method{
	Name: "SDLA", Func: "SDLA", Title: "semi-supervised discriminative locality alignment", Paper: "Zhang, Tao, Li, Yang 2009",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), patchOptions, nearestOption.with(5), searchOptions, patchWeightOption, pcaOption.with(1)),
	fit:    fitSDLA,
})

func fitSDLA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	pairs, err := patches(j, s)
	if err != nil {
		return nil, err
	}
	weight := patchWeightOption.of(j)
	if weight == 0 {
		return margin(j, s, pairs)
	}
	nb, err := neighborsOf(j, s.points(j.x()), nearestOption.of(j))
	if err != nil {
		return nil, err
	}
	for i := range nb.Len() {
		index, _ := nb.Of(i)
		for _, k := range index {
			pairs = append(pairs, sparse.Triplet{Row: i, Col: int(k), Value: -weight})
		}
	}
	return margin(j, s, pairs)
}
