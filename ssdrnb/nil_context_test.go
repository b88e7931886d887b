package ssdrnb_test

import (
	"context"
	"go/ast"
	"go/types"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/experiment"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Every exported function with a context treats a nil context as one that never ends. The test
// fails if it has no call of such a function.
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
	two := mat.DenseCopyOf(x.Slice(0, iris.Len(), 0, 2))
	distances := mat.NewSymDense(iris.Len(), nil)
	for i := range iris.Len() {
		for j := i; j < iris.Len(); j++ {
			distances.SetSym(i, j, floats.Distance(x.RawRowView(i), x.RawRowView(j), 2))
		}
	}
	rows, series := sparse.FromDense(x), ssdrnb.NewSeries(few)
	recommendation, err := ssdrnb.Recommend(none, few, time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	system, err := sparse.Add(1, graph.Laplacian(lengths), 1, sparse.Identity(iris.Len()))
	if err != nil {
		t.Fatal(err)
	}
	solver, err := sparse.NewSolver(none, system)
	if err != nil {
		t.Fatal(err)
	}
	symbolic, err := sparse.Analyze(system, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"ssdrnb.Spec.FitContext":             func() error { return is(ssdrnb.UMAP().Iterations(5).Spec().FitContext(none, iris)) },
		"ssdrnb.Spec.FitContext of a kernel": func() error { return is(ssdrnb.KSDA().Spec().FitContext(none, few)) },
		"ssdrnb.Spec.FitContext of GP":       func() error { return is(ssdrnb.GPLVM().Rounds(1).Spec().FitContext(none, iris)) },
		"ssdrnb.Spec.FitContext of a chain":  func() error { return is(ssdrnb.Then(ssdrnb.PCA(), ssdrnb.LAE()).Spec().FitContext(none, iris)) },
		"ssdrnb.Spec.FitPath":                func() error { return is(ssdrnb.PCA().Spec().FitPath(none, iris, 1, 2)) },
		"ssdrnb.AlignBuilder.FitContext": func() error {
			return is(ssdrnb.Align("", iris, iris).By(ssdrnb.UMAP().Iterations(2)).FitContext(none))
		},
		"ssdrnb.ClusterSearch.FindContext":               func() error { return is(ssdrnb.Clusters().FindContext(none, iris)) },
		"ssdrnb.CommunitySearch.FindContext":             func() error { return is(ssdrnb.Communities().FindContext(none, iris)) },
		"ssdrnb.CommunitySearch.FindContext with labels": func() error { return is(ssdrnb.Communities().FindContext(none, few)) },
		"ssdrnb.Opinions":                                func() error { return is(ssdrnb.Opinions(none, few)) },
		"ssdrnb.Opinion.Reasons":                         func() error { _, _, err := opinions.Reasons(none, 0, 1); return err },
		"ssdrnb.Opinion.Suspicions":                      func() error { return is(opinions.Suspicions(none)) },
		"ssdrnb.Suggest":                                 func() error { return is(ssdrnb.Suggest(none, few, 1)) },
		"ssdrnb.Suspicions":                              func() error { return is(ssdrnb.Suspicions(none, iris)) },
		"ssdrnb.Series.FitContext":                       func() error { return is(series.FitContext(none, ssdrnb.LAE())) },
		"ssdrnb.Series.Opinions":                         func() error { return is(series.Opinions(none, few.Labels)) },
		"ssdrnb.Series.Suggest":                          func() error { return is(series.Suggest(none, few.Labels, 1)) },
		"ssdrnb.Series.Follow":                           func() error { return is(series.Follow(none, opinions, two)) },
		"ssdrnb.SweepBuilder.Run":                        func() error { return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1, 2).Run(none)) },
		"ssdrnb.DecodeSweep": func() error {
			return is(ssdrnb.Sweep(ssdrnb.PCA(), few).On(executor(func(job *ssdrnb.SweepJob) error {
				raw, err := job.Encode()
				must(t, err)
				do, err := ssdrnb.DecodeSweep(raw)
				must(t, err)
				outcomes, err := do(none, ssdrnb.SweepTask{Cells: []int{0}})
				must(t, err)
				return job.Put(outcomes)
			})).Run(none))
		},
		"ssdrnb.CompareBuilder.Run":    func() error { return is(ssdrnb.Compare(few, ssdrnb.PCA()).UpTo(2).Splits(1).Run(none)) },
		"ssdrnb.SurveyBuilder.Run":     func() error { return is(ssdrnb.Survey(few, ssdrnb.PCA()).Run(none)) },
		"ssdrnb.Recommend":             func() error { return is(ssdrnb.Recommend(none, few, time.Nanosecond)) },
		"ssdrnb.Recommendation.Models": func() error { return is(recommendation.Models(none, 1)) },
		"ssdrnb.AgainstNull":           func() error { return is(ssdrnb.AgainstNull(none, ssdrnb.LDA(), few, 3)) },
		"ssdrnb.Stability":             func() error { return is(ssdrnb.Stability(none, ssdrnb.PCA(), iris, 1)) },
		"ssdrnb.TargetCurve": func() error {
			return is(ssdrnb.TargetCurve(none, ssdrnb.PCA(), iris.WithTarget("width", mat.Col(nil, 1, x)), 1, 0.5))
		},
		"experiment.CompareLabelling": func() error { return is(experiment.CompareLabelling(none, ssdrnb.PCA(), few, iris, 1, 2)) },
		"experiment.MeasureDecay":     func() error { return is(experiment.MeasureDecay(none, two, nil, 5, 3)) },
		"experiment.PairTrial":        func() error { return is(experiment.PairTrial(none, iris, 2, 2, 1, 1, ssdrnb.PCA())) },
		"graph.Search of approximate neighbours": func() error {
			return is(graph.Search(none, x, 2, graph.SearchOptions{Method: graph.Approximate}))
		},
		"graph.Search":            func() error { return is(graph.Search(none, x, 2, graph.SearchOptions{Method: graph.Exact})) },
		"graph.SearchSparse":      func() error { return is(graph.SearchSparse(none, rows, rows, 2, graph.Euclidean)) },
		"graph.Query":             func() error { return is(graph.Query(none, x, x, 2, graph.Euclidean)) },
		"graph.Query by a metric": func() error { return is(graph.Query(none, x, x, 2, graph.Cosine)) },
		"graph.NearestOf":         func() error { return is(graph.NearestOf(none, distances, 2)) },
		"graph.QueryOf":           func() error { return is(graph.QueryOf(none, x, 2)) },
		"graph.Ball":              func() error { return is(graph.Ball(none, x, 1)) },
		"graph.MeanDistance":      func() error { return is(graph.MeanDistance(none, x)) },
		"graph.Diameter":          func() error { return is(graph.Diameter(none, x)) },
		"graph.HalfMedian":        func() error { return is(graph.HalfMedian(none, x, graph.Euclidean)) },
		"graph.HalfMedianSparse":  func() error { return is(graph.HalfMedianSparse(none, rows, graph.Euclidean)) },
		"graph.Geodesics":         func() error { _, _, err := graph.Geodesics(none, lengths); return err },
		"graph.LandmarkGeodesics": func() error { _, _, err := graph.LandmarkGeodesics(none, lengths, []int{0}); return err },
		"graph.Connect":           func() error { _, _, err := graph.Connect(none, x, lengths); return err },
		"graph.ConnectNearly":     func() error { _, _, err := graph.ConnectNearly(none, x, lengths); return err },
		"graph.ConnectBy":         func() error { _, _, err := graph.ConnectBy(none, distances, lengths); return err },
		"graph.Diffuse":           func() error { return is(graph.Diffuse(none, lengths, few.Labels, 2)) },
		"metrics.KMeans":          func() error { return is(metrics.KMeans(none, x, 3, metrics.KMeansOptions{})) },
		"metrics.ScoreClusters": func() error {
			return is(metrics.ScoreClusters(none, x, iris.Truth, 1, metrics.KMeansOptions{}))
		},
		"metrics.Silhouette":         func() error { _, _, err := metrics.Silhouette(none, x, iris.Truth); return err },
		"metrics.NeighborhoodHit":    func() error { _, _, err := metrics.NeighborhoodHit(none, x, iris.Truth, 3); return err },
		"metrics.Islands":            func() error { _, _, err := metrics.Islands(none, x, 5); return err },
		"metrics.RNX":                func() error { _, _, err := metrics.RNX(none, x, x); return err },
		"metrics.TripletAccuracy":    func() error { return is(metrics.TripletAccuracy(none, x, x, 1, 1)) },
		"metrics.ShepardCorrelation": func() error { return is(metrics.ShepardCorrelation(none, x, x, 1)) },
		"metrics.Reliability":        func() error { return is(metrics.Reliability(none, x, x, 5)) },
		"metrics.Kept":               func() error { return is(metrics.Kept(none, x, x)) },
		"metrics.Trustworthiness":    func() error { return is(metrics.Trustworthiness(none, x, x, 5)) },
		"metrics.Continuity":         func() error { return is(metrics.Continuity(none, x, x, 5)) },
		"sparse.NewSolver":           func() error { return is(sparse.NewSolver(none, system)) },
		"sparse.Solver.SolveTo": func() error {
			return solver.SolveTo(none, mat.NewDense(iris.Len(), 1, nil), mat.NewDense(iris.Len(), 1, nil))
		},
		"sparse.NewDirect":          func() error { return is(sparse.NewDirect(none, system, 1<<30)) },
		"sparse.Symbolic.Factorize": func() error { return is(symbolic.Factorize(none, system, 1)) },
		"sparse.Principal":          func() error { return is(sparse.Principal(none, rows, 2, 1)) },
	}
	known := map[string]bool{}
	for _, folder := range []string{".", "blas", "data", "experiment", "graph", "metrics", "sparse"} {
		for _, name := range contextual(t, folder) {
			if known[name] = true; calls[name] == nil {
				t.Errorf("%s has a context, but the test has no call of it", name)
			}
		}
	}
	for name, call := range calls {
		if function, _, _ := strings.Cut(name, " "); !known[function] {
			t.Errorf("%s is no function with a context", function)
		}
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

// contextual returns the exported functions and methods of a package whose signature contains a
// context, such as "graph.Search" and "ssdrnb.Spec.FitContext".
func contextual(t *testing.T, folder string) []string {
	t.Helper()
	_, files := sources(t, folder)
	var names []string
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := f.Name.Name + "."
			if fn.Recv != nil {
				of := strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
				if !ast.IsExported(of) {
					continue
				}
				name += of + "."
			}
			if strings.Contains(types.ExprString(fn.Type), "context.Context") {
				names = append(names, name+fn.Name.Name)
			}
		}
	}
	return names
}
