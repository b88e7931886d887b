package datasets

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Written data are read back to the last bit.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	x := mat.NewDense(4, 4, []float64{0, 1.0 / 3, -1e-300, 4, 5, math.MaxFloat64, 7, 8, 9, 10, 11, 12, 13, 14, 15, math.Pi})
	d := data.New(x, []int{1, data.Unlabelled, 0, 1})
	d.ClassNames, d.Image = []string{"plain", `with "quotes", commas`}, data.Image{Height: 2, Width: 2}
	path := filepath.Join(dir, "d.csv")
	if err := WriteCSV(path, d); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCSV(path, CSV{Label: "class"})
	if err != nil || !mat.Equal(got.X, x) || !slices.Equal(got.FeatureNames, []string{"x1", "x2", "x3", "x4"}) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, l := range d.Labels { // renumbered
		if (l == data.Unlabelled) != (got.Labels[i] == data.Unlabelled) || d.ClassName(l) != got.ClassName(got.Labels[i]) {
			t.Errorf("class %d is %q, was %q", i, got.ClassName(got.Labels[i]), d.ClassName(l))
		}
	}
	path = filepath.Join(dir, "d.npz")
	if err := WriteNPZ(path, d); err != nil {
		t.Fatal(err)
	}
	got, err = ReadNPZ(path, NPZ{})
	if err != nil || !mat.Equal(got.X, x) || !slices.Equal(got.Labels, d.Labels) || got.Image != d.Image {
		t.Fatalf("%v, %v", got, err)
	}
	bare := data.New(x, nil)
	for _, f := range []func(string, *data.Data) error{WriteCSV, WriteNPZ} {
		if err := f(filepath.Join(dir, "bare"), bare); err != nil {
			t.Error(err)
		}
		if err := f(filepath.Join(dir, "none", "d"), d); err == nil {
			t.Error("a folder that does not exist is written to")
		}
		for _, bad := range []*data.Data{nil, data.Failed("x", data.ErrEmpty), data.New(mat.NewDense(1, 1, []float64{math.NaN()}), nil)} {
			if err := f(filepath.Join(dir, "bad"), bad); !errors.Is(err, data.ErrEmpty) && !errors.Is(err, data.ErrNotFinite) {
				t.Errorf("%v is written: %v", bad, err)
			}
		}
	}
	if got, err := ReadCSV(filepath.Join(dir, "bare"), CSV{}); err == nil {
		t.Errorf("an archive is read as a table: %v", got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".ssdrnb-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "bad")); err == nil {
		t.Error("bad data leave a file")
	}
}

// Attributes are read back with their samples.
func TestWriteAttributes(t *testing.T) {
	d := Iris().KeepLabels(5).Seed(1)
	ids := make([]string, d.Len())
	for i := range ids {
		ids[i] = fmt.Sprintf("flower %d, \"iris\"", i)
	}
	d = d.WithAttribute("id", ids).WithAttribute("seen", make([]string, d.Len()))
	train, test := d.Split(0.5)
	for _, part := range []*data.Data{d, train, test, test.HideLabels().Standardize()} {
		path := filepath.Join(t.TempDir(), "d.csv")
		if err := WriteCSV(path, part); err != nil {
			t.Fatal(err)
		}
		backCSV(t, part)
		for i, id := range part.Attribute("id") {
			var row int
			if _, err := fmt.Sscanf(id, "flower %d", &row); err != nil {
				t.Fatal(err)
			}
			if part == train && d.X.At(row, 0) != part.X.At(i, 0) {
				t.Fatalf("%s at sample %d has %v, want %v", id, i, part.X.At(i, 0), d.X.At(row, 0))
			}
		}
	}
	for name, bad := range map[string]*data.Data{
		"spaces":    d.WithAttribute("x", slices.Repeat([]string{" a"}, d.Len())),
		"CR LF":     d.WithAttribute("x", slices.Repeat([]string{"a\r\nb"}, d.Len())),
		"a feature": d.WithAttribute("petal width (cm)", ids),
		"class":     d.WithAttribute("class", ids),
	} {
		if err := WriteCSV(filepath.Join(t.TempDir(), "d.csv"), bad); !errors.Is(err, ErrNames) {
			t.Errorf("%s: %v", name, err)
		}
		backCSV(t, bad)
	}
}

