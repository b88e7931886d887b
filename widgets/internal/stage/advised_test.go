package stage

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// advised returns cases of stages that open with what the error of another one advises.
func advised(cause, says string, bad, good Spec) advicetest.Case {
	_, err := bad.Open(nil)
	return advicetest.Case{Cause: cause, Err: err, Says: says, Advised: func() error {
		_, err := good.Open(nil)
		return err
	}}
}

func bandRemedies(t *testing.T) []advicetest.Case {
	t.Helper()
	of := func(change func(s *BandSpec)) Spec {
		s := BandSpec{Length: 1, Noise: 0.1}
		change(&s)
		return Spec{Band: &s}
	}
	full := of(func(s *BandSpec) { s.At = slices.Repeat([]float64{1}, maxMeasured) })
	st, err := full.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	more := Action{Kind: string(HandPoint), At: [2]float64{2, 0}}
	return []advicetest.Case{
		advised("many points", "give at most 60", of(func(s *BandSpec) { s.At = make([]float64, maxMeasured+1) }), full),
		advised("many questions", "give up to 60", of(func(s *BandSpec) { s.Questions = maxMeasured + 1 }), of(func(s *BandSpec) { s.Questions = maxMeasured })),
		advised("much noise", "give 0 to 2", of(func(s *BandSpec) { s.Noise = 3 }), of(func(s *BandSpec) { s.Noise = 2 })),
		advised("no length", "give 0.05 to 20", of(func(s *BandSpec) { s.Length = 0 }), of(func(s *BandSpec) { s.Length = 0.05 })),
		advised("many at a place", "give 0 to 200", of(func(s *BandSpec) { s.Repeats = []int{1, 201} }), of(func(s *BandSpec) { s.Repeats = []int{0, 200} })),
		advised("a point outside", "give 0 to 10", of(func(s *BandSpec) { s.At = []float64{-1} }), of(func(s *BandSpec) { s.At = []float64{0, 10} })),
		{Cause: "one more point", Err: st.Do(more), Says: "remove one first", Advised: func() error {
			if err := st.Do(Action{Kind: string(HandDrop), Index: 0}); err != nil {
				return err
			}
			return st.Do(more)
		}},
	}
}

func benchRemedies() []advicetest.Case {
	pca := MethodOf(ssdrnb.PCA().Spec())
	of := func(change func(s *BenchSpec)) Spec {
		s := BenchSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{{Name: "PCA", Method: &pca}, {Name: "again", Method: &pca}}}
		change(&s)
		return Spec{Bench: &s}
	}
	dial := func(name string, values ...float64) func(s *BenchSpec) {
		return func(s *BenchSpec) { s.Dials = []BenchDial{{Name: name, Values: values}} }
	}
	dials := func(n int) func(s *BenchSpec) {
		return func(s *BenchSpec) {
			for k, name := range []string{"height", "labels", "draw", "standardise", "wrong names"}[:n] {
				s.Dials = append(s.Dials, BenchDial{Name: name, Values: [][]float64{{1, 2}, {1, 2}, {1, 2}, {0, 1}, {0, 1}}[k]})
			}
		}
	}
	return []advicetest.Case{
		advised("no method", "give 1 to 6", of(func(s *BenchSpec) { s.Bench = nil }), of(func(s *BenchSpec) { s.Bench = s.Bench[:1] })),
		advised("five dials", "give at most 4", of(dials(5)), of(dials(4))),
		advised("fewer than no labels", "−1 for none", of(func(s *BenchSpec) { s.Labels = -2 }), of(func(s *BenchSpec) { s.Labels = -1 })),
		advised("many draws", "give at most 20", of(func(s *BenchSpec) { s.CurveDraws = 21 }), of(func(s *BenchSpec) { s.CurveDraws = 20 })),
		advised("many meters", "give at most 12 each", of(func(s *BenchSpec) { s.Meters = slices.Repeat([]string{MeterSame}, 13) }), of(func(s *BenchSpec) { s.Meters = []string{MeterSame} })),
		advised("an unknown meter", "there are", of(func(s *BenchSpec) { s.Meters = []string{"weight"} }), of(func(s *BenchSpec) { s.Meters = []string{MeterSame} })),
		advised("a dial of one value", "give 2 to 60 values", of(dial("height", 1)), of(dial("height", 1, 2))),
		advised("half a label", "give whole numbers from", of(dial("labels", 1, 1.5)), of(dial("labels", 1, 2))),
	}
}

func lineupRemedies(t *testing.T) []advicetest.Case {
	t.Helper()
	pca := MethodOf(ssdrnb.PCA().Spec())
	rounds := slices.Repeat([]BenchMethod{{Name: "PCA", Method: &pca}}, 7)
	few := datasets.Iris()
	try := func(d *data.Data, n int) error {
		_, err := Spec{Lineup: &LineupSpec{Rounds: rounds[:n]}}.Open(d)
		return err
	}
	st, err := Spec{Lineup: &LineupSpec{Rounds: rounds[:2]}}.Open(few)
	if err != nil {
		t.Fatal(err)
	}
	pick := Action{Kind: string(HandPick)}
	ready := func() {
		for range lineupPanels {
			if err := st.Do(Action{Kind: KindTick}); err != nil {
				t.Fatal(err)
			}
		}
	}
	ready()
	if err := st.Do(pick); err != nil {
		t.Fatal(err)
	}
	return []advicetest.Case{
		{Cause: "no round", Err: try(few, 0), Says: "give 1 to 6", Advised: func() error { return try(few, 6) }},
		{Cause: "few samples", Err: try(few.Take(3), 1), Says: "a line-up takes 10 to 400", Advised: func() error { return try(few.Take(10), 1) }},
		{Cause: "a second choice", Err: st.Do(pick), Says: "go to the next", Advised: func() error {
			if err := st.Do(Action{Kind: "press", Name: buttonNextUp}); err != nil {
				return err
			}
			ready()
			return st.Do(pick)
		}},
	}
}

func projectorRemedies() []advicetest.Case {
	of := func(change func(s *ProjectorSpec)) Spec {
		s := ProjectorSpec{Sources: []Source{recipe("pancakes", 1)}}
		change(&s)
		return Spec{Projector: &s}
	}
	clouds := func(n int) Spec {
		return of(func(s *ProjectorSpec) { s.Sources = slices.Repeat(s.Sources, n) })
	}
	named := func(n int) Spec { return of(func(s *ProjectorSpec) { s.Named = make([]NamedTurn, n) }) }
	turned := func(v float64) Spec { return of(func(s *ProjectorSpec) { s.Turned[0] = v }) }
	meters := func(name string) Spec { return of(func(s *ProjectorSpec) { s.Meters = []string{name} }) }
	try := func(x *mat.Dense) error {
		_, err := Spec{Projector: &ProjectorSpec{Sources: []Source{{}}}}.Open(data.New(x, nil))
		return err
	}
	equal, differ := mat.NewDense(3, 3, nil), mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	return []advicetest.Case{
		advised("no cloud", "give 1 to 3", clouds(0), clouds(3)),
		advised("many names", "give at most 12 and 3", named(13), named(12)),
		advised("many turns", "give −360 to 360", turned(1e9), turned(360)),
		advised("an unknown meter", "it has spread kept", meters("weight"), meters(MeterSpread)),
		{Cause: "a plane", Err: try(mat.NewDense(4, 2, nil)), Says: "give 3 to 1000 samples of 3", Advised: func() error { return try(differ) }},
		{Cause: "equal samples", Err: try(equal), Says: "give samples that differ", Advised: func() error { return try(differ) }},
	}
}
