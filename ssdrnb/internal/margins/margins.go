// Package margins finds, for each labelled sample, the nearest labelled samples of its own class
// and of other classes, and computes the Laplacian of the graph of these pairs.
package margins

import (
	"cmp"
	"context"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Near lists neighbours of a sample with their distances, nearest first.
type Near struct {
	Index []int
	Dist  []float64
}

// Add appends to pairs a triplet (i, neighbour, weight) for each neighbour of sample i.
func (n Near) Add(pairs []sparse.Triplet, i int, weight float64) []sparse.Triplet {
	for _, k := range n.Index {
		pairs = append(pairs, sparse.Triplet{Row: i, Col: k, Value: weight})
	}
	return pairs
}

// Neighborhoods holds the neighbourhoods N̂_i (same class) and Ň_i (other classes) of every
// labelled sample i. Both are empty for an unlabelled sample.
type Neighborhoods struct{ Same, Other []Near }

// Nearest finds, for each sample i in `from`, its k nearest neighbours among the samples in `to`,
// and stores them in out[i]. It skips samples at a distance of at most `floor`, which are sample i
// itself and its duplicates. If fewer than k samples remain, Nearest takes all of them. search
// returns the given number of nearest neighbours of each sample in `from`, as indices into `to`.
// This number is at most `most`. Because duplicates are rare, Nearest first searches for k
// neighbours. It doubles this number while too few neighbours remain.
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

// Alignment returns the n×n Laplacian L of a list of weighted ordered pairs (i, j, t). It satisfies
// ZᵀLZ = Σ t·(z_i − z_j)(z_i − z_j)ᵀ for any matrix Z with rows z_iᵀ.
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

// BinaryAlignment is [Alignment] with weight 1 for each distinct unordered pair. It ignores the
// given weights and repeated or reversed pairs.
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

// MarginalPairs returns, for each class, the k shortest pairs that join a sample inside the class
// to a sample outside it. `other` lists, for each sample, the candidates outside its class. Among
// pairs of equal length, those with lower indices are taken.
func MarginalPairs(d *data.Data, other []Near, k int) []sparse.Triplet {
	var out []sparse.Triplet
	for _, class := range d.Classes() {
		var pairs []sparse.Triplet // Value is the distance between the two samples
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
