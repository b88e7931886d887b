package widgets

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// everyKind are the widgets computed in the page, with small data.
func everyKind() []pageTask {
	iris, scene := datasets.Iris().KeepLabels(10), datasets.Scene(60, 45, 0.05, 1, 1)
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), iris).List("neighbors", 3, 5, 7, 9, 12, 15, 20, 30).Log10("manifold", -2, 2, 1).MustRun()
	task := func(name string, p pageTask) pageTask {
		p.Name, p.Notebook = name, "test"
		return p
	}
	return []pageTask{
		task("editor", pageTask{Task: ConstraintEditor(ssdrnb.SDA(), iris).Name("editor").task}),
		task("scribble", pageTask{Task: Scribble(ssdrnb.LDA(), scene.Pixels, scene.Image()).Name("scribble").task}),
		task(paintingOf("x"), pageTask{Task: Paint("x", ssdrnb.LDA(), ssdrnb.KSDA()).task}),
		task("options-x", pageTask{Task: Explorer(ssdrnb.SDA(), iris).task}),
		task("playground-x", pageTask{Task: Playground(iris, ssdrnb.PCA(), ssdrnb.LDA()).task}),
		task("", pageTask{Task: SweepExplorer(sweep, iris).task}),
		task("labels", pageTask{Task: Labeler(iris).task}),
	}
}

// boxes reports faults of the canvases in a page: each must fill its box, with as many pixels as
// the screen has there.
const boxes = `
	const wrong = [];
	for (const c of document.querySelectorAll(".ssdrnb-square,.ssdrnb-picture")) {
		const b = c.getBoundingClientRect(), kind = c.closest(".ssdrnb-widget").dataset.kind;
		if (Math.abs(c.width - c.clientWidth * devicePixelRatio) > 1 || Math.abs(c.height - c.clientHeight * devicePixelRatio) > 1) {
			wrong.push(kind + ": " + c.width + "×" + c.height + " pixels for " + c.clientWidth + "×" + c.clientHeight);
		}
		if (b.right > innerWidth || b.width < Math.min(300, innerWidth - 60) || b.height > innerHeight) { wrong.push(kind + ": " + b.width + "×" + b.height + " wide in " + innerWidth); }
		if (c.classList.contains("ssdrnb-square") && Math.abs(b.width - b.height) > 0.6) { wrong.push(kind + ": no square"); }
	}
	for (const e of document.querySelectorAll(".ssdrnb-widget *")) {
		const b = e.getBoundingClientRect();
		if (b.width && b.right > innerWidth + 1 && !e.closest(".ssdrnb-scroll,code")) { wrong.push(e.tagName + "." + e.className + " ends at " + b.right); }
	}
	if (document.scrollingElement.scrollWidth > innerWidth) { wrong.push("the page scrolls to " + document.scrollingElement.scrollWidth); }
	if (document.querySelectorAll(".ssdrnb-square,.ssdrnb-picture").length !== 9) { wrong.push("canvases are missing"); }`

// From a phone to a large screen, light and dark, widgets fit the page, and canvases fit their box.
func TestWidths(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "widths.html")
	tasks := everyKind()
	writePage(t, path, tasks...)
	o := openTab(t, path)
	for k := range tasks {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	last := 0.0
	for _, at := range []struct{ width, height, scale int }{{360, 740, 3}, {900, 700, 1}, {1500, 1000, 1}, {2560, 1440, 1}} {
		o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: at.width, Height: at.height, DeviceScaleFactor: float64(at.scale)}))
		for _, scheme := range []string{"light", "dark"} {
			o.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(o.page))
			o.eval(0, `document.documentElement.style.colorScheme = "light dark"; return ""`)
			o.until(0, `(() => {`+boxes+` window.wrong = wrong; return wrong.length === 0; })()`)
			// Rings have the colour of the text.
			ink := map[string]int{"light": 0x22, "dark": 0xee}[scheme]
			o.until(0, fmt.Sprintf(`(() => {
				const c = w.querySelector("canvas"), p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
				for (let i = 0; i < p.length; i += 4) { if (p[i] === %[1]d && p[i + 1] === %[1]d && p[i + 2] === %[1]d && p[i + 3] === 255) { return true; } }
				return false;
			})()`, ink))
			for k, p := range tasks {
				o.eval(k, `w.scrollIntoView(); return ""`)
				o.shot(fmt.Sprintf("width-%d-%s-%s", at.width, scheme, p.Task.Kind))
			}
		}
		var width float64
		if _, err := fmt.Sscan(o.eval(3, `return String(w.querySelector("canvas").getBoundingClientRect().width)`), &width); err != nil {
			t.Fatal(err)
		}
		if width <= last {
			t.Errorf("at %d pixels the plot is %v wide, before %v", at.width, width, last)
		}
		last = width
	}
	o.faultless()
}

