package stage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// PairsSpec describes a stage with methods that use must-link and cannot-link pairs. The pairs are
// given, drawn by the reader, or random.
type PairsSpec struct {
	Source Source        `json:"source"`
	Bench  []BenchMethod `json:"methods"`
	// Must and Cannot are the initial pairs. Ends adds a must-link between the two samples of the
	// first group that are farthest from each other.
	Must   [][2]int `json:"must,omitempty"`
	Cannot [][2]int `json:"cannot,omitempty"`
	Ends   bool     `json:"ends,omitempty"`
	// Hands lets the reader add pairs. Offers adds buttons that replace all must-links by five
	// others.
	Hands  bool `json:"hands,omitempty"`
	Offers bool `json:"offers,omitempty"`
	// Tossed replaces the groups by two groups to which samples are assigned at random.
	Tossed bool `json:"tossed,omitempty"`
	// Hidden hides the groups. Expert is the number of samples whose group an expert reveals on
	// request.
	Hidden bool        `json:"hidden,omitempty"`
	Expert int         `json:"expert,omitempty"`
	Dials  []BenchDial `json:"dials,omitempty"`
	Meters []string    `json:"meters,omitempty"`
}

// Names of dials of pairs that are not options of a method.
const (
	DialMust   = "must-links"   // number of random must-links within the groups
	DialCannot = "cannot-links" // number of random cannot-links between the groups
	// Number of wrong must-links among ten from an unreliable friend. A wrong must-link joins two
	// groups. −1 means no must-links from the friend.
	DialFriend = "wrong of ten"
)

// Meters of pairs, in addition to same-group neighbours, separation and spread kept.
const (
	MeterDistance = "distance kept"
	MeterGiven    = "given pairs"
	MeterFresh    = "fresh pairs"
	MeterEnds     = "A to C"
	MeterMust     = "must-links"
)

var pairMeters = map[string]Meter{
	MeterSame: benchMeters[MeterSame], MeterSeparation: benchMeters[MeterSeparation], MeterSpread: benchMeters[MeterSpread],
	MeterDistance: {Doc: "length of the first must-link in the picture, divided by its length in the picture by PCA", Unit: "%"},
	MeterGiven:    {Doc: "mean length of the given must-links divided by that of the given cannot-links: 0 if all pairs are kept, 1 by chance"},
	MeterFresh:    {Doc: "the same ratio for 200 random must-links and 200 random cannot-links, drawn independently of the given pairs"},
	MeterMust:     {Doc: "number of must-links"},
	MeterEnds:     {Doc: "length of the first cannot-link as a share of the picture's width", Unit: "%"},
}

const (
	maxPairs     = 200
	maxAsked     = 50
	maxPaired    = 400 // number of samples
	offered      = 400 // candidate must-links for the buttons
	bought       = 5   // must-links that one button adds
	freshPairs   = 200 // random pairs of each kind for the meter of fresh pairs
	friendPairs  = 10  // must-links from the unreliable friend
	noFriend     = -1  // value of DialFriend that adds no must-links
	buttonNear   = "5 nearest"
	buttonFar    = "5 farthest"
	buttonRandom = "5 at random"
	buttonUndo5  = "undo"
)

type pairMoves struct {
	asked        []int    // samples whose group the expert has revealed
	must, cannot [][2]int // pairs that are initial, or added by the reader or a button
	order        []bool   // for each pair added by the reader, in order: true for a must-link
	dials        []int
}

func (m pairMoves) Clone() pairMoves {
	m.asked = slices.Clone(m.asked)
	m.must, m.cannot, m.order, m.dials = slices.Clone(m.must), slices.Clone(m.cannot), slices.Clone(m.order), slices.Clone(m.dials)
	return m
}

type paired struct {
	spec    PairsSpec
	title   string
	data    *data.Data
	truth   []int // index of each sample's class in the legend
	methods []ssdrnb.Spec
	legend  look.Legend
	plain   *mat.Dense // embedding by PCA
	offers  [][2]int   // candidate must-links, sorted by ascending distance
	seed    uint64
	moving[pairMoves]
}

