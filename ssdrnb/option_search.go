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
	// Geodesic is the length of the shortest path in the neighbourhood graph.
	Geodesic Metric = "geodesic"
)

// Metric(distance): [Cosine] and [Correlation] are undefined, and an error, for a sample
// of zeros or of one value. They compare the samples themselves, also where the method
// reduces them by PCA.
var metricOption = &choiceOption[Metric]{choice{Name: "metric", Setter: "Metric", Default: Euclidean, Choices: choices(Euclidean, Cosine, Correlation),
	Doc: "distance by which neighbours are nearest and edges are weighed"}}

// metricOf returns the option "metric", Euclidean for methods without it.
func metricOf(j *job) graph.Metric {
	if j.spec.method.has(metricOption.Name) {
		switch metricOption.of(j) {
		case Cosine:
			return graph.Cosine
		case Correlation:
			return graph.Correlation
		}
	}
	return graph.Euclidean
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