// Names that would change in a table are rejected; others are read back unchanged.
func TestNamesOfTables(t *testing.T) {
	for name, c := range map[string]struct {
		features, classes []string
		labels            []int
		ok                bool
	}{
		"plain":                        {[]string{"a", "b"}, []string{"c", "d"}, []int{0, 1, -1}, true},
		"quotes, commas, breaks":       {[]string{"a,b", "\"c\"\nd"}, []string{"e\nf", "#g"}, []int{0, 1, -1}, true},
		"numeric features with labels": {[]string{"1990", "1991"}, nil, []int{0, 1, -1}, true},
		"numeric features":             {[]string{"1990", "NaN"}, nil, nil, false},
		"a feature class":              {[]string{"class", "b"}, nil, nil, true},
		"a feature class with labels":  {[]string{"class", "b"}, nil, []int{0, 1, -1}, false},
		"a feature with a space":       {[]string{" a", "b"}, nil, []int{0, 1, -1}, false},
		"a feature with CR LF":         {[]string{"a\r\nb", "b"}, nil, nil, false},
		"unknown class":                {nil, []string{"?", "b"}, []int{0, 1, -1}, false},
		"spaces":                       {nil, []string{" a", "a"}, []int{0, 1, -1}, false},
		"equal classes":                {nil, []string{"a", "a"}, []int{0, 1, -1}, false},
		"a class called as a number":   {nil, []string{"1"}, []int{0, 1, -1}, false},
		"minus one":                    {nil, []string{"-1", "1"}, []int{0, 1, -1}, true},
		"minus one and others":         {nil, []string{"-1", "2"}, []int{0, 1, -1}, false},
		"leading zeros":                {nil, []string{"01", "1"}, []int{0, 1, -1}, false},
		"crossed numbers":              {nil, []string{"1", "0"}, []int{0, 1, -1}, true},
		"CR LF in a class":             {nil, []string{"a\r\nb", "c"}, []int{0, 1, -1}, false},
		"no label":                     {nil, nil, []int{-1, -1, -1}, true},
		"unused bad class":             {nil, []string{"a", "?"}, []int{0, 0, -1}, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := data.New(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, math.Copysign(0, -1)}), c.labels)
			d.FeatureNames, d.ClassNames = c.features, c.classes
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := WriteCSV(path, d); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrNames) {
				t.Fatalf("got %v", err)
			}
			if _, err := os.Stat(path); (err == nil) != c.ok {
				t.Errorf("the file: %v", err)
			}
			backCSV(t, d)
		})
	}
	if _, err := ReadCSV(write(t, "two.csv", []byte("class,x,class\n1,2,3\n")), CSV{Label: "class"}); !errors.Is(err, ErrFormat) {
		t.Errorf("two columns of one name: %v", err)
	}
}

// An error names features that look like numbers or gaps as the cause only if other names in their
// place would be accepted.
func TestBlamedNames(t *testing.T) {
	const sample = "the header would be read as a sample"
	for name, c := range map[string]struct {
		features, attributes []string
		labels               []int
		want, not            string
	}{
		"a number":              {[]string{"1", "b"}, nil, nil, `feature 0 is called "1"`, "columns are called"},
		"a gap":                 {[]string{"NA", "?"}, nil, nil, `feature 0 is called "NA"`, "gaps in"},
		"an attribute class":    {[]string{"1", "b"}, []string{"class"}, []int{0, 1}, `2 columns are called "class"`, sample},
		"a feature class":       {[]string{"1", "class"}, nil, []int{0, 1}, `2 columns are called "class"`, sample},
		"a zero byte":           {[]string{"1", "b\x00"}, nil, nil, "is zero", sample},
		"a number, other names": {[]string{"1", "x1"}, []string{"xx0", "xxx0"}, nil, "", ""},
	} {
		d := data.New(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), c.labels)
		d.FeatureNames = c.features
		for _, a := range c.attributes {
			d.Attributes = append(d.Attributes, data.Attribute{Name: a, Values: []string{"here", "there"}})
		}
		err := WriteCSV(filepath.Join(t.TempDir(), "d.csv"), d)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, ErrNames) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.not) {
			t.Errorf("%s: %v", name, err)
		}
	}
	data.SetReadLimit(64)
	defer data.SetReadLimit(0)
	d := data.New(mat.NewDense(1, 2, []float64{1, 2}), nil)
	d.FeatureNames = []string{"1", strings.Repeat("x", 100)}
	if err := WriteCSV(filepath.Join(t.TempDir(), "d.csv"), d); !errors.Is(err, data.ErrTooLarge) || strings.Contains(err.Error(), "give different names") {
		t.Errorf("above the limit: %v", err)
	}
}

