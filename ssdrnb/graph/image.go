package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// imageMap transforms samples to images, the vectors that a metric compares. It stores the
// parameters estimated from the samples, so that queries are transformed in the same way.
type imageMap struct {
	factor []float64  // for Gower: 1/range of each feature, or 0 if the range is 0
	center []float64  // for Mahalanobis: the mean
	whiten *mat.Dense // for Mahalanobis: multiplies centred rows from the right; L⁻ᵀ for covariance S = LLᵀ
}

// singular is the condition number above which the inverse of a covariance matrix is mostly
// rounding error.
const singular = 1e12

// learnMap estimates the [imageMap] of a metric from the samples x. The squares of their values
// must be finite.
func learnMap(x *mat.Dense, metric Metric) (imageMap, error) {
	n, d := x.Dims()
	var to imageMap
	switch metric {
	case Haversine:
		if d != 2 {
			return to, advice.Errorf("keep the columns of latitude and longitude, in this order", "%w: %s, but the haversine distance needs 2", ErrOption, nouns.Count(d, "feature"))
		}
	case Gower:
		to.factor = make([]float64, d)
		low, high := slices.Clone(x.RawRowView(0)), slices.Clone(x.RawRowView(0))
		for i := range n {
			for j, v := range x.RawRowView(i) {
				low[j], high[j] = min(low[j], v), max(high[j], v)
			}
		}
		for j := range to.factor {
			if r := high[j] - low[j]; r > 0 && !math.IsInf(1/r, 1) {
				to.factor[j] = 1 / r
			}
		}
	case Mahalanobis:
		return to, to.learnCovariance(x)
	}
	return to, nil
}

// learnCovariance sets center and whiten for the rows of x. It fails if their covariance matrix is
// singular.
func (to *imageMap) learnCovariance(x *mat.Dense) error {
	n, d := x.Dims()
	to.center = samples.Means(x)
	c := minus(x, to.center).rows
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1/float64(max(n-1, 1)), c.T())
	// Scale to a unit diagonal first, so that the test for singularity does not depend on units.
	unit := make([]float64, d)
	for j := range unit {
		if unit[j] = math.Sqrt(s.At(j, j)); unit[j] == 0 {
			return advice.Errorf("remove the feature, or use the Euclidean metric", "%w: feature %d is constant, so the covariance matrix of the mahalanobis distance is singular", ErrOption, j)
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			s.SetSym(i, j, s.At(i, j)/unit[i]/unit[j])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(s) || chol.Cond() > singular {
		return advice.Errorf("reduce the features with Data.PCA first, or use the Euclidean metric", "%w: the covariance matrix of %s with %s is singular, but the mahalanobis distance needs its inverse", ErrOption, nouns.Count(n, "sample"), nouns.Count(d, "feature"))
	}
	var l, inverse mat.TriDense
	chol.LTo(&l)
	if err := inverse.InverseTri(&l); err != nil {
		return fmt.Errorf("%w: the covariance matrix of the mahalanobis distance cannot be inverted: %w", ErrOption, err)
	}
	to.whiten = mat.NewDense(d, d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			to.whiten.Set(i, j, inverse.At(j, i)/unit[i])
		}
	}
	return nil
}

// measure prepares the rows of x for comparison by the metric, with the parameters stored in `to`.
// The squares of the values must be finite. `of` is the name of x in error messages.
func (to imageMap) measure(x *mat.Dense, metric Metric, of side) (*measure, error) {
	m := &measure{metric: metric, norm: metric.norm(), x: x, image: to}
	n, d := x.Dims()
	var image func(in, out []float64) error
	columns := d
	switch metric {
	case Cosine, Correlation:
		return m, m.normalize(of)
	case Spearman:
		image = ranks
	case Hellinger:
		image = shares
	case Haversine:
		image, columns = onSphere, 3
	case Jaccard:
		image = presence
	case Gower:
		image = func(in, out []float64) error {
			for j, v := range in {
				out[j] = v * to.factor[j]
			}
			return nil
		}
	case Mahalanobis:
		c := minus(x, to.center).rows
		m.x = mat.NewDense(n, d, nil)
		m.x.Mul(c, to.whiten)
		return m, checkSize(m.x, of)
	default:
		return m, nil
	}
	m.x = mat.NewDense(n, columns, nil)
	if err := inBlocks(n, 256, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			if err := image(x.RawRowView(i), m.x.RawRowView(i)); err != nil {
				// The remedy stays at the end, where callers can replace it.
				return advice.With(advice.Of(err), fmt.Errorf("%s %d: %w", of.row(), i, advice.Cause(err)))
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if metric == Spearman {
		return m, m.normalize(of)
	}
	return m, nil
}

// ranks writes the ranks of the values of `in` to out, counted from 1. Equal values get their mean
// rank.
func ranks(in, out []float64) error {
	ascending := order.Rows(len(in))
	slices.SortFunc(ascending, func(a, b int) int { return cmp.Compare(in[a], in[b]) })
	for lo, hi := 0, 0; lo < len(ascending); lo = hi {
		for hi = lo + 1; hi < len(ascending) && in[ascending[hi]] == in[ascending[lo]]; hi++ {
		}
		for _, j := range ascending[lo:hi] {
			out[j] = float64(lo+hi+1) / 2
		}
	}
	return nil
}

// shares scales the values of `in` to sum to 1 and writes their square roots to out.
func shares(in, out []float64) error {
	sum := 0.0
	for j, v := range in {
		if v < 0 {
			return advice.Errorf("give counts or shares, or use the Euclidean metric", "%w: feature %d is %v, but the hellinger distance needs values ≥ 0", ErrNotFinite, j, v)
		}
		sum += v
	}
	if sum == 0 {
		return advice.Errorf("remove the row, or use the Euclidean metric", "%w: all values are 0, so the hellinger distance is undefined", ErrNotFinite)
	}
	for j, v := range in {
		out[j] = math.Sqrt(v / sum)
	}
	return nil
}

// onSphere writes the coordinates of a point on the unit sphere to out. `in` holds its latitude and
// longitude in degrees.
func onSphere(in, out []float64) error {
	if math.Abs(in[0]) > 90 || math.Abs(in[1]) > 360 {
		return advice.Errorf("give latitude and longitude in degrees, unscaled and in this order", "%w: latitude %g and longitude %g are out of range", ErrNotFinite, in[0], in[1])
	}
	slat, clat := math.Sincos(in[0] * (math.Pi / 180))
	slon, clon := math.Sincos(in[1] * (math.Pi / 180))
	out[0], out[1], out[2] = clat*clon, clat*slon, slat
	return nil
}

// presence sets out[j] to 1 if in[j] is not 0. All entries of out must be 0 on entry.
func presence(in, out []float64) error {
	for j, v := range in {
		if v != 0 {
			out[j] = 1
		}
	}
	return nil
}
