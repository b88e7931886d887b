package outofsample

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Target appends the feature Factor·(u − Mean) to a point, where u is the target predicted at the
// point. The prediction is a linear function of the features plus the mean of Rest over the K
// nearest samples, weighted by UMAP's fuzzy memberships. Target is the first rule of a [Chain]
// whose second rule has the same samples.
type Target struct {
	// Samples are the training samples, n×(D+1). The last column is the appended feature.
	Samples *mat.Dense
	K       int
	// Metric is the metric of the features. For metrics other than Euclidean, samples and points
	// are scaled to length 1; see [Chords].
	Metric graph.Metric
	// Weights, of length D, and Bias define the linear prediction. They are 0 if the target was
	// propagated without a linear prediction.
	Weights []float64
	Bias    float64
	// Rest holds n values: the propagated target minus the linear prediction.
	Rest         []float64
	Mean, Factor float64
}

// Kind returns the name of the rule in model files.
func (m *Target) Kind() string { return "target" }

// Features returns the number of features of a point.
func (m *Target) Features() int { _, c := m.Samples.Dims(); return c - 1 }

// Dense returns the training samples without the appended feature, or nil if they were scaled (see
// [Chords]).
func (m *Target) Dense() *mat.Dense {
	if m.Metric != graph.Euclidean {
		return nil
	}
	n, wide := m.Samples.Dims()
	return m.Samples.Slice(0, n, 0, wide-1).(*mat.Dense)
}

// Value returns the target predicted at each row of q (m×D), and q transformed by [Chords].
func (m *Target) Value(q *mat.Dense) ([]float64, *mat.Dense, error) {
	q, err := Chords(q, m.Metric)
	if err != nil {
		return nil, nil, err
	}
	n, wide := m.Samples.Dims()
	near, err := graph.Query(context.Background(), mat.DenseCopyOf(m.Samples.Slice(0, n, 0, wide-1)), q, m.K, graph.Euclidean)
	if err != nil {
		return nil, nil, err
	}
	to, err := embed.FuzzyTo(near, n, embed.PlainFuzzy.Connectivity)
	if err != nil {
		return nil, nil, err
	}
	rows, _ := q.Dims()
	out := make([]float64, rows)
	for i := range out {
		cols, vals := to.Row(i)
		sum, total := 0.0, 0.0
		for a, j := range cols {
			sum += vals[a] * m.Rest[j]
			total += vals[a]
		}
		for k, v := range q.RawRowView(i) {
			out[i] += float64(v * m.Weights[k])
		}
		out[i] += m.Bias
		if total > 0 {
			out[i] += sum / total
		}
	}
	return out, q, nil
}

// Apply returns the rows of q with the feature appended.
func (m *Target) Apply(q *mat.Dense) (*mat.Dense, error) {
	u, q, err := m.Value(q)
	if err != nil {
		return nil, err
	}
	rows, d := q.Dims()
	out := mat.NewDense(rows, d+1, nil)
	for i, v := range u {
		row := out.RawRowView(i)
		copy(row, q.RawRowView(i))
		row[d] = m.Factor * (v - m.Mean)
	}
	return out, nil
}

// Arrays returns the arrays of the rule for a model file, without the samples.
func (m *Target) Arrays() map[string]*mat.Dense {
	return withMetric(m.Metric, map[string]*mat.Dense{
		"target_rule": mat.NewDense(1, 4, []float64{float64(m.K), m.Bias, m.Mean, m.Factor}),
		"target_line": mat.NewDense(1, len(m.Weights), m.Weights),
		"target_rest": mat.NewDense(1, len(m.Rest), m.Rest),
	})
}

// DecodeTarget returns the rule stored in a model file.
func DecodeTarget(a map[string]*mat.Dense) (Map, error) {
	x, rule, line, rest := a[nextSamples], a["target_rule"], a["target_line"], a["target_rest"]
	if x == nil || rule == nil || line == nil || rest == nil {
		return nil, errors.New("an array of the rule of the target is missing")
	}
	n, wide := x.Dims()
	numbers, m := rule.RawMatrix().Data, &Target{Samples: x, Weights: line.RawMatrix().Data, Rest: rest.RawMatrix().Data}
	if len(numbers) != 4 || len(m.Weights) != wide-1 || len(m.Rest) != n {
		return nil, fmt.Errorf("the rule of the target has %d numbers, %d weights and %d residuals, but must have 4, %d and %d", len(numbers), len(m.Weights), len(m.Rest), wide-1, n)
	}
	k, err := Wholes(mat.NewDense(1, 1, numbers[:1]), 1, n)
	if err != nil {
		return nil, fmt.Errorf("the neighbours of a point: %w", err)
	}
	m.K, m.Bias, m.Mean, m.Factor = k[0], numbers[1], numbers[2], numbers[3]
	m.Metric, err = decodeMetric(a)
	return m, err
}

// HasChords reports whether [Chords] supports a metric.
func HasChords(m graph.Metric) bool {
	return m == graph.Euclidean || m == graph.Cosine || m == graph.Correlation
}

// Chords returns rows whose Euclidean distances are ordered like the distances between the rows of
// x under the metric. For the Euclidean metric, it returns x. Otherwise it scales the rows to
// length 1; for the correlation, it first centres each row. It returns an error for an unsupported
// metric, and if the length of a row is 0, infinite or NaN.
func Chords(x *mat.Dense, metric graph.Metric) (*mat.Dense, error) {
	if metric == graph.Euclidean {
		return x, nil
	}
	if !HasChords(metric) {
		return nil, fmt.Errorf("the %s distance cannot be replaced by Euclidean distances between scaled rows", metric)
	}
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		row, mean, most := out.RawRowView(i), 0.0, 0.0
		copy(row, x.RawRowView(i))
		if metric == graph.Correlation {
			mean = samples.Mean(row)
		}
		for k, v := range row {
			row[k] = v - mean
			most = max(most, math.Abs(row[k]))
		}
		sum := 0.0
		for k, v := range row {
			if most > 0 {
				row[k] = v / most
			}
			sum += float64(row[k] * row[k])
		}
		if !(sum > 0) || math.IsInf(sum, 1) {
			return nil, fmt.Errorf("%w: the length of sample %d (after centring, for the correlation metric) is 0, infinite or NaN, so it cannot be scaled to 1", graph.ErrNotFinite, i)
		}
		for k := range row {
			row[k] /= math.Sqrt(sum)
		}
	}
	return out, nil
}
