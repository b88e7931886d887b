package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// sparseNormal returns n rows of d features, with about a fifth of the values nonzero and two equal
// rows.
func sparseNormal(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 9))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			if rng.IntN(5) == 0 || j == i%d {
				x.Set(i, j, rng.NormFloat64())
			}
		}
	}
	x.SetRow(3, x.RawRowView(7))
	return x
}

// Rows that differ by less than the rounding of their products are ranked by their differences.
func TestSparseSearchFarFromTheOrigin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	x := mat.NewDense(120, 12, nil)
	for i := range 120 {
		for j := range 12 {
			if j%3 != i%3 { // three groups with different columns
				x.Set(i, j, 1e6+1e-3*rng.NormFloat64())
			}
		}
	}
	rows := sparse.FromDense(x)
	for _, m := range []Metric{Euclidean, Cosine} {
		got, err := SearchSparse(context.Background(), rows, rows, 5, m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 120 {
			apart := func(j int32) float64 { return floats.Distance(x.RawRowView(i), x.RawRowView(int(j)), 2) }
			var others []int32
			for j := range int32(120) {
				others = append(others, j)
			}
			slices.SortFunc(others, func(a, b int32) int { return cmp.Compare(apart(a), apart(b)) })
			index, _ := got.Of(i)
			if m == Euclidean && !slices.Equal(index, others[1:6]) {
				t.Errorf("%v: the neighbours of row %d are %v, want %v", m, i, index, others[1:6])
			}
			for _, j := range index {
				if int(j)%3 != i%3 {
					t.Errorf("%v: row %d of another group is a neighbour of row %d", m, j, i)
				}
			}
		}
	}
}

// A search among sparse rows, with queries too, agrees with a search among the dense rows.
func TestSparseSearchIsThatOfFilledRows(t *testing.T) {
	ctx := context.Background()
	x, q := sparseNormal(300, 40, 1), sparseNormal(20, 40, 2)
	rows := sparse.FromDense(x)
	for _, m := range []Metric{Euclidean, Cosine, Jaccard} {
		want, err := Search(ctx, x, 6, SearchOptions{Metric: m, Method: Exact})
		if err != nil {
			t.Fatal(err)
		}
		got, err := SearchSparse(ctx, rows, rows, 6, m)
		if err != nil {
			t.Fatal(err)
		}
		sameLists(t, m, got, want)
		if want, err = Query(ctx, x, q, 6, m); err != nil {
			t.Fatal(err)
		}
		if got, err = SearchSparse(ctx, rows, sparse.FromDense(q), 6, m); err != nil {
			t.Fatal(err)
		}
		sameLists(t, m, got, want)
		half, err := HalfMedian(ctx, x, m)
		if err != nil {
			t.Fatal(err)
		}
		all, err := HalfMedianSparse(ctx, rows, m)
		if err != nil || math.Abs(all-half) > 1e-9 {
			t.Errorf("%v: half the median of sparse rows is %v, want %v; %v", m, all, half, err)
		}
	}
	if _, err := SearchSparse(ctx, rows, rows, 6, Manhattan); !errors.Is(err, ErrOption) {
		t.Errorf("Manhattan: %v", err)
	}
	if _, err := SearchSparse(ctx, rows, rows, 300, Cosine); !errors.Is(err, ErrOption) {
		t.Errorf("k = n: %v", err)
	}
	zero := mat.DenseCopyOf(x)
	zero.SetRow(5, make([]float64, 40))
	if _, err := SearchSparse(ctx, sparse.FromDense(zero), rows, 6, Cosine); !errors.Is(err, ErrNotFinite) {
		t.Errorf("a row of zeros: %v", err)
	}
}

// sameLists compares neighbours; indices are compared only if distances distinguish them.
func sameLists(t *testing.T, m Metric, got, want *Neighbors) {
	t.Helper()
	for i := range want.Len() {
		index, dist := got.Of(i)
		right, truth := want.Of(i)
		for a := range dist {
			if math.Abs(dist[a]-truth[a]) > 1e-9 {
				t.Fatalf("%v: distances of %d are %v, want %v", m, i, dist, truth)
			}
		}
		if m != Jaccard && !slices.Equal(index, right) {
			t.Errorf("%v: neighbours of %d are %v, want %v", m, i, index, right)
		}
	}
}

