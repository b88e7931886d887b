package widgets

import (
	"context"
	"fmt"
	"image"
	"os"
	"os/signal"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/look"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// mayWait reports whether a widget may make later cells wait. SSDRNB_WAIT=off forbids this, because
// nobody presses Stop when a notebook is executed automatically.
func mayWait() bool { return os.Getenv("SSDRNB_WAIT") != "off" }

// notebook reports whether a page can show a widget.
func notebook() bool { return gonbui.IsNotebook && gonbui.Error() == nil }

// complain prints err, the reason why a widget is not shown, and returns err. It prints nothing if
// err is nil.
func complain(err error) error {
	if err != nil {
		fmt.Fprintln(os.Stderr, "widgets: "+err.Error())
	}
	return err
}

// open opens a task. It prints the error if the task cannot be opened.
func open(t interact.Task, s interact.Store, stored []byte) (interact.Running, error) {
	w, err := t.Open(context.Background(), s, stored)
	return w, complain(err)
}

// figure returns the static figure left after a widget ends.
func figure(w interact.Widget) viz.Figure {
	switch w := w.(type) {
	case *interact.Labeler: // its current embedding is not that of its model
		return viz.Embedding(w)
	case interface {
		Title() string
		Captions() (marks, regions string)
		Drawn() (base image.Image, marks, regions [][]int, classes []string)
	}:
		base, marks, regions, classes := w.Drawn()
		marked, predicted := w.Captions()
		pictures := []viz.Picture{viz.Scribbles(base, marks, classes...).Captioned(marked)}
		if regions != nil {
			pictures = append(pictures, viz.Regions(regions, classes...).Captioned(predicted))
		}
		return viz.Pictures(pictures...).Title(w.Title())
	case interface{ Model() *ssdrnb.Model }:
		m := w.Model()
		if m.Dims() <= 2 {
			return viz.Embedding(m)
		}
		// Compare draws the first two dimensions, as the live widget does.
		return viz.Compare(m).Title(look.Name(m.Method() + " of " + m.Data().Name))
	}
	panic("no figure of this widget")
}

// Limits of the numbers of samples and values with which a page computes. Larger data need Live.
const (
	pageSamples = 5000
	pageNumbers = 2_000_000
)

// tooLarge returns a clause that states the size of the data and the limits of a page if the data
// exceed them, and otherwise "".
func tooLarge(data *ssdrnb.Data) string {
	n, d := data.Len(), data.Dim()
	if n <= pageSamples && n*d <= pageNumbers {
		return ""
	}
	return fmt.Sprintf("the data have %s with %s, but a page computes with at most %d samples and %d numbers", nouns.Count(n, "sample"), nouns.Count(d, "feature"), pageSamples, pageNumbers)
}

// show shows a widget that the page computes. The cell then ends.
func show(t interact.Task, w interact.Widget, name string, stored []byte) {
	o := newOutput()
	if reason := tooLarge(t.Data); reason != "" {
		o.close(figure(w), "No controls: "+reason+". Call Live() before Show(): the cell then computes until you press Stop.")
		return
	}
	p := pageTask{Task: t, Name: name, Notebook: store.Notebook()}
	if stored != nil {
		text := string(stored)
		p.Stored = &text
	}
	_ = complain(o.page(p, figure(w)))
}

// run shows a widget and serves it until it ends.
func run(kind string, w interact.Widget, idle time.Duration) {
	o := newOutput()
	if !mayWait() {
		o.close(figure(w), notWaited)
		return
	}
	l := newLink()
	if err := o.open(kind, l.address, figure(w)); err != nil {
		_ = complain(err)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	l.subscribe()
	watch := interact.Watcher{Say: l.Say, Every: 200 * time.Millisecond}
	// Pages show the intermediate layouts of a labeler, because a layout takes seconds.
	if e, ok := w.(*interact.Labeler); ok {
		watch.Passing = e.Passing
	}
	defer ssdrnb.Observe(watch.Observe)()
	reason := interact.NewSession(l, w, idle).Serve(ctx)
	o.close(figure(w), fmt.Sprintf("The live controls ended: %s. Run the cell again for new ones.", reason))
}
