package data

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Scaling is a transformation of features that was learned from one set of
// samples and can be applied to others: learn it from the training side only.
type Scaling struct {
	note  string
	shift []float64  // subtracted
	scale []float64  // divides; nil for none
	basis *mat.Dense // then multiplies from the right; nil for none
	err   error
}

// Standardize returns a copy in which every feature has mean 0 and standard
// deviation 1 (divisor n); a constant feature becomes 0. To apply the same scaling to
// test data, use [Data.LearnStandardize] and [Data.Scaled].
func (d *Data) Standardize() *Data { return d.Scaled(d.LearnStandardize()) }

// Scale01 returns a copy in which every feature runs from 0 to 1; a constant
// feature becomes 0.
func (d *Data) Scale01() *Data { return d.Scaled(d.LearnScale01()) }

// PCA returns a copy in coordinates of its principal components. keep in (0, 1) is the
// share of variance to keep, as in PCA(0.98); a whole number keep ≥ 1 is the number of
// components.
func (d *Data) PCA(keep float64) *Data { return d.Scaled(d.LearnPCA(keep)) }

// LearnStandardize learns what Standardize does.
func (d *Data) LearnStandardize() Scaling {
	s := Scaling{note: "standardised"}
	if s.err = d.Err(); s.err != nil {
		return s
	}
	s.shift, s.scale = samples.Means(d.X), make([]float64, d.Dim())
	for i := range d.Len() {
		for j, v := range d.X.RawRowView(i) {
			s.scale[j] += (v - s.shift[j]) * (v - s.shift[j]) / float64(d.Len())
		}
	}
	for j := range s.scale {
		s.scale[j] = math.Sqrt(s.scale[j])
	}
	return s
}

// LearnScale01 learns what Scale01 does. Test samples may leave [0, 1].
func (d *Data) LearnScale01() Scaling {
	s := Scaling{note: "scaled to [0, 1]"}
	if s.err = d.Err(); s.err != nil {
		return s
	}
	s.shift = slices.Clone(d.X.RawRowView(0))
	top := slices.Clone(s.shift)
	for i := range d.Len() {
		for j, v := range d.X.RawRowView(i) {
			s.shift[j], top[j] = min(s.shift[j], v), max(top[j], v)
		}
	}
	s.scale = make([]float64, len(top))
	for j := range top {
		s.scale[j] = top[j] - s.shift[j]
	}
	return s
}

// LearnPCA learns what PCA does.
func (d *Data) LearnPCA(keep float64) Scaling {
	s := Scaling{}
	if s.err = d.Err(); s.err != nil {
		return s
	}
	n, features := d.Len(), d.Dim()
	if !(keep > 0) || (keep >= 1 && (keep != math.Trunc(keep) || keep > float64(features))) {
		s.err = advice.Errorf(fmt.Sprintf("give a share of variance below 1, or a number of components from 1 to %d", features), "%w: PCA(%v)", ErrOption, keep)
		return s
	}
	s.shift = samples.Means(d.X)
	c := samples.Minus(d.X, s.shift)
	var svd mat.EigenSym
	gram := mat.NewSymDense(min(n, features), nil)
	wide := features > n
	if wide {
		gram.SymOuterK(1, c)
	} else {
		gram.SymOuterK(1, c.T())
	}
	if !svd.Factorize(gram, true) {
		s.err = fmt.Errorf("%w: the eigen-decomposition for the principal components did not converge", ErrNotFinite)
		return s
	}
	values := svd.Values(nil) // ascending
	slices.Reverse(values)
	total, sum, count := 0.0, 0.0, 0
	for _, v := range values {
		total += max(v, 0)
	}
	for count < len(values) && values[count] > 1e-12*values[0] && (keep >= 1 && count < int(keep) || keep < 1 && (count == 0 || sum < keep*total)) {
		sum += values[count]
		count++
	}
	if count == 0 {
		s.err = fmt.Errorf("%w: PCA of %d equal samples", ErrEmpty, n)
		return s
	}
	var u mat.Dense
	svd.VectorsTo(&u)
	s.basis = mat.NewDense(features, count, nil)
	for k := range count {
		column := mat.DenseCopyOf(u.Slice(0, len(values), len(values)-1-k, len(values)-k))
		if wide {
			var lifted mat.Dense
			lifted.Mul(c.T(), column)
			lifted.Scale(1/math.Sqrt(values[k]), &lifted)
			column = &lifted
		}
		// The sign rule: the entry of largest magnitude is positive.
		best := 0.0
		for j := range features {
			if v := column.At(j, 0); math.Abs(v) > math.Abs(best)*(1+1e-9) {
				best = v
			}
		}
		for j := range features {
			s.basis.Set(j, k, math.Copysign(1, best)*column.At(j, 0))
		}
	}
	s.note = fmt.Sprintf("%d principal components, %.3g %% of the variance", count, 100*sum/total)
	return s
}

// Scaled returns a copy to which the transformation was applied, such as test data with
// a scaling learned from the training data.
func (d *Data) Scaled(s Scaling) *Data {
	if d.Err() != nil {
		return d
	}
	if s.err != nil {
		return d.fail(s.err)
	}
	if len(s.shift) != d.Dim() {
		return d.fail(fmt.Errorf("%w: the scaling was learned from %d features, the data have %d", ErrShape, len(s.shift), d.Dim()))
	}
	c := d.with("%s", s.note)
	c.X = mat.NewDense(d.Len(), d.Dim(), nil)
	for i := range d.Len() {
		row := c.X.RawRowView(i)
		for j, v := range d.X.RawRowView(i) {
			row[j] = v - s.shift[j]
			if s.scale != nil {
				if s.scale[j] == 0 {
					row[j] = 0
				} else {
					row[j] /= s.scale[j]
				}
			}
		}
	}
	if s.basis != nil {
		var y mat.Dense
		y.Mul(c.X, s.basis)
		c.X, c.FeatureNames, c.Image = &y, nil, Image{}
	}
	return c
}
