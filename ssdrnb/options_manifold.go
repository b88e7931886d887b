package ssdrnb

// The options of the methods that embed a neighbourhood graph.

// neighboring gives a builder the option Neighbors alone.
type neighboring[B any] struct{ c *core[B] }

// Neighbors sets the number k of neighbours, at least 1 and less than the number
// of samples.
func (b neighboring[B]) Neighbors(k int) B { return set(b.c, neighborsOption, k) }

// nearestOption is neighborsOption where a sample has its k nearest, and need not be
// among theirs.
var nearestOption = neighborsOption.as("nearest neighbours k of each sample; less than the number of samples")

var regularizationOption = declare[float64](Param{Name: "regularization", Setter: "Regularization", Default: 1e-3, Min: tiny, Max: huge, Log: true,
	Doc: "share of the trace of a local Gram matrix that is added to its diagonal"})

// reconstructing gives a builder the option Regularization.
type reconstructing[B any] struct{ c *core[B] }

// Regularization sets the share R > 0 of the trace of a local Gram matrix that is
// added to its diagonal before the weights are solved for.
func (b reconstructing[B]) Regularization(share float64) B {
	return set(b.c, regularizationOption, share)
}

var includeSelfOption = declare[bool](Param{Name: "include self", Setter: "IncludeSelf", Default: true,
	Doc: "whether a sample is part of its own neighbourhood, as in the paper; scikit-learn leaves it out"})

// selfish gives a builder the option IncludeSelf.
type selfish[B any] struct{ c *core[B] }

// IncludeSelf says whether a sample is part of its own neighbourhood. Without it a
// sample that is nobody's neighbour is free to lie anywhere.
func (b selfish[B]) IncludeSelf(yes bool) B { return set(b.c, includeSelfOption, yes) }

// Values of the option "disconnected".
const (
	// Refuse makes a graph of several components an error.
	Refuse = "refuse"
	// Join adds the shortest edges that connect the components, and warns.
	Join = "join"
)

var disconnectedOption = declare[string](Param{Name: "disconnected", Setter: "Disconnected", Default: Refuse, Choices: []string{Refuse, Join},
	Doc: "what to do about a neighbourhood graph of several components, between which there are no paths"})

// pathed gives a builder the option Disconnected.
type pathed[B any] struct{ c *core[B] }

// Disconnected says what to do about a neighbourhood graph of several components:
// [Refuse] or [Join].
func (b pathed[B]) Disconnected(rule string) B { return set(b.c, disconnectedOption, rule) }
