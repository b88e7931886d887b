package stage

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// projected opens a projector, performs a reader's actions, and returns the view.
func projected(t *testing.T, s ProjectorSpec, actions ...Action) *State {
	t.Helper()
	p, err := openProjector(s, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return after(t, p, actions...)
}

// TestBeatsOfProjector checks the numbers of lesson 1 with seed 1.
func TestBeatsOfProjector(t *testing.T) {
	spec := ProjectorSpec{Sources: []Source{recipe("pancakes", 1)}, Widest: true, Hidden: true, Meters: projectorMeters, Turned: [2]float64{40, 25},
		Named: []NamedTurn{{"from the front", [2]float64{0, 0}}}}
	near := func(what string, s *State, want ...float64) {
		t.Helper()
		for k, w := range want {
			if got := *s.Meters[k].Value; math.Abs(got-w) > 0.0006 {
				t.Errorf("%s: %s %.4f, wanted %.3f", what, projectorMeters[k], got, w)
			}
		}
	}
	near("widest", projected(t, spec, Action{Kind: "press", Name: buttonWidest}), 0.968, 0.500, 0.797)
	near("x and height", projected(t, spec, Action{Kind: "named"}), 0.692, 0.995)
	// No plane keeps more variance than PCA's, and the reader's best value is kept.
	s := projected(t, spec, Action{Kind: string(HandTurn), By: [2]float64{0.3, -0.2}}, Action{Kind: string(HandTurn), By: [2]float64{-0.7, 0.4}}, Action{Kind: "press", Name: buttonMine})
	if *s.Meters[0].Value != *s.Meters[3].Value || *s.Meters[3].Value > 0.968 {
		t.Errorf("mine is %s, now %s", s.Meters[3].Text, s.Meters[0].Text)
	}
	if s.Panels[1].Samples.Of[0] != -1 {
		t.Error("the colours are not hidden")
	}
	if s = projected(t, spec, Action{Kind: "dial", Name: dialColors, Index: 1}); s.Panels[1].Samples.Of[0] != 0 || s.Dials[0] != 1 {
		t.Error("the colours are not shown")
	}
}

// TestShadowsOfTriplet checks that three clouds have one shadow until they are rotated (1.1).
func TestShadowsOfTriplet(t *testing.T) {
	spec := ProjectorSpec{Sources: []Source{recipe("ring", 1), recipe("tube", 1), recipe("spring", 1)}}
	differ := func(s *State, a, b int) float64 {
		pa, pb := s.Panels[a].Samples.At, s.Panels[b].Samples.At
		most := 0.0
		for k := 0; k+1 < len(pa.Steps); k += 2 {
			at := func(p Packed) float64 { return float64(int16(uint16(p.Steps[k])|uint16(p.Steps[k+1])<<8)) * p.Unit }
			most = max(most, math.Abs(at(pa)-at(pb)))
		}
		return most
	}
	s := projected(t, spec)
	if len(s.Panels) != 3 || differ(s, 0, 1) > 0.001 || differ(s, 0, 2) > 0.001 {
		t.Errorf("%d shadows, which differ by %v and %v", len(s.Panels), differ(s, 0, 1), differ(s, 0, 2))
	}
	if s = projected(t, spec, Action{Kind: string(HandTurn), Panel: 1, By: [2]float64{0, 0.5}}); differ(s, 0, 1) < 0.5 || differ(s, 0, 2) > 0.001 {
		t.Error("one cloud is not turned by itself")
	}
}

// TestTurns checks that rotations stay orthogonal, and that a full turn is the identity.
func TestTurns(t *testing.T) {
	turn := turnedBy([2]float64{33, -71})
	for range 1000 {
		turn = turn.by(0.37, -0.61)
	}
	for a := range 3 {
		for b := range 3 {
			dot, want := 0.0, 0.0
			for j := range 3 {
				dot += turn[a][j] * turn[b][j]
			}
			if a == b {
				want = 1
			}
			if math.Abs(dot-want) > 1e-12 {
				t.Errorf("axes %d and %d: %v", a, b, dot)
			}
		}
	}
	// Dragging to the right and down moves the near side along, and the far side in the opposite
	// direction.
	to := turnedBy([2]float64{}).dragged([2]float64{0.1, 0.1})
	if near := [2]float64{to[0][2], to[1][2]}; !(near[0] > 0.1 && near[1] < -0.1) {
		t.Errorf("the nearest point moves to %v", near)
	}
	if back := turnedBy([2]float64{360, 0}); math.Abs(back[0][0]-1) > 1e-12 || math.Abs(back[2][2]-1) > 1e-12 {
		t.Errorf("after a full turn: %v", back)
	}
}

// TestProjectorRefuses tries invalid specs and actions.
func TestProjectorRefuses(t *testing.T) {
	tenths := mat.NewDense(10, 3, slices.Repeat([]float64{0.1}, 30)) // ten times 0.1 is not exactly 1
	if _, _, err := cloudOf(data.New(tenths, nil)); err == nil {
		t.Error("equal samples are accepted")
	}
	pancakes := recipe("pancakes", 1)
	for name, s := range map[string]ProjectorSpec{
		"no cloud":          {},
		"four clouds":       {Sources: []Source{pancakes, pancakes, pancakes, pancakes}},
		"a flat cloud":      {Sources: []Source{recipe("moons", 1)}},
		"no samples":        {Sources: []Source{{}}},
		"a meter of no use": {Sources: []Source{pancakes}, Meters: []string{"magic"}},
		"an endless turn":   {Sources: []Source{pancakes}, Turned: [2]float64{math.Inf(1), 0}},
		"the widest of two": {Sources: []Source{pancakes, pancakes}, Widest: true},
	} {
		if _, err := openProjector(s, "test", nil); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	p, err := openProjector(ProjectorSpec{Sources: []Source{pancakes}}, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []Action{{Kind: "dial", Name: dialColors}, {Kind: "named"}, {Kind: string(HandTurn), Panel: 2}, {Kind: string(HandTurn), Panel: -1}} {
		if err := p.Do(a); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
	if err := p.Do(Action{Kind: string(HandTurn), By: [2]float64{1, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Do(Action{Kind: "reset"}); err != nil || p.current.turns[0] != p.first.turns[0] {
		t.Errorf("reset: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Work()(ctx); err == nil {
		t.Error("a cancelled state is shown")
	}
}

// cloudRemedies are the cases of projectors, line-ups and challenges.
func cloudRemedies() []advicetest.Case {
	pancakes := recipe("pancakes", 1)
	err := func(change func(s *ProjectorSpec)) error {
		s := ProjectorSpec{Sources: []Source{pancakes}}
		change(&s)
		_, err := openProjector(s, "test", nil)
		return err
	}
	clouds := func(n int) func(s *ProjectorSpec) {
		return func(s *ProjectorSpec) { s.Sources = slices.Repeat([]Source{pancakes}, n) }
	}
	of := func(d *data.Data) error {
		_, err := openProjector(ProjectorSpec{Sources: []Source{{}}}, "test", d)
		return err
	}
	samples := func(n, dim int, step float64) *data.Data {
		x := mat.NewDense(n, dim, nil)
		for i := range n {
			x.Set(i, 0, step*float64(i))
		}
		return data.New(x, nil)
	}
	pca := BenchMethod{Name: "PCA", Method: &Method{Method: "PCA"}}
	line := func(n int, d *data.Data) (*lineup, error) {
		return openLineup(LineupSpec{Rounds: slices.Repeat([]BenchMethod{pca}, n)}, "test", d)
	}
	is := func(_ any, err error) error { return err }
	noise := recipe("noise", 1).Recipe.Data()
	played := func(again ...Action) error {
		l, err := line(2, noise)
		if err != nil {
			return err
		}
		for range lineupPanels {
			if err := l.Do(Action{Kind: KindTick}); err != nil {
				return err
			}
		}
		if err := l.Do(Action{Kind: string(HandPick)}); err != nil {
			return err
		}
		for _, a := range again {
			if err := l.Do(a); err != nil {
				return err
			}
		}
		return nil
	}
	pick := Action{Kind: string(HandPick)}
	next := []Action{{Kind: "press", Name: buttonNextUp}}
	for range lineupPanels {
		next = append(next, Action{Kind: KindTick})
	}
	goal := func(moves int, actions ...string) error {
		s := ProjectorSpec{Sources: []Source{pancakes}, Meters: []string{MeterSpread}}
		c, err := Spec{Projector: &s, Challenge: &ChallengeSpec{Wants: []Want{{MeterSpread, 1, false}}, Moves: moves}}.Open(nil)
		if err != nil {
			return err
		}
		for _, kind := range actions {
			if err := c.Do(Action{Kind: kind, By: [2]float64{0.1, 0}}); err != nil {
				return err
			}
		}
		return nil
	}
	turn := string(HandTurn)
	want := func(meter string, value float64) error {
		s := ProjectorSpec{Sources: []Source{pancakes}, Meters: []string{MeterSpread}}
		return is(Spec{Projector: &s, Challenge: &ChallengeSpec{Wants: []Want{{meter, value, false}}}}.Open(nil))
	}
	return []advicetest.Case{
		{"a goal of no meter", want(MeterKept, 1), "add it with Meters", func() error { return want(MeterSpread, 1) }},
		{"an infinite goal", want(MeterSpread, math.Inf(1)), "give a finite number", func() error { return want(MeterSpread, 1) }},
		{"the widest of two", err(func(s *ProjectorSpec) { clouds(2)(s); s.Widest = true }), "leave out Widest", func() error { return err(clouds(2)) }},
		{"four clouds", err(clouds(4)), "give 1 to 3", func() error { return err(clouds(3)) }},
		{"13 names", err(func(s *ProjectorSpec) { s.Named = make([]NamedTurn, 13) }), "give at most 12 and 3", func() error { return err(func(s *ProjectorSpec) { s.Named = make([]NamedTurn, 12) }) }},
		{"two turns", err(func(s *ProjectorSpec) { s.Turned[0] = 720 }), "give −360 to 360", func() error { return err(func(s *ProjectorSpec) { s.Turned[0] = 360 }) }},
		{"no such meter", err(func(s *ProjectorSpec) { s.Meters = []string{"magic"} }), "give one of spread kept", func() error { return err(func(s *ProjectorSpec) { s.Meters = projectorMeters }) }},
		{"a flat cloud", of(samples(10, 2, 1)), "give 3 to 1000 samples with 3 dense features", func() error { return of(samples(10, 3, 1)) }},
		{"one point", of(samples(10, 3, 0)), "give samples that differ", func() error { return of(samples(10, 3, 1)) }},
		{"seven rounds", is(line(7, noise)), "give 1 to 6", func() error { return is(line(6, noise)) }},
		{"five samples", is(line(1, samples(5, 3, 1))), "give 10 to 400 samples of 1 to 200 dense features", func() error { return is(line(1, samples(10, 3, 1))) }},
		{"a second choice", played(pick), "go to the next", func() error { return played(append(next, pick)...) }},
		{"no goal", is(openChallenge(ChallengeSpec{}, nilStage{})), "give 1 to 12 goals", func() error { return goal(0) }},
		{"a second move of one", goal(1, turn, turn), "reset to try again", func() error { return goal(1, turn, "reset", turn) }},
	}
}

// nilStage shows nothing.
type nilStage struct{ Stage }

func (nilStage) Setup() Setup { return Setup{} }