// A table has the features in their original units, whatever transformations were applied;
// principal components have no other units.
func TestWriteCSVInUnits(t *testing.T) {
	d := Iris()
	path := filepath.Join(t.TempDir(), "iris.csv")
	for step, scaled := range map[string]*data.Data{"Standardize": d.Standardize(), "Scale01": d.Scale01()} {
		if err := WriteCSV(path, scaled); err != nil {
			t.Fatal(step, err)
		}
		if got, err := ReadCSV(path, CSV{Label: "class"}); err != nil || !mat.Equal(got.X, d.X) {
			t.Errorf("%s: the table is read as %v, %v", step, got, err)
		}
	}
	pca := d.PCA(2)
	if err := WriteCSV(path, pca); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadCSV(path, CSV{Label: "class"}); err != nil || !mat.Equal(got.X, pca.X) {
		t.Errorf("principal components: %v", err)
	}
}

// Attributes that only mark filled gaps do not hinder writing.
func TestWriteFilledGaps(t *testing.T) {
	for _, text := range []string{"a,b\n1.5,2\n,3\n2.5,7\n", "1.5,2\n,3\n2.5,7\n"} {
		d, err := tableOf(t, text).Data()
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Attributes) != 1 || !slices.Equal(d.Attributes[0].Values, []string{"1.5", "", "2.5"}) {
			t.Errorf("attributes %v", d.Attributes)
		}
		path := filepath.Join(t.TempDir(), "d.csv")
		if err := WriteCSV(path, d); err != nil {
			t.Fatal(err)
		}
		back, err := ReadCSV(path, CSV{})
		if err != nil || !mat.Equal(back.X, d.X) {
			t.Errorf("%v: %v", err, back)
		}
	}
}

// A table of any types is written without the attributes that repeat its columns, and the numbers
// are read back.
func TestWriteTypedTables(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		options []DataOption
		written []string // the attributes that are written
	}{
		"booleans":              {"smoker,v\nyes,1.5\nno,2.5\nno,3.5\n", nil, nil},
		"booleans, categories":  {"colour,smoker,v\nred,yes,1.5\nblue,no,2.5\nblue,no,3.5\nred,no,4\n", nil, []string{"colour"}},
		"row numbers":           {",a,b\n0,1,2.5\n1,4,5.5\n2,7,8.5\n3,7,8.5\n", nil, []string{"1"}},
		"dates":                 {"day,v\n2020-01-01,1.5\n2020-01-02,2.5\n,3\n", nil, nil},
		"American dates":        {"day,v\n12/31/2020,1.5\n10/05/2020,2.5\n1/2/2020,3\n", nil, nil},
		"dates with seconds":    {"day,v\n22.10.2023 18:30:45,1.5\n23.10.2023 18:30,2.5\n24.10.2023 00:00,3\n", nil, nil},
		"dates with fractions":  {"day,v\n22.10.2023 18:30:45.25,1.5\n23.10.2023 18:30:07,2.5\n24.10.2023 00:00:00,3\n", nil, nil},
		"times":                 {"time,v\n18:30:45,1.5\n18:30:00,2.5\n09:15:02.5,3\n", nil, nil},
		"afternoons":            {"day,v\n10/22/2023 6:30:45 pm,1.5\n10/23/2023 6:30:10 am,2.5\n", nil, nil},
		"target":                {"age,v\n30,1.5\n40,2.5\n50,4\n", []DataOption{Target("age")}, nil},
		"target with gaps":      {"age,v\n30,1.5\n40,2.5\n,3\n50,4\n", []DataOption{Target("age")}, nil},
		"target of booleans":    {"old,v\nyes,1.5\nno,2.5\n,3\nno,4\n", []DataOption{Target("old")}, nil},
		"target of dates":       {"day,v\n22.10.2023 18:30:45,1.5\n,2.5\n24.10.2023 00:00,3\n", []DataOption{Target("day")}, nil},
		"a boolean that is not": {"old,v\nyes,1.5\nno,2.5\nno,4\n", []DataOption{Attributes("old")}, []string{"old"}},
	} {
		d, err := tableOf(t, c.text).Data(c.options...)
		if err != nil {
			t.Fatal(name, err)
		}
		path := filepath.Join(t.TempDir(), "d.csv")
		if err := WriteCSV(path, d); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		opt := CSV{Attributes: c.written}
		if d.Target() != nil {
			opt.Target = d.Target().Name
		}
		back, err := ReadCSV(path, opt)
		if err != nil || !mat.Equal(back.X, d.Unscaled().X) || d.Target() != nil && !sameValues(back.Target().Values, d.Target().Values) {
			t.Errorf("%s: %v, %v", name, err, back)
		}
	}
}

