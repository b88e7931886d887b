package stage

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// easelSpec evaluates the methods of the lessons ten times.
func easelSpec(recipe string, labels int) EaselSpec {
	s := EaselSpec{Source: Source{Recipe: &recipes.Recipe{Name: recipe, Seed: 1}}, Labels: labels, Draws: 10}
	for _, one := range []struct {
		name string
		spec ssdrnb.Spec
	}{{"PCA", ssdrnb.PCA().Dims(1).Spec()}, {"LDA", ssdrnb.LDA().Dims(1).Spec()}, {"KSDA", ssdrnb.KSDA().Dims(1).Scale(0.2).Spec()}, {"S2NE", ssdrnb.S2NE().Seed(1).Spec()}} {
		m := MethodOf(one.spec)
		s.Bench = append(s.Bench, BenchMethod{Name: one.name, Method: &m})
	}
	s.Bench = append(s.Bench, BenchMethod{Name: "ruler", Rule: RuleRuler})
	return s
}

// acted opens a stage and performs the reader's actions.
func acted(t *testing.T, s Spec, actions ...Action) (Stage, *State) {
	t.Helper()
	one, err := s.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	return one, after(t, one, actions...)
}

// after performs the reader's actions and returns the view.
func after(t *testing.T, s Stage, actions ...Action) *State {
	t.Helper()
	for _, a := range actions {
		if err := s.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	return shown(t, s)
}

func shown(t *testing.T, s Stage) *State {
	t.Helper()
	state, err := s.Work()(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// asked presses the button and waits for all draws.
func asked(t *testing.T, one Stage) *State {
	t.Helper()
	if err := one.Do(Action{Kind: "press", Name: buttonDraws(10)}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if shown(t, one).Tick == 0 {
			break
		}
		if err := one.Do(Action{Kind: KindTick}); err != nil {
			t.Fatal(err)
		}
	}
	return shown(t, one)
}

// TestPaintingsOfLessons compares the share of right hidden labels for the paintings of lesson 8
// with its text.
func TestPaintingsOfLessons(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	for _, c := range []struct {
		recipe string
		labels int
		meter  int // PCA, LDA, KSDA, S2NE, ruler
		lo, hi float64
	}{
		{"blobs", 5, 0, 0.99, 1}, {"blobs", 5, 1, 0.99, 1}, {"blobs", 5, 4, 0.99, 1},
		{"strips", 5, 0, 0.45, 0.56}, {"strips", 5, 1, 0.97, 1},
		{"disc", 5, 1, 0.6, 0.8}, {"disc", 5, 2, 0.97, 1},
		{"rivers", 1, 3, 0.45, 0.7}, {"rivers", 1, 4, 0.76, 0.92},
	} {
		s := easelSpec(c.recipe, c.labels)
		s.Bench = s.Bench[c.meter : c.meter+1]
		one, _ := acted(t, Spec{Easel: &s})
		got := asked(t, one).Meters[0]
		t.Logf("%s, %d labels, %s: %s", c.recipe, c.labels, s.Bench[0].Name, got.Text)
		if got.Value == nil || *got.Value < c.lo || *got.Value > c.hi {
			t.Errorf("%s, %d labels, %s: %s, want %.2f to %.2f", c.recipe, c.labels, s.Bench[0].Name, got.Text, c.lo, c.hi)
		}
	}
}

// TestPaint paints two groups on an empty canvas and erases points.
func TestPaint(t *testing.T) {
	s := easelSpec("blobs", 5)
	one, state := acted(t, Spec{Easel: &s}, Action{Kind: "press", Name: buttonClear})
	if len(state.Panels[0].Samples.Of) != 0 || state.Enabled[0] || state.Enabled[1] || !strings.Contains(state.Note, "at least 40 dots") {
		t.Errorf("an empty canvas: %+v, %q", state.Enabled, state.Note)
	}
	if err := one.Do(Action{Kind: "press", Name: buttonDraws(10)}); err == nil {
		t.Error("methods are asked about nothing")
	}
	stroke := func(group int, x float64) {
		t.Helper()
		if err := one.Do(Action{Kind: "dial", Name: dialBrush, Index: group}); err != nil {
			t.Fatal(err)
		}
		for k := range 9 {
			if err := one.Do(Action{Kind: string(HandBrush), At: [2]float64{x, -0.8 + 0.2*float64(k)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	stroke(0, -0.5)
	stroke(1, 0.5)
	state = asked(t, one)
	if n := len(state.Panels[0].Samples.Of); n != 90 {
		t.Errorf("%d dots after two strokes", n)
	}
	// The widest direction is along the strokes: PCA cannot separate them, LDA can.
	if pca, lda := *state.Meters[0].Value, *state.Meters[1].Value; pca > 0.7 || lda < 0.95 {
		t.Errorf("upright strokes: PCA %.2f, LDA %.2f", pca, lda)
	}
	if n := len(state.Panels); n != 1+5+1 {
		t.Errorf("%d panels", n)
	}
	before := shown(t, one)
	if err := one.Do(Action{Kind: "dial", Name: dialBrush, Index: 2}); err != nil {
		t.Fatal(err)
	}
	if err := one.Do(Action{Kind: string(HandBrush), At: [2]float64{0.5, 0}}); err != nil {
		t.Fatal(err)
	}
	after := shown(t, one)
	if len(after.Panels[0].Samples.Of) >= len(before.Panels[0].Samples.Of) || after.Meters[0].Value != nil || len(after.Panels) != 1 {
		t.Errorf("rubbed out: %d dots of %d, %+v", len(after.Panels[0].Samples.Of), len(before.Panels[0].Samples.Of), after.Meters)
	}
	for _, a := range []Action{{Kind: string(HandBrush), At: [2]float64{1.1, 0}}, {Kind: string(HandBrush), At: [2]float64{math.NaN(), 0}}, {Kind: string(HandBrush), Panel: 1},
		{Kind: "dial", Name: dialBrush, Index: 3}, {Kind: "dial", Name: dialLift}} {
		if one.Do(a) == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
}

// TestCanvasIsFull paints until the canvas is full.
func TestCanvasIsFull(t *testing.T) {
	s := easelSpec("blobs", 5)
	one, _ := acted(t, Spec{Easel: &s})
	var err error
	for k := 0; err == nil && k < 2*maxPainted; k++ {
		err = one.Do(Action{Kind: string(HandBrush)})
	}
	if err == nil || !strings.Contains(err.Error(), "rub some out") {
		t.Errorf("painted for ever: %v", err)
	}
	if state := shown(t, one); state.Enabled[0] || !strings.Contains(state.Note, "No group may have more than 3 times") {
		t.Errorf("uneven groups: %q", state.Note)
	}
}

// TestLiftedPainting lifts two groups into more features with noise: PCA beats LDA if there are as
// many features as labels allow.
func TestLiftedPainting(t *testing.T) {
	s := easelSpec("blobs", 5)
	pca := MethodOf(ssdrnb.PCA().Dims(2).Spec())
	s.Bench = []BenchMethod{{Name: "PCA", Method: &pca}, s.Bench[1]}
	s.Features, s.Noise = []float64{2, 5, 10, 20}, 0.15
	for k, wants := range [][2]float64{{0.99, 0.99}, {0.97, 0.8}, {0.97, 0}, {0.95, 0}} {
		one, _ := acted(t, Spec{Easel: &s}, Action{Kind: "dial", Name: dialLift, Index: k})
		m := asked(t, one).Meters
		t.Logf("%v features: PCA %s, LDA %s", s.Features[k], m[0].Text, m[1].Text)
		if *m[0].Value < wants[0] || *m[1].Value < wants[1] {
			t.Errorf("%v features: PCA %s, LDA %s", s.Features[k], m[0].Text, m[1].Text)
		}
		if k == 2 && *m[0].Value-*m[1].Value < 0.1 {
			t.Errorf("10 features: PCA %s is not 10 points ahead of LDA, %s", m[0].Text, m[1].Text)
		}
	}
}

// easelRemedies are the cases of paintings.
func easelRemedies() []advicetest.Case {
	err := func(change func(*EaselSpec)) error {
		s := easelSpec("blobs", 5)
		change(&s)
		_, err := openEasel(s, "test", nil)
		return err
	}
	painted := func(last string, actions ...Action) error {
		s := easelSpec("blobs", 5)
		e, err := openEasel(s, "test", nil)
		if err != nil {
			return err
		}
		for _, a := range actions {
			if err := e.Do(a); err != nil {
				return err
			}
		}
		return e.Do(Action{Kind: "press", Name: last})
	}
	dab := func(n int, x float64) []Action {
		return slices.Repeat([]Action{{Kind: string(HandBrush), At: [2]float64{x, 0}}}, n)
	}
	brush := func(k int) []Action { return []Action{{Kind: "dial", Name: dialBrush, Index: k}} }
	clean := []Action{{Kind: "press", Name: buttonClear}}
	ten := buttonDraws(10)
	full := dab((maxPainted-160)/dotsPerStep, 0.9)
	three := func(classes []int) error {
		s := easelSpec("blobs", 5)
		s.Source.Recipe = nil
		_, err := openEasel(s, "test", data.New(mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}), classes))
		return err
	}
	from := func(recipe string) func() error {
		return func() error {
			return err(func(s *EaselSpec) { s.Source.Recipe = &recipes.Recipe{Name: recipe, Seed: 1} })
		}
	}
	return []advicetest.Case{
		{"no method", err(func(s *EaselSpec) { s.Bench = nil }), "give 1 to 6", func() error { return err(func(s *EaselSpec) { s.Bench = s.Bench[:1] }) }},
		{"no labels", err(func(s *EaselSpec) { s.Labels = 0 }), "give 1 to 39", func() error { return err(func(s *EaselSpec) { s.Labels = 39 }) }},
		{"21 draws", err(func(s *EaselSpec) { s.Draws = 21 }), "give 1 to 20", func() error { return err(func(s *EaselSpec) { s.Draws = 20 }) }},
		{"one value", err(func(s *EaselSpec) { s.Features = []float64{2} }), "give 2 to 60, or none for no dial", func() error {
			return errors.Join(err(func(s *EaselSpec) { s.Features = []float64{2, 3} }), err(func(s *EaselSpec) { s.Features = nil }))
		}},
		{"a noise of 2", err(func(s *EaselSpec) { s.Noise = 2 }), "give 0 to 1", func() error { return err(func(s *EaselSpec) { s.Noise = 1 }) }},
		{"half a feature", err(func(s *EaselSpec) { s.Features = []float64{2, 2.5} }), "whole numbers from 2 to 50", func() error { return err(func(s *EaselSpec) { s.Features = []float64{2, 50} }) }},
		{"20 features", from("noise")(), "give at most 800 samples with 2 dense features", from("moons")},
		{"three groups", three([]int{0, 1, 2}), "give samples of two classes, each with its class", func() error { return three([]int{0, 1, 1}) }},
		{"a full canvas", painted(ten, append(slices.Clone(full), dab(1, 0.9)...)...), "rub some out first",
			func() error {
				return painted(buttonClear, slices.Concat(full, brush(2), dab(1, 0.9), brush(0), dab(1, 0.9))...)
			}},
		{"an empty canvas", painted(ten, clean...), "paint at least 40 dots of each group",
			func() error {
				return painted(ten, slices.Concat(clean, dab(8, -0.5), brush(1), dab(8, 0.5))...)
			}},
		{"100 against 40", painted(ten, slices.Concat(clean, dab(30, -0.5), brush(1), dab(8, 0.5))...), "more than 3 times as many dots",
			func() error {
				return painted(ten, slices.Concat(clean, dab(24, -0.5), brush(1), dab(8, 0.5))...)
			}},
	}
}
