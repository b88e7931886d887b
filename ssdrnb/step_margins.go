package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/margins"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Common steps of margin methods. MFA, ANMM, DLA and semi-Riemannian analysis assign weights to the
// differences between a sample and its nearest neighbours. The homogeneous neighbourhood of a
// sample consists of samples of its class. The heterogeneous neighbourhood consists of samples of
// other classes.

// classNeighbors returns, for each labelled sample, the nearest labelled samples of the same class
// and of other classes. The options "homogeneous" and "heterogeneous" set the numbers of
// neighbours. classNeighbors warns if there are not enough for a class. It skips neighbours at
// distances up to the argument floor; for a floor of −1 it skips none.
func classNeighbors(j *job, s *span, floor float64) (*margins.Neighborhoods, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	return shared(j.work, classNeighborsStep{s.points(j.x()), homogeneousOption.of(j), heterogeneousOption.of(j), floor})
}

type classNeighborsStep struct {
	points *mat.Dense
	k1, k2 int // numbers of neighbours of the same class and of other classes
	floor  float64
}

func (s classNeighborsStep) run(w *work) (*margins.Neighborhoods, error) {
	points, k1, k2, floor := s.points, s.k1, s.k2, s.floor
	n, _ := points.Dims()
	nb := &margins.Neighborhoods{Same: make([]margins.Near, n), Other: make([]margins.Near, n)}
	for _, class := range w.data.Classes() {
		var inside, outside []int
		for i, l := range w.data.Labels {
			switch l {
			case data.Unlabelled:
			case class:
				inside = append(inside, i)
			default:
				outside = append(outside, i)
			}
		}
		switch {
		case len(inside) <= k1 && k1 == 1:
			w.warn("some classes have only one labelled sample, which has no homogeneous neighbour")
		case len(inside) <= k1:
			w.warn("some classes have at most %d labelled samples: the samples of these classes have fewer than %d homogeneous neighbours each", k1, k1)
		}
		if len(outside) < k2 {
			w.warn("fewer than %d labelled samples lie outside the largest class: its samples have fewer than %d heterogeneous neighbours each", k2, k2)
		}
		members := samples.Pick(points, inside)
		if len(inside) > 1 {
			err := margins.Nearest(w.ctx, len(inside)-1, k1, floor, inside, inside, nb.Same, func(k int) (*graph.Neighbors, error) {
				return graph.Search(w.ctx, members, k, graph.SearchOptions{Method: graph.Exact})
			})
			if err != nil {
				return nil, err
			}
		}
		if len(outside) > 0 {
			rest := samples.Pick(points, outside)
			err := margins.Nearest(w.ctx, len(outside), k2, floor, inside, outside, nb.Other, func(k int) (*graph.Neighbors, error) {
				return graph.Query(w.ctx, rest, members, k, graph.Euclidean)
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return nb, nil
}

// Homogeneous(k): Except for S3RMM and KS3RMM, the report warns if a class has at most k labelled
// samples.
var homogeneousOption = intOption{Name: "homogeneous", Setter: "Homogeneous", Min: 1, Max: many}

// Heterogeneous(k): Except for S3RMM and KS3RMM, the report warns if fewer than k labelled samples
// lie outside a class.
var heterogeneousOption = intOption{Name: "heterogeneous", Setter: "Heterogeneous", Min: 1, Max: many}

func marginOptions(k1, k2 int) options {
	return list(homogeneousOption.with(k1).withDoc("number of nearest labelled samples of the same class per sample; all if there are fewer"),
		heterogeneousOption.with(k2).withDoc("number of nearest labelled samples of other classes per sample; all if there are fewer"))
}

// Gamma(gamma): The papers choose it between 0.5 and 1 by cross-validation.
var gammaOption = floatOption{Name: "gamma", Setter: "Gamma", Min: 0, Max: 1,
	Doc: "weight γ of the negative components of the metric (similarity); positive ones (separability) have the weight 1 − γ, so that 0.5 is neutral"}
