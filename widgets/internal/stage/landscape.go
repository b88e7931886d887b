package stage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// LandscapeSpec describes a stage about a criterion for directions: the variance between groups
// relative to the variance within groups. Exactly one of the pointers is not nil.
type LandscapeSpec struct {
	Source Source      `json:"source"`
	Angle  *AngleSpec  `json:"angle,omitempty"`
	Planes *PlanesSpec `json:"planes,omitempty"`
	Cards  *CardsSpec  `json:"cards,omitempty"`
	Root   *RootSpec   `json:"root,omitempty"`
	// Named lists named values: angles in degrees for Angle, or values of the dial for Planes.
	Named []NamedValue `json:"named,omitempty"`
}

// AngleSpec shows samples with two features and an arrow that the reader turns.
type AngleSpec struct {
	Start float64 `json:"start"`          // in degrees
	Both  bool    `json:"both,omitempty"` // plots two curves: ratio of sums, and sum of ratios
}

// PlanesSpec shows maps of all planes in space. Each point of a map is the normal of a plane.
type PlanesSpec struct {
	// Dial is the parameter of the recipe that a dial sets to one of Values; "" for no dial.
	Dial   string    `json:"dial,omitempty"`
	Values []float64 `json:"values,omitempty"`
}

// CardsSpec shows players with the points that they won and lost. The reader selects two players.
type CardsSpec struct {
	Won  []float64 `json:"won"`
	Lost []float64 `json:"lost"`
}

// RootSpec shows the iterates λ_t by which a method finds the largest trace ratio.
type RootSpec struct {
	Method Method `json:"method"`
}

// Bounds of a landscape.
const (
	maxPoints = 2000
	maxCards  = 8
	mapWidth  = 60
	mapHeight = 30
)

type landscape struct {
	spec  LandscapeSpec
	title string
	data  *data.Data // nil for cards
	moving[place]
	known   memory[int, *planeScores] // by position of the dial
	roots   memory[struct{}, *root]
	guesses atomic.Int32 // number of iterates; 0 before they are computed
}

type place struct {
	angle     int        // angle of the arrow, in half degrees
	visited   []int      // visited angles, in half degrees
	dial      int        // position of the dial
	normal    [2]float64 // turn and tilt of the plane's normal in degrees, see normalAt
	secondMap bool       // the second map is shown
	summit    bool       // the best direction is shown: the whole curve, or the maxima of the maps
	chosen    []int      // selected cards
	pairs     bool       // all pairs of cards are shown
	guess     int        // index of the iterate shown by RootSpec
}

func openLandscape(s LandscapeSpec, title string, d *data.Data) (*landscape, error) {
	l := &landscape{spec: s, title: title}
	kinds := 0
	for _, given := range []bool{s.Angle != nil, s.Planes != nil, s.Cards != nil, s.Root != nil} {
		if given {
			kinds++
		}
	}
	if kinds != 1 {
		return nil, fmt.Errorf("a landscape has one kind, not %d; give one of Angle, Planes, Cards and Root", kinds)
	}
	if len(s.Named) > maxNamed {
		return nil, fmt.Errorf("%d named values are too many; give at most %d", len(s.Named), maxNamed)
	}
	for _, n := range s.Named {
		if l.positionOf(n) < 0 {
			switch {
			case l.spec.Angle != nil:
				return nil, fmt.Errorf("%.40q stands for %v, which is not an angle of the dial; give Named an angle from −360 to 360", n.Name, n.Value)
			case l.spec.Planes != nil && len(l.spec.Planes.Values) > 0:
				return nil, fmt.Errorf("%.40q stands for %v, which is not on the dial; give Named one of the values %v", n.Name, n.Value, l.spec.Planes.Values)
			}
			return nil, fmt.Errorf("%.40q names a value, but this landscape has no dial; leave out Named", n.Name)
		}
	}
	if s.Cards != nil {
		l.begin(place{}, l.apply, l.see)
		return l, s.Cards.check()
	}
	d, err := s.Source.open(d)
	if err != nil {
		return nil, err
	}
	l.data = d
	var first place
	switch {
	case s.Angle != nil:
		err = l.openAngle(d, &first)
	case s.Planes != nil:
		err = l.openPlanes(d, &first)
	default:
		err = l.openRoot(d)
	}
	l.begin(first, l.apply, l.see)
	return l, err
}

