package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// TSNE returns the builder of t-distributed stochastic neighbour embedding. [Model.Values] is
// empty. The report has the divergence, and [Model.Graph] has the affinities p.
//
// Source: van der Maaten, Hinton, "Visualizing data using t-SNE", JMLR 9, 2008; Linderman et al.,
// Nature Methods 16, 2019, for the repulsion in O(n).
//
// Objective: minimise the Kullback–Leibler divergence Σ p_ij·log(p_ij/q_ij). p_ij is the mean of
// exp(−β_i·d_ij²) and exp(−β_j·d_ij²), each normalised to a distribution over the neighbours; β_i
// is set so that the distribution has the given perplexity. q_ij is (1 + d²/α)^−α, where d is the
// distance between the positions of i and j and α is the number of degrees of freedom. p and q are
// scaled so that each sums to 1.
//
// Solution: gradient descent with momentum; p is exaggerated in the early iterations.
//
// New points: the position of least divergence for the affinities of the new point, with all other
// positions fixed.
//
// Cost: a search for neighbours. Each iteration takes O(n) in one or two dimensions, with a grid
// that grows with the embedding, and O(n²) in more dimensions. The same seed gives the same
// embedding, to the last bit, on any number of processors.
//
// Defaults: dims 2, perplexity 30 with 90 neighbours, Euclidean metric, one degree of freedom, 250
// early iterations with exaggeration 12, then 500 iterations with exaggeration 1, learning rate
// n/exaggeration but at least 200, momentum 0.8, principal components as the start, density 0.
// Labels are not used. A perplexity above (n − 1)/3 is lowered to this value, and the report warns.
//
// Fails: distances between clusters mean little, and so do their sizes unless Density is set
// (den-SNE: Narayan, Berger, Cho, Nature Biotechnology 39, 2021). Data without clusters may appear
// clustered. With too few iterations, the layout of a large data set has not yet unfolded.
func TSNE() *TSNEBuilder { return newTSNE(Spec{method: tsne}) }

// Perplexity(neighbors): A perplexity above a third of the number of other samples is lowered to
// this value, and the report warns.
var perplexityOption = floatOption{Name: "perplexity", Setter: "Perplexity", Default: 30.0, Min: 1, Max: huge, Log: true,
	Doc: "effective number of neighbours; at most a third of the other samples"}

// EarlyExaggeration(factor)
var earlyExaggerationOption = floatOption{Name: "early exaggeration", Setter: "EarlyExaggeration", Default: 12.0, Min: 1, Max: huge, Log: true,
	Doc: "factor of the affinities in the early iterations, which makes clusters compact"}

// EarlyIterations(k)
var earlyIterationsOption = intOption{Name: "early iterations", Setter: "EarlyIterations", Default: 250, Min: 1, Max: many, Log: true,
	Doc: "number of iterations with early exaggeration"}

// Exaggeration(factor): With a factor of 4, the embedding resembles [UMAP] (Böhm, Berens, Kobak,
// JMLR 23, 2022).
var exaggerationOption = floatOption{Name: "exaggeration", Setter: "Exaggeration", Default: 1.0, Min: 1, Max: huge, Log: true,
	Doc: "factor of the affinities in the iterations after the early ones: above 1, islands are tighter and further apart"}

// DegreesOfFreedom(alpha): For α below 1, the tails are heavier and the islands smaller; these
// islands may be structure or noise (Kobak, Linderman, Steinerberger, Kluger, Berens, ECML PKDD
// 2019). For α far above 1, the method approaches SNE, which crowds the samples. In three or more
// dimensions, values other than 1 are several times slower.
var degreesOption = floatOption{Name: "degrees of freedom", Setter: "DegreesOfFreedom", Default: 1.0, Min: embed.LeastDegrees, Max: embed.MostDegrees, Log: true,
	Doc: "α of the similarities (1 + d²/α)^−α: below 1, islands break into smaller ones; far above 1, they merge"}

// LearningRate(rate)
var tsneRateOption = learningRateOption.automatic("n/exaggeration, and at least 200").withDoc("step length, as a multiple of a quarter of the gradient")

// Momentum(share)
var momentumOption = floatOption{Name: "momentum", Setter: "Momentum", Default: 0.8, Min: tiny, Max: 0.999,
	Doc: "share of the previous step that is added to the next"}

