package ssdrnb

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The neighbours of the samples, the neighbourhood graph, and the manifold term from its Laplacian.

// points returns the points among which to search for neighbours: the coordinates z in the span if
// PCA dropped directions with variance, and otherwise the original samples x. For kernel methods it
// always returns x. The distances in x are preferred because rounding errors in z would break exact
// ties arbitrarily. Such ties are frequent for counts and pixels, and must be broken by index.
func (s *span) points(x *mat.Dense) *mat.Dense {
	if s.kernel != nil || s.whole {
		return x
	}
	return s.z
}

// neighborsOf returns the k nearest neighbours of every row of points. The search uses those of the
// options "search", "recall" and "metric" that the method has. In a [Series], successive fits may
// have different k. The search then rounds k up to a power of two, so that fits with similar k
// share a search, and neighborsOf returns the first k neighbours of each list.
func neighborsOf(j *job, points *mat.Dense, k int) (*graph.Neighbors, error) {
	return neighborsAmong(j, pointsOf{x: points, search: searchOf(j)}, k)
}

// neighborsAmong implements neighborsOf for the points and search settings in p. It warns if most
// samples coincide with all of their neighbours. The edges of the graph then mostly join copies,
// and which copies they join depends on the order of the rows.
func neighborsAmong(j *job, p pointsOf, k int) (*graph.Neighbors, error) {
	nb, err := searchFor(j, p, k)
	if err != nil {
		return nil, err
	}
	copies, err := shared(j.work, copiesStep{nb, p.x})
	remedy := ""
	for _, o := range []struct{ name, setter string }{{neighborsOption.Name, neighborsOption.Setter}, {perplexityOption.Name, perplexityOption.Setter}} {
		if remedy == "" && j.spec.method.has(o.name) {
			remedy = "; raise " + o.setter
		}
	}
	switch n := nb.Len(); {
	case copies == n:
		j.warn("every sample coincides with %s: the graph links only copies, and which ones depends on the order of the rows%s", nouns.Form(nb.K, "its nearest neighbour", fmt.Sprintf("all of its %d nearest neighbours", nb.K)), remedy)
	case 2*copies > n:
		j.warn("%d of the %d samples coincide with %s: the graph hardly compares different samples, and its edges depend on the order of the rows%s", copies, n, nouns.Form(nb.K, "their nearest neighbour", fmt.Sprintf("all of their %d nearest neighbours", nb.K)), remedy)
	}
	return nb, err
}

// searchFor returns the same neighbours as neighborsAmong, without the warning.
func searchFor(j *job, p pointsOf, k int) (*graph.Neighbors, error) {
	if p.x == nil {
		reason := "all pairs of sparse rows are compared"
		if j.data.Related() {
			reason = "the data already contain distances"
		}
		j.unused(searchOption.Name, reason)
		j.unused(recallOption.Name, reason)
	}
	step := neighborsStep{p.x, k, p.search, j.spec.fresh}
	if j.cache.series {
		step.k = max(k, min(j.availableNeighbors(), max(16, 1<<bits.Len(uint(k-1)))))
	}
	nb, err := shared(j.work, step)
	if err != nil && step.search.Metric != graph.Euclidean && (errors.Is(err, graph.ErrNotFinite) || errors.Is(err, graph.ErrOption)) {
		remedy := cmp.Or(strings.Replace(advice.Of(err), "use the Euclidean metric", "set Metric(Euclidean)", 1), "set Metric(Euclidean)")
		return nil, j.fault(metricOption.Name, metricOption.of(j), fmt.Errorf("%w: %w", ErrData, advice.Cause(err)), remedy)
	}
	if err != nil || step.k == k {
		return nb, err
	}
	return shared(j.work, headStep{nb, k})
}

// neighborsStep searches for neighbours, unless a cached result exists. If fresh is true, cached
// results are ignored.
type neighborsStep struct {
	points *mat.Dense
	k      int
	search graph.SearchOptions
	fresh  bool
}

func (s neighborsStep) run(w *work) (*graph.Neighbors, error) {
	nb, err := s.remembered(w)
	if err == nil && nb.Method == graph.Approximate {
		w.fact("recall of the approximate search", nb.Recall)
		// The estimated recall has a standard error of about 0.02.
		if want := cmp.Or(s.search.Recall, 0.95); nb.Recall < want-0.05 {
			w.warn("the approximate search found about %.0f %% of the neighbours, not the %.0f %% set by Recall; set Search(%q) to find all", 100*nb.Recall, 100*want, ExactSearch)
		}
	}
	return nb, err
}

// headStep shortens the lists of neighbours to k entries. It is a step, so that fits with equal k
// get the same pointer. Later steps that contain this pointer then have equal cache keys.
type headStep struct {
	neighbors *graph.Neighbors
	k         int
}

func (s headStep) run(*work) (*graph.Neighbors, error) { return s.neighbors.Head(s.k), nil }

