//go:build amd64

package blas

//go:generate go run ./gen -out kernel_amd64.s -stubs kernel_amd64.go -pkg blas

import (
	"fmt"
	"math"
	"sync"

	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

func avx2() (*engine, error) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil, fmt.Errorf("%w: this processor lacks AVX2 or FMA", ErrNoEngine)
	}
	return &engine{AVX2, "AVX2 and FMA", avx2Float64{}, eigenDivide}, nil
}

// avx2Float64 is gonum's BLAS with level-3 routines that rest on one product, and
// with a symmetric product of matrix and vector, on which the reduction to
// tridiagonal form spends half of its time.
type avx2Float64 struct{ blasgonum.Implementation }

// Blocks of a product: a panel of B (kc×nc) stays in the last-level cache, a block
// of A (mc×kc) in the second, and a sliver of B (kc×12) in the first.
const (
	mr, nr     = 4, 12
	mc, kc, nc = 96, 256, 1992
)

// view is a matrix whose entry (i, j) is data[i·row + j·col].
type view struct {
	data     []float64
	row, col int
}

func of(t blas.Transpose, a []float64, lda int) view {
	if t == blas.NoTrans {
		return view{a, lda, 1}
	}
	return view{a, 1, lda}
}

// from returns the view that begins at (i, j).
func (v view) from(i, j int) view { return view{v.data[i*v.row+j*v.col:], v.row, v.col} }

func (e avx2Float64) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if m*n*k < smallProduct || !fits(ta == blas.NoTrans, m, k, a, lda) || !fits(tb == blas.NoTrans, k, n, b, ldb) || !fits(true, m, n, c, ldc) {
		e.Implementation.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	scale(m, n, beta, c, ldc)
	multiply(m, n, k, alpha, of(ta, a, lda), of(tb, b, ldb), c, ldc)
}

// scale sets c = beta·c; beta 0 also removes NaN.
func scale(m, n int, beta float64, c []float64, ldc int) {
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		switch beta {
		case 1:
			return
		case 0:
			clear(row)
		default:
			for j := range row {
				row[j] *= beta
			}
		}
	}
}

var panels = sync.Pool{New: func() any { return new([]float64) }}

// scratch lends n numbers; give them back with panels.Put.
func scratch(n int) *[]float64 {
	p := panels.Get().(*[]float64)
	if cap(*p) < n {
		*p = make([]float64, n)
	}
	*p = (*p)[:n]
	return p
}

// multiply adds alpha·a·b to c, for an m×k view a and a k×n view b. Every entry of
// c is summed in the same order whatever the number of processors.
func multiply(m, n, k int, alpha float64, a, b view, c []float64, ldc int) {
	if alpha == 0 {
		return
	}
	bp := scratch(kc * (min(n, nc) + nr))
	defer panels.Put(bp)
	for j0 := 0; j0 < n; j0 += nc {
		cols := min(nc, n-j0)
		for p0 := 0; p0 < k; p0 += kc {
			depth := min(kc, k-p0)
			packB(b.from(p0, j0), depth, cols, *bp)
			par.Blocks(m, mc, func(lo, hi int) {
				ap := scratch(mc * kc)
				defer panels.Put(ap)
				packA(a.from(lo, p0), hi-lo, depth, alpha, *ap)
				block(hi-lo, cols, depth, *ap, *bp, c[lo*ldc+j0:], ldc)
			})
		}
	}
}

// packA copies a rows×depth block into slivers of four rows, entry by entry along
// the depth, padded with zeros.
func packA(a view, rows, depth int, alpha float64, to []float64) {
	for i := 0; i < rows; i += mr {
		for r := range mr {
			out := to[i*depth+r:]
			if i+r >= rows {
				for p := range depth {
					out[p*mr] = 0
				}
				continue
			}
			at := (i + r) * a.row
			if a.col == 1 {
				for p, v := range a.data[at : at+depth] {
					out[p*mr] = alpha * v
				}
				continue
			}
			for p := range depth {
				out[p*mr] = alpha * a.data[at]
				at += a.col
			}
		}
	}
}

