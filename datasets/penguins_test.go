package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// The penguins have the flaws of real tables, and keep their units: in figures, and for new rows of
// a model.
func TestPenguins(t *testing.T) {
	table := Penguins()
	types := map[string]ColumnType{"Species": Category, "Individual ID": Text, "Date Egg": Date, "Body Mass (g)": Integer, "Culmen Length (mm)": Number, "Clutch Completion": Boolean}
	for name, want := range types {
		j, err := table.Find(name)
		if err != nil || table.Type(j) != want {
			t.Errorf("%s is %s, %v; want %s", name, table.Type(j), err, want)
		}
	}
	d, err := table.Data(Label("Species"), Without("Sample Number", "Comments"))
	if err != nil || table.Rows() != 344 || d.Len() != 344 || len(d.ClassNames) != 3 || d.NumLabelled() != 344 {
		t.Fatalf("%v, %v", d, err)
	}
	mass := slices.Index(d.FeatureNames, "Body Mass (g)")
	island := slices.Index(d.FeatureNames, "Island = Dream")
	if got := d.Original(mass)[:4]; !slices.Equal(got, []float64{3750, 3800, 3250, 4050}) { // the fourth is a filled gap
		t.Errorf("the masses are %g in their units", got)
	}
	for _, v := range d.Original(island) {
		if v != 0 && v != 1 {
			t.Fatalf("a category is %g in its units", v)
		}
	}
	variance := 0.0
	for _, name := range []string{"Body Mass (g)", "Island = Dream", "Island = Biscoe", "Island = Torgersen"} {
		mean, deviation := moments(d.X, slices.Index(d.FeatureNames, name))
		if name == "Body Mass (g)" && (math.Abs(mean) > 1e-12 || math.Abs(deviation-1) > 1e-12) {
			t.Errorf("%s has mean %g and standard deviation %g", name, mean, deviation)
		} else if name != "Body Mass (g)" {
			variance += deviation * deviation
		}
	}
	if math.Abs(variance-1) > 1e-12 {
		t.Errorf("the islands have variance %g", variance)
	}
	model := ssdrnb.SDA().MustFit(d.KeepLabels(5).Seed(1))
	units := d.Unscaled()
	one, err := model.Transform(mat.DenseCopyOf(units.X.Slice(0, 9, 0, units.Dim())))
	if err != nil || !mat.EqualApprox(one, model.Embedding().Slice(0, 9, 0, 2), 1e-9) {
		t.Errorf("rows in units are placed elsewhere: %v", err)
	}
	if score, err := model.Score(ssdrnb.NearestNeighbor, nil); err != nil || score < 0.95 {
		t.Errorf("SDA finds %.3f of the hidden species, %v", score, err)
	}
}
