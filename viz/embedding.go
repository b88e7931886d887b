package viz

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// Embedded is an embedding of data. *ssdrnb.Model implements Embedded.
type Embedded interface {
	// Method returns the name of the embedding.
	Method() string
	// Embedding returns the coordinates, samples × dimensions.
	Embedding() *mat.Dense
	// Data returns the samples with labels and true classes. Images are shown as thumbnails.
	Data() *data.Data
}

// Embedding draws the samples of a model in its first two dimensions, or in its first three if the
// model has three or more.
//
// Colour and symbol show the true class where it is known, and the label elsewhere. They depend on
// the position of the class in the list of all classes, see [data.Data.AllClasses]. Labelled
// samples have a ring and a stronger colour. Points that contrast little with the page have an
// outline. A click on a legend entry hides or shows its class. The hover card shows the sample, its
// class and its image. All axes have the same scale, but in three dimensions an axis shorter than a
// third of the longest axis is stretched to one third of the longest.
//
// The limit is 1,000,000 samples in two dimensions and 100,000 in three. Above 20,000 samples in
// two dimensions, the page draws the density of the samples, and draws points once the reader zooms
// in. A pixel of the density mixes the colours of its samples, weighted by their opacities. Larger
// points cover more pixels.
func Embedding(m Embedded) Figure {
	if err := drawable(m); err != nil {
		return failed("embedding", err)
	}
	_, d := m.Embedding().Dims()
	f := embedded([]Embedded{m}, d >= 3)
	f.title = title(m)
	return f
}

// Compare draws embeddings side by side in two dimensions, see [Embedding]. If the embeddings
// contain the same samples (up to 20,000) in the same order, lines below the figure report the
// share of neighbours that each embedding has in common with the first, and Color([Stays]) shows
// this share for each sample. Classes with the same name have the same colour in all panels. The
// arguments are models, or a slice of models as in viz.Compare(models...). To mix models and
// [Samples], give the type parameter: viz.Compare[viz.Embedded](model, samples).
func Compare[E Embedded](models ...E) Figure {
	if len(models) == 0 {
		return failed("embedding", errAbsent)
	}
	if err := crowded(len(models), maxPanels); err != nil {
		return failed("embedding", err)
	}
	all := make([]Embedded, len(models))
	for k, m := range models {
		if err := drawable(m); err != nil {
			return failed("embedding", err)
		}
		all[k] = m
	}
	return embedded(all, false)
}

func embedded(models []Embedded, deep bool) Figure {
	return Figure{kind: "embedding", title: "Embeddings", samples: &styled{source: &embeddings{models, deep, keptOf(models)}}}
}

// embeddings contains the models that [Embedding] or [Compare] draws.
type embeddings struct {
	models []Embedded
	deep   bool                        // true if the only model is drawn in three dimensions
	kept   func(names []string) string // returns the line about kept neighbours, see keptOf
}

// dressed implements [dresser].
func (e *embeddings) dressed(s style) (drawing, error) {
	if e.deep {
		return newCloud(e.models[0], s, func() string { return e.kept(distinct(e.models)) })
	}
	s, moved, err := e.compared(s)
	if err != nil {
		return nil, err
	}
	panels, err := newPaintable(e.models, s)
	if err != nil {
		return nil, err
	}
	c := newComparison(panels)
	names := captionNames(e.models, s)
	c.kept, c.notes = func() string { return e.kept(names) }, slices.Concat(s.verdict(), moved, c.notes)
	return c, nil
}

// comparison contains panels of samples side by side.
type comparison struct {
	plan
	panels []*panel
	kept   func() string // returns the line about kept neighbours; nil for no line
}

func newComparison(panels []*panel) *comparison {
	var text strings.Builder
	models := make([]Embedded, len(panels))
	for k, p := range panels {
		models[k], p.outside = p.model, p.crop()
		fmt.Fprintf(&text, "%s: %s in %s\n", p.name, nouns.Count(len(p.rows), "sample"), dimensions(p.d))
	}
	text.WriteString(panels[0].shown())
	width := 960
	if len(panels) == 1 {
		width = 700
	}
	c := &comparison{panels: panels}
	c.text, c.notes = text.String(), append(undrawn(panels), warned(models...)...)
	c.arrange(panelLayout(panels), width)
	return c
}

// footnotes implements [drawing].
func (c *comparison) footnotes() []string { return withKept(c.kept, c.notes) }

// option implements [charter].
func (c *comparison) option(on sheet) (chart.Option, any) {
	option, extra := panelsOption(on, c.panels)
	return option, extra
}

// static implements [drawing].
func (c *comparison) static(on sheet) *canvas { return staticPanels(on, c.panels) }

// withKept puts the line about kept neighbours before notes.
func withKept(kept func() string, notes []string) []string {
	if kept == nil {
		return notes
	}
	return append(present(kept()), notes...)
}

// undrawn returns the lines below the panels that report classes, dimensions, values and samples
// that the panels do not show.
func undrawn(panels []*panel) []string {
	out := slices.Concat(present(manyClasses(panels...), partOf(2, panels...)), manyNotes(panels...), scaleNotes(panels...))
	for _, p := range panels {
		of := ""
		if len(panels) > 1 {
			of = p.name + ": "
		}
		if p.outside > 0 {
			out = append(out, fmt.Sprintf("%s%d of %s %s far away from the others and outside of the panel.", of, p.outside, nouns.Count(len(p.rows), "sample"), nouns.Form(p.outside, "is", "are")))
		}
	}
	return out
}

// warned returns a line for each warning in the reports of models.
func warned[E any](models ...E) []string {
	var out []string
	for _, m := range models {
		t, ok := any(m).(Traced)
		if !ok || absent(m) || t.Report() == nil {
			continue
		}
		for _, w := range t.Report().Warnings {
			line := "Warning: " + strings.Join(strings.Fields(w), " ")
			if len(models) > 1 {
				line = t.Report().Method + ": " + line
			}
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// Maximum numbers of samples. ECharts draws up to maxPoints per panel and maxTotal per figure. The
// page's script paints up to maxMany per panel and maxManyIn per figure.
const (
	maxPoints = bounds.Points
	maxTotal  = 4 * maxPoints
	maxMany   = bounds.Many
	maxManyIn = 2 * maxMany
)

// errSamples is the error for too many samples. The arguments each and all are the maximum numbers
// in a panel and in the figure, and n is the number of samples counted so far.
func errSamples(n, each, all int) error {
	return fmt.Errorf("viz: there are at least %d samples, but at most %d are allowed in a panel and %d in all; draw a subset with Data.Subset", n, each, all)
}

// errAbsent is the error for a nil model. A failed fit returns a nil model.
var errAbsent = errors.New("viz: there is no model to draw; see the error that Fit returned")

// absent reports whether m is nil or contains a nil pointer.
func absent(m any) bool {
	v := reflect.ValueOf(m)
	return m == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// drawable returns an error if m cannot be drawn.
func drawable(m Embedded) error {
	if absent(m) {
		return errAbsent
	}
	if y := m.Embedding(); y != nil && !y.IsEmpty() && m.Data() != nil {
		if err := data.CheckFinite(y); err != nil {
			return err
		}
		return moderate("the embedding", mat.Max(y), mat.Min(y))
	}
	if err := m.Data().Err(); err != nil {
		return errorAt("", err)
	}
	return fmt.Errorf("viz: the model has no embedding to draw; fit it again")
}

func title(m Embedded) string {
	if name := m.Data().Name; name != "" && name != m.Method() {
		return m.Method() + " of " + name
	}
	return m.Method()
}
