package viz_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// The name of each class is placed where its samples are densest.
func TestLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	// Class a: most samples near 0, some at 100. Class b: at 50.
	x := table(90, 2, func(i, j int) float64 {
		at := float64(i%6) / 3
		switch {
		case i >= 60:
			at += 50
		case i >= 50:
			at += 100
		}
		return at * float64(1+j)
	})
	classes := make([]int, 90)
	for i := 60; i < 90; i++ {
		classes[i] = 1
	}
	d := ssdrnb.NewData(x, classes)
	d.ClassNames = []string{"a", "b"}
	labels := func(f viz.Figure) map[string][]any {
		out := map[string][]any{}
		all := series(payload(t, f))
		last := all[len(all)-1]
		if last["label"] == nil {
			t.Fatalf("no labels among %d series", len(all))
		}
		for _, l := range last["data"].([]any) {
			one := l.(map[string]any)
			out[one["name"].(string)] = one["value"].([]any)
		}
		return out
	}
	f := viz.Embedding(viz.Samples(d)).Labels()
	got := labels(f)
	if len(got) != 2 || got["a"][0].(float64) > 3 || got["b"][0].(float64) < 50 || got["b"][0].(float64) > 52 {
		t.Errorf("labels %v", got)
	}
	if got := labels(f.Color(rows(0, 90)).Only(rows(0, 10)...)); len(got) != 10 {
		t.Errorf("labels of ten categories %v", got)
	}
	floats := make([]float64, 90)
	floats[3] = 1
	if got := labels(f.Color(floats)); len(got) != 2 || got["b"] == nil {
		t.Errorf("labels over a scale of colours %v", got)
	}
	if got := labels(viz.Embedding(viz.Samples(d.HideLabels().Subset(rows(0, 30)))).Labels()); len(got) != 1 {
		t.Errorf("hidden labels: %v", got)
	}
	harmless(t, func(evil string) viz.Figure {
		one := *d
		one.ClassNames = []string{evil, "b"}
		return viz.Embedding(viz.Samples(&one)).Labels()
	})
}

func TestThumbnailsAndDensity(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Digits().Take(20)
	m := ssdrnb.PCA().MustFit(d)
	p := payload(t, viz.Compare(m, m).Thumbnails().Density().Color(viz.Residual).Highlight(rows(0, 50)...))
	if got := fmt.Sprint(kinds(p)); got != "[custom custom scatter scatter scatter scatter custom custom]" {
		t.Fatalf("series %s", got)
	}
	all := series(p)
	if all[0]["draw"] != "picture" || all[1]["xAxisIndex"] != 1.0 || all[7]["draw"] != "thumbnails" || len(all[7]["data"].([]any)) != 50 {
		t.Errorf("overlays %v, %v", all[0]["draw"], all[7]["draw"])
	}
	// The scale applies to the points, which follow the clouds.
	if got := fmt.Sprint(scales(p)[0]["seriesIndex"]); got != "[3 5]" {
		t.Errorf("scale of the series %s", got)
	}
	cloud := pixels(t, all[0])
	seen := map[string]bool{}
	for y := range cloud.Bounds().Dy() {
		for x := range cloud.Bounds().Dx() {
			seen[rgba(cloud.At(x, y))] = true
		}
	}
	// The cloud fades out within its image.
	edge := cloud.Bounds()
	for y := range edge.Dy() {
		for _, x := range []int{0, edge.Dx() - 1} {
			if _, _, _, opaque := cloud.At(x, y).RGBA(); opaque > 0 {
				t.Fatalf("the cloud is cut off at %d, %d", x, y)
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("the cloud has %d shades", len(seen))
	}
	three := ssdrnb.PCA().Dims(3).MustFit(d)
	refused(t, map[string]viz.Figure{
		"two dimensions, PCA has 3, viz.Compare":       viz.Embedding(three).Labels(),
		"two dimensions, viz.Compare(model)":           viz.Embedding(three).Thumbnails(),
		"not images, Data.WithImage":                   viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())).Thumbnails(),
		"Density: the embedding of PCA, one dimension": viz.Embedding(ssdrnb.PCA().Dims(1).MustFit(d)).Density(),
	})
	if f := viz.Compare(three).Labels(); f.Err() != nil {
		t.Error(f.Err())
	}
}

