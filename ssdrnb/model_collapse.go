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
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// The checks of every embedding, of training samples and of new ones.

// checkEmbedded returns an error for coordinates that are not finite, or so large that a
// distance between two rows would not be.
func checkEmbedded(y *mat.Dense) error {
	if err := data.CheckFinite(y); err != nil {
		return errors.New("the embedding is not finite")
	}
	n, _ := y.Dims()
	for i := range n {
		row := y.RawRowView(i)
		if norm := floats.Norm(row, 2); math.IsInf(4*norm*norm, 1) {
			return fmt.Errorf("row %d of the embedding has the norm %.3g, whose square overflows", i, norm)
		}
	}
	return nil
}

// onePoint is the share of the largest coordinate up to which differences between samples
// are rounding error.
const onePoint = 1e-10

// A coordinate repeats the others if they leave at most the share sameDimension of its
// variance unexplained, the rounding error of their Gram matrix.
const sameDimension = 1e-13

// describe completes the report with properties of the finished embedding: a warning if it
// has collapsed, and the share of neighbours that it preserves.
func (m *Model) describe() {
	m.warnOfCollapse()
	m.tellKept()
}

// tellKept sets how the report computes the share of preserved neighbours.
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
// dimension for each class, and one of them always follows from the others; only constant
// dimensions cause a warning then.
func (m *Model) warnOfCollapse() {
	n, asked := m.y.Dims()
	distinct := distinctDimensions(m.y)
	_, chosen := m.spec.method.Param("dims")
	parts, _ := m.report.Fact("components") // more than one causes a warning of its own
	if distinct > 0 && m.data.X != nil {
		if points, fewer := m.coincide(parts > 1); fewer {
			m.report.add(warning{kind: collapse, text: fmt.Sprintf("the %d samples coincide at %d points, although they differ; %s", n, points, m.spread())})
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
		m.report.add(warning{kind: collapse, text: fmt.Sprintf("the embedding has only %s of %d: the others are constant or linear combinations of these; %s", plural(distinct, "distinct dimension"), asked, m.uncollapse())})
	}
}

// coincide reports whether different samples lie on few points, and on how many. Components of a
// graph that collapse to points have a warning already, unless the method looks for components.
func (m *Model) coincide(parted bool) (points int, fewer bool) {
	n, _ := m.y.Dims()
	most := min(fewPoints, n/5)
	if !parted {
		points = distinctPoints(m.y, most, samePoint*spreadOf(m.y))
		if points <= most && distinctPoints(m.data.X, points, samePoint*spreadOf(m.data.X)) > points {
			return points, true
		}
	}
	if parted && !m.spec.method.has(candidatesOption.Name) {
		return 0, false
	}
	// A distant sample may hide that the others differ only by rounding.
	points = distinctPoints(m.y, most, onePoint*largest(m.y))
	return points, points <= most && distinctPoints(m.data.X, points, 0) > points
}

// spread returns the remedy for samples on a few points.
func (m *Model) spread() string {
	var remedies []string
	if m.spec.method.has(neighborsOption.Name) {
		remedies = append(remedies, "raise Neighbors")
	}
	if m.spec.method.has(pcaOption.Name) {
		remedies = append(remedies, "keep fewer directions, for example with PCA(0.9)")
	}
	return strings.Join(append(remedies, "standardise the features"), ", or ")
}

// fewPoints is the largest number of points of a collapse. Points closer than samePoint times the
// largest coordinate count as one.
const (
	fewPoints = 20
	samePoint = 1e-6
)

// spreadOf returns the largest deviation of a coordinate from the first row.
func spreadOf(y *mat.Dense) float64 {
	n, _ := y.Dims()
	most := 0.0
	for i := range n {
		most = max(most, floats.Distance(y.RawRowView(0), y.RawRowView(i), math.Inf(1)))
	}
	return most
}

// largest returns the largest absolute coordinate.
func largest(y *mat.Dense) float64 { return max(mat.Max(y), -mat.Min(y)) }

// distinctPoints returns the number of distinct rows of y up to a tolerance of the coordinates;
// most+1 if there are more than most.
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

// uncollapse returns the remedy for a collapse: undo the changed options, otherwise look at
// the data.
func (m *Model) uncollapse() string {
	var changed []string
	for _, name := range m.spec.Changed() {
		if p := m.spec.method.param(name); p.Kind == FloatParam {
			changed = append(changed, fmt.Sprintf("%s (%s)", name, p.format(m.spec.Value(name))))
		}
	}
	switch {
	case m.spec.method.Uses == FromAnchors && m.data.Anchors.Len() > 0:
		return "give the known samples coordinates that differ in every dimension"
	case changed != nil:
		return "move " + strings.Join(changed, ", ") + " nearer to the default, or standardise the features"
	case m.spec.method.Selects:
		return "remove features that are constant or copies of others"
	}
	return "standardise the features, and remove those that are constant or copies of others"
}

// distinctDimensions returns the rank of the centred embedding with columns of equal
// length. A column whose variation is rounding error does not count.
func distinctDimensions(y *mat.Dense) int {
	mean, c := dense.Center(y)
	n, d := c.Dims()
	var kept []int
	norms := make([]float64, d)
	for k := range d {
		column := mat.Col(nil, k, c)
		spread := max(floats.Max(column), -floats.Min(column))
		norms[k] = floats.Norm(column, 2)
		// A column whose square underflows counts as constant too.
		if spread > onePoint*max(spread, math.Abs(mean[k])) && norms[k]*norms[k] > 0 {
			kept = append(kept, k)
		}
	}
	if len(kept) < 2 {
		return len(kept)
	}
	unit := mat.NewDense(n, len(kept), nil)
	for i := range n {
		row, to := c.RawRowView(i), unit.RawRowView(i)
		for a, k := range kept {
			to[a] = row[k] / norms[k]
		}
	}
	gram := mat.NewSymDense(len(kept), nil)
	gram.SymOuterK(1, unit.T())
	// Well-conditioned columns are independent. The engine's Cholesky factorisation detects this
	// many times faster than a pivoted one.
	var chol mat.Cholesky
	if chol.Factorize(gram) && chol.Cond() < wellConditioned {
		return len(kept)
	}
	return pivots(gram)
}

// wellConditioned is a condition number up to which unit columns are independent up to
// sameDimension.
const wellConditioned = 1e9

// pivots returns the number of steps that a pivoted Cholesky factorisation of a matrix
// with unit diagonal takes until no more than rounding is left. It overwrites g.
func pivots(g *mat.SymDense) int {
	left := make([]int, g.SymmetricDim())
	for k := range left {
		left[k] = k
	}
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
