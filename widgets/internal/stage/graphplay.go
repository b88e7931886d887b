package stage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Modes of a [GraphPlaySpec].
const (
	ModeLinks = "links" // the graph and its connected components
	ModeCarry = "carry" // labels propagate along the links, step by step
	ModePath  = "path"  // the shortest path between two samples
	// The slowest oscillation of samples joined by springs: the first nonconstant eigenvector of
	// the graph Laplacian.
	ModeSwing = "swing"
)

// GraphPlaySpec describes a neighbourhood graph that the reader changes. Two samples are linked if
// either is among the k nearest of the other.
type GraphPlaySpec struct {
	Source Source `json:"source"`
	// From and To are the ends of the dial for k. Start is its initial value.
	From  int `json:"from"`
	To    int `json:"to"`
	Start int `json:"start"`
	// Modes lists the available views. If there are several, a menu selects the view.
	Modes []string `json:"modes"`
	// Cuts and Links are the maximum numbers of links that the reader may cut and add; −1 means any
	// number, up to maxEdits for both together.
	Cuts  int `json:"cuts,omitempty"`
	Links int `json:"links,omitempty"`
	// Ruler adds a switch from label propagation to classification by the nearest labelled sample.
	Ruler bool `json:"ruler,omitempty"`
	// Hidden hides the groups: links between groups are not red, and colours show connected
	// components.
	Hidden bool `json:"hidden,omitempty"`
	// Known lists the labelled samples. If it is empty, samples are drawn with the seed Draw, and
	// Labels is their number per class. If Labels is 0 too, the middle sample of each class is
	// labelled.
	Known  []int  `json:"known,omitempty"`
	Labels int    `json:"labels,omitempty"`
	Draw   uint64 `json:"draw,omitempty"`
	// Ends contains the two ends of the path. If they are equal, the ends are the first and the
	// last sample.
	Ends [2]int `json:"ends"`
	// Step is the initial number of propagation steps.
	Step int `json:"step,omitempty"`
	// Curve adds a plot of the share of correct labels against k, and a button for the mean over
	// many seeds.
	Curve bool `json:"curve,omitempty"`
	// Named lists the named values of k.
	Named []NamedValue `json:"named,omitempty"`
}

// NamedValue is a value of a dial. Its name becomes a link in the text of a beat.
type NamedValue struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Bounds of a graph, of edits and of animations.
const (
	maxDots     = 1000 // maximum number of samples
	maxSwinging = 400  // maximum number of samples in ModeSwing, which computes dense eigenvectors
	maxEdits    = 500  // maximum number of links cut or added in total
	lastStep    = 1000 // last step of propagation
	maxDrawn    = 8000 // maximum number of drawn links within groups; if there are more, none is drawn
	curveSeeds  = 20
	phases      = 32 // number of animation steps in one oscillation
	swings      = 8  // number of oscillations until the animation ends
	maxNamed    = 12
)

// edit is a link that the reader cut or added. pair contains its two samples in ascending order.
type edit struct {
	pair [2]int
	cut  bool
}

type moves struct {
	k, mode, step int
	ruler         bool
	edits         []edit
	ends          [2]int
	end           int   // index of the element of ends that the next click sets
	running       bool  // each tick advances the propagation
	swinging      bool  // each tick advances the oscillation
	phase         int   // number of animation steps of the oscillation so far
	seeds         int   // number of seeds over which the curve is averaged so far
	counting      bool  // each tick adds a seed to the curve
	visited       []int // values of k that the reader has set; shown in the curve
	turned        turned
}

type graphPlay struct {
	spec   GraphPlaySpec
	title  string
	dots   *dots
	legend look.Legend
	known  []int // class of each labelled sample, −1 for other samples
	moving[moves]
	ks     []int                     // values of k for the curve over many seeds
	swings memory[string, []float64] // oscillations by k and edits
	rights memory[[2]int, float64]   // see rightAt; by seed and k
}

// dots contains samples with their nearest neighbours.
type dots struct {
	x         *mat.Dense
	n, dim    int
	class     []int // index of the class of each sample, −1 if it is unknown
	classes   int
	neighbors *graph.Neighbors
}

