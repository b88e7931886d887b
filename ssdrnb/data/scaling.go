package data

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"weak"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Scaling is a transformation of features that is estimated from one set of samples and can be
// applied to others. Estimate it from training samples only. [Data.LearnStandardize],
// [Data.LearnScale01] and [Data.LearnPCA] return a scaling; [Data.Scaling] may return a sequence of
// these. The zero value changes nothing.
type Scaling struct {
	steps []step
	err   error
}

// step is one transformation, x ↦ ((x − shift)/scale)·basis for a row x.
type step struct {
	note  string
	shift []float64  // subtracted
	scale []float64  // divisors, 0 for a constant feature; nil for no scaling
	basis *mat.Dense // multiplies from the right; nil for no projection
}

// columns returns the number of features after the step.
func (s step) columns() int {
	if s.basis != nil {
		_, to := s.basis.Dims()
		return to
	}
	return len(s.shift)
}

// apply returns x transformed by the step. x is not changed.
func (s step) apply(x *mat.Dense) *mat.Dense {
	n, features := x.Dims()
	out := mat.NewDense(n, features, nil)
	for i := range n {
		row := out.RawRowView(i)
		for j, v := range x.RawRowView(i) {
			row[j] = s.forward(j, v)
		}
	}
	if s.basis == nil {
		return out
	}
	var y mat.Dense
	y.Mul(out, s.basis)
	return &y
}

// forward shifts and scales a value v of feature j.
func (s step) forward(j int, v float64) float64 {
	v -= s.shift[j]
	switch {
	case s.scale == nil:
	case s.scale[j] == 0:
		v = 0
	default:
		v /= s.scale[j]
	}
	return v
}

// NewScaling returns the scaling that subtracts shift from each feature and divides it by scale. A
// feature with scale 0 becomes 0. [Data.Scaled] appends note to [Data].Notes. If shift is empty,
// the lengths differ, a value is not finite or a scale is negative, the result contains an error,
// which [Data.Scaled] and [Scaling.Apply] return.
func NewScaling(note string, shift, scale []float64) Scaling {
	if len(shift) == 0 || len(shift) != len(scale) {
		return Scaling{err: advice.Errorf("give a shift and a scale for each feature", "%w: NewScaling: %s and %s", ErrShape, nouns.Count(len(shift), "shift"), nouns.Count(len(scale), "scale"))}
	}
	s, err := DecodeScaling([]string{note}, map[string]*mat.Dense{
		"scaling0_shift": mat.NewDense(1, len(shift), slices.Clone(shift)),
		"scaling0_scale": mat.NewDense(1, len(scale), slices.Clone(scale)),
	})
	s.err = err
	return s
}

// IsZero reports whether the scaling changes nothing.
func (s Scaling) IsZero() bool { return len(s.steps) == 0 && s.err == nil }

// Features returns the number of features that the scaling expects. It is 0 for the zero value,
// which accepts any number.
func (s Scaling) Features() int {
	if len(s.steps) == 0 {
		return 0
	}
	return len(s.steps[0].shift)
}

// Columns returns the number of features after scaling, or 0 for the zero value.
func (s Scaling) Columns() int {
	if len(s.steps) == 0 {
		return 0
	}
	return s.steps[len(s.steps)-1].columns()
}

// After returns the remaining steps of s for rows already scaled by t. ok is false if s does not
// begin with the steps of t.
func (s Scaling) After(t Scaling) (rest Scaling, ok bool) {
	k := len(t.steps)
	if k > len(s.steps) || !(Scaling{steps: s.steps[:k]}).Equal(t) {
		return Scaling{}, false
	}
	return Scaling{steps: s.steps[k:]}, true
}

// Equal reports whether two scalings have equal steps. Notes may differ.
func (s Scaling) Equal(t Scaling) bool {
	return slices.EqualFunc(s.steps, t.steps, func(a, b step) bool {
		if !slices.Equal(a.shift, b.shift) || !slices.Equal(a.scale, b.scale) || (a.basis == nil) != (b.basis == nil) {
			return false
		}
		return a.basis == b.basis || mat.Equal(a.basis, b.basis)
	})
}

