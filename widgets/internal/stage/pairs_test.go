package stage

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

func pairedOf(t *testing.T, s PairsSpec, actions ...Action) (*paired, *State) {
	t.Helper()
	p, err := openPairs(context.Background(), s, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, after(t, p, actions...)
}

// TestBeatsOfPairs checks the numbers of lesson 5 with seed 1.
func TestBeatsOfPairs(t *testing.T) {
	ssdr, line := []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2))}, []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(1))}
	pancakes := recipe("pancakes", 1)
	between := func(what string, s *State, meter int, lo, hi float64) {
		t.Helper()
		if v := s.Meters[meter].Value; v == nil || *v < lo || *v > hi {
			t.Errorf("%s: %s, wanted %v to %v", what, s.Meters[meter].Text, lo, hi)
		}
	}
	_, s := pairedOf(t, PairsSpec{Source: pancakes, Bench: ssdr, Meters: []string{MeterSame}})
	between("5.1, no pair", s, 0, 0.495, 0.505)
	_, s = pairedOf(t, PairsSpec{Source: pancakes, Bench: ssdr, Dials: []BenchDial{{Name: DialMust, Values: []float64{1, 2}, Start: 1}}, Meters: []string{MeterSame}})
	between("5.1, two must-links", s, 0, 0.97, 1)
	for b, want := range map[string][2]float64{buttonNear: {0.3, 0.6}, buttonFar: {0.99, 1}, buttonRandom: {0.95, 1}} {
		_, s = pairedOf(t, PairsSpec{Source: pancakes, Bench: line, Offers: true, Meters: []string{MeterSame}}, Action{Kind: "press", Name: b})
		between("5.2, "+b, s, 0, want[0], want[1])
	}
	p, _ := pairedOf(t, PairsSpec{Source: pancakes, Bench: ssdr})
	for _, c := range []struct {
		what   string
		must   [][2]int
		lo, hi float64
	}{{"twenty near must-links", p.offers[:20], 0.3, 0.9}, {"two far must-links", p.offers[len(p.offers)-2:], 0.97, 1}} {
		_, s = pairedOf(t, PairsSpec{Source: pancakes, Bench: ssdr, Must: c.must, Meters: []string{MeterSame}})
		between("to take home, "+c.what, s, 0, c.lo, c.hi)
	}
	_, s = pairedOf(t, PairsSpec{Source: pancakes, Bench: ssdr, Dials: []BenchDial{{Name: DialCannot, Values: []float64{1, 20}, Start: 1}}, Meters: []string{MeterSame}})
	between("5.3, twenty cannot-links", s, 0, 0.4, 0.62)
	for k, want := range [][2]float64{{0.99, 0.968}, {0.99, 0.968}, {0.2, 0.488}, {0.02, 0.407}, {0, 0.395}} {
		_, s = pairedOf(t, PairsSpec{Source: pancakes, Bench: ssdr, Ends: true, Dials: []BenchDial{{Name: "must", Values: []float64{0.01, 0.05, 0.1, 0.5, 20}, Start: k}}, Meters: []string{MeterDistance, MeterSpread}})
		between("5.4, distance", s, 0, want[0], want[0]+0.12)
		between("5.4, spread", s, 1, want[1]-0.002, want[1]+0.002)
	}
	_, s = pairedOf(t, PairsSpec{Source: recipe("noise", 1), Tossed: true, Bench: ssdr, Dials: []BenchDial{{Name: DialMust, Values: []float64{10, 11}}, {Name: DialCannot, Values: []float64{10, 11}}}, Meters: []string{MeterGiven, MeterFresh}})
	between("5.7, given", s, 0, 0.02, 0.1)
	between("5.7, fresh", s, 1, 0.85, 1.2)
}

