package spectral

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Method is a way to the eigenpairs of an operator.
type Method int

// The methods.
const (
	// Auto factorises a sparse operator where the predicted cost of that is below
	// the cost of filtering, and filters otherwise.
	Auto Method = iota
	// Chebyshev is block Lanczos on a Chebyshev polynomial of the operator: products
	// only.
	Chebyshev
	// ShiftInvert is block Lanczos on the inverse of the shifted operator by a sparse
	// Cholesky factor: for eigenvalues that crowd at the lower end.
	ShiftInvert
)

// Options are the settings of the iterative solvers; the zero value is a good
// choice.
type Options struct {
	// Tolerance is the largest residual ‖A·v − τ·v‖ of a result as a share of the
	// spectral radius of A. 0 means 1e-10.
	Tolerance float64
	// MaxProducts bounds the columns that the operator is applied to; 0 means
	// 200,000.
	MaxProducts int
	// Method forces a way; Auto chooses.
	Method Method
	// MaxBytes bounds the memory of a factor; 0 means 1 GiB.
	MaxBytes float64
	// Null is a subspace to leave out, such as a known null space: with P the
	// projection on its complement, the result holds eigenpairs of P·A·P there.
	Null Null
	// Start is an n×b block to start from, such as the solution of a similar problem;
	// nil for random numbers from Seed.
	Start *mat.Dense
	Seed  uint64

	invariant bool // A maps the complement of Null to itself
}

func (o Options) withDefaults() Options {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.MaxProducts == 0 {
		o.MaxProducts = 200_000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 30
	}
	return o
}

// BottomOf returns the d smallest eigenvalues, rising, of a symmetric operator,
// with orthonormal eigenvectors. The next eigenvalue is found as well, to a few
// digits, for the gap. An operator that is too small for iterations is written
// out and decomposed.
//
// Where some eigenvalues are not accurate enough after all products allowed, the
// error wraps [ErrNotConverged] and tells how many were.
func BottomOf(ctx context.Context, a Operator, d int, opt Options) (*Pairs, error) {
	return newIterative(ctx, a, nil, d, opt).solve(false)
}

// TopOf is BottomOf for the d largest eigenvalues, falling.
func TopOf(ctx context.Context, a Operator, d int, opt Options) (*Pairs, error) {
	return newIterative(ctx, a, nil, d, opt).solve(true)
}

// iterative is an eigenproblem A·x = τ·B·x being solved; B is nil for I. Inside, the
// bottom is always wanted: for the top, A is negated.
type iterative struct {
	ctx  context.Context
	a    Operator
	b    Operator
	d    int
	n    int
	sign float64
	opt  Options
	rng  *rand.Rand
	work Work

	norm    float64 // estimate of ‖A‖
	bounded bool    // norm comes from the matrix itself
	radius  float64 // largest magnitude among the Ritz values so far
	high    float64 // upper bound of the spectrum

	right      *sparse.CSR        // B as a matrix
	solveB     func(x *mat.Dense) // sets x = B⁻¹·x
	normB      float64            // bound of ‖B‖, 1 for I
	length     float64            // the longest eigenvector, 1 for B = I
	perProduct float64            // operations of a product with a column
}

func newIterative(ctx context.Context, a, b Operator, d int, opt Options) *iterative {
	p := &iterative{ctx: ctx, a: a, b: b, d: d, n: a.Dim(), sign: 1, normB: 1, length: 1, opt: opt.withDefaults()}
	p.rng = rand.New(rand.NewPCG(opt.Seed, 0x5eed))
	return p
}

// product sets dst = ±A·x and counts.
func (p *iterative) product(dst, x *mat.Dense) error {
	_, b := x.Dims()
	p.work.Products += b
	p.a.Apply(dst, x)
	if p.sign < 0 {
		dst.Scale(-1, dst)
	}
	if p.opt.Null != nil && p.b == nil && !p.opt.invariant {
		p.opt.Null.Project(dst)
	}
	return p.ctx.Err()
}

func (p *iterative) rank() int {
	if p.opt.Null == nil {
		return 0
	}
	return p.opt.Null.Rank()
}

// blockSize and basisSize shape the Krylov spaces: eight numbers are a cache line.
func (p *iterative) basisSize(block int) int {
	return max(4*(p.d+1), p.d+1+10*block)
}

func (p *iterative) solve(top bool) (*Pairs, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	free := p.n - p.rank()
	if p.d < 1 || p.d > free {
		return nil, fmt.Errorf("%w: %d eigenpairs of an operator of order %d with a subspace of %d left out", ErrOption, p.d, p.n, p.rank())
	}
	if top {
		p.sign = -1
	}
	var pairs *Pairs
	var err error
	if p.n <= max(256, 4*p.d) || p.d == free {
		pairs, err = p.dense()
	} else {
		pairs, err = p.choose()
	}
	if err != nil {
		return nil, err
	}
	if top {
		for k := range pairs.Values {
			pairs.Values[k] = -pairs.Values[k]
		}
	}
	FixSigns(pairs.Vectors)
	pairs.Null, pairs.Work = p.rank(), p.work
	return pairs, nil
}

// errSlow says that filtering would take longer than a factorisation.
var errSlow = errors.New("spectral: filtering is the slower way")

