package tests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/js"
)

// maxSite bounds the size of the lessons' site in bytes.
const maxSite = 25 << 20

// published is the folder published by .github/workflows/pages.yml, made once by its command. The
// notebooks are executed as for other tests, instead of in a user's installation.
var published = sync.OnceValues(func() (func(t *testing.T) string, error) {
	raw, err := os.ReadFile(filepath.Join("..", ".github", "workflows", "pages.yml"))
	if err != nil {
		return nil, err
	}
	command := regexp.MustCompile(`(?m)- run: \./install\.sh (lessons (\S+))$`).FindStringSubmatch(string(raw))
	if command == nil || !strings.Contains(string(raw), "upload-pages-artifact@v3\n        with: {path: "+command[2]+"}\n") {
		return nil, fmt.Errorf("pages.yml does not publish the folder of its command %q", command)
	}
	var once sync.Once
	var out string
	return func(t *testing.T) string {
		bin, _ := jupyter(t)
		once.Do(func() {
			if out = os.Getenv("SSDRNB_LESSONS"); out != "" { // an existing folder
				return
			}
			paths, err := filepath.Glob(filepath.Join("lessons", "*.ipynb"))
			if err != nil || len(paths) == 0 {
				t.Fatalf("no lessons: %v", err)
			}
			paths = slices.DeleteFunc(paths, leftOut) // of these the site has the committed outputs
			for _, path := range paths {
				begin(t, path)
			}
			for _, path := range paths {
				executed(t, path)
			}
			install, err := filepath.Abs(filepath.Join("..", "install.sh"))
			if err != nil {
				t.Fatal(err)
			}
			web := os.Getenv("SSDRNB_WEB")
			if web == "" {
				web = filepath.Join(filepath.Dir(filepath.Dir(bin)), "web")
			}
			export := exec.Command("bash", "-c", `source "$1"; setup() { :; }; execute() { local made=$EXECUTED/$(basename "$1"); [ -f "$made" ] || made=$1; cp "$made" "$2/"; }; VENV=$(dirname "$2") WEB=$3; main `+command[1], "bash", install, bin, web)
			export.Dir = scratch
			export.Env = append(os.Environ(), "EXECUTED="+executedIn())
			if said, err := export.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			out = filepath.Join(scratch, command[2])
		})
		if out == "" {
			t.Fatal("the site of lessons was not made")
		}
		return out
	}, nil
})

// leftOut reports whether the lesson of a notebook or a page is left to ./install.sh test --all: all
// but the first are.
func leftOut(path string) bool {
	return !browser.Thorough() && !strings.HasPrefix(filepath.Base(path), "1-")
}

// site returns that folder.
func site(t *testing.T) string {
	t.Helper()
	f, err := published()
	if err != nil {
		t.Fatal(err)
	}
	return f(t)
}

var ids = regexp.MustCompile(` id="[^"]+"`)

var addresses = regexp.MustCompile(`(?:href|src)="([^"#]+)"`)

// The limit of the site's size counts the files that lessons.py writes, and no others in the folder.
func TestLessonSize(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	const program = `import pathlib, sys, types
for name in ("jinja2", "nbformat", "nbconvert", "nbconvert.filters"):
    sys.modules[name] = module = types.ModuleType(name)
    module.DictLoader = module.HTMLExporter = module.markdown2html = None
sys.path.insert(0, ".")
import lessons
text, out = "ü" * int(sys.argv[1]), pathlib.Path(sys.argv[2])
lessons.lessons_of = lambda *rest: [types.SimpleNamespace(notebook="a", address="a.html")]
lessons.lesson_page = lessons.start_page = lessons.written_out = lessons.page = lambda *rest, **named: text
lessons.engine, lessons.packed_text, lessons.MOST = lambda web: ("", "", []), lambda web: "", 10000
(out / "other").write_bytes(bytes(20000))
lessons.site(out, out / "other", out, out)
`
	for length, fits := range map[string]bool{"100": true, "4000": false} {
		said, err := exec.Command("python3", "-B", "-X", "utf8", "-c", program, length, t.TempDir()).CombinedOutput()
		if (err == nil) != fits || !fits && !strings.Contains(string(said), "the site has 0.0 MB") {
			t.Errorf("pages of %s letters: %v\n%s", length, err, said)
		}
	}
}

