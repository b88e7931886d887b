package walks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Options are the settings of [Opinions]. The zero value selects the defaults.
type Options struct {
	// Tolerance is the tolerance of the linear systems, in (0, 1); 0 means 1e-6.
	Tolerance float64
	// Checked is the largest number of labels that are left out, one at a time, to estimate
	// Opinion.Sharpness. 0 means 200. −1 leaves out no label, which saves one linear system per
	// label. [Opinion.Verdicts] always leaves out each label.
	Checked int
	// Memory, if not nil, caches results for later calls on the same graph.
	Memory *Memory
}

const (
	defaultTolerance = 1e-6
	defaultChecked   = 200
	// Opinion.Sharpness is shrunk towards usualSharpness with the weight of usualWeight labels.
	// Both were chosen on 14 data sets; calibration errors are nearly constant around them.
	usualSharpness, usualWeight = 8.0, 20.0
	leastSharpness              = 1.0
	mostSharpness               = 50.0
	// The tolerance of diagonal entries of G is `looser` times Options.Tolerance, or `looserLarge`
	// times in large graphs. With looserLarge instead of looser, 1,000 labels among 70,000 samples
	// take two thirds of the time, and the shares of left-out labels change by at most 3e-4.
	looser      = 10
	looserLarge = 1000
	large       = 10_000 // smallest number of samples of a large graph
)

// Sharpened returns the graph with weights w_ij^power. With powers above 1, walks prefer the
// strongest edges, but no edge is cut.
func Sharpened(w *sparse.CSR, power float64) *sparse.CSR {
	if power == 1 {
		return w
	}
	out := w.Clone()
	for k, v := range out.Val {
		out.Val[k] = math.Pow(v, power)
	}
	return out
}

// Opinion holds the class probabilities of every sample given the labels.
type Opinion struct {
	// Carry is α = 1 − m/(n+1) for m labels. A walk then has n/m steps on average, about as many as
	// it takes to meet another label.
	Carry float64
	// Prior is the share of each class among the labels.
	Prior []float64
	// Share (n×c) holds, for each sample and class, the share of the visiting walks that began at
	// labels of the class. A row equals Prior if the sample's component contains no label.
	Share *mat.Dense
	// Reached is true for samples whose component contains a label.
	Reached []bool
	// Labelled lists the labelled samples in ascending order.
	Labelled []int
	// Sharpness is the factor b in the probabilities softmax(b·(share − prior)). Fitted is its
	// maximum likelihood estimate from the left-out labels, before shrinkage, or NaN if no label
	// was left out.
	Sharpness, Fitted float64
	// Checked is the number of left-out labels used to fit the sharpness.
	Checked int
	// Converged is false if a linear system was not solved to the tolerance.
	Converged bool

	graph    *sparse.CSR
	degrees  []float64
	labels   []int
	count    []float64  // number of labels per class
	visits   *mat.Dense // n×c: G·Y for the class indicators Y of the labels
	solver   *Solver
	tol      float64
	diagonal map[int]float64 // diagonal entries G_ll of G for labelled samples l, where computed
	memory   *Memory

	later sync.Mutex // guards diagonal and Converged after Opinions has returned
}

// Opinions propagates labels along the graph w by random walks that begin at the labelled samples.
// Opinion.Share minus the prior equals the solution of Poisson learning (Calder, Cook, Thorpe,
// Slepčev, ICML 2020) with the same carry, divided by the number of visits to the sample.
//
// The sharpness is fitted by predicting given labels after leaving them out, so it needs no labels
// besides the given ones. To leave out a label exactly, its column of G is subtracted from G·Y.
func Opinions(ctx context.Context, w *sparse.CSR, labels []int, classes int, opt Options) (*Opinion, error) {
	if err := check(w, labels, classes); err != nil {
		return nil, err
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = defaultTolerance
	}
	switch opt.Checked {
	case 0:
		opt.Checked = defaultChecked
	case -1:
		opt.Checked = 0
	}
	if !(opt.Tolerance > 0 && opt.Tolerance < 1) || opt.Checked < 0 {
		return nil, fmt.Errorf("%w: the tolerance is %v, and the number of labels to check is %d; the tolerance must lie between 0 and 1, and the number of labels must be at least −1", ErrOption, opt.Tolerance, opt.Checked)
	}
	o := &Opinion{graph: w, degrees: Degrees(w), labels: labels, tol: opt.Tolerance, Converged: true, memory: opt.Memory,
		count: make([]float64, classes), Prior: make([]float64, classes), diagonal: map[int]float64{}}
	n := w.Rows
	sources := mat.NewDense(n, max(classes, 1), nil)
	for i, l := range labels {
		if l >= 0 {
			o.Labelled = append(o.Labelled, i)
			o.count[l]++
			sources.Set(i, l, 1)
		}
	}
	m := len(o.Labelled)
	if m == 0 {
		return nil, fmt.Errorf("%w: none of %d samples is labelled, but at least one must be", ErrLabels, n)
	}
	for k, c := range o.count {
		o.Prior[k] = c / float64(m)
	}
	o.Carry = carryOf(labels)
	var err error
	if o.solver, err = NewSolver(ctx, w, o.degrees, o.Carry); err != nil {
		return nil, err
	}
	if o.visits, err = o.solve(ctx, sources); err != nil {
		return nil, err
	}
	o.reach()
	o.shares()
	if err := o.leaveOut(ctx, spread(o.Labelled, opt.Checked)); err != nil {
		return nil, err
	}
	o.sharpen()
	return o, nil
}

