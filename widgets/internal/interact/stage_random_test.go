package interact

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// A stage answers any sequence of messages with a view or an error, never with a panic, and reset
// restores the first view.
func TestStagesTakeAnything(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	source := func(name string) stage.Source {
		return stage.Source{Recipe: &recipes.Recipe{Name: name, Seed: 1}}
	}
	all := []string{stage.ModeLinks, stage.ModeCarry, stage.ModePath, stage.ModeSwing}
	digits := datasets.Digits().Only(0, 3, 8).Take(12)
	model, err := ssdrnb.GPLVM().Rounds(1).Fit(digits.Only(3, 8))
	if err != nil {
		t.Fatal(err)
	}
	pictures, shown, err := stage.MapOf(model, digits)
	if err != nil {
		t.Fatal(err)
	}
	pictures.Meters = []string{stage.MeterDeviation, stage.MeterRedrawn, stage.MeterToldFrom, stage.MeterAnswer}
	named := func(e ssdrnb.Estimator) stage.BenchMethod {
		m := stage.MethodOf(e.Spec())
		return stage.BenchMethod{Name: m.Method, Method: &m}
	}
	ssdr, pca := named(ssdrnb.SSDR().Dims(2)), named(ssdrnb.PCA().Dims(2))
	wine := datasets.Wine().Standardize().KeepLabels(20).Seed(1)
	for name, c := range map[string]struct {
		spec stage.Spec
		data *data.Data
	}{
		"graph":  {spec: stage.Spec{GraphPlay: &stage.GraphPlaySpec{Source: source("moons"), From: 2, To: 12, Start: 5, Modes: all, Cuts: 3, Links: -1, Ruler: true, Named: []stage.NamedValue{{Name: "k", Value: 8}}}}},
		"roll":   {spec: stage.Spec{GraphPlay: &stage.GraphPlaySpec{Source: stage.Source{Recipe: &recipes.Recipe{Name: "roll", With: map[string]float64{"samples": 60}}}, From: 2, To: 12, Start: 5, Modes: all, Hidden: true, Cuts: -1, Links: 2}}},
		"curve":  {spec: stage.Spec{GraphPlay: &stage.GraphPlaySpec{Source: source("rivers"), From: 2, To: 4, Start: 2, Modes: []string{stage.ModeCarry}, Curve: true}}},
		"angle":  {spec: stage.Spec{Landscape: &stage.LandscapeSpec{Source: source("moons"), Angle: &stage.AngleSpec{Both: true}, Named: []stage.NamedValue{{Name: "up", Value: 90}}}}},
		"planes": {spec: stage.Spec{Landscape: &stage.LandscapeSpec{Source: source("steps"), Planes: &stage.PlanesSpec{Dial: "noise", Values: []float64{1, 0.001}}}}},
		"cards":  {spec: stage.Spec{Landscape: &stage.LandscapeSpec{Cards: &stage.CardsSpec{Won: []float64{1, 0, 3}, Lost: []float64{0, 0, 2}}}}},
		"easel":  {spec: stage.Spec{Easel: &stage.EaselSpec{Source: source("blobs"), Bench: []stage.BenchMethod{{Name: "ruler", Rule: stage.RuleRuler}}, Labels: 3, Draws: 2, Features: []float64{2, 6}, Noise: 0.1}}},
		"pairs": {spec: stage.Spec{Pairs: &stage.PairsSpec{Source: source("pancakes"), Bench: []stage.BenchMethod{ssdr}, Hands: true, Offers: true, Hidden: true, Expert: 6, Meters: []string{stage.MeterSame, stage.MeterMust}},
			Challenge: &stage.ChallengeSpec{Name: "three pairs", Wants: []stage.Want{{Meter: stage.MeterMust, Value: 3, Most: true}}, Moves: 200}}},
		"names":  {spec: stage.Spec{Bench: &stage.BenchSpec{Source: source("rivers"), Bench: []stage.BenchMethod{{Name: "ruler", Rule: stage.RuleRuler}, {Name: "rumour", Rule: stage.RuleRumour}}, Answers: true, Meters: []string{stage.MeterApart}, Marks: [][2]float64{{-2, 1.5}, {2, -1.5}}}}},
		"lineup": {spec: stage.Spec{Lineup: &stage.LineupSpec{Rounds: []stage.BenchMethod{pca, pca, pca, pca}, Seed: 2}, Challenge: &stage.ChallengeSpec{Name: "two", Wants: []stage.Want{{Meter: "rounds right", Value: 2}}}}, data: digits},
		"map":    {spec: stage.Spec{Map: &pictures}, data: shown},
		"root":   {spec: stage.Spec{Landscape: &stage.LandscapeSpec{Root: &stage.RootSpec{Method: stage.MethodOf(ssdrnb.TRLDA().Spec())}}}, data: wine},
	} {
		t.Run(name, func(t *testing.T) {
			task := Task{Kind: KindStage, Stage: &c.spec, Data: c.data}
			s, err := openStage(context.Background(), task)
			if err != nil {
				t.Fatal(err)
			}
			first, err := json.Marshal(s.state)
			if err != nil {
				t.Fatal(err)
			}
			rng, taken := rand.New(rand.NewPCG(1, 7)), 0
			for range 300 {
				body, err := json.Marshal(anyAction(rng, s))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Event("action", body); err != nil {
					continue
				}
				taken++
				if rng.IntN(3) > 0 {
					continue // several actions before the next view
				}
				s.Work()(context.Background())()
				if _, err := json.Marshal(s.State()); err != nil || s.state.Error != "" {
					t.Fatalf("after %s: %v, %s", body, err, s.state.Error)
				}
			}
			if taken < 20 {
				t.Errorf("only %d of 300 actions were taken", taken)
			}
			if _, err := s.Event("action", json.RawMessage(`{"kind":"reset"}`)); err != nil {
				t.Fatal(err)
			}
			s.Work()(context.Background())()
			if last, err := json.Marshal(s.state); err != nil || !slices.Equal(first, last) {
				t.Errorf("reset leads to %.300s\ninstead of %.300s", last, first)
			}
		})
	}
}

