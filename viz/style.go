package viz

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// style is the appearance of samples in embeddings. The methods of [Figure] set it.
type style struct {
	color, size, opacity any // nil for the default; see column.go
	palette              Palette
	included, highlight  []int // rows; nil draws all samples and emphasises none
	bare                 bool  // without axes
	// symbols determines whether classes differ by symbol from the first class on. nil means true
	// for SVG and PDF files, and false otherwise.
	symbols    *bool
	hover      []string
	labels     bool
	named      *ssdrnb.Grouping // clusters with a drawn name; nil for none
	thumbnails bool
	density    bool
	arrows     *int // number of arrows; nil for none
	// contrast computes the values for comparing selections, and stores them in the panels. It is
	// nil if selections are not compared.
	contrast  func(panels []*panel) error
	distances func(panels []*panel) error // computes the positions of samples in the data space; nil for none
	// linked matches samples of different panels. If it is nil, samples with equal row numbers
	// match.
	linked func(panels []*panel) error
}

func (f Figure) restyled(method string, change func(s *style)) Figure {
	if f.err != nil || f.drawing == nil && f.samples == nil {
		return f // Err returns an error in both cases
	}
	if f.samples == nil {
		remedy := "use it with Embedding, Compare, GraphLinks, PairLinks or Distortion"
		if f.kind == "multiples" {
			remedy = "draw the models with viz.Compare, which supports it"
		}
		return failed(f.kind, fmt.Errorf("viz: %s does not apply to a figure of kind %q; %s", method, f.kind, remedy))
	}
	s := &styled{source: f.samples.source, style: f.samples.style}
	change(&s.style)
	f.samples = s
	return f
}

// copied returns a copy of a slice, and other values unchanged. Figures are drawn later, and the
// caller may change the slice before that.
func copied(values any) any {
	v := reflect.ValueOf(values)
	if v.Kind() != reflect.Slice || v.IsNil() {
		return values
	}
	return reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v).Interface()
}

// Color returns a copy whose samples are coloured by values instead of classes:
//
//   - the name of a feature, target or attribute of the data: features are in the units that they
//     had before Standardize or Scale01, and several features must not share the name;
//   - a slice with one value for each sample: floating-point numbers and times have a colour
//     scale, and integers, strings and booleans are categories;
//   - a [Fact] of the model, such as [Confidence];
//   - the comparison of the model with noise, see [ssdrnb.AgainstNull], which gives three colours:
//     one for samples that keep more of their neighbours than noise does, one for samples that keep
//     no more, and one for unclear cases;
//   - nil for the classes.
//
// An attribute has a colour scale if its values are numbers, or dates in ISO 8601 (2026-11-25,
// 2026-11-25T10:30:00Z). Other attributes are categories, in the order of [data.CompareNames].
// Dates are shown in UTC. If some of them are in another zone, the name of the scale ends with
// (UTC). If values reach far beyond the 1 % and 99 % quantiles, the scale ends at these quantiles,
// and a line below the figure reports it. If there are more than 20 categories, the smallest are
// grey. Several embeddings share one scale or one set of categories.
//
// Unknown values are grey, and a line below the figure counts them. They are NaN, ±Inf, the integer
// −1, the zero time, "" and "?", and in attributes of numbers or dates also NA, N/A, null and -. If
// an attribute contains the original texts of a feature of the same name, as in data from tables,
// filled gaps of the feature are unknown too, and day numbers are shown as dates.
//
// For a target ([data.Data.WithTarget]), samples with a known value have a ring. Other samples are
// diamonds with the value that the model predicted for them ([ssdrnb.Model.Carried]), and a line
// below the figure reports the cross-validated accuracy q2. Values hidden by [data.Data.KeepTarget]
// are not shown.
func (f Figure) Color(values any) Figure {
	values = copied(values)
	return f.restyled("Color", func(s *style) { s.color = values })
}

