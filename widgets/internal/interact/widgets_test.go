package interact

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// Rotating, reflecting, shifting and scaling an embedding must not move the plot.
func TestPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	y := mat.NewDense(40, 2, nil)
	for i := range 40 {
		y.Set(i, 0, rng.NormFloat64())
		y.Set(i, 1, 3*rng.NormFloat64())
	}
	last := positions(y, nil, nil)
	square := 0.0
	for _, v := range last {
		square += v * v / 40
	}
	if math.Abs(square-1) > 1e-12 {
		t.Errorf("mean square %v, want 1", square)
	}
	for _, mirror := range []float64{1, -1} {
		for _, angle := range []float64{0, 0.3, 2, math.Pi, 5} {
			c, s := math.Cos(angle), math.Sin(angle)
			turned := mat.NewDense(40, 2, nil)
			for i := range 40 {
				a, b := y.At(i, 0), mirror*y.At(i, 1)
				turned.SetRow(i, []float64{7*(c*a-s*b) + 5, 7*(s*a+c*b) - 2})
			}
			for i, v := range positions(turned, last, nil) {
				if math.Abs(v-last[i]) > 1e-12 {
					t.Fatalf("mirror %v, angle %v: place %d is %v, was %v", mirror, angle, i, v, last[i])
				}
			}
		}
	}
	line := mat.NewDense(5, 1, []float64{1, 2, 3, 4, 6})
	flipped := mat.NewDense(5, 1, []float64{-1, -2, -3, -4, -6})
	spread := func(i int) float64 { return float64(i % 2) }
	if a, b := positions(line, nil, spread), positions(flipped, positions(line, nil, spread), spread); !reflect.DeepEqual(a, b) {
		t.Errorf("one dimension changes its sign: %v, %v", a, b)
	}
	still := mat.NewDense(3, 2, nil)
	for _, v := range positions(still, positions(still, nil, nil), nil) {
		if v != 0 {
			t.Errorf("equal samples lie at %v", v)
		}
	}
}

// A page gets the positions as 16-bit numbers, accurate to half a step of the largest.
func TestPack(t *testing.T) {
	p := []float64{0, -3.25, 60, 1e-3, -60, 17.123456}
	packed := pack(p)
	raw, err := base64.StdEncoding.DecodeString(packed["steps"].(string))
	if err != nil || len(raw) != 2*len(p) {
		t.Fatalf("%d bytes, %v", len(raw), err)
	}
	for i, want := range p {
		got := packed["unit"].(float64) * float64(int16(binary.LittleEndian.Uint16(raw[2*i:])))
		if math.Abs(got-want) > 60.0/math.MaxInt16/2*(1+1e-12) {
			t.Errorf("place %d is %v, want %v", i, got, want)
		}
	}
	if still := pack(make([]float64, 4)); still["unit"] != 0.0 || still["steps"] != "AAAAAAAAAAA=" {
		t.Errorf("equal samples: %v", still)
	}
}

func TestParse(t *testing.T) {
	good := `{"client":"0123456789abcdef","seq":3,"kind":"set","body":{"name":"x"}}`
	if m, err := parse(good, maxMessage); err != nil || m.Seq != 3 || m.Kind != "set" {
		t.Errorf("%+v, %v", m, err)
	}
	for _, bad := range []any{nil, 3, []any{"x"}, map[string]any{"client": 1}, "", "null x", good + good, "[" + good + "]",
		`{"client":"0123456789abcdef","seq":3,"kind":"set","more":1}`, `{"client":"","seq":3}`, `{"client":"<img src=x>","seq":3}`,
		`{"client":"0123456789abcdef","seq":-1}`, `{"client":"0123456789abcdef","seq":1e99}`, strings.Repeat("[", 100000),
		`{"client":"0123456789abcdef","body":"` + strings.Repeat("x", maxMessage) + `"}`} {
		if _, err := parse(bad, maxMessage); !errors.Is(err, errMessage) {
			t.Errorf("%.60v: %v", bad, err)
		}
	}
}

func do(t *testing.T, e *Editor, kind string, body any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Event(kind, raw); err != nil {
		t.Fatalf("%s %s: %v", kind, raw, err)
	}
	if apply := e.Work()(context.Background()); apply != nil {
		apply()
	}
}