// The published folder has a start page, the lessons, the teacher's page and one engine. It has no
// external references, and respects the size limit.
func TestLessonSite(t *testing.T) {
	t.Parallel()
	folder := site(t)
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	size, lessons := int64(0), 0
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
		if !strings.HasSuffix(f.Name(), ".html") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range addresses.FindAllStringSubmatch(string(raw), -1) {
			if strings.HasPrefix(to[1], "data:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(folder, to[1])); err != nil {
				t.Errorf("%s: the address %s leads nowhere", f.Name(), to[1])
			}
		}
		known := map[string]bool{}
		for _, id := range ids.FindAllString(string(raw), -1) {
			if known[id] {
				t.Errorf("%s: two elements have %s", f.Name(), id)
			}
			known[id] = true
		}
		if strings.Contains(string(raw), `<body class="lesson">`) {
			lessons++
			t.Logf("%s: %d kB", f.Name(), len(raw)>>10)
		}
	}
	t.Logf("%d lessons, %.1f MB", lessons, float64(size)/1e6)
	if lessons == 0 || size > maxSite {
		t.Errorf("%d lessons of %d bytes, at most %d", lessons, size, maxSite)
	}
	for _, name := range []string{"index.html", "teachers.html", "engine-data.js", "widgets.js", "lessons.css"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// question is a question of a lesson, with its answer.
type question struct {
	Kind      string       `json:"kind"`
	Options   []string     `json:"options"`
	Right     int          `json:"right"`
	From      float64      `json:"from"`
	To        float64      `json:"to"`
	Answer    *float64     `json:"answer"`
	Tolerance float64      `json:"tolerance"`
	At        []float64    `json:"at"`
	Where     [][3]float64 `json:"where"`
}

// part is a widget of a lesson.
type part struct {
	Kind string `json:"kind"`
	Page struct {
		Task struct {
			Beat struct {
				Name string     `json:"name"`
				Asks []question `json:"asks"`
			} `json:"beat"`
		} `json:"task"`
	} `json:"page"`
}

// walk declares the functions in the page that a walk through a lesson needs.
const walk = `
	const w = document.querySelectorAll(".ssdrnb-widget")[k], wait = ms => new Promise(f => setTimeout(f, ms));
	const until = async (what, f) => { for (let n = 0; n < 1500; n++) { if (f()) { return; } await wait(20); } throw new Error("in vain until " + what + ": " + w.dataset.kind + " " + w.dataset.state + " " + w.dataset.error + " " + document.visibilityState + " " + Math.round(w.getBoundingClientRect().top) + " px " + w.innerText.slice(0, 600)); };
	const set = (e, v, event) => { e.value = v; e.dispatchEvent(new Event(event || "input", {bubbles: true})); };
	const touch = (c, kind, x, y) => { const r = c.getBoundingClientRect(); c.dispatchEvent(new PointerEvent(kind, {bubbles: true, isPrimary: true, button: 0, buttons: 1, pointerId: 1, clientX: r.x + x * r.width, clientY: r.y + y * r.height})); };
	const press = (c, x, y) => { touch(c, "pointerdown", x, y); touch(c, "pointerup", x, y); };
	const give = async (q, ask, right) => {
		const send = ask.querySelector(".ssdrnb-bar button");
		if (q.kind === "choice") {
			const known = q.right >= 0, at = known && !right ? (q.right + 1) % q.options.length : Math.max(0, q.right);
			ask.querySelectorAll("input[type=radio]")[at].click();
		} else if (q.kind === "number") {
			const known = q.answer !== undefined && q.answer !== null, n = ask.querySelector("input[type=number]");
			const from = q.from || 0, to = q.to || 0, wrong = to - q.answer > q.answer - from ? to : from; // the farther end
			set(n, known ? (right ? q.answer : wrong) : (from + to) / 2);
		} else if (q.kind === "drawing") {
			ask.querySelectorAll(".ssdrnb-form input[type=number]").forEach((n, i) => set(n, q.from + (q.to - q.from) * (right ? 0.25 : 0.75) * i / q.at.length));
		} else {
			return false; // a place, on the stage
		}
		send.click();
		return true;
	};
	const asked = () => [...w.querySelectorAll(".ssdrnb-ask")];
	const last = () => w.ssdrnb && (w.ssdrnb.last && w.dataset.kind in {stage: 1, beat: 1} ? w.ssdrnb.last() : {revision: Number(w.dataset.revision || 0)});
`

// Each lesson is walked through from disk: its questions are answered wrongly and then correctly,
// each control is moved once, and the meters are read.
func TestLessonWalk(t *testing.T) {
	t.Parallel()
	folder := site(t)
	pages, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), `<body class="lesson">`) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".html"), func(t *testing.T) {
			if leftOut(page) {
				browser.All(t)
			}
			t.Parallel()
			walkLesson(t, page, partsOf(t, string(raw)))
		})
	}
}

