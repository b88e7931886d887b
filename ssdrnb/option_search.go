package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/graph"

// The options of the search for neighbours.

// Values of the option "search".
const (
	// AutoSearch is exact up to about two seconds of work on two cores, and approximate
	// beyond.
	AutoSearch = "auto"
	// ExactSearch finds all neighbours, in O(n²D) unless there are few features.
	ExactSearch = "exact"
	// ApproximateSearch finds most of them, as many as the option "recall" says, in about
	// O(n log n). Fewer than 4,000 samples and up to 5 features are searched exactly, as
	// that is as fast.
	ApproximateSearch = "approximate"
)

var searchOption = choiceOption{Name: "search", Setter: "Search", Default: AutoSearch, Choices: []string{AutoSearch, ExactSearch, ApproximateSearch},
	Doc: "how neighbours are searched for; auto is exact up to about two seconds of work and approximate beyond"}

var recallOption = floatOption{Name: "recall", Setter: "Recall", Default: 0.95, Min: 0.1, Max: 0.999,
	Doc: "share of the true neighbours that an approximate search aims at"}

// searchOptions are those of methods with a neighbourhood graph.
var searchOptions = list(searchOption, recallOption)

// searchSetters gives a builder the options Search and Recall.
type searchSetters[Builder any] struct{ c *core[Builder] }

// Search says how neighbours are searched for: [AutoSearch], [ExactSearch] or
// [ApproximateSearch]. After an approximate search the report has its recall, the share
// of true neighbours that it found, estimated from 128 samples, as the fact "recall of
// the approximate search"; a report without it tells of an exact one. The default
// is [AutoSearch].
func (b *searchSetters[Builder]) Search(how string) Builder { return set(b.c, searchOption.to(how)) }

// Recall sets the share of the true neighbours, from 0.1 to 0.999, that an approximate
// search aims at. What it reached is in the report. The default is 0.95.
func (b *searchSetters[Builder]) Recall(share float64) Builder {
	return set(b.c, recallOption.to(share))
}

// Values of the option "metric", beside [Euclidean].
const (
	// Cosine is 1 − xᵀy/(‖x‖‖y‖): lengths do not count. For embeddings of texts.
	Cosine = "cosine"
	// Correlation is 1 − Pearson's r between the features of two samples: neither
	// lengths nor levels count. For profiles of genes.
	Correlation = "correlation"
)

var metricOption = choiceOption{Name: "metric", Setter: "Metric", Default: Euclidean, Choices: []string{Euclidean, Cosine, Correlation},
	Doc: "distance by which neighbours are nearest and edges are weighed"}

// searchMetricSetters gives a builder the option Metric.
type searchMetricSetters[Builder any] struct{ c *core[Builder] }

// Metric sets the distance by which neighbours are nearest and edges are weighed:
// [Euclidean], [Cosine] or [Correlation]. The latter two are undefined, and an error, for
// a sample of zeros or of one value. They look at the samples themselves, also where the
// method reduces them by PCA. The default is [Euclidean].
func (b *searchMetricSetters[Builder]) Metric(distance string) Builder {
	return set(b.c, metricOption.to(distance))
}

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
