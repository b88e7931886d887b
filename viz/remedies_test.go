package viz_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// Following the advice of each error of a figure, with the input that caused it, gives a figure.
// Every place in the source with advice has a case.
func TestRemedies(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	advicetest.Everywhere(t, []string{"."}, beyondTests, slices.Concat(remediesOfCharts(t), remediesOfEmbeddings(t), remediesOfStyles(t), remediesOfPictures(t), remediesOfSelections(t), remediesOfComparisons(t)))
}

// beyondTests are the places of the package that tests cannot reach, with the reason.
var beyondTests = map[string]string{
	"Only %d runs with noise were made; %d runs would also detect": "a sentence below a figure; TestAgainstNull gives it more runs",
	"the projection is %d × %d":                                    "a fit gives a projection of the size of its data; a guard",
	"decomposition of the projection failed":                       "a projection of finite numbers has a singular value decomposition; a guard",
	"all directions of the projection are zero":                    "a fit refuses data that give such a projection; a guard",
	"the singular value decomposition of the features":             "standardised features have a singular value decomposition; a guard",
	"%w; draw fewer panels or samples":                             "takes a figure of more than 64 MB",
	"the image has %d × %d pixels, more than":                      "takes an image of 100 million pixels",
}

// remains joins the errors of figures.
func remains(figures ...viz.Figure) error {
	var all []error
	for _, f := range figures {
		all = append(all, f.Err())
	}
	return errors.Join(all...)
}

// few returns twelve samples of iris, four of each class.
func few() *data.Data {
	return datasets.Iris().Subset([]int{0, 1, 2, 3, 50, 51, 52, 53, 100, 101, 102, 103})
}

// loaded returns a model after Save and Load.
func loaded(t *testing.T, m *ssdrnb.Model) *ssdrnb.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	l, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// line returns n points on a diagonal.
func line(n int) *data.Data {
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{float64(i), float64(i)})
	}
	return data.New(x, nil)
}

