package tests

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// one is the k-th widget of a page.
const one = `const w = document.querySelectorAll(".ssdrnb-widget")[k];`

// liveAt waits until the k-th widget is live and drawn, and scrolls it into view.
func (b *bench) liveAt(k int) {
	b.Helper()
	ask[bool](b.T, b.tab, `k => {`+one+` w.scrollIntoView({block: "center"}); return true; }`, k)
	b.until(60*time.Second, "the widget is live", `k => {`+one+` return !!w && w.dataset.state === "live" && !!w.dataset.revision; }`, k)
	ask[bool](b.T, b.tab, `async k => {`+one+` w.scrollIntoView({block: "center"}); await still(w); return true; `+stillFrame+` }`, k)
}

// move sets a slider of the k-th widget and returns the milliseconds until the new plot.
func (b *bench) move(k int, name string, value int) float64 {
	b.Helper()
	return ask[float64](b.T, b.tab, `([k, name, value]) => new Promise((done, failed) => {`+one+`
		const s = w.querySelector('.ssdrnb-control[data-name="' + name + '"] input[type=range]'), before = Number(w.dataset.revision), began = performance.now();
		w.addEventListener("ssdrnb-drawn", function f(e) {
			if (e.detail.revision <= before) { return; }
			w.removeEventListener("ssdrnb-drawn", f);
			done(performance.now() - began);
		});
		setTimeout(() => failed(new Error("no picture: " + w.innerText.slice(0, 500))), 30000);
		s.value = value;
		s.dispatchEvent(new Event("input"));
	})`, []any{k, name, value})
}

// textOf is the text of an element of the k-th widget.
func (b *bench) textOf(k int, selector string) string {
	b.Helper()
	return ask[string](b.T, b.tab, `([k, selector]) => {`+one+` return w.querySelector(selector).textContent; }`, []any{k, selector})
}

// pair links two samples in the k-th widget.
func (b *bench) pair(k, i, j int, cannot bool) {
	b.Helper()
	ask[bool](b.T, b.tab, `([k, i, j, cannot]) => {`+one+` w.ssdrnb.post("pair", {I: i, J: j, Cannot: cannot}); return true; }`, []any{k, i, j, cannot})
}

// pairs waits until the k-th widget shows that many pairs.
func (b *bench) pairs(k, count int) {
	b.Helper()
	b.until(20*time.Second, "the pairs are there", `([k, count]) => {`+one+` const s = w.ssdrnb && w.ssdrnb.last(); return !!s && s.pairs.length === count; }`, []any{k, count})
}

// command runs a command of JupyterLab and waits for its end.
func (b *bench) command(name string) {
	b.Helper()
	ask[bool](b.T, b.tab, `async name => { await window.jupyterapp.commands.execute(name); return true; }`, name)
}

// server is the start of a script that talks to the Jupyter server.
const server = `const c = JSON.parse(document.getElementById("jupyter-config-data").textContent), base = new URL(c.baseUrl, location.origin).href,
	head = {Authorization: "token " + c.token, "X-XSRFToken": (/_xsrf=([^;]*)/.exec(document.cookie) || [])[1] || ""};`

// shutDown ends all kernels.
func (b *bench) shutDown() {
	b.Helper()
	b.until(time.Minute, "no kernel runs", `async () => {`+server+`
		const list = await (await fetch(base + "api/kernels", {headers: head})).json();
		for (const k of list) { await fetch(base + "api/kernels/" + k.id, {method: "DELETE", headers: head}); }
		return list.length === 0;
	}`)
}

