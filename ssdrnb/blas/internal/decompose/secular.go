package decompose

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// poles holds the ascending, distinct poles p_i of a secular equation. If squared is set, it holds
// their square roots d_i instead; differences of squares are then computed as products, which lose
// no digits.
type poles struct {
	values  []float64
	squared bool
}

// difference returns p_i − p_j.
func (p poles) difference(i, j int) float64 {
	d := p.values[i] - p.values[j]
	if p.squared {
		d *= p.values[i] + p.values[j]
	}
	return d
}

// shifted returns p_i + mu, or the square root of this sum if the poles are squared.
func (p poles) shifted(i int, mu float64) float64 {
	if p.squared {
		return math.Sqrt(max(0, p.values[i]*p.values[i]+mu))
	}
	return p.values[i] + mu
}

// secular computes the eigenvalues of diag(p) + rho·z·zᵀ, where no entry of z is 0 and rho > 0.
// They are the roots of
//
//	f(λ) = 1/rho + Σ z_i²/(p_i − λ),
//
// one to the right of each pole. secular stores them in `roots`, or their square roots if the poles
// are squared. It sets row j of the k×k matrix s to the differences p_i − λ_j. A root is
// computed as its distance from the nearest pole, so that the differences are accurate to rounding
// even if they are tiny.
func secular(p poles, z []float64, rho float64, roots, s []float64) {
	k := len(z)
	par.Blocks(k, 32, func(lo, hi int) {
		base := make([]float64, k)
		for j := lo; j < hi; j++ {
			q := &equation{poles: p, z: z, inverse: 1 / rho, base: base, delta: s[j*k : (j+1)*k]}
			roots[j] = q.root(j)
		}
	})
}

// nearby returns a vector close to z for which the rounded roots are exact (Gu, Eisenstat 1995,
// eq. 3.3). Eigenvectors computed from it are exact for a nearby matrix, and therefore orthogonal up
// to rounding. s is the result of secular.
func nearby(p poles, z, s []float64) []float64 {
	k := len(z)
	exact := make([]float64, k)
	par.Blocks(k, 64, func(lo, hi int) {
		w := exact[lo:hi]
		for i := range w {
			w[i] = 1
		}
		for j := range k {
			row := s[j*k : (j+1)*k]
			for i := lo; i < hi; i++ {
				if i == j {
					w[i-lo] *= row[i]
				} else {
					w[i-lo] *= row[i] / p.difference(i, j)
				}
			}
		}
		for i := range w {
			w[i] = math.Copysign(math.Sqrt(max(0, -w[i])), z[lo+i])
		}
	})
	return exact
}

// secularVectors overwrites rows start to end-1 of s, the result of secular. Row j becomes the unit
// eigenvector for root j. z is the result of nearby. Entry i of a vector is stored in column
// place[i].
func secularVectors(z, s []float64, place []int, start, end int) {
	k := len(z)
	par.Blocks(end-start, 32, func(lo, hi int) {
		vector := make([]float64, k)
		for j := start + lo; j < start+hi; j++ {
			row := s[j*k : (j+1)*k]
			norm := 0.0
			for i, w := range z {
				v := w / row[i]
				vector[i] = v
				norm += v * v
			}
			norm = 1 / math.Sqrt(norm)
			for i, v := range vector {
				row[place[i]] = v * norm
			}
		}
	})
}

// equation is the secular equation as a function of the distance mu from a pole.
type equation struct {
	poles   poles
	z       []float64
	inverse float64   // 1/rho
	base    []float64 // poles minus the reference pole of mu
	delta   []float64 // base minus mu in the last evaluation
}

// setReference sets the reference pole of mu.
func (q *equation) setReference(pole int) {
	for i := range q.base {
		q.base[i] = q.poles.difference(i, pole)
	}
}

// value is the result of an evaluation of f.
type value struct {
	f           float64
	left, right float64 // slopes of the terms up to the pole at split, and of the terms beyond
	noise       float64 // bound on the rounding error of f, in units of eps
}