// partsOf returns the widgets of a page.
func partsOf(t *testing.T, page string) []part {
	t.Helper()
	var out []part
	const head = `<script type="application/json" id="ssdrnb-`
	for _, rest := range strings.Split(page, head)[1:] {
		_, rest, _ = strings.Cut(rest, ">")
		carried, _, _ := strings.Cut(rest, "</script>")
		text, err := js.JSON(carried, bounds.Data)
		if err != nil {
			t.Fatal(err)
		}
		var one part
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

func walkLesson(t *testing.T, page string, parts []part) {
	b := newBench(t)
	b.tab = b.tab.Timeout(10 * time.Minute)
	longest := b.alone()
	const movable = `document.querySelector(".ssdrnb-ask input, .ssdrnb-ask canvas, .ssdrnb-stage canvas")`
	_, err := b.tab.EvalOnNewDocument(`(function look() {
		if (` + movable + ` && !window.firstMovable) { window.firstMovable = performance.now(); }
		const w = document.querySelector(".ssdrnb-widget");
		if (w && w.ssdrnb && w.ssdrnb.last && w.ssdrnb.last()) { window.firstLive = performance.now(); return; }
		requestAnimationFrame(look);
	})()`)
	b.must(err)
	b.open(page)
	if n := ask[int](t, b.tab, `() => document.querySelectorAll(".ssdrnb-widget").length`); n != len(parts) || n == 0 {
		t.Fatalf("%d widgets of %d", n, len(parts))
	}
	b.until(time.Minute, "something can be moved", `() => !!window.firstMovable`)
	top := ask[float64](t, b.tab, `() => `+movable+`.getBoundingClientRect().top + scrollY`)
	b.until(time.Minute, "the first stage is live", `() => !!window.firstLive || !document.querySelector(".ssdrnb-place, .ssdrnb-stage")`)
	t.Logf("the first thing to move is there after %.0f ms, %.0f px from the top, the first stage after %.0f ms; the page was blocked for %.0f ms at most",
		ask[float64](t, b.tab, `() => window.firstMovable`), top, ask[float64](t, b.tab, `() => window.firstLive || 0`), longest())
	if top > 600 {
		t.Errorf("the first thing to move is %.0f px from the top", top)
	}
	for _, right := range []bool{false, true} {
		for k, one := range parts {
			b.answer(k, one, right)
		}
		if !right {
			// Begin again clears the answers.
			ask[bool](t, b.tab, `() => { [...document.querySelectorAll(".ssdrnb-progress button")].find(e => e.textContent === "Begin again").click(); return true; }`)
			b.until(time.Minute, "the questions are open again", `() => [...document.querySelectorAll(".ssdrnb-say")].every(e => !e.dataset.right)`)
		}
	}
	controls := 0
	for k, one := range parts {
		if one.Kind != "quiz" {
			controls += b.moveAll(k, one)
		}
	}
	t.Logf("%d widgets, %d moves", len(parts), controls)
	var answered, all int
	told := ask[string](t, b.tab, `() => document.querySelector(".ssdrnb-progress span").textContent`)
	if _, err := fmt.Sscanf(told, "%d of %d answered", &answered, &all); err != nil || answered != all || all == 0 {
		t.Errorf("at the end the page shows %q", told)
	}
	for _, width := range []int{1500, 900, 360} {
		for _, scheme := range []string{"light", "dark"} {
			b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1100, DeviceScaleFactor: 1}))
			b.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(b.tab))
			b.until(20*time.Second, "the page is not wider than the window", `width => innerWidth === width && document.scrollingElement.scrollWidth <= width`, width)
			if dir := os.Getenv("SSDRNB_SHOTS"); dir != "" {
				ask[bool](t, b.tab, `async () => { await new Promise(f => setTimeout(f, 400)); return true; }`)
				raw, err := b.tab.Screenshot(true, nil)
				b.must(err)
				b.must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", strings.TrimSuffix(filepath.Base(page), ".html"), width, scheme)), raw, 0o600))
			}
		}
	}
	b.clean()
}