// Readers may disable animations and force their own colours: a plot then appears at once, in these
// colours.
func TestCalmAndForcedColors(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "calm.html")
	d := datasets.Digits().Seed(1).Take(40).KeepLabels(10)
	writePage(t, path, pageTask{Task: Playground(d, ssdrnb.PCA(), ssdrnb.S2NE()).task, Name: "playground-x", Notebook: "test"})
	o := openTab(t, path)
	emulate := func(features ...*proto.EmulationMediaFeature) {
		t.Helper()
		o.must(proto.EmulationSetEmulatedMedia{Features: features}.Call(o.page))
	}
	emulate(&proto.EmulationMediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	o.until(0, isLive)
	o.until(0, `!w.ssdrnb.plot.moving()`)
	// No intermediate plots, neither of a layout nor of the animation to the next plot.
	o.eval(0, `window.frames_ = []; w.addEventListener("ssdrnb-drawn", e => window.frames_.push([e.detail.revision > 0, e.detail.settled]));
		const s = w.querySelector("select"); s.value = "1"; s.dispatchEvent(new Event("change")); return ""`)
	o.until(0, `w.querySelector("code").textContent === "ssdrnb.S2NE()" && window.frames_.length > 0 && !w.ssdrnb.plot.moving()`)
	if frames := o.eval(0, `return JSON.stringify(window.frames_)`); frames != "[[true,true]]" {
		t.Errorf("with reduced motion the frames are %s", frames)
	}
	for scheme, text := range map[string]string{"light": "dark", "dark": "bright"} {
		emulate(&proto.EmulationMediaFeature{Name: "forced-colors", Value: "active"}, &proto.EmulationMediaFeature{Name: "prefers-color-scheme", Value: scheme})
		o.until(0, `(() => {
			const ink = getComputedStyle(document.body).color.match(/[0-9]+/g).map(Number), bright = ink[0] > 128;
			const c = w.querySelector("canvas"), p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
			for (let i = 0; i < p.length; i += 4) { if (ink.every((v, k) => p[i + k] === v) && p[i + 3] === 255) { return bright === `+fmt.Sprint(text == "bright")+`; } }
			return false;
		})()`)
		o.shot("forced-" + scheme)
		if swatches := o.eval(0, `return String(new Set(Array.from(w.querySelectorAll(".ssdrnb-legend i"), e => getComputedStyle(e).backgroundColor)).size)`); swatches != "10" {
			t.Errorf("%s: ten classes have %s colours in the legend", scheme, swatches)
		}
	}
	o.faultless()
}

// finger moves fingers: each step has the positions of all of them.
func (o tab) finger(steps ...[][2]float64) {
	o.Helper()
	for k, at := range steps {
		var points []*proto.InputTouchPoint
		for i, q := range at {
			id := float64(i + 1)
			points = append(points, &proto.InputTouchPoint{X: q[0], Y: q[1], ID: &id})
		}
		kind := proto.InputDispatchTouchEventTypeTouchMove
		if k == 0 {
			kind = proto.InputDispatchTouchEventTypeTouchStart
		}
		o.must(proto.InputDispatchTouchEvent{Type: kind, TouchPoints: points}.Call(o.page))
	}
}

func (o tab) lift() {
	o.Helper()
	o.must(proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchEnd, TouchPoints: []*proto.InputTouchPoint{}}.Call(o.page))
}

// at returns positions on a canvas of the k-th widget, given as fractions of its sides.
func (o tab) at(k int, selector string, places ...[2]float64) [][2]float64 {
	o.Helper()
	var x, y, w, h float64
	if _, err := fmt.Sscan(o.eval(k, `const b = w.querySelector("`+selector+`").getBoundingClientRect(); return [b.x, b.y, b.width, b.height].join(" ")`), &x, &y, &w, &h); err != nil {
		o.Fatal(err)
	}
	out := make([][2]float64, len(places))
	for i, q := range places {
		out[i] = [2]float64{x + w*q[0], y + h*q[1]}
	}
	return out
}

