package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
)

// Conjugate gradients for a correction end at the relative residual levelTolerance or after
// levelSteps steps. The first corrections on the fine level end at larger residuals, because λ
// still changes.
const (
	levelTolerance = 1e-2
	levelSteps     = 200
)

// extend adds the corrections of both levels to the basis, for the solution `at` and its residuals
// r.
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
	return s.add(augmented(blocks...))
}

// fine solves (θ_k − A + λB)·t_k = r_k on the complement of Z, for each residual r_k with its Ritz
// value θ_k. The solutions are also orthogonal to the projections of the Ritz vectors onto this
// complement, unless these projections are small.
func (s *levels) fine(at *level, r *mat.Dense) (*mat.Dense, error) {
	_, cols := r.Dims()
	own := mat.DenseCopyOf(at.v)
	s.z.Project(own)
	off := []Null{s.z}
	if own = independent(nil, own, 0.3); own != nil {
		off = append(off, span{own})
	}
	if s.g.Count == 1 && own != nil { // Z is the constant vector: project once instead of twice
		off = []Null{span{augmented(s.ones.Vectors(0, 1), own)}}
	}
	project := func(x *mat.Dense) {
		for _, o := range off {
			o.Project(x)
		}
	}
	bx := mat.NewDense(s.n, cols, nil)
	apply := func(dst, x *mat.Dense) {
		s.a.Apply(dst, x)
		s.b.Apply(bx, x)
		par.Blocks(s.n, rowBlock, func(lo, hi int) {
			for to, bs, xs := rowsOf(dst, lo, hi), rowsOf(bx, lo, hi), rowsOf(x, lo, hi); len(to) > 0; to, bs, xs = to[cols:], bs[cols:], xs[cols:] {
				for k, theta := range at.values[:cols] {
					to[k] = theta*xs[k] + at.lambda*bs[k] - to[k]
				}
			}
		})
		project(dst)
	}
	above, err := s.regionLevel()
	if err != nil {
		return nil, err
	}
	// The preconditioner is the sum of the inverse diagonal (Jacobi) and the coarse level of the
	// regions. Small and negative diagonal entries are raised before the inversion.
	inverse := mat.NewDense(s.n, cols, nil)
	for i := range s.n {
		b := at.lambda * s.g.DiagB[i]
		for k := range cols {
			inverse.Set(i, k, 1/max(at.values[k]+b-s.g.DiagA[i], 0.1*b, 1e-6*s.scale[0]))
		}
	}
	precondition := func(dst, x *mat.Dense) {
		var value *mat.Dense
		if above != nil {
			_, value = above.Solve(x.RawMatrix().Data, cols)
			value.Scale(1/at.lambda, value)
		}
		par.Blocks(s.n, rowBlock, func(lo, hi int) {
			to, xs := rowsOf(dst, lo, hi), rowsOf(x, lo, hi)
			for e, f := range rowsOf(inverse, lo, hi) {
				to[e] = f * xs[e]
			}
			for i := lo; value != nil && i < hi; i++ {
				for k, v := range value.RawRowView(above.Of(i)) {
					to[k] += v
				}
				to = to[cols:]
			}
		})
		project(dst)
	}
	right := mat.DenseCopyOf(r)
	project(right)
	s.corrections++
	return conjugateGradients(s.ctx, apply, precondition, right, max(levelTolerance, math.Pow(0.2, float64(s.corrections))), levelSteps)
}

// regionLevel returns the coarse level of B on regions of its graph, or nil if there are no
// regions.
func (s *levels) regionLevel() (*regions.Level, error) {
	if s.g.Regions == nil || s.coarseLevel != nil {
		return s.coarseLevel, nil
	}
	var err error
	s.coarseLevel, err = s.g.Regions.Level(s.ctx, s.g.Condensed, s.g.DiagB)
	return s.coarseLevel, err
}

// coarse solves (θ_k + λμ − H)·y_k = Zᵀr_k for each residual r_k and returns Z·y; H is ZᵀAZ and μ
// is Groups.Value. The solution is orthogonal to the constant vector and the d top eigenvectors of
// H. coarse returns nil if the basis already contains all coarse vectors.
func (s *levels) coarse(at *level, r *mat.Dense) (*mat.Dense, error) {
	c := s.g.Count
	if s.top == nil || s.top.RawMatrix().Cols >= c-1 {
		return nil, nil
	}
	known := span{augmented(s.top.Slice(0, c, 0, s.d).(*mat.Dense), mat.NewDense(c, 1, s.middle))}
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

// Orthonormal returns an orthonormal basis of the column space of x, or nil if x is 0.
func Orthonormal(x *mat.Dense) *mat.Dense { return independent(nil, x, 1e-8) }

// independent orthogonalises the columns of x against the orthonormal columns of q, which may be
// nil, and against each other. It returns the results with norm 1, or nil if there are none. It
// drops a column whose norm falls to at most `least` times its former value.
func independent(q, x *mat.Dense, least float64) *mat.Dense {
	n, cols := x.Dims()
	var out *mat.Dense
	for k := range cols {
		v := mat.DenseCopyOf(x.Slice(0, n, k, k+1))
		before := math.Sqrt(dots(v, v)[0])
		if !(before > 0) {
			continue
		}
		// Project again until a projection removes little. The remaining vector is then orthogonal
		// up to rounding.
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
			out = augmented(out, v)
		}
	}
	return out
}
