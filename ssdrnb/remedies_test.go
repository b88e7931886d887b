package ssdrnb_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error or warning of the package, with the input that caused it,
// gives a result. Every place in the source with advice has a case.
func TestRemedies(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	cases := slices.Concat(remediesOfFits(t), remediesOfMethods(t), remediesOfModels(t), remediesOfCalls(t), remediesOfSweeps(t), remediesOfGroups(t), remediesOfTargets(t), remediesOfPictures(t), remediesOfRecommend(t), remediesOfAlign(t))
	advicetest.Everywhere(t, []string{"."}, beyondTests, cases)
	advicetest.Agree(t, cases)
}

// beyondTests are the places of the package that tests cannot reach, with the reason.
var beyondTests = map[string]string{
	"there are no constraints":               "no method of the registry needs pairs and nothing else",
	"leave out samples that are copies":      "no distances are known whose embedding collapses; a guard",
	"dimension %d is constant":               "the dimensions of a regression collapse together in all data that are known",
	"neighbours of each sample are needed":   "a default is lowered, and a value that was set is refused before",
	"fit the model to data with labels":      "methods whose models have scores need labels",
	"the approximate search found":           "needs thousands of samples; TestMissedNeighborsAreSaid tries it",
	"all geodesic distances are 0":           "equal samples are refused before",
	"fit the new points together":            "every method of the registry has a map",
	"the distribution is not finite":         "kernels are bounded; a guard",
	"no component of the metric remains":     "the largest component of a sample passes every threshold; a guard",
	"step_anchors.go: anchorsOf":             "equal labelled samples are refused before",
	"step_anchors.go: unsolved":              "only an absurd Confidence makes it singular, and a factor that fills up takes more memory than a test has",
	"the denominator of the trace ratio":     "the denominator of a fit is positive but for rounding; a guard",
	"Alpha and Beta are so small":            "no data are known whose rounding is as large; a guard",
	"scale the features alike, or set Ridge": "the iteration converges for all data that are known; a guard",
	"the trace ratio did not converge":       "states a result and advises nothing; its step is tested by TestRatioWithin",
	"errors.go: remedyOf":                    "no error is known that has neither a remedy nor a sentinel; a guard",
	"choose another kernel or scale":         "equal samples, on which kernels vanish, are refused before",
	"raise Jitter":                           "the jitter is raised until the covariance is positive definite; a guard",
	"in a second run %d of them":             "a sentence about islands; it advises nothing",
	"reduced by PCA)":                        "a line of a table",
	"report this fault of the library":       "it asks for a report, and no file is known that causes it",
}

