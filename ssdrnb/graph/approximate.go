package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

const (
	defaultRecall = 0.95
	// trials is the number of queries from which a recall is estimated.
	trials = 256
	// smallest is the number of samples below which an exact search is as fast.
	smallest = 4000
	// worthwhile is the share of the cells up to which looking at them alone is
	// faster than an exact search, which needs one product for two distances.
	worthwhile = 0.3
)

// cells divide the samples: cell c has the samples order[start[c]:start[c+1]].
type cells struct {
	centres *mat.Dense
	of      []int32 // cell of each sample
	order   []int32
	start   []int
}

// approximate searches the cells near each sample; see [Search].
func approximate(ctx context.Context, x *mat.Dense, k int, opt SearchOptions) (*Neighbors, error) {
	n, _ := x.Dims()
	if n < smallest {
		return bruteAll(ctx, x, k)
	}
	target := opt.Recall
	if target == 0 {
		target = defaultRecall
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x63656c6c))
	c, err := newCells(ctx, x, rng)
	if err != nil {
		return nil, err
	}
	count, _ := c.centres.Dims()
	chosen := rng.Perm(n)
	probes, err := c.probesFor(ctx, x, k, target, chosen[:trials])
	if err != nil {
		return nil, err
	}
	if float64(probes) > worthwhile*float64(count) {
		return bruteAll(ctx, x, k)
	}
	nb, err := c.search(ctx, x, k, probes)
	if err != nil {
		return nil, err
	}
	// Other queries than those that chose the number of cells: an honest estimate.
	nb.Recall, err = recall(ctx, x, nb, chosen[trials:2*trials])
	return nb, err
}

// newCells runs a few steps of k-means on some samples and assigns all of them.
func newCells(ctx context.Context, x *mat.Dense, rng *rand.Rand) (*cells, error) {
	n, d := x.Dims()
	count := int(math.Sqrt(float64(n)))
	learn := rows(x, rng.Perm(n)[:min(n, 40*count)])
	m, _ := learn.Dims()
	centres := mat.DenseCopyOf(learn.Slice(0, count, 0, d))
	for range 6 {
		nb, err := bruteQuery(ctx, centres, learn, nil, nil, 1)
		if err != nil {
			return nil, err
		}
		sums, size := mat.NewDense(count, d, nil), make([]float64, count)
		for i := range m {
			at := int(nb.Index[i])
			size[at]++
			sum := sums.RawRowView(at)
			for j, v := range learn.RawRowView(i) {
				sum[j] += v
			}
		}
		for at, s := range size {
			if s == 0 {
				continue // an empty cell keeps its centre
			}
			row := centres.RawRowView(at)
			for j, v := range sums.RawRowView(at) {
				row[j] = v / s
			}
		}
	}
	nb, err := bruteQuery(ctx, centres, x, nil, nil, 1)
	if err != nil {
		return nil, err
	}
	c := &cells{centres: centres, of: nb.Index, order: make([]int32, n), start: make([]int, count+1)}
	for _, at := range c.of {
		c.start[at+1]++
	}
	for at := range count {
		c.start[at+1] += c.start[at]
	}
	next := slices.Clone(c.start[:count])
	for i, at := range c.of {
		c.order[next[at]] = int32(i)
		next[at]++
	}
	return c, nil
}

// exactFor returns the exact neighbours of some samples among the others.
func exactFor(ctx context.Context, x *mat.Dense, k int, chosen []int) (*Neighbors, error) {
	n, _ := x.Dims()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return bruteQuery(ctx, x, rows(x, chosen), all, chosen, k)
}

// probesFor returns the number of cells in which the share target of the
// neighbours of the chosen samples lies.
func (c *cells) probesFor(ctx context.Context, x *mat.Dense, k int, target float64, chosen []int) (int, error) {
	exact, err := exactFor(ctx, x, k, chosen)
	if err != nil {
		return 0, err
	}
	count, _ := c.centres.Dims()
	near, err := bruteQuery(ctx, c.centres, rows(x, chosen), nil, nil, count)
	if err != nil {
		return 0, err
	}
	at, rank := make([]int, count), make([]int, count)
	for a := range chosen {
		order, _ := near.Of(a)
		for r, cell := range order {
			rank[cell] = r
		}
		index, _ := exact.Of(a)
		for _, j := range index {
			at[rank[c.of[j]]]++
		}
	}
	missing := int((1 - target) * float64(len(chosen)*k))
	found := 0
	for r, f := range at {
		if found += f; found >= len(chosen)*k-missing {
			return r + 1, nil
		}
	}
	return count, nil
}

