package riemann

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Rules are the options for learning the metric; see the options of ssdrnb.S3RMM.
type Rules struct {
	K1, K2           int // numbers K̂ and Ǩ of neighbours in the same class and in other classes
	Margin           string
	Beta             float64
	LambdaL, LambdaU float64
	Threshold        float64
	Printed          bool // use eq. 9 as printed, see [Learner.LabelledTensors]
}

// Learner learns the metric tensors of S3RMM by the steps of Table 1 of the paper. The tensors are
// the columns of the n×n matrix G: column i, with components g_ji, is the tensor of sample i.
// Learner computes blocks of columns and drops most components below the threshold; see prune.
type Learner struct {
	*Geometry
	Rules
	ctx        context.Context
	Labelled   []int // labelled samples, ascending; with pairs, the samples in pairs
	Unlabelled []int
	IsLabelled []bool
	candidates []int                           // samples to suggest: those of Unlabelled that have no label either
	relatives  func(i int) (same, other []int) // labelled samples known to be in the class of sample i, and in other classes

	Same, Other [][]int // neighbourhoods N̂_i and Ň_i of every sample i, set by Meet, Propagate and Extend
}

// inform sets Labelled, Unlabelled, IsLabelled and relatives, from the pairs if the data contain
// any, and otherwise from the labels. A sample in a pair counts as labelled. inform also sets the
// candidates.
func (t *Learner) inform(d *data.Data) {
	n := len(t.IsLabelled)
	pairs := d.Pairs
	if pairs.Len() == 0 {
		labels := d.Labels
		for i, l := range labels {
			t.IsLabelled[i] = l != data.Unlabelled
		}
		t.relatives = func(i int) (same, other []int) {
			for _, k := range t.Labelled {
				switch {
				case k == i:
				case labels[k] == labels[i]:
					same = append(same, k)
				default:
					other = append(other, k)
				}
			}
			return same, other
		}
	} else {
		// List each pair in both orders, and duplicate pairs once.
		links := func(list []data.Pair) [][]int {
			of := make([][]int, n)
			for _, p := range list {
				of[p.I], of[p.J] = append(of[p.I], p.J), append(of[p.J], p.I)
				t.IsLabelled[p.I], t.IsLabelled[p.J] = true, true
			}
			for i := range of {
				slices.Sort(of[i])
				of[i] = slices.Compact(of[i])
			}
			return of
		}
		must, cannot := links(pairs.Must), links(pairs.Cannot)
		t.relatives = func(i int) (same, other []int) { return must[i], cannot[i] }
	}
	for i, known := range t.IsLabelled {
		if known {
			t.Labelled = append(t.Labelled, i)
		} else {
			t.Unlabelled = append(t.Unlabelled, i)
			if d.Labels == nil || d.Labels[i] == data.Unlabelled {
				t.candidates = append(t.candidates, i)
			}
		}
	}
}

