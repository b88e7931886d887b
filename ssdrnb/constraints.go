package ssdrnb

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Pair constraints, and the trace ratio of the embedding that they define.

// embedding is the problem of S2LAE and its kin: maximise
//
//	tr(YᵀAY)/tr(YᵀBY)   over n×d matrices Y with YᵀY = I and Yᵀ1 = 0,
//	A = ℓ(I − 11ᵀ/n) + (1 − ℓ)·L_C,   B = RᵀR or L_M, + τL_U + μI
//
// L_C and L_M are Laplacians of the cannot-link and must-link pairs. The term of
// rank one is never formed.
type embedding struct {
	ell, mu float64
	cannot  *sparse.CSR // L_C
	// must is L_M + τL_U; where residual is not nil, that of a reconstruction,
	// RᵀR is added.
	must, residual *sparse.CSR
	residualT      *sparse.CSR // once computed
	groups         int         // components of the graph behind must and residual
	of             []int       // component of each sample
}

// constraintsOf returns the union graph of the neighbours, and the pairs of the options
// "constraints" and "proportion": each once, I < J, ordered.
func constraintsOf(j *job, nb *graph.Neighbors) (*sparse.CSR, data.Pairs, error) {
	if err := j.begin("constraints"); err != nil {
		return nil, data.Pairs{}, err
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, data.Pairs{}, err
	}
	pairs, err := choosePairs(j, g)
	if err != nil {
		return nil, data.Pairs{}, err
	}
	return g, pairs, checkConstraints(j, pairs)
}

// choosePairs takes the pairs of the data, those that labels make of the graph g, or
// both.
func choosePairs(j *job, g *sparse.CSR) (data.Pairs, error) {
	source, given := constraintsOption.of(j), j.data.Pairs
	if source == GivenElseGraph && given.Len() > 0 {
		return data.Pairs{Must: canonical(given.Must), Cannot: canonical(given.Cannot)}, nil
	}
	labels := j.data.Labels
	if labels == nil {
		labels = slices.Repeat([]int{data.Unlabelled}, j.data.Len())
	}
	all, err := graph.LabelledPairs(g, labels)
	if err != nil {
		return data.Pairs{}, err
	}
	drawn, err := graph.SamplePairs(all, proportionOption.of(j), uint64(seedOption.of(j)))
	if err != nil {
		return data.Pairs{}, err
	}
	if source == GivenAndGraph {
		drawn = data.Pairs{Must: canonical(append(drawn.Must, given.Must...)), Cannot: canonical(append(drawn.Cannot, given.Cannot...))}
		if err := drawn.Check(j.data.Len()); err != nil {
			return data.Pairs{}, j.fault("constraints", source, classify(err), "correct the pair or the labels")
		}
	}
	return drawn, nil
}

