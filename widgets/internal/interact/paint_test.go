package interact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

func (p *Painter) did(t *testing.T, kind, body string) {
	t.Helper()
	out, err := p.Event(kind, json.RawMessage(body))
	if err != nil {
		t.Fatalf("%s %s: %v", kind, body, err)
	}
	if out.Work {
		if apply := p.Work()(context.Background()); apply != nil {
			apply()
		}
	}
}

func moons(t *testing.T) *data.Data {
	t.Helper()
	d, err := Start("two moons", 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPaint(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	shelf := shelf{}
	rig := paintOf(shelf, moons(t), ssdrnb.LDA(), ssdrnb.KSDA(), ssdrnb.TSNE().Iterations(20))
	p, err := rig.open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Spots); n != 160 || p.failure != "" || len(p.regions) != grid*grid || len(p.Classes) != 3 {
		t.Fatalf("at first: %d spots, %q, %d regions, %v", n, p.failure, len(p.regions), p.Classes)
	}
	// The regions are the classes predicted by the model.
	at := func(x, y float64) int {
		return p.regions[int((1-y)/2*grid)*grid+int((x+1)/2*grid)]
	}
	if at(-0.6, 0.9) != 0 || at(0.6, -0.9) != 1 {
		t.Errorf("above is class %d, below %d", at(-0.6, 0.9), at(0.6, -0.9))
	}

	// A stroke in two parts is undone in one step.
	p.did(t, "paint", `{"Points":[[0.9,0.9],[0.95,0.9]],"Class":2,"Stroke":5}`)
	p.did(t, "paint", `{"Points":[[1,0.9]],"Class":2,"Stroke":5}`)
	if got := p.Spots[160:]; !slices.Equal(got, []spot{{900, 900, 2, 160}, {950, 900, 2, 161}, {1000, 900, 2, 162}}) || at(0.95, 0.9) != 2 {
		t.Errorf("painted %v, predicted there %d", got, at(0.95, 0.9))
	}
	p.did(t, "paint", `{"Points":[[0,0]],"Class":-1,"Stroke":6}`)
	if d := p.Data(); d.Len() != 164 || d.NumLabelled() != 163 || d.Truth[163] != data.Unlabelled {
		t.Errorf("with an unlabelled spot: %v", d)
	}
	p.did(t, "erase", `{"Points":[[0.93,0.7],[0.93,1.1]],"Radius":0.04,"Stroke":7}`)
	if got := p.Spots[160:]; len(got) != 2 || got[0].Number != 162 {
		t.Errorf("erased to %v", got)
	}
	p.did(t, "erase", `{"Points":[[-0.99,-0.99]],"Radius":0.01,"Stroke":8}`)
	if len(p.undo) != 3 {
		t.Errorf("%d steps to undo", len(p.undo))
	}
	full := slices.Clone(p.Spots)
	for range 3 {
		p.did(t, "undo", "null")
	}
	if len(p.Spots) != 160 || len(p.redo) != 3 {
		t.Errorf("undone: %d spots", len(p.Spots))
	}
	if _, err := p.Event("undo", nil); err == nil {
		t.Error("there is more to undo than was done")
	}
	for range 3 {
		p.did(t, "redo", "null")
	}
	if !slices.Equal(p.Spots, full) {
		t.Errorf("redone: %v", p.Spots[160:])
	}

	// A layout has regions too, as it places new samples among their neighbours.
	p.did(t, "method", "2")
	if p.failure != "" || len(p.regions) != grid*grid || p.Model().Method() != "t-SNE" {
		t.Errorf("t-SNE: %q, %q", p.status, p.failure)
	}
	p.did(t, "method", "1")
	p.did(t, "labels", "4")
	p.did(t, "set", `{"name":"neighbors","value":6}`)
	if p.failure != "" || len(p.regions) != grid*grid || p.Model().Data().NumLabelled() != 4+4+1 {
		t.Errorf("KSDA: %v, %q", p.Model().Data(), p.failure)
	}
	// If the fit fails the plot stays, with the library's error.
	revision := p.revision
	p.did(t, "set", `{"name":"neighbors","value":500}`)
	if p.revision != revision || !strings.Contains(p.failure, "neighbors") {
		t.Errorf("500 neighbours: revision %d after %d, %q", p.revision, revision, p.failure)
	}
	p.did(t, "set", `{"name":"neighbors","value":6}`)

	// The store has everything, for a later cell and for the next run of this one.
	d := Painted(shelf.of("painting").content, "painting")
	if d.Err() != nil || !mat.Equal(d.X, p.Data().X) || !slices.Equal(d.Labels, p.Data().Labels) || d.ClassName(1) != p.Classes[1] {
		t.Errorf("read back: %v", d)
	}
	again, err := rig.open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Spots, full) || again.Labels != 4 || look.Literal(again.spec(again.choice)) != "ssdrnb.KSDA().Neighbors(6)" {
		t.Errorf("opened again: %v", again.painting)
	}
	// Another menu keeps the painting.
	other, err := paintOf(shelf, moons(t), ssdrnb.PCA()).open(context.Background())
	if err != nil || !slices.Equal(other.Spots, full) || other.Model().Method() != "PCA" {
		t.Errorf("with another menu: %v, %v", other, err)
	}

	// Neither an empty canvas nor a single class is an error.
	p.did(t, "clear", "null")
	if p.failure != "" || p.Model() != nil || p.regions != nil || !errors.Is(p.Data().Err(), errBlank) {
		t.Errorf("an empty canvas: %q, %v", p.failure, p.Data().Err())
	}
	if _, err := json.Marshal([]any{p.Setup(), p.State()}); err != nil {
		t.Error(err)
	}
	p.did(t, "method", "0")
	p.did(t, "paint", `{"Points":[[0,0],[0,0.5],[0.5,0]],"Class":1}`)
	if p.failure != "" || !strings.Contains(p.status, "two classes") {
		t.Errorf("one class: %q, %q", p.status, p.failure)
	}
	p.did(t, "start", `"rings"`)
	if len(p.Spots) != 240 || p.failure != "" {
		t.Errorf("rings: %d spots, %q", len(p.Spots), p.failure)
	}
	if base, marks, regions, classes := p.Drawn(); base.Bounds().Dx() != len(marks) || len(regions) != len(marks) || len(classes) != 3 {
		t.Errorf("drawn: %v, %d, %d, %v", base.Bounds(), len(marks), len(regions), classes)
	}
}

