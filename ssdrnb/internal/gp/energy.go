package gp

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// at returns the weight at the distance r and its derivative with respect to r.
func (w Weight) at(r float64) (value, slope float64) {
	switch w {
	case Falling:
		up, down := Sigmoids(r)
		return 2 * down, -2 * up * down
	case Constant:
		return 1, 0
	}
	up, down := Sigmoids(r)
	return up, up * down
}

// Sigmoids returns σ(t) = 1/(1 + e^{−t}) and σ(−t) = 1 − σ(t), for t ≥ 0.
func Sigmoids(t float64) (up, down float64) {
	e := math.Exp(-t)
	return 1 / (1 + e), e / (1 + e)
}

// Weights returns the weight matrix W (n×n) at the positions x. For a pair with an energy, W_ij is
// S_ij·w(r_ij), where S_ij is the factor S of the pair (see [Form]), w the weight function and r_ij
// the distance. All other entries are 0.
func (p *Prior) Weights(x *mat.Dense) *mat.SymDense {
	w := mat.NewSymDense(p.n, nil)
	p.each(func(i, j int, s float64) {
		v, _ := p.Weight.at(math.Sqrt(samples.SquaredDistance(x.RawRowView(i), x.RawRowView(j))))
		w.SetSym(i, j, s*v)
	})
	return w
}

// Freeze fixes the weights W at their values at x until [Prior.Thaw] is called. It has no effect on
// the energies of the forms [Mixed] and [Margin], which do not use W.
func (p *Prior) Freeze(x *mat.Dense) {
	p.frozen = p.frozen[:0]
	p.each(func(i, j int, s float64) {
		v, _ := p.Weight.at(math.Sqrt(samples.SquaredDistance(x.RawRowView(i), x.RawRowView(j))))
		p.frozen = append(p.frozen, v)
	})
}

// Thaw lets the weights follow the positions again.
func (p *Prior) Thaw() { p.frozen = nil }

// touching is the distance below which the direction between two positions counts as undefined. The
// gradient term of such a pair is set to zero.
const touching = 1e-12

// Energy returns the energy E at x and ∂E/∂ln γ for the parameter γ of the kernel; E depends on γ
// only with the gauge [ByGamma]. Unless gx is nil, Energy sets gx to ∂E/∂X. If all positions
// coincide, E is +Inf for [Scaled], and for [Mixed] and [Margin] with the gauge [BySpread].
func (p *Prior) Energy(x *mat.Dense, gamma float64, gx *mat.Dense) (energy, gGamma float64) {
	if gx != nil {
		gx.Zero()
	}
	n, d := x.Dims()
	nd := float64(n * d)
	variance := 0.0
	if p.Form == Scaled || p.Form.bounded() && p.Gauge == BySpread {
		if variance = spread(x); variance == 0 {
			return math.Inf(1), 0
		}
	}
	unit := 1.0
	switch {
	case p.Form.bounded() && p.Gauge == BySpread:
		unit = math.Sqrt(variance / nd)
	case p.Form.bounded() && p.Gauge == ByGamma:
		unit = 1 / math.Sqrt(gamma)
	}
	stretch, at := 0.0, 0 // stretch is Σ e′ρ, the derivative with respect to ln(1/unit)
	p.each(func(i, j int, s float64) {
		a, b := x.RawRowView(i), x.RawRowView(j)
		r := math.Sqrt(samples.SquaredDistance(a, b))
		if p.Form.bounded() {
			e, slope := p.pair(s, r/unit)
			energy += e
			stretch += slope * r / unit
			if gx != nil && r >= touching {
				push(a, b, gx.RawRowView(i), gx.RawRowView(j), slope/(r*unit))
			}
			return
		}
		w, slope := p.Weight.at(r)
		if p.frozen != nil {
			w, slope = p.frozen[at], 0
			at++
		}
		energy += p.literal(a, b, r, s*w, s*slope, gx, i, j)
	})
	switch {
	case p.Form == Scaled:
		first := energy
		energy *= nd / variance
		if gx != nil {
			gx.Scale(nd/variance, gx)
			addCentred(gx, x, -2*nd*first/(variance*variance))
		}
	case p.Form.bounded() && p.Gauge == BySpread && gx != nil:
		addCentred(gx, x, -stretch/variance)
	case p.Form.bounded() && p.Gauge == ByGamma:
		gGamma = stretch / 2
	}
	return energy, gGamma
}

// pair returns the energy e(ρ) of a pair with the factor S = s in the forms Mixed and Margin, and
// its derivative with respect to ρ.
func (p *Prior) pair(s, rho float64) (e, slope float64) {
	if p.Form == Margin {
		if s > 0 {
			return s * rho * rho, 2 * s * rho
		}
		gap := max(0, p.Margin-rho)
		return -s * gap * gap, 2 * s * gap
	}
	up, down := Sigmoids(rho)
	if s > 0 {
		return s * up * rho * rho, s * (up*down*rho*rho + 2*rho*up)
	}
	return 2 * s * down * rho * rho, 2 * s * (2*rho*down - up*down*rho*rho)
}

// literal returns the energy of a pair in a form other than Mixed and Margin, and adds the gradient
// of this energy to gx, unless gx is nil. w is the entry of W, and slope is its derivative with
// respect to the distance r. a and b are the positions of i and j.
func (p *Prior) literal(a, b []float64, r, w, slope float64, gx *mat.Dense, i, j int) (energy float64) {
	inner := 0.0
	for k, v := range a {
		inner += v * b[k]
	}
	sign, along := 1.0, 0.0 // along is the factor of a − b in the gradient
	switch p.Form {
	case Distance:
		energy = 2 * w * r
		if r >= touching {
			along = 2*w/r + 2*slope
		}
	case Trace, Trace15:
		if p.Form == Trace15 {
			sign = -1
		}
		energy = sign * 2 * w * inner
		if r >= touching {
			along = sign * 2 * slope * inner / r
		}
	default:
		energy = w * r * r
		along = 2*w + slope*r
	}
	if gx == nil {
		return energy
	}
	ga, gb := gx.RawRowView(i), gx.RawRowView(j)
	push(a, b, ga, gb, along)
	if p.Form == Trace || p.Form == Trace15 {
		for k := range a {
			ga[k] += sign * 2 * w * b[k]
			gb[k] += sign * 2 * w * a[k]
		}
	}
	return energy
}

// push adds c(a − b) to ga and subtracts it from gb.
func push(a, b, ga, gb []float64, c float64) {
	for k, v := range a {
		f := c * (v - b[k])
		ga[k] += f
		gb[k] -= f
	}
}

// addCentred adds c·HX to g, where H subtracts the mean.
func addCentred(g, x *mat.Dense, c float64) {
	mean := samples.Means(x)
	n, _ := x.Dims()
	for i := range n {
		row, v := g.RawRowView(i), x.RawRowView(i)
		for k, m := range mean {
			row[k] += c * (v[k] - m)
		}
	}
}
