package viz

import (
	"fmt"
	"html"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Importing viz into a cell gives long fits and sweeps a progress bar.
func init() { ShowProgress(true) }

var (
	progressMu   sync.Mutex
	stopProgress func()
)

// ShowProgress turns the progress bar of long fits and sweeps on or off. It is on
// in notebooks.
func ShowProgress(on bool) {
	progressMu.Lock()
	defer progressMu.Unlock()
	if stopProgress != nil {
		stopProgress()
		stopProgress = nil
	}
	if on && gonbui.IsNotebook {
		p := &progress{id: "ssdrnb-progress-" + gonbui.UniqueId(), began: time.Now()}
		stopProgress = ssdrnb.Observe(p.event)
	}
}

// Bars appear after a second and move at most four times a second: most fits end before
// anyone could read one.
const (
	progressAfter = time.Second
	progressEvery = 250 * time.Millisecond
)

// progress shows the events of fits and sweeps as one line of HTML.
type progress struct {
	mu           sync.Mutex // fits may run at the same time
	id           string
	began, shown time.Time
	task         string
	sweeping     bool // the fits of a sweep are not shown beside it
}

func (p *progress) event(e ssdrnb.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	finished := e.Total > 0 && e.Done == e.Total
	if e.Method == "Sweep" {
		p.sweeping = !finished
	} else if p.sweeping {
		return
	}
	if e.Method != p.task {
		p.task, p.began = e.Method, now
	}
	if finished {
		p.task = ""
		if !p.shown.IsZero() {
			gonbui.UpdateHTML(p.id, "") // a full bar says nothing
			p.shown = time.Time{}
		}
		return
	}
	if now.Sub(p.began) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	gonbui.UpdateHTML(p.id, p.line(e, now))
}

// line is the bar with rate and remaining time.
func (p *progress) line(e ssdrnb.Event, now time.Time) string {
	name := html.EscapeString(e.Method + ": " + e.Stage)
	if e.Total == 0 {
		return fmt.Sprintf("<progress></progress> %s, %s", name, now.Sub(p.began).Round(time.Second))
	}
	spent := now.Sub(p.began)
	left := time.Duration(float64(spent) / float64(max(e.Done, 1)) * float64(e.Total-e.Done))
	return fmt.Sprintf("<progress value=\"%d\" max=\"%d\"></progress> %s %d of %d, %.1f per second, %s left",
		e.Done, e.Total, name, e.Done, e.Total, float64(e.Done)/spent.Seconds(), left.Round(time.Second))
}
