package decompose

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

// SVD returns the thin singular value decomposition of the m×n matrix a, m ≥ n: n singular values
// in descending order, the left vectors as the rows of u (n×m) and the right vectors as the rows of
// v (n×n). It destroys a. All entries must be finite.
//
// a is reduced to a bidiagonal matrix, which is decomposed by divide and conquer (Gu, Eisenstat
// 1995, "A divide-and-conquer algorithm for the bidiagonal SVD").
func SVD(products blas.Float64, m, n int, a []float64) (u, values, v []float64, err error) {
	scale := 1.0
	top := 0.0
	for _, x := range a {
		top = max(top, math.Abs(x))
	}
	if top > 0 && (top < 1e-100 || top > 1e100) {
		_, exponent := math.Frexp(top)
		scale = math.Ldexp(1, min(1000, -exponent))
		for i := range a {
			a[i] *= scale
		}
	}
	var impl lapackgonum.Implementation
	d, e, tauQ, tauP := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	work := make([]float64, 1)
	impl.Dgebrd(m, n, a, n, d, e[:max(0, n-1)], tauQ, tauP, work, -1)
	work = make([]float64, int(work[0]))
	impl.Dgebrd(m, n, a, n, d, e[:max(0, n-1)], tauQ, tauP, work, len(work))

	b, err := bidiagonal(products, n, d, e)
	if err != nil {
		return nil, nil, nil, err
	}
	// Sort the vectors, as rows, in descending order of values. Below, the function `apply`
	// multiplies the rows of u by Qᵀ and those of v by Pᵀ.
	u, v, values = make([]float64, n*m), make([]float64, n*n), make([]float64, n)
	for i, from := range b.descending() {
		copy(u[i*m:], b.u[from*n:(from+1)*n])
		copy(v[i*n:], b.v[from*b.ldv:from*b.ldv+n])
		values[i] = b.d[from] / scale
	}
	apply := func(vect lapack.ApplyOrtho, cols int, tau, c []float64) {
		work := make([]float64, 1)
		impl.Dormbr(vect, blas.Right, blas.Trans, n, cols, n, a, n, tau, c, cols, work, -1)
		work = make([]float64, int(work[0]))
		impl.Dormbr(vect, blas.Right, blas.Trans, n, cols, n, a, n, tau, c, cols, work, len(work))
	}
	apply(lapack.ApplyQ, m, tauQ, u)
	apply(lapack.ApplyP, n, tauP, v)
	return u, values, v, nil
}

// bidivision decomposes an upper bidiagonal matrix. A part consists of rows start … end-1 and
// columns start … end-1; all parts except the last also include column end. Such a part has one
// more right singular vector than singular values: the null vector, in row end of v.
type bidivision struct {
	products     blas.Float64
	n, ldv       int
	d, e         []float64
	u, v         []float64 // n×n and ldv×ldv: vectors of the parts, as the rows of diagonal blocks
	restU, restV []float64 // workspace
	su, sv       []float64
}

// bidiagonal decomposes the upper bidiagonal n×n matrix with diagonal d and superdiagonal e[:n-1].
// It stores the values in d, in no particular order.
func bidiagonal(products blas.Float64, n int, d, e []float64) (*bidivision, error) {
	ldv := n + 1
	b := &bidivision{products: products, n: n, ldv: ldv, d: d, e: e, u: make([]float64, n*n), v: make([]float64, ldv*ldv)}
	top := 0.0
	for i := range n {
		top = max(top, math.Abs(d[i]), math.Abs(e[i]))
	}
	if top == 0 {
		for i := range n {
			b.u[i*n+i], b.v[i*ldv+i] = 1, 1
		}
		return b, nil
	}
	for _, x := range [][]float64{d, e} {
		for i, v := range x[:n] {
			if x[i] = v / top; math.Abs(x[i]) < tiny {
				x[i] = 0 // a subnormal number has too few digits for a rotation
			}
		}
	}
	if n > leaf {
		b.restU, b.restV = make([]float64, n*n), make([]float64, ldv*ldv)
		b.su, b.sv = make([]float64, n*n), make([]float64, n*n)
	}
	if err := b.solve(0, n, 0); err != nil {
		return nil, err
	}
	for i := range d {
		d[i] *= top
	}
	return b, nil
}

// descending returns the rows in descending order of value.
func (b *bidivision) descending() []int {
	order := make([]int, b.n)
	for i := range order {
		order[i] = b.n - 1 - i
	}
	sortBy(order, func(i int) float64 { return -b.d[i] })
	return order
}

// solve decomposes rows start to end-1. beside is 1 if column end belongs to the part, and 0
// otherwise.
func (b *bidivision) solve(start, end, beside int) error {
	n := end - start
	if n <= leaf {
		return b.leaf(start, end, beside)
	}
	middle := start + n/2
	var left, right error
	if n >= parallelMin {
		var wg sync.WaitGroup
		wg.Go(func() { left = b.solve(start, middle, 1) })
		right = b.solve(middle+1, end, beside)
		wg.Wait()
	} else if left = b.solve(start, middle, 1); left == nil {
		right = b.solve(middle+1, end, beside)
	}
	if left != nil {
		return left
	}
	if right != nil {
		return right
	}
	b.merge(start, middle, end, beside)
	return nil
}

// leaf decomposes a small part by QR iteration.
func (b *bidivision) leaf(start, end, beside int) error {
	n := end - start
	width := n + beside
	d, e := b.d[start:end], append([]float64(nil), b.e[start:end]...)
	v := make([]float64, width*width)
	for i := range width {
		v[i*width+i] = 1
	}
	uplo := blas.Upper
	if beside == 1 {
		// Rotate the columns so that the last column vanishes. The rest is lower bidiagonal.
		uplo = blas.Lower
		for i := range n {
			r := math.Hypot(d[i], e[i])
			c, s := 1.0, 0.0
			if r > tiny {
				c, s = d[i]/r, e[i]/r
			}
			d[i] = r
			if i+1 < n {
				e[i] = s * d[i+1]
				d[i+1] *= c
			}
			kernel.Rot(v[i*width:(i+1)*width], v[(i+1)*width:(i+2)*width], c, s)
		}
	}
	u := make([]float64, n*n)
	for i := range n {
		u[i*n+i] = 1
	}
	var impl lapackgonum.Implementation
	if !impl.Dbdsqr(uplo, n, width, n, 0, d, e[:n-1], v, width, u, n, nil, 1, make([]float64, 4*n)) {
		return ErrNoConvergence
	}
	for i := range width {
		copy(b.v[(start+i)*b.ldv+start:], v[i*width:(i+1)*width])
	}
	for i := range n {
		row := b.u[(start+i)*b.n+start:]
		for j := range n {
			row[j] = u[j*n+i]
		}
	}
	return nil
}
