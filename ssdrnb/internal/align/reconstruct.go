package align

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Reconstruct returns the weights Δ that reconstruct each sample from its neighbours (Roweis, Saul
// 2000). The neighbours of sample i are the columns stored in row i of links. Row i of Δ holds w
// divided by its sum, where w solves (G + R·I)w = 1 with the local Gram matrix G_jr =
// (xᵢ−xⱼ)ᵀ(xᵢ−x_r). R = reg·trace(G), or R = reg if the trace is 0. Rows sum to 1; a row without
// links stays empty. The values of links are ignored.
//
// For LLE, links is nb.Directed(); S2LLE keeps only the must-links in it. reg > 0; 1e-3 is usual.
func Reconstruct(ctx context.Context, x *mat.Dense, links *sparse.CSR, reg float64) (*sparse.CSR, error) {
	n, d := x.Dims()
	if err := checkLinks(n, links, reg); err != nil {
		return nil, err
	}
	return reconstruct(ctx, links, reg, d, localGram(x, x))
}

// ReconstructKernel is [Reconstruct] in the feature space of an n×n kernel matrix K: G_jr = K_ii −
// K_ir − K_ji + K_jr.
func ReconstructKernel(ctx context.Context, kernel mat.Symmetric, links *sparse.CSR, reg float64) (*sparse.CSR, error) {
	n := kernel.SymmetricDim()
	if err := checkLinks(n, links, reg); err != nil {
		return nil, err
	}
	return reconstruct(ctx, links, reg, 0, func(i int, m []int32, g []float64, _ []float64) {
		kii := kernel.At(i, i)
		for a, j := range m {
			for b, r := range m[:a+1] {
				g[a*len(m)+b] = kii - kernel.At(i, int(r)) - kernel.At(int(j), i) + kernel.At(int(j), int(r))
			}
		}
	})
}

func checkLinks(n int, links *sparse.CSR, reg float64) error {
	if links.Rows != n || links.Cols != n {
		return fmt.Errorf("%w: the links are %d×%d, but there are %d samples", graph.ErrOption, links.Rows, links.Cols, n)
	}
	if err := checkRegularization(reg); err != nil {
		return err
	}
	for i := range n {
		cols, _ := links.Row(i)
		for _, j := range cols {
			if int(j) == i {
				return fmt.Errorf("%w: sample %d is linked to itself, but links must join different samples", graph.ErrOption, i)
			}
		}
	}
	return nil
}

func checkRegularization(reg float64) error {
	if !(reg > 0) || math.IsInf(reg, 1) {
		return fmt.Errorf("%w: reg = %v, but neighbours may be collinear; give a positive and finite reg", graph.ErrOption, reg)
	}
	return nil
}

// localGram returns a function gram for [reconstruct]. It computes the Gram matrix of the
// differences between row i of q and the rows of x listed in m.
func localGram(x, q *mat.Dense) func(i int, m []int32, g, diff []float64) {
	_, d := x.Dims()
	return func(i int, m []int32, g, diff []float64) {
		k, qi := len(m), q.RawRowView(i)
		for a, j := range m {
			row := diff[a*d : (a+1)*d]
			for c, v := range x.RawRowView(int(j)) {
				row[c] = qi[c] - v
			}
		}
		blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: k, Cols: d, Stride: d, Data: diff}, 0,
			blas64.Symmetric{N: k, Stride: k, Data: g, Uplo: blas.Lower})
	}
}

