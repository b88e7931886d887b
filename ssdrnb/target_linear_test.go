package ssdrnb_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// linearTargets are the methods that use a target in place of labels.
func linearTargets() map[string]ssdrnb.Estimator {
	return map[string]ssdrnb.Estimator{
		"PLS": ssdrnb.PLS(), "SPCA": ssdrnb.SPCA(), "LapRLS": ssdrnb.LapRLS(), "FME": ssdrnb.FME(), "LDA": ssdrnb.LDA(), "slices": ssdrnb.LDA().Slices(4),
		"SDA": ssdrnb.SDA(), "TR-SDA": ssdrnb.TRSDA().Slices(3), "S3RMM": ssdrnb.S3RMM().Slices(3),
	}
}

func TestLinearTarget(t *testing.T) {
	d := proline()
	for name, e := range linearTargets() {
		model, err := e.FitContext(t.Context(), d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := model.Score(ssdrnb.TargetR2, nil); err != nil || !(got > 0.1) || model.Dims() != 2 {
			t.Errorf("%s: R² %.2f in %d dimensions, %v", name, got, model.Dims(), err)
		}
		if model.Data().Labels != nil || model.Data().Target() == nil {
			t.Errorf("%s: the model's data have labels %v", name, model.Data().Labels)
		}
		// Hidden values are not read.
		lied := d.WithTarget("proline", d.Target().Values)
		lied.Targets[0].Truth = slices.Repeat([]float64{7}, d.Len())
		if other, err := e.FitContext(t.Context(), lied); err != nil || !mat.Equal(other.Embedding(), model.Embedding()) {
			t.Errorf("%s: another embedding by other hidden values, %v", name, err)
		}
		// New samples, and a file.
		y, err := model.Transform(d.X)
		if err != nil || !mat.EqualApprox(y, model.Embedding(), 1e-8) {
			t.Errorf("%s: copies of the samples are elsewhere, %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := model.Save(path); err != nil {
			t.Fatal(err)
		}
		if read, err := ssdrnb.Load(path); err != nil || !mat.Equal(read.Embedding(), model.Embedding()) {
			t.Errorf("%s: %v", name, err)
		}
		for want, values := range map[string][]float64{"0 known values": slices.Repeat([]float64{math.NaN()}, d.Len()), "178 known values": slices.Repeat([]float64{3}, d.Len())} {
			_, err := e.FitContext(t.Context(), d.WithTarget("price", values))
			var e *ssdrnb.Error
			if !errors.As(err, &e) || e.Remedy == "" || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "class") && !strings.Contains(err.Error(), "label") {
				t.Errorf("%s: %v lacks %q", name, err, want)
			}
		}
	}
}

// The regressions fit the target in its units: they follow its shift and scale.
func TestTargetRegression(t *testing.T) {
	d := proline()
	moved := slices.Clone(d.Target().Values)
	for i := range moved {
		moved[i] = 1000 - 3*moved[i]
	}
	for name, e := range map[string]ssdrnb.Estimator{"LapRLS": ssdrnb.LapRLS().Intrinsic(1e-4), "FME": ssdrnb.FME().LabelWeight(100)} {
		model, err := e.FitContext(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		fitted := mat.Col(nil, 0, model.Embedding())
		if got := r2(d.HiddenTarget(), fitted); !(got > 0.3) {
			t.Errorf("%s: R² of hidden values %.2f", name, got)
		}
		other, err := e.FitContext(t.Context(), d.WithTarget("moved", moved))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range mat.Col(nil, 0, other.Embedding()) {
			if math.Abs(1000-3*fitted[i]-v) > 1e-6*math.Abs(v) {
				t.Fatalf("%s: sample %d: %v becomes %v", name, i, fitted[i], v)
			}
		}
		// The second axis is orthogonal to the first, and of length 1.
		w, _, err := model.Projection()
		if err != nil {
			t.Fatal(err)
		}
		if a, b := w.ColView(0), w.ColView(1); math.Abs(mat.Dot(a, b)) > 1e-8*mat.Norm(a, 2) || math.Abs(mat.Norm(b, 2)-1) > 1e-8 {
			t.Errorf("%s: second axis %v", name, mat.Norm(b, 2))
		}
	}
}

// Slices act as classes: they equal labels of the same groups, for each number of slices.
func TestSlicesAreClasses(t *testing.T) {
	d := proline()
	known := d.Target().Known()
	order := slices.Clone(known)
	slices.SortStableFunc(order, func(a, b int) int {
		if d.Target().Values[a] < d.Target().Values[b] {
			return -1
		}
		return 1
	})
	labelled := func(h int) *data.Data {
		labels := slices.Repeat([]int{data.Unlabelled}, d.Len())
		for place, i := range order {
			labels[i] = place * h / len(order)
			if k := place; k > 0 && d.Target().Values[i] == d.Target().Values[order[k-1]] {
				labels[i] = labels[order[k-1]]
			}
		}
		return data.New(d.X, nil).WithLabels(labels)
	}
	for _, h := range []int{2, 4, 7} {
		got, want := ssdrnb.SDA().Slices(h).MustFit(d), ssdrnb.SDA().MustFit(labelled(h))
		if !mat.Equal(got.Embedding(), want.Embedding()) {
			t.Errorf("%d slices are not as %d classes", h, h)
		}
		if f, _ := got.Report().Fact("slices"); int(f) != h {
			t.Errorf("%v slices, want %d", f, h)
		}
	}
	auto := ssdrnb.LDA().MustFit(d)
	if want := ssdrnb.LDA().Slices(min(len(known)/5, 8)).MustFit(d); !mat.Equal(auto.Embedding(), want.Embedding()) {
		t.Error("the automatic number of slices")
	}
	// Labels are used as classes unless slices are requested.
	both := d.WithLabels(labelled(2).Labels)
	if got, want := ssdrnb.LDA().MustFit(both), ssdrnb.LDA().MustFit(labelled(2)); !mat.Equal(got.Embedding(), want.Embedding()) {
		t.Error("labels are not read where there is a target")
	}
	if got := ssdrnb.LDA().Slices(4).MustFit(both); !mat.Equal(got.Embedding(), ssdrnb.LDA().Slices(4).MustFit(d).Embedding()) || !strings.Contains(strings.Join(got.Report().Warnings, "\n"), "replaces the labels") {
		t.Errorf("slices beside labels: %q", got.Report().Warnings)
	}
	// Slices replace pairs too, even contradictory ones.
	pair := data.Pair{I: known[0], J: known[1]}
	got := ssdrnb.S3RMM().Slices(4).MustFit(both.WithPairs(data.Pairs{Must: []data.Pair{pair}, Cannot: []data.Pair{{I: 1, J: 2}}}))
	if w := strings.Join(got.Report().Warnings, "\n"); !mat.Equal(got.Embedding(), ssdrnb.S3RMM().Slices(4).MustFit(d).Embedding()) || !strings.Contains(w, "replaces the labels and pairs") || strings.Contains(w, "contradict") {
		t.Errorf("slices beside pairs: %q", w)
	}
	// A sweep shares work that is the same for all cells, and nothing else.
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), d).List("slices", 2, 4, 7).Score(ssdrnb.TargetR2).MustRun()
	for k, h := range []int{2, 4, 7} {
		want, err := ssdrnb.SDA().Slices(h).MustFit(d).Score(ssdrnb.TargetR2, nil)
		if err != nil || sweep.Unlabelled[k].Scores[0] != want {
			t.Errorf("%d slices: %v in a sweep, %v alone, %v", h, sweep.Unlabelled[k].Scores, want, err)
		}
	}
	chain, err := ssdrnb.Then(ssdrnb.LDA().Slices(5).Dims(3), ssdrnb.UMAP().Iterations(20)).Fit(d)
	if err != nil || chain.Dims() != 2 {
		t.Errorf("a chain of slices: %v", err)
	}
}

