package ssdrnb

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// smallest returns up to k of the candidates, those with the smallest keys in rising
// order; among equals the first wins. A key of +Inf passes a candidate over. k is
// small against the candidates, of which most fail the first comparison.
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

// meet finds the neighbourhoods of the labelled samples among the labelled: the
// nearest of each kind. Duplicates are no neighbours: their margin is 0 for every
// projection and their weight infinite.
func (t *metricLearner) meet() {
	par.Blocks(len(t.labelled), 8, func(lo, hi int) {
		for _, i := range t.labelled[lo:hi] {
			d := t.row(i)
			key := func(k int) float64 {
				if d[k] <= t.floor {
					return math.Inf(1)
				}
				return d[k]
			}
			same, other := t.relatives(i)
			t.same[i], t.other[i] = smallest(t.k1, same, key), smallest(t.k2, other, key)
		}
	})
}

// initial adds to column c of g the weights that sample i gives its neighbours
// (eq. 7, or another margin).
func (t *metricLearner) initial(g *mat.Dense, c, i int) {
	d := t.row(i)
	same, other := float64(len(t.same[i])), float64(len(t.other[i]))
	pull, push := func(float64) float64 { return -1 / same }, func(float64) float64 { return 1 / other }
	switch t.margin {
	case NormalizedMargin:
		pull, push = func(d float64) float64 { return -1 / (same * d * d) }, func(d float64) float64 { return 1 / (other * d * d) }
	case AlignmentMargin:
		pull, push = func(float64) float64 { return -1 }, func(float64) float64 { return t.beta }
	case ScatterMargin:
		all := 1 + same + other
		pull, push = func(float64) float64 { return 1/all - 2/(1+same) }, func(float64) float64 { return 1 / all }
	}
	for _, k := range t.same[i] {
		g.Set(k, c, pull(d[k]))
	}
	for _, k := range t.other[i] {
		g.Set(k, c, push(d[k]))
	}
}

// labelledTensors factorises M_UU, M = L_A + λ_l·I, and returns the function that
// computes the tensors number lo to hi-1 of the labelled samples as columns: the
// labelled part by eq. 7, the unlabelled part as the smoothest one that gives
// Σ g_ji d_ji² = 0 (eq. 8). With a = M_UU⁻¹d^U and b = M_UU⁻¹M_UL·g^L it is
//
//	g^U = ν·a − b,  ν = ((d^U)ᵀb − (g^L)ᵀd^L) / ((d^U)ᵀa).
//
// The paper's eq. 9 lacks (g^L)ᵀd^L, which is 0 only where both neighbourhoods of
// a sample have members; see [NullityAsPrinted].
func (t *metricLearner) labelledTensors() (func(lo, hi int) (*mat.Dense, error), error) {
	n, l, m := len(t.isLabelled), len(t.labelled), len(t.unlabelled)
	if m == 0 {
		return func(lo, hi int) (*mat.Dense, error) {
			g := mat.NewDense(n, hi-lo, nil)
			for c, i := range t.labelled[lo:hi] {
				t.initial(g, c, i)
			}
			return g, nil
		}, nil
	}
	inside, err := t.laplacian.Select(t.unlabelled, t.unlabelled)
	if err != nil {
		return nil, err
	}
	for i := range m { // the Laplacian stores its diagonal
		for e := inside.RowPtr[i]; e < inside.RowPtr[i+1]; e++ {
			if int(inside.ColInd[e]) == i {
				inside.Val[e] += t.lambdaL
			}
		}
	}
	solver, err := sparse.NewSolver(t.ctx, inside)
	if err != nil {
		return nil, err
	}
	coupling, err := t.laplacian.Select(t.unlabelled, t.labelled)
	if err != nil {
		return nil, err
	}
	return func(lo, hi int) (*mat.Dense, error) {
		w := hi - lo
		g, known := mat.NewDense(n, w, nil), mat.NewDense(l, w, nil)
		for c, i := range t.labelled[lo:hi] {
			t.initial(g, c, i)
		}
		for k, i := range t.labelled {
			known.SetRow(k, g.RawRowView(i))
		}
		right, x := mat.NewDense(m, 2*w, nil), mat.NewDense(m, 2*w, nil)
		coupling.MulTo(right.Slice(0, m, w, 2*w).(*mat.Dense), known)
		for c, i := range t.labelled[lo:hi] {
			d := t.row(i)
			for k, u := range t.unlabelled {
				right.Set(k, c, d[u]*d[u])
			}
		}
		if err := solver.SolveTo(t.ctx, x, right); err != nil {
			return nil, err
		}
		par.Blocks(w, 4, func(from, to int) {
			for c := from; c < to; c++ {
				d := t.row(t.labelled[lo+c])
				excess, reach := 0.0, 0.0
				for k, u := range t.unlabelled {
					excess += d[u] * d[u] * x.At(k, w+c)
					reach += d[u] * d[u] * x.At(k, c)
				}
				for k, i := range t.labelled {
					if !t.printed {
						excess -= d[i] * d[i] * known.At(k, c)
					}
				}
				nu := 0.0
				if reach > 0 { // 0 if every unlabelled sample is a duplicate of this one
					nu = excess / reach
				}
				for k, u := range t.unlabelled {
					g.Set(u, c, nu*x.At(k, c)-x.At(k, w+c))
				}
			}
		})
		return g, nil
	}, nil
}

