package datasets

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

const houses = "id,rooms,area,price,class\na,3,80,200.5,0\nb,4,95,,1\nc,2,50,NA,0\nd,5,140,410,1\n"

// sameValues compares values, some of which are unknown.
func sameValues(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y })
}

func TestTargetOfTables(t *testing.T) {
	nan := math.NaN()
	want := []float64{200.5, nan, nan, 410}
	d, err := readCSV(strings.NewReader(houses), "houses.csv", CSV{Label: "class", Target: "price", Attributes: []string{"id"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Target(); got == nil || got.Name != "price" || !sameValues(got.Values, want) || d.Dim() != 2 || d.Labels == nil {
		t.Errorf("%+v of %v", got, d)
	}
	table := tableOf(t, houses)
	if d, err = table.Data(Target("price"), Target("area"), Label("class")); err != nil {
		t.Fatal(err)
	}
	if got := d.Target(); got == nil || !sameValues(got.Values, want) || !sameValues(d.TargetNamed("area").Values, []float64{80, 95, 50, 140}) || d.Dim() != 1 || d.Attribute("price") == nil {
		t.Errorf("%+v of %v", d.Targets, d)
	}
	if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes, `"price" is a target, not a feature: known for 2 of 4 rows`) {
		t.Error(notes)
	}
	if d, err = table.Data(Target("id")); err != nil || d.Target() != nil || d.Attribute("id") == nil {
		t.Errorf("a target of texts: %v, %v", d, err)
	}
	for want, opt := range map[string]CSV{
		`no column "cost"`: {Target: "cost"}, `"id" is not a column of finite numbers`: {Target: "id"},
		"in CSV.Target and in CSV.Drop": {Target: "price", Drop: []string{"price"}}, "in CSV.Label and in CSV.Target": {Label: "class", Target: "class"},
	} {
		if _, err := readCSV(strings.NewReader(houses), "houses.csv", opt); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// Readers read the output of writers.
func TestTargetWritten(t *testing.T) {
	nan := math.NaN()
	dir := t.TempDir()
	for what, values := range map[string][]float64{"some": {0.1, nan, -3e8, nan}, "all": {1, 2, 3, 4}, "none": {nan, nan, nan, nan}} {
		d := data.New(mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8}), []int{0, 1, -1, 0}).
			WithAttribute("id", []string{"a", "b", "c", "d"}).WithTarget("size", []float64{4, 5, 6, 7}).WithTarget("price", values)
		path := filepath.Join(dir, what+".csv")
		if err := WriteCSV(path, d); err != nil {
			t.Fatal(err)
		}
		got, err := ReadCSV(path, CSV{Label: "class", Target: "price", Attributes: []string{"id", "size"}})
		if err != nil || !sameValues(got.Target().Values, values) || !mat.Equal(got.X, d.X) || !slices.Equal(got.Attribute("size"), []string{"4", "5", "6", "7"}) {
			t.Errorf("%s: %v, %v", what, got, err)
		}
		path = filepath.Join(dir, what+".npz")
		if err := WriteNPZ(path, d); err != nil {
			t.Fatal(err)
		}
		got, err = ReadNPZ(path, NPZ{Target: "target"})
		if err != nil || !sameValues(got.Target().Values, values) || !slices.Equal(got.Labels, d.Labels) {
			t.Errorf("%s: %v, %v", what, got, err)
		}
		if got, err = ReadNPZ(path, NPZ{Target: "y"}); err != nil || got.Labels != nil || !sameValues(got.Target().Values, []float64{0, 1, -1, 0}) {
			t.Errorf("%s: y as a target gives %v and the labels %v, %v", what, got.Target(), got.Labels, err)
		}
		if got, err = ReadNPZ(path, NPZ{Y: "y", Target: "y"}); err != nil || got.Labels == nil || got.Target() == nil {
			t.Errorf("%s: y as both gives %v, %v", what, got, err)
		}
		if _, err := ReadNPZ(path, NPZ{Target: "X"}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "not a list of numbers") {
			t.Error(err)
		}
		if _, err := ReadNPZ(path, NPZ{Target: "cost"}); !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	}
}

// A MATLAB file names its measured value, which may be called y and be a row vector.
func TestTargetOfMATLAB(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	vars := map[string]*mat.Dense{"X": x, "y": mat.NewDense(1, 3, []float64{0.5, math.NaN(), 2.25}), "wide": mat.NewDense(3, 4, slices.Repeat([]float64{1}, 12))}
	path := write(t, "t.mat", matFile(false, vars))
	d, err := ReadMAT(path, MAT{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Target(); got == nil || got.Name != "y" || !sameValues(got.Values, []float64{0.5, math.NaN(), 2.25}) || d.Labels != nil || !mat.Equal(d.X, x) {
		t.Errorf("%+v, labels %v", got, d.Labels)
	}
	guess := write(t, "u.mat", matFile(false, map[string]*mat.Dense{"rooms": mat.NewDense(3, 1, nil), "price": mat.NewDense(1, 3, nil)}))
	if d, err = ReadMAT(guess, MAT{Target: "price"}); err != nil || !strings.Contains(strings.Join(d.Notes, ""), "samples read from rooms") {
		t.Errorf("%v, %v", d, err)
	}
	delete(vars, "y")
	path = write(t, "v.mat", matFile(false, vars))
	for want, target := range map[string]string{`there is no target "none"`: "none", `the target "wide" is not a list of numbers`: "wide"} {
		if _, err := ReadMAT(path, MAT{Target: target}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// A variable of a MATLAB file can have several uses. Labels then count from 0, and samples and
// targets keep the numbers of the file.
func TestVariableOfTwoUses(t *testing.T) {
	ages := []float64{20, 30, 40}
	path := write(t, "a.mat", matFile(false, map[string]*mat.Dense{"X": mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), "age": mat.NewDense(3, 1, ages)}))
	for _, opt := range []MAT{{Y: "age", Target: "age"}, {X: "age", Y: "age"}, {X: "age", Target: "age"}, {X: "age", Y: "age", Target: "age"}} {
		d, err := ReadMAT(path, opt)
		if err != nil {
			t.Errorf("%+v: %v", opt, err)
			continue
		}
		if opt.X != "" && !slices.Equal(mat.Col(nil, 0, d.X), ages) {
			t.Errorf("%+v: samples %v", opt, mat.Col(nil, 0, d.X))
		}
		if opt.Y != "" && (!slices.Equal(d.Labels, []int{19, 29, 39}) || d.ClassNames[29] != "30") {
			t.Errorf("%+v: labels %v", opt, d.Labels)
		}
		if opt.Target != "" && !slices.Equal(d.Target().Values, ages) {
			t.Errorf("%+v: target %v", opt, d.Target().Values)
		}
	}
}
