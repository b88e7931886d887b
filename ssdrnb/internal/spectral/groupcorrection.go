package spectral

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
)

// The end of the inner iterations of levels: a hundredth of the right-hand side.
const (
	levelTolerance = 1e-2
	levelSteps     = 200
)

// extend adds corrections of both levels to the basis.
func (s *levels) extend(at *level, r *mat.Dense) error {
	x, err := s.fine(at, r)
	if err != nil {
		return err
	}
	blocks := []*mat.Dense{x}
	if x, err = s.coarse(at, r); err != nil {
		return err
	}
	if x != nil {
		blocks = append(blocks, x)
	}
	return s.add(beside(blocks...))
}

// fine solves (θ − A + λB)t = r on the complement of Z, and of V where V lies in it.
func (s *levels) fine(at *level, r *mat.Dense) (*mat.Dense, error) {
	_, cols := r.Dims()
	own := mat.DenseCopyOf(at.v)
	s.complement(own)
	own = independent(nil, own, 0.3)
	project := func(x *mat.Dense) {
		s.complement(x)
		if own != nil {
			span{own}.Project(x)
		}
	}
	bx := mat.NewDense(s.n, cols, nil)
	apply := func(dst, x *mat.Dense) {
		s.a.Apply(dst, x)
		s.b.Apply(bx, x)
		par.Blocks(s.n, rowBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row, bi, xi := dst.RawRowView(i), bx.RawRowView(i), x.RawRowView(i)
				for k := range row {
					row[k] = at.values[k]*xi[k] + at.lambda*bi[k] - row[k]
				}
			}
		})
		project(dst)
	}
	above, err := s.regionLevel(at)
	if err != nil {
		return nil, err
	}
	// Jacobi, the diagonal where it is safely positive, and the regions.
	precondition := func(dst, x *mat.Dense) {
		var value *mat.Dense
		if above != nil {
			_, value = above.Solve(x.RawMatrix().Data, cols)
		}
		par.Blocks(s.n, rowBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row, xi := dst.RawRowView(i), x.RawRowView(i)
				b := at.lambda * s.g.DiagB[i]
				for k := range row {
					row[k] = xi[k] / max(at.values[k]+b-s.g.DiagA[i], 0.1*b, 1e-6*s.scale[0])
				}
				if value != nil {
					floats.Add(row, value.RawRowView(above.Of(i)))
				}
			}
		})
		project(dst)
	}
	right := mat.DenseCopyOf(r)
	project(right)
	return conjugateGradients(s.ctx, apply, precondition, right, levelTolerance, levelSteps)
}

// regionLevel returns the level of λB on regions of its graph, nil for none.
func (s *levels) regionLevel(at *level) (*regions.Level, error) {
	if s.g.Regions == nil {
		return nil, nil
	}
	d := make([]float64, s.n)
	for i, b := range s.g.DiagB {
		d[i] = at.lambda * b
	}
	return s.g.Regions.Level(s.ctx, s.g.Condensed.Scale(at.lambda), d)
}

// coarse solves (θ + λμ − H)y = Zᵀr on the complement of the d top coarse vectors and
// returns Z·y; nil where the basis holds all coarse vectors.
func (s *levels) coarse(at *level, r *mat.Dense) (*mat.Dense, error) {
	c := s.g.Count
	if s.top == nil || s.top.RawMatrix().Cols >= c-1 {
		return nil, nil
	}
	known := span{beside(s.top.Slice(0, c, 0, s.d).(*mat.Dense), mat.NewDense(c, 1, s.middle))}
	apply := func(dst, y *mat.Dense) {
		s.g.Coarse.Apply(dst, y)
		for i := range c {
			row, yi := dst.RawRowView(i), y.RawRowView(i)
			for k := range row {
				row[k] = (at.values[k]+at.lambda*s.g.Value)*yi[k] - row[k]
			}
		}
		known.Project(dst)
	}
	right := s.restrict(r)
	known.Project(right)
	y, err := conjugateGradients(s.ctx, apply, func(dst, x *mat.Dense) { dst.Copy(x) }, right, levelTolerance, levelSteps)
	if err != nil {
		return nil, err
	}
	return s.prolong(y), nil
}

// complement removes the part within the span of Z from every column: every group then
// has the mean 0.
func (s *levels) complement(x *mat.Dense) {
	means := s.restrict(x)
	par.Blocks(s.n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c := s.g.Of[i]
			floats.AddScaled(x.RawRowView(i), -s.norm[c], means.RawRowView(c))
		}
	})
}

// Orthonormal returns an orthonormal basis of the column space of x, nil where x is 0.
func Orthonormal(x *mat.Dense) *mat.Dense { return independent(nil, x, 1e-8) }

// independent returns an orthonormal basis of the part of the columns of x that is
// orthogonal to the orthonormal columns of q, nil where there is none; q may be nil.
// Columns with a new part of at most the share least are left out.
func independent(q, x *mat.Dense, least float64) *mat.Dense {
	n, cols := x.Dims()
	var out *mat.Dense
	for k := range cols {
		v := mat.DenseCopyOf(x.Slice(0, n, k, k+1))
		before := math.Sqrt(dots(v, v)[0])
		if !(before > 0) {
			continue
		}
		// Orthogonalise until little more is removed: the rest is then orthogonal up to
		// rounding.
		norm := before
		for range 4 {
			for _, basis := range []*mat.Dense{q, out} {
				if basis != nil {
					span{basis}.Project(v)
				}
			}
			last := norm
			if norm = math.Sqrt(dots(v, v)[0]); norm > 0.7*last {
				break
			}
		}
		if norm <= least*before {
			continue
		}
		v.Scale(1/norm, v)
		if out == nil {
			out = v
		} else {
			out = beside(out, v)
		}
	}
	return out
}
