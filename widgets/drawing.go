package widgets

import (
	"fmt"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// drawing holds the options of the widgets that store what the reader draws. B is the
// builder that embeds it; with makes a B of changed options.
type drawing[B any] struct {
	spec    ssdrnb.Spec
	data    *ssdrnb.Data
	name    string
	classes []string
	idle    time.Duration
	with    func(drawing[B]) B
}

// Name sets the name under which the drawing is stored for this notebook. The default
// is "constraints" for a ConstraintEditor and "scribbles" for a Scribble. [Constraints]
// reads the drawing back.
func (d drawing[B]) Name(name string) B {
	d.name = name
	return d.with(d)
}

// Classes names the classes to draw: up to 100 for a ConstraintEditor, 2 to 20 for a
// Scribble. The default is the classes of the data, or five numbered ones if the data
// have none.
func (d drawing[B]) Classes(names ...string) B {
	d.classes = slices.Clone(names)
	return d.with(d)
}

// Idle sets how long the cell goes on without an action of the reader; the default is
// 15 minutes.
func (d drawing[B]) Idle(limit time.Duration) B {
	d.idle = limit
	return d.with(d)
}

// open checks the options and opens the store. Stored classes that are not named are
// added.
func (d drawing[B]) open() (h history, classes []string, err error) {
	if err := check(d.data); err != nil {
		return h, nil, err
	}
	if err := d.spec.Err(); err != nil {
		return h, nil, err
	}
	if classes = d.classes; classes == nil {
		classes = classNames(d.data)
	}
	for _, l := range d.data.Labels {
		if l >= len(classes) {
			return h, nil, fmt.Errorf("the data have class %d but only %d classes are named; name all with Classes", l, len(classes))
		}
	}
	if h.store, h.set, err = openStore(d.name, d.data); err != nil {
		return h, nil, err
	}
	if len(h.set.Classes) > len(classes) {
		classes = h.set.Classes
	}
	h.set.Classes = classes
	for _, l := range h.set.Labels {
		if l >= len(classes) {
			h.store.close()
			return h, nil, fmt.Errorf("%w: %q has class %d but there are only %d classes; name all with Classes", ErrStore, d.name, l, len(classes))
		}
	}
	return h, classes, nil
}

// drawable is a running widget with a stored drawing.
type drawable interface {
	widget
	figure() viz.Figure
	drawn() *history
}

// show serves w to its end and returns what was drawn. If err is not nil, there is no
// w, and show prints err.
func (d drawing[B]) show(kind string, w drawable, err error) ConstraintSet {
	if err != nil {
		complain(err)
		return ConstraintSet{name: d.name, err: err}
	}
	h := w.drawn()
	defer h.store.close()
	if live() {
		run(kind, newSession(w, d.idle), w.figure)
	} else {
		fmt.Println(h.set)
	}
	return h.set.clone()
}

// shown returns names as pages show them.
func shown(names []string) []string {
	out := make([]string, len(names))
	for k, n := range names {
		out[k] = look.Name(n)
	}
	return out
}

// classNames returns the names of the data's known classes, or five numbered ones.
func classNames(d *ssdrnb.Data) []string {
	most := len(d.ClassNames) - 1
	for _, list := range [][]int{d.Labels, d.Truth} {
		for _, l := range list {
			most = max(most, l)
		}
	}
	if most < 0 {
		return []string{"class 0", "class 1", "class 2", "class 3", "class 4"}
	}
	names := make([]string, min(most+1, 100))
	for k := range names {
		names[k] = d.ClassName(k)
	}
	return names
}
