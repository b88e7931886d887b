package datasets

import (
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Whoever does what an error or a note advises, to the input that caused it, gets a result.
// Every place in the source that advises has a case.
func TestRemedies(t *testing.T) {
	advicetest.Everywhere(t, []string{"."}, beyondTests, slices.Concat(remediesOfWriting(t), remediesOfReaders(t)))
}

// beyondTests are the places of the package that no test can reach, with the reason.
var beyondTests = map[string]string{}

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
	return []advicetest.Case{
		{"two classes of one name", with(classes("a", "a")), "rename it", func() error { return with(classes("a", "c")) }},
		{"names of features that are numbers", with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"1", "2"} }), "give all features names that are not numbers", func() error {
			return with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"x1", "x2"} })
		}},
		{"a name that is a number", with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"1", "x2"} }), "give all features names that are not numbers", func() error {
			return with(func(d *data.Data) { d.Labels, d.Attributes, d.FeatureNames = nil, nil, []string{"x1", "x2"} })
		}},
		{"a feature with spaces", with(features(" width", "height")), "rename it", func() error { return with(features("width", "height")) }},
		{"an attribute with spaces", with(places(" here", "there")), "remove the spaces", func() error { return with(places("here", "there")) }},
		{"no samples", Mixture(0, 3, 1).Err(), "ask for at least one of each", func() error { return Mixture(1, 3, 1).Err() }},
		{"no features", Mixture(3, 0, 1).Err(), "ask for at least one of each", func() error { return Mixture(3, 1, 1).Err() }},
	}
}
