package sparse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Components are principal components of the rows of a matrix.
type Components struct {
	// Mean is the mean of the rows, with one number per column.
	Mean []float64
	// Basis holds orthonormal directions as columns, in descending order of variance. The entry of
	// largest magnitude in each column is positive.
	Basis *mat.Dense
	// Variance holds the variances along the directions. Total is the total variance of the rows
	// (divisor Rows).
	Variance []float64
	Total    float64
}

// The randomised projection uses `oversampling` additional directions and `powers` rounds of
// subspace iteration.
const (
	oversampling = 12
	powers       = 6
)

// negligible is a share of the largest variance. The variance of a direction is rounding error if
// it is below this share.
const negligible = 1e-12

// Principal returns up to k principal components of the rows of m, 1 ≤ k ≤ columns. It returns
// fewer if the rows span fewer dimensions. Subtracting the mean from the rows would make them
// dense, so the effect of the mean is subtracted from each matrix product instead. The same seed
// gives the same result on any number of processors.
//
// Source: Halko, Martinsson, Tropp, SIAM Review 53, 2011: subspace iteration on random directions.
// Directions of nearly equal variance are separated only approximately.
//
// Principal takes O((nnz + (Rows + Cols)·k)·k) operations. It needs memory for the transpose of m,
// a dense Rows×k matrix and a dense Cols×k matrix. Errors wrap [ErrOption], [ErrNotFinite] or the
// error of ctx.
func Principal(ctx context.Context, m *CSR, k int, seed uint64) (*Components, error) {
	ctx = par.Context(ctx)
	if k < 1 || k > m.Cols || m.Rows < 1 {
		return nil, fmt.Errorf("%w: the matrix is %d×%d and k = %d, but there must be at least one row, and k must lie between 1 and the number of columns", ErrOption, m.Rows, m.Cols, k)
	}
	p := &principal{m: m, t: m.T(), mean: make([]float64, m.Cols)}
	total, varying := 0.0, false
	for j := range m.Cols {
		_, values := p.t.Row(j)
		square := 0.0
		for _, v := range values {
			p.mean[j] += v / float64(m.Rows)
			square += float64(v * v / float64(m.Rows))
		}
		if c, constant := constantOf(values, m.Rows); constant {
			p.mean[j] = c // without rounding error
		} else {
			varying = true
		}
		total += square - float64(p.mean[j]*p.mean[j])
	}
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return nil, fmt.Errorf("%w: a value is not finite, or the squares of the values overflow", ErrNotFinite)
	}
	if !varying {
		return nil, fmt.Errorf("%w: all rows are equal, so they have no principal components", ErrOption)
	}
	count := min(k+oversampling, m.Rows, m.Cols)
	rng := rand.New(rand.NewPCG(seed, 0x70636173))
	wide, long := mat.NewDense(m.Cols, count, nil), mat.NewDense(m.Rows, count, nil)
	for a := range wide.RawMatrix().Data {
		wide.RawMatrix().Data[a] = rng.NormFloat64()
	}
	p.mulTo(long, wide)
	for range powers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.orthonormalize(long); err != nil {
			return nil, err
		}
		p.mulTransposedTo(wide, long)
		if err := p.orthonormalize(wide); err != nil {
			return nil, err
		}
		p.mulTo(long, wide)
	}
	if err := p.orthonormalize(long); err != nil {
		return nil, err
	}
	p.mulTransposedTo(wide, long)
	p.t, long = nil, nil // release their memory
	values, vectors, err := gram(wide)
	if err != nil {
		return nil, err
	}
	c := &Components{Mean: p.mean, Total: max(total, 0)}
	for len(c.Variance) < k && len(c.Variance) < count {
		v := values[count-1-len(c.Variance)]
		if !(v > negligible*values[count-1]) {
			break
		}
		c.Variance = append(c.Variance, v/float64(m.Rows))
	}
	if c.Variance == nil {
		return nil, fmt.Errorf("%w: the squares of the values underflow", ErrNotFinite)
	}
	turn := mat.NewDense(count, len(c.Variance), nil)
	for b := range c.Variance {
		scale := 1 / math.Sqrt(values[count-1-b])
		for a := range count {
			turn.Set(a, b, vectors.At(a, count-1-b)*scale)
		}
	}
	p.times(wide, turn)
	c.Basis = leading(wide, len(c.Variance))
	fixSigns(c.Basis)
	return c, nil
}

// constantOf returns the common value of the n entries of a column, given its stored entries. ok is
// false if the entries differ.
func constantOf(stored []float64, n int) (c float64, ok bool) {
	if len(stored) == n && n > 0 {
		c = stored[0]
	}
	return c, !slices.ContainsFunc(stored, func(v float64) bool { return v != c })
}

// Keep drops all directions except the first k. It reuses the memory of the basis.
func (c *Components) Keep(k int) {
	c.Basis, c.Variance = leading(c.Basis, k), c.Variance[:k]
}

