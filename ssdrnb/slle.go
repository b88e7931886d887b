package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
)

// SLLE returns the builder of supervised locally linear embedding. [Model.Values] are the same as
// for [LLE].
//
// Source: de Ridder, Kouropteva, Okun, Pietikäinen, Duin 2003.
//
// Objective: LLE, but another distance determines the nearest neighbours. It is d + α·max(d) for
// two samples of different classes and d otherwise, where max(d) is the largest distance between
// two samples. An unlabelled sample is treated as a member of every class. The weights are computed
// from the original samples.
//
// Solution: as for [LLE].
//
// New points: the weights of LLE over the samples that are nearest in the distance d, because the
// class is unknown.
//
// Cost: the same as for [LLE], plus O(n²D) for the diameter max(d).
//
// Defaults: dims 2, neighbors 12, separation 0.2, regularization 1e-3.
//
// Fails: with a large separation few samples have neighbours in other classes. A class whose
// samples have no neighbours in other classes collapses to a point (the report warns), and c such
// classes have only c − 1 meaningful coordinates.
func SLLE() *SLLEBuilder { return newSLLE(Spec{method: slle}) }

// Separation(alpha): A share of 0 gives LLE, a share of 1 the fully supervised method.
var separationOption = floatOption{Name: "separation", Setter: "Separation", Default: 0.2, Min: 0, Max: 1, Doc: "share α of the largest distance that is added to the distance of samples of different classes"}

var slle = register(Method{
	Name: "SLLE", Func: "SLLE", Title: "supervised locally linear embedding", Paper: "de Ridder et al. 2003",
	Supervision: Supervised, Shape: Nonlinear, Uses: FromLabels,
	Params: list(dimsOption.with(2), nearestOption.with(12), separationOption, regularizationOption),
	fit:    fitSLLE,
})

func fitSLLE(j *job) (*solution, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	diameter, err := graph.Diameter(j.ctx, j.x())
	if err != nil {
		return nil, err
	}
	nb, err := align.GroupedKNN(j.ctx, j.x(), j.data.Labels, neighborsOption.of(j), align.Separated(separationOption.of(j)*diameter))
	if err != nil {
		return nil, err
	}
	return locallyLinear(j, nb)
}
