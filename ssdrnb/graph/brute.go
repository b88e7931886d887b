package graph

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Block sizes of the distance matrix. Each block is one call of the matrix engine. A block is large
// enough for a fast product, and small enough to be searched while still in the cache.
const (
	queryBlock  = 256
	sampleBlock = 2048
	scanRows    = 16 // a worker searches scanRows rows or 4·scanRows columns at a time
)

// points are samples prepared for blocked distances |q − x|² ≈ |q|² + |x|² − 2q·x.
//
// The matrix engine computes the products quickly, but the sum loses digits where two points are
// close. Its error is at most ε(|q|² + |x|²) with ε = 2(D+16)·2⁻⁵² for D features, whatever the
// order of summation. The bound also covers the rounding of distances computed from differences.
// low and high hold (1∓ε)|x|². With p = −2q·x, the sums p + low(q) + low(x) and p + high(q) +
// high(x) enclose the squared distance.
type points struct {
	rows      *mat.Dense // the samples, or the samples minus a centre
	low, high []float64
}

// farOut is a bound on the squared distance of the samples' mean from the origin, divided by the
// variance of the samples. Samples are centred only above this bound. Without centring, no copy is
// made, but the bounds on the distances are wider by up to this factor.
const farOut = 1e4

// newPoints prepares the rows of x. If they lie far from the origin (see farOut), it subtracts
// their mean from a copy and returns the mean for [newQueries].
func newPoints(x *mat.Dense) (p *points, mean []float64, err error) {
	n, d := x.Dims()
	if n > math.MaxInt32 {
		return nil, nil, fmt.Errorf("%w: there are %d samples, but at most %d are possible, because sample indices are int32", ErrOption, n, math.MaxInt32)
	}
	p = &points{rows: x, low: make([]float64, n), high: make([]float64, n)}
	const size = 1024
	sums, squares := make([][]float64, (n+size-1)/size), make([]float64, (n+size-1)/size)
	err = inBlocks(n, size, func(lo, hi int) error {
		sum, square := make([]float64, d), 0.0
		for i := lo; i < hi; i++ {
			row, norm := x.RawRowView(i), 0.0
			for j, v := range row {
				sum[j] += v
				norm += v * v
			}
			if !(norm < largest) {
				return notFinite(samplesSide, i, row)
			}
			square += norm / float64(n)
			p.bound(i, norm)
		}
		sums[lo/size], squares[lo/size] = sum, square
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	mean = make([]float64, d)
	total, far := 0.0, 0.0
	for b, sum := range sums {
		total += squares[b]
		for j, v := range sum {
			mean[j] += v / float64(n)
		}
	}
	for _, v := range mean {
		far += v * v
	}
	if far <= farOut*(total-far) {
		return p, nil, nil
	}
	return minus(x, mean), mean, nil
}

// newQueries prepares the rows of q for distances to points from which mean was subtracted. A nil
// mean means that the points were not centred.
func newQueries(q *mat.Dense, mean []float64) (*points, error) {
	if err := checkSize(q, queriesSide); err != nil {
		return nil, err
	}
	if mean != nil {
		return minus(q, mean), nil
	}
	n, _ := q.Dims()
	p := &points{rows: q, low: make([]float64, n), high: make([]float64, n)}
	p.bounds()
	return p, nil
}

// minus subtracts the mean from the rows of x and returns the result as points. A nil mean is 0.
func minus(x *mat.Dense, mean []float64) *points {
	n, d := x.Dims()
	p := &points{rows: mat.NewDense(n, d, nil), low: make([]float64, n), high: make([]float64, n)}
	if mean == nil {
		mean = make([]float64, d)
	}
	par.Blocks(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := p.rows.RawRowView(i)
			for j, v := range x.RawRowView(i) {
				row[j] = v - mean[j]
			}
		}
	})
	p.bounds()
	return p
}

// bounds computes low and high of all rows. bound computes low and high of a single row from its
// squared norm.
func (p *points) bounds() {
	par.Blocks(len(p.low), 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			norm := 0.0
			for _, v := range p.rows.RawRowView(i) {
				norm += v * v
			}
			p.bound(i, norm)
		}
	})
}

func (p *points) bound(i int, norm float64) {
	_, d := p.rows.Dims()
	eps := productError(d)
	p.low[i], p.high[i] = norm*(1-eps), norm*(1+eps)
}

