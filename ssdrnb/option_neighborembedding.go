package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// Options of the neighbour embeddings S2NE, UMAP and t-SNE.

// Start selects the initial positions of a neighbour embedding.
type Start string

// Values of [Start].
const (
	// SpectralStart uses the bottom eigenvectors of the Laplacian of the neighbour graph, computed
	// separately for each component.
	SpectralStart Start = "spectral"
	// PrincipalStart uses principal components.
	PrincipalStart Start = "pca"
	// RandomStart uses random positions.
	RandomStart Start = "random"
)

// Start(positions): Positions set with [data.Data.WithStart] override this option.
var initialOption = &choiceOption[Start]{choice{Name: "start", Setter: "Start", Choices: choices(SpectralStart, PrincipalStart, RandomStart),
	Doc: "initial positions, unless the data have some; they determine how clusters are arranged"}}

// Seed(seed)
var layoutSeedOption = seedOption.withDoc("seed of all random numbers: the same seed gives the same embedding on any number of processors")

// Iterations(epochs)
var layoutIterationsOption = intOption{Name: "iterations", Setter: "Iterations", Default: Auto, Min: 1, Max: math.MaxInt32, Log: true,
	Auto: "500 up to 10,000 samples and 200 above",
	Doc:  "number of epochs, passes over the edges of the graph; the learning rate decreases to 0"}

// LocalConnectivity(neighbors): These neighbours have the membership strength 1. The distance of
// the farthest of them is subtracted from the distances of the other neighbours. Values above 1
// keep samples of sparse regions together.
var localConnectivityOption = floatOption{Name: "local connectivity", Setter: "LocalConnectivity", Default: 1.0, Min: 0, Max: many,
	Doc: "number of nearest neighbours that a sample is always connected to, at most all of them; a number that is not whole interpolates between neighbours"}

// MixRatio(union): At 0 only mutual neighbours are connected, so outliers have no edges.
var mixRatioOption = floatOption{Name: "mix ratio", Setter: "MixRatio", Default: 1.0, Min: 0, Max: 1,
	Doc: "share of the fuzzy union in the weights of edges: 1 keeps an edge if either end has the other as a neighbour, 0 (the intersection) only if both do"}

// MinDist(distance): Small values make clusters compact.
var minDistOption = floatOption{Name: "min dist", Setter: "MinDist", Default: 0.1, Min: 0, Max: huge, Log: true,
	Doc: "distance in the embedding below which similarity is maximal; at most the spread"}

// Spread(distance)
var layoutSpreadOption = floatOption{Name: "spread", Setter: "Spread", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "distance beyond min dist over which similarity decays by a factor e; it sets the unit of the embedding"}

// LearningRate(rate): The step length decreases linearly to 0.
var learningRateOption = floatOption{Name: "learning rate", Setter: "LearningRate", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "initial step length"}

// NegativeSampleRate(samples)
var negativeSampleRateOption = intOption{Name: "negative sample rate", Setter: "NegativeSampleRate", Default: 5, Min: 1, Max: outofsample.MostNegatives, Log: true,
	Doc: "number of random samples that repel a sample for each attraction by an edge"}

// Repulsion(weight)
var repulsionOption = floatOption{Name: "repulsion", Setter: "Repulsion", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "weight of the repulsion by random samples"}

// Density(lambda): Above 0, dense regions become small islands and sparse regions large ones, as in
// densMAP and den-SNE. The report has the achieved correlation.
var densityOption = floatOption{Name: "density", Setter: "Density", Default: 0.0, Min: 0, Max: huge,
	Doc: "weight λ of the correlation between the log local radii of samples in the data and in the embedding, in the last 30 % of the iterations; 0 turns it off, 0.5 is enough for most data, and much larger values preserve fewer neighbours"}

// layoutOptions lists the options of the cross-entropy layout. The default of 14 neighbours equals
// 15 in umap-learn, which counts a sample as its own neighbour.
var layoutOptions = list(dimsOption.with(2), nearestOption.with(14), searchOptions, metricOption, localConnectivityOption, mixRatioOption, minDistOption, layoutSpreadOption, initialOption.with(SpectralStart),
	layoutIterationsOption, learningRateOption, negativeSampleRateOption, repulsionOption, densityOption, layoutSeedOption)
