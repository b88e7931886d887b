package ssdrnb_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// customers are 800 samples of two kinds that differ in age, pharmacy and groceries. Two columns
// are noise, cities are text with gaps, income has gaps, and joined is a date.
func customers() (d *ssdrnb.Data, group []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(800, 6, nil)
	city, income, joined, id := make([]string, 800), make([]string, 800), make([]string, 800), make([]string, 800)
	for i := range 800 {
		in := 0.0
		if i%4 == 0 {
			in = 1
			group = append(group, i)
		}
		for k, shift := range []float64{25 * in, 30 * in, 100 * in, 0, 0, 2 * in} {
			x.Set(i, k, []float64{40, 20, 200, 0, 0, 10}[k]+shift+[]float64{8, 15, 60, 1, 1, 5}[k]*rng.NormFloat64())
		}
		city[i] = []string{"", "Bern", "Basel", "Bern"}[rng.IntN(4)]
		if rng.IntN(10) > 0 {
			income[i] = fmt.Sprint(30 + rng.IntN(50))
		}
		joined[i] = fmt.Sprintf("2024-%02d-%02d", 1+rng.IntN(12), 1+rng.IntN(28))
		id[i] = fmt.Sprintf("customer %d", i)
	}
	d = ssdrnb.NewData(x, nil)
	d.FeatureNames = []string{"age", "pharmacy", "groceries", "noise 1", "noise 2", "visits"}
	return d.WithAttribute("city", city).WithAttribute("income", income).WithAttribute("joined", joined).WithAttribute("id", id), group
}

func TestContrastOfCustomers(t *testing.T) {
	d, group := customers()
	table := ssdrnb.Contrast(d.Standardize(), group)
	if err := table.Err(); err != nil {
		t.Fatal(err)
	}
	var top []string
	at := map[string]int{}
	for k, r := range table.Rows() {
		if k < 3 {
			top = append(top, r.Name)
		}
		if r.Value == "" && !r.Missing {
			at[r.Name] = k
		}
	}
	slices.Sort(top)
	if !slices.Equal(top, []string{"age", "groceries", "pharmacy"}) {
		t.Errorf("on top are %q\n%s", top, table)
	}
	for _, noise := range []string{"noise 1", "noise 2", "income"} {
		if at[noise] <= at["visits"] {
			t.Errorf("%s is at %d, visits at %d", noise, at[noise], at["visits"])
		}
	}
	if age := table.Rows()[at["age"]]; math.Abs(age.MedianIn-65) > 3 || math.Abs(age.MedianOut-40) > 3 {
		t.Errorf("medians of age are not in years: %+v", age)
	}
	if !strings.Contains(table.String(), "a value of its own: id") {
		t.Errorf("id is not said to be left out:\n%s", table)
	}
}

