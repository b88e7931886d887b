package ssdrnb

import (
	"fmt"
	"math"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// span is the space in which a linear method works: the samples, centred by
// their mean and written in an orthonormal basis P of the directions that they
// span, so that scatter matrices have order r ≤ min(D, n−1) and no null space
// that is common to all of them. A projection V found there is W = P·V in the
// space of the features; it is orthonormal where V is.
type span struct {
	mean     []float64  // D
	basis    *mat.Dense // P, D×r, columns by descending variance
	z        *mat.Dense // (X − mean)·P, n×r
	variance []float64  // of the columns of z, divisor n
	whole    bool       // nothing but the null space is dropped
	// kernel is what the span of a kernel method has instead of mean and basis;
	// nil in the space of the features. See kernel.go.
	kernel *kernelSpan
}

// spanOf begins a fit: the samples centred and in the basis of their span, without
// the last share of the variance by the option "pca".
func spanOf(j *job) (*span, error) { return spanOfRows(j, false) }

// labelledSpanOf is the span of the labelled samples alone, with z of all samples in
// it. A supervised criterion is 0 in every direction outside: where it is
// indefinite, such a direction would beat all those with a negative value.
func labelledSpanOf(j *job) (*span, error) { return spanOfRows(j, true) }

func spanOfRows(j *job, labelled bool) (*span, error) {
	if err := j.begin("span"); err != nil {
		return nil, err
	}
	key := spanStep{labelled: labelled, share: 1, least: 1}
	auto := false
	if pcaOption.in(j.spec.method) {
		key.share, auto = pcaOption.of(j), pcaOption.auto(j)
	}
	if auto {
		key.share, key.least = autoShare, autoDirections
		if j.spec.method.Supervision == Unsupervised {
			key.share, key.least = blindShare, dimsOption.of(j)
		}
	}
	s, err := shared(j.work, key)
	if err == nil && auto {
		j.fact("directions", float64(len(s.variance)))
	}
	return s, err
}

// spanStep takes the span of all samples, or of the labelled ones.
type spanStep struct {
	labelled bool
	share    float64
	least    int
}

func (s spanStep) run(w *work) (*span, error) {
	if !s.labelled {
		return newSpan(w.x(), s.share, s.least)
	}
	rows := w.labelledRows()
	out, err := newSpan(pick(w.x(), rows), s.share, s.least)
	if err == nil && len(rows) < w.data.Len() {
		out.z, err = (&linear{w: out.basis, mean: out.mean}).apply(w.x())
	}
	return out, err
}

// labelledRows returns the rows of the labelled samples.
func (w *work) labelledRows() []int {
	var rows []int
	for i, l := range w.data.Labels {
		if l != data.Unlabelled {
			rows = append(rows, i)
		}
	}
	return rows
}

// newSpan returns the span of the rows of x: the principal components that hold the
// share of the variance, but at least so many, without the null space.
func newSpan(x *mat.Dense, share float64, least int) (*span, error) {
	mean, c := centred(x)
	values, basis, err := principal(c)
	if err != nil {
		return nil, err
	}
	r := 0
	total, sum := floats.Sum(values), 0.0
	// The eigenvalues of a Gram matrix carry an error of about ε·λ₁·max(n, D).
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

// solution turns the projection v (r×d) found in the span into the model's.
func (s *span) solution(v *mat.Dense, values []float64) *solution {
	n, _ := s.z.Dims()
	_, d := v.Dims()
	y := mat.NewDense(n, d, nil)
	y.Mul(s.z, v)
	if s.kernel != nil {
		// There is no W to state the sign rule for: it is stated for the embedding.
		turned := mat.DenseCopyOf(v)
		flip(signs(y), turned, y)
		return &solution{y: y, values: values, mapping: s.kernel.mapping(turned)}
	}
	features, _ := s.basis.Dims()
	w := mat.NewDense(features, d, nil)
	w.Mul(s.basis, v)
	flip(signs(w), w, y) // the rule is stated for W as users see it
	return &solution{y: y, values: values, mapping: &linear{w: w, mean: s.mean}}
}

// flip multiplies the columns of each matrix by signs.
func flip(signs []float64, matrices ...*mat.Dense) {
	for _, m := range matrices {
		rows, _ := m.Dims()
		for i := range rows {
			for k, sign := range signs {
				m.Set(i, k, sign*m.At(i, k))
			}
		}
	}
}

// regression turns a regression in the span, targets z·v + bias, into the model's
// solution. Columns stand for classes, so that their signs mean something and stay.
func (s *span) regression(v *mat.Dense, bias []float64) *solution {
	var w, y mat.Dense
	w.Mul(s.basis, v)
	y.Mul(s.z, v)
	addRow(&y, bias)
	return &solution{y: &y, mapping: &linear{w: &w, mean: s.mean, bias: bias}}
}

// addRow adds row to every row of m.
func addRow(m *mat.Dense, row []float64) {
	n, _ := m.Dims()
	for i := range n {
		dst := m.RawRowView(i)
		for k, v := range row {
			dst[k] += v
		}
	}
}

// signs returns −1 for each column of w whose entry of largest magnitude is
// negative, and +1 for the others; among near ties the first entry decides.
func signs(w *mat.Dense) []float64 {
	rows, cols := w.Dims()
	out := make([]float64, cols)
	for k := range cols {
		best := 0.0
		for i := range rows {
			if v := w.At(i, k); math.Abs(v) > math.Abs(best)*(1+1e-9) {
				best = v
			}
		}
		out[k] = 1
		if best < 0 {
			out[k] = -1
		}
	}
	return out
}

// centred returns the column means of x and a centred copy.
func centred(x *mat.Dense) (mean []float64, c *mat.Dense) {
	n, features := x.Dims()
	mean = make([]float64, features)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(n)
	}
	c = mat.NewDense(n, features, nil)
	for i := range n {
		row, src := c.RawRowView(i), x.RawRowView(i)
		for j, m := range mean {
			row[j] = src[j] - m
		}
	}
	return mean, c
}

// principal returns the eigenvalues of cᵀc, falling, and orthonormal
// eigenvectors as columns, for the centred n×D matrix c. It works on the smaller
// of cᵀc and c·cᵀ.
func principal(c *mat.Dense) (values []float64, basis *mat.Dense, err error) {
	n, features := c.Dims()
	if features <= n {
		gram := mat.NewSymDense(features, nil)
		gram.SymOuterK(1, c.T())
		ascending, vectors, err := blas.EigenSym(gram)
		if err != nil {
			return nil, nil, err
		}
		return reversed(ascending), reversedColumns(vectors), nil
	}
	gram := mat.NewSymDense(n, nil)
	gram.SymOuterK(1, c)
	ascending, vectors, err := blas.EigenSym(gram)
	if err != nil {
		return nil, nil, err
	}
	values, u := reversed(ascending), reversedColumns(vectors)
	// Columns of cᵀu have the length √λ; those of the null space are left out by
	// the caller, who looks at the values.
	rank := 0
	for rank < n && values[rank] > values[0]*4*float64(features)*0x1p-52 {
		rank++
	}
	rank = max(rank, 1)
	basis = mat.NewDense(features, rank, nil)
	basis.Mul(c.T(), u.Slice(0, n, 0, rank))
	for k := range rank {
		scale := 0.0
		if values[k] > 0 {
			scale = 1 / math.Sqrt(values[k])
		}
		for i := range features {
			basis.Set(i, k, basis.At(i, k)*scale)
		}
	}
	// Small λ lose orthogonality by ε·λ₁/λ: one Gram–Schmidt pass restores it.
	orthonormalise(basis)
	return values[:rank], basis, nil
}

// orthonormalise makes the nearly orthonormal columns of b orthonormal to
// rounding: b ← b·R⁻¹ with bᵀb = RᵀR, one step of Cholesky QR.
func orthonormalise(b *mat.Dense) {
	_, cols := b.Dims()
	gram := mat.NewSymDense(cols, nil)
	gram.SymOuterK(1, b.T())
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return // not nearly orthonormal: the caller's rank test has to tell
	}
	var r mat.TriDense
	chol.UTo(&r)
	blas64.Trsm(gonumblas.Right, gonumblas.NoTrans, 1, r.RawTriangular(), b.RawMatrix())
}

func reversed(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[len(v)-1-i] = max(x, 0)
	}
	return out
}

func reversedColumns(m *mat.Dense) *mat.Dense {
	rows, cols := m.Dims()
	out := mat.NewDense(rows, cols, nil)
	for i := range rows {
		src, dst := m.RawRowView(i), out.RawRowView(i)
		for k := range cols {
			dst[cols-1-k] = src[k]
		}
	}
	return out
}

// identity returns the first d columns of the identity of order r.
func identity(r, d int) *mat.Dense {
	m := mat.NewDense(r, d, nil)
	for k := range d {
		m.Set(k, k, 1)
	}
	return m
}
