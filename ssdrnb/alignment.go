package ssdrnb

import (
	"context"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// What the methods of margins share: MFA, ANMM, DLA and semi-Riemannian analysis
// all weigh the differences between a sample and its nearest of the same class
// (the homogeneous neighbourhood) and of other classes (the heterogeneous one).

// alignment returns the Laplacian L of a list of weighted ordered pairs (i, j, t),
// for which ZᵀLZ = Σ t·(z_i − z_j)(z_i − z_j)ᵀ; n×n, a row for every sample.
func alignment(n int, pairs []sparse.Triplet) (*sparse.CSR, error) {
	t, err := sparse.FromTriplets(n, n, pairs)
	if err != nil {
		return nil, err
	}
	w, err := t.Symmetrize(sparse.Sum)
	if err != nil {
		return nil, err
	}
	return graph.Laplacian(w), nil
}

// near lists the neighbours of a sample, nearest first.
type near struct {
	index []int
	dist  []float64
}

// add appends the pairs of sample i and its neighbours, all of the same weight.
func (n near) add(pairs []sparse.Triplet, i int, weight float64) []sparse.Triplet {
	for _, k := range n.index {
		pairs = append(pairs, sparse.Triplet{Row: i, Col: k, Value: weight})
	}
	return pairs
}

// neighbourhoods has N̂_i and Ň_i of every labelled sample i; the others' are empty.
type neighbourhoods struct{ same, other []near }

// classNeighbors returns, for every labelled sample, the nearest labelled samples
// of its class and of other classes, as many as the options "homogeneous" and
// "heterogeneous" say; fewer, with a warning, where there are fewer. Samples no
// farther than floor are passed over; -1 passes over none.
func classNeighbors(j *job, s *span, floor float64) (*neighbourhoods, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	return shared(j.work, classNeighborsStep{s.points(j.x()), homogeneousOption.of(j), heterogeneousOption.of(j), floor})
}

type classNeighborsStep struct {
	points *mat.Dense
	k1, k2 int // of the same class, of others
	floor  float64
}

func (s classNeighborsStep) run(w *work) (*neighbourhoods, error) {
	points, k1, k2, floor := s.points, s.k1, s.k2, s.floor
	n, _ := points.Dims()
	nb := &neighbourhoods{same: make([]near, n), other: make([]near, n)}
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
		if len(inside) <= k1 {
			w.warn("the smallest classes have no %d other labelled samples: their homogeneous neighbourhoods are smaller", k1)
		}
		if len(outside) < k2 {
			w.warn("there are no %d labelled samples outside the largest class: heterogeneous neighbourhoods are smaller", k2)
		}
		members := dense.Pick(points, inside)
		if len(inside) > 1 {
			err := nearest(w.ctx, len(inside)-1, k1, floor, inside, inside, nb.same, func(k int) (*graph.Neighbors, error) {
				return graph.KNN(w.ctx, members, k)
			})
			if err != nil {
				return nil, err
			}
		}
		if len(outside) > 0 {
			rest := dense.Pick(points, outside)
			err := nearest(w.ctx, len(outside), k2, floor, inside, outside, nb.other, func(k int) (*graph.Neighbors, error) {
				return graph.Query(w.ctx, rest, members, k)
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return nb, nil
}

// nearest fills out[from[a]] with up to k neighbours farther than floor, found by
// search among to, which has most candidates. Duplicates are rare: it asks for k,
// and for more only if some were passed over.
func nearest(ctx context.Context, most, k int, floor float64, from, to []int, out []near, search func(k int) (*graph.Neighbors, error)) error {
	for ask := min(k, most); ; ask = min(2*ask, most) {
		found, err := search(ask)
		if err != nil {
			return err
		}
		short := false
		for a, i := range from {
			index, dist := found.Of(a)
			first := 0
			for first < len(dist) && dist[first] <= floor {
				first++
			}
			last := min(first+k, len(dist))
			out[i] = near{make([]int, last-first), slices.Clone(dist[first:last])}
			for b, t := range index[first:last] {
				out[i].index[b] = to[t]
			}
			short = short || last-first < k
		}
		if !short || ask == most {
			return ctx.Err()
		}
	}
}

var homogeneousOption = declare[int](Param{Name: "homogeneous", Setter: "Homogeneous", Min: 1, Max: many})

var heterogeneousOption = declare[int](Param{Name: "heterogeneous", Setter: "Heterogeneous", Min: 1, Max: many})

func marginOptions(k1, k2 int) options {
	return list(homogeneousOption.with(k1).as("nearest labelled samples of the same class per sample; fewer where there are fewer"),
		heterogeneousOption.with(k2).as("nearest labelled samples of other classes per sample; fewer where there are fewer"))
}

// margined gives a builder the options of its two neighbourhoods.
type margined[B any] struct{ c *core[B] }

// Homogeneous sets the size of the neighbourhood of the same class, at least 1.
// Where a class has fewer labelled samples the neighbourhood is smaller and the
// report warns.
func (b margined[B]) Homogeneous(k int) B { return set(b.c, homogeneousOption, k) }

// Heterogeneous sets the size of the neighbourhood of other classes, at least 1;
// for [MFA] the number of pairs between each class and the rest. Where there are
// fewer the neighbourhood is smaller and the report warns.
func (b margined[B]) Heterogeneous(k int) B { return set(b.c, heterogeneousOption, k) }

var gammaOption = declare[float64](Param{Name: "gamma", Setter: "Gamma", Min: 0, Max: 1,
	Doc: "γ: negative components of the metric are weighed by γ, positive ones by 1 − γ; 0.5 is neutral"})

// weighed gives a builder the option Gamma.
type weighed[B any] struct{ c *core[B] }

// Gamma sets γ in [0, 1]: the negative components of the metric, similarity, are
// weighed by γ and the positive ones, separability, by 1 − γ. The papers look for
// it between 0.5 and 1 by cross-validation.
func (b weighed[B]) Gamma(gamma float64) B { return set(b.c, gammaOption, gamma) }
