package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func mustOpinions(t *testing.T, d *data.Data) *ssdrnb.Opinion {
	t.Helper()
	o, err := ssdrnb.Opinions(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestOpinions checks properties that hold for all data: rows are probabilities, given labels are
// kept, and more hidden labels are right than with the nearest labelled sample.
func TestOpinions(t *testing.T) {
	moons := datasets.TwoMoons(1)
	numbered := slices.Repeat([]int{-1}, moons.Len())
	for i := 0; i < len(numbered); i += 20 {
		numbered[i] = 3 + 67*moons.Labels[i]
	}
	for name, d := range map[string]*data.Data{
		"digits":          datasets.Digits().KeepLabels(5).Seed(1),
		"wine":            datasets.Wine().Standardize().KeepLabels(5).Seed(1),
		"labels 3 and 70": moons.WithLabels(numbered),
	} {
		t.Run(name, func(t *testing.T) {
			o := mustOpinions(t, d)
			classes, p := o.Classes(), o.Probabilities()
			if !slices.Equal(classes, d.Classes()) {
				t.Fatalf("classes %v", classes)
			}
			doubt, predicted := o.Doubt(), o.Predicted()
			right, hidden, mean := 0, 0, 0.0
			for i, l := range d.Labels {
				row := p.RawRowView(i)
				sum := 0.0
				for _, v := range row {
					if !(v >= 0 && v <= 1) {
						t.Fatalf("probabilities %v of %d", row, i)
					}
					sum += v
				}
				if math.Abs(sum-1) > 1e-12 || math.Abs(doubt[i]-1+slices.Max(row)) > 1e-15 {
					t.Fatalf("probabilities of %d sum to %v, doubt %v", i, sum, doubt[i])
				}
				switch {
				case l >= 0 && predicted[i] != l:
					t.Errorf("sample %d is labelled %d and predicted %d", i, l, predicted[i])
				case l < 0:
					hidden++
					mean += slices.Max(row)
					if d.Truth != nil && predicted[i] == d.Truth[i] {
						right++
					}
				}
			}
			if math.Abs(o.ExpectedAccuracy()-mean/float64(hidden)) > 1e-12 {
				t.Errorf("expected accuracy %v, want %v", o.ExpectedAccuracy(), mean/float64(hidden))
			}
			if name == "digits" {
				share := float64(right) / float64(hidden)
				nearest, err := metrics.NearestNeighbor(rowsOf(d.X, labelled(d)), at(d.Labels, labelled(d)), d.X)
				if err != nil {
					t.Fatal(err)
				}
				same := 0
				for i, l := range d.Labels {
					if l < 0 && nearest[i] == d.Truth[i] {
						same++
					}
				}
				if !(share > 0.93 && share > float64(same)/float64(hidden)) {
					t.Errorf("%.3f of the hidden labels, %.3f by the nearest labelled sample", share, float64(same)/float64(hidden))
				}
			}
		})
	}
}

func labelled(d *data.Data) (rows []int) {
	for i, l := range d.Labels {
		if l >= 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

func rowsOf(x *mat.Dense, rows []int) *mat.Dense {
	_, c := x.Dims()
	out := mat.NewDense(len(rows), c, nil)
	for k, i := range rows {
		out.SetRow(k, x.RawRowView(i))
	}
	return out
}

func at(labels, rows []int) (out []int) {
	for _, i := range rows {
		out = append(out, labels[i])
	}
	return out
}

// TestKnowledgeSeesNoTruth changes every hidden label and expects no change, on one processor and
// on several.
func TestKnowledgeSeesNoTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Digits().Take(40).KeepLabels(3).Seed(2)
	all := func(d *data.Data) (p *mat.Dense, rows []int, text string) {
		rows, err := ssdrnb.Suggest(t.Context(), d, 12)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ssdrnb.Suspicions(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return mustOpinions(t, d).Probabilities(), rows, s.String()
	}
	p, rows, text := all(d)
	lies := *d
	lies.Truth = make([]int, d.Len())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	q, again, same := all(&lies)
	if !mat.Equal(p, q) || !slices.Equal(rows, again) || text != same {
		t.Error("hidden labels or the number of processors make a difference")
	}
	model := func(d *data.Data) (*mat.Dense, *mat.Dense, []int) {
		m := ssdrnb.S2NE().Iterations(5).MustFit(d)
		o, err := m.Opinions()
		if err != nil {
			t.Fatal(err)
		}
		added, err := m.Probabilities(d.X)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := m.Suggest(12)
		if err != nil {
			t.Fatal(err)
		}
		return o.Probabilities(), added, rows
	}
	p, added, rows := model(d)
	q, others, again := model(&lies)
	if !mat.Equal(p, q) || !mat.Equal(added, others) || !slices.Equal(rows, again) {
		t.Error("hidden labels make a difference to a model")
	}
}

// TestKnowledgeInAnyOrder expects the same results for samples in another order.
func TestKnowledgeInAnyOrder(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(4).Seed(3)
	order := rand.New(rand.NewPCG(1, 1)).Perm(d.Len())
	turned := ssdrnb.NewData(rowsOf(d.X, order), at(d.Labels, order))
	p, q := mustOpinions(t, d).Probabilities(), mustOpinions(t, turned).Probabilities()
	for k, i := range order {
		for c, v := range q.RawRowView(k) {
			if math.Abs(v-p.At(i, c)) > 1e-4 {
				t.Fatalf("probabilities of %d are %v, and %v in another order", i, p.RawRowView(i), q.RawRowView(k))
			}
		}
	}
}

// TestUnreachedSamples tests a group without a path to any label.
func TestUnreachedSamples(t *testing.T) {
	x := mat.NewDense(60, 2, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		x.SetRow(i, []float64{float64(i/20)*1000 + rng.NormFloat64(), rng.NormFloat64()})
	}
	labels := slices.Repeat([]int{-1}, 60)
	labels[0], labels[25] = 0, 1
	o := mustOpinions(t, ssdrnb.NewData(x, labels))
	if o.Unreached() != 20 || o.Predicted()[45] != data.Unlabelled || o.Probabilities().At(45, 0) != 0.5 {
		t.Errorf("%d unreached, predicted %d by %v", o.Unreached(), o.Predicted()[45], o.Probabilities().RawRowView(45))
	}
	if p := o.Predicted(); p[10] != 0 || p[30] != 1 {
		t.Errorf("predicted %v", p)
	}
	if !strings.Contains(o.String(), "20 samples lie in components of the graph without a label") {
		t.Error(o)
	}
	// Of the 58 unlabelled samples, 20 have no predicted class.
	if a := o.ExpectedAccuracy(); a < 0.6 || a > 38.0/58 {
		t.Errorf("expected accuracy %v with 38 of 58 samples predicted", a)
	}
	labels[25] = 0
	if a := mustOpinions(t, ssdrnb.NewData(x, labels)); !math.IsNaN(a.ExpectedAccuracy()) || strings.Contains(a.String(), "expected") {
		t.Errorf("labels of one class have the expected accuracy %v:\n%s", a.ExpectedAccuracy(), a)
	}
	labels[25] = 1
	rows, err := ssdrnb.Suggest(t.Context(), ssdrnb.NewData(x, labels), 1)
	if err != nil || rows[0] < 40 {
		t.Errorf("suggested %v (%v), want a sample of the group without a label", rows, err)
	}
}

// TestSuspicions finds wrong labels planted in clear groups, and names the labels that contradict
// them.
func TestSuspicions(t *testing.T) {
	d := datasets.Digits().KeepLabels(20).Seed(4)
	labels := slices.Clone(d.Labels)
	wrong := map[int]bool{}
	for k, i := range labelled(d) {
		if k%20 == 7 {
			labels[i] = (labels[i] + 3) % 10
			wrong[i] = true
		}
	}
	s, err := ssdrnb.Suspicions(t.Context(), d.WithLabels(labels))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for k, one := range s.Labels {
		if last := s.Labels[max(0, k-1)]; one.Suspicion+one.Apart > last.Suspicion+last.Apart {
			t.Fatal("out of order")
		}
		if k < len(wrong) && wrong[one.Row] {
			found++
		}
		if (one.Disagrees || one.Backed) != (len(one.Because) > 0) {
			t.Errorf("%+v", one)
		}
		for _, r := range one.Because {
			if r.Row == one.Row || r.Class != one.Proposed || !(r.Weight > 0 && r.Weight <= 1) {
				t.Errorf("sample %d, for which %d is proposed, is outvoted by %+v", one.Row, one.Proposed, r)
			}
		}
	}
	if found < len(wrong)*7/10 {
		t.Errorf("%d of %d wrong labels among as many of the most suspicious:\n%v", found, len(wrong), s)
	}
}

// TestSuggestBeatsChance requests suggestions one by one, starting without labels, and predicts
// more hidden labels than from as many random labels.
func TestSuggestBeatsChance(t *testing.T) {
	d := datasets.Digits().Take(50)
	truth := d.Labels
	accuracy := func(labels []int) float64 {
		right, n := 0, 0
		for i, c := range mustOpinions(t, d.WithLabels(labels)).Predicted() {
			if labels[i] < 0 {
				n++
				if c == truth[i] {
					right++
				}
			}
		}
		return float64(right) / float64(n)
	}
	labels := slices.Repeat([]int{-1}, d.Len())
	for range 3 {
		rows, err := ssdrnb.Suggest(t.Context(), d.WithLabels(labels), 10)
		if err != nil || len(rows) != 10 {
			t.Fatal(rows, err)
		}
		for _, i := range rows {
			if labels[i] >= 0 {
				t.Fatalf("sample %d is labelled", i)
			}
			labels[i] = truth[i]
		}
	}
	ours, chance := accuracy(labels), 0.0
	const draws = 5
	for s := range draws {
		random := slices.Repeat([]int{-1}, d.Len())
		for _, i := range rand.New(rand.NewPCG(uint64(s), 5)).Perm(d.Len())[:30] {
			random[i] = truth[i]
		}
		chance += accuracy(random) / draws
	}
	if !(ours > chance+0.03) {
		t.Errorf("%.3f from 30 suggested labels, %.3f from random ones", ours, chance)
	}
}

func TestKnowledgeErrors(t *testing.T) {
	d := datasets.Iris()
	none := d.WithLabels(slices.Repeat([]int{-1}, d.Len()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	opinions := func(ctx context.Context, d *data.Data) error { _, err := ssdrnb.Opinions(ctx, d); return err }
	suggest := func(n int) func(context.Context, *data.Data) error {
		return func(ctx context.Context, d *data.Data) error { _, err := ssdrnb.Suggest(ctx, d, n); return err }
	}
	suspicions := func(ctx context.Context, d *data.Data) error { _, err := ssdrnb.Suspicions(ctx, d); return err }
	for name, c := range map[string]struct {
		call func(context.Context, *data.Data) error
		ctx  context.Context
		data *data.Data
		want error
	}{
		"opinions without labels":   {opinions, t.Context(), none, ssdrnb.ErrNeedsLabels},
		"suspicions without labels": {suspicions, t.Context(), none, ssdrnb.ErrNeedsLabels},
		"opinions of nil":           {opinions, t.Context(), nil, ssdrnb.ErrData},
		"suggestions of nil":        {suggest(1), t.Context(), nil, ssdrnb.ErrData},
		"suspicions of nil":         {suspicions, t.Context(), nil, ssdrnb.ErrData},
		"no suggestion":             {suggest(0), t.Context(), none, ssdrnb.ErrOption},
		"nothing to suggest":        {suggest(1), t.Context(), d, ssdrnb.ErrNoSuggestion},
		"cancelled opinions":        {opinions, ctx, d.KeepLabels(2), ssdrnb.ErrCancelled},
		"cancelled suggestions":     {suggest(3), ctx, none, ssdrnb.ErrCancelled},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.call(c.ctx, c.data)
			var e *ssdrnb.Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Method == "" || e.Remedy == "" {
				t.Error(err)
			}
		})
	}
}
