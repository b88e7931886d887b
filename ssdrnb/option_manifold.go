package ssdrnb

// Options of the methods that embed a neighbourhood graph.

// Dims(d): A larger value is an error.
var tangentDimsOption = dimsOption.withDoc("number of dimensions d of the embedding, less than the number of samples in a neighbourhood, and at most the number of features, if the samples have any")

// Neighbors(k)
var nearestOption = neighborsOption.withDoc("number of nearest neighbours k of each sample, below the number of samples (a default is lowered if necessary)")

// Regularization(share): The Gram matrix determines the reconstruction weights. It is singular if
// there are more neighbours than features.
var regularizationOption = floatOption{Name: "regularization", Setter: "Regularization", Default: 1e-3, Min: tiny, Max: huge, Log: true,
	Doc: "share of the trace of a local Gram matrix that is added to its diagonal"}

// IncludeSelf(yes): If the option is false, the neighbourhoods do not determine the position of a
// sample that is not a neighbour of any other. LTSA embeds this sample like a new point, SS-LTSA
// near the mean of the known coordinates, and the report warns.
var includeSelfOption = boolOption{Name: "include self", Setter: "IncludeSelf", Default: true,
	Doc: "whether a sample is part of its own neighbourhood, as in the paper; scikit-learn leaves it out"}

// Disconnected selects the treatment of a neighbourhood graph with several components.
type Disconnected string

// Values of [Disconnected].
const (
	// Refuse returns an error.
	Refuse Disconnected = "refuse"
	// Join adds short edges that connect the components, and warns. Up to 10,000 samples these are
	// the shortest possible edges.
	Join Disconnected = "join"
)

// Disconnected(rule)
var disconnectedOption = &choiceOption[Disconnected]{choice{Name: "disconnected", Setter: "Disconnected", Default: Refuse, Choices: choices(Refuse, Join),
	Doc: "rule for a neighbourhood graph with several components, between which there are no paths"}}
