package ssdrnb_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// proline is a feature of the wines, the target that the other features predict.
func proline() *data.Data {
	wine := datasets.Wine().HideLabels()
	n, d := wine.Len(), wine.Dim()
	x, y := mat.NewDense(n, d-1, nil), make([]float64, n)
	for i := range n {
		copy(x.RawRowView(i), wine.X.RawRowView(i)[:d-1])
		y[i] = wine.X.At(i, d-1)
	}
	return data.New(x, nil).Standardize().WithTarget("proline", y).KeepTarget(0.2).Seed(1)
}

// shuffledTarget permutes the values of the target among the samples.
func shuffledTarget(d *data.Data, seed uint64) *data.Data {
	values := slices.Clone(d.Target().Truth)
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return d.WithTarget("shuffled", values).KeepTarget(0.2)
}

// r2 is the coefficient of determination of the values for the hidden ones.
func r2(hidden, values []float64) float64 {
	mean, m := 0.0, 0.0
	for _, v := range hidden {
		if v == v {
			mean, m = mean+v, m+1
		}
	}
	mean /= m
	e, all := 0.0, 0.0
	for i, v := range hidden {
		if v == v {
			e += (v - values[i]) * (v - values[i])
			all += (v - mean) * (v - mean)
		}
	}
	return 1 - e/all
}

func TestTargetGuides(t *testing.T) {
	d := proline()
	builder := ssdrnb.S2NE().Iterations(100)
	model := builder.MustFit(d)
	values, variances, reached := model.Carried()
	if len(values) != d.Len() || len(variances) != d.Len() || slices.Contains(reached, false) {
		t.Fatalf("carried %d values, %d variances, reached %v", len(values), len(variances), reached)
	}
	strength, _ := model.Report().Fact("target strength")
	q2, _ := model.Report().Fact("target q2")
	if got := r2(d.HiddenTarget(), values); !(got > 0.4) || !(strength > 0.2) || !(q2 > strength) {
		t.Errorf("R² of hidden values %.2f, q2 %.2f, strength %.2f", got, q2, strength)
	}
	// No method reads hidden values.
	other := slices.Clone(d.Target().Truth)
	for i := range other {
		if math.IsNaN(d.Target().Values[i]) {
			other[i] = -other[i]
		}
	}
	lied := d.WithTarget("proline", d.Target().Values)
	lied.Targets[0].Truth = other
	if !mat.Equal(builder.MustFit(lied).Embedding(), model.Embedding()) {
		t.Error("other hidden values change the embedding")
	}
	// Units and signs have no effect.
	moved := slices.Clone(d.Target().Values)
	for i := range moved {
		moved[i] = 4096 - 8*moved[i]
	}
	again := builder.MustFit(d.WithTarget("moved", moved))
	turned, _, _ := again.Carried()
	for i, v := range turned {
		if math.Abs((4096-v)/8-values[i]) > 1e-6*math.Abs(values[i]) {
			t.Fatalf("sample %d: %v in other units is %v", i, values[i], v)
		}
	}
	// Without guidance, or without a target, the embedding is the same.
	plain := builder.MustFit(data.New(d.X, nil))
	for _, b := range []*ssdrnb.S2NEBuilder{builder.Guidance(0), builder.TargetStrength(0)} {
		if m := b.MustFit(d); !mat.Equal(m.Embedding(), plain.Embedding()) {
			t.Errorf("%v differs from the embedding without a target", b)
		}
	}
	// Labels and the target shape an embedding only with guidance.
	both := d.WithLabels(append([]int{0, 1}, slices.Repeat([]int{data.Unlabelled}, d.Len()-2)...))
	for guidance, want := range map[float64]bool{0: false, 0.5: true} {
		if m := builder.Iterations(5).Unfold(5).Guidance(guidance).MustFit(both); strings.Contains(strings.Join(m.Report().Warnings, "\n"), "both shape") != want {
			t.Errorf("guidance %g: warnings %q", guidance, m.Report().Warnings)
		}
	}
	if v, s, r := plain.Carried(); v != nil || s != nil || r != nil {
		t.Error("carried nothing")
	}
	if mat.Equal(plain.Embedding(), model.Embedding()) {
		t.Error("the target changes nothing")
	}
}

func TestTargetOfNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := proline()
	builder := ssdrnb.S2NE().Iterations(100)
	plain := builder.MustFit(data.New(d.X, nil))
	guided := 0
	for seed := range uint64(10) {
		m := builder.MustFit(shuffledTarget(d, seed))
		strength, _ := m.Report().Fact("target strength")
		warned := strings.Contains(strings.Join(m.Report().Warnings, "\n"), "the embedding does not use the target")
		same := mat.Equal(m.Embedding(), plain.Embedding())
		if warned != (strength == 0) || same != (strength == 0) {
			t.Errorf("shuffle %d: strength %v, warned %v, the embedding without a target %v", seed, strength, warned, same)
		}
		if strength > 0 {
			guided++
		}
	}
	if guided > 2 {
		t.Errorf("%d of 10 shuffled targets guide the embedding", guided)
	}
}

// Data with nothing, or almost nothing, to learn.
func TestTargetIll(t *testing.T) {
	d := proline()
	n := d.Len()
	plain := ssdrnb.S2NE().Iterations(50).MustFit(data.New(d.X, nil))
	some := func(f func(i int) float64, known int) []float64 {
		out := slices.Repeat([]float64{math.NaN()}, n)
		for k := range known {
			out[k*(n-1)/max(known-1, 1)] = f(k)
		}
		return out
	}
	for what, c := range map[string]struct {
		values []float64
		want   string
		guides bool
	}{
		"none":     {some(nil, 0), "no value of the target", false},
		"one":      {some(func(int) float64 { return 3 }, 1), "too few", false},
		"three":    {some(func(i int) float64 { return float64(i) }, 3), "too few", false},
		"constant": {some(func(int) float64 { return -2.5 }, 40), "are all equal", false},
		"copy":     {mat.Col(nil, 2, d.X), "it may be a copy of a feature", true},
	} {
		m, err := ssdrnb.S2NE().Iterations(50).Fit(d.WithTarget("price", c.values))
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if warnings := strings.Join(m.Report().Warnings, "\n"); !strings.Contains(warnings, c.want) {
			t.Errorf("%s: warnings %q lack %q", what, warnings, c.want)
		}
		if same := mat.Equal(m.Embedding(), plain.Embedding()); same == c.guides {
			t.Errorf("%s: the embedding without a target: %v", what, same)
		}
		values, variances, _ := m.Carried()
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) || !(variances[i] >= 0) {
				t.Fatalf("%s: sample %d has %v ± %v", what, i, v, variances[i])
			}
		}
	}
	for want, scale := range map[string]float64{"overflow": 1e200, "underflows": 1e-200} {
		values := slices.Clone(d.Target().Values)
		for i := range values {
			values[i] *= scale
		}
		if _, err := ssdrnb.S2NE().Fit(d.WithTarget("price", values)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// Copies of the samples map to them, and a saved model is unchanged.
func TestTargetTransform(t *testing.T) {
	d := proline()
	for _, metric := range []ssdrnb.Metric{ssdrnb.Euclidean, ssdrnb.Correlation} {
		model := ssdrnb.S2NE().Iterations(100).Metric(metric).MustFit(d)
		y, err := model.Transform(d.X)
		if err != nil {
			t.Fatal(err)
		}
		wide, off := 0.0, 0.0
		for i := range d.Len() {
			for k := range 2 {
				wide = max(wide, math.Abs(model.Embedding().At(i, k)))
				off += math.Abs(y.At(i, k)-model.Embedding().At(i, k)) / float64(2*d.Len())
			}
		}
		if off > wide/10 {
			t.Errorf("%s: samples are %.2g from their copies in an embedding of width %.2g", metric, off, wide)
		}
		path := filepath.Join(t.TempDir(), "model.npz")
		if err := model.Save(path); err != nil {
			t.Fatal(err)
		}
		read, err := ssdrnb.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		again, err := read.Transform(d.X)
		if err != nil || !mat.Equal(again, y) {
			t.Errorf("%s: another transform after Load: %v", metric, err)
		}
		a, b, c := model.Carried()
		p, q, r := read.Carried()
		if !slices.Equal(a, p) || !slices.Equal(b, q) || !slices.Equal(c, r) {
			t.Errorf("%s: another carried target after Load", metric)
		}
		got, want := read.Data().Target(), d.Target()
		if got == nil || got.Name != want.Name || fmt.Sprint(got.Values) != fmt.Sprint(want.Values) || fmt.Sprint(read.Data().HiddenTarget()) != fmt.Sprint(d.HiddenTarget()) {
			t.Errorf("%s: the target of the file is %v", metric, got)
		}
		var text bytes.Buffer
		fmt.Fprint(&text, read)
		if !strings.Contains(text.String(), "target strength") {
			t.Errorf("%s: the report lacks the target:\n%s", metric, &text)
		}
	}
}

func TestTargetScores(t *testing.T) {
	d := proline()
	model := ssdrnb.S2NE().Iterations(100).MustFit(d)
	got, err := model.Score(ssdrnb.TargetR2, nil)
	if err != nil || !(got > 0.3 && got < 1) {
		t.Errorf("R² %v, %v", got, err)
	}
	rank, err := model.Score(ssdrnb.TargetRank, nil)
	if err != nil || !(rank > 0.3 && rank <= 1) {
		t.Errorf("|ρ| %v, %v", rank, err)
	}
	// A plane with the target as an axis has a perfect order.
	exact := data.New(mat.NewDense(30, 1, func() []float64 {
		out := make([]float64, 30)
		for i := range out {
			out[i] = float64(i * i)
		}
		return out
	}()), nil)
	exact = exact.WithTarget("square", mat.Col(nil, 0, exact.X)).KeepTarget(0.5)
	line := ssdrnb.PCA().Dims(1).MustFit(exact)
	if rank, err = line.Score(ssdrnb.TargetRank, nil); err != nil || math.Abs(rank-1) > 1e-12 {
		t.Errorf("|ρ| %v, %v", rank, err)
	}
	train, test := d.Split(0.7)
	model = ssdrnb.S2NE().Iterations(100).MustFit(train.KeepTarget(0.4))
	if got, err = model.Score(ssdrnb.TargetR2, test); err != nil || !(got > 0.2 && got < 1) {
		t.Errorf("R² of test data %v, %v", got, err)
	}
	for want, f := range map[string]func() (float64, error){
		"no known value of a target":            func() (float64, error) { return ssdrnb.PCA().MustFit(data.New(d.X, nil)).Score(ssdrnb.TargetR2, nil) },
		"no training sample has a hidden value": func() (float64, error) { return ssdrnb.PCA().MustFit(d.KeepTarget(1)).Score(ssdrnb.TargetRank, nil) },
		`have no target "proline"`:              func() (float64, error) { return model.Score(ssdrnb.TargetR2, data.New(test.X, nil)) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	// A sweep over guidance, here and in another process.
	sweep := ssdrnb.Sweep(ssdrnb.S2NE().Iterations(50), d).List("guidance", 0.0, 1.0).Score(ssdrnb.TargetR2).Splits(2).Train(0.7)
	here, err := sweep.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	there, err := sweep.On(&far{workers: 2}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for cell := range here.Unlabelled {
		if !slices.Equal(here.Unlabelled[cell].Scores, there.Unlabelled[cell].Scores) || !slices.Equal(here.Test[cell].Scores, there.Test[cell].Scores) {
			t.Errorf("cell %d: %v and %v here, %v and %v elsewhere", cell, here.Unlabelled[cell], here.Test[cell], there.Unlabelled[cell], there.Test[cell])
		}
	}
	if slices.Equal(here.Unlabelled[0].Scores, here.Unlabelled[1].Scores) {
		t.Error("guidance changes no score")
	}
}

// Scores of sparse test data equal those of the same dense data.
func TestScoresOfSparseData(t *testing.T) {
	train, test := datasets.Wine().Split(0.5)
	values := func(d *data.Data) []float64 { return mat.Col(nil, 0, d.X) }
	rows := data.NewSparse(sparse.FromDense(test.X), nil).WithClasses(test.Truth).WithTarget("first", values(test))
	dense := test.WithTarget("first", values(test))
	for _, m := range []*ssdrnb.Model{
		ssdrnb.UMAP().Iterations(5).MustFit(data.NewSparse(sparse.FromDense(train.X), train.Labels).WithTarget("first", values(train))),
		ssdrnb.PCA().MustFit(train.WithTarget("first", values(train))),
	} {
		for name, score := range map[string]ssdrnb.Score{"NearestNeighbor": ssdrnb.NearestNeighbor, "TargetR2": ssdrnb.TargetR2, "TargetRank": ssdrnb.TargetRank} {
			got, err := m.Score(score, rows)
			want, errDense := m.Score(score, dense)
			if err != nil || errDense != nil || got != want {
				t.Errorf("%s, %s: %v of sparse rows, %v of dense ones, %v, %v", m.Method(), name, got, want, err, errDense)
			}
		}
	}
}

// The curve over known shares finds the relation in true values, and nothing in shuffled ones.
func TestTargetCurve(t *testing.T) {
	d := proline()
	table, err := ssdrnb.TargetCurve(t.Context(), ssdrnb.PLS(), d, 3, 0.5, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(table.Shares, []float64{0.2, 0.5}) || table.Name != "PLS" || table.Target != "proline" {
		t.Errorf("%+v", table)
	}
	told, _ := table.Means(false)
	noise, spread := table.Means(true)
	for k := range table.Shares {
		if len(table.R2[k]) != 3 || len(table.Shuffled[k]) != 3 || !(told[k] > 0.4) || !(noise[k] < 0.15) || !(spread[k] > 0) {
			t.Errorf("%v known: %v of the target, %v ± %v of noise", table.Shares[k], told[k], noise[k], spread[k])
		}
	}
	// A cell is the score of a fit to the same draw.
	r2, err := ssdrnb.PLS().MustFit(d.KeepTarget(0.5).Seed(1)).Score(ssdrnb.TargetR2, nil)
	if err != nil || r2 != table.R2[1][1] {
		t.Errorf("%v, %v, want %v", table.R2[1][1], err, r2)
	}
	if text := table.String(); !strings.Contains(text, "PLS: R² of hidden values of \"proline\"") || strings.Count(text, "±") != 4 {
		t.Error(text)
	}
}

// Suggested values, ten at a time from a few, predict the others better than as many random ones,
// and only unknown samples are suggested.
func TestSuggestValues(t *testing.T) {
	roll := datasets.SwissRoll(400, 3)
	along := make([]float64, roll.Len())
	for i := range along {
		along[i] = math.Hypot(roll.X.At(i, 0), roll.X.At(i, 2))
	}
	told := func(rows []int) float64 {
		values := slices.Repeat([]float64{math.NaN()}, len(along))
		for _, i := range rows {
			values[i] = along[i]
		}
		d := data.New(roll.X, nil).WithTarget("along", values)
		d.Targets[0].Truth = along
		carried, _, _ := ssdrnb.S2NE().Iterations(1).Unfold(0).MustFit(d).Carried()
		return r2(d.HiddenTarget(), carried)
	}
	wins := 0
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 7)).Perm(len(along))
		rows := slices.Clone(random[:5])
		for len(rows) < 25 {
			values := slices.Repeat([]float64{math.NaN()}, len(along))
			for _, i := range rows {
				values[i] = along[i]
			}
			d := data.New(roll.X, nil).WithTarget("along", values)
			next, err := ssdrnb.Suggest(t.Context(), d, 10)
			if err != nil || len(next) != 10 {
				t.Fatal(next, err)
			}
			for _, i := range next {
				if slices.Contains(rows, i) {
					t.Fatalf("sample %d is suggested and known", i)
				}
			}
			rows = append(rows, next...)
		}
		if told(rows) > told(random[:25]) {
			wins++
		}
	}
	if wins < 4 {
		t.Errorf("suggested values predict better than random ones in %d of 5 draws", wins)
	}
	d := proline()
	model := ssdrnb.S2NE().Iterations(5).Unfold(5).MustFit(d)
	want, err := ssdrnb.Suggest(t.Context(), d, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := model.Suggest(4); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := model.Save(path); err != nil {
		t.Fatal(err)
	}
	read, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read.Suggest(4); err != nil || !slices.Equal(got, want) {
		t.Errorf("after Load %v, %v, want %v", got, err, want)
	}
}

// A table has the known values of a target and the carried ones, but no hidden ones.
func TestTargetInTables(t *testing.T) {
	model := ssdrnb.S2NE().Iterations(5).Unfold(5).MustFit(proline())
	values, _, _ := model.Carried()
	for _, ending := range []string{".csv", ".jsonl"} {
		path := filepath.Join(t.TempDir(), "wine"+ending)
		if err := model.WriteTable(path); err != nil {
			t.Fatal(err)
		}
		table, err := datasets.ReadTable(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := table.Data(datasets.Target("proline"), datasets.Target("carried proline"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := d.TargetNamed("proline").Values, model.Data().Target().Values; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", ending, got, want)
		}
		if got := d.TargetNamed("carried proline").Values; !slices.Equal(got, values) {
			t.Errorf("%s: carried %v, want %v", ending, got, values)
		}
	}
}
