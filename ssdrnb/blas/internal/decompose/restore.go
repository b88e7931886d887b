package decompose

import (
	"gonum.org/v1/gonum/blas"
)

// batch is the number of reflectors applied by one product.
const batch = 72

// restore transforms the k eigenvectors of the tridiagonal matrix, in the rows of y (k×n), to
// eigenvectors of A. It uses the reflectors that [reduce] has stored in a and tau: each row y
// becomes H_{n-1}·…·H_1·y. A batch of reflectors is I − Vᵀ·T·V with an upper triangular T
// (Schreiber, Van Loan 1989).
func restore(products blas.Float64, n int, a, tau, y []float64, k int) {
	most := min(batch, n-1)
	v := make([]float64, most*n)
	t, vv := make([]float64, most*most), make([]float64, most*most)
	yv, yvt := make([]float64, k*most), make([]float64, k*most)
	for start := 1; start < n; start += batch {
		end := min(start+batch, n)
		size, width := end-start, end-1
		// Row 0 of V is the reflector applied last.
		for q := range size {
			j := end - 1 - q
			copy(v[q*width:], a[j*n:j*n+j])
			clear(v[q*width+j : (q+1)*width])
		}
		products.Dsyrk(blas.Upper, blas.NoTrans, size, width, 1, v, width, 0, vv, size)
		clear(t[:size*size])
		for q := range size {
			s := tau[end-1-q]
			t[q*size+q] = s
			for p := range q { // T[:q, q] = −tau·T[:q, :q]·(V·v_q)
				sum := 0.0
				for l := p; l < q; l++ {
					sum += t[p*size+l] * vv[l*size+q]
				}
				t[p*size+q] = -s * sum
			}
		}
		products.Dgemm(blas.NoTrans, blas.Trans, k, size, width, 1, y, n, v, width, 0, yv, size)
		products.Dgemm(blas.NoTrans, blas.Trans, k, size, size, 1, yv, size, t, size, 0, yvt, size)
		products.Dgemm(blas.NoTrans, blas.NoTrans, k, width, size, -1, yvt, size, v, width, 1, y, n)
	}
}
