package ssdrnb

import (
	"context"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// geometry is what the metric is learned on.
type geometry struct {
	distance  *mat.SymDense // d_ji of all samples, whole rows filled
	affinity  *sparse.CSR   // A
	laplacian *sparse.CSR   // L_A
	floor     float64       // distance up to which samples are duplicates
}

// row returns the distances of all samples to sample i.
func (g *geometry) row(i int) []float64 {
	raw := g.distance.RawSymmetric()
	return raw.Data[i*raw.Stride : i*raw.Stride+raw.N]
}

// tensors are the metric tensors of all samples after the threshold.
type tensors struct {
	columns     *sparse.CSR // column i of G as its row i
	isLabelled  []bool
	suggestions []int
}

// metricTensors learns the metric of the samples at points. Sweeps over γ, α₁ and α₂
// share the result, and those over all other options but K and the width the geometry.
func metricTensors(j *job, points *mat.Dense) (*tensors, error) {
	if err := j.begin("geodesics"); err != nil {
		return nil, err
	}
	g, err := geometryOf(j, points)
	if err != nil {
		return nil, err
	}
	if err := j.begin("metric tensors"); err != nil {
		return nil, err
	}
	return shared(j.work, tensorsStep{geometry: g, metricRules: metricRulesOf(j)})
}

// metricRules are the options by which the metric is learned.
type metricRules struct {
	k1, k2           int // K̂, Ǩ
	margin           string
	beta             float64
	lambdaL, lambdaU float64
	threshold        float64
	printed          bool // eq. 9 as printed
}

func metricRulesOf(j *job) metricRules {
	return metricRules{k1: homogeneousOption.of(j), k2: heterogeneousOption.of(j), margin: discrepancyOption.of(j), beta: dlaBetaOption.of(j),
		lambdaL: lambdaLOption.of(j), lambdaU: lambdaUOption.of(j), threshold: thresholdOption.of(j), printed: nullityOption.of(j) == NullityAsPrinted}
}

type tensorsStep struct {
	geometry *geometry
	metricRules
}

func (s tensorsStep) run(w *work) (*tensors, error) {
	t := newMetricLearner(w, s.geometry, s.metricRules)
	columns, err := t.learn(w)
	if err != nil {
		return nil, err
	}
	return &tensors{columns, t.isLabelled, t.suggest(t.doubts(columns))}, nil
}

// geometryOf computes graph, affinities and distances.
func geometryOf(j *job, points *mat.Dense) (*geometry, error) {
	key := geometryStep{points: points, k: s3rmmNeighborsOption.of(j), euclidean: distanceOption.of(j) == Euclidean}
	if !s3rmmWidthOption.auto(j) {
		key.width = s3rmmWidthOption.of(j)
	}
	return shared(j.work, key)
}

type geometryStep struct {
	points    *mat.Dense
	k         int     // K
	width     float64 // of the affinity; 0 asks for 2σ²
	euclidean bool
}

func (s geometryStep) run(w *work) (*geometry, error) {
	lengths, width, err := s.graph(w)
	if err != nil {
		return nil, err
	}
	// A weight that underflows is no fault here: λ keeps the systems regular.
	affinity := lengths.Clone()
	for k, d := range affinity.Val {
		affinity.Val[k] = math.Exp(-d * d / width)
	}
	g := &geometry{affinity: affinity, laplacian: graph.Laplacian(affinity)}
	if s.euclidean {
		g.distance = straight(s.points)
	} else {
		// Joined for the distances only; A has no bridges.
		joined, bridges, err := graph.Connect(w.ctx, s.points, lengths)
		if err != nil {
			return nil, err
		}
		if len(bridges) > 0 {
			w.warn("the neighbourhood graph has %d components; their shortest edges were added for the geodesics", len(bridges)+1)
		}
		if g.distance, _, err = graph.Geodesics(w.ctx, joined); err != nil {
			return nil, err
		}
	}
	g.floor = sameSpot * meanPositive(g.distance)
	return g, w.ctx.Err()
}

// graph returns the lengths of the K-neighbour graph, and the width of the affinity,
// by default 2σ² with σ the mean distance to the sixth neighbour.
func (s geometryStep) graph(w *work) (*sparse.CSR, float64, error) {
	n, _ := s.points.Dims()
	sixth := min(6, n-1)
	nb, err := graph.KNN(w.ctx, s.points, max(s.k, sixth))
	if err != nil {
		return nil, 0, err
	}
	width := s.width
	if width == 0 {
		sigma := 0.0
		for i := range n {
			_, dist := nb.Of(i)
			sigma += dist[sixth-1] / float64(n)
		}
		if sigma == 0 { // every sample has six duplicates
			if sigma, err = graph.HalfMedian(w.ctx, s.points); err != nil {
				return nil, 0, err
			}
		}
		w.fact("σ", sigma)
		width = 2 * sigma * sigma
	}
	lengths, err := nb.Head(s.k).Lengths(graph.Or)
	return lengths, width, err
}

// straight returns the Euclidean distances of all rows.
func straight(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	d := make([]float64, n*n)
	par.Blocks(n, 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := x.RawRowView(i)
			for k := range n {
				d[i*n+k] = math.Sqrt(dense.SquaredDistance(a, x.RawRowView(k)))
			}
		}
	})
	return mat.NewSymDense(n, d)
}

