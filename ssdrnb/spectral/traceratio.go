package spectral

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// Solver is an algorithm for the trace-ratio problem.
type Solver int

// The solvers. All but ITRScoreLiteral find the maximum.
const (
	// ITR is Newton's method on g: λ ← ratio of the d top eigenvectors of A − λB
	// (Wang et al. 2007). Monotone and quadratic; 5–8 steps.
	ITR Solver = iota
	// ITRScore also tries the d eigenvectors of A − λB that have the largest
	// individual ratios and keeps the better of the two (Zhao, Zhang, Chow 2012).
	ITRScore
	// ITRScoreLiteral takes the largest individual ratios only, as Tables 1–3 of
	// that paper print it. It can end at a wrong value: the ratio of sums is not
	// the sum of ratios.
	ITRScoreLiteral
	// Fast takes the d eigenvectors of A − λB with the best ratio, found by an
	// inner Dinkelbach loop (Jia, Nie, Zhang 2009). Never slower than ITR in steps.
	Fast
	// Bisect halves an interval around λ* by the sign of g (Guo et al. 2003).
	Bisect
)

// TraceRatioOptions are the settings of [TraceRatio]; the zero value is ITR from
// λ₀ = tr(A)/tr(B), tolerance 1e-12, at most 100 steps.
type TraceRatioOptions struct {
	Solver Solver
	// Start is the first λ where StartSet is true. Any value is allowed; from one
	// that is at most λ* the history is monotone.
	Start    float64
	StartSet bool
	// W0 is a start subspace (n×d, orthonormal columns); λ₀ is then its ratio. nil
	// for none.
	W0 *mat.Dense
	// Tolerance ends the iteration at |λ_{t+1} − λ_t| ≤ Tolerance·max(‖A‖/‖B‖, |λ|).
	// 0 means 1e-12.
	Tolerance float64
	// MaxSteps bounds the number of eigen-decompositions. 0 means 100.
	MaxSteps int
}

// Step is one entry of a history.
type Step struct {
	// Lambda is λ_t and G is g(λ_t), the sum of the d largest eigenvalues of
	// A − λ_t·B.
	Lambda, G float64
	// Pick says which rule gave λ_t: "start", "eig" (top eigenvalues), "score"
	// (individual ratios), "subset" (best subset) or "bisection".
	Pick string
}

// TraceRatioResult is a solved trace-ratio problem.
type TraceRatioResult struct {
	// Lambda is the ratio λ*.
	Lambda float64
	// W (n×d) are the eigenvectors of A − λ*B for its d largest eigenvalues,
	// orthonormal, signs by [FixSigns].
	W *mat.Dense
	// Values are all eigenvalues of A − λ*B, falling. The first d sum to 0.
	Values []float64
	// History has one step per eigen-decomposition.
	History []Step
	// Gap is the distance between eigenvalues d and d+1 at λ* (+Inf for d = n).
	// Unique reports whether it exceeds rounding, so that no other subspace has
	// the same ratio.
	Gap    float64
	Unique bool
	// Lower and Upper are tr(A)/tr(B) and the quotient of the d largest
	// eigenvalues of A and the d smallest of B: they bracket λ*.
	Lower, Upper float64
	// Residual is the largest residual ‖(A − λ*B)w − θw‖ that [TraceRatioOf] left.
	Residual float64
}

// TraceRatio maximises tr(WᵀAW)/tr(WᵀBW) over n×d matrices W with WᵀW = I, for a
// symmetric A and a positive semidefinite B of order n.
//
// g(λ) = max tr Wᵀ(A − λB)W is convex and falling; its root is the maximum λ*.
// If the d smallest eigenvalues of B are rounding of its largest, no more than
// (n + 16)·2⁻⁵² of it, the ratio has no maximum and the error wraps [ErrUnbounded];
// [NullSpaceTop] is then the usual answer. Each step costs a full eigen-decomposition of order n.
func TraceRatio(ctx context.Context, a, b *mat.SymDense, d int, opt TraceRatioOptions) (*TraceRatioResult, error) {
	n := a.SymmetricDim()
	if b.SymmetricDim() != n {
		return nil, fmt.Errorf("%w: matrices of order %d and %d", ErrOption, n, b.SymmetricDim())
	}
	if d < 1 || d > n {
		return nil, fmt.Errorf("%w: %d dimensions of %d", ErrOption, d, n)
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-12
	}
	if opt.MaxSteps == 0 {
		opt.MaxSteps = 100
	}
	p := &traceRatio{ctx: ctx, a: a, b: b, d: d, opt: opt}
	if err := p.bracket(); err != nil {
		return nil, err
	}
	if opt.Solver == Bisect {
		return p.bisect()
	}
	return p.iterate()
}

