package ssdrnb

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Pair constraints, and the trace ratio of the embedding that they define.

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
		return data.Pairs{Must: pairing.Canonical(given.Must), Cannot: pairing.Canonical(given.Cannot)}, nil
	}
	labels := j.data.Labels
	if labels == nil {
		labels = slices.Repeat([]int{data.Unlabelled}, j.data.Len())
	}
	all, err := pairing.LabelledPairs(g, labels)
	if err != nil {
		return data.Pairs{}, err
	}
	drawn, err := pairing.SamplePairs(all, proportionOption.of(j), uint64(seedOption.of(j)))
	if err != nil {
		return data.Pairs{}, err
	}
	if source == GivenAndGraph {
		drawn = data.Pairs{Must: pairing.Canonical(append(drawn.Must, given.Must...)), Cannot: pairing.Canonical(append(drawn.Cannot, given.Cannot...))}
		if err := drawn.Check(j.data.Len()); err != nil {
			return data.Pairs{}, j.fault("constraints", source, classify(err), "correct the pair or the labels")
		}
	}
	return drawn, nil
}

// checkConstraints refuses degenerate constraints without a solution, and warns of
// those whose embedding says little.
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
// where residual is not nil it takes the place of the Laplacian of must, whose entries
// then only say which samples are connected.
func constrainedProblem(j *job, g, must, cannot, residual *sparse.CSR) (*pairing.Problem, error) {
	p := &pairing.Problem{Ell: globalOption.of(j), Mu: ridgeOption.of(j), Cannot: graph.Laplacian(cannot), Residual: residual}
	count, _ := graph.Components(must)
	j.fact("must-link components", float64(count))
	if residual == nil {
		p.Must = graph.Laplacian(must)
	} else {
		p.Must = &sparse.CSR{Rows: must.Rows, Cols: must.Cols, RowPtr: make([]int, must.Rows+1)}
	}
	open, err := openEdges(j, g)
	if err != nil {
		return nil, err
	}
	whole := must
	if open != nil {
		if p.Must, err = sparse.Add(1, p.Must, 1, open); err != nil {
			return nil, err
		}
		if whole, err = sparse.Add(1, must, 1, open); err != nil {
			return nil, err
		}
	}
	p.Groups, p.Of = graph.Components(whole)
	if d := dimsOption.of(j); p.Mu == 0 && p.Groups-1 >= d {
		return nil, j.fault("ridge", 0, fmt.Errorf("%w: %w: the must-link graph has %d components, on whose indicators the denominator vanishes; %d dimensions allow at most %d", ErrOption, spectral.ErrUnbounded, p.Groups, d, d),
			"set Ridge, 1e-3 in the paper")
	}
	return p, nil
}
