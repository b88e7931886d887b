package ssdrnb

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Pair constraints and their trace ratio.

// constraintsOf returns the pairs according to the options "constraints" and "proportion". They are
// sorted, and each is listed once, with I < J. It also returns two graphs: near, the result of
// pairGraph, and open, the result of openEdges. The argument nb has the neighbours among points.
func constraintsOf(j *job, nb *graph.Neighbors, points *mat.Dense) (open, near *sparse.CSR, pairs data.Pairs, err error) {
	if err = j.begin("constraints"); err != nil {
		return nil, nil, pairs, err
	}
	if near, err = pairGraph(j, nb, points); err != nil {
		return nil, nil, pairs, err
	}
	if pairs, err = choosePairs(j, near); err != nil {
		return nil, nil, pairs, err
	}
	if open, err = openEdges(j, nb, points); err != nil {
		return nil, nil, pairs, err
	}
	return open, near, pairs, checkConstraints(j, pairs, open)
}

// pairGraph returns the directed graph from whose edges pairs are drawn. It is the union of two
// neighbour graphs: one among all samples, reduced by labelledEdges, and one among the labelled
// samples alone. The second is necessary because few labelled samples are neighbours in the first.
func pairGraph(j *job, nb *graph.Neighbors, points *mat.Dense) (*sparse.CSR, error) {
	rows := order.Where(j.data.Labels, func(l int) bool { return l != data.Unlabelled })
	if len(rows) < 2 || len(rows) == j.data.Len() {
		return nb.Directed(), nil
	}
	near, err := labelledEdges(j, nb, rows)
	if err != nil {
		return nil, err
	}
	own, err := graph.Search(j.ctx, samples.Pick(points, rows), min(nb.K, len(rows)-1), searchOf(j))
	if err != nil {
		return nil, err
	}
	var entries []sparse.Triplet
	for a, i := range rows {
		index, dist := own.Of(a)
		for k, b := range index {
			entries = append(entries, sparse.Triplet{Row: i, Col: rows[b], Value: dist[k]})
		}
	}
	among, err := sparse.FromTriplets(nb.Len(), nb.Len(), entries)
	if err != nil {
		return nil, err
	}
	return sparse.Add(1, near, 1, among)
}

// labelledEdges returns the directed graph of neighbours. If the data have no pairs, it keeps only
// the edges between two labelled samples, because other edges cannot form pairs. The argument rows
// holds the indices of the labelled samples.
func labelledEdges(j *job, nb *graph.Neighbors, rows []int) (*sparse.CSR, error) {
	if j.data.Pairs.Len() > 0 {
		return nb.Directed(), nil
	}
	var entries []sparse.Triplet
	for _, i := range rows {
		index, dist := nb.Of(i)
		for k, b := range index {
			if j.data.Labels[b] != data.Unlabelled {
				entries = append(entries, sparse.Triplet{Row: i, Col: int(b), Value: dist[k]})
			}
		}
	}
	return sparse.FromTriplets(nb.Len(), nb.Len(), entries)
}

// choosePairs returns the pairs of the data, pairs drawn from the edges between labelled samples,
// or both, according to the option "constraints". The argument near is the directed graph with
// these edges.
func choosePairs(j *job, near *sparse.CSR) (data.Pairs, error) {
	source, given := constraintsOption.of(j), j.data.Pairs
	if source == GivenElseGraph && given.Len() > 0 {
		return given, nil
	}
	labels := j.data.Labels
	if labels == nil {
		labels = slices.Repeat([]int{data.Unlabelled}, j.data.Len())
	}
	g, err := near.Symmetrize(sparse.Max)
	if err != nil {
		return data.Pairs{}, err
	}
	all, err := pairing.LabelledPairs(g, labels)
	if err != nil {
		return data.Pairs{}, err
	}
	drawn := all
	if share := proportionOption.of(j); share < 1 {
		if drawn, err = pairing.SamplePairs(all, share, uint64(seedOption.of(j))); err != nil {
			return data.Pairs{}, err
		}
	}
	if source == GivenAndGraph {
		drawn = data.Pairs{Must: append(drawn.Must, given.Must...), Cannot: append(drawn.Cannot, given.Cannot...)}.Distinct()
		if err := drawn.Check(j.data.Len()); err != nil {
			return data.Pairs{}, j.fault("constraints", source, classify(err), "correct the pair or the labels")
		}
	}
	return drawn, nil
}

// tooManyDims returns the error for a trace ratio in too many dimensions d. Without a projection, n
// samples allow at most n − 2 dimensions.
func (j *job) tooManyDims(d int) error {
	n := j.data.Len()
	remedy := fmt.Sprintf("ask for at most %d", n-2)
	if n < 3 {
		remedy = "give at least 3 samples"
		if d > 1 {
			remedy += ", and set Dims(1)"
		}
	}
	return j.fault("dims", d, fmt.Errorf("%w: the trace ratio of %d samples allows at most %s", ErrOption, n, nouns.Count(n-2, "dimension")), remedy)
}

