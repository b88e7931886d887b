package graph

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Every metric agrees with SciPy and scikit-learn, whose results are in testdata/metrics.json:
// between samples, and between queries and samples.
func TestMetricsAreThoseOfSciPy(t *testing.T) {
	raw, err := os.ReadFile("testdata/metrics.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Samples, Queries, Places [][]float64
		OtherPlaces              [][]float64 `json:"other places"`
		Distances                map[string]struct{ Samples, Queries [][]float64 }
	}
	if err := json.Unmarshal(raw, &reference); err != nil {
		t.Fatal(err)
	}
	for m := Euclidean; m <= LastMetric; m++ {
		want, ok := reference.Distances[m.String()]
		if !ok {
			t.Errorf("%v: no reference", m)
			continue
		}
		x, q := golden.Dense(reference.Samples), golden.Dense(reference.Queries)
		if m == Haversine {
			x, q = golden.Dense(reference.Places), golden.Dense(reference.OtherPlaces)
		}
		check := func(what string, nb *Neighbors, err error, want [][]float64) {
			t.Helper()
			if err != nil {
				t.Errorf("%v, %s: %v", m, what, err)
				return
			}
			for i := range nb.Len() {
				index, dist := nb.Of(i)
				for a, j := range index {
					if w := want[i][j]; math.Abs(dist[a]-w) > 1e-7*max(1, w) {
						t.Errorf("%v, %s: the distance of %d and %d is %v, want %v", m, what, i, j, dist[a], w)
					}
				}
				if !slices.IsSorted(dist) {
					t.Errorf("%v, %s: %v is not sorted", m, what, dist)
				}
			}
		}
		n, _ := x.Dims()
		nb, err := Search(context.Background(), x, n-1, SearchOptions{Metric: m, Method: Exact})
		check("samples", nb, err, want.Samples)
		nb, err = Query(context.Background(), x, q, n, m)
		check("queries", nb, err, want.Queries)
		half, err := HalfMedian(context.Background(), x, m)
		var all []float64
		for i, row := range want.Samples {
			all = append(all, row[:i]...)
		}
		if median, _ := middle(all); err != nil || math.Abs(half-median/2) > 1e-7*median {
			t.Errorf("%v: half the median is %v, want %v; %v", m, half, median/2, err)
		}
	}
}

// For every metric, an approximate search finds the neighbours of an exact one and lists exact
// distances, in 40 features too and for samples of two values per feature.
func TestApproximateSearchByEveryMetric(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	const n, k = 4600, 8
	type search struct {
		metric Metric
		d      int
	}
	searches := []search{{Manhattan, 40}, {Chebyshev, 40}, {Hamming, 40}}
	for m := Spearman; m <= LastMetric; m++ {
		searches = append(searches, search{m, 12})
	}
	for _, s := range searches {
		m, d := s.metric, s.d
		x := mat.NewDense(n, d, nil)
		if m == Haversine {
			x = mat.NewDense(n, 2, nil)
		}
		for i := range n {
			row := x.RawRowView(i)
			middle := float64(i % 7)
			for j := range row {
				switch {
				case s == search{Hamming, 40}: // as sets
					row[j] = 2.5
					if rng.Float64() < 0.1+0.1*middle {
						row[j] = -1
					}
				case m == Haversine:
					row[j] = 10*middle + rng.NormFloat64()
				case m == Hamming:
					row[j] = math.Floor(5 * rng.Float64() * (1 + middle))
				case m == Jaccard:
					if rng.Float64() < 0.3+0.05*middle {
						row[j] = 1 + rng.Float64()
					}
				default:
					row[j] = math.Abs(middle*float64(j%3) + rng.NormFloat64())
				}
			}
			if s != (search{Hamming, 40}) {
				row[0] += 0.1
			}
		}
		// For metrics with few distinct values, distances are compared instead of indices.
		exact, err := Search(context.Background(), x, k, SearchOptions{Metric: m, Method: Exact})
		if err != nil {
			t.Fatalf("%v: %v", m, err)
		}
		near, err := Search(context.Background(), x, k, SearchOptions{Metric: m, Method: Approximate, Seed: 1})
		if err != nil {
			t.Fatalf("%v: %v", m, err)
		}
		found := 0
		for i := range n {
			_, want := exact.Of(i)
			index, dist := near.Of(i)
			for a, v := range dist {
				if v <= want[k-1]*(1+1e-9) {
					found++
				}
				if a > 0 && v < dist[a-1] || int(index[a]) == i {
					t.Fatalf("%v: neighbours %v at %v of %d", m, index, dist, i)
				}
			}
		}
		if recall := float64(found) / (n * k); recall < 0.9 || math.Abs(recall-near.Recall) > 0.06 {
			t.Errorf("%v by %v: recall %.3f, reported as %.3f", m, near.Method, recall, near.Recall)
		}
	}
}

