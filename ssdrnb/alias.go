package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/data"

// Data is a set of samples: a matrix with one sample per row, with labels, pairs and other
// knowledge about them. Make one with [NewData] or package datasets. It never changes: its
// methods return copies. go doc ./ssdrnb/data Data documents each method.
//
//	type Data struct {
//		Name         string
//		X            *mat.Dense  // one sample per row, one feature per column
//		Distances    *mat.SymDense // instead of X: between the samples
//		Nearest      *Nearest    // instead of X: given neighbours
//		Rows         *sparse.CSR // instead of X: sparse features
//		Labels       []int       // classes that a method may see, -1 where it may not
//		Truth        []int       // true classes, for scores and figures only
//		ClassNames   []string    // of the classes 0, 1, …
//		FeatureNames []string    // of the columns of X
//		Targets      []Target    // measured values, NaN where unknown; methods read the first
//		Attributes   []Attribute // text beside the features: identifiers, dates
//		Image        Image       // how a row is laid out as a picture
//		Pairs        Pairs       // must-link and cannot-link constraints
//		Anchors      Anchors     // samples with known coordinates in the embedding
//		Start        *mat.Dense  // where neighbour embeddings begin
//		Notes        []string    // what was done to the data; reports show them
//	}
//
// To hide and draw labels:
//
//	KeepLabels(perClass)             perClass random labels of each class stay
//	KeepShare(share)                 a share of the labels of each class stays
//	HideLabels()                     no label stays
//	KeepTarget(share)                a share of the values of the target stays
//	Validation(share)                hides some labels, to score on them
//	Seed(s)                          the seed of these and the following
//	Draw(), WithDraw(w)              how labels are drawn, to store and restore
//
// To choose samples:
//
//	Split(share)                     training and test samples, by class
//	SplitPerClass(train, test)       so many of each class
//	Take(perClass)                   a random subset
//	Only(classes...)                 the samples of these classes
//	Subset(rows)                     the samples of these rows
//
// To prepare features:
//
//	Standardize(), Scale01(), PCA(keep), TFIDF()
//	LearnStandardize(), LearnScale01(), LearnPCA(keep), Scaled(s)
//	                                 the same, learned from the training samples alone
//	Scaling(), WithScaling(s)        what was done to the features; models do it to new rows
//	Original(j), Unscaled()          one feature, or all, in the units before
//
// To add knowledge:
//
//	WithClasses(classes)             labels and true classes at once
//	WithLabels(labels), WithPairs(p), WithAnchors(rows, y), WithStart(y)
//	WithTarget(name, values), UseTarget(name), TargetNamed(name), HiddenTarget()
//	WithAttribute(name, values), WithImage(im), WithAllClasses(classes)
//
// To ask:
//
//	Len(), Dim(), NumFeatures()      the numbers of samples and features
//	Classes(), NumLabelled()         the known labels
//	AllClasses()                     the classes of the whole data set
//	ClassName(c), Attribute(name)    names and texts
//	HasSamples(), Related()          whether samples are at hand, and have no features
//	Err(), Validate()                the first error of the chain, a check of all parts
//	String()                         one line
type Data = data.Data

// Pairs are must-link and cannot-link constraints: lists of pairs of rows that belong
// together, and apart. Len counts them, and Check(n) checks them for n samples.
//
//	ssdrnb.Pairs{Must: []ssdrnb.Pair{{I: 0, J: 4}}, Cannot: []ssdrnb.Pair{{I: 0, J: 9}}}
type Pairs = data.Pairs

// Pair names two different rows, I and J.
type Pair = data.Pair

// NewData returns the data of x (n×D, one sample per row) with the given labels,
// -1 where unknown, or nil; see [data.New].
var NewData = data.New

// Data without dense features.
var (
	// FromDistances returns the data of samples given by their distances; see
	// [data.FromDistances].
	FromDistances = data.FromDistances
	// FromNeighbors returns the data of samples given by their neighbours; see
	// [data.FromNeighbors].
	FromNeighbors = data.FromNeighbors
	// NewSparse returns the data of sparse rows; see [data.NewSparse].
	NewSparse = data.NewSparse
)
