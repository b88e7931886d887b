package spectral

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// Solver is an algorithm for the trace-ratio problem.
type Solver int

// The solvers. All except ITRScoreLiteral find the maximum.
const (
	// ITR, iterative trace ratio, is Newton's method for g(λ) = 0 (see [TraceRatio]). The next λ is
	// the ratio attained by the d top eigenvectors of A − λB (Wang et al. 2007). It is monotone and
	// converges quadratically, in 5–8 steps.
	ITR Solver = iota
	// ITRScore also tries the d eigenvectors of A − λB with the largest individual ratios
	// wᵀAw/wᵀBw, and keeps the better of the two sets (Zhao, Zhang, Chow 2012).
	ITRScore
	// ITRScoreLiteral uses the largest individual ratios only, as printed in Tables 1–3 of the
	// paper cited for ITRScore. It can end at a wrong value, because the ratio of sums is not the
	// sum of ratios.
	ITRScoreLiteral
	// Fast uses the d eigenvectors of A − λB with the best ratio, found by an inner Dinkelbach loop
	// (Jia, Nie, Zhang 2009). It never takes more steps than ITR.
	Fast
	// Bisect halves an interval around λ*, the root of g, according to the sign of g (Guo et al.
	// 2003).
	Bisect
)

// TraceRatioOptions are the settings of [TraceRatio]. The zero value selects ITR from λ₀ =
// tr(A)/tr(B), with a tolerance of 1e-12 and at most 100 steps.
type TraceRatioOptions struct {
	Solver Solver
	// Start is the first λ if StartSet is true. Any value is allowed. If it is at most λ*, the
	// history is monotone. Bisect ignores Start and W0.
	Start    float64
	StartSet bool
	// W0 is an initial subspace (n×d, orthonormal columns), or nil. If it is set, its ratio is the
	// first λ, and Start is ignored.
	W0 *mat.Dense
	// Tolerance ends the iteration when |λ_{t+1} − λ_t| ≤ Tolerance·max(‖A‖/‖B‖, |λ|). Bisect ends
	// when its interval is at most this long. 0 means 1e-12.
	Tolerance float64
	// MaxSteps is the largest number of steps. 0 means 100. Bisect always takes up to 200.
	MaxSteps int
}

// Step is one entry of a history.
type Step struct {
	// Lambda is λ_t and G is g(λ_t), the sum of the d largest eigenvalues of
	// A − λ_t·B.
	Lambda, G float64
	// Pick names the rule that determined λ_t: "start", "eig" (top eigenvalues), "score"
	// (individual ratios), "subset" (best subset), "bisection", or "basis" in [TraceRatioOf].
	Pick string
}

// TraceRatioResult is a solved trace-ratio problem.
type TraceRatioResult struct {
	// Lambda is the ratio λ*.
	Lambda float64
	// W (n×d) holds the orthonormal eigenvectors of A − λ*B for its d largest eigenvalues, with
	// signs set by [FixSigns].
	W *mat.Dense
	// Values holds the d + 1 largest eigenvalues of A − λ*B in descending order, or fewer if there
	// are fewer. ITRScore, ITRScoreLiteral and Fast give all n. The first d sum to 0 at the
	// maximum.
	Values []float64
	// History has one entry per eigendecomposition.
	History []Step
	// Gap is the difference between eigenvalues d and d+1 at λ* (+Inf for d = n). Unique reports
	// whether it exceeds rounding error, so that no other subspace has the same ratio.
	Gap    float64
	Unique bool
	// Lower and Upper bracket λ*. Lower is tr(A)/tr(B). Upper is the sum of the d largest
	// eigenvalues of A divided by the sum of the d smallest of B.
	Lower, Upper float64
	// Residual is the largest residual ‖(A − λ*B)w − θw‖ of a result of [TraceRatioOf].
	Residual float64
}

