package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func recipe(name string, seed uint64) Source {
	return Source{Recipe: &recipes.Recipe{Name: name, Seed: seed}}
}

// player does things on a stage and reads its meters.
type player struct {
	t *testing.T
	s Stage
}

func play(t *testing.T, spec Spec) player {
	t.Helper()
	s, err := spec.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	return player{t, s}
}

func playGraph(t *testing.T, spec GraphPlaySpec) player {
	t.Helper()
	return play(t, Spec{Title: "graph", GraphPlay: &spec})
}

func (p player) see() *State {
	p.t.Helper()
	s, err := p.s.Work()(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// do acts and returns what is seen then.
func (p player) do(a Action) *State {
	p.t.Helper()
	if err := p.s.Do(a); err != nil {
		p.t.Fatalf("%+v: %v", a, err)
	}
	return p.see()
}

// meter is the value of a meter, NaN for none.
func (p player) meter(s *State, name string) float64 {
	p.t.Helper()
	k := slices.IndexFunc(p.s.Setup().Meters, func(m Meter) bool { return m.Name == name })
	if k < 0 {
		p.t.Fatalf("no meter %q", name)
	}
	if s.Meters[k].Value == nil {
		return math.NaN()
	}
	return *s.Meters[k].Value
}

// dial sets a dial to a value as it is shown.
func (p player) dial(name, value string) *State {
	p.t.Helper()
	for _, d := range p.s.Setup().Dials {
		if k := slices.Index(d.Values, value); d.Name == name && k >= 0 {
			return p.do(Action{Kind: "dial", Name: name, Index: k})
		}
	}
	p.t.Fatalf("no dial %q with %q", name, value)
	return nil
}

func (p player) press(name string) *State { return p.do(Action{Kind: "press", Name: name}) }

// near checks a share or number against what the lesson tells.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v ± %v", what, got, want, tolerance)
	}
}

