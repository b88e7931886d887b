package viztest

import (
	_ "embed"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/js"
	"github.com/ssdrnb/ssdrnb/viz/schema"
)

//go:embed page.js
var page string

// Script returns the script of the notebook extension from the bundles below root.
func Script(root string) (string, error) { return bundle(root, "extension.js") }

func bundle(root, name string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(root, "viz", "js", "bundle", name))
	return string(raw), err
}

// Bench is a page that renders outputs with the extension.
type Bench struct {
	T       *testing.T // reports failures
	tab     *rod.Page
	strange chan string // forbidden requests
	Address string      // address of the page
}

// Open opens the page in a tab. web is the folder that contains ECharts and the engine, see
// widgets/page. script is the script of the extension; "" means the bundle below root.
func Open(t *testing.T, tab *rod.Page, root, web, script string) *Bench {
	t.Helper()
	if script == "" {
		var err error
		if script, err = Script(root); err != nil {
			t.Fatal(err)
		}
	}
	b := &Bench{T: t, tab: tab, strange: make(chan string, 1000)}
	checks, err := bundle(root, "check.js")
	if err != nil {
		t.Fatal(err)
	}
	serve := map[string]string{"/extension.js": script, "/page.js": page, "/check.js": checks}
	const assets = "/lab/extensions/ssdrnb-assets/static/"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name, isAsset := strings.CutPrefix(r.URL.Path, assets); {
		case isAsset && !strings.Contains(name, "/"):
			http.ServeFile(w, r, filepath.Join(web, name))
		case r.URL.Path == "/":
			// This policy reports violations instead of preventing them. It allows inline styles,
			// which a widget needs.
			w.Header().Set("Content-Security-Policy-Report-Only", "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob: 'self'; connect-src 'self' blob: data:; worker-src blob:; report-uri /report")
			fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>.ssdrnb-corner{position:fixed;inset:0}</style><body data-base-url="/"><script src="/page.js"></script><script src="/check.js"></script><script src="/extension.js"></script>`)
		case serve[r.URL.Path] != "":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, serve[r.URL.Path])
		default:
			// Requests to the notebook's store and reports of violations are expected.
			if !strings.HasPrefix(r.URL.Path, "/api/contents/ssdrnb-constraints") && r.URL.Path != "/report" {
				b.note("request: " + r.URL.Path)
			}
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	b.Address = server.URL + "/"
	go tab.EachEvent(func(e *proto.NetworkRequestWillBeSent) {
		if u := e.Request.URL; !strings.HasPrefix(u, server.URL) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
			b.note("request: " + u)
		}
	})()
	b.Reload()
	return b
}

func (b *Bench) note(what string) {
	select {
	case b.strange <- what:
	default:
	}
}

// Reload reloads the page.
func (b *Bench) Reload() {
	b.T.Helper()
	if err := b.tab.Navigate(b.Address); err != nil {
		b.T.Fatal(err)
	}
	if err := b.tab.WaitLoad(); err != nil {
		b.T.Fatal(err)
	}
}

// State is the state of an output.
type State struct {
	Drawn   string   // "yes" or "no" for a figure, "live" or "dead" for a widget, "" if it was refused
	Picture bool     // the static picture is visible
	Text    string   // text of the page
	Longest float64  // longest time in milliseconds that the page was blocked
	Harm    []string // forbidden effects of the output, such as requests to other servers
}

// Refused reports whether the extension refused to draw the output.
func (s State) Refused() bool { return strings.Contains(s.Text, "could not be drawn") }

// patience bounds the waiting time for a page on a busy machine. A frozen page takes minutes.
const patience = 90 * time.Second

// eval evaluates a function in the page. The test fails if the page does not answer.
func eval[T any](b *Bench, function string, args ...any) (out T) {
	b.T.Helper()
	r, err := b.tab.Timeout(patience).Eval(function, args...)
	if err != nil {
		b.T.Fatalf("the page does not answer: %v", err)
	}
	if err := r.Value.Unmarshal(&out); err != nil {
		b.T.Fatal(err)
	}
	return out
}

// Long is a placeholder for 64 MB of spaces in an output. The page inserts the spaces, to save
// time.
const Long = "@@long"

// Show renders an output of the given HTML and returns its state.
func (b *Bench) Show(html string) State {
	b.T.Helper()
	return b.harmless(eval[State](b, "(html, long) => show({'text/html': html.replace(long, () => ' '.repeat(1 << 26)), 'text/plain': 'in words'})", html, Long))
}

// Kept returns the keys of browser storage that the page has accessed, and the paths that it has
// requested from the server, since the last call of Kept.
func (b *Bench) Kept() []string {
	b.T.Helper()
	return eval[[]string](b, "() => kept()")
}

// Do evaluates a JavaScript function in the page and returns its result.
func (b *Bench) Do(function string) string {
	b.T.Helper()
	return eval[string](b, function)
}

// Provoke points at the figure, selects samples, and toggles legend entries and the theme.
func (b *Bench) Provoke() State {
	b.T.Helper()
	return b.harmless(eval[State](b, "() => provoke()"))
}

func (b *Bench) harmless(s State) State {
	for {
		select {
		case what := <-b.strange:
			s.Harm = append(s.Harm, what)
			continue
		default:
		}
		return s
	}
}

// Split splits the HTML of an output into the HTML before its data, the unpacked data, and the HTML
// after them.
func Split(html string) (before, data, after string) {
	at := strings.Index(html, `<script type="application/json"`)
	at += strings.Index(html[at:], ">") + 1
	end := at + strings.Index(html[at:], "</script>")
	json, err := js.JSON(html[at:end], bounds.Data)
	if err != nil {
		json = []byte(err.Error()) // the text of the error, which no schema accepts
	}
	return html[:at], string(json), html[end:]
}

// Attack replaces each value in the data of outputs, one after another, with harmful values. The
// extension must refuse the changed data, except where it allows any number or any text.
//
// Attack then draws each output in several rounds and calls [Bench.Provoke] after each round. In
// the first round the output is unchanged. In the second round all strings contain HTML. The
// argument draws is the number of further rounds. Each of them applies four of the replacements
// that the extension accepted. kinds is "figures" or "widgets", and outputs contains HTML by name.
// If draws is 0, Attack replaces only every fifth value, and draws only every third output.
func (b *Bench) Attack(kinds string, outputs map[string]string, draws int) {
	b.T.Helper()
	total, drawn, longest, every := 0, 0, 0.0, 1
	if draws == 0 {
		every = 5
	}
	began := time.Now()
	for nth, name := range slices.Sorted(maps.Keys(outputs)) {
		html := outputs[name]
		before, data, after := Split(html)
		known := map[string]map[string]schema.Type{"figures": schema.Figures(), "widgets": schema.Widgets()}[kinds]
		if err := schema.Check(known, []byte(data)); err != nil {
			b.T.Errorf("%s: %v", name, err)
			continue
		}
		type result struct {
			Count  int
			Wrong  []string
			Passed [][2]any
		}
		got := eval[result](b, "(kinds, text, every) => mutate(kinds, text, every)", kinds, data, every)
		total += got.Count
		if len(got.Wrong) > 0 {
			b.T.Errorf("%s: the extension accepts %d harmful data: %.2000s", name, len(got.Wrong), strings.Join(got.Wrong, ", "))
		}
		// The second round applies all replacements that are in the list texts. Each further round
		// applies four from the list others.
		var texts, others [][2]any
		for _, m := range got.Passed {
			if kind := m[1].(string); kind == "html" {
				texts = append(texts, m)
			} else if strings.Trim(kind, "-.0123456789e") == "" || kind == "null" || kind == "[]" || kind == "{}" {
				others = append(others, m)
			}
		}
		rounds := [][][2]any{nil, texts}
		for k := range draws {
			var four [][2]any
			for i := range 4 {
				if n := len(others); n > 0 {
					four = append(four, others[(k*4+i)*7919%n])
				}
			}
			rounds = append(rounds, four)
		}
		if draws == 0 && nth%3 != 0 {
			rounds = nil
		}
		for k, round := range rounds {
			changed := data
			if len(round) > 0 {
				changed = eval[string](b, "(text, mutations) => changed(text, mutations)", data, round)
			}
			s := b.Show(before + changed + after)
			if k == 0 && (s.Refused() || s.Drawn != "yes" && s.Drawn != "live") {
				b.T.Errorf("%s: the unchanged output is not drawn: %+v", name, s)
			}
			if !s.Refused() {
				s.Harm = append(s.Harm, b.Provoke().Harm...)
				drawn++
			}
			if k == 1 && s.Refused() {
				b.T.Errorf("%s with HTML for its texts: %.500s", name, s.Text)
			}
			longest = max(longest, s.Longest)
			if len(s.Harm) > 0 {
				b.T.Errorf("%s with %v: %.1000s", name, round, strings.Join(s.Harm, "; "))
				b.Reload()
			}
		}
	}
	b.T.Logf("%d data of %d %s checked, %d drawn, in %v; the page was blocked for %.0f ms at most", total, len(outputs), kinds, drawn, time.Since(began).Round(time.Second), longest)
}