// productError returns the factor ε of the bound ε(|q|² + |x|²) on the error of a squared distance;
// see [points]. `terms` is the number of terms that an inner product sums.
func productError(terms int) float64 { return 2 * float64(terms+16) * 0x1p-52 }

// block returns rows lo..lo+rows-1 of the samples.
func (p *points) block(lo, rows int) blas64.General {
	g := p.rows.RawMatrix()
	g.Rows, g.Data = rows, g.Data[lo*g.Stride:]
	return g
}

// products writes −2·q·xᵀ to out, for the rows lo..lo+rows-1 of q and at..at+cols-1 of x. The rows
// of out are sampleBlock entries apart.
func products(out []float64, q *points, lo, rows int, x *points, at, cols int) {
	blas64.Gemm(gonumblas.NoTrans, gonumblas.Trans, -2, q.block(lo, rows), x.block(at, cols), 0,
		blas64.General{Rows: rows, Cols: cols, Stride: sampleBlock, Data: out})
}

// bruteAll returns the k nearest neighbours of every row among the other rows. Since distances are
// symmetric, one product of two blocks serves the searches of both blocks' rows.
func bruteAll(ctx context.Context, x *mat.Dense, k int) (*Neighbors, error) {
	n, _ := x.Dims()
	p, _, err := newPoints(x)
	if err != nil {
		return nil, err
	}
	races := newRaces(x, x, 0, n, k)
	buffer := make([]float64, min(sampleBlock, n)*sampleBlock)
	for lo := 0; lo < n; lo += sampleBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(sampleBlock, n-lo)
		for at := lo; at < n; at += sampleBlock {
			cols := min(sampleBlock, n-at)
			products(buffer, p, lo, rows, p, at, cols)
			// A race collects the neighbours of one sample. The rows of the product update
			// races[lo:], and its columns update races[at:]. If at == lo, these are the same races,
			// so the columns are skipped.
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
	out := exactNeighbors(n, k, Brute)
	par.Blocks(n, 64, func(a, b int) {
		for i := a; i < b; i++ {
			races[i].finish(out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
		}
	})
	return out, nil
}

// bruteQuery returns the k nearest rows of x for each row of q. xg and qg hold the groups of the
// rows of x and of q, or are nil. With groups, bruteQuery skips rows of x in the group of the
// query; at least k rows must remain.
func bruteQuery(ctx context.Context, x, q *mat.Dense, xg, qg []int, k int) (*Neighbors, error) {
	n, _ := x.Dims()
	m, _ := q.Dims()
	px, mean, err := newPoints(x)
	if err != nil {
		return nil, err
	}
	pq := px
	if q != x {
		if pq, err = newQueries(q, mean); err != nil {
			return nil, err
		}
	}
	out := exactNeighbors(m, k, Brute)
	local := blas.Local()
	size := min(2*queryBlock, max(scanRows, m/runtime.GOMAXPROCS(0)))
	stride := min(sampleBlock, n)
	par.Blocks(m, size, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		buffer := make([]float64, (hi-lo)*stride)
		races := newRaces(x, q, lo, hi-lo, k)
		if qg != nil {
			for r := range races {
				races[r].group, races[r].groups = qg[lo+r], xg
			}
		}
		for at := 0; at < n; at += sampleBlock {
			cols := min(sampleBlock, n-at)
			a, b := pq.block(lo, hi-lo), px.block(at, cols)
			local.Dgemm(gonumblas.NoTrans, gonumblas.Trans, a.Rows, b.Rows, a.Cols, -2, a.Data, a.Stride, b.Data, b.Stride, 0, buffer, stride)
			for r := range races {
				races[r].row(buffer[r*stride:][:cols], pq.low[lo+r], pq.high[lo+r], px, at, -1)
			}
		}
		for r := range races {
			i := lo + r
			races[r].finish(out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
		}
	})
	return out, ctx.Err()
}

// byDistance orders candidates by (distance, index). Their low field must hold the exact squared
// distance.
func byDistance(a, b candidate) int {
	switch {
	case a.low < b.low:
		return -1
	case a.low > b.low:
		return 1
	}
	return int(a.index) - int(b.index)
}

func sortCandidates(list []candidate) { slices.SortFunc(list, byDistance) }
