package widgets

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/schema"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// outputs returns the output of each kind of widget that is computed in the page.
func outputs(t *testing.T) map[string]string {
	t.Helper()
	iris := datasets.Iris().KeepLabels(10)
	pairs := *iris
	pairs.Pairs.Must = append(pairs.Pairs.Must, ssdrnb.Pair{I: 0, J: 2})
	scene := datasets.Scene(20, 16, 0.1, 1, 1)
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), iris).List("neighbors", 3, 5).Log10("manifold", -1, 1, 1).MustRun()
	stored := `{"format":1,"revision":3}`
	graph, _ := GraphPlay(Recipe("moons", 1)).Title("Moons").Mode(Links, Carry).stage()
	words := Lesson("Attacked").Beat("1.1", "Carry the labels.").Reveal("It is {carried right}.").
		Predict(Ask("How many?").Number("%", 0, 100).Answer(61, 2)).Predict(Ask("Which?").Choice("One", "Two").Right(1).Why("No.", "Yes.")).
		Predict(Ask("Where?").Point([3]float64{0.5, 0.5, 0.1})).Predict(Ask("Draw it.").Drawing("%", 0, 100, 1, 2, 5)).beat
	tasks := map[string]pageTask{
		"explorer":   {Task: Explorer(ssdrnb.SDA().Neighbors(7), iris).Controls("neighbors", "manifold").task, Name: "options-x", Notebook: "test-0a1b2c3d", Stored: &stored},
		"editor":     {Task: ConstraintEditor(ssdrnb.SSDR(), &pairs).Name("x").Classes(iris.ClassNames...).task, Name: "x", Notebook: "test-0a1b2c3d"},
		"sweep":      {Task: SweepExplorer(sweep, iris).task, Notebook: "test-0a1b2c3d"},
		"scribble":   {Task: Scribble(ssdrnb.LDA(), scene.Pixels, scene.Image()).Classes(scene.Pixels.ClassNames...).task, Name: "scribbles", Notebook: "test-0a1b2c3d"},
		"playground": {Task: Playground(iris, ssdrnb.PCA(), ssdrnb.LDA().Dims(1)).task, Name: "playground-x", Notebook: "test-0a1b2c3d"},
		"labeler":    {Task: Labeler(iris).Classes(iris.ClassNames...).task, Name: "labels", Notebook: "test-0a1b2c3d"},
		"paint":      {Task: Paint("x", ssdrnb.LDA(), ssdrnb.PCA()).Classes("a", "b").task, Name: paintingOf("x"), Notebook: "test-0a1b2c3d"},
		"stage":      {Task: interact.Task{Kind: interact.KindStage, Stage: &graph}, Notebook: "test-0a1b2c3d"},
		"beat":       {Task: interact.Task{Kind: interact.KindBeat, Stage: &graph, Beat: &words}, Notebook: "test-0a1b2c3d"},
		"quiz":       {Task: interact.Task{Kind: interact.KindQuiz, Beat: &words}, Notebook: "test-0a1b2c3d"},
	}
	digits := datasets.Digits().Only(3, 8).Take(6)
	// One stage of each kind.
	for kind, s := range map[string]Stage{
		"band":      Band(1).At(0.5, 1, 1.5, 8, 8.5, 9).Lengths(1, 0.5, 1, 2).Repeats(3, 1, 10).Meters("half-width in the gap"),
		"bench":     Bench(Recipe("pancakes", 1)).Method("PCA", ssdrnb.PCA().Dims(1)).Labels(5).Dial("height", 1, 2, 3).Named("flat", "height", 1).Meters("same-group neighbours").Finished(),
		"easel":     Easel(Recipe("blobs", 1)).Method("PCA", ssdrnb.PCA().Dims(1)).Rule("ruler", Ruler).Lift(0.1, 2, 5),
		"lineup":    Lineup(Samples(iris)).Round("PCA", ssdrnb.PCA()),
		"challenge": Challenge("Both at once", Projector(Recipe("pancakes", 2)).Meters("spread kept")).AtLeast("spread kept", 0.65),
		"map":       Map(mapModel(digits)).New(digits).Classifier("LDA", ssdrnb.LDA().MustFit(digits)).Meters("deviation here", "the classifier says"),
		"pairs":     Pairs(Recipe("pancakes", 1)).Method("SSDR", ssdrnb.SSDR().Dims(2)).Hands().HideColors().Expert(6).Meters("same-group neighbours", "must-links"),
		"projector": Projector(Recipe("pancakes", 1)).Turned(40, 25).Widest().Named("above", 0, 90).Meters("spread kept"),
		"graphPlay": GraphPlay(Recipe("moons", 1)).Neighbors(1, 30, 6).Mode(Links, Carry, Path, Swing).Named("few", 2),
		"landscape": Landscape(Recipe("steps", 1).With("noise", 0.3)).Planes().Dial("noise", 1, 0.3).Named("noise 1", 1),
	} {
		spec, d := s.stage()
		tasks["stage "+kind] = pageTask{Task: interact.Task{Kind: interact.KindStage, Stage: &spec, Data: d}, Notebook: "test-0a1b2c3d"}
	}
	out := map[string]string{}
	for name, p := range tasks {
		if p.Task.Kind == interact.KindPaint {
			p.Task.Data = datasets.TwoMoons(1)
		}
		if p.Task.Kind == interact.KindLabeler { // as a cell passes it to a page
			p.Task.Data, p.Task.Placed = iris.WithStart(mat.DenseCopyOf(iris.X.Slice(0, 150, 0, 2))), true
		}
		html, err := payload{Kind: p.Task.Kind, Page: &p}.fragment(pageNote, "in words", nil)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = html
	}
	raw, err := os.ReadFile(filepath.Join("internal", "interact", "task.go"))
	if err != nil {
		t.Fatal(err)
	}
	described := schema.Widgets()
	for _, kind := range regexp.MustCompile(`(?m)^\tKind\w+ += "(\w+)"`).FindAllStringSubmatch(string(raw), -1) {
		if out[kind[1]] == "" || described[kind[1]] == nil {
			t.Errorf("no widget of kind %q is described in viz/schema and attacked", kind[1])
		}
		delete(described, kind[1])
	}
	for f := range reflect.TypeFor[stage.Spec]().Fields() {
		if f.Type.Kind() != reflect.Pointer || f.Type.Elem().Field(0).Tag.Get("json") == "" {
			continue // the title, and kinds without a case yet
		}
		kind, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if out["stage "+kind] == "" {
			t.Errorf("no stage of kind %q is attacked", kind)
		}
	}
	for kind := range described {
		t.Errorf("viz/schema describes widgets of kind %q, which nothing makes", kind)
	}
	return out
}

