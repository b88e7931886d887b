package guide

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Carrying is a method of predicting a number for all samples from the numbers known for some.
type Carrying int

// Values of [Carrying].
const (
	// Walks predicts the mean of the known numbers, weighted by the visits of random walks on a
	// graph; see [walks.Carrier].
	Walks Carrying = iota
	// ByLine is ridge regression on the features; see [Line].
	ByLine
	// Both is the prediction of ByLine plus a correction: the residuals of ByLine at the known
	// samples, propagated to all samples by Walks.
	Both
)

var carryings = [...]string{"walks", "line", "both"}

// String returns "walks", "line" or "both".
func (c Carrying) String() string { return carryings[c] }

// Target is a number known for some samples.
type Target struct {
	// Rows lists the samples without repetition, and Values holds their numbers.
	Rows   []int
	Values []float64
}

// CarriedTarget is a number predicted for all n samples from the numbers known for some.
type CarriedTarget struct {
	// By holds the n predictions of each method, indexed by [Carrying].
	By [3][]float64
	// Variance holds, for each sample, the variance of the known numbers around the prediction of
	// Walks. The known numbers have the same weights as in the prediction.
	Variance []float64
	// Reached is true for samples with a known sample in their component of the graph.
	Reached []bool
	// Q2 is the cross-validated R² of each method: 1 − Σ(y − ŷ)²/Σ(y − ȳ)² over the known numbers
	// y. ŷ is the prediction of y without the numbers in its fold, and ȳ is the mean of the numbers
	// in the other folds. Q2 is NaN if fewer than LeastKnown numbers are known, or if all are
	// equal.
	Q2 [3]float64
	// Chosen is the method with the largest Q2 after a small bonus is added to the Q2 of Walks (see
	// preferred). Strength, in [0, 1], measures how far the Q2 of this method exceeds [Threshold].
	// If Q2 is NaN, Chosen is Walks and Strength is 0.
	Chosen   Carrying
	Strength float64
	// Line is the regression of ByLine.
	Line *Line
	// Converged is false if the walks did not reach their tolerance.
	Converged bool
}

const (
	// LeastKnown is the smallest number of known samples for which cross-validation is meaningful.
	LeastKnown = 4
	mostFolds  = 5
	// preferred is added to the Q2 of Walks before the methods are compared, because predictions of
	// Walks never leave the range of the known numbers.
	preferred = 0.02
)

// folds returns the cross-validation fold of each value: its rank modulo min(5, m) for m values.
// Equal values are ranked in the given order.
func folds(values []float64) []int {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]int, len(values))
	for place, k := range order {
		out[k] = place % min(mostFolds, len(values))
	}
	return out
}

