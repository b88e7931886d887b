package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// reducedFrom is the name of the fact that holds the dimensions of a model before [Model.Reduce].
const reducedFrom = "dims before PCA"

// Reduce returns a linear model with d dimensions: the first d principal components of the
// embedding of m. Use it to draw or compare methods of fixed dimension, such as [FME] with one
// dimension for each class; other methods have the option Dims. A model with at most d dimensions
// is returned unchanged. For d < 1 the error wraps [ErrOption], and for a nonlinear model
// [ErrNotLinear].
func (m *Model) Reduce(d int) (*Model, error) {
	has := m.Dims()
	if d < 1 {
		return nil, &Error{Method: m.Method(), Param: "dims", Value: d, Err: fmt.Errorf("%w: a model has at least one dimension", ErrOption), Remedy: "ask for at least 1"}
	}
	if d >= has {
		return m, nil
	}
	l, ok := m.mapping.(*outofsample.Linear)
	if !ok {
		return nil, &Error{Method: m.Method(), Param: "dims", Value: d, Err: ErrNotLinear, Remedy: fmt.Sprintf("fit again with Dims(%d)", d)}
	}
	mean, c := dense.Center(m.y)
	variance, basis, err := dense.Principal(c)
	if err != nil {
		return nil, &Error{Method: m.Method(), Param: "dims", Value: d, Err: fmt.Errorf("%w: %w", ErrNumerical, err), Remedy: remedyOf(err)}
	}
	n, _ := m.y.Dims()
	features, _ := l.W.Dims()
	_, rank := basis.Dims()
	d = min(d, rank)
	first := basis.Slice(0, has, 0, d)
	out := *m
	out.y, out.values = mat.NewDense(n, d, nil), make([]float64, d)
	out.y.Mul(c, first)
	w, bias := mat.NewDense(features, d, nil), make([]float64, d)
	w.Mul(l.W, first)
	for k := range d {
		out.values[k] = variance[k] / float64(max(n-1, 1))
		for i, v := range mean {
			if l.Bias != nil {
				v = l.Bias[i] - v
			} else {
				v = -v
			}
			bias[k] += v * first.At(i, k)
		}
	}
	out.mapping = &outofsample.Linear{W: w, Mean: l.Mean, Bias: bias}
	out.report = m.report.copy()
	out.report.setFact(reducedFrom, float64(has))
	out.describe()
	return &out, nil
}
