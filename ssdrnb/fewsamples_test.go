package ssdrnb_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// noise returns n samples of four features, with three classes in turn.
func noise(n int) *ssdrnb.Data {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	x, labels := mat.NewDense(n, 4, nil), make([]int, n)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	for i := range labels {
		labels[i] = i % 3
	}
	return ssdrnb.NewData(x, labels)
}

// With three samples or more, each method fits without options, or the advice of its error works.
func TestRemediesOfFewSamples(t *testing.T) {
	fit := func(e ssdrnb.Estimator, d *ssdrnb.Data) error {
		_, err := e.Spec().Fit(d)
		return err
	}
	for _, c := range []struct {
		n       int
		e       ssdrnb.Estimator
		says    string
		advised func(d *ssdrnb.Data) error
	}{
		{3, ssdrnb.HLLE(), "give at least 7 samples", func(*ssdrnb.Data) error { return fit(ssdrnb.HLLE(), noise(7)) }},
		{3, ssdrnb.HLLE().Dims(1), "give at least 4 samples", func(*ssdrnb.Data) error { return fit(ssdrnb.HLLE().Dims(1), noise(4)) }},
		{4, ssdrnb.HLLE(), "ask for fewer dimensions", func(d *ssdrnb.Data) error { return fit(ssdrnb.HLLE().Dims(1), d) }},
		{6, ssdrnb.HLLE(), "ask for fewer dimensions", func(d *ssdrnb.Data) error { return fit(ssdrnb.HLLE().Dims(1), d) }},
		{3, ssdrnb.MMP(), "set Ridge above 0", func(d *ssdrnb.Data) error { return fit(ssdrnb.MMP().Ridge(1e-3), d) }},
		{3, ssdrnb.LDA(), "set Ridge", func(d *ssdrnb.Data) error { return fit(ssdrnb.LDA().Ridge(1e-3), d) }},
		{3, ssdrnb.LDA(), "or use TRLDA", func(d *ssdrnb.Data) error { return fit(ssdrnb.TRLDA(), d) }},
		{3, ssdrnb.SSDA(), "set Ridge", func(d *ssdrnb.Data) error { return fit(ssdrnb.SSDA().Ridge(1e-3), d) }},
		{3, ssdrnb.KLDA(), "set Ridge", func(d *ssdrnb.Data) error { return fit(ssdrnb.KLDA().Ridge(1e-3), d) }},
		{3, ssdrnb.MFA(), "label at least two samples of a class", func(d *ssdrnb.Data) error { return fit(ssdrnb.MFA(), d.WithLabels([]int{0, 0, 1})) }},
		{3, ssdrnb.S2LAE(), "ask for at most 1", func(d *ssdrnb.Data) error { return fit(ssdrnb.S2LAE().Dims(1), d) }},
		{3, ssdrnb.S2LLE(), "ask for at most 1", func(d *ssdrnb.Data) error { return fit(ssdrnb.S2LLE().Dims(1), d) }},
		{3, ssdrnb.KS2LAE(), "ask for at most 1", func(d *ssdrnb.Data) error { return fit(ssdrnb.KS2LAE().Dims(1), d) }},
		{3, ssdrnb.KS2LLE(), "ask for at most 1", func(d *ssdrnb.Data) error { return fit(ssdrnb.KS2LLE().Dims(1), d) }},
		{8, ssdrnb.NLDA(), "or use LDA or TRLDA", func(d *ssdrnb.Data) error { return fit(ssdrnb.LDA(), d) }},
	} {
		d, name := noise(c.n), c.e.Spec().String()
		err := fit(c.e, d)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s of %d samples: %v, want %q", name, c.n, err, c.says)
			continue
		}
		if err := c.advised(d); err != nil {
			t.Errorf("%s of %d samples, after %q: %v", name, c.n, c.says, err)
		}
	}
	for _, n := range []int{3, 4} {
		if err := fit(ssdrnb.TSNE().DegreesOfFreedom(100), noise(n)); err != nil {
			t.Errorf("%d samples: %v", n, err)
		}
	}
	if err := fit(ssdrnb.HLLE(), noise(3)); err == nil || strings.Contains(err.Error(), "fewer dimensions") {
		t.Errorf("three samples have no Hessian in any dimension: %v", err)
	}
}

// Of two samples, neither is far from "all others".
func TestNoLoneSampleOfTwo(t *testing.T) {
	for n := 2; n < 5; n++ {
		for _, e := range []ssdrnb.Estimator{ssdrnb.PCA().Dims(1), ssdrnb.LPP().Dims(1).Neighbors(1)} {
			model, err := e.Spec().Fit(noise(n))
			if err != nil {
				continue
			}
			for _, w := range model.Report().Warnings {
				if strings.Contains(w, "far away") {
					t.Errorf("%s of %d samples: %s", e.Spec(), n, w)
				}
			}
		}
	}
}

// Numbers agree with their nouns.
func TestOneOfEach(t *testing.T) {
	d := ssdrnb.NewData(mat.NewDense(5, 1, []float64{1, 2, 4, 8, 9}), []int{0, 0, 0, 0, 0}).KeepLabels(1)
	model := ssdrnb.PCA().Dims(1).MustFit(d)
	_, err := model.Transform(mat.NewDense(1, 2, nil))
	if err == nil {
		t.Fatal("two columns for one feature")
	}
	_, scaled := d.LearnStandardize().Apply(mat.NewDense(1, 2, nil))
	for text, says := range map[string]string{
		d.String():              "5 samples × 1 feature, 1 class, 1 labelled, 0 pairs",
		model.Report().String(): "5 samples × 1 feature, 1 labelled in 1 class",
		d.Notes[0]:              "1 label kept per class",
		err.Error():             "fitted to 1 feature; ",
		scaled.Error():          "learned from 1 feature, but",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("%q does not contain %q", text, says)
		}
	}
}
