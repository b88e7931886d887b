package tests

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/schema"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// extensionBench opens a page that renders outputs by the notebook extension as JupyterLab does.
// SSDRNB_EXTENSION names another version of its script, to check that a test fails with it.
func extensionBench(t *testing.T) *viztest.Bench {
	t.Helper()
	bin, _ := jupyter(t)
	script := ""
	if other := os.Getenv("SSDRNB_EXTENSION"); other != "" {
		raw, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		script = string(raw)
	}
	tab, _ := openBrowser(t)
	return viztest.Open(t, tab, "..", filepath.Join(filepath.Dir(filepath.Dir(bin)), "web"), script)
}

// htmlOf is the HTML of a figure in a notebook.
func htmlOf(t *testing.T, f viz.Figure) string {
	t.Helper()
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	return bundle["text/html"].(string)
}

type object = map[string]any

// harm is HTML that runs a script.
const harm = `<img src=x onerror="window.__pwned='harm'">`

// elsewhere is an address controlled by the attacker.
const elsewhere = "http://127.0.0.1:9/elsewhere.png"

// attack is a malicious output: a figure, and the change applied to it.
type attack struct {
	name   string
	figure func() viz.Figure
	change func(f object)
	markup func(html string) string // applied to the surrounding HTML
	drawn  bool                     // the figure is drawn normally
}

func embedding() viz.Figure {
	return viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris().KeepLabels(10)))
}

func thumbnails() viz.Figure {
	first := make([]int, 100)
	for k := range first {
		first[k] = k
	}
	return viz.Embedding(ssdrnb.PCA().MustFit(datasets.Digits().Subset(first))).Thumbnails()
}

func option(f object) object { return f["option"].(object) }

func each(f object, change func(s object)) {
	for _, s := range option(f)["series"].([]any) {
		change(s.(object))
	}
}

// reproduced are the attacks that once worked: each ran a script, contacted a server, covered the
// notebook or froze the page.
var reproduced = []attack{
	{name: "a grade's line closes its drawing", figure: func() viz.Figure { return embedding().PointSize("petal width (cm)") },
		change: func(f object) { f["layout"].(object)["left"] = `0'></text></svg>` + harm }},
	{name: "a grade's number closes its drawing", figure: func() viz.Figure { return embedding().PointSize("petal width (cm)") },
		change: func(f object) { f["height"] = `400'></svg>` + harm }},
	{name: "a card of a series is a text", figure: embedding,
		change: func(f object) { each(f, func(s object) { s["tooltip"] = harm }) }},
	{name: "a card of a sample is a text", figure: embedding,
		change: func(f object) {
			each(f, func(s object) { s["data"] = []any{object{"value": []any{0, 0, 1}, "tooltip": harm}} })
		}},
	{name: "a card of lines is their name", figure: func() viz.Figure { return viz.Cone([3]float64{1, 2, 0.5}) },
		change: func(f object) {
			f["kind"], f["gl"], f["layout"].(object)["legend"] = "pictures", false, 0
			f["option"] = object{"title": []any{}, "tooltip": object{"trigger": "item"}, "animation": false, "xAxis": []any{object{"type": "value", "min": 0, "max": 1}}, "yAxis": []any{object{"type": "value", "min": 0, "max": 1}},
				"series": []any{object{"type": "lines", "name": harm, "coordinateSystem": "cartesian2d", "lineStyle": object{"width": 300}, "data": []any{object{"coords": []any{[]any{0, 0.5}, []any{1, 0.5}}}}}}}
		}},
	{name: "a height is a style", figure: embedding, change: func(f object) { f["height"] = "1px;background:url(" + elsewhere + ")" }},
	{name: "an inner key has an image", figure: embedding,
		change: func(f object) {
			option(f)["visualMap"] = []any{object{"type": "continuous", "show": false, "dimension": 0, "min": -9, "max": 9, "inRange": object{"symbol": object{"from": "image://" + elsewhere}}}}
		}},
	{name: "a paragraph covers the page", figure: embedding, drawn: true, change: func(object) {},
		markup: func(html string) string {
			return `<p class="ssdrnb-corner ssdrnb-widget" style="width:9999px;height:9999px;font-size:900px">covered</p>` + html
		}},
	{name: "a scale of 1e8 steps", figure: embedding,
		change: func(f object) {
			option(f)["visualMap"] = []any{object{"type": "piecewise", "splitNumber": 1e8, "dimension": 0, "min": 0, "max": 1}}
		}},
	{name: "an axis of time", figure: embedding,
		change: func(f object) {
			a := option(f)["xAxis"].([]any)[0].(object)
			a["type"], a["min"], a["max"], a["splitNumber"], a["minInterval"], a["maxInterval"] = "time", 0, 1e15, 1e8, 1, 1
		}},
	{name: "100,000 panels", figure: embedding,
		change: func(f object) {
			l := f["layout"].(object)
			ratio := make([]any, 100_000)
			for k := range ratio {
				ratio[k] = 1
			}
			l["count"], l["ratio"] = len(ratio), ratio
		}},
	{name: "200,000 legend names", figure: func() viz.Figure { return embedding().Size(400, 300) },
		change: func(f object) {
			names := make([]any, 200_000)
			for k := range names {
				names[k] = strconv.Itoa(k)
			}
			option(f)["legend"].(object)["data"], option(f)["legend"].(object)["type"] = names, "plain"
		}},
	{name: "50,000 series", figure: embedding,
		change: func(f object) {
			all := option(f)["series"].([]any)
			for len(all) < 50_000 {
				one := maps.Clone(all[0].(object))
				one["data"] = []any{[]any{0, 0, 1}}
				all = append(all, one)
			}
			option(f)["series"] = all
		}},
	{name: "a title of 10 MB", figure: embedding, change: func(f object) { option(f)["title"].([]any)[0].(object)["text"] = strings.Repeat("long ", 2<<20) }},
	{name: "a path of 5 MB", figure: embedding,
		change: func(f object) {
			each(f, func(s object) { s["symbol"] = "path://" + strings.Repeat("M0,0L1,1", 5<<17) })
		}},
	{name: "a grade's name of 300 kB", figure: func() viz.Figure { return embedding().PointSize("petal width (cm)") },
		change: func(f object) {
			f["extra"].(object)["grades"].([]any)[0].(object)["name"] = strings.Repeat("name ", 60_000)
		}},
	{name: "lines of 1e300 places", figure: func() viz.Figure { return viz.Distortion(ssdrnb.PCA().MustFit(datasets.Iris())) },
		change: func(f object) {
			option(f)["series"].([]any)[0].(object)["data"] = []any{1e300, 0, 0, 1, 1}
			delete(option(f)["series"].([]any)[0].(object), "draw")
		}},
}