// After an offer has replaced the must-links of the reader, undo removes the cannot-links of the
// reader and then restores the initial pairs.
func TestUndoAfterOffer(t *testing.T) {
	spec := PairsSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2))}, Must: [][2]int{{0, 1}}, Hands: true, Offers: true, Meters: []string{MeterMust}}
	p, _ := pairedOf(t, spec)
	do := func(a Action) {
		t.Helper()
		if err := p.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 7 {
		do(Action{Kind: string(HandLink), Pair: [2]int{2, 3 + i}})
	}
	do(Action{Kind: string(HandPart), Pair: [2]int{2, 150}})
	do(Action{Kind: "press", Name: buttonNear})
	for k, want := range [][2]int{{5, 0}, {1, 0}, {1, 0}} {
		do(Action{Kind: "press", Name: buttonUndo5})
		if got := [2]int{len(p.current.must), len(p.current.cannot)}; got != want {
			t.Errorf("after undo %d: %d must-links and %d cannot-links, want %v", k+1, got[0], got[1], want)
		}
	}
}

// Beside the value of a dial, the number of other pairs is shown, so that the slider agrees with
// the note.
func TestMorePairs(t *testing.T) {
	spec := PairsSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2))}, Hands: true, Offers: true,
		Dials: []BenchDial{{Name: DialMust, Values: []float64{0, 5}}, {Name: DialCannot, Values: []float64{0, 5}}}, Meters: []string{MeterMust}}
	near := Action{Kind: "press", Name: buttonNear}
	dial := Action{Kind: "dial", Name: DialMust, Index: 1}
	for _, c := range []struct {
		does []Action
		note string
		more []string
	}{
		{nil, "0 must-links, 0 cannot-links.", []string{"", ""}},
		{[]Action{dial}, "5 must-links, 0 cannot-links.", []string{"", ""}},
		{[]Action{near}, "5 must-links, 0 cannot-links.", []string{"+ 5 more", ""}},
		{[]Action{near, dial}, "10 must-links, 0 cannot-links.", []string{"+ 5 more", ""}},
		{[]Action{near, dial, {Kind: "press", Name: buttonUndo5}}, "5 must-links, 0 cannot-links.", []string{"", ""}},
		{[]Action{{Kind: string(HandLink), Pair: [2]int{0, 1}}, {Kind: string(HandPart), Pair: [2]int{0, 150}}}, "1 must-link, 1 cannot-link.", []string{"+ 1 more", "+ 1 more"}},
	} {
		if _, s := pairedOf(t, spec, c.does...); !strings.HasPrefix(s.Note, c.note) || !slices.Equal(s.More, c.more) {
			t.Errorf("%v: %q, %q, want %q, %q", c.does, s.Note, s.More, c.note, c.more)
		}
	}
}

// The friend's dial may have a position without advice, which is PCA (5.6).
func TestNoFriend(t *testing.T) {
	spec := PairsSpec{Source: recipe("moons", 1), Bench: []BenchMethod{method("S2NE", ssdrnb.S2NE())}, Dials: []BenchDial{{Name: DialFriend, Values: []float64{-1, 0, 6}}}, Meters: []string{MeterSeparation}}
	p, s := pairedOf(t, spec)
	if got := p.Setup().Dials[0].Values; !slices.Equal(got, []string{"no advice", "0", "6"}) || spec.Dials[0].Values[0] != -1 {
		t.Errorf("the dial has the values %q", got)
	}
	if !strings.HasPrefix(s.Note, "0 must-links") || s.Meters[0].Text != "0.33" || !strings.Contains(s.Panels[0].Title, "PCA") {
		t.Errorf("without advice: %q, %v, %q", s.Note, s.Meters[0].Text, s.Panels[0].Title)
	}
	spec.Dials[0].Values[0] = -2
	if _, err := (Spec{Pairs: &spec}).Open(nil); err == nil || !strings.Contains(err.Error(), "from -1 to 10") {
		t.Errorf("a friend with -2 wrong: %v", err)
	}
}

