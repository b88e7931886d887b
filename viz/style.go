package viz

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// style is what the methods of a [Figure] say about the samples of embeddings.
type style struct {
	color, size, opacity any // nil by default; see column.go
	palette              Palette
	only, highlight      []int // nil for all, and for none
	bare                 bool  // without axes
	symbols              *bool // whether each class has its own; nil for files in print alone
	hover                []string
	labels               bool
	thumbnails           bool
	density              bool
	arrows               *int // how many; nil for none
}

// restyled is the figure with a changed style.
func (f Figure) restyled(method string, change func(s *style)) Figure {
	if f.err != nil {
		return f
	}
	if f.again == nil {
		remedy := "it is for the samples of Embedding, Compare, GraphLinks, PairLinks and Distortion"
		if f.kind == "multiples" {
			remedy = "draw the models by viz.Compare, which takes it"
		}
		return failed(f.kind, fmt.Errorf("viz: %s does not apply to a figure of kind %q; %s", method, f.kind, remedy))
	}
	s := f.style
	change(&s)
	out := f.again(s)
	if out.err != nil {
		return out
	}
	out.title, out.millimeters, out.points, out.dark = f.title, f.millimeters, f.points, f.dark
	if f.given {
		out.given, out.width, out.height = true, f.width, f.height
	}
	return out
}

// Color returns a copy in which samples have the colours of values instead of classes:
//
//   - the name of a feature, in its units of before Standardize or Scale01, or of an
//     attribute of the data;
//   - a slice with one value for each sample: floating-point numbers and times have a
//     scale of colours, and whole numbers, strings and booleans are categories;
//   - a [Fact] of the model, such as [Confidence];
//   - nil for the classes again.
//
// An attribute whose texts are numbers, or dates as ISO 8601 writes them (2026-11-25,
// 2026-11-25T10:30:00Z), has a scale, and others are categories, in the order of
// [data.CompareNames]. Values that are not known (NaN, an infinity, the whole number −1, the
// zero time, "" and "?") are grey, and a line below the figure counts them. A scale ends at the 1 % and 99 % quantiles if values
// reach far beyond, and a line says so. Of more than 20 categories the largest have a
// colour, and the others are grey. Several embeddings share one scale and one set of categories.
func (f Figure) Color(values any) Figure {
	return f.restyled("Color", func(s *style) { s.color = values })
}

// PointSize returns a copy in which the points have another size: a number is the
// diameter in pixels, from 1 to 40, and values as in [Figure.Color], which must be numbers,
// are diameters from 3 to 18 pixels, of which a line below the panels shows three with their
// numbers. Samples of unknown value are the smallest.
func (f Figure) PointSize(values any) Figure {
	return f.restyled("PointSize", func(s *style) { s.size = values })
}

// Opacity returns a copy in which the points have another opacity: a number from 0.01 to
// 1, or values as in [Figure.Color], which must be numbers, for opacities from 0.1
// to 1, of which a line below the panels shows three with their numbers. Samples of unknown
// value are the palest.
func (f Figure) Opacity(values any) Figure {
	return f.restyled("Opacity", func(s *style) { s.opacity = values })
}

// Palette returns a copy with another scale of colours for [Figure.Color]: [Viridis] by
// default. [Diverging] has its middle at zero, for values such as differences.
func (f Figure) Palette(p Palette) Figure {
	return f.restyled("Palette", func(s *style) { s.palette = p })
}

// Only returns a copy that draws these samples alone. Rows count from 0; axes, scales and
// labels are those of the samples drawn, and classes keep the colours that they have among
// all samples.
func (f Figure) Only(rows ...int) Figure {
	return f.restyled("Only", func(s *style) { s.only = chosen(rows) })
}

// Highlight returns a copy in which all samples but these are pale and grey, and lie
// below them. Rows count from 0.
func (f Figure) Highlight(rows ...int) Figure {
	return f.restyled("Highlight", func(s *style) { s.highlight = chosen(rows) })
}

// chosen copies rows, and is not nil for none.
func chosen(rows []int) []int { return append([]int{}, rows...) }

