package tests

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// keyed is a figure that a test operates by keys alone.
type keyed struct {
	*bench
	k int
}

const keyedFigure = `
	const figure = document.querySelectorAll(".ssdrnb-figure")[k], place = figure.querySelector(".ssdrnb-keyed"), said = figure.querySelector(".ssdrnb-voice");
	const chart = place && window.echarts && echarts.getInstanceByDom(place);
`

// ready waits for the figure and focuses it as the Tab key does. Hidden elements cannot be focused,
// and JupyterLab hides everything for a moment when its theme changes.
func (b keyed) ready() {
	b.Helper()
	b.until(patience, "the figure is drawn", `k => { const f = document.querySelectorAll(".ssdrnb-figure")[k]; if (!f) { return false; } f.scrollIntoView({block: "center"}); return f.dataset.drawn === "yes"; }`, b.k)
	b.until(patience, "the figure has the focus, a ring and the help", `k => {`+keyedFigure+`
		if (document.activeElement !== place) { place.focus({focusVisible: true}); }
		return document.activeElement === place && place.matches(":focus-visible") && getComputedStyle(place).outlineStyle === "solid" && ("pointed" in figure.dataset || figure.querySelector(".ssdrnb-help").offsetWidth > 100);
	}`, b.k)
}

// keys types keys.
func (b keyed) keys(keys ...input.Key) {
	b.Helper()
	for _, key := range keys {
		b.must(b.tab.Keyboard.Type(key))
	}
}

// says waits until the figure announces a text with this beginning, and returns the text.
func (b keyed) says(begin string) string {
	b.Helper()
	b.until(patience, "the figure says "+begin, `(k, begin) => {`+keyedFigure+` return said.textContent.startsWith(begin); }`, b.k, begin)
	return ask[string](b.T, b.tab, `k => {`+keyedFigure+` return said.textContent; }`, b.k)
}

// sample is the sample focused by the keys.
func (b keyed) sample() int {
	b.Helper()
	b.until(patience, "the keys are on a sample", `k => {`+keyedFigure+` return !!figure.dataset.pointed; }`, b.k)
	return ask[int](b.T, b.tab, `k => {`+keyedFigure+` return Number(figure.dataset.pointed); }`, b.k)
}

// card waits until the hover card contains a text.
func (b keyed) card(text string) {
	b.Helper()
	b.until(patience, "the card has "+text, `(k, text) => {`+keyedFigure+`
		return Array.from(place.querySelectorAll(":scope > div")).some(d => !d.className.startsWith("ssdrnb-help") && d.style.display !== "none" && d.style.visibility !== "hidden" && d.style.opacity !== "0" && d.innerText.includes(text));
	}`, b.k, text)
}

// nextOf is the sample that an arrow key leads to: ahead within 45°, or else within 90°, with the
// smallest sum of the distance ahead and twice the distance aside. Rows are positions in pixels.
func nextOf(at [][2]float64, from int, way [2]float64) int {
	best, least := -1, math.Inf(1)
	for _, wide := range []bool{false, true} {
		for i, p := range at {
			x, y := p[0]-at[from][0], p[1]-at[from][1]
			ahead, aside := x*way[0]+y*way[1], math.Abs(x*way[1]-y*way[0])
			if cost := ahead + 2*aside; i != from && ahead > 1e-6 && (wide || aside <= ahead) && cost < least {
				best, least = i, cost
			}
		}
		if best >= 0 {
			break
		}
	}
	return best
}

