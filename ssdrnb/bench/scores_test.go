package main

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// TestEstimated compares estimates from all samples and from some of them with the exact values.
func TestEstimated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(400, 6, nil), mat.NewDense(400, 2, nil)
	for i := range 400 {
		for j := range 6 {
			x.Set(i, j, rng.NormFloat64())
		}
		for j := range 2 {
			y.Set(i, j, x.At(i, j)+rng.NormFloat64())
		}
	}
	trust, err := metrics.Trustworthiness(context.Background(), x, y, trustNear)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := metrics.Kept(context.Background(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	if trusted, share := estimated(x, y, 400); math.Abs(trusted-trust) > 1e-12 || math.Abs(share-kept.Share) > 1e-12 {
		t.Errorf("all samples: %v and %v, want %v and %v", trusted, share, trust, kept.Share)
	}
	if trusted, share := estimated(x, y, 130); trusted == trust || math.Abs(trusted-trust) > 0.05 || share == kept.Share || math.Abs(share-kept.Share) > 0.05 {
		t.Errorf("130 samples: %v and %v, all: %v and %v", trusted, share, trust, kept.Share)
	}
}

// The scores of a peer are read from the file only for the same versions, and a damaged file is
// named.
func TestKeptScores(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "scores.json")
	of := func(versions string) *scoring {
		return &scoring{versions: versions, known: map[string]score{}, file: file, drawn: map[string]*mat.Dense{}}
	}
	e := entrant{name: "peer", peer: "function"}
	x := datasets.Iris().KeepLabels(5).Seed(1)
	measure := func(versions string) (score, error) {
		s := of(versions)
		if err := s.read(); err != nil {
			return score{}, err
		}
		s.drawn["iris|peer|1"] = x.X // in the place of a peer
		return s.rate(e, "iris", 5, 1, x)
	}
	first, err := measure("1.0")
	if err != nil {
		t.Fatal(err)
	}
	x = x.PCA(0.5)
	if again, err := measure("1.0"); err != nil || again != first {
		t.Errorf("a kept score is %v instead of %v, %v", again, first, err)
	}
	if other, err := measure("1.1"); err != nil || other == first {
		t.Errorf("another version has the score %v, %v", other, err)
	}
	if again, err := measure("1.0"); err != nil || again != first {
		t.Errorf("a kept score is %v instead of %v, %v", again, first, err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := measure("1.0"); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a damaged file: %v", err)
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		null, draws, rounds int
		says                string
	}{{0, 1, 1, ""}, {9, 5, 5, ""}, {-5, 5, 5, "-null -5"}, {0, 0, 5, "-draws 0"}, {0, -1, 5, "-draws -1"}, {0, 5, 0, "-rounds 0"}} {
		if err := checkCounts(c.null, c.draws, c.rounds); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
