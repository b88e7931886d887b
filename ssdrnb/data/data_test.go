package data_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// grid has 3 classes of 10 samples in 4 features; feature 3 is constant.
func grid() *data.Data {
	x, y := mat.NewDense(30, 4, nil), make([]int, 30)
	for i := range y {
		y[i] = i % 3
		x.SetRow(i, []float64{float64(i), float64(i * i % 7), float64(y[i]), 5})
	}
	return data.New(x, y)
}

func ExampleData_KeepLabels() {
	d := grid().KeepLabels(2).Seed(1)
	train, test := d.Split(0.6)
	fmt.Println(d)
	fmt.Println(train.Len(), train.NumLabelled(), test.Len(), test.NumLabelled())
	// Output:
	// data: 30 samples × 4 features, 3 classes, 6 labelled, 0 pairs
	// 18 6 12 0
}

func TestSplit(t *testing.T) {
	d := grid()
	a, b := d.Seed(3).Split(0.7)
	again, _ := d.Seed(3).Split(0.7)
	other, _ := d.Seed(4).Split(0.7)
	if a.Len() != 21 || b.Len() != 9 || !mat.Equal(a.X, again.X) || mat.Equal(a.X, other.X) {
		t.Errorf("split into %d and %d", a.Len(), b.Len())
	}
	seen := map[float64]bool{}
	for _, part := range []*data.Data{a, b} {
		for i := range part.Len() {
			v := part.X.At(i, 0)
			if seen[v] || part.Truth[i] != int(v)%3 {
				t.Errorf("sample %v twice, or with another class", v)
			}
			seen[v] = true
		}
	}
}

func TestChainsRememberTheFirstError(t *testing.T) {
	d := grid().KeepLabels(99).Standardize().Seed(2).Only(1)
	if !errors.Is(d.Err(), data.ErrLabels) {
		t.Errorf("got %v", d.Err())
	}
	for name, err := range map[string]error{
		"KeepLabels(0)":      grid().KeepLabels(0).Err(),
		"Take too many":      grid().Take(11).Err(),
		"Only nothing":       grid().Only(7).Err(),
		"Subset outside":     grid().Subset([]int{30}).Err(),
		"Subset twice":       grid().Subset([]int{1, 1}).Err(),
		"Subset empty":       grid().Subset(nil).Err(),
		"PCA(0)":             grid().PCA(0).Err(),
		"PCA(5)":             grid().PCA(5).Err(),
		"PCA(1.5)":           grid().PCA(1.5).Err(),
		"other features":     grid().PCA(2).Scaled(grid().LearnScale01()).Err(),
		"nil":                (*data.Data)(nil).Err(),
		"pair with itself":   grid().WithPairs(data.Pairs{Must: []data.Pair{{I: 3, J: 3}}}).Err(),
		"labels for fewer":   grid().WithLabels([]int{1}).Err(),
		"keep without truth": data.New(grid().X, nil).KeepLabels(1).Err(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if a, b := grid().Split(1); a.Err() == nil || b.Err() == nil {
		t.Error("Split(1): no error")
	}
}

func TestScaling(t *testing.T) {
	d := grid()
	before := mat.DenseCopyOf(d.X)
	std := d.Standardize().X
	for j := range 3 {
		sum, sq := 0.0, 0.0
		for i := range 30 {
			sum += std.At(i, j)
			sq += std.At(i, j) * std.At(i, j)
		}
		if math.Abs(sum) > 1e-12 || math.Abs(sq-30) > 1e-9 {
			t.Errorf("feature %d: sum %v, squares %v", j, sum, sq)
		}
	}
	unit := d.Scale01().X
	if mat.Max(unit) != 1 || mat.Min(unit) != 0 || std.At(4, 3) != 0 || unit.At(4, 3) != 0 {
		t.Error("scale to [0, 1], or a constant feature, went wrong")
	}
	if !mat.Equal(before, d.X) {
		t.Error("scaling changed its input")
	}
	// The scaling learned on the training side is applied to the test side.
	train, test := d.Split(0.5)
	rule := train.LearnStandardize()
	for i := range test.Len() {
		want := (test.X.At(i, 0) - mean(train, 0)) / deviation(train, 0)
		if got := test.Scaled(rule).X.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("test sample %d: %v, want %v", i, got, want)
		}
	}
}

func mean(d *data.Data, j int) float64 {
	s := 0.0
	for i := range d.Len() {
		s += d.X.At(i, j) / float64(d.Len())
	}
	return s
}

func deviation(d *data.Data, j int) float64 {
	s, m := 0.0, mean(d, j)
	for i := range d.Len() {
		s += (d.X.At(i, j) - m) * (d.X.At(i, j) - m) / float64(d.Len())
	}
	return math.Sqrt(s)
}

func TestPCA(t *testing.T) {
	for _, d := range []*data.Data{grid(), grid().Subset([]int{0, 8, 19})} { // more samples, more features
		y := d.PCA(2)
		if y.Err() != nil || y.Dim() != 2 {
			t.Fatal(y)
		}
		var cov mat.Dense
		cov.Mul(y.X.T(), y.X)
		if math.Abs(cov.At(0, 1)) > 1e-8*cov.At(0, 0) || cov.At(0, 0) < cov.At(1, 1) {
			t.Errorf("components are correlated or out of order: %v", mat.Formatted(&cov))
		}
	}
	if all := grid().PCA(0.999999); all.Dim() != 3 {
		t.Errorf("%d components; the constant feature has none", all.Dim())
	}
}

func TestPairsFollowSubset(t *testing.T) {
	d := grid().WithPairs(data.Pairs{Must: []data.Pair{{I: 1, J: 4}, {I: 0, J: 3}}, Cannot: []data.Pair{{I: 4, J: 2}}})
	s := d.Subset([]int{4, 2, 1})
	if !slices.Equal(s.Pairs.Must, []data.Pair{{I: 2, J: 0}}) || !slices.Equal(s.Pairs.Cannot, []data.Pair{{I: 0, J: 1}}) {
		t.Errorf("%+v", s.Pairs)
	}
}

func TestDistinctPairs(t *testing.T) {
	p := data.Pairs{Must: []data.Pair{{I: 3, J: 1}, {I: 0, J: 2}, {I: 1, J: 3}, {I: 0, J: 1}}, Cannot: []data.Pair{{I: 5, J: 4}, {I: 5, J: 4}}}
	got := p.Distinct()
	if !slices.Equal(got.Must, []data.Pair{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 3}}) || !slices.Equal(got.Cannot, []data.Pair{{I: 4, J: 5}}) {
		t.Errorf("%+v", got)
	}
	if p.Must[0] != (data.Pair{I: 3, J: 1}) {
		t.Error("the pairs were changed")
	}
	if d := grid().WithPairs(p); !strings.Contains(d.String(), "4 pairs") {
		t.Errorf("%v", d)
	}
}

