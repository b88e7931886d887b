package data_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// onLine are the distances of samples 0, 1, 3, 6, 10, … on a line.
func onLine(n int) *mat.SymDense {
	x := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			x.SetSym(i, j, math.Abs(float64(i*(i+1)-j*(j+1))/2))
		}
	}
	return x
}

// Bad distances, neighbours and sparse rows give an error that names the value and a remedy.
func TestRelatedDataRefuse(t *testing.T) {
	negative, far, own := onLine(4), onLine(4), onLine(4)
	negative.SetSym(1, 2, -1)
	far.SetSym(1, 2, math.Inf(1))
	own.SetSym(2, 2, 1)
	triplets := func(v float64) *sparse.CSR {
		m, err := sparse.FromTriplets(2, 3, []sparse.Triplet{{Row: 0, Col: 1, Value: v}})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	broken := triplets(1)
	broken.ColInd[0] = 7
	for name, c := range map[string]struct {
		d    *data.Data
		want error
		says string
	}{
		"negative distance":       {data.FromDistances(negative), data.ErrOption, "samples 1 and 2 is -1"},
		"infinite distance":       {data.FromDistances(far), data.ErrNotFinite, "+Inf"},
		"diagonal":                {data.FromDistances(own), data.ErrOption, "not similarities"},
		"no distances":            {data.FromDistances(nil), data.ErrEmpty, "FromDistances"},
		"classes":                 {data.FromDistances(onLine(4)).WithClasses([]int{0, 1}), data.ErrShape, "2 labels for 4 rows"},
		"k = 0":                   {data.FromNeighbors(0, nil, nil), data.ErrOption, "k = 0"},
		"lengths":                 {data.FromNeighbors(2, []int32{1, 2, 3}, []float64{1, 2, 3}), data.ErrShape, "3 indices"},
		"no such sample":          {data.FromNeighbors(1, []int32{1, 2}, []float64{1, 1}), data.ErrOption, "is 2, but samples run from 0 to 1"},
		"-1":                      {data.FromNeighbors(1, []int32{1, -1}, []float64{1, 1}), data.ErrOption, "-1"},
		"itself":                  {data.FromNeighbors(1, []int32{1, 1}, []float64{1, 1}), data.ErrOption, "the sample itself"},
		"only itself":             {data.FromNeighbors(1, []int32{0, 1}, []float64{0, 0}), data.ErrOption, "only neighbour"},
		"twice":                   {data.FromNeighbors(2, []int32{1, 1, 0, 2, 0, 1}, []float64{1, 1, 1, 2, 1, 2}), data.ErrOption, "twice"},
		"distance of a neighbour": {data.FromNeighbors(1, []int32{1, 0}, []float64{1, math.NaN()}), data.ErrNotFinite, "NaN"},
		"part of neighbours":      {data.FromNeighbors(1, []int32{1, 0, 1}, []float64{1, 1, 2}).Subset([]int{0, 1}), data.ErrOption, "Subset"},
		"no rows":                 {data.NewSparse(nil, nil), data.ErrEmpty, "NewSparse"},
		"entry":                   {data.NewSparse(triplets(math.NaN()), nil), data.ErrNotFinite, "NaN"},
		"column":                  {data.NewSparse(broken, nil), data.ErrShape, "column 7"},
		"standardize distances":   {data.FromDistances(onLine(4)).Standardize(), data.ErrOption, "Standardize needs features"},
		"scale sparse rows":       {data.NewSparse(triplets(1), nil).Scale01(), data.ErrOption, "Data.PCA"},
		"share of sparse rows":    {data.NewSparse(triplets(1), nil).PCA(0.9), data.ErrOption, "PCA(2)"},
		"PCA of distances":        {data.FromDistances(onLine(4)).PCA(2), data.ErrOption, "PCA"},
		"TFIDF of dense":          {data.New(mat.NewDense(2, 1, []float64{1, 2}), nil).TFIDF(), data.ErrOption, "NewSparse"},
		"TFIDF of negatives":      {data.NewSparse(triplets(-1), nil).TFIDF(), data.ErrOption, "give counts"},
		"both":                    {&data.Data{Distances: onLine(4), Rows: triplets(1)}, nil, ""},
	} {
		err := c.d.Err()
		if name == "both" {
			if err = c.d.Validate(); !errors.Is(err, data.ErrShape) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || advice.Of(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Neighbours are copied and sorted, and a sample listed first among its own neighbours is left out.
func TestFromNeighbors(t *testing.T) {
	index, distance := []int32{0, 2, 1, 1, 0, 2, 2, 1, 0}, []float64{0, 3, 1, 0, 1, 1, 0, 1, 3}
	d := data.FromNeighbors(3, index, distance)
	if d.Err() != nil || d.Len() != 3 || d.Dim() != 0 || d.Nearest.K != 2 || len(d.Notes) != 1 {
		t.Fatalf("%v, %+v, notes %v", d, d.Nearest, d.Notes)
	}
	if want := []int32{1, 2, 0, 2, 1, 0}; !slices.Equal(d.Nearest.Index, want) || !slices.Equal(d.Nearest.Distance, []float64{1, 3, 1, 1, 1, 3}) {
		t.Errorf("neighbours %v at %v", d.Nearest.Index, d.Nearest.Distance)
	}
	if index[1] != 2 {
		t.Error("the given neighbours were sorted in place")
	}
}

// A subset of data from distances keeps the distances among its samples. The test side of a split
// has its distances to the training side as rows.
func TestDistancesOfParts(t *testing.T) {
	rows := []string{"a", "b", "c", "d", "e", "f", "g"}
	d := data.FromDistances(onLine(7)).WithClasses([]int{0, 0, 0, 1, 1, 1, 1}).WithAttribute("row", rows)
	part := d.Subset([]int{5, 2})
	if part.Err() != nil || part.Len() != 2 || part.Distances.At(0, 1) != 12 || !slices.Equal(part.Labels, []int{1, 0}) {
		t.Errorf("part %v: %v", part, part.Distances)
	}
	train, test := d.Split(0.6)
	if train.Err() != nil || test.Err() != nil || test.X == nil || test.Dim() != train.Len() || test.Len()+train.Len() != 7 {
		t.Fatalf("train %v, test %v", train, test)
	}
	for i, a := range test.Attribute("row") {
		for j, b := range train.Attribute("row") {
			if want := d.Distances.At(slices.Index(rows, a), slices.Index(rows, b)); test.X.At(i, j) != want {
				t.Errorf("the distance of rows %s and %s is %v, want %v", a, b, test.X.At(i, j), want)
			}
		}
	}
}

// TFIDF agrees with TfidfTransformer() of scikit-learn 1.9.1.
func TestTFIDF(t *testing.T) {
	x := mat.NewDense(5, 4, []float64{3, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 4, 5, 0, 2})
	got := data.NewSparse(sparse.FromDense(x), nil).TFIDF()
	if got.Err() != nil {
		t.Fatal(got.Err())
	}
	want := mat.NewDense(5, 4, []float64{
		0.860641731456, 0, 0.509210968143, 0,
		1, 0, 0, 0,
		0.9024535726, 0, 0, 0.430787127595,
		0, 0, 0, 0,
		0.394192772809, 0.874611682803, 0, 0.282252479473})
	for i := range 5 {
		for j := range 4 {
			if math.Abs(got.Rows.At(i, j)-want.At(i, j)) > 1e-11 {
				t.Errorf("row %d, column %d: %v, want %v", i, j, got.Rows.At(i, j), want.At(i, j))
			}
		}
	}
}

// The principal components of sparse rows equal those of the dense rows, and both kinds of rows get
// the same coordinates.
func TestSparsePCA(t *testing.T) {
	const n, features, k = 60, 40, 5
	x := mat.NewDense(n, features, nil)
	for i := range n {
		for j := range features {
			if (i*7+j*3)%5 == 0 || j < k {
				x.Set(i, j, math.Sin(float64(i*(j+1)))*math.Pow(0.6, float64(j)))
			}
		}
		x.Set(i, 2, x.At(i, 2)+3) // far from the origin
	}
	sparse, dense := data.NewSparse(sparse.FromDense(x), nil).PCA(k), data.New(x, nil).PCA(k)
	if sparse.Err() != nil || dense.Err() != nil {
		t.Fatal(sparse.Err(), dense.Err())
	}
	if !mat.EqualApprox(sparse.X, dense.X, 1e-8) {
		t.Error("other coordinates than of the filled rows")
	}
	if sparse.Rows != nil || sparse.Dim() != k || sparse.Notes[0] != dense.Notes[0] {
		t.Errorf("%v, notes %v and %v", sparse, sparse.Notes, dense.Notes)
	}
	again, err := sparse.Scaling().Apply(x)
	if err != nil || !mat.EqualApprox(again, sparse.X, 1e-9) {
		t.Errorf("dense rows have other coordinates: %v", err)
	}
}

// Equal rows have no principal components, although their computed mean may differ from them.
func TestPCAOfEqualRows(t *testing.T) {
	for _, n := range []int{2, 10, 30} {
		for _, c := range []float64{0.1, 0.7, 3} {
			x := mat.NewDense(n, 3, nil)
			x.Apply(func(_, j int, _ float64) float64 { return c * float64(j) }, x)
			for name, d := range map[string]*data.Data{"dense": data.New(x, nil), "sparse": data.NewSparse(sparse.FromDense(x), nil)} {
				if p := d.PCA(2); p.Err() == nil {
					t.Errorf("%s, %d rows of %v: got components %v", name, n, c, p)
				}
			}
		}
	}
}