// checkConstraints returns an error if the constraints leave the trace ratio without a solution,
// and warns if they give an uninformative embedding. The argument open is the result of openEdges.
func checkConstraints(j *job, p data.Pairs, open *sparse.CSR) error {
	tied, n, d, ell, mu := open != nil, j.data.Len(), dimsOption.of(j), globalOption.of(j), ridgeOption.of(j)
	j.fact("must-link pairs", float64(len(p.Must)))
	j.fact("cannot-link pairs", float64(len(p.Cannot)))
	switch {
	case d >= n-1:
		return j.tooManyDims(d)
	case p.Len() == 0:
		remedy := "give pairs"
		if j.data.Pairs.Len() > 0 {
			remedy = "set Constraints(GivenElseGraph) to use the given pairs"
		} else if constraintsOption.of(j) == FromGraph {
			remedy = "give pairs and set Constraints(GivenElseGraph)"
		}
		labelled, share := j.data.NumLabelled(), proportionOption.of(j)
		switch {
		case labelled < 2:
			remedy += ", or label more samples"
		case labelled < n && share < 1:
			remedy += ", label more samples, or raise Proportion"
		case share < 1:
			remedy += ", or raise Proportion"
		}
		return j.faultAmong([]string{"neighbors", "proportion", "constraints"}, "pairs", fmt.Errorf("%w: no edge between two labelled samples was drawn from the neighbourhood graph", ErrNeedsPairs), remedy)
	case len(p.Cannot) == 0 && ell == 0:
		return j.fault("global", ell, fmt.Errorf("%w: without cannot-link pairs the numerator is 0", ErrNeedsPairs), "set Global above 0, or give cannot-link pairs")
	case len(p.Must) == 0 && mu == 0 && !tied:
		return j.fault("ridge", mu, fmt.Errorf("%w: %w: without must-link pairs the denominator is 0", ErrOption, spectral.ErrUnbounded), "set Ridge above 0")
	}
	if len(p.Cannot) == 0 {
		j.warn("there are no cannot-link pairs: all samples are spread equally")
	}
	switch {
	case len(p.Must) == 0 && tied:
		j.warn("there are no must-link pairs: only neighbours attract each other")
	case len(p.Must) == 0:
		j.warn("there are no must-link pairs: no samples attract each other")
	}
	alone := slices.Repeat([]bool{true}, n)
	for _, q := range slices.Concat(p.Must, p.Cannot) {
		alone[q.I], alone[q.J] = false, false
	}
	count, labelled := 0, 0
	for i, yes := range alone {
		if yes && open != nil {
			cols, _ := open.Row(i)
			yes = len(cols) == 0
		}
		if !yes {
			continue
		}
		count++
		if j.data.Labels != nil && j.data.Labels[i] != data.Unlabelled {
			labelled++
		}
	}
	if count > 0 {
		j.warn("%s in no pair, so the trace ratio does not determine %s; %s", nouns.Number(count, "sample is", "samples are"), nouns.Form(count, "its position", "their positions"), tieRemedy(j, labelled, nouns.Form(count, "it to its neighbours", "them to their neighbours")))
	}
	return nil
}

// tieRemedy returns the remedy for samples that have neither pairs nor edges. The argument labelled
// is the number of these samples that have a label. If it is 0, the remedy sets the option
// "unlabelled weight" to a number. Otherwise the remedy sets it to [Auto], because a number adds no
// edge between labelled samples. If all samples of the data are labelled, this option has no
// effect, and the remedy is to form pairs from the labels. The argument them is "them to their
// neighbours", or the singular of this text.
func tieRemedy(j *job, labelled int, them string) string {
	labels, given := j.data.Labels, j.data.Pairs
	differ := func(q data.Pair) bool { return labels[q.I] != labels[q.J] }
	switch {
	case labelled == 0:
		return "UnlabelledWeight(0.1) ties " + them
	case j.data.NumLabelled() < j.data.Len():
		return "leave UnlabelledWeight at Auto to tie " + them
	case proportionOption.of(j) < 1:
		return "set Constraints(FromGraph) and Proportion(1) to link " + them
	case slices.ContainsFunc(given.Must, differ) || slices.ContainsFunc(given.Cannot, func(q data.Pair) bool { return !differ(q) }):
		return "set Constraints(FromGraph) to link " + them + " by labels"
	}
	return "set Constraints(GivenAndGraph) to link " + them + " by labels"
}

