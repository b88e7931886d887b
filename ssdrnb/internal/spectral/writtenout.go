package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// dense converts a small operator to a dense matrix and decomposes it. It shifts the eigenvalues of
// the excluded subspace above the rest of the spectrum, so that they are not selected.
func (p *iterative) dense() (*Pairs, error) {
	full, one := mat.NewDense(p.n, p.n, nil), dense.Identity(p.n, p.n)
	if p.opt.Null != nil {
		p.opt.Null.Project(one)
	}
	if err := p.product(full, one); err != nil {
		return nil, err
	}
	if p.opt.Null != nil {
		p.opt.Null.Project(full)
	}
	a := dense.Symmetrized(full)
	if err := finite(a); err != nil {
		return nil, err
	}
	if p.opt.Null != nil {
		away := 4*mat.Norm(a, math.Inf(1)) + 1 // after the call of scale, a norm is far below 1 only if it is 0
		for i := range p.n {
			for j := i; j < p.n; j++ {
				v := -one.At(i, j)
				if i == j {
					v++
				}
				a.SetSym(i, j, a.At(i, j)+away*v)
			}
		}
	}
	p.work.Method = "dense"
	pairs, err := Bottom(a, p.d)
	if err == nil && p.d == p.n-p.rank() {
		pairs.Gap = math.Inf(1)
	}
	return pairs, err
}

// complement converts the restriction of the operator to the complement of Null to a dense matrix
// and decomposes it.
func (p *iterative) complement() (*Pairs, error) {
	p.work.Method = "dense"
	k := krylov{n: p.n, rng: p.rng}
	return p.finish(k.random(p.n - p.rank()))
}
