package tests

import (
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestSystemTheme opens saved figures with a dark system theme, and changes it meanwhile: pages
// follow it, except those after Dark, and are light on paper.
func TestSystemTheme(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris()
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	b := newBench(t)
	scheme := func(name, medium string) {
		b.must(proto.EmulationSetEmulatedMedia{Media: medium, Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: name}}}.Call(b.tab))
	}
	// ground is the brightness of the page in the middle of a panel and beside the figure, from 0
	// to 255; contrast is the difference between title and panel.
	ground := func(name string) (panel, page, contrast int) {
		img := screenshot(b.T, b.tab, box{0, 0, 1300, 1000}, "scheme-"+name)
		bright := func(p image.Point) int {
			r, g, bl, _ := img.At(p.X, p.Y).RGBA()
			return int(r+g+bl) / 3 >> 8
		}
		at := ask[[]int](t, b.tab, `() => {
			const f = document.querySelector(".ssdrnb-figure"), r = f.getBoundingClientRect();
			return [r.x + r.width * 0.02, r.y + r.height * 0.75, r.x + 20, r.bottom + 100, r.x, r.y, r.right, r.y + 40].map(Math.round);
		}`)
		panel, page = bright(image.Pt(at[0], at[1])), bright(image.Pt(at[2], at[3]))
		for y := at[5] + 4; y < at[7]; y++ {
			for x := at[4] + 4; x < at[6]-200; x++ {
				contrast = max(contrast, bright(image.Pt(x, y))-panel, panel-bright(image.Pt(x, y)))
			}
		}
		return panel, page, contrast
	}
	for name, f := range map[string]viz.Figure{"chart": viz.Compare(pca, lda).PointSize(iris.FeatureNames[0]), "picture": viz.Multiples(viz.Group{Title: "both", Models: []viz.Embedded{pca, lda}})} {
		is := func(what string, dark bool) {
			b.Helper()
			var panel, page, contrast int
			if !poll(patience, 0, func() bool {
				panel, page, contrast = ground(name + "-" + strings.ReplaceAll(what, " ", "-"))
				return panel < 60 == dark && page < 60 == dark && contrast > 120
			}) {
				t.Errorf("%s, %s: the panel has brightness %d, the page %d, and the title differs by %d", name, what, panel, page, contrast)
			}
		}
		open := func(f viz.Figure) {
			b.open(pageOf(t, f, scripts))
			b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
		}
		scheme("dark", "")
		open(f)
		is("in a dark system", true)
		// The second class has its own colour there, at least in the legend.
		orange, img := 0, screenshot(t, b.tab, box{0, 0, 1300, 1000}, "scheme-"+name+"-colours")
		for y := range 1000 {
			for x := range 1300 {
				if r, g, bl, _ := img.At(x, y).RGBA(); max(r>>8, 0xe6)-min(r>>8, 0xe6) < 3 && max(g>>8, 0x9f)-min(g>>8, 0x9f) < 3 && bl>>8 < 3 {
					orange++
				}
			}
		}
		if orange < 10 {
			t.Errorf("%s in a dark system: %d pixels have the colour of the second class", name, orange)
		}
		// For paper everything is drawn at once: no script runs between the event and the print.
		const tone = `() => { dispatchEvent(new Event("%s")); const c = echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")); return !!(c._theme && c._theme.darkMode) + " " + document.querySelector(".ssdrnb-grades svg").getAttribute("fill"); }`
		if name == "chart" {
			if got := ask[string](t, b.tab, fmt.Sprintf(tone, "beforeprint")); got != "false #464646" {
				t.Errorf("on paper the chart is dark: %s", got)
			}
		}
		scheme("light", "print") // as browsers print
		is("on paper", false)
		scheme("dark", "")
		if name == "chart" {
			ask[string](t, b.tab, fmt.Sprintf(tone, "afterprint"))
		}
		is("after the print", true)
		scheme("light", "")
		is("in a light system", false)
		open(f.Dark())
		is("dark by itself", true)
	}
	// A dark chart in three dimensions cannot be redrawn for paper, so its static figure is
	// printed.
	scheme("dark", "")
	b.open(pageOf(t, viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)), scripts+charts(t, "echarts-gl.min.js")))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	for event, want := range map[string]string{"beforeprint": "block none", "afterprint": "none block"} {
		if got := ask[string](t, b.tab, `event => {
			if (event === "afterprint") { dispatchEvent(new Event("beforeprint")); }
			dispatchEvent(new Event(event));
			return [".ssdrnb-figure>img", ".ssdrnb-chart"].map(s => getComputedStyle(document.querySelector(s)).display).join(" ");
		}`, event); got != want {
			t.Errorf("after %s picture and chart are %q", event, got)
		}
	}
	b.clean()
}

// TestExportedScheme opens an exported notebook with a dark system theme: the page, its code and
// its figures are dark, and on paper they are light.
func TestExportedScheme(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := filepath.Join(t.TempDir(), "page.html")
	export(t, "00-quickstart.ipynb", "WEB", out)
	scheme := func(name, medium string) {
		b.must(proto.EmulationSetEmulatedMedia{Media: medium, Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: name}}}.Call(b.tab))
	}
	scheme("dark", "")
	b.open(out)
	const bright = `selector => {
		const [r, g, b] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/[0-9]+/g).map(Number);
		return (r + g + b) / 3;
	}`
	b.until(patience, "the figure is drawn dark", `() => { const p = document.querySelector(".ssdrnb-keyed"), c = p && echarts.getInstanceByDom(p); return !!c && !!(c._theme && c._theme.darkMode); }`)
	for _, c := range []struct {
		scheme, medium string
		dark           bool
	}{{"dark", "", true}, {"dark", "print", false}, {"light", "", false}} {
		scheme(c.scheme, c.medium)
		for _, selector := range []string{"body", ".jp-InputArea-editor"} {
			b.until(patience, fmt.Sprintf("%s is right in %s %s", selector, c.scheme, c.medium), `([selector, dark]) => ((`+bright+`)(selector) < 60) === dark`, []any{selector, c.dark})
		}
		b.shot("export-" + c.scheme + c.medium)
	}
	b.clean()
}