// An attribute does not count as a repetition of a target without known values.
func TestWriteBesideUnknownTarget(t *testing.T) {
	d := data.New(mat.NewDense(2, 1, []float64{1.5, 2.5}), nil).WithAttribute("age", []string{"30", "40"}).WithTarget("age", []float64{math.NaN(), math.NaN()})
	if err := WriteCSV(filepath.Join(t.TempDir(), "d.csv"), d); !errors.Is(err, ErrNames) {
		t.Error(err)
	}
}

// The texts of dates keep their seconds, in the same form in the whole column.
func TestTextsOfDates(t *testing.T) {
	for text, want := range map[string][]string{
		"22.10.2023 18:30:45,23.10.2023 18:30": {"2023-10-22 18:30:45", "2023-10-23 18:30:00"},
		"22.10.2023 18:30:07.5,23.10.2023":     {"2023-10-22 18:30:07.5", "2023-10-23 00:00:00"},
		"22.10.2023 18:30,23.10.2023":          {"2023-10-22 18:30", "2023-10-23 00:00"},
		"22.10.2023,23.10.2023":                {"2023-10-22", "2023-10-23"},
		"18.30.45,18.30.00":                    {"18:30:45", "18:30:00"},
	} {
		first, second, _ := strings.Cut(text, ",")
		d, err := tableOf(t, "day,v\n"+first+",1.5\n"+second+",2.5\n").Data()
		if err != nil {
			t.Fatal(text, err)
		}
		if got := d.Attribute("day"); !slices.Equal(got, want) {
			t.Errorf("%q: got %q instead of %q", text, got, want)
		}
	}
}

// A text that is read as a gap in a column of numbers is a gap in the attribute too.
func TestAttributesOfRefusedTexts(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,c\n")
	for i := range 60 {
		v := strconv.Itoa(i)
		if i == 7 {
			v = "below"
		}
		fmt.Fprintf(&b, "%s,%d.5,%s\n", v, i*i%17, []string{"x", "y"}[i%2])
	}
	d, err := tableOf(t, b.String()).Data()
	if err != nil {
		t.Fatal(err)
	}
	if a := d.Attribute("a"); a == nil || a[7] != "" || a[8] != "8" {
		t.Errorf("%q", a)
	}
	if d, err = tableOf(t, b.String()).Data(Attributes("a")); err != nil || d.Attribute("a")[7] != "below" {
		t.Errorf("%v: a column that is only an attribute keeps its texts", err)
	}
}

// Texts of attributes that would be read differently are refused in any row.
func TestWriteLateTexts(t *testing.T) {
	const n = 600
	for text, others := range map[string]string{"NA": "a", "?": "a", "1,250": "12", "10/05/2020": "2020-05-01", "-": "a", " a": "a"} {
		for _, row := range []int{3, 250, n - 1} {
			d := data.New(mat.NewDense(n, 2, nil), nil)
			d.FeatureNames = []string{"x", "y"}
			d.Attributes = []data.Attribute{{Name: "place", Values: slices.Repeat([]string{others}, n)}}
			path := filepath.Join(t.TempDir(), "d.csv")
			if err := WriteCSV(path, d); err != nil {
				t.Fatal(err)
			}
			d.Attributes[0].Values[row] = text
			if err := WriteCSV(path, d); !errors.Is(err, ErrNames) || !strings.Contains(err.Error(), fmt.Sprintf("of sample %d is %q", row, text)) {
				t.Errorf("%q in row %d: %v", text, row, err)
			}
		}
	}
	// Beside a plus sign, a minus sign is a text.
	d := data.New(mat.NewDense(n, 1, nil), nil)
	d.FeatureNames = []string{"x"}
	d.Attributes = []data.Attribute{{Name: "sign", Values: slices.Repeat([]string{"-"}, n)}}
	d.Attributes[0].Values[n/2] = "+"
	if err := WriteCSV(filepath.Join(t.TempDir(), "d.csv"), d); err != nil {
		t.Error(err)
	}
}
