package datasets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// flock is a table with numbers, categories, dates, booleans and gaps, in which row i depends only
// on i, with columns in the given order.
func flock(rows []int, columns ...string) string {
	cell := map[string]func(i int) string{
		"a": func(i int) string { return fmt.Sprintf("%d.25", i*i%17) },
		"b": func(i int) string {
			if i%5 == 3 {
				return "NA"
			}
			return fmt.Sprintf("%d", 200+i*7%40)
		},
		"c":    func(i int) string { return []string{"red", "blue", "", "green"}[i%4] },
		"day":  func(i int) string { return fmt.Sprintf("2024-03-%02d", 1+i%28) },
		"old":  func(i int) string { return []string{"yes", "no"}[i/2%2] },
		"kind": func(i int) string { return []string{"finch", "gull"}[i%2] },
		"x":    func(i int) string { return fmt.Sprint(i) },
	}
	var b strings.Builder
	b.WriteString(strings.Join(columns, ",") + "\n")
	for _, i := range rows {
		for k, name := range columns {
			if k > 0 {
				b.WriteString(",")
			}
			b.WriteString(cell[name](i))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Rows of a table become the same samples as in the training data, whether they are converted
// alone, among other rows, or with additional columns.
func TestDataLike(t *testing.T) {
	all := make([]int, 80)
	for i := range all {
		all[i] = i
	}
	for name, options := range map[string][]DataOption{
		"by default":    nil,
		"in units":      {Unscaled()},
		"means":         {Fill(Mean)},
		"most frequent": {Fill(MostFrequent)},
		"indicators":    {Fill(Indicator)},
		"numbers only":  {Without("c")},
		"chosen":        {Features("b", "c", "old")},
	} {
		options = append(options, Label("kind"))
		training, err := tableOf(t, flock(all, "a", "b", "c", "day", "old", "kind")).Data(options...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		units := training.Unscaled()
		for _, rows := range [][]int{all, {4, 9, 13, 2}, {3}, {2}, {1}} {
			for _, columns := range []string{"a b c day old kind", "kind old x c b a day", "day c b a old kind"} {
				d, err := tableOf(t, flock(rows, strings.Fields(columns)...), Header(1)).DataLike(training, Label("kind"))
				if err != nil {
					t.Fatalf("%s, %v, %s: %v", name, rows, columns, err)
				}
				for k, i := range rows {
					if !slices.Equal(d.X.RawRowView(k), units.X.RawRowView(i)) || d.Labels[k] != training.Labels[i] {
						t.Errorf("%s, %v, %s: row %d is %v of class %d instead of %v of class %d", name, rows, columns, i, d.X.RawRowView(k), d.Labels[k], units.X.RawRowView(i), training.Labels[i])
					}
				}
				if !slices.Equal(d.FeatureNames, training.FeatureNames) || !slices.Equal(d.ClassNames, training.ClassNames) {
					t.Errorf("%s: names %q and %q", name, d.FeatureNames, d.ClassNames)
				}
				if b := d.Attribute("b"); slices.Contains(rows, 3) && (b == nil || b[slices.Index(rows, 3)] != "") {
					t.Errorf("%s: the gap of row 3 is not marked: %q", name, b)
				}
				ignored := slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, `lack them: "x"`) })
				if ignored != strings.Contains(columns, "x") {
					t.Errorf("%s, %s: notes %q", name, columns, d.Notes)
				}
			}
		}
	}
}

// Categories that the training data lack belong to none of the features, and a note counts them.
func TestDataLikeUnknownCategories(t *testing.T) {
	training, err := tableOf(t, "a,c = d\n1.5,red\n2.5,blue\n3.5,red\n4.5,blue\n").Data()
	if err != nil {
		t.Fatal(err)
	}
	d, err := tableOf(t, "c = d,a\ngreen,7.5\nred,8.5\ngreen,few\n").DataLike(training)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(d.Notes, "\n")
	if want := []float64{7.5, 0, 0, 8.5, 0, 1, 3, 0, 0}; !slices.Equal(d.X.RawMatrix().Data, want) || !strings.Contains(notes, `2 cells, such as "green", are in no category`) || !strings.Contains(notes, `"green"`) || !strings.Contains(notes, `"few"`) {
		t.Errorf("%v %q", d.X.RawMatrix().Data, d.Notes)
	}
}

// The data of a loaded model determine the features, except the numbers that fill gaps.
func TestDataLikeWithoutSamples(t *testing.T) {
	training, err := tableOf(t, flock([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "a", "c", "day", "old")).Data()
	if err != nil {
		t.Fatal(err)
	}
	loaded := &data.Data{Name: "loaded", FeatureNames: training.FeatureNames, Attributes: training.Attributes}
	want, err := tableOf(t, flock([]int{5, 6, 7}, "day", "old", "a", "c")).DataLike(training)
	if err != nil {
		t.Fatal(err)
	}
	d, err := tableOf(t, flock([]int{5, 6, 7}, "day", "old", "a", "c")).DataLike(loaded)
	if err != nil || !slices.Equal(d.X.RawMatrix().Data, want.X.RawMatrix().Data) {
		t.Errorf("%v: %v instead of %v", err, d, want)
	}
	if _, err := tableOf(t, "a,c,day,old\n,red,2024-03-01,yes\n1.5,red,2024-03-01,no\n").DataLike(loaded); err == nil || !strings.Contains(err.Error(), `"a" has 1 gap`) {
		t.Errorf("a gap: %v", err)
	}
}

// A class that the training data lack is unlabelled, with and without names of classes.
func TestDataLikeUnknownClasses(t *testing.T) {
	training := data.New(mat.NewDense(3, 1, []float64{1.5, 2.5, 4}), []int{3, data.Unlabelled, 5})
	training.FeatureNames = []string{"a"}
	d, err := tableOf(t, "a,kind\n1.5,3\n2.5,4\n3.5,5\n4.5,-1\n").DataLike(training, Label("kind"))
	if err != nil || !slices.Equal(d.Labels, []int{3, data.Unlabelled, 5, data.Unlabelled}) {
		t.Fatalf("%v: %v", err, d)
	}
	if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes, `1 sample is unlabelled, because the training data lack classes such as "4"`) {
		t.Errorf("notes: %s", notes)
	}
}

// A table without a header has its columns in order.
func TestDataLikeInOrder(t *testing.T) {
	training, err := tableOf(t, "1.5,20,u\n2.5,30,v\n,50,u\n4.5,20,v\n").Data(Label("3"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := tableOf(t, "u,,7\nu,9.5,8\n").DataLike(training, Label("1"))
	if err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{2.5, 7, 9.5, 8}) || d.Labels[1] != training.Labels[0] {
		t.Errorf("%v: %v", err, d)
	}
	named, err := tableOf(t, "a,b\n1.5,red\n2.5,blue\n3.5,red\n4.5,blue\n").Data()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tableOf(t, "1.5,red\n2.5,blue\n3.5,red\n").DataLike(named); err == nil || !strings.Contains(err.Error(), `"a", "b"`) {
		t.Errorf("columns without names: %v", err)
	}
}

// The training table itself gives the training data, whatever its columns are called.
func TestDataLikeOfTrainingTable(t *testing.T) {
	for name, text := range map[string]string{
		"an index":                   ",a,b\n0,1,2.5\n1,4,5.5\n2,7,8.5\n3,7,8.5\n",
		"an index of dates":          ",a,b\n2020-01-01,1,2.5\n2020-01-02,4,5.5\n2020-01-03,7,8.5\n2020-01-05,7,8.5\n",
		"an index of names":          ",a,b\ncell A,1,2.5\ncell B,4,5.5\ncell C,7,8.5\ncell D,7,8.5\n",
		"an index of categories":     ",a,b\nx,1,2.5\ny,4,5.5\nx,7,8.5\ny,7,8.5\n",
		"a last column without name": "a,b,\n5.5,1.5,2.5\n4.5,4,5.5\n3.5,7,8.5\n",
		"a mark of gaps":             "age,age is missing\n30,0.5\n40,1.5\n,2.5\n50,1.5\n",
		"a mark of gaps, 0 and 1":    "age,age is missing\n30,0\n40,0\n,1\n50,0\n",
		"equal names":                "a,a,b\n1,2.5,3\n4,5.5,6\n7,8.5,1\n",
		"equal names of categories":  "a,a,b\nx,u,3.5\ny,v,6\nx,v,1\ny,u,2\n",
		"equal categories":           "a,a,b\nx,x,3.5\ny,z,6\nx,z,1\ny,x,2\n",
		"categories with gaps":       "c,a,b\nx,1.5,3.5\n,2.5,6\nx,,1\ny,3,2\n",
		"a number and a category":    "a,a,b\nx,1.5,3.5\ny,2.5,6\nx,1,1\ny,3,2\n",
		"equal names, one with gaps": "a,a,b\n1,2.5,3\n4,,6\n7,8.5,1\n",
		"equal names of texts":       "a,a,b\nred deer,the fox,3\nblue tit,a cat,6\nmole,an ant,1.5\n",
		"dates of two orders":        "d,e,v\n12/31/2020,31/12/2020,1.5\n11/30/2020,30/11/2020,2.5\n10/05/2020,05/10/2020,4\n",
	} {
		for _, how := range []Missing{Median, Indicator} {
			table := tableOf(t, text)
			training, err := table.Data(Fill(how))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if training.FeatureNames != nil && len(training.FeatureNames) != training.Dim() {
				t.Errorf("%s, %s: %d features have the names %q", name, how, training.Dim(), training.FeatureNames)
			}
			d, err := table.DataLike(training)
			if how == Indicator && name == "equal names, one with gaps" { // it is unknown which
				if err == nil {
					t.Errorf("%s, %s: no error", name, how)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			if want := training.Unscaled(); !slices.Equal(d.X.RawMatrix().Data, want.X.RawMatrix().Data) {
				t.Errorf("%s, %s: %v of %q instead of %v", name, how, d.X.RawMatrix().Data, d.FeatureNames, want.X.RawMatrix().Data)
			}
			if !slices.Equal(attributeNames(d), attributeNames(training)) {
				t.Errorf("%s, %s: attributes %q instead of %q", name, how, attributeNames(d), attributeNames(training))
			}
		}
	}
}

// Ambiguous dates of a later table have the order of the training table, also after a model was
// saved with its attributes. Unambiguous dates have their own.
func TestDataLikeOrderOfDates(t *testing.T) {
	american, british := "d,v\n12/31/2020,1.5\n11/30/2020,2.5\n10/05/2020,3.5\n", "d,v\n31/12/2020,1.5\n30/11/2020,2.5\n05/10/2020,3.5\n"
	const october, may = 18540, 18392 // days from 1970 to 5 October 2020, and to 10 May 2020
	for _, c := range []struct {
		training, later string
		want            float64
		options         []DataOption
	}{
		{american, "d,v\n10/05/2020,1.5\n01/02/2020,2\n", october, nil},
		{british, "d,v\n10/05/2020,1.5\n01/02/2020,2\n", may, nil},
		{american, "d,v\n05/10/2020,1.5\n31/12/2020,2\n", october, nil},
		{british, "d,v\n10/05/2020,1.5\n12/31/2020,2\n", october, nil},
		{american, "d,v\n2020-10-05,1.5\n2020-01-02,2\n", october, nil},
		{american, "d,v\n10/05/2020,1.5\n01/02/2020,2\n", october, []DataOption{Target("d")}},
		{american, "d,v\n10/05/2020,1.5\n01/02/2020,2\n", october, []DataOption{Attributes("d")}},
	} {
		training, err := tableOf(t, c.training).Data(c.options...)
		if err != nil {
			t.Fatal(err)
		}
		d, err := tableOf(t, c.later).DataLike(training.Subset([]int{0, 2}))
		if err != nil {
			t.Fatal(err)
		}
		got := d.X.At(0, 0)
		if d.Target() != nil {
			got = d.Target().Values[0]
		}
		text := map[float64]string{october: "2020-10-05", may: "2020-05-10"}[c.want]
		if got != c.want && d.Dim() == 2 || d.Target() != nil && got != c.want || d.Attribute("d")[0] != text {
			t.Errorf("%q like %q: got %v, %q instead of %v, %q", c.later, c.training, got, d.Attribute("d"), c.want, text)
		}
	}
}
