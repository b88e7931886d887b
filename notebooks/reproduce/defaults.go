package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// tried is a setting and its loss on each labelled set. The loss is the accuracy of the best
// setting on the set minus the accuracy of this setting, in percentage points.
type tried struct {
	Setting string
	Loss    []float64
}

func (t tried) mean() float64 { return middle(t.Loss) }

// defaults contains the trials of TR-SDA from which the library's defaults were chosen.
type defaults struct {
	Sets   []string // labelled sets that were available
	Draws  int      // number of splits per set
	Trials []tried
}

// p3Defaults compares settings of TR-SDA on the labelled sets of the experiments and on the digits
// that the library contains. The settings are scored on training labels that are hidden from the
// fits.
func p3Defaults(experiments []comparison) table {
	return newTable("Defaults of TR-SDA", func(ctx context.Context, b budget) (defaults, error) {
		trials := settings(ssdrnb.TRSDA(), option{"pca", []any{ssdrnb.Auto, 0.8, 0.9, 0.95, 0.98}},
			option{"ridge scale", []any{1e-3, 0.01, 0.1, 1.0}}, option{"manifold", []any{0.1, 0.01}})
		out := defaults{Draws: b.Draws}
		var missing error
		estimators := make([]ssdrnb.Estimator, len(trials))
		for i, s := range trials {
			estimators[i] = s
			out.Trials = append(out.Trials, tried{Setting: varyingOptions(s, trials)})
		}
		for _, e := range experiments {
			for _, c := range e.columns {
				switch err := out.add(ctx, e.title+", "+c.name, c, e.coarse, estimators); {
				case errors.Is(err, errMissing):
					missing = err
				case err != nil:
					return out, err
				}
			}
		}
		for _, labels := range []int{5, 20} {
			digits := column{data: func() *data.Data { return datasets.Digits().KeepLabels(labels) }, divide: perClass(60, 0), hide: 0.5}
			if err := out.add(ctx, "embedded digits, "+nouns.Count(labels, "label")+" per class", digits, []int{2, 3, 5, 9}, estimators); err != nil {
				return out, err
			}
		}
		return out, missing
	}, writeDefaults)
}

// add appends the loss of each trial on a set. Each trial is scored in its own best dimension.
func (d *defaults) add(ctx context.Context, name string, c column, dims []int, estimators []ssdrnb.Estimator) error {
	set := c.data()
	if set.Err() != nil {
		return errMissing
	}
	result, err := ssdrnb.Compare(set, estimators...).Divide(c.divide).Splits(d.Draws).Dims(dims...).Validate(c.hide).Run(ctx)
	if err != nil {
		return err
	}
	scores := make([]float64, len(estimators))
	for i, curve := range result.Curves {
		if curve.Err == nil {
			scores[i] = 100 * curve.Unlabelled[curve.Best(curve.Unlabelled)].Mean()
		}
	}
	top := slices.Max(scores)
	for i, s := range scores {
		d.Trials[i].Loss = append(d.Trials[i].Loss, top-s)
	}
	d.Sets = append(d.Sets, name)
	return nil
}

func writeDefaults(p *page, of defaults) {
	p.line("The loss of a setting is its distance from the best of %d settings on each of %d labelled sets, in points of accuracy on hidden training labels. Each setting is measured in its best dimension, over %d draws. "+
		"The pca setting auto keeps 0.9 of the variance, but at least 10 directions. The library's defaults are the setting in bold; before this search they were manifold 0.1, ridge scale 0.001, pca 0.98.\n", len(of.Trials), len(of.Sets), of.Draws)
	ranked := slices.Clone(of.Trials)
	slices.SortStableFunc(ranked, func(a, b tried) int { return cmp.Compare(a.mean(), b.mean()) })
	chosen := varyingOptions(ssdrnb.TRSDA().Spec(), settings(ssdrnb.TRSDA(), option{"pca", []any{0.8}}, option{"ridge scale", []any{1.0}}, option{"manifold", []any{1.0}}))
	p.line("| rank | setting | mean loss | worst |\n|---|---|---|---|")
	for i, t := range ranked {
		switch {
		case t.Setting == chosen:
			p.line("| %d | **%s** | %.2f | %.1f |", i+1, t.Setting, t.mean(), slices.Max(t.Loss))
		case i < 6 || t.Setting == "manifold 0.1, ridge scale 0.001, pca 0.98" || i == len(ranked)-1:
			p.line("| %d | %s | %.2f | %.1f |", i+1, t.Setting, t.mean(), slices.Max(t.Loss))
		}
	}
	p.line("")
}
