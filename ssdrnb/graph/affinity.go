package graph

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Symmetry says when two samples are linked.
type Symmetry int

// The two rules.
const (
	// Or links i and j if either is among the other's k nearest.
	Or Symmetry = iota
	// And links them if each is among the other's.
	And
)

// Weights is a rule for the weight of an edge; make one with [Binary], [Heat]
// or [SelfTuning].
type Weights struct {
	name   string
	of     func(d, si, sj float64) float64 // si, sj: scales of the two samples
	scaled bool                            // needs the scales
	wrong  string                          // what is wrong with the parameter
}

// Binary gives every edge the weight 1.
func Binary() Weights {
	return Weights{name: "binary", of: func(_, _, _ float64) float64 { return 1 }}
}

// Heat gives an edge of length d the weight exp(−d²/t), t > 0. Papers write t as σ², 2σ²
// or t itself: Laplacian eigenmaps have t, the trace-ratio paper σ², the
// semi-Riemannian paper 2σ².
func Heat(t float64) Weights {
	w := Weights{name: fmt.Sprintf("heat with t = %g", t), of: func(d, _, _ float64) float64 { return math.Exp(-d * d / t) }}
	if !(t > 0) || math.IsInf(t, 1) {
		w.wrong = fmt.Sprintf("t = %v; it must be positive", t)
	}
	return w
}

// SelfTuning gives an edge the weight exp(−d²/(sᵢsⱼ)), where sᵢ is the distance from
// sample i to its k-th neighbour (Zelnik-Manor, Perona 2004). An edge between
// duplicates gets the weight 1.
func SelfTuning() Weights {
	return Weights{name: "self-tuning", scaled: true, of: func(d, si, sj float64) float64 {
		if d == 0 {
			return 1
		}
		return math.Exp(-d * d / (si * sj))
	}}
}

// Scales returns the distance of every sample to its k-th neighbour, the sᵢ of
// [SelfTuning].
func (nb *Neighbors) Scales() []float64 {
	s := make([]float64, nb.Len())
	for i := range s {
		s[i] = nb.Dist[(i+1)*nb.K-1]
	}
	return s
}

// Lengths returns the neighbourhood graph with the Euclidean length of every edge:
// n×n, symmetric, without self-loops; edges of length 0 are stored.
func (nb *Neighbors) Lengths(sym Symmetry) (*sparse.CSR, error) {
	if sym != Or && sym != And {
		return nil, fmt.Errorf("%w: symmetry %d is neither Or nor And", ErrOption, sym)
	}
	a := nb.Directed()
	n, t := a.Rows, a.T()
	most := n * nb.K
	if sym == Or {
		most += most / 2
	}
	m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1), ColInd: make([]int32, 0, most), Val: make([]float64, 0, most)}
	for i := range n {
		ac, av := a.Row(i)
		tc, tv := t.Row(i)
		for p, q := 0, 0; p < len(ac) || q < len(tc); {
			switch {
			case q == len(tc) || p < len(ac) && ac[p] < tc[q]:
				if sym == Or {
					m.ColInd, m.Val = append(m.ColInd, ac[p]), append(m.Val, av[p])
				}
				p++
			case p == len(ac) || tc[q] < ac[p]:
				if sym == Or {
					m.ColInd, m.Val = append(m.ColInd, tc[q]), append(m.Val, tv[q])
				}
				q++
			default:
				m.ColInd, m.Val = append(m.ColInd, ac[p]), append(m.Val, av[p])
				p, q = p+1, q+1
			}
		}
		m.RowPtr[i+1] = len(m.Val)
	}
	return m, nil
}

// Graph returns the symmetric affinity matrix of the neighbourhood graph: n×n,
// without self-loops, rows sorted by column. If the weights of all edges of a sample
// underflow to 0, the sample would silently leave the graph; Graph returns an error that
// wraps [ErrUnderflow] instead.
func (nb *Neighbors) Graph(sym Symmetry, w Weights) (*sparse.CSR, error) {
	lengths, err := nb.Lengths(sym)
	if err != nil {
		return nil, err
	}
	return Weigh(lengths, w, nb.Scales())
}

// Weigh returns the affinities of a graph of lengths. scale has one number for
// each sample, for [SelfTuning]; other weights ignore it. Weights that underflow
// to 0 are not stored; a sample that has edges but no weight left is an error that
// wraps [ErrUnderflow].
func Weigh(lengths *sparse.CSR, w Weights, scale []float64) (*sparse.CSR, error) {
	n := lengths.Rows
	switch {
	case w.of == nil:
		return nil, advice.Errorf("use Binary, Heat or SelfTuning", "%w: weights without a rule", ErrOption)
	case w.wrong != "":
		return nil, fmt.Errorf("%w: %s", ErrOption, w.wrong)
	case lengths.Cols != n:
		return nil, fmt.Errorf("%w: a graph of %d×%d", ErrOption, n, lengths.Cols)
	case w.scaled && len(scale) != n:
		return nil, fmt.Errorf("%w: %d scales for %d samples; self-tuning weights need one each", ErrOption, len(scale), n)
	}
	m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	values := make([]float64, lengths.NNZ())
	par.Blocks(n, 1024, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, dist := lengths.Row(i)
			for k, j := range cols {
				var si, sj float64
				if w.scaled {
					si, sj = scale[i], scale[j]
				}
				v := w.of(dist[k], si, sj)
				values[lengths.RowPtr[i]+k] = v
				if v > 0 {
					m.RowPtr[i+1]++
				}
			}
		}
	})
	for i := range n {
		if m.RowPtr[i+1] == 0 && lengths.RowPtr[i+1] > lengths.RowPtr[i] {
			return nil, advice.Errorf("widen it or scale the features", "%w: every weight of sample %d is 0 with %s", ErrUnderflow, i, w.name)
		}
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	if m.RowPtr[n] == len(values) {
		m.ColInd, m.Val = append([]int32(nil), lengths.ColInd...), values
		return m, nil
	}
	m.ColInd, m.Val = make([]int32, 0, m.RowPtr[n]), make([]float64, 0, m.RowPtr[n])
	for k, v := range values {
		if v > 0 {
			m.ColInd, m.Val = append(m.ColInd, lengths.ColInd[k]), append(m.Val, v)
		}
	}
	return m, nil
}