// traceRatio is a problem being solved.
type traceRatio struct {
	ctx    context.Context
	a, b   *mat.SymDense
	d      int
	opt    TraceRatioOptions
	result TraceRatioResult
	scale  float64 // ‖A‖ + |λ|‖B‖ is a·scaleA + |λ|·scaleB
	scaleB float64
}

// bracket bounds λ* and refuses an unbounded ratio.
func (p *traceRatio) bracket() error {
	if err := finite(p.b); err != nil {
		return err
	}
	va, _, err := decompose(p.a)
	if err != nil {
		return err
	}
	vb, _, err := decompose(p.b)
	if err != nil {
		return err
	}
	n := len(va)
	if null := vanishing(vb); null >= p.d {
		return advice.Errorf("add a ridge or take the null-space solution", "%w: the denominator vanishes on %d dimensions, %d are asked for", ErrUnbounded, null, p.d)
	}
	p.scale = max(math.Abs(va[0]), math.Abs(va[n-1]))
	p.scaleB = vb[n-1]
	p.result.Lower, p.result.Upper = mat.Trace(p.a)/mat.Trace(p.b), upperBound(va, vb, p.d)
	return nil
}

// vanishing returns the number of dimensions on which the denominator with the rising
// eigenvalues vb is rounding: the matrix was added up and its eigenvalues computed to
// a few ε of its norm, a little more the larger its order.
func vanishing(vb []float64) int {
	n := len(vb)
	floor, null := float64(n+16)*0x1p-52*vb[n-1], 0
	for null < n && !(vb[null] > floor) {
		null++
	}
	return null
}

// upperBound returns the sum of the d largest eigenvalues of A over that of the d
// smallest of B.
func upperBound(va, vb []float64, d int) float64 {
	top, bottom := 0.0, 0.0
	for k := range d {
		top += va[len(va)-1-k]
		bottom += max(vb[k], 0)
	}
	return top / bottom
}

// unit is the size of λ against which steps are small.
func (p *traceRatio) unit(lambda float64) float64 {
	return max(p.scale/p.scaleB, math.Abs(lambda))
}

// spectrum is the eigen-decomposition of A − λB, falling.
type spectrum struct {
	lambda  float64
	values  []float64
	vectors *mat.Dense
	g       float64
}

func (p *traceRatio) at(lambda float64) (*spectrum, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	n := p.a.SymmetricDim()
	m := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			m.SetSym(i, j, p.a.At(i, j)-lambda*p.b.At(i, j))
		}
	}
	all, err := extreme(m, n, true)
	if err != nil {
		return nil, err
	}
	s := &spectrum{lambda: lambda, values: all.Values, vectors: all.Vectors}
	for _, v := range s.values[:p.d] {
		s.g += v
	}
	return s, nil
}

// parts returns wᵀAw and wᵀBw for each eigenvector.
func (p *traceRatio) parts(s *spectrum) (num, den []float64) {
	n := len(s.values)
	num, den = make([]float64, n), make([]float64, n)
	var bw mat.Dense
	bw.Mul(p.b, s.vectors)
	for k := range n {
		for i := range n {
			den[k] += s.vectors.At(i, k) * bw.At(i, k)
		}
		// wᵀAw = τ + λ·wᵀBw saves the product with A, but not its digits when τ and
		// λ·wᵀBw nearly cancel; they do so just where wᵀAw is small against both.
		num[k] = s.values[k] + s.lambda*den[k]
	}
	return num, den
}

// better returns the next λ by the solver's rule.
func (p *traceRatio) better(s *spectrum) (float64, string) {
	num, den := p.parts(s)
	top := make([]int, p.d)
	for k := range top {
		top[k] = k
	}
	byValue := quotient(num, den, top)
	switch p.opt.Solver {
	case ITRScore:
		if byScore := quotient(num, den, best(p.d, num, den, score)); byScore >= byValue {
			return byScore, "score"
		}
	case ITRScoreLiteral:
		return quotient(num, den, best(p.d, num, den, score)), "score"
	case Fast:
		// The set that is best for μ has a ratio of at least μ: the loop climbs and,
		// over finitely many sets, ends.
		mu := byValue
		for range 100 {
			set := best(p.d, num, den, func(a, b float64) float64 { return a - mu*b })
			next := quotient(num, den, set)
			if next <= mu {
				break
			}
			mu = next
		}
		return mu, "subset"
	}
	return byValue, "eig"
}