// solve returns G·b. If the iteration does not converge, it returns the last iterate and sets
// Converged to false.
func (o *Opinion) solve(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	x, err := o.solver.Solve(ctx, b, o.tol)
	if x != nil && errors.Is(err, ErrNotConverged) {
		o.Converged, err = false, nil
	}
	return x, err
}

// spread returns up to `most` of the samples, evenly spaced in the list.
func spread(samples []int, most int) []int {
	if len(samples) <= most {
		return samples
	}
	out := make([]int, most)
	for k := range out {
		out[k] = samples[k*len(samples)/most]
	}
	return out
}

func (o *Opinion) reach() {
	count, of := graph.ComponentsAbove(o.graph, 0)
	has := make([]bool, count)
	for _, i := range o.Labelled {
		has[of[i]] = true
	}
	o.Reached = make([]bool, len(of))
	for i, c := range of {
		o.Reached[i] = has[c]
	}
}

// Unreached returns the number of samples whose component contains no label.
func (o *Opinion) Unreached() int {
	n := 0
	for _, r := range o.Reached {
		if !r {
			n++
		}
	}
	return n
}

func (o *Opinion) shares() {
	n, c := o.visits.Dims()
	o.Share = mat.NewDense(n, c, nil)
	for i := range n {
		o.shareInto(o.Share.RawRowView(i), o.visits.RawRowView(i), o.Prior, o.Reached[i])
	}
}

// shareInto sets `out` to the shares of the visits, or to the prior if there are no visits. Visits
// that are slightly negative, because of rounding far from all labels of a class, count as 0.
// shareInto returns the total number of visits.
func (o *Opinion) shareInto(out, visits, prior []float64, reached bool) (total float64) {
	for k, v := range visits {
		out[k] = max(v, 0)
		total += out[k]
	}
	if !reached || !(total > 0) {
		copy(out, prior)
		return 0
	}
	for k := range out {
		out[k] /= total
	}
	return total
}

// leaveOut adds the diagonal entries G_ll of the given labelled samples l to o.diagonal, unless
// they are known already.
func (o *Opinion) leaveOut(ctx context.Context, samples []int) error {
	var open []int
	for _, l := range samples {
		if _, known := o.diagonal[l]; !known {
			open = append(open, l)
		}
	}
	var own []float64
	var err error
	if o.memory != nil && o.solver.level == nil {
		own, err = o.memory.diagonal(ctx, open, o.Carry, o.ownTolerance())
	} else {
		own, err = o.solver.Diagonal(ctx, open, o.ownTolerance())
	}
	switch {
	case own != nil && errors.Is(err, ErrNotConverged):
		o.Converged = false
	case err != nil:
		return err
	}
	for k, l := range open {
		o.diagonal[l] = own[k]
	}
	return nil
}

// ownTolerance returns the relative tolerance of the entries G_ll in o.diagonal.
func (o *Opinion) ownTolerance() float64 {
	if len(o.degrees) < large {
		return min(0.1, looser*o.tol)
	}
	return min(0.1, looserLarge*o.tol)
}

// otherVisits returns, for each class, the visits to the labelled sample l from labels other than
// its own, and the number of these labels. checkable is true if there is another label of the same
// class, and another label in the component of l. o.diagonal must contain G_ll, see leaveOut.
func (o *Opinion) otherVisits(l int) (visits, count []float64, checkable bool) {
	y, own := o.labels[l], o.diagonal[l]
	visits, count = slices.Clone(o.visits.RawRowView(l)), slices.Clone(o.count)
	visits[y] -= own
	count[y]--
	// Visits below this share of G_ll cannot be distinguished from errors of the solver, so they
	// count as 0.
	total, cut := 0.0, max(1e-12, o.ownTolerance())*own
	for k, v := range visits {
		if v < cut {
			visits[k] = 0
		}
		total += visits[k]
	}
	return visits, count, count[y] > 0 && total > 0
}

