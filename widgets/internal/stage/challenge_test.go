package stage

import (
	"context"
	"math"
	"strings"
	"testing"
)

// TestChallenge reaches two goals of a projector, not before the reader has moved, and runs
// out of moves.
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
	if m := c.Setup().Meters; *m[1].Goal != 0.95 || *m[0].Goal != 0.6 {
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