// Learn returns G after thresholding, with column i of G as row i. It also returns the largest
// [Learner.Nullity] before thresholding, which is 0 if every tensor satisfies Σ_j g_ji d_ji² = 0.
func (t *Learner) Learn(progress func(done, total int)) (*sparse.CSR, float64, error) {
	n := len(t.IsLabelled)
	cols, vals, nullity := make([][]int32, n), make([][]float64, n), make([]float64, n)
	done := 0
	// keep computes the tensors of the given samples in blocks and stores the pruned tensors in
	// cols and vals. If `also` is not nil, it then calls `also` with each block of unpruned
	// tensors.
	keep := func(samples []int, block func(lo, hi int) (*mat.Dense, error), also func(lo int, g *mat.Dense)) error {
		for lo := 0; lo < len(samples); lo += tensorBlock {
			hi := min(lo+tensorBlock, len(samples))
			g, err := block(lo, hi)
			if err != nil {
				return err
			}
			par.Blocks(hi-lo, 4, func(a, b int) {
				column := make([]float64, n)
				for c := a; c < b; c++ {
					i := samples[lo+c]
					mat.Col(column, c, g)
					nullity[i] = t.Nullity(i, column)
					cols[i], vals[i] = t.prune(i, column)
				}
			})
			if also != nil {
				also(lo, g)
			}
			done += hi - lo
			progress(done, n)
			if err := t.ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	}
	t.Meet()
	block, err := t.LabelledTensors()
	if err != nil {
		return nil, 0, err
	}
	if err := keep(t.Labelled, block, t.Propagate); err != nil {
		return nil, 0, err
	}
	if len(t.Unlabelled) > 0 {
		t.Extend()
		if block, err = t.UnlabelledTensors(); err != nil {
			return nil, 0, err
		}
		if err := keep(t.Unlabelled, block, nil); err != nil {
			return nil, 0, err
		}
	}
	g := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	for i := range n {
		g.ColInd, g.Val = append(g.ColInd, cols[i]...), append(g.Val, vals[i]...)
		g.RowPtr[i+1] = len(g.Val)
	}
	return g, slices.Max(nullity), nil
}

// Nullity returns |Σ_j g_ji d_ji²| / Σ_j |g_ji d_ji²|, where column holds the components g_ji of
// the tensor of sample i. It returns 0 for a tensor of zeros.
func (t *Learner) Nullity(i int, column []float64) float64 {
	sum, size := 0.0, 0.0
	for k, d := range t.Row(i) {
		v := column[k] * t.Square(d)
		sum, size = sum+v, size+math.Abs(v)
	}
	if size == 0 {
		return 0
	}
	return math.Abs(sum) / size
}

// prune returns those components of `column`, the tensor of sample i, that are kept: all components
// between labelled samples, and other components whose magnitude is at least Threshold times that
// of the largest component with the same sign. The diagonal component is dropped and does not count
// as the largest, because it belongs to no pair of samples.
func (t *Learner) prune(i int, column []float64) (cols []int32, vals []float64) {
	most, least := 0.0, 0.0
	for k, v := range column {
		if k != i {
			most, least = max(most, v), min(least, v)
		}
	}
	for k, v := range column {
		weak := v >= 0 && v < t.Threshold*most || v < 0 && v > t.Threshold*least
		if v != 0 && k != i && !(weak && !(t.IsLabelled[i] && t.IsLabelled[k])) {
			cols, vals = append(cols, int32(k)), append(vals, v)
		}
	}
	return cols, vals
}

// Doubts counts, for each unlabelled sample, the tensors of labelled samples in which the component
// of the unlabelled sample is below the threshold. A high count marks a sample that is neither
// clearly near to nor clearly far from labelled samples. Labelled samples get −1. columns is the
// result of [Learner.Learn].
func (t *Learner) Doubts(columns *sparse.CSR) []float64 {
	out := slices.Repeat([]float64{-1}, len(t.IsLabelled))
	for _, u := range t.Unlabelled {
		out[u] = float64(len(t.Labelled))
	}
	for _, i := range t.Labelled {
		cols, _ := columns.Row(i)
		for _, k := range cols {
			if !t.IsLabelled[k] {
				out[k]--
			}
		}
	}
	return out
}

// Meet sets the neighbourhoods Same and Other of each labelled sample to the nearest labelled
// samples of its class and of other classes. If the data contain pairs, these are the nearest
// must-linked and cannot-linked samples. Duplicates are not neighbours: no projection can separate
// them, and weights of 1/d² would be infinite.
func (t *Learner) Meet() {
	par.Blocks(len(t.Labelled), 8, func(lo, hi int) {
		for _, i := range t.Labelled[lo:hi] {
			d := t.Row(i)
			key := func(k int) float64 {
				if d[k] <= t.Floor {
					return math.Inf(1)
				}
				return d[k]
			}
			same, other := t.relatives(i)
			t.Same[i], t.Other[i] = smallest(t.K1, same, key), smallest(t.K2, other, key)
		}
	})
}

// Initial writes the initial tensor of sample i to column c of g. Its components are negative for
// the neighbours in Same and positive for the neighbours in Other. They depend on Margin; eq. 7
// defines the normalized margin.
func (t *Learner) Initial(g *mat.Dense, c, i int) {
	d := t.Row(i)
	same, other := float64(len(t.Same[i])), float64(len(t.Other[i]))
	pull, push := func(float64) float64 { return -1 / same }, func(float64) float64 { return 1 / other }
	switch t.Margin {
	case NormalizedMargin:
		pull, push = func(d float64) float64 { return -1 / (same * d * d) }, func(d float64) float64 { return 1 / (other * d * d) }
	case AlignmentMargin:
		pull, push = func(float64) float64 { return -1 }, func(float64) float64 { return t.Beta }
	case ScatterMargin:
		all := 1 + same + other
		pull, push = func(float64) float64 { return 1/all - 2/(1+same) }, func(float64) float64 { return 1 / all }
	}
	for _, k := range t.Same[i] {
		g.Set(k, c, pull(d[k]))
	}
	for _, k := range t.Other[i] {
		g.Set(k, c, push(d[k]))
	}
}

// LabelledTensors factorises M_UU for M = L_A + λ_l·I. The indices U and L select unlabelled and
// labelled samples. LabelledTensors returns a function that computes the tensors lo to hi-1 of the
// labelled samples as columns. The labelled part g^L of a tensor is set by Initial (eq. 7). The
// unlabelled part g^U is as smooth as possible on the graph under the constraint Σ_j g_ji d_ji² = 0
// (eq. 8). Let d hold the squared distances d_ji², a = M_UU⁻¹d^U and b = M_UU⁻¹M_UL·g^L. Then
//
//	g^U = ν·a − b,  ν = ((d^U)ᵀb − (g^L)ᵀd^L) / ((d^U)ᵀa).
//
// Eq. 9 of the paper lacks (g^L)ᵀd^L. For the normalized margin, this term is 0 if both
// neighbourhoods of the sample have members; otherwise it is not 0 in general. See the option
// "nullity" of S3RMM.
func (t *Learner) LabelledTensors() (func(lo, hi int) (*mat.Dense, error), error) {
	n, m := len(t.IsLabelled), len(t.Unlabelled)
	if m == 0 {
		return func(lo, hi int) (*mat.Dense, error) {
			g := mat.NewDense(n, hi-lo, nil)
			for c, i := range t.Labelled[lo:hi] {
				t.Initial(g, c, i)
			}
			return g, nil
		}, nil
	}
	inside, err := t.Laplacian.Select(t.Unlabelled, t.Unlabelled)
	if err != nil {
		return nil, err
	}
	for i := range m { // the Laplacian stores its diagonal
		for e := inside.RowPtr[i]; e < inside.RowPtr[i+1]; e++ {
			if int(inside.ColInd[e]) == i {
				inside.Val[e] += t.LambdaL
			}
		}
	}
	solver, err := sparse.NewSolver(t.ctx, inside)
	if err != nil {
		return nil, err
	}
	coupling, err := t.Laplacian.Select(t.Unlabelled, t.Labelled)
	if err != nil {
		return nil, err
	}
	return func(lo, hi int) (*mat.Dense, error) {
		w := hi - lo
		g := mat.NewDense(n, w, nil)
		for c, i := range t.Labelled[lo:hi] {
			t.Initial(g, c, i)
		}
		known := samples.Pick(g, t.Labelled)
		right, x := mat.NewDense(m, 2*w, nil), mat.NewDense(m, 2*w, nil)
		coupling.MulTo(right.Slice(0, m, w, 2*w).(*mat.Dense), known)
		for c, i := range t.Labelled[lo:hi] {
			d := t.Row(i)
			for k, u := range t.Unlabelled {
				right.Set(k, c, t.Square(d[u]))
			}
		}
		if err := solver.SolveTo(t.ctx, x, right); err != nil {
			return nil, err
		}
		par.Blocks(w, 4, func(from, to int) {
			for c := from; c < to; c++ {
				d := t.Row(t.Labelled[lo+c])
				excess, reach := 0.0, 0.0
				for k, u := range t.Unlabelled {
					excess += t.Square(d[u]) * x.At(k, w+c)
					reach += t.Square(d[u]) * x.At(k, c)
				}
				for k, i := range t.Labelled {
					if !t.Printed {
						excess -= t.Square(d[i]) * known.At(k, c)
					}
				}
				nu := 0.0
				if reach > 0 { // reach is 0 if every unlabelled sample is a duplicate of this labelled sample
					nu = excess / reach
				}
				for k, u := range t.Unlabelled {
					g.Set(u, c, nu*x.At(k, c)-x.At(k, w+c))
				}
			}
		})
		return g, nil
	}, nil
}

// Propagate adds labelled samples to the neighbourhoods of some unlabelled samples (Section 3.3.3).
// The columns of g are the tensors of the labelled samples from number lo on. With m unlabelled and
// l labelled samples, a labelled sample is added to the neighbourhood Same of m·K̂/l unlabelled
// samples: those with the most negative components in its tensor. It is added to the neighbourhood
// Other of m·Ǩ/l unlabelled samples: those with the most positive components. Both numbers are
// rounded, but are at least 1. Components of at most 1e-12 times the largest labelled component are
// rounding errors and are ignored. Without affinities, all unlabelled components are that small.
func (t *Learner) Propagate(lo int, g *mat.Dense) {
	l, m := len(t.Labelled), len(t.Unlabelled)
	if m == 0 {
		return
	}
	quota := func(k int) int {
		return min(max(int(math.Floor(float64(m)*float64(k)/float64(l)+0.5)), 1), m)
	}
	_, w := g.Dims()
	pulled, pushed := make([][]int, w), make([][]int, w)
	par.Blocks(w, 4, func(from, to int) {
		for c := from; c < to; c++ {
			d, noise := t.Row(t.Labelled[lo+c]), 0.0
			for _, k := range t.Labelled {
				noise = max(noise, 1e-12*math.Abs(g.At(k, c)))
			}
			key := func(sign float64) func(u int) float64 {
				return func(u int) float64 {
					if v := sign * g.At(u, c); v < -noise && d[u] > t.Floor {
						return v
					}
					return math.Inf(1)
				}
			}
			pulled[c], pushed[c] = smallest(quota(t.K1), t.Unlabelled, key(1)), smallest(quota(t.K2), t.Unlabelled, key(-1))
		}
	})
	for c := range w {
		i := t.Labelled[lo+c]
		for _, u := range pulled[c] {
			t.Same[u] = append(t.Same[u], i)
		}
		for _, u := range pushed[c] {
			t.Other[u] = append(t.Other[u], i)
		}
	}
}

// Extend adds the K̂ nearest of all other samples to the neighbourhood Same of every unlabelled
// sample, and the Ǩ farthest of the remaining samples to its neighbourhood Other. It keeps the
// neighbours set by Propagate, and adds no sample that is already among them.
func (t *Learner) Extend() {
	all := order.Rows(len(t.IsLabelled))
	par.Blocks(len(t.Unlabelled), 16, func(lo, hi int) {
		taken, closest := make([]bool, len(all)), make([]bool, len(all))
		for _, u := range t.Unlabelled[lo:hi] {
			d := t.Row(u)
			clear(taken)
			clear(closest)
			for _, set := range [][]int{t.Same[u], t.Other[u]} {
				for _, k := range set {
					taken[k] = true
				}
			}
			key := func(sign float64) func(k int) float64 {
				return func(k int) float64 {
					if k == u || d[k] <= t.Floor || closest[k] {
						return math.Inf(1)
					}
					return sign * d[k]
				}
			}
			for _, k := range smallest(t.K1, all, key(1)) {
				closest[k] = true
				if !taken[k] {
					t.Same[u] = append(t.Same[u], k)
				}
			}
			for _, k := range smallest(t.K2, all, key(-1)) {
				if !taken[k] {
					t.Other[u] = append(t.Other[u], k)
				}
			}
		}
	})
}

// UnlabelledTensors factorises L̃ = I + L_A/λ_u. It returns a function that computes the tensors lo
// to hi-1 of the unlabelled samples as columns. Each tensor is smooth on the graph, close to the
// tensor g̃ set by Initial, and satisfies Σ_j g_ji d_ji² = 0 (eqs. 10 and 11). It is p −
// (dᵀp)/(dᵀq)·q, where p = L̃⁻¹g̃, q = L̃⁻¹d, and d holds the squared distances d_ji².
func (t *Learner) UnlabelledTensors() (func(lo, hi int) (*mat.Dense, error), error) {
	n := len(t.IsLabelled)
	smooth, err := sparse.Add(1, sparse.Identity(n), 1/t.LambdaU, t.Laplacian)
	if err != nil {
		return nil, err
	}
	solver, err := sparse.NewSolver(t.ctx, smooth)
	if err != nil {
		return nil, err
	}
	return func(lo, hi int) (*mat.Dense, error) {
		w := hi - lo
		right, x := mat.NewDense(n, 2*w, nil), mat.NewDense(n, 2*w, nil)
		for c, u := range t.Unlabelled[lo:hi] {
			t.Initial(right, c, u)
			for k, d := range t.Row(u) {
				right.Set(k, w+c, t.Square(d))
			}
		}
		if err := solver.SolveTo(t.ctx, x, right); err != nil {
			return nil, err
		}
		g := mat.NewDense(n, w, nil)
		par.Blocks(w, 4, func(from, to int) {
			for c := from; c < to; c++ {
				dp, dq := 0.0, 0.0
				d := t.Row(t.Unlabelled[lo+c])
				for k, v := range d {
					dp += t.Square(v) * x.At(k, c)
					dq += t.Square(v) * x.At(k, w+c)
				}
				nu := 0.0
				if dq > 0 {
					nu = dp / dq
				}
				for k := range n {
					g.Set(k, c, x.At(k, c)-nu*x.At(k, w+c))
				}
			}
		})
		return g, nil
	}, nil
}

// Suggest ranks up to [MaxSuggestions] candidates by the rule of ssdrnb.Model.Suggest. It returns
// nil if there are none. The gain of a sample is the decrease of Σ (1 + doubt)·(squared
// distance to the nearest labelled or chosen sample) if that sample is chosen. A gain can only
// decrease as other samples are chosen, so an old gain is an upper bound. Only samples at the top
// of the queue are therefore evaluated again.
func (t *Learner) Suggest(doubts []float64) []int {
	reach := slices.Repeat([]float64{math.Inf(1)}, len(t.IsLabelled)) // squared distance to the nearest labelled or chosen sample
	extend := func(i int) {
		for v, d := range t.Row(i) {
			reach[v] = min(reach[v], t.Square(d))
		}
	}
	for _, i := range t.Labelled {
		extend(i)
	}
	gain := func(u int) float64 {
		sum := 0.0
		for v, d := range t.Row(u) {
			if less := reach[v] - t.Square(d); less > 0 {
				sum += (1 + max(doubts[v], 0)) * less
			}
		}
		return sum
	}
	waiting := make(queue, len(t.candidates))
	par.Blocks(len(waiting), 32, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			waiting[k] = candidate{t.candidates[k], gain(t.candidates[k]), 0}
		}
	})
	heap.Init(&waiting)
	var chosen []int
	for len(waiting) > 0 && len(chosen) < MaxSuggestions {
		if top := &waiting[0]; top.round < len(chosen) {
			top.gain, top.round = gain(top.sample), len(chosen)
			heap.Fix(&waiting, 0)
			continue
		}
		u := heap.Pop(&waiting).(candidate).sample
		chosen = append(chosen, u)
		extend(u)
	}
	return chosen
}

