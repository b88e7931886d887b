package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// cloud returns n normal samples, or uniform samples around two small dense islands.
func cloud(n, tight int) *ssdrnb.Data {
	rng := rand.New(rand.NewPCG(5, 5))
	x := mat.NewDense(n, 4, nil)
	for i := range n {
		for k := range 4 {
			switch v := rng.NormFloat64(); {
			case i < tight:
				x.Set(i, k, 0.01*v+4*float64(1-2*(i%2)))
			case tight > 0:
				x.Set(i, k, 40*rng.Float64()-20)
			default:
				x.Set(i, k, v)
			}
		}
	}
	return ssdrnb.NewData(x, nil)
}

// remediesOfGroups are the cases of finding and describing groups.
func remediesOfGroups(t *testing.T) []advicetest.Case {
	iris, none, loose := datasets.Iris(), cloud(80, 0), cloud(300, 60)
	is := func(_ any, err error) error { return err }
	warned := func(g *ssdrnb.Grouping, err error) func(words string) error {
		return func(words string) error {
			if err != nil {
				return err
			}
			return advicetest.Warning(g.Report().Warnings, words)
		}
	}
	groups, empty := ssdrnb.Communities().MustFind(iris), ssdrnb.Clusters().MustFind(none)
	picture := ssdrnb.NewData(ssdrnb.PCA().Dims(2).MustFit(iris).Embedding(), nil)
	whole := ssdrnb.Communities().Resolution(1e-6).MustFind(none)
	unknown := make([]int, iris.Len())
	for i := range unknown {
		unknown[i] = -1
	}
	stable := func(d *ssdrnb.Data, runs int) error {
		return is(ssdrnb.Stability(t.Context(), ssdrnb.PCA(), d, runs))
	}
	return []advicetest.Case{
		{"communities of one group", warned(ssdrnb.Communities().Find(none))("a single Gaussian cloud"), "use Clusters().Find", func() error { return is(ssdrnb.Clusters().Find(none)) }},
		{"one group", warned(ssdrnb.Clusters().Find(none))("one group or none"), "Communities().Find divides", func() error { return is(ssdrnb.Communities().Find(none)) }},
		{"few in clusters", warned(ssdrnb.Clusters().Find(loose))("the groups are not well separated"), "Communities().Find divides all samples", func() error { return is(ssdrnb.Communities().Find(loose)) }},
		{"Communities of too many neighbours", is(ssdrnb.Communities().Neighbors(1000).Find(iris)), "give Neighbors from 1 to 149", func() error { return is(ssdrnb.Communities().Neighbors(149).Find(iris)) }},
		{"Communities of no resolution", is(ssdrnb.Communities().Resolution(0).Find(iris)), "give Resolution a number above 0", func() error { return is(ssdrnb.Communities().Resolution(1).Find(iris)) }},
		{"Communities of too much guidance", is(ssdrnb.Communities().Guidance(2).Find(iris)), "give Guidance from 0 to 1", func() error { return is(ssdrnb.Communities().Guidance(1).Find(iris)) }},
		{"Communities in −1 components", is(ssdrnb.Communities().PCA(-1).Find(iris)), "give PCA the number of components, or 0 for all features", func() error {
			return errors.Join(is(ssdrnb.Communities().PCA(2).Find(iris)), is(ssdrnb.Communities().PCA(0).Find(iris)))
		}},
		{"groups of a picture", warned(ssdrnb.Communities().Find(picture))("positions in an embedding"), "search the original data", func() error { return warned(ssdrnb.Communities().Find(iris))("positions in an embedding") }},
		{"classes of some", is(groups.Matching([]int{1})), "give a class for each sample, for example Data.Truth", func() error { return is(groups.Matching(iris.Truth)) }},
		{"classes of none", is(groups.Matching(unknown)), "give classes numbered from 0, for example Data.Truth", func() error { return is(groups.Matching(iris.Truth)) }},
		{"Profiles of no clusters", ssdrnb.Profiles(none, empty).Err(), "call Communities().Find, which finds groups in any data", func() error { return ssdrnb.Profiles(none, ssdrnb.Communities().MustFind(none)).Err() }},
		{"Profiles of one cluster", ssdrnb.Profiles(none, whole).Err(), "give clusters that leave samples to compare with", func() error { return ssdrnb.Profiles(none, ssdrnb.Communities().MustFind(none)).Err() }},
		{"Stability of nothing", stable(nil, 1), "pass data from NewData or package datasets", func() error { return stable(iris, 1) }},
		{"Stability by no run", stable(iris, 0), "ask for at least one", func() error { return stable(iris, 1) }},
	}
}

