package level3

import "github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"

// skinny is the number of columns of the right factor up to which the left one is
// read where it lies: packing it would take longer than the product.
const skinny = 8

// skinnyProduct sets the m×n matrix c to alpha·A·b + beta·c for the m×k matrix A and
// the k×n matrix b of few columns.
func skinnyProduct(m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	scale(m, n, beta, c, ldc, whole)
	right := buffer(n * k)
	defer buffers.Put(right)
	Transpose(k, n, b, ldb, *right, k)
	i := 0
	for ; i+4 <= m; i += 4 {
		for j := range n {
			var t [4]float64
			kernel.Dot4(a[i*lda:], lda, (*right)[j*k:(j+1)*k], &t)
			for r, v := range t {
				c[(i+r)*ldc+j] += alpha * v
			}
		}
	}
	for ; i < m; i++ {
		for j := range n {
			c[i*ldc+j] += alpha * kernel.Dot((*right)[j*k:(j+1)*k], a[i*lda:])
		}
	}
}

// skinnyTransposed sets the m×n matrix c to alpha·Aᵀ·b + beta·c for the k×m matrix A
// and the k×n matrix b of few columns.
func skinnyTransposed(m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	scale(m, n, beta, c, ldc, whole)
	sums := buffer(n * m)
	defer buffers.Put(sums)
	clear(*sums)
	p := 0
	for ; p+4 <= k; p += 4 {
		for j := range n {
			s := [4]float64{b[p*ldb+j], b[(p+1)*ldb+j], b[(p+2)*ldb+j], b[(p+3)*ldb+j]}
			kernel.Axpy4(&s, a[p*lda:], lda, (*sums)[j*m:(j+1)*m])
		}
	}
	for ; p < k; p++ {
		for j := range n {
			kernel.Axpy(b[p*ldb+j], a[p*lda:p*lda+m], (*sums)[j*m:])
		}
	}
	for i := range m {
		for j := range n {
			c[i*ldc+j] += alpha * (*sums)[j*m+i]
		}
	}
}
