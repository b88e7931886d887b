package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// TargetCurveTable holds the accuracy with which a method predicts the hidden values of a target,
// for each share of known values. For comparison it also holds the accuracy for shuffled values.
type TargetCurveTable struct {
	// Name is the name of the method, and of its curves in a figure. Change it to distinguish two
	// tables of the same method.
	Name string
	// Target is the name of the target.
	Target string
	// Shares are the shares of known values, ascending, in (0, 1).
	Shares []float64
	// R2 holds the score [TargetR2] on the hidden values of the target, for each share and draw.
	// Shuffled holds the same score for the shuffled values.
	R2, Shuffled [][]float64 // share × draw
}

var targetShares = []float64{0.05, 0.1, 0.2, 0.5}

// TargetCurve hides values of the target of d, fits a method to the known values, and scores the
// prediction of the hidden values from the embedding by [TargetR2]. It repeats this for each share
// of known values, by default 5, 10, 20 and 50 %, and for each draw. It also repeats all fits with
// shuffled values of the target. These cannot be predicted, so an R² above 0 for them is spurious.
// Fits are cached, see [Remember]. The table is deterministic.
//
// TargetCurve uses all values of the target, including those hidden by [data.Data.KeepTarget]. At
// least two must differ. Labels, pairs and known coordinates are used as in any fit.
//
// Cost: 2 · draws · len(shares) fits.
//
// Errors are those of fits and scores. For draws < 1 and for shares outside (0, 1) the error wraps
// [ErrOption], for nil or invalid data [ErrData], and for data without a target [ErrNeedsTarget].
func TargetCurve(ctx context.Context, e Estimator, d *data.Data, draws int, shares ...float64) (*TargetCurveTable, error) {
	ctx = par.Context(ctx)
	e = SpecOf(e)
	name := methodName(e, "TargetCurve")
	fault := func(param string, value any, err error, remedy string) error {
		return &Error{Method: name, Param: param, Value: value, Err: err, Remedy: remedy}
	}
	switch {
	case d == nil:
		return nil, noData(name)
	case d.Err() != nil:
		return nil, fault("data", nil, classify(d.Err()), remedyOf(d.Err()))
	case d.Target() == nil:
		return nil, fault("target", nil, fmt.Errorf("%w: the data have no target", ErrNeedsTarget), "give one with Data.WithTarget")
	case draws < 1:
		return nil, fault("draws", draws, fmt.Errorf("%w: the number of draws is below 1", ErrOption), "ask for at least one draw, or for five to see how draws differ")
	}
	if len(shares) == 0 {
		shares = targetShares
	}
	t := &TargetCurveTable{Name: name, Target: d.Target().Name, Shares: slices.Sorted(slices.Values(shares))}
	for _, s := range t.Shares {
		if !(s > 0 && s < 1) {
			return nil, fault("shares", s, fmt.Errorf("%w: some values must be known and some hidden", ErrOption), "give shares between 0 and 1")
		}
	}
	all := d.WithTarget(t.Target, d.Target().All())
	for _, share := range t.Shares {
		var r2 [2][]float64 // 0: for the target, 1: for its shuffled values
		for draw := range draws {
			for k, x := range []*data.Data{all, all.WithTarget(t.Target, shuffledValues(all.Target(), uint64(draw)))} {
				told := 0.0
				m, err := e.FitContext(ctx, x.KeepTarget(share).Seed(uint64(draw)))
				if err == nil {
					told, err = TargetR2(m, nil)
				}
				if err != nil {
					return nil, fmt.Errorf("draw %d of %d with a share of %.2g of the values of %q known: %w", draw+1, draws, share, t.Target, err)
				}
				r2[k] = append(r2[k], told)
			}
		}
		t.R2, t.Shuffled = append(t.R2, r2[0]), append(t.Shuffled, r2[1])
	}
	return t, nil
}

// shuffledValues permutes the values of a target among the samples that have a value.
func shuffledValues(t *data.Target, seed uint64) []float64 {
	out := slices.Clone(t.Values)
	rows := t.Known()
	rng := rand.New(rand.NewPCG(seed, 0x5f0ff1e))
	rng.Shuffle(len(rows), func(i, j int) { out[rows[i]], out[rows[j]] = out[rows[j]], out[rows[i]] })
	return out
}

// Means returns, for each share, the mean and the standard deviation of R2 over the draws, or of
// Shuffled if the argument is true. The standard deviation for a single draw is 0.
func (t *TargetCurveTable) Means(shuffled bool) (mean, spread []float64) {
	all := t.R2
	if shuffled {
		all = t.Shuffled
	}
	mean, spread = make([]float64, len(all)), make([]float64, len(all))
	for k, draws := range all {
		for _, v := range draws {
			mean[k] += v / float64(len(draws))
		}
		for _, v := range draws {
			spread[k] += (v - mean[k]) * (v - mean[k])
		}
		spread[k] = math.Sqrt(spread[k] / max(1, float64(len(draws)-1)))
	}
	return mean, spread
}

// String returns the means over the draws, with their standard deviations.
func (t *TargetCurveTable) String() string {
	if t == nil {
		return "no curve"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: R² of hidden values of %q\n%8s  %15s  %15s\n", t.Name, t.Target, "known", "target", "shuffled")
	mean, spread := t.Means(false)
	shuffled, spreadShuffled := t.Means(true)
	for k, share := range t.Shares {
		fmt.Fprintf(&b, "%6.3g %%  %6.2f ± %6.2f  %6.2f ± %6.2f\n", 100*share, mean[k], spread[k], shuffled[k], spreadShuffled[k])
	}
	return b.String()
}