// Apply returns the scaled rows of x, which has [Scaling.Features] columns. x is not changed.
// [ScalingOf] of the result is the scaling of x followed by s.
func (s Scaling) Apply(x *mat.Dense) (*mat.Dense, error) {
	given := ScalingOf(x)
	x, err := s.apply(x)
	if err == nil && !s.IsZero() {
		Scaling{steps: slices.Concat(given.steps, s.steps)}.mark(x)
	}
	return x, err
}

func (s Scaling) apply(x *mat.Dense) (*mat.Dense, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case x == nil:
		return nil, advice.Errorf("give at least one row", "%w: Scaling.Apply: the matrix is nil", ErrEmpty)
	case len(s.steps) == 0:
		return x, nil
	}
	if _, features := x.Dims(); features != s.Features() {
		return nil, advice.Errorf("give the features that it was learned from, in the same order", "%w: the scaling was learned from %s, but the data have %d", ErrShape, nouns.Count(s.Features(), "feature"), features)
	}
	for _, one := range s.steps {
		x = one.apply(x)
	}
	return x, nil
}

// Applied returns a copy of x marked as already scaled. If a model was fitted to data with this
// scaling, its Transform does not scale the copy again. The X of scaled data and its views are
// marked automatically.
func (s Scaling) Applied(x *mat.Dense) *mat.Dense {
	if x == nil || x.IsEmpty() || s.IsZero() {
		return x
	}
	return s.mark(mat.DenseCopyOf(x))
}

// scaledRows maps matrices in memory to their scaling. The key is the address of the last number in
// the memory of a matrix. A matrix and its views have the same key.
var scaledRows sync.Map // of uintptr to *mark

// mark holds the scaling of the rows of a matrix.
type mark struct {
	end     weak.Pointer[float64] // nil once the matrix is freed and its address may be reused
	scaling Scaling
}

// mark records the scaling of x. The memory of x must come from Go's allocator, as in all copies
// made by this package, because runtime.AddCleanup accepts no other memory.
func (s Scaling) mark(x *mat.Dense) *mat.Dense {
	end := endOf(x)
	at, m := reflect.ValueOf(end).Pointer(), &mark{weak.Make(end), s}
	scaledRows.Store(at, m)
	runtime.AddCleanup(end, func(m *mark) { scaledRows.CompareAndDelete(at, m) }, m)
	return x
}

// endOf returns the address of the last number in the memory of x, or nil if x is empty.
func endOf(x *mat.Dense) *float64 {
	if x == nil || x.IsEmpty() {
		return nil
	}
	all := x.RawMatrix().Data
	all = all[:cap(all)]
	return &all[len(all)-1]
}

// ScalingOf returns the scaling of rows that belong to scaled data or were marked by
// [Scaling.Applied]. It returns the zero value for all other rows, including copies of scaled rows.
func ScalingOf(x *mat.Dense) Scaling {
	end := endOf(x)
	if m, ok := scaledRows.Load(reflect.ValueOf(end).Pointer()); ok && end != nil && m.(*mark).end.Value() == end {
		return m.(*mark).scaling
	}
	return Scaling{}
}

// Affine returns the inverse of the scaling: a scaled value x of feature j was center[j] +
// scale[j]·x before scaling. scale[j] is 0 for a constant feature. ok is false for the zero value,
// and if the scaling combines features, as [Data.PCA] does.
func (s Scaling) Affine() (center, scale []float64, ok bool) {
	if len(s.steps) == 0 {
		return nil, nil, false
	}
	center, scale = make([]float64, s.Features()), make([]float64, s.Features())
	for j := range scale {
		scale[j] = 1
		for _, one := range s.steps {
			if one.basis != nil {
				return nil, nil, false
			}
			center[j] += float64(scale[j] * one.shift[j])
			if one.scale != nil {
				scale[j] *= one.scale[j]
			}
		}
	}
	return center, scale, true
}