// The line below a picture explains the vertical direction unless it is the second dimension.
func TestSummaryOfDimensions(t *testing.T) {
	d := datasets.Iris().KeepLabels(3).Seed(1)
	for dims, want := range map[int]string{1: "drawn from left to right, with the samples of each class spread", 2: "", 3: "the first two of 3 dimensions are drawn"} {
		got := summary(ssdrnb.PCA().Dims(dims).MustFit(d), 0)
		for _, text := range []string{"from left to right", "are drawn"} {
			if strings.Contains(got, text) != strings.Contains(want, text) {
				t.Errorf("%d dimensions: %q", dims, got)
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%d dimensions: %q, want %q", dims, got, want)
		}
	}
}

type pairBody struct {
	I, J   int
	Cannot bool
}

func TestEditor(t *testing.T) {
	shelf := shelf{}
	d := datasets.Iris().HideLabels()
	e, err := editorOf(shelf, ssdrnb.SSDR(), d).Name("x").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if e.model.Method() != "PCA" || e.failure != "" || !strings.HasPrefix(e.status, "Link two samples to begin") {
		t.Errorf("without constraints: %s, %q, %q", e.model.Method(), e.status, e.failure)
	}
	relative := func(i, j int) float64 {
		y := e.model.Embedding()
		n, _ := y.Dims()
		sum := 0.0
		for k := 1; k < n; k++ {
			sum += square(y, 0, k)
		}
		return math.Sqrt(square(y, i, j) / sum)
	}
	// A must-link pair moves closer together, a cannot-link pair apart.
	before := relative(50, 118)
	do(t, e, "pair", pairBody{50, 118, false})
	if e.model.Method() != "SSDR" || e.failure != "" || strings.Contains(e.status, "begin") {
		t.Errorf("with a pair: %s, %q", e.model.Method(), e.failure)
	}
	if after := relative(50, 118); after > 0.5*before {
		t.Errorf("the must-link pair's distance went from %v to %v", before, after)
	}
	do(t, e, "pair", pairBody{118, 50, true}) // reversed, and of the other kind
	if len(e.set.Pairs.Must) != 0 || len(e.set.Pairs.Cannot) != 1 {
		t.Errorf("a pair that changes its kind: %v", e.set.Pairs)
	}
	do(t, e, "pair", pairBody{50, 118, true})
	if e.set.Pairs.Len() != 0 {
		t.Errorf("a pair that is linked twice stays: %v", e.set.Pairs)
	}
	do(t, e, "label", map[string]any{"Rows": []int{1, 2, 3}, "Class": 0})
	do(t, e, "label", map[string]any{"Rows": []int{100, 101}, "Class": 2})
	do(t, e, "label", map[string]any{"Rows": []int{3}, "Class": -1})
	if want := map[int]int{1: 0, 2: 0, 100: 2, 101: 2}; !reflect.DeepEqual(e.set.Labels, want) {
		t.Errorf("labels %v, want %v", e.set.Labels, want)
	}
	full := e.set.clone()
	for range 6 {
		do(t, e, "undo", nil)
	}
	if e.set.Pairs.Len() != 0 || len(e.set.Labels) != 0 {
		t.Errorf("after undoing all: %v", e.set)
	}
	if _, err := e.Event("undo", nil); err == nil {
		t.Error("there is more to undo than was done")
	}
	for range 6 {
		do(t, e, "redo", nil)
	}
	if !reflect.DeepEqual(e.set.Labels, full.Labels) || !reflect.DeepEqual(e.set.Pairs, full.Pairs) {
		t.Errorf("after redoing all: %v, want %v", e.set, full)
	}

	// The disk has everything, for a later cell and for the next run of this one.
	c := shelf.constraints("x")
	if c.Err() != nil || !reflect.DeepEqual(c.Labels, full.Labels) {
		t.Fatalf("read back: %v", c)
	}
	if got := c.Apply(d); got.Err() != nil || got.Labels[100] != 2 || got.Labels[3] != data.Unlabelled || got.NumLabelled() != 4 {
		t.Errorf("applied: %v", got)
	}
	again, err := editorOf(shelf, ssdrnb.SSDR(), d).Name("x").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.set.Labels, full.Labels) {
		t.Errorf("second run: %v", again.set)
	}
	if _, err := editorOf(shelf, ssdrnb.SSDR(), datasets.Wine()).Name("x").open(context.Background()); !errors.Is(err, ErrStore) {
		t.Errorf("constraints of other data are taken: %v", err)
	}
	if got := c.Apply(datasets.Wine()); !errors.Is(got.Err(), ErrStore) {
		t.Errorf("constraints of other data are applied: %v", got)
	}
}

func TestSpread(t *testing.T) {
	labels := []int{0, -1, -1, 1, -1, -1, 0}
	spread(labels, []data.Pair{{I: 0, J: 1}, {I: 1, J: 2}, {I: 3, J: 4}, {I: 4, J: 6}})
	if want := []int{0, 0, 0, 1, -1, -1, 0}; !reflect.DeepEqual(labels, want) {
		t.Errorf("%v, want %v: labels run along must-links, but not where two meet", labels, want)
	}
}

func TestExports(t *testing.T) {
	c := ConstraintSet{name: "x", Pairs: data.Pairs{Must: []data.Pair{{I: 1, J: 2}}, Cannot: []data.Pair{{I: 3, J: 4}, {I: 5, J: 6}}}, Labels: map[int]int{9: 1, 7: 0}}
	if want := "kind,i,j\nmust,1,2\ncannot,3,4\ncannot,5,6\nlabel,7,0\nlabel,9,1\n"; c.CSV() != want {
		t.Errorf("CSV:\n%s", c.CSV())
	}
	for _, part := range []string{"Must: []ssdrnb.Pair{{I: 1, J: 2}}", "{I: 3, J: 4}, {I: 5, J: 6}", "map[int]int{7: 0, 9: 1}"} {
		if !strings.Contains(c.Literal(), part) {
			t.Errorf("the literal lacks %s:\n%s", part, c.Literal())
		}
	}
	raw, err := c.NPZ()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.npz")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][]float64{"must": {1, 2}, "cannot": {3, 4, 5, 6}, "labels": {7, 0, 9, 1}} {
		got, err := datasets.ReadNPZ(path, datasets.NPZ{X: key})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.X.RawMatrix().Data, want) {
			t.Errorf("%s = %v, want %v", key, got.X.RawMatrix().Data, want)
		}
	}
	spec := ssdrnb.TRSDA().Neighbors(5).Manifold(0.25).Ridge(ssdrnb.Auto).Affinity(ssdrnb.Binary).Spec()
	if got, want := look.Literal(spec), `ssdrnb.TRSDA().Neighbors(5).Affinity("binary").Manifold(0.25)`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestViolations(t *testing.T) {
	y := mat.NewDense(50, 1, nil)
	for i := range 50 {
		y.Set(i, 0, float64(i))
	}
	got := violations(y, data.Pairs{Must: []data.Pair{{I: 0, J: 1}, {I: 0, J: 49}}, Cannot: []data.Pair{{I: 3, J: 4}, {I: 2, J: 40}}})
	if len(got) != 2 || got[0].J != 49 || got[1].J != 4 || !got[1].Cannot {
		t.Errorf("%+v", got)
	}
}

