package gp

import (
	"context"
	"math"
)

// Objective is a function to minimise. It returns its value at w, or +Inf where it is undefined.
// Unless g is nil, it sets g to the gradient. Optimisers request the gradient immediately after the
// value at the same point.
type Objective func(w, g []float64) float64

// Options bound an optimisation.
type Options struct {
	// Steps is the largest number of steps, accepted or rejected.
	Steps int
	// Gradient is a stopping threshold: the optimisation ends if no entry of the gradient exceeds
	// it in magnitude.
	Gradient float64
	// Change is a stopping threshold: the optimisation ends if `patience` consecutive accepted
	// steps together improve the value by at most Change·max(1, |value|).
	Change float64
	// Progress, unless nil, is called with the value after every accepted step.
	Progress func(value float64)
}

// patience is the number of consecutive steps with little change that ends an optimisation.
const patience = 10

// Result is the best point that an optimisation has found.
type Result struct {
	W        []float64
	Value    float64
	Gradient float64 // largest magnitude of an entry of the gradient
	Steps    int
	// Converged is false if the optimisation reached the step limit, found no further step, or
	// ended with ctx.
	Converged bool
	// Limited is true if the optimisation reached the step limit before it converged.
	Limited bool
	// Blocked is true if the optimisation reached the step limit without accepting a step, although
	// the last step was predicted to improve the value by more than Change·max(1, |value|). More
	// steps would lower the value.
	Blocked bool
}

// watch checks the stopping criteria at the accepted steps of an optimiser. best is the value at
// the last sufficient improvement, and idle counts the steps since then.
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

// Minimize is the signature of [SCG] and [LBFGS].
type Minimize func(ctx context.Context, f Objective, start []float64, opt Options) (*Result, error)

func largest(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}
