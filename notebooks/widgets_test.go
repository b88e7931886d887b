package notebooks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

const imports = `import (
	"fmt"
	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets"
)
`

// bench is a notebook of the test's own in a running JupyterLab.
type bench struct {
	*testing.T
	tab     *rod.Page
	trouble func() []string
	address string
}

// openBench writes a notebook of these cells and opens it.
func openBench(t *testing.T, cells ...string) *bench {
	t.Helper()
	bin, env := jupyter(t)
	tab, trouble := browser(t)
	root := t.TempDir()
	type cell struct {
		Kind     string   `json:"cell_type"`
		ID       string   `json:"id"`
		Metadata struct{} `json:"metadata"`
		Source   string   `json:"source"`
		Outputs  []any    `json:"outputs"`
		Count    *int     `json:"execution_count"`
	}
	list := []cell{}
	for k, c := range cells {
		list = append(list, cell{Kind: "code", ID: fmt.Sprintf("cell-%d", k), Source: c, Outputs: []any{}})
	}
	raw, err := json.Marshal(map[string]any{"cells": list, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "bench.ipynb"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	env = append(env, "SSDRNB_CONSTRAINTS="+filepath.Join(root, "constraints"))
	b := &bench{T: t, tab: tab, trouble: trouble, address: lab(t, bin, env, root)("bench.ipynb")}
	b.load()
	return b
}

// load opens the notebook and waits for its kernel.
func (b *bench) load() {
	b.Helper()
	if err := b.tab.Navigate(b.address); err != nil {
		b.Fatal(err)
	}
	// A tab in the background draws no frames, and JupyterLab does nothing without.
	if _, err := b.tab.Activate(); err != nil {
		b.Fatal(err)
	}
	b.must(proto.EmulationSetFocusEmulationEnabled{Enabled: true}.Call(b.tab))
	if _, err := b.tab.Element(".jp-Notebook .jp-Cell"); err != nil {
		b.Fatal(err)
	}
	b.until(30*time.Second, "the kernel is ready", `() => {
		const s = document.querySelector(".jp-Notebook-ExecutionIndicator");
		return !!s && (s.dataset.status === "idle" || s.dataset.status === "busy");
	}`)
}

// until waits for a condition in the page.
func (b *bench) until(limit time.Duration, what, condition string, args ...any) {
	b.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if ask[bool](b.T, b.tab, condition, args...) {
			return
		}
		if time.Since(began) > limit {
			b.shot("not-" + strings.ReplaceAll(what, " ", "-"))
			b.Fatalf("waited %s in vain until %s; output: %s", limit, what,
				ask[string](b.T, b.tab, `() => Array.from(document.querySelectorAll(".jp-OutputArea-output")).map(o => o.innerText).join("\n").slice(0, 2000)`))
		}
	}
}

// run runs cell k by the keyboard.
func (b *bench) run(k int) {
	b.Helper()
	at := ask[box](b.T, b.tab, `async k => {
		const c = document.querySelectorAll(".jp-Notebook .jp-CodeCell")[k].querySelector(".cm-content");
		c.scrollIntoView({block: "center"});
		await new Promise(r => setTimeout(r, 200));
		const r = c.getBoundingClientRect();
		return {X: r.x, Y: r.y, Width: r.width, Height: r.height};
	}`, k)
	for range 3 { // a notebook that is still loading takes no keys
		b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + 20, Y: at.Y + 8}))
		b.must(b.tab.Mouse.Click(proto.InputMouseButtonLeft, 1))
		b.must(b.tab.KeyActions().Press(input.ControlLeft).Type(input.Enter).Release(input.ControlLeft).Do())
		for range 30 {
			time.Sleep(100 * time.Millisecond)
			if strings.Contains(b.prompt(k), "*") {
				return
			}
		}
	}
	b.Log(ask[string](b.T, b.tab, `() => new Promise(r => { const t = performance.now(); let n = 0; requestAnimationFrame(function f() { n++; if (performance.now() - t > 1500) r("frames " + n); else requestAnimationFrame(f); }); setTimeout(() => r("timeout frames " + n), 3000); })`), ask[string](b.T, b.tab, `() => document.visibilityState + document.hasFocus() + document.activeElement.className + " | " + JSON.stringify(document.elementFromPoint(`+fmt.Sprint(at.X+20, ",", at.Y+8)+`).className)`), at)
	b.shot("not-started")
	b.Fatalf("cell %d does not start", k)
}

// prompt is "[*]:" while cell k runs or waits, and "[3]:" after its third run.
func (b *bench) prompt(k int) string {
	return ask[string](b.T, b.tab, `k => document.querySelectorAll(".jp-Notebook .jp-CodeCell")[k].querySelector(".jp-InputPrompt").innerText`, k)
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) shot(name string) { shot(b.T, b.tab, box{0, 0, 1300, 1000}, "widget-"+name) }

// live waits until the last widget of the page is live and drawn, and scrolls it
// into view.
func (b *bench) live() {
	b.Helper()
	b.until(60*time.Second, "the widget is live", `() => { const w = Array.from(document.querySelectorAll(".ssdrnb-widget")).pop(); return !!w && w.dataset.state === "live" && !!w.dataset.revision; }`)
	ask[bool](b.T, b.tab, `async () => { Array.from(document.querySelectorAll(".ssdrnb-widget")).pop().scrollIntoView({block: "center"}); await new Promise(r => setTimeout(r, 500)); return true; }`)
}

