package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// DLA returns the builder of discriminative locality alignment. [Model.Values] are the eigenvalues
// of −X·L·Xᵀ, descending.
//
// Source: Zhang, Tao, Li, Yang, TKDE 2009; ECCV 2008 for the margin degree.
//
// Objective: minimise Σ_i m_i(Σ ‖Wᵀ(x_i − x_j)‖² over the k1 nearest samples x_j of the same class
// − β·the same sum over the k2 nearest samples of other classes) under WᵀW = I. The margin degree
// m_i = exp(−1/((n_i + δ)t)) gives more weight to samples near a class boundary; by default m_i = 1.
// n_i is the number of samples of other classes within the radius ε of x_i.
//
// Solution: the bottom eigenvectors of X·L·Xᵀ. The patch of sample i consists of x_i and its k1 +
// k2 neighbours. L = Σ m_i S_i L_i S_iᵀ is the alignment matrix, where L_i is the matrix of patch i
// and S_i selects its samples. L is indefinite.
//
// Cost: as for [ANMM].
//
// Defaults: dims 2, homogeneous k1 = 2, heterogeneous k2 = 3, beta 0.5, radius 0
// (no margin degree), delta 1, decay t = 1, pca 1.
//
// Fails: a large β spreads all samples, even those of the same class. Unlabelled samples are
// ignored; [SDLA] uses them.
func DLA() *DLABuilder { return newDLA(Spec{method: dla}) }

var dla = register(Method{
	Name: "DLA", Func: "DLA", Title: "discriminative locality alignment", Paper: "Zhang, Tao, Li, Yang 2009",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), patchOptions, pcaOption.with(1)),
	fit:    fitDLA,
})

func fitDLA(j *job) (*solution, error) {
	s, err := labelledSpanOf(j)
	if err != nil {
		return nil, err
	}
	pairs, err := patches(j, s)
	if err != nil {
		return nil, err
	}
	return margin(j, s, pairs)
}

// patches returns the weighted pairs of DLA, with signs for a maximisation: β·m_i for pairs of
// different classes, −m_i within a class.
func patches(j *job, s *span) ([]sparse.Triplet, error) {
	nb, err := classNeighbors(j, s, -1)
	if err != nil {
		return nil, err
	}
	degree := func(int) float64 { return 1 }
	if radius := radiusOption.of(j); radius > 0 {
		rows, rank := j.labelledRows(), map[int]int{}
		for k, i := range rows {
			rank[i] = k
		}
		ball, err := graph.Ball(j.ctx, samples.Pick(s.points(j.x()), rows), radius)
		if err != nil {
			return nil, err
		}
		delta, t := deltaOption.of(j), decayOption.of(j)
		degree = func(i int) float64 {
			foes := 0
			cols, _ := ball.Row(rank[i])
			for _, k := range cols {
				if j.data.Labels[rows[k]] != j.data.Labels[i] {
					foes++
				}
			}
			return math.Exp(-1 / ((float64(foes) + delta) * t))
		}
	}
	beta := dlaBetaOption.of(j)
	var pairs []sparse.Triplet
	for _, i := range j.labelledRows() {
		m := degree(i)
		pairs = nb.Same[i].Add(nb.Other[i].Add(pairs, i, beta*m), i, -m)
	}
	return pairs, nil
}

// Beta(beta)
var dlaBetaOption = floatOption{Name: "beta", Setter: "Beta", Default: 0.5, Min: 0, Max: huge, Log: true,
	Doc: "weight β of the separation from other classes relative to the closeness within the class, usually up to 1"}

// Radius(epsilon): Samples of other classes within the radius raise the margin degree.
var radiusOption = floatOption{Name: "radius", Setter: "Radius", Default: 0.0, Min: 0, Max: huge, Log: true,
	Doc: "radius ε of the margin degree, in units of the data; 0 gives all patches equal weight"}

// Delta(delta)
var deltaOption = floatOption{Name: "delta", Setter: "Delta", Default: 1.0, Min: 0, Max: huge, Log: true,
	Doc: "δ of the margin degree exp(−1/((n_i + δ)t))"}

// Decay(t)
var decayOption = floatOption{Name: "decay", Setter: "Decay", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "t of the margin degree exp(−1/((n_i + δ)t))"}

var patchOptions = list(marginOptions(2, 3), dlaBetaOption, radiusOption, deltaOption, decayOption)
