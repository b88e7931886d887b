// Package goblas is a BLAS in Go that uses the loops of package kernel. Matrix products are
// blocked, with packed panels, and use all processors.
//
// For an entry of a vector, the order of summation depends only on the sizes. An entry of a matrix
// product is summed in blocks of kc terms in ascending order, independently of the other sizes and
// the number of processors. A result therefore has the same bits at any GOMAXPROCS.
package goblas

import (
	"runtime"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Block sizes. A kc×NR band of the right factor (24 KiB) stays in the first-level cache, mc×kc
// entries of the left factor (240 KiB) in the second level, and kc×nc entries of the right factor
// (4 MiB) in the third.
const (
	kc = 256
	mc = 30 * kernel.MR
	nc = 170 * kernel.NR
)

// region is the part of the result to compute.
type region int

const (
	whole region = iota
	upperPart
	lowerPart
)

// contains reports whether the entry in row i, column j belongs to the region.
func (r region) contains(i, j int) bool {
	return r == whole || r == upperPart && j >= i || r == lowerPart && j <= i
}

// touches reports whether any entry of the block belongs to the region. covers reports whether
// every entry does.
func (r region) touches(rowStart, rowEnd, colStart, colEnd int) bool {
	return r == whole || r == upperPart && colEnd > rowStart || r == lowerPart && colStart < rowEnd
}

func (r region) covers(rowStart, rowEnd, colStart, colEnd int) bool {
	return r == whole || r == upperPart && colStart >= rowEnd-1 || r == lowerPart && colEnd-1 <= rowStart
}

var buffers = sync.Pool{New: func() any { return new([]float64) }}

// buffer returns workspace of n entries. Return it with buffers.Put.
func buffer(n int) *[]float64 {
	b := buffers.Get().(*[]float64)
	if cap(*b) < n {
		*b = make([]float64, n)
	}
	*b = (*b)[:n]
	return b
}

// roundUp returns n rounded up to a multiple of m.
func roundUp(n, m int) int { return (n + m - 1) / m * m }

// scale multiplies the given part of c by beta. A beta of 0 sets entries to 0, including NaN.
func scale(m, n int, beta float64, c []float64, ldc int, part region) {
	if beta == 1 {
		return
	}
	for i := range m {
		start, end := 0, n
		switch part {
		case upperPart:
			start = min(i, n)
		case lowerPart:
			end = min(i+1, n)
		}
		row := c[i*ldc+start : i*ldc+end]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

// product sets the given part of the m×n matrix c to alpha·a·b + beta·c, where a has k columns. It
// uses all processors if the product is large enough.
func product(m, n, k int, alpha float64, a, b factor, beta float64, c []float64, ldc int, part region) {
	workers := 1
	if float64(m)*float64(n)*float64(k) > 64*64*64 {
		workers = runtime.GOMAXPROCS(0)
	}
	productOn(workers, m, n, k, alpha, a, b, beta, c, ldc, part)
}

// productOn is product with the given number of workers.
func productOn(workers, m, n, k int, alpha float64, a, b factor, beta float64, c []float64, ldc int, part region) {
	if m == 0 || n == 0 {
		return
	}
	if alpha == 0 || k == 0 {
		scale(m, n, beta, c, ldc, part)
		return
	}
	if beta != 0 {
		scale(m, n, beta, c, ldc, part)
	}
	// Use enough blocks of rows that every worker gets two.
	rows := min(mc, max(kernel.MR, roundUp(m/(2*workers), kernel.MR)))
	right := buffer(min(kc, k) * min(nc, roundUp(n, kernel.NR)))
	defer buffers.Put(right)
	for j := 0; j < n; j += nc {
		jEnd := min(j+nc, n)
		for p := 0; p < k; p += kc {
			pEnd := min(p+kc, k)
			add := p > 0 || beta != 0
			pack := func(start, end int) {
				packRight((*right)[start*(pEnd-p):], b, p, pEnd, j+start, j+end)
			}
			multiply := func(start, end int) {
				if !part.touches(start, end, j, jEnd) {
					return
				}
				left := buffer(roundUp(end-start, kernel.MR) * (pEnd - p))
				packLeft(*left, a, start, end, p, pEnd, alpha)
				block(start, end, j, jEnd, pEnd-p, *left, *right, c, ldc, part, add)
				buffers.Put(left)
			}
			if workers == 1 {
				pack(0, jEnd-j)
				for start := 0; start < m; start += rows {
					multiply(start, min(m, start+rows))
				}
				continue
			}
			par.Blocks(jEnd-j, max(4*kernel.NR, roundUp((jEnd-j)/(2*workers), kernel.NR)), pack)
			par.Blocks(m, rows, multiply)
		}
	}
}

// block multiplies the packed panel `left`, which has k columns, by the packed panel `right`, which
// has k rows. It stores the product in rows [rowStart, rowEnd) and columns [colStart, colEnd) of c,
// or adds it to them if add is true. It changes only entries in the region `part`.
func block(rowStart, rowEnd, colStart, colEnd, k int, left, right, c []float64, ldc int, part region, add bool) {
	const mr, nr = kernel.MR, kernel.NR
	var tile [mr * nr]float64
	for j := colStart; j < colEnd; j += nr {
		b := right[(j-colStart)*k:]
		jEnd := min(j+nr, colEnd)
		for i := rowStart; i < rowEnd; i += mr {
			iEnd := min(i+mr, rowEnd)
			if !part.touches(i, iEnd, j, jEnd) {
				continue
			}
			a := left[(i-rowStart)*k:]
			if iEnd-i == mr && jEnd-j == nr && part.covers(i, iEnd, j, jEnd) {
				kernel.GEMM(k, a, b, c[i*ldc+j:], ldc, add)
				continue
			}
			kernel.GEMM(k, a, b, tile[:], nr, false)
			for r := i; r < iEnd; r++ {
				for s := j; s < jEnd; s++ {
					if !part.contains(r, s) {
						continue
					}
					if add {
						c[r*ldc+s] += tile[(r-i)*nr+s-j]
					} else {
						c[r*ldc+s] = tile[(r-i)*nr+s-j]
					}
				}
			}
		}
	}
}
