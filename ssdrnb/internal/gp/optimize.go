package gp

import (
	"context"
	"math"
)

// Objective is a function to minimise. It returns its value at w, +Inf if it is not defined, and
// writes the gradient into g unless g is nil. Optimisers ask for the gradient directly after the
// value at the same point.
type Objective func(w, g []float64) float64

// Options bound an optimisation.
type Options struct {
	// Steps is the largest number of accepted or rejected steps.
	Steps int
	// Gradient ends the optimisation when no entry of the gradient is larger in magnitude.
	Gradient float64
	// Change ends the optimisation when patience steps in a row have improved the value by less
	// than Change·max(1, |value|).
	Change float64
	// Progress, unless nil, is called with the value after every accepted step.
	Progress func(value float64)
}

// patience is the number of steps without much change that ends an optimisation.
const patience = 10

// Result is the end of an optimisation: the best point found.
type Result struct {
	W        []float64
	Value    float64
	Gradient float64 // its largest entry, in magnitude
	Steps    int
	// Converged is false if the steps were used up or no further step was found.
	Converged bool
}

// watch checks the stopping criteria at the accepted steps of an optimiser.
type watch struct {
	Options
	best float64
	idle int
}

// accept records an accepted step and reports whether to stop.
func (w *watch) accept(value, gradient float64) bool {
	if w.Progress != nil {
		w.Progress(value)
	}
	if w.best-value > w.Change*max(1, math.Abs(value)) {
		w.best, w.idle = value, 0
	} else {
		w.idle++
	}
	return gradient <= w.Gradient || w.idle >= patience
}

// Minimize is SCG or LBFGS.
type Minimize func(ctx context.Context, f Objective, start []float64, opt Options) (*Result, error)

func largest(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}
