package stage

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// BenchSpec describes a stage that shows methods side by side, on data that the reader changes with
// dials.
type BenchSpec struct {
	Source Source `json:"source"`
	// Others contains further recipes (see package recipes). The dial "data" selects one of them or
	// the first recipe, which is called Name.
	Name   string         `json:"name,omitempty"`
	Others []NamedRecipe  `json:"others,omitempty"`
	Bench  []BenchMethod  `json:"methods"`
	Dials  []BenchDial    `json:"dials,omitempty"`
	Named  []NamedSetting `json:"named,omitempty"`
	Meters []string       `json:"meters,omitempty"`
	// Labels is the number of labels per class if no dial sets it: 0 for all, −1 for none.
	Labels int `json:"labels,omitempty"`
	// Runs shows runs of the first method with different seeds. Each press of "again" adds one, up
	// to nine.
	Runs bool `json:"runs,omitempty"`
	// Answers shows, instead of the embedding, the first two features of the samples, coloured by
	// their predicted classes.
	Answers bool `json:"answers,omitempty"`
	// Islands colours each sample by its island in the first embedding instead of by class, see the
	// function islands.
	Islands bool `json:"islands,omitempty"`
	// Weights shows the absolute weights of the first direction of each method instead of the
	// embedding.
	Weights bool `json:"weights,omitempty"`
	// Draws is the number of draws of labels over which a button compares the first two methods; 0
	// for none.
	Draws int `json:"draws,omitempty"`
	// Curve is the name of a dial, or "" for no curve. The meter "hidden right" is plotted against
	// the values of this dial, averaged over CurveDraws draws of labels.
	Curve      string `json:"curve,omitempty"`
	CurveDraws int    `json:"curveDraws,omitempty"`
	// Fresh is the number of new samples of the recipe, which are not used in fits. They are drawn
	// as crosses if the method can embed them.
	Fresh int `json:"fresh,omitempty"`
	// Marks contains the initial positions of labels that the reader drags in the plane of the
	// first two features. Each label applies to the nearest sample. Arranged contains named
	// alternatives to Marks.
	Marks    [][2]float64 `json:"marks,omitempty"`
	Arranged []Arranged   `json:"arranged,omitempty"`
	// Finished contains embeddings that were computed in the cell and are sent to the page.
	Finished []Finished `json:"finished,omitempty"`
}

// NamedRecipe is a recipe with a name in a menu.
type NamedRecipe struct {
	Name   string         `json:"name"`
	Recipe recipes.Recipe `json:"recipe"`
}

// Names of dials that are neither a parameter of a recipe nor an option of a method.
const (
	DialLabels = "labels"      // number of labels per class
	DialDraw   = "draw"        // seed of the random choice of the labels
	DialWrong  = "wrong names" // number of labels with a wrong class
	// The percentage of labelled samples. If a bench has this dial, its classes are assigned at
	// random.
	DialTold        = "tosses told"
	DialTossed      = "coin classes" // number of random classes; half of each is labelled
	DialStandardise = "standardise"  // 1 standardises the features, 0 does not
	DialData        = "data"         // index of the recipe
	DialMethod      = "method"       // index of the shown method
	// 1 links each sample to its lost neighbours, and colours it by its share of kept neighbours.
	// Lost neighbours are nearest neighbours that are far away in the embedding.
	DialLost = "lost links"
)

// NamedSetting is a set of dial values. In the text of a beat, its name is a link that sets them.
type NamedSetting struct {
	Name   string             `json:"name"`
	Values map[string]float64 `json:"values"`
}

// Arranged contains named positions for the labels of BenchSpec.Marks.
type Arranged struct {
	Name  string       `json:"name"`
	Marks [][2]float64 `json:"marks"`
}

// Meters of a bench.
const (
	MeterSpread     = "spread kept"
	MeterSame       = "same-group neighbours"
	MeterHidden     = "hidden right"
	MeterKept       = "kept neighbours"
	MeterIslands    = "islands"
	MeterAgreement  = "agreement of the runs"
	MeterSeparation = "separation"
	MeterTorn       = "torn"
	MeterSizes      = "size ratio"
	MeterGaps       = "gap ratio"
	MeterPieces     = "pieces"
	MeterVerdict    = "verdict"
	MeterApart      = "apart"
	MeterFreshRight = "new right"
)