// The number of spots on a canvas is limited, and an error reports the limit.
func TestPaintFull(t *testing.T) {
	p, err := paintOf(shelf{}, moons(t), ssdrnb.PCA()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	many, err := json.Marshal(map[string]any{"Points": make([][2]float64, maxSpots-160), "Class": 0})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Event("paint", many); err != nil || len(p.Spots) != maxSpots {
		t.Fatalf("%d spots, %v", len(p.Spots), err)
	}
	if _, err := p.Event("paint", json.RawMessage(`{"Points":[[0,0],[0,0]],"Class":0}`)); err == nil || !strings.Contains(err.Error(), "erase 2 first") {
		t.Errorf("one more than the canvas holds: %v", err)
	}
}

// In the lifted data the plane is unchanged up to the noise. Noise and kept labels of a spot do not
// change when another spot is painted or erased; another seed changes both.
func TestLift(t *testing.T) {
	spots, err := spotsOf(moons(t))
	if err != nil {
		t.Fatal(err)
	}
	p := painting{Format: storeFormat, Classes: []string{"a", "b"}, Spots: spots, Next: len(spots), Lift: Lift{2, 0, 1}}
	flat := p.data("x").X
	for i, s := range spots {
		if flat.At(i, 0) != float64(s.X)/1000 || flat.At(i, 1) != float64(s.Y)/1000 {
			t.Fatalf("spot %v lies at %v", s, flat.RawRowView(i))
		}
	}
	p.Lift = Lift{12, 0, 7}
	high := p.data("x").X
	for _, pair := range [][2]int{{0, 1}, {3, 100}, {80, 159}} {
		if a, b := square(flat, pair[0], pair[1]), square(high, pair[0], pair[1]); math.Abs(a-b) > 1e-12 {
			t.Errorf("the lift changes a distance from %v to %v", a, b)
		}
	}
	p.Lift.Noise, p.Labels = 0.1, 5
	noisy := p.data("x")
	sum := 0.0
	for i := range spots {
		for k := range 12 {
			sum += math.Pow(noisy.X.At(i, k)-high.At(i, k), 2)
		}
	}
	if deviation := math.Sqrt(sum / float64(12*len(spots))); math.Abs(deviation-0.1) > 0.01 {
		t.Errorf("the noise has a standard deviation of %v", deviation)
	}
	if noisy.NumLabelled() != 10 {
		t.Errorf("%d labels, want 5 of each class", noisy.NumLabelled())
	}
	less := p
	less.Spots = slices.Delete(slices.Clone(spots), 20, 21)
	if noisy.Labels[20] != data.Unlabelled {
		t.Fatal("choose a spot without a label")
	}
	d := less.data("x")
	for i := range less.Spots {
		j := i
		if i >= 20 {
			j++
		}
		if !slices.Equal(d.X.RawRowView(i), noisy.X.RawRowView(j)) || d.Labels[i] != noisy.Labels[j] {
			t.Fatalf("sample %d changes when another is erased", j)
		}
	}
	p.Lift.Seed++
	if d := p.data("x"); mat.Equal(d.X, noisy.X) || slices.Equal(d.Labels, noisy.Labels) || d.NumLabelled() != 10 {
		t.Error("another seed draws the same")
	}
}

// Erasing a spot does not rotate the plot: the others stay where they are.
func TestPaintKeepsPlaces(t *testing.T) {
	p, err := paintOf(shelf{}, moons(t), ssdrnb.PCA()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before, numbers := slices.Clone(p.positions), slices.Clone(p.numbers)
	p.did(t, "erase", fmt.Sprintf(`{"Points":[[%g,%g]],"Radius":0.03}`, float64(p.Spots[10].X)/1000, float64(p.Spots[10].Y)/1000))
	if len(p.numbers) >= len(numbers) {
		t.Fatal("nothing is erased")
	}
	for i, number := range p.numbers {
		j := slices.Index(numbers, number)
		if off := math.Hypot(p.positions[2*i]-before[2*j], p.positions[2*i+1]-before[2*j+1]); off > 0.2 {
			t.Fatalf("spot %d moves by %v", number, off)
		}
	}
}

// An import is a painting with at most these classes, and can be undone; a damaged one is refused.
func TestPaintImport(t *testing.T) {
	shelf := shelf{}
	p, err := paintOf(shelf, moons(t), ssdrnb.PCA()).Classes("a", "b").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p.did(t, "paint", `{"Points":[[0,0]],"Class":1}`)
	text := string(shelf.of("painting").content)
	p.did(t, "clear", "null")
	p.did(t, "import", strconv.Quote(text))
	if len(p.Spots) != 161 || p.Revision != 3 {
		t.Errorf("imported: %d spots, revision %d", len(p.Spots), p.Revision)
	}
	p.did(t, "undo", "null")
	if len(p.Spots) != 0 {
		t.Errorf("undone: %d spots", len(p.Spots))
	}
	change := func(from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("%s is not in %.200s", from, text)
		}
		return strings.Replace(text, from, to, 1)
	}
	for _, bad := range []string{"", "{}", "[]", change(`"format":1`, `"format":2`), change(`[0,0,1,160]`, `[0,0,2,160]`), change(`[0,0,1,160]`, `[0,1001,1,160]`), change(`[0,0,1,160]`, `[0,0,1,159]`),
		change(`[0,0,1,160]`, `[0,0,1,161]`), change(`[0,0,1,160]`, `[0,0,1]`), change(`"dims":2`, `"dims":1e9`), change(`"noise":0`, `"noise":-1`), change(`"labels":0`, `"labels":-1`),
		change(`"next":161`, `"next":9223372036854775807`), change(`["a","b"]`, `[]`)} {
		if _, err := p.Event("import", json.RawMessage(strconv.Quote(bad))); !errors.Is(err, ErrStore) {
			t.Errorf("%.60s is imported: %v", bad, err)
		}
		shelf.of("painting").content = []byte(bad)
		if _, err := paintOf(shelf, moons(t), ssdrnb.PCA()).open(context.Background()); !errors.Is(err, ErrStore) {
			t.Errorf("%.60s is opened: %v", bad, err)
		}
		if d := Painted([]byte(bad), "x"); !errors.Is(d.Err(), ErrStore) {
			t.Errorf("%.60s is read: %v", bad, d)
		}
	}
	if _, err := p.Event("import", json.RawMessage(strconv.Quote(change(`["a","b"]`, `["a","c"]`)))); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "Classes") {
		t.Errorf("a painted class that the canvas lacks: %v", err)
	}
}

