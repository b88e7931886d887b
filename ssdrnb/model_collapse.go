package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Checks of the embeddings of training samples and of new samples.

// checkEmbedded returns an error if a coordinate is not finite, or if a row is so large that its
// squared distance to another row may overflow.
func checkEmbedded(y *mat.Dense) error {
	if err := data.CheckFinite(y); err != nil {
		return errors.New("the embedding is not finite")
	}
	n, _ := y.Dims()
	for i := range n {
		row := y.RawRowView(i)
		if norm := floats.Norm(row, 2); math.IsInf(4*norm*norm, 1) {
			return fmt.Errorf("row %d of the embedding has the norm %.3g, so that squared distances between rows may overflow", i, norm)
		}
	}
	return nil
}

// onePoint is a relative rounding error: two coordinates count as equal if they differ by at most
// onePoint times the largest coordinate.
const onePoint = 1e-10

// A dimension counts as a linear combination of the others if they leave at most the share
// sameDimension of its variance unexplained. The value is the rounding error of the Gram matrix.
const sameDimension = 1e-13

// describe adds properties of the finished embedding to the report: a warning if the embedding has
// collapsed, and the share of neighbours that it preserves.
func (m *Model) describe() {
	m.warnOfCollapse()
	m.tellKept()
}

// tellKept sets the functions that compute, on first use, the share of preserved neighbours for the
// report, the region that the samples occupy, and the class probabilities.
func (m *Model) tellKept() {
	m.tellExtent()
	m.knowledge = newKnowledge()
	x, y := m.data.X, m.y
	m.report.kept = nil
	if x != nil {
		m.report.kept = sync.OnceValues(func() (metrics.KeptShare, error) { return metrics.Kept(context.Background(), x, y) })
	}
}

// warnOfCollapse warns if different samples coincide at one or a few points, or if the embedding
// has fewer distinct dimensions than requested. A regression onto class indicators has one
// dimension for each class, and one dimension is always determined by the others; for such a model,
// the function warns of constant dimensions instead of redundant ones. If a few samples lie far
// from all others, the function warns only about these samples.
func (m *Model) warnOfCollapse() {
	n, asked := m.y.Dims()
	if lone, share := loneSamples(m.y); len(lone) > 0 {
		remedy := "check the values, or fit the others alone, with Data.Subset"
		if !m.data.Scaling().IsZero() {
			remedy += " before scaling"
		}
		m.report.add(warning{kind: collapse, text: fmt.Sprintf("%s %s so far away that all others occupy only %.2g %% of the width of the embedding; %s", listed(lone), nouns.Form(len(lone), "lies", "lie"), 100*share, remedy)})
		return
	}
	distinct := distinctDimensions(m.y)
	_, chosen := m.spec.method.Param("dims")
	if distinct > 0 && m.data.X != nil {
		if points, fewer := m.coincide(); fewer {
			m.report.add(warning{kind: collapse, text: fmt.Sprintf("the %d samples coincide at %s of the embedding, although they differ in the data; %s", n, nouns.Count(points, "point"), m.spread(points))})
		}
	}
	if !chosen && distinct > 0 {
		for k := range asked {
			if distinctDimensions(m.y.Slice(0, n, k, k+1).(*mat.Dense)) == 0 {
				m.report.add(warning{kind: collapse, text: fmt.Sprintf("dimension %d is constant; %s", k+1, m.uncollapse())})
			}
		}
	}
	switch {
	case distinct == 0:
		m.report.add(warning{kind: collapse, text: "all samples coincide at one point, so that the embedding shows nothing; " + m.uncollapse()})
	case chosen && distinct < asked:
		rest := nouns.Form(asked-distinct, "the other is constant or a linear combination of ", "the others are constant or linear combinations of ")
		m.report.add(warning{kind: collapse, text: fmt.Sprintf("the embedding has only %s of %d: %s%s; %s", nouns.Count(distinct, "distinct dimension"), asked, rest, nouns.Form(distinct, "it", "these"), m.uncollapse())})
	}
}

// partsAreDrawn reports whether the graph is disconnected, or nearly so, so that its components may
// appear as points. Another warning covers this case. The result is false for LMRAG and ULMRAG,
// whose graph has components by design.
func (m *Model) partsAreDrawn() bool {
	parts, _ := m.report.Fact("graph components")
	near := slices.ContainsFunc(m.report.warned, func(w warning) bool { return w.kind == nearParts })
	return (parts > 1 || near) && !m.spec.method.has(candidatesOption.Name)
}

