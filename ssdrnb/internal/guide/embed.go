package guide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Knowledge holds labels, pairs and coordinates of a few samples; all are optional.
type Knowledge struct {
	// Labels holds the class of each sample, 0 … Classes−1, or −1 if unknown. It is nil without
	// labels.
	Labels  []int
	Classes int
	// Pairs are must-links and cannot-links.
	Pairs data.Pairs
	// Pins are samples with known coordinates.
	Pins data.Anchors
}

func (k Knowledge) labelled() bool {
	return slices.ContainsFunc(k.Labels, func(l int) bool { return l >= 0 })
}

// reach returns the argument `carry` of [Poisson], which is the probability that a random walk
// continues. It is 1 − m/(n+1) for m labels on a graph of n samples. A walk then takes about n/m
// steps. If labels are placed at random, a walk meets another label after about this number of
// steps. On digits, COIL-20, UMIST, ORL, Yale and letters, embeddings guided by such walks scored
// higher than embeddings guided by endless walks in nearly every case, by up to 5 points with many
// labels.
func (k Knowledge) reach(n int) float64 {
	m := 0
	for _, l := range k.Labels {
		if l >= 0 {
			m++
		}
	}
	return 1 - float64(m)/float64(n+1)
}

func (k Knowledge) check(n, d int) error {
	if k.Labels != nil && len(k.Labels) != n {
		return fmt.Errorf("%w: %d labels for %d samples, but each sample must have one (−1 if unknown)", ErrShape, len(k.Labels), n)
	}
	if err := k.Pairs.Check(n); err != nil {
		return err
	}
	if err := k.Pins.Check(n); err != nil {
		return err
	}
	if k.Pins.Len() > 0 {
		if _, c := k.Pins.Y.Dims(); c != d {
			return fmt.Errorf("%w: the pins have %d coordinates, but the positions have %d", ErrShape, c, d)
		}
	}
	return nil
}

// Options are the settings of [Embed], [Unfold] and [Weights]. Weights uses only Guidance, Carry
// and Caution.
type Options struct {
	// Layout holds the settings of the layouts, except the pins. If there are two layouts, Progress
	// counts the epochs of both, from 1 to 2·Epochs. In [Unfold] it also counts the steps of t-SNE.
	Layout embed.Options
	// Guidance, in [0, 1], is how strongly the knowledge affects the layout. With guidance 1, pins
	// are fixed. Below 1, they are pulled towards their coordinates with this strength.
	Guidance float64
	// Carry, in (0, 1), is the α of [Propagate] and determines how far pairs propagate along the
	// graph. In [Embed] and [Unfold], 0 means 0.8. [Weights] has no default.
	Carry float64
	// Caution, at least 0, protects doubtful samples from guidance; see [Cautious].
	Caution float64
}

// Embedding is the result of [Embed] or [Unfold].
type Embedding struct {
	// Y holds the positions, n×d, in the units of the pins. First holds, in the layout's own units,
	// the first layout of [Embed], or the layout of [Unfold] before it is matched to the pins.
	Y, First *mat.Dense
	// Scale is the length of a unit of the layout in units of Y. It is 1 without pins.
	Scale float64
	// W is the graph whose layout is Y.
	W *sparse.CSR
	// Opinion holds the class scores of the samples. It is nil if no label was used.
	Opinion *Opinion
	// Ties holds, for each sample, the share of its edge weights that remains after full guidance
	// by labels; see [Agreement.Ties]. It is nil if no label was used.
	Ties []float64
	// Kept counts the pairs that Y satisfies.
	Kept Kept
	// Epochs is the number of completed epochs of all layouts, including the steps of t-SNE.
	Epochs int
	// Histories holds the history of each layout in order; see [embed.Result]. [Embed] computes one
	// or two layouts. [Unfold] computes a layout, a t-SNE embedding that starts from it, and, with
	// pins, a t-SNE embedding that adapts the other samples to the pins.
	Histories [][]float64
	// Parted is true if the knowledge would cut every edge. In that case, no edge is changed.
	Parted bool
	// Divergence is the final divergence of t-SNE; see [embed.TSNEResult].
	Divergence float64
	// Density is the correlation between the logarithms of the local radii in Y and in the data;
	// see [embed.Density]. It is 0 if it was not requested.
	Density float64
}

