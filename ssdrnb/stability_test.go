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

// Principal components of data in a plane are stable, those of noise in many dimensions are not,
// and the same call gives the same table.
func TestStability(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	plane, noise := mat.NewDense(200, 40, nil), mat.NewDense(200, 40, nil)
	for i := range 200 {
		for j := range 40 {
			noise.Set(i, j, rng.NormFloat64())
		}
		plane.Set(i, 0, 10*rng.NormFloat64())
		plane.Set(i, 1, 5*rng.NormFloat64())
	}
	of := func(x *mat.Dense) *ssdrnb.StabilityTable {
		s, err := ssdrnb.Stability(t.Context(), ssdrnb.PCA(), data.New(x, nil), 4)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	flat, none := of(plane), of(noise)
	if flat.Mean() < 0.999 || none.Mean() > 0.6 || len(flat.Runs) != 4 || flat.K != 15 {
		t.Errorf("%v of the neighbours stay in a plane, %v of noise; %d runs, K %d", flat.Mean(), none.Mean(), len(flat.Runs), flat.K)
	}
	if again := of(noise); !slices.Equal(again.Runs, none.Runs) {
		t.Errorf("%v, then %v", none.Runs, again.Runs)
	}
	if want := 15.0 / 125; math.Abs(none.Chance-want) > 0.02 {
		t.Errorf("chance %v, about %v", none.Chance, want)
	}
	for i, v := range none.Share {
		if v < 0 || v > 1 {
			t.Errorf("share %v of sample %d", v, i)
		}
	}
	if text := none.String(); !strings.Contains(text, "4 repetitions") {
		t.Error(text)
	}
}

// Samples with labels, pairs or known coordinates are in all repetitions, and layouts get other
// seeds.
func TestStabilityKnowledge(t *testing.T) {
	d := datasets.Iris().KeepLabels(2).Seed(1)
	s, err := ssdrnb.Stability(t.Context(), ssdrnb.S2NE().Iterations(10).Unfold(10), d, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range d.Labels {
		if l >= 0 && math.IsNaN(s.Share[i]) {
			t.Errorf("labelled sample %d is in no repetition", i)
		}
	}
	if s.Runs[0] == s.Runs[1] {
		t.Errorf("both repetitions are the same: %v", s.Runs)
	}
}

// Samples with known values of a target are in all repetitions, unless they are more than half of
// all samples.
func TestStabilityTarget(t *testing.T) {
	x := datasets.Iris().HideLabels()
	with := func(step int) *data.Data {
		values := slices.Repeat([]float64{math.NaN()}, x.Len())
		for i := 0; i < x.Len(); i += step {
			values[i] = x.X.At(i, 0)
		}
		return x.WithTarget("sepal", values)
	}
	for _, e := range []ssdrnb.Estimator{ssdrnb.PLS().Dims(1), ssdrnb.LapRLS(), ssdrnb.S2NE().Iterations(2).Unfold(2)} {
		d := with(60)
		s, err := ssdrnb.Stability(t.Context(), e, d, 8)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range d.Target().Known() {
			if math.IsNaN(s.Share[i]) {
				t.Errorf("%v: sample %d, whose value is known, is in no repetition", e.Spec(), i)
			}
		}
		if _, err := ssdrnb.AgainstNull(t.Context(), e, d, 3); err != nil {
			t.Error(err)
		}
	}
	s, err := ssdrnb.Stability(t.Context(), ssdrnb.PLS().Dims(1), with(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(s.Share, math.IsNaN) {
		t.Error("the repetition has all samples")
	}
}

// The remedies for data without dense features name only data and functions that suit the method.
func TestStabilityOfOtherMethods(t *testing.T) {
	apart := mat.NewSymDense(6, nil)
	for i := range 6 {
		for k := range i {
			apart.SetSym(i, k, float64(i-k))
		}
	}
	distances, given := data.FromDistances(apart), data.FromNeighbors(1, []int32{1, 0, 1, 2, 3, 4}, []float64{1, 1, 1, 1, 1, 1})
	for e, want := range map[ssdrnb.Estimator]bool{ssdrnb.UMAP(): true, ssdrnb.LLE(): true, ssdrnb.PCA(): false} {
		_, byNeighbors := ssdrnb.Stability(t.Context(), e, given, 2)
		_, byDistances := ssdrnb.AgainstNull(t.Context(), e, distances, 3)
		if byNeighbors == nil || strings.Contains(byNeighbors.Error(), "FromDistances") != want || byDistances == nil || strings.Contains(byDistances.Error(), "Stability") != want {
			t.Errorf("%v: %v\n%v", e.Spec(), byNeighbors, byDistances)
		}
	}
}

// Repetitions of few samples have enough of them for the dimensions of the embedding.
func TestStabilityOfFewSamples(t *testing.T) {
	for n := 2; n < 7; n++ {
		d, dims := noise(n).HideLabels(), min(2, n-1)
		for _, e := range []ssdrnb.Estimator{ssdrnb.PCA().Dims(dims), ssdrnb.UMAP().Dims(dims).Iterations(5)} {
			if table, err := ssdrnb.Stability(t.Context(), e, d, 20); err != nil || len(table.Runs) != 20 {
				t.Errorf("%d samples: %v", n, err)
			}
			if _, err := ssdrnb.AgainstNull(t.Context(), e, d, 3); err != nil {
				t.Errorf("%d samples: %v", n, err)
			}
		}
	}
}

// The largest seed has a next one too.
func TestStabilitySeeds(t *testing.T) {
	d := blobs(3, 1)
	for _, seed := range []int{0, math.MaxInt32 - 1, math.MaxInt32} {
		if _, err := ssdrnb.Stability(t.Context(), ssdrnb.UMAP().Iterations(2).Seed(seed), d, 2); err != nil {
			t.Error(err)
		}
		if _, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.UMAP().Iterations(2).Seed(seed), d, 3); err != nil {
			t.Error(err)
		}
	}
}

func TestStabilityErrors(t *testing.T) {
	var e *ssdrnb.Error
	if _, err := ssdrnb.Stability(t.Context(), ssdrnb.PCA(), datasets.Iris(), 0); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrOption) || e.Param != "runs" {
		t.Error(err)
	}
	if _, err := ssdrnb.Stability(t.Context(), ssdrnb.PCA(), nil, 2); !errors.Is(err, ssdrnb.ErrData) {
		t.Error(err)
	}
	if _, err := ssdrnb.Stability(t.Context(), ssdrnb.PCA().Dims(-1), datasets.Iris(), 2); !errors.Is(err, ssdrnb.ErrOption) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ssdrnb.Stability(ctx, ssdrnb.PCA(), datasets.Iris(), 2); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
