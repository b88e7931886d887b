// Package dense implements operations on dense matrices that gonum lacks and several methods share.
package dense

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Plus returns a + f·b.
func Plus(a *mat.SymDense, f float64, b *mat.SymDense) *mat.SymDense {
	n := a.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	to, from, add := out.RawSymmetric(), a.RawSymmetric(), b.RawSymmetric()
	for i := range n {
		row, x, y := to.Data[i*to.Stride:], from.Data[i*from.Stride:], add.Data[i*add.Stride:]
		for j := i; j < n; j++ {
			row[j] = x[j] + f*y[j]
		}
	}
	return out
}

// AddRidge returns a + alpha·I.
func AddRidge(a *mat.SymDense, alpha float64) *mat.SymDense {
	n := a.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	out.CopySym(a)
	for i := range n {
		out.SetSym(i, i, a.At(i, i)+alpha)
	}
	return out
}

// SymmetricProduct returns aᵀ·b, which must be symmetric up to rounding.
func SymmetricProduct(a, b *mat.Dense) *mat.SymDense {
	var full mat.Dense
	full.Mul(a.T(), b)
	return Symmetrized(&full)
}

// Symmetrized returns (m + mᵀ)/2.
func Symmetrized(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	return out
}

// Quadratic returns zᵀ·m·z for a symmetric sparse m.
func Quadratic(m *sparse.CSR, z *mat.Dense) *mat.SymDense {
	n, r := z.Dims()
	mz := mat.NewDense(n, r, nil)
	m.MulTo(mz, z)
	return SymmetricProduct(z, mz)
}

// Smoothness returns zᵀ·l·z for a graph Laplacian l, whose rows sum to 0; weights may be negative.
// rounding[i] bounds the norm of the rounding error of row i of z. If linked rows nearly coincide,
// cancellation may leave fewer than three correct digits in the matrix product. Smoothness then
// adds up the outer products of the differences of linked rows instead. If these differences are no
// larger than the rounding errors of z, the result is exactly 0.
func Smoothness(l *sparse.CSR, z *mat.Dense, rounding []float64) *mat.SymDense {
	out := Quadratic(l, z)
	n, r := z.Dims()
	product := 0.0 // Σ |l_ij|·|z_i|·|z_j|; the error of out is at most (n+longest+2)·ε times this sum
	norms, longest := make([]float64, n), 0
	for i := range n {
		norms[i] = math.Sqrt(inner(z.RawRowView(i), z.RawRowView(i)))
	}
	for i := range n {
		cols, vals := l.Row(i)
		longest = max(longest, len(cols))
		for k, c := range cols {
			product += math.Abs(vals[k]) * norms[i] * norms[c]
		}
	}
	// A large trace shows that enough digits are left. A small trace may result from weights of
	// both signs that cancel; in this case `level`, the sum of absolute terms, decides.
	lost := float64(n+longest+2) * 0x1p-52 * product / 1e-3
	if lost <= math.Abs(mat.Trace(out)) {
		return out
	}
	level, noise := 0.0, 0.0
	for i := range n {
		cols, vals := l.Row(i)
		for k, c := range cols {
			if int(c) > i {
				level += math.Abs(vals[k]) * samples.SquaredDistance(z.RawRowView(i), z.RawRowView(int(c)))
				noise += math.Abs(vals[k]) * (rounding[i] + rounding[c]) * (rounding[i] + rounding[c])
			}
		}
	}
	if lost <= level {
		return out
	}
	out.Zero()
	if level <= noise {
		return out
	}
	apart := mat.NewVecDense(r, nil)
	for i := range n {
		cols, vals := l.Row(i)
		for k, c := range cols {
			if int(c) > i {
				for q, v := range z.RawRowView(i) {
					apart.SetVec(q, v-z.At(int(c), q))
				}
				out.SymRankOne(out, -vals[k], apart)
			}
		}
	}
	return out
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for k, v := range a {
		sum += v * b[k]
	}
	return sum
}

