package guide

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Opinion holds a score of each sample for each class, inferred from the labels.
type Opinion struct {
	// U holds the scores, n×c for c classes. The predicted class of sample i is the column with the
	// largest value in row i.
	U *mat.Dense
	// Unreached is the number of samples in components without a label. Their rows of U are 0.
	Unreached int
	// Converged is false if the iteration ended before it reached its tolerance. This may happen if
	// the graph is nearly disconnected.
	Converged bool
}

// Poisson propagates labels (−1 where unknown) along the graph w by Poisson learning (Calder, Cook,
// Thorpe, Slepčev 2020). It returns the solution U (n×c, c = classes) of L·U = B for the Laplacian
// L = D − W. Row l of B is the class indicator of the labelled sample l minus the mean of these
// indicators; rows of unlabelled samples are 0. U is centred: Σ dᵢUᵢ = 0 for the degrees dᵢ. A
// single label per class suffices, whereas Laplace learning, which fixes the values at the labels,
// would then give nearly the same value to all other samples. tol is the relative residual at which
// the iteration ends; 1e-6 suffices for guidance.
//
// U sums the visits of random walks from the labels. If there are many labels and walks never end,
// distant labels outweigh the labels nearby. With carry below 1, D − carry·W therefore replaces L,
// and a walk continues with probability carry at each step. Knowledge.reach chooses carry according
// to the number of labels.
//
// Each component of the graph is solved separately, with the mean indicator of its own labels. Then
// a multiple of the difference between this mean and the mean indicator of all labels is added to
// the rows of the component; see addShares. As a result, the samples of a component with a single
// label get the class of that label.
func Poisson(ctx context.Context, w *sparse.CSR, labels []int, classes int, carry, tol float64) (*Opinion, error) {
	if err := checkGraph(w); err != nil {
		return nil, err
	}
	n := w.Rows
	if len(labels) != n {
		return nil, fmt.Errorf("%w: %d labels for %d samples, but each sample must have one (−1 if unknown)", ErrShape, len(labels), n)
	}
	if !(tol > 0 && tol < 1) {
		return nil, fmt.Errorf("%w: tolerance = %v; it must lie between 0 and 1", ErrOption, tol)
	}
	if !(carry > 0 && carry <= 1) {
		return nil, fmt.Errorf("%w: carry = %v; it must be above 0 and at most 1", ErrOption, carry)
	}
	k, err := sharesOf(w, labels, classes)
	if err != nil {
		return nil, err
	}
	degrees := walks.Degrees(w)
	solver, err := walks.NewSolver(ctx, w, degrees, carry)
	if err != nil {
		return nil, err
	}
	u, err := solver.Solve(ctx, k.sources(labels), tol)
	if err != nil && !errors.Is(err, ErrNotConverged) {
		return nil, err
	}
	k.centre(u, degrees)
	k.addShares(u, labels)
	return &Opinion{U: u, Unreached: k.unreached(), Converged: err == nil}, nil
}

// OpinionOf converts an opinion of package walks. On a connected graph, the result equals that of
// [Poisson] with the same carry. On a disconnected graph, its values are relative to the class
// shares among all labels, and are not centred in each component.
func OpinionOf(o *walks.Opinion) *Opinion {
	return &Opinion{U: o.Poisson(), Unreached: o.Unreached(), Converged: o.Converged}
}

// shares holds the share of each class among the labels of each component of a graph.
type shares struct {
	count     int        // number of components
	component []int      // component of each sample
	share     *mat.Dense // count+1 rows: class shares per component, and among all labels
	total     []float64  // number of labels per component, and of all labels
}

// sharesOf returns the shares of the classes 0 … classes−1 among the labels. It returns an error if
// there are no labels or a label is not one of these classes.
func sharesOf(w *sparse.CSR, labels []int, classes int) (*shares, error) {
	count, of := graph.ComponentsAbove(w, 0)
	k := &shares{count, of, mat.NewDense(count+1, max(classes, 1), nil), make([]float64, count+1)}
	for i, l := range labels {
		if l >= classes {
			return nil, fmt.Errorf("%w: the label of sample %d is %d, but must be a class from 0 to %d, or −1", ErrLabels, i, l, classes-1)
		}
		if l >= 0 {
			for _, c := range []int{of[i], count} {
				k.share.Set(c, l, k.share.At(c, l)+1)
				k.total[c]++
			}
		}
	}
	if k.total[count] == 0 {
		return nil, fmt.Errorf("%w: none of %d samples is labelled, but at least one must be", ErrLabels, len(labels))
	}
	for c, total := range k.total {
		if total > 0 {
			row := k.share.RawRowView(c)
			for j := range row {
				row[j] /= total
			}
		}
	}
	return k, nil
}

// sources returns the matrix B of [Poisson], n×c: for each labelled sample, the indicator of its
// class minus the class shares in its component; otherwise 0.
func (k *shares) sources(labels []int) *mat.Dense {
	_, classes := k.share.Dims()
	b := mat.NewDense(len(labels), classes, nil)
	for i, l := range labels {
		if l >= 0 {
			row := b.RawRowView(i)
			for c, v := range k.share.RawRowView(k.component[i]) {
				row[c] = -v
			}
			row[l]++
		}
	}
	return b
}

// centre subtracts from each row of u the mean over its component, weighted by degrees.
func (k *shares) centre(u *mat.Dense, degrees []float64) {
	_, classes := u.Dims()
	mean, volume := mat.NewDense(k.count, classes, nil), make([]float64, k.count)
	for i, d := range degrees {
		volume[k.component[i]] += d
		row := mean.RawRowView(k.component[i])
		for c, v := range u.RawRowView(i) {
			row[c] += d * v
		}
	}
	for i, o := range k.component {
		row := u.RawRowView(i)
		for c, v := range mean.RawRowView(o) {
			row[c] -= v / volume[o]
		}
	}
}

// addShares adds to each row of u a multiple of the difference between the class shares in its
// component and the shares among all labels. The factor is the mean magnitude of u at labelled
// samples in the column of their class. Rows in components without labels do not change. On a
// connected graph the shares are equal, so nothing changes.
func (k *shares) addShares(u *mat.Dense, labels []int) {
	if k.count == 1 {
		return
	}
	scale := 0.0
	for i, l := range labels {
		if l >= 0 {
			scale += math.Abs(u.At(i, l)) / k.total[k.count]
		}
	}
	if scale == 0 {
		scale = 1
	}
	for i, o := range k.component {
		if k.total[o] > 0 {
			row, own := u.RawRowView(i), k.share.RawRowView(o)
			for c, v := range k.share.RawRowView(k.count) {
				row[c] += scale * (own[c] - v)
			}
		}
	}
}

// unreached counts the samples whose component has no label.
func (k *shares) unreached() int {
	n := 0
	for _, o := range k.component {
		if k.total[o] == 0 {
			n++
		}
	}
	return n
}

// Probabilities returns class probabilities, n×c: the softmax of each row of U/s, where s is the
// mean magnitude of the entries of U over the reached samples. A row of zeros gives equal
// probabilities.
func (o *Opinion) Probabilities() *mat.Dense {
	n, c := o.U.Dims()
	mean := 0.0
	for i := range n {
		for _, v := range o.U.RawRowView(i) {
			mean += math.Abs(v)
		}
	}
	// Samples not reached by any label do not affect the scale.
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

func dot(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += v * b[k]
	}
	return s
}
