package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/data"

// Data is a set of samples: a matrix with one sample per row, with labels, pairs and other
// knowledge about them. Create data with [NewData] or package datasets. Data are immutable: methods
// return copies. For the documentation of each method, run go doc ./ssdrnb/data Data.
//
//	type Data struct {
//		Name         string
//		X            *mat.Dense  // one sample per row, one feature per column
//		Distances    *mat.SymDense // instead of X: distances between the samples
//		Nearest      *Nearest    // instead of X: given neighbours
//		Rows         *sparse.CSR // instead of X: sparse features
//		Labels       []int       // known classes, -1 if unknown or hidden from methods
//		Truth        []int       // true classes, for scores and figures only
//		ClassNames   []string    // of the classes 0, 1, …
//		FeatureNames []string    // of the columns of X
//		Targets      []Target    // measured values, NaN where unknown; methods read the first
//		Attributes   []Attribute // text beside the features: identifiers, dates
//		Image        Image       // how a row is laid out as an image
//		Pairs        Pairs       // must-link and cannot-link constraints
//		Anchors      Anchors     // samples with known coordinates in the embedding
//		Start        *mat.Dense  // initial positions of neighbour embeddings
//		Notes        []string    // changes to the data, shown in reports
//	}
//
// To hide and draw labels:
//
//	KeepLabels(perClass)             keeps perClass random labels of each class
//	KeepShare(share)                 keeps a share of the labels of each class
//	HideLabels()                     hides all labels
//	KeepTarget(share)                keeps a share of the values of the target
//	Validation(share)                hides a share of the labels for scoring
//	Seed(s)                          sets the seed of these draws, and of Split and Take
//	Draw(), WithDraw(w)              get and set how labels are drawn
//
// To choose samples:
//
//	Split(share)                     training and test samples, stratified by class
//	SplitPerClass(train, test)       the same with numbers of samples per class
//	Take(perClass)                   a random subset
//	Only(classes...)                 the samples of these classes
//	Subset(rows)                     the samples of these rows
//
// To prepare features:
//
//	Standardize(), Scale01(), PCA(keep), TFIDF()
//	LearnStandardize(), LearnScale01(), LearnPCA(keep)
//	                                 return the scaling, for example of the training samples
//	Scaled(s)                        applies a scaling, for example to the test samples
//	Scaling(), WithScaling(s)        get and set the scaling that models apply to new rows
//	Original(j), Unscaled()          one feature, or all, in the original units
//
// To add knowledge:
//
//	WithClasses(classes)             labels and true classes at once
//	WithLabels(labels), WithPairs(p), WithAnchors(rows, y), WithStart(y)
//	WithTarget(name, values), UseTarget(name), TargetNamed(name), HiddenTarget()
//	WithAttribute(name, values), WithImage(im), WithAllClasses(classes)
//
// To query:
//
//	Len(), Dim(), NumFeatures()      the numbers of samples, dense features and all features
//	Classes(), NumLabelled()         the distinct labels, and the number of labelled samples
//	AllClasses()                     the classes of the whole data set
//	ClassName(c), FeatureName(k)     the name of a class and of a feature
//	Attribute(name)                  the texts of an attribute
//	HasSamples()                     whether there are features, distances or neighbours
//	Related()                        whether there are distances or neighbours instead of features
//	Err(), Validate()                the first error of the calls so far, and a check of all fields
//	String()                         a summary in one line
type Data = data.Data

// Pairs holds must-link and cannot-link constraints: pairs of samples that belong to the same class
// or group, and pairs of samples that do not. Len returns the number of pairs, and Check(n)
// validates them for n samples.
//
//	ssdrnb.Pairs{Must: []ssdrnb.Pair{{I: 0, J: 4}}, Cannot: []ssdrnb.Pair{{I: 0, J: 9}}}
type Pairs = data.Pairs

// Pair names two different rows, I and J.
type Pair = data.Pair

// NewData returns the data set with the n×D matrix x, one sample per row, and the given labels.
// labels[i] is the class of sample i, or -1 if it is unknown; if labels is nil, there are no
// labels. See [data.New].
var NewData = data.New

// Constructors for data without dense features.
var (
	// FromDistances returns a data set that has distances between the samples instead of features;
	// see [data.FromDistances].
	FromDistances = data.FromDistances
	// FromNeighbors returns a data set that has the neighbours of the samples instead of features;
	// see [data.FromNeighbors].
	FromNeighbors = data.FromNeighbors
	// NewSparse returns a data set with sparse features; see [data.NewSparse].
	NewSparse = data.NewSparse
)
