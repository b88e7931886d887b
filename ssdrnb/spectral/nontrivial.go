package spectral

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// BottomNontrivial returns the d smallest eigenvalues, rising, and orthonormal
// eigenvectors of a positive semidefinite operator of which opt.Null is a null space
// with a trivial vector, the first of its basis, which is left out. The rest of that
// null space comes first, in closed form; only the others are iterated for. Which of
// its vectors come where is for opt.Along to say, and for the order of the basis
// otherwise; left to an iteration, it would be up to rounding. Pairs.Null is the rank
// of opt.Null.
func BottomNontrivial(ctx context.Context, a Operator, d int, opt Options) (*Pairs, error) {
	n, null := a.Dim(), opt.Null
	if null == nil {
		return nil, fmt.Errorf("%w: a null space with a trivial vector is needed", ErrOption)
	}
	if d < 1 || d > n-1 {
		return nil, fmt.Errorf("%w: %d eigenvectors beside the trivial one of an operator of order %d", ErrOption, d, n)
	}
	if opt.Along != nil && opt.Along.RawMatrix().Rows != n {
		return nil, fmt.Errorf("%w: data of %d rows beside an operator of order %d", ErrOption, opt.Along.RawMatrix().Rows, n)
	}
	known := min(d, null.Rank()-1)
	p := &Pairs{Values: make([]float64, d), Residuals: make([]float64, d), Null: null.Rank()}
	if known > 0 {
		p.Vectors = mat.NewDense(n, d, nil)
		p.Vectors.Slice(0, n, 0, known).(*mat.Dense).Copy(opt.nontrivial(known))
	}
	switch {
	case d < null.Rank()-1: // the next is a null vector, too
		return p, nil
	case n == null.Rank():
		p.Gap = math.Inf(1)
		return p, nil
	}
	rest := d - known
	q, err := BottomOf(ctx, a, max(rest, 1), opt)
	if err != nil {
		return nil, err
	}
	p.Work, p.Gap = q.Work, q.Gap
	if rest == 0 {
		p.Gap = q.Values[0]
	}
	for j := range rest {
		p.Values[known+j] = max(q.Values[j], 0)
		p.Residuals[known+j] = q.Residuals[j]
	}
	switch {
	case known == 0:
		p.Vectors = q.Vectors
	case rest > 0:
		p.Vectors.Slice(0, n, known, d).(*mat.Dense).Copy(q.Vectors)
	}
	return p, nil
}

// nontrivial returns d vectors of the null space beside the trivial one.
func (o Options) nontrivial(d int) *mat.Dense {
	if c, ok := o.Null.(*components); ok && o.Along != nil {
		return c.along(o.Along, d)
	}
	return o.Null.Vectors(1, 1+d)
}

// along returns d orthonormal vectors of the span, orthogonal to the whole vector,
// along which the means of x on the components vary most: the principal components
// of those means, weighed by the squares of the vector. Directions in which they do
// not vary are taken from the basis.
func (c *components) along(x *mat.Dense, d int) *mat.Dense {
	// In the coordinates of the normalised parts: the whole vector, what varies, and
	// the basis, each without what lies in those before.
	count := len(c.norm)
	whole := make([]float64, count)
	floats.ScaleTo(whole, 1/floats.Norm(c.norm, 2), c.norm)
	chosen := [][]float64{whole}
	add := func(v []float64) {
		for range 2 {
			for _, u := range chosen {
				floats.AddScaled(v, -floats.Dot(u, v), u)
			}
		}
		if norm := floats.Norm(v, 2); norm > 1e-6 {
			floats.Scale(1/norm, v)
			chosen = append(chosen, v)
		}
	}
	for _, v := range c.variation(x, d) {
		add(v)
	}
	for k := 0; len(chosen) <= d; k++ {
		v := make([]float64, count)
		v[k] = 1
		add(v)
	}
	out := mat.NewDense(len(c.of), d, nil)
	for i, k := range c.of {
		row := out.RawRowView(i)
		for j := range row {
			row[j] = chosen[1+j][k] / c.norm[k] * c.vector[i]
		}
	}
	return out
}

// variation returns up to d left singular vectors, by falling singular values above
// 1e-6 of the largest, of the weighed deviations of the components' means from the
// mean.
func (c *components) variation(x *mat.Dense, d int) [][]float64 {
	count := len(c.norm)
	n, features := x.Dims()
	means, mean, total := mat.NewDense(count, features, nil), make([]float64, features), 0.0
	for i := range n {
		floats.AddScaled(means.RawRowView(c.of[i]), c.vector[i]*c.vector[i], x.RawRowView(i))
	}
	for k, norm := range c.norm {
		floats.Add(mean, means.RawRowView(k))
		total += norm * norm
	}
	for k, norm := range c.norm {
		row := means.RawRowView(k) // the sum; √weight·(mean of the component − mean)
		floats.AddScaled(row, -norm*norm/total, mean)
		floats.Scale(1/norm, row)
	}
	var g, u mat.Dense
	if count <= features {
		g.Mul(means, means.T())
	} else {
		g.Mul(means.T(), means)
	}
	order, _ := g.Dims()
	p, err := Top(symmetrized(&g), min(d, order))
	if err != nil || !(p.Values[0] > 0) {
		return nil
	}
	u.CloneFrom(p.Vectors)
	if count > features {
		u.Reset()
		u.Mul(means, p.Vectors) // as long as their singular values
	}
	var out [][]float64
	for k, v := range p.Values {
		if v > 1e-12*p.Values[0] {
			column := mat.Col(nil, k, &u)
			floats.Scale(1/floats.Norm(column, 2), column)
			out = append(out, column)
		}
	}
	return out
}
