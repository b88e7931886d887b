package sparse

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse/internal/lanes"
)

const (
	// rowBlock is the number of rows that a worker processes at a time.
	rowBlock = 1024
	// wide is the number of columns that [lanes.Gather] multiplies at a time.
	wide = len(lanes.Wide{})
)

// MulTo sets dst = m·x for a Cols×p matrix x and a Rows×p matrix dst that do not share memory. Rows
// are distributed over the processors; the result does not depend on the number of processors.
// MulTo panics if sizes do not match, as gonum/mat does.
func (m *CSR) MulTo(dst, x *mat.Dense) {
	_, p := x.Dims()
	par.Blocks(m.Rows, max(1, rowBlock/(1+p/16)), func(lo, hi int) { m.MulRowsTo(dst, x, lo, hi) })
}

// MulRowsTo is [CSR.MulTo] restricted to rows lo to hi − 1 of dst, on a single processor.
func (m *CSR) MulRowsTo(dst, x *mat.Dense, lo, hi int) {
	xr, out := x.RawMatrix(), dst.RawMatrix()
	if out.Rows != m.Rows || xr.Rows != m.Cols || out.Cols != xr.Cols {
		panic(mat.ErrShape)
	}
	p := xr.Cols
	for i := lo; i < hi; i++ {
		cols, vals := m.Row(i)
		to := out.Data[i*out.Stride:][:p]
		if p < wide {
			combine(to, cols, vals, xr.Data, xr.Stride)
			continue
		}
		// Process eight columns at a time. The last eight may overlap columns already processed.
		for c := 0; c < p; c += wide {
			c = min(c, p-wide)
			lanes.Gather((*lanes.Wide)(to[c:]), cols, vals, xr.Data[c:], xr.Stride)
		}
	}
}

// combine stores Σ vals[k]·x[cols[k]] in the argument out. The argument stride is the distance
// between consecutive rows of x. combine processes four rows at a time, so that the sum is loaded
// and stored once per four products.
func combine(out []float64, cols []int32, vals, x []float64, stride int) {
	p := len(out)
	if p == 3 { // a common case: two eigenvectors, and a third for the eigengap
		combine3(out, cols, vals, x, stride)
		return
	}
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

// combine3 is combine for three columns, whose sums stay in registers.
func combine3(out []float64, cols []int32, vals, x []float64, stride int) {
	var s0, s1, s2 float64
	vals = vals[:len(cols)]
	for k, j := range cols {
		v, row := vals[k], x[int(j)*stride:][:3]
		s0 += v * row[0]
		s1 += v * row[1]
		s2 += v * row[2]
	}
	out[0], out[1], out[2] = s0, s1, s2
}
