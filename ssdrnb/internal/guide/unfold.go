package guide

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Unfolding are the settings of the second stage of [Unfold], t-SNE from a layout.
type Unfolding struct {
	// Along is the graph along which labels and pairs propagate, P the affinities of t-SNE.
	Along, P *sparse.CSR
	// Epochs is the number of steps, above 0.
	Epochs int
	// Exaggeration and DegreesOfFreedom are those of [embed.TSNEOptions].
	Exaggeration, DegreesOfFreedom float64
	// Density is that of the steps of t-SNE; that of the layout has no effect.
	Density embed.Density
}

// pinnedEpochs are the steps of t-SNE in which others arrange themselves around the pins.
const pinnedEpochs = 100

// Unfold lays out samples by their fuzzy graph w, by affinities, and by what is known of
// some. It carries labels and pairs along a graph, changes the weights and the affinities
// by what they say, lays the weights out from the positions y0 (n×d) as UMAP does, and goes
// on from there by t-SNE without early exaggeration, which gives crowded islands the room
// that their samples need to show their neighbours. With pins the picture is turned and
// bent to meet them, and others arrange themselves around them in some more steps.
//
// Hidden labels, of value −1, are never read. With guidance 0, or without knowledge,
// weights and affinities stay as they are. Kept counts pairs, First is the layout before it
// met the pins, nil without.
//
// When ctx ends, the embedding has the last positions reached in Y, if there are any, and
// err is the context's. Where knowledge cuts every tie, as with
// a class for each sample, there is nothing left to lay out: weights and affinities stay as they
// are, and Parted says so.
func Unfold(ctx context.Context, w *sparse.CSR, y0 *mat.Dense, know Knowledge, opt Options, u Unfolding) (*Embedding, error) {
	n, d := y0.Dims()
	for _, g := range []*sparse.CSR{w, u.Along, u.P} {
		if g.Rows != n {
			return nil, fmt.Errorf("%w: positions of %d samples, a graph of %d", ErrShape, n, g.Rows)
		}
	}
	if err := checkGuidance(opt.Guidance); err != nil {
		return nil, err
	}
	if err := know.check(n, d); err != nil {
		return nil, err
	}
	if u.Epochs < 1 {
		return nil, fmt.Errorf("%w: %d epochs", ErrOption, u.Epochs)
	}
	if opt.Carry == 0 {
		opt.Carry = 0.8
	}
	if opt.Guidance == 0 {
		know = Knowledge{Pairs: know.Pairs} // which are counted
	}
	e := &Embedding{W: w, Scale: 1}
	p := u.P
	if opt.Guidance > 0 {
		var err error
		if p, err = e.learn(ctx, p, u.Along, know, opt); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(p.Val, func(v float64) bool { return v > 0 }) {
			p, e.W, e.Parted = u.P, w, true
		}
	}
	t := embed.TSNEOptions{EarlyEpochs: -1, LateExaggeration: u.Exaggeration, DegreesOfFreedom: u.DegreesOfFreedom, Epochs: u.Epochs, Density: u.Density}
	after := u.Epochs // steps of t-SNE
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

// reached returns e with the error that ended it, nil if it has no positions.
func (e *Embedding) reached(err error) (*Embedding, error) {
	if e.Y == nil {
		return nil, err
	}
	return e, err
}

// learn changes W and the affinities p, which it returns, by labels and pairs.
func (e *Embedding) learn(ctx context.Context, p, along *sparse.CSR, know Knowledge, opt Options) (*sparse.CSR, error) {
	most := make([]float64, p.Rows) // affinity of each sample
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

// descend sets Y to what t-SNE reaches from start, even where its context ended, after one
// step at least.
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

// scaled returns positions y of the layout in the units of Y.
func (e *Embedding) scaled(y *mat.Dense) *mat.Dense {
	if e.Scale == 1 {
		return y
	}
	out := new(mat.Dense)
	out.Scale(e.Scale, y)
	return out
}

// meet turns and bends Y to meet the pins, and lets the other samples arrange themselves
// around them. Below guidance 1 the pins are pulled.
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
	if e.Y == e.First { // it ended before the first step
		e.Scale = 1
		return err
	}
	if guidance == 1 {
		for k, i := range pins.Rows { // without the rounding of the units
			e.Y.SetRow(i, pins.Y.RawRowView(k))
		}
	}
	return err
}
