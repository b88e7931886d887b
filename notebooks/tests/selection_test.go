package tests

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// selecting is a notebook of figures of the same samples, with cells that read the selection.
var selecting = []string{`import (
	"fmt"
	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

func samples() *ssdrnb.Data { return datasets.Digits().KeepLabels(20).Seed(1) }
%%
pca, lda := ssdrnb.PCA().MustFit(samples()), ssdrnb.SDA().MustFit(samples().Standardize())
viz.Compare(pca, lda).Show()
viz.Embedding(lda).Color(viz.Confidence).Show()
viz.Embedding(pca).Show()
viz.Embedding(ssdrnb.LDA().MustFit(samples())).Show()
viz.Embedding(ssdrnb.LPP().Dims(2).MustFit(samples())).Show()
viz.Multiples(viz.Group{Title: "both", Models: []viz.Embedded{pca, lda}}).Show()`, `%%
s := viz.Selection("left ones")
fmt.Println("rows:", s.Rows(), s.Err())
model := ssdrnb.PCA().MustFit(s.Apply(samples()))
fmt.Println("refitted:", model.Report().Samples)`}

// testSelection selects samples with the mouse, stores them, and reads them in the next cell.
// Hover, selection and hidden classes are shared by all panels.
func testSelection(b *bench, folder string) {
	b.load()
	b.run(0)
	b.ended(0)
	b.until(time.Minute, "the figures are drawn", `() => {
		const figures = Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure"));
		figures.forEach(f => { if (f.dataset.drawn !== "yes") { f.scrollIntoView(); } });
		return figures.length === 6 && figures.every(f => f.dataset.drawn === "yes");
	}`)
	at := ask[box](b.T, b.tab, figureAt, 0)
	press := func(k int, title string) {
		b.Helper()
		b.until(patience, "the figure has the button "+title, `(k, title) => {`+figure+`
			const button = Array.from(figure.querySelectorAll("button")).find(b => b.title.startsWith(title));
			if (button) { button.click(); }
			return !!button;
		}`, k, title)
	}
	frame := func(panel int) box {
		return ask[box](b.T, b.tab, `(k, panel) => {`+figure+` const g = chart.getOption().grid[panel]; return {X: g.left, Y: g.top, Width: g.width, Height: g.height}; }`, 0, panel)
	}
	drag := func(shift bool, corners ...[2]float64) {
		b.Helper()
		if shift {
			b.must(b.tab.Keyboard.Press(input.ShiftLeft))
		}
		for k, c := range corners {
			p := proto.Point{X: at.X + c[0], Y: at.Y + c[1]}
			if k == 0 {
				b.must(b.tab.Mouse.MoveTo(p))
				b.must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
				continue
			}
			b.must(b.tab.Mouse.MoveLinear(p, 5))
		}
		b.must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
		if shift {
			b.must(b.tab.Keyboard.Release(input.ShiftLeft))
		}
	}
	// marked are the numbers of samples marked by the figures, as soon as they are right.
	marked := func(right func(n []int) bool) (n []int, ok bool) {
		ok = poll(patience, 50*time.Millisecond, func() bool {
			n = ask[[]int](b.T, b.tab, `() => Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure")).map(f => Number(f.dataset.marked || 0))`)
			return right(n)
		})
		return n, ok
	}
	none := func(n []int) bool { return slices.Max(n) == 0 }
	// expected are the samples of a panel in a part of its frame, computed from the data in
	// ECharts.
	expected := func(panel int, lo, hi float64) []int {
		rows := ask[[]int](b.T, b.tab, `(k, panel, lo, hi) => {`+figure+`
			const o = chart.getOption(), g = o.grid[panel], rows = [];
			o.series.forEach(s => { if (s.type === "scatter" && (s.xAxisIndex || 0) === panel) { s.data.forEach(v => {
				const q = chart.convertToPixel({xAxisIndex: panel, yAxisIndex: panel}, v);
				if (q[0] > g.left + lo * g.width && q[0] < g.left + hi * g.width) { rows.push(v[v.length - 1]); }
			}); } });
			return rows;
		}`, 0, panel, lo, hi)
		slices.Sort(rows)
		return rows
	}

	// A lasso around the left two fifths of the first panel, extended by a box with Shift.
	press(0, "Select with a lasso")
	g := frame(0)
	left := [][2]float64{{g.X + 2, g.Y + 2}, {g.X + 0.4*g.Width, g.Y + 2}, {g.X + 0.4*g.Width, g.Y + g.Height - 2}, {g.X + 2, g.Y + g.Height - 2}}
	drag(false, left...)
	want := expected(0, 0, 0.4)
	if n, ok := marked(func(n []int) bool {
		return n[0] == 2*len(want) && n[1] == len(want) && n[4] == len(want) && n[5] == 2*len(want)
	}); !ok || len(want) < 50 {
		b.Errorf("the lasso holds %d samples, and figures mark %v", len(want), n)
	}
	shot(b.T, b.tab, box{0, 0, 1300, 1000}, "selection-lasso")
	press(0, "Select with a box")
	drag(true, [2]float64{g.X + 0.9*g.Width, g.Y + 2}, [2]float64{g.X + g.Width - 1, g.Y + g.Height - 2})
	want = append(want, expected(0, 0.9, 1)...)
	slices.Sort(want)
	if n, ok := marked(func(n []int) bool { return n[2] == len(want) }); !ok {
		b.Errorf("with Shift %d samples are selected, and figures mark %v", len(want), n)
	}
	said := func() string {
		return ask[string](b.T, b.tab, `k => {`+figure+` return figure.querySelector(".ssdrnb-selection").innerText; }`, 0)
	}
	if text := said(); !strings.Contains(text, fmt.Sprintf("%d of 1797 samples selected", len(want))) || !strings.Contains(text, fmt.Sprintf("The first 50 of %d rows.", len(want))) ||
		!strings.Contains(text, `ssdrnb.PCA().Fit(viz.Selection("name").Apply(d))`) {
		b.Errorf("below the figure stands %.600q", text)
	}
	if n := ask[int](b.T, b.tab, `k => {`+figure+` return figure.querySelectorAll(".ssdrnb-selection tr canvas").length; }`, 0); n != 50 {
		b.Errorf("the table has %d pictures", n)
	}

	// Its name. An invalid name is not stored; keys are not notebook commands.
	cells := ask[int](b.T, b.tab, `() => document.querySelectorAll(".jp-Notebook .jp-CodeCell").length`)
	for _, name := range []string{"", "../up", "a:b", "left ones"} {
		ask[bool](b.T, b.tab, `k => {`+figure+` const f = figure.querySelector(".ssdrnb-selection input"); f.focus(); f.select(); return true; }`, 0)
		b.must(b.tab.Keyboard.Type(input.Backspace))
		for _, c := range name {
			b.must(b.tab.Keyboard.Type(input.Key(c)))
		}
		b.must(b.tab.Keyboard.Type(input.Enter))
		if name != "left ones" && !strings.Contains(said(), "Give a name of 1 to 100 bytes") {
			b.Errorf("the name %q: %.200q", name, said())
		}
	}
	b.until(20*time.Second, "the selection is stored", `k => {`+figure+` return figure.querySelector(".ssdrnb-selection").dataset.stored === "left ones"; }`, 0)
	shot(b.T, b.tab, box{0, 0, 1300, 1000}, "selection-stored")
	if text := said(); !strings.Contains(text, "Stored in ssdrnb-constraints/select/selection-left ones.json") {
		b.Errorf("below the figure stands %.600q", text)
	}
	if n := ask[int](b.T, b.tab, `() => document.querySelectorAll(".jp-Notebook .jp-CodeCell").length`); n != cells {
		b.Errorf("the keys changed %d cells to %d", cells, n)
	}
	press(0, "Store the selection")
	b.until(20*time.Second, "the page says what is replaced", `(k, text) => {`+figure+` return figure.querySelector(".ssdrnb-selection").innerText.includes(text); }`, 0, fmt.Sprintf("The earlier selection with this name (%d samples) is replaced. Stored in", len(want)))
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		b.Errorf("stored are %v: %v", files, err)
	}
	b.run(1)
	b.ended(1)
	text, _ := json.Marshal(want)
	if out := b.output(1); !strings.Contains(out, "rows: "+strings.ReplaceAll(string(text), ",", " ")+" <nil>") || !strings.Contains(out, fmt.Sprintf("refitted: %d", len(want))) {
		b.Errorf("the next cell prints %.300q", out)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "selection-left ones.json"))
	if err != nil || !strings.Contains(string(raw), `"revision":1,`) {
		b.Errorf("%.200s: %v", raw, err)
	}

	// In the dark theme the chart is rebuilt with the selection, above the table.
	theme := func(name string) {
		ask[bool](b.T, b.tab, `async theme => { await window.jupyterapp.commands.execute("apputils:change-theme", {theme: theme}); return true; }`, name)
		b.until(20*time.Second, "the figure has the theme "+name, `(k, dark) => {`+figure+` return !!chart && !!(chart._theme && chart._theme.darkMode) === dark; }`, 0, name == "JupyterLab Dark")
	}
	theme("JupyterLab Dark")
	ask[box](b.T, b.tab, figureAt, 0)
	if n, ok := marked(func(n []int) bool { return n[0] == 2*len(want) }); !ok {
		b.Errorf("in the dark theme figures mark %v", n)
	}
	if !ask[bool](b.T, b.tab, `k => {`+figure+` return place.getBoundingClientRect().bottom <= figure.querySelector(".ssdrnb-selection").getBoundingClientRect().top + 1; }`, 0) {
		b.Error("in the dark theme the table is not below the chart")
	}
	ask[box](b.T, b.tab, figureAt, 0)
	shot(b.T, b.tab, box{0, 0, 1300, 1000}, "selection-dark")
	theme("JupyterLab Light")

	// The samples are animated from one panel to the next.
	at = ask[box](b.T, b.tab, figureAt, 0)
	press(0, "Move the samples")
	b.until(20*time.Second, "the samples have moved", `k => {`+figure+` return figure.querySelector(".ssdrnb-move input").value === "1" && figure.querySelector(".ssdrnb-move").innerText.includes("PCA → SDA, 100 %"); }`, 0)
	ask[bool](b.T, b.tab, `k => {`+figure+` const s = figure.querySelector(".ssdrnb-move input"); s.value = 0.5; s.dispatchEvent(new Event("input")); return true; }`, 0)
	time.Sleep(300 * time.Millisecond)
	shot(b.T, b.tab, box{0, 0, 1300, 1000}, "selection-move")
	press(0, "Move the samples")

	// Escape clears the selection in all figures.
	press(0, "Select with a box")
	at = ask[box](b.T, b.tab, figureAt, 0)
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + g.X + 20, Y: at.Y + g.Y + 20}))
	b.must(b.tab.Keyboard.Type(input.Escape))
	if n, ok := marked(none); !ok {
		b.Errorf("after Escape figures mark %v", n)
	}

	// Selection also works in small panels.
	small := func(name string) {
		at = ask[box](b.T, b.tab, figureAt, 5)
		time.Sleep(300 * time.Millisecond) // for the next frames
		shot(b.T, b.tab, box{0, 0, 1300, 1000}, name)
	}
	at = ask[box](b.T, b.tab, figureAt, 5)
	press(5, "Select with a box")
	type tile struct {
		Left box // half of the first panel
		Rows int // in it
	}
	half := ask[tile](b.T, b.tab, `k => {`+figure+`
		const p = JSON.parse(figure.nextElementSibling.textContent), s = place.getBoundingClientRect().width / p.wide.width, raw = atob(p.points[0]), [x, y] = p.wide.tiles[0];
		let rows = 0;
		for (let i = 0; i < raw.length; i += 4) { if (raw.charCodeAt(i) + 256 * raw.charCodeAt(i + 1) < 65534 / 2) { rows++; } }
		return {Left: {X: x * s + place.offsetLeft, Y: y * s + place.offsetTop, Width: p.side * s / 2, Height: p.side * s}, Rows: rows};
	}`, 5)
	drag(false, [2]float64{half.Left.X + 0.5, half.Left.Y + 1}, [2]float64{half.Left.X + half.Left.Width, half.Left.Y + half.Left.Height - 1})
	// The mouse has whole-pixel positions.
	if n, ok := marked(func(n []int) bool { return math.Abs(float64(n[1]-half.Rows)) <= 30 && n[0] == 2*n[1] && n[5] == 2*n[1] }); !ok || half.Rows < 300 {
		b.Errorf("half of a small panel holds %d samples, and figures mark %v", half.Rows, n)
	}
	small("selection-multiples")
	theme("JupyterLab Dark")
	at = ask[box](b.T, b.tab, figureAt, 5)
	b.until(patience, "the buttons of the picture are dark", `k => {`+figure+` return figure.querySelector(".ssdrnb-tools button").style.background.includes("34, 34, 34"); }`, 5)
	small("selection-multiples-dark")
	theme("JupyterLab Light")
	at = ask[box](b.T, b.tab, figureAt, 5)
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + half.Left.X + 20, Y: at.Y + half.Left.Y + 20}))
	b.must(b.tab.Keyboard.Press(input.Escape))
	b.must(b.tab.Keyboard.Release(input.Escape))
	if n, ok := marked(none); !ok {
		b.Errorf("after Escape in a picture figures mark %v", n)
	}
	// A box without height selects nothing, and clears the selection.
	drag(false, [2]float64{half.Left.X + 0.5, half.Left.Y + 1}, [2]float64{half.Left.X + half.Left.Width, half.Left.Y + half.Left.Height - 1})
	if n, ok := marked(func(n []int) bool { return slices.Min(n) > 0 }); !ok {
		b.Errorf("selected again, figures mark %v", n)
	}
	drag(false, [2]float64{half.Left.X + 5, half.Left.Y + 20}, [2]float64{half.Left.X + 40, half.Left.Y + 20})
	if n, ok := marked(none); !ok || ask[bool](b.T, b.tab, `() => !!document.querySelector(".ssdrnb-selection")`) {
		b.Errorf("a selection of nothing: figures mark %v", n)
	}
	at = ask[box](b.T, b.tab, figureAt, 0)

	// A hovered sample has a ring in the other panel and in the other figures.
	type spot struct {
		Sample int
		X, Y   float64
	}
	s := ask[spot](b.T, b.tab, `k => {`+figure+`
		const o = chart.getOption(), s = o.series.findLast(s => s.type === "scatter" && !s.xAxisIndex), v = s.data[0], q = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, v);
		return {Sample: v[v.length - 1], X: q[0], Y: q[1]};
	}`, 0)
	const ringed = `() => Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure")).map(f => Array.from(f.querySelectorAll(".ssdrnb-ring")).map(r => r.style.visibility === "visible" ? f.dataset.pointed : "-").join(" ")).join(", ")`
	var rings string
	if sample := fmt.Sprint(s.Sample); !poll(patience, 0, func() bool {
		for _, dx := range []float64{-40, 0} {
			b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + s.X + dx, Y: at.Y + s.Y}))
			time.Sleep(200 * time.Millisecond)
		}
		rings = ask[string](b.T, b.tab, ringed)
		return rings == fmt.Sprintf("- %[1]s, %[1]s, %[1]s, %[1]s, %[1]s, %[1]s %[1]s", sample)
	}) {
		b.Errorf("the pointer is on sample %d, and rings are around %s", s.Sample, rings)
	}
	shot(b.T, b.tab, box{0, 0, 1300, 1000}, "selection-hover")
	type cost struct{ Link, Frame float64 }
	took := ask[cost](b.T, b.tab, `async k => {`+figure+`
		const o = chart.getOption(), index = o.series.findIndex(s => s.type === "scatter" && s.data.length > 20), data = o.series[index].data;
		let began = performance.now();
		for (let r = 0; r < 200; r++) { chart.trigger("mouseover", {componentType: "series", seriesIndex: index, value: data[r % data.length]}); }
		const link = (performance.now() - began) / 200;
		began = performance.now();
		for (let r = 0; r < 20; r++) {
			chart.trigger("mouseover", {componentType: "series", seriesIndex: index, value: data[r % data.length]});
			await new Promise(f => requestAnimationFrame(f));
		}
		chart.trigger("mouseout", {});
		return {Link: link, Frame: (performance.now() - began) / 20};
	}`, 0)
	b.Logf("a hover marks a sample in 6 figures of 1,797 samples in %.3f ms; with a frame after each %.1f ms", took.Link, took.Frame)

	// A hidden class is hidden in all figures that show classes, and only there.
	off := func() string {
		return ask[string](b.T, b.tab, `() => Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure")).map(f => {
			if (f.dataset.kind === "multiples") { return f.querySelector("button[data-name='3']").ariaPressed === "true" ? "on" : "off"; }
			const legend = echarts.getInstanceByDom(f.querySelector(":scope > div")).getModel().getComponent("legend");
			return legend.isSelected(legend.getData().some(item => item.get("name") === "3") ? "3" : "confidence") ? "on" : "off";
		}).join(" ")`)
	}
	ask[bool](b.T, b.tab, `k => {`+figure+` chart.dispatchAction({type: "legendToggleSelect", name: "3"}); return true; }`, 3)
	var state string
	if !poll(patience, 100*time.Millisecond, func() bool { state = off(); return state == "off on off off off off" }) {
		b.Errorf("class 3 is switched off in figure 3, and is %s", state)
	}
	small("selection-off")
	ask[bool](b.T, b.tab, `k => {`+figure+` figure.querySelector("button[data-name='5']").click(); return true; }`, 5)
	b.until(patience, "class 5 is switched off in figure 0", `k => {`+figure+` return !chart.getModel().getComponent("legend").isSelected("5"); }`, 0)
	press(0, "Show all again")
	if !poll(patience, 100*time.Millisecond, func() bool { state = off(); return state == "on on on on on on" }) {
		b.Errorf("all is shown again in figure 0, and class 3 is %s", state)
	}
	b.clean()
}

