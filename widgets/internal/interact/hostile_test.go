package interact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// distance returns the distance of (x, y) from the segment a b.
func distance(x, y float64, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = min(max(((x-a[0])*dx+(y-a[1])*dy)/l, 0), 1)
	}
	return math.Hypot(x-a[0]-t*dx, y-a[1]-t*dy)
}

// A stroke covers the pixels whose centres are within its radius, in landscape and portrait images;
// points outside the image count like others.
func TestUnder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for trial := range 300 {
		width, height := 1+rng.IntN(40), 1+rng.IntN(40)
		s := &Scribble{width: width, data: &data.Data{X: mat.NewDense(width*height, 1, nil)}}
		points := make([][2]float64, 1+rng.IntN(4))
		for k := range points {
			points[k] = [2]float64{60*rng.Float64() - 10, 60*rng.Float64() - 10}
			if trial%4 == 0 && k > 0 { // along an axis
				points[k][trial/4%2] = points[k-1][trial/4%2]
			}
			if trial%50 == 0 {
				points[k][0] *= 1e4
			}
		}
		radius := 0.5 + 6*rng.Float64()
		got := map[int]bool{}
		for _, i := range s.coveredPixels(points, radius) {
			got[i] = true
		}
		for i := range width * height {
			nearest := math.Inf(1)
			for k := range points {
				nearest = min(nearest, distance(float64(i%width)+0.5, float64(i/width)+0.5, points[max(k-1, 0)], points[k]))
			}
			if math.Abs(nearest-radius) > 1e-9 && got[i] != (nearest < radius) {
				t.Fatalf("%d×%d, %v, radius %v: pixel %d at distance %v is covered: %v", width, height, points, radius, i, nearest, got[i])
			}
		}
	}
}