// anyAction is an action of any kind, mostly within the range of the view.
func anyAction(rng *rand.Rand, s *Stage) stage.Action {
	if s.state.Tick > 0 && rng.IntN(2) == 0 {
		return stage.Action{Kind: stage.KindTick} // as a page does by itself
	}
	kinds := []string{"dial", "dial", "named", "press", "press", stage.KindTick}
	for _, h := range []stage.Hand{stage.HandTurn, stage.HandPick, stage.HandPoint, stage.HandBrush, stage.HandDrag, stage.HandDrop, stage.HandLook, stage.HandLink, stage.HandPart, stage.HandCut} {
		kinds = append(kinds, string(h))
	}
	for _, h := range s.setup.Hands {
		kinds = append(kinds, string(h), string(h), string(h), string(h))
	}
	a := stage.Action{Kind: kinds[rng.IntN(len(kinds))], Panel: rng.IntN(3) * rng.IntN(2), Index: rng.IntN(14) - 1, Pair: [2]int{rng.IntN(210) - 2, rng.IntN(210) - 2},
		At: [2]float64{200*rng.Float64() - 60, 200*rng.Float64() - 100}, By: [2]float64{rng.NormFloat64(), rng.NormFloat64()}}
	switch {
	case a.Kind == "dial" && len(s.setup.Dials) > 0:
		d := s.setup.Dials[rng.IntN(len(s.setup.Dials))]
		a.Name, a.Index = d.Name, rng.IntN(len(d.Values))
	case a.Kind == "press" && len(s.setup.Buttons) > 0:
		a.Name = s.setup.Buttons[rng.IntN(len(s.setup.Buttons))].Name
	case a.Kind == string(stage.HandDrag):
		a.Index = 0
	case a.Kind == string(stage.HandBrush):
		a.At = [2]float64{2.2*rng.Float64() - 1.1, 2.2*rng.Float64() - 1.1}
	case a.Kind == string(stage.HandCut) && len(s.state.Panels[0].Links) > 0:
		l := s.state.Panels[0].Links[rng.IntN(len(s.state.Panels[0].Links))]
		a.Pair = [2]int{l.I, l.J}
	}
	return a
}
