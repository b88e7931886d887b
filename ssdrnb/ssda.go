package ssdrnb

import (
	"context"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// SSDA returns the builder of semi-supervised discriminant analysis with robust
// path-based similarity. Manifold and Balance set the weight of the term S_u. Values
// are the generalised eigenvalues τ, falling; wᵀBw = 1 for the denominator B by
// the default norm.
//
// Source: Zhang, Yeung, CVPR 2008, as the semi-Riemannian paper describes it: LDA
// with a term for the similarity between unlabelled samples and class centres, and
// a ridge. The exact weighting of that paper was not at hand: the path similarity
// below is exact, how it enters is our reading.
//
// Objective: maximise tr((Wᵀ(S + λ_m·S_u + αI)W)⁻¹ WᵀS_b W), where
// S_u = Σ_k Σ_u s(k, u)(x_u − μ_k)(x_u − μ_k)ᵀ over the unlabelled samples u.
// s(k, u) is the mean similarity of u to the labelled samples of class k; that of two
// samples is the best path's, a path being as good as its worst edge. An edge has the
// similarity a_i·a_j·exp(−d_ij²/t); the robustness a_i, the sum of exp(−d²/t) over
// the nearest neighbours of i, relative to the largest, keeps outliers from bridging.
//
// Solution: best paths run in the maximum spanning tree of the complete graph; then
// S_b w = τ (S + λ_m·S_u + αI)w, the largest τ, S being S_w or S_t.
//
// Cost: O(n²D) time and O(n) memory for the tree (Prim), O(ln) for the paths, LDA's.
//
// Defaults: dims 2, neighbors 5, width t the squared half-median distance, manifold
// 0.1 relative, ridge 1e-3·tr(S_w)/D, within S_w, denominator norm, pca 1.
//
// Fails: where classes touch, best paths cross between them whatever the ends.
func SSDA() SSDABuilder { return newSSDA(Spec{method: ssda}) }

var ssdaNeighborsOption = declare[int](Param{Name: "neighbors", Setter: "Neighbors", Default: 5, Min: 1, Max: many,
	Doc: "nearest neighbours that tell how robust a sample is; less than the number of samples"})

var ssda = register(Method{
	Name: "SSDA", Func: "SSDA", Title: "semi-supervised discriminant analysis with robust path-based similarity", Paper: "Zhang, Yeung 2008",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2), ssdaNeighborsOption, widthOption, manifoldOptions(0.1), ridgeOption,
		ridgeScaleOption.with(1e-3), withinOption.with(WithinScatter), normOption, pcaOption.with(1)),
	fit: fitSSDA,
})

// SSDABuilder collects the options of [SSDA].
type SSDABuilder struct {
	common[SSDABuilder]
	dims[SSDABuilder]
	smooth[SSDABuilder]
	ridged[SSDABuilder]
	scattered[SSDABuilder]
	normed[SSDABuilder]
	reduction[SSDABuilder]
}

func newSSDA(s Spec) SSDABuilder {
	c := link(s, newSSDA)
	return SSDABuilder{common[SSDABuilder]{c}, dims[SSDABuilder]{c}, smooth[SSDABuilder]{c},
		ridged[SSDABuilder]{c}, scattered[SSDABuilder]{c}, normed[SSDABuilder]{c}, reduction[SSDABuilder]{c}}
}

// Neighbors sets the number of nearest neighbours that tell how robust a sample is,
// at least 1 and less than the number of samples.
func (b SSDABuilder) Neighbors(k int) SSDABuilder { return set(b.common.c, ssdaNeighborsOption, k) }

// Width sets t > 0 of the similarity exp(−d²/t), in squared units of the data. The
// default [Auto] takes t = σ² with σ half the median of all pairwise distances.
func (b SSDABuilder) Width(t float64) SSDABuilder { return set(b.common.c, widthOption, t) }

func fitSSDA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	if err := j.begin("paths"); err != nil {
		return nil, err
	}
	points := s.points(j.x())
	t, err := widthOf(j, points)
	if err != nil {
		return nil, err
	}
	nb, err := neighborsOf(j, points, ssdaNeighborsOption.of(j))
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	m, err := shared(j.work, pathStep{points, nb, t, s, sc})
	if err != nil {
		return nil, err
	}
	return ratioTrace(j, s, sc, m)
}

// pathStep returns S_u.
type pathStep struct {
	points    *mat.Dense
	neighbors *graph.Neighbors
	width     float64
	span      *span
	scatter   *scatter
}

func (s pathStep) run(w *work) (*penalty, error) {
	tree, err := robustTree(w.ctx, s.points, robustness(s.neighbors, s.width), s.width)
	if err != nil {
		return nil, err
	}
	term := unlabelledScatter(s.span.z, w.data.Labels, s.scatter.classes, tree)
	return &penalty{term: term, level: mat.Trace(term)}, nil
}

