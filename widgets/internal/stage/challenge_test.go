package stage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// A meter with several goals shows all of them, and they are reached if all hold.
func TestGoalsOfOneMeter(t *testing.T) {
	inner := ProjectorSpec{Sources: []Source{recipe("pancakes", 2)}, Meters: []string{MeterSpread, MeterSame}, Named: []NamedTurn{{"front", [2]float64{0, 0}}}, Turned: [2]float64{60, 30}}
	open := func(wants ...Want) (Meter, *State) {
		t.Helper()
		c, err := Spec{Title: "test", Projector: &inner, Challenge: &ChallengeSpec{Name: "In a range", Wants: wants}}.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Do(Action{Kind: "named"}); err != nil {
			t.Fatal(err)
		}
		s, err := c.Work()(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return c.Setup().Meters[0], s
	}
	_, s := open(Want{MeterSpread, 0, false})
	v := *s.Meters[0].Value
	for _, c := range []struct {
		least, most float64
		met         bool
	}{{v - 0.1, v + 0.1, true}, {v + 0.1, v + 0.2, false}, {v - 0.2, v - 0.1, false}, {v + 0.1, v - 0.1, false}} {
		wants := []Want{{MeterSpread, c.least, false}, {MeterSpread, c.most, true}}
		for range 2 {
			m, s := open(wants...)
			if s.Meters[0].Met != c.met || (s.Won != "") != c.met || strings.Count(s.Won, MeterSpread) > 1 || len(m.Goals) != 2 {
				t.Errorf("%v from %v to %v: met %v, won %q, goals %v", v, c.least, c.most, s.Meters[0].Met, s.Won, m.Goals)
			}
			slices.Reverse(wants)
		}
	}
}

// TestChallenge reaches two goals of a projector, not before the reader has moved, and runs out of
// moves.
func TestChallenge(t *testing.T) {
	inner := ProjectorSpec{Sources: []Source{recipe("pancakes", 2)}, Meters: []string{MeterSpread, MeterSame}, Named: []NamedTurn{{"front", [2]float64{0, 0}}}, Turned: [2]float64{60, 30}}
	open := func(c ChallengeSpec) (Stage, error) {
		return Spec{Title: "test", Projector: &inner, Challenge: &c}.Open(nil)
	}
	spec := ChallengeSpec{Name: "Both", Wants: []Want{{MeterSame, 0.95, false}, {MeterSpread, 0.6, false}}, Moves: 3}
	c, err := open(spec)
	if err != nil {
		t.Fatal(err)
	}
	see := func() *State {
		t.Helper()
		s, err := c.Work()(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if m := c.Setup().Meters; m[1].Goals[0].Value != 0.95 || m[0].Goals[0].Value != 0.6 {
		t.Errorf("goals: %+v", m)
	}
	if s := see(); s.Won != "" || s.Meters[1].Met {
		t.Errorf("won before the first move: %q", s.Won)
	}
	if err := c.Do(Action{Kind: "named"}); err != nil {
		t.Fatal(err)
	}
	if s := see(); !strings.HasPrefix(s.Won, "Both: same-group neighbours ") || !s.Meters[0].Met || !strings.HasPrefix(s.Note, "1 of 3 moves") {
		t.Errorf("from the front: %q, %+v, %q", s.Won, s.Meters, s.Note)
	}
	for range 2 {
		if err := c.Do(Action{Kind: string(HandTurn), By: [2]float64{0.5, 0}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Do(Action{Kind: "named"}); err == nil || !strings.Contains(err.Error(), "reset to try again") {
		t.Errorf("a fourth move: %v", err)
	}
	if err := c.Do(Action{Kind: "reset"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Do(Action{Kind: "named"}); err != nil {
		t.Errorf("after the reset: %v", err)
	}
	for name, s := range map[string]ChallengeSpec{"no goal": {}, "no such meter": {Wants: []Want{{"magic", 1, false}}}, "a NaN": {Wants: []Want{{MeterSame, math.NaN(), false}}}, "moves": {Wants: spec.Wants, Moves: -1}} {
		if _, err := open(s); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := (Spec{Challenge: &spec}).Open(nil); err == nil {
		t.Error("a challenge around nothing is opened")
	}
}

// TestChallengeOfLineup plays the exercise of lesson 2. Plots that appear by themselves are not
// moves. Two right rounds of three win the medal at once, and the third cannot take it away.
func TestChallengeOfLineup(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	digits := datasets.Digits().Seed(2).Take(20)
	line := LineupSpec{Rounds: []BenchMethod{method("PCA", ssdrnb.PCA().Dims(2)), method("PCA", ssdrnb.PCA().Dims(2)), method("PCA", ssdrnb.PCA().Dims(2))}, Seed: 2}
	for name, play := range map[string]struct {
		right []bool
		medal []string // after each round
	}{
		"right, right, wrong": {[]bool{true, true, false}, []string{"", "2 of 2", "2 of 3"}},
		"right, wrong, right": {[]bool{true, false, true}, []string{"", "", "2 of 3"}},
		"wrong, right, wrong": {[]bool{false, true, false}, []string{"", "", ""}},
		"all right":           {[]bool{true, true, true}, []string{"", "2 of 2", "3 of 3"}},
	} {
		t.Run(name, func(t *testing.T) {
			places, err := openLineup(line, "test", digits)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Spec{Title: "test", Lineup: &line, Challenge: &ChallengeSpec{Name: "Two of three", Wants: []Want{{meterRight, 2, false}}, Moves: 5}}.Open(digits)
			if err != nil {
				t.Fatal(err)
			}
			see := func() *State {
				t.Helper()
				s, err := c.Work()(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			do := func(a Action) {
				t.Helper()
				if err := c.Do(a); err != nil {
					t.Fatal(err)
				}
			}
			for round, right := range play.right {
				moves := fmt.Sprintf("%d of 5 moves.", 2*round)
				for range lineupPanels - 1 {
					do(Action{Kind: KindTick})
				}
				if s := see(); s.Tick != 0 || !strings.HasPrefix(s.Note, moves) {
					t.Errorf("round %d, all drawn: tick %d, %q instead of %q", round+1, s.Tick, s.Note, moves)
				}
				pick := places.places[round]
				if !right {
					pick = (pick + 1) % lineupPanels
				}
				do(Action{Kind: string(HandPick), Panel: pick, Index: -1})
				s, want := see(), play.medal[round]
				if want != "" {
					want = "Two of three: rounds right " + want
				}
				if s.Won != want || s.Meters[0].Met != (want != "") {
					t.Errorf("round %d: %q, %+v", round+1, s.Won, s.Meters[0])
				}
				if round+1 < len(play.right) {
					do(Action{Kind: "press", Name: buttonNextUp})
				}
			}
			do(Action{Kind: "reset"})
			if s := see(); s.Won != "" || s.Meters[0].Met {
				t.Errorf("after the reset: %q", s.Won)
			}
		})
	}
}

// TestFourNames searches for positions of the four names in the exercise of lesson 4.
func TestFourNames(t *testing.T) {
	spec := BenchSpec{Source: recipe("rivers", 2), Bench: []BenchMethod{{Name: "ruler", Rule: RuleRuler}, {Name: "rumour", Rule: RuleRumour}}, Answers: true,
		Meters: []string{MeterHidden, MeterApart}, Marks: [][2]float64{{-2, 1.5}, {-3, 1.5}, {2, -1.5}, {3, -1.5}}}
	want := ChallengeSpec{Name: "Four names", Wants: []Want{{MeterApart, 0.03, true}, {"rumour: " + MeterHidden, 0.9, false}}}
	c, err := Spec{Title: "test", Bench: &spec, Challenge: &want}.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	put := func(places ...[2]float64) *State {
		t.Helper()
		for k, at := range places {
			if err := c.Do(Action{Kind: string(HandDrag), Index: k, At: at}); err != nil {
				t.Fatal(err)
			}
		}
		s, err := c.Work()(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		ruler, rumour, apart := *s.Meters[0].Value, *s.Meters[1].Value, *s.Meters[2].Value
		if len(s.Meters) != 3 || math.Abs(math.Abs(ruler-rumour)-apart) > 1e-12 || (s.Won != "") != (apart <= 0.03 && rumour >= 0.9) {
			t.Errorf("%v: %+v, %q", places, s.Meters, s.Won)
		}
		return s
	}
	// At their initial positions, even after a move.
	if s := put(spec.Marks...); s.Won != "" || *s.Meters[2].Value < 0.2 {
		t.Errorf("at the beginning: %q, apart %s", s.Won, s.Meters[2].Text)
	}
	// All on one side: both methods are wrong for the other half, and agree.
	if s := put([2]float64{-2, 1.5}, [2]float64{-1, 1.5}, [2]float64{-1, -1.5}, [2]float64{-2, -1.5}); s.Won != "" || !s.Meters[2].Met {
		t.Errorf("all on one side: %q, apart %s", s.Won, s.Meters[2].Text)
	}
	// One on the left and one on the right of each river.
	tried, won := 0, 0
	for _, a := range []float64{-3, -2, -1} {
		for _, b := range []float64{1, 2, 3} {
			for _, c := range []float64{-3, -2, -1} {
				tried++
				if s := put([2]float64{a, 1.5}, [2]float64{b, 1.5}, [2]float64{c, -1.5}, [2]float64{2, -1.5}); s.Won != "" {
					won++
				}
			}
		}
	}
	t.Logf("%d of %d arrangements with a left and a right name in each river reach the goals", won, tried)
	if won < 9 {
		t.Errorf("%d of %d arrangements reach the goals", won, tried)
	}
}