func TestSplitPerClass(t *testing.T) {
	d := grid().KeepLabels(2).Seed(5)
	train, test := d.SplitPerClass(4, 3)
	if train.Len() != 12 || test.Len() != 9 || train.NumLabelled() != 6 || test.NumLabelled() != 0 {
		t.Errorf("%d training samples with %d labels, %d test samples with %d", train.Len(), train.NumLabelled(), test.Len(), test.NumLabelled())
	}
	if _, rest := d.SplitPerClass(4, 0); rest.Len() != 18 {
		t.Errorf("%d samples are left of 30 less 12", rest.Len())
	}
	for i := range train.Len() {
		for k := range test.Len() {
			if train.X.At(i, 0) == test.X.At(k, 0) {
				t.Fatal("a sample is on both sides")
			}
		}
	}
	for _, bad := range [][2]int{{0, 1}, {10, 0}, {6, 5}, {3, -1}} {
		if f, _ := d.SplitPerClass(bad[0], bad[1]); !errors.Is(f.Err(), data.ErrOption) {
			t.Errorf("%v gives %v", bad, f.Err())
		}
	}
}

// Validation must use nothing but the labels.
func TestValidationReadsLabelsOnly(t *testing.T) {
	d := grid().KeepLabels(4).Seed(6)
	v := d.Validation(0.5)
	if v.Err() != nil {
		t.Fatal(v.Err())
	}
	hidden := 0
	for i, l := range d.Labels {
		if v.Truth[i] != l {
			t.Fatalf("sample %d: truth %d, label %d", i, v.Truth[i], l)
		}
		if v.Labels[i] != l {
			hidden++
		}
	}
	if hidden != 6 || v.NumLabelled() != 6 {
		t.Errorf("%d of 12 labels are hidden", hidden)
	}
	// With two labels per class a quarter is one label in every second class.
	two := grid().KeepLabels(2).Seed(6)
	quarter := two.Validation(0.25)
	if want := two.NumLabelled() - two.NumLabelled()/4; quarter.Err() != nil || quarter.NumLabelled() != want {
		t.Errorf("%d labels are left, want %d (%v)", quarter.NumLabelled(), want, quarter.Err())
	}
	if len(quarter.Classes()) != len(two.Classes()) {
		t.Error("a class lost all labels")
	}
	if f := grid().KeepLabels(1).Validation(0.5); !errors.Is(f.Err(), data.ErrLabels) {
		t.Errorf("one label per class gives %v", f.Err())
	}
}

