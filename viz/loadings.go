package viz

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

const (
	maxLoadings   = 15   // maximum number of features with bars
	maxDirections = 6    // maximum number of directions with bars or images
	localNear     = 50   // number of samples of the local fit at one sample, including this sample
	localLeast    = 10   // minimum number of samples of a local fit
	localMost     = 1000 // maximum number of samples of a local fit
)

// Loadings shows the meaning of the dimensions of an embedding. For a linear model it draws each
// feature's weight times its standard deviation. This product is the change of the dimension when
// the feature changes by one standard deviation. For other embeddings it fits a linear map from the
// features to the embedding by least squares, and draws the weights of this map in the same way. A
// line below the figure reports the share of variance that the map explains.
//
// The weights of a nonlinear embedding vary over the data. If the argument at lists samples, the
// figure draws the weights of a local linear map. For one sample, the map is fitted to this sample
// and its 49 nearest neighbours in the data. For ten or more samples, such as the rows of a
// [Selection], the map is fitted to these samples, at most 1,000 of them. The ridge parameter of
// the fit minimises the leave-one-out error, and a line below the figure reports the share of
// variance that leave-one-out prediction explains. Loadings returns a figure with an error if the
// list is empty but not nil, if it has two to nine samples, or if the data have fewer than ten
// samples. Linear models ignore the list.
//
// If samples are images, each of the first six directions is drawn as an image on a separate scale,
// with blue for negative and orange for positive weights. Otherwise each of these directions has
// bars for the 15 features with the largest weights. [Figure.Arrows] draws the weights on the
// embedding.
func Loadings(m Embedded, at ...int) Figure {
	fail := func(err error) Figure { return failed("loadings", err) }
	if err := drawable(m); err != nil {
		return fail(err)
	}
	l, err := loadingsOf(m, at...)
	if err != nil {
		return fail(err)
	}
	features, dims := l.weights.Dims()
	dims = min(dims, maxDirections)
	var f Figure
	if im := m.Data().Image; im.Height > 0 && im.Width > 0 && im.Height <= features && im.Height*im.Width == features {
		f = l.pictures(im, dims)
	} else {
		f = l.bars(dims)
	}
	f.title = "Loadings of " + title(m) + l.titleSuffix
	return f
}

// loadings contains the weights of the features in each dimension.
type loadings struct {
	weights     *mat.Dense // features × dimensions, per standard deviation of the feature
	names       []string   // feature names
	note        string     // line below the figure about an approximation, or ""
	titleSuffix string     // added to the end of the title
}