// The same for a file of customers, in which gaps are filled and texts become attributes.
func TestContrastOfTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var b strings.Builder
	b.WriteString("customer,city,joined,age,income,pharmacy,groceries,noise 1,noise 2\n")
	var group []int
	for i := range 800 {
		in := 0.0
		if rng.IntN(5) == 0 {
			in = 1
			group = append(group, i)
		}
		income := fmt.Sprint(20000 + rng.IntN(50000))
		if rng.IntN(8) == 0 {
			income = ""
		}
		city := []string{"", "Bern", "Basel", "Genf"}[rng.IntN(4)]
		fmt.Fprintf(&b, "c%04d,%s,2024-%02d-%02d,%.0f,%s,%.2f,%.2f,%.3f,%.3f\n", i, city, 1+rng.IntN(12), 1+rng.IntN(28),
			40+25*in+9*rng.NormFloat64(), income, 20+30*in+12*rng.NormFloat64(), 200+120*in+60*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	path := filepath.Join(t.TempDir(), "customers.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := datasets.ReadTable(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := file.Data()
	if err != nil {
		t.Fatal(err)
	}
	table := ssdrnb.Contrast(d, group)
	if table.Err() != nil {
		t.Fatal(table)
	}
	var top []string
	for _, r := range table.Top(3) {
		top = append(top, r.Name)
	}
	slices.Sort(top)
	if !slices.Equal(top, []string{"age", "groceries", "pharmacy"}) {
		t.Errorf("on top are %q\n%s", top, table)
	}
	// Each column occurs once, although the data have it as a feature and as an attribute.
	seen := map[string]bool{}
	for _, r := range table.Rows() {
		key := fmt.Sprint(r.Name, "|", r.Value, r.Missing)
		if seen[key] || strings.Contains(r.Name, " = ") {
			t.Errorf("%s occurs twice\n%s", key, table)
		}
		seen[key] = true
		if r.Name == "joined" && (!r.Date || r.MedianIn < 19800 || r.MedianIn > 20000) {
			t.Errorf("joined in 2024 has a median of %v", r.MedianIn)
		}
	}
	if m, err := ssdrnb.PCA().Dims(2).Fit(d); err != nil {
		t.Error(err)
	} else {
		for _, r := range table.In(m).Rows() {
			if r.InPicture != (r.Name != "customer") || math.IsNaN(r.Usual) {
				t.Errorf("%+v", r)
			}
		}
	}
	for _, r := range table.Rows()[3:] {
		if math.Abs(r.Delta)-r.SE > 0.15 {
			t.Errorf("%s stands out\n%s", r.Name, table)
		}
	}
	for _, r := range table.Top(3) {
		if low := map[string]float64{"age": 60, "pharmacy": 45, "groceries": 300}[r.Name]; r.MedianIn < low || r.MedianIn > low*1.2 {
			t.Errorf("%s has a median of %v", r.Name, r.MedianIn)
		}
	}
}

// A table depends neither on the order of samples nor on monotone changes of units.
func TestContrastInvariant(t *testing.T) {
	d, group := customers()
	want := ssdrnb.Contrast(d, group).Rows()
	order := rand.New(rand.NewPCG(3, 4)).Perm(d.Len())
	var moved []int
	for to, from := range order {
		if from%4 == 0 {
			moved = append(moved, to)
		}
	}
	got := ssdrnb.Contrast(d.Subset(order), moved).Rows()
	for k := range want {
		w, g := want[k], got[k]
		// The means are summed in another order.
		if math.Abs(w.Standardized-g.Standardized) > 1e-12 {
			t.Errorf("%v, want %v", g, w)
		}
		w.Standardized, g.Standardized, w.Usual, g.Usual = 0, 0, 0, 0
		if !reflect.DeepEqual(g, w) {
			t.Errorf("row %d: %+v, want %+v", k, g, w)
		}
	}
	// A contrast with all others named explicitly equals the default.
	var others []int
	for i := range d.Len() {
		if i%4 != 0 {
			others = append(others, i)
		}
	}
	for k, r := range ssdrnb.Contrast(d, group).Against(others).Rows() {
		if r.Delta != want[k].Delta || r.Name != want[k].Name {
			t.Errorf("against the others: %+v, want %+v", r, want[k])
		}
	}
	// Swapping the two sides flips every sign.
	for _, r := range ssdrnb.Contrast(d, others).Rows() {
		k := slices.IndexFunc(want, func(w ssdrnb.Difference) bool {
			return w.Name == r.Name && w.Value == r.Value && w.Missing == r.Missing
		})
		if math.Abs(r.Delta+want[k].Delta) > 1e-15 {
			t.Errorf("%s %s: %v and %v", r.Name, r.Value, r.Delta, want[k].Delta)
		}
	}
}

// For images, δ is an image too.
func TestContrastOfPictures(t *testing.T) {
	digits := datasets.Digits()
	var zeros []int
	for i, class := range digits.Labels {
		if class == 0 {
			zeros = append(zeros, i)
		}
	}
	table := ssdrnb.Contrast(digits, zeros)
	in, out := table.Groups()
	deltas := table.Features()
	if table.Err() != nil || len(in) != len(zeros) || len(in)+len(out) != digits.Len() || len(deltas) != digits.Dim() {
		t.Fatal(table.Err(), len(in), len(out), len(deltas))
	}
	middle, corner := deltas[4*8+4], deltas[0]
	if !(middle < -0.8) || corner != 0 {
		t.Errorf("a zero has δ %v in its middle, and %v in a corner", middle, corner)
	}
	for _, r := range table.Rows() {
		if in, out := r.Medians(); in == "" || out == "" || r.Label() == "" {
			t.Fatalf("%+v", r)
		}
	}
}

// In an embedding of noise regions have large effects. The table warns of this, and marks an
// attribute as not part of the embedding.
func TestContrastInPicture(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x := mat.NewDense(200, 12, nil)
	for i := range 200 {
		for k := range 12 {
			x.Set(i, k, rng.NormFloat64())
		}
	}
	side := make([]string, 200)
	for i := range side {
		side[i] = []string{"left", "right"}[rng.IntN(2)]
	}
	d := ssdrnb.NewData(x, nil).WithAttribute("side", side)
	m, err := ssdrnb.PCA().Dims(2).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	// The rightmost samples, as a user would choose them by sight.
	rows := make([]int, 200)
	for i := range rows {
		rows[i] = i
	}
	y := m.Embedding()
	slices.SortFunc(rows, func(a, b int) int {
		if y.At(a, 0) > y.At(b, 0) {
			return -1
		}
		return 1
	})
	table := ssdrnb.Contrast(d, rows[:30]).In(m)
	if err := table.Err(); err != nil {
		t.Fatal(err)
	}
	if u := table.UsualLargest(); !(u > 0.4 && u < 1) {
		t.Errorf("the usual largest effect in noise is %v", u)
	}
	for _, r := range table.Rows() {
		if r.InPicture != (r.Name != "side") || math.IsNaN(r.Usual) || r.Unusual != (math.Abs(r.Delta) > r.Usual+1e-12) {
			t.Errorf("%+v", r)
		}
	}
	two := ssdrnb.Contrast(d, rows[:30]).Against(rows[100:150]).In(m)
	if err := two.Err(); err != nil || !(two.UsualLargest() > 0) {
		t.Errorf("%v, %v", err, two.UsualLargest())
	}
}

func TestContrastErrors(t *testing.T) {
	iris := datasets.Iris()
	all := make([]int, iris.Len())
	for i := range all {
		all[i] = i
	}
	wine, err := ssdrnb.PCA().Fit(datasets.Wine())
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*ssdrnb.ContrastTable{
		"no data":      ssdrnb.Contrast(nil, []int{1}),
		"empty":        ssdrnb.Contrast(iris, nil),
		"all":          ssdrnb.Contrast(iris, all),
		"below":        ssdrnb.Contrast(iris, []int{-1}),
		"beyond":       ssdrnb.Contrast(iris, []int{150}),
		"twice":        ssdrnb.Contrast(iris, []int{3, 3}),
		"in both":      ssdrnb.Contrast(iris, []int{3, 4}).Against([]int{4, 5}),
		"empty others": ssdrnb.Contrast(iris, []int{3, 4}).Against(nil),
		"no model":     ssdrnb.Contrast(iris, []int{3, 4}).In(nil),
		"other data":   ssdrnb.Contrast(iris, []int{3, 4}).In(wine),
		"kept":         ssdrnb.Contrast(iris, nil).Against([]int{1}).In(wine),
	} {
		var e *ssdrnb.Error
		if !errors.As(table.Err(), &e) || e.Method != "Contrast" || e.Param == "" || e.Remedy == "" {
			t.Errorf("%s: %v", name, table.Err())
		}
		if !strings.Contains(table.String(), "Contrast: ") || len(table.Rows()) > 0 && e == nil {
			t.Errorf("%s: %s", name, table)
		}
	}
	single := ssdrnb.Contrast(iris.Subset([]int{3}), []int{0}).Err()
	if single == nil || !strings.Contains(single.Error(), "give at least two samples") {
		t.Errorf("data of one sample: %v", single)
	}
	if one := ssdrnb.Contrast(iris, []int{7}); one.Err() != nil || len(one.Rows()) < 4 {
		t.Errorf("a single sample: %v", one)
	}
}

// Data without dense features are compared by their attributes, with a note, and are an error if
// they have none. Names still names the groups.
func TestContrastWithoutFeatures(t *testing.T) {
	iris := datasets.Iris().Take(10)
	near, err := graph.Search(t.Context(), iris.X, 5, graph.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	distances := mat.NewSymDense(iris.Len(), nil)
	for i := range iris.Len() {
		for j := range i {
			distances.SetSym(i, j, floats.Distance(iris.X.RawRowView(i), iris.X.RawRowView(j), 2))
		}
	}
	kinds, names := make([]string, iris.Len()), make([]string, iris.Len())
	for i, c := range iris.Truth {
		kinds[i], names[i] = iris.ClassName(c), fmt.Sprint("sample ", i)
	}
	for name, d := range map[string]*ssdrnb.Data{
		"sparse rows": data.NewSparse(sparse.FromDense(iris.X), iris.Truth),
		"distances":   data.FromDistances(distances).WithLabels(iris.Truth),
		"neighbours":  data.FromNeighbors(near.K, near.Index, near.Dist).WithLabels(iris.Truth),
	} {
		model, err := ssdrnb.UMAP().Neighbors(5).Iterations(2).Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		groups, err := ssdrnb.Communities().Neighbors(5).PCA(0).Find(d)
		if err != nil {
			t.Fatal(err)
		}
		rows := groups.Rows(0)
		for _, err := range []error{ssdrnb.Contrast(d, rows).Err(), ssdrnb.Contrast(d, rows).Against(groups.Rows(1)).Err(), ssdrnb.Contrast(d, rows).In(model).Err(), ssdrnb.Profiles(d, groups).Err()} {
			if !errors.Is(err, ssdrnb.ErrData) || !strings.Contains(err.Error(), "neither dense features nor attributes") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if named, err := ssdrnb.Names(d, groups); err != nil || named[0] != "cluster 0" {
			t.Errorf("%s: %q, %v", name, named, err)
		}
		const note = "only attributes are compared"
		described := d.WithAttribute("kind", kinds)
		if table := ssdrnb.Contrast(described, rows).In(model); table.Err() != nil || len(table.Rows()) == 0 || !strings.Contains(table.String(), note) {
			t.Errorf("%s: %v", name, table)
		}
		if table := ssdrnb.Profiles(described, groups); table.Err() != nil || !strings.Contains(table.String(), note) {
			t.Errorf("%s: %v", name, table)
		}
		unique := ssdrnb.Contrast(d.WithAttribute("name", names), rows).In(model)
		if unique.Err() != nil || !math.IsNaN(unique.UsualLargest()) || strings.Contains(unique.String(), "largest |δ|") {
			t.Errorf("%s: %v", name, unique)
		}
	}
	if text := ssdrnb.Contrast(iris, []int{0}).String(); strings.Contains(text, "only attributes") {
		t.Error(text)
	}
}

// Medians of large numbers have all digits of the whole part and no exponent.
func TestContrastOfLargeNumbers(t *testing.T) {
	x := mat.NewDense(10, 2, nil)
	for i := range 10 {
		x.Set(i, 0, 34244.37+float64(i))
		x.Set(i, 1, 1e9+float64(i))
	}
	text := ssdrnb.Contrast(ssdrnb.NewData(x, nil), []int{0, 1, 2}).String()
	if !strings.Contains(text, "median 34245 against 34250") || !strings.Contains(text, "median 1000000001 against 1000000006") {
		t.Error(text)
	}
}

// Filled gaps are missing values, whatever the other columns of a table are.
func TestContrastOfFilledGaps(t *testing.T) {
	text := func(header string, category bool) string {
		var b strings.Builder
		b.WriteString(header)
		for i := range 100 {
			v := fmt.Sprintf("%.1f", float64(i%10))
			if i%2 == 0 && i < 80 {
				v = "NA"
			}
			fmt.Fprintf(&b, "%d.5,%s", i*i%37, v)
			if category {
				b.WriteString([]string{",x", ",y"}[i%2])
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	read := func(text string, options ...datasets.DataOption) *ssdrnb.Data {
		table, err := datasets.ReadTableFrom(strings.NewReader(text), "t")
		if err != nil {
			t.Fatal(err)
		}
		return datasets.Must(table.Data(options...))
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text("a,b\n", false)), 0o600); err != nil {
		t.Fatal(err)
	}
	even := rowsIn(100, func(i int) bool { return i%2 == 0 })
	for name, d := range map[string]*ssdrnb.Data{
		"with categories":    read(text("a,b,c\n", true)),
		"without categories": read(text("a,b\n", false)),
		"without a header":   read(text("", false)),
		"standardised":       read(text("a,b\n", false)).Standardize(),
		"filled by means":    read(text("a,b\n", false), datasets.Fill(datasets.Mean)),
		"by neighbours":      read(text("a,b\n", false), datasets.Fill(datasets.Nearest)),
		"ReadCSV":            datasets.Must(datasets.ReadCSV(path, datasets.CSV{Missing: datasets.Median})),
	} {
		column := "b"
		if d.FeatureNames == nil {
			column = "feature 1"
		}
		var rows []ssdrnb.Difference
		for _, r := range ssdrnb.Contrast(d, even).Rows() {
			if r.Name == column {
				rows = append(rows, r)
			}
		}
		if len(rows) != 2 || !rows[0].Missing || math.Abs(rows[0].Delta-0.8) > 1e-12 || rows[1].MedianIn != 4 || rows[1].MedianOut != 5 || rows[1].MissingIn != 0.8 {
			t.Errorf("%s: %+v", name, rows)
		}
		found := ssdrnb.Communities().MustFind(d)
		for c := range found.Count() {
			for _, r := range ssdrnb.Profiles(d, found).Of(c).Rows() {
				gaps := 0
				for _, i := range found.Rows(c) {
					if i%2 == 0 && i < 80 {
						gaps++
					}
				}
				if want := float64(gaps) / float64(len(found.Rows(c))); r.Name == column && math.Abs(r.MissingIn-want) > 1e-12 {
					t.Errorf("%s: cluster %d misses %v instead of %v", name, c, r.MissingIn, want)
				}
			}
		}
	}
}

// rowsIn returns the numbers below n for which is reports true.
func rowsIn(n int, is func(i int) bool) (rows []int) {
	for i := range n {
		if is(i) {
			rows = append(rows, i)
		}
	}
	return rows
}

// The features in which the first class of wines differs, in their own units.
func ExampleContrast() {
	wine := datasets.Wine()
	var rows []int
	for i, class := range wine.Labels {
		if class == 0 {
			rows = append(rows, i)
		}
	}
	for _, r := range ssdrnb.Contrast(wine, rows).Top(2) {
		fmt.Printf("%s: δ %.2f, median %g against %g\n", r.Name, r.Delta, r.MedianIn, r.MedianOut)
	}
	// Output:
	// proline: δ 0.97, median 1095 against 560
	// flavanoids: δ 0.86, median 2.98 against 1.5
}

// Medians have enough digits to differ, all digits before the point, and no exponent.
func TestMedians(t *testing.T) {
	for want, of := range map[string][2]float64{
		"250001 | 250002": {250001, 250002}, "190 | 217.5": {190, 217.5}, "1.00001 | 1.00002": {1.00001, 1.00002},
		"1000000001 | 1000000006": {1e9 + 1, 1e9 + 6}, "1.235 | 3": {1.23456, 3}, "2.5e-07 | 0": {2.5e-7, 0}, "2 | 2": {2, 2}, "NaN | 12346": {math.NaN(), 12345.6},
	} {
		in, out := ssdrnb.Difference{MedianIn: of[0], MedianOut: of[1]}.Medians()
		if got := in + " | " + out; got != want {
			t.Errorf("%v: %s, want %s", of, got, want)
		}
	}
}