// answer answers the questions of the k-th part.
func (b *bench) answer(k int, one part, right bool) {
	b.Helper()
	if one.Kind != "quiz" {
		ask[bool](b.T, b.tab, `async k => {`+walk+` w.scrollIntoView({block: "center"}); await until("the stage is live", () => w.dataset.state === "live" && last()); return true; }`, k)
	}
	said := ask[string](b.T, b.tab, `async ([k, asks, right]) => {`+walk+`
		w.scrollIntoView({block: "center"});
		for (const [i, q] of (asks || []).entries()) {
			const field = asked()[i], say = field.querySelector(".ssdrnb-say");
			for (let n = 0; n < 3 && !say.dataset.right; n++) {
				if (!await give(q, field, right)) { // a place
					const c = w.querySelector("canvas.ssdrnb-panel"), at = right && q.where && q.where.length ? q.where[0] : [0.02, 0.97];
					press(c, at[0], 1 - at[1]);
				}
				await wait(20);
			}
			const known = q.kind === "choice" ? q.right >= 0 : q.kind === "number" ? q.answer !== undefined && q.answer !== null : q.kind === "point" && q.where && q.where.length > 0;
			const want = known ? String(right) : "null";
			if (say.dataset.right !== want && !(q.kind === "point" && right)) { return "question " + i + ": " + say.dataset.right + " instead of " + want + ": " + say.textContent; }
			if (!say.textContent) { return "question " + i + " says nothing"; }
		}
		const place = w.querySelector(".ssdrnb-place");
		return place && place.inert ? "the stage is shut after all answers" : "";
	}`, []any{k, one.Page.Task.Beat.Asks, right})
	if said != "" {
		b.Errorf("%s, right %v: %s", one.Page.Task.Beat.Name, right, said)
	}
}