func remediesOfCharts(t *testing.T) []advicetest.Case {
	nan, inf := math.NaN(), math.Inf(1)
	names := func(n int) []string {
		out := make([]string, n)
		for k := range out {
			out[k] = fmt.Sprint("g", k)
		}
		return out
	}
	ones := func(n int) []float64 { return slices.Repeat([]float64{1}, n) }
	series := func(n, groups int) []viz.BarSeries {
		out := make([]viz.BarSeries, n)
		for k := range out {
			out[k] = viz.BarSeries{Name: fmt.Sprint("s", k), Mean: ones(groups)}
		}
		return out
	}
	bars := func(groups int, s ...viz.BarSeries) error { return viz.Bars("accuracy", names(groups), s...).Err() }
	curves := func(n, points int) []viz.Curve {
		out := make([]viz.Curve, n)
		for k := range out {
			out[k] = viz.Curve{Name: fmt.Sprint("c", k), X: ones(points), Mean: ones(points)}
		}
		return out
	}
	draw := func(c ...viz.Curve) error { return viz.Curves("labels", "accuracy", c...).Err() }
	vectors := func(n int, v [3]float64) error { return viz.Cone(slices.Repeat([][3]float64{v}, n)...).Err() }
	steps := func(models, steps int) error {
		all := make([]iterated, models)
		for k := range all {
			all[k] = history(ones(steps), ones(steps))
		}
		return viz.Convergence(all...).Err()
	}
	two := few().Only(0, 1)
	plane := two.Subset([]int{0, 1, 2, 4, 5, 6})
	flat := data.New(mat.DenseCopyOf(plane.X.Slice(0, 6, 0, 2)), plane.Labels)
	lda := ssdrnb.LDA().Dims(1).MustFit(plane)
	onPlane := ssdrnb.LDA().Dims(1).MustFit(flat)
	wine := datasets.Wine().Standardize().KeepLabels(4).Seed(1)
	opinions, err := ssdrnb.Opinions(context.Background(), wine)
	if err != nil {
		t.Fatal(err)
	}
	found, err := ssdrnb.Clusters().Find(wine)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := ssdrnb.Communities().Find(wine)
	if err != nil {
		t.Fatal(err)
	}
	sweep := func(b ssdrnb.SweepBuilder) *ssdrnb.SweepResult {
		r, err := b.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	over := func(d *data.Data) ssdrnb.SweepBuilder { return ssdrnb.Sweep(ssdrnb.LPP().Dims(1), d) }
	mesh := func(b ssdrnb.SweepBuilder) error { return viz.Mesh(sweep(b)).Err() }
	hidden := few().KeepLabels(2).Seed(1)
	small := sweep(over(hidden).List("dims", 1, 2).List("neighbors", 2, 3))
	unscored := &ssdrnb.SweepResult{Spec: small.Spec, Axes: small.Axes, Splits: 1, Unlabelled: make([]ssdrnb.Cell, 4)}
	huge := func(n int) error { // a sweep too large to run
		axis := small.Axes[0]
		axis.Values = slices.Repeat(axis.Values[:1], n)
		return viz.Mesh(&ssdrnb.SweepResult{Spec: small.Spec, Axes: []ssdrnb.Axis{axis, small.Axes[1]}, Splits: 1, Unlabelled: slices.Repeat(small.Unlabelled[:1], 2*n)}).Err()
	}
	weights := func(n int, w float64) viz.Graph {
		m := mat.NewDense(n, n, nil)
		m.Set(0, 1, w)
		return viz.Graph{Name: "w", Weights: m}
	}
	graph := func(d *data.Data, g ...viz.Graph) error { return viz.Adjacency(d, g...).Err() }
	gaps := data.New(mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), nil)
	return []advicetest.Case{
		{"no groups", bars(0), "give at least one of each", func() error { return bars(1, series(1, 1)...) }},
		{"101 series", bars(2, series(101, 2)...), "draw fewer, or make them groups", func() error { return errors.Join(bars(2, series(100, 2)...), bars(101, series(2, 101)...)) }},
		{"2,002 bars", bars(1001, series(2, 1001)...), "draw fewer", func() error { return bars(1000, series(2, 1000)...) }},
		{"a mean too few", bars(2, series(1, 1)...), "give one mean per group, and one spread per group or no spreads", func() error { return bars(2, series(1, 2)...) }},
		{"series of one name", bars(1, series(1, 1)[0], series(1, 1)[0]), "give each its own name", func() error { return bars(1, series(2, 1)...) }},
		{"an infinite mean", bars(1, viz.BarSeries{Mean: []float64{inf}}), "give finite numbers up to 1e+300", func() error { return bars(1, viz.BarSeries{Mean: []float64{1e300}}) }},
		{"an infinite mean, otherwise", bars(2, viz.BarSeries{Mean: []float64{inf, 1}}), "or NaN as the mean to draw no bar", func() error { return bars(2, viz.BarSeries{Mean: []float64{nan, 1}}) }},
		{"no mean", bars(1, viz.BarSeries{Mean: []float64{nan}}), "give at least one", func() error { return bars(1, viz.BarSeries{Mean: []float64{1}}) }},

		{"601 curves", draw(curves(601, 1)...), "draw fewer", func() error { return draw(curves(600, 1)...) }},
		{"curves of one name", draw(curves(1, 1)[0], curves(1, 1)[0]), "give each its own name", func() error { return draw(curves(2, 1)...) }},
		{"100,002 points", draw(curves(2, 50_001)...), "draw fewer, such as every tenth point", func() error { return draw(curves(2, 25_000)...) }},
		{"no curve", draw(), "give at least one curve with at least one point", func() error { return draw(curves(1, 1)...) }},
		{"a mean too few", draw(viz.Curve{X: ones(2), Mean: ones(1)}), "give one of each per point", func() error { return draw(viz.Curve{X: ones(2), Mean: ones(2)}) }},
		{"a point without a value", draw(viz.Curve{X: ones(2), Mean: []float64{nan, 1}}), "leave out points without a value", func() error { return draw(viz.Curve{X: ones(1), Mean: ones(1)}) }},
		{"a point too large", draw(viz.Curve{X: ones(1), Mean: []float64{1e305}}), "rescale numbers beyond 1e+300", func() error { return draw(viz.Curve{X: ones(1), Mean: []float64{1e305 / 1e10}}) }},
		{"a negative spread", draw(viz.Curve{X: ones(1), Mean: ones(1), Spread: []float64{-1}}), "give a standard deviation of 0 or more", func() error { return draw(viz.Curve{X: ones(1), Mean: ones(1), Spread: ones(1)}) }},
		{"101 panels", viz.CurvePanels("x", "y", make([]viz.CurvePanel, 101)...).Err(), "draw fewer", func() error {
			return viz.CurvePanels("x", "y", slices.Repeat([]viz.CurvePanel{{Curves: curves(1, 1)}}, 100)...).Err()
		}},

		{"101 vectors", vectors(101, [3]float64{1, 2, 3}), "draw fewer", func() error { return vectors(100, [3]float64{1, 2, 3}) }},
		{"an infinite vector", vectors(1, [3]float64{inf, 2, 3}), "give finite numbers up to 1e100", func() error { return vectors(1, [3]float64{1e100, 2, 3}) }},
		{"vectors of 0", vectors(2, [3]float64{}), "give one that is longer than 1e-100", func() error { return viz.Cone([3]float64{}, [3]float64{1e-99, 0, 0}).Err() }},

		{"400,002 steps", steps(3, 66_667), "draw fewer models", func() error { return steps(2, 66_667) }},
		{"601 iterations", steps(601, 1), "draw fewer models", func() error { return steps(600, 1) }},
		{"a model without a report", viz.Convergence(iterated{}).Err(), "fit it again", func() error { return viz.Convergence(ssdrnb.TRSDA().Neighbors(3).MustFit(few())).Err() }},
		{"a model without iterations", viz.Convergence(ssdrnb.PCA().MustFit(few())).Err(), "give a model of a trace-ratio method such as TRSDA", func() error { return viz.Convergence(ssdrnb.TRSDA().Neighbors(3).MustFit(few())).Err() }},

		{"boundaries of four features", viz.Boundaries(lda).Err(), "draw viz.Embedding(model)", func() error { return viz.Embedding(lda).Err() }},
		{"boundaries after Load", viz.Boundaries(loaded(t, onPlane)).Err(), "fit it again", func() error { return viz.Boundaries(ssdrnb.LDA().Dims(1).MustFit(flat)).Err() }},

		{"no opinions", viz.Calibration(nil, wine.Truth).Err(), "give the result of ssdrnb.Opinions", func() error { return viz.Calibration(opinions, wine.Truth).Err() }},
		{"too few true classes", viz.Calibration(opinions, wine.Truth[:3]).Err(), "give one for each", func() error { return viz.Calibration(opinions, wine.Truth).Err() }},
		{"true classes of labelled samples", viz.Calibration(opinions, wine.Labels).Err(), "give the true classes of such samples", func() error { return viz.Calibration(opinions, wine.Truth).Err() }},

		{"no table", viz.Contrast(nil).Err(), "give the result of ssdrnb.Contrast", func() error { return viz.Contrast(ssdrnb.Contrast(few(), []int{0, 1, 2})).Err() }},
		{"a contrast of distances and names", viz.Contrast(ssdrnb.Contrast(data.FromDistances(mat.NewSymDense(4, []float64{0, 1, 2, 3, 1, 0, 1, 2, 2, 1, 0, 1, 3, 2, 1, 0})).WithAttribute("name", []string{"a", "b", "c", "d"}), []int{0, 1})).Err(), "give data with features or attributes", func() error {
			return viz.Contrast(ssdrnb.Contrast(data.New(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), nil), []int{0, 1})).Err()
		}},
		{"no table of a target", viz.TargetCurve(nil).Err(), "give the result of ssdrnb.TargetCurve", func() error {
			table, err := ssdrnb.TargetCurve(context.Background(), ssdrnb.PCA(), few().WithTarget("width", mat.Col(nil, 0, few().X)), 1, 0.5)
			if err != nil {
				return err
			}
			return viz.TargetCurve(table).Err()
		}},
		{"no clusters", viz.Tree(nil).Err(), "give the result of ssdrnb.Clusters().Find", func() error { return viz.Tree(found).Err() }},
		{"the tree of communities", viz.Tree(parts).Err(), "give the clusters of ssdrnb.Clusters().Find", func() error { return viz.Tree(found).Err() }},

		{"a sweep over one option", mesh(over(hidden).List("neighbors", 2, 3)), "give exactly two with Linear, Log10 or List of ssdrnb.Sweep", func() error {
			return errors.Join(mesh(over(hidden).List("neighbors", 2, 3).Log10("width", -1, 0, 1)), mesh(over(hidden).Linear("neighbors", 2, 3, 1).Log10("width", -1, 0, 1)))
		}},
		{"2,001 values", huge(2001), "give Linear or Log10 larger steps", func() error { return huge(1000) }},
		{"one value", mesh(over(hidden).List("neighbors", 2, 3).Log10("width", 0, 0, 1)), "widen its range", func() error { return mesh(over(hidden).List("neighbors", 2, 3).Log10("width", -1, 0, 1)) }},
		{"cells without scores", viz.Mesh(unscored).Err(), "give data with true classes", func() error { return mesh(over(hidden).List("neighbors", 2, 3).List("dims", 1, 2)) }},

		{"a graph without weights", graph(few(), viz.Graph{}), "give a matrix", func() error { return graph(few(), weights(12, 1)) }},
		{"a graph without weights, otherwise", graph(few(), viz.Graph{}), "or the Model.Graph of a method that learns one", func() error {
			return graph(few(), viz.Graph{Weights: ssdrnb.LMRAG().MustFit(few()).Graph()})
		}},
		{"a graph of fewer samples", graph(few(), weights(3, 1)), "give one row and column per sample", func() error { return graph(few(), weights(12, 1)) }},
		{"an infinite weight", graph(few(), weights(12, inf)), "give finite weights up to 1e+300", func() error { return graph(few(), weights(12, 1e300)) }},
		{"no graph", graph(few()), "give at least one", func() error { return graph(few(), weights(12, 1)) }},
		{"no samples", graph(&data.Data{}, weights(12, 1)), "give at least one", func() error { return graph(gaps, weights(6, 1)) }},
	}
}