func openGraphPlay(ctx context.Context, s GraphPlaySpec, title string, d *data.Data) (*graphPlay, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	d, err := s.Source.open(d)
	if err != nil {
		return nil, err
	}
	g := &graphPlay{spec: s, title: title}
	if g.dots, g.legend, err = dotsOf(ctx, d, s.To); err != nil {
		return nil, err
	}
	n := g.dots.n
	if slices.Contains(s.Modes, ModeSwing) && n > maxSwinging {
		return nil, fmt.Errorf("%d samples are too many for the mode swing; give at most %d", n, maxSwinging)
	}
	if slices.Contains(s.Modes, ModeCarry) {
		if g.known, err = s.knownOf(d, g.dots); err != nil {
			return nil, err
		}
	}
	for _, i := range s.Ends {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("the path ends at sample %d, which does not exist; give Ends two samples from 0 to %d", i, n-1)
		}
	}
	first := moves{k: s.Start, step: s.Step, ends: s.Ends, visited: []int{s.Start}, turned: turnedBy([2]float64{})}
	if s.Ends[0] == s.Ends[1] {
		first.ends = [2]int{0, n - 1}
	}
	if g.dots.dim == 3 { // view along the second feature, slightly from above
		c, sn := math.Cos(0.35), math.Sin(0.35)
		first.turned = turned{{1, 0, 0}, {0, sn, c}}.straight()
	}
	for _, k := range []int{1, 2, 3, 5, 6, 8, 10, 15, 20, 30, 50} {
		if s.From <= k && k <= s.To {
			g.ks = append(g.ks, k)
		}
	}
	g.begin(first, g.apply, g.see)
	return g, nil
}

// check checks all options that do not depend on the samples.
func (s GraphPlaySpec) check() error {
	switch {
	case s.From < 1 || s.To > 100 || s.From > s.Start || s.Start > s.To:
		return fmt.Errorf("the dial for the number of neighbours runs from %d to %d and starts at %d; give a range within 1 to 100 that contains the start", s.From, s.To, s.Start)
	case len(s.Modes) == 0 || len(s.Modes) > 4:
		return fmt.Errorf("a graph cannot have %d modes; give one to four", len(s.Modes))
	case s.Cuts < -1 || s.Links < -1 || s.Cuts > maxEdits || s.Links > maxEdits:
		return fmt.Errorf("the number of cuts (%d) or of links (%d) is out of range; give 0 to %d of each, or −1 for no limit", s.Cuts, s.Links, maxEdits)
	case s.Step < 0 || s.Step > lastStep:
		return fmt.Errorf("the number of propagation steps is %d, out of range; give 0 to %d", s.Step, lastStep)
	case s.Labels < 0 || s.Labels > maxDots || len(s.Known) > maxDots:
		return fmt.Errorf("the number of labels of each class (%d) or of known samples (%d) is out of range; give 0 to %d", s.Labels, len(s.Known), maxDots)
	case len(s.Named) > maxNamed:
		return fmt.Errorf("%d named values are too many; give at most %d", len(s.Named), maxNamed)
	case s.Curve && (s.Cuts != 0 || s.Links != 0 || s.Source.Recipe == nil || len(s.Known) > 0):
		return fmt.Errorf("a curve over many seeds does not support Edit, Known and Samples; leave these out and give a Recipe")
	}
	for k, m := range s.Modes {
		if !slices.Contains([]string{ModeLinks, ModeCarry, ModePath, ModeSwing}, m) || slices.Contains(s.Modes[:k], m) {
			return fmt.Errorf("the mode %.40q is unknown or repeated; give each of links, carry, path and swing at most once", m)
		}
	}
	carries := slices.Contains(s.Modes, ModeCarry)
	if !carries && (s.Ruler || s.Curve || s.Step > 0) {
		return fmt.Errorf("the mode carry is missing, which Ruler, Curve and Step need; add it with Mode(widgets.Carry)")
	}
	for _, named := range s.Named {
		if k := int(named.Value); float64(k) != named.Value || k < s.From || k > s.To {
			return fmt.Errorf("%.40q stands for %v neighbours, which the dial does not have; give a whole number from %d to %d", named.Name, named.Value, s.From, s.To)
		}
	}
	return nil
}

// dotsOf returns the samples with their k nearest neighbours, and their legend.
func dotsOf(ctx context.Context, d *data.Data, k int) (*dots, look.Legend, error) {
	fail := func(err error) (*dots, look.Legend, error) { return nil, look.Legend{}, err }
	if d.X == nil {
		return fail(fmt.Errorf("%q has no features from which to draw a graph; give data with two or three features", d.Name))
	}
	n, dim := d.X.Dims()
	if dim == 1 {
		return fail(advice.Errorf("give data with two or three features", "a graph cannot be drawn from one feature"))
	}
	if dim > 3 {
		return fail(advice.Errorf("project them with Data.PCA(2)", "a graph cannot be drawn from %d features", dim))
	}
	if n <= k || n > maxDots {
		return fail(fmt.Errorf("a graph with %s cannot have %s; give %d to %d samples", nouns.Count(k, "neighbour"), nouns.Count(n, "sample"), k+1, maxDots))
	}
	near, err := graph.Search(ctx, d.X, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return fail(err)
	}
	classes := look.ClassesOf(d, n)
	c := &dots{x: d.X, n: n, dim: dim, class: slices.Clone(classes.Of), classes: len(classes.Classes), neighbors: near}
	if c.classes > 0 && classes.Classes[0] == data.Unlabelled {
		for i := range c.class {
			c.class[i]--
		}
		c.classes--
	}
	return c, classes.Legend(), nil
}

