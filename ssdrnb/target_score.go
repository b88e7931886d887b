package ssdrnb

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// nearestKnown is the number of nearest known samples over which [TargetR2] averages.
const nearestKnown = 5

// TargetR2 is a [Score] for a numeric target ([data.Data.WithTarget]): the share of variance (R²)
// that a prediction from the embedding explains. It is computed on the values of the test data, or
// on the hidden values ([data.Data.KeepTarget]) of the training data if test is nil. The prediction
// is the mean over the 5 nearest training samples with known values. The score is at most 1. It is
// 0 if predictions are as good as the overall mean, and negative if they are worse.
func TargetR2(m *Model, test *data.Data) (float64, error) {
	points, truth, err := scoredTarget(m, test)
	if err != nil {
		return 0, err
	}
	known := targetOf(m.data.Target())
	predicted, err := metrics.NearestMean(samples.Pick(m.y, known.Rows), known.Values, points, nearestKnown)
	if err == nil {
		var r2 float64
		if r2, err = metrics.RSquared(truth, predicted); err == nil {
			return r2, nil
		}
	}
	return 0, &Error{Method: m.Method(), Param: "TargetR2", Err: fmt.Errorf("%w: %w", ErrData, err), Remedy: "give a target whose hidden values differ, with Data.WithTarget and Data.KeepTarget"}
}

// TargetRank is a [Score] for a numeric target. It is the largest |ρ| over the axes of the
// embedding, where ρ is Spearman's rank correlation of the axis and the target. The score is in [0,
// 1]. It is computed on the same values as [TargetR2].
func TargetRank(m *Model, test *data.Data) (float64, error) {
	points, truth, err := scoredTarget(m, test)
	if err != nil {
		return 0, err
	}
	best := -1.0
	_, d := points.Dims()
	for k := range d {
		rho, axisErr := metrics.RankCorrelation(mat.Col(nil, k, points), truth)
		if axisErr != nil { // an axis may be constant
			err = axisErr
			continue
		}
		best = max(best, math.Abs(rho))
	}
	if best < 0 {
		return 0, &Error{Method: m.Method(), Param: "TargetRank", Err: fmt.Errorf("%w: %w", ErrData, err), Remedy: "give a target whose hidden values differ, with Data.WithTarget and Data.KeepTarget"}
	}
	return best, nil
}

func init() {
	RegisterScore(TargetR2)
	RegisterScore(TargetRank)
}

var errNoHiddenValue = fmt.Errorf("%w: no training sample has a hidden value of the target", ErrData)

// scoredTarget returns the embeddings of the samples on which a target score is computed, and their
// values of the target.
func scoredTarget(m *Model, test *data.Data) (*mat.Dense, []float64, error) {
	fault := func(what, remedy string) error {
		return &Error{Method: m.Method(), Param: "target", Err: fmt.Errorf("%w: %s", ErrData, what), Remedy: remedy}
	}
	t := m.data.Target()
	if len(t.Known()) == 0 {
		return nil, nil, fault("the training samples have no known value of a target", "fit to data with a target, see Data.WithTarget")
	}
	if test != nil {
		if err := test.Err(); err != nil {
			return nil, nil, &Error{Method: m.Method(), Param: "test data", Err: classify(err), Remedy: remedyOf(err)}
		}
		if test.TargetNamed(t.Name) == nil {
			return nil, nil, fault(fmt.Sprintf("the test data have no target %q", t.Name), "give it with Data.WithTarget")
		}
	}
	values := m.data.HiddenTarget()
	if test != nil {
		values = test.TargetNamed(t.Name).All()
	}
	var rows []int
	var truth []float64
	for i, v := range values {
		if !math.IsNaN(v) {
			rows, truth = append(rows, i), append(truth, v)
		}
	}
	if rows == nil {
		if test == nil {
			return nil, nil, &Error{Method: m.Method(), Param: "target", Err: errNoHiddenValue, Remedy: "fit to Data.KeepTarget(0.5), which hides values to score, or give test data"}
		}
		return nil, nil, fault(fmt.Sprintf("no value of the target %q of the test data is known", t.Name), "add values of the target to the test data with Data.WithTarget")
	}
	if test == nil {
		return samples.Pick(m.y, rows), truth, nil
	}
	y, err := m.embedTest(test)
	if err != nil {
		return nil, nil, err
	}
	return samples.Pick(y, rows), truth, nil
}