// TestFriendsPairs checks that wrong must-links merge the moons, and that one of ten is as bad as no
// pairs (5.6).
func TestFriendsPairs(t *testing.T) {
	s2ne := ssdrnb.S2NE().Seed(1).Neighbors(14).Perplexity(30)
	spec := PairsSpec{Source: recipe("moons", 1), Bench: []BenchMethod{method("S2NE", s2ne)}, Dials: []BenchDial{{Name: DialFriend, Values: []float64{0, 1, 6}}}, Meters: []string{MeterSeparation}}
	p, right := pairedOf(t, spec)
	_, one := pairedOf(t, spec, Action{Kind: "dial", Name: DialFriend, Index: 1})
	_, wrong := pairedOf(t, spec, Action{Kind: "dial", Name: DialFriend, Index: 2})
	if *wrong.Meters[0].Value > *right.Meters[0].Value-0.1 {
		t.Errorf("separation %s with ten right, %s with six wrong", right.Meters[0].Text, wrong.Meters[0].Text)
	}
	alone, err := s2ne.Fit(p.data)
	if err != nil {
		t.Fatal(err)
	}
	none := separation(context.Background(), alone.Embedding(), p.truth)
	if math.Abs(none-0.65) > 0.02 || *one.Meters[0].Value > none || *right.Meters[0].Value < none {
		t.Errorf("separation %.3f without pairs, %s with ten right, %s with one wrong", none, right.Meters[0].Text, one.Meters[0].Text)
	}
}

// TestHandsOnPairs adds pairs by hand, removes them, and reports a contradiction.
func TestHandsOnPairs(t *testing.T) {
	spec := PairsSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2)), method("S2NE", ssdrnb.S2NE())}, Hands: true, Hidden: true, Meters: []string{MeterEnds}}
	p, s := pairedOf(t, spec, Action{Kind: string(HandLink), Pair: [2]int{9, 3}}, Action{Kind: string(HandPart), Pair: [2]int{3, 120}}, Action{Kind: string(HandLink), Pair: [2]int{9, 120}})
	if !strings.Contains(s.Note, "SSDR warns: ") || !strings.Contains(s.Note, "S2NE warns: ") || len(s.Panels[0].Links) != 3 || s.Panels[0].Samples.Of[0] != -1 {
		t.Errorf("%q, %d links", s.Note, len(s.Panels[0].Links))
	}
	if err := p.Do(Action{Kind: string(HandPart), Pair: [2]int{9, 3}}); err == nil || !strings.Contains(err.Error(), "together and apart at once") {
		t.Errorf("a pair that is both: %v", err)
	}
	for range 3 {
		if err := p.Do(Action{Kind: "press", Name: buttonUndo5}); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.current.must)+len(p.current.cannot) != 0 {
		t.Errorf("after undoing: %+v", p.current)
	}
}

// TestExpert queries the groups of hidden samples up to the limit, and reaches the goal of lesson 5
// with two must-links that follow from the answers.
func TestExpert(t *testing.T) {
	inner := PairsSpec{Source: recipe("pancakes", 2), Bench: []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2))}, Hands: true, Hidden: true, Expert: 6, Meters: []string{MeterSame, MeterMust}}
	spec := Spec{Pairs: &inner, Challenge: &ChallengeSpec{Name: "Three pairs", Wants: []Want{{MeterSame, 0.95, false}, {MeterMust, 3, true}}}}
	c, s := acted(t, spec)
	p := c.(*challenge).Stage.(*paired)
	named := func(s *State) (rows []int) {
		for i, class := range s.Panels[0].Samples.Of {
			if class >= 0 {
				rows = append(rows, i)
			}
		}
		return rows
	}
	if rows := named(s); rows != nil || !strings.Contains(s.Note, "6 of 6 questions left") {
		t.Fatalf("before a question: %v, %q", rows, s.Note)
	}
	pick := func(i int) error { return c.Do(Action{Kind: string(HandPick), Index: i}) }
	for _, i := range []int{0, 40, 150, 40, -1, 190, 20, 100} {
		if err := pick(i); err != nil {
			t.Fatal(err)
		}
	}
	s = shown(t, c)
	rows := named(s)
	if !slices.Equal(rows, []int{0, 20, 40, 100, 150, 190}) || !strings.Contains(s.Note, "0 of 6 questions left") || strings.Count(s.Panels[0].Samples.Looks, "r") != 6 {
		t.Errorf("after six questions: %v, %q", rows, s.Note)
	}
	for _, i := range rows {
		if s.Panels[0].Samples.Of[i] != p.truth[i] {
			t.Errorf("sample %d is said to be of group %d, not %d", i, s.Panels[0].Samples.Of[i], p.truth[i])
		}
	}
	if err := pick(7); err == nil || s.Won != "" {
		t.Errorf("a seventh question: %v; %q", err, s.Won)
	}
	// The two points of each group that lie farthest apart.
	var links [][2]int
	for group := range 2 {
		most, pair := -1.0, [2]int{}
		for _, i := range rows {
			for _, j := range rows {
				if i < j && p.truth[i] == group && p.truth[j] == group {
					if d := floats.Distance(p.data.X.RawRowView(i), p.data.X.RawRowView(j), 2); d > most {
						most, pair = d, [2]int{i, j}
					}
				}
			}
		}
		links = append(links, pair)
	}
	for _, pair := range links {
		if err := c.Do(Action{Kind: string(HandLink), Pair: pair}); err != nil {
			t.Fatal(err)
		}
	}
	if s = shown(t, c); s.Won == "" {
		t.Errorf("two pairs give %s of their group", s.Meters[0].Text)
	}
	if err := c.Do(Action{Kind: "reset"}); err != nil {
		t.Fatal(err)
	}
	if rows := named(shown(t, c)); rows != nil {
		t.Errorf("after a reset %v are named", rows)
	}
}

