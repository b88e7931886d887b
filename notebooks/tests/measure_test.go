package tests

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestMeasureFrames measures the time per frame with many samples, painted by the processor and by
// WebGL, here without a graphics card, with its draw calls and the bytes sent for each.
func TestMeasureFrames(t *testing.T) {
	browser.Measure(t)
	scripts := charts(t, "echarts.min.js")
	for _, n := range []int{70_000, 1_000_000} {
		x, classes := clouds(n)
		page := pageOf(t, viz.Embedding(viz.Samples(ssdrnb.NewData(x, classes).KeepLabels(5))), scripts)
		b := newBench(t)
		_, err := b.tab.EvalOnNewDocument(graphicsCard)
		b.must(err)
		b.open(page)
		b.until(time.Minute, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
		for _, by := range []string{"WebGL", "the processor"} {
			got := ask[struct {
				Frames       []float64
				Calls, Bytes int
			}](t, b.tab, `async by => {`+repainted+`
				if (by !== "WebGL") { window.__ssdrnbLoader.fast = null; }
				const out = {Frames: []};
				window.gpu = {calls: 0, bytes: 0};
				for (let k = 0; k < 40; k++) { out.Frames.push((await repaint(10 + k / 4, 90 - k / 4)).took); }
				return Object.assign(out, {Calls: window.gpu.calls / 40, Bytes: Math.round(window.gpu.bytes / 40)});
			}`, by)
			slices.Sort(got.Frames)
			t.Logf("%s samples by %s: %.1f ms a frame in the median, at most %.1f; %d draw calls and %d bytes a frame", fmt.Sprint(n), by, got.Frames[20], got.Frames[39], got.Calls, got.Bytes)
		}
	}
}

// opening records when each figure becomes a chart, from window.began on or from the start of the
// page, and marks the work of ECharts in a trace.
const opening = `window.began = 0;
	window.charts = [];
	new MutationObserver(list => list.forEach(m => { if (m.target.dataset.drawn === "yes") { window.charts.push(performance.now()); console.timeStamp("ssdrnb chart"); } }))
		.observe(document, {subtree: true, attributes: true, attributeFilter: ["data-drawn"]});
	let charts;
	const named = (of, name) => {
		const f = of[name];
		of[name] = function(...args) {
			console.timeStamp("ssdrnb begins " + name);
			try { return f.apply(this, args); } finally { console.timeStamp("ssdrnb ends " + name); }
		};
	};
	// The script of ECharts gives the window an empty object, and fills it.
	Object.defineProperty(window, "echarts", {configurable: true, set: v => { charts = v; }, get: () => {
		if (charts && charts.init && !charts.named) {
			named(charts, "init");
			const init = charts.init;
			Object.assign(charts, {named: true, init(...args) {
				const chart = init(...args);
				["setOption", "resize"].forEach(name => named(chart, name));
				named(chart.getZr(), "flush");
				return chart;
			}});
		}
		return charts;
	}});`

// span is an event of a trace, in microseconds: its time on the page's thread, and its processor
// time, which depends little on other load.
type span struct {
	Name      string
	Ph        string
	Pid, Tid  int
	Ts, Tts   float64
	Dur, Tdur float64
	Args      struct {
		Data struct{ URL, FunctionName, Message string }
	}
}

// traced records a trace while f runs.
func (b *bench) traced(f func()) (events []span) {
	b.Helper()
	b.must(proto.TracingStart{TransferMode: proto.TracingStartTransferModeReportEvents, TraceConfig: &proto.TracingTraceConfig{IncludedCategories: []string{"toplevel", "devtools.timeline"}, ExcludedCategories: []string{"*"}}}.Call(b.tab))
	wait := b.tab.EachEvent(func(e *proto.TracingDataCollected) {
		for _, one := range e.Value {
			raw, _ := json.Marshal(one)
			var s span
			if json.Unmarshal(raw, &s) == nil {
				events = append(events, s)
			}
		}
	}, func(*proto.TracingTracingComplete) bool { return true })
	f()
	b.must(proto.TracingEnd{}.Call(b.tab))
	wait()
	slices.SortFunc(events, func(a, b span) int { return cmp.Compare(a.Ts, b.Ts) })
	return events
}

// work is the processor time of the page's thread until the first chart, in milliseconds.
func work(events []span) (total float64) {
	at := slices.IndexFunc(events, func(e span) bool { return e.Args.Data.Message == "ssdrnb chart" })
	if at < 0 {
		return 0
	}
	first := events[at]
	for _, e := range events {
		if strings.HasSuffix(e.Name, "RunTask") && e.Pid == first.Pid && e.Tid == first.Tid && e.Ts < first.Ts {
			total += e.Tdur / 1000
		}
	}
	return total
}

// slow lists the longest three tasks that run our scripts, with ECharts' share of them.
func slow(events []span) (out []string) {
	tasks := slices.Clone(events)
	slices.SortStableFunc(tasks, func(a, b span) int { return cmp.Compare(b.Tdur, a.Tdur) })
	for _, task := range tasks {
		if !strings.HasSuffix(task.Name, "RunTask") || task.Tdur < 5_000 || len(out) == 3 {
			continue
		}
		charts, ours, depth, began := 0.0, false, 0, 0.0
		parts := []string{}
		for _, e := range events {
			if e.Pid != task.Pid || e.Tid != task.Tid || e.Ts < task.Ts || e.Ts > task.Ts+task.Dur {
				continue
			}
			switch what := e.Args.Data.Message; {
			case strings.HasPrefix(what, "ssdrnb begins"):
				ours = true
				if depth++; depth == 1 {
					began = e.Tts
				}
			case strings.HasPrefix(what, "ssdrnb ends"):
				if depth--; depth == 0 {
					charts += e.Tts - began
					parts = append(parts, fmt.Sprintf("%s %.0f ms", strings.TrimPrefix(what, "ssdrnb ends "), (e.Tts-began)/1000))
				}
			case e.Tdur > 3_000 && (e.Name == "FunctionCall" || e.Name == "EvaluateScript" || e.Name == "v8.compile" || e.Name == "Layout" || e.Name == "ParseHTML" || e.Name == "MajorGC"):
				ours = ours || strings.Contains(e.Args.Data.URL, "ssdrnb") || strings.HasPrefix(e.Args.Data.URL, "blob:")
				parts = append(parts, fmt.Sprintf("%s %s %s %.0f ms", e.Name, e.Args.Data.FunctionName, path.Base(e.Args.Data.URL), e.Tdur/1000))
			}
		}
		if ours {
			out = append(out, fmt.Sprintf("%.0f ms, of ECharts %.0f: %s", task.Tdur/1000, charts/1000, strings.Join(parts, ", ")))
		}
	}
	return out
}

// TestMeasureOpening measures the time from opening a notebook of ten figures to its first chart
// and to the last chart in view, in JupyterLab and as an exported page, and lists our tasks with
// the most processor time.
func TestMeasureOpening(t *testing.T) {
	browser.Measure(t)
	bin, env := jupyter(t)
	root := t.TempDir()
	notebook := filepath.Join(root, "ten.ipynb")
	writeFigures(t, notebook)
	look := func(name string, b *bench, before, begin func()) {
		for run := range 3 {
			before()
			events := b.traced(func() {
				begin()
				b.until(2*time.Minute, "the first chart", `() => window.charts.length > 0`)
				time.Sleep(5 * time.Second)
			})
			got := ask[struct {
				First, Last float64
				Charts      int
			}](t, b.tab, `() => ({First: window.charts[0] - window.began, Last: window.charts.at(-1) - window.began, Charts: window.charts.length})`)
			t.Logf("%s, run %d: first chart after %.0f ms, of which the page's thread runs %.0f ms; the last of %d after %.0f ms", name, run+1, got.First, work(events), got.Charts, got.Last)
			for _, line := range slow(events) {
				t.Log("  " + line)
			}
		}
	}
	page := filepath.Join(root, "ten.html")
	export(t, notebook, "WEB", page)
	b := newBench(t)
	_, err := b.tab.EvalOnNewDocument(opening)
	b.must(err)
	look("page", b, func() {}, func() { b.open(page) })

	b = newBench(t)
	_, err = b.tab.EvalOnNewDocument(opening)
	b.must(err)
	writeNotebook(t, filepath.Join(root, "empty.ipynb"), "")
	b.address = lab(t, bin, env, root)("empty.ipynb")
	b.address += map[bool]string{true: "&", false: "?"}[strings.Contains(b.address, "?")] + "reset" // do not restore tabs
	look("JupyterLab", b, func() {
		b.load()
		time.Sleep(3 * time.Second)
	}, func() {
		ask[bool](t, b.tab, `() => { window.began = performance.now(); window.jupyterapp.commands.execute("docmanager:open", {path: "ten.ipynb"}); return true; }`)
	})
}

// writeFigures writes a notebook of ten executed cells, each with a figure.
func writeFigures(t *testing.T, to string) {
	t.Helper()
	d := datasets.Digits().KeepLabels(5).Seed(1)
	pca, err := ssdrnb.PCA().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	sda, err := ssdrnb.SDA().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	iris, err := ssdrnb.PCA().Fit(datasets.Iris().KeepLabels(5))
	if err != nil {
		t.Fatal(err)
	}
	figures := []viz.Figure{viz.Embedding(pca), viz.Embedding(sda), viz.Compare(pca, sda), viz.Embedding(iris), viz.Embedding(iris).Color("petal length (cm)")}
	figures = append(figures, figures...)
	cells := make([]map[string]any, len(figures))
	for k, f := range figures {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		delete(bundle, "image/png")
		output := map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": bundle}
		cells[k] = map[string]any{"cell_type": "code", "id": fmt.Sprintf("figure-%d", k), "metadata": map[string]any{}, "source": "figure.Show()", "execution_count": k + 1, "outputs": []any{output}}
	}
	writeCells(t, to, cells)
	if info, err := os.Stat(to); err == nil {
		t.Logf("ten figures: %.2f MB", float64(info.Size())/1e6)
	}
}
