package stage

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

var twoSides = []float64{0.5, 1, 1.5, 2, 2.5, 3, 7, 7.5, 8, 8.5, 9, 9.5}

func banded(t *testing.T, s BandSpec, actions ...Action) (*band, *State) {
	t.Helper()
	b, err := openBand(s, "test")
	if err != nil {
		t.Fatal(err)
	}
	return b, after(t, b, actions...)
}

// nearTo compares meters with the numbers in the lesson.
func nearTo(t *testing.T, what string, s *State, tolerance float64, want ...float64) {
	t.Helper()
	for k, w := range want {
		if s.Meters[k].Value == nil || math.Abs(*s.Meters[k].Value-w) > tolerance {
			t.Errorf("%s, meter %d: %s, wanted %v", what, k, s.Meters[k].Text, w)
		}
	}
}

// TestBeatsOfBand checks the numbers of lesson 7; those of widths do not depend on the seed.
func TestBeatsOfBand(t *testing.T) {
	widths := []string{MeterAmong, MeterGap, MeterFar}
	spec := BandSpec{Seed: 1, At: twoSides, Length: 1, Noise: 0.1, Meters: widths}
	_, s := banded(t, spec)
	nearTo(t, "7.1", s, 0.006, 0.15, 1.89, 2)
	_, s = banded(t, spec, Action{Kind: string(HandDrag), Index: 3, At: [2]float64{2, 3}})
	nearTo(t, "7.2, a point dragged up", s, 0.006, 0.15, 1.89, 2)
	repeats := BandSpec{Seed: 1, Length: 1, Noise: 0.3, Repeats: []int{1, 64}, RepeatAt: 5, Meters: []string{MeterHere, MeterNext}}
	_, s = banded(t, repeats)
	nearTo(t, "7.4, once", s, 0.001, 2*0.2874, 2*0.4155)
	_, s = banded(t, repeats, Action{Kind: "dial", Name: dialRepeats, Index: 1})
	nearTo(t, "7.4, 64 times", s, 0.001, 2*0.0375, 2*0.3023)
	everywhere := []float64{}
	for x := 0.5; x < 10; x += 0.5 {
		everywhere = append(everywhere, x)
	}
	for _, c := range []struct {
		what         string
		at           []float64
		jump, length float64
		want         float64
	}{
		{"7.3", twoSides, 0, 0.3, 0.96}, {"7.3", twoSides, 0, 1, 0.96}, {"7.3", twoSides, 0, 2, 0.39}, {"7.3", twoSides, 0, 5, 0.12},
		{"7.6", everywhere, 2, 0.5, 0.62}, {"7.6", everywhere, 2, 1, 0.42}, {"7.6", everywhere, 2, 2, 0.12},
	} {
		mean := 0.0
		for seed := range uint64(50) {
			b, _ := banded(t, BandSpec{Seed: seed, At: c.at, Length: c.length, Noise: 0.1, Jump: 5, JumpHeight: c.jump})
			p, err := NewProcess(b.current.x, b.current.y, c.length, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			from, to := 3.5, 6.5
			if c.jump != 0 {
				from, to = 4, 6
			}
			mean += b.inside(p, from, to) / 50
		}
		if math.Abs(mean-c.want) > 0.07 {
			t.Errorf("%s at length %v: %.3f inside, wanted %.2f", c.what, c.length, mean, c.want)
		}
	}
}

// TestGameOfBand measures at eight places, then lets the page choose them: its places are far
// apart.
func TestGameOfBand(t *testing.T) {
	spec := BandSpec{Seed: 1, Length: 1, Noise: 0.1, Questions: 8, Meters: []string{MeterYourError, MeterPageError}}
	var asked []Action
	for k := range 8 {
		asked = append(asked, Action{Kind: string(HandPoint), At: [2]float64{float64(k) * 0.5, 0}})
	}
	b, s := banded(t, spec, asked...)
	if s.Meters[0].Value == nil || s.Meters[1].Value != nil || !s.Enabled[0] {
		t.Errorf("after eight questions: %+v, %v", s.Meters, s.Enabled)
	}
	hidden := func(s *State) bool {
		return slices.ContainsFunc(s.Panels[0].Lines, func(l Line) bool { return l.Kind == Truth })
	}
	if err := b.Do(Action{Kind: "dial", Name: dialHidden, Index: 1}); err == nil || hidden(s) {
		t.Error("the hidden curve is seen before the page has asked")
	}
	if err := b.Do(asked[0]); err == nil {
		t.Error("a ninth question is answered")
	}
	_, s = banded(t, spec, append(asked, Action{Kind: "press", Name: buttonPage})...)
	if *s.Meters[1].Value >= *s.Meters[0].Value || !hidden(s) {
		t.Errorf("the page has error %s, eight questions on one side %s", s.Meters[1].Text, s.Meters[0].Text)
	}
}

// TestProcess compares a process with two measurements with its closed form.
func TestProcess(t *testing.T) {
	p, err := NewProcess([]float64{0, 1}, []float64{1, -1}, 1, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	k, v := math.Exp(-0.5), 1.25+1e-10
	det := v*v - k*k
	// At x = 0 the covariances with the measurements are 1 and k.
	wantMean := (1*(v+k) + k*(-k-v)) / det
	wantVar := 1 - (1*(v*1-k*k)+k*(v*k-k*1))/det
	mean, sd := p.At(0)
	if math.Abs(mean-wantMean) > 1e-9 || math.Abs(sd*sd-wantVar) > 1e-9 {
		t.Errorf("mean %v, variance %v; wanted %v and %v", mean, sd*sd, wantMean, wantVar)
	}
	if none, _ := NewProcess(nil, nil, 1, 0.1); none != nil {
		if mean, sd := none.At(3); mean != 0 || sd != 1 {
			t.Errorf("without measurements: %v ± %v", mean, sd)
		}
	}
}

// TestBandRefuses tries invalid specs and actions.
func TestBandRefuses(t *testing.T) {
	good := BandSpec{Seed: 1, Length: 1, Noise: 0.1, At: twoSides, Lengths: []float64{1, 2}}
	for name, change := range map[string]func(s *BandSpec){
		"no length": func(s *BandSpec) { s.Length = 0 }, "a NaN": func(s *BandSpec) { s.Noise = math.NaN() }, "a length of −1": func(s *BandSpec) { s.Lengths = []float64{-1} },
		"a point outside": func(s *BandSpec) { s.At = []float64{11} }, "many points": func(s *BandSpec) { s.At = make([]float64, 1000) }, "a meter of no use": func(s *BandSpec) { s.Meters = []string{"magic"} },
		"many repeats": func(s *BandSpec) { s.Repeats = []int{1e6} }, "a jump outside": func(s *BandSpec) { s.Jump = -1 }, "many questions": func(s *BandSpec) { s.Questions = 1e6 },
	} {
		s := good
		change(&s)
		if _, err := openBand(s, "test"); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	b, _ := banded(t, good)
	for _, a := range []Action{{Kind: "dial", Name: "magic"}, {Kind: "dial", Name: dialLength, Index: 2}, {Kind: string(HandDrag), Index: 12}, {Kind: string(HandDrop), Index: -1}, {Kind: string(HandPoint), At: [2]float64{-1, 0}}} {
		if err := b.Do(a); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
	// Equal places are allowed, up to the maximum number.
	for range maxMeasured - len(twoSides) {
		if err := b.Do(Action{Kind: string(HandPoint), At: [2]float64{5, 0}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Do(Action{Kind: string(HandPoint), At: [2]float64{5, 0}}); err == nil {
		t.Error("61 measurements are taken")
	}
	if _, err := b.Work()(context.Background()); err != nil {
		t.Errorf("many measurements at one place: %v", err)
	}
	if err := b.Do(Action{Kind: "press", Name: buttonNothing}); err != nil || len(b.current.x) != 0 {
		t.Errorf("no points: %v", err)
	}
	if err := b.Do(Action{Kind: "reset"}); err != nil || len(b.current.x) != len(twoSides) {
		t.Errorf("reset: %v", err)
	}
}

// bandRemedies are the cases of bands.
func bandRemedies() []advicetest.Case {
	err := func(change func(s *BandSpec)) error {
		s := BandSpec{Seed: 1, Length: 1, Noise: 0.1}
		change(&s)
		_, err := openBand(s, "test")
		return err
	}
	at := func(x ...float64) func(s *BandSpec) { return func(s *BandSpec) { s.At = x } }
	points := func(n int, before ...Action) error {
		b, err := openBand(BandSpec{Seed: 1, Length: 1, Noise: 0.1, At: make([]float64, n)}, "test")
		if err != nil {
			return err
		}
		for _, a := range append(before, Action{Kind: string(HandPoint), At: [2]float64{1, 0}}) {
			if err := b.Do(a); err != nil {
				return err
			}
		}
		return nil
	}
	game := func(before ...Action) error {
		b, err := openBand(BandSpec{Seed: 1, Length: 1, Noise: 0.1, Questions: 1}, "test")
		if err != nil {
			return err
		}
		point := Action{Kind: string(HandPoint), At: [2]float64{1, 0}}
		for _, a := range append(append([]Action{point}, before...), point) {
			if err := b.Do(a); err != nil {
				return err
			}
		}
		return nil
	}
	return []advicetest.Case{
		{"a slider without its initial length", err(func(s *BandSpec) { s.Lengths = []float64{0.5, 2} }), "give one of [0.5 2]", func() error { return err(func(s *BandSpec) { s.Length, s.Lengths = 2, []float64{0.5, 2} }) }},
		{"an unknown meter", err(func(s *BandSpec) { s.Meters = []string{"width"} }), "give one that BandBuilder.Meters lists", func() error { return err(func(s *BandSpec) { s.Meters = []string{MeterGap} }) }},
		{"a measurement after the questions", game(), "press “the page asks”", func() error {
			b, err := openBand(BandSpec{Seed: 1, Length: 1, Noise: 0.1, Questions: 1}, "test")
			if err != nil {
				return err
			}
			return errors.Join(b.Do(Action{Kind: string(HandPoint), At: [2]float64{1, 0}}), b.Do(Action{Kind: "press", Name: "the page asks"}))
		}},
		{"a measurement after the game", game(Action{Kind: "press", Name: buttonPage}), "reset to begin again", func() error { return game(Action{Kind: "reset"}) }},
		{"61 points", err(at(make([]float64, 61)...)), "give at most 60 points, 60 lengths, 60 repeats and 9 meters", func() error { return err(at(make([]float64, 60)...)) }},
		{"repeats at −1", err(func(s *BandSpec) { s.RepeatAt = -1 }), "give 0 to", func() error { return err(func(s *BandSpec) { s.RepeatAt = 0 }) }},
		{"a jump by 11", err(func(s *BandSpec) { s.JumpHeight = 11 }), "−10 to 10", func() error { return err(func(s *BandSpec) { s.JumpHeight = 10 }) }},
		{"a noise of 3", err(func(s *BandSpec) { s.Noise = 3 }), "give 0 to 2", func() error { return err(func(s *BandSpec) { s.Noise = 2 }) }},
		{"a length of 0", err(func(s *BandSpec) { s.Length = 0 }), "give 0.05 to 20", func() error { return err(func(s *BandSpec) { s.Length = 0.05 }) }},
		{"a thousand repeats", err(func(s *BandSpec) { s.Repeats = []int{1000} }), "give 0 to 200", func() error { return err(func(s *BandSpec) { s.Repeats = []int{200} }) }},
		{"a point outside", err(at(11)), "give 0 to 10", func() error { return err(at(10)) }},
		{"one point more", points(60), "remove one first", func() error { return points(60, Action{Kind: string(HandDrop), Index: 3}) }},
	}
}