// TraceRatio maximises tr(WᵀAW)/tr(WᵀBW) over n×d matrices W with WᵀW = I, for a symmetric A and a
// positive semidefinite B of order n.
//
// g(λ) = max tr Wᵀ(A − λB)W is convex and decreasing; its root is the maximum λ*. If the d smallest
// eigenvalues of B are at most (n + 16)·2⁻⁵² times the largest, they count as rounding errors. The
// ratio then has no maximum, and the error wraps [ErrUnbounded]; [NullSpaceTop] is the usual
// alternative. Each step of ITR and Bisect computes d + 1 eigenpairs of a matrix of order n (see
// [Top]); each step of the other solvers computes all n.
func TraceRatio(ctx context.Context, a, b *mat.SymDense, d int, opt TraceRatioOptions) (*TraceRatioResult, error) {
	p, err := newTraceRatio(ctx, a, b, []int{d})
	if err != nil {
		return nil, err
	}
	if err := p.bounded(d); err != nil {
		return nil, err
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-12
	}
	if opt.MaxSteps == 0 {
		opt.MaxSteps = 100
	}
	if opt.Solver == Bisect {
		return p.bisect(d, opt)
	}
	if opt.Solver != ITR {
		p.pairs = a.SymmetricDim()
	}
	lambda := p.start
	switch {
	case opt.W0 != nil:
		num, den := mat.Trace(congruence(a, opt.W0)), mat.Trace(congruence(b, opt.W0))
		if !(den > 0) {
			return nil, fmt.Errorf("%w: the denominator of the start subspace is %g, but must be positive", ErrOption, den)
		}
		lambda = num / den
	case opt.StartSet:
		lambda = opt.Start
	}
	return p.newton(d, lambda, opt, func(s *spectrum) (float64, string) { return s.better(d, opt.Solver) })
}

// traceRatio is the state of a trace-ratio problem for one or more dimensions.
type traceRatio struct {
	ctx            context.Context
	a, b           *mat.SymDense
	pairs          int       // eigenpairs wanted of each A − λB
	va, vb         []float64 // eigenvalues of A and B, ascending
	start          float64   // tr(A)/tr(B)
	scaleA, scaleB float64   // ‖A‖ and ‖B‖
	last           *spectrum // the last decomposition
}

// newTraceRatio checks the arguments and computes the eigenvalues and norms of A and B.
func newTraceRatio(ctx context.Context, a, b *mat.SymDense, dims []int) (*traceRatio, error) {
	n := a.SymmetricDim()
	if b.SymmetricDim() != n {
		return nil, fmt.Errorf("%w: A has order %d, but B has order %d", ErrOption, n, b.SymmetricDim())
	}
	most := 0
	for _, d := range dims {
		if d < 1 || d > n {
			return nil, fmt.Errorf("%w: %d dimensions are requested, but the number must lie between 1 and %d, the order of A", ErrOption, d, n)
		}
		most = max(most, d)
	}
	p := &traceRatio{ctx: ctx, a: a, b: b, pairs: min(n, most+1), start: mat.Trace(a) / mat.Trace(b)}
	var err error
	if p.va, err = blas.EigenValuesSym(a); err != nil {
		return nil, translate(err)
	}
	if p.vb, err = blas.EigenValuesSym(b); err != nil {
		return nil, translate(err)
	}
	p.scaleA, p.scaleB = max(math.Abs(p.va[0]), math.Abs(p.va[n-1])), p.vb[n-1]
	return p, nil
}

// vanishing returns the number of dimensions on which the denominator is rounding error. Summation
// and the eigenvalue computation leave errors of a few ε of the norm, slightly more for larger
// orders.
func (p *traceRatio) vanishing() int {
	n := len(p.vb)
	floor, null := float64(n+16)*0x1p-52*p.vb[n-1], 0
	for null < n && !(p.vb[null] > floor) {
		null++
	}
	return null
}

