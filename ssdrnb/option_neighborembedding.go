package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// The options of the neighbour embeddings S2NE, UMAP and t-SNE.

// Start is where a neighbour embedding begins.
type Start string

// Values of [Start].
const (
	// SpectralStart begins at the bottom eigenvectors of the neighbour graph's Laplacian,
	// for each component by itself.
	SpectralStart Start = "spectral"
	// PrincipalStart begins at principal components.
	PrincipalStart Start = "pca"
	// RandomStart begins at random positions.
	RandomStart Start = "random"
)

// Start(positions): Positions of your own come with the data, by [data.Data.WithStart],
// and take the place of all three.
var initialOption = &choiceOption[Start]{choice{Name: "start", Setter: "Start", Choices: choices(SpectralStart, PrincipalStart, RandomStart),
	Doc: "initial positions, unless they are given with the data; they decide how clusters lie to each other"}}

// Seed(seed)
var layoutSeedOption = seedOption.as("seed of all random numbers: the same seed gives the same embedding on any number of processors")

// Iterations(epochs)
var layoutIterationsOption = intOption{Name: "iterations", Setter: "Iterations", Default: Auto, Min: 1, Max: math.MaxInt32, Log: true,
	Auto: "500 up to 10,000 samples and 200 above",
	Doc:  "number of epochs, passes over the edges of the graph, while the steps shorten to 0"}

// LocalConnectivity(neighbors): The membership of these neighbours is 1, and others are
// measured from the last of them. Several keep samples of sparse regions together.
var localConnectivityOption = floatOption{Name: "local connectivity", Setter: "LocalConnectivity", Default: 1.0, Min: 0, Max: many,
	Doc: "number of nearest neighbours, at most all, that a sample is always connected to; a fraction is interpolated"}

// MixRatio(union): At 0 only samples that have each other as neighbours are connected:
// outliers, which nobody has as a neighbour, fall out of the graph.
var mixRatioOption = floatOption{Name: "mix ratio", Setter: "MixRatio", Default: 1.0, Min: 0, Max: 1,
	Doc: "share of the fuzzy union in the weights of edges: at 1 an edge holds if either end has the other as a neighbour, at 0 if both have, the intersection"}

// MinDist(distance): Small values draw clusters together.
var minDistOption = floatOption{Name: "min dist", Setter: "MinDist", Default: 0.1, Min: 0, Max: huge, Log: true,
	Doc: "distance in the embedding up to which samples are as similar as can be; at most the spread"}

// Spread(distance)
var layoutSpreadOption = floatOption{Name: "spread", Setter: "Spread", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "distance beyond the minimum in which similarity decays by e: the unit of the embedding"}

// LearningRate(rate): It goes linearly to 0.
var learningRateOption = floatOption{Name: "learning rate", Setter: "LearningRate", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "length of the first steps"}

// NegativeSampleRate(samples)
var negativeSampleRateOption = intOption{Name: "negative sample rate", Setter: "NegativeSampleRate", Default: 5, Min: 1, Max: outofsample.MostNegatives, Log: true,
	Doc: "number of random samples that one is pushed away from each time that an edge pulls it"}

// Repulsion(weight)
var repulsionOption = floatOption{Name: "repulsion", Setter: "Repulsion", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "weight of the pushes that random samples give"}

// Density(lambda): Islands of samples that lie dense in the data are then small, and those of
// sparse ones are large: densMAP and den-SNE. The report has the correlation that was reached.
var densityOption = floatOption{Name: "density", Setter: "Density", Default: 0.0, Min: 0, Max: huge,
	Doc: "weight λ of the correlation between the log local radii of samples in the data and in the embedding, in the last 30 % of the iterations; 0 is none, 0.5 is enough for most data, and much more costs neighbours"}

// layoutOptions are those of the cross-entropy layout. umap-learn counts a sample among
// its own neighbours: its 15 are the 14 here.
var layoutOptions = list(dimsOption.with(2), nearestOption.with(14), searchOptions, metricOption, localConnectivityOption, mixRatioOption, minDistOption, layoutSpreadOption, initialOption.with(SpectralStart),
	layoutIterationsOption, learningRateOption, negativeSampleRateOption, repulsionOption, densityOption, layoutSeedOption)