// Undo and Redo of an import restore the lift, the labels and the method as well as the spots. Undo
// of a stroke keeps later choices.
func TestPaintUndoesImports(t *testing.T) {
	shelf := shelf{}
	p, err := paintOf(shelf, moons(t), ssdrnb.PCA(), ssdrnb.LDA()).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.did(t, "lift", `{"dims":7,"noise":0.5,"seed":3}`)
	p.did(t, "labels", "2")
	p.did(t, "method", "1")
	p.did(t, "paint", `{"Points":[[0,0]],"Class":1}`)
	file := strconv.Quote(string(shelf.of("painting").content))
	other, err := paintOf(shelf, moons(t), ssdrnb.PCA(), ssdrnb.LDA()).Name("other").open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other.did(t, "clear", "null")
	other.did(t, "lift", `{"dims":3,"noise":0,"seed":1}`)
	same := func(got, want painting) bool {
		got.Revision, got.Next = want.Revision, want.Next
		return reflect.DeepEqual(got, want)
	}
	before := other.painting
	other.did(t, "import", file)
	if imported := other.painting; !same(imported, p.painting) {
		t.Errorf("imported: %v", imported)
	}
	for range 2 {
		other.did(t, "undo", "null")
		if !same(other.painting, before) {
			t.Errorf("undone: %v, want %v", other.painting, before)
		}
		other.did(t, "redo", "null")
		if !same(other.painting, p.painting) {
			t.Errorf("redone: %v, want %v", other.painting, p.painting)
		}
	}
	p.did(t, "labels", "5")
	p.did(t, "undo", "null")
	if len(p.Spots) != 160 || p.Labels != 5 || p.Lift.Dims != 7 {
		t.Errorf("after undoing a stroke: %d spots, %d labels, lift %v", len(p.Spots), p.Labels, p.Lift)
	}
}