var benchMeters = map[string]Meter{
	MeterSpread:     {Doc: "variance of the picture divided by the variance of the data", Unit: "%"},
	MeterSame:       {Doc: "share of samples whose nearest other sample in the picture is of their group", Unit: "%"},
	MeterHidden:     {Doc: "share of unlabelled samples whose class is predicted correctly, by the nearest labelled sample in the picture or by the rule", Unit: "%"},
	MeterKept:       {Doc: "mean share of the 15 nearest neighbours that are also among the 15 nearest in the picture", Unit: "%"},
	MeterIslands:    {Doc: "groups of at least 5 samples; two samples are joined if they are nearer to each other than 3 times the median distance to the nearest sample"},
	MeterAgreement:  {Doc: "adjusted Rand index between the 5 k-means groups of the first run and those of each other run, averaged: 0 by chance, 1 if the groups are the same"},
	MeterSeparation: {Doc: "silhouette by group: 0 mixed, 1 far apart"},
	MeterTorn:       {Doc: "samples that are farther than a quarter of the picture's width from one of their 5 nearest neighbours"},
	MeterSizes:      {Doc: "width of the second group divided by the width of the first"},
	MeterGaps:       {Doc: "distance between the means of the second and the third group divided by the distance between the means of the first and the second"},
	MeterPieces:     {Doc: "connected parts of the graph that the method learned"},
	MeterFreshRight: {Doc: "share of new samples that have the class of the nearest labelled sample in the picture", Unit: "%"},
	MeterApart:      {Doc: "absolute difference in “hidden right” between the first two methods", Unit: "%"},
	MeterVerdict:    {Doc: "the mean difference in “hidden right” over the draws ± twice its standard error, in percentage points"},
}

// Bounds of a bench.
const (
	maxBenched   = 1000 // number of samples
	maxBenchDims = 200
	maxMethods   = 6
	maxDials     = 4
	maxValues    = 60
	maxDraws     = 20
	maxMarks     = 12
	maxFresh     = 100
	freshSeed    = 1000 // added to the seed of the recipe for new samples
)

type benchMoves struct {
	dials   []int        // position of each dial
	runs    int          // number of runs shown
	draws   int          // number of draws shown
	drawing bool         // each tick adds a draw
	visited []int        // visited positions of the dial BenchSpec.Curve
	whole   bool         // each tick visits a further position
	marks   [][2]float64 // positions of the labels of BenchSpec.Marks
}

func (m benchMoves) Clone() benchMoves {
	m.dials, m.visited, m.marks = slices.Clone(m.dials), slices.Clone(m.visited), slices.Clone(m.marks)
	return m
}

type bench struct {
	spec    BenchSpec
	title   string
	data    *data.Data // data sent with the stage; nil for recipes
	methods []ssdrnb.Spec
	legend  look.Legend
	moving[benchMoves]
	results  memory[string, *result]
	samples  memory[string, *labelled]
	finished map[string]*result // embeddings sent with the stage
}

func openBench(s BenchSpec, title string, d *data.Data) (*bench, error) {
	b := &bench{spec: s, title: title, data: d}
	if err := b.check(); err != nil {
		return nil, err
	}
	start := benchMoves{dials: make([]int, len(s.Dials)), runs: 1, marks: slices.Clone(s.Marks)}
	for k, dial := range s.Dials {
		start.dials[k] = dial.Start
		if dial.Name == s.Curve {
			start.visited = []int{dial.Start}
		}
	}
	b.begin(start, b.apply, b.see)
	if err := b.openFinished(); err != nil {
		return nil, err
	}
	first, err := b.dataAt(b.settings(&b.first), &b.first)
	if err != nil {
		return nil, err
	}
	if err := b.checkSizes(); err != nil {
		return nil, err
	}
	return b, b.setLegend(first)
}