// harmful are similar attacks.
var harmful = []attack{
	{name: "as it was", figure: thumbnails, change: func(object) {}, drawn: true},
	{name: "styles", figure: embedding, change: func(f object) {
		const css = "red;background:url(" + elsewhere + ")"
		option(f)["tooltip"] = object{"trigger": "item", "borderColor": css, "align": css, "textStyle": object{"color": css, "fontWeight": css, "fontSize": css}}
		each(f, func(s object) { s["itemStyle"] = object{"color": css} })
	}},
	{name: "prototypes", figure: embedding, change: func(f object) {
		f["__proto__"] = object{"harmed": 1}
		option(f)["constructor"] = object{"prototype": object{"harmed": 1}}
	}},
	{name: "pictures of any size", figure: thumbnails, change: func(f object) {
		for _, s := range f["extra"].(object)["sheets"].([]any) {
			s.(object)["w"], s.(object)["h"] = 30_000, 30_000
		}
	}},
	{name: "no layout", figure: embedding, change: func(f object) { delete(f, "layout") }},
	{name: "layout of text", figure: embedding, change: func(f object) { f["layout"] = "wide" }},
	{name: "no panels", figure: embedding, change: func(f object) { f["extra"] = object{"panels": nil} }},
	{name: "series of text", figure: embedding, change: func(f object) { option(f)["series"] = "all" }},
	{name: "a kind of a prototype", figure: embedding, change: func(f object) { f["kind"] = "constructor" }},
	{name: "another kind", figure: embedding, change: func(f object) { f["kind"] = "bars" }},
	{name: "null", figure: embedding, change: func(f object) { clear(f); f["kind"] = nil }},
	{name: "no JSON", figure: embedding, markup: func(html string) string {
		before, _, after := viztest.Split(html)
		return before + "alert(1)" + after
	}},
	{name: "deep", figure: embedding, markup: func(html string) string {
		before, _, after := viztest.Split(html)
		return before + `{"kind": "embedding", "option": ` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + "}" + after
	}},
	{name: "a million lists", figure: embedding, markup: func(html string) string {
		before, _, after := viztest.Split(html)
		return before + `{"kind": "embedding", "option": [` + strings.Repeat("[],", 1_000_000) + "[]]}" + after
	}},
	{name: "longer than any", figure: embedding, markup: func(html string) string {
		before, data, after := viztest.Split(html)
		return before + data + viztest.Long + after
	}},
	{name: "20,000 tags", figure: embedding, markup: func(html string) string { return html + strings.Repeat("<b>", 20_000) }},
	{name: "100,000 attributes", figure: embedding, markup: func(html string) string {
		return strings.Replace(html, "<div", "<div "+strings.Repeat("a ", 100_000), 1)
	}},
}

