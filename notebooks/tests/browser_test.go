package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// notebookFault matches exceptions of Notebook 7's own code, which looks up the schema of a setting
// that it does not have.
var notebookFault = regexp.MustCompile(`^[^\n]*\n\s*at [^\n]*/static/notebook/notebook_core\.`)

// openBrowser returns a page of a browser, and a function that returns its faults:
// exceptions, and requests that leave the machine.
func openBrowser(t *testing.T) (tab *rod.Page, trouble func() []string) {
	t.Helper()
	browser.Path(t)
	browser.Turn(t)
	tab = browser.Page(t).Timeout(20 * time.Minute)
	if err := tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 1300, Height: 1000, DeviceScaleFactor: 1}); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var list []string
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, fmt.Sprintf(format, args...))
	}
	go tab.EachEvent(func(e *proto.RuntimeExceptionThrown) {
		d := e.ExceptionDetails
		if notebookFault.MatchString(d.Exception.Description) {
			return
		}
		note("exception: %s %s (%s:%d)", d.Text, d.Exception.Description, d.URL, d.LineNumber)
	}, func(e *proto.NetworkRequestWillBeSent) {
		u, err := url.Parse(e.Request.URL)
		if err != nil || (strings.HasPrefix(u.Scheme, "http") && u.Hostname() != "127.0.0.1") {
			note("request: %s", e.Request.URL)
		}
	})()
	return tab, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), list...)
	}
}

