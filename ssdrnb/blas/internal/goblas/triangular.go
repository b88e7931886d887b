package goblas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// tb is the order of the diagonal blocks of a triangular factor. Matrix products do all work
// outside these blocks.
const tb = 48

// triangular is the left factor T = op(A) of a triangular product or solve with a right-hand side
// stored by rows. For a factor on the right, T is its transpose, and the right-hand side is
// transposed too.
type triangular struct {
	data  []float64
	ld    int
	trans bool // T = Aᵀ
	upper bool // T is upper triangular
	unit  bool // whether the diagonal counts as 1
}

// block returns the off-diagonal block of T that starts at row i and column j.
func (t triangular) block(i, j int) factor {
	if t.trans {
		return factor{t.data[j*t.ld+i:], t.ld, transposed}
	}
	return factor{t.data[i*t.ld+j:], t.ld, plain}
}

// diagonal copies the diagonal block that starts at i to dst as a dense n×n matrix.
func (t triangular) diagonal(dst []float64, i, n int) {
	clear(dst[:n*n])
	for r := range n {
		for c := range n {
			if r == c && t.unit {
				dst[r*n+c] = 1
			} else if r == c || (c > r) == t.upper {
				if t.trans {
					dst[r*n+c] = t.data[(i+c)*t.ld+i+r]
				} else {
					dst[r*n+c] = t.data[(i+r)*t.ld+i+c]
				}
			}
		}
	}
}

// newTriangular describes op(A), where A is the triangle ul of a, and op transposes if trans is
// true.
func newTriangular(ul blas.Uplo, trans bool, d blas.Diag, a []float64, lda int) triangular {
	return triangular{data: a, ld: lda, trans: trans, upper: (ul == blas.Upper) != trans, unit: d == blas.Unit}
}

