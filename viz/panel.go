package viz

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// panel is an embedding prepared for drawing.
type panel struct {
	name       string
	model      Embedded
	n, d       int
	y          *mat.Dense
	classes    []int    // classes that occur, ascending
	names      []string // names of the classes
	classIndex []int    // classIndex[i] is the index of sample i into classes
	legend     []look.Group
	ranks      look.Ranks // ranks of the classes; classes with the same name have the same rank in all panels of a figure
	labelled   []bool
	data       *data.Data

	style  style
	rows   []int   // samples that are drawn, ascending
	groups []group // groups of the drawn samples
	// included marks the samples that are drawn; nil means all. highlighted marks the samples that
	// are emphasised; nil means none.
	included, highlighted []bool
	facts                 []column        // further values for the hover card
	loadings              *loadings       // nil without arrows
	clusters              []part          // clusters with a drawn name; nil for none
	contrast              *chart.Contrast // values for comparing selections; nil for none
	places                *chart.Places   // positions in the data space; nil without Distances
	// knownAs contains numbers that identify samples across panels, see chart.SamplePanel.Known.
	knownAs                  string
	k                        int         // index of the panel into aspect.columns
	colors, sizes, opacities *aspect     // values that colours, sizes and opacities show; nil for none
	size                     float64     // usual diameter of a point in pixels
	opacity                  float64     // opacity of a point, 0 for the default
	lo, hi                   [2]float64  // drawn range of the first two dimensions
	outside                  int         // number of samples outside of the drawn range
	deep                     bool        // the chart has three dimensions
	paintable                bool        // the page's script may paint the samples instead of ECharts, see many.go
	paper                    color.NRGBA // background of the static picture
	room                     float64     // area of the static panel in square pixels, 0 if unknown
}

// group contains samples with the same legend entry. They have the same colour unless colours show
// numbers.
type group struct {
	name   string
	tone   color.NRGBA
	symbol int      // index into symbols
	rows   [2][]int // samples without and with a ring
	scaled bool     // colours show numbers
	faded  bool     // others are highlighted, and these samples are pale
	absent bool     // the value of the samples is unknown
}

const maxClasses = look.MaxClasses

// manyClasses returns the note for panels with more classes than combinations of colour and symbol.
// It returns "" for other panels.
func manyClasses(panels ...*panel) string {
	most := 0
	for _, p := range panels {
		if p != nil && p.colors == nil {
			known := len(p.classes)
			if slices.Contains(p.classes, data.Unlabelled) {
				known--
			}
			most = max(most, known)
		}
	}
	return cutLegend(most)
}

// cutLegend returns the note for a figure with the given number of classes. It returns "" unless
// this number exceeds the number of combinations of colour and symbol.
func cutLegend(classes int) string {
	if classes <= look.Looks {
		return ""
	} else if classes <= maxClasses {
		return fmt.Sprintf("There are %d classes: colours and symbols repeat after %d.", classes, look.Looks)
	}
	return fmt.Sprintf("There are %d classes: colours and symbols repeat, and the legend names the first %d. If the labels differ from sample to sample, they are identifiers, not classes.", classes, maxClasses)
}

// partOf returns the note for panels whose embeddings have more dimensions than are drawn. It
// returns "" if there are no such panels.
func partOf(drawn int, panels ...*panel) string {
	var of []string
	for _, p := range panels {
		if p != nil && p.d > drawn {
			of = append(of, fmt.Sprintf("%s has %d dimensions", p.name, p.d))
		}
	}
	if of == nil {
		return ""
	}
	few := []string{2: "two", 3: "three"}[drawn]
	return fmt.Sprintf("Only the first %s are drawn: %s.", few, strings.Join(of, ", "))
}

// newPanel prepares an embedding in the default style.
func newPanel(m Embedded) *panel {
	n, d := m.Embedding().Dims()
	p := &panel{name: cut(m.Method()), model: m, n: n, d: d, y: m.Embedding(), data: m.Data(), size: 7, paper: white}
	if n > 2000 {
		p.size = 4
	}
	p.classify(look.ClassesOf(p.data, n))
	p.rows = make([]int, n)
	for i := range p.rows {
		p.rows[i] = i
	}
	p.settle()
	return p
}

