package ssdrnb_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// chains are pairs of chained methods, which have no builder of their own.
var chains = []*ssdrnb.Method{
	ssdrnb.Then(ssdrnb.PCA(), ssdrnb.TSNE()).Method(),
	ssdrnb.Then(ssdrnb.TRSDA(), ssdrnb.S2NE()).Method(),
	ssdrnb.Then(ssdrnb.KLDA(), ssdrnb.LAE()).Method(),
}

// One suite runs over every method of the registry.
func TestConformance(t *testing.T) {
	for _, m := range append(ssdrnb.Methods(), chains...) {
		t.Run(m.Name, func(t *testing.T) {
			labelsPerClass = 8
			if m.Func == "NLDA" { // with 6 labelled samples S_w has a null space in 6 dimensions
				labelsPerClass = 2
			}
			for name, check := range conformance {
				t.Run(name, func(t *testing.T) {
					// The race detector makes each check ten times slower, so only the checks with
					// concurrency run.
					if testing.Short() && !slices.Contains([]string{"shapes", "deterministic", "cancel"}, name) {
						t.Skip("left out for the sake of time")
					}
					if name != "deterministic" { // it sets GOMAXPROCS; the others wait for it
						t.Parallel()
					}
					check(t, m)
				})
			}
		})
	}
}

var conformance = map[string]func(*testing.T, *ssdrnb.Method){
	"described":      testDescribed,
	"builder":        testBuilder,
	"shapes":         testShapes,
	"deterministic":  testDeterministic,
	"inputs":         testInputsUntouched,
	"truth unread":   testTruthUnread,
	"permutation":    testPermutation,
	"rotation":       testRotation,
	"units":          testUnits,
	"duplicates":     testDuplicates,
	"constant":       testConstantFeatures,
	"more features":  testMoreFeatures,
	"two samples":    testFewSamples,
	"bad input":      testBadInput,
	"bad options":    testBadOptions,
	"cancel":         testCancel,
	"transform":      testTransform,
	"path":           testPath,
	"save and load":  testSaveLoad,
	"orthonormality": testOrthonormal,
	"metrics":        testMetrics,
	"pairs":          testPairs,
	"distances":      testDistances,
	"neighbours":     testNeighbors,
	"sparse rows":    testSparseRows,
}

// labelsPerClass is the number of labels that blobs keeps per class.
var labelsPerClass = 8

// blobs are three Gaussian clouds in D dimensions, 20 samples and 8 labels each.
func blobs(features int, seed uint64) *data.Data { return blobsOf(20, features, seed) }

// blobsOf are blobs of other sizes.
func blobsOf(per, features int, seed uint64) *data.Data {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(3*per, features, nil)
	labels := make([]int, 3*per)
	for i := range labels {
		labels[i] = i % 3
		for j := range features {
			center := 0.0
			if j == labels[i] || j == labels[i]+1 {
				center = 4
			}
			x.Set(i, j, center+rng.NormFloat64()*(1+0.3*float64(j)))
		}
	}
	d := data.New(x, labels).KeepLabels(labelsPerClass).Seed(seed)
	var pairs data.Pairs
	for i := range 12 {
		pairs.Must = append(pairs.Must, data.Pair{I: i, J: i + 3})
		pairs.Cannot = append(pairs.Cannot, data.Pair{I: i, J: i + 1})
	}
	d = d.WithPairs(pairs)
	d.Name = "blobs"
	return d
}

