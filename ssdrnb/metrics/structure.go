package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// The scores in this file rate how well an embedding y (n×d) preserves the structure of x (n×D).
// Distances are Euclidean in both.

// checkEmbedded returns an error unless x and y have the same number of samples, at least `least`,
// and their distances are [measurable].
func checkEmbedded(x, y *mat.Dense, least int) error {
	n, err := embedded(x, y)
	if err != nil {
		return err
	}
	if n < least {
		return fmt.Errorf("%w: %s; at least %d are needed", ErrOption, nouns.Count(n, "sample"), least)
	}
	return nil
}

// RNX returns the curve R_NX(K) for K = 1, …, n − 2 and the area under it, with K on a logarithmic
// axis (Lee, Peluffo-Ordóñez, Verleysen 2015). Q_NX(K) is the mean share of the K nearest
// neighbours in x that are also among the K nearest in y. R_NX(K) = ((n−1)Q_NX(K) − K)/(n−1−K) is 1
// for a perfect embedding and 0 on average for a random one. The area is (Σ R_NX(K)/K)/(Σ 1/K),
// which gives small neighbourhoods the largest weight.
//
// Neighbours are ordered by (distance, index). n ≥ 3. If x is n×D, RNX takes O(n²(D + log n))
// operations and O(n) memory per processor.
func RNX(ctx context.Context, x, y *mat.Dense) (curve []float64, area float64, err error) {
	ctx = par.Context(ctx)
	if err := checkEmbedded(x, y, 3); err != nil {
		return nil, 0, err
	}
	n, _ := x.Dims()
	const block = 16
	// Sample j is among the K nearest of i in both x and y if K is at least the larger of its ranks
	// in x and in y. enters[b][K] counts, in block b, the pairs (i, j) whose larger rank is K.
	enters := make([][]int, (n+block-1)/block)
	par.Blocks(n, block, func(lo, hi int) {
		count := make([]int, n)
		inX, inY := newRanking(x), newRanking(y)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			a, b := inX.ranks(i), inY.ranks(i)
			for j := range n {
				if j != i {
					count[max(a[j], b[j])]++
				}
			}
		}
		enters[lo/block] = count
	})
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	common, weights := 0, 0.0
	for k := 1; k <= n-2; k++ {
		for _, count := range enters {
			common += count[k]
		}
		q := float64(common) / float64(n*k)
		r := (float64(n-1)*q - float64(k)) / float64(n-1-k)
		curve = append(curve, r)
		area += r / float64(k)
		weights += 1 / float64(k)
	}
	return curve, area / weights, nil
}

// ranking ranks the samples by their distance from a given sample.
type ranking struct {
	x     *mat.Dense
	dist  []float64
	order []int
	rank  []int
}

func newRanking(x *mat.Dense) *ranking {
	n, _ := x.Dims()
	return &ranking{x, make([]float64, n), make([]int, n), make([]int, n)}
}

// ranks returns the rank of every other sample by (distance from i, index), counted from 1.
func (r *ranking) ranks(i int) []int {
	at := r.x.RawRowView(i)
	for j := range r.order {
		r.order[j], r.dist[j] = j, samples.SquaredDistance(at, r.x.RawRowView(j))
	}
	r.dist[i] = -1 // ranks i before its duplicates
	slices.SortFunc(r.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.dist[a], r.dist[b]), a-b)
	})
	for place, j := range r.order {
		r.rank[j] = place
	}
	return r.rank
}