// Whatever is stored can be read again, even if its numbers began at their bounds.
func TestStoredNumbersHaveBounds(t *testing.T) {
	for _, task := range classTasks(t) {
		s := &memory{}
		mark(t, task.opened(t, s, "a", "b", "c"), 0, 1)
		for _, number := range []string{"1099511627775", "1099511627776", "1125899906842623", "1125899906842624", "9223372036854775807"} {
			for _, field := range []string{"revision", "next"} {
				if field == "next" && task.Kind != KindPaint {
					continue
				}
				changed := regexp.MustCompile(`"`+field+`":\d+`).ReplaceAll(s.content, []byte(`"`+field+`":`+number))
				task.Name, task.Classes = "x", []string{"a", "b", "c"}
				m := &memory{changed}
				if w, err := task.Open(t.Context(), m, m.content); err == nil {
					_ = marking(w, 1, 2) // may be refused
				}
				fresh := &memory{}
				w := task.opened(t, fresh, "a", "b", "c")
				if _, err := w.Event("import", json.RawMessage(strconv.Quote(string(changed)))); err == nil {
					_ = marking(w, 1, 2)
				}
				for _, m := range []*memory{m, fresh} {
					if bytes.Equal(m.content, changed) || m.content == nil {
						continue
					}
					_, err := ParseConstraints(m.content, "x")
					if task.Kind == KindPaint {
						_, err = parsePainting(m.content)
					}
					if err != nil {
						t.Errorf("%s, %s %s: what is stored cannot be read: %v", task.Kind, field, number, err)
					}
				}
			}
		}
	}
}

