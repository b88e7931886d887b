package widgets

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// If no kernel answers, the page shows the static figure and a sentence three seconds after it was
// opened, or later on a busy machine. This happens in an export, in VS Code, whose pages name no
// Jupyter server, and if the server at the base URL refuses the connection.
func TestPageWithoutKernel(t *testing.T) {
	browser.Path(t)
	d := *datasets.Iris()
	d.Name = `<img src=x onerror="window.harmed=1">`
	figure := viz.Embedding(ssdrnb.PCA().MustFit(&d))
	picture, err := figure.PNG()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV, "kernel-of-the-test")
	html, err := payload{Kind: "explorer", Address: "/ssdrnb/1"}.fragment(staticNote, figure.Text(), picture)
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("..", "viz", "js", "bundle", "widgets.js"))
	if err != nil {
		t.Fatal(err)
	}
	// All pages but one have the script of widgets, as the extension provides it.
	servers := map[string]string{
		"/export/":      "",
		"/bare/":        `<script type="application/json" id="jupyter-config-data">{"baseUrl": "/bare/where/"}</script>`,
		"/notebook/":    `<script type="application/json" id="jupyter-config-data">{"baseUrl": "/some/where/", "token": "secret"}</script>`,
		"/old-notebook": `<script>document.body.dataset.baseUrl = "/some/where/";</script>`,
	}
	var mu sync.Mutex
	asked := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if head, ok := servers[r.URL.Path]; ok {
			if r.URL.Path != "/bare/" {
				head += "<script>" + string(script) + "</script>"
			}
			fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><body>%s<script>window.began = performance.now();</script>%s</body>`, head, html)
			return
		}
		mu.Lock()
		asked[r.URL.Path] = true
		mu.Unlock()
		http.Error(w, "refused", http.StatusForbidden)
	}))
	defer server.Close()

	for place := range servers {
		page := browser.Page(t).Timeout(time.Minute)
		if err := page.Navigate(server.URL + place); err != nil {
			t.Fatal(err)
		}
		if err := page.WaitLoad(); err != nil {
			t.Fatal(err)
		}
		// The page itself measures the time, from its first script to the sentence.
		got, err := page.Eval(`() => new Promise(done => {
			const w = document.querySelector(".ssdrnb-widget");
			(function look() {
				const text = w.innerText, i = w.querySelector("img");
				if (w.dataset.state === "dead" || performance.now() - window.began > 20000) {
					done({took: performance.now() - window.began, state: w.dataset.state, text: text, width: i.getBoundingClientRect().width,
						harmed: !!window.harmed || !!document.querySelector("img[src='x']")});
					return;
				}
				setTimeout(look, 20);
			})();
		})`)
		if err != nil {
			t.Fatal(err)
		}
		v := got.Value
		t.Logf("%s: %s after %.0f ms", place, v.Get("text").Str(), v.Get("took").Num())
		if v.Get("state").Str() != "dead" || !strings.HasPrefix(v.Get("text").Str(), "Static picture. The controls are not live: ") || v.Get("width").Num() < 200 {
			t.Errorf("%s: %s", place, v.JSON("", ""))
		}
		if v.Get("harmed").Bool() {
			t.Errorf("%s: the name of the data became markup", place)
		}
		if err := page.Close(); err != nil {
			t.Error(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !asked["/bare/where/lab/extensions/ssdrnb-assets/static/widgets.js"] {
		t.Errorf("a page without the script requests %v", asked)
	}
	if !asked["/some/where/api/kernels/kernel-of-the-test/channels"] {
		t.Errorf("below the base URL the page requests %v", asked)
	}
}