func one(q [2]float64) [][2]float64 { return [][2]float64{q} }

// On a phone a tap selects a sample, a long press shows its card, two fingers zoom, and one finger
// draws a lasso, a scribble and spots.
func TestTouch(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "touch.html")
	writePage(t, path, everyKind()[:3]...)
	o := openTab(t, path)
	points := 5
	o.must(proto.EmulationSetTouchEmulationEnabled{Enabled: true, MaxTouchPoints: &points}.Call(o.page))
	o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 390, Height: 844, DeviceScaleFactor: 2, Mobile: true}))
	show := func(k int) {
		t.Helper()
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
		o.until(k, `!(w.ssdrnb.plot && w.ssdrnb.plot.moving())`)
		o.eval(k, `w.querySelector(".ssdrnb-body canvas").scrollIntoView({block: "center"}); await new Promise(go => setTimeout(go, 100)); return ""`)
	}
	show(0)
	press := func(k int, text string) {
		t.Helper()
		o.eval(k, `Array.from(w.querySelectorAll("button")).find(b => b.textContent === "`+text+`").click(); return ""`)
	}
	place := func(i string) (q [2]float64) {
		t.Helper()
		if _, err := fmt.Sscan(o.eval(0, `const p = w.ssdrnb.plot.place(`+i+`); return p.X + " " + p.Y`), &q[0], &q[1]); err != nil {
			t.Fatal(err)
		}
		return q
	}

	// A long press shows the card and selects no sample.
	o.finger(one(place("3")))
	o.until(0, `!w.querySelector(".ssdrnb-tip").hidden`)
	o.lift()
	o.shot("touch-card")
	if text := o.eval(0, `return w.querySelector(".ssdrnb-tip").innerText`); !strings.HasPrefix(text, "sample ") {
		t.Errorf("the card has %q", text)
	}
	o.until(0, `w.ssdrnb.plot.first === -1 && !w.querySelector(".ssdrnb-tip").hidden`)

	// Two taps make a pair, with Apart a cannot-link.
	press(0, "Apart")
	far := o.eval(0, `const g = w.ssdrnb.plot.goal(); let a = 0, b = 0; for (let i = 0; i < g.length / 2; i++) { if (g[2*i] < g[2*a]) { a = i; } if (g[2*i] > g[2*b]) { b = i; } } return a + " " + b`)
	first, second, _ := strings.Cut(far, " ")
	for _, i := range []string{first, second} {
		o.finger(one(place(i)))
		o.lift()
	}
	o.until(0, `w.ssdrnb.last().pairs.length === 1 && w.ssdrnb.last().pairs[0][2] === 1`)
	o.until(0, `!w.ssdrnb.plot.moving()`)

	// Two fingers zoom, and a double tap with one finger does not draw.
	o.until(0, `w.ssdrnb.plot.zoom() === 1`)
	pinch := func(d float64) [][2]float64 {
		return o.at(0, "canvas", [2]float64{0.5 - d, 0.5}, [2]float64{0.5 + d, 0.5})
	}
	o.finger(pinch(0.1), pinch(0.12), pinch(0.16), pinch(0.2), pinch(0.24), pinch(0.3))
	o.lift()
	o.until(0, `w.ssdrnb.plot.zoom() > 1.5`)
	o.shot("touch-pinched")
	o.finger(pinch(0.3), pinch(0.2), pinch(0.1), pinch(0.05))
	o.lift()
	o.until(0, `w.ssdrnb.plot.zoom() === 1`)

	// A lasso around the left half, in which known labels stay on request.
	press(0, "Lasso")
	lasso := func() {
		t.Helper()
		var steps [][][2]float64
		for _, q := range o.at(0, "canvas", [2]float64{0.02, 0.02}, [2]float64{0.02, 0.98}, [2]float64{0.5, 0.98}, [2]float64{0.5, 0.02}) {
			steps = append(steps, one(q))
		}
		o.finger(steps...)
		o.lift()
	}
	lasso()
	o.until(0, `Object.keys(w.ssdrnb.plot.chosen).length > 5`)
	o.shot("touch-lasso")
	known := o.eval(0, `return String(Object.keys(w.ssdrnb.plot.chosen).filter(i => w.ssdrnb.plot.ringed[i] === "1").length)`)
	all := o.eval(0, `window.before = w.ssdrnb.last().of.slice(); window.taken = Object.keys(w.ssdrnb.plot.chosen); return String(window.taken.length)`)
	o.eval(0, `w.querySelector(".ssdrnb-tick input").click(); return ""`)
	press(0, "virginica")
	o.until(0, `Array.from(w.querySelectorAll("[role=status]")).some(s => s.textContent === (`+all+`-`+known+`) + " labelled; `+known+` keep their labels")`)
	o.until(0, `window.taken.every(i => w.ssdrnb.last().of[i] === (window.before[i] || 3))`)

	// A scribble, with a second finger that has no effect.
	show(1)
	line := func(d float64) [][2]float64 { return o.at(1, "canvas", [2]float64{0.2 + d, 0.5}) }
	o.finger(line(0), line(0.1), line(0.2), line(0.3))
	o.lift()
	o.until(1, `w.ssdrnb.last().labels > 20 && w.ssdrnb.last().undo === 1`)
	o.shot("touch-scribble")

	// Spots, and the eraser reports how many it removes.
	show(2)
	before := o.eval(2, `return String(w.ssdrnb.last().spots.length)`)
	spots := func(d float64) [][2]float64 { return o.at(2, "canvas", [2]float64{0.1 + d, 0.9}) }
	o.finger(spots(0), spots(0.1), spots(0.2), spots(0.3))
	o.lift()
	o.until(2, `w.ssdrnb.last().spots.length > `+before+` && w.ssdrnb.last().undo === 1`)
	press(2, "Eraser")
	o.finger(spots(0), spots(0.1), spots(0.2), spots(0.3))
	o.lift()
	o.until(2, `/^Spots: [0-9]+ removed, [0-9]+ of them with a class; Undo brings them back$/.test(w.querySelector("[role=status]").textContent)`)
	o.shot("touch-paint")
	o.faultless()
}

