package ssdrnb

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Version is the version of the library; it is part of the key of remembered
// fits and of saved models.
const Version = "0.1.0"

// Model is a fitted method. It is immutable and safe for concurrent use.
type Model struct {
	spec        Spec
	data        *data.Data
	y           *mat.Dense
	values      []float64
	mapping     outofsample.Map
	graph       *sparse.CSR
	suggestions []int // see Suggest; nil for methods without
	report      *Report
	key         string // of the file of a remembered fit
}

// Method returns the method's name, "TR-SDA".
func (m *Model) Method() string { return m.spec.method.Name }

// Spec returns the method and the options that the model was fitted with.
func (m *Model) Spec() Spec { return m.spec }

// Data returns the data that the model was fitted to. After [Load] they have
// labels, truth and attributes but no X.
func (m *Model) Data() *data.Data { return m.data }

// Embedding returns the n×d embedding of the training samples, one per row.
// Treat it as read-only.
func (m *Model) Embedding() *mat.Dense { return m.y }

// Dims returns d, the number of columns of the embedding. It is less than the
// option Dims where the method has fewer directions to give; see the warnings.
func (m *Model) Dims() int {
	_, d := m.y.Dims()
	return d
}

// Values returns the eigenvalues that belong to the dimensions, in the order
// and normalisation of the method's documentation; nil where it has none.
func (m *Model) Values() []float64 { return slices.Clone(m.values) }

// Report tells how the model was fitted. Treat it as read-only.
func (m *Model) Report() *Report { return m.report }

// Transform embeds the rows of x, an m×D matrix with the features of the
// training data in the same order, and returns the m×d result. x is not
// changed. A method without a rule for new points gives [ErrNoTransform], and a result
// that is not finite, or whose distances would not be, [ErrNumerical].
func (m *Model) Transform(x *mat.Dense) (*mat.Dense, error) {
	fault := func(param string, value any, err error, remedy string) error {
		return &Error{Method: m.Method(), Param: param, Value: value, Err: err, Remedy: remedy}
	}
	if m.mapping == nil {
		return nil, fault("Transform", nil, ErrNoTransform, "fit the new points together with the old, or use a linear or kernel method")
	}
	if x == nil || x.IsEmpty() {
		return nil, fault("Transform", nil, fmt.Errorf("%w: no rows", ErrData), "give at least one row")
	}
	if _, c := x.Dims(); c != m.mapping.Features() {
		return nil, fault("Transform", fmt.Sprintf("%d columns", c), fmt.Errorf("%w: the model was fitted to %d features", ErrData, m.mapping.Features()), "prepare new points like the training data")
	}
	if err := data.CheckFinite(x); err != nil {
		return nil, fault("Transform", nil, classify(err), remedyOf(err))
	}
	y, err := m.mapping.Apply(x)
	if err != nil {
		return nil, fault("Transform", nil, fmt.Errorf("%w: %w", ErrNumerical, err), remedyOf(err))
	}
	if err := checkEmbedded(y); err != nil {
		return nil, fault("Transform", nil, fmt.Errorf("%w: %w", ErrNumerical, err), "prepare new points like the training data, and look for outliers among them")
	}
	return y, nil
}

// Projection returns the D×d matrix W and the D-vector mean of a linear model:
// a row x is embedded as (x − mean)·W + [Model.Bias]. W is orthonormal where the method's
// registry entry says so. Other models give [ErrNotLinear]. Both are copies.
func (m *Model) Projection() (w *mat.Dense, mean []float64, err error) {
	l, ok := m.mapping.(*outofsample.Linear)
	if !ok {
		return nil, nil, &Error{Method: m.Method(), Param: "Projection", Err: ErrNotLinear, Remedy: "use Transform"}
	}
	return mat.DenseCopyOf(l.W), slices.Clone(l.Mean), nil
}

// Bias returns the d-vector that a linear model adds behind its projection: the
// intercepts of a regression, 0 for methods without. Other models give
// [ErrNotLinear]. It is a copy.
func (m *Model) Bias() ([]float64, error) {
	l, ok := m.mapping.(*outofsample.Linear)
	if !ok {
		return nil, &Error{Method: m.Method(), Param: "Bias", Err: ErrNotLinear, Remedy: "use Transform"}
	}
	bias := make([]float64, m.Dims())
	copy(bias, l.Bias)
	return bias, nil
}

// Graph returns the n×n graph of the training samples that the method learned,
// as its documentation says, and nil for methods that learn none. Treat it as
// read-only.
func (m *Model) Graph() *sparse.CSR { return m.graph }

// String writes the method with its changed options, and the report.
func (m *Model) String() string { return m.spec.String() + "\n" + m.report.String() }
