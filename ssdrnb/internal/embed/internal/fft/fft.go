// Package fft computes four discrete Fourier transforms at a time. It runs AVX2 assembly if the
// processor has AVX2, and plain Go with bitwise equal results otherwise.
package fft

import (
	"math"
	"sync"
)

//go:generate go run ./gen -out fft_amd64.s -stubs stubs_amd64.go -pkg fft

// Four holds four complex numbers, one per transform: four real parts, then four imaginary parts.
type Four [8]float64

// Plan is a transform of a fixed length. It is safe for concurrent use.
type Plan struct {
	n      int
	stages []stage
	work   sync.Pool
}

// stage is one stage of the transform, of radix 2, 3, 4 or 5 (Stockham's form, whose output is in
// natural order). A butterfly combines `radix` inputs, which are span·stride numbers apart, into
// as many outputs, which are `stride` numbers apart.
type stage struct {
	radix, span, stride int
	turns               []float64 // twiddle factors, span·(radix − 1) complex numbers
}

// Smooth returns the smallest length ≥ n that has a plan, that is, whose prime factors are all at
// most 5.
func Smooth(n int) int {
	for ; ; n++ {
		m := n
		for _, f := range []int{2, 3, 5} {
			for m%f == 0 {
				m /= f
			}
		}
		if m == 1 {
			return n
		}
	}
}

// NewPlan returns the transform of length n ≥ 1, which must be a result of [Smooth].
func NewPlan(n int) *Plan {
	p := &Plan{n: n}
	p.work.New = func() any { return &[]Four{} }
	stride := 1
	for left := n; left > 1; {
		s := stage{radix: 4, stride: stride}
		for _, r := range []int{4, 2, 3, 5} {
			if left%r == 0 {
				s.radix = r
				break
			}
		}
		s.span = left / s.radix
		for k := range s.span {
			for e := 1; e < s.radix; e++ {
				sin, cos := math.Sincos(-2 * math.Pi * float64(k*e) / float64(left))
				s.turns = append(s.turns, rounded(cos), rounded(sin))
			}
		}
		p.stages = append(p.stages, s)
		left, stride = s.span, stride*s.radix
	}
	return p
}

// rounded drops the last digits of a sine or cosine, because they differ between processors.
func rounded(v float64) float64 { return math.Round(v*(1<<44)) / (1 << 44) }

// Transform replaces each of the four sequences in x by Σ_k x[k]·exp(−2πi·jk/n), j = 0 … n−1. x has
// the plan's length n.
func (p *Plan) Transform(x []Four) {
	w := p.work.Get().(*[]Four)
	defer p.work.Put(w)
	if len(*w) < p.n {
		*w = make([]Four, p.n)
	}
	from, to := x[:p.n], (*w)[:p.n]
	for i := range p.stages {
		p.stages[i].run(from, to)
		from, to = to, from
	}
	if len(p.stages)%2 == 1 {
		copy(x, from)
	}
}

func (s *stage) run(x, y []Four) {
	if fast {
		pass := [...]func(span, stride int, x, y, turns *float64){2: pass2, 3: pass3, 4: pass4, 5: pass5}[s.radix]
		pass(s.span, s.stride, &x[0][0], &y[0][0], &s.turns[0])
		return
	}
	s.runGo(x, y)
}

// Constants of the butterflies: sines and cosines of a third, a fifth and two fifths of a turn. The
// assembly uses the same digits.
const (
	sin3       = 0.8660254037844386
	sin5, cos5 = 0.9510565162951535, 0.30901699437494745
	sin9, cos9 = 0.5877852522924732, -0.8090169943749475
)

// runGo performs the stage in plain Go. The conversions to float64 keep compilers from fusing
// products with sums.
func (s *stage) runGo(x, y []Four) {
	type complexes struct{ re, im float64 }
	var a, b [5]complexes
	for k := range s.span {
		turns := s.turns[2*(s.radix-1)*k:]
		for q := range s.stride {
			for l := range 4 {
				for e := range s.radix {
					v := &x[q+s.stride*(k+e*s.span)]
					a[e] = complexes{v[l], v[l+4]}
				}
				switch s.radix {
				case 2:
					b[0] = complexes{a[0].re + a[1].re, a[0].im + a[1].im}
					b[1] = complexes{a[0].re - a[1].re, a[0].im - a[1].im}
				case 3:
					t := complexes{a[1].re + a[2].re, a[1].im + a[2].im}
					u := complexes{sin3 * (a[1].im - a[2].im), sin3 * (a[2].re - a[1].re)}
					b[0] = complexes{a[0].re + t.re, a[0].im + t.im}
					t = complexes{a[0].re - float64(0.5*t.re), a[0].im - float64(0.5*t.im)}
					b[1] = complexes{t.re + float64(u.re), t.im + float64(u.im)}
					b[2] = complexes{t.re - float64(u.re), t.im - float64(u.im)}
				case 4:
					t := complexes{a[0].re + a[2].re, a[0].im + a[2].im}
					u := complexes{a[0].re - a[2].re, a[0].im - a[2].im}
					v := complexes{a[1].re + a[3].re, a[1].im + a[3].im}
					w := complexes{a[1].im - a[3].im, a[3].re - a[1].re}
					b[0] = complexes{t.re + v.re, t.im + v.im}
					b[1] = complexes{u.re + w.re, u.im + w.im}
					b[2] = complexes{t.re - v.re, t.im - v.im}
					b[3] = complexes{u.re - w.re, u.im - w.im}
				case 5:
					t := complexes{a[1].re + a[4].re, a[1].im + a[4].im}
					u := complexes{a[1].im - a[4].im, a[4].re - a[1].re}
					v := complexes{a[2].re + a[3].re, a[2].im + a[3].im}
					w := complexes{a[2].im - a[3].im, a[3].re - a[2].re}
					b[0] = complexes{a[0].re + t.re + v.re, a[0].im + t.im + v.im}
					c := complexes{a[0].re + float64(cos5*t.re) + float64(cos9*v.re), a[0].im + float64(cos5*t.im) + float64(cos9*v.im)}
					d := complexes{float64(sin5*u.re) + float64(sin9*w.re), float64(sin5*u.im) + float64(sin9*w.im)}
					b[1] = complexes{c.re + d.re, c.im + d.im}
					b[4] = complexes{c.re - d.re, c.im - d.im}
					c = complexes{a[0].re + float64(cos9*t.re) + float64(cos5*v.re), a[0].im + float64(cos9*t.im) + float64(cos5*v.im)}
					d = complexes{float64(sin9*u.re) - float64(sin5*w.re), float64(sin9*u.im) - float64(sin5*w.im)}
					b[2] = complexes{c.re + d.re, c.im + d.im}
					b[3] = complexes{c.re - d.re, c.im - d.im}
				}
				for e := range s.radix {
					v := b[e]
					if e > 0 {
						re, im := turns[2*e-2], turns[2*e-1]
						v = complexes{float64(v.re*re) - float64(v.im*im), float64(v.re*im) + float64(v.im*re)}
					}
					to := &y[q+s.stride*(s.radix*k+e)]
					to[l], to[l+4] = v.re, v.im
				}
			}
		}
	}
}
