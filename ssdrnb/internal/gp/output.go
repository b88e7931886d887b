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
// not affect the second term, because missing values are integrated out.
type joined struct {
	evidence
	rows            []int
	copies          float64
	output          *Exact
	positions, pull *mat.Dense // positions X_o, one row per known value, and the gradient with respect to them
}

func (o *Output) join(e evidence, n int, kernel Kernel, jitter float64) (*joined, error) {
	if len(o.Rows) == 0 || len(o.Rows) != len(o.Values) || !(o.Copies > 0) || math.IsInf(o.Copies, 0) {
		return nil, fmt.Errorf("%w: the output has %d values for %d rows and Copies = %v; it needs one value per row, at least one, and finite Copies above 0", ErrOption, len(o.Values), len(o.Rows), o.Copies)
	}
	for k, i := range o.Rows {
		if i < 0 || i >= n || k > 0 && i <= o.Rows[k-1] {
			return nil, fmt.Errorf("%w: Rows[%d] of the output is %d; rows must ascend without repetition, from 0 to %d", ErrShape, k, i, n-1)
		}
	}
	exact, err := NewExact(mat.NewDense(len(o.Values), 1, o.Values), kernel, jitter)
	if err != nil {
		return nil, err
	}
	return &joined{evidence: e, rows: o.Rows, copies: o.Copies, output: exact}, nil
}

func (j *joined) logLikelihood(x, u *mat.Dense, t Theta) float64 {
	if _, d := x.Dims(); j.positions == nil {
		j.positions, j.pull = mat.NewDense(len(j.rows), d, nil), mat.NewDense(len(j.rows), d, nil)
	}
	for k, i := range j.rows {
		j.positions.SetRow(k, x.RawRowView(i))
	}
	return j.evidence.logLikelihood(x, u, t) + j.copies*j.output.logLikelihood(j.positions, nil, t)
}

func (j *joined) gradient(gx, gu *mat.Dense, gt *Theta) {
	j.evidence.gradient(gx, gu, gt)
	var own Theta
	j.output.gradient(j.pull, nil, &own)
	for k, i := range j.rows {
		row := gx.RawRowView(i)
		for c, v := range j.pull.RawRowView(k) {
			row[c] += j.copies * v
		}
	}
	for k, v := range own {
		gt[k] += j.copies * v
	}
}

// raise sets the jitter of the likelihoods of the features and of the output.
func (j *joined) raise(jitter float64) {
	if r, ok := j.evidence.(raiser); ok {
		r.raise(jitter)
	}
	j.output.raise(jitter)
}

// Foretell returns the predictive mean of the output and the variance of the latent function at the
// positions x (n×d) of all samples, given the known values.
func (o *Output) Foretell(x *mat.Dense, t Theta, kernel Kernel, jitter float64) (mean, variance []float64, err error) {
	p, err := Condition(mat.NewDense(len(o.Values), 1, o.Values), samples.Pick(x, o.Rows), nil, t, Settings{Kernel: kernel}, jitter)
	if err != nil {
		return nil, nil, err
	}
	m, variance, err := p.Predict(x)
	if err != nil {
		return nil, nil, err
	}
	return m.RawMatrix().Data, variance, nil
}