// In JupyterLab "Run all" runs the whole widgets notebook without a Stop, and the page computes,
// also after the kernel was shut down and after a reload without a kernel. Drawings are stored
// beside the notebook, where a later cell reads them; killing a kernel meanwhile loses nothing.
func TestWidgetsReturn(t *testing.T) {
	browser.All(t)
	t.Parallel()
	const name = "06-hands-on"
	bin, env := jupyter(t)
	b := newBench(t)
	tab := b.tab
	root := t.TempDir()
	raw, err := os.ReadFile(name + ".ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, name+".ipynb"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	b.address = lab(t, bin, env, root)(name + ".ipynb")
	b.load()
	b.idle()
	b.command("notebook:run-all-cells")
	last := ask[int](t, tab, `() => document.querySelectorAll(".jp-Notebook .jp-CodeCell").length - 1`)
	for k := range last + 1 {
		b.ended(k)
	}
	if out := b.output(last); !strings.Contains(out, "hands-on-moons: 160 samples") {
		t.Errorf("the last cell prints %q", out)
	}
	b.liveAt(0)
	if text := ask[string](t, tab, `k => {`+one+` return w.innerText; }`, 0); strings.Contains(text, "Stop") || strings.Contains(text, "wait") {
		t.Errorf("a widget without waiting cells shows %.300q", text)
	}
	var times []float64
	for i := range 10 {
		times = append(times, b.move(0, "neighbors", 3+i))
	}
	t.Logf("slider to picture in JupyterLab: median %.0f ms, worst %.0f", median(times), slices.Max(times))
	b.shot("page-explorer")
	b.liveAt(1)
	b.pair(1, 3, 77, false)
	b.pair(1, 5, 120, true)
	b.pairs(1, 2)
	b.shot("page-editor")
	folder := filepath.Join(root, "ssdrnb-constraints", name)
	b.until(30*time.Second, "the drawing is saved", `k => {`+one+` return (w.dataset.saved || "").includes("ssdrnb-constraints/`+name+`/hands-on.json"); }`, 1)
	stored := func(file, what string) {
		t.Helper()
		var raw []byte
		if !poll(patience, 100*time.Millisecond, func() bool {
			raw, err = os.ReadFile(filepath.Join(folder, file))
			return err == nil && strings.Contains(string(raw), what)
		}) {
			t.Errorf("%s on disk lacks %s: %.300s, %v", file, what, raw, err)
		}
	}
	stored("hands-on.json", `"must":[[3,77]]`)
	b.liveAt(4)
	ask[bool](t, tab, `k => {`+one+` w.ssdrnb.post("paint", {Points: [[0, 0], [0.1, 0]], Class: 1, Stroke: 1}); return true; }`, 4)
	b.until(30*time.Second, "the spots are there", `k => {`+one+` return w.ssdrnb.last().spots.length === 3 * 162 && w.ssdrnb.last().of.length === 162; }`, 4)
	b.shot("page-paint")
	stored("painting-hands-on-moons.json", `[100,0,1,161]`)
	b.run(3) // prints the drawing
	b.ended(3)
	if out := b.output(3); !strings.Contains(out, "yours: hands-on: 1 must-link, 1 cannot-link pairs, 0 labels") {
		t.Errorf("a later cell reads %q", out)
	}
	b.run(last)
	b.ended(last)
	if out := b.output(last); !strings.Contains(out, "hands-on-moons: 162 samples") {
		t.Errorf("the cell of the canvas returns %q", out)
	}

	// The kernel is killed between two links.
	b.pair(1, 8, 9, false)
	b.command("docmanager:save")
	b.shutDown()
	b.pair(1, 10, 11, false)
	b.pairs(1, 4)
	if ms := b.move(0, "neighbors", 17); ms <= 0 {
		t.Error("no plot without a kernel")
	}
	stored("hands-on.json", `"must":[[3,77],[8,9],[10,11]]`)
	b.load()
	b.until(time.Minute, "the widgets are back", `() => document.querySelectorAll(".ssdrnb-widget").length >= 5`)
	b.shutDown() // JupyterLab starts one with the page
	b.liveAt(1)
	b.pairs(1, 4)
	b.pair(1, 12, 13, true)
	b.pairs(1, 5)
	b.liveAt(0)
	if code := b.textOf(0, "code"); !strings.Contains(code, ".Neighbors(") {
		t.Errorf("after a reload the options are %s", code)
	}
	b.clean()
}

// export runs export.py with the given arguments, "WEB" being replaced by the folder of scripts.
func export(t *testing.T, words ...string) {
	t.Helper()
	bin, _ := jupyter(t)
	web := os.Getenv("SSDRNB_WEB") // in place of install.sh's folder
	if web == "" {
		web = filepath.Join(filepath.Dir(filepath.Dir(bin)), "web")
	}
	if _, err := os.Stat(filepath.Join(web, "engine.bin")); err != nil {
		if os.Getenv("SSDRNB_REQUIRE_JUPYTER") != "" {
			t.Fatalf("no engine of pages in %s: run ./install.sh", web)
		}
		t.Skipf("no engine of pages in %s: run ./install.sh", web)
	}
	words = slices.Concat([]string{"export.py"}, words)
	words[slices.Index(words, "WEB")] = web
	if said, err := exec.Command(filepath.Join(bin, "python"), words...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// exported writes the page of a notebook and returns its path.
func exported(t *testing.T, name string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(name, ".ipynb")+".html")
	export(t, executed(t, name), "WEB", out)
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %.1f MB", filepath.Base(out), float64(info.Size())/1e6)
	if info.Size() > 10<<20 {
		t.Errorf("%d bytes, more than 10 MiB", info.Size())
	}
	return out
}

// alone disconnects the tab from the network. It returns a function that reports the longest task
// of the page's thread since the last call, in milliseconds; 0 means below 50.
func (b *bench) alone() (longest func() float64) {
	b.Helper()
	b.must(proto.NetworkEnable{}.Call(b.tab))
	b.must(proto.NetworkEmulateNetworkConditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}.Call(b.tab))
	_, err := b.tab.EvalOnNewDocument(`window.longest = 0;
		new PerformanceObserver(list => list.getEntries().forEach(e => { window.longest = Math.max(window.longest, e.duration); })).observe({type: "longtask", buffered: true});
		addEventListener("ssdrnb-drawn", () => { window.firstDrawn = window.firstDrawn || performance.now(); }, true);`)
	b.must(err)
	return func() float64 {
		return ask[float64](b.T, b.tab, `() => { const l = window.longest; window.longest = 0; return l; }`)
	}
}

// open opens a page from a file.
func (b *bench) open(page string) {
	b.Helper()
	b.must(b.tab.Navigate("file://" + page))
	b.front()
	b.must(b.tab.WaitLoad())
}

// The charts of an exported page are made near the window first, the others when the page is idle
// or printed. Until then the static figure has the position and the size of the chart.
func TestExportedFigures(t *testing.T) {
	t.Parallel()
	page := exported(t, "00-quickstart.ipynb")
	b := newBench(t)
	tab := b.tab
	longest := b.alone()
	_, err := tab.EvalOnNewDocument(`window.waiting = []; window.requestIdleCallback = f => window.waiting.push(f);`) // never idle by itself
	b.must(err)
	type place struct {
		Drawn            string
		GL, Picture      bool
		Y, Width, Height float64
	}
	const figures = `() => Array.from(document.querySelectorAll(".ssdrnb-figure")).map(f => {
		const r = f.getBoundingClientRect(), p = f.querySelector("img").getBoundingClientRect();
		return {Drawn: f.dataset.drawn, GL: f.nextElementSibling.textContent.includes('"gl":true'), Picture: p.width > 0.99 * r.width && p.height > 0.99 * r.height - 2, Y: r.y + scrollY, Width: r.width, Height: r.height};
	})`
	look := func() []place { return ask[[]place](t, tab, figures) }
	drawn := func(k int) {
		t.Helper()
		b.until(time.Minute, "the chart is drawn", `k => document.querySelectorAll(".ssdrnb-figure")[k].dataset.drawn === "yes"`, k)
	}
	same := func(before []place) {
		t.Helper()
		for k, now := range look() {
			if was := before[k]; math.Abs(now.Y-was.Y) > 1 || math.Abs(now.Height-was.Height) > 1 || math.Abs(now.Width-was.Width) > 1 {
				t.Errorf("figure %d has moved from %+v to %+v", k, was, now)
			}
		}
	}
	b.open(page)
	drawn(0)
	// The widget's controls appear meanwhile, and have their own height.
	b.until(time.Minute, "the widget is live", `() => !!document.querySelector(".ssdrnb-widget").dataset.revision`)
	t.Logf("after load: longest task of the main thread %.0f ms", longest())
	at := look()
	last := len(at) - 1
	if at[last].Drawn != "pending" || !at[last].Picture || at[last].Height < 200 {
		t.Errorf("a figure far below: %+v", at[last])
	}
	// A figure removed from the page before it is drawn is not kept in memory.
	const waiting = `n => window.__ssdrnbLoader.queue.jobs.length === n`
	jobs := ask[int](t, tab, `k => { window.taken = document.querySelectorAll(".ssdrnb-figure")[k]; window.behind = taken.nextSibling; const n = window.__ssdrnbLoader.queue.jobs.length; taken.remove(); return n; }`, last)
	b.until(patience, "the figure has left the queue", waiting, jobs-1)
	ask[bool](t, tab, `() => { behind.before(taken); return true; }`)
	b.until(patience, "the figure is in the queue again", waiting, jobs)
	b.shot("export-top")
	ask[bool](t, tab, `() => { document.querySelectorAll(".ssdrnb-figure")[1].scrollIntoView({block: "center"}); return true; }`)
	drawn(1)
	same(at)
	// In a narrower window the chart fits, and the static figure has the chart's position.
	b.must(tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 800, Height: 1000, DeviceScaleFactor: 1}))
	b.until(20*time.Second, "the charts fit", `() => {
		const f = document.querySelectorAll(".ssdrnb-figure"), w = k => f[k].querySelector("canvas").getBoundingClientRect().width;
		return f[0].clientWidth < 800 && Math.abs(w(0) - f[0].clientWidth) < 2 && Math.abs(w(1) - f[1].clientWidth) < 2;
	}`)
	// An output that was too wide for a moment may have a scroll bar that disappears again.
	if !poll(patience, 0, func() bool {
		at = look()
		time.Sleep(300 * time.Millisecond)
		return slices.Equal(at, look())
	}) {
		t.Error("figures do not come to rest in a narrow window")
	}
	if at[last].Drawn != "pending" || !at[last].Picture {
		t.Errorf("a figure far below in a narrow window: %+v", at[last])
	}
	ask[bool](t, tab, `k => { document.querySelectorAll(".ssdrnb-figure")[k].scrollIntoView({block: "center"}); return true; }`, last)
	drawn(last)
	same(at)
	b.shot("export-mesh")
	t.Logf("scrolled to the mesh: longest task %.0f ms", longest())
	// Idle time and printing draw the rest. Each step of a chart is a task.
	b.open(page)
	drawn(0)
	b.until(time.Minute, "the page is idle", `() => { window.waiting.splice(0).forEach(f => f()); return document.querySelectorAll(".ssdrnb-figure")[1].dataset.drawn === "yes"; }`)
	if rest := look(); rest[2].Drawn != "pending" {
		t.Errorf("idle time draws figure 1, and figure 2 is %s", rest[2].Drawn)
	}
	ask[bool](t, tab, `() => { window.dispatchEvent(new Event("beforeprint")); return true; }`)
	for k, f := range look() {
		// WebGL cannot render before printing, so the static figure stays.
		if f.GL && !(f.Drawn == "pending" && f.Picture) || !f.GL && f.Drawn != "yes" {
			t.Errorf("before a print figure %d is %+v", k, f)
		}
	}
	// Paper is narrower than the window, and scripts get no event: the chart is scaled down.
	b.must(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(tab))
	if size := ask[[]float64](t, tab, `() => {
		const f = document.querySelector(".ssdrnb-figure"), c = f.querySelector("canvas"), was = c.height / c.width;
		f.style.width = "300px";
		const r = c.getBoundingClientRect(), all = f.getBoundingClientRect();
		return [r.width, r.height / r.width / was, all.height / r.height];
	}`); math.Abs(size[0]-300) > 1 || math.Abs(size[1]-1) > 0.02 || size[2] > 1.2 {
		t.Errorf("on paper of 300 pixels the chart is %.0f wide, its proportion %.3f of that on the screen, and the figure %.2f of its height", size[0], size[1], size[2])
	}
	b.clean()
}

