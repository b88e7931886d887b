// Package regions implements the coarse level of preconditioners for linear systems on graphs. It
// divides the graph into connected regions and solves the system restricted to vectors that are
// constant on each region. Conjugate gradients converge slowly on these vectors, which represent
// the values of whole clusters joined by few edges. On the neighbourhood graph of 60,000 samples in
// 100 groups, joined by 65 edges, the coarse level reduces the number of conjugate-gradient steps
// from 2,285 to 78.
package regions

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Regions grow from one seed per regionSize samples, but from at most mostRegions seeds. Each
// component without a seed is one more region. The number of seeds is divided by four until
// factorising the matrix over the regions takes at most mostWork operations, about two seconds.
// Graphs with fewer than `fewest` samples have no regions.
const (
	fewest      = 10_000
	regionSize  = 16
	mostRegions = 8192
	mostWork    = 3e10
)

// Regions is a partition of the samples of a graph into regions.
type Regions struct {
	region        []int32 // region of each sample
	start, member []int32 // samples of region r are member[start[r]:start[r+1]], ascending
	symbolic      *sparse.Symbolic
}

// Grow returns the regions of the graph whose edges are the nonzero entries of w. Regions grow
// along edges from samples with evenly spaced indices, all at the same rate. Grow returns nil for
// fewer than 10,000 samples, which need no regions. It also returns nil if factorising the matrix
// over the regions would take too many operations for any number of seeds.
func Grow(w *sparse.CSR) (*Regions, error) {
	if w.Rows < fewest {
		return nil, nil
	}
	for seeds := min(w.Rows/regionSize, mostRegions); ; seeds /= 4 {
		r := grow(w, seeds)
		m, err := r.Condense(w)
		if err != nil {
			return nil, err
		}
		if m, err = sparse.Add(1, m, 1, sparse.Identity(m.Rows)); err != nil {
			return nil, err
		}
		r.symbolic, err = sparse.Analyze(m, mostWork)
		switch {
		case err == nil:
			return r, nil
		case !errors.Is(err, sparse.ErrFill):
			return nil, err
		case seeds < 4:
			return nil, nil // too much work: thousands of components, or densely linked regions
		}
	}
}

// grow grows regions from the given number of seeds, and from one additional seed in each component
// that contains none of them.
func grow(w *sparse.CSR, seeds int) *Regions {
	n := w.Rows
	r := &Regions{region: slices.Repeat([]int32{-1}, n)}
	var queue []int32
	count := 0
	seed := func(i int) {
		r.region[i] = int32(count)
		count++
		queue = append(queue, int32(i))
	}
	spread := func() {
		for ; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			cols, vals := w.Row(int(i))
			for k, j := range cols {
				if r.region[j] < 0 && vals[k] != 0 {
					r.region[j] = r.region[i]
					queue = append(queue, j)
				}
			}
		}
	}
	for s := range seeds {
		seed(s * n / seeds)
	}
	spread()
	for i := range n { // components that contain no seed yet
		if r.region[i] < 0 {
			seed(i)
			spread()
		}
	}
	r.start = make([]int32, count+1)
	for _, c := range r.region {
		r.start[c+1]++
	}
	for c := range count {
		r.start[c+1] += r.start[c]
	}
	at := slices.Clone(r.start[:count])
	r.member = make([]int32, n)
	for i, c := range r.region {
		r.member[at[c]] = int32(i)
		at[c]++
	}
	return r
}

// Count returns the number of regions.
func (r *Regions) Count() int { return len(r.start) - 1 }

// Of returns the region of sample i, 0 to Count()−1.
func (r *Regions) Of(i int) int { return int(r.region[i]) }

// Members returns the samples of region c, ascending; read-only.
func (r *Regions) Members(c int) []int32 { return r.member[r.start[c]:r.start[c+1]] }