// checkSizes checks the size of the data at the largest value of each dial that sets a parameter of
// the recipe.
func (b *bench) checkSizes() error {
	for k, dial := range b.spec.Dials {
		if !hasParameter(b.spec.Source.Recipe, dial.Name) {
			continue
		}
		m := b.first.Clone()
		for v, value := range dial.Values {
			if !(value <= dial.Values[m.dials[k]]) {
				m.dials[k] = v
			}
		}
		if _, err := b.samplesAt(b.settings(&m)); err != nil {
			return err
		}
	}
	return nil
}

// hasParameter reports whether a recipe, which may be nil, has a parameter of the given name.
func hasParameter(r *recipes.Recipe, name string) bool {
	if r == nil {
		return false
	}
	info, ok := recipes.Find(r.Name)
	return ok && slices.ContainsFunc(info.Parameters, func(p recipes.Parameter) bool { return p.Name == name })
}

// setLegend sets the legend. It uses the data with the most classes among the initial data and the
// data at the other positions of the dials DialTossed and DialData.
func (b *bench) setLegend(first *labelled) error {
	legend := func(l *labelled) look.Legend {
		return look.ClassesOf(l.d.WithLabels(l.truth), l.d.Len()).Legend()
	}
	b.legend = legend(first)
	for k, dial := range b.spec.Dials {
		if dial.Name != DialTossed && dial.Name != DialData {
			continue
		}
		for v := range dial.Values {
			m := b.first.Clone()
			m.dials[k] = v
			l, err := b.dataAt(b.settings(&m), &m)
			if err != nil {
				return err
			}
			if other := legend(l); len(other.Names) > len(b.legend.Names) {
				b.legend = other
			}
		}
	}
	return nil
}

// check checks all options that do not depend on the samples.
func (b *bench) check() error {
	s := &b.spec
	switch {
	case len(s.Bench) < 1 || len(s.Bench) > maxMethods:
		return fmt.Errorf("a bench cannot have %d methods; give 1 to %d", len(s.Bench), maxMethods)
	case len(s.Dials) > maxDials:
		return fmt.Errorf("%d dials are too many; give at most %d", len(s.Dials), maxDials)
	case s.Labels < -1 || s.Labels > maxBenched:
		return fmt.Errorf("the number of labels of each class is %d, out of range; give at most %d, 0 for all, or −1 for none", s.Labels, maxBenched)
	case s.Draws < 0 || s.Draws > maxDraws || s.CurveDraws < 0 || s.CurveDraws > maxDraws:
		return fmt.Errorf("the number of draws (%d) or of draws for the curve (%d) is out of range; give 0 to %d", s.Draws, s.CurveDraws, maxDraws)
	case s.Fresh < 0 || s.Fresh > maxFresh || s.Fresh > 0 && (s.Source.Recipe == nil || len(s.Others) > 0 || b.dial(DialStandardise) >= 0):
		return fmt.Errorf("a bench cannot add %s here; give Fresh at most %d, drawn from a single recipe, and leave out the dial %q", nouns.Count(s.Fresh, "new sample"), maxFresh, DialStandardise)
	case s.Draws > 0 && len(s.Bench) < 2:
		return fmt.Errorf("draws compare two methods, but there is only one; add another with Method or Rule")
	case len(s.Marks) > 0 && (!s.Answers || s.Weights || s.Runs):
		return fmt.Errorf("the labels of Movable are shown only on the answers; call Answers, and leave out Weights and Runs")
	case len(s.Marks) > maxMarks || len(s.Arranged) > maxNamed || len(s.Named)+len(s.Arranged) > maxNamed || len(s.Others) > 4 || len(s.Meters) > maxNamed:
		return fmt.Errorf("%d labels to drag, %d names, %d further recipes or %d meters are too many for a bench; give at most %d labels to drag, %d names, 4 further recipes and %d meters", len(s.Marks), len(s.Named)+len(s.Arranged), len(s.Others), len(s.Meters), maxMarks, maxNamed, maxNamed)
	}
	var err error
	if b.methods, err = specsOf(s.Bench, RuleRuler, RuleRumour, RuleData); err != nil {
		return err
	}
	for k, dial := range s.Dials {
		if err := b.checkDial(dial); err != nil {
			return err
		}
		if slices.ContainsFunc(s.Dials[:k], func(d BenchDial) bool { return d.Name == dial.Name }) {
			return fmt.Errorf("two dials are called %q; leave one out", dial.Name)
		}
	}
	for _, name := range s.Meters {
		if _, ok := benchMeters[name]; !ok {
			return fmt.Errorf("a bench has no meter %.40q; give one of %q", name, meterNames())
		}
	}
	if slices.Contains(s.Meters, MeterApart) && (len(s.Bench) < 2 || b.dial(DialMethod) >= 0) {
		return fmt.Errorf("the meter %q compares two methods side by side; give two methods or rules, and no dial %q", MeterApart, DialMethod)
	}
	if slices.Contains(s.Meters, MeterVerdict) != (s.Draws > 0) {
		return fmt.Errorf("a bench has the meter %q without Draws, or Draws without the meter; call Draws, which adds it", MeterVerdict)
	}
	if s.Curve != "" && b.dial(s.Curve) < 0 {
		return fmt.Errorf("the curve is over %.40q, which is not a dial; add it with Dial", s.Curve)
	}
	for _, a := range s.Arranged {
		if len(a.Marks) != len(s.Marks) {
			return fmt.Errorf("the arrangement %.40q has %s; give %d, as many as Movable", a.Name, nouns.Count(len(a.Marks), "label"), len(s.Marks))
		}
	}
	for _, named := range s.Named {
		for name, v := range named.Values {
			k := b.dial(name)
			if k < 0 || !slices.Contains(s.Dials[k].Values, v) {
				return fmt.Errorf("%.40q stands for %.40s = %v, but no dial has this value; name a value of a dial", named.Name, name, v)
			}
		}
	}
	return nil
}

