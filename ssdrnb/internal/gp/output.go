package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Output is an additional output of the Gaussian process, such as a numeric target, that is known
// for some samples.
type Output struct {
	// Rows lists the samples with known values, in ascending order. Values holds these values,
	// centred and scaled like the features.
	Rows   []int
	Values []float64
	// Copies is the weight c > 0. The output counts as c features with the same values.
	Copies float64
}

// joined is the likelihood of the features Y and of an output t that is known for some samples,
//
//	ln p(Y|X, θ) + c·ln p(t|X_o, θ),
//
// where X_o holds the positions of these samples and c is the weight. A sample without a value does
// not affect the second term, because missing values are integrated out. An approximation applies
// to both terms, with the same inducing positions.
type joined struct {
	evidence
	rows            []int
	copies          float64
	output          evidence
	positions, pull *mat.Dense // positions X_o, one row per known value, and the gradient with respect to them
	inducing        *mat.Dense // gradient of the output with respect to the inducing positions; nil if exact
	overflows       bool       // whether the weighted term overflowed in the last evaluation
}

// join joins the likelihood e of n samples with that of the output, which uses the kernel and the
// approximation of s.
func (o *Output) join(e evidence, n int, s Settings) (*joined, error) {
	if len(o.Rows) == 0 || len(o.Rows) != len(o.Values) || !(o.Copies > 0) || math.IsInf(o.Copies, 0) {
		return nil, fmt.Errorf("%w: the output has %d values for %d rows and Copies = %v; it needs at least one row, one value per row, and finite Copies above 0", ErrOption, len(o.Values), len(o.Rows), o.Copies)
	}
	for k, i := range o.Rows {
		if i < 0 || i >= n || k > 0 && i <= o.Rows[k-1] {
			return nil, fmt.Errorf("%w: Rows[%d] of the output is %d; rows must ascend without repetition and lie between 0 and %d", ErrShape, k, i, n-1)
		}
	}
	own, err := s.alone(o.column())
	if err != nil {
		return nil, err
	}
	return &joined{evidence: e, rows: o.Rows, copies: o.Copies, output: own}, nil
}

// column returns the values as a matrix with one column.
func (o *Output) column() *mat.Dense { return mat.NewDense(len(o.Values), 1, o.Values) }

func (j *joined) logLikelihood(x, u *mat.Dense, t Theta) float64 {
	if _, d := x.Dims(); j.positions == nil {
		j.positions, j.pull = mat.NewDense(len(j.rows), d, nil), mat.NewDense(len(j.rows), d, nil)
		if u != nil {
			m, _ := u.Dims()
			j.inducing = mat.NewDense(m, d, nil)
		}
	}
	for k, i := range j.rows {
		j.positions.SetRow(k, x.RawRowView(i))
	}
	own := j.output.logLikelihood(j.positions, u, t)
	j.overflows = math.IsInf(j.copies*own, 0) && !math.IsInf(own, 0)
	return j.evidence.logLikelihood(x, u, t) + j.copies*own
}

func (j *joined) gradient(gx, gu *mat.Dense, gt *Theta) {
	j.evidence.gradient(gx, gu, gt)
	var own Theta
	j.output.gradient(j.pull, j.inducing, &own)
	for k, i := range j.rows {
		row := gx.RawRowView(i)
		for c, v := range j.pull.RawRowView(k) {
			row[c] += j.copies * v
		}
	}
	if j.inducing != nil {
		j.inducing.Scale(j.copies, j.inducing)
		gu.Add(gu, j.inducing)
	}
	for k, v := range own {
		gt[k] += j.copies * v
	}
}

// raise sets the jitter of the exact likelihoods of the features and of the output.
func (j *joined) raise(jitter float64) {
	for _, e := range []evidence{j.evidence, j.output} {
		if r, ok := e.(raiser); ok {
			r.raise(jitter)
		}
	}
}

// Foretell returns the predictive mean of the output and the variance of an observation at the
// positions of all samples in the fitted model, given the known values. It uses the kernel and the
// approximation of s.
func (o *Output) Foretell(f *Fitted, s Settings) (mean, variance []float64, err error) {
	s.Output = nil
	p, err := Condition(o.column(), samples.Pick(f.X, o.Rows), f.U, f.Theta, s, f.Jitter)
	if err != nil {
		return nil, nil, err
	}
	m, variance, err := p.Predict(f.X)
	if err != nil {
		return nil, nil, err
	}
	for i := range variance {
		variance[i] += p.Noise()
	}
	return m.RawMatrix().Data, variance, nil
}