// Encode returns the scaling for a file: one note per step, and the arrays of all steps by name.
func (s Scaling) Encode() (notes []string, arrays map[string]*mat.Dense) {
	arrays = map[string]*mat.Dense{}
	for k, one := range s.steps {
		notes = append(notes, one.note)
		name := fmt.Sprintf("scaling%d_", k)
		arrays[name+"shift"] = mat.NewDense(1, len(one.shift), one.shift)
		if one.scale != nil {
			arrays[name+"scale"] = mat.NewDense(1, len(one.scale), one.scale)
		}
		if one.basis != nil {
			arrays[name+"basis"] = one.basis
		}
	}
	return notes, arrays
}

// DecodeScaling decodes and checks the output of [Scaling.Encode].
func DecodeScaling(notes []string, arrays map[string]*mat.Dense) (Scaling, error) {
	var s Scaling
	for k, note := range notes {
		name := fmt.Sprintf("scaling%d_", k)
		shift, scale, basis := arrays[name+"shift"], arrays[name+"scale"], arrays[name+"basis"]
		if shift == nil {
			return s, fmt.Errorf("%w: %sshift is missing", ErrShape, name)
		}
		rows, features := shift.Dims()
		if k > 0 && features != s.steps[k-1].columns() {
			return s, fmt.Errorf("%w: %sshift has %d columns, but the previous step gives %d", ErrShape, name, features, s.steps[k-1].columns())
		}
		for _, a := range []*mat.Dense{shift, scale, basis} {
			if a == nil {
				continue
			}
			if err := CheckFinite(a); err != nil {
				return s, fmt.Errorf("the scaling of features: %w", err)
			}
		}
		one := step{note: note, shift: shift.RawRowView(0), basis: basis}
		if scale != nil {
			if r, c := scale.Dims(); r != 1 || c != features || mat.Min(scale) < 0 {
				return s, fmt.Errorf("%w: %sscale is %d×%d, but must be 1×%d without negative numbers", ErrShape, name, r, c, features)
			}
			one.scale = scale.RawRowView(0)
		}
		if rows != 1 {
			return s, fmt.Errorf("%w: %sshift has %d rows instead of 1", ErrShape, name, rows)
		}
		if basis != nil {
			if r, _ := basis.Dims(); r != features {
				return s, fmt.Errorf("%w: %sbasis has %d rows for %d features", ErrShape, name, r, features)
			}
		}
		s.steps = append(s.steps, one)
	}
	return s, nil
}

// Scaled returns a copy to which the scaling is applied. For example, d may be test data, and s a
// scaling estimated from the training data.
func (d *Data) Scaled(s Scaling) *Data {
	if d.Err() != nil {
		return d
	}
	if s.err != nil {
		return d.fail(s.err)
	}
	apply := func() (*mat.Dense, error) { return s.apply(d.X) }
	if d.Rows != nil {
		apply = func() (*mat.Dense, error) { return s.applyRows(d.Rows) }
	} else if err := d.dense("Scaled"); err != nil {
		return d.fail(err)
	}
	x, err := apply()
	if err != nil {
		return d.fail(err)
	}
	c := d.with("")
	c.Notes = slices.Clone(d.Notes)
	for _, one := range s.steps {
		c.Notes = append(c.Notes, one.note)
		if one.basis != nil {
			c.FeatureNames, c.Image = nil, Image{}
		}
	}
	if x != nil {
		c.Rows = nil
		c.recall(x, Scaling{steps: slices.Concat(d.Scaling().steps, s.steps)})
	}
	return c
}

// recall sets X of d to x, which this package must have allocated, and records the scaling of x.
func (d *Data) recall(x *mat.Dense, s Scaling) {
	d.X, d.scaled, d.scaling = x, x, s
	if !s.IsZero() {
		s.mark(x)
	}
}

