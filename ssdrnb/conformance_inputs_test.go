package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// refused checks that an error names an option or a part of the data, and has a remedy.
func refused(t *testing.T, what string, err error) {
	t.Helper()
	var e *ssdrnb.Error
	if !errors.As(err, &e) || e.Param == "" || e.Remedy == "" {
		t.Errorf("%s: an error without a part at fault or a remedy: %v", what, err)
	}
}

// survives checks the embedding of a model, and that the model read from a file has the same
// embedding and places the given rows alike.
func survives(t *testing.T, what string, model *ssdrnb.Model, rows *mat.Dense) {
	t.Helper()
	if err := data.CheckFinite(model.Embedding()); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := model.Save(path); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	again, err := ssdrnb.Load(path)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !mat.Equal(model.Embedding(), again.Embedding()) {
		t.Errorf("%s: another embedding after a file", what)
	}
	want, err := model.Transform(rows)
	got, errAgain := again.Transform(rows)
	switch {
	case errors.Is(err, ssdrnb.ErrNoTransform) && errors.Is(errAgain, ssdrnb.ErrNoTransform):
	case err != nil || errAgain != nil:
		t.Errorf("%s: Transform: %v, and after a file %v", what, err, errAgain)
	case !mat.Equal(want, got):
		t.Errorf("%s: Transform gives something else after a file", what)
	}
}

// For positive samples every metric of a method gives a model that survives saving, or an error
// with a remedy.
func testMetrics(t *testing.T, m *ssdrnb.Method) {
	p, ok := m.Param("metric")
	if !ok {
		return
	}
	d := blobs(6, 12)
	x := mat.DenseCopyOf(d.X)
	x.Apply(func(_, j int, v float64) float64 { // with zeros, but no all-zero sample
		return math.Round(4*max(0, v-1)+float64(1+j)*max(0, 1-float64(j))) / 4
	}, x)
	d = data.New(x, d.Labels).WithPairs(d.Pairs)
	for _, metric := range p.Choices {
		model, err := brief(m, 2, 5).With("metric", metric).Fit(d)
		second := slices.Contains(chains, m) // its metric compares the outputs of the first method
		switch haversine := metric == string(ssdrnb.Haversine); {
		case err != nil:
			if refused(t, metric, err); !haversine && !second {
				t.Errorf("%s: %v", metric, err)
			}
			continue
		case haversine && !second:
			t.Errorf("the haversine distance of 6 features is none")
			continue
		}
		survives(t, metric, model, d.X.Slice(0, 3, 0, 6).(*mat.Dense))
	}
}

// distancesBetween returns the Euclidean distances of the rows of q from those of x.
func distancesBetween(q, x *mat.Dense) *mat.Dense {
	m, _ := q.Dims()
	n, _ := x.Dims()
	out := mat.NewDense(m, n, nil)
	for i := range m {
		for j := range n {
			out.Set(i, j, floats.Distance(q.RawRowView(i), x.RawRowView(j), 2))
		}
	}
	return out
}

// symmetric returns a symmetric matrix as a SymDense.
func symmetric(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, x.At(i, j))
		}
	}
	return out
}

// informed returns d with the labels, pairs and hidden classes of the blobs.
func informed(d, blobs *data.Data) *data.Data {
	return d.WithClasses(blobs.Truth).WithLabels(blobs.Labels).WithPairs(blobs.Pairs)
}

// A method that accepts distances gives the embedding of the features behind them, and places new
// samples by their distances. Other methods name those that accept distances.
func testDistances(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 13)
	related := informed(data.FromDistances(symmetric(distancesBetween(d.X, d.X))), d)
	model, err := brief(m, 2, 5).Fit(related)
	if err != nil {
		if refused(t, "distances", err); !strings.Contains(err.Error(), "UMAP") {
			t.Errorf("the remedy names no method: %v", err)
		}
		return
	}
	want, err := brief(m, 2, 5).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	sameShape(t, "distances in place of features", want.Embedding(), model.Embedding())
	rows := blobs(6, 14).X.Slice(0, 4, 0, 6).(*mat.Dense)
	survives(t, "distances", model, distancesBetween(rows, d.X))
	placed, err := want.Transform(rows)
	if errors.Is(err, ssdrnb.ErrNoTransform) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := model.Transform(distancesBetween(rows, d.X))
	if err != nil {
		t.Fatal(err)
	}
	sameShape(t, "new samples by their distances", placed, again)
	for what, bad := range map[string]*mat.Dense{"features": rows, "negative": mat.NewDense(1, d.Len(), slices.Repeat([]float64{-1}, d.Len()))} {
		if _, err := model.Transform(bad); err == nil {
			t.Errorf("Transform of %s in place of distances", what)
		} else {
			refused(t, what, err)
		}
	}
}

