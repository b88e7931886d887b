package notebooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// renders is a page that renders outputs by the notebook extension as JupyterLab does.
const renders = `<!doctype html><meta charset="utf-8"><body data-base-url="/"><script src="%s"></script><script>
class Widget { constructor() { this.node = document.createElement("div"); } addClass() {} }
async function show(bundle) {
	const container = _JUPYTERLAB["ssdrnb-assets"];
	container.init({"@lumino/widgets": {"2.0.0": {get: async () => () => ({Widget})}}});
	const made = (await container.get("./mimeExtension"))().default.rendererFactory.createRenderer({mimeType: "application/vnd.ssdrnb.figure.v1+json"});
	document.body.replaceChildren(made.node);
	await made.renderModel({data: bundle});
	return true;
}
</script>`

// TestHarmfulFigures gives the extension outputs that mean harm: nothing of them runs or is
// fetched, the page goes on, and where there is no chart the static picture stays.
func TestHarmfulFigures(t *testing.T) {
	t.Parallel()
	_, env := jupyter(t)
	var assets string
	for _, e := range env {
		if dir, found := strings.CutPrefix(e, "JUPYTER_DATA_DIR="); found {
			assets = filepath.Join(dir, "labextensions", "ssdrnb-assets")
		}
	}
	entries, _ := filepath.Glob(filepath.Join(assets, "static", "remoteEntry.*.js"))
	if len(entries) != 1 {
		t.Fatalf("%d scripts of the extension in %s: run ./install.sh", len(entries), assets)
	}
	const served = "/lab/extensions/ssdrnb-assets/"
	mux := http.NewServeMux()
	mux.Handle(served, http.StripPrefix(served, http.FileServerFS(os.DirFS(assets))))
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, renders, served+"static/"+filepath.Base(entries[0]))
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	bundle, err := viz.Embedding(ssdrnb.PCA().MustFit(datasets.Digits())).Thumbnails().Bundle()
	if err != nil {
		t.Fatal(err)
	}
	html := bundle["text/html"].(string)
	const tag, end = `<script type="application/json"`, "</script>"
	begin, rest, _ := strings.Cut(html, tag)
	head, rest, _ := strings.Cut(rest, ">")
	text, after, _ := strings.Cut(rest, end)

	const elsewhere = "https://example.org/harm.png"
	type object = map[string]any
	option := func(f object) object { return f["option"].(object) }
	each := func(f object, change func(s object)) {
		for _, s := range option(f)["series"].([]any) {
			change(s.(object))
		}
	}
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	b := newBench(t)
	for _, c := range []struct {
		name   string
		change func(f object) // of the figure
		raw    string         // instead of the figure
		drawn  bool
	}{
		{name: "as it was", change: func(object) {}, drawn: true},
		{name: "symbols", drawn: true, change: func(f object) {
			each(f, func(s object) { s["symbol"] = "emptyimage://" + elsewhere })
			option(f)["series"] = append(option(f)["series"].([]any), object{"type": "lines", "coordinateSystem": "cartesian2d", "xAxisIndex": 0, "yAxisIndex": 0,
				"symbol": []any{"none", "image://" + elsewhere}, "symbolSize": 20, "data": []any{object{"coords": []any{[]any{-1, -1}, []any{1, 1}}}}})
		}},
		{name: "styles", drawn: true, change: func(f object) {
			const css = "red;background:url(" + elsewhere + ")"
			f["kind"] = "other"
			option(f)["tooltip"] = object{"trigger": "item", "borderColor": css, "align": css, "textStyle": object{"color": css, "fontWeight": css, "fontSize": css}}
			option(f)["textStyle"] = object{"fontWeight": css}
			each(f, func(s object) { s["itemStyle"] = object{"color": css}; s["tooltip"] = object{"borderColor": css} })
		}},
		{name: "prototypes", drawn: true, change: func(f object) {
			f["__proto__"] = object{"harmed": 1}
			option(f)["__proto__"] = object{"harmed": 1}
			option(f)["constructor"] = object{"prototype": object{"harmed": 1}}
		}},
		{name: "pictures of any size", drawn: true, change: func(f object) {
			for _, s := range f["extra"].(object)["sheets"].([]any) {
				s.(object)["w"], s.(object)["h"] = 30_000, 30_000
			}
		}},
		{name: "no layout", change: func(f object) { delete(f, "layout") }},
		{name: "layout of text", change: func(f object) { f["layout"] = "wide" }},
		{name: "no panels", change: func(f object) { f["extra"] = object{"panels": nil} }},
		{name: "series of text", change: func(f object) { option(f)["series"] = "all" }},
		{name: "null", raw: "null"},
		{name: "no JSON", raw: "alert(1)"},
		{name: "deep", raw: `{"option": ` + deep + `}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw := c.raw
			if raw == "" {
				var figure object
				if err := json.Unmarshal([]byte(text), &figure); err != nil {
					t.Fatal(err)
				}
				c.change(figure)
				changed, err := json.Marshal(figure)
				if err != nil {
					t.Fatal(err)
				}
				raw = string(changed)
			}
			before := len(b.trouble())
			if err := b.tab.Navigate(server.URL); err != nil {
				t.Fatal(err)
			}
			if err := b.tab.WaitLoad(); err != nil {
				t.Fatal(err)
			}
			ask[bool](t, b.tab, "bundle => show(bundle)", map[string]string{"text/html": begin + tag + head + ">" + raw + end + after, "text/plain": "a figure"})
			type found struct {
				Drawn          string
				Picture, Chart bool
				Harmed         bool
				Text           string
			}
			var got found
			poll(patience, 100*time.Millisecond, func() bool {
				got = ask[found](t, b.tab, `() => {
					const f = document.querySelector(".ssdrnb-figure"), i = f.querySelector(":scope > img");
					return {Drawn: f.dataset.drawn || "", Picture: i.getBoundingClientRect().width > 100 && i.naturalWidth > 100, Chart: !!f.querySelector("canvas"), Harmed: ({}).harmed !== undefined || "harmed" in window, Text: document.body.innerText};
				}`)
				return got.Chart == c.drawn && got.Drawn != "pending" && (c.drawn || strings.Contains(got.Text, "could not be drawn"))
			})
			if got.Chart != c.drawn || got.Picture == got.Chart || got.Harmed || strings.Contains(got.Text, "could not be drawn") == c.drawn {
				t.Errorf("the figure: %+v", got)
			}
			if c.drawn { // the pointer goes over the figure
				at := ask[[]float64](t, b.tab, `() => {
					const f = document.querySelector(".ssdrnb-figure > div"), chart = echarts.getInstanceByDom(f), s = chart.getOption().series.find(s => s.type === "scatter" && s.data.length), r = f.getBoundingClientRect();
					const p = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, s.data[0]);
					return [r.left + p[0], r.top + p[1]];
				}`)
				for _, dx := range []float64{-3, 0} {
					if err := b.tab.Mouse.MoveTo(proto.Point{X: at[0] + dx, Y: at[1]}); err != nil {
						t.Fatal(err)
					}
					time.Sleep(400 * time.Millisecond)
				}
				if text := ask[string](t, b.tab, `() => document.body.innerText`); c.name == "as it was" && !strings.Contains(text, "sample ") {
					t.Errorf("no card: %q", text)
				}
			}
			if list := b.trouble()[before:]; len(list) > 0 {
				t.Errorf("in the page: %s", strings.Join(list, "\n"))
			}
		})
	}
}
