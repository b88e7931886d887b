package stage

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

func method(name string, e ssdrnb.Estimator) BenchMethod {
	m := MethodOf(e.Spec())
	return BenchMethod{Name: name, Method: &m}
}

// seenOf opens a bench, performs a reader's actions, and returns the view.
func seenOf(t *testing.T, s BenchSpec, actions ...Action) (*bench, *State) {
	t.Helper()
	b, err := openBench(s, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return b, after(t, b, actions...)
}

// read returns the value of a meter, or NaN if there is none.
func read(b *bench, s *State, name string) float64 {
	for k, m := range b.meters() {
		if m.meter.Name == name && s.Meters[k].Value != nil {
			return *s.Meters[k].Value
		}
	}
	return math.NaN()
}

// wantOver compares a meter with the numbers in the lesson, over the values of the first dial.
func wantOver(t *testing.T, s BenchSpec, meter string, tolerance float64, want ...float64) {
	t.Helper()
	for k, w := range want {
		b, state := seenOf(t, s, Action{Kind: "dial", Name: s.Dials[0].Name, Index: k})
		if got := read(b, state, meter); !(math.Abs(got-w) <= tolerance) {
			t.Errorf("%s at %s = %v: %.3f, wanted %.3f (%s)", meter, s.Dials[0].Name, s.Dials[0].Values[k], got, w, state.Error)
		}
	}
}

// TestBeatsOfBench checks the numbers of the lessons with seed 1. Linear methods, rules and closed
// forms give the same numbers everywhere. Layouts differ between processors, so their numbers have
// a tolerance.
func TestBeatsOfBench(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	few := []float64{1, 2, 5, 10, 20}
	pancakes := BenchSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("LDA", ssdrnb.LDA())}, Dials: []BenchDial{{Name: DialLabels, Values: []float64{2, 3, 5, 10, 20}}}, Meters: []string{MeterHidden}}
	wantOver(t, pancakes, MeterHidden, 0.006, 0.964, 0.985, 1, 1, 1) // 1.6
	pancakes.Bench, pancakes.Labels = []BenchMethod{method("PCA", ssdrnb.PCA().Dims(2)), method("LDA", ssdrnb.LDA())}, 5
	pancakes.Dials, pancakes.Meters = []BenchDial{{Name: "height", Values: []float64{1, 2, 3, 4, 5}}}, []string{MeterSame}
	wantOver(t, pancakes, "PCA: "+MeterSame, 0.006, 0.5, 0.495, 0.52, 1, 1) // 1.7
	wantOver(t, pancakes, "LDA: "+MeterSame, 0.006, 1, 1, 1, 1, 1)
	tsne := BenchSpec{Source: recipe("noise", 1), Bench: []BenchMethod{method("t-SNE", ssdrnb.TSNE())}, Dials: []BenchDial{{Name: "perplexity", Values: []float64{2, 3, 5}}}, Meters: []string{MeterIslands}}
	wantOver(t, tsne, MeterIslands, 5, 15, 13, 9) // 2.2
	tsne.Dials[0].Values = []float64{10, 30}
	wantOver(t, tsne, MeterIslands, 1, 1, 1)
	steps := BenchSpec{Source: recipe("steps", 1), Bench: []BenchMethod{method("ratio of sums", ssdrnb.TRLDA().PCA(1).Ridge(1e-9)), method("LDA", ssdrnb.LDA())}, Dials: []BenchDial{{Name: "noise", Values: []float64{1, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1}}}, Meters: []string{MeterSame}}
	wantOver(t, steps, "ratio of sums: "+MeterSame, 0.014, 0.973, 0.973, 0.913, 0.8, 0.753, 0.7, 0.673) // 6.4
	wantOver(t, steps, "LDA: "+MeterSame, 0.014, 0.973, 0.973, 0.973, 0.973, 0.973, 0.973, 0.973)
	moons := BenchSpec{Source: recipe("moons", 1), Bench: []BenchMethod{{Name: "ruler", Rule: RuleRuler}, {Name: "rumour", Rule: RuleRumour}, method("off", ssdrnb.KSDA().Dims(1).Scale(0.3).Manifold(0)), method("on", ssdrnb.KSDA().Dims(1).Scale(0.3).Manifold(1))},
		Dials: []BenchDial{{Name: DialLabels, Values: few}}, Meters: []string{MeterHidden}}
	wantOver(t, moons, "ruler: "+MeterHidden, 0.006, 0.828, 0.847, 0.963, 1, 1) // 4.1, 4.2
	wantOver(t, moons, "rumour: "+MeterHidden, 0.006, 1, 1, 1, 1, 1)
	wantOver(t, moons, "on: "+MeterHidden, 0.011, 1, 0.995, 1, 1, 1)
	rivers := moons
	rivers.Source, rivers.Bench = recipe("rivers", 1), moons.Bench[:2]
	wantOver(t, rivers, "ruler: "+MeterHidden, 0.006, 0.879, 0.934, 0.984, 0.983, 0.969) // 4.4, 4.5
	wantOver(t, rivers, "rumour: "+MeterHidden, 0.011, 0.470, 0.878, 0.942, 0.933, 0.925)
	fixed := rivers
	fixed.Dials, fixed.Answers, fixed.Marks = nil, true, [][2]float64{{-2, 1.5}, {2, -1.5}}
	b, s := seenOf(t, fixed)
	if ruler, rumour := read(b, s, "ruler: "+MeterHidden), read(b, s, "rumour: "+MeterHidden); math.Abs(ruler-0.843) > 0.006 || math.Abs(rumour-0.470) > 0.011 {
		t.Errorf("4.4, two labels: ruler %.3f, rumour %.3f", ruler, rumour)
	}
	off := moons
	off.Bench, off.Dials = moons.Bench[2:3], []BenchDial{{Name: DialLabels, Values: []float64{2, 5}}}
	wantOver(t, off, MeterHidden, 0.011, 0.730, 0.868) // 4.2
	straight := BenchSpec{Source: recipe("moons", 1), Labels: 5, Bench: []BenchMethod{method("SDA", ssdrnb.SDA().Dims(1))}, Dials: []BenchDial{{Name: "manifold", Values: []float64{0, 1, 10}}}, Meters: []string{MeterHidden}}
	wantOver(t, straight, MeterHidden, 0.011, 0.884, 0.842, 0.821) // 4.3
	apart := BenchSpec{Source: recipe("apart", 1), Labels: 5, Bench: []BenchMethod{method("LDA", ssdrnb.LDA().Dims(1))}, Dials: []BenchDial{{Name: "features", Values: []float64{2, 6, 9, 20, 50}}}, Meters: []string{MeterHidden}}
	wantOver(t, apart, MeterHidden, 0.011, 0.958, 0.926, 0.474, 0.832, 0.884) // 8.5
}