// PointSize returns a copy with points of another size. If values is a number, it is the diameter
// of all points in pixels, from 1 to 40. Otherwise values are given as in [Figure.Color], and must
// be numeric. They set diameters from 3 to 18 pixels, which are explained below the panels. Samples
// of unknown value have the smallest diameter.
func (f Figure) PointSize(values any) Figure {
	values = copied(values)
	return f.restyled("PointSize", func(s *style) { s.size = values })
}

// Opacity returns a copy with points of another opacity. If values is a number, it is the opacity
// of all points, from 0.01 to 1. Otherwise values are given as in [Figure.Color], and must be
// numeric. They set opacities from 0.1 to 1, which are explained below the panels. Samples of
// unknown value have the lowest opacity.
func (f Figure) Opacity(values any) Figure {
	values = copied(values)
	return f.restyled("Opacity", func(s *style) { s.opacity = values })
}

// Palette returns a copy with another colour scale for [Figure.Color]. The default is [Viridis].
// [Diverging] is centred at zero, for values such as differences.
func (f Figure) Palette(p Palette) Figure {
	return f.restyled("Palette", func(s *style) { s.palette = p })
}

// Only returns a copy that draws the given rows, counted from 0, and no others. The drawn samples
// determine axes, scales and labels. Classes keep their colours.
func (f Figure) Only(rows ...int) Figure {
	return f.restyled("Only", func(s *style) { s.included = chosen(rows) })
}

// Highlight returns a copy that emphasises the given rows, counted from 0. All other samples are
// pale, grey and in the background.
func (f Figure) Highlight(rows ...int) Figure {
	return f.restyled("Highlight", func(s *style) { s.highlight = chosen(rows) })
}

// chosen returns a copy of rows that is not nil.
func chosen(rows []int) []int { return append([]int{}, rows...) }

// Symbols returns a copy whose classes or categories differ by symbol as well as by colour if the
// argument each is true. Successive classes then have different symbols. If it is false, the symbol
// changes only from the eleventh class on, where colours repeat. The default is true for SVG and
// PDF files, which may be printed without colours, and false otherwise.
func (f Figure) Symbols(each bool) Figure {
	return f.restyled("Symbols", func(s *style) { s.symbols = &each })
}

// eachSymbol reports whether classes differ by symbol from the first class on.
func (s style) eachSymbol() bool { return s.symbols != nil && *s.symbols }

// inFile returns copies of panels that are adapted to the static picture: its background, the area
// of its panels, and its symbols. A panel may be nil.
func (s sheet) inFile(panels []*panel) []*panel {
	out := make([]*panel, len(panels))
	var places []box
	if s.layout != nil {
		places = s.boxes()
	}
	for k, p := range panels {
		if p == nil {
			continue
		}
		q := *p
		if s.dark {
			q.paper = nightGround
		}
		if k < len(places) {
			q.room = places[k].w * places[k].h
		}
		if s.format != "" && p.style.symbols == nil {
			each := true
			q.style.symbols = &each
			q.regroup()
		}
		out[k] = &q
	}
	return out
}

// Axes returns a copy with or without axes. The coordinates of most embeddings have no meaning.
func (f Figure) Axes(show bool) Figure {
	return f.restyled("Axes", func(s *style) { s.bare = !show })
}

// Hover returns a copy whose hover card includes the given features, targets, attributes and facts.
// Numbers of up to 15 significant digits are shown exactly. At most 10,000 names are allowed. A
// name such as "doubt" selects the [Fact] unless the data contain a feature, target or attribute
// with this name.
func (f Figure) Hover(names ...string) Figure {
	names = slices.Clone(names)
	return f.restyled("Hover", func(s *style) { s.hover = names })
}

