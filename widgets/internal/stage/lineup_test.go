package stage

import (
	"context"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestLineup plays two rounds: the real plot stands out, it is revealed only after the choice, and
// the same seed gives the same positions.
func TestLineup(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	digits := datasets.Digits().Seed(1).Take(20)
	spec := LineupSpec{Rounds: []BenchMethod{method("UMAP", ssdrnb.UMAP().Seed(1)), method("PCA", ssdrnb.PCA().Dims(2))}, Seed: 1}
	l, err := openLineup(spec, "test", digits)
	if err != nil {
		t.Fatal(err)
	}
	show := func() *State {
		t.Helper()
		s, err := l.Work()(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if err := l.Do(Action{Kind: string(HandPick), Panel: 3, Index: -1}); err == nil {
		t.Error("a plot can be chosen before all are shown")
	}
	for round := range 2 {
		s := show()
		for range 20 {
			if s.Tick == 0 {
				break
			}
			if s.Panels[0].Chosen || s.Panels[0].Right {
				t.Fatal("the real plot is revealed before the choice")
			}
			if err := l.Do(Action{Kind: KindTick}); err != nil {
				t.Fatal(err)
			}
			s = show()
		}
		if err := l.Do(Action{Kind: string(HandPick), Panel: l.places[round], Index: -1}); err != nil {
			t.Fatal(err)
		}
		s = show()
		if !s.Panels[l.places[round]].Right || s.Meters[0].Text != []string{"1 of 1", "2 of 2"}[round] {
			t.Errorf("round %d: %+v", round+1, s.Meters)
		}
		if own, twins := *s.Meters[1].Value, *s.Meters[2].Value; own < twins+0.03 {
			t.Errorf("round %d: the real one has separation %.2f, the twins %.2f", round+1, own, twins)
		}
		if err := l.Do(Action{Kind: string(HandPick), Panel: 0, Index: -1}); err == nil {
			t.Error("a second choice in a round is accepted")
		}
		if err := l.Do(Action{Kind: "press", Name: buttonNextUp}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Do(Action{Kind: "reset"}); err != nil || l.current.round != 0 || l.current.picked[0] != -1 {
		t.Errorf("reset: %v, %+v", err, l.current)
	}
	for name, s := range map[string]LineupSpec{"no round": {Source: recipe("noise", 1)}, "no method": {Source: recipe("noise", 1), Rounds: []BenchMethod{{Name: "x"}}}, "no samples": {Rounds: spec.Rounds},
		"too many": {Source: recipe("roll", 1), Rounds: spec.Rounds}, "no such method": {Source: recipe("noise", 1), Rounds: []BenchMethod{{Method: &Method{Method: "magic"}}}}} {
		if _, err := openLineup(s, "test", nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fresh, err := openLineup(spec, "test", digits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Work()(ctx); err == nil {
		t.Error("a cancelled line-up is shown")
	}
}