// The exported notebook computes from a file, without a network: sliders refit, and drawings
// survive a reload.
func TestExportedPage(t *testing.T) {
	t.Parallel()
	page := exported(t, "06-hands-on.ipynb")
	b := newBench(t)
	tab := b.tab
	longest := b.alone()
	open := func() { b.open(page) }
	open()
	b.liveAt(0)
	first := ask[[]float64](t, tab, `() => [window.firstDrawn, performance.getEntriesByType("navigation")[0].loadEventEnd]`)
	t.Logf("first move possible %.0f ms after the page's start, which was loaded after %.0f; longest task of the main thread %.0f ms", first[0], first[1], longest())
	var times []float64
	for i := range 20 {
		times = append(times, b.move(0, "neighbors", 3+i))
	}
	t.Logf("slider to picture: median %.0f ms, worst %.0f; longest task %.0f ms", median(times), slices.Max(times), longest())
	b.shot("export-explorer")
	code := b.textOf(0, "code")
	if !strings.Contains(code, ".Neighbors(") {
		t.Errorf("after the slider: %s", code)
	}
	b.liveAt(1)
	for k, p := range [][2]int{{0, 1}, {1, 2}, {30, 31}, {0, 60}, {90, 150}} {
		b.pair(1, p[0], p[1], k > 2)
		b.pairs(1, k+1)
	}
	b.shot("export-editor")
	b.liveAt(2)
	b.liveAt(3)
	b.shot("export-scribble")
	b.liveAt(4)
	b.shot("export-paint")
	t.Logf("the other widgets: longest task %.0f ms", longest())
	open()
	b.liveAt(0)
	if got := b.textOf(0, "code"); got != code {
		t.Errorf("after a reload: %s, want %s", got, code)
	}
	b.liveAt(1)
	b.pairs(1, 5)
	b.clean()
}

