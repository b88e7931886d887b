package ssdrnb

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/margins"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// mustFit fits or fails the test.
func mustFit(t *testing.T, e Estimator, d *Data) *Model {
	t.Helper()
	m, err := e.Spec().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sameMap checks that two models have the same embedding up to signs and scale, and eigenvalues
// with the given quotient.
func sameMap(t *testing.T, what string, a, b *Model, quotient float64) {
	t.Helper()
	va, vb := a.Values(), b.Values()
	for k := range va {
		if math.Abs(va[k]-quotient*vb[k]) > 1e-9*math.Abs(va[0])+1e-9*math.Abs(va[k]) {
			t.Errorf("%s: eigenvalue %d is %v, want %v·%v", what, k, va[k], quotient, vb[k])
		}
	}
	_, d := a.Embedding().Dims()
	for k := range d {
		x, y := mat.Col(nil, k, a.Embedding()), mat.Col(nil, k, b.Embedding())
		xy, xx, yy := 0.0, 0.0, 0.0
		for i := range x {
			xy, xx, yy = xy+x[i]*y[i], xx+x[i]*x[i], yy+y[i]*y[i]
		}
		if xy*xy < (1-1e-9)*xx*yy {
			t.Errorf("%s: dimension %d has cosine² %v", what, k, xy*xy/xx/yy)
		}
	}
}

// even returns data with equally many samples of each class, all labelled, in general position.
func even() *Data {
	d := datasets.Iris().Take(12).Seed(2)
	x := mat.DenseCopyOf(d.X)
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range d.Len() {
		for k := range d.Dim() {
			x.Set(i, k, x.At(i, k)+0.01*rng.NormFloat64())
		}
	}
	out := *d
	out.X = x
	return &out
}

// The framework of Section 4.1: with all samples labelled, neighbourhoods of all samples and γ = ½,
// each margin reduces to the method that it comes from.
func TestMarginsAreTheirMethods(t *testing.T) {
	d, all := even(), 1000
	start := S3RMM().Dims(3).Homogeneous(all).Heterogeneous(all)
	sameMap(t, "MMC", mustFit(t, start.Discrepancy(ScatterMargin), d), mustFit(t, MMC().Dims(3), d), 0.5)
	sameMap(t, "ANMM", mustFit(t, start.Discrepancy(AverageMargin), d), mustFit(t, ANMM().Dims(3).Homogeneous(all).Heterogeneous(all), d), 0.25)
	sameMap(t, "DLA", mustFit(t, start.Discrepancy(AlignmentMargin).Beta(0.3), d), mustFit(t, DLA().Dims(3).Beta(0.3).Homogeneous(all).Heterogeneous(all), d), 0.25)
}

func TestMethodsReduce(t *testing.T) {
	d := even()
	sameMap(t, "SDLA of weight 0", mustFit(t, SDLA().PatchWeight(0), d), mustFit(t, DLA(), d), 1)
	// A margin degree that is nearly equal for all patches is only a scale factor.
	far := mustFit(t, DLA().Radius(1e6), d)
	foes := 24.0
	sameMap(t, "DLA of a huge radius", far, mustFit(t, DLA(), d), math.Exp(-1/(foes+1)))
	sameMap(t, "SSDA without unlabelled samples", mustFit(t, SSDA(), d), mustFit(t, LDA(), d), 1)
	half := datasets.Iris().KeepLabels(10).Seed(4)
	sameMap(t, "SSLDA", mustFit(t, SSLDA().PCA(1), half), mustFit(t, SDA().Neighbors(5).Affinity(Binary).Ridge(0), half), 1)
	sameMap(t, "linear kernel", mustFit(t, KS3RMM().Kernel(LinearKernel).Cut(0), half), mustFit(t, S3RMM(), half), 1)
}

// Appendix A: the local tensors of SRDA are locally null, and their margin is that of eq. 12 times
// |Ň|/Σ d⁻².
func TestLocalTensor(t *testing.T) {
	same, other := []float64{0.5, 1.5, 2}, []float64{1, 3}
	pull, push := riemann.LocalTensor(same, other)
	nullity, inverse := 0.0, 0.0
	for k, d := range same {
		nullity += pull[k] * d * d
	}
	for k, d := range other {
		nullity += push[k] * d * d
		inverse += 1 / (d * d)
	}
	if math.Abs(nullity) > 1e-14 {
		t.Errorf("nullity %g", nullity)
	}
	for k, d := range same {
		if want := -2 / inverse / (3 * d * d); math.Abs(pull[k]-want) > 1e-15 {
			t.Errorf("pull %d: %v, want %v", k, pull[k], want)
		}
	}
	for k, d := range other {
		if want := 2 / inverse / (2 * d * d); math.Abs(push[k]-want) > 1e-15 {
			t.Errorf("push %d: %v, want %v", k, push[k], want)
		}
	}
}

// The tensors are the minimisers of eqs. 8 and 10: nullity holds, and the gradient of the free part
// is parallel to d.
func TestTensorsAreOptimal(t *testing.T) {
	for name, d := range map[string]*Data{
		"iris": datasets.Iris().Take(20).KeepLabels(3).Seed(1),
		// Without a neighbour of the same class eq. 9 as published violates nullity.
		"one label per class": datasets.Iris().Take(20).KeepLabels(1).Seed(1),
	} {
		_, l := startLearner(t, S3RMM(), d)
		l.Meet()
		n := d.Len()
		dense := l.Laplacian.Dense()
		check := func(i int, gradient, free []float64) {
			gd, dd, most := 0.0, 0.0, 0.0
			for k, v := range gradient {
				gd, dd, most = gd+v*free[k], dd+free[k]*free[k], max(most, math.Abs(v))
			}
			for k, v := range gradient {
				if rest := v - gd/dd*free[k]; math.Abs(rest) > 1e-11*max(most, 1) {
					t.Fatalf("%s: the gradient of tensor %d leaves %g of %g", name, i, rest, most)
				}
			}
		}
		block, err := l.LabelledTensors()
		if err != nil {
			t.Fatal(err)
		}
		g, err := block(0, len(l.Labelled))
		if err != nil {
			t.Fatal(err)
		}
		for c, i := range l.Labelled {
			column := mat.Col(nil, c, g)
			if v := l.Nullity(i, column); v > 1e-10 {
				t.Errorf("%s: nullity of labelled %d is %g", name, i, v)
			}
			var gradient, free []float64
			for _, u := range l.Unlabelled {
				v := l.LambdaL * column[u]
				for k := range n {
					v += dense.At(u, k) * column[k]
				}
				gradient, free = append(gradient, v), append(free, l.Row(i)[u]*l.Row(i)[u])
			}
			check(i, gradient, free)
		}
		l.Propagate(0, g)
		l.Extend()
		if block, err = l.UnlabelledTensors(); err != nil {
			t.Fatal(err)
		}
		if g, err = block(0, len(l.Unlabelled)); err != nil {
			t.Fatal(err)
		}
		initial := mat.NewDense(n, len(l.Unlabelled), nil)
		for c, u := range l.Unlabelled {
			l.Initial(initial, c, u)
			column := mat.Col(nil, c, g)
			if v := l.Nullity(u, column); v > 1e-10 {
				t.Errorf("%s: nullity of unlabelled %d is %g", name, u, v)
			}
			gradient, free := make([]float64, n), make([]float64, n)
			for k := range n {
				gradient[k] = l.LambdaU * (column[k] - initial.At(k, c))
				for j := range n {
					gradient[k] += dense.At(k, j) * column[j]
				}
				free[k] = l.Row(u)[k] * l.Row(u)[k]
			}
			check(u, gradient, free)
		}
	}
}

// Eq. 9 as published is exact if every labelled sample has neighbours of both kinds, and violates
// nullity with one label per class.
func TestNullityAsPrinted(t *testing.T) {
	nullity := func(b *S3RMMBuilder, perClass int) (float64, *Model) {
		m := mustFit(t, b, even().KeepLabels(perClass).Seed(1))
		v, found := m.Report().Fact("nullity")
		if !found {
			t.Fatal("no nullity is reported")
		}
		return v, m
	}
	for _, perClass := range []int{1, 3} {
		exact, a := nullity(S3RMM(), perClass)
		printed, b := nullity(S3RMM().With("nullity", "as printed"), perClass)
		if exact > 1e-10 {
			t.Errorf("%d labels per class: nullity %g", perClass, exact)
		}
		if perClass == 1 && printed < 0.1 {
			t.Errorf("one label per class, as printed: nullity %g", printed)
		}
		if perClass == 3 {
			sameMap(t, "eq. 9 as printed", b, a, 1)
		}
	}
}

// Appendix B: without affinities G_UL = 0, nothing is propagated and g = g̃.
func TestNoAffinity(t *testing.T) {
	d := even().KeepLabels(4).Seed(1)
	_, l := startLearner(t, S3RMM().Width(2e-12), d)
	l.Meet()
	block, err := l.LabelledTensors()
	if err != nil {
		t.Fatal(err)
	}
	g, err := block(0, len(l.Labelled))
	if err != nil {
		t.Fatal(err)
	}
	scale := max(mat.Max(g), -mat.Min(g))
	for c := range l.Labelled {
		for _, u := range l.Unlabelled {
			if math.Abs(g.At(u, c)) > 1e-12*scale {
				t.Fatalf("G_UL has %g", g.At(u, c))
			}
		}
	}
	l.Propagate(0, g)
	for _, u := range l.Unlabelled {
		if len(l.Same[u])+len(l.Other[u]) > 0 {
			t.Fatalf("something was propagated to %d", u)
		}
	}
	l.Extend()
	if block, err = l.UnlabelledTensors(); err != nil {
		t.Fatal(err)
	}
	if g, err = block(0, len(l.Unlabelled)); err != nil {
		t.Fatal(err)
	}
	initial := mat.NewDense(d.Len(), len(l.Unlabelled), nil)
	for c, u := range l.Unlabelled {
		l.Initial(initial, c, u)
	}
	if !mat.EqualApprox(g, initial, 1e-12*mat.Norm(initial, 2)) {
		t.Error("tensors differ from the initial ones")
	}
}

// Eigenvalues do not change with the scale of the samples: G scales with 1/s².
func TestMetricScale(t *testing.T) {
	d := datasets.Wine().Standardize().Take(30).KeepLabels(4).Seed(3)
	wide := *d
	wide.X = mat.DenseCopyOf(d.X)
	wide.X.Scale(37, wide.X)
	sameMap(t, "samples times 37", mustFit(t, S3RMM().Dims(4), &wide), mustFit(t, S3RMM().Dims(4), d), 1)
}

// Section 4.3: pairs have all the information that the method takes from labels.
func TestMetricFromPairs(t *testing.T) {
	d := datasets.Wine().Standardize().Take(30).KeepLabels(4).Seed(5)
	var pairs Pairs
	for i, a := range d.Labels {
		for k := i + 1; k < d.Len(); k++ {
			switch b := d.Labels[k]; {
			case a < 0 || b < 0:
			case a == b:
				pairs.Must = append(pairs.Must, Pair{I: k, J: i}, Pair{I: i, J: k})
			default:
				pairs.Cannot = append(pairs.Cannot, Pair{I: k, J: i})
			}
		}
	}
	a, b := mustFit(t, S3RMM(), d), mustFit(t, S3RMM(), d.HideLabels().WithPairs(pairs))
	if !mat.Equal(a.Embedding(), b.Embedding()) {
		t.Error("pairs of all labels give another embedding than the labels")
	}
	// A single pair is enough.
	one := d.HideLabels().WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}}})
	mustFit(t, S3RMM(), one)
}

