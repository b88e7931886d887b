package ssdrnb_test

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// remediesOfPictures are the cases of comparing embeddings with noise and with each other.
func remediesOfPictures(t *testing.T) []advicetest.Case {
	iris := datasets.Iris().HideLabels()
	var entries []sparse.Triplet
	for i := range 30 {
		for j := range 4 {
			entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: iris.X.At(i*5, j)})
		}
	}
	rows, err := sparse.FromTriplets(30, 4, entries)
	if err != nil {
		t.Fatal(err)
	}
	few := data.NewSparse(rows, nil)
	short := ssdrnb.UMAP().Iterations(5)
	null := func(d *data.Data, runs int) error {
		_, err := ssdrnb.AgainstNull(t.Context(), short, d, runs)
		return err
	}
	stability := func(d *data.Data) error {
		_, err := ssdrnb.Stability(t.Context(), short, d, 2)
		return err
	}
	apart := mat.NewSymDense(iris.Len(), nil)
	for i := range iris.Len() {
		for k := range i {
			apart.SetSym(i, k, floats.Distance(iris.X.RawRowView(i), iris.X.RawRowView(k), 2))
		}
	}
	distances := data.FromDistances(apart)
	near, err := graph.Search(t.Context(), iris.X, 14, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	given := data.FromNeighbors(near.K, near.Index, near.Dist)
	pca, at := ssdrnb.PCA().MustFit(iris), mat.NewDense(1, 2, nil)
	inverse := func(m *ssdrnb.Model, z *mat.Dense) error {
		_, err := m.Inverse(z)
		return err
	}
	path := filepath.Join(t.TempDir(), "pca.npz")
	if err := pca.Save(path); err != nil {
		t.Fatal(err)
	}
	bare, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return []advicetest.Case{
		{"Inverse of nothing", inverse(pca, nil), "give at least one position", func() error { return inverse(pca, at) }},
		{"Inverse in three dimensions", inverse(pca, mat.NewDense(1, 3, nil)), "give positions of 2 coordinates", func() error { return inverse(pca, at) }},
		{"Inverse of an infinity", inverse(pca, mat.NewDense(1, 2, []float64{math.Inf(1), 0})), "give finite positions", func() error { return inverse(pca, at) }},
		{"Inverse of a file without samples", inverse(bare, at), "fit the model again, to dense data", func() error { return inverse(ssdrnb.PCA().MustFit(iris), at) }},
		{"AgainstNull of nothing", null(nil, 3), "pass data from NewData or package datasets", func() error { return null(iris, 3) }},
		{"AgainstNull by two runs", null(iris, 2), "ask for at least 3", func() error { return null(iris, 3) }},
		{"AgainstNull of sparse rows", null(few, 3), "reduce sparse rows with Data.PCA", func() error { return null(few.PCA(3), 3) }},
		{"AgainstNull of sparse rows, otherwise", null(few, 3), "or use Stability", func() error { return stability(few) }},
		{"AgainstNull of distances", null(distances, 3), "give the features with NewData", func() error { return null(iris, 3) }},
		{"AgainstNull of distances, otherwise", null(distances, 3), "or use Stability", func() error { return stability(distances) }},
		{"AgainstNull of neighbours", null(given, 3), "give the features with NewData", func() error { return null(iris, 3) }},
		{"Stability of neighbours", stability(given), "give the features with NewData", func() error { return stability(iris) }},
		{"Stability of neighbours, otherwise", stability(given), "or the distances with FromDistances", func() error { return stability(distances) }},
	}
}
