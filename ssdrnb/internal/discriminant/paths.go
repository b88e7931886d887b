package discriminant

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Robustness returns log a_i ≤ 0 for each sample i. The robustness a_i is Σ_j exp(−d_ij²/t) over
// the neighbours j of i, divided by the largest of these sums over all samples. a_i may underflow,
// but its logarithm does not.
func Robustness(nb *graph.Neighbors, t float64) []float64 {
	logs := make([]float64, nb.Len())
	most := math.Inf(-1)
	for i := range logs {
		_, dist := nb.Of(i) // nearest first, so the first term is the largest
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

// TreeEdge is an edge of a tree. It stores the logarithm of its similarity.
type TreeEdge struct {
	to    int
	value float64
}

// RobustTree returns the maximum spanning tree of the similarities a_i·a_j·exp(−d²/t) between all
// rows of x, where d is their distance and logs holds log a_i. The result lists the edges of each
// sample.
func RobustTree(ctx context.Context, x *mat.Dense, logs []float64, t float64) ([][]TreeEdge, error) {
	n, _ := x.Dims()
	tree := make([][]TreeEdge, n)
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
				if v := logs[at] + logs[i] - samples.SquaredDistance(a, x.RawRowView(i))/t; v > best[i] {
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
		tree[p] = append(tree[p], TreeEdge{next, best[next]})
		tree[next] = append(tree[next], TreeEdge{p, best[next]})
		at = next
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// PathSimilarities returns, for each sample, the smallest similarity among the edges of the path in
// the tree from the source to the sample; for the source itself it is 1. If the tree is a maximum
// spanning tree, no other path between the two has a larger smallest similarity.
func PathSimilarities(tree [][]TreeEdge, source int) []float64 {
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

// UnlabelledScatter returns Σ_k Σ_u s(k, u)(z_u − μ_k)(z_u − μ_k)ᵀ over classes k and unlabelled
// samples u. μ_k is the class mean, and s(k, u) is the mean of the path similarities between u and
// the labelled samples of class k. The result is exactly 0 if it is 0 up to rounding.
func UnlabelledScatter(z *mat.Dense, labels, classes []int, tree [][]TreeEdge) *mat.SymDense {
	n, r := z.Dims()
	c := len(classes)
	similarity, means := mat.NewDense(c, n, nil), mat.NewDense(c, r, nil)
	par.Blocks(c, 1, func(k, _ int) {
		row, mean, count := similarity.RawRowView(k), means.RawRowView(k), 0.0
		for i, l := range labels {
			if l == classes[k] {
				count++
				for u, s := range PathSimilarities(tree, i) {
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
	// The expanded form is Σ_u s_u z_u z_uᵀ − Σ_k (b_k μ_kᵀ + μ_k b_kᵀ) + Σ_k s_k μ_k μ_kᵀ with s_u
	// = Σ_k s(k, u), s_k = Σ_u s(k, u) and b_k = Σ_u s(k, u) z_u. It takes a single sum of outer
	// products over all samples, instead of one for each class.
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
	expanded := mat.Trace(out)
	for k := range c {
		sum := 0.0
		for _, s := range similarity.RawRowView(k) {
			sum += s
		}
		mu := mat.NewVecDense(r, means.RawRowView(k))
		out.RankTwo(out, -1, mu, mat.NewVecDense(r, pull.RawRowView(k)))
		out.SymRankOne(out, sum, mu)
	}
	if mat.Trace(out) <= 4*float64(n+3*c)*0x1p-52*expanded {
		out.Zero()
	}
	return out
}
