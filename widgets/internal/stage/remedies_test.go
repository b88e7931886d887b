package stage

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Whoever does what an error of a stage advises gets the stage. The cases of graphs and
// landscapes are in their tests.
func TestRemedies(t *testing.T) {
	advicetest.Everywhere(t, []string{"."}, nil, slices.Concat(graphRemedies(t), landscapeRemedies(),
		bandRemedies(t), benchRemedies(), lineupRemedies(t), projectorRemedies()))
}

// tried is a case whose error comes from opening a spec, and which is open after a change.
func tried[S any](open func(S) error, good S) func(cause, says string, bad, mended func(s *S)) advicetest.Case {
	return func(cause, says string, bad, mended func(s *S)) advicetest.Case {
		worse := good
		bad(&worse)
		return advicetest.Case{Cause: cause, Err: open(worse), Says: says, Advised: func() error {
			better := good
			mended(&better)
			return open(better)
		}}
	}
}

func bandRemedies(t *testing.T) []advicetest.Case {
	t.Helper()
	open := func(s BandSpec) error { _, err := Spec{Band: &s}.Open(nil); return err }
	one := tried(open, BandSpec{Seed: 1, Length: 1, Noise: 0.1})
	full := play(t, Spec{Band: &BandSpec{Seed: 1, Length: 1, Noise: 0.1, At: slices.Repeat([]float64{1}, maxMeasured)}})
	more := Action{Kind: string(HandPoint), At: [2]float64{2, 0}}
	return []advicetest.Case{
		one("many points", "give at most", func(s *BandSpec) { s.At = make([]float64, maxMeasured+1) }, func(s *BandSpec) { s.At = make([]float64, maxMeasured) }),
		one("negative questions", "give up to", func(s *BandSpec) { s.Questions = -1 }, func(s *BandSpec) { s.Questions = maxMeasured }),
		one("a noise of 3", "give 0 to 2", func(s *BandSpec) { s.Noise = 3 }, func(s *BandSpec) { s.Noise = 2 }),
		one("a length of 0", "give 0.05 to 20", func(s *BandSpec) { s.Length = 0 }, func(s *BandSpec) { s.Length = 0.05 }),
		one("many repeats", "give 0 to 200", func(s *BandSpec) { s.Repeats = []int{1, 201} }, func(s *BandSpec) { s.Repeats = []int{1, 200} }),
		one("a point outside", "give 0 to", func(s *BandSpec) { s.At = []float64{-1} }, func(s *BandSpec) { s.At = []float64{bandEnd} }),
		{Cause: "a point too many", Err: full.s.Do(more), Says: "remove one first", Advised: func() error {
			if err := full.s.Do(Action{Kind: string(HandDrop), Index: 0}); err != nil {
				return err
			}
			return full.s.Do(more)
		}},
	}
}

func benchRemedies() []advicetest.Case {
	open := func(s BenchSpec) error { _, err := Spec{Bench: &s}.Open(nil); return err }
	pca := method("PCA", ssdrnb.PCA())
	one := tried(open, BenchSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{pca}})
	same := func(*BenchSpec) {}
	dials := func(d ...BenchDial) func(s *BenchSpec) { return func(s *BenchSpec) { s.Dials = d } }
	height := BenchDial{Name: "height", Values: []float64{1, 2}}
	return []advicetest.Case{
		one("no method", "give 1 to 6", func(s *BenchSpec) { s.Bench = nil }, same),
		one("many dials", "give at most 4", dials(make([]BenchDial, 5)...), dials(height, BenchDial{Name: DialLabels, Values: []float64{1, 2}}, BenchDial{Name: DialDraw, Values: []float64{1, 2}}, BenchDial{Name: DialWrong, Values: []float64{0, 1}})),
		one("labels of −2", "−1 for none", func(s *BenchSpec) { s.Labels = -2 }, func(s *BenchSpec) { s.Labels = -1 }),
		one("many draws", "give at most 20", func(s *BenchSpec) { s.Draws = 21 }, func(s *BenchSpec) {
			s.Bench, s.Draws = []BenchMethod{pca, method("LDA", ssdrnb.LDA())}, 20
			s.Meters = []string{"hidden right", "verdict"}
		}),
		one("many meters", "give at most 12 each", func(s *BenchSpec) { s.Meters = slices.Repeat([]string{"islands"}, 13) }, func(s *BenchSpec) { s.Meters = []string{"islands"} }),
		one("an unknown meter", "there are", func(s *BenchSpec) { s.Meters = []string{"x"} }, func(s *BenchSpec) { s.Meters = []string{meterNames()[0]} }),
		one("a dial of one value", "give 2 to", dials(BenchDial{Name: "height", Values: []float64{1}}), dials(height)),
		one("half a label", "give whole numbers from 1", dials(BenchDial{Name: DialLabels, Values: []float64{1, 1.5}}), dials(BenchDial{Name: DialLabels, Values: []float64{1, 2}})),
	}
}

