package sparse

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse/internal/lanes"
)

// rowBlock is the number of rows that a worker takes at a time.
const rowBlock = 1024

// MulTo sets dst = m·x for a Cols×p matrix x and a Rows×p matrix dst that does
// not share its memory. Rows are shared among the processors; the result does not
// depend on their number. Sizes that do not fit panic, as in gonum/mat.
func (m *CSR) MulTo(dst, x *mat.Dense) {
	xr, out := x.RawMatrix(), dst.RawMatrix()
	if out.Rows != m.Rows || xr.Rows != m.Cols || out.Cols != xr.Cols {
		panic(mat.ErrShape)
	}
	p := xr.Cols
	par.Blocks(m.Rows, max(1, rowBlock/(1+p/16)), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(i)
			if p == len(lanes.Wide{}) {
				lanes.Gather((*lanes.Wide)(out.Data[i*out.Stride:]), cols, vals, xr.Data, xr.Stride)
				continue
			}
			combine(out.Data[i*out.Stride:i*out.Stride+p], cols, vals, xr.Data, xr.Stride)
		}
	})
}

// combine sets out to Σ vals[k]·x[cols[k]], where rows of x are stride apart. It takes
// four rows at a time, so that the sum is loaded and stored once for four products.
func combine(out []float64, cols []int32, vals, x []float64, stride int) {
	p := len(out)
	clear(out)
	for ; len(cols) >= 4; cols, vals = cols[4:], vals[4:] {
		v0, v1, v2, v3 := vals[0], vals[1], vals[2], vals[3]
		x0 := x[int(cols[0])*stride:][:p]
		x1 := x[int(cols[1])*stride:][:p]
		x2 := x[int(cols[2])*stride:][:p]
		x3 := x[int(cols[3])*stride:][:p]
		for c := range out {
			out[c] += v0*x0[c] + v1*x1[c] + v2*x2[c] + v3*x3[c]
		}
	}
	for k, j := range cols {
		v := vals[k]
		row := x[int(j)*stride:][:p]
		for c := range out {
			out[c] += v * row[c]
		}
	}
}
