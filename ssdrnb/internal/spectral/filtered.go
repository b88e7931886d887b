package spectral

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// filterBlock is the number of columns filtered together. Eight numbers fill a cache line, which a
// product with a sparse matrix loads in any case.
const filterBlock = 8

// The value of a filter at the last wanted eigenvalue is about `gain` times its value at the cut;
// see filter. Its value at the smallest eigenvalue is at most about maxGain times the value at the
// cut. With a larger ratio, rounding errors along the first eigenvector would exceed the component
// along the last wanted eigenvector.
const (
	gain    = 10
	maxGain = 1e5
)

// patience is the largest number of successive restarts that may fail to halve the residual.
const patience = 25

// chebyshev computes the smallest eigenpairs by products only. It first runs block Lanczos on A
// itself, as long as every cycle reduces the residual fast. This suffices if the smallest
// eigenvalues are well separated. Otherwise it runs block Lanczos on Chebyshev polynomials of A
// chosen from the Ritz values. It returns errSlow as soon as its sparse products have taken, or
// will probably take, more than `budget` floating-point operations.
func (p *iterative) chebyshev(budget float64) (*Pairs, error) {
	p.work.Method = "Lanczos"
	k := &krylov{ctx: p.ctx, n: p.n, want: min(p.d+1, p.n-p.rank()), block: min(filterBlock, p.d+4), null: p.opt.Null, rng: p.rng}
	k.limit = p.basisSize(k.block)
	k.apply = func(dst, x *mat.Dense) error {
		if err := p.product(dst, x); err != nil {
			return err
		}
		dst.Scale(-1, dst)
		return nil
	}
	if err := k.start(p.opt.start); err != nil {
		return nil, err
	}
	var values []float64
	for last := math.Inf(1); ; {
		v, err := p.plain(k)
		if err != nil {
			return nil, err
		}
		if values == nil {
			values = v
			p.bound(k, v)
		}
		worst := slices.Max(k.errors[:min(k.want, len(k.errors))])
		if k.size >= k.want && p.settled(k) {
			pairs, err := p.finish(k.vectors(k.want))
			if err != nil {
				return nil, err
			}
			if worst, _ := p.worst(pairs); worst <= p.accepted() {
				return pairs, nil
			}
		}
		// Continue only while the residual is small and each cycle reduces it to at most 3 % of its
		// previous value. Otherwise filters are faster.
		if worst > 1e-2*p.radius || worst > 0.03*last {
			break
		}
		last = worst
	}
	x := p.ritz(k, k.kept())
	p.work.Method = "Chebyshev"
	return p.filtered(k, x, values, budget)
}

// plain takes Lanczos steps on −A until the basis is full or the wanted Ritz values are settled. It
// returns the Ritz values of A in ascending order.
func (p *iterative) plain(k *krylov) ([]float64, error) {
	for first := true; first || k.fill <= k.limit; first = false {
		if err := k.step(); err != nil {
			return nil, err
		}
		if err := k.rayleighRitz(k.size); err != nil {
			return nil, err
		}
		last := len(k.theta) - 1
		p.radius = max(p.radius, math.Abs(k.theta[0]), math.Abs(k.theta[last]))
		if !p.bounded {
			p.norm = p.radius
		}
		if k.size >= k.want && p.settled(k) {
			break
		}
	}
	values := make([]float64, len(k.theta))
	for j, v := range k.theta {
		values[j] = -v
	}
	return values, nil
}

// bound sets p.high to an upper bound of the spectrum of A. This is the largest Ritz value plus a
// bound of its residual, or the Gershgorin bound if that is smaller.
func (p *iterative) bound(k *krylov, values []float64) {
	last := values[len(values)-1]
	bound := last + mat.Norm(k.tail, 2)
	if p.high > last {
		bound = min(bound, p.high)
	}
	p.high = bound
}

