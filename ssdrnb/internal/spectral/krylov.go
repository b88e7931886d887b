package spectral

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// krylov is a block Lanczos iteration with full orthogonalisation and thick restarts (Wu, Simon
// 2000; Stewart's Krylov–Schur) for the largest eigenvalues of an operator T. T is −A, a polynomial
// of A, or the inverse of A + σI. Blocks find multiple eigenvalues that a single vector would miss.
type krylov struct {
	ctx   context.Context
	n     int
	want  int // eigenpairs wanted
	block int // columns of a block
	limit int // a restart reduces the basis when it has more columns than this
	// apply sets dst = T·x; T is symmetric.
	apply func(dst, x *mat.Dense) error
	null  Null // excluded subspace; nil for none
	rng   *rand.Rand

	basis  *mat.Dense    // n×(limit + block), orthonormal
	newest *mat.Dense    // the newest block, a copy of the end of the basis
	spare  *mat.Dense    // memory for the next block
	size   int           // columns that T was applied to
	fill   int           // columns in use, including the newest block
	local  int           // T·newest has only rounding errors along columns before this index
	h      *mat.SymDense // VᵀTV for the first `size` columns V of the basis
	theta  []float64     // the largest Ritz values, descending
	ritz   *mat.Dense    // Ritz vectors in the coordinates of the basis, as columns
	tail   *mat.Dense    // newestᵀ·T·X for the block X before newest
	errors []float64     // residuals of the Ritz pairs
}

// noise is the residual due to rounding, as a share of the largest Ritz value.
const noise = 1e-13

// start sets the first block to an orthonormal basis of x, filled up with random columns.
func (k *krylov) start(x *mat.Dense) error {
	if k.basis == nil {
		k.basis = mat.NewDense(k.n, k.limit+k.block, nil)
		k.spare = mat.NewDense(k.n, k.block, nil)
	}
	k.size, k.fill = 0, 0
	k.h = mat.NewSymDense(k.limit+k.block, nil)
	v := k.random(k.block)
	if x != nil {
		_, b := x.Dims()
		v.Slice(0, k.n, 0, min(b, k.block)).(*mat.Dense).Copy(x)
	}
	k.orthonormalize(v, 0, 0)
	k.set(0, v)
	k.newest, k.fill, k.local = v, k.block, 0
	return nil
}

// random returns an n×b block of numbers between −½ and ½.
func (k *krylov) random(b int) *mat.Dense {
	v := mat.NewDense(k.n, b, nil)
	raw := v.RawMatrix().Data
	for i := range raw {
		raw[i] = k.rng.Float64() - 0.5
	}
	return v
}

// columns returns a view of columns lo to hi−1 of the basis.
func (k *krylov) columns(lo, hi int) *mat.Dense {
	return k.basis.Slice(0, k.n, lo, hi).(*mat.Dense)
}

// set copies v into the basis from column lo on.
func (k *krylov) set(lo int, v *mat.Dense) {
	_, b := v.Dims()
	to := k.columns(lo, lo+b)
	par.Blocks(k.n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(to.RawRowView(i), v.RawRowView(i))
		}
	})
}

// step applies T to the newest block and adds the next block to the basis.
func (k *krylov) step() error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	if k.fill > k.limit {
		k.restart(k.kept())
	}
	b, w := k.block, k.spare
	if err := k.apply(w, k.newest); err != nil {
		return err
	}
	c, tail := k.orthonormalize(w, k.fill, k.local)
	k.local = k.size
	for i := range k.fill {
		for j := range b {
			if i <= k.size+j { // the upper triangle of the new part
				k.h.SetSym(i, k.size+j, c.At(i, j))
			}
		}
	}
	k.size = k.fill
	k.set(k.size, w)
	k.newest, k.spare = w, k.newest
	k.fill += b
	k.tail = tail
	return nil
}

