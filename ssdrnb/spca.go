package ssdrnb

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// SPCA returns the builder of supervised principal component analysis. It uses a numeric target
// ([data.Data.WithTarget]) or, without a target, labels. [Model.Values] are the eigenvalues divided
// by m² for m samples with known values or labels. They measure how much each dimension depends on
// the target.
//
// Source: Barshan, Ghodsi, Azimifar, Zolghadri Jahromi, Pattern Recognition 44, 2011.
//
// Objective: maximise tr(WᵀXᵀHKHXW), the Hilbert–Schmidt independence criterion between embedding
// and target, under WᵀW = I. X holds the m samples with known values or labels, one per row. H is
// the centring matrix. K_ij = exp(−(y_i − y_j)²/2s²), where s is the median of |y_i − y_j|, or
// their mean if the median is 0. For labels K_ij is 1 within a class and 0 otherwise.
//
// Solution: the top eigenvectors of XᵀHKHX.
//
// Cost: O(nD² + D³) time for the span of the samples and O(m²D) for the kernel, without an m×m
// matrix.
//
// Defaults: dims 2, pca 1.
//
// Fails: features in larger units and directions of large variance have more weight, as in PCA:
// standardise first. c classes give c − 1 directions. With at least as many features as known
// values, the directions fit chance correlations (for a numeric target the report warns).
func SPCA() *SPCABuilder { return newSPCA(Spec{method: spca}) }

var spca = register(Method{
	Name: "SPCA", Func: "SPCA", Title: "supervised principal component analysis", Paper: "Barshan et al. 2011",
	Supervision: Supervised, Shape: Linear, Uses: FromLabelsOrTarget, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), pcaOption.with(1)),
	fit:    fitSPCA,
})

func fitSPCA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	if err := j.begin("dependence"); err != nil {
		return nil, err
	}
	var rows []int
	var kernel func(a, b int) float64
	_, r := s.z.Dims()
	most, reason := r, ""
	if fitsTarget(j) {
		known := targetOf(j.data.Target())
		rows = known.Rows
		width := medianDifference(known.Values)
		j.fact("width of the target", width)
		kernel = func(a, b int) float64 {
			d := (known.Values[a] - known.Values[b]) / width
			return math.Exp(-d * d / 2)
		}
		if len(rows)-1 < most {
			most, reason = len(rows)-1, "the samples with known values span no more dimensions"
		}
	} else {
		rows = j.labelledRows()
		kernel = func(a, b int) float64 {
			if j.data.Labels[rows[a]] == j.data.Labels[rows[b]] {
				return 1
			}
			return 0
		}
		if c := len(j.data.Classes()); c-1 < most {
			most, reason = c-1, describe(c)
		}
	}
	var d int
	if reason == "" {
		d = j.spanned(s, most)
	} else {
		d = j.limit(most, reason)
	}
	x := samples.Pick(s.z, rows)
	x = samples.Minus(x, samples.Means(x))
	q, err := dependence(j, x, kernel)
	if err != nil {
		return nil, err
	}
	pairs, err := spectral.Top(q, d)
	if err != nil {
		return nil, err
	}
	if !(pairs.Values[0] > 0) {
		if !fitsTarget(j) {
			return nil, j.fault("labels", nil, fmt.Errorf("%w: the features of the labelled samples do not depend on the classes", ErrNeedsLabels), "label more samples, or give other features")
		}
		return nil, j.fault("target", nil, fmt.Errorf("%w: the features of the samples with known values do not depend on these values", ErrNeedsTarget), "give more values, or other features")
	}
	j.distinct(len(pairs.Values), pairs.Gap, pairs.Values[0])
	return s.solution(pairs.Vectors, pairs.Values), nil
}

// dependence returns xᵀKx/m² for the centred samples x (m×r). It computes the kernel matrix K in
// blocks of rows.
func dependence(j *job, x *mat.Dense, kernel func(a, b int) float64) (*mat.SymDense, error) {
	const block = 256
	m, r := x.Dims()
	q := mat.NewDense(r, r, nil)
	for lo := 0; lo < m; lo += block {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+block, m)
		k := mat.NewDense(hi-lo, m, nil)
		for a := lo; a < hi; a++ {
			row := k.RawRowView(a - lo)
			for b := range row {
				row[b] = kernel(a, b)
			}
		}
		var kx, part mat.Dense
		kx.Mul(k, x)
		part.Mul(x.Slice(lo, hi, 0, r).T(), &kx)
		q.Add(q, &part)
	}
	out := mat.NewSymDense(r, nil)
	scale := 1 / (float64(m) * float64(m))
	for a := range r {
		for b := a; b < r; b++ {
			out.SetSym(a, b, scale*(q.At(a, b)+q.At(b, a))/2)
		}
	}
	return out, nil
}

// mostCompared is the maximum number of values for which all pairwise differences are computed.
const mostCompared = 1000

// medianDifference returns the median of |a − b| over pairs of values, or the mean if the median is
// 0. If there are more than mostCompared values, it uses mostCompared of them, evenly spaced by
// rank.
func medianDifference(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	if m := len(v); m > mostCompared {
		few := make([]float64, mostCompared)
		for k := range few {
			few[k] = v[k*(m-1)/(mostCompared-1)]
		}
		v = few
	}
	var all []float64
	mean := 0.0
	for a := range v {
		for b := range a {
			d := v[a] - v[b]
			all = append(all, d)
			mean += (d - mean) / float64(len(all))
		}
	}
	slices.Sort(all)
	middle := all[len(all)/2]
	if len(all)%2 == 0 {
		middle = (middle + all[len(all)/2-1]) / 2
	}
	if middle == 0 {
		return mean
	}
	return middle
}