func remediesOfEmbeddings(t *testing.T) []advicetest.Case {
	d := few()
	pca := ssdrnb.PCA().MustFit(d)
	saved := loaded(t, pca)
	tsne := ssdrnb.TSNE().MustFit(datasets.Iris())
	savedCurve := loaded(t, tsne)
	three := ssdrnb.PCA().Dims(3).MustFit(d)
	one := ssdrnb.PCA().Dims(1).MustFit(d)
	err := func(f viz.Figure) error { return f.Err() }
	sized := func(height, width int) *data.Data { // four features
		c := *d
		c.Image = data.Image{Height: height, Width: width}
		return &c
	}
	blank := data.New(mat.NewDense(3, 4, nil), nil).WithImage(data.Image{Height: 2, Width: 2})
	many := line(100_001)
	whole := line(1_000_001)
	pairs := func(n int) *ssdrnb.Model {
		must := make([]data.Pair, n)
		for k := range must {
			must[k] = data.Pair{I: k % 150, J: (k%150 + 1 + k/150%149) % 150}
		}
		m := *datasets.Iris()
		m.Pairs = data.Pairs{Must: must}
		return ssdrnb.PCA().MustFit(&m)
	}
	group := func(n int) viz.Figure {
		return viz.Multiples(viz.Group{Title: "g", Models: slices.Repeat([]viz.Embedded{pca}, n)})
	}
	same := data.New(mat.NewDense(12, 2, slices.Repeat([]float64{1, 2}, 12)), nil)
	equal := placed{d, same.X}
	thin := data.NewSparse(sparse.FromDense(d.X), nil)
	thin.FeatureNames = []string{"a", "b", "c", "d"}
	far := placed{d, mat.NewDense(12, 2, slices.Repeat([]float64{1e305, 2}, 12))}
	local := slices.Repeat([]int{0}, 1)
	nine := placed{d.Subset(rows(0, 9)), mat.DenseCopyOf(d.X.Slice(0, 9, 0, 2))}
	ten := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	half := mat.DenseCopyOf(d.X)
	for i := range 10 {
		half.SetRow(i, d.X.RawRowView(0))
	}
	still := placed{data.New(half, nil), d.X}
	stuck := mat.DenseCopyOf(d.X)
	for i := range 10 {
		stuck.SetRow(i, d.X.RawRowView(0))
	}
	unmoved := placed{d, stuck}
	clusters, failure := ssdrnb.Clusters().Find(datasets.Iris())
	if failure != nil {
		t.Fatal(failure)
	}
	of := func(m viz.Embedded) viz.Figure { return viz.Embedding(m) }
	wide := data.New(mat.NewDense(4, 10_001, nil), nil)
	wide.X.Set(0, 0, 1)
	wide.X.Set(0, 1, 1)
	long := data.New(mat.NewDense(1700, 9_500, nil), nil)
	measured := *d
	measured.Targets = []data.Target{{Name: "width", Values: []float64{1}}}
	wine := datasets.Wine()
	inWine, failure := ssdrnb.Clusters().Find(wine)
	if failure != nil {
		t.Fatal(failure)
	}
	names := filepath.Join(filepath.Dir(os.Getenv("JPY_SESSION_NAME")), "ssdrnb-constraints", "test", store.Renamed+identity(t, of(ssdrnb.PCA().MustFit(wine)), 0)["print"].(string)+".json")
	if err := os.MkdirAll(filepath.Dir(names), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []advicetest.Case{
		{"a model of a failed fit", err(viz.Embedding((*ssdrnb.Model)(nil))), "see the error that Fit returned", func() error { return err(of(pca)) }},
		{"the zero figure", viz.Figure{}.Err(), "make one with a function of viz, such as Embedding", func() error { return err(of(pca)) }},
		{"a figure of no embedding", err(of(placed{d, nil})), "fit it again", func() error { return err(of(pca)) }},
		{"a huge embedding", err(of(far)), "rescale larger ones", func() error { return err(of(placed{d, d.X})) }},
		{"a panel of a million samples", err(of(viz.Samples(whole))), "draw a subset with Data.Subset", func() error { return err(of(viz.Samples(whole.Subset(rows(0, 1000))))) }},
		{"tiles of many samples", err(viz.Multiples(viz.Group{Models: []viz.Embedded{viz.Samples(many)}})), "draw a subset with Data.Subset", func() error {
			return err(viz.Multiples(viz.Group{Models: []viz.Embedded{viz.Samples(many.Subset(rows(0, 1000)))}}))
		}},
		{"1,001 tiles", err(group(1000)), "draw fewer", func() error { return err(group(999)) }},
		{"panels of many samples", err(viz.Compare(slices.Repeat([]viz.Embedded{viz.Samples(line(20_000))}, 21)...)), "draw fewer panels, or a subset with Data.Subset", func() error {
			return errors.Join(err(viz.Compare(slices.Repeat([]viz.Embedded{viz.Samples(line(20_000))}, 20)...)), err(viz.Compare(slices.Repeat([]viz.Embedded{viz.Samples(line(20_000).Subset(rows(0, 1000)))}, 21)...)))
		}},
		{"loadings of sparse features", err(viz.Loadings(placed{thin, d.X})), "fit the model to data reduced with Data.PCA", func() error { return err(viz.Loadings(ssdrnb.PCA().MustFit(thin.PCA(2)))) }},
		{"the colour of a sparse feature", err(of(placed{thin, d.X}).Color("a")), "give a slice of values", func() error { return err(of(placed{thin, d.X}).Color(make([]float64, 12))) }},
		{"loadings of distances", err(viz.Loadings(placed{data.FromDistances(mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0})), mat.NewDense(3, 2, []float64{0, 0, 1, 0, 2, 1})})), "draw a model of data with features", func() error { return err(viz.Loadings(pca)) }},
		{"a group without a model", err(viz.Multiples(viz.Group{Title: "none"})), "give it one or leave it out", func() error { return err(group(1)) }},
		{"three dimensions", err(of(three).Labels()), "draw viz.Compare(model)", func() error {
			return remains(viz.Compare(three).Labels(), viz.Compare(three).Density(), viz.Compare(three).Arrows(2))
		}},
		{"one dimension of two classes", err(of(ssdrnb.LDA().Dims(2).MustFit(datasets.Iris().Only(0, 1))).Labels()), "or with a method that allows two dimensions", func() error {
			return err(of(ssdrnb.PCA().Dims(2).MustFit(datasets.Iris().Only(0, 1))).Labels())
		}},
		{"one dimension", err(of(one).Labels()), "fit with Dims(2)", func() error { return err(of(ssdrnb.PCA().Dims(2).MustFit(d)).Labels()) }},
		{"samples that are not images", err(of(pca).Thumbnails()), "describe the layout of images with Data.WithImage", func() error {
			return err(of(ssdrnb.PCA().MustFit(d.WithImage(data.Image{Height: 2, Width: 2}))).Thumbnails())
		}},
		{"images of another size", err(of(placed{sized(2, 3), pca.Embedding()}).Thumbnails()), "describe the layout of images with Data.WithImage", func() error { return err(of(placed{sized(2, 2), pca.Embedding()}).Thumbnails()) }},
		{"images of one grey", err(of(placed{blank, line(3).X}).Thumbnails()), "draw the figure without Thumbnails", func() error {
			return err(of(placed{blank, line(3).X}))
		}},
		{"5,001 images", err(of(viz.Samples(line(5_001).WithImage(data.Image{Height: 1, Width: 2}))).Thumbnails()), "select fewer samples with Data.Subset", func() error {
			return err(of(viz.Samples(line(5_001).WithImage(data.Image{Height: 1, Width: 2}).Subset(rows(0, 5_000)))).Thumbnails())
		}},
		{"differences in one dimension", err(of(one).Contrast()), "fit with Dims(2)", func() error { return err(of(ssdrnb.PCA().Dims(2).MustFit(d)).Contrast()) }},
		{"differences of other samples", err(of(placed{d, mat.DenseCopyOf(d.X.Slice(0, 5, 0, 2))}).Contrast()), "fit it again", func() error { return err(of(pca).Contrast()) }},
		{"differences of 10,001 features", err(of(viz.Samples(wide)).Contrast()), "call ssdrnb.Contrast in a cell", func() error { return viz.Contrast(ssdrnb.Contrast(wide, []int{0, 1})).Err() }},
		{"differences of 16 million values", err(of(placed{long, line(1700).X}).Contrast()), "draw a subset with Data.Subset", func() error { return err(of(placed{long.Subset(rows(0, 20)), line(20).X}).Contrast()) }},
		{"distances in one dimension", err(of(one).Distances()), "fit with Dims(2)", func() error { return err(of(ssdrnb.PCA().Dims(2).MustFit(d)).Distances()) }},
		{"distances of other samples", err(of(placed{d, mat.DenseCopyOf(d.X.Slice(0, 5, 0, 2))}).Distances()), "fit it again", func() error { return err(of(pca).Distances()) }},
		{"distances of too many samples", err(of(viz.Samples(line(20_001))).Distances()), "draw a subset with Data.Subset", func() error {
			return err(of(viz.Samples(line(20_001).Subset(rows(0, 20_000)))).Distances())
		}},
		{"distances without features", err(of(placed{data.FromDistances(mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0})), mat.NewDense(3, 2, []float64{0, 0, 1, 0, 2, 1})}).Distances()), "draw a model of data with features", func() error {
			return err(of(pca).Distances())
		}},
		{"damaged names of clusters", err(of(ssdrnb.PCA().MustFit(wine)).Named(inWine)), "away", func() error {
			if failure := os.Rename(names, names+".old"); failure != nil {
				return failure
			}
			return err(of(ssdrnb.PCA().MustFit(wine)).Named(inWine))
		}},
		{"a target of one value", err(of(viz.Samples(&measured)).Color("width")), "give one for each with Data.WithTarget", func() error {
			return err(of(viz.Samples(d.WithTarget("width", mat.Col(nil, 0, d.X)))).Color("width"))
		}},
		{"names of no clusters", err(of(pca).Named(nil)), "give the result of ssdrnb.Clusters().Find", func() error { return err(of(ssdrnb.PCA().MustFit(datasets.Iris())).Named(clusters)) }},

		{"distortion after Load", err(viz.Distortion(saved)), "fit it again", func() error { return err(viz.Distortion(ssdrnb.PCA().MustFit(d))) }},
		{"distortion of two samples", err(viz.Distortion(viz.Samples(line(2)))), "give at least 3", func() error { return err(viz.Distortion(viz.Samples(line(3)))) }},
		{"distortion of sample 12", err(viz.Distortion(pca, 12)), "give samples from 0 to 11", func() error { return err(viz.Distortion(pca, 11)) }},
		{"links of sample 12", err(viz.GraphLinks(pca, viz.Graph{Weights: mat.NewDense(12, 12, nil)}, 12)), "give samples from 0 to 11", func() error {
			return err(viz.GraphLinks(pca, viz.Graph{Weights: mat.NewDense(12, 12, nil)}, 11))
		}},
		{"no pairs", err(viz.PairLinks(pca)), "add some with Data.WithPairs", func() error {
			return err(viz.PairLinks(ssdrnb.PCA().MustFit(d.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 1}}}))))
		}},
		{"10,001 pairs", err(viz.PairLinks(pairs(10_001))), "give at most 10000 pairs to Data.WithPairs", func() error { return err(viz.PairLinks(pairs(10_000))) }},

		{"loadings at sample 12", err(viz.Loadings(pca, 12)), "give samples from 0 to 11", func() error { return err(viz.Loadings(pca, 11)) }},
		{"loadings of t-SNE after Load", err(viz.Loadings(savedCurve)), "fit it again", func() error { return err(viz.Loadings(tsne)) }},
		{"loadings of equal places", err(viz.Loadings(equal)), "give data whose samples differ", func() error { return err(viz.Loadings(placed{d, d.X})) }},
		{"no samples of a local map", err(viz.Loadings(tsne, []int{}...)), "give one sample to use its nearest neighbours, or at least 10 samples", func() error {
			return remains(viz.Loadings(tsne, 0), viz.Loadings(tsne, ten...))
		}},
		{"two samples of a local map", err(viz.Loadings(tsne, 0, 1)), "or at least 10", func() error { return err(viz.Loadings(tsne, ten...)) }},
		{"two samples of a local map, otherwise", err(viz.Loadings(tsne, 0, 1)), "give one sample to use its nearest neighbours", func() error { return err(viz.Loadings(tsne, local...)) }},
		{"a local map of nine samples", err(viz.Loadings(nine, 0)), "to draw the map of all samples, give none", func() error { return err(viz.Loadings(nine)) }},
		{"equal samples of a local map", err(viz.Loadings(still, rows(0, 10)...)), "give other samples", func() error { return err(viz.Loadings(still, ten...)) }},
		{"equal places of a local map", err(viz.Loadings(unmoved, rows(0, 10)...)), "give other samples", func() error { return err(viz.Loadings(unmoved, ten...)) }},
		{"no arrows", err(of(pca).Arrows(0)), "give 1 to 100", func() error { return remains(of(pca).Arrows(1), of(pca).Arrows(100)) }},
	}
}

