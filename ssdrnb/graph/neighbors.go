// Package graph builds neighbourhood graphs of samples: nearest neighbours,
// affinities, Laplacians and components. A matrix x has one sample per row.
package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrOption says that an argument is out of range.
	ErrOption = errors.New("graph: argument out of range")
	// ErrNotFinite says that distances are not finite.
	ErrNotFinite = errors.New("graph: distances are not finite")
	// ErrUnderflow says that all weights of a sample vanish.
	ErrUnderflow = errors.New("graph: affinities underflow")
	// ErrCoincide says that all samples are the same point.
	ErrCoincide = errors.New("graph: all samples coincide")
)

// Neighbors holds the k nearest neighbours of each of n samples.
type Neighbors struct {
	// K is the number of neighbours of each sample.
	K int
	// Index holds the neighbours of sample i in Index[i·K : (i+1)·K], nearest
	// first; at equal distance the lower index comes first.
	Index []int32
	// Dist holds their Euclidean distances.
	Dist []float64
}

// Len returns the number of samples.
func (nb *Neighbors) Len() int { return len(nb.Index) / nb.K }

// Of returns the neighbours of sample i and their distances; read-only.
func (nb *Neighbors) Of(i int) (index []int32, dist []float64) {
	return nb.Index[i*nb.K : (i+1)*nb.K], nb.Dist[i*nb.K : (i+1)*nb.K]
}

// KNN returns the k nearest neighbours of every row of x among the other rows,
// 1 ≤ k < n. A sample is not its own neighbour; its duplicates are, at distance
// 0. The result is exact and does not depend on the number of processors.
//
// It takes O(n²D) operations, nearly all in matrix products, and O(nk) memory
// besides blocks of a few megabytes.
func KNN(ctx context.Context, x *mat.Dense, k int) (*Neighbors, error) {
	n, _ := x.Dims()
	if k < 1 || k >= n {
		return nil, fmt.Errorf("%w: k = %d neighbours of %d samples; k must lie between 1 and %d", ErrOption, k, n, n-1)
	}
	return nearest(ctx, x, x, k, true)
}

// Query returns the k nearest rows of x for every row of q, which has as many
// columns, 1 ≤ k ≤ n. A row of q that equals one of x has it at distance 0.
func Query(ctx context.Context, x, q *mat.Dense, k int) (*Neighbors, error) {
	n, d := x.Dims()
	if k < 1 || k > n {
		return nil, fmt.Errorf("%w: k = %d neighbours among %d samples; k must lie between 1 and %d", ErrOption, k, n, n)
	}
	if _, c := q.Dims(); c != d {
		return nil, fmt.Errorf("%w: queries have %d columns, samples %d", ErrOption, c, d)
	}
	return nearest(ctx, x, q, k, false)
}

// Sizes of the blocks of the distance matrix: the product of a block is one call
// of the matrix engine, and its distances stay in the second-level cache while
// they are searched.
const (
	queryBlock  = 256
	sampleBlock = 1024
)

// candidate is a neighbour that is still in the race, by its approximate squared
// distance.
type candidate struct {
	approx float64
	index  int32
}

// search collects the candidates of one query.
type search struct {
	k     int
	slack float64 // error bound of an approximate squared distance, twice
	heap  []float64
	found []candidate
}

