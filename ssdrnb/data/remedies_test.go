package data_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// small returns six samples of two features: two of class 0 and four of class 1.
func small() *data.Data {
	return data.New(mat.NewDense(6, 2, []float64{0, 1, 2, 0, 5, 3, 4, 4, 6, 1, 7, 8}), []int{0, 0, 1, 1, 1, 1})
}

// fault is the error that a fit would report.
func fault(d *data.Data) error {
	if err := d.Err(); err != nil {
		return err
	}
	return d.Validate()
}

// Following the advice of each error, with the input that caused it, gives data without the error.
func TestRemediesOfData(t *testing.T) {
	d := small()
	unknown := data.New(d.X, nil)
	lone := data.New(mat.NewDense(3, 1, []float64{1, 2, 4}), []int{0, 1, 1}) // one sample of class 0
	apart := data.New(lone.X, []int{0, 1, 2})
	first := func(a, _ *data.Data) *data.Data { return a }
	var (
		classes = "pass the class of each sample to ssdrnb.NewData"
		given   = func() *data.Data { return data.New(unknown.X, d.Truth) }
	)
	drawn := func(must, cannot int) error { _, err := data.DrawPairs(d.Labels, must, cannot, 1); return err }
	applied := func(x *mat.Dense) error { _, err := d.Standardize().Scaling().Apply(x); return err }
	near := func(k int, index []int32, distance ...float64) *data.Data {
		return data.FromNeighbors(k, index, distance)
	}
	counts := func(v float64) *data.Data { return data.NewSparse(sparse.Diagonal([]float64{1, 2, 3, v}), nil) }
	diagonal := make([]float64, 60)
	for i := range diagonal {
		diagonal[i] = float64(i%7 + 1)
	}
	wide := data.NewSparse(sparse.Diagonal(diagonal), nil)
	column, err := sparse.FromTriplets(3, 1, []sparse.Triplet{{Row: 0, Col: 0, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	one := data.NewSparse(column, nil)
	apartBy := func(v float64) *data.Data { return data.New(mat.NewDense(3, 1, []float64{-v, v, v}), nil) }
	named := func(names ...string) *data.Data { x := *d; x.FeatureNames = names; return &x }
	measured := func() *data.Data { return d.WithTarget("size", slices.Repeat([]float64{1}, d.Len())) }
	cases := []advicetest.Case{
		{"KeepLabels(0)", fault(d.KeepLabels(0)), "keep at least 1 label per class, or call HideLabels", func() error { return fault(d.KeepLabels(1)) }},
		{"KeepLabels(0), otherwise", fault(d.KeepLabels(0)), "or call HideLabels", func() error { return fault(d.HideLabels()) }},
		{"KeepLabels(3)", fault(d.KeepLabels(3)), "call KeepLabels(2), or KeepShare", func() error { return fault(d.KeepLabels(2)) }},
		{"KeepLabels(3), otherwise", fault(d.KeepLabels(3)), "or KeepShare", func() error { return fault(d.KeepShare(0.5)) }},
		{"KeepLabels without classes", fault(unknown.KeepLabels(1)), classes, func() error { return fault(given().KeepLabels(1)) }},
		{"KeepShare(2)", fault(d.KeepShare(2)), "give a share above 0 and at most 1", func() error { return errors.Join(fault(d.KeepShare(1e-9)), fault(d.KeepShare(1))) }},
		{"KeepShare without classes", fault(unknown.KeepShare(0.5)), classes, func() error { return fault(given().KeepShare(0.5)) }},
		{"Take(3)", fault(d.Take(3)), "call Take with 1 to 2", func() error { return fault(d.Take(2)) }},
		{"Take(0)", fault(d.Take(0)), "call Take with 1 to 2", func() error { return fault(d.Take(1)) }},
		{"Take(2) of a lone sample", fault(lone.Take(2)), "call Take(1)", func() error { return fault(lone.Take(1)) }},
		{"Take without classes", fault(unknown.Take(1)), classes, func() error { return fault(given().Take(1)) }},
		{"Subset of no rows", fault(d.Subset(nil)), "give at least one row", func() error { return fault(d.Subset([]int{0})) }},
		{"Subset of a row too many", fault(d.Subset([]int{1, 6})), "remove it from the list", func() error { return fault(d.Subset([]int{1})) }},
		{"Subset of a row twice", fault(d.Subset([]int{1, 1})), "list each row once", func() error { return fault(d.Subset([]int{1})) }},
		{"Only(7)", fault(d.Only(7)), "choose from the known classes [0 1]", func() error { return fault(d.Only(1)) }},
		{"Only without classes", fault(unknown.Only(1)), classes, func() error { return fault(given().Only(1)) }},
		{"Split(1)", fault(first(d.Split(1))), "give a share between 0 and 1", func() error { return fault(first(d.Split(0.5))) }},
		{"SplitPerClass(0, 1)", fault(first(d.SplitPerClass(0, 1))), "give train ≥ 1 and test ≥ 0", func() error { return fault(first(d.SplitPerClass(1, 0))) }},
		{"SplitPerClass(2, 1)", fault(first(d.SplitPerClass(2, 1))), "ask for at most 2 training and test samples together, or use Split", func() error { return fault(first(d.SplitPerClass(1, 1))) }},
		{"SplitPerClass(2, 1), otherwise", fault(first(d.SplitPerClass(2, 1))), "or use Split", func() error { return fault(first(d.Split(0.5))) }},
		{"SplitPerClass(1, 1) of a lone sample", fault(first(lone.SplitPerClass(1, 1))), "use Split", func() error { return fault(first(lone.Split(0.5))) }},
		{"Split of lone samples", fault(first(apart.Split(0.9))), "give at least two samples of a class", func() error { return fault(first(lone.Split(0.9))) }},
		{"Split of a sample", fault(first(d.Subset([]int{0}).Split(0.5))), "give at least two samples", func() error { return fault(first(d.Subset([]int{0, 1}).Split(0.5))) }},
		{"SplitPerClass without classes", fault(first(unknown.SplitPerClass(1, 1))), classes, func() error { return fault(first(given().SplitPerClass(1, 1))) }},
		{"Validation(1)", fault(d.Validation(1)), "give a share between 0 and 1", func() error { return fault(d.Validation(0.5)) }},
		{"Validation without labels", fault(d.HideLabels().Validation(0.5)), "label at least two samples of the same class with Data.WithLabels", func() error { return fault(d.HideLabels().WithLabels([]int{-1, -1, 1, 1, -1, -1}).Validation(0.5)) }},
		{"Validation of one label each", fault(d.KeepLabels(1).Validation(0.5)), "label at least two samples of the same class with Data.WithLabels", func() error { return fault(d.KeepLabels(1).WithLabels([]int{0, 0, 1, -1, -1, -1}).Validation(0.5)) }},
		{"PCA(3)", fault(d.PCA(3)), "a number of components from 1 to 2", func() error { return fault(d.PCA(2)) }},
		{"PCA(2) of one feature", fault(lone.PCA(2)), "call PCA(1)", func() error { return fault(lone.PCA(1)) }},
		{"PCA of one sample", fault(d.Subset([]int{0}).PCA(1)), "give at least two samples", func() error { return fault(d.Subset([]int{0, 1}).PCA(1)) }},
		{"PCA of equal samples", fault(data.New(mat.NewDense(2, 1, []float64{1, 1}), nil).PCA(1)), "give samples that differ", func() error { return fault(lone.PCA(1)) }},
		{"PCA(3), otherwise", fault(d.PCA(3)), "give a share of variance below 1", func() error { return fault(d.PCA(0.9)) }},
		{"Unscaled of components", fault(d.Standardize().PCA(1).Unscaled()), "call Unscaled before PCA", func() error { return fault(d.Standardize().Unscaled().PCA(1)) }},
		{"WithImage", fault(d.WithImage(data.Image{Height: 2, Width: 2})), "a height and a width whose product is the number of features", func() error { return fault(d.WithImage(data.Image{Height: 1, Width: 2})) }},
		{"WithStart", fault(d.WithStart(mat.NewDense(5, 2, nil))), "give one row of positions for each sample", func() error { return fault(d.WithStart(mat.NewDense(6, 2, nil))) }},
		{"WithAnchors twice", fault(d.WithAnchors([]int{1, 1}, mat.NewDense(2, 2, nil))), "list each row once", func() error { return fault(d.WithAnchors([]int{1}, mat.NewDense(1, 2, nil))) }},
		{"WithAnchors of a row too many", fault(d.WithAnchors([]int{6}, mat.NewDense(1, 2, nil))), "correct or remove it", func() error { return fault(d.WithAnchors([]int{5}, mat.NewDense(1, 2, nil))) }},
		{"a pair with itself", fault(d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 1}}})), "remove it", func() error { return fault(d.WithPairs(data.Pairs{})) }},
		{"a pair of a row too many", fault(d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 6}}})), "correct or remove it", func() error { return fault(d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 5}}})) }},
		{"a pair of both kinds", fault(d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 2}}, Cannot: []data.Pair{{I: 2, J: 1}}})), "remove one of the two", func() error { return fault(d.WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 2}}})) }},
		{"a name too few", named("a").Validate(), "give one name for each feature, or none", named("a", "b").Validate},
		{"a name too few, otherwise", named("a").Validate(), "or none", named().Validate},
		{"a label too few", fault(d.WithLabels([]int{0})), "give one for each row, -1 if unknown", func() error { return fault(d.WithLabels([]int{0, -1, -1, -1, -1, -1})) }},
		{"a true class too few", fault(&data.Data{X: d.X, Truth: []int{0}}), "give one for each row, -1 if unknown", func() error { return fault(&data.Data{X: d.X, Truth: d.Truth}) }},
		{"a label below -1", fault(d.WithLabels([]int{0, -3, 1, 1, 1, 1})), "use -1 for unlabelled rows", func() error { return fault(d.WithLabels([]int{0, -1, 1, 1, 1, 1})) }},
		{"an attribute too short", fault(d.WithAttribute("a", []string{"x"})), "give one text for each row", func() error { return fault(d.WithAttribute("a", slices.Repeat([]string{"x"}, 6))) }},
		{"a gap", fault(data.New(mat.NewDense(3, 1, []float64{1, math.NaN(), 3}), nil)), "remove the row", func() error { return fault(data.New(mat.NewDense(2, 1, []float64{1, 3}), nil)) }},
		{"a part of neighbours", fault(near(1, []int32{1, 0, 1}, 1, 1, 2).Subset([]int{0, 1})), "call FromNeighbors with the neighbours of each sample within the subset", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"two kinds of data", fault(&data.Data{X: d.X, Rows: counts(1).Rows}), "set only one of them", func() error { return fault(&data.Data{X: d.X}) }},
		{"no distances", fault(data.FromDistances(nil)), "give the distances of at least two samples", func() error { return fault(data.FromDistances(mat.NewSymDense(2, []float64{0, 1, 1, 0}))) }},
		{"no neighbour", fault(data.FromNeighbors(0, nil, nil)), "give at least one neighbour of each sample", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"neighbours of no samples", fault(data.FromNeighbors(1, nil, nil)), "give the neighbours of at least two samples", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"a distance too few", fault(near(1, []int32{1, 0}, 1)), "give k indices and k distances for each sample", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"samples alone", fault(near(1, []int32{0, 1}, 0, 0)), "give neighbours other than the sample itself", func() error { return fault(near(2, []int32{0, 1, 1, 0}, 0, 1, 0, 1)) }},
		{"a list by hand", fault(&data.Data{Nearest: &data.Nearest{K: 1, Index: []int32{1, 0}}}), "make the data with FromNeighbors", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"no neighbour found", fault(near(1, []int32{-1, 0}, 1, 1)), "count samples from 0, and replace -1, which some programs return instead of a neighbour", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"a sample itself", fault(near(1, []int32{1, 1}, 1, 0)), "remove the sample itself, or list every sample as its own first neighbour, at distance 0", func() error { return fault(near(2, []int32{0, 1, 1, 0}, 0, 1, 0, 1)) }},
		{"a neighbour twice", fault(near(2, []int32{1, 1, 0, 2, 0, 1}, 1, 1, 1, 2, 3, 2)), "list each neighbour once", func() error { return fault(near(2, []int32{1, 2, 0, 2, 0, 1}, 1, 3, 1, 2, 3, 2)) }},
		{"a negative distance", fault(near(1, []int32{1, 0}, -1, 1)), "give finite distances that are not negative", func() error { return fault(near(1, []int32{1, 0}, 1, 1)) }},
		{"similarities", fault(data.FromDistances(mat.NewSymDense(2, []float64{1, 0, 0, 1}))), "give distances, not similarities", func() error { return fault(data.FromDistances(mat.NewSymDense(2, []float64{0, 1, 1, 0}))) }},
		{"a negative entry", fault(data.FromDistances(mat.NewSymDense(2, []float64{0, -1, -1, 0}))), "give finite distances that are not negative", func() error { return fault(data.FromDistances(mat.NewSymDense(2, []float64{0, 1, 1, 0}))) }},
		{"a shift too few", fault(d.Scaled(data.NewScaling("", []float64{1}, []float64{1, 2}))), "give a shift and a scale for each feature", func() error { return fault(d.Scaled(data.NewScaling("", []float64{1, 1}, []float64{1, 2}))) }},
		{"no sparse rows", fault(data.NewSparse(nil, nil)), "give at least one row and one column", func() error { return fault(counts(1)) }},
		{"sparse rows of no columns", fault(data.NewSparse(&sparse.CSR{Rows: 1, RowPtr: []int{0, 0}}, nil)), "give at least one row and one column", func() error { return fault(counts(1)) }},
		{"a damaged matrix", fault(data.NewSparse(&sparse.CSR{Rows: 2, Cols: 2}, nil)), "make the matrix with sparse.FromTriplets", func() error {
			m, err := sparse.FromTriplets(2, 2, nil)
			if err != nil {
				return err
			}
			return fault(data.NewSparse(m, nil))
		}},
		{"TFIDF of dense features", fault(d.TFIDF()), "make the data with NewSparse", func() error { return fault(counts(1).TFIDF()) }},
		{"TFIDF of no counts", fault(counts(-1).TFIDF()), "give counts ≥ 0", func() error { return fault(counts(1).TFIDF()) }},
		{"four sparse features standardised", fault(counts(1).Standardize()), "reduce them with Data.PCA(4) first", func() error { return fault(counts(1).PCA(4).Standardize()) }},
		{"sparse features standardised", fault(wide.Standardize()), "reduce them with Data.PCA(50) first", func() error { return fault(wide.PCA(50).Standardize()) }},
		{"distances standardised", fault(data.FromDistances(mat.NewSymDense(2, []float64{0, 1, 1, 0})).Standardize()), "call it on the features, before you compute distances or neighbours", func() error { return fault(d.Standardize()) }},
		{"features too far apart standardised", fault(apartBy(1.7e308).Standardize()), "give the features in a larger unit", func() error { return errors.Join(fault(apartBy(1.7).Standardize()), fault(apartBy(1.7).PCA(1))) }},
		{"data without features standardised", (&data.Data{}).Standardize().Err(), "read the data again", func() error { return fault(d.Standardize()) }},
		{"a share of sparse variance", fault(counts(1).PCA(0.5)), "give a number of components from 1 to 4, such as PCA(4)", func() error { return fault(wide.PCA(50)) }},
		{"a share of the variance of one sparse feature", fault(one.PCA(0.5)), "call PCA(1)", func() error { return fault(one.PCA(1)) }},
		{"a gap in sparse rows", fault(counts(math.NaN())), "remove the row or fill the gap first", func() error { return fault(counts(1)) }},
		{"components of equal rows", fault(data.NewSparse(sparse.Diagonal(make([]float64, 4)), nil).PCA(1)), "give rows that differ", func() error { return fault(counts(1).PCA(1)) }},
		{"the scaling of dense features", fault(wide.Scaled(data.NewScaling("", diagonal, diagonal))), "reduce them with Data.PCA(50) first", func() error {
			return fault(wide.PCA(50).Scaled(data.NewScaling("", make([]float64, 50), diagonal[:50])))
		}},
		{"anchors without coordinates", fault(d.WithAnchors([]int{1}, nil)), "give one row of coordinates for each anchor", func() error { return fault(d.WithAnchors([]int{1}, mat.NewDense(1, 2, nil))) }},
		{"anchors with too many coordinates", fault(d.WithAnchors([]int{1}, mat.NewDense(2, 2, nil))), "give one row of coordinates for each anchor", func() error { return fault(d.WithAnchors([]int{1}, mat.NewDense(1, 2, nil))) }},
		{"an infinite anchor", fault(d.WithAnchors([]int{1}, mat.NewDense(1, 1, []float64{math.Inf(1)}))), "correct or remove it", func() error { return fault(d.WithAnchors([]int{1}, mat.NewDense(1, 1, []float64{3}))) }},
		{"WithDraw without classes", fault(unknown.WithDraw(data.Draw{Keep: 1})), classes, func() error { return fault(given().WithDraw(data.Draw{Keep: 1})) }},
		{"WithDraw of a wrong share", fault(given().WithDraw(data.Draw{Share: 2})), "give Keep ≥ 0, and Share and Target from 0 to 1", func() error {
			return errors.Join(fault(given().WithDraw(data.Draw{Share: 1})), fault(given().WithDraw(data.Draw{Keep: 0})), fault(measured().WithDraw(data.Draw{Target: 1})))
		}},
		{"WithDraw of a target without one", fault(d.WithDraw(data.Draw{Target: 0.5})), "give one with Data.WithTarget", func() error { return fault(measured().WithDraw(data.Draw{Target: 0.5})) }},
		{"a target without a name", fault(d.WithTarget("", make([]float64, d.Len()))), "give the name of what was measured", func() error { return fault(measured()) }},
		{"no target of this name", fault(measured().UseTarget("weight")), `use the only target, "size"`, func() error { return fault(measured().UseTarget("size")) }},
		{"no target of this name, but two others", fault(measured().WithTarget("age", make([]float64, d.Len())).UseTarget("weight")), `choose one of "age", "size"`, func() error {
			return fault(measured().WithTarget("age", make([]float64, d.Len())).UseTarget("age"))
		}},
		{"no target at all", fault(d.UseTarget("size")), "give it with Data.WithTarget", func() error { return fault(measured().UseTarget("size")) }},
		{"no share of a target", fault(measured().KeepTarget(0)), "give a share above 0 and at most 1", func() error { return errors.Join(fault(measured().KeepTarget(1e-9)), fault(measured().KeepTarget(1))) }},
		{"a share of no target", fault(d.KeepTarget(0.5)), "give one with Data.WithTarget", func() error { return fault(measured().KeepTarget(0.5)) }},
		{"a target for some rows", fault(d.WithTarget("size", []float64{1})), "give one for each row, NaN where it is not known", func() error { return fault(measured()) }},
		{"an infinite target", fault(d.WithTarget("size", slices.Repeat([]float64{math.Inf(1)}, d.Len()))), "give NaN where the value is not known", func() error {
			return fault(d.WithTarget("size", slices.Repeat([]float64{math.NaN()}, d.Len())))
		}},
		{"nil data", fault(nil), "pass data from data.New", func() error { return fault(data.New(mat.NewDense(1, 1, nil), nil)) }},
		{"labels alone", fault(&data.Data{Labels: d.Labels}), "read the data again", func() error { return fault(d) }},
		{"no data", fault(data.New(nil, nil)), "give at least one row and one column", func() error { return fault(data.New(mat.NewDense(1, 1, nil), nil)) }},
		{"a negative number of pairs", drawn(-1, 0), "draw 0 or more", func() error { return drawn(0, 0) }},
		{"pairs that labels do not imply", drawn(9, 0), "draw at most as many pairs as the labels imply", func() error { return drawn(7, 8) }},
		{"Apply(nil)", applied(nil), "give at least one row", func() error { return applied(mat.NewDense(1, 2, nil)) }},
		{"a scaling of other features", applied(mat.NewDense(1, 3, nil)), "give the features that it was learned from, in the same order", func() error { return applied(d.X) }},
		{"WithScaling of other features", fault(lone.WithScaling(d.Standardize().Scaling())), "give the scaling that these features were scaled with", func() error { return fault(lone.WithScaling(lone.Standardize().Scaling())) }},
		{"an empty start", fault(d.WithStart(&mat.Dense{})), "give one row of positions for each sample", func() error { return fault(d.WithStart(mat.NewDense(6, 2, nil))) }},
		{"an infinite start", fault(d.WithStart(mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, math.NaN()}))), "give finite positions", func() error { return fault(d.WithStart(mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 5}))) }},
	}
	advicetest.Everywhere(t, []string{"."}, map[string]string{}, cases)
	advicetest.Agree(t, cases)
}

// Values whose squares overflow or underflow are standardised like others.
func TestStandardizeFarFromOne(t *testing.T) {
	want := small().Standardize()
	for _, factor := range []float64{0x1p+600, 0x1p-600} {
		x := mat.DenseCopyOf(small().X)
		x.Scale(factor, x)
		got := data.New(x, nil).Standardize()
		if got.Err() != nil || !mat.EqualApprox(got.X, want.X, 1e-12) {
			t.Errorf("times %g: %v, %v", factor, got.Err(), mat.Formatted(got.X))
		}
	}
}
