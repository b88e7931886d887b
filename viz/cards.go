package viz

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// samplesOf returns the page's data about the samples of panels. A panel may be nil. A sheet is a
// picture with the thumbnails of all samples. Panels with the same data matrix share a sheet,
// because sheets are large.
func samplesOf(panels []*panel) *chart.Samples {
	type source struct {
		x     *mat.Dense
		image data.Image
	}
	out := &chart.Samples{Panels: make([]*chart.SamplePanel, len(panels)), Sheets: []*look.Sheet{}, Legend: legendSubject(panels)}
	at := map[source]int{}
	var keys []string
	for k, p := range panels {
		if p == nil {
			continue
		}
		from := source{p.data.X, p.data.Image}
		sheet, known := at[from]
		if !known {
			sheet = -1
			if t := look.Thumbnails(p.data); t != nil {
				sheet = len(out.Sheets)
				out.Sheets = append(out.Sheets, t)
			}
			at[from] = sheet
		}
		one := &chart.SamplePanel{Labelled: p.marks(), Sheet: sheet, Samples: p.identity()}
		if len(p.classes) > maxClasses || p.colors != nil || p.highlighted != nil { // the names of the series are not the class names
			one.Of, one.Names = p.classIndex, carded(p.names)
		}
		if p.painted() {
			one.Many, out.Many = p.packed(), true
		}
		one.Facts, one.Known = p.cards(), p.knownAs
		out.Panels[k] = one
		keys = append(keys, p.keys()...)
	}
	there := slices.DeleteFunc(slices.Clone(panels), func(p *panel) bool { return p == nil })
	if keys != nil {
		out.Short = abridged(keys, classColumn(there)-48)
	}
	if len(there) > 0 {
		out.Grades = there[0].grades()
	}
	contrasts(out, panels)
	addPlaces(out, panels)
	return out
}

// legendSubject identifies the subject of the legend: the classes, or the values that colours show.
// If a reader hides a legend entry, all figures with the same samples and the same subject hide it.
func legendSubject(panels []*panel) string {
	for _, p := range panels {
		if p != nil && p.colors != nil {
			return "values " + p.colors.name
		}
	}
	return "classes"
}

func carded(names []string) []string {
	return upTo(40, names)
}

// cards returns the values that the hover cards show besides the class: the values that colours,
// sizes and opacities show, and the values chosen by [Figure.Hover]. Equal columns are shown once.
// If a column has the same name as an earlier one, such as another slice, its use is added to its
// name.
func (p *panel) cards() []chart.Fact {
	var out []chart.Fact
	var shown []column
	add := func(c column, at int, sets string) {
		if slices.ContainsFunc(shown, c.equals) {
			return
		}
		again := slices.ContainsFunc(shown, func(o column) bool { return o.name == c.name })
		if shown = append(shown, c); again {
			c.name += " (" + sets + ")"
		}
		out = append(out, p.card(c, at))
		if c.carried {
			out = append(out, p.card(c.origin(), 0))
		}
	}
	for k, sets := range []string{"colour", "size", "opacity"} {
		a := []*aspect{p.colors, p.sizes, p.opacities}[k]
		if a == nil {
			continue
		}
		at := 0
		// In panels with many samples, the points contain values that are rounded to two bytes and
		// limited to the colour scale, so the card needs the exact values.
		if k == 0 && a.keys == nil && !p.painted() {
			at = p.coordinates()
		}
		add(a.columns[p.k], at, sets)
	}
	for _, c := range p.facts {
		add(c, 0, "hover")
	}
	return out
}

// card returns a column for the hover cards. If the point data already contain the values of the
// column, the argument at is their index in the item of each point. Otherwise at is 0, and the
// result contains the values.
func (p *panel) card(c column, at int) chart.Fact {
	f := chart.Fact{Name: short(c.name, 40)}
	switch {
	case c.dates != nil:
		of := categorical(c.name, c.dates, cmp.Compare[string], given, itself)
		f.Of, f.Names = of.index, of.names()
	case at > 0:
		f.At = at
	case c.number != nil:
		written := c.written()
		f.Values = make([]*float64, p.n) // an entry is nil if the value is unknown
		for _, i := range p.rows {
			if v := c.number[i]; !math.IsNaN(v) {
				v = written(v)
				f.Values[i] = &v
			}
		}
	default:
		f.Of, f.Names = c.index, carded(c.names())
	}
	return f
}

// marks returns a string with "1" for each labelled sample and "0" for each other sample.
func (p *panel) marks() string {
	marks := make([]byte, p.n)
	for i, l := range p.labelled {
		marks[i] = '0'
		if l {
			marks[i] = '1'
		}
	}
	return string(marks)
}