// exactBridges is the largest number of samples for which joined finds the shortest possible edges.
// For more samples, comparing all pairs would take longer than the search for neighbours.
const exactBridges = 10000

// joined returns additional edges that join the components of a graph of the points, and the words
// "the shortest" or "nearly the shortest" for the report. The argument lengths has the edge lengths
// of the graph. The additional edges are the shortest possible if there are at most exactBridges
// samples or if the option "search" is exact. A connected graph needs none.
func joined(j *job, points *mat.Dense, lengths *sparse.CSR) (bridges []graph.Bridge, name string, err error) {
	if points == nil {
		bridges, err = relatedBridges(j, lengths)
		return bridges, "the shortest", err
	}
	if n, _ := points.Dims(); n <= exactBridges || searchOf(j).Method == graph.Exact {
		_, bridges, err = graph.Connect(j.ctx, points, lengths)
		return bridges, "the shortest", err
	}
	_, bridges, err = graph.ConnectNearly(j.ctx, points, lengths)
	return bridges, "nearly the shortest", err
}

// neighborGraph returns the k-NN graph of the points according to the options "neighbors",
// "affinity" and "width". Two samples are linked if either is among the k nearest of the other.
func neighborGraph(j *job, points *mat.Dense) (*sparse.CSR, error) {
	if err := j.begin("graph"); err != nil {
		return nil, err
	}
	if metricOf(j) != graph.Euclidean {
		points = j.x() // centring changes other metrics, such as the cosine
	}
	nb, err := neighborsOf(j, points, neighborsOption.of(j))
	if err != nil {
		return nil, err
	}
	key := graphStep{neighbors: nb, affinity: affinityOption.of(j)}
	if key.affinity == Heat {
		if key.width, err = widthOf(j, points); err != nil {
			return nil, err
		}
	}
	return shared(j.work, key)
}

// copiesStep counts the samples that equal all of their neighbours up to rounding errors.
type copiesStep struct {
	neighbors *graph.Neighbors
	points    *mat.Dense // nil for data without dense features
}

func (s copiesStep) run(*work) (int, error) {
	n, count := s.neighbors.Len(), 0
	for i := range n {
		index, dist := s.neighbors.Of(i)
		farthest := dist[len(dist)-1]
		if s.points != nil && farthest > 0 {
			a, b := s.points.RawRowView(i), s.points.RawRowView(int(index[len(index)-1]))
			if samples.SquaredDistance(a, b) <= math.Pow(0x1p-50*float64(len(a)), 2)*max(floats.Dot(a, a), floats.Dot(b, b)) {
				farthest = 0
			}
		}
		if farthest == 0 {
			count++
		}
	}
	return count, nil
}

type graphStep struct {
	neighbors *graph.Neighbors
	affinity  Affinity
	width     float64 // width of the heat affinity
}

func (s graphStep) run(w *work) (*sparse.CSR, error) {
	lengths, err := s.neighbors.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	return weighed(w, lengths, affinityRule(s.affinity, s.width), s.neighbors.Scales(), true)
}

// weighed returns the graph of lengths, with each length replaced by its weight according to the
// argument rule. It warns of lone samples, whose weights all underflow to 0; [graph.Weigh] gives
// them a wider affinity. If all samples with edges are lone, the width is too small, and weighed
// returns an error if strict is true. The argument strict is false for pair constraints with the
// automatic width, because a few distant pairs do not mean that this width is wrong. The argument
// scale has the local scales for self-tuning weights.
func weighed(w *work, lengths *sparse.CSR, rule graph.Weights, scale []float64, strict bool) (*sparse.CSR, error) {
	lone, err := graph.Lone(lengths, rule, scale)
	if err != nil {
		return nil, err
	}
	if linked := len(slices.Compact(slices.Clone(lengths.RowPtr))) - 1; strict && linked > 0 && len(lone) == linked {
		return nil, advice.Errorf("leave Width at Auto, or raise it to the square of a typical distance between neighbours", "%w: every weight of all %d samples is 0 (%v)", graph.ErrUnderflow, linked, rule)
	}
	if len(lone) > 0 {
		w.warn("all weights of %s underflow, because the nearest neighbours are far away (%v): a wider affinity was used there; check the values", listed(lone), rule)
	}
	return graph.Weigh(lengths, rule, scale)
}

// listed formats the first few row numbers: "sample 4", "samples 4, 20 and 47".
func listed(rows []int) string {
	const most = 8
	if len(rows) == 1 {
		return fmt.Sprintf("sample %d", rows[0])
	}
	names := make([]string, min(most, len(rows)))
	for a := range names {
		names[a] = strconv.Itoa(rows[a])
	}
	last := names[len(names)-1]
	if names = names[:len(names)-1]; len(rows) > most {
		names, last = append(names, last), fmt.Sprintf("%d more", len(rows)-most)
	}
	return fmt.Sprintf("samples %s and %s", strings.Join(names, ", "), last)
}