// subset reports, for each sample of p, whether rows contains it. It returns an error if rows is
// empty or contains a row that does not exist. method is the name of the Figure method, for the
// error message.
func subset(method string, rows []int, p *panel) ([]bool, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("viz: %s: there are no rows; give at least one", method)
	}
	in := make([]bool, p.n)
	for _, i := range rows {
		if i < 0 || i >= p.n {
			if p.n == 1 {
				return nil, fmt.Errorf("viz: %s(%d): the row does not exist; %s has only row 0", method, i, p.name)
			}
			return nil, fmt.Errorf("viz: %s(%d): the row does not exist; %s has rows 0 to %d", method, i, p.name, p.n-1)
		}
		in[i] = true
	}
	return in, nil
}

// aspect contains the values that colours, sizes or opacities show, on a common scale for all
// panels.
type aspect struct {
	name      string
	columns   []column // columns of the panels
	lo, hi    float64  // ends of the scale
	single    string   // the value, if all samples have the same value
	total     int      // number of values
	centred   bool     // the scale is symmetric about zero
	outliers  [2]int   // number of values below and above the scale
	unknown   int      // number of unknown values
	keys      []category
	keyIndex  map[string]int // index into keys by name of a category
	uncolored int            // number of categories without a colour, which are not in keys
}

// If the range of all values exceeds `farther` times the range between the quantiles `clipped`
// and 1 − `clipped`, the scale ends at these quantiles.
const (
	clipped = 0.01
	farther = 1.5 // minimum ratio of the range of all values to the range between the quantiles
)

// newAspect reads the values of all panels for the Figure method of the given name, see
// [Figure.Color]. If centred is true, a scale of numbers is symmetric about zero. newAspect returns
// nil if values is nil.
func newAspect(method string, values any, panels []*panel, centred bool) (*aspect, error) {
	if values == nil {
		return nil, nil
	}
	a := &aspect{centred: centred}
	var known []float64
	for k, p := range panels {
		c, err := p.column(method, values)
		if err != nil {
			return nil, err
		}
		if k > 0 && (c.number == nil) != (a.columns[0].number == nil) {
			return nil, fmt.Errorf("viz: %s: %q is a number in one embedding and text in another; draw two figures", method, c.name)
		}
		a.name, a.columns = c.name, append(a.columns, c)
		if k > 0 && (c.dates == nil) != (a.columns[0].dates == nil) {
			return nil, fmt.Errorf("viz: %s: %q is a date in one embedding and a number in another; draw two figures", method, c.name)
		}
		if c.number == nil {
			continue
		}
		numbers := c.known(p.rows)
		a.total, a.unknown = a.total+len(p.rows), a.unknown+len(p.rows)-len(numbers)
		known = append(known, numbers...)
	}
	if a.columns[0].number == nil {
		if a.group(panels); a.keys == nil {
			return nil, fmt.Errorf("viz: %s: %q has no known category for the drawn samples; give at least one", method, a.name)
		}
		return a, nil
	}
	if known == nil {
		return nil, fmt.Errorf("viz: %s: %q has no finite number for the drawn samples; give at least one", method, a.name)
	}
	if err := moderate(method+" "+a.name, known...); err != nil {
		return nil, err
	}
	slices.Sort(known)
	last := len(known) - 1
	a.lo, a.hi = known[0], known[last]
	if low, high := known[int(clipped*float64(last))], known[last-int(clipped*float64(last))]; !nearlyEqual(low, high) && a.hi-a.lo > farther*(high-low) {
		a.lo, a.hi = low, high
	}
	if nearlyEqual(a.lo, a.hi) {
		if a.single = brief(a.lo, 0, look.ExactDigits); a.columns[0].dates != nil {
			a.single = dated(a.lo, 0)
		}
		if a.columns[0].dates == nil && a.lo >= 0 && a.lo <= 1 {
			a.lo, a.hi = 0, 1 // the value is probably a share, which is at most 1
		} else {
			a.lo, a.hi = padded(a.lo, a.hi, 0)
		}
	}
	if a.centred {
		a.hi = max(math.Abs(a.lo), math.Abs(a.hi))
		a.lo = -a.hi
	}
	for _, v := range known {
		if v < a.lo {
			a.outliers[0]++
		} else if v > a.hi {
			a.outliers[1]++
		}
	}
	return a, nil
}