// Neighbours, widths and bridges computed from distances agree with those computed from samples.
func TestDistancesInPlaceOfSamples(t *testing.T) {
	ctx := context.Background()
	x := sparseNormal(60, 5, 3)
	for i := range 20 { // a separate component
		x.Set(i, 0, x.At(i, 0)+100)
	}
	distances, rows := mat.NewSymDense(60, nil), mat.NewDense(60, 60, nil)
	for i := range 60 {
		for j := range 60 {
			d := 0.0
			for c, v := range x.RawRowView(i) {
				d += (v - x.At(j, c)) * (v - x.At(j, c))
			}
			rows.Set(i, j, math.Sqrt(d))
			distances.SetSym(i, j, math.Sqrt(d))
		}
	}
	want, err := Search(ctx, x, 4, SearchOptions{Method: Exact})
	if err != nil {
		t.Fatal(err)
	}
	got, err := NearestOf(ctx, distances, 4)
	if err != nil {
		t.Fatal(err)
	}
	sameLists(t, Euclidean, got, want)
	with, err := QueryOf(ctx, rows, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if _, dist := with.Of(i); dist[0] != 0 || math.Abs(dist[4]-want.Dist[4*i+3]) > 1e-12 && i != 3 && i != 7 {
			t.Errorf("query %d: distances %v", i, dist)
		}
	}
	half, err := HalfMedian(ctx, x, Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := HalfMedianOf(distances); err != nil || math.Abs(all-half) > 1e-12*half {
		t.Errorf("half the median is %v, want %v; %v", all, half, err)
	}
	if _, err := HalfMedianOf(mat.NewSymDense(1, nil)); !errors.Is(err, ErrOption) {
		t.Errorf("half the median of one sample: %v", err)
	}
	if _, err := new(Neighbors).Median(); !errors.Is(err, ErrOption) {
		t.Errorf("the median of no neighbours: %v", err)
	}
	lengths, err := want.Lengths(Or)
	if err != nil {
		t.Fatal(err)
	}
	_, bridges, err := Connect(ctx, x, lengths)
	if err != nil {
		t.Fatal(err)
	}
	_, again, err := ConnectBy(ctx, distances, lengths)
	if err != nil || len(again) != len(bridges) || len(bridges) == 0 {
		t.Fatalf("%d bridges, want %d; %v", len(again), len(bridges), err)
	}
	for k, b := range bridges {
		if again[k].I != b.I || again[k].J != b.J {
			t.Errorf("bridge %+v, want %+v", again[k], b)
		}
	}
	rows.Set(2, 3, -1)
	if _, err := QueryOf(ctx, rows, 5); !errors.Is(err, ErrOption) {
		t.Errorf("a negative distance: %v", err)
	}
}

// Errors say whether a row is one of the samples or of the queries.
func TestQueryRowsInErrors(t *testing.T) {
	ctx, bad := context.Background(), func(n, d, at int, v float64) *mat.Dense {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, float64(1+i*d+j*j))
			}
		}
		if at >= 0 {
			for j := range d {
				x.Set(at, j, v)
			}
		}
		return x
	}
	dense := func(n, d, q int, v float64, m Metric) error {
		_, samples := Query(ctx, bad(n, d, 3, v), bad(q, d, -1, 0), 2, m)
		_, queries := Query(ctx, bad(n, d, -1, 0), bad(q, d, 3, v), 2, m)
		return errors.Join(samples, queries)
	}
	thin := func(v float64, m Metric) error {
		of := func(at int) *sparse.CSR { return sparse.FromDense(bad(9, 2, at, v)) }
		_, samples := SearchSparse(ctx, of(3), of(-1), 2, m)
		_, queries := SearchSparse(ctx, of(-1), of(3), 2, m)
		return errors.Join(samples, queries)
	}
	for name, c := range map[string]struct {
		err           error
		sample, query string
	}{
		"brute":        {dense(9, 2, 9, math.NaN(), Euclidean), ": x[3][0] = NaN", ": query[3][0] = NaN"},
		"tree":         {dense(2*treeMin, 2, treeMin, 1e200, Euclidean), ": x[3][0] = 1e+200", ": query[3][0] = 1e+200"},
		"manhattan":    {dense(9, 2, 9, math.NaN(), Manhattan), ": x[3][0] = NaN", ": query[3][0] = NaN"},
		"cosine":       {dense(9, 2, 9, 0, Cosine), ": row 3 is a row of zeros", ": query row 3 is a row of zeros"},
		"hellinger":    {dense(9, 2, 9, -1, Hellinger), "row 3: graph", "query row 3: graph"},
		"sparse":       {thin(1e200, Euclidean), ": row 3 has values", ": query row 3 has values"},
		"sparse zeros": {thin(0, Cosine), ": row 3 is a row of zeros", ": query row 3 is a row of zeros"},
	} {
		samples, queries, _ := strings.Cut(fmt.Sprint(c.err), "\n")
		if !strings.Contains(samples, c.sample) || strings.Contains(samples, "query") || !strings.Contains(queries, c.query) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}