// sharpen fits the sharpness to the left-out labels.
func (o *Opinion) sharpen() {
	classes := len(o.count)
	var z [][]float64 // a row for each left-out label: its shares minus the prior
	var y []int
	if classes > 1 {
		m := float64(len(o.Labelled))
		for _, l := range o.Labelled {
			if _, known := o.diagonal[l]; !known {
				continue
			}
			if visits, count, ok := o.otherVisits(l); ok {
				row := make([]float64, classes)
				o.shareInto(row, visits, o.Prior, true)
				for k := range row {
					row[k] -= count[k] / (m - 1)
				}
				z, y = append(z, row), append(y, o.labels[l])
			}
		}
	}
	o.Checked = len(y)
	o.Sharpness, o.Fitted = Sharpness(z, y, usualSharpness)
}

// Sharpness fits the inverse temperature b of softmax(b·z) to rows of scores z and their classes y.
// `fitted` is the value in [1, 50] with the largest likelihood, or NaN without rows. b is the
// geometric mean of `fitted`, weighted by the number of rows, and `usual`, weighted by 20. Without
// rows, b is `usual`.
func Sharpness(z [][]float64, y []int, usual float64) (b, fitted float64) {
	if len(z) == 0 {
		return usual, math.NaN()
	}
	p := make([]float64, len(z[0]))
	slope := func(b float64) float64 { // derivative of the negative log-likelihood, which is convex in b
		s := 0.0
		for i, row := range z {
			softmax(p, row, b)
			s -= row[y[i]]
			for k, v := range p {
				s += v * row[k]
			}
		}
		return s
	}
	lo, hi := leastSharpness, mostSharpness
	switch {
	case slope(lo) >= 0:
		hi = lo
	case slope(hi) <= 0:
		lo = hi
	}
	for range 60 {
		if mid := (lo + hi) / 2; slope(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	k := float64(len(z))
	fitted = (lo + hi) / 2
	return math.Exp((k*math.Log(fitted) + usualWeight*math.Log(usual)) / (k + usualWeight)), fitted
}

// Softmax returns the softmax of each row of b·z.
func Softmax(z *mat.Dense, b float64) *mat.Dense {
	n, c := z.Dims()
	p := mat.NewDense(n, c, nil)
	for i := range n {
		softmax(p.RawRowView(i), z.RawRowView(i), b)
	}
	return p
}

// softmax sets `out` to exp(b·z) divided by its sum.
func softmax(out, z []float64, b float64) {
	top, sum := slices.Max(z), 0.0
	for k, v := range z {
		out[k] = math.Exp(b * (v - top))
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
}

// Poisson returns the n×c values U of Poisson learning: U = GB, where row l of B is the class
// indicator of label l minus the prior, and 0 for unlabelled samples.
func (o *Opinion) Poisson() *mat.Dense {
	u := mat.DenseCopyOf(o.visits)
	n, _ := u.Dims()
	for i := range n {
		row, total := u.RawRowView(i), 0.0
		for _, v := range row {
			total += v
		}
		for k, p := range o.Prior {
			row[k] -= float64(total * p)
		}
	}
	return u
}

// Probabilities returns softmax(b·(share − prior)), n×c. Rows sum to 1. A row is uniform if the
// sample's component contains no label.
func (o *Opinion) Probabilities() *mat.Dense {
	n, c := o.Share.Dims()
	p := mat.NewDense(n, c, nil)
	par.Blocks(n, solveBlock, func(lo, hi int) {
		z := make([]float64, c)
		for i := lo; i < hi; i++ {
			for k, v := range o.Share.RawRowView(i) {
				z[k] = v - o.Prior[k]
			}
			softmax(p.RawRowView(i), z, o.Sharpness)
		}
	})
	return p
}

// Beyond returns the class probabilities of samples outside the graph, one per row of w. The
// columns of w are the samples of the graph; its entries are edge weights of at least 0. Walks
// reach an outside sample from its neighbours and do not continue from there, so its shares are
// computed from the weighted sum of the neighbours' visits. A row is uniform if walks reach none of
// the neighbours.
func (o *Opinion) Beyond(w *sparse.CSR) *mat.Dense {
	_, c := o.visits.Dims()
	p := mat.NewDense(w.Rows, c, nil)
	w.MulTo(p, o.visits)
	z := make([]float64, c)
	for i := range w.Rows {
		row := p.RawRowView(i)
		total := o.shareInto(z, row, o.Prior, true)
		for k := range z {
			z[k] -= o.Prior[k]
		}
		if total == 0 {
			clear(z) // exactly 0 instead of the rounding errors of prior − prior
		}
		softmax(row, z, o.Sharpness)
	}
	return p
}

// Predicted returns the class of largest probability for each sample, or −1 if the sample's
// component contains no label. Ties go to the lowest class.
func (o *Opinion) Predicted() []int {
	out := make([]int, len(o.Reached))
	for i := range out {
		out[i] = -1
		if o.Reached[i] {
			out[i] = 0
			row := o.Share.RawRowView(i)
			for k := range row {
				if row[k]-o.Prior[k] > row[out[i]]-o.Prior[out[i]] {
					out[i] = k
				}
			}
		}
	}
	return out
}