func remediesOfFits(t *testing.T) []advicetest.Case {
	fit := func(e ssdrnb.Estimator, d *ssdrnb.Data) error {
		_, err := e.Spec().Fit(d)
		return err
	}
	iris := datasets.Iris()
	few := iris.Subset([]int{0, 1, 2, 50, 51, 52, 100, 101, 102})
	bare := few.HideLabels()
	times := func(factor float64) *ssdrnb.Data {
		x := mat.DenseCopyOf(few.X)
		x.Scale(factor, x)
		return ssdrnb.NewData(x, few.Truth)
	}
	equal := func() *ssdrnb.Data { return ssdrnb.NewData(mat.NewDense(4, 2, nil), []int{0, 1, 0, 1}) }
	holed := mat.DenseCopyOf(few.X)
	holed.Set(3, 1, math.NaN())
	labels := func(of ...int) *ssdrnb.Data {
		all := []int{-1, -1, -1, -1, -1, -1, -1, -1, -1}
		copy(all, of)
		return bare.WithLabels(all)
	}
	must := []ssdrnb.Pair{{I: 0, J: 1}}
	cannot := []ssdrnb.Pair{{I: 0, J: 3}, {I: 1, J: 6}}
	parted := func(d *ssdrnb.Data) error { // the warning of S2NE
		if d.Pairs.Len() == 0 {
			var all []ssdrnb.Pair
			for i := range d.Len() {
				for j := range i {
					all = append(all, ssdrnb.Pair{I: j, J: i})
				}
			}
			d = d.WithPairs(ssdrnb.Pairs{Cannot: all})
		}
		m, err := ssdrnb.S2NE().Fit(d.HideLabels())
		if err != nil {
			return err
		}
		return advicetest.Warning(m.Report().Warnings, "cut all edges")
	}
	return []advicetest.Case{
		{"an unknown method", fit(ssdrnb.New("SAD"), few), "choose one of", func() error { return fit(ssdrnb.New("SDA"), few) }},
		{"an unknown option", fit(ssdrnb.PCA().Spec().With("dimensions", 1), few), "its options are dims", func() error { return fit(ssdrnb.PCA().Spec().With("dims", 1), few) }},
		{"no method", fit(ssdrnb.Spec{}, few), "use a builder such as UMAP()", func() error { return fit(ssdrnb.UMAP(), iris) }},
		{"more dimensions than features", fit(ssdrnb.PCA().Dims(9), few), "ask for at most 4", func() error { return fit(ssdrnb.PCA().Dims(4), few) }},
		{"more dimensions than features and samples", fit(ssdrnb.PCA().Dims(9), few.Subset([]int{0, 3, 6})), "ask for at most 2", func() error { return fit(ssdrnb.PCA().Dims(2), few.Subset([]int{0, 3, 6})) }},
		{"as many dimensions as samples", fit(ssdrnb.LAE().Dims(9), few), "ask for at most 8", func() error { return fit(ssdrnb.LAE().Dims(8), few) }},
		{"a method without a name", fit(ssdrnb.New(""), few), `"": unsuitable option: no such method; choose one of`, func() error { return fit(ssdrnb.New("SDA"), few) }},
		{"no dimension", fit(ssdrnb.PCA().Dims(0), few), "dim", func() error { return fit(ssdrnb.PCA().Dims(1), few) }},
		{"too many neighbours", fit(ssdrnb.LPP().Neighbors(20), few), "ask for at most 8", func() error { return fit(ssdrnb.LPP().Neighbors(8), few) }},
		{"too many neighbours of Isomap", fit(ssdrnb.Isomap().Neighbors(9), few), "ask for at most 8", func() error { return fit(ssdrnb.Isomap().Neighbors(8), few) }},
		{"too few neighbours of HLLE", fit(ssdrnb.HLLE().Neighbors(3), iris), "ask for at least 6 neighbours, or fewer dimensions", func() error { return fit(ssdrnb.HLLE().Neighbors(6), iris) }},
		{"too few neighbours of HLLE, otherwise", fit(ssdrnb.HLLE().Neighbors(3), iris), "or fewer dimensions", func() error { return fit(ssdrnb.HLLE().Neighbors(3).Dims(1), iris) }},
		{"one sample", fit(ssdrnb.PCA(), few.Subset([]int{0})), "give at least 2", func() error { return fit(ssdrnb.PCA().Dims(1), few.Subset([]int{0, 1})) }},
		{"no labels", fit(ssdrnb.LDA(), bare), "label at least two samples of each of two classes", func() error { return fit(ssdrnb.LDA(), labels(0, 0, -1, 1, 1)) }},
		{"one class", fit(ssdrnb.SDA(), labels(0, 0)), "label at least two samples of this class and two of another", func() error { return fit(ssdrnb.SDA(), labels(0, 0, -1, 1, 1)) }},
		{"one label", fit(ssdrnb.LDA(), labels(0)), "label at least two samples of this class and two of another", func() error { return fit(ssdrnb.LDA(), labels(0, 0, -1, 1, 1)) }},
		{"one label of each class", fit(ssdrnb.MFA(), labels(0, 1, 2)), "label at least two samples of a class", func() error { return fit(ssdrnb.MFA(), labels(0, 0, 1, 2)) }},
		{"no pairs", fit(ssdrnb.SSDR(), bare), "give", func() error { return fit(ssdrnb.SSDR(), bare.WithPairs(ssdrnb.Pairs{Must: must, Cannot: cannot})) }},
		{"no cannot-link pair", fit(ssdrnb.SSML(), bare.WithPairs(ssdrnb.Pairs{Must: must})), "give cannot-link pairs", func() error { return fit(ssdrnb.SSML(), bare.WithPairs(ssdrnb.Pairs{Must: must, Cannot: cannot})) }},
		{"labels of one class", fit(ssdrnb.SSML(), labels(0, 0)), "or label a second class", func() error { return fit(ssdrnb.SSML(), labels(0, 0, -1, 1, 1)) }},
		{"neither must-link pairs nor structure", fit(ssdrnb.SSML().Structure(0), bare.WithPairs(ssdrnb.Pairs{Cannot: cannot})), "or raise Structure", func() error { return fit(ssdrnb.SSML().Structure(1), bare.WithPairs(ssdrnb.Pairs{Cannot: cannot})) }},
		{"equal samples", fit(ssdrnb.PCA(), equal()), "give samples that differ", func() error { return fit(ssdrnb.PCA(), few) }},
		{"squares that overflow", fit(ssdrnb.PCA(), times(1e200)), "scale the features first, for example with Data.Standardize", func() error { return fit(ssdrnb.PCA(), times(1e200).Standardize()) }},
		{"squares that overflow, to [0, 1]", fit(ssdrnb.PCA(), times(1e200)), "scale the features first, for example with Data.Standardize", func() error { return fit(ssdrnb.PCA(), times(1e200).Scale01()) }},
		{"squares that underflow", fit(ssdrnb.PCA(), times(1e-200)), "scale the features first, for example with Data.Standardize", func() error { return fit(ssdrnb.PCA(), times(1e-200).Standardize()) }},
		{"squares that underflow, to [0, 1]", fit(ssdrnb.PCA(), times(1e-200)), "scale the features first, for example with Data.Standardize", func() error { return fit(ssdrnb.PCA(), times(1e-200).Scale01()) }},
		{"a gap", fit(ssdrnb.PCA(), ssdrnb.NewData(holed, nil)), "remove the row or fill the gap first", func() error {
			filled := mat.DenseCopyOf(holed)
			filled.Set(3, 1, 0)
			return fit(ssdrnb.PCA(), ssdrnb.NewData(filled, nil))
		}},
		{"a minimum distance above the spread", fit(ssdrnb.UMAP().MinDist(2), iris), "lower MinDist or raise Spread", func() error {
			return errors.Join(fit(ssdrnb.UMAP().MinDist(0.5), iris), fit(ssdrnb.UMAP().MinDist(2).Spread(3), iris))
		}},
		{"a spread without a curve", fit(ssdrnb.UMAP().MinDist(0).Spread(1e-300), iris), "give a Spread between 1e-6 and 1e6", func() error {
			return errors.Join(fit(ssdrnb.UMAP().MinDist(0).Spread(1e-6), iris), fit(ssdrnb.UMAP().Spread(1e6), iris))
		}},
		{"pairs that part all samples", parted(few), "give fewer cannot-links", func() error { return parted(few.WithPairs(ssdrnb.Pairs{Cannot: cannot})) }},
		{"a narrow width", fit(ssdrnb.LPP().Width(1e-300), few), "leave Width at Auto", func() error { return fit(ssdrnb.LPP(), few) }},
		{"anchors of other dimensions", fit(ssdrnb.SSLLE().Dims(1), few.WithAnchors([]int{0, 3, 6}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}))), "set Dims(2)", func() error {
			return fit(ssdrnb.SSLLE().Dims(2), few.WithAnchors([]int{0, 3, 6}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1})))
		}},
	}
}

