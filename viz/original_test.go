package viz_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// columnsOf returns samples with the given feature and a second one.
func columnsOf(name string, values []float64) *data.Data {
	x := mat.NewDense(len(values), 2, nil)
	for i, v := range values {
		x.SetRow(i, []float64{v, float64(i % 7)})
	}
	d := data.New(x, nil)
	d.FeatureNames = []string{name, "other"}
	return d
}

// Pages contain measured values exactly: in hover cards, and in the points that colours show.
func TestExactValues(t *testing.T) {
	forms := map[string]func(i int) float64{
		"whole":    func(i int) float64 { return 250000 + float64(7*i) },
		"decimals": func(i int) float64 { return math.Round(1e6*(5+0.001234*float64(i))) / 1e6 },
		"large":    func(i int) float64 { return 1e12 + float64(i) },
		"outlier":  func(i int) float64 { return []float64{float64(i + 1), 1e7 + 1}[i/39] },
	}
	for form, of := range forms {
		values := make([]float64, 40)
		for i := range values {
			values[i] = of(i)
		}
		d := columnsOf("price", values)
		for _, scaled := range []*data.Data{d, d.Standardize(), d.WithTarget("price", values), d.WithAttribute("of", written(values))} {
			name := "price"
			if scaled.Attribute("of") != nil {
				name = "of"
			}
			p := payload(t, viz.Embedding(viz.Samples(scaled)).Hover(name))
			for i, got := range cards(p, 0)[name]["values"].([]any) {
				if got != values[i] {
					t.Fatalf("%s: the card of sample %d has %v, want %v", form, i, got, values[i])
				}
			}
			for _, s := range series(payload(t, viz.Embedding(viz.Samples(scaled)).Color(name))) {
				for _, v := range s["data"].([]any) {
					if point := v.([]any); point[2] != values[int(point[3].(float64))] {
						t.Fatalf("%s: the point is %v, want %v", form, point, values[int(point[3].(float64))])
					}
				}
			}
		}
	}
}

func written(values []float64) []string {
	return texts(len(values), func(i int) string { return fmt.Sprint(values[i]) })
}

// Values with many digits are rounded, but remain different. Values of a model have six digits.
func TestLongValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 300)
	for i := range values {
		values[i] = 1e6 + rng.Float64()
	}
	values[7], values[8] = 0.1+0.2, 0.3
	d := columnsOf("noisy", values)
	seen, longest := map[any]bool{}, 0
	for i, got := range cards(payload(t, viz.Embedding(viz.Samples(d)).Hover("noisy")), 0)["noisy"]["values"].([]any) {
		if math.Abs(got.(float64)-values[i]) > 1e-5 {
			t.Fatalf("sample %d has %v, want %v", i, got, values[i])
		}
		seen[got], longest = true, max(longest, len(strconv.FormatFloat(got.(float64), 'f', -1, 64)))
	}
	if len(seen) != 299 || longest > 16 { // 0.1 + 0.2 is 0.3
		t.Errorf("%d different values of up to %d characters", len(seen), longest)
	}
	m := ssdrnb.PCA().MustFit(datasets.Iris())
	for _, got := range cards(payload(t, viz.Embedding(m).Hover(string(viz.Residual))), 0)["residual"]["values"].([]any) {
		if text := strings.Trim(fmt.Sprint(got), "0."); len(text) > 7 {
			t.Fatalf("a residual is %v", got)
		}
	}
}

// Many samples show exact values, too, also beyond the ends of the scale.
func TestExactMany(t *testing.T) {
	const n = 20_001
	values := make([]float64, n)
	for i := range values {
		values[i] = 250000 + float64(i)
	}
	values[0] = 1e9 + 1
	got := cards(payload(t, viz.Embedding(viz.Samples(columnsOf("price", values))).Color("price")), 0)["price"]["values"].([]any)
	if got[0] != values[0] || got[n-1] != values[n-1] {
		t.Errorf("values %v and %v", got[0], got[n-1])
	}
}

// Text forms have enough digits to tell values apart, and no exponents in usual numbers.
func TestDigitsInWords(t *testing.T) {
	curve := viz.Curve{Name: "a", X: []float64{12344, 12345, 12346}, Mean: []float64{250001, 250003, 250002}}
	if text := viz.Curves("count", "price", curve).Text(); !strings.Contains(text, "highest price = 250003, at count = 12345") {
		t.Error(text)
	}
	curve.Mean = []float64{5, 4, 5}
	if text := viz.Curves("dose, mg", "error in %", curve).Text(); !strings.Contains(text, "a: highest error = 5 %, at dose = 12344 mg and others") {
		t.Error(text)
	}
	d := columnsOf("price", []float64{250001, 250002, 250003, 250004, 250011, 250012, 250013, 250014})
	if text := viz.Contrast(ssdrnb.Contrast(d, []int{0, 1, 2})).Text(); !strings.Contains(text, "median 250002 against 250012") {
		t.Error(text)
	}
	d = columnsOf("price", slices.Repeat([]float64{1234567.25}, 8))
	if text := viz.Embedding(viz.Samples(d)).Color("price").Text(); !strings.Contains(text, "price is 1234567.25 for all samples") {
		t.Error(text)
	}
}

