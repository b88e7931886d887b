package ssdrnb

import (
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Event reports the progress of a running fit or sweep.
type Event struct {
	// Method is the name of the method, or of a function that runs fits, such as "Sweep" or
	// "Compare".
	Method string
	// Stage is the name of the current stage, "done" at the end. For a function that runs fits it
	// may be the name of the method being fitted.
	Stage string
	// Done is the number of finished parts of the stage, out of Total. Total is 0 if the number is
	// not known in advance.
	Done, Total int
	// Value is the current objective in iterative stages, and the mean score of the finished grid
	// point in a sweep.
	Value float64
	// Layout holds the current positions, one sample per row, in stages that compute a layout step
	// by step, and is nil in other stages. The matrix is overwritten after the callback returns.
	Layout *mat.Dense
}

var observers struct {
	sync.Mutex
	next int
	by   map[int]func(Event)
}

// Observe registers f, which is then called at every event of every fit in this process. The call
// runs in the goroutine of the fit, so f should be quick. Fits that run at the same time call f
// concurrently. The returned function unregisters f.
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

// Notify passes an event to the observers in the order of their registration. It is meant for
// packages that run fits.
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
