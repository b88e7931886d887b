package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// dense writes a small operator out; the subspace to leave out goes to the top.
func (p *iterative) dense() (*Pairs, error) {
	full, one := mat.NewDense(p.n, p.n, nil), identity(p.n)
	if p.opt.Null != nil {
		p.opt.Null.Project(one)
	}
	if err := p.product(full, one); err != nil {
		return nil, err
	}
	if p.opt.Null != nil {
		p.opt.Null.Project(full)
	}
	a := symmetrized(full)
	if err := finite(a); err != nil {
		return nil, err
	}
	if p.opt.Null != nil {
		away := 4*mat.Norm(a, math.Inf(1)) + 1
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

func identity(n int) *mat.Dense {
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	return one
}

func symmetrized(full *mat.Dense) *mat.SymDense {
	n, _ := full.Dims()
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return a
}
