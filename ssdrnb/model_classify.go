package ssdrnb

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// The classifier for new points used in the papers: the nearest labelled training sample in the
// embedding.

// Predict returns, for each row of x (m×D), the class of the nearest labelled training sample by
// Euclidean distance in the embedding; at a tie, the class of the sample with the lowest row
// number. Errors are those of [Model.Transform], and [ErrNeedsLabels] if no training sample is
// labelled.
func (m *Model) Predict(x *mat.Dense) ([]int, error) {
	y, train, labels, err := m.classified(x)
	if err != nil {
		return nil, err
	}
	nb, err := graph.Query(context.Background(), train, y, 1, graph.Euclidean)
	if err != nil {
		return nil, &Error{Method: m.Method(), Param: "1-NN", Err: err, Remedy: remedyOf(err)}
	}
	out := make([]int, nb.Len())
	for i := range out {
		out[i] = labels[nb.Index[i]]
	}
	return out, nil
}

// ClassDistances returns an m×c matrix for the m rows of x (m×D) and the c labelled classes, in the
// order of [data.Data.Classes]. An entry is the distance in the embedding from the row to the
// nearest labelled training sample of the class. Predict returns the class with the smallest
// distance, except at ties. See [Model.Predict] for errors.
func (m *Model) ClassDistances(x *mat.Dense) (*mat.Dense, error) {
	y, train, labels, err := m.classified(x)
	if err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	classes := m.data.Classes()
	out := mat.NewDense(n, len(classes), nil)
	for k, class := range classes {
		rows := order.Where(labels, func(l int) bool { return l == class })
		nb, err := graph.Query(context.Background(), samples.Pick(train, rows), y, 1, graph.Euclidean)
		if err != nil {
			return nil, &Error{Method: m.Method(), Param: "1-NN", Err: err, Remedy: remedyOf(err)}
		}
		for i, d := range nb.Dist {
			out.Set(i, k, d)
		}
	}
	return out, nil
}

// classified embeds x and returns the embedded rows with the labelled training samples and their
// labels.
func (m *Model) classified(x *mat.Dense) (y, train *mat.Dense, labels []int, err error) {
	if train, labels = labelledRows(m); train == nil {
		return nil, nil, nil, &Error{Method: m.Method(), Param: "labels", Err: ErrNeedsLabels, Remedy: "fit to data with labelled samples, for example from Data.KeepLabels"}
	}
	y, err = m.Transform(x)
	return y, train, labels, err
}
