package tests

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// drawn writes a notebook whose outputs are figures drawn by this process.
func drawn(t *testing.T, path string, figures ...viz.Figure) {
	t.Helper()
	cells := []any{map[string]any{"cell_type": "markdown", "id": "formula", "metadata": map[string]any{}, "source": "The ratio $\\lambda_t$ grows:\n\n$$\\lambda = \\frac{\\mathrm{tr}(W^\\top A W)}{\\mathrm{tr}(W^\\top B W)}$$"}}
	for k, f := range figures {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprintf("figure-%d", k), "metadata": map[string]any{}, "source": "// a figure", "execution_count": nil,
			"outputs": []any{map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": bundle}}})
	}
	writeCells(t, path, cells)
}

// figure declares functions that examine the k-th figure of the page.
const figure = `
	const figure = document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[k], place = figure.querySelector(":scope > div");
	const chart = place && window.echarts && echarts.getInstanceByDom(place);
	const scroller = document.querySelector(".jp-Notebook .jp-WindowedPanel-outer") || document.querySelector(".jp-Notebook");
`

// textsIn are the lines of text that lie within the chart of figure k.
const textsIn = `k => {` + figure + `
	return chart.getZr().storage.getDisplayList(true).filter(e => {
		if (e.type !== "tspan") { return false; }
		const b = e.getBoundingRect().clone(), by = e.getComputedTransform();
		if (by) { b.applyTransform(by); }
		return b.x >= 0 && b.x + b.width <= chart.getWidth();
	}).map(e => e.style.text);
}`

// look is the visible state of a figure.
type look struct {
	Drawn                        bool
	Width, Output, Chart, Height float64 // of the figure, of the output with it, and of the chart's canvas
	Columns, Panels              int
	Start, End                   float64 // of the zoom
	Distance, Alpha, Beta        float64 // of a camera
	Scrolled                     float64
	Page                         string // brightness of the chart: "dark" or "light"
	Note, Static                 string
	Tools                        int
	Clashes                      []string // texts that overlap, are cut, or lie outside
}

func lookAt(t *testing.T, tab *rod.Page, k int) look {
	t.Helper()
	return ask[look](t, tab, `k => {`+figure+`
		const o = chart ? chart.getOption() : {}, canvas = figure.querySelector("canvas"), line = figure.querySelector(".ssdrnb-static");
		const texts = !chart ? [] : chart.getZr().storage.getDisplayList(true).filter(e => e.type === "tspan" && e.style.text.trim() && !e.invisible && !(e.parent && e.parent.invisible)).map(e => {
			const r = e.getBoundingRect().clone();
			if (e.transform) { r.applyTransform(e.transform); }
			return {text: e.style.text, x: r.x, y: r.y, right: r.x + r.width, bottom: r.y + r.height};
		});
		const clashes = [];
		texts.forEach((a, i) => {
			if (a.x < -1 || a.y < -1 || a.right > chart.getWidth() + 1 || a.bottom > chart.getHeight() + 1) { clashes.push(a.text + " is outside"); }
			if (a.text.endsWith("...")) { clashes.push(a.text + " is cut"); }
			texts.slice(0, i).forEach(b => {
				if (Math.min(a.right, b.right) - Math.max(a.x, b.x) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 3) { clashes.push(a.text + " covers " + b.text); }
			});
		});
		const notes = Array.from(figure.parentElement.querySelectorAll(".ssdrnb-note")), z = (o.dataZoom || [])[0] || {}, g = (o.grid3D || [])[0];
		return {
			Drawn: figure.dataset.drawn === "yes",
			Width: figure.getBoundingClientRect().width, Output: figure.closest(".jp-OutputArea-output").clientWidth,
			Chart: canvas ? canvas.getBoundingClientRect().width : 0, Height: canvas ? canvas.getBoundingClientRect().height : 0,
			Columns: new Set((o.grid || []).map(b => Math.round(b.left))).size, Panels: (o.grid || []).length,
			Start: z.start || 0, End: z.end === undefined ? 100 : z.end, Distance: g ? g.viewControl.distance : 0, Alpha: g ? g.viewControl.alpha : 0, Beta: g ? g.viewControl.beta : 0, Scrolled: scroller.scrollTop,
			Page: chart ? (chart._theme && chart._theme.darkMode ? "dark" : "light") : "",
			Note: notes.map(n => n.innerText).join("\n"), Static: line && line.getBoundingClientRect().height > 0 ? line.innerText : "",
			Tools: figure.querySelectorAll(".ssdrnb-tools button").length, Clashes: clashes,
		};
	}`, k)
}

// TestFigures checks figures in JupyterLab as a reader sees them: in narrow and wide windows, with
// the wheel, in both themes, trusted and not.
func TestFigures(t *testing.T) {
	t.Parallel()
	bin, env := jupyter(t)
	iris := datasets.Iris().KeepLabels(8).Seed(1)
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	models := []*ssdrnb.Model{pca, lda, pca, lda, pca}
	warned := ssdrnb.LDA().Dims(3).MustFit(iris)
	if len(warned.Report().Warnings) == 0 {
		t.Fatal("LDA in three dimensions of three classes warns of nothing")
	}
	digits := ssdrnb.PCA().MustFit(datasets.Digits().Take(20).KeepLabels(3))
	root := t.TempDir()
	path := filepath.Join(root, "trusted.ipynb")
	curve := func(name string) viz.Curve {
		return viz.Curve{Name: name, X: []float64{20, 60, 180}, Mean: []float64{0.81, 0.9, 0.98}}
	}
	long := viz.CurvePanel{Title: "all samples", Curves: []viz.Curve{curve("by bisection"), curve("by Newton's method"), curve("as printed"), curve("Euclidean"), curve("geodesic")}}
	graphs := []viz.Graph{{Name: "learned", Weights: ssdrnb.LMRAG().MustFit(iris).Graph()}}
	drawn(t, path, viz.Compare(models...), viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)), viz.Compare(warned), viz.Convergence(ssdrnb.TRSDA().MustFit(iris)),
		viz.CurvePanels("dimensions", "accuracy", long, long).Title("A title that is too long for a narrow figure and stands in lines there"), viz.Adjacency(iris, slices.Repeat(graphs, 3)...),
		viz.Embedding(pca).Color(iris.FeatureNames[0]).PointSize(viz.Reliability).Hover(iris.FeatureNames[1]).Labels().Density().Arrows(2), viz.Embedding(digits).Thumbnails().Color(viz.PredictedClass).Axes(false))
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// An unknown MIME type has the effect of a missing notebook extension.
	if err := os.WriteFile(filepath.Join(root, "untrusted.ipynb"), []byte(strings.NewReplacer("// a figure", "// another", "application/vnd.ssdrnb.figure.v1+json", "application/vnd.unknown+json").Replace(string(raw))), 0o644); err != nil {
		t.Fatal(err)
	}
	trust := exec.Command(filepath.Join(bin, "jupyter-trust"), path)
	trust.Env = env
	if out, err := trust.CombinedOutput(); err != nil {
		t.Fatalf("jupyter trust: %v\n%s", err, out)
	}
	tab, trouble := openBrowser(t)
	address := lab(t, bin, env, root)
	t.Run("settings", func(t *testing.T) { testSettings(t, address) })
	const count = 8
	// comes examines a figure until it is as wanted; a busy machine is slow.
	comes := func(k int, wanted func(look) bool) (look, bool) {
		var v look
		came := poll(patience, 200*time.Millisecond, func() bool { v = lookAt(t, tab, k); return wanted(v) })
		return v, came
	}
	window := func(width int) {
		t.Helper()
		if err := tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1000, DeviceScaleFactor: 1}); err != nil {
			t.Fatal(err)
		}
		if !poll(patience, 200*time.Millisecond, func() bool {
			return ask[bool](t, tab, `width => Math.abs(document.querySelector("#main").getBoundingClientRect().width - width) < 2`, width)
		}) {
			t.Fatalf("JupyterLab does not take the window's %d px", width)
		}
	}
	// see scrolls a figure into view and waits until it is drawn and fills its output.
	see := func(k int) box {
		ask[box](t, tab, figureAt, k)
		comes(k, func(v look) bool { return v.Drawn && math.Abs(v.Width-v.Chart) < 2 && v.Width <= v.Output })
		return ask[box](t, tab, figureAt, k)
	}
	open(t, tab, address("trusted.ipynb"), fmt.Sprintf(`() => {
		const figures = Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure"));
		return figures.length >= %d && figures.every(f => f.dataset.drawn === "yes" || f.dataset.drawn === "no");
	}`, count))

	// Names of classes and arrows are in the chart from the first drawing on.
	see(6)
	if texts := ask[[]string](t, tab, textsIn, 6); !slices.Contains(texts, "setosa") || !slices.Contains(texts, iris.FeatureNames[2]) {
		t.Errorf("figure 6 has the texts %q", texts)
	}
	if alt := ask[string](t, tab, `k => {`+figure+` const e = figure.querySelector("[role=img]"); return e && e.querySelector("canvas") ? e.ariaLabel : ""; }`, 6); !strings.Contains(alt, "150 samples in 2 dimensions. colour: "+iris.FeatureNames[0]) {
		t.Errorf("a reader who hears figure 6 hears %q", alt)
	}

	t.Run("width", func(t *testing.T) {
		columns := map[int]int{}
		for _, width := range []int{900, 1500} {
			window(width)
			for k := range count {
				b := see(k)
				v := lookAt(t, tab, k)
				shot(t, tab, box{0, 0, float64(width), 1000}, fmt.Sprintf("figure-%d-light-%d", k, width))
				if v.Width > v.Output || v.Width < 0.8*v.Output || v.Chart > v.Width+1 || v.Chart < v.Width-2 {
					t.Errorf("window of %d, figure %d: %.0f px wide, its chart %.0f, in an output of %.0f", width, k, v.Width, v.Chart, v.Output)
				}
				for _, c := range v.Clashes {
					t.Errorf("window of %d, figure %d: %s", width, k, c)
				}
				if b.Height < 200 || v.Height < 200 {
					t.Errorf("window of %d, figure %d is %.0f px high", width, k, b.Height)
				}
				if k == 0 {
					columns[width] = v.Columns
				}
			}
		}
		if columns[900] >= columns[1500] {
			t.Errorf("five panels are in %d columns in a window of 900 px, in %d of 1500", columns[900], columns[1500])
		}
	})

	t.Run("theme", func(t *testing.T) {
		window(1300)
		before := make([]look, count)
		for k := range count {
			see(k)
			before[k] = lookAt(t, tab, k)
		}
		themes := []string{"dark"}
		if browser.Thorough() { // and back
			themes = append(themes, "light")
		}
		for _, theme := range themes {
			ask[bool](t, tab, `async theme => { await window.jupyterapp.commands.execute("apputils:change-theme", {theme: theme === "dark" ? "JupyterLab Dark" : "JupyterLab Light"}); return true; }`, theme)
			poll(patience, 200*time.Millisecond, func() bool {
				return ask[bool](t, tab, `light => document.body.dataset.jpThemeLight === light`, map[string]string{"dark": "false", "light": "true"}[theme])
			})
			for k := range count {
				see(k)
				v, _ := comes(k, func(v look) bool {
					return v.Page == theme && v.Chart == before[k].Chart && v.Height == before[k].Height
				})
				shot(t, tab, box{0, 0, 1300, 1000}, fmt.Sprintf("figure-%d-%s", k, theme))
				if v.Chart != before[k].Chart || v.Height != before[k].Height {
					t.Errorf("%s: figure %d has %.0f × %.0f px, before %.0f × %.0f", theme, k, v.Chart, v.Height, before[k].Chart, before[k].Height)
				}
				if v.Page != theme {
					t.Errorf("figure %d is %s in the %s theme", k, v.Page, theme)
				}
			}
		}
	})

	t.Run("wheel", func(t *testing.T) {
		wheel := func(by float64) {
			if err := tab.Mouse.Scroll(0, by, 1); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range []int{0, 1} {
			b := see(k)
			at := proto.Point{X: b.X + b.Width*[]float64{0.15, 0.4}[k], Y: b.Y + b.Height*[]float64{0.25, 0.5}[k]} // in the first panel
			if err := tab.Mouse.MoveTo(at); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			was := lookAt(t, tab, k)
			if want := []int{7, 4}[k]; was.Tools != want {
				t.Errorf("figure %d has %d buttons, want %d: zoom in, zoom out, pan, reset, and in two dimensions lasso, box, move", k, was.Tools, want)
			}
			wheel(60)
			v, scrolled := comes(k, func(v look) bool { return v.Scrolled > was.Scrolled })
			if !scrolled || v.Start != was.Start || math.Abs(v.Distance-was.Distance) > 3 {
				t.Errorf("figure %d: the wheel scrolls the page by %.0f px and zooms from %+v to %+v", k, v.Scrolled-was.Scrolled, was, v)
			}
			wheel(-60)
			was, _ = comes(k, func(v look) bool { return v.Scrolled == was.Scrolled })
			changed := func(v look) bool { return v.Start != was.Start || math.Abs(v.Distance-was.Distance) > 3 } // a camera slows down gradually
			if err := tab.Keyboard.Press(input.ControlLeft); err != nil {
				t.Fatal(err)
			}
			wheel(-60)
			time.Sleep(400 * time.Millisecond)
			if err := tab.Keyboard.Release(input.ControlLeft); err != nil {
				t.Fatal(err)
			}
			if v, zoomed := comes(k, changed); !zoomed || v.Scrolled != was.Scrolled {
				t.Errorf("figure %d: the wheel with Ctrl leaves the zoom at %+v, before %+v", k, v, was)
			}
			press := func(which int) {
				v := lookAt(t, tab, k) // a moving camera must stop after a reset
				comes(k, func(now look) bool { rests := now.Distance == v.Distance; v = now; return rests })
				ask[bool](t, tab, `(k, which) => {`+figure+` figure.querySelectorAll(".ssdrnb-tools button")[which].click(); return true; }`, k, which)
				time.Sleep(time.Second)
			}
			unchanged := func(v look) bool { return !changed(v) }
			press(3)
			if v, ok := comes(k, unchanged); !ok {
				t.Errorf("figure %d: after the reset %+v, at first %+v", k, v, was)
			}
			press(0)
			if _, ok := comes(k, changed); !ok {
				t.Errorf("figure %d: the button to zoom changes nothing", k)
			}
			press(3)
			comes(k, unchanged)
			if err := tab.Mouse.Click(proto.InputMouseButtonLeft, 1); err != nil {
				t.Fatal(err)
			}
			wheel(-60)
			if _, ok := comes(k, changed); !ok {
				t.Errorf("figure %d: the wheel after a click changes nothing", k)
			}
			if k == 0 {
				continue
			}
			// A reset also resets the camera, even while it is still moving.
			turned := func(v look) bool { return math.Abs(v.Alpha-was.Alpha) > 2 && math.Abs(v.Beta-was.Beta) > 10 }
			act := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, wait := range []bool{true, false} {
				act(tab.Mouse.MoveTo(at))
				act(tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
				act(tab.Mouse.MoveLinear(proto.Point{X: at.X + 120, Y: at.Y + 60}, 8))
				if v, ok := comes(k, turned); !ok {
					t.Errorf("figure %d: the mouse turns the camera to %+v from %+v", k, v, was)
				}
				act(tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
				if wait {
					press(3)
				} else {
					ask[bool](t, tab, `k => {`+figure+` figure.querySelectorAll(".ssdrnb-tools button")[3].click(); return true; }`, k)
				}
				times := 0 // consecutive times in the initial state
				if v, ok := comes(k, func(v look) bool {
					if times++; math.Abs(v.Alpha-was.Alpha) > 0.1 || math.Abs(v.Beta-was.Beta) > 0.1 || math.Abs(v.Distance-was.Distance) > 0.1 {
						times = 0
					}
					return times == 5
				}); !ok {
					t.Errorf("figure %d: after the reset of a turned camera %+v, at first %+v", k, v, was)
				}
			}
		}
	})

	t.Run("samples", func(t *testing.T) {
		// The hover card has the class and the values; colours differ between the points; the names
		// of classes and features are written, and images are on the map.
		see(6)
		card := func() string {
			return ask[string](t, tab, `k => {`+figure+`
				const points = chart.getOption().series.findIndex(s => s.type === "scatter");
				chart.dispatchAction({type: "showTip", seriesIndex: points, dataIndex: 0});
				return Array.from(place.querySelectorAll("div")).map(d => d.innerText).filter(s => s.includes("sample ")).join("");
			}`, 6)
		}
		text := ""
		poll(patience, 200*time.Millisecond, func() bool { text = card(); return text != "" })
		for _, want := range []string{"sample ", "setosa", iris.FeatureNames[0] + ": ", iris.FeatureNames[1] + ": ", "reliability: "} {
			if !strings.Contains(text, want) {
				t.Errorf("the hover card %q lacks %q", text, want)
			}
		}
		type drawing struct {
			Colors, Sizes, Pictures int
			Texts                   []string
		}
		look := func(k int) drawing {
			return ask[drawing](t, tab, `k => {`+figure+`
				const all = chart.getZr().storage.getDisplayList(true).filter(e => !e.invisible && !(e.parent && e.parent.invisible));
				const model = chart.getModel(), s = model.getSeries().find(s => s.subType === "scatter").getData(), colors = new Set(), sizes = new Set();
				s.each(i => { colors.add(s.getItemVisual(i, "style").fill); sizes.add(s.getItemVisual(i, "symbolSize")); });
				return {Colors: colors.size, Sizes: sizes.size, Pictures: all.filter(e => e.type === "image").length,
					Texts: all.filter(e => e.type === "tspan" && e.style.text.trim() && e.style.opacity !== 0).map(e => e.style.text)};
			}`, k)
		}
		if v := look(6); v.Colors < 10 || v.Sizes < 5 || v.Pictures != 1 || !slices.Contains(v.Texts, "virginica") || !slices.Contains(v.Texts, "petal length (cm)") {
			t.Errorf("%d colours, %d sizes, %d pictures, texts %q", v.Colors, v.Sizes, v.Pictures, v.Texts)
		}
		see(7)
		if v := look(7); v.Pictures < 20 || v.Pictures > 200 {
			t.Errorf("%d of 200 digits are pictures", v.Pictures)
		}
	})

	t.Run("warnings", func(t *testing.T) {
		see(2)
		if v := lookAt(t, tab, 2); !strings.Contains(v.Note, warned.Report().Warnings[0]) {
			t.Errorf("text below the figure: %q, want %q", v.Note, warned.Report().Warnings)
		}
	})

	t.Run("static", func(t *testing.T) {
		if v := lookAt(t, tab, 0); v.Static != "" {
			t.Errorf("a chart has the line %q", v.Static)
		}
		other, _ := openBrowser(t) // without the state of the first notebook
		open(t, other, address("untrusted.ipynb")+"&reset", fmt.Sprintf(`() => document.querySelectorAll(".jp-Notebook .ssdrnb-static").length >= %d`, count))
		for k := range count {
			ask[box](t, other, figureAt, k)
			if v := lookAt(t, other, k); !strings.Contains(v.Static, "trust the notebook") {
				t.Errorf("figure %d is static with the line %q", k, v.Static)
			}
		}
		shot(t, other, box{0, 0, 1300, 1000}, "figure-untrusted")
	})
	if list := trouble(); len(list) > 0 {
		t.Errorf("in the page: %s", strings.Join(list, "\n"))
	}
	// The first page stays open, because an unsaved notebook opens a dialog when it is left.
	ask[bool](t, tab, `() => { document.querySelectorAll(".ssdrnb-figure > div").forEach(d => echarts.dispose(d)); return true; }`)
	for name, page := range exports(t, bin, env, address, path) {
		t.Run("export by "+name, func(t *testing.T) { testExport(t, page) })
	}
}

// TestUntrustedFigures opens an unsigned notebook with many samples and with small panels in
// JupyterLab, in both themes: they are drawn, and answer the pointer.
func TestUntrustedFigures(t *testing.T) {
	browser.All(t)
	t.Parallel()
	bin, env := jupyter(t)
	iris := datasets.Iris().KeepLabels(8).Seed(1)
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	root := t.TempDir()
	const n = 25_000
	x, classes := clouds(n)
	d := ssdrnb.NewData(x, classes).KeepLabels(5)
	drawn(t, filepath.Join(root, "many.ipynb"), viz.Embedding(viz.Samples(d)), viz.Multiples(viz.Group{Title: "two", Models: []viz.Embedded{pca, lda}}), viz.Embedding(pca))
	b := newBench(t)
	address := lab(t, bin, env, root)
	tab := b.tab
	open(t, tab, address("many.ipynb")+"&reset", `() => Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure")).filter(f => f.dataset.drawn === "yes").length === 3`)
	if trusted := ask[int](t, tab, `() => Array.from(jupyterapp.shell.currentWidget.content.model.cells).filter(c => c.type === "code" && c.trusted && c.outputs.length).length`); trusted != 0 {
		t.Fatalf("%d cells are trusted", trusted)
	}
	theme := func(name string) {
		t.Helper()
		ask[bool](t, tab, `async name => { await window.jupyterapp.commands.execute("apputils:change-theme", {theme: name}); return true; }`, "JupyterLab "+name)
		b.until(patience, "the theme is "+name, `light => document.body.dataset.jpThemeLight === light`, strconv.FormatBool(name == "Light"))
	}
	hover := func(k int, at func() []float64, condition string) {
		t.Helper()
		if !poll(patience, 200*time.Millisecond, func() bool {
			f, p := ask[box](t, tab, figureAt, k), at()
			for _, dx := range []float64{6, 1} {
				b.must(tab.Mouse.MoveTo(proto.Point{X: f.X + p[0] + dx, Y: f.Y + p[1]}))
			}
			return poll(time.Second, 50*time.Millisecond, func() bool { return ask[bool](t, tab, condition, k) })
		}) {
			b.shot(fmt.Sprint("untrusted-no-hover-", k))
			t.Errorf("figure %d has no card for the sample under the pointer", k)
		}
	}
	for _, name := range []string{"Dark", "Light"} {
		theme(name)
		ask[box](t, tab, figureAt, 0)
		b.until(patience, "all samples are painted", `n => document.querySelector(".jp-Notebook .ssdrnb-figure").dataset.painted === String(n)`, n)
		hover(0, func() []float64 {
			return ask[[]float64](t, tab, `k => {`+figure+` return chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, [-11, 9]); }`, 0)
		}, `k => {`+figure+` return figure.dataset.hovered === "0" && figure.querySelector(".ssdrnb-card").innerText.startsWith("sample 0: 9"); }`)
		b.shot("untrusted-many-" + name)
		ask[box](t, tab, figureAt, 1)
		// The centre of the setosas; a card over the embedding and a ring in the figure below.
		hover(1, func() []float64 {
			return ask[[]float64](t, tab, `k => {`+figure+`
				const over = figure.querySelector(".ssdrnb-over"), f = figure.getBoundingClientRect(), o = over.getBoundingClientRect();
				const raw = atob(JSON.parse(figure.parentElement.querySelector("script").textContent).points[0]), wide = JSON.parse(figure.parentElement.querySelector("script").textContent).wide;
				const two = i => raw.charCodeAt(i) + 256 * raw.charCodeAt(i + 1), s = o.width / wide.width, side = 166;
				return [o.x - f.x + s * (wide.tiles[0][0] + side * two(0) / 65534), o.y - f.y + s * (wide.tiles[0][1] + side * two(2) / 65534)];
			}`, 1)
		}, `k => {`+figure+` return /^sample \d+: setosa/.test(figure.querySelector(".ssdrnb-over").innerText); }`)
		b.shot("untrusted-small-" + name)
	}
	// A class hidden in the small panels is hidden in the chart of the same samples.
	ask[bool](t, tab, `k => {`+figure+` Array.from(figure.querySelectorAll("button")).find(b => b.title === "Show or hide setosa").click(); return true; }`, 1)
	b.until(patience, "the class is switched off in the chart below", `k => {`+figure+` return !!chart && chart.getOption().legend[0].selected.setosa === false; }`, 2)
	b.shot("untrusted-small-off")
	b.clean()
}

// TestSelection selects samples in the figures of a notebook in JupyterLab, and in a copy of the
// notebook.
func TestSelection(t *testing.T) {
	t.Parallel()
	bin, env := jupyter(t)
	root := t.TempDir()
	writeNotebook(t, filepath.Join(root, "select.ipynb"), selecting...)
	b := newBench(t)
	address := lab(t, bin, env, root)
	b.address = address("select.ipynb") + "&reset"
	testSelection(b, filepath.Join(root, "ssdrnb-constraints", "select"))
	ask[bool](b.T, b.tab, `async () => { await window.jupyterapp.commands.execute("docmanager:save"); return true; }`)
	testSelectionInCopy(t, root, address("copy.ipynb"))
}

// testSettings reads the settings of JupyterLab that install.sh sets.
func testSettings(t *testing.T, address func(string) string) {
	if os.Getenv("SSDRNB_JUPYTER") == "notebook" {
		t.Skip("JupyterLab's settings")
	}
	base, _, _ := strings.Cut(address("x"), "lab/tree/")
	for plugin, want := range map[string]string{
		"@jupyterlab/apputils-extension:notification": `"fetchNews":"false"`,
		"@jupyterlab/completer-extension:manager":     `"providerTimeout":5000`,
	} {
		r, err := http.Get(base + "lab/api/settings/" + plugin + "?token=test")
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Schema struct {
				Properties map[string]struct {
					Default any `json:"default"`
				} `json:"properties"`
			} `json:"schema"`
		}
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatalf("%s: %v\n%.300s", plugin, err, raw)
		}
		values := map[string]any{}
		for name, p := range answer.Schema.Properties {
			values[name] = p.Default
		}
		if set, _ := json.Marshal(values); !strings.Contains(string(set), want) {
			t.Errorf("%s: %s, want %s", plugin, set, want)
		}
	}
}

