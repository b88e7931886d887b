package ssdrnb_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/mattest"
)

// widened returns blobs of three features with feature 0 in another unit.
func widened(unit float64) *data.Data {
	d := applied(blobs(3, 40), func(_, j int, v float64) float64 {
		if j == 0 {
			return unit * v
		}
		return v
	})
	return d.WithLabels(d.Truth)
}

// Fewer dimensions than requested have a true reason. Features whose variation is lost in the
// rounding errors of another are named, whatever the method. Standardised data lose none.
func TestReasonForFewerDimensions(t *testing.T) {
	const faint = "so little that rounding errors of feature 0 hide the variation; standardise the features"
	for _, unit := range []float64{1e7, 1e8, 1e12} {
		d := widened(unit)
		for _, m := range ssdrnb.Methods() {
			if m.Shape != ssdrnb.Linear || m.Selects || m.Func == "NLDA" {
				continue
			}
			if _, ok := m.Param("dims"); !ok {
				continue
			}
			model, err := ssdrnb.New(m.Name).Fit(d)
			if err != nil {
				if !strings.Contains(err.Error(), "; ") {
					t.Errorf("%s in units of %g: %v", m.Name, unit, err)
				}
				continue
			}
			got := warnings(model, "requested dimension")
			if model.Dims() < 2 && (len(got) != 1 || !strings.Contains(got[0], faint) || !strings.Contains(got[0], "feature 1 and feature 2 vary")) {
				t.Errorf("%s in units of %g: %d dimensions, warnings %q", m.Name, unit, model.Dims(), model.Report().Warnings)
			}
			if model, err = ssdrnb.New(m.Name).Fit(d.Standardize()); err != nil || model.Dims() != 2 || len(warnings(model, "dimension")) > 0 {
				t.Errorf("%s of standardised features: %v, %v", m.Name, model, err)
			}
		}
	}
	// Some denominators treat smaller differences of scale as 0.
	for _, s := range []ssdrnb.Estimator{ssdrnb.LDA().Ridge(0), ssdrnb.SDA().Ridge(0).Manifold(0), ssdrnb.SSLDA().Manifold(0).PCA(1), ssdrnb.CCA().Ridge(0), ssdrnb.LPP()} {
		m, err := s.Spec().Fit(widened(2e6))
		if err != nil {
			t.Fatal(err)
		}
		if m.Dims() < 2 && len(warnings(m, faint)) == 0 {
			t.Errorf("%v: %d dimensions, warnings %q", s.Spec(), m.Dims(), m.Report().Warnings)
		}
	}
	// Lost directions are reported even if there are as many as requested, or as the classes allow.
	d := widened(1e8)
	for _, s := range []ssdrnb.Estimator{ssdrnb.LDA().Dims(1).Ridge(0), ssdrnb.CCA().Dims(1).Ridge(0)} {
		if m, err := s.Spec().Fit(d); err != nil || len(warnings(m, faint)) != 1 {
			t.Errorf("%v: %v, warnings %q", s.Spec(), err, m.Report().Warnings)
		}
	}
	two := d.WithLabels(labelsBy(d.Len(), 2))
	m := ssdrnb.LDA().Ridge(0).MustFit(two)
	if len(warnings(m, faint)) != 1 || len(warnings(m, "2 classes have 1 discriminant direction")) != 1 {
		t.Errorf("two classes: warnings %q", m.Report().Warnings)
	}
	// Other reasons stay, and PCA is named.
	for want, s := range map[string]ssdrnb.Estimator{
		"3 classes have 2 discriminant directions": ssdrnb.LDA().Dims(3),
		"PCA keeps only 1 direction":               ssdrnb.LDA().PCA(0.1),
		"the samples span no more dimensions":      ssdrnb.MMC().Dims(3),
	} {
		e := widened(1)
		if strings.HasPrefix(want, "the samples") { // on a plane
			e = applied(e, func(i, j int, v float64) float64 {
				if j == 2 {
					return e.X.At(i, 0) + e.X.At(i, 1)
				}
				return v
			})
		}
		m, err := s.Spec().Fit(e)
		if err != nil {
			t.Fatal(err)
		}
		if got := warnings(m, "requested dimension"); len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("%v: warnings %q, want %q", s.Spec(), m.Report().Warnings, want)
		}
	}
}

// If a kernel method has fewer dimensions than requested because of an option, the report names the
// option.
func TestKernelLimits(t *testing.T) {
	scattered := noise(40)
	apart := applied(scattered, func(i, _ int, v float64) float64 { return v + 1000*float64(i%2) })
	labels := make([]int, scattered.Len())
	for i := range labels {
		labels[i] = i / 2 % 3
	}
	line := applied(scattered, func(i, _ int, _ float64) float64 { return float64(i) })
	for _, method := range []string{"KLDA", "KSDA", "TR-KLDA", "TR-KSDA"} {
		s := ssdrnb.New(method)
		for _, c := range []struct {
			s         ssdrnb.Spec
			d         *data.Data
			want, not string
		}{
			{s, apart, "Cut keeps only 1 direction", ""},
			{s.With("cut", 0.0).With("rank", 1), scattered, "Rank keeps only 1 direction", ""},
			{s.With("kernel", ssdrnb.LinearKernel), line, "span no more dimensions", "keeps only"},
		} {
			m, err := c.s.Fit(c.d.WithLabels(labels))
			if err != nil {
				t.Fatalf("%v: %v", c.s, err)
			}
			if m.Dims() != 1 || !warned(m, c.want) || c.not != "" && warned(m, c.not) {
				t.Errorf("%v: %d dimensions, warnings %q, want %q", c.s, m.Dims(), m.Report().Warnings, c.want)
			}
		}
	}
}

// Every method with an own limit of dims accepts the largest number that the help allows, and
// rejects the next.
func TestMostDims(t *testing.T) {
	few, many := noise(12), noise(40) // of 4 features
	for name, c := range map[string]struct {
		d    *data.Data
		most int
		help string
	}{
		"PCA": {many, 4, "for linear methods at most the number of features"}, "LAE": {few, 11, "less than the number of samples"},
		"S2LAE": {few, 10, "at most the number of samples minus 2"}, "S2LLE": {few, 10, "at most the number of samples minus 2"},
		"KS2LAE": {few, 10, "at most the number of samples minus 2"}, "KS2LLE": {few, 10, "at most the number of samples minus 2"},
		"LTSA": {many, 4, "and at most the number of features"}, "SS-LTSA": {many, 4, "and at most the number of features"}, "HLLE": {many, 4, "and at most the number of features"},
	} {
		s := ssdrnb.New(name)
		if p, _ := s.Method().Param("dims"); !strings.Contains(p.Doc, c.help) {
			t.Errorf("%s: help %q, want %q", name, p.Doc, c.help)
		}
		d := c.d.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 1}}, Cannot: []data.Pair{{I: 0, J: 2}}})
		if _, ok := s.Method().Param("neighbors"); ok && c.d == many {
			s = s.With("neighbors", 30)
		}
		for _, extra := range []int{0, 1} {
			if name == "SS-LTSA" {
				d = d.WithAnchors([]int{0, 1, 2, 3, 4, 5}, mattest.Gaussian(6, c.most+extra))
			}
			_, err := s.With("dims", c.most+extra).Fit(d)
			var e *ssdrnb.Error
			if failed := err != nil; failed != (extra > 0) || failed && !(errors.As(err, &e) && e.Param == "dims" && e.Remedy == fmt.Sprintf("ask for at most %d", c.most)) {
				t.Errorf("%s, %d dimensions: %v", name, c.most+extra, err)
			}
		}
	}
}