// Suggestions do not depend on the plot, and there are none if all samples are labelled.
func TestEditorSuggests(t *testing.T) {
	d := datasets.Iris().KeepLabels(3).Seed(1)
	want, err := ssdrnb.Suggest(t.Context(), d, 5)
	if err != nil {
		t.Fatal(err)
	}
	e := &Editor{graph: ssdrnb.NewSeries(d)}
	if got := e.suggestions(t.Context(), d); !slices.Equal(got, want) {
		t.Errorf("suggestions %v, want %v", got, want)
	}
	if got := e.suggestions(t.Context(), ssdrnb.NewData(d.X, nil)); len(got) != 5 {
		t.Errorf("suggestions %v without labels", got)
	}
	if got := e.suggestions(t.Context(), datasets.Iris()); got == nil || len(got) != 0 {
		t.Errorf("suggestions %v where all are labelled", got)
	}
}

// The ends of a range must be values of the option, so that each position of the slider is one.
func TestRanges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for option, ranges := range map[string]map[Span]bool{
		"neighbors": {{3, 30}: true, {0, inf}: false, {-inf, 3}: false, {nan, 3}: false, {3, nan}: false, {2.5, 9}: false, {3, 9.5}: false, {3, 3}: false, {9, 3}: false, {0, 9}: false},
		"ridge":     {{1e-3, 10}: true, {0, 1}: true, {-5, -1}: false, {-1, 1}: false, {1, inf}: false, {1, nan}: false},
		"affinity":  {{0, 1}: false},
	} {
		for r, good := range ranges {
			x := explorerOf(shelf{}, ssdrnb.SDA(), datasets.Iris().KeepLabels(5))
			x.task.Ranges = map[string]Span{option: r}
			w, err := x.open(t.Context())
			if (err == nil) != good || err != nil && (!strings.Contains(err.Error(), "SDA") || !strings.Contains(err.Error(), option) || !strings.Contains(err.Error(), "; ")) {
				t.Errorf("%s from %v to %v: %v", option, r.Min, r.Max, err)
			}
			if err != nil {
				continue
			}
			for _, c := range w.controls {
				if c.Kind != "choice" && c.Kind != "switch" && !(c.Min < c.Max) {
					t.Errorf("%s from %v to %v: the slider runs from %v to %v", option, r.Min, r.Max, c.Min, c.Max)
				}
			}
			if _, err := json.Marshal([]any{x.task, w.Setup()}); err != nil {
				t.Errorf("%s from %v to %v: %v", option, r.Min, r.Max, err)
			}
		}
	}
}

// Every option of every method has a control whose limits are allowed values.
func TestControls(t *testing.T) {
	d := datasets.Iris()
	for _, m := range ssdrnb.Methods() {
		for _, c := range controls(ssdrnb.New(m.Name), d, nil, nil) {
			p, _ := m.Param(c.Name)
			values := []any{}
			switch c.Kind {
			case "choice":
				for _, v := range c.Choices {
					values = append(values, v)
				}
			case "switch":
				values = append(values, true, false)
			default:
				if !(c.Min < c.Max) || math.IsInf(c.Max, 0) {
					t.Errorf("%s: %s runs from %v to %v", m.Name, c.Name, c.Min, c.Max)
				}
				values = append(values, c.Min, c.Max)
				if c.Zero {
					values = append(values, 0.0)
				}
				if c.Auto != "" {
					values = append(values, float64(ssdrnb.Auto))
				}
				if def, ok := p.Default.(float64); ok && def >= 0 && (def < c.Min && !(c.Zero && def == 0) || def > c.Max) {
					t.Errorf("%s: the default %v of %s is outside of the slider, %v to %v", m.Name, def, c.Name, c.Min, c.Max)
				}
			}
			for _, v := range values {
				if err := ssdrnb.New(m.Name).With(c.Name, v).Err(); err != nil {
					t.Errorf("%s: the control of %s gives %v: %v", m.Name, c.Name, v, err)
				}
			}
		}
	}
}

// The session coalesces bursts, ignores repeated messages, and refused messages change nothing.
type fake struct {
	value, computed int
	fits            int
	mu              sync.Mutex
}

func (f *fake) Setup() any { return nil }
func (f *fake) State() any { return map[string]any{"computed": f.computed} }
func (f *fake) Event(kind string, body json.RawMessage) (Outcome, error) {
	var v int
	if err := decode(body, &v); err != nil {
		return Outcome{}, err
	}
	if kind == "add" {
		f.value += v
	} else {
		f.value = v
	}
	return Outcome{Work: true}, nil
}
func (f *fake) Work() func(ctx context.Context) func() {
	v := f.value
	return func(ctx context.Context) func() {
		time.Sleep(20 * time.Millisecond)
		f.mu.Lock()
		f.fits++
		f.mu.Unlock()
		return func() { f.computed = v }
	}
}

func TestSession(t *testing.T) {
	f := &fake{}
	s := NewSession(newWire(), f, time.Minute)
	var reason string
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		reason = s.Serve(ctx)
		close(done)
	}()
	const client = `"client":"00112233445566ff"`
	send := func(format string, args ...any) {
		s.link.(*wire).in <- fmt.Sprintf(format, args...)
	}
	send(`{%s,"seq":5,"kind":"set","body":1}`, client) // before hello: unknown client
	send(`{%s,"seq":0,"kind":"hello","body":null}`, client)
	for k := 1; k <= 50; k++ {
		send(`{%s,"seq":%d,"kind":"set","body":%d}`, client, k, k)
	}
	send(`{%s,"seq":51,"kind":"add","body":1000}`, client)
	send(`{%s,"seq":51,"kind":"add","body":1000}`, client) // repeated
	send(`{%s,"seq":40,"kind":"set","body":7}`, client)    // out of order
	send(`{%s,"seq":52,"kind":"set","body":"x"}`, client)
	s.link.(*wire).in <- 12
	time.Sleep(300 * time.Millisecond)
	send(`{%s,"seq":53,"kind":"stop","body":null}`, client)
	<-done
	if reason != "Stop was pressed" || f.computed != 1050 {
		t.Errorf("%s, computed %d, want 1050", reason, f.computed)
	}
	if f.fits > 10 {
		t.Errorf("%d fits for a burst of 50", f.fits)
	}
}