// TestKeyboard operates figures without a mouse.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris().KeepLabels(10).Seed(1)
	classes := iris.Truth
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	arrows := []struct {
		key input.Key
		way [2]float64
	}{{input.ArrowRight, [2]float64{1, 0}}, {input.ArrowUp, [2]float64{0, -1}}, {input.ArrowLeft, [2]float64{-1, 0}}, {input.ArrowLeft, [2]float64{-1, 0}}, {input.ArrowDown, [2]float64{0, 1}}, {input.ArrowRight, [2]float64{1, 0}}}

	t.Run("panels", func(t *testing.T) {
		b := keyed{newBench(t), 0}
		b.open(pageOf(t, viz.Compare(pca, lda).Hover(iris.FeatureNames[0]), scripts))
		b.ready()
		if got := ask[[]string](t, b.tab, `k => {`+keyedFigure+`
			return [place.getAttribute("role"), place.getAttribute("aria-label"), document.getElementById(place.getAttribute("aria-describedby")).textContent, said.getAttribute("aria-live")];
		}`, 0); got[0] != "application" || !strings.Contains(got[1], "150 samples in 2 dimensions") || !strings.Contains(got[2], "Arrows: next sample") || got[3] != "polite" {
			t.Errorf("the figure is %q", got)
		}
		b.shot("keyboard-focus")
		at := ask[[][2]float64](t, b.tab, `k => {`+keyedFigure+`
			const out = [];
			chart.getOption().series.forEach(s => { if (s.type === "scatter" && !s.xAxisIndex) { s.data.forEach(v => { out[v[v.length - 1]] = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, v); }); } });
			return out;
		}`, 0)
		b.keys(input.ArrowRight)
		from := b.sample()
		for k, a := range arrows {
			want := nextOf(at, from, a.way)
			b.keys(a.key)
			if want < 0 {
				b.says("no sample farther this way")
				continue
			}
			b.until(patience, fmt.Sprintf("arrow %d leads from %d to %d", k, from, want), `(k, i) => {`+keyedFigure+` return figure.dataset.pointed === String(i); }`, 0, want)
			from = want
			said := b.says(fmt.Sprintf("PCA, sample %d: %s", from, iris.ClassName(classes[from])))
			if !strings.Contains(said, iris.FeatureNames[0]+": ") {
				t.Errorf("the figure announces %q", said)
			}
			b.card(fmt.Sprintf("sample %d: ", from))
		}
		b.until(patience, "both panels mark the sample", `k => {`+keyedFigure+` return Array.from(figure.querySelectorAll(".ssdrnb-ring")).filter(r => r.style.visibility === "visible").length === 2; }`, 0)
		b.shot("keyboard-sample")

		// The same sample in the other panel, and two of them selected; one is deselected again.
		b.keys(input.PageDown)
		b.says(fmt.Sprintf("LDA, sample %d: ", from))
		b.keys(input.Enter)
		if said := b.says(fmt.Sprintf("LDA, sample %d: ", from)); !strings.HasSuffix(said, ", selected, 1 of 150 samples selected") {
			t.Errorf("the figure announces %q", said)
		}
		b.keys(input.ArrowLeft)
		second := b.sample()
		b.keys(input.Space)
		marked := func(n int) {
			b.Helper()
			b.until(patience, fmt.Sprintf("%d samples are selected in both panels", n), `(k, n) => {`+keyedFigure+` return Number(figure.dataset.marked) === 2 * n; }`, 0, n)
		}
		marked(2)
		b.shot("keyboard-selected")
		rows := []int{from, second}
		slices.Sort(rows)
		if text := ask[string](t, b.tab, `k => {`+keyedFigure+` return figure.querySelector(".ssdrnb-selection code").textContent; }`, 0); !strings.Contains(text, fmt.Sprintf("d.Subset([]int{%d, %d})", rows[0], rows[1])) {
			t.Errorf("the table of rows %v reads %q", rows, text)
		}
		b.keys(input.Space)
		marked(1)

		// + enlarges around the sample and keeps it in view, 0 shows everything again.
		window := `k => {` + keyedFigure + ` const z = chart.getOption().dataZoom[0]; return z.end - z.start; }`
		b.keys(input.Equal, input.Equal)
		if share := ask[float64](t, b.tab, window, 0); math.Abs(share-100/2.25) > 1e-6 {
			t.Errorf("after + twice %v %% are seen", share)
		}
		b.card(fmt.Sprintf("sample %d: ", second))
		b.shot("keyboard-zoom")
		b.keys(input.Minus)
		if share := ask[float64](t, b.tab, window, 0); math.Abs(share-100/1.5) > 1e-6 {
			t.Errorf("after − %v %% are seen", share)
		}
		b.keys(input.Digit0)
		if share := ask[float64](t, b.tab, window, 0); share != 100 {
			t.Errorf("after 0 %v %% are seen", share)
		}

		// Escape leaves the sample, then the selection, then the focus.
		b.keys(input.Escape)
		b.until(patience, "no sample is marked", `k => {`+keyedFigure+` return !("pointed" in figure.dataset); }`, 0)
		marked(1)
		b.keys(input.Escape)
		marked(0)
		if !ask[bool](t, b.tab, `k => {`+keyedFigure+` return document.activeElement === place; }`, 0) {
			t.Error("the figure has lost the focus with its selection")
		}

		// The legend: Tab goes to its first entry, arrows to the others, Space hides one.
		b.keys(input.Tab, input.ArrowDown)
		entry := `k => { const e = document.activeElement, r = e.getBoundingClientRect(); return [e.getAttribute("role"), e.ariaLabel, e.ariaChecked, String(r.width > 40 && r.height > 10)].join(" "); }`
		b.until(patience, "the second entry has the focus", `(k, want) => (`+entry+`)(k) === want`, 0, "switch versicolor true true")
		b.shot("keyboard-legend")
		b.keys(input.Space)
		b.until(patience, "the class is off", `(k, want) => (`+entry+`)(k) === want`, 0, "switch versicolor false true")
		if on := ask[bool](t, b.tab, `k => {`+keyedFigure+` return chart.getModel().getComponent("legend").isSelected("versicolor"); }`, 0); on {
			t.Error("versicolor is shown")
		}
		b.keys(input.Escape, input.ArrowRight)
		for range 12 { // none of the hidden class
			if said := b.says("PCA, sample "); strings.Contains(said, "versicolor") {
				t.Errorf("the class is hidden, and the figure announces %q", said)
			}
			b.keys(input.ArrowLeft)
			if ask[bool](t, b.tab, `k => {`+keyedFigure+` return said.textContent.startsWith("no sample"); }`, 0) {
				break
			}
		}
		b.keys(input.Escape, input.Escape)
		if ask[bool](t, b.tab, `k => {`+keyedFigure+` return place.contains(document.activeElement); }`, 0) {
			t.Error("Escape does not leave the figure")
		}
		// A click does not move the focus: keys still operate the page.
		ask[bool](t, b.tab, `() => { scrollTo(0, 0); return true; }`)
		b.must(b.tab.Mouse.MoveTo(proto.Point{X: 300, Y: 200}))
		b.must(b.tab.Mouse.Click("left", 1))
		if ask[bool](t, b.tab, `k => {`+keyedFigure+` return place.contains(document.activeElement); }`, 0) {
			t.Error("a click gives the figure the focus")
		}
		b.clean()
	})

	t.Run("a picture", func(t *testing.T) {
		b := keyed{newBench(t), 0}
		b.open(pageOf(t, viz.Multiples(viz.Group{Title: "both", Models: []viz.Embedded{pca, lda}}), scripts))
		b.ready()
		b.keys(input.ArrowRight)
		first := b.sample()
		b.says(fmt.Sprintf("PCA, sample %d: ", first))
		b.card(fmt.Sprintf("sample %d: ", first))
		b.keys(input.PageDown)
		b.says(fmt.Sprintf("LDA, sample %d: ", first))
		b.keys(input.ArrowUp, input.Enter)
		b.until(patience, "one sample is selected in both panels", `k => {`+keyedFigure+` return figure.dataset.marked === "2"; }`, 0)
		b.shot("keyboard-multiples")
		b.keys(input.Escape, input.Escape)
		b.until(patience, "nothing is selected", `k => {`+keyedFigure+` return figure.dataset.marked === "0"; }`, 0)
		b.keys(input.Tab)
		b.until(patience, "the focus is in the legend or on a button", `() => document.activeElement.tagName === "BUTTON"`)
		b.clean()
	})

	t.Run("the same place", func(t *testing.T) {
		// Samples 1, 3 and 4 coincide: each of them can be reached, and its card stays when the
		// chart is rendered again.
		x := mat.NewDense(6, 2, []float64{0, 0, 1, 0.2, 2, 0, 1, 0.2, 1, 0.2, 3, 1})
		b := keyed{newBench(t), 0}
		b.open(pageOf(t, viz.Embedding(viz.Samples(ssdrnb.NewData(x, nil))), scripts))
		b.ready()
		b.keys(input.ArrowLeft)
		for range 5 {
			b.keys(input.ArrowLeft)
		}
		b.until(patience, "the first sample", `k => {`+keyedFigure+` return figure.dataset.pointed === "0"; }`, 0)
		seen := []int{0}
		for range 5 {
			b.keys(input.ArrowRight)
			seen = append(seen, b.sample())
			ask[bool](t, b.tab, `async k => {`+keyedFigure+` chart.setOption({series: [{}]}); await new Promise(r => setTimeout(r, 200)); return true; }`, 0)
			b.card(fmt.Sprintf("sample %d", seen[len(seen)-1]))
		}
		if fmt.Sprint(seen) != "[0 1 3 4 2 5]" {
			t.Errorf("to the right follow %v", seen)
		}
		b.clean()
	})

	t.Run("three dimensions", func(t *testing.T) {
		b := keyed{newBench(t), 0}
		b.open(pageOf(t, viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)), charts(t, "echarts.min.js", "echarts-gl.min.js")))
		b.ready()
		const camera = `k => {` + keyedFigure + ` const v = chart.getOption().grid3D[0].viewControl; return [v.alpha, v.beta, v.distance]; }`
		was := ask[[]float64](t, b.tab, camera, 0)
		b.keys(input.ArrowRight, input.ArrowUp, input.ArrowUp)
		b.until(patience, "the picture has turned", `(k, alpha, beta) => { const v = (`+camera+`)(k); return Math.abs(v[0] - alpha) < 0.1 && Math.abs(v[1] - beta) < 0.1; }`, 0, was[0]+20, was[1]-10)
		b.keys(input.Equal)
		b.until(patience, "it is nearer", `(k, distance) => (`+camera+`)(k)[2] < 0.8 * distance`, 0, was[2])
		b.keys(input.Digit0)
		b.until(patience, "it is as far away as before", `(k, distance) => Math.abs((`+camera+`)(k)[2] - distance) < 1e-6`, 0, was[2])
		b.clean()
	})

	t.Run("bars", func(t *testing.T) {
		// Without samples arrows scroll the page, and the legend has its keys.
		b := keyed{newBench(t), 0}
		b.open(pageOf(t, viz.Bars("accuracy", []string{"a", "b"}, viz.BarSeries{Name: "one", Mean: []float64{1, 2}}, viz.BarSeries{Name: "two", Mean: []float64{2, 1}}), scripts))
		b.ready()
		if ask[bool](t, b.tab, `k => {`+keyedFigure+` const e = new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true, cancelable: true}); place.dispatchEvent(e); return e.defaultPrevented; }`, 0) {
			t.Error("an arrow does not scroll the page")
		}
		b.keys(input.Tab, input.ArrowDown, input.Enter)
		b.until(patience, "the second series is off", `k => {`+keyedFigure+` return document.activeElement.ariaLabel === "two" && document.activeElement.ariaChecked === "false" && !chart.getModel().getComponent("legend").isSelected("two"); }`, 0)
		b.clean()
	})

	for _, n := range []int{70_000, 1_000_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x, classes := clouds(n)
			b := keyed{newBench(t), 0}
			longest := b.alone()
			b.open(pageOf(t, viz.Embedding(viz.Samples(ssdrnb.NewData(x, classes).KeepLabels(5))), scripts))
			b.ready()
			longest()
			b.keys(input.ArrowLeft)
			for range 20 {
				b.must(b.tab.Keyboard.Press(input.ShiftLeft))
				b.keys(input.ArrowLeft)
				b.must(b.tab.Keyboard.Release(input.ShiftLeft))
			}
			farthest := 0
			for i := range n {
				if x.At(i, 0) < x.At(farthest, 0) {
					farthest = i
				}
			}
			left := b.sample()
			if x.At(left, 0) > x.At(farthest, 0)+0.01 {
				t.Errorf("farthest to the left is sample %d, and the keys are on %d", farthest, left)
			}
			b.card(fmt.Sprintf("sample %d: %d", left, classes[left]))
			b.keys(input.ArrowRight)
			b.keys(input.ArrowLeft)
			b.sample()
			took := ask[[]float64](t, b.tab, `k => {`+keyedFigure+`
				return Array.from({length: 20}, (_, i) => {
					const began = performance.now();
					place.dispatchEvent(new KeyboardEvent("keydown", {key: i % 2 ? "ArrowLeft" : "ArrowRight", bubbles: true}));
					return performance.now() - began;
				}).sort((a, b) => a - b);
			}`, 0)
			t.Logf("a key takes %.0f ms in the median, at most %.0f; longest task %.0f ms", took[10], took[19], longest())
			b.shot(fmt.Sprint("keyboard-many-", n))
			b.keys(input.Equal, input.Equal, input.Equal, input.Enter)
			b.until(patience, "the sample is selected", `k => {`+keyedFigure+` return figure.dataset.marked === "1"; }`, 0)
			b.shot(fmt.Sprint("keyboard-many-near-", n))
			t.Logf("zoom and selection: longest task %.0f ms", longest())
			b.clean()
		})
	}
}