func openPairs(ctx context.Context, s PairsSpec, title string, d *data.Data) (*paired, error) {
	switch n := len(s.Bench); {
	case n < 1 || n > 4:
		return nil, fmt.Errorf("pairs cannot have %d methods; give 1 to 4", n)
	case len(s.Dials) > maxDials:
		return nil, fmt.Errorf("%d dials are too many; give at most %d", len(s.Dials), maxDials)
	case len(s.Must) > maxPairs || len(s.Cannot) > maxPairs:
		return nil, fmt.Errorf("the number of must-links (%d) or of cannot-links (%d) is out of range; give at most %d of each", len(s.Must), len(s.Cannot), maxPairs)
	case len(s.Meters) > maxNamed:
		return nil, fmt.Errorf("%d meters are too many; give at most %d", len(s.Meters), maxNamed)
	}
	if s.Expert < 0 || s.Expert > maxAsked {
		return nil, fmt.Errorf("the number of questions for the expert is %d, out of range; give Expert a number from 0 to %d", s.Expert, maxAsked)
	}
	if s.Expert > 0 && !s.Hidden {
		return nil, errors.New("an expert reveals nothing while the groups are shown; hide the groups with HideColors")
	}
	d, err := s.Source.open(d)
	if err != nil {
		return nil, err
	}
	p := &paired{spec: s, title: title, seed: 1}
	if r := s.Source.Recipe; r != nil {
		p.seed = r.Seed
	}
	if s.Tossed {
		d = recipes.Tossed(d, 2, p.seed)
	}
	n := d.Len()
	if d.X == nil || n < 10 || n > maxPaired || d.Dim() < 2 || d.Dim() > maxBenchDims || d.Truth == nil {
		return nil, fmt.Errorf("the samples (%d, with %s) are out of range, or have no groups; give 10 to %d samples of two groups or more, and 2 to %d dense features", n, nouns.Count(d.Dim(), "feature"), maxPaired, maxBenchDims)
	}
	p.legend = look.ClassesOf(d, n).Legend()
	p.truth = p.legend.Of
	p.data = d.HideLabels()
	if p.methods, err = specsOf(s.Bench); err != nil {
		return nil, err
	}
	first := pairMoves{must: slices.Clone(s.Must), cannot: slices.Clone(s.Cannot)}
	for _, dial := range s.Dials {
		if err := p.checkDial(dial); err != nil {
			return nil, err
		}
		first.dials = append(first.dials, dial.Start)
	}
	for _, m := range s.Meters {
		if _, ok := pairMeters[m]; !ok {
			return nil, fmt.Errorf("pairs have no meter %.40q; give one that PairsBuilder.Meters lists", m)
		}
	}
	for _, q := range slices.Concat(s.Must, s.Cannot) {
		if q[0] < 0 || q[1] < 0 || q[0] >= n || q[1] >= n || q[0] == q[1] {
			return nil, fmt.Errorf("the pair of %d and %d does not join two samples; give two different samples from 0 to %d", q[0], q[1], n-1)
		}
	}
	pca, err := ssdrnb.PCA().Dims(2).Spec().FitContext(ctx, p.data)
	if err != nil {
		return nil, err
	}
	p.plain = pca.Embedding()
	if s.Ends {
		first.must = append(first.must, p.endsOfGroup())
	}
	p.offers = p.drawnPairs(p.seed, offered, true)
	away := func(q [2]int) float64 {
		return floats.Distance(p.data.X.RawRowView(q[0]), p.data.X.RawRowView(q[1]), 2)
	}
	sort.SliceStable(p.offers, func(a, b int) bool { return away(p.offers[a]) < away(p.offers[b]) })
	p.begin(first, p.apply, p.see)
	return p, nil
}

func (p *paired) checkDial(d BenchDial) error {
	if err := d.check(); err != nil {
		return err
	}
	switch d.Name {
	case DialMust, DialCannot:
		return d.whole(0, maxPairs)
	case DialFriend:
		return d.whole(noFriend, friendPairs)
	}
	known, err := d.option(p.methods)
	if err == nil && !known {
		err = fmt.Errorf("the dial %.40q is not an option of a method; give an option, or a name that PairsBuilder.Dial lists", d.Name)
	}
	return err
}

