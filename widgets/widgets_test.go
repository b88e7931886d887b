package widgets

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
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// What the user has drawn and remembered is neither read nor changed.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "ssdrnb")
	if err != nil {
		panic(err)
	}
	os.Setenv("SSDRNB_CONSTRAINTS", dir)
	os.Setenv("SSDRNB_CACHE", dir)
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// Rotating, reflecting, moving and scaling an embedding must not move the picture.
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

// A page gets the places in 16 bits: within half a step of the largest.
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
	if m, err := parse(good); err != nil || m.Seq != 3 || m.Kind != "set" {
		t.Errorf("%+v, %v", m, err)
	}
	for _, bad := range []any{nil, 3, []any{"x"}, map[string]any{"client": 1}, "", "null x", good + good, "[" + good + "]",
		`{"client":"0123456789abcdef","seq":3,"kind":"set","more":1}`, `{"client":"","seq":3}`, `{"client":"<img src=x>","seq":3}`,
		`{"client":"0123456789abcdef","seq":-1}`, `{"client":"0123456789abcdef","seq":1e99}`, strings.Repeat("[", 100000),
		`{"client":"0123456789abcdef","body":"` + strings.Repeat("x", maxMessage) + `"}`} {
		if _, err := parse(bad); !errors.Is(err, errMessage) {
			t.Errorf("%.60v: %v", bad, err)
		}
	}
}

func do(t *testing.T, e *editor, kind string, body any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.event(kind, raw); err != nil {
		t.Fatalf("%s %s: %v", kind, raw, err)
	}
	if apply := e.work()(context.Background()); apply != nil {
		apply()
	}
}

type pairBody struct {
	I, J   int
	Cannot bool
}

func TestEditor(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	d := datasets.Iris().HideLabels()
	e, err := ConstraintEditor(ssdrnb.SSDR(), d).Name("x").open(context.Background())
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
	// A must-link pair comes closer, a cannot-link pair moves apart.
	before := relative(50, 118)
	do(t, e, "pair", pairBody{50, 118, false})
	if e.model.Method() != "SSDR" || e.failure != "" || strings.Contains(e.status, "begin") {
		t.Errorf("with a pair: %s, %q", e.model.Method(), e.failure)
	}
	if after := relative(50, 118); after > 0.5*before {
		t.Errorf("the must-link pair's distance went from %v to %v", before, after)
	}
	do(t, e, "pair", pairBody{118, 50, true}) // the same pair in the other order, of the other kind
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
	if _, err := e.event("undo", nil); err == nil {
		t.Error("there is more to undo than was done")
	}
	for range 6 {
		do(t, e, "redo", nil)
	}
	if !reflect.DeepEqual(e.set.Labels, full.Labels) || !reflect.DeepEqual(e.set.Pairs, full.Pairs) {
		t.Errorf("after redoing all: %v, want %v", e.set, full)
	}

	// The disk has it all, for a later cell and for the next run of this one.
	c := Constraints("x")
	if c.Err() != nil || !reflect.DeepEqual(c.Labels, full.Labels) {
		t.Fatalf("read back: %v", c)
	}
	if got := c.Apply(d); got.Err() != nil || got.Labels[100] != 2 || got.Labels[3] != data.Unlabelled || got.NumLabelled() != 4 {
		t.Errorf("applied: %v", got)
	}
	if _, err := ConstraintEditor(ssdrnb.SSDR(), d).Name("x").open(context.Background()); !errors.Is(err, ErrStore) {
		t.Errorf("two editors hold one store: %v", err)
	}
	e.store.close()
	again, err := ConstraintEditor(ssdrnb.SSDR(), d).Name("x").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	again.store.close()
	if !reflect.DeepEqual(again.set.Labels, full.Labels) {
		t.Errorf("second run: %v", again.set)
	}
	if _, err := ConstraintEditor(ssdrnb.SSDR(), datasets.Wine()).Name("x").open(context.Background()); !errors.Is(err, ErrStore) {
		t.Errorf("constraints of other data are taken: %v", err)
	}
	if got := c.Apply(datasets.Wine()); !errors.Is(got.Err(), ErrStore) {
		t.Errorf("constraints of other data are applied: %v", got)
	}
}

