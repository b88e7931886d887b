package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Score rates a model on the samples of `test`. If `test` is nil, it rates the model on the
// training samples with hidden labels. Larger is better.
type Score func(m *Model, test *data.Data) (float64, error)

// NearestNeighbor is the [Score] used in the papers: the share, in [0, 1], of samples whose nearest
// labelled training sample is of their true class. Distances are Euclidean in the embedding; ties
// go to the lowest row. The error wraps [ErrNeedsLabels] if no training sample is labelled, and
// [ErrData] if the samples to score have no known true classes.
func NearestNeighbor(m *Model, test *data.Data) (float64, error) {
	train, labels := labelledRows(m)
	if train == nil {
		return 0, &Error{Method: m.Method(), Param: "labels", Err: ErrNeedsLabels, Remedy: "fit to data with labelled samples, for example from Data.KeepLabels"}
	}
	points, truth, err := scored(m, test)
	if err != nil {
		return 0, err
	}
	predicted, err := metrics.NearestNeighbor(train, labels, points)
	if err != nil {
		return 0, &Error{Method: m.Method(), Param: "1-NN", Err: err, Remedy: remedyOf(err)}
	}
	right := 0
	for i, p := range predicted {
		if p == truth[i] {
			right++
		}
	}
	return float64(right) / float64(len(truth)), nil
}

// Score rates the model by the score s. `test` may be nil, see [Score]. Test data need not be
// scaled like the training data, see [Model.Transform].
func (m *Model) Score(s Score, test *data.Data) (float64, error) {
	if s == nil {
		return 0, &Error{Method: m.Method(), Param: "Score", Value: "nil", Err: ErrOption, Remedy: "give a function, such as NearestNeighbor"}
	}
	if test != nil && test.Err() == nil && test.X != nil {
		if x, err := m.newSamples(test); err == nil {
			m.warnOutside(test.X, x)
		}
	}
	return s(m, test)
}

var errNothingHidden = fmt.Errorf("%w: no training sample has a hidden label", ErrData)

// hideSome returns the remedy if a score requires hidden labels but the data d have none.
func hideSome(d *data.Data) string {
	if d.NumLabelled() < d.Len() {
		return "fit to Data.Validation(0.3), which hides some of the labels for scoring, or give test data, because the classes of unlabelled samples are not known"
	}
	return "fit to Data.KeepLabels(5) or Data.Validation(0.3), which hide labels for scoring, or give test data"
}

// labelledRows returns the embedding and the labels of the labelled samples, or nil if there are
// none.
func labelledRows(m *Model) (*mat.Dense, []int) {
	rows, labels := labelledOf(m.data)
	if rows == nil {
		return nil, nil
	}
	return samples.Pick(m.y, rows), labels
}

// labelledOf returns the row numbers of the labelled samples and their labels.
func labelledOf(d *data.Data) (rows, labels []int) {
	for i, l := range d.Labels {
		if l != data.Unlabelled {
			rows, labels = append(rows, i), append(labels, l)
		}
	}
	return rows, labels
}

// scored returns the embedded samples on which a model is scored, and their true classes.
func scored(m *Model, test *data.Data) (*mat.Dense, []int, error) {
	fault := func(what, remedy string) error {
		return &Error{Method: m.Method(), Param: "score", Err: fmt.Errorf("%w: %s", ErrData, what), Remedy: remedy}
	}
	if test == nil {
		var rows, truth []int
		for i, t := range m.data.Truth {
			if t != data.Unlabelled && (m.data.Labels == nil || m.data.Labels[i] == data.Unlabelled) {
				rows, truth = append(rows, i), append(truth, t)
			}
		}
		if rows == nil {
			return nil, nil, &Error{Method: m.Method(), Param: "score", Err: errNothingHidden, Remedy: hideSome(m.data)}
		}
		return samples.Pick(m.y, rows), truth, nil
	}
	if err := test.Err(); err != nil {
		return nil, nil, &Error{Method: m.Method(), Param: "test data", Err: classify(err), Remedy: remedyOf(err)}
	}
	var rows, truth []int
	for i, t := range test.Truth {
		if t != data.Unlabelled {
			rows, truth = append(rows, i), append(truth, t)
		}
	}
	if rows == nil {
		return nil, nil, fault("the true classes of the test data are not known", "give test data with Truth")
	}
	y, err := m.embedTest(test)
	if err != nil {
		return nil, nil, err
	}
	return samples.Pick(y, rows), truth, nil
}

// embedTest returns the embedding of test data with dense features or sparse rows.
func (m *Model) embedTest(test *data.Data) (*mat.Dense, error) {
	if test.Rows != nil {
		return m.TransformSparse(test.Rows)
	}
	x, err := m.newSamples(test)
	if err != nil {
		return nil, err
	}
	return m.embed(x)
}
