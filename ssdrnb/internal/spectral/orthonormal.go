package spectral

import (
	"math"
	"slices"
	"sync"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// orthonormalize subtracts from w its projection onto the first `fill` columns V of the basis and
// orthonormalises the rest: w_before = V·c + w·tail. Since T is symmetric, the components along the
// first `local` columns are rounding errors. The components along the later columns are removed
// first, so that a single pass over all columns then suffices. Columns that add no new direction
// become random, with zeros in tail; once the space is exhausted, they become zero.
func (k *krylov) orthonormalize(w *mat.Dense, fill, local int) (c, tail *mat.Dense) {
	_, b := w.Dims()
	if fill > 0 {
		c = mat.NewDense(fill, b, nil)
	}
	tail = dense.Identity(b, b)
	subtract := func(from int) {
		if from == fill {
			return
		}
		v := k.columns(from, fill)
		part := tallProduct(v, w)
		addProduct(w, -1, v, part)
		var back mat.Dense
		back.Mul(part, tail)
		to := c.Slice(from, fill, 0, b).(*mat.Dense)
		to.Add(to, &back)
	}
	if local > 0 {
		subtract(local)
	}
	for pass := range 4 {
		if k.null != nil {
			k.null.Project(w)
		}
		subtract(0)
		r, lost, least := k.normalize(w, pass < 2)
		var t mat.Dense
		t.Mul(r, tail)
		tail = &t
		if (pass > 0 || local > 0) && lost == 0 && least > 0.1 {
			break
		}
	}
	return c, tail
}

// normalize makes the columns of w nearly orthonormal for the next pass of orthogonalisation. It
// rotates them by the eigenvectors of their Gram matrix (Stathopoulos, Wu 2002) and scales them:
// w_before = w·r. The Gram matrix loses half of the digits, so the norms of the rotated columns are
// computed again. Directions at rounding level become random columns if renew is true, and zero
// otherwise; `lost` is the number of these directions. `least` measures the independence of the
// columns of w: it is 1 if they are orthogonal, and near 0 if they are nearly dependent. It is the
// smallest norm that a column has after the columns are scaled to norm 1 and rotated; lost
// directions do not count.
func (k *krylov) normalize(w *mat.Dense, renew bool) (r *mat.Dense, lost int, least float64) {
	_, b := w.Dims()
	g := tallProduct(w, w)
	scale := make([]float64, b)
	floor := max(k.floor(), 1e-300)
	t := mat.NewDense(b, b, nil) // w_new = w·t
	r = mat.NewDense(b, b, nil)
	unit := mat.NewSymDense(b, nil)
	for j := range b {
		if scale[j] = math.Sqrt(max(g.At(j, j), 0)); !(scale[j] > floor) {
			scale[j] = 0
		}
		for i := range j + 1 {
			if scale[i] > 0 && scale[j] > 0 {
				unit.SetSym(i, j, (g.At(i, j)+g.At(j, i))/2/scale[i]/scale[j])
			}
		}
	}
	values, q, err := blas.EigenSym(unit)
	if err != nil { // NaN: the caller then finds no finite Ritz value
		return r, 0, 1
	}
	// If the columns are far from dependent, the Gram matrix has enough digits.
	sound := values[0] > 1e-3*values[b-1]
	for j, v := range scale {
		for e := range b {
			switch {
			case v > 0 && sound:
				t.Set(j, e, q.At(j, e)/v/math.Sqrt(values[e]))
				r.Set(e, j, q.At(j, e)*v*math.Sqrt(values[e]))
			case v > 0:
				t.Set(j, e, q.At(j, e)/v)
			}
		}
	}
	mulInPlace(w, t)
	if sound {
		return r, 0, math.Sqrt(values[0])
	}
	least = 1
	var weak []int
	norms := dots(w, w)
	t.Zero()
	for e, v := range norms {
		norm := math.Sqrt(max(v, 0))
		if !(norm > 1e-14) {
			weak = append(weak, e)
			continue
		}
		least = min(least, norm)
		t.Set(e, e, 1/norm)
		for j := range b {
			r.Set(e, j, norm*q.At(j, e)*scale[j])
		}
	}
	mulInPlace(w, t)
	if len(weak) > 0 && renew {
		fresh := k.random(len(weak))
		for i := range k.n {
			row, from := w.RawRowView(i), fresh.RawRowView(i)
			for at, e := range weak {
				row[e] = from[at]
			}
		}
	}
	return r, len(weak), least
}

// floor returns the norm below which a column of T·V − V·H is rounding error.
func (k *krylov) floor() float64 {
	if len(k.theta) == 0 {
		return 0
	}
	return 1e-15 * math.Abs(k.theta[0])
}

// tall is the number of rows of a tall matrix that a worker processes at a time. Rows are divided
// among workers because BLAS computes a product of few columns on a single thread.
const tall = 1024

// loopMax is the largest number of entries of the small matrix for which plain loops over the rows
// of the tall matrices are faster than BLAS.
const loopMax = 16

// addOuter adds Σ x_iᵀ·y_i over rows i = lo … hi − 1 of x and y to sum.
func addOuter(sum []float64, x, y blas64.General, lo, hi int) {
	var own [loopMax]float64 // avoids false sharing
	for i := lo; i < hi; i++ {
		xi, yi := x.Data[i*x.Stride:][:x.Cols], y.Data[i*y.Stride:][:y.Cols]
		if len(yi) == 3 { // a common case: two dimensions, and a third for the eigengap
			y0, y1, y2 := yi[0], yi[1], yi[2]
			for e, v := range xi {
				to := own[3*e:][:3]
				to[0] += v * y0
				to[1] += v * y1
				to[2] += v * y2
			}
			continue
		}
		for e, v := range xi {
			to := own[e*len(yi):][:len(yi)]
			for k, w := range yi {
				to[k] += v * w
			}
		}
	}
	for k := range sum {
		sum[k] += own[k]
	}
}

// addRows adds alpha·x·c to y in rows lo to hi − 1.
func addRows(y blas64.General, alpha float64, x, c blas64.General, lo, hi int) {
	for i := lo; i < hi; i++ {
		xi, yi := x.Data[i*x.Stride:][:x.Cols], y.Data[i*y.Stride:][:y.Cols]
		if len(yi) == 3 {
			var s0, s1, s2 float64
			for e, v := range xi {
				from := c.Data[e*c.Stride:][:3]
				s0 += v * from[0]
				s1 += v * from[1]
				s2 += v * from[2]
			}
			yi[0] += alpha * s0
			yi[1] += alpha * s1
			yi[2] += alpha * s2
			continue
		}
		for e, v := range xi {
			v *= alpha
			for k, w := range c.Data[e*c.Stride:][:len(yi)] {
				yi[k] += v * w
			}
		}
	}
}

// tallProduct returns vᵀ·w for tall matrices v and w. It adds the sums of blocks of rows in order,
// so that the result is the same for any number of processors.
func tallProduct(v, w *mat.Dense) *mat.Dense {
	x, y := v.RawMatrix(), w.RawMatrix()
	local, size := blas.Local(), x.Cols*y.Cols
	parts := make([]float64, (x.Rows+tall-1)/tall*size)
	par.Blocks(x.Rows, tall, func(lo, hi int) {
		if size <= loopMax {
			addOuter(parts[lo/tall*size:][:size], x, y, lo, hi)
			return
		}
		local.Dgemm(gonumblas.Trans, gonumblas.NoTrans, x.Cols, y.Cols, hi-lo, 1, x.Data[lo*x.Stride:], x.Stride, y.Data[lo*y.Stride:], y.Stride, 0, parts[lo/tall*size:(lo/tall+1)*size], y.Cols)
	})
	out := parts[:size:size]
	for at := size; at < len(parts); at += size {
		for k, p := range parts[at : at+size] {
			out[k] += p
		}
	}
	return mat.NewDense(x.Cols, y.Cols, out)
}

// addProduct sets w = w + alpha·v·c for tall w and v.
func addProduct(w *mat.Dense, alpha float64, v, c *mat.Dense) {
	x, y, small := v.RawMatrix(), w.RawMatrix(), c.RawMatrix()
	local := blas.Local()
	par.Blocks(x.Rows, tall, func(lo, hi int) {
		if x.Cols*y.Cols <= loopMax {
			addRows(y, alpha, x, small, lo, hi)
			return
		}
		local.Dgemm(gonumblas.NoTrans, gonumblas.NoTrans, hi-lo, y.Cols, x.Cols, alpha, x.Data[lo*x.Stride:], x.Stride, small.Data, small.Stride, 1, y.Data[lo*y.Stride:], y.Stride)
	})
}

// turned returns v·c for a tall matrix v and a small matrix c.
func turned(v, c *mat.Dense) *mat.Dense {
	n, _ := v.Dims()
	_, b := c.Dims()
	w := mat.NewDense(n, b, nil)
	addProduct(w, 1, v, c)
	return w
}

// strip is the number of rows of a tall matrix that mulInPlace replaces at a time.
const strip = 256

var strips = sync.Pool{New: func() any { return new([]float64) }}

// mulInPlace sets the first columns of w to w·t for a small matrix t with no more columns than
// rows.
func mulInPlace(w, t *mat.Dense) {
	raw, small := w.RawMatrix(), t.RawMatrix()
	from, to, local := small.Rows, small.Cols, blas.Local()
	par.Blocks(raw.Rows, rowBlock, func(lo, hi int) {
		product := strips.Get().(*[]float64)
		defer strips.Put(product)
		*product = slices.Grow((*product)[:0], strip*to)[:strip*to]
		for ; lo < hi; lo += strip {
			rows, part := min(strip, hi-lo), raw.Data[lo*raw.Stride:]
			local.Dgemm(gonumblas.NoTrans, gonumblas.NoTrans, rows, to, from, 1, part, raw.Stride, small.Data, small.Stride, 0, *product, to)
			for i := range rows {
				copy(part[i*raw.Stride:][:to], (*product)[i*to:])
			}
		}
	})
}
