package widgets

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// needChromium skips a test that needs a browser if there is none, and in short runs. Such tests
// run in parallel.
func needChromium(t *testing.T) {
	t.Helper()
	browser.Path(t)
	t.Parallel()
}

// builtEngine builds the engine once: the packed module and the script of its workers.
var builtEngine = sync.OnceValues(func() ([2][]byte, error) {
	var none [2][]byte
	// This takes half a minute of processor time, and minutes on a busy machine, unless Go's cache
	// has it, as after ./install.sh.
	dir, err := os.MkdirTemp("", "ssdrnb-engine")
	if err != nil {
		return none, err
	}
	defer os.RemoveAll(dir)
	wasm := filepath.Join(dir, "engine.wasm")
	build := exec.Command("go", "build", "-tags", "ssdrnb_simd128", "-trimpath", "-ldflags=-s -w", "-o", wasm, "./page")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-mod=readonly")
	if out, err := build.CombinedOutput(); err != nil {
		return none, fmt.Errorf("%w\n%s", err, out)
	}
	raw, err := os.ReadFile(wasm)
	if err != nil {
		return none, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(raw)
	_ = z.Close()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return none, err
	}
	var script []byte
	for _, part := range []string{filepath.Join("page", "worker.js"), filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")} {
		raw, err := os.ReadFile(part)
		if err != nil {
			return none, err
		}
		script = append(script, raw...)
	}
	return [2][]byte{packed.Bytes(), script}, nil
})

