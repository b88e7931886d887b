package spectral

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// begin fills the basis with the first block.
func (t *davidson) begin() error {
	width := t.limit + t.block
	t.q, t.aq, t.bq = mat.NewDense(t.n, width, nil), mat.NewDense(t.n, width, nil), mat.NewDense(t.n, width, nil)
	t.ha, t.hb = mat.NewSymDense(width, nil), mat.NewSymDense(width, nil)
	x, err := t.first()
	if err != nil {
		return err
	}
	return t.extend(x)
}

// first is the block to start from, with random columns where W0 and the coarse
// vectors give fewer than wanted.
func (t *davidson) first() (*mat.Dense, error) {
	k := krylov{n: t.n, rng: t.rng}
	x := k.random(t.block)
	at := 0
	put := func(v *mat.Dense) {
		_, c := v.Dims()
		c = min(c, t.block-at)
		if c > 0 {
			x.Slice(0, t.n, at, at+c).(*mat.Dense).Copy(v)
			at += c
		}
	}
	if t.opt.W0 != nil {
		if r, _ := t.opt.W0.Dims(); r != t.n {
			return nil, fmt.Errorf("%w: a start of %d rows for operators of order %d", ErrOption, r, t.n)
		}
		put(t.opt.W0)
	}
	if z := t.opt.Coarse; z != nil && at < t.block {
		c, err := t.coarse(z, min(t.block-at, z.Cols))
		if err != nil {
			return nil, err
		}
		put(c)
	}
	return x, nil
}

// coarse returns the top vectors of A in the span of the coarse vectors; a rough
// answer is enough. With a sparse A that is a sparse problem of order c.
func (t *davidson) coarse(z *sparse.CSR, count int) (*mat.Dense, error) {
	zt := z.T()
	opt := Options{Tolerance: 1e-4, Seed: t.opt.Seed}
	inside := Func(z.Cols, func(dst, x *mat.Dense) {
		_, b := x.Dims()
		u, au := mat.NewDense(t.n, b, nil), mat.NewDense(t.n, b, nil)
		z.MulTo(u, x)
		t.a.Apply(au, u)
		zt.MulTo(dst, au)
	})
	if e, ok := t.a.(explicit); ok {
		m, err := e.matrix()
		if err != nil {
			return nil, err
		}
		mz, err := sparse.Mul(m, z)
		if err != nil {
			return nil, err
		}
		h, err := sparse.Mul(zt, mz)
		if err != nil {
			return nil, err
		}
		inside = sparseOperator{h}
	}
	if null := t.opt.Null; null != nil && null.Rank() <= min(8, z.Cols-count) {
		v := mat.NewDense(z.Cols, null.Rank(), nil)
		zt.MulTo(v, null.Vectors(0, null.Rank()))
		(&krylov{n: z.Cols, rng: t.rng}).orthonormalize(v, 0, 0)
		opt.Null = Span(v)
	}
	p, err := TopOf(t.ctx, inside, count, opt)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(t.n, count, nil)
	z.MulTo(out, p.Vectors)
	return out, nil
}
