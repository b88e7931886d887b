package guide

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Opinion says how far each sample belongs to each class.
type Opinion struct {
	// U is n×c: the class of a sample is that of its largest value.
	U *mat.Dense
	// Components of the graph have the number of them, Unreached that of samples whose
	// component has no label: their rows of U are 0.
	Components, Unreached int
	// Converged is false if the iteration ended before its tolerance was reached, as it
	// does where parts of the graph hang together by weights close to 0.
	Converged bool
}

// Poisson spreads labels (−1 where unknown) over the graph w by Poisson learning (Calder,
// Cook, Thorpe, Slepčev 2020): the solution of L·U = B, where row l of B is the indicator
// of the class of the labelled sample l less the mean of these rows, and the rows of
// unlabelled samples are 0; U is centred, Σ dᵢUᵢ = 0. It works with one label per class,
// where labels held as boundary values fade away from them. classes is c; tol is the
// residual at which the iteration ends, 1e-6 being enough for guidance.
//
// U sums what random walks from the labels leave where they pass. They go on for ever,
// which drowns the labels near by where there are many: with carry below 1, in D − carry·W
// in place of L = D − W, each step is taken with that probability only. Knowledge.reach
// is one that fits the number of labels.
//
// Each component of the graph is solved for by itself, with the mean of its own labels.
// What that mean says beside the mean of all labels is then added to its rows, on the
// scale of the values at labelled samples: a component with one label belongs to its
// class.
func Poisson(ctx context.Context, w *sparse.CSR, labels []int, classes int, carry, tol float64) (*Opinion, error) {
	if err := checkGraph(w); err != nil {
		return nil, err
	}
	n := w.Rows
	if len(labels) != n {
		return nil, fmt.Errorf("%w: %d labels for %d samples", ErrShape, len(labels), n)
	}
	if !(tol > 0 && tol < 1) {
		return nil, fmt.Errorf("%w: tolerance %v; it lies between 0 and 1", ErrOption, tol)
	}
	if !(carry > 0 && carry <= 1) {
		return nil, fmt.Errorf("%w: carry %v; it is above 0 and at most 1", ErrOption, carry)
	}
	count, of := graph.ComponentsAbove(w, 0)
	share := mat.NewDense(count+1, max(classes, 1), nil) // of classes by component, the last row of all
	known := make([]float64, count+1)
	for i, l := range labels {
		if l >= classes {
			return nil, fmt.Errorf("%w: label %d of sample %d, with %d classes", ErrLabels, l, i, classes)
		}
		if l >= 0 {
			for _, c := range []int{of[i], count} {
				share.Set(c, l, share.At(c, l)+1)
				known[c]++
			}
		}
	}
	if known[count] == 0 {
		return nil, fmt.Errorf("%w: none of %d samples is labelled", ErrLabels, n)
	}
	for c, k := range known {
		if k > 0 {
			row := share.RawRowView(c)
			for j := range row {
				row[j] /= k
			}
		}
	}
	b := mat.NewDense(n, classes, nil)
	for i, l := range labels {
		if l >= 0 {
			row := b.RawRowView(i)
			for c, v := range share.RawRowView(of[i]) {
				row[c] = -v
			}
			row[l]++
		}
	}
	degrees := degreesOf(w)
	u, err := solve(ctx, w, degrees, carry, b, tol)
	if err != nil && !errors.Is(err, ErrNotConverged) {
		return nil, err
	}
	o := &Opinion{U: u, Components: count, Converged: err == nil}
	// Centre each component.
	mean, volume := mat.NewDense(count, classes, nil), make([]float64, count)
	for i, d := range degrees {
		volume[of[i]] += d
		row := mean.RawRowView(of[i])
		for c, v := range u.RawRowView(i) {
			row[c] += d * v
		}
	}
	for i := range n {
		row := u.RawRowView(i)
		for c, v := range mean.RawRowView(of[i]) {
			row[c] -= v / volume[of[i]]
		}
		if known[of[i]] == 0 {
			o.Unreached++
		}
	}
	if count == 1 {
		return o, nil
	}
	scale := 0.0
	for i, l := range labels {
		if l >= 0 {
			scale += math.Abs(u.At(i, l)) / known[count]
		}
	}
	if scale == 0 {
		scale = 1
	}
	for i := range n {
		if known[of[i]] > 0 {
			row, own := u.RawRowView(i), share.RawRowView(of[i])
			for c, v := range share.RawRowView(count) {
				row[c] += scale * (own[c] - v)
			}
		}
	}
	return o, nil
}

// Probabilities returns the softmax of U divided by the mean magnitude of its entries,
// n×c: uniform where there is no opinion.
func (o *Opinion) Probabilities() *mat.Dense {
	n, c := o.U.Dims()
	mean := 0.0
	for i := range n {
		for _, v := range o.U.RawRowView(i) {
			mean += math.Abs(v)
		}
	}
	// Samples that no label reaches say nothing of the scale.
	if mean /= float64(max(n-o.Unreached, 1) * c); mean == 0 {
		mean = 1
	}
	p := mat.NewDense(n, c, nil)
	for i := range n {
		row, out := o.U.RawRowView(i), p.RawRowView(i)
		top, sum := math.Inf(-1), 0.0
		for _, v := range row {
			top = max(top, v)
		}
		for k, v := range row {
			out[k] = math.Exp((v - top) / mean)
			sum += out[k]
		}
		for k := range out {
			out[k] /= sum
		}
	}
	return p
}

// Guide returns w with each weight multiplied by max(a², least)^guidance, a being the
// cosine of the probabilities at its ends: 1 where they agree. guidance lies between 0,
// which leaves w as it is, and 1; least, above 0 and at most 1, is the share of its weight
// that an edge keeps whatever the opinions.
func (o *Opinion) Guide(w *sparse.CSR, guidance, least float64) (*sparse.CSR, error) {
	if err := checkGuidance(guidance); err != nil {
		return nil, err
	}
	if !(least > 0 && least <= 1) {
		return nil, fmt.Errorf("%w: %v of the weight kept at least; it lies above 0 and at most at 1", ErrOption, least)
	}
	p := o.Probabilities()
	if n, _ := p.Dims(); w.Rows != n || w.Cols != n {
		return nil, fmt.Errorf("%w: a graph of %d×%d, opinions of %d samples", ErrShape, w.Rows, w.Cols, n)
	}
	out := w.Clone()
	norms := make([]float64, w.Rows)
	for i := range norms {
		row := p.RawRowView(i)
		norms[i] = math.Sqrt(dot(row, row))
	}
	par.Blocks(w.Rows, solveBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := out.Row(i)
			for k, j := range cols {
				a := dot(p.RawRowView(i), p.RawRowView(int(j))) / (norms[i] * norms[j])
				if a = max(a*a, least); guidance == 1 {
					vals[k] *= a
				} else {
					vals[k] *= math.Pow(a, guidance)
				}
			}
		}
	})
	return out, nil
}

func dot(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += v * b[k]
	}
	return s
}