// remediesOfTargets are the cases of numeric targets.
func remediesOfTargets(t *testing.T) []advicetest.Case {
	iris := datasets.Iris().HideLabels()
	n := iris.Len()
	is := func(_ any, err error) error { return err }
	values := func(f func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	petal := func(i int) float64 { return iris.X.At(i, 2) }
	wine := datasets.Wine().Standardize().HideLabels()
	ash := mat.Col(nil, 2, wine.X)
	ashless := mat.DenseCopyOf(wine.X)
	for i := range ash {
		ashless.Set(i, 2, ashless.At(i, 3)*ashless.At(i, 3))
	}
	every := func(k int, f func(i int) float64) []float64 {
		return values(func(i int) float64 {
			if i%k != 0 {
				return math.NaN()
			}
			return f(i)
		})
	}
	with := func(d *ssdrnb.Data, v []float64) *ssdrnb.Data { return d.WithTarget("size", v) }
	fit := func(e ssdrnb.Estimator, d *ssdrnb.Data) error { return is(e.Spec().Fit(d)) }
	warned := func(e ssdrnb.Estimator, d *ssdrnb.Data, words string) error {
		m, err := e.Spec().Fit(d)
		if err != nil {
			return err
		}
		return advicetest.Warning(m.Report().Warnings, words)
	}
	quick := ssdrnb.S2NE().Iterations(5).Unfold(0)
	four := ssdrnb.NewData(mat.NewDense(4, 1, []float64{-1, 1, -1, 1}), nil)
	uneven := ssdrnb.NewData(mat.NewDense(4, 1, []float64{-1, 1, 2, 5}), nil)
	step := []float64{0, 0, 1, 1}
	// crossed returns two classes with equal means, and two samples with the given labels.
	crossed := func(labels ...int) *ssdrnb.Data {
		x := mat.NewDense(6, 2, []float64{-1, -1, 1, 1, -1, 1, 1, -1, 2, 0, -2, 0})
		return ssdrnb.NewData(x, append([]int{0, 0, 1, 1}, labels...))
	}
	six, unknown := ssdrnb.NewData(mat.NewDense(6, 2, []float64{0, 0, 0, 0, 1, 2, 3, 1, 7, 2, 8, 4}), nil), math.NaN()
	pair := []float64{1, unknown, unknown, unknown, unknown, 2}
	rows := data.NewSparse(sparse.FromDense(iris.X), nil)
	rng := rand.New(rand.NewPCG(3, 3))
	noise := values(func(int) float64 { return rng.NormFloat64() })
	apart := func(measured bool) *ssdrnb.Data {
		x := mat.DenseCopyOf(iris.X)
		for i := 100; i < n; i++ {
			x.Set(i, 0, x.At(i, 0)+1e4)
		}
		return with(ssdrnb.NewData(x, nil), values(func(i int) float64 {
			if i >= 100 && !(measured && i == 120) {
				return math.NaN()
			}
			return petal(i)
		}))
	}
	half := with(iris, values(petal)).KeepTarget(0.5)
	model, all := ssdrnb.PCA().MustFit(half), ssdrnb.PCA().MustFit(with(iris, values(petal)))
	test := func(f func(i int) float64) *ssdrnb.Data { return with(iris, values(f)) }
	score := func(m *ssdrnb.Model, d *ssdrnb.Data) error { return is(ssdrnb.TargetR2(m, d)) }
	rank := func(m *ssdrnb.Model, d *ssdrnb.Data) error { return is(ssdrnb.TargetRank(m, d)) }
	one := func(int) float64 { return 1 }
	const copies = "predicted almost exactly"
	known := with(iris, values(petal))
	curve := func(d *ssdrnb.Data, draws int, share float64) error {
		return is(ssdrnb.TargetCurve(context.Background(), ssdrnb.PLS(), d, draws, share))
	}
	return []advicetest.Case{
		{"TargetCurve of nothing", curve(nil, 1, 0.5), "pass data from NewData or package datasets", func() error { return curve(known, 1, 0.5) }},
		{"TargetCurve without a target", curve(iris, 1, 0.5), "give one with Data.WithTarget", func() error { return curve(known, 1, 0.5) }},
		{"TargetCurve of no draw", curve(known, 0, 0.5), "ask for at least one", func() error { return curve(known, 1, 0.5) }},
		{"TargetCurve of all values", curve(known, 1, 1), "give shares between 0 and 1", func() error { return curve(known, 1, 0.5) }},
		{"Suggest where all is known", is(ssdrnb.Suggest(context.Background(), known, 1)), "hide some values with Data.KeepTarget", func() error { return is(ssdrnb.Suggest(context.Background(), known.KeepTarget(0.5), 1)) }},
		{"PLS of a target without covariance", fit(ssdrnb.PLS().Dims(1), with(four, step)), "or other features", func() error { return fit(ssdrnb.PLS().Dims(1), with(uneven, step)) }},
		{"SPCA of a target without covariance", fit(ssdrnb.SPCA().Dims(1), with(four, step)), "or other features", func() error { return fit(ssdrnb.SPCA().Dims(1), with(uneven, step)) }},
		{"PLS of classes without covariance", fit(ssdrnb.PLS().Dims(1), crossed(-1, -1)), "label more samples", func() error { return fit(ssdrnb.PLS().Dims(1), crossed(0, 1)) }},
		{"PLS of classes without covariance, otherwise", fit(ssdrnb.PLS().Dims(1), crossed(-1, -1)), "or give other features", func() error { return fit(ssdrnb.PLS().Dims(1), uneven.WithLabels([]int{0, 0, 1, 1})) }},
		{"SPCA of classes without covariance", fit(ssdrnb.SPCA().Dims(1), crossed(-1, -1)), "label more samples", func() error { return fit(ssdrnb.SPCA().Dims(1), crossed(0, 1)) }},
		{"SPCA of classes without covariance, otherwise", fit(ssdrnb.SPCA().Dims(1), crossed(-1, -1)), "or give other features", func() error { return fit(ssdrnb.SPCA().Dims(1), uneven.WithLabels([]int{0, 0, 1, 1})) }},
		{"slices of equal samples", fit(ssdrnb.LDA().Dims(1), with(six, []float64{1, 2, unknown, unknown, unknown, unknown})), "give values for samples that differ", func() error {
			return fit(ssdrnb.LDA().Dims(1), with(six, []float64{1, unknown, 2, 3, 4, 5}))
		}},
		{"one slice", fit(ssdrnb.LDA().Dims(1), with(six, []float64{1, 2, 2, 2, unknown, unknown})), "set Slices(4)", func() error {
			return fit(ssdrnb.LDA().Dims(1).Slices(4), with(six, []float64{1, 2, 2, 2, unknown, unknown}))
		}},
		{"slices of one sample", fit(ssdrnb.LDA().Dims(1), with(six, pair)), "give more values with Data.WithTarget", func() error {
			return fit(ssdrnb.LDA().Dims(1), with(six, []float64{1, unknown, 2, 3, 4, 5}))
		}},
		{"slices of one sample, otherwise", fit(ssdrnb.LDA().Dims(1), with(six, pair)), "or set Ridge", func() error { return fit(ssdrnb.LDA().Dims(1).Ridge(1e-3), with(six, pair)) }},
		{"one known value", fit(ssdrnb.PLS(), with(iris, every(n, petal))), "give more values with Data.WithTarget", func() error { return fit(ssdrnb.PLS(), with(iris, every(10, petal))) }},
		{"a target beside labels", warned(ssdrnb.LapRLS(), with(datasets.Iris(), values(petal)), "replaces the labels"), "to fit the labels, leave out Data.WithTarget", func() error {
			return warned(ssdrnb.LapRLS(), iris.WithLabels(datasets.Iris().Truth), "replaces the labels")
		}},
		{"fewer values than features", warned(ssdrnb.PLS(), with(iris, every(50, petal)), "directions fit chance"), "give more values, or reduce the features with Data.PCA", func() error {
			return errors.Join(warned(ssdrnb.PLS(), with(iris, every(5, petal)), "directions fit chance"), warned(ssdrnb.PLS().Dims(1), with(iris.PCA(2), every(50, petal)), "directions fit chance"))
		}},
		{"a target of sparse rows", warned(quick, with(rows, values(petal)), "dense features"), "reduce sparse rows with Data.PCA", func() error { return warned(quick, with(rows.PCA(3), values(petal)), "dense features") }},
		{"a target without values", warned(quick, with(iris, values(func(int) float64 { return math.NaN() })), "is known"), "give values with Data.WithTarget", func() error { return warned(quick, with(iris, values(petal)), "no value of the target") }},
		{"a target too large", fit(quick, with(iris, values(func(i int) float64 { return 1e200 * petal(i) }))), "in a larger unit with Data.WithTarget", func() error { return fit(quick, with(iris, values(petal))) }},
		{"a target too small", fit(quick, with(iris, values(func(i int) float64 { return 1e-200 * petal(i) }))), "in a smaller unit with Data.WithTarget", func() error { return fit(quick, with(iris, values(petal))) }},
		{"too few values", warned(quick, with(iris, every(75, petal)), "too few to leave some out"), "give at least", func() error { return warned(quick, with(iris, every(10, petal)), "too few to leave some out") }},
		{"a target of noise", warned(quick, with(iris, noise), "q2 -"), "give more values, or other features", func() error { return warned(quick, with(iris, values(petal)), "q2 -") }},
		{"a copy of a feature", warned(quick, with(wine, ash), copies), "leave that feature out", func() error { return warned(quick, with(ssdrnb.NewData(ashless, nil), ash), copies) }},
		{"a component without a value", warned(quick, apart(false), "without a known value"), "or measure a sample of each component", func() error { return warned(quick, apart(true), "without a known value") }},
		{"labels beside a target", warned(quick, with(datasets.Iris().KeepLabels(3), every(3, petal)), "both shape the embedding"), "call Data.HideLabels to leave only the target", func() error { return warned(quick, with(iris, every(3, petal)), "both shape the embedding") }},
		{"equal hidden values", score(all, test(one)), "give a target whose hidden values differ", func() error { return score(all, test(petal)) }},
		{"equal hidden values by rank", rank(all, test(one)), "give a target whose hidden values differ", func() error { return rank(all, test(petal)) }},
		{"a score without a target", score(ssdrnb.PCA().MustFit(iris), nil), "fit to data with a target, see Data.WithTarget", func() error { return score(model, nil) }},
		{"test data without the target", score(model, iris), "give it with Data.WithTarget", func() error { return score(model, test(petal)) }},
		{"no hidden value", score(all, nil), "fit to Data.KeepTarget(0.5), which hides values to score, or give test data", func() error {
			return errors.Join(score(model, nil), score(all, test(petal)))
		}},
		{"test data without values", score(model, test(func(int) float64 { return math.NaN() })), "add values of the target to the test data with Data.WithTarget", func() error { return score(model, test(petal)) }},
	}
}

func remediesOfRecommend(t *testing.T) []advicetest.Case {
	iris := datasets.Iris()
	ask := func(d *data.Data, budget time.Duration) error {
		_, err := ssdrnb.Recommend(t.Context(), d, budget)
		return err
	}
	ranked, err := ssdrnb.Recommend(t.Context(), iris.KeepLabels(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	rows := data.NewSparse(sparse.FromDense(iris.X), iris.Truth)
	models := func(r *ssdrnb.Recommendation, n int) error {
		_, err := r.Models(t.Context(), n)
		return err
	}
	return []advicetest.Case{
		{"recommendations for no data", ask(nil, time.Second), "give data, such as datasets.Digits()", func() error { return ask(datasets.Digits().KeepLabels(1), 1) }},
		{"recommendations for equal samples", ask(ssdrnb.NewData(mat.NewDense(90, 5, nil), byThirds(90)).KeepLabels(4), 0), "give samples that differ", func() error { return ask(iris.KeepLabels(4), time.Minute) }},
		{"recommendations for distances", ask(related(iris), 1), "fit S2NE, which accepts distances and neighbours", func() error {
			_, err := ssdrnb.S2NE().Fit(related(iris))
			return err
		}},
		{"recommendations for sparse rows", ask(rows, 1), "reduce the features first with Data.PCA", func() error { return ask(rows.PCA(4), 1) }},
		{"models of no recommendation", models(&ssdrnb.Recommendation{}, 1), "use the value that Recommend returns", func() error { return models(ranked, 1) }},
		{"no models of a recommendation", models(ranked, 0), "give 1 or more", func() error { return models(ranked, 1) }},
		{"recommendations in less than no time", ask(iris, -time.Second), "give a time above 0, such as time.Minute", func() error { return ask(iris.Take(4).KeepLabels(2), time.Minute) }},
		{"recommendations without labels", ask(iris.HideLabels(), 1), "label samples of at least two classes, for example those that Suggest proposes", func() error {
			rows, err := ssdrnb.Suggest(t.Context(), iris.HideLabels(), 10)
			if err != nil {
				return err
			}
			labels := slices.Repeat([]int{data.Unlabelled}, iris.Len())
			for _, i := range rows {
				labels[i] = iris.Truth[i]
			}
			return ask(iris.WithLabels(labels), 1)
		}},
	}
}