// Order returns the indices of all samples, region by region. Regions are in breadth-first order
// along the edges of m, a result of [Regions.Condense], so that neighbouring regions are close in
// memory.
func (r *Regions) Order(m *sparse.CSR) []int {
	order := make([]int, 0, len(r.region))
	seen := make([]bool, r.Count())
	for first := range seen {
		if seen[first] {
			continue
		}
		seen[first] = true
		for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
			for _, i := range r.Members(queue[0]) {
				order = append(order, int(i))
			}
			cols, _ := m.Row(queue[0])
			for _, c := range cols {
				if !seen[c] {
					seen[c] = true
					queue = append(queue, int(c))
				}
			}
		}
	}
	return order
}

// Ordered returns the same regions for reordered samples: sample order[k] becomes sample k.
func (r *Regions) Ordered(order []int) *Regions {
	o := &Regions{region: make([]int32, len(order)), start: r.start, member: make([]int32, len(order)), symbolic: r.symbolic}
	at := slices.Clone(r.start)
	for k, i := range order {
		c := r.region[i]
		o.region[k] = c
		o.member[at[c]] = int32(k)
		at[c]++
	}
	return o
}

// Diagonal is [Regions.Condense] for the diagonal matrix with entries d: it sums the entries of
// each region.
func (r *Regions) Diagonal(d []float64) *sparse.CSR {
	sums := make([]float64, r.Count())
	for i, v := range d {
		sums[r.region[i]] += v
	}
	return sparse.Diagonal(sums)
}

// Condense returns the matrix over the regions, of order Count(), for the symmetric n×n matrix m:
// entry (a, b) is the sum of m_ij over samples i in region a and j in region b.
func (r *Regions) Condense(m *sparse.CSR) (*sparse.CSR, error) {
	count := r.Count()
	rows := make([][]sparse.Triplet, count)
	par.Blocks(count, 1, func(c, _ int) {
		at := map[int32]int{} // index in rows[c] of the entry of each column
		for _, i := range r.Members(c) {
			cols, vals := m.Row(int(i))
			for k, j := range cols {
				to := r.region[j]
				e, known := at[to]
				if !known {
					e = len(rows[c])
					at[to] = e
					rows[c] = append(rows[c], sparse.Triplet{Row: c, Col: int(to)})
				}
				rows[c][e].Value += vals[k]
			}
		}
	})
	sums, err := sparse.FromTriplets(count, count, slices.Concat(rows...))
	if err != nil {
		return nil, err
	}
	// An entry and its mirror image may differ in the last digits.
	return sums.Symmetrize(sparse.Average)
}

// Level solves the linear system of a preconditioner's coarse level, with one unknown per region.
// It is not safe for concurrent use.
type Level struct {
	*Regions
	factor     *sparse.Cholesky
	sum, value *mat.Dense
}

// Level returns the coarse level for the positive semidefinite matrix m over the regions, such as a
// sum of results of [Regions.Condense] and [Regions.Diagonal]. d is the diagonal of the full
// system. The diagonal of m is increased by 1e-8 times the sum of d over the region, because m is
// singular if it comes from a Laplacian. In that case, right-hand sides must sum to 0 on each
// component.
func (r *Regions) Level(ctx context.Context, m *sparse.CSR, d []float64) (*Level, error) {
	m, err := sparse.Add(1, m, 1e-8, r.Diagonal(d))
	if err != nil {
		return nil, err
	}
	factor, err := r.symbolic.Factorize(ctx, m, 0)
	if err != nil {
		return nil, err
	}
	return &Level{Regions: r, factor: factor}, nil
}

// Solve sums the rows of x (n×p, row-major) by region. It returns the sums, and the solution of the
// system over the regions with the sums as right-hand sides. Both have one row per region. The next
// call overwrites both.
func (l *Level) Solve(x []float64, p int) (sum, value *mat.Dense) {
	count := l.Count()
	if l.sum == nil || l.sum.RawMatrix().Cols != p {
		l.sum, l.value = mat.NewDense(count, p, nil), mat.NewDense(count, p, nil)
	}
	par.Blocks(count, 8, func(lo, hi int) {
		for c := lo; c < hi; c++ {
			row := l.sum.RawRowView(c)
			clear(row)
			for _, i := range l.Members(c) {
				for k, v := range x[int(i)*p : (int(i)+1)*p] {
					row[k] += v
				}
			}
		}
	})
	l.factor.SolveTo(l.value, l.sum)
	return l.sum, l.value
}
