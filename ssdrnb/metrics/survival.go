package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Trustworthiness measures on a scale from 0 to 1 whether neighbours in the embedding y are also
// neighbours in x (Venna, Kaski 2001): 1 − 2/(nk(2n−3k−1))·Σ (r − k). The sum runs over all pairs
// of a sample i and a false neighbour j of it: a sample that is among the k nearest neighbours of i
// in y, but not among those in x. r is the rank of j by distance from i in x. 1 ≤ k < n/2.
//
// Neighbours are ordered by (distance, index). If x is n×D, the cost is O(n²D) operations, nearly
// all in matrix products, and O(nk) memory besides blocks of 64 rows of distances.
func Trustworthiness(ctx context.Context, x, y *mat.Dense, k int) (float64, error) {
	ctx = par.Context(ctx)
	n, err := embedded(x, y)
	if err != nil {
		return 0, err
	}
	if k < 1 || 2*k >= n {
		return 0, fmt.Errorf("%w: k = %d for %s; k must be at least 1 and below half the number of samples", ErrOption, k, nouns.Count(n, "sample"))
	}
	near, err := graph.Search(ctx, x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return 0, err
	}
	shown, err := graph.Search(ctx, y, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return 0, err
	}
	excess, err := rankExcess(ctx, x, near, shown)
	if err != nil {
		return 0, err
	}
	nf, kf := float64(n), float64(k)
	return 1 - 2*excess/(nf*kf*(2*nf-3*kf-1)), nil
}

// Continuity measures on a scale from 0 to 1 whether neighbours in x are still neighbours in the
// embedding y (Venna, Kaski 2001): [Trustworthiness] with x and y exchanged.
func Continuity(ctx context.Context, x, y *mat.Dense, k int) (float64, error) {
	return Trustworthiness(ctx, y, x, k)
}

// rankExcess returns the sum Σ (r − k) in [Trustworthiness]. `near` holds the k nearest neighbours
// in x, and `shown` the k nearest in the embedding.
func rankExcess(ctx context.Context, x *mat.Dense, near, shown *graph.Neighbors) (float64, error) {
	n, d := x.Dims()
	k := near.K
	// Inner products of the centred samples give the distances quickly, but with rounding errors.
	// Two distances that differ by less than the error bound are computed again from differences of
	// coordinates and then compared.
	c := samples.Minus(x, samples.Means(x))
	norm := make([]float64, n)
	for i := range norm {
		for _, v := range c.RawRowView(i) {
			norm[i] += v * v
		}
	}
	largest := 0.0
	for _, v := range norm {
		largest = max(largest, v)
	}
	slack := largest * float64(d+8) * 0x1p-50
	const block = 64
	sums := make([]int64, (n+block-1)/block)
	par.Blocks(n, block, func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		var product mat.Dense
		product.Mul(c.Slice(lo, hi, 0, d), c.T())
		listed := make(map[int32]bool, k)
		for i := lo; i < hi; i++ {
			clear(listed)
			index, _ := near.Of(i)
			for _, j := range index {
				listed[j] = true
			}
			gram := product.RawRowView(i - lo)
			others, _ := shown.Of(i)
			for _, j := range others {
				if !listed[j] {
					sums[lo/block] += int64(rank(x, i, int(j), gram, norm, slack) - k)
				}
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	total := int64(0)
	for _, s := range sums {
		total += s
	}
	return float64(total), nil
}

// rank returns the rank of sample j, counted from 1, among the samples other than i in the order
// (distance from i, index). gram holds the inner products of the centred sample i with all centred
// samples, and norm the squared norms of the centred samples. slack bounds the rounding error of a
// difference of two squared distances.
func rank(x *mat.Dense, i, j int, gram, norm []float64, slack float64) int {
	at := norm[j] - 2*gram[j]
	exact := samples.SquaredDistance(x.RawRowView(i), x.RawRowView(j))
	place := 1
	for l, v := range gram {
		switch diff := norm[l] - 2*v - at; {
		case l == i || l == j || diff > slack:
		case diff < -slack:
			place++
		default:
			if e := samples.SquaredDistance(x.RawRowView(i), x.RawRowView(l)); e < exact || e == exact && l < j {
				place++
			}
		}
	}
	return place
}

// given returns an error if one of the matrices is nil.
func given(all ...*mat.Dense) error {
	if slices.Contains(all, nil) {
		return fmt.Errorf("%w: a matrix is nil", ErrOption)
	}
	return nil
}

// embedded returns the number of rows of x, or an error if y has a different number of rows, or if
// x or y is not [measurable].
func embedded(x, y *mat.Dense) (int, error) {
	if err := given(x, y); err != nil {
		return 0, err
	}
	n, _ := x.Dims()
	if m, _ := y.Dims(); m != n {
		return 0, fmt.Errorf("%w: there are %d samples, but %d embedded samples instead of one for each sample", ErrShape, n, m)
	}
	return n, measurable(x, y)
}

// measurable returns an error unless all distances between rows of each matrix are finite and the
// square of the largest distance does not underflow. All rows may be equal.
func measurable(all ...*mat.Dense) error {
	for _, x := range all {
		if err := finite(x); err != nil {
			return err
		}
		if _, spread := samples.Extent(x); spread > 0 && spread < samples.LeastMeasurable {
			return fmt.Errorf("%w: the rows differ by at most %.3g, whose square underflows; multiply all rows by the same large factor", ErrOption, spread)
		}
	}
	return nil
}

// finite returns an error that names the first number of x that is not finite or would make a
// squared distance overflow.
func finite(x *mat.Dense) error {
	n, d := x.Dims()
	bound := math.Sqrt(math.MaxFloat64/float64(max(d, 1))) / 8
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if !(math.Abs(v) < bound) {
				return fmt.Errorf("%w: row %d, column %d is %v: squared distances overflow or are undefined", ErrNotFinite, i, j, v)
			}
		}
	}
	return nil
}