// Symbols returns a copy in which classes and categories differ by symbol as well as by
// colour from the first on, or, with false, only where colours repeat, from the eleventh on.
// Without Symbols they do so from the first on in files for print, which are SVG and PDF:
// there readers may have no colours.
func (f Figure) Symbols(each bool) Figure {
	return f.restyled("Symbols", func(s *style) { s.symbols = &each })
}

// eachSymbol reports whether classes differ by symbol from the first on.
func (s style) eachSymbol() bool { return s.symbols != nil && *s.symbols }

// inFile returns the panels as the figure's file shows them, some of which may be nil.
func (f Figure) inFile(panels []*panel) []*panel {
	out := make([]*panel, len(panels))
	var places []box
	if f.layout != nil {
		places = f.boxes()
	}
	for k, p := range panels {
		if p == nil {
			continue
		}
		q := *p
		if f.dark {
			q.paper = nightGround
		}
		if k < len(places) {
			q.room = places[k].w * places[k].h
		}
		if f.vector != "" && p.style.symbols == nil {
			each := true
			q.style.symbols = &each
			q.regroup()
		}
		out[k] = &q
	}
	return out
}

// Axes returns a copy with or without axes. Coordinates of most embeddings have no
// meaning by themselves.
func (f Figure) Axes(show bool) Figure {
	return f.restyled("Axes", func(s *style) { s.bare = !show })
}

// Hover returns a copy whose hover card has the values of these features and attributes
// too. The name of a [Fact], such as "doubt", is that of the fact unless the data have a feature
// or an attribute of this name.
func (f Figure) Hover(names ...string) Figure {
	return f.restyled("Hover", func(s *style) { s.hover = slices.Clone(names) })
}

// subset returns which of n rows a method has chosen, or an error.
func subset(method string, rows []int, p *panel) ([]bool, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("viz: %s of no sample; give the rows of at least one", method)
	}
	in := make([]bool, p.n)
	for _, i := range rows {
		if i < 0 || i >= p.n {
			return nil, fmt.Errorf("viz: %s(%d): %s has %d samples; rows count from 0 to %d", method, i, p.name, p.n, p.n-1)
		}
		in[i] = true
	}
	return in, nil
}

// aspect is values that colours, sizes or opacities show, on one scale for all panels.
type aspect struct {
	name    string
	columns []column // of the panels
	lo, hi  float64  // of the scale
	single  string   // the value, where all samples have the same
	total   int
	beyond  int // how many lie beyond the scale
	unknown int
	keys    []category
	at      map[string]int // the place of each category in keys
	others  int            // how many categories are not among them
}

// A scale is clipped if its values reach far beyond these quantiles.
const (
	clipped = 0.01
	farther = 1.5 // times the distance of the quantiles
)

// newAspect reads the values of all panels. It is nil for no values.
func newAspect(method string, values any, panels []*panel) (*aspect, error) {
	if values == nil {
		return nil, nil
	}
	a := &aspect{lo: math.Inf(1), hi: math.Inf(-1)}
	var known []float64
	for k, p := range panels {
		c, err := p.column(method, values)
		if err != nil {
			return nil, err
		}
		if k > 0 && (c.number == nil) != (a.columns[0].number == nil) {
			return nil, fmt.Errorf("viz: %s %q is a number in one embedding and text in another; draw them apart", method, c.name)
		}
		a.name, a.columns = c.name, append(a.columns, c)
		if k > 0 && (c.dates == nil) != (a.columns[0].dates == nil) {
			return nil, fmt.Errorf("viz: %s %q is a date in one embedding and a number in another; draw them apart", method, c.name)
		}
		if c.number == nil {
			continue
		}
		a.total += len(p.rows)
		for _, i := range p.rows {
			if v := c.number[i]; math.IsNaN(v) {
				a.unknown++
			} else {
				known = append(known, v)
			}
		}
	}
	if a.columns[0].number == nil {
		if a.group(panels); a.keys == nil {
			return nil, fmt.Errorf("viz: %s %q has no known category for the samples drawn; give at least one", method, a.name)
		}
		return a, nil
	}
	if known == nil {
		return nil, fmt.Errorf("viz: %s %q has no finite number for the samples drawn; give at least one", method, a.name)
	}
	if err := moderate(method+" "+a.name, known...); err != nil {
		return nil, err
	}
	slices.Sort(known)
	last := len(known) - 1
	a.lo, a.hi = known[0], known[last]
	if low, high := known[int(clipped*float64(last))], known[last-int(clipped*float64(last))]; !same(low, high) && a.hi-a.lo > farther*(high-low) {
		a.lo, a.hi = low, high
		for _, v := range known {
			if v < low || v > high {
				a.beyond++
			}
		}
	}
	if same(a.lo, a.hi) {
		if a.single = fmt.Sprintf("%.6g", a.lo); a.columns[0].dates != nil {
			a.single = dated(a.lo, 0)
		}
		a.lo, a.hi = padded(a.lo, a.hi, 0)
	}
	return a, nil
}

