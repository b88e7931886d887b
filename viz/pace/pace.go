// Package pace estimates the remaining time of fits and sweeps from their events, for progress
// bars.
//
// The package is exported only because packages of several top-level folders share it.
package pace

import (
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Estimator follows the events of all fits and sweeps, see [ssdrnb.Observe]. Its zero value is
// ready for use. It must not be used by several goroutines at the same time.
type Estimator struct {
	sweeping bool
	counts   map[string]*count // by method, because fits that run at the same time count separately
}

// Estimate contains the rate and the remaining time of the running stage of a fit or sweep.
type Estimate struct {
	PerSecond float64       // steps per second
	Left      time.Duration // estimated time of the remaining steps
	Known     bool          // false until a step has ended; the other fields are then 0
}

// Follow takes the next event and the time at which it happened. It returns the estimate, and
// whether to show the event: events of the fits within a sweep are not shown.
func (t *Estimator) Follow(e ssdrnb.Event, now time.Time) (Estimate, bool) {
	if e.Method == "Sweep" {
		t.sweeping = !(e.Total > 0 && e.Done == e.Total)
	} else if t.sweeping {
		return Estimate{}, false
	}
	if t.counts == nil {
		t.counts = map[string]*count{}
	}
	if t.counts[e.Method] == nil {
		t.counts[e.Method] = &count{}
	}
	return t.counts[e.Method].estimate(e, now), true
}

// count counts the steps of the running stage of a method.
type count struct {
	stage              string
	since              time.Time // of the first event of the stage
	first, done, total int
}

func (c *count) estimate(e ssdrnb.Event, now time.Time) Estimate {
	if e.Stage != c.stage || e.Total != c.total || e.Done < c.done { // another stage, or another fit
		*c = count{stage: e.Stage, since: now, first: e.Done, total: e.Total}
	}
	c.done = e.Done
	steps, spent := float64(e.Done-c.first), now.Sub(c.since)
	if steps == 0 || spent <= 0 {
		return Estimate{}
	}
	return Estimate{steps / spent.Seconds(), time.Duration(float64(spent) / steps * float64(e.Total-e.Done)), true}
}
