package widgets

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/pace"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// Progress shows the progress of fits and sweeps in this cell, with a curve of the objective and a
// Cancel button. The bar is shown until Close; outside of a notebook there is no bar.
//
//	p := widgets.Progress("sweep")
//	defer p.Close()
//	result, err := sweep.Run(p.Context())
//
// Progress replaces the progress bar of package viz.
func Progress(title string) *ProgressBar {
	p := &ProgressBar{title: title, began: time.Now()}
	p.ctx, p.cancel = signal.NotifyContext(context.Background(), os.Interrupt)
	if !notebook() {
		return p
	}
	viz.ShowProgress(false)
	p.link = newLink()
	session := interact.NewSession(p.link, progressWidget{p}, 24*time.Hour)
	session.Patient = true
	p.output = newOutput()
	p.ended = make(chan struct{})
	fragment, err := payload{Kind: "progress", Address: p.link.address}.fragment(staticNote, title, nil)
	if err != nil {
		_ = complain(err)
		return p
	}
	p.output.put(map[string]any{"text/html": fragment, "text/plain": title})
	p.stopObserving = ssdrnb.Observe(p.observe)
	serve, stop := context.WithCancel(context.Background())
	p.stopServing = stop
	p.link.subscribe()
	go func() {
		session.Serve(serve)
		close(p.ended)
	}()
	return p
}

// ProgressBar is a progress bar started by [Progress].
type ProgressBar struct {
	title         string
	ctx           context.Context
	cancel        context.CancelFunc
	link          *link
	output        output
	ended         chan struct{}
	stopObserving func()
	stopServing   context.CancelFunc
	closed        sync.Once

	mu        sync.Mutex
	began     time.Time
	sent      time.Time
	task      string
	last      ssdrnb.Event
	curve     []float64
	estimator pace.Estimator
	estimate  pace.Estimate // at the last event
	revision  int
}

// Context returns a context that the Cancel button and the notebook's interrupt cancel.
func (p *ProgressBar) Context() context.Context { return p.ctx }

// Close replaces the bar by a line with the elapsed time.
func (p *ProgressBar) Close() {
	p.closed.Do(func() {
		note := fmt.Sprintf("%s: %s", p.title, time.Since(p.began).Round(10*time.Millisecond))
		if p.ctx.Err() != nil {
			note += ", cancelled"
		}
		p.cancel()
		if p.ended == nil {
			return
		}
		p.stopObserving()
		p.stopServing()
		<-p.ended
		viz.ShowProgress(true)
		p.output.put(map[string]any{"text/html": "<p>" + html.EscapeString(note) + "</p>", "text/plain": note})
		flush()
	})
}

// progressEvery is the minimum time between two states sent to the page.
const progressEvery = 100 * time.Millisecond

func (p *ProgressBar) observe(e ssdrnb.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	estimate, shown := p.estimator.Follow(e, time.Now())
	if !shown {
		return
	}
	if task := e.Method + " " + e.Stage; task != p.task {
		p.task, p.curve = task, nil
	}
	p.last, p.estimate = e, estimate
	if e.Value != 0 && !math.IsNaN(e.Value) && !math.IsInf(e.Value, 0) {
		if p.curve = append(p.curve, e.Value); len(p.curve) > 2000 { // keep every second value
			for k := range len(p.curve) / 2 {
				p.curve[k] = p.curve[2*k]
			}
			p.curve = p.curve[:len(p.curve)/2]
		}
	}
	if time.Since(p.sent) < progressEvery && e.Done != e.Total {
		return
	}
	p.sent = time.Now()
	p.revision++
	p.link.Show(p.show())
}

// show returns the state for the page. The caller holds the lock.
func (p *ProgressBar) show() map[string]any {
	e, spent := p.last, time.Since(p.began)
	text, share := fmt.Sprintf("%s %s, %s", e.Method, e.Stage, spent.Round(100*time.Millisecond)), -1.0
	if e.Total > 0 {
		share = float64(e.Done) / float64(e.Total)
		text = fmt.Sprintf("%s %s, %d of %d, %s", e.Method, e.Stage, e.Done, e.Total, spent.Round(100*time.Millisecond))
		if p.estimate.Known && e.Done < e.Total {
			text += fmt.Sprintf(", %s left", p.estimate.Left.Round(100*time.Millisecond))
		}
	}
	if len(p.curve) > 0 {
		text += fmt.Sprintf("; value %.6g", p.curve[len(p.curve)-1])
	}
	return map[string]any{"revision": p.revision, "text": text, "share": share, "curve": append([]float64{}, p.curve...)}
}

type progressWidget struct{ *ProgressBar }

// Setup returns the title.
func (p progressWidget) Setup() any { return map[string]any{"title": p.title} }

// State returns the progress.
func (p progressWidget) State() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.show()
}

// Event cancels the work.
func (p progressWidget) Event(kind string, _ json.RawMessage) (interact.Outcome, error) {
	if kind != "cancel" {
		return interact.Outcome{}, interact.ErrUnknown(kind)
	}
	p.cancel()
	return interact.Outcome{}, nil
}

// Work does nothing: the cell itself does the work.
func (p progressWidget) Work() func(ctx context.Context) func() {
	return func(context.Context) func() { return nil }
}