// centred makes the scale reach as far to both sides of zero.
func (a *aspect) centred() {
	a.hi = max(math.Abs(a.lo), math.Abs(a.hi))
	a.lo = -a.hi
}

// share is the place of a value on the scale, in [0, 1].
func (a *aspect) share(v float64) float64 { return min(max((v-a.lo)/(a.hi-a.lo), 0), 1) }

// least is the value of sample i of panel k, the smallest where it is not known.
func (a *aspect) least(k, i int) float64 {
	if v := a.columns[k].number[i]; !math.IsNaN(v) {
		return v
	}
	return a.lo
}

// ends are the labels of the scale's ends, the lower first.
func (a *aspect) ends() [2]string {
	out := [2]string{a.value(a.lo), a.value(a.hi)}
	if a.beyond > 0 {
		out[0], out[1] = "≤ "+out[0], "≥ "+out[1]
	}
	return out
}

// value writes a value of the scale with three digits of its own and of the scale's length,
// so that the two ends differ, and without an exponent where the number is short.
func (a *aspect) value(v float64) string {
	if a.columns[0].dates != nil {
		return dated(v, a.hi-a.lo)
	}
	if v == 0 {
		return "0"
	}
	order := func(x float64) int { return int(math.Floor(math.Log10(math.Abs(x)))) }
	digits := min(max(3, 3+order(v)-order(a.hi-a.lo)), 17)
	if most := order(v); most < -4 || most > 6 {
		return fmt.Sprintf("%.*g", digits, v)
	} else if most >= digits {
		digits = most + 1
	}
	return fmt.Sprintf("%.*g", digits, v)
}

// maxCategories bounds the categories of a column that have a colour: with more, readers
// would confuse them.
const maxCategories = 20

// category is a value with the number of its colour and symbol.
type category struct {
	name string
	look int
}

// group chooses the categories of all panels that have a colour: the largest, in the
// order of the columns. at has the place of each of them.
func (a *aspect) group(panels []*panel) {
	count := map[string]int{}
	a.at = map[string]int{}
	for k, p := range panels {
		c := a.columns[k]
		a.total += len(p.rows)
		for _, i := range p.rows {
			if c.of[i] < 0 {
				a.unknown++
			} else {
				count[c.keys[c.of[i]].name]++
			}
		}
	}
	for _, c := range a.columns {
		for _, one := range c.keys {
			if _, known := a.at[one.name]; !known && count[one.name] > 0 {
				a.at[one.name] = len(a.keys)
				a.keys = append(a.keys, one)
			}
		}
	}
	if a.others = len(a.keys) - maxCategories; a.others <= 0 {
		a.others = 0
	} else {
		largest := slices.Clone(a.keys)
		slices.SortStableFunc(largest, func(x, y category) int { return count[y.name] - count[x.name] })
		for _, left := range largest[maxCategories:] {
			delete(a.at, left.name)
		}
		a.keys = slices.DeleteFunc(a.keys, func(one category) bool { _, kept := a.at[one.name]; return !kept })
		for k, one := range a.keys {
			a.at[one.name] = k
		}
	}
	if !a.columns[0].coded {
		for k := range a.keys {
			a.keys[k].look = k
		}
	}
}