func fit(t *testing.T, m *ssdrnb.Method, d *data.Data) *ssdrnb.Model {
	t.Helper()
	model, err := ssdrnb.New(m.Name).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func testDescribed(t *testing.T, m *ssdrnb.Method) {
	for what, s := range map[string]string{"Func": m.Func, "Title": m.Title, "Paper": m.Paper,
		"Supervision": string(m.Supervision), "Shape": string(m.Shape), "Uses": string(m.Uses)} {
		if s == "" {
			t.Errorf("%s is empty", what)
		}
	}
	for _, p := range m.Params {
		if p.Doc == "" {
			t.Errorf("option %s lacks a sentence", p.Name)
		}
		if s := ssdrnb.New(m.Name).With(p.Name, p.Default); s.Err() != nil {
			t.Errorf("default of %s: %v", p.Name, s.Err())
		}
	}
}

// testBuilder checks that the typed builder has a setter for each option, which sets it, returns
// the same type, and does not change its receiver.
func testBuilder(t *testing.T, m *ssdrnb.Method) {
	if slices.Contains(chains, m) {
		return
	}
	b := builders[m.Func]
	v := reflect.ValueOf(b)
	for _, p := range m.Params {
		if p.Setter == "" {
			continue
		}
		setter := v.MethodByName(p.Setter)
		if !setter.IsValid() {
			t.Errorf("no setter %s for %s", p.Setter, p.Name)
			continue
		}
		value := other(p)
		out := setter.Call([]reflect.Value{reflect.ValueOf(value).Convert(setter.Type().In(0))})[0]
		if out.Type() != v.Type() {
			t.Errorf("%s returns %v, not %v", p.Setter, out.Type(), v.Type())
			continue
		}
		if got := out.Interface().(ssdrnb.Estimator).Spec(); got.Value(p.Name) != value || got.Err() != nil {
			t.Errorf("%s(%v): got %v, err %v", p.Setter, value, got.Value(p.Name), got.Err())
		}
		if got := b.(ssdrnb.Estimator).Spec().Value(p.Name); got != p.Default {
			t.Errorf("%s changed the builder that it was called on: %v", p.Setter, got)
		}
	}
}

// other returns an allowed value that differs from the default.
func other(p ssdrnb.Param) any {
	switch p.Kind {
	case ssdrnb.BoolParam:
		return !p.Default.(bool)
	case ssdrnb.ChoiceParam:
		return p.Choices[len(p.Choices)-1-slices.Index(p.Choices, p.Default.(string))/len(p.Choices)]
	case ssdrnb.IntParam:
		return max(p.Default.(int)+1, int(p.Min))
	}
	if f := p.Default.(float64); f > 0 && f/2 >= p.Min {
		return f / 2
	}
	return p.Min + 0.5
}

// dimsOf is the number of dimensions that m gives the blobs: two by default, and one
// per class for a regression onto class indicators, which has no option for it.
func dimsOf(m *ssdrnb.Method) int {
	if _, ok := m.Param("dims"); ok {
		return 2
	}
	return 3
}

func testShapes(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 1)
	model := fit(t, m, d)
	n, k := model.Embedding().Dims()
	if want := dimsOf(m); n != d.Len() || k != want || model.Dims() != want {
		t.Errorf("embedding is %d×%d, want %d×%d", n, k, d.Len(), want)
	}
	if v := model.Values(); v != nil && len(v) != k {
		t.Errorf("%d values for %d dimensions", len(v), k)
	}
	if err := data.CheckFinite(model.Embedding()); err != nil {
		t.Error(err)
	}
	if r := model.Report(); r.Samples != d.Len() || len(r.Stages) == 0 || r.Engine == "" {
		t.Errorf("report incomplete: %+v", r)
	}
	if m.Shape == ssdrnb.Linear {
		w, mean, err := model.Projection()
		if err != nil {
			t.Fatal(err)
		}
		if r, c := w.Dims(); r != d.Dim() || c != k || len(mean) != d.Dim() {
			t.Errorf("projection is %d×%d, mean %d", r, c, len(mean))
		}
	}
}

func testDeterministic(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 2)
	first := fit(t, m, d).Embedding()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		if again := fit(t, m, d).Embedding(); !mat.Equal(first, again) {
			t.Errorf("GOMAXPROCS %d: another embedding", procs)
		}
	}
}

func testInputsUntouched(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 3)
	x, labels, pairs := mat.DenseCopyOf(d.X), slices.Clone(d.Labels), fmt.Sprint(d.Pairs)
	model := fit(t, m, d)
	if _, err := model.Transform(d.X); err != nil && !errors.Is(err, ssdrnb.ErrNoTransform) {
		t.Error(err)
	}
	if !mat.Equal(x, d.X) || !slices.Equal(labels, d.Labels) || pairs != fmt.Sprint(d.Pairs) {
		t.Error("the fit changed its input")
	}
}