// The pages of a site share one engine and one ECharts, and compute from disk too.
func TestSite(t *testing.T) {
	const name = "06-hands-on"
	raw, err := os.ReadFile(executed(t, name+".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	from, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(from, name+".ipynb"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	export(t, "--site", from, "WEB", out)
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil || !strings.Contains(string(index), `<a href="06-hands-on.html">Hands on`) {
		t.Errorf("the index: %s, %v", index, err)
	}
	if info, err := os.Stat(filepath.Join(out, name+".html")); err != nil || info.Size() > 3<<20 {
		t.Errorf("the page has its own copy of the scripts: %v, %v", info, err)
	}
	b := newBench(t)
	tab := b.tab
	b.must(tab.Navigate("file://" + filepath.Join(out, "index.html")))
	b.must(tab.WaitLoad())
	ask[bool](t, tab, `() => { document.querySelector("a").click(); return true; }`)
	b.until(20*time.Second, "the page opens", `() => document.readyState === "complete" && !!document.querySelector(".ssdrnb-widget")`)
	b.liveAt(0)
	if ms := b.move(0, "neighbors", 9); ms <= 0 {
		t.Error("no picture")
	}
	b.clean()
}

// writeOutputs writes a notebook with a text cell, and a code cell with the given outputs.
func writeOutputs(t *testing.T, path, text string, outputs []map[string]string, metadata map[string]any) {
	t.Helper()
	shown := []any{}
	for _, data := range outputs {
		shown = append(shown, map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": data})
	}
	raw, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": []map[string]any{
		{"cell_type": "code", "id": "a", "metadata": map[string]any{}, "source": "x", "execution_count": 1, "outputs": shown},
		{"cell_type": "markdown", "id": "b", "metadata": map[string]any{}, "source": text}}})
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An exported page has all outputs as they are, whatever they contain, and no script of another
// server, whatever the notebook contains.
func TestExportKeeps(t *testing.T) {
	t.Parallel()
	outputs := []string{
		`<script type="module">console.log("first")</script><p>second</p>`,
		`<script src=""></script><p>third</p>`,
		`<p>the mermaid is a fish</p><script>console.log("fourth")</script>`,
	}
	var data []map[string]string
	for _, html := range outputs {
		data = append(data, map[string]string{"text/html": html})
	}
	from, out := t.TempDir(), t.TempDir()
	path, page := filepath.Join(from, "a.ipynb"), filepath.Join(out, "alone.html")
	writeOutputs(t, path, "[next](b.ipynb) [part](b.ipynb#part) [other](c.html#b.ipynb)", data, map[string]any{
		"widgets": map[string]any{"application/vnd.jupyter.widget-state+json": map[string]any{"state": map[string]any{}, "version_major": 2, "version_minor": 0}}})
	export(t, path, "WEB", page)
	export(t, "--site", from, "WEB", out)
	for _, name := range []string{page, filepath.Join(out, "a.html")} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		for _, html := range outputs {
			if !strings.Contains(text, html) {
				t.Errorf("%s lacks the output %s", filepath.Base(name), html)
			}
		}
		if foreign := regexp.MustCompile(`https?://[^"'\s]*\.m?js\b|https://unpkg|cdnjs`).FindString(text); foreign != "" {
			t.Errorf("%s names %s", filepath.Base(name), foreign)
		}
		if name == page {
			continue
		}
		for _, link := range []string{`href="b.html"`, `href="b.html#part"`, `href="c.html#b.ipynb"`} {
			if !strings.Contains(text, link) {
				t.Errorf("the site lacks %s", link)
			}
		}
	}
}

