package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/graph"

// The options of the search for neighbours.

// Search is how neighbours are searched for.
type Search string

// Values of [Search].
const (
	// AutoSearch is exact up to about two seconds of work on two cores, and approximate
	// beyond.
	AutoSearch Search = "auto"
	// ExactSearch finds all neighbours, in O(n²D) unless there are few features.
	ExactSearch Search = "exact"
	// ApproximateSearch finds most of them, as many as the option "recall" says, in about
	// O(n log n). Fewer than 4,000 samples and up to 5 features are searched exactly, as
	// that is as fast.
	ApproximateSearch Search = "approximate"
)

// Search(how): After an approximate search the report has its recall, the share of true
// neighbours that it found, estimated from 128 samples, as the fact "recall of the
// approximate search"; a report without it tells of an exact one.
var searchOption = &choiceOption[Search]{choice{Name: "search", Setter: "Search", Default: AutoSearch, Choices: choices(AutoSearch, ExactSearch, ApproximateSearch),
	Doc: "how neighbours are searched for; auto is exact up to about two seconds of work and approximate beyond"}}

// Recall(share): The recall that was reached is in the report.
var recallOption = floatOption{Name: "recall", Setter: "Recall", Default: 0.95, Min: 0.1, Max: 0.999,
	Doc: "share of the true neighbours that an approximate search aims at"}

// searchOptions are those of methods with a neighbourhood graph.
var searchOptions = list(searchOption, recallOption)

// Metric is a distance between samples. [Geodesic] is for the metrics of S3RMM only.
type Metric string

// Values of [Metric].
const (
	// Euclidean is the length of the straight line.
	Euclidean Metric = "euclidean"
	// Cosine is 1 − xᵀy/(‖x‖‖y‖): lengths do not count. For embeddings of texts.
	Cosine Metric = "cosine"
	// Correlation is 1 − Pearson's r between the features of two samples: neither
	// lengths nor levels count. For profiles of genes.
	Correlation Metric = "correlation"
	// Spearman is 1 − ρ, [Correlation] of the ranks of a sample's values: only their
	// order counts. Equal values share their mean rank.
	Spearman Metric = "spearman"
	// Hellinger is √(1 − Σ√(pⱼqⱼ)) of samples brought to the sum 1, for counts and shares.
	Hellinger Metric = "hellinger"
	// Mahalanobis is √((x − y)ᵀS⁻¹(x − y)) with S the covariance of the samples: neither
	// units nor correlations of features count.
	Mahalanobis Metric = "mahalanobis"
	// Haversine is the great-circle distance in kilometres. The samples are latitude and
	// longitude in degrees.
	Haversine Metric = "haversine"
	// Manhattan is Σ|xⱼ − yⱼ|: single features weigh less than in the Euclidean distance.
	Manhattan Metric = "manhattan"
	// Chebyshev is max|xⱼ − yⱼ|.
	Chebyshev Metric = "chebyshev"
	// Hamming is the share of features in which two samples differ, for codes.
	Hamming Metric = "hamming"
	// Jaccard is 1 − |A∩B|/|A∪B| for the sets of features that are not 0, for presence.
	Jaccard Metric = "jaccard"
	// Gower is the mean over features of |xⱼ − yⱼ| divided by the range, for columns of
	// several units.
	Gower Metric = "gower"
	// Geodesic is the length of the shortest path in the neighbourhood graph.
	Geodesic Metric = "geodesic"
)

// Metric(distance): [Cosine], [Correlation], [Spearman] and [Hellinger] are undefined, and
// an error, for a sample of zeros or of one value, [Hellinger] for negative values,
// [Mahalanobis] for features that determine others, and [Haversine] for other columns than
// latitude and longitude. All but the Euclidean distance compare the samples themselves, also where the method
// reduces them by PCA.
var metricOption = &choiceOption[Metric]{choice{Name: "metric", Setter: "Metric", Default: Euclidean, Choices: choices(Euclidean, Cosine, Correlation, Spearman, Hellinger, Mahalanobis, Haversine, Manhattan, Chebyshev, Hamming, Jaccard, Gower),
	Doc: "distance by which neighbours are nearest and edges are weighed"}}

// metricsByName are those of package graph by the values of options; others are Euclidean.
var metricsByName = map[Metric]graph.Metric{Cosine: graph.Cosine, Correlation: graph.Correlation, Spearman: graph.Spearman, Hellinger: graph.Hellinger,
	Mahalanobis: graph.Mahalanobis, Haversine: graph.Haversine, Manhattan: graph.Manhattan, Chebyshev: graph.Chebyshev,
	Hamming: graph.Hamming, Jaccard: graph.Jaccard, Gower: graph.Gower}

// metricOf returns the option "metric", Euclidean for methods without it.
func metricOf(j *job) graph.Metric {
	if !j.spec.method.has(metricOption.Name) {
		return graph.Euclidean
	}
	return metricsByName[metricOption.of(j)]
}

// searchOf returns the settings of the search for neighbours: exact for methods that
// have no option for it.
func searchOf(j *job) graph.SearchOptions {
	o := graph.SearchOptions{Metric: metricOf(j)}
	if !j.spec.method.has(searchOption.Name) {
		o.Method = graph.Exact
		return o
	}
	switch searchOption.of(j) {
	case ExactSearch:
		o.Method = graph.Exact
	case ApproximateSearch:
		o.Method = graph.Approximate
	}
	if o.Method != graph.Exact {
		o.Recall = recallOption.of(j)
	}
	return o
}