// TripletAccuracy returns the share, in [0, 1], of random triplets of samples (i, j, l) for which x
// and y agree on whether j or l is nearer to i (Wang, Huang, Rudin, Shaposhnik 2021). It measures
// global structure and is 0.5 on average for a random embedding. `each` is the number of triplets
// per sample i; 0 means 5. A triplet with equal distances in only one of x and y counts half. n ≥
// 3.
func TripletAccuracy(ctx context.Context, x, y *mat.Dense, each int, seed uint64) (float64, error) {
	ctx = par.Context(ctx)
	if err := checkEmbedded(x, y, 3); err != nil {
		return 0, err
	}
	if each < 0 {
		return 0, fmt.Errorf("%w: each = %d triplets per sample, but the number must not be negative", ErrOption, each)
	}
	each = cmp.Or(each, 5)
	n, _ := x.Dims()
	rng := rand.New(rand.NewPCG(seed, 0x7219))
	agree := 0 // in units of half a triplet
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for range each {
			j := rng.IntN(n - 1)
			if j >= i {
				j++
			}
			l := rng.IntN(n - 2)
			for _, taken := range []int{min(i, j), max(i, j)} {
				if l >= taken {
					l++
				}
			}
			a, b := nearer(x, i, j, l), nearer(y, i, j, l)
			switch {
			case a == b:
				agree += 2
			case a == 0 || b == 0:
				agree++
			}
		}
	}
	return float64(agree) / float64(2*n*each), nil
}

// nearer returns −1 if j is nearer to i than l is, 1 if l is nearer, and 0 for equal distances.
func nearer(x *mat.Dense, i, j, l int) int {
	at := x.RawRowView(i)
	return cmp.Compare(samples.SquaredDistance(at, x.RawRowView(j)), samples.SquaredDistance(at, x.RawRowView(l)))
}

// maxShepard is the largest number of pairs in a Shepard diagram.
const maxShepard = 1_000_000

// ShepardCorrelation returns Spearman's rank correlation, in [−1, 1], between the pairwise
// distances in x and in y. It is 1 if the Shepard diagram is an increasing curve. Equal distances
// share the mean of their ranks. If there are more than 1,000,000 pairs, only 1,000,000 pairs are
// compared, drawn at random with the given seed. The result is NaN if all distances in x or in y
// are equal. n ≥ 3.
func ShepardCorrelation(ctx context.Context, x, y *mat.Dense, seed uint64) (float64, error) {
	ctx = par.Context(ctx)
	if err := checkEmbedded(x, y, 3); err != nil {
		return 0, err
	}
	n, _ := x.Dims()
	var pairs [][2]int32
	if n*(n-1)/2 <= maxShepard {
		for i := range n {
			for j := range i {
				pairs = append(pairs, [2]int32{int32(i), int32(j)})
			}
		}
	} else {
		rng := rand.New(rand.NewPCG(seed, 0x5e9a))
		for range maxShepard {
			i, j := rng.IntN(n), rng.IntN(n-1)
			if j >= i {
				j++
			}
			pairs = append(pairs, [2]int32{int32(i), int32(j)})
		}
	}
	a, b := make([]float64, len(pairs)), make([]float64, len(pairs))
	par.Blocks(len(pairs), 1<<14, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		for k, p := range pairs[lo:hi] {
			i, j := int(p[0]), int(p[1])
			a[lo+k] = samples.SquaredDistance(x.RawRowView(i), x.RawRowView(j))
			b[lo+k] = samples.SquaredDistance(y.RawRowView(i), y.RawRowView(j))
		}
	})
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return correlation(meanRanks(a), meanRanks(b)), nil
}

