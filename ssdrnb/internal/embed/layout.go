package embed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/moves"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Options are the settings of [Layout] and [Place].
type Options struct {
	// Curve is the similarity as a function of distance; see [FitCurve].
	Curve Curve
	// Epochs is the number of passes over the edges; 0 means the result of the function [Epochs].
	Epochs int
	// LearningRate is the initial step length, which decreases linearly to 0. A value of 0 means 1.
	LearningRate float64
	// Negatives is the number of random samples that repel a sample after each attraction along an
	// edge; 0 means 5.
	Negatives int
	// Repulsion is the weight of the repulsion from random samples; 0 means 1.
	Repulsion float64
	Seed      uint64
	// Pins are samples with known positions; the zero value contains none. [Place] ignores them.
	Pins Pins
	// Density preserves local densities, unless it is the zero value. [Place] ignores it.
	Density Density
	// Progress, unless nil, is called after every epoch with the positions and the latest estimate
	// of the objective. The argument epoch runs from 1 to Epochs. The positions are valid until
	// Progress returns and must not be changed. [Place] ignores it.
	Progress func(epoch, epochs int, y *mat.Dense, objective float64)
}

// Pins are samples with known positions.
type Pins struct {
	// Rows lists distinct samples; Y holds their positions, one row per sample.
	Rows []int
	Y    *mat.Dense
	// If Pull is in (0, 1), each pinned sample also moves towards its known position in every
	// epoch, by the share Pull of the distance. The share decreases with the learning rate. A Pull
	// of 1 fixes the samples at their known positions.
	Pull float64
}

func (p Pins) check(n, d int) error {
	if len(p.Rows) == 0 {
		return nil
	}
	if !(p.Pull > 0 && p.Pull <= 1) {
		return fmt.Errorf("%w: pull of the pins = %v; it must be above 0 and at most 1", ErrOption, p.Pull)
	}
	if r, c := p.Y.Dims(); r != len(p.Rows) || c != d {
		return fmt.Errorf("%w: the coordinates of the pins are %d×%d, but there are %d pins in %d dimensions", ErrShape, r, c, len(p.Rows), d)
	}
	if err := checkPositions(p.Y, len(p.Rows)); err != nil {
		return err
	}
	seen := make(map[int]bool, len(p.Rows))
	for _, i := range p.Rows {
		if i < 0 || i >= n || seen[i] {
			return fmt.Errorf("%w: pin %d is repeated or out of range; pins must be different samples from 0 to %d", ErrOption, i, n-1)
		}
		seen[i] = true
	}
	return nil
}

// Epochs returns the default number of passes over the edges for n samples, as in umap-learn.
func Epochs(n int) int {
	if n > 10_000 {
		return 200
	}
	return 500
}

// withDefaults returns the options with zeros replaced by the defaults for n samples. Invalid
// options are an error.
func (o Options) withDefaults(n int) (Options, error) {
	if err := o.Curve.check(); err != nil {
		return o, err
	}
	if o.Epochs == 0 {
		o.Epochs = Epochs(n)
	}
	if o.LearningRate == 0 {
		o.LearningRate = 1
	}
	if o.Negatives == 0 {
		o.Negatives = 5
	}
	if o.Repulsion == 0 {
		o.Repulsion = 1
	}
	if o.Epochs < 0 || o.Negatives < 0 || !(o.LearningRate > 0) || !(o.Repulsion > 0) || math.IsInf(o.LearningRate, 1) || math.IsInf(o.Repulsion, 1) {
		return o, fmt.Errorf("%w: %d epochs, %d negatives, learning rate %v, repulsion %v; all must be positive and finite", ErrOption, o.Epochs, o.Negatives, o.LearningRate, o.Repulsion)
	}
	return o, nil
}

// Result is the result of a layout.
type Result struct {
	// Y are the positions, n×d.
	Y *mat.Dense
	// Epochs is the number of completed passes. It is smaller than requested if the context ended.
	Epochs int
	// History holds the objective before the first epoch and after about fifty later epochs. The
	// objective is a mean over the edges, weighted by edge weight. The value of an edge is −log v
	// for the similarity v of its ends, plus Options.Repulsion·Σ −log(1 − v) for the similarities v
	// of one end to Options.Negatives random samples. The mean is estimated from at most 5,000
	// samples. The density term is not included.
	History []float64
	// Density is the correlation between the logarithms of the local radii in the layout and in the
	// data. It is 0 without the density term.
	Density float64
}

