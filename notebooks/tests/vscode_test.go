package tests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// inserts is a page that shows an output as VS Code does: first the HTML without its scripts, then
// a copy of each script, which is removed from the page at once. The body has the theme.
const inserts = `<!doctype html><meta charset="utf-8"><body data-vscode-theme-kind="vscode-dark" style="background:#1f1f1f;color:#ccc"><script src="/echarts.min.js"></script><script>
function show(html) {
	const output = document.body.appendChild(document.createElement("div"));
	output.innerHTML = html;
	for (const from of output.getElementsByTagName("script")) {
		const to = document.createElement("script");
		to.text = from.innerText;
		if (from.type) { to.type = from.type; }
		output.appendChild(to).remove();
	}
	return true;
}
</script>`

// TestVSCode shows figures by VS Code's rules: there are charts in the brightness of its theme,
// whatever the system's theme, also after a change.
func TestVSCode(t *testing.T) {
	t.Parallel()
	bin, _ := jupyter(t)
	model := ssdrnb.PCA().MustFit(datasets.Iris())
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, inserts) })
	mux.Handle("/echarts.min.js", http.FileServerFS(os.DirFS(filepath.Join(filepath.Dir(filepath.Dir(bin)), "web"))))
	server := httptest.NewServer(mux)
	defer server.Close()
	b := newBench(t)
	b.must(b.tab.Navigate(server.URL))
	b.must(b.tab.WaitLoad())
	for _, f := range []viz.Figure{viz.Embedding(model), viz.Multiples(viz.Group{Models: []viz.Embedded{model}})} {
		bundle, err := f.Bundle()
		b.must(err)
		ask[bool](t, b.tab, "html => show(html)", bundle["text/html"])
	}
	for _, theme := range []string{"vscode-dark", "vscode-light", "vscode-high-contrast", "vscode-high-contrast-light"} {
		ask[bool](t, b.tab, `theme => { document.body.dataset.vscodeThemeKind = theme; return true; }`, theme)
		b.until(patience, "the figures are as bright as "+theme, `dark => {
			const f = document.querySelector('.ssdrnb-figure[data-kind="embedding"]'), place = f.querySelector(":scope > div"), chart = place && echarts.getInstanceByDom(place);
			const small = document.querySelector('.ssdrnb-figure[data-kind="multiples"] > img');
			return f.dataset.drawn === "yes" && !!chart && !!(chart._theme && chart._theme.darkMode) === dark && getComputedStyle(small).filter.startsWith("invert") === dark;
		}`, theme == "vscode-dark" || theme == "vscode-high-contrast")
		b.shot(theme)
	}
	b.clean()

	// Without a network the static figure stays, and a line gives the reason.
	b.must(b.tab.Navigate(server.URL))
	b.must(b.tab.WaitLoad())
	b.alone()
	bundle, err := viz.Embedding(model).Bundle()
	b.must(err)
	ask[bool](t, b.tab, "html => { delete window.echarts; return show(html); }", bundle["text/html"])
	b.until(patience, "a line says why there is no chart", `() => {
		const f = document.querySelector(".ssdrnb-figure");
		return f.querySelector("img").getBoundingClientRect().width > 300 && f.innerText.includes("echarts.min.js") && f.innerText.includes("./install.sh page");
	}`)
}