// Samples for which a metric is undefined give an error with a remedy.
func TestMetricsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		metric Metric
		x      [][]float64
		want   error
	}{
		"degrees out of range":   {Haversine, [][]float64{{10, 20}, {91, 0}, {3, 4}}, ErrNotFinite},
		"three columns":          {Haversine, [][]float64{{10, 20, 1}, {9, 0, 1}, {3, 4, 1}}, ErrOption},
		"negative":               {Hellinger, [][]float64{{1, 2}, {-1, 3}, {3, 4}}, ErrNotFinite},
		"zeros, hellinger":       {Hellinger, [][]float64{{1, 2}, {0, 0}, {3, 4}}, ErrNotFinite},
		"constant row":           {Spearman, [][]float64{{1, 2}, {2, 2}, {3, 4}}, ErrNotFinite},
		"collinear":              {Mahalanobis, [][]float64{{1, 2}, {2, 4}, {3, 6}, {5, 10}}, ErrOption},
		"constant feature":       {Mahalanobis, [][]float64{{1, 2}, {2, 2}, {3, 2}}, ErrOption},
		"inexact mean":           {Mahalanobis, [][]float64{{1, 0.1}, {2, 0.1}, {3, 0.1}, {4, 0.1}, {5, 0.1}, {7, 0.1}, {8, 0.1}, {9, 0.1}, {10, 0.1}, {12, 0.1}}, ErrOption},
		"fewer samples than dim": {Mahalanobis, [][]float64{{1, 2, 3}, {2, 5, 1}, {3, 3, 3}}, ErrOption},
		"no such metric":         {LastMetric + 1, [][]float64{{1, 2}, {2, 2}}, ErrOption},
	} {
		if nb, err := Search(context.Background(), golden.Dense(c.x), 1, SearchOptions{Metric: c.metric}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, nb, err)
		}
	}
}

// A constant sample has no correlation, however many features it has and whether or not its mean is
// a rounded number.
func TestConstantSamples(t *testing.T) {
	for _, d := range []int{2, 100, 3000, 20000} {
		for _, v := range []float64{0, 0.1, 0.7, 1.3, -1e5 / 3, 3e-170} {
			x := mat.NewDense(3, d, nil)
			for j := range d {
				x.Set(0, j, math.Sin(float64(j)))
				x.Set(1, j, v)
				x.Set(2, j, math.Cos(float64(j)))
			}
			for _, m := range []Metric{Correlation, Spearman} {
				_, err := Search(context.Background(), x, 1, SearchOptions{Metric: m})
				if !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "row 1 is a constant row") {
					t.Errorf("%v, %d features of %v: %v", m, d, v, err)
				}
			}
		}
	}
}

// The correlation is unaffected by an offset far above the spread of a sample.
func TestCorrelationFarFromZero(t *testing.T) {
	const n, d = 4, 5000
	rng := rand.New(rand.NewPCG(1, 5))
	x, far := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, float64(rng.IntN(100)))
			far.Set(i, j, x.At(i, j)+1e12)
		}
	}
	want, err := Search(context.Background(), x, n-1, SearchOptions{Metric: Correlation})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Search(context.Background(), far, n-1, SearchOptions{Metric: Correlation})
	if err != nil {
		t.Fatal(err)
	}
	for a, v := range want.Dist {
		if math.Abs(got.Dist[a]-v) > 1e-9 {
			t.Errorf("correlation distance %v, but %v with an offset", v, got.Dist[a])
		}
	}
}

// The length of a sample does not affect its directions to others, as long as its values have all
// their digits.
func TestDirectionsOfTinySamples(t *testing.T) {
	ctx := context.Background()
	rows := []float64{1, 2, 3, 3, -1, 2, 1, 2, 4, -2, 1, 1}
	for _, s := range []float64{1e-150, 1e-161, 1e-163, 1e-250, 1e-300} {
		x := mat.NewDense(4, 3, slices.Clone(rows))
		for j := range 3 {
			x.Set(2, j, s*x.At(2, j))
		}
		for _, m := range []Metric{Cosine, Correlation} {
			want, err := Search(ctx, mat.NewDense(4, 3, rows), 3, SearchOptions{Metric: m})
			if err != nil {
				t.Fatal(err)
			}
			check := func(search string, got *Neighbors, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%s by %v, values of %v: %v", search, m, s, err)
					return
				}
				for a, v := range want.Dist {
					if got.Index[a] != want.Index[a] || math.Abs(got.Dist[a]-v) > 1e-14 {
						t.Errorf("%s by %v, values of %v: sample %d at %v, want %d at %v", search, m, s, got.Index[a], got.Dist[a], want.Index[a], v)
					}
				}
			}
			got, err := Search(ctx, x, 3, SearchOptions{Metric: m})
			check("search", got, err)
			if m == Cosine {
				thin := sparse.FromDense(x)
				got, err = SearchSparse(ctx, thin, thin, 3, m)
				check("sparse search", got, err)
			}
		}
	}
	tiny := mat.NewDense(3, 2, []float64{1, 2, 3, 1, 0, 5e-324})
	if nb, err := Search(ctx, tiny, 1, SearchOptions{Metric: Cosine}); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "almost a row of zeros") {
		t.Errorf("a value of 5e-324: %v, %v", nb, err)
	}
}