// TestTossesOfBench checks that coin tosses separate the embedding without predicting anything
// (2.8), and that LMRAG finds the requested number of pieces (3.8).
func TestTossesOfBench(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	told := BenchSpec{Source: recipe("noise", 1), Bench: []BenchMethod{method("S2NE", ssdrnb.S2NE())}, Dials: []BenchDial{{Name: DialTold, Values: []float64{0, 50, 100}}}, Meters: []string{MeterSeparation, MeterHidden}}
	wantOver(t, told, MeterSeparation, 0.1, 0, 0.06, 0.42)
	told.Dials[0].Values = []float64{50, 0}
	wantOver(t, told, MeterHidden, 0.1, 0.465)
	one := recipe("noise", 1)
	one.Recipe.With = map[string]float64{"samples": 150, "features": 2}
	wantOver(t, BenchSpec{Source: one, Bench: []BenchMethod{method("LMRAG", ssdrnb.LMRAG())}, Dials: []BenchDial{{Name: DialTossed, Values: []float64{2, 3, 4}}}, Meters: []string{MeterPieces}}, MeterPieces, 0, 2, 3, 4)
}

// TestWinesOfBench checks the weights of the widest direction of the wines (1.8).
func TestWinesOfBench(t *testing.T) {
	spec := BenchSpec{Bench: []BenchMethod{method("PCA", ssdrnb.PCA().Dims(2))}, Weights: true, Dials: []BenchDial{{Name: DialStandardise, Values: []float64{0, 1}}}, Meters: []string{MeterSame}}
	b, err := openBench(spec, "test", datasets.Wine())
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{0.719, 0.949} {
		if err := b.Do(Action{Kind: "dial", Name: DialStandardise, Index: k}); err != nil {
			t.Fatal(err)
		}
		s, err := b.Work()(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := read(b, s, MeterSame); math.Abs(got-want) > 0.006 {
			t.Errorf("standardised %d: %.3f, wanted %.3f", k, got, want)
		}
		if top := s.Panels[0].Bars[0]; k == 0 && (top.Name != "proline" || math.Abs(top.Value-0.9998) > 1e-4) {
			t.Errorf("the widest direction is made of %+v", top)
		}
	}
}

// TestRatiosOfBench checks sizes and gaps that t-SNE does not preserve (2.4, 2.5).
func TestRatiosOfBench(t *testing.T) {
	all := []BenchMethod{{Name: "data", Rule: RuleData}, method("PCA", ssdrnb.PCA().Dims(2)), method("t-SNE", ssdrnb.TSNE())}
	for _, c := range []struct {
		source, meter string
		want          [3]float64
	}{{"sizes", MeterSizes, [3]float64{9.74, 10.72, 1.01}}, {"gaps", MeterGaps, [3]float64{4.92, 4.92, 0.98}}} {
		b, s := seenOf(t, BenchSpec{Source: recipe(c.source, 1), Bench: all, Meters: []string{c.meter}})
		for k, one := range all {
			if got := read(b, s, one.Name+": "+c.meter); math.Abs(got-c.want[k]) > 0.1 {
				t.Errorf("%s of %s: %.2f, wanted %.2f", c.meter, one.Name, got, c.want[k])
			}
		}
	}
}

// TestRunsOfBench checks that runs agree on true groups and not on noise (2.3).
func TestRunsOfBench(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	var again []Action
	for range 4 {
		again = append(again, Action{Kind: "press", Name: buttonAgain})
	}
	for name, within := range map[string][2]float64{"noise": {0, 0.4}, "clusters": {0.99, 1}} {
		b, s := seenOf(t, BenchSpec{Source: recipe(name, 1), Runs: true, Islands: true, Bench: []BenchMethod{method("t-SNE", ssdrnb.TSNE().Perplexity(3).Start(ssdrnb.RandomStart))}, Meters: []string{MeterAgreement}}, again...)
		if got := read(b, s, MeterAgreement); !(got >= within[0] && got <= within[1]) || len(s.Panels) != 5 {
			t.Errorf("%s: the runs agree by %.2f, in %d panels", name, got, len(s.Panels))
		}
	}
}

// TestDrawsOfBench lets draws and a curve run by themselves, and stops them by changing another
// dial.
func TestDrawsOfBench(t *testing.T) {
	spec := BenchSpec{Source: recipe("moons", 1), Name: "moons", Others: []NamedRecipe{{"rivers", recipes.Recipe{Name: "rivers", Seed: 1}}}, Bench: []BenchMethod{{Name: "ruler", Rule: RuleRuler}, {Name: "rumour", Rule: RuleRumour}},
		Dials: []BenchDial{{Name: DialLabels, Values: []float64{1, 5, 20}}, {Name: DialData, Values: []float64{0, 1}, Words: []string{"moons", "rivers"}}}, Meters: []string{MeterHidden, MeterVerdict}, Draws: 10, Curve: DialLabels, CurveDraws: 2}
	b, s := seenOf(t, spec, Action{Kind: "press", Name: "ten draws"}, Action{Kind: "press", Name: buttonFill})
	for range 20 {
		if s.Tick == 0 {
			break
		}
		if err := b.Do(Action{Kind: KindTick}); err != nil {
			t.Fatal(err)
		}
		var err error
		if s, err = b.Work()(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Meters[2].Text; s.Tick != 0 || !strings.HasPrefix(got, "helps") || len(s.Panels) != 4 {
		t.Errorf("after ten draws: %q, tick %d, %d panels", got, s.Tick, len(s.Panels))
	}
	rivers, s := seenOf(t, spec, Action{Kind: "dial", Name: DialData, Index: 1}, Action{Kind: "press", Name: "ten draws"})
	if s.Tick == 0 || s.Meters[2].Text != "–" || len(s.Panels[2].Bars) != 2 {
		t.Errorf("after one draw: %+v", s.Meters)
	}
	for range 9 {
		if err := rivers.Do(Action{Kind: KindTick}); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := rivers.Work()(context.Background()); err != nil || !strings.HasPrefix(s.Meters[2].Text, "hurts") {
		t.Errorf("on the rivers: %v, %+v", err, s.Meters)
	}
}

// TestLabelsOfBench drags labels: in the middle of two clouds the unlabelled samples help, at their
// ends they hurt (4.6).
func TestLabelsOfBench(t *testing.T) {
	spec := BenchSpec{Source: recipe("gaussians", 1), Answers: true, Bench: []BenchMethod{method("LDA", ssdrnb.LDA().Dims(1)), method("SDA", ssdrnb.SDA().Dims(1).Manifold(10))}, Meters: []string{MeterHidden},
		Marks:    [][2]float64{{-0.4, 1}, {0.4, 1}, {-0.2, -1}, {0.6, -1}},
		Arranged: []Arranged{{"ends", [][2]float64{{-6, 1}, {-5, 1}, {5, -1}, {6, -1}}}}}
	b, s := seenOf(t, spec)
	middle := [2]float64{read(b, s, "LDA: "+MeterHidden), read(b, s, "SDA: "+MeterHidden)}
	if len(s.Panels[0].Marks) != 4 || strings.Count(s.Panels[0].Samples.Looks, "r") != 4 {
		t.Errorf("%d marks, looks %s", len(s.Panels[0].Marks), s.Panels[0].Samples.Looks)
	}
	b, s = seenOf(t, spec, Action{Kind: "named", Index: 0})
	ends := [2]float64{read(b, s, "LDA: "+MeterHidden), read(b, s, "SDA: "+MeterHidden)}
	if middle[1] < 0.97 || ends[1] > ends[0]-0.1 {
		t.Errorf("middle %.3f, ends %.3f", middle, ends)
	}
	if _, s = seenOf(t, spec, Action{Kind: string(HandDrag), Index: 0, At: [2]float64{-6, 1}}); s.Panels[0].Marks[0].At[0] > -4 {
		t.Errorf("a dragged label is at %v", s.Panels[0].Marks[0].At)
	}
}

// TestBenchRefuses tries invalid specs and actions.
func TestBenchRefuses(t *testing.T) {
	moons, lda := recipe("moons", 1), []BenchMethod{method("LDA", ssdrnb.LDA())}
	two := []float64{1, 2}
	for name, s := range map[string]BenchSpec{
		"no method":            {Source: moons},
		"no rule":              {Source: moons, Bench: []BenchMethod{{Name: "x", Rule: "magic"}}},
		"no such method":       {Source: moons, Bench: []BenchMethod{{Name: "x", Method: &Method{Method: "magic"}}}},
		"no samples":           {Bench: lda},
		"a dial of nothing":    {Source: moons, Bench: lda, Dials: []BenchDial{{Name: "magic", Values: two}}},
		"a bad value":          {Source: moons, Bench: lda, Dials: []BenchDial{{Name: "ridge", Values: []float64{-1, 2}}}},
		"a dial of one value":  {Source: moons, Bench: lda, Dials: []BenchDial{{Name: DialLabels, Values: []float64{1}}}},
		"half a label":         {Source: moons, Bench: lda, Dials: []BenchDial{{Name: DialLabels, Values: []float64{0.5, 1}}}},
		"a start outside":      {Source: moons, Bench: lda, Dials: []BenchDial{{Name: DialLabels, Values: two, Start: 2}}},
		"a dial twice":         {Source: moons, Bench: lda, Dials: []BenchDial{{Name: DialLabels, Values: two}, {Name: DialLabels, Values: two}}},
		"no meter":             {Source: moons, Bench: lda, Meters: []string{"magic"}},
		"a verdict without":    {Source: moons, Bench: lda, Meters: []string{MeterVerdict}},
		"draws of one method":  {Source: moons, Bench: lda, Draws: 10, Meters: []string{MeterVerdict}},
		"many draws":           {Source: moons, Bench: append(lda, lda...), Draws: 1e6, Meters: []string{MeterVerdict}},
		"a curve of nothing":   {Source: moons, Bench: lda, Curve: "magic"},
		"marks of another set": {Source: moons, Bench: lda, Answers: true, Marks: [][2]float64{{0, 0}}, Arranged: []Arranged{{Name: "x"}}},
		"a name of nothing":    {Source: moons, Bench: lda, Named: []NamedSetting{{"x", map[string]float64{"magic": 1}}}},
		"no other recipe":      {Source: moons, Bench: lda, Dials: []BenchDial{{Name: DialData, Values: []float64{0, 1}}}},
	} {
		if _, err := openBench(s, "test", nil); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	b, before := seenOf(t, BenchSpec{Source: moons, Bench: lda, Labels: 5, Dials: []BenchDial{{Name: DialLabels, Values: two}}, Meters: []string{MeterHidden}})
	for _, a := range []Action{{Kind: "dial", Name: "magic"}, {Kind: "dial", Name: DialLabels, Index: 2}, {Kind: "dial", Name: DialLabels, Index: -1}, {Kind: "named"}, {Kind: string(HandDrag)}} {
		if err := b.Do(a); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
	// With one label per class LDA has no within-class scatter: the reader sees the reason and no
	// plot.
	if before.Error == "" || !strings.Contains(before.Error, "LDA") || before.Meters[0].Value != nil {
		t.Errorf("a fit that fails: %q", before.Error)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fresh, _ := seenOf(t, BenchSpec{Source: moons, Bench: []BenchMethod{method("S2NE", ssdrnb.S2NE())}, Labels: 5, Dials: []BenchDial{{Name: DialLabels, Values: two}}})
	if err := fresh.Do(Action{Kind: "dial", Name: DialLabels, Index: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Work()(ctx); err == nil {
		t.Error("a cancelled fit ends well")
	}
	if err := fresh.Do(Action{Kind: "reset"}); err != nil || fresh.current.dials[0] != 0 {
		t.Errorf("reset: %v, %v", err, fresh.current)
	}
}

// benchRemedies are the cases of benches.
func benchRemedies() []advicetest.Case {
	moons, ruler := recipe("moons", 1), BenchMethod{Name: "ruler", Rule: RuleRuler}
	err := func(change func(s *BenchSpec)) error {
		s := BenchSpec{Source: moons, Bench: []BenchMethod{ruler}}
		change(&s)
		_, err := openBench(s, "test", nil)
		return err
	}
	finish := func(change func(s *BenchSpec)) error {
		s := BenchSpec{Source: moons, Bench: []BenchMethod{method("SDA", ssdrnb.SDA().Dims(1))}, Labels: 5}
		change(&s)
		return s.Finish(context.Background(), nil)
	}
	of := func(n int) error {
		_, err := openBench(BenchSpec{Bench: []BenchMethod{ruler}}, "test", data.New(mat.NewDense(n, 2, nil), make([]int, n)))
		return err
	}
	marks := func(n int, change func(s *BenchSpec)) error {
		return err(func(s *BenchSpec) { s.Marks, s.Answers = make([][2]float64, n), true; change(s) })
	}
	line := func(marks int) error {
		s := BenchSpec{Bench: []BenchMethod{ruler}, Answers: true, Marks: make([][2]float64, marks)}
		_, err := openBench(s, "test", data.New(mat.NewDense(3, 1, []float64{0, 1, 2}), []int{0, 0, 1}))
		return err
	}
	noise := func(samples float64) *recipes.Recipe {
		return &recipes.Recipe{Name: "noise", Seed: 1, With: map[string]float64{"samples": samples}}
	}
	others := func(samples float64) error {
		return err(func(s *BenchSpec) {
			s.Others, s.Labels = []NamedRecipe{{"noise", *noise(samples)}}, -1
			s.Dials = []BenchDial{{Name: DialData, Values: []float64{0, 1}}}
		})
	}
	sizes := func(samples ...float64) error {
		return err(func(s *BenchSpec) {
			s.Source, s.Labels = Source{noise(50)}, -1
			s.Dials = []BenchDial{{Name: "samples", Values: samples}}
		})
	}
	_, distances := openBench(BenchSpec{Bench: []BenchMethod{ruler}}, "test", data.FromDistances(mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0})))
	twenty := BenchDial{Name: DialDraw}
	for v := range 20 {
		twenty.Values = append(twenty.Values, float64(v))
	}
	dial := func(values ...float64) func(s *BenchSpec) {
		return func(s *BenchSpec) { s.Dials = []BenchDial{{Name: DialLabels, Values: values}} }
	}
	methods := func(n int) func(s *BenchSpec) {
		return func(s *BenchSpec) {
			s.Bench = nil
			for range n {
				s.Bench = append(s.Bench, ruler)
			}
		}
	}
	dials := func(names ...string) func(s *BenchSpec) {
		return func(s *BenchSpec) {
			for _, name := range names {
				s.Dials = append(s.Dials, BenchDial{Name: name, Values: []float64{0, 1}})
			}
		}
	}
	return []advicetest.Case{
		{"many samples", of(1001), "give at most 1000 samples", func() error { return of(1000) }},
		{"many samples of another recipe", others(1001), "give at most 1000 samples", func() error { return others(1000) }},
		{"many samples on a dial", sizes(100, 1001, 50), "give at most 1000 samples", func() error { return sizes(100, 1000, 50) }},
		{"distances", distances, "1 to 200 dense features", func() error { return of(10) }},
		{"a dial twice", err(dials(DialDraw, DialDraw)), "leave one out", func() error { return err(dials(DialDraw)) }},
		{"an arrangement of no label", marks(2, func(s *BenchSpec) { s.Arranged = []Arranged{{Name: "far"}} }), "give 2, as many as Movable", func() error {
			return marks(2, func(s *BenchSpec) { s.Arranged = []Arranged{{Name: "far", Marks: make([][2]float64, 2)}} })
		}},
		{"a name for draw 7", err(func(s *BenchSpec) {
			dials(DialDraw)(s)
			s.Named = []NamedSetting{{"lucky", map[string]float64{DialDraw: 7}}}
		}), "name a value of a dial", func() error {
			return err(func(s *BenchSpec) {
				dials(DialDraw)(s)
				s.Named = []NamedSetting{{"lucky", map[string]float64{DialDraw: 1}}}
			})
		}},
		{"a dial of no name", err(dials("drow")), "give one of these, or a name that BenchBuilder.Dial lists", func() error { return err(dials(DialDraw)) }},
		{"draws of one method", err(func(s *BenchSpec) { s.Draws, s.Meters = 1, []string{MeterVerdict} }), "add another with Method or Rule", func() error {
			return err(func(s *BenchSpec) { methods(2)(s); s.Draws, s.Meters = 1, []string{MeterVerdict} })
		}},
		{"a verdict without draws", err(func(s *BenchSpec) { methods(2)(s); s.Meters = []string{MeterVerdict} }), "call Draws, which adds it", func() error {
			return err(func(s *BenchSpec) { methods(2)(s); s.Draws, s.Meters = 1, []string{MeterVerdict} })
		}},
		{"a curve over no dial", err(func(s *BenchSpec) { s.Curve, s.CurveDraws = DialDraw, 1 }), "add it with Dial", func() error {
			return err(func(s *BenchSpec) { dials(DialDraw)(s); s.Curve, s.CurveDraws = DialDraw, 1 })
		}},
		{"seven methods", err(methods(7)), "give 1 to 6", func() error { return err(methods(6)) }},
		{"five dials", err(dials(DialDraw, DialWrong, DialTold, DialStandardise, DialMethod)), "give at most 4", func() error { return err(dials(DialDraw, DialWrong, DialTold, DialStandardise)) }},
		{"−2 labels", err(func(s *BenchSpec) { s.Labels = -2 }), "or −1 for none", func() error { return err(func(s *BenchSpec) { s.Labels = -1 }) }},
		{"61 pictures", err(func(s *BenchSpec) { s.Finished = make([]Finished, 61) }), "give at most 60", func() error { return err(func(s *BenchSpec) { s.Finished = nil }) }},
		{"finished models", finish(func(s *BenchSpec) { s.Meters = []string{MeterPieces} }), "leave out Finished", func() error { return err(func(s *BenchSpec) { s.Meters = []string{MeterPieces} }) }},
		{"80 pictures", finish(func(s *BenchSpec) { s.Dials = []BenchDial{twenty, {Name: "manifold", Values: []float64{0, 1, 2, 3}}} }), "give dials with fewer values", func() error { return finish(func(s *BenchSpec) { s.Dials = []BenchDial{twenty} }) }},
		{"101 new samples", err(func(s *BenchSpec) { s.Fresh = 101 }), "give Fresh at most 100, drawn from a single recipe", func() error { return err(func(s *BenchSpec) { s.Fresh = 100 }) }},
		{"21 draws", err(func(s *BenchSpec) { methods(2)(s); s.Draws, s.Meters = 21, []string{MeterVerdict} }), "give 0 to 20", func() error {
			return err(func(s *BenchSpec) { methods(2)(s); s.Draws, s.Meters = 20, []string{MeterVerdict} })
		}},
		{"13 marks", marks(13, func(s *BenchSpec) {}), "give at most 12 labels", func() error { return marks(12, func(s *BenchSpec) {}) }},
		{"marks without answers", marks(2, func(s *BenchSpec) { s.Answers = false }), "call Answers", func() error { return marks(2, func(s *BenchSpec) {}) }},
		{"marks on weights", marks(2, func(s *BenchSpec) { s.Weights = true }), "leave out Weights and Runs", func() error { return marks(2, func(s *BenchSpec) {}) }},
		{"marks on runs", marks(2, func(s *BenchSpec) { s.Runs = true }), "leave out Weights and Runs", func() error { return marks(2, func(s *BenchSpec) {}) }},
		{"marks in one feature", line(1), "leave out Movable", func() error { return line(0) }},
		{"no such meter", err(func(s *BenchSpec) { s.Meters = []string{"magic"} }), `give one of ["agreement of the runs" "apart"`, func() error { return err(func(s *BenchSpec) { s.Meters = []string{MeterAgreement} }) }},
		{"apart from nothing", err(func(s *BenchSpec) { s.Meters = []string{MeterApart} }), "give two methods or rules", func() error {
			return err(func(s *BenchSpec) { methods(2)(s); s.Meters = []string{MeterApart} })
		}},
		{"apart, one at a time", err(func(s *BenchSpec) {
			methods(2)(s)
			s.Meters, s.Dials = []string{MeterApart}, []BenchDial{{Name: DialMethod, Values: []float64{0, 1}}}
		}), `no dial "method"`, func() error {
			return err(func(s *BenchSpec) { methods(2)(s); s.Meters = []string{MeterApart} })
		}},
		{"a dial of one value", err(dial(1)), "give 2 to 60 values", func() error { return err(dial(1, 2)) }},
		{"half a label", err(dial(0.5, 1)), "give whole numbers from 1 to 1000", func() error { return err(dial(1, 1000)) }},
	}
}

// All classes that a dial can show have names and colours from the beginning.
func TestLegendOfBench(t *testing.T) {
	tossed := BenchSpec{Source: recipe("noise", 1), Bench: []BenchMethod{method("PCA", ssdrnb.PCA())}, Dials: []BenchDial{{Name: DialTossed, Values: []float64{2, 4, 3}}}}
	other := BenchSpec{Source: recipe("moons", 1), Others: []NamedRecipe{{Name: "five", Recipe: recipes.Recipe{Name: "clusters", Seed: 1}}}, Bench: []BenchMethod{method("PCA", ssdrnb.PCA())}, Dials: []BenchDial{{Name: DialData, Values: []float64{0, 1}}}}
	for want, spec := range map[int]BenchSpec{4: tossed, 5: other} {
		b, s := seenOf(t, spec, Action{Kind: "dial", Name: spec.Dials[0].Name, Index: 1})
		setup := b.Setup()
		if len(setup.Names) != want || len(setup.Colors) < want {
			t.Errorf("%s: %d names and %d colours for %d classes", spec.Dials[0].Name, len(setup.Names), len(setup.Colors), want)
		}
		for _, class := range s.Panels[0].Samples.Of {
			if class >= want {
				t.Errorf("%s: a sample of class %d", spec.Dials[0].Name, class)
			}
		}
	}
}

// TestFreshOfBench gives coin tosses of noise to methods as labels: new samples fall on both sides.
func TestFreshOfBench(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	noise := func(samples, features float64) Source {
		return Source{Recipe: &recipes.Recipe{Name: "noise", Seed: 1, With: map[string]float64{"samples": samples, "features": features}}}
	}
	told := []BenchDial{{Name: DialTold, Values: []float64{0, 100}, Start: 1}}
	s := BenchSpec{Source: noise(60, 55), Bench: []BenchMethod{method("LDA", ssdrnb.LDA())}, Dials: told, Meters: []string{MeterSame, MeterFreshRight}, Fresh: 60}
	b, state := seenOf(t, s)
	if same, fresh := read(b, state, MeterSame), read(b, state, MeterFreshRight); same < 0.95 || fresh < 0.3 || fresh > 0.7 {
		t.Errorf("LDA of tosses: %.3f in the embedding, %.3f of new samples", same, fresh)
	}
	p := state.Panels[0].Samples
	if n := strings.Count(p.Looks, "x"); n != 60 || len(p.Of) != 120 || len(p.At.Steps) != 4*120 {
		t.Errorf("%d crosses, %d samples", n, len(p.Of))
	}
	if _, state = seenOf(t, s, Action{Kind: "dial", Name: DialTold}); state.Meters[1].Value != nil {
		t.Errorf("no labels are given, and %s of the new samples are right", state.Meters[1].Text)
	}
	s = BenchSpec{Source: noise(200, 20), Bench: []BenchMethod{method("S2NE", ssdrnb.S2NE().Seed(1)), {Name: "data", Rule: RuleData}}, Dials: told, Meters: []string{MeterSeparation, MeterFreshRight}, Fresh: 60}
	for _, finish := range []bool{false, true} { // the views may be sent along
		if finish {
			if err := s.Finish(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
		}
		b, state = seenOf(t, s)
		if v := read(b, state, "S2NE: "+MeterFreshRight); v < 0.35 || v > 0.65 {
			t.Errorf("S2NE of tosses: %.3f of new samples", v)
		}
		for name, r := range b.results.kept {
			if finish && r.model != nil {
				t.Errorf("%s was fitted", name)
			}
		}
	}
	t.Logf("S2NE: separation %s, new right %s", state.Meters[0].Text, state.Meters[2].Text)
	if strings.Contains(state.Panels[1].Samples.Looks, "x") {
		t.Error("a rule places new samples")
	}
}

// TestRulerAndRumourAgree places four names on the rivers, as the exercise of lesson 4 requires.
func TestRulerAndRumourAgree(t *testing.T) {
	s := BenchSpec{Source: recipe("rivers", 1), Bench: []BenchMethod{{Name: "ruler", Rule: RuleRuler}, {Name: "rumour", Rule: RuleRumour}}, Answers: true, Meters: []string{MeterHidden, MeterApart},
		Marks: [][2]float64{{-2, 1.5}, {-3, 1.5}, {2, -1.5}, {3, -1.5}}}
	b, state := seenOf(t, s)
	if v := read(b, state, MeterApart); !(v > 0.1) || math.Abs(v-math.Abs(*state.Meters[0].Value-*state.Meters[1].Value)) > 1e-12 {
		t.Errorf("at first: %+v", state.Meters)
	}
	b, state = seenOf(t, s, Action{Kind: string(HandDrag), Index: 1, At: [2]float64{2, 1.5}}, Action{Kind: string(HandDrag), Index: 3, At: [2]float64{-2, -1.5}})
	t.Logf("ruler %s, rumour %s, apart %s", state.Meters[0].Text, state.Meters[1].Text, state.Meters[2].Text)
	if v := read(b, state, MeterApart); !(v <= 0.03) {
		t.Errorf("two names in each river: %+v", state.Meters)
	}
	s.Bench = s.Bench[:1]
	if _, err := openBench(s, "test", nil); err == nil {
		t.Error("one method is apart from itself")
	}
}

// TestLostLinks shows the links across the tear of a rolled sheet without another fit.
func TestLostLinks(t *testing.T) {
	s := BenchSpec{Source: Source{Recipe: &recipes.Recipe{Name: "roll", Seed: 1, With: map[string]float64{"samples": 300}}}, Bench: []BenchMethod{method("t-SNE", ssdrnb.TSNE().Seed(1))},
		Dials: []BenchDial{{Name: DialLost, Values: []float64{0, 1}, Words: []string{"hidden", "shown"}}}, Meters: []string{MeterTorn, MeterKept}}
	b, state := seenOf(t, s)
	if p := state.Panels[0]; p.Links != nil || p.Samples.Levels != nil {
		t.Error("the tear is shown without a request")
	}
	if err := b.Do(Action{Kind: "dial", Name: DialLost, Index: 1}); err != nil {
		t.Fatal(err)
	}
	fits := len(b.results.kept)
	after, err := b.Work()(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(b.results.kept) != fits {
		t.Error("a display switch causes a refit")
	}
	from := map[int]bool{}
	kept := [2][]float64{}
	for _, l := range after.Panels[0].Links {
		if l.Kind != Broken {
			t.Errorf("a link of kind %d", l.Kind)
		}
		from[l.I] = true
	}
	if float64(len(from)) != *state.Meters[0].Value || len(from) == 0 {
		t.Errorf("links of %d samples, %s torn", len(from), state.Meters[0].Text)
	}
	for i, v := range after.Panels[0].Samples.Levels {
		k := 0
		if from[i] {
			k = 1
		}
		kept[k] = append(kept[k], float64(v)/255)
	}
	whole, torn := stat.Mean(kept[0], nil), stat.Mean(kept[1], nil)
	t.Logf("kept neighbours: %.2f, at the tear %.2f", whole, torn)
	if torn > whole-0.15 {
		t.Errorf("kept neighbours: %.2f, at the tear %.2f", whole, torn)
	}
}

// TestWrongNames checks the means over twenty draws that lesson 4 gives for no wrong name and for
// one of ten (4.7).
func TestWrongNames(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	draws := BenchDial{Name: DialDraw}
	for v := range 20 {
		draws.Values = append(draws.Values, float64(v+1))
	}
	s := BenchSpec{Source: recipe("moons", 1), Labels: 5, Dials: []BenchDial{{Name: DialWrong, Values: []float64{0, 1}}, draws}, Meters: []string{MeterHidden},
		Bench: []BenchMethod{method("LDA", ssdrnb.LDA().Dims(1)), {Name: "ruler", Rule: RuleRuler}, method("KSDA", ssdrnb.KSDA().Dims(1).Scale(0.3)), method("S2NE", ssdrnb.S2NE().Seed(1))}}
	for wrong, want := range [][]float64{{0.83, 0.95, 0.99, 1}, {0.75, 0.85, 0.88, 0.90}} {
		sum := make([]float64, len(want))
		for k := range draws.Values {
			_, state := seenOf(t, s, Action{Kind: "dial", Name: DialWrong, Index: wrong}, Action{Kind: "dial", Name: DialDraw, Index: k})
			for m := range sum {
				sum[m] += *state.Meters[m].Value / float64(len(draws.Values))
			}
		}
		for m, got := range sum {
			if math.Abs(got-want[m]) > 0.02 {
				t.Errorf("%s, %d wrong: %.3f, the lesson has %.2f", s.Bench[m].Name, wrong, got, want[m])
			}
		}
		t.Logf("%d wrong: %.3f", wrong, sum)
	}
}