// loneSamples returns the few samples so far away that the others occupy less than the share
// [invisible] of the width of the embedding. It also returns this share. The result is nil if there
// are no such samples, or if they are more than a fifth of all samples: among very few samples,
// each is far from the others.
func loneSamples(y *mat.Dense) (lone []int, share float64) {
	n, dims := y.Dims()
	// The median of a subset of the samples lies among the samples that are not lone.
	middle, some := make([]float64, dims), make([]float64, 0, middleSamples)
	for k := range dims {
		some = some[:0]
		for i := 0; i < n; i += 1 + (n-1)/middleSamples {
			some = append(some, y.At(i, k))
		}
		slices.Sort(some)
		middle[k] = some[len(some)/2]
	}
	width := widthWithout(y, nil)
	for i := range n {
		if floats.Distance(y.RawRowView(i), middle, math.Inf(1)) > invisible*width {
			if lone = append(lone, i); len(lone) > n/5 {
				return nil, 0
			}
		}
	}
	if len(lone) == 0 || len(lone) == n {
		return nil, 0
	}
	share = widthWithout(y, lone) / width
	if !(share < invisible) {
		return nil, 0
	}
	return lone, share
}

// invisible is the share of the width of an embedding that is smaller than a pixel in a figure.
// middleSamples is the approximate number of samples from which loneSamples computes a median.
const (
	invisible     = 1e-3
	middleSamples = 1000
)