// ended waits until cell k no longer runs.
func (b *bench) ended(k int) {
	b.Helper()
	for began := time.Now(); strings.Contains(b.prompt(k), "*"); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			b.shot("not-ended")
			b.Fatalf("cell %d does not end: %s", k, b.output(k))
		}
	}
}

// output is what cell k shows as text.
func (b *bench) output(k int) string {
	return ask[string](b.T, b.tab, `k => document.querySelectorAll(".jp-Notebook .jp-CodeCell")[k].querySelector(".jp-OutputArea").innerText`, k)
}

const widget = `const w = Array.from(document.querySelectorAll(".ssdrnb-widget")).pop();`

// slide moves the slider of an option and returns the milliseconds to the first
// frame of the new picture and to its last.
const slide = `([name, value]) => new Promise(done => {` + widget + `
	const s = w.querySelector('.ssdrnb-control[data-name="' + name + '"] input[type=range]'), before = Number(w.dataset.revision), began = performance.now();
	let first = 0;
	w.addEventListener("ssdrnb-drawn", function f(e) {
		if (e.detail.revision <= before) { return; }
		first = first || performance.now() - began;
		if (e.detail.settled) { w.removeEventListener("ssdrnb-drawn", f); done([first, performance.now() - began]); }
	});
	s.value = value;
	s.dispatchEvent(new Event("input"));
})`

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

func TestExplorer(t *testing.T) {
	b := openBench(t, imports+`
%%
spec := widgets.Explorer(ssdrnb.TRSDA(), datasets.Digits().KeepLabels(20).Seed(1)).Show()
fmt.Println("chosen", spec)`)
	b.run(0)
	b.live()
	b.shot("explorer")
	before := ask[string](t, b.tab, `() => {`+widget+` return w.querySelector("canvas").toDataURL(); }`)
	var first, settled []float64
	for k := range 20 {
		ms := ask[[]float64](t, b.tab, slide, []any{"neighbors", 4 + k%9})
		first, settled = append(first, ms[0]), append(settled, ms[1])
	}
	t.Logf("slider to first frame: median %.0f ms, most %.0f; to the settled picture: median %.0f ms, most %.0f",
		median(first), slices.Max(first), median(settled), slices.Max(settled))
	if m := median(settled); m >= 300 {
		t.Errorf("the picture is redrawn after %.0f ms in the median, want less than 300", m)
	}
	if after := ask[string](t, b.tab, `() => {`+widget+` return w.querySelector("canvas").toDataURL(); }`); after == before {
		t.Error("the picture did not change")
	}

	// A burst leaves the last state.
	ask[bool](t, b.tab, `() => {`+widget+`
		const s = w.querySelector('.ssdrnb-control[data-name="neighbors"] input[type=range]');
		for (let k = 0; k < 50; k++) { s.value = k % 30; s.dispatchEvent(new Event("input")); }
		return true;
	}`)
	const code = `() => {` + widget + ` return w.querySelector("code").textContent; }`
	b.until(5*time.Second, "the burst is worked off", `() => {`+widget+` return w.querySelector("code").textContent.includes(".Neighbors(20)"); }`)
	time.Sleep(time.Second)
	if got := ask[string](t, b.tab, code); !strings.Contains(got, ".Neighbors(20)") {
		t.Errorf("after a burst that ends at 20: %s", got)
	}
	b.shot("explorer-burst")

	// What is malformed, oversized or out of range is refused; the cell goes on.
	for _, bad := range []string{`"no JSON"`, `"{}"`, `17`, `{"a": {"b": [1, "x"]}}`, `"x".repeat(1000000)`, `"[]"`,
		`JSON.stringify({client: "aaaaaaaaaaaaaaaa", seq: -1, kind: "set", body: {}})`,
		`JSON.stringify({client: "<b>", seq: 1, kind: "set", body: {}})`} {
		ask[bool](t, b.tab, `() => {`+widget+`
			w.dataset.fault = "";
			const hub = Object.values(window.__ssdrnbHubs)[0];
			hub.send(Array.from(hub.listeners.keys()).pop(), `+bad+`);
			return true;
		}`)
		b.until(5*time.Second, "the message is refused", `() => {`+widget+` return w.dataset.fault.includes("refused"); }`)
	}
	for _, bad := range []string{`-5`, `1e9`, `2.5`, `"many"`, `null`} {
		ask[bool](t, b.tab, `() => {`+widget+` w.dataset.fault = ""; w.ssdrnb.post("set", {name: "neighbors", value: `+bad+`}); return true; }`)
		b.until(5*time.Second, "the value "+strings.Trim(bad, `"`)+" is refused", `() => {`+widget+` return w.dataset.fault !== ""; }`)
	}
	if got := ask[string](t, b.tab, code); !strings.Contains(got, ".Neighbors(20)") {
		t.Errorf("refused values changed the state: %s", got)
	}
	if ms := ask[[]float64](t, b.tab, slide, []any{"neighbors", 6}); ms[0] <= 0 {
		t.Error("the cell does not answer after refused messages")
	}

	ask[bool](t, b.tab, `() => {`+widget+` Array.from(w.querySelectorAll("button")).find(b => b.textContent === "Stop").click(); return true; }`)
	b.ended(0)
	if out := b.output(0); !strings.Contains(out, "chosen TR-SDA(neighbors=7)") || !strings.Contains(out, "Stop was pressed") {
		t.Errorf("after Stop: %q", out)
	}
	b.shot("explorer-ended")
	if list := b.trouble(); len(list) > 0 {
		t.Errorf("in the page: %s", strings.Join(list, "\n"))
	}
}
