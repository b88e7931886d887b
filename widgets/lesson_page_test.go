package widgets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// playedEngine responds like the engine, for a stage with every element that a page draws; its note
// lists the actions of the page. The parts of the stage are tested with the real engine.
const playedEngine = `
const pack = at => { const b = new Uint8Array(new Int16Array(at.map(v => Math.round(v * 1000))).buffer); return {steps: btoa(String.fromCharCode(...b)), unit: 0.001}; };
const places = [...Array(60).keys()].map(i => [Math.cos(i * 2.4) * i / 60 * 3, Math.sin(i * 2.4) * i / 60 * 3]);
const setup = {title: "Played", names: ["left", "right"], colors: ["#0072b2", "#e69f00"], symbols: ["circle", "triangle"],
	dials: [{name: "k", values: ["1", "2", "3", "4"], slider: true}, {name: "method", values: ["ruler", "rumour"]}],
	buttons: [{name: "Step"}, {name: "Back"}], named: [{name: "three neighbours", dials: [2, -1]}],
	meters: [{name: "hidden right", unit: "%", goal: 0.9}, {name: "<i>pieces</i>"}], hands: ["turn", "pick", "point", "drag", "drop", "link", "part", "cut", "look", "brush"]};
const parts = {};
const begun = () => ({dial: 2, choice: 0, revision: 1, did: []});
const state = ({dial, choice, revision}) => ({revision, dials: [dial, choice], hand: 0, enabled: [true, false], note: "You see " + (dial + 1), status: "", meters: [{value: 0.5 + dial / 5, text: (50 + 20 * dial) + " %", met: dial > 1}, {value: null, text: "–"}],
	panels: [{title: "Samples", view: {x0: -4, x1: 4, y0: -4, y1: 4, square: true}, samples: {at: pack(places.flatMap(p => [p[0] + dial / 4, p[1]])), of: places.map(p => p[0] > 0 ? 1 : 0), looks: "rxfh" + ".".repeat(56)},
		links: [...Array(7).keys()].map(k => ({i: 40, j: 41 + k, kind: k}))},
	{title: "Curves", view: {x0: 0, x1: 10, y0: 0, y1: 1, axes: true, x: "labels", y: "right"}, heat: {width: 2, height: 2, levels: btoa("\0\x55\xaa\xff"), colored: true, smooth: true},
		lines: [{at: [[0, .5], [5, .9], [10, .7]], low: [.3, .6, .5], kind: 0, class: 0}, {name: "mean", at: [[0, .4], [5, .75], [10, .6]], kind: 0, class: 1, arrow: true}], marks: [{at: [2, .5], text: "drag me", index: 0, class: 1}]},
	{title: "Bars", view: {x0: 0, x1: 1, y0: 0, y1: 1}, cards: true, bars: [{name: "<b>LDA</b>", value: .8, text: "80 %", class: 0, low: .7, high: .9, dots: [.72, .88]}, {name: "SDA", value: .9, text: "90 %", class: 1, chosen: true}]}]});
onmessage = e => {
	const {module, id, task, text} = e.data, say = m => postMessage({id, text: JSON.stringify(m)});
	if (module) { return; }
	if (task) { parts[id] = begun(); say({ready: true, engine: "played"}); return; }
	if (!text) { delete parts[id]; return; }
	const m = JSON.parse(text), part = parts[id];
	if (m.kind === "hello") { say({to: m.client, setup, state: state(part), busy: false}); return; }
	if (m.kind === "pong") { return; }
	const a = m.body; part.did.push(a.kind);
	if (a.kind === "dial") { part[a.name === "k" ? "dial" : "choice"] = a.index; }
	if (a.kind === "named") { part.dial = 2; }
	if (a.kind === "reset") { part.dial = 0; }
	part.revision++;
	say({to: m.client, ack: m.seq, error: a.kind === "cut" ? "<u>refused</u>" : undefined});
	say({state: {...state(part), won: part.did.join(" ")}});
};`

// writePlayed writes a page of parts of a lesson with the mock engine.
func writePlayed(t *testing.T, path string, tasks ...interact.Task) {
	t.Helper()
	var empty bytes.Buffer
	z := gzip.NewWriter(&empty)
	_, _ = z.Write([]byte("\x00asm\x01\x00\x00\x00"))
	_ = z.Close()
	writeLesson(t, path, [2][]byte{empty.Bytes(), []byte(playedEngine)}, tasks...)
}

