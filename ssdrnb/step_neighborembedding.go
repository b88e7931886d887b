package ssdrnb

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Common steps of the neighbour embeddings: graphs, initial positions, and layout settings.

// fuzzyGraph returns the weighted graph of UMAP. The weight of an edge combines the membership
// strengths in both directions: it is a mixture of their fuzzy union and their fuzzy intersection,
// as set by the option "mix ratio".
func fuzzyGraph(j *job, nb *graph.Neighbors) (*sparse.CSR, error) {
	if err := j.begin("graph"); err != nil {
		return nil, err
	}
	if c := localConnectivityOption.of(j); c > float64(nb.K) {
		remedy := fmt.Sprintf("set LocalConnectivity to at most %d", nb.K)
		if c <= float64(j.mostNeighbors()) {
			remedy += fmt.Sprintf(", or Neighbors to at least %g", math.Ceil(c))
		}
		return nil, j.faultAmong([]string{localConnectivityOption.Name, nearestOption.Name}, localConnectivityOption.Name,
			fmt.Errorf("%w: the local connectivity is %g, but each sample has only %s", ErrOption, c, nouns.Count(nb.K, "neighbour")), remedy)
	}
	return shared(j.work, fuzzyStep{nb, embed.FuzzyOptions{Connectivity: localConnectivityOption.of(j), Mix: mixRatioOption.of(j)}})
}

type fuzzyStep struct {
	neighbors *graph.Neighbors
	opt       embed.FuzzyOptions
}

func (s fuzzyStep) run(w *work) (*sparse.CSR, error) {
	g, err := shared(w, fuzzyWeights(s))
	if err != nil {
		return nil, err
	}
	remedy := w.connecting(s.neighbors.K, "raise Neighbors")
	if s.opt.Mix == 0 {
		remedy += ", or set MixRatio above 0"
	}
	tellParts(w, g, remedy)
	return g, nil
}

// fuzzyWeights computes the same graph as fuzzyStep, but does not warn about its components.
type fuzzyWeights struct {
	neighbors *graph.Neighbors
	opt       embed.FuzzyOptions
}

func (s fuzzyWeights) run(*work) (*sparse.CSR, error) {
	f, err := embed.Fuzzy(s.neighbors, s.opt)
	if err != nil {
		return nil, err
	}
	return f.W, nil
}

// tellParts records the number of components of the graph. If there are several, it warns.
func tellParts(w *work, g *sparse.CSR, remedy string) {
	count, _ := graph.ComponentsAbove(g, 0)
	w.fact("graph components", float64(count))
	if count > 1 {
		w.warn("the neighbour graph has %d components, whose relative positions mean little; %s, or fit the parts separately", count, remedy)
	}
}

// initialPositions returns the n×d matrix of initial positions for a layout of the graph g: the
// positions given with the data, or those that the option "start" selects. Their scale is
// arbitrary.
func initialPositions(j *job, g *sparse.CSR) (*mat.Dense, error) {
	if err := j.begin("initial positions"); err != nil {
		return nil, err
	}
	if y := j.data.Start; y != nil {
		j.unused(initialOption.Name, "the data have initial positions")
		return y, checkStart(j, y)
	}
	return shared(j.work, initialStep{g, startKind(j), dimsOption.of(j), uint64(layoutSeedOption.of(j))})
}

// checkStart returns an error if the given positions have a different number of dimensions from the
// embedding, are all equal, or have squares that overflow or underflow.
func checkStart(j *job, y *mat.Dense) error {
	_, d := y.Dims()
	if dims := dimsOption.of(j); d != dims {
		return j.fault("start", nil, fmt.Errorf("%w: the initial positions have %s, but the embedding has %d", ErrOption, nouns.Count(d, "coordinate"), dims),
			fmt.Sprintf("set Dims(%d), or give positions of %s with Data.WithStart", d, nouns.Count(dims, "coordinate")))
	}
	largest, spread := samples.Extent(y)
	switch {
	case spread == 0:
		return j.fault("start", nil, fmt.Errorf("%w: all initial positions are equal", ErrData), "give different positions with Data.WithStart, or none")
	case largest > mostMeasurable:
		return j.fault("start", nil, fmt.Errorf("%w: the squares of initial positions up to %.3g overflow", ErrData, largest), "give the positions in a larger unit")
	case spread < leastMeasurable:
		return j.fault("start", nil, fmt.Errorf("%w: the initial positions differ by at most %.3g, whose square underflows", ErrData, spread), "give the positions in a smaller unit")
	}
	return nil
}

type initialStep struct {
	graph *sparse.CSR
	kind  Start
	dims  int
	seed  uint64
}