// endsOfGroup returns the two samples of the first group that are farthest from each other.
func (p *paired) endsOfGroup() (ends [2]int) {
	most := -1.0
	for i, c := range p.truth {
		for j := range i {
			if c != 0 || p.truth[j] != 0 {
				continue
			}
			if d := floats.Distance(p.data.X.RawRowView(i), p.data.X.RawRowView(j), 2); d > most {
				most, ends = d, [2]int{j, i}
			}
		}
	}
	return ends
}

// drawnPairs returns random pairs within the groups or, if within is false, between groups. It
// returns fewer than count pairs if 50·count random tries do not find enough.
func (p *paired) drawnPairs(seed uint64, count int, within bool) (pairs [][2]int) {
	r := generator(seed)
	n := len(p.truth)
	for range 50 * count {
		if len(pairs) == count {
			break
		}
		i, j := r.IntN(n), r.IntN(n)
		q := [2]int{min(i, j), max(i, j)}
		if i != j && (p.truth[i] == p.truth[j]) == within && !slices.Contains(pairs, q) {
			pairs = append(pairs, q)
		}
	}
	return pairs
}

// all returns all pairs: initial pairs, and pairs added by the reader, the buttons and the dials.
func (p *paired) all(m *pairMoves) (must, cannot [][2]int) {
	must, cannot = slices.Clone(m.must), slices.Clone(m.cannot)
	for k, d := range p.spec.Dials {
		v := int(d.Values[m.dials[k]])
		switch d.Name {
		case DialMust:
			must = append(must, p.drawnPairs(p.seed+10, v, true)...)
		case DialCannot:
			cannot = append(cannot, p.drawnPairs(p.seed+11, v, false)...)
		case DialFriend:
			if v == noFriend {
				continue
			}
			must = append(must, p.drawnPairs(p.seed+12, friendPairs-v, true)...)
			must = append(must, p.drawnPairs(p.seed+13, v, false)...)
		}
	}
	return must, cannot
}

// dialTexts returns a text for each dial. It states the number of pairs of the same kind that do
// not come from the dial: initial pairs, and pairs that the reader or a button added. The text is
// "" if there are none.
func (p *paired) dialTexts(m *pairMoves) (texts []string) {
	for _, d := range p.spec.Dials {
		text := ""
		if n := map[string]int{DialMust: len(m.must), DialCannot: len(m.cannot)}[d.Name]; n > 0 {
			text = fmt.Sprintf("+ %d more", n)
		}
		texts = append(texts, text)
	}
	return texts
}

func (p *paired) Setup() Setup {
	s := Setup{Title: p.title, Names: p.legend.Names, Colors: p.legend.Colors, Symbols: p.legend.Symbols}
	for _, d := range p.spec.Dials {
		dial := d.dial()
		if k := slices.Index(d.Values, noFriend); d.Name == DialFriend && k >= 0 {
			dial.Values[k] = "no advice"
		}
		s.Dials = append(s.Dials, dial)
	}
	if p.spec.Expert > 0 {
		s.Hands, s.Asks = []Hand{HandPick}, true
	}
	if p.spec.Hands {
		s.Hands = append(s.Hands, HandLink, HandPart)
	}
	for _, b := range p.buttons() {
		s.Buttons = append(s.Buttons, Button{Name: b})
	}
	for _, m := range p.meters() {
		s.Meters = append(s.Meters, m.meter)
	}
	return s
}

func (p *paired) buttons() (names []string) {
	if p.spec.Offers {
		names = append(names, buttonNear, buttonFar, buttonRandom)
	}
	if p.spec.Hands || p.spec.Offers {
		names = append(names, buttonUndo5)
	}
	return names
}

func (p *paired) meters() (all []benchMeter) {
	for _, name := range p.spec.Meters {
		each := p.spec.Bench
		if name == MeterMust {
			each = nil
		}
		all = append(all, metersOf(name, pairMeters[name], each)...)
	}
	return all
}

