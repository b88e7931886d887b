package viz_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// axisOf returns an axis of the first panel.
func axisOf(t *testing.T, f viz.Figure, name string) map[string]any {
	t.Helper()
	switch a := payload(t, f)["option"].(map[string]any)[name].(type) {
	case []any:
		return a[0].(map[string]any)
	default:
		return a.(map[string]any)
	}
}

// Logarithmic axes of charts label more than one number, whatever their range.
func TestLogarithmicLabels(t *testing.T) {
	for _, x := range [][]float64{{1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000}, {2, 10, 100}, {3, 12, 48, 192}, {1e-200, 1, 1e200}, {1e-300, 1, 1e300}} {
		mean := make([]float64, len(x))
		f := viz.Curves("α", "accuracy", viz.Curve{Name: "one", X: x, Mean: mean})
		a := axisOf(t, f, "xAxis")
		labels, _ := a["axisLabel"].(map[string]any)["customValues"].([]any)
		if a["type"] != "log" || len(labels) < 2 || len(labels) > 20 {
			t.Errorf("the axis from %g to %g is %v with the labels %v", x[0], x[len(x)-1], a["type"], labels)
		}
	}
}

// The name of a vertical axis is beside its numbers, however wide they are.
func TestNamesBesideWideNumbers(t *testing.T) {
	for _, scale := range []float64{1, 1e4, 1e5, 1e6, 1e9, 1e-5} {
		curve := viz.Curve{Name: "one", X: []float64{1, 2, 3}, Mean: []float64{-scale, -2 * scale, -4 * scale}}
		for name, f := range map[string]viz.Figure{
			"curves": viz.Curves("k", "loss", curve), "bars": viz.Bars("loss", []string{"a", "b", "c"}, viz.BarSeries{Name: "one", Mean: curve.Mean}),
		} {
			gap := axisOf(t, f, "yAxis")["nameGap"].(float64)
			left := payload(t, f)["layout"].(map[string]any)["left"].(float64)
			if digits := float64(len(fmt.Sprintf("%.0f", -4*scale))); scale >= 1 && gap < 6.5*digits+10 || left < gap+15 {
				t.Errorf("%s to %g: the name is %v pixels from the axis, and the space is %v", name, -4*scale, gap, left)
			}
		}
	}
}

// A curve with one point has an error bar, because a band would have no area.
func TestSpreadOfOnePoint(t *testing.T) {
	line := viz.Curve{Name: "line", X: []float64{1, 2}, Mean: []float64{1, 2}, Spread: []float64{0.1, 0.1}}
	point := viz.Curve{Name: "point", X: []float64{1}, Mean: []float64{1}, Spread: []float64{0.1}}
	var drawn []any
	for _, s := range series(payload(t, viz.Curves("k", "accuracy", line, point))) {
		if s["draw"] != nil {
			drawn = append(drawn, s["draw"])
		}
	}
	if fmt.Sprint(drawn) != "[band whiskers]" {
		t.Errorf("spreads are drawn as %v", drawn)
	}
}

// The scale of constant shares ends at 1.
func TestConstantShares(t *testing.T) {
	m := ssdrnb.PCA().Dims(2).MustFit(datasets.Iris())
	ends := func(value float64) [2]any {
		values := make([]float64, 150)
		for i := range values {
			values[i] = value
		}
		bar := payload(t, viz.Embedding(m).Color(values))["option"].(map[string]any)["visualMap"].([]any)[0].(map[string]any)
		return [2]any{bar["min"], bar["max"]}
	}
	for value, want := range map[float64][2]any{1: {0.0, 1.0}, 0: {0.0, 1.0}, 0.4: {0.0, 1.0}, 3: {2.0, 4.0}} {
		if got := ends(value); got != want {
			t.Errorf("the scale of %v is %v, want %v", value, got, want)
		}
	}
}