// A page has KaTeX if its text or an output has a formula in any notation.
func TestExportFormulas(t *testing.T) {
	t.Parallel()
	from, out := t.TempDir(), t.TempDir()
	cases := map[string]struct {
		text    string
		outputs []map[string]string
		needed  bool
	}{
		"dollars":     {text: "$x^2$", needed: true},
		"parentheses": {text: `\\(a\\)`, needed: true},
		"brackets":    {text: `\\[a\\]`, needed: true},
		"environment": {text: `\begin{equation}E\end{equation}`, needed: true},
		"output":      {text: "none", outputs: []map[string]string{{"text/markdown": "$x^2$"}}, needed: true},
		"latex":       {text: "none", outputs: []map[string]string{{"text/latex": "$x^2$"}}, needed: true},
		"none":        {text: "none (at all) [or](b.html)", outputs: []map[string]string{{"text/html": "$5"}}},
	}
	for name, c := range cases {
		writeOutputs(t, filepath.Join(from, name+".ipynb"), c.text, c.outputs, map[string]any{})
	}
	export(t, "--site", from, "WEB", out)
	for name, c := range cases {
		raw, err := os.ReadFile(filepath.Join(out, name+".html"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(raw), `src="shared/katex.js"`); got != c.needed {
			t.Errorf("%s: the page has KaTeX: %v", name, got)
		}
	}
}

// A notebook that clean.py cannot write stays as it is, and one that it writes keeps its mode.
func TestClean(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	for source, written := range map[string]bool{`"ü"`: true, `"\ud800"`: false} {
		path := filepath.Join(t.TempDir(), "a.ipynb")
		text := `{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ` + source + `}], "metadata": {}}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command("python3", "clean.py", path).CombinedOutput()
		if (err == nil) != written {
			t.Errorf("%s: %v\n%s", source, err, said)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if written != strings.Contains(string(got), "cell-00") || !written && string(got) != text {
			t.Errorf("%s: the notebook is now %q", source, got)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Dir(path) + "/*"); info.Mode().Perm() != 0o600 || len(left) != 1 {
			t.Errorf("%s: mode %o, files %q", source, info.Mode().Perm(), left)
		}
	}
}

// Code that is folded in a notebook stays folded when clean.py writes it, and in an exported page.
func TestFolded(t *testing.T) {
	t.Parallel()
	const name, mark = "03-lmrag.ipynb", `"source_hidden": true`
	bin, _ := jupyter(t)
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	folded := strings.Count(string(before), mark)
	if folded < 2 {
		t.Fatalf("%d folded cells", folded)
	}
	copied := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(copied, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(filepath.Join(bin, "python"), "clean.py", copied).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	after, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(after), mark); got != folded {
		t.Errorf("clean.py leaves %d of %d cells folded", got, folded)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	export(t, copied, "WEB", page)
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(html), `<details class="ssdrnb-folded">`); got != folded {
		t.Errorf("%d of %d cells are folded in the page", got, folded)
	}
}