func question(i int) Action { return Action{Kind: string(HandPick), Index: i} }

// TestExpertKeepsSecrets queries groups beside two methods: every panel shows the queried groups
// and nothing else, and a repeated query is free.
func TestExpertKeepsSecrets(t *testing.T) {
	spec := PairsSpec{Source: recipe("pancakes", 2), Bench: []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2)), method("S2NE", ssdrnb.S2NE())}, Hands: true, Hidden: true, Expert: 6, Meters: []string{MeterSame, MeterMust}}
	p, s := pairedOf(t, spec)
	if meters := p.Setup().Meters; len(meters) != 3 || meters[2].Name != MeterMust {
		t.Errorf("meters %+v", meters)
	}
	if setup := p.Setup(); !slices.Equal(setup.Hands, []Hand{HandPick, HandLink, HandPart}) || !setup.Asks {
		t.Errorf("hands %v, asks %v", setup.Hands, setup.Asks)
	}
	shows := func(s *State, known ...int) {
		t.Helper()
		if len(s.Panels) != 2 {
			t.Fatalf("%d panels", len(s.Panels))
		}
		for k, panel := range s.Panels {
			for i, c := range panel.Samples.Of {
				want, look := data.Unlabelled, byte('.')
				if slices.Contains(known, i) {
					want, look = p.truth[i], 'r'
				}
				if c != want || panel.Samples.Looks[i] != look {
					t.Errorf("panel %d shows sample %d in class %d, wanted %d; looks %q", k, i, c, want, panel.Samples.Looks)
				}
			}
			for _, l := range panel.Links {
				if l.Kind == Wrong {
					t.Errorf("panel %d reveals that a link joins two groups", k)
				}
			}
			if len(panel.Marks)+len(panel.Lines)+len(panel.Bars) > 0 || panel.Heat != nil || panel.Samples.Levels != nil {
				t.Errorf("panel %d shows more than samples and links: %+v", k, panel)
			}
		}
	}
	do := func(a Action) *State {
		t.Helper()
		if err := p.Do(a); err != nil {
			t.Fatal(err)
		}
		s, err := p.Work()(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	says := func(s *State, left, note string) {
		t.Helper()
		if s.Status != left+" questions left." || !strings.Contains(s.Note, note) {
			t.Errorf("%q and %q instead of %q and %q", s.Status, s.Note, left, note)
		}
	}
	shows(s)
	says(s, "6 of 6", "0 cannot-links. 6 of 6 questions left.")
	before := p.Work()
	s = do(question(3))
	shows(s, 3)
	says(s, "5 of 6", "Dot 3 belongs to the group "+p.legend.Names[p.truth[3]]+". 5 of 6 questions left.")
	shows(do(question(150)), 3, 150)
	s = do(question(3)) // repeated
	shows(s, 3, 150)
	says(s, "4 of 6", "Dot 3 belongs")
	if old, err := before(context.Background()); err != nil {
		t.Fatal(err)
	} else {
		shows(old)
	}
	for _, i := range []int{-1, len(p.truth), math.MaxInt} {
		says(do(question(i)), "4 of 6", "Dot 3 belongs")
	}
	s = do(Action{Kind: string(HandLink), Pair: [2]int{3, 9}})
	shows(s, 3, 150)
	shows(do(Action{Kind: "press", Name: buttonUndo5}), 3, 150)
	for _, i := range []int{0, 1, 198, 199} {
		s = do(question(i))
	}
	if err := p.Do(question(77)); err == nil || !strings.Contains(err.Error(), "all 6 questions; reset") {
		t.Errorf("a seventh question: %v", err)
	}
	says(s, "0 of 6", "Dot 199 belongs")
	shows(do(question(0)), 0, 1, 3, 150, 198, 199)
	s = do(Action{Kind: "reset"})
	shows(s)
	says(s, "6 of 6", "0 cannot-links. 6 of 6")
	plain, _ := pairedOf(t, PairsSpec{Source: recipe("pancakes", 2), Bench: spec.Bench[:1], Hands: true, Hidden: true})
	if err := plain.Do(question(3)); err == nil {
		t.Error("an expert answers who is not there")
	}
}

// TestPairsRefuse tries invalid specs and actions.
func TestPairsRefuse(t *testing.T) {
	ssdr, moons := []BenchMethod{method("SSDR", ssdrnb.SSDR())}, recipe("moons", 1)
	for name, s := range map[string]PairsSpec{
		"no method": {Source: moons}, "a rule": {Source: moons, Bench: []BenchMethod{{Rule: RuleRuler}}}, "no samples": {Bench: ssdr},
		"a pair of others": {Source: moons, Bench: ssdr, Must: [][2]int{{0, 200}}}, "a pair of one": {Source: moons, Bench: ssdr, Cannot: [][2]int{{1, 1}}},
		"a dial of nothing": {Source: moons, Bench: ssdr, Dials: []BenchDial{{Name: "magic", Values: []float64{1, 2}}}}, "many pairs": {Source: moons, Bench: ssdr, Dials: []BenchDial{{Name: DialMust, Values: []float64{1, 1e6}}}},
		"a bad weight": {Source: moons, Bench: ssdr, Dials: []BenchDial{{Name: "must", Values: []float64{-1, 2}}}}, "no groups": {Source: recipe("noise", 1), Bench: ssdr}, "a meter of no use": {Source: moons, Bench: ssdr, Meters: []string{"magic"}},
	} {
		if _, err := openPairs(context.Background(), s, "test", nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	p, _ := pairedOf(t, PairsSpec{Source: moons, Bench: ssdr, Hands: true})
	for _, a := range []Action{{Kind: "dial", Name: "magic"}, {Kind: string(HandLink), Pair: [2]int{0, 200}}, {Kind: string(HandLink), Pair: [2]int{-1, 2}}, {Kind: string(HandPart), Pair: [2]int{1, 1}}} {
		if err := p.Do(a); err == nil {
			t.Errorf("%+v: taken", a)
		}
	}
	if err := p.Do(Action{Kind: string(HandLink), Pair: [2]int{0, 2}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Work()(ctx); err == nil {
		t.Error("a cancelled state is shown")
	}
	if err := p.Do(Action{Kind: "reset"}); err != nil || len(p.current.must) != 0 {
		t.Errorf("reset: %v", err)
	}
}

// pairRemedies are the cases of pairs.
func pairRemedies() []advicetest.Case {
	ssdr := method("SSDR", ssdrnb.SSDR())
	open := func(change func(s *PairsSpec)) (*paired, error) {
		s := PairsSpec{Source: recipe("moons", 1), Bench: []BenchMethod{ssdr}, Hands: true}
		change(&s)
		return openPairs(context.Background(), s, "test", nil)
	}
	err := func(change func(s *PairsSpec)) error {
		_, err := open(change)
		return err
	}
	must := func(values ...float64) func(s *PairsSpec) {
		return func(s *PairsSpec) { s.Dials = []BenchDial{{Name: DialMust, Values: values}} }
	}
	of := func(name string, with map[string]float64) func(s *PairsSpec) {
		return func(s *PairsSpec) {
			s.Source = recipe(name, 1)
			s.Source.Recipe.With = with
		}
	}
	hand := func(kind Hand, pair [2]int, before ...Action) error {
		p, err := open(func(*PairsSpec) {})
		if err != nil {
			return err
		}
		for _, a := range before {
			if err := p.Do(a); err != nil {
				return err
			}
		}
		return p.Do(Action{Kind: string(kind), Pair: pair})
	}
	asks := func(samples ...int) error { // −1 resets
		p, err := open(func(s *PairsSpec) { s.Expert, s.Hidden = 1, true })
		if err != nil {
			return err
		}
		for _, i := range samples {
			a := Action{Kind: string(HandPick), Index: i}
			if i < 0 {
				a.Kind = "reset"
			}
			if err := p.Do(a); err != nil {
				return err
			}
		}
		return nil
	}
	link := Action{Kind: string(HandLink), Pair: [2]int{0, 1}}
	undo := Action{Kind: "press", Name: buttonUndo5}
	var many []Action
	for k := range maxPairs {
		many = append(many, Action{Kind: string(HandLink), Pair: [2]int{k % 100, 100 + k/100}})
	}
	return []advicetest.Case{
		{"a pair of one sample", err(func(s *PairsSpec) { s.Must = [][2]int{{3, 3}} }), "give two different samples from 0 to 199", func() error { return err(func(s *PairsSpec) { s.Must = [][2]int{{3, 199}} }) }},
		{"a dial of no name", err(func(s *PairsSpec) { s.Dials = []BenchDial{{Name: "magic", Values: []float64{0, 1}}} }), "give an option, or a name that PairsBuilder.Dial lists", func() error { return err(must(0, 1)) }},
		{"an unknown meter", err(func(s *PairsSpec) { s.Meters = []string{"width"} }), "give one that PairsBuilder.Meters lists", func() error { return err(func(s *PairsSpec) { s.Meters = []string{MeterMust} }) }},
		{"an expert of what is seen", err(func(s *PairsSpec) { s.Expert = 6 }), "hide the groups", func() error { return err(func(s *PairsSpec) { s.Expert, s.Hidden = 6, true }) }},
		{"too many questions", err(func(s *PairsSpec) { s.Expert, s.Hidden = 51, true }), "give Expert a number from 0 to 50", func() error { return err(func(s *PairsSpec) { s.Expert, s.Hidden = 50, true }) }},
		{"a second question of one", asks(1, 2), "reset to ask about other dots", func() error { return asks(1, -1, 2) }},
		{"no method", err(func(s *PairsSpec) { s.Bench = nil }), "pairs cannot have 0 methods; give 1 to 4", func() error { return err(func(s *PairsSpec) { s.Bench = []BenchMethod{ssdr, ssdr, ssdr, ssdr} }) }},
		{"201 given pairs", err(func(s *PairsSpec) { s.Must = slices.Repeat([][2]int{{0, 1}}, 201) }), "give at most 200 of each", func() error { return err(func(s *PairsSpec) { s.Must = [][2]int{{0, 1}} }) }},
		{"13 meters", err(func(s *PairsSpec) { s.Meters = slices.Repeat([]string{MeterMust}, 13) }), "13 meters are too many; give at most 12", func() error { return err(func(s *PairsSpec) { s.Meters = []string{MeterMust} }) }},
		{"many dials", err(func(s *PairsSpec) { s.Dials = make([]BenchDial, maxDials+1) }), "dials are too many; give at most ", func() error { return err(func(s *PairsSpec) { s.Dials = nil }) }},
		{"600 samples", err(of("roll", nil)), "give 10 to 400 samples of two groups or more", func() error { return err(of("roll", map[string]float64{"samples": 400})) }},
		{"a million pairs", err(must(1, 1e6)), "give whole numbers from 0 to 200", func() error { return err(must(0, 200)) }},
		{"a pair that is both", hand(HandPart, [2]int{0, 1}, link), "undo one of the pairs", func() error { return hand(HandPart, [2]int{0, 1}, link, undo) }},
		{"201 pairs", hand(HandLink, [2]int{5, 6}, many...), "undo one first", func() error { return hand(HandLink, [2]int{5, 6}, append(many, undo)...) }},
	}
}
