// Package margins finds the nearest labelled samples of a sample's own class and of other classes,
// and aligns the patches they form.
package margins

import (
	"cmp"
	"context"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Near lists the neighbours of a sample, nearest first.
type Near struct {
	Index []int
	Dist  []float64
}

// Add appends the pairs of sample i and its neighbours, all of the same weight.
func (n Near) Add(pairs []sparse.Triplet, i int, weight float64) []sparse.Triplet {
	for _, k := range n.Index {
		pairs = append(pairs, sparse.Triplet{Row: i, Col: k, Value: weight})
	}
	return pairs
}

// Neighborhoods has N̂_i and Ň_i of every labelled sample i; the others' are empty.
type Neighborhoods struct{ Same, Other []Near }

// Nearest fills out[from[a]] with up to k neighbours farther than floor. search finds neighbours
// among to, which has at most most candidates. Duplicates are rare: it searches for k, and for more
// only if some were skipped.
func Nearest(ctx context.Context, most, k int, floor float64, from, to []int, out []Near, search func(k int) (*graph.Neighbors, error)) error {
	for ask := min(k, most); ; ask = min(2*ask, most) {
		found, err := search(ask)
		if err != nil {
			return err
		}
		short := false
		for a, i := range from {
			index, dist := found.Of(a)
			first := 0
			for first < len(dist) && dist[first] <= floor {
				first++
			}
			last := min(first+k, len(dist))
			out[i] = Near{make([]int, last-first), slices.Clone(dist[first:last])}
			for b, t := range index[first:last] {
				out[i].Index[b] = to[t]
			}
			short = short || last-first < k
		}
		if !short || ask == most {
			return ctx.Err()
		}
	}
}

// Alignment returns the Laplacian L of a list of weighted ordered pairs (i, j, t),
// for which ZᵀLZ = Σ t·(z_i − z_j)(z_i − z_j)ᵀ; n×n, a row for every sample.
func Alignment(n int, pairs []sparse.Triplet) (*sparse.CSR, error) {
	t, err := sparse.FromTriplets(n, n, pairs)
	if err != nil {
		return nil, err
	}
	w, err := t.Symmetrize(sparse.Sum)
	if err != nil {
		return nil, err
	}
	return graph.Laplacian(w), nil
}

// BinaryAlignment is Alignment with the weight 1 for a pair in either or both orders.
func BinaryAlignment(n int, pairs []sparse.Triplet) (*sparse.CSR, error) {
	seen := make(map[[2]int]bool, len(pairs))
	once := pairs[:0:0]
	for _, p := range pairs {
		key := [2]int{min(p.Row, p.Col), max(p.Row, p.Col)}
		if !seen[key] {
			seen[key] = true
			once = append(once, sparse.Triplet{Row: key[0], Col: key[1], Value: 1})
		}
	}
	return Alignment(n, once)
}

// MarginalPairs returns, for each class, the shortest pairs of a sample inside and
// one outside; at equal length the lower indices win.
func MarginalPairs(d *data.Data, other []Near, k int) []sparse.Triplet {
	var out []sparse.Triplet
	for _, class := range d.Classes() {
		var pairs []sparse.Triplet // the value is the length
		for i, l := range d.Labels {
			if l == class {
				for a, o := range other[i].Index {
					pairs = append(pairs, sparse.Triplet{Row: i, Col: o, Value: other[i].Dist[a]})
				}
			}
		}
		slices.SortFunc(pairs, func(a, b sparse.Triplet) int {
			return cmp.Or(cmp.Compare(a.Value, b.Value), a.Row-b.Row, a.Col-b.Col)
		})
		out = append(out, pairs[:min(k, len(pairs))]...)
	}
	return out
}
