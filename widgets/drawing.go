package widgets

import (
	"fmt"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// drawing holds the options of the widgets that store what the reader draws. B is the
// builder that embeds it; with makes a B of changed options.
type drawing[B any] struct {
	task interact.Task
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

// Classes names the classes to draw: up to 100 for a ConstraintEditor, 2 to 20 for a
// Scribble. The default is the classes of the data, or five numbered ones if the data
// have none.
func (d drawing[B]) Classes(names ...string) B {
	d.task.Classes = slices.Clone(names)
	return d.with(d)
}

// Idle sets how long the cell goes on without an action of the reader; the default is
// 15 minutes.
func (d drawing[B]) Idle(limit time.Duration) B {
	d.idle = limit
	return d.with(d)
}

// drawn is an open widget with a drawing.
type drawn interface {
	interact.Running
	Constraints() ConstraintSet
}

// show serves the widget to its end and returns what was drawn.
func (d drawing[B]) show() ConstraintSet {
	w, err := d.open()
	if err != nil {
		return interact.FailedConstraints(d.task.Name, err)
	}
	defer w.Close()
	if live() {
		run(d.task.Kind, w, d.idle)
	} else {
		fmt.Println(w.Constraints())
	}
	return w.Constraints()
}

// open opens the store and the widget.
func (d drawing[B]) open() (drawn, error) {
	path, err := storePath(d.task.Name)
	if err != nil {
		return nil, complain(err)
	}
	s, stored, err := openFile(path, d.task.Name)
	if err != nil {
		return nil, complain(err)
	}
	w, err := open(d.task, s, stored)
	if err != nil {
		s.Close()
		return nil, err
	}
	return w.(drawn), nil
}
