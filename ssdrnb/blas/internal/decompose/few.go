package decompose

import (
	"math"
	"math/rand/v2"

	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// selectedPairs computes a small share of the eigenpairs of a tridiagonal matrix. It finds
// eigenvalues by bisection with Sturm counts, and eigenvectors by inverse iteration (Peters,
// Wilkinson 1971), each orthogonalised against the vectors of nearby eigenvalues. It takes O(n)
// operations per eigenpair, and O(n) more for each pair of nearby eigenvalues. Divide and conquer
// would compute all vectors.
//
// Inverse iteration can fail on clusters of eigenvalues. selectedPairs therefore measures the
// result: ok is false unless residuals and orthogonality are at rounding level. d and e are not
// changed. values holds eigenvalues il to iu-1, and rows holds their eigenvectors as an (iu-il)×n
// matrix.
func selectedPairs(n int, d, e []float64, il, iu int) (values, rows []float64, ok bool) {
	k := iu - il
	norm := 0.0
	for i := range n {
		row := math.Abs(d[i])
		if i > 0 {
			row += math.Abs(e[i-1])
		}
		if i < n-1 {
			row += math.Abs(e[i])
		}
		norm = max(norm, row)
	}
	if norm == 0 {
		return nil, nil, false
	}
	values, rows = make([]float64, k), make([]float64, k*n)
	squares := make([]float64, n)
	for i := range n - 1 {
		squares[i] = e[i] * e[i]
	}
	par.Blocks(k, 1, func(at, _ int) { values[at] = bisect(n, d, squares, norm, il+at) })
	rng := rand.New(rand.NewPCG(uint64(n), 0x66657))
	work := make([]float64, 3*n)
	for at := range k {
		lambda := values[at]
		// Equal shifts would give equal vectors, so neighbouring shifts are kept a few rounding
		// errors apart.
		if at > 0 && lambda-values[at-1] < 10*eps*norm {
			lambda = values[at-1] + 10*eps*norm
		}
		near := at
		for near > 0 && values[at]-values[near-1] < 1e-3*norm {
			near--
		}
		if !invert(n, d, e, lambda, norm, rows[near*n:at*n], rows[at*n:(at+1)*n], work, rng) {
			return nil, nil, false
		}
	}
	return values, rows, sound(n, d, e, norm, values, rows)
}

// bisect returns eigenvalue number `at`, counted from 0, of the tridiagonal matrix with diagonal d.
// `squares` holds the squared off-diagonal entries.
func bisect(n int, d, squares []float64, norm float64, at int) float64 {
	lo, hi := -norm*(1+4*eps), norm*(1+4*eps)
	for hi-lo > 2*eps*max(math.Abs(lo), math.Abs(hi)) {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if countBelow(n, d, squares, norm, mid) > at {
			hi = mid
		} else {
			lo = mid
		}
		if hi-lo < eps*eps*norm {
			break // the eigenvalue is 0 up to rounding
		}
	}
	return lo + (hi-lo)/2
}

// countBelow returns the number of eigenvalues of T below x: the number of negative pivots of T −
// x·I.
func countBelow(n int, d, squares []float64, norm, x float64) int {
	count := 0
	least := 1e-290 * max(norm*norm, 1e-10)
	pivot := d[0] - x
	for i := 1; ; i++ {
		if math.Abs(pivot) < least {
			pivot = -least
		}
		if pivot < 0 {
			count++
		}
		if i == n {
			return count
		}
		pivot = d[i] - x - squares[i-1]/pivot
	}
}

// invert sets v to a unit eigenvector for the eigenvalue lambda, orthogonal to the eigenvectors in
// `earlier`. It returns false if v vanishes or overflows.
func invert(n int, d, e []float64, lambda, norm float64, earlier, v, work []float64, rng *rand.Rand) bool {
	for i := range v {
		v[i] = rng.Float64() - 0.5
	}
	lower, middle, upper := work[:n-1], work[n:2*n], work[2*n:3*n-1]
	for range 5 {
		copy(lower, e[:n-1])
		copy(upper, e[:n-1])
		for i := range n {
			middle[i] = d[i] - lambda
		}
		length := normalise(v)
		if length == 0 {
			return false
		}
		if !(lapackgonum.Implementation{}).Dgtsv(n, 1, lower, middle, upper, v, 1) {
			lambda += eps * norm // avoids a pivot of exactly 0
			continue
		}
		growth := normalise(v)
		if !(growth > 0) || math.IsInf(growth, 1) {
			return false
		}
		for pass := range 2 {
			for at := 0; at < len(earlier); at += n {
				row, dot := earlier[at:at+n], 0.0
				for i, x := range row {
					dot += x * v[i]
				}
				for i, x := range row {
					v[i] -= dot * x
				}
			}
			if left := normalise(v); pass == 0 && left < 1e-3 {
				growth = 0 // almost nothing was left, so iterate once more from here
			}
		}
		// The residual of v is 1/growth.
		if growth*norm*eps*float64(n) >= 0.1 && growth > 0 {
			return true
		}
	}
	return true // the function sound checks the result
}

// normalise scales v to unit length and returns its former length.
func normalise(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	if top == 0 || math.IsNaN(top) || math.IsInf(top, 1) {
		return top
	}
	sum := 0.0
	for i := range v {
		v[i] /= top
		sum += v[i] * v[i]
	}
	root := math.Sqrt(sum)
	for i := range v {
		v[i] /= root
	}
	return top * root
}

// sound reports whether residuals and inner products are at rounding level.
func sound(n int, d, e []float64, norm float64, values, rows []float64) bool {
	limit := 8 * float64(n) * eps
	for at, lambda := range values {
		v, sum := rows[at*n:(at+1)*n], 0.0
		for i, x := range v {
			r := (d[i] - lambda) * x
			if i > 0 {
				r += e[i-1] * v[i-1]
			}
			if i < n-1 {
				r += e[i] * v[i+1]
			}
			sum += r * r
		}
		if !(math.Sqrt(sum) <= limit*norm) {
			return false
		}
		for before := range at {
			dot := 0.0
			for i, x := range rows[before*n : (before+1)*n] {
				dot += x * v[i]
			}
			if !(math.Abs(dot) <= limit) {
				return false
			}
		}
	}
	return true
}
