package embed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/moves"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Options are the settings of [Layout] and [Place].
type Options struct {
	// Curve is the similarity by distance; see [FitCurve].
	Curve Curve
	// Epochs is the number of passes over the edges; 0 means [Epochs] of the samples.
	Epochs int
	// LearningRate is the length of the first steps; it goes linearly to 0. 0 means 1.
	LearningRate float64
	// Negatives is the number of samples that one is pushed away from for each edge
	// that it is pulled along; 0 means 5.
	Negatives int
	// Repulsion weighs these; 0 means 1.
	Repulsion float64
	Seed      uint64
	// Pins are samples whose position is known; the zero value has none. [Place]
	// ignores them.
	Pins Pins
	// Density preserves local densities, unless it is the zero value. [Place] ignores it.
	Density Density
	// Progress, unless nil, gets the positions after every epoch, from 1 to Epochs, and
	// the objective as last estimated. The positions are valid until it returns, and must
	// not be changed.
	Progress func(epoch, epochs int, y *mat.Dense, objective float64)
}

// Pins are samples that belong at known positions.
type Pins struct {
	// Rows are different samples, Y their positions, one row for each.
	Rows []int
	Y    *mat.Dense
	// Pull in (0, 1) is the share of the way to its position that a sample is drawn in
	// an epoch, besides its other moves; it diminishes as the learning rate does. 1 holds
	// the samples where they belong.
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
		return fmt.Errorf("%w: coordinates of %d×%d for %d pins in %d dimensions", ErrShape, r, c, len(p.Rows), d)
	}
	if err := checkPositions(p.Y, len(p.Rows)); err != nil {
		return err
	}
	seen := make(map[int]bool, len(p.Rows))
	for _, i := range p.Rows {
		if i < 0 || i >= n || seen[i] {
			return fmt.Errorf("%w: pin %d; pins must be different samples below %d", ErrOption, i, n)
		}
		seen[i] = true
	}
	return nil
}

// Epochs is the default number of passes over the edges for n samples, that of umap-learn.
func Epochs(n int) int {
	if n > 10_000 {
		return 200
	}
	return 500
}

// withDefaults returns the options with their defaults in place of zeros for so many
// samples, or what is wrong with them.
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
		return o, fmt.Errorf("%w: %d epochs, %d negatives, learning rate %v, repulsion %v; all must be positive", ErrOption, o.Epochs, o.Negatives, o.LearningRate, o.Repulsion)
	}
	return o, nil
}

// Result is the result of a layout.
type Result struct {
	// Y are the positions, n×d.
	Y *mat.Dense
	// Epochs is the number of completed passes, fewer than requested if the context ended.
	Epochs int
	// History has the objective before the first epoch and, some fifty times, after
	// others: the mean of −log v over the edges by weight, v being the similarity of the
	// ends, and −log(1 − v) of the samples that one is pushed away from, as often as it is
	// done. The latter is estimated by samples, the former over the edges of 5,000 samples
	// where there are more. The density is not part of it.
	History []float64
	// Density is the correlation of log local radii in the layout and in the data, 0 unless it
	// was requested.
	Density float64
}

// weightUnit is the unit to which weights are rounded, as a share of the largest.
const weightUnit = 1.0 / (1 << 18)

// tieUnit is what they are rounded to where it is asked whether an edge is too light: many
// edges have the largest weight, but for the last digits.
const tieUnit = 1.0 / (1 << 30)

// measured is the number of times that the objective of a layout is taken.
const measured = 50

// Layout moves samples from the positions y0 (n×d) along the graph w by UMAP's
// stochastic gradients of the cross entropy: an edge pulls both ends together as often
// as its weight is a share of the largest weight, and for each pull one end is pushed
// away from some samples that are drawn at random. Edges too light to pull once are left
// out. It takes O(nnz(w)·Epochs·Negatives·d) operations.
//
// The edges of an epoch are done in rounds. Samples are dealt to blocks, and in a round
// every block meets one other, so that the pairs of blocks have no sample in common and
// several processors work at them, at eight edges at a time; pushes read the positions from
// before the epoch. Both ends of an edge have to move at once: if each sample moved by
// itself, towards where the others were, clusters would come out torn. Positions move in
// single precision, as in umap-learn.
//
// When ctx ends, the result has the positions reached, and err is the context's.
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

// layout is a layout under way.
type layout struct {
	opt    Options
	y      *mat.Dense // the positions, which those of p follow
	rounds [][][]edge
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
	if opt.Density.on() {
		l.spread = newSpreading(w, opt)
	}
	l.result = &Result{Y: y, History: []float64{l.cost.of(y)}}
	return l, nil
}

// rate is the length of the steps of an epoch.
func (l *layout) rate(epoch int) float64 {
	return l.opt.LearningRate * (1 - float64(epoch-1)/float64(l.opt.Epochs))
}