// SquaredNorms returns zᵀRᵀRz for the sparse matrix r.
func SquaredNorms(r *sparse.CSR, z *mat.Dense) *mat.SymDense {
	_, c := z.Dims()
	rz := mat.NewDense(r.Rows, c, nil)
	r.MulTo(rz, z)
	out := mat.NewSymDense(c, nil)
	out.SymOuterK(1, rz.T())
	return out
}

// Roughness returns tr(zᵀ·L·z) = ½ Σ w_ij‖z_i − z_j‖², where L is the Laplacian of w.
func Roughness(w *sparse.CSR, z *mat.Dense) float64 {
	n, _ := z.Dims()
	sum := 0.0
	for i := range n {
		cols, weights := w.Row(i)
		for k, c := range cols {
			sum += weights[k] * samples.SquaredDistance(z.RawRowView(i), z.RawRowView(int(c)))
		}
	}
	return sum / 2
}

// FromSparse returns a symmetric sparse matrix as a dense one.
func FromSparse(m *sparse.CSR) *mat.SymDense {
	out := mat.NewSymDense(m.Rows, nil)
	for i := range m.Rows {
		cols, vals := m.Row(i)
		for k, c := range cols {
			if int(c) >= i {
				out.SetSym(i, int(c), vals[k])
			}
		}
	}
	return out
}

// RowNorm returns the largest row sum of absolute values, the ∞-norm of m.
func RowNorm(m *sparse.CSR) float64 {
	largest := 0.0
	for i := range m.Rows {
		_, vals := m.Row(i)
		sum := 0.0
		for _, v := range vals {
			sum += math.Abs(v)
		}
		largest = max(largest, sum)
	}
	return largest
}

// Inner returns Σ a_ij·b_ij.
func Inner(a, b *mat.Dense) float64 {
	rows, _ := a.Dims()
	sum := 0.0
	for i := range rows {
		x, y := a.RawRowView(i), b.RawRowView(i)
		for k := range x {
			sum += x[k] * y[k]
		}
	}
	return sum
}

// AddRow adds row to every row of m.
func AddRow(m *mat.Dense, row []float64) {
	n, _ := m.Dims()
	for i := range n {
		dst := m.RawRowView(i)
		for k, v := range row {
			dst[k] += v
		}
	}
}

// Identity returns the first d columns of the r×r identity matrix.
func Identity(r, d int) *mat.Dense {
	m := mat.NewDense(r, d, nil)
	for k := range d {
		m.Set(k, k, 1)
	}
	return m
}

// Lift returns basis·v, the columns of v in the coordinates of the full space. A nil basis stands
// for the identity.
func Lift(basis, v *mat.Dense) *mat.Dense {
	if basis == nil {
		return v
	}
	var out mat.Dense
	out.Mul(basis, v)
	return &out
}

// UnitColumns scales each column to Euclidean length 1. No column may be 0.
func UnitColumns(w *mat.Dense) {
	_, c := w.Dims()
	for k := range c {
		column := w.ColView(k).(*mat.VecDense)
		column.ScaleVec(1/mat.Norm(column, 2), column)
	}
}

// Signs returns −1 for each column of w whose entry of largest magnitude is negative, and +1
// otherwise. Among entries of nearly equal magnitude, the first decides.
func Signs(w *mat.Dense) []float64 {
	rows, cols := w.Dims()
	out := make([]float64, cols)
	for k := range cols {
		best := 0.0
		for i := range rows {
			if v := w.At(i, k); math.Abs(v) > math.Abs(best)*(1+1e-9) {
				best = v
			}
		}
		out[k] = 1
		if best < 0 {
			out[k] = -1
		}
	}
	return out
}

// Flip multiplies column k of each matrix by signs[k].
func Flip(signs []float64, matrices ...*mat.Dense) {
	for _, m := range matrices {
		rows, _ := m.Dims()
		for i := range rows {
			for k, sign := range signs {
				m.Set(i, k, sign*m.At(i, k))
			}
		}
	}
}