// widthWithout returns the largest range of a coordinate over the rows of y. It leaves out the rows
// whose indices are listed, in ascending order, in the argument "but".
func widthWithout(y *mat.Dense, but []int) float64 {
	n, dims := y.Dims()
	low, high := slices.Repeat([]float64{math.Inf(1)}, dims), slices.Repeat([]float64{math.Inf(-1)}, dims)
	for i := range n {
		if len(but) > 0 && but[0] == i {
			but = but[1:]
			continue
		}
		for k, v := range y.RawRowView(i) {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	floats.Sub(high, low)
	return floats.Max(high)
}

// coincide reports whether the samples coincide at a few points although they differ in the data,
// and returns the number of points.
func (m *Model) coincide() (points int, fewer bool) {
	n, _ := m.y.Dims()
	most := min(fewPoints, n/5)
	if m.partsAreDrawn() {
		return 0, false
	}
	if parts, _ := m.report.Fact("graph components"); parts <= 1 {
		points = distinctPoints(m.y, most, samePoint*spreadOf(m.y))
		if points <= most && distinctPoints(m.data.X, points, samePoint*spreadOf(m.data.X)) > points {
			return points, true
		}
	}
	// If groups are far apart, the samples of a group may differ only by rounding errors of the
	// embedding.
	points = distinctPoints(m.y, most, onePoint*largest(m.y))
	return points, points <= most && distinctPoints(m.data.X, points, 0) > points
}

// spread returns the remedy for samples that coincide at the given number of points. It proposes to
// standardise the features only if this separates samples that coincide. Otherwise it proposes to
// fit groups of samples separately.
func (m *Model) spread(points int) string {
	var remedies []string
	if k, ok := m.report.Params[neighborsOption.Name].(int); ok && k < m.data.Len()-1 {
		remedies = append(remedies, "raise Neighbors")
	}
	if share, ok := m.spec.Value(pcaOption.Name).(float64); ok && share > 0.9 {
		remedies = append(remedies, "keep fewer directions, for example with PCA(0.9)")
	}
	if m.data.Scaling().IsZero() && distinctPoints(m.data.Scale01().X, points, samePoint) > points {
		remedies = append(remedies, "standardise the features")
	} else {
		remedies = append(remedies, "fit the groups of samples separately, with Data.Subset")
	}
	return strings.Join(remedies, ", or ")
}

// fewPoints is the largest number of points at which an embedding counts as collapsed. Points
// closer than samePoint times the spread of the embedding, see spreadOf, count as one.
const (
	fewPoints = 20
	samePoint = 1e-6
)

// spreadOf returns the largest absolute difference between a coordinate of any row and the same
// coordinate of the first row.
func spreadOf(y *mat.Dense) float64 {
	n, _ := y.Dims()
	most := 0.0
	for i := range n {
		most = max(most, floats.Distance(y.RawRowView(0), y.RawRowView(i), math.Inf(1)))
	}
	return most
}

func largest(y *mat.Dense) float64 { return max(mat.Max(y), -mat.Min(y)) }

// distinctPoints returns the number of distinct rows of y, or `most`+1 if there are more than
// `most`. Rows are equal if no coordinate differs by more than the argument "apart".
func distinctPoints(y *mat.Dense, most int, apart float64) int {
	n, _ := y.Dims()
	var points [][]float64
	for i := range n {
		row := y.RawRowView(i)
		if !slices.ContainsFunc(points, func(p []float64) bool { return floats.Distance(p, row, math.Inf(1)) <= apart }) {
			if points = append(points, row); len(points) > most {
				break
			}
		}
	}
	return len(points)
}

// uncollapse returns the remedy for an embedding that has collapsed or has redundant dimensions. It
// depends on the changed options that have an effect, the scaling of the data and the kind of
// method.
func (m *Model) uncollapse() string {
	var changed []string
	for _, name := range m.spec.Changed() {
		unused := slices.ContainsFunc(m.report.warned, func(w warning) bool { return w.kind == unusedOption && w.option == name })
		if p := m.spec.method.param(name); p.Kind == FloatParam && !unused {
			changed = append(changed, fmt.Sprintf("%s (%s)", name, p.format(m.spec.Value(name))))
		}
	}
	scaled := !m.data.Scaling().IsZero()
	parts := m.spec.parts()
	switch {
	case parts[len(parts)-1].method.Uses == FromAnchors && m.data.Anchors.Len() > 0:
		return "give the known samples coordinates that differ in every dimension"
	case changed != nil && (scaled || m.data.X == nil):
		return "move " + strings.Join(changed, ", ") + " nearer to the default"
	case changed != nil:
		return "move " + strings.Join(changed, ", ") + " nearer to the default, or standardise the features"
	case m.data.X == nil:
		return "leave out samples that are copies of others"
	case m.spec.method.Selects || scaled:
		return "remove features that are constant or copies of others"
	}
	return "standardise the features, and remove those that are constant or copies of others"
}

// distinctDimensions returns the rank of the centred embedding, with its columns scaled to equal
// length. Columns whose variation is only rounding error are not counted.
func distinctDimensions(y *mat.Dense) int {
	mean, c := dense.Center(y)
	n, d := c.Dims()
	var kept []int
	norms, column := make([]float64, d), make([]float64, n)
	for k := range d {
		mat.Col(column, k, c)
		spread := max(floats.Max(column), -floats.Min(column))
		norms[k] = floats.Norm(column, 2)
		// A column whose squared norm underflows is treated as constant too.
		if spread > onePoint*max(spread, math.Abs(mean[k])) && norms[k]*norms[k] > 0 {
			kept = append(kept, k)
		}
	}
	if len(kept) < 2 {
		return len(kept)
	}
	for i := range n { // in place: a ≤ k, so each value is read before it is overwritten
		row := c.RawRowView(i)
		for a, k := range kept {
			row[a] = row[k] / norms[k]
		}
	}
	gram := mat.NewSymDense(len(kept), nil)
	gram.SymOuterK(1, c.Slice(0, n, 0, len(kept)).T())
	// Well-conditioned columns are independent. The condition number is checked first, because the
	// matrix engine's Cholesky factorisation is many times faster than the pivoted one below.
	var chol mat.Cholesky
	if chol.Factorize(gram) && chol.Cond() < wellConditioned {
		return len(kept)
	}
	return pivots(gram)
}

// wellConditioned is a bound on the condition number. Below it, unit columns are linearly
// independent within the tolerance sameDimension.
const wellConditioned = 1e9

// pivots returns the rank of g, which has a unit diagonal: the number of steps of a pivoted
// Cholesky factorisation until only rounding error is left. It overwrites g.
func pivots(g *mat.SymDense) int {
	left := order.Rows(g.SymmetricDim())
	for rank := 0; ; rank++ {
		if len(left) == 0 {
			return rank
		}
		at := 0
		for a, k := range left {
			if g.At(k, k) > g.At(left[at], left[at]) {
				at = a
			}
		}
		p := left[at]
		top := g.At(p, p)
		if !(top > sameDimension) {
			return rank
		}
		left = slices.Delete(left, at, at+1)
		for a, i := range left {
			f := g.At(i, p) / top
			for _, k := range left[a:] {
				g.SetSym(i, k, g.At(i, k)-f*g.At(p, k))
			}
		}
	}
}
