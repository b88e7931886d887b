package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
)

// The options of the graph that LMRAG learns.

// Values of the option "candidates": where the S step may put weights.
const (
	// LocalCandidates are the k nearest samples in the space of the features, fixed.
	// At a fixed λ no step then raises J.
	LocalCandidates = adaptive.LocalCandidates
	// NearestCandidates are the k samples of least cost in the iteration. They can
	// join components; J may rise.
	NearestCandidates = adaptive.NearestCandidates
	// ProjectedCandidates are the k nearest samples in the projection of the iteration.
	// They too can join components, and J may rise. The code that the authors' group
	// published for its projected clustering does this.
	ProjectedCandidates = adaptive.ProjectedCandidates
	// AllCandidates are all others, in O(n²) for each iteration.
	AllCandidates = adaptive.AllCandidates
)

// Values of the option "adjust": what happens to λ after each iteration.
const (
	// DoubleOrHalve is the paper's rule: λ is doubled while the graph has fewer than
	// c components and halved while it has more; c components end the iteration.
	DoubleOrHalve = adaptive.DoubleOrHalve
	// Bracket does the same until both a λ with too few and one with too many are
	// known, and goes on with their geometric mean.
	Bracket = adaptive.Bracket
	// Keep leaves λ as it is. The iteration ends when J falls by less than 1e-8.
	Keep = adaptive.Keep
)

var candidatesOption = choiceOption{Name: "candidates", Setter: "Candidates", Default: LocalCandidates, Choices: []string{LocalCandidates, NearestCandidates, ProjectedCandidates, AllCandidates},
	Doc: "where a row of the graph may have weights"}

var lambdaOption = floatOption{Name: "lambda", Setter: "Lambda", Default: float64(Auto), Min: tiny, Max: huge, Log: true, Auto: "γ of the initial graph",
	Doc: "first weight λ of the term that makes the graph split into c components, in squared units of the data"}

var adjustOption = choiceOption{Name: "adjust", Setter: "Adjust", Default: DoubleOrHalve, Choices: []string{DoubleOrHalve, Bracket, Keep},
	Doc: "how λ changes between iterations"}

var iterationsOption = intOption{Name: "iterations", Setter: "Iterations", Default: 30, Min: 1, Max: math.MaxInt32, Doc: "largest number of iterations"}

var adaptiveOptions = list(candidatesOption, lambdaOption, adjustOption, iterationsOption)

// adaptiveSetters gives a builder the options of the learned graph.
type adaptiveSetters[Builder any] struct{ c *core[Builder] }

// Neighbors sets the number k of neighbours of the initial graph, and of candidates
// where these are nearest ones; at most n − 2. The default is 5.
func (b *adaptiveSetters[Builder]) Neighbors(k int) Builder { return set(b.c, neighborsOption.to(k)) }

// Candidates sets where a row of the graph may have weights: [LocalCandidates],
// [NearestCandidates], [ProjectedCandidates] or [AllCandidates]. The default is
// [LocalCandidates].
func (b *adaptiveSetters[Builder]) Candidates(kind string) Builder {
	return set(b.c, candidatesOption.to(kind))
}

// Lambda sets the first weight λ > 0 of the term that makes the graph split into c
// components. The default [Auto] takes the γ of the initial graph.
func (b *adaptiveSetters[Builder]) Lambda(weight float64) Builder {
	return set(b.c, lambdaOption.to(weight))
}

// Adjust says how λ changes between iterations: [DoubleOrHalve], [Bracket] or [Keep].
// The default is [DoubleOrHalve].
func (b *adaptiveSetters[Builder]) Adjust(rule string) Builder {
	return set(b.c, adjustOption.to(rule))
}

// Iterations sets the largest number of iterations, at least 1. The default is 30.
func (b *adaptiveSetters[Builder]) Iterations(most int) Builder {
	return set(b.c, iterationsOption.to(most))
}
