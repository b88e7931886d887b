package walks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// A label disagrees with its neighbourhood if another class has at least `disagreement` times
	// the share of the label's class. It disagrees strongly if this other class also has a share of
	// at least `strong`. The shares are those of Verdict.Even.
	disagreement = 2.0
	strong       = 0.8
)

// Verdict compares the label of a sample with the prediction from the other labels.
type Verdict struct {
	Sample, Label int
	// Checkable is false if there is no other label in the class or in the component. Even is then
	// meaningless, Suspicion is NaN, Prefers is −1, and Apart is nil.
	Checkable bool
	// Even holds a share for each class: the number of visits to the sample by walks from the other
	// labels of the class, divided by the number of these labels, and scaled so that the shares sum
	// to 1.
	Even []float64
	// Suspicion is 1 minus the share of the label's class in Even.
	Suspicion float64
	// Prefers is the class with the largest share in Even; ties go to the lowest class. Disagrees
	// and Strongly report whether the label disagrees, or disagrees strongly, with the other
	// labels; see the constants disagreement and strong.
	Prefers             int
	Disagrees, Strongly bool
	// Apart is the comparison with the labels outside the label's group, see [Apart]. It is nil if
	// the label has no group or groups were not computed.
	Apart *Apart
}

// Apart compares a label with the prediction from labels outside its group. The group consists of
// labels of the same class that send more walks to the sample than any label of another class does;
// it contains at most half of the other labels of the class. Wrong labels that are close together
// support each other, and only labels outside the group contradict them.
type Apart struct {
	// Group lists the samples of the group in descending order of the number of walks.
	Group []int
	// Suspicion, Prefers and Strongly are as in [Verdict], computed without the group.
	Suspicion float64
	Prefers   int
	Strongly  bool
	// Because lists the labels of class Prefers outside the group that send the most walks to the
	// sample, at most three.
	Because []Reason
}

// groupTolerance is the tolerance of the linear systems that determine the groups of labels, see
// [Apart]. mostGrouped is the largest product of the number of labels and the number of samples for
// which groups are computed.
const groupTolerance, mostGrouped = 1e-4, 20_000_000

// Verdicts compares each label with the prediction from the other labels, in the order of Labelled.
// Visits are averaged over the labels of a class, so that classes with many labels have no
// advantage. Each label is also compared with the prediction without its group, see [Apart], unless
// the number of labels times the number of samples exceeds twenty million.
func (o *Opinion) Verdicts(ctx context.Context) ([]Verdict, error) {
	o.later.Lock()
	defer o.later.Unlock()
	if err := o.leaveOut(ctx, o.Labelled); err != nil {
		return nil, err
	}
	between, err := o.labelledSubmatrix(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Verdict, len(o.Labelled))
	for a, l := range o.Labelled {
		visits, count, ok := o.otherVisits(l)
		v := Verdict{Sample: l, Label: o.labels[l], Checkable: ok, Even: visits, Suspicion: math.NaN(), Prefers: -1}
		evenOut(visits, count)
		if ok {
			v.Suspicion, v.Prefers, v.Disagrees, v.Strongly = judge(visits, v.Label)
			if between != nil {
				v.Apart = o.judgeApart(a, between.RawRowView(a))
			}
		}
		out[a] = v
	}
	return out, nil
}

// evenOut divides visits by the number of labels in each class and scales the results so that they
// sum to 1. It returns the sum before scaling.
func evenOut(visits, count []float64) (total float64) {
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
	return total
}

// judge compares the shares of the classes, see Verdict.Even, with the label of a sample.
func judge(even []float64, label int) (suspicion float64, prefers int, disagrees, strongly bool) {
	own, best := even[label], slices.Max(even)
	prefers = slices.Index(even, best)
	disagrees = prefers != label && best >= disagreement*own
	return 1 - own, prefers, disagrees, disagrees && best >= strong
}

// labelledSubmatrix returns the m×m submatrix of G for the m labelled samples, or nil if m times
// the number of samples exceeds mostGrouped.
func (o *Opinion) labelledSubmatrix(ctx context.Context) (*mat.Dense, error) {
	n, m := len(o.degrees), len(o.Labelled)
	if m > mostGrouped/n {
		return nil, nil
	}
	g := mat.NewDense(m, m, nil)
	for lo := 0; lo < m; lo += solveColumns {
		some := o.Labelled[lo:min(lo+solveColumns, m)]
		b := mat.NewDense(n, len(some), nil)
		for c, l := range some {
			b.Set(l, c, 1)
		}
		x, err := o.solver.Solve(ctx, b, groupTolerance)
		if x == nil || err != nil && !errors.Is(err, ErrNotConverged) {
			return nil, err
		}
		for c := range some {
			row := g.RawRowView(lo + c) // G is symmetric
			for k, l := range o.Labelled {
				row[k] = max(x.At(l, c), 0)
			}
		}
	}
	return g, nil
}