func meanPositive(d *mat.SymDense) float64 {
	sum, count := 0.0, 0
	raw := d.RawSymmetric()
	for i := range raw.N {
		for _, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			if v > 0 {
				sum, count = sum+v, count+1
			}
		}
	}
	return sum / float64(max(count, 1))
}

// metricLearner learns the metric tensors of S3RMM, the columns of G, in the steps
// of the paper's Table 1. Tensors are computed in blocks of columns; of each only
// the components above the threshold are kept.
type metricLearner struct {
	*geometry
	metricRules
	ctx        context.Context
	labelled   []int // ascending; with pairs, the ends of constraints
	unlabelled []int
	isLabelled []bool
	relatives  func(i int) (same, other []int) // what is known of a labelled sample

	same, other [][]int // N̂_i and Ň_i of every sample, once they are known
}

// tensorBlock is the number of tensors that are computed together.
const tensorBlock = 128

// newMetricLearner returns a learner that has not begun.
func newMetricLearner(w *work, g *geometry, rules metricRules) *metricLearner {
	n := w.data.Len()
	t := &metricLearner{geometry: g, metricRules: rules, ctx: w.ctx, isLabelled: make([]bool, n), same: make([][]int, n), other: make([][]int, n)}
	t.inform(w)
	return t
}

// inform sets what is known: of the pairs if the data carry any, else of the labels.
func (t *metricLearner) inform(w *work) {
	n := len(t.isLabelled)
	pairs := w.data.Pairs
	if pairs.Len() == 0 {
		labels := w.data.Labels
		for i, l := range labels {
			t.isLabelled[i] = l != data.Unlabelled
		}
		t.relatives = func(i int) (same, other []int) {
			for _, k := range t.labelled {
				switch {
				case k == i:
				case labels[k] == labels[i]:
					same = append(same, k)
				default:
					other = append(other, k)
				}
			}
			return same, other
		}
		if len(w.data.Classes()) == 1 {
			w.warn("all labelled samples are of one class: there is nothing to keep apart")
		}
	} else {
		// Both orders; a pair that is listed twice counts once.
		links := func(list []data.Pair) [][]int {
			of := make([][]int, n)
			for _, p := range list {
				of[p.I], of[p.J] = append(of[p.I], p.J), append(of[p.J], p.I)
				t.isLabelled[p.I], t.isLabelled[p.J] = true, true
			}
			for i := range of {
				slices.Sort(of[i])
				of[i] = slices.Compact(of[i])
			}
			return of
		}
		must, cannot := links(pairs.Must), links(pairs.Cannot)
		t.relatives = func(i int) (same, other []int) { return must[i], cannot[i] }
	}
	for i, known := range t.isLabelled {
		if known {
			t.labelled = append(t.labelled, i)
		} else {
			t.unlabelled = append(t.unlabelled, i)
		}
	}
}

