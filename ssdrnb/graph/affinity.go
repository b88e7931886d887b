package graph

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Symmetry is the rule that decides whether two samples are linked.
type Symmetry int

// The two symmetry rules.
const (
	// Or links i and j if either is among the other's k nearest.
	Or Symmetry = iota
	// And links i and j if each is among the other's k nearest.
	And
)

// Weights is a rule for the weight of an edge; make one with [Binary], [Heat] or [SelfTuning].
//
// A weight is exp(−e), where the exponent e grows with the squared length of the edge. A sample is
// lone if even the smallest exponent of its edges is above 36. Because exp(−36) is about the
// rounding error of a weight of 1, such a sample would drop out of every sum of weights. The
// exponents of its edges are therefore scaled so that the smallest is 36. This gives the sample a
// kernel width of its own, proportional to the squared distance to its nearest neighbour. For an
// edge between two lone samples, each end gives a weight, and the larger weight is used. All other
// weights are bitwise unchanged. [Lone] returns the lone samples.
type Weights struct {
	name     string
	exponent func(d, si, sj float64) float64 // the scales of the two samples are si and sj
	scaled   bool                            // whether exponent reads the scales
	wrong    string                          // message for an invalid parameter
}

// mostExponent is the exponent above which a weight is negligible next to a weight of 1.
const mostExponent = 36

// String returns the name of the rule.
func (w Weights) String() string { return w.name }

// Binary gives every edge the weight 1.
func Binary() Weights {
	return Weights{name: "binary", exponent: func(_, _, _ float64) float64 { return 0 }}
}

// Heat gives an edge of length d the weight exp(−d²/t), t > 0. Papers parametrise t differently: it
// is t in Laplacian eigenmaps, σ² in Zhao, Zhang, Chow (trace ratio, 2012), and 2σ² in Zhang, Lin,
// Tang (semi-Riemannian metrics, 2011).
func Heat(t float64) Weights {
	w := Weights{name: fmt.Sprintf("heat with t = %.4g", t), exponent: func(d, _, _ float64) float64 { return d * d / t }}
	if !(t > 0) || math.IsInf(t, 1) {
		w.wrong = fmt.Sprintf("t = %v; it must be positive and finite", t)
	}
	return w
}

// SelfTuning gives an edge the weight exp(−d²/(sᵢsⱼ)), where sᵢ is the distance from sample i to
// its k-th neighbour, see [Neighbors.Scales] (Zelnik-Manor, Perona 2004). An edge between
// duplicates gets the weight 1.
func SelfTuning() Weights {
	return Weights{name: "self-tuning", scaled: true, exponent: func(d, si, sj float64) float64 {
		switch {
		case d == 0:
			return 0
		case si == 0 || sj == 0:
			return math.Inf(1)
		}
		unit := samples.Unit(d) // otherwise the squares of tiny distances would underflow: 0/0
		d, si, sj = d*unit, si*unit, sj*unit
		return d * d / (si * sj)
	}}
}

// check returns an error if the parameter is invalid or scale does not fit n samples.
func (w Weights) check(n int, scale []float64) error {
	switch {
	case w.exponent == nil:
		return advice.Errorf("use Binary, Heat or SelfTuning", "%w: the Weights are the zero value", ErrOption)
	case w.wrong != "":
		return fmt.Errorf("%w: %s", ErrOption, w.wrong)
	case w.scaled && len(scale) != n:
		return fmt.Errorf("%w: %s for %s; self-tuning weights need one scale per sample", ErrOption, nouns.Count(len(scale), "scale"), nouns.Count(n, "sample"))
	}
	return nil
}

// exponents stores in e the exponents of the edges from one sample to its neighbours. `own` is the
// scale of that sample, d holds the distances, and scale(k) returns the scale of neighbour k. Only
// rules with scales use `own` and `scale`. exponents returns the smallest exponent, or +Inf without
// neighbours.
func (w Weights) exponents(e, d []float64, own float64, scale func(k int) float64) float64 {
	least := math.Inf(1)
	for k, v := range d {
		var other float64
		if w.scaled {
			other = scale(k)
		}
		e[k] = w.exponent(v, own, other)
		least = min(least, e[k])
	}
	return least
}

// stretched returns the scaled exponent (see [Weights]) of an edge at a lone sample. d is the
// length of the edge, and e its unscaled exponent. `least` is the smallest exponent of the sample's
// edges, and `nearest` is the length of the shortest. If all exponents are infinite, because the
// neighbours have duplicates and therefore the scale 0, the exponents are derived from the lengths
// alone.
func stretched(e, least, d, nearest float64) float64 {
	if math.IsInf(least, 1) {
		d /= nearest
		return mostExponent * d * d
	}
	return e / least * mostExponent
}