// shownClasses returns the entries of the legend of a figure.
func shownClasses(t *testing.T, f viz.Figure) []string {
	var out []string
	for name := range points(payload(t, f)) {
		out = append(out, name)
	}
	return out
}

func remediesOfStyles(t *testing.T) []advicetest.Case {
	d := few()
	pca := ssdrnb.PCA().MustFit(d)
	f := viz.Embedding(pca)
	saved := viz.Embedding(loaded(t, pca))
	named := d.WithAttribute("place", slices.Repeat([]string{"here"}, 12))
	short := *named
	short.Attributes = []data.Attribute{{Name: "place", Values: []string{"here"}}}
	lone := line(3).WithAttribute("sort", []string{"a", "b", "a"})
	sized := d.WithTarget("size", mat.Col(nil, 2, d.X))
	lacking := *sized
	lacking.Targets = []data.Target{{Name: "size", Values: []float64{1}}}
	doubled := *sized
	doubled.Targets = slices.Repeat(sized.Targets, 2)
	doubled.Attributes = slices.Repeat(named.Attributes, 2)
	twice := viz.Embedding(viz.Samples(&doubled))
	renamed := *d
	renamed.FeatureNames = []string{"first", "value", "value", "value"}
	alike := viz.Embedding(viz.Samples(&renamed))
	bare := data.New(d.X, nil)
	numbers, texts := slices.Repeat([]float64{1}, 12), slices.Repeat([]string{"a"}, 12)
	days := d.WithAttribute("day", slices.Repeat([]string{"2026-11-25"}, 12))
	years := d.WithAttribute("day", slices.Repeat([]string{"2026"}, 12))
	words := d.WithAttribute("day", slices.Repeat([]string{"now"}, 12))
	on := func(d *data.Data) *ssdrnb.Model { return ssdrnb.PCA().MustFit(d) }
	file := func(f viz.Figure, name string) error { return f.Save(filepath.Join(t.TempDir(), name)) }
	bars := viz.Bars("y", []string{"g"}, viz.BarSeries{Mean: []float64{1}})
	every := func(of viz.Figure, names ...string) error {
		var all []error
		for _, n := range names {
			all = append(all, of.Color(viz.Fact(n)).Err())
		}
		return errors.Join(all...)
	}
	s2ne := ssdrnb.S2NE().MustFit(datasets.Iris().KeepLabels(3).Seed(1))
	classes := slices.Repeat([]int{0}, 40)
	for i := range classes {
		classes[i] = i
	}
	forty := data.New(line(40).X, classes)
	return []advicetest.Case{
		{"a colour of no kind", f.Color(3).Err(), "give a name, a slice with one value for each sample, or a Fact", func() error {
			return remains(f.Color("petal length (cm)"), f.Color(numbers), f.Color(viz.Confidence))
		}},
		{"a value too few", f.Color(numbers[1:]).Err(), "give one for each", func() error { return f.Color(numbers).Err() }},
		{"values of no kind", f.Color(make([]struct{}, 12)).Err(), "give numbers, strings, booleans or times", func() error {
			return remains(f.Color(numbers), f.Color(texts), f.Color(make([]bool, 12)), f.Color(slices.Repeat([]time.Time{time.Unix(1, 0)}, 12)))
		}},
		{"a feature after Load", saved.Color("petal length (cm)").Err(), "fit it again", func() error { return f.Color("petal length (cm)").Err() }},
		{"a feature after Load, otherwise", saved.Color("petal length (cm)").Err(), "or give a slice of values", func() error { return saved.Color(numbers).Err() }},
		{"a feature without its unit", f.Color("petal length").Err(), `choose one of "sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"`, func() error { return f.Color("petal length (cm)").Err() }},
		{"the column of labels", f.Color("species").Err(), "leave Color out, because figures show the classes without it", func() error {
			if text := f.Text(); !strings.Contains(text, "12 samples") || !slices.Contains(shownClasses(t, f), "setosa") {
				return errors.New(text)
			}
			return nil
		}},
		{"the column of labels in cards", f.Hover("species").Err(), "or leave the name out if it means the class, which the hover card always shows", f.Err},
		{"another name than the only one", viz.Embedding(viz.Samples(lone)).Color("kind").Err(), `choose "sort"`, func() error { return viz.Embedding(viz.Samples(lone)).Color("sort").Err() }},
		{"10,001 names in cards", f.Hover(slices.Repeat(d.FeatureNames[:1], 10_001)...).Err(), "list fewer names", func() error { return f.Hover(d.FeatureNames...).Err() }},
		{"three features of one name", alike.Color("value").Err(), "give them different names in Data.FeatureNames", func() error { return remains(f.Color(d.FeatureNames[0]), f.Hover(d.FeatureNames[1])) }},
		{"three features of one name, otherwise", alike.PointSize("value").Err(), "or pass the values, such as Data.Original(1)", func() error { return alike.PointSize(d.Original(1)).Err() }},
		{"a card of three features", alike.Hover("value").Err(), "give them different names in Data.FeatureNames", func() error { return f.Hover(d.FeatureNames[1]).Err() }},
		{"two targets of one name", twice.Opacity("size").Err(), "give them different names in Data.Targets", func() error { return viz.Embedding(viz.Samples(sized)).Opacity("size").Err() }},
		{"two attributes of one name", twice.Color("place").Err(), "give them different names in Data.Attributes", func() error { return viz.Embedding(viz.Samples(named)).Color("place").Err() }},
		{"links by one of two attributes", viz.Compare(viz.Samples(&doubled), viz.Samples(&doubled)).Linked("place").Err(), "give them different names in Data.Attributes", func() error {
			return viz.Compare(viz.Samples(named), viz.Samples(named)).Linked("place").Err()
		}},
		{"no name of a file", f.Save(""), "give a name that ends in .png, .svg, .pdf or .html", func() error {
			return errors.Join(file(f, "a.png"), file(f, "a.svg"), file(f, "a.pdf"), file(f, "a.html"))
		}},
		{"a name of data without names", viz.Embedding(on(bare)).Color("petal length (cm)").Err(), "give a slice of values", func() error { return viz.Embedding(on(bare)).Color(numbers).Err() }},
		{"an attribute of one value", viz.Embedding(viz.Samples(&short)).Color("place").Err(), "give one for each with Data.WithAttribute", func() error { return viz.Embedding(viz.Samples(named)).Color("place").Err() }},
		{"a target of one value", viz.Embedding(viz.Samples(&lacking)).Color("size").Err(), "give one for each with Data.WithTarget", func() error { return viz.Embedding(viz.Samples(sized)).Color("size").Err() }},
		{"a curve of no table", viz.TargetCurve(nil).Err(), "give the result of ssdrnb.TargetCurve", func() error {
			table, err := ssdrnb.TargetCurve(t.Context(), ssdrnb.PCA(), sized, 1, 0.5)
			return errors.Join(err, viz.TargetCurve(table).Err())
		}},
		{"an unknown fact", f.Color(viz.Fact("truth")).Err(), "give PredictedClass, Confidence, Residual, Reliability, ProposedClass, Probability, Doubt or TiesKept", func() error {
			return errors.Join(every(f, "predicted class", "confidence", "residual", "reliability"), every(viz.Embedding(s2ne), "proposed class", "probability", "doubt", "ties kept"))
		}},
		{"opinions of data", viz.Embedding(viz.Samples(d)).Color(viz.Doubt).Err(), "fit S2NE", func() error { return viz.Embedding(s2ne).Color(viz.Doubt).Err() }},
		{"predicted classes without labels", viz.Embedding(on(bare)).Color(viz.PredictedClass).Err(), "fit the model to data with at least two labelled samples", func() error { return f.Color(viz.PredictedClass).Err() }},
		{"residuals of data", viz.Embedding(viz.Samples(d)).Color(viz.Residual).Err(), "fit a linear one, such as PCA", func() error { return f.Color(viz.Residual).Err() }},
		{"residuals after Load", saved.Color(viz.Residual).Err(), "fit it again", func() error { return f.Color(viz.Residual).Err() }},
		{"the colour of bars", bars.Color(numbers).Err(), "use it with Embedding, Compare, GraphLinks, PairLinks or Distortion", func() error {
			return remains(f.Color(numbers), viz.Compare(pca).Color(numbers), viz.Distortion(pca).Color(numbers))
		}},
		{"the colour of multiples", viz.Multiples(viz.Group{Models: []viz.Embedded{pca}}).Color(numbers).Err(), "draw the models with viz.Compare, which supports it", func() error { return viz.Compare(pca).Color(numbers).Err() }},
		{"no rows", f.Only().Err(), "give at least one", func() error { return f.Only(0).Err() }},
		{"the second of one row", viz.Embedding(viz.Samples(line(1))).Highlight(1).Err(), "has only row 0", func() error { return viz.Embedding(viz.Samples(line(1))).Highlight(0).Err() }},
		{"residuals of S2NE", viz.Embedding(s2ne).Color(viz.Residual).Err(), `Color("residual") of S2NE: not a linear model; fit a linear one, such as PCA`, func() error { return f.Color(viz.Residual).Err() }},
		{"doubt of PCA", f.Color(viz.Doubt).Err(), `Color("doubt") of PCA: no opinions; fit S2NE, or give values of ssdrnb.Opinions, such as those of Doubt`, func() error {
			o, err := ssdrnb.Opinions(t.Context(), d)
			if err != nil {
				return err
			}
			return remains(viz.Embedding(s2ne).Color(viz.Doubt), f.Color(o.Doubt()))
		}},
		{"boundaries of S2NE", viz.Boundaries(s2ne).Err(), "Boundaries of S2NE: not a linear model; give linear models, such as LDA", func() error {
			return viz.Boundaries(ssdrnb.LDA().Dims(1).MustFit(datasets.TwoMoons(1))).Err()
		}},
		{"row 12", f.Highlight(12).Err(), "PCA has rows 0 to 11", func() error { return f.Highlight(0, 11).Err() }},
		{"a number here, text there", viz.Compare(on(years), on(words)).Color("day").Err(), "draw two figures", func() error {
			return remains(viz.Embedding(on(years)).Color("day"), viz.Embedding(on(words)).Color("day"))
		}},
		{"a date here, a number there", viz.Compare(on(days), on(years)).Color("day").Err(), "draw two figures", func() error {
			return remains(viz.Embedding(on(days)).Color("day"), viz.Embedding(on(years)).Color("day"))
		}},
		{"no category", f.Color(make([]string, 12)).Err(), "give at least one", func() error { return f.Color(append([]string{"a"}, make([]string, 11)...)).Err() }},
		{"no number", f.Color(slices.Repeat([]float64{math.NaN()}, 12)).Err(), "give at least one", func() error { return f.Color(append([]float64{1}, slices.Repeat([]float64{math.NaN()}, 11)...)).Err() }},
		{"sizes of words", f.PointSize(texts).Err(), "show them with Color", func() error { return f.Color(texts).Err() }},
		{"a point of 0 pixels", f.PointSize(0).Err(), "give one from 1 to 40", func() error { return remains(f.PointSize(1), f.PointSize(40)) }},
		{"an opacity of 2", f.Opacity(2).Err(), "or values for the samples", func() error { return f.Opacity(numbers).Err() }},
		{"a palette of no name", f.Palette(9).Err(), "give Viridis, Gray or Diverging", func() error { return remains(f.Palette(viz.Viridis), f.Palette(viz.Gray), f.Palette(viz.Diverging)) }},
		{"a width of 10 mm", f.Width(10).Err(), "give 30 to 1000 millimetres", func() error { return errors.Join(file(f.Width(30), "f.svg"), file(f.Width(1000), "f.svg")) }},
		{"text of 2 points", f.FontSize(2).Err(), "give 4 to 24 points", func() error {
			return errors.Join(file(f.FontSize(4), "f.svg"), file(f.Width(400).FontSize(24), "f.svg"))
		}},
		{"text of a sized figure", file(f.Size(600, 400).FontSize(8), "f.svg"), "leave FontSize out, and set Width", func() error { return file(f.Size(600, 400).Width(85), "f.svg") }},
		{"text too large", file(f.Width(60).FontSize(20), "f.pdf"), "give at most", func() error {
			var most float64
			message := file(f.Width(60).FontSize(20), "f.pdf").Error()
			if _, err := fmt.Sscanf(message[bytes.Index([]byte(message), []byte("at most")):], "at most %g", &most); err != nil {
				return err
			}
			return errors.Join(file(f.Width(60).FontSize(most), "f.pdf"), file(f.Width(400).FontSize(20), "f.pdf"))
		}},
		{"text larger than the stated maximum by rounding", file(f.Width(156).FontSize(15), "f.svg"), "give at most 14.7 points", func() error { return file(f.Width(156).FontSize(14.7), "f.svg") }},
		{"text in a figure too narrow for any", file(f.Width(30).FontSize(4), "f.svg"), "give a larger Width", func() error { return file(f.Width(45).FontSize(4), "f.svg") }},
		{"a JPEG", file(f, "f.jpg"), "end the name in .png, .svg, .pdf or .html", func() error {
			return errors.Join(file(f, "f.png"), file(f, "f.svg"), file(f, "f.pdf"), file(f, "f.html"))
		}},
		{"forty classes in a hundred panels", saveable(viz.Compare(slices.Repeat([]viz.Embedded{viz.Samples(forty)}, 100)...)), "draw fewer panels", func() error {
			return saveable(viz.Compare(slices.Repeat([]viz.Embedded{viz.Samples(forty)}, 10)...))
		}},
		{"forty classes in a hundred panels, otherwise", saveable(viz.Compare(slices.Repeat([]viz.Embedded{viz.Samples(forty)}, 100)...)), "or viz.Multiples", func() error {
			return saveable(viz.Multiples(viz.Group{Models: slices.Repeat([]viz.Embedded{viz.Samples(forty)}, 100)}))
		}},
	}
}

