package data

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Standardize returns a copy in which every feature has mean 0 and standard deviation 1 (divisor
// n). A constant feature becomes 0. A model fitted to the copy scales new rows in the same way, see
// [Data.Scaling]. To scale test data like the training data, use [Data.LearnStandardize] and
// [Data.Scaled].
func (d *Data) Standardize() *Data { return d.Scaled(d.LearnStandardize()) }

// Scale01 returns a copy in which every feature ranges from 0 to 1. A constant feature becomes 0.
func (d *Data) Scale01() *Data { return d.Scaled(d.LearnScale01()) }

// PCA returns a copy whose features are the principal components. If keep is in (0, 1), it is the
// share of variance to keep, as in PCA(0.98); if keep is a whole number ≥ 1, it is the number of
// components. For sparse features, keep must be a number of components.
func (d *Data) PCA(keep float64) *Data { return d.Scaled(d.LearnPCA(keep)) }

// LearnStandardize returns the scaling of [Data.Standardize].
func (d *Data) LearnStandardize() Scaling {
	if d.Err() != nil {
		return Scaling{err: d.Err()}
	}
	if err := d.dense("Standardize"); err != nil {
		return Scaling{err: err}
	}
	s := step{note: "standardised", shift: samples.Means(d.X), scale: make([]float64, d.Dim())}
	for i := range d.Len() {
		for j, v := range d.X.RawRowView(i) {
			s.scale[j] += (v - s.shift[j]) * (v - s.shift[j]) / float64(d.Len())
		}
	}
	for j, variance := range s.scale {
		s.scale[j] = math.Sqrt(variance)
		if variance > math.MaxFloat64 || variance < 1e-280 { // squares overflow or underflow
			s.scale[j] = d.deviation(j, s.shift[j])
		}
	}
	return d.finite("Standardize", s)
}

// finite returns the scaling with the one step s, or an error if a divisor is not finite.
func (d *Data) finite(call string, s step) Scaling {
	for j, v := range s.scale {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Scaling{err: d.tooFar(call, "the values of "+d.FeatureName(j))}
		}
	}
	return Scaling{steps: []step{s}}
}

// tooFar returns an error about a value of X that is not finite or, if there is none, about
// `values`, whose differences overflow.
func (d *Data) tooFar(call, values string) error {
	if err := CheckFinite(d.X); err != nil {
		return err
	}
	return advice.Errorf("give the features in a larger unit", "%w: %s: %s lie so far apart that their differences overflow", ErrNotFinite, call, values)
}

// deviation returns the standard deviation of a feature. It computes in units of the largest
// deviation from the mean, so that squares neither overflow nor underflow.
func (d *Data) deviation(feature int, mean float64) float64 {
	farthest, sum := 0.0, 0.0
	for i := range d.Len() {
		farthest = max(farthest, math.Abs(d.X.At(i, feature)-mean))
	}
	if farthest == 0 {
		return 0
	}
	for i := range d.Len() {
		v := (d.X.At(i, feature) - mean) / farthest
		sum += v * v / float64(d.Len())
	}
	return farthest * math.Sqrt(sum)
}

// LearnScale01 returns the scaling of [Data.Scale01]. Scaled test samples may lie outside [0, 1].
func (d *Data) LearnScale01() Scaling {
	if d.Err() != nil {
		return Scaling{err: d.Err()}
	}
	if err := d.dense("Scale01"); err != nil {
		return Scaling{err: err}
	}
	s := step{note: "scaled to [0, 1]", shift: slices.Clone(d.X.RawRowView(0))}
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
	return d.finite("Scale01", s)
}

// LearnPCA returns the scaling of [Data.PCA].
func (d *Data) LearnPCA(keep float64) Scaling {
	if d.Err() != nil {
		return Scaling{err: d.Err()}
	}
	if d.Rows != nil {
		return d.learnSparsePCA(keep)
	}
	if err := d.dense("PCA"); err != nil {
		return Scaling{err: err}
	}
	n, features := d.Len(), d.Dim()
	if !(keep > 0) || (keep >= 1 && (keep != math.Trunc(keep) || keep > float64(features))) {
		remedy := "call PCA(1)"
		if features > 1 {
			remedy = fmt.Sprintf("give a share of variance below 1, or a number of components from 1 to %d", features)
		}
		return Scaling{err: advice.Errorf(remedy, "%w: PCA(%v)", ErrOption, keep)}
	}
	s := step{shift: samples.Means(d.X)}
	c := samples.Minus(d.X, s.shift)
	farthest := max(mat.Max(c), -mat.Min(c))
	if !(farthest*math.Sqrt(float64(features)) <= math.MaxFloat64) { // the length of a centred row
		return Scaling{err: d.tooFar(fmt.Sprintf("PCA(%v)", keep), "the samples")}
	}
	c.Scale(samples.Unit(farthest), c)
	var svd mat.EigenSym
	gram := mat.NewSymDense(min(n, features), nil)
	wide := features > n
	if wide {
		gram.SymOuterK(1, c)
	} else {
		gram.SymOuterK(1, c.T())
	}
	if !svd.Factorize(gram, true) {
		return Scaling{err: fmt.Errorf("%w: the eigendecomposition for the principal components did not converge", ErrNotFinite)}
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
		if n == 1 {
			return Scaling{err: advice.Errorf("give at least two samples", "%w: PCA(%v) of a single sample", ErrOption, keep)}
		}
		return Scaling{err: advice.Errorf("give samples that differ", "%w: PCA(%v): all %d samples are equal, so they have no principal components", ErrOption, keep, n)}
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
		// Sign convention: the entry of largest magnitude is positive.
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
	s.note = fmt.Sprintf("%s, %.3g %% of the variance", nouns.Count(count, "principal component"), 100*sum/total)
	return Scaling{steps: []step{s}}
}