// grouped checks that the samples have at least two groups and dim features. If dim is 0, any
// number of features up to 100 is allowed.
func grouped(d *data.Data, dim int) error {
	if d.X == nil {
		wanted := "dense features"
		if dim > 0 {
			wanted = fmt.Sprintf("%d features", dim)
		}
		return fmt.Errorf("%q has no dense features; give data with %s", d.Name, wanted)
	}
	n, features := d.X.Dims()
	switch {
	case n > maxPoints || features > 100:
		return fmt.Errorf("%s with %s are too many; give at most %d samples with at most 100 features", nouns.Count(n, "sample"), nouns.Count(features, "feature"), maxPoints)
	case features < dim:
		return advice.Errorf(fmt.Sprintf("give data with %d features", dim), "this landscape needs %d features, but %q has only %d", dim, d.Name, features)
	case dim > 0 && features > dim:
		return advice.Errorf(fmt.Sprintf("project them with Data.PCA(%d)", dim), "this landscape needs %d features, but the samples have %d features", dim, features)
	}
	groups := map[int]bool{}
	for _, c := range look.KnownClasses(d, n) {
		groups[c] = true
	}
	delete(groups, data.Unlabelled)
	if len(groups) < 2 {
		return fmt.Errorf("the samples have %s, too few for a criterion; give samples of two classes or more", nouns.Count(len(groups), "group"))
	}
	return nil
}

func (c *CardsSpec) check() error {
	if n := len(c.Won); n < 2 || n > maxCards || len(c.Lost) != n {
		return fmt.Errorf("the cards have %s of points won and %d of points lost; give the same number, from 2 to %d", nouns.Count(n, "number"), len(c.Lost), maxCards)
	}
	for _, v := range slices.Concat(c.Won, c.Lost) {
		if !(v >= 0 && v <= 1e9) {
			return fmt.Errorf("the number of points is %v, out of range; give 0 to 1e9", v)
		}
	}
	return nil
}

func (p place) Clone() place {
	p.visited, p.chosen = slices.Clone(p.visited), slices.Clone(p.chosen)
	return p
}

const (
	buttonCurve   = "show the curve"
	buttonOther   = "show the other map"
	buttonSummits = "show the summits"
	buttonPairs   = "show all pairs"
	buttonNext    = "next guess"
	buttonLast    = "guess before"
	dialAngle     = "angle"
)

