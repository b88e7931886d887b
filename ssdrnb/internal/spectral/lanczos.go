package spectral

import (
	"math"
	"math/rand/v2"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

const (
	// From order lanczosOrder on, eigenpairs are computed by products with vectors if at most
	// 1/lanczosShare of them are wanted.
	lanczosOrder, lanczosShare = 512, 50
	// At order n, the iteration takes at most n/basisShare products. They cost half as much as the
	// reduction to tridiagonal form, which follows if they do not suffice.
	basisShare = 5
	// lanczosTolerance is the largest residual, as a share of the spectral radius, that counts as
	// rounding error.
	lanczosTolerance = 1e-13
)

// lanczos is a Lanczos iteration with full orthogonalisation on a dense symmetric matrix A: A·Q =
// Q·T + β·q·eᵀ. T is tridiagonal, q is the newest basis vector, Q holds the earlier ones, and e is
// the last unit vector.
type lanczos struct {
	a       *mat.SymDense
	n       int
	basis   []float64 // the vectors as rows; the newest is not yet in T
	diag    []float64 // diagonal of T
	offDiag []float64 // off-diagonal of T; the last entry is β
	size    float64   // ‖A‖_F
	radius  float64   // lower bound of ‖A‖: the largest √(α² + β²) of a step
	rng     *rand.Rand
}

// topByProducts returns the d+1 largest eigenpairs of the matrix a in descending order, with
// residuals at rounding level. It returns nil if the matrix must be reduced to tridiagonal form
// instead.
//
// Well-separated top eigenvalues need a few dozen products with a vector, whereas the reduction
// needs n. A single starting vector can miss eigenvalues, especially repeated ones.
// [lanczos.complete] therefore proves that the first d are the largest.
func topByProducts(a *mat.SymDense, d int) (values []float64, vectors *mat.Dense, work Work) {
	n := a.SymmetricDim()
	if n < lanczosOrder || d > n/lanczosShare {
		return nil, nil, work
	}
	l := &lanczos{a: a, n: n, size: frobenius(a), rng: rand.New(rand.NewPCG(uint64(n), 0x1a5c))}
	if !(l.size > 1e-100 && l.size < 1e100) { // squares would overflow or underflow, or the matrix is not finite
		return nil, nil, work
	}
	l.basis = make([]float64, 0, (n/basisShare+1)*n)
	l.add(l.fresh())
	for next := 3 * (d + 1); ; next += max(8, next/8) {
		if next > n/basisShare {
			return nil, nil, work
		}
		for len(l.diag) < next {
			l.step()
		}
		values, turned := l.ritz(d + 1)
		if values == nil {
			continue
		}
		vectors = mat.NewDense(n, d+1, nil)
		vectors.Mul(mat.NewDense(next, n, l.basis[:next*n]).T(), turned)
		if !l.complete(values, vectors) {
			return nil, nil, work
		}
		return values, vectors, Work{Method: "Lanczos", Products: next}
	}
}

func frobenius(a *mat.SymDense) float64 {
	raw, sum := a.RawSymmetric(), 0.0
	for i := range raw.N {
		row := blas64.Vector{N: raw.N - i, Data: raw.Data[i*raw.Stride+i:], Inc: 1}
		sum += 2*blas64.Dot(row, row) - row.Data[0]*row.Data[0]
	}
	return math.Sqrt(sum)
}

// fresh returns a random vector.
func (l *lanczos) fresh() []float64 {
	v := make([]float64, l.n)
	for i := range v {
		v[i] = l.rng.NormFloat64()
	}
	return v
}

// add scales v to norm 1 and appends it to the basis.
func (l *lanczos) add(v []float64) {
	w := blas64.Vector{N: l.n, Data: v, Inc: 1}
	blas64.Scal(1/length(w), w)
	l.basis = append(l.basis, v...)
}

func length(v blas64.Vector) float64 { return math.Sqrt(blas64.Dot(v, v)) }

// orthogonalize subtracts from v its projection onto the basis.
func (l *lanczos) orthogonalize(v []float64) {
	m := len(l.basis) / l.n
	basis := blas64.General{Rows: m, Cols: l.n, Stride: l.n, Data: l.basis}
	c := blas64.Vector{N: m, Data: make([]float64, m), Inc: 1}
	w := blas64.Vector{N: l.n, Data: v, Inc: 1}
	blas64.Gemv(gonumblas.NoTrans, 1, basis, w, 0, c)
	blas64.Gemv(gonumblas.Trans, -1, basis, c, 1, w)
}

// step multiplies the newest vector by A, orthogonalises the product and appends it to the basis.
func (l *lanczos) step() {
	n, k := l.n, len(l.diag)
	newest := blas64.Vector{N: n, Data: l.basis[k*n : (k+1)*n], Inc: 1}
	w := mat.NewDense(n, 1, nil)
	blas.SymMul(w, l.a, mat.NewDense(n, 1, newest.Data))
	v := blas64.Vector{N: n, Data: w.RawMatrix().Data, Inc: 1}
	alpha := blas64.Dot(newest, v)
	blas64.Axpy(-alpha, newest, v)
	if k > 0 {
		blas64.Axpy(-l.offDiag[k-1], blas64.Vector{N: n, Data: l.basis[(k-1)*n : k*n], Inc: 1}, v)
	}
	// The components along the other basis vectors are rounding errors. One pass removes them,
	// unless the remainder is tiny.
	l.orthogonalize(v.Data)
	beta := length(v)
	if beta < 1e-6*l.radius {
		l.orthogonalize(v.Data)
		beta = length(v)
	}
	if beta <= 1e-15*l.radius { // Q spans an invariant subspace: continue in its complement
		beta, v.Data = 0, l.fresh()
		l.orthogonalize(v.Data)
		l.orthogonalize(v.Data)
	}
	l.radius = max(l.radius, math.Hypot(alpha, beta))
	l.diag, l.offDiag = append(l.diag, alpha), append(l.offDiag, beta)
	l.add(v.Data)
}

// ritz returns the m largest eigenvalues of T in descending order, and their eigenvectors. It
// returns nil if the residual of any of these Ritz pairs of A exceeds rounding level. The last pair
// converges last, so it is tested first, alone.
func (l *lanczos) ritz(m int) ([]float64, *mat.Dense) {
	k := len(l.diag)
	for _, end := range []int{k - m + 1, k} {
		values, vectors, err := blas.EigenTridiagonal(l.diag, l.offDiag[:k-1], k-m, end)
		if err != nil {
			return nil, nil
		}
		for _, v := range vectors.RawRowView(k - 1) {
			if !(l.offDiag[k-1]*math.Abs(v) <= lanczosTolerance*l.radius) {
				return nil, nil
			}
		}
		if end == k {
			reverse(values, vectors)
			return values, vectors
		}
	}
	return nil, nil
}

// complete takes d+1 eigenpairs and reports whether it can prove that no other eigenvalue exceeds
// σ, the midpoint of the last two values. The Frobenius norm gives the sum of squares of the other
// eigenvalues; a sum below σ² is a proof. Otherwise, the proof is a Cholesky factorisation of σI −
// A after deflation of the d+1 eigenvectors.
func (l *lanczos) complete(values []float64, vectors *mat.Dense) bool {
	last := len(values) - 1
	sigma := (values[last] + values[last-1]) / 2
	rest := l.size * l.size
	for _, v := range values {
		rest -= v * v
	}
	if sigma > 0 && rest+1e-12*l.size*l.size < sigma*sigma {
		return true
	}
	away := 2 * max(math.Abs(values[0]), math.Abs(values[last]))
	scaled := mat.NewDense(l.n, last+1, nil)
	scaled.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(values[j]-sigma+away) }, vectors)
	rows, raw := scaled.RawMatrix(), l.a.RawSymmetric()
	m := blas64.Symmetric{N: l.n, Stride: l.n, Data: make([]float64, l.n*l.n), Uplo: gonumblas.Upper}
	for i := range l.n {
		row := m.Data[i*l.n : (i+1)*l.n]
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+l.n] {
			row[i+j] = -v
		}
		row[i] += sigma
	}
	blas64.Syrk(gonumblas.NoTrans, 1, rows, 1, m)
	_, ok := lapack64.Potrf(m)
	return ok
}