// tensorBlock is the number of tensors computed together.
const tensorBlock = 128

// NewLearner returns a learner for the data d with the geometry g.
func NewLearner(ctx context.Context, d *data.Data, g *Geometry, rules Rules) *Learner {
	n := d.Len()
	t := &Learner{Geometry: g, Rules: rules, ctx: ctx, IsLabelled: make([]bool, n), Same: make([][]int, n), Other: make([][]int, n)}
	t.inform(d)
	return t
}

// smallest returns up to k candidates with the smallest keys, in ascending order of key; ties go to
// the first. A key of +Inf excludes a candidate. It is fast for small k, because most candidates
// fail the first comparison.
func smallest(k int, candidates []int, key func(i int) float64) []int {
	k = min(k, len(candidates))
	chosen, keys := make([]int, 0, k+1), make([]float64, 0, k+1)
	for _, c := range candidates {
		v := key(c)
		if math.IsInf(v, 1) || len(keys) == k && (k == 0 || v >= keys[k-1]) {
			continue
		}
		chosen, keys = append(chosen, c), append(keys, v)
		at := len(keys) - 1
		for ; at > 0 && keys[at-1] > v; at-- {
			chosen[at], keys[at] = chosen[at-1], keys[at-1]
		}
		chosen[at], keys[at] = c, v
		if len(keys) > k {
			chosen, keys = chosen[:k], keys[:k]
		}
	}
	return chosen
}

// Names of the margins; see their constants in package ssdrnb.
const (
	NormalizedMargin = "normalized"
	AverageMargin    = "ANMM"
	AlignmentMargin  = "DLA"
	ScatterMargin    = "MMC"
)