func TestStoreFailures(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SSDRNB_CONSTRAINTS", dir)
	if c := Constraints("none"); !errors.Is(c.Err(), ErrStore) {
		t.Errorf("missing: %v", c.Err())
	}
	for _, name := range []string{"", "../up", "a/b", `a\b`, ".hidden", "line\nbreak", strings.Repeat("x", 200)} {
		if _, err := storePath(name); !errors.Is(err, ErrStore) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	path, err := storePath("x")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{", "[]", `{"format":2}`, `{"format":1,"samples":3,"must":[[0,5]]}`, `{"format":1,"samples":3,"must":[[1,1]]}`,
		`{"format":1,"samples":3,"labels":{"x":1}}`, `{"format":1,"samples":3,"labels":{"9":1}}`, `{"format":1,"samples":3,"labels":{"1":-7}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := Constraints("x")
		if !errors.Is(c.Err(), ErrStore) {
			t.Errorf("%s: %v", text, c.Err())
		}
		if _, err := ssdrnb.SSDR().Fit(c.Apply(datasets.Iris())); !errors.Is(err, ErrStore) {
			t.Errorf("%s: the fit says %v", text, err)
		}
	}
}

// Whenever the writer is stopped, a reader sees a whole file.
func TestStoreIsAtomic(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	d := datasets.Iris().HideLabels()
	s, set, err := openStore("x", d)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.write(&set); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if c := Constraints("x"); c.Err() != nil || len(c.Labels)%10 != 0 {
					t.Errorf("torn: %v", c)
					return
				}
			}
		}
	})
	for k := range 15 {
		for i := range 10 {
			set.Labels[10*k+i] = k % 3
		}
		if err := s.write(&set); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
	if c := Constraints("x"); len(c.Labels) != 150 || c.revision != 16 {
		t.Errorf("%v, revision %d", c, c.revision)
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
	if got, want := literal(spec), `ssdrnb.TRSDA().Neighbors(5).Affinity("binary").Manifold(0.25)`; got != want {
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
	labels := make([]int, 50)
	for i := range labels {
		labels[i] = -1
	}
	labels[0], labels[30] = 0, 1
	if s := suggestions(y, labels); len(s) != 5 || s[0] != 49 || s[1] != 15 {
		t.Errorf("suggestions %v: the farthest is 49, then 15, midway between 0 and 30", s)
	}
}

// Every option of every method gets a control whose ends are allowed values.
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

// The session: bursts are coalesced, what is sent twice counts once, what is
// refused changes nothing.
type fake struct {
	value, computed int
	fits            int
	mu              sync.Mutex
}

func (f *fake) setup() any { return nil }
func (f *fake) state() any { return map[string]any{"computed": f.computed} }
func (f *fake) event(kind string, body json.RawMessage) (outcome, error) {
	var v int
	if err := decode(body, &v); err != nil {
		return outcome{}, err
	}
	if kind == "add" {
		f.value += v
	} else {
		f.value = v
	}
	return outcome{work: true}, nil
}
func (f *fake) work() func(ctx context.Context) func() {
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
	s := newSession(f, time.Minute)
	var reason string
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		reason = s.serve(ctx)
		close(done)
	}()
	const client = `"client":"00112233445566ff"`
	send := func(format string, args ...any) {
		s.link.in <- fmt.Sprintf(format, args...)
	}
	send(`{%s,"seq":5,"kind":"set","body":1}`, client) // before hello: not known
	send(`{%s,"seq":0,"kind":"hello","body":null}`, client)
	for k := 1; k <= 50; k++ {
		send(`{%s,"seq":%d,"kind":"set","body":%d}`, client, k, k)
	}
	send(`{%s,"seq":51,"kind":"add","body":1000}`, client)
	send(`{%s,"seq":51,"kind":"add","body":1000}`, client) // sent again
	send(`{%s,"seq":40,"kind":"set","body":7}`, client)    // overtaken
	send(`{%s,"seq":52,"kind":"set","body":"x"}`, client)
	s.link.in <- 12
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

func TestSessionEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := newSession(&fake{}, time.Minute).serve(ctx); !strings.Contains(got, "interrupted") {
		t.Error(got)
	}
	idle := newSession(&fake{}, time.Millisecond)
	idle.link.receive("x")
	if got := idle.serve(context.Background()); !strings.Contains(got, "idle") {
		t.Error(got)
	}
	absent := newSession(&fake{}, time.Minute)
	absent.began = absent.began.Add(-firstContact)
	if got := absent.serve(context.Background()); got != "no page answered" {
		t.Error(got)
	}
	gone := newSession(&fake{}, time.Minute)
	gone.link.heard = time.Now().Add(-returnWithin)
	if got := gone.serve(context.Background()); !strings.Contains(got, "closed") {
		t.Error(got)
	}
}

// Names of data never become markup.
func TestFragment(t *testing.T) {
	d := *datasets.Iris()
	d.Name = `</script><img src=x onerror=alert(1)>`
	m := ssdrnb.PCA().MustFit(&d)
	figure := viz.Embedding(m)
	html, err := fragment("explorer", "/ssdrnb/1", "k", figure.Text(), []byte("png"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html, "<img src=x") || strings.Count(html, "</script>") != 2 {
		t.Errorf("the name of the data is markup:\n%.400s", html)
	}
	if strings.Contains(script, "innerHTML") || strings.Contains(script, "insertAdjacentHTML") {
		t.Error("the front-end writes HTML")
	}
}

func TestSweepExplorer(t *testing.T) {
	d := datasets.Iris().KeepLabels(5).Seed(1)
	r := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 5, 149, 150).Log10("manifold", -1, 1, 1).MustRun()
	s, err := SweepExplorer(r, d).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.cell != r.Best(r.Unlabelled) {
		t.Errorf("begins at cell %d, want the best, %d", s.cell, r.Best(r.Unlabelled))
	}
	// Cell 4 is the second neighbors, the second manifold.
	if _, err := s.event("cell", json.RawMessage("4")); err != nil {
		t.Fatal(err)
	}
	s.work()(context.Background())()
	if got := literal(s.model.Spec()); got != "ssdrnb.SDA().Neighbors(5).Manifold(1)" {
		t.Errorf("cell 4 shows %s", got)
	}
	// A cell that could not be fitted says why, and the last picture stays.
	if _, err := s.event("cell", json.RawMessage("11")); err != nil {
		t.Fatal(err)
	}
	s.work()(context.Background())()
	if !strings.Contains(s.failure, "neighbors = 150") || s.model.Spec().Value("neighbors") != 5 {
		t.Errorf("failure %q, model %v", s.failure, s.model.Spec())
	}
	for _, bad := range []string{"-1", "12", `"x"`, "1.5", "[]", "null 1"} {
		if _, err := s.event("cell", json.RawMessage(bad)); !errors.Is(err, errMessage) {
			t.Errorf("cell %s: %v", bad, err)
		}
	}
	if _, err := json.Marshal([]any{s.setup(), s.state()}); err != nil {
		t.Error(err)
	}
	if _, err := SweepExplorer(nil, d).open(context.Background()); err == nil {
		t.Error("no sweep is shown")
	}
}

// Methods of a builder return changed copies of its own type.
func TestDrawingOptions(t *testing.T) {
	scene := datasets.Scene(20, 16, 0, 1, 1)
	first := Scribble(ssdrnb.LDA(), scene.Pixels, scene.Image()).Classes("a", "b")
	second := first.Name("other").Idle(time.Second)
	if first.name != "scribbles" || second.name != "other" || first.idle != 0 || second.idle != time.Second || second.base == nil || len(second.classes) != 2 {
		t.Errorf("%+v and %+v", first, second)
	}
	if e := ConstraintEditor(ssdrnb.SSDR(), datasets.Iris()).Idle(time.Second); e.name != "constraints" || e.Name("x").idle != time.Second {
		t.Errorf("%+v", e)
	}
}

func TestScribble(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	scene := datasets.Scene(40, 30, 0.02, 1, 1)
	d := scene.Pixels.HideLabels()
	s, err := Scribble(ssdrnb.LDA(), d, scene.Image()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer s.store.close()
	if s.regions != nil || !strings.Contains(s.status, "two regions") {
		t.Errorf("before the first stroke: %v, %q", s.regions, s.status)
	}
	stroke := func(class int, radius float64, points ...[2]float64) error {
		raw, err := json.Marshal(map[string]any{"Points": points, "Radius": radius, "Class": class})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.event("stroke", raw)
		if apply := s.work()(context.Background()); apply != nil {
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
	// Pixels with a label of the data are not counted as drawn.
	other, err := Scribble(ssdrnb.LDA(), scene.Pixels, scene.Image()).Name("given").open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	other.store.close()
	if want := fmt.Sprintf("0 pixels drawn, %d were labelled before", scene.Pixels.NumLabelled()); !strings.Contains(other.status, want) {
		t.Errorf("before the first stroke: %q, want %q", other.status, want)
	}
	// A stroke in each region, through samples that are of it.
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
	if c := Constraints("scribbles"); c.Err() != nil || len(c.Labels) != 0 {
		t.Errorf("stored: %v", c)
	}
	if raw, err := json.Marshal([]any{s.setup(), s.state()}); err != nil || len(raw) < 1000 {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	p := &ProgressBar{title: "x", began: time.Now(), session: newSession(nil, 0)}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	for k := range 5000 {
		p.observe(ssdrnb.Event{Method: "M", Stage: "S", Done: k, Total: 5000, Value: math.Sqrt(float64(k + 1))})
	}
	if n := len(p.curve); n > 2000 || n < 1000 {
		t.Errorf("%d points of 5000 are kept", n)
	}
	if s := p.show(); s["share"].(float64) < 0.99 || !strings.Contains(s["text"].(string), "4999 of 5000") {
		t.Errorf("%v", s["text"])
	}
	if _, err := p.event("cancel", nil); err != nil || p.Context().Err() == nil {
		t.Errorf("cancel: %v, %v", err, p.Context().Err())
	}
	if _, err := p.event("x", nil); !errors.Is(err, errMessage) {
		t.Error(err)
	}
	q := Progress("outside of a notebook")
	q.Close()
	q.Close()
}

// A live widget says that later cells wait, and one variable skips the wait.
func TestWaits(t *testing.T) {
	for idle, want := range map[time.Duration]string{0: "for 15 min without input", 90 * time.Second: "for 1m30s without"} {
		if got := newSession(&fake{}, idle).waits(); !strings.HasPrefix(got, "The cells below wait until you press Stop") || !strings.Contains(got, want) {
			t.Errorf("idle %v: %q", idle, got)
		}
	}
	works := newSession(&fake{}, 0)
	works.patient = true
	if got := works.waits(); got != "" {
		t.Errorf("a cell that works by itself waits: %q", got)
	}
	if !mayWait() {
		t.Error("without the variable nothing waits")
	}
	t.Setenv("SSDRNB_WAIT", "off")
	if mayWait() {
		t.Error("SSDRNB_WAIT=off is ignored")
	}
	bundle, err := noted(viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())), notWaited)
	if err != nil || !strings.Contains(bundle["text/html"].(string), "SSDRNB_WAIT=off") || !strings.Contains(bundle["text/plain"].(string), "SSDRNB_WAIT=off") || bundle["image/png"] == nil {
		t.Errorf("the picture that stays: %v", err)
	}
}

func explore(t *testing.T, e *explorer, kind, body string) {
	t.Helper()
	out, err := e.event(kind, json.RawMessage(body))
	if err != nil || !out.work {
		t.Fatalf("%s %s: %+v, %v", kind, body, out, err)
	}
	e.work()(context.Background())()
}

// The options chosen outlive the page and the cell, for the same code and data.
func TestExplorerKeepsOptions(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	d := datasets.Iris().KeepLabels(10).Seed(1)
	open := func(s ssdrnb.Spec, d *ssdrnb.Data) *explorer {
		e, err := Explorer(s, d).open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		e.keptAt = keptPath(s, d)
		e.resume(context.Background())
		return e
	}
	code := ssdrnb.SDA().Neighbors(5).Spec()
	e := open(code, d)
	explore(t, e, "set", `{"name":"neighbors","value":9}`)
	explore(t, e, "set", `{"name":"affinity","value":"binary"}`)
	explore(t, e, "set", `{"name":"dims","value":3}`)
	again := open(code, d)
	if again.spec.String() != e.spec.String() || len(again.spec.Changed()) != 3 || !strings.HasPrefix(again.status, "Options as chosen last") {
		t.Errorf("again %v, want %v: %q", again.spec, e.spec, again.status)
	}
	for what, fresh := range map[string]*explorer{"other options": open(code.With("manifold", 2.0), d), "other labels": open(code, d.Seed(2)), "other data": open(code, datasets.Wine())} {
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
	// A file that is damaged, or of options that cannot be fitted, counts as none.
	explore(t, e, "set", `{"name":"neighbors","value":11}`)
	for _, text := range []string{"", "{", `[]`, `{"neighbors":1e9}`, `{"neighbors":"x"}`, `{"neighbors":150}`, `{"other":1}`} {
		if err := os.WriteFile(e.keptAt, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := open(code, d); got.spec.String() != code.String() || got.failure != "" {
			t.Errorf("%q: %v, %q", text, got.spec, got.failure)
		}
	}
}

// Before and after Stop it is one picture: the first two dimensions.
func TestOnePicture(t *testing.T) {
	e, err := Explorer(ssdrnb.PCA().Dims(6), datasets.Wine().Standardize()).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(e.status, "the first two of 6 dimensions are drawn") {
		t.Errorf("the live picture says %q", e.status)
	}
	bundle, err := e.figure().Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if html := bundle["text/html"].(string); strings.Contains(html, "scatter3D") || !strings.Contains(html, "PCA has 6 dimensions") || !strings.Contains(html, "PCA of wine") {
		t.Error("the picture that stays has three dimensions, or does not say what it leaves out")
	}
}