// weightUnit is the rounding unit of weights, as a share of the largest weight; see schedule for
// the reason.
const weightUnit = 1.0 / (1 << 18)

// tieUnit is the unit to which w/W is rounded in the test of whether an edge of weight w is too
// light to attract. The weights of many edges differ from the largest weight W only in the last
// digits.
const tieUnit = 1.0 / (1 << 30)

// measured is the approximate number of times that the objective of a layout is estimated.
const measured = 50

// Layout moves samples from the positions y0 (n×d) along the graph w by UMAP's stochastic gradients
// of the cross entropy. In each epoch, an edge attracts its ends 2w/W times on average, where w is
// its weight and W the largest weight. After each attraction, random samples repel one of the ends.
// Edges of weight below W/Epochs are left out. Layout takes O(nnz(w)·Epochs·Negatives·d)
// operations.
//
// The edges of an epoch are processed in rounds. Samples are divided into blocks, and in a round
// every block is paired with another one, or in the last round with itself. The pairs share no
// samples, so several processors can work on them. Each processes eight edges at a time. Repulsion
// uses the positions that the random samples had before the epoch. Both ends of an edge must move
// at once: if each sample moved separately, towards earlier positions of other samples, clusters
// would be torn apart. Positions are in single precision, as in umap-learn.
//
// When ctx ends, the result holds the positions so far, and err is the error of ctx.
func Layout(ctx context.Context, w *sparse.CSR, y0 *mat.Dense, opt Options) (*Result, error) {
	l, err := newLayout(w, y0, opt)
	if err != nil {
		return nil, err
	}
	for epoch := 1; epoch <= l.opt.Epochs; epoch++ {
		if ctx.Err() != nil {
			return l.result, ctx.Err()
		}
		l.advance(epoch)
		l.record(epoch)
	}
	return l.finish()
}

// layout is a layout in progress.
type layout struct {
	opt    Options
	y      *mat.Dense // the positions in double precision, updated from p
	rounds [][][]edge // by round and pair of blocks, see schedule
	forces moves.Forces
	p      *positions
	spread *spreading // nil without density
	cost   *objective
	result *Result
}

func newLayout(w *sparse.CSR, y0 *mat.Dense, opt Options) (*layout, error) {
	if err := checkGraph(w); err != nil {
		return nil, err
	}
	if err := checkPositions(y0, w.Rows); err != nil {
		return nil, err
	}
	n, d := y0.Dims()
	opt, err := opt.withDefaults(n)
	if err != nil {
		return nil, err
	}
	if err := opt.Pins.check(n, d); err != nil {
		return nil, err
	}
	if err := opt.Density.check(n); err != nil {
		return nil, err
	}
	y := mat.DenseCopyOf(y0)
	held := make([]bool, n)
	for k, i := range opt.Pins.Rows {
		if opt.Pins.Pull == 1 {
			held[i] = true
			y.SetRow(i, opt.Pins.Y.RawRowView(k))
		}
	}
	l := &layout{opt: opt, y: y, rounds: schedule(w, opt), forces: newForces(opt), p: newPositions(y, held), cost: newObjective(w, opt)}
	if opt.Density.enabled() {
		l.spread = newSpreading(w, opt)
	}
	l.result = &Result{Y: y, History: []float64{l.cost.value(y)}}
	return l, nil
}

// rate returns the step length in an epoch.
func (l *layout) rate(epoch int) float64 {
	return l.opt.LearningRate * (1 - float64(epoch-1)/float64(l.opt.Epochs))
}

// advance performs the moves of an epoch.
func (l *layout) advance(epoch int) {
	alpha := l.rate(epoch)
	l.forces.Rate = float32(alpha)
	copy(l.p.rest, l.p.current)
	for round, pairs := range l.rounds {
		par.Blocks(len(pairs), 1, func(t, _ int) {
			l.p.advance(&l.forces, pairs[t], newStream(l.opt.Seed, epoch, round*len(l.rounds)+t))
		})
	}
	l.p.write(l.y)
	if l.opt.Density.begins(epoch, l.opt.Epochs) {
		l.spread.advance(l.y, l.p, alpha)
	}
	if pins := l.opt.Pins; pins.Pull < 1 {
		for k, i := range pins.Rows {
			l.pull(i, pins.Y.RawRowView(k), pins.Pull*alpha/l.opt.LearningRate)
		}
	}
}

