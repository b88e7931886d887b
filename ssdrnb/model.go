package ssdrnb

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Version is the version of the library. It is part of the key of fits cached on disk and is stored
// in saved models.
const Version = "0.1.0"

// Model is the result of a fit. It is immutable and safe for concurrent use.
type Model struct {
	spec        Spec
	data        *data.Data
	y           *mat.Dense
	values      []float64
	mapping     outofsample.Map
	graph       *sparse.CSR
	suggestions []int     // samples to label next, from the fit or from a file, see Suggest; or nil
	ties        []float64 // result of TiesCut; nil for most methods
	carried     *carried
	knowledge   *knowledge
	report      *Report
	key         string         // key of a fit read from the cache on disk, otherwise ""
	extended    func() *extent // returns the region of the samples, see extent; nil if the region is not known
}

// Method returns the name of the method, such as "TR-SDA".
func (m *Model) Method() string { return m.spec.method.Name }

// Spec returns the method and the options with which the model was fitted.
func (m *Model) Spec() Spec { return m.spec }

// Data returns the data to which the model was fitted. After [Load] the data have labels, truth,
// attributes, targets, names, notes and the scaling, but no samples.
func (m *Model) Data() *data.Data { return m.data }

// Embedding returns the n×d embedding of the training samples, one per row.
// Treat it as read-only.
func (m *Model) Embedding() *mat.Dense { return m.y }

// Dims returns d, the number of columns of the embedding. It is less than the option Dims
// if the method has fewer directions; see the warnings.
func (m *Model) Dims() int {
	_, d := m.y.Dims()
	return d
}

// Values returns one number per dimension. For most methods it is an eigenvalue; the comment of the
// method describes the order and normalisation. Values returns nil if the method has none.
func (m *Model) Values() []float64 { return slices.Clone(m.values) }

// Report returns the report of the fit. Treat it as read-only.
func (m *Model) Report() *Report { return m.report }

// Transform embeds the rows of x (m×D) and returns the m×d result. The columns of x are the
// features of the training data, in the same order. For another table, Table.DataLike of package
// datasets returns the features in this order, by their names. x is not changed. The error
// wraps [ErrNoTransform] if the method has no rule for new points, and [ErrData] if x is empty, not
// finite or has the wrong number of columns. It wraps [ErrNumerical] if coordinates of the result,
// or distances between its rows, are not finite.
//
// A model of scaled data, for example from [data.Data.Standardize], scales new rows in the same
// way: pass rows in the original units. Rows that are already scaled are not scaled again. They are
// recognised if they are the X of scaled data, such as test.Scaled(s).X, or a view of it, or if
// [data.Scaling.Applied] has marked them; a copy loses the mark. Rows with another scaling are an
// error. Two or more rows that are not recognised are also an error if they were probably scaled
// already: all lie near the training samples as they are, but most would lie far away after
// scaling. In a notebook, Transform prints a warning about rows far from all training samples;
// [Model.Outside] returns these rows.
func (m *Model) Transform(x *mat.Dense) (*mat.Dense, error) {
	rows, err := m.newRows("Transform", x)
	if err != nil {
		return nil, err
	}
	m.warnOutside(x, rows)
	return m.embed(rows)
}

// TransformSparse is [Model.Transform] for m×D sparse rows. It converts the rows to dense blocks,
// but not the sparse training samples of the model. It prints no warning about rows far from the
// training samples.
func (m *Model) TransformSparse(x *sparse.CSR) (*mat.Dense, error) {
	if x == nil || x.Rows == 0 || x.Cols == 0 {
		return nil, &Error{Method: m.Method(), Param: "TransformSparse", Err: fmt.Errorf("%w: there are no rows or no columns", ErrData), Remedy: "give at least one row with as many columns as the training samples"}
	}
	if err := x.Check(); err != nil {
		return nil, &Error{Method: m.Method(), Param: "TransformSparse", Err: fmt.Errorf("%w: %w", ErrData, err), Remedy: "make the matrix with sparse.FromTriplets"}
	}
	const filled = 1 << 21 // numbers per block
	size := max(1, filled/x.Cols)
	out := mat.NewDense(x.Rows, m.Dims(), nil)
	for lo := 0; lo < x.Rows; lo += size {
		hi := min(lo+size, x.Rows)
		part := mat.NewDense(hi-lo, x.Cols, nil)
		for i := lo; i < hi; i++ {
			cols, values := x.Row(i)
			for k, j := range cols {
				part.Set(i-lo, int(j), values[k])
			}
		}
		rows, err := m.newRows("TransformSparse", part)
		if err != nil {
			return nil, err
		}
		y, err := m.embed(rows)
		if err != nil {
			return nil, err
		}
		out.Slice(lo, hi, 0, m.Dims()).(*mat.Dense).Copy(y)
	}
	return out, nil
}

// embed embeds rows that newRows has validated and scaled.
func (m *Model) embed(x *mat.Dense) (*mat.Dense, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: m.Method(), Param: "Transform", Err: fmt.Errorf("%w: %w", ErrNumerical, err), Remedy: remedy}
	}
	y, err := m.mapping.Apply(x)
	if err != nil {
		return nil, fault(err, remedyOf(err))
	}
	if err := checkEmbedded(y); err != nil {
		return nil, fault(err, "prepare new points like the training data, and check them for outliers")
	}
	return y, nil
}

// Projection returns the D×d matrix W and the D-vector mean of a linear model. A row x, scaled like
// the training data, is embedded as (x − mean)·W + [Model.Bias]. The columns of W are orthonormal
// if [Method.Orthonormal] is true. For a nonlinear model the error wraps [ErrNotLinear]. W and mean
// are copies.
func (m *Model) Projection() (w *mat.Dense, mean []float64, err error) {
	l, ok := m.mapping.(*outofsample.Linear)
	if !ok {
		return nil, nil, &Error{Method: m.Method(), Param: "Projection", Err: ErrNotLinear, Remedy: "use Transform"}
	}
	return mat.DenseCopyOf(l.W), slices.Clone(l.Mean), nil
}

// Bias returns a copy of the d-vector that a linear model adds after its projection: the intercepts
// of a regression, otherwise 0. For a nonlinear model the error wraps [ErrNotLinear].
func (m *Model) Bias() ([]float64, error) {
	l, ok := m.mapping.(*outofsample.Linear)
	if !ok {
		return nil, &Error{Method: m.Method(), Param: "Bias", Err: ErrNotLinear, Remedy: "use Transform"}
	}
	bias := make([]float64, m.Dims())
	copy(bias, l.Bias)
	return bias, nil
}

// Graph returns the n×n weighted graph of the training samples that the method learned or laid out;
// the comment of the method describes it. It is nil for other methods. Treat it as read-only.
func (m *Model) Graph() *sparse.CSR { return m.graph }

// String returns the method with the options that differ from their defaults, and the report.
func (m *Model) String() string { return m.spec.String() + "\n" + m.report.String() }