// html is the HTML of an attack.
func (a attack) html(t *testing.T) string {
	t.Helper()
	html := htmlOf(t, a.figure())
	if a.change != nil {
		before, data, after := viztest.Split(html)
		var figure object
		if err := json.Unmarshal([]byte(data), &figure); err != nil {
			t.Fatal(err)
		}
		a.change(figure)
		changed, err := json.Marshal(figure)
		if err != nil {
			t.Fatal(err)
		}
		html = before + string(changed) + after
	}
	if a.markup != nil {
		html = a.markup(html)
	}
	return html
}

// TestHarmfulFigures gives malicious outputs to the extension: nothing in them runs or is fetched,
// the page keeps working, and where there is no chart the static figure stays.
func TestHarmfulFigures(t *testing.T) {
	t.Parallel()
	b := extensionBench(t)
	defer func() { b.T = t }()
	for _, a := range append(reproduced, harmful...) {
		t.Run(a.name, func(t *testing.T) {
			b.T = t
			s := b.Show(a.html(t))
			if !s.Refused() {
				s.Harm = append(s.Harm, b.Provoke().Harm...)
			}
			if len(s.Harm) > 0 {
				t.Errorf("%.1000s", strings.Join(s.Harm, "; "))
			}
			if s.Refused() == a.drawn || a.drawn && s.Drawn != "yes" || !a.drawn && !s.Picture && a.name != "20,000 tags" && a.name != "100,000 attributes" {
				t.Errorf("the figure: %+v", s)
			}
			t.Logf("blocked for %.0f ms", s.Longest)
			b.Reload()
		})
	}
}

// TestAttackFigures replaces each value of the data of every kind of figure in turn.
func TestAttackFigures(t *testing.T) {
	t.Parallel()
	b := extensionBench(t)
	figures, kinds := map[string]string{}, schema.Figures()
	for name, f := range viztest.Figures() {
		kind, _, _ := strings.Cut(name, " ")
		delete(kinds, kind)
		figures[name] = htmlOf(t, f)
	}
	for kind := range kinds {
		t.Errorf("no figure of kind %q is attacked: add one to viz/viztest", kind)
	}
	draws := 0
	if browser.Thorough() {
		draws = 1
	}
	b.Attack("figures", figures, draws)
}

// TestStoreOfOthers stores a selection in figures whose data name another notebook: the page reads
// and writes only the stores of the notebook that contains the figure.
func TestStoreOfOthers(t *testing.T) {
	t.Parallel()
	b := extensionBench(t)
	html := strings.Replace(htmlOf(t, embedding()), `<script type="application/json"`, `<script type="application/json" data-kernel="0a-1b" data-notebook="other-0a1b2c3d" data-path="other.ipynb"`, 1)
	if s := b.Show(html); s.Refused() || len(s.Harm) > 0 {
		t.Fatalf("%+v", s)
	}
	b.Provoke()
	told := b.Do(`async () => {
		document.querySelector(".ssdrnb-figure").querySelector(".ssdrnb-keyed").focus();
		for (const key of ["ArrowRight", "Enter"]) { document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true, cancelable: true})); }
		const box = document.querySelector(".ssdrnb-selection"), field = box.querySelector("input");
		field.value = "mine";
		Array.from(box.querySelectorAll("button")).find(b => b.textContent === "Store").click();
		for (let k = 0; k < 500 && !box.dataset.stored; k++) { await new Promise(r => setTimeout(r, 20)); }
		return box.innerText;
	}`)
	if !strings.Contains(told, "Stored in this browser") {
		t.Errorf("it says %q", told)
	}
	names := b.Kept()
	if len(names) < 3 {
		t.Errorf("only %q is stored", names)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "ssdrnb:untrusted.ipynb:") && !strings.HasPrefix(name, "ssdrnb:ssdrnb-constraints/untrusted:") && !strings.HasPrefix(name, "/api/contents/ssdrnb-constraints") {
			t.Errorf("the page uses %q", name)
		}
	}
}