// pull moves sample i towards the position `to` by a share of the distance.
func (l *layout) pull(i int, to []float64, share float64) {
	at := l.y.RawRowView(i)
	for c, v := range to {
		at[c] += share * (v - at[c])
	}
	l.p.read(i, at)
}

// record ends an epoch. It evaluates the objective in some epochs and reports progress.
func (l *layout) record(epoch int) {
	r, epochs := l.result, l.opt.Epochs
	r.Epochs = epoch
	if epoch == epochs || epoch%max(1, epochs/measured) == 0 {
		r.History = append(r.History, l.cost.value(l.y))
	}
	if l.opt.Progress != nil {
		l.opt.Progress(epoch, epochs, l.y, r.History[len(r.History)-1])
	}
}

func (l *layout) finish() (*Result, error) {
	if err := checkPositions(l.y, l.y.RawMatrix().Rows); err != nil {
		return nil, advice.With("lower the learning rate", err)
	}
	if l.spread != nil {
		l.result.Density = l.spread.reached(l.y)
	}
	return l.result, nil
}

// objective computes the objective of [Result.History].
type objective struct {
	graph                         *sparse.CSR
	opt                           Options
	attractionCost, repulsionCost *moves.Table // −log v and −log(1 − v) as functions of the squared distance
}

func newObjective(w *sparse.CSR, opt Options) *objective {
	power := func(s float64) float64 { return opt.Curve.A * math.Pow(s, opt.Curve.B) }
	return &objective{w, opt, moves.NewTable(func(s float64) float64 { return math.Log1p(power(s)) }),
		moves.NewTable(func(s float64) float64 { return -opt.Repulsion * math.Log(1-1/(1+power(s))+1e-12) })} // 1e-12 keeps the logarithm finite
}

// asked is the number of evenly spaced samples from which the objective is estimated.
const asked = 5000

