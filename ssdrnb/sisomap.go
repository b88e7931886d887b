package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
)

// SIsomap returns the builder of supervised Isomap. [Model.Values] are the same as for [Isomap].
//
// Source: Geng, Zhan, Zhou 2005.
//
// Objective: Isomap on a dissimilarity. For two samples of one class at distance d it is √(1 −
// exp(−d²/β)), which stays below 1. For two samples of different classes it is √(exp(d²/β)) − α,
// which grows without bound. The paper has no unlabelled samples. Here the dissimilarity is d/√β if
// either sample is unlabelled. If α = 0, this value lies between the two expressions above. For
// small d, it approximates the expression for one class.
//
// Solution: as for [Isomap].
//
// New points: as in [Isomap], with edges of length d/√β to the nearest samples. (The paper trains a
// regression network instead.)
//
// Cost: as for [Isomap].
//
// Defaults: dims 2, neighbors 12, allowance 0.5, width β the mean pairwise distance (as in the
// paper, with the unit of d, not of d²), components joined.
//
// Fails: with many labels the classes become separate components of the graph, whose relative
// positions depend only on the joining edges. The default width is proportional to d, not to d²:
// large feature values make d²/β large. Between classes d²/β is limited to 30 in exp, and this
// limit then determines the distance between classes (the report warns). Scale the features, or set
// Width.
func SIsomap() *SIsomapBuilder { return newSIsomap(Spec{method: sisomap}) }

// Allowance(alpha)
var allowanceOption = floatOption{Name: "allowance", Setter: "Allowance", Default: 0.5, Min: 0, Max: 1, Doc: "allowance α, which is subtracted from the dissimilarity of samples of different classes"}

// Width(beta)
var sisomapWidthOption = floatOption{Name: "width", Setter: "Width", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "the mean pairwise distance", Doc: "width β in exp(d²/β), in squared units of the data"}

var sisomap = register(Method{
	Name: "S-Isomap", Func: "SIsomap", Title: "supervised Isomap", Paper: "Geng, Zhan, Zhou 2005",
	Supervision: Supervised, Shape: Nonlinear, Uses: FromLabels,
	Params: list(dimsOption.with(2), neighborsOption.with(12), allowanceOption, sisomapWidthOption, disconnectedOption.with(Join)),
	fit:    fitSIsomap,
})

func fitSIsomap(j *job) (*solution, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	beta := sisomapWidthOption.of(j)
	if sisomapWidthOption.auto(j) {
		var err error
		if beta, err = graph.MeanDistance(j.ctx, j.x()); err != nil {
			return nil, err
		}
		j.fact("β", beta)
	}
	of, labels := align.SupervisedDissimilarity(beta, allowanceOption.of(j)), j.data.Labels
	nb, err := align.GroupedKNN(j.ctx, j.x(), labels, neighborsOption.of(j), of)
	if err != nil {
		return nil, err
	}
	farthest, cut := of(math.Inf(1), 0, 1), 0
	for _, d := range nb.Dist {
		if d == farthest {
			cut++
		}
	}
	s, err := isometric(j, nb, 1/math.Sqrt(beta), func(b graph.Bridge) float64 {
		d := of(b.Length, labels[b.I], labels[b.J])
		if d == farthest {
			cut++
		}
		return d
	})
	if cut > 0 {
		j.warn("on %s between classes d²/β exceeds %d, where exp is truncated: the distances between classes are arbitrary; scale the features, or raise Width above %.3g", nouns.Count(cut, "edge"), align.MostExponent, beta)
	}
	return s, err
}