// CarryTarget predicts the target t for all samples by each of the three methods: walks on the
// graph `along`, ridge regression on the features x (n×D), and both combined. It chooses a method
// by cross-validation. See [walks.NewCarrier] for the tolerance.
func CarryTarget(ctx context.Context, along *sparse.CSR, x *mat.Dense, t Target, tolerance float64) (*CarriedTarget, error) {
	n, _ := x.Dims()
	m := len(t.Rows)
	if n != along.Rows || m != len(t.Values) || m == 0 {
		return nil, fmt.Errorf("%w: the features have %d samples and the graph %d, and the target has %d values for %d rows, but the features and the graph must have the same samples, and the target needs at least one row and one value per row", ErrShape, n, along.Rows, len(t.Values), m)
	}
	carrier, err := walks.NewCarrier(ctx, along, m, tolerance)
	if err != nil {
		return nil, err
	}
	y, mean, scale := standard(t.Values)
	c := &CarriedTarget{Q2: [3]float64{math.NaN(), math.NaN(), math.NaN()}}
	fold := folds(y)
	parts := 0
	if m >= LeastKnown && scale > 0 {
		parts = min(mostFolds, m)
	}
	// The last part contains all known samples; every other part leaves out one fold.
	lists, lines := make([]walks.Known, parts+1), make([]*Line, parts+1)
	for f := range lists {
		k := walks.Known{Values: make([][]float64, 2), Spread: f == parts}
		for a, i := range t.Rows {
			if f == parts || fold[a] != f {
				k.Rows = append(k.Rows, i)
				k.Values[0] = append(k.Values[0], y[a])
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known := samples.Pick(x, k.Rows)
		if lines[f], err = fitLine(known, k.Values[0]); err != nil {
			return nil, err
		}
		k.Values[1] = lines[f].At(known)
		for a, v := range k.Values[1] {
			k.Values[1][a] = k.Values[0][a] - v
		}
		lists[f] = k
	}
	carried, err := carrier.Apply(ctx, lists...)
	if err != nil {
		return nil, err
	}
	c.Converged = carrier.Converged
	if parts > 0 {
		c.compare(x, t.Rows, y, fold, lists[:parts], lines, carried)
	}
	all := carried[parts]
	c.Reached, c.Line, c.Variance = all.Reached, lines[parts], all.Variance
	c.By[Walks], c.By[ByLine] = all.Values[0], c.Line.At(x)
	c.By[Both] = make([]float64, n)
	for i, v := range all.Values[1] {
		c.By[Both][i] = c.By[ByLine][i] + v
		c.Variance[i] *= scale * scale
	}
	for _, values := range c.By {
		for i, v := range values {
			values[i] = mean + scale*v
		}
	}
	c.Line.Bias = mean + scale*c.Line.Bias
	for k := range c.Line.Weights {
		c.Line.Weights[k] *= scale
	}
	return c, nil
}

// compare sets Q2, Chosen and Strength.
func (c *CarriedTarget) compare(x *mat.Dense, rows []int, y []float64, fold []int, lists []walks.Known, lines []*Line, carried []walks.Carried) {
	var errors [3]float64
	total := 0.0
	means := make([]float64, len(lists))
	for f, k := range lists {
		for _, v := range k.Values[0] {
			means[f] += v / float64(len(k.Rows))
		}
	}
	for a, i := range rows {
		f := fold[a]
		line := lines[f].value(x.RawRowView(i))
		for k, v := range []float64{carried[f].Values[0][i], line, line + carried[f].Values[1][i]} {
			errors[k] += (y[a] - v) * (y[a] - v)
		}
		total += (y[a] - means[f]) * (y[a] - means[f])
	}
	best := math.Inf(-1)
	for k, e := range errors {
		c.Q2[k] = 1 - e/total
		q := c.Q2[k]
		if Carrying(k) == Walks {
			q += preferred
		}
		if q > best {
			best, c.Chosen = q, Carrying(k)
		}
	}
	least := Threshold(len(rows))
	c.Strength = min(max((c.Q2[c.Chosen]-least)/(1-least), 0), 1)
}

// Threshold returns 1/√m, a Q2 that m known numbers occasionally reach by chance, even if they are
// shuffled among the samples.
func Threshold(m int) float64 { return 1 / math.Sqrt(float64(m)) }

// standard returns the values minus their mean, divided by `scale`, the largest distance of a value
// from the mean. If all values are equal, it returns zeros and the scale 0.
func standard(values []float64) (out []float64, mean, scale float64) {
	for k, v := range values {
		mean += (v - mean) / float64(k+1) // a plain sum may overflow
	}
	for _, v := range values {
		scale = max(scale, math.Abs(v-mean))
	}
	out = make([]float64, len(values))
	if slices.Min(values) == slices.Max(values) {
		return out, values[0], 0
	}
	for k, v := range values {
		out[k] = (v - mean) / scale
	}
	return out, mean, scale
}

// Value returns the predictions of the chosen method.
func (c *CarriedTarget) Value() []float64 { return c.By[c.Chosen] }

// Feature turns a number propagated to each sample into an additional feature of the samples:
// Factor·(value − Mean).
type Feature struct {
	Mean, Factor float64
	// Apart is the median squared distance between the two ends of an edge, over all edges of a
	// graph. Differ is the median squared difference between their values. A median of 0 is
	// replaced by the mean.
	Apart, Differ float64
}

// NewFeature returns the feature for the numbers in `value`, one per row of x (n×D). Along a
// typical edge of the graph w, the ends differ in this feature by √strength times their distance in
// the features x. If Apart or Differ is 0, Factor is 0.
func NewFeature(w *sparse.CSR, x *mat.Dense, value []float64, strength float64) (*Feature, error) {
	n, _ := x.Dims()
	if w.Rows != n || len(value) != n {
		return nil, fmt.Errorf("%w: the numbers of samples, of rows of the graph and of values are %d, %d and %d, but must be equal", ErrShape, n, w.Rows, len(value))
	}
	if !(strength >= 0) || math.IsInf(strength, 1) {
		return nil, fmt.Errorf("%w: strength = %v; it must be finite and at least 0", ErrOption, strength)
	}
	start := make([]int, n+1) // first edge (i, j), i < j, of each row i
	for i := range n {
		start[i+1] = start[i]
		cols, _ := w.Row(i)
		for _, j := range cols {
			if int(j) > i {
				start[i+1]++
			}
		}
	}
	apart, differ := make([]float64, start[n]), make([]float64, start[n])
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := start[i]
			cols, _ := w.Row(i)
			for _, j := range cols {
				if int(j) > i {
					d := value[i] - value[j]
					apart[at], differ[at] = samples.SquaredDistance(x.RawRowView(i), x.RawRowView(int(j))), d*d
					at++
				}
			}
		}
	})
	f := &Feature{Apart: middle(apart), Differ: middle(differ)}
	for k, v := range value {
		f.Mean += (v - f.Mean) / float64(k+1)
	}
	if f.Apart > 0 && f.Differ > 0 {
		f.Factor = math.Sqrt(strength * f.Apart / f.Differ)
	}
	return f, nil
}

// middle returns the median (the mean of the middle two for an even number), or the mean of all
// values if the median is 0. It sorts v.
func middle(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	k := len(v) / 2
	m := v[k]
	if len(v)%2 == 0 {
		m = (v[k-1] + v[k]) / 2
	}
	if m == 0 {
		for _, x := range v {
			m += x / float64(len(v))
		}
	}
	return m
}

// Of returns the feature for the given values, rounded to about a millionth of its largest
// magnitude.
func (f *Feature) Of(value []float64) []float64 {
	out := make([]float64, len(value))
	widest := 0.0
	for i, v := range value {
		out[i] = f.Factor * (v - f.Mean)
		widest = max(widest, math.Abs(out[i]))
	}
	if widest > 0 {
		// Round, because the last digits of a propagated number differ between processors and would
		// decide ties between neighbours.
		unit := math.Exp2(math.Floor(math.Log2(widest)) - 20)
		for i, v := range out {
			out[i] = embed.Rounded(v, unit)
		}
	}
	return out
}

// Widened returns the samples x (n×D) with an additional column: n×(D+1).
func Widened(x *mat.Dense, column []float64) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		copy(row, x.RawRowView(i))
		row[d] = column[i]
	}
	return out
}
