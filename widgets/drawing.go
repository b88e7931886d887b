package widgets

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// drawing contains the options of widgets that store a drawing. B is the type of the builder that
// embeds drawing. The field named with is a function that returns the builder with changed options.
type drawing[B any] struct {
	task interact.Task
	live bool
	idle time.Duration
	with func(drawing[B]) B
}

// Name sets the name under which the drawing is stored for this notebook. The default
// is "constraints" for a ConstraintEditor and "scribbles" for a Scribble. [Constraints]
// reads the drawing back.
func (d drawing[B]) Name(name string) B {
	d.task.Name = name
	return d.with(d)
}

// Classes names the classes to draw: up to 100 for a ConstraintEditor, 2 to 20 for a Scribble. The
// default is the classes of the data, or five numbered classes if the data have none. Labels in the
// data and stored labels are assigned to these classes by the names of their classes. Stored labels
// of other classes keep their class names.
func (d drawing[B]) Classes(names ...string) B {
	d.task.Classes = slices.Clone(names)
	return d.with(d)
}

// Live makes the cell, rather than the page, do the computing. The cell runs until Stop, an
// interrupt or the idle limit ends it. Later cells wait until then, see the package comment.
func (d drawing[B]) Live() B {
	d.live = true
	return d.with(d)
}

// Idle sets the time after which a cell with Live ends if the reader does nothing. The default is
// 15 minutes.
func (d drawing[B]) Idle(limit time.Duration) B {
	d.idle = limit
	return d.with(d)
}

// drawn is a running widget whose result is a drawing.
type drawn interface {
	interact.Running
	Constraints() ConstraintSet
}

func (d drawing[B]) show() ConstraintSet {
	return shown(d.task, d.task.Name, d.live, d.idle, drawn.Constraints, interact.FailedConstraints)
}

// shown shows a widget that stores its result under a name, and returns the result. If the widget
// is live, shown waits until it ends. If the widget cannot be opened, shown returns the result of
// failed.
func shown[W interact.Running, R any](t interact.Task, name string, live bool, idle time.Duration, result func(W) R, failed func(string, error) R) R {
	w, stored, err := opened[W](t, name, live)
	if err != nil {
		return failed(t.Name, err)
	}
	defer w.Close()
	switch {
	case !notebook():
		fmt.Println(result(w))
	case live:
		run(t.Kind, w, idle)
	default:
		if labeler, ok := any(w).(*interact.Labeler); ok {
			t = labeler.Placed(t)
		}
		show(t, w, name, stored)
	}
	return result(w)
}

// opened opens a widget with the content stored under a name. If the widget is live, opened also
// opens the store for writing.
func opened[W interact.Running](t interact.Task, name string, live bool) (w W, stored []byte, err error) {
	path, err := storePath(name)
	if err != nil {
		return w, nil, complain(err)
	}
	var s interact.Store = noStore{}
	if live {
		if s, stored, err = openFile(path, name); err != nil {
			return w, nil, complain(err)
		}
	} else {
		stored = store.Newest(path, name)
	}
	o, err := open(t, s, stored)
	if err != nil {
		s.Close()
		return w, nil, err
	}
	return o.(W), stored, nil
}

// noStore is the store of a widget that is not live: the page stores its drawing.
type noStore struct{}

func (noStore) Write([]byte) error { return errors.New("the page stores this drawing, not the cell") }
func (noStore) Close()             {}