// writePage writes a page of widgets with the engine, as in an export.
func writePage(t *testing.T, path string, tasks ...pageTask) {
	t.Helper()
	engine, err := builtEngine()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head><body>`)
	for _, p := range tasks {
		task := p.Task
		task.Placed = false // as in the cell, which draws the static figure
		w, err := open(task, noStore{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := figure(w)
		picture, err := f.PNG()
		if err != nil {
			t.Fatal(err)
		}
		html, err := payload{Kind: p.Task.Kind, Page: &p}.fragment(pageNote, f.Text(), picture)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(html)
	}
	script, err := os.ReadFile(filepath.Join("..", "viz", "js", "bundle", "widgets.js"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "<script>%s</script>", script)
	fmt.Fprintf(&b, `<script type="text/plain" id="ssdrnb-engine-exec">%s</script>`, engine[1])
	for part := range slices.Chunk(engine[0], 3<<16) {
		fmt.Fprintf(&b, `<script type="text/plain" class="ssdrnb-engine">%s</script>`, base64.StdEncoding.EncodeToString(part))
	}
	b.WriteString("</body></html>")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %.1f MB, the engine %.1f MB packed", filepath.Base(path), float64(b.Len())/1e6, float64(len(engine[0]))/1e6)
}

// tab is a page in a browser without a network.
type tab struct {
	*testing.T
	page *rod.Page
}

// openTab opens a file in a browser.
func openTab(t *testing.T, file string) tab {
	t.Helper()
	page := browser.Page(t).Timeout(10 * time.Minute) // for all calls together
	one := tab{t, page}
	one.must(proto.NetworkEnable{}.Call(page))
	one.must(proto.NetworkEmulateNetworkConditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}.Call(page))
	_, err := page.EvalOnNewDocument(`window.began = performance.now(); window.longest = 0; window.errors = []; window.violations = [];
		document.addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective + " " + e.blockedURI));
		addEventListener("error", e => errors.push(e.message)); addEventListener("unhandledrejection", e => errors.push(String(e.reason)));
		new PerformanceObserver(list => list.getEntries().forEach(e => { window.longest = Math.max(window.longest, e.duration); })).observe({type: "longtask", buffered: true});`)
	one.must(err)
	one.must(page.Navigate("file://" + file))
	one.must(page.WaitLoad())
	return one
}

func (o tab) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// eval evaluates a function on the k-th widget w.
func (o tab) eval(k int, body string) string {
	o.Helper()
	got, err := o.page.Timeout(patience).Eval(`async k => { const w = document.querySelectorAll(".ssdrnb-widget")[k]; `+body+` }`, k)
	if err != nil {
		o.Fatal(err)
	}
	return got.Value.Str()
}

// faultless fails the test if the page has reported errors.
func (o tab) faultless() {
	o.Helper()
	if errors := o.eval(0, `return JSON.stringify(window.errors)`); errors != "[]" {
		o.Errorf("in the page: %s", errors)
	}
}

// patience is the timeout of each wait; a busy machine is slow.
const patience = time.Minute

// until waits for a condition on the k-th widget w.
func (o tab) until(k int, condition string) {
	o.Helper()
	const limit = patience
	for began := time.Now(); o.eval(k, "return String(!!("+condition+"))") != "true"; time.Sleep(40 * time.Millisecond) {
		if time.Since(began) > limit {
			o.shot("in-vain")
			o.Fatalf("waited in vain for %s; the widget: %s", condition, o.eval(k, `return w.dataset.state + " " + w.dataset.error + " " + w.innerText.slice(0, 600) + JSON.stringify(window.errors)`))
		}
	}
}

// shot writes a screenshot of the page into the folder SSDRNB_SHOTS, if that is set.
func (o tab) shot(name string) {
	o.Helper()
	dir := os.Getenv("SSDRNB_SHOTS")
	if dir == "" {
		return
	}
	raw, err := o.page.Screenshot(false, nil)
	o.must(err)
	o.must(os.WriteFile(filepath.Join(dir, name+".png"), raw, 0o600))
}

// narrow checks in narrow windows, in the light and the dark theme of JupyterLab, that the widget
// is not wider than its window.
func (o tab) narrow(name string) {
	o.Helper()
	for _, width := range []int{900, 560, 400} {
		o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1000, DeviceScaleFactor: 1}))
		for theme, style := range map[string]string{
			"light": "background:#fff",
			"dark":  "background:#111;color:#eee;--jp-ui-font-color1:#eee;--jp-layout-color1:#111;--jp-layout-color2:#333;--jp-border-color1:#666;--jp-border-color2:#555",
		} {
			o.eval(0, fmt.Sprintf(`document.body.dataset.jpThemeLight = %q; document.body.style.cssText = %q; w.scrollIntoView(); return ""`, strconv.FormatBool(theme == "light"), style))
			// The rings of labelled samples have the colour of the text.
			o.until(0, fmt.Sprintf(`Array.from(w.querySelectorAll(".ssdrnb-plot > canvas")).every(c => {
				const p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
				for (let i = 0; i < p.length; i += 4) {
					if (p[i] === %[1]d && p[i + 1] === %[1]d && p[i + 2] === %[1]d && p[i + 3] === 255) { return true; }
				}
				return false;
			})`, map[string]int{"light": 0x22, "dark": 0xee}[theme]))
			o.until(0, fmt.Sprintf(`innerWidth === %d && document.scrollingElement.scrollWidth <= innerWidth`, width))
			o.shot(fmt.Sprintf("%s-%d-%s", name, width, theme))
		}
	}
	o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 1200, Height: 900, DeviceScaleFactor: 1}))
}

// slide sets the slider of an option and returns the milliseconds until the new plot.
func (o tab) slide(k int, name string, value int) float64 {
	o.Helper()
	got, err := o.page.Timeout(2*patience).Eval(`([k, name, value]) => new Promise((done, failed) => {
		const w = document.querySelectorAll(".ssdrnb-widget")[k], before = Number(w.dataset.revision), began = performance.now();
		const s = w.querySelector('.ssdrnb-control[data-name="' + name + '"] input[type=range]');
		w.addEventListener("ssdrnb-drawn", function f(e) {
			if (e.detail.revision <= before) { return; }
			w.removeEventListener("ssdrnb-drawn", f);
			done(performance.now() - began);
		});
		setTimeout(() => failed(new Error("no picture: " + w.innerText.slice(0, 500))), 60000);
		s.value = value;
		s.dispatchEvent(new Event("input"));
	})`, []any{k, name, value})
	if err != nil {
		o.Fatal(err)
	}
	return got.Value.Num()
}

const isLive = `w.dataset.state === "live" && w.dataset.revision`

// An explorer in a page loaded from a file, without network and kernel: a slider refits.
func TestExplorerInPage(t *testing.T) {
	needChromium(t)
	d := datasets.Digits().KeepLabels(20).Seed(1)
	var tasks []pageTask
	methods := []ssdrnb.Estimator{ssdrnb.TRSDA(), ssdrnb.PCA(), ssdrnb.LDA(), ssdrnb.SDA()}
	for _, m := range methods {
		tasks = append(tasks, pageTask{Task: Explorer(m, d).task, Name: "options-" + m.Spec().Method().Name, Notebook: "test"})
	}
	path := filepath.Join(t.TempDir(), "page.html")
	writePage(t, path, tasks...)
	o := openTab(t, path)
	o.until(0, isLive)
	t.Logf("first move possible %s ms after load, longest task of the main thread %s ms", o.eval(0, `return (performance.now() - window.began).toFixed(0)`), o.eval(0, `return window.longest.toFixed(0)`))
	if engine := o.eval(0, `return w.dataset.engine`); engine != blas.SIMD128 { // supported by Chromium
		t.Errorf("the matrix engine of the page is %q", engine)
	}
	o.shot("explorer-page")
	for k, m := range methods {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
		o.eval(k, `window.longest = 0; return ""`)
		name, first := "neighbors", 3
		if _, ok := m.Spec().Method().Param(name); !ok {
			name, first = "pca", 80
			if _, ok := m.Spec().Method().Param(name); !ok {
				name, first = "dims", 0
			}
		}
		var times []float64
		const moves = 8
		for i := range moves {
			value := first + i
			if name == "dims" {
				value = i % 2
			}
			times = append(times, o.slide(k, name, value))
		}
		slices.Sort(times)
		t.Logf("%s, %s: slider to picture: median %.0f ms, worst %.0f; longest task of the main thread %s ms", m.Spec().Method().Name, name, times[moves/2], times[moves-1],
			o.eval(k, `return window.longest.toFixed(0)`)) // 0 is less than 50
	}
	o.eval(0, `w.scrollIntoView(); return ""`)
	o.shot("explorer-page-moved")
	// Out-of-range values are refused with the library's error, and the plot stays.
	before := o.eval(0, `return w.dataset.revision`)
	o.eval(0, `w.ssdrnb.post("set", {name: "neighbors", value: -5}); return ""`)
	o.until(0, `w.dataset.error`)
	want := ssdrnb.TRSDA().Neighbors(-5).Spec().Err().Error()
	if got := o.eval(0, `return w.querySelector(".ssdrnb-error").textContent`); got != want {
		t.Errorf("out of range: %q, want %q", got, want)
	}
	if after := o.eval(0, `return w.dataset.revision`); after != before {
		t.Errorf("the plot changed from %s to %s", before, after)
	}
	// The chosen options survive a reload.
	code := o.eval(0, `return w.querySelector("code").textContent`)
	if !strings.Contains(code, ".Neighbors(") {
		t.Errorf("after the slider: %s", code)
	}
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	if got := o.eval(0, `return w.querySelector("code").textContent`); got != code {
		t.Errorf("after a reload: %s, want %s", got, code)
	}
	o.faultless()
}

// subspace is the projector onto the columns of a centred embedding. It does not depend on the
// signs of the directions or on a rotation among them.
func subspace(y *mat.Dense) *mat.Dense {
	n, d := y.Dims()
	centred := mat.NewDense(n, d, nil)
	for k := range d {
		mean := mat.Sum(y.ColView(k)) / float64(n)
		for i := range n {
			centred.Set(i, k, y.At(i, k)-mean)
		}
	}
	var qr mat.QR
	qr.Factorize(centred)
	var q, p mat.Dense
	qr.QTo(&q)
	first := q.Slice(0, n, 0, d)
	p.Mul(first, first.T())
	return &p
}

// The page computes the same results as Go.
func TestPageAgrees(t *testing.T) {
	needChromium(t)
	d := datasets.Digits().Seed(1).Take(30).KeepLabels(10)
	methods := []ssdrnb.Estimator{ssdrnb.PCA(), ssdrnb.LDA(), ssdrnb.SDA().Neighbors(7), ssdrnb.TRSDA().Manifold(0.3)}
	var tasks []pageTask
	for _, m := range methods {
		tasks = append(tasks, pageTask{Task: Explorer(m, d).task})
	}
	path := filepath.Join(t.TempDir(), "agrees.html")
	writePage(t, path, tasks...)
	o := openTab(t, path)
	for k, m := range methods {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
		text := o.eval(k, `return await new Promise(done => w.ssdrnb.post("export", "csv", {reply: file => done(atob(file.content))}))`)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != d.Len()+1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		y := mat.NewDense(d.Len(), len(rows[0])-1, nil)
		for i, row := range rows[1:] {
			for c, v := range row[:len(row)-1] {
				f, err := strconv.ParseFloat(v, 64)
				if err != nil {
					t.Fatal(err)
				}
				y.Set(i, c, f)
			}
		}
		model, err := m.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		var apart mat.Dense
		apart.Sub(subspace(y), subspace(model.Embedding()))
		off := mat.Norm(&apart, 2)
		t.Logf("%v: the projectors differ by %.1e", m.Spec(), off)
		if off > 1e-8 {
			t.Errorf("%v: the page's projector differs by %g", m.Spec(), off)
		}
	}
}

// Five constraints survive a reload, and reach another browser by Export and Import. A drawing on
// other data is refused with the store's error. Names in the data are text.
func TestDrawingInPage(t *testing.T) {
	needChromium(t)
	d := *datasets.Wine().HideLabels()
	d.Name = `<img src=x onerror="window.harmed=1">`
	d.ClassNames = []string{`</script><script>window.harmed=1</script>`, "b", "c"}
	dir := t.TempDir()
	path, other := filepath.Join(dir, "drawing.html"), filepath.Join(dir, "other.html")
	writePage(t, path, pageTask{Task: ConstraintEditor(ssdrnb.SSDR(), &d).Name("x").task, Name: "x", Notebook: "test"})
	o := openTab(t, path)
	o.until(0, isLive)
	for k, p := range [][2]int{{0, 1}, {1, 2}, {60, 61}, {0, 60}, {1, 140}} {
		o.eval(0, fmt.Sprintf(`w.ssdrnb.post("pair", {I: %d, J: %d, Cannot: %v}); return ""`, p[0], p[1], k > 2))
	}
	const five = `w.ssdrnb && w.ssdrnb.last() && w.ssdrnb.last().pairs.length === 5`
	o.until(0, five)
	o.until(0, `(w.dataset.saved || "") === "in this browser"`)
	o.shot("drawing")
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	o.until(0, five)
	file := o.eval(0, `return await new Promise(done => {
		const make = URL.createObjectURL;
		URL.createObjectURL = blob => { if (blob.type === "") { blob.text().then(done); } return make(blob); };
		Array.from(w.querySelectorAll("button")).find(b => b.textContent === "Export").click();
	})`)
	if !strings.Contains(file, `"must":[[0,1],[1,2],[60,61]]`) {
		t.Fatalf("exported: %.300s", file)
	}
	saved := filepath.Join(dir, "x.json")
	o.must(os.WriteFile(saved, []byte(file), 0o600))

	elsewhere := openTab(t, path)
	elsewhere.until(0, isLive)
	elsewhere.until(0, `w.ssdrnb.last().pairs.length === 0`)
	choose := func(o tab) {
		input, err := o.page.Element(`.ssdrnb-widget input[type=file]`)
		o.must(err)
		o.must(input.SetFiles([]string{saved}))
	}
	choose(elsewhere)
	elsewhere.until(0, five)

	writePage(t, other, pageTask{Task: ConstraintEditor(ssdrnb.SSDR(), datasets.Iris().HideLabels()).Name("x").task, Name: "x", Notebook: "test"})
	third := openTab(t, other)
	third.until(0, isLive)
	choose(third)
	third.until(0, `w.dataset.error.includes("was drawn on other data")`)
	third.until(0, `w.ssdrnb.last().pairs.length === 0`)
	if harmed := o.eval(0, `return String(!!window.harmed || !!document.querySelector("img[src='x']"))`); harmed != "false" {
		t.Error("a name of the data became markup")
	}
	for _, o := range []tab{o, elsewhere, third} {
		o.faultless()
	}
}

// On a phone the plot is as wide as the window, and the sample under the pointer is the one drawn
// there. Samples have the names in the table. While the controls start, a line reports this.
func TestEditorOnPhone(t *testing.T) {
	needChromium(t)
	wine := datasets.Wine().HideLabels()
	bottles := make([]string, wine.Len())
	for i := range bottles {
		bottles[i] = fmt.Sprintf("<b>bottle %d</b>", i)
	}
	d := wine.WithAttribute("label", bottles)
	path := filepath.Join(t.TempDir(), "phone.html")
	writePage(t, path, pageTask{Task: ConstraintEditor(ssdrnb.SSDR(), d).Name("phone").task, Name: "phone", Notebook: "test"})
	o := openTab(t, path)
	o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 400, Height: 900, DeviceScaleFactor: 2}))
	_, err := o.page.EvalOnNewDocument(`window.said = []; new MutationObserver(() => {
		const p = document.querySelector(".ssdrnb-widget > p");
		if (p && p.style.display !== "none" && window.said.slice(-1)[0] !== p.textContent) { window.said.push(p.textContent); }
	}).observe(document, {childList: true, subtree: true, characterData: true, attributes: true});`)
	o.must(err)
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	if said := o.eval(0, `return JSON.stringify(window.said.slice(-1))`); said != `["The controls are starting."]` {
		t.Errorf("before the controls are live the widget shows %s", said)
	}
	o.until(0, `document.scrollingElement.scrollWidth <= innerWidth && w.querySelector("canvas").getBoundingClientRect().width < 400`)
	if ratio := o.eval(0, `const b = w.querySelector("canvas").getBoundingClientRect(); return String(Math.abs(b.width - b.height) < 0.5)`); ratio != "true" {
		t.Error("the plot is not square")
	}
	o.until(0, `w.ssdrnb.last() && w.ssdrnb.last().suggested.length > 0 && !w.ssdrnb.plot.moving()`)
	first := o.eval(0, `return String(w.ssdrnb.last().suggested[0])`)
	if got, want := o.eval(0, `return Array.from(w.querySelectorAll("h4")).pop().nextElementSibling.querySelector("li").textContent`), fmt.Sprintf("<b>bottle %s</b> (sample %s)", first, first); got != want {
		t.Errorf("worth labelling next is %q, want %q", got, want)
	}
	var x, y float64
	if _, err := fmt.Sscanf(o.eval(0, `w.scrollIntoView(); const p = w.ssdrnb.plot.place(`+first+`); return p.X + "," + p.Y`), "%g,%g", &x, &y); err != nil {
		t.Fatal(err)
	}
	o.must(o.page.Mouse.MoveTo(proto.Point{X: x - 1, Y: y}))
	o.must(o.page.Mouse.MoveTo(proto.Point{X: x, Y: y}))
	o.until(0, `w.querySelector(".ssdrnb-tip").innerText.includes("label: <b>bottle `+first+`</b>") && w.querySelector(".ssdrnb-tip").innerText.startsWith("sample `+first+`:")`)
	o.until(0, `document.scrollingElement.scrollWidth <= innerWidth`)
	o.shot("editor-phone")
	o.faultless()
}

// The reader paints in a page, with the mouse and the keys: brush, spray and eraser. Everything can
// be undone, survives a reload, and gives Go the same data and regions. Names of classes are text,
// and cross-origin messages are ignored.
func TestPaintInPage(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "paint.html")
	task := Paint("x", ssdrnb.LDA(), ssdrnb.KSDA(), ssdrnb.PCA()).Classes(`<img src=x onerror="window.harmed=1">`, "b", "c").task
	writePage(t, path, pageTask{Task: task, Name: paintingOf("x"), Notebook: "test"})
	o := openTab(t, path)
	o.until(0, isLive)
	const spots, s, settled = `w.ssdrnb.last().spots.length / 3`, `w.ssdrnb.last()`, `w.ssdrnb.last().drawn === w.ssdrnb.last().changes`
	o.until(0, spots+` === 160 && `+s+`.regions.length === 3600`)
	o.shot("paint")
	corner := o.eval(0, `w.scrollIntoView(); const b = w.querySelector(".ssdrnb-body canvas").getBoundingClientRect(); return [b.x, b.y, b.width].join()`)
	var left, top, side float64
	if _, err := fmt.Sscanf(corner, "%g,%g,%g", &left, &top, &side); err != nil {
		t.Fatal(err)
	}
	drag := func(from, to [2]float64) {
		t.Helper()
		o.must(o.page.Mouse.MoveTo(proto.Point{X: left + side*from[0], Y: top + side*from[1]}))
		o.must(o.page.Mouse.Down(proto.InputMouseButtonLeft, 1))
		o.must(o.page.Mouse.MoveLinear(proto.Point{X: left + side*to[0], Y: top + side*to[1]}, 12))
		o.must(o.page.Mouse.Up(proto.InputMouseButtonLeft, 1))
	}
	press := func(text string) {
		t.Helper()
		o.eval(0, `Array.from(w.querySelectorAll("button")).find(b => b.textContent === `+strconv.Quote(text)+`).click(); return ""`)
	}
	count := func() string { return o.eval(0, `return String(`+spots+`)`) }
	press("c")
	drag([2]float64{0.05, 0.05}, [2]float64{0.3, 0.05})
	o.until(0, spots+` >= 169 && `+s+`.undo === 1 && !`+s+`.error && `+s+`.regions[3 * 60 + 10] === "2"`)
	o.must(o.page.KeyActions().Press(input.ControlLeft).Type(input.KeyZ).Release(input.ControlLeft).Do())
	o.until(0, spots+` === 160 && `+s+`.redo === 1`)
	o.must(o.page.KeyActions().Press(input.ControlLeft, input.ShiftLeft).Type(input.KeyZ).Release(input.ShiftLeft, input.ControlLeft).Do())
	o.until(0, spots+` >= 169 && `+s+`.undo === 1 && !`+s+`.redo`)
	painted := count() // for the whole stroke, which comes in parts
	press("Spray")
	drag([2]float64{0.8, 0.9}, [2]float64{0.9, 0.9})
	o.until(0, spots+` > `+painted+` && `+s+`.undo === 2`)
	press("Eraser")
	drag([2]float64{0.7, 0.9}, [2]float64{1, 0.9})
	o.until(0, s+`.undo === 3`)
	// The keys: class b, to the right of the middle, one spot.
	o.eval(0, `w.querySelector(".ssdrnb-body canvas").focus(); return ""`)
	o.must(o.page.KeyActions().Type(input.Digit2, input.ArrowRight, input.ArrowRight, input.Space).Do())
	o.until(0, s+`.undo === 4 && `+s+`.spots.slice(-1)[0] === 1`)

	// The menu, the lift and the labels.
	o.eval(0, `const m = w.querySelector(".ssdrnb-side select"); m.value = "1"; m.dispatchEvent(new Event("change")); return ""`)
	o.until(0, s+`.code === "ssdrnb.KSDA()"`)
	for name, v := range map[string]string{"dimensions": "9", "noise": "0.05", "labels": "6"} {
		o.eval(0, fmt.Sprintf(`const s = w.querySelector('.ssdrnb-control[data-name="%s"] input'); s.value = %s; s.dispatchEvent(new Event("input")); return ""`, name, v))
	}
	o.until(0, s+`.lift.dims === 9 && `+s+`.lift.noise === 0.05 && `+s+`.labels === 6 && (`+s+`.ringed || "").split("1").length === 19 && !`+s+`.error && `+settled)
	o.shot("paint-lifted")
	revision := o.eval(0, `return String(`+s+`.revision)`)
	o.eval(0, `w.ssdrnb.post("set", {name: "neighbors", value: 1500}); return ""`)
	o.until(0, `w.querySelector(".ssdrnb-error").textContent.startsWith("KSDA: neighbors = 1500: ")`)
	if after := o.eval(0, `return String(`+s+`.revision)`); after != revision {
		t.Errorf("a bad option changes the plot from %s to %s", revision, after)
	}
	o.eval(0, `w.ssdrnb.post("reset", null); return ""`)
	o.until(0, `!`+s+`.error && `+s+`.code === "ssdrnb.KSDA()" && `+s+`.revision > `+revision+` && `+settled)

	// A message to the window, from this or another origin, is ignored.
	text := count()
	o.eval(0, `const clear = JSON.stringify({client: "0123456789abcdef", seq: 99, kind: "clear", body: null});
		window.postMessage(clear, "*");
		const f = document.createElement("iframe");
		f.sandbox = "allow-scripts";
		f.srcdoc = "<script>parent.postMessage(" + JSON.stringify(clear) + ", '*'); parent.postMessage({state: {}}, '*');<\/script>";
		await new Promise(done => { f.onload = done; document.body.appendChild(f); });
		return ""`)
	o.until(0, `(w.dataset.saved || "") === "in this browser"`)
	o.eval(0, `w.ssdrnb.post("paint", {Points: [[0.9, 0.9]], Class: -1, Stroke: 1}); return ""`)
	o.until(0, spots+` === `+text+` + 1 && `+settled)

	// The stored painting survives a reload, and Go can read it.
	exported := func() string {
		return o.eval(0, `return await new Promise(done => {
			const make = URL.createObjectURL;
			URL.createObjectURL = blob => { if (blob.type === "") { blob.text().then(done); } return make(blob); };
			Array.from(w.querySelectorAll("button")).find(b => b.textContent === "Export").click();
		})`)
	}
	regions := o.eval(0, `return `+s+`.regions`)
	file := exported()
	d := interact.Painted([]byte(file), "x")
	if d.Err() != nil || fmt.Sprint(d.Len()-1) != text || d.Dim() != 9 || d.NumLabelled() != 18 {
		t.Fatalf("Go reads %v", d)
	}
	w, err := task.Open(context.Background(), noStore{}, []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var here struct{ Regions string }
	raw, err := json.Marshal(w.State())
	o.must(err)
	o.must(json.Unmarshal(raw, &here))
	differ := 0
	for k := range here.Regions {
		if here.Regions[k] != regions[k] {
			differ++
		}
	}
	if len(here.Regions) != 3600 || differ > 4 { // a cell on a boundary may be in either region
		t.Errorf("%d of %d cells of the canvas have another class in Go", differ, len(here.Regions))
	}
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	if again := exported(); again != file {
		t.Errorf("after a reload %.200s, before %.200s", again, file)
	}
	o.narrow("paint")
	if harmed := o.eval(0, `return String(!!window.harmed || !!document.querySelector("img[src='x']"))`); harmed != "false" {
		t.Error("the name of a class became markup")
	}
	o.faultless()
}

// A page without an engine keeps the figure with a sentence, and so does a page whose task cannot
// be opened, with the library's error.
func TestPageWithoutEngine(t *testing.T) {
	needChromium(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	writePage(t, path, pageTask{Task: Explorer(ssdrnb.PCA(), datasets.Iris()).task})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none.html")
	if err := os.WriteFile(none, []byte(strings.ReplaceAll(string(raw), `class="ssdrnb-engine"`, `class="no-engine"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := openTab(t, none)
	o.until(0, `w.dataset.state === "dead"`)
	if text := o.eval(0, `return w.innerText`); !strings.HasPrefix(text, "Static picture. The controls are not live: this page holds no engine.") {
		t.Errorf("without an engine: %q", text)
	}
	o.until(0, `w.querySelector("img").getBoundingClientRect().width > 200`)
	bad := filepath.Join(dir, "bad.html")
	before, data, after := viztest.Split(string(raw))
	changed := strings.Replace(data, `"method":"PCA","options":{}`, `"method":"PCA","options":{"dims":-3}`, 1)
	if changed == data {
		t.Fatalf("no options in %.300s", data)
	}
	if err := os.WriteFile(bad, []byte(before+changed+after), 0o600); err != nil {
		t.Fatal(err)
	}
	o = openTab(t, bad)
	o.until(0, `w.dataset.state === "dead"`)
	if text, want := o.eval(0, `return w.innerText`), ssdrnb.PCA().Dims(-3).Spec().Err().Error(); !strings.HasPrefix(text, "Static picture. "+want) {
		t.Errorf("a bad option: %q, want %q", text, want)
	}
}