func (p *panel) classify(c look.Classes) {
	p.classIndex, p.labelled, p.classes, p.names, p.legend, p.ranks = c.Of, c.Labelled, c.Classes, c.Names, c.Groups, c.Ranks
}

// shareRanks assigns each class the same colour and symbol in all panels of a figure.
func shareRanks(panels []*panel) {
	var sets []look.Set
	at := map[*data.Data]int{} // index into sets
	for _, p := range panels {
		if _, met := at[p.data]; !met {
			at[p.data] = len(sets)
			sets = append(sets, look.Set{Data: p.data, Whole: p.data.AllClasses(), There: p.classes})
		}
	}
	if len(sets) < 2 {
		return
	}
	ranks := look.SharedRanks(sets)
	for _, p := range panels {
		p.ranked(ranks[at[p.data]])
	}
}

// ranked sets the ranks of the classes.
func (p *panel) ranked(ranks look.Ranks) {
	p.classify(look.ClassesIn(ranks, p.data, p.n))
	p.regroup()
}

// settle divides the samples into groups and sets the drawn ranges.
func (p *panel) settle() {
	p.regroup()
	for k := range 2 {
		p.lo[k], p.hi[k] = p.span(k)
	}
}

// newCropped is newPanel with a drawn range that excludes outliers, see crop.
func newCropped(m Embedded) *panel {
	p := newPanel(m)
	p.outside = p.crop()
	return p
}

// newPanels prepares embeddings for drawing in the given style.
func newPanels(models []Embedded, s style) ([]*panel, error) {
	return newPanelsUpTo(maxPoints, maxTotal, models, s, false)
}

// newPaintable is newPanels for figures in which the page's script, rather than ECharts, may paint
// panels with many samples. Such figures must not draw anything opaque below the samples.
func newPaintable(models []Embedded, s style) ([]*panel, error) {
	panels, err := newPanelsUpTo(maxMany, maxManyIn, models, s, true)
	points := 0 // number of points drawn by ECharts
	for _, p := range panels {
		if !p.painted() {
			points += len(p.rows)
		}
	}
	if err == nil && points > maxTotal {
		err = fmt.Errorf("viz: the panels with at most %d samples each have %d samples in all, but ECharts draws at most %d; draw fewer panels, or a subset with Data.Subset", manySamples, points, maxTotal)
	}
	return panels, err
}

// newPanelsUpTo is newPanels with given limits: the arguments each and all are the maximum numbers
// of samples in a panel and in all panels. paintable sets panel.paintable.
func newPanelsUpTo(each, all int, models []Embedded, s style, paintable bool) ([]*panel, error) {
	panels, total := make([]*panel, len(models)), 0
	for k, m := range models {
		n, _ := m.Embedding().Dims()
		if total += n; n > each || total > all {
			return nil, errSamples(total, each, all)
		}
		panels[k] = newPanel(m)
		panels[k].k, panels[k].paintable = k, paintable
	}
	shareRanks(panels)
	return panels, dress(s, panels)
}