const (
	// nearest is the number of nearest neighbours in the data along which knowledge propagates,
	// besides the neighbours in the first layout. Scores on digits, UMIST and USPS were higher with
	// 6 than with all 14 neighbours.
	nearest = 6
	// Tolerance is the tolerance of the linear systems that propagate knowledge. Its effect on a
	// layout is far smaller than the effect of the seed.
	Tolerance = 1e-6
	// Least is the smallest factor by which labels reduce the weight of an edge. It applies between
	// samples without a common predicted class. It is above 0 so that the embedding preserves
	// neighbours. On faces with half of the samples labelled, a smaller factor lowered
	// trustworthiness by 0.01. On no data set did it increase the number of hidden labels that were
	// predicted correctly.
	Least = 0.1
	// held is a share of the largest edge weight. Only edges above this share join samples into the
	// components that the function pack moves.
	held = 0.1
)

// toleranceOf returns the tolerance of the linear systems that propagate knowledge among n samples.
// It is larger for large graphs, where these systems take much of the time. This hardly changes the
// weights.
func toleranceOf(n int) float64 {
	if n > 10_000 {
		return 100 * Tolerance
	}
	return Tolerance
}

// Embed computes a layout of samples with the neighbours nb, guided by knowledge about some of
// them. First it lays out their fuzzy graph w from the positions y0 (n×d), as UMAP does. Then it
// propagates labels and pairs along the mean of two graphs: the graph of the nearest neighbours in
// the data, and the graph of the neighbours in the first layout. It changes the weights of w
// accordingly. Finally it lays out w again. The second layout starts from the first one, rotated
// and warped to match the pins, or shrunk if there are no pins. Without pins, Embed then moves
// separate components closer together.
//
// If the knowledge would cut every edge of w, the weights do not change, and Parted is true.
//
// Embed does not distinguish hidden labels from missing ones: both are −1. With guidance 0, or
// without knowledge, Embed ends after the first layout.
//
// When ctx ends, Y holds the positions so far, if there are any, and err is the error of ctx.
func Embed(ctx context.Context, nb *graph.Neighbors, w *sparse.CSR, y0 *mat.Dense, know Knowledge, opt Options) (*Embedding, error) {
	n, d := y0.Dims()
	if n != nb.Len() || n != w.Rows {
		return nil, fmt.Errorf("%w: there are positions of %d samples, but neighbours of %d and a graph of %d", ErrShape, n, nb.Len(), w.Rows)
	}
	if err := checkGuidance(opt.Guidance); err != nil {
		return nil, err
	}
	if err := know.check(n, d); err != nil {
		return nil, err
	}
	if opt.Carry == 0 {
		opt.Carry = 0.8
	}
	twice := opt.Guidance > 0 && (know.labelled() || know.Pairs.Len() > 0 || know.Pins.Len() > 0)
	e := &Embedding{W: w, Scale: 1}
	first, second := e.settings(opt.Layout, twice)
	if err := e.layout(ctx, y0, first); err != nil {
		if e.Y == nil {
			return nil, err
		}
		return e, err
	}
	e.First = e.Y
	var err error
	if e.Kept, err = countKept(e.Y, know.Pairs); err != nil {
		return nil, err
	}
	if !twice {
		return e, nil
	}
	if err := e.guide(ctx, nb, know, opt); err != nil {
		return e, err
	}
	return e.layoutGuided(ctx, know, second, opt.Guidance)
}

// settings returns the settings of both layouts. twice is true if the second layout will be
// computed; the progress of both is then reported as that of a single layout with 2·Epochs epochs.
func (e *Embedding) settings(opt embed.Options, twice bool) (first, second embed.Options) {
	report := opt.Progress
	opt.Pins = embed.Pins{}
	first, second = opt, opt
	if twice { // no density term, so that the neighbours in the first layout are reliable
		first.Density = embed.Density{}
	}
	if report != nil && twice {
		first.Progress = func(epoch, epochs int, y *mat.Dense, objective float64) { report(epoch, 2*epochs, y, objective) }
		second.Progress = func(epoch, epochs int, y *mat.Dense, objective float64) {
			report(epochs+epoch, 2*epochs, e.scaled(y), objective)
		}
	}
	return first, second
}