// knownOf returns the class of each labelled sample, and −1 for the other samples.
func (s GraphPlaySpec) knownOf(d *data.Data, c *dots) ([]int, error) {
	if c.classes < 2 {
		return nil, fmt.Errorf("labels of %s cannot propagate; give samples of two classes or more", nouns.Count(c.classes, "class"))
	}
	known := slices.Repeat([]int{-1}, c.n)
	switch {
	case len(s.Known) > 0:
		for _, i := range s.Known {
			if i < 0 || i >= c.n || c.class[i] < 0 {
				return nil, fmt.Errorf("the labelled sample %d does not exist or has no class; give Known samples from 0 to %d that have a class", i, c.n-1)
			}
			known[i] = c.class[i]
		}
	case s.Labels > 0:
		drawn := d.KeepLabels(s.Labels).Seed(s.Draw)
		if err := drawn.Err(); err != nil {
			return nil, err
		}
		for i, l := range drawn.Labels {
			if l != data.Unlabelled {
				known[i] = c.class[i]
			}
		}
	default:
		for class := range c.classes {
			var rows []int
			for i, o := range c.class {
				if o == class {
					rows = append(rows, i)
				}
			}
			known[rows[len(rows)/2]] = class
		}
	}
	return known, nil
}

func (m moves) Clone() moves {
	m.edits, m.visited = slices.Clone(m.edits), slices.Clone(m.visited)
	return m
}

func (g *graphPlay) mode(m *moves) string { return g.spec.Modes[m.mode] }

func (g *graphPlay) has(mode string) bool { return slices.Contains(g.spec.Modes, mode) }

func (g *graphPlay) edits() bool { return g.spec.Cuts != 0 || g.spec.Links != 0 }

// Names of dials and buttons.
const (
	dialNeighbors = "links sent by each dot, k"
	dialShow      = "show"
	dialBy        = "by"
	buttonStep    = "step"
	buttonBack    = "step back"
	buttonRun     = "run"
	buttonPlay    = "play or pause"
	buttonUndo    = "undo"
	buttonSeeds   = "twenty draws"
)

func (g *graphPlay) Setup() Setup {
	s := Setup{Title: g.title, Names: []string{}, Colors: slices.Clone(g.legend.Colors), Symbols: slices.Clone(g.legend.Symbols)}
	if !g.spec.Hidden || g.has(ModeCarry) {
		s.Names = g.legend.Names
	}
	if g.spec.Hidden {
		// Connected components need colours too.
		for k := len(s.Colors); k < len(look.Palette); k++ {
			s.Colors, s.Symbols = append(s.Colors, look.CSS(look.Color(k))), append(s.Symbols, look.Symbol(k))
		}
	}
	for _, d := range g.dials() {
		switch d {
		case dialNeighbors:
			dial := Dial{Name: d, Doc: "a link counts if either end chose it", Slider: true}
			for k := g.spec.From; k <= g.spec.To; k++ {
				dial.Values = append(dial.Values, strconv.Itoa(k))
			}
			s.Dials = append(s.Dials, dial)
		case dialShow:
			s.Dials = append(s.Dials, Dial{Name: d, Values: g.spec.Modes})
		case dialBy:
			s.Dials = append(s.Dials, Dial{Name: d, Doc: "how the other dots get a name", Values: []string{"rumour", "ruler"}})
		}
	}
	for _, named := range g.spec.Named {
		n := Named{Name: named.Name, Dials: slices.Repeat([]int{-1}, len(s.Dials))}
		if len(s.Dials) > 0 && s.Dials[0].Name == dialNeighbors {
			n.Dials[0] = int(named.Value) - g.spec.From
		}
		s.Named = append(s.Named, n)
	}
	for _, b := range g.buttons() {
		s.Buttons = append(s.Buttons, Button{Name: b, Doc: map[string]string{
			buttonStep: "every dot asks its neighbours once", buttonBack: "one step less", buttonRun: fmt.Sprintf("go on to step %d, or stop", lastStep),
			buttonPlay: "let the links swing", buttonUndo: "take back the last link or cut", buttonSeeds: "the mean over twenty random data sets, seeds 1 to 20",
		}[b]})
	}
	s.Meters = g.meters()
	if g.dots.dim == 3 {
		s.Hands = append(s.Hands, HandTurn)
	}
	if g.has(ModePath) {
		s.Hands = append(s.Hands, HandPick)
	}
	if g.spec.Links != 0 {
		s.Hands = append(s.Hands, HandLink)
	}
	if g.spec.Cuts != 0 {
		s.Hands = append(s.Hands, HandCut)
	}
	return s
}

