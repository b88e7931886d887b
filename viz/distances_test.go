package viz

import (
	"encoding/base64"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// ranked returns the rank of each number.
func ranked(v []float64) []float64 {
	order := make([]int, len(v))
	floats.Argsort(slices.Clone(v), order)
	rank := make([]float64, len(v))
	for r, i := range order {
		rank[i] = float64(r)
	}
	return rank
}

// TestPlaces compares distances computed from one byte per coordinate with distances in all
// features.
func TestPlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	noise := mat.NewDense(300, 100, nil)
	for k := range noise.RawMatrix().Data {
		noise.RawMatrix().Data[k] = rng.NormFloat64()
	}
	for name, c := range map[string]struct {
		d     *data.Data
		alike float64 // minimum rank correlation
	}{
		"digits": {datasets.Digits(), 0.99}, "wine": {datasets.Wine(), 0.99}, "wine, standardised": {datasets.Wine().Standardize(), 0.99},
		"noise of 100 features": {data.New(noise, nil), 0.6}, // 31 components hold half of it
	} {
		p, err := placesOf(c.d)
		if err != nil {
			t.Fatal(name, err)
		}
		least, ratio := 1.0, 0.0
		for i := 0; i < c.d.Len(); i += 1 + c.d.Len()/20 {
			var exact, short []float64
			for j := range c.d.Len() {
				if j != i {
					exact, short = append(exact, floats.Distance(c.d.X.RawRowView(i), c.d.X.RawRowView(j), 2)), append(short, apartBy(p, i, j))
				}
			}
			least = min(least, stat.Correlation(ranked(exact), ranked(short), nil))
			ratio = max(ratio, math.Abs(floats.Sum(short)/floats.Sum(exact)-1))
		}
		t.Logf("%s: rank correlation at least %.4f, mean distances differ by up to %.4f", name, least, ratio)
		if least < c.alike || ratio > 0.02 {
			t.Errorf("%s: rank correlation %.4f, wanted %.2f; mean distances differ by %.4f", name, least, c.alike, ratio)
		}
	}
}

// TestPlacesOfAnyScale checks that the unit of the features does not change the stored coordinates.
func TestPlacesOfAnyScale(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(50, 45, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = rng.NormFloat64()
	}
	var first []byte
	for _, scale := range []float64{1, 1e-300, 1e-170, 1e-100, 1e160, 1e300} {
		var scaled mat.Dense
		scaled.Scale(scale, x)
		p, err := placesOf(data.New(&scaled, nil))
		if err != nil {
			t.Fatal(scale, err)
		}
		raw, err := base64.StdEncoding.DecodeString(p.Of)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			if first = raw; first[p.Dims-1] < 140 {
				t.Fatalf("the first residual is %d", first[p.Dims-1])
			}
		}
		for k, v := range raw {
			if math.Abs(float64(v)-float64(first[k])) > 1 {
				t.Errorf("scale %g: coordinate %d of sample %d is %d instead of %d", scale, k%p.Dims, k/p.Dims, v, first[k])
				break
			}
		}
	}
}

// TestPlacesOfFigures checks which figures carry coordinates for distances, their size, and what is
// refused.
func TestPlacesOfFigures(t *testing.T) {
	iris := datasets.Iris()
	pca, lda := ssdrnb.PCA().Dims(2).MustFit(iris), ssdrnb.LDA().Dims(2).MustFit(iris)
	if e := carried(t, Embedding(pca)); e.Places != nil {
		t.Error("a figure carries places unasked")
	}
	e := carried(t, Compare(pca, lda).Distances())
	if len(e.Places) != 1 || *e.Panels[1].Places != 0 || e.Places[0].Dims != 5 {
		t.Errorf("two panels carry %+v", e.Places)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	wide := mat.NewDense(5000, 60, nil)
	for k := range wide.RawMatrix().Data {
		wide.RawMatrix().Data[k] = rng.NormFloat64()
	}
	large, err := placesOf(data.New(wide, nil))
	if err != nil {
		t.Fatal(err)
	}
	if raw, _ := base64.StdEncoding.DecodeString(large.Of); len(raw) > 160_000 {
		t.Errorf("%d bytes for 5,000 samples", len(raw))
	}
	for want, f := range map[string]Figure{
		"Distances and Linked are for two dimensions": Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)).Distances(),
		"one dimension; fit with":                     Embedding(ssdrnb.PCA().Dims(1).MustFit(iris)).Distances(),
		"all 4 samples are equal":                     Embedding(Samples(data.New(mat.NewDense(4, 2, nil), nil))).Distances(),
	} {
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
