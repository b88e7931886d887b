package ssdrnb_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Every exported function with a context treats a nil context as one that never ends.
func TestNilContext(t *testing.T) {
	var none context.Context
	iris := datasets.Iris()
	few := iris.KeepLabels(5).Seed(1)
	x := iris.X
	is := func(_ any, err error) error { return err }
	opinions, err := ssdrnb.Opinions(none, few)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := graph.Search(none, x, 12, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	system, err := sparse.Add(1, graph.Laplacian(lengths), 1, sparse.Identity(iris.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"Fit":               func() error { return is(ssdrnb.UMAP().Iterations(5).Spec().FitContext(none, iris)) },
		"Fit of a kernel":   func() error { return is(ssdrnb.KSDA().Spec().FitContext(none, few)) },
		"Fit of GP":         func() error { return is(ssdrnb.GPLVM().Rounds(1).Spec().FitContext(none, iris)) },
		"Fit of a chain":    func() error { return is(ssdrnb.Then(ssdrnb.PCA(), ssdrnb.LAE()).Spec().FitContext(none, iris)) },
		"FitPath":           func() error { return is(ssdrnb.PCA().Spec().FitPath(none, iris, 1, 2)) },
		"Clusters":          func() error { return is(ssdrnb.Clusters().FindContext(none, iris)) },
		"Suggest":           func() error { return is(ssdrnb.Suggest(none, few, 1)) },
		"Suspicions":        func() error { return is(ssdrnb.Suspicions(none, iris)) },
		"Reasons":           func() error { _, _, err := opinions.Reasons(none, 0, 1); return err },
		"Sweep":             func() error { return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1, 2).Run(none)) },
		"Compare":           func() error { return is(ssdrnb.Compare(few, ssdrnb.PCA()).UpTo(2).Splits(1).Run(none)) },
		"Survey":            func() error { return is(ssdrnb.Survey(few, ssdrnb.PCA()).Run(none)) },
		"Query":             func() error { return is(graph.Query(none, x, x, 2, graph.Euclidean)) },
		"Query by a metric": func() error { return is(graph.Query(none, x, x, 2, graph.Cosine)) },
		"approximate": func() error {
			return is(graph.Search(none, x, 2, graph.SearchOptions{Method: graph.Approximate}))
		},
		"Ball":         func() error { return is(graph.Ball(none, x, 1)) },
		"MeanDistance": func() error { return is(graph.MeanDistance(none, x)) },
		"Diameter":     func() error { return is(graph.Diameter(none, x)) },
		"HalfMedian":   func() error { return is(graph.HalfMedian(none, x, graph.Euclidean)) },
		"Geodesics":    func() error { _, _, err := graph.Geodesics(none, lengths); return err },
		"Landmarks":    func() error { _, _, err := graph.LandmarkGeodesics(none, lengths, []int{0}); return err },
		"Connect":      func() error { _, _, err := graph.Connect(none, x, lengths); return err },
		"KMeans":       func() error { return is(metrics.KMeans(none, x, 3, metrics.KMeansOptions{})) },
		"ScoreClusters": func() error {
			return is(metrics.ScoreClusters(none, x, iris.Truth, 1, metrics.KMeansOptions{}))
		},
		"Silhouette":      func() error { _, _, err := metrics.Silhouette(none, x, iris.Truth); return err },
		"RNX":             func() error { _, _, err := metrics.RNX(none, x, x); return err },
		"TripletAccuracy": func() error { return is(metrics.TripletAccuracy(none, x, x, 1, 1)) },
		"Shepard":         func() error { return is(metrics.ShepardCorrelation(none, x, x, 1)) },
		"Reliability":     func() error { return is(metrics.Reliability(none, x, x, 5)) },
		"Kept":            func() error { return is(metrics.Kept(none, x, x)) },
		"Trustworthiness": func() error { return is(metrics.Trustworthiness(none, x, x, 5)) },
		"Continuity":      func() error { return is(metrics.Continuity(none, x, x, 5)) },
		"NewSolver": func() error {
			s, err := sparse.NewSolver(none, system)
			if err != nil {
				return err
			}
			return s.SolveTo(none, mat.NewDense(iris.Len(), 1, nil), mat.NewDense(iris.Len(), 1, nil))
		},
		"NewDirect": func() error { return is(sparse.NewDirect(none, system, 1<<30)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("panic: %v", e)
				}
			}()
			if err := call(); err != nil {
				t.Error(err)
			}
		})
	}
}
