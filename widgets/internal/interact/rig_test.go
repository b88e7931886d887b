package interact

import (
	"context"
	"errors"
	"image"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// memory is a store for tests.
type memory struct{ content []byte }

func (m *memory) Write(content []byte) error {
	m.content = content
	return nil
}
func (m *memory) Close() {}

// shelf has the stores of a test by name.
type shelf map[string]*memory

func (s shelf) of(name string) *memory {
	if s[name] == nil {
		s[name] = &memory{}
	}
	return s[name]
}

// constraints reads a store.
func (s shelf) constraints(name string) ConstraintSet {
	if s[name] == nil {
		return FailedConstraints(name, errors.New("nothing stored"))
	}
	c, err := ParseConstraints(s[name].content, name)
	if err != nil {
		return FailedConstraints(name, err)
	}
	return c
}

// rig opens a task as W with the store of that name.
type rig[W Running] struct {
	task  Task
	shelf shelf
}

func editorOf(s shelf, e ssdrnb.Estimator, d *data.Data) rig[*Editor] {
	return rig[*Editor]{Task{Kind: KindEditor, Spec: e.Spec(), Data: d, Name: "constraints"}, s}
}

func scribbleOf(s shelf, e ssdrnb.Estimator, d *data.Data, base image.Image) rig[*Scribble] {
	return rig[*Scribble]{Task{Kind: KindScribble, Spec: e.Spec(), Data: d, Base: base, Name: "scribbles"}, s}
}

func explorerOf(s shelf, e ssdrnb.Estimator, d *data.Data) rig[*Explorer] {
	return rig[*Explorer]{Task{Kind: KindExplorer, Spec: e.Spec(), Data: d, Name: "options"}, s}
}

func sweepOf(s shelf, r *ssdrnb.SweepResult, d *data.Data) rig[*Sweep] {
	return rig[*Sweep]{Task{Kind: KindSweep, Sweep: r, Data: d}, s}
}

func paintOf(s shelf, d *data.Data, methods ...ssdrnb.Estimator) rig[*Painter] {
	task := Task{Kind: KindPaint, Data: d, Name: "painting", Lift: Lift{Dims: 2, Seed: 1}}
	for _, m := range methods {
		task.Methods = append(task.Methods, m.Spec())
	}
	return rig[*Painter]{task, s}
}

func (r rig[W]) Name(name string) rig[W] {
	r.task.Name = name
	return r
}

func (r rig[W]) Classes(names ...string) rig[W] {
	r.task.Classes = names
	return r
}

func (r rig[W]) open(ctx context.Context) (W, error) {
	var none W
	m := r.shelf.of(r.task.Name)
	w, err := r.task.Open(ctx, m, m.content)
	if err != nil {
		return none, err
	}
	return w.(W), nil
}

// wire is a link for tests.
type wire struct {
	in    chan any
	heard time.Time
}

func newWire() *wire                           { return &wire{in: make(chan any, 64)} }
func (w *wire) In() <-chan any                 { return w.in }
func (w *wire) Show(any)                       {}
func (w *wire) Say(any)                        {}
func (w *wire) Silence() (time.Duration, bool) { return time.Since(w.heard), !w.heard.IsZero() }

func (w *wire) receive(v any) {
	w.heard = time.Now()
	w.in <- v
}

var _ testing.TB