func (p *panel) regroup() {
	p.groups = nil
	// other returns the given name for a new group. If an earlier group has this name, other adds
	// parentheses.
	other := func(name string) string {
		for slices.ContainsFunc(p.groups, func(g group) bool { return g.name == name }) {
			name = "(" + name + ")"
		}
		return name
	}
	var place func(i int) int // place returns the index of the group of a sample
	switch c := p.colors; {
	case c == nil:
		in := make([]int, p.n)
		for k, g := range p.legend {
			p.groups = append(p.groups, group{name: g.Name, tone: p.tone(g.Class), symbol: p.symbol(g.Class)})
			for _, rows := range g.Rows {
				for _, i := range rows {
					in[i] = k
				}
			}
		}
		place = func(i int) int { return in[i] }
	case c.keys == nil:
		p.groups = []group{{name: c.name, scaled: true}}
		p.groups = append(p.groups, group{name: other(notKnown), tone: look.NoClass, absent: true}, group{name: c.name, scaled: true, symbol: carriedShape})
		of := c.columns[p.k]
		place = func(i int) int {
			switch {
			case math.IsNaN(of.number[i]):
				return 1
			case of.carried && !of.measured[i]:
				return 2
			}
			return 0
		}
	default:
		for _, one := range c.keys {
			tone := p.shade(one.look)
			if one.grey {
				tone = look.NoClass
			}
			p.groups = append(p.groups, group{name: one.name, tone: tone, symbol: look.Shape(one.look, p.style.eachSymbol())})
		}
		p.groups = append(p.groups, group{name: other("others"), tone: look.NoClass})
		p.groups = append(p.groups, group{name: other(cmp.Or(c.columns[0].absent, notKnown)), tone: look.NoClass, absent: true})
		of := c.columns[p.k]
		place = func(i int) int {
			if of.index[i] < 0 {
				return len(c.keys) + 1
			} else if k, ok := c.keyIndex[of.keys[of.index[i]].name]; ok {
				return k
			}
			return len(c.keys)
		}
	}
	rest, ringed := group{name: other("not highlighted"), tone: look.NoClass, faded: true}, p.ringAround()
	for _, i := range p.rows {
		if p.highlighted != nil && !p.highlighted[i] {
			rest.rows[0] = append(rest.rows[0], i)
			continue
		}
		labelled := 0
		if ringed(i) {
			labelled = 1
		}
		g := &p.groups[place(i)]
		g.rows[labelled] = append(g.rows[labelled], i)
	}
	// Groups are drawn in this order. The samples that are not highlighted come first and are
	// therefore below the others.
	p.groups = slices.DeleteFunc(append([]group{rest}, p.groups...), func(g group) bool { return g.rows[0] == nil && g.rows[1] == nil })
}

// notKnown is the legend entry of samples without a value, unless data.Attribute.Missing sets
// another name.
const notKnown = "not known"

// keys returns the entries of the legend.
func (p *panel) keys() []string {
	var out []string
	for _, g := range p.groups {
		if !g.scaled && !slices.Contains(out, g.name) {
			out = append(out, g.name)
		}
	}
	return out
}

// shown describes the colours, sizes and opacities as text.
func (p *panel) shown() string {
	return p.colors.text("colour") + p.sizes.text("size") + p.opacities.text("opacity")
}

// scaleNotes returns the lines below panels about values that the scales do not show, and about
// arrows.
func scaleNotes(panels ...*panel) []string {
	one := panels[0]
	out := slices.Concat(one.colors.notes("grey"), one.sizes.notes("smallest"), one.opacities.notes("palest"))
	if one.loadings != nil {
		out = append(out, "Arrows show weights, on a scale of their own: the change of the embedding per standard deviation of a feature.")
	}
	out = append(out, targetNotes(panels)...)
	for _, p := range panels {
		if p.loadings != nil && p.loadings.note != "" && !slices.Contains(out, p.loadings.note) {
			out = append(out, p.loadings.note)
		}
	}
	return out
}

// at returns coordinate k of sample i. A one-dimensional embedding has no second coordinate. In its
// place, at returns a value that separates the classes and spreads the samples of a class.
func (p *panel) at(i, k int) float64 {
	if k < p.d {
		return p.y.At(i, k)
	}
	return float64(p.classIndex[i]) + 0.6*math.Mod(float64(i)*0.618034, 1)
}

// span returns the minimum and the maximum of coordinate k over the drawn samples.
func (p *panel) span(k int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, i := range p.rows {
		lo, hi = min(lo, p.at(i, k)), max(hi, p.at(i, k))
	}
	return lo, hi
}

// ranges returns the axis ranges: the drawn range with a margin.
func (p *panel) ranges() (lo, hi [2]float64) {
	for k := range 2 {
		lo[k], hi[k] = padded(p.lo[k], p.hi[k], 0.04)
	}
	return lo, hi
}

// bounds returns the axis ranges, widened so that both axes have equal scales in a box of
// width×height.
func (p *panel) bounds(width, height float64) (lo, hi [2]float64) {
	lo, hi = p.ranges()
	if p.d < 2 {
		return lo, hi // the second axis of a one-dimensional embedding shows no coordinate
	}
	unit := max((hi[0]-lo[0])/width, (hi[1]-lo[1])/height)
	for k, pixels := range [2]float64{width, height} {
		spare := (unit*pixels - (hi[k] - lo[k])) / 2
		lo[k], hi[k] = lo[k]-spare, hi[k]+spare
	}
	return lo, hi
}

