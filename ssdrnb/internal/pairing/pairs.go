// Package pairing computes the criteria of methods with must-links and cannot-links: scatter
// matrices of differences between linked samples, and trace ratios of embeddings.
package pairing

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Graph returns the symmetric n×n graph with an edge of weight value(i, j) for each pair (i, j).
func Graph(n int, pairs []data.Pair, value func(i, j int) float64) (*sparse.CSR, error) {
	entries := make([]sparse.Triplet, 0, 2*len(pairs))
	for _, p := range pairs {
		v := value(p.I, p.J)
		entries = append(entries, sparse.Triplet{Row: p.I, Col: p.J, Value: v}, sparse.Triplet{Row: p.J, Col: p.I, Value: v})
	}
	return sparse.FromTriplets(n, n, entries)
}

// Means returns the mean outer product of the differences z_i − z_j over the must-links, and the
// mean over the cannot-links, for the rows of z (n×r). Both are r×r. A mean is nil if there are no
// such pairs. If the data have no pairs, the labels imply a must-link for each pair of samples of
// the same class, and a cannot-link for each pair of samples of different classes. These pairs are
// not enumerated: the pairs of a class of m samples sum to m times the scatter of the class.
func Means(d *data.Data, z *mat.Dense) (must, cannot *mat.SymDense) {
	_, r := z.Dims()
	mean := func(sum *mat.SymDense, count float64) *mat.SymDense {
		if count == 0 {
			return nil
		}
		return dense.Plus(mat.NewSymDense(r, nil), 1/count, sum)
	}
	if p := d.Pairs; p.Len() > 0 {
		return mean(Scatter(z, p.Must), float64(len(p.Must))), mean(Scatter(z, p.Cannot), float64(len(p.Cannot)))
	}
	members, labelled := classMembers(d)
	sum := func(rows []int) *mat.SymDense {
		_, c := dense.Center(samples.Pick(z, rows))
		out := mat.NewSymDense(r, nil)
		out.SymOuterK(float64(len(rows)), c.T())
		return out
	}
	count := func(m int) float64 { return float64(m) * float64(m-1) / 2 }
	inside, pairs := mat.NewSymDense(r, nil), 0.0
	for _, class := range d.Classes() {
		inside = dense.Plus(inside, 1, sum(members[class]))
		pairs += count(len(members[class]))
	}
	all := count(len(labelled))
	return mean(inside, pairs), mean(dense.Plus(sum(labelled), -1, inside), all-pairs)
}

// Scatter returns the r×r matrix Σ (z_i − z_j)(z_i − z_j)ᵀ over the pairs (i, j) of rows of z
// (n×r).
func Scatter(z *mat.Dense, pairs []data.Pair) *mat.SymDense {
	_, r := z.Dims()
	sum := mat.NewSymDense(r, nil)
	const block = 2048
	for lo := 0; lo < len(pairs); lo += block {
		part := pairs[lo:min(lo+block, len(pairs))]
		diff := mat.NewDense(len(part), r, nil)
		for k, p := range part {
			row, a, b := diff.RawRowView(k), z.RawRowView(p.I), z.RawRowView(p.J)
			for c := range row {
				row[c] = a[c] - b[c]
			}
		}
		one := mat.NewSymDense(r, nil)
		one.SymOuterK(1, diff.T())
		sum.AddSym(sum, one)
	}
	return sum
}

// SquaredDifferences returns Σ (x_ir − x_jr)² over the must-links (i, j), and the sum over the
// cannot-links, for each column r of x (n×D). Pairs implied by labels are not enumerated: classes
// are added one by one, and their sums follow from the size, mean and scatter of the samples so
// far.
func SquaredDifferences(d *data.Data, x *mat.Dense) (must, cannot []float64) {
	_, features := x.Dims()
	must, cannot = make([]float64, features), make([]float64, features)
	if p := d.Pairs; p.Len() > 0 {
		for _, part := range []struct {
			pairs []data.Pair
			sum   []float64
		}{{p.Must, must}, {p.Cannot, cannot}} {
			for _, q := range part.pairs {
				a, b := x.RawRowView(q.I), x.RawRowView(q.J)
				for r := range part.sum {
					part.sum[r] += (a[r] - b[r]) * (a[r] - b[r])
				}
			}
		}
		return must, cannot
	}
	members, labelled := classMembers(d)
	if len(labelled) == 0 {
		return must, cannot
	}
	// Means are computed from the differences from one sample, so that sums over equal values are
	// exactly 0.
	zero := x.RawRowView(labelled[0])
	count, mean, scatter := 0.0, make([]float64, features), make([]float64, features)
	for _, class := range d.Classes() {
		rows := members[class]
		m, first := float64(len(rows)), x.RawRowView(rows[0])
		center, spread := make([]float64, features), make([]float64, features)
		for _, i := range rows {
			for r, v := range x.RawRowView(i) {
				center[r] += (v - first[r]) / m
			}
		}
		for _, i := range rows {
			for r, v := range x.RawRowView(i) {
				off := v - first[r] - center[r]
				spread[r] += off * off
			}
		}
		for r := range features {
			apart := first[r] - zero[r] + center[r] - mean[r]
			must[r] += m * spread[r]
			cannot[r] += m*scatter[r] + count*spread[r] + count*m*apart*apart
			scatter[r] += spread[r] + count*m/(count+m)*apart*apart
			mean[r] += m / (count + m) * apart
		}
		count += m
	}
	return must, cannot
}

// classMembers returns the samples of each class, and all labelled samples, ascending.
func classMembers(d *data.Data) (members map[int][]int, labelled []int) {
	members = map[int][]int{}
	for i, l := range d.Labels {
		if l >= 0 {
			members[l] = append(members[l], i)
			labelled = append(labelled, i)
		}
	}
	return members, labelled
}

// Lengths returns the symmetric graph of the pairs, weighted by the Euclidean distances between the
// rows of x.
func Lengths(x *mat.Dense, pairs []data.Pair) (*sparse.CSR, error) {
	n, _ := x.Dims()
	return Graph(n, pairs, func(a, b int) float64 {
		return math.Sqrt(samples.SquaredDistance(x.RawRowView(a), x.RawRowView(b)))
	})
}