var tsne = register(Method{
	Name: "t-SNE", Func: "TSNE", Title: "t-distributed stochastic neighbour embedding", Paper: "van der Maaten, Hinton 2008",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, takes: neighborhoods, Descends: true, Random: true,
	Params: list(dimsOption.with(2), perplexityOption, searchOptions, metricOption, earlyExaggerationOption, earlyIterationsOption,
		iterationsOption.with(500).withDoc("number of iterations after the early ones"), exaggerationOption, degreesOption, tsneRateOption, momentumOption,
		initialOption.with(PrincipalStart), densityOption, layoutSeedOption),
	fit: fitTSNE,
})

func fitTSNE(j *job) (*solution, error) {
	nb, perplexity, err := perplexNeighbors(j)
	if err != nil {
		return nil, err
	}
	p, err := affinities(j, nb, perplexity)
	if err != nil {
		return nil, err
	}
	y0, err := initialPositions(j, p)
	if err != nil {
		return nil, err
	}
	density, err := densityOf(j, p, nb)
	if err != nil {
		return nil, err
	}
	if err := j.begin("layout"); err != nil {
		return nil, err
	}
	o := embed.TSNEOptions{Exaggeration: earlyExaggerationOption.of(j), EarlyEpochs: earlyIterationsOption.of(j),
		LateExaggeration: exaggerationOption.of(j), Epochs: iterationsOption.of(j), Momentum: momentumOption.of(j),
		DegreesOfFreedom: degreesOption.of(j), Density: density, Progress: j.layout}
	if !tsneRateOption.auto(j) {
		o.LearningRate = tsneRateOption.of(j)
	}
	r, err := embed.TSNE(j.ctx, p, embed.Shrunk(y0, 1e-4, uint64(layoutSeedOption.of(j)), j.data.Start != nil), o)
	if r == nil {
		return nil, err
	}
	j.fact("iterations", float64(r.Epochs))
	j.fact("divergence", r.Divergence)
	j.history("layout", r.History)
	tellDensity(j, density, r.Density)
	return &solution{y: r.Y, graph: p, mapping: &outofsample.PlacedTSNE{Samples: known(j), Y: r.Y, K: nb.K, Perplexity: perplexity, DegreesOfFreedom: o.DegreesOfFreedom, Scale: 1}}, err
}

// perplexNeighbors returns the perplexity, and the nearest neighbours of each sample. The number of
// neighbours is three times the perplexity. If a sample cannot have that many neighbours, the
// perplexity is lowered, with a warning.
func perplexNeighbors(j *job) (*graph.Neighbors, float64, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, 0, err
	}
	perplexity := supported(j, perplexityOption.of(j), true)
	nb, err := neighborsOf(j, j.x(), min(j.availableNeighbors(), int(3*perplexity)))
	return nb, perplexity, err
}

// supported returns the smaller of two numbers: the perplexity, and a third of the number of
// neighbours that a sample can have. If it lowers the perplexity and the argument tell is true, it
// also warns.
func supported(j *job, perplexity float64, tell bool) float64 {
	most, others := max(1, float64(j.availableNeighbors())/3), "of the other samples"
	if j.data.Nearest != nil {
		others = "of the neighbours that are given"
	}
	if tell && perplexity > most && j.availableNeighbors() < 3 {
		j.warn("perplexity reduced from %.3g to 1, the minimum, because a third %s is less than one", perplexity, others)
	} else if tell && perplexity > most {
		j.warn("perplexity reduced from %.3g to %.3g, a third %s", perplexity, most, others)
	}
	return min(perplexity, most)
}

// affinities returns the joint probabilities p of pairs of samples.
func affinities(j *job, nb *graph.Neighbors, perplexity float64) (*sparse.CSR, error) {
	if err := j.begin("affinities"); err != nil {
		return nil, err
	}
	return shared(j.work, affinitiesStep{nb, perplexity})
}

type affinitiesStep struct {
	neighbors  *graph.Neighbors
	perplexity float64
}

func (s affinitiesStep) run(w *work) (*sparse.CSR, error) {
	p, err := shared(w, affinityWeights(s))
	if err != nil {
		return nil, err
	}
	tellParts(w, p, w.connecting(s.neighbors.K, "raise Perplexity"))
	return p, nil
}

// affinityWeights computes the same graph as affinitiesStep, but does not warn if the graph has
// several components.
type affinityWeights struct {
	neighbors  *graph.Neighbors
	perplexity float64
}

func (s affinityWeights) run(*work) (*sparse.CSR, error) {
	a, err := embed.Perplexity(s.neighbors, s.perplexity)
	if err != nil {
		return nil, err
	}
	return a.P, nil
}
