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

// followedSteps is the number of t-SNE steps in which a picture follows its labels.
const followedSteps = 50

// Follow returns the picture, n×2, that follows from other labels: 50 steps of t-SNE from the
// positions start, as [S2NE] unfolds its layout, with affinities guided by opinions that Opinions
// of this series has returned. Neighbours and affinities are computed once, and opinions are not
// computed again, so that the first step comes soon. Observers get the positions after each.
//
// start is n×2, the embedding of S2NE or what Follow has returned; positions of another scale
// are spread over a tenth of what an embedding takes. Opinions without a graph, as of a model
// file, give an error that wraps [ErrData]. When ctx ends, the result is nil and the error
// wraps [ErrCancelled].
func (s *Series) Follow(ctx context.Context, o *Opinion, start *mat.Dense) (*mat.Dense, error) {
	spec := S2NE().Spec()
	if s.data == nil || o == nil || o.walks == nil || o.data.Len() != s.data.Len() {
		return nil, &Error{Method: spec.Method().Name, Param: "opinions", Err: fmt.Errorf("%w: they are not of a graph of these samples", ErrData), Remedy: "give what Opinions of the series has returned"}
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

// unitsOfTSNE returns positions on a scale from which t-SNE goes on: as they are, unless their
// root mean square is far from that of an embedding.
func unitsOfTSNE(y *mat.Dense) *mat.Dense {
	const least, most = 0.5, 1e3
	y = embed.Centred(y)
	n, _ := y.Dims()
	if r := mat.Norm(y, 2) / math.Sqrt(float64(n)); r < least || r > most {
		return embed.Spread(y, 10, 1, true)
	}
	return y
}
