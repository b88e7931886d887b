package widgets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// ExplorerBuilder collects the options of [Explorer]. Its methods return changed
// copies.
type ExplorerBuilder struct {
	spec   ssdrnb.Spec
	data   *ssdrnb.Data
	names  []string
	ranges map[string]span
	idle   time.Duration
}

// Explorer returns the builder of a live view of a method: a slider, menu or switch for
// each of its options, and the embedding, which is fitted again at each change. A
// rotation or reflection aligns the new embedding with the old one, and a short
// animation joins them. The options chosen are kept on disk for the same method, options
// and data in this notebook: a cell that runs again after its page was closed or reloaded
// goes on with them, and Reset returns to those of the code.
func Explorer(e ssdrnb.Estimator, d *ssdrnb.Data) ExplorerBuilder {
	return ExplorerBuilder{spec: e.Spec(), data: d}
}

// Controls chooses by name which options are shown; the default is all.
func (b ExplorerBuilder) Controls(names ...string) ExplorerBuilder {
	b.names = append([]string{}, names...)
	return b
}

// Range sets the ends of an option's slider.
func (b ExplorerBuilder) Range(name string, from, to float64) ExplorerBuilder {
	b.ranges = maps.Clone(b.ranges)
	if b.ranges == nil {
		b.ranges = map[string]span{}
	}
	b.ranges[name] = span{from, to}
	return b
}

// Idle sets how long the cell goes on without an action of the reader; the default is
// 15 minutes.
func (b ExplorerBuilder) Idle(limit time.Duration) ExplorerBuilder {
	b.idle = limit
	return b
}

// Show shows the explorer and waits until it ends, see the package comment. It returns
// the method with the options that were chosen last; call Fit on it. If the first fit
// fails, or outside a notebook, it returns at once.
func (b ExplorerBuilder) Show() ssdrnb.Spec {
	e, err := b.open(context.Background())
	if err != nil {
		complain(err)
		return b.spec
	}
	if !live() {
		fmt.Println(e.model)
		return b.spec
	}
	if mayWait() {
		e.keptAt = keptPath(b.spec, b.data)
		e.resume(context.Background())
	}
	run("explorer", newSession(e, b.idle), e.figure)
	return e.spec
}

// open checks the options and fits the first model.
func (b ExplorerBuilder) open(ctx context.Context) (*explorer, error) {
	if err := check(b.data); err != nil {
		return nil, err
	}
	for _, name := range append(slices.Collect(maps.Keys(b.ranges)), b.names...) {
		if _, ok := b.spec.Method().Param(name); !ok {
			return nil, b.spec.With(name, nil).Err()
		}
	}
	for name, r := range b.ranges {
		if !(r.min < r.max) {
			return nil, fmt.Errorf("the range of %s is from %v to %v; give from < to", name, r.min, r.max)
		}
	}
	began := time.Now()
	series := ssdrnb.NewSeries(b.data)
	m, err := series.FitContext(ctx, b.spec)
	if err != nil {
		return nil, err
	}
	e := &explorer{spec: b.spec, start: b.spec, data: b.data, series: series, controls: controls(b.spec, b.data, b.names, b.ranges), classes: look.ClassesOf(m.Data(), m.Data().Len()).Legend()}
	e.place(m, positions(m.Embedding(), nil, spreadByClass(e.classes.Of)))
	e.status = summary(m, time.Since(began))
	return e, nil
}

// explorer is a running [Explorer].
type explorer struct {
	picture
	spec     ssdrnb.Spec
	start    ssdrnb.Spec // as the code says
	keptAt   string      // file of the options chosen; "" if they are not kept
	data     *ssdrnb.Data
	series   *ssdrnb.Series
	controls []control
	classes  look.Legend
	status   string
	failure  string // why the latest change was not fitted, or empty
}

func (e *explorer) setup() any {
	s := scene(e.data)
	s["controls"], s["names"], s["colors"], s["symbols"], s["of"], s["title"] =
		e.controls, e.classes.Names, e.classes.Colors, e.classes.Symbols, e.classes.Of, look.Name(e.spec.Method().Name+" of "+e.data.Name)
	return s
}