// at evaluates f at the distance mu and sets delta. The terms up to index split form the left part.
func (q *equation) at(mu float64, split int) value {
	delta, z := q.delta[:len(q.base)], q.z[:len(q.base)]
	var psi, phi, left, right, noise float64
	for i, p := range q.base[:split+1] {
		d := p - mu
		delta[i] = d
		t := z[i] / d
		psi += z[i] * t
		left += t * t
		noise += math.Abs(psi)
	}
	for i := len(q.base) - 1; i > split; i-- {
		d := q.base[i] - mu
		delta[i] = d
		t := z[i] / d
		phi += z[i] * t
		right += t * t
		noise += math.Abs(phi)
	}
	return value{f: q.inverse + psi + phi, left: left, right: right,
		noise: noise + 8*(math.Abs(psi)+math.Abs(phi)) + q.inverse + math.Abs(mu)*(left+right)}
}

// maxSteps is the largest number of steps in the search for a root. Three or four are usual.
const maxSteps = 150

// root returns the j-th root and stores its distances from the poles in delta.
func (q *equation) root(j int) float64 {
	k := len(q.z)
	if k == 1 {
		shift := q.z[0] * q.z[0] / q.inverse
		q.delta[0] = -shift
		return q.poles.shifted(0, shift)
	}
	// The root lies between lo and hi, measured from the nearest pole.
	pole, split, lo, hi := j, j, 0.0, 0.0
	var mu float64
	last := j == k-1
	if last {
		split = k - 2
		for _, v := range q.z {
			hi += v * v
		}
		hi /= q.inverse
		hi += 4 * eps * hi
		mu = hi / 2
		q.setReference(pole)
	} else {
		pole, lo, hi, mu = q.nearest(j)
	}
	for step := range maxSteps {
		v := q.at(mu, split)
		if math.Abs(v.f) <= eps*v.noise {
			break
		}
		if v.f > 0 {
			hi = mu
		} else {
			lo = mu
		}
		next := math.NaN()
		if step < maxSteps/3 { // later steps bisect
			next = mu + rational(q.delta[split], q.delta[split+1], v, last)
		}
		if !(next > lo && next < hi) {
			next = lo + (hi-lo)/2
		}
		if next == mu || next <= lo || next >= hi {
			break // lo and hi are adjacent numbers
		}
		mu = next
	}
	return q.poles.shifted(pole, mu)
}

// nearest returns the pole nearest to the root between poles j and j+1, bounds lo and hi on the
// distance of the root from this pole, and mu, an initial value of the distance.
func (q *equation) nearest(j int) (pole int, lo, hi, mu float64) {
	gap := q.poles.difference(j+1, j)
	q.setReference(j)
	mid := q.at(gap/2, j)
	a, b := q.z[j]*q.z[j], q.z[j+1]*q.z[j+1]
	// Approximate the other terms by their value c in the middle: c + a/(d_j − λ) + b/(d_{j+1} − λ)
	// = 0.
	c := mid.f - a/q.delta[j] - b/q.delta[j+1]
	if mid.f > 0 {
		lo, hi = 0, gap/2
		p := c*gap + a + b
		root := math.Sqrt(math.Abs(p*p - 4*a*gap*c))
		if p > 0 {
			mu = 2 * a * gap / (p + root)
		} else {
			mu = (p - root) / (2 * c)
		}
		pole = j
	} else {
		lo, hi = -gap/2, 0
		p := c*gap - a - b
		root := math.Sqrt(math.Abs(p*p + 4*b*gap*c))
		if p < 0 {
			mu = 2 * b * gap / (p - root)
		} else {
			mu = -(p + root) / (2 * c)
		}
		pole = j + 1
		q.setReference(pole)
	}
	if !(mu > lo && mu < hi) {
		mu = lo + (hi-lo)/2
	}
	return pole, lo, hi, mu
}

// rational returns the step to the root of a rational function with two poles at distances a < b
// from the current point. At this point, the function has the same value and the same two slopes as
// f (the middle way of R.-C. Li 1993). The root is the one between the poles, or, for the last
// eigenvalue, the one beyond both.
func rational(a, b float64, v value, last bool) float64 {
	c := v.f - a*v.left - b*v.right
	p := (a+b)*v.f - a*b*(v.left+v.right)
	q := a * b * v.f
	root := math.Sqrt(math.Abs(p*p - 4*q*c))
	if last {
		if p >= 0 {
			return (p + root) / (2 * c)
		}
		return 2 * q / (p - root)
	}
	if p <= 0 {
		return (p - root) / (2 * c)
	}
	return 2 * q / (p + root)
}