// notes say what colours, sizes or opacities do not show; unknown is how samples look whose
// value is not known.
func (a *aspect) notes(unknown string) []string {
	if a == nil {
		return nil
	}
	var out []string
	if a.beyond > 0 {
		out = append(out, fmt.Sprintf("%s: %d of %d values lie beyond the ends of the scale, %s and %s, which are the 1 %% and 99 %% quantiles.", a.name, a.beyond, a.total, a.value(a.lo), a.value(a.hi)))
	}
	if a.single != "" {
		out = append(out, fmt.Sprintf("%s is %s for all samples where it is known.", a.name, a.single))
	}
	if a.unknown > 0 {
		out = append(out, fmt.Sprintf("%s is not known for %d of %d samples: these are the %s.", a.name, a.unknown, a.total, unknown))
	}
	if a.others > 0 {
		out = append(out, fmt.Sprintf("%s has %d categories: the %d largest have a colour, the others are grey.", a.name, a.others+len(a.keys), len(a.keys)))
	}
	return out
}

// text says what colours, sizes or opacities show, "" for nothing.
func (a *aspect) text(what string) string {
	switch {
	case a == nil:
		return ""
	case a.keys != nil:
		return fmt.Sprintf("%s: %s, %d categories\n", what, a.name, len(a.keys)+a.others)
	}
	return fmt.Sprintf("%s: %s from %s to %s\n", what, a.name, a.value(a.lo), a.value(a.hi))
}

// number is a number that a method takes instead of values.
func number(method string, v any, lo, hi float64) (float64, bool, error) {
	r := reflect.ValueOf(v)
	var x float64
	switch {
	case v == nil:
		return 0, false, nil
	case r.CanInt():
		x = float64(r.Int())
	case r.CanUint():
		x = float64(r.Uint())
	case r.CanFloat():
		x = r.Float()
	default:
		return 0, false, nil
	}
	if !(x >= lo && x <= hi) {
		return 0, false, fmt.Errorf("viz: %s(%v): give a number from %g to %g, or values for the samples", method, v, lo, hi)
	}
	return x, true, nil
}

// dress gives panels the style s.
func dress(s style, panels []*panel) error {
	for _, p := range panels {
		p.style = s
		if s.only != nil {
			in, err := subset("Only", s.only, p)
			if err != nil {
				return err
			}
			p.only = in
			p.rows = slices.DeleteFunc(p.rows, func(i int) bool { return !in[i] })
		}
		if s.highlight != nil {
			in, err := subset("Highlight", s.highlight, p)
			if err != nil {
				return err
			}
			p.highlighted = in
		}
		for _, name := range s.hover {
			c, err := p.named("Hover", name)
			if fact := Fact(name); err != nil && slices.Contains(facts, fact) {
				c, err = p.column("Hover", fact)
			}
			if err != nil {
				return err
			}
			p.facts = append(p.facts, c)
		}
	}
	if s.palette < Viridis || s.palette > Diverging {
		return fmt.Errorf("viz: Palette(%d): there is no such scale; give Viridis, Gray or Diverging", s.palette)
	}
	color, err := newAspect("Color", s.color, panels)
	if err != nil {
		return err
	}
	if color != nil && s.palette == Diverging && color.keys == nil {
		color.centred()
	}
	sizes, opacities := s.size, s.opacity
	if px, ok, err := number("PointSize", s.size, 1, 40); err != nil {
		return err
	} else if ok {
		sizes = nil
		for _, p := range panels {
			p.size = px
		}
	}
	if share, ok, err := number("Opacity", s.opacity, 0.01, 1); err != nil {
		return err
	} else if ok {
		opacities = nil
		for _, p := range panels {
			p.opacity = share
		}
	}
	size, err := newAspect("PointSize", sizes, panels)
	if err != nil {
		return err
	}
	opacity, err := newAspect("Opacity", opacities, panels)
	if err != nil {
		return err
	}
	if opacity == nil {
		opacity = s.doubt(panels)
	}
	for method, a := range map[string]*aspect{"PointSize": size, "Opacity": opacity} {
		if a != nil && a.columns[0].number == nil {
			return fmt.Errorf("viz: %s needs numbers, and %q has categories; show them by Color", method, a.name)
		}
	}
	for _, p := range panels {
		p.colors, p.sizes, p.opacities = color, size, opacity
		p.settle()
		if err := cmp.Or(p.overlays(), p.weigh()); err != nil {
			return err
		}
	}
	return nil
}
