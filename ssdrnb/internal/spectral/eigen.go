// Package spectral solves the eigenproblems and trace-ratio problems of dimensionality reduction.
//
// What to call:
//
//	a dense symmetric matrix             [Top], [Bottom], [Decompose] for all eigenpairs
//	a dense pair (A, B)                  [GeneralizedTop], [GeneralizedBottom], [NullSpaceTop]
//	a matrix that is never formed        [BottomOf] an [Operator]
//	an operator with a known null space  [BottomNontrivial]
//	the Laplacian of a graph             [LaplacianBottom]
//	tr(VᵀAV)/tr(VᵀBV) under VᵀV = I      [TraceRatio], [TraceRatioOf], [TraceRatioPath]
//
// Samples are rows and eigenvectors columns, n×d. Signs follow [FixSigns], so that a result is the
// same on every machine up to rounding. Iterative solvers report residuals, and return an error
// that wraps [ErrNotConverged] if they do not reach the tolerance. Arguments are never changed.
package spectral

import (
	"errors"
	"fmt"
	"math"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrOption means that an argument is out of range, has the wrong size, or is not symmetric.
	ErrOption = errors.New("spectral: argument out of range")
	// ErrNotFinite means that a matrix has a NaN or an infinity.
	ErrNotFinite = errors.New("spectral: matrix is not finite")
	// ErrSingular means that the right-hand matrix B vanishes, or that columns are linearly
	// dependent.
	ErrSingular = errors.New("spectral: singular denominator")
	// ErrRegular means that a matrix lacks the required null space.
	ErrRegular = errors.New("spectral: the matrix has no null space")
	// ErrUnbounded means that a trace ratio has no maximum.
	ErrUnbounded = errors.New("spectral: the trace ratio is unbounded")
	// ErrNotConverged means that an iteration ended before its tolerance was met.
	ErrNotConverged = errors.New("spectral: not converged")
)

// rankTolerance is the eigenvalue, relative to the largest, below which a
// direction counts as null.
const rankTolerance = 1e-12

// Pairs holds eigenvalues and their eigenvectors.
type Pairs struct {
	// Values holds the eigenvalues in the order documented by the function that returns them.
	Values []float64
	// Vectors holds the n×d eigenvectors as columns, with signs set by [FixSigns].
	Vectors *mat.Dense
	// Residuals holds the norms ‖A·v − τ·v‖, or ‖A·w − τ·B·w‖ for a generalised eigenproblem. For
	// [RandomWalk] it holds upper bounds of these norms; [Spectrum.QuotientTop] leaves it nil.
	Residuals []float64
	// Gap is the distance from the last returned eigenvalue to the next, or +Inf if all are
	// returned. The span of the vectors is unique if and only if Gap > 0. An iterative solver
	// estimates the next eigenvalue by its Ritz value.
	Gap float64
	// Null is the number of null vectors known in advance, such as the number of components for a
	// graph Laplacian. It is 0 for dense solvers.
	Null int
	// Work counts the operations of an iterative solver; it is zero for a reduction of a dense
	// matrix.
	Work Work

	block *mat.Dense // all Ritz vectors of an iterative solver, from which it continues
}

// Work counts the operations of an iterative solver.
type Work struct {
	// Method is "Lanczos", "Chebyshev", "shift-invert", or "dense" if a small operator, or the
	// restriction of an operator to a small space, was converted to a dense matrix.
	Method string
	// Products is the number of columns to which the operator was applied. Solves is the number of
	// columns solved for by shift-invert.
	Products, Solves int
}

// Top returns the d largest eigenvalues of the symmetric matrix a in descending order, with
// orthonormal eigenvectors.
//
// For order n ≥ 512 and up to n/50 pairs, Top uses a Lanczos iteration. The iteration ends when
// residuals are at rounding level and the Frobenius norm or a Cholesky factorisation has proved
// that no larger eigenvalue is left. A single starting vector cannot separate repeated eigenvalues,
// so the proof may fail. If it fails, or after n/5 products, Top reduces the matrix to tridiagonal
// form, as it does for all other n and d.
func Top(a *mat.SymDense, d int) (*Pairs, error) {
	return slice(a, d, true)
}

