package embed

import (
	"fmt"
	"math"
)

// Curve is the similarity 1/(1 + A·d^(2B)) of two positions as a function of their distance d.
type Curve struct{ A, B float64 }

// FitCurve returns the curve that fits a target similarity best in the least-squares sense at 300
// points of [0, 3·spread]. The target is 1 up to the distance minDist and exp(−(d −
// minDist)/spread) beyond. A and B are UMAP's parameters a and b. The error wraps [ErrOption]
// unless 0 ≤ minDist ≤ spread and spread is positive and finite.
func FitCurve(minDist, spread float64) (Curve, error) {
	if !(spread > 0) || math.IsInf(spread, 1) {
		return Curve{}, fmt.Errorf("%w: spread = %v; it must be positive and finite", ErrOption, spread)
	}
	if !(minDist >= 0 && minDist <= spread) {
		return Curve{}, fmt.Errorf("%w: minimum distance = %v; it must lie between 0 and the spread %v", ErrOption, minDist, spread)
	}
	// The fit uses distances in units of the spread; in the end, A is multiplied by spread^(−2b).
	// The Levenberg–Marquardt method optimises the logarithms of a and b, which keeps both
	// positive.
	const points = 300
	var x, want [points]float64
	for i := range x {
		x[i] = 3 * float64(i) / (points - 1)
		want[i] = min(1, math.Exp(minDist/spread-x[i]))
	}
	// normal returns the sum of squared errors f, half its gradient g = Jᵀr, and in h the entries
	// (0, 0), (0, 1) and (1, 1) of the Gauss–Newton matrix JᵀJ.
	normal := func(p [2]float64) (f float64, g [2]float64, h [3]float64) {
		a, b := math.Exp(p[0]), math.Exp(p[1])
		for i, x := range x {
			if x == 0 {
				continue // the curve and the target are both 1 at distance 0
			}
			t := a * math.Pow(x, 2*b)
			v := 1 / (1 + t)
			r := v - want[i]
			da := -v * v * t
			db := da * 2 * b * math.Log(x)
			f += r * r
			g[0] += r * da
			g[1] += r * db
			h[0] += da * da
			h[1] += da * db
			h[2] += db * db
		}
		return f, g, h
	}
	p, damping := [2]float64{}, 1e-3
	f, g, h := normal(p)
	for range 200 {
		h0, h2 := h[0]*(1+damping), h[2]*(1+damping)
		det := h0*h2 - h[1]*h[1]
		step := [2]float64{(h2*g[0] - h[1]*g[1]) / det, (h0*g[1] - h[1]*g[0]) / det}
		q := [2]float64{p[0] - step[0], p[1] - step[1]}
		next, ng, nh := normal(q)
		// An increase within rounding error is accepted. Otherwise the iteration would stop too
		// early, and half of the digits of a and b would depend on rounding, which differs between
		// processors.
		if !(next <= f*(1+1e-12)) {
			if damping *= 4; damping > 1e12 {
				break
			}
			continue
		}
		p, f, g, h = q, next, ng, nh
		damping /= 4
		if math.Hypot(step[0], step[1]) < 1e-15 {
			break
		}
	}
	b := math.Exp(p[1])
	return Curve{A: math.Exp(p[0]) * math.Pow(spread, -2*b), B: b}, nil
}

func (c Curve) check() error {
	if !(c.A > 0 && c.B > 0) || math.IsInf(c.A, 1) || math.IsInf(c.B, 1) {
		return fmt.Errorf("%w: curve %+v; A and B must be positive and finite", ErrOption, c)
	}
	return nil
}

// attraction returns 2·dlog(v)/ds at the squared distance s, where v is the similarity. In the
// gradient of log v, it multiplies the difference of the two positions.
func (c Curve) attraction(s float64) float64 {
	return -2 * c.A * c.B * math.Pow(s, c.B-1) / (1 + c.A*math.Pow(s, c.B))
}

// repulsion returns 2·dlog(1 − v)/ds at the squared distance s. `near` is added to s in the
// denominator, so that the result is finite at s = 0.
func (c Curve) repulsion(s, near float64) float64 {
	return 2 * c.B / ((near + s) * (1 + c.A*math.Pow(s, c.B)))
}

// similarity returns v at the squared distance s, and slope returns dv/ds.
func (c Curve) similarity(s float64) float64 { return 1 / (1 + c.A*math.Pow(s, c.B)) }

func (c Curve) slope(s float64) float64 {
	v := c.similarity(s)
	return -c.A * c.B * math.Pow(s, c.B-1) * v * v
}