// learn returns G after the threshold, with column i of G as its row i, and reports
// how well local nullity holds.
func (t *metricLearner) learn(w *work) (*sparse.CSR, error) {
	n := len(t.isLabelled)
	cols, vals, nullity := make([][]int32, n), make([][]float64, n), make([]float64, n)
	done := 0
	// keep computes the tensors of the given samples in blocks; also sees them whole.
	keep := func(samples []int, block func(lo, hi int) (*mat.Dense, error), also func(lo int, g *mat.Dense)) error {
		for lo := 0; lo < len(samples); lo += tensorBlock {
			hi := min(lo+tensorBlock, len(samples))
			g, err := block(lo, hi)
			if err != nil {
				return err
			}
			par.Blocks(hi-lo, 4, func(a, b int) {
				column := make([]float64, n)
				for c := a; c < b; c++ {
					i := samples[lo+c]
					mat.Col(column, c, g)
					nullity[i] = t.nullity(i, column)
					cols[i], vals[i] = t.prune(i, column)
				}
			})
			if also != nil {
				also(lo, g)
			}
			done += hi - lo
			w.progress(done, n, 0)
			if err := t.ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	}
	t.meet()
	block, err := t.labelledTensors()
	if err != nil {
		return nil, err
	}
	if err := keep(t.labelled, block, t.propagate); err != nil {
		return nil, err
	}
	if len(t.unlabelled) > 0 {
		t.extend()
		if block, err = t.unlabelledTensors(); err != nil {
			return nil, err
		}
		if err := keep(t.unlabelled, block, nil); err != nil {
			return nil, err
		}
		w.fact("nullity", slices.Max(nullity))
	}
	g := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
	for i := range n {
		g.ColInd, g.Val = append(g.ColInd, cols[i]...), append(g.Val, vals[i]...)
		g.RowPtr[i+1] = len(g.Val)
	}
	return g, nil
}

// nullity returns |Σ_j g_ji d_ji²| relative to the sum of the magnitudes.
func (t *metricLearner) nullity(i int, column []float64) float64 {
	sum, size := 0.0, 0.0
	for k, d := range t.row(i) {
		v := column[k] * d * d
		sum, size = sum+v, size+math.Abs(v)
	}
	if size == 0 {
		return 0
	}
	return math.Abs(sum) / size
}

// prune returns the components of column i that stay: all between labelled samples,
// else those of at least the threshold's share of the largest of their sign. The
// diagonal carries no margin and would disturb that maximum.
func (t *metricLearner) prune(i int, column []float64) (cols []int32, vals []float64) {
	most, least := 0.0, 0.0
	for k, v := range column {
		if k != i {
			most, least = max(most, v), min(least, v)
		}
	}
	for k, v := range column {
		weak := v >= 0 && v < t.threshold*most || v < 0 && v > t.threshold*least
		if v != 0 && k != i && !(weak && !(t.isLabelled[i] && t.isLabelled[k])) {
			cols, vals = append(cols, int32(k)), append(vals, v)
		}
	}
	return cols, vals
}

// doubts counts, for every unlabelled sample, the labelled tensors in which its
// component did not reach the threshold: samples that are neither clearly near nor
// clearly far. It is -1 for labelled samples.
func (t *metricLearner) doubts(columns *sparse.CSR) []float64 {
	out := slices.Repeat([]float64{-1}, len(t.isLabelled))
	for _, u := range t.unlabelled {
		out[u] = float64(len(t.labelled))
	}
	for _, i := range t.labelled {
		cols, _ := columns.Row(i)
		for _, k := range cols {
			if !t.isLabelled[k] {
				out[k]--
			}
		}
	}
	return out
}
