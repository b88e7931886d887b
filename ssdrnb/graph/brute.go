package graph

import (
	"context"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Sizes of the blocks of the distance matrix: the product of a block is one call
// of the matrix engine, large enough for it to be fast, and its distances are
// searched before they leave the cache.
const (
	queryBlock  = 256
	sampleBlock = 2048
	scanRows    = 16 // rows, or columns/4, that a worker searches at a time
)

// points are samples made ready for blocked distances
// |q − x|² ≈ |q|² + |x|² − 2q·x.
//
// The matrix engine computes the products fast, but the sum loses digits where two
// points are close: computed from centred rows it errs by at most ε(|q|² + |x|²)
// with ε = 2(D+16)·2⁻⁵², whatever the order of summation, and that includes the
// rounding of the distance by its definition. low and high hold (1∓ε)|x|², so that
// p + low(q) + low(x) and p + high(q) + high(x) enclose the distance.
type points struct {
	centred   *mat.Dense
	low, high []float64
}

// centre returns the mean of the rows; centring makes norms, and with them the
// error bounds, as small as they can be.
func centre(x *mat.Dense) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	return mean
}

// newPoints prepares the rows of x, or those that order lists.
func newPoints(x *mat.Dense, mean []float64, order []int32) *points {
	n, d := x.Dims()
	if order != nil {
		n = len(order)
	}
	p := &points{centred: mat.NewDense(n, d, nil), low: make([]float64, n), high: make([]float64, n)}
	eps := 2 * float64(d+16) * 0x1p-52
	par.Blocks(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, norm, from := p.centred.RawRowView(i), 0.0, i
			if order != nil {
				from = int(order[i])
			}
			for j, v := range x.RawRowView(from) {
				row[j] = v - mean[j]
				norm += row[j] * row[j]
			}
			p.low[i], p.high[i] = norm*(1-eps), norm*(1+eps)
		}
	})
	return p
}

// block returns rows lo..lo+rows-1 of the centred samples.
func (p *points) block(lo, rows int) blas64.General {
	g := p.centred.RawMatrix()
	g.Rows, g.Data = rows, g.Data[lo*g.Stride:]
	return g
}

// products sets out to −2·q·xᵀ for blocks of rows of q and x; rows of out are
// sampleBlock apart.
func products(out []float64, q *points, lo, rows int, x *points, at, cols int) {
	blas64.Gemm(gonumblas.NoTrans, gonumblas.Trans, -2, q.block(lo, rows), x.block(at, cols), 0,
		blas64.General{Rows: rows, Cols: cols, Stride: sampleBlock, Data: out})
}

// bruteAll returns the k nearest neighbours of every row among the others. It uses
// that distances are symmetric: a product of two blocks serves the rows of both.
func bruteAll(ctx context.Context, x *mat.Dense, k int) (*Neighbors, error) {
	n, _ := x.Dims()
	p := newPoints(x, centre(x), nil)
	races := newRaces(n, k)
	buffer := make([]float64, sampleBlock*sampleBlock)
	for lo := 0; lo < n; lo += sampleBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(sampleBlock, n-lo)
		for at := lo; at < n; at += sampleBlock {
			cols := min(sampleBlock, n-at)
			products(buffer, p, lo, rows, p, at, cols)
			// The rows of the block update the races of lo.., its columns those of
			// at..: different ones off the diagonal, all of them by rows on it.
			rowUnits, colUnits := (rows+scanRows-1)/scanRows, (cols+4*scanRows-1)/(4*scanRows)
			if at == lo {
				colUnits = 0
			}
			par.Blocks(rowUnits+colUnits, 1, func(u, _ int) {
				if u < rowUnits {
					for r := u * scanRows; r < min(rows, (u+1)*scanRows); r++ {
						skip := -1
						if at == lo {
							skip = lo + r
						}
						races[lo+r].row(buffer[r*sampleBlock:][:cols], p.low[lo+r], p.high[lo+r], p, at, skip)
					}
					return
				}
				from := (u - rowUnits) * 4 * scanRows
				columns(races[at:], p, buffer, lo, rows, at, from, min(cols, from+4*scanRows))
			})
		}
	}
	out := &Neighbors{K: k, Index: make([]int32, n*k), Dist: make([]float64, n*k), Method: Brute, Recall: 1}
	par.Blocks(n, 64, func(a, b int) {
		for i := a; i < b; i++ {
			races[i].finish(x, nil, x.RawRowView(i), out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
		}
	})
	return out, nil
}

// bruteQuery returns the k nearest rows of x for every row of q. Where groups are
// given, rows of the query's own group do not count; the caller sees to it that k
// others are left.
func bruteQuery(ctx context.Context, x, q *mat.Dense, xg, qg []int, k int) (*Neighbors, error) {
	n, _ := x.Dims()
	m, _ := q.Dims()
	mean := centre(x)
	px := newPoints(x, mean, nil)
	pq := px
	if q != x {
		pq = newPoints(q, mean, nil)
	}
	out := &Neighbors{K: k, Index: make([]int32, m*k), Dist: make([]float64, m*k), Method: Brute, Recall: 1}
	buffer := make([]float64, queryBlock*sampleBlock)
	races := newRaces(min(m, queryBlock), k)
	for lo := 0; lo < m; lo += queryBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(queryBlock, m-lo)
		for r := range rows {
			races[r].reset()
			if qg != nil {
				races[r].group, races[r].groups = qg[lo+r], xg
			}
		}
		for at := 0; at < n; at += sampleBlock {
			cols := min(sampleBlock, n-at)
			products(buffer, pq, lo, rows, px, at, cols)
			par.Blocks(rows, scanRows, func(a, b int) {
				for r := a; r < b; r++ {
					races[r].row(buffer[r*sampleBlock:][:cols], pq.low[lo+r], pq.high[lo+r], px, at, -1)
				}
			})
		}
		par.Blocks(rows, scanRows, func(a, b int) {
			for r := a; r < b; r++ {
				i := lo + r
				races[r].finish(x, nil, q.RawRowView(i), out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
			}
		})
	}
	return out, nil
}

// squared returns the squared distance by its definition.
func squared(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return sum
}

// byDistance orders candidates whose low is their exact squared distance.
func byDistance(a, b candidate) int {
	switch {
	case a.low < b.low:
		return -1
	case a.low > b.low:
		return 1
	}
	return int(a.index) - int(b.index)
}

// sortCandidates sorts a list that may be long.
func sortCandidates(list []candidate) { slices.SortFunc(list, byDistance) }
