package gp

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// LBFGS minimises f, starting at the point start, by gonum's limited-memory BFGS method. If a line
// search finds no better point, LBFGS restarts at the best point without the memory of past steps.
// It ends if a restart brings no progress. When ctx ends, it returns the best point so far with the
// error of ctx.
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
		Grad: func(g, w []float64) { f(w, g) },
		Status: func() (optimize.Status, error) {
			if err := ctx.Err(); err != nil {
				return optimize.RuntimeLimit, err
			}
			return optimize.NotTerminated, nil
		},
	}
	// gonum stops at a limit, or if it finds no better point along a direction. Neither is an error
	// here, because r holds the best point. The memory of past steps may have caused a bad
	// direction, so the iteration restarts at this point without it.
	for {
		before, left := r.out.Value, opt.Steps+1-r.points
		_, err := optimize.Minimize(problem, slices.Clone(r.out.W), &optimize.Settings{MajorIterations: left, Converger: r}, &optimize.LBFGS{})
		if r.out.Converged || err == nil || ctx.Err() != nil || left <= 1 || !(r.out.Value < before) || math.IsInf(before, 1) && r.points <= 1 {
			r.out.Limited = !r.out.Converged && ctx.Err() == nil && (err == nil || left <= 1)
			break
		}
		r.begun = false
	}
	if r.lowest < r.out.Value {
		copy(r.out.W, r.lowestAt)
		g := make([]float64, len(start))
		f(r.out.W, g)
		r.out.Value, r.out.Gradient, r.out.Converged = r.lowest, floats.Norm(g, math.Inf(1)), false
		if opt.Progress != nil {
			opt.Progress(r.lowest)
		}
	}
	r.out.Steps = max(r.points-1, 0)
	return r.out, ctx.Err()
}

// recorder observes the points that gonum's optimiser accepts.
type recorder struct {
	watch
	out    *Result
	points int
	begun  bool
	// lowest is the lowest value evaluated, at lowestAt. It can be lower than the value at any
	// accepted point: along a direction without a minimum, the line search evaluates lower points
	// but accepts none.
	lowest   float64
	lowestAt []float64
}

// Init implements gonum's Converger. It does nothing.
func (r *recorder) Init(int) {}

// Converged records the point if it is the best so far, and reports whether to stop.
func (r *recorder) Converged(loc *optimize.Location) optimize.Status {
	if r.points > 0 && !r.begun { // gonum reports the same point again after a restart
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
	if r.points == 1 { // the initial point
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
