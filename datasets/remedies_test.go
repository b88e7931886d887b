package datasets

import (
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Whoever does what an error advises, with the data that caused it, gets a file or data.
func TestRemediesOfWriting(t *testing.T) {
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
	for _, c := range []struct {
		cause   string
		err     error
		says    string
		advised func() error
	}{
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
	} {
		if c.err == nil || !strings.HasSuffix(c.err.Error(), c.says) {
			t.Errorf("%s: %v; want the remedy %q", c.cause, c.err, c.says)
			continue
		}
		if err := c.advised(); err != nil {
			t.Errorf("%s: after %q: %v", c.cause, c.says, err)
		}
	}
}