// ask evaluates a function in the page and decodes its result.
func ask[T any](t *testing.T, tab *rod.Page, function string, args ...any) (out T) {
	t.Helper()
	r, err := tab.Eval(function, args...)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Value.Unmarshal(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// poll repeats a check for a limited time, and reports whether it succeeded.
func poll(limit, pause time.Duration, so func() bool) bool {
	for began := time.Now(); !so(); time.Sleep(pause) {
		if time.Since(began) > limit {
			return false
		}
	}
	return true
}

// patience is the timeout of tests for steps that are slow on a busy machine.
const patience = time.Minute

// baseURL is the path below which [lab] serves.
const baseURL = "/some/where/"

// lab starts JupyterLab on a folder, below a base URL that is not the root, and returns the address
// of a file in it. With SSDRNB_JUPYTER=notebook it starts Notebook 7 instead, which must be
// installed.
func lab(t *testing.T, bin string, env []string, root string) func(name string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	program, tree := "jupyter-lab", "lab/tree/"
	if os.Getenv("SSDRNB_JUPYTER") == "notebook" {
		program, tree = "jupyter-notebook", "notebooks/"
		settings := "" // tall outputs get no scroll bar of their own
		for _, v := range env {
			if dir, ok := strings.CutPrefix(v, "JUPYTERLAB_SETTINGS_DIR="); ok {
				settings = filepath.Join(dir, "@jupyter-notebook", "notebook-extension")
			}
		}
		if err := os.MkdirAll(settings, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(settings, "scroll-output.jupyterlab-settings"), []byte(`{"autoScrollOutputs": false}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(bin, program), "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", fmt.Sprintf("--ServerApp.port=%d", port),
		"--ServerApp.base_url="+baseURL, "--IdentityProvider.token=test", "--ServerApp.root_dir="+root,
		"--expose-app-in-browser")
	cmd.Env = append(slices.Clip(env), "SSDRNB_COMPLETION=off") // no page here completes code
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.WaitDelay = 15 * time.Second
	end, err := browser.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		end(15 * time.Second) // on a termination request the server ends its kernels too
		<-ended
	})
	base := fmt.Sprintf("http://127.0.0.1:%d%s", port, baseURL)
	for range 360 { // a busy machine is slow
		if r, err := http.Get(base + "api?token=test"); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return func(name string) string { return base + tree + name + "?token=test" }
			}
		}
		time.Sleep(250 * time.Millisecond)
	}
	t.Fatalf("JupyterLab did not start:\n%s", log.String())
	return nil
}

// box is the position and size of an element in the window.
type box struct{ X, Y, Width, Height float64 }

// figureAt scrolls figure k of the notebook into view and returns its position. JupyterLab adds the
// outputs of a notebook after the page has loaded, so it waits for the figure.
const figureAt = `async (k) => {
	let f;
	for (const began = performance.now(); !f; await new Promise(r => setTimeout(r, 50))) {
		f = document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[k];
		if (!f && performance.now() - began > 60000) { throw new Error("there is no figure " + k); }
	}
	f.scrollIntoView({block: "center"});
	const b = await still(f);
	return {X: b.x, Y: b.y, Width: b.width, Height: b.height};
	` + stillFrame + `
}`

// stillFrame declares a function that waits until an element has not moved for a fifth of a second,
// or for three seconds, and returns its position.
const stillFrame = `async function still(e) {
	let b = e.getBoundingClientRect();
	for (let began = performance.now(), since = began; performance.now() - since < 200 && performance.now() - began < 3000;) {
		await new Promise(f => requestAnimationFrame(() => setTimeout(f, 0)));
		const now = e.getBoundingClientRect();
		if (["x", "y", "width", "height"].some(k => now[k] !== b[k])) { since = performance.now(); }
		b = now;
	}
	return b;
}`

// shot keeps a screenshot of an area among the artefacts, if there is a folder for them. Otherwise it
// waits until the page has drawn twice, or for a second, as a page in the background draws nothing.
func shot(t *testing.T, tab *rod.Page, b box, name string) {
	t.Helper()
	if os.Getenv("SSDRNB_ARTIFACTS") != "" {
		screenshot(t, tab, b, name)
		return
	}
	ask[bool](t, tab, `() => new Promise(done => {
		setTimeout(() => done(true), 1000);
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 0)));
	})`)
}

// screenshot takes a screenshot of an area, keeps it among the artefacts, and returns it.
func screenshot(t *testing.T, tab *rod.Page, b box, name string) image.Image {
	t.Helper()
	at := ask[box](t, tab, `() => ({X: scrollX, Y: scrollY})`) // a clip is relative to the document
	raw, err := tab.Screenshot(false, &proto.PageCaptureScreenshot{Clip: &proto.PageViewport{X: at.X + b.X, Y: at.Y + b.Y, Width: b.Width, Height: b.Height, Scale: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("SSDRNB_ARTIFACTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), raw, 0o644); err != nil {
			t.Error(err)
		}
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// colors counts the distinct colours of an image.
func colors(img image.Image) int {
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			r, g, bl, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, bl}] = true
		}
	}
	return len(seen)
}

// differing returns the share of pixels in which two images differ.
func differing(a, b image.Image) float64 {
	count, all := 0, 0
	r := a.Bounds().Intersect(b.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y += 2 {
		for x := r.Min.X; x < r.Max.X; x += 2 {
			all++
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 {
				count++
			}
		}
	}
	return float64(count) / float64(all)
}

// open opens a notebook in JupyterLab and scrolls through it, so that every output has been on the
// screen, until the page reports that it is ready. The timeout is a minute and a half, for busy
// machines.
func open(t *testing.T, tab *rod.Page, address, ready string) {
	t.Helper()
	if err := tab.Navigate(address); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Element(".jp-Notebook .jp-Cell"); err != nil {
		t.Fatal(err)
	}
	if !poll(90*time.Second, 0, func() bool {
		ask[bool](t, tab, `async () => {
			const outer = document.querySelector(".jp-Notebook .jp-WindowedPanel-outer") || document.querySelector(".jp-Notebook");
			for (let y = 0; y <= outer.scrollHeight; y += 400) { outer.scrollTop = y; await new Promise(r => setTimeout(r, 200)); }
			return true;
		}`)
		return ask[bool](t, tab, ready)
	}) {
		shot(t, tab, box{0, 0, 1300, 1000}, "lab-not-ready")
	}
}

func TestJupyterLab(t *testing.T) {
	t.Parallel()
	bin, env := jupyter(t)
	root := t.TempDir()
	const name = "00-quickstart.ipynb"
	raw, err := os.ReadFile(executed(t, name))
	if err != nil {
		t.Fatal(err)
	}
	tab, trouble := openBrowser(t)
	path := filepath.Join(root, name)
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	trust := exec.Command(filepath.Join(bin, "jupyter-trust"), path)
	trust.Env = env
	if out, err := trust.CombinedOutput(); err != nil {
		t.Fatalf("jupyter trust: %v\n%s", err, out)
	}
	address := lab(t, bin, env, root)
	open(t, tab, address(name), `() => {
		const figures = Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure"));
		return figures.length >= 7 && figures.every(f => f.dataset.drawn === "yes" || f.dataset.drawn === "no");
	}`)
	kinds := ask[[]string](t, tab, `() => Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure")).map(f => f.dataset.kind || "")`)
	if want := "[embedding embedding embedding pictures embedding convergence mesh]"; fmt.Sprint(kinds) != want {
		shot(t, tab, box{0, 0, 1300, 1000}, "lab-window")
		t.Fatalf("figures %v, want %v", kinds, want)
	}
	for k, kind := range kinds {
		b := ask[box](t, tab, figureAt, k)
		if k == 0 {
			shot(t, tab, box{0, 0, 1300, 1000}, "lab-window")
		}
		if drawn := ask[string](t, tab, `k => document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[k].dataset.drawn || "never"`, k); drawn != "yes" {
			t.Errorf("figure %d (%s): drawn = %s", k, kind, drawn)
			continue
		}
		picture := screenshot(t, tab, b, fmt.Sprintf("lab-%d-%s", k, kind))
		if n := colors(picture); n < 20 {
			t.Errorf("figure %d (%s) has only %d colours", k, kind, n)
		}
		switch {
		case kind == "embedding" && k == 1: // the digits, whose cards have images
			testHover(t, tab, k, b)
		case kind == "mesh":
			testRotation(t, tab, b, picture)
		}
	}
	testUntrusted(t, tab, raw, root, address)
	if list := trouble(); len(list) > 0 {
		t.Errorf("in the page: %s", strings.Join(list, "\n"))
	}
}

// testUntrusted opens an unsigned notebook with a malicious figure added: the notebook extension
// draws the figures and runs the widget, and no script of the notebook runs.
func testUntrusted(t *testing.T, tab *rod.Page, raw []byte, root string, address func(string) string) {
	t.Helper()
	var nb map[string]any
	if err := json.Unmarshal(raw, &nb); err != nil {
		t.Fatal(err)
	}
	cells := nb["cells"].([]any)
	var evil []any
	for _, c := range cells {
		outputs, _ := c.(map[string]any)["outputs"].([]any)
		for _, o := range outputs {
			bundle, _ := o.(map[string]any)["data"].(map[string]any)
			html := textOf(bundle["text/html"])
			if len(evil) > 0 || !strings.Contains(html, `data-kind="embedding"`) {
				continue
			}
			before, text, after := viztest.Split(html)
			var figure map[string]any
			if err := json.Unmarshal([]byte(text), &figure); err != nil {
				t.Fatal(err)
			}
			// Texts may have any content; TestReproducedInLab has the refused data.
			const harm = `<img src="data:," onerror="window.harmed = 'name'">`
			option := figure["option"].(map[string]any)
			for _, one := range option["title"].([]any) {
				one.(map[string]any)["text"] = harm
			}
			for _, one := range option["series"].([]any) {
				one.(map[string]any)["name"] = harm
			}
			changed, err := json.Marshal(figure)
			if err != nil {
				t.Fatal(err)
			}
			bundle = maps.Clone(bundle)
			bundle["text/html"] = `<p><img src="data:," onerror="window.harmed = 'image'"></p>` + strings.Replace(before, "position:relative", "position:fixed;top:0;left:0", 1) +
				string(changed) + after + `<script>window.harmed = "script"</script><a id="__ssdrnbEngineText" href="https://example.org/">a link</a>`
			evil = append(evil, map[string]any{"cell_type": "code", "execution_count": nil, "id": "evil", "metadata": map[string]any{}, "source": "", "outputs": []any{
				map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": bundle}}})
		}
	}
	if len(evil) == 0 {
		t.Fatal("the notebook has no embedding")
	}
	nb["cells"] = append(cells, evil...)
	raw, err := json.Marshal(nb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "untrusted.ipynb"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	// Without the tabs of the workspace.
	open(t, tab, address("untrusted.ipynb")+"&reset", `() => {
		const figures = Array.from(document.querySelectorAll(".jp-Notebook .ssdrnb-figure"));
		return figures.length >= 6 && figures.every(f => f.dataset.drawn === "yes") && !!document.querySelector(".ssdrnb-widget[data-state='live']");
	}`)
	shot(t, tab, box{0, 0, 1300, 1000}, "lab-untrusted")
	type found struct {
		Drawn, Ours, Trusted int
		Widget               string
	}
	var got found
	want := found{8, 9, 0, "live"}
	if !poll(patience, 200*time.Millisecond, func() bool {
		got = ask[found](t, tab, `() => ({
		Drawn: document.querySelectorAll(".jp-Notebook .ssdrnb-figure[data-drawn='yes'] canvas:first-of-type").length && document.querySelectorAll(".jp-Notebook .ssdrnb-figure[data-drawn='yes']").length,
		Ours: document.querySelectorAll("[data-mime-type^='application/vnd.ssdrnb.']").length,
		Trusted: Array.from(jupyterapp.shell.currentWidget.content.model.cells).filter(c => c.type === "code" && c.trusted && c.outputs.length).length,
		Widget: (document.querySelector(".ssdrnb-widget[data-page]") || {dataset: {}}).dataset.state || "",
	})`)
		return got == want
	}) {
		t.Errorf("the untrusted notebook has %+v, want %+v", got, want)
	}
	testHover(t, tab, 1, ask[box](t, tab, figureAt, 1))
	// The pointer moves over the samples and the title of the malicious figure.
	b := ask[box](t, tab, figureAt, 7)
	shot(t, tab, b, "lab-harmful")
	at := ask[[]float64](t, tab, firstSample, 7)
	move := func(p proto.Point) {
		if err := tab.Mouse.MoveTo(p); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
	sample, title := proto.Point{X: b.X + at[0], Y: b.Y + at[1]}, proto.Point{X: b.X + b.Width/2, Y: b.Y + 14}
	shown := poll(patience, 0, func() bool {
		move(proto.Point{X: sample.X - 3, Y: sample.Y})
		move(sample)
		return ask[bool](t, tab, `() => document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[7].innerText.includes("onerror")`)
	})
	for _, p := range []proto.Point{sample, title} {
		move(p)
		if err := tab.Mouse.Click(proto.InputMouseButtonLeft, 1); err != nil {
			t.Fatal(err)
		}
	}
	type state struct{ Harmed, Position string }
	if got, want := ask[state](t, tab, `() => {
		const f = document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[7];
		return {Harmed: window.harmed || "", Position: getComputedStyle(f).position};
	}`), (state{"", "relative"}); got != want || !shown {
		t.Errorf("the harmful figure: %+v, want %+v; its text is shown as text: %v", got, want, shown)
	}
}

// textOf joins the lines of a notebook's text.
func textOf(v any) string {
	lines, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(fmt.Sprint(l))
	}
	return b.String()
}

// firstSample returns the position of the first sample of the last group of figure k.
const firstSample = `k => {
	const f = document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[k], chart = echarts.getInstanceByDom(f.querySelector(":scope > div"));
	const s = chart.getOption().series.slice(-1)[0];
	return chart.convertToPixel({xAxisIndex: s.xAxisIndex || 0, yAxisIndex: s.yAxisIndex || 0}, s.data[0]);
}`

// testHover moves the mouse onto a sample and reads the tooltip.
func testHover(t *testing.T, tab *rod.Page, k int, b box) {
	t.Helper()
	at := ask[[]float64](t, tab, firstSample, k)
	var text string
	var picture bool
	if !poll(patience, 0, func() bool {
		for _, dx := range []float64{-3, 0} {
			if err := tab.Mouse.MoveTo(proto.Point{X: b.X + at[0] + dx, Y: b.Y + at[1]}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(400 * time.Millisecond)
		}
		shot(t, tab, b, "lab-hover")
		text = ask[string](t, tab, `k => document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[k].innerText`, k)
		picture = ask[bool](t, tab, `k => !!document.querySelectorAll(".jp-Notebook .ssdrnb-figure")[k].querySelector("canvas[style*='width: 64px']")`, k)
		return strings.Contains(text, "labelled") && strings.Contains(text, "sample ") && picture
	}) {
		t.Fatalf("hovering over a sample shows %q, picture %v", text, picture)
	}
}

// testRotation drags the mesh with the mouse.
func testRotation(t *testing.T, tab *rod.Page, b box, before image.Image) {
	t.Helper()
	x, y := b.X+b.Width*0.4, b.Y+b.Height*0.5
	act := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	act(tab.Mouse.MoveTo(proto.Point{X: x, Y: y}))
	act(tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
	act(tab.Mouse.MoveLinear(proto.Point{X: x + 140, Y: y + 20}, 6))
	act(tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	var d float64
	if !poll(patience, time.Second, func() bool { d = differing(before, screenshot(t, tab, b, "lab-mesh-turned")); return d >= 0.05 }) {
		t.Errorf("dragging changed %.1f %% of the mesh's picture", 100*d)
	}
}

// An untrusted notebook runs no script: without the notebook extension the static figures are
// shown.
func TestUntrusted(t *testing.T) {
	t.Parallel()
	bin, env := jupyter(t)
	const name = "00-quickstart.ipynb"
	raw, err := os.ReadFile(executed(t, name))
	if err != nil {
		t.Fatal(err)
	}
	tab, _ := openBrowser(t)
	env = append(slices.Clip(env), "JUPYTER_DATA_DIR="+t.TempDir())
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "untrusted.ipynb"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	const pictured = `Array.from(document.querySelectorAll(".jp-OutputArea img")).filter(i => i.naturalWidth > 300 && i.getBoundingClientRect().width > 300).length`
	want := wanted[name].figures
	open(t, tab, lab(t, bin, env, root)("untrusted.ipynb"), fmt.Sprintf("() => %s >= %d", pictured, want))
	pictures := ask[int](t, tab, "() => "+pictured)
	charts := ask[int](t, tab, `() => document.querySelectorAll(".jp-OutputArea canvas").length`)
	if pictures != want || charts != 0 {
		t.Errorf("%d static pictures and %d charts, want %d and 0", pictures, charts, want)
	}
}