// checkDial returns an error unless a dial has an effect and its values are in range.
func (b *bench) checkDial(d BenchDial) error {
	if err := d.check(); err != nil {
		return err
	}
	switch d.Name {
	case DialLabels:
		return d.whole(1, maxBenched)
	case DialDraw:
		return d.whole(0, 1e6)
	case DialWrong:
		return d.whole(0, 100)
	case DialTold:
		return d.whole(0, 100)
	case DialTossed:
		return d.whole(2, 10)
	case DialStandardise, DialLost:
		return d.whole(0, 1)
	case DialData:
		return d.whole(0, float64(len(b.spec.Others)))
	case DialMethod:
		return d.whole(0, float64(len(b.spec.Bench)-1))
	}
	if hasParameter(b.spec.Source.Recipe, d.Name) {
		return nil
	}
	known, err := d.option(b.methods)
	if err == nil && !known {
		err = fmt.Errorf("the dial %.40q is neither a parameter of the recipe nor an option of a method; give one of these, or a name that BenchBuilder.Dial lists", d.Name)
	}
	return err
}

func meterNames() (names []string) {
	for name := range benchMeters {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// withValue returns a copy of set in which the value of the given name is replaced or added.
func withValue(set map[string]float64, name string, v float64) map[string]float64 {
	out := map[string]float64{name: v}
	for other, v := range set {
		if other != name {
			out[other] = v
		}
	}
	return out
}

func (b *bench) dial(name string) int {
	return slices.IndexFunc(b.spec.Dials, func(d BenchDial) bool { return d.Name == name })
}

func (b *bench) settings(m *benchMoves) map[string]float64 {
	return settingsOf(b.spec.Dials, m.dials)
}

const (
	buttonAgain = "again"
	buttonFill  = "whole curve"
	buttonReset = "labels back"
)

func buttonDraws(n int) string { return words(n) + " " + nouns.Form(n, "draw", "draws") }

// words formats a number for the name of a button: 10 as "ten", and other numbers in digits.
func words(n int) string {
	if n == 10 {
		return "ten"
	}
	return strconv.Itoa(n)
}

func (b *bench) Setup() Setup {
	s := Setup{Title: b.title, Names: b.legend.Names, Colors: b.legend.Colors, Symbols: b.legend.Symbols}
	// Islands need up to 24 colours. A curve's lines use them too if there are fewer than two
	// classes.
	if b.spec.Islands || len(s.Colors) < 2 {
		for k := len(s.Colors); k < 24; k++ {
			s.Names, s.Colors, s.Symbols = append(s.Names, fmt.Sprint("island ", k+1)), append(s.Colors, look.CSS(look.Color(k))), append(s.Symbols, look.Symbol(0))
		}
	}
	for _, d := range b.spec.Dials {
		s.Dials = append(s.Dials, d.dial())
	}
	for _, n := range b.buttons() {
		s.Buttons = append(s.Buttons, Button{Name: n})
	}
	for _, n := range b.spec.Named {
		named := Named{Name: n.Name, Dials: slices.Repeat([]int{-1}, len(b.spec.Dials))}
		for name, v := range n.Values {
			k := b.dial(name)
			named.Dials[k] = slices.Index(b.spec.Dials[k].Values, v)
		}
		s.Named = append(s.Named, named)
	}
	for _, a := range b.spec.Arranged {
		s.Named = append(s.Named, Named{Name: a.Name, Dials: slices.Repeat([]int{-1}, len(b.spec.Dials))})
	}
	for _, name := range b.meters() {
		s.Meters = append(s.Meters, name.meter)
	}
	if len(b.spec.Marks) > 0 {
		s.Hands = []Hand{HandDrag}
	}
	return s
}

func (b *bench) buttons() (names []string) {
	if b.spec.Runs {
		names = append(names, buttonAgain)
	}
	if b.spec.Draws > 0 {
		names = append(names, buttonDraws(b.spec.Draws))
	}
	if b.spec.Curve != "" {
		names = append(names, buttonFill)
	}
	if len(b.spec.Marks) > 0 {
		names = append(names, buttonReset)
	}
	return names
}

// meters returns the meters. If several methods are visible, each meter is repeated for each
// method, with the method in its name, unless the meter compares methods or runs.
func (b *bench) meters() (all []benchMeter) {
	for _, name := range b.spec.Meters {
		each := b.spec.Bench
		if name == MeterVerdict || name == MeterAgreement || name == MeterApart || b.dial(DialMethod) >= 0 {
			each = nil
		}
		all = append(all, metersOf(name, benchMeters[name], each)...)
	}
	return all
}

func (b *bench) apply(m *benchMoves, a Action) error {
	switch a.Kind {
	case "dial":
		k := b.dial(a.Name)
		if k < 0 || a.Index < 0 || a.Index >= len(b.spec.Dials[k].Values) {
			return fmt.Errorf("the dial %.40q has no position %d", a.Name, a.Index)
		}
		b.turn(m, k, a.Index)
	case "named":
		if a.Index < 0 || a.Index >= len(b.spec.Named)+len(b.spec.Arranged) {
			return fmt.Errorf("there is no setting %d", a.Index)
		}
		if a.Index >= len(b.spec.Named) {
			m.marks = slices.Clone(b.spec.Arranged[a.Index-len(b.spec.Named)].Marks)
			return nil
		}
		for name, v := range b.spec.Named[a.Index].Values {
			k := b.dial(name)
			b.turn(m, k, slices.Index(b.spec.Dials[k].Values, v))
		}
	case string(HandDrag):
		if a.Index < 0 || a.Index >= len(m.marks) {
			return fmt.Errorf("there is no label %d to drag", a.Index)
		}
		m.marks[a.Index] = a.At
	case "press":
		switch a.Name {
		case buttonAgain:
			m.runs = min(m.runs+1, MaxPanels)
		case buttonDraws(b.spec.Draws):
			m.draws, m.drawing = min(m.draws+1, b.spec.Draws), true
		case buttonFill:
			m.whole = true
			b.visit(m)
		case buttonReset:
			m.marks = slices.Clone(b.spec.Marks)
		}
	case KindTick:
		if m.drawing {
			m.draws = min(m.draws+1, b.spec.Draws)
			m.drawing = m.draws < b.spec.Draws
		}
		if m.whole {
			b.visit(m)
		}
	}
	return nil
}

// turn moves dial k to a position, and discards the draws. If BenchSpec.Curve is another dial, turn
// also discards the visited points of the curve.
func (b *bench) turn(m *benchMoves, k, position int) {
	if m.dials[k] == position {
		return
	}
	m.dials[k] = position
	m.draws, m.drawing = 0, false
	switch at := b.dial(b.spec.Curve); {
	case at < 0:
	case at == k:
		if !slices.Contains(m.visited, position) {
			m.visited = append(m.visited, position)
		}
	default:
		m.visited, m.whole = []int{m.dials[at]}, false
	}
}

// visit adds the next unvisited position of the dial of the curve.
func (b *bench) visit(m *benchMoves) {
	for v := range b.spec.Dials[b.dial(b.spec.Curve)].Values {
		if !slices.Contains(m.visited, v) {
			m.visited = append(m.visited, v)
			return
		}
	}
	m.whole = false
}

func (b *bench) dataAt(set map[string]float64, m *benchMoves) (*labelled, error) {
	return b.samples.get(key(set, m), func() (*labelled, error) { return b.made(set, m) })
}

// key returns the cache key of data and results for the given settings.
func key(set map[string]float64, m *benchMoves) string {
	other := map[string]float64{}
	for name, v := range set {
		if name != DialMethod && name != DialLost { // these dials only select what is shown
			other[name] = v
		}
	}
	return fmt.Sprint(other, m.marks)
}

// made generates the data and the labels for the given settings.
func (b *bench) made(set map[string]float64, m *benchMoves) (*labelled, error) {
	d, err := b.samplesAt(set)
	if err != nil {
		return nil, err
	}
	if set[DialStandardise] == 1 {
		d = d.Standardize()
	}
	tossed, isTossed := set[DialTossed]
	told, isTold := set[DialTold]
	if !isTossed {
		tossed = 2
	}
	if isTossed || isTold {
		d = recipes.Tossed(d, int(tossed), b.seed())
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	n := d.Len()
	l := &labelled{truth: slices.Clone(d.Truth)}
	if l.truth == nil {
		l.truth = make([]int, n)
	}
	draw := uint64(1)
	if v, ok := set[DialDraw]; ok {
		draw = uint64(v)
	}
	count, isDial := set[DialLabels]
	if !isDial {
		count = float64(b.spec.Labels)
	}
	switch {
	case len(m.marks) > 0:
		d = d.WithLabels(nearestTo(d.X, m.marks, l.truth))
	case d.Truth == nil || count < 0:
		d = d.HideLabels()
	case isTold && told == 0:
		d = d.HideLabels()
	case isTold && told < 100:
		d = d.KeepShare(told / 100).Seed(draw)
	case isTossed:
		d = d.KeepShare(0.5).Seed(draw)
	case count > 0:
		d = d.KeepLabels(int(count)).Seed(draw)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	l.labels = slices.Clone(d.Labels)
	if l.labels == nil {
		l.labels = slices.Repeat([]int{data.Unlabelled}, n)
	}
	if wrong := int(set[DialWrong]); wrong > 0 {
		mislabel(l.labels, wrong, draw)
		d = d.WithLabels(l.labels)
	}
	if l.d = d; b.spec.Fresh > 0 {
		err = b.addFresh(l, set)
	}
	return l, cmp.Or(err, d.Err())
}

// addFresh adds new samples of the recipe. Their classes are random if those of l are.
func (b *bench) addFresh(l *labelled, set map[string]float64) error {
	recipe := *b.spec.Source.Recipe
	recipe.Seed += freshSeed
	d, err := b.recipeAt(recipe, set)
	if err != nil {
		return err
	}
	tossed, isTossed := set[DialTossed]
	if _, isTold := set[DialTold]; isTossed || isTold {
		d = recipes.Tossed(d, int(max(tossed, 2)), recipe.Seed)
	}
	if err := d.Err(); err != nil {
		return err
	}
	truth := d.Truth
	if truth == nil {
		truth = make([]int, d.Len())
	}
	n, all := min(b.spec.Fresh, d.Len()), d.Len()
	l.fresh = mat.NewDense(n, d.Dim(), nil)
	for i := range n {
		row := i * all / n
		l.fresh.SetRow(i, d.X.RawRowView(row))
		l.freshTruth = append(l.freshTruth, truth[row])
	}
	return nil
}

func (b *bench) seed() uint64 {
	if r := b.spec.Source.Recipe; r != nil {
		return r.Seed
	}
	return 1
}

// samplesAt returns the samples for the given settings. It fails if they are too many or too large.
func (b *bench) samplesAt(set map[string]float64) (*data.Data, error) {
	source := b.spec.Source
	if k := int(set[DialData]); k > 0 {
		r := b.spec.Others[k-1].Recipe
		source = Source{Recipe: &r}
	}
	var d *data.Data
	var err error
	if source.Recipe != nil {
		d, err = b.recipeAt(*source.Recipe, set)
	} else {
		d, err = source.open(b.data)
	}
	if err != nil {
		return nil, err
	}
	if len(b.spec.Marks) > 0 && d.X != nil && d.Dim() < 2 {
		return nil, fmt.Errorf("the labels of Movable need two features, but the samples have only one; leave out Movable")
	}
	if n, dims := d.Len(), d.Dim(); n > maxBenched || dims > maxBenchDims || d.X == nil {
		return nil, fmt.Errorf("a bench cannot have %s of %s; give at most %d samples of 1 to %d dense features", nouns.Count(n, "sample"), nouns.Count(dims, "feature"), maxBenched, maxBenchDims)
	}
	return d, nil
}

// recipeAt generates the samples of a recipe. The settings override the parameters of the recipe.
func (b *bench) recipeAt(r recipes.Recipe, set map[string]float64) (*data.Data, error) {
	if info, ok := recipes.Find(r.Name); ok {
		for _, p := range info.Parameters {
			if v, ok := set[p.Name]; ok {
				r.With = withValue(r.With, p.Name, v)
			}
		}
	}
	return Source{Recipe: &r}.open(nil)
}

// nearestTo returns the labels of all samples. The samples nearest to the marks (see func marked)
// have their true class, and all others are unlabelled.
func nearestTo(x *mat.Dense, marks [][2]float64, truth []int) []int {
	labels := slices.Repeat([]int{data.Unlabelled}, len(truth))
	for _, i := range marked(x, marks) {
		labels[i] = truth[i]
	}
	return labels
}

// marked returns, for each mark, the row of the nearest sample in the plane of the first two
// features. The samples of earlier marks are excluded.
func marked(x *mat.Dense, marks [][2]float64) []int {
	var rows []int
	n, _ := x.Dims()
	for _, at := range marks {
		best, row := math.Inf(1), -1
		for i := range n {
			if d := floats.Distance(x.RawRowView(i)[:2], at[:], 2); d < best && !slices.Contains(rows, i) {
				best, row = d, i
			}
		}
		if row >= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// mislabel draws labelled samples at random, and changes their labels to another class. wrong is
// the number of labels to change; if there are fewer labelled samples, all labels are changed. If
// all labels are of one class, mislabel does nothing.
func mislabel(labels []int, wrong int, seed uint64) {
	var rows, classes []int
	for i, l := range labels {
		if l >= 0 {
			rows = append(rows, i)
			if !slices.Contains(classes, l) {
				classes = append(classes, l)
			}
		}
	}
	slices.Sort(classes)
	if len(classes) < 2 {
		return
	}
	r := generator(seed)
	for _, k := range r.Perm(len(rows))[:min(wrong, len(rows))] {
		at := slices.Index(classes, labels[rows[k]])
		labels[rows[k]] = classes[(at+1)%len(classes)]
	}
}
