package ssdrnb

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Blocks of long columns: what the solver of the trace ratio does with them.

func width(m *mat.Dense) int { _, c := m.Dims(); return c }

// projected returns qᵀ·mq, symmetric by averaging.
func projected(q, mq *mat.Dense) *mat.SymDense {
	var full mat.Dense
	full.Mul(q.T(), mq)
	k, _ := full.Dims()
	out := mat.NewSymDense(k, nil)
	for a := range k {
		for b := a; b < k; b++ {
			out.SetSym(a, b, (full.At(a, b)+full.At(b, a))/2)
		}
	}
	return out
}

// dots returns the inner product of each pair of columns, summed in fixed blocks.
func dots(x, y *mat.Dense) []float64 {
	n, cols := x.Dims()
	const block = 4096
	parts := make([][]float64, (n+block-1)/block)
	par.Blocks(n, block, func(lo, hi int) {
		sum := make([]float64, cols)
		for i := lo; i < hi; i++ {
			yi := y.RawRowView(i)
			for k, v := range x.RawRowView(i) {
				sum[k] += v * yi[k]
			}
		}
		parts[lo/block] = sum
	})
	total := make([]float64, cols)
	for _, p := range parts {
		floats.Add(total, p)
	}
	return total
}

func columnNorm(x *mat.Dense, k int) float64 {
	n, _ := x.Dims()
	column := x.Slice(0, n, k, k+1).(*mat.Dense)
	return math.Sqrt(dots(column, column)[0])
}

// centreColumns subtracts the mean of each column.
func centreColumns(x *mat.Dense) {
	n, cols := x.Dims()
	ones := mat.NewDense(n, cols, nil)
	for i := range n {
		row := ones.RawRowView(i)
		for k := range row {
			row[k] = 1
		}
	}
	means := dots(x, ones)
	floats.Scale(1/float64(n), means)
	for i := range n {
		floats.Sub(x.RawRowView(i), means)
	}
}

// addColumns adds f[k] times column k of x to that of dst.
func addColumns(dst *mat.Dense, f []float64, x *mat.Dense) {
	n, _ := x.Dims()
	par.Blocks(n, 4096, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			for k, v := range x.RawRowView(i) {
				row[k] += f[k] * v
			}
		}
	})
}

// independent returns an orthonormal basis of the part of the columns of x that is
// orthogonal to the orthonormal columns of q, nil where there is none; q may be nil.
func independent(q, x *mat.Dense) *mat.Dense { return independentAbove(q, x, 1e-8) }

// independentAbove is independent without the columns of which no more than the share
// least is new.
func independentAbove(q, x *mat.Dense, least float64) *mat.Dense {
	n, cols := x.Dims()
	var out *mat.Dense
	for k := range cols {
		v := mat.DenseCopyOf(x.Slice(0, n, k, k+1))
		before := columnNorm(v, 0)
		if !(before > 0) {
			continue
		}
		// Orthogonalise until nothing more goes away: what is left is then orthogonal
		// to rounding.
		norm := before
		for range 4 {
			for _, basis := range []*mat.Dense{q, out} {
				if basis != nil {
					var c, part mat.Dense
					c.Mul(basis.T(), v)
					part.Mul(basis, &c)
					v.Sub(v, &part)
				}
			}
			last := norm
			if norm = columnNorm(v, 0); norm > 0.7*last {
				break
			}
		}
		if norm <= least*before {
			continue
		}
		v.Scale(1/norm, v)
		if out == nil {
			out = v
		} else {
			out = beside(out, v)
		}
	}
	return out
}

// conjugateGradients solves for every column of right on its own, in step, to a
// hundredth of its norm. A column whose curvature turns negative stays where it is.
func conjugateGradients(apply, precondition func(dst, x *mat.Dense), right *mat.Dense) *mat.Dense {
	n, cols := right.Dims()
	x, r := mat.NewDense(n, cols, nil), mat.DenseCopyOf(right)
	z, ap := mat.NewDense(n, cols, nil), mat.NewDense(n, cols, nil)
	precondition(z, r)
	p := mat.DenseCopyOf(z)
	rz, goal := dots(r, z), dots(r, r)
	active := make([]bool, cols)
	for k := range goal {
		goal[k] *= innerTolerance * innerTolerance
		active[k] = goal[k] > 0 && rz[k] > 0
	}
	for range innerSteps {
		apply(ap, p)
		curvature := dots(p, ap)
		alpha, any := make([]float64, cols), false
		for k := range alpha {
			if active[k] = active[k] && curvature[k] > 0; active[k] {
				alpha[k] = rz[k] / curvature[k]
				any = true
			}
		}
		if !any {
			break
		}
		addColumns(x, alpha, p)
		floats.Scale(-1, alpha)
		addColumns(r, alpha, ap)
		left := dots(r, r)
		precondition(z, r)
		next := dots(r, z)
		beta := make([]float64, cols)
		for k := range beta {
			active[k] = active[k] && left[k] > goal[k] && next[k] > 0
			if active[k] {
				beta[k] = next[k] / rz[k]
			}
		}
		rz = next
		// p ← z + β·p
		par.Blocks(n, 4096, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row, zi := p.RawRowView(i), z.RawRowView(i)
				for k := range row {
					row[k] = zi[k] + beta[k]*row[k]
				}
			}
		})
	}
	// A column that negative curvature stopped at once is corrected by its gradient.
	for k := range cols {
		if columnNorm(x, k) == 0 {
			precondition(z, right)
			x.Slice(0, n, k, k+1).(*mat.Dense).Copy(z.Slice(0, n, k, k+1))
		}
	}
	return x
}