// Bottom returns the d smallest eigenvalues of the symmetric matrix a in ascending algebraic order
// (−2 comes before 1), with orthonormal eigenvectors.
func Bottom(a *mat.SymDense, d int) (*Pairs, error) {
	return slice(a, d, false)
}

func slice(a *mat.SymDense, d int, top bool) (*Pairs, error) {
	p, err := extreme(a, d, top)
	if err == nil {
		p.Residuals = residuals(a, nil, p.Values, p.Vectors)
	}
	return p, err
}

// extreme returns the d smallest or largest eigenpairs. It leaves Residuals nil, which saves the
// product a·V.
func extreme(a *mat.SymDense, d int, top bool) (*Pairs, error) {
	n := a.SymmetricDim()
	if d < 1 || d > n {
		return nil, fmt.Errorf("%w: %d eigenpairs are requested, but the number must lie between 1 and %d, the order of the matrix", ErrOption, d, n)
	}
	// One additional pair gives the gap.
	lo, hi := 0, min(n, d+1)
	var values []float64
	var vectors *mat.Dense
	var work Work
	if top {
		lo, hi = n-hi, n
		values, vectors, work = topByProducts(a, d)
	}
	if values == nil {
		var err error
		if values, vectors, err = blas.EigenSymRange(a, lo, hi); err != nil {
			return nil, translate(err)
		}
		if top {
			reverse(values, vectors)
		}
	}
	p := &Pairs{Values: values[:d:d], Vectors: columns(vectors, 0, d), Gap: math.Inf(1), Work: work}
	if d < n {
		p.Gap = math.Abs(values[d] - values[d-1])
	}
	FixSigns(p.Vectors)
	return p, nil
}

func reverse(values []float64, vectors *mat.Dense) {
	slices.Reverse(values)
	rows, _ := vectors.Dims()
	for i := range rows {
		slices.Reverse(vectors.RawRowView(i))
	}
}

// columns returns a copy of columns lo to hi−1, or v itself if these are all columns.
func columns(v *mat.Dense, lo, hi int) *mat.Dense {
	rows, cols := v.Dims()
	if lo == 0 && hi == cols {
		return v
	}
	return mat.DenseCopyOf(v.Slice(0, rows, lo, hi))
}

// residuals returns ‖a·v − τ·b·v‖ for each column v of w and its eigenvalue τ. A nil b means I.
func residuals(a, b *mat.SymDense, values []float64, w *mat.Dense) []float64 {
	rows, cols := w.Dims()
	aw, bw := mat.NewDense(rows, cols, nil), w
	multiplySymmetric(aw, a, w)
	if b != nil {
		bw = mat.NewDense(rows, cols, nil)
		multiplySymmetric(bw, b, w)
	}
	out := make([]float64, len(values))
	for i := range rows {
		x, y := aw.RawRowView(i), bw.RawRowView(i)
		for k, v := range values {
			r := x[k] - v*y[k]
			out[k] += r * r
		}
	}
	for k := range out {
		out[k] = math.Sqrt(out[k])
	}
	return out
}

// narrow is the largest number of columns for which memory bandwidth limits a product with a dense
// symmetric matrix.
const narrow = 16

// multiplySymmetric sets dst = a·x.
func multiplySymmetric(dst *mat.Dense, a *mat.SymDense, x *mat.Dense) {
	if _, p := x.Dims(); p <= narrow {
		blas.SymMul(dst, a, x)
	} else {
		dst.Mul(a, x)
	}
}

// translate wraps an error of package blas with the corresponding sentinel error of this package.
func translate(err error) error {
	switch {
	case errors.Is(err, blas.ErrNotFinite):
		return fmt.Errorf("%w: %w", ErrNotFinite, err)
	case errors.Is(err, blas.ErrNoConvergence):
		return fmt.Errorf("%w: %w", ErrNotConverged, err)
	}
	return err
}

// decompose returns all eigenpairs of a finite matrix in ascending order.
func decompose(a *mat.SymDense) ([]float64, *mat.Dense, error) {
	values, vectors, err := blas.EigenSym(a)
	if err != nil {
		return nil, nil, translate(err)
	}
	return values, vectors, nil
}

// nullity counts the eigenvalues that are at most rankTolerance times the largest. values is in
// ascending order.
func nullity(values []float64) int {
	n, null := len(values), 0
	for null < n && values[null] <= rankTolerance*values[n-1] {
		null++
	}
	return null
}