// loadingsOf returns the loadings of a model, or local loadings if the argument at lists samples.
func loadingsOf(m Embedded, at ...int) (*loadings, error) {
	x, y := m.Data().X, m.Embedding()
	n, d := y.Dims()
	for _, i := range at {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("viz: Loadings of %s: sample %d does not exist; give samples from 0 to %d", cut(m.Method()), i, n-1)
		}
	}
	var z *mat.Dense
	var spread []float64 // standard deviations of the features
	if x != nil && m.Data().Len() == n {
		z, spread = standardised(x)
	} else if saved, ok := m.(interface{ Features() []ssdrnb.Feature }); ok { // the model was loaded without its samples
		for _, f := range saved.Features() {
			spread = append(spread, f.Deviation)
		}
	}
	features := len(spread)
	if features == 0 {
		return nil, withoutSamples(m)
	}
	l := &loadings{weights: mat.NewDense(features, d, nil)}
	for k := range features {
		l.names = append(l.names, m.Data().FeatureName(k))
	}
	l.names = look.Names(l.names)
	if linear, ok := m.(interface {
		Projection() (*mat.Dense, []float64, error)
	}); ok {
		if w, _, err := linear.Projection(); err == nil {
			if r, c := w.Dims(); r != features || c != d {
				return nil, fmt.Errorf("viz: Loadings of %s: the projection is %d × %d, the data have %s and the embedding %s; fit it again", cut(m.Method()), r, c, nouns.Count(features, "feature"), dimensions(d))
			}
			l.weights.Apply(func(i, _ int, v float64) float64 { return v * spread[i] }, w)
			if at != nil {
				l.note = cut(m.Method()) + " is linear: its weights are the same everywhere."
			}
			return l, l.check(m)
		}
	}
	if z == nil {
		return nil, withoutSamples(m)
	}
	if at != nil {
		if err := l.local(m, z, at); err != nil {
			return nil, fmt.Errorf("viz: Loadings of %s: %w", cut(m.Method()), err)
		}
		return l, l.check(m)
	}
	// The least-squares fit uses standardised features. A small ridge makes it unique if features
	// are collinear, and hardly changes it otherwise.
	centred, deviation := standardised(y)
	centred.Apply(func(_, k int, v float64) float64 { return v * deviation[k] }, centred)
	total := mat.Norm(centred, 2)
	var gram mat.Dense
	wide := features > n
	if wide {
		gram.Mul(z, z.T())
	} else {
		gram.Mul(z.T(), z)
	}
	order, _ := gram.Dims()
	sym := mat.NewSymDense(order, nil)
	ridge := 1e-8 * (mat.Trace(&gram)/float64(order) + math.SmallestNonzeroFloat64)
	for i := range order {
		for j := i; j < order; j++ {
			sym.SetSym(i, j, gram.At(i, j))
		}
		sym.SetSym(i, i, sym.At(i, i)+ridge)
	}
	var factor mat.Cholesky
	if total == 0 || !factor.Factorize(sym) {
		return nil, fmt.Errorf("viz: Loadings of %s: all samples are equal in the data or in the embedding; give data whose samples differ", cut(m.Method()))
	}
	var solved, right mat.Dense
	if wide {
		if err := factor.SolveTo(&solved, centred); err != nil {
			return nil, fmt.Errorf("viz: Loadings of %s: %w", cut(m.Method()), err)
		}
		l.weights.Mul(z.T(), &solved)
	} else {
		right.Mul(z.T(), centred)
		if err := factor.SolveTo(l.weights, &right); err != nil {
			return nil, fmt.Errorf("viz: Loadings of %s: %w", cut(m.Method()), err)
		}
	}
	var fitted mat.Dense
	fitted.Mul(z, l.weights)
	fitted.Sub(centred, &fitted)
	left := mat.Norm(&fitted, 2) / total
	l.note = fmt.Sprintf("%s is not linear: these are the weights of the linear map that fits all samples best, which explains %.0f %% of the variance.", cut(m.Method()), 100*max(1-left*left, 0))
	return l, l.check(m)
}

// withoutSamples is the error of Loadings for a model whose data have no dense features.
func withoutSamples(m Embedded) error {
	return fmt.Errorf("viz: Loadings of %s: %w", cut(m.Method()), withoutFeatures(m.Data()))
}

// local sets the weights by a ridge regression on the samples listed in the argument at. For a
// single sample, the regression uses its nearest neighbours. z contains the standardised features
// of all samples.
func (l *loadings) local(m Embedded, z *mat.Dense, at []int) error {
	y := m.Embedding()
	n, dims := y.Dims()
	if n < localLeast {
		return fmt.Errorf("a local map needs at least %d samples, but the data have %d; to draw the map of all samples, give none", localLeast, n)
	}
	if len(at) == 0 {
		return fmt.Errorf("the list of samples is empty; give one sample to use its nearest neighbours, or at least %d samples", localLeast)
	}
	rows := slices.Compact(slices.Sorted(slices.Values(at)))
	one, where := rows[0], fmt.Sprintf("among the %d samples given", len(rows))
	l.titleSuffix = fmt.Sprintf(", %d samples", len(rows))
	if len(rows) == 1 {
		near, err := graph.Query(context.Background(), m.Data().X, m.Data().X.Slice(one, one+1, 0, len(l.names)).(*mat.Dense), min(localNear, n), graph.Euclidean)
		if err != nil {
			return err
		}
		index, _ := near.Of(0)
		rows = nil
		for _, j := range index {
			rows = append(rows, int(j))
		}
		where, l.titleSuffix = fmt.Sprintf("among the %d samples nearest to sample %d", len(rows), one), fmt.Sprintf(" at sample %d", one)
	}
	if len(rows) < localLeast {
		return fmt.Errorf("%d samples are too few for a local map; give one sample to use its nearest neighbours, or at least %d samples", len(rows), localLeast)
	}
	if count := len(rows); count > localMost {
		for k := range localMost {
			rows[k] = rows[k*count/localMost]
		}
		rows = rows[:localMost]
		where += fmt.Sprintf(", of which %d are used", localMost)
	}
	x, to := centredRows(z, rows), centredRows(y, rows)
	total := mat.Norm(to, 2)
	if total == 0 {
		return fmt.Errorf("the embedding is constant %s; give other samples", where)
	}
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return fmt.Errorf("the singular value decomposition of the features failed %s; give other samples", where)
	}
	var u, v, c mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	s := svd.Values(nil)
	if s[0] == 0 {
		return fmt.Errorf("the features are constant %s; give other samples", where)
	}
	c.Mul(u.T(), to)
	count := float64(len(rows))
	best, least := 0.0, math.Inf(1)
	for power := -8; power <= 2; power++ {
		ridge := s[0] * s[0] * math.Pow(10, float64(power))
		left := 0.0 // sum of squared leave-one-out errors, over samples and dimensions
		for i := range rows {
			hat := 1 / count
			for j, sj := range s {
				hat += u.At(i, j) * u.At(i, j) * sj * sj / (sj*sj + ridge)
			}
			for k := range dims {
				e := to.At(i, k)
				for j, sj := range s {
					e -= u.At(i, j) * c.At(j, k) * sj * sj / (sj*sj + ridge)
				}
				e /= max(1-hat, 1e-9)
				left += e * e
			}
		}
		if left < least {
			best, least = ridge, left
		}
	}
	c.Apply(func(j, _ int, t float64) float64 { return t * s[j] / (s[j]*s[j] + best) }, &c)
	l.weights.Mul(&v, &c)
	alone := total * count / (count - 1) // leave-one-out error of predicting the mean
	l.note = fmt.Sprintf("%s is not linear: these are the weights of a linear approximation %s. It explains %.0f %% of the variance there when each sample is predicted from the others.",
		cut(m.Method()), where, 100*max(1-least/(alone*alone), 0))
	return nil
}