// A message with a value out of range is refused and leaves the session unchanged.
func TestMessagesOutOfBounds(t *testing.T) {
	w := openAll(t)
	rows := strings.Repeat("1,", 151)
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	for _, one := range []struct {
		widget     Widget
		kind, body string
	}{
		{w.scribble, "stroke", `{"Points":[[1e300,1e300]],"Radius":1,"Class":0}`},
		{w.scribble, "stroke", `{"Points":[[1,1],[-1e300,2],[1e300,3]],"Radius":50,"Class":0}`},
		{w.scribble, "stroke", `{"Points":[[1,1e7]],"Radius":1,"Class":0}`},
		{w.scribble, "stroke", `{"Points":[[1,1]],"Radius":1e300,"Class":0}`},
		{w.scribble, "stroke", `{"Points":[[1,1]],"Radius":1,"Class":9223372036854775807}`},
		{w.scribble, "stroke", `{"Points":[[1,1e999]],"Radius":1,"Class":0}`},
		{w.scribble, "stroke", `{"Points":` + deep + `}`},
		{w.editor, "label", `{"Rows":[` + rows + `1],"Class":0}`},
		{w.editor, "label", `{"Rows":[1e10],"Class":0}`},
		{w.editor, "label", `{"Rows":[0],"Class":-2}`},
		{w.editor, "pair", `{"I":0,"J":1e300}`},
		{w.editor, "pair", `{"I":0,"J":9223372036854775807}`},
		{w.editor, "export", deep},
		{w.explorer, "set", `{"name":"neighbors","value":` + deep + `}`},
		{w.explorer, "set", `{"name":"neighbors","value":{"a":1}}`},
		{w.explorer, "set", `{"name":"neighbors","value":null}`},
		{w.explorer, "set", `{"name":"` + strings.Repeat("x", 100_000) + `","value":1}`},
		{w.sweep, "cell", `1e300`},
		{w.editor, strings.Repeat("x", 100_000), `1`},
		{w.painter, "paint", `{"Points":[[0,1.01]],"Class":0}`},
		{w.painter, "paint", `{"Points":[[0,1e999]],"Class":0}`},
		{w.painter, "paint", `{"Points":[],"Class":0}`},
		{w.painter, "paint", `{"Points":[[0,0]],"Class":3}`},
		{w.painter, "paint", `{"Points":[[0,0]],"Class":-2}`},
		{w.painter, "paint", `{"Points":[` + strings.Repeat("[0,0],", maxStroke) + `[0,0]],"Class":0}`},
		{w.painter, "erase", `{"Points":[[0,3]],"Radius":0.1}`},
		{w.painter, "erase", `{"Points":[[0,0]],"Radius":-1}`},
		{w.painter, "lift", `{"dims":1,"noise":0,"seed":1}`},
		{w.painter, "lift", `{"dims":51,"noise":0,"seed":1}`},
		{w.painter, "lift", `{"dims":2,"noise":-0.1,"seed":1}`},
		{w.painter, "lift", `{"dims":2,"noise":0,"seed":0}`},
		{w.painter, "labels", `-1`},
		{w.painter, "start", `"spirals"`},
		{w.painter, "method", `2`},
	} {
		if _, err := one.widget.Event(one.kind, json.RawMessage(one.body)); !errors.Is(err, errMessage) {
			t.Errorf("%.20s %.60s: %.200v", one.kind, one.body, err)
		}
	}
	for _, value := range []string{`1e300`, `-1`, `"` + strings.Repeat("x", 100_000) + `"`, `true`} {
		if _, err := w.explorer.Event("set", json.RawMessage(`{"name":"neighbors","value":`+value+`}`)); err == nil {
			t.Errorf("neighbors = %.20s is accepted", value)
		}
	}
	// A stroke of 2,000 points across the image, one of them far outside, labels each pixel once.
	long := make([][2]float64, 2000)
	for k := range long {
		long[k] = [2]float64{float64(k % 2 * 20), float64(k % 2 * 16)}
	}
	raw, err := json.Marshal(map[string]any{"Points": append(long, [2]float64{-1e6, 1e6}, [2]float64{20, 4}), "Radius": 50, "Class": 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.scribble.Event("stroke", raw); err != nil || len(w.scribble.set.Labels) != 20*16 {
		t.Errorf("a long stroke: %d pixels, %v", len(w.scribble.set.Labels), err)
	}
	w.check(t)
}

// The text of an error is short, even if a page has sent a part of it.
func TestReason(t *testing.T) {
	if got := reason(errors.New(strings.Repeat("ψ", 100_000))); len(got) > 1100 || !strings.HasSuffix(got, "ψ…") {
		t.Errorf("%d bytes, …%s", len(got), got[len(got)-10:])
	}
}

// widgets has one open widget of each kind.
type widgets struct {
	editor   *Editor
	scribble *Scribble
	explorer *Explorer
	sweep    *Sweep
	painter  *Painter
	fresh    [2]ConstraintSet
	blank    painting
	shelf    shelf
}

func openAll(t testing.TB) *widgets {
	t.Helper()
	d := datasets.Iris().KeepLabels(5).Seed(1)
	scene := datasets.Scene(20, 16, 0.02, 1, 1)
	ctx := context.Background()
	w, shelf := &widgets{shelf: shelf{}}, shelf{}
	w.shelf = shelf
	var err [5]error
	w.editor, err[0] = editorOf(shelf, ssdrnb.SSDR(), d).open(ctx)
	w.scribble, err[1] = scribbleOf(shelf, ssdrnb.LDA(), scene.Pixels.HideLabels(), scene.Image()).open(ctx)
	w.explorer, err[2] = explorerOf(shelf, ssdrnb.SDA(), d).open(ctx)
	w.sweep, err[3] = sweepOf(shelf, ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 5).MustRun(), d).open(ctx)
	rings, e := Start("rings", 1)
	if e != nil {
		t.Fatal(e)
	}
	w.painter, err[4] = paintOf(shelf, rings, ssdrnb.LDA(), ssdrnb.SDA()).open(ctx)
	for _, e := range err {
		if e != nil {
			t.Fatal(e)
		}
	}
	w.blank = w.painter.painting
	w.fresh = [2]ConstraintSet{w.editor.set.clone(), w.scribble.set.clone()}
	t.Cleanup(func() { w.editor.Close(); w.scribble.Close() })
	return w
}

// reset removes all drawings.
func (w *widgets) reset() {
	for k, h := range []*history{&w.editor.history, &w.scribble.history} {
		h.set, h.undo, h.redo = w.fresh[k].clone(), nil, nil
	}
	w.painter.painting, w.painter.undo, w.painter.redo = w.blank, nil, nil
}

// check checks the invariants that no message may break: states can be sent, and constraints of the
// data occur once, with one kind.
func (w *widgets) check(t *testing.T) {
	t.Helper()
	for _, one := range []Widget{w.editor, w.scribble, w.explorer, w.sweep, w.painter} {
		if _, err := json.Marshal(one.State()); err != nil {
			t.Fatalf("%T: %v", one, err)
		}
	}
	if err := w.painter.painting.check(); err != nil {
		t.Fatal(err)
	}
	if m := w.shelf.of("painting"); len(w.painter.undo)+len(w.painter.redo) > 0 {
		if stored, err := parsePainting(m.content); err != nil || !reflect.DeepEqual(stored, w.painter.painting) {
			t.Fatalf("the store has %v, %v, the canvas %v", stored, err, w.painter.painting)
		}
	}
	if d := w.painter.Data(); len(w.painter.Spots) > 0 {
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
		if err := d.Validate(); err != nil || d.Len() != len(w.painter.Spots) {
			t.Fatalf("%d samples of %d spots, %v", d.Len(), len(w.painter.Spots), err)
		}
	}
	for _, one := range []struct {
		h       *history
		d       *data.Data
		classes int
	}{{&w.editor.history, w.editor.data, len(w.editor.classes)}, {&w.scribble.history, w.scribble.data, len(w.scribble.classes)}} {
		if err := one.h.set.fits(one.d.Len()); err != nil {
			t.Fatal(err)
		}
		seen := map[data.Pair]bool{}
		for _, p := range slices.Concat(one.h.set.Pairs.Must, one.h.set.Pairs.Cannot) {
			if p.I >= p.J || seen[p] {
				t.Fatalf("the pair %v occurs twice, or in the wrong order", p)
			}
			seen[p] = true
		}
		for i, l := range one.h.set.Labels {
			if l < data.Unlabelled || l >= one.classes {
				t.Fatalf("sample %d is of class %d of %d", i, l, one.classes)
			}
		}
		if err := one.h.set.Apply(one.d).Err(); err != nil {
			t.Fatal(err)
		}
		if len(one.h.undo) > maxUndo || len(one.h.redo) > maxUndo {
			t.Fatalf("%d steps to undo, %d to redo", len(one.h.undo), len(one.h.redo))
		}
		m := w.shelf.of(one.h.set.name)
		if m.content == nil {
			continue
		}
		stored, err := ParseConstraints(m.content, one.h.set.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(one.h.undo)+len(one.h.redo) > 0 && !alike(stored, one.h.set) {
			t.Fatalf("the store has %v, the widget %v", stored, one.h.set)
		}
	}
}

// alike reports whether two sets have the same constraints.
func alike(a, b ConstraintSet) bool {
	return slices.Equal(a.Pairs.Must, b.Pairs.Must) && slices.Equal(a.Pairs.Cannot, b.Pairs.Cannot) && len(a.Labels) == len(b.Labels) &&
		(len(a.Labels) == 0 || reflect.DeepEqual(a.Labels, b.Labels)) && slices.Equal(a.Classes, b.Classes)
}

// FuzzMessages sends lines as a page does. No line may end the cell or break the invariants in
// check, and undo and redo must reverse a change.
func FuzzMessages(f *testing.F) {
	w := openAll(f)
	for _, seed := range []string{
		`pair {"I":1,"J":2,"Cannot":true}` + "\n" + `pair {"I":2,"J":1}` + "\n" + `pair {"I":2,"J":1}` + "\nundo null\nredo null",
		`label {"Rows":[1,2,1],"Class":0}` + "\nclear 0\nundo\nexport \"csv\"",
		`stroke {"Points":[[1,2],[30,4.5]],"Radius":3,"Class":1}` + "\n" + `stroke {"Points":[[1e300,2]],"Radius":3,"Class":5}` + "\nundo",
		`set {"name":"neighbors","value":3}` + "\ncell 1\nexport \"npz\"\nexport \"go\"",
		`paint {"Points":[[0.1,-0.2],[1,1]],"Class":1,"Stroke":7}` + "\n" + `paint {"Points":[[-1,0.5]],"Class":-1,"Stroke":7}` + "\n" + `erase {"Points":[[0,0],[1.5,1]],"Radius":0.2}` + "\nundo\nredo\nclear",
		"start \"rings\"\nlift {\"dims\":9,\"noise\":0.2,\"seed\":4}\nlabels 2\nmethod 1\nset {\"name\":\"neighbors\",\"value\":3}\nreset\nundo",
		`pair {"I":-1,"J":1e9}` + "\n" + `label {"Rows":[[1]],"Class":"x"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w.reset()
		lines := strings.Split(text, "\n")
		for seq, line := range lines[:min(len(lines), 10)] {
			kind, body, _ := strings.Cut(line, " ")
			message := map[string]any{"client": "0123456789abcdef", "seq": seq, "kind": kind}
			if body != "" {
				message["body"] = json.RawMessage(body)
			}
			raw, err := json.Marshal(message)
			if err != nil {
				continue // invalid JSON is refused earlier
			}
			m, err := parse(string(raw), maxMessage)
			if err != nil {
				if !errors.Is(err, errMessage) {
					t.Fatal(err)
				}
				continue
			}
			w.painted(t, m)
			for _, one := range []Widget{w.editor, w.scribble, w.explorer, w.sweep} {
				var h *history
				switch one := one.(type) {
				case *Editor:
					h = &one.history
				case *Scribble:
					h = &one.history
				}
				var before ConstraintSet
				if h != nil {
					before = h.set.clone()
				}
				out, err := one.Event(m.Kind, m.Body)
				if h == nil {
					continue
				}
				if err != nil && !alike(before, h.set) {
					t.Fatalf("%s is refused and changes the constraints", line)
				}
				if err != nil || !out.Work || m.Kind == "undo" || m.Kind == "redo" {
					continue
				}
				after := h.set.clone()
				for _, step := range []struct {
					kind string
					want ConstraintSet
				}{{"undo", before}, {"redo", after}} {
					if _, err := one.Event(step.kind, nil); err != nil || !alike(h.set, step.want) {
						t.Fatalf("%s after %s: %v, %v instead of %v", step.kind, line, err, h.set, step.want)
					}
				}
			}
		}
		w.check(t)
	})
}

// painted sends a message to the canvas: refused messages change nothing, and undo and redo reverse
// a painting.
func (w *widgets) painted(t *testing.T, m message) {
	t.Helper()
	p := w.painter
	before, steps := p.painting, len(p.undo)
	if _, err := p.Event(m.Kind, m.Body); err != nil {
		if !reflect.DeepEqual(before, p.painting) {
			t.Fatalf("%s %s is refused and changes the painting", m.Kind, m.Body)
		}
		return
	}
	if len(p.undo) != steps+1 || m.Kind == "redo" {
		return // a choice, or a part of the last stroke
	}
	after := p.Spots
	for _, step := range []struct {
		kind string
		want []spot
	}{{"undo", before.Spots}, {"redo", after}} {
		if _, err := p.Event(step.kind, nil); err != nil || !slices.Equal(p.Spots, step.want) {
			t.Fatalf("%s after %s %s: %v, %v instead of %v", step.kind, m.Kind, m.Body, err, p.Spots, step.want)
		}
	}
}

// FuzzStore reads arbitrary bytes as stored constraints: the result is an error, or constraints for
// data of that size, which are unchanged after writing and reading.
func FuzzStore(f *testing.F) {
	for _, seed := range []string{"", "[]", `{"format":1,"samples":3}`, `{"format":1,"samples":5,"must":[[0,1],[1,0]],"cannot":[[2,3]],"labels":{"4":2,"0":-1},"classes":["a",""]}`,
		`{"format":1,"samples":3,"must":[[0,1]],"cannot":[[1,0]]}`, `{"format":1,"samples":3,"must":[[2]]}`, `{"format":1,"samples":3,"must":[[0,1,2]]}`, `{"format":1,"samples":-1}`,
		`{"format":1,"samples":12,"labels":{"01":1,"1":0}}`, `{"format":1,"samples":2000000000,"must":[[0,1999999999]]}`, `{"format":1,"samples":4,"labels":{"3":9000000000000000000}}`,
		`{"format":1,"samples":4,"labels":{"3":2147483647,"0":2147483648}}`, `{"format":1,"samples":4,"labels":{"3":2147483647}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ParseConstraints(raw, "x")
		if err != nil {
			return
		}
		written, err := c.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseConstraints(written, "x")
		if err != nil || !alike(again, c) || again.n != c.n || again.data != c.data || again.fingerprint != c.fingerprint || again.revision != c.revision {
			t.Fatalf("%v is read again as %v, %v", c, again, err)
		}
		if c.n < 1 || c.n > 2000 {
			return
		}
		c.fingerprint = "" // not compared
		d := c.Apply(data.New(mat.NewDense(c.n, 1, nil), nil))
		if d.Err() != nil {
			t.Fatalf("%v: %v", c, d.Err())
		}
		if err := d.Validate(); err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		for i, l := range c.Labels {
			if l != data.Unlabelled && d.Labels[i] != l {
				t.Fatalf("sample %d has the label %d instead of %d", i, d.Labels[i], l)
			}
		}
	})
}

// Pairs and labels for samples outside the data are an error that names them, whether set by hand
// or read from a file with the number of samples.
func TestApplyOutOfRange(t *testing.T) {
	shelf := shelf{}
	d := datasets.Iris()
	for want, c := range map[string]ConstraintSet{
		"(3, 150)":                  {Pairs: data.Pairs{Must: []data.Pair{{I: 3, J: 150}}}},
		"(-1, 2)":                   {Pairs: data.Pairs{Must: []data.Pair{{I: -1, J: 2}}}},
		"(5, 9000000000)":           {Pairs: data.Pairs{Cannot: []data.Pair{{I: 5, J: 9_000_000_000}}}},
		"row 7 with itself":         {Pairs: data.Pairs{Must: []data.Pair{{I: 7, J: 7}}}},
		"rows 2 and 1":              {Pairs: data.Pairs{Must: []data.Pair{{I: 1, J: 2}}, Cannot: []data.Pair{{I: 2, J: 1}}}},
		"sample 150":                {Labels: map[int]int{150: 1}},
		"sample -1":                 {Labels: map[int]int{-1: 1}},
		"sample 4 has the label -7": {Labels: map[int]int{4: -7}},
	} {
		if err := c.Apply(d).Err(); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), want) || len(c.Labels) == 0 && !errors.Is(err, data.ErrPairs) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, print := range []string{"", Fingerprint(d)} {
		text := fmt.Sprintf(`{"format":1,"samples":500,"fingerprint":%q,"must":[[3,400]]}`, print)
		shelf.of("x").content = []byte(text)
		if err := shelf.constraints("x").Apply(d).Err(); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "(3, 400)") {
			t.Errorf("500 samples, fingerprint %q: %v", print, err)
		}
		if _, err := editorOf(shelf, ssdrnb.SSDR(), d).Name("x").open(context.Background()); !errors.Is(err, ErrStore) {
			t.Errorf("an editor opens constraints of 500 samples on 150: %v", err)
		}
	}
	names, labels := make([]string, 1000), map[int]int{}
	for i := range 150 {
		names[i], labels[i] = fmt.Sprint("x", i), i
	}
	all, err := json.Marshal(map[string]any{"classes": names, "labels": labels})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"format":1,"samples":150,"fingerprint":%q,%s`, Fingerprint(d), all[1:])
	shelf.of("x").content = []byte(text)
	if _, err := editorOf(shelf, ssdrnb.SSDR(), d).Name("x").open(context.Background()); err == nil {
		t.Error("an editor opens with 1,000 classes of its store")
	}
}

// watched is a widget that records the contexts of its work.
type watched struct {
	fake
	contexts chan context.Context
}

func (w *watched) Work() func(ctx context.Context) func() {
	return func(ctx context.Context) func() {
		w.contexts <- ctx
		return func() {}
	}
}

// The context of finished work is cancelled; otherwise the session's context would keep a child for
// each refit.
func TestContextsEnd(t *testing.T) {
	w := &watched{contexts: make(chan context.Context, 9)}
	s := NewSession(newWire(), w, time.Minute)
	done := make(chan struct{})
	go func() {
		s.Serve(context.Background())
		close(done)
	}()
	send := func(seq int, kind string) {
		s.link.(*wire).in <- fmt.Sprintf(`{"client":"0123456789abcdef","seq":%d,"kind":%q,"body":1}`, seq, kind)
	}
	send(0, "hello")
	for k := range 5 {
		send(k+1, "set")
		<-(<-w.contexts).Done() // before the next work and before the session ends
	}
	send(6, "stop")
	<-done
}

// Names of 1 MB are not sent to a page.
func TestLongNames(t *testing.T) {
	shelf := shelf{}
	long := strings.Repeat("ψ", 1<<19)
	d := *datasets.Iris().KeepLabels(5)
	d.Name, d.ClassNames = long, []string{long, long, long}
	scene := datasets.Scene(20, 16, 0.02, 1, 1)
	pixels := *scene.Pixels
	pixels.Name, pixels.ClassNames = long, nil
	ctx := context.Background()
	e, err := editorOf(shelf, ssdrnb.SSDR(), &d).open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer e.store.Close()
	s, err := scribbleOf(shelf, ssdrnb.LDA(), &pixels, scene.Image()).Classes(long, long+"2", "c", "d", "e").open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.store.Close()
	x, err := explorerOf(shelf, ssdrnb.SDA(), &d).open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	v, err := sweepOf(shelf, ssdrnb.Sweep(ssdrnb.SDA(), &d).List("neighbors", 3, 5).MustRun(), &d).open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []Widget{e, s, x, v} {
		raw, err := json.Marshal([]any{w.Setup(), w.State()})
		if err != nil || len(raw) > 100_000 {
			t.Errorf("%T: %d bytes, %v", w, len(raw), err)
		}
	}
}

// Embeddings with very large and very small numbers are shown like any other.
func TestPositionsOfAllSizes(t *testing.T) {
	y := mat.NewDense(5, 2, []float64{1, 2, -3, 1, 0.5, -2, 4, 4, 0, 1})
	want := positions(y, nil, nil)
	for _, scale := range []float64{1e-300, 1e-160, 1e160, 1e300} {
		var scaled mat.Dense
		scaled.Scale(scale, y)
		for i, v := range positions(&scaled, nil, nil) {
			if !(math.Abs(v-want[i]) < 1e-9) {
				t.Errorf("times %g: place %d is %v, want %v", scale, i, v, want[i])
			}
		}
	}
}