// choose picks a method by predicted cost.
func (p *iterative) choose() (*Pairs, error) {
	bottomless := p.sign < 0 // the top is not what a factorisation is good for
	e, ok := p.a.(explicit)
	if p.opt.Method == ShiftInvert && (!ok || bottomless) {
		return nil, fmt.Errorf("%w: shift-invert needs the bottom of a sparse operator", ErrOption)
	}
	if !ok || bottomless || p.opt.Method == Chebyshev {
		return p.chebyshev(math.Inf(1))
	}
	m, err := e.matrix()
	if err != nil {
		return nil, err
	}
	p.high, p.norm = gershgorin(m)
	p.bounded = true
	if p.right != nil {
		p.high = math.Inf(-1) // says nothing about the pair
		// The pattern of both.
		if m, err = sparse.Add(1, m, 0, p.right); err != nil {
			return nil, err
		}
	}
	p.perProduct = 2 * float64(m.NNZ())
	if p.opt.Method == ShiftInvert {
		s, err := p.analyze(m, 0)
		if err != nil {
			return nil, err
		}
		return p.shiftInvert(m, s)
	}
	// What filtering takes on easy spectra. A factorisation for less than twice that
	// is never a bad choice; otherwise filters go first, as far as ten times that.
	least := p.perProduct * 60 * float64(p.d+8)
	s, err := p.analyze(m, 2*least/factorWeight)
	if err == nil && p.invertCost(s) <= 2*least {
		return p.shiftInvert(m, s)
	}
	if err != nil && !errors.Is(err, sparse.ErrFill) {
		return nil, err
	}
	pairs, err := p.chebyshev(10 * least)
	if !errors.Is(err, errSlow) {
		return pairs, err
	}
	if s == nil {
		if s, err = p.analyze(m, 3000*least); errors.Is(err, sparse.ErrFill) {
			return p.chebyshev(math.Inf(1))
		} else if err != nil {
			return nil, err
		}
	}
	return p.shiftInvert(m, s)
}

// gershgorin bounds the spectrum of a symmetric matrix from above, and its radius.
func gershgorin(m *sparse.CSR) (high, radius float64) {
	high = math.Inf(-1)
	for i := range m.Rows {
		cols, vals := m.Row(i)
		centre, around := 0.0, 0.0
		for k, j := range cols {
			if int(j) == i {
				centre += vals[k]
			} else {
				around += math.Abs(vals[k])
			}
		}
		high = max(high, centre+around)
		radius = max(radius, math.Abs(centre)+around)
	}
	return high, radius
}

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
	var pairs *Pairs
	var err error
	if p.b == nil {
		pairs, err = Bottom(a, p.d)
	} else {
		pairs, err = GeneralizedBottom(a, writtenOut(p.b), p.d)
	}
	if err == nil && p.d == p.n-p.rank() {
		pairs.Gap = math.Inf(1)
	}
	return pairs, err
}

// writtenOut returns the matrix of an operator.
func writtenOut(o Operator) *mat.SymDense {
	full := mat.NewDense(o.Dim(), o.Dim(), nil)
	o.Apply(full, identity(o.Dim()))
	return symmetrized(full)
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

// finish turns a basis of at least d columns that holds the wanted eigenvectors into
// eigenpairs of A itself, and measures their residuals.
func (p *iterative) finish(x *mat.Dense) (*Pairs, error) {
	pairs, _, err := p.project(x)
	return pairs, err
}

// project is finish that also returns all Ritz values of A in the basis; their
// vectors become pairs.block.
func (p *iterative) project(x *mat.Dense) (*Pairs, []float64, error) {
	_, m := x.Dims()
	k := krylov{n: p.n, inner: p.b, null: p.opt.Null, rng: p.rng}
	k.orthonormalize(x, 0, 0)
	ax := mat.NewDense(p.n, m, nil)
	if err := p.product(ax, x); err != nil {
		return nil, nil, err
	}
	var h mat.Dense
	h.Mul(x.T(), ax)
	small, err := extreme(symmetrized(&h), m, false)
	if err != nil {
		return nil, nil, err
	}
	var v, r mat.Dense
	v.Mul(x, small.Vectors)
	r.Mul(ax, small.Vectors)
	bv := k.weigh(&v)
	pairs := &Pairs{Values: small.Values[:p.d:p.d], Vectors: columns(&v, 0, p.d), Residuals: make([]float64, p.d), Gap: math.Inf(1), block: &v}
	if m > p.d {
		pairs.Gap = small.Values[p.d] - small.Values[p.d-1]
	}
	if p.opt.Null != nil && p.opt.invariant {
		p.opt.Null.Project(&r)
	}
	for i := range p.n {
		row, own := r.RawRowView(i), bv.RawRowView(i)
		for j := range p.d {
			e := row[j] - small.Values[j]*own[j]
			pairs.Residuals[j] += e * e
		}
	}
	for j, e := range pairs.Residuals {
		pairs.Residuals[j] = math.Sqrt(e)
		if p.b != nil {
			p.length = max(p.length, mat.Norm(v.ColView(j), 2))
		}
	}
	return pairs, small.Values, nil
}

// worst returns the largest residual and how many of them are within tolerance.
func (p *iterative) worst(pairs *Pairs) (worst float64, good int) {
	for _, r := range pairs.Residuals {
		worst = max(worst, r)
		if r <= p.accepted() {
			good++
		}
	}
	return worst, good
}

// accepted is the largest residual that meets the tolerance.
func (p *iterative) accepted() float64 { return p.opt.Tolerance * p.norm * p.length }

// failure is the error of an iteration that ended too early.
func (p *iterative) failure(method string, pairs *Pairs) error {
	worst, good := p.worst(pairs)
	return fmt.Errorf("%w: %s has %d of %d eigenpairs after %d products; the largest residual is %.3g, %.3g·‖A‖ = %.3g is asked for; allow more products or a larger tolerance",
		ErrNotConverged, method, good, p.d, p.work.Products, worst, p.opt.Tolerance, p.accepted())
}
