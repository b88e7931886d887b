package blas

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// secular finds the eigenpairs of diag(poles) + rho·z·zᵀ, poles rising and
// distinct, no z zero, rho > 0: the roots of
//
//	f(λ) = 1 + rho·Σ z_i²/(poles_i − λ),
//
// one to the right of each pole, and the eigenvectors as the columns of the k×k
// matrix u. Each root is kept as its distance from the nearest pole, so that
// differences to poles lose no digits, and z is then computed anew from the roots
// (Gu, Eisenstat 1995): the vectors are those of a nearby matrix and orthogonal
// to rounding, however close the poles.
func secular(poles, z []float64, rho float64, roots, u []float64) {
	k := len(poles)
	par.Blocks(k, 16, func(lo, hi int) {
		delta := make([]float64, k)
		for j := lo; j < hi; j++ {
			roots[j] = root(poles, z, rho, j, delta)
			for i, v := range delta { // poles_i − λ_j
				u[i*k+j] = v
			}
		}
	})
	weights := make([]float64, k)
	par.Blocks(k, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := u[i*k : (i+1)*k]
			product := -row[i] // λ_i − poles_i
			for j := range k {
				if j != i {
					product *= row[j] / (poles[i] - poles[j])
				}
			}
			weights[i] = math.Copysign(math.Sqrt(math.Abs(product)), z[i])
		}
	})
	norms := make([]float64, k)
	for i := range k {
		row := u[i*k : (i+1)*k]
		for j := range row {
			row[j] = weights[i] / row[j]
			norms[j] += row[j] * row[j]
		}
	}
	for j, v := range norms {
		norms[j] = 1 / math.Sqrt(v)
	}
	for i := range k {
		row := u[i*k : (i+1)*k]
		for j := range row {
			row[j] *= norms[j]
		}
	}
}

// root returns the j-th root and writes poles_i − root to delta.
func root(poles, z []float64, rho float64, j int, delta []float64) float64 {
	k := len(poles)
	if k == 1 {
		shift := rho * z[0] * z[0]
		delta[0] = -shift
		return poles[0] + shift
	}
	// The interval of λ − origin.
	origin, lo, hi := j, 0.0, 0.0
	if j == k-1 {
		for _, v := range z {
			hi += rho * v * v
		}
	} else {
		gap := poles[j+1] - poles[j]
		if f, _, _, _ := evaluate(poles, z, rho, j, poles[j], gap/2, delta); f >= 0 {
			hi = gap / 2
		} else {
			origin, lo = j+1, -gap/2
		}
	}
	p := poles[origin]
	mu := lo + (hi-lo)/2
	for step := range 100 {
		f, left, right, size := evaluate(poles, z, rho, j, p, mu, delta)
		if f > 0 {
			hi = mu
		} else {
			lo = mu
		}
		if math.Abs(f) <= float64(k)*eps*size || hi-lo <= 2*eps*max(math.Abs(lo), math.Abs(hi)) {
			break
		}
		next := math.NaN()
		if step < 40 { // rational steps converge in a few; bisection is the net below
			next = mu + rational(delta, j, f, left, right)
		}
		if !(next > lo && next < hi) {
			next = lo + (hi-lo)/2
			if next == lo || next == hi {
				break
			}
		}
		mu = next
	}
	evaluate(poles, z, rho, j, p, mu, delta)
	return p + mu
}

// evaluate returns f at origin+mu, the derivatives of the sums over the poles up to
// j and beyond, and the sum of the magnitudes of all terms; delta gets poles − λ.
func evaluate(poles, z []float64, rho float64, j int, origin, mu float64, delta []float64) (f, left, right, size float64) {
	f, size = 1, 1
	for i, p := range poles {
		d := (p - origin) - mu
		delta[i] = d
		t := z[i] / d
		term := rho * z[i] * t
		slope := rho * t * t
		f += term
		size += math.Abs(term)
		if i <= j {
			left += slope
		} else {
			right += slope
		}
	}
	return f, left, right, size
}

// rational returns the step to the root of the function that has the poles next to
// the root, and the value and the slopes of f there (the middle way of LAPACK's
// solver). Beyond the last pole it has that pole alone.
func rational(delta []float64, j int, f, left, right float64) float64 {
	if j == len(delta)-1 {
		// f ≈ c + s/(d − η) with s = d²·f', c = f − s/d.
		d := delta[j]
		s := d * d * left
		c := f - s/d
		return d + s/c
	}
	a, b := delta[j], delta[j+1]
	c := f - a*left - b*right
	p := (a+b)*f - a*b*(left+right)
	q := a * b * f
	root := math.Sqrt(max(p*p-4*q*c, 0))
	if p <= 0 {
		return (p - root) / (2 * c)
	}
	return 2 * q / (p + root)
}
