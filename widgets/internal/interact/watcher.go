package interact

import (
	"fmt"
	"sync"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"gonum.org/v1/gonum/mat"
)

// Watcher reports the progress of a fit to the pages:
//
//	{"progress": text, "share": s}  s is from 0 to 1, or −1 if it is unknown
//	{"passing": positions}          an intermediate layout, if Passing is set
type Watcher struct {
	// Say sends a message to the pages.
	Say func(v any)
	// Every is the minimum time between two reports. Events in between are dropped.
	Every time.Duration
	// Passing encodes the positions of an intermediate layout for pages, or returns nil.
	Passing func(y *mat.Dense) any

	mu   sync.Mutex
	told time.Time
}

// Observe reports an event of a fit, see [ssdrnb.Observe].
func (w *Watcher) Observe(e ssdrnb.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if now.Sub(w.told) < w.Every {
		return
	}
	w.told = now
	if w.Passing != nil && e.Layout != nil {
		if at := w.Passing(e.Layout); at != nil {
			w.Say(map[string]any{"passing": at})
		}
	}
	text, share := e.Method+": "+e.Stage, -1.0
	if e.Total > 0 {
		text, share = fmt.Sprintf("%s, %d of %d", text, e.Done, e.Total), float64(e.Done)/float64(e.Total)
	}
	w.Say(map[string]any{"progress": text, "share": share})
}
