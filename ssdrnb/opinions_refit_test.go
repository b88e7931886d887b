package ssdrnb

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Methods with class scores have opinions: probabilities that are calibrated, for samples and new
// rows, that can be saved, and that do not depend on hidden labels.
func TestOpinionsOfScores(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Digits().Seed(2).Take(15).KeepLabels(5)
	for _, e := range []Estimator{FME(), LapRLS(), LMRAG(), S3RMM().Dims(8), KS3RMM().Dims(8)} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		o, err := m.Opinions()
		if err != nil {
			t.Errorf("%s: %v", m.Method(), err)
			continue
		}
		p := o.Probabilities()
		n, c := p.Dims()
		if n != d.Len() || c != 10 || o.Unreached() != 0 {
			t.Fatalf("%s: %d×%d probabilities, %d unreached", m.Method(), n, c, o.Unreached())
		}
		var hidden []int
		var sure, right []float64
		for i := range n {
			if sum := mat.Sum(p.RowView(i)); math.Abs(sum-1) > 1e-12 {
				t.Fatalf("%s: row %d sums to %v", m.Method(), i, sum)
			}
			if d.Labels[i] == data.Unlabelled {
				hidden = append(hidden, i)
				sure = append(sure, slices.Max(p.RawRowView(i)))
				hit := 0.0
				if o.Predicted()[i] == d.Truth[i] {
					hit = 1
				}
				right = append(right, hit)
			}
		}
		mean := func(v []float64) float64 { return mat.Sum(mat.NewVecDense(len(v), v)) / float64(len(v)) }
		b, _ := o.Report().Fact("sharpness")
		t.Logf("%s: sharpness %.1f, %.3f of %d right, %.3f expected", m.Method(), b, mean(right), len(hidden), mean(sure))
		if gap := mean(sure) - mean(right); mean(right) < 0.7 || math.Abs(gap) > 0.2 {
			t.Errorf("%s: %.3f right, %.3f expected", m.Method(), mean(right), mean(sure))
		}
		if left, _ := o.Report().Fact("labels left out"); left != 50 {
			t.Errorf("%s: %g labels left out, want all 50", m.Method(), left)
		}
		again, err := m.Probabilities(d.X)
		if err != nil || m.regresses() && !mat.EqualApprox(again, p, 1e-9) {
			t.Errorf("%s: the samples as new rows have other probabilities: %v", m.Method(), err)
		}

		other := *d
		other.Truth = make([]int, n)
		blind := e.Spec().MustFit(&other)
		if o2, err := blind.Opinions(); err != nil || !mat.Equal(o2.Probabilities(), p) {
			t.Errorf("%s: opinions read hidden labels: %v", m.Method(), err)
		}

		path := filepath.Join(t.TempDir(), "m.npz")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if o2, err := loaded.Opinions(); err != nil || !mat.Equal(o2.Probabilities(), p) {
			t.Errorf("%s: loaded: %v", m.Method(), err)
		}
		if q, err := loaded.Probabilities(d.X); err != nil || !mat.EqualApprox(q, again, 1e-9) {
			t.Errorf("%s: loaded, new rows: %v", m.Method(), err)
		}
	}
	reduced, err := FME().MustFit(d).Reduce(2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reduced.Opinions(); !errors.Is(err, ErrNoOpinion) {
		t.Errorf("a reduced model: %v", err)
	}
	one := FME().MustFit(datasets.Iris().KeepLabels(1).Seed(1))
	if o, err := one.Opinions(); err != nil {
		t.Error(err)
	} else if b, _ := o.Report().Fact("sharpness"); b != usualScoreSharpness {
		t.Errorf("one label per class, none to leave out: sharpness %g", b)
	}
}
