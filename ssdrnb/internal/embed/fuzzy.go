package embed

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// rowBlock is the number of rows that a worker takes at a time.
const rowBlock = 256

// FuzzyGraph is the fuzzy simplicial set of a list of neighbours.
type FuzzyGraph struct {
	// W are the weights of the edges, symmetric, in (0, 1].
	W *sparse.CSR
	// Rho and Sigma have the distance to the nearest other sample that is no duplicate,
	// and the scale beyond it, for every sample.
	Rho, Sigma []float64
}

// Fuzzy returns the weights of UMAP's graph. With ρ the distance of a sample to the
// nearest that is no duplicate, a neighbour at distance d has the membership
// exp(−max(0, d − ρ)/σ), and σ is such that these sum to log₂(K+1) over the K listed
// neighbours; the union of both directions, a + b − ab, is the weight of an edge.
//
// umap-learn counts a sample among its own neighbours: its n_neighbors is K+1.
func Fuzzy(nb *graph.Neighbors) (*FuzzyGraph, error) {
	rho, sigma := memberships(nb)
	w := nb.Directed()
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, vals := w.Row(i)
			for k, d := range vals {
				vals[k] = membership(d, rho[i], sigma[i])
			}
		}
	})
	u, err := union(w)
	if err != nil {
		return nil, err
	}
	return &FuzzyGraph{W: u, Rho: rho, Sigma: sigma}, nil
}

// FuzzyTo returns the memberships of queries in the samples that nb lists for them,
// one row per query and samples columns: the directed weights that [Place] takes.
func FuzzyTo(nb *graph.Neighbors, samples int) (*sparse.CSR, error) {
	rho, sigma := memberships(nb)
	entries := make([]sparse.Triplet, 0, len(nb.Index))
	for i := range nb.Len() {
		index, dist := nb.Of(i)
		for k, j := range index {
			entries = append(entries, sparse.Triplet{Row: i, Col: int(j), Value: membership(dist[k], rho[i], sigma[i])})
		}
	}
	return sparse.FromTriplets(nb.Len(), samples, entries)
}

func membership(d, rho, sigma float64) float64 {
	if d <= rho {
		return 1
	}
	return math.Exp(-(d - rho) / sigma)
}

// memberships returns ρ and σ of every sample. σ is at least a thousandth of the mean
// distance to the sample's neighbours, or of the mean of all where those coincide, as
// in umap-learn: among neighbours at equal distances no σ reaches the sum.
func memberships(nb *graph.Neighbors) (rho, sigma []float64) {
	const floor = 1e-3
	n := nb.Len()
	rho, sigma = make([]float64, n), make([]float64, n)
	target := math.Log2(float64(nb.K + 1))
	mean := 0.0
	for _, d := range nb.Dist {
		mean += d
	}
	// The sample itself, at distance 0, counts in these means.
	mean /= float64(n) * float64(nb.K+1)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, dist := nb.Of(i)
			own := 0.0
			for k := len(dist) - 1; k >= 0; k-- {
				own += dist[k]
				if dist[k] > 0 {
					rho[i] = dist[k]
				}
			}
			own /= float64(nb.K + 1)
			sigma[i] = solveScale(dist, rho[i], own, target)
			if rho[i] > 0 {
				sigma[i] = max(sigma[i], floor*own)
			} else {
				sigma[i] = max(sigma[i], floor*mean)
			}
		}
	})
	return rho, sigma
}

// solveScale returns σ with Σ exp(−max(0, d − ρ)/σ) = target to ten digits, or one near
// 0 or very large where the sum is above or below for every σ.
// It begins at the power of two above start, which has the unit of the distances: the
// result in another unit is the same, and no unit is too far away to be found.
func solveScale(dist []float64, rho, start, target float64) float64 {
	_, exponent := math.Frexp(start)
	lo, mid, hi := 0.0, math.Ldexp(1, exponent), math.Inf(1)
	for range 100 {
		sum := 0.0
		for _, d := range dist {
			sum += membership(d, rho, mid)
		}
		if math.Abs(sum-target) < 1e-10 {
			break
		}
		if sum > target {
			hi = mid
		} else {
			lo = mid
		}
		if math.IsInf(hi, 1) {
			mid *= 2
		} else {
			mid = (lo + hi) / 2
		}
	}
	return mid
}

// union returns a + b − ab for the entries a of w and b of wᵀ. The sum s and the
// difference t of the two have one pattern, and ab = (s² − t²)/4.
func union(w *sparse.CSR) (*sparse.CSR, error) {
	t := w.T()
	sum, err := sparse.Add(1, w, 1, t)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrShape, err)
	}
	diff, err := sparse.Add(1, w, -1, t)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrShape, err)
	}
	for k, s := range sum.Val {
		sum.Val[k] = s - (s+diff.Val[k])*(s-diff.Val[k])/4
	}
	return dropZeros(sum), nil
}

// dropZeros removes the entries of m that are 0, in place.
func dropZeros(m *sparse.CSR) *sparse.CSR {
	at, start := 0, 0
	for i := range m.Rows {
		end := m.RowPtr[i+1]
		for k := start; k < end; k++ {
			if m.Val[k] != 0 {
				m.ColInd[at], m.Val[at] = m.ColInd[k], m.Val[k]
				at++
			}
		}
		start, m.RowPtr[i+1] = end, at
	}
	m.ColInd, m.Val = m.ColInd[:at], m.Val[:at]
	return m
}

// UseLabels returns UMAP's graph w with the labels taken into account as umap-learn
// does it (its "categorical intersection"): an edge with an unlabelled end (−1) is
// weighed by exp(−1), one between different labels by exp(−far), and every sample is
// then connected again: rows are divided by their largest weight, and the union of both
// directions is taken. See [LabelDistance] for far.
func UseLabels(w *sparse.CSR, labels []int, far float64) (*sparse.CSR, error) {
	const unknown = 1
	if w.Rows != w.Cols || len(labels) != w.Rows {
		return nil, fmt.Errorf("%w: %d labels for a graph of %d×%d", ErrShape, len(labels), w.Rows, w.Cols)
	}
	if !(far >= 0) {
		return nil, fmt.Errorf("%w: far distance %v; it is at least 0", ErrOption, far)
	}
	m := w.Clone()
	for i := range m.Rows {
		cols, vals := m.Row(i)
		most := 0.0
		for k, j := range cols {
			if labels[i] < 0 || labels[j] < 0 {
				vals[k] *= math.Exp(-unknown)
			} else if labels[i] != labels[j] {
				vals[k] *= math.Exp(-far)
			}
			most = max(most, vals[k])
		}
		if most > 0 {
			for k := range vals {
				vals[k] /= most
			}
		}
	}
	return union(dropZeros(m))
}

// LabelDistance returns the distance between different labels for umap-learn's target
// weight in [0, 1]: 2.5/(1 − weight), and 1e12 for 1.
func LabelDistance(targetWeight float64) (float64, error) {
	if !(targetWeight >= 0 && targetWeight <= 1) {
		return 0, fmt.Errorf("%w: target weight %v; it lies between 0 and 1", ErrOption, targetWeight)
	}
	if targetWeight == 1 {
		return 1e12, nil
	}
	return 2.5 / (1 - targetWeight), nil
}
