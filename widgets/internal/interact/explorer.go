package interact

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// openExplorer checks the options and fits the first model. It uses the options that were chosen
// last, if the method can be fitted with them.
func openExplorer(ctx context.Context, t Task, store Store, stored []byte) (*Explorer, error) {
	for _, name := range append(slices.Collect(maps.Keys(t.Ranges)), t.Controls...) {
		if _, ok := t.Spec.Method().Param(name); !ok {
			return nil, t.Spec.With(name, nil).Err()
		}
	}
	for name, r := range t.Ranges {
		if !(0 <= r.Min && r.Min < r.Max) {
			return nil, fmt.Errorf("%s: the range of %s, from %v to %v, is empty or begins below 0; give 0 ≤ from < to", t.Spec.Method().Name, name, r.Min, r.Max)
		}
		for _, end := range []float64{r.Min, r.Max} {
			if err := t.Spec.With(name, end).Err(); err != nil {
				return nil, fmt.Errorf("the range of %s, from %v to %v: %w", name, r.Min, r.Max, err)
			}
		}
	}
	e := &Explorer{spec: t.Spec, start: t.Spec, store: store, series: ssdrnb.NewSeries(t.Data), controls: controls(t.Spec, t.Data, t.Controls, t.Ranges),
		fitted: fitted{data: t.Data, classes: look.ClassesOf(t.Data, t.Data.Len()).Legend()}}
	if levels, ok := look.OfTarget(t.Data); ok {
		e.classes = levels
	}
	note := ""
	if chosen, revision, ok := e.chosen(stored); ok {
		e.revised = revision
		if chosen.String() != e.start.String() && e.fit(ctx, chosen) == nil {
			note = "These are the options chosen last; Reset returns to those in the code. "
		}
	}
	if e.model == nil {
		if err := e.fit(ctx, t.Spec); err != nil {
			return nil, err
		}
	}
	e.status = note + e.status
	return e, nil
}

// fit fits the method with the options in s and shows the model.
func (e *Explorer) fit(ctx context.Context, s ssdrnb.Spec) error {
	began := time.Now()
	m, err := e.series.FitContext(ctx, s)
	if err != nil {
		return err
	}
	e.spec = s
	e.place(m, positions(m.Embedding(), nil, spreadByClass(e.classes.Of)))
	e.status = summary(m, time.Since(began))
	return nil
}

// Explorer is an interactive view of a method: its options as controls, and the embedding.
type Explorer struct {
	fitted
	spec     ssdrnb.Spec
	start    ssdrnb.Spec // the method with the options in the code of the cell
	store    Store       // stores the chosen options; nil if they are not stored
	revised  int         // number of stored changes
	series   *ssdrnb.Series
	controls []control
}

func (e *Explorer) Setup() any {
	s := e.setup(e.spec.Method().Name + " of " + e.data.Name)
	s["controls"] = e.controls
	return s
}

func (e *Explorer) State() any {
	values := map[string]any{}
	for _, c := range e.controls {
		values[c.Name] = e.spec.Value(c.Name)
	}
	s := e.state(e.ringed(), e.spec)
	s["values"] = values
	return s
}

// ringed reports which samples are drawn with a ring: the labelled samples or, if there are none,
// the samples with a known target value.
func (e *Explorer) ringed() []bool {
	t := e.data.Target()
	if t == nil || e.data.NumLabelled() > 0 {
		return e.classes.Labelled
	}
	known := make([]bool, len(t.Values))
	for _, i := range t.Known() {
		known[i] = true
	}
	return known
}

