package ssdrnb_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// A feature in small units has nearly all the variance. Every method whose result depends on units
// names it in a warning, and Standardize cures it.
func TestFeatureThatOutweighsOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := applied(blobs(6, 40), func(_, j int, v float64) float64 {
		if j == 2 {
			return 300 * v
		}
		return v
	})
	named := *d
	named.FeatureNames = []string{"age", "height", "income", "weight", "pulse", "score"}
	for _, m := range ssdrnb.Methods() {
		for _, c := range []struct {
			d    *data.Data
			want string
		}{{d, "feature 2 has over 99.9 % of the variance of 6 features"}, {&named, "income has over 99.9 %"}, {named.Standardize(), ""}, {blobs(6, 40), ""}} {
			model, err := brief(m, 2, 5).Fit(c.d)
			if err != nil { // from NLDA
				continue
			}
			got := warnings(model, "% of the variance of")
			switch {
			case c.want == "" || slices.Contains([]string{"CS1", "CS2"}, m.Name):
				if got != nil {
					t.Errorf("%s: warnings %q", m.Name, got)
				}
			case len(got) != 1 || !strings.Contains(got[0], c.want) || !strings.Contains(got[0], "Data.Standardize"):
				t.Errorf("%s: warnings %q, want %q", m.Name, got, c.want)
			}
		}
	}
	// With a ridge, or directions dropped by PCA, discriminant methods depend on units.
	for want, list := range map[int][]ssdrnb.Estimator{
		0: {ssdrnb.LDA().Ridge(0), ssdrnb.LDA().RidgeScale(0), ssdrnb.CCA().Ridge(0), ssdrnb.CS2(), ssdrnb.Then(ssdrnb.LDA().Ridge(0), ssdrnb.LAE())},
		1: {ssdrnb.LDA().Ridge(1), ssdrnb.LDA().Ridge(0).PCA(0.9), ssdrnb.CCA().PCA(0.9).RidgeScale(0), ssdrnb.CS2().Standardize(false), ssdrnb.Then(ssdrnb.LDA(), ssdrnb.LAE())},
	} {
		for _, e := range list {
			if got := warnings(ssdrnb.SpecOf(e).MustFit(d), "% of the variance of"); len(got) != want {
				t.Errorf("%v: warnings %q, want %d", e.Spec(), got, want)
			}
		}
	}
	two := applied(blobs(6, 40), func(_, j int, v float64) float64 {
		if j == 2 || j == 4 {
			return 100 * v
		}
		return v
	})
	two.FeatureNames = named.FeatureNames
	if got := warnings(ssdrnb.PCA().MustFit(two), "income and pulse have"); len(got) != 1 {
		t.Errorf("two features: %q", got)
	}
	// The second method sees the output of the first, whose variances differ by design.
	chain := ssdrnb.Then(ssdrnb.PCA(), ssdrnb.LAE()).MustFit(d)
	if got := warnings(chain, "% of the variance of"); len(got) != 1 {
		t.Errorf("a chain: %q", got)
	}
}

// With a disconnected graph and more features than samples, LPP may map each component to a point.
func TestSamplesOnFewPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	x := mat.NewDense(50, 200, nil)
	for i := range 50 {
		for j := range 200 {
			x.Set(i, j, rng.NormFloat64())
		}
		x.Set(i, i%3, x.At(i, i%3)+60)
	}
	d := data.New(x, nil)
	m, err := ssdrnb.LPP().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	if got := warnings(m, "the 50 samples coincide at 3 points of the embedding, although they differ"); len(got) != 1 || !strings.Contains(got[0], "raise Neighbors") {
		t.Errorf("warnings %q", m.Report().Warnings)
	}
	if m, err = ssdrnb.LPP().Neighbors(20).PCA(0.5).Fit(d); err != nil || len(warnings(m, "coincide at")) > 0 {
		t.Errorf("after the advice: %v, warnings %q", err, m.Report().Warnings)
	}
}

