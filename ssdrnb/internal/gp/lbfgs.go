package gp

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// LBFGS minimises f by gonum's limited-memory BFGS method from start. A line search
// that finds no better point ends it where it is. When ctx ends the best point so
// far is returned together with its error.
func LBFGS(ctx context.Context, f Objective, start []float64, opt Options) (*Result, error) {
	r := &recorder{watch: watch{Options: opt, best: math.Inf(1)}, lowest: math.Inf(1), out: &Result{W: slices.Clone(start), Value: math.Inf(1)}}
	problem := optimize.Problem{
		Func: func(w []float64) float64 {
			v := f(w, nil)
			if v < r.lowest {
				r.lowest, r.lowestAt = v, append(r.lowestAt[:0], w...)
			}
			return v
		},
		Grad: func(g, w []float64) {
			r.out.Evaluations++
			f(w, g)
		},
		Status: func() (optimize.Status, error) {
			if err := ctx.Err(); err != nil {
				return optimize.RuntimeLimit, err
			}
			return optimize.NotTerminated, nil
		},
	}
	// gonum ends at a limit, or for want of a better point along a direction; that is
	// no error here, as r has the best point. Where its memory may be what misled it,
	// it begins again there without.
	for {
		before, left := r.out.Value, opt.Steps+1-r.points
		_, err := optimize.Minimize(problem, slices.Clone(r.out.W), &optimize.Settings{MajorIterations: left, Converger: r}, &optimize.LBFGS{})
		if r.out.Converged || err == nil || ctx.Err() != nil || left <= 1 || !(r.out.Value < before) || math.IsInf(before, 1) && r.points <= 1 {
			break
		}
		r.begun = false
	}
	if r.lowest < r.out.Value {
		copy(r.out.W, r.lowestAt)
		r.out.Value, r.out.Converged = r.lowest, false
		if opt.Progress != nil {
			opt.Progress(r.lowest, r.out.Gradient)
		}
	}
	r.out.Steps = max(r.points-1, 0)
	return r.out, ctx.Err()
}

// recorder follows gonum's optimiser from one accepted point to the next.
type recorder struct {
	watch
	out    *Result
	points int
	begun  bool
	// The lowest value that was seen. Along a direction without a minimum the search
	// ends at no accepted point, but has seen how low it goes.
	lowest   float64
	lowestAt []float64
}

// Init is gonum's; nothing has to be done.
func (r *recorder) Init(int) {}

// Converged keeps the point if it is the best so far, and says whether to stop.
func (r *recorder) Converged(loc *optimize.Location) optimize.Status {
	if r.points > 0 && !r.begun { // the same point again, of a new beginning
		r.begun = true
		return optimize.NotTerminated
	}
	r.begun = true
	r.points++
	if !(loc.F <= r.out.Value) {
		return optimize.NotTerminated
	}
	copy(r.out.W, loc.X)
	r.out.Value, r.out.Gradient = loc.F, floats.Norm(loc.Gradient, math.Inf(1))
	if r.points == 1 { // the start
		r.best = loc.F
		if r.out.Gradient > r.watch.Gradient {
			return optimize.NotTerminated
		}
	} else if !r.accept(loc.F, r.out.Gradient) {
		return optimize.NotTerminated
	}
	r.out.Converged = true
	return optimize.MethodConverge
}