// layoutGuided computes the layout of the guided graph W and stores it in e. It returns e, or nil
// if the layout fails although ctx has not ended.
func (e *Embedding) layoutGuided(ctx context.Context, know Knowledge, opt embed.Options, guidance float64) (*Embedding, error) {
	start := embed.Shrunk(e.First, 1, opt.Seed, false)
	if know.Pins.Len() > 0 {
		var err error
		if start, err = e.pin(ctx, know.Pins); err != nil {
			e.Scale = 1 // Y is still the first layout
			return e, err
		}
		y := mat.DenseCopyOf(know.Pins.Y)
		y.Scale(1/e.Scale, y)
		opt.Pins = embed.Pins{Rows: know.Pins.Rows, Y: y, Pull: guidance}
	}
	err := e.layout(ctx, start, opt)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if e.Y == e.First { // the context ended before the first epoch
		e.Scale = 1
		return e, err
	}
	if e.Scale != 1 {
		e.Y.Scale(e.Scale, e.Y)
	}
	if guidance == 1 {
		for k, i := range know.Pins.Rows { // restores the digits lost in the conversion of units
			e.Y.SetRow(i, know.Pins.Y.RawRowView(k))
		}
	}
	if err != nil {
		return e, err
	}
	if know.Pins.Len() == 0 {
		if err := pack(ctx, e.Y, e.First, e.W, held*slices.Max(append(slices.Clone(e.W.Val), 0))); err != nil {
			return e, err
		}
	}
	e.Kept, err = countKept(e.Y, know.Pairs)
	return e, err
}

// layout sets Y to the layout of W from the positions `start`. If ctx ends, Y becomes the layout so
// far. If ctx ends before the first epoch, Y changes only if it is nil.
func (e *Embedding) layout(ctx context.Context, start *mat.Dense, opt embed.Options) error {
	r, err := embed.Layout(ctx, e.W, start, opt)
	if r != nil && (r.Epochs > 0 || e.Y == nil) {
		e.Y, e.Density = r.Y, r.Density
		e.Epochs += r.Epochs
		e.Histories = append(e.Histories, r.History)
	}
	return err
}

// guide changes W according to labels and pairs, unless they would cut all its edges.
func (e *Embedding) guide(ctx context.Context, nb *graph.Neighbors, know Knowledge, opt Options) error {
	if !know.labelled() && know.Pairs.Len() == 0 {
		return nil // pins affect positions, not weights
	}
	plain := e.W
	adaptive, err := e.adaptive(ctx, nb)
	if err != nil {
		return err
	}
	if know.Pairs.Len() > 0 {
		zeros, err := candidates(e.W, know.Pairs.Must)
		if err != nil {
			return err
		}
		if e.W, err = sparse.Add(1, e.W, 1, zeros); err != nil {
			return err
		}
	}
	if know.labelled() {
		if e.Opinion, err = Poisson(ctx, adaptive, know.Labels, know.Classes, know.reach(nb.Len()), toleranceOf(nb.Len())); err != nil {
			return err
		}
		a, err := NewAgreement(e.Opinion.Probabilities(), Least)
		if err != nil {
			return err
		}
		if e.Ties, err = a.Ties(e.W); err != nil {
			return err
		}
		if e.W, err = a.Guide(e.W, opt.Guidance, Cautious(e.Ties, opt.Caution)); err != nil {
			return err
		}
	}
	if know.Pairs.Len() > 0 {
		f, err := Propagate(ctx, adaptive, know.Pairs, opt.Carry, toleranceOf(nb.Len()), e.W)
		if err != nil {
			return err
		}
		if e.W, err = f[0].Guide(e.W, opt.Guidance, nil); err != nil {
			return err
		}
	}
	if edgeless(e.W) {
		e.W, e.Parted = plain, true
	}
	return nil
}

// edgeless reports whether no weight of g is above 0.
func edgeless(g *sparse.CSR) bool {
	return !slices.ContainsFunc(g.Val, func(v float64) bool { return v > 0 })
}

// adaptive returns the mean of two fuzzy graphs: the graph of the first `nearest` neighbours in nb,
// and the graph of the nb.K nearest neighbours in the first layout.
func (e *Embedding) adaptive(ctx context.Context, nb *graph.Neighbors) (*sparse.CSR, error) {
	near, err := embed.Fuzzy(nb.Head(min(nearest, nb.K)), embed.PlainFuzzy)
	if err != nil {
		return nil, err
	}
	shown, err := graph.Search(ctx, e.First, nb.K, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, err
	}
	seen, err := embed.Fuzzy(shown, embed.PlainFuzzy)
	if err != nil {
		return nil, err
	}
	return sparse.Add(0.5, near.W, 0.5, seen.W)
}

