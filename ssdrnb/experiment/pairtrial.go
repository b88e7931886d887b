package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// PairErrors holds the leave-one-out 1-NN errors of a method, in [0, 1], with one entry per draw of
// constraints. The error on constrained samples is not a generalisation error, because the
// constraints reveal part of the labels that are scored.
type PairErrors struct {
	// Method names the method and the options that differ from their defaults, such as
	// "TR-SDA(neighbors=5)".
	Method string
	// All is the error over all samples, Constrained is the error over samples with at least one
	// constraint, and Free is the error over samples without constraints. An error over no samples
	// is NaN.
	All, Constrained, Free []float64
}

// add appends the errors of one embedding.
func (p *PairErrors) add(y *mat.Dense, truth []int, constrained []bool) error {
	predicted, err := metrics.LeaveOneOut(y, truth)
	if err != nil {
		return err
	}
	var wrong, count [2]float64
	for i, t := range truth {
		k := 0
		if constrained[i] {
			k = 1
		}
		count[k]++
		if predicted[i] != t {
			wrong[k]++
		}
	}
	p.All = append(p.All, (wrong[0]+wrong[1])/(count[0]+count[1]))
	p.Free = append(p.Free, wrong[0]/count[0])
	p.Constrained = append(p.Constrained, wrong[1]/count[1])
	return nil
}

// PairTrial compares methods as in the experiments of the SSGP-LVM paper. It repeats the following
// `draws` times. From the true classes of d, it draws `must` must-links and `cannot` cannot-links.
// It fits every method to the samples and these constraints, without labels. It then classifies
// each sample by its nearest other sample in the embedding (the lowest row in a tie). All methods
// use the same draws, determined by seed. Methods that never use constraints or labels
// ([ssdrnb.NoKnowledge]) are fitted once. The result has one entry per method, in the order of the
// argument `methods`.
func PairTrial(ctx context.Context, d *data.Data, must, cannot, draws int, seed uint64, methods ...ssdrnb.Estimator) ([]PairErrors, error) {
	ctx = par.Context(ctx)
	fault := func(param string, value any, err error, remedy string) error {
		return &ssdrnb.Error{Method: "PairTrial", Param: param, Value: value, Err: err, Remedy: remedy}
	}
	if err := d.Err(); err != nil {
		return nil, fault("data", nil, fmt.Errorf("%w: %w", ssdrnb.ErrData, err), advice.Of(err))
	}
	if draws < 1 {
		return nil, fault("draws", draws, fmt.Errorf("%w: no draw is requested", ssdrnb.ErrOption), "ask for at least one draw")
	}
	if len(methods) == 0 {
		return nil, fault("methods", nil, fmt.Errorf("%w: the list of methods is empty", ssdrnb.ErrOption), "give at least one, such as ssdrnb.SSGPLVM()")
	}
	if len(d.Truth) != d.Len() || slices.Contains(d.Truth, data.Unlabelled) {
		return nil, fault("data", nil, fmt.Errorf("%w: the true class of at least one sample is unknown", ssdrnb.ErrNeedsLabels), "give the class of every sample with Data.WithClasses")
	}
	out := make([]PairErrors, len(methods))
	once := make([]*mat.Dense, len(methods))
	methods = slices.Clone(methods)
	for k, e := range methods {
		spec := ssdrnb.SpecOf(e)
		methods[k], out[k].Method = spec, spec.String()
	}
	for draw := range draws {
		pairs, err := data.DrawPairs(d.Truth, must, cannot, seed<<20+uint64(draw))
		if err != nil {
			return nil, fault("must and cannot", fmt.Sprintf("%d and %d", must, cannot), fmt.Errorf("%w: %w", ssdrnb.ErrData, advice.Cause(err)), advice.Of(err))
		}
		given := d.HideLabels().WithPairs(pairs)
		constrained := make([]bool, d.Len())
		for _, list := range [][]data.Pair{pairs.Must, pairs.Cannot} {
			for _, p := range list {
				constrained[p.I], constrained[p.J] = true, true
			}
		}
		for k, e := range methods {
			y := once[k]
			if y == nil {
				m, err := e.FitContext(ctx, given)
				if err != nil {
					return nil, err
				}
				y = m.Embedding()
				if m.Spec().Method().Uses == ssdrnb.NoKnowledge {
					once[k] = y
				}
			}
			if err := out[k].add(y, d.Truth, constrained); err != nil {
				return nil, fault("1-NN", nil, err, advice.Of(err))
			}
		}
		ssdrnb.Notify(ssdrnb.Event{Method: "PairTrial", Stage: "draws", Done: draw + 1, Total: draws})
	}
	return out, nil
}

// Difference returns the mean of a − b over draws and its standard error. The standard error covers
// only the random draw of the constraints. It is NaN for fewer than two draws. a and b must have
// the same length.
func Difference(a, b []float64) (mean, standardError float64) {
	n := float64(min(len(a), len(b)))
	for i := range min(len(a), len(b)) {
		mean += (a[i] - b[i]) / n
	}
	squares := 0.0
	for i := range min(len(a), len(b)) {
		squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}
