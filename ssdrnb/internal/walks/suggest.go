package walks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// early is the smallest number of labels with which samples are ranked by the doubt between
// classes. With fewer labels, they are ranked by the probability that a walk meets no label.
const early = 10

// crowd limits the number of samples n in the formula for the mean length of walks, see meet. The
// number of steps to meet a label grows with n, but the number of steps to leave a class hardly
// does. In large graphs, walks of unlimited length would therefore reach labels of other classes.
// The value was chosen on MNIST and USPS.
const crowd = 5000

// meeting holds the probabilities that walks meet labels. A walk from each sample ends at the first
// label it meets, or without a label after T steps on average.
type meeting struct {
	first    *mat.Dense // n×c: probability that the first label met belongs to each class
	open     []int      // unlabelled samples
	position []int      // position in open, −1 for labelled samples
	solver   *Solver    // solver for the matrix of the unlabelled samples in meet
	steps    int        // √T rounded: number of steps over which doubt is averaged
	tol      float64
}

// meet computes the probabilities h_u that walks from the unlabelled samples u first meet a label
// of each class. It solves (D_uu − αW_uu)·h_u = αW_uL·Y for the degrees D, the labelled samples L
// and their class indicators Y. α = 1 − 1/T and T = max(2, 3·min(n, most)/(m+10)) for m labels
// among n samples.
func meet(ctx context.Context, w *sparse.CSR, degrees []float64, labels []int, classes, most int, tol float64) (*meeting, error) {
	n := w.Rows
	t := &meeting{first: mat.NewDense(n, max(classes, 1), nil), position: slices.Repeat([]int{-1}, n), tol: tol}
	for i, l := range labels {
		if l < 0 {
			t.position[i] = len(t.open)
			t.open = append(t.open, i)
		} else {
			t.first.Set(i, l, 1)
		}
	}
	known := n - len(t.open)
	length := max(2, 3*float64(min(n, most))/float64(known+10))
	t.steps = int(math.Sqrt(length) + 0.5)
	carry := 1 - 1/length
	if len(t.open) == 0 {
		return t, nil
	}
	among, err := w.Select(t.open, t.open)
	if err != nil {
		return nil, err
	}
	d := make([]float64, len(t.open))
	for k, i := range t.open {
		d[k] = degrees[i]
	}
	if t.solver, err = NewSolver(ctx, among, d, carry); err != nil || known == 0 {
		return t, err
	}
	_, c := t.first.Dims()
	b := mat.NewDense(len(t.open), c, nil)
	for k, i := range t.open {
		row := b.RawRowView(k)
		cols, vals := w.Row(i)
		for e, j := range cols {
			if l := labels[j]; l >= 0 {
				row[l] += carry * vals[e]
			}
		}
	}
	h, err := t.solve(ctx, b, t.tol)
	if err != nil {
		return nil, err
	}
	for k, i := range t.open {
		out := t.first.RawRowView(i)
		for c, v := range h.RawRowView(k) {
			out[c] = min(max(v, 0), 1)
		}
	}
	return t, nil
}

// solve calls the solver. If it did not converge, solve accepts the last iterate, which makes
// suggestions slightly less accurate.
func (t *meeting) solve(ctx context.Context, b *mat.Dense, tol float64) (*mat.Dense, error) {
	x, err := t.solver.Solve(ctx, b, tol)
	if x != nil && errors.Is(err, ErrNotConverged) {
		err = nil
	}
	return x, err
}

// coverTolerance returns the tolerance of the linear systems for the probability of meeting an
// earlier pick, see pick. In large graphs, three digits suffice.
func (t *meeting) coverTolerance() float64 {
	if len(t.position) < large {
		return t.tol
	}
	return min(0.1, looserLarge*t.tol)
}

// doubts returns the doubt, in [0, 1], for each sample. If reach is true, the doubt is 1 minus the
// probability of meeting a label. Otherwise it is 1 minus the difference between the probabilities
// of the two most probable classes. The probabilities of all classes sum to less than 1 if a walk
// can end without meeting a label.
func (t *meeting) doubts(reach bool) []float64 {
	n, _ := t.first.Dims()
	out := make([]float64, n)
	for i := range out {
		best, second, sum := 0.0, 0.0, 0.0
		for _, v := range t.first.RawRowView(i) {
			sum += v
			if v > best {
				best, second = v, best
			} else if v > second {
				second = v
			}
		}
		if reach {
			out[i] = 1 - sum
		} else {
			out[i] = 1 - (best - second)
		}
	}
	return out
}

// Suggest returns up to `batch` unlabelled samples to label next. It selects the samples whose
// neighbourhoods have the largest mean doubt, see meeting.doubts. A neighbourhood is explored by
// walks of √T steps, where T is the mean length of walks in meet. Suggest works without any labels.
// Later samples of a batch avoid regions covered by walks from earlier ones. Samples in components
// of fewer than n/(m+10) samples are ranked lower, where m counts labels and earlier picks; the
// smaller the component, the lower. While there are fewer than ten labels and suggestions in total,
// well-connected samples are preferred. Suggest draws no random numbers. tol is the tolerance of
// the linear systems; 0 means 1e-6.
func Suggest(ctx context.Context, w *sparse.CSR, labels []int, classes, batch int, tol float64) ([]int, error) {
	return suggest(ctx, w, labels, classes, crowd, batch, tol, (*meeting).doubts)
}