func (g *graphPlay) dials() []string {
	var out []string
	if g.spec.From < g.spec.To {
		out = append(out, dialNeighbors)
	}
	if len(g.spec.Modes) > 1 {
		out = append(out, dialShow)
	}
	if g.spec.Ruler {
		out = append(out, dialBy)
	}
	return out
}

func (g *graphPlay) buttons() []string {
	var out []string
	if g.has(ModeCarry) {
		out = append(out, buttonStep, buttonBack, buttonRun)
	}
	if g.has(ModeSwing) {
		out = append(out, buttonPlay)
	}
	if g.edits() {
		out = append(out, buttonUndo)
	}
	if g.spec.Curve {
		out = append(out, buttonSeeds)
	}
	return out
}

// Names of meters.
const (
	meterPieces  = "pieces"
	meterRed     = "red links"
	meterSteps   = "steps"
	meterHeard   = "heard"
	meterCarried = "carried right"
	meterRuler   = "hidden right"
	meterChanged = "changed minds"
	meterWay     = "way"
	meterAir     = "through the air"
	meterSides   = "sides right"
	meterCuts    = "cuts left"
	meterLinks   = "links left"
)

func (g *graphPlay) meters() []Meter {
	m := []Meter{{Name: meterPieces, Doc: "parts of the graph that no link joins"}}
	if g.has(ModeCarry) || g.has(ModePath) {
		m = nil
	}
	if !g.spec.Hidden && g.dots.classes > 1 && !g.has(ModePath) {
		m = append(m, Meter{Name: meterRed, Doc: "links between dots of different groups"})
	}
	if g.has(ModeCarry) {
		m = append(m, Meter{Name: meterSteps, Doc: "how many times all dots have asked their neighbours"},
			Meter{Name: meterHeard, Doc: "share of unlabelled samples that the rumour has reached", Unit: "%"},
			Meter{Name: meterCarried, Doc: "share of unlabelled samples that get their own class from the rumour", Unit: "%"},
			Meter{Name: meterRuler, Doc: "share of unlabelled samples that have the class of the nearest labelled sample", Unit: "%"})
	}
	if g.edits() && g.has(ModeCarry) {
		m = append(m, Meter{Name: meterChanged, Doc: "dots that would have another name without your links and cuts"})
	}
	if g.has(ModePath) {
		m = append(m, Meter{Name: meterWay, Doc: "length of the shortest path along links"}, Meter{Name: meterAir, Doc: "length of the straight line"})
	}
	if g.has(ModeSwing) && g.dots.classes == 2 {
		m = append(m, Meter{Name: meterSides, Doc: "share of samples that swing with their group", Unit: "%"})
	}
	if g.spec.Cuts > 0 {
		m = append(m, Meter{Name: meterCuts})
	}
	if g.spec.Links > 0 {
		m = append(m, Meter{Name: meterLinks})
	}
	return m
}

func (g *graphPlay) apply(m *moves, a Action) error {
	switch a.Kind {
	case "dial":
		switch a.Name {
		case dialNeighbors:
			g.setNeighbors(m, g.spec.From+a.Index)
		case dialShow:
			m.mode = a.Index
		case dialBy:
			m.ruler = a.Index == 1
		}
	case "named":
		g.setNeighbors(m, int(g.spec.Named[a.Index].Value))
	case "press":
		g.press(m, a.Name)
	case KindTick:
		g.tick(m)
	case string(HandTurn):
		m.turned = m.turned.dragged(a.By)
	case string(HandPick):
		if a.Panel == 0 && a.Index >= 0 && a.Index != m.ends[1-m.end] {
			m.ends[m.end] = a.Index
			m.end = 1 - m.end
		}
	case string(HandLink), string(HandCut):
		return g.edit(m, a)
	}
	return nil
}

func (g *graphPlay) setNeighbors(m *moves, k int) {
	m.k = k
	if !slices.Contains(m.visited, k) {
		m.visited = append(m.visited, k)
	}
}