func TestPieces(t *testing.T) { // 3.1, 3.2
	p := playGraph(t, GraphPlaySpec{Source: recipe("moons", 1), From: 1, To: 30, Start: 1, Modes: []string{ModeLinks}})
	for k, want := range []float64{57, 15, 5, 3, 2, 2, 2, 2, 1, 1} {
		if got := p.meter(p.dial(dialNeighbors, fmt.Sprint(k+1)), meterPieces); got != want {
			t.Errorf("k = %d: %v pieces, want %v", k+1, got, want)
		}
	}
	for k, want := range map[int]float64{8: 0, 9: 2, 10: 3, 12: 4, 15: 6, 20: 24, 30: 138} {
		s := p.dial(dialNeighbors, fmt.Sprint(k))
		if got := p.meter(s, meterRed); got != want {
			t.Errorf("k = %d: %v red links, want %v", k, got, want)
		}
		red := 0
		for _, l := range s.Panels[0].Links {
			if l.Kind == Wrong {
				red++
			}
		}
		if red != int(want) {
			t.Errorf("k = %d: %d links are red, want %v", k, red, want)
		}
	}
}

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		name string
		spec GraphPlaySpec
	}{
		{"3.4", GraphPlaySpec{Source: recipe("moons", 1), From: 6, To: 6, Start: 6, Modes: []string{ModeCarry}}},
	} {
		p := playGraph(t, c.spec)
		for _, k := range []int{1, 5, 10, 20, 1000} {
			s := p.see()
			for p.meter(s, meterSteps) < float64(k) {
				if p.meter(s, meterSteps) < 30 {
					s = p.press(buttonStep)
				} else {
					p.press(buttonRun)
					for range 100 {
						s = p.do(Action{Kind: KindTick})
					}
				}
			}
			fmt.Println(c.name, k, s.Meters[2].Text, s.Meters[3].Text, s.Meters[4].Text)
		}
	}
	// 3.5
	var before, after, healed, changed []float64
	for seed := uint64(1); seed <= 20; seed++ {
		p := playGraph(t, GraphPlaySpec{Source: recipe("moons", seed), From: 6, To: 6, Start: 6, Modes: []string{ModeCarry}, Step: 1000, Links: 1, Cuts: -1})
		before = append(before, p.meter(p.see(), meterCarried))
		d := recipes.Recipe{Name: "moons", Seed: seed}.Data()
		best, pair := math.Inf(1), [2]int{}
		for i := range 100 {
			for j := 100; j < 200; j++ {
				if r := math.Hypot(d.X.At(i, 0)-d.X.At(j, 0), d.X.At(i, 1)-d.X.At(j, 1)); r < best {
					best, pair = r, [2]int{i, j}
				}
			}
		}
		if err := p.s.Do(Action{Kind: "link", Pair: pair}); err != nil {
			fmt.Println(seed, err)
			after = append(after, before[len(before)-1])
		} else {
			s := p.see()
			after = append(after, p.meter(s, meterCarried))
			changed = append(changed, p.meter(s, meterChanged))
			fmt.Println("3.5 seed", seed, pair, s.Meters)
		}
		for _, l := range p.see().Panels[0].Links {
			if l.Kind == Wrong {
				p.do(Action{Kind: "cut", Pair: [2]int{l.I, l.J}})
			}
		}
		healed = append(healed, p.meter(p.see(), meterCarried))
	}
	tell("before", before)
	tell("after", after)
	tell("healed", healed)
	tell("changed", changed)
	for _, k := range []int{4, 6, 8, 20} {
		var sides []float64
		for seed := uint64(1); seed <= 20; seed++ {
			p := playGraph(t, GraphPlaySpec{Source: recipe("moons", seed), From: k, To: k, Start: k, Modes: []string{ModeSwing}})
			sides = append(sides, p.meter(p.see(), meterSides))
		}
		tell(fmt.Sprint("sides ", k), sides)
	}
	for _, k := range []int{6, 8, 10} {
		for _, n := range []int{1, 2, 5} {
			var carried, ruler []float64
			for seed := uint64(1); seed <= 20; seed++ {
				p := playGraph(t, GraphPlaySpec{Source: recipe("moons", seed), From: k, To: k, Start: k, Modes: []string{ModeCarry}, Step: 1000, Labels: n, Draw: seed, Ruler: true})
				s := p.see()
				carried, ruler = append(carried, p.meter(s, meterCarried)), append(ruler, p.meter(s, meterRuler))
			}
			tell(fmt.Sprint("4.1 carried k ", k, " labels ", n), carried)
			tell(fmt.Sprint("4.1 ruler k ", k, " labels ", n), ruler)
		}
	}
	var carried, ruler, c2, r2 []float64
	for seed := uint64(1); seed <= 20; seed++ {
		d := recipes.Recipe{Name: "rivers", Seed: seed}.Data()
		nearest := func(x, y float64) int {
			best, at := math.Inf(1), 0
			for i := range 200 {
				if r := math.Hypot(d.X.At(i, 0)-x, d.X.At(i, 1)-y); r < best {
					best, at = r, i
				}
			}
			return at
		}
		known := []int{nearest(-2, 1.5), nearest(2, -1.5)}
		p := playGraph(t, GraphPlaySpec{Source: recipe("rivers", seed), From: 8, To: 8, Start: 8, Modes: []string{ModeCarry}, Step: 1000, Known: known, Ruler: true})
		s := p.see()
		if seed == 1 {
			fmt.Println("rivers known", known, s.Meters)
		}
		carried, ruler = append(carried, p.meter(s, meterCarried)), append(ruler, p.meter(s, meterRuler))
		p = playGraph(t, GraphPlaySpec{Source: recipe("rivers", seed), From: 8, To: 8, Start: 8, Modes: []string{ModeCarry}, Step: 1000, Labels: 1, Draw: seed, Ruler: true})
		s = p.see()
		c2, r2 = append(c2, p.meter(s, meterCarried)), append(r2, p.meter(s, meterRuler))
	}
	tell("4.4 carried", carried)
	tell("4.4 ruler", ruler)
	tell("4.4 random carried", c2)
	tell("4.4 random ruler", r2)
}

func tell(name string, v []float64) {
	m := 0.0
	for _, x := range v {
		m += x / float64(len(v))
	}
	first := v[0]
	slices.Sort(v)
	fmt.Printf("%s: mean %.3f [%.3f–%.3f] median %.3f seed1 %.3f\n", name, m, v[0], v[len(v)-1], v[len(v)/2], first)
}

var (
	_ = errors.Is
	_ = json.Marshal
	_ = strings.Contains
	_ = mat.NewDense
	_ = data.New
)