// centredRows returns a copy of the given rows of x, with columns centred at 0.
func centredRows(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for r, i := range rows {
		out.SetRow(r, x.RawRowView(i))
	}
	for k := range d {
		mean, lo, hi := 0.0, math.Inf(1), math.Inf(-1)
		for r := range rows {
			v := out.At(r, k)
			mean += v / float64(len(rows))
			lo, hi = min(lo, v), max(hi, v)
		}
		for r := range rows {
			if nearlyEqual(lo, hi) { // the difference from the mean is a rounding error
				out.Set(r, k, 0)
			} else {
				out.Set(r, k, out.At(r, k)-mean)
			}
		}
	}
	return out
}

// check returns an error if a weight cannot be drawn.
func (l *loadings) check(m Embedded) error {
	return moderate("a weight of "+cut(m.Method()), l.weights.RawMatrix().Data...)
}

// standardised returns a copy of x whose columns have mean 0 and standard deviation 1. It also
// returns the original standard deviations. Constant columns become 0, and their standard deviation
// is 0.
func standardised(x *mat.Dense) (*mat.Dense, []float64) {
	n, d := x.Dims()
	z, spread := mat.DenseCopyOf(x), make([]float64, d)
	for k := range d {
		column := mat.Col(nil, k, x)
		mean := 0.0
		for _, v := range column {
			mean += v / float64(n)
		}
		for _, v := range column {
			spread[k] = math.Hypot(spread[k], v-mean)
		}
		spread[k] /= math.Sqrt(float64(max(n-1, 1)))
		if nearlyEqual(mean-spread[k], mean+spread[k]) {
			spread[k] = 0
		}
		for i, v := range column {
			z.Set(i, k, 0)
			if spread[k] > 0 {
				z.Set(i, k, (v-mean)/spread[k])
			}
		}
	}
	return z, spread
}

// largest returns the features with the largest absolute weights in the first dims dimensions, in
// descending order. The argument most is the maximum number of features. Weights are compared
// relative to the largest weight of their dimension.
func (l *loadings) largest(dims, most int) []int {
	features, _ := l.weights.Dims()
	size := make([]float64, features)
	for k := range dims {
		column := mat.Col(nil, k, l.weights)
		if unit := math.Max(slices.Max(column), -slices.Min(column)); unit > 0 {
			for i, v := range column {
				size[i] = max(size[i], math.Abs(v)/unit)
			}
		}
	}
	order := make([]int, features)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case size[a] > size[b]:
			return -1
		case size[a] < size[b]:
			return 1
		}
		return 0
	})
	return order[:min(most, features)]
}

