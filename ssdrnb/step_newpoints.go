package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// Rules for new points in methods without a mapping. The rules require the training samples, which
// are saved with the model.

// barycentreOf returns the reconstruction rule for new points, with the options "neighbors" and
// "regularization" of the method. If the method has no option "regularization", the rule uses 1e-3.
func barycentreOf(j *job, y *mat.Dense) outofsample.Map {
	m := &outofsample.Barycentric{Samples: known(j), Distances: j.data.Distances, Y: y, K: neighborsOption.of(j), Reg: 1e-3}
	if j.spec.method.has(regularizationOption.Name) {
		m.Reg = regularizationOption.of(j)
	}
	return m
}