// judgeApart judges the label of sample Labelled[a] without its group. It returns nil if the group
// is empty or no walk from a label outside the group visits the sample. `visits` holds the visits
// to the sample from each label.
func (o *Opinion) judgeApart(a int, visits []float64) *Apart {
	own := o.labels[o.Labelled[a]]
	order := make([]int, 0, len(visits))
	for k := range visits {
		if k != a {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(visits[j], visits[i]) })
	most, size := (int(o.count[own])-1)/2, 0
	for size < min(most, len(order)) && o.labels[o.Labelled[order[size]]] == own {
		size++
	}
	if size == 0 {
		return nil
	}
	shares, count, total := make([]float64, len(o.count)), make([]float64, len(o.count)), 0.0
	for _, k := range order[size:] {
		shares[o.labels[o.Labelled[k]]] += visits[k]
		count[o.labels[o.Labelled[k]]]++
		total += visits[k]
	}
	if evenOut(shares, count) == 0 {
		return nil
	}
	v := &Apart{}
	v.Suspicion, v.Prefers, _, v.Strongly = judge(shares, own)
	for _, k := range order[:size] {
		v.Group = append(v.Group, o.Labelled[k])
	}
	for _, k := range order[size:] {
		if len(v.Because) < 3 && visits[k] > 0 && o.labels[o.Labelled[k]] == v.Prefers {
			r := Reason{o.Labelled[k], visits[k] / total, make([]float64, len(o.count))}
			r.Classes[o.labels[r.Sample]] = r.Weight
			v.Because = append(v.Because, r)
		}
	}
	return v
}

// Reason is the contribution of another sample to the class shares of a sample. Walks begin at the
// other sample if it is labelled, or arrive through it if it is a neighbour.
type Reason struct {
	Sample int
	// Weight is the share, in [0, 1], of the walks to the sample that begin at this labelled sample
	// or arrive through this neighbour. The weights of all labelled samples sum to 1, and so do
	// those of all neighbours.
	Weight float64
	// Classes splits Weight by the class of the labels at which the walks begin.
	Classes []float64
}

// Reasons returns the contributions of the other labels and those of the sample's neighbours
// (edges) to the class shares of sample i, computed without its own label. Each list is in
// descending order of weight. Both are empty if no other label reaches the sample.
func (o *Opinion) Reasons(ctx context.Context, i int) (labels, edges []Reason, err error) {
	err = o.EachReasons(ctx, []int{i}, func(_ int, l, e []Reason) { labels, edges = l, e })
	return labels, edges, err
}

// EachReasons calls f with the [Opinion.Reasons] of each sample, in order. It solves linear systems
// for several samples at once, which takes a fraction of the time.
func (o *Opinion) EachReasons(ctx context.Context, samples []int, f func(i int, labels, edges []Reason)) error {
	n, _ := o.visits.Dims()
	for _, i := range samples {
		if i < 0 || i >= n {
			return fmt.Errorf("%w: sample %d is out of range for %d samples", ErrOption, i, n)
		}
	}
	o.later.Lock()
	defer o.later.Unlock()
	for some := range slices.Chunk(samples, solveColumns) {
		e := mat.NewDense(n, len(some), nil)
		for c, i := range some {
			e.Set(i, c, 1)
		}
		g, err := o.solve(ctx, e)
		if err != nil {
			return err
		}
		for c, i := range some {
			labels, edges := o.reasons(i, g.ColView(c))
			f(i, labels, edges)
		}
	}
	return nil
}

// reasons returns the result of Reasons, given column g of G for sample i.
func (o *Opinion) reasons(i int, g mat.Vector) (labels, edges []Reason) {
	c := len(o.count)
	total := 0.0
	for _, l := range o.Labelled {
		if l != i {
			total += max(g.AtVec(l), 0)
		}
	}
	if !(total > 0) {
		return nil, nil
	}
	for _, l := range o.Labelled {
		if v := g.AtVec(l); l != i && v > 0 {
			r := Reason{l, v / total, make([]float64, c)}
			r.Classes[o.labels[l]] = r.Weight
			labels = append(labels, r)
		}
	}
	cols, vals := o.graph.Row(i)
	for k, j := range cols {
		r := Reason{int(j), 0, slices.Clone(o.visits.RawRowView(int(j)))}
		if own := o.labels[i]; own >= 0 {
			r.Classes[own] -= g.AtVec(int(j))
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
	return labels, edges
}