func (l *loadings) bars(dims int) Figure {
	rows := l.largest(dims, maxLoadings)
	groups := mapped(rows, func(i int) string { return l.names[i] })
	all := make([]BarSeries, dims)
	for k := range all {
		all[k].Name = fmt.Sprintf("dimension %d", k+1)
		column := mat.Col(nil, k, l.weights)
		tiny := rounding * max(slices.Max(column), -slices.Min(column))
		for _, i := range rows {
			weight := column[i]
			if math.Abs(weight) <= tiny {
				weight = 0
			}
			all[k].Mean = append(all[k].Mean, weight)
		}
	}
	s, err := newBars("change per standard deviation", groups, all)
	if err != nil {
		return failed("bars", err)
	}
	s.notes = present(l.note)
	if features := len(l.names); features > len(rows) {
		s.notes = append(s.notes, fmt.Sprintf("The %d features with the largest weights are shown, out of %d.", len(rows), features))
	}
	return Figure{kind: "bars", drawing: s}
}

func (l *loadings) pictures(shape data.Image, dims int) Figure {
	all := make([]Picture, dims)
	for k := range all {
		column := mat.Col(nil, k, l.weights)
		unit := max(slices.Max(column), -slices.Min(column), math.SmallestNonzeroFloat64)
		img := image.NewPaletted(image.Rect(0, 0, shape.Width, shape.Height), levels(diverging))
		for r := range shape.Height {
			for c := range shape.Width {
				img.SetColorIndex(c, r, uint8(127.5*(1+column[shape.At(r, c)]/unit)+0.5))
			}
		}
		all[k] = Picture{Image: img, Caption: fmt.Sprintf("dimension %d, up to ±%.3g", k+1, unit)}
	}
	g, err := newGallery(all)
	if err != nil {
		return failed("pictures", err)
	}
	g.notes = append(present(l.note), g.notes...)
	return Figure{kind: "pictures", drawing: g}
}

// Arrows returns a copy with arrows for the given number of features (1 to 100) with the largest
// weights, see [Loadings]. The arrows start at the middle of the embedding, as in a biplot, and
// point in the direction in which their feature increases. All arrows have a common scale, which
// differs from the scale of the axes. Arrows requires two dimensions.
func (f Figure) Arrows(count int) Figure {
	return f.restyled("Arrows", func(s *style) { s.arrows = &count })
}

// arrow shows the direction of a feature in the embedding, in coordinates of the embedding.
type arrow struct {
	name     string
	from, to [2]float64
}

// weigh computes the weights if the style draws arrows.
func (p *panel) weigh() error {
	if p.style.arrows == nil {
		return nil
	}
	count := *p.style.arrows
	if count < 1 || count > 100 {
		return fmt.Errorf("viz: Arrows(%d): the number of features is out of range; give 1 to 100", count)
	}
	var err error
	p.loadings, err = loadingsOf(p.model)
	return err
}

// arrows returns the arrows. The longest arrow is 0.45 times as long as the shorter of the two
// drawn ranges.
func (p *panel) arrows() []arrow {
	if p.loadings == nil {
		return nil
	}
	w := p.loadings.weights
	rows, longest := p.loadings.largest(2, *p.style.arrows), 0.0
	for _, i := range rows {
		longest = max(longest, math.Hypot(w.At(i, 0), w.At(i, 1)))
	}
	if longest == 0 {
		return nil
	}
	names := upTo(24, mapped(rows, func(i int) string { return p.loadings.names[i] }))
	reach := 0.45 * min(p.hi[0]-p.lo[0], p.hi[1]-p.lo[1])
	var out []arrow
	for k, i := range rows {
		a := arrow{name: names[k]}
		for k := range 2 {
			a.from[k] = p.lo[k]/2 + p.hi[k]/2
			a.to[k] = a.from[k] + reach*(w.At(i, k)/longest)
		}
		out = append(out, a)
	}
	return out
}

func (p *panel) arrowSeries(k int) []chart.Series {
	var lines []chart.Arrow
	scale := [2]float64{p.hi[0] - p.lo[0], p.hi[1] - p.lo[1]}
	at := func(v [2]float64) [2]float64 { return [2]float64{round(v[0], scale[0]), round(v[1], scale[1])} }
	for _, a := range p.arrows() {
		lines = append(lines, chart.Arrow{Name: a.name, Coords: [2][2]float64{at(a.from), at(a.to)}})
	}
	if lines == nil {
		return nil
	}
	return []chart.Series{&chart.Arrows{Type: "lines", CoordinateSystem: "cartesian2d", XAxisIndex: k, YAxisIndex: k, Data: lines, Silent: true, Z: 6,
		Symbol: [2]string{"none", "arrow"}, SymbolSize: 9, LineStyle: &opts.LineStyle{Color: ink, Width: 1.5, Opacity: opts.Float(0.9)}}}
}