// WithScaling returns a copy marked as scaled by s, for code that stores data and reads them back.
// X is copied, unless it is nil.
func (d *Data) WithScaling(s Scaling) *Data {
	if d.Err() != nil {
		return d
	}
	if s.err != nil {
		return d.fail(s.err)
	}
	if d.X != nil && !s.IsZero() && s.Columns() != d.Dim() {
		return d.fail(advice.Errorf("give the scaling that these features were scaled with", "%w: WithScaling: the scaling gives %s, but the data have %d", ErrShape, nouns.Count(s.Columns(), "feature"), d.Dim()))
	}
	c := d.with("")
	if d.X == nil {
		c.scaled, c.scaling = nil, s
	} else {
		c.recall(mat.DenseCopyOf(d.X), s)
	}
	return c
}

// Scaling returns the combined transformation by Standardize, Scale01, PCA and Scaled. It is the
// zero value if there was none, or if X has been replaced since. A model fitted to the data applies
// the scaling to new rows.
func (d *Data) Scaling() Scaling {
	if d == nil || d.X != d.scaled {
		return Scaling{}
	}
	return d.scaling
}

// Original returns the values of feature j in their original units, or a copy of the values if they
// were not scaled. Each value is the shortest decimal number that the scaling maps to the value in
// X, so that 5.1 is restored as 5.1. For a constant feature, each value is the original constant.
// The result is nil if j is out of range, the features are principal components, or X is nil.
func (d *Data) Original(j int) []float64 {
	if j < 0 || j >= d.Dim() {
		return nil
	}
	out := mat.Col(nil, j, d.X)
	s := d.Scaling()
	if s.IsZero() {
		return out
	}
	center, scale, ok := s.Affine()
	if !ok {
		return nil
	}
	size, factor := 0.0, 1.0 // size is the largest magnitude among the terms of the sum center[j]; factor is the product of the scales so far
	for _, one := range s.steps {
		if size = max(size, math.Abs(factor*one.shift[j])); one.scale != nil {
			factor *= one.scale[j]
		}
	}
	for i, v := range out {
		out[i] = center[j]
		if scale[j] != 0 {
			out[i] = s.shortest(j, v, center[j]+float64(scale[j]*v), size)
		}
	}
	return out
}

// shortest searches the numbers near v for values of feature j that the scaling maps to x, and
// returns the one with the fewest digits. It returns v if it finds none. v is a sum of terms of
// magnitude up to size; this bounds the rounding error of v.
func (s Scaling) shortest(j int, x, v, size float64) float64 {
	maps := func(v float64) bool {
		for _, one := range s.steps {
			v = one.forward(j, v)
		}
		return v == x
	}
	// If the original value was 0, v consists of rounding errors, so 0 is tried first. If the
	// original value was small, rounding errors change even the first digits of v, so fewer digits
	// are tried too.
	if maps(0) {
		return 0
	}
	digits := []int{6, 9, 12, 15, 16}
	if math.Abs(v) < 1e-8*size {
		digits = []int{1, 2, 3, 4, 5, 6, 9, 12, 15, 16}
	}
	for _, digits := range digits {
		short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		if err != nil {
			break
		}
		if maps(short) {
			return short
		}
	}
	return v
}

// Unscaled returns a copy with the features in their original units, see [Data.Original]. The copy
// has an error if the features are principal components.
func (d *Data) Unscaled() *Data {
	if d.Err() != nil || d.Scaling().IsZero() {
		return d
	}
	if _, _, ok := d.Scaling().Affine(); !ok {
		return d.fail(advice.Errorf("call Unscaled before PCA", "%w: Unscaled: the projection to principal components cannot be undone", ErrOption))
	}
	c := d.with("in the original units")
	x := mat.NewDense(d.Len(), d.Dim(), nil)
	for j := range d.Dim() {
		x.SetCol(j, d.Original(j))
	}
	c.recall(x, Scaling{})
	return c
}