// Cover returns up to `batch` samples to measure next, among those without a known number. Like
// [Suggest], it selects samples by the mean doubt in their neighbourhood, but the doubt is always
// the probability that a walk meets no known sample.
func Cover(ctx context.Context, w *sparse.CSR, known []bool, batch int, tol float64) ([]int, error) {
	labels := make([]int, len(known))
	for i, is := range known {
		if !is {
			labels[i] = -1
		}
	}
	return suggest(ctx, w, labels, 1, len(labels), batch, tol, func(t *meeting, _ bool) []float64 { return t.doubts(true) })
}

// suggest checks the arguments of Suggest and Cover, and selects samples by the given doubts.
// The mean length of walks is set as if there were at most `most` samples, see meet.
func suggest(ctx context.Context, w *sparse.CSR, labels []int, classes, most, batch int, tol float64, doubts func(t *meeting, few bool) []float64) ([]int, error) {
	if err := check(w, labels, classes); err != nil {
		return nil, err
	}
	if tol == 0 {
		tol = defaultTolerance
	}
	if batch < 1 || !(tol > 0 && tol < 1) {
		return nil, fmt.Errorf("%w: the number of samples to suggest is %d, and the tolerance is %v, but the number must be at least 1, and the tolerance between 0 and 1", ErrOption, batch, tol)
	}
	degrees := Degrees(w)
	t, err := meet(ctx, w, degrees, labels, classes, most, tol)
	if err != nil {
		return nil, err
	}
	return t.pick(ctx, w, degrees, batch, func(few bool) []float64 { return doubts(t, few) })
}

// pick returns up to `batch` unlabelled samples, selected one after another. doubts returns the
// doubt of each sample; its argument `few` is true if there are fewer than `early` labels and picks
// in total.
func (t *meeting) pick(ctx context.Context, w *sparse.CSR, degrees []float64, batch int, doubts func(few bool) []float64) ([]int, error) {
	n := w.Rows
	size := componentSizes(w)
	left := slices.Repeat([]float64{1}, n) // probability that a walk from each sample meets none of the picks
	free := slices.Clone(t.open)           // unlabelled samples that are not picked, ascending
	// taken[k] belongs to pick k. It is the pick's column of M⁻¹ divided by the square root of the
	// column's entry at the pick. M is D − αW restricted to the unlabelled samples that are not
	// earlier picks.
	var taken [][]float64
	var picks []int
	known := n - len(t.open)
	score, next := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for len(picks) < batch && len(free) > 0 {
		m := known + len(picks)
		s := score.RawMatrix().Data
		for i, v := range doubts(m < early) {
			s[i] = v * left[i]
		}
		for range t.steps {
			average(next, score, w, degrees)
			score, next = next, score
		}
		s = score.RawMatrix().Data
		for i := range s {
			s[i] *= min(1, float64(size[i])*float64(m+early)/float64(n))
			if m < early {
				s[i] *= math.Sqrt(math.Sqrt(degrees[i]))
			}
		}
		pick := leading(free, s, degrees)
		picks = append(picks, pick)
		free = slices.DeleteFunc(free, func(i int) bool { return i == pick })
		if len(picks) == batch {
			break
		}
		e := mat.NewDense(len(t.open), 1, nil)
		e.Set(t.position[pick], 0, 1)
		column, err := t.solve(ctx, e, t.coverTolerance())
		if err != nil {
			return nil, err
		}
		g := column.RawMatrix().Data
		for _, v := range taken {
			f := v[t.position[pick]]
			for k := range g {
				g[k] -= f * v[k]
			}
		}
		own := g[t.position[pick]]
		if !(own > 0) {
			continue // the sample lies among earlier picks and covers nothing new
		}
		for k, i := range t.open {
			left[i] *= 1 - min(max(g[k]/own, 0), 1)
			g[k] /= math.Sqrt(own)
		}
		taken = append(taken, g)
	}
	return picks, nil
}

// average sets `out` to D⁻¹W·in.
func average(out, in *mat.Dense, w *sparse.CSR, degrees []float64) {
	w.MulTo(out, in)
	v := out.RawMatrix().Data
	par.Blocks(len(v), 8*solveBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] /= degrees[i]
		}
	})
}

// leading returns the candidate with the largest score. Among candidates within 1e-9 of this score,
// it returns the one with the largest degree, then the lowest index.
func leading(candidates []int, score, degrees []float64) int {
	top := math.Inf(-1)
	for _, i := range candidates {
		top = max(top, score[i])
	}
	best := -1
	for _, i := range candidates {
		if score[i] >= top-1e-9*math.Abs(top) && (best < 0 || degrees[i] > degrees[best]) {
			best = i
		}
	}
	return best
}

// componentSizes returns, for each sample, the number of samples in its component.
func componentSizes(w *sparse.CSR) []int {
	count, of := graph.ComponentsAbove(w, 0)
	sizes := make([]int, count)
	for _, c := range of {
		sizes[c]++
	}
	out := make([]int, len(of))
	for i, c := range of {
		out[i] = sizes[c]
	}
	return out
}