// listener records what a session says.
type listener struct {
	*wire
	said []map[string]any
}

func (l *listener) Say(v any) { l.said = append(l.said, v.(map[string]any)) }

// Each refused message of a client is acknowledged, so that the page sends its next message.
func TestRefusedMessagesAreAcknowledged(t *testing.T) {
	f, l := &fake{}, &listener{wire: newWire()}
	s := NewSession(l, f, time.Minute)
	const head = `{"client":"00112233445566ff","seq":%d,"kind":`
	receive := func(seq int, rest string) map[string]any {
		l.said = nil
		if s.receive(t.Context(), fmt.Sprintf(head, seq)+rest) || len(l.said) == 0 {
			t.Fatalf("%.40s: no answer", rest)
		}
		return l.said[0]
	}
	receive(0, `"hello","body":null}`)
	seq := 0
	for _, rest := range []string{`"set","body":"` + strings.Repeat("x", maxMessage) + `"}`, `"set","body":1,"more":2}`, `3,"body":1}`, `"set","body":}`, `"set"`, `"set","body":1}}`, `"set","body":` + strings.Repeat("[", 20_000)} {
		for range 2 { // a repeated message is acknowledged again
			if got := receive(seq+1, rest); got["ack"] != seq+1 || got["to"] != "00112233445566ff" {
				t.Errorf("%.40s: %v", rest, got)
			}
		}
		if got := receive(seq+2, rest); got["error"] == nil {
			t.Errorf("%.40s is accepted: %v", rest, got)
		}
		seq += 2
	}
	for _, bad := range []any{3, "", "x", `{"client":"x","seq":1,"kind":"set"`, `{"seq":1,"kind":"set"`} {
		l.said = nil
		s.receive(t.Context(), bad)
		if len(l.said) != 1 || l.said[0]["refused"] == nil {
			t.Errorf("%v: %v", bad, l.said)
		}
	}
}

