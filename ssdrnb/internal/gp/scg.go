package gp

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// SCG minimises f, starting at the point start, by scaled conjugate gradients. It needs no line
// search. A step is accepted only if it does not increase the value. Each step computes at most two
// gradients: one at a trial point, for the curvature, and one at the accepted point.
//
// When ctx ends, SCG returns the best point so far with the error of ctx.
//
// Source: Møller, "A scaled conjugate gradient algorithm for fast supervised learning", Neural
// Networks 6, 1993.
func SCG(ctx context.Context, f Objective, start []float64, opt Options) (*Result, error) {
	const firstStep, least, most = 1e-4, 1e-15, 1e15
	n := len(start)
	w, g := slices.Clone(start), make([]float64, n)
	value := f(w, g)
	out := &Result{W: w, Value: value, Gradient: largest(g)}
	seen := watch{Options: opt, best: value}
	r := make([]float64, n) // −g, the direction of descent
	floats.SubTo(r, r, g)
	p := slices.Clone(r)
	trial, gTrial := make([]float64, n), make([]float64, n)
	lambda, raised, delta := 1e-6, 0.0, 0.0
	success := true
	accepted, predicted := 0, 0.0
	if out.Gradient <= opt.Gradient {
		out.Converged = true
		return out, ctx.Err()
	}
	for ; out.Steps < opt.Steps; out.Steps++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if floats.Dot(p, r) <= 0 {
			copy(p, r)
			success = true
		}
		length := floats.Dot(p, p)
		if success {
			sigma := firstStep / math.Sqrt(length)
			floats.AddScaledTo(trial, w, sigma, p)
			if math.IsInf(f(trial, gTrial), 0) {
				copy(gTrial, g) // the curvature is unknown and counts as 0; lambda limits the step
			}
			delta = (floats.Dot(p, gTrial) - floats.Dot(p, g)) / sigma
		}
		delta += (lambda - raised) * length
		if delta <= 0 {
			raised = 2 * (lambda - delta/length)
			delta = -delta + lambda*length
			lambda = raised
		}
		mu := floats.Dot(p, r)
		alpha := mu / delta
		floats.AddScaledTo(trial, w, alpha, p)
		predicted = mu * alpha / 2
		next := f(trial, nil)
		gain := 2 * delta * (value - next) / (mu * mu)
		if math.IsNaN(gain) || math.IsInf(next, 0) || math.IsInf(gain, 0) {
			gain = -1
		}
		done := false
		if success = gain >= 0; success {
			f(trial, gTrial)
			copy(w, trial)
			copy(g, gTrial)
			value, raised = next, 0
			accepted++
			across := -floats.Dot(g, r) // product of the new r and the old r
			floats.ScaleTo(r, -1, g)
			if accepted%n == 0 {
				copy(p, r)
			} else {
				beta := (floats.Dot(r, r) - across) / mu
				floats.AddScaledTo(p, r, beta, p)
			}
			if gain >= 0.75 {
				lambda /= 4
			}
			out.Value, out.Gradient = value, largest(g)
			done = seen.accept(value, out.Gradient)
		} else {
			raised = lambda
		}
		if gain < 0.25 {
			lambda += delta * (1 - gain) / length
		}
		lambda = min(max(lambda, least), most)
		if done {
			out.Steps++
			out.Converged = true
			break
		}
		if lambda == most {
			break // steps are too small
		}
	}
	out.Limited = !out.Converged && out.Steps == opt.Steps
	out.Blocked = out.Limited && accepted == 0 && predicted > opt.Change*max(1, math.Abs(value))
	return out, ctx.Err()
}
