package sparse

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// worker is the workspace of one goroutine. A front is the dense matrix in which a supernode is
// eliminated: its panel and the update of the rows below. The field local holds, for each row of
// the whole matrix, its position in the current front. The field free holds the memory of old
// updates for reuse.
type worker struct {
	local []int32
	free  [][]float64
}

// take returns cleared memory of n entries.
func (w *worker) take(n int) []float64 {
	for k := len(w.free) - 1; k >= max(0, len(w.free)-4); k-- {
		if b := w.free[k]; cap(b) >= n {
			w.free = slices.Delete(w.free, k, k+1)
			b = b[:n]
			clear(b)
			return b
		}
	}
	return make([]float64, n, n+n/4)
}

// eliminate assembles the front of supernode k, factorises its columns and stores the update that
// they add to the rows below.
func (f *factorization) eliminate(k int, w *worker) error {
	s := f.symbolic
	first, width, height := s.start[k], s.width(k), s.height(k)
	rows := s.rows[k]
	below := len(rows)
	panel := f.panel[k]
	rest := w.take(below * below)
	for j := range width {
		w.local[int(first)+j] = int32(j)
	}
	for j, i := range rows {
		w.local[i] = int32(width + j)
	}
	for j := range width {
		old := s.perm[int(first)+j]
		cols, vals := f.m.Row(int(old))
		row := panel[j*height : (j+1)*height]
		for e, o := range cols {
			if i := s.inverse[o]; i >= first+int32(j) {
				row[w.local[i]] = vals[e]
			}
		}
		row[j] += f.shift
	}
	for _, c := range f.children[k] {
		f.assemble(int(c), panel, rest, width, height, w)
	}
	if err := pivots(panel, width, height); err != nil {
		err.column = int(s.perm[int(first)+err.column])
		return err
	}
	subtract(panel, rest, width, height)
	for j := range width {
		panel[j*height+j] = 1 / panel[j*height+j]
	}
	f.update[k] = rest
	return nil
}

// assemble adds the update of child c to the front.
func (f *factorization) assemble(c int, panel, rest []float64, width, height int, w *worker) {
	rows, u := f.symbolic.rows[c], f.update[c]
	n, below := len(rows), height-width
	to := make([]int32, n)
	for a, i := range rows {
		to[a] = w.local[i]
	}
	for a := range n {
		row := u[a*n : (a+1)*n]
		var dst []float64
		base := int32(0)
		if r := int(to[a]); r < width {
			dst = panel[r*height : (r+1)*height]
		} else {
			dst, base = rest[(r-width)*below:(r-width+1)*below], int32(width)
		}
		for b := a; b < n; b++ {
			dst[to[b]-base] += row[b]
		}
	}
	f.update[c] = nil
	w.free = append(w.free, u)
}

// small is the number of multiplications below which plain loops are faster than the matrix engine.
const small = 1 << 14

// pivots factorises the columns of a front: U₁₁ᵀU₁₁ = A₁₁, U₁₂ = U₁₁⁻ᵀA₁₂.
func pivots(panel []float64, width, height int) *pivotError {
	const block = 32
	for lo := 0; lo < width; lo += block {
		hi := min(lo+block, width)
		if err := eliminateRows(panel, lo, hi, height); err != nil {
			return err
		}
		if hi == width {
			break
		}
		// Update the remaining rows, to the right of the diagonal block.
		rows, cols := width-hi, height-hi
		a := blas64.General{Rows: hi - lo, Cols: rows, Stride: height, Data: panel[lo*height+hi:]}
		b := blas64.General{Rows: hi - lo, Cols: cols, Stride: height, Data: panel[lo*height+hi:]}
		c := blas64.General{Rows: rows, Cols: cols, Stride: height, Data: panel[hi*height+hi:]}
		blas64.Gemm(blas.Trans, blas.NoTrans, -1, a, b, 1, c)
	}
	return nil
}

// eliminateRows factorises rows lo to hi−1 of a panel by plain loops.
func eliminateRows(panel []float64, lo, hi, height int) *pivotError {
	for j := lo; j < hi; j++ {
		row := panel[j*height+j : (j+1)*height]
		pivot := row[0]
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return &pivotError{column: j, pivot: pivot}
		}
		root := math.Sqrt(pivot)
		inverse := 1 / root
		row[0] = root
		for c := range row[1:] {
			row[1+c] *= inverse
		}
		for i := j + 1; i < hi; i++ {
			f := row[i-j]
			if f == 0 {
				continue
			}
			dst := panel[i*height+i : (i+1)*height]
			src := row[i-j:][:len(dst)]
			for c := range dst {
				dst[c] -= f * src[c]
			}
		}
	}
	return nil
}

// subtract subtracts U₁₂ᵀU₁₂ from the upper triangle of rest.
func subtract(panel, rest []float64, width, height int) {
	below := height - width
	if below == 0 {
		return
	}
	if width*below*below >= small {
		u := blas64.General{Rows: width, Cols: below, Stride: height, Data: panel[width:]}
		c := blas64.Symmetric{N: below, Stride: below, Data: rest, Uplo: blas.Upper}
		blas64.Syrk(blas.Trans, -1, u, 1, c)
		return
	}
	j := 0
	for ; j+1 < width; j += 2 {
		p := panel[j*height+width : (j+1)*height]
		q := panel[(j+1)*height+width : (j+2)*height]
		for i := range below {
			f, g := p[i], q[i]
			dst := rest[i*below+i : (i+1)*below]
			x, y := p[i:][:len(dst)], q[i:][:len(dst)]
			for c := range dst {
				dst[c] -= f*x[c] + g*y[c]
			}
		}
	}
	if j < width {
		p := panel[j*height+width : (j+1)*height]
		for i, f := range p {
			dst := rest[i*below+i : (i+1)*below]
			x := p[i:][:len(dst)]
			for c := range dst {
				dst[c] -= f * x[c]
			}
		}
	}
}
