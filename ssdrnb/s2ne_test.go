package ssdrnb_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// shuffled returns the data with their labels permuted among the labelled samples.
func shuffled(d *data.Data, seed uint64) *data.Data {
	labels := slices.Clone(d.Labels)
	var rows []int
	for i, l := range labels {
		if l >= 0 {
			rows = append(rows, i)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(rows), func(a, b int) { labels[rows[a]], labels[rows[b]] = labels[rows[b]], labels[rows[a]] })
	return d.WithLabels(labels)
}

// Random labels give a warning, from the unfolded and the folded layout; true labels do not. With
// one label per class there is nothing to compare.
func TestS2NEChance(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const text = "significantly better than shuffled ones"
	d := datasets.Digits().Subset(seq(600))
	for _, unfold := range []int{0, 1} {
		method := ssdrnb.S2NE().Iterations(1).Unfold(unfold)
		warnings := 0
		for seed := range uint64(10) {
			labelled := d.KeepLabels(5).Seed(seed + 1)
			m := method.MustFit(labelled)
			if p, ok := m.Report().Fact("p of the labels"); warned(m, text) || !ok || p != 1.0/200 {
				t.Errorf("unfold %d, true labels: p %v, %q", unfold, p, m.Report().Warnings)
			}
			if m := method.MustFit(shuffled(labelled, seed+100)); warned(m, text) {
				warnings++
			}
		}
		if warnings < 8 { // one in twenty passes by chance
			t.Errorf("unfold %d: %d of 10 shuffles are warned of", unfold, warnings)
		}
	}
	for name, all := range map[string]*data.Data{"iris": datasets.Iris(), "digits": datasets.Digits()} {
		m := ssdrnb.S2NE().Iterations(1).Unfold(1).MustFit(all)
		if p, _ := m.Report().Fact("p of the labels"); warned(m, text) || p != 1.0/200 {
			t.Errorf("%s, all labelled: p %v, %q", name, p, m.Report().Warnings)
		}
	}
	m := ssdrnb.S2NE().Iterations(1).Unfold(1).MustFit(d.KeepLabels(1).Seed(1))
	if n, ok := m.Report().Fact("labels left out in turn"); !ok || n != 0 || warned(m, text) {
		t.Errorf("one label per class: %v labels are compared, %q", n, m.Report().Warnings)
	}
	if _, ok := ssdrnb.S2NE().Iterations(1).Unfold(1).Guidance(0).MustFit(d.KeepLabels(5).Seed(1)).Report().Fact("p of the labels"); ok {
		t.Error("guidance 0 reads labels")
	}
}

// Samples shown among another class, intruders, have more of their ties cut, and the share is saved
// with the model.
func TestTiesCut(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Digits().Subset(seq(1000)).KeepLabels(5).Seed(1)
	m := ssdrnb.S2NE().MustFit(d)
	cut, err := m.TiesCut()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := graph.Search(t.Context(), m.Embedding(), 15, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	var wrong, right []float64
	for i, v := range cut {
		if !(v >= 0 && v <= 0.9) {
			t.Fatalf("sample %d has a share %v of ties cut", i, v)
		}
		near, _ := shown.Of(i)
		own := 0
		for _, j := range near {
			if d.Truth[j] == d.Truth[i] {
				own++
			}
		}
		if own > 7 {
			right = append(right, v)
		} else {
			wrong = append(wrong, v)
		}
	}
	above := 0 // pairs of an intruder and another sample in which the intruder has more ties cut
	for _, v := range wrong {
		for _, u := range right {
			if v > u {
				above++
			}
		}
	}
	if auc := float64(above) / float64(len(wrong)*len(right)); len(wrong) == 0 || auc < 0.8 {
		t.Errorf("ties cut find %d intruders with an AUC of %.2f", len(wrong), auc)
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := back.TiesCut(); err != nil || !slices.Equal(again, cut) {
		t.Errorf("loaded: %v", err)
	}
	for name, m := range map[string]*ssdrnb.Model{"guidance 0": ssdrnb.S2NE().Iterations(1).Unfold(1).Guidance(0).MustFit(d), "PCA": ssdrnb.PCA().MustFit(d)} {
		if _, err := m.TiesCut(); !errors.Is(err, ssdrnb.ErrNoOpinion) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The share of cut ties of a chain is saved with the chain.
func TestTiesCutOfChain(t *testing.T) {
	m := ssdrnb.Then(ssdrnb.PCA().Dims(3), ssdrnb.S2NE().Iterations(2).Unfold(2)).MustFit(datasets.Iris().KeepLabels(5).Seed(1))
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := m.TiesCut()
	if again, e := back.TiesCut(); err != nil || e != nil || !slices.Equal(cut, again) {
		t.Errorf("%v, %v", err, e)
	}
}

// In three dimensions large sets are unfolded only on request.
func TestS2NEUnfoldsInPlane(t *testing.T) {
	iterations := func(s ssdrnb.Estimator, d *data.Data) float64 {
		n, _ := s.Spec().MustFit(d).Report().Fact("iterations")
		return n
	}
	small := datasets.Iris()
	large := data.New(datasets.SwissRoll(2001, 1).X, nil)
	s := ssdrnb.S2NE().Iterations(2)
	for what, c := range map[string]struct{ got, want float64 }{
		"two dimensions":                   {iterations(s, small), 302},
		"three dimensions":                 {iterations(s.Dims(3), small), 302},
		"three dimensions, 2,001 samples":  {iterations(s.Dims(3), large), 2},
		"asked for, three, 2,001 samples":  {iterations(s.Dims(3).Unfold(3), large), 5},
		"no unfolding":                     {iterations(s.Unfold(0), small.HideLabels()), 2},
		"no unfolding, with labels, twice": {iterations(s.Unfold(0), small.KeepLabels(5).Seed(1)), 4},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v iterations, want %v", what, c.got, c.want)
		}
	}
}
