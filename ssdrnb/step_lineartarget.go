package ssdrnb

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
)

// Linear methods use a numeric target in one of two ways: they cut it into slices, which serve as
// classes, or they fit the target by regression.

// Slices(h): Equal values belong to the same slice. With fewer slices, each has more values and
// a more accurate mean; c slices give at most c − 1 directions.
var slicesOption = intOption{Name: "slices", Setter: "Slices", Default: Auto, Min: 2, Max: many, Log: true,
	Auto: "the labels or pairs if there are any, otherwise m/5 slices (at least 2, at most 8) of the m known values of the target",
	Doc:  "number of slices of a numeric target that replace labels and pairs"}

// slice replaces labels and pairs by slices of the target. It does nothing if the method has no
// option "slices", or if this option is [Auto] and there are labels or pairs.
func (j *job) slice() {
	d := j.data
	if d.Err() != nil || d.Target() == nil || !j.spec.method.has(slicesOption.Name) || len(d.Target().Values) != d.Len() {
		return
	}
	known := targetOf(d.Target())
	if len(known.Rows) == 0 {
		return
	}
	h := slicesOption.of(j)
	if slicesOption.auto(j) {
		if h = discriminant.AutoSlices(len(known.Rows)); d.NumLabelled() > 0 || d.Pairs.Len() > 0 {
			return
		}
	}
	sliced := *d
	sliced.Pairs = data.Pairs{}
	sliced.Labels = slices.Repeat([]int{data.Unlabelled}, d.Len())
	of := discriminant.Slices(known.Values, h)
	count := slices.Max(of) + 1
	for k, i := range known.Rows {
		sliced.Labels[i] = of[k]
	}
	sliced.Truth, sliced.ClassNames = nil, make([]string, count)
	for k := range sliced.ClassNames {
		sliced.ClassNames[k] = fmt.Sprintf("slice %d of %s", k+1, d.Target().Name)
	}
	j.data, j.cache, j.sliced = &sliced, j.cache.ofSlices(h), true
}

// ofSlices returns the cache for fits to h slices of the target.
func (c *cache) ofSlices(h int) *cache {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sliced == nil {
		c.sliced = map[int]*cache{}
	}
	if c.sliced[h] == nil {
		c.sliced[h] = newCache()
		c.sliced[h].series = c.series
	}
	return c.sliced[h]
}

// fitsTarget reports whether the method fits the target. This requires a target in the data and a
// method that uses labels or a target but no slices.
func fitsTarget(j *job) bool {
	return j.spec.method.Uses == FromLabelsOrTarget && !j.spec.method.has(slicesOption.Name) && j.data.Target() != nil
}

// ofTarget reports whether the model was fitted to a target and ignores any labels of its data.
func (m *Model) ofTarget() bool {
	return m.data.Target() != nil && slices.ContainsFunc(m.spec.parts(), func(p part) bool {
		if o, ok := p.method.Param(slicesOption.Name); ok {
			return !o.isAuto(p.Value(o.Name))
		}
		return p.method.Uses == FromLabelsOrTarget
	})
}

// checkLinear validates the target for methods that cut it into slices or fit it. The result done
// is true if the method fits the target. In this case labels and pairs need not be checked.
func (j *job) checkLinear() (done bool, err error) {
	if !j.sliced && !fitsTarget(j) { // the method uses the labels
		return false, nil
	}
	t := j.given.Target()
	known := targetOf(t)
	if err := checkTarget(j, known); err != nil {
		return false, err
	}
	if len(known.Rows) < 2 || slices.Min(known.Values) == slices.Max(known.Values) {
		return false, j.fault("target", nil, fmt.Errorf("%w: the target %q has %s, but at least two that differ are needed", ErrNeedsTarget, t.Name, nouns.Count(len(known.Rows), "known value")), "give more values with Data.WithTarget")
	}
	return fitsTarget(j), nil
}

// warnOfTarget records how a linear method uses the target. It warns if the target replaces labels
// or pairs, or if there are too few known values.
func (j *job) warnOfTarget() {
	t := j.given.Target()
	switch {
	case t == nil, j.spec.method.first != nil: // fitPart warns of combined methods
		return
	case j.sliced:
		j.fact("slices", float64(len(j.data.Classes())))
	case !fitsTarget(j):
		return
	}
	m := len(t.Known())
	j.fact("target known", float64(m))
	var replaced []string
	if j.given.NumLabelled() > 0 {
		replaced = append(replaced, "labels")
	}
	if j.given.Pairs.Len() > 0 && j.spec.method.Uses.pairs() {
		replaced = append(replaced, "pairs")
	}
	if len(replaced) > 0 {
		names := strings.Join(replaced, " and ")
		j.warn("the target %q replaces the %s; to fit the %s, leave out Data.WithTarget", t.Name, names, names)
	}
	if _, features := j.x().Dims(); m <= features {
		j.warn("there are only %d known values of the target %q for %s: the directions fit chance patterns, and known values look better ordered than hidden ones; give more values, or reduce the features with Data.PCA", m, t.Name, nouns.Count(features, "feature"))
	}
}

// targetMean returns the mean of the known values of the target.
func targetMean(d *data.Data) float64 {
	mean := 0.0
	for k, v := range targetOf(d.Target()).Values {
		mean += (v - mean) / float64(k+1)
	}
	return mean
}

// targetRegression fits LapRLS to the target, with the manifold term m.
func targetRegression(j *job, s *span, m *penalty) (*solution, error) {
	known := targetOf(j.data.Target())
	ambient, intrinsic := ambientOption.of(j), intrinsicOption.of(j)
	sc, err := shared(j.work, knownScatterStep{s})
	if err != nil {
		return nil, err
	}
	normal, err := shared(j.work, normalStep{sc, m, intrinsic})
	if err != nil {
		return nil, err
	}
	r := discriminant.RegressTarget(s.z, known.Rows, known.Values, normal, m.term, ambient)
	w := r.W.RawMatrix().Data
	j.fact("objective", ambient*mat.Dot(mat.NewVecDense(len(w), w), mat.NewVecDense(len(w), w))+intrinsic*r.Rough+r.Misfit/float64(len(known.Rows)))
	return withSecond(j, s, r.W, r.Bias)
}

// knownScatterStep computes the scatter of the samples with a known target value around their mean.
// The samples are treated as one class.
type knownScatterStep struct{ span *span }

func (s knownScatterStep) run(w *work) (*discriminant.Scatter, error) {
	labels := slices.Repeat([]int{data.Unlabelled}, w.data.Len())
	for _, i := range w.data.Target().Known() {
		labels[i] = 0
	}
	return discriminant.NewScatter(s.span.z, labels, []int{0}), nil
}

// withSecond returns the solution of a regression. Its first dimension has the weights w (r×1) in
// the coordinates of the span. Its second dimension is the direction orthogonal to w along which
// the samples vary most. If there is none, withSecond warns and returns one dimension.
func withSecond(j *job, s *span, w *mat.Dense, bias float64) (*solution, error) {
	second, err := discriminant.Second(s.z, w)
	if err != nil {
		return nil, err
	}
	if second == nil {
		j.report.warnMissing(1, 2, "the samples span no more dimensions")
		return s.regression(w, []float64{bias}), nil
	}
	var direction mat.Dense
	direction.Mul(s.basis, second)
	if dense.Signs(&direction)[0] < 0 {
		second.Scale(-1, second)
	}
	var both mat.Dense
	both.Augment(w, second)
	return s.regression(&both, []float64{bias, 0}), nil
}
