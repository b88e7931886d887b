package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// The options of the neighbour embeddings S2NE, UMAP and t-SNE.

// Values of the option "start" of neighbour embeddings.
const (
	// SpectralStart begins at the bottom eigenvectors of the neighbour graph's Laplacian,
	// for each component by itself.
	SpectralStart = "spectral"
	// PrincipalStart begins at principal components.
	PrincipalStart = "pca"
	// RandomStart begins at random positions.
	RandomStart = "random"
)

var initialOption = choiceOption{Name: "start", Setter: "Start", Choices: []string{SpectralStart, PrincipalStart, RandomStart},
	Doc: "initial positions, unless they are given with the data; they decide how clusters lie to each other"}

var layoutSeedOption = seedOption.as("seed of all random numbers: the same seed gives the same embedding on any number of processors")

var layoutIterationsOption = intOption{Name: "iterations", Setter: "Iterations", Default: Auto, Min: 1, Max: math.MaxInt32, Log: true,
	Auto: "500 up to 10,000 samples and 200 above",
	Doc:  "epochs: passes over the edges of the graph, while the steps shorten to 0"}

var localConnectivityOption = floatOption{Name: "local connectivity", Setter: "LocalConnectivity", Default: 1.0, Min: 0, Max: many,
	Doc: "number of nearest neighbours, at most all, that a sample is surely connected to; a fraction is interpolated"}

var mixRatioOption = floatOption{Name: "mix ratio", Setter: "MixRatio", Default: 1.0, Min: 0, Max: 1,
	Doc: "1: an edge holds if either end has the other as a neighbour, the fuzzy union; 0: if both have, the intersection"}

var minDistOption = floatOption{Name: "min dist", Setter: "MinDist", Default: 0.1, Min: 0, Max: huge, Log: true,
	Doc: "distance in the embedding up to which samples are as similar as can be; at most the spread"}

var layoutSpreadOption = floatOption{Name: "spread", Setter: "Spread", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "distance beyond the minimum in which similarity decays by e: the unit of the embedding"}

var learningRateOption = floatOption{Name: "learning rate", Setter: "LearningRate", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "length of the first steps"}

var negativeSampleRateOption = intOption{Name: "negative sample rate", Setter: "NegativeSampleRate", Default: 5, Min: 1, Max: outofsample.MostNegatives, Log: true,
	Doc: "random samples that one is pushed away from each time that an edge pulls it"}

var repulsionOption = floatOption{Name: "repulsion", Setter: "Repulsion", Default: 1.0, Min: tiny, Max: huge, Log: true,
	Doc: "weight of these pushes"}

// layoutOptions are those of the cross-entropy layout. umap-learn counts a sample among
// its own neighbours: its 15 are the 14 here.
var layoutOptions = list(dimsOption.with(2), nearestOption.with(14), searchOptions, metricOption, localConnectivityOption, mixRatioOption, minDistOption, layoutSpreadOption, initialOption.with(SpectralStart),
	layoutIterationsOption, learningRateOption, negativeSampleRateOption, repulsionOption, layoutSeedOption)

// started gives a builder the options Start and Seed.
type started[Builder any] struct{ c *core[Builder] }

// Start sets the initial positions: [SpectralStart], [PrincipalStart] or [RandomStart].
// The default is [PrincipalStart] for [TSNE], else [SpectralStart]. Positions of your own
// come with the data, by [data.Data.WithStart], and take the place of all three.
func (b *started[Builder]) Start(positions string) Builder {
	return set(b.c, initialOption.to(positions))
}

// Seed sets the seed ≥ 0 of all random numbers. The same seed gives the same embedding
// on any number of processors. The default is 1.
func (b *started[Builder]) Seed(seed int) Builder { return set(b.c, layoutSeedOption.to(seed)) }

// laidOut gives a builder the options of the cross-entropy layout.
type laidOut[Builder any] struct{ c *core[Builder] }

// LocalConnectivity sets the number of nearest neighbours, from 0 to all, that a sample is
// surely connected to: their membership is 1, and others are measured from the last of them.
// A fraction is interpolated. Several keep samples of sparse regions together. The default
// is 1.
func (b *laidOut[Builder]) LocalConnectivity(neighbors float64) Builder {
	return set(b.c, localConnectivityOption.to(neighbors))
}

// MixRatio sets the share, from 0 to 1, of the fuzzy union of both directions in the weights
// of edges; the rest is their intersection. At 0 only samples that have each other as
// neighbours are connected: outliers, which nobody has as a neighbour, fall out of the graph.
// The default is 1.
func (b *laidOut[Builder]) MixRatio(union float64) Builder {
	return set(b.c, mixRatioOption.to(union))
}

// MinDist sets the distance in the embedding, from 0 to the spread, up to which samples
// are as similar as can be: small values draw clusters together. The default is
// 0.1.
func (b *laidOut[Builder]) MinDist(distance float64) Builder {
	return set(b.c, minDistOption.to(distance))
}

// Spread sets the distance > 0 beyond the minimum in which similarity decays by a factor
// e. It is the unit of the embedding. The default is 1.
func (b *laidOut[Builder]) Spread(distance float64) Builder {
	return set(b.c, layoutSpreadOption.to(distance))
}

// Iterations sets the number of epochs, at least 1: passes over the edges of the graph.
// The default [Auto] takes 500 up to 10,000 samples and 200 above.
func (b *laidOut[Builder]) Iterations(epochs int) Builder {
	return set(b.c, layoutIterationsOption.to(epochs))
}

// LearningRate sets the length > 0 of the first steps; it goes linearly to 0. The
// default is 1.
func (b *laidOut[Builder]) LearningRate(rate float64) Builder {
	return set(b.c, learningRateOption.to(rate))
}

// NegativeSampleRate sets the number of random samples, from 1 to 1000, that one is
// pushed away from each time that an edge pulls it. The default is 5.
func (b *laidOut[Builder]) NegativeSampleRate(samples int) Builder {
	return set(b.c, negativeSampleRateOption.to(samples))
}

// Repulsion sets the weight > 0 of these pushes. The default is 1.
func (b *laidOut[Builder]) Repulsion(weight float64) Builder {
	return set(b.c, repulsionOption.to(weight))
}