func (g *graphPlay) press(m *moves, name string) {
	switch name {
	case buttonStep:
		m.step, m.running = min(m.step+1, lastStep), false
	case buttonBack:
		m.step, m.running = max(m.step-1, 0), false
	case buttonRun:
		m.running = !m.running && m.step < lastStep
	case buttonPlay:
		m.swinging = !m.swinging
	case buttonUndo:
		if len(m.edits) > 0 {
			m.edits = m.edits[:len(m.edits)-1]
		}
	case buttonSeeds:
		m.counting = m.seeds < curveSeeds
	}
}

// tick advances each running animation. The propagation advances by one step or, after 16 steps, by
// an eighth of the steps so far. The oscillation advances by one phase, and the curve over many
// seeds by one seed.
func (g *graphPlay) tick(m *moves) {
	if m.running {
		m.step = min(m.step+max(1, m.step/8), lastStep)
		m.running = m.step < lastStep
	}
	if m.swinging {
		m.phase++
		m.swinging = m.phase%(phases*swings) != 0
	}
	if m.counting {
		m.seeds++
		m.counting = m.seeds < curveSeeds
	}
}

func (g *graphPlay) edit(m *moves, a Action) error {
	pair := [2]int{min(a.Pair[0], a.Pair[1]), max(a.Pair[0], a.Pair[1])}
	if a.Panel != 0 || pair[1] >= g.dots.n {
		return fmt.Errorf("only the first panel has links")
	}
	cut := a.Kind == string(HandCut)
	linked := false
	for _, e := range g.dots.linked(m) {
		linked = linked || e.pair == pair
	}
	budget := g.spec.Links
	if cut {
		budget = g.spec.Cuts
	}
	// Cutting an added link, or adding a cut link again, deletes the earlier edit.
	if k := slices.IndexFunc(m.edits, func(e edit) bool { return e.pair == pair && e.cut != cut }); k >= 0 {
		m.edits = slices.Delete(m.edits, k, k+1)
		return nil
	}
	switch {
	case cut && !linked:
		return fmt.Errorf("these two dots have no link to cut")
	case !cut && linked:
		return fmt.Errorf("these two dots are linked already")
	case len(m.edits) >= maxEdits || budget >= 0 && m.used(cut) >= budget:
		return advice.Errorf("press undo to take one back", "no %s are left", map[bool]string{true: "cuts", false: "links"}[cut])
	}
	m.edits = append(m.edits, edit{pair, cut})
	return nil
}

// used returns the number of cut links if cut is true, and otherwise the number of added links.
func (m *moves) used(cut bool) int {
	used := 0
	for _, e := range m.edits {
		if e.cut == cut {
			used++
		}
	}
	return used
}

// weighedLink is a link with its length. pair contains its two samples in ascending order.
type weighedLink struct {
	pair   [2]int
	length float64
}

// linked returns the links of the current graph, including edits, sorted by their samples.
func (c *dots) linked(m *moves) []weighedLink {
	seen := map[[2]int]float64{}
	near := c.neighbors.Head(m.k)
	for i := range c.n {
		index, length := near.Of(i)
		for q, j := range index {
			seen[[2]int{min(i, int(j)), max(i, int(j))}] = length[q]
		}
	}
	for _, e := range m.edits {
		if e.cut {
			delete(seen, e.pair)
			continue
		}
		var v mat.VecDense
		v.SubVec(c.x.RowView(e.pair[0]), c.x.RowView(e.pair[1]))
		seen[e.pair] = mat.Norm(&v, 2)
	}
	out := make([]weighedLink, 0, len(seen))
	for pair, length := range seen {
		out = append(out, weighedLink{pair, length})
	}
	slices.SortFunc(out, func(a, b weighedLink) int { return slices.Compare(a.pair[:], b.pair[:]) })
	return out
}

// matrix returns the graph as a symmetric n×n matrix. value returns the entry of a link.
func matrix(n int, links []weighedLink, value func(weighedLink) float64) (*sparse.CSR, error) {
	entries := make([]sparse.Triplet, 0, 2*len(links))
	for _, l := range links {
		v := value(l)
		entries = append(entries, sparse.Triplet{Row: l.pair[0], Col: l.pair[1], Value: v}, sparse.Triplet{Row: l.pair[1], Col: l.pair[0], Value: v})
	}
	return sparse.FromTriplets(n, n, entries)
}

func weightOne(weighedLink) float64   { return 1 }
func lengthOf(l weighedLink) float64  { return l.length }
func (m *moves) withoutEdits() *moves { c := *m; c.edits = nil; return &c }
