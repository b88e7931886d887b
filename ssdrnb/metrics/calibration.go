package metrics

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// CalibrationBin is a group of predictions with similar probabilities.
type CalibrationBin struct {
	// Predicted is the mean probability of the predictions, and Observed the share of
	// correct predictions; both are in [0, 1].
	Predicted, Observed float64
	// Count is the number of predictions.
	Count int
}

// Calibration compares predicted probabilities, in [0, 1], with the share of correct predictions.
// right[i] reports whether prediction i is correct. Calibration returns the bins of a reliability
// diagram in ascending order of probability; their counts differ by at most one. It also returns
// the expected calibration error: the mean of |Predicted − Observed| over the predictions.
// Predictions of equal probability keep their order. bins must be at least 1 and at most the number
// of predictions.
//
// Source: Naeini, Cooper, Hauskrecht, "Obtaining well calibrated probabilities using Bayesian
// binning", AAAI 2015; Nguyen, O'Connor, EMNLP 2015 (bins of equal sizes).
func Calibration(probability []float64, right []bool, bins int) (diagram []CalibrationBin, expected float64, err error) {
	n := len(probability)
	if n != len(right) {
		return nil, 0, fmt.Errorf("%w: %s, but %s; give one of each per prediction", ErrShape, nouns.Number(n, "probability", "probabilities"), nouns.Count(len(right), "result"))
	}
	if bins < 1 || bins > n {
		return nil, 0, fmt.Errorf("%w: %s for %s; give at least 1 bin, and at most one per prediction", ErrOption, nouns.Count(bins, "bin"), nouns.Count(n, "prediction"))
	}
	order := make([]int, n)
	for i, p := range probability {
		order[i] = i
		if !(p >= 0 && p <= 1) {
			return nil, 0, fmt.Errorf("%w: prediction %d has probability %v; it must lie between 0 and 1", ErrOption, i, p)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(probability[a], probability[b]) })
	diagram = make([]CalibrationBin, bins)
	for k := range diagram {
		part := order[k*n/bins : (k+1)*n/bins]
		b := CalibrationBin{Count: len(part)}
		for _, i := range part {
			b.Predicted += probability[i]
			if right[i] {
				b.Observed++
			}
		}
		b.Predicted /= float64(b.Count)
		b.Observed /= float64(b.Count)
		diagram[k] = b
		expected += max(b.Predicted-b.Observed, b.Observed-b.Predicted) * float64(b.Count) / float64(n)
	}
	return diagram, expected, nil
}