// TestKeyboardInJupyterLab operates figures of a notebook by keys that must not act as JupyterLab
// commands, which would cut or insert cells or change their type.
func TestKeyboardInJupyterLab(t *testing.T) {
	browser.All(t)
	t.Parallel()
	bin, env := jupyter(t)
	root := t.TempDir()
	iris := datasets.Iris()
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	drawn(t, filepath.Join(root, "keys.ipynb"), viz.Compare(pca, lda), viz.Multiples(viz.Group{Title: "one", Models: []viz.Embedded{pca}}))
	b := keyed{newBench(t), 0}
	open(t, b.tab, lab(t, bin, env, root)("keys.ipynb"), `() => Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure")).filter(f => f.dataset.drawn === "yes").length === 2`)
	b.must(proto.EmulationSetFocusEmulationEnabled{Enabled: true}.Call(b.tab))
	cells := func() string {
		return ask[string](t, b.tab, `() => { const n = jupyterapp.shell.currentWidget.content; return n.mode + ": " + n.widgets.map(c => c.model.type + " " + c.model.sharedModel.getSource()).join(" | "); }`)
	}
	ask[bool](t, b.tab, `() => { const n = jupyterapp.shell.currentWidget.content; n.activeCellIndex = 1; n.mode = "command"; n.activate(); return true; }`)
	before := cells()
	all := []input.Key{input.ArrowRight, input.ArrowDown, input.KeyD, input.KeyD, input.KeyA, input.KeyB, input.KeyX, input.KeyM, input.KeyY, input.Digit1, input.KeyZ, input.Enter, input.ArrowLeft, input.Space, input.Equal, input.Minus, input.Digit0, input.PageUp, input.PageDown, input.KeyI, input.KeyI}
	for k := range 2 {
		b.k = k
		b.ready()
		b.keys(all...)
		b.must(b.tab.Keyboard.Press(input.ShiftLeft))
		b.keys(input.Enter, input.KeyM, input.ArrowUp)
		b.must(b.tab.Keyboard.Release(input.ShiftLeft))
		b.card(fmt.Sprintf("sample %d: ", b.sample()))
		b.until(patience, "the samples are selected", `k => {`+keyedFigure+` return Number(figure.dataset.marked) > 0 && !!figure.querySelector(".ssdrnb-selection"); }`, k)
		b.shot(fmt.Sprint("keyboard-lab-", k))
		b.keys(input.Tab, input.ArrowDown, input.Space, input.KeyX, input.Space)
		if got := cells(); got != before {
			t.Errorf("the keys changed the cells from %s to %s", before, got)
		}
		b.ready()
		b.keys(input.Escape, input.Escape)
		b.until(patience, "nothing is selected in any figure", `() => Array.from(document.querySelectorAll(".ssdrnb-figure")).every(f => !Number(f.dataset.marked))`)
	}
	// After a change of theme the chart is rebuilt, and the focus is where it was.
	b.k = 0
	b.ready()
	b.keys(input.ArrowRight)
	was := b.sample()
	ask[bool](t, b.tab, `async () => { await window.jupyterapp.commands.execute("apputils:change-theme", {theme: "JupyterLab Dark"}); return true; }`)
	b.until(patience, "the figure is dark", `k => {`+keyedFigure+` return !!chart && !!chart._theme && chart._theme.darkMode; }`, 0)
	b.ready()
	if now := b.sample(); now != was {
		t.Errorf("in the dark theme the keys are on sample %d, not %d", now, was)
	}
	b.card(fmt.Sprintf("sample %d: ", was))
	b.shot("keyboard-lab-dark")
	// After Escape the notebook has its keys again.
	b.keys(input.Escape, input.Escape)
	b.keys(input.KeyB)
	b.until(patience, "the notebook has a cell more", `n => jupyterapp.shell.currentWidget.content.widgets.length === n`, strings.Count(before, "|")+2)
	b.clean()
}