// Project subtracts c.Mean from the rows of m and returns their coordinates along the directions, a
// Rows×k matrix.
func (c *Components) Project(m *CSR) (*mat.Dense, error) {
	if m.Cols != len(c.Mean) {
		return nil, fmt.Errorf("%w: the rows have %d columns, but the components have %d", ErrShape, m.Cols, len(c.Mean))
	}
	_, k := c.Basis.Dims()
	y := mat.NewDense(m.Rows, k, nil)
	(&principal{m: m, mean: c.Mean}).mulTo(y, c.Basis)
	return y, nil
}

// principal multiplies vectors by the centred matrix m − 1·meanᵀ.
type principal struct {
	m, t    *CSR // matrix and its transpose
	mean    []float64
	rowCopy *mat.Dense // copy of rows during an in-place product
}

// timesBlock is the number of rows per block of an in-place product.
const timesBlock = 2048

// mulTo stores (m − 1·meanᵀ)·x in out.
func (p *principal) mulTo(out, x *mat.Dense) {
	p.m.MulTo(out, x)
	var less mat.VecDense
	less.MulVec(x.T(), mat.NewVecDense(len(p.mean), p.mean))
	par.Blocks(p.m.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := out.RawRowView(i)
			for c := range row {
				row[c] -= less.AtVec(c)
			}
		}
	})
}

// mulTransposedTo stores (m − 1·meanᵀ)ᵀ·y in out.
func (p *principal) mulTransposedTo(out, y *mat.Dense) {
	p.t.MulTo(out, y)
	n, count := y.Dims()
	sum := make([]float64, count)
	for i := range n {
		for c, v := range y.RawRowView(i) {
			sum[c] += v
		}
	}
	par.Blocks(len(p.mean), rowBlock, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			row := out.RawRowView(j)
			for c := range row {
				row[c] -= float64(p.mean[j] * sum[c])
			}
		}
	})
}

// gram returns the eigenvalues of xᵀx in ascending order, and its eigenvectors.
func gram(x *mat.Dense) ([]float64, *mat.Dense, error) {
	_, count := x.Dims()
	g := mat.NewSymDense(count, nil)
	g.SymOuterK(1, x.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(g, true) {
		return nil, nil, fmt.Errorf("%w: the eigendecomposition for the randomised projection did not converge", ErrNotFinite)
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	return eigen.Values(nil), &v, nil
}

// orthonormalize orthonormalises the columns of x. Columns beyond the rank become zero. A second
// pass removes rounding errors of the first.
func (p *principal) orthonormalize(x *mat.Dense) error {
	_, count := x.Dims()
	for range 2 {
		values, turn, err := gram(x)
		if err != nil {
			return err
		}
		for b, v := range values {
			scale := 0.0
			if v > 1e-28*values[count-1] {
				scale = 1 / math.Sqrt(v)
			}
			for a := range count {
				turn.Set(a, b, turn.At(a, b)*scale)
			}
		}
		p.times(x, turn)
	}
	return nil
}

// times sets the first columns of x to x·turn, one block of rows at a time. x is the largest matrix
// here, so it is not copied as a whole.
func (p *principal) times(x, turn *mat.Dense) {
	n, count := x.Dims()
	_, k := turn.Dims()
	if p.rowCopy == nil {
		p.rowCopy = mat.NewDense(timesBlock, count, nil)
	}
	for lo := 0; lo < n; lo += timesBlock {
		rows := min(timesBlock, n-lo)
		part, copied := x.Slice(lo, lo+rows, 0, count).(*mat.Dense), p.rowCopy.Slice(0, rows, 0, count).(*mat.Dense)
		copied.Copy(part)
		part.Slice(0, rows, 0, k).(*mat.Dense).Mul(copied, turn)
	}
}

// leading returns the first k columns of x and reuses the memory of x.
func leading(x *mat.Dense, k int) *mat.Dense {
	raw := x.RawMatrix()
	for i := range raw.Rows {
		copy(raw.Data[i*k:(i+1)*k], raw.Data[i*raw.Stride:])
	}
	return mat.NewDense(raw.Rows, k, raw.Data[:raw.Rows*k])
}

// fixSigns makes the entry of largest magnitude in each column positive.
func fixSigns(x *mat.Dense) {
	n, count := x.Dims()
	best := make([]float64, count)
	for i := range n {
		for c, v := range x.RawRowView(i) {
			if math.Abs(v) > math.Abs(best[c])*(1+1e-9) {
				best[c] = v
			}
		}
	}
	for i := range n {
		for c, v := range x.RawRowView(i) {
			x.Set(i, c, math.Copysign(1, best[c])*v)
		}
	}
}

// PickRows returns the matrix of the given rows in the given order. The rows must exist.
func PickRows(m *CSR, rows []int) *CSR {
	out := &CSR{Rows: len(rows), Cols: m.Cols, RowPtr: make([]int, len(rows)+1)}
	for k, i := range rows {
		cols, values := m.Row(i)
		out.ColInd, out.Val = append(out.ColInd, cols...), append(out.Val, values...)
		out.RowPtr[k+1] = len(out.Val)
	}
	return out
}
