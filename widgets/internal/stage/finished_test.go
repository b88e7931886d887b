package stage

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// finishedSpec is the bench with the gaps of lesson 2 by t-SNE.
func finishedSpec() BenchSpec {
	return BenchSpec{Source: recipe("gaps", 1), Bench: []BenchMethod{{Name: "data", Rule: RuleData}, method("t-SNE", ssdrnb.TSNE().Seed(1)), method("PCA", ssdrnb.PCA().Dims(1))},
		Dials: []BenchDial{{Name: "perplexity", Values: []float64{5, 30}, Start: 1}, {Name: DialMethod, Values: []float64{0, 1, 2}}}, Meters: []string{MeterGaps, MeterSame}}
}

// TestFinished compares a bench that was sent with its results with one that fits: the numbers
// agree, and nothing is fitted.
func TestFinished(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	plain, travelled := finishedSpec(), finishedSpec()
	if err := travelled.Finish(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if n := len(travelled.Finished); n != 4 { // two of t-SNE and two of PCA
		t.Errorf("%d results are sent", n)
	}
	raw, err := json.Marshal(travelled)
	if err != nil {
		t.Fatal(err)
	}
	var there BenchSpec
	if err := json.Unmarshal(raw, &there); err != nil {
		t.Fatal(err)
	}
	for p := range 2 {
		for k := range 3 {
			moves := []Action{{Kind: "dial", Name: "perplexity", Index: p}, {Kind: "dial", Name: DialMethod, Index: k}}
			_, want := seenOf(t, plain, moves...)
			b, got := seenOf(t, there, moves...)
			for i := range want.Meters {
				if a, b := *want.Meters[i].Value, *got.Meters[i].Value; math.Abs(a-b) > 0.01*math.Abs(a) {
					t.Errorf("%v: %s by a fit, %s by a sent result", moves, want.Meters[i].Text, got.Meters[i].Text)
				}
			}
			for name, r := range b.results.kept {
				if r.model != nil {
					t.Errorf("%s was fitted", name)
				}
			}
		}
	}
}

// TestFinishedRuns sends nine runs.
func TestFinishedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	s := BenchSpec{Source: recipe("noise", 1), Runs: true, Islands: true, Bench: []BenchMethod{method("t-SNE", ssdrnb.TSNE().Perplexity(3).Start(ssdrnb.RandomStart))}, Meters: []string{MeterAgreement}}
	if err := s.Finish(context.Background(), nil); err != nil || len(s.Finished) != MaxPanels {
		t.Fatalf("%d runs travel, %v", len(s.Finished), err)
	}
	b, state := seenOf(t, s, Action{Kind: "press", Name: buttonAgain}, Action{Kind: "press", Name: buttonAgain})
	if got := read(b, state, MeterAgreement); !(got >= 0 && got < 0.5) || len(state.Panels) != 3 {
		t.Errorf("the runs agree by %.2f, in %d panels", got, len(state.Panels))
	}
	for name, r := range b.results.kept {
		if r.model != nil {
			t.Errorf("%s was fitted", name)
		}
	}
}

// TestFinishedRefuses has results that do not fit the bench; a result for other samples is not
// used.
func TestFinishedRefuses(t *testing.T) {
	good := Finished{Method: 1, Dials: []int{0, 0}, Dims: 2, At: pack(make([]float64, 600))}
	for name, change := range map[string]func(*Finished){
		"no such method":    func(f *Finished) { f.Method = 3 },
		"a run of −1":       func(f *Finished) { f.Run = -1 },
		"one dial":          func(f *Finished) { f.Dials = f.Dials[:1] },
		"no such position":  func(f *Finished) { f.Dials = []int{0, 3} },
		"no dimensions":     func(f *Finished) { f.Dims = 0 },
		"half a number":     func(f *Finished) { f.At.Steps = f.At.Steps[:7] },
		"three in pairs":    func(f *Finished) { f.At.Steps = f.At.Steps[:6] },
		"nothing":           func(f *Finished) { f.At.Steps = nil },
		"an endless number": func(f *Finished) { f.At.Unit = math.Inf(1) },
		"no unit":           func(f *Finished) { f.At.Unit = math.NaN() },
	} {
		f := good
		change(&f)
		s := finishedSpec()
		s.Finished = []Finished{f}
		if _, err := openBench(s, "test", nil); err == nil || !strings.Contains(err.Error(), "finished picture") {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := finishedSpec()
	good.At.Steps = good.At.Steps[:40]
	s.Finished = []Finished{good}
	b, state := seenOf(t, s, Action{Kind: "dial", Name: "perplexity"}, Action{Kind: "dial", Name: DialMethod, Index: 1})
	if r := b.results.kept[resultKey(1, 0, b.settings(&b.current), &b.current)]; r == nil || r.model == nil {
		t.Errorf("a result for ten samples is used for 300: %+v", state.Meters)
	}
}