func TestMetricDegenerate(t *testing.T) {
	d := datasets.Iris().Take(20).KeepLabels(4).Seed(1)
	one := slices.Clone(d.Labels)
	for i, l := range one {
		if l != 0 {
			one[i] = data.Unlabelled
		}
	}
	warned := func(m *Model) bool { return len(m.Report().Warnings) > 0 }
	if m := mustFit(t, S3RMM(), d.WithLabels(one)); !warned(m) {
		t.Error("no warning of a single class")
	}
	if _, err := S3RMM().Fit(d.HideLabels()); !errors.Is(err, ErrNeedsPairs) {
		t.Errorf("nothing known: %v", err)
	}
	full := mustFit(t, S3RMM(), d.WithLabels(d.Truth))
	if _, err := full.Suggest(3); !errors.Is(err, ErrNoSuggestion) {
		t.Errorf("everything labelled: %v", err)
	}
	if m := mustFit(t, S3RMM().Heterogeneous(5000).Homogeneous(5000), d); warned(m) != warned(mustFit(t, S3RMM(), d)) {
		t.Error("large neighbourhoods are clamped without a word")
	}
	// Copies of a labelled sample are not neighbours of any sample.
	x := mat.NewDense(d.Len()+3, d.Dim(), nil)
	labels := make([]int, d.Len()+3)
	for i := range labels {
		from := i
		if i >= d.Len() {
			from = slices.Index(d.Labels, 0)
		}
		x.SetRow(i, d.X.RawRowView(from))
		labels[i] = d.Labels[from]
	}
	for i := d.Len() + 1; i < len(labels); i++ {
		labels[i] = data.Unlabelled
	}
	copied := NewData(x, labels)
	_, l := startLearner(t, S3RMM(), copied)
	if _, _, err := l.Learn(func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	for i := range labels {
		for _, k := range append(slices.Clone(l.Same[i]), l.Other[i]...) {
			if l.Row(i)[k] == 0 {
				t.Errorf("samples %d and %d are copies and neighbours", i, k)
			}
		}
	}
	if _, err := l.Geometry.Laplacian.Select([]int{0}, []int{0}); err != nil || l.Affinity.At(d.Len()+1, d.Len()+2) != 1 {
		t.Error("the edge between copies is missing in the affinity")
	}
}

// Components whose weight is 0 do not belong to the metric: the graph and the share of nonzeros
// leave them out. If all have the weight 0, there is nothing to maximise, and the fit fails.
func TestMetricWithoutWeight(t *testing.T) {
	d := datasets.Wine().Standardize().Take(30).KeepLabels(4).Seed(3)
	for _, e := range []*S3RMMBuilder{S3RMM().Gamma(0), S3RMM().Gamma(1), S3RMM().Alpha1(0), S3RMM().Alpha2(0), S3RMM()} {
		m := mustFit(t, e, d)
		g := m.Graph()
		share, ok := m.Report().Fact("share of nonzeros")
		if n := float64(d.Len()); !ok || share != float64(g.NNZ())/n/n {
			t.Errorf("%v: a share of %v for %d components", m.Spec(), share, g.NNZ())
		}
		if k := slices.Index(g.Val, 0); k >= 0 {
			t.Errorf("%v: component %d of the graph is 0", m.Spec(), k)
		}
	}
	first := d.KeepLabels(1) // no components between labelled samples of the same class
	for _, e := range []Estimator{S3RMM().Gamma(1).Alpha1(0).Alpha2(0), KS3RMM().Gamma(1).Alpha1(0).Alpha2(0)} {
		if _, err := e.Spec().Fit(first); !errors.Is(err, ErrOption) {
			t.Errorf("%v: %v", e.Spec(), err)
		}
	}
	// α₁ and α₂ have no effect between labelled samples.
	three := d.Subset([]int{0, 10, 20})
	three = three.WithLabels([]int{0, 1, 2})
	for gamma, d := range map[float64]*Data{1: three, 0: three.WithLabels([]int{0, 0, 0})} {
		e := S3RMM().Neighbors(1)
		var fault *Error
		if _, err := e.Gamma(gamma).Fit(d); !errors.As(err, &fault) || fault.Remedy != "move Gamma away from 0 and 1" {
			t.Errorf("gamma %g, all samples labelled: %v", gamma, err)
		}
		mustFit(t, e.Gamma(0.5), d)
	}
}

// The queue finds the same suggestions as a scan of all samples in every round.
func TestSuggestIsGreedy(t *testing.T) {
	d := datasets.Wine().Standardize().Take(15).KeepLabels(2).Seed(2)
	_, l := startLearner(t, S3RMM(), d)
	columns, _, err := l.Learn(func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	doubts := l.Doubts(columns)
	got := l.Suggest(doubts)
	known := slices.Clone(l.Labelled)
	for round, u := range got {
		cost := func(extra int) float64 {
			sum := 0.0
			for v := range d.Len() {
				nearest := math.Inf(1)
				for _, i := range append(slices.Clone(known), extra) {
					nearest = min(nearest, l.Row(i)[v])
				}
				sum += (1 + max(doubts[v], 0)) * nearest * nearest
			}
			return sum
		}
		least := math.Inf(1)
		for _, v := range l.Unlabelled {
			if !slices.Contains(known, v) {
				least = min(least, cost(v))
			}
		}
		if c := cost(u); c > least*(1+1e-12)+1e-9 {
			t.Fatalf("round %d: cost %v, the best is %v", round, c, least)
		}
		known = append(known, u)
	}
	if len(got) != len(l.Unlabelled) {
		t.Errorf("%d of %d are ranked", len(got), len(l.Unlabelled))
	}
}

// Best paths in the tree equal those of the complete graph.
func TestBestPaths(t *testing.T) {
	d := even()
	n := d.Len()
	nb, err := graph.Search(context.Background(), d.X, 4, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	const width = 0.7
	logs := discriminant.Robustness(nb, width)
	tree, err := discriminant.RobustTree(context.Background(), d.X, logs, width)
	if err != nil {
		t.Fatal(err)
	}
	s := mat.NewDense(n, n, nil)
	most := 0.0
	for i := range n {
		_, dist := nb.Of(i)
		sum := 0.0
		for _, v := range dist {
			sum += math.Exp(-v * v / width)
		}
		most = max(most, sum)
		s.Set(i, i, sum)
	}
	for i := range n {
		if a := s.At(i, i) / most; math.Abs(a-math.Exp(logs[i])) > 1e-14 {
			t.Errorf("robustness of %d is %v, want %v", i, math.Exp(logs[i]), a)
		}
		s.Set(i, i, 1)
		for k := range n {
			if k != i {
				s.Set(i, k, math.Exp(logs[i]+logs[k]-samples.SquaredDistance(d.X.RawRowView(i), d.X.RawRowView(k))/width))
			}
		}
	}
	for m := range n {
		for i := range n {
			for k := range n {
				s.Set(i, k, max(s.At(i, k), min(s.At(i, m), s.At(m, k))))
			}
		}
	}
	similarity := make([][]float64, n)
	for i := range n {
		similarity[i] = discriminant.PathSimilarities(tree, i)
		for k, v := range similarity[i] {
			if math.Abs(v-s.At(i, k)) > 1e-14 {
				t.Fatalf("best path from %d to %d: %v, want %v", i, k, v, s.At(i, k))
			}
		}
	}
	// S_u, term by term.
	semi := d.KeepLabels(3).Seed(2)
	got := discriminant.UnlabelledScatter(d.X, semi.Labels, semi.Classes(), tree)
	want := mat.NewSymDense(d.Dim(), nil)
	for _, class := range semi.Classes() {
		mean := mat.NewVecDense(d.Dim(), nil)
		for i, l := range semi.Labels {
			if l == class {
				mean.AddScaledVec(mean, 1.0/3, d.X.RowView(i))
			}
		}
		for u, l := range semi.Labels {
			if l != data.Unlabelled {
				continue
			}
			weight := 0.0
			for i, k := range semi.Labels {
				if k == class {
					weight += similarity[i][u] / 3
				}
			}
			diff := mat.NewVecDense(d.Dim(), nil)
			diff.SubVec(d.X.RowView(u), mean)
			want.SymRankOne(want, weight, diff)
		}
	}
	if !mat.EqualApprox(got, want, 1e-11*mat.Norm(want, 2)) {
		t.Error("the scatter of unlabelled samples differs from its sum")
	}
}

// alignment sums over pairs: a pair in both orders counts twice, in binaryAlignment once.
func TestAlignment(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0, 1, 3})
	pairs := []sparse.Triplet{{Row: 0, Col: 1, Value: 2}, {Row: 1, Col: 0, Value: 2}, {Row: 2, Col: 0, Value: -1}}
	l, err := margins.Alignment(3, pairs)
	if err != nil {
		t.Fatal(err)
	}
	if got := dense.Quadratic(l, x).At(0, 0); got != 2+2-9 {
		t.Errorf("Σ is %v", got)
	}
	if l, err = margins.BinaryAlignment(3, pairs); err != nil {
		t.Fatal(err)
	}
	if got := dense.Quadratic(l, x).At(0, 0); got != 1+9 {
		t.Errorf("Σ of single pairs is %v", got)
	}
}

// Among equal samples those with lower indices come first as neighbours.
func TestTiesOfEqualSamplesGoToTheLowerIndex(t *testing.T) {
	d := datasets.Iris().Take(20)
	n, features := d.Len(), d.Dim()
	x, labels := mat.NewDense(3*n, features, nil), make([]int, 3*n)
	for i := range 3 * n {
		x.SetRow(i, d.X.RawRowView(i%n))
		labels[i] = data.Unlabelled
		if i%n%3 == 0 {
			labels[i] = d.Truth[i%n]
		}
	}
	_, l := startLearner(t, S3RMM().Homogeneous(4).Heterogeneous(4), NewData(x, labels))
	l.Meet()
	l.Extend()
	spot := map[[4]float64]int{} // the position of each row, as Iris itself has equal rows
	at := make([]int, 3*n)
	for i := range at {
		key := [4]float64(x.RawRowView(i))
		if _, ok := spot[key]; !ok {
			spot[key] = len(spot)
		}
		at[i] = spot[key]
	}
	for i := range 3 * n {
		for _, set := range [][]int{l.Same[i], l.Other[i]} {
			for _, k := range set {
				for first := range k {
					if at[first] == at[k] && !slices.Contains(set, first) && l.IsLabelled[first] == l.IsLabelled[k] {
						t.Fatalf("sample %d has %d in its neighbourhood and not %d, which is equal", i, k, first)
					}
				}
			}
		}
	}
}