// nearest finds neighbours by |q|² + |x|² − 2q·x, whose products the matrix
// engine computes fast but which loses digits where two points are close. So it
// keeps every sample that rounding might have kept out of the first k, computes
// their distances anew without cancellation, and ranks by those.
func nearest(ctx context.Context, x, q *mat.Dense, k int, self bool) (*Neighbors, error) {
	n, d := x.Dims()
	m, _ := q.Dims()
	// Centring makes norms as small as they can be, and with them the slack.
	mean := make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	xc, xn := shifted(x, mean)
	qc, qn := xc, xn
	if q != x {
		qc, qn = shifted(q, mean)
	}
	top := slices.Max(xn)
	if math.IsInf(top, 0) || math.IsNaN(top) || math.IsInf(slices.Max(qn), 0) || math.IsNaN(slices.Max(qn)) {
		return nil, fmt.Errorf("%w: squared distances overflow or a value is NaN; scale the features first", ErrNotFinite)
	}
	out := &Neighbors{K: k, Index: make([]int32, m*k), Dist: make([]float64, m*k)}
	product := make([]float64, queryBlock*sampleBlock)
	state := make([]search, queryBlock)
	for lo := 0; lo < m; lo += queryBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(queryBlock, m-lo)
		for r := range rows {
			s := &state[r]
			s.k, s.heap, s.found = k, s.heap[:0], s.found[:0]
			s.slack = 4 * float64(d+8) * 0x1p-52 * (qn[lo+r] + top)
		}
		for at := 0; at < n; at += sampleBlock {
			cols := min(sampleBlock, n-at)
			block := blas64.General{Rows: rows, Cols: cols, Stride: sampleBlock, Data: product}
			blas64.Gemm(gonumblas.NoTrans, gonumblas.Trans, -2,
				qc.Slice(lo, lo+rows, 0, d).(*mat.Dense).RawMatrix(), xc.Slice(at, at+cols, 0, d).(*mat.Dense).RawMatrix(), 0, block)
			par.Blocks(rows, 16, func(a, b int) {
				for r := a; r < b; r++ {
					skip := -1
					if self {
						skip = lo + r
					}
					state[r].scan(product[r*sampleBlock:r*sampleBlock+cols], xn[at:], qn[lo+r], at, skip)
				}
			})
		}
		par.Blocks(rows, 16, func(a, b int) {
			for r := a; r < b; r++ {
				i := lo + r
				state[r].finish(x, q.RawRowView(i), out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
			}
		})
	}
	return out, nil
}

// shifted returns x − mean and the squared norms of its rows.
func shifted(x *mat.Dense, mean []float64) (*mat.Dense, []float64) {
	n, d := x.Dims()
	c, norms := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		row := c.RawRowView(i)
		for j, v := range x.RawRowView(i) {
			row[j] = v - mean[j]
			norms[i] += row[j] * row[j]
		}
	}
	return c, norms
}

// scan looks at a block of samples that starts at row at; products holds −2q·x.
func (s *search) scan(products, norms []float64, qnorm float64, at, skip int) {
	limit := math.Inf(1)
	if len(s.heap) == s.k {
		limit = s.heap[0] + s.slack
	}
	for c, p := range products {
		approx := p + norms[c] + qnorm
		if approx > limit || at+c == skip {
			continue
		}
		s.found = append(s.found, candidate{approx, int32(at + c)})
		if len(s.heap) < s.k {
			s.heap = append(s.heap, approx)
			up(s.heap)
		} else if approx < s.heap[0] {
			s.heap[0] = approx
			down(s.heap)
		}
		if len(s.heap) == s.k {
			limit = s.heap[0] + s.slack
			if len(s.found) > 8*s.k+64 {
				s.prune(limit)
			}
		}
	}
}

// prune drops candidates that have fallen behind. With many ties nothing can be
// dropped; doubling the capacity keeps the cost linear.
func (s *search) prune(limit float64) {
	if len(s.found) < cap(s.found) {
		return
	}
	s.found = slices.DeleteFunc(s.found, func(c candidate) bool { return c.approx > limit })
}

// finish ranks the candidates by exact distance and index and writes the first k.
func (s *search) finish(x *mat.Dense, q []float64, index []int32, dist []float64) {
	limit := s.heap[0] + s.slack
	kept := s.found[:0]
	for _, c := range s.found {
		if c.approx > limit {
			continue
		}
		sum := 0.0
		for j, v := range x.RawRowView(int(c.index)) {
			sum += (v - q[j]) * (v - q[j])
		}
		kept = append(kept, candidate{sum, c.index})
	}
	slices.SortFunc(kept, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.approx, b.approx), cmp.Compare(a.index, b.index))
	})
	for i := range index {
		index[i], dist[i] = kept[i].index, math.Sqrt(kept[i].approx)
	}
}

// up restores the max-heap after an append.
func up(h []float64) {
	for i := len(h) - 1; i > 0; {
		p := (i - 1) / 2
		if h[p] >= h[i] {
			return
		}
		h[p], h[i] = h[i], h[p]
		i = p
	}
}

// down restores the max-heap after its root was replaced.
func down(h []float64) {
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1] > h[c] {
			c++
		}
		if h[i] >= h[c] {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
