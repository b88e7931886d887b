package spectral

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// OperatorTraceRatioOptions are the settings of [TraceRatioOf]. Of the embedded
// options, Solver chooses how the small projected problems are solved, W0 is a block
// to start from (n×p, any p; the solution of a similar problem), and Tolerance, 0
// for 1e-9, bounds the residuals of the result as a share of ‖A‖ + λ‖B‖. MaxSteps
// bounds the steps, 0 means 300. Start is ignored: λ comes from the block.
type OperatorTraceRatioOptions struct {
	TraceRatioOptions
	// Null is a subspace to leave out, such as the constant vector.
	Null Null
	// Coarse has orthonormal columns (n×c) that nearly span where B is small, such as
	// the indicators of the components of its graph; nil for none. The first block
	// comes from there.
	Coarse *sparse.CSR
	// Groups, where they are known, replace Null, which is then the constant vector, and
	// Coarse. Tolerance is then a share of the eigengap.
	Groups *Groups
	// Progress, if not nil, is called after each step with its number and MaxSteps.
	Progress func(step, most int)
	// MaxBytes bounds the memory of a sparse factor; 0 means 1 GiB.
	MaxBytes float64
	// Seed draws what the first block lacks.
	Seed uint64
}

// TraceRatioOf maximises tr(WᵀAW)/tr(WᵀBW) over n×d matrices W with WᵀW = I, off
// opt.Null, for symmetric operators A and B ⪰ 0: [TraceRatio] without n×n matrices.
//
// A subspace grows by block Davidson steps. In it, the trace-ratio problem is small
// and solved exactly; its residuals (A − λB)W − WΘ, taken through an approximate
// inverse of λB − A + s·I, are what the subspace gets next. Every subspace contains
// the last solution, so λ_t only rises: nothing is solved again from scratch, as ITR
// on eigen-decompositions would. The inverse is a sparse Cholesky factor if A and B
// are sparse and the factor is cheap, conjugate gradients otherwise. Where the spectrum
// is too wide for that, [Groups] split the corrections into two levels.
//
// History has one entry per step: λ_t and the lower bound of g(λ_t) that the next
// subspace gives, falling to 0. Values are the Ritz values that were kept, at least
// d+1 of them; Upper is +Inf, and Lower the first λ.
//
// If the denominator vanishes on d dimensions, as far as the subspace shows, the
// error wraps [ErrUnbounded]. Other errors wrap [ErrOption], [ErrNotFinite] and
// [ErrNotConverged].
func TraceRatioOf(ctx context.Context, a, b Operator, d int, opt OperatorTraceRatioOptions) (*TraceRatioResult, error) {
	n, rank := a.Dim(), 0
	if opt.Null != nil {
		rank = opt.Null.Rank()
	}
	switch {
	case b.Dim() != n:
		return nil, fmt.Errorf("%w: operators of order %d and %d", ErrOption, n, b.Dim())
	case d < 1 || d > n-rank:
		return nil, fmt.Errorf("%w: %d dimensions of %d, a subspace of %d left out", ErrOption, d, n, rank)
	case opt.Coarse != nil && opt.Coarse.Rows != n:
		return nil, fmt.Errorf("%w: coarse vectors of length %d for operators of order %d", ErrOption, opt.Coarse.Rows, n)
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-9
	}
	if opt.MaxSteps == 0 {
		opt.MaxSteps = 300
	}
	if opt.MaxBytes == 0 {
		opt.MaxBytes = 1 << 30
	}
	if opt.Groups != nil {
		s, err := newLevels(ctx, a, b, d, opt)
		if err != nil {
			return nil, err
		}
		return s.iterate()
	}
	t := &davidson{ctx: ctx, a: a, b: b, d: d, n: n, opt: opt, rng: rand.New(rand.NewPCG(opt.Seed, 0x7ace))}
	t.block = min(d+max(2, min(d/2, 8)), n-rank)
	t.limit = min(max(60, 5*t.block), n-rank)
	if n-rank <= max(128, 3*t.block) {
		t.limit = n - rank // the whole space: the projected problem is the problem
		t.block = t.limit
	}
	if err := t.begin(); err != nil {
		return nil, err
	}
	return t.iterate()
}

// errNoFactor says that a factor would be too dear.
var errNoFactor = errors.New("spectral: no cheap factor")