// TestAttackWidgets replaces each value in the data of every kind of widget in turn, as
// TestAttackFigures does for figures: no script runs, nothing is requested, nothing freezes.
func TestAttackWidgets(t *testing.T) {
	needChromium(t)
	engine, err := builtEngine()
	if err != nil {
		t.Fatal(err)
	}
	web := t.TempDir()
	for k, name := range []string{"engine.bin", "engine.js"} {
		if err := os.WriteFile(filepath.Join(web, name), engine[k], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := viztest.Open(t, browser.Page(t), "..", web, "")
	draws := 0
	if browser.Thorough() {
		draws = 1
	}
	all := outputs(t)
	b.Attack("widgets", all, draws)
	// All outputs share one engine.
	if left := b.Do(`async () => {
		for (let k = 0; k < 500 && window.workers() > 1; k++) { await new Promise(r => setTimeout(r, 20)); }
		return String(window.workers());
	}`); left > "1" || len(left) > 1 {
		t.Errorf("%s workers run after all outputs but one were replaced", left)
	}
	// A widget reads and writes only the stores of its own notebook.
	b.Kept()
	b.Show(strings.ReplaceAll(all["explorer"], "test-0a1b2c3d", "other-0a1b2c3d"))
	b.Do(`async () => {
		const range = document.querySelector(".ssdrnb-control input[type=range]");
		range.value = Number(range.value) + 1;
		range.dispatchEvent(new Event("input"));
		for (let k = 0; k < 3000 && !document.querySelector(".ssdrnb-widget").dataset.saved; k++) { await new Promise(r => setTimeout(r, 20)); }
		return "";
	}`)
	names := b.Kept()
	for _, name := range names {
		if !strings.HasPrefix(name, "ssdrnb:untrusted.ipynb:") && !strings.HasPrefix(name, "ssdrnb:ssdrnb-constraints/untrusted:") && !strings.HasPrefix(name, "/api/contents/ssdrnb-constraints") && !strings.HasPrefix(name, `ssdrnb-view ["untrusted.ipynb",`) {
			t.Errorf("the page uses %q", name)
		}
	}
	if len(names) < 3 {
		t.Errorf("only %q is stored", names)
	}
}

// TestOutputsFit checks that the schema, by which untrusted notebooks are read, accepts the output
// of every kind of widget, with data that have every kind of content.
func TestOutputsFit(t *testing.T) {
	all := outputs(t)
	iris := datasets.Iris()
	_, full := iris.WithTarget("length", iris.Original(0)).KeepTarget(0.5).KeepLabels(7).Standardize().
		WithAttribute("who", make([]string, iris.Len())).WithAnchors([]int{1}, mat.NewDense(1, 2, nil)).WithStart(mat.NewDense(iris.Len(), 2, nil)).Split(0.5)
	html, err := payload{Kind: "explorer", Page: &pageTask{Task: Explorer(ssdrnb.S2NE(), full).task}}.fragment(pageNote, "in words", nil)
	if err != nil {
		t.Fatal(err)
	}
	all["explorer of all that data carry"] = html
	for name, html := range all {
		_, text, _ := viztest.Split(html)
		if err := schema.Check(schema.Widgets(), []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