// exports writes the notebook as pages: by JupyterLab's File menu and by export.py.
func exports(t *testing.T, bin string, env []string, address func(string) string, path string) map[string]string {
	server, _, _ := strings.Cut(address("x"), baseURL)
	r, err := http.Get(server + baseURL + "nbconvert/html/trusted.ipynb?token=test")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v\n%.300s", r.Status, err, raw)
	}
	menu := filepath.Join(t.TempDir(), "menu.html")
	if err := os.WriteFile(menu, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	export := exec.Command(filepath.Join(bin, "python"), "export.py", path, filepath.Join(filepath.Dir(filepath.Dir(bin)), "web"))
	export.Env = env
	if out, err := export.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return map[string]string{"menu": menu, "export.py": strings.TrimSuffix(path, ".ipynb") + ".html"}
}

// testExport opens an exported page: its charts are interactive and its formulas are rendered
// without a network.
func testExport(t *testing.T, page string) {
	tab, trouble := openBrowser(t)
	if err := tab.Navigate("file://" + page); err != nil {
		t.Fatal(err)
	}
	if err := tab.WaitLoad(); err != nil {
		t.Fatal(err)
	}
	const charts = `() => Array.from(document.querySelectorAll(".ssdrnb-figure")).map(f => (f.dataset.drawn || "never") + " ").join("")`
	if !poll(time.Minute, 200*time.Millisecond, func() bool { return ask[string](t, tab, charts) == strings.Repeat("yes ", 8) }) {
		t.Errorf("figures drawn in the page: %s", ask[string](t, tab, charts))
	}
	type formulas struct {
		Count  int
		Raw    bool
		Width  float64
		Loaded bool
	}
	got := ask[formulas](t, tab, `async () => {
		await document.fonts.ready;
		const f = Array.from(document.querySelectorAll(".katex"));
		return {Count: f.length, Raw: document.body.innerText.includes("\\lambda_t$"), Width: f.length ? f[f.length - 1].getBoundingClientRect().width : 0,
			Loaded: Array.from(document.fonts).some(f => f.family === "KaTeX_Math" && f.status === "loaded")};
	}`)
	if got.Count != 2 || got.Raw || got.Width < 50 || !got.Loaded {
		t.Errorf("formulas of the page: %+v", got)
	}
	shot(t, tab, box{0, 0, 1300, 1000}, "export")
	// Samples can be selected there too. No cell can read the stored selection, so the line has the
	// rows.
	at := ask[box](t, tab, `() => {
		const f = document.querySelector(".ssdrnb-figure"), g = echarts.getInstanceByDom(f.querySelector(":scope > div")).getOption().grid[0];
		f.scrollIntoView();
		Array.from(f.querySelectorAll("button")).find(b => b.title.startsWith("Select with a box")).click();
		const b = f.getBoundingClientRect();
		return {X: b.x + g.left, Y: b.y + g.top, Width: g.width, Height: g.height};
	}`)
	err := errors.Join(tab.Mouse.MoveTo(proto.Point{X: at.X + 2, Y: at.Y + 2}), tab.Mouse.Down(proto.InputMouseButtonLeft, 1),
		tab.Mouse.MoveLinear(proto.Point{X: at.X + at.Width - 2, Y: at.Y + at.Height - 2}, 5), tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	if err != nil {
		t.Fatal(err)
	}
	const line = `() => { const s = document.querySelector(".ssdrnb-selection"); return s ? s.innerText : ""; }`
	var text string
	if !poll(patience, 100*time.Millisecond, func() bool {
		text = ask[string](t, tab, line)
		return strings.Contains(text, "ssdrnb.PCA().Fit(d.Subset([]int{0, 1, 2, ")
	}) || !strings.Contains(text, "150 of 150 samples selected") {
		t.Errorf("text below the figure: %.300q", text)
	}
	ask[bool](t, tab, `() => {
		const s = document.querySelector(".ssdrnb-selection");
		s.querySelector("input").value = "all";
		Array.from(s.querySelectorAll("button")).find(b => b.textContent === "Store").click();
		return true;
	}`)
	if !poll(patience, 100*time.Millisecond, func() bool {
		text = ask[string](t, tab, line)
		return strings.Contains(text, "Stored in this browser, where no cell can read it.")
	}) {
		t.Errorf("text below the figure: %.300q", text)
	}
	if list := trouble(); len(list) > 0 {
		t.Errorf("in the page: %s", strings.Join(list, "\n"))
	}
}
