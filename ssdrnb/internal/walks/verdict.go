package walks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// A label disagrees with its surroundings if those give another class at least this
	// many times its own share, strongly if that class has at least so much of all.
	disagreement = 2.0
	strong       = 0.8
)

// Verdict compares the label of a sample with the prediction from the other labels.
type Verdict struct {
	Sample, Label int
	// Checkable is false if the class has no other label, or the component none; the other fields
	// are then meaningless.
	Checkable bool
	// Even has for each class the mean number of walks from its other labels that pass the
	// sample, over the sum of these means.
	Even []float64
	// Suspicion is 1 less the label's own share in Even, NaN if it cannot be checked.
	Suspicion float64
	// Prefers is the class with the largest share in Even, the lowest among equals, −1 if
	// the label cannot be checked. Disagrees and Strongly compare it with the label.
	Prefers             int
	Disagrees, Strongly bool
}

// Verdicts leaves each label out and compares it with what the others say, in the order of
// Labelled. The mean of a class counts, so that many labels of one do not outvote another's.
func (o *Opinion) Verdicts(ctx context.Context) ([]Verdict, error) {
	o.later.Lock()
	defer o.later.Unlock()
	if err := o.leaveOut(ctx, o.Labelled); err != nil {
		return nil, err
	}
	out := make([]Verdict, len(o.Labelled))
	for a, l := range o.Labelled {
		visits, count, ok := o.without(l)
		v := Verdict{Sample: l, Label: o.labels[l], Checkable: ok, Even: visits, Suspicion: math.NaN(), Prefers: -1}
		total := 0.0
		for k := range visits {
			if count[k] > 0 {
				visits[k] /= count[k]
			} else {
				visits[k] = 0
			}
			total += visits[k]
		}
		for k := range visits {
			if total > 0 {
				visits[k] /= total
			}
		}
		if ok {
			own, best := visits[v.Label], slices.Max(visits)
			v.Suspicion = 1 - own
			v.Prefers = slices.Index(visits, best)
			v.Disagrees = v.Prefers != v.Label && best >= disagreement*own
			v.Strongly = v.Disagrees && best >= strong
		}
		out[a] = v
	}
	return out, nil
}

// Reason is a labelled sample, or a neighbour, with its share of the walks through a sample.
type Reason struct {
	Sample int
	// Weight is its part, in [0, 1]; those of all labelled samples, and those of all
	// neighbours, sum to 1.
	Weight float64
	// Classes are its parts for each class, which sum to Weight.
	Classes []float64
}

// Reasons returns what the shares of sample i are made of, its own label left out: the other
// labels, and the edges of the sample, each with the largest part first. Both are empty
// where no other label reaches the sample.
func (o *Opinion) Reasons(ctx context.Context, i int) (labels, edges []Reason, err error) {
	n, c := o.visits.Dims()
	if i < 0 || i >= n {
		return nil, nil, fmt.Errorf("%w: sample %d of %d", ErrOption, i, n)
	}
	o.later.Lock()
	defer o.later.Unlock()
	e := mat.NewDense(n, 1, nil)
	e.Set(i, 0, 1)
	g, err := o.solve(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	total := 0.0
	for _, l := range o.Labelled {
		if l != i {
			total += max(g.At(l, 0), 0)
		}
	}
	if !(total > 0) {
		return nil, nil, nil
	}
	for _, l := range o.Labelled {
		if v := g.At(l, 0); l != i && v > 0 {
			r := Reason{l, v / total, make([]float64, c)}
			r.Classes[o.labels[l]] = r.Weight
			labels = append(labels, r)
		}
	}
	cols, vals := o.graph.Row(i)
	for k, j := range cols {
		r := Reason{int(j), 0, slices.Clone(o.visits.RawRowView(int(j)))}
		if own := o.labels[i]; own >= 0 {
			r.Classes[own] -= g.At(int(j), 0)
		}
		for k2 := range r.Classes {
			r.Classes[k2] = max(r.Classes[k2], 0) * o.Carry * vals[k] / (o.degrees[i] * total)
			r.Weight += r.Classes[k2]
		}
		if r.Weight > 0 {
			edges = append(edges, r)
		}
	}
	for _, list := range [][]Reason{labels, edges} {
		slices.SortStableFunc(list, func(a, b Reason) int { return cmp.Compare(b.Weight, a.Weight) })
	}
	return labels, edges, nil
}