// saveable returns the error of the figure in a notebook.
func saveable(f viz.Figure) error {
	_, err := f.Bundle()
	return err
}

func remediesOfPictures(t *testing.T) []advicetest.Case {
	pictures := func(p ...viz.Picture) error { return viz.Pictures(p...).Err() }
	img := image.NewGray(image.Rect(0, 0, 2, 1))
	good := viz.Picture{Image: img}
	paletted := func(colors ...color.Color) error {
		p := image.NewPaletted(image.Rect(0, 0, 1, 1), colors)
		p.Pix[0] = 1
		return pictures(viz.Picture{Image: p})
	}
	d := datasets.Digits().Take(2)
	thumbnails := func(d *data.Data, columns int) error { return pictures(viz.Thumbnails(d.X, d.Image, columns)) }
	holed := *d
	holed.X = mat.DenseCopyOf(d.X)
	holed.X.Set(0, 3, math.NaN())
	wide := data.Image{Height: 1, Width: 2100}
	sheet := func(n int) error { return pictures(viz.Thumbnails(mat.NewDense(n, 2100, nil), wide, 1)) }
	samples := few()
	pca := ssdrnb.PCA().MustFit(samples)
	one := ssdrnb.PCA().Dims(1).MustFit(samples)
	zeros := func(p *mat.Dense) []float64 { n, _ := p.Dims(); return make([]float64, n) }
	ofClass := func(k int) func(p *mat.Dense) []int {
		return func(p *mat.Dense) []int { n, _ := p.Dims(); return slices.Repeat([]int{k}, n) }
	}
	around := viz.Around(pca)
	field := func(p viz.Plane) error { return viz.Field(p).Err() }
	with := func(change func(p *viz.Plane)) error {
		p := around.Value("v", 2, 2, zeros)
		change(&p)
		return field(p)
	}
	both := around.Value("v", 2, 2, zeros)
	both.Classes = [][]int{{0}}
	few := datasets.Digits().Only(3, 5).Seed(1).Take(6)
	latent := ssdrnb.GPLVM().Rounds(1).MustFit(few)
	third := ssdrnb.GPLVM().Dims(3).Rounds(1).MustFit(few)
	decoded := func(path *mat.Dense) error { return pictures(viz.Decoded(latent, path, 2)) }
	return []advicetest.Case{
		{"a pixel without a colour", paletted(color.Black), "add the missing colours to Palette", func() error { return paletted(color.Black, color.White) }},
		{"no picture", pictures(), "give at least one", func() error { return pictures(good) }},
		{"a picture without pixels", pictures(viz.Picture{}), "give at least one", func() error { return pictures(good) }},
		{"a segmentation without pixels", pictures(viz.Regions(nil)), "give at least one", func() error { return pictures(viz.Regions([][]int{{0}})) }},
		{"scribbles without an image", pictures(viz.Scribbles(nil, [][]int{{0, 1}})), "give one", func() error { return pictures(viz.Scribbles(img, [][]int{{0, 1}})) }},
		{"a row too short", pictures(viz.Scribbles(img, [][]int{{0}})), "give one per pixel", func() error { return pictures(viz.Scribbles(img, [][]int{{0, -1}})) }},
		{"a row too many", pictures(viz.Scribbles(img, [][]int{{0, 1}, {0, 1}})), "give one class per pixel", func() error { return pictures(viz.Scribbles(img, [][]int{{0, 1}})) }},
		{"class −2", pictures(viz.Regions([][]int{{-2}})), "give classes from 0, or -1 for no class", func() error {
			return errors.Join(pictures(viz.Regions([][]int{{0}})), pictures(viz.Regions([][]int{{-1}})))
		}},
		{"thumbnails of no shape", pictures(viz.Thumbnails(d.X, data.Image{}, 0)), "give both, such as the fields X and Image of data", func() error { return pictures(viz.Thumbnails(d.X, d.Image, 0)) }},
		{"thumbnails of another shape", pictures(viz.Thumbnails(d.X, data.Image{Height: 8, Width: 9}, 0)), "give the width and height of the images", func() error {
			return pictures(viz.Thumbnails(d.X, data.Image{Height: 8, Width: 8}, 0))
		}},
		{"a negative number of columns", thumbnails(d, -1), "give at least 1, or 0 for a square sheet", func() error { return errors.Join(thumbnails(d, 1), thumbnails(d, 0)) }},
		{"a pixel without a value", thumbnails(&holed, 0), "give finite values", func() error { return thumbnails(d, 0) }},
		{"a sheet too large", sheet(1200), "draw fewer", func() error { return sheet(900) }},

		{"no plane", viz.Field().Err(), "fill one with Around(model).Value or Class", func() error {
			return errors.Join(field(viz.Around(pca).Value("v", 2, 2, zeros)), field(viz.Around(pca).Class(2, 2, ofClass(0))))
		}},
		{"an empty plane", field(around), "fill it with either Value or Class", func() error {
			return errors.Join(field(around.Value("v", 2, 2, zeros)), field(around.Class(2, 2, ofClass(-1))))
		}},
		{"values and classes", field(both), "fill it with either Value or Class", func() error { return field(both.Value("v", 2, 2, zeros)) }},
		{"an empty range", with(func(p *viz.Plane) { p.X = [2]float64{1, 1} }), "give finite ranges from low to high", func() error { return with(func(p *viz.Plane) { p.X = [2]float64{0, 1} }) }},
		{"ranges of different lengths", with(func(p *viz.Plane) { p.X, p.Y = [2]float64{0, 1e-20}, [2]float64{0, 1e299} }), "give ranges of similar lengths", func() error { return with(func(p *viz.Plane) { p.X, p.Y = [2]float64{0, 1}, [2]float64{0, 2} }) }},
		{"a value that is none", with(func(p *viz.Plane) { p.Values[0][1] = math.NaN() }), "give finite values", func() error { return with(func(p *viz.Plane) { p.Values[0][1] = 0 }) }},
		{"class −2 of a plane", field(around.Class(2, 2, ofClass(-2))), "give classes from 0, or -1 for no class", func() error {
			return errors.Join(field(around.Class(2, 2, ofClass(-1))), field(around.Class(2, 2, ofClass(0))))
		}},
		{"a row without cells", with(func(p *viz.Plane) { p.Values[1] = nil }), "give rows of equal length with at least one cell", func() error { return with(func(*viz.Plane) {}) }},
		{"a row too short", with(func(p *viz.Plane) { p.Values[1] = p.Values[1][:1] }), "give rows of equal length", func() error { return with(func(*viz.Plane) {}) }},
		{"1,001 columns", field(around.Value("v", 1001, 1, zeros)), "give 1 to 1000 each way", func() error {
			return errors.Join(field(around.Value("v", 1000, 1, zeros)), field(around.Value("v", 1, 1, zeros)))
		}},
		{"samples in one dimension", with(func(p *viz.Plane) { p.Samples = one }), "give an embedding with at least two", func() error { return with(func(p *viz.Plane) { p.Samples = pca }) }},
		{"a path of three dimensions", with(func(p *viz.Plane) { p.Path = mat.NewDense(2, 3, nil) }), "give two dimensions", func() error { return with(func(p *viz.Plane) { p.Path = mat.NewDense(2, 2, nil) }) }},
		{"a path of many positions", with(func(p *viz.Plane) { p.Path = mat.NewDense(100_001, 2, nil) }), "at most 100000 positions", func() error { return with(func(p *viz.Plane) { p.Path = mat.NewDense(100_000, 2, nil) }) }},
		{"three latent dimensions", field(viz.Uncertainty(third)), "fit with Dims(2)", func() error { return field(viz.Uncertainty(latent)) }},
		{"no path", decoded(viz.PathThrough(latent, 1, 0)), "give PathThrough at least two samples that exist, and 2 to 100000 positions", func() error { return decoded(viz.PathThrough(latent, 2, 0, 1)) }},
	}
}

