package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// labeler opens a notebook in the test's JupyterLab and waits for its labeler.
func (b *bench) labeler(address string) {
	b.Helper()
	b.address = address
	b.load()
	b.until(time.Minute, "the notebook is read", `() => { const p = window.jupyterapp.shell.currentWidget; return p && p.context && p.context.isReady && p.content.widgets.length > 3; }`)
	b.live()
	b.settle("the queue is there", `s.next.length === 10 && w.querySelector(".ssdrnb-sample").dataset.row`)
}

// row is the focused sample.
func (b *bench) row() int {
	b.Helper()
	k, err := strconv.Atoi(ask[string](b.T, b.tab, `() => {`+widget+` return w.querySelector(".ssdrnb-sample").dataset.row; }`))
	b.must(err)
	return k
}

// into scrolls an element of the widget into the middle of the window and returns its position.
func (b *bench) into(element string) proto.Point {
	b.Helper()
	p := ask[box](b.T, b.tab, `async () => {`+widget+`
		const e = `+element+`;
		e.scrollIntoView({block: "center"});
		const r = await still(e);
		return {X: r.x + r.width / 2, Y: r.y + r.height / 2};
		`+stillFrame+` }`)
	return proto.Point{X: p.X, Y: p.Y}
}

// tap touches an element with a finger.
func (b *bench) tap(element string) {
	b.Helper()
	p := b.into(element)
	b.must(proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchStart, TouchPoints: []*proto.InputTouchPoint{{X: p.X, Y: p.Y}}}.Call(b.tab))
	time.Sleep(60 * time.Millisecond)
	b.must(proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchEnd, TouchPoints: []*proto.InputTouchPoint{}}.Call(b.tab))
}

// The labelling loop in JupyterLab, in a trusted notebook on a wide light page and in an untrusted
// one on a dark page of 900 pixels: by mouse, by keys alone, which must not act as JupyterLab
// commands, and by touch. Each way labels samples, and undo removes the labels.
func TestLabelerInLab(t *testing.T) {
	browser.All(t)
	t.Parallel()
	const name = "10-labelling.ipynb"
	raw, err := os.ReadFile(executed(t, name))
	if err != nil {
		t.Fatal(err)
	}
	bin, env := jupyter(t)
	b, root := newBench(t), t.TempDir()
	address := lab(t, bin, env, root)
	for _, place := range []struct {
		name    string
		trusted bool
		theme   string
		width   int
	}{{"trusted", true, "JupyterLab Light", 1500}, {"untrusted", false, "JupyterLab Dark", 900}} {
		path := filepath.Join(root, place.name+".ipynb")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if place.trusted {
			trust := exec.Command(filepath.Join(bin, "jupyter-trust"), path)
			trust.Env = env
			if out, err := trust.CombinedOutput(); err != nil {
				t.Fatalf("jupyter trust: %v\n%s", err, out)
			}
		}
		b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: place.width, Height: 1000, DeviceScaleFactor: 1}))
		b.labeler(address(place.name+".ipynb") + "&reset")
		ask[bool](t, b.tab, `async theme => { await window.jupyterapp.commands.execute("apputils:change-theme", {theme}); return true; }`, place.theme)
		b.until(patience, "the theme is "+place.theme, `theme => document.body.dataset.jpThemeName === theme`, place.theme)
		shown := func(way string) {
			b.Helper()
			b.settle("the picture is at rest", `true`)
			b.into(`w`)
			shot(t, b.tab, box{0, 0, float64(place.width), 1000}, "labeler-"+place.name+"-"+way)
		}
		// By mouse: the sample under the pointer, and the button of a class.
		b.into(`w.querySelector("canvas.ssdrnb-square")`)
		first := ask[int](t, b.tab, `() => {`+widget+` return w.ssdrnb.last().next[1].row; }`)
		b.click(b.place(first), false)
		b.until(patience, "the sample is in focus", `() => {`+widget+` return !!w.querySelector(".ssdrnb-sample .ssdrnb-large"); }`)
		row := b.row()
		b.click(b.into(`w.querySelectorAll("[role=group] button")[3]`), false)
		b.settle("a label by mouse", fmt.Sprintf(`s.labels === 1 && s.of[%d] === 4 && s.ringed[%d] === "1"`, row, row))
		shown("mouse")

		// By keys that JupyterLab uses too: a digit, Enter for the proposal, a class of the
		// reader's own, and undo.
		cells := ask[string](t, b.tab, cellTypes)
		ask[bool](t, b.tab, `() => {`+widget+` w.querySelector(".ssdrnb-list li").focus(); return true; }`)
		b.must(b.tab.Keyboard.Type(input.KeyN))
		row = b.row()
		b.must(b.tab.Keyboard.Type(input.Digit2))
		b.settle("a label by key", fmt.Sprintf(`s.labels === 2 && s.of[%d] === 3`, row)) // the class "2"
		b.settle("another sample is in focus", fmt.Sprintf(`s.next.length === 10 && w.querySelector(".ssdrnb-sample").dataset.row !== "%d"`, row))
		row = b.row()
		b.must(b.tab.Keyboard.Type(input.Enter))
		b.settle("the proposal is accepted", fmt.Sprintf(`s.labels === 3 && s.ringed[%d] === "1"`, row))
		b.settle("another sample is in focus", fmt.Sprintf(`s.next.length === 10 && w.querySelector(".ssdrnb-sample").dataset.row !== "%d"`, row))
		b.must(b.tab.Keyboard.Type(input.KeyC))
		b.must(b.tab.InsertText("smudge"))
		b.must(b.tab.Keyboard.Type(input.Enter))
		b.settle("a class by keys", `s.labels === 4 && s.names.includes("smudge")`)
		shown("keys")
		for left := 3; left >= 1; left-- {
			b.must(b.tab.KeyActions().Press(input.ControlLeft).Type(input.KeyZ).Release(input.ControlLeft).Do())
			b.settle("a step back", fmt.Sprintf(`s.labels === %d`, left))
		}
		if now := ask[string](t, b.tab, cellTypes); now != cells {
			t.Errorf("%s: the keys changed the cells of the notebook from %s to %s", place.name, cells, now)
		}

		// By touch: a sample of the queue, and the button of a class.
		points := 5
		b.must(proto.EmulationSetTouchEmulationEnabled{Enabled: true, MaxTouchPoints: &points}.Call(b.tab))
		b.settle("the queue is there", `s.next.length === 10`)
		b.tap(`w.querySelector(".ssdrnb-list li:nth-child(3)")`)
		b.settle("the third of the queue is in focus", `w.querySelector(".ssdrnb-sample").dataset.row === String(s.next[2].row)`)
		row = b.row()
		b.tap(`w.querySelectorAll("[role=group] button")[5]`)
		b.settle("a label by touch", fmt.Sprintf(`s.labels === 2 && s.of[%d] === 6`, row))
		shown("touch")
		b.must(proto.EmulationSetTouchEmulationEnabled{Enabled: false}.Call(b.tab))
		b.press("Undo")
		b.settle("a step back", `s.labels === 1`)
		b.press("Undo")
		b.settle("all is undone", `s.labels === 0`)
	}
	b.clean()
}

// cellTypes are the types of the cells and the active one: keys handled by JupyterLab change one or
// the other.
const cellTypes = `() => { const c = window.jupyterapp.shell.currentWidget.content; return c.widgets.map(w => w.model.type + w.model.sharedModel.getSource().length).join() + " at " + c.activeCellIndex; }`
