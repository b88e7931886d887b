package goblas

import "github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"

const (
	// skinny is the largest number of columns of the right factor for which the left factor is read
	// without packing. Packing would take longer than the product.
	skinny = 16
	// strip is the number of rows multiplied at a time. The rows of the narrow matrix then stay in
	// the first-level cache while all columns of the wide matrix are processed.
	strip = 256
)

// skinnyProduct sets the m×n matrix c to alpha·A·b + beta·c for an m×k matrix A and a k×n matrix b
// with few columns.
func skinnyProduct(m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	scale(m, n, beta, c, ldc, whole)
	n4, k4 := n&^3, k&^3
	for lo := 0; lo < m; lo += strip {
		for j := 0; j < n4; j += 4 {
			for p := 0; p < k4; p += 4 {
				var tile [16]float64
				for e := range tile {
					tile[e] = alpha * b[(p+e/4)*ldb+j+e%4]
				}
				kernel.Expand(min(strip, m-lo), a[lo*lda+p:], lda, &tile, c[lo*ldc+j:], ldc)
			}
		}
	}
	if n4 > 0 && k4 < k {
		addProduct(m, n4, k-k4, alpha, a[k4:], lda, b[k4*ldb:], ldb, c, ldc)
	}
	if n4 < n {
		addProduct(m, n-n4, k, alpha, a, lda, b[n4:], ldb, c[n4:], ldc)
	}
}

// addProduct adds alpha·A·b to c, four rows of A at a time.
func addProduct(m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
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

// skinnyTransposed sets the m×n matrix c to alpha·Aᵀ·b + beta·c for a k×m matrix A and a k×n matrix
// b with few columns.
func skinnyTransposed(m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	scale(m, n, beta, c, ldc, whole)
	m4, n4 := m&^3, n&^3
	for lo := 0; lo < k; lo += strip {
		for j := 0; j < n4; j += 4 {
			for i := 0; i < m4; i += 4 {
				var tile [16]float64
				kernel.Cross(min(strip, k-lo), a[lo*lda+i:], lda, b[lo*ldb+j:], ldb, &tile)
				for e, v := range tile {
					c[(i+e/4)*ldc+j+e%4] += alpha * v
				}
			}
		}
	}
	if n4 > 0 && m4 < m {
		addTransposed(m-m4, n4, k, alpha, a[m4:], lda, b, ldb, c[m4*ldc:], ldc)
	}
	if n4 < n {
		addTransposed(m, n-n4, k, alpha, a, lda, b[n4:], ldb, c[n4:], ldc)
	}
}

// addTransposed adds alpha·Aᵀ·b to c, four rows of A at a time.
func addTransposed(m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
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
