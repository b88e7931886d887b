package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Numeric targets in figures. Known values and the values that a model predicts for the other
// samples have a common scale. Samples with known values have a ring, and samples with predicted
// values are diamonds. Values hidden by Data.KeepTarget are never drawn.

// carriedShape is the index into symbols for samples with predicted values.
const carriedShape = 3

// targeted returns the target with the given name. If the model predicted values of this target,
// they replace the unknown values. ok is false if there is no such target. method is the name of
// the Figure method, for the error message.
func (p *panel) targeted(method, name string) (c column, ok bool, err error) {
	t := p.data.TargetNamed(name)
	if t == nil {
		return c, false, nil
	}
	if len(t.Values) != p.n {
		return c, true, fmt.Errorf("viz: %s(%q): the target has %s, but %s has %s; give one for each with Data.WithTarget", method, cut(name), nouns.Count(len(t.Values), "value"), p.name, nouns.Count(p.n, "sample"))
	}
	c = numeric(cut(name), slices.Clone(t.Values))
	c.measured = make([]bool, p.n)
	for i, v := range c.number {
		c.measured[i] = !math.IsNaN(v)
	}
	m, carries := p.model.(interface {
		Carried() (values, variances []float64, reached []bool)
	})
	if !carries || name != p.data.Target().Name {
		return c.withDates(p.textsOf(name)), true, nil
	}
	values, _, reached := m.Carried()
	for i, v := range values {
		if !c.measured[i] && reached[i] {
			c.number[i], c.carried = v, true
		}
	}
	return c.withDates(p.textsOf(name)), true, nil
}

// origin returns a column for the hover cards, which shows whether the value of a sample was
// measured or predicted.
func (c column) origin() column {
	out := column{name: c.name + " is", index: make([]int, len(c.number)), keys: []category{{name: "measured"}, {name: "predicted"}}}
	for i, v := range c.number {
		switch {
		case math.IsNaN(v):
			out.index[i] = -1
		case !c.measured[i]:
			out.index[i] = 1
		}
	}
	return out
}

// shownTarget returns the column of the panel that shows a target, or nil if no column does.
func (p *panel) shownTarget() *column {
	for _, a := range []*aspect{p.colors, p.sizes, p.opacities} {
		if a != nil && a.columns[p.k].measured != nil {
			return &a.columns[p.k]
		}
	}
	return nil
}

// ringAround returns a function that reports whether a sample has a ring. In a panel that shows a
// target, samples with a measured value have a ring. In other panels, labelled samples have a ring.
func (p *panel) ringAround() func(i int) bool {
	ringed := p.labelled
	if c := p.shownTarget(); c != nil {
		ringed = c.measured
	}
	return func(i int) bool { return ringed[i] }
}

// targetNotes returns the lines below panels about known and predicted values of the shown targets.
func targetNotes(panels []*panel) []string {
	models, notes, same := make([]Embedded, len(panels)), make([]string, len(panels)), true
	for k, p := range panels {
		models[k] = p.model
		if c := p.shownTarget(); c != nil {
			notes[k] = p.targetNote(c)
		}
		same = same && notes[k] == notes[0]
	}
	var out []string
	names := captionNames(models, panels[0].style)
	for k, note := range notes {
		where := ""
		switch {
		case note == "" || same && k > 0:
			continue
		case len(panels) > 1 && same:
			where = ", on each map"
		case len(panels) > 1:
			where = ", on the map of " + names[k]
		}
		out = append(out, panels[k].shownTarget().name+where+note)
	}
	return out
}

// targetNote returns the line of a panel about its target c, without the target's name.
func (p *panel) targetNote(c *column) string {
	known, carried := 0, 0
	for _, i := range p.rows {
		if c.measured[i] {
			known++
		} else if !math.IsNaN(c.number[i]) {
			carried++
		}
	}
	if carried == 0 {
		return fmt.Sprintf(": %s measured (ring).", nouns.Count(known, "value"))
	}
	mark := ""
	if p.scaled() && c == &p.colors.columns[p.k] {
		mark = " (diamonds)"
	}
	line := fmt.Sprintf(": %s measured (ring), %d predicted for other samples by %s%s.", nouns.Count(known, "value"), carried, p.name, mark)
	m, ok := p.model.(Traced)
	if !ok || m.Report() == nil {
		return line
	}
	q2, told := m.Report().Fact("target q2")
	count, _ := m.Report().Fact("target known")
	strength, _ := m.Report().Fact("target strength")
	switch {
	case !told || math.IsNaN(q2):
		line += " There are too few distinct values to check the predictions."
	case q2 > 1/math.Sqrt(count): // with shuffled values, q2 does not exceed this threshold, see ssdrnb.S2NE
		line += fmt.Sprintf(" q2 %.2f on values left out (1: exact, 0: no better than predicting their mean).", q2)
		if strength > 0 {
			line += " Known values helped to shape the embedding, so they look better ordered than hidden ones."
		}
	case strength > 0:
		line += fmt.Sprintf(" q2 %.2f on values left out: the predicted values are not confirmed, but still shape the embedding.", q2)
	default:
		line += fmt.Sprintf(" q2 %.2f on values left out: the predicted values are not confirmed, and do not shape the embedding.", q2)
	}
	return line
}

// TargetCurve draws the accuracy with which embeddings predict hidden values of a target, against
// the share of known values. It draws the same curve for shuffled values; an R² above 0 on this
// curve is spurious. The spread is the standard deviation over the draws. Tables of several methods
// or targets are drawn with common axes, and their names must differ.
func TargetCurve(tables ...*ssdrnb.TargetCurveTable) Figure {
	var curves []Curve
	var targets []string
	for _, t := range tables {
		if t == nil || len(t.R2) != len(t.Shares) || len(t.Shuffled) != len(t.Shares) {
			return failed("curves", fmt.Errorf("viz: TargetCurve: a table is nil or incomplete; give the result of ssdrnb.TargetCurve"))
		}
		for _, shuffled := range []bool{false, true} {
			c := Curve{Name: t.Name}
			if shuffled {
				c.Name += ", shuffled"
			}
			c.Mean, c.Spread = t.Means(shuffled)
			for _, share := range t.Shares {
				c.X = append(c.X, 100*share)
			}
			curves = append(curves, c)
		}
		if name := cut(t.Target); !slices.Contains(targets, name) {
			targets = append(targets, name)
		}
	}
	f := Curves("known values, %", "R² of hidden values", curves...)
	if f.Err() == nil {
		f.title = "Hidden values of " + strings.Join(targets, ", ")
	}
	return f
}