func (l *landscape) Setup() Setup {
	s := Setup{Title: l.title, Names: []string{}, Colors: []string{}, Symbols: []string{}}
	if l.data != nil {
		n, _ := l.data.X.Dims()
		legend := look.ClassesOf(l.data, n).Legend()
		s.Colors, s.Symbols = legend.Colors, legend.Symbols
		if l.spec.Root == nil {
			s.Names = legend.Names
		}
	}
	for k := len(s.Colors); k < 2; k++ { // bars need two colours
		s.Colors, s.Symbols = append(s.Colors, look.CSS(look.Color(k))), append(s.Symbols, look.Symbol(k))
	}
	ratios := []Meter{
		{Name: "ratio of sums", Doc: "between, summed over the directions, divided by within, also summed over the directions"},
		{Name: "sum of ratios", Doc: "between divided by within for each direction, summed"},
	}
	switch {
	case l.spec.Angle != nil:
		dial := Dial{Name: dialAngle, Unit: "°", Doc: "from the first axis to the arrow", Slider: true}
		for k := range angleSteps {
			dial.Values = append(dial.Values, strconv.FormatFloat(degrees(k), 'f', -1, 64))
		}
		s.Dials, s.Buttons, s.Hands = []Dial{dial}, []Button{{Name: buttonCurve, Doc: "the ratio over all angles, with its summit"}}, []Hand{HandDrag}
		s.Meters = []Meter{{Name: "between", Doc: "variance of the group means along the arrow"}, {Name: "within", Doc: "variance within the groups along the arrow"}, {Name: "ratio", Doc: "between divided by within"}}
	case l.spec.Planes != nil:
		if p := l.spec.Planes; p.Dial != "" {
			dial := Dial{Name: p.Dial}
			for _, v := range p.Values {
				dial.Values = append(dial.Values, strconv.FormatFloat(v, 'g', -1, 64))
			}
			s.Dials = []Dial{dial}
		}
		s.Buttons, s.Hands = []Button{{Name: buttonOther}, {Name: buttonSummits}}, []Hand{HandPoint}
		s.Meters = append(ratios, Meter{Name: "same-group neighbours", Doc: "share of samples whose nearest other sample in the shadow is of their group", Unit: "%"},
			Meter{Name: "summits apart", Doc: "angle between the planes of the two summits", Unit: "°"})
	case l.spec.Cards != nil:
		ratios[0].Doc = "points won by the two players together, divided by points lost by the two together"
		ratios[1].Doc = "points won divided by points lost for each of the two players, summed"
		s.Buttons, s.Hands, s.Meters = []Button{{Name: buttonPairs}}, []Hand{HandPick}, ratios
	default:
		s.Buttons = []Button{{Name: buttonNext, Doc: "where the tangent meets zero"}, {Name: buttonLast}}
		s.Meters = []Meter{{Name: "clicks"}, {Name: "guess", Doc: "the ratio λ"}, {Name: "g", Doc: "sum of the largest eigenvalues of between − λ·within; 0 at the best ratio"}}
	}
	for _, named := range l.spec.Named {
		s.Named = append(s.Named, Named{Name: named.Name, Dials: []int{l.positionOf(named)}})
	}
	return s
}

// positionOf returns the dial position of a named value, or −1 if there is none.
func (l *landscape) positionOf(n NamedValue) int {
	switch {
	case l.spec.Angle != nil && math.Abs(n.Value) <= 360:
		return stepOf(n.Value)
	case l.spec.Planes != nil:
		return slices.Index(l.spec.Planes.Values, n.Value)
	}
	return -1
}

func (l *landscape) apply(p *place, a Action) error {
	switch a.Kind {
	case "named":
		l.set(p, l.positionOf(l.spec.Named[a.Index]))
	case "dial":
		l.set(p, a.Index)
	case string(HandDrag):
		if a.Panel == 0 {
			mean := scatterOf(l.data).mean
			p.point(stepOf(math.Atan2(a.At[1]-mean[1], a.At[0]-mean[0]) * 180 / math.Pi))
		}
	case string(HandPoint):
		if a.Panel >= l.mapsShown(p) {
			return fmt.Errorf("panel %d is not a map of planes", a.Panel)
		}
		if !(math.Abs(a.At[0]-middleTurn) <= 90 && math.Abs(a.At[1]) <= 90) {
			return fmt.Errorf("the turn %v and the tilt %v of a plane are outside of the map", a.At[0], a.At[1])
		}
		p.normal = a.At
	case string(HandPick):
		l.pick(p, a.Index)
	case "press":
		return l.press(p, a.Name)
	}
	return nil
}

func (l *landscape) set(p *place, position int) {
	if l.spec.Angle != nil {
		p.point(position)
		return
	}
	p.dial = position
}