// Every method that requires labels accepts the labels that its error requests.
func TestRemedyOfLabels(t *testing.T) {
	iris, asked := datasets.Iris().Seed(1).Take(8), 0
	for _, m := range ssdrnb.Methods() {
		_, err := ssdrnb.New(m.Func).Fit(iris.HideLabels())
		if !errors.Is(err, ssdrnb.ErrNeedsLabels) {
			continue
		}
		asked++
		var e *ssdrnb.Error
		if !errors.As(err, &e) || e.Remedy != "label at least two samples of each of two classes" {
			t.Errorf("%s: %v", m.Func, err)
			continue
		}
		if _, err := ssdrnb.New(m.Func).Fit(iris.KeepLabels(2).Seed(1)); err != nil {
			t.Errorf("%s after %q: %v", m.Func, e.Remedy, err)
		}
	}
	if asked < 10 {
		t.Errorf("only %d methods ask for labels", asked)
	}
}

func remediesOfModels(t *testing.T) []advicetest.Case {
	iris := datasets.Iris()
	lae, fme := ssdrnb.LAE().MustFit(iris), ssdrnb.FME().MustFit(iris.KeepLabels(5).Seed(1))
	kernel := ssdrnb.KSDA().MustFit(iris)
	suggesting := ssdrnb.S3RMM().MustFit(iris.KeepLabels(5).Seed(1))
	is := func(_ any, err error) error { return err }
	projection := func(m *ssdrnb.Model) error { _, _, err := m.Projection(); return err }
	return []advicetest.Case{
		{"Projection of a kernel method", projection(kernel), "use Transform", func() error { return is(kernel.Transform(iris.X)) }},
		{"Reduce to none", is(fme.Reduce(0)), "ask for at least 1", func() error { return is(fme.Reduce(1)) }},
		{"Reduce of an embedding", is(lae.Reduce(1)), "fit again with Dims(1)", func() error { return is(ssdrnb.LAE().Dims(1).Fit(iris)) }},
		{"Suggest with all labelled", is(kernel.Suggest(1)), "for example from Data.KeepLabels", func() error { return is(fme.Suggest(1)) }},
		{"Opinions of another method", is(lae.Opinions()), "call ssdrnb.Opinions with the data", func() error { return is(ssdrnb.Opinions(t.Context(), lae.Data())) }},
		{"Suggest nothing", is(suggesting.Suggest(0)), "ask for at least one sample", func() error { return is(suggesting.Suggest(1)) }},
		{"Score by nothing", is(fme.Score(nil, nil)), "give a function, such as NearestNeighbor", func() error { return is(fme.Score(ssdrnb.NearestNeighbor, nil)) }},
	}
}