func (s initialStep) run(w *work) (*mat.Dense, error) {
	switch s.kind {
	case PrincipalStart:
		return shared(w, coordinatesStep{s.dims})
	case RandomStart:
		return randomPositions(s.graph.Rows, s.dims, s.seed), nil
	}
	var coarse *mat.Dense // principal coordinates; they place the components relative to each other
	if count, _ := graph.ComponentsAbove(s.graph, 0); count > 1 {
		var err error
		if coarse, err = shared(w, coordinatesStep{s.dims}); err != nil {
			return nil, err
		}
	}
	return embed.Spectral(w.ctx, s.graph, coarse, s.dims, s.seed)
}

// randomPositions returns n positions, uniformly distributed in the unit cube.
func randomPositions(n, dims int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	y := mat.NewDense(n, dims, nil)
	for k := range y.RawMatrix().Data {
		y.RawMatrix().Data[k] = rng.Float64()
	}
	return y
}

// scoresStep computes the principal components of the samples, n×dims; columns beyond the rank are
// 0. The entry of largest magnitude in each column is positive.
type scoresStep struct{ dims int }

func (s scoresStep) run(w *work) (*mat.Dense, error) {
	sp, err := shared(w, spanStep{share: 1, leastDirections: 1})
	if err != nil {
		return nil, err
	}
	n, r := sp.z.Dims()
	y := mat.NewDense(n, s.dims, nil)
	y.Slice(0, n, 0, min(r, s.dims)).(*mat.Dense).Copy(sp.z)
	dense.Flip(dense.Signs(y), y)
	return y, nil
}

// layoutSettings returns the settings of the cross-entropy layout, with a callback that reports the
// progress to observers.
func layoutSettings(j *job) (embed.Options, error) {
	o := embed.Options{LearningRate: learningRateOption.of(j), Negatives: negativeSampleRateOption.of(j), Repulsion: repulsionOption.of(j), Seed: uint64(layoutSeedOption.of(j))}
	if !layoutIterationsOption.auto(j) {
		o.Epochs = layoutIterationsOption.of(j)
	}
	o.Progress = j.layout
	minDist, spread := minDistOption.of(j), layoutSpreadOption.of(j)
	mixed := func(err error, remedy string) error {
		return j.faultAmong([]string{minDistOption.Name, layoutSpreadOption.Name}, minDistOption.Name, err, remedy)
	}
	if minDist > spread {
		return o, mixed(fmt.Errorf("%w: the minimum distance %g is above the spread %g", ErrOption, minDist, spread), "lower MinDist or raise Spread")
	}
	var err error
	if o.Curve, err = embed.FitCurve(minDist, spread); err != nil {
		return o, err
	}
	if a := o.Curve.A; !(a > 0) || math.IsInf(a, 1) {
		return o, mixed(fmt.Errorf("%w: with the spread %g, the coefficient of the similarity curve is outside the range of float64", ErrOption, spread), "give a Spread between 1e-6 and 1e6")
	}
	return o, nil
}

// densityOf returns the density term of a layout, computed from the graph w. Every edge of w must
// join a sample to one of its neighbours in nb. If the option "density" is 0, the result is the
// zero value.
func densityOf(j *job, w *sparse.CSR, nb *graph.Neighbors) (embed.Density, error) {
	lambda := densityOption.of(j)
	if lambda == 0 {
		return embed.Density{}, nil
	}
	radii, err := shared(j.work, radiiStep{w, nb})
	return embed.Density{Lambda: lambda, Graph: w, Radius: radii}, err
}

type radiiStep struct {
	graph     *sparse.CSR
	neighbors *graph.Neighbors
}

func (s radiiStep) run(*work) ([]float64, error) { return embed.Radii(s.graph, s.neighbors) }

// tellDensity records the correlation between local radii in the layout and in the data.
func tellDensity(j *job, d embed.Density, correlation float64) {
	if d.Lambda == 0 {
		return
	}
	j.fact("density correlation", correlation)
	if !d.Varies() {
		j.unused(densityOption.Name, "all samples have the same distance to their neighbours")
	}
}

// placement returns the rule that places new points in the embedding y, which consists of the
// positions in the layout multiplied by the argument scale.
func placement(j *job, p pointsOf, nb *graph.Neighbors, y *mat.Dense, scale float64, o embed.Options) outofsample.Map {
	o.Progress, o.Epochs, o.Density = nil, 0, embed.Density{}
	return &outofsample.Placed{Samples: p.samples(j), Y: y, K: nb.K, Connectivity: localConnectivityOption.of(j), Scale: scale, Layout: o}
}
