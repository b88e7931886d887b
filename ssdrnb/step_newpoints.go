package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// Rules for new points in methods without a mapping. The rules require the training samples, which
// are saved with the model.

// barycentreOf returns the rule that places a new point at the weighted mean of its neighbours in
// the embedding y. The weights reconstruct the point from its neighbours in the data. The rule uses
// the options "neighbors" and "regularization"; the latter is 1e-3 for methods without this option.
func barycentreOf(j *job, y *mat.Dense) outofsample.Map {
	m := &outofsample.Barycentric{Samples: known(j), Distances: j.data.Distances, Y: y, K: neighborsOption.of(j), Reg: 1e-3}
	if j.spec.method.has(regularizationOption.Name) {
		m.Reg = regularizationOption.of(j)
	}
	return m
}