// The start of the engine and a long fit can be stopped and restarted.
func TestStopInPage(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "stop.html")
	d := datasets.Digits().Seed(1).Take(40).KeepLabels(10)
	writePage(t, path, pageTask{Task: Explorer(ssdrnb.S2NE(), d).Controls("iterations").task, Name: "options-s", Notebook: "test"})
	o := openTab(t, path)
	o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 900, Height: 700, DeviceScaleFactor: 1}))
	// The widget above does not finish.
	_, err := o.page.EvalOnNewDocument(`window.__ssdrnbTurn = new Promise(go => { window.letGo = go; });`)
	o.must(err)
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	press := func(text string) {
		t.Helper()
		const find = `Array.from(w.querySelectorAll(".ssdrnb-line button")).find(b => !b.hidden && b.textContent === "%s")`
		o.until(0, fmt.Sprintf(find, text))
		o.shot("stop-" + strings.ReplaceAll(text, " ", "-"))
		o.eval(0, fmt.Sprintf(find, text)+`.click(); return ""`)
	}
	press("Stop")
	o.until(0, `w.dataset.state === "stopped" && w.querySelector("p").textContent === "Static picture: the start was stopped." && w.querySelector("img").getBoundingClientRect().width > 200`)
	o.eval(0, `window.letGo(); return ""`)
	time.Sleep(300 * time.Millisecond)
	o.until(0, `w.dataset.state === "stopped"`)
	press("Start")
	o.until(0, isLive)

	o.until(0, `!w.ssdrnb.plot.moving()`)
	revision := o.eval(0, `window.goal = Array.from(w.ssdrnb.plot.goal()); return w.dataset.revision`)
	o.eval(0, `w.ssdrnb.post("set", {name: "iterations", value: 200000}); return ""`)
	o.until(0, `Number(w.dataset.revision) < 0`) // an unfinished layout
	press("Stop the fit")
	o.until(0, `w.querySelector(".ssdrnb-status").textContent === "The fit was stopped; the picture is unchanged."`)
	o.until(0, `w.dataset.revision === "`+revision+`" && window.goal.every((v, i) => v === w.ssdrnb.plot.goal()[i])`)
	press("Fit")
	o.until(0, `Number(w.dataset.revision) < 0`)
	press("Stop the fit")
	o.until(0, `w.dataset.revision === "`+revision+`"`)
	o.eval(0, `w.ssdrnb.post("set", {name: "iterations", value: 20}); return ""`)
	o.until(0, `Number(w.dataset.revision) > `+revision)
	o.until(0, `Array.from(w.querySelectorAll(".ssdrnb-line button,.ssdrnb-line progress")).every(e => e.hidden)`)
	o.faultless()
}
