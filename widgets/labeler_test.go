package widgets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// labelerTask is the task that a cell passes to a page.
func labelerTask(t *testing.T, b LabelerBuilder) pageTask {
	t.Helper()
	w, err := open(b.task, noStore{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pageTask{Task: w.(*interact.Labeler).Placed(b.task), Name: b.task.Name, Notebook: "test"}
}

// pressed presses keys in the page.
func (o tab) pressed(keys ...input.Key) {
	o.Helper()
	for _, k := range keys {
		o.must(o.page.Keyboard.Press(k))
		o.must(o.page.Keyboard.Release(k))
	}
}

// A reader labels in a page without a kernel: by keys alone, creating classes while labelling, and
// by mouse with a lasso. Labels survive a reload and are in files, names are text, and the plot
// continues from its current state.
func TestLabelerInPage(t *testing.T) {
	needChromium(t)
	digits := datasets.Digits()
	d := digits.HideLabels()
	d.ClassNames = nil
	dir := t.TempDir()
	path := filepath.Join(dir, "labeler.html")
	writePage(t, path, labelerTask(t, Labeler(d).Name("digits")))
	o := openTab(t, path)
	o.until(0, isLive)
	if got := o.eval(0, `return String(w.innerText.includes("Expected accuracy"))`); got != "false" {
		t.Error("a heading stands above no curve")
	}
	const state = `w.ssdrnb.last()`
	o.until(0, state+`.next.length === 10 && `+state+`.labels === 0`)
	o.shot("labeler-start")
	truth := func(row int) string { return fmt.Sprint(digits.Truth[row]) }
	focus := func() int {
		var row int
		if _, err := fmt.Sscanf(o.eval(0, `return w.querySelector("h4").textContent`), "Sample %d", &row); err != nil {
			t.Fatal(err)
		}
		return row
	}
	// By keys alone: C, a name and Enter create a class; a digit assigns it.
	o.must(o.page.Keyboard.Press(input.Tab))
	o.eval(0, `w.querySelector(".ssdrnb-list li").focus(); return ""`)
	for k := range 20 {
		row := focus()
		o.eval(0, `w.before = performance.now(); w.revised = w.dataset.revision; return ""`)
		place := o.eval(0, fmt.Sprintf(`return String(%s.names.indexOf(%q))`, state, truth(row)))
		if place == "-1" {
			o.pressed(input.KeyC)
			o.must(o.page.InsertText(truth(row)))
			o.pressed(input.Enter)
		} else { // a class named by a digit has that digit as its key
			o.pressed(input.Key(truth(row)[0]))
		}
		o.until(0, fmt.Sprintf(`%s.labels === %d`, state, k+1))
		o.until(0, fmt.Sprintf(`w.querySelector("h4").textContent.startsWith("Sample ") && !w.querySelector("h4").textContent.startsWith("Sample %d,") && !w.querySelector("h4").textContent.includes("labelled")`, row))
	}
	o.shot("labeler-keys")
	right := func() float64 {
		var share float64
		raw := o.eval(0, `return JSON.stringify(`+state+`.of.map(k => `+state+`.names[k]))`)
		for i, name := range strings.Split(strings.Trim(raw, "[]"), ",") {
			if strings.Trim(name, `"`) == truth(i) {
				share += 1 / float64(d.Len())
			}
		}
		return share
	}
	o.until(0, state+`.curve.length > 0 && `+state+`.curve.at(-1)[0] === 20`)
	if got := right(); got < 0.8 {
		t.Errorf("%.3f of the proposals are right after 20 labels", got)
	}
	// The focused sample loses its label.
	o.pressed(input.KeyN)
	o.eval(0, `w.ssdrnb.plot.click(70, false); return ""`)
	o.until(0, `w.querySelector(".ssdrnb-large") && w.querySelector("h4").textContent.startsWith("Sample 70")`)
	// Ctrl+Z undoes.
	o.must(o.page.KeyActions().Press(input.ControlLeft).Type(input.KeyZ).Release(input.ControlLeft).Do())
	o.until(0, state+`.labels === 19`)
	o.must(o.page.KeyActions().Press(input.ControlLeft, input.ShiftLeft).Type(input.KeyZ).Release(input.ControlLeft, input.ShiftLeft).Do())
	o.until(0, state+`.labels === 20`)

	// By mouse: a lasso, then a class button.
	o.eval(0, `w.scrollIntoView(); Array.from(w.querySelectorAll("button")).find(b => b.textContent === "Lasso").click(); return ""`)
	o.until(0, `!w.ssdrnb.plot.moving()`)
	var x, y float64
	if _, err := fmt.Sscanf(o.eval(0, `const p = w.ssdrnb.plot.place(`+state+`.next[0].row); return p.X + "," + p.Y`), "%g,%g", &x, &y); err != nil {
		t.Fatal(err)
	}
	o.must(o.page.Mouse.MoveTo(proto.Point{X: x - 12, Y: y - 12}))
	o.must(o.page.Mouse.Down(proto.InputMouseButtonLeft, 1))
	for _, q := range [][2]float64{{12, -12}, {12, 12}, {-12, 12}} {
		o.must(o.page.Mouse.MoveTo(proto.Point{X: x + q[0], Y: y + q[1]}))
	}
	o.must(o.page.Mouse.Up(proto.InputMouseButtonLeft, 1))
	o.until(0, `w.ssdrnb.plot.rows().length > 0`)
	o.shot("labeler-lasso")
	o.eval(0, `w.labels = `+state+`.labels; w.querySelector('[role=group] button').click(); return ""`)
	o.until(0, state+`.labels > w.labels`)

	// Stored, exported, and kept after a reload.
	o.until(0, `(w.dataset.saved || "") === "in this browser"`)
	file := func(button string) string {
		return o.eval(0, `return await new Promise(done => {
			const make = URL.createObjectURL;
			URL.createObjectURL = blob => { if (blob.type === "") { URL.createObjectURL = make; blob.text().then(done); } return make(blob); };
			Array.from(w.querySelectorAll("button")).find(b => b.textContent === "`+button+`").click();
		})`)
	}
	l := LabelsOf("digits", []byte(file("Export")))
	if err := l.Err(); err != nil || l.Len() < 21 || len(l.Classes()) < 5 {
		t.Fatalf("exported: %v, %v", l, err)
	}
	if got := file("JSON lines"); got != l.JSONLines() {
		t.Errorf("JSON lines: %.200s", got)
	}
	if got := file("CSV"); got != l.CSV() {
		t.Errorf("CSV: %.200s", got)
	}
	if err := l.Apply(d).Err(); err != nil {
		t.Error(err)
	}
	o.must(o.page.Reload())
	o.must(o.page.WaitLoad())
	o.until(0, isLive)
	o.until(0, fmt.Sprintf(`%s.labels === %d && %s.curve.length > 1`, state, l.Len(), state))
	o.shot("labeler-reload")

	// Another annotator's file is merged; differing labels are disputed.
	other := strings.Replace(file("Export"), `"labels":{`, `"labels":{"1500":0,`, 1)
	saved := filepath.Join(dir, "other.json")
	o.must(os.WriteFile(saved, []byte(other), 0o600))
	in, err := o.page.Element(`.ssdrnb-widget input[data-kind=merge]`)
	o.must(err)
	o.must(in.SetFiles([]string{saved}))
	o.until(0, fmt.Sprintf(`%s.labels === %d`, state, l.Len()+1))
	if errors := o.eval(0, `return JSON.stringify(window.errors)`); errors != "[]" {
		t.Errorf("in the page: %s", errors)
	}
}

// TestMeasureLabeler measures the delay in milliseconds between a label and the update of
// probabilities and plot.
func TestMeasureLabeler(t *testing.T) {
	browser.Measure(t)
	needChromium(t)
	d := datasets.Digits().HideLabels()
	path := filepath.Join(t.TempDir(), "pace.html")
	writePage(t, path, labelerTask(t, Labeler(d).Name("pace").Classes("0", "1", "2", "3", "4", "5", "6", "7", "8", "9")))
	o := openTab(t, path)
	o.until(0, isLive)
	truth := datasets.Digits().Truth
	var told, moves, rests []float64
	for range 6 {
		var row int
		if _, err := fmt.Sscan(o.eval(0, `return String(w.ssdrnb.last().next[0].row)`), &row); err != nil {
			t.Fatal(err)
		}
		got := o.eval(0, fmt.Sprintf(`return await new Promise(done => {
			const from = performance.now(), before = Number(w.dataset.revision), times = [0, 0, 0];
			let curve = JSON.stringify(w.ssdrnb.last().curve);
			w.addEventListener("ssdrnb-drawn", function f(e) {
				times[1] = times[1] || performance.now() - from;
				if (e.detail.settled && Number(w.dataset.revision) > before) {
					w.removeEventListener("ssdrnb-drawn", f);
					times[2] = performance.now() - from;
					done(times.join(" "));
				}
			});
			const watch = setInterval(() => {
				if (JSON.stringify(w.ssdrnb.last().curve) !== curve) { times[0] = performance.now() - from; clearInterval(watch); }
			}, 5);
			w.ssdrnb.post("label", {Rows: [%d], Class: %d, Unlabelled: false});
		})`, row, truth[row]))
		var a, b, c float64
		if _, err := fmt.Sscan(got, &a, &b, &c); err != nil {
			t.Fatal(err)
		}
		told, moves, rests = append(told, a), append(moves, b), append(rests, c)
	}
	t.Logf("probabilities %.0f\nfirst move %.0f\nat rest %.0f", told, moves, rests)
}

// mixed returns the penguins, a table with columns of numbers and of categories, without labels.
func mixed() *ssdrnb.Data {
	return datasets.Must(datasets.Penguins().Data(datasets.Label("Species"), datasets.Without("Sample Number", "studyName"))).HideLabels()
}

// texts returns the irises without labels, with a text for each sample in the attribute "review".
func texts() *ssdrnb.Data {
	d := datasets.Iris().HideLabels()
	said := make([]string, d.Len())
	for i := range said {
		said[i] = strings.Repeat("The delivery came late and the box was open, but the service answered within the hour. ", 1+i%7) + "<b>" + fmt.Sprint(i)
	}
	d.ClassNames = nil
	return d.WithAttribute("review", said)
}

// Rows of tables and texts are shown large in every environment. By touch alone a reader creates a
// class, assigns it, and draws a lasso.
func TestLabelerOfTables(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "tables.html")
	writePage(t, path, labelerTask(t, Labeler(mixed()).Name("mixed")), labelerTask(t, Labeler(texts()).Name("texts")))
	o := openTab(t, path)
	const state = `w.ssdrnb.last()`
	for k := range 2 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
		o.until(k, state+`.next.length === 10 && w.querySelector(".ssdrnb-table td")`)
	}
	if got := o.eval(0, `return Array.from(w.querySelectorAll(".ssdrnb-table th"), e => e.textContent).join()`); !strings.Contains(got, "Island") || !strings.Contains(got, "Body Mass (g)") || strings.Contains(got, "Species") {
		t.Errorf("a row of the table has %s", got)
	}
	if got := o.eval(1, `return w.querySelector(".ssdrnb-table").textContent + w.querySelectorAll(".ssdrnb-table b").length`); !strings.HasPrefix(got, "reviewThe delivery") || !strings.HasSuffix(got, "0") {
		t.Errorf("a text is shown as %s", got)
	}
	for k, name := range []string{"labeler-table", "labeler-texts"} {
		o.shots(k, name)
		if small := o.eval(k, `return String(Math.min(...Array.from(w.querySelectorAll(".ssdrnb-table td"), e => parseFloat(getComputedStyle(e).fontSize))))`); small < "13" {
			t.Errorf("%s is written with %s pixels", name, small)
		}
	}
	if errors := o.eval(0, `return JSON.stringify(window.errors)`); errors != "[]" {
		t.Errorf("in the page: %s", errors)
	}
}