func testTruthUnread(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 4)
	want := briefly(t, m, d)
	blind := *d
	blind.Truth = nil
	if got := briefly(t, m, &blind); !mat.Equal(want, got) {
		t.Error("the embedding depends on the hidden classes")
	}
}

// distances returns all pairwise distances of the rows of y.
func distances(y *mat.Dense) *mat.Dense {
	n, _ := y.Dims()
	out := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			sum := 0.0
			for k, v := range y.RawRowView(i) {
				sum += (v - y.At(j, k)) * (v - y.At(j, k))
			}
			out.Set(i, j, math.Sqrt(sum))
		}
	}
	return out
}

// sameShape compares two embeddings up to rotation, reflection and shift.
func sameShape(t *testing.T, what string, a, b *mat.Dense) {
	t.Helper()
	da, db := distances(a), distances(b)
	if scale := mat.Max(da); !mat.EqualApprox(da, db, 1e-6*scale) {
		t.Errorf("%s: distances in the embedding changed", what)
	}
}

// brief returns the method with the given numbers of rounds and steps, if it is iterative. An
// iteration of a layout is a pass over all samples and counts as a round.
func brief(m *ssdrnb.Method, rounds, steps int) ssdrnb.Spec {
	s := ssdrnb.New(m.Name)
	if !m.Descends {
		return s
	}
	for name, k := range map[string]int{"rounds": rounds, "steps": steps, "iterations": rounds, "early iterations": rounds} {
		if _, ok := m.Param(name); ok {
			s = s.With(name, k)
		}
	}
	return s
}

// briefly fits with so few steps that rounding errors cannot grow, if the method is iterative.
func briefly(t *testing.T, m *ssdrnb.Method, d *data.Data) *mat.Dense {
	t.Helper()
	model, err := brief(m, 2, 5).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	return model.Embedding()
}

func testPermutation(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 5)
	order := rand.New(rand.NewPCG(1, 2)).Perm(d.Len())
	if m.Random { // another draw of equal quality
		trust := func(m *ssdrnb.Method, d *data.Data) float64 {
			v, err := metrics.Trustworthiness(context.Background(), d.X, fit(t, m, d).Embedding(), 5)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		least := 0.85
		if first, _, chain := strings.Cut(m.Name, " then "); chain { // it sees only the first output
			least = min(least, trust(ssdrnb.New(first).Method(), d)-0.03)
		}
		if a, b := trust(m, d), trust(m, d.Subset(order)); a < least || math.Abs(a-b) > 0.05 {
			t.Errorf("rows permuted: trustworthiness %.3f, was %.3f", b, a)
		}
		return
	}
	want := briefly(t, m, d)
	got := briefly(t, m, d.Subset(order))
	back := mat.DenseCopyOf(got)
	for k, i := range order {
		back.SetRow(i, got.RawRowView(k))
	}
	sameShape(t, "rows permuted", want, back)
}