// An unsuitable start of a canvas is an error that names suitable ones.
func TestPaintStarts(t *testing.T) {
	for want, rig := range map[string]rig[*Painter]{
		"features":   paintOf(shelf{}, datasets.Iris(), ssdrnb.PCA()),
		"Data.Take":  paintOf(shelf{}, data.New(mat.NewDense(maxSpots+1, 2, nil), nil), ssdrnb.PCA()),
		"Classes":    paintOf(shelf{}, moons(t), ssdrnb.PCA()).Classes("one"),
		"give 1 to":  paintOf(shelf{}, moons(t)),
		"1 to 20":    paintOf(shelf{}, moons(t), ssdrnb.PCA()).Classes(make([]string, 21)...),
		"dims":       paintOf(shelf{}, moons(t), ssdrnb.PCA().Dims(-2)),
		"empty data": paintOf(shelf{}, data.New(nil, nil), ssdrnb.PCA()),
	} {
		if _, err := rig.open(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	// Numbers of any size fit on the canvas.
	for _, scale := range []float64{0, 1e-300, 1, 1e300} {
		d := data.New(mat.NewDense(3, 2, []float64{scale, -scale, 0, 0.5 * scale, -scale, scale}), nil)
		spots, err := spotsOf(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spots {
			if max(s.X, s.Y, -s.X, -s.Y) > half || scale > 0 && s.X == 0 && s.Y == 0 {
				t.Errorf("scale %g: %v", scale, spots)
			}
		}
	}
}

// The eraser, Clear and Start report how many spots they remove, counting the parts of one stroke
// together. Undo restores them.
func TestPaintTellsWhatItRemoves(t *testing.T) {
	p, err := paintOf(shelf{}, moons(t), ssdrnb.LDA()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	reply := func(kind, body string) any {
		t.Helper()
		out, err := p.Event(kind, json.RawMessage(body))
		if err != nil {
			t.Fatal(err)
		}
		return out.Reply
	}
	if got := reply("paint", `{"Points":[[0.9,0.9],[0.95,0.9]],"Class":2,"Stroke":1}`); got != nil {
		t.Errorf("the brush: %v", got)
	}
	reply("paint", `{"Points":[[1,0.9]],"Class":-1,"Stroke":2}`)
	for _, part := range []struct{ body, want string }{
		{`{"Points":[[0.9,0.9]],"Radius":0.01,"Stroke":3}`, "1 removed, 1 of them with a class"},
		{`{"Points":[[0.9,0.9],[0.95,0.9]],"Radius":0.01,"Stroke":3}`, "2 removed, 2 of them with a class"},
		{`{"Points":[[0.95,0.9],[1,0.9]],"Radius":0.01,"Stroke":3}`, "3 removed, 2 of them with a class"},
	} {
		if got := reply("erase", part.body); got != "Spots: "+part.want+undoHint {
			t.Errorf("the eraser: %v, want %s", got, part.want)
		}
	}
	if got := reply("clear", "null"); got != "Spots: 160 removed, 160 of them with a class"+undoHint {
		t.Errorf("Clear: %v", got)
	}
	reply("undo", "null")
	if len(p.Spots) != 160 {
		t.Errorf("%d spots after Undo", len(p.Spots))
	}
	if got := reply("start", `"rings"`); got != "Spots: 160 removed, 160 of them with a class"+undoHint {
		t.Errorf("Start: %v", got)
	}
}
