package ssdrnb

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// followedSteps is the number of t-SNE steps of [Series.Follow].
const followedSteps = 50

// Follow adapts an embedding to new labels. It takes 50 steps of t-SNE from the positions in the
// argument start, in the same way as [S2NE] unfolds its layout. The affinities are guided by the
// opinions o, a result of [Series.Opinions]. Follow returns the new positions, n×2. Neighbours and
// affinities are computed once per series, so that later calls start quickly. Observers receive the
// positions after each step.
//
// The argument start is n×2: the embedding of S2NE or an earlier result of Follow. Positions whose
// root mean square distance from their centre is below 0.5 or above 1000 are first scaled to a
// width of 10. The error wraps [ErrData] if o has no graph, for example because it was read from a
// model file, and if start is nil, is constant, or has another number of rows. It wraps [ErrOption]
// if start has another number of columns. When ctx ends, the result is nil and the error wraps
// [ErrCancelled].
func (s *Series) Follow(ctx context.Context, o *Opinion, start *mat.Dense) (*mat.Dense, error) {
	spec := S2NE().Spec()
	if s.data == nil || o == nil || o.walks == nil || o.data.Len() != s.data.Len() {
		return nil, &Error{Method: spec.Method().Name, Param: "opinions", Err: fmt.Errorf("%w: the opinions were not computed on the graph of these samples", ErrData), Remedy: "give the result of Series.Opinions"}
	}
	if start == nil {
		start = new(mat.Dense)
	}
	j := newJob(par.Context(ctx), spec, s.data.WithStart(start), s.graph)
	if err := j.check(); err != nil {
		return nil, err
	}
	if err := checkStart(j, j.data.Start); err != nil {
		return nil, err
	}
	j.start()
	perplexity, wide, _, err := bothNeighbors(j, plainPoints(j))
	if err != nil {
		return nil, j.explain(err)
	}
	p, err := shared(j.work, affinityWeights{wide, perplexity})
	if err != nil {
		return nil, j.explain(err)
	}
	if p, err = guide.Affinities(p, guide.OpinionOf(o.walks)); err != nil {
		return nil, j.explain(err)
	}
	j.stage = "layout"
	r, err := embed.TSNE(j.ctx, p, unitsOfTSNE(j.data.Start), embed.TSNEOptions{EarlyEpochs: -1, Epochs: followedSteps,
		LateExaggeration: exaggerationFor(j.data.Len()), DegreesOfFreedom: degreesOption.of(j), Unmeasured: true, Progress: j.layout})
	if err != nil {
		return nil, j.explain(err)
	}
	return r.Y, nil
}

// unitsOfTSNE returns centred positions on a scale from which t-SNE can continue. It scales them to
// a width of 10 if their root mean square distance from the centre is below 0.5 or above 1000.
func unitsOfTSNE(y *mat.Dense) *mat.Dense {
	const least, most = 0.5, 1e3
	y = embed.Centred(y)
	n, _ := y.Dims()
	if r := mat.Norm(y, 2) / math.Sqrt(float64(n)); r < least || r > most {
		return embed.Spread(y, 10, 1, true)
	}
	return y
}