func testRotation(t *testing.T, m *ssdrnb.Method) {
	if m.Selects {
		t.Skip("depends on the axes")
	}
	d := blobs(6, 6)
	rng := rand.New(rand.NewPCG(7, 7))
	g := mat.NewDense(6, 6, nil)
	for i := range 6 {
		for j := range 6 {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q, x mat.Dense
	qr.QTo(&q)
	x.Mul(d.X, &q)
	for i := range d.Len() {
		for j := range 6 {
			x.Set(i, j, x.At(i, j)+10*float64(j))
		}
	}
	turned := *d
	turned.X = &x
	sameShape(t, "samples turned and shifted", briefly(t, m, d), briefly(t, m, &turned))
}

// unitful are the methods with a default in units of the data, according to their comments.
var unitful = []string{"SIsomap", "LapRLS", "FME", "LMRAG"}

// testUnits fits the data in units up to 2⁴⁸⁰ times smaller and larger: the embedding is the same
// up to its scale, or at least finite.
func testUnits(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 6)
	shape := func(y *mat.Dense) *mat.Dense {
		var out mat.Dense
		out.Scale(1/mat.Max(distances(y)), y)
		return &out
	}
	want := shape(briefly(t, m, d))
	for _, power := range []int{-480, -40, 40, 480} {
		var x mat.Dense
		x.Scale(math.Ldexp(1, power), d.X)
		other := *d
		other.X = &x
		got := briefly(t, m, &other)
		if !(mat.Norm(got, 2) > 0) || math.IsInf(mat.Norm(got, 2), 0) {
			t.Errorf("data times 2^%d: the embedding has the norm %g", power, mat.Norm(got, 2))
			continue
		}
		if !slices.Contains(unitful, m.Func) {
			sameShape(t, fmt.Sprintf("data times 2^%d", power), want, shape(got))
		}
	}
}

func testDuplicates(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 7)
	n := d.Len()
	x := mat.NewDense(2*n, 6, nil)
	labels := make([]int, 2*n)
	for i := range 2 * n {
		x.SetRow(i, d.X.RawRowView(i%n))
		labels[i] = d.Labels[i%n]
	}
	fit(t, m, data.New(x, labels).WithPairs(d.Pairs))
}

func testConstantFeatures(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 8)
	x := mat.NewDense(d.Len(), 8, nil)
	for i := range d.Len() {
		x.SetRow(i, append([]float64{3, 0}, d.X.RawRowView(i)...))
	}
	wide := *d
	wide.X = x
	sameShape(t, "constant features added", briefly(t, m, d), briefly(t, m, &wide))
}

func testMoreFeatures(t *testing.T, m *ssdrnb.Method) {
	if n, k := briefly(t, m, blobs(90, 9)).Dims(); n != 60 || k != dimsOf(m) {
		t.Errorf("embedding is %d×%d", n, k)
	}
}

// testFewSamples fits the smallest useful numbers of samples: an error must be typed, a model
// finite.
func testFewSamples(t *testing.T, m *ssdrnb.Method) {
	for n := 1; n <= 6; n++ {
		d := blobs(6, 10)
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		small := d.WithLabels(d.Truth).Subset(rows)
		spec := ssdrnb.New(m.Name)
		if _, ok := m.Param("dims"); ok {
			spec = spec.With("dims", 1)
		}
		if _, ok := m.Param("neighbors"); ok {
			spec = spec.With("neighbors", 1)
		}
		model, err := spec.Fit(small)
		if err != nil {
			wantTyped(t, m, fmt.Sprintf("%d samples", n), err)
			continue
		}
		if err := data.CheckFinite(model.Embedding()); err != nil {
			t.Errorf("%d samples: %v", n, err)
		}
	}
}

// wantTyped checks that err is an *Error that names the method, the place of the fault and a
// remedy.
func wantTyped(t *testing.T, m *ssdrnb.Method, what string, err error) {
	t.Helper()
	var e *ssdrnb.Error
	switch {
	case err == nil:
		t.Errorf("%s: no error", what)
	case !errors.As(err, &e):
		t.Errorf("%s: error of type %T: %v", what, err, err)
	case e.Method != m.Name || e.Param == "":
		t.Errorf("%s: error names neither method nor cause: %v", what, err)
	case e.Remedy == "":
		t.Errorf("%s: error without a remedy: %v", what, err)
	}
}

