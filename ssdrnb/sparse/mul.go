package sparse

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// rowBlock is the number of rows that a worker takes at a time.
const rowBlock = 1024

// MulVecTo sets dst = m·x; dst has Rows entries, x has Cols, and they must not
// overlap. Rows are shared among the processors.
func (m *CSR) MulVecTo(dst, x []float64) {
	par.Blocks(m.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(i)
			sum := 0.0
			for k, j := range cols {
				sum += vals[k] * x[j]
			}
			dst[i] = sum
		}
	})
}

// MulTo sets dst = m·x for a Cols×p matrix x and a Rows×p matrix dst that does
// not share its memory. Rows are shared among the processors.
func (m *CSR) MulTo(dst, x *mat.Dense) {
	par.Blocks(m.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(i)
			out := dst.RawRowView(i)
			clear(out)
			for k, j := range cols {
				v := vals[k]
				for c, xv := range x.RawRowView(int(j)) {
					out[c] += v * xv
				}
			}
		}
	})
}
