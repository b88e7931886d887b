package viz_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Lines below the panels explain sizes and opacities, in the chart and in the static figure of any
// width.
func TestGrades(t *testing.T) {
	iris := datasets.Iris()
	pca := ssdrnb.PCA().MustFit(iris)
	f := viz.Compare(pca, ssdrnb.LDA().MustFit(iris)).PointSize(iris.FeatureNames[0]).Opacity(iris.FeatureNames[3])
	raw, err := json.Marshal(payload(t, f)["extra"].(map[string]any)["grades"])
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"name":"sepal length (cm)","names":["4.3","6.1","7.9"],"range":[0.6,0.6,0.6],"values":[3,10.5,18]},` +
		`{"name":"petal width (cm)","names":["0.1","1.3","2.5"],"range":[0.1,0.55,1],"values":[11,11,11]}]`
	if string(raw) != want {
		t.Errorf("grades are %s", raw)
	}
	text := regexp.MustCompile(`<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+)</text>`)
	size := regexp.MustCompile(`viewBox="0 0 ([\d.]+) ([\d.]+)"`)
	for _, width := range []float64{85, 170} {
		for name, f := range map[string]viz.Figure{"of its own": f.Width(width), "of 8 points": f.Width(width).FontSize(8), "dark": f.Width(width).Dark()} {
			svg := savedAs(t, f, filepath.Join(t.TempDir(), "f.svg"))
			all := size.FindStringSubmatch(svg)
			if all == nil {
				t.Fatalf("the image has no size: %.300s", svg)
			}
			number := func(s string) float64 {
				v, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			at := map[string][2]float64{}
			lowest := 0.0 // the names of the axes
			for _, m := range text.FindAllStringSubmatch(svg, -1) {
				at[m[3]] = [2]float64{number(m[1]), number(m[2])}
				if m[3] == "dimension 1" {
					lowest = max(lowest, number(m[2]))
				}
			}
			for k, words := range [][]string{{"sepal length (cm)", "4.3", "6.1", "7.9"}, {"petal width (cm)", "0.1", "1.3", "2.5"}} {
				x := 0.0
				for _, word := range words {
					p, found := at[word]
					if !found || p[0] <= x || p[0] > number(all[1])-10 || p[1] <= lowest || p[1] > number(all[2]) {
						t.Errorf("%v mm, text %s, line %d: %q is at %v of %s, found: %v", width, name, k, word, p, all[0], found)
					}
					x = p[0]
				}
			}
		}
	}
	// All figures of samples have these lines.
	linked := ssdrnb.PCA().MustFit(iris.WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 99}}}))
	for name, f := range map[string]viz.Figure{
		"Embedding": viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)), "Distortion": viz.Distortion(pca), "PairLinks": viz.PairLinks(linked),
		"GraphLinks": viz.GraphLinks(pca, viz.Graph{Weights: mat.NewDense(150, 150, nil)}),
	} {
		shown := words(saved(t, f.PointSize(iris.FeatureNames[0]).Opacity(iris.FeatureNames[3])))
		for _, word := range []string{"sepal length (cm)", "6.1", "petal width (cm)", "1.3"} {
			if !slices.Contains(shown, word) {
				t.Errorf("%s lacks %q: %q", name, word, shown)
			}
		}
	}
	// A single value has a single mark, and dense samples drawn as pixels have neither sizes nor
	// opacities.
	same := make([]float64, 150)
	if got := payload(t, viz.Embedding(pca).PointSize(same))["extra"].(map[string]any)["grades"]; fmt.Sprint(got) != "[map[name:values names:[0] range:[0.6] values:[10.5]]]" {
		t.Errorf("of equal values the grades are %v", got)
	}
	if got := payload(t, viz.Embedding(pca))["extra"].(map[string]any)["grades"]; got != nil {
		t.Errorf("without sizes the grades are %v", got)
	}
}