func (p *paired) apply(m *pairMoves, a Action) error {
	switch a.Kind {
	case "dial":
		k := slices.IndexFunc(p.spec.Dials, func(d BenchDial) bool { return d.Name == a.Name })
		if k < 0 || a.Index < 0 || a.Index >= len(p.spec.Dials[k].Values) {
			return fmt.Errorf("the dial %.40q has no position %d", a.Name, a.Index)
		}
		m.dials[k] = a.Index
	case string(HandPick):
		return p.ask(m, a.Index)
	case string(HandLink), string(HandPart):
		return p.give(m, a.Pair, a.Kind == string(HandLink))
	case "press":
		switch a.Name {
		case buttonNear:
			m.offer(slices.Clone(p.offers[:min(bought, len(p.offers))]))
		case buttonFar:
			m.offer(slices.Clone(p.offers[max(0, len(p.offers)-bought):]))
		case buttonRandom:
			m.offer(p.drawnPairs(p.seed+14, bought, true))
		case buttonUndo5:
			p.undo(m)
		}
	}
	return nil
}

// offer replaces all must-links. The reader's earlier must-links are also removed from the list for
// undo, but the cannot-links remain in it.
func (m *pairMoves) offer(must [][2]int) {
	m.must = must
	m.order = slices.DeleteFunc(m.order, func(must bool) bool { return must })
}

// ask reveals the group of a sample. A repeated question about a sample does not count.
func (p *paired) ask(m *pairMoves, i int) error {
	known := slices.Index(m.asked, i)
	switch {
	case i < 0 || i >= len(p.truth):
		return nil
	case known >= 0:
		// The sample is moved to the end of the list, because the last answer is shown.
		m.asked = slices.Delete(m.asked, known, known+1)
	case len(m.asked) >= p.spec.Expert:
		return fmt.Errorf("the expert has answered %s; reset to ask about other dots", allOf(p.spec.Expert, "question"))
	}
	m.asked = append(m.asked, i)
	return nil
}

// answer returns sentences about the expert's last answer and about the number of questions left.
func (p *paired) answer(m *pairMoves) (said, left string) {
	n := p.spec.Expert
	left = fmt.Sprintf("%d of %s left.", n-len(m.asked), nouns.Count(n, "question"))
	if len(m.asked) > 0 {
		i := m.asked[len(m.asked)-1]
		said = fmt.Sprintf("Dot %d has no group. ", i)
		if c := p.truth[i]; c >= 0 && c < len(p.legend.Names) {
			said = fmt.Sprintf("Dot %d belongs to the group %s. ", i, p.legend.Names[c])
		}
	}
	return said + left, left
}

func (p *paired) give(m *pairMoves, q [2]int, must bool) error {
	n := len(p.truth)
	q = [2]int{min(q[0], q[1]), max(q[0], q[1])}
	switch {
	case !p.spec.Hands || q[0] < 0 || q[1] >= n || q[0] == q[1]:
		return fmt.Errorf("there is no pair %v to add", q)
	case slices.Contains(m.must, q) && !must || slices.Contains(m.cannot, q) && must:
		return fmt.Errorf("samples %d and %d would have to be together and apart at once; undo one of the pairs", q[0], q[1])
	case slices.Contains(m.must, q) || slices.Contains(m.cannot, q):
		return nil
	case len(m.must)+len(m.cannot) >= maxPairs:
		return fmt.Errorf("%d pairs are the maximum; undo one first", maxPairs)
	}
	if must {
		m.must = append(m.must, q)
	} else {
		m.cannot = append(m.cannot, q)
	}
	m.order = append(m.order, must)
	return nil
}

// undo removes the last pair that the reader added. If the reader has added none, undo restores the
// initial pairs, without the pairs that buttons added.
func (p *paired) undo(m *pairMoves) {
	if len(m.order) == 0 {
		m.must, m.cannot = slices.Clone(p.first.must), slices.Clone(p.first.cannot)
		return
	}
	if m.order[len(m.order)-1] {
		m.must = m.must[:len(m.must)-1]
	} else {
		m.cannot = m.cannot[:len(m.cannot)-1]
	}
	m.order = m.order[:len(m.order)-1]
}

