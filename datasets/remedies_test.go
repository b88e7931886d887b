package datasets

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	matrix "github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Following the advice of each error or note, with the input that caused it, gives a result. Every
// place in the source with advice has a case.
func TestRemedies(t *testing.T) {
	advicetest.Everywhere(t, []string{"."}, beyondTests, slices.Concat(remediesOfWriting(t), remediesOfReaders(t)))
}

// beyondTests are the places of the package that tests cannot reach, with the reason.
var beyondTests = map[string]string{
	"which is rare in tables":          "a remark on the limit, whose error has the remedy",
	"the missing cells are gaps":       "states what was done",
	"adjacent cells were joined":       "states what was done",
	"the target %q would be read as":   "the header refuses every name that is known to be read otherwise; a guard",
	"the classes: %w":                  "the reader refuses no column that the writer writes; a guard",
	"row %d would be read differently": "no texts are known that are read differently with as many rows; a guard",
}

func remediesOfWriting(t *testing.T) []advicetest.Case {
	t.Helper()
	with := func(change func(d *data.Data)) error {
		d := data.New(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), []int{0, 1})
		d.FeatureNames, d.ClassNames = []string{"width", "height"}, []string{"a", "b"}
		d.Attributes = []data.Attribute{{Name: "place", Values: []string{"here", "there"}}}
		change(d)
		return WriteCSV(filepath.Join(t.TempDir(), "d.csv"), d)
	}
	features := func(names ...string) func(*data.Data) { return func(d *data.Data) { d.FeatureNames = names } }
	classes := func(names ...string) func(*data.Data) { return func(d *data.Data) { d.ClassNames = names } }
	places := func(values ...string) func(*data.Data) { return func(d *data.Data) { d.Attributes[0].Values = values } }
	sparsely := func(change func(d *data.Data) *data.Data) error {
		return WriteNPZ(filepath.Join(t.TempDir(), "d.npz"), change(data.NewSparse(matrix.Diagonal([]float64{1, 2, 3}), nil)))
	}
	three := func(name string) func(*data.Data) {
		return func(d *data.Data) {
			*d = *data.New(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), []int{0, 1, 0})
			d.FeatureNames, d.ClassNames = []string{"width", "height"}, []string{name, "b"}
			d.Attributes = []data.Attribute{{Name: "place", Values: []string{"here", "there", "x"}}}
		}
	}
	attribute := func(name string) func(*data.Data) { return func(d *data.Data) { d.Attributes[0].Name = name } }
	return []advicetest.Case{
		{"two classes of one name", with(classes("a", "a")), "rename it", func() error { return with(classes("a", "c")) }},
		{"a text that marks a gap", with(places("here", "NA")), `give it another text, or "" if it is unknown`, func() error {
			return errors.Join(with(places("here", "nowhere")), with(places("here", "")))
		}},
		{"names of features that are numbers", with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"1", "2"} }), "name each feature, and use no names that are numbers or stand for a gap, such as NA", func() error {
			return with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"x1", "x2"} })
		}},
		{"a name that is a number", with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"1", "x2"} }), "name each feature, and use no names that are numbers or stand for a gap, such as NA", func() error {
			return with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"x1", "x2"} })
		}},
		{"names that mark gaps", with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"NA", "?"} }), "name each feature, and use no names that are numbers or stand for a gap, such as NA", func() error {
			return with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"x1", "x2"} })
		}},
		{"an attribute named as the classes, and a feature named by a number", with(func(d *data.Data) { d.FeatureNames[0], d.Attributes[0].Name = "1", "class" }), `call no attribute "class"`, func() error {
			return with(func(d *data.Data) { d.FeatureNames[0] = "1" })
		}},
		{"a feature with spaces", with(features(" width", "height")), "rename it", func() error { return with(features("width", "height")) }},
		{"an attribute with spaces", with(places(" here", "there")), "remove surrounding spaces and carriage returns", func() error { return with(places("here", "there")) }},
		{"an attribute named as the classes", with(attribute("class")), `call no attribute "class"`, func() error { return with(attribute("place")) }},
		{"an attribute named as a feature", with(attribute("width")), "rename them", func() error { return with(attribute("place")) }},
		{"a class with spaces", with(classes(" a", "b")), "rename it", func() error { return with(classes("a", "b")) }},
		{"a class that is a quote", with(three("'")), "rename features, classes and attributes that contain separators, quotes or zero bytes", func() error { return with(three("a")) }},
		{"an attribute with a zero byte", with(places("\x00", "there")), "rename features, classes and attributes that contain separators, quotes or zero bytes", func() error { return with(places("here", "there")) }},
		{"sparse features", sparsely(func(d *data.Data) *data.Data { return d }), "or reduce the data with Data.PCA", func() error { return sparsely(func(d *data.Data) *data.Data { return d.PCA(2) }) }},
		{"nil data", WriteCSV(filepath.Join(t.TempDir(), "d.csv"), nil), "pass data from data.New", func() error { return with(func(*data.Data) {}) }},
		{"no samples", Mixture(0, 3, 1).Err(), "ask for at least one sample and one feature", func() error { return Mixture(1, 3, 1).Err() }},
		{"a small scene", Scene(8, 16, 0.08, 1, 1).Pixels.Err(), "ask for at least 16×16 pixels, and for a noise and a spread of 0 or more", func() error { return Scene(16, 16, 0, 0, 1).Pixels.Err() }},
		{"no features", Mixture(3, 0, 1).Err(), "ask for at least one sample and one feature", func() error { return Mixture(3, 1, 1).Err() }},
	}
}
