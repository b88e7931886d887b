package widgets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// The user's drawings and remembered fits are neither read nor changed.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "ssdrnb")
	if err != nil {
		panic(err)
	}
	os.Setenv("SSDRNB_CONSTRAINTS", dir)
	os.Setenv("SSDRNB_CACHE", dir)
	flag.Parse()
	// Pages wait a third of their time.
	if err := flag.Set("test.parallel", strconv.Itoa(runtime.NumCPU()+1)); err != nil {
		panic(err)
	}
	code := m.Run()
	browser.Close()
	_ = os.RemoveAll(dir)
	os.Exit(code)
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
			t.Errorf("%s: the fit returns %v", text, err)
		}
	}
}

// Whenever the writer is stopped, a reader sees a complete file. Only one widget holds it.
func TestStoreIsAtomic(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	path, err := storePath("x")
	if err != nil {
		t.Fatal(err)
	}
	s, content, err := openFile(path, "x")
	if err != nil || content != nil {
		t.Fatalf("%d bytes, %v", len(content), err)
	}
	if _, _, err := openFile(path, "x"); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "another editor") {
		t.Errorf("two widgets hold one store: %v", err)
	}
	drawing := func(labels int) []byte {
		list := map[string]int{}
		for i := range labels {
			list[strconv.Itoa(i)] = i % 3
		}
		raw, err := json.Marshal(map[string]any{"format": 1, "samples": 150, "revision": labels / 10, "labels": list})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	if err := s.Write(drawing(0)); err != nil {
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
		if err := s.Write(drawing(10 * (k + 1))); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
	if c := Constraints("x"); len(c.Labels) != 150 {
		t.Errorf("%v", c)
	}
	s.Close()
	again, content, err := openFile(path, "x")
	if err != nil || store.Revision(content) != 15 {
		t.Fatalf("opened again: %v, revision %d", err, store.Revision(content))
	}
	again.Close()
}

// The drawings of an editor are on disk, for a later cell and for the next run of this one.
func TestDrawingsOnDisk(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	d := datasets.Iris().HideLabels()
	b := ConstraintEditor(ssdrnb.SSDR(), d).Name("x").Live()
	w, _, err := opened[drawn](b.task, b.task.Name, b.live)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Event("pair", json.RawMessage(`{"I":1,"J":2}`)); err != nil {
		t.Fatal(err)
	}
	if c := Constraints("x"); c.Err() != nil || len(c.Pairs.Must) != 1 {
		t.Errorf("stored: %v", c)
	}
	w.Close()
	again, _, err := opened[drawn](b.task, b.task.Name, b.live)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if c := again.Constraints(); len(c.Pairs.Must) != 1 {
		t.Errorf("second run: %v", c)
	}
	other := ConstraintEditor(ssdrnb.SSDR(), datasets.Wine()).Name("x")
	if _, _, err := opened[drawn](other.task, other.task.Name, true); !errors.Is(err, ErrStore) {
		t.Errorf("constraints of other data are taken: %v", err)
	}
	// A widget that failed to open does not hold the store.
	if w, _, err := opened[drawn](b.task, b.task.Name, b.live); err != nil {
		t.Error(err)
	} else {
		w.Close()
	}
}

// Paintings are on disk, for a later cell and for the next run of this one, separate from
// constraints of the same name.
func TestPainted(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	b := Paint("x", ssdrnb.PCA(), ssdrnb.LDA()).Lift(5, 0.1).Classes("up", "down").Live()
	if d := Painted("x"); !errors.Is(d.Err(), ErrStore) || !strings.Contains(d.Err().Error(), `widgets.Paint("x")`) {
		t.Errorf("before anything is painted: %v", d.Err())
	}
	w, _, err := opened[*interact.Painter](b.task, paintingOf("x"), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Event("paint", json.RawMessage(`{"Points":[[0.5,0.5],[0.25,-1]],"Class":-1}`)); err != nil {
		t.Fatal(err)
	}
	want := w.Data()
	w.Close()
	for what, d := range map[string]*ssdrnb.Data{"Painted": Painted("x"), "Show": b.Show()} {
		if d.Err() != nil || d.Len() != 162 || d.Dim() != 5 || d.NumLabelled() != 160 || d.ClassName(1) != "down" || !mat.Equal(d.X, want.X) {
			t.Errorf("%s: %v", what, d)
		}
	}
	if c := Constraints("x"); c.Err() == nil {
		t.Errorf("a painting is read as constraints: %v", c)
	}
	for _, bad := range []string{"", "a/b", strings.Repeat("x", 101)} {
		if d := Painted(bad); !errors.Is(d.Err(), ErrStore) {
			t.Errorf("the name %.20q: %v", bad, d)
		}
		if d := Paint(bad).Show(); !errors.Is(d.Err(), ErrStore) {
			t.Errorf("the name %.20q: %v", bad, d)
		}
	}
	if d := Paint("y", ssdrnb.PCA()).Lift(1, 0).Show(); d.Err() == nil {
		t.Error("one dimension is accepted")
	}
	if d := Paint("y", ssdrnb.PCA()).Start(datasets.Iris()).Show(); d.Err() == nil {
		t.Error("four features are painted")
	}
}

// Without given methods the menu has all of them, and every one opens the canvas.
func TestPaintMenu(t *testing.T) {
	methods := Paint("x").task.Methods
	if len(methods) != len(ssdrnb.Methods()) || methods[0].Method().Name != "LDA" {
		t.Errorf("%d methods, %s first", len(methods), methods[0].Method().Name)
	}
	for _, m := range methods {
		if err := m.Err(); err != nil {
			t.Errorf("%s: %v", m.Method().Name, err)
		}
	}
}

// Where scripts do not run, the lines of a stage are separated by breaks, and a sentence explains
// what the stage needs.
func TestScriptless(t *testing.T) {
	got := scriptless("1.1 Turn <it>.\nA band: 6 measurements\nhalf-width: 2.00\n")
	if want := "1.1 Turn &lt;it&gt;.<br>\nA band: 6 measurements<br>\nhalf-width: 2.00<br>\nThis part needs JavaScript. "; !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
}

// Names in the data never become markup.
func TestFragment(t *testing.T) {
	d := *datasets.Iris()
	d.Name = `</script><img src=x onerror=alert(1)>`
	m := ssdrnb.PCA().MustFit(&d)
	figure := viz.Embedding(m)
	html, err := payload{Kind: "explorer", Address: "/ssdrnb/1"}.fragment(staticNote, figure.Text(), []byte("png"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html, "<img src=x") || strings.Count(html, "</script>") != 2 {
		t.Errorf("the name of the data is markup:\n%.400s", html)
	}
	// The widget script is not in each output, only the code that finds it.
	if _, rest, _ := strings.Cut(html, "</script>"); len(rest) > 2000 {
		t.Errorf("the script of an output has %d bytes", len(rest))
	}
}

// Methods of a builder return changed copies of its own type.
func TestDrawingOptions(t *testing.T) {
	scene := datasets.Scene(20, 16, 0, 1, 1)
	first := Scribble(ssdrnb.LDA(), scene.Pixels, scene.Image()).Classes("a", "b")
	second := first.Name("other").Idle(time.Second)
	if first.task.Name != "scribbles" || second.task.Name != "other" || first.idle != 0 || second.idle != time.Second || second.task.Base == nil || len(second.task.Classes) != 2 {
		t.Errorf("%+v and %+v", first, second)
	}
	if e := ConstraintEditor(ssdrnb.SSDR(), datasets.Iris()).Idle(time.Second); e.task.Name != "constraints" || e.Name("x").idle != time.Second {
		t.Errorf("%+v", e)
	}
}

// After a sweep, whether it finished, failed or was cancelled, the bar shows the next fit.
func TestProgressAfterSweeps(t *testing.T) {
	d := datasets.Iris().KeepLabels(5).Seed(1)
	for name, sweep := range map[string]func(ctx context.Context, stop func()) error{
		"finished": func(ctx context.Context, _ func()) error {
			_, err := ssdrnb.Sweep(ssdrnb.PCA(), d).List("dims", 1, 2).Run(ctx)
			return err
		},
		"cancelled": func(ctx context.Context, stop func()) error {
			defer ssdrnb.Observe(func(e ssdrnb.Event) {
				if e.Method == "Sweep" {
					stop()
				}
			})()
			_, err := ssdrnb.Sweep(ssdrnb.PCA(), d).List("dims", 1, 2, 3).Splits(40).Run(ctx)
			return err
		},
		"failed": func(ctx context.Context, _ func()) error {
			_, err := ssdrnb.Sweep(ssdrnb.PCA(), d).List("dims", 1, 2).On(stopping{}).Run(ctx)
			return err
		},
	} {
		p := &ProgressBar{link: newLink()}
		stop := ssdrnb.Observe(p.observe)
		ctx, cancel := context.WithCancel(t.Context())
		if err := sweep(ctx, cancel); (err == nil) != (name == "finished") {
			t.Errorf("%s: %v", name, err)
		}
		ssdrnb.LDA().MustFit(d)
		stop()
		cancel()
		if p.last.Method != "LDA" {
			t.Errorf("%s: the bar shows %s instead of the fit", name, p.last.Method)
		}
	}
}

// stopping is an executor that fails after the first fit.
type stopping struct{}

func (stopping) Execute(ctx context.Context, job *ssdrnb.SweepJob) error {
	raw, err := job.Encode()
	if err != nil {
		return err
	}
	do, err := ssdrnb.DecodeSweep(raw)
	if err != nil {
		return err
	}
	outcomes, err := do(ctx, job.Tasks(1)[0])
	if err != nil {
		return err
	}
	return errors.Join(job.Put(outcomes), errors.New("the connection is lost"))
}

func TestProgress(t *testing.T) {
	p := &ProgressBar{title: "x", began: time.Now(), link: newLink()}
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
	if _, err := (progressWidget{p}).Event("cancel", nil); err != nil || p.Context().Err() == nil {
		t.Errorf("cancel: %v, %v", err, p.Context().Err())
	}
	if _, err := (progressWidget{p}).Event("x", nil); err == nil || !strings.Contains(err.Error(), "unknown event") {
		t.Error(err)
	}
	q := Progress("outside of a notebook")
	q.Close()
	q.Close()
}

// Before and after Stop the plot is the same: the first two dimensions.
func TestOnePicture(t *testing.T) {
	e, err := open(Explorer(ssdrnb.PCA().Dims(6), datasets.Wine().Standardize()).task, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if state := fmt.Sprint(e.State()); !strings.Contains(state, "the first two of 6 dimensions are drawn") {
		t.Errorf("the live plot has the text %q", state)
	}
	bundle, err := figure(e).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if html := bundle["text/html"].(string); strings.Contains(html, "scatter3D") || !strings.Contains(html, "PCA has 6 dimensions") || !strings.Contains(html, "PCA of wine") {
		t.Error("the static figure has three dimensions, or does not state what it leaves out")
	}
}

// A variable skips the wait.
func TestMayWait(t *testing.T) {
	if !mayWait() {
		t.Error("without the variable nothing waits")
	}
	t.Setenv("SSDRNB_WAIT", "off")
	if mayWait() {
		t.Error("SSDRNB_WAIT=off is ignored")
	}
	bundle, err := noted(viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())), notWaited)
	if err != nil || !strings.Contains(bundle["text/html"].(string), "SSDRNB_WAIT=off") || !strings.Contains(bundle["text/plain"].(string), "SSDRNB_WAIT=off") || bundle["image/png"] == nil {
		t.Errorf("the static figure: %v", err)
	}
}

// A drawing from a page is stored beside the notebook, one from a cell in the user's data folder;
// the one with more changes is used.
func TestNewest(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	dir := t.TempDir()
	t.Setenv("JPY_SESSION_NAME", filepath.Join(dir, "lesson.ipynb"))
	path, err := storePath("x")
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string, revision, second int) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"format":1,"samples":150,"revision":%d,"must":[[0,%d]]}`, revision, second)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has := func(second int) {
		t.Helper()
		if c := Constraints("x"); c.Err() != nil || len(c.Pairs.Must) != 1 || c.Pairs.Must[0].J != second {
			t.Errorf("%v %v, want the pair (0, %d)", c, c.Pairs, second)
		}
	}
	write(path, 3, 1)
	has(1)
	beside := filepath.Join(dir, "ssdrnb-constraints", "lesson", "x.json")
	write(beside, 5, 2)
	has(2)
	write(path, 6, 3)
	has(3)
	// A damaged file does not hide a valid one.
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	has(2)
}

// A name that is not stored gives an error that lists the stored names.
func TestNamesAreListed(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	for _, name := range []string{"flowers", store.Painting + "moons"} {
		path, err := store.Path(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := Constraints("flower")
	if err := c.Err(); !errors.Is(err, ErrStore) || !strings.HasSuffix(err.Error(), `choose a stored name ("flowers"), or draw some with widgets.ConstraintEditor(…).Name("flower").Show()`) {
		t.Error(err)
	}
	if _, err := c.NPZ(); err != c.Err() {
		t.Errorf("the archive of no constraints: %v", err)
	}
	if err := Painted("moon").Err(); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), `choose a stored name ("moons"), or paint one with widgets.Paint("moon").Show()`) {
		t.Error(err)
	}
}

// The static figure left by a labeler shows the state at its end: samples at their moved positions,
// with the labels given, and no hidden class.
func TestLabelerLeavesItsLastPicture(t *testing.T) {
	d := datasets.Iris().HideLabels()
	d.ClassNames = nil
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	b := Labeler(d).Name("x").Live()
	e, _, err := opened[*interact.Labeler](b.task, b.task.Name, b.live)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	first := mat.DenseCopyOf(e.Embedding())
	before, err := figure(e).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{`{"Name":"praise","Rows":[0,1,2,3]}`, `{"Name":"blame","Rows":[60,61,120,121]}`} {
		if _, err := e.Event("class", json.RawMessage(event)); err != nil {
			t.Fatal(err)
		}
		for e.Pending() {
			e.Work()(t.Context())()
		}
	}
	y := e.Embedding()
	if mat.Equal(first, y) {
		t.Fatal("the plot has not moved")
	}
	after, err := figure(e).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	left := figureOf{e.Data(), y}
	want, err := viz.Embedding(left).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(after["image/png"].([]byte), want["image/png"].([]byte)) || bytes.Equal(after["image/png"].([]byte), before["image/png"].([]byte)) {
		t.Error("the static figure is not the last state")
	}
	if l := left.d; l.Truth != nil || l.NumLabelled() != 8 || l.Labels[60] != 1 || l.ClassName(1) != "blame" {
		t.Errorf("it has labels %v and true classes %v", l.Labels, l.Truth)
	}
}

// figureOf is an embedding with given positions.
type figureOf struct {
	d *ssdrnb.Data
	y *mat.Dense
}

func (f figureOf) Method() string        { return "S2NE" }
func (f figureOf) Embedding() *mat.Dense { return f.y }
func (f figureOf) Data() *ssdrnb.Data    { return f.d }

// A challenge in another one keeps its goals, and the lower limit of moves applies.
func TestChallengeInChallenge(t *testing.T) {
	cloud := Projector(Recipe("pancakes", 1)).Meters("spread kept", "same-group neighbours")
	for _, moves := range [][3]int{{0, 0, 0}, {5, 0, 5}, {0, 5, 5}, {3, 5, 3}, {5, 3, 3}} {
		spec, d := Challenge("both", Challenge("one", cloud).AtLeast("spread kept", 0.5).Moves(moves[0])).AtLeast("same-group neighbours", 0.9).Moves(moves[1]).stage()
		if c := spec.Challenge; c.Name != "both" || len(c.Wants) != 2 || c.Wants[0].Meter != "spread kept" || c.Moves != moves[2] {
			t.Errorf("%v: %+v", moves, c)
		}
		if _, err := spec.Open(d); err != nil {
			t.Error(err)
		}
	}
}

// A stage whose builder failed is not opened, even if its samples come from a recipe.
func TestStageOfFailedBuilder(t *testing.T) {
	spec, d := Bench(Recipe("moons", 1)).Method("LDA", ssdrnb.LDA()).Labels(5).Weights().Finished().stage()
	if _, err := spec.Open(d); err == nil || !strings.Contains(err.Error(), "leave out Finished") {
		t.Errorf("the error is %v", err)
	}
}