// share returns the position of a value on the scale, in [0, 1].
func (a *aspect) share(v float64) float64 { return min(max((v-a.lo)/(a.hi-a.lo), 0), 1) }

// valueOrLow returns the value of sample i of panel k, or the lower end of the scale if the value
// is unknown.
func (a *aspect) valueOrLow(k, i int) float64 {
	if v := a.columns[k].number[i]; !math.IsNaN(v) {
		return v
	}
	return a.lo
}

// ends returns the labels of the two ends of the scale, lower end first.
func (a *aspect) ends() [2]string {
	out := [2]string{a.value(a.lo), a.value(a.hi)}
	for k, sign := range [2]string{"≤ ", "≥ "} {
		if a.outliers[k] > 0 {
			out[k] = sign + out[k]
		}
	}
	return out
}

// value formats a value of the scale: dates by dated, and numbers by brief with at least three
// significant digits.
func (a *aspect) value(v float64) string {
	if a.columns[0].dates != nil {
		return dated(v, a.hi-a.lo)
	}
	return brief(v, a.hi-a.lo, 3)
}

// maxCategories bounds the number of categories with a colour. Readers could not distinguish more
// colours.
const maxCategories = 20

// category is a value and the rank of its colour and symbol.
type category struct {
	name string
	look int
	grey bool // drawn in look.NoClass instead of the colour of its rank
}

// group selects the categories that get a colour: the most frequent categories over all panels, at
// most maxCategories. They keep the order that they have in the columns.
func (a *aspect) group(panels []*panel) {
	count := map[string]int{}
	a.keyIndex = map[string]int{}
	for k, p := range panels {
		c := a.columns[k]
		a.total += len(p.rows)
		for _, i := range p.rows {
			if c.index[i] < 0 {
				a.unknown++
			} else {
				count[c.keys[c.index[i]].name]++
			}
		}
	}
	for _, c := range a.columns {
		for _, one := range c.keys {
			if _, known := a.keyIndex[one.name]; !known && count[one.name] > 0 {
				a.keyIndex[one.name] = len(a.keys)
				a.keys = append(a.keys, one)
			}
		}
	}
	if a.uncolored = len(a.keys) - maxCategories; a.uncolored <= 0 {
		a.uncolored = 0
	} else {
		largest := slices.Clone(a.keys)
		slices.SortStableFunc(largest, func(x, y category) int { return count[y.name] - count[x.name] })
		for _, left := range largest[maxCategories:] {
			delete(a.keyIndex, left.name)
		}
		a.keys = slices.DeleteFunc(a.keys, func(one category) bool { _, kept := a.keyIndex[one.name]; return !kept })
		for k, one := range a.keys {
			a.keyIndex[one.name] = k
		}
	}
	if !a.columns[0].coded {
		for k := range a.keys {
			a.keys[k].look = k
		}
	}
}

// notes returns lines about values that the scale does not show. unknown describes the appearance
// of samples with unknown values.
func (a *aspect) notes(unknown string) []string {
	if a == nil {
		return nil
	}
	var out []string
	if beyond := a.outliers[0] + a.outliers[1]; beyond > 0 {
		ends := "which are the 1 % and 99 % quantiles"
		if a.centred {
			ends = "which are ± the larger absolute value of the 1 % and 99 % quantiles"
		}
		out = append(out, fmt.Sprintf("%s: %d of %s %s beyond the ends of the scale, %s and %s, %s.", a.name, beyond, nouns.Count(a.total, "value"), nouns.Form(beyond, "lies", "lie"), a.value(a.lo), a.value(a.hi), ends))
	}
	if a.single != "" {
		out = append(out, fmt.Sprintf("%s is %s for all samples where it is known.", a.subject(), a.single))
	}
	if what := a.columns[0].absent; a.unknown > 0 && what != "" {
		out = append(out, fmt.Sprintf("%d of the %s %s %s and drawn %s.", a.unknown, nouns.Count(a.total, "point"), nouns.Form(a.unknown, "is", "are"), what, unknown))
	} else if a.unknown > 0 {
		out = append(out, fmt.Sprintf("%s is not known for %d of the %s, which %s drawn %s.", a.subject(), a.unknown, nouns.Count(a.total, "point"), nouns.Form(a.unknown, "is", "are"), unknown))
	}
	if a.uncolored > 0 {
		out = append(out, fmt.Sprintf("%s has %d categories: the %d largest have a colour, and the others are grey.", a.subject(), a.uncolored+len(a.keys), len(a.keys)))
	}
	return out
}

