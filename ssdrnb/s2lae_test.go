package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// constraintMethods are the four methods of the paper.
var constraintMethods = []string{"S2LAE", "S2LLE", "KS2LAE", "KS2LLE"}

func labelledBlobs() *data.Data { return blobs(6, 21).WithPairs(data.Pairs{}) }

func mustFit(t *testing.T, s ssdrnb.Spec, d *data.Data) *ssdrnb.Model {
	t.Helper()
	m, err := s.Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func fact(t *testing.T, m *ssdrnb.Model, name string) float64 {
	t.Helper()
	v, ok := m.Report().Fact(name)
	if !ok {
		t.Fatalf("no %s in the report", name)
	}
	return v
}

// TestConstraintEmbeddings: coordinates are orthonormal and centred, values sum to 0, the ratio
// equals that of its parts, and λ_t rises.
func TestConstraintEmbeddings(t *testing.T) {
	d := labelledBlobs()
	for _, name := range constraintMethods {
		m := mustFit(t, ssdrnb.New(name).With("unlabelled weight", 0.1), d)
		y := m.Embedding()
		var gram mat.Dense
		gram.Mul(y.T(), y)
		for a := range 2 {
			sum := 0.0
			for i := range d.Len() {
				sum += y.At(i, a)
			}
			if math.Abs(sum) > 1e-10 {
				t.Errorf("%s: column %d sums to %g", name, a, sum)
			}
			for b := range 2 {
				want := 0.0
				if a == b {
					want = 1
				}
				if math.Abs(gram.At(a, b)-want) > 1e-10 {
					t.Errorf("%s: YᵀY[%d][%d] = %g", name, a, b, gram.At(a, b))
				}
			}
		}
		lambda := fact(t, m, "λ*")
		if ratio := fact(t, m, "numerator") / fact(t, m, "denominator"); math.Abs(ratio-lambda) > 1e-9*lambda {
			t.Errorf("%s: ratio %g, λ* %g", name, ratio, lambda)
		}
		if v := m.Values(); math.Abs(v[0]+v[1]) > 1e-9*max(math.Abs(v[0]), lambda) || v[0] < v[1] {
			t.Errorf("%s: values %v", name, v)
		}
		trace := m.Report().Traces[0]
		for k := 2; k < len(trace.Lambda); k++ {
			if trace.Lambda[k] < trace.Lambda[k-1]*(1-1e-12) {
				t.Errorf("%s: λ fell from %g to %g", name, trace.Lambda[k-1], trace.Lambda[k])
			}
		}
	}
}

// TestCriteria: the solution of the ratio trace has a trace ratio of at most λ*, and all solvers
// find the same λ*.
func TestCriteria(t *testing.T) {
	d := labelledBlobs()
	for _, name := range constraintMethods {
		s := ssdrnb.New(name).With("ridge", 0.1).With("unlabelled weight", 0.1)
		lambda := fact(t, mustFit(t, s, d), "λ*")
		other := fact(t, mustFit(t, s.With("criterion", ssdrnb.RatioTrace), d), "trace ratio of the span")
		if !(other > 0 && other <= lambda*(1+1e-10)) {
			t.Errorf("%s: ratio trace gives %g, λ* is %g", name, other, lambda)
		}
		for _, solver := range []ssdrnb.Solver{ssdrnb.ITRScore, ssdrnb.FastTraceRatio, ssdrnb.Bisection} {
			if got := fact(t, mustFit(t, s.With("solver", solver), d), "λ*"); math.Abs(got-lambda) > 1e-9*lambda {
				t.Errorf("%s: %s finds %.12g, ITR %.12g", name, solver, got, lambda)
			}
		}
	}
}

// TestLinearized: an orthonormal projection whose ratio is at most that of free coordinates of
// equal length.
func TestLinearized(t *testing.T) {
	d := labelledBlobs()
	for _, s := range []ssdrnb.Spec{ssdrnb.S2LAE().Linearized(true).Spec(), ssdrnb.S2LLE().Linearized(true).Spec(),
		ssdrnb.S2LAE().Linearized(true).Criterion(ssdrnb.RatioTrace).Spec()} {
		m := mustFit(t, s, d)
		w, _, err := m.Projection()
		if err != nil {
			t.Fatal(err)
		}
		var gram mat.Dense
		gram.Mul(w.T(), w)
		if s.Value("criterion") == ssdrnb.TraceRatio && !mat.EqualApprox(&gram, mat.NewDiagDense(2, []float64{1, 1}), 1e-10) {
			t.Errorf("%v: WᵀW = %v", s, mat.Formatted(&gram))
		}
		y, err := m.Transform(d.X)
		if err != nil || !mat.EqualApprox(y, m.Embedding(), 1e-9*mat.Norm(y, 2)) {
			t.Errorf("%v: the projection is not the embedding: %v", s, err)
		}
	}
}

// TestLinearizedRatio: if all centred coordinates are projections of the samples, the maximum over
// projections is the maximum over free coordinates, in any unit of the features.
func TestLinearizedRatio(t *testing.T) {
	const n = 12
	free := pairing.Uncompressed(dense.Identity(n-1, n-1)) // an orthonormal basis of all centred coordinates
	pairs := data.Pairs{Must: []data.Pair{{I: 0, J: 1}, {I: 1, J: 2}, {I: 4, J: 5}}, Cannot: []data.Pair{{I: 0, J: 5}, {I: 2, J: 7}, {I: 8, J: 9}}}
	for _, name := range []string{"S2LAE", "S2LLE"} {
		s := ssdrnb.New(name).With("neighbors", n-1).With("unlabelled weight", 0)
		for _, unit := range []float64{1e-3, 1, 1e3} {
			var x mat.Dense
			x.Scale(unit, free)
			d := data.New(&x, nil).WithPairs(pairs)
			want, got := fact(t, mustFit(t, s, d), "λ*"), fact(t, mustFit(t, s.With("linearized", true), d), "λ*")
			if math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s, unit %g: λ* = %g, want %g", name, unit, got, want)
			}
			s := s.With("criterion", ssdrnb.RatioTrace)
			wants, gots := mustFit(t, s, d).Values(), mustFit(t, s.With("linearized", true), d).Values()
			if !floats.EqualApprox(gots, wants, 1e-9*wants[0]) {
				t.Errorf("%s, unit %g: values of the ratio trace %g, want %g", name, unit, gots, wants)
			}
		}
	}
}

