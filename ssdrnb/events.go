package ssdrnb

import (
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Event reports the progress of a running fit or sweep.
type Event struct {
	// Method is the method's name, or "sweep".
	Method string
	// Stage names the current stage.
	Stage string
	// Done of Total parts of the stage are finished; Total is 0 if the number is not known
	// beforehand.
	Done, Total int
	// Value is the objective so far, for stages that iterate.
	Value float64
	// Layout has the current positions, one sample per row, in stages that compute a layout
	// step by step; it is nil in others. It is overwritten after the call.
	Layout *mat.Dense
}

var observers struct {
	sync.Mutex
	next int
	by   map[int]func(Event)
}

// Observe calls f at every event of every later fit, in the fitting goroutine, so f should be
// quick. The returned function unregisters f.
func Observe(f func(Event)) (stop func()) {
	observers.Lock()
	defer observers.Unlock()
	if observers.by == nil {
		observers.by = map[int]func(Event){}
	}
	id := observers.next
	observers.next++
	observers.by[id] = f
	return func() {
		observers.Lock()
		defer observers.Unlock()
		delete(observers.by, id)
	}
}

// Notify passes an event to the observers in the order of their registration. It is for packages
// that run fits.
func Notify(e Event) {
	observers.Lock()
	fs := make([]func(Event), 0, len(observers.by))
	for id := range observers.next {
		if f := observers.by[id]; f != nil {
			fs = append(fs, f)
		}
	}
	observers.Unlock()
	for _, f := range fs {
		f(e)
	}
}
