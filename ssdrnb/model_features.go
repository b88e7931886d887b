package ssdrnb

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// A model stores the scaling of its samples, to scale new rows in the same way. It also stores the
// extent of the samples, to detect rows far from all of them.

// Feature summarises one feature of the training samples.
type Feature struct {
	// Name is the name of the feature, or "" if features have no names.
	Name string
	// Mean, Deviation (the standard deviation with the divisor n − 1), Least and Most summarise the
	// values that the method read: scaled values if the data were scaled.
	Mean, Deviation, Least, Most float64
}

// Features returns one summary per feature of the training samples, in the order of the features.
// The summaries are saved with the model. Features returns nil for models of data without dense
// features, and for models from files that do not contain the summaries.
func (m *Model) Features() []Feature {
	e := m.extent()
	if e == nil {
		return nil
	}
	out := make([]Feature, len(e.mean))
	for j := range out {
		out[j] = Feature{Mean: e.mean[j], Deviation: e.deviation[j], Least: e.least[j], Most: e.most[j]}
		if names := m.data.FeatureNames; j < len(names) {
			out[j].Name = names[j]
		}
	}
	return out
}

// extent describes the region that the training samples occupy.
type extent struct {
	mean, deviation, least, most []float64
	radius                       float64 // the largest distance of a sample from the mean
}

func extentOf(x *mat.Dense) *extent {
	n, d := x.Dims()
	e := &extent{mean: samples.Means(x), deviation: make([]float64, d), least: slices.Clone(x.RawRowView(0)), most: slices.Clone(x.RawRowView(0))}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			e.least[j], e.most[j] = min(e.least[j], v), max(e.most[j], v)
		}
	}
	for i := range n {
		row := x.RawRowView(i)
		e.radius = max(e.radius, floats.Distance(row, e.mean, 2))
		for j, v := range row {
			e.deviation[j] += float64((v - e.mean[j]) * (v - e.mean[j]))
		}
	}
	for j, v := range e.deviation {
		e.deviation[j] = math.Sqrt(v / float64(max(n-1, 1)))
	}
	return e
}

// tellExtent sets the function that computes the extent of the samples when it is first needed.
func (m *Model) tellExtent() {
	if x := m.data.X; x != nil {
		m.extended = sync.OnceValue(func() *extent { return extentOf(x) })
	}
}

// extent returns the extent of the training samples. It is nil for data without dense features and
// for model files that lack it.
func (m *Model) extent() *extent {
	if m.extended == nil {
		return nil
	}
	return m.extended()
}

// A row is far from the training samples if it is more than farFromMean times as far from their
// mean as the farthest training sample. A value is out of range if it lies outside the range of its
// feature by more than farFromRange times the width of the range.
const farFromMean, farFromRange = 2, 1

// outside returns the rows of x that are far from all training samples, and the features in which
// most rows are out of range. A row with a value out of range in such a feature counts as far, too.
// x must be scaled like the training samples.
func (e *extent) outside(x *mat.Dense) (rows, columns []int) {
	n, d := x.Dims()
	count := make([]int, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if e.outOfRange(j, v) {
				count[j]++
			}
		}
	}
	for j, c := range count {
		if 2*c > n {
			columns = append(columns, j)
		}
	}
	for i := range n {
		row := x.RawRowView(i)
		if e.radius > 0 && floats.Distance(row, e.mean, 2) > farFromMean*e.radius || slices.ContainsFunc(columns, func(j int) bool { return e.outOfRange(j, row[j]) }) {
			rows = append(rows, i)
		}
	}
	return rows, columns
}

// outOfRange reports whether the value v of feature j is out of range, see farFromRange.
func (e *extent) outOfRange(j int, v float64) bool {
	width := farFromRange * (e.most[j] - e.least[j])
	return width > 0 && (v < e.least[j]-width || v > e.most[j]+width)
}

// Outside returns the indices of the rows of x that are far from all training samples. The columns
// and units of x are those of [Model.Transform], whose results for far rows are extrapolations. A
// row is far if it is more than twice as far from the mean of the training samples as the farthest
// training sample. A value is out of range if it lies outside the range of the training samples by
// more than the width of this range. A row is also far if its value is out of range in a feature in
// which the values of most rows of x are out of range. Errors are those of [Model.Transform]. They
// also wrap [ErrData] for models of data without dense features, and for models from files that do
// not contain the ranges.
func (m *Model) Outside(x *mat.Dense) ([]int, error) {
	scaled, err := m.newRows("Outside", x)
	if err != nil {
		return nil, err
	}
	e := m.extent()
	if e == nil {
		return nil, &Error{Method: m.Method(), Param: "Outside", Err: fmt.Errorf("%w: the model has no feature ranges", ErrData), Remedy: "fit the model again, to dense features"}
	}
	rows, _ := e.outside(scaled)
	return rows, nil
}