// advance does the moves of an epoch.
func (l *layout) advance(epoch int) {
	alpha := l.rate(epoch)
	l.forces.Rate = float32(alpha)
	copy(l.p.rest, l.p.at)
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

// pull moves sample i by a share of the way to a place.
func (l *layout) pull(i int, to []float64, share float64) {
	at := l.y.RawRowView(i)
	for c, v := range to {
		at[c] += share * (v - at[c])
	}
	l.p.read(i, at)
}

// record ends an epoch: it evaluates the objective from time to time, and reports the progress.
func (l *layout) record(epoch int) {
	r, epochs := l.result, l.opt.Epochs
	r.Epochs = epoch
	if epoch == epochs || epoch%max(1, epochs/measured) == 0 {
		r.History = append(r.History, l.cost.of(l.y))
	}
	if l.opt.Progress != nil {
		l.opt.Progress(epoch, epochs, l.y, r.History[len(r.History)-1])
	}
}

// finish returns the result after the last epoch.
func (l *layout) finish() (*Result, error) {
	if err := checkPositions(l.y, l.y.RawMatrix().Rows); err != nil {
		return nil, fmt.Errorf("%w; lower the learning rate", err)
	}
	if l.spread != nil {
		l.result.Density = l.spread.reached(l.y)
	}
	return l.result, nil
}

// objective is the minimised value, see [Result.History].
type objective struct {
	graph      *sparse.CSR
	opt        Options
	near, away *moves.Table // −log v and −log(1 − v) by the square of the distance
}

func newObjective(w *sparse.CSR, opt Options) *objective {
	power := func(s float64) float64 { return opt.Curve.A * math.Pow(s, opt.Curve.B) }
	return &objective{w, opt, moves.NewTable(func(s float64) float64 { return math.Log1p(power(s)) }),
		moves.NewTable(func(s float64) float64 { return -opt.Repulsion * math.Log(1-1/(1+power(s))+1e-12) })} // bounded as in CrossEntropy
}

// asked is the number of samples, evenly taken, that the history of an objective is
// estimated by.
const asked = 5000

// of returns the objective at y. Its samples are the same each time.
func (o *objective) of(y *mat.Dense) float64 {
	n := o.graph.Rows
	sums := make([][2]float64, min(n, asked)) // of the weights, and of the objective
	par.Blocks(len(sums), 64, func(lo, hi int) {
		for a := lo; a < hi; a++ {
			i := a * n / len(sums)
			cols, vals := o.graph.Row(i)
			at, pulled, pushed := y.RawRowView(i), 0.0, 0.0
			for k, j := range cols {
				sums[a][0] += vals[k]
				pulled += vals[k] * o.near.At(samples.SquaredDistance(at, y.RawRowView(int(j))))
			}
			s := newStream(o.opt.Seed, -2, i)
			for range o.opt.Negatives {
				if j := s.index(n); j != i {
					pushed += o.away.At(samples.SquaredDistance(at, y.RawRowView(j)))
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

// edge pulls its ends together whenever due reaches 1; each epoch adds rate. The head,
// which is pushed away from others after a pull, is one end and the other in turn.
type edge struct {
	head, tail int32
	rate, due  float32
}

// schedule deals the edges of w to rounds and, in each, to pairs of blocks: sample i is
// in block i mod blocks, and the pairs follow the circle of a round-robin tournament.
// The number of blocks depends on the number of samples alone.
func schedule(w *sparse.CSR, opt Options) [][][]edge {
	blocks := 8 // of few samples: a round is over sooner than workers wake up
	if w.Rows >= 10_000 {
		blocks = 32
	}
	// Block blocks−1 stands still, the others go around. The round in which two meet is
	// their sum modulo blocks−1; a block meets itself in a round of its own.
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
				// Rounded, as solvers round otherwise on another processor; see [Spread].
				// Twice, as either direction pulls. The first time is random, so that the
				// edges of one weight do not all pull in the same epochs.
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
		Push: moves.NewTable(func(s float64) float64 { // UMAP's 0.001 keeps it finite
			return opt.Repulsion * opt.Curve.repulsion(s, 1e-3)
		}), Negatives: opt.Negatives}
}

// positions are those of a layout in single precision, relative to their origin: far from it
// they would have few digits.
type positions struct {
	at, rest []float32 // now, and before the epoch, n×d
	held     []bool    // samples that stay
	origin   []float64 // the mean of the first positions
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

// read takes the position of sample i.
func (p *positions) read(i int, row []float64) {
	for c, v := range row {
		p.at[i*len(row)+c] = float32(v - p.origin[c])
	}
}

// write stores the positions of samples that are not held.
func (p *positions) write(y *mat.Dense) {
	d := len(p.origin)
	for i, held := range p.held {
		if !held {
			for c, v := range p.at[i*d:][:d] {
				y.Set(i, c, p.origin[c]+float64(v))
			}
		}
	}
}

// advance takes edges through an epoch.
func (p *positions) advance(f *moves.Forces, edges []edge, s stream) {
	var b moves.Batch
	var random moves.Random
	for l := range random {
		random[l] = uint32(s.next())
	}
	flush := func() {
		moves.Move(f, &b, p.at, p.rest, len(p.origin), p.held, &random)
		b.Count = 0
	}
	for k := range edges {
		e := &edges[k]
		// Both ways are written, and count where they are due: whether an edge is cannot be
		// foreseen by the processor either.
		b.Heads[b.Count], b.Tails[b.Count] = e.head, e.tail
		b.Heads[b.Count+1], b.Tails[b.Count+1] = e.tail, e.head
		due := e.due + e.rate // below 3
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
