package viz_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// A contrast has a bar for each of twelve features, with medians in the user's units, and in an
// embedding a second bar.
func TestContrast(t *testing.T) {
	wine := datasets.Wine().Standardize()
	var rows []int
	for i, class := range wine.Labels {
		if class == 0 {
			rows = append(rows, i)
		}
	}
	table := ssdrnb.Contrast(wine, rows)
	m := ssdrnb.PCA().Dims(2).MustFit(wine)
	for name, c := range map[string]struct {
		table  *ssdrnb.ContrastTable
		series int
		notes  string
	}{"alone": {table, 1, "These are the 12 largest of 13 differences."}, "in a picture": {table.In(m), 2, "In nine of ten random regions of this size"}} {
		f := viz.Contrast(c.table)
		var bars [][]any
		for _, s := range series(payload(t, f)) {
			if s["type"] == "bar" {
				bars = append(bars, s["data"].([]any))
			}
		}
		if len(bars) != c.series || len(bars[0]) != 12 {
			t.Fatalf("%s: %d series of bars", name, len(bars))
		}
		for k, r := range c.table.Top(12) {
			if math.Abs(bars[0][k].(float64)-r.Delta) > 1e-3 {
				t.Errorf("%s: bar %d is %v, δ %v", name, k, bars[0][k], r.Delta)
			}
			if c.series == 2 && math.Abs(math.Abs(bars[1][k].(float64))-r.Usual) > 1e-3 {
				t.Errorf("%s: the second bar %d is %v, usual %v", name, k, bars[1][k], r.Usual)
			}
		}
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		html, text := bundle["text/html"].(string), bundle["text/plain"].(string)
		if !strings.Contains(html, c.notes) || !strings.Contains(text, "proline: δ +0.97, median 1095 against 560") {
			t.Errorf("%s: the notes or the text are missing\n%s", name, text)
		}
	}
	digits := datasets.Digits()
	if got := len(payload(t, viz.Contrast(ssdrnb.Contrast(wine, rows).Against([]int{170, 171})))); got == 0 {
		t.Error("a group against another has no figure")
	}
	if err := viz.Contrast(ssdrnb.Contrast(digits, []int{0, 1, 2})).Err(); err != nil {
		t.Error(err)
	}
	refused(t, map[string]viz.Figure{
		"table is nil, ssdrnb.Contrast": viz.Contrast(nil),
		"group is empty, give at least": viz.Contrast(ssdrnb.Contrast(wine, nil)),
	})
}

// Named writes the name of each cluster beside its samples.
func TestNamed(t *testing.T) {
	wine := datasets.Wine().Standardize().HideLabels()
	found, err := ssdrnb.Communities().Find(wine)
	if err != nil {
		t.Fatal(err)
	}
	names, err := ssdrnb.Names(wine, found)
	if err != nil {
		t.Fatal(err)
	}
	m := ssdrnb.PCA().Dims(2).MustFit(wine)
	of := found.Of()
	shown := 0
	for _, s := range series(payload(t, viz.Embedding(m).Named(found))) {
		if s["silent"] != true || s["type"] != "scatter" {
			continue
		}
		for _, point := range s["data"].([]any) {
			p := point.(map[string]any)
			at := p["value"].([]any)
			nearest, least := -1, math.Inf(1)
			for i := range of {
				if d := math.Hypot(m.Embedding().At(i, 0)-at[0].(float64), m.Embedding().At(i, 1)-at[1].(float64)); d < least {
					nearest, least = i, d
				}
			}
			// Names are cut to 40 characters.
			name, own := strings.TrimSuffix(p["name"].(string), "…"), names[of[nearest]]
			if !strings.HasPrefix(own, name[:20]) {
				t.Errorf("%q is at a sample of %q", name, own)
			}
			shown++
		}
	}
	if shown != found.Count() {
		t.Errorf("%d names of %d clusters", shown, found.Count())
	}
	one := ssdrnb.PCA().Dims(1).MustFit(wine)
	refused(t, map[string]viz.Figure{
		"Named, nil, Clusters().Find":         viz.Embedding(m).Named(nil),
		"Named, the grouping has 178 samples": viz.Embedding(ssdrnb.PCA().Dims(2).MustFit(datasets.Iris())).Named(found),
		"Named, one dimension, Dims(2)":       viz.Embedding(one).Named(found),
		"Named does not apply, Embedding":     viz.Contrast(ssdrnb.Contrast(wine, []int{1})).Named(found),
	})
}

// The features in which the first class of wines differs.
func ExampleContrast() {
	wine := datasets.Wine()
	var rows []int
	for i, class := range wine.Labels {
		if class == 0 {
			rows = append(rows, i)
		}
	}
	viz.Contrast(ssdrnb.Contrast(wine, rows)).Show()
}

// A name stored by a reader appears in later figures if the name that it replaces is unchanged. A
// damaged file is reported.
func TestNamedByReaders(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", "")
	wine := datasets.Wine().Standardize().HideLabels()
	found := ssdrnb.Communities().MustFind(wine)
	names, err := ssdrnb.Names(wine, found)
	if err != nil {
		t.Fatal(err)
	}
	m := ssdrnb.PCA().Dims(2).MustFit(wine)
	written := func() map[string]string {
		t.Helper()
		out := map[string]string{}
		for _, s := range series(payload(t, viz.Embedding(m).Named(found))) {
			if s["silent"] == true && s["type"] == "scatter" {
				for _, d := range s["data"].([]any) {
					one := d.(map[string]any)
					out[one["text"].(string)] = one["name"].(string)
				}
			}
		}
		return out
	}
	if got := written(); len(got) != len(names) || got[names[0]] != names[0] {
		t.Fatalf("before, the names are %q", got)
	}
	print := payload(t, viz.Embedding(m).Named(found))["extra"].(map[string]any)["panels"].([]any)[0].(map[string]any)["samples"].(map[string]any)["print"].(string)
	path, err := store.Path(store.Renamed + print)
	if err != nil {
		t.Fatal(err)
	}
	put := func(content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(fmt.Sprintf(`{"format":1,"revision":3,"names":[[%q," Barolo "],["another","lost"],[%q,""]]}`, names[0], names[1]))
	if got := written(); got[names[0]] != "Barolo" || got[names[1]] != names[1] || len(got) != len(names) {
		t.Errorf("the names are %q", got)
	}
	for _, damaged := range []string{`{"format":2}`, `{"format":1,"names":[[1,2]]}`, `[`} {
		put(damaged)
		if err := viz.Embedding(m).Named(found).Err(); err == nil || !strings.Contains(err.Error(), "move "+path+" away") {
			t.Errorf("%s: %v", damaged, err)
		}
	}
	if err := os.Remove(path); err != nil { // as the error advises
		t.Fatal(err)
	}
	if err := viz.Embedding(m).Named(found).Err(); err != nil {
		t.Error(err)
	}
}