// subject returns the name of the scale as the subject of a sentence.
func (a *aspect) subject() string {
	if a.name == givenValues {
		return "The value"
	}
	return a.name
}

// text describes the scale as text. The argument what is "colour", "size" or "opacity". The result
// is "" if a is nil.
func (a *aspect) text(what string) string {
	switch {
	case a == nil:
		return ""
	case a.keys != nil:
		return fmt.Sprintf("%s: %s, %s\n", what, a.name, nouns.Number(len(a.keys)+a.uncolored, "category", "categories"))
	}
	if a.single != "" {
		return fmt.Sprintf("%s: %s, %s for all\n", what, a.name, a.single)
	}
	return fmt.Sprintf("%s: %s from %s to %s\n", what, a.name, a.value(a.lo), a.value(a.hi))
}

// number returns v as a float64. It returns false if v is not a single number. A number outside of
// [lo, hi] is an error.
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
		return 0, false, fmt.Errorf("viz: %s(%v): the number is out of range; give one from %g to %g, or values for the samples", method, v, lo, hi)
	}
	return x, true, nil
}

// dress sets the style of panels, and computes the values that the style shows.
func dress(s style, panels []*panel) error {
	if len(s.hover) > bounds.Facts {
		return fmt.Errorf("viz: Hover: there are %d names, but at most %d are allowed; list fewer names", len(s.hover), bounds.Facts)
	}
	for _, p := range panels {
		p.style = s
		if s.included != nil {
			in, err := subset("Only", s.included, p)
			if err != nil {
				return err
			}
			p.included = in
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
			var values any = name
			if fact := Fact(name); slices.Contains(facts, fact) && !p.has(name) {
				values = fact
			}
			c, err := p.column("Hover", values)
			if err == nil {
				err = moderate("Hover "+c.name, c.known(p.rows)...)
			}
			if err != nil {
				return err
			}
			p.facts = append(p.facts, c)
		}
	}
	if s.palette < Viridis || s.palette > Diverging {
		return fmt.Errorf("viz: Palette(%d): the value is not a colour scale; give Viridis, Gray or Diverging", s.palette)
	}
	color, err := newAspect("Color", s.color, panels, s.palette == Diverging)
	if err != nil {
		return err
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
	size, err := newAspect("PointSize", sizes, panels, false)
	if err != nil {
		return err
	}
	opacity, err := newAspect("Opacity", opacities, panels, false)
	if err != nil {
		return err
	}
	if opacity == nil {
		opacity = s.doubt(panels)
	}
	for _, one := range []struct {
		method string
		of     *aspect
	}{{"PointSize", size}, {"Opacity", opacity}} {
		if one.of != nil && one.of.columns[0].number == nil {
			return fmt.Errorf("viz: %s: %q has categories instead of numbers; show them with Color", one.method, one.of.name)
		}
	}
	for _, p := range panels {
		p.colors, p.sizes, p.opacities = color, size, opacity
		p.settle()
		if err := cmp.Or(p.overlaid(), p.weigh()); err != nil {
			return err
		}
	}
	for _, add := range []func([]*panel) error{s.contrast, s.distances, s.linked} {
		if add == nil {
			continue
		}
		if err := add(panels); err != nil {
			return err
		}
	}
	return nil
}
