package ssdrnb

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// fewOfRing has four labels and a group without a path to any label.
func fewOfRing() *data.Data {
	d := ring(60)
	labels := slices.Repeat([]int{data.Unlabelled}, 60)
	for i := 20; i < 60; i += 10 {
		labels[i] = d.Labels[i]
	}
	for i := range 15 {
		row := d.X.RawRowView(i)
		row[0] += 1000
	}
	return d.WithLabels(labels)
}

// The opinions of S2NE equal those of the data, and Save and Load keep them and the suggestions.
func TestOpinionsOfModel(t *testing.T) {
	d := fewOfRing()
	want, err := Opinions(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Suggest(t.Context(), d, 20)
	if err != nil {
		t.Fatal(err)
	}
	m := S2NE().Iterations(20).MustFit(d)
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "again.npz")
	if err := loaded.Save(again); err != nil {
		t.Fatal(err)
	}
	twice, err := Load(again)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*Model{"fitted": m, "loaded": loaded, "loaded twice": twice} {
		o, err := m.Opinions()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !mat.Equal(o.Probabilities(), want.Probabilities()) || !slices.Equal(o.Predicted(), want.Predicted()) || o.Unreached() != want.Unreached() || o.String() != want.String() {
			t.Errorf("%s: %v\nwant %v", name, o, want)
		}
		if b, ok := o.Report().Fact("sharpness"); !ok || !(b > 0) {
			t.Errorf("%s: sharpness %v", name, b)
		}
		got, err := m.Suggest(20)
		if first := rows[:len(got)]; err != nil || !slices.Equal(got, first) || len(got) != 20 && len(got) != savedSuggestions {
			t.Errorf("%s: suggestions %v (%v), want %v", name, got, err, rows)
		}
		_, _, err = o.Reasons(t.Context(), 30, 1)
		if (name == "fitted") != (err == nil) || err != nil && !errors.Is(err, ErrData) {
			t.Errorf("%s: reasons: %v", name, err)
		}
	}
	if want.Unreached() == 0 {
		t.Error("no sample is unreached")
	}
	if cosine, err := S2NE().Metric(Cosine).Iterations(5).MustFit(d).Opinions(); err != nil || mat.Equal(cosine.Probabilities(), want.Probabilities()) {
		t.Errorf("the metric changes nothing: %v", err)
	}
}

// Damaged opinions and suggestions in a file are errors.
func TestOpinionsOfFiles(t *testing.T) {
	d := fewOfRing()
	m := S2NE().Iterations(5).MustFit(d)
	found, err := m.Opinions()
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(o *Opinion){
		"probabilities are":     func(o *Opinion) { o.probabilities = mat.NewDense(60, 3, nil) },
		"has the probability":   func(o *Opinion) { o.probabilities.SetRow(7, []float64{-0.5, 1.5}) },
		"sum to":                func(o *Opinion) { o.probabilities.SetRow(7, []float64{0.5, 0.4}) },
		"but another class has": func(o *Opinion) { o.probabilities.SetRow(30, []float64{0, 1}); o.best[30] = 0 },
		"predicted":             func(o *Opinion) { o.best[3] = 2 },
		"predicted classes":     func(o *Opinion) { o.best = o.best[:59] },
		"missing":               func(o *Opinion) { o.report = nil },
	} {
		bad := &Opinion{data: d, classes: found.classes, probabilities: found.Probabilities(), best: slices.Clone(found.best), report: found.report}
		spoil(bad)
		other := *m
		other.knowledge = &knowledge{cache: newCache(), found: true, opinions: bad}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := other.Save(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, rows := range map[string][]int{"twice": {1, 1}, "labelled": {20}, "beyond": {60}} {
		other := *m
		other.suggestions = rows
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := other.Save(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every method gives suggestions or an error with the reason.
func TestSuggestionsOfModels(t *testing.T) {
	d := fewOfRing()
	want, err := Suggest(t.Context(), d, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Estimator{PCA(), LPP(), LLE(), SDA(), GPLVM(), SSGPLVM()} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Suggest(3); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v (%v), want %v", m.Method(), got, err, want)
		}
		if _, err := m.Opinions(); !errors.Is(err, ErrNoOpinion) {
			t.Errorf("%s: %v", m.Method(), err)
		}
	}
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := PCA().MustFit(d).Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loaded.Suggest(1); !errors.Is(err, ErrNoSuggestion) {
		t.Errorf("a loaded model: %v", err)
	}
	if _, err := PCA().MustFit(ring(12)).Suggest(1); !errors.Is(err, ErrNoSuggestion) {
		t.Errorf("all labelled: %v", err)
	}
	if _, err := S2NE().Iterations(5).MustFit(d.HideLabels()).Opinions(); !errors.Is(err, ErrNeedsLabels) {
		t.Errorf("no labels: %v", err)
	}
}

// New rows get the classes of their neighbours, in the units of the data before scaling. Rows equal
// to training samples get nearly the same probabilities.
func TestProbabilitiesOfNewRows(t *testing.T) {
	all := datasets.Wine()
	var train, rest []int
	for i := range all.Len() {
		if i%3 == 0 {
			rest = append(rest, i)
		} else {
			train = append(train, i)
		}
	}
	raw := all.Subset(rest)
	d := all.Subset(train).Standardize().KeepLabels(8).Seed(1)
	m := S2NE().Iterations(5).MustFit(d)
	p, err := m.Probabilities(raw.X)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, class := range raw.Labels {
		row := p.RawRowView(i)
		if sum := row[0] + row[1] + row[2]; !(sum > 1-1e-12 && sum < 1+1e-12) {
			t.Fatalf("probabilities %v", row)
		}
		if row[class] > row[(class+1)%3] && row[class] > row[(class+2)%3] {
			right++
		}
	}
	if right < len(rest)*85/100 {
		t.Errorf("%d of %d classes of new rows are right", right, len(rest))
	}
	o, err := m.Opinions()
	if err != nil {
		t.Fatal(err)
	}
	same, err := m.Probabilities(d.X)
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i := range d.Len() {
		if row := same.RawRowView(i); slices.Index(row, slices.Max(row)) != o.best[i] {
			differ++
		}
	}
	if differ > d.Len()/20 {
		t.Errorf("%d of %d training samples have another class as new rows", differ, d.Len())
	}
	// A row in the group that no label reaches.
	few := fewOfRing()
	p, err = S2NE().Iterations(5).MustFit(few).Probabilities(mat.DenseCopyOf(few.X.Slice(3, 4, 0, 3)))
	if err != nil || p.At(0, 0) != 0.5 {
		t.Errorf("far from all labels: %v, %v", p, err)
	}
	if _, err := m.Probabilities(mat.NewDense(1, 2, nil)); !errors.Is(err, ErrData) {
		t.Errorf("rows of 2 features: %v", err)
	}
	if _, err := PCA().MustFit(d).Probabilities(raw.X); !errors.Is(err, ErrNoOpinion) {
		t.Errorf("PCA: %v", err)
	}
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loaded.Probabilities(raw.X); !errors.Is(err, ErrNoOpinion) {
		t.Errorf("loaded: %v", err)
	}
}
