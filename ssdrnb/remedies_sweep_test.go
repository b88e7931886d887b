package ssdrnb_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

func remediesOfSweeps(t *testing.T) []advicetest.Case {
	t.Helper()
	ctx, bare := context.Background(), datasets.Iris()
	iris := bare.KeepLabels(5).Seed(1)
	is := func(_ any, err error) error { return err }
	sweep := func() ssdrnb.SweepBuilder { return ssdrnb.Sweep(ssdrnb.PCA(), iris).List("dims", 1, 2) }
	compare := func() ssdrnb.CompareBuilder { return ssdrnb.Compare(iris, ssdrnb.PCA()).UpTo(2).Splits(1) }
	swept := func(b ssdrnb.SweepBuilder) error { return is(b.Run(ctx)) }
	compared := func(b ssdrnb.CompareBuilder) error { return is(b.Run(ctx)) }
	surveyed := func(b ssdrnb.SurveyBuilder) error { return is(b.Run(ctx)) }
	fit := func(e ssdrnb.Estimator) error { return is(e.Spec().Fit(iris)) }
	taken := filepath.Join(t.TempDir(), "taken.npz")
	if err := os.WriteFile(taken, []byte("no sweep"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []advicetest.Case{
		{"no splits", swept(sweep().Splits(0)), "give at least 1", func() error { return swept(sweep().Splits(1)) }},
		{"splits beyond count", swept(sweep().Splits(math.MaxInt)), "give at most 5000000", func() error { return swept(sweep().Splits(3)) }},
		{"all samples to train", swept(sweep().Train(1)), "give a share between 0 and 1", func() error { return swept(sweep().Train(0.5)) }},
		{"no scaling", swept(sweep().Prepare(nil)), "such as (*data.Data).LearnScale01", func() error { return swept(sweep().Prepare((*data.Data).LearnScale01)) }},
		{"no score", swept(sweep().Score(nil)), "such as NearestNeighbor", func() error { return swept(sweep().Score(ssdrnb.NearestNeighbor)) }},
		{"a descending axis", swept(ssdrnb.Sweep(ssdrnb.PCA(), iris).Linear("dims", 2, 1, 1)), "give a range with from ≤ to", func() error { return swept(ssdrnb.Sweep(ssdrnb.PCA(), iris).Linear("dims", 1, 2, 1)) }},
		{"an axis without step", swept(ssdrnb.Sweep(ssdrnb.LPP(), iris).Log10("width", 0, 1, 0)), "give a step above 0", func() error { return swept(ssdrnb.Sweep(ssdrnb.LPP(), iris).Log10("width", 0, 1, 1)) }},
		{"an axis of many values", swept(ssdrnb.Sweep(ssdrnb.LPP(), iris).Linear("width", 0, 1, 1e-7)), "give a larger step", func() error { return swept(ssdrnb.Sweep(ssdrnb.LPP(), iris).Linear("width", 1, 2, 1)) }},
		{"an axis without values", swept(ssdrnb.Sweep(ssdrnb.PCA(), iris).List("dims")), "give at least one value", func() error { return swept(ssdrnb.Sweep(ssdrnb.PCA(), iris).List("dims", 1)) }},
		{"two axes of an option", swept(ssdrnb.Sweep(ssdrnb.LPP(), iris).List("neighbors", 5, 10).Linear("neighbors", 15, 20, 5)), "give all its values in one axis, with List", func() error {
			return swept(ssdrnb.Sweep(ssdrnb.LPP(), iris).List("neighbors", 5, 10, 15, 20))
		}},
		{"another file", swept(sweep().File(taken)), "name another file, or remove this one", func() error { return swept(sweep().File(filepath.Join(t.TempDir(), "other.npz"))) }},
		{"another file, removed", swept(sweep().File(taken)), "or remove this one", func() error {
			if err := os.Remove(taken); err != nil {
				return err
			}
			return swept(sweep().File(taken))
		}},
		{"no hidden label", swept(ssdrnb.Sweep(ssdrnb.PCA(), bare).List("dims", 1)), "fit to Data.KeepLabels(5) or Data.Validation(0.3)", func() error { return swept(ssdrnb.Sweep(ssdrnb.PCA(), bare.KeepLabels(5)).List("dims", 1)) }},
		{"no hidden label, validated", swept(ssdrnb.Sweep(ssdrnb.PCA(), bare).List("dims", 1)), "or Data.Validation(0.3)", func() error { return swept(ssdrnb.Sweep(ssdrnb.PCA(), bare.Validation(0.3)).List("dims", 1)) }},
		{"compare without a hidden label", compared(ssdrnb.Compare(bare, ssdrnb.PCA())), "Validate(0.3) of Compare", func() error { return compared(ssdrnb.Compare(bare, ssdrnb.PCA()).Validate(0.3)) }},
		{"compare without a test", compared(ssdrnb.Compare(bare, ssdrnb.PCA())), "or test with Train(0.7)", func() error { return compared(ssdrnb.Compare(bare, ssdrnb.PCA()).Train(0.7)) }},
		{"nothing to compare", compared(ssdrnb.Compare(iris)), "give at least one", func() error { return compared(compare()) }},
		{"compare 0 dimensions", compared(compare().UpTo(0)), "give at least 1", func() error { return compared(compare().UpTo(1)) }},
		{"compare no dimensions", compared(compare().Dims()), "give at least one number of dimensions, each at least 1", func() error { return compared(compare().Dims(1)) }},
		{"compare no splits", compared(compare().Splits(0)), "give at least 1", func() error { return compared(compare().Splits(1)) }},
		{"compare by too large a share", compared(compare().Train(1.5)), "give a share between 0 and 1", func() error { return compared(compare().Train(0.5)) }},
		{"compare by too few per class", compared(compare().TrainPerClass(-1, 0)), "give train ≥ 1 and test ≥ 0", func() error { return compared(compare().TrainPerClass(6, 0)) }},
		{"compare undivided", compared(compare().Divide(nil)), "give a function", func() error {
			return compared(compare().Divide(func(d *data.Data) (train, test *data.Data) { return d.Split(0.5) }))
		}},
		{"survey 0 dimensions", surveyed(ssdrnb.Survey(iris, ssdrnb.PCA()).Dims(0)), "give at least 1", func() error { return surveyed(ssdrnb.Survey(iris, ssdrnb.PCA()).Dims(1)) }},
		{"a chain of nonlinear methods", fit(ssdrnb.Then(ssdrnb.LAE(), ssdrnb.LAE())), "use for example Then(PCA().Dims(50), TSNE())", func() error {
			wide := datasets.Digits()
			return is(ssdrnb.Then(ssdrnb.PCA().Dims(50), ssdrnb.TSNE()).Fit(wide.Subset(every(wide.Len(), 30))))
		}},
	}
}

// every returns the rows 0, step, 2·step, … below n.
func every(n, step int) []int {
	var rows []int
	for i := 0; i < n; i += step {
		rows = append(rows, i)
	}
	return rows
}