// canonical orders pairs and drops repetitions.
func canonical(pairs []data.Pair) []data.Pair {
	out := make([]data.Pair, len(pairs))
	for k, p := range pairs {
		out[k] = data.Pair{I: min(p.I, p.J), J: max(p.I, p.J)}
	}
	slices.SortFunc(out, func(a, b data.Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return slices.Compact(out)
}

// pairGraph returns the symmetric n×n graph with the value of each pair.
func pairGraph(n int, pairs []data.Pair, value func(i, j int) float64) (*sparse.CSR, error) {
	entries := make([]sparse.Triplet, 0, 2*len(pairs))
	for _, p := range pairs {
		v := value(p.I, p.J)
		entries = append(entries, sparse.Triplet{Row: p.I, Col: p.J, Value: v}, sparse.Triplet{Row: p.J, Col: p.I, Value: v})
	}
	return sparse.FromTriplets(n, n, entries)
}

// checkConstraints refuses what the degenerate cases of the method make hopeless,
// and warns of what makes the embedding say little.
func checkConstraints(j *job, p data.Pairs) error {
	n, d, ell, mu := j.data.Len(), dimsOption.of(j), globalOption.of(j), ridgeOption.of(j)
	j.fact("must-link pairs", float64(len(p.Must)))
	j.fact("cannot-link pairs", float64(len(p.Cannot)))
	switch {
	case d >= n-1:
		return j.fault("dims", d, fmt.Errorf("%w: centred coordinates of %d samples have fewer than %d directions to choose from", ErrOption, n, n-1), fmt.Sprintf("ask for at most %d", n-2))
	case p.Len() == 0:
		return j.faultAmong([]string{"neighbors", "proportion", "constraints"}, "pairs", fmt.Errorf("%w: no edge of the neighbourhood graph has two labelled ends", ErrNeedsPairs), "give pairs, label more samples, or raise Neighbors or Proportion")
	case len(p.Cannot) == 0 && ell == 0:
		return j.fault("global", ell, fmt.Errorf("%w: there is no cannot-link pair, and the numerator is identically zero", ErrNeedsPairs), "set Global above 0, or give cannot-link pairs")
	case len(p.Must) == 0 && mu == 0:
		return j.fault("ridge", mu, fmt.Errorf("%w: %w: there is no must-link pair, and the denominator is zero", ErrOption, spectral.ErrUnbounded), "set Ridge above 0")
	}
	if len(p.Cannot) == 0 {
		j.warn("there are no cannot-link pairs: the embedding is that of unnormalised Laplacian eigenmaps on the must-link graph")
	}
	if len(p.Must) == 0 {
		j.warn("there are no must-link pairs: nothing is drawn together")
	}
	alone := slices.Repeat([]bool{true}, n)
	for _, q := range slices.Concat(p.Must, p.Cannot) {
		alone[q.I], alone[q.J] = false, false
	}
	count := 0
	for _, yes := range alone {
		if yes {
			count++
		}
	}
	if count > 0 && unlabelledWeightOption.of(j) == 0 {
		j.warn("%d samples are in no pair, and the ratio does not say where they lie; UnlabelledWeight(0.1) ties them to their neighbours", count)
	}
	return nil
}

// openEdges returns the Laplacian of the edges of the neighbourhood graph that have
// an unlabelled end, times τ; nil where τ = 0.
func openEdges(j *job, g *sparse.CSR) (*sparse.CSR, error) {
	tau := unlabelledWeightOption.of(j)
	if tau == 0 {
		return nil, nil
	}
	labels := j.data.Labels
	var entries []sparse.Triplet
	for a := range g.Rows {
		cols, _ := g.Row(a)
		for _, b := range cols {
			if labels == nil || labels[a] == data.Unlabelled || labels[b] == data.Unlabelled {
				entries = append(entries, sparse.Triplet{Row: a, Col: int(b), Value: tau})
			}
		}
	}
	w, err := sparse.FromTriplets(g.Rows, g.Cols, entries)
	if err != nil {
		return nil, err
	}
	return graph.Laplacian(w), nil
}

// constrainedProblem puts the terms together. must and cannot are weighted graphs of the pairs;
// where residual is not nil it takes the place of the Laplacian of must, whose
// entries then only say what hangs together.
func constrainedProblem(j *job, g, must, cannot, residual *sparse.CSR) (*embedding, error) {
	p := &embedding{ell: globalOption.of(j), mu: ridgeOption.of(j), cannot: graph.Laplacian(cannot), residual: residual}
	count, _ := graph.Components(must)
	j.fact("must-link components", float64(count))
	if residual == nil {
		p.must = graph.Laplacian(must)
	} else {
		p.must = &sparse.CSR{Rows: must.Rows, Cols: must.Cols, RowPtr: make([]int, must.Rows+1)}
	}
	open, err := openEdges(j, g)
	if err != nil {
		return nil, err
	}
	whole := must
	if open != nil {
		if p.must, err = sparse.Add(1, p.must, 1, open); err != nil {
			return nil, err
		}
		if whole, err = sparse.Add(1, must, 1, open); err != nil {
			return nil, err
		}
	}
	p.groups, p.of = graph.Components(whole)
	if d := dimsOption.of(j); p.mu == 0 && p.groups-1 >= d {
		return nil, j.fault("ridge", 0, fmt.Errorf("%w: %w: the must-link graph has %d components, on whose indicators the denominator vanishes; %d dimensions allow at most %d", ErrOption, spectral.ErrUnbounded, p.groups, d, d),
			"set Ridge, 1e-3 in the paper")
	}
	return p, nil
}

// weighPairs returns the graph of pairs with the weights that an affinity gives to
// their Euclidean distances.
func weighPairs(x *mat.Dense, pairs []data.Pair, w graph.Weights, scales []float64) (*sparse.CSR, error) {
	n, _ := x.Dims()
	lengths, err := pairGraph(n, pairs, func(a, b int) float64 {
		return math.Sqrt(dense.SquaredDistance(x.RawRowView(a), x.RawRowView(b)))
	})
	if err != nil {
		return nil, err
	}
	return graph.Weigh(lengths, w, scales)
}