func lineupRemedies(t *testing.T) []advicetest.Case {
	t.Helper()
	open := func(s LineupSpec) error { _, err := Spec{Lineup: &s}.Open(nil); return err }
	pca := method("PCA", ssdrnb.PCA())
	one := tried(open, LineupSpec{Source: recipe("pancakes", 1), Rounds: []BenchMethod{pca}, Seed: 1})
	same := func(*LineupSpec) {}
	p := play(t, Spec{Lineup: &LineupSpec{Source: recipe("pancakes", 1), Rounds: []BenchMethod{pca, pca}, Seed: 1}})
	ready := func() {
		for range lineupPanels {
			p.do(Action{Kind: KindTick})
		}
	}
	pick := Action{Kind: string(HandPick), Panel: 1, Index: -1}
	ready()
	p.do(pick)
	return []advicetest.Case{
		one("no round", "give 1 to 6", func(s *LineupSpec) { s.Rounds = nil }, same),
		one("many samples", "a line-up takes 10 to 400", func(s *LineupSpec) { s.Source = recipe("roll", 1) }, same),
		{Cause: "a round that is over", Err: p.s.Do(pick), Says: "go to the next", Advised: func() error {
			p.press(buttonNextUp)
			ready()
			return p.s.Do(pick)
		}},
	}
}

func projectorRemedies() []advicetest.Case {
	open := func(s ProjectorSpec) error { _, err := Spec{Projector: &s}.Open(nil); return err }
	one := tried(open, ProjectorSpec{Sources: []Source{recipe("pancakes", 1)}})
	same := func(*ProjectorSpec) {}
	given := func(x *mat.Dense) error {
		s, err := Spec{Projector: &ProjectorSpec{Sources: []Source{{}}}}.Open(data.New(x, nil))
		if err != nil {
			return err
		}
		_, err = s.Work()(context.Background())
		return err
	}
	return []advicetest.Case{
		one("no cloud", "give 1 to 3", func(s *ProjectorSpec) { s.Sources = nil }, same),
		one("many titles", "give at most 12 and 3", func(s *ProjectorSpec) { s.Titles = make([]string, 4) }, func(s *ProjectorSpec) { s.Titles = []string{"a"} }),
		one("a turn by nothing", "give −360 to 360", func(s *ProjectorSpec) { s.Turned[0] = math.NaN() }, func(s *ProjectorSpec) { s.Turned[0] = -360 }),
		one("an unknown meter", "it has", func(s *ProjectorSpec) { s.Meters = []string{"x"} }, func(s *ProjectorSpec) { s.Meters = projectorMeters[:1] }),
		one("a plane", "give 3 to 1000 samples of 3", func(s *ProjectorSpec) { s.Sources = []Source{recipe("moons", 1)} }, same),
		{Cause: "equal samples", Err: given(mat.NewDense(4, 3, nil)), Says: "give samples that differ", Advised: func() error {
			return given(mat.NewDense(4, 3, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}))
		}},
	}
}