func (l *landscape) press(p *place, name string) error {
	switch name {
	case buttonCurve, buttonSummits:
		p.summit = true
	case buttonOther:
		p.secondMap = true
	case buttonPairs:
		p.pairs = true
	case buttonNext:
		p.guess = min(p.guess+1, max(0, int(l.guesses.Load())-1))
	case buttonLast:
		p.guess = max(0, p.guess-1)
	}
	return nil
}

// pick selects a card, or deselects a selected card. A third card replaces the first selected card.
func (l *landscape) pick(p *place, card int) {
	if card < 0 || card >= len(l.spec.Cards.Won) {
		return
	}
	if k := slices.Index(p.chosen, card); k >= 0 {
		p.chosen = slices.Delete(p.chosen, k, k+1)
		return
	}
	p.chosen = append(p.chosen, card)
	p.chosen = p.chosen[max(0, len(p.chosen)-2):]
}

func (l *landscape) see(ctx context.Context, p *place) (*State, error) {
	switch {
	case l.spec.Angle != nil:
		return l.seeAngle(p), nil
	case l.spec.Planes != nil:
		return l.seePlanes(ctx, p)
	case l.spec.Cards != nil:
		return l.seeCards(p), nil
	}
	return l.seeRoot(ctx, p)
}

// seeCards shows the players. After the button is pressed, it shows all pairs too.
func (l *landscape) seeCards(p *place) *State {
	c := l.spec.Cards
	table := Panel{Title: "Choose two", Cards: true}
	for k := range c.Won {
		table.Bars = append(table.Bars, Bar{Name: c.letter(k), Value: c.Won[k], Class: 0, Chosen: slices.Contains(p.chosen, k),
			Text: fmt.Sprintf("won %s, lost %s", digits(c.Won[k], 2), digits(c.Lost[k], 2))})
	}
	s := &State{Panels: []Panel{table}, Meters: []Reading{{Text: "–"}, {Text: "–"}}, Enabled: []bool{!p.pairs}, Note: "Choose two cards"}
	if len(p.chosen) == 2 {
		i, j := p.chosen[0], p.chosen[1]
		sums, ratios := c.pair(i, j)
		s.Meters = []Reading{number(sums, 2), number(ratios, 2)}
		s.Note = fmt.Sprintf("%s and %s", c.letter(min(i, j)), c.letter(max(i, j)))
	}
	if p.pairs {
		panels := []Panel{{Title: "ratio of sums"}, {Title: "sum of ratios"}}
		for i := range c.Won {
			for j := range i {
				sums, ratios := c.pair(j, i)
				for k, v := range []float64{sums, ratios} {
					r := number(v, 2)
					bar := Bar{Name: c.letter(j) + " + " + c.letter(i), Text: r.Text, Class: k}
					if r.Value != nil {
						bar.Value = *r.Value
					}
					panels[k].Bars = append(panels[k].Bars, bar)
				}
			}
		}
		s.Panels = append(s.Panels, panels...)
	}
	return s
}

// letter returns the name of a player: X, Y and Z for at most three players, and letters from A on
// otherwise.
func (c *CardsSpec) letter(k int) string {
	if len(c.Won) <= 3 {
		return string(rune('X' + k))
	}
	return string(rune('A' + k))
}

func (c *CardsSpec) pair(i, j int) (ratioOfSums, sumOfRatios float64) {
	return (c.Won[i] + c.Won[j]) / (c.Lost[i] + c.Lost[j]), c.Won[i]/c.Lost[i] + c.Won[j]/c.Lost[j]
}

func (l *landscape) dataAt(dial int) (*data.Data, error) {
	p := l.spec.Planes
	if p.Dial == "" {
		return l.data, nil
	}
	r := *l.spec.Source.Recipe
	with := map[string]float64{p.Dial: p.Values[dial]}
	for name, v := range r.With {
		if name != p.Dial {
			with[name] = v
		}
	}
	d := recipes.Recipe{Name: r.Name, Seed: r.Seed, With: with}.Data()
	return d, d.Err()
}