// rayleighRitz computes the m largest Ritz values, their vectors and residuals from the projected
// matrix H.
func (k *krylov) rayleighRitz(m int) error {
	h := mat.NewSymDense(k.size, nil)
	for i := range k.size {
		for j := i; j < k.size; j++ {
			h.SetSym(i, j, k.h.At(i, j))
		}
	}
	values, vectors, err := blas.EigenSymRange(h, k.size-m, k.size)
	if err != nil {
		return translate(err)
	}
	reverse(values, vectors)
	k.theta, k.ritz = values, vectors
	k.errors = make([]float64, m)
	var r mat.Dense
	r.Mul(k.tail, vectors.Slice(k.size-k.block, k.size, 0, m))
	for j := range k.errors {
		for i := range k.block {
			k.errors[j] = math.Hypot(k.errors[j], r.At(i, j))
		}
	}
	return nil
}

// restart reduces the basis to the best `keep` Ritz vectors and the newest block.
func (k *krylov) restart(keep int) {
	k.set(0, turned(k.columns(0, k.size), k.ritz.Slice(0, k.size, 0, keep).(*mat.Dense)))
	k.set(keep, k.newest)
	k.h.Zero()
	for j := range keep {
		k.h.SetSym(j, j, k.theta[j])
	}
	k.size, k.fill, k.local = keep, keep+k.block, 0
}

// run iterates until the first `want` Ritz pairs have residuals of at most `tolerance` times their
// value (see excess for the last pair), or until the basis is full. It reports whether the pairs
// converged. Far from convergence it checks only every other block.
func (k *krylov) run(tolerance float64) (bool, error) {
	for far := false; ; {
		if err := k.step(); err != nil {
			return false, err
		}
		full := k.fill > k.limit
		if far && !full {
			far = false
			continue
		}
		if err := k.rayleighRitz(min(k.size, max(k.want, k.kept()))); err != nil {
			return false, err
		}
		excess := k.excess(tolerance)
		if excess == 0 {
			return true, nil
		}
		if full {
			return false, nil
		}
		far = excess > 1e4 // one more block will not reduce the residual by this factor
	}
}

// kept returns the number of Ritz vectors that a restart keeps.
func (k *krylov) kept() int {
	return min(k.want+max(k.block, k.want/2), k.limit-2*k.block, k.size)
}

// excess returns the largest ratio of a wanted pair's residual to the allowed residual, or 0 if all
// residuals are allowed. The last pair is needed only for the gap and may be inaccurate.
func (k *krylov) excess(tolerance float64) float64 {
	if k.size < k.want {
		return math.Inf(1)
	}
	floor, worst := noise*math.Abs(k.theta[0]), 0.0
	for j := range k.want {
		bound := tolerance
		if j == k.want-1 && j > 0 {
			bound = max(bound, 1e-2)
		}
		if allowed := max(bound*math.Abs(k.theta[j]), floor); !(k.errors[j] <= allowed) {
			worst = max(worst, k.errors[j]/allowed)
		}
	}
	return worst
}

// vectors returns (T/θ)·x for the first m Ritz vectors x with Ritz values θ. These vectors have
// smaller errors than x, and need no product: (T/θ)·x is x plus its residual divided by θ.
// Inaccurate vectors x are returned unchanged, because all of them would turn towards the newest
// block.
func (k *krylov) vectors(m int) *mat.Dense {
	var r mat.Dense
	r.Mul(k.tail, k.ritz.Slice(k.size-k.block, k.size, 0, m))
	y := mat.NewDense(k.fill, m, nil) // in the coordinates of the basis, including the newest block
	y.Slice(0, k.size, 0, m).(*mat.Dense).Copy(k.ritz)
	for j := range m {
		if k.errors[j] < 0.1*k.theta[j] {
			for i := range k.block {
				y.Set(k.size+i, j, r.At(i, j)/k.theta[j])
			}
		}
	}
	return turned(k.columns(0, k.fill), y)
}