// packB copies a depth×cols block into slivers of twelve columns.
func packB(b view, depth, cols int, to []float64) {
	par.Blocks((cols+nr-1)/nr, 8, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			j := s * nr
			out := to[j*depth:]
			width := min(nr, cols-j)
			for p := range depth {
				row := out[p*nr : p*nr+nr]
				at := p*b.row + j*b.col
				if b.col == 1 {
					copy(row[:width], b.data[at:at+width])
				} else {
					for q := range width {
						row[q] = b.data[at+q*b.col]
					}
				}
				clear(row[width:])
			}
		}
	})
}

// block multiplies packed panels into c.
func block(rows, cols, depth int, a, b, c []float64, ldc int) {
	var edge [mr * nr]float64
	for j := 0; j < cols; j += nr {
		for i := 0; i < rows; i += mr {
			pa, pb := &a[i*depth], &b[j*depth]
			if i+mr <= rows && j+nr <= cols {
				kernel4x12(depth, pa, pb, &c[i*ldc+j], ldc)
				continue
			}
			clear(edge[:])
			kernel4x12(depth, pa, pb, &edge[0], nr)
			for r := range min(mr, rows-i) {
				row := c[(i+r)*ldc+j:]
				for q := range min(nr, cols-j) {
					row[q] += edge[r*nr+q]
				}
			}
		}
	}
}

// triangleBlock is the side of the blocks that a symmetric result is cut into.
const triangleBlock = 192

// triangle adds alpha·a·b to the triangle ul of the n×n matrix c.
func triangle(ul blas.Uplo, n, k int, alpha float64, a, b view, c []float64, ldc int) {
	tile := scratch(triangleBlock * triangleBlock)
	defer panels.Put(tile)
	for lo := 0; lo < n; lo += triangleBlock {
		side := min(triangleBlock, n-lo)
		// The block on the diagonal is computed whole, beside, and half of it added.
		clear(*tile)
		multiply(side, side, k, alpha, a.from(lo, 0), b.from(0, lo), *tile, side)
		for i := range side {
			first, last := i, side
			if ul == blas.Lower {
				first, last = 0, i+1
			}
			row := c[(lo+i)*ldc+lo:]
			for j := first; j < last; j++ {
				row[j] += (*tile)[i*side+j]
			}
		}
		if ul == blas.Upper && lo+side < n {
			multiply(side, n-lo-side, k, alpha, a.from(lo, 0), b.from(0, lo+side), c[lo*ldc+lo+side:], ldc)
		}
		if ul == blas.Lower && lo > 0 {
			multiply(side, lo, k, alpha, a.from(lo, 0), b, c[lo*ldc:], ldc)
		}
	}
}

func scaleTriangle(ul blas.Uplo, n int, beta float64, c []float64, ldc int) {
	for i := range n {
		if ul == blas.Upper {
			scale(1, n-i, beta, c[i*ldc+i:], n-i)
		} else {
			scale(1, i+1, beta, c[i*ldc:], i+1)
		}
	}
}

func (e avx2Float64) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if n*n*k < smallProduct || !fits(t == blas.NoTrans, n, k, a, lda) || !fits(true, n, n, c, ldc) {
		e.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	scaleTriangle(ul, n, beta, c, ldc)
	left := of(t, a, lda)
	triangle(ul, n, k, alpha, left, view{left.data, left.col, left.row}, c, ldc)
}

func (e avx2Float64) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if n*n*k < smallProduct || !fits(t == blas.NoTrans, n, k, a, lda) || !fits(t == blas.NoTrans, n, k, b, ldb) || !fits(true, n, n, c, ldc) {
		e.Implementation.Dsyr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	scaleTriangle(ul, n, beta, c, ldc)
	va, vb := of(t, a, lda), of(t, b, ldb)
	triangle(ul, n, k, alpha, va, view{vb.data, vb.col, vb.row}, c, ldc)
	triangle(ul, n, k, alpha, vb, view{va.data, va.col, va.row}, c, ldc)
}

func (e avx2Float64) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	order := triangleOrder(s, m, n)
	if order*m*n < smallProduct || !fits(true, order, order, a, lda) || !fits(true, m, n, b, ldb) || !fits(true, m, n, c, ldc) {
		e.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	full := scratch(order * order)
	defer panels.Put(full)
	for i := range order {
		for j := i; j < order; j++ {
			v := a[i*lda+j]
			if ul == blas.Lower {
				v = a[j*lda+i]
			}
			(*full)[i*order+j], (*full)[j*order+i] = v, v
		}
	}
	if s == blas.Left {
		e.Dgemm(blas.NoTrans, blas.NoTrans, m, n, m, alpha, *full, order, b, ldb, beta, c, ldc)
	} else {
		e.Dgemm(blas.NoTrans, blas.NoTrans, m, n, n, alpha, b, ldb, *full, order, beta, c, ldc)
	}
}

