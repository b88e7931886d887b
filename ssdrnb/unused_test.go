package ssdrnb_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// idle reports whether the model warns that the option has no effect.
func idle(m *ssdrnb.Model, option string) bool {
	return len(warnings(m, "the option "+option+" has no effect")) > 0
}

// An option that was set but cannot have an effect on these data, or with the other options, is
// named in a warning. It is not where it has an effect.
func TestUnusedOptions(t *testing.T) {
	labelled := blobsOf(12, 4, 3).WithPairs(data.Pairs{}).WithAllClasses(nil)
	pairs := labelled.HideLabels().WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 3}, {I: 1, J: 4}}, Cannot: []data.Pair{{I: 0, J: 1}, {I: 3, J: 5}}})
	whole := labelled.WithLabels(labelled.Truth)
	target := labelled.HideLabels().WithTarget("height", mat.Col(nil, 0, labelled.X))
	rows := make([]sparse.Triplet, 0, labelled.Len()*labelled.Dim())
	apart := mat.NewSymDense(labelled.Len(), nil)
	for i := range labelled.Len() {
		for k, v := range labelled.X.RawRowView(i) {
			rows = append(rows, sparse.Triplet{Row: i, Col: k, Value: v})
		}
		for k := range i {
			apart.SetSym(i, k, floats.Distance(labelled.X.RawRowView(i), labelled.X.RawRowView(k), 2))
		}
	}
	counts, err := sparse.FromTriplets(labelled.Len(), labelled.Dim(), rows)
	if err != nil {
		t.Fatal(err)
	}
	given, distances := data.NewSparse(counts, labelled.Labels), data.FromDistances(apart)
	s2ne := ssdrnb.S2NE().Iterations(5).Neighbors(5)
	folded, unfolded, space := s2ne.Unfold(0), s2ne.Unfold(5), s2ne.Dims(3)
	umap := ssdrnb.UMAP().Iterations(5).Neighbors(5)
	gplvm, ssgplvm := ssdrnb.GPLVM().Rounds(1).Steps(3), ssdrnb.SSGPLVM().Rounds(1).Steps(3)
	margin, literal := ssgplvm.Form(ssdrnb.MarginForm), ssgplvm.Form("laplacian")
	for _, c := range []struct {
		spec   ssdrnb.Estimator
		option string
		value  any
		not    *data.Data // without effect
		where  *data.Data // with an effect
	}{
		{ssdrnb.LDA(), "slices", 3, labelled, target}, {ssdrnb.SDA(), "slices", 3, labelled, target}, {ssdrnb.TRSDA(), "slices", 3, labelled, target},
		{ssdrnb.S3RMM(), "slices", 3, pairs, target}, {ssdrnb.KLDA(), "degree", 3, labelled, nil}, {ssdrnb.KLDA().Kernel(ssdrnb.Polynomial), "degree", 3, nil, labelled},
		{ssdrnb.KLDA().Kernel(ssdrnb.LinearKernel), "scale", 3, labelled, nil}, {ssdrnb.KLDA(), "scale", 3, nil, labelled},
		{ssdrnb.LDA().Ridge(1), "ridge scale", 3, labelled, nil}, {ssdrnb.LDA(), "ridge scale", 3, nil, labelled},
		{ssdrnb.LPP(), "width", 3, nil, labelled}, {ssdrnb.LPP().Affinity(ssdrnb.Binary), "width", 3, labelled, nil},
		{ssdrnb.SDA().Manifold(0), "balance", ssdrnb.Absolute, labelled, nil}, {ssdrnb.SDA(), "balance", ssdrnb.Absolute, nil, labelled},
		{ssdrnb.SDA().Manifold(0), "neighbors", 3, labelled, nil}, {ssdrnb.SDA(), "neighbors", 3, nil, labelled}, {ssdrnb.SDA().Manifold(0), "affinity", ssdrnb.Binary, labelled, nil},
		{ssdrnb.SSMMC().Manifold(0), "width", 3, labelled, nil}, {ssdrnb.TRSDA().Manifold(0), "metric", ssdrnb.Cosine, labelled, nil}, {ssdrnb.KSDA().Manifold(0), "neighbors", 3, labelled, nil},
		{ssdrnb.LapRLS().Intrinsic(0), "neighbors", 3, labelled, nil}, {ssdrnb.LapRLS(), "neighbors", 3, nil, labelled},
		{ssdrnb.SDLA().PatchWeight(0), "neighbors", 3, labelled, nil}, {ssdrnb.SDLA(), "neighbors", 3, nil, labelled},
		{ssdrnb.SSML().Structure(0), "regularization", 0.1, labelled, nil}, {ssdrnb.SSML().Structure(0), "neighbors", 3, pairs, nil},
		{ssdrnb.SSDA(), "neighbors", 3, whole, labelled}, {ssdrnb.SSDA(), "manifold", 3, whole, labelled}, {ssdrnb.SSDA().Manifold(0), "width", 3, labelled, nil},
		{ssdrnb.MMP().Center(false), "pca", 0.5, labelled, nil}, {ssdrnb.MMP(), "pca", 0.5, nil, labelled},
		{ssdrnb.S2LAE(), "solver", ssdrnb.Bisection, nil, labelled}, {ssdrnb.S2LAE().Criterion(ssdrnb.RatioTrace), "solver", ssdrnb.Bisection, labelled, nil},
		{ssdrnb.KS2LLE().Criterion(ssdrnb.RatioTrace), "solver", ssdrnb.Bisection, whole, nil}, {ssdrnb.S2LLE().Linearized(true).Criterion(ssdrnb.RatioTrace), "solver", ssdrnb.Bisection, labelled, nil},
		{ssdrnb.S2LAE(), "width", 3, labelled, nil}, {ssdrnb.S2LAE().Affinity(ssdrnb.Heat), "width", 3, nil, labelled},
		{ssdrnb.S2LAE(), "unlabelled weight", 0.5, whole, labelled}, {ssdrnb.S2LAE(), "proportion", 0.5, pairs, labelled},
		{ssdrnb.S2LAE(), "seed", 7, labelled, nil}, {ssdrnb.S2LAE().Proportion(0.3), "seed", 7, pairs, labelled},
		{ssdrnb.S3RMM(), "beta", 3, labelled, nil}, {ssdrnb.S3RMM().Discrepancy(ssdrnb.AlignmentMargin), "beta", 3, nil, labelled},
		{umap, "search", ssdrnb.ApproximateSearch, distances, labelled}, {umap, "recall", 0.5, distances, nil}, {umap, "search", ssdrnb.ApproximateSearch, given, nil},
		{unfolded, "recall", 0.5, given, labelled}, {ssdrnb.Isomap(), "search", ssdrnb.ApproximateSearch, distances, labelled},
		{umap, "target weight", 0.7, pairs, labelled}, {unfolded, "target strength", 1, labelled, target}, {unfolded, "carry", 0.1, labelled, pairs},
		{unfolded, "target strength", 1, labelled.HideLabels().WithTarget("level", slices.Repeat([]float64{3}, labelled.Len())), nil},
		{unfolded.Guidance(0), "target strength", 1, target, nil}, {folded.Guidance(0), "target strength", 1, target, nil},
		{unfolded, "caution", 2, pairs, labelled}, {unfolded, "guidance", 0.2, labelled.HideLabels(), labelled}, {unfolded.Guidance(0), "carry", 0.1, pairs, nil},
		{folded, "perplexity", 3, labelled, nil}, {folded, "exaggeration", 3, labelled, nil}, {folded, "degrees of freedom", 3, labelled, nil},
		{unfolded, "perplexity", 3, nil, labelled}, {unfolded, "exaggeration", 3, nil, labelled}, {unfolded, "degrees of freedom", 3, nil, labelled},
		{gplvm, "seed", 7, labelled, nil}, {gplvm.Restarts(1), "seed", 7, nil, labelled}, {gplvm.Dims(5), "seed", 7, nil, labelled}, {gplvm.Approximation(ssdrnb.VFE).Inducing(5), "seed", 7, nil, labelled},
		{gplvm, "inducing", 5, labelled, nil}, {gplvm.Approximation(ssdrnb.FITC), "inducing", 5, nil, labelled},
		{ssgplvm, "seed", 7, pairs, labelled}, {ssgplvm.DrawnPairs(1e6), "seed", 7, labelled, nil}, {ssgplvm, "drawn pairs", 2, pairs, labelled}, {ssgplvm, "target copies", 3, labelled, target},
		{ssgplvm, "margin", 3, labelled, nil}, {margin, "margin", 3, nil, labelled}, {margin.Variant(ssdrnb.VariantM), "margin", 3, labelled, nil}, {ssgplvm, "gauge", "none", nil, labelled}, {literal, "gauge", "none", labelled, nil},
		{ssgplvm, "weighting", "falling", labelled, nil}, {margin, "weighting", "falling", labelled, nil}, {literal, "weighting", "falling", nil, labelled},
		{ssgplvm, "form", ssdrnb.MarginForm, target, labelled}, {ssgplvm.DrawnPairs(0), "form", ssdrnb.MarginForm, labelled, nil}, {ssgplvm.Lambda(0), "variant", ssdrnb.VariantM, labelled, nil},
		{ssgplvm, "back scale", 3, labelled, nil}, {ssgplvm.Back(true), "back scale", 3, nil, labelled},
		{space, "perplexity", 3, nil, labelled}, {umap, "start", ssdrnb.RandomStart, labelled.WithStart(mat.DenseCopyOf(labelled.X.Slice(0, labelled.Len(), 0, 2))), labelled},
	} {
		s := c.spec.Spec()
		for _, d := range []*data.Data{c.not, c.where} {
			if d == nil {
				continue
			}
			plain, set := mustFit(t, s, d), mustFit(t, s.With(c.option, c.value), d)
			if got := idle(set, c.option); got != (d == c.not) || idle(plain, c.option) {
				t.Errorf("%v with %s %v: warnings %q", s, c.option, c.value, set.Report().Warnings)
			}
			if d == c.not && !mat.Equal(plain.Embedding(), set.Embedding()) {
				t.Errorf("%v: %s has an effect", s, c.option)
			}
		}
	}
}