func testBadInput(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 11)
	poke := func(v float64) *data.Data {
		c := *d
		c.X = mat.DenseCopyOf(d.X)
		c.X.Set(7, 3, v)
		return &c
	}
	scaled := func(f float64) *data.Data {
		c := *d
		c.X = mat.DenseCopyOf(d.X)
		c.X.Scale(f, c.X)
		return &c
	}
	short := *d
	short.Labels = d.Labels[:10]
	negative := *d
	negative.Labels = slices.Clone(d.Labels)
	negative.Labels[4] = -7
	equal := *d
	equal.X = mat.NewDense(d.Len(), 6, nil)
	cases := map[string]struct {
		d    *data.Data
		want error
	}{
		"nil data":             {nil, ssdrnb.ErrData},
		"no rows":              {&data.Data{X: &mat.Dense{}}, ssdrnb.ErrData},
		"NaN":                  {poke(math.NaN()), data.ErrNotFinite},
		"infinity":             {poke(math.Inf(-1)), data.ErrNotFinite},
		"labels for fewer":     {&short, data.ErrShape},
		"label below -1":       {&negative, data.ErrLabels},
		"all samples equal":    {&equal, ssdrnb.ErrData},
		"squares overflow":     {scaled(1e200), ssdrnb.ErrData},
		"squares underflow":    {scaled(1e-200), ssdrnb.ErrData},
		"contradictory pairs":  {d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 2}}, Cannot: []data.Pair{{I: 2, J: 1}}}), data.ErrPairs},
		"pair out of range":    {d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 60}}}), data.ErrPairs},
		"error from the chain": {d.KeepLabels(1000), data.ErrLabels},
	}
	if m.Uses == ssdrnb.FromBoth || m.Uses == ssdrnb.FromAnyOrTarget {
		cases["neither labels nor pairs"] = struct {
			d    *data.Data
			want error
		}{d.HideLabels().WithPairs(data.Pairs{}), ssdrnb.ErrNeedsPairs}
	}
	if m.Uses == ssdrnb.FromLabels || m.Uses == ssdrnb.FromLabelsOrTarget {
		one := make([]int, d.Len())
		single := make([]int, d.Len())
		for i := range single {
			single[i] = data.Unlabelled
		}
		single[5] = 0
		cases["no labels"] = struct {
			d    *data.Data
			want error
		}{d.HideLabels(), ssdrnb.ErrNeedsLabels}
		cases["one class"] = struct {
			d    *data.Data
			want error
		}{d.WithLabels(one), ssdrnb.ErrNeedsLabels}
		cases["one labelled sample"] = struct {
			d    *data.Data
			want error
		}{d.WithLabels(single), ssdrnb.ErrNeedsLabels}
	}
	for name, c := range cases {
		_, err := ssdrnb.New(m.Name).Fit(c.d)
		wantTyped(t, m, name, err)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

func testBadOptions(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 12)
	try := func(name string, v any) {
		_, err := ssdrnb.New(m.Name).With(name, v).Fit(d)
		wantTyped(t, m, fmt.Sprintf("%s = %v", name, v), err)
		if !errors.Is(err, ssdrnb.ErrOption) {
			t.Errorf("%s = %v: got %v", name, v, err)
		}
	}
	try("no such option", 1)
	for _, p := range m.Params {
		try(p.Name, struct{}{})
		switch p.Kind {
		case ssdrnb.ChoiceParam:
			try(p.Name, "no such choice")
		case ssdrnb.IntParam, ssdrnb.FloatParam:
			try(p.Name, math.NaN())
			try(p.Name, math.Inf(1))
			try(p.Name, p.Min-7)
		}
		if p.Kind == ssdrnb.IntParam {
			try(p.Name, 1.5)
		}
	}
	try("dims", 60)
	if m.Shape == ssdrnb.Linear {
		try("dims", 7)
	}
	if _, ok := m.Param("neighbors"); ok {
		try("neighbors", 60)
	}
}

func testCancel(t *testing.T, m *ssdrnb.Method) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := ssdrnb.New(m.Name).FitContext(ctx, blobs(6, 13))
	if !errors.Is(err, ssdrnb.ErrCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// Also if the context ends during the fit, at its first progress report.
	ctx, cancel = context.WithCancel(context.Background())
	defer ssdrnb.Observe(func(ssdrnb.Event) { cancel() })()
	if _, err := ssdrnb.New(m.Name).FitContext(ctx, blobs(6, 13)); !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("got %v", err)
	}
}

