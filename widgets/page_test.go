package widgets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// chromium returns the path of a browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" || testing.Short() {
		t.Skip("no Chromium: install it to test the widgets in a browser")
	}
	return path
}

// builtEngine builds the engine once: the packed module and Go's wasm_exec.js.
var builtEngine = sync.OnceValues(func() ([2][]byte, error) {
	var none [2][]byte
	dir, err := os.MkdirTemp("", "ssdrnb-engine")
	if err != nil {
		return none, err
	}
	defer os.RemoveAll(dir)
	wasm := filepath.Join(dir, "engine.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "./page")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
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
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return [2][]byte{packed.Bytes(), script}, err
})

// writePage writes a page of widgets with the engine, as an export has it.
func writePage(t *testing.T, path string, tasks ...pageTask) {
	t.Helper()
	engine, err := builtEngine()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><meta charset="utf-8"></head><body>`)
	for _, p := range tasks {
		w, err := open(p.Task, noStore{}, nil)
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
	fmt.Fprintf(&b, `<script type="text/plain" id="ssdrnb-engine-exec">%s</script><script type="text/plain" id="ssdrnb-engine">%s</script></body></html>`,
		engine[1], base64.StdEncoding.EncodeToString(engine[0]))
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

// openTab opens a file in a browser with the profile in a folder.
func openTab(t *testing.T, file, profile string) tab {
	t.Helper()
	l := launcher.New().Bin(chromium(t)).Leakless(false).Headless(true).NoSandbox(true).UserDataDir(profile).Set("disable-background-networking").Set("window-size", "1200,900")
	address, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Kill)
	b := rod.New().ControlURL(address)
	if err := b.Connect(); err != nil {
		t.Fatal(err)
	}
	page, err := b.Page(proto.TargetCreateTarget{})
	if err != nil {
		t.Fatal(err)
	}
	page = page.Timeout(5 * time.Minute)
	one := tab{t, page}
	one.must(proto.NetworkEnable{}.Call(page))
	one.must(proto.NetworkEmulateNetworkConditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}.Call(page))
	_, err = page.EvalOnNewDocument(`window.began = performance.now(); window.longest = 0; window.errors = [];
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
	got, err := o.page.Eval(`async k => { const w = document.querySelectorAll(".ssdrnb-widget")[k]; `+body+` }`, k)
	if err != nil {
		o.Fatal(err)
	}
	return got.Value.Str()
}

// until waits for a condition on the k-th widget w.
func (o tab) until(k int, limit time.Duration, condition string) {
	o.Helper()
	for began := time.Now(); o.eval(k, "return String(!!("+condition+"))") != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > limit {
			o.shot("in-vain")
			o.Fatalf("waited in vain for %s; the widget: %s", condition, o.eval(k, `return w.dataset.state + " " + w.dataset.error + " " + w.innerText.slice(0, 600) + JSON.stringify(window.errors)`))
		}
	}
}

// shot writes a picture of the page into the folder SSDRNB_SHOTS, if that is set.
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

// slide sets the slider of an option and returns the milliseconds to the new picture.
func (o tab) slide(k int, name string, value int) float64 {
	o.Helper()
	got, err := o.page.Eval(`([k, name, value]) => new Promise((done, failed) => {
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

// An explorer in a page from a file, without a network and a kernel: a slider refits.
func TestExplorerInPage(t *testing.T) {
	chromium(t)
	d := datasets.Digits().KeepLabels(20).Seed(1)
	var tasks []pageTask
	methods := []ssdrnb.Estimator{ssdrnb.TRSDA(), ssdrnb.PCA(), ssdrnb.LDA(), ssdrnb.SDA()}
	for _, m := range methods {
		tasks = append(tasks, pageTask{Task: Explorer(m, d).task, Name: "options-" + m.Spec().Method().Name, Notebook: "test"})
	}
	path := filepath.Join(t.TempDir(), "page.html")
	writePage(t, path, tasks...)
	o := openTab(t, path, t.TempDir())
	o.until(0, 30*time.Second, isLive)
	t.Logf("first move possible %s ms after load, longest task of the main thread %s ms", o.eval(0, `return (performance.now() - window.began).toFixed(0)`), o.eval(0, `return window.longest.toFixed(0)`))
	o.shot("explorer-page")
	for k, m := range methods {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, 30*time.Second, isLive)
		name, first := "neighbors", 3
		if _, ok := m.Spec().Method().Param(name); !ok {
			name, first = "pca", 80
			if _, ok := m.Spec().Method().Param(name); !ok {
				name, first = "dims", 0
			}
		}
		var times []float64
		for i := range 20 {
			value := first + i
			if name == "dims" {
				value = i % 2
			}
			times = append(times, o.slide(k, name, value))
		}
		slices.Sort(times)
		t.Logf("%s, %s: slider to picture: median %.0f ms, worst %.0f", m.Spec().Method().Name, name, times[10], times[19])
	}
	t.Logf("longest task of the main thread %s ms", o.eval(0, `return window.longest.toFixed(0)`))
	o.eval(0, `w.scrollIntoView(); return ""`)
	o.shot("explorer-page-moved")
	// What is out of range is refused in the library's words, and the picture stays.
	before := o.eval(0, `return w.dataset.revision`)
	o.eval(0, `w.ssdrnb.post("set", {name: "neighbors", value: -5}); return ""`)
	o.until(0, 5*time.Second, `w.dataset.error`)
	want := ssdrnb.TRSDA().Neighbors(-5).Spec().Err().Error()
	if got := o.eval(0, `return w.querySelector(".ssdrnb-error").textContent`); got != want {
		t.Errorf("out of range: %q, want %q", got, want)
	}
	if after := o.eval(0, `return w.dataset.revision`); after != before {
		t.Errorf("the picture changed from %s to %s", before, after)
	}
	// The options chosen survive a reload.
	code := o.eval(0, `return w.querySelector("code").textContent`)
	if !strings.Contains(code, ".Neighbors(") {
		t.Errorf("after the slider: %s", code)
	}
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, 30*time.Second, isLive)
	if got := o.eval(0, `return w.querySelector("code").textContent`); got != code {
		t.Errorf("after a reload: %s, want %s", got, code)
	}
	if errors := o.eval(0, `return JSON.stringify(window.errors)`); errors != "[]" {
		t.Errorf("in the page: %s", errors)
	}
}