// The remedy for a collapsed embedding names only options that have an effect.
func TestUnusedOptionsAreNoRemedy(t *testing.T) {
	d := blobsOf(12, 4, 3).WithPairs(data.Pairs{})
	for _, c := range []struct {
		spec         ssdrnb.Estimator
		d            *data.Data
		unused, used string
	}{
		{ssdrnb.SSGPLVM().Margin(0.5).Lambda(20), d.WithLabels(d.Truth).Subset([]int{0, 1, 3}), "margin", "lambda"},
		{ssdrnb.LapRLS().Ambient(1e300).Affinity(ssdrnb.Binary).Width(3), d, "width", "ambient"},
	} {
		m := mustFit(t, c.spec.Spec(), c.d)
		told := strings.Join(append(warnings(m, "coincide"), warnings(m, "distinct dimension")...), "\n")
		if !idle(m, c.unused) || told == "" || strings.Contains(told, "move "+c.unused) || strings.Contains(told, ", "+c.unused) || !strings.Contains(told, c.used+" (") {
			t.Errorf("%v: %q", c.spec, m.Report().Warnings)
		}
	}
}

// No method warns of an option that has an effect.
func TestUsedOptions(t *testing.T) {
	d := blobsOf(8, 4, 3)
	for _, m := range ssdrnb.Methods() {
		if m.Descends || strings.Contains(m.Func, "LVM") {
			continue // too slow
		}
		s := ssdrnb.New(m.Name)
		plain, err := s.Fit(d)
		if err != nil {
			continue
		}
		for _, p := range m.Params {
			var values []any
			switch {
			case p.Kind == ssdrnb.ChoiceParam:
				for _, v := range p.Choices {
					values = append(values, v)
				}
			case p.Kind == ssdrnb.BoolParam:
				values = []any{true, false}
			default:
				values = []any{1, 2, 0.7, p.Min}
			}
			for _, v := range values {
				if changed, err := s.With(p.Name, v).Fit(d); err == nil && idle(changed, p.Name) && !mat.Equal(changed.Embedding(), plain.Embedding()) {
					t.Errorf("%s: %s %v has an effect, but the report says %q", m.Name, p.Name, v, changed.Report().Warnings)
				}
			}
		}
	}
	// The reports of combined methods and of FitPath warn too.
	both := ssdrnb.Then(ssdrnb.KLDA().Degree(3), ssdrnb.LAE().Affinity(ssdrnb.Binary).Width(3))
	model := mustFit(t, both.Spec(), d)
	for _, name := range []string{"KLDA degree", "width"} {
		if !idle(model, name) {
			t.Errorf("%v: warnings %q", both.Spec(), model.Report().Warnings)
		}
	}
	path, err := ssdrnb.TRLDA().PCA(1).Ridge(1).RidgeScale(3).FitPath(t.Context(), d, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range path {
		if !idle(m, "ridge scale") {
			t.Errorf("FitPath: warnings %q", m.Report().Warnings)
		}
	}
}
