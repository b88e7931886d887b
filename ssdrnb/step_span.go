package ssdrnb

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// span holds the centred samples in the coordinates of an orthonormal basis P of their linear span.
// Linear methods work in these r ≤ min(D, n−1) coordinates, because scatter matrices are then
// smaller and have no common null space. A projection V in the span corresponds to W = P·V in the
// feature space. If V has orthonormal columns, so has W.
type span struct {
	mean     []float64  // length D
	basis    *mat.Dense // P, D×r, columns by descending variance
	z        *mat.Dense // (X − mean)·P, n×r
	variance []float64  // variance of the samples that define the span, along each column of P; divisor n
	whole    bool       // true if PCA, or the option "cut" of a kernel method, dropped no direction with variance
	labelled bool       // true if only the labelled samples define the span
	// kernel replaces mean and basis for kernel methods (see step_kernel.go). It is nil for other
	// methods.
	kernel *kernelSpan
}

// spanOf starts a fit. It returns the span of the samples, reduced according to the option "pca".
func spanOf(j *job) (*span, error) { return spanOfRows(j, false) }

// labelledSpanOf returns the span of the labelled samples, with coordinates z for all samples.
// Outside this span, a supervised criterion is 0. If the criterion is indefinite, directions
// outside the span would rank above directions with negative values.
func labelledSpanOf(j *job) (*span, error) { return spanOfRows(j, true) }

func spanOfRows(j *job, labelled bool) (*span, error) {
	if err := j.begin("span"); err != nil {
		return nil, err
	}
	key := spanStep{labelled: labelled, share: 1, leastDirections: 1}
	auto := false
	if j.spec.method.has(pcaOption.Name) {
		key.share, auto = pcaOption.of(j), pcaOption.auto(j)
	}
	if auto {
		key.share, key.leastDirections = autoShare, autoDirections
		if j.spec.method.Supervision == Unsupervised {
			key.share, key.leastDirections = blindShare, dimsOption.of(j)
		}
	}
	s, err := shared(j.work, key)
	if err != nil {
		return nil, err
	}
	if auto {
		j.fact("directions", float64(len(s.variance)))
	}
	return s, nil
}

// spanStep computes the span of all samples, or of the labelled samples.
type spanStep struct {
	labelled        bool
	share           float64
	leastDirections int
}

func (s spanStep) run(w *work) (*span, error) {
	if !s.labelled {
		return newSpan(w.x(), s.share, s.leastDirections)
	}
	rows := w.labelledRows()
	out, err := newSpan(samples.Pick(w.x(), rows), s.share, s.leastDirections)
	if err == nil {
		out.labelled = true
	}
	if err == nil && len(rows) < w.data.Len() {
		out.z, err = (&outofsample.Linear{W: out.basis, Mean: out.mean}).Apply(w.x())
	}
	return out, err
}

// labelledRows returns the row numbers of the labelled samples.
func (w *work) labelledRows() []int {
	return order.Where(w.data.Labels, func(l int) bool { return l != data.Unlabelled })
}

// newSpan returns the span of the rows of x. It keeps the first principal components that together
// have the given share of the variance, but at least as many as the argument least. It always drops
// the null space.
func newSpan(x *mat.Dense, share float64, least int) (*span, error) {
	mean, c := dense.Center(x)
	values, basis, err := dense.Principal(c)
	if err != nil {
		return nil, err
	}
	r := 0
	total, sum := floats.Sum(values), 0.0
	// The error of the eigenvalues of a Gram matrix is about ε·λ₁·max(n, D).
	n, features := c.Dims()
	floor := values[0] * 4 * float64(max(n, features)) * 0x1p-52
	for r < len(values) && values[r] > floor && (r < least || share == 1 || sum < share*total) {
		sum += values[r]
		r++
	}
	if r == 0 || !(values[0] > 0) {
		return nil, &Error{Param: "data", Err: fmt.Errorf("%w: all %d samples are equal", ErrData, n), Remedy: "give samples that differ"}
	}
	s := &span{mean: mean, basis: mat.DenseCopyOf(basis.Slice(0, features, 0, r)), z: mat.NewDense(n, r, nil),
		whole: r == len(values) || values[r] <= floor}
	s.z.Mul(c, s.basis)
	for _, v := range values[:r] {
		s.variance = append(s.variance, v/float64(n))
	}
	return s, nil
}

