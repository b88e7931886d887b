// Package kernel implements the innermost loops of our own matrix engines: AVX2 assembly if the
// processor has AVX2 and FMA, a WebAssembly module with SIMD instructions in web browsers, and
// plain Go otherwise.
//
// The results of a loop depend only on its arguments, not on their addresses.
package kernel

//go:generate go run ./gen -out kernel_amd64.s -stubs stubs_amd64.go -pkg kernel

// MR and NR are the numbers of rows and columns of the tile that [GEMM] computes.
const (
	MR = 4
	NR = 12
)

// GEMM sets the MR×NR tile c to A·B, or adds A·B to the tile if add is true. Rows of c are ldc
// apart. a holds k columns of MR entries, b holds k rows of NR entries.
func GEMM(k int, a, b, c []float64, ldc int, add bool) {
	_, _, _ = a[:MR*k], b[:NR*k], c[:(MR-1)*ldc+NR]
	if k == 0 {
		if !add {
			for r := range MR {
				clear(c[r*ldc : r*ldc+NR])
			}
		}
		return
	}
	if Fast {
		gemm4x12(k, &a[0], &b[0], &c[0], ldc, add)
		return
	}
	gemmGo(k, a, b, c, ldc, add)
}

// SymV adds sᵀA to y and A·x to t for the 4×n matrix A, n = len(x). Rows of A are lda apart.
func SymV(a []float64, lda int, x, y []float64, s, t *[4]float64) {
	n := len(x)
	if n == 0 {
		return
	}
	_, _ = a[:3*lda+n], y[:n]
	if Fast {
		symv4(n, &a[0], lda, &x[0], &y[0], &s[0], &t[0])
		return
	}
	symvGo(a, lda, x, y, s, t)
}

// Dot4 adds A·x to t for the 4×n matrix A, n = len(x). Rows of A are lda apart.
func Dot4(a []float64, lda int, x []float64, t *[4]float64) {
	n := len(x)
	if n == 0 {
		return
	}
	_ = a[:3*lda+n]
	if Fast {
		dot4(n, &a[0], lda, &x[0], &t[0])
		return
	}
	for r := range t {
		t[r] += dotGo(a[r*lda:r*lda+n], x)
	}
}

// Axpy4 adds sᵀA to y for the 4×n matrix A, n = len(y). Rows of A are lda apart.
func Axpy4(s *[4]float64, a []float64, lda int, y []float64) {
	n := len(y)
	if n == 0 {
		return
	}
	_ = a[:3*lda+n]
	if Fast {
		axpy4(n, &a[0], lda, &s[0], &y[0])
		return
	}
	for r, v := range s {
		axpyGo(v, a[r*lda:r*lda+n], y)
	}
}

// Cross adds AᵀB to c for the k×4 matrices A and B. Rows of A are lda apart, and rows of B are ldb
// apart.
func Cross(k int, a []float64, lda int, b []float64, ldb int, c *[16]float64) {
	if k == 0 {
		return
	}
	_, _ = a[:(k-1)*lda+4], b[:(k-1)*ldb+4]
	if Fast {
		cross4(k, &a[0], lda, &b[0], ldb, &c[0])
		return
	}
	for i := range k {
		x, y := (*[4]float64)(a[i*lda:]), (*[4]float64)(b[i*ldb:])
		for r, v := range x {
			axpyGo(v, y[:], c[4*r:4*r+4])
		}
	}
}

// Expand adds A·b to C for the k×4 matrices A and C and the 4×4 matrix b. Rows of A are lda apart,
// and rows of C are ldc apart.
func Expand(k int, a []float64, lda int, b *[16]float64, c []float64, ldc int) {
	if k == 0 {
		return
	}
	_, _ = a[:(k-1)*lda+4], c[:(k-1)*ldc+4]
	if Fast {
		expand4(k, &a[0], lda, &b[0], &c[0], ldc)
		return
	}
	for i := range k {
		x, y := (*[4]float64)(a[i*lda:]), (*[4]float64)(c[i*ldc:])
		for r, v := range x {
			axpyGo(v, b[4*r:4*r+4], y[:])
		}
	}
}

// Dot returns xᵀy for the first len(x) entries of y.
func Dot(x, y []float64) float64 {
	n := len(x)
	if n == 0 {
		return 0
	}
	_ = y[:n]
	if Fast {
		return dot(n, &x[0], &y[0])
	}
	return dotGo(x, y)
}

// Axpy adds s·x to the first len(x) entries of y.
func Axpy(s float64, x, y []float64) {
	n := len(x)
	if n == 0 {
		return
	}
	_ = y[:n]
	if Fast {
		axpy(n, s, &x[0], &y[0])
		return
	}
	axpyGo(s, x, y)
}

// Rot rotates the vectors x and y in their plane: x becomes c·x + s·y and y becomes c·y − s·x.
func Rot(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, a := range x {
		b := y[i]
		x[i], y[i] = c*a+s*b, c*b-s*a
	}
}