// smallTriangle is the order at which a triangular solve stops being halved.
const smallTriangle = 64

// Dtrsm halves the triangle: two smaller solves and a product between them.
func (e avx2Float64) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order := triangleOrder(s, m, n)
	if order <= smallTriangle || !fits(true, order, order, a, lda) || !fits(true, m, n, b, ldb) {
		e.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	h := order / 2
	a11, a22 := a, a[h*lda+h:]
	off := a[h:] // A₁₂ of an upper triangle
	if ul == blas.Lower {
		off = a[h*lda:] // A₂₁ of a lower one
	}
	b1, b2 := b, b[h*ldb:]
	m1, n1, m2, n2 := h, n, m-h, n
	if s == blas.Right {
		b2 = b[h:]
		m1, n1, m2, n2 = m, h, m, n-h
	}
	// The half that depends on no other is solved first: X₁ for op(A) lower from the
	// left or upper from the right.
	first := ((ul == blas.Lower) == (t == blas.NoTrans)) == (s == blas.Left)
	if first {
		e.Dtrsm(s, ul, t, d, m1, n1, alpha, a11, lda, b1, ldb)
		if s == blas.Left {
			e.Dgemm(t, blas.NoTrans, m2, n2, h, -1, off, lda, b1, ldb, alpha, b2, ldb)
		} else {
			e.Dgemm(blas.NoTrans, t, m2, n2, h, -1, b1, ldb, off, lda, alpha, b2, ldb)
		}
		e.Dtrsm(s, ul, t, d, m2, n2, 1, a22, lda, b2, ldb)
		return
	}
	e.Dtrsm(s, ul, t, d, m2, n2, alpha, a22, lda, b2, ldb)
	if s == blas.Left {
		e.Dgemm(t, blas.NoTrans, m1, n1, order-h, -1, off, lda, b2, ldb, alpha, b1, ldb)
	} else {
		e.Dgemm(blas.NoTrans, t, m1, n1, order-h, -1, b2, ldb, off, lda, alpha, b1, ldb)
	}
	e.Dtrsm(s, ul, t, d, m1, n1, 1, a11, lda, b1, ldb)
}

// symvParts is the number of parts that a large symmetric product is cut into. It
// is fixed: the parts are summed in order, whatever the number of processors.
const symvParts = 4

// Dsymv reads each row of the triangle once for both of its uses.
func (e avx2Float64) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if n < 16 || incX < 1 || incY < 1 || !fits(true, n, n, a, lda) || len(x) < (n-1)*incX+1 || len(y) < (n-1)*incY+1 {
		e.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	parts := 1
	if n >= 256 {
		parts = symvParts
	}
	buffer := scratch((parts + 1) * n)
	defer panels.Put(buffer)
	xs, sums := (*buffer)[:n], (*buffer)[n:]
	clear(sums)
	for i := range xs {
		xs[i] = x[i*incX]
	}
	// Row i costs n−i of an upper triangle and i of a lower one: the bounds give
	// each part the same area.
	bound := func(p int) int {
		share := float64(p) / float64(parts)
		if ul == blas.Upper {
			return int(float64(n) * (1 - math.Sqrt(1-share)))
		}
		return int(float64(n) * math.Sqrt(share))
	}
	par.Blocks(parts, 1, func(p, _ int) {
		sum := sums[p*n : (p+1)*n]
		last := n
		if p+1 < parts {
			last = bound(p + 1)
		}
		for i := bound(p); i < last; i++ {
			row := a[i*lda : i*lda+n]
			lo, hi := i+1, n
			if ul == blas.Lower {
				lo, hi = 0, i
			}
			dot := row[i] * xs[i]
			if hi > lo {
				dot += dotAxpy(hi-lo, &row[lo], &xs[lo], &sum[lo], xs[i])
			}
			sum[i] += dot
		}
	})
	for i := range n {
		total := 0.0
		for p := range parts {
			total += sums[p*n+i]
		}
		if beta == 0 {
			y[i*incY] = alpha * total
		} else {
			y[i*incY] = beta*y[i*incY] + alpha*total
		}
	}
}
