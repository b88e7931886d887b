package gp

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Form says how the energy of a pair depends on its latent distance r. With
// σ(t) = 1/(1 + e^{−t}), ρ = r/s and S = ±1 on constraints:
type Form string

// The forms. Mixed and Margin don't change with the scale of the latent space and
// are bounded. The others follow the paper's equations literally or nearly; once
// there is a cannot-link all but Scaled are unbounded, so that the posterior has no
// maximum.
const (
	// Mixed is Sσ(ρ)ρ² on must-links and −2|S|σ(−ρ)ρ² on cannot-links: eq. 6's
	// weight for the first, and for the second the weight that the paper's text
	// describes, large when near.
	Mixed Form = "mixed"
	// Margin is Sρ² on must-links and |S|max(0, m − ρ)² on cannot-links.
	Margin Form = "margin"
	// LaplacianForm is Σ_{i<j}W_ij·r² = tr(XᵀLX), the right reading of eq. 8.
	LaplacianForm Form = "laplacian"
	// Scaled divides that by the mean latent variance.
	Scaled Form = "scaled"
	// Distance is Σ_ij W_ij·r over both orders of a pair, eq. 7.
	Distance Form = "distance"
	// Trace is tr(XᵀWX), eq. 8 and 14 as printed.
	Trace Form = "trace"
	// Trace15 is −tr(XᵀWX), the sign of eq. 15.
	Trace15 Form = "trace-15"
)

// Forms lists the forms.
var Forms = []Form{Mixed, Margin, LaplacianForm, Scaled, Distance, Trace, Trace15}

// bounded reports whether the form is one function with an exact gradient; the
// others hold their weights fixed during a step, as the paper's Table 1 does.
func (f Form) bounded() bool { return f == Mixed || f == Margin }

// Weight says how W_ij depends on r, in the forms that have a W.
type Weight string

// The weights.
const (
	// Logistic is σ(r) of eq. 6; it grows with the distance.
	Logistic Weight = "logistic"
	// Falling is 2σ(−r), what the paper's text describes.
	Falling Weight = "falling"
	// Constant is 1.
	Constant Weight = "constant"
)

// Gauge says what unit s latent distances have in the bounded forms.
type Gauge string

// The gauges.
const (
	// BySpread is s² = tr(XᵀHX)/(nd), the mean latent variance.
	BySpread Gauge = "spread"
	// ByGamma is s² = 1/γ, the kernel's length scale.
	ByGamma Gauge = "gamma"
	// Ungauged is s = 1.
	Ungauged Gauge = "none"
)

// Variant says which pairs have an energy.
type Variant string

// The variants of the paper, eq. 18–20.
const (
	// MustOnly (SSGP-LVM-M) leaves cannot-links out.
	MustOnly Variant = "M"
	// Both (SSGP-LVM-CM) takes must-links and cannot-links.
	Both Variant = "CM"
	// Background (SSGP-LVM-CMU) gives every other pair 1/n² on top.
	Background Variant = "CMU"
)

// Prior is the energy of latent positions under pair constraints: the prior is
// exp(−λE) up to a constant. The zero values of the choices stand for Mixed,
// Logistic, BySpread and Both.
type Prior struct {
	Variant Variant
	Form    Form
	Weight  Weight
	Gauge   Gauge
	// Margin is m of the form Margin, in units of s.
	Margin float64

	n      int
	links  []link    // constraints in order of (i, j), i < j
	frozen []float64 // weights by pair, in the order of each; nil where they follow X
}

type link struct {
	i, j int
	s    float64
}

// WithPairs returns the prior of n samples under the given constraints; a pair that
// is repeated counts once.
func (p Prior) WithPairs(n int, pairs data.Pairs) (*Prior, error) {
	if err := pairs.Check(n); err != nil {
		return nil, err
	}
	p.Variant, p.Form = orDefault(p.Variant, Both), orDefault(p.Form, Mixed)
	p.Weight, p.Gauge = orDefault(p.Weight, Logistic), orDefault(p.Gauge, BySpread)
	if p.Margin == 0 {
		p.Margin = 2
	}
	for _, ok := range []struct {
		name  string
		known bool
	}{
		{"variant " + string(p.Variant), slices.Contains([]Variant{MustOnly, Both, Background}, p.Variant)},
		{"form " + string(p.Form), slices.Contains(Forms, p.Form)},
		{"weight " + string(p.Weight), slices.Contains([]Weight{Logistic, Falling, Constant}, p.Weight)},
		{"gauge " + string(p.Gauge), slices.Contains([]Gauge{BySpread, ByGamma, Ungauged}, p.Gauge)},
		{fmt.Sprintf("margin %v", p.Margin), p.Margin > 0},
	} {
		if !ok.known {
			return nil, fmt.Errorf("%w: %s", ErrOption, ok.name)
		}
	}
	p.n, p.links = n, nil
	add := func(list []data.Pair, s float64) {
		for _, q := range list {
			p.links = append(p.links, link{min(q.I, q.J), max(q.I, q.J), s})
		}
	}
	add(pairs.Must, 1)
	if p.Variant != MustOnly {
		add(pairs.Cannot, -1)
	}
	slices.SortFunc(p.links, func(a, b link) int {
		if a.i != b.i {
			return a.i - b.i
		}
		return a.j - b.j
	})
	p.links = slices.Compact(p.links)
	return &p, nil
}

