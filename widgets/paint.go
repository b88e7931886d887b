package widgets

import (
	"fmt"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// PaintBuilder collects the options of [Paint]. Its methods return changed copies.
type PaintBuilder struct {
	task interact.Task
	live bool
	idle time.Duration
}

// Paint returns the builder of a canvas on which the reader paints data: samples of several classes
// and unlabelled samples, with a brush, a spray and an eraser. After each stroke, the method
// selected in a menu is fitted to the painting. The canvas shows the predicted class of each place
// (nearest labelled sample in the embedding), beside the embedding. Sliders map the painted plane
// into more dimensions (lift), add noise, and hide labels. The painting is stored under name for
// this notebook, and [Painted] reads it in a later cell.
//
// Without the argument methods, the menu contains all methods and begins with LDA.
//
//	widgets.Paint("moons", ssdrnb.LDA(), ssdrnb.SDA(), ssdrnb.KSDA()).Show()
func Paint(name string, methods ...ssdrnb.Estimator) PaintBuilder {
	b := PaintBuilder{task: interact.Task{Kind: interact.KindPaint, Name: name, Lift: interact.Lift{Dims: 2, Seed: 1}}}
	for _, m := range methods {
		b.task.Methods = append(b.task.Methods, ssdrnb.SpecOf(m))
	}
	if len(methods) == 0 {
		b.task.Methods = append(b.task.Methods, ssdrnb.LDA().Spec())
		for _, m := range ssdrnb.Methods() {
			if m.Func != "LDA" {
				b.task.Methods = append(b.task.Methods, ssdrnb.New(m.Func))
			}
		}
	}
	// The name is in the list, so Start cannot fail.
	b.task.Data, _ = interact.Start(interact.Starts[0], 1)
	return b
}

// Classes sets the names of the classes to paint, 1 to 20. The default is the classes of the data
// of [PaintBuilder.Start], but at least three classes. Stored samples are assigned to these classes
// by the names of their classes. Stored samples of other classes keep their class names.
func (b PaintBuilder) Classes(names ...string) PaintBuilder {
	b.task.Classes = slices.Clone(names)
	return b
}

// Start sets the initial samples of a new painting: data with two features, scaled into the canvas,
// and with their true classes. The default is two moons.
func (b PaintBuilder) Start(d *ssdrnb.Data) PaintBuilder {
	b.task.Data = d
	return b
}

// Lift sets the initial number of dimensions of the data, from 2 to 50. It also sets the standard
// deviation of the noise in each dimension, from 0 to 1, in units of half the canvas width. The
// default is the canvas itself: 2 dimensions and no noise.
func (b PaintBuilder) Lift(dims int, noise float64) PaintBuilder {
	b.task.Lift.Dims, b.task.Lift.Noise = dims, noise
	return b
}

// Live makes the cell, rather than the page, do the computing. The cell runs until Stop, an
// interrupt or the idle limit ends it. Later cells wait until then, see the package comment.
func (b PaintBuilder) Live() PaintBuilder {
	b.live = true
	return b
}

// Idle sets the time after which a cell with Live ends if the reader does nothing. The default is
// 15 minutes.
func (b PaintBuilder) Idle(limit time.Duration) PaintBuilder {
	b.idle = limit
	return b
}

// Show shows the canvas, see the package comment. It returns the stored data or, if nothing is
// stored, the initial data. With Live, it returns when the widget ends. If Show fails, the Err
// method of the data returns the reason.
func (b PaintBuilder) Show() *ssdrnb.Data {
	return shown(b.task, paintingOf(b.task.Name), b.live, b.idle, (*interact.Painter).Data, data.Failed)
}

// Painted returns the data that [Paint] stored under name for this notebook, in this or an earlier
// kernel. X has one row per painted spot: it is n×2, or n×D after a lift to D dimensions. Truth
// contains the painted classes, and Labels contains the classes that are not hidden. If reading
// fails, the Err method of the data returns an error that wraps [ErrStore], and Fit fails with the
// same error.
func Painted(name string) *ssdrnb.Data {
	path, err := storePath(paintingOf(name))
	if err != nil {
		return data.Failed(name, err)
	}
	raw := store.Newest(path, paintingOf(name))
	if raw == nil {
		return data.Failed(name, advice.Errorf(store.Instead(store.Painting, fmt.Sprintf("paint one with widgets.Paint(%q).Show()", name)), "%w: no painting is called %q for this notebook", ErrStore, name))
	}
	return interact.Painted(raw, name)
}

// paintingOf returns the file name of a painting, see [store.Path].
func paintingOf(name string) string { return store.Painting + name }
