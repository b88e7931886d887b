package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// filter is a Chebyshev polynomial of an operator. It stays between −1 and 1 on [cut, high] and
// grows fast below cut (Zhou, Saad 2007). Eigenvalues of the operator below cut thus become the
// largest eigenvalues of the filter and are well separated.
type filter struct {
	a         func(dst, x *mat.Dense) error
	cut, high float64
	degree    int
}

const maxDegree = 600

// newFilter returns the filter of the smallest degree whose value at `low` is at least `gain` times
// its value at `cut`, where low < cut < high. The degree is at least 2 and at most maxDegree, even
// if the gain is then smaller.
func newFilter(a func(dst, x *mat.Dense) error, low, cut, high, gain float64) *filter {
	f := &filter{a: a, cut: cut, high: high}
	rate := math.Acosh(f.position(low))
	f.degree = 2
	if rate > 0 {
		f.degree = int(math.Ceil(math.Acosh(gain) / rate))
	}
	f.degree = min(max(f.degree, 2), maxDegree)
	return f
}

// position maps a value below cut linearly to the argument of the Chebyshev polynomial, which is
// above 1. For larger values it returns 1.
func (f *filter) position(v float64) float64 {
	return max(1, (f.high+f.cut-2*v)/(f.high-f.cut))
}

// apply sets dst = p(A)·x by the three-term recurrence of the polynomial p.
func (f *filter) apply(dst, x *mat.Dense) error {
	n, b := x.Dims()
	centre, radius := (f.high+f.cut)/2, (f.high-f.cut)/2
	before, now, ax := mat.NewDense(n, b, nil), mat.NewDense(n, b, nil), mat.NewDense(n, b, nil)
	before.Copy(x)
	if err := f.a(ax, x); err != nil {
		return err
	}
	combine(now, ax, before, centre, 1/radius, nil)
	for range f.degree - 1 {
		if err := f.a(ax, now); err != nil {
			return err
		}
		combine(before, ax, now, centre, 2/radius, before)
		before, now = now, before
	}
	dst.Copy(now)
	return nil
}

// combine sets dst = factor·(centre·x − ax) − y. dst and y may be the same matrix; a nil y is 0.
func combine(dst, ax, x *mat.Dense, centre, factor float64, y *mat.Dense) {
	d, a, s := dst.RawMatrix().Data, ax.RawMatrix().Data, x.RawMatrix().Data
	if y == nil {
		par.Blocks(len(d), 16*rowBlock, func(lo, hi int) {
			d, a, s := d[lo:hi], a[lo:hi], s[lo:hi]
			for i := range d {
				d[i] = factor * (centre*s[i] - a[i])
			}
		})
		return
	}
	z := y.RawMatrix().Data
	par.Blocks(len(d), 16*rowBlock, func(lo, hi int) {
		d, a, s, z := d[lo:hi], a[lo:hi], s[lo:hi], z[lo:hi]
		for i := range d {
			d[i] = factor*(centre*s[i]-a[i]) - z[i]
		}
	})
}