func remediesOfSelections(t *testing.T) []advicetest.Case {
	store := func(name, rows string) {
		storeSelection(t, name, `{"format":1,"data":"iris","samples":150,"fingerprint":"","revision":2,"rows":`+rows+`}`)
	}
	read := func(name string) error { return viz.Selection(name).Err() }
	nothing := read("old")
	store("good", "[3,50]")
	store("before", "[-1]")
	store("beyond", "[150]")
	away := func(name string) error {
		damaged := read(name)
		folder := filepath.Join(filepath.Dir(os.Getenv("JPY_SESSION_NAME")), "ssdrnb-constraints", "test", "selection-"+name+".json")
		if !bytes.Contains([]byte(damaged.Error()), []byte("move "+folder+" away")) {
			return fmt.Errorf("the file is %s: %w", folder, damaged)
		}
		if err := os.Rename(folder, folder+".old"); err != nil {
			return err
		}
		store(name, "[3]") // the reader makes another selection
		return read(name)
	}
	iris := datasets.Iris()
	apply := func(d *data.Data) error { return viz.Selection("good").Apply(d).Err() }
	storeSelection(t, "printed", fmt.Sprintf(`{"format":1,"data":"iris","samples":150,"fingerprint":%q,"rows":[3]}`, identity(t, viz.Embedding(viz.Samples(iris)), 0)["print"]))
	return []advicetest.Case{
		{"nothing is stored", nothing, "select samples with the lasso or the box of a figure, and store them under this name", func() error { store("old", "[3]"); return read("old") }},
		{"a misspelt name", read("goood"), `choose a stored name ("before", "beyond", "good", "printed")`, func() error { return read("good") }},
		{"a name of no file", read("a/b"), "give another name", func() error { return read("good") }},
		{"a row before the first", read("before"), "choose another name", func() error { return read("good") }},
		{"a row before the first, otherwise", read("before"), "away", func() error { return away("before") }},
		{"a row beyond the last", read("beyond"), "away", func() error { return away("beyond") }},
		{"a selection of fewer samples", apply(iris.Subset(rows(0, 100))), "use the same data in the same order", func() error { return apply(iris) }},
		{"a selection of another order", viz.Selection("printed").Apply(iris.Subset(append(rows(1, 150), 0))).Err(), "use the same data in the same order", func() error { return viz.Selection("printed").Apply(iris).Err() }},
	}
}

