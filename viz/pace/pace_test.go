package pace

import (
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// The rate and the remaining time of a stage do not include the time of earlier stages, or of other
// fits that run at the same time.
func TestFollow(t *testing.T) {
	var all Estimator
	now := time.Now()
	at := func(seconds int, e ssdrnb.Event) Estimate {
		estimate, shown := all.Follow(e, now.Add(time.Duration(seconds)*time.Second))
		if !shown {
			t.Errorf("%+v is not shown", e)
		}
		return estimate
	}
	at(0, ssdrnb.Event{Method: "A", Stage: "slow"})
	if got := at(60, ssdrnb.Event{Method: "A", Stage: "layout", Total: 100}); got.Known {
		t.Errorf("before the first step: %+v", got)
	}
	at(61, ssdrnb.Event{Method: "B", Stage: "layout", Done: 3, Total: 7})
	if got, want := at(62, ssdrnb.Event{Method: "A", Stage: "layout", Done: 20, Total: 100}), (Estimate{10, 8 * time.Second, true}); got != want {
		t.Errorf("after 20 steps: %+v", got)
	}
	if got := at(63, ssdrnb.Event{Method: "A", Stage: "unfolding", Done: 20, Total: 100}); got.Known {
		t.Errorf("in another stage: %+v", got)
	}
	if got := at(64, ssdrnb.Event{Method: "A", Stage: "unfolding", Total: 100}); got.Known {
		t.Errorf("in a second fit: %+v", got)
	}
}

// During a sweep, only its own events are shown.
func TestFitsOfSweeps(t *testing.T) {
	var all Estimator
	for _, c := range []struct {
		e     ssdrnb.Event
		shown bool
	}{
		{ssdrnb.Event{Method: "PCA"}, true},
		{ssdrnb.Event{Method: "Sweep", Total: 2}, true},
		{ssdrnb.Event{Method: "PCA"}, false},
		{ssdrnb.Event{Method: "Sweep", Done: 2, Total: 2}, true},
		{ssdrnb.Event{Method: "PCA"}, true},
	} {
		if _, shown := all.Follow(c.e, time.Now()); shown != c.shown {
			t.Errorf("%+v: shown is %v", c.e, shown)
		}
	}
}
