package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
)

// The options of the graph that LMRAG and ULMRAG learn.

// Candidates selects the entries that may be non-zero in the learned graph S of [LMRAG] and
// [ULMRAG].
type Candidates string

// Values of [Candidates].
const (
	// LocalCandidates are the k nearest samples in the feature space, fixed in all iterations. For
	// fixed λ, no step then increases the objective.
	LocalCandidates Candidates = adaptive.LocalCandidates
	// NearestCandidates are the k samples of least cost in the current iteration. They can join
	// components of the graph, but the objective may increase.
	NearestCandidates Candidates = adaptive.NearestCandidates
	// ProjectedCandidates are the k nearest samples in the projection of the current iteration, as
	// in the code that the authors' group published for its projected clustering. They can join
	// components of the graph, but the objective may increase.
	ProjectedCandidates Candidates = adaptive.ProjectedCandidates
	// AllCandidates are all other samples, at a cost of O(n²) per iteration.
	AllCandidates Candidates = adaptive.AllCandidates
)

// Adjust is the rule that changes λ after each iteration. λ is the weight of the term that splits
// the learned graph into c components.
type Adjust string

// Values of [Adjust].
const (
	// DoubleOrHalve is the rule in the paper. λ is doubled while the graph has fewer than c
	// components and halved while it has more. The iteration ends at c components, when ten
	// halvings in a row leave the number of components unchanged, or when λ is halved below 1e-9·γ
	// or doubled above 1e12·γ.
	DoubleOrHalve Adjust = adaptive.DoubleOrHalve
	// Bracket follows DoubleOrHalve until it has found both a λ with too few and a λ with too many
	// components. It then continues with the geometric mean of the two.
	Bracket Adjust = adaptive.Bracket
	// Keep does not change λ. The iteration ends when the objective decreases by less than 1e-8
	// times its value.
	Keep Adjust = adaptive.Keep
)

// Candidates(kind)
var candidatesOption = &choiceOption[Candidates]{choice{Name: "candidates", Setter: "Candidates", Default: LocalCandidates, Choices: choices(LocalCandidates, NearestCandidates, ProjectedCandidates, AllCandidates),
	Doc: "entries of the graph that may be non-zero"}}

// Lambda(weight)
var lambdaOption = floatOption{Name: "lambda", Setter: "Lambda", Default: float64(Auto), Min: tiny, Max: huge, Log: true, Auto: "γ of the initial graph",
	Doc: "initial weight λ of the term that splits the graph into c components, in squared units of the data"}

// Adjust(rule)
var adjustOption = &choiceOption[Adjust]{choice{Name: "adjust", Setter: "Adjust", Default: DoubleOrHalve, Choices: choices(DoubleOrHalve, Bracket, Keep),
	Doc: "how λ changes between iterations"}}

// Iterations(k)
var iterationsOption = intOption{Name: "iterations", Setter: "Iterations", Default: 30, Min: 1, Max: math.MaxInt32, Doc: "largest number of iterations"}

var adaptiveOptions = list(candidatesOption, lambdaOption, adjustOption, iterationsOption)