func orDefault[T ~string](v, def T) T {
	if v == "" {
		return def
	}
	return v
}

// Active returns the number of pairs with an energy.
func (p *Prior) Active() int {
	if p == nil {
		return 0
	}
	if p.Variant == Background {
		return p.n * (p.n - 1) / 2
	}
	return len(p.links)
}

// each calls f for every pair with an energy, in order.
func (p *Prior) each(f func(i, j int, s float64)) {
	if p.Variant != Background {
		for _, l := range p.links {
			f(l.i, l.j, l.s)
		}
		return
	}
	rest, next := 1/float64(p.n*p.n), 0
	for i := range p.n {
		for j := i + 1; j < p.n; j++ {
			if next < len(p.links) && p.links[next].i == i && p.links[next].j == j {
				f(i, j, p.links[next].s)
				next++
			} else {
				f(i, j, rest)
			}
		}
	}
}

// Sigmoid returns σ(t) = 1/(1 + e^{−t}) for any t. 1 − σ(t) is Sigmoid(−t).
func Sigmoid(t float64) float64 {
	if t >= 0 {
		return 1 / (1 + math.Exp(-t))
	}
	e := math.Exp(t)
	return e / (1 + e)
}

// at returns the weight at the distance r and its derivative.
func (w Weight) at(r float64) (value, slope float64) {
	switch w {
	case Falling:
		return 2 * Sigmoid(-r), -2 * Sigmoid(r) * Sigmoid(-r)
	case Constant:
		return 1, 0
	}
	return Sigmoid(r), Sigmoid(r) * Sigmoid(-r)
}

// Weights returns W at x: S∘w(r), with a zero diagonal.
func (p *Prior) Weights(x *mat.Dense) *mat.SymDense {
	w := mat.NewSymDense(p.n, nil)
	p.each(func(i, j int, s float64) {
		v, _ := p.Weight.at(math.Sqrt(squared(x.RawRowView(i), x.RawRowView(j))))
		w.SetSym(i, j, s*v)
	})
	return w
}

// Freeze holds the weights of the literal forms at their values at x until Thaw.
func (p *Prior) Freeze(x *mat.Dense) {
	p.frozen = p.frozen[:0]
	p.each(func(i, j int, s float64) {
		v, _ := p.Weight.at(math.Sqrt(squared(x.RawRowView(i), x.RawRowView(j))))
		p.frozen = append(p.frozen, v)
	})
}

// Thaw lets the weights follow the positions again.
func (p *Prior) Thaw() { p.frozen = nil }

// touching is the distance below which the direction from one position to another
// is undefined, and its part of a gradient zero.
const touching = 1e-12

// Energy returns E at x with the kernel's γ, which the gauge ByGamma reads, and
// unless gx is nil writes ∂E/∂X into gx and returns ∂E/∂ln γ. Where the gauge is
// BySpread and all positions coincide E is +Inf.
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
	stretch, at := 0.0, 0 // stretch is Σ e′ρ, the derivative along the scale
	p.each(func(i, j int, s float64) {
		a, b := x.RawRowView(i), x.RawRowView(j)
		r := math.Sqrt(squared(a, b))
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

// pair returns the energy of a bounded form and its derivative in ρ.
func (p *Prior) pair(s, rho float64) (e, slope float64) {
	if p.Form == Margin {
		if s > 0 {
			return s * rho * rho, 2 * s * rho
		}
		gap := max(0, p.Margin-rho)
		return -s * gap * gap, 2 * s * gap
	}
	up, down := Sigmoid(rho), Sigmoid(-rho)
	if s > 0 {
		return s * up * rho * rho, s * (up*down*rho*rho + 2*rho*up)
	}
	return 2 * s * down * rho * rho, 2 * s * (2*rho*down - up*down*rho*rho)
}

// literal returns the energy of a pair under the forms with a W, of which w and
// slope are the value and the derivative in r, and adds its gradient.
func (p *Prior) literal(a, b []float64, r, w, slope float64, gx *mat.Dense, i, j int) (energy float64) {
	inner := 0.0
	for k, v := range a {
		inner += v * b[k]
	}
	sign, along := 1.0, 0.0 // along multiplies (a − b)
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

// addCentred adds c·HX to g.
func addCentred(g, x *mat.Dense, c float64) {
	mean := means(x)
	n, _ := x.Dims()
	for i := range n {
		row, v := g.RawRowView(i), x.RawRowView(i)
		for k, m := range mean {
			row[k] += c * (v[k] - m)
		}
	}
}
