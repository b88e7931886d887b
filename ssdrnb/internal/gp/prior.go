package gp

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Form is the energy of a pair as a function of its latent distance r and, in Trace and Trace15, of
// the inner product of its positions. The formulas use σ(t) = 1/(1 + e^{−t}), ρ = r/s for the unit
// s of the [Gauge], and the factor S of the pair: +1 for must-links, −1 for cannot-links, and 1/n²
// for other pairs (see [Background]). W_ij is S times the [Weight].
type Form string

// The forms. Mixed and Margin are bounded below and, unless [Ungauged], do not depend on the scale
// of the latent space. The others follow the equations of the paper literally or nearly so. Suppose
// that the weights do not fall with the distance, or are fixed as under [Alternate]. LaplacianForm
// and Distance are then unbounded below if there is a cannot-link, and Trace and Trace15 are if
// there is any pair. If the energy is unbounded, the posterior has no maximum.
const (
	// Mixed is Sσ(ρ)ρ² for must-links and −2|S|σ(−ρ)ρ² for cannot-links. The must-link weight is
	// that of eq. 6. The cannot-link weight is the one that the paper's text describes, which is
	// large for near pairs.
	Mixed Form = "mixed"
	// Margin is Sρ² for must-links and |S|max(0, m − ρ)² for cannot-links.
	Margin Form = "margin"
	// LaplacianForm is Σ_{i<j}W_ij·r² = tr(XᵀLX), the correct reading of eq. 8.
	LaplacianForm Form = "laplacian"
	// Scaled is LaplacianForm divided by the mean latent variance.
	Scaled Form = "scaled"
	// Distance is Σ_ij W_ij·r, a sum over both orders (i, j) and (j, i) of each pair (eq. 7).
	Distance Form = "distance"
	// Trace is tr(XᵀWX), as printed in eq. 8 and 14.
	Trace Form = "trace"
	// Trace15 is −tr(XᵀWX), the sign of eq. 15.
	Trace15 Form = "trace-15"
)

var forms = []Form{Mixed, Margin, LaplacianForm, Scaled, Distance, Trace, Trace15}

// bounded reports whether the form is Mixed or Margin, whose energies have a lower bound. In the
// other forms, [Alternate] keeps the weights fixed while it moves the positions, as in Table 1 of
// the paper.
func (f Form) bounded() bool { return f == Mixed || f == Margin }

// Weight is a function of the latent distance r. The weight W_ij of a pair is this function times
// the factor S of the pair; see [Form]. Mixed and Margin do not use it.
type Weight string

// The weight functions.
const (
	// Logistic is σ(r) of eq. 6; it grows with the distance.
	Logistic Weight = "logistic"
	// Falling is 2σ(−r), which falls with the distance, as described in the text of the paper.
	Falling Weight = "falling"
	// Constant is 1.
	Constant Weight = "constant"
)

// Gauge is the unit s of latent distances in the forms Mixed and Margin.
type Gauge string

// The gauges.
const (
	// BySpread is s² = tr(XᵀHX)/(nd), the mean latent variance, where H subtracts the mean.
	BySpread Gauge = "spread"
	// ByGamma is s² = 1/γ, the squared length scale of the kernel.
	ByGamma Gauge = "gamma"
	// Ungauged is s = 1.
	Ungauged Gauge = "none"
)

// Variant determines which pairs have an energy.
type Variant string

// The variants of the paper, eq. 18–20.
const (
	// MustOnly (SSGP-LVM-M) ignores cannot-links.
	MustOnly Variant = "M"
	// Both (SSGP-LVM-CM) uses must-links and cannot-links.
	Both Variant = "CM"
	// Background (SSGP-LVM-CMU) also gives every other pair an energy, with the factor S = 1/n². A
	// sample forms no pair with itself: W_ii is 0, although eq. 20 also gives it this factor. The
	// difference affects only Trace and Trace15.
	Background Variant = "CMU"
)

// Prior is the energy of latent positions under pair constraints. The prior density is exp(−λE) up
// to a constant. Zero values select Mixed, Logistic, BySpread and Both.
type Prior struct {
	Variant Variant
	Form    Form
	Weight  Weight
	Gauge   Gauge
	// Margin is the margin m of the form Margin, in units of s; 0 means 2.
	Margin float64

	n      int
	links  []link    // constraints sorted by (i, j), i < j
	frozen []float64 // weights of the pairs, in the order of Prior.each; nil if they depend on X
}

type link struct {
	i, j int
	s    float64
}

// WithPairs returns the prior of n samples under the given constraints. Repeated pairs count once.
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
		{"form " + string(p.Form), slices.Contains(forms, p.Form)},
		{"weight " + string(p.Weight), slices.Contains([]Weight{Logistic, Falling, Constant}, p.Weight)},
		{"gauge " + string(p.Gauge), slices.Contains([]Gauge{BySpread, ByGamma, Ungauged}, p.Gauge)},
		{fmt.Sprintf("margin %v", p.Margin), p.Margin > 0},
	} {
		if !ok.known {
			return nil, fmt.Errorf("%w: the prior does not support %s", ErrOption, ok.name)
		}
	}
	p.n, p.links = n, nil
	add := func(list []data.Pair, s float64) {
		for _, q := range list {
			q = q.Ordered()
			p.links = append(p.links, link{q.I, q.J, s})
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

// Unbounded reports whether the energy has no lower bound. In this case, the energy falls without
// limit as two positions move away from the origin in opposite directions or, in the trace forms,
// in the same direction. The argument "fixed" selects the energy with weights that do not follow
// the positions; see [Prior.Freeze].
func (p *Prior) Unbounded(fixed bool) bool {
	if p == nil || p.n < 2 {
		return false
	}
	attract, repel := p.Variant == Background, false
	for _, l := range p.links {
		attract, repel = attract || l.s > 0, repel || l.s < 0
	}
	grows := fixed || p.Weight != Falling // a falling weight vanishes if the pair moves apart
	switch p.Form {
	case LaplacianForm, Distance:
		return repel && grows
	case Trace:
		return repel || attract && grows
	case Trace15:
		return attract || repel && grows
	}
	return false
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

// each calls f for the pairs with an energy, in ascending order of (i, j), i < j. s is the factor
// S of the pair.
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