// Dtrsm solves op(A)·X = alpha·B or X·op(A) = alpha·B for X, which replaces B.
func (e Implementation) Dtrsm(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order, width := n, m
	if s == blas.Left {
		order, width = m, n
	}
	if !e.triangularUsable(s, ul, ta, d, m, n, order, a, lda, b, ldb) {
		e.Level2.Dtrsm(s, ul, ta, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	scale(m, n, alpha, b, ldb, whole)
	if alpha == 0 {
		return
	}
	if s == blas.Left {
		solve(newTriangular(ul, ta != blas.NoTrans, d, a, lda), order, width, b, ldb)
		return
	}
	// X·T = B is Tᵀ·Xᵀ = Bᵀ.
	t := newTriangular(ul, ta == blas.NoTrans, d, a, lda)
	flipped(m, n, b, ldb, func(bt []float64) { solve(t, order, width, bt, width) })
}

// Dtrmm computes B = alpha·op(A)·B or B = alpha·B·op(A) for a triangular A.
func (e Implementation) Dtrmm(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order, width := n, m
	if s == blas.Left {
		order, width = m, n
	}
	if !e.triangularUsable(s, ul, ta, d, m, n, order, a, lda, b, ldb) {
		e.Level2.Dtrmm(s, ul, ta, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	if alpha == 0 {
		scale(m, n, 0, b, ldb, whole)
		return
	}
	if s == blas.Left {
		multiply(newTriangular(ul, ta != blas.NoTrans, d, a, lda), order, width, alpha, b, ldb)
		return
	}
	t := newTriangular(ul, ta == blas.NoTrans, d, a, lda)
	flipped(m, n, b, ldb, func(bt []float64) { multiply(t, order, width, alpha, bt, width) })
}

func (e Implementation) triangularUsable(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n, order int, a []float64, lda int, b []float64, ldb int) bool {
	return usable(m, n, order) && ValidSide(s) && ValidUplo(ul) && ValidTrans(ta) &&
		(d == blas.Unit || d == blas.NonUnit) && Fits(true, order, order, a, lda) && Fits(true, m, n, b, ldb)
}

// flipped calls f with the transpose of the m×n matrix b and copies the result back to b,
// transposed.
func flipped(m, n int, b []float64, ldb int, f func(bt []float64)) {
	t := buffer(m * n)
	defer buffers.Put(t)
	Transpose(m, n, b, ldb, *t, m)
	f(*t)
	Transpose(n, m, *t, m, b, ldb)
}

// Transpose sets the n×m matrix b to the transpose of the m×n matrix a.
func Transpose(m, n int, a []float64, lda int, b []float64, ldb int) {
	const side = 32
	par.Blocks(n, 4*side, func(start, end int) {
		for i := 0; i < m; i += side {
			iEnd := min(i+side, m)
			for j := start; j < end; j += side {
				for c := j; c < min(j+side, end); c++ {
					out := b[c*ldb+i : c*ldb+iEnd]
					for r := range out {
						out[r] = a[(i+r)*lda+c]
					}
				}
			}
		}
	})
}

// solve replaces the n×width matrix b by T⁻¹·b.
func solve(t triangular, n, width int, b []float64, ldb int) {
	dense := make([]float64, tb*tb)
	for step := 0; step < n; step += tb {
		i, iEnd := step, min(step+tb, n)
		if t.upper {
			i, iEnd = max(0, n-step-tb), n-step
		}
		size := iEnd - i
		t.diagonal(dense, i, size)
		// Columns are independent. Strips of columns stay in the first-level cache.
		par.Blocks(width, 64, func(start, end int) {
			solveBlock(dense, size, t.upper, b[i*ldb+start:], ldb, end-start)
		})
		if t.upper && i > 0 {
			product(i, width, size, -1, t.block(0, i), factor{b[i*ldb:], ldb, plain}, 1, b, ldb, whole)
		}
		if !t.upper && iEnd < n {
			product(n-iEnd, width, size, -1, t.block(iEnd, i), factor{b[i*ldb:], ldb, plain}, 1, b[iEnd*ldb:], ldb, whole)
		}
	}
}

// solveBlock replaces the n×width matrix b by dense⁻¹·b, where dense holds an n×n triangle. It
// computes one row of the result at a time.
func solveBlock(dense []float64, n int, upper bool, b []float64, ldb, width int) {
	for step := range n {
		i, known := step, 0 // rows known … known+step-1 are solved
		if upper {
			i = n - 1 - step
			known = i + 1
		}
		row := b[i*ldb : i*ldb+width]
		p := 0
		for ; p+4 <= step; p += 4 {
			c := dense[i*n+known+p:]
			kernel.Axpy4(&[4]float64{-c[0], -c[1], -c[2], -c[3]}, b[(known+p)*ldb:], ldb, row)
		}
		for ; p < step; p++ {
			kernel.Axpy(-dense[i*n+known+p], b[(known+p)*ldb:][:width], row)
		}
		pivot := dense[i*n+i]
		for j := range row {
			row[j] /= pivot
		}
	}
}

// multiply replaces the n×width matrix b by alpha·T·b.
func multiply(t triangular, n, width int, alpha float64, b []float64, ldb int) {
	dense := make([]float64, tb*tb)
	old := buffer(tb * width)
	defer buffers.Put(old)
	for step := 0; step < n; step += tb {
		// In this order, no later step needs the block of b that the current step overwrites.
		i, iEnd := max(0, n-step-tb), n-step
		if t.upper {
			i, iEnd = step, min(step+tb, n)
		}
		size := iEnd - i
		t.diagonal(dense, i, size)
		for r := range size {
			copy((*old)[r*width:(r+1)*width], b[(i+r)*ldb:])
		}
		product(size, width, size, alpha, factor{dense, size, plain}, factor{*old, width, plain}, 0, b[i*ldb:], ldb, whole)
		if t.upper && iEnd < n {
			product(size, width, n-iEnd, alpha, t.block(i, iEnd), factor{b[iEnd*ldb:], ldb, plain}, 1, b[i*ldb:], ldb, whole)
		}
		if !t.upper && i > 0 {
			product(size, width, i, alpha, t.block(i, 0), factor{b, ldb, plain}, 1, b[i*ldb:], ldb, whole)
		}
	}
}