// Dissimilarities between classes do not swamp those within classes, however far apart the
// components of a graph are.
func TestSIsomapOnGraphInParts(t *testing.T) {
	d := applied(blobs(6, 41), func(i, _ int, v float64) float64 { return v + 1e4*float64(i%3) })
	m, err := ssdrnb.SIsomap().Fit(d.WithLabels(d.Truth))
	if err != nil {
		t.Fatal(err)
	}
	if largest := mat.Max(m.Embedding()); largest > 1e8 || len(warnings(m, "exp is truncated")) != 1 {
		t.Errorf("coordinates up to %g, warnings %q", largest, m.Report().Warnings)
	}
}

// Every method that reads pairs names pairs that contradict each other by transitivity.
func TestContradictionByTransitivity(t *testing.T) {
	p := func(i, j int) data.Pair { return data.Pair{I: i, J: j} }
	pairs := data.Pairs{Must: []data.Pair{p(0, 3), p(3, 6), p(10, 13)}, Cannot: []data.Pair{p(0, 6), p(0, 1), p(4, 5)}}
	d := blobs(6, 42).HideLabels().WithPairs(pairs)
	fine := blobs(6, 42).HideLabels().WithPairs(data.Pairs{Must: pairs.Must, Cannot: pairs.Cannot[1:]})
	read := 0
	for _, m := range ssdrnb.Methods() {
		switch m.Uses {
		case ssdrnb.FromPairs, ssdrnb.FromBoth, ssdrnb.FromAnyOrTarget, ssdrnb.IfAny, ssdrnb.AllIfAny:
		default:
			continue
		}
		read++
		model, err := brief(m, 2, 5).Fit(d)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if got := warnings(model, "contradict"); len(got) != 1 || !strings.Contains(got[0], "1 pair contradicts labels or other pairs, (0, 6)") {
			t.Errorf("%s: warnings %q", m.Name, model.Report().Warnings)
		}
		if model, err = brief(m, 2, 5).Fit(fine); err != nil || len(warnings(model, "contradict")) > 0 {
			t.Errorf("%s without the contradiction: %v, warnings %q", m.Name, err, model.Report().Warnings)
		}
	}
	if read < 10 {
		t.Errorf("only %d methods read pairs", read)
	}
}

// Equal labelled samples carry no information. Every method that learns from labels reports this
// under its own name.
func TestEqualLabelledSamples(t *testing.T) {
	d := applied(blobs(6, 43), func(i, _ int, v float64) float64 {
		if i == 59 {
			return v
		}
		return 7
	})
	if d.Labels[59] >= 0 {
		t.Fatal("the sample that differs is labelled")
	}
	for _, m := range ssdrnb.Methods() {
		if m.Uses != ssdrnb.FromLabels && m.Uses != ssdrnb.FromLabelsOrTarget && m.Uses != ssdrnb.FromAnchors {
			continue
		}
		_, err := brief(m, 2, 5).Fit(d)
		var e *ssdrnb.Error
		if !errors.As(err, &e) || e.Method != m.Name || e.Param != "labels" || !strings.Contains(err.Error(), "labelled samples are equal; label samples that differ") {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// A warning names a class whose dimension of a regression is constant.
func TestConstantDimensionOfRegression(t *testing.T) {
	d := blobs(6, 20)
	for name, c := range map[string]struct {
		e ssdrnb.Estimator
		d *data.Data
	}{
		"units":  {ssdrnb.LapRLS(), inUnits(d, 1e-41)},
		"smooth": {ssdrnb.LapRLS().Intrinsic(1e300), d},
	} {
		m, err := c.e.Spec().Fit(c.d)
		if err != nil {
			t.Fatal(err)
		}
		if collapsed(m) == "" && len(warnings(m, "is constant")) == 0 {
			t.Errorf("%s: warnings %q", name, m.Report().Warnings)
		}
	}
}