// propagate puts a labelled sample into the neighbourhoods of the unlabelled ones
// that its tensor knows best: of m·K̂/l negative and m·Ǩ/l positive components, the
// largest (Section 3.3.3). What is rounding against the labelled part says nothing:
// without affinities the whole unlabelled part is. lo is the number of the first
// tensor in g.
func (t *metricLearner) propagate(lo int, g *mat.Dense) {
	l, m := len(t.labelled), len(t.unlabelled)
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
			d, noise := t.row(t.labelled[lo+c]), 0.0
			for _, k := range t.labelled {
				noise = max(noise, 1e-12*math.Abs(g.At(k, c)))
			}
			key := func(sign float64) func(u int) float64 {
				return func(u int) float64 {
					if v := sign * g.At(u, c); v < -noise && d[u] > t.floor {
						return v
					}
					return math.Inf(1)
				}
			}
			pulled[c], pushed[c] = smallest(quota(t.k1), t.unlabelled, key(1)), smallest(quota(t.k2), t.unlabelled, key(-1))
		}
	})
	for c := range w {
		i := t.labelled[lo+c]
		for _, u := range pulled[c] {
			t.same[u] = append(t.same[u], i)
		}
		for _, u := range pushed[c] {
			t.other[u] = append(t.other[u], i)
		}
	}
}

// extend adds to the neighbourhoods of every unlabelled sample the K̂ nearest and the
// Ǩ farthest of all others. What was propagated stays; the farthest are drawn from
// what the nearest left.
func (t *metricLearner) extend() {
	all := make([]int, len(t.isLabelled))
	for i := range all {
		all[i] = i
	}
	par.Blocks(len(t.unlabelled), 16, func(lo, hi int) {
		taken, closest := make([]bool, len(all)), make([]bool, len(all))
		for _, u := range t.unlabelled[lo:hi] {
			d := t.row(u)
			clear(taken)
			clear(closest)
			for _, set := range [][]int{t.same[u], t.other[u]} {
				for _, k := range set {
					taken[k] = true
				}
			}
			key := func(sign float64) func(k int) float64 {
				return func(k int) float64 {
					if k == u || d[k] <= t.floor || closest[k] {
						return math.Inf(1)
					}
					return sign * d[k]
				}
			}
			for _, k := range smallest(t.k1, all, key(1)) {
				closest[k] = true
				if !taken[k] {
					t.same[u] = append(t.same[u], k)
				}
			}
			for _, k := range smallest(t.k2, all, key(-1)) {
				if !taken[k] {
					t.other[u] = append(t.other[u], k)
				}
			}
		}
	})
}

// unlabelledTensors factorises L̃ = I + L_A/λ_u and returns the function that computes
// the tensors number lo to hi-1 of the unlabelled samples as columns: near the
// initial g̃, smooth, and with Σ g_ji d_ji² = 0 (eqs. 10 and 11). With p = L̃⁻¹g̃ and
// q = L̃⁻¹d it is p − (dᵀp)/(dᵀq)·q.
func (t *metricLearner) unlabelledTensors() (func(lo, hi int) (*mat.Dense, error), error) {
	n := len(t.isLabelled)
	smooth, err := sparse.Add(1, sparse.Identity(n), 1/t.lambdaU, t.laplacian)
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
		for c, u := range t.unlabelled[lo:hi] {
			t.initial(right, c, u)
			for k, d := range t.row(u) {
				right.Set(k, w+c, d*d)
			}
		}
		if err := solver.SolveTo(t.ctx, x, right); err != nil {
			return nil, err
		}
		g := mat.NewDense(n, w, nil)
		par.Blocks(w, 4, func(from, to int) {
			for c := from; c < to; c++ {
				dp, dq := 0.0, 0.0
				d := t.row(t.unlabelled[lo+c])
				for k, v := range d {
					dp += v * v * x.At(k, c)
					dq += v * v * x.At(k, w+c)
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