func finite(a *mat.SymDense) error {
	raw := a.RawSymmetric()
	for i := range raw.N {
		for j := i; j < raw.N; j++ {
			if v := raw.Data[i*raw.Stride+j]; math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: entry (%d, %d) is %v", ErrNotFinite, i, j, v)
			}
		}
	}
	return nil
}

// FixSigns flips the sign of columns so that the entry of largest magnitude is positive. Among
// entries whose magnitudes agree to 1e-9, the first decides.
func FixSigns(v *mat.Dense) { dense.Flip(dense.Signs(v), v) }

// GeneralizedTop returns the d largest τ of a·w = τ·b·w in descending order, for symmetric a and
// positive semidefinite b. Eigenvectors satisfy wᵀbw = 1 and are b-orthogonal. Directions in which
// b is below 1e-12 times its largest eigenvalue are left out, because the quotient wᵀaw/wᵀbw is
// undefined there. If fewer than d directions remain, the result has fewer columns; if none
// remains, the error wraps [ErrSingular].
func GeneralizedTop(a, b *mat.SymDense, d int) (*Pairs, error) {
	return generalized(a, b, d, true)
}

// GeneralizedBottom is [GeneralizedTop] for the d smallest τ in ascending order.
func GeneralizedBottom(a, b *mat.SymDense, d int) (*Pairs, error) {
	return generalized(a, b, d, false)
}

func generalized(a, b *mat.SymDense, d int, top bool) (*Pairs, error) {
	n := a.SymmetricDim()
	if b.SymmetricDim() != n {
		return nil, fmt.Errorf("%w: a has order %d, but b has order %d", ErrOption, n, b.SymmetricDim())
	}
	if d < 1 || d > n {
		return nil, fmt.Errorf("%w: %d eigenpairs are requested, but the number must lie between 1 and %d, the order of the matrices", ErrOption, d, n)
	}
	if err := finite(a); err != nil {
		return nil, err
	}
	t, err := Whiten(b)
	if err != nil {
		return nil, err
	}
	_, rank := t.Dims()
	p, err := extreme(congruence(a, t), min(d, rank), top)
	if err != nil {
		return nil, err
	}
	w := mat.NewDense(n, min(d, rank), nil)
	w.Mul(t, p.Vectors)
	FixSigns(w)
	p.Vectors = w
	p.Residuals = residuals(a, b, p.Values, w)
	return p, nil
}

// Whiten returns t (n×rank) with tᵀbt = I for a positive semidefinite b. For a regular b, t is the
// inverse Cholesky factor. For a singular b, t consists of the scaled eigenvectors with eigenvalues
// above 1e-12 times the largest. In both cases, t·tᵀ is the (pseudo-)inverse of b. If b vanishes,
// the error wraps [ErrSingular].
func Whiten(b *mat.SymDense) (*mat.Dense, error) {
	if err := finite(b); err != nil {
		return nil, err
	}
	n := b.SymmetricDim()
	var chol mat.Cholesky
	if chol.Factorize(b) && chol.Cond() < 1/rankTolerance {
		var r mat.TriDense
		chol.UTo(&r)
		t := mat.NewDense(n, n, nil)
		for i := range n {
			t.Set(i, i, 1)
		}
		blas64.Trsm(gonumblas.Left, gonumblas.NoTrans, 1, r.RawTriangular(), t.RawMatrix())
		return t, nil
	}
	values, vectors, err := decompose(b)
	if err != nil {
		return nil, err
	}
	first := nullity(values)
	if first == n {
		return nil, advice.Errorf("set Ridge above 0", "%w: its largest eigenvalue is %g", ErrSingular, values[n-1])
	}
	t := mat.NewDense(n, n-first, nil)
	for k := first; k < n; k++ {
		for i := range n {
			t.Set(i, k-first, vectors.At(i, k)/math.Sqrt(values[k]))
		}
	}
	return t, nil
}

// congruence returns tᵀ·a·t.
func congruence(a *mat.SymDense, t *mat.Dense) *mat.SymDense {
	var at mat.Dense
	at.Mul(a, t)
	return dense.SymmetricProduct(t, &at)
}