// openEdges returns the graph of the edges that attract samples without pairs to their neighbours.
// If the option "unlabelled weight" is a number, these are the edges with at least one unlabelled
// sample, and each has this weight. If the option is [Auto], the result is that of guidedEdges. The
// result is nil if the weight is 0 or if all samples are labelled.
func openEdges(j *job, nb *graph.Neighbors, points *mat.Dense) (*sparse.CSR, error) {
	if j.data.NumLabelled() == j.data.Len() {
		return nil, nil
	}
	if unlabelledWeightOption.auto(j) {
		return guidedEdges(j, nb, points)
	}
	tau, labels := unlabelledWeightOption.of(j), j.data.Labels
	if tau == 0 { // the method as printed in the paper
		return nil, nil
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	var entries []sparse.Triplet
	for a := range g.Rows {
		cols, _ := g.Row(a)
		for _, b := range cols {
			if labels == nil || labels[a] == data.Unlabelled || labels[b] == data.Unlabelled {
				entries = append(entries, sparse.Triplet{Row: a, Col: int(b), Value: tau})
			}
		}
	}
	return sparse.FromTriplets(g.Rows, g.Cols, entries)
}

// guidedEdges returns a neighbour graph with weights like those in the layout of S2NE: the edge
// weight of UMAP, multiplied by the agreement of the class probabilities at the two ends. Poisson
// learning computes these probabilities from the labels. The agreement generalises the weights of
// labelled pairs, 1 for must-links and 0 for cannot-links. With labels of fewer than two classes,
// the weights are those of UMAP alone. Additional edges join the components of the graph, because
// separate components would collapse to points.
func guidedEdges(j *job, nb *graph.Neighbors, points *mat.Dense) (*sparse.CSR, error) {
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	bridges, name, err := joined(j, points, lengths)
	if err != nil {
		return nil, err
	}
	fuzzy, err := embed.Fuzzy(nb, embed.PlainFuzzy)
	if err != nil {
		return nil, err
	}
	w := fuzzy.W
	if len(bridges) > 0 {
		j.warn("the neighbour graph has %d components, which were joined by %s, %s possible; raise Neighbors to connect them", len(bridges)+1, nouns.Count(len(bridges), "edge"), name)
		var entries []sparse.Triplet
		for _, b := range bridges {
			entries = append(entries, sparse.Triplet{Row: b.I, Col: b.J, Value: 1}, sparse.Triplet{Row: b.J, Col: b.I, Value: 1})
		}
		across, err := sparse.FromTriplets(w.Rows, w.Cols, entries)
		if err != nil {
			return nil, err
		}
		if w, err = sparse.Add(1, w, 1, across); err != nil {
			return nil, err
		}
	}
	labels, classes := classesFromZero(j.data)
	if classes < 2 {
		return w, nil
	}
	opinion, err := guide.Poisson(j.ctx, w, labels, classes, 1, guide.Tolerance)
	if err != nil {
		return nil, err
	}
	agreement, err := guide.NewAgreement(opinion.Probabilities(), 1e-6)
	if err != nil {
		return nil, err
	}
	return agreement.Guide(w, 1, nil)
}

// constrainedProblem combines the terms of the ratio. The arguments must and cannot are weighted
// graphs of the pairs, and open is the result of openEdges. If residual is not nil, it replaces the
// Laplacian of the must-links, whose graph then determines only the components.
func constrainedProblem(j *job, open, must, cannot, residual *sparse.CSR) (*pairing.Problem, error) {
	if open != nil && unlabelledWeightOption.auto(j) && (constraintsOption.of(j) == FromGraph || j.data.Pairs.Len() == 0) {
		// If few samples are labelled, pairs connect distant samples. With this factor, the total
		// weight of a sample's pairs is about the weight of one edge to a neighbour, so that the
		// sample stays near its neighbours.
		share := 1 / float64(neighborsOption.of(j))
		must, cannot = must.Scale(share), cannot.Scale(share)
		if residual != nil {
			residual = residual.Scale(math.Sqrt(share))
		}
	}
	p := &pairing.Problem{Ell: globalOption.of(j), Mu: ridgeOption.of(j), Cannot: graph.Laplacian(cannot), Residual: residual}
	count, _ := graph.Components(must)
	j.fact("must-link components", float64(count))
	if residual == nil {
		p.Must = graph.Laplacian(must)
	} else {
		p.Must = &sparse.CSR{Rows: must.Rows, Cols: must.Cols, RowPtr: make([]int, must.Rows+1)}
	}
	whole := []*sparse.CSR{must}
	if open != nil {
		var err error
		if p.Must, err = sparse.Add(1, p.Must, 1, graph.Laplacian(open)); err != nil {
			return nil, err
		}
		whole = append(whole, open)
	}
	p.Groups, p.Of = graph.Components(whole...)
	if d := dimsOption.of(j); p.Mu == 0 && p.Groups-1 >= d {
		links := "must-links"
		if open != nil {
			links = "must-links and neighbours"
		}
		return nil, j.fault("ridge", 0, fmt.Errorf("%w: %w: without a ridge the denominator can become 0, because the %s form %d components, more than the number of dimensions, %d", ErrOption, spectral.ErrUnbounded, links, p.Groups, d),
			"set Ridge; the paper uses 1e-3")
	}
	return p, nil
}