// A page with a strict content security policy computes and stores. The policy allows its scripts
// by hash, WebAssembly, workers from blobs, embedded styles and images, and nothing else.
func TestStrictPolicy(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "strict.html")
	writePage(t, path, pageTask{Task: Explorer(ssdrnb.LDA(), datasets.Iris()).task, Name: "options-x", Notebook: "test"})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hashes := ""
	for _, m := range regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllSubmatch(raw, -1) {
		sum := sha256.Sum256(m[1])
		hashes += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	if hashes == "" {
		t.Fatal("the page has no script")
	}
	policy := "default-src 'none'; script-src" + hashes + " 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src data:"
	strict := strings.Replace(string(raw), "<head>", `<head><meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
	if err := os.WriteFile(path, []byte(strict), 0o600); err != nil {
		t.Fatal(err)
	}
	o := openTab(t, path)
	o.until(0, isLive)
	if ms := o.slide(0, "pca", 90); ms <= 0 {
		t.Error("no picture")
	}
	o.until(0, `(w.dataset.saved || "") === "in this browser"`)
	if broken := o.eval(0, `return JSON.stringify(window.violations.concat(window.errors))`); broken != "[]" {
		t.Errorf("in the page: %s", broken)
	}
	// The policy is enforced: without WebAssembly the figure stays, with the reason.
	if err := os.WriteFile(path, []byte(strings.Replace(strict, " 'wasm-unsafe-eval'", "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, `w.dataset.state === "dead" && w.innerText.startsWith("Static picture. The controls are not live")`)
}

// A playground in a page: another method, other labels, another seed, and the switch between the
// truth and the labels given to the method.
func TestPlaygroundInPage(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "playground.html")
	d := datasets.Digits().Seed(1).Take(60)
	writePage(t, path, pageTask{Task: Playground(d, ssdrnb.PCA(), ssdrnb.TRSDA(), ssdrnb.S2NE()).task, Name: "playground-x", Notebook: "test"})
	o := openTab(t, path)
	o.until(0, isLive)
	change := func(what, action, condition string) {
		t.Helper()
		before := o.eval(0, `return w.dataset.revision`)
		o.eval(0, action+`; return ""`)
		o.until(0, `w.dataset.revision !== "`+before+`" && (`+condition+`)`)
		if failure := o.eval(0, `return w.dataset.error`); failure != "" {
			t.Errorf("%s: %s", what, failure)
		}
	}
	change("method", `w.querySelector("select").value = "1"; w.querySelector("select").dispatchEvent(new Event("change"))`, `w.querySelector("code").textContent === "ssdrnb.TRSDA()"`)
	change("labels", `const s = w.querySelector("input[type=range]"); s.value = 3; s.dispatchEvent(new Event("input"))`, `w.ssdrnb.last().labels === 3 && w.ssdrnb.last().ringed.split("1").length === 31`)
	change("seed", `Array.from(w.querySelectorAll("button")).find(b => b.textContent === "Draw others").click()`, `w.ssdrnb.last().seed === 2`)
	o.shot("playground")
	colored := func() string {
		return o.eval(0, `return String(w.ssdrnb.plot.of.filter(k => k < w.ssdrnb.plot.colors.length - 1).length)`)
	}
	if got := colored(); got != "600" {
		t.Errorf("%s samples are coloured, want all", got)
	}
	o.eval(0, `Array.from(w.querySelectorAll("button")).find(b => b.textContent === "Unlabel").click(); return ""`)
	if got := colored(); got != "30" {
		t.Errorf("%s samples are coloured, want the 30 with a label", got)
	}
	o.shot("playground-unlabelled")
	o.narrow("playground")
	// A layout is drawn in progress: unfinished plots have negative numbers.
	change("S2NE", `window.passed = 0; window.asked = performance.now(); w.addEventListener("ssdrnb-drawn", e => {
		if (e.detail.revision < 0) { window.first = window.first || performance.now(); window.passed++; }
	}); new MutationObserver(() => {
		const at = /layout, ([0-9]+) of/.exec(w.querySelector(".ssdrnb-status").textContent);
		if (at && Number(at[1]) >= 50) { window.fifty = window.fifty || performance.now(); }
	}).observe(w.querySelector(".ssdrnb-status"), {childList: true}); w.querySelector("select").value = "2"; w.querySelector("select").dispatchEvent(new Event("change"))`, `w.querySelector("code").textContent === "ssdrnb.S2NE()" && Number(w.dataset.revision) > 0`)
	if o.eval(0, `return String(window.passed > 0)`) != "true" {
		t.Error("no unfinished layout is drawn")
	}
	t.Logf("S2NE: first picture after %s ms, 50 iterations after %s ms, %s frames on the way", o.eval(0, `return (window.first - window.asked).toFixed(0)`),
		o.eval(0, `return (window.fifty - window.asked).toFixed(0)`), o.eval(0, `return String(window.passed)`))
	o.shot("playground-s2ne")
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	if got := o.eval(0, `const s = w.ssdrnb.last(); return [s.method, s.labels, s.seed].join()`); got != "2,3,2" {
		t.Errorf("after a reload: %s", got)
	}
}