// robustness returns log a_i, at most 0. Logarithms do not underflow.
func robustness(nb *graph.Neighbors, t float64) []float64 {
	logs := make([]float64, nb.Len())
	most := math.Inf(-1)
	for i := range logs {
		_, dist := nb.Of(i) // nearest first: the first term is the largest
		sum := 0.0
		for _, d := range dist {
			sum += math.Exp((dist[0]*dist[0] - d*d) / t)
		}
		logs[i] = math.Log(sum) - dist[0]*dist[0]/t
		most = max(most, logs[i])
	}
	for i := range logs {
		logs[i] -= most
	}
	return logs
}

// treeEdge is an edge of a tree with the logarithm of its similarity.
type treeEdge struct {
	to    int
	value float64
}

// robustTree returns the maximum spanning tree of the similarities a_i·a_j·exp(−d²/t)
// between all rows of x, as the edges of each sample.
func robustTree(ctx context.Context, x *mat.Dense, logs []float64, t float64) ([][]treeEdge, error) {
	n, _ := x.Dims()
	tree := make([][]treeEdge, n)
	best, parent, inside := make([]float64, n), make([]int, n), make([]bool, n)
	for i := range best {
		best[i] = math.Inf(-1)
	}
	at := 0
	for count := 1; count < n; count++ {
		inside[at] = true
		a := x.RawRowView(at)
		par.Blocks(n, 2048, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if inside[i] {
					continue
				}
				if v := logs[at] + logs[i] - dense.SquaredDistance(a, x.RawRowView(i))/t; v > best[i] {
					best[i], parent[i] = v, at
				}
			}
		})
		next := -1
		for i, v := range best {
			if !inside[i] && (next < 0 || v > best[next]) {
				next = i
			}
		}
		p := parent[next]
		tree[p] = append(tree[p], treeEdge{next, best[next]})
		tree[next] = append(tree[next], treeEdge{p, best[next]})
		at = next
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// pathSimilarities returns the best path's similarity of the source to all samples,
// 1 to itself.
func pathSimilarities(tree [][]treeEdge, source int) []float64 {
	out := make([]float64, len(tree))
	type visit struct {
		at, from int
		value    float64
	}
	for stack := []visit{{source, -1, 0}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		out[v.at] = math.Exp(v.value)
		for _, e := range tree[v.at] {
			if e.to != v.from {
				stack = append(stack, visit{e.to, v.at, min(v.value, e.value)})
			}
		}
	}
	return out
}

// unlabelledScatter returns Σ_k Σ_u s(k, u)(z_u − μ_k)(z_u − μ_k)ᵀ.
func unlabelledScatter(z *mat.Dense, labels, classes []int, tree [][]treeEdge) *mat.SymDense {
	n, r := z.Dims()
	c := len(classes)
	similarity, means := mat.NewDense(c, n, nil), mat.NewDense(c, r, nil)
	par.Blocks(c, 1, func(k, _ int) {
		row, mean, count := similarity.RawRowView(k), means.RawRowView(k), 0.0
		for i, l := range labels {
			if l == classes[k] {
				count++
				for u, s := range pathSimilarities(tree, i) {
					row[u] += s
				}
				for q, v := range z.RawRowView(i) {
					mean[q] += v
				}
			}
		}
		for q := range mean {
			mean[q] /= count
		}
		for u := range row {
			row[u] /= count
			if labels[u] != data.Unlabelled {
				row[u] = 0
			}
		}
	})
	// Expanded: Σ_u s_u z_u z_uᵀ − Σ_k (b_k μ_kᵀ + μ_k b_kᵀ) + Σ_k s_k μ_k μ_kᵀ with
	// b_k = Σ_u s(k, u) z_u, so that it takes one product of n rows, not c of them.
	weighted, pull := mat.DenseCopyOf(z), mat.NewDense(c, r, nil)
	pull.Mul(similarity, z)
	for u := range n {
		sum := 0.0
		for k := range c {
			sum += similarity.At(k, u)
		}
		row := weighted.RawRowView(u)
		for q := range row {
			row[q] *= math.Sqrt(sum)
		}
	}
	out := mat.NewSymDense(r, nil)
	out.SymOuterK(1, weighted.T())
	for k := range c {
		sum := 0.0
		for _, s := range similarity.RawRowView(k) {
			sum += s
		}
		mu := mat.NewVecDense(r, means.RawRowView(k))
		out.RankTwo(out, -1, mu, mat.NewVecDense(r, pull.RawRowView(k)))
		out.SymRankOne(out, sum, mu)
	}
	return out
}
