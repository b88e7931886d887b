package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// UMAP returns the builder of uniform manifold approximation and projection. [Model.Values] is
// empty. [Model.Graph] has the weights of the edges.
//
// Source: McInnes, Healy, Melville, "UMAP: uniform manifold approximation and projection
// for dimension reduction", arXiv 1802.03426, 2018.
//
// Objective: minimise the cross entropy −Σ (w_ij·log v_ij + (1 − w_ij)·log(1 − v_ij)) over all
// pairs. v = 1/(1 + a·d^(2b)) is the similarity of two positions at distance d. A neighbour j of i
// has the membership strength exp(−max(0, d_ij − ρ_i)/σ_i). w_ij is the fuzzy union p + q − pq of
// the strengths p and q in both directions. ρ_i is the distance to the nearest neighbour, and σ_i
// is chosen so that the strengths of the k neighbours sum to log₂(k + 1).
//
// Solution: stochastic gradient descent over edges. Each edge is sampled with a frequency
// proportional to its weight. The two samples of the edge then attract each other, and random
// samples repel one of them.
//
// Labels are used only if TargetWeight is set to a value t. The weight of an edge between different
// labels is then multiplied by exp(−2.5/(1 − t)), and the weight of an edge to an unlabelled sample
// by 1/e, as in umap-learn. umap-learn always uses the labels y that it is given, with t = 0.5. In
// this library, labels may serve only for scores and colours, so their use must be requested.
//
// The option "density" λ adds −λ·corr(r, R), times the sum of the edge weights, to the objective. r
// and R are the logarithms of the samples' local radii in the embedding and in the data
// (densMAP: Narayan, Berger, Cho, Nature Biotechnology 39, 2021). The gradient of this term is
// computed over all edges once per epoch; umap-learn computes it for each sampled edge.
//
// New points: the mean of the positions of their neighbours, weighted by membership strength; then
// 100 epochs of the layout, without density and with all other positions fixed.
//
// Cost: a search for neighbours, and O(nkd) per epoch and negative sample. The same seed gives the
// same embedding, to the last bit, on any number of processors. The layout is parallel: edges
// processed at the same time have no sample in common. umap-learn runs either in parallel or with a
// seed. Other types of processors round differently. This may change the layout of a large data set
// that starts from spectral positions.
//
// Defaults: dims 2, neighbors 14 (umap-learn's 15 include the sample itself) by the Euclidean
// metric, local connectivity 1, mix ratio 1, min dist 0.1, spread 1, 500 iterations up to 10,000
// samples and 200 above, negative sample rate 5, repulsion 1, learning rate 1, spectral start,
// density 0, labels not used.
//
// Fails: distances between clusters mean little, and so do their sizes unless Density is set. Data
// without clusters may appear clustered. Labels only separate labelled samples and do not guide
// unlabelled ones: with few labels, the embedding predicted hidden labels less accurately than an
// embedding computed without labels. [S2NE] also guides unlabelled samples.
func UMAP() *UMAPBuilder { return newUMAP(Spec{method: umap}) }

// TargetWeight(t): At 0 labels have a small effect; at 1 edges between different labels vanish.
var targetWeightOption = floatOption{Name: "target weight", Setter: "TargetWeight", Default: float64(Auto), Min: 0, Max: 1,
	Auto: "labels are not read",
	Doc:  "weight t of labels relative to the data: it multiplies the weights of edges between different labels by exp(−2.5/(1 − t)); umap-learn uses 0.5 if given labels"}

var umap = register(Method{
	Name: "UMAP", Func: "UMAP", Title: "uniform manifold approximation and projection", Paper: "McInnes, Healy, Melville 2018",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: LabelsIfAny, takes: neighborhoods, Descends: true, Random: true,
	Params: list(layoutOptions, targetWeightOption),
	fit:    fitUMAP,
})

func fitUMAP(j *job) (*solution, error) {
	g, err := edgesOf(j)
	if err != nil {
		return nil, err
	}
	y0, err := initialPositions(j, g.w)
	if err != nil {
		return nil, err
	}
	if err := j.begin("layout"); err != nil {
		return nil, err
	}
	r, err := embed.Layout(j.ctx, g.w, embed.Spread(y0, 10, g.settings.Seed, j.data.Start != nil), g.settings)
	if r == nil {
		return nil, err
	}
	return g.solution(j, r), err
}

// edges holds the edges of the UMAP graph and the settings of the layout.
type edges struct {
	neighbors *graph.Neighbors
	w         *sparse.CSR
	settings  embed.Options
}

// edgesOf returns the weighted edges between the samples and the settings of their layout.
func edgesOf(j *job) (edges, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return edges{}, err
	}
	w, err := fuzzyGraph(j, nb)
	if err != nil {
		return edges{}, err
	}
	fuzzy := w
	if j.data.NumLabelled() == 0 {
		j.unused(targetWeightOption.Name, "no sample is labelled")
	} else if !targetWeightOption.auto(j) {
		if w, err = separated(j, w); err != nil {
			return edges{}, err
		}
	}
	o, err := layoutSettings(j)
	if err != nil {
		return edges{}, err
	}
	if o.Density, err = densityOf(j, fuzzy, nb); err != nil {
		return edges{}, err
	}
	return edges{nb, w, o}, nil
}

// solution records the result of the layout. It returns the embedding with the rule for new points.
func (g edges) solution(j *job, r *embed.Result) *solution {
	j.fact("iterations", float64(r.Epochs))
	j.history("layout", r.History)
	tellDensity(j, g.settings.Density, r.Density)
	return &solution{y: r.Y, graph: g.w, mapping: placement(j, plainPoints(j), g.neighbors, r.Y, 1, g.settings)}
}

// separated returns the graph w with lower weights for edges between different labels.
func separated(j *job, w *sparse.CSR) (*sparse.CSR, error) {
	far, err := embed.LabelDistance(targetWeightOption.of(j))
	if err != nil {
		return nil, err
	}
	return shared(j.work, separatedStep{w, far})
}

type separatedStep struct {
	graph *sparse.CSR
	far   float64
}

func (s separatedStep) run(w *work) (*sparse.CSR, error) {
	return embed.UseLabels(s.graph, w.data.Labels, s.far)
}