// With labels, the values of SPCA are the eigenvalues of Σ(n_k/m)²(μ_k − μ)(μ_k − μ)ᵀ, where class
// k has n_k of the m labelled samples and mean μ_k, and μ is the mean of all m.
func TestSPCAOfClasses(t *testing.T) {
	d := blobs(6, 5)
	model := ssdrnb.SPCA().MustFit(d)
	classes := d.Classes()
	_, features := d.X.Dims()
	mean, m := make([]float64, features), 0.0
	sums := mat.NewDense(len(classes), features, nil)
	counts := make([]float64, len(classes))
	for i, l := range d.Labels {
		if l >= 0 {
			k := slices.Index(classes, l)
			counts[k]++
			m++
			for c, v := range d.X.RawRowView(i) {
				mean[c] += v
				sums.Set(k, c, sums.At(k, c)+v)
			}
		}
	}
	for k, n := range counts {
		for c := range features {
			sums.Set(k, c, (sums.At(k, c)-n*mean[c]/m)/m)
		}
	}
	q := mat.NewSymDense(features, nil)
	q.SymOuterK(1, sums.T())
	var e mat.EigenSym
	if !e.Factorize(q, true) {
		t.Fatal("no eigenvalues")
	}
	all := e.Values(nil)
	for k, v := range model.Values() {
		if want := all[features-1-k]; math.Abs(v-want) > 1e-9*all[features-1] {
			t.Errorf("value %d is %v, want %v", k, v, want)
		}
	}
}

// Errors name what was used, the labels or the target.
func TestLinearErrorsNameTheKnowledge(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{-1, -1, 1, 1, -1, 1, 1, -1})
	classes, values := ssdrnb.NewData(x, []int{0, 0, 1, 1}), ssdrnb.NewData(x, nil).WithTarget("size", []float64{0, 0, 1, 1})
	equal := ssdrnb.NewData(mat.NewDense(3, 1, []float64{1, 1, 2}), nil).WithTarget("size", []float64{1, 2, math.NaN()})
	for name, c := range map[string]struct {
		err   error
		param string
		want  error
	}{
		"PLS of classes":   {fitErr(ssdrnb.PLS(), classes), "labels", ssdrnb.ErrNeedsLabels},
		"PLS of a target":  {fitErr(ssdrnb.PLS(), values), "target", ssdrnb.ErrNeedsTarget},
		"SPCA of classes":  {fitErr(ssdrnb.SPCA(), classes), "labels", ssdrnb.ErrNeedsLabels},
		"SPCA of a target": {fitErr(ssdrnb.SPCA(), values), "target", ssdrnb.ErrNeedsTarget},
		"LDA of slices":    {fitErr(ssdrnb.LDA().Dims(1), equal), "target", ssdrnb.ErrNeedsTarget},
	} {
		var e *ssdrnb.Error
		if !errors.As(c.err, &e) || e.Param != c.param || !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}
