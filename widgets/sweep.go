package widgets

import (
	"fmt"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// SweepExplorerBuilder collects the options of [SweepExplorer]. Its methods return
// changed copies.
type SweepExplorerBuilder struct {
	task interact.Task
	live bool
	idle time.Duration
}

// SweepExplorer returns the builder of an interactive heat map of a sweep over one or two options.
// A click on a cell of the heat map fits d with the options of this cell, and shows the embedding.
// The scores are those on the test samples if the sweep has test samples, and otherwise those on
// the unlabelled samples. The explorer begins at the best cell. [viz.Mesh] draws the same sweep
// without controls.
func SweepExplorer(r *ssdrnb.SweepResult, d *ssdrnb.Data) SweepExplorerBuilder {
	return SweepExplorerBuilder{task: interact.Task{Kind: interact.KindSweep, Sweep: r, Data: d}}
}

// Live makes the cell, rather than the page, do the computing. The cell runs until Stop, an
// interrupt or the idle limit ends it. Later cells wait until then, see the package comment.
func (b SweepExplorerBuilder) Live() SweepExplorerBuilder {
	b.live = true
	return b
}

// Idle sets the time after which a cell with Live ends if the reader does nothing. The default is
// 15 minutes.
func (b SweepExplorerBuilder) Idle(limit time.Duration) SweepExplorerBuilder {
	b.idle = limit
	return b
}

// Show shows the heat map, see the package comment. It returns the method with the options of the
// best cell or, with Live, of the last selected cell.
func (b SweepExplorerBuilder) Show() ssdrnb.Spec {
	w, err := open(b.task, nil, nil)
	if err != nil {
		return ssdrnb.Spec{}
	}
	s := w.(*interact.Sweep)
	switch {
	case !notebook():
		fmt.Println(s.Model())
	case b.live:
		run(b.task.Kind, s, b.idle)
	default:
		show(b.task, s, "", nil)
	}
	return s.Chosen()
}