// The central part of a range is the interval between the quantiles tail and 1 − tail, extended on
// both sides by half of its length. A range is cropped to its central part if it is more than
// emptyBut times as long as this part.
const (
	tail     = 0.01
	emptyBut = 2.5
)

// shows reports whether sample i is in the drawn range.
func (p *panel) shows(i int) bool {
	x, y := p.at(i, 0), p.at(i, 1)
	return x >= p.lo[0] && x <= p.hi[0] && y >= p.lo[1] && y <= p.hi[1]
}

// crop narrows the drawn range so that it excludes a few outliers, and returns their number. It
// does not crop panels with fewer than 50 samples.
func (p *panel) crop() (outside int) {
	n := len(p.rows)
	values := make([]float64, n)
	for k := range 2 {
		if k >= p.d || n < 50 {
			continue
		}
		for r, i := range p.rows {
			values[r] = p.at(i, k)
		}
		slices.Sort(values)
		low, high := values[int(tail*float64(n))], values[n-1-int(tail*float64(n))]
		reach := (high - low) / 2
		low, high = max(low-reach, p.lo[k]), min(high+reach, p.hi[k])
		if !nearlyEqual(low, high) && p.hi[k]-p.lo[k] > emptyBut*(high-low) {
			p.lo[k], p.hi[k] = low, high
		}
	}
	for _, i := range p.rows {
		if !p.shows(i) {
			outside++
		}
	}
	return outside
}

// pale returns the opacity of points without a ring. The result is the argument usual, unless the
// group is faded, the style sets an opacity or highlights samples, or colours show numbers.
func (p *panel) pale(g group, usual float64) float64 {
	switch {
	case g.faded:
		return 0.2
	case p.opacity > 0:
		return p.opacity
	case g.scaled || p.highlighted != nil:
		return 0.85
	}
	return usual
}

// ringMark is the ring around a labelled sample.
type ringMark struct {
	growth int     // increase of the symbol size, in pixels
	width  float32 // width of the ring, in pixels
}

// ringed returns the ring of labelled samples. Broad rings cover the colours of neighbours. The
// ring is therefore thin if many samples are labelled, or if broad rings would fill much of the
// picture. If colours show values, labelled samples have the same size as others.
func (p *panel) ringed() ringMark {
	// In square pixels: disc is the area of a sample with a broad ring, and small is the area below
	// which a picture counts as small.
	const disc, small = 55, 90_000
	// covered is the maximum share of the picture that samples with broad rings may cover.
	covered := 0.06
	if p.room < small {
		covered = 0.02
	}
	count, ringed := 0, p.ringAround()
	for _, i := range p.rows {
		if ringed(i) {
			count++
		}
	}
	switch {
	case p.colors != nil && count <= 300:
		return ringMark{0, 0.8}
	case p.colors != nil:
		return ringMark{0, 0.5}
	case count > 300 || p.room > 0 && disc*float64(count) > covered*p.room:
		return ringMark{1, 0.5}
	}
	return ringMark{3, 1.4}
}

// tone returns the colour of classes[c]. Samples without a class are grey.
func (p *panel) tone(c int) color.NRGBA {
	if k, known := p.ranks[p.classes[c]]; known {
		return p.shade(k)
	}
	return look.NoClass
}

// shade returns the colour of the class or category with rank k.
func (p *panel) shade(k int) color.NRGBA {
	if p.painted() { // painted samples have no symbols
		return look.Shade(k)
	}
	return classColor(k)
}

// symbol returns the index into symbols for classes[c].
func (p *panel) symbol(c int) int { return p.ranks.Shape(p.classes[c], p.style.eachSymbol()) }

// scaled reports whether colours show numbers.
func (p *panel) scaled() bool { return p.colors != nil && p.colors.keys == nil }

// axis returns the name of dimension k.
func (p *panel) axis(k int) string {
	if k < p.d {
		return fmt.Sprintf("dimension %d", k+1)
	}
	return "class (spread)"
}