// score is an eigenvector's own ratio; 0/0 must never be chosen.
func score(a, b float64) float64 {
	if b <= 0 {
		return math.Inf(-1)
	}
	return a / b
}

// best returns the d indices with the largest value of f, the lower first among
// equals.
func best(d int, num, den []float64, f func(a, b float64) float64) []int {
	order := make([]int, len(num))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f(num[j], den[j]), f(num[i], den[i])) })
	return order[:d]
}

func quotient(num, den []float64, set []int) float64 {
	a, b := 0.0, 0.0
	for _, k := range set {
		a += num[k]
		b += den[k]
	}
	return a / b
}

// iterate runs the Newton-like solvers.
func (p *traceRatio) iterate() (*TraceRatioResult, error) {
	lambda := p.result.Lower
	switch {
	case p.opt.W0 != nil:
		num, den := mat.Trace(congruence(p.a, p.opt.W0)), mat.Trace(congruence(p.b, p.opt.W0))
		if !(den > 0) {
			return nil, fmt.Errorf("%w: the start subspace has the denominator %g", ErrOption, den)
		}
		lambda = num / den
	case p.opt.StartSet:
		lambda = p.opt.Start
	}
	pick := "start"
	for step := 0; ; step++ {
		s, err := p.at(lambda)
		if err != nil {
			return nil, err
		}
		p.result.History = append(p.result.History, Step{lambda, s.g, pick})
		next, rule := p.better(s)
		small := math.Abs(next-lambda) <= p.opt.Tolerance*p.unit(lambda)
		// After the first step every λ_t of the safe solvers is an attained ratio
		// and can only rise: a fall is rounding at the fixed point.
		fell := step > 0 && next < lambda && p.opt.Solver != ITRScoreLiteral
		if small || fell {
			if next > lambda || p.opt.Solver == ITRScoreLiteral {
				if s, err = p.at(next); err != nil {
					return nil, err
				}
				p.result.History = append(p.result.History, Step{next, s.g, rule})
			}
			return p.finish(s)
		}
		if step+1 >= p.opt.MaxSteps {
			return nil, fmt.Errorf("%w: trace ratio after %d steps: λ = %g, g(λ) = %g", ErrNotConverged, step+1, lambda, s.g)
		}
		lambda, pick = next, rule
	}
}

// bisect halves the bracket.
func (p *traceRatio) bisect() (*TraceRatioResult, error) {
	lo, hi := p.result.Lower, p.result.Upper
	// Rounding may put the bounds on the wrong side when they are equal.
	slack := 1e-9 * p.unit(max(math.Abs(lo), math.Abs(hi)))
	lo, hi = min(lo, hi)-slack, max(lo, hi)+slack
	for hi-lo > p.opt.Tolerance*p.unit(lo) {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		s, err := p.at(mid)
		if err != nil {
			return nil, err
		}
		p.result.History = append(p.result.History, Step{mid, s.g, "bisection"})
		if s.g > 0 {
			lo = mid
		} else {
			hi = mid
		}
		if len(p.result.History) > 200 {
			return nil, fmt.Errorf("%w: bisection after 200 steps", ErrNotConverged)
		}
	}
	s, err := p.at(lo + (hi-lo)/2)
	if err != nil {
		return nil, err
	}
	p.result.History = append(p.result.History, Step{s.lambda, s.g, "bisection"})
	return p.finish(s)
}

// finish fills the result from the spectrum at the last λ and checks g(λ*) = 0.
func (p *traceRatio) finish(s *spectrum) (*TraceRatioResult, error) {
	n, d := len(s.values), p.d
	r := &p.result
	scale := p.scale + math.Abs(s.lambda)*p.scaleB
	if math.Abs(s.g) > 1e-8*scale && p.opt.Solver != ITRScoreLiteral {
		return nil, fmt.Errorf("%w: g(%g) = %g where ‖A‖ + λ‖B‖ = %g", ErrNotConverged, s.lambda, s.g, scale)
	}
	r.Lambda, r.Values, r.Gap = s.lambda, s.values, math.Inf(1)
	r.W = mat.DenseCopyOf(s.vectors.Slice(0, n, 0, d))
	if d < n {
		r.Gap = s.values[d-1] - s.values[d]
	}
	r.Unique = r.Gap > 1e-10*scale
	return r, nil
}