func TestKeepShare(t *testing.T) {
	d := grid().KeepShare(0.5).Seed(3)
	if d.Err() != nil || d.NumLabelled() != 15 {
		t.Errorf("%v, %d of 30 labels", d.Err(), d.NumLabelled())
	}
	train, test := d.Split(0.6) // 6 of each class
	if train.NumLabelled() != 9 || test.NumLabelled() != 0 {
		t.Errorf("%d labels in training, %d in test", train.NumLabelled(), test.NumLabelled())
	}
	if few := grid().KeepShare(0.01); few.NumLabelled() != 3 {
		t.Errorf("%d labels; one of each class should stay", few.NumLabelled())
	}
	for _, bad := range []float64{0, 1.1, math.NaN()} {
		if f := grid().KeepShare(bad); !errors.Is(f.Err(), data.ErrOption) {
			t.Errorf("%v gives %v", bad, f.Err())
		}
	}
}

// Labels out of range are rejected, and the error names the sample.
func TestHugeLabels(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{1, 2})
	for _, l := range []int{data.MaxLabel + 1, 1<<53 + 1, math.MaxInt} {
		err := data.New(x, []int{0, l}).Err()
		if !errors.Is(err, data.ErrLabels) || !strings.Contains(err.Error(), "labels[1]") {
			t.Errorf("%d: got %v", l, err)
		}
	}
	if err := data.New(x, []int{0, data.MaxLabel}).Err(); err != nil {
		t.Error(err)
	}
}

// Attributes stay with their samples.
func TestAttributes(t *testing.T) {
	ids := make([]string, 30)
	for i := range ids {
		ids[i] = fmt.Sprint("sample ", i)
	}
	d := grid().WithAttribute("id", ids).WithAttribute("note", make([]string, 30))
	if d.Err() != nil || !slices.Equal(d.Attribute("id"), ids) || d.Attribute("colour") != nil {
		t.Fatalf("%v, %v", d, d.Attributes)
	}
	train, test := d.Seed(1).Split(0.6)
	for name, part := range map[string]*data.Data{
		"KeepLabels": d.KeepLabels(2), "Standardize": d.Standardize(), "PCA": d.PCA(2), "Take": d.Take(3), "Only": d.Only(1), "train": train, "test": test,
		"Subset": d.Subset([]int{7, 3}), "WithLabels": d.WithLabels(make([]int, 30)), "Validation": d.Validation(0.3),
	} {
		if part.Err() != nil || len(part.Attributes) != 2 || len(part.Attribute("id")) != part.Len() {
			t.Errorf("%s: %v, %v", name, part, part.Attributes)
			continue
		}
		for i, id := range part.Attribute("id") {
			var row int
			if _, err := fmt.Sscanf(id, "sample %d", &row); err != nil || d.Truth[row] != part.Truth[i] {
				t.Errorf("%s: row %d is called %q", name, i, id)
			}
		}
	}
	if other := d.WithAttribute("id", slices.Repeat([]string{"x"}, 30)); other.Attribute("id")[3] != "x" || d.Attribute("id")[3] != "sample 3" || len(other.Attributes) != 2 {
		t.Errorf("changed: %v", other.Attributes)
	}
	if bad := d.WithAttribute("short", ids[:29]); !errors.Is(bad.Err(), data.ErrShape) {
		t.Errorf("29 texts for 30 rows: %v", bad.Err())
	}
}

func TestWithImage(t *testing.T) {
	d := grid()
	if got := d.WithImage(data.Image{Height: 2, Width: 2}); got.Err() != nil || got.Image.Width != 2 || !d.Image.IsZero() || !got.WithImage(data.Image{}).Image.IsZero() {
		t.Errorf("%+v, %v", got.Image, got.Err())
	}
	for _, bad := range []data.Image{{Height: 2, Width: 3}, {Height: -2, Width: -2}} {
		if got := d.WithImage(bad); !errors.Is(got.Err(), data.ErrOption) {
			t.Errorf("%+v: %v", bad, got.Err())
		}
	}
}