// newRows validates the rows of x and scales them like the training samples. The argument "call" is
// the name of the calling method, for errors.
func (m *Model) newRows(call string, x *mat.Dense) (*mat.Dense, error) {
	fault := func(value any, err error, remedy string) error {
		return &Error{Method: m.Method(), Param: call, Value: value, Err: err, Remedy: remedy}
	}
	if m.mapping == nil {
		return nil, fault(nil, ErrNoTransform, "fit the new points together with the old, or use a linear or kernel method")
	}
	if x == nil || x.IsEmpty() {
		return nil, fault(nil, fmt.Errorf("%w: there are no rows", ErrData), "give at least one row")
	}
	_, columns := x.Dims()
	given, wanted := data.ScalingOf(x), m.data.Scaling()
	rest, ok := wanted.After(given)
	switch {
	case wanted.IsZero():
	case !ok:
		return nil, fault(nil, fmt.Errorf("%w: the rows are scaled differently from the training samples", ErrData), "pass unscaled rows, for example from Data.Unscaled or, for a new table, from Table.DataLike, because the model scales them itself")
	case given.IsZero() && columns != wanted.Features() && columns == m.mapping.Features():
		rest = data.Scaling{} // the rows are principal components already: they have the number of columns that the mapping needs
	}
	want := m.mapping.Features()
	if !rest.IsZero() {
		want = rest.Features()
	}
	if r, ok := m.mapping.(interface{ Related() bool }); ok && r.Related() && columns != want {
		return nil, fault(nouns.Count(columns, "column"), fmt.Errorf("%w: the model was fitted to distances or neighbours of %s", ErrData, nouns.Count(want, "sample")), "give the distances of each new sample to all training samples, in their order")
	}
	if columns != want {
		return nil, fault(nouns.Count(columns, "column"), fmt.Errorf("%w: the model was fitted to %s", ErrData, nouns.Count(want, "feature")), "prepare new points like the training data")
	}
	if err := data.CheckFinite(x); err != nil {
		return nil, fault(nil, classify(err), remedyOf(err))
	}
	if rest.IsZero() {
		return x, nil
	}
	scaled, err := rest.Apply(x)
	if err != nil {
		return nil, fault(nil, classify(err), remedyOf(err))
	}
	if err := data.CheckFinite(scaled); err != nil {
		return nil, fault(nil, fmt.Errorf("%w: the rows are not finite once they are scaled like the training samples", ErrData), "check the new points for outliers")
	}
	if given.IsZero() && m.looksScaled(x, scaled) {
		return nil, fault(nil, fmt.Errorf("%w: most rows are far from the training samples after scaling, but near them without it, so they are probably scaled already", ErrData),
			"pass model.Data().Scaling().Applied(x) if they are, or model.Data().Scaling().Apply(x) if they are not")
	}
	return scaled, nil
}

// newSamples is newRows for test data. The feature names of the test data and of the training data
// must be the same, if both are known.
func (m *Model) newSamples(test *data.Data) (*mat.Dense, error) {
	if names, own := test.FeatureNames, m.data.FeatureNames; names != nil && own != nil && len(names) == len(own) {
		for k, name := range names {
			if name != own[k] {
				return nil, &Error{Method: m.Method(), Param: "test data", Value: name, Err: fmt.Errorf("%w: feature %d of the test data is %q, but that of the training samples is %q", ErrData, k, name, own[k]),
					Remedy: "give the features in the same order as in the training data, for a table by means of Table.DataLike"}
			}
		}
	}
	return m.newRows("test data", test.X)
}

// looksScaled reports whether all rows of x lie among the training samples, while most rows of the
// scaled x (the argument "scaled") do not. It is false for a single row, which may be a test input
// such as zeros.
func (m *Model) looksScaled(x, scaled *mat.Dense) bool {
	n, columns := x.Dims()
	e := m.extent()
	if e == nil || n < 2 || columns != len(e.mean) {
		return false
	}
	if far, _ := e.outside(scaled); 2*len(far) <= n {
		return false
	}
	rows, far := e.outside(x)
	return rows == nil && far == nil
}