// TestReproducedInLab opens an unsigned notebook with all reproduced attacks and one valid figure
// in JupyterLab, in its light and its dark theme: the page keeps working, and nothing runs, is
// requested, or covers it.
func TestReproducedInLab(t *testing.T) {
	t.Parallel()
	bin, env := jupyter(t)
	var cells []any
	for _, a := range append(append([]attack{}, reproduced...), attack{name: "as it was", figure: embedding}) {
		cells = append(cells, object{"cell_type": "code", "execution_count": nil, "id": "cell" + strconv.Itoa(len(cells)), "metadata": object{}, "source": "// " + a.name, "outputs": []any{object{
			"output_type": "display_data", "metadata": object{}, "data": object{"text/html": a.html(t), "text/plain": "in words", "application/vnd.ssdrnb.figure.v1+json": object{"data": "text/html"}}}}})
	}
	raw, err := json.Marshal(object{"cells": cells, "metadata": object{"kernelspec": object{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "attacks.ipynb"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	tab, trouble := openBrowser(t)
	address := lab(t, bin, env, root)
	drawn := 0
	for _, a := range reproduced {
		if a.drawn {
			drawn++
		}
	}
	type state struct {
		Drawn, Refused, Trusted int
		Fixed                   []string
		Harm                    string
	}
	want := state{Drawn: drawn + 1, Refused: len(reproduced) - drawn}
	const look = `() => ({
		Drawn: document.querySelectorAll(".jp-Notebook .ssdrnb-figure[data-drawn='yes'] canvas:first-of-type").length && document.querySelectorAll(".jp-Notebook .ssdrnb-figure[data-drawn='yes']").length,
		Refused: Array.from(document.querySelectorAll(".jp-Notebook .jp-OutputArea-output")).filter(o => o.textContent.includes("could not be drawn") && o.querySelector("img[src]").naturalWidth > 100).length,
		Trusted: Array.from(jupyterapp.shell.currentWidget.content.model.cells).filter(c => c.trusted && c.outputs.length).length,
		Fixed: Array.from(document.querySelectorAll(".jp-OutputArea *")).filter(e => getComputedStyle(e).position === "fixed").map(e => e.className),
		Harm: String(window.__pwned || ""),
	})`
	open(t, tab, address("attacks.ipynb")+"&reset", `() => { const s = (`+look+`)(); return s.Drawn === `+strconv.Itoa(want.Drawn)+` && s.Refused === `+strconv.Itoa(want.Refused)+`; }`)
	for _, theme := range []string{"JupyterLab Light", "JupyterLab Dark"} {
		ask[bool](t, tab, `async theme => {
			await jupyterapp.commands.execute("apputils:change-theme", {theme: theme});
			for (const e of document.querySelectorAll(".jp-Notebook .ssdrnb-figure")) {
				e.scrollIntoView({block: "center"});
				await new Promise(r => setTimeout(r, 100));
				const r = e.getBoundingClientRect();
				for (let k = 1; k < 8; k++) { document.elementFromPoint(r.x + r.width * k / 8, Math.min(Math.max(r.y + r.height / 2, 0), innerHeight - 1))?.dispatchEvent(new MouseEvent("mousemove", {clientX: r.x + r.width * k / 8, clientY: r.y + r.height / 2, bubbles: true})); }
			}
			return true;
		}`, theme)
		var got state
		poll(patience, 200*time.Millisecond, func() bool {
			got = ask[state](t, tab, look)
			return got.Drawn == want.Drawn
		})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", theme, got, want)
		}
		shot(t, tab, box{0, 0, 1300, 1000}, "lab-attacks-"+theme[11:])
	}
	if list := trouble(); len(list) > 0 {
		t.Errorf("in the page: %s", strings.Join(list, "\n"))
	}
}

// TestIntegrity compares the checksums of the external scripts that a page loads if the server has
// no copy with those of the files fetched and checked by install.sh.
func TestIntegrity(t *testing.T) {
	t.Parallel()
	bin, _ := jupyter(t)
	source, err := os.ReadFile(filepath.Join("..", "viz", "js", "loader.js"))
	if err != nil {
		t.Fatal(err)
	}
	setup, err := os.ReadFile(filepath.Join("..", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"https://[^"]*npm/(echarts[-gl]*)@([0-9.]+)/dist/([\w.-]+)",\s*"(sha384-[^"]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(found) != 2 || strings.Count(string(source), "https://") != 2 {
		t.Fatalf("scripts from elsewhere: %q", found)
	}
	for _, f := range found {
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(bin)), "web", f[3]))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum384(raw)
		if want := "sha384-" + base64.StdEncoding.EncodeToString(sum[:]); f[4] != want {
			t.Errorf("%s has the sum %s, want %s", f[3], f[4], want)
		}
		if version := strings.ToUpper(strings.ReplaceAll(f[1], "-", "_")) + "=" + f[2] + "\n"; !strings.Contains(string(setup), version) {
			t.Errorf("install.sh does not fetch %s", version)
		}
	}
}