func remediesOfComparisons(t *testing.T) []advicetest.Case {
	d, whole := few(), datasets.Iris()
	pca, lda, other := ssdrnb.PCA().MustFit(d), ssdrnb.LDA().MustFit(d), ssdrnb.PCA().MustFit(whole)
	table, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.PCA(), d, 5)
	if err != nil {
		t.Fatal(err)
	}
	advice, err := ssdrnb.Recommend(t.Context(), whole.KeepLabels(1), 0)
	if err != nil {
		t.Fatal(err)
	}
	stays := func(models ...viz.Embedded) error { return viz.Compare(models...).Color(viz.Stays).Err() }
	named := func(d *data.Data, of string) *ssdrnb.Model {
		names := make([]string, d.Len())
		for i := range names {
			names[i] = fmt.Sprint(of, i)
		}
		return ssdrnb.PCA().MustFit(d.WithAttribute("name", names))
	}
	a, b, elsewhere := named(d, "n"), named(d.Subset([]int{0, 4, 8, 9}), "n"), named(d, "m")
	linked := func(by string, models ...viz.Embedded) error { return viz.Compare(models...).Linked(by).Err() }
	right := func() error { return linked("name", a, b) }
	twenty := func(n int) viz.Embedded {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("n", i)
		}
		return viz.Samples(line(n).WithAttribute("name", names))
	}
	lacking := *d
	lacking.Attributes = []data.Attribute{{Name: "name", Values: []string{"n1"}}}
	pair := ssdrnb.PCA().Dims(1).MustFit(d.Subset([]int{0, 4}))
	two := func() error { return stays(pca, lda) }
	return []advicetest.Case{
		{"sizes by what stays", viz.Embedding(pca).PointSize(viz.Stays).Err(), "draw both with viz.Compare", two},
		{"what stays between three", stays(pca, lda, pca), "give Compare two embeddings of the same samples", two},
		{"what stays of other samples", stays(pca, other), "compare embeddings of the same samples", two},
		{"what stays of two samples", stays(pair, pair), "give at least 3", func() error {
			three := ssdrnb.PCA().MustFit(d.Subset([]int{0, 4, 8}))
			return stays(three, three)
		}},
		{"one embedding linked", linked("name", a), "give Compare two or more", right},
		{"linked by a misspelt name", linked("nam", a, b), `choose one of "name"`, right},
		{"linked without attributes", linked("name", a, pca), "add it with Data.WithAttribute", right},
		{"linked by values that differ", linked("name", a, elsewhere), "name an attribute that identifies the same sample in several data sets", right},
		{"linked by one value", linked("name", a, viz.Samples(&lacking)), "give one for each with Data.WithAttribute", right},
		{"linked samples that are too many", linked("name", twenty(20_001), twenty(5)), "draw a subset with Data.Subset", func() error { return linked("name", twenty(20_000), twenty(5)) }},
		{"no recommendation", viz.Recommended(nil).Err(), "give the result of ssdrnb.Recommend", func() error { return viz.Recommended(advice).Err() }},
		{"an empty recommendation", viz.Recommended(&ssdrnb.Recommendation{}).Err(), "use the value that Recommend returns", func() error { return viz.Recommended(advice).Err() }},
		{"against no null", viz.AgainstNull(pca, nil).Err(), "give the result of ssdrnb.AgainstNull", func() error { return viz.AgainstNull(pca, table).Err() }},
		{"against the null of other data", viz.AgainstNull(other, table).Err(), "compare the data that the model was fitted to", func() error { return viz.AgainstNull(pca, table).Err() }},
	}
}