// A name on the map is in a file once, with its outline.
func TestNamesInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "map.svg")
	if err := viz.Embedding(ssdrnb.PCA().MustFit(datasets.Wine())).Labels().Save(path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(raw), ">cultivar 1<"); n != 2 || !strings.Contains(string(raw), `paint-order="stroke"`) {
		t.Errorf("the name of a class is in the file %d times, in the legend and on the map it should be once each", n)
	}
	long := viz.Embedding(ssdrnb.PCA().MustFit(datasets.Wine())).Title(strings.Repeat("a long title ", 15))
	if err := long.Save(path); err != nil {
		t.Fatal(err)
	}
	if raw, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if title := regexp.MustCompile(`>(a long title [^<]*)<`).FindStringSubmatch(string(raw)); title == nil || len(title[1]) > 100 || !strings.HasSuffix(title[1], "…") {
		t.Errorf("the title reads %q", title)
	}
}

// Files have the given font size, and a dark background on request.
func TestFilesForPapers(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	m := ssdrnb.PCA().MustFit(datasets.Wine().Standardize())
	f := viz.Distortion(m)
	folder := t.TempDir()
	saved := func(f viz.Figure, name string) string { return savedAs(t, f, filepath.Join(folder, name)) }
	size := regexp.MustCompile(`<svg [^>]*width="([0-9.]+)pt"[^>]*viewBox="0 0 ([0-9.]+) `)
	text := regexp.MustCompile(`<text x="[0-9.]+" y="([0-9.]+)" font-size="([0-9.]+)"[^>]*>(?:dimension 1|reliability)<`)
	for _, points := range []float64{6, 8, 12} {
		svg := saved(f.Width(130).FontSize(points), "text.svg")
		in, found := size.FindStringSubmatch(svg), text.FindAllStringSubmatch(svg, -1)
		if in == nil || len(found) != 2 {
			t.Fatalf("%v points: %.300s", points, svg)
		}
		number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
		for _, line := range found {
			if got := number(line[2]) * number(in[1]) / number(in[2]); math.Abs(got-points) > 0.02*points || number(line[1]) < 20 {
				t.Errorf("text of %v points has %.2f, at a height of %s", points, got, line[1])
			}
		}
	}
	light, dark := saved(f, "light.svg"), saved(f.Dark(), "dark.svg")
	if strings.Contains(light, `fill="#111111"`) || strings.Count(dark, `fill="#111111"`) != 1 || strings.Contains(dark, `fill="#464646"`) || !strings.Contains(light, `fill="#464646"`) {
		t.Errorf("dark: %.600s", dark)
	}
	if page := saved(f.Dark(), "dark.html"); !strings.Contains(page, `data-jp-theme-light="false"`) || !strings.Contains(page, `content="dark"`) {
		t.Error("the page of a dark figure follows the reader's theme")
	}
	if bundle, err := f.Dark().Bundle(); err != nil || !reflect.DeepEqual(bundle, bundleOf(t, f)) {
		t.Errorf("a dark figure is another in the notebook: %v", err)
	}
	for want, f := range map[string]viz.Figure{
		"FontSize(30): the size is out of range; give 4 to 24 points": f.FontSize(30), "FontSize(NaN)": f.FontSize(math.NaN()), "give at most 8 points": f.Width(85).FontSize(12),
		"give at most 14.7 points": f.Width(156).FontSize(15), "text; give a larger Width": f.Width(30).FontSize(4),
		"leave FontSize out": f.Size(400, 300).FontSize(8),
	} {
		if err := f.Save(filepath.Join(folder, "no.pdf")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func bundleOf(t *testing.T, f viz.Figure) map[string]any {
	t.Helper()
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}