func testTransform(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 14)
	model := fit(t, m, d)
	y, err := model.Transform(d.X)
	if errors.Is(err, ssdrnb.ErrNoTransform) && m.Shape == ssdrnb.Nonlinear {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.Shape != ssdrnb.Nonlinear && !mat.EqualApprox(y, model.Embedding(), 1e-8*mat.Norm(y, 2)) {
		t.Error("Transform of the training samples is not their embedding")
	}
	row, err := model.Transform(d.X.Slice(3, 4, 0, 6).(*mat.Dense))
	if err != nil || !mat.EqualApprox(row, y.Slice(3, 4, 0, dimsOf(m)), 1e-10*mat.Norm(y, 2)) {
		t.Errorf("one row: %v", err)
	}
	for name, x := range map[string]*mat.Dense{
		"nil": nil, "no rows": {}, "a column missing": mat.NewDense(2, 5, nil),
		"NaN": mat.NewDense(1, 6, []float64{1, 2, math.NaN(), 4, 5, 6}),
	} {
		_, err := model.Transform(x)
		wantTyped(t, m, name, err)
		if !errors.Is(err, ssdrnb.ErrData) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// testPath checks that the models of a path equal separate fits.
func testPath(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 11)
	dims := []int{3, 1, 2, 5}
	base := brief(m, 10, 5)
	if _, ok := m.Param("neighbors"); ok {
		base = base.With("neighbors", 24) // a Hessian in five dimensions needs 21
	}
	models, err := base.FitPath(context.Background(), d, dims...)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range dims {
		spec := base
		if _, ok := m.Param("dims"); ok {
			spec = spec.With("dims", k)
		}
		want, err := spec.Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := m.Param("dims"); !ok {
			if want, err = want.Reduce(k); err != nil {
				t.Fatal(err)
			}
		}
		got := models[i]
		if got.Dims() != want.Dims() || got.Spec().String() != want.Spec().String() {
			t.Errorf("%d dimensions: %v with %d columns, want %v with %d", k, got.Spec(), got.Dims(), want.Spec(), want.Dims())
			continue
		}
		if !slices.Equal(got.Report().Warnings, want.Report().Warnings) {
			t.Errorf("%d dimensions: warnings %q, want %q", k, got.Report().Warnings, want.Report().Warnings)
		}
		level := 0.0
		if values := want.Values(); len(values) > 0 {
			level = math.Abs(values[0])
		}
		for _, f := range want.Report().Facts {
			v, ok := got.Report().Fact(f.Name)
			if !ok || math.Abs(v-f.Value) > 1e-8*(math.Abs(f.Value)+level) {
				t.Errorf("%d dimensions: %s is %g, want %g", k, f.Name, v, f.Value)
			}
		}
		if a, b := len(got.Report().Facts), len(want.Report().Facts); a != b {
			t.Errorf("%d dimensions: %d facts, want %d", k, a, b)
		}
		scale := mat.Norm(want.Embedding(), 2)
		// Beyond c − 1 dimensions a trace ratio may have many directions of equal cost; rounding
		// then decides the subspace.
		gap, known := want.Report().Fact("eigengap")
		tied := known && gap < 1e-5*math.Abs(want.Values()[0])
		for a := range d.Len() {
			for b := range a {
				if tied {
					break
				}
				x, y := between(got.Embedding(), a, b), between(want.Embedding(), a, b)
				if math.Abs(x-y) > 1e-6*scale {
					t.Fatalf("%d dimensions: distance %d–%d is %g, want %g", k, a, b, x, y)
				}
			}
		}
		y, err := got.Transform(d.X)
		if errors.Is(err, ssdrnb.ErrNoTransform) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.Shape != ssdrnb.Nonlinear && !mat.EqualApprox(y, got.Embedding(), 1e-8*scale) {
			t.Errorf("%d dimensions: the map leaves the embedding", k)
		}
	}
	if _, err := ssdrnb.New(m.Name).FitPath(context.Background(), d); !errors.Is(err, ssdrnb.ErrOption) {
		t.Errorf("no dimension gives %v", err)
	}
}

// between is the distance of two rows.
func between(y *mat.Dense, a, b int) float64 {
	s := 0.0
	for k, v := range y.RawRowView(a) {
		s += (v - y.At(b, k)) * (v - y.At(b, k))
	}
	return math.Sqrt(s)
}

// reloaded returns m after saving and loading.
func reloaded(t testing.TB, m *ssdrnb.Model) *ssdrnb.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func testSaveLoad(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 15)
	model := fit(t, m, d)
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := model.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(back.Embedding(), model.Embedding()) || !slices.Equal(back.Values(), model.Values()) ||
		!slices.Equal(back.Data().Labels, d.Labels) || !slices.Equal(back.Data().Truth, d.Truth) ||
		back.String() != model.String() || !reflect.DeepEqual(back.Report().Traces, model.Report().Traces) || !reflect.DeepEqual(back.Report().Params, model.Report().Params) {
		t.Error("the model that was read differs from the one that was saved")
	}
	want, err := model.Transform(d.X)
	if err == nil {
		got, err := back.Transform(d.X)
		if err != nil || !mat.Equal(want, got) {
			t.Errorf("Transform after Load differs: %v", err)
		}
	}
	// Every truncation and a flipped byte are detected.
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, len(raw) / 4, len(raw) / 2, len(raw) - 1} {
		if err := os.WriteFile(path, raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ssdrnb.Load(path); !errors.Is(err, ssdrnb.ErrFormat) {
			t.Errorf("%d of %d bytes: got %v", cut, len(raw), err)
		}
	}
	if err := os.WriteFile(path, flip(t, raw), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ssdrnb.Load(path); !errors.Is(err, ssdrnb.ErrFormat) {
		t.Errorf("a flipped byte: got %v", err)
	}
}

// flip changes one bit of the embedding in a model file.
func flip(t *testing.T, raw []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if f.Name == "embedding.npy" {
			at, err := f.DataOffset()
			if err != nil {
				t.Fatal(err)
			}
			out := slices.Clone(raw)
			out[at+int64(f.CompressedSize64)-5] ^= 0x40
			return out
		}
	}
	t.Fatal("no embedding in the file")
	return nil
}

