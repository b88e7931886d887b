package spectral

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// BottomNontrivial returns the d smallest eigenvalues of a positive semidefinite operator with the
// null space opt.Null, in ascending order, and orthonormal eigenvectors. It leaves out the trivial
// vector, the first basis vector of the null space. The other null vectors come first. They are
// computed in closed form, because rounding would determine their order in an iteration. opt.Along
// orders them; without it, they are in the order of the basis. Only the other pairs are computed by
// iteration. Pairs.Null is the rank of opt.Null.
func BottomNontrivial(ctx context.Context, a Operator, d int, opt Options) (*Pairs, error) {
	n, null := a.Dim(), opt.Null
	if null == nil {
		return nil, fmt.Errorf("%w: opt.Null is nil, but BottomNontrivial needs a null space, with the trivial vector first", ErrOption)
	}
	if d < 1 || d > n-1 {
		return nil, fmt.Errorf("%w: %d eigenvectors are requested, but the number must lie between 1 and %d, one less than the order of the matrix", ErrOption, d, n-1)
	}
	if opt.Along != nil && opt.Along.RawMatrix().Rows != n {
		return nil, fmt.Errorf("%w: opt.Along has %d rows, but the operator has order %d", ErrOption, opt.Along.RawMatrix().Rows, n)
	}
	known := min(d, null.Rank()-1)
	p := &Pairs{Values: make([]float64, d), Residuals: make([]float64, d), Null: null.Rank()}
	if known > 0 {
		p.Vectors = mat.NewDense(n, d, nil)
		p.Vectors.Slice(0, n, 0, known).(*mat.Dense).Copy(opt.nontrivial(known))
	}
	switch {
	case d < null.Rank()-1: // the next eigenvalue is 0, too
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

// nontrivial returns d vectors of the null space other than the trivial one.
func (o Options) nontrivial(d int) *mat.Dense {
	if space, ok := o.Null.(framed); ok && o.Along != nil {
		return principalVectors(space, o.Along, d)
	}
	return o.Null.Vectors(1, 1+d)
}

// framed is a null space whose vectors are given by coordinates in an orthonormal basis, the frame.
type framed interface {
	// trivial returns the frame coordinates of the trivial vector, the first vector of
	// Null.Vectors.
	trivial() []float64
	// coordinates projects the columns of x (n×D) onto the space and returns the rank×D frame
	// coordinates of the projections. If all rows of x are equal, its columns yield multiples of
	// the trivial vector; for this to hold, the first column of a span must be constant.
	coordinates(x *mat.Dense) *mat.Dense
	// combine returns the vectors with the given coordinates as columns.
	combine(coordinates [][]float64) *mat.Dense
}

// principalVectors returns, as an n×d matrix, the d orthonormal vectors along which x varies most,
// among those vectors of the space that are orthogonal to the trivial vector. They are left
// singular vectors of the projection of x onto the space. If x varies in fewer directions, vectors
// of the frame replace the missing ones.
func principalVectors(space framed, x *mat.Dense, d int) *mat.Dense {
	whole := space.trivial()
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
	for _, v := range variation(space.coordinates(x), whole, d) {
		add(v)
	}
	for k := 0; len(chosen) <= d; k++ {
		v := make([]float64, len(whole))
		v[k] = 1
		add(v)
	}
	return space.combine(chosen[1:])
}

// variation returns up to d left singular vectors, in descending order of singular value, of the
// part of m orthogonal to the vector `whole`. Singular values up to 1e-6 times the largest are left
// out. variation overwrites m.
func variation(m *mat.Dense, whole []float64, d int) [][]float64 {
	count, features := m.Dims()
	mean := make([]float64, features)
	for k, w := range whole {
		floats.AddScaled(mean, w, m.RawRowView(k))
	}
	for k, w := range whole {
		floats.AddScaled(m.RawRowView(k), -w, mean)
	}
	var g, u mat.Dense
	if count <= features {
		g.Mul(m, m.T())
	} else {
		g.Mul(m.T(), m)
	}
	order, _ := g.Dims()
	p, err := Top(dense.Symmetrized(&g), min(d, order))
	if err != nil || !(p.Values[0] > 0) {
		return nil
	}
	if count <= features {
		u.CloneFrom(p.Vectors)
	} else {
		u.Mul(m, p.Vectors) // the norm of each column is its singular value
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

// The frame of components consists of the normalised restrictions of the vector to each component.

func (c *components) trivial() []float64 {
	whole := make([]float64, len(c.norm))
	floats.ScaleTo(whole, 1/floats.Norm(c.norm, 2), c.norm)
	return whole
}

// coordinates multiplies the rows of x by the entries of the vector first, so that equal rows give
// multiples of the trivial vector.
func (c *components) coordinates(x *mat.Dense) *mat.Dense {
	_, features := x.Dims()
	m := mat.NewDense(len(c.norm), features, nil)
	for i, k := range c.component {
		floats.AddScaled(m.RawRowView(k), c.vector[i]*c.vector[i]/c.norm[k], x.RawRowView(i))
	}
	return m
}

func (c *components) combine(coordinates [][]float64) *mat.Dense {
	out := mat.NewDense(len(c.component), len(coordinates), nil)
	for i, k := range c.component {
		row := out.RawRowView(i)
		for j := range row {
			row[j] = coordinates[j][k] / c.norm[k] * c.vector[i]
		}
	}
	return out
}

// The frame of a span consists of its columns.

func (s span) trivial() []float64 {
	whole := make([]float64, s.Rank())
	whole[0] = 1
	return whole
}

func (s span) coordinates(x *mat.Dense) *mat.Dense {
	var m mat.Dense
	m.Mul(s.v.T(), x)
	return &m
}

func (s span) combine(coordinates [][]float64) *mat.Dense {
	n, r := s.v.Dims()
	turn, out := mat.NewDense(r, len(coordinates), nil), mat.NewDense(n, len(coordinates), nil)
	for j, c := range coordinates {
		turn.SetCol(j, c)
	}
	out.Mul(s.v, turn)
	return out
}