func (e *Explorer) Event(kind string, body json.RawMessage) (Outcome, error) {
	if kind == "reset" {
		e.spec = e.start
		return Outcome{Work: true}, nil
	}
	if kind == "import" {
		var text string
		if err := decode(body, &text); err != nil {
			return Outcome{}, err
		}
		chosen, _, ok := e.chosen([]byte(text))
		if !ok {
			return Outcome{}, fmt.Errorf("%w: not imported: the file has no options of %s", ErrStore, e.start.Method().Name)
		}
		e.spec = chosen
		return Outcome{Work: true}, nil
	}
	if kind == "export" {
		return Outcome{Reply: e.table()}, nil
	}
	if kind != "set" {
		return Outcome{}, ErrUnknown(kind)
	}
	var change struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	if err := decode(body, &change); err != nil {
		return Outcome{}, err
	}
	switch v := change.Value.(type) {
	case bool, float64, string:
	default:
		return Outcome{}, fmt.Errorf("%w: the value of %.40[3]q cannot have type %[2]T", errMessage, v, change.Name)
	}
	if !slices.ContainsFunc(e.controls, func(c control) bool { return c.Name == change.Name }) {
		return Outcome{}, fmt.Errorf("%w: there is no control %.40q", errMessage, change.Name)
	}
	next := e.spec.With(change.Name, change.Value)
	if err := next.Err(); err != nil {
		return Outcome{}, err
	}
	e.spec = next
	return Outcome{Work: true}, nil
}

func (e *Explorer) Work() func(ctx context.Context) func() {
	spec := e.spec
	fit := func(ctx context.Context) (*ssdrnb.Model, error) { return e.series.FitContext(ctx, spec) }
	return e.refit(fit, func(err error) {
		switch {
		case err == nil:
			e.keep()
		case e.spec.String() == spec.String():
			e.spec = e.model.Spec() // return to the last options for which the fit succeeded
		}
	})
}

// table returns the embedding as a CSV file for the page to save. It has one line per sample, with
// the coordinates in full precision and the class.
func (e *Explorer) table() any {
	y := e.model.Embedding()
	n, d := y.Dims()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	row := make([]string, d+1)
	for k := range d {
		row[k] = fmt.Sprintf("dimension %d", k+1)
	}
	row[d] = "class"
	_ = w.Write(row) // writes to a buffer never fail
	for i := range n {
		for k := range d {
			row[k] = strconv.FormatFloat(y.At(i, k), 'g', -1, 64)
		}
		row[d] = e.classes.Names[e.classes.Of[i]]
		_ = w.Write(row)
	}
	w.Flush()
	return map[string]any{"name": "embedding.csv", "content": base64.StdEncoding.EncodeToString(b.Bytes())}
}

// options is the stored content of an explorer.
type options struct {
	Format   int            `json:"format"`
	Revision int            `json:"revision"`
	Options  map[string]any `json:"options"` // options that differ from those in the code
}

// keep stores those options of the shown model that differ from the options in the code. It ignores
// errors of the store.
func (e *Explorer) keep() {
	if e.store == nil {
		return
	}
	chosen := map[string]any{}
	for _, c := range e.controls {
		if v := e.model.Spec().Value(c.Name); v != e.start.Value(c.Name) {
			chosen[c.Name] = v
		}
	}
	raw, err := json.Marshal(options{storeFormat, e.revised + 1, chosen})
	if err != nil {
		return // JSON cannot represent NaN and infinities
	}
	if e.store.Write(append(raw, '\n')) == nil {
		e.revised++
	}
}

// chosen returns the method with the stored options, the number of stored changes, and whether the
// stored options are valid.
func (e *Explorer) chosen(stored []byte) (ssdrnb.Spec, int, bool) {
	var kept options
	if stored == nil || decode(stored, &kept) != nil || kept.Format != storeFormat || !revised(kept.Revision) {
		return e.start, 0, false
	}
	spec := e.start
	for _, c := range e.controls {
		if v, ok := kept.Options[c.Name]; ok {
			spec = spec.With(c.Name, v)
		}
	}
	return spec, kept.Revision, spec.Err() == nil
}

// Chosen returns the method with the options that were chosen last.
func (e *Explorer) Chosen() ssdrnb.Spec { return e.spec }

// Close closes the store.
func (e *Explorer) Close() {
	if e.store != nil {
		e.store.Close()
	}
}

// bits encodes flags as a string of 0 and 1.
func bits(flags []bool) string {
	out := make([]byte, len(flags))
	for i, f := range flags {
		out[i] = '0'
		if f {
			out[i] = '1'
		}
	}
	return string(out)
}
