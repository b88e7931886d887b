package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// finish computes eigenpairs of A and their residuals from a matrix x of at least d columns whose
// span contains the wanted eigenvectors. It overwrites x.
func (p *iterative) finish(x *mat.Dense) (*Pairs, error) {
	pairs, _, err := p.project(x, p.d)
	return pairs, err
}

// project is like finish, but also returns the Ritz values of A for all columns of x, in ascending
// order. It stores the first `keep` Ritz vectors in Pairs.block.
func (p *iterative) project(x *mat.Dense, keep int) (*Pairs, []float64, error) {
	_, m := x.Dims()
	k := krylov{n: p.n, null: p.opt.Null, rng: p.rng}
	k.orthonormalize(x, 0, 0)
	ax := mat.NewDense(p.n, m, nil)
	if err := p.product(ax, x); err != nil {
		return nil, nil, err
	}
	small, err := extreme(dense.Symmetrized(tallProduct(x, ax)), m, false)
	if err != nil {
		return nil, nil, err
	}
	if p.opt.Null != nil && p.opt.invariant {
		p.opt.Null.Project(ax)
	}
	v := turned(x, small.Vectors.Slice(0, m, 0, keep).(*mat.Dense))
	pairs := &Pairs{Values: small.Values[:p.d:p.d], Vectors: v, Gap: math.Inf(1), block: v}
	if keep > p.d {
		pairs.Vectors = columns(v, 0, p.d)
	}
	if m > p.d {
		pairs.Gap = small.Values[p.d] - small.Values[p.d-1]
	}
	mulInPlace(ax, small.Vectors)
	par.Blocks(p.n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, own := ax.RawRowView(i), v.RawRowView(i)
			for j, value := range pairs.Values {
				row[j] -= value * own[j]
			}
		}
	})
	pairs.Residuals = dots(ax, ax)[:p.d:p.d]
	for j, e := range pairs.Residuals {
		pairs.Residuals[j] = math.Sqrt(e)
	}
	return pairs, small.Values, nil
}

// worst returns the largest residual, and the number of residuals within tolerance.
func (p *iterative) worst(pairs *Pairs) (worst float64, good int) {
	for _, r := range pairs.Residuals {
		worst = max(worst, r)
		if r <= p.accepted() {
			good++
		}
	}
	return worst, good
}

// accepted returns the largest residual that meets the tolerance: Tolerance·‖A‖.
func (p *iterative) accepted() float64 { return p.opt.Tolerance * p.norm }

// failure returns the error of an iteration that ended too early.
func (p *iterative) failure(method string, pairs *Pairs) error {
	worst, good := p.worst(pairs)
	unit := math.Abs(p.factor)
	return fmt.Errorf("%w: %s found %d of %d eigenpairs in %d products and %d solves: the largest residual is %.3g, the tolerance %.3g·‖A‖ = %.3g",
		ErrNotConverged, method, good, p.d, p.work.Products, p.work.Solves, worst/unit, p.opt.Tolerance, p.accepted()/unit)
}