// meanRanks returns the rank of each value, counted from 0. Equal values share the mean of their
// ranks.
func meanRanks(v []float64) []float64 {
	ascending := order.Rows(len(v))
	slices.SortFunc(ascending, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	out := make([]float64, len(v))
	for lo := 0; lo < len(ascending); {
		hi := lo
		for hi < len(ascending) && v[ascending[hi]] == v[ascending[lo]] {
			hi++
		}
		for _, i := range ascending[lo:hi] {
			out[i] = float64(lo+hi-1) / 2
		}
		lo = hi
	}
	return out
}

// correlation returns Pearson's correlation of a and b, or NaN if a or b is constant.
func correlation(a, b []float64) float64 {
	ma, mb := mean(a), mean(b)
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// Reliability returns, for each sample, the share of its k nearest neighbours in x that are also
// among its k nearest in y, in [0, 1]. The other neighbours in y are false neighbours. 1 ≤ k < n.
// The search is approximate if an exact search would take more than about two seconds, see
// [graph.Search].
func Reliability(ctx context.Context, x, y *mat.Dense, k int) ([]float64, error) {
	ctx = par.Context(ctx)
	if _, err := embedded(x, y); err != nil {
		return nil, err
	}
	near, err := graph.Search(ctx, x, k, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	shown, err := graph.Search(ctx, y, k, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	return KeptNeighbors(near, shown)
}

// KeptNeighbors is [Reliability] for given neighbours: `near` holds the neighbours in the data, and
// `shown` the neighbours in the embedding. Both must have the same number of samples and of
// neighbours per sample.
func KeptNeighbors(near, shown *graph.Neighbors) ([]float64, error) {
	if near.Len() != shown.Len() || near.K != shown.K {
		return nil, fmt.Errorf("%w: the data have %d neighbours for each of %d samples, but the embedding has %d neighbours for each of %d samples, and these numbers must be equal", ErrShape, near.K, near.Len(), shown.K, shown.Len())
	}
	out := make([]float64, near.Len())
	listed := make(map[int32]bool, near.K)
	for i := range out {
		clear(listed)
		index, _ := shown.Of(i)
		for _, j := range index {
			listed[j] = true
		}
		index, _ = near.Of(i)
		for _, j := range index {
			if listed[j] {
				out[i]++
			}
		}
		out[i] /= float64(near.K)
	}
	return out, nil
}

// Parameters of [Kept]. judged is the number of neighbours per sample. The number of samples lies
// between leastAsked and mostAsked, and is chosen so that the search for their neighbours takes
// about askedWork multiplications.
const (
	judged     = 15
	mostAsked  = 500
	leastAsked = 50
	askedWork  = 4e8
)

// KeptShare is the share of neighbours that an embedding preserves, see [Kept].
type KeptShare struct {
	Share          float64 // in [0, 1]
	K              int     // number of neighbours
	Asked, Samples int     // number of samples in the mean, and number of all samples
}

// Kept returns the mean share of a sample's 15 nearest neighbours in x that are among its 15
// nearest in y. For n ≤ 30, it uses (n − 1)/2 neighbours, rounded down, instead of 15. The mean is
// over at most 500 evenly spaced samples, and over fewer for large data, because the search takes
// O(nD) operations per sample. x and y have n ≥ 3 rows.
func Kept(ctx context.Context, x, y *mat.Dense) (KeptShare, error) {
	ctx = par.Context(ctx)
	if err := given(x, y); err != nil {
		return KeptShare{}, err
	}
	n, features := x.Dims()
	m, dims := y.Dims()
	if m != n || n < 3 {
		return KeptShare{}, fmt.Errorf("%w: there are %d samples and %d embedded samples; the two numbers must be equal and at least 3", ErrShape, n, m)
	}
	out := KeptShare{Samples: n, K: min(judged, (n-1)/2)}
	out.Asked = min(n, min(mostAsked, max(leastAsked, int(askedWork/(float64(n)*float64(features+dims))))))
	rows := make([]int, out.Asked)
	for r := range rows {
		rows[r] = r * n / out.Asked
	}
	if err := measurable(x, y); err != nil {
		return KeptShare{}, err
	}
	near, err := nearestOthers(ctx, x, rows, out.K)
	if err != nil {
		return KeptShare{}, err
	}
	shown, err := nearestOthers(ctx, y, rows, out.K)
	if err != nil {
		return KeptShare{}, err
	}
	kept := 0
	for r := range rows {
		for _, j := range near[r] {
			if slices.Contains(shown[r], j) {
				kept++
			}
		}
	}
	out.Share = float64(kept) / float64(out.Asked*out.K)
	return out, nil
}

// nearestOthers returns, for each of the given rows of x, the indices of its k nearest other rows.
func nearestOthers(ctx context.Context, x *mat.Dense, rows []int, k int) ([][]int32, error) {
	found, err := graph.Query(ctx, x, samples.Pick(x, rows), k+1, graph.Euclidean)
	if err != nil {
		return nil, err
	}
	out := make([][]int32, len(rows))
	for r, i := range rows {
		index, _ := found.Of(r)
		out[r] = slices.DeleteFunc(slices.Clone(index), func(j int32) bool { return int(j) == i })
		out[r] = out[r][:k] // with many duplicates, a row may be missing from its own list, which then has k + 1 others
	}
	return out, nil
}