// OfPoint returns the weights of the edges from a point to its neighbours. d holds the distances in
// ascending order. For self-tuning weights, `own` is the scale of the point and `scales` holds the
// scales of the neighbours; other rules ignore both. If the point is lone, its exponents are
// scaled; see [Weights].
func (w Weights) OfPoint(d []float64, own float64, scales []float64) ([]float64, error) {
	if err := w.check(len(d), scales); err != nil {
		return nil, err
	}
	out := make([]float64, len(d))
	least := w.exponents(out, d, own, func(k int) float64 { return scales[k] })
	for k, e := range out {
		if least > mostExponent {
			e = min(e, stretched(e, least, d[k], d[0]))
		}
		out[k] = math.Exp(-e)
	}
	return out, nil
}

// Scales returns the distance of every sample to its k-th neighbour, for k = nb.K. These are the sᵢ
// of [SelfTuning].
func (nb *Neighbors) Scales() []float64 {
	s := make([]float64, nb.Len())
	for i := range s {
		s[i] = nb.Dist[(i+1)*nb.K-1]
	}
	return s
}

// Lengths returns the neighbourhood graph: n×n, symmetric, without self-loops. Each entry is the
// length of an edge, the distance under the metric of the search. Edges of length 0 are stored.
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

// Graph returns the symmetric affinity matrix of the neighbourhood graph: n×n, without self-loops,
// each row sorted by column. See [Weigh].
func (nb *Neighbors) Graph(sym Symmetry, w Weights) (*sparse.CSR, error) {
	lengths, err := nb.Lengths(sym)
	if err != nil {
		return nil, err
	}
	return Weigh(lengths, w, nb.Scales())
}

// Weigh returns the affinities of a symmetric graph of edge lengths. scale holds the sᵢ of
// [SelfTuning], one per sample; other weights ignore scale. Weights that underflow to 0 are not
// stored, but no sample loses all its edges that way: see [Weights].
func Weigh(lengths *sparse.CSR, w Weights, scale []float64) (*sparse.CSR, error) {
	e, least, err := exponentsOf(lengths, w, scale)
	if err != nil {
		return nil, err
	}
	n := lengths.Rows
	nearest := make([]float64, n) // distance from each lone sample to its nearest neighbour
	for i := range n {
		if _, d := lengths.Row(i); least[i] > mostExponent && len(d) > 0 {
			nearest[i] = slices.Min(d)
		}
	}
	m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	par.Blocks(n, 1024, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, dist := lengths.Row(i)
			values := e[lengths.RowPtr[i]:lengths.RowPtr[i+1]]
			for k, j := range cols {
				own := values[k]
				for _, end := range [2]int{i, int(j)} {
					if least[end] > mostExponent {
						values[k] = min(values[k], stretched(own, least[end], dist[k], nearest[end]))
					}
				}
				if values[k] = math.Exp(-values[k]); values[k] > 0 {
					m.RowPtr[i+1]++
				}
			}
		}
	})
	for i := range n {
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	if m.RowPtr[n] == len(e) {
		m.ColInd, m.Val = append([]int32(nil), lengths.ColInd...), e
		return m, nil
	}
	m.ColInd, m.Val = make([]int32, 0, m.RowPtr[n]), make([]float64, 0, m.RowPtr[n])
	for k, v := range e {
		if v > 0 {
			m.ColInd, m.Val = append(m.ColInd, lengths.ColInd[k]), append(m.Val, v)
		}
	}
	return m, nil
}

// Lone returns the lone samples (see [Weights]) of a symmetric graph of edge lengths, in ascending
// order. Samples without edges are not lone.
func Lone(lengths *sparse.CSR, w Weights, scale []float64) ([]int, error) {
	_, least, err := exponentsOf(lengths, w, scale)
	if err != nil {
		return nil, err
	}
	var lone []int
	for i, v := range least {
		if v > mostExponent && lengths.RowPtr[i+1] > lengths.RowPtr[i] {
			lone = append(lone, i)
		}
	}
	return lone, nil
}

// exponentsOf returns the exponent (see [Weights]) of every stored entry of lengths, in storage
// order, and the smallest exponent of each sample.
func exponentsOf(lengths *sparse.CSR, w Weights, scale []float64) (e, least []float64, err error) {
	if err := givenGraph(lengths); err != nil {
		return nil, nil, err
	}
	n := lengths.Rows
	if err := w.check(n, scale); err != nil {
		return nil, nil, err
	}
	if lengths.Cols != n {
		return nil, nil, fmt.Errorf("%w: the graph is a %d×%d matrix, but must be square", ErrOption, n, lengths.Cols)
	}
	e, least = make([]float64, lengths.NNZ()), make([]float64, n)
	par.Blocks(n, 1024, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, dist := lengths.Row(i)
			var own float64
			if w.scaled {
				own = scale[i]
			}
			least[i] = w.exponents(e[lengths.RowPtr[i]:lengths.RowPtr[i+1]], dist, own, func(k int) float64 { return scale[cols[k]] })
		}
	})
	return e, least, nil
}
