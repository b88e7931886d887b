package guide

import (
	"context"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Guided holds graphs of the same samples, with edge weights changed according to labels and pairs.
type Guided struct {
	Graphs []*sparse.CSR
	// Opinion holds the class scores of the samples. For Ties, see [Agreement.Ties]. Both are nil
	// if no label was used.
	Opinion *Opinion
	Ties    []float64
}

// Weights propagates labels and pairs along the graph `along`, and returns graphs with the weights
// changed by [Agreement.Guide] and [PairField.Guide]. Must-links may also add edges. Ties are
// computed on graphs[0]. Without knowledge, the graphs do not change; with guidance 0, added edges
// have weight 0 and other weights do not change. most[k] holds the largest edge weight of each
// sample in graphs[k] (see [PairField.Guide]); nil means 1 for all samples. opt.Carry must be set
// if there are pairs.
func Weights(ctx context.Context, graphs []*sparse.CSR, most [][]float64, along *sparse.CSR, know Knowledge, opt Options) (*Guided, error) {
	if err := checkGuidance(opt.Guidance); err != nil {
		return nil, err
	}
	g := &Guided{Graphs: append([]*sparse.CSR(nil), graphs...)}
	ties := graphs[0]
	if know.Pairs.Len() > 0 {
		zeros, err := candidates(graphs[0], know.Pairs.Must)
		if err != nil {
			return nil, err
		}
		for k, w := range graphs {
			if g.Graphs[k], err = sparse.Add(1, w, 1, zeros); err != nil {
				return nil, err
			}
		}
	}
	if know.labelled() {
		o, err := walks.Opinions(ctx, along, know.Labels, know.Classes, walks.Options{Tolerance: toleranceOf(along.Rows), Checked: -1})
		if err != nil {
			return nil, err
		}
		g.Opinion = OpinionOf(o)
		a, err := NewAgreement(g.Opinion.Probabilities(), Least)
		if err != nil {
			return nil, err
		}
		if g.Ties, err = a.Ties(ties); err != nil {
			return nil, err
		}
		trust := Cautious(g.Ties, opt.Caution)
		for k, w := range g.Graphs {
			if g.Graphs[k], err = a.Guide(w, opt.Guidance, trust); err != nil {
				return nil, err
			}
		}
	}
	if know.Pairs.Len() > 0 {
		f, err := Propagate(ctx, along, know.Pairs, opt.Carry, toleranceOf(along.Rows), g.Graphs...)
		if err != nil {
			return nil, err
		}
		for k, w := range g.Graphs {
			if g.Graphs[k], err = f[k].Guide(w, opt.Guidance, most[k]); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}