// writeLesson writes a page of parts of a lesson with an engine.
func writeLesson(t *testing.T, path string, engine [2][]byte, tasks ...interact.Task) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head><body>`)
	for _, task := range tasks {
		html, err := payload{Kind: task.Kind, Page: &pageTask{Task: task, Notebook: "test"}}.fragment("words", "words", nil)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(html)
	}
	script, err := os.ReadFile(filepath.Join("..", "viz", "js", "bundle", "widgets.js"))
	if err != nil {
		t.Fatal(err)
	}
	given, err := json.Marshal(map[string]any{"exec": string(engine[1]), "packed": []string{base64.StdEncoding.EncodeToString(engine[0])}})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "<script>%s</script><script>window.__ssdrnbEngineText = %s</script></body></html>", script, given)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Quizzes with different questions store their answers under different names, in each run of a cell
// the same.
func TestQuizKeys(t *testing.T) {
	l := Lesson("Keys")
	key := func(questions ...string) string {
		var asks []AskBuilder
		for _, q := range questions {
			asks = append(asks, Ask(q).Choice("a", "b"))
		}
		return l.Quiz(asks...).beat.Key
	}
	seen := map[string]int{}
	for _, k := range []string{key("1"), key("2"), key("1", "2"), key("12"), key("2", "1"), key("1")} {
		seen[k]++
	}
	if len(seen) != 5 || seen[key("1")] != 2 {
		t.Errorf("the keys are %v", seen)
	}
}

// A beat and a quiz in a page loaded from a file: the stage is locked until the question is
// answered, each control works, texts stay texts, and answers survive a reload.
func TestLessonInPage(t *testing.T) {
	needChromium(t)
	beat := Lesson("Played").Beat("1.1", "Go to three neighbours & <i>look</i>.").
		Predict(Ask("How many are right?").Number("%", 0, 90)).Reveal("It is {hidden right}, <b>not</b> {other}.").beat
	quiz := Lesson("Played").Quiz(Ask("Which?").Choice("One", "Two", "Three").Right(1).Why("Too few.", "Both.", "Too many."),
		Ask("Draw it.").Drawing("%", 0, 100, 1, 2, 5, 10)).beat
	path := filepath.Join(t.TempDir(), "page.html")
	writePlayed(t, path, interact.Task{Kind: interact.KindBeat, Stage: &stage.Spec{Title: "Played"}, Beat: &beat}, interact.Task{Kind: interact.KindQuiz, Beat: &quiz})
	o := openTab(t, path)
	o.until(0, isLive)
	if o.eval(0, `return String(w.querySelector(".ssdrnb-place").inert)`) != "true" {
		t.Error("the stage is open before the answer")
	}
	o.shot("beat-shut")
	// The slider begins in the middle, and a number outside of the range is no answer.
	if got := o.eval(0, `return w.querySelector(".ssdrnb-ask input[type=range]").value`); got != "45" {
		t.Errorf("the slider begins at %s", got)
	}
	refused := func(k, ask int, typed, want string) {
		t.Helper()
		got := o.eval(k, fmt.Sprintf(`const q = w.querySelectorAll(".ssdrnb-ask")[%d], n = q.querySelector("input[type=number]"); n.value = %q; n.dispatchEvent(new Event("input"));
			const b = q.querySelector(".ssdrnb-bar button"); b.click(); return [b.disabled, q.querySelector(".ssdrnb-status").textContent, q.querySelector(".ssdrnb-say").textContent].join("|")`, ask, typed))
		if got != want {
			t.Errorf("after %q: %q, want %q", typed, got, want)
		}
	}
	refused(0, 0, "500", "true|Give a number from 0 to 90 %.|")
	refused(0, 0, "", "true||")
	refused(1, 1, "-3", "true|Give a number from 0 to 100 %.|")
	o.eval(0, `const n = w.querySelector(".ssdrnb-ask input[type=number]"); n.value = "61"; n.dispatchEvent(new Event("input")); w.querySelector(".ssdrnb-ask button").click(); return ""`)
	o.until(0, `!w.querySelector(".ssdrnb-place").inert`)
	o.eval(0, `const s = w.querySelector(".ssdrnb-dial input[type=range]"); s.value = 1; s.dispatchEvent(new Event("input")); return ""`)
	o.until(0, `w.querySelector(".ssdrnb-reveal").textContent === "You said: 61 %. It is 70 %, <b>not</b> {other}."`)
	o.eval(0, `w.querySelectorAll(".ssdrnb-dial input[type=radio]")[1].click(); return ""`)
	o.eval(0, `w.querySelector("p .ssdrnb-named").click(); return ""`)
	o.until(0, `w.querySelector(".ssdrnb-meter b").textContent === "90 %" && w.querySelector(".ssdrnb-met")`)
	o.eval(0, `w.querySelectorAll(".ssdrnb-dials > button")[0].click(); return String(w.querySelectorAll(".ssdrnb-dials > button")[1].disabled)`)
	// Each tool by mouse or keys.
	o.eval(0, `
		const [a, b, c] = w.querySelectorAll("canvas.ssdrnb-panel"), hands = w.querySelectorAll(".ssdrnb-hands button"), wait = () => new Promise(f => setTimeout(f, 60));
		const at = (canvas, kind, x, y) => { const r = canvas.getBoundingClientRect(); canvas.dispatchEvent(new PointerEvent(kind, {bubbles: true, isPrimary: true, button: 0, pointerId: 1, clientX: r.x + 1 + x, clientY: r.y + 1 + y})); };
		const press = async (canvas, x, y) => { at(canvas, "pointerdown", x, y); at(canvas, "pointerup", x, y); await wait(); };
		const key = async (canvas, key) => { canvas.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); await wait(); };
		hands[0].click(); await key(a, "ArrowLeft");
		hands[1].click(); await press(c, 20, 10);
		hands[2].click(); await press(b, 150, 100);
		const view = w.querySelectorAll("canvas.ssdrnb-panel")[1], [W, H] = [view.clientWidth, view.clientHeight], x = 46 + (W - 56) * .2, y = 20 + (H - 54) * .5;
		hands[3].click(); at(b, "pointerdown", x, y); at(b, "pointermove", x + 30, y); await wait(); at(b, "pointerup", x + 30, y); await wait();
		hands[4].click(); await press(b, x, y);
		hands[8].click(); at(a, "pointermove", 30, 30); await wait();
		hands[9].click(); at(b, "pointerdown", x, y); at(b, "pointermove", x + 40, y); await wait(); at(b, "pointerup", x + 40, y); await wait();
		return ""`)
	o.until(0, `["turn", "pick", "point", "brush", "drag", "drop", "look", "dial", "named", "press"].every(k => w.querySelector(".ssdrnb-won").textContent.split(" ").includes(k))`)
	if got := o.eval(0, `return String(w.querySelectorAll("i:not(.ssdrnb-swatch), .ssdrnb-beat p > b:not(:first-child), u").length)`); got != "0" {
		t.Errorf("%s elements from texts", got)
	}
	// Three wrong attempts, and a drawing by numbers.
	o.eval(1, `w.scrollIntoView(); const q = w.querySelector(".ssdrnb-ask"); q.querySelectorAll("input")[0].click(); for (let k = 0; k < 3; k++) { q.querySelector("button").click(); } return ""`)
	o.until(1, `w.querySelector(".ssdrnb-say").textContent === "It is: Two. Too few."`)
	o.eval(1, `const q = w.querySelectorAll(".ssdrnb-ask")[1]; q.querySelectorAll("input[type=number]").forEach((n, k) => { n.value = 20 * k; n.dispatchEvent(new Event("input")); }); q.querySelector("button").click(); return ""`)
	o.until(1, `w.querySelectorAll(".ssdrnb-say")[1].textContent === "You said: 0, 20, 40, 60 %."`)
	o.until(0, `w.querySelector(".ssdrnb-progress span").textContent === "3 of 3 answered"`)
	o.eval(0, `w.scrollIntoView(); return ""`)
	for _, width := range []int{1500, 900, 360} {
		for _, scheme := range []string{"light", "dark"} {
			o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1500, DeviceScaleFactor: 1}))
			o.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(o.page))
			o.until(0, fmt.Sprintf(`innerWidth === %d && document.scrollingElement.scrollWidth <= innerWidth`, width))
			o.eval(0, `await new Promise(f => setTimeout(f, 300)); return ""`)
			o.shot(fmt.Sprintf("beat-%d-%s", width, scheme))
		}
	}
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	o.until(0, `w.querySelector(".ssdrnb-say").textContent === "You said: 61 %." && !w.querySelector(".ssdrnb-place").inert`)
	o.faultless()
}

// Eight stages share one engine, in which each is opened when it scrolls near the window.
func TestOneEngine(t *testing.T) {
	needChromium(t)
	engine, err := builtEngine()
	if err != nil {
		t.Fatal(err)
	}
	var tasks []interact.Task
	for k := range 8 {
		spec, _ := GraphPlay(Recipe("moons", uint64(k+1))).Title(fmt.Sprintf("Moons %d", k)).Mode(Links, Carry).stage()
		tasks = append(tasks, interact.Task{Kind: interact.KindStage, Stage: &spec})
	}
	path := filepath.Join(t.TempDir(), "page.html")
	writeLesson(t, path, engine, tasks...)
	o := openTab(t, path)
	o.eval(0, `return ""`)
	o.until(0, isLive)
	if last := o.eval(7, `return w.dataset.state`); last != "connecting" {
		t.Errorf("the last stage is %q before it comes near", last)
	}
	for k := range 8 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	// Each stage has a state of its own.
	for k := range 8 {
		o.eval(k, fmt.Sprintf(`const s = w.querySelector(".ssdrnb-dial input[type=range]"); s.value = %d; s.dispatchEvent(new Event("input")); return ""`, k+2))
	}
	for k := range 8 {
		o.until(k, fmt.Sprintf(`w.ssdrnb.last().dials[0] === %d && w.dataset.state === "live"`, k+2))
	}
	workers, err := proto.TargetGetTargets{}.Call(o.page)
	o.must(err)
	n := 0
	for _, one := range workers.TargetInfos {
		if one.Type == "worker" && one.BrowserContextID == o.page.Browser().BrowserContextID {
			n++
		}
	}
	if n > 1 {
		t.Errorf("%d engines run", n)
	}
	o.faultless()
}