// A method that accepts given neighbours uses as many as it is given; other methods refuse them.
func testNeighbors(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 15)
	const k = 20
	nb, err := graph.Search(context.Background(), d.X, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	related := informed(data.FromNeighbors(k, nb.Index, nb.Dist), d)
	model, err := brief(m, 2, 5).Fit(related)
	if err != nil {
		refused(t, "neighbours", err)
		return
	}
	survives(t, "neighbours", model, distancesBetween(blobs(6, 16).X, d.X))
	few := informed(data.FromNeighbors(5, nb.Head(5).Index, nb.Head(5).Dist), d)
	model, err = brief(m, 2, 5).Fit(few)
	if err != nil {
		refused(t, "five neighbours", err) // the graph is not connected
	} else if len(model.Report().Warnings) == 0 {
		t.Error("five neighbours are given in place of the default, and no warning reports it")
	}
	if p, ok := m.Param("neighbors"); ok {
		if _, err := brief(m, 2, 5).With(p.Name, k+1).Fit(related); err == nil {
			t.Errorf("%d neighbours of %d", k+1, k)
		} else {
			refused(t, "more neighbours than are given", err)
		}
	}
}

// A method that accepts sparse rows fits them. Other methods fit the principal components that
// their error recommends.
func testSparseRows(t *testing.T, m *ssdrnb.Method) {
	d := blobs(6, 17)
	x := mat.DenseCopyOf(d.X)
	x.Apply(func(_, j int, v float64) float64 {
		if j > 0 && math.Abs(v) < 1 {
			return 0
		}
		return v
	}, x)
	rows := informed(data.NewSparse(sparse.FromDense(x), nil), d)
	model, err := brief(m, 2, 5).Fit(rows)
	if err != nil {
		if refused(t, "sparse rows", err); !strings.Contains(err.Error(), "Data.PCA(6)") {
			t.Errorf("the remedy does not name PCA: %v", err)
		}
		if _, err := brief(m, 2, 5).Fit(rows.PCA(6)); err != nil {
			t.Errorf("the principal components that the error names: %v", err)
		}
		return
	}
	survives(t, "sparse rows", model, x.Slice(0, 3, 0, 6).(*mat.Dense))
	want, err := brief(m, 2, 5).Fit(informed(data.New(x, nil), d))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Param("start"); !ok { // principal components come from a randomised projection
		sameShape(t, "sparse rows in place of dense ones", want.Embedding(), model.Embedding())
	}
	placed, err := model.TransformSparse(sparse.FromDense(x))
	if err == nil {
		err = data.CheckFinite(placed)
	}
	if err != nil {
		t.Errorf("TransformSparse: %v", err)
	}
	if p, ok := m.Param("metric"); ok && !slices.Contains(chains, m) {
		for _, metric := range p.Choices {
			model, err := brief(m, 2, 5).With("metric", metric).Fit(rows)
			switch sparse := slices.Contains([]ssdrnb.Metric{ssdrnb.Euclidean, ssdrnb.Cosine, ssdrnb.Jaccard}, ssdrnb.Metric(metric)); {
			case err != nil && sparse:
				t.Errorf("%s: %v", metric, err)
			case err != nil:
				refused(t, metric, err)
			case !sparse:
				t.Errorf("%s among sparse rows", metric)
			default:
				survives(t, metric, model, x.Slice(0, 3, 0, 6).(*mat.Dense))
			}
		}
	}
}