// bounded returns an error if the denominator vanishes on d dimensions.
func (p *traceRatio) bounded(d int) error {
	if null := p.vanishing(); null >= d {
		return advice.Errorf("set Ridge above 0", "%w: the denominator vanishes on %s, and %d %s requested", ErrUnbounded, nouns.Count(null, "dimension"), d, nouns.Form(d, "is", "are"))
	}
	return nil
}

// upper returns the sum of the d largest eigenvalues of A divided by the sum of the d smallest of
// B.
func (p *traceRatio) upper(d int) float64 {
	top, bottom := 0.0, 0.0
	for k := range d {
		top += p.va[len(p.va)-1-k]
		bottom += max(p.vb[k], 0)
	}
	return top / bottom
}

// unit returns the magnitude of λ to which the tolerance is relative.
func (p *traceRatio) unit(lambda float64) float64 {
	return max(p.scaleA/p.scaleB, math.Abs(lambda))
}

// spectrum holds the top eigenpairs of A − λB, descending, and wᵀAw and wᵀBw for each eigenvector
// w.
type spectrum struct {
	lambda   float64
	values   []float64
	vectors  *mat.Dense
	num, den []float64
}

// g returns the sum of the d largest eigenvalues.
func (s *spectrum) g(d int) float64 { return floats.Sum(s.values[:d]) }

// at returns the top eigenpairs of A − λB. It reuses the result if the last call had the same λ.
func (p *traceRatio) at(lambda float64) (*spectrum, error) {
	if p.last != nil && p.last.lambda == lambda {
		return p.last, nil
	}
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	top, err := extreme(dense.Plus(p.a, -lambda, p.b), p.pairs, true)
	if err != nil {
		return nil, err
	}
	s := &spectrum{lambda: lambda, values: top.Values, vectors: top.Vectors}
	s.num, s.den = make([]float64, p.pairs), make([]float64, p.pairs)
	var bw mat.Dense
	bw.Mul(p.b, s.vectors)
	for i := range len(p.va) {
		w, x := s.vectors.RawRowView(i), bw.RawRowView(i)
		for k := range s.den {
			s.den[k] += w[k] * x[k]
		}
	}
	for k, v := range s.values {
		// Computing wᵀAw as τ + λ·wᵀBw saves the product with A. It loses digits if τ and λ·wᵀBw
		// nearly cancel, which happens exactly where wᵀAw is small relative to both.
		s.num[k] = v + lambda*s.den[k]
	}
	p.last = s
	return s, nil
}

// better returns the next λ by the solver's rule, and the name of the rule for Step.Pick.
func (s *spectrum) better(d int, solver Solver) (float64, string) {
	byValue := s.quotient(order.Rows(d))
	switch solver {
	case ITRScore:
		if byScore := s.quotient(s.best(d, score)); byScore >= byValue {
			return byScore, "score"
		}
	case ITRScoreLiteral:
		return s.quotient(s.best(d, score)), "score"
	case Fast:
		// The best set for μ has a ratio of at least μ. The loop therefore increases μ and ends,
		// because there are finitely many sets.
		mu := byValue
		for range 100 {
			next := s.quotient(s.best(d, func(a, b float64) float64 { return a - mu*b }))
			if next <= mu {
				break
			}
			mu = next
		}
		return mu, "subset"
	}
	return byValue, "eig"
}

// score returns a/b, the ratio of a single eigenvector, or −Inf for a denominator of 0, so that 0/0
// is never selected.
func score(a, b float64) float64 {
	if b <= 0 {
		return math.Inf(-1)
	}
	return a / b
}

// best returns the d indices with the largest f(wᵀAw, wᵀBw). Ties go to the lower index.
func (s *spectrum) best(d int, f func(a, b float64) float64) []int {
	return order.By(len(s.num), func(i, j int) int { return cmp.Compare(f(s.num[j], s.den[j]), f(s.num[i], s.den[i])) })[:d]
}