// moveAll moves each control of the k-th part once and returns their number.
func (b *bench) moveAll(k int, one part) int {
	b.Helper()
	type result struct {
		Moves  int
		Faults []string
		Slow   float64
		Which  string
	}
	got := ask[result](b.T, b.tab, `async k => {`+walk+`
		const out = {Moves: 0, Faults: [], Slow: 0, Which: ""};
		w.scrollIntoView({block: "center"});
		await until("the stage is live", () => w.dataset.state === "live" && last());
		const staged = w.dataset.kind in {stage: 1, beat: 1}; // a painting may have nothing to fit
		const settled = async f => { for (let n = 0; n < 250 && !f(); n++) { await wait(20); } return f(); };
		const moved = async (name, act, sure) => {
			const before = last().revision, began = performance.now();
			act();
			out.Moves++;
			if (sure) {
				await until(name + " shows", () => last().revision > before || w.dataset.error);
				const took = performance.now() - began;
				if (took > out.Slow) { out.Slow = took; out.Which = name; }
			} else {
				await wait(150);
			}
			// What an earlier move was refused for goes with the next state.
			if (sure && !(await settled(() => !w.dataset.error))) { out.Faults.push(name + ": " + w.dataset.error); }
			for (const m of w.querySelectorAll(".ssdrnb-meter")) {
				if (!m.querySelector("b").textContent) { out.Faults.push(name + ": " + m.dataset.name + " is empty"); }
			}
		};
		for (const e of w.querySelectorAll(".ssdrnb-control input[type=range]")) {
			await moved("slider", () => set(e, Number(e.min) + Number(e.max) - Number(e.value)), false);
		}
		for (const e of w.querySelectorAll(".ssdrnb-dial input[type=range]")) {
			const at = Number(e.value);
			await moved("slider " + e.getAttribute("aria-label"), () => set(e, at < Number(e.max) ? at + (Number(e.step) || 1) : at - (Number(e.step) || 1)), Number(e.max) > 0);
		}
		for (const f of w.querySelectorAll("fieldset.ssdrnb-dial")) {
			const other = f.querySelector("input:not(:checked)");
			if (other) { await moved("switch " + f.querySelector("legend").textContent, () => other.click(), true); }
		}
		for (const e of w.querySelectorAll("select")) {
			await moved("menu " + e.getAttribute("aria-label"), () => set(e, e.options[(e.selectedIndex + 1) % e.options.length].value, "change"), staged && e.options.length > 1);
		}
		for (const e of w.querySelectorAll(".ssdrnb-named")) { await moved("named " + e.textContent, () => e.click(), true); }
		for (const e of w.querySelectorAll(".ssdrnb-dials > button")) {
			if (!e.disabled) { await moved("button " + e.textContent, () => e.click(), false); }
		}
		const hands = [...w.querySelectorAll(".ssdrnb-hands button")];
		for (const h of hands.length ? hands : [null]) {
			if (h) { h.click(); }
			const c = w.querySelector("canvas.ssdrnb-panel");
			if (!c) { break; }
			await moved("hand " + (h ? h.textContent : ""), () => {
				press(c, 0.5, 0.5); press(c, 0.4, 0.45);
				for (const key of ["ArrowLeft", "Enter", "ArrowUp", "Enter"]) { c.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); }
				touch(c, "pointermove", 0.45, 0.5);
			}, false);
		}
		const reset = [...w.querySelectorAll(".ssdrnb-bar button")].find(e => e.textContent === "Reset");
		if (reset) { await moved("Reset", () => reset.click(), staged); }
		await until("the stage rests", () => w.dataset.state === "live");
		return out;
	}`, k)
	for _, fault := range got.Faults {
		b.Errorf("%s: %s", one.Page.Task.Beat.Name, fault)
	}
	b.Logf("%s %s: %d moves, the slowest %.0f ms (%s)", one.Kind, one.Page.Task.Beat.Name, got.Moves, got.Slow, got.Which)
	return got.Moves
}

// On a static host in a subfolder, the site requests only its own files.
func TestLessonHost(t *testing.T) {
	t.Parallel()
	folder := site(t)
	server := httptest.NewServer(http.StripPrefix("/some/where/", http.FileServer(http.Dir(folder))))
	defer server.Close()
	b := newBench(t)
	b.must(b.tab.Navigate(server.URL + "/some/where/"))
	b.must(b.tab.WaitLoad())
	ask[bool](t, b.tab, `() => { document.querySelector(".lessons a").click(); return true; }`)
	b.until(time.Minute, "the first lesson opens", `() => !!document.querySelector("body.lesson .ssdrnb-widget")`)
	b.until(time.Minute, "its first stage is live", `() => { const w = document.querySelector(".ssdrnb-widget"); return w.dataset.state === "live" && !!w.ssdrnb.last(); }`)
	from := ask[[]string](t, b.tab, `() => performance.getEntriesByType("resource").map(e => e.name)`)
	for _, address := range from {
		if !strings.HasPrefix(address, server.URL+"/some/where/") && !strings.HasPrefix(address, "blob:") {
			t.Errorf("the page requests %s", address)
		}
	}
	b.clean()
}
