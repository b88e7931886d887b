package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Noise is no better than noise, and groups are better: a few of the 100 trials of bench -null.
func TestAgainstNull(t *testing.T) {
	planted := func(seed uint64, apart float64, value func(*rand.Rand) float64) *data.Data {
		rng := rand.New(rand.NewPCG(seed, 42))
		x := mat.NewDense(150, 10, nil)
		for i := range 150 {
			for j := range 10 {
				v := value(rng)
				if j == i%5 {
					v += apart
				}
				x.Set(i, j, v)
			}
		}
		return data.New(x, nil)
	}
	of := func(e ssdrnb.Estimator, d *data.Data) *ssdrnb.NullTable {
		null, err := ssdrnb.AgainstNull(t.Context(), e, d, 10)
		if err != nil {
			t.Fatal(err)
		}
		return null
	}
	umap, seeds := ssdrnb.UMAP().Iterations(200), uint64(2)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		for name, d := range map[string]*data.Data{"Gaussian": planted(seed, 0, (*rand.Rand).NormFloat64), "uniform": planted(seed, 0, (*rand.Rand).Float64)} {
			for _, e := range []ssdrnb.Estimator{umap, ssdrnb.PCA()} {
				if null := of(e, d); null.Kept.Grade == ssdrnb.BetterThanNoise {
					t.Errorf("%s noise, seed %d, %v:\n%v", name, seed, e, null)
				}
			}
		}
		null := of(umap, planted(seed, 4, (*rand.Rand).NormFloat64))
		if null.Kept.Grade != ssdrnb.BetterThanNoise || null.Islands != 5 || null.NoiseIslands >= 5 {
			t.Errorf("five groups, seed %d:\n%v", seed, null)
		}
		if null.Labels != nil {
			t.Errorf("labels of unlabelled data are compared: %v", null.Labels)
		}
	}
	groups := planted(1, 4, (*rand.Rand).NormFloat64)
	if a, b := of(ssdrnb.PCA(), groups), of(ssdrnb.PCA(), groups); a.String() != b.String() || !slices.Equal(a.Share, b.Share) {
		t.Errorf("%v, then %v", a, b)
	}
}

// True labels are better than shuffled ones, and random labels are not.
func TestAgainstNullLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	iris := datasets.Iris().KeepLabels(15).Seed(1)
	random := slices.Clone(iris.Labels)
	rng := rand.New(rand.NewPCG(1, 2))
	for i, l := range random {
		if l >= 0 {
			random[i] = rng.IntN(3)
		}
	}
	s2ne := ssdrnb.S2NE().Iterations(50).Unfold(20)
	right, err := ssdrnb.AgainstNull(t.Context(), s2ne, iris, 10)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := ssdrnb.AgainstNull(t.Context(), s2ne, iris.WithLabels(random), 10)
	if err != nil {
		t.Fatal(err)
	}
	if right.Labels == nil || right.Labels.Grade == ssdrnb.NoBetterThanNoise {
		t.Errorf("labels of the data:\n%v", right)
	}
	if wrong.Labels == nil || wrong.Labels.Grade != ssdrnb.NoBetterThanNoise {
		t.Errorf("random labels:\n%v", wrong)
	}
	for _, part := range []string{"shuffled labels", "in a second run", "permuted features"} {
		if !strings.Contains(right.String(), part) {
			t.Errorf("%q is missing:\n%v", part, right)
		}
	}
	if sum := right.Count(ssdrnb.BetterThanNoise) + right.Count(ssdrnb.UnclearNoise) + right.Count(ssdrnb.NoBetterThanNoise); sum != 150 {
		t.Errorf("%d samples have a grade", sum)
	}
}

func TestAgainstNullErrors(t *testing.T) {
	var e *ssdrnb.Error
	if _, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.PCA(), datasets.Iris(), 2); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrOption) || e.Param != "runs" {
		t.Error(err)
	}
	if _, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.PCA(), nil, 3); !errors.Is(err, ssdrnb.ErrData) {
		t.Error(err)
	}
	iris := datasets.Iris()
	far := mat.NewSymDense(150, nil)
	for i := range 150 {
		for j := range i {
			far.SetSym(i, j, float64(i-j)+math.Abs(iris.X.At(i, 0)-iris.X.At(j, 0)))
		}
	}
	if _, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.UMAP().Iterations(5), data.FromDistances(far), 3); !errors.Is(err, ssdrnb.ErrData) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ssdrnb.AgainstNull(ctx, ssdrnb.PCA(), iris, 3); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