// settled reports whether the estimated residuals of the wanted Ritz pairs are so small that
// computing the true residuals on A is worthwhile.
func (p *iterative) settled(k *krylov) bool {
	for j := range k.want {
		bound := p.opt.Tolerance
		if j == k.want-1 && j > 0 {
			bound = 1e-3
		}
		if !(k.errors[j] <= bound*p.radius) {
			return false
		}
	}
	return true
}

// ritz returns the first m Ritz vectors.
func (p *iterative) ritz(k *krylov, m int) *mat.Dense {
	return turned(k.columns(0, k.size), k.ritz.Slice(0, k.size, 0, m).(*mat.Dense))
}

// filtered runs block Lanczos on Chebyshev filters of A, starting from the Ritz vectors x and the
// Ritz values of A, until the wanted pairs are accurate. budget has the same meaning as in
// chebyshev.
func (p *iterative) filtered(k *krylov, x *mat.Dense, values []float64, budget float64) (*Pairs, error) {
	tolerance := 10 * p.opt.Tolerance
	var f *filter
	best, idle := math.Inf(1), 0
	for {
		next := p.shape(k, values)
		if f == nil || next.degree > f.degree*3/2 || next.degree < f.degree*2/3 {
			f = next
			k.apply = f.apply
			if err := k.start(p.mix(x, k.block)); err != nil {
				return nil, err
			}
		}
		done, err := k.run(tolerance)
		if err != nil {
			return nil, err
		}
		m := min(max(k.want, k.kept()), k.size)
		pairs, all, err := p.project(k.vectors(m), m)
		if err != nil {
			return nil, err
		}
		worst, _ := p.worst(pairs)
		if worst <= p.accepted() {
			return pairs, nil
		}
		if idle++; worst < 0.5*best {
			best, idle = worst, 0
		}
		if p.work.Products > p.opt.MaxProducts || idle > patience || math.IsNaN(worst) {
			return nil, p.failure("the Chebyshev iteration", pairs)
		}
		if done {
			tolerance = max(tolerance*min(0.1, p.accepted()/worst), 1e-15)
		}
		x, values = pairs.block, all
		if p.slow(values, budget) {
			p.opt.start = x
			return nil, errSlow
		}
	}
}

// shape chooses a filter that amplifies the wanted eigenvalues, given the ascending Ritz values of
// A.
func (p *iterative) shape(k *krylov, values []float64) *filter {
	last := k.want - 1
	at := min(last+max(2, k.block/2), len(values)-1)
	low, cut := values[min(last, at-1)], values[at]
	p.high = max(p.high, values[len(values)-1])
	if spread := p.high - values[0]; cut-low < 1e-7*spread {
		cut = min(low+1e-7*spread, p.high-0.1*spread)
	}
	f := newFilter(p.product, low, cut, p.high, gain)
	if most := newFilter(p.product, values[0], cut, p.high, maxGain); most.degree < f.degree {
		return most
	}
	return f
}

// mix returns b random linear combinations of the columns of x.
func (p *iterative) mix(x *mat.Dense, b int) *mat.Dense {
	_, m := x.Dims()
	c := mat.NewDense(m, b, nil)
	for i := range m {
		for j := range b {
			c.Set(i, j, p.rng.Float64()-0.5)
		}
	}
	var out mat.Dense
	out.Mul(x, c)
	return &out
}

// slow reports whether the cost so far, or the cost predicted from the Ritz values, exceeds the
// budget.
func (p *iterative) slow(values []float64, budget float64) bool {
	if math.IsInf(budget, 1) {
		return false
	}
	spent := p.perProduct * float64(p.work.Products)
	last := min(p.d, len(values)-2)
	rate := math.Acosh((&filter{cut: values[len(values)-1], high: p.high}).position(values[last]))
	ahead := math.Inf(1)
	if rate > 0 {
		ahead = p.perProduct * 2 * float64(filterBlock) * math.Log(1/p.opt.Tolerance) / rate
	}
	return spent > budget || ahead > budget
}