// value returns the objective at y. It uses the same samples in every call.
func (o *objective) value(y *mat.Dense) float64 {
	n := o.graph.Rows
	sums := make([][2]float64, min(n, asked)) // per sample: sum of weights, weighted objective
	par.Blocks(len(sums), 64, func(lo, hi int) {
		for a := lo; a < hi; a++ {
			i := a * n / len(sums)
			cols, vals := o.graph.Row(i)
			at, pulled, pushed := y.RawRowView(i), 0.0, 0.0
			for k, j := range cols {
				sums[a][0] += vals[k]
				pulled += vals[k] * o.attractionCost.At(samples.SquaredDistance(at, y.RawRowView(int(j))))
			}
			s := newStream(o.opt.Seed, -2, i)
			for range o.opt.Negatives {
				if j := s.index(n); j != i {
					pushed += o.repulsionCost.At(samples.SquaredDistance(at, y.RawRowView(j)))
				}
			}
			sums[a][1] = pulled + sums[a][0]*pushed
		}
	})
	weight, sum := 0.0, 0.0
	for _, v := range sums {
		weight += v[0]
		sum += v[1]
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// edge attracts its ends whenever `due` reaches 1. Each attraction reduces `due` by 1. Each epoch
// increases it by `rate`, which is at most 2. After an attraction, random samples repel the head,
// and the two ends then swap roles.
type edge struct {
	head, tail int32
	rate, due  float32
}

// schedule assigns the edges of w to rounds and, within each round, to pairs of blocks. Sample i is
// in block i mod blocks, and the pairs follow the circle method of a round-robin tournament. The
// number of blocks depends only on the number of samples.
func schedule(w *sparse.CSR, opt Options) [][][]edge {
	blocks := 8 // for few samples, rounds are too short to occupy more workers
	if w.Rows >= 10_000 {
		blocks = 32
	}
	// Two blocks below blocks−1 meet in the round given by their sum modulo blocks−1. Block
	// blocks−1 meets block a in round 2a modulo blocks−1, in which no other block meets a. All
	// blocks meet themselves in a separate last round.
	of := func(i, j int32) (round, pair int) {
		a, b := min(int(i)%blocks, int(j)%blocks), max(int(i)%blocks, int(j)%blocks)
		switch {
		case a == b:
			return blocks - 1, a
		case b == blocks-1:
			return 2 * a % (blocks - 1), a
		}
		return (a + b) % (blocks - 1), a
	}
	most := 0.0
	for _, v := range w.Val {
		most = max(most, v)
	}
	rounds := make([][][]edge, blocks)
	for r := range rounds {
		rounds[r] = make([][]edge, blocks)
	}
	for i := range w.Rows {
		cols, vals := w.Row(i)
		s := newStream(opt.Seed, 0, i)
		for k, j := range cols {
			if v := vals[k]; int(j) > i && v > 0 && Rounded(v/most, tieUnit)*float64(opt.Epochs) >= 1 {
				r, p := of(int32(i), j)
				// The weight is rounded, because solvers round differently on other processors; see
				// [Spread]. It is doubled, because one entry stands for both directions. The epoch
				// in which an edge first attracts is random, so that edges of equal weight do not
				// all attract in the same epochs.
				e := edge{int32(i), j, float32(2 * Rounded(v/most, weightUnit)), float32(s.share())}
				if s.next()&1 == 1 {
					e.head, e.tail = e.tail, e.head
				}
				rounds[r][p] = append(rounds[r][p], e)
			}
		}
	}
	for r, pairs := range rounds {
		rounds[r] = slices.DeleteFunc(pairs, func(p []edge) bool { return len(p) == 0 })
	}
	return rounds
}

func newForces(opt Options) moves.Forces {
	return moves.Forces{Pull: moves.NewTable(opt.Curve.attraction),
		Push: moves.NewTable(func(s float64) float64 { // 0.001, as in UMAP, keeps the force finite
			return opt.Repulsion * opt.Curve.repulsion(s, 1e-3)
		}), Negatives: opt.Negatives}
}

// positions holds the positions of a layout in single precision. They are relative to the mean of
// the initial positions, so that fewer digits are lost.
type positions struct {
	current, rest []float32 // current positions, and positions before the epoch, n×d
	held          []bool    // fixed samples
	origin        []float64 // mean of the initial positions
}

func newPositions(y *mat.Dense, held []bool) *positions {
	n, d := y.Dims()
	p := &positions{make([]float32, n*d), make([]float32, n*d), held, make([]float64, d)}
	for i := range n {
		for c, v := range y.RawRowView(i) {
			p.origin[c] += v / float64(n)
		}
	}
	for i := range n {
		p.read(i, y.RawRowView(i))
	}
	return p
}

// read sets the position of sample i to row.
func (p *positions) read(i int, row []float64) {
	for c, v := range row {
		p.current[i*len(row)+c] = float32(v - p.origin[c])
	}
}

// write copies to y the positions of the samples that are not held.
func (p *positions) write(y *mat.Dense) {
	d := len(p.origin)
	for i, held := range p.held {
		if !held {
			for c, v := range p.current[i*d:][:d] {
				y.Set(i, c, p.origin[c]+float64(v))
			}
		}
	}
}

// advance applies the attractions and repulsions of the given edges in one epoch.
func (p *positions) advance(f *moves.Forces, edges []edge, s stream) {
	var b moves.Batch
	var random moves.Random
	for l := range random {
		random[l] = uint32(s.next())
	}
	flush := func() {
		moves.Move(f, &b, p.current, p.rest, len(p.origin), p.held, &random)
		b.Count = 0
	}
	for k := range edges {
		e := &edges[k]
		// Write every edge to the batch, and increase the count only if the edge is due. This
		// avoids a branch that the processor could not predict.
		b.Heads[b.Count], b.Tails[b.Count] = e.head, e.tail
		b.Heads[b.Count+1], b.Tails[b.Count+1] = e.tail, e.head
		due := e.due + e.rate // below 3, so that an edge attracts at most twice
		times := int32(due)
		e.due = due - float32(times)
		b.Count += int(times)
		swap := (e.head ^ e.tail) & -(times & 1)
		e.head, e.tail = e.head^swap, e.tail^swap
		if b.Count > moves.Size-2 {
			flush()
		}
	}
	flush()
}