// recall returns the share of neighbours of the chosen samples that are as near as
// the k-th true one.
func recall(ctx context.Context, x *mat.Dense, nb *Neighbors, chosen []int) (float64, error) {
	exact, err := exactFor(ctx, x, nb.K, chosen)
	if err != nil {
		return 0, err
	}
	found := 0
	for a, i := range chosen {
		_, want := exact.Of(a)
		_, got := nb.Of(i)
		for _, d := range got {
			if d <= want[nb.K-1] {
				found++
			}
		}
	}
	return float64(found) / float64(nb.K*len(chosen)), nil
}

// search looks for the neighbours of every sample in the cells with the nearest
// centres. It goes by cells: the samples that look into one meet it in one product.
func (c *cells) search(ctx context.Context, x *mat.Dense, k, probes int) (*Neighbors, error) {
	n, d := x.Dims()
	near, err := bruteQuery(ctx, c.centres, x, nil, nil, probes)
	if err != nil {
		return nil, err
	}
	count := len(c.start) - 1
	visitors := make([][]int32, count) // places in order of the samples that look in
	place := make([]int32, n)
	for at, i := range c.order {
		place[i] = int32(at)
		index, _ := near.Of(int(i))
		for _, cell := range index {
			visitors[cell] = append(visitors[cell], int32(at))
		}
	}
	_, mean, err := newPoints(x)
	if err != nil {
		return nil, err
	}
	p := minus(x, mean, c.order)
	races := newRaces(n, k)
	queries, buffer := make([]float64, queryBlock*d), make([]float64, queryBlock*sampleBlock)
	for cell, list := range visitors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for ; len(list) > 0; list = list[min(queryBlock, len(list)):] {
			part := list[:min(queryBlock, len(list))]
			for r, q := range part {
				copy(queries[r*d:(r+1)*d], p.rows.RawRowView(int(q)))
			}
			for at := c.start[cell]; at < c.start[cell+1]; at += sampleBlock {
				cols := min(sampleBlock, c.start[cell+1]-at)
				blas64.Gemm(gonumblas.NoTrans, gonumblas.Trans, -2,
					blas64.General{Rows: len(part), Cols: d, Stride: d, Data: queries}, p.block(at, cols), 0,
					blas64.General{Rows: len(part), Cols: cols, Stride: sampleBlock, Data: buffer})
				par.Blocks(len(part), scanRows, func(a, b int) {
					for r := a; r < b; r++ {
						q := int(part[r])
						races[q].row(buffer[r*sampleBlock:][:cols], p.low[q], p.high[q], p, at, q)
					}
				})
			}
		}
	}
	out := &Neighbors{K: k, Index: make([]int32, n*k), Dist: make([]float64, n*k), Method: Approximate}
	par.Blocks(n, 64, func(a, b int) {
		for i := a; i < b; i++ {
			if r := &races[place[i]]; len(r.upper) == k {
				r.finish(x, c.order, x.RawRowView(i), out.Index[i*k:(i+1)*k], out.Dist[i*k:(i+1)*k])
			}
		}
	})
	var short []int // samples whose cells hold fewer than k others
	for i := range n {
		if len(races[place[i]].upper) < k {
			short = append(short, i)
		}
	}
	if len(short) > 0 {
		exact, err := exactFor(ctx, x, k, short)
		if err != nil {
			return nil, err
		}
		for a, i := range short {
			copy(out.Index[i*k:], exact.Index[a*k:(a+1)*k])
			copy(out.Dist[i*k:], exact.Dist[a*k:(a+1)*k])
		}
	}
	return out, nil
}