// dated returns samples of a table with a column of dates, in one of several forms: with a
// category, which makes the table standardised, or without, and with the dates as a target.
func dated(t *testing.T, form string, begin time.Time, gap int) *data.Data {
	t.Helper()
	var b strings.Builder
	b.WriteString("day,kind,mass\n")
	for i := range 40 {
		day, kind := begin.AddDate(0, 0, 3*i).Format("2006-01-02"), fmt.Sprint(i%5)
		if i == gap {
			day = ""
		}
		if form == "mixed" {
			kind = string(rune('a' + i%3))
		}
		fmt.Fprintf(&b, "%s,%s,%d.5\n", day, kind, i*i%17)
	}
	path := filepath.Join(t.TempDir(), "days.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := datasets.ReadTable(path)
	if err != nil {
		t.Fatal(err)
	}
	var options []datasets.DataOption
	if form == "target" {
		options = append(options, datasets.Target("day"))
	}
	return datasets.Must(table.Data(options...))
}

// A column of dates is shown as dates, although the feature or target contains day numbers.
func TestDatesOfTables(t *testing.T) {
	begin := time.Date(2023, 1, 30, 0, 0, 0, 0, time.UTC)
	for _, form := range []string{"mixed", "numbers", "target"} {
		d := dated(t, form, begin, -1)
		for name, one := range map[string]*data.Data{"all": d, "scaled": d.Standardize(), "some": d.Subset([]int{39, 0, 20, 5})} {
			f := viz.Embedding(viz.Samples(one)).Color("day").PointSize("day").Opacity("day").Hover("day")
			if err := f.Err(); err != nil {
				t.Fatal(err)
			}
			for _, what := range []string{"colour", "size", "opacity"} {
				if !strings.Contains(f.Text(), what+": day from 2023-01-30 to 2023-05-27\n") {
					t.Errorf("%s, %s: %s", form, name, f.Text())
				}
			}
			card := cards(payload(t, f), 0)["day"]
			last := slices.Index(one.Attribute("day"), "2023-05-27")
			if got := card["names"].([]any)[int(card["of"].([]any)[last].(float64))]; got != "2023-05-27" {
				t.Errorf("%s, %s: the card has %v", form, name, got)
			}
			if !slices.Contains(words(saved(t, f)), "2023-05-27") {
				t.Errorf("%s, %s: the legend has no date", form, name)
			}
		}
	}
	pd := datasets.Must(datasets.Penguins().Data(datasets.Label("Species")))
	if text := viz.Embedding(viz.Samples(pd)).Color("Date Egg").Text(); !strings.Contains(text, "colour: Date Egg from 2007-11-09 to 2009-12-01") {
		t.Error(text)
	}
}

// Values of a target that a model predicted are dates, too, and hidden dates stay hidden.
func TestPredictedDates(t *testing.T) {
	d := dated(t, "target", time.Date(2023, 1, 30, 0, 0, 0, 0, time.UTC), -1).KeepTarget(0.5)
	f := viz.Embedding(viz.Samples(d)).Color("day")
	if text := f.Text(); !strings.Contains(text, "day from 2023-") || !strings.Contains(text, "not known for 20 of the 40") {
		t.Error(text)
	}
	card := cards(payload(t, f), 0)["day"]
	for i, v := range d.Target().Values {
		if hidden := card["of"].([]any)[i].(float64) < 0; hidden != math.IsNaN(v) {
			t.Fatalf("sample %d: hidden is %v", i, hidden)
		}
	}
	m := ssdrnb.S2NE().MustFit(d.Standardize())
	f = viz.Embedding(m).Color("day")
	card = cards(payload(t, f), 0)["day"]
	for _, name := range card["names"].([]any) {
		if _, err := time.Parse(time.DateOnly, name.(string)); err != nil {
			t.Errorf("the card has %v", name)
		}
	}
	if len(card["names"].([]any)) <= 20 {
		t.Errorf("no date is predicted: %s", f.Text())
	}
}

// An attribute that does not describe the feature of the same name does not change it.
func TestOtherAttribute(t *testing.T) {
	values := make([]float64, 40)
	for i := range values {
		values[i] = float64(i)
	}
	d := columnsOf("x", values)
	for form, text := range map[string]func(i int) string{
		"remarks":     func(i int) string { return []string{"", "broken", "wet", "cold"}[i%4] },
		"numbers":     func(i int) string { return []string{"", "5", "3"}[i%3] },
		"other dates": func(i int) string { return time.Unix(int64(i)*1e7, 0).UTC().Format(time.DateOnly) },
	} {
		f := viz.Embedding(viz.Samples(d.WithAttribute("x", texts(40, text)))).Color("x")
		if !strings.Contains(f.Text(), "x from 0 to 39\n") || strings.Contains(f.Text(), "not known") {
			t.Errorf("%s: %s", form, f.Text())
		}
	}
}

// Gaps that were filled when a table became samples are not known, not coloured like measurements.
func TestFilledGaps(t *testing.T) {
	pd := datasets.Must(datasets.Penguins().Data(datasets.Label("Species")))
	f := viz.Embedding(viz.Samples(pd)).Color("Delta 15 N (o/oo)")
	if text := f.Text(); !strings.Contains(text, "Delta 15 N (o/oo) is not known for 14 of the 344 points") {
		t.Error(text)
	}
	f = viz.Embedding(viz.Samples(pd)).PointSize("Delta 15 N (o/oo)").Hover("Body Mass (g)")
	if text := f.Text(); !strings.Contains(text, "is not known for 14 of the 344 points") {
		t.Error(text)
	}
	unknown := 0
	for _, v := range cards(payload(t, f), 0)["Body Mass (g)"]["values"].([]any) {
		if v == nil {
			unknown++
		}
	}
	if unknown != 2 {
		t.Errorf("the cards have %d unknown values, want 2", unknown)
	}
	d := dated(t, "mixed", time.Date(2023, 1, 30, 0, 0, 0, 0, time.UTC), 4)
	if text := viz.Embedding(viz.Samples(d)).Color("day").Text(); !strings.Contains(text, "from 2023-01-30") || !strings.Contains(text, "not known for 1 of the 40") {
		t.Error(text)
	}
	// Without texts, the indicator marks the gaps.
	marks := columnsOf("x", []float64{1, 2, 3, 2.5, 4, 5})
	marks.FeatureNames[1] = "x is missing"
	for i := range 6 {
		marks.X.Set(i, 1, []float64{0, 0, 0, 1, 0, 0}[i])
	}
	for name, one := range map[string]*data.Data{"plain": marks, "scaled": marks.Standardize()} {
		if text := viz.Embedding(viz.Samples(one)).Color("x").Text(); !strings.Contains(text, "not known for 1 of the 6") {
			t.Errorf("%s: %s", name, text)
		}
	}
	// Booleans have gaps, too, and transformed features keep theirs.
	yes := columnsOf("yes", []float64{1, 0, 1, 0.5, 0, 1}).WithAttribute("yes", []string{"true", "false", "true", "", "false", "true"})
	log := columnsOf("mass", []float64{0, 1, 2, 1.5, 3, 4}).WithAttribute("mass", []string{"1", "10", "100", "", "1000", "10000"})
	for name, one := range map[string]*data.Data{"yes": yes, "mass": log} {
		if text := viz.Embedding(viz.Samples(one)).Color(name).Text(); !strings.Contains(text, "not known for 1 of the 6") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// Numbers agree with their nouns.
func TestOneOfEach(t *testing.T) {
	d := columnsOf("x", []float64{1, 2, 3, 4, 5})
	samples := viz.Embedding(viz.Samples(d))
	for says, text := range map[string]string{
		"values, 1 category":                          samples.Color([]string{"a", "a", "a", "a", "a"}).Text(),
		"not known for 1 of the 5 points, which is d": samples.Color([]float64{1, 2, 3, 4, math.NaN()}).Text(),
		"not known for 2 of the 5 points, which are ": samples.Color([]float64{1, 2, 3, math.NaN(), math.NaN()}).Text(),
		"there is 1 value, but data has 5 samples; ":  samples.Color([]float64{1}).Err().Error(),
	} {
		if !strings.Contains(text, says) {
			t.Errorf("%q does not contain %q", text, says)
		}
	}
}

// Features, targets and attributes are found by name only if the name is unique, also if it is the
// name of a fact.
func TestRepeatedNames(t *testing.T) {
	for _, name := range []string{"value", string(viz.Reliability)} {
		d := columnsOf(name, []float64{1, 2, 3, 4, 5})
		d.FeatureNames[1] = name
		f := viz.Embedding(viz.Samples(d))
		for method, one := range map[string]viz.Figure{"Color": f.Color(name), "PointSize": f.PointSize(name), "Opacity": f.Opacity(name), "Hover": f.Hover(name)} {
			if err := one.Err(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("viz: %s(%q): 2 features", method, name)) {
				t.Errorf("%s: %v", method, err)
			}
		}
		if err := f.Color(d.Original(1)).Err(); err != nil {
			t.Error(err)
		}
	}
}