// TestConstraintSources: pairs of the graph, of the user, and both.
func TestConstraintSources(t *testing.T) {
	d := labelledBlobs()
	var known []int
	for i, l := range d.Labels {
		if l >= 0 {
			known = append(known, i)
		}
	}
	labelled := d.Subset(known)
	nb, err := graph.Search(context.Background(), labelled.X, 12, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pairing.LabelledPairs(g, labelled.Labels)
	if err != nil {
		t.Fatal(err)
	}
	for _, pairs := range [][]data.Pair{all.Must, all.Cannot} {
		for k, p := range pairs {
			pairs[k] = data.Pair{I: known[p.I], J: known[p.J]}
		}
	}
	same := func(what string, a, b *ssdrnb.Model) {
		t.Helper()
		if !mat.EqualApprox(a.Embedding(), b.Embedding(), 1e-9) {
			t.Errorf("%s: another embedding", what)
		}
	}
	b := ssdrnb.S2LAE().UnlabelledWeight(0.1)
	fromGraph := mustFit(t, b.Spec(), d)
	same("the pairs of the graph, given", fromGraph, mustFit(t, b.Spec(), d.WithPairs(all)))
	// The order within a pair and repetitions have no meaning.
	messy := data.Pairs{Cannot: slices.Clone(all.Cannot)}
	for _, p := range slices.Backward(all.Must) {
		messy.Must = append(messy.Must, data.Pair{I: p.J, J: p.I}, p)
	}
	same("the same pairs twice", fromGraph, mustFit(t, b.Spec(), d.WithPairs(messy)))
	few := data.Pairs{Must: all.Must[:3], Cannot: all.Cannot}
	same("both, one part of the other", fromGraph, mustFit(t, b.Constraints(ssdrnb.GivenAndGraph).Spec(), d.WithPairs(few)))
	same("the graph's although others are given", fromGraph, mustFit(t, b.Constraints(ssdrnb.FromGraph).Spec(), d.WithPairs(few)))
	half := mustFit(t, b.Proportion(0.5).Seed(3).Spec(), d)
	if got, want := fact(t, half, "must-link pairs"), math.Floor(float64(len(all.Must))/2+0.5); got != want {
		t.Errorf("half of %d pairs: %g", len(all.Must), got)
	}
	again := mustFit(t, b.Proportion(0.5).Seed(4).Spec(), d)
	if mat.EqualApprox(half.Embedding(), again.Embedding(), 1e-6) {
		t.Error("two seeds drew the same pairs")
	}
	// A given pair that contradicts the labels of an edge.
	against := data.Pairs{Cannot: all.Must[:1]}
	if _, err := b.Constraints(ssdrnb.GivenAndGraph).Fit(d.WithPairs(against)); !errors.Is(err, data.ErrPairs) {
		t.Errorf("contradiction: %v", err)
	}
}

// TestUnlabelledTied: by default unlabelled samples are tied to their neighbours, so that few
// labels predict at least as many hidden ones as none do. If all samples are labelled the method is
// as published.
func TestUnlabelledTied(t *testing.T) {
	names := []string{"S2LAE", "S2LLE", "KS2LAE", "KS2LLE"}
	whole := datasets.Iris()
	for _, name := range names {
		a, b := mustFit(t, ssdrnb.New(name), whole), mustFit(t, ssdrnb.New(name).With("unlabelled weight", 0), whole)
		if !mat.Equal(a.Embedding(), b.Embedding()) {
			t.Errorf("%s: with all labels the default is not the method as printed", name)
		}
	}
	// One label for each of ten classes: all of them form pairs, although hardly any two are
	// neighbours.
	digits := datasets.Digits().Take(40)
	m := mustFit(t, ssdrnb.S2LAE().Spec(), digits.KeepLabels(1).Seed(1))
	if must, cannot := fact(t, m, "must-link pairs"), fact(t, m, "cannot-link pairs"); must != 0 || cannot != 45 {
		t.Errorf("%g must-links and %g cannot-links of ten labels", must, cannot)
	}
	if testing.Short() {
		t.Skip("many fits")
	}
	for _, labels := range []int{1, 5} {
		found := map[string]float64{}
		for draw := range uint64(3) {
			d := digits.KeepLabels(labels).Seed(draw + 1)
			for _, name := range append([]string{"LAE", "LLE"}, names...) {
				accuracy, err := mustFit(t, ssdrnb.New(name), d).Score(ssdrnb.NearestNeighbor, nil)
				if err != nil {
					t.Fatal(err)
				}
				found[name] += accuracy / 3
			}
		}
		t.Logf("%d labels: %v", labels, found)
		for _, name := range names {
			if least := max(found["LAE"], found["LLE"]) - 0.02; found[name] < least {
				t.Errorf("%s finds %.3f of the hidden labels with %d per class, less than %.3f", name, found[name], labels, least)
			}
		}
	}
}

// Any weight of unlabelled samples gives an embedding, with a warning if the solver stopped early.
func TestAnyUnlabelledWeight(t *testing.T) {
	if testing.Short() {
		t.Skip("many fits")
	}
	d := datasets.Digits().Take(60).KeepLabels(5).Seed(1)
	for _, name := range []string{"S2LAE", "S2LLE", "KS2LAE", "KS2LLE"} {
		for _, tau := range []float64{1e-4, 1, 1e4} {
			m, err := ssdrnb.New(name).With("unlabelled weight", tau).Fit(d)
			if err != nil {
				t.Errorf("%s, weight %g: %v", name, tau, err)
				continue
			}
			y := m.Embedding()
			var gram mat.Dense
			gram.Mul(y.T(), y)
			if !mat.EqualApprox(&gram, mat.NewDiagDense(2, []float64{1, 1}), 1e-6) {
				t.Errorf("%s, weight %g: YᵀY = %v", name, tau, mat.Formatted(&gram))
			}
			residual, _ := m.Report().Fact("residual")
			gap, _ := m.Report().Fact("eigengap")
			if residual > 1e-3*gap && len(m.Report().Warnings) == 0 {
				t.Errorf("%s, weight %g: a residual of %g where the eigengap is %g", name, tau, residual, gap)
			}
		}
	}
}

// With a tiny ridge, rounding errors of λ*B exceed the eigengap. A result that is not accurate
// comes with a warning.
func TestTinyRidge(t *testing.T) {
	if testing.Short() {
		t.Skip("large fits")
	}
	d := applied(blobsOf(200, 3, 5).WithPairs(data.Pairs{}), func(i, j int, v float64) float64 {
		if j == i%3 || j == i%3+1 {
			v -= 3 // overlapping classes
		}
		return v
	})
	d = d.WithLabels(d.Truth)
	for _, name := range []string{"S2LAE", "S2LLE"} {
		for _, ridge := range []float64{1e-12, 1e-3} {
			r := mustFit(t, ssdrnb.New(name).With("neighbors", 6).With("ridge", ridge), d).Report()
			residual, _ := r.Fact("residual")
			gap, _ := r.Fact("eigengap")
			accurate, warned := residual <= 1e-2*gap, len(r.Warnings) > 0
			if accurate == warned {
				t.Errorf("%s, ridge %g: residual %g, eigengap %g, warnings %q", name, ridge, residual, gap, r.Warnings)
			}
		}
	}
}

// TestConstraintDegenerate tests degenerate inputs of the method.
func TestConstraintDegenerate(t *testing.T) {
	d := labelledBlobs()
	one := d.WithLabels(make([]int, d.Len())) // one class: no cannot-link
	apart := make([]int, d.Len())
	for i := range apart {
		apart[i] = i // every sample is its own class: no must-links
	}
	each := d.WithLabels(apart)
	hidden := d.HideLabels()
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"numerator zero":    {fitErr(ssdrnb.S2LAE().Global(0), one), ssdrnb.ErrNeedsPairs},
		"denominator zero":  {fitErr(ssdrnb.S2LAE().Ridge(0), each), spectral.ErrUnbounded},
		"unbounded":         {fitErr(ssdrnb.S2LAE().Ridge(0).UnlabelledWeight(0), d), spectral.ErrUnbounded},
		"unbounded, option": {fitErr(ssdrnb.S2LAE().Ridge(0).UnlabelledWeight(0), d), ssdrnb.ErrOption},
		"unbounded, LLE":    {fitErr(ssdrnb.S2LLE().Ridge(0).UnlabelledWeight(0), d), spectral.ErrUnbounded},
		"no labels":         {fitErr(ssdrnb.S2LAE(), hidden), ssdrnb.ErrNeedsPairs},
		"n−1 dimensions":    {fitErr(ssdrnb.S2LAE().Dims(59), d), ssdrnb.ErrOption},
		"heat underflow":    {fitErr(ssdrnb.S2LAE().Affinity(ssdrnb.Heat).Width(1e-6), d), graph.ErrUnderflow},
		"isomap, apart":     {fitErr(ssdrnb.Isomap().Neighbors(2), d), graph.ErrDisconnected},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if err := fitErr(ssdrnb.S2LAE().Ridge(0).UnlabelledWeight(0), d); !strings.Contains(err.Error(), "components") {
		t.Errorf("the error does not count components: %v", err)
	}
	// Edges of unlabelled samples make the denominator positive without must-links and ridge.
	apartly := data.Pairs{Cannot: []data.Pair{{I: 0, J: 1}, {I: 3, J: 4}}}
	for _, b := range []*ssdrnb.S2LAEBuilder{ssdrnb.S2LAE(), ssdrnb.S2LAE().UnlabelledWeight(0.1), ssdrnb.S2LAE().Criterion(ssdrnb.RatioTrace)} {
		if err := fitErr(b.Ridge(0).Neighbors(30), hidden.WithPairs(apartly)); err != nil {
			t.Errorf("only cannot-links: %v", err)
		}
	}
	if err := fitErr(ssdrnb.S2LLE().Ridge(0), hidden.WithPairs(apartly)); err != nil {
		t.Errorf("S2LLE, only cannot-links: %v", err)
	}
	if err := fitErr(ssdrnb.S2LAE().Ridge(0).UnlabelledWeight(0.1).Neighbors(1), hidden.WithPairs(apartly)); !errors.Is(err, spectral.ErrUnbounded) || !strings.Contains(err.Error(), "must-links and neighbours form") {
		t.Errorf("edges in many components: %v", err)
	}
	warned := func(what string, m *ssdrnb.Model, part string) {
		t.Helper()
		for _, w := range m.Report().Warnings {
			if strings.Contains(w, part) {
				return
			}
		}
		t.Errorf("%s: no warning of %q in %q", what, part, m.Report().Warnings)
	}
	warned("no cannot-link", mustFit(t, ssdrnb.S2LAE().Spec(), one), "no cannot-link")
	warned("no must-link", mustFit(t, ssdrnb.S2LAE().Spec(), each), "no must-link")
	warned("no must-link, tied", mustFit(t, ssdrnb.S2LAE().Spec(), d.KeepLabels(1)), "only neighbours attract")
	warned("isolated", mustFit(t, ssdrnb.S2LAE().UnlabelledWeight(0).Spec(), d), "in no pair")
	for _, m := range []string{"LAE", "LLE"} {
		warned(m, mustFit(t, ssdrnb.New(m).With("neighbors", 2), d), "components")
	}
	parts := applied(d, func(i, _ int, v float64) float64 { return v + 1e3*float64(i%2) })
	for name, want := range map[string]string{"LTSA": "separate the components", "HLLE": "separate the components", "SSML": "do not relate"} {
		warned(name, mustFit(t, ssdrnb.New(name).With("neighbors", 6), parts), want)
	}
	warned("isomap", mustFit(t, ssdrnb.Isomap().Neighbors(2).Disconnected(ssdrnb.Join).Spec(), d), "joined")
	far := data.Pairs{Must: []data.Pair{{I: 0, J: 1}, {I: 3, J: 9}}, Cannot: []data.Pair{{I: 4, J: 5}}}
	warned("far must-links", mustFit(t, ssdrnb.S2LLE().Neighbors(1).Spec(), d.WithPairs(far)), "not neighbours")
}

func fitErr(e ssdrnb.Estimator, d *data.Data) error {
	_, err := e.Spec().Fit(d)
	return err
}

// TestOneClass: without cannot-link pairs the embedding of S2LAE equals that of the plain Laplacian
// of the must-link graph, and λ* = ℓd/(Σ of its eigenvalues 2 to d+1 + dμ). The embedding of S2LLE
// equals that of LLE.
func TestOneClass(t *testing.T) {
	d := blobs(3, 5)
	d = d.WithPairs(data.Pairs{}).WithLabels(make([]int, d.Len()))
	nb, err := graph.Search(context.Background(), d.X, 12, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	w, err := nb.Graph(graph.Or, graph.Binary())
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := spectral.LaplacianBottom(context.Background(), w, 2, spectral.Plain, spectral.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := mustFit(t, ssdrnb.S2LAE().Global(0.3).Ridge(0.01).Spec(), d)
	want := 0.3 * 2 / (pairs.Values[0] + pairs.Values[1] + 2*0.01)
	if got := fact(t, m, "λ*"); math.Abs(got-want) > 1e-9*want {
		t.Errorf("λ* = %.12g, want %.12g", got, want)
	}
	sameShape(t, "Laplacian eigenmaps", pairs.Vectors, m.Embedding())
	sameShape(t, "LLE", mustFit(t, ssdrnb.LLE().Spec(), d).Embedding(), mustFit(t, ssdrnb.S2LLE().Spec(), d).Embedding())
	// The warning must be true of each method, criterion and kind of embedding.
	specs := []ssdrnb.Spec{ssdrnb.S2LAE().Linearized(true).Spec(), ssdrnb.S2LLE().Linearized(true).Spec()}
	for _, name := range constraintMethods {
		s := ssdrnb.New(name)
		specs = append(specs, s, s.With("criterion", ssdrnb.RatioTrace))
	}
	for _, s := range specs {
		warnings := mustFit(t, s, d).Report().Warnings
		if !slices.Contains(warnings, "there are no cannot-link pairs: all samples are spread equally") {
			t.Errorf("%v: %q", s, warnings)
		}
	}
}

// TestDigitsScores: with 15 samples of each digit, all labelled, the scores agree with the
// reference program of the method's notes.
func TestDigitsScores(t *testing.T) {
	all := datasets.Digits()
	var rows []int
	count := map[int]int{}
	for i, c := range all.Truth {
		if count[c]++; count[c] <= 15 {
			rows = append(rows, i)
		}
	}
	d := all.Subset(rows)
	x := mat.DenseCopyOf(d.X)
	if mat.Max(x) > 1 {
		x.Scale(1/16.0, x)
	}
	d = data.New(x, d.Truth)
	for name, want := range map[string]struct{ lambda, ac, nmi float64 }{
		"S2LAE": {20867.2, 0.893, 0.940},
		"S2LLE": {20933.2, 0.893, 0.923},
	} {
		m := mustFit(t, ssdrnb.New(name).With("neighbors", 30), d)
		if got := fact(t, m, "λ*"); math.Abs(got-want.lambda) > 0.05 {
			t.Errorf("%s: λ* = %.1f, want %.1f", name, got, want.lambda)
		}
		if name == "S2LAE" && fact(t, m, "must-link components") != 11 {
			t.Errorf("%s: %g must-link components, want 11", name, fact(t, m, "must-link components"))
		}
		s, err := metrics.ScoreClusters(context.Background(), m.Embedding(), d.Truth, 1, metrics.KMeansOptions{Starts: 10, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		// The runs of k-means differ, so the scores agree only approximately.
		if math.Abs(s.MeanByScore.AC-want.ac) > 0.03 || math.Abs(s.MeanByScore.NMI-want.nmi) > 0.03 {
			t.Errorf("%s: AC %.3f, NMI %.3f, want %.3f, %.3f", name, s.MeanByScore.AC, s.MeanByScore.NMI, want.ac, want.nmi)
		}
	}
}

// TestVariantsSaved: maps of new points survive saving with non-default options, and new points are
// placed near their neighbours.
func TestVariantsSaved(t *testing.T) {
	d := labelledBlobs()
	for _, s := range []ssdrnb.Spec{
		ssdrnb.LAE().Affinity(ssdrnb.SelfTuning).Spec(), ssdrnb.LAE().Affinity(ssdrnb.Binary).Spec(),
		ssdrnb.Isomap().Neighbors(2).Disconnected(ssdrnb.Join).Spec(), ssdrnb.LTSA().IncludeSelf(false).Spec(),
		ssdrnb.S2LAE().Linearized(true).Spec(), ssdrnb.KS2LLE().Kernel(ssdrnb.Polynomial).Proportion(0.9).UnlabelledWeight(0.1).Global(1).Spec(),
		ssdrnb.KS2LAE().Scale(0.01).Global(1).UnlabelledWeight(0.1).Spec(), ssdrnb.SSLLE().Confidence(5).Spec(),
		ssdrnb.MMP().Center(false).Spec(),
	} {
		m, err := s.Fit(d)
		if err != nil {
			t.Errorf("%v: %v", s, err)
			continue
		}
		back := reloaded(t, m)
		a, err := m.Transform(d.X)
		if err != nil {
			t.Fatal(err)
		}
		b, err := back.Transform(d.X)
		if err != nil || !mat.Equal(a, b) {
			t.Errorf("%v: other coordinates after Load: %v", s, err)
		}
		if err := data.CheckFinite(a); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// TestNewPoints: a training sample given as a new point is placed near its position.
func TestNewPoints(t *testing.T) {
	d := labelledBlobs()
	for name, tolerance := range map[string]float64{"LAE": 0.25, "LLE": 0.05, "LTSA": 0.15, "HLLE": 0.3, "Isomap": 1e-9,
		"S-Isomap": 1, "SLLE": 0.05, "SS-LLE": 0.05, "SS-LTSA": 0.15, "S2LLE": 0.3, "KS2LLE": 0.05} {
		s := ssdrnb.New(name)
		if _, ok := s.Method().Param("unlabelled weight"); ok {
			s = s.With("unlabelled weight", 0.1)
		}
		m := mustFit(t, s, d)
		y, err := m.Transform(d.X)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		diff.Sub(y, m.Embedding())
		_, c := spread(m.Embedding())
		if share := mat.Norm(&diff, 2) / c; share > tolerance {
			t.Errorf("%s: new points are off by %.2g of the spread", name, share)
		}
	}
}

// spread returns the mean of the rows and the norm of the deviations from it.
func spread(y *mat.Dense) (mean []float64, norm float64) {
	n, d := y.Dims()
	mean = make([]float64, d)
	for i := range n {
		for k, v := range y.RawRowView(i) {
			mean[k] += v / float64(n)
		}
	}
	for i := range n {
		for k, v := range y.RawRowView(i) {
			norm += (v - mean[k]) * (v - mean[k])
		}
	}
	return mean, math.Sqrt(norm)
}

// TestKernelUnderflow: pairs whose kernel nearly vanishes have no effect, and the report names
// them. If nothing else is left in the numerator, the fit returns an error.
func TestKernelUnderflow(t *testing.T) {
	d := labelledBlobs()
	told := func(m *ssdrnb.Model) bool {
		return slices.ContainsFunc(m.Report().Warnings, func(w string) bool { return strings.Contains(w, "nearly vanishes") })
	}
	for _, name := range []string{"KS2LAE", "KS2LLE"} {
		for _, n := range []int{d.Len(), 600} { // the second is above the limit of the dense solver
			d := d
			if n > d.Len() {
				d = blobsOf(n/3, 6, 21).WithPairs(data.Pairs{})
			}
			s := ssdrnb.New(name).With("scale", 1e-2)
			if !told(mustFit(t, s, d)) {
				t.Errorf("%s, %d samples: no warning", name, n)
			}
			if m := mustFit(t, ssdrnb.New(name), d); told(m) {
				t.Errorf("%s, %d samples, automatic scale: %q", name, n, m.Report().Warnings)
			}
			if err := fitErr(s.With("global", 0.0), d); !errors.Is(err, ssdrnb.ErrOption) {
				t.Errorf("%s, %d samples, no numerator: %v", name, n, err)
			}
		}
	}
}

// TestPolynomialRank: the report warns if the neighbours by a polynomial kernel are approximate.
func TestPolynomialRank(t *testing.T) {
	if testing.Short() {
		t.Skip("large fits")
	}
	for degree, want := range map[int]bool{1: false, 5: true} { // ranks of at most 13 and above 1000
		d := blobsOf(350, 12, 1).WithPairs(data.Pairs{})
		m := mustFit(t, ssdrnb.KS2LAE().Kernel(ssdrnb.Polynomial).Degree(degree).Scale(20).UnlabelledWeight(0.1).Spec(), d.WithLabels(d.Truth))
		if got := slices.ContainsFunc(m.Report().Warnings, func(w string) bool { return strings.Contains(w, "at rank 1000") }); got != want {
			t.Errorf("degree %d: %q", degree, m.Report().Warnings)
		}
	}
}