func (e *explorer) state() any {
	values := map[string]any{}
	for _, c := range e.controls {
		values[c.Name] = e.spec.Value(c.Name)
	}
	return map[string]any{"revision": e.revision, "at": pack(e.at), "ringed": bits(e.classes.Labelled), "values": values,
		"status": e.status, "error": e.failure, "code": literal(e.spec)}
}

func (e *explorer) event(kind string, body json.RawMessage) (outcome, error) {
	if kind == "reset" {
		e.spec = e.start
		return outcome{work: true}, nil
	}
	if kind != "set" {
		return outcome{}, errUnknown(kind)
	}
	var change struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	if err := decode(body, &change); err != nil {
		return outcome{}, err
	}
	switch v := change.Value.(type) {
	case bool, float64, string:
	default:
		return outcome{}, fmt.Errorf("%w: %T as the value of %.40q", errMessage, v, change.Name)
	}
	if !slices.ContainsFunc(e.controls, func(c control) bool { return c.Name == change.Name }) {
		return outcome{}, fmt.Errorf("%w: no control %.40q", errMessage, change.Name)
	}
	next := e.spec.With(change.Name, change.Value)
	if err := next.Err(); err != nil {
		return outcome{}, err
	}
	e.spec = next
	return outcome{work: true}, nil
}

func (e *explorer) work() func(ctx context.Context) func() {
	spec, last, spread := e.spec, e.at, spreadByClass(e.classes.Of)
	return func(ctx context.Context) func() {
		began := time.Now()
		m, err := e.series.FitContext(ctx, spec)
		if cancelled(ctx, err) {
			return nil
		}
		if err != nil {
			return func() { // back to the last options that could be fitted
				e.failure = err.Error()
				if e.spec.String() == spec.String() {
					e.spec = e.model.Spec()
				}
			}
		}
		at, status := positions(m.Embedding(), last, spread), summary(m, time.Since(began))
		return func() {
			e.place(m, at)
			e.status, e.failure = status, ""
			e.keep()
		}
	}
}

// keptPath is the file for the options that are chosen for a method on data.
func keptPath(s ssdrnb.Spec, d *ssdrnb.Data) string {
	path, err := storePath("x")
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(s.String() + "|" + fingerprint(d) + fmt.Sprint(d.Labels)))
	// A drawing's name does not begin with a dot.
	return filepath.Join(filepath.Dir(path), ".explorer-"+hex.EncodeToString(sum[:8])+".json")
}

// keep writes the options of the picture that differ from those of the code. A folder
// that cannot be written costs only this convenience.
func (e *explorer) keep() {
	if e.keptAt == "" {
		return
	}
	chosen := map[string]any{}
	for _, c := range e.controls {
		if v := e.model.Spec().Value(c.Name); v != e.start.Value(c.Name) {
			chosen[c.Name] = v
		}
	}
	if len(chosen) == 0 {
		_ = os.Remove(e.keptAt)
		return
	}
	raw, err := json.Marshal(chosen)
	if err != nil {
		return // numbers that JSON lacks
	}
	_ = os.MkdirAll(filepath.Dir(e.keptAt), 0o700)
	_ = files.Write(e.keptAt, func(w io.Writer) error {
		_, err := w.Write(raw)
		return err
	})
}

// resume goes on with the options that were kept, if they can be fitted.
func (e *explorer) resume(ctx context.Context) {
	raw, err := os.ReadFile(e.keptAt)
	if err != nil {
		return
	}
	var chosen map[string]any
	if decode(raw, &chosen) != nil {
		return
	}
	spec := e.start
	for _, c := range e.controls {
		if v, ok := chosen[c.Name]; ok {
			spec = spec.With(c.Name, v)
		}
	}
	began := time.Now()
	m, err := e.series.FitContext(ctx, spec)
	if err != nil {
		return
	}
	e.spec = spec
	e.place(m, positions(m.Embedding(), e.at, spreadByClass(e.classes.Of)))
	e.status = "Options as chosen last; Reset returns to those of the code. " + summary(m, time.Since(began))
}

// bits writes flags as a string of 0 and 1.
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