// reconstruct solves for the weights of every row of links. gram(i, m, g, diff) writes the lower
// triangle of the local Gram matrix of row i to g (k×k, row-major). m holds the k columns of row i.
// diff is workspace for the differences from the neighbours, k×d.
func reconstruct(ctx context.Context, links *sparse.CSR, reg float64, d int, gram func(i int, m []int32, g, diff []float64)) (*sparse.CSR, error) {
	most := 0
	for i := range links.Rows {
		most = max(most, links.RowPtr[i+1]-links.RowPtr[i])
	}
	w := &sparse.CSR{Rows: links.Rows, Cols: links.Cols, RowPtr: append([]int(nil), links.RowPtr...),
		ColInd: append([]int32(nil), links.ColInd...), Val: make([]float64, links.NNZ())}
	failed := make([]bool, w.Rows)
	par.Blocks(w.Rows, 64, func(lo, hi int) {
		g, diff := make([]float64, most*most), make([]float64, most*d)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			m, out := w.Row(i)
			k := len(m)
			if k == 0 {
				continue
			}
			gram(i, m, g[:k*k], diff)
			failed[i] = !solveOnes(g[:k*k], reg, out)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, bad := range failed {
		if bad {
			return nil, fmt.Errorf("%w: the local Gram matrix of sample %d is not positive semidefinite or not finite: the kernel is indefinite, the distances are not Euclidean, the regularisation is too small, or values overflow", graph.ErrOption, i)
		}
	}
	return w, nil
}

// solveOnes solves (G + R·I)w = 1 by a Cholesky factorisation and divides w by its sum, see
// [Reconstruct] for R. g is the lower triangle of G and is overwritten. The result is false if G +
// R·I is not finite and positive definite.
func solveOnes(g []float64, reg float64, w []float64) bool {
	k := len(w)
	trace := 0.0
	for a := range k {
		trace += g[a*k+a]
	}
	ridge := reg
	if trace > 0 {
		ridge = reg * trace
	}
	for a := range k {
		g[a*k+a] += ridge
		row := g[a*k : a*k+a+1]
		for b := range a + 1 {
			other := g[b*k : b*k+b+1]
			sum := row[b]
			for c, v := range other[:b] {
				sum -= row[c] * v
			}
			if b < a {
				row[b] = sum / other[b]
				continue
			}
			if !(sum > 0) || math.IsInf(sum, 1) {
				return false
			}
			row[a] = math.Sqrt(sum)
		}
	}
	for a := range k {
		sum := 1.0
		for c, v := range g[a*k : a*k+a] {
			sum -= v * w[c]
		}
		w[a] = sum / g[a*k+a]
	}
	total := 0.0
	for a := k - 1; a >= 0; a-- {
		sum := w[a]
		for c := a + 1; c < k; c++ {
			sum -= g[c*k+a] * w[c]
		}
		w[a] = sum / g[a*k+a]
		total += w[a]
	}
	// The sum is positive because it equals 1ᵀ(G + R·I)⁻¹1.
	for a := range w {
		w[a] /= total
	}
	return total > 0
}

// Barycentric returns the m×n weights that reconstruct each of m rows of q from its neighbours
// among the n rows of x. nb lists these neighbours. The weights are computed as in [Reconstruct].
// The out-of-sample rule of locally linear embedding applies them to the embedding (Saul, Roweis
// 2003).
func Barycentric(ctx context.Context, x, q *mat.Dense, nb *graph.Neighbors, reg float64) (*sparse.CSR, error) {
	n, d := x.Dims()
	m, c := q.Dims()
	if c != d || nb.Len() != m {
		return nil, fmt.Errorf("%w: the numbers of lists of neighbours and of queries are %d and %d, and the numbers of features of queries and of samples are %d and %d, but the numbers of each pair must be equal", graph.ErrOption, nb.Len(), m, c, d)
	}
	if err := checkRegularization(reg); err != nil {
		return nil, err
	}
	links := nb.Directed()
	links.Cols = n
	return reconstruct(ctx, links, reg, d, localGram(x, q))
}

// BarycentricOf is [Barycentric] for samples given by distances. distances holds the distances
// between the samples (n×n), and q the distances from the queries to the samples (m×n).
func BarycentricOf(ctx context.Context, distances *mat.SymDense, q *mat.Dense, nb *graph.Neighbors, reg float64) (*sparse.CSR, error) {
	n := distances.SymmetricDim()
	m, c := q.Dims()
	if c != n || nb.Len() != m {
		return nil, fmt.Errorf("%w: the numbers of lists of neighbours and of queries are %d and %d, and the numbers of distances per query and of samples are %d and %d, but the numbers of each pair must be equal", graph.ErrOption, nb.Len(), m, c, n)
	}
	if err := checkRegularization(reg); err != nil {
		return nil, err
	}
	links := nb.Directed()
	links.Cols = n
	return reconstruct(ctx, links, reg, 0, func(i int, m []int32, g []float64, _ []float64) {
		row := q.RawRowView(i)
		for a, j := range m {
			for b, r := range m[:a+1] {
				d := distances.At(int(j), int(r))
				g[a*len(m)+b] = (float64(row[j]*row[j]) + float64(row[r]*row[r]) - float64(d*d)) / 2
			}
		}
	})
}