func pairsOf(of [][2]int) (out []data.Pair) {
	for _, q := range of {
		out = append(out, data.Pair{I: q[0], J: q[1]})
	}
	return out
}

func (p *paired) see(ctx context.Context, m *pairMoves) (*State, error) {
	must, cannot := p.all(m)
	s := &State{Dials: slices.Clone(m.dials)}
	if s.Dials == nil {
		s.Dials = []int{}
	}
	s.More = p.dialTexts(m)
	pictures := make([]*mat.Dense, len(p.methods))
	var told []string
	for k, spec := range p.methods {
		name := p.spec.Bench[k].Name
		y, title := p.plain, name+": no pair yet, so this is PCA"
		if len(must)+len(cannot) > 0 {
			title = name
			model, err := tuned(spec, settingsOf(p.spec.Dials, m.dials)).FitContext(ctx, p.data.WithPairs(data.Pairs{Must: pairsOf(must), Cannot: pairsOf(cannot)}))
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				told = append(told, failureText(name, err))
				title = name + " failed, so this is PCA"
			default:
				y = model.Embedding()
				for _, w := range model.Report().Warnings {
					if strings.Contains(w, "contradict") || strings.Contains(w, "pairs") {
						told = append(told, name+" warns: "+w+".")
					}
				}
			}
		}
		pictures[k] = y
		s.Panels = append(s.Panels, p.panel(title, y, m.asked, must, cannot))
	}
	for range p.buttons() {
		s.Enabled = append(s.Enabled, true)
	}
	for _, meter := range p.meters() {
		s.Meters = append(s.Meters, p.read(ctx, meter.name, pictures[max(meter.method, 0)], must, cannot))
	}
	said := []string{nouns.Count(len(must), "must-link") + ", " + nouns.Count(len(cannot), "cannot-link") + "."}
	if p.spec.Expert > 0 {
		answer, left := p.answer(m)
		said, s.Status = append(said, answer), left
	}
	s.Note = strings.Join(append(said, told...), " ")
	return s, nil
}

func (p *paired) panel(title string, y *mat.Dense, asked []int, must, cannot [][2]int) Panel {
	of := p.truth
	looks := slices.Repeat([]byte{'.'}, len(of))
	if p.spec.Hidden {
		of = slices.Repeat([]int{-1}, len(of))
		for _, i := range asked {
			of[i], looks[i] = p.truth[i], 'r'
		}
	}
	at := spots(y)
	panel := Panel{Title: title, View: viewAround(at), Samples: &Samples{At: pack(at), Of: of, Looks: string(looks)}}
	for _, q := range must {
		panel.Links = append(panel.Links, Link{I: q[0], J: q[1], Kind: Must})
	}
	for _, q := range cannot {
		panel.Links = append(panel.Links, Link{I: q[0], J: q[1], Kind: Cannot})
	}
	return panel
}

func (p *paired) read(ctx context.Context, name string, y *mat.Dense, must, cannot [][2]int) Reading {
	away := func(y *mat.Dense, q [2]int) float64 {
		return floats.Distance(y.RawRowView(q[0]), y.RawRowView(q[1]), 2)
	}
	mean := func(pairs [][2]int) float64 {
		sum := 0.0
		for _, q := range pairs {
			sum += away(y, q)
		}
		return sum / float64(len(pairs))
	}
	switch name {
	case MeterSame:
		return share(sameGroup(y, p.truth))
	case MeterSeparation:
		return number(separation(ctx, y, p.truth), 2)
	case MeterSpread:
		return share(spreadKept(p.data.X, y))
	case MeterDistance:
		if len(must) > 0 {
			return share(away(y, must[0]) / away(p.plain, must[0]))
		}
	case MeterMust:
		return count(len(must))
	case MeterEnds:
		if len(cannot) > 0 {
			return share(away(y, cannot[0]) / widthOf(y))
		}
	case MeterGiven:
		return number(mean(must)/mean(cannot), 2)
	case MeterFresh:
		return number(mean(p.drawnPairs(p.seed+20, freshPairs, true))/mean(p.drawnPairs(p.seed+21, freshPairs, false)), 2)
	}
	return Reading{Text: "–"}
}
