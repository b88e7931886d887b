package ssdrnb_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// remediesOfCalls are the error cases of calls on models, opinions, groups, files and the memo.
func remediesOfCalls(t *testing.T) []advicetest.Case {
	t.Helper()
	ctx := context.Background()
	is := func(_ any, err error) error { return err }
	folder := t.TempDir()
	iris := datasets.Iris()
	few := iris.KeepLabels(5).Seed(1)
	bare := iris.HideLabels()
	other := datasets.Wine()
	named := func(class string) *data.Data {
		d := *iris
		d.ClassNames = []string{"setosa", "versicolor", class}
		return &d
	}
	// loaded saves the model with its arrays changed, and loads it.
	loaded := func(m *ssdrnb.Model, change func(name string, content []byte) []byte) *ssdrnb.Model {
		path := filepath.Join(folder, "m.npz")
		must(t, m.Save(path))
		raw, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, repacked(t, raw, change), 0o600))
		back, err := ssdrnb.Load(path)
		must(t, err)
		return back
	}
	whole := func(_ string, content []byte) []byte { return content }
	pca, lda := ssdrnb.PCA().MustFit(few), ssdrnb.LDA().MustFit(few)
	unlabelled := ssdrnb.PCA().MustFit(bare)
	standard := ssdrnb.LDA().MustFit(few.Standardize())
	guided := ssdrnb.S2NE().Iterations(5).MustFit(few)
	unasked := loaded(ssdrnb.S2NE().Iterations(5).MustFit(few), dropping("pr"))
	_, err := guided.Opinions()
	must(t, err)
	asked := loaded(guided, whole)
	cosine := ssdrnb.S2NE().Iterations(5).Metric(ssdrnb.Cosine).MustFit(few)
	latent := ssdrnb.GPLVM().Rounds(1).MustFit(few.Subset(every(iris.Len(), 5)))
	opinions, err := ssdrnb.Opinions(ctx, few)
	must(t, err)
	read, err := asked.Opinions()
	must(t, err)
	series := ssdrnb.NewSeries(few)
	own, err := series.Opinions(ctx, few.Labels)
	must(t, err)
	groups, err := ssdrnb.Clusters().Find(iris)
	must(t, err)
	reasons := func(o *ssdrnb.Opinion, row, most int) error { _, _, err := o.Reasons(ctx, row, most); return err }
	rows := func(n int) *mat.Dense { return mat.DenseCopyOf(iris.X.Slice(0, n, 0, 4)) }
	scaled := func() *mat.Dense { return mat.DenseCopyOf(few.Standardize().X) }
	times := func(f float64) *mat.Dense { x := rows(3); x.Scale(f, x); return x }
	tiny := ssdrnb.PCA().MustFit(inUnits(iris, 1e-300).Scale01())
	damaged := filepath.Join(folder, "damaged.npz")
	must(t, os.WriteFile(damaged, []byte("no model"), 0o600))
	good := filepath.Join(folder, "good.npz")
	must(t, pca.Save(good))
	load := func(path string) error { return is(ssdrnb.Load(path)) }
	stored := filepath.Join(folder, "latent.npz")
	must(t, latent.Save(stored))
	back, err := ssdrnb.Load(stored)
	must(t, err)
	decoded := func() error { return is(back.Decode(back.Embedding())) }
	limited := func(call func() error) error {
		data.SetReadLimit(64)
		defer data.SetReadLimit(0)
		return call()
	}
	sweepFile := filepath.Join(folder, "sweep.npz")
	sweep := func() error {
		return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1, 2).File(sweepFile).Run(ctx))
	}
	must(t, sweep())
	memo := func(cache string, call func() error) error {
		old, set := os.LookupEnv("SSDRNB_CACHE")
		must(t, os.Setenv("SSDRNB_CACHE", cache))
		defer func() {
			os.Unsetenv("SSDRNB_CACHE")
			if set {
				os.Setenv("SSDRNB_CACHE", old)
			}
			must(t, ssdrnb.Remember(false))
		}()
		return call()
	}
	remember := func() error { return ssdrnb.Remember(true) }
	private := filepath.Join(folder, "private")
	parts := applied(blobs(6, 41), func(i, _ int, v float64) float64 { return v + 1e4*float64(i%3) })
	firstOnly := labelsAt(parts.Len(), map[int]int{0: 0, 3: 0, 6: 0})
	ofEach := labelsAt(parts.Len(), map[int]int{0: 0, 1: 1, 2: 2})
	unreached := func(labels []int) error {
		o, err := ssdrnb.Opinions(ctx, parts.WithLabels(labels))
		if err != nil {
			return err
		}
		return advicetest.Warning(o.Report().Warnings, "in components of the graph without a label")
	}
	zeroRow := mat.NewDense(1, 4, nil)
	// apart has the distances of the iris samples, neighbors the five nearest.
	apart := func(unit float64) *mat.SymDense {
		s := mat.NewSymDense(150, nil)
		for i := range 150 {
			for k := i + 1; k < 150; k++ {
				var diff mat.VecDense
				diff.SubVec(iris.X.RowView(i), iris.X.RowView(k))
				s.SetSym(i, k, unit*mat.Norm(&diff, 2))
			}
		}
		return s
	}
	distances := data.FromDistances(apart(1))
	neighbors := func(unit float64) *data.Data {
		nb, err := graph.Search(ctx, iris.X, 5, graph.SearchOptions{Method: graph.Exact})
		must(t, err)
		dist := slices.Clone(nb.Dist)
		for k := range dist {
			dist[k] *= unit
		}
		return data.FromNeighbors(5, nb.Index, dist)
	}
	given := neighbors(1)
	neighborsOf := func(k int) *data.Data {
		nb, err := graph.Search(ctx, iris.X, k, graph.SearchOptions{Method: graph.Exact})
		must(t, err)
		return data.FromNeighbors(k, nb.Index, nb.Dist)
	}
	fewGiven, manyGiven := neighborsOf(2), neighborsOf(60)
	inParts := func(e ssdrnb.Estimator, d *data.Data) error {
		m, err := e.Spec().Fit(d)
		must(t, err)
		return advicetest.Warning(m.Report().Warnings, " components")
	}
	huge := func(unit float64) *data.Data { // counts of 60 words in 120 texts of three kinds
		var entries []sparse.Triplet
		rng := rand.New(rand.NewPCG(4, 2))
		labels := make([]int, 120)
		for i := range 120 {
			labels[i] = i % 3
			entries = append(entries, sparse.Triplet{Row: i, Col: 20 * (i % 3), Value: unit * 50})
			for k := 1; k < 20; k++ {
				if rng.Float64() < 0.4 || k == i%20 {
					entries = append(entries, sparse.Triplet{Row: i, Col: 20*(i%3) + k, Value: unit * float64(1+rng.IntN(5))})
				}
			}
		}
		m, err := sparse.FromTriplets(120, 60, entries)
		must(t, err)
		return data.NewSparse(m, labels)
	}
	counts := huge(1)
	fme := ssdrnb.FME().MustFit(few)
	reduced, err := fme.Reduce(2)
	must(t, err)
	shuffled := func() *data.Data {
		rng := rand.New(rand.NewPCG(8, 8))
		labels := make([]int, 150)
		for i := range labels {
			labels[i] = rng.IntN(2)
		}
		return iris.WithLabels(labels)
	}()
	over, cancel := context.WithCancel(ctx)
	cancel()
	// elsewhere runs a sweep of two cells whose executor calls f with the encoded sweep.
	elsewhere := func(f func(job *ssdrnb.SweepJob, raw []byte) error) error {
		var err error
		_, _ = ssdrnb.Sweep(ssdrnb.PCA(), few.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 1}}})).List("dims", 1, 2).On(executor(func(job *ssdrnb.SweepJob) error {
			raw, fault := job.Encode()
			must(t, fault)
			err = f(job, raw)
			return err
		})).Run(ctx)
		return err
	}
	do := func(task ssdrnb.SweepTask) func(*ssdrnb.SweepJob, []byte) error {
		return func(_ *ssdrnb.SweepJob, raw []byte) error {
			do, err := ssdrnb.DecodeSweep(raw)
			must(t, err)
			return is(do(ctx, task))
		}
	}
	var samples []byte // of the sweep, 150×4
	decode := func(change func(string, []byte) []byte) func(*ssdrnb.SweepJob, []byte) error {
		return func(_ *ssdrnb.SweepJob, raw []byte) error {
			repacked(t, raw, func(name string, content []byte) []byte {
				if name == "x.npy" {
					samples = content
				}
				return content
			})
			return is(ssdrnb.DecodeSweep(repacked(t, raw, change)))
		}
	}
	var outcomes []byte // of a larger sweep
	_, err = ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1, 2, 3, 4).On(executor(func(job *ssdrnb.SweepJob) error {
		raw, err := job.Encode()
		must(t, err)
		do, err := ssdrnb.DecodeSweep(raw)
		must(t, err)
		outcomes, err = do(ctx, ssdrnb.SweepTask{Cells: []int{3}})
		return errors.Join(err, (&far{workers: 1}).Execute(ctx, job))
	})).Run(ctx)
	must(t, err)
	return []advicetest.Case{
		{"Predict without labels", is(unlabelled.Predict(rows(2))), "fit to data with labelled samples", func() error { return is(pca.Predict(rows(2))) }},
		{"Score without labels", is(unlabelled.Score(ssdrnb.NearestNeighbor, nil)), "for example from Data.KeepLabels", func() error { return is(pca.Score(ssdrnb.NearestNeighbor, nil)) }},
		{"Score on unknown classes", is(lda.Score(ssdrnb.NearestNeighbor, data.New(iris.X, nil))), "give test data with Truth", func() error { return is(lda.Score(ssdrnb.NearestNeighbor, data.New(iris.X, iris.Truth))) }},
		{"Score of partly labelled data", is(ssdrnb.PCA().MustFit(data.New(iris.X, labelsAt(150, map[int]int{0: 0, 1: 0, 60: 1, 61: 1}))).Score(ssdrnb.NearestNeighbor, nil)), "fit to Data.Validation(0.3)", func() error {
			return is(ssdrnb.PCA().MustFit(data.New(iris.X, labelsAt(150, map[int]int{0: 0, 1: 0, 60: 1, 61: 1})).Validation(0.3)).Score(ssdrnb.NearestNeighbor, nil))
		}},
		{"Transform of huge rows", is(pca.Transform(times(1e200))), "prepare new points like the training data", func() error { return is(pca.Transform(rows(3))) }},
		{"Transform of no rows", is(pca.Transform(nil)), "give at least one row", func() error { return is(pca.Transform(rows(1))) }},
		{"Transform of other features", is(pca.Transform(other.X)), "prepare new points like the training data", func() error { return is(pca.Transform(rows(5))) }},
		{"Score on other features", is(lda.Score(ssdrnb.NearestNeighbor, renamed(few, 1))), "give the features in the same order as in the training data, for a table by means of Table.DataLike", func() error { return is(lda.Score(ssdrnb.NearestNeighbor, renamed(few, 0))) }},
		{"Transform of rows that were scaled otherwise", is(standard.Transform(iris.Scale01().X)), "pass unscaled rows, for example from Data.Unscaled", func() error { return is(standard.Transform(iris.Scale01().Unscaled().X)) }},
		{"Transform of rows that seem scaled", is(standard.Transform(scaled())), "pass model.Data().Scaling().Applied(x)", func() error { return is(standard.Transform(standard.Data().Scaling().Applied(scaled()))) }},
		{"Transform of rows that seem scaled, otherwise", is(standard.Transform(scaled())), "or model.Data().Scaling().Apply(x) if they are not", func() error {
			x, err := standard.Data().Scaling().Apply(scaled())
			return errors.Join(err, is(standard.Transform(x)))
		}},
		{"Transform of rows that overflow once scaled", is(tiny.Transform(mat.NewDense(1, 4, []float64{1e300, 0, 0, 0}))), "check the new points for outliers", func() error { return is(tiny.Transform(times(1e-300))) }},
		{"Outside of a file without ranges", is(loaded(lda, dropping("features")).Outside(rows(2))), "fit the model again", func() error { return is(ssdrnb.LDA().MustFit(few).Outside(rows(2))) }},
		{"Decode of another method", is(pca.Decode(mat.NewDense(1, 2, nil))), "fit GPLVM, BCGPLVM or SSGPLVM", func() error { return is(latent.Decode(mat.NewDense(1, 2, nil))) }},
		{"Decode of no rows", is(latent.Decode(nil)), "give at least one latent position", func() error { return is(latent.Decode(mat.NewDense(1, 2, nil))) }},
		{"Decode of an infinity", is(latent.Decode(mat.NewDense(1, 2, []float64{1, math.Inf(1)}))), "give finite positions", func() error { return is(latent.Decode(mat.NewDense(1, 2, []float64{1, 0}))) }},
		{"Decode in three dimensions", is(latent.Decode(mat.NewDense(1, 3, nil))), "give positions in 2 dimensions", func() error { return is(latent.Decode(mat.NewDense(1, 2, nil))) }},
		{"Opinions of a file without", is(unasked.Opinions()), "call ssdrnb.Opinions with the data", func() error { return is(ssdrnb.Opinions(ctx, few)) }},
		{"Probabilities of a file without a graph", is(asked.Probabilities(rows(2))), "fit the model again", func() error { return is(ssdrnb.S2NE().Iterations(5).MustFit(few).Probabilities(rows(2))) }},
		{"Probabilities of zeros by the cosine", is(cosine.Probabilities(zeroRow)), "remove rows for which the metric is undefined", func() error { return is(cosine.Probabilities(rows(2))) }},
		{"Suggest of a file without", is(loaded(pca, whole).Suggest(1)), "call ssdrnb.Suggest with the data", func() error { return is(ssdrnb.Suggest(ctx, few, 1)) }},
		{"Suggest nothing", is(ssdrnb.Suggest(ctx, few, 0)), "ask for at least one sample", func() error { return is(ssdrnb.Suggest(ctx, few, 1)) }},
		{"Suggest with all labelled", is(ssdrnb.Suggest(ctx, iris, 1)), "hide some labels with Data.KeepLabels", func() error { return is(ssdrnb.Suggest(ctx, iris.KeepLabels(5), 1)) }},
		{"Suggest with all labelled, otherwise", is(ssdrnb.Suggest(ctx, iris, 1)), "or check the labels with Suspicions", func() error { return is(ssdrnb.Suspicions(ctx, iris)) }},
		{"Opinions without data", is(ssdrnb.Opinions(ctx, nil)), "pass data from NewData or package datasets", func() error { return is(ssdrnb.Opinions(ctx, few)) }},
		{"Opinions without labels", is(ssdrnb.Opinions(ctx, bare)), "label some samples with Data.WithLabels; ssdrnb.Suggest proposes which to label first", func() error {
			first, err := ssdrnb.Suggest(ctx, bare, 3)
			if err != nil {
				return err
			}
			labels := map[int]int{}
			for _, i := range first {
				labels[i] = iris.Truth[i]
			}
			return is(ssdrnb.Opinions(ctx, bare.WithLabels(labelsAt(iris.Len(), labels))))
		}},
		{"Opinions of unreached samples", unreached(firstOnly), "label a sample of each component", func() error { return unreached(ofEach) }},
		{"Opinions of unreached samples, otherwise", unreached(firstOnly), "those that Suggest proposes", func() error {
			next, err := ssdrnb.Suggest(ctx, parts.WithLabels(firstOnly), 2)
			if err != nil {
				return err
			}
			labels := map[int]int{0: 0, 3: 0, 6: 0}
			for _, i := range next {
				labels[i] = parts.Truth[i]
			}
			return unreached(labelsAt(parts.Len(), labels))
		}},
		{"Agreement with nil", is(opinions.Agreement(nil)), "compare opinions on the same samples", func() error { return is(opinions.Agreement(opinions)) }},
		{"Suspicions of a file without a graph", is(read.Suspicions(ctx)), "call ssdrnb.Suspicions with the data", func() error { return is(ssdrnb.Suspicions(ctx, few)) }},
		{"Reasons of a file without a graph", reasons(read, 0, 1), "call ssdrnb.Opinions with the data", func() error { return reasons(opinions, 0, 1) }},
		{"Follow with opinions of a file", is(series.Follow(ctx, read, guided.Embedding())), "give the result of Series.Opinions", func() error { return is(series.Follow(ctx, own, guided.Embedding())) }},
		{"Reasons of a row too many", reasons(opinions, 150, 1), "give a row from 0 to 149", func() error { return reasons(opinions, 149, 1) }},
		{"no Reasons", reasons(opinions, 0, 0), "ask for at least one reason", func() error { return reasons(opinions, 0, 1) }},
		{"Clusters of no neighbour", is(ssdrnb.Clusters().Neighbors(0).Find(iris)), "give Neighbors from 1 to 149", func() error { return is(ssdrnb.Clusters().Neighbors(149).Find(iris)) }},
		{"Clusters without a core", is(ssdrnb.Clusters().Core(0).Find(iris)), "give Core at least 1", func() error { return is(ssdrnb.Clusters().Core(1).Find(iris)) }},
		{"Clusters of two samples", is(ssdrnb.Clusters().Neighbors(2).Find(iris.Subset([]int{0, 60}))), "the data have 2 samples; give Neighbors 1", func() error { return is(ssdrnb.Clusters().Neighbors(1).Core(1).Find(iris.Subset([]int{0, 60}))) }},
		{"Clusters of a core above all neighbours", is(ssdrnb.Clusters().Neighbors(5).Core(9).Find(iris.Subset([]int{0, 1, 2, 60, 61, 62}))), "the graph has only 5 neighbours per sample; give Core at most 5", func() error {
			return is(ssdrnb.Clusters().Neighbors(5).Core(5).Find(iris.Subset([]int{0, 1, 2, 60, 61, 62})))
		}},
		{"Clusters of a large core", is(ssdrnb.Clusters().Neighbors(5).Core(9).Find(iris)), "give Core at most 5, or raise Neighbors", func() error {
			return errors.Join(is(ssdrnb.Clusters().Neighbors(5).Core(5).Find(iris)), is(ssdrnb.Clusters().Neighbors(9).Core(9).Find(iris)))
		}},
		{"Clusters of one sample", is(ssdrnb.Clusters().Smallest(1).Find(iris)), "give Smallest from 2 to 150", func() error { return is(ssdrnb.Clusters().Smallest(2).Find(iris)) }},
		{"Clusters that trust twice", is(ssdrnb.Clusters().Trust(2).Find(iris)), "give Trust from 0 to 1", func() error { return is(ssdrnb.Clusters().Trust(1).Find(iris)) }},
		{"Contrast without data", ssdrnb.Contrast(nil, []int{0}).Err(), "pass data from NewData or package datasets", func() error { return ssdrnb.Contrast(iris, []int{0}).Err() }},
		{"ContrastSheet without data", is(ssdrnb.NewContrastSheet(nil)), "pass data from NewData or package datasets", func() error { return is(ssdrnb.NewContrastSheet(iris)) }},
		{"Words of no attribute", is(ssdrnb.Words(iris, "title", groups)), "add it with Data.WithAttribute", func() error {
			titled := iris.WithAttribute("title", slices.Repeat([]string{"a flower"}, iris.Len()))
			return is(ssdrnb.Words(titled, "title", groups))
		}},
		{"Contrast of one sample", ssdrnb.Contrast(iris.Subset([]int{0}), []int{0}).Err(), "give at least two samples", func() error { return ssdrnb.Contrast(iris.Subset([]int{0, 1}), []int{0}).Err() }},
		{"Contrast of sparse rows", ssdrnb.Contrast(counts, []int{0}).Err(), "describe the samples with Data.WithAttribute, or reduce sparse rows with Data.PCA", func() error {
			return errors.Join(ssdrnb.Contrast(counts.WithAttribute("kind", slices.Repeat([]string{"a"}, counts.Len())), []int{0}).Err(), ssdrnb.Contrast(counts.PCA(2), []int{0}).Err())
		}},
		{"Contrast of all samples", ssdrnb.Contrast(iris, seq(150)).Err(), "leave at least one sample outside", func() error { return ssdrnb.Contrast(iris, seq(149)).Err() }},
		{"Contrast of no rows", ssdrnb.Contrast(iris, nil).Err(), "give at least one row", func() error { return ssdrnb.Contrast(iris, []int{0}).Err() }},
		{"Contrast of a row too many", ssdrnb.Contrast(iris, []int{150}).Err(), "give rows from 0 to 149", func() error { return ssdrnb.Contrast(iris, []int{149}).Err() }},
		{"Contrast of a row twice", ssdrnb.Contrast(iris, []int{1, 1}).Err(), "give each row once", func() error { return ssdrnb.Contrast(iris, []int{1}).Err() }},
		{"Contrast against itself", ssdrnb.Contrast(iris, []int{1, 2}).Against([]int{2, 3}).Err(), "1 sample is in both groups; remove it from one of the groups", func() error { return ssdrnb.Contrast(iris, []int{1, 2}).Against([]int{3}).Err() }},
		{"Contrast in no model", ssdrnb.Contrast(iris, []int{1, 2}).In(nil).Err(), "give a fitted model of the data", func() error { return ssdrnb.Contrast(iris, []int{1, 2}).In(pca).Err() }},
		{"Contrast in a model of other data", ssdrnb.Contrast(other, []int{1, 2}).In(pca).Err(), "compare groups of m.Data()", func() error { return ssdrnb.Contrast(pca.Data(), []int{1, 2}).In(pca).Err() }},
		{"Contrast in a model of other data, otherwise", ssdrnb.Contrast(other, []int{1, 2}).In(pca).Err(), "or fit the model to these data", func() error { return ssdrnb.Contrast(other, []int{1, 2}).In(ssdrnb.PCA().MustFit(other)).Err() }},
		{"Names without data", is(ssdrnb.Names(nil, groups)), "pass data from NewData or package datasets", func() error { return is(ssdrnb.Names(iris, groups)) }},
		{"Names without clusters", is(ssdrnb.Names(iris, nil)), "find clusters with Clusters().Find", func() error { return is(ssdrnb.Names(iris, groups)) }},
		{"Names of other clusters", is(ssdrnb.Names(other, groups)), "find the clusters of these data with Clusters().Find", func() error {
			of, err := ssdrnb.Clusters().Find(other)
			return errors.Join(err, is(ssdrnb.Names(other, of)))
		}},
		{"a model that is nowhere", load(filepath.Join(folder, "nowhere.npz")), "check the path", func() error { return load(good) }},
		{"a model that is a folder", load(folder), "check that the path is a readable file", func() error { return load(good) }},
		{"a model above the limit", limited(func() error { return load(good) }), "raise the limit with data.SetReadLimit", func() error { data.SetReadLimit(1 << 30); defer data.SetReadLimit(0); return load(good) }},
		{"a damaged model", load(damaged), "save the model again", func() error { return errors.Join(pca.Save(damaged), load(damaged)) }},
		{"a name in another encoding", ssdrnb.PCA().MustFit(named("Stra\xdfe")).Save(good), "replace the invalid bytes with strings.ToValidUTF8", func() error {
			return ssdrnb.PCA().MustFit(named(strings.ToValidUTF8("Stra\xdfe", "?"))).Save(filepath.Join(folder, "named.npz"))
		}},
		{"a covariance above the limit", limited(decoded), "raise the limit with data.SetReadLimit", func() error { data.SetReadLimit(1 << 30); defer data.SetReadLimit(0); return decoded() }},
		{"a sweep above the limit", limited(sweep), "raise the limit with data.SetReadLimit", func() error { data.SetReadLimit(1 << 30); defer data.SetReadLimit(0); return sweep() }},
		{"a cache that is a file", memo(good, remember), "set SSDRNB_CACHE to a folder that you alone can write to", func() error { return memo(private, remember) }},
		{"a cache that is a file, to forget", memo(good, ssdrnb.Forget), "or set SSDRNB_CACHE to another", func() error { return memo(private, ssdrnb.Forget) }},
		{"Validate all labels", is(ssdrnb.Compare(few, ssdrnb.PCA()).Validate(1).Run(ctx)), "give a share between 0 and 1", func() error { return is(ssdrnb.Compare(few, ssdrnb.PCA()).UpTo(1).Validate(0.3).Run(ctx)) }},
		{"loaded data without features", is(ssdrnb.PCA().Fit(loaded(pca, whole).Data())), "read the data again", func() error { return is(ssdrnb.PCA().Fit(few)) }},
		{"more neighbours than are given", is(ssdrnb.LAE().Neighbors(9).Fit(given)), "ask for at most 5", func() error { return is(ssdrnb.LAE().Neighbors(5).Fit(given)) }},
		{"more neighbours than are given, as a method needs", is(ssdrnb.UMAP().Iterations(5).Neighbors(9).Fit(given)), "ask for at most 5", func() error { return is(ssdrnb.UMAP().Iterations(5).Neighbors(5).Fit(given)) }},
		{"sparse features of a dense method", is(ssdrnb.LDA().Fit(counts)), "reduce them first with Data.PCA(", func() error { return is(ssdrnb.LDA().Fit(counts.PCA(20))) }},
		{"distances for a method of features", is(ssdrnb.PCA().Fit(distances)), "use one of ", func() error { return is(ssdrnb.LAE().Fit(distances)) }},
		{"a metric of distances", is(ssdrnb.UMAP().Iterations(5).Metric(ssdrnb.Cosine).Fit(distances)), "leave Metric at its default", func() error { return is(ssdrnb.UMAP().Iterations(5).Fit(distances)) }},
		{"a metric of dense rows", is(ssdrnb.UMAP().Iterations(5).Metric("manhattan").Fit(counts)), "set Metric(Cosine)", func() error { return is(ssdrnb.UMAP().Iterations(5).Metric(ssdrnb.Cosine).Fit(counts)) }},
		{"a metric of dense rows, otherwise", is(ssdrnb.UMAP().Iterations(5).Metric("manhattan").Fit(counts)), "or reduce the features first with Data.PCA(", func() error { return is(ssdrnb.UMAP().Iterations(5).Metric("manhattan").Fit(counts.PCA(20))) }},
		{"huge distances", is(ssdrnb.LAE().Fit(data.FromDistances(apart(1e200)))), "in a larger unit", func() error { return is(ssdrnb.LAE().Fit(data.FromDistances(apart(1)))) }},
		{"huge distances of neighbours", is(ssdrnb.LAE().Neighbors(5).Fit(neighbors(1e200))), "in a larger unit", func() error { return is(ssdrnb.LAE().Neighbors(5).Fit(neighbors(1))) }},
		{"huge counts", is(ssdrnb.LAE().Fit(huge(1e200))), "in a larger unit", func() error { return is(ssdrnb.LAE().Fit(huge(1))) }},
		{"TransformSparse of a damaged matrix", is(ssdrnb.LAE().MustFit(counts).TransformSparse(&sparse.CSR{Rows: 1, Cols: 60})), "make the matrix with sparse.FromTriplets", func() error {
			m, err := sparse.FromTriplets(1, counts.Rows.Cols, []sparse.Triplet{{Row: 0, Col: 0, Value: 1}})
			must(t, err)
			return is(ssdrnb.LAE().MustFit(counts).TransformSparse(m))
		}},
		{"TransformSparse of no rows", is(ssdrnb.LAE().MustFit(counts).TransformSparse(&sparse.CSR{Cols: counts.Rows.Cols})), "give at least one row with as many columns as the training samples", func() error {
			m, err := sparse.FromTriplets(1, counts.Rows.Cols, []sparse.Triplet{{Row: 0, Col: 0, Value: 1}})
			must(t, err)
			return is(ssdrnb.LAE().MustFit(counts).TransformSparse(m))
		}},
		{"Transform by distances to some", is(ssdrnb.LAE().MustFit(distances).Transform(mat.NewDense(1, 3, []float64{1, 2, 3}))), "give the distances of each new sample to all training samples", func() error {
			return is(ssdrnb.LAE().MustFit(distances).Transform(mat.NewDense(1, 150, distances.Distances.RawSymmetric().Data[:150])))
		}},
		{"TiesCut without guidance", is(ssdrnb.UMAP().Iterations(5).MustFit(few).TiesCut()), "fit S2NE to data with labels and a guidance above 0", func() error { return is(guided.TiesCut()) }},
		{"a table in Parquet", pca.WriteTable(filepath.Join(folder, "t.parquet")), `import _ "github.com/ssdrnb/ssdrnb/datasets/parquet" in the cell`, func() error {
			// That package registers the file extension and tests its output.
			ssdrnb.RegisterTable(".parquet", func(w io.Writer, columns []ssdrnb.TableColumn, rows int) error { return nil })
			defer ssdrnb.RegisterTable(".parquet", nil)
			return pca.WriteTable(filepath.Join(folder, "t.parquet"))
		}},
		{"a table of another ending", pca.WriteTable(filepath.Join(folder, "t.xls")), "end the path in .csv, .tsv, .jsonl or .ndjson", func() error {
			return errors.Join(pca.WriteTable(filepath.Join(folder, "t.csv")), pca.WriteTable(filepath.Join(folder, "t.tsv")), pca.WriteTable(filepath.Join(folder, "t.jsonl")), pca.WriteTable(filepath.Join(folder, "t.ndjson")))
		}},
		{"opinions of a reduced regression", is(reduced.Opinions()), "call Opinions on the original model, not on the result of Reduce", func() error { return is(fme.Opinions()) }},
		{"labels of noise", advicetest.Warning(ssdrnb.S2NE().Iterations(5).MustFit(shuffled).Report().Warnings, "better than shuffled"), "check the labels with Suspicions, or set Guidance(0)", func() error {
			_, err := ssdrnb.Suspicions(ctx, shuffled)
			return errors.Join(err, advicetest.Warning(ssdrnb.S2NE().Iterations(5).Guidance(0).MustFit(shuffled).Report().Warnings, "better than shuffled"))
		}},
		{"an executor for sparse rows", is(ssdrnb.Sweep(ssdrnb.LAE(), counts.KeepLabels(3)).List("dims", 1).On(&far{cells: 1, workers: 1}).Run(ctx)), "run the sweep without an executor, or reduce sparse rows with Data.PCA first", func() error {
			return errors.Join(is(ssdrnb.Sweep(ssdrnb.LAE(), counts.KeepLabels(3)).List("dims", 1).Run(ctx)), is(ssdrnb.Sweep(ssdrnb.LAE(), counts.PCA(20).KeepLabels(3)).List("dims", 1).On(&far{cells: 1, workers: 1}).Run(ctx)))
		}},
		{"components of sparse rows", is(ssdrnb.Isomap().Neighbors(3).Disconnected(ssdrnb.Join).Fit(counts)), "raise Neighbors", func() error { return is(ssdrnb.Isomap().Neighbors(100).Disconnected(ssdrnb.Join).Fit(counts)) }},
		{"components of sparse rows, otherwise", is(ssdrnb.Isomap().Neighbors(3).Disconnected(ssdrnb.Join).Fit(counts)), "or reduce the features first with Data.PCA(", func() error { return is(ssdrnb.Isomap().Neighbors(3).Disconnected(ssdrnb.Join).Fit(counts.PCA(20))) }},
		{"a graph of all given neighbours in parts", is(ssdrnb.Isomap().Neighbors(2).Fit(fewGiven)), "give more neighbours of each sample", func() error { return is(ssdrnb.Isomap().Neighbors(60).Fit(manyGiven)) }},
		{"a graph of all given neighbours in parts, otherwise", is(ssdrnb.Isomap().Neighbors(2).Fit(fewGiven)), "or give all distances with FromDistances", func() error { return is(ssdrnb.Isomap().Neighbors(60).Fit(distances)) }},
		{"a graph of some given neighbours in parts", is(ssdrnb.Isomap().Neighbors(2).Fit(manyGiven)), "raise Neighbors, or give all distances", func() error { return is(ssdrnb.Isomap().Neighbors(60).Fit(manyGiven)) }},
		{"Laplacian eigenmaps of given neighbours in parts", inParts(ssdrnb.LAE().Neighbors(2), fewGiven), "give more neighbours of each sample", func() error { return inParts(ssdrnb.LAE().Neighbors(60), manyGiven) }},
		{"UMAP of given neighbours in parts", inParts(ssdrnb.UMAP().Neighbors(2).Iterations(5), fewGiven), "give more neighbours of each sample", func() error { return inParts(ssdrnb.UMAP().Neighbors(60).Iterations(5), manyGiven) }},
		{"t-SNE of given neighbours in parts", inParts(ssdrnb.TSNE().Perplexity(1).Iterations(5), neighborsOf(3)), "give more neighbours of each sample", func() error { return inParts(ssdrnb.TSNE().Perplexity(20).Iterations(5), manyGiven) }},
		{"components of given neighbours", is(ssdrnb.Isomap().Neighbors(2).Disconnected(ssdrnb.Join).Fit(given)), "or all distances with FromDistances", func() error { return is(ssdrnb.Isomap().Neighbors(2).Disconnected(ssdrnb.Join).Fit(distances)) }},
		{"Compare without training labels", is(ssdrnb.Compare(bare, ssdrnb.PCA()).UpTo(2).Train(0.7).Run(ctx)), "label some of the training samples with Data.WithLabels", func() error {
			return is(ssdrnb.Compare(bare.WithLabels(iris.Truth), ssdrnb.PCA()).UpTo(2).Train(0.7).Run(ctx))
		}},
		{"a comparison without time", is(ssdrnb.Compare(few, ssdrnb.PCA()).UpTo(2).Run(over)), "allow more time", func() error { return is(ssdrnb.Compare(few, ssdrnb.PCA()).UpTo(2).Run(ctx)) }},
		{"a survey without time", is(ssdrnb.Survey(few, ssdrnb.PCA()).Run(over)), "cancelled after 0 of 1 method: context canceled; allow more time", func() error { return is(ssdrnb.Survey(few, ssdrnb.PCA()).Run(ctx)) }},
		{"a sweep without time", is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1).Run(over)), "allow more time", func() error { return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1).Run(ctx)) }},
		{"outcomes of another sweep", elsewhere(func(job *ssdrnb.SweepJob, _ []byte) error { return job.Put(outcomes) }), "pass the bytes that the function of DecodeSweep returned", func() error {
			return elsewhere(func(job *ssdrnb.SweepJob, raw []byte) error {
				do, err := ssdrnb.DecodeSweep(raw)
				if err != nil {
					return err
				}
				out, err := do(ctx, job.Tasks(1)[0])
				return errors.Join(err, job.Put(out))
			})
		}},
		{"outcomes that are none", elsewhere(func(job *ssdrnb.SweepJob, _ []byte) error { return job.Put([]byte("none")) }), "pass the bytes that the function of DecodeSweep returned", func() error {
			return elsewhere(func(job *ssdrnb.SweepJob, raw []byte) error { return (&far{workers: 1}).Execute(ctx, job) })
		}},
		{"a draw of another sweep", elsewhere(do(ssdrnb.SweepTask{Draw: 1})), "pass a task of SweepJob.Tasks", func() error { return elsewhere(do(ssdrnb.SweepTask{})) }},
		{"a cell of another sweep", elsewhere(do(ssdrnb.SweepTask{Cells: []int{7}})), "pass a task of SweepJob.Tasks", func() error { return elsewhere(do(ssdrnb.SweepTask{Cells: []int{0}})) }},
		{"a sweep of another version", elsewhere(decode(func(name string, content []byte) []byte {
			return bytes.ReplaceAll(content, []byte(ssdrnb.Version), []byte("0.0.0"))
		})), "pass the bytes of SweepJob.Encode of this version", func() error { return elsewhere(decode(whole)) }},
		{"a sweep without samples", elsewhere(decode(dropping("x.npy"))), "pass the bytes of SweepJob.Encode", func() error { return elsewhere(decode(whole)) }},
		{"a sweep with odd pairs", elsewhere(decode(func(name string, content []byte) []byte {
			if name == "must.npy" {
				return samples
			}
			return content
		})), "pass the bytes of SweepJob.Encode", func() error { return elsewhere(decode(whole)) }},
		{"a sweep without all outcomes", is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1, 2, 3).File(filepath.Join(folder, "s.npz")).On(&far{cells: 1, workers: 1, stopAfter: 1}).Run(ctx)), "run the sweep again, which resumes where it stopped if File is set", func() error {
			return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1, 2, 3).File(filepath.Join(folder, "s.npz")).On(&far{cells: 1, workers: 1}).Run(ctx))
		}},
		{"a score without a name elsewhere", is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1).Score(func(m *ssdrnb.Model, d *data.Data) (float64, error) { return 1, nil }).On(&far{cells: 1, workers: 1}).Run(ctx)), "declare it as a function, and register it with RegisterScore", func() error {
			return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1).Score(fingerprint).On(&far{cells: 1, workers: 1}).Run(ctx))
		}},
		{"a score that is not registered", is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1).Score(unregistered).On(&far{cells: 1, workers: 1}).Run(ctx)), "register it with RegisterScore in an init function", func() error {
			return is(ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", 1).Score(fingerprint).On(&far{cells: 1, workers: 1}).Run(ctx))
		}},
	}
}

// executor is an executor that calls a function.
type executor func(job *ssdrnb.SweepJob) error

func (e executor) Execute(_ context.Context, job *ssdrnb.SweepJob) error { return e(job) }

func unregistered(*ssdrnb.Model, *data.Data) (float64, error) { return 1, nil }

// renamed returns a copy of d whose names of features are moved by a number of features.
func renamed(d *ssdrnb.Data, by int) *ssdrnb.Data {
	c := *d
	c.FeatureNames = slices.Concat(d.FeatureNames[by:], d.FeatureNames[:by])
	return &c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dropping omits the arrays whose names have the prefix.
func dropping(prefix string) func(string, []byte) []byte {
	return func(name string, content []byte) []byte {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			return nil
		}
		return content
	}
}

// repacked returns a zip archive with changed files, without those that become nil.
func repacked(t *testing.T, raw []byte, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	must(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		content, err := io.ReadAll(r)
		must(t, err)
		if content = change(f.Name, content); content == nil {
			continue
		}
		entry, err := w.Create(f.Name)
		must(t, err)
		_, err = entry.Write(content)
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}
