package guide

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Unfolding holds two graphs for [Unfold] and the settings of its second stage, t-SNE.
type Unfolding struct {
	// Along is the graph along which labels and pairs propagate, and P holds the affinities of
	// t-SNE.
	Along, P *sparse.CSR
	// Epochs is the number of t-SNE steps, above 0.
	Epochs int
	// Exaggeration and DegreesOfFreedom are the fields LateExaggeration and DegreesOfFreedom of
	// [embed.TSNEOptions].
	Exaggeration, DegreesOfFreedom float64
	// Density is the density term of t-SNE. Options.Layout.Density has no effect.
	Density embed.Density
}

// pinnedEpochs is the number of t-SNE steps that adapt the other samples to the pins, the samples
// with known coordinates.
const pinnedEpochs = 100

// Unfold computes a layout of samples from their fuzzy graph w and their t-SNE affinities u.P,
// guided by knowledge about some samples. It propagates labels and pairs along the graph u.Along
// and changes the weights of w and the affinities accordingly. It lays out w from the positions y0
// (n×d) as UMAP does. It continues with t-SNE, without early exaggeration, to spread the samples
// within clusters. If some samples are pinned to known coordinates, it then rotates and warps the
// embedding to match these pins, and takes more t-SNE steps to adapt the other samples.
//
// Without knowledge, weights and affinities do not change. With guidance 0, labels, pairs and pins
// have no effect. Embedding.First holds the positions before they were matched to pins; it is nil
// without pins or with guidance 0.
//
// When ctx ends, Y holds the positions so far, if there are any, and err is the error of ctx. If
// the knowledge would cut every edge, for example with cannot-links between all samples, no layout
// is possible: weights and affinities then do not change, and Parted is true.
func Unfold(ctx context.Context, w *sparse.CSR, y0 *mat.Dense, know Knowledge, opt Options, u Unfolding) (*Embedding, error) {
	n, d := y0.Dims()
	for _, g := range []*sparse.CSR{w, u.Along, u.P} {
		if g.Rows != n {
			return nil, fmt.Errorf("%w: there are positions of %d samples, but the graph has %d samples", ErrShape, n, g.Rows)
		}
	}
	if err := checkGuidance(opt.Guidance); err != nil {
		return nil, err
	}
	if err := know.check(n, d); err != nil {
		return nil, err
	}
	if u.Epochs < 1 {
		return nil, fmt.Errorf("%w: Epochs = %d is below 1", ErrOption, u.Epochs)
	}
	if opt.Carry == 0 {
		opt.Carry = 0.8
	}
	if opt.Guidance == 0 {
		know = Knowledge{Pairs: know.Pairs} // needed only to count the satisfied pairs
	}
	e := &Embedding{W: w, Scale: 1}
	p := u.P
	if opt.Guidance > 0 {
		var err error
		if p, err = e.learn(ctx, p, u.Along, know, opt); err != nil {
			return nil, err
		}
		if edgeless(p) {
			p, e.W, e.Parted = u.P, w, true
		}
	}
	t := embed.TSNEOptions{EarlyEpochs: -1, LateExaggeration: u.Exaggeration, DegreesOfFreedom: u.DegreesOfFreedom, Epochs: u.Epochs, Density: u.Density}
	after := u.Epochs // number of t-SNE steps
	if know.Pins.Len() > 0 {
		after += pinnedEpochs
	}
	report := opt.Layout.Progress
	opt.Layout.Pins, opt.Layout.Density = embed.Pins{}, embed.Density{}
	if report != nil {
		opt.Layout.Progress = func(epoch, epochs int, y *mat.Dense, objective float64) {
			report(epoch, epochs+after, y, objective)
		}
	}
	if err := e.layout(ctx, y0, opt.Layout); err != nil {
		return e.reached(err)
	}
	if all := e.Epochs + after; report != nil {
		t.Progress = func(_, _ int, y *mat.Dense, divergence float64) {
			e.Epochs++
			report(e.Epochs, all, e.scaled(y), divergence)
		}
	}
	if err := e.descend(ctx, p, embed.Centred(e.Y), t); err != nil {
		return e.reached(err)
	}
	if know.Pins.Len() > 0 {
		if err := e.meet(ctx, p, know.Pins, opt.Guidance, t); err != nil {
			return e.reached(err)
		}
	}
	var err error
	e.Kept, err = countKept(e.Y, know.Pairs)
	return e, err
}

// reached returns e and err, or nil and err if e has no positions yet.
func (e *Embedding) reached(err error) (*Embedding, error) {
	if e.Y == nil {
		return nil, err
	}
	return e, err
}

// learn replaces W by a graph whose weights take labels and pairs into account, and returns the
// affinities p changed in the same way. It sets Opinion and Ties.
func (e *Embedding) learn(ctx context.Context, p, along *sparse.CSR, know Knowledge, opt Options) (*sparse.CSR, error) {
	most := make([]float64, p.Rows) // largest affinity of each sample
	for i := range most {
		_, vals := p.Row(i)
		for _, v := range vals {
			most[i] = max(most[i], v)
		}
	}
	g, err := Weights(ctx, []*sparse.CSR{e.W, p}, [][]float64{nil, most}, along, know, opt)
	if err != nil {
		return nil, err
	}
	e.W, e.Opinion, e.Ties = g.Graphs[0], g.Opinion, g.Ties
	return g.Graphs[1], nil
}

// descend runs t-SNE from the positions `start` and sets Y to the result. If the context ends
// before the first step, Y does not change.
func (e *Embedding) descend(ctx context.Context, p *sparse.CSR, start *mat.Dense, opt embed.TSNEOptions) error {
	before := e.Epochs
	r, err := embed.TSNE(ctx, p, start, opt)
	if r != nil && r.Epochs > 0 {
		e.Y = e.scaled(r.Y)
		e.Epochs = before + r.Epochs
		e.Divergence, e.Density = r.Divergence, r.Density
		e.Histories = append(e.Histories, r.History)
	}
	return err
}

// scaled converts positions y from units of the layout to units of Y.
func (e *Embedding) scaled(y *mat.Dense) *mat.Dense {
	if e.Scale == 1 {
		return y
	}
	out := new(mat.Dense)
	out.Scale(e.Scale, y)
	return out
}

// meet rotates and warps Y to match the pins, and takes more t-SNE steps that adapt the other
// samples. With guidance 1 the pins are fixed; below 1 they are pulled towards their coordinates,
// with the guidance as the strength.
func (e *Embedding) meet(ctx context.Context, p *sparse.CSR, pins data.Anchors, guidance float64, opt embed.TSNEOptions) error {
	e.First = e.Y
	start, err := e.pin(ctx, pins)
	if err == nil {
		y := mat.DenseCopyOf(pins.Y)
		y.Scale(1/e.Scale, y)
		opt.Pins = embed.Pins{Rows: pins.Rows, Y: y, Pull: guidance}
		// Exaggeration lets samples pass each other.
		opt.Exaggeration, opt.EarlyEpochs, opt.Epochs = max(4, opt.LateExaggeration), pinnedEpochs/2, pinnedEpochs/2
		err = e.descend(ctx, p, start, opt)
	}
	if e.Y == e.First { // no step was taken
		e.Scale = 1
		return err
	}
	if guidance == 1 {
		for k, i := range pins.Rows { // restores the digits lost in the conversion of units
			e.Y.SetRow(i, pins.Y.RawRowView(k))
		}
	}
	return err
}
