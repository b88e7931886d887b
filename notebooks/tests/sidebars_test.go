package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// In JupyterLab of 900 pixels with both side bars open, figures and widgets are as narrow as the
// notebook: no part of them is cut, and no output scrolls sideways.
func TestSideBars(t *testing.T) {
	browser.All(t)
	t.Parallel()
	bin, env := jupyter(t)
	root := t.TempDir()
	raw, err := os.ReadFile("00-quickstart.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "bench.ipynb"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 900, Height: 1000, DeviceScaleFactor: 1}))
	b.address = lab(t, bin, env, root)("bench.ipynb")
	b.load()
	ask[bool](t, b.tab, `async () => {
		const app = window.jupyterapp, shell = app.shell;
		shell.expandLeft();
		shell.expandRight();
		return true;
	}`)
	b.until(patience, "both side bars are open", `() => !window.jupyterapp.shell.leftCollapsed && !window.jupyterapp.shell.rightCollapsed`)
	b.until(time.Minute, "the notebook is read", `() => { const p = window.jupyterapp.shell.currentWidget; return p.context.isReady && p.content.widgets.length > 5 && p.content.widgets.length === p.content.model.cells.length; }`)
	// JupyterLab renders only the cells near the window.
	holders := ask[[]int](t, b.tab, `() => window.jupyterapp.shell.currentWidget.content.widgets.map((c, k) => {
		const outputs = c.model.outputs, html = [];
		for (let i = 0; outputs && i < outputs.length; i++) { html.push(String(outputs.get(i).data["text/html"] || "")); }
		return html.join("").includes("ssdrnb-") ? k : -1;
	}).filter(k => k >= 0)`)
	kinds := map[string]int{}
	for _, k := range holders {
		const here = `const cell = window.jupyterapp.shell.currentWidget.content.widgets[k].node, all = [...cell.querySelectorAll(".ssdrnb-figure, .ssdrnb-widget")];`
		ask[bool](t, b.tab, `async k => { await window.jupyterapp.shell.currentWidget.content.scrollToItem(k, "center"); return true; }`, k)
		b.until(time.Minute, "it is drawn", `k => {`+here+`
			all[0]?.scrollIntoView({block: "center"});
			return all.length > 0 && all.every(f => f.dataset.drawn === "yes" || f.dataset.state === "live" && !!f.dataset.revision || f.dataset.kind === "multiples");
		}`, k)
		got := ask[struct{ Kinds, Wide []string }](t, b.tab, `k => {`+here+`
			const said = [];
			for (const f of all) {
				const out = f.closest(".jp-OutputArea-output"), r = out.getBoundingClientRect();
				if (out.scrollWidth > out.clientWidth + 1) { said.push("the output scrolls: " + out.scrollWidth + " in " + out.clientWidth); }
				for (const e of [f, ...f.querySelectorAll("canvas, button, input, select, label, table")]) {
					const b = e.getBoundingClientRect();
					if (b.width && getComputedStyle(e).visibility !== "hidden" && (b.right > r.right + 1 || b.left < r.left - 1)) {
						said.push(e.tagName + "." + e.className + " is from " + b.left + " to " + b.right + " in " + r.left + " to " + r.right);
					}
				}
			}
			return {Kinds: all.map(f => f.className), Wide: said.slice(0, 5)};
		}`, k)
		for _, name := range got.Kinds {
			kinds[name]++
		}
		shot(t, b.tab, box{0, 0, 900, 1000}, fmt.Sprintf("sidebars-%d", k))
		if len(got.Wide) > 0 {
			t.Errorf("cell %d: %q", k, got.Wide)
		}
	}
	if kinds["ssdrnb-figure"] == 0 || kinds["ssdrnb-widget"] == 0 {
		t.Errorf("there are only %v", kinds)
	}
}