// Messages about all samples of the largest drawing are accepted. To save time, each message of the
// test has only a part of the samples, and the limit on its size is lower by the bytes of the
// others.
func TestLargestMessages(t *testing.T) {
	const n, part = maxPoints, 5000
	set := ConstraintSet{n: n, fingerprint: "0123456789abcdef", Labels: map[int]int{}, review: review{kept: map[int]int{}, disputes: map[int]int{}}}
	for k := range mostClasses {
		set.Classes = append(set.Classes, strings.Repeat(strconv.Itoa(k%10), maxClassName))
	}
	rows := make([]int, part)
	for k := range rows {
		i := n - 1 - k
		rows[k], set.Labels[i], set.kept[i], set.disputes[i] = i, 99, 99, 99
	}
	for i := range maxPairs {
		set.Pairs.Must = append(set.Pairs.Must, data.Pair{I: n - 1 - i, J: n - 2 - i})
	}
	file, err := set.encode()
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(newWire(), &Labeler{history: history{set: set}}, 0)
	for kind, body := range map[string]any{"label": map[string]any{"Rows": rows, "Class": 0, "Unlabelled": false}, "import": string(file)} {
		raw, err := json.Marshal(map[string]any{"client": "0123456789abcdef", "seq": 1, "kind": kind, "body": body})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parse(string(raw), s.most-bytesPerSample*(n-part)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestSessionEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := NewSession(newWire(), &fake{}, time.Minute).Serve(ctx); !strings.Contains(got, "interrupted") {
		t.Error(got)
	}
	idle := NewSession(newWire(), &fake{}, time.Millisecond)
	idle.link.(*wire).receive("x")
	if got := idle.Serve(context.Background()); !strings.Contains(got, "idle") {
		t.Error(got)
	}
	absent := NewSession(newWire(), &fake{}, time.Minute)
	absent.began = absent.began.Add(-firstContact)
	if got := absent.Serve(context.Background()); got != "no page answered" {
		t.Error(got)
	}
	gone := NewSession(newWire(), &fake{}, time.Minute)
	gone.link.(*wire).heard = time.Now().Add(-returnWithin)
	if got := gone.Serve(context.Background()); !strings.Contains(got, "closed") {
		t.Error(got)
	}
}

func TestSweepExplorer(t *testing.T) {
	d := datasets.Iris().KeepLabels(5).Seed(1)
	r := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 5, 149, 150).Log10("manifold", -1, 1, 1).MustRun()
	s, err := sweepOf(shelf{}, r, d).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.cell != r.Best(r.Unlabelled) {
		t.Errorf("begins at cell %d, want the best, %d", s.cell, r.Best(r.Unlabelled))
	}
	// Cell 4 has the second value of neighbors and of manifold.
	if _, err := s.Event("cell", json.RawMessage("4")); err != nil {
		t.Fatal(err)
	}
	s.Work()(context.Background())()
	if got := look.Literal(s.model.Spec()); got != "ssdrnb.SDA().Neighbors(5).Manifold(1)" {
		t.Errorf("cell 4 shows %s", got)
	}
	// A cell whose fit failed shows the error, and the last plot stays.
	if _, err := s.Event("cell", json.RawMessage("11")); err != nil {
		t.Fatal(err)
	}
	s.Work()(context.Background())()
	if !strings.Contains(s.failure, "neighbors = 150") || s.model.Spec().Value("neighbors") != 5 {
		t.Errorf("failure %q, model %v", s.failure, s.model.Spec())
	}
	for _, bad := range []string{"-1", "12", `"x"`, "1.5", "[]", "null 1"} {
		if _, err := s.Event("cell", json.RawMessage(bad)); !errors.Is(err, errMessage) {
			t.Errorf("cell %s: %v", bad, err)
		}
	}
	if _, err := json.Marshal([]any{s.Setup(), s.State()}); err != nil {
		t.Error(err)
	}
	if _, err := sweepOf(shelf{}, nil, d).open(context.Background()); err == nil {
		t.Error("no sweep is shown")
	}
}

func TestScribble(t *testing.T) {
	shelf := shelf{}
	scene := datasets.Scene(40, 30, 0.02, 1, 1)
	d := scene.Pixels.HideLabels()
	s, err := scribbleOf(shelf, ssdrnb.LDA(), d, scene.Image()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.store.Close()
	if s.regions != nil || !strings.Contains(s.status, "two regions") {
		t.Errorf("before the first stroke: %v, %q", s.regions, s.status)
	}
	stroke := func(class int, radius float64, points ...[2]float64) error {
		raw, err := json.Marshal(map[string]any{"Points": points, "Radius": radius, "Class": class})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Event("stroke", raw)
		if apply := s.Work()(context.Background()); apply != nil {
			apply()
		}
		return err
	}
	// A horizontal stroke of radius 1 through pixel centres covers 3 rows.
	if err := stroke(0, 1, [2]float64{5.5, 2.5}, [2]float64{9.5, 2.5}); err != nil {
		t.Fatal(err)
	}
	if len(s.set.Labels) != 5*3+2 {
		t.Errorf("the stroke covers %d pixels, want 17", len(s.set.Labels))
	}
	// Pixels labelled in the data do not count as drawn.
	other, err := scribbleOf(shelf, ssdrnb.LDA(), scene.Pixels, scene.Image()).Name("given").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	other.store.Close()
	if want := fmt.Sprintf("0 pixels drawn, %d labelled before", scene.Pixels.NumLabelled()); !strings.Contains(other.status, want) {
		t.Errorf("before the first stroke: %q, want %q", other.status, want)
	}
	// A stroke in each region, through samples of that region.
	for class := range 5 {
		for i, l := range d.Truth {
			if l == class && i%7 == 0 {
				if err := stroke(class, 0.5, [2]float64{float64(i%40) + 0.5, float64(i/40) + 0.5}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	right := 0
	for i, l := range s.regions {
		if l == d.Truth[i] {
			right++
		}
	}
	if share := float64(right) / float64(d.Len()); share < 0.9 {
		t.Errorf("%.2f of the pixels are segmented right", share)
	}
	before := len(s.set.Labels)
	if err := stroke(5, 50, [2]float64{20, 15}); err != nil || len(s.set.Labels) != 0 {
		t.Errorf("the eraser leaves %d of %d: %v", len(s.set.Labels), before, err)
	}
	for _, bad := range []error{stroke(6, 1, [2]float64{1, 1}), stroke(-1, 1, [2]float64{1, 1}), stroke(0, 51, [2]float64{1, 1}), stroke(0, 0, [2]float64{1, 1}),
		stroke(0, 1), stroke(0, 1, [2]float64{-900, 4}), stroke(0, 1, make([][2]float64, 2501)...)} {
		if !errors.Is(bad, errMessage) {
			t.Errorf("a bad stroke: %v", bad)
		}
	}
	if c := shelf.constraints("scribbles"); c.Err() != nil || len(c.Labels) != 0 {
		t.Errorf("stored: %v", c)
	}
	if raw, err := json.Marshal([]any{s.Setup(), s.State()}); err != nil || len(raw) < 1000 {
		t.Error(err)
	}
}

// A live widget reports that later cells wait.
func TestWaits(t *testing.T) {
	for idle, want := range map[time.Duration]string{0: "for 15 min without input", 90 * time.Second: "for 1m30s without"} {
		if got := NewSession(newWire(), &fake{}, idle).limit(); !strings.HasPrefix(want, "for "+got+" without") {
			t.Errorf("an idle limit of %v is %q", idle, got)
		}
		if got := NewSession(newWire(), &fake{}, idle).waits(); !strings.HasPrefix(got, "The cells below wait until you press Stop") || !strings.Contains(got, want) {
			t.Errorf("idle %v: %q", idle, got)
		}
	}
	works := NewSession(newWire(), &fake{}, 0)
	works.Patient = true
	if got := works.waits(); got != "" {
		t.Errorf("a cell that works by itself waits: %q", got)
	}
}

func explore(t *testing.T, e *Explorer, kind, body string) {
	t.Helper()
	out, err := e.Event(kind, json.RawMessage(body))
	if err != nil || !out.Work {
		t.Fatalf("%s %s: %+v, %v", kind, body, out, err)
	}
	e.Work()(context.Background())()
}

// Chosen options persist after the page and the cell are closed, for the same code and data.
func TestExplorerKeepsOptions(t *testing.T) {
	shelf := shelf{}
	d := datasets.Iris().KeepLabels(10).Seed(1)
	open := func(s ssdrnb.Spec, d *ssdrnb.Data) *Explorer {
		e, err := explorerOf(shelf, s, d).Name(s.String() + Fingerprint(d) + fmt.Sprint(d.Labels)).open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	code := ssdrnb.SDA().Neighbors(5).Spec()
	e := open(code, d)
	explore(t, e, "set", `{"name":"neighbors","value":9}`)
	explore(t, e, "set", `{"name":"affinity","value":"binary"}`)
	explore(t, e, "set", `{"name":"dims","value":3}`)
	again := open(code, d)
	if again.spec.String() != e.spec.String() || len(again.spec.Changed()) != 3 || !strings.HasPrefix(again.status, "These are the options chosen last") {
		t.Errorf("again %v, want %v: %q", again.spec, e.spec, again.status)
	}
	for what, fresh := range map[string]*Explorer{"other options": open(code.With("manifold", 2.0), d), "other labels": open(code, d.Seed(2)), "other data": open(code, datasets.Wine())} {
		if fresh.spec.String() != fresh.start.String() {
			t.Errorf("%s: begins at %v", what, fresh.spec)
		}
	}
	explore(t, again, "reset", "null")
	if again.model.Spec().String() != code.String() || again.spec.String() != code.String() {
		t.Errorf("after Reset: %v", again.model.Spec())
	}
	if last := open(code, d); last.spec.String() != code.String() {
		t.Errorf("after Reset and a new cell: %v", last.spec)
	}
	// A damaged file, or one with options that cannot be fitted, is ignored.
	explore(t, e, "set", `{"name":"neighbors","value":11}`)
	for _, text := range []string{"", "{", `[]`, `{"neighbors":1e9}`, `{"neighbors":"x"}`, `{"neighbors":150}`, `{"other":1}`} {
		e.store.(*memory).content = []byte(text)
		if got := open(code, d); got.spec.String() != code.String() || got.failure != "" {
			t.Errorf("%q: %v, %q", text, got.spec, got.failure)
		}
	}
}

// A task sent as JSON is unchanged: each widget opens with the same view.
func TestTaskTravels(t *testing.T) {
	d := *datasets.Digits().Seed(3).Take(8).KeepLabels(3)
	d.Pairs = data.Pairs{Must: []data.Pair{{I: 1, J: 2}}, Cannot: []data.Pair{{I: 3, J: 70}}}
	d.Name = "</script>"
	d.Attributes = []data.Attribute{{Name: "id", Values: make([]string, d.Len())}}
	d.Anchors = data.Anchors{Rows: []int{4, 9}, Y: mat.NewDense(2, 2, []float64{0, 1.5, math.Pi, -1e-300})}
	d.Start = mat.DenseCopyOf(d.X.Slice(0, d.Len(), 20, 22))
	scene := datasets.Scene(20, 16, 0.02, 1, 1)
	moons, err := Start("two moons", 1)
	if err != nil {
		t.Fatal(err)
	}
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), &d).List("neighbors", 3, 5, 79, 200).Log10("manifold", -1, 1, 1).MustRun()
	for _, task := range []Task{
		{Kind: KindExplorer, Spec: ssdrnb.TRSDA().Neighbors(7).Manifold(0.25).Affinity("binary").Spec(), Data: &d, Controls: []string{"neighbors"}, Ranges: map[string]Span{"neighbors": {2, 9}}},
		{Kind: KindExplorer, Spec: ssdrnb.Then(ssdrnb.PCA().Dims(20), ssdrnb.LLE()), Data: &d},
		{Kind: KindEditor, Spec: ssdrnb.SSDR().Spec(), Data: &d, Name: "x", Classes: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		{Kind: KindScribble, Spec: ssdrnb.LDA().Spec(), Data: scene.Pixels, Base: scene.Image(), Name: "y"},
		{Kind: KindSweep, Sweep: sweep, Data: &d},
		{Kind: KindPaint, Data: moons, Name: "z", Methods: []ssdrnb.Spec{ssdrnb.SDA().Neighbors(4).Spec(), ssdrnb.LLE().Spec()}, Lift: Lift{5, 0.1, 3}},
	} {
		raw, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), "</script>") {
			t.Errorf("%s: a name ends the script", task.Kind)
		}
		var again Task
		if err := json.Unmarshal(raw, &again); err != nil {
			t.Fatalf("%s: %v", task.Kind, err)
		}
		if again.Data.Draw() != task.Data.Draw() || Fingerprint(again.Data) != Fingerprint(task.Data) || !reflect.DeepEqual(again.Data.Labels, task.Data.Labels) ||
			!reflect.DeepEqual(again.Data.Truth, task.Data.Truth) || !reflect.DeepEqual(again.Data.Pairs, task.Data.Pairs) || !reflect.DeepEqual(again.Data.Anchors.Rows, task.Data.Anchors.Rows) || (again.Data.Start == nil) != (task.Data.Start == nil) || task.Data.Start != nil && !mat.Equal(again.Data.Start, task.Data.Start) {
			t.Errorf("%s: other data: %v, want %v", task.Kind, again.Data, task.Data)
		}
		var pictures []string
		for _, one := range []Task{task, again} {
			w, err := one.Open(context.Background(), &memory{}, nil)
			if err != nil {
				t.Fatalf("%s: %v", task.Kind, err)
			}
			state := w.State().(map[string]any)
			delete(state, "status") // contains the time
			picture, err := json.Marshal([]any{w.Setup(), state})
			if err != nil {
				t.Fatal(err)
			}
			pictures = append(pictures, string(picture))
		}
		if pictures[0] != pictures[1] {
			t.Errorf("%s: another view", task.Kind)
		}
	}
	good, err := json.Marshal(Task{Kind: KindExplorer, Spec: ssdrnb.PCA().Spec(), Data: datasets.Iris()})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{`"rows":150`, `"rows":151`}, {`"rows":150`, `"rows":-1`}, {`"cols":4`, `"cols":0`}, {`"x":"`, `"x":"A`}, {`"method":"PCA"`, `"method":"none"`},
		{`"options":{}`, `"options":{"dims":0.5}`}, {`"labels":[0`, `"labels":[-7`}, {`"kind"`, `"kinds"`}, {`"must":null`, `"must":[{"I":1,"J":999}]`}, {`"Must":null`, `"Must":[{"I":1,"J":999}]`}} {
		text := strings.Replace(string(good), change[0], change[1], 1)
		var task Task
		if text != string(good) && json.Unmarshal([]byte(text), &task) == nil {
			t.Errorf("%s instead of %s is accepted", change[1], change[0])
		}
	}
}

// An import replaces the drawing, as a change that can be undone; constraints of other data are
// refused.
func TestImport(t *testing.T) {
	shelf := shelf{}
	d := datasets.Iris().HideLabels()
	e, err := editorOf(shelf, ssdrnb.SSDR(), d).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	do(t, e, "pair", pairBody{1, 2, false})
	text := string(shelf.of("constraints").content)
	do(t, e, "clear", nil)
	do(t, e, "import", text)
	if len(e.set.Pairs.Must) != 1 || store.Revision(shelf.of("constraints").content) != 3 {
		t.Errorf("imported: %v, revision %d", e.set, e.set.revision)
	}
	do(t, e, "undo", nil)
	if e.set.Pairs.Len() != 0 {
		t.Errorf("undone: %v", e.set)
	}
	for _, bad := range []string{`"x"`, `"{}"`, `3`, strconv.Quote(strings.Replace(text, `"samples":150`, `"samples":151`, 1)), strconv.Quote(strings.Replace(text, `"labels":{}`, `"labels":{"3":90}`, 1))} {
		if _, err := e.Event("import", json.RawMessage(bad)); err == nil {
			t.Errorf("%.60s is imported", bad)
		}
	}
	x, err := explorerOf(shelf, ssdrnb.SDA(), datasets.Iris().KeepLabels(9)).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	explore(t, x, "import", `"{\"format\":1,\"revision\":4,\"options\":{\"neighbors\":9}}"`)
	if x.Chosen().String() != "SDA(neighbors=9)" {
		t.Errorf("imported: %v", x.Chosen())
	}
	if _, err := x.Event("import", json.RawMessage(`"{\"format\":1,\"revision\":4,\"options\":{\"neighbors\":-9}}"`)); err == nil || x.Chosen().String() != "SDA(neighbors=9)" {
		t.Errorf("a bad option is imported: %v, %v", x.Chosen(), err)
	}
}

// A playground opens with classes of any sizes. Each value of its slider labels this number of
// samples of each class, or all samples of a smaller class.
func TestPlaygroundOfRareClasses(t *testing.T) {
	for _, sizes := range [][]int{{1}, {3, 57}, {1, 2, 3}, {12, 9, 150}, {0, 0}} {
		var truth []int
		for class, n := range sizes {
			truth = append(truth, slices.Repeat([]int{class}, n)...)
		}
		truth = append(truth, data.Unlabelled, data.Unlabelled, data.Unlabelled)
		x := mat.NewDense(len(truth), 2, nil)
		for i := range truth {
			x.SetRow(i, []float64{float64(i), float64(i * i % 7)})
		}
		d := *data.New(x, nil)
		d.Truth = truth
		w, err := Task{Kind: KindPlayground, Data: &d, Methods: []ssdrnb.Spec{ssdrnb.PCA().Spec()}}.Open(t.Context(), &memory{}, nil)
		if err != nil {
			t.Errorf("sizes %v: %v", sizes, err)
			continue
		}
		p := w.(*Playground)
		if want := min(slices.Max(sizes), maxKept); p.maxLabels != want || p.chosen.Labels != min(want, 10) {
			t.Errorf("sizes %v: at most %d labels, at first %d, want %d", sizes, p.maxLabels, p.chosen.Labels, want)
		}
		for k := 1; k <= p.maxLabels; k++ {
			d := p.labelled(choices{Labels: k, Seed: 2})
			if d.Err() != nil {
				t.Fatal(d.Err())
			}
			count := make([]int, len(sizes))
			for i, l := range d.Labels {
				if l >= 0 && l == d.Truth[i] {
					count[l]++
				}
			}
			for class, n := range sizes {
				if count[class] != min(n, k) {
					t.Errorf("sizes %v, %d labels: %v", sizes, k, count)
				}
			}
		}
	}
}

// A playground fits each method to the requested number of labels, stores the choices, and refuses
// out-of-range values.
func TestPlayground(t *testing.T) {
	d := datasets.Iris().Seed(1)
	methods := []ssdrnb.Spec{ssdrnb.PCA().Spec(), ssdrnb.LDA().Spec(), ssdrnb.SDA().Neighbors(5).Spec()}
	task := Task{Kind: KindPlayground, Data: d, Methods: methods}
	store := &memory{}
	open := func() *Playground {
		t.Helper()
		w, err := task.Open(context.Background(), store, store.content)
		if err != nil {
			t.Fatal(err)
		}
		return w.(*Playground)
	}
	p := open()
	do := func(kind, body string) {
		t.Helper()
		if out, err := p.Event(kind, json.RawMessage(body)); err != nil || !out.Work {
			t.Fatalf("%s %s: %+v, %v", kind, body, out, err)
		}
		p.Work()(context.Background())()
		if p.failure != "" {
			t.Fatalf("%s %s: %s", kind, body, p.failure)
		}
	}
	do("method", "2")
	do("labels", "4")
	do("set", `{"name":"neighbors","value":9}`)
	want, err := ssdrnb.SDA().Neighbors(9).Fit(d.WithLabels(d.Truth).KeepLabels(4).Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(p.Model().Embedding(), want.Embedding(), 1e-9) || p.Chosen().String() != "SDA(neighbors=9)" {
		t.Errorf("the plot does not belong to %v with 4 labels per class", p.Chosen())
	}
	before := slices.Clone(p.Model().Data().Labels)
	do("seed", "2")
	if slices.Equal(before, p.Model().Data().Labels) || p.Model().Data().NumLabelled() != 12 {
		t.Error("another seed keeps the same labels")
	}
	// Back to an earlier number of labels, while the numbers in between were never fitted.
	if _, err := p.Event("labels", json.RawMessage("7")); err != nil {
		t.Fatal(err)
	}
	_ = p.Work()
	do("labels", "4")
	if got := p.Model().Data().NumLabelled(); got != 12 {
		t.Errorf("%d labels, want 12", got)
	}
	again := open()
	if again.Chosen().String() != "SDA(neighbors=9)" || again.chosen.Labels != 4 || again.chosen.Seed != 2 {
		t.Errorf("opened again: %+v", again.chosen)
	}
	for _, bad := range [][2]string{{"method", "3"}, {"method", "-1"}, {"method", "0.5"}, {"labels", "0"}, {"labels", "1000"}, {"seed", "0"}, {"seed", "1e12"}, {"set", `{"name":"neighbors","value":-1}`},
		{"set", `{"name":"x","value":1}`}, {"set", `{"name":"neighbors","value":[1]}`}, {"import", `"{}"`}, {"import", "3"}, {"x", "1"}} {
		if _, err := p.Event(bad[0], json.RawMessage(bad[1])); err == nil {
			t.Errorf("%s %s is accepted", bad[0], bad[1])
		}
	}
	for _, text := range []string{"", "{", `{"format":1,"revision":1,"method":9,"labels":4,"seed":1,"options":[null,null,null]}`, `{"format":1,"revision":1,"method":2,"labels":4,"seed":1,"options":[null,null,{"neighbors":149}]}`,
		`{"format":1,"revision":1,"method":2,"labels":4,"seed":1,"options":[null,null,{"neighbors":"x"}]}`} {
		store.content = []byte(text)
		if got := open(); got.Model() == nil {
			t.Errorf("%s: no plot", text)
		}
	}
	if _, err := (Task{Kind: KindPlayground, Data: d}).Open(context.Background(), store, nil); err == nil {
		t.Error("a playground without methods opens")
	}
	raw, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	var far Task
	if err := json.Unmarshal(raw, &far); err != nil || len(far.Methods) != 3 || far.Methods[2].String() != methods[2].String() {
		t.Errorf("travelled: %v, %v", far.Methods, err)
	}
}

// A class button reports how many known labels it replaced or removed, whether given, drawn or
// propagated by a must-link pair, and Undo restores them.
func TestEditorSaysWhatItReplaces(t *testing.T) {
	d := datasets.Iris().KeepLabels(2).Seed(1)
	var known [3][]int // given labels of each class
	for i, l := range d.Labels {
		if l != data.Unlabelled {
			known[l] = append(known[l], i)
		}
	}
	var free []int // unlabelled
	for i, l := range d.Labels {
		if l == data.Unlabelled && len(free) < 3 {
			free = append(free, i)
		}
	}
	e, err := editorOf(shelf{}, ssdrnb.SSDR(), d).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	press := func(class int, rows ...int) any {
		t.Helper()
		raw, err := json.Marshal(map[string]any{"Rows": rows, "Class": class})
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Event("label", raw)
		if err != nil {
			t.Fatal(err)
		}
		return out.Reply
	}
	if got := press(0, free[0]); got != nil {
		t.Errorf("an unlabelled sample: %v", got)
	}
	before := e.set.mergedLabels(d)
	// Two of class 1 and two of class 2; those of class 0 stay as they are.
	all := slices.Concat(known[0], known[1], known[2], free)
	if got := press(0, all...); got != "Known labels: 4 changed"+undoHint {
		t.Errorf("four known labels of other classes: %v", got)
	}
	do(t, e, "undo", nil)
	if now := e.set.mergedLabels(d); !slices.Equal(now, before) {
		t.Error("Undo does not bring the labels back")
	}
	if got := press(-1, known[0][0], free[0], free[1]); got != "Known labels: 2 removed"+undoHint {
		t.Errorf("two labels removed: %v", got)
	}
	do(t, e, "undo", nil)
	do(t, e, "pair", pairBody{known[1][0], free[1], false}) // propagates class 1
	if got := press(2, known[1][0]); got != "Known labels: 2 changed"+undoHint {
		t.Errorf("a label that a pair passes on: %v", got)
	}
	do(t, e, "undo", nil)
	// With "only unlabelled" known labels stay, and a group of only labelled samples is an error.
	rest := func(rows ...int) (Outcome, error) {
		raw, err := json.Marshal(map[string]any{"Rows": rows, "Class": 0, "Unlabelled": true})
		if err != nil {
			t.Fatal(err)
		}
		return e.Event("label", raw)
	}
	before = e.set.mergedLabels(d)
	out, err := rest(known[2][0], known[1][0], free[2])
	if err != nil || out.Reply != "1 labelled; 2 keep their labels" {
		t.Errorf("only unlabelled: %v, %v", out.Reply, err)
	}
	before[free[2]] = 0
	if now := e.set.mergedLabels(d); !slices.Equal(now, before) {
		t.Error("a known label has changed")
	}
	if _, err := rest(known[1][0]); err == nil || !strings.Contains(err.Error(), "only unlabelled") {
		t.Errorf("nothing to label: %v", err)
	}
}

// A stroke over scribbles reports how many pixels it changes or clears; Undo restores them.
func TestStrokeTellsWhatItReplaces(t *testing.T) {
	scene := datasets.Scene(40, 30, 0.02, 1, 1)
	s, err := scribbleOf(shelf{}, ssdrnb.LDA(), scene.Pixels.HideLabels(), scene.Image()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.store.Close()
	stroke := func(class int) any {
		t.Helper()
		raw := fmt.Appendf(nil, `{"Points":[[5.5,5.5]],"Radius":0.5,"Class":%d}`, class)
		out, err := s.Event("stroke", raw)
		if err != nil {
			t.Fatal(err)
		}
		return out.Reply
	}
	if got := stroke(0); got != nil {
		t.Errorf("over nothing: %v", got)
	}
	before := s.labels()
	if got := stroke(0); got != nil {
		t.Errorf("over its own class: %v", got)
	}
	if got := stroke(1); got != "Known labels: 1 changed"+undoHint {
		t.Errorf("over another class: %v", got)
	}
	if _, err := s.Event("undo", nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.labels(), before) {
		t.Error("Undo does not bring the labels back")
	}
	if got := stroke(len(s.classes)); got != "Known labels: 1 removed"+undoHint {
		t.Errorf("the eraser: %v", got)
	}
}