// warnedOutside holds the warnings that this process has already printed.
var warnedOutside sync.Map

// warnOutside prints which new rows are far from the training samples. It prints only in a
// notebook, and each warning once per process. x is the argument of Transform, and scaled the
// result of newRows.
func (m *Model) warnOutside(x, scaled *mat.Dense) {
	if !inNotebook() {
		return
	}
	if text := m.outsideText(x, scaled); text != "" {
		if _, said := warnedOutside.LoadOrStore(text, true); !said {
			fmt.Fprintln(os.Stderr, "ssdrnb: "+text)
		}
	}
}

// outsideText describes the rows that are far from the training samples. It returns "" if there are
// none.
func (m *Model) outsideText(x, scaled *mat.Dense) string {
	e := m.extent()
	if e == nil {
		return ""
	}
	rows, columns := e.outside(scaled)
	if rows == nil {
		return ""
	}
	const most = 5
	list := func(items []string) string {
		if more := len(items) - most; more > 0 {
			items = append(slices.Clip(items[:most]), fmt.Sprintf("%d more", more))
		}
		return strings.Join(items, ", ")
	}
	var numbers, features []string
	for _, i := range rows {
		numbers = append(numbers, fmt.Sprint(i))
	}
	n, _ := x.Dims()
	text := fmt.Sprintf("%s: warning: %d of %s %s far from all training samples (%s)", m.Method(), len(rows), nouns.Count(n, "new row"), nouns.Form(len(rows), "lies", "lie"), list(numbers))
	for _, j := range columns {
		// Select the first row that is out of range in this feature; the first far row may be in
		// range.
		i := rows[slices.IndexFunc(rows, func(i int) bool { return e.outOfRange(j, scaled.At(i, j)) })]
		low, high, v := e.least[j], e.most[j], scaled.At(i, j)
		if center, scale, ok := m.data.Scaling().Affine(); ok {
			low, high, v = center[j]+float64(scale[j]*low), center[j]+float64(scale[j]*high), center[j]+float64(scale[j]*v)
		}
		features = append(features, fmt.Sprintf("%s is %s, outside the training range %s to %s", m.data.FeatureName(j), quantity(v, false), quantity(low, false), quantity(high, false)))
	}
	if features != nil {
		text += ": " + list(features)
	}
	return text + "; prepare new rows with the features, order and units of the training data"
}

// savedExtent adds the extent and the scaling to the arrays of a model file. It returns one note
// per step of the scaling, for the header of the file.
func (m *Model) savedExtent(arrays map[string]any) []string {
	if e := m.extent(); e != nil {
		all := mat.NewDense(5, len(e.mean), nil)
		for k, row := range [][]float64{e.mean, e.deviation, e.least, e.most} {
			all.SetRow(k, row)
		}
		all.Set(4, 0, e.radius)
		arrays["features"] = all
	}
	notes, scaling := m.data.Scaling().Encode()
	for name, a := range scaling {
		arrays[name] = a
	}
	return notes
}

// readExtent reads the arrays written by savedExtent. It checks that they and the feature names
// match the number of features of the mapping.
func (m *Model) readExtent(notes []string, arrays map[string]*mat.Dense) error {
	features := 0
	if m.mapping != nil {
		features = m.mapping.Features()
	}
	if a := arrays["features"]; a != nil {
		rows, columns := a.Dims()
		if features == 0 {
			features = columns
		}
		if rows != 5 || columns != features {
			return fmt.Errorf("the array features is %d×%d, but must be 5×%d", rows, columns, features)
		}
		if v := a.At(4, 0); v < 0 {
			return fmt.Errorf("the last row of the array features begins with %v, but this number must not be negative", v)
		}
		e := &extent{a.RawRowView(0), a.RawRowView(1), a.RawRowView(2), a.RawRowView(3), a.At(4, 0)}
		m.extended = func() *extent { return e }
	}
	if names := m.data.FeatureNames; names != nil && len(names) != features {
		return fmt.Errorf("there are %d feature names for %d features", len(names), features)
	}
	s, err := data.DecodeScaling(notes, arrays)
	if err != nil {
		return err
	}
	if !s.IsZero() && features > 0 && s.Columns() != features {
		return errors.New("the scaling and the mapping have different numbers of features")
	}
	m.data = m.data.WithScaling(s)
	return m.data.Err()
}