// In a contrast the name is shortened, not the medians after it.
func TestContrastKeepsMedians(t *testing.T) {
	wine := datasets.Wine()
	wine.FeatureNames = append([]string(nil), wine.FeatureNames...)
	for k := range wine.FeatureNames {
		wine.FeatureNames[k] = "the quantity of the diluted wines that is called " + wine.FeatureNames[k]
	}
	table := ssdrnb.Contrast(wine, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	names := axisOf(t, viz.Contrast(table), "xAxis")["data"].([]any)
	met := map[any]bool{}
	for k, r := range table.Top(len(names)) {
		in, out := r.Medians()
		name := names[k].(string)
		if met[name] = true; !strings.HasSuffix(name, fmt.Sprintf("  %s | %s", in, out)) || len(name) > 48 {
			t.Errorf("bar %d is named %q, medians %s and %s", k, name, in, out)
		}
	}
	if len(met) != len(names) {
		t.Errorf("names %v", names)
	}
}

// A name on a map has the legend entry with which it is hidden.
func TestNamesHaveLegendEntries(t *testing.T) {
	iris := datasets.Iris()
	m := ssdrnb.PCA().Dims(2).MustFit(iris)
	entries := func(f viz.Figure) (out []any) {
		for _, s := range series(payload(t, f)) {
			for _, p := range s["data"].([]any) {
				if p, ok := p.(map[string]any); ok {
					out = append(out, p["legend"])
				}
			}
		}
		return out
	}
	if got := fmt.Sprint(entries(viz.Embedding(m).Labels())); got != "[setosa versicolor virginica]" {
		t.Errorf("class names have the entries %s", got)
	}
	found := ssdrnb.Clusters().MustFind(iris)
	for _, e := range entries(viz.Embedding(ssdrnb.PCA().Dims(2).MustFit(found.AddTo(iris))).Color("cluster").Named(found)) {
		if e == nil {
			t.Error("a cluster's name lacks the cluster's entry")
		}
	}
	for _, e := range entries(viz.Embedding(m).Color(iris.FeatureName(0)).Labels()) {
		if e != nil {
			t.Errorf("without a legend, a name has the entry %v", e)
		}
	}
}

// Painted samples have no symbols, so that their colours alone distinguish 40 classes.
func TestPaintedClassesDiffer(t *testing.T) {
	const n, classes = 20_040, 40
	r := rand.New(rand.NewPCG(1, 1))
	x, labels, names := mat.NewDense(n, 2, nil), make([]int, n), make([]string, n)
	for i := range n {
		labels[i], names[i] = i%classes, fmt.Sprint("category ", i%classes)
		x.SetRow(i, []float64{r.NormFloat64() + float64(labels[i]), r.NormFloat64()})
	}
	m := ssdrnb.PCA().Dims(2).MustFit(data.New(x, labels).WithAttribute("kind", names))
	for name, f := range map[string]viz.Figure{"classes": viz.Embedding(m), "categories": viz.Embedding(m).Color("kind")} {
		tones := map[any]bool{}
		for _, s := range series(payload(t, f)) {
			tones[s["itemStyle"].(map[string]any)["color"]] = true
		}
		if want := map[string]int{"classes": classes, "categories": 20}[name]; len(tones) < want {
			t.Errorf("%s have %d colours, want %d", name, len(tones), want)
		}
	}
	if look.Shade(3) != look.Color(3) {
		t.Errorf("the fourth class is %v", look.Shade(3))
	}
}

// Lines below linked panels name the panels as their titles do.
func TestLinkedCaptions(t *testing.T) {
	var days []ssdrnb.Model
	for _, day := range []string{"monday", "tuesday", "friday"} {
		d := datasets.Iris()
		ids := make([]string, d.Len())
		for i := range ids {
			ids[i] = fmt.Sprint("p", i)
		}
		d.Name = day
		days = append(days, *ssdrnb.PCA().Dims(2).MustFit(d.WithAttribute("patient", ids)))
	}
	f := viz.Compare(&days[0], &days[1], &days[2])
	notes := func(f viz.Figure) string {
		page, err := f.Page("")
		if err != nil {
			t.Fatal(err)
		}
		return page[strings.LastIndex(page, "</script>"):]
	}
	linked := notes(f.Linked("patient"))
	if !strings.Contains(linked, "monday 80 %") || !strings.Contains(linked, "friday 80 %") || strings.Contains(linked, "PCA 1") {
		t.Errorf("the lines are %s", linked)
	}
	if plain := notes(f); !strings.Contains(plain, "PCA 1 ") {
		t.Errorf("without Linked the lines are %s", plain)
	}
}

// Saved pages fit phones, and give advice for a page instead of a notebook.
func TestSavedPage(t *testing.T) {
	for _, f := range []viz.Figure{viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())), viz.Cone().Dark()} {
		page, err := f.Page("")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, `<meta name="viewport" content="width=device-width, initial-scale=1">`) || !strings.Contains(page, "font-family:sans-serif") {
			t.Errorf("the page begins with %.300s", page)
		}
		if strings.Contains(page, "Trust Notebook") || !strings.Contains(page, "Allow the scripts of this page") {
			t.Error("the line below the static picture is for notebooks")
		}
	}
}

// Arrows between the pages of a legend have the colours of the theme.
func TestLegendArrows(t *testing.T) {
	legend := payload(t, viz.Embedding(ssdrnb.PCA().Dims(2).MustFit(datasets.Digits().Take(5))))["option"].(map[string]any)["legend"].(map[string]any)
	if got := fmt.Sprintf("%v %v %v %v", legend["pageIconColor"], legend["pageIconInactiveColor"], legend["pageTextStyle"], legend["inactiveColor"]); got != "@ink @faint map[color:@ink] @faint" {
		t.Errorf("the colours are %s", got)
	}
}
