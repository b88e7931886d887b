package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/graph"

// Options of the search for neighbours.

// Search is the algorithm that searches for neighbours.
type Search string

// Values of [Search].
const (
	// AutoSearch is exact if an exact search takes at most about two seconds on two cores,
	// otherwise approximate.
	AutoSearch Search = "auto"
	// ExactSearch finds all neighbours in O(n²D), or faster with few features.
	ExactSearch Search = "exact"
	// ApproximateSearch aims to find the share of neighbours that the option "recall" sets, in
	// about O(n log n). If an exact search is as fast, for example for fewer than 4,000 samples,
	// the search is exact.
	ApproximateSearch Search = "approximate"
)

// Search(how): After an approximate search the report has the fact "recall of the approximate
// search", the share of true neighbours found, estimated from 128 samples. Without this fact the
// search was exact.
var searchOption = &choiceOption[Search]{choice{Name: "search", Setter: "Search", Default: AutoSearch, Choices: choices(AutoSearch, ExactSearch, ApproximateSearch),
	Doc: "algorithm that searches for neighbours; auto is exact up to about two seconds of work, otherwise approximate"}}

// Recall(share): After an approximate search the report has the achieved recall.
var recallOption = floatOption{Name: "recall", Setter: "Recall", Default: 0.95, Min: 0.1, Max: 0.999,
	Doc: "share of the true neighbours that an approximate search aims at"}

var searchOptions = list(searchOption, recallOption)

// Metric is a distance between samples. [Geodesic] is available only for the option Distance of
// [S3RMM] and [KS3RMM].
type Metric string

// Values of [Metric].
const (
	// Euclidean is the straight-line distance.
	Euclidean Metric = "euclidean"
	// Cosine is 1 − xᵀy/(‖x‖‖y‖), which ignores the lengths of the vectors. Use it for text
	// embeddings.
	Cosine Metric = "cosine"
	// Correlation is 1 − Pearson's r between the features of two samples, which ignores the length
	// and the mean of each sample. Use it for gene expression profiles.
	Correlation Metric = "correlation"
	// Spearman is 1 − Spearman's ρ, that is [Correlation] applied to the ranks of the features.
	// Ties share their mean rank.
	Spearman Metric = "spearman"
	// Hellinger is √(1 − Σ√(pⱼqⱼ)) between samples p and q, each scaled to sum to 1. Use it for
	// counts and shares.
	Hellinger Metric = "hellinger"
	// Mahalanobis is √((x − y)ᵀS⁻¹(x − y)), where S is the covariance of the samples. It is
	// independent of the units and the correlations of the features.
	Mahalanobis Metric = "mahalanobis"
	// Haversine is the great-circle distance in kilometres. The data must have two features,
	// latitude and longitude in degrees.
	Haversine Metric = "haversine"
	// Manhattan is Σ|xⱼ − yⱼ|. Large differences have less weight than in the Euclidean distance.
	Manhattan Metric = "manhattan"
	// Chebyshev is max|xⱼ − yⱼ|.
	Chebyshev Metric = "chebyshev"
	// Hamming is the share of features in which two samples differ. Use it for categorical codes.
	Hamming Metric = "hamming"
	// Jaccard is 1 − |A∩B|/|A∪B| for the sets A and B of non-zero features. Use it for
	// presence–absence data.
	Jaccard Metric = "jaccard"
	// Gower is the mean over features of |xⱼ − yⱼ| divided by the range of feature j. Use it for
	// columns with different units.
	Gower Metric = "gower"
	// Geodesic is the length of the shortest path in the neighbourhood graph.
	Geodesic Metric = "geodesic"
)

// Metric(distance): The fit returns an error if the metric is undefined for the data: [Cosine],
// [Correlation], [Spearman] and [Hellinger] for samples that are zero or constant, [Hellinger] also
// for negative values, [Mahalanobis] for linearly dependent features, and [Haversine] for columns
// other than latitude and longitude. All metrics except the Euclidean distance compare the original
// samples even if the method reduces them by PCA.
var metricOption = &choiceOption[Metric]{choice{Name: "metric", Setter: "Metric", Default: Euclidean, Choices: choices(Euclidean, Cosine, Correlation, Spearman, Hellinger, Mahalanobis, Haversine, Manhattan, Chebyshev, Hamming, Jaccard, Gower),
	Doc: "distance that determines neighbours and the lengths of edges"}}

// metricsByName maps metrics to those of package graph. It omits [Euclidean], because
// graph.Euclidean is the zero value.
var metricsByName = map[Metric]graph.Metric{Cosine: graph.Cosine, Correlation: graph.Correlation, Spearman: graph.Spearman, Hellinger: graph.Hellinger,
	Mahalanobis: graph.Mahalanobis, Haversine: graph.Haversine, Manhattan: graph.Manhattan, Chebyshev: graph.Chebyshev,
	Hamming: graph.Hamming, Jaccard: graph.Jaccard, Gower: graph.Gower}

// metricOf returns the option "metric", or Euclidean if the method has no such option.
func metricOf(j *job) graph.Metric {
	if !j.spec.method.has(metricOption.Name) {
		return graph.Euclidean
	}
	return metricsByName[metricOption.of(j)]
}

// searchOf returns the settings of the neighbour search. The search is exact if the method has no
// option "search".
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