// testSelectionInCopy copies the notebook of testSelection, whose kernel is still running: a
// selection in a figure of the copy is stored for the copy.
func testSelectionInCopy(t *testing.T, root, address string) {
	raw, err := os.ReadFile(filepath.Join(root, "select.ipynb"))
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "copy.ipynb"), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.address = address + "&reset"
	b.load()
	b.until(time.Minute, "the figure of the copy is drawn", `k => {`+figure+` figure.scrollIntoView({block: "center"}); return figure.dataset.drawn === "yes"; }`, 2)
	ask[bool](b.T, b.tab, `k => {`+figure+` Array.from(figure.querySelectorAll("button")).find(b => b.title.startsWith("Select with a box")).click(); return true; }`, 2)
	at := ask[box](b.T, b.tab, figureAt, 2)
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + 0.2*at.Width, Y: at.Y + 0.2*at.Height}))
	b.must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
	b.must(b.tab.Mouse.MoveLinear(proto.Point{X: at.X + 0.6*at.Width, Y: at.Y + 0.6*at.Height}, 5))
	b.must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	b.until(patience, "samples of the copy are selected", `k => {`+figure+` const f = figure.querySelector(".ssdrnb-selection input"); if (f) { f.focus(); f.select(); } return !!f; }`, 2)
	for _, c := range "mine" {
		b.must(b.tab.Keyboard.Type(input.Key(c)))
	}
	b.must(b.tab.Keyboard.Type(input.Enter))
	b.until(patience, "the selection of the copy is stored", `k => {`+figure+` return figure.querySelector(".ssdrnb-selection").innerText.includes("Stored in ssdrnb-constraints/copy/selection-mine.json"); }`, 2)
	if _, err := os.Stat(filepath.Join(root, "ssdrnb-constraints", "select", "selection-mine.json")); !os.IsNotExist(err) {
		b.Errorf("the selection of the copy is with the first notebook: %v", err)
	}
	b.clean()
}