func testOrthonormal(t *testing.T, m *ssdrnb.Method) {
	if !m.Orthonormal {
		t.Skip("not defined to be orthonormal")
	}
	for _, features := range []int{6, 90} {
		w, _, err := fit(t, m, blobs(features, 16)).Projection()
		if err != nil {
			t.Fatal(err)
		}
		var gram mat.Dense
		gram.Mul(w.T(), w)
		_, k := w.Dims()
		for i := range k {
			for j := range k {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(gram.At(i, j)-want) > 1e-9 {
					t.Errorf("D = %d: (WᵀW)[%d][%d] = %v", features, i, j, gram.At(i, j))
				}
			}
		}
	}
}

// Duplicate pairs and the order of pairs have no meaning.
func testPairs(t *testing.T, m *ssdrnb.Method) {
	if !slices.Contains([]ssdrnb.Knowledge{ssdrnb.FromPairs, ssdrnb.FromBoth, ssdrnb.FromAnyOrTarget, ssdrnb.IfAny, ssdrnb.AllIfAny}, m.Uses) {
		t.Skip("uses no pairs")
	}
	d := blobs(5, 3)
	drawn, err := data.DrawPairs(d.Truth, 12, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	d = d.HideLabels()
	rewritten := func(pairs []data.Pair) (out []data.Pair) {
		for k, p := range slices.Backward(pairs) {
			for range 1 + k%3 {
				out = append(out, data.Pair{I: p.J, J: p.I})
			}
		}
		return append(out, pairs[:4]...)
	}
	spec := brief(m, 2, 5)
	var models [2]*ssdrnb.Model
	for k, pairs := range []data.Pairs{drawn, {Must: rewritten(drawn.Must), Cannot: rewritten(drawn.Cannot)}} {
		if models[k], err = spec.Fit(d.WithPairs(pairs)); err != nil {
			t.Fatal(err)
		}
	}
	a, b := models[0], models[1]
	if !mat.Equal(a.Embedding(), b.Embedding()) {
		t.Error("duplicate pairs in another order give another embedding")
	}
	if !slices.Equal(a.Report().Facts, b.Report().Facts) || a.Report().Pairs != b.Report().Pairs {
		t.Errorf("duplicate pairs in another order: %v of %d pairs, was %v of %d", b.Report().Facts, b.Report().Pairs, a.Report().Facts, a.Report().Pairs)
	}
}
