package ssdrnb

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// tensors holds the metric tensors g_i of all samples i, without the components below the
// threshold. They are the columns of the n×n matrix G.
type tensors struct {
	columns     *sparse.CSR // the transpose of G: row i holds g_i
	isLabelled  []bool
	suggestions []int // unlabelled samples to label next, the best first
}

// metricTensors learns the metric tensors of the samples. The argument points holds the positions
// of the samples. Fits that differ only in γ, α₁, α₂ or the option "agreement" share the result.
// Fits with equal options "neighbors", "width" and "distance" share the geometry: the graph,
// affinities and distances.
func metricTensors(j *job, points *mat.Dense) (*tensors, error) {
	if err := j.begin("geodesics"); err != nil {
		return nil, err
	}
	g, err := geometryOf(j, points)
	if err != nil {
		return nil, err
	}
	if err := j.begin("metric tensors"); err != nil {
		return nil, err
	}
	return shared(j.work, tensorsStep{geometry: g, Rules: metricRulesOf(j)})
}

func metricRulesOf(j *job) riemann.Rules {
	r := riemann.Rules{K1: homogeneousOption.of(j), K2: heterogeneousOption.of(j), Margin: string(discrepancyOption.of(j)),
		LambdaL: lambdaLOption.of(j), LambdaU: lambdaUOption.of(j), Threshold: thresholdOption.of(j), Printed: nullityOption.of(j) == nullityAsPrinted}
	if r.Margin == riemann.AlignmentMargin {
		r.Beta = dlaBetaOption.of(j)
	}
	return r
}

type tensorsStep struct {
	geometry *riemann.Geometry
	riemann.Rules
}

func (s tensorsStep) run(w *work) (*tensors, error) {
	t := riemann.NewLearner(w.ctx, w.data, s.geometry, s.Rules)
	if w.data.Pairs.Len() == 0 && len(w.data.Classes()) == 1 {
		w.warn("all labelled samples belong to one class: there are no classes to separate")
	}
	columns, nullity, err := t.Learn(func(done, total int) { w.progress(done, total, 0) })
	if err != nil {
		return nil, err
	}
	if len(t.Unlabelled) > 0 {
		w.fact("nullity", nullity)
	}
	return &tensors{columns, t.IsLabelled, t.Suggest(t.Doubts(columns))}, nil
}

// geometryOf computes the graph, affinities and distances of the points.
func geometryOf(j *job, points *mat.Dense) (*riemann.Geometry, error) {
	key := geometryStep{points: points, k: s3rmmNeighborsOption.of(j), euclidean: distanceOption.of(j) == Euclidean}
	if !s3rmmWidthOption.auto(j) {
		key.width = s3rmmWidthOption.of(j)
	}
	return shared(j.work, key)
}

type geometryStep struct {
	points    *mat.Dense
	k         int     // K, the number of neighbours
	width     float64 // width of the affinity; 0 for the default 2σ², see graph
	euclidean bool
}

func (s geometryStep) run(w *work) (*riemann.Geometry, error) {
	lengths, width, err := s.graph(w)
	if err != nil {
		return nil, err
	}
	// Affinities of 0 by underflow are harmless, because λ_l and λ_u keep the linear systems
	// regular.
	affinity := lengths.Clone()
	for k, d := range affinity.Val {
		affinity.Val[k] = math.Exp(-d * d / width)
	}
	if s.euclidean {
		return riemann.NewGeometry(riemann.Straight(s.points), affinity), w.ctx.Err()
	}
	// The distances use additional edges that join the components. The affinities do not.
	joined, bridges, err := graph.Connect(w.ctx, s.points, lengths)
	if err != nil {
		return nil, err
	}
	if len(bridges) > 0 {
		w.warn("the neighbourhood graph has %d components: they were joined by the shortest possible edges, so that all geodesic distances are finite", len(bridges)+1)
	}
	distance, _, err := graph.Geodesics(w.ctx, joined)
	if err != nil {
		return nil, err
	}
	return riemann.NewGeometry(distance, affinity), w.ctx.Err()
}

// graph returns the edge lengths of the K-neighbour graph, and the width of the affinity. The
// default width is 2σ², where σ is the mean distance to the sixth neighbour.
func (s geometryStep) graph(w *work) (*sparse.CSR, float64, error) {
	n, _ := s.points.Dims()
	sixth := min(6, n-1)
	nb, err := graph.Search(w.ctx, s.points, max(s.k, sixth), graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, 0, err
	}
	width := s.width
	if width == 0 {
		sigma := 0.0
		for i := range n {
			_, dist := nb.Of(i)
			sigma += dist[sixth-1] / float64(n)
		}
		if sigma == 0 { // every sample has at least six duplicates
			if sigma, err = graph.HalfMedian(w.ctx, s.points, graph.Euclidean); err != nil {
				return nil, 0, err
			}
		}
		w.fact("σ", sigma)
		width = 2 * sigma * sigma
	}
	lengths, err := nb.Head(s.k).Lengths(graph.Or)
	return lengths, width, err
}
