package widgets

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// phone emulates a small phone.
func (o tab) phone() {
	o.Helper()
	points := 5
	o.must(proto.EmulationSetTouchEmulationEnabled{Enabled: true, MaxTouchPoints: &points}.Call(o.page))
	o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 360, Height: 740, DeviceScaleFactor: 3, Mobile: true}))
}

// aim scrolls an element into the middle of the window and returns its position.
func (o tab) aim(k int, element string) (q [2]float64) {
	o.Helper()
	if _, err := fmt.Sscan(o.eval(k, `const e = `+element+`; e.scrollIntoView({block: "center"});
		await new Promise(go => setTimeout(go, 150));
		const b = e.getBoundingClientRect(); return (b.x + b.width / 2) + " " + (b.y + b.height / 2)`), &q[0], &q[1]); err != nil {
		o.Fatal(err)
	}
	return q
}

// touched holds a finger down for as long as a tap.
func (o tab) touched(q [2]float64) {
	o.Helper()
	o.finger(one(q))
	time.Sleep(60 * time.Millisecond)
	o.lift()
}

// tap aims at an element and taps it.
func (o tab) tap(k int, element string) {
	o.Helper()
	o.touched(o.aim(k, element))
}

// named is the button with the given text.
func named(text string) string {
	return `Array.from(w.querySelectorAll("button")).find(b => b.textContent.startsWith("` + text + `"))`
}

const (
	labels   = `w.ssdrnb.last()`
	lastItem = `w.querySelector(".ssdrnb-list li:last-child")`
)

// By touch alone, on a phone, a reader creates a class, opens a sample of the queue while texts of
// other lengths are shown above it, assigns the class, and draws a lasso.
func TestLabelerByTouch(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "touch.html")
	writePage(t, path, labelerTask(t, Labeler(texts()).Name("texts")))
	o := openTab(t, path)
	o.phone()
	o.eval(0, `w.scrollIntoView(); return ""`)
	o.until(0, isLive)
	o.until(0, labels+`.next.length === 10 && w.querySelector(".ssdrnb-table td")`)
	o.tap(0, `w.querySelector("input[type=text]")`)
	o.must(o.page.InsertText("praise"))
	o.tap(0, named("Add"))
	o.until(0, labels+`.labels === 1 && `+labels+`.names.length === 2`)
	// At once: the next sample and the queues are still being computed.
	q := o.aim(0, lastItem)
	row := o.eval(0, fmt.Sprintf(`const e = document.elementFromPoint(%g, %g); return e.textContent.split(":")[0].replace("sample ", "")`, q[0], q[1]))
	o.touched(q)
	o.until(0, `w.querySelector("h4").textContent.startsWith("Sample `+row+`") && w.querySelector(".ssdrnb-sample").dataset.row === "`+row+`"`)
	o.shot("labeler-touch")
	// It stays although the queue moves on.
	o.until(0, labels+`.next.length === 10 && !w.ssdrnb.plot.moving()`)
	o.until(0, `w.querySelector("h4").textContent.startsWith("Sample `+row+`")`)
	o.tap(0, named("1 praise"))
	o.until(0, labels+`.labels === 2 && `+labels+`.of[`+row+`] === 1 && !w.querySelector("h4").textContent.startsWith("Sample `+row+`,")`)
	o.tap(0, named("Lasso"))
	o.aim(0, `w.querySelector("canvas.ssdrnb-square")`)
	o.until(0, `!w.ssdrnb.plot.moving()`)
	var steps [][][2]float64
	for _, q := range o.at(0, "canvas.ssdrnb-square", [2]float64{0.02, 0.02}, [2]float64{0.02, 0.98}, [2]float64{0.6, 0.98}, [2]float64{0.6, 0.02}) {
		steps = append(steps, one(q))
	}
	o.finger(steps...)
	o.lift()
	o.until(0, `w.ssdrnb.plot.rows().length > 5`)
	o.shot("labeler-touch-lasso")
	// After a fast stroke Chromium's DevTools lose one tap in six, even in a page without scripts.
	for range 5 {
		o.tap(0, named("1 praise"))
		time.Sleep(300 * time.Millisecond)
		if o.eval(0, `return String(`+labels+`.labels > 5)`) == "true" {
			break
		}
	}
	o.until(0, labels+`.labels > 5`)
	o.faultless()
}