// rounding returns, for each sample, a bound on the norm of the rounding error of its row of z. Two
// copies of a sample differ by no more than twice this bound.
func (s *span) rounding(x *mat.Dense) []float64 {
	const eps = 0x1p-52
	n, r := s.z.Dims()
	out := make([]float64, n)
	if k := s.kernel; k != nil {
		// Column p of F is a difference of numbers, divided by the square root of a pivot. These
		// numbers are at most as large as the largest K_ii.
		largest, sum := 0.0, 0.0
		for i := range n {
			largest = max(largest, floats.Dot(k.factor.F.RawRowView(i), k.factor.F.RawRowView(i)))
		}
		for p, i := range k.factor.Pivots {
			e := eps * float64(p+2) * largest / k.factor.F.At(i, p)
			sum += e * e
		}
		own := math.Sqrt(sum) + eps*float64(len(k.factor.Pivots)+2)*math.Sqrt(float64(r)*largest)
		for i := range out {
			out[i] = own
		}
		return out
	}
	_, features := x.Dims()
	middle := mat.Norm(mat.NewVecDense(features, s.mean), 2)
	for i := range out {
		row := x.RawRowView(i)
		// There are two rounding errors: that of the sample and the mean, and that of the r sums
		// over the features.
		stored := math.Sqrt(floats.Dot(row, row)) + middle
		centred := math.Sqrt(samples.SquaredDistance(row, s.mean))
		out[i] = eps * (stored + float64(features+2)*math.Sqrt(float64(r))*centred)
	}
	return out
}

// solution converts a projection v (r×d) in the span to the solution of the fit.
func (s *span) solution(v *mat.Dense, values []float64) *solution {
	n, _ := s.z.Dims()
	_, d := v.Dims()
	y := mat.NewDense(n, d, nil)
	y.Mul(s.z, v)
	if s.kernel != nil {
		// A kernel method has no W to determine the signs, so the embedding determines them.
		turned := mat.DenseCopyOf(v)
		dense.Flip(dense.Signs(y), turned, y)
		return &solution{y: y, values: values, mapping: s.kernel.mapping(turned)}
	}
	features, _ := s.basis.Dims()
	w := mat.NewDense(features, d, nil)
	w.Mul(s.basis, v)
	return s.linear(w, y, values)
}

// leading returns the solution for the projection onto the first d directions of the span. It
// copies columns instead of multiplying matrices.
func (s *span) leading(d int, values []float64) *solution {
	n, _ := s.z.Dims()
	features, _ := s.basis.Dims()
	return s.linear(mat.DenseCopyOf(s.basis.Slice(0, features, 0, d)), mat.DenseCopyOf(s.z.Slice(0, n, 0, d)), values)
}

// linear returns the solution with the projection w (D×d) and the embedding y. The entries of w
// determine the signs.
func (s *span) linear(w, y *mat.Dense, values []float64) *solution {
	dense.Flip(dense.Signs(w), w, y)
	return &solution{y: y, values: values, mapping: &outofsample.Linear{W: w, Mean: s.mean}}
}

// regression converts a regression z·v + bias in the span to the solution of the fit. It keeps the
// signs of the columns, which predict classes or a target.
func (s *span) regression(v *mat.Dense, bias []float64) *solution {
	var w, y mat.Dense
	w.Mul(s.basis, v)
	y.Mul(s.z, v)
	dense.AddRow(&y, bias)
	return &solution{y: &y, mapping: &outofsample.Linear{W: &w, Mean: s.mean, Bias: bias}}
}
