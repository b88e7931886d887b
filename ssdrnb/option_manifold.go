package ssdrnb

// The options of the methods that embed a neighbourhood graph.

// neighborsSetters gives a builder the option Neighbors alone.
type neighborsSetters[Builder any] struct{ c *core[Builder] }

// Neighbors sets the number k of neighbours, at least 1 and less than the number
// of samples. The default is 14 for [S2NE] and [UMAP], else 12, or
// what there are where samples are fewer (warned of).
func (b *neighborsSetters[Builder]) Neighbors(k int) Builder { return set(b.c, neighborsOption.to(k)) }

// nearestOption is neighborsOption where a sample has its k nearest, and need not be
// among theirs.
var nearestOption = neighborsOption.as("nearest neighbours k of each sample; less than the number of samples")

var regularizationOption = floatOption{Name: "regularization", Setter: "Regularization", Default: 1e-3, Min: tiny, Max: huge, Log: true,
	Doc: "share of the trace of a local Gram matrix that is added to its diagonal"}

// regularizationSetters gives a builder the option Regularization.
type regularizationSetters[Builder any] struct{ c *core[Builder] }

// Regularization sets the share R > 0 of the trace of a local Gram matrix that is
// added to its diagonal before the weights are solved for. The default is 0.001.
func (b *regularizationSetters[Builder]) Regularization(share float64) Builder {
	return set(b.c, regularizationOption.to(share))
}

var includeSelfOption = boolOption{Name: "include self", Setter: "IncludeSelf", Default: true,
	Doc: "whether a sample is part of its own neighbourhood, as in the paper; scikit-learn leaves it out"}

// includeSelfSetters gives a builder the option IncludeSelf.
type includeSelfSetters[Builder any] struct{ c *core[Builder] }

// IncludeSelf says whether a sample is part of its own neighbourhood. Without it a
// sample that is nobody's neighbour is free to lie anywhere. The default is true.
func (b *includeSelfSetters[Builder]) IncludeSelf(yes bool) Builder {
	return set(b.c, includeSelfOption.to(yes))
}

// Values of the option "disconnected".
const (
	// Refuse makes a graph of several components an error.
	Refuse = "refuse"
	// Join adds the shortest edges that connect the components, and warns.
	Join = "join"
)

var disconnectedOption = choiceOption{Name: "disconnected", Setter: "Disconnected", Default: Refuse, Choices: []string{Refuse, Join},
	Doc: "what to do about a neighbourhood graph of several components, between which there are no paths"}

// disconnectedSetters gives a builder the option Disconnected.
type disconnectedSetters[Builder any] struct{ c *core[Builder] }

// Disconnected says what to do about a neighbourhood graph of several components:
// [Refuse] or [Join]. The default is [Refuse] for [Isomap], [Join] for [SIsomap].
func (b *disconnectedSetters[Builder]) Disconnected(rule string) Builder {
	return set(b.c, disconnectedOption.to(rule))
}