// Buttons and queue do not move when another sample is shown, whether a short text, a long one or
// an image, and repeated taps at one position open one sample after the other.
func TestLabelerStaysUnderTheFinger(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "still.html")
	digits := datasets.Digits().Seed(1).Take(20).KeepLabels(2)
	writePage(t, path, labelerTask(t, Labeler(texts()).Name("texts").Classes("praise", "blame")), labelerTask(t, Labeler(digits).Name("digits")))
	o := openTab(t, path)
	o.phone()
	for k := range 2 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
		o.until(k, labels+`.next.length === 10 && !w.ssdrnb.plot.moving() && w.querySelector(".ssdrnb-sample").dataset.row`)
		o.tap(k, named("Doubtful"))
		if k == 0 {
			o.tap(k, named("Next"))
		}
		places := map[string]bool{}
		for i := range 4 {
			o.tap(k, fmt.Sprintf(`w.querySelectorAll(".ssdrnb-list li")[%d]`, i))
			o.until(k, fmt.Sprintf(`(() => { const li = w.querySelectorAll(".ssdrnb-list li")[%d], row = li.textContent.split(":")[0].replace("sample ", "");
				return li.getAttribute("aria-current") === "true" && w.querySelector(".ssdrnb-sample").dataset.row === row; })()`, i))
			places[o.eval(k, `const top = w.getBoundingClientRect().top; return ["[role=group]", "input[type=text]", ".ssdrnb-list"].map(s => Math.round(w.querySelector(s).getBoundingClientRect().top - top)).join()`)] = true
		}
		if len(places) != 1 {
			t.Errorf("widget %d: buttons, field and queue lie at %v", k, places)
		}
	}
	o.faultless()
}

// An item of the queue under a pressed mouse button or finger gets its click although the queue is
// rebuilt meanwhile, and the keyboard focus stays on it.
func TestLabelerItemsStay(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "items.html")
	writePage(t, path, labelerTask(t, Labeler(datasets.Iris().KeepLabels(5).Seed(1)).Name("items")))
	o := openTab(t, path)
	o.until(0, isLive)
	o.until(0, labels+`.next.length === 10 && !w.ssdrnb.plot.moving()`)
	q := o.aim(0, `w.querySelectorAll(".ssdrnb-list li")[2]`)
	row := o.eval(0, `window.item = w.querySelectorAll(".ssdrnb-list li")[2]; return window.item.textContent.split(":")[0].replace("sample ", "")`)
	o.must(o.page.Mouse.MoveTo(proto.Point{X: q[0], Y: q[1]}))
	o.must(o.page.Mouse.Down(proto.InputMouseButtonLeft, 1))
	// Another sample of the queue gets the focus, so the queue is rebuilt.
	o.eval(0, `w.ssdrnb.plot.click(`+labels+`.next[5].row, false); return ""`)
	o.until(0, `w.querySelectorAll(".ssdrnb-list li")[5].getAttribute("aria-current") === "true"`)
	o.must(o.page.Mouse.Up(proto.InputMouseButtonLeft, 1))
	o.until(0, `w.querySelector("h4").textContent.startsWith("Sample `+row+`")`)
	if stays := o.eval(0, `return String(window.item.isConnected && document.activeElement === window.item)`); stays != "true" {
		t.Error("the item or its focus is gone")
	}
	o.faultless()
}

// On a phone a tap on an item of the constraint editor marks its samples, also on the second tap.
func TestEditorItemsByTouch(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "editor.html")
	writePage(t, path, pageTask{Task: ConstraintEditor(ssdrnb.SDA(), datasets.Iris().KeepLabels(10)).Name("editor").task, Name: "editor", Notebook: "test"})
	o := openTab(t, path)
	o.phone()
	o.until(0, isLive)
	o.until(0, `!w.ssdrnb.plot.moving() && `+lastItem)
	for range 2 {
		o.eval(0, `w.ssdrnb.plot.marks = []; return ""`)
		o.tap(0, lastItem)
		o.until(0, `w.ssdrnb.plot.marks.length > 0 && `+lastItem+`.textContent.includes("sample " + w.ssdrnb.plot.marks[0])`)
	}
	o.faultless()
}