// candidates returns edges of weight 0 to add to the neighbour graph w, so that [PairField.Guide]
// can give them weight. For each must-link, the edges join one end and its 5 strongest neighbours
// in w to the other end and its 5 strongest neighbours.
func candidates(w *sparse.CSR, must []data.Pair) (*sparse.CSR, error) {
	const strongest = 5
	around := func(i int) []int {
		cols, vals := w.Row(i)
		order := make([]int, len(cols))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case vals[a] > vals[b]:
				return -1
			case vals[a] < vals[b]:
				return 1
			}
			return 0
		})
		out := []int{i}
		for _, k := range order[:min(strongest, len(order))] {
			out = append(out, int(cols[k]))
		}
		return out
	}
	var entries []sparse.Triplet
	for _, q := range must {
		for _, i := range around(q.I) {
			for _, j := range around(q.J) {
				if i != j {
					entries = append(entries, sparse.Triplet{Row: i, Col: j}, sparse.Triplet{Row: j, Col: i})
				}
			}
		}
	}
	return sparse.FromTriplets(w.Rows, w.Rows, entries)
}

// pin sets Scale so that the pins have the same spread as their samples in the first layout. It
// returns this layout translated, rotated and warped to match the pins, but still in the units of
// the layout. For the warp, see bend.
func (e *Embedding) pin(ctx context.Context, pins data.Anchors) (*mat.Dense, error) {
	n, d := e.First.Dims()
	m := pins.Len()
	at := mat.NewDense(m, d, nil)
	for k, i := range pins.Rows {
		at.SetRow(k, e.First.RawRowView(i))
	}
	from, fromSpread := centre(at)
	to, toSpread := centre(pins.Y)
	e.Scale = 1
	if fromSpread > 0 && toSpread > 0 {
		e.Scale = toSpread / fromSpread
	}
	// A holds the centred positions of the pinned samples, B the centred pins. With AᵀB = USVᵀ, the
	// rotation or reflection UVᵀ maps A as near as possible to B.
	turn := mat.NewDense(d, d, nil)
	for j := range d {
		turn.Set(j, j, 1)
	}
	var product mat.Dense
	product.Mul(samples.Minus(at, from).T(), samples.Minus(pins.Y, to))
	var svd mat.SVD
	if m > 1 && svd.Factorize(&product, mat.SVDFull) {
		var u, v mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		turn.Mul(&u, v.T())
	}
	y := mat.NewDense(n, d, nil)
	y.Mul(samples.Minus(e.First, from), turn)
	for i := range n {
		row := y.RawRowView(i)
		for j := range row {
			row[j] += to[j] / e.Scale
		}
	}
	return y, e.bend(ctx, y, pins)
}

// bend warps the positions y to match the pins, in units of the layout. It moves pinned samples to
// their positions. It moves every other sample i by d_i = 0.999·Σ w_ij·d_j / Σ w_ij, the damped
// weighted mean of the displacements of its neighbours j in W.
func (e *Embedding) bend(ctx context.Context, y *mat.Dense, pins data.Anchors) error {
	const carried = 0.999
	n, d := y.Dims()
	pinned := make([]bool, n)
	moved := mat.NewDense(n, d, nil)
	for k, i := range pins.Rows {
		pinned[i] = true
		row := moved.RawRowView(i)
		for j, v := range pins.Y.RawRowView(k) {
			row[j] = v/e.Scale - y.At(i, j)
		}
	}
	b := mat.NewDense(n, d, nil)
	e.W.MulTo(b, moved)
	b.Scale(carried, b)
	free := e.W.Clone()
	for i := range n {
		cols, vals := free.Row(i)
		for k, j := range cols {
			if pinned[i] || pinned[j] {
				vals[k] = 0
			}
		}
		if pinned[i] {
			clear(b.RawRowView(i))
		}
	}
	solver, err := walks.NewSolver(ctx, free, walks.Degrees(e.W), carried)
	if err != nil {
		return err
	}
	rest, err := solver.Solve(ctx, b, Tolerance)
	if err != nil {
		return err
	}
	y.Add(y, moved)
	y.Add(y, rest)
	// Round, because last digits differ between processors; see [embed.Spread].
	unit := 1.0 / 1024
	if _, spread := centre(e.First); spread > 0 {
		unit = math.Exp2(math.Floor(math.Log2(spread / 1024)))
	}
	for i := range n {
		row := y.RawRowView(i)
		for j := range row {
			row[j] = embed.Rounded(row[j], unit)
		}
	}
	for k, i := range pins.Rows {
		for j, v := range pins.Y.RawRowView(k) {
			y.Set(i, j, v/e.Scale)
		}
	}
	return nil
}

// centre returns the mean of the rows of a, and the root mean square distance of the rows from it.
func centre(a *mat.Dense) (mean []float64, spread float64) {
	n, _ := a.Dims()
	mean = samples.Means(a)
	for i := range n {
		spread += samples.SquaredDistance(a.RawRowView(i), mean) / float64(n)
	}
	return mean, math.Sqrt(spread)
}