// affinityRule returns the function that computes the weight of an edge.
func affinityRule(affinity Affinity, width float64) graph.Weights {
	switch affinity {
	case SelfTuning:
		return graph.SelfTuning()
	case Heat:
		return graph.Heat(width)
	}
	return graph.Binary()
}

// widthOf returns the option "width". Its automatic value is σ², where σ is half the median of all
// pairwise distances.
func widthOf(j *job, points *mat.Dense) (float64, error) {
	if !widthOption.auto(j) {
		return widthOption.of(j), nil
	}
	sigma, err := shared(j.work, halfMedianStep{points, metricOf(j)})
	return sigma * sigma, err
}

// halfMedianStep computes and reports σ, half the median of all pairwise distances. If points is
// nil, the data have no dense features, and relatedWidth computes σ.
type halfMedianStep struct {
	points *mat.Dense
	metric graph.Metric
}

func (s halfMedianStep) run(w *work) (float64, error) {
	var sigma float64
	var err error
	if s.points == nil {
		sigma, err = s.relatedWidth(w)
	} else {
		sigma, err = graph.HalfMedian(w.ctx, s.points, s.metric)
	}
	if err == nil {
		w.fact("σ", sigma)
	}
	return sigma, err
}

// penalty is a term that is added to a denominator, such as the manifold term.
type penalty struct {
	term     *mat.SymDense
	level    float64 // trace of the term, over all directions for a kernel; sets the scale of its weight
	vanishes string  // why the term may be 0, for a warning; "" for no warning
}

// allCopies is the reason that a warning gives for a term or criterion that is 0.
const allCopies = "all samples coincide with their neighbours"

// smoothness returns the manifold term R·L·Rᵀ, where L is the Laplacian of the graph w. The term is
// large along directions that separate neighbours.
func smoothness(j *job, s *span, w *sparse.CSR) (*penalty, error) {
	return shared(j.work, smoothnessStep{s, w})
}

type smoothnessStep struct {
	span  *span
	graph *sparse.CSR
}

func (s smoothnessStep) run(w *work) (*penalty, error) {
	m := &penalty{term: s.span.smooth(w, graph.Laplacian(s.graph)), vanishes: allCopies}
	m.level = mat.Trace(m.term)
	if s.span.kernel != nil && m.level != 0 {
		m.level = dense.Roughness(s.graph, s.span.kernel.factor.F)
	}
	return m, nil
}

// smooth returns zᵀ·l·z for the Laplacian l of a graph of all samples. It is exactly 0 if the two
// samples of every edge are equal up to rounding errors.
func (s *span) smooth(w *work, l *sparse.CSR) *mat.SymDense {
	return dense.Smoothness(l, s.z, s.rounding(w.x()))
}

// graphOf returns the span of the samples and the neighbour graph of all samples. The argument
// spanOf is the function spanOf or kernelSpanOf.
func graphOf(j *job, spanOf func(*job) (*span, error)) (*span, *sparse.CSR, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, nil, err
	}
	w, err := neighborGraph(j, s.points(j.x()))
	return s, w, err
}

// manifoldOf returns the span of the samples and the manifold term from the neighbour graph of all
// samples. If the weight of the term is 0, no graph is computed and the term is 0.
func manifoldOf(j *job, spanOf func(*job) (*span, error)) (*span, *penalty, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, nil, err
	}
	m, err := weightedSmoothness(j, s, manifoldOption.of(j))
	return s, m, err
}

// weightedSmoothness returns the manifold term of the neighbour graph. If the argument weight is 0,
// it searches for no neighbours and returns a term of 0.
func weightedSmoothness(j *job, s *span, weight float64) (*penalty, error) {
	if weight == 0 {
		return shared(j.work, noSmoothnessStep{s})
	}
	w, err := neighborGraph(j, s.points(j.x()))
	if err != nil {
		return nil, err
	}
	return smoothness(j, s, w)
}

// noSmoothnessStep returns a manifold term of 0. It is a step so that fits with the same span share
// the steps that depend on the term.
type noSmoothnessStep struct{ span *span }

func (s noSmoothnessStep) run(*work) (*penalty, error) {
	_, r := s.span.z.Dims()
	return &penalty{term: mat.NewSymDense(r, nil)}, nil
}

// manifoldWeight returns the factor λ_m of the penalty m according to the options "manifold" and
// "balance". If tr(S_w) is 0, for example with one labelled sample per class, the trace of the
// between-class scatter replaces it.
func manifoldWeight(j *job, sc *discriminant.Scatter, m *penalty) float64 {
	weight, within := manifoldOption.of(j), sc.Level.Within
	if sc.Collapsed() {
		within = sc.Level.Between
	}
	if weight == 0 {
		return 0
	}
	switch balance := balanceOption.of(j); {
	case m.level == 0:
		if m.vanishes != "" {
			j.warn("%s: the manifold term is 0 and has no effect", m.vanishes)
		}
		return 0
	case balance == Relative:
		weight *= within / m.level
	case balance == asPrinted:
		weight *= m.level / within
	}
	j.fact("λ_m", weight)
	return weight
}
