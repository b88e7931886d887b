package embed

import (
	"fmt"
	"math"
)

// tail is the exponent α of t-SNE's similarities v = (1 + d²/α)^−α. It is the number of degrees of
// freedom, 1 by default (Kobak et al. 2019). It is rounded to 20 binary places, so that powers can
// be computed from products and square roots alone, which are bitwise equal on every processor.
//
// If positions are divided by √α, v is a power of 1/(1 + d²). The gradient then has the same form
// as for α = 1, with v/(1 + d²) in place of v² and without a constant factor.
type tail struct {
	whole int
	part  uint32 // in units of 2⁻²⁰
}

const tailPlaces = 20

// LeastDegrees and MostDegrees limit the degrees of freedom of t-SNE. Below LeastDegrees, a layout
// grows beyond the resolution of the grid. Above MostDegrees, clusters are crowded together.
const LeastDegrees, MostDegrees = 0.2, 100.0

// CheckDegrees returns an error for degrees of freedom outside [LeastDegrees, MostDegrees].
func CheckDegrees(dof float64) error {
	if !(dof >= LeastDegrees && dof <= MostDegrees) {
		return fmt.Errorf("%w: %v degrees of freedom; they must lie between %v and %v", ErrOption, dof, LeastDegrees, MostDegrees)
	}
	return nil
}

// newTail returns the exponent nearest to dof > 0.
func newTail(dof float64) tail {
	v := int(math.Round(math.Ldexp(dof, tailPlaces)))
	return tail{v >> tailPlaces, uint32(v & (1<<tailPlaces - 1))}
}

// value returns α.
func (t tail) value() float64 { return float64(t.whole) + math.Ldexp(float64(t.part), -tailPlaces) }

func (t tail) plain() bool { return t == tail{whole: 1} }

// power returns v^α for v ≥ 0.
func (t tail) power(v float64) float64 {
	out := 1.0
	for range t.whole {
		out *= v
	}
	for rest := t.part << (32 - tailPlaces); rest != 0; rest <<= 1 {
		v = math.Sqrt(v)
		if rest >= 1<<31 {
			out *= v
		}
	}
	return out
}

// similar returns v = (1 + s)^−α and dv/ds. s is the squared distance between two positions that
// have been divided by √α.
func (t tail) similar(s float64) (value, slope float64) {
	u := 1 / (1 + s)
	value = t.power(u)
	return value, -t.value() * value * u
}