// quotient returns the trace ratio attained by the eigenvectors with the given indices.
func (s *spectrum) quotient(set []int) float64 {
	a, b := 0.0, 0.0
	for _, k := range set {
		a += s.num[k]
		b += s.den[k]
	}
	return a / b
}

// newton starts from lambda and replaces λ by the value that the function `better` returns for the
// eigenvectors of A − λB, until λ no longer changes.
func (p *traceRatio) newton(d int, lambda float64, opt TraceRatioOptions, better func(*spectrum) (float64, string)) (*TraceRatioResult, error) {
	literal := opt.Solver == ITRScoreLiteral
	var history []Step
	pick := "start"
	for step := 0; ; step++ {
		s, err := p.at(lambda)
		if err != nil {
			return nil, err
		}
		history = append(history, Step{lambda, s.g(d), pick})
		next, rule := better(s)
		small := math.Abs(next-lambda) <= opt.Tolerance*p.unit(lambda)
		// Except with ITRScoreLiteral, every λ_t after the first is an attained ratio and can only
		// increase. A decrease is rounding error at the fixed point.
		fell := step > 0 && next < lambda && !literal
		if small || fell {
			if next > lambda || literal {
				if s, err = p.at(next); err != nil {
					return nil, err
				}
				history = append(history, Step{next, s.g(d), rule})
			}
			return p.finish(s, d, history, !literal)
		}
		if step+1 >= opt.MaxSteps {
			return nil, fmt.Errorf("%w: the trace ratio did not reach the tolerance in %d steps: λ = %g, g(λ) = %g", ErrNotConverged, step+1, lambda, s.g(d))
		}
		lambda, pick = next, rule
	}
}

// bisect halves the interval from tr(A)/tr(B) to upper(d) until it is as short as the tolerance.
func (p *traceRatio) bisect(d int, opt TraceRatioOptions) (*TraceRatioResult, error) {
	lo, hi := p.start, p.upper(d)
	// If the bounds are equal, rounding may exchange them.
	slack := 1e-9 * p.unit(max(math.Abs(lo), math.Abs(hi)))
	lo, hi = min(lo, hi)-slack, max(lo, hi)+slack
	var history []Step
	for hi-lo > opt.Tolerance*p.unit(lo) {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		s, err := p.at(mid)
		if err != nil {
			return nil, err
		}
		history = append(history, Step{mid, s.g(d), "bisection"})
		if s.g(d) > 0 {
			lo = mid
		} else {
			hi = mid
		}
		if len(history) > 200 {
			return nil, fmt.Errorf("%w: bisection did not reach the tolerance in 200 steps", ErrNotConverged)
		}
	}
	s, err := p.at(lo + (hi-lo)/2)
	if err != nil {
		return nil, err
	}
	return p.finish(s, d, append(history, Step{s.lambda, s.g(d), "bisection"}), true)
}

// finish fills the result from the spectrum at the last λ. If reached is true, it checks g(λ*) = 0.
func (p *traceRatio) finish(s *spectrum, d int, history []Step, reached bool) (*TraceRatioResult, error) {
	n, scale := len(p.va), p.scaleA+math.Abs(s.lambda)*p.scaleB
	if g := s.g(d); math.Abs(g) > 1e-8*scale && reached {
		return nil, fmt.Errorf("%w: g(%g) = %g is not 0 up to rounding, relative to ‖A‖ + λ‖B‖ = %g", ErrNotConverged, s.lambda, g, scale)
	}
	r := &TraceRatioResult{Lambda: s.lambda, Values: s.values, History: history, Gap: math.Inf(1), Lower: p.start, Upper: p.upper(d)}
	r.W = mat.DenseCopyOf(s.vectors.Slice(0, n, 0, d))
	if d < n {
		r.Gap = s.values[d-1] - s.values[d]
	}
	r.Unique = r.Gap > 1e-10*scale
	return r, nil
}
