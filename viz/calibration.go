package viz

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// calibrationBins is the maximum number of points in a reliability diagram.
const calibrationBins = 10

// Calibration draws the reliability diagram of the class probabilities in o, see [ssdrnb.Opinion].
// The diagram shows the share of correct predictions, with its standard error, against the
// predicted probability. The unlabelled samples are divided by probability into at most ten bins
// with equal numbers of samples. Bins with the same probability are merged. Points below the
// diagonal mean that the predicted probabilities are too high. The argument truth contains the true
// class of every sample, or [data.Unlabelled] if the class is unknown. A line below the figure
// reports the expected calibration error, see [metrics.Calibration].
func Calibration(o *ssdrnb.Opinion, truth []int) Figure {
	fail := func(err error) Figure { return failed("curves", err) }
	if o == nil {
		return fail(fmt.Errorf("viz: Calibration: the opinions are nil; give the result of ssdrnb.Opinions"))
	}
	given, doubt, predicted := o.Labels(), o.Doubt(), o.Predicted()
	if len(truth) != len(doubt) {
		return fail(fmt.Errorf("viz: Calibration: truth has %s for %s; give one for each", nouns.Count(len(truth), "value"), nouns.Count(len(doubt), "sample")))
	}
	var p []float64
	var right []bool
	for i, class := range truth {
		if class != data.Unlabelled && given[i] == data.Unlabelled && predicted[i] != data.Unlabelled {
			p, right = append(p, 1-doubt[i]), append(right, predicted[i] == class)
		}
	}
	if len(p) == 0 {
		return fail(fmt.Errorf("viz: Calibration: truth gives no class for any unlabelled sample that has a prediction; give the true classes of such samples"))
	}
	bins, expected, err := metrics.Calibration(p, right, min(calibrationBins, len(p)))
	if err != nil {
		return fail(fmt.Errorf("viz: Calibration: %w", err))
	}
	curve := Curve{Name: "predicted classes"}
	var text []string
	for _, b := range merged(bins) {
		text = append(text, fmt.Sprintf("predicted %.2f, right %.2f, of %s", b.Predicted, b.Observed, nouns.Count(b.Count, "sample")))
		curve.X, curve.Mean = append(curve.X, b.Predicted), append(curve.Mean, b.Observed)
		curve.Spread = append(curve.Spread, math.Sqrt(b.Observed*(1-b.Observed)/float64(b.Count)))
	}
	s, err := newCurveSet("predicted probability", "accuracy", []CurvePanel{{Curves: []Curve{curve, {Name: "perfect calibration", X: []float64{0, 1}, Mean: []float64{0, 1}}}}})
	if err != nil {
		return fail(err)
	}
	s.text, s.notes = lines(text), []string{fmt.Sprintf("Expected calibration error: %.3f over %s.", expected, nouns.Count(len(p), "predicted sample"))}
	return Figure{kind: "curves", title: "Reliability diagram", drawing: s}
}

// merged joins bins with the same probability, which occur if many predictions are equal.
func merged(bins []metrics.CalibrationBin) []metrics.CalibrationBin {
	var out []metrics.CalibrationBin
	for _, b := range bins {
		k := len(out) - 1
		if k < 0 || !nearlyEqual(out[k].Predicted, b.Predicted) {
			out = append(out, b)
			continue
		}
		count := out[k].Count + b.Count
		out[k].Observed = (out[k].Observed*float64(out[k].Count) + b.Observed*float64(b.Count)) / float64(count)
		out[k].Count = count
	}
	return out
}
